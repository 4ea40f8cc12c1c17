nearest_other: (int64, float32)(float32, float32)
  as  gufunc_nested_loops_nearest_other_i8f4_f4f4_stored
  in  a f4, b f4
  out at i8, far f4, stored f4
  var i.0 i8, best.1 f4, where.2 i8, j.3 i8, s.4 f4, k.5 i8, t.6 f4, t.7 f4, best.8 f4, other.9 f4,
      turn.10 i8, later.11 i8, where.12 i8, other.13 i8, j.14 i8, s.15 f4, k.16 i8, t.17 f4,
      t.18 f4, i.19 i8, j.20 i8, s.21 f4, k.22 i8, t.23 f4, t.24 f4, stored.25 f4
  hosts go in it
  a thread, a warp or a block a call, or threads a point, in 2 phases
  8 points of range 0 a thread, whose loops run together
  or 4 of range 0 by 4 of range 1
  or tiles of results, 8 x 8 a thread, of parts of a[i.19, k.22], b[j.20, k.22] in shared memory
    whose terms are taken in order
  loop 0 in -1, points: m
  loop 1 in 0, points: n
  loop 2 in 1, serial: 4 clocks: d
  loop 3 in -1, points: m
  loop 4 in 3, reduction: n
  work by loops 0 1 2, 3 float32
  work by loops 3 4, 1 integer
  work by loops 3, 1 integer
  1 loads of a, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  1 loads of b, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 stores of stored, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of stored, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 stores of at, by loops 3: 1 in 0 of 3
  1 stores of far, by loops 3: 1 in 0 of 3
  each element
    spread i.19 in 0..m, j.20 in 0..n
      s.21 = 0.0
      for k.22 in 0..d, a series of s.21
        t.23 = a[i.19, k.22] - b[j.20, k.22]
        t.24 = t.23 * t.23
        s.21 = s.21 + t.24
      stored[i.19, j.20] = s.21
    sync blocks spread i.0 in 0..m
      best.1 = inf
      where.2 = -1
      best.8 = inf
      turn.10 = 9223372036854775807
      where.12 = 0
      each j.14 in 0..n to best.8, turn.10, where.12
        s.15 = 0.0
        s.15 = stored[i.0, j.14]
        if j.14 != i.0
          if s.15 < best.8
            turn.10 = j.14
            best.8 = s.15
            where.12 = j.14
      join
        if (other.9 < best.8) or ((other.9 == best.8) and (later.11 < turn.10))
          best.8 = other.9
          where.12 = other.13
          turn.10 = later.11
      if best.8 < best.1
        best.1 = best.8
        where.2 = where.12
      at[i.0] = where.2
      far[i.0] = best.1

nearest_other: (int64, float32)(float32, float32)
  as  gufunc_nested_loops_nearest_other_i8f4_f4f4
  in  a f4, b f4
  out at i8, far f4
  var i.0 i8, best.1 f4, where.2 i8, j.3 i8, s.4 f4, k.5 i8, t.6 f4, t.7 f4, best.8 f4, other.9 f4,
      turn.10 i8, later.11 i8, where.12 i8, other.13 i8, j.14 i8, s.15 f4, k.16 i8, t.17 f4,
      t.18 f4
  a thread, a warp or a block a call, or threads a point, in 1 phase
  2 points of range 0 a thread, whose reductions run together
  loop 0 in -1, points: m
  loop 1 in 0, reduction: n
  loop 2 in 1, serial: 4 clocks: d
  work by loops 0 1 2, 3 float32
  work by loops 0 1, 1 integer
  work by loops 0, 1 integer
  1 loads of a, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  1 loads of b, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 stores of at, by loops 0: 1 in 0 of 0
  1 stores of far, by loops 0: 1 in 0 of 0
  longest chain: 8 + 4 d
  each element
    spread i.0 in 0..m
      best.1 = inf
      where.2 = -1
      best.8 = inf
      turn.10 = 9223372036854775807
      where.12 = 0
      each j.14 in 0..n to best.8, turn.10, where.12
        s.15 = 0.0
        for k.16 in 0..d
          t.17 = a[i.0, k.16] - b[j.14, k.16]
          t.18 = t.17 * t.17
          s.15 = s.15 + t.18
        if j.14 != i.0
          if s.15 < best.8
            turn.10 = j.14
            best.8 = s.15
            where.12 = j.14
      join
        if (other.9 < best.8) or ((other.9 == best.8) and (later.11 < turn.10))
          best.8 = other.9
          where.12 = other.13
          turn.10 = later.11
      if best.8 < best.1
        best.1 = best.8
        where.2 = where.12
      at[i.0] = where.2
      far[i.0] = best.1

