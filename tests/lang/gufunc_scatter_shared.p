counts: int32(int32)
  as  gufunc_scatter_shared_counts_i4_i4
  in  x i4
  out h i4
  var k.0 i8, i.1 i8, x.2 i4
  a thread, a warp or a block a call, or threads a point, in 2 phases
  loop 0 in -1, points: 4
  loop 1 in -1, points: n
  work by loops 1, 10 integer
  1 stores of h, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: 1 in 0 of 1
  1 loads of h, by loops 1, irregular
  1 stores of h, by loops 1, irregular
  each element
    spread k.0 in 0..4
      h[k.0] = 0
    sync blocks spread i.1 in 0..n
      x.2 = x[i.1] - 2
      h[i8(where(x.2 < 0, 0, min(x.2, 3)))] = h[i8(where(x.2 < 0, 0, min(x.2, 3)))] + 1

reads: int32(int32)
  as  gufunc_scatter_shared_reads_i4_i4
  in  x i4
  out h i4
  var k.0 i8, i.1 i8, x.2 i4
  a thread, a warp or a block a call, or threads a point, in 2 phases
  loop 0 in -1, points: 4
  loop 1 in -1, points: n
  work by loops 1, 28 integer
  1 stores of h, by loops 0: 1 in 0 of 0
  41 loads of x, by loops 1: 1 in 0 of 1
  1 loads of h, by loops 1, irregular
  1 stores of h, by loops 1, irregular
  each element
    spread k.0 in 0..4
      h[k.0] = 0
    sync blocks spread i.1 in 0..n
      x.2 = x[i.1]
      h[i8(where(x.2 < 0, 0, min(x.2, 3)))] = h[i8(where(x.2 < 0, 0, min(x.2, 3)))] + (((((((((((((((((((((((((((((((((((((((x[i.1] + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1]) + x[i.1])

0copy: int32(int32)
  as  gufunc_scatter_shared_0copy_i4_i4
  in  x i4
  out out i4
  each element
    store out = x
