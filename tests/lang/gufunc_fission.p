sums: (float64, float64, float64)(float64, float64, float64)
  as  gufunc_fission_sums_f8f8f8_f8f8f8_stored
  in  a f8, r f8, p f8
  out s f8, q f8, t f8
  var j.0 i8, i.1 i8, f.2 f8, j.3 i8, v.4 f8, i.5 i8, f.6 f8, j.7 i8, v.8 f8, i.9 i8, f.10 f8,
      j.11 i8, v.12 f8, kept.13 f8, kept.14 f8, q.15 f8, q.16 f8, row.17 i8, s.18 f8,
      row.19 i8, factor.20 f8, t.21 f8, row.22 i8, factor.23 f8
  a thread, a warp or a block a call, or threads a point, in 4 phases
  2 neighbours a thread, where side by side are elements of s t
  8 points of range 0 a thread, whose loops run together
  8 points of range 0 a thread, whose loops run together
  4 points of range 0 a thread, whose loops run together
  or tiles of results, 8 x 8 a thread, of parts of a[i.1, j.3], p[j.3] in shared memory
    whose terms are taken in order
  or tiles of results, 8 x 8 a thread, of parts of a[i.5, j.7], f.6 in shared memory
    whose terms are taken in order
  or tiles of results, 8 x 4 a thread, of parts of a[i.9, j.11], f.10 in shared memory
    whose terms are taken in order
  loop 0 in -1, points: n
  loop 1 in -1, points: m
  loop 2 in 1, serial: 8 clocks: n
  loop 3 in -1, points: n
  loop 4 in 3, serial: 8 clocks: m
  loop 5 in -1, points: n
  loop 6 in 5, serial: 68 clocks: m
  work by loops 1, 1 float64
  work by loops 1 2, 2 float64
  work by loops 4, 1 float64
  work by loops 3 4, 2 float64
  work by loops 6, 1 float64
  work by loops 5 6, 10 float64, 1 special
  1 stores of s, by loops 0: 1 in 0 of 0
  1 stores of t, by loops 0: 1 in 0 of 0
  1 loads of r, by loops 1: 1 in 0 of 1
  1 loads of a, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 loads of p, by loops 2: 1 in 0 of 2
  1 stores of q, by loops 1: 1 in 0 of 1
  1 loads of s, by loops 3: 1 in 0 of 3
  1 loads of r, by loops 4: 1 in 0 of 4
  1 loads of a, by loops 3 4: 1 in 0 of 4, 1 in 1 of 3
  1 stores of s, by loops 3: 1 in 0 of 3
  1 loads of t, by loops 5: 1 in 0 of 5
  1 loads of r, by loops 6: 1 in 0 of 6
  1 loads of a, by loops 5 6: 1 in 0 of 6, 1 in 1 of 5
  1 stores of t, by loops 5: 1 in 0 of 5
  each element
    spread j.0 in 0..n
      s[j.0] = 0.0
      t[j.0] = 1.0
    spread i.1 in 0..m
      f.2 = r[i.1] + 1.0
      q.15 = f.2
      for j.3 in 0..n, a series of q.15
        q.15 = q.15 + (a[i.1, j.3] * p[j.3])
      q[i.1] = q.15
    sync blocks spread j.7 in 0..n
      kept.13 = s[j.7]
      for i.5 in 0..m, a series of kept.13
        f.6 = r[i.5] + 1.0
        v.8 = a[i.5, j.7] * f.6
        kept.13 = kept.13 + v.8
      s[j.7] = kept.13
    spread j.11 in 0..n
      kept.14 = t[j.11]
      for i.9 in 0..m
        f.10 = r[i.9] + 1.0
        v.12 = a[i.9, j.11] * f.10
        kept.14 = (kept.14 / 2.0) - v.12
      t[j.11] = kept.14

