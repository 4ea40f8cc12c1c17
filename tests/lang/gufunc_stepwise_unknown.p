unknown: int64(int32, int64, int64)
  as  gufunc_stepwise_unknown_unknown_i8_i4i8i8
  in  k i4, c i8, z i8
  out x i8, y i8
  var j.0 i8, t.1 i8, t.2 i8, i.3 i8, j.4 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: m
  loop 1 in -1, serial: 5
  loop 2 in 1, points: m
  loop 3 in 1, serial: n
  loop 4 in 1, points: ?
  work by loops 1 3, 6 integer
  work by loops 3, 48 integer
  work by loops
  work by loops 1 4, 19 integer
  1 loads of z, by loops 0: 1 in 0 of 0
  1 stores of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 2: 1 in 0 of 2
  3 loads of k, by loops 3: 1 in 0 of 3
  1 loads of y, by loops 3, irregular
  1 loads of x, by loops 3, irregular
  1 stores of y, by loops 3, irregular
  1 loads of y, by loops 4: 1 in 0 of 4
  1 stores of x, by loops 4: 1 in 0 of 4
  each element
    spread j.0 in 0..m
      x[j.0] = z[j.0]
    for t.1 in 0..5
      sync blocks spread t.2 in 0..m
        y[t.2] = 0
      sync blocks alone for i.3 in 0..n
        y[i8(k[i.3] % i4(m))] = ((y[i8(k[i.3] % i4(m))] * 3) + x[i8(k[i.3] % i4(m))]) + i.3
      for j.4 in 0..c[0]
        x[j.4] = (y[j.4] % 1000) + t.1
      shared as
        sync blocks spread j.4 in 0..c[0]
          x[j.4] = (y[j.4] % 1000) + t.1

0copy: int32(int32)
  as  gufunc_stepwise_unknown_0copy_i4_i4
  in  x i4
  out out i4
  each element
    store out = x

0copy: int64(int64)
  as  gufunc_stepwise_unknown_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x
