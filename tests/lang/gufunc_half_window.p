centred: int64(int32, int64)
  as  gufunc_half_window_centred_i8_i4i8
  in  x i4, w i8
  out y i8
  var f.0 i8, i.1 i8, s.2 i8, a.3 i8, t.4 i8, s.5 i8, other.6 i8, a.7 i8, t.8 i8, depth.9 i8,
      factor.10 i8, factor.11 i4
  a thread, a warp or a block a call, or threads a point, in 1 phase
  8 points of range 0 a thread, whose reductions run together
  or 4 of range 0 by 4 of range 1
  or tiles of results, 8 x 4 a thread, of parts of w[f.0, a.7, t.8], x[a.7, (i.1 + t.8) - (k // 2)] in shared memory
  loop 0 in -1, points: o
  loop 1 in 0, points: l
  loop 2 in 1, reduction: c
  loop 3 in 2, reduction: k
  work by loops 0 1 2 3, 4 integer
  work by loops 1 2 3
  work by loops 0 1, 2 integer
  1 loads of w, by loops 0 2 3: 1 in 0 of 0, 1 in 1 of 2, 1 in 2 of 3
  1 loads of x, by loops 1 2 3: 1 in 0 of 2, 1 in 1 of 1, 1 in 1 of 3
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  each element
    spread f.0 in 0..o, i.1 in 0..l
      s.2 = 1
      s.5 = 0
      each a.7 in 0..c, t.8 in 0..k to s.5
        if (((i.1 + t.8) - (k // 2)) >= 0) and (((i.1 + t.8) - (k // 2)) < l)
          s.5 = s.5 + (w[f.0, a.7, t.8] * i8(x[a.7, (i.1 + t.8) - (k // 2)]))
      join
        s.5 = s.5 + other.6
      s.2 = s.2 + s.5
      y[f.0, i.1] = s.2

0copy: int32(int32)
  as  gufunc_half_window_0copy_i4_i4
  in  x i4
  out out i4
  each element
    store out = x

0copy: int64(int64)
  as  gufunc_half_window_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x
