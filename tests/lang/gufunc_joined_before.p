ranks: int32(float32)
  as  gufunc_joined_before_ranks_i4_f4
  in  x f4
  out r i4
  var i.0 i8, i.1 i8, j.2 i8, r.3 i4, r.4 i4, other.5 i4, j.6 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  8 points of range 0 a thread, whose reductions run together
  loop 0 in -1, points: n
  loop 1 in 0, reduction: n
  work by loops 0 1, 2 integer
  work by loops 0, 1 integer
  1 loads of x, by loops 1: 1 in 0 of 1
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of r, by loops 0: 1 in 0 of 0
  each element
    spread i.1 in 0..n
      r.3 = 0
      r.4 = 0
      each j.6 in 0..n to r.4
        if x[j.6] < x[i.1]
          r.4 = r.4 + 1
      join
        r.4 = r.4 + other.5
      r.3 = r.3 + r.4
      r[i.1] = r.3

rows: (int32, int32)(int32, int32)
  as  gufunc_joined_before_rows_i4i4_i4i4_stacked
  in  a i4, x i4
  out s i4, top i4
  var i.0 i8, i.1 i8, j.2 i8, call.3 i8, s.4 i4, top.5 i4, s.6 i4, other.7 i4, top.8 i4, other.9 i4,
      j.10 i8
  hosts go in it, and no GPU
  a thread, a warp or a block a call, or threads a point, in 2 phases
  4 neighbours a thread, where side by side are elements of s top
  8 points of range 0 a thread, whose reductions run together
  or 4 of range 0 by 4 of range 1
  or tiles of results, 8 x 4 a thread, of parts of a[i.1, j.10], x[call.3, j.10] in shared memory
  or bands of rows, in all phases
  loop 0 in -1, points: calls
  loop 1 in 0, points: m
  loop 2 in -1, points: calls
  loop 3 in 2, points: m
  loop 4 in 3, reduction: n
  work by loops 1, 2 integer
  work by loops 2 3 4, 1 integer
  work by loops 3 4, 3 integer
  work by loops 2 3, 3 integer
  1 stores of s, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of top, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of s, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of top, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  2 loads of a, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 loads of x, by loops 2 4: 1 in 0 of 2, 1 in 1 of 4
  1 stores of s, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 stores of top, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  each element
    spread call.3 in 0..calls, i.0 in 0..m
      s[call.3, i.0] = where(i.0 == 0, 10, 0)
      top[call.3, i.0] = where(i.0 == 0, 1, 9)
    sync blocks spread call.3 in 0..calls, i.1 in 0..m
      s.4 = s[call.3, i.1]
      top.5 = top[call.3, i.1]
      s.6 = 0
      top.8 = -2147483648
      each j.10 in 0..n to s.6, top.8
        s.6 = s.6 + (a[i.1, j.10] * x[call.3, j.10])
        top.8 = max(top.8, a[i.1, j.10] * 3)
      join
        s.6 = s.6 + other.7
        top.8 = max(top.8, other.9)
      s.4 = s.4 + s.6
      top.5 = max(top.5, top.8)
      s[call.3, i.1] = s.4
      top[call.3, i.1] = top.5

rows: (int32, int32)(int32, int32)
  as  gufunc_joined_before_rows_i4i4_i4i4
  in  a i4, x i4
  out s i4, top i4
  var i.0 i8, i.1 i8, j.2 i8, s.3 i4, top.4 i4, s.5 i4, other.6 i4, top.7 i4, other.8 i4, j.9 i8,
      row.10 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  4 neighbours a thread, where side by side are elements of s top
  8 points of range 0 a thread, whose reductions run together
  or tiles of results, 8 x 4 a thread, of parts of a[i.1, j.9], x[j.9] in shared memory
  or bands of rows, in all phases
  loop 0 in -1, points: m
  loop 1 in -1, points: m
  loop 2 in 1, reduction: n
  work by loops 0, 2 integer
  work by loops 1 2, 4 integer
  work by loops 1, 3 integer
  1 stores of s, by loops 0: 1 in 0 of 0
  1 stores of top, by loops 0: 1 in 0 of 0
  1 loads of s, by loops 1: 1 in 0 of 1
  1 loads of top, by loops 1: 1 in 0 of 1
  2 loads of a, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 loads of x, by loops 2: 1 in 0 of 2
  1 stores of s, by loops 1: 1 in 0 of 1
  1 stores of top, by loops 1: 1 in 0 of 1
  each element
    spread i.0 in 0..m
      s[i.0] = where(i.0 == 0, 10, 0)
      top[i.0] = where(i.0 == 0, 1, 9)
    sync blocks spread i.1 in 0..m
      s.3 = s[i.1]
      top.4 = top[i.1]
      s.5 = 0
      top.7 = -2147483648
      each j.9 in 0..n to s.5, top.7
        s.5 = s.5 + (a[i.1, j.9] * x[j.9])
        top.7 = max(top.7, a[i.1, j.9] * 3)
      join
        s.5 = s.5 + other.6
        top.7 = max(top.7, other.8)
      s.3 = s.3 + s.5
      top.4 = max(top.4, top.7)
      s[i.1] = s.3
      top[i.1] = top.4

