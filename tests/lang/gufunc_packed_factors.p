covariance: (float64, float64)(float64)
  as  gufunc_packed_factors_covariance_f8f8_f8_stored
  in  x f8
  out c f8, mid f8, stored f8
  var j.0 i8, acc.1 f8, other.2 f8, i.3 i8, value.4 f8, result.5 f8, j.6 i8, k.7 i8, acc.8 f8,
      other.9 f8, i.10 i8, result.11 f8, i.12 i8, j.13 i8, factor.14 f8, factor.15 f8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  2 neighbours a thread, where side by side are elements of x mid stored, or from row to row
  8 points of range 0 a thread, whose reductions run together
  or 4 of range 0 by 4 of range 1
  or tiles of results, 8 x 8 a thread, of parts of stored[i.10, j.6], stored[i.10, k.7] in shared memory
  or a sweep over rows, in 2 phases from phase 1 on
  loop 0 in -1, points: n
  loop 1 in 0, reduction: m
  loop 2 in -1, points: m
  loop 3 in 2, points: n
  loop 4 in -1, points: n
  loop 5 in 4, points: n
  loop 6 in 5, reduction: m
  work by loops 0 1, 1 float64
  work by loops 0, 8 float64, 1 special
  work by loops, 1 special
  work by loops 2 3, 1 float64
  work by loops 4 5 6, 1 float64
  1 loads of x, by loops 0 1: 1 in 0 of 1, 1 in 1 of 0
  1 stores of mid, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of mid, by loops 3: 1 in 0 of 3
  1 stores of stored, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of stored, by loops 4 6: 1 in 0 of 6, 1 in 1 of 4
  1 loads of stored, by loops 5 6: 1 in 0 of 6, 1 in 1 of 5
  1 stores of c, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  each element
    spread j.0 in 0..n
      acc.1 = 0.0
      each i.3 in 0..m to acc.1
        value.4 = x[i.3, j.0]
        acc.1 = acc.1 + value.4
      join
        acc.1 = acc.1 + other.2
      result.5 = acc.1
      mid[j.0] = result.5 / f8(m)
    sync blocks spread i.12 in 0..m, j.13 in 0..n
      stored[i.12, j.13] = x[i.12, j.13] - mid[j.13]
    sync blocks spread j.6 in 0..n, k.7 in 0..n
      acc.8 = 0.0
      each i.10 in 0..m to acc.8
        acc.8 = fma(stored[i.10, j.6], stored[i.10, k.7], acc.8)
      join
        acc.8 = acc.8 + other.9
      result.11 = acc.8
      c[j.6, k.7] = result.11

covariance: (float64, float64)(float64)
  as  gufunc_packed_factors_covariance_f8f8_f8
  in  x f8
  out c f8, mid f8
  var j.0 i8, acc.1 f8, other.2 f8, i.3 i8, value.4 f8, result.5 f8, j.6 i8, k.7 i8, acc.8 f8,
      other.9 f8, i.10 i8, result.11 f8, factor.12 f8, factor.13 f8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  8 points of range 0 a thread, whose reductions run together
  or 4 of range 0 by 4 of range 1
  or tiles of results, 8 x 8 a thread, of parts of x[i.10, j.6] - mid[j.6], x[i.10, k.7] - mid[k.7] in shared memory
  loop 0 in -1, points: n
  loop 1 in 0, reduction: m
  loop 2 in -1, points: n
  loop 3 in 2, points: n
  loop 4 in 3, reduction: m
  work by loops 0 1, 1 float64
  work by loops 0, 8 float64, 1 special
  work by loops, 1 special
  work by loops 2 3 4, 1 float64
  work by loops 2 4, 1 float64
  work by loops 3 4, 1 float64
  1 loads of x, by loops 0 1: 1 in 0 of 1, 1 in 1 of 0
  1 stores of mid, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 2 4: 1 in 0 of 4, 1 in 1 of 2
  1 loads of mid, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 3 4: 1 in 0 of 4, 1 in 1 of 3
  1 loads of mid, by loops 3: 1 in 0 of 3
  1 stores of c, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  each element
    spread j.0 in 0..n
      acc.1 = 0.0
      each i.3 in 0..m to acc.1
        value.4 = x[i.3, j.0]
        acc.1 = acc.1 + value.4
      join
        acc.1 = acc.1 + other.2
      result.5 = acc.1
      mid[j.0] = result.5 / f8(m)
    sync blocks spread j.6 in 0..n, k.7 in 0..n
      acc.8 = 0.0
      each i.10 in 0..m to acc.8
        acc.8 = fma(x[i.10, j.6] - mid[j.6], x[i.10, k.7] - mid[k.7], acc.8)
      join
        acc.8 = acc.8 + other.9
      result.11 = acc.8
      c[j.6, k.7] = result.11

