rows: float64(int64, float64, int8)
  as  gufunc_rows_by_key_rows_f8_i8f8i1_stored
  in  key i8, x f8, z i1
  out y f8, stored i8, stored i8, stored i8, stored i8
  var i.0 i8, a.1 i8, k.2 i8, a.3 i8, key.4 i8, key.5 i8, k.6 i8, key.7 i8, run.8 i8, k.9 i8,
      key.10 i8, a.11 i8, turn.12 i8, k.13 i8, y.14 f8, run.15 i4, other.16 i4, run.17 i8,
      other.18 i8, key.19 i8, run.20 i8, bin.21 i8, stored.22 i8, result.23 i8, number.24 i4,
      key.25 i8
  a thread, a warp or a block a call, or threads a point, in 6 phases
  2 neighbours a thread, where side by side are elements of y, or from row to row
  2 neighbours a thread, where side by side are elements of stored
  loop 0 in -1, points: n
  loop 1 in 0, points: f
  loop 2 in -1, points: n
  loop 3 in -1, serial: e
  loop 4 in -1, points: n
  loop 5 in -1, points: e
  loop 6 in -1, points: n
  loop 7 in 6, points: f
  loop 8 in 7, serial: 16 clocks: e n + 1 - n // 0 - 0 max
  work by loops 0, 1 special
  work by loops 3, 2 integer
  work by loops 4, 4 integer
  work by loops 5, 2 integer
  work by loops 6 7 8, 2 float64
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of stored, by loops 2: 1 in 0 of 2
  3 loads of key, by loops 3: 1 in 0 of 3
  2 loads of stored, by loops 3, irregular
  1 stores of stored, by loops 3: 1 in 0 of 3
  1 stores of stored, by loops 3, irregular
  1 stores of stored, by loops 4: 1 in 0 of 4
  1 loads of stored, by loops 4: 1 in 0 of 4
  1 loads of key, by loops 5: 1 in 0 of 5
  1 loads of stored, by loops 5, irregular
  1 loads of stored, by loops 5: 1 in 0 of 5
  1 stores of stored, by loops 5, irregular
  1 loads of y, by loops 6 7: 1 in 0 of 6, 1 in 1 of 7
  1 loads of stored, by loops 6 8: 1 in 0 of 8, irregular
  1 loads of x, by loops 6 7 8: 1 in 1 of 7, irregular
  1 stores of y, by loops 6 7: 1 in 0 of 6, 1 in 1 of 7
  each element
    spread i.0 in 0..n, a.1 in 0..f
      y[i.0, a.1] = f8(i.0 + 1)
    spread key.5 in 0..n
      stored[key.5] = 0
    sync blocks alone for k.6 in 0..e, dealt out to bins of stored
      alone if 0 < f
        stored[k.6] = stored[key[k.6]]
        stored[key[k.6]] = stored[key[k.6]] + 1
    run.8 = 0
    run.15 = 0
    run.17 = 0
    sync blocks scan key.19 in 0..n to run.17
      run.20 = run.8 + run.17
      stored[key.19] = run.20
      run.17 = run.17 + stored[key.19]
    join
      run.17 = run.17 + other.18
    sync blocks spread k.9 in 0..e
      if 0 < f
        stored[stored[key[k.9]] + stored[k.9]] = k.9
    sync blocks spread key.10 in 0..n, a.11 in 0..f
      y.14 = y[key.10, a.11]
      for turn.12 in stored[key.10]..(stored[key.10] + stored[key.10])
        k.13 = stored[turn.12]
        y.14 = (y.14 * 0.5) + x[k.13, a.11]
      y[key.10, a.11] = y.14

rows: float64(int64, float64, int8)
  as  gufunc_rows_by_key_rows_f8_i8f8i1
  in  key i8, x f8, z i1
  out y f8
  var i.0 i8, a.1 i8, k.2 i8, a.3 i8, bin.4 i8, bin.5 i8, y.6 f8, term.7 f8, key.8 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of y, or from row to row
  loop 0 in -1, points: n
  loop 1 in 0, points: f
  loop 2 in -1, serial: e
  loop 3 in 2, points: f
  work by loops 0, 1 special
  work by loops 2 3, 2 float64
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  2 loads of key, by loops 2: 1 in 0 of 2
  1 loads of y, by loops 2 3: 1 in 1 of 3, irregular
  1 loads of x, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 stores of y, by loops 2 3: 1 in 1 of 3, irregular
  longest chain: 16 e f / n / f
  each element
    spread i.0 in 0..n, a.1 in 0..f
      y[i.0, a.1] = f8(i.0 + 1)
    sync blocks for k.2 in 0..e, dealt out to bins of y
      for a.3 in 0..f
        y[key[k.2], a.3] = (y[key[k.2], a.3] * 0.5) + x[k.2, a.3]
      shared as
        sync row a.3 spread a.3 in 0..f
          y[key[k.2], a.3] = (y[key[k.2], a.3] * 0.5) + x[k.2, a.3]