largest_overlap: int64(int64, bool)
  as  gufunc_nested_loops_largest_overlap_i8_i8b1_stored
  in  a i8, c b1
  out y i8, stored i8
  var i.0 i8, p.1 i8, top.2 i8, q.3 i8, s.4 i8, k.5 i8, top.6 i8, other.7 i8, q.8 i8, s.9 i8,
      k.10 i8, i.11 i8, p.12 i8, q.13 i8, s.14 i8, k.15 i8, stored.16 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  8 points of range 1 a thread, whose loops run together
  8 points of range 0 a thread, whose reductions run together
  or tiles of results, 8 x 8 a thread, of parts of a[i.11, p.12, k.15], a[i.11, q.13, k.15] in shared memory, those of a batch apart
    whose terms are taken in order
  loop 0 in -1, points: m
  loop 1 in 0, points: n
  loop 2 in 1, points: n
  loop 3 in 2, serial: d
  loop 4 in -1, points: m
  loop 5 in 4, points: n
  loop 6 in 5, reduction: n
  work by loops 0 1 2 3, 4 integer
  work by loops 5 6
  work by loops 4 5 6, 4 integer
  work by loops 4 5, 4 integer
  1 loads of a, by loops 0 1 3: 1 in 0 of 0, 1 in 1 of 1, 1 in 2 of 3
  1 loads of a, by loops 0 2 3: 1 in 0 of 0, 1 in 1 of 2, 1 in 2 of 3
  1 stores of stored, by loops 0 1 2: 1 in 0 of 0, 1 in 1 of 1, 1 in 2 of 2
  1 loads of c, by loops 6: 1 in 0 of 6
  1 loads of stored, by loops 4 5 6: 1 in 0 of 4, 1 in 1 of 5, 1 in 2 of 6
  1 stores of y, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  each element
    spread i.11 in 0..m, p.12 in 0..n, q.13 in 0..n
      s.14 = 0
      for k.15 in 0..d, a series of s.14
        s.14 = s.14 + (a[i.11, p.12, k.15] * a[i.11, q.13, k.15])
      stored[i.11, p.12, q.13] = s.14
    sync blocks spread i.0 in 0..m, p.1 in 0..n
      top.2 = 0
      top.6 = -9223372036854775808
      each q.8 in 0..n to top.6
        if c[q.8] and (q.8 != p.1)
          s.9 = 0
          s.9 = stored[i.0, p.1, q.8]
          top.6 = max(top.6, s.9)
      join
        top.6 = max(top.6, other.7)
      top.2 = max(top.2, top.6)
      y[i.0, p.1] = top.2

