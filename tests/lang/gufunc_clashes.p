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
  work by loops 1, 76 integer
  work by loops, 8 integer
  work by loops 3 4, 4 integer
  work by loops 5 6
  work by loops 5, 4 integer
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
  work by loops 1 2
  work by loops 1, 4 integer
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
  work by loops 1, 156 integer
  work by loops, 8 integer
  work by loops 3, 38 integer
  work by loops 3 4, 4 integer
  work by loops 5, 38 integer
  work by loops 5 6
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
  work by loops 1, 38 integer
  work by loops 1 2
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

crossing: int64(int64, int64, int64, int64, int64)
  as  gufunc_clashes_crossing_i8_i8i8i8i8i8_stored
  in  p i8, c i8, d i8, u i8, v i8
  out y i8, stored i8
  var k.0 i8, j.1 i8, l.2 i8, i.3 i8, a.4 i8, b.5 i8, k.6 i8, at.7 i8, at.8 i8, at.9 i8, i.10 i8,
      a.11 i8, b.12 i8, k.13 i8
  a thread, a warp or a block a call, or threads a point, in 4 phases
  2 neighbours a thread, where side by side are elements of y, or from row to row
  2 neighbours a thread, where side by side are elements of stored, or from row to row
  or a sweep over rows, in 2 phases from phase 0 on
  loop 0 in -1, points: m
  loop 1 in 0, points: m
  loop 2 in 1, points: r
  loop 3 in -1, points: m
  loop 4 in 3, points: m
  loop 5 in 4, points: r
  loop 6 in -1, points: n
  loop 7 in 6, points: ?
  loop 8 in -1, points: n
  loop 9 in 8, points: ?
  work by loops 6 7, 8 integer
  work by loops 8 9, 4 integer
  1 stores of y, by loops 0 1 2: 1 in 0 of 0, 1 in 1 of 1, 1 in 2 of 2
  1 stores of stored, by loops 3 4 5: 1 in 0 of 3, 1 in 1 of 4, 1 in 2 of 5
  1 loads of c, by loops 6: 1 in 0 of 6
  1 loads of d, by loops 6: 1 in 0 of 6
  1 loads of stored, by loops 6 7: 1 in 0 of 7, irregular
  1 stores of stored, by loops 6 7: 1 in 0 of 7, irregular
  1 loads of stored, by loops 6 7: 1 in 1 of 7, irregular
  1 stores of stored, by loops 6 7: 1 in 1 of 7, irregular
  1 loads of c, by loops 8: 1 in 0 of 8
  1 loads of d, by loops 8: 1 in 0 of 8
  1 loads of stored, by loops 8 9: 1 in 0 of 9, irregular
  1 stores of y, by loops 8 9: 1 in 0 of 9, irregular
  1 loads of stored, by loops 8 9: 1 in 1 of 9, irregular
  1 stores of y, by loops 8 9: 1 in 1 of 9, irregular
  each element
    spread k.0 in 0..m, j.1 in 0..m, l.2 in 0..r
      y[k.0, j.1, l.2] = -1
    spread at.7 in 0..m, at.8 in 0..m, at.9 in 0..r
      stored[at.7, at.8, at.9] = -9223372036854775808
    sync blocks spread i.10 in 0..n
      a.11 = c[i.10]
      b.12 = d[i.10]
      each k.13 in p[i.10]..p[i.10 + 1]
        stored[k.13, a.11, b.12] = max(stored[k.13, a.11, b.12], i.10)
        stored[a.11, k.13, b.12 + 1] = max(stored[a.11, k.13, b.12 + 1], i.10)
    sync blocks spread i.3 in 0..n
      a.4 = c[i.3]
      b.5 = d[i.3]
      each k.6 in p[i.3]..p[i.3 + 1]
        if stored[k.6, a.4, b.5] == i.3
          y[k.6, a.4, b.5] = 2 * i.3
        if stored[a.4, k.6, b.5 + 1] == i.3
          y[a.4, k.6, b.5 + 1] = (2 * i.3) + 1

crossing: int64(int64, int64, int64, int64, int64)
  as  gufunc_clashes_crossing_i8_i8i8i8i8i8
  in  p i8, c i8, d i8, u i8, v i8
  out y i8
  var k.0 i8, j.1 i8, l.2 i8, i.3 i8, a.4 i8, b.5 i8, k.6 i8, bin.7 i8, bin.8 i8, bin.9 i8, y.10 i8,
      term.11 i8, key.12 i8, key.13 i8, length.14 i8, turn.15 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of y, or from row to row
  loop 0 in -1, points: m
  loop 1 in 0, points: m
  loop 2 in 1, points: r
  loop 3 in -1, serial: n
  loop 4 in 3, points: ?
  1 stores of y, by loops 0 1 2: 1 in 0 of 0, 1 in 1 of 1, 1 in 2 of 2
  1 loads of c, by loops 3: 1 in 0 of 3
  1 loads of d, by loops 3: 1 in 0 of 3
  1 stores of y, by loops 3 4: 1 in 0 of 4, irregular
  1 stores of y, by loops 3 4: 1 in 1 of 4, irregular
  each element
    spread k.0 in 0..m, j.1 in 0..m, l.2 in 0..r
      y[k.0, j.1, l.2] = -1
    for i.3 in 0..n, dealt out to bins of y
      a.4 = c[i.3]
      b.5 = d[i.3]
      for k.6 in p[i.3]..p[i.3 + 1]
        y[k.6, a.4, b.5] = 2 * i.3
        y[a.4, k.6, b.5 + 1] = (2 * i.3) + 1
      shared as
        sync blocks spread k.6 in p[i.3]..p[i.3 + 1]
          y[k.6, a.4, b.5] = 2 * i.3
          y[a.4, k.6, b.5 + 1] = (2 * i.3) + 1