columns: (int64, int64, int64)(int64, int64, int8)
  as  gufunc_rows_by_key_columns_i8i8i8_i8i8i1_stored
  in  key i8, w i8, z i1
  out y i8, h i8, last i8, stored i8, stored i8, stored i8, stored i8
  var a.0 i8, i.1 i8, i.2 i8, k.3 i8, at.4 i8, a.5 i8, key.6 i8, key.7 i8, k.8 i8, at.9 i8,
      key.10 i8, run.11 i8, k.12 i8, at.13 i8, key.14 i8, a.15 i8, turn.16 i8, k.17 i8,
      at.18 i8, y.19 i8, run.20 i4, other.21 i4, run.22 i8, other.23 i8, key.24 i8, run.25 i8,
      bin.26 i8, h.27 i8, key.28 i8, last.29 i8, term.30 i8, key.31 i8, bin.32 i8,
      stored.33 i8, result.34 i8, number.35 i4, key.36 i8
  a thread, a warp or a block a call, or threads a point, in 8 phases
  2 neighbours a thread, where side by side are elements of y, or from row to row
  2 neighbours a thread, where side by side are elements of stored
  loop 0 in -1, points: f
  loop 1 in 0, points: n
  loop 2 in -1, points: n
  loop 3 in -1, serial: e
  loop 4 in -1, points: n
  loop 5 in -1, serial: e
  loop 6 in -1, points: n
  loop 7 in -1, points: e
  loop 8 in -1, points: n
  loop 9 in 8, points: f
  loop 10 in 9, serial: e n + 1 - n // 0 - 0 max
  work by loops 3, 34 integer
  work by loops 5, 34 integer
  work by loops 6, 4 integer
  work by loops 7, 34 integer
  work by loops 8 10, 32 integer
  work by loops 8 9 10, 6 integer
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of h, by loops 2: 1 in 0 of 2
  1 stores of last, by loops
  1 loads of key, by loops 3: 1 in 0 of 3
  1 loads of h, by loops 3, irregular
  1 stores of h, by loops 3, irregular
  1 stores of last, by loops
  1 stores of stored, by loops 4: 1 in 0 of 4
  1 loads of key, by loops 5: 1 in 0 of 5
  2 loads of stored, by loops 5, irregular
  1 stores of stored, by loops 5: 1 in 0 of 5
  1 stores of stored, by loops 5, irregular
  1 stores of stored, by loops 6: 1 in 0 of 6
  1 loads of stored, by loops 6: 1 in 0 of 6
  1 loads of key, by loops 7: 1 in 0 of 7
  1 loads of stored, by loops 7, irregular
  1 loads of stored, by loops 7: 1 in 0 of 7
  1 stores of stored, by loops 7, irregular
  1 loads of y, by loops 8 9: 1 in 0 of 9, 1 in 1 of 8
  1 loads of stored, by loops 8 10: 1 in 0 of 10, irregular
  1 loads of key, by loops 8 10, irregular
  1 loads of w, by loops 8 10, irregular
  1 stores of y, by loops 8 9: 1 in 0 of 9, 1 in 1 of 8
  each element
    spread a.0 in 0..f, i.1 in 0..n
      y[a.0, i.1] = 0
    spread i.2 in 0..n
      h[i.2] = 0
    last[] = -1
    sync blocks alone for k.3 in 0..e, dealt out to bins of h, last
      alone at.4 = key[k.3] % n
      h[at.4] = h[at.4] + 1
      last[] = at.4
    spread key.7 in 0..n
      stored[key.7] = 0
    sync blocks alone for k.8 in 0..e, dealt out to bins of stored
      alone at.9 = key[k.8] % n
      alone if 0 < f
        stored[k.8] = stored[at.9]
        stored[at.9] = stored[at.9] + 1
    run.11 = 0
    run.20 = 0
    run.22 = 0
    sync blocks scan key.24 in 0..n to run.22
      run.25 = run.11 + run.22
      stored[key.24] = run.25
      run.22 = run.22 + stored[key.24]
    join
      run.22 = run.22 + other.23
    sync blocks spread k.12 in 0..e
      at.13 = key[k.12] % n
      if 0 < f
        stored[stored[at.13] + stored[k.12]] = k.12
    sync blocks spread key.14 in 0..n, a.15 in 0..f
      y.19 = y[a.15, key.14]
      for turn.16 in stored[key.14]..(stored[key.14] + stored[key.14])
        k.17 = stored[turn.16]
        at.18 = key[k.17] % n
        y.19 = ((y.19 * 3) + w[k.17]) + a.15
      y[a.15, key.14] = y.19

