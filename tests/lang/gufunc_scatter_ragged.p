level: int32(int32, int32, int32, int32)
  as  gufunc_scatter_ragged_level_i4_i4i4i4i4
  in  at i4, col i4, dist i4, level i4
  out out i4
  var t.0 i8, i.1 i8, k.2 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  4 neighbours a thread, where side by side are elements of dist out
  loop 0 in -1, points: m
  loop 1 in -1, points: r 1 - 0 - 0 max
  loop 2 in 1, points: ?
  work by loops 1, 5 integer
  work by loops 1 2, 35 integer
  work by loops
  1 loads of dist, by loops 0: 1 in 0 of 0
  1 stores of out, by loops 0: 1 in 0 of 0
  4 loads of at, by loops 1: 1 in 0 of 1
  1 loads of dist, by loops 1: 1 in 0 of 1
  2 loads of col, by loops 1 2: 1 in 0 of 2, irregular
  1 loads of out, by loops 1 2, irregular
  1 stores of out, by loops 1 2, irregular
  each element
    spread t.0 in 0..m
      out[t.0] = dist[t.0]
    sync blocks spread i.1 in 0..(r - 1)
      if i8(at[i.1] * at[i.1]) < i8(at[i.1 + 1] * at[i.1 + 1])
        if dist[i.1] == level
          for k.2 in i8(at[i.1] * at[i.1])..i8(at[i.1 + 1] * at[i.1 + 1])
            out[i8(col[k.2] % i4(m))] = min(out[i8(col[k.2] % i4(m))], level - i4(k.2))

by_step: int64(int64, int64)
  as  gufunc_scatter_ragged_by_step_i8_i8i8
  in  at i8, w i8
  out h i8
  var j.0 i8, i.1 i8, k.2 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  loop 0 in -1, points: 4
  loop 1 in -1, points: r 1 - 0 - 0 max
  loop 2 in 1, points: ?
  work by loops 1 2, 8 integer
  1 stores of h, by loops 0: 1 in 0 of 0
  4 loads of w, by loops 1 2: 2 in 0 of 2, irregular
  1 loads of h, by loops 1 2, irregular
  1 stores of h, by loops 1 2, irregular
  each element
    spread j.0 in 0..4
      h[j.0] = 0
    sync blocks spread i.1 in 0..(r - 1)
      for k.2 in ((5 - at[i.1]) % 3)..(at[i.1] * at[i.1])..2
        if w[k.2] > 2
          h[w[k.2] % 4] = h[w[k.2] % 4] + (w[k.2] + i.1)

guarded: int32(int32)
  as  gufunc_scatter_ragged_guarded_i4_i4
  in  x i4
  out h i4
  var j.0 i8, i.1 i8, j.2 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  loop 0 in -1, points: 3
  loop 1 in -1, points: m
  loop 2 in 1, points: n
  work by loops 1, 1 integer
  work by loops 1 2, 19 integer
  1 stores of h, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: 1 in 0 of 1
  2 loads of x, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 loads of h, by loops 1 2, irregular
  1 stores of h, by loops 1 2, irregular
  each element
    spread j.0 in 0..3
      h[j.0] = 0
    sync blocks spread i.1 in 0..m, j.2 in 0..n
      if j.2 >= i.1
        if x[i.1, n - 1] >= 10
          h[i8(x[i.1, j.2] % 3)] = h[i8(x[i.1, j.2] % 3)] + 1

loops: int64(int32, int64)
  as  gufunc_scatter_ragged_loops_i8_i4i8
  in  at i4, x i8
  out y i8
  var j.0 i8, i.1 i8, k.2 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  loop 0 in -1, points: 2
  loop 1 in -1, points: r 1 - 0 - 0 max
  loop 2 in 1, points: ?
  work by loops 1 2, 8 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  3 loads of x, by loops 1 2: 1 in 0 of 2, irregular
  1 loads of y, by loops 1 2, irregular
  1 stores of y, by loops 1 2, irregular
  each element
    spread j.0 in 0..2
      y[j.0] = 0
    sync blocks spread i.1 in 0..(r - 1)
      for k.2 in i8(at[i.1] * at[i.1])..i8(at[i.1 + 1] * at[i.1 + 1])
        y[x[k.2] % 2] = y[x[k.2] % 2] + (x[k.2] * i.1)

