chain: int64(int64)
  as  totals_in_steps_chain_i8_i8
  in  p i8
  out r i8, c i8
  var t.0 i8, t.1 i8, span.2 i8, i.3 i8, best.4 i8, at.5 i8, k.6 i8, a.7 i8, a.8 i8, a.9 i8,
      cost.10 i8, acc.11 i8, other.12 i8, i.13 i8, j.14 i8, value.15 i8, result.16 i8,
      best.17 i8, other.18 i8, turn.19 i8, later.20 i8, at.21 i8, other.22 i8, k.23 i8,
      a.24 i8, a.25 i8, a.26 i8, cost.27 i8, bound.28 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in 0, points: n
  loop 2 in -1, serial: n 1 - 0 max
  loop 3 in 2, points: n 1 n + 2 // - 0 - 0 max
  loop 4 in 3, reduction: 0 n 1 n + 2 // - + 2 // 1 n + 2 // + 0 n 1 n + 2 // - + 2 // - 0 max
  loop 5 in -1, reduction: n
  loop 6 in 5, reduction: n
  work by loops 2 3 4, 4 integer
  work by loops 2 3, 22 integer
  work by loops 5 6, 6 integer
  1 stores of c, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of p, by loops 2 3: 1 in 0 of 3
  1 loads of p, by loops 2 3 4: 1 in 0 of 3, 1 in 0 of 4
  1 loads of p, by loops 2 3: 1 in 0 of 2, 1 in 0 of 3
  1 loads of c, by loops 2 3 4: 1 in 0 of 3, 1 in 1 of 3, 1 in 1 of 4
  1 loads of c, by loops 2 3 4: 1 in 0 of 3, 1 in 0 of 4, 1 in 1 of 2, 1 in 1 of 3
  1 stores of c, by loops 2 3: 1 in 0 of 3, 1 in 1 of 2, 1 in 1 of 3
  1 loads of c, by loops 5 6: 1 in 0 of 5, 1 in 1 of 6
  1 stores of r, by loops
  each element
    spread t.0 in 0..n, t.1 in 0..n
      c[t.0, t.1] = 0
    for span.2 in 1..n
      for i.3 in 0..(n - span.2)
        best.4 = 1 << 60
        at.5 = 0
        best.17 = 9223372036854775807
        turn.19 = 9223372036854775807
        at.21 = 0
        bound.28 = i.3 + span.2
        spread k.23 in i.3..bound.28 to best.17, turn.19, at.21
          a.24 = p[i.3]
          a.25 = p[k.23]
          a.26 = p[i.3 + span.2]
          cost.27 = (c[i.3, k.23] + c[k.23 + 1, i.3 + span.2]) + (((((((a.24 * a.24) * 7) % 1013) % 11) + 1) * (((((a.25 * a.25) * 7) % 1013) % 11) + 1)) * (((((a.26 * a.26) * 7) % 1013) % 11) + 1))
          if cost.27 < best.17
            turn.19 = k.23
            best.17 = cost.27
            at.21 = k.23
        join
          if (other.18 < best.17) or ((other.18 == best.17) and (later.20 < turn.19))
            best.17 = other.18
            at.21 = other.22
            turn.19 = later.20
        if best.17 < best.4
          best.4 = best.17
          at.5 = at.21
        c[i.3, i.3 + span.2] = best.4 + (at.5 % 2)
      shared as
        sync blocks spread i.3 in 0..(n - span.2)
          best.4 = 1 << 60
          at.5 = 0
          best.17 = 9223372036854775807
          turn.19 = 9223372036854775807
          at.21 = 0
          bound.28 = i.3 + span.2
          each k.23 in i.3..bound.28 to best.17, turn.19, at.21
            a.24 = p[i.3]
            a.25 = p[k.23]
            a.26 = p[i.3 + span.2]
            cost.27 = (c[i.3, k.23] + c[k.23 + 1, i.3 + span.2]) + (((((((a.24 * a.24) * 7) % 1013) % 11) + 1) * (((((a.25 * a.25) * 7) % 1013) % 11) + 1)) * (((((a.26 * a.26) * 7) % 1013) % 11) + 1))
            if cost.27 < best.17
              turn.19 = k.23
              best.17 = cost.27
              at.21 = k.23
          join
            if (other.18 < best.17) or ((other.18 == best.17) and (later.20 < turn.19))
              best.17 = other.18
              at.21 = other.22
              turn.19 = later.20
          if best.17 < best.4
            best.4 = best.17
            at.5 = at.21
          c[i.3, i.3 + span.2] = best.4 + (at.5 % 2)
    acc.11 = 0
    sync blocks portions spread i.13 in 0..n, j.14 in 0..n to acc.11
      value.15 = c[i.13, j.14] * ((3 * i.13) + j.14)
      acc.11 = acc.11 + value.15
    join
      acc.11 = acc.11 + other.12
    result.16 = acc.11
    r[] = result.16

