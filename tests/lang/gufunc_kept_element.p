least_unused: int64(float64, bool)
  as  gufunc_kept_element_least_unused_i8_f8b1
  in  d f8, used b1
  out k i8
  var i.0 i8, both.1 b1, k.2 i8, best.3 f8, k.4 i8, other.5 i8, best.6 f8, other.7 f8, turn.8 i8,
      later.9 i8, i.10 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, reduction: n 1 - 0 max
  work by loops, 1 float64, 4 integer
  work by loops 0, 1 float64, 1 integer
  1 loads of d, by loops
  1 loads of used, by loops 0: 1 in 0 of 0
  2 loads of d, by loops 0: 1 in 0 of 0
  1 stores of k, by loops
  each element
    k.2 = 0
    best.3 = 0.0
    if (k.2 >= 0) and (k.2 < n)
      best.3 = d[k.2]
    k.4 = 0
    best.6 = inf
    turn.8 = 9223372036854775807
    spread i.10 in 1..n to k.4, best.6, turn.8
      if not used[i.10]
        if d[i.10] < best.6
          turn.8 = i.10
          k.4 = i.10
          best.6 = d[i.10]
    join
      if (other.7 < best.6) or ((other.7 == best.6) and (later.9 < turn.8))
        k.4 = other.5
        best.6 = other.7
        turn.8 = later.9
    if best.6 < best.3
      k.2 = k.4
      best.3 = best.6
    k[] = k.2

first_least: int64(float64, bool)
  as  gufunc_kept_element_first_least_i8_f8b1
  in  d f8, used b1
  out k i8
  var i.0 i8, either.1 b1, both.2 b1, k.3 i8, best.4 f8, round.5 i8, at.6 i8, width.7 i8, end.8 i8,
      burst.9 i8, stop.10 i8, other.11 i8, first.12 i8, both.13 b1, either.14 b1, i.15 i8
  one thread a call
  loop 0 in -1, serial: n 2048 n 64 // max // 63 + 1 + 0 - 0 max
  loop 1 in 0, reduction: 1 clocks: 0 0 n 2048 n 64 // max // 63 + 1 + + 2 // 1048576 * + 1 + n n 2048 n 64 // max // 63 + 1 + // + 0 0 n 2048 n 64 // max // 63 + 1 + + 2 // 1048576 * + - 0 max
  work by loops, 16 integer
  work by loops 0 1, 1 float64, 6 integer
  work by loops 0, 2 integer
  1 loads of d, by loops
  1 loads of used, by loops 0 1: 1048576 in 0 of 0, 1 in 0 of 1
  1 loads of d, by loops 0 1: 1048576 in 0 of 0, 1 in 0 of 1
  1 stores of k, by loops
  each element
    k.3 = -1
    best.4 = 0.0
    if (k.3 >= 0) and (k.3 < n)
      best.4 = d[k.3]
    for i.0 in 0..n
      both.2 = not used[i.0]
      if both.2
        either.1 = k.3 < 0
        if not either.1
          either.1 = d[i.0] < best.4
        both.2 = either.1
      if both.2
        k.3 = i.0
        best.4 = d[i.0]
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
              portions spread i.0 in at.6..end.8 to first.12
                both.2 = not used[i.0]
                if both.2
                  either.1 = k.3 < 0
                  if not either.1
                    either.1 = d[i.0] < best.4
                  both.2 = either.1
                if both.2
                  first.12 = min(first.12, i.0)
              join
                first.12 = min(first.12, other.11)
              if first.12 < end.8
                if (first.12 - at.6) < 16
                  burst.9 = min(burst.9 + (burst.9 + 1), 256)
                else
                  burst.9 = 0
                width.7 = min(max(2048, n // 64), max((first.12 - at.6) + (first.12 - at.6), 32))
                stop.10 = first.12 + min(burst.9 + 1, n - first.12)
                for i.15 in first.12..stop.10
                  both.13 = not used[i.15]
                  if both.13
                    either.14 = k.3 < 0
                    if not either.14
                      either.14 = d[i.15] < best.4
                    both.13 = either.14
                  if both.13
                    k.3 = i.15
                    best.4 = d[i.15]
                at.6 = stop.10
              else
                at.6 = end.8
                width.7 = min(max(2048, n // 64), width.7 + width.7)
            else
              leave block 0
            if round.5 < ((n // max(2048, n // 64)) + 63)
              leave block 0
    k[] = k.3

chase: int64(int64)
  as  gufunc_kept_element_chase_i8_i8
  in  next i8
  out k i8
  var i.0 i8, k.1 i8
  one thread a call
  loop 0 in -1, serial: 3
  work by loops 0, 4 integer
  1 loads of next, by loops 0, irregular
  1 stores of k, by loops
  each element
    k.1 = 0
    alone for i.0 in 0..3
      alone k.1 = max(k.1, next[k.1])
    k[] = k.1

0copy: bool(bool)
  as  gufunc_kept_element_0copy_b1_b1
  in  x b1
  out out b1
  each element
    store out = x

0copy: int64(int64)
  as  gufunc_kept_element_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_kept_element_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
