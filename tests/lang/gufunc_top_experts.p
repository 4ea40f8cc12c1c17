top_experts: (float64, int32)(float64, float64)
  as  gufunc_top_experts_top_experts_f8i4_f8f8_stored
  in  logit f8, y f8
  out o f8, load i4, stored i8, stored i8
  var k.0 i8, i.1 i8, a.2 i8, k.3 i8, b.4 i8, k.5 i8, both.6 b1, c.7 i8, best.8 f8, best.9 f8,
      a.10 i8, other.11 i8, best.12 f8, other.13 f8, turn.14 i8, later.15 i8, k.16 i8, b.17 i8,
      other.18 i8, best.19 f8, other.20 f8, turn.21 i8, later.22 i8, k.23 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  4 neighbours a thread, where side by side are elements of load
  2 neighbours a thread, where side by side are elements of y o
  loop 0 in -1, points: e
  loop 1 in -1, points: t
  loop 2 in 1, reduction: e 1 - 0 max
  loop 3 in 1, reduction: e
  loop 4 in -1, points: t
  loop 5 in 4, points: d
  work by loops 1 2, 1 float64
  work by loops 1, 2 float64, 10 integer
  work by loops 1 3, 1 float64, 2 integer
  work by loops 4 5, 2 float64
  1 stores of load, by loops 0: 1 in 0 of 0
  2 loads of logit, by loops 1: 1 in 0 of 1, irregular
  2 loads of logit, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  2 loads of logit, by loops 1 3: 1 in 0 of 1, 1 in 1 of 3
  2 loads of load, by loops 1, irregular
  2 stores of load, by loops 1, irregular
  1 stores of stored, by loops 1: 1 in 0 of 1
  1 stores of stored, by loops 1: 1 in 0 of 1
  1 loads of stored, by loops 4: 1 in 0 of 4
  2 loads of y, by loops 4 5: 1 in 1 of 4, 1 in 2 of 5, irregular
  1 loads of stored, by loops 4: 1 in 0 of 4
  1 stores of o, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  each element
    spread k.0 in 0..e
      load[k.0] = 0
    sync blocks spread i.1 in 0..t
      a.2 = 0
      best.8 = 0.0
      if 1 < e
        best.8 = logit[i.1, a.2]
      a.10 = 0
      best.12 = -inf
      turn.14 = 9223372036854775807
      each k.16 in 1..e to a.10, best.12, turn.14
        if logit[i.1, k.16] > best.12
          turn.14 = k.16
          best.12 = logit[i.1, k.16]
          a.10 = k.16
      join
        if (other.13 > best.12) or ((other.13 == best.12) and (later.15 < turn.14))
          a.10 = other.11
          best.12 = other.13
          turn.14 = later.15
      if best.12 > best.8
        a.2 = a.10
        best.8 = best.12
      b.4 = where(a.2 == 0, 1, 0)
      best.9 = 0.0
      if (b.4 >= 0) and (b.4 < e)
        best.9 = logit[i.1, b.4]
      b.17 = 0
      best.19 = -inf
      turn.21 = 9223372036854775807
      each k.23 in 0..e to b.17, best.19, turn.21
        if k.23 != a.2
          if logit[i.1, k.23] > best.19
            turn.21 = k.23
            b.17 = k.23
            best.19 = logit[i.1, k.23]
      join
        if (other.20 > best.19) or ((other.20 == best.19) and (later.22 < turn.21))
          b.17 = other.18
          best.19 = other.20
          turn.21 = later.22
      if best.19 > best.9
        b.4 = b.17
        best.9 = best.19
      load[a.2] = load[a.2] + 1
      load[b.4] = load[b.4] + 2
      stored[i.1] = a.2
      stored[i.1] = b.4
    sync blocks spread i.1 in 0..t, c.7 in 0..d
      o[i.1, c.7] = y[stored[i.1], i.1, c.7] - (2.0 * y[stored[i.1], i.1, c.7])

top_experts: (float64, int32)(float64, float64)
  as  gufunc_top_experts_top_experts_f8i4_f8f8
  in  logit f8, y f8
  out o f8, load i4
  var k.0 i8, i.1 i8, a.2 i8, k.3 i8, b.4 i8, k.5 i8, both.6 b1, c.7 i8, best.8 f8, best.9 f8,
      a.10 i8, other.11 i8, best.12 f8, other.13 f8, turn.14 i8, later.15 i8, k.16 i8, b.17 i8,
      other.18 i8, best.19 f8, other.20 f8, turn.21 i8, later.22 i8, k.23 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  4 neighbours a thread, where side by side are elements of load
  loop 0 in -1, points: e
  loop 1 in -1, points: t
  loop 2 in 1, reduction: e 1 - 0 max
  loop 3 in 1, reduction: e
  loop 4 in 1, serial: d
  work by loops 1 2, 1 float64
  work by loops 1, 2 float64, 10 integer
  work by loops 1 3, 1 float64, 2 integer
  work by loops 1 4, 2 float64
  1 stores of load, by loops 0: 1 in 0 of 0
  2 loads of logit, by loops 1: 1 in 0 of 1, irregular
  2 loads of logit, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  2 loads of logit, by loops 1 3: 1 in 0 of 1, 1 in 1 of 3
  2 loads of load, by loops 1, irregular
  2 stores of load, by loops 1, irregular
  2 loads of y, by loops 1 4: 1 in 1 of 1, 1 in 2 of 4, irregular
  1 stores of o, by loops 1 4: 1 in 0 of 1, 1 in 1 of 4
  each element
    spread k.0 in 0..e
      load[k.0] = 0
    sync blocks spread i.1 in 0..t
      a.2 = 0
      best.8 = 0.0
      if 1 < e
        best.8 = logit[i.1, a.2]
      a.10 = 0
      best.12 = -inf
      turn.14 = 9223372036854775807
      each k.16 in 1..e to a.10, best.12, turn.14
        if logit[i.1, k.16] > best.12
          turn.14 = k.16
          best.12 = logit[i.1, k.16]
          a.10 = k.16
      join
        if (other.13 > best.12) or ((other.13 == best.12) and (later.15 < turn.14))
          a.10 = other.11
          best.12 = other.13
          turn.14 = later.15
      if best.12 > best.8
        a.2 = a.10
        best.8 = best.12
      b.4 = where(a.2 == 0, 1, 0)
      best.9 = 0.0
      if (b.4 >= 0) and (b.4 < e)
        best.9 = logit[i.1, b.4]
      b.17 = 0
      best.19 = -inf
      turn.21 = 9223372036854775807
      each k.23 in 0..e to b.17, best.19, turn.21
        if k.23 != a.2
          if logit[i.1, k.23] > best.19
            turn.21 = k.23
            b.17 = k.23
            best.19 = logit[i.1, k.23]
      join
        if (other.20 > best.19) or ((other.20 == best.19) and (later.22 < turn.21))
          b.17 = other.18
          best.19 = other.20
          turn.21 = later.22
      if best.19 > best.9
        b.4 = b.17
        best.9 = best.19
      load[a.2] = load[a.2] + 1
      load[b.4] = load[b.4] + 2
      for c.7 in 0..d
        o[i.1, c.7] = y[a.2, i.1, c.7] - (2.0 * y[b.4, i.1, c.7])

0copy: int32(int32)
  as  gufunc_top_experts_0copy_i4_i4
  in  x i4
  out out i4
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_top_experts_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
