columns: (float32, float32)(float32, float32)
  as  gufunc_weighted_moments_columns_f4f4_f4f4_stored
  in  x f4, w f4
  out a f4, v f4, stored f4
  var s.0 f4, j.1 i8, i.2 i8, j.3 i8, j.4 i8, i.5 i8, j.6 i8, t.7 f4, t.8 f4, kept.9 f4, i.10 i8,
      j.11 i8, kept.12 f4, kept.13 f4, kept.14 f4, single.15 i8, stored.16 f4, a.17 f4,
      row.18 i8, v.19 f4, row.20 i8, factor.21 f4
  a thread, a warp or a block a call, or threads a point, in 5 phases
  4 neighbours a thread, where side by side are elements of a v
  4 neighbours a thread, where side by side are elements of a
  8 points of range 0 a thread, whose loops run together
  8 points of range 0 a thread, whose loops run together
  or tiles of results, 8 x 8 a thread, of parts of w[i.10], x[i.10, j.11] in shared memory
    whose terms are taken in order
  or tiles of results, 8 x 8 a thread, of parts of w[i.5], t.8 in shared memory
    whose terms are taken in order
  loop 0 in -1, points: n
  loop 1 in -1, points: 1
  loop 2 in 1, serial: 4 clocks: m
  loop 3 in -1, points: n
  loop 4 in 3, serial: 4 clocks: m
  loop 5 in -1, points: n
  loop 6 in -1, points: n
  loop 7 in 6, serial: 4 clocks: m
  work by loops 1 2, 1 float32
  work by loops 3 4, 2 float32
  work by loops 5, 8 float32, 1 special
  work by loops 6 7, 4 float32
  1 stores of a, by loops 0: 1 in 0 of 0
  1 stores of v, by loops 0: 1 in 0 of 0
  1 loads of w, by loops 2: 1 in 0 of 2
  1 stores of stored, by loops
  1 loads of a, by loops 3: 1 in 0 of 3
  1 loads of w, by loops 4: 1 in 0 of 4
  1 loads of x, by loops 3 4: 1 in 0 of 4, 1 in 1 of 3
  1 stores of a, by loops 3: 1 in 0 of 3
  1 loads of a, by loops 5: 1 in 0 of 5
  1 loads of stored, by loops
  1 stores of a, by loops 5: 1 in 0 of 5
  1 loads of v, by loops 6: 1 in 0 of 6
  1 loads of x, by loops 6 7: 1 in 0 of 7, 1 in 1 of 6
  1 loads of a, by loops 6: 1 in 0 of 6
  1 loads of w, by loops 7: 1 in 0 of 7
  1 stores of v, by loops 6: 1 in 0 of 6
  each element
    s.0 = 0.0
    spread j.1 in 0..n
      a[j.1] = 0.0
      v[j.1] = 0.0
    spread single.15 in 0..1
      s.0 = 0.0
      for i.2 in 0..m, a series of s.0
        s.0 = s.0 + w[i.2]
      stored[] = s.0
    sync blocks spread j.11 in 0..n
      kept.13 = a[j.11]
      for i.10 in 0..m, a series of kept.13
        kept.13 = kept.13 + (w[i.10] * x[i.10, j.11])
      a[j.11] = kept.13
    sync blocks spread j.4 in 0..n
      a[j.4] = a[j.4] / stored[]
    sync blocks spread j.6 in 0..n
      kept.14 = v[j.6]
      for i.5 in 0..m, a series of kept.14
        t.7 = x[i.5, j.6] - a[j.6]
        t.8 = t.7 * t.7
        kept.14 = kept.14 + (w[i.5] * t.8)
      v[j.6] = kept.14