sums: (float64, float64, float64)(float64, float64, float64)
  as  gufunc_fission_sums_f8f8f8_f8f8f8_stacked
  in  a f8, r f8, p f8
  out s f8, q f8, t f8
  var j.0 i8, i.1 i8, f.2 f8, j.3 i8, v.4 f8, call.5 i8, i.6 i8, f.7 f8, j.8 i8, v.9 f8, i.10 i8,
      f.11 f8, j.12 i8, v.13 f8, kept.14 f8, kept.15 f8, q.16 f8, q.17 f8, s.18 f8,
      factor.19 f8, t.20 f8, factor.21 f8
  hosts go in it, and no GPU
  a thread, a warp or a block a call, or threads a point, in 4 phases
  2 neighbours a thread, where side by side are elements of s t, or from row to row
  8 points of range 0 a thread, whose loops run together
  8 points of range 0 a thread, whose loops run together
  4 points of range 0 a thread, whose loops run together
  or tiles of results, 8 x 8 a thread, of parts of a[i.1, j.3], p[call.5, j.3] in shared memory
    whose terms are taken in order
  or tiles of results, 8 x 8 a thread, of parts of a[i.6, j.8], f.7 in shared memory
    whose terms are taken in order
  or tiles of results, 8 x 4 a thread, of parts of a[i.10, j.12], f.11 in shared memory
    whose terms are taken in order
  loop 0 in -1, points: calls
  loop 1 in 0, points: n
  loop 2 in -1, points: calls
  loop 3 in 2, points: m
  loop 4 in 3, serial: 8 clocks: n
  loop 5 in -1, points: calls
  loop 6 in 5, points: n
  loop 7 in 6, serial: 8 clocks: m
  loop 8 in -1, points: calls
  loop 9 in 8, points: n
  loop 10 in 9, serial: 68 clocks: m
  work by loops 2 3, 1 float64
  work by loops 2 3 4, 2 float64
  work by loops 5 7, 1 float64
  work by loops 5 6 7, 2 float64
  work by loops 8 10, 1 float64
  work by loops 8 9 10, 10 float64, 1 special
  1 stores of s, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of t, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of r, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of a, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 loads of p, by loops 2 4: 1 in 0 of 2, 1 in 1 of 4
  1 stores of q, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of s, by loops 5 6: 1 in 0 of 5, 1 in 1 of 6
  1 loads of r, by loops 5 7: 1 in 0 of 5, 1 in 1 of 7
  1 loads of a, by loops 6 7: 1 in 0 of 7, 1 in 1 of 6
  1 stores of s, by loops 5 6: 1 in 0 of 5, 1 in 1 of 6
  1 loads of t, by loops 8 9: 1 in 0 of 8, 1 in 1 of 9
  1 loads of r, by loops 8 10: 1 in 0 of 8, 1 in 1 of 10
  1 loads of a, by loops 9 10: 1 in 0 of 10, 1 in 1 of 9
  1 stores of t, by loops 8 9: 1 in 0 of 8, 1 in 1 of 9
  each element
    spread call.5 in 0..calls, j.0 in 0..n
      s[call.5, j.0] = 0.0
      t[call.5, j.0] = 1.0
    spread call.5 in 0..calls, i.1 in 0..m
      f.2 = r[call.5, i.1] + 1.0
      q.16 = f.2
      for j.3 in 0..n, a series of q.16
        q.16 = q.16 + (a[i.1, j.3] * p[call.5, j.3])
      q[call.5, i.1] = q.16
    sync blocks spread call.5 in 0..calls, j.8 in 0..n
      kept.14 = s[call.5, j.8]
      for i.6 in 0..m, a series of kept.14
        f.7 = r[call.5, i.6] + 1.0
        v.9 = a[i.6, j.8] * f.7
        kept.14 = kept.14 + v.9
      s[call.5, j.8] = kept.14
    spread call.5 in 0..calls, j.12 in 0..n
      kept.15 = t[call.5, j.12]
      for i.10 in 0..m
        f.11 = r[call.5, i.10] + 1.0
        v.13 = a[i.10, j.12] * f.11
        kept.15 = (kept.15 / 2.0) - v.13
      t[call.5, j.12] = kept.15