columns: (int64, int64, int64)(int64, int64, int8)
  as  gufunc_rows_by_key_columns_i8i8i8_i8i8i1
  in  key i8, w i8, z i1
  out y i8, h i8, last i8
  var a.0 i8, i.1 i8, i.2 i8, k.3 i8, at.4 i8, a.5 i8, bin.6 i8, h.7 i8, key.8 i8, entry.9 i8,
      bin.10 i8, bin.11 i8, y.12 i8, term.13 i8, term.14 i8, key.15 i8, last.16 i8, key.17 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  2 neighbours a thread, where side by side are elements of y, or from row to row
  loop 0 in -1, points: f
  loop 1 in 0, points: n
  loop 2 in -1, points: n
  loop 3 in -1, serial: e
  loop 4 in 3, points: f
  work by loops 3, 34 integer
  work by loops 3 4, 6 integer
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of h, by loops 2: 1 in 0 of 2
  1 stores of last, by loops
  1 loads of key, by loops 3: 1 in 0 of 3
  1 loads of h, by loops 3, irregular
  1 stores of h, by loops 3, irregular
  1 loads of y, by loops 3 4: 1 in 0 of 4, irregular
  1 loads of w, by loops 3: 1 in 0 of 3
  1 stores of y, by loops 3 4: 1 in 0 of 4, irregular
  1 stores of last, by loops
  each element
    spread a.0 in 0..f, i.1 in 0..n
      y[a.0, i.1] = 0
    spread i.2 in 0..n
      h[i.2] = 0
    last[] = -1
    sync blocks for k.3 in 0..e, dealt out to bins of h, y, last
      at.4 = key[k.3] % n
      sync h[at.4] = h[at.4] + 1
      for a.5 in 0..f
        y[a.5, at.4] = ((y[a.5, at.4] * 3) + w[k.3]) + a.5
      shared as
        row a.5 spread a.5 in 0..f
          y[a.5, at.4] = ((y[a.5, at.4] * 3) + w[k.3]) + a.5
      last[] = at.4

chained: (int64, int64)(int64, int8)
  as  gufunc_rows_by_key_chained_i8i8_i8i1
  in  key i8, z i1
  out y i8, s i8
  var i.0 i8, a.1 i8, k.2 i8, a.3 i8, s.4 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in 0, points: f
  loop 2 in -1, serial: e
  loop 3 in 2, points: f
  work by loops 2 3, 2 integer
  work by loops 2, 2 integer
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  3 loads of key, by loops 2: 1 in 0 of 2
  1 loads of y, by loops 2 3: 1 in 1 of 3, irregular
  1 stores of y, by loops 2 3: 1 in 1 of 3, irregular
  1 loads of y, by loops 2, irregular
  1 stores of s, by loops
  each element
    spread i.0 in 0..n, a.1 in 0..f
      y[i.0, a.1] = i.0 + a.1
    s.4 = 0
    for k.2 in 0..e
      for a.3 in 0..f
        y[key[k.2], a.3] = y[key[k.2], a.3] + s.4
      shared as
        sync blocks spread a.3 in 0..f
          y[key[k.2], a.3] = y[key[k.2], a.3] + s.4
      sync blocks s.4 = s.4 + (y[key[k.2], 0] + 1)
    s[] = s.4