largest_overlap: int64(int64, bool)
  as  gufunc_nested_loops_largest_overlap_i8_i8b1_stacked
  in  a i8, c b1
  out y i8, stored i8
  var i.0 i8, p.1 i8, top.2 i8, q.3 i8, s.4 i8, k.5 i8, call.6 i8, top.7 i8, other.8 i8, q.9 i8,
      s.10 i8, k.11 i8, i.12 i8, p.13 i8, q.14 i8, s.15 i8, k.16 i8, stored.17 i8,
      column.18 i8, factor.19 i8, factor.20 b1, factor.21 b1
  hosts go in it, and no GPU
  a thread, a warp or a block a call, or threads a point, in 2 phases
  8 points of range 1 a thread, whose loops run together
  8 points of range 0 a thread, whose reductions run together
  or 4 of range 0 by 4 of range 2
  or tiles of results, 8 x 8 a thread, of parts of a[i.12, p.13, k.16], a[i.12, q.14, k.16] in shared memory, those of a batch apart
    whose terms are taken in order
  or tiles of results, 8 x 4 a thread, of parts of s.10, c[call.6, q.9], q.9 != p.1 in shared memory
  loop 0 in -1, points: m
  loop 1 in 0, points: n
  loop 2 in 1, points: n
  loop 3 in 2, serial: d
  loop 4 in -1, points: calls
  loop 5 in 4, points: m
  loop 6 in 5, points: n
  loop 7 in 6, reduction: n
  work by loops 0 1 2 3, 4 integer
  work by loops 4 6 7
  work by loops 4 5 6 7, 4 integer
  work by loops 4 5 6, 4 integer
  1 loads of a, by loops 0 1 3: 1 in 0 of 0, 1 in 1 of 1, 1 in 2 of 3
  1 loads of a, by loops 0 2 3: 1 in 0 of 0, 1 in 1 of 2, 1 in 2 of 3
  1 stores of stored, by loops 0 1 2: 1 in 0 of 0, 1 in 1 of 1, 1 in 2 of 2
  1 loads of c, by loops 4 7: 1 in 0 of 4, 1 in 1 of 7
  1 loads of stored, by loops 5 6 7: 1 in 0 of 5, 1 in 1 of 6, 1 in 2 of 7
  1 stores of y, by loops 4 5 6: 1 in 0 of 4, 1 in 1 of 5, 1 in 2 of 6
  each element
    spread i.12 in 0..m, p.13 in 0..n, q.14 in 0..n
      s.15 = 0
      for k.16 in 0..d, a series of s.15
        s.15 = s.15 + (a[i.12, p.13, k.16] * a[i.12, q.14, k.16])
      stored[i.12, p.13, q.14] = s.15
    sync blocks spread call.6 in 0..calls, i.0 in 0..m, p.1 in 0..n
      top.2 = 0
      top.7 = -9223372036854775808
      each q.9 in 0..n to top.7
        if c[call.6, q.9] and (q.9 != p.1)
          s.10 = 0
          s.10 = stored[i.0, p.1, q.9]
          top.7 = max(top.7, s.10)
      join
        top.7 = max(top.7, other.8)
      top.2 = max(top.2, top.7)
      y[call.6, i.0, p.1] = top.2

largest_overlap: int64(int64, bool)
  as  gufunc_nested_loops_largest_overlap_i8_i8b1
  in  a i8, c b1
  out y i8
  var i.0 i8, p.1 i8, top.2 i8, q.3 i8, s.4 i8, k.5 i8, top.6 i8, other.7 i8, q.8 i8, s.9 i8,
      k.10 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  8 points of range 1 a thread, whose reductions run together
  loop 0 in -1, points: m
  loop 1 in 0, points: n
  loop 2 in 1, reduction: n
  loop 3 in 2, serial: d
  work by loops 1 2
  work by loops 0 1 2 3, 4 integer
  work by loops 0 1 2, 4 integer
  work by loops 0 1, 4 integer
  1 loads of c, by loops 2: 1 in 0 of 2
  1 loads of a, by loops 0 1 3: 1 in 0 of 0, 1 in 1 of 1, 1 in 2 of 3
  1 loads of a, by loops 0 2 3: 1 in 0 of 0, 1 in 1 of 2, 1 in 2 of 3
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  each element
    spread i.0 in 0..m, p.1 in 0..n
      top.2 = 0
      top.6 = -9223372036854775808
      each q.8 in 0..n to top.6
        if c[q.8] and (q.8 != p.1)
          s.9 = 0
          for k.10 in 0..d
            s.9 = s.9 + (a[i.0, p.1, k.10] * a[i.0, q.8, k.10])
          top.6 = max(top.6, s.9)
      join
        top.6 = max(top.6, other.7)
      top.2 = max(top.2, top.6)
      y[i.0, p.1] = top.2

