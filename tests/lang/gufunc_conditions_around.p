pooled: (float32, int64)(float32, int32)
  as  gufunc_conditions_around_pooled_f4i8_f4i4_stored
  in  x f4, m i4
  out y f4, k i8, stored f4
  var c.0 i8, count.1 i8, t.2 i8, w.3 f4, c.4 i8, t.5 i8, kept.6 f4, t.7 i8, w.8 f4, t.9 i8, t.10 i8,
      count.11 i8, other.12 i8, t.13 i8, kept.14 f4
  a thread, a warp or a block a call, or threads a point, in 4 phases
  registers of a warp's or a block's threads hold rows, 16 points each
  4 neighbours a thread, where side by side are elements of y
  4 neighbours a thread, where side by side are elements of m stored
  8 points of range 0 a thread, whose loops run together
  loop 0 in -1, points: d
  loop 1 in -1, points: n
  loop 2 in -1, reduction: n
  loop 3 in -1, points: d
  loop 4 in 3, serial: n
  work by loops 1, 1 special
  work by loops 2, 3 integer
  work by loops, 2 integer
  work by loops 4, 1 integer
  work by loops 3 4, 2 float32
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of m, by loops 1: 1 in 0 of 1
  1 stores of stored, by loops 1: 1 in 0 of 1
  1 loads of m, by loops 2: 1 in 0 of 2
  1 loads of y, by loops 3: 1 in 0 of 3
  1 loads of m, by loops 4: 1 in 0 of 4
  1 loads of stored, by loops 4: 1 in 0 of 4
  1 loads of x, by loops 3 4: 1 in 0 of 4, 1 in 1 of 3
  1 stores of y, by loops 3: 1 in 0 of 3
  1 stores of k, by loops
  each element
    spread c.0 in 0..d
      y[c.0] = 0.0
    count.1 = 0
    spread t.7 in 0..n
      w.8 = f4(m[t.7])
      stored[t.7] = w.8
    count.11 = 0
    spread t.13 in 0..n to count.11
      if m[t.13] != 0
        count.11 = count.11 + 1
    join
      count.11 = count.11 + other.12
    count.1 = count.1 + count.11
    sync blocks spread c.4 in 0..d
      kept.14 = y[c.4]
      for t.5 in 0..n, a series of kept.14
        if m[t.5] != 0
          kept.14 = kept.14 + (stored[t.5] * x[t.5, c.4])
      y[c.4] = kept.14
    k[] = count.1

pooled: (float32, int64)(float32, int32)
  as  gufunc_conditions_around_pooled_f4i8_f4i4
  in  x f4, m i4
  out y f4, k i8
  var c.0 i8, count.1 i8, t.2 i8, w.3 f4, c.4 i8
  one thread a call
  registers of a warp's lanes keep y, a lane for each index
  loop 0 in -1, points: d
  loop 1 in -1, serial: n
  loop 2 in 1, points: d
  work by loops 1, 3 integer, 1 special
  work by loops 1 2, 2 float32
  1 stores of y, by loops 0: 1 in 0 of 0
  2 loads of m, by loops 1: 1 in 0 of 1
  1 loads of y, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 stores of y, by loops 2: 1 in 0 of 2
  1 stores of k, by loops
  each element
    for c.0 in 0..d
      y[c.0] = 0.0
    shared as
      spread c.0 in 0..d
        y[c.0] = 0.0
    count.1 = 0
    for t.2 in 0..n
      if m[t.2] != 0
        count.1 = count.1 + 1
        w.3 = f4(m[t.2])
        for c.4 in 0..d
          y[c.4] = y[c.4] + (w.3 * x[t.2, c.4])
        shared as
          sync blocks spread c.4 in 0..d
            y[c.4] = y[c.4] + (w.3 * x[t.2, c.4])
    k[] = count.1

carried: float32(float32, int32)
  as  gufunc_conditions_around_carried_f4_f4i4_calls
  in  x f4, m i4
  out y f4
  var c.0 i8, w.1 f4, t.2 i8, c.3 i8, y.4 f4
  one thread a call
  loop 0 in -1, serial: n
  work by loops 0, 2 float32, 1 integer, 1 special
  2 loads of m, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops
  each element
    y.4 = 0.0
    w.1 = 1.0
    alone for t.2 in 0..n
      alone if m[t.2] > 1
        alone y.4 = y.4 + (w.1 * x[t.2])
        alone w.1 = f4(m[t.2])
    y[] = y.4

