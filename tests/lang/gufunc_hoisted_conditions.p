losses: (float64, int64)(float64, int64)
  as  gufunc_hoisted_conditions_losses_f8i8_f8i8_stored
  in  x f8, t i8
  out y f8, used i8, stored f8, stored f8
  var s.0 f8, i.1 i8, acc.2 f8, other.3 f8, t.4 i8, v.5 f8, value.6 f8, result.7 f8, acc.8 f8,
      other.9 f8, t.10 i8, v.11 f8, value.12 f8, result.13 f8, z.14 f8, term.15 f8, used.16 i8,
      single.17 i8, guard.18 b1, guard.19 b1, stored.20 f8, used.21 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  loop 0 in -1, points: b
  loop 1 in 0, reduction: c
  loop 2 in 0, reduction: c
  loop 3 in -1, points: 1
  loop 4 in 3, serial: b
  work by loops 0, 2 float64, 2 integer
  work by loops 0 1, 2 float64
  work by loops 0 2, 2 float64
  work by loops 4, 4 integer
  work by loops 3 4, 1 float64
  1 stores of used, by loops
  2 loads of t, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of x, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  1 loads of x, by loops 0: 1 in 0 of 0, irregular
  1 stores of stored, by loops 0: 1 in 0 of 0
  1 loads of used, by loops
  1 loads of t, by loops 4: 1 in 0 of 4
  1 loads of stored, by loops 4: 1 in 0 of 4
  1 stores of stored, by loops
  1 stores of used, by loops
  1 loads of stored, by loops
  1 stores of y, by loops
  each element
    s.0 = 0.0
    used[] = 0
    spread i.1 in 0..b
      acc.2 = 0.0
      acc.8 = 0.0
      guard.18 = not (t[i.1] < 0)
      guard.19 = not guard.18
      if guard.18
        acc.2 = -inf
      each t.4 in 0..where(guard.18, c, 0) to acc.2
        v.5 = x[i.1, t.4]
        value.6 = v.5
        acc.2 = max(acc.2, value.6)
      join
        acc.2 = max(acc.2, other.3)
      if guard.18
        result.7 = acc.2
        acc.8 = 0.0
      each t.10 in 0..where(guard.18, c, 0) to acc.8
        v.11 = x[i.1, t.10]
        value.12 = v.11 - result.7
        acc.8 = acc.8 + value.12
      join
        acc.8 = acc.8 + other.9
      if guard.18
        result.13 = acc.8
        z.14 = result.7 + result.13
        term.15 = z.14 - x[i.1, t[i.1]]
      if guard.19
        term.15 = 0.0
      stored[i.1] = term.15
    sync blocks spread single.17 in 0..1
      used.16 = used[]
      s.0 = 0.0
      for i.1 in 0..b, a series of s.0, used.16
        if not (t[i.1] < 0)
          s.0 = s.0 + stored[i.1]
          used.16 = used.16 + 1
      stored[] = s.0
      used[] = used.16
    sync blocks y[] = stored[]

losses: (float64, int64)(float64, int64)
  as  gufunc_hoisted_conditions_losses_f8i8_f8i8
  in  x f8, t i8
  out y f8, used i8
  var s.0 f8, i.1 i8, acc.2 f8, other.3 f8, t.4 i8, v.5 f8, value.6 f8, result.7 f8, acc.8 f8,
      other.9 f8, t.10 i8, v.11 f8, value.12 f8, result.13 f8, z.14 f8, used.15 i8
  a thread, a warp or a block a call
  loop 0 in -1, serial: b
  loop 1 in 0, reduction: c
  loop 2 in 0, reduction: c
  work by loops 0, 3 float64, 4 integer
  work by loops 0 1, 2 float64
  work by loops 0 2, 2 float64
  2 loads of t, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of x, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  1 loads of x, by loops 0: 1 in 0 of 0, irregular
  1 stores of y, by loops
  1 stores of used, by loops
  each element
    s.0 = 0.0
    used.15 = 0
    for i.1 in 0..b
      if not (t[i.1] < 0)
        acc.2 = -inf
        portions spread t.4 in 0..c to acc.2
          v.5 = x[i.1, t.4]
          value.6 = v.5
          acc.2 = max(acc.2, value.6)
        join
          acc.2 = max(acc.2, other.3)
        result.7 = acc.2
        acc.8 = 0.0
        portions spread t.10 in 0..c to acc.8
          v.11 = x[i.1, t.10]
          value.12 = v.11 - result.7
          acc.8 = acc.8 + value.12
        join
          acc.8 = acc.8 + other.9
        result.13 = acc.8
        z.14 = result.7 + result.13
        s.0 = s.0 + (z.14 - x[i.1, t[i.1]])
        used.15 = used.15 + 1
    y[] = s.0
    used[] = used.15