two_sums: float64(float64, float64)
  as  gufunc_nested_loops_two_sums_f8_f8f8_calls
  in  a f8, b f8
  out y f8
  var i.0 i8, best.1 f8, j.2 i8, s.3 f8, t.4 f8, k.5 i8, best.6 f8, other.7 f8, j.8 i8, s.9 f8,
      t.10 f8, k.11 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, reduction: n
  loop 1 in 0, serial: 68 clocks: d
  work by loops 0 1, 11 float64, 1 special
  work by loops 0, 10 float64, 1 special
  work by loops, 2 float64
  1 loads of a, by loops 1: 1 in 0 of 1
  2 loads of b, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of y, by loops
  each element
    best.1 = inf
    best.6 = inf
    spread j.8 in 0..n to best.6
      s.9 = 0.0
      t.10 = 1.0
      for k.11 in 0..d
        s.9 = s.9 + (a[k.11] * b[j.8, k.11])
        t.10 = (t.10 / 2.0) + b[j.8, k.11]
      best.6 = min(best.6, s.9 / t.10)
    join
      best.6 = min(best.6, other.7)
    best.1 = min(best.1, best.6)
    y[] = best.1

two_sums: float64(float64, float64)
  as  gufunc_nested_loops_two_sums_f8_f8f8
  in  a f8, b f8
  out y f8
  var i.0 i8, best.1 f8, j.2 i8, s.3 f8, t.4 f8, k.5 i8, best.6 f8, other.7 f8, j.8 i8, s.9 f8,
      t.10 f8, k.11 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  2 points of range 0 a thread, whose reductions run together
  loop 0 in -1, points: m
  loop 1 in 0, reduction: n
  loop 2 in 1, serial: 68 clocks: d
  work by loops 0 1 2, 2 float64
  work by loops 1 2, 9 float64, 1 special
  work by loops 0 1, 10 float64, 1 special
  work by loops 0, 2 float64
  1 loads of a, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  2 loads of b, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 stores of y, by loops 0: 1 in 0 of 0
  longest chain: 60 + 16 d
  each element
    spread i.0 in 0..m
      best.1 = inf
      best.6 = inf
      each j.8 in 0..n to best.6
        s.9 = 0.0
        t.10 = 1.0
        for k.11 in 0..d
          s.9 = s.9 + (a[i.0, k.11] * b[j.8, k.11])
          t.10 = (t.10 / 2.0) + b[j.8, k.11]
        best.6 = min(best.6, s.9 / t.10)
      join
        best.6 = min(best.6, other.7)
      best.1 = min(best.1, best.6)
      y[i.0] = best.1

some_rows: float32(float32, int32)
  as  gufunc_nested_loops_some_rows_f4_f4i4_stored
  in  x f4, t i4
  out y f4, stored f4, stored f4, stored f4
  var s.0 f4, i.1 i8, top.2 f4, j.3 i8, z.4 f4, j.5 i8, top.6 f4, other.7 f4, j.8 i8, single.9 i8,
      stored.10 f4, stored.11 f4
  a thread, a warp or a block a call, or threads a point, in 4 phases
  loop 0 in -1, points: m
  loop 1 in 0, reduction: n
  loop 2 in -1, points: m
  loop 3 in 2, serial: 4 clocks: n
  loop 4 in -1, points: 1
  loop 5 in 4, serial: m
  work by loops 0 1, 2 float32
  work by loops 0, 2 float32
  work by loops 2 3, 9 float32, 1 special
  work by loops 4 5, 1 float32, 1 integer
  work by loops 5, 1 integer
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of stored, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of stored, by loops 2: 1 in 0 of 2
  1 stores of stored, by loops 2: 1 in 0 of 2
  1 loads of t, by loops 5: 1 in 0 of 5
  1 loads of stored, by loops 5: 1 in 0 of 5
  1 stores of stored, by loops
  1 loads of stored, by loops
  1 stores of y, by loops
  each element
    s.0 = 0.0
    spread i.1 in 0..m
      top.2 = -inf
      top.6 = -inf
      each j.8 in 0..n to top.6
        top.6 = max(top.6, x[i.1, j.8])
      join
        top.6 = max(top.6, other.7)
      top.2 = max(top.2, top.6)
      stored[i.1] = top.2
    sync blocks spread i.1 in 0..m
      z.4 = 0.0
      for j.5 in 0..n, a series of z.4
        z.4 = z.4 + (x[i.1, j.5] / stored[i.1])
      stored[i.1] = z.4
    sync blocks spread single.9 in 0..1
      s.0 = 0.0
      for i.1 in 0..m, a series of s.0
        s.0 = where(t[i.1] > 0, s.0 + stored[i.1], s.0)
      stored[] = s.0
    sync blocks y[] = stored[]