carried: float32(float32, int32)
  as  gufunc_conditions_around_carried_f4_f4i4_stacked
  in  x f4, m i4
  out y f4, stored f4
  var c.0 i8, w.1 f4, t.2 i8, c.3 i8, call.4 i8, t.5 i8, kept.6 f4, y.7 f4, factor.8 f4, factor.9 b1
  hosts go in it, and no GPU
  a thread, a warp or a block a call, or threads a point, in 3 phases
  4 neighbours a thread, where side by side are elements of y, or from row to row
  8 points of range 1 a thread, whose loops run together
  or tiles of results, 8 x 8 a thread, of parts of stored[call.4, t.5], x[t.5, c.3], m[call.4, t.5] > 1 in shared memory
    whose terms are taken in order
  loop 0 in -1, points: calls
  loop 1 in 0, points: d
  loop 2 in -1, points: calls
  loop 3 in 2, serial: n
  loop 4 in -1, points: calls
  loop 5 in 4, points: d
  loop 6 in 5, serial: n
  work by loops 2 3, 1 integer, 1 special
  work by loops 4 6, 1 integer
  work by loops 4 5 6, 2 float32
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of stored, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  2 loads of m, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of y, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  1 loads of m, by loops 4 6: 1 in 0 of 4, 1 in 1 of 6
  1 loads of stored, by loops 4 6: 1 in 0 of 4, 1 in 1 of 6
  1 loads of x, by loops 5 6: 1 in 0 of 6, 1 in 1 of 5
  1 stores of y, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  each element
    spread call.4 in 0..calls, c.0 in 0..d
      y[call.4, c.0] = 0.0
    spread call.4 in 0..calls
      w.1 = 1.0
      for t.2 in 0..n
        stored[call.4, t.2] = w.1
        if m[call.4, t.2] > 1
          w.1 = f4(m[call.4, t.2])
    sync blocks spread call.4 in 0..calls, c.3 in 0..d
      kept.6 = y[call.4, c.3]
      for t.5 in 0..n, a series of kept.6
        if m[call.4, t.5] > 1
          kept.6 = kept.6 + (stored[call.4, t.5] * x[t.5, c.3])
      y[call.4, c.3] = kept.6

carried: float32(float32, int32)
  as  gufunc_conditions_around_carried_f4_f4i4
  in  x f4, m i4
  out y f4
  var c.0 i8, w.1 f4, t.2 i8, c.3 i8
  one thread a call
  registers of a warp's lanes keep y, a lane for each index
  loop 0 in -1, points: d
  loop 1 in -1, serial: n
  loop 2 in 1, points: d
  work by loops 1, 1 integer, 1 special
  work by loops 1 2, 2 float32
  1 stores of y, by loops 0: 1 in 0 of 0
  2 loads of m, by loops 1: 1 in 0 of 1
  1 loads of y, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 stores of y, by loops 2: 1 in 0 of 2
  each element
    for c.0 in 0..d
      y[c.0] = 0.0
    shared as
      spread c.0 in 0..d
        y[c.0] = 0.0
    w.1 = 1.0
    for t.2 in 0..n
      if m[t.2] > 1
        for c.3 in 0..d
          y[c.3] = y[c.3] + (w.1 * x[t.2, c.3])
        shared as
          sync blocks spread c.3 in 0..d
            y[c.3] = y[c.3] + (w.1 * x[t.2, c.3])
        w.1 = f4(m[t.2])

guarded: (float32, float32)(float32, int64, int64, int64)
  as  gufunc_conditions_around_guarded_f4f4_f4i8i8i8
  in  x f4, s i8, e i8, lim i8
  out y f4, z f4
  var c.0 i8, t.1 i8, c.2 i8, c.3 i8
  one thread a call
  registers of a warp's lanes keep z, a lane for each index
  loop 0 in -1, points: n
  loop 1 in -1, serial: n
  loop 2 in 1, points: ?
  loop 3 in 1, points: n
  work by loops 1, 3 integer
  work by loops 1 2, 1 float32
  work by loops 1 3, 1 float32
  1 stores of y, by loops 0: 1 in 0 of 0
  1 stores of z, by loops 0: 1 in 0 of 0
  1 loads of s, by loops 1: 1 in 0 of 1
  1 loads of y, by loops 1 2: 1 in 0 of 2, irregular
  2 loads of x, by loops 1: 1 in 0 of 1
  1 stores of y, by loops 1 2: 1 in 0 of 2, irregular
  1 loads of z, by loops 1: 1 in 0 of 1
  1 loads of z, by loops 3: 1 in 0 of 3
  1 stores of z, by loops 3: 1 in 0 of 3
  each element
    for c.0 in 0..n
      y[c.0] = 0.0
      z[c.0] = 1.0
    shared as
      spread c.0 in 0..n
        y[c.0] = 0.0
        z[c.0] = 1.0
    for t.1 in 0..n
      if s[t.1] < lim
        for c.2 in s[t.1]..e[s[t.1]]
          y[c.2] = y[c.2] + x[t.1]
        shared as
          sync blocks sync lanes spread c.2 in s[t.1]..e[s[t.1]]
            y[c.2] = y[c.2] + x[t.1]
      sync blocks if z[t.1] > 0.0
        for c.3 in 0..n
          z[c.3] = z[c.3] - x[t.1]
        shared as
          sync blocks spread c.3 in 0..n
            z[c.3] = z[c.3] - x[t.1]

