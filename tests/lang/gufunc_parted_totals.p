scaled: (float32, float32, int64)(float32, float32)
  as  gufunc_parted_totals_scaled_f4f4i8_f4f4_stored
  in  z f4, t f4
  out y f4, g f4, k i8
  var i.0 i8, most.1 f4, i.2 i8, count.3 i8, i.4 i8, i.5 i8, i.6 i8, most.7 f4, other.8 f4,
      turn.9 i8, later.10 i8, i.11 i8, count.12 i8, other.13 i8, i.14 i8
  a thread, a warp or a block a call, or threads a point, in 5 phases
  4 neighbours a thread, where side by side are elements of z y
  4 neighbours a thread, where side by side are elements of y
  4 neighbours a thread, where side by side are elements of y
  loop 0 in -1, points: n
  loop 1 in -1, points: n
  loop 2 in -1, reduction: n
  loop 3 in -1, points: n
  loop 4 in -1, reduction: n
  work by loops 1, 8 float32, 1 special
  work by loops 2, 1 integer
  work by loops, 3 integer
  work by loops 3, 1 float32, 1 integer
  work by loops 4, 5 integer
  1 loads of z, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 1: 1 in 0 of 1
  1 stores of y, by loops 1: 1 in 0 of 1
  2 loads of y, by loops 2: 1 in 0 of 2
  1 loads of y, by loops 3: 1 in 0 of 3
  1 stores of y, by loops 3: 1 in 0 of 3
  1 loads of y, by loops 4: 1 in 0 of 4
  1 stores of g, by loops
  1 stores of k, by loops
  each element
    spread i.0 in 0..n
      y[i.0] = z[i.0]
    sync blocks spread i.2 in 0..n
      y[i.2] = y[i.2] / t
    most.1 = 0.0
    most.7 = -inf
    turn.9 = 9223372036854775807
    sync blocks spread i.11 in 0..n to most.7, turn.9
      if y[i.11] > most.7
        turn.9 = i.11
        most.7 = y[i.11]
    join
      if (other.8 > most.7) or ((other.8 == most.7) and (later.10 < turn.9))
        most.7 = other.8
        turn.9 = later.10
    if most.7 > most.1
      most.1 = most.7
    sync blocks spread i.4 in 0..n
      if (y[i.4] * 2.0) < most.1
        y[i.4] = 0.0
    count.3 = 0
    count.12 = 0
    sync blocks spread i.14 in 0..n to count.12
      count.12 = count.12 + where(y[i.14] > 0.0, 1, 0)
    join
      count.12 = count.12 + other.13
    count.3 = count.3 + count.12
    g[] = most.1
    k[] = count.3

scaled: (float32, float32, int64)(float32, float32)
  as  gufunc_parted_totals_scaled_f4f4i8_f4f4
  in  z f4, t f4
  out y f4, g f4, k i8
  var i.0 i8, most.1 f4, i.2 i8, count.3 i8, i.4 i8
  one thread a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: 24 clocks: n
  loop 2 in -1, serial: n
  work by loops 1, 8 float32, 1 integer, 1 special
  work by loops 2, 1 float32, 6 integer
  1 loads of z, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  3 loads of y, by loops 1: 1 in 0 of 1
  1 stores of y, by loops 1: 1 in 0 of 1
  2 loads of y, by loops 2: 1 in 0 of 2
  1 stores of y, by loops 2: 1 in 0 of 2
  1 stores of g, by loops
  1 stores of k, by loops
  each element
    for i.0 in 0..n
      y[i.0] = z[i.0]
    shared as
      spread i.0 in 0..n
        y[i.0] = z[i.0]
    most.1 = 0.0
    sync blocks alone for i.2 in 0..n
      y[i.2] = y[i.2] / t
      alone if y[i.2] > most.1
        alone most.1 = y[i.2]
    count.3 = 0
    alone for i.4 in 0..n, a series of count.3
      alone if (y[i.4] * 2.0) < most.1
        y[i.4] = 0.0
      alone count.3 = count.3 + where(y[i.4] > 0.0, 1, 0)
    g[] = most.1
    k[] = count.3

0copy: int64(int64)
  as  gufunc_parted_totals_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float32(float32)
  as  gufunc_parted_totals_0copy_f4_f4
  in  x f4
  out out f4
  each element
    store out = x