messages: int64(int64, int64, int8)
  as  gufunc_rows_by_key_messages_i8_i8i8i1_stored
  in  of i8, to i8, z i1
  out y i8
  var i.0 i8, a.1 i8, k.2 i8, a.3 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of y, or from row to row
  loop 0 in -1, points: n
  loop 1 in 0, points: f
  loop 2 in -1, points: f
  loop 3 in 2, serial: e
  work by loops 2 3, 2 integer
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  2 loads of to, by loops 3: 1 in 0 of 3
  2 loads of y, by loops 2 3: 1 in 1 of 2, irregular
  1 loads of of, by loops 3: 1 in 0 of 3
  1 stores of y, by loops 2 3: 1 in 1 of 2, irregular
  each element
    spread i.0 in 0..n, a.1 in 0..f
      y[i.0, a.1] = 1
    sync blocks spread a.3 in 0..f
      for k.2 in 0..e
        y[to[k.2], a.3] = y[to[k.2], a.3] + y[of[k.2], a.3]

messages: int64(int64, int64, int8)
  as  gufunc_rows_by_key_messages_i8_i8i8i1
  in  of i8, to i8, z i1
  out y i8
  var i.0 i8, a.1 i8, k.2 i8, a.3 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in 0, points: f
  loop 2 in -1, serial: e
  loop 3 in 2, points: f
  work by loops 2 3, 2 integer
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  2 loads of to, by loops 2: 1 in 0 of 2
  2 loads of y, by loops 2 3: 1 in 1 of 3, irregular
  1 loads of of, by loops 2: 1 in 0 of 2
  1 stores of y, by loops 2 3: 1 in 1 of 3, irregular
  each element
    spread i.0 in 0..n, a.1 in 0..f
      y[i.0, a.1] = 1
    sync blocks for k.2 in 0..e
      for a.3 in 0..f
        y[to[k.2], a.3] = y[to[k.2], a.3] + y[of[k.2], a.3]
      shared as
        sync row a.3 spread a.3 in 0..f
          y[to[k.2], a.3] = y[to[k.2], a.3] + y[of[k.2], a.3]

turned: int64(int64, int64, int8)
  as  gufunc_rows_by_key_turned_i8_i8i8i1
  in  key i8, x i8, z i1
  out y i8
  var i.0 i8, a.1 i8, k.2 i8, a.3 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of y, or from row to row
  loop 0 in -1, points: n
  loop 1 in 0, points: f
  loop 2 in -1, points: e
  loop 3 in 2, points: f
  work by loops 2 3, 4 integer
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  2 loads of key, by loops 2: 1 in 0 of 2
  1 loads of y, by loops 2 3: 1 in 1 of 3, irregular
  1 loads of x, by loops 2 3: 1 in 0 of 2, 1 in 0 of 3
  1 stores of y, by loops 2 3: 1 in 1 of 3, irregular
  each element
    spread i.0 in 0..n, a.1 in 0..f
      y[i.0, a.1] = 0
    sync blocks spread k.2 in 0..e, a.3 in 0..f
      y[key[k.2], a.3] = y[key[k.2], a.3] + (x[(k.2 + ((a.3 % e) - e)) % e] * (a.3 + 1))

