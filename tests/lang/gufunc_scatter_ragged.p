level: int32(int32, int32, int32, int32)
  as  gufunc_scatter_ragged_level_i4_i4i4i4i4
  in  at i4, col i4, dist i4, level i4
  out out i4
  var t.0 i8, i.1 i8, i.2 i8, k.3 i8
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
          for k.3 in i8(at[i.1] * at[i.1])..i8(at[i.1 + 1] * at[i.1 + 1])
            out[i8(col[k.3] % i4(m))] = min(out[i8(col[k.3] % i4(m))], level - i4(k.3))

by_step: int64(int64, int64)
  as  gufunc_scatter_ragged_by_step_i8_i8i8
  in  at i8, w i8
  out h i8
  var j.0 i8, i.1 i8, k.2 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  loop 0 in -1, points: 4
  loop 1 in -1, points: r 1 - 0 - 0 max
  loop 2 in 1, points: ?
  work by loops 1 2, 70 integer
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
  work by loops 1 2, 33 integer
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
  var j.0 i8, i.1 i8, i.2 i8, k.3 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  loop 0 in -1, points: 2
  loop 1 in -1, points: r 1 - 0 - 0 max
  loop 2 in 1, points: ?
  work by loops 1 2, 68 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  3 loads of x, by loops 1 2: 1 in 0 of 2, irregular
  1 loads of y, by loops 1 2, irregular
  1 stores of y, by loops 1 2, irregular
  each element
    spread j.0 in 0..2
      y[j.0] = 0
    sync blocks spread i.1 in 0..(r - 1)
      for k.3 in i8(at[i.1] * at[i.1])..i8(at[i.1 + 1] * at[i.1 + 1])
        y[x[k.3] % 2] = y[x[k.3] % 2] + (x[k.3] * i.1)

beside: int64(int32, int64)
  as  gufunc_scatter_ragged_beside_i8_i4i8
  in  at i4, x i8
  out h i8
  var j.0 i8, i.1 i8, i.2 i8, k.3 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  loop 0 in -1, points: 3
  loop 1 in -1, points: r 1 - 0 - 0 max
  loop 2 in 1, serial: ?
  work by loops, 2 integer
  work by loops 1 2, 66 integer
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
      for k.3 in i8(at[i.1] * at[i.1])..i8(at[i.1 + 1] * at[i.1 + 1])
        h[x[k.3] % 2] = h[x[k.3] % 2] + 1

