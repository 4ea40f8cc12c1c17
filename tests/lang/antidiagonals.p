table: int64(int64, int64)
  as  antidiagonals_table_i8_i8i8
  in  a i8, b i8
  out r i8, t i8
  var t.0 i8, t.1 i8, d.2 i8, i.3 i8, a.4 i8, a.5 i8, acc.6 i8, other.7 i8, i.8 i8, j.9 i8,
      value.10 i8, result.11 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n + 1
  loop 1 in 0, points: n + 1
  loop 2 in -1, serial: 2 n * 1 + 2 - 0 max
  loop 3 in 2, points: n 2 2 n * 1 + + 2 // 1 - min 1 + 1 2 2 n * 1 + + 2 // n - max - 0 max
  loop 4 in -1, reduction: n + 1
  loop 5 in 4, reduction: n + 1
  work by loops 2 3, 22 integer
  work by loops 4 5, 6 integer
  1 stores of t, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of a, by loops 2 3: 1 in 0 of 2, 1 in 0 of 3
  1 loads of b, by loops 2 3: -1 in 0 of 3
  3 loads of t, by loops 2 3: 1 in 0 of 2, 1 in 0 of 3, -1 in 1 of 3
  1 stores of t, by loops 2 3: 1 in 0 of 2, 1 in 0 of 3, -1 in 1 of 3
  1 loads of t, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  1 stores of r, by loops
  each element
    spread t.0 in 0..n + 1, t.1 in 0..n + 1
      t[t.0, t.1] = 0
    for d.2 in 2..((2 * n) + 1)
      for i.3 in max(1, d.2 - n)..(min(n, d.2 - 1) + 1)
        a.4 = a[i.3 - 1]
        a.5 = 3 * b[(d.2 - i.3) - 1]
        t[i.3, d.2 - i.3] = max(max(max(0, t[i.3 - 1, (d.2 - i.3) - 1] + where(((((a.4 * a.4) * 7) % 1013) % 5) == ((((a.5 * a.5) * 7) % 1013) % 5), 2, -1)), t[i.3 - 1, d.2 - i.3] - 1), t[i.3, (d.2 - i.3) - 1] - 1)
      shared as
        sync blocks spread i.3 in max(1, d.2 - n)..(min(n, d.2 - 1) + 1)
          a.4 = a[i.3 - 1]
          a.5 = 3 * b[(d.2 - i.3) - 1]
          t[i.3, d.2 - i.3] = max(max(max(0, t[i.3 - 1, (d.2 - i.3) - 1] + where(((((a.4 * a.4) * 7) % 1013) % 5) == ((((a.5 * a.5) * 7) % 1013) % 5), 2, -1)), t[i.3 - 1, d.2 - i.3] - 1), t[i.3, (d.2 - i.3) - 1] - 1)
    acc.6 = 0
    sync blocks portions spread i.8 in 0..n + 1, j.9 in 0..n + 1 to acc.6
      value.10 = t[i.8, j.9] * ((3 * i.8) + j.9)
      acc.6 = acc.6 + value.10
    join
      acc.6 = acc.6 + other.7
    result.11 = acc.6
    r[] = result.11

meets: int64(int64)
  as  antidiagonals_meets_i8_i8
  in  a i8
  out r i8, t i8
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, a.4 i8, d.5 i8, i.6 i8, acc.7 i8, other.8 i8, i.9 i8, j.10 i8,
      value.11 i8, result.12 i8, t.13 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in 0, points: n
  loop 2 in -1, serial: n 2 - 0 max
  loop 3 in 2, serial: 2 n + 2 // 1 - 0 max
  loop 4 in -1, reduction: n
  loop 5 in 4, reduction: n
  work by loops 2 3, 22 integer
  work by loops 4 5, 6 integer
  1 loads of a, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of t, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  2 loads of t, by loops 2 3: 1 in 0 of 3, 1 in 1 of 2, -1 in 1 of 3
  1 stores of t, by loops 2 3: 1 in 0 of 3, 1 in 1 of 2, -1 in 1 of 3
  1 loads of t, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  1 stores of r, by loops
  each element
    spread i.2 in 0..n, j.3 in 0..n
      a.4 = a[i.2, j.3]
      t.13 = 0
      t.13 = (((a.4 * a.4) * 7) % 1013) % 5
      t[i.2, j.3] = t.13
    sync blocks for d.5 in 2..n by 2 behind one another, aslant
      sync blocks for i.6 in 1..d.5
        t[i.6, d.5 - i.6] = (t[i.6, d.5 - i.6] + (t[i.6 - 1, (d.5 - i.6) + 1] * 3)) % 1009
    acc.7 = 0
    sync blocks portions spread i.9 in 0..n, j.10 in 0..n to acc.7
      value.11 = t[i.9, j.10] * ((3 * i.9) + j.10)
      acc.7 = acc.7 + value.11
    join
      acc.7 = acc.7 + other.8
    result.12 = acc.7
    r[] = result.12

0copy: int64(int64)
  as  antidiagonals_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x