columns: (float32, float32)(float32, float32)
  as  gufunc_weighted_moments_columns_f4f4_f4f4_stacked
  in  x f4, w f4
  out a f4, v f4, stored f4
  var s.0 f4, j.1 i8, i.2 i8, j.3 i8, j.4 i8, i.5 i8, j.6 i8, t.7 f4, t.8 f4, call.9 i8, i.10 i8,
      j.11 i8, kept.12 f4, kept.13 f4, kept.14 f4, stored.15 f4, a.16 f4, v.17 f4
  hosts go in it, and no GPU
  a thread, a warp or a block a call, or threads a point, in 5 phases
  4 neighbours a thread, where side by side are elements of a v, or from row to row
  4 neighbours a thread, where side by side are elements of a, or from row to row
  8 points of range 0 a thread, whose loops run together
  8 points of range 0 a thread, whose loops run together
  or 4 of range 0 by 4 of range 1
  or 4 of range 0 by 4 of range 1
  or tiles of results, 8 x 8 a thread, of parts of w[call.9, i.10], x[i.10, j.11] in shared memory
    whose terms are taken in order
  loop 0 in -1, points: calls
  loop 1 in 0, points: n
  loop 2 in -1, points: calls
  loop 3 in 2, serial: 4 clocks: m
  loop 4 in -1, points: calls
  loop 5 in 4, points: n
  loop 6 in 5, serial: 4 clocks: m
  loop 7 in -1, points: calls
  loop 8 in 7, points: n
  loop 9 in -1, points: calls
  loop 10 in 9, points: n
  loop 11 in 10, serial: 4 clocks: m
  work by loops 2 3, 1 float32
  work by loops 4 5 6, 2 float32
  work by loops 7 8, 8 float32, 1 special
  work by loops 9 10 11, 4 float32
  1 stores of a, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of v, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of w, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 stores of stored, by loops 2: 1 in 0 of 2
  1 loads of a, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  1 loads of w, by loops 4 6: 1 in 0 of 4, 1 in 1 of 6
  1 loads of x, by loops 5 6: 1 in 0 of 6, 1 in 1 of 5
  1 stores of a, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  1 loads of a, by loops 7 8: 1 in 0 of 7, 1 in 1 of 8
  1 loads of stored, by loops 7: 1 in 0 of 7
  1 stores of a, by loops 7 8: 1 in 0 of 7, 1 in 1 of 8
  1 loads of v, by loops 9 10: 1 in 0 of 9, 1 in 1 of 10
  1 loads of x, by loops 10 11: 1 in 0 of 11, 1 in 1 of 10
  1 loads of a, by loops 9 10: 1 in 0 of 9, 1 in 1 of 10
  1 loads of w, by loops 9 11: 1 in 0 of 9, 1 in 1 of 11
  1 stores of v, by loops 9 10: 1 in 0 of 9, 1 in 1 of 10
  each element
    spread call.9 in 0..calls, j.1 in 0..n
      a[call.9, j.1] = 0.0
      v[call.9, j.1] = 0.0
    spread call.9 in 0..calls
      s.0 = 0.0
      for i.2 in 0..m, a series of s.0
        s.0 = s.0 + w[call.9, i.2]
      stored[call.9] = s.0
    sync blocks spread call.9 in 0..calls, j.11 in 0..n
      kept.13 = a[call.9, j.11]
      for i.10 in 0..m, a series of kept.13
        kept.13 = kept.13 + (w[call.9, i.10] * x[i.10, j.11])
      a[call.9, j.11] = kept.13
    sync blocks spread call.9 in 0..calls, j.4 in 0..n
      a[call.9, j.4] = a[call.9, j.4] / stored[call.9]
    sync blocks spread call.9 in 0..calls, j.6 in 0..n
      kept.14 = v[call.9, j.6]
      for i.5 in 0..m, a series of kept.14
        t.7 = x[i.5, j.6] - a[call.9, j.6]
        t.8 = t.7 * t.7
        kept.14 = kept.14 + (w[call.9, i.5] * t.8)
      v[call.9, j.6] = kept.14

