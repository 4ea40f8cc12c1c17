nearest: (float64, int64, float64)(int64, int64)
  as  gufunc_rows_found_nearest_f8i8f8_i8i8_stored
  in  x i8, z i8
  out m f8, h i8, w f8, stored i8, stored i8, stored i8, stored i8, stored i8, stored i8, stored i8
  var a.0 i8, b.1 i8, a.2 i8, a.3 i8, i.4 i8, best.5 i8, least.6 i8, a.7 i8, s.8 i8, b.9 i8, b.10 i8,
      best.11 i8, other.12 i8, least.13 i8, other.14 i8, turn.15 i8, later.16 i8, a.17 i8,
      s.18 i8, b.19 i8, i.20 i8, best.21 i8, least.22 i8, i.23 i8, best.24 i8, least.25 i8,
      key.26 i8, key.27 i8, i.28 i8, best.29 i8, least.30 i8, key.31 i8, run.32 i8, i.33 i8,
      best.34 i8, least.35 i8, key.36 i8, b.37 i8, turn.38 i8, i.39 i8, best.40 i8,
      least.41 i8, m.42 f8, run.43 i4, other.44 i4, run.45 i8, other.46 i8, key.47 i8,
      run.48 i8, i.49 i8, a.50 i8, s.51 i8, b.52 i8, bin.53 i8, w.54 f8, term.55 f8, key.56 i8,
      bin.57 i8, stored.58 i8, result.59 i8, number.60 i4, key.61 i8, stored.62 i8,
      factor.63 i8
  a thread, a warp or a block a call, or threads a point, in 11 phases
  2 neighbours a thread, where side by side are elements of m, or from row to row
  2 neighbours a thread, where side by side are elements of h w
  2 neighbours a thread, where side by side are elements of stored
  4 points of range 0 a thread, whose loops run together
  or tiles of results, 8 x 4 a thread, of parts of (x[i.49, b.52] * 7919) % 13, z[a.50, b.52] in shared memory
    whose terms are taken in order
  loop 0 in -1, points: k
  loop 1 in 0, points: d
  loop 2 in -1, points: k
  loop 3 in -1, points: n
  loop 4 in 3, points: k
  loop 5 in 4, serial: d
  loop 6 in -1, points: n
  loop 7 in 6, reduction: k
  loop 8 in -1, points: n
  loop 9 in -1, serial: n
  loop 10 in -1, points: k
  loop 11 in -1, serial: n
  loop 12 in -1, points: k
  loop 13 in -1, points: n
  loop 14 in -1, points: k
  loop 15 in 14, points: d
  loop 16 in 15, serial: 16 clocks: n k + 1 - k // 0 - 0 max
  work by loops 3 4 5, 6 integer
  work by loops 3 5, 22 integer
  work by loops 6 7, 2 integer
  work by loops 6, 2 integer
  work by loops 8, 2 integer
  work by loops 9, 2 float64, 1 special
  work by loops 11, 2 integer
  work by loops 12, 4 integer
  work by loops 13, 2 integer
  work by loops 14 15 16, 2 float64, 4 integer, 1 special
  1 stores of m, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of h, by loops 2: 1 in 0 of 2
  1 stores of w, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 3 5: 1 in 0 of 3, 1 in 1 of 5
  1 loads of z, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  1 stores of stored, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 loads of stored, by loops 6 7: 1 in 0 of 6, 1 in 1 of 7
  1 stores of stored, by loops 6: 1 in 0 of 6
  1 stores of stored, by loops 6: 1 in 0 of 6
  1 loads of stored, by loops 8: 1 in 0 of 8
  1 loads of stored, by loops 8: 1 in 0 of 8
  1 loads of h, by loops 8, irregular
  1 stores of h, by loops 8, irregular
  1 loads of stored, by loops 9: 1 in 0 of 9
  1 loads of stored, by loops 9: 1 in 0 of 9
  1 loads of w, by loops 9, irregular
  1 stores of w, by loops 9, irregular
  1 stores of stored, by loops 10: 1 in 0 of 10
  1 loads of stored, by loops 11: 1 in 0 of 11
  1 loads of stored, by loops 11: 1 in 0 of 11
  2 loads of stored, by loops 11, irregular
  1 stores of stored, by loops 11: 1 in 0 of 11
  1 stores of stored, by loops 11, irregular
  1 stores of stored, by loops 12: 1 in 0 of 12
  1 loads of stored, by loops 12: 1 in 0 of 12
  1 loads of stored, by loops 13: 1 in 0 of 13
  1 loads of stored, by loops 13: 1 in 0 of 13
  1 loads of stored, by loops 13, irregular
  1 loads of stored, by loops 13: 1 in 0 of 13
  1 stores of stored, by loops 13, irregular
  1 loads of m, by loops 14 15: 1 in 0 of 14, 1 in 1 of 15
  1 loads of stored, by loops 14 16: 1 in 0 of 16, irregular
  1 loads of stored, by loops 14 16, irregular
  1 loads of stored, by loops 14 16, irregular
  1 loads of x, by loops 14 15 16: 1 in 1 of 15, irregular
  1 stores of m, by loops 14 15: 1 in 0 of 14, 1 in 1 of 15
  each element
    spread a.0 in 0..k, b.1 in 0..d
      m[a.0, b.1] = 0.0
    spread a.2 in 0..k
      h[a.2] = 0
      w[a.2] = 1.0
    spread i.49 in 0..n, a.50 in 0..k
      s.51 = 0
      for b.52 in 0..d, a series of s.51
        s.51 = s.51 + abs(((x[i.49, b.52] * 7919) % 13) - z[a.50, b.52])
      stored[i.49, a.50] = s.51
    sync blocks portions spread i.4 in 0..n
      best.5 = 0
      least.6 = 1000000
      best.11 = 0
      least.13 = 9223372036854775807
      turn.15 = 9223372036854775807
      portions each a.17 in 0..k to best.11, least.13, turn.15
        s.18 = 0
        s.18 = stored[i.4, a.17]
        if s.18 < least.13
          turn.15 = a.17
          least.13 = s.18
          best.11 = a.17
      join
        if (other.14 < least.13) or ((other.14 == least.13) and (later.16 < turn.15))
          best.11 = other.12
          least.13 = other.14
          turn.15 = later.16
      if least.13 < least.6
        best.5 = best.11
        least.6 = least.13
      stored[i.4] = best.5
      stored[i.4] = least.6
    sync blocks spread i.20 in 0..n
      best.21 = stored[i.20]
      least.22 = stored[i.20]
      h[best.21] = h[best.21] + 1
    alone for i.23 in 0..n, dealt out to bins of w
      alone best.24 = stored[i.23]
      alone least.25 = stored[i.23]
      w[best.24] = (w[best.24] * 0.75) + f8(least.25)
    spread key.27 in 0..k
      stored[key.27] = 0
    sync blocks alone for i.28 in 0..n, dealt out to bins of stored
      alone best.29 = stored[i.28]
      alone least.30 = stored[i.28]
      alone if 0 < d
        stored[i.28] = stored[best.29]
        stored[best.29] = stored[best.29] + 1
    run.32 = 0
    run.43 = 0
    run.45 = 0
    sync blocks scan key.47 in 0..k to run.45
      run.48 = run.32 + run.45
      stored[key.47] = run.48
      run.45 = run.45 + stored[key.47]
    join
      run.45 = run.45 + other.46
    sync blocks spread i.33 in 0..n
      best.34 = stored[i.33]
      least.35 = stored[i.33]
      if 0 < d
        stored[stored[best.34] + stored[i.33]] = i.33
    sync blocks spread key.36 in 0..k, b.37 in 0..d
      m.42 = m[key.36, b.37]
      for turn.38 in stored[key.36]..(stored[key.36] + stored[key.36])
        i.39 = stored[turn.38]
        best.40 = stored[i.39]
        least.41 = stored[i.39]
        m.42 = (m.42 * 0.5) + f8(x[i.39, b.37] * least.41)
      m[key.36, b.37] = m.42

