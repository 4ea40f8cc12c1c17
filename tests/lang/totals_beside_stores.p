farthest: int64(int64, bool)
  as  totals_beside_stores_farthest_i8_i8b1
  in  x i8, like b1
  out at i8, d i8
  var t.0 i8, i.1 i8, last.2 i8, t.3 i8, most.4 i8, far.5 i8, i.6 i8, q.7 i8, d.8 i8, i.9 i8,
      most.10 i8, other.11 i8, turn.12 i8, later.13 i8, far.14 i8, other.15 i8, i.16 i8
  a thread, a warp or a block a call
  registers of a warp's lanes keep d, a lane for each index
  registers of a thread hold arrays along n up to 4
  loop 0 in -1, points: n
  loop 1 in -1, serial: m
  loop 2 in 1, points: n
  loop 3 in 1, reduction: n
  work by loops 1 2, 6 integer
  work by loops 2, 34 integer
  work by loops 1, 34 integer
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
      d.8 = 0
      d.8 = 1000000
      d[i.1] = d.8
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
      most.10 = -9223372036854775808
      turn.12 = 9223372036854775807
      far.14 = 0
      sync blocks own portions joined portions spread i.16 in 0..n to most.10, turn.12, far.14
        if d[i.16] > most.10
          turn.12 = i.16
          most.10 = d[i.16]
          far.14 = i.16
      join
        if (other.11 > most.10) or ((other.11 == most.10) and (later.13 < turn.12))
          most.10 = other.11
          far.14 = other.15
          turn.12 = later.13
      if most.10 > most.4
        most.4 = most.10
        far.5 = far.14
      last.2 = far.5

kept: (int64, int64)(int64, int64)
  as  totals_beside_stores_kept_i8i8_i8i8
  in  x i8, m i8
  out changed i8, top i8, y i8
  var t.0 i8, i.1 i8, t.2 i8, c.3 i8, i.4 i8, old.5 i8, best.6 i8, i.7 i8, next.8 i8, y.9 i8,
      i.10 i8, next.11 i8, best.12 i8, other.13 i8, i.14 i8, next.15 i8, changed.16 i8,
      top.17 i8, y.18 i8
  a thread, a warp or a block a call
  registers of a warp's lanes keep y, a lane for each index
  registers of a thread hold arrays along n up to 3
  loop 0 in -1, points: n
  loop 1 in -1, serial: ?
  loop 2 in 1, serial: n
  loop 3 in 1, points: n
  loop 4 in 1, reduction: n
  work by loops 0, 32 integer
  work by loops 1 2, 2 integer
  work by loops 1 3, 34 integer
  work by loops 1 4, 4 integer
  work by loops 1, 4 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 2: 1 in 0 of 2
  1 stores of y, by loops 2: 1 in 0 of 2
  1 loads of y, by loops 3: 1 in 0 of 3
  1 stores of y, by loops 3: 1 in 0 of 3
  1 loads of y, by loops 4: 1 in 0 of 4
  1 stores of changed, by loops
  1 stores of top, by loops
  each element
    spread i.1 in 0..n
      y.9 = 0
      y.9 = x[i.1] % 5
      y[i.1] = y.9
    changed.16 = 0
    top.17 = 0
    for t.2 in 0..m
      c.3 = 0
      sync blocks alone for i.4 in 0..n, a series of c.3
        alone old.5 = y[i.4]
        alone y.18 = ((old.5 * 3) + t.2) % 11
        y[i.4] = y.18
        alone if y.18 != old.5
          alone c.3 = c.3 + 1
      changed.16 = c.3
      best.6 = -1
      for i.7 in 0..n
        next.8 = (y[i.7] * 5) % 7
        y[i.7] = next.8
      shared as
        sync blocks own portions spread i.7 in 0..n
          next.8 = (y[i.7] * 5) % 7
          y[i.7] = next.8
      best.12 = -9223372036854775808
      sync blocks own portions joined portions spread i.14 in 0..n to best.12
        next.15 = y[i.14]
        best.12 = max(best.12, next.15 - t.2)
      join
        best.12 = max(best.12, other.13)
      best.6 = max(best.6, best.12)
      top.17 = best.6
    changed[] = changed.16
    top[] = top.17

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
