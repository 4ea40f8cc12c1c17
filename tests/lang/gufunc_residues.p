ways: int64(int64, int64)
  as  gufunc_residues_ways_i8_i8i8
  in  coins i8, x i8
  out y i8
  var t.0 i8, i.1 i8, c.2 i8, w.3 i8, place.4 i8, turn.5 i8, kept.6 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: k
  loop 2 in 1, points: 64
  loop 3 in 2, serial: ?
  work by loops 1, 4 integer
  work by loops 1 2 3, 22 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of coins, by loops 1: 1 in 0 of 1
  1 loads of y, by loops 1 2 3: 1 in 0 of 3, irregular
  1 loads of y, by loops 1 2 3: 1 in 0 of 3, irregular
  1 stores of y, by loops 1 2 3: 1 in 0 of 3, irregular
  each element
    spread t.0 in 0..n
      y[t.0] = x[t.0]
    for i.1 in 0..k
      c.2 = (3 * coins[i.1]) - 4
      for w.3 in max(c.2, -c.2)..(n - max(-c.2, 0))
        y[w.3] = (y[w.3] + (3 * y[w.3 - c.2])) % 1000003
      shared as
        if c.2 > 0
          sync blocks spread place.4 in 0..min(c.2, (n - max(-c.2, 0)) - max(c.2, -c.2))
            kept.6 = y[(max(c.2, -c.2) + place.4) - c.2]
            for turn.5 in 0..((((((n - max(-c.2, 0)) - max(c.2, -c.2)) - place.4) - 1) // c.2) + 1)
              kept.6 = (y[(max(c.2, -c.2) + place.4) + (turn.5 * c.2)] + (3 * kept.6)) % 1000003
              y[(max(c.2, -c.2) + place.4) + (turn.5 * c.2)] = kept.6
        else
          sync blocks alone for w.3 in max(c.2, -c.2)..(n - max(-c.2, 0))
            y[w.3] = (y[w.3] + (3 * y[w.3 - c.2])) % 1000003

fewest: int32(int32, int32)
  as  gufunc_residues_fewest_i4_i4i4
  in  coins i4, x i4
  out y i4
  var t.0 i8, i.1 i8, w.2 i8, distance.3 i8, place.4 i8, turn.5 i8, kept.6 i4
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: k
  loop 2 in 1, points: 64
  loop 3 in 2, serial: n 2 // 0 max 64 //
  work by loops 1 2 3, 4 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 1 2 3: 1 in 0 of 3, irregular
  1 loads of coins, by loops 1: 1 in 0 of 1
  1 loads of y, by loops 1 2 3, irregular
  1 stores of y, by loops 1 2 3: 1 in 0 of 3, irregular
  each element
    spread t.0 in 0..n
      y[t.0] = x[t.0]
    for i.1 in 0..k
      for w.2 in i8(coins[i.1])..n
        y[w.2] = min(y[w.2], y[i8(i4(w.2) - coins[i.1])] + 1)
      shared as
        distance.3 = i8(coins[i.1])
        if (distance.3 > 0) and (((i8(coins[i.1]) > -2) and (2147483647 > i8(coins[i.1]))) and ((n > -2) and (2147483647 > n)))
          sync blocks spread place.4 in 0..min(distance.3, n - i8(coins[i.1]))
            kept.6 = y[i8(i4(i8(coins[i.1]) + place.4) - coins[i.1])]
            for turn.5 in 0..(((((n - i8(coins[i.1])) - place.4) - 1) // distance.3) + 1)
              kept.6 = min(y[(i8(coins[i.1]) + place.4) + (turn.5 * distance.3)], kept.6 + 1)
              y[(i8(coins[i.1]) + place.4) + (turn.5 * distance.3)] = kept.6
        else
          sync blocks alone for w.2 in i8(coins[i.1])..n
            y[w.2] = min(y[w.2], y[i8(i4(w.2) - coins[i.1])] + 1)

once: float64(int64, float64)
  as  gufunc_residues_once_f8_i8f8_owned
  in  weight i8, x f8
  out y f8, stored f8
  var t.0 i8, i.1 i8, w.2 i8, at.3 i8, distance.4 i8, place.5 i8, turn.6 i8, kept.7 f8, single.8 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: k
  loop 2 in 1, points: n
  loop 3 in 1, points: ?
  loop 4 in 1, points: 1
  work by loops 1, 4 integer
  work by loops 1 3, 4 float64, 2 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  3 loads of weight, by loops 1: 1 in 0 of 1
  1 loads of y, by loops 2: 1 in 0 of 2
  1 stores of stored, by loops 2: 1 in 0 of 2
  1 loads of stored, by loops 1 3: -1 in 0 of 3
  1 loads of stored, by loops 1 3: -1 in 0 of 3, irregular
  1 stores of y, by loops 1 3: -1 in 0 of 3
  each element
    spread t.0 in 0..n
      y[t.0] = x[t.0]
    for i.1 in 0..k
      if weight[i.1] > 0
        sync blocks spread at.3 in 0..n
          stored[at.3] = y[at.3]
        for w.2 in (n - 1)..(weight[i.1] - 1)..-1
          y[w.2] = max(stored[w.2], (stored[w.2 - weight[i.1]] * 0.75) + 0.5)
        shared as
          sync blocks spread w.2 in (n - 1)..(weight[i.1] - 1)..-1
            y[w.2] = max(stored[w.2], (stored[w.2 - weight[i.1]] * 0.75) + 0.5)
      sync blocks spread single.8 in 0..1
        if not (weight[i.1] > 0)
          for w.2 in (n - 1)..(weight[i.1] - 1)..-1
            y[w.2] = max(y[w.2], (y[w.2 - weight[i.1]] * 0.75) + 0.5)

once: float64(int64, float64)
  as  gufunc_residues_once_f8_i8f8
  in  weight i8, x f8
  out y f8
  var t.0 i8, i.1 i8, w.2 i8, distance.3 i8, place.4 i8, turn.5 i8, kept.6 f8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: k
  loop 2 in 1, points: 64
  loop 3 in 2, serial: n 1 - 2 // 0 max 64 //
  work by loops 1 2 3, 4 float64, 2 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 1 2 3: -1 in 0 of 3
  1 loads of weight, by loops 1: 1 in 0 of 1
  1 loads of y, by loops 1 2 3: -1 in 0 of 3, irregular
  1 stores of y, by loops 1 2 3: -1 in 0 of 3
  each element
    spread t.0 in 0..n
      y[t.0] = x[t.0]
    for i.1 in 0..k
      for w.2 in (n - 1)..(weight[i.1] - 1)..-1
        y[w.2] = max(y[w.2], (y[w.2 - weight[i.1]] * 0.75) + 0.5)
      shared as
        distance.3 = weight[i.1]
        if distance.3 > 0
          sync blocks spread place.4 in 0..min(distance.3, (n - 1) - (weight[i.1] - 1))
            for turn.5 in 0..((((((n - 1) - (weight[i.1] - 1)) - place.4) - 1) // distance.3) + 1)
              kept.6 = max(y[((n - 1) - place.4) - (turn.5 * distance.3)], (y[(((n - 1) - place.4) - (turn.5 * distance.3)) - distance.3] * 0.75) + 0.5)
              y[((n - 1) - place.4) - (turn.5 * distance.3)] = kept.6
        else
          sync blocks alone for w.2 in (n - 1)..(weight[i.1] - 1)..-1
            y[w.2] = max(y[w.2], (y[w.2 - weight[i.1]] * 0.75) + 0.5)

guarded: int64(int64, int64)
  as  gufunc_residues_guarded_i8_i8i8
  in  coins i8, x i8
  out y i8
  var t.0 i8, i.1 i8, w.2 i8, v.3 i8, distance.4 i8, place.5 i8, turn.6 i8, kept.7 i8, own.8 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: k
  loop 2 in 1, points: 64
  loop 3 in 2, serial: n 64 //
  work by loops 1 2 3, 26 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  2 loads of coins, by loops 1: 1 in 0 of 1
  1 loads of y, by loops 2 3: 1 in 0 of 3
  1 loads of y, by loops 1 2 3: 1 in 0 of 3, irregular
  1 stores of y, by loops 2 3: 1 in 0 of 3
  each element
    spread t.0 in 0..n
      y[t.0] = x[t.0]
    for i.1 in 0..k
      for w.2 in 0..n
        if w.2 >= coins[i.1]
          y[w.2] = ((y[w.2] * 2) + y[w.2 - coins[i.1]]) % 10007
      shared as
        distance.4 = coins[i.1]
        if distance.4 > 0
          sync blocks spread place.5 in 0..min(distance.4, n - 0)
            kept.7 = 0
            if (0 + place.5) >= coins[i.1]
              kept.7 = y[(0 + place.5) - coins[i.1]]
            for turn.6 in 0..(((((n - 0) - place.5) - 1) // distance.4) + 1)
              own.8 = y[(0 + place.5) + (turn.6 * distance.4)]
              if ((0 + place.5) + (turn.6 * distance.4)) >= distance.4
                own.8 = ((y[(0 + place.5) + (turn.6 * distance.4)] * 2) + kept.7) % 10007
              kept.7 = own.8
              y[(0 + place.5) + (turn.6 * distance.4)] = own.8
        else
          sync blocks alone for w.2 in 0..n
            alone if w.2 >= coins[i.1]
              y[w.2] = ((y[w.2] * 2) + y[w.2 - coins[i.1]]) % 10007

both: float64(int64, float64)
  as  gufunc_residues_both_f8_i8f8
  in  d i8, x f8
  out y f8
  var t.0 i8, i.1 i8, c.2 i8, w.3 i8, place.4 i8, turn.5 i8, kept.6 f8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: k
  loop 2 in 1, points: 64
  loop 3 in 2, serial: 16 clocks: ?
  work by loops 1 2 3, 4 float64
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of d, by loops 1: 1 in 0 of 1
  1 loads of y, by loops 1 2 3: 1 in 0 of 3, irregular
  2 loads of y, by loops 1 2 3: 1 in 0 of 3, irregular
  1 stores of y, by loops 1 2 3: 1 in 0 of 3, irregular
  each element
    spread t.0 in 0..n
      y[t.0] = x[t.0]
    for i.1 in 0..k
      c.2 = d[i.1]
      for w.3 in c.2..(n - c.2)
        y[w.3] = (0.5 * y[w.3]) + (0.25 * (y[w.3 - c.2] - y[w.3 + c.2]))
      shared as
        if c.2 > 0
          sync blocks spread place.4 in 0..min(c.2, (n - c.2) - c.2)
            kept.6 = y[(c.2 + place.4) - c.2]
            for turn.5 in 0..((((((n - c.2) - c.2) - place.4) - 1) // c.2) + 1)
              kept.6 = (0.5 * y[(c.2 + place.4) + (turn.5 * c.2)]) + (0.25 * (kept.6 - y[((c.2 + place.4) + (turn.5 * c.2)) + c.2]))
              y[(c.2 + place.4) + (turn.5 * c.2)] = kept.6
        else
          sync blocks alone for w.3 in c.2..(n - c.2)
            y[w.3] = (0.5 * y[w.3]) + (0.25 * (y[w.3 - c.2] - y[w.3 + c.2]))

several: int64(int64, int64, int64)
  as  gufunc_residues_several_i8_i8i8i8
  in  d i8, e i8, x i8
  out y i8
  var t.0 i8, w.1 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: ?
  work by loops 1, 24 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  3 loads of y, by loops 1: 1 in 0 of 1
  1 stores of y, by loops 1: 1 in 0 of 1
  each element
    spread t.0 in 0..n
      y[t.0] = x[t.0]
    sync blocks alone for w.1 in (d + e)..n
      y[w.1] = ((y[w.1] + y[w.1 - d]) - y[w.1 - e]) % 10007

rows: float64(int64, float64)
  as  gufunc_residues_rows_f8_i8f8_calls
  in  d i8, x f8
  out y f8
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, r.4 i8, distance.5 i8, place.6 i8, turn.7 i8, kept.8 f8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: k
  loop 2 in 1, points: 64
  loop 3 in 2, serial: 8 clocks: n 2 // 0 max 64 //
  work by loops 1 2 3, 2 float64, 2 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 1 2 3: 1 in 0 of 3, irregular
  1 loads of d, by loops 1: 1 in 0 of 1
  1 loads of y, by loops 1 2 3: 1 in 0 of 3, irregular
  1 stores of y, by loops 1 2 3: 1 in 0 of 3, irregular
  each element
    spread t.0 in 0..n
      y[t.0] = x[t.0]
    for i.2 in 0..k
      for r.4 in d[i.2]..n
        y[r.4] = y[r.4] + (0.5 * y[r.4 - d[i.2]])
      shared as
        distance.5 = d[i.2]
        if distance.5 > 0
          sync blocks spread place.6 in 0..min(distance.5, n - d[i.2])
            kept.8 = y[(d[i.2] + place.6) - d[i.2]]
            for turn.7 in 0..(((((n - d[i.2]) - place.6) - 1) // distance.5) + 1)
              kept.8 = y[(d[i.2] + place.6) + (turn.7 * distance.5)] + (0.5 * kept.8)
              y[(d[i.2] + place.6) + (turn.7 * distance.5)] = kept.8
        else
          sync blocks alone for r.4 in d[i.2]..n
            y[r.4] = y[r.4] + (0.5 * y[r.4 - d[i.2]])

rows: float64(int64, float64)
  as  gufunc_residues_rows_f8_i8f8
  in  d i8, x f8
  out y f8
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, r.4 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in 0, points: m
  loop 2 in -1, serial: k
  loop 3 in 2, points: m
  loop 4 in 3, serial: n 2 // 0 max
  work by loops 2 3 4, 2 float64
  work by loops 2 4, 2 integer
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of y, by loops 2 3 4: 1 in 0 of 4, 1 in 1 of 3, irregular
  1 loads of d, by loops 2: 1 in 0 of 2
  1 loads of y, by loops 2 3 4: 1 in 0 of 4, 1 in 1 of 3, irregular
  1 stores of y, by loops 2 3 4: 1 in 0 of 4, 1 in 1 of 3, irregular
  each element
    spread t.0 in 0..n, t.1 in 0..m
      y[t.0, t.1] = x[t.0, t.1]
    sync blocks for i.2 in 0..k
      for j.3 in 0..m
        for r.4 in d[i.2]..n
          y[r.4, j.3] = y[r.4, j.3] + (0.5 * y[r.4 - d[i.2], j.3])
      shared as
        sync row j.3 spread j.3 in 0..m
          for r.4 in d[i.2]..n
            y[r.4, j.3] = y[r.4, j.3] + (0.5 * y[r.4 - d[i.2], j.3])

echo: float64(int64, float64)
  as  gufunc_residues_echo_f8_i8f8
  in  d i8, x f8
  out y f8
  var t.0 i8, i.1 i8, distance.2 i8, place.3 i8, turn.4 i8, kept.5 f8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, points: 64
  loop 2 in 1, serial: ?
  work by loops 1 2, 2 float64, 2 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1 2: 1 in 0 of 2
  1 loads of y, by loops 1 2: 1 in 0 of 2
  1 stores of y, by loops 1 2: 1 in 0 of 2
  each element
    spread t.0 in 0..n
      y[t.0] = x[t.0]
    for i.1 in d..n
      y[i.1] = x[i.1] - (0.25 * y[i.1 - d])
    shared as
      distance.2 = d
      if distance.2 > 0
        sync blocks spread place.3 in 0..min(distance.2, n - d)
          kept.5 = y[(d + place.3) - d]
          for turn.4 in 0..(((((n - d) - place.3) - 1) // distance.2) + 1)
            kept.5 = x[(d + place.3) + (turn.4 * distance.2)] - (0.25 * kept.5)
            y[(d + place.3) + (turn.4 * distance.2)] = kept.5
      else
        sync blocks alone for i.1 in d..n
          y[i.1] = x[i.1] - (0.25 * y[i.1 - d])

small: int64(int64, int64)
  as  gufunc_residues_small_i8_i8i8
  in  coins i8, x i8
  out y i8
  var t.0 i8, i.1 i8, w.2 i8, distance.3 i8, place.4 i8, turn.5 i8, kept.6 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: k
  loop 2 in 1, points: 64
  loop 3 in 2, serial: n 2 // 0 max 64 //
  work by loops 1 2 3, 6 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 1 2 3: 1 in 0 of 3, irregular
  1 loads of coins, by loops 1: 1 in 0 of 1
  1 loads of y, by loops 1 2 3: 1 in 0 of 3, irregular
  1 stores of y, by loops 1 2 3: 1 in 0 of 3, irregular
  each element
    spread t.0 in 0..n
      y[t.0] = x[t.0]
    for i.1 in 0..k
      for w.2 in coins[i.1]..n
        y[w.2] = y[w.2] + (3 * y[w.2 - coins[i.1]])
      shared as
        distance.3 = coins[i.1]
        if distance.3 > 0
          sync blocks spread place.4 in 0..min(distance.3, n - coins[i.1])
            kept.6 = y[(coins[i.1] + place.4) - coins[i.1]]
            for turn.5 in 0..(((((n - coins[i.1]) - place.4) - 1) // distance.3) + 1)
              kept.6 = y[(coins[i.1] + place.4) + (turn.5 * distance.3)] + (3 * kept.6)
              y[(coins[i.1] + place.4) + (turn.5 * distance.3)] = kept.6
        else
          sync blocks alone for w.2 in coins[i.1]..n
            y[w.2] = y[w.2] + (3 * y[w.2 - coins[i.1]])

parity: int64(int64, int64)
  as  gufunc_residues_parity_i8_i8i8
  in  c i8, x i8
  out y i8
  var t.0 i8, t.1 i8, w.2 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in 0, points: m
  loop 2 in -1, serial: ?
  work by loops 2, 4 integer
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  2 loads of y, by loops 2: 1 in 0 of 2, irregular
  1 stores of y, by loops 2: 1 in 0 of 2, irregular
  each element
    spread t.0 in 0..n, t.1 in 0..m
      y[t.0, t.1] = x[t.0, t.1]
    sync blocks for w.2 in c..n
      y[w.2, w.2 % 2] = y[w.2, w.2 % 2] + y[w.2 - c, w.2 % 2]

0copy: int32(int32)
  as  gufunc_residues_0copy_i4_i4
  in  x i4
  out out i4
  each element
    store out = x

0copy: int64(int64)
  as  gufunc_residues_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_residues_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