nearest: (float64, int64, float64)(int64, int64)
  as  gufunc_rows_found_nearest_f8i8f8_i8i8
  in  x i8, z i8
  out m f8, h i8, w f8
  var a.0 i8, b.1 i8, a.2 i8, a.3 i8, i.4 i8, best.5 i8, least.6 i8, a.7 i8, s.8 i8, b.9 i8, b.10 i8,
      best.11 i8, other.12 i8, least.13 i8, other.14 i8, turn.15 i8, later.16 i8, a.17 i8,
      s.18 i8, b.19 i8, bin.20 i8, h.21 i8, key.22 i8, entry.23 i8, bin.24 i8, bin.25 i8,
      m.26 f8, term.27 f8, key.28 i8, w.29 f8, key.30 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  2 neighbours a thread, where side by side are elements of m, or from row to row
  2 neighbours a thread, where side by side are elements of h w
  loop 0 in -1, points: k
  loop 1 in 0, points: d
  loop 2 in -1, points: k
  loop 3 in -1, serial: n
  loop 4 in 3, reduction: k
  loop 5 in 4, serial: d
  loop 6 in 3, points: d
  work by loops 3 4 5, 6 integer
  work by loops 3 5, 22 integer
  work by loops 3 4, 2 integer
  work by loops 3, 2 float64, 4 integer, 1 special
  work by loops 3 6, 2 float64, 4 integer, 1 special
  1 stores of m, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of h, by loops 2: 1 in 0 of 2
  1 stores of w, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 3 5: 1 in 0 of 3, 1 in 1 of 5
  1 loads of z, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  1 loads of h, by loops 3, irregular
  1 stores of h, by loops 3, irregular
  1 loads of m, by loops 3 6: 1 in 1 of 6, irregular
  1 loads of x, by loops 3 6: 1 in 0 of 3, 1 in 1 of 6
  1 stores of m, by loops 3 6: 1 in 1 of 6, irregular
  1 loads of w, by loops 3, irregular
  1 stores of w, by loops 3, irregular
  longest chain: 16 n d / k / d, or 16 n / k
  each element
    spread a.0 in 0..k, b.1 in 0..d
      m[a.0, b.1] = 0.0
    spread a.2 in 0..k
      h[a.2] = 0
      w[a.2] = 1.0
    sync blocks for i.4 in 0..n, dealt out to bins of h, m, w
      best.5 = 0
      least.6 = 1000000
      best.11 = 0
      least.13 = 9223372036854775807
      turn.15 = 9223372036854775807
      portions spread a.17 in 0..k to best.11, least.13, turn.15
        s.18 = 0
        for b.19 in 0..d
          s.18 = s.18 + abs(((x[i.4, b.19] * 7919) % 13) - z[a.17, b.19])
        if s.18 < least.13
          turn.15 = a.17
          least.13 = s.18
          best.11 = a.17
      join
        if (other.14 < least.13) or ((other.14 == least.13) and (later.16 < turn.15))
          best.11 = other.12
          least.13 = other.14
          turn.15 = later.16
      if least.13 < least.6
        best.5 = best.11
        least.6 = least.13
      sync h[best.5] = h[best.5] + 1
      for b.10 in 0..d
        m[best.5, b.10] = (m[best.5, b.10] * 0.5) + f8(x[i.4, b.10] * least.6)
      shared as
        row best.5 spread b.10 in 0..d
          m[best.5, b.10] = (m[best.5, b.10] * 0.5) + f8(x[i.4, b.10] * least.6)
      w[best.5] = (w[best.5] * 0.75) + f8(least.6)

