rows: int64(int64, int64, int64, int64)
  as  gufunc_clashes_rows_i8_i8i8i8i8_stored
  in  p i8, d i8, x i8, s i8
  out y i8, stored i8
  var k.0 i8, i.1 i8, k.2 i8, at.3 i8, i.4 i8, k.5 i8, clashes.6 i8, i.7 i8, own.8 b1, i.9 i8,
      clashes.10 i8, other.11 i8, i.12 i8, single.13 i8
  a thread, a warp or a block a call, or threads a point, in 5 phases
  2 neighbours a thread, where side by side are elements of y
  loop 0 in -1, points: e
  loop 1 in -1, reduction: n
  loop 2 in -1, points: e
  loop 3 in -1, points: n
  loop 4 in 3, points: ?
  loop 5 in -1, points: n
  loop 6 in 5, points: ?
  work by loops 1, 72 integer
  work by loops, 9 integer
  work by loops 3 4, 4 integer
  work by loops 5 6, 2 integer
  work by loops 5, 2 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  4 loads of p, by loops 1: 1 in 0 of 1
  1 loads of stored, by loops 3 4: 1 in 0 of 4, irregular
  1 stores of stored, by loops 3 4: 1 in 0 of 4, irregular
  1 loads of x, by loops 5 6: 1 in 0 of 6, irregular
  1 loads of d, by loops 5: 1 in 0 of 5
  1 stores of y, by loops 5 6: 1 in 0 of 6, irregular
  each element
    spread k.0 in 0..e
      y[k.0] = -1
    clashes.6 = 0
    clashes.10 = 0
    spread i.12 in 0..n to clashes.10
      clashes.10 = clashes.10 + i8(((p[i.12] * p[i.12]) % s) > ((p[i.12 + 1] * p[i.12 + 1]) % s))
    join
      clashes.10 = clashes.10 + other.11
    clashes.6 = clashes.6 + clashes.10
    spread at.3 in 0..e
      if clashes.6 != 0
        stored[at.3] = -9223372036854775808
    sync blocks spread i.4 in 0..n
      each k.5 in ((p[i.4] * p[i.4]) % s)..where(clashes.6 != 0, (p[i.4 + 1] * p[i.4 + 1]) % s, (p[i.4] * p[i.4]) % s)
        stored[k.5] = max(stored[k.5], i.4)
    sync blocks spread i.1 in 0..n
      each k.2 in ((p[i.1] * p[i.1]) % s)..((p[i.1 + 1] * p[i.1 + 1]) % s)
        own.8 = not (clashes.6 != 0)
        if clashes.6 != 0
          own.8 = stored[k.2] == i.1
        if own.8
          y[k.2] = x[k.2] + (100 * d[i.1])

rows: int64(int64, int64, int64, int64)
  as  gufunc_clashes_rows_i8_i8i8i8i8
  in  p i8, d i8, x i8, s i8
  out y i8
  var k.0 i8, i.1 i8, k.2 i8, bin.3 i8, y.4 i8, term.5 i8, key.6 i8, length.7 i8, turn.8 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of y
  loop 0 in -1, points: e
  loop 1 in -1, serial: n
  loop 2 in 1, points: ?
  work by loops 1 2, 2 integer
  work by loops 1, 2 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1 2: 1 in 0 of 2, irregular
  1 loads of d, by loops 1: 1 in 0 of 1
  1 stores of y, by loops 1 2: 1 in 0 of 2, irregular
  each element
    spread k.0 in 0..e
      y[k.0] = -1
    for i.1 in 0..n, dealt out to bins of y
      for k.2 in ((p[i.1] * p[i.1]) % s)..((p[i.1 + 1] * p[i.1 + 1]) % s)
        y[k.2] = x[k.2] + (100 * d[i.1])
      shared as
        sync blocks spread k.2 in ((p[i.1] * p[i.1]) % s)..((p[i.1 + 1] * p[i.1 + 1]) % s)
          y[k.2] = x[k.2] + (100 * d[i.1])

