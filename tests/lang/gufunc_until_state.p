passed: (int64, int64)(int64, int64)
  as  gufunc_until_state_passed_i8i8_i8i8_stored
  in  x i8, t i8
  out at i8, sum i8, stored i8
  var s.0 i8, i.1 i8, at.2 i8, first.3 i8, s.4 i8, i.5 i8, index.6 i8, s.7 i8, other.8 i8, i.9 i8,
      bound.10 i8, s.11 i4, other.12 i4, s.13 i8, other.14 i8, i.15 i8, i.16 i8, s.17 i8,
      i.18 i8, s.19 i8, first.20 i8, other.21 i8, i.22 i8, s.23 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  loop 0 in -1, points: n
  loop 1 in -1, reduction: n
  loop 2 in -1, reduction: ?
  work by loops 0, 4 integer
  work by loops 1, 8 integer
  work by loops, 14 integer
  work by loops 2, 2 integer
  1 stores of stored, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 0: 1 in 0 of 0
  1 loads of stored, by loops 1: 1 in 0 of 1
  1 loads of x, by loops 1: 1 in 0 of 1
  1 loads of x, by loops 2: 1 in 0 of 2
  1 loads of x, by loops
  1 stores of sum, by loops
  1 stores of at, by loops
  each element
    s.0 = 0
    at.2 = -1
    first.3 = 9223372036854775807
    s.4 = s.0
    s.11 = 0
    s.13 = 0
    scan i.15 in 0..n to s.13
      stored[i.15] = s.4 + s.13
      s.13 = s.13 + x[i.15]
    join
      s.13 = s.13 + other.14
    first.20 = 9223372036854775807
    sync blocks portions spread i.22 in 0..n to first.20
      s.23 = stored[i.22]
      s.23 = s.23 + x[i.22]
      if s.23 > t
        first.20 = min(first.20, i.22)
    join
      first.20 = min(first.20, other.21)
    first.3 = min(first.3, first.20)
    s.7 = 0
    bound.10 = min(n, first.3)
    portions spread i.9 in 0..bound.10 to s.7
      s.7 = s.7 + x[i.9]
    join
      s.7 = s.7 + other.8
    s.0 = s.0 + s.7
    if first.3 != 9223372036854775807
      index.6 = first.3
      s.0 = s.0 + x[index.6]
      at.2 = index.6
    sum[] = s.0
    at[] = at.2

passed: (int64, int64)(int64, int64)
  as  gufunc_until_state_passed_i8i8_i8i8
  in  x i8, t i8
  out at i8, sum i8
  var s.0 i8, i.1 i8, at.2 i8
  one thread a call
  loop 0 in -1, serial, may end: n
  work by loops 0, 4 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of sum, by loops
  1 stores of at, by loops
  each element
    s.0 = 0
    at.2 = -1
    block 0
      for i.1 in 0..n
        s.0 = s.0 + x[i.1]
        if s.0 > t
          at.2 = i.1
          leave block 0
    sum[] = s.0
    at[] = at.2

open_at: (int64, int64)(int64)
  as  gufunc_until_state_open_at_i8i8_i8_stored
  in  x i8
  out at i8, most i8, stored i8, stored i8, stored i8
  var d.0 i8, i.1 i8, at.2 i8, most.3 i8, first.4 i8, d.5 i8, i.6 i8, index.7 i8, d.8 i4, other.9 i4,
      d.10 i8, other.11 i8, i.12 i8, i.13 i8, d.14 i8, i.15 i8, d.16 i8, d.17 i4, other.18 i4,
      d.19 i8, other.20 i8, i.21 i8, d.22 i8, i.23 i8, d.24 i8, i.25 i8, d.26 i8, first.27 i8,
      other.28 i8, i.29 i8, d.30 i8, most.31 i8, other.32 i8, i.33 i8, d.34 i8
  a thread, a warp or a block a call, or threads a point, in 4 phases
  loop 0 in -1, points: n
  loop 1 in -1, reduction: n
  loop 2 in -1, points: n
  loop 3 in -1, reduction: n
  work by loops 0, 6 integer
  work by loops 1, 10 integer
  work by loops, 12 integer
  work by loops 2, 16 integer
  work by loops 3, 10 integer
  1 stores of stored, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 0: 1 in 0 of 0
  1 loads of stored, by loops 1: 1 in 0 of 1
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of stored, by loops 2: 1 in 0 of 2
  2 loads of x, by loops 2: 1 in 0 of 2
  1 stores of stored, by loops
  1 loads of stored, by loops 3: 1 in 0 of 3
  1 loads of x, by loops 3: 1 in 0 of 3
  1 loads of stored, by loops
  1 stores of at, by loops
  1 stores of most, by loops
  each element
    d.0 = 0
    at.2 = n
    most.3 = 0
    first.4 = 9223372036854775807
    d.5 = d.0
    d.8 = 0
    d.10 = 0
    scan i.12 in 0..n to d.10
      stored[i.12] = d.5 + d.10
      if x[i.12] < 3
        d.10 = d.10 + 1
      else
        d.10 = d.10 - 1
    join
      d.10 = d.10 + other.11
    first.27 = 9223372036854775807
    sync blocks portions spread i.29 in 0..n to first.27
      d.30 = stored[i.29]
      if x[i.29] < 3
      else
        d.30 = d.30 - 1
        if d.30 < 0
          first.27 = min(first.27, i.29)
    join
      first.27 = min(first.27, other.28)
    first.4 = min(first.4, first.27)
    d.17 = 0
    d.19 = 0
    scan i.21 in 0..n to d.19
      stored[i.21] = d.0 + d.19
      if (i.21 + 1) == n
        d.22 = d.0 + d.19
        if i.21 < first.4
          if x[i.21] < 3
            d.22 = d.22 + 1
          else
            d.22 = d.22 - 1
        stored[] = d.22
      if i.21 < first.4
        if x[i.21] < 3
          d.19 = d.19 + 1
        else
          d.19 = d.19 - 1
    join
      d.19 = d.19 + other.20
    most.31 = -9223372036854775808
    sync blocks portions spread i.33 in 0..n to most.31
      d.34 = stored[i.33]
      if i.33 < first.4
        if x[i.33] < 3
          d.34 = d.34 + 1
          most.31 = max(most.31, d.34)
    join
      most.31 = max(most.31, other.32)
    most.3 = max(most.3, most.31)
    if 0 < n
      d.0 = stored[]
    if first.4 != 9223372036854775807
      index.7 = first.4
      d.0 = d.0 - 1
      at.2 = (index.7 * 10) + d.0
    at[] = at.2
    most[] = most.3