changes: (int64, int64, int64, int64)(int64, int8)
  as  gufunc_rows_found_changes_i8i8i8i8_i8i1_stored
  in  x i8, z i1
  out m i8, g i8, h i8, last i8, stored i8, stored i8, stored i8, stored i8, stored i8, stored i8
  var a.0 i8, b.1 i8, a.2 i8, a.3 i8, q.4 i8, i.5 i8, b.6 i8, i.7 i8, key.8 i8, key.9 i8, i.10 i8,
      key.11 i8, run.12 i8, i.13 i8, key.14 i8, b.15 i8, turn.16 i8, i.17 i8, m.18 i8,
      run.19 i4, other.20 i4, run.21 i8, other.22 i8, key.23 i8, run.24 i8, single.25 i8,
      bin.26 i8, stored.27 i8, result.28 i8, number.29 i4, key.30 i8
  a thread, a warp or a block a call, or threads a point, in 8 phases
  2 neighbours a thread, where side by side are elements of m, or from row to row
  2 neighbours a thread, where side by side are elements of g h
  2 neighbours a thread, where side by side are elements of stored
  loop 0 in -1, points: k
  loop 1 in 0, points: d
  loop 2 in -1, points: k
  loop 3 in -1, points: 1
  loop 4 in 3, serial: n
  loop 5 in -1, points: k
  loop 6 in -1, serial: n
  loop 7 in -1, points: k
  loop 8 in -1, points: n
  loop 9 in -1, points: k
  loop 10 in 9, points: d
  loop 11 in 10, serial: n k + 1 - k // 0 - 0 max
  work by loops 3 4, 76 integer
  work by loops 4, 20 integer
  work by loops 6, 2 integer
  work by loops 7, 4 integer
  work by loops 8, 2 integer
  work by loops 9 10 11, 6 integer
  1 stores of m, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of g, by loops 2: 1 in 0 of 2
  1 stores of h, by loops 2: 1 in 0 of 2
  1 loads of g, by loops 3 4, irregular
  1 stores of g, by loops 3 4, irregular
  3 loads of x, by loops 4: 1 in 0 of 4
  1 stores of stored, by loops 4: 1 in 0 of 4
  1 loads of h, by loops 3 4, irregular
  1 stores of h, by loops 3 4, irregular
  1 stores of stored, by loops
  1 stores of stored, by loops 5: 1 in 0 of 5
  3 loads of stored, by loops 6: 1 in 0 of 6
  2 loads of stored, by loops 6, irregular
  1 stores of stored, by loops 6: 1 in 0 of 6
  1 stores of stored, by loops 6, irregular
  1 stores of stored, by loops 7: 1 in 0 of 7
  1 loads of stored, by loops 7: 1 in 0 of 7
  1 loads of stored, by loops 8: 1 in 0 of 8
  1 loads of stored, by loops 8, irregular
  1 loads of stored, by loops 8: 1 in 0 of 8
  1 stores of stored, by loops 8, irregular
  1 loads of m, by loops 9 10: 1 in 0 of 9, 1 in 1 of 10
  1 loads of stored, by loops 9 11: 1 in 0 of 11, irregular
  1 loads of x, by loops 9 11, irregular
  1 stores of m, by loops 9 10: 1 in 0 of 9, 1 in 1 of 10
  1 loads of stored, by loops
  1 stores of last, by loops
  each element
    spread a.0 in 0..k, b.1 in 0..d
      m[a.0, b.1] = 0
    spread a.2 in 0..k
      g[a.2] = 0
      h[a.2] = 0
    q.4 = 0
    sync blocks spread single.25 in 0..1
      q.4 = 0
      for i.5 in 0..n
        g[q.4] = (g[q.4] * 3) + i.5
        if (x[i.5] % 3) > 0
          q.4 = (q.4 + x[i.5]) % k
        else
          q.4 = (x[i.5] * 7) % k
        stored[i.5] = q.4
        q.4 = (q.4 + 1) % k
        h[q.4] = (h[q.4] * 5) + i.5
      stored[] = q.4
    spread key.9 in 0..k
      stored[key.9] = 0
    sync blocks alone for i.10 in 0..n, dealt out to bins of stored
      alone if 0 < d
        stored[i.10] = stored[stored[i.10]]
        stored[stored[i.10]] = stored[stored[i.10]] + 1
    run.12 = 0
    run.19 = 0
    run.21 = 0
    sync blocks scan key.23 in 0..k to run.21
      run.24 = run.12 + run.21
      stored[key.23] = run.24
      run.21 = run.21 + stored[key.23]
    join
      run.21 = run.21 + other.22
    sync blocks spread i.13 in 0..n
      if 0 < d
        stored[stored[stored[i.13]] + stored[i.13]] = i.13
    sync blocks spread key.14 in 0..k, b.15 in 0..d
      m.18 = m[key.14, b.15]
      for turn.16 in stored[key.14]..(stored[key.14] + stored[key.14])
        i.17 = stored[turn.16]
        m.18 = ((m.18 * 3) + x[i.17]) + b.15
      m[key.14, b.15] = m.18
    last[] = stored[]

