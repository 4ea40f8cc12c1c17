beside: float32(float32, float32)
  as  gufunc_point_cells_beside_beside_f4_f4f4_stored
  in  x f4, z f4
  out y f4
  var i.0 i8, i.1 i8, t.2 i8, q.3 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  4 neighbours a thread, where side by side are elements of z y
  loop 0 in -1, points: n
  loop 1 in -1, points: n
  loop 2 in 1, serial: m
  loop 3 in 2, serial: 2
  work by loops 1 2 3, 2 float32
  work by loops 1, 1 float32, 1 special
  1 loads of z, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 1: 1 in 0 of 1
  1 loads of x, by loops 2: 1 in 0 of 2
  2 stores of y, by loops 1: 1 in 0 of 1
  each element
    spread i.0 in 0..n
      y[i.0] = z[i.0]
    sync blocks spread i.1 in 0..n
      for t.2 in 0..m
        for q.3 in 0..2
          if i.1 < (n - 1)
            if (i.1 % 2) == 0
              y[i.1] = (y[i.1] * 0.5) + x[t.2]
      if ((i.1 % 2) == 0) and (i.1 < (n - 1))
        y[i.1 + 1] = 3.0 + f4(i.1)

beside: float32(float32, float32)
  as  gufunc_point_cells_beside_beside_f4_f4f4
  in  x f4, z f4
  out y f4
  var i.0 i8, i.1 i8, t.2 i8, q.3 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  4 neighbours a thread, where side by side are elements of z y
  loop 0 in -1, points: n
  loop 1 in -1, points: n
  loop 2 in 1, serial: m
  loop 3 in 2, serial: 2
  work by loops 1 2 3, 2 float32
  work by loops 1, 1 float32, 1 special
  1 loads of z, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 1: 1 in 0 of 1
  1 loads of x, by loops 2: 1 in 0 of 2
  2 stores of y, by loops 1: 1 in 0 of 1
  longest chain: 16 m
  each element
    spread i.0 in 0..n
      y[i.0] = z[i.0]
    sync blocks spread i.1 in 0..n
      if i.1 < (n - 1)
        for t.2 in 0..m
          for q.3 in 0..2
            if (i.1 % 2) == 0
              y[i.1] = (y[i.1] * 0.5) + x[t.2]
      if ((i.1 % 2) == 0) and (i.1 < (n - 1))
        y[i.1 + 1] = 3.0 + f4(i.1)

both: (float32, float32)(float32)
  as  gufunc_point_cells_beside_both_f4f4_f4_calls
  in  x f4
  out y f4, z f4
  var i.0 i8, i.1 i8, i.2 i8, t.3 i8, q.4 i8, y.5 f4, z.6 f4
  one thread a call
  loop 0 in -1, serial: m
  loop 1 in 0, serial: 2
  work by loops 0 1, 4 float32, 1 integer
  work by loops 1, 1 special
  work by loops, 1 float32
  1 loads of x, by loops
  1 loads of x, by loops
  2 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops
  1 stores of z, by loops
  each element
    y.5 = x[0]
    z.6 = x[m - 1]
    alone for t.3 in 0..m
      alone for q.4 in 0..2
        alone if x[t.3] > f4(q.4)
          alone y.5 = (y.5 * 0.5) + x[t.3]
          alone z.6 = (z.6 * 0.25) + y.5
    y.5 = y.5 + z.6
    y[] = y.5
    z[] = z.6

both: (float32, float32)(float32)
  as  gufunc_point_cells_beside_both_f4f4_f4
  in  x f4
  out y f4, z f4
  var i.0 i8, i.1 i8, i.2 i8, t.3 i8, q.4 i8, y.5 f4, z.6 f4, y.7 f4, z.8 f4
  a thread, a warp or a block a call, or threads a point, in 2 phases
  4 neighbours a thread, where side by side are elements of y z
  loop 0 in -1, points: n
  loop 1 in -1, points: n
  loop 2 in 1, serial: m
  loop 3 in 2, serial: 2
  work by loops 1 2 3, 4 float32, 1 integer
  work by loops 3, 1 special
  work by loops 1, 1 float32
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of z, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 1: 1 in 0 of 1
  1 loads of z, by loops 1: 1 in 0 of 1
  2 loads of x, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 stores of y, by loops 1: 1 in 0 of 1
  1 stores of z, by loops 1: 1 in 0 of 1
  each element
    spread i.0 in 0..n
      y[i.0] = x[i.0, 0]
      z[i.0] = x[i.0, m - 1]
    sync blocks spread i.2 in 0..n
      y.5 = y[i.2]
      z.6 = z[i.2]
      for t.3 in 0..m
        for q.4 in 0..2
          if x[i.2, t.3] > f4(q.4)
            y.5 = (y.5 * 0.5) + x[i.2, t.3]
            z.6 = (z.6 * 0.25) + y.5
      y.5 = y.5 + z.6
      y[i.2] = y.5
      z[i.2] = z.6

0copy: float32(float32)
  as  gufunc_point_cells_beside_0copy_f4_f4
  in  x f4
  out out f4
  each element
    store out = x
