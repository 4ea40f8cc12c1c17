centred: (float64, float64)(float64)
  as  gufunc_in_place_shared_centred_f8f8_f8_calls
  in  x f8
  out y f8, v f8, mid f8, d f8
  var j.0 i8, acc.1 f8, other.2 f8, i.3 i8, value.4 f8, result.5 f8, count.6 i8, i.7 i8, j.8 i8,
      j.9 i8, acc.10 f8, other.11 f8, i.12 i8, t.13 f8, t.14 f8, value.15 f8, result.16 f8,
      i.17 i8, j.18 i8, mid.19 f8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  registers of a warp's or a block's threads hold rows, 8 points each
  2 neighbours a thread, where side by side are elements of x y
  loop 0 in -1, reduction: m
  loop 1 in -1, reduction: m
  loop 2 in -1, points: m
  work by loops 0, 1 float64
  work by loops, 8 float64, 2 special
  work by loops 1, 3 float64
  work by loops 2, 2 float64
  1 loads of x, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of v, by loops
  1 loads of x, by loops 2: 1 in 0 of 2
  1 stores of y, by loops 2: 1 in 0 of 2
  each element
    acc.1 = 0.0
    spread i.3 in 0..m to acc.1
      value.4 = x[i.3]
      acc.1 = acc.1 + value.4
    join
      acc.1 = acc.1 + other.2
    result.5 = acc.1
    count.6 = 1 * max(-((0 - m) // 1), 0)
    mid.19 = result.5 / f8(count.6)
    acc.10 = 0.0
    spread i.12 in 0..m to acc.10
      t.13 = x[i.12] - mid.19
      t.14 = t.13 * t.13
      value.15 = t.14
      acc.10 = acc.10 + value.15
    join
      acc.10 = acc.10 + other.11
    result.16 = acc.10
    v[] = result.16
    spread i.17 in 0..m
      y[i.17] = (x[i.17] - mid.19) * 2.0

centred: (float64, float64)(float64)
  as  gufunc_in_place_shared_centred_f8f8_f8
  in  x f8
  out y f8, v f8, mid f8, d f8
  var j.0 i8, acc.1 f8, other.2 f8, i.3 i8, value.4 f8, result.5 f8, count.6 i8, i.7 i8, j.8 i8,
      j.9 i8, acc.10 f8, other.11 f8, i.12 i8, t.13 f8, t.14 f8, value.15 f8, result.16 f8,
      i.17 i8, j.18 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  2 neighbours a thread, where side by side are elements of x y mid, or from row to row
  or a sweep over rows, in 2 phases from phase 1 on
  loop 0 in -1, points: n
  loop 1 in 0, reduction: m
  loop 2 in -1, points: n
  loop 3 in 2, reduction: m
  loop 4 in -1, points: m
  loop 5 in 4, points: n
  work by loops 0 1, 1 float64
  work by loops 0, 8 float64, 1 special
  work by loops, 1 special
  work by loops 2 3, 3 float64
  work by loops 4 5, 2 float64
  1 loads of x, by loops 0 1: 1 in 0 of 1, 1 in 1 of 0
  1 stores of mid, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 2 3: 1 in 0 of 3, 1 in 1 of 2
  1 loads of mid, by loops 2: 1 in 0 of 2
  1 stores of v, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  1 loads of mid, by loops 5: 1 in 0 of 5
  1 stores of y, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  each element
    spread j.0 in 0..n
      acc.1 = 0.0
      each i.3 in 0..m to acc.1
        value.4 = x[i.3, j.0]
        acc.1 = acc.1 + value.4
      join
        acc.1 = acc.1 + other.2
      result.5 = acc.1
      count.6 = 1 * max(-((0 - m) // 1), 0)
      mid[j.0] = result.5 / f8(count.6)
    sync blocks spread j.9 in 0..n
      acc.10 = 0.0
      each i.12 in 0..m to acc.10
        t.13 = x[i.12, j.9] - mid[j.9]
        t.14 = t.13 * t.13
        value.15 = t.14
        acc.10 = acc.10 + value.15
      join
        acc.10 = acc.10 + other.11
      result.16 = acc.10
      v[j.9] = result.16
    spread i.17 in 0..m, j.18 in 0..n
      y[i.17, j.18] = (x[i.17, j.18] - mid[j.18]) * 2.0

turned: (float64, float64)(float64, float64, float64)
  as  gufunc_in_place_shared_turned_f8f8_f8f8f8_calls
  in  x f8, w f8, f f8
  out y f8, s f8, d f8
  var i.0 i8, j.1 i8, j.2 i8, i.3 i8, i.4 i8, acc.5 f8, other.6 f8, j.7 i8, value.8 f8, result.9 f8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  registers of a warp's or a block's threads hold rows, 8 points each
  2 neighbours a thread, where side by side are elements of x y
  loop 0 in -1, points: n
  loop 1 in -1, reduction: n
  work by loops 0, 3 float64
  work by loops 1, 4 float64
  1 loads of x, by loops 0: 1 in 0 of 0
  1 loads of w, by loops
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: 1 in 0 of 1
  1 loads of w, by loops
  1 stores of s, by loops
  each element
    spread j.2 in 0..n
      y[j.2] = ((x[j.2] - w[]) * f) + 1.0
    acc.5 = -inf
    spread j.7 in 0..n to acc.5
      value.8 = (x[j.7] - w[]) * f
      acc.5 = max(acc.5, value.8)
    join
      acc.5 = max(acc.5, other.6)
    result.9 = acc.5
    s[] = result.9

turned: (float64, float64)(float64, float64, float64)
  as  gufunc_in_place_shared_turned_f8f8_f8f8f8
  in  x f8, w f8, f f8
  out y f8, s f8, d f8
  var i.0 i8, j.1 i8, j.2 i8, i.3 i8, i.4 i8, acc.5 f8, other.6 f8, j.7 i8, value.8 f8, result.9 f8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of w y
  loop 0 in -1, points: n
  loop 1 in 0, points: m
  loop 2 in -1, points: m
  loop 3 in 2, reduction: n
  work by loops 0 1, 3 float64
  work by loops 2 3, 4 float64
  1 loads of x, by loops 0 1: 1 in 0 of 1, 1 in 1 of 0
  1 loads of w, by loops 1: 1 in 0 of 1
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of x, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of w, by loops 2: 1 in 0 of 2
  1 stores of s, by loops 2: 1 in 0 of 2
  each element
    spread j.2 in 0..n, i.3 in 0..m
      y[j.2, i.3] = ((x[i.3, j.2] - w[i.3]) * f) + 1.0
    spread i.4 in 0..m
      acc.5 = -inf
      each j.7 in 0..n to acc.5
        value.8 = (x[i.4, j.7] - w[i.4]) * f
        acc.5 = max(acc.5, value.8)
      join
        acc.5 = max(acc.5, other.6)
      result.9 = acc.5
      s[i.4] = result.9

again: (float64, float64)(float64, float64)
  as  gufunc_in_place_shared_again_f8f8_f8f8
  in  x f8, w f8
  out c f8, y f8, d f8
  var i.0 i8, j.1 i8, j.2 i8, k.3 i8, acc.4 f8, other.5 f8, i.6 i8, result.7 f8, i.8 i8, j.9 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of x w y d, or from row to row
  8 points of range 0 a thread, whose reductions run together
  or 4 of range 0 by 4 of range 1
  or tiles of results, 8 x 8 a thread, of parts of d[i.6, j.2], d[i.6, k.3] in shared memory
  or a sweep over rows, in 2 phases from phase 0 on
  loop 0 in -1, points: m
  loop 1 in 0, points: n
  loop 2 in -1, points: n
  loop 3 in 2, points: n
  loop 4 in 3, reduction: m
  work by loops 0 1, 2 float64
  work by loops 2 3 4, 1 float64
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of w, by loops 1: 1 in 0 of 1
  1 stores of d, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of d, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of d, by loops 2 4: 1 in 0 of 4, 1 in 1 of 2
  1 loads of d, by loops 3 4: 1 in 0 of 4, 1 in 1 of 3
  1 stores of c, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  each element
    spread i.0 in 0..m, j.1 in 0..n
      d[i.0, j.1] = x[i.0, j.1] - w[j.1]
      y[i.0, j.1] = d[i.0, j.1] * 3.0
    sync blocks spread j.2 in 0..n, k.3 in 0..n
      acc.4 = 0.0
      each i.6 in 0..m to acc.4
        acc.4 = fma(d[i.6, j.2], d[i.6, k.3], acc.4)
      join
        acc.4 = acc.4 + other.5
      result.7 = acc.4
      c[j.2, k.3] = result.7

changed: (float64, float64, float64)(float64, float64)
  as  gufunc_in_place_shared_changed_f8f8f8_f8f8
  in  x f8, w f8
  out z f8, y f8, s f8, d f8
  var j.0 i8, i.1 i8, j.2 i8, acc.3 f8, other.4 f8, i.5 i8, j.6 i8, value.7 f8, result.8 f8, j.9 i8,
      i.10 i8, j.11 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  registers of a warp's or a block's threads hold rows, 8 points each
  2 neighbours a thread, where side by side are elements of w z
  2 neighbours a thread, where side by side are elements of x w y, or from row to row
  loop 0 in -1, reduction: m
  loop 1 in 0, reduction: n
  loop 2 in -1, points: n
  loop 3 in -1, points: m
  loop 4 in 3, points: n
  work by loops 0 1, 2 float64
  work by loops 2, 1 float64
  work by loops 3 4, 1 float64
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of w, by loops 1: 1 in 0 of 1
  1 stores of s, by loops
  1 loads of w, by loops 2: 1 in 0 of 2
  1 stores of z, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 loads of w, by loops 4: 1 in 0 of 4
  1 stores of y, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  each element
    acc.3 = 0.0
    spread i.5 in 0..m, j.6 in 0..n to acc.3
      value.7 = x[i.5, j.6] - w[j.6]
      acc.3 = acc.3 + value.7
    join
      acc.3 = acc.3 + other.4
    result.8 = acc.3
    s[] = result.8
    spread j.9 in 0..n
      z[j.9] = w[j.9] + 1.0
    spread i.10 in 0..m, j.11 in 0..n
      y[i.10, j.11] = x[i.10, j.11] - w[j.11]

in_order: float64(float64, float64)
  as  gufunc_in_place_shared_in_order_f8_f8f8
  in  x f8, w f8
  out y f8, d f8
  var i.0 i8, j.1 i8, j.2 i8, s.3 f8, i.4 i8, y.5 f8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, points: n
  loop 1 in 0, serial: 16 clocks: m
  work by loops 0 1, 3 float64
  1 loads of x, by loops 0 1: 1 in 0 of 1, 1 in 1 of 0
  1 loads of w, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  longest chain: 16 m
  each element
    spread j.2 in 0..n
      s.3 = 0.0
      for i.4 in 0..m
        s.3 = (s.3 * 2.0) + (x[i.4, j.2] - w[j.2])
      y[j.2] = s.3

0copy: float64(float64)
  as  gufunc_in_place_shared_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