sums: (float64, float64, float64)(float64, float64, float64)
  as  gufunc_fission_sums_f8f8f8_f8f8f8
  in  a f8, r f8, p f8
  out s f8, q f8, t f8
  var j.0 i8, i.1 i8, f.2 f8, j.3 i8, v.4 f8, entry.5 i8, bin.6 i8, s.7 f8, term.8 f8, key.9 i8,
      t.10 f8, key.11 i8, q.12 f8, q.13 f8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of s t
  loop 0 in -1, points: n
  loop 1 in -1, serial: m
  loop 2 in 1, serial: 68 clocks: n
  work by loops 1, 1 float64
  work by loops 1 2, 13 float64, 1 special
  1 stores of s, by loops 0: 1 in 0 of 0
  1 stores of t, by loops 0: 1 in 0 of 0
  1 loads of r, by loops 1: 1 in 0 of 1
  2 stores of q, by loops 1: 1 in 0 of 1
  2 loads of a, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 loads of s, by loops 2: 1 in 0 of 2
  1 stores of s, by loops 2: 1 in 0 of 2
  1 loads of p, by loops 2: 1 in 0 of 2
  1 loads of t, by loops 2: 1 in 0 of 2
  1 stores of t, by loops 2: 1 in 0 of 2
  longest chain: 8 + 16 m, or 8 + 8 n
  each element
    spread j.0 in 0..n
      s[j.0] = 0.0
      t[j.0] = 1.0
    sync blocks for i.1 in 0..m by 1 behind one another, dealt out to bins of s, t
      f.2 = r[i.1] + 1.0
      q.13 = f.2
      sync blocks q[i.1] = q.13
      q.12 = q.13
      for j.3 in 0..n, a series of q.12
        v.4 = a[i.1, j.3] * f.2
        s[j.3] = s[j.3] + v.4
        q.12 = q.12 + (a[i.1, j.3] * p[j.3])
        t[j.3] = (t[j.3] / 2.0) - v.4
      if 0 < n
        q[i.1] = q.12

bounded: (int64, int64)(int64, int64)
  as  gufunc_fission_bounded_i8i8_i8i8
  in  a i8, k i8
  out s i8, e i8
  var j.0 i8, i.1 i8, j.2 i8, e.3 i8
  one thread a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: m
  loop 2 in 1, points: ?
  work by loops 1, 4 integer
  work by loops 1 2, 4 integer
  1 stores of s, by loops 0: 1 in 0 of 0
  1 loads of k, by loops 1: 1 in 0 of 1
  1 stores of e, by loops 1: 1 in 0 of 1
  1 loads of s, by loops 1 2: 1 in 0 of 2
  1 loads of a, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 stores of s, by loops 1 2: 1 in 0 of 2
  each element
    for j.0 in 0..n
      s[j.0] = 0
    shared as
      spread j.0 in 0..n
        s[j.0] = 0
    for i.1 in 0..m
      e.3 = min(k[i.1], n)
      e[i.1] = e.3
      for j.2 in 0..e.3
        s[j.2] = (s[j.2] * 3) + a[i.1, j.2]
      shared as
        sync blocks spread j.2 in 0..e.3
          s[j.2] = (s[j.2] * 3) + a[i.1, j.2]