halves: float16(int64, float16, int8)
  as  gufunc_rows_by_key_halves_f2_i8f2i1_stored
  in  key i8, x f2, z i1
  out y f2, stored i8, stored i8, stored i8, stored i8
  var i.0 i8, a.1 i8, k.2 i8, a.3 i8, key.4 i8, key.5 i8, k.6 i8, key.7 i8, run.8 i8, k.9 i8,
      key.10 i8, a.11 i8, turn.12 i8, k.13 i8, run.14 i4, other.15 i4, run.16 i8, other.17 i8,
      key.18 i8, run.19 i8, bin.20 i8, stored.21 i8, result.22 i8, number.23 i4, key.24 i8
  a thread, a warp or a block a call, or threads a point, in 6 phases
  4 neighbours a thread, where side by side are elements of y, or from row to row
  2 neighbours a thread, where side by side are elements of stored
  loop 0 in -1, points: n
  loop 1 in 0, points: f
  loop 2 in -1, points: n
  loop 3 in -1, serial: e
  loop 4 in -1, points: n
  loop 5 in -1, points: e
  loop 6 in -1, points: n
  loop 7 in 6, points: f
  loop 8 in 7, serial: e n + 1 - n // 0 - 0 max
  work by loops
  work by loops 3, 2 integer
  work by loops 4, 4 integer
  work by loops 5, 2 integer
  work by loops 6 7 8, 9 float32, 1 special
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of stored, by loops 2: 1 in 0 of 2
  3 loads of key, by loops 3: 1 in 0 of 3
  2 loads of stored, by loops 3, irregular
  1 stores of stored, by loops 3: 1 in 0 of 3
  1 stores of stored, by loops 3, irregular
  1 stores of stored, by loops 4: 1 in 0 of 4
  1 loads of stored, by loops 4: 1 in 0 of 4
  1 loads of key, by loops 5: 1 in 0 of 5
  1 loads of stored, by loops 5, irregular
  1 loads of stored, by loops 5: 1 in 0 of 5
  1 stores of stored, by loops 5, irregular
  1 loads of stored, by loops 6 8: 1 in 0 of 8, irregular
  1 loads of y, by loops 6 7: 1 in 0 of 6, 1 in 1 of 7
  1 loads of x, by loops 6 7 8: 1 in 1 of 7, irregular
  1 stores of y, by loops 6 7: 1 in 0 of 6, 1 in 1 of 7
  each element
    spread i.0 in 0..n, a.1 in 0..f
      y[i.0, a.1] = f2(0.0)
    spread key.5 in 0..n
      stored[key.5] = 0
    sync blocks alone for k.6 in 0..e, dealt out to bins of stored
      alone if 0 < f
        stored[k.6] = stored[key[k.6]]
        stored[key[k.6]] = stored[key[k.6]] + 1
    run.8 = 0
    run.14 = 0
    run.16 = 0
    sync blocks scan key.18 in 0..n to run.16
      run.19 = run.8 + run.16
      stored[key.18] = run.19
      run.16 = run.16 + stored[key.18]
    join
      run.16 = run.16 + other.17
    sync blocks spread k.9 in 0..e
      if 0 < f
        stored[stored[key[k.9]] + stored[k.9]] = k.9
    sync blocks spread key.10 in 0..n, a.11 in 0..f
      for turn.12 in stored[key.10]..(stored[key.10] + stored[key.10])
        k.13 = stored[turn.12]
        y[key.10, a.11] = f2((f4(y[key.10, a.11]) / 3.0) + f4(x[k.13, a.11]))

halves: float16(int64, float16, int8)
  as  gufunc_rows_by_key_halves_f2_i8f2i1
  in  key i8, x f2, z i1
  out y f2
  var i.0 i8, a.1 i8, k.2 i8, a.3 i8, bin.4 i8, bin.5 i8, y.6 f4, term.7 f4, key.8 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  4 neighbours a thread, where side by side are elements of y, or from row to row
  loop 0 in -1, points: n
  loop 1 in 0, points: f
  loop 2 in -1, serial: e
  loop 3 in 2, points: f
  work by loops
  work by loops 2 3, 9 float32, 1 special
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  2 loads of key, by loops 2: 1 in 0 of 2
  1 loads of y, by loops 2 3: 1 in 1 of 3, irregular
  1 loads of x, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 stores of y, by loops 2 3: 1 in 1 of 3, irregular
  longest chain: 16 e f / n / f
  each element
    spread i.0 in 0..n, a.1 in 0..f
      y[i.0, a.1] = f2(0.0)
    sync blocks for k.2 in 0..e, dealt out to bins of y
      for a.3 in 0..f
        y[key[k.2], a.3] = f2((f4(y[key[k.2], a.3]) / 3.0) + f4(x[k.2, a.3]))
      shared as
        sync row a.3 spread a.3 in 0..f
          y[key[k.2], a.3] = f2((f4(y[key[k.2], a.3]) / 3.0) + f4(x[k.2, a.3]))