some_rows: float32(float32, int32)
  as  gufunc_nested_loops_some_rows_f4_f4i4
  in  x f4, t i4
  out y f4
  var s.0 f4, i.1 i8, top.2 f4, j.3 i8, z.4 f4, j.5 i8, top.6 f4, other.7 f4, j.8 i8
  a thread, a warp or a block a call
  loop 0 in -1, serial: m
  loop 1 in 0, reduction: n
  loop 2 in 0, serial: 4 clocks: n
  work by loops 0 1, 2 float32
  work by loops 0, 3 float32, 1 integer
  work by loops 0 2, 9 float32, 1 special
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of x, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  1 loads of t, by loops 0: 1 in 0 of 0
  1 stores of y, by loops
  each element
    s.0 = 0.0
    for i.1 in 0..m
      top.2 = -inf
      top.6 = -inf
      portions spread j.8 in 0..n to top.6
        top.6 = max(top.6, x[i.1, j.8])
      join
        top.6 = max(top.6, other.7)
      top.2 = max(top.2, top.6)
      z.4 = 0.0
      alone for j.5 in 0..n, a series of z.4
        alone z.4 = z.4 + (x[i.1, j.5] / top.2)
      if t[i.1] > 0
        s.0 = s.0 + z.4
    y[] = s.0

near_mean: float32(float32, float32)
  as  gufunc_nested_loops_near_mean_f4_f4f4_stored
  in  x f4, y f4
  out m f4, stored f4
  var i.0 i8, s.1 f4, c.2 f4, j.3 i8, r.4 f4, k.5 i8, t.6 f4, t.7 f4, i.8 i8, j.9 i8, r.10 f4,
      k.11 i8, t.12 f4, t.13 f4, stored.14 f4
  hosts go in it
  a thread, a warp or a block a call, or threads a point, in 2 phases
  8 points of range 0 a thread, whose loops run together
  8 points of range 0 a thread, whose loops run together
  or 4 of range 0 by 4 of range 1
  or tiles of results, 8 x 8 a thread, of parts of x[i.8, k.11], x[j.9, k.11] in shared memory
    whose terms are taken in order
  loop 0 in -1, points: n
  loop 1 in 0, points: n
  loop 2 in 1, serial: 4 clocks: d
  loop 3 in -1, points: n
  loop 4 in 3, serial: n
  work by loops 0 1 2, 3 float32
  work by loops 3 4, 2 float32, 1 integer
  work by loops 3, 8 float32, 1 special
  1 loads of x, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  1 loads of x, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 stores of stored, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of stored, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 loads of y, by loops 4: 1 in 0 of 4
  1 stores of m, by loops 3: 1 in 0 of 3
  each element
    spread i.8 in 0..n, j.9 in 0..n
      r.10 = 0.0
      for k.11 in 0..d, a series of r.10
        t.12 = x[i.8, k.11] - x[j.9, k.11]
        t.13 = t.12 * t.12
        r.10 = r.10 + t.13
      stored[i.8, j.9] = r.10
    sync blocks spread i.0 in 0..n
      s.1 = 0.0
      c.2 = 0.0
      for j.3 in 0..n, a series of s.1, c.2
        r.4 = 0.0
        r.4 = stored[i.0, j.3]
        if r.4 < 20.0
          s.1 = s.1 + y[j.3]
          c.2 = c.2 + 1.0
      m[i.0] = s.1 / c.2