weighted: float64(float64, float64, float64)
  as  gufunc_packed_factors_weighted_f8_f8f8f8_stored
  in  x f8, w f8, y f8
  out c f8, stored f8, stored f8
  var a.0 i8, b.1 i8, acc.2 f8, other.3 f8, i.4 i8, result.5 f8, i.6 i8, a.7 i8, i.8 i8, b.9 i8,
      factor.10 f8, factor.11 f8, factor.12 f8, factor.13 f8, factor.14 f8, factor.15 f8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  2 neighbours a thread, where side by side are elements of y stored, or from row to row
  2 neighbours a thread, where side by side are elements of x stored, or from row to row
  8 points of range 0 a thread, whose reductions run together
  or 4 of range 0 by 4 of range 1
  or tiles of results, 8 x 8 a thread, of parts of stored[i.4, a.0], stored[i.4, b.1] in shared memory
  or a sweep over rows, in 3 phases from phase 0 on
  loop 0 in -1, points: m
  loop 1 in 0, points: k
  loop 2 in -1, points: m
  loop 3 in 2, points: n
  loop 4 in -1, points: n
  loop 5 in 4, points: k
  loop 6 in 5, reduction: m
  work by loops 0 1, 1 float64
  work by loops 2 3, 1 float64
  work by loops 6, 1 float64
  work by loops 4 5 6, 1 float64
  1 loads of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of stored, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of x, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of w, by loops 2: 1 in 0 of 2
  1 stores of stored, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of w, by loops 6: 1 in 0 of 6
  1 loads of stored, by loops 4 6: 1 in 0 of 6, 1 in 1 of 4
  1 loads of stored, by loops 5 6: 1 in 0 of 6, 1 in 1 of 5
  1 stores of c, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  each element
    spread i.8 in 0..m, b.9 in 0..k
      stored[i.8, b.9] = y[i.8, b.9] + 1.0
    spread i.6 in 0..m, a.7 in 0..n
      stored[i.6, a.7] = x[i.6, a.7] * w[i.6]
    sync blocks spread a.0 in 0..n, b.1 in 0..k
      acc.2 = 0.0
      each i.4 in 0..m to acc.2
        if w[i.4] > 0.0
          acc.2 = fma(stored[i.4, a.0], stored[i.4, b.1], acc.2)
      join
        acc.2 = acc.2 + other.3
      result.5 = acc.2
      c[a.0, b.1] = result.5

weighted: float64(float64, float64, float64)
  as  gufunc_packed_factors_weighted_f8_f8f8f8
  in  x f8, w f8, y f8
  out c f8
  var a.0 i8, b.1 i8, acc.2 f8, other.3 f8, i.4 i8, result.5 f8, factor.6 f8, factor.7 f8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  8 points of range 0 a thread, whose reductions run together
  or 4 of range 0 by 4 of range 1
  or tiles of results, 8 x 8 a thread, of parts of x[i.4, a.0] * w[i.4], y[i.4, b.1] + 1.0 in shared memory
  loop 0 in -1, points: n
  loop 1 in 0, points: k
  loop 2 in 1, reduction: m
  work by loops 2, 1 float64
  work by loops 0 1 2, 1 float64
  work by loops 0 2, 1 float64
  work by loops 1 2, 1 float64
  2 loads of w, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 0 2: 1 in 0 of 2, 1 in 1 of 0
  1 loads of y, by loops 1 2: 1 in 0 of 2, 1 in 1 of 1
  1 stores of c, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  each element
    spread a.0 in 0..n, b.1 in 0..k
      acc.2 = 0.0
      each i.4 in 0..m to acc.2
        if w[i.4] > 0.0
          acc.2 = fma(x[i.4, a.0] * w[i.4], y[i.4, b.1] + 1.0, acc.2)
      join
        acc.2 = acc.2 + other.3
      result.5 = acc.2
      c[a.0, b.1] = result.5

of_numbers: float64(float64, float64)
  as  gufunc_packed_factors_of_numbers_f8_f8f8
  in  x f8, y f8
  out c f8
  var a.0 i8, b.1 i8, acc.2 f8, other.3 f8, i.4 i8, p.5 i8, result.6 f8, p.7 i8, depth.8 i8,
      factor.9 f8, factor.10 f8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  8 points of range 0 a thread, whose reductions run together
  or 4 of range 0 by 4 of range 1
  loop 0 in -1, points: n
  loop 1 in 0, points: k
  loop 2 in 1, reduction: m
  loop 3 in 2, reduction: 100 1 - 0 max
  work by loops 0 1 2 3, 1 float64
  work by loops 0 2 3, 1 float64
  work by loops 3, 2 special
  work by loops 1 2 3, 1 float64
  1 loads of x, by loops 0 2: 1 in 0 of 2, 1 in 1 of 0
  1 loads of y, by loops 1 2: 1 in 0 of 2, 1 in 1 of 1
  1 stores of c, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  each element
    spread a.0 in 0..n, b.1 in 0..k
      acc.2 = 0.0
      each i.4 in 0..m, p.5 in 1..100 to acc.2
        acc.2 = fma(x[i.4, a.0] + f8(p.5), y[i.4, b.1] - f8(p.5), acc.2)
      join
        acc.2 = acc.2 + other.3
      result.6 = acc.2
      c[a.0, b.1] = result.6

of_triangles: float64(float64)
  as  gufunc_packed_factors_of_triangles_f8_f8
  in  x f8
  out c f8
  var j.0 i8, k.1 i8, acc.2 f8, other.3 f8, bound.4 i8, i.5 i8, result.6 f8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  or tiles of results, 8 x 4 a thread, of parts of x[j.0], x[k.1] in shared memory
  loop 0 in -1, points: n
  loop 1 in 0, points: n
  loop 2 in 1, reduction: 0 n + 2 // 40 + 0 - 0 max
  work by loops 0 1 2, 2 float64
  work by loops 0 2, 1 float64, 2 special
  1 loads of x, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of c, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  each element
    spread j.0 in 0..n, k.1 in 0..n
      acc.2 = 0.0
      bound.4 = j.0 + 40
      each i.5 in 0..bound.4 to acc.2
        acc.2 = fma(x[j.0] + f8(i.5), x[k.1] - f8(i.5), acc.2)
      join
        acc.2 = acc.2 + other.3
      result.6 = acc.2
      c[j.0, k.1] = result.6

0copy: float64(float64)
  as  gufunc_packed_factors_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