turns: complex64(int64, complex64, int8)
  as  gufunc_rows_by_key_turns_c8_i8c8i1_calls
  in  key i8, x c8, z i1
  out y c8
  var i.0 i8, a.1 i8, k.2 i8, a.3 i8, part.4 f4, part.5 f4, bin.6 i8, y.7 f4, y.8 f4, term.9 f4,
      term.10 f4, key.11 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of y
  loop 0 in -1, points: n
  loop 1 in -1, serial: e
  work by loops 1, 8 float32
  1 stores of y, by loops 0: 1 in 0 of 0
  3 loads of key, by loops 1: 1 in 0 of 1
  2 loads of y, by loops 1, irregular
  2 loads of x, by loops 1: 1 in 0 of 1
  1 stores of y, by loops 1, irregular
  each element
    spread i.0 in 0..n
      y[i.0] = complex(1.0, 0.0)
    sync blocks alone for k.2 in 0..e, dealt out to bins of y
      alone part.4 = real(y[key[k.2]])
      alone part.5 = imag(y[key[k.2]])
      y[key[k.2]] = complex(((part.4 * 0.0) - (part.5 * 1.0)) + real(x[k.2]), ((part.4 * 1.0) + (part.5 * 0.0)) + imag(x[k.2]))

turns: complex64(int64, complex64, int8)
  as  gufunc_rows_by_key_turns_c8_i8c8i1
  in  key i8, x c8, z i1
  out y c8
  var i.0 i8, a.1 i8, k.2 i8, a.3 i8, part.4 f4, part.5 f4, bin.6 i8, bin.7 i8, y.8 f4, y.9 f4,
      term.10 f4, term.11 f4, key.12 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of y, or from row to row
  loop 0 in -1, points: n
  loop 1 in 0, points: f
  loop 2 in -1, serial: e
  loop 3 in 2, points: f
  work by loops 2 3, 8 float32
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  3 loads of key, by loops 2: 1 in 0 of 2
  2 loads of y, by loops 2 3: 1 in 1 of 3, irregular
  2 loads of x, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 stores of y, by loops 2 3: 1 in 1 of 3, irregular
  each element
    spread i.0 in 0..n, a.1 in 0..f
      y[i.0, a.1] = complex(1.0, 0.0)
    sync blocks for k.2 in 0..e, dealt out to bins of y
      for a.3 in 0..f
        part.4 = real(y[key[k.2], a.3])
        part.5 = imag(y[key[k.2], a.3])
        y[key[k.2], a.3] = complex(((part.4 * 0.0) - (part.5 * 1.0)) + real(x[k.2, a.3]), ((part.4 * 1.0) + (part.5 * 0.0)) + imag(x[k.2, a.3]))
      shared as
        sync row a.3 spread a.3 in 0..f
          part.4 = real(y[key[k.2], a.3])
          part.5 = imag(y[key[k.2], a.3])
          y[key[k.2], a.3] = complex(((part.4 * 0.0) - (part.5 * 1.0)) + real(x[k.2, a.3]), ((part.4 * 1.0) + (part.5 * 0.0)) + imag(x[k.2, a.3]))