changes: (int64, int64, int64, int64)(int64, int8)
  as  gufunc_rows_found_changes_i8i8i8i8_i8i1
  in  x i8, z i1
  out m i8, g i8, h i8, last i8
  var a.0 i8, b.1 i8, a.2 i8, a.3 i8, q.4 i8, i.5 i8, b.6 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: k
  loop 1 in 0, points: d
  loop 2 in -1, points: k
  loop 3 in -1, serial: n
  loop 4 in 3, points: d
  work by loops 3, 96 integer
  work by loops 3 4, 6 integer
  1 stores of m, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of g, by loops 2: 1 in 0 of 2
  1 stores of h, by loops 2: 1 in 0 of 2
  1 loads of g, by loops 3, irregular
  1 stores of g, by loops 3, irregular
  4 loads of x, by loops 3: 1 in 0 of 3
  1 loads of m, by loops 3 4: 1 in 1 of 4, irregular
  1 stores of m, by loops 3 4: 1 in 1 of 4, irregular
  1 loads of h, by loops 3, irregular
  1 stores of h, by loops 3, irregular
  1 stores of last, by loops
  each element
    spread a.0 in 0..k, b.1 in 0..d
      m[a.0, b.1] = 0
    spread a.2 in 0..k
      g[a.2] = 0
      h[a.2] = 0
    q.4 = 0
    sync blocks for i.5 in 0..n
      sync g[q.4] = (g[q.4] * 3) + i.5
      if (x[i.5] % 3) > 0
        q.4 = (q.4 + x[i.5]) % k
      else
        q.4 = (x[i.5] * 7) % k
      for b.6 in 0..d
        m[q.4, b.6] = ((m[q.4, b.6] * 3) + x[i.5]) + b.6
      shared as
        row q.4 spread b.6 in 0..d
          m[q.4, b.6] = ((m[q.4, b.6] * 3) + x[i.5]) + b.6
      q.4 = (q.4 + 1) % k
      h[q.4] = (h[q.4] * 5) + i.5
    last[] = q.4

