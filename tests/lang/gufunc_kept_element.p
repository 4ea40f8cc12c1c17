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
  var i.0 i8, either.1 b1, both.2 b1, k.3 i8, best.4 f8, allowed.5 i8, first.6 i8, k.7 i8, best.8 f8,
      allowed.9 i8, other.10 i8, k.11 i8, other.12 i8, best.13 f8, other.14 f8, turn.15 i8,
      later.16 i8, i.17 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, reduction: n
  work by loops, 2 float64, 12 integer
  work by loops 0, 1 float64, 5 integer
  2 loads of d, by loops
  1 loads of used, by loops 0: 1 in 0 of 0
  2 loads of d, by loops 0: 1 in 0 of 0
  1 stores of k, by loops
  each element
    k.3 = -1
    best.4 = 0.0
    if (k.3 >= 0) and (k.3 < n)
      best.4 = d[k.3]
    allowed.5 = 9223372036854775807
    k.7 = 0
    best.8 = inf
    allowed.9 = 9223372036854775807
    k.11 = 0
    best.13 = inf
    turn.15 = 9223372036854775807
    spread i.17 in 0..n to allowed.9, k.11, best.13, turn.15
      if not used[i.17]
        allowed.9 = min(allowed.9, i.17)
        if d[i.17] < best.13
          turn.15 = i.17
          k.11 = i.17
          best.13 = d[i.17]
    join
      allowed.9 = min(allowed.9, other.10)
      if (other.14 < best.13) or ((other.14 == best.13) and (later.16 < turn.15))
        k.11 = other.12
        best.13 = other.14
        turn.15 = later.16
    allowed.5 = min(allowed.5, allowed.9)
    if best.13 < best.8
      k.7 = k.11
      best.8 = best.13
    if (k.3 < 0) and (allowed.5 != 9223372036854775807)
      first.6 = allowed.5
      k.3 = first.6
      best.4 = d[first.6]
    if best.8 < best.4
      k.3 = k.7
      best.4 = best.8
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
