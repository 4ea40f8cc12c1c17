centred: float64(float64)
  as  gufunc_overwritten_centred_f8_f8
  in  x f8
  out y f8
  var acc.0 f8, other.1 f8, i.2 i8, value.3 f8, result.4 f8, count.5 i8, t.6 f8, i.7 i8, acc.8 f8,
      other.9 f8, i.10 i8, t.11 f8, t.12 f8, value.13 f8, result.14 f8, count.15 i8, s.16 f8,
      i.17 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  registers of a warp's or a block's threads hold rows, 8 points each
  2 neighbours a thread, where side by side are elements of x y
  loop 0 in -1, reduction: n
  loop 1 in -1, reduction: n
  loop 2 in -1, points: n
  work by loops 0, 1 float64
  work by loops, 28 float64, 5 special
  work by loops 1, 3 float64
  work by loops 2, 9 float64, 1 special
  1 loads of x, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: 1 in 0 of 1
  1 loads of x, by loops 2: 1 in 0 of 2
  1 stores of y, by loops 2: 1 in 0 of 2
  each element
    acc.0 = 0.0
    spread i.2 in 0..n to acc.0
      value.3 = x[i.2]
      acc.0 = acc.0 + value.3
    join
      acc.0 = acc.0 + other.1
    result.4 = acc.0
    count.5 = 1 * max(-((0 - n) // 1), 0)
    t.6 = result.4 / f8(count.5)
    acc.8 = 0.0
    spread i.10 in 0..n to acc.8
      t.11 = x[i.10] - t.6
      t.12 = t.11 * t.11
      value.13 = t.12
      acc.8 = acc.8 + value.13
    join
      acc.8 = acc.8 + other.9
    result.14 = acc.8
    count.15 = 1 * max(-((0 - n) // 1), 0)
    s.16 = result.14 / f8(count.15)
    spread i.17 in 0..n
      y[i.17] = (x[i.17] - t.6) / sqrt(s.16)

weights: float32(float32)
  as  gufunc_overwritten_weights_f4_f4_recomputed
  in  x f4
  out y f4
  var acc.0 f4, other.1 f4, i.2 i8, value.3 f4, result.4 f4, i.5 i8, acc.6 f4, other.7 f4, i.8 i8,
      value.9 f4, result.10 f4, i.11 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  registers of a warp's or a block's threads hold rows, 16 points each
  4 neighbours a thread, where side by side are elements of x y
  loop 0 in -1, reduction: n
  loop 1 in -1, reduction: n
  loop 2 in -1, points: n
  work by loops 0, 2 float32
  work by loops 1, 12 float32, 1 special
  work by loops 2, 19 float32, 2 special
  1 loads of x, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: 1 in 0 of 1
  1 loads of x, by loops 2: 1 in 0 of 2
  1 stores of y, by loops 2: 1 in 0 of 2
  each element
    acc.0 = -inf
    spread i.2 in 0..n to acc.0
      value.3 = x[i.2]
      acc.0 = max(acc.0, value.3)
    join
      acc.0 = max(acc.0, other.1)
    result.4 = acc.0
    acc.6 = 0.0
    spread i.8 in 0..n to acc.6
      value.9 = exp(x[i.8] - result.4)
      acc.6 = acc.6 + value.9
    join
      acc.6 = acc.6 + other.7
    result.10 = acc.6
    spread i.11 in 0..n
      y[i.11] = exp(x[i.11] - result.4) / result.10

weights: float32(float32)
  as  gufunc_overwritten_weights_f4_f4
  in  x f4
  out y f4
  var acc.0 f4, other.1 f4, i.2 i8, value.3 f4, result.4 f4, i.5 i8, acc.6 f4, other.7 f4, i.8 i8,
      value.9 f4, result.10 f4, i.11 i8
  a thread, a warp or a block a call, or threads a point, in 4 phases
  registers of a warp's or a block's threads hold rows, 16 points each
  4 neighbours a thread, where side by side are elements of x y
  4 neighbours a thread, where side by side are elements of y
  loop 0 in -1, reduction: n
  loop 1 in -1, points: n
  loop 2 in -1, reduction: n
  loop 3 in -1, points: n
  work by loops 0, 2 float32
  work by loops 1, 11 float32, 1 special
  work by loops 2, 1 float32
  work by loops 3, 8 float32, 1 special
  1 loads of x, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of y, by loops 1: 1 in 0 of 1
  1 loads of y, by loops 2: 1 in 0 of 2
  1 loads of y, by loops 3: 1 in 0 of 3
  1 stores of y, by loops 3: 1 in 0 of 3
  each element
    acc.0 = -inf
    spread i.2 in 0..n to acc.0
      value.3 = x[i.2]
      acc.0 = max(acc.0, value.3)
    join
      acc.0 = max(acc.0, other.1)
    result.4 = acc.0
    spread i.5 in 0..n
      y[i.5] = exp(x[i.5] - result.4)
    acc.6 = 0.0
    sync blocks spread i.8 in 0..n to acc.6
      value.9 = y[i.8]
      acc.6 = acc.6 + value.9
    join
      acc.6 = acc.6 + other.7
    result.10 = acc.6
    sync blocks spread i.11 in 0..n
      y[i.11] = y[i.11] / result.10

some_stay: (int64, int64)(int64)
  as  gufunc_overwritten_some_stay_i8i8_i8
  in  x i8
  out y i8, z i8
  var i.0 i8, acc.1 i8, other.2 i8, i.3 i8, value.4 i8, result.5 i8, i.6 i8, bound.7 i8, i.8 i8,
      acc.9 i8, other.10 i8, i.11 i8, value.12 i8, result.13 i8, i.14 i8
  a thread, a warp or a block a call, or threads a point, in 7 phases
  2 neighbours a thread, where side by side are elements of x y
  2 neighbours a thread, where side by side are elements of x z
  2 neighbours a thread, where side by side are elements of z
  loop 0 in -1, points: n
  loop 1 in -1, reduction: n
  loop 2 in -1, points: n 1 - 0 max
  loop 3 in -1, points: n 1 - 0 - 0 max
  loop 4 in -1, reduction: n
  loop 5 in -1, points: n
  work by loops 0, 2 integer
  work by loops 1, 2 integer
  work by loops 2, 4 integer
  work by loops 3, 2 integer
  work by loops 4, 2 integer
  work by loops 5, 2 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 1: 1 in 0 of 1
  1 loads of y, by loops 2: 1 in 0 of 2
  1 stores of y, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 3: 1 in 0 of 3
  1 stores of z, by loops 3: 1 in 0 of 3
  1 stores of z, by loops
  1 loads of z, by loops 4: 1 in 0 of 4
  1 loads of z, by loops 5: 1 in 0 of 5
  1 stores of z, by loops 5: 1 in 0 of 5
  each element
    spread i.0 in 0..n
      y[i.0] = x[i.0] + 1
    acc.1 = 0
    sync blocks spread i.3 in 0..n to acc.1
      value.4 = y[i.3]
      acc.1 = acc.1 + value.4
    join
      acc.1 = acc.1 + other.2
    result.5 = acc.1
    sync blocks spread i.6 in 1..n
      y[i.6] = y[i.6] * result.5
    spread i.8 in 0..(n - 1)
      z[i.8] = x[i.8] + 2
    z[n - 1] = 70
    acc.9 = 0
    sync blocks spread i.11 in 0..n to acc.9
      value.12 = z[i.11]
      acc.9 = acc.9 + value.12
    join
      acc.9 = acc.9 + other.10
    result.13 = acc.9
    sync blocks spread i.14 in 0..n
      z[i.14] = z[i.14] + result.13

turned: (int64, int64)(int64)
  as  gufunc_overwritten_turned_i8i8_i8
  in  x i8
  out y i8, z i8, w i8
  var i.0 i8, j.1 i8, i.2 i8, j.3 i8, i.4 i8, last.5 i8, i.6 i8, i.7 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of x y, or from row to row
  2 neighbours a thread, where side by side are elements of z
  loop 0 in -1, points: n
  loop 1 in 0, points: n
  loop 2 in -1, points: n
  work by loops 0 1, 6 integer
  work by loops, 2 integer
  work by loops 2, 6 integer
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of x, by loops
  1 loads of x, by loops 2: -1 in 0 of 2
  1 stores of z, by loops 2: 1 in 0 of 2
  each element
    spread i.2 in 0..n, j.3 in 0..n
      y[i.2, j.3] = (x[i.2, j.3] + 1) * 2
    last.5 = x[n - 1, 0] + 3
    spread i.7 in 0..n
      z[i.7] = ((x[(n - 1) - i.7, 0] + 3) * 10) + last.5

ends: int64(int64, int64)
  as  gufunc_overwritten_ends_i8_i8i8
  in  x i8, f i8
  out y i8
  var i.0 i8, i.1 i8, guard.2 b1
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of x y
  2 neighbours a thread, where side by side are elements of y
  loop 0 in -1, points: n
  loop 1 in -1, points: n
  work by loops 0, 2 integer
  work by loops, 2 integer
  work by loops 1, 4 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 1: 1 in 0 of 1
  1 stores of y, by loops 1: 1 in 0 of 1
  each element
    spread i.0 in 0..n
      y[i.0] = x[i.0] + 1
    guard.2 = not (f > 0)
    sync blocks spread i.1 in 0..n
      if guard.2
        y[i.1] = y[i.1] * 2

changes: (int64, int64)(int64)
  as  gufunc_overwritten_changes_i8i8_i8
  in  x i8
  out y i8, z i8
  var i.0 i8, i.1 i8, i.2 i8, i.3 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  2 neighbours a thread, where side by side are elements of x y z
  loop 0 in -1, points: n
  work by loops 0, 2 integer
  1 stores of z, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 0: 1 in 0 of 0
  1 loads of z, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  each element
    spread i.2 in 0..n
      z[i.2] = 7
      y[i.2] = (x[i.2] + 1) + z[i.2]

in_turn: int64(int64, int64)
  as  gufunc_overwritten_in_turn_i8_i8i8_stored
  in  x i8, k i8
  out y i8, stored i8, stored i8
  var i.0 i8, t.1 i8, i.2 i8, acc.3 i8, other.4 i8, i.5 i8, value.6 i8, result.7 i8, i.8 i8, at.9 i8,
      t.10 i8, acc.11 i8, i.12 i8, other.13 i8, value.14 i8, result.15 i8, i.16 i8
  a thread, a warp or a block a call, or threads a point, in 6 phases
  2 neighbours a thread, where side by side are elements of y
  2 neighbours a thread, where side by side are elements of stored
  2 points of range 0 a thread, whose reductions run together
  2 points of range 0 a thread, whose reductions run together
  loop 0 in -1, points: n
  loop 1 in -1, points: n
  loop 2 in -1, points: 2
  loop 3 in 2, reduction: n
  loop 4 in -1, points: 2
  loop 5 in 4, points: n
  loop 6 in -1, points: 2
  loop 7 in 6, reduction: n
  loop 8 in -1, points: 2
  loop 9 in 8, points: n
  work by loops 2 3, 4 integer
  work by loops 4 5, 4 integer
  work by loops 6 7, 4 integer
  work by loops 8 9, 4 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  1 stores of stored, by loops 1: 1 in 0 of 1
  1 loads of x, by loops 3: 1 in 0 of 3
  1 loads of stored, by loops 5: 1 in 0 of 5
  1 stores of stored, by loops 5: 1 in 0 of 5
  1 loads of x, by loops 7: 1 in 0 of 7
  1 stores of stored, by loops 6: 1 in 0 of 6
  1 loads of stored, by loops 9: 1 in 0 of 9
  1 loads of x, by loops 9: 1 in 0 of 9
  1 loads of stored, by loops 8: 1 in 0 of 8
  1 stores of y, by loops 9: 1 in 0 of 9
  each element
    spread i.0 in 0..n
      y[i.0] = 0
    spread at.9 in 0..n
      stored[at.9] = -9223372036854775808
    spread t.10 in 0..2
      acc.11 = 0
      each i.12 in 0..n to acc.11
        value.14 = x[i.12] + t.10
        acc.11 = acc.11 + value.14
      join
        acc.11 = acc.11 + other.13
      result.15 = acc.11
    sync blocks spread t.10 in 0..2, i.16 in 0..n
      stored[i.16] = max(stored[i.16], t.10)
    spread t.1 in 0..2
      acc.3 = 0
      each i.5 in 0..n to acc.3
        value.6 = x[i.5] + t.1
        acc.3 = acc.3 + value.6
      join
        acc.3 = acc.3 + other.4
      result.7 = acc.3
      stored[t.1] = result.7
    sync blocks spread t.1 in 0..2, i.8 in 0..n
      if stored[i.8] == t.1
        y[i.8] = (x[i.8] + t.1) + stored[t.1]

in_turn: int64(int64, int64)
  as  gufunc_overwritten_in_turn_i8_i8i8
  in  x i8, k i8
  out y i8
  var i.0 i8, t.1 i8, i.2 i8, acc.3 i8, other.4 i8, i.5 i8, value.6 i8, result.7 i8, i.8 i8
  a thread, a warp or a block a call
  registers of a warp's lanes keep y, a lane for each index
  loop 0 in -1, points: n
  loop 1 in -1, serial: 2
  loop 2 in 1, reduction: n
  loop 3 in 1, points: n
  work by loops 1 2, 4 integer
  work by loops 1 3, 2 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 3: 1 in 0 of 3
  1 stores of y, by loops 3: 1 in 0 of 3
  each element
    own portions spread i.0 in 0..n
      y[i.0] = 0
    for t.1 in 0..2
      acc.3 = 0
      own portions spread i.5 in 0..n to acc.3
        value.6 = x[i.5] + t.1
        acc.3 = acc.3 + value.6
      join
        acc.3 = acc.3 + other.4
      result.7 = acc.3
      sync blocks own portions joined portions spread i.8 in 0..n
        y[i.8] = (x[i.8] + t.1) + result.7

0copy: int64(int64)
  as  gufunc_overwritten_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float32(float32)
  as  gufunc_overwritten_0copy_f4_f4
  in  x f4
  out out f4
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_overwritten_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
