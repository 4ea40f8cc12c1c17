spread_of: float64(float64)
  as  gufunc_range_of_dim_spread_of_f8_f8
  in  x f8
  out v f8, s f8
  var i.0 i8, acc.1 f8, other.2 f8, k.3 i8, value.4 f8, result.5 f8, i.6 i8, acc.7 f8, other.8 f8,
      k.9 i8, t.10 f8, t.11 f8, value.12 f8, result.13 f8, s.14 f8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  2 neighbours a thread, where side by side are elements of x v
  loop 0 in -1, points: n - 2
  loop 1 in 0, reduction: 3
  loop 2 in 0, reduction: 3
  work by loops 0 1, 1 float64
  work by loops 0, 8 float64, 1 special
  work by loops 0 2, 3 float64
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 0 of 1
  1 loads of x, by loops 0 2: 1 in 0 of 0, 1 in 0 of 2
  1 stores of v, by loops 0: 1 in 0 of 0
  each element
    spread i.6 in 0..n - 2
      acc.1 = 0.0
      each k.3 in 0..3 to acc.1
        value.4 = x[i.6 + k.3]
        acc.1 = acc.1 + value.4
      join
        acc.1 = acc.1 + other.2
      result.5 = acc.1
      s.14 = result.5 / 3.0
      acc.7 = 0.0
      each k.9 in 0..3 to acc.7
        t.10 = x[i.6 + k.9] - s.14
        t.11 = t.10 * t.10
        value.12 = t.11
        acc.7 = acc.7 + value.12
      join
        acc.7 = acc.7 + other.8
      result.13 = acc.7
      v[i.6] = result.13

inner_ends: float64(float64)
  as  gufunc_range_of_dim_inner_ends_f8_f8
  in  x f8
  out y f8, s f8
  var i.0 i8, i.1 i8, i.2 i8, i.3 i8, s.4 f8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  2 neighbours a thread, where side by side are elements of y
  2 neighbours a thread, where side by side are elements of x y
  2 neighbours a thread, where side by side are elements of y
  loop 0 in -1, points: n
  loop 1 in -1, points: n - 3
  loop 2 in -1, points: n - 3
  work by loops 1, 2 float64
  work by loops 2, 1 float64
  1 stores of y, by loops 0: 1 in 0 of 0
  2 loads of x, by loops 1: 1 in 0 of 1
  1 stores of y, by loops 1: 1 in 0 of 1
  1 loads of y, by loops 2: 1 in 0 of 2
  1 stores of y, by loops 2: 1 in 0 of 2
  each element
    spread i.1 in 0..n
      y[i.1] = 0.0
    sync blocks spread i.2 in 0..n - 3
      s.4 = x[i.2] + x[i.2 + 3]
      y[i.2] = s.4 * s.4
    sync blocks spread i.3 in 0..n - 3
      y[i.3] = y[i.3] + 1.0

0copy: float64(float64)
  as  gufunc_range_of_dim_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
