farthest: int64(int64, bool)
  as  totals_beside_stores_farthest_i8_i8b1
  in  x i8, like b1
  out at i8, d i8
  var t.0 i8, i.1 i8, last.2 i8, t.3 i8, most.4 i8, far.5 i8, i.6 i8, q.7 i8, i.8 i8, most.9 i8,
      other.10 i8, turn.11 i8, later.12 i8, far.13 i8, other.14 i8, i.15 i8
  a thread, a warp or a block a call
  registers of a warp's lanes keep d, a lane for each index
  registers of a thread hold arrays along n up to 4
  loop 0 in -1, points: n
  loop 1 in -1, serial: m
  loop 2 in 1, points: n
  loop 3 in 1, reduction: n
  work by loops 1 2, 5 integer
  work by loops 2, 22 integer
  work by loops 1, 22 integer
  work by loops 1 3, 2 integer
  work by loops, 2 integer
  1 stores of d, by loops 0: 1 in 0 of 0
  1 stores of at, by loops 1: 1 in 0 of 1
  1 loads of x, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 1, irregular
  1 loads of d, by loops 2: 1 in 0 of 2
  1 stores of d, by loops 2: 1 in 0 of 2
  2 loads of d, by loops 3: 1 in 0 of 3
  each element
    spread i.1 in 0..n
      d[i.1] = 1000000
    last.2 = 0
    sync portions for t.3 in 0..m
      at[t.3] = last.2
      most.4 = -1
      far.5 = 0
      for i.6 in 0..n
        q.7 = abs(((x[i.6] * 7) % 37) - ((x[last.2] * 7) % 37))
        if q.7 < d[i.6]
          d[i.6] = q.7
      shared as
        sync blocks own portions joined portions spread i.6 in 0..n
          q.7 = abs(((x[i.6] * 7) % 37) - ((x[last.2] * 7) % 37))
          if q.7 < d[i.6]
            d[i.6] = q.7
      most.9 = -9223372036854775808
      turn.11 = 9223372036854775807
      far.13 = 0
      sync blocks own portions joined portions spread i.15 in 0..n to most.9, turn.11, far.13
        if d[i.15] > most.9
          turn.11 = i.15
          most.9 = d[i.15]
          far.13 = i.15
      join
        if (other.10 > most.9) or ((other.10 == most.9) and (later.12 < turn.11))
          most.9 = other.10
          far.13 = other.14
          turn.11 = later.12
      if most.9 > most.4
        most.4 = most.9
        far.5 = far.13
      last.2 = far.5

kept: (int64, int64)(int64, int64)
  as  totals_beside_stores_kept_i8i8_i8i8
  in  x i8, m i8
  out changed i8, top i8, y i8
  var t.0 i8, i.1 i8, t.2 i8, c.3 i8, i.4 i8, old.5 i8, best.6 i8, i.7 i8, next.8 i8, stored.9 i8,
      i.10 i8, old.11 i8, stored.12 i8, c.13 i8, other.14 i8, i.15 i8, old.16 i8, stored.17 i8,
      i.18 i8, next.19 i8, best.20 i8, other.21 i8, i.22 i8, next.23 i8, changed.24 i8,
      top.25 i8
  a thread, a warp or a block a call
  registers of a warp's lanes keep y, a lane for each index
  registers of a thread hold arrays along n up to 3
  loop 0 in -1, points: n
  loop 1 in -1, serial: ?
  loop 2 in 1, reduction: n
  loop 3 in 1, points: n
  loop 4 in 1, points: n
  loop 5 in 1, reduction: n
  work by loops 0, 18 integer
  work by loops 1 2, 2 integer
  work by loops 1, 6 integer
  work by loops 1 4, 22 integer
  work by loops 1 5, 4 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 2: 1 in 0 of 2
  1 loads of y, by loops 3: 1 in 0 of 3
  1 stores of y, by loops 3: 1 in 0 of 3
  1 loads of y, by loops 4: 1 in 0 of 4
  1 stores of y, by loops 4: 1 in 0 of 4
  1 loads of y, by loops 5: 1 in 0 of 5
  1 stores of changed, by loops
  1 stores of top, by loops
  each element
    spread i.1 in 0..n
      y[i.1] = x[i.1] % 5
    changed.24 = 0
    top.25 = 0
    sync portions for t.2 in 0..m
      c.3 = 0
      c.13 = 0
      sync blocks own portions joined portions spread i.15 in 0..n to c.13
        old.16 = y[i.15]
        stored.17 = ((old.16 * 3) + t.2) % 11
        if stored.17 != old.16
          c.13 = c.13 + 1
      join
        c.13 = c.13 + other.14
      c.3 = c.3 + c.13
      for i.4 in 0..n
        old.5 = y[i.4]
        y[i.4] = ((old.5 * 3) + t.2) % 11
      shared as
        sync blocks own portions joined portions spread i.4 in 0..n
          old.5 = y[i.4]
          y[i.4] = ((old.5 * 3) + t.2) % 11
      changed.24 = c.3
      best.6 = -1
      for i.7 in 0..n
        next.8 = (y[i.7] * 5) % 7
        y[i.7] = next.8
      shared as
        sync blocks own portions joined portions spread i.7 in 0..n
          next.8 = (y[i.7] * 5) % 7
          y[i.7] = next.8
      best.20 = -9223372036854775808
      sync blocks own portions joined portions spread i.22 in 0..n to best.20
        next.23 = y[i.22]
        best.20 = max(best.20, next.23 - t.2)
      join
        best.20 = max(best.20, other.21)
      best.6 = max(best.6, best.20)
      top.25 = best.6
    changed[] = changed.24
    top[] = top.25

0copy: bool(bool)
  as  totals_beside_stores_0copy_b1_b1
  in  x b1
  out out b1
  each element
    store out = x

0copy: int64(int64)
  as  totals_beside_stores_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x