rows_then_columns: (float64, float64)(float64, float64)
  as  gufunc_fission_rows_then_columns_f8f8_f8f8_stored
  in  a f8, x f8
  out y f8, t f8
  var j.0 i8, i.1 i8, j.2 i8, j.3 i8, i.4 i8, j.5 i8, kept.6 f8, t.7 f8, t.8 f8, row.9 i8, y.10 f8,
      row.11 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  2 neighbours a thread, where side by side are elements of y
  8 points of range 0 a thread, whose loops run together
  4 points of range 0 a thread, whose loops run together
  or tiles of results, 8 x 8 a thread, of parts of a[i.1, j.2], x[j.2] in shared memory
    whose terms are taken in order
  or tiles of results, 8 x 4 a thread, of parts of a[i.4, j.5], t[i.4] in shared memory
    whose terms are taken in order
  loop 0 in -1, points: n
  loop 1 in -1, points: m
  loop 2 in 1, serial: 8 clocks: n
  loop 3 in -1, points: n
  loop 4 in 3, serial: 68 clocks: m
  work by loops 1 2, 2 float64
  work by loops 3 4, 10 float64, 1 special
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of a, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 loads of x, by loops 2: 1 in 0 of 2
  1 stores of t, by loops 1: 1 in 0 of 1
  1 loads of y, by loops 3: 1 in 0 of 3
  1 loads of a, by loops 3 4: 1 in 0 of 4, 1 in 1 of 3
  1 loads of t, by loops 4: 1 in 0 of 4
  1 stores of y, by loops 3: 1 in 0 of 3
  each element
    spread j.0 in 0..n
      y[j.0] = 0.0
    spread i.1 in 0..m
      t.7 = 0.0
      for j.2 in 0..n, a series of t.7
        t.7 = t.7 + (a[i.1, j.2] * x[j.2])
      t[i.1] = t.7
    sync blocks spread j.5 in 0..n
      kept.6 = y[j.5]
      for i.4 in 0..m
        kept.6 = (kept.6 / 2.0) + (a[i.4, j.5] * t[i.4])
      y[j.5] = kept.6

rows_then_columns: (float64, float64)(float64, float64)
  as  gufunc_fission_rows_then_columns_f8f8_f8f8_stacked
  in  a f8, x f8
  out y f8, t f8
  var j.0 i8, i.1 i8, j.2 i8, j.3 i8, call.4 i8, i.5 i8, j.6 i8, kept.7 f8, t.8 f8, t.9 f8, y.10 f8
  hosts go in it, and no GPU
  a thread, a warp or a block a call, or threads a point, in 3 phases
  2 neighbours a thread, where side by side are elements of y, or from row to row
  8 points of range 0 a thread, whose loops run together
  4 points of range 0 a thread, whose loops run together
  or tiles of results, 8 x 8 a thread, of parts of a[i.1, j.2], x[call.4, j.2] in shared memory
    whose terms are taken in order
  or tiles of results, 8 x 4 a thread, of parts of a[i.5, j.6], t[call.4, i.5] in shared memory
    whose terms are taken in order
  loop 0 in -1, points: calls
  loop 1 in 0, points: n
  loop 2 in -1, points: calls
  loop 3 in 2, points: m
  loop 4 in 3, serial: 8 clocks: n
  loop 5 in -1, points: calls
  loop 6 in 5, points: n
  loop 7 in 6, serial: 68 clocks: m
  work by loops 2 3 4, 2 float64
  work by loops 5 6 7, 10 float64, 1 special
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of a, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 loads of x, by loops 2 4: 1 in 0 of 2, 1 in 1 of 4
  1 stores of t, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of y, by loops 5 6: 1 in 0 of 5, 1 in 1 of 6
  1 loads of a, by loops 6 7: 1 in 0 of 7, 1 in 1 of 6
  1 loads of t, by loops 5 7: 1 in 0 of 5, 1 in 1 of 7
  1 stores of y, by loops 5 6: 1 in 0 of 5, 1 in 1 of 6
  each element
    spread call.4 in 0..calls, j.0 in 0..n
      y[call.4, j.0] = 0.0
    spread call.4 in 0..calls, i.1 in 0..m
      t.8 = 0.0
      for j.2 in 0..n, a series of t.8
        t.8 = t.8 + (a[i.1, j.2] * x[call.4, j.2])
      t[call.4, i.1] = t.8
    sync blocks spread call.4 in 0..calls, j.6 in 0..n
      kept.7 = y[call.4, j.6]
      for i.5 in 0..m
        kept.7 = (kept.7 / 2.0) + (a[i.5, j.6] * t[call.4, i.5])
      y[call.4, j.6] = kept.7