left: (int64, int64, int64)(int64, int64, int8)
  as  gufunc_rows_by_key_left_i8i8i8_i8i8i1_stored
  in  key i8, x i8, z i1
  out y i8, s i8, last i8, stored i8, stored i8, stored i8, stored i8
  var i.0 i8, a.1 i8, total.2 i8, at.3 i8, k.4 i8, a.5 i8, key.6 i8, key.7 i8, k.8 i8, at.9 i8,
      key.10 i8, run.11 i8, k.12 i8, at.13 i8, key.14 i8, a.15 i8, turn.16 i8, k.17 i8,
      at.18 i8, y.19 i8, k.20 i8, last.21 i8, at.22 i8, run.23 i4, other.24 i4, run.25 i8,
      other.26 i8, key.27 i8, run.28 i8, total.29 i8, other.30 i8, k.31 i8, bin.32 i8,
      stored.33 i8, result.34 i8, number.35 i4, key.36 i8
  a thread, a warp or a block a call, or threads a point, in 7 phases
  2 neighbours a thread, where side by side are elements of y, or from row to row
  2 neighbours a thread, where side by side are elements of stored
  loop 0 in -1, points: n
  loop 1 in 0, points: f
  loop 2 in -1, reduction: e
  loop 3 in -1, points: n
  loop 4 in -1, serial: e
  loop 5 in -1, points: n
  loop 6 in -1, points: e
  loop 7 in -1, points: n
  loop 8 in 7, points: f
  loop 9 in 8, serial: e n + 1 - n // 0 - 0 max
  work by loops 2, 2 integer
  work by loops, 2 integer
  work by loops 4, 2 integer
  work by loops 5, 4 integer
  work by loops 6, 2 integer
  work by loops 7 8 9, 4 integer
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of key, by loops 2: 1 in 0 of 2
  1 loads of key, by loops
  1 stores of stored, by loops 3: 1 in 0 of 3
  4 loads of key, by loops 4: 1 in 0 of 4
  2 loads of stored, by loops 4, irregular
  1 stores of stored, by loops 4: 1 in 0 of 4
  1 stores of stored, by loops 4, irregular
  1 stores of stored, by loops 5: 1 in 0 of 5
  1 loads of stored, by loops 5: 1 in 0 of 5
  2 loads of key, by loops 6: 1 in 0 of 6
  1 loads of stored, by loops 6, irregular
  1 loads of stored, by loops 6: 1 in 0 of 6
  1 stores of stored, by loops 6, irregular
  1 loads of y, by loops 7 8: 1 in 0 of 7, 1 in 1 of 8
  1 loads of stored, by loops 7 9: 1 in 0 of 9, irregular
  1 loads of key, by loops 7 9, irregular
  1 loads of x, by loops 7 8 9: 1 in 1 of 8, irregular
  1 stores of y, by loops 7 8: 1 in 0 of 7, 1 in 1 of 8
  1 stores of s, by loops
  1 stores of last, by loops
  each element
    spread i.0 in 0..n, a.1 in 0..f
      y[i.0, a.1] = i.0
    total.2 = 0
    at.3 = -1
    total.29 = 0
    portions spread k.31 in 0..e to total.29
      total.29 = total.29 + key[k.31]
    join
      total.29 = total.29 + other.30
    total.2 = total.2 + total.29
    if 0 < e
      last.21 = e - 1
      at.22 = key[last.21]
      at.3 = at.22
    spread key.7 in 0..n
      stored[key.7] = 0
    sync blocks alone for k.8 in 0..e, dealt out to bins of stored
      alone at.9 = key[k.8]
      alone if 0 < f
        stored[k.8] = stored[key[k.8]]
        stored[key[k.8]] = stored[key[k.8]] + 1
    run.11 = 0
    run.23 = 0
    run.25 = 0
    sync blocks scan key.27 in 0..n to run.25
      run.28 = run.11 + run.25
      stored[key.27] = run.28
      run.25 = run.25 + stored[key.27]
    join
      run.25 = run.25 + other.26
    sync blocks spread k.12 in 0..e
      at.13 = key[k.12]
      if 0 < f
        stored[stored[key[k.12]] + stored[k.12]] = k.12
    sync blocks spread key.14 in 0..n, a.15 in 0..f
      y.19 = y[key.14, a.15]
      for turn.16 in stored[key.14]..(stored[key.14] + stored[key.14])
        k.17 = stored[turn.16]
        at.18 = key[k.17]
        y.19 = (y.19 * 3) + x[k.17, a.15]
      y[key.14, a.15] = y.19
    s[] = total.2
    last[] = at.3

left: (int64, int64, int64)(int64, int64, int8)
  as  gufunc_rows_by_key_left_i8i8i8_i8i8i1
  in  key i8, x i8, z i1
  out y i8, s i8, last i8
  var i.0 i8, a.1 i8, total.2 i8, at.3 i8, k.4 i8, a.5 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in 0, points: f
  loop 2 in -1, serial: e
  loop 3 in 2, points: f
  work by loops 2, 2 integer
  work by loops 2 3, 4 integer
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  4 loads of key, by loops 2: 1 in 0 of 2
  1 loads of y, by loops 2 3: 1 in 1 of 3, irregular
  1 loads of x, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 stores of y, by loops 2 3: 1 in 1 of 3, irregular
  1 stores of s, by loops
  1 stores of last, by loops
  each element
    spread i.0 in 0..n, a.1 in 0..f
      y[i.0, a.1] = i.0
    total.2 = 0
    at.3 = -1
    sync blocks for k.4 in 0..e
      total.2 = total.2 + key[k.4]
      at.3 = key[k.4]
      for a.5 in 0..f
        y[key[k.4], a.5] = (y[key[k.4], a.5] * 3) + x[k.4, a.5]
      shared as
        sync row a.5 spread a.5 in 0..f
          y[key[k.4], a.5] = (y[key[k.4], a.5] * 3) + x[k.4, a.5]
    s[] = total.2
    last[] = at.3