beside: int64(int32, int64)
  as  gufunc_scatter_ragged_beside_i8_i4i8
  in  at i4, x i8
  out h i8
  var j.0 i8, i.1 i8, k.2 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  loop 0 in -1, points: 3
  loop 1 in -1, points: r 1 - 0 - 0 max
  loop 2 in 1, serial: ?
  work by loops, 2 integer
  work by loops 1 2, 6 integer
  1 stores of h, by loops 0: 1 in 0 of 0
  1 loads of h, by loops
  1 stores of h, by loops
  2 loads of x, by loops 1 2: 1 in 0 of 2, irregular
  1 loads of h, by loops 1 2, irregular
  1 stores of h, by loops 1 2, irregular
  each element
    spread j.0 in 0..3
      h[j.0] = 0
    sync blocks spread i.1 in 0..(r - 1)
      h[2] = h[2] + 100
      for k.2 in i8(at[i.1] * at[i.1])..i8(at[i.1 + 1] * at[i.1 + 1])
        h[x[k.2] % 2] = h[x[k.2] % 2] + 1

weights: float64(int64, float64)
  as  gufunc_scatter_ragged_weights_f8_i8f8
  in  at i8, w f8
  out y f8, _top_0 i4, _sum_1 i8, _fine_2 i8
  var j.0 i8, t.1 i8, t.2 i8, t.3 i8, i.4 i8, k.5 i8, x.6 f8, u.7 u8, i.8 i8, k.9 i8, x.10 f8,
      top.11 i4, e.12 i4, _double_quanta.13 i8, _double_quanta.14 i8, n.15 i4, choice.16 f8,
      sum.17 f8, rest.18 f8, x.19 f8, n.20 i8, rest.21 i8, 0..22 i8, y.23 f8, top.24 i4,
      n.25 i8, fine.26 i8, e.27 i4, _with_double_quanta.28 f8, nans.29 b1, below.30 u8,
      y.31 f8
  a thread, a warp or a block a call, or threads a point, in 4 phases
  loop 0 in -1, points: 5
  loop 1 in -1, points: r 1 - 0 - 0 max
  loop 2 in 1, points: ?
  loop 3 in -1, points: r 1 - 0 - 0 max
  loop 4 in 3, points: ?
  loop 5 in -1, points: 5
  work by loops 1 2, 3 float64, 4 integer
  work by loops 1, 1 special
  work by loops 3 4, 11 float64, 22 integer
  work by loops 3, 1 special
  work by loops 5, 3 float64, 12 integer
  1 stores of _top_0, by loops 0: 1 in 0 of 0
  1 stores of _sum_1, by loops 0: 1 in 0 of 0
  1 stores of _fine_2, by loops 0: 1 in 0 of 0
  1 loads of w, by loops 1 2: 1 in 0 of 2, irregular
  1 loads of _top_0, by loops 1 2, irregular
  1 stores of _top_0, by loops 1 2, irregular
  1 loads of w, by loops 3 4: 1 in 0 of 4, irregular
  1 loads of _top_0, by loops 3 4, irregular
  1 loads of _sum_1, by loops 3 4, irregular
  1 stores of _sum_1, by loops 3 4, irregular
  1 loads of _fine_2, by loops 3 4, irregular
  1 stores of _fine_2, by loops 3 4, irregular
  1 loads of _top_0, by loops 5: 1 in 0 of 5
  1 loads of _sum_1, by loops 5: 1 in 0 of 5
  1 loads of _fine_2, by loops 5: 1 in 0 of 5
  1 stores of y, by loops 5: 1 in 0 of 5
  each element
    spread t.1 in 0..5
      _top_0[t.1] = 0
      _sum_1[t.1] = 0
      _fine_2[t.1] = 0
    sync blocks spread i.4 in 0..(r - 1)
      for k.5 in (at[i.4] * at[i.4])..(at[i.4 + 1] * at[i.4 + 1])
        x.6 = w[k.5] * f8(i.4)
        u.7 = bits(x.6)
        _top_0[k.5 % 5] = max(_top_0[k.5 % 5], (i4(u.7 >> 32) & 2147483647) | i4(u4(u.7) != 0))
    sync blocks spread i.8 in 0..(r - 1)
      for k.9 in (at[i.8] * at[i.8])..(at[i.8 + 1] * at[i.8 + 1])
        x.10 = w[k.9] * f8(i.8)
        top.11 = _top_0[k.9 % 5]
        e.12 = max(top.11 >> 20, 1) - 1022
        if e.12 > 1024
          _double_quanta.13 = where(x.10 == inf, 1, where(x.10 == -inf, 1 << 32, 0))
          _double_quanta.14 = 0
        else
          if e.12 > -990
            n.15 = 30 - e.12
            choice.16 = x.10 * frombits(u8(n.15 + 1023) << 52)
          else
            choice.16 = ldexp(x.10, 30 - e.12)
          sum.17 = choice.16 + 6755399441055744
          rest.18 = choice.16 - (sum.17 - 6755399441055744)
          x.19 = rest.18 * 1073741824.0
          n.20 = i8(bits(sum.17)) - 4843621399236968448
          rest.21 = i8(bits(x.19 + 6755399441055744)) - 4843621399236968448
          _double_quanta.13 = n.20
          _double_quanta.14 = rest.21
        _sum_1[k.9 % 5] = _sum_1[k.9 % 5] + _double_quanta.13
        _fine_2[k.9 % 5] = _fine_2[k.9 % 5] + _double_quanta.14
    sync blocks spread 0..22 in 0..5
      y.31 = 0.0
      y.23 = y.31
      top.24 = _top_0[0..22]
      n.25 = _sum_1[0..22]
      fine.26 = _fine_2[0..22]
      e.27 = max(top.24 >> 20, 1) - 1022
      if top.24 == 0
        _with_double_quanta.28 = y.23
      else if e.27 > 1024
        nans.29 = top.24 > 2146435072
        below.30 = u8(n.25) >> 32
        _with_double_quanta.28 = y.23 + where(nans.29 or ((below.30 != 0) and ((n.25 & 4294967295) != 0)), nan, where(below.30 != 0, -inf, inf))
      else
        _with_double_quanta.28 = y.23 + (ldexp(f8(n.25), e.27 - 30) + ldexp(f8(fine.26), e.27 - 60))
      y.31 = _with_double_quanta.28
      y[0..22] = y.31

long: int64(int64, int64)
  as  gufunc_scatter_ragged_long_i8_i8i8
  in  at i8, w i8
  out h i8
  var j.0 i8, i.1 i8, k.2 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  loop 0 in -1, points: 7
  loop 1 in -1, points: r 1 - 0 - 0 max
  loop 2 in 1, points: ?
  work by loops 1 2, 38 integer
  1 stores of h, by loops 0: 1 in 0 of 0
  3 loads of w, by loops 1 2: 1 in 0 of 2, irregular
  1 loads of h, by loops 1 2, irregular
  1 stores of h, by loops 1 2, irregular
  each element
    spread j.0 in 0..7
      h[j.0] = 0
    sync blocks spread i.1 in 0..(r - 1)
      for k.2 in (at[i.1] * at[i.1])..(at[i.1 + 1] * at[i.1 + 1])
        h[w[k.2] % 7] = h[w[k.2] % 7] + w[k.2]

0copy: int32(int32)
  as  gufunc_scatter_ragged_0copy_i4_i4
  in  x i4
  out out i4
  each element
    store out = x

0copy: int64(int64)
  as  gufunc_scatter_ragged_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_scatter_ragged_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