rows_then_columns: (float64, float64)(float64, float64)
  as  gufunc_fission_rows_then_columns_f8f8_f8f8
  in  a f8, x f8
  out y f8, t f8
  var j.0 i8, i.1 i8, j.2 i8, j.3 i8, entry.4 i8, bin.5 i8, y.6 f8, term.7 f8, key.8 i8, t.9 f8,
      t.10 f8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  registers of a warp's lanes keep y, a lane for each index
  2 neighbours a thread, where side by side are elements of y
  loop 0 in -1, points: n
  loop 1 in -1, serial: m
  loop 2 in 1, serial: 8 clocks: n
  loop 3 in 1, points: n
  work by loops 1 2, 2 float64
  work by loops 1 3, 10 float64, 1 special
  1 stores of y, by loops 0: 1 in 0 of 0
  2 stores of t, by loops 1: 1 in 0 of 1
  1 loads of a, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 loads of x, by loops 2: 1 in 0 of 2
  1 loads of y, by loops 3: 1 in 0 of 3
  1 loads of a, by loops 1 3: 1 in 0 of 1, 1 in 1 of 3
  1 loads of t, by loops 1: 1 in 0 of 1
  1 stores of y, by loops 3: 1 in 0 of 3
  longest chain: 8 + 16 m + 8 n
  each element
    spread j.0 in 0..n
      y[j.0] = 0.0
    for i.1 in 0..m, dealt out to bins of y
      t.10 = 0.0
      sync blocks sync lanes t[i.1] = t.10
      t.9 = t.10
      alone for j.2 in 0..n, a series of t.9
        alone t.9 = t.9 + (a[i.1, j.2] * x[j.2])
      if 0 < n
        t[i.1] = t.9
      for j.3 in 0..n
        y[j.3] = (y[j.3] / 2.0) + (a[i.1, j.3] * t[i.1])
      shared as
        sync blocks sync lanes spread j.3 in 0..n
          y[j.3] = (y[j.3] / 2.0) + (a[i.1, j.3] * t[i.1])

changed: (float64, float64, float64)(float64)
  as  gufunc_fission_changed_f8f8f8_f8
  in  a f8
  out y f8, t f8, u f8
  var j.0 i8, i.1 i8, i.2 i8, j.3 i8, j.4 i8, t.5 f8, t.6 f8
  a thread, or a block for series, a call
  registers of a warp's lanes keep y, a lane for each index
  loop 0 in -1, points: n
  loop 1 in -1, points: m
  loop 2 in -1, serial: m
  loop 3 in 2, serial: 8 clocks: n
  loop 4 in 2, points: n
  work by loops 2 3, 2 float64
  work by loops 2 4, 10 float64, 1 special
  work by loops 2, 16 float64, 2 special
  1 stores of y, by loops 0: 1 in 0 of 0
  1 stores of u, by loops 1: 1 in 0 of 1
  3 stores of t, by loops 2: 1 in 0 of 2
  1 loads of a, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of u, by loops 2: 1 in 0 of 2
  1 loads of y, by loops 4: 1 in 0 of 4
  1 loads of a, by loops 2 4: 1 in 0 of 2, 1 in 1 of 4
  3 loads of t, by loops 2: 1 in 0 of 2
  1 stores of y, by loops 4: 1 in 0 of 4
  1 stores of u, by loops 2: 1 in 0 of 2
  longest chain: 24 m + 8 m n
  each element
    for j.0 in 0..n
      y[j.0] = 0.0
    shared as
      spread j.0 in 0..n
        y[j.0] = 0.0
    for i.1 in 0..m
      u[i.1] = 1.0
    shared as
      spread i.1 in 0..m
        u[i.1] = 1.0
    for i.2 in 0..m
      t.6 = 0.0
      sync blocks sync lanes t[i.2] = t.6
      t.5 = t.6
      alone for j.3 in 0..n, a series of t.5
        alone t.5 = t.5 + (a[i.2, j.3] * u[max(i.2 - 1, 0)])
      if 0 < n
        t[i.2] = t.5
      for j.4 in 0..n
        y[j.4] = (y[j.4] / 2.0) + (a[i.2, j.4] * t[i.2])
      shared as
        sync blocks sync lanes spread j.4 in 0..n
          y[j.4] = (y[j.4] / 2.0) + (a[i.2, j.4] * t[i.2])
      sync blocks sync lanes t[i.2] = t[i.2] / 2.0
      sync lanes u[i.2] = t[i.2] / 4.0