columns: (float32, float32)(float32, float32)
  as  gufunc_weighted_moments_columns_f4f4_f4f4
  in  x f4, w f4
  out a f4, v f4
  var s.0 f4, j.1 i8, i.2 i8, j.3 i8, j.4 i8, i.5 i8, j.6 i8, t.7 f4, t.8 f4, bin.9 i8, v.10 f4,
      term.11 f4, key.12 i8
  one thread a call
  registers of a warp's lanes keep a v, a lane for each index
  loop 0 in -1, points: n
  loop 1 in -1, serial: 4 clocks: m
  loop 2 in 1, points: n
  loop 3 in -1, points: n
  loop 4 in -1, serial: m
  loop 5 in 4, points: n
  work by loops 1, 1 float32
  work by loops 1 2, 2 float32
  work by loops 3, 8 float32, 1 special
  work by loops 4 5, 4 float32
  1 stores of a, by loops 0: 1 in 0 of 0
  1 stores of v, by loops 0: 1 in 0 of 0
  2 loads of w, by loops 1: 1 in 0 of 1
  1 loads of a, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 stores of a, by loops 2: 1 in 0 of 2
  1 loads of a, by loops 3: 1 in 0 of 3
  1 stores of a, by loops 3: 1 in 0 of 3
  1 loads of x, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  1 loads of a, by loops 5: 1 in 0 of 5
  1 loads of v, by loops 5: 1 in 0 of 5
  1 loads of w, by loops 4: 1 in 0 of 4
  1 stores of v, by loops 5: 1 in 0 of 5
  longest chain: 36 + 8 m
  each element
    s.0 = 0.0
    for j.1 in 0..n
      a[j.1] = 0.0
      v[j.1] = 0.0
    shared as
      spread j.1 in 0..n
        a[j.1] = 0.0
        v[j.1] = 0.0
    for i.2 in 0..m
      s.0 = s.0 + w[i.2]
      for j.3 in 0..n
        a[j.3] = a[j.3] + (w[i.2] * x[i.2, j.3])
      shared as
        sync blocks spread j.3 in 0..n
          a[j.3] = a[j.3] + (w[i.2] * x[i.2, j.3])
    for j.4 in 0..n
      a[j.4] = a[j.4] / s.0
    shared as
      sync blocks spread j.4 in 0..n
        a[j.4] = a[j.4] / s.0
    for i.5 in 0..m
      for j.6 in 0..n
        t.7 = x[i.5, j.6] - a[j.6]
        t.8 = t.7 * t.7
        v[j.6] = v[j.6] + (w[i.5] * t.8)
      shared as
        sync blocks spread j.6 in 0..n
          t.7 = x[i.5, j.6] - a[j.6]
          t.8 = t.7 * t.7
          v[j.6] = v[j.6] + (w[i.5] * t.8)

covariance: float64(float64, float64)
  as  gufunc_weighted_moments_covariance_f8_f8f8_stored
  in  x f8, w f8
  out c f8, m f8, stored f8
  var s.0 f8, i.1 i8, a.2 i8, a.3 i8, a.4 i8, b.5 i8, i.6 i8, a.7 i8, d.8 f8, b.9 i8, m.10 i8,
      kept.11 f8, i.12 i8, a.13 i8, kept.14 f8, kept.15 f8, kept.16 f8, single.17 i8,
      stored.18 f8, m.19 f8, row.20 i8, c.21 f8, factor.22 f8, factor.23 f8
  a thread, a warp or a block a call, or threads a point, in 6 phases
  8 points of range 0 a thread, whose loops run together
  4 points of range 0 a thread, whose loops run together
  or tiles of results, 8 x 8 a thread, of parts of w[i.12], x[i.12, a.13] in shared memory
    whose terms are taken in order
  or tiles of results, 8 x 4 a thread, of parts of w[i.6] * d.8, x[i.6, b.9] - m[b.9] in shared memory
    whose terms are taken in order
  loop 0 in -1, points: 3
  loop 1 in -1, points: 1
  loop 2 in 1, serial: 8 clocks: n
  loop 3 in -1, points: 3
  loop 4 in 3, serial: 8 clocks: n
  loop 5 in -1, points: 3
  loop 6 in -1, points: 3
  loop 7 in 6, points: 3
  loop 8 in -1, points: 3
  loop 9 in 8, points: 3
  loop 10 in 9, serial: 8 clocks: n
  work by loops 1 2, 1 float64
  work by loops 3 4, 2 float64
  work by loops 5, 8 float64, 1 special
  work by loops 8 10, 2 float64
  work by loops 8 9 10, 10 float64, 1 special
  work by loops 9 10, 1 float64
  1 stores of m, by loops 0: 1 in 0 of 0
  1 loads of w, by loops 2: 1 in 0 of 2
  1 stores of stored, by loops
  1 loads of m, by loops 3: 1 in 0 of 3
  1 loads of w, by loops 4: 1 in 0 of 4
  1 loads of x, by loops 3 4: 1 in 0 of 4, 1 in 1 of 3
  1 stores of m, by loops 3: 1 in 0 of 3
  1 loads of m, by loops 5: 1 in 0 of 5
  1 loads of stored, by loops
  1 stores of m, by loops 5: 1 in 0 of 5
  1 stores of c, by loops 6 7: 1 in 0 of 6, 1 in 1 of 7
  1 loads of c, by loops 8 9: 1 in 0 of 8, 1 in 1 of 9
  1 loads of x, by loops 8 10: 1 in 0 of 10, 1 in 1 of 8
  1 loads of m, by loops 8: 1 in 0 of 8
  1 loads of w, by loops 10: 1 in 0 of 10
  1 loads of x, by loops 9 10: 1 in 0 of 10, 1 in 1 of 9
  1 loads of m, by loops 9: 1 in 0 of 9
  1 loads of stored, by loops
  1 stores of c, by loops 8 9: 1 in 0 of 8, 1 in 1 of 9
  each element
    s.0 = 0.0
    spread m.10 in 0..3
      m[m.10] = 0.0
    spread single.17 in 0..1
      s.0 = 0.0
      for i.1 in 0..n, a series of s.0
        s.0 = s.0 + w[i.1]
      stored[] = s.0
    sync blocks spread a.13 in 0..3
      kept.15 = m[a.13]
      for i.12 in 0..n, a series of kept.15
        kept.15 = kept.15 + (w[i.12] * x[i.12, a.13])
      m[a.13] = kept.15
    sync blocks spread a.3 in 0..3
      m[a.3] = m[a.3] / stored[]
    spread a.4 in 0..3, b.5 in 0..3
      c[a.4, b.5] = 0.0
    sync blocks spread a.7 in 0..3, b.9 in 0..3
      kept.16 = c[a.7, b.9]
      for i.6 in 0..n, a series of kept.16
        d.8 = x[i.6, a.7] - m[a.7]
        kept.16 = kept.16 + (((w[i.6] * d.8) * (x[i.6, b.9] - m[b.9])) / stored[])
      c[a.7, b.9] = kept.16

