pairs: int64(int64, int64)
  as  gufunc_named_rows_pairs_i8_i8i8
  in  x i8, w i8
  out y i8
  var i.0 i8, q.1 i8, k.2 i8, acc.3 i8, other.4 i8, j.5 i8, value.6 i8, result.7 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, points: a b * 0 - 0 max
  loop 1 in 0, reduction: n
  work by loops 0 1, 6 integer
  1 loads of x, by loops 0 1: 1 in 1 of 1, irregular
  1 loads of w, by loops 0 1: 1 in 1 of 1, irregular
  1 stores of y, by loops 0: 1 in 0 of 0
  each element
    spread i.0 in 0..(a * b)
      q.1 = i.0 // b
      k.2 = i.0 % b
      acc.3 = 0
      each j.5 in 0..n to acc.3
        value.6 = x[q.1, j.5] * w[k.2, j.5]
        acc.3 = acc.3 + value.6
      join
        acc.3 = acc.3 + other.4
      result.7 = acc.3
      y[i.0] = result.7

0copy: int64(int64)
  as  gufunc_named_rows_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x
