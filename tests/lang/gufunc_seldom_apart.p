peaks: (int64, int64)(int64)
  as  gufunc_seldom_apart_peaks_i8i8_i8
  in  x i8
  out at i8, count i8
  var k.0 i8, last.1 i8, c.2 i8, i.3 i8, both.4 b1, round.5 i8, at.6 i8, width.7 i8, end.8 i8,
      burst.9 i8, stop.10 i8, other.11 i8, first.12 i8, both.13 b1, i.14 i8
  one thread a call
  loop 0 in -1, points: 8
  loop 1 in -1, serial: n 2048 n 64 // max // n 50 // + 1 + 0 - 0 max
  loop 2 in 1, reduction: 1 clocks: 0 0 n 2048 n 64 // max // n 50 // + 1 + + 2 // 1048576 * + 1 + n n 2048 n 64 // max // n 50 // + 1 + // + 0 0 n 2048 n 64 // max // n 50 // + 1 + + 2 // 1048576 * + - 0 max
  work by loops, 10 integer
  work by loops 1 2, 32 integer
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
    last.1 = -1000
    c.2 = 0
    for i.3 in 0..n
      both.4 = (i.3 - last.1) >= 50
      if both.4
        both.4 = ((x[i.3] * 7919) % 101) > 95
      if both.4
        if c.2 < 8
          at[c.2] = i.3
        c.2 = c.2 + 1
        last.1 = i.3
    shared as
      at.6 = 0
      width.7 = 32
      burst.9 = 0
      sync blocks for round.5 in 0..(((n // max(2048, n // 64)) + (n // 50)) + 1)
        block 0
          loop
            if at.6 < n
              end.8 = at.6 + min(width.7, n - at.6)
              first.12 = end.8
              portions spread i.3 in at.6..end.8 to first.12
                both.4 = (i.3 - last.1) >= 50
                if both.4
                  both.4 = ((x[i.3] * 7919) % 101) > 95
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
                  both.13 = (i.14 - last.1) >= 50
                  if both.13
                    both.13 = ((x[i.14] * 7919) % 101) > 95
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
            if round.5 < ((n // max(2048, n // 64)) + (n // 50))
              leave block 0
    count[] = c.2

0copy: int64(int64)
  as  gufunc_seldom_apart_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x