open_at: (int64, int64)(int64)
  as  gufunc_until_state_open_at_i8i8_i8
  in  x i8
  out at i8, most i8
  var d.0 i8, i.1 i8, at.2 i8, most.3 i8
  one thread a call
  loop 0 in -1, serial, may end: n
  work by loops 0, 6 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of at, by loops
  1 stores of most, by loops
  each element
    d.0 = 0
    at.2 = n
    most.3 = 0
    block 0
      for i.1 in 0..n
        if x[i.1] < 3
          d.0 = d.0 + 1
          most.3 = max(most.3, d.0)
        else
          d.0 = d.0 - 1
          if d.0 < 0
            at.2 = (i.1 * 10) + d.0
            leave block 0
    at[] = at.2
    most[] = most.3

in_order: int64(float32, float32)
  as  gufunc_until_state_in_order_i8_f4f4
  in  x f4, t f4
  out at i8
  var s.0 f4, i.1 i8, at.2 i8
  one thread a call
  loop 0 in -1, serial, may end: 4 clocks: n
  work by loops 0, 1 float32, 1 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of at, by loops
  each element
    s.0 = 0.0
    at.2 = -1
    block 0
      for i.1 in 0..n
        s.0 = s.0 + x[i.1]
        if s.0 > t
          at.2 = i.1
          leave block 0
    at[] = at.2

beyond: int64(int64, int64)
  as  gufunc_until_state_beyond_i8_i8i8
  in  x i8, t i8
  out at i8
  var s.0 i8, i.1 i8, at.2 i8
  one thread a call
  loop 0 in -1, serial, may end: 2 n * 0 - 0 max
  work by loops 0, 4 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of at, by loops
  each element
    s.0 = 1
    at.2 = -1
    block 0
      for i.1 in 0..(2 * n)
        s.0 = s.0 + x[i.1]
        if s.0 > t
          at.2 = i.1
          leave block 0
    at[] = at.2

used_up: (int64, int64)(int64, int64)
  as  gufunc_until_state_used_up_i8i8_i8i8_stored
  in  x i8, t i8
  out at i8, rest i8, stored i8
  var s.0 i8, i.1 i8, i.2 i8, first.3 i8, s.4 i8, i.5 i8, index.6 i8, s.7 i8, other.8 i8, i.9 i8,
      bound.10 i8, s.11 i4, other.12 i4, s.13 i8, other.14 i8, i.15 i8, i.16 i8, s.17 i8,
      i.18 i8, s.19 i8, first.20 i8, other.21 i8, i.22 i8, s.23 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  loop 0 in -1, points: n
  loop 1 in -1, reduction: n
  loop 2 in -1, reduction: ?
  work by loops 0, 4 integer
  work by loops 1, 4 integer
  work by loops, 12 integer
  work by loops 2, 2 integer
  1 stores of stored, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 0: 1 in 0 of 0
  1 loads of stored, by loops 1: 1 in 0 of 1
  1 loads of x, by loops 2: 1 in 0 of 2
  1 stores of at, by loops
  1 stores of rest, by loops
  each element
    s.0 = t
    i.1 = 0
    first.3 = 9223372036854775807
    s.4 = s.0
    s.11 = 0
    s.13 = 0
    scan i.15 in 0..n to s.13
      stored[i.15] = s.4 + s.13
      s.13 = s.13 - x[i.15]
    join
      s.13 = s.13 + other.14
    first.20 = 9223372036854775807
    sync blocks portions spread i.22 in 0..n to first.20
      s.23 = stored[i.22]
      if not (s.23 > 0)
        first.20 = min(first.20, i.22)
    join
      first.20 = min(first.20, other.21)
    first.3 = min(first.3, first.20)
    s.7 = 0
    bound.10 = min(n, first.3)
    portions spread i.9 in 0..bound.10 to s.7
      s.7 = s.7 - x[i.9]
    join
      s.7 = s.7 + other.8
    s.0 = s.0 + s.7
    if first.3 != 9223372036854775807
      index.6 = first.3
      i.1 = index.6
    else
      i.1 = max(0, n)
    at[] = i.1
    rest[] = s.0