twice: (float64, float64)(float64, int64, float64)
  as  gufunc_conditions_around_twice_f8f8_f8i8f8_calls
  in  x f8, m i8, z f8
  out y f8, s f8
  var c.0 i8, t.1 i8, a.2 f8, c.3 i8, c.4 i8, y.5 f8, s.6 f8
  a thread, or a block for series, a call
  loop 0 in -1, serial: n
  work by loops 0, 4 float64, 4 integer
  2 loads of m, by loops 0: 1 in 0 of 0
  2 loads of x, by loops 0: 1 in 0 of 0
  1 loads of z, by loops 0, irregular
  1 stores of y, by loops
  1 stores of s, by loops
  each element
    y.5 = 0.0
    s.6 = 0.0
    alone for t.1 in 0..n, a series of y.5, s.6
      alone if m[t.1] > 0
        alone a.2 = 1.0
        alone y.5 = y.5 + (x[t.1] * a.2)
        alone a.2 = z[m[t.1] - 1]
        alone s.6 = s.6 + (x[t.1] * a.2)
    y[] = y.5
    s[] = s.6

twice: (float64, float64)(float64, int64, float64)
  as  gufunc_conditions_around_twice_f8f8_f8i8f8
  in  x f8, m i8, z f8
  out y f8, s f8
  var c.0 i8, t.1 i8, a.2 f8, c.3 i8, c.4 i8, entry.5 i8, bin.6 i8, y.7 f8, term.8 f8, key.9 i8,
      entry.10 i8, s.11 f8, key.12 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  registers of a warp's lanes keep y s, a lane for each index
  2 neighbours a thread, where side by side are elements of y s
  loop 0 in -1, points: d
  loop 1 in -1, serial: n
  loop 2 in 1, points: d
  loop 3 in 1, points: d
  work by loops 1, 4 integer
  work by loops 1 2, 2 float64
  work by loops 1 3, 2 float64
  1 stores of y, by loops 0: 1 in 0 of 0
  1 stores of s, by loops 0: 1 in 0 of 0
  2 loads of m, by loops 1: 1 in 0 of 1
  1 loads of y, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 stores of y, by loops 2: 1 in 0 of 2
  1 loads of z, by loops 1, irregular
  1 loads of s, by loops 3: 1 in 0 of 3
  1 loads of x, by loops 1 3: 1 in 0 of 1, 1 in 1 of 3
  1 stores of s, by loops 3: 1 in 0 of 3
  each element
    spread c.0 in 0..d
      y[c.0] = 0.0
      s[c.0] = 0.0
    for t.1 in 0..n, dealt out to bins of y, s
      if m[t.1] > 0
        a.2 = 1.0
        for c.3 in 0..d
          y[c.3] = y[c.3] + (x[t.1, c.3] * a.2)
        shared as
          sync blocks spread c.3 in 0..d
            y[c.3] = y[c.3] + (x[t.1, c.3] * a.2)
        a.2 = z[m[t.1] - 1]
        for c.4 in 0..d
          s[c.4] = s[c.4] + (x[t.1, c.4] * a.2)
        shared as
          spread c.4 in 0..d
            s[c.4] = s[c.4] + (x[t.1, c.4] * a.2)

0copy: int32(int32)
  as  gufunc_conditions_around_0copy_i4_i4
  in  x i4
  out out i4
  each element
    store out = x

0copy: int64(int64)
  as  gufunc_conditions_around_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float32(float32)
  as  gufunc_conditions_around_0copy_f4_f4
  in  x f4
  out out f4
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_conditions_around_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
