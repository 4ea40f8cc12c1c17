greatest: float32(float32)
  as  gufunc_seldom_greatest_f4_f4
  in  x f4
  out best f4
  var k.0 i8, i.1 i8, v.2 f4, k.3 i8, t.4 f4, round.5 i8, at.6 i8, width.7 i8, end.8 i8, burst.9 i8,
      stop.10 i8, other.11 i8, first.12 i8, v.13 f4, k.14 i8, t.15 f4, i.16 i8
  one thread a call
  loop 0 in -1, points: 3
  loop 1 in -1, serial: n 2048 n 64 // max // 63 + 1 + 0 - 0 max
  loop 2 in 1, reduction: 1 clocks: 0 0 n 2048 n 64 // max // 63 + 1 + + 2 // 1048576 * + 1 + n n 2048 n 64 // max // 63 + 1 + // + 0 0 n 2048 n 64 // max // 63 + 1 + + 2 // 1048576 * + - 0 max
  loop 3 in 2, serial: 3
  work by loops, 10 integer
  work by loops 1 2 3, 5 integer
  work by loops 1, 2 integer
  1 stores of best, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1 2: 1048576 in 0 of 1, 1 in 0 of 2
  1 loads of best, by loops 3: 1 in 0 of 3
  each element
    for k.0 in 0..3
      best[k.0] = -inf
    shared as
      spread k.0 in 0..3
        best[k.0] = -inf
    for i.1 in 0..n
      v.2 = x[i.1]
      for k.3 in 0..3
        if v.2 > best[k.3]
          t.4 = best[k.3]
          best[k.3] = v.2
          v.2 = t.4
    shared as
      at.6 = 0
      width.7 = 32
      burst.9 = 0
      for round.5 in 0..(((n // max(2048, n // 64)) + 63) + 1)
        block 0
          loop
            if at.6 < n
              end.8 = at.6 + min(width.7, n - at.6)
              first.12 = end.8
              sync blocks portions spread i.1 in at.6..end.8 to first.12
                v.2 = x[i.1]
                for k.3 in 0..3
                  if v.2 > best[k.3]
                    first.12 = min(first.12, i.1)
              join
                first.12 = min(first.12, other.11)
              if first.12 < end.8
                if (first.12 - at.6) < 16
                  burst.9 = min(burst.9 + (burst.9 + 1), 256)
                else
                  burst.9 = 0
                width.7 = min(max(2048, n // 64), max((first.12 - at.6) + (first.12 - at.6), 32))
                stop.10 = first.12 + min(burst.9 + 1, n - first.12)
                sync blocks alone for i.16 in first.12..stop.10
                  alone v.13 = x[i.16]
                  alone for k.14 in 0..3
                    alone if v.13 > best[k.14]
                      alone t.15 = best[k.14]
                      best[k.14] = v.13
                      alone v.13 = t.15
                at.6 = stop.10
              else
                at.6 = end.8
                width.7 = min(max(2048, n // 64), width.7 + width.7)
            else
              leave block 0
            if round.5 < ((n // max(2048, n // 64)) + 63)
              leave block 0

moved: (float64, float64, int64)(float64)
  as  gufunc_seldom_moved_f8f8i8_f8
  in  x f8
  out low f8, high f8, moves i8
  var lo.0 f8, hi.1 f8, c.2 i8, i.3 i8, both.4 b1, round.5 i8, at.6 i8, width.7 i8, end.8 i8,
      burst.9 i8, stop.10 i8, other.11 i8, first.12 i8, both.13 b1, i.14 i8
  one thread a call
  loop 0 in -1, serial: n 1 - 2048 n 1 - 64 // max // 63 + 1 + 0 - 0 max
  loop 1 in 0, reduction: 1 clocks: ?
  work by loops, 10 integer
  work by loops 0 1, 3 float64, 4 integer
  work by loops 0, 2 integer
  4 loads of x, by loops 0 1: 1048576 in 0 of 0, 1 in 0 of 1
  1 stores of low, by loops
  1 stores of high, by loops
  1 stores of moves, by loops
  each element
    lo.0 = 0.0
    hi.1 = 0.0
    c.2 = 0
    for i.3 in 1..n
      if x[i.3] < lo.0
        lo.0 = x[i.3]
        c.2 = c.2 + 1
      else
        both.4 = x[i.3] > hi.1
        if both.4
          both.4 = x[i.3] != x[i.3 - 1]
        if both.4
          hi.1 = x[i.3] * 0.5
          c.2 = c.2 + 1
    shared as
      at.6 = 1
      width.7 = 32
      burst.9 = 0
      for round.5 in 0..((((n - 1) // max(2048, (n - 1) // 64)) + 63) + 1)
        block 0
          loop
            if at.6 < n
              end.8 = at.6 + min(width.7, n - at.6)
              first.12 = end.8
              portions spread i.3 in at.6..end.8 to first.12
                if x[i.3] < lo.0
                  first.12 = min(first.12, i.3)
                else
                  both.4 = x[i.3] > hi.1
                  if both.4
                    both.4 = x[i.3] != x[i.3 - 1]
                  if both.4
                    first.12 = min(first.12, i.3)
              join
                first.12 = min(first.12, other.11)
              if first.12 < end.8
                if (first.12 - at.6) < 16
                  burst.9 = min(burst.9 + (burst.9 + 1), 256)
                else
                  burst.9 = 0
                width.7 = min(max(2048, (n - 1) // 64), max((first.12 - at.6) + (first.12 - at.6), 32))
                stop.10 = first.12 + min(burst.9 + 1, n - first.12)
                for i.14 in first.12..stop.10
                  if x[i.14] < lo.0
                    lo.0 = x[i.14]
                    c.2 = c.2 + 1
                  else
                    both.13 = x[i.14] > hi.1
                    if both.13
                      both.13 = x[i.14] != x[i.14 - 1]
                    if both.13
                      hi.1 = x[i.14] * 0.5
                      c.2 = c.2 + 1
                at.6 = stop.10
              else
                at.6 = end.8
                width.7 = min(max(2048, (n - 1) // 64), width.7 + width.7)
            else
              leave block 0
            if round.5 < (((n - 1) // max(2048, (n - 1) // 64)) + 63)
              leave block 0
    low[] = lo.0
    high[] = hi.1
    moves[] = c.2

apart: (int64, int64)(int32, int64)
  as  gufunc_seldom_apart_i8i8_i4i8
  in  x i4, d i8
  out at i8, count i8
  var k.0 i8, last.1 i8, c.2 i8, i.3 i8, both.4 b1, round.5 i8, at.6 i8, width.7 i8, end.8 i8,
      burst.9 i8, stop.10 i8, other.11 i8, first.12 i8, both.13 b1, i.14 i8
  one thread a call
  loop 0 in -1, points: 8
  loop 1 in -1, serial: n 2048 n 64 // max // 63 + 1 + 0 - 0 max
  loop 2 in 1, reduction: 1 clocks: 0 0 n 2048 n 64 // max // 63 + 1 + + 2 // 1048576 * + 1 + n n 2048 n 64 // max // 63 + 1 + // + 0 0 n 2048 n 64 // max // 63 + 1 + + 2 // 1048576 * + - 0 max
  work by loops, 12 integer
  work by loops 1 2, 9 integer
  work by loops 1, 2 integer
  1 stores of at, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1 2: 1048576 in 0 of 1, 1 in 0 of 2
  1 stores of count, by loops
  each element
    for k.0 in 0..8
      at[k.0] = -1
    shared as
      spread k.0 in 0..8
        at[k.0] = -1
    last.1 = -d
    c.2 = 0
    for i.3 in 0..n
      both.4 = (i.3 - last.1) >= d
      if both.4
        both.4 = x[i.3] > 90
      if both.4
        if c.2 < 8
          at[c.2] = i.3
        c.2 = c.2 + 1
        last.1 = i.3
    shared as
      at.6 = 0
      width.7 = 32
      burst.9 = 0
      sync blocks for round.5 in 0..(((n // max(2048, n // 64)) + 63) + 1)
        block 0
          loop
            if at.6 < n
              end.8 = at.6 + min(width.7, n - at.6)
              first.12 = end.8
              portions spread i.3 in at.6..end.8 to first.12
                both.4 = (i.3 - last.1) >= d
                if both.4
                  both.4 = x[i.3] > 90
                if both.4
                  first.12 = min(first.12, i.3)
              join
                first.12 = min(first.12, other.11)
              if first.12 < end.8
                if (first.12 - at.6) < 16
                  burst.9 = min(burst.9 + (burst.9 + 1), 256)
                else
                  burst.9 = 0
                width.7 = min(max(2048, n // 64), max((first.12 - at.6) + (first.12 - at.6), 32))
                stop.10 = first.12 + min(burst.9 + 1, n - first.12)
                sync for i.14 in first.12..stop.10
                  both.13 = (i.14 - last.1) >= d
                  if both.13
                    both.13 = x[i.14] > 90
                  if both.13
                    if c.2 < 8
                      at[c.2] = i.14
                    c.2 = c.2 + 1
                    last.1 = i.14
                at.6 = stop.10
              else
                at.6 = end.8
                width.7 = min(max(2048, n // 64), width.7 + width.7)
            else
              leave block 0
            if round.5 < ((n // max(2048, n // 64)) + 63)
              leave block 0
    count[] = c.2

climbs: (int64, int64)(int64)
  as  gufunc_seldom_climbs_i8i8_i8_stored
  in  x i8
  out best i8, count i8, stored i8, stored i8
  var b.0 i8, c.1 i8, i.2 i8, b.3 i4, other.4 i4, b.5 i8, other.6 i8, i.7 i8, b.8 i8, c.9 i8,
      other.10 i8, c.11 i8, other.12 i8, i.13 i8, b.14 i8, part.15 i8, part.16 i8,
      joined.17 i8, joined.18 i8, c.19 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  loop 0 in -1, points: n
  loop 1 in -1, reduction: n
  work by loops 0, 14 integer
  work by loops 1, 10 integer
  work by loops, 4 integer
  1 stores of stored, by loops 0: 1 in 0 of 0
  3 loads of x, by loops 0: 1 in 0 of 0
  1 stores of stored, by loops
  1 loads of stored, by loops 1: 1 in 0 of 1
  1 loads of x, by loops 1: 1 in 0 of 1
  1 loads of stored, by loops
  1 stores of best, by loops
  1 stores of count, by loops
  each element
    b.0 = -1
    c.1 = 0
    b.3 = 0
    b.5 = -9223372036854775808
    scan i.7 in 0..n to b.5
      stored[i.7] = max(b.0, b.5)
      if (i.7 + 1) == n
        b.8 = max(b.0, b.5)
        if x[i.7] > b.8
          b.8 = x[i.7]
        stored[] = b.8
      b.5 = max(b.5, x[i.7])
    join
      b.5 = max(b.5, other.6)
    c.9 = 1
    c.11 = 0
    sync blocks portions spread i.13 in 0..n to c.9, c.11 in order
      b.14 = stored[i.13]
      if x[i.13] > b.14
        part.15 = c.9 * 3
        part.16 = (c.11 * 3) + i.13
        c.9 = part.15
        c.11 = part.16
    join
      joined.17 = other.10 * c.9
      joined.18 = other.12 + (other.10 * c.11)
      c.9 = joined.17
      c.11 = joined.18
    c.19 = (c.9 * c.1) + c.11
    c.1 = c.19
    if 0 < n
      b.0 = stored[]
    best[] = b.0
    count[] = c.1

climbs: (int64, int64)(int64)
  as  gufunc_seldom_climbs_i8i8_i8
  in  x i8
  out best i8, count i8
  var b.0 i8, c.1 i8, i.2 i8, round.3 i8, at.4 i8, width.5 i8, end.6 i8, burst.7 i8, stop.8 i8,
      other.9 i8, first.10 i8, i.11 i8
  one thread a call
  loop 0 in -1, serial: n 2048 n 64 // max // 63 + 1 + 0 - 0 max
  loop 1 in 0, reduction: 1 clocks: 0 0 n 2048 n 64 // max // 63 + 1 + + 2 // 1048576 * + 1 + n n 2048 n 64 // max // 63 + 1 + // + 0 0 n 2048 n 64 // max // 63 + 1 + + 2 // 1048576 * + - 0 max
  work by loops, 10 integer
  work by loops 0 1, 6 integer
  work by loops 0, 2 integer
  1 loads of x, by loops 0 1: 1048576 in 0 of 0, 1 in 0 of 1
  1 stores of best, by loops
  1 stores of count, by loops
  each element
    b.0 = -1
    c.1 = 0
    for i.2 in 0..n
      if x[i.2] > b.0
        b.0 = x[i.2]
        c.1 = (c.1 * 3) + i.2
    shared as
      at.4 = 0
      width.5 = 32
      burst.7 = 0
      for round.3 in 0..(((n // max(2048, n // 64)) + 63) + 1)
        block 0
          loop
            if at.4 < n
              end.6 = at.4 + min(width.5, n - at.4)
              first.10 = end.6
              portions spread i.2 in at.4..end.6 to first.10
                if x[i.2] > b.0
                  first.10 = min(first.10, i.2)
              join
                first.10 = min(first.10, other.9)
              if first.10 < end.6
                if (first.10 - at.4) < 16
                  burst.7 = min(burst.7 + (burst.7 + 1), 256)
                else
                  burst.7 = 0
                width.5 = min(max(2048, n // 64), max((first.10 - at.4) + (first.10 - at.4), 32))
                stop.8 = first.10 + min(burst.7 + 1, n - first.10)
                for i.11 in first.10..stop.8
                  if x[i.11] > b.0
                    b.0 = x[i.11]
                    c.1 = (c.1 * 3) + i.11
                at.4 = stop.8
              else
                at.4 = end.6
                width.5 = min(max(2048, n // 64), width.5 + width.5)
            else
              leave block 0
            if round.3 < ((n // max(2048, n // 64)) + 63)
              leave block 0
    best[] = b.0
    count[] = c.1

0copy: int32(int32)
  as  gufunc_seldom_0copy_i4_i4
  in  x i4
  out out i4
  each element
    store out = x

0copy: int64(int64)
  as  gufunc_seldom_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float32(float32)
  as  gufunc_seldom_0copy_f4_f4
  in  x f4
  out out f4
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_seldom_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