on_the_way: (float64, float64)(float64)
  as  gufunc_fission_on_the_way_f8f8_f8
  in  a f8
  out y f8, t f8
  var j.0 i8, i.1 i8, j.2 i8, entry.3 i8, bin.4 i8, y.5 f8, term.6 f8, key.7 i8, t.8 f8, t.9 f8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of y
  loop 0 in -1, points: n
  loop 1 in -1, serial: m
  loop 2 in 1, serial: 68 clocks: n
  work by loops 1 2, 11 float64, 1 special
  1 stores of y, by loops 0: 1 in 0 of 0
  2 stores of t, by loops 1: 1 in 0 of 1
  2 loads of a, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 loads of y, by loops 2: 1 in 0 of 2
  1 stores of y, by loops 2: 1 in 0 of 2
  longest chain: 16 m + 8 n
  each element
    spread j.0 in 0..n
      y[j.0] = 0.0
    sync blocks for i.1 in 0..m by 1 behind one another, dealt out to bins of y
      t.9 = 0.0
      sync blocks t[i.1] = t.9
      t.8 = t.9
      for j.2 in 0..n
        t.8 = t.8 + a[i.1, j.2]
        y[j.2] = (y[j.2] / 2.0) + (a[i.1, j.2] * t.8)
      if 0 < n
        t[i.1] = t.8

number_of_a_row: float64(float64, float64)
  as  gufunc_fission_number_of_a_row_f8_f8f8_stored
  in  a f8, x f8
  out y f8, stored f8
  var j.0 i8, i.1 i8, t.2 f8, j.3 i8, j.4 i8, kept.5 f8, kept.6 f8, stored.7 f8, row.8 i8, y.9 f8,
      row.10 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  2 neighbours a thread, where side by side are elements of y
  8 points of range 0 a thread, whose loops run together
  8 points of range 0 a thread, whose loops run together
  or tiles of results, 8 x 8 a thread, of parts of a[i.1, j.3], x[j.3] in shared memory
    whose terms are taken in order
  or tiles of results, 8 x 8 a thread, of parts of a[i.1, j.4], stored[i.1] in shared memory
    whose terms are taken in order
  loop 0 in -1, points: n
  loop 1 in -1, points: m
  loop 2 in 1, serial: 8 clocks: n
  loop 3 in -1, points: n
  loop 4 in 3, serial: 8 clocks: m
  work by loops 1 2, 2 float64
  work by loops 3 4, 2 float64
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of a, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 loads of x, by loops 2: 1 in 0 of 2
  1 stores of stored, by loops 1: 1 in 0 of 1
  1 loads of y, by loops 3: 1 in 0 of 3
  1 loads of a, by loops 3 4: 1 in 0 of 4, 1 in 1 of 3
  1 loads of stored, by loops 4: 1 in 0 of 4
  1 stores of y, by loops 3: 1 in 0 of 3
  each element
    spread j.0 in 0..n
      y[j.0] = 0.0
    spread i.1 in 0..m
      t.2 = 0.0
      for j.3 in 0..n, a series of t.2
        t.2 = t.2 + (a[i.1, j.3] * x[j.3])
      stored[i.1] = t.2
    sync blocks spread j.4 in 0..n
      kept.6 = y[j.4]
      for i.1 in 0..m, a series of kept.6
        kept.6 = kept.6 + (a[i.1, j.4] * stored[i.1])
      y[j.4] = kept.6

