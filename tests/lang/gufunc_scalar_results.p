least: (float32, int64)(float32)
  as  gufunc_scalar_results_least_f4i8_f4
  in  x f4
  out low f4, at i8
  var i.0 i8, low.1 f4, at.2 i8, low.3 f4, other.4 f4, turn.5 i8, later.6 i8, at.7 i8, other.8 i8,
      i.9 i8, guard.10 b1
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, reduction: n 1 - 0 max
  work by loops 0, 1 integer
  work by loops, 1 integer
  1 loads of x, by loops
  2 loads of x, by loops 0: 1 in 0 of 0
  1 stores of low, by loops
  1 stores of at, by loops
  each element
    low.1 = inf
    at.2 = -1
    low.3 = 0.0
    turn.5 = 0
    at.7 = 0
    guard.10 = not (n == 0)
    if guard.10
      low.1 = x[0]
      at.2 = 0
      low.3 = inf
      turn.5 = 9223372036854775807
      at.7 = 0
    spread i.9 in where(guard.10, 1, 0)..where(guard.10, n, 0) to low.3, turn.5, at.7
      if x[i.9] < low.3
        turn.5 = i.9
        low.3 = x[i.9]
        at.7 = i.9
    join
      if (other.4 < low.3) or ((other.4 == low.3) and (later.6 < turn.5))
        low.3 = other.4
        at.7 = other.8
        turn.5 = later.6
    if guard.10
      if low.3 < low.1
        low.1 = low.3
        at.2 = at.7
    low[] = low.1
    at[] = at.2

last: int64(int32)
  as  gufunc_scalar_results_last_i8_i4_stored
  in  x i4
  out at i8
  var i.0 i8, at.1 i8, at.2 i4, other.3 i4, at.4 i8, other.5 i8, i.6 i8, part.7 i8, at.8 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, reduction: n
  work by loops 0, 1 integer
  work by loops, 5 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of at, by loops
  each element
    at.1 = 0
    if n > 3
      at.1 = -1
    at.2 = 0
    at.4 = 0
    spread i.6 in 0..n to at.2, at.4 in order
      if x[i.6] > 2
        part.7 = i.6
        at.2 = 1
        at.4 = part.7
    join
      at.4 = where(other.3 != 0, other.5, at.4)
      at.2 = at.2 | other.3
    at.8 = where(at.2 != 0, at.4, at.1)
    at.1 = at.8
    if at.1 > 1000
      at.1 = 1000
    at[] = at.1

last: int64(int32)
  as  gufunc_scalar_results_last_i8_i4
  in  x i4
  out at i8
  var i.0 i8, at.1 i8
  one thread a call
  loop 0 in -1, serial: n
  work by loops 0, 1 integer
  work by loops, 2 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of at, by loops
  each element
    at.1 = 0
    if n > 3
      at.1 = -1
    for i.0 in 0..n
      if x[i.0] > 2
        at.1 = i.0
    if at.1 > 1000
      at.1 = 1000
    at[] = at.1

nesting: (int64, bool)(int32)
  as  gufunc_scalar_results_nesting_i8b1_i4_stored
  in  x i4
  out deep i8, fine b1, stored i8
  var d.0 i8, i.1 i8, choice.2 i8, deep.3 i8, fine.4 b1, d.5 i4, other.6 i4, d.7 i8, other.8 i8,
      i.9 i8, choice.10 i8, deep.11 i4, other.12 i4, deep.13 i8, other.14 i8, fine.15 i4,
      other.16 i4, fine.17 i4, other.18 i4, i.19 i8, d.20 i8, choice.21 i8, d.22 i8,
      choice.23 i8, deep.24 i8, fine.25 b1
  a thread, a warp or a block a call, or threads a point, in 2 phases
  loop 0 in -1, points: n
  loop 1 in -1, reduction: n
  work by loops 0, 26 integer
  work by loops 1, 54 integer
  work by loops, 7 integer
  1 stores of stored, by loops 0: 1 in 0 of 0
  2 loads of x, by loops 0: 1 in 0 of 0
  2 loads of stored, by loops 1: 1 in 0 of 1
  4 loads of x, by loops 1: 1 in 0 of 1
  1 stores of deep, by loops
  1 stores of fine, by loops
  each element
    d.0 = 0
    deep.3 = 0
    fine.4 = True
    d.5 = 0
    d.7 = 0
    scan i.9 in 0..n to d.7
      stored[i.9] = d.0 + d.7
      if (x[i.9] % 3) == 0
        choice.10 = 1
      else
        choice.10 = where((x[i.9] % 3) == 1, -1, 0)
      d.7 = d.7 + choice.10
    join
      d.7 = d.7 + other.8
    deep.11 = 0
    deep.13 = -9223372036854775808
    fine.15 = 0
    fine.17 = 0
    sync blocks portions spread i.19 in 0..n to deep.13, fine.15, fine.17 in order
      d.20 = stored[i.19]
      if (x[i.19] % 3) == 0
        choice.21 = 1
      else
        choice.21 = where((x[i.19] % 3) == 1, -1, 0)
      d.20 = d.20 + choice.21
      deep.13 = max(deep.13, d.20)
      d.22 = stored[i.19]
      if (x[i.19] % 3) == 0
        choice.23 = 1
      else
        choice.23 = where((x[i.19] % 3) == 1, -1, 0)
      d.22 = d.22 + choice.23
      if d.22 < 0
        fine.15 = 1
        fine.17 = 0
    join
      deep.13 = max(deep.13, other.14)
      fine.17 = i4(where(other.16 != 0, other.18 != 0, fine.17 != 0))
      fine.15 = fine.15 | other.16
    deep.24 = max(deep.3, deep.13)
    fine.25 = where(fine.15 != 0, fine.17 != 0, fine.4)
    deep.3 = deep.24
    fine.4 = fine.25
    deep[] = deep.3
    fine[] = fine.4

nesting: (int64, bool)(int32)
  as  gufunc_scalar_results_nesting_i8b1_i4
  in  x i4
  out deep i8, fine b1
  var d.0 i8, i.1 i8, choice.2 i8, deep.3 i8, fine.4 b1
  one thread a call
  loop 0 in -1, serial: n
  work by loops 0, 30 integer
  2 loads of x, by loops 0: 1 in 0 of 0
  1 stores of deep, by loops
  1 stores of fine, by loops
  each element
    d.0 = 0
    deep.3 = 0
    fine.4 = True
    alone for i.1 in 0..n
      alone if (x[i.1] % 3) == 0
        alone choice.2 = 1
      else
        alone choice.2 = where((x[i.1] % 3) == 1, -1, 0)
      alone d.0 = d.0 + choice.2
      alone deep.3 = max(deep.3, d.0)
      alone if d.0 < 0
        alone fine.4 = False
    deep[] = deep.3
    fine[] = fine.4

0copy: bool(bool)
  as  gufunc_scalar_results_0copy_b1_b1
  in  x b1
  out out b1
  each element
    store out = x

0copy: int32(int32)
  as  gufunc_scalar_results_0copy_i4_i4
  in  x i4
  out out i4
  each element
    store out = x

0copy: int64(int64)
  as  gufunc_scalar_results_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float32(float32)
  as  gufunc_scalar_results_0copy_f4_f4
  in  x f4
  out out f4
  each element
    store out = x
