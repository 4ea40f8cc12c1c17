handed_before: (int64, int64, int64)(int64, int64)
  as  gufunc_handed_on_handed_before_i8i8i8_i8i8
  in  x i8, y i8
  out m i8, whole i8, last i8
  var i.0 i8, s.1 i8, t.2 i8, j.3 i8, r.4 i8, k.5 i8, i.6 i8, r.7 i8, j.8 i8, k.9 i8, i.10 i8,
      r.11 i8, s.12 i8, j.13 i8, k.14 i8, r.15 i8, other.16 i8, j.17 i8, k.18 i8, row.19 i8,
      depth.20 i8, factor.21 i8, factor.22 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  4 points of range 0 a thread, whose loops run together
  8 points of range 0 a thread, whose reductions run together
  4 points of range 0 a thread, whose loops run together
  or tiles of results, 8 x 8 a thread, of parts of x[i.6, k.18], x[j.17, k.18] in shared memory
  or bands of rows, in all phases
  loop 0 in -1, points: n
  loop 1 in 0, serial: n
  loop 2 in 1, serial: d
  loop 3 in -1, points: n
  loop 4 in 3, reduction: n
  loop 5 in 4, reduction: d
  loop 6 in -1, points: n
  loop 7 in 6, serial: n
  loop 8 in 7, serial: d
  work by loops 0 1 2, 4 integer
  work by loops 0 1, 4 integer
  work by loops 3 4 5, 4 integer
  work by loops 3, 2 integer
  work by loops 6 7 8, 8 integer
  work by loops 7, 4 integer
  work by loops 6, 2 integer
  1 loads of y, by loops 1: 1 in 0 of 1
  1 loads of x, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  1 loads of x, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 stores of m, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 3 5: 1 in 0 of 3, 1 in 1 of 5
  1 loads of x, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  1 stores of whole, by loops 3: 1 in 0 of 3
  1 loads of x, by loops 6 8: 1 in 0 of 6, 1 in 1 of 8
  1 loads of x, by loops 7 8: 1 in 0 of 7, 1 in 1 of 8
  1 loads of y, by loops 7: 1 in 0 of 7
  1 stores of last, by loops 6: 1 in 0 of 6
  each element
    spread i.0 in 0..n
      s.1 = 0
      t.2 = 1
      for j.3 in 0..n
        r.4 = t.2
        t.2 = y[j.3]
        for k.5 in 0..d
          r.4 = r.4 + (x[i.0, k.5] * x[j.3, k.5])
        s.1 = (s.1 * 3) + r.4
      m[i.0] = s.1
    spread i.6 in 0..n
      r.7 = 0
      r.15 = 0
      each j.17 in 0..n, k.18 in 0..d to r.15
        r.15 = r.15 + (x[i.6, k.18] * x[j.17, k.18])
      join
        r.15 = r.15 + other.16
      r.7 = r.7 + r.15
      whole[i.6] = r.7
    spread i.10 in 0..n
      r.11 = 0
      s.12 = 0
      for j.13 in 0..n
        for k.14 in 0..d
          r.11 = (r.11 * 2) + (x[i.10, k.14] * x[j.13, k.14])
        s.12 = (s.12 * 3) + y[j.13]
      last[i.10] = r.11 + s.12

0copy: int64(int64)
  as  gufunc_handed_on_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x