used_up: (int64, int64)(int64, int64)
  as  gufunc_until_state_used_up_i8i8_i8i8
  in  x i8, t i8
  out at i8, rest i8
  var s.0 i8, i.1 i8, i.2 i8
  one thread a call
  loop 0 in -1, serial, may end: n
  work by loops 0, 4 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of at, by loops
  1 stores of rest, by loops
  each element
    s.0 = t
    i.1 = 0
    block 0
      for i.2 in 0..n
        if not (s.0 > 0)
          i.1 = i.2
          leave block 0
        s.0 = s.0 - x[i.2]
      i.1 = max(0, n)
    at[] = i.1
    rest[] = s.0

counted: (int64, int64)(int64, int64)
  as  gufunc_until_state_counted_i8i8_i8i8_stored
  in  x i8, t i8
  out s i8, at i8
  var i.0 i8, i.1 i8, at.2 i8, s.3 i8, i.4 i8, i.5 i8, s.6 i8, other.7 i8, i.8 i8, first.9 i8,
      i.10 i8, index.11 i8, first.12 i8, other.13 i8, i.14 i8, bound.15 i8, s.16 i8,
      other.17 i8, i.18 i8, bound.19 i8, bound.20 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  loop 0 in -1, reduction: n 1 - -1 - 0 max
  loop 1 in -1, reduction: ?
  loop 2 in -1, reduction: n
  work by loops 0, 6 integer
  work by loops, 18 integer
  work by loops 1, 2 integer
  work by loops 2, 2 integer
  1 loads of x, by loops 0: -1 in 0 of 0
  1 loads of x, by loops 1: -1 in 0 of 1
  1 stores of at, by loops
  1 stores of at, by loops
  1 stores of s, by loops
  each element
    i.0 = n - 1
    s.3 = 0
    first.9 = -9223372036854775808
    first.12 = -9223372036854775808
    bound.15 = n - 1
    spread i.14 in bound.15..-1..-1 to first.12
      if x[i.14] == t
        first.12 = max(first.12, i.14)
    join
      first.12 = max(first.12, other.13)
    first.9 = max(first.9, first.12)
    s.16 = 0
    bound.19 = n - 1
    bound.20 = max(-1, first.9)
    spread i.18 in bound.19..bound.20..-1 to s.16
      s.16 = s.16 + x[i.18]
    join
      s.16 = s.16 + other.17
    s.3 = s.3 + s.16
    if first.9 != -9223372036854775808
      index.11 = first.9
      i.0 = index.11
    else
      i.0 = min(n - 1, -1)
    at.2 = i.0
    at[] = at.2
    i.1 = 0
    s.6 = 0
    spread i.8 in 0..n to s.6
      s.6 = s.6 + 100
    join
      s.6 = s.6 + other.7
    s.3 = s.3 + s.6
    i.1 = max(0, n)
    at[] = at.2 + (10 * i.1)
    s[] = s.3

counted: (int64, int64)(int64, int64)
  as  gufunc_until_state_counted_i8i8_i8i8
  in  x i8, t i8
  out s i8, at i8
  var i.0 i8, i.1 i8, at.2 i8, s.3 i8, i.4 i8, i.5 i8, s.6 i8, other.7 i8, i.8 i8
  a thread, a warp or a block a call
  loop 0 in -1, serial, may end: n 1 - -1 - 0 max
  loop 1 in -1, reduction: n
  work by loops 0, 4 integer
  work by loops 1, 2 integer
  work by loops, 6 integer
  2 loads of x, by loops 0: -1 in 0 of 0
  2 stores of at, by loops
  1 stores of s, by loops
  each element
    i.0 = n - 1
    s.3 = 0
    block 0
      for i.4 in (n - 1)..-1..-1
        if x[i.4] == t
          i.0 = i.4
          leave block 0
        s.3 = s.3 + x[i.4]
      i.0 = min(n - 1, -1)
    at.2 = i.0
    at[] = at.2
    i.1 = 0
    s.6 = 0
    portions spread i.8 in 0..n to s.6
      s.6 = s.6 + 100
    join
      s.6 = s.6 + other.7
    s.3 = s.3 + s.6
    i.1 = max(0, n)
    at[] = at.2 + (10 * i.1)
    s[] = s.3

0copy: int64(int64)
  as  gufunc_until_state_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float32(float32)
  as  gufunc_until_state_0copy_f4_f4
  in  x f4
  out out f4
  each element
    store out = x