two: (int64, int64, int64)(int64, int8)
  as  gufunc_rows_found_two_i8i8i8_i8i1
  in  x i8, z i1
  out m i8, y i8, h i8
  var a.0 i8, b.1 i8, a.2 i8, b.3 i8, a.4 i8, i.5 i8, p.6 i8, both.7 b1, b.8 i8, q.9 i8, a.10 i8,
      b.11 i8, q.12 i8, other.13 i8, a.14 i8, entry.15 i8, bin.16 i8, bin.17 i8, m.18 i8,
      term.19 i8, key.20 i8, bin.21 i8, h.22 i8, key.23 i8, key.24 i8, entry.25 i8, y.26 i8,
      term.27 i8, key.28 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  2 neighbours a thread, where side by side are elements of m y, or from row to row
  2 neighbours a thread, where side by side are elements of h
  loop 0 in -1, points: k
  loop 1 in 0, points: d
  loop 2 in -1, points: k
  loop 3 in -1, serial: n
  loop 4 in 3, serial, may end: ?
  loop 5 in 3, points: d
  loop 6 in 3, reduction: ?
  loop 7 in 3, points: d
  work by loops 3 4, 12 integer
  work by loops 3, 60 integer
  work by loops 3 5, 4 integer
  work by loops 3 6, 34 integer
  work by loops 3 7, 10 integer
  1 stores of m, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of h, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 3: 1 in 0 of 3
  1 loads of m, by loops 3 5: 1 in 1 of 5, irregular
  1 loads of x, by loops 3 5: 1 in 0 of 3, 1 in 1 of 5
  1 stores of m, by loops 3 5: 1 in 1 of 5, irregular
  1 loads of x, by loops 3: 1 in 0 of 3
  2 loads of h, by loops 3, irregular
  2 stores of h, by loops 3, irregular
  1 loads of y, by loops 3 7: 1 in 1 of 7, irregular
  1 loads of x, by loops 3 7: 1 in 0 of 3, 1 in 1 of 7
  1 stores of y, by loops 3 7: 1 in 1 of 7, irregular
  each element
    spread a.0 in 0..k, b.1 in 0..d
      m[a.0, b.1] = 0
      y[a.0, b.1] = 1
    spread a.4 in 0..k
      h[a.4] = 0
    sync blocks for i.5 in 0..n, dealt out to bins of m, h, y
      p.6 = 0
      block 0
        loop
          both.7 = (p.6 + 1) < k
          if both.7
            both.7 = ((x[i.5, 0] * 31) % 17) > (p.6 * 3)
          if both.7
            p.6 = p.6 + 1
          else
            leave block 0
      for b.8 in 0..d
        m[p.6, b.8] = (m[p.6, b.8] * 3) + x[i.5, b.8]
      shared as
        sync row p.6 spread b.8 in 0..d
          m[p.6, b.8] = (m[p.6, b.8] * 3) + x[i.5, b.8]
      q.9 = 0
      q.12 = 0
      portions spread a.14 in 0..p.6 to q.12
        q.12 = q.12 + (x[i.5, d - 1] % (a.14 + 2))
      join
        q.12 = q.12 + other.13
      q.9 = q.9 + q.12
      q.9 = q.9 % k
      h[p.6] = h[p.6] + q.9
      h[q.9] = h[q.9] + 1
      for b.11 in 0..d
        y[q.9, b.11] = ((y[q.9, b.11] * 5) + (x[i.5, b.11] * p.6)) + q.9
      shared as
        row q.9 spread b.11 in 0..d
          y[q.9, b.11] = ((y[q.9, b.11] * 5) + (x[i.5, b.11] * p.6)) + q.9