both: (int64, int64, int64)(int64, int64, int8)
  as  gufunc_rows_by_key_both_i8i8i8_i8i8i1_stored
  in  key i8, x i8, z i1
  out y i8, h i8, last i8, stored i8, stored i8
  var i.0 i8, a.1 i8, i.2 i8, a.3 i8, v.4 i8, k.5 i8, a.6 i8, a.7 i8, k.8 i8, a.9 i8, k.10 i8,
      a.11 i8, single.12 i8
  a thread, a warp or a block a call, or threads a point, in 4 phases
  2 neighbours a thread, where side by side are elements of y h, or from row to row
  loop 0 in -1, points: n
  loop 1 in 0, points: f
  loop 2 in -1, points: 1
  loop 3 in 2, serial: e
  loop 4 in 3, serial: f
  loop 5 in -1, points: f
  loop 6 in 5, serial: e
  loop 7 in -1, points: f
  loop 8 in 7, serial: e
  work by loops 5 6, 4 integer
  work by loops 7 8, 4 integer
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of h, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of x, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 stores of stored, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 stores of stored, by loops
  2 loads of key, by loops 6: 1 in 0 of 6
  1 loads of y, by loops 5 6: 1 in 1 of 5, irregular
  1 loads of stored, by loops 5 6: 1 in 0 of 6, 1 in 1 of 5
  1 stores of y, by loops 5 6: 1 in 1 of 5, irregular
  2 loads of key, by loops 8: 1 in 0 of 8
  1 loads of h, by loops 7 8: 1 in 1 of 7, irregular
  1 loads of stored, by loops 7 8: 1 in 0 of 8, 1 in 1 of 7
  1 stores of h, by loops 7 8: 1 in 1 of 7, irregular
  1 loads of stored, by loops
  1 stores of last, by loops
  each element
    spread i.0 in 0..n, a.1 in 0..f
      y[i.0, a.1] = 0
      h[i.0, a.1] = 0
    v.4 = -1
    spread single.12 in 0..1
      v.4 = -1
      for k.5 in 0..e
        for a.6 in 0..f
          v.4 = x[k.5, a.6]
          stored[k.5, a.6] = v.4
      stored[] = v.4
    sync blocks spread a.9 in 0..f
      for k.8 in 0..e
        y[key[k.8], a.9] = (y[key[k.8], a.9] * 3) + stored[k.8, a.9]
    spread a.11 in 0..f
      for k.10 in 0..e
        h[key[k.10], a.11] = (h[key[k.10], a.11] * 2) + stored[k.10, a.11]
    last[] = stored[]

both: (int64, int64, int64)(int64, int64, int8)
  as  gufunc_rows_by_key_both_i8i8i8_i8i8i1
  in  key i8, x i8, z i1
  out y i8, h i8, last i8
  var i.0 i8, a.1 i8, i.2 i8, a.3 i8, v.4 i8, k.5 i8, a.6 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in 0, points: f
  loop 2 in -1, serial: e
  loop 3 in 2, serial: f
  work by loops 2 3, 8 integer
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of h, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of x, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  4 loads of key, by loops 2: 1 in 0 of 2
  1 loads of y, by loops 2 3: 1 in 1 of 3, irregular
  1 stores of y, by loops 2 3: 1 in 1 of 3, irregular
  1 loads of h, by loops 2 3: 1 in 1 of 3, irregular
  1 stores of h, by loops 2 3: 1 in 1 of 3, irregular
  1 stores of last, by loops
  each element
    spread i.0 in 0..n, a.1 in 0..f
      y[i.0, a.1] = 0
      h[i.0, a.1] = 0
    v.4 = -1
    sync blocks for k.5 in 0..e
      for a.6 in 0..f
        v.4 = x[k.5, a.6]
        y[key[k.5], a.6] = (y[key[k.5], a.6] * 3) + v.4
        h[key[k.5], a.6] = (h[key[k.5], a.6] * 2) + v.4
    last[] = v.4

0copy: int8(int8)
  as  gufunc_rows_by_key_0copy_i1_i1
  in  x i1
  out out i1
  each element
    store out = x

0copy: int64(int64)
  as  gufunc_rows_by_key_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float16(float16)
  as  gufunc_rows_by_key_0copy_f2_f2
  in  x f2
  out out f2
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_rows_by_key_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x

0copy: complex64(complex64)
  as  gufunc_rows_by_key_0copy_c8_c8
  in  x c8
  out out c8
  each element
    store out = complex(real(x), imag(x))