near_mean: float32(float32, float32)
  as  gufunc_nested_loops_near_mean_f4_f4f4_stacked
  in  x f4, y f4
  out m f4, stored f4
  var i.0 i8, s.1 f4, c.2 f4, j.3 i8, r.4 f4, k.5 i8, t.6 f4, t.7 f4, call.8 i8, i.9 i8, j.10 i8,
      r.11 f4, k.12 i8, t.13 f4, t.14 f4, stored.15 f4
  hosts go in it, and no GPU
  a thread, a warp or a block a call, or threads a point, in 2 phases
  8 points of range 0 a thread, whose loops run together
  8 points of range 0 a thread, whose loops run together
  or 4 of range 0 by 4 of range 1
  or tiles of results, 8 x 8 a thread, of parts of x[i.9, k.12], x[j.10, k.12] in shared memory
    whose terms are taken in order
  loop 0 in -1, points: n
  loop 1 in 0, points: n
  loop 2 in 1, serial: 4 clocks: d
  loop 3 in -1, points: calls
  loop 4 in 3, points: n
  loop 5 in 4, serial: n
  work by loops 0 1 2, 3 float32
  work by loops 4 5, 1 float32, 1 integer
  work by loops 3 4 5, 1 float32
  work by loops 3 4, 8 float32, 1 special
  1 loads of x, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  1 loads of x, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 stores of stored, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of stored, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  1 loads of y, by loops 3 5: 1 in 0 of 3, 1 in 1 of 5
  1 stores of m, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  each element
    spread i.9 in 0..n, j.10 in 0..n
      r.11 = 0.0
      for k.12 in 0..d, a series of r.11
        t.13 = x[i.9, k.12] - x[j.10, k.12]
        t.14 = t.13 * t.13
        r.11 = r.11 + t.14
      stored[i.9, j.10] = r.11
    sync blocks spread call.8 in 0..calls, i.0 in 0..n
      s.1 = 0.0
      c.2 = 0.0
      for j.3 in 0..n, a series of s.1, c.2
        r.4 = 0.0
        r.4 = stored[i.0, j.3]
        if r.4 < 20.0
          s.1 = s.1 + y[call.8, j.3]
          c.2 = c.2 + 1.0
      m[call.8, i.0] = s.1 / c.2

near_mean: float32(float32, float32)
  as  gufunc_nested_loops_near_mean_f4_f4f4
  in  x f4, y f4
  out m f4
  var i.0 i8, s.1 f4, c.2 f4, j.3 i8, r.4 f4, k.5 i8, t.6 f4, t.7 f4
  a thread, a warp or a block a call, or threads a point, in 1 phase
  4 points of range 0 a thread, whose loops run together
  loop 0 in -1, points: n
  loop 1 in 0, serial: n
  loop 2 in 1, serial: 4 clocks: d
  work by loops 0 1 2, 3 float32
  work by loops 0 1, 2 float32, 1 integer
  work by loops 0, 8 float32, 1 special
  1 loads of x, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  1 loads of x, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 loads of y, by loops 1: 1 in 0 of 1
  1 stores of m, by loops 0: 1 in 0 of 0
  longest chain: 32 + 4 d
  each element
    spread i.0 in 0..n
      s.1 = 0.0
      c.2 = 0.0
      for j.3 in 0..n, a series of s.1, c.2
        r.4 = 0.0
        for k.5 in 0..d
          t.6 = x[i.0, k.5] - x[j.3, k.5]
          t.7 = t.6 * t.6
          r.4 = r.4 + t.7
        if r.4 < 20.0
          s.1 = s.1 + y[j.3]
          c.2 = c.2 + 1.0
      m[i.0] = s.1 / c.2

handed_on: int64(int64, int64)
  as  gufunc_nested_loops_handed_on_i8_i8i8
  in  x i8, y i8
  out m i8
  var i.0 i8, s.1 i8, t.2 i8, j.3 i8, r.4 i8, k.5 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  4 points of range 0 a thread, whose loops run together
  loop 0 in -1, points: n
  loop 1 in 0, serial: n
  loop 2 in 1, serial: d
  work by loops 0 1 2, 4 integer
  work by loops 0 1, 4 integer
  1 loads of x, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  1 loads of x, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 loads of y, by loops 1: 1 in 0 of 1
  1 stores of m, by loops 0: 1 in 0 of 0
  each element
    spread i.0 in 0..n
      s.1 = 0
      t.2 = 1
      for j.3 in 0..n
        r.4 = t.2
        for k.5 in 0..d
          r.4 = r.4 + (x[i.0, k.5] * x[j.3, k.5])
        s.1 = (s.1 * 3) + r.4
        t.2 = y[j.3]
      m[i.0] = s.1