centres: (float64, int32, float64, int64)(int64, int8)
  as  gufunc_rows_found_centres_f8i4f8i8_i8i1_stored
  in  x i8, z i1
  out m f8, h i4, total f8, most i8, stored i8, stored i8, stored i8, stored i8, stored i8,
      stored i8
  var a.0 i8, b.1 i8, a.2 i8, i.3 i8, best.4 i8, least.5 i8, a.6 i8, s.7 i8, b.8 i8, acc.9 i4,
      other.10 i4, a.11 i8, value.12 i4, result.13 i4, best.14 i8, other.15 i8, least.16 i8,
      other.17 i8, turn.18 i8, later.19 i8, a.20 i8, s.21 i8, i.22 i8, best.23 i8, least.24 i8,
      key.25 i8, key.26 i8, i.27 i8, best.28 i8, least.29 i8, key.30 i8, run.31 i8, i.32 i8,
      best.33 i8, least.34 i8, key.35 i8, b.36 i8, turn.37 i8, i.38 i8, best.39 i8,
      least.40 i8, m.41 f8, run.42 i4, other.43 i4, run.44 i8, other.45 i8, key.46 i8,
      run.47 i8, bin.48 i8, stored.49 i8, result.50 i8, number.51 i4, key.52 i8
  a thread, a warp or a block a call, or threads a point, in 10 phases
  2 neighbours a thread, where side by side are elements of m, or from row to row
  4 neighbours a thread, where side by side are elements of h
  2 neighbours a thread, where side by side are elements of stored
  loop 0 in -1, points: k
  loop 1 in 0, points: d
  loop 2 in -1, points: k
  loop 3 in -1, points: n
  loop 4 in 3, reduction: k
  loop 5 in -1, points: n
  loop 6 in -1, points: k
  loop 7 in -1, serial: n
  loop 8 in -1, points: k
  loop 9 in -1, points: n
  loop 10 in -1, points: k
  loop 11 in 10, points: d
  loop 12 in 11, serial: 8 clocks: n k + 1 - k // 0 - 0 max
  loop 13 in -1, reduction: k
  work by loops 3 4, 4 integer
  work by loops 3, 24 integer
  work by loops 5, 1 integer
  work by loops 7, 2 integer
  work by loops 8, 4 integer
  work by loops 9, 2 integer
  work by loops 10 11 12, 3 float64, 1 special
  work by loops 10 12, 1 special
  work by loops, 2 float64
  work by loops 13, 3 integer
  1 stores of m, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of h, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 3: 1 in 0 of 3
  1 stores of stored, by loops 3: 1 in 0 of 3
  1 stores of stored, by loops 3: 1 in 0 of 3
  1 loads of stored, by loops 5: 1 in 0 of 5
  1 loads of stored, by loops 5: 1 in 0 of 5
  1 loads of h, by loops 5, irregular
  1 stores of h, by loops 5, irregular
  1 stores of stored, by loops 6: 1 in 0 of 6
  1 loads of stored, by loops 7: 1 in 0 of 7
  1 loads of stored, by loops 7: 1 in 0 of 7
  2 loads of stored, by loops 7, irregular
  1 stores of stored, by loops 7: 1 in 0 of 7
  1 stores of stored, by loops 7, irregular
  1 stores of stored, by loops 8: 1 in 0 of 8
  1 loads of stored, by loops 8: 1 in 0 of 8
  1 loads of stored, by loops 9: 1 in 0 of 9
  1 loads of stored, by loops 9: 1 in 0 of 9
  1 loads of stored, by loops 9, irregular
  1 loads of stored, by loops 9: 1 in 0 of 9
  1 stores of stored, by loops 9, irregular
  1 loads of m, by loops 10 11: 1 in 0 of 10, 1 in 1 of 11
  1 loads of stored, by loops 10 12: 1 in 0 of 12, irregular
  1 loads of stored, by loops 10 12, irregular
  1 loads of stored, by loops 10 12, irregular
  1 loads of x, by loops 10 11 12: 1 in 1 of 11, irregular
  1 stores of m, by loops 10 11: 1 in 0 of 10, 1 in 1 of 11
  1 loads of m, by loops
  1 loads of m, by loops
  1 stores of total, by loops
  1 loads of h, by loops 13: 1 in 0 of 13
  1 stores of most, by loops
  each element
    spread a.0 in 0..k, b.1 in 0..d
      m[a.0, b.1] = 0.0
    spread a.2 in 0..k
      h[a.2] = 0
    portions spread i.3 in 0..n
      best.4 = 0
      least.5 = 1000000
      best.14 = 0
      least.16 = 9223372036854775807
      turn.18 = 9223372036854775807
      portions each a.20 in 0..k to best.14, least.16, turn.18
        s.21 = abs(((x[i.3, 0] * 7919) % 211) - (a.20 * 3))
        if s.21 < least.16
          turn.18 = a.20
          least.16 = s.21
          best.14 = a.20
      join
        if (other.17 < least.16) or ((other.17 == least.16) and (later.19 < turn.18))
          best.14 = other.15
          least.16 = other.17
          turn.18 = later.19
      if least.16 < least.5
        best.4 = best.14
        least.5 = least.16
      stored[i.3] = best.4
      stored[i.3] = least.5
    sync blocks spread i.22 in 0..n
      best.23 = stored[i.22]
      least.24 = stored[i.22]
      h[best.23] = h[best.23] + 1
    spread key.26 in 0..k
      stored[key.26] = 0
    sync blocks alone for i.27 in 0..n, dealt out to bins of stored
      alone best.28 = stored[i.27]
      alone least.29 = stored[i.27]
      alone if 0 < d
        stored[i.27] = stored[best.28]
        stored[best.28] = stored[best.28] + 1
    run.31 = 0
    run.42 = 0
    run.44 = 0
    sync blocks scan key.46 in 0..k to run.44
      run.47 = run.31 + run.44
      stored[key.46] = run.47
      run.44 = run.44 + stored[key.46]
    join
      run.44 = run.44 + other.45
    sync blocks spread i.32 in 0..n
      best.33 = stored[i.32]
      least.34 = stored[i.32]
      if 0 < d
        stored[stored[best.33] + stored[i.32]] = i.32
    sync blocks spread key.35 in 0..k, b.36 in 0..d
      m.41 = m[key.35, b.36]
      for turn.37 in stored[key.35]..(stored[key.35] + stored[key.35]), a series of m.41
        i.38 = stored[turn.37]
        best.39 = stored[i.38]
        least.40 = stored[i.38]
        m.41 = m.41 + ((f8(x[i.38, b.36]) * 0.1) * f8(least.40))
      m[key.35, b.36] = m.41
    sync blocks total[] = m[k - 1, 0] + (m[k // 3, d - 1] * 7.0)
    acc.9 = -2147483648
    portions spread a.11 in 0..k to acc.9
      value.12 = (h[a.11] * 1000) + i4(a.11)
      acc.9 = max(acc.9, value.12)
    join
      acc.9 = max(acc.9, other.10)
    result.13 = acc.9
    most[] = i8(result.13)

centres: (float64, int32, float64, int64)(int64, int8)
  as  gufunc_rows_found_centres_f8i4f8i8_i8i1
  in  x i8, z i1
  out m f8, h i4, total f8, most i8
  var a.0 i8, b.1 i8, a.2 i8, i.3 i8, best.4 i8, least.5 i8, a.6 i8, s.7 i8, b.8 i8, acc.9 i4,
      other.10 i4, a.11 i8, value.12 i4, result.13 i4, best.14 i8, other.15 i8, least.16 i8,
      other.17 i8, turn.18 i8, later.19 i8, a.20 i8, s.21 i8, entry.22 i8, bin.23 i8,
      bin.24 i8, m.25 f8, term.26 f8, key.27 i8, bin.28 i8, h.29 i4, key.30 i8
  a thread, a warp or a block a call, or threads a point, in 4 phases
  2 neighbours a thread, where side by side are elements of m, or from row to row
  4 neighbours a thread, where side by side are elements of h
  loop 0 in -1, points: k
  loop 1 in 0, points: d
  loop 2 in -1, points: k
  loop 3 in -1, serial: n
  loop 4 in 3, reduction: k
  loop 5 in 3, points: d
  loop 6 in -1, reduction: k
  work by loops 3 4, 4 integer
  work by loops 3, 25 integer, 1 special
  work by loops 3 5, 3 float64, 1 special
  work by loops, 2 float64
  work by loops 6, 3 integer
  1 stores of m, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of h, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 3: 1 in 0 of 3
  1 loads of m, by loops 3 5: 1 in 1 of 5, irregular
  1 loads of x, by loops 3 5: 1 in 0 of 3, 1 in 1 of 5
  1 stores of m, by loops 3 5: 1 in 1 of 5, irregular
  1 loads of h, by loops 3, irregular
  1 stores of h, by loops 3, irregular
  1 loads of m, by loops
  1 loads of m, by loops
  1 stores of total, by loops
  1 loads of h, by loops 6: 1 in 0 of 6
  1 stores of most, by loops
  longest chain: 8 n d / k / d
  each element
    spread a.0 in 0..k, b.1 in 0..d
      m[a.0, b.1] = 0.0
    spread a.2 in 0..k
      h[a.2] = 0
    sync blocks for i.3 in 0..n, dealt out to bins of m, h
      best.4 = 0
      least.5 = 1000000
      best.14 = 0
      least.16 = 9223372036854775807
      turn.18 = 9223372036854775807
      portions spread a.20 in 0..k to best.14, least.16, turn.18
        s.21 = abs(((x[i.3, 0] * 7919) % 211) - (a.20 * 3))
        if s.21 < least.16
          turn.18 = a.20
          least.16 = s.21
          best.14 = a.20
      join
        if (other.17 < least.16) or ((other.17 == least.16) and (later.19 < turn.18))
          best.14 = other.15
          least.16 = other.17
          turn.18 = later.19
      if least.16 < least.5
        best.4 = best.14
        least.5 = least.16
      for b.8 in 0..d
        m[best.4, b.8] = m[best.4, b.8] + ((f8(x[i.3, b.8]) * 0.1) * f8(least.5))
      shared as
        sync row best.4 spread b.8 in 0..d
          m[best.4, b.8] = m[best.4, b.8] + ((f8(x[i.3, b.8]) * 0.1) * f8(least.5))
      h[best.4] = h[best.4] + 1
    sync blocks total[] = m[k - 1, 0] + (m[k // 3, d - 1] * 7.0)
    acc.9 = -2147483648
    portions spread a.11 in 0..k to acc.9
      value.12 = (h[a.11] * 1000) + i4(a.11)
      acc.9 = max(acc.9, value.12)
    join
      acc.9 = max(acc.9, other.10)
    result.13 = acc.9
    most[] = i8(result.13)

0copy: int8(int8)
  as  gufunc_rows_found_0copy_i1_i1
  in  x i1
  out out i1
  each element
    store out = x

0copy: int32(int32)
  as  gufunc_rows_found_0copy_i4_i4
  in  x i4
  out out i4
  each element
    store out = x

0copy: int64(int64)
  as  gufunc_rows_found_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_rows_found_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