steps: int64(int64, int64, int64, int64)
  as  gufunc_clashes_steps_i8_i8i8i8i8_stored
  in  p i8, d i8, r i8, e i8
  out y i8, stored i8
  var k.0 i8, j.1 i8, i.2 i8, k.3 i8, j.4 i8, at.5 i8, at.6 i8, i.7 i8, k.8 i8, j.9 i8
  a thread, a warp or a block a call, or threads a point, in 4 phases
  2 neighbours a thread, where side by side are elements of y, or from row to row
  2 neighbours a thread, where side by side are elements of stored, or from row to row
  or a sweep over rows, in 2 phases from phase 0 on
  loop 0 in -1, points: t
  loop 1 in 0, points: m
  loop 2 in -1, points: t
  loop 3 in 2, points: m
  loop 4 in -1, points: n
  loop 5 in 4, points: ?
  loop 6 in 5, serial: m
  loop 7 in -1, points: n
  loop 8 in 7, points: ?
  loop 9 in 8, serial: m
  work by loops 4 5 6, 4 integer
  work by loops 6, 4 integer
  work by loops 7 8 9, 2 integer
  work by loops 9, 36 integer
  work by loops 7 9
  work by loops 7, 4 integer
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of stored, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  2 loads of r, by loops 6: 1 in 0 of 6
  1 loads of stored, by loops 4 5 6: 1 in 0 of 5, irregular
  1 stores of stored, by loops 4 5 6: 1 in 0 of 5, irregular
  2 loads of r, by loops 9: 1 in 0 of 9
  1 loads of stored, by loops 7 8 9: 1 in 0 of 8, irregular
  1 loads of d, by loops 7: 1 in 0 of 7
  1 stores of y, by loops 7 8 9: 1 in 0 of 8, irregular
  each element
    spread k.0 in 0..t, j.1 in 0..m
      y[k.0, j.1] = -1
    spread at.5 in 0..t, at.6 in 0..m
      stored[at.5, at.6] = -9223372036854775808
    sync blocks spread i.7 in 0..n
      each k.8 in p[i.7]..p[i.7 + 1]
        for j.9 in 0..m
          stored[k.8, r[j.9] // 2] = max(stored[k.8, r[j.9] // 2], (i.7 * m) + j.9)
    sync blocks spread i.2 in 0..n
      each k.3 in p[i.2]..p[i.2 + 1]
        for j.4 in 0..m
          if stored[k.3, r[j.4] // 2] == ((i.2 * m) + j.4)
            y[k.3, r[j.4] // 2] = (100 * d[i.2]) + j.4

steps: int64(int64, int64, int64, int64)
  as  gufunc_clashes_steps_i8_i8i8i8i8
  in  p i8, d i8, r i8, e i8
  out y i8
  var k.0 i8, j.1 i8, i.2 i8, k.3 i8, j.4 i8, entry.5 i8, bin.6 i8, bin.7 i8, y.8 i8, term.9 i8,
      key.10 i8, length.11 i8, turn.12 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of y, or from row to row
  loop 0 in -1, points: t
  loop 1 in 0, points: m
  loop 2 in -1, serial: n
  loop 3 in 2, points: ?
  loop 4 in 3, serial: m
  work by loops 2 4
  work by loops 2, 4 integer
  work by loops 4, 18 integer
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of d, by loops 2: 1 in 0 of 2
  1 loads of r, by loops 4: 1 in 0 of 4
  1 stores of y, by loops 2 3 4: 1 in 0 of 3, irregular
  each element
    spread k.0 in 0..t, j.1 in 0..m
      y[k.0, j.1] = -1
    sync blocks for i.2 in 0..n, dealt out to bins of y
      for k.3 in p[i.2]..p[i.2 + 1]
        for j.4 in 0..m
          y[k.3, r[j.4] // 2] = (100 * d[i.2]) + j.4
      shared as
        sync row k.3 spread k.3 in p[i.2]..p[i.2 + 1]
          for j.4 in 0..m
            y[k.3, r[j.4] // 2] = (100 * d[i.2]) + j.4

0copy: int64(int64)
  as  gufunc_clashes_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x