until: int64(int64, int64)
  as  gufunc_nested_loops_until_i8_i8i8
  in  x i8, at i8
  out s i8
  var i.0 i8, sum.1 i8, j.2 i8, r.3 i8, k.4 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, points: n
  loop 1 in 0, serial, may end: m
  loop 2 in 1, serial: d
  work by loops 1, 2 integer
  work by loops 0 1 2, 4 integer
  work by loops 0 1, 4 integer
  2 loads of at, by loops 1: 1 in 0 of 1
  1 loads of x, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  1 loads of x, by loops 1 2: 1 in 1 of 2, irregular
  1 stores of s, by loops 0: 1 in 0 of 0
  each element
    spread i.0 in 0..n
      sum.1 = 0
      block 0
        for j.2 in 0..m
          if at[j.2] < 0
            leave block 0
          else
            r.3 = 0
            for k.4 in 0..d
              r.3 = r.3 + (x[i.0, k.4] * x[at[j.2], k.4])
            sum.1 = (sum.1 * 2) + r.3
      s[i.0] = sum.1

some_logs: float64(float64, int64)
  as  gufunc_nested_loops_some_logs_f8_f8i8_stored
  in  x f8, t i8
  out y f8, stored f8, stored f8
  var s.0 f8, i.1 i8, z.2 f8, j.3 i8, single.4 i8, stored.5 f8, stored.6 f8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  loop 0 in -1, points: m
  loop 1 in 0, serial: 8 clocks: n
  loop 2 in -1, points: 1
  loop 3 in 2, serial: m
  work by loops 0 1, 1 float64
  work by loops 2 3, 2 float64
  work by loops 3, 12 float64, 2 integer, 1 special
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of stored, by loops 0: 1 in 0 of 0
  1 loads of t, by loops 3: 1 in 0 of 3
  1 loads of stored, by loops 3: 1 in 0 of 3
  1 stores of stored, by loops
  1 loads of stored, by loops
  1 stores of y, by loops
  each element
    s.0 = 0.0
    spread i.1 in 0..m
      z.2 = 0.0
      for j.3 in 0..n, a series of z.2
        z.2 = z.2 + x[i.1, j.3]
      stored[i.1] = z.2
    sync blocks spread single.4 in 0..1
      s.0 = 0.0
      for i.1 in 0..m, a series of s.0
        s.0 = where(t[i.1] > 0, s.0 + sqrt(stored[i.1]), s.0)
      stored[] = s.0
    sync blocks y[] = stored[]

some_logs: float64(float64, int64)
  as  gufunc_nested_loops_some_logs_f8_f8i8
  in  x f8, t i8
  out y f8
  var s.0 f8, i.1 i8, z.2 f8, j.3 i8
  a thread, or a block for series, a call
  loop 0 in -1, serial: m
  loop 1 in 0, serial: 8 clocks: n
  work by loops 0 1, 1 float64
  work by loops 0, 13 float64, 2 integer, 1 special
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of t, by loops 0: 1 in 0 of 0
  1 stores of y, by loops
  each element
    s.0 = 0.0
    alone for i.1 in 0..m, a series of s.0
      alone z.2 = 0.0
      alone for j.3 in 0..n
        alone z.2 = z.2 + x[i.1, j.3]
      alone if t[i.1] > 0
        alone s.0 = s.0 + sqrt(z.2)
    y[] = s.0

0copy: bool(bool)
  as  gufunc_nested_loops_0copy_b1_b1
  in  x b1
  out out b1
  each element
    store out = x

0copy: int32(int32)
  as  gufunc_nested_loops_0copy_i4_i4
  in  x i4
  out out i4
  each element
    store out = x

0copy: int64(int64)
  as  gufunc_nested_loops_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float32(float32)
  as  gufunc_nested_loops_0copy_f4_f4
  in  x f4
  out out f4
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_nested_loops_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