weights: float64(int64, float64)
  as  gufunc_scatter_ragged_weights_f8_i8f8
  in  at i8, w f8
  out y f8, _top_0 i4, _sum_1 i8, _fine_2 i8
  var j.0 i8, t.1 i8, t.2 i8, t.3 i8, i.4 i8, i.5 i8, k.6 i8, x.7 f8, u.8 u8, i.9 i8, i.10 i8,
      k.11 i8, x.12 f8, top.13 i4, e.14 i4, _double_quanta.15 i8, _double_quanta.16 i8,
      n.17 i4, choice.18 f8, sum.19 f8, rest.20 f8, x.21 f8, n.22 i8, rest.23 i8, 0..24 i8,
      y.25 f8, top.26 i4, n.27 i8, fine.28 i8, e.29 i4, _with_double_quanta.30 f8, nans.31 b1,
      below.32 u8
  a thread, a warp or a block a call, or threads a point, in 4 phases
  loop 0 in -1, points: 5
  loop 1 in -1, points: r 1 - 0 - 0 max
  loop 2 in 1, points: ?
  loop 3 in -1, points: r 1 - 0 - 0 max
  loop 4 in 3, points: ?
  loop 5 in -1, points: 5
  work by loops 1 2, 3 float64, 5 integer
  work by loops 1, 1 special
  work by loops 3 4, 11 float64, 22 integer
  work by loops 3, 1 special
  work by loops 5, 3 float64, 13 integer
  1 stores of y, by loops 0: 1 in 0 of 0
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
  1 loads of y, by loops 5: 1 in 0 of 5
  1 loads of _top_0, by loops 5: 1 in 0 of 5
  1 loads of _sum_1, by loops 5: 1 in 0 of 5
  1 loads of _fine_2, by loops 5: 1 in 0 of 5
  1 stores of y, by loops 5: 1 in 0 of 5
  each element
    spread j.0 in 0..5
      y[j.0] = 0.0
      _top_0[j.0] = 0
      _sum_1[j.0] = 0
      _fine_2[j.0] = 0
    sync blocks spread i.4 in 0..(r - 1)
      for k.6 in (at[i.4] * at[i.4])..(at[i.4 + 1] * at[i.4 + 1])
        x.7 = w[k.6] * f8(i.4)
        u.8 = bits(x.7)
        _top_0[k.6 % 5] = max(_top_0[k.6 % 5], (i4(u.8 >> 32) & 2147483647) | i4(u4(u.8) != 0))
    sync blocks spread i.9 in 0..(r - 1)
      for k.11 in (at[i.9] * at[i.9])..(at[i.9 + 1] * at[i.9 + 1])
        x.12 = w[k.11] * f8(i.9)
        top.13 = _top_0[k.11 % 5]
        e.14 = max(top.13 >> 20, 1) - 1022
        if e.14 > 1024
          _double_quanta.15 = where(x.12 == inf, 1, where(x.12 == -inf, 1 << 32, 0))
          _double_quanta.16 = 0
        else
          if e.14 > -990
            n.17 = 30 - e.14
            choice.18 = x.12 * frombits(u8(n.17 + 1023) << 52)
          else
            choice.18 = ldexp(x.12, 30 - e.14)
          sum.19 = choice.18 + 6755399441055744
          rest.20 = choice.18 - (sum.19 - 6755399441055744)
          x.21 = rest.20 * 1073741824.0
          n.22 = i8(bits(sum.19)) - 4843621399236968448
          rest.23 = i8(bits(x.21 + 6755399441055744)) - 4843621399236968448
          _double_quanta.15 = n.22
          _double_quanta.16 = rest.23
        _sum_1[k.11 % 5] = _sum_1[k.11 % 5] + _double_quanta.15
        _fine_2[k.11 % 5] = _fine_2[k.11 % 5] + _double_quanta.16
    sync blocks spread 0..24 in 0..5
      y.25 = y[0..24]
      top.26 = _top_0[0..24]
      n.27 = _sum_1[0..24]
      fine.28 = _fine_2[0..24]
      e.29 = max(top.26 >> 20, 1) - 1022
      if top.26 == 0
        _with_double_quanta.30 = y.25
      else if e.29 > 1024
        nans.31 = top.26 > 2146435072
        below.32 = u8(n.27) >> 32
        _with_double_quanta.30 = y.25 + where(nans.31 or ((below.32 != 0) and ((n.27 & 4294967295) != 0)), nan, where(below.32 != 0, -inf, inf))
      else
        _with_double_quanta.30 = y.25 + (ldexp(f8(n.27), e.29 - 30) + ldexp(f8(fine.28), e.29 - 60))
      y[0..24] = _with_double_quanta.30

long: int64(int64, int64)
  as  gufunc_scatter_ragged_long_i8_i8i8
  in  at i8, w i8
  out h i8
  var j.0 i8, i.1 i8, i.2 i8, k.3 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  loop 0 in -1, points: 7
  loop 1 in -1, points: r 1 - 0 - 0 max
  loop 2 in 1, points: ?
  work by loops 1 2, 66 integer
  1 stores of h, by loops 0: 1 in 0 of 0
  3 loads of w, by loops 1 2: 1 in 0 of 2, irregular
  1 loads of h, by loops 1 2, irregular
  1 stores of h, by loops 1 2, irregular
  each element
    spread j.0 in 0..7
      h[j.0] = 0
    sync blocks spread i.1 in 0..(r - 1)
      for k.3 in (at[i.1] * at[i.1])..(at[i.1 + 1] * at[i.1 + 1])
        h[w[k.3] % 7] = h[w[k.3] % 7] + w[k.3]

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