carried: float64(float64, int64)
  as  gufunc_hoisted_conditions_carried_f8_f8i8
  in  x f8, t i8
  out y f8
  var s.0 f8, last.1 f8, i.2 i8, acc.3 f8, other.4 f8, bound.5 i8, k.6 i8, value.7 f8, result.8 f8,
      acc.9 f8, other.10 f8, t.11 i8, v.12 f8, value.13 f8, result.14 f8, q.15 f8
  a thread, a warp or a block a call
  loop 0 in -1, serial: 8 clocks: b
  loop 1 in 0, reduction: ?
  loop 2 in 0, reduction: c
  work by loops 0, 20 float64, 2 integer, 2 special
  work by loops 0 1, 1 float64
  work by loops 0 2, 1 float64
  2 loads of t, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1, irregular
  1 loads of x, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  1 stores of y, by loops
  longest chain: 8 b
  each element
    s.0 = 1.0
    last.1 = 0.0
    for i.2 in 0..b
      if t[i.2] < c
        acc.3 = 0.0
        bound.5 = t[i.2]
        portions spread k.6 in bound.5..c to acc.3
          value.7 = x[i.2, k.6]
          acc.3 = acc.3 + value.7
        join
          acc.3 = acc.3 + other.4
        result.8 = acc.3
        s.0 = ((s.0 / 2.0) + result.8) - last.1
        last.1 = result.8
      else
        s.0 = s.0 + 1.0
      if s.0 > 5.0
        acc.9 = 0.0
        portions spread t.11 in 0..c to acc.9
          v.12 = x[i.2, t.11]
          value.13 = v.12
          acc.9 = acc.9 + value.13
        join
          acc.9 = acc.9 + other.10
        result.14 = acc.9
        q.15 = s.0 + result.14
        s.0 = q.15 / 1024.0
    y[] = s.0

kept: (float64, float64)(float64, int64)
  as  gufunc_hoisted_conditions_kept_f8f8_f8i8_stored
  in  x f8, t i8
  out y f8, z f8, stored f8, stored f8, stored f8
  var s.0 f8, used.1 f8, i.2 i8, acc.3 f8, other.4 f8, t.5 i8, v.6 f8, result.7 f8, single.8 i8,
      guard.9 b1, guard.10 b1, stored.11 f8, stored.12 f8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  loop 0 in -1, points: b
  loop 1 in 0, reduction: c
  loop 2 in -1, points: 1
  loop 3 in 2, serial: b
  work by loops 0, 2 integer
  work by loops 0 1, 1 float64
  work by loops 2 3, 12 float64, 1 special
  work by loops 3, 4 integer
  1 loads of t, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of stored, by loops 0: 1 in 0 of 0
  2 loads of t, by loops 3: 1 in 0 of 3
  1 loads of stored, by loops 3: 1 in 0 of 3
  1 stores of stored, by loops
  1 stores of stored, by loops
  1 loads of stored, by loops
  1 stores of y, by loops
  1 loads of stored, by loops
  1 stores of z, by loops
  each element
    s.0 = 0.0
    used.1 = 0.0
    spread i.2 in 0..b
      acc.3 = 0.0
      guard.9 = t[i.2] >= 0
      guard.10 = not guard.9
      if guard.9
        acc.3 = 0.0
      each t.5 in 0..where(guard.9, c, 0) to acc.3
        v.6 = x[i.2, t.5]
        acc.3 = fma(v.6, v.6, acc.3)
      join
        acc.3 = acc.3 + other.4
      if guard.9
        result.7 = acc.3
      if guard.10
        result.7 = 0.0
      stored[i.2] = result.7
    sync blocks spread single.8 in 0..1
      s.0 = 0.0
      used.1 = 0.0
      for i.2 in 0..b
        s.0 = where(t[i.2] >= 0, s.0 + stored[i.2], s.0)
        used.1 = where(t[i.2] >= 0, (used.1 / 2.0) + s.0, used.1)
      stored[] = s.0
      stored[] = used.1
    sync blocks y[] = stored[]
    z[] = stored[]

kept: (float64, float64)(float64, int64)
  as  gufunc_hoisted_conditions_kept_f8f8_f8i8
  in  x f8, t i8
  out y f8, z f8
  var s.0 f8, used.1 f8, i.2 i8, acc.3 f8, other.4 f8, t.5 i8, v.6 f8, result.7 f8
  a thread, a warp or a block a call
  loop 0 in -1, serial: b
  loop 1 in 0, reduction: c
  work by loops 0, 10 float64, 2 integer, 1 special
  work by loops 0 1, 1 float64
  1 loads of t, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of y, by loops
  1 stores of z, by loops
  each element
    s.0 = 0.0
    used.1 = 0.0
    for i.2 in 0..b
      if t[i.2] >= 0
        acc.3 = 0.0
        portions spread t.5 in 0..c to acc.3
          v.6 = x[i.2, t.5]
          acc.3 = fma(v.6, v.6, acc.3)
        join
          acc.3 = acc.3 + other.4
        result.7 = acc.3
        s.0 = s.0 + result.7
        used.1 = (used.1 / 2.0) + s.0
    y[] = s.0
    z[] = used.1

0copy: int64(int64)
  as  gufunc_hoisted_conditions_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_hoisted_conditions_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
