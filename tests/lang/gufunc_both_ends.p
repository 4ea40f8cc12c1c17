partition: float32(float32)
  as  gufunc_both_ends_partition_f4_f4_stored
  in  x f4
  out y f4
  var a.0 i8, b.1 i8, i.2 i8, a.3 i4, other.4 i4, a.5 i8, other.6 i8, b.7 i4, other.8 i4, b.9 i8,
      other.10 i8, i.11 i8, a.12 i8, b.13 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, points: n
  work by loops 0, 11 integer
  5 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0, irregular
  1 stores of y, by loops 0, irregular
  each element
    a.0 = 0
    b.1 = 0
    a.3 = 0
    a.5 = 0
    b.7 = 0
    b.9 = 0
    scan i.11 in 0..n to a.5, b.9
      a.12 = a.0 + a.5
      b.13 = b.1 + b.9
      if x[i.11] < 0.0
        y[a.12] = x[i.11]
      else
        y[(n - 1) - b.13] = x[i.11]
      if x[i.11] < 0.0
        a.5 = a.5 + 1
      if x[i.11] < 0.0
      else
        b.9 = b.9 + 1
    join
      a.5 = a.5 + other.6
      b.9 = b.9 + other.10

partition: float32(float32)
  as  gufunc_both_ends_partition_f4_f4
  in  x f4
  out y f4
  var a.0 i8, b.1 i8, i.2 i8
  one thread a call
  loop 0 in -1, serial: n
  work by loops 0, 3 integer
  3 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0, irregular
  1 stores of y, by loops 0, irregular
  each element
    a.0 = 0
    b.1 = 0
    alone for i.2 in 0..n
      alone if x[i.2] < 0.0
        y[a.0] = x[i.2]
        alone a.0 = a.0 + 1
      else
        y[(n - 1) - b.1] = x[i.2]
        alone b.1 = b.1 + 1

halves: (int64, int64)(int64)
  as  gufunc_both_ends_halves_i8i8_i8_stored
  in  x i8
  out y i8, c i8, stored i8
  var a.0 i8, b.1 i8, i.2 i8, a.3 i4, other.4 i4, a.5 i8, other.6 i8, b.7 i4, other.8 i4, b.9 i8,
      other.10 i8, i.11 i8, a.12 i8, b.13 i8, a.14 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  loop 0 in -1, points: n 1 - -1 - 0 max
  work by loops 0, 94 integer
  work by loops, 2 integer
  6 loads of x, by loops 0: -1 in 0 of 0
  2 stores of y, by loops 0, irregular
  1 stores of stored, by loops
  1 loads of stored, by loops
  1 stores of c, by loops
  each element
    a.0 = -1
    b.1 = n
    a.3 = 0
    a.5 = 0
    b.7 = 0
    b.9 = 0
    scan i.11 in (n - 1)..-1..-1 to a.5, b.9
      a.12 = a.0 + a.5
      b.13 = b.1 + b.9
      if (x[i.11] % 2) == 0
        a.12 = a.12 + 1
        y[a.12] = x[i.11]
      else
        b.13 = b.13 - 1
        y[b.13] = x[i.11]
      if (i.11 + -1) == -1
        a.14 = a.0 + a.5
        if (x[i.11] % 2) == 0
          a.14 = a.14 + 1
        stored[] = a.14
      if (x[i.11] % 2) == 0
        a.5 = a.5 + 1
      if (x[i.11] % 2) == 0
      else
        b.9 = b.9 - 1
    join
      a.5 = a.5 + other.6
      b.9 = b.9 + other.10
    if (n - 1) > -1
      sync blocks a.0 = stored[]
    c[] = a.0 + 1

halves: (int64, int64)(int64)
  as  gufunc_both_ends_halves_i8i8_i8
  in  x i8
  out y i8, c i8
  var a.0 i8, b.1 i8, i.2 i8
  one thread a call
  loop 0 in -1, serial: n 1 - -1 - 0 max
  work by loops 0, 22 integer
  work by loops, 2 integer
  3 loads of x, by loops 0: -1 in 0 of 0
  2 stores of y, by loops 0, irregular
  1 stores of c, by loops
  each element
    a.0 = -1
    b.1 = n
    alone for i.2 in (n - 1)..-1..-1
      alone if (x[i.2] % 2) == 0
        alone a.0 = a.0 + 1
        y[a.0] = x[i.2]
      else
        alone b.1 = b.1 - 1
        y[b.1] = x[i.2]
    c[] = a.0 + 1

meeting: (int64, int64)(int64)
  as  gufunc_both_ends_meeting_i8i8_i8
  in  x i8
  out y i8, c i8
  var i.0 i8, a.1 i8, b.2 i8, i.3 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: n
  work by loops 1, 30 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  3 loads of x, by loops 1: 1 in 0 of 1
  2 stores of y, by loops 1, irregular
  1 stores of c, by loops
  each element
    spread i.0 in 0..n
      y[i.0] = -1
    a.1 = 0
    b.2 = 0
    sync blocks alone for i.3 in 0..n
      alone if (x[i.3] % 3) == 0
        y[a.1] = x[i.3]
        alone a.1 = a.1 + 1
      else alone if n > 1
        y[where(((n - 2) - b.2) > 0, (n - 2) - b.2, 0)] = x[i.3]
        alone b.2 = b.2 + 1
    c[] = a.1

crossing: int64(int64)
  as  gufunc_both_ends_crossing_i8_i8
  in  x i8
  out y i8
  var i.0 i8, a.1 i8, b.2 i8, i.3 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: 2 * n
  loop 1 in -1, serial: n
  work by loops 1, 22 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  3 loads of x, by loops 1: 1 in 0 of 1
  1 stores of y, by loops 1, irregular
  1 stores of y, by loops 1, irregular
  each element
    spread i.0 in 0..2 * n
      y[i.0] = -1
    a.1 = n - 1
    b.2 = 0
    sync blocks alone for i.3 in 0..n
      alone if (x[i.3] % 3) == 0
        y[a.1] = x[i.3]
        alone a.1 = a.1 + 1
      else
        y[n - b.2] = x[i.3]
        alone b.2 = b.2 + 1

shifted: (int64, int64)(int64)
  as  gufunc_both_ends_shifted_i8i8_i8
  in  x i8
  out y i8, c i8
  var i.0 i8, q.1 i8, l.2 i8, j.3 i8, r.4 i8, i.5 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: n
  loop 2 in -1, serial: n
  work by loops 1, 2 integer
  work by loops, 2 integer
  work by loops 2, 4 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: 1 in 0 of 1
  3 loads of x, by loops 2: 1 in 0 of 2
  2 stores of y, by loops 2, irregular
  1 stores of c, by loops
  each element
    spread i.0 in 0..n
      y[i.0] = -5
    q.1 = 2
    l.2 = q.1
    alone for j.3 in 0..n
      alone if x[j.3] == 3
        alone q.1 = 0
    r.4 = (q.1 + n) - 1
    sync blocks alone for i.5 in 0..n
      alone if x[i.5] < 2
        y[l.2] = x[i.5]
        alone l.2 = l.2 + 1
      else
        y[r.4] = x[i.5]
        alone r.4 = r.4 - 1
    c[] = l.2

0copy: int64(int64)
  as  gufunc_both_ends_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float32(float32)
  as  gufunc_both_ends_0copy_f4_f4
  in  x f4
  out out f4
  each element
    store out = x