covariance: float64(float64, float64)
  as  gufunc_weighted_moments_covariance_f8_f8f8
  in  x f8, w f8
  out c f8
  var s.0 f8, i.1 i8, a.2 i8, a.3 i8, a.4 i8, b.5 i8, i.6 i8, a.7 i8, d.8 f8, b.9 i8, entry.10 i8,
      bin.11 i8, bin.12 i8, c.13 f8, term.14 f8, key.15 i8
  one thread a call
  loop 0 in -1, serial: 8 clocks: n
  loop 1 in 0, serial: 3
  loop 2 in -1, serial: 3
  loop 3 in -1, points: 3
  loop 4 in 3, points: 3
  loop 5 in -1, serial: n
  loop 6 in 5, points: 3
  loop 7 in 6, serial: 3
  work by loops 0, 1 float64
  work by loops 0 1, 2 float64
  work by loops 2, 8 float64, 1 special
  work by loops 5 6, 2 float64
  work by loops 5 6 7, 10 float64, 1 special
  work by loops 5 7, 1 float64
  2 loads of w, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of c, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 loads of x, by loops 5 6: 1 in 0 of 5, 1 in 1 of 6
  1 loads of c, by loops 6 7: 1 in 0 of 6, 1 in 1 of 7
  1 loads of w, by loops 5: 1 in 0 of 5
  1 loads of x, by loops 5 7: 1 in 0 of 5, 1 in 1 of 7
  1 stores of c, by loops 6 7: 1 in 0 of 6, 1 in 1 of 7
  longest chain: 108 + 16 n
  each element
    s.0 = 0.0
    clear m
    for i.1 in 0..n
      s.0 = s.0 + w[i.1]
      for a.2 in 0..3
        m[a.2] = m[a.2] + (w[i.1] * x[i.1, a.2])
    for a.3 in 0..3
      m[a.3] = m[a.3] / s.0
    for a.4 in 0..3
      for b.5 in 0..3
        c[a.4, b.5] = 0.0
    shared as
      spread a.4 in 0..3, b.5 in 0..3
        c[a.4, b.5] = 0.0
    sync blocks for i.6 in 0..n
      for a.7 in 0..3
        d.8 = x[i.6, a.7] - m[a.7]
        for b.9 in 0..3
          c[a.7, b.9] = c[a.7, b.9] + (((w[i.6] * d.8) * (x[i.6, b.9] - m[b.9])) / s.0)
      shared as
        sync row a.7 spread a.7 in 0..3
          d.8 = x[i.6, a.7] - m[a.7]
          for b.9 in 0..3
            c[a.7, b.9] = c[a.7, b.9] + (((w[i.6] * d.8) * (x[i.6, b.9] - m[b.9])) / s.0)

0copy: float32(float32)
  as  gufunc_weighted_moments_0copy_f4_f4
  in  x f4
  out out f4
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_weighted_moments_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