product: int64(int64, int64)
  as  gufunc_joined_before_product_i8_i8i8
  in  a i8, b i8
  out c i8
  var i.0 i8, j.1 i8, i.2 i8, j.3 i8, q.4 i8, c.5 i8, c.6 i8, other.7 i8, q.8 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  8 points of range 0 a thread, whose reductions run together
  or 4 of range 0 by 4 of range 1
  or tiles of results, 8 x 8 a thread, of parts of a[i.2, q.8], b[q.8, j.3] in shared memory
  loop 0 in -1, points: m
  loop 1 in 0, points: n
  loop 2 in 1, reduction: k
  work by loops 0 1 2, 4 integer
  work by loops 0 1, 2 integer
  1 loads of a, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  1 loads of b, by loops 1 2: 1 in 0 of 2, 1 in 1 of 1
  1 stores of c, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  each element
    spread i.2 in 0..m, j.3 in 0..n
      c.5 = 0
      c.6 = 0
      each q.8 in 0..k to c.6
        c.6 = c.6 + (a[i.2, q.8] * b[q.8, j.3])
      join
        c.6 = c.6 + other.7
      c.5 = c.5 + c.6
      c[i.2, j.3] = c.5

beyond: int32(int32, int8, int8)
  as  gufunc_joined_before_beyond_i4_i4i1i1
  in  x i4, u i1, z i1
  out y i4
  var i.0 i8, i.1 i8, j.2 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  4 neighbours a thread, where side by side are elements of y
  loop 0 in -1, points: m
  loop 1 in -1, points: n
  loop 2 in 1, points: k
  work by loops 1, 2 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 1: 1 in 0 of 1
  2 loads of x, by loops 1: 1 in 0 of 1
  1 stores of y, by loops 1: 1 in 0 of 1
  each element
    spread i.0 in 0..m
      y[i.0] = 1
    sync blocks spread i.1 in 0..n, j.2 in 0..k
      if i.1 < m
        y[i.1] = y[i.1] + ((x[i.1] - x[i.1]) + 1)

meeting: int32(int32, int8)
  as  gufunc_joined_before_meeting_i4_i4i1
  in  a i4, u i1
  out y i4
  var i.0 i8, q.1 i8, i.2 i8, j.3 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  4 neighbours a thread, where side by side are elements of y
  loop 0 in -1, points: k
  loop 1 in -1, points: m
  loop 2 in 1, points: k
  loop 3 in 2, points: n
  work by loops 1 2 3, 1 integer
  work by loops 2
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 2: 1 in 0 of 2
  1 loads of a, by loops 1 3: 1 in 0 of 1, 1 in 1 of 3
  1 stores of y, by loops 2: 1 in 0 of 2
  each element
    spread i.0 in 0..k
      y[i.0] = 0
    sync blocks spread q.1 in 0..m, i.2 in 0..k, j.3 in 0..n
      y[i.2] = y[i.2] + (a[q.1, j.3] * i4(i.2 + 1))

more: (int32, int32)(int32)
  as  gufunc_joined_before_more_i4i4_i4
  in  x i4
  out y i4, z i4
  var i.0 i8, i.1 i8, j.2 i8, y.3 i4, z.4 i4
  a thread, a warp or a block a call, or threads a point, in 1 phase
  4 points of range 0 a thread, whose loops run together
  loop 0 in -1, points: n
  loop 1 in 0, serial: n
  work by loops 1, 12 integer
  work by loops 0 1, 11 integer
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of z, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  each element
    spread i.1 in 0..n
      y.3 = 1
      z.4 = 1
      for j.2 in 0..n
        y.3 = y.3 + x[j.2]
        if y.3 > 6
          y.3 = (y.3 % 7) + 6
        z.4 = ((z.4 * 2) % 7) + i4(i.1 * j.2)
      z[i.1] = z.4
      y[i.1] = y.3

0copy: int8(int8)
  as  gufunc_joined_before_0copy_i1_i1
  in  x i1
  out out i1
  each element
    store out = x

0copy: int32(int32)
  as  gufunc_joined_before_0copy_i4_i4
  in  x i4
  out out i4
  each element
    store out = x

0copy: int64(int64)
  as  gufunc_joined_before_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float32(float32)
  as  gufunc_joined_before_0copy_f4_f4
  in  x f4
  out out f4
  each element
    store out = x
