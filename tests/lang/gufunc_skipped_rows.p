skipped_rows: (float64, int64)(float64, int32)
  as  gufunc_skipped_rows_skipped_rows_f8i8_f8i4_stored
  in  z f8, y i4
  out loss f8, n i8, stored f8, stored f8, stored i8
  var total.0 f8, i.1 i8, top.2 f8, k.3 i8, s.4 f8, k.5 i8, n.6 i8, top.7 f8, other.8 f8, k.9 i8,
      term.10 f8, single.11 i8, stored.12 f8, stored.13 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  loop 0 in -1, points: t
  loop 1 in 0, reduction: v 1 - 0 max
  loop 2 in 0, serial: 8 clocks: v
  loop 3 in -1, points: 1
  loop 4 in 3, serial: t
  work by loops 0, 4 float64, 1 integer
  work by loops 0 1, 2 float64
  work by loops 0 2, 2 float64
  work by loops 3 4, 2 float64, 4 integer
  work by loops 4, 2 integer
  2 loads of y, by loops 0: 1 in 0 of 0
  1 loads of z, by loops 0: 1 in 0 of 0
  1 loads of z, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of z, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  1 loads of z, by loops 0: 1 in 0 of 0, irregular
  1 stores of stored, by loops 0: 1 in 0 of 0
  2 loads of y, by loops 4: 1 in 0 of 4
  1 loads of stored, by loops 4: 1 in 0 of 4
  1 stores of stored, by loops
  1 stores of stored, by loops
  1 loads of stored, by loops
  1 stores of loss, by loops
  1 loads of stored, by loops
  1 stores of n, by loops
  each element
    total.0 = 0.0
    n.6 = 0
    spread i.1 in 0..t
      if not (y[i.1] < 0)
        top.2 = z[i.1, 0]
        top.7 = -inf
        each k.9 in 1..v to top.7
          top.7 = max(top.7, z[i.1, k.9])
        join
          top.7 = max(top.7, other.8)
        top.2 = max(top.2, top.7)
        s.4 = 0.0
        for k.5 in 0..v
          s.4 = s.4 + (z[i.1, k.5] - top.2)
        term.10 = (s.4 + top.2) - z[i.1, i8(y[i.1])]
      else
        term.10 = 0.0
      stored[i.1] = term.10
    sync blocks spread single.11 in 0..1
      total.0 = 0.0
      n.6 = 0
      for i.1 in 0..t, a series of total.0, n.6
        total.0 = where(not (y[i.1] < 0), total.0 + stored[i.1], total.0)
        n.6 = where(not (y[i.1] < 0), n.6 + 1, n.6)
      stored[] = total.0
      stored[] = n.6
    sync blocks loss[] = stored[]
    n[] = stored[]

skipped_rows: (float64, int64)(float64, int32)
  as  gufunc_skipped_rows_skipped_rows_f8i8_f8i4
  in  z f8, y i4
  out loss f8, n i8
  var total.0 f8, i.1 i8, top.2 f8, k.3 i8, s.4 f8, k.5 i8, n.6 i8, top.7 f8, other.8 f8, k.9 i8
  a thread, a warp or a block a call
  loop 0 in -1, serial: t
  loop 1 in 0, reduction: v 1 - 0 max
  loop 2 in 0, serial: 8 clocks: v
  work by loops 0, 5 float64, 3 integer
  work by loops 0 1, 2 float64
  work by loops 0 2, 2 float64
  2 loads of y, by loops 0: 1 in 0 of 0
  1 loads of z, by loops 0: 1 in 0 of 0
  1 loads of z, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of z, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  1 loads of z, by loops 0: 1 in 0 of 0, irregular
  1 stores of loss, by loops
  1 stores of n, by loops
  each element
    total.0 = 0.0
    n.6 = 0
    for i.1 in 0..t
      if not (y[i.1] < 0)
        top.2 = z[i.1, 0]
        top.7 = -inf
        portions spread k.9 in 1..v to top.7
          top.7 = max(top.7, z[i.1, k.9])
        join
          top.7 = max(top.7, other.8)
        top.2 = max(top.2, top.7)
        s.4 = 0.0
        alone for k.5 in 0..v, a series of s.4
          alone s.4 = s.4 + (z[i.1, k.5] - top.2)
        total.0 = total.0 + ((s.4 + top.2) - z[i.1, i8(y[i.1])])
        n.6 = n.6 + 1
    loss[] = total.0
    n[] = n.6

linked_rows: float64(float64, int32)
  as  gufunc_skipped_rows_linked_rows_f8_f8i4
  in  z f8, y i4
  out loss f8
  var total.0 f8, s.1 f8, i.2 i8, k.3 i8
  one thread a call
  loop 0 in -1, serial: t
  loop 1 in 0, serial: 68 clocks: v
  work by loops 0, 1 float64, 1 integer
  work by loops 0 1, 9 float64, 1 special
  1 loads of y, by loops 0: 1 in 0 of 0
  1 loads of z, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of loss, by loops
  each element
    total.0 = 0.0
    s.1 = 0.0
    alone for i.2 in 0..t
      alone if y[i.2] >= 0
        alone for k.3 in 0..v
          alone s.1 = (s.1 / 2.0) + z[i.2, k.3]
        alone total.0 = total.0 + s.1
    loss[] = total.0

0copy: int32(int32)
  as  gufunc_skipped_rows_0copy_i4_i4
  in  x i4
  out out i4
  each element
    store out = x

0copy: int64(int64)
  as  gufunc_skipped_rows_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_skipped_rows_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