ordered: int64(int64)
  as  totals_in_steps_ordered_i8_i8
  in  a i8
  out r i8, t i8
  var t.0 i8, i.1 i8, j.2 i8, most.3 i8, k.4 i8, acc.5 i8, other.6 i8, j.7 i8, value.8 i8,
      result.9 i8, most.10 i8, other.11 i8, k.12 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n + 1
  loop 1 in -1, serial: m
  loop 2 in 1, serial: n
  loop 3 in 2, reduction: 0 n + 2 // 0 - 0 max
  loop 4 in -1, reduction: n + 1
  work by loops 1 2 3, 26 integer
  work by loops 1 2, 6 integer
  work by loops 4, 6 integer
  1 stores of t, by loops 0: 1 in 0 of 0
  1 loads of t, by loops 2 3: 1 in 0 of 3
  1 loads of a, by loops 1 2 3: 1 in 0 of 1, 1 in 1 of 3
  1 stores of t, by loops 2: 1 in 0 of 2
  1 loads of t, by loops 4: 1 in 0 of 4
  1 stores of r, by loops
  each element
    spread t.0 in 0..n + 1
      t[t.0] = 0
    for i.1 in 0..m
      for j.2 in 0..n
        most.3 = 0
        most.10 = -9223372036854775808
        sync blocks portions spread k.12 in 0..j.2 to most.10
          most.10 = max(most.10, (t[k.12] * a[i.1, k.12]) % 101)
        join
          most.10 = max(most.10, other.11)
        most.3 = max(most.3, most.10)
        t[j.2 + 1] = most.3 + j.2
    acc.5 = 0
    sync blocks portions spread j.7 in 0..n + 1 to acc.5
      value.8 = t[j.7] * j.7
      acc.5 = acc.5 + value.8
    join
      acc.5 = acc.5 + other.6
    result.9 = acc.5
    r[] = result.9

tops: int64(int64, int64)
  as  totals_in_steps_tops_i8_i8i8
  in  x i8, k i8
  out top i8, taken b1
  var t.0 i8, t.1 i8, t.2 i8, at.3 i8, most.4 i8, i.5 i8, both.6 b1, both.7 b1, at.8 i8, other.9 i8,
      most.10 i8, other.11 i8, turn.12 i8, later.13 i8, i.14 i8, both.15 b1
  a thread, a warp or a block a call
  registers of a warp's lanes keep taken, a lane for each index
  loop 0 in -1, points: 5
  loop 1 in -1, points: n
  loop 2 in -1, serial, may end: ?
  loop 3 in 2, reduction: n
  work by loops 2 3, 1 integer
  work by loops 3, 22 integer
  work by loops, 4 integer
  1 stores of top, by loops 0: 1 in 0 of 0
  1 stores of taken, by loops 1: 1 in 0 of 1
  1 loads of taken, by loops 3: 1 in 0 of 3
  3 loads of x, by loops 3: 1 in 0 of 3
  1 stores of taken, by loops
  1 stores of top, by loops 2: 1 in 0 of 2
  each element
    spread t.0 in 0..5
      top[t.0] = -1
    spread t.1 in 0..n
      taken[t.1] = False
    block 0
      for t.2 in 0..min(k, 5)
        at.3 = -1
        most.4 = -1000
        at.8 = 0
        most.10 = -9223372036854775808
        turn.12 = 9223372036854775807
        sync blocks own portions spread i.14 in 0..n to at.8, most.10, turn.12
          both.15 = not taken[i.14]
          if both.15
            both.15 = (x[i.14] % 2) == 1
          if both.15
            if x[i.14] > most.10
              turn.12 = i.14
              most.10 = x[i.14]
              at.8 = i.14
        join
          if (other.11 > most.10) or ((other.11 == most.10) and (later.13 < turn.12))
            at.8 = other.9
            most.10 = other.11
            turn.12 = later.13
        if most.10 > most.4
          at.3 = at.8
          most.4 = most.10
        if at.3 < 0
          leave block 0
        else
          sync blocks joined portions taken[at.3] = True
          sync lanes top[t.2] = most.4

halved: (int64, int64)(int64)
  as  totals_in_steps_halved_i8i8_i8
  in  x i8
  out steps i8, most i8, y i8
  var t.0 i8, i.1 i8, k.2 i8, top.3 i8, i.4 i8, both.5 b1, i.6 i8, top.7 i8, other.8 i8, turn.9 i8,
      later.10 i8, i.11 i8
  a thread, a warp or a block a call
  registers of a warp's lanes keep y, a lane for each index
  loop 0 in -1, points: n
  loop 1 in -1, serial, may end: ?
  loop 2 in 1, reduction: n
  loop 3 in 1, points: n
  work by loops 1, 6 integer
  work by loops 1 2, 2 integer
  work by loops 1 3, 18 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  2 loads of y, by loops 2: 1 in 0 of 2
  1 loads of y, by loops 3: 1 in 0 of 3
  1 stores of y, by loops 3: 1 in 0 of 3
  1 stores of steps, by loops
  1 stores of most, by loops
  each element
    spread i.1 in 0..n
      y[i.1] = x[i.1]
    k.2 = 0
    top.3 = 100
    block 0
      sync portions loop
        if top.3 > 1
          top.3 = 0
          top.7 = -9223372036854775808
          turn.9 = 9223372036854775807
          sync blocks own portions joined portions spread i.11 in 0..n to top.7, turn.9
            if (i.11 % 2) == 0
              if y[i.11] > top.7
                turn.9 = i.11
                top.7 = y[i.11]
          join
            if (other.8 > top.7) or ((other.8 == top.7) and (later.10 < turn.9))
              top.7 = other.8
              turn.9 = later.10
          if top.7 > top.3
            top.3 = top.7
          for i.6 in 0..n
            y[i.6] = y[i.6] // 2
          shared as
            sync blocks own portions joined portions spread i.6 in 0..n
              y[i.6] = y[i.6] // 2
          k.2 = k.2 + 1
        else
          leave block 0
    steps[] = k.2
    most[] = top.3

0copy: int64(int64)
  as  totals_in_steps_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x