number_of_a_row: float64(float64, float64)
  as  gufunc_fission_number_of_a_row_f8_f8f8_stacked
  in  a f8, x f8
  out y f8, stored f8
  var j.0 i8, i.1 i8, t.2 f8, j.3 i8, j.4 i8, call.5 i8, kept.6 f8, call.7 i8, i.8 i8, t.9 f8,
      j.10 i8, stored.11 f8, y.12 f8, factor.13 f8
  hosts go in it, and no GPU
  a thread, a warp or a block a call, or threads a point, in 3 phases
  2 neighbours a thread, where side by side are elements of y, or from row to row
  8 points of range 0 a thread, whose loops run together
  8 points of range 0 a thread, whose loops run together
  or tiles of results, 8 x 8 a thread, of parts of a[i.8, j.10], x[call.7, j.10] in shared memory
    whose terms are taken in order
  or tiles of results, 8 x 8 a thread, of parts of a[i.1, j.4], t.2 in shared memory
    whose terms are taken in order
  loop 0 in -1, points: calls
  loop 1 in 0, points: n
  loop 2 in -1, points: calls
  loop 3 in 2, points: m
  loop 4 in 3, serial: 8 clocks: n
  loop 5 in -1, points: calls
  loop 6 in 5, points: n
  loop 7 in 6, serial: 8 clocks: m
  work by loops 2 3 4, 2 float64
  work by loops 5 6 7, 2 float64
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of a, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 loads of x, by loops 2 4: 1 in 0 of 2, 1 in 1 of 4
  1 stores of stored, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of y, by loops 5 6: 1 in 0 of 5, 1 in 1 of 6
  1 loads of stored, by loops 5 7: 1 in 0 of 5, 1 in 1 of 7
  1 loads of a, by loops 6 7: 1 in 0 of 7, 1 in 1 of 6
  1 stores of y, by loops 5 6: 1 in 0 of 5, 1 in 1 of 6
  each element
    spread call.5 in 0..calls, j.0 in 0..n
      y[call.5, j.0] = 0.0
    spread call.7 in 0..calls, i.8 in 0..m
      t.9 = 0.0
      for j.10 in 0..n, a series of t.9
        t.9 = t.9 + (a[i.8, j.10] * x[call.7, j.10])
      stored[call.7, i.8] = t.9
    sync blocks spread call.5 in 0..calls, j.4 in 0..n
      kept.6 = y[call.5, j.4]
      for i.1 in 0..m, a series of kept.6
        t.2 = 0.0
        t.2 = stored[call.5, i.1]
        kept.6 = kept.6 + (a[i.1, j.4] * t.2)
      y[call.5, j.4] = kept.6

number_of_a_row: float64(float64, float64)
  as  gufunc_fission_number_of_a_row_f8_f8f8
  in  a f8, x f8
  out y f8
  var j.0 i8, i.1 i8, t.2 f8, j.3 i8, j.4 i8, kept.5 f8, entry.6 i8, bin.7 i8, y.8 f8, term.9 f8,
      key.10 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  registers of a warp's lanes keep y, a lane for each index
  2 neighbours a thread, where side by side are elements of y
  loop 0 in -1, points: n
  loop 1 in -1, serial: m
  loop 2 in 1, serial: 8 clocks: n
  loop 3 in 1, points: n
  work by loops 1 2, 2 float64
  work by loops 1 3, 2 float64
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of a, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 loads of x, by loops 2: 1 in 0 of 2
  1 loads of y, by loops 3: 1 in 0 of 3
  1 loads of a, by loops 1 3: 1 in 0 of 1, 1 in 1 of 3
  1 stores of y, by loops 3: 1 in 0 of 3
  longest chain: 16 + 8 m + 8 n
  each element
    spread j.0 in 0..n
      y[j.0] = 0.0
    for i.1 in 0..m, dealt out to bins of y
      t.2 = 0.0
      for j.3 in 0..n, a series of t.2
        t.2 = t.2 + (a[i.1, j.3] * x[j.3])
      for j.4 in 0..n
        y[j.4] = y[j.4] + (a[i.1, j.4] * t.2)
      shared as
        sync blocks spread j.4 in 0..n
          y[j.4] = y[j.4] + (a[i.1, j.4] * t.2)

0copy: int64(int64)
  as  gufunc_fission_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_fission_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
