labels: (int32, int32)(bool)
  as  gufunc_nest_states_labels_i4i4_b1_stored
  in  x b1
  out y i4, total i4, stored i4
  var next.0 i4, i.1 i8, j.2 i8, either.3 b1, y.4 i4, at.5 i8, next.6 i4, other.7 i4, next.8 i4,
      other.9 i4, at.10 i8, either.11 b1, next.12 i4, y.13 i4, either.14 b1, next.15 i4,
      either.16 b1
  a thread, a warp or a block a call, or threads a point, in 2 phases
  loop 0 in -1, points: m n * 0 - 0 max
  work by loops 0, 14 integer
  6 loads of x, by loops 0, irregular
  1 stores of y, by loops 0, irregular
  1 stores of stored, by loops
  1 loads of stored, by loops
  1 stores of total, by loops
  each element
    next.0 = 0
    next.6 = 0
    next.8 = 0
    scan at.10 in 0..(m * n) to next.8
      next.12 = next.0 + next.8
      if not x[at.10 // n, at.10 % n]
        y.13 = 0
      else
        either.14 = (at.10 % n) == 0
        if not either.14
          either.14 = not x[at.10 // n, (at.10 % n) - 1]
        if either.14
          next.12 = next.12 + 1
        y.13 = next.12
      y[at.10 // n, at.10 % n] = y.13
      if (at.10 + 1) == (m * n)
        next.15 = next.0 + next.8
        if not x[at.10 // n, at.10 % n]
        else
          either.16 = (at.10 % n) == 0
          if not either.16
            either.16 = not x[at.10 // n, (at.10 % n) - 1]
          if either.16
            next.15 = next.15 + 1
        stored[] = next.15
      if not x[at.10 // n, at.10 % n]
      else
        either.11 = (at.10 % n) == 0
        if not either.11
          either.11 = not x[at.10 // n, (at.10 % n) - 1]
        if either.11
          next.8 = next.8 + 1
    join
      next.8 = next.8 + other.9
    if 0 < (m * n)
      sync blocks next.0 = stored[]
    total[] = next.0

labels: (int32, int32)(bool)
  as  gufunc_nest_states_labels_i4i4_b1
  in  x b1
  out y i4, total i4
  var next.0 i4, i.1 i8, j.2 i8, either.3 b1, y.4 i4
  one thread a call
  loop 0 in -1, serial: m
  loop 1 in 0, serial: n
  work by loops 0 1, 4 integer
  2 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of total, by loops
  each element
    next.0 = 0
    for i.1 in 0..m
      for j.2 in 0..n
        if not x[i.1, j.2]
          y.4 = 0
        else
          either.3 = j.2 == 0
          if not either.3
            either.3 = not x[i.1, j.2 - 1]
          if either.3
            next.0 = next.0 + 1
          y.4 = next.0
        y[i.1, j.2] = y.4
    total[] = next.0

found: (int32, int32, int64)(int32)
  as  gufunc_nest_states_found_i4i4i8_i4_stored
  in  x i4
  out row i4, col i4, count i8, stored i8
  var k.0 i8, c.1 i8, i.2 i8, j.3 i8, k.4 i8, at.5 i8, at.6 i8, c.7 i4, other.8 i4, c.9 i8,
      other.10 i8, at.11 i8, c.12 i8, c.13 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  4 neighbours a thread, where side by side are elements of row col
  loop 0 in -1, points: m n * 2 * 0 - 0 max
  loop 1 in -1, points: m n * 2 * 0 - 0 max
  work by loops 1, 38 integer
  1 stores of row, by loops 0: 1 in 0 of 0
  1 stores of col, by loops 0: 1 in 0 of 0
  3 loads of x, by loops 1, irregular
  1 stores of row, by loops 1, irregular
  1 stores of col, by loops 1, irregular
  1 stores of stored, by loops
  1 loads of stored, by loops
  1 stores of count, by loops
  each element
    spread k.0 in 0..((m * n) * 2)
      row[k.0] = -1
      col[k.0] = -1
    c.1 = 0
    c.7 = 0
    c.9 = 0
    sync blocks scan at.11 in 0..((m * n) * 2) to c.9
      c.12 = c.1 + c.9
      if (x[(at.11 // 2) // n, (at.11 // 2) % n, at.11 % 2] % 3) == 1
        row[c.12] = i4((at.11 // 2) // n)
        col[c.12] = i4((2 * ((at.11 // 2) % n)) + (at.11 % 2))
      if (at.11 + 1) == ((m * n) * 2)
        c.13 = c.1 + c.9
        if (x[(at.11 // 2) // n, (at.11 // 2) % n, at.11 % 2] % 3) == 1
          c.13 = c.13 + 1
        stored[] = c.13
      if (x[(at.11 // 2) // n, (at.11 // 2) % n, at.11 % 2] % 3) == 1
        c.9 = c.9 + 1
    join
      c.9 = c.9 + other.10
    if 0 < ((m * n) * 2)
      sync blocks c.1 = stored[]
    count[] = c.1

found: (int32, int32, int64)(int32)
  as  gufunc_nest_states_found_i4i4i8_i4
  in  x i4
  out row i4, col i4, count i8
  var k.0 i8, c.1 i8, i.2 i8, j.3 i8, k.4 i8
  one thread a call
  loop 0 in -1, points: m n * 2 * 0 - 0 max
  loop 1 in -1, serial: m
  loop 2 in 1, serial: n
  loop 3 in 2, serial: 2
  work by loops 1 2 3, 12 integer
  work by loops 1
  work by loops 2 3
  1 stores of row, by loops 0: 1 in 0 of 0
  1 stores of col, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1 2 3: 1 in 0 of 1, 1 in 1 of 2, 1 in 2 of 3
  1 stores of row, by loops 1 2 3, irregular
  1 stores of col, by loops 1 2 3, irregular
  1 stores of count, by loops
  each element
    for k.0 in 0..((m * n) * 2)
      row[k.0] = -1
      col[k.0] = -1
    shared as
      spread k.0 in 0..((m * n) * 2)
        row[k.0] = -1
        col[k.0] = -1
    c.1 = 0
    sync blocks alone for i.2 in 0..m
      alone for j.3 in 0..n
        alone for k.4 in 0..2
          alone if (x[i.2, j.3, k.4] % 3) == 1
            row[c.1] = i4(i.2)
            col[c.1] = i4((2 * j.3) + k.4)
            alone c.1 = c.1 + 1
    count[] = c.1

lower: (int64, int64)(int64)
  as  gufunc_nest_states_lower_i8i8_i8_stored
  in  x i8
  out y i8, last i8, stored i8
  var c.0 i8, i.1 i8, j.2 i8, i.3 i8, j.4 i8, single.5 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  2 neighbours a thread, where side by side are elements of y, or from row to row
  loop 0 in -1, points: n
  loop 1 in 0, points: n
  loop 2 in -1, points: 1
  loop 3 in 2, serial: n
  loop 4 in 3, serial: 0 n + 2 // 1 + 0 - 0 max
  work by loops 2 3 4, 6 integer
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of x, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 stores of y, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 stores of stored, by loops
  1 loads of stored, by loops
  1 stores of last, by loops
  each element
    c.0 = 0
    spread i.1 in 0..n, j.2 in 0..n
      y[i.1, j.2] = 0
    sync blocks spread single.5 in 0..1
      c.0 = 0
      for i.3 in 0..n
        for j.4 in 0..(i.3 + 1)
          c.0 = max(c.0 + 1, x[i.3, j.4])
          y[i.3, j.4] = c.0
      stored[] = c.0
    sync blocks last[] = stored[]

lower: (int64, int64)(int64)
  as  gufunc_nest_states_lower_i8i8_i8
  in  x i8
  out y i8, last i8
  var c.0 i8, i.1 i8, j.2 i8, i.3 i8, j.4 i8
  one thread a call
  loop 0 in -1, points: n
  loop 1 in 0, points: n
  loop 2 in -1, serial: n
  loop 3 in 2, serial: 0 n + 2 // 1 + 0 - 0 max
  work by loops 2 3, 6 integer
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of x, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 stores of y, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 stores of last, by loops
  each element
    c.0 = 0
    for i.1 in 0..n
      for j.2 in 0..n
        y[i.1, j.2] = 0
    shared as
      spread i.1 in 0..n, j.2 in 0..n
        y[i.1, j.2] = 0
    sync blocks for i.3 in 0..n
      for j.4 in 0..(i.3 + 1)
        c.0 = max(c.0 + 1, x[i.3, j.4])
        y[i.3, j.4] = c.0
    last[] = c.0

0copy: bool(bool)
  as  gufunc_nest_states_0copy_b1_b1
  in  x b1
  out out b1
  each element
    store out = x

0copy: int32(int32)
  as  gufunc_nest_states_0copy_i4_i4
  in  x i4
  out out i4
  each element
    store out = x

0copy: int64(int64)
  as  gufunc_nest_states_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x
