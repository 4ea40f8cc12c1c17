at_once: int64(int64, int64)
  as  gufunc_merged_twice_at_once_i8_i8i8
  in  x i8, z i8
  out y i8
  var i.0 i8, i.1 i8, k.2 i8, l.3 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  2 neighbours a thread, where side by side are elements of z y
  loop 0 in -1, points: m
  loop 1 in -1, points: n
  loop 2 in 1, points: m
  loop 3 in -1, points: n
  loop 4 in 3, points: m
  loop 5 in 4, points: q
  work by loops 1 2, 2 integer
  work by loops 3 4 5, 4 integer
  1 loads of z, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of y, by loops 2: 1 in 0 of 2
  1 loads of y, by loops 4: 1 in 0 of 4
  1 loads of x, by loops 3 5: 1 in 0 of 3, 1 in 1 of 5
  1 stores of y, by loops 4: 1 in 0 of 4
  each element
    spread i.0 in 0..m
      y[i.0] = z[i.0]
    sync blocks spread i.1 in 0..n, k.2 in 0..m
      y[k.2] = y[k.2] + x[i.1, 0]
    sync blocks spread i.1 in 0..n, k.2 in 0..m, l.3 in 0..q
      y[k.2] = y[k.2] + (x[i.1, l.3] * k.2)

apart: int64(int64, int64)
  as  gufunc_merged_twice_apart_i8_i8i8_calls
  in  x i8, z i8
  out y i8
  var i.0 i8, k.1 i8, i.2 i8, k.3 i8, l.4 i8, y.5 i8, y.6 i8, other.7 i8, l.8 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of z y
  8 points of range 0 a thread, whose reductions run together
  loop 0 in -1, points: m
  loop 1 in -1, points: m
  loop 2 in 1, reduction: q
  work by loops 1, 4 integer
  work by loops 1 2, 4 integer
  1 loads of z, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 1: 1 in 0 of 1
  1 loads of x, by loops
  1 loads of x, by loops 2: 1 in 0 of 2
  1 stores of y, by loops 1: 1 in 0 of 1
  each element
    spread k.1 in 0..m
      y[k.1] = z[k.1]
    sync blocks spread k.3 in 0..m
      y.5 = y[k.3]
      y.5 = y.5 + x[0]
      y.6 = 0
      each l.8 in 0..q to y.6
        y.6 = y.6 + (x[l.8] * k.3)
      join
        y.6 = y.6 + other.7
      y.5 = y.5 + y.6
      y[k.3] = y.5

apart: int64(int64, int64)
  as  gufunc_merged_twice_apart_i8_i8i8
  in  x i8, z i8
  out y i8
  var i.0 i8, k.1 i8, i.2 i8, k.3 i8, l.4 i8, y.5 i8, y.6 i8, other.7 i8, l.8 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of z y, or from row to row
  8 points of range 1 a thread, whose reductions run together
  loop 0 in -1, points: n
  loop 1 in 0, points: m
  loop 2 in -1, points: n
  loop 3 in 2, points: m
  loop 4 in 3, reduction: q
  work by loops 2 3, 4 integer
  work by loops 2 3 4, 4 integer
  1 loads of z, by loops 1: 1 in 0 of 1
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of y, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of x, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 2 4: 1 in 0 of 2, 1 in 1 of 4
  1 stores of y, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  each element
    spread i.0 in 0..n, k.1 in 0..m
      y[i.0, k.1] = z[k.1]
    sync blocks spread i.2 in 0..n, k.3 in 0..m
      y.5 = y[i.2, k.3]
      y.5 = y.5 + x[i.2, 0]
      y.6 = 0
      each l.8 in 0..q to y.6
        y.6 = y.6 + (x[i.2, l.8] * k.3)
      join
        y.6 = y.6 + other.7
      y.5 = y.5 + y.6
      y[i.2, k.3] = y.5

0copy: int64(int64)
  as  gufunc_merged_twice_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x