pieces: int64(int64, int64, int64, int64, int64)
  as  gufunc_clashes_pieces_i8_i8i8i8i8i8_stored
  in  begin i8, length i8, x i8, by i8, s i8
  out y i8, stored i8
  var k.0 i8, i.1 i8, first.2 i8, end.3 i8, k.4 i8, at.5 i8, i.6 i8, first.7 i8, end.8 i8, k.9 i8,
      clashes.10 i8, i.11 i8, own.12 b1, i.13 i8, clashes.14 i8, other.15 i8, i.16 i8,
      single.17 i8
  a thread, a warp or a block a call, or threads a point, in 5 phases
  2 neighbours a thread, where side by side are elements of y
  loop 0 in -1, points: e
  loop 1 in -1, reduction: n
  loop 2 in -1, points: e
  loop 3 in -1, points: n
  loop 4 in 3, points: ?
  loop 5 in -1, points: n
  loop 6 in 5, points: ?
  work by loops 1, 148 integer
  work by loops, 9 integer
  work by loops 3, 36 integer
  work by loops 3 4, 4 integer
  work by loops 5, 36 integer
  work by loops 5 6, 2 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  4 loads of begin, by loops 1: 1 in 0 of 1
  2 loads of length, by loops 1: 1 in 0 of 1
  1 loads of begin, by loops 3: 1 in 0 of 3
  1 loads of length, by loops 3: 1 in 0 of 3
  1 loads of stored, by loops 3 4: 1 in 0 of 4, irregular
  1 stores of stored, by loops 3 4: 1 in 0 of 4, irregular
  1 loads of begin, by loops 5: 1 in 0 of 5
  1 loads of length, by loops 5: 1 in 0 of 5
  1 loads of x, by loops 5 6: 1 in 0 of 6, irregular
  1 stores of y, by loops 5 6: 1 in 0 of 6, irregular
  each element
    spread k.0 in 0..e
      y[k.0] = -1
    clashes.10 = 0
    clashes.14 = 0
    spread i.16 in 0..n to clashes.14
      clashes.14 = clashes.14 + i8(((begin[i.16] * by) % s) > (((begin[i.16] * by) % s) + length[i.16]))
      if (i.16 + 1) < n
        clashes.14 = clashes.14 + i8((((begin[i.16] * by) % s) + length[i.16]) > ((begin[i.16 + 1] * by) % s))
    join
      clashes.14 = clashes.14 + other.15
    clashes.10 = clashes.10 + clashes.14
    spread at.5 in 0..e
      if clashes.10 != 0
        stored[at.5] = -9223372036854775808
    sync blocks spread i.6 in 0..n
      first.7 = (begin[i.6] * by) % s
      end.8 = first.7 + length[i.6]
      each k.9 in first.7..where(clashes.10 != 0, end.8, first.7)
        stored[k.9] = max(stored[k.9], i.6)
    sync blocks spread i.1 in 0..n
      first.2 = (begin[i.1] * by) % s
      end.3 = first.2 + length[i.1]
      each k.4 in first.2..end.3
        own.12 = not (clashes.10 != 0)
        if clashes.10 != 0
          own.12 = stored[k.4] == i.1
        if own.12
          y[k.4] = x[k.4 - first.2] + (100 * i.1)

pieces: int64(int64, int64, int64, int64, int64)
  as  gufunc_clashes_pieces_i8_i8i8i8i8i8
  in  begin i8, length i8, x i8, by i8, s i8
  out y i8
  var k.0 i8, i.1 i8, first.2 i8, end.3 i8, k.4 i8, bin.5 i8, y.6 i8, term.7 i8, key.8 i8,
      length.9 i8, turn.10 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of y
  loop 0 in -1, points: e
  loop 1 in -1, serial: n
  loop 2 in 1, points: ?
  work by loops 1, 36 integer
  work by loops 1 2, 2 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of begin, by loops 1: 1 in 0 of 1
  1 loads of length, by loops 1: 1 in 0 of 1
  1 loads of x, by loops 1 2: 1 in 0 of 2, irregular
  1 stores of y, by loops 1 2: 1 in 0 of 2, irregular
  each element
    spread k.0 in 0..e
      y[k.0] = -1
    for i.1 in 0..n, dealt out to bins of y
      first.2 = (begin[i.1] * by) % s
      end.3 = first.2 + length[i.1]
      for k.4 in first.2..end.3
        y[k.4] = x[k.4 - first.2] + (100 * i.1)
      shared as
        sync blocks spread k.4 in first.2..end.3
          y[k.4] = x[k.4 - first.2] + (100 * i.1)

0copy: int64(int64)
  as  gufunc_clashes_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x
