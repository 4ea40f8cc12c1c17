behind: int64(int64, int64)
  as  following_bounds_behind_i8_i8i8
  in  a i8, b i8
  out r i8, t i8
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, a.4 i8, a.5 i8, acc.6 i8, other.7 i8, i.8 i8, j.9 i8,
      value.10 i8, result.11 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: m + 1
  loop 1 in 0, points: n + 1
  loop 2 in -1, serial: m 1 + 1 - 0 max
  loop 3 in 2, serial: n 1 m 1 + + 2 // 8 + min 1 + 1 1 m 1 + + 2 // 8 - max - 0 max
  loop 4 in -1, reduction: m + 1
  loop 5 in 4, reduction: n + 1
  work by loops 2 3, 22 integer
  work by loops 4 5, 6 integer
  1 stores of t, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of a, by loops 2: 1 in 0 of 2
  1 loads of b, by loops 2 3: 1 in 0 of 2, 1 in 0 of 3
  3 loads of t, by loops 2 3: 1 in 0 of 2, 1 in 1 of 2, 1 in 1 of 3
  1 stores of t, by loops 2 3: 1 in 0 of 2, 1 in 1 of 2, 1 in 1 of 3
  1 loads of t, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  1 stores of r, by loops
  each element
    spread t.0 in 0..m + 1, t.1 in 0..n + 1
      t[t.0, t.1] = 0
    sync blocks for i.2 in 1..(m + 1) by 1 behind one another, aslant
      sync blocks for j.3 in max(1, i.2 - 8)..(min(n, i.2 + 8) + 1)
        a.4 = a[i.2 - 1]
        a.5 = 3 * b[j.3 - 1]
        t[i.2, j.3] = max(max(max(0, t[i.2 - 1, j.3 - 1] + where(((((a.4 * a.4) * 7) % 1013) % 5) == ((((a.5 * a.5) * 7) % 1013) % 5), 2, -1)), t[i.2 - 1, j.3] - 1), t[i.2, j.3 - 1] - 1)
    acc.6 = 0
    sync blocks portions spread i.8 in 0..m + 1, j.9 in 0..n + 1 to acc.6
      value.10 = t[i.8, j.9] * ((3 * i.8) + j.9)
      acc.6 = acc.6 + value.10
    join
      acc.6 = acc.6 + other.7
    result.11 = acc.6
    r[] = result.11

before: int64(int64, int64)
  as  following_bounds_before_i8_i8i8
  in  a i8, b i8
  out r i8, t i8
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, a.4 i8, a.5 i8, acc.6 i8, other.7 i8, i.8 i8, j.9 i8,
      value.10 i8, result.11 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: m + 1
  loop 1 in 0, points: n + 1
  loop 2 in -1, serial: m 1 + 1 - 0 max
  loop 3 in 2, serial: n 1 m 1 + + 2 // 2 - min 1 + -3 1 m 1 + + 2 // 12 - max 4 + - 0 max
  loop 4 in -1, reduction: m + 1
  loop 5 in 4, reduction: n + 1
  work by loops 2 3, 22 integer
  work by loops 4 5, 6 integer
  1 stores of t, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of a, by loops 2: 1 in 0 of 2
  1 loads of b, by loops 2 3: 1 in 0 of 2, 1 in 0 of 3
  3 loads of t, by loops 2 3: 1 in 0 of 2, 1 in 1 of 2, 1 in 1 of 3
  1 stores of t, by loops 2 3: 1 in 0 of 2, 1 in 1 of 2, 1 in 1 of 3
  1 loads of t, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  1 stores of r, by loops
  each element
    spread t.0 in 0..m + 1, t.1 in 0..n + 1
      t[t.0, t.1] = 0
    sync blocks for i.2 in 1..(m + 1) by 1 behind one another, aslant
      sync blocks for j.3 in (max(-3, i.2 - 12) + 4)..(min(n, i.2 - 2) + 1)
        a.4 = a[i.2 - 1]
        a.5 = 3 * b[j.3 - 1]
        t[i.2, j.3] = max(max(max(0, t[i.2 - 1, j.3 - 1] + where(((((a.4 * a.4) * 7) % 1013) % 5) == ((((a.5 * a.5) * 7) % 1013) % 5), 2, -1)), t[i.2 - 1, j.3] - 1), t[i.2, j.3 - 1] - 1)
    acc.6 = 0
    sync blocks portions spread i.8 in 0..m + 1, j.9 in 0..n + 1 to acc.6
      value.10 = t[i.8, j.9] * ((3 * i.8) + j.9)
      acc.6 = acc.6 + value.10
    join
      acc.6 = acc.6 + other.7
    result.11 = acc.6
    r[] = result.11

size: int64(int64, int64, int64)
  as  following_bounds_size_i8_i8i8i8
  in  a i8, b i8, c i8
  out r i8, t i8
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, a.4 i8, a.5 i8, acc.6 i8, other.7 i8, i.8 i8, j.9 i8,
      value.10 i8, result.11 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: m + 1
  loop 1 in 0, points: n + 1
  loop 2 in -1, serial: m 1 + 1 - 0 max
  loop 3 in 2, serial: n 1 m 1 + + 2 // k + min 1 + 1 1 m 1 + + 2 // k - max - 0 max
  loop 4 in -1, reduction: m + 1
  loop 5 in 4, reduction: n + 1
  work by loops 2 3, 22 integer
  work by loops 4 5, 6 integer
  1 stores of t, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of a, by loops 2: 1 in 0 of 2
  1 loads of b, by loops 2 3: 1 in 0 of 2, 1 in 0 of 3
  3 loads of t, by loops 2 3: 1 in 0 of 2, 1 in 1 of 2, 1 in 1 of 3
  1 stores of t, by loops 2 3: 1 in 0 of 2, 1 in 1 of 2, 1 in 1 of 3
  1 loads of t, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  1 stores of r, by loops
  each element
    spread t.0 in 0..m + 1, t.1 in 0..n + 1
      t[t.0, t.1] = 0
    sync blocks for i.2 in 1..(m + 1) by 1 behind one another, aslant
      sync blocks for j.3 in max(1, i.2 - k)..(min(n, i.2 + k) + 1)
        a.4 = a[i.2 - 1]
        a.5 = 3 * b[j.3 - 1]
        t[i.2, j.3] = max(max(max(0, t[i.2 - 1, j.3 - 1] + where(((((a.4 * a.4) * 7) % 1013) % 5) == ((((a.5 * a.5) * 7) % 1013) % 5), 2, -1)), t[i.2 - 1, j.3] - 1), t[i.2, j.3 - 1] - 1)
    acc.6 = 0
    sync blocks portions spread i.8 in 0..m + 1, j.9 in 0..n + 1 to acc.6
      value.10 = t[i.8, j.9] * ((3 * i.8) + j.9)
      acc.6 = acc.6 + value.10
    join
      acc.6 = acc.6 + other.7
    result.11 = acc.6
    r[] = result.11

wider: int64(int64, int64)
  as  following_bounds_wider_i8_i8i8
  in  a i8, b i8
  out r i8, t i8
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, a.4 i8, a.5 i8, acc.6 i8, other.7 i8, i.8 i8, j.9 i8,
      value.10 i8, result.11 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: m + 1
  loop 1 in 0, points: n + 1
  loop 2 in -1, serial: m 1 + 1 - 0 max
  loop 3 in 2, serial: n 1 m 1 + + 2 // 3 n m - max + min 1 + 1 1 m 1 + + 2 // 3 m n - max - max - 0 max
  loop 4 in -1, reduction: m + 1
  loop 5 in 4, reduction: n + 1
  work by loops 2 3, 22 integer
  work by loops 4 5, 6 integer
  1 stores of t, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of a, by loops 2: 1 in 0 of 2
  1 loads of b, by loops 2 3: 1 in 0 of 2, 1 in 0 of 3
  3 loads of t, by loops 2 3: 1 in 0 of 2, 1 in 1 of 2, 1 in 1 of 3
  1 stores of t, by loops 2 3: 1 in 0 of 2, 1 in 1 of 2, 1 in 1 of 3
  1 loads of t, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  1 stores of r, by loops
  each element
    spread t.0 in 0..m + 1, t.1 in 0..n + 1
      t[t.0, t.1] = 0
    sync blocks for i.2 in 1..(m + 1) by 1 behind one another, aslant
      sync blocks for j.3 in max(1, i.2 - max(3, m - n))..(min(n, i.2 + max(3, n - m)) + 1)
        a.4 = a[i.2 - 1]
        a.5 = 3 * b[j.3 - 1]
        t[i.2, j.3] = max(max(max(0, t[i.2 - 1, j.3 - 1] + where(((((a.4 * a.4) * 7) % 1013) % 5) == ((((a.5 * a.5) * 7) % 1013) % 5), 2, -1)), t[i.2 - 1, j.3] - 1), t[i.2, j.3 - 1] - 1)
    acc.6 = 0
    sync blocks portions spread i.8 in 0..m + 1, j.9 in 0..n + 1 to acc.6
      value.10 = t[i.8, j.9] * ((3 * i.8) + j.9)
      acc.6 = acc.6 + value.10
    join
      acc.6 = acc.6 + other.7
    result.11 = acc.6
    r[] = result.11

alike: int64(int64, int64)
  as  following_bounds_alike_i8_i8i8
  in  a i8, b i8
  out r i8, t i8
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, a.4 i8, a.5 i8, acc.6 i8, other.7 i8, i.8 i8, j.9 i8,
      value.10 i8, result.11 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: m + 1
  loop 1 in 0, points: n + 1
  loop 2 in -1, serial: m 1 + 1 - 0 max
  loop 3 in 2, serial: n 30 min 1 + 1 n 40 - max - 0 max
  loop 4 in -1, reduction: m + 1
  loop 5 in 4, reduction: n + 1
  work by loops 3, 4 integer
  work by loops 2 3, 18 integer
  work by loops 4 5, 6 integer
  1 stores of t, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of a, by loops 2: 1 in 0 of 2
  1 loads of b, by loops 3: 1 in 0 of 3
  3 loads of t, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 stores of t, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of t, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  1 stores of r, by loops
  each element
    spread t.0 in 0..m + 1, t.1 in 0..n + 1
      t[t.0, t.1] = 0
    sync blocks for i.2 in 1..(m + 1) by 1 behind one another
      sync blocks for j.3 in max(1, n - 40)..(min(n, 30) + 1)
        a.4 = a[i.2 - 1]
        a.5 = 3 * b[j.3 - 1]
        t[i.2, j.3] = max(max(max(0, t[i.2 - 1, j.3 - 1] + where(((((a.4 * a.4) * 7) % 1013) % 5) == ((((a.5 * a.5) * 7) % 1013) % 5), 2, -1)), t[i.2 - 1, j.3] - 1), t[i.2, j.3 - 1] - 1)
    acc.6 = 0
    sync blocks portions spread i.8 in 0..m + 1, j.9 in 0..n + 1 to acc.6
      value.10 = t[i.8, j.9] * ((3 * i.8) + j.9)
      acc.6 = acc.6 + value.10
    join
      acc.6 = acc.6 + other.7
    result.11 = acc.6
    r[] = result.11

both: int64(int64, int64)
  as  following_bounds_both_i8_i8i8
  in  a i8, b i8
  out r i8, t i8
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, a.4 i8, a.5 i8, acc.6 i8, other.7 i8, i.8 i8, j.9 i8,
      value.10 i8, result.11 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: m + 1
  loop 1 in 0, points: n + 1
  loop 2 in -1, serial: m 1 + 1 - 0 max
  loop 3 in 2, serial: n 1 m 1 + + 2 // 3 + min 1 1 m 1 + + 2 // 5 - n 1 m 1 + + 2 // - 5 - min max + 1 1 m 1 + + 2 // 9 - max - 0 max
  loop 4 in -1, reduction: m + 1
  loop 5 in 4, reduction: n + 1
  work by loops 2 3, 22 integer
  work by loops 4 5, 6 integer
  1 stores of t, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of a, by loops 2: 1 in 0 of 2
  1 loads of b, by loops 2 3: 1 in 0 of 2, 1 in 0 of 3
  3 loads of t, by loops 2 3: 1 in 0 of 2, 1 in 1 of 2, 1 in 1 of 3
  1 stores of t, by loops 2 3: 1 in 0 of 2, 1 in 1 of 2, 1 in 1 of 3
  1 loads of t, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  1 stores of r, by loops
  each element
    spread t.0 in 0..m + 1, t.1 in 0..n + 1
      t[t.0, t.1] = 0
    sync blocks for i.2 in 1..(m + 1)
      for j.3 in max(1, i.2 - 9)..(min(n, i.2 + 3) + max(1, min(i.2 - 5, (n - i.2) - 5)))
        a.4 = a[i.2 - 1]
        a.5 = 3 * b[j.3 - 1]
        t[i.2, j.3] = max(max(max(0, t[i.2 - 1, j.3 - 1] + where(((((a.4 * a.4) * 7) % 1013) % 5) == ((((a.5 * a.5) * 7) % 1013) % 5), 2, -1)), t[i.2 - 1, j.3] - 1), t[i.2, j.3 - 1] - 1)
    acc.6 = 0
    sync blocks portions spread i.8 in 0..m + 1, j.9 in 0..n + 1 to acc.6
      value.10 = t[i.8, j.9] * ((3 * i.8) + j.9)
      acc.6 = acc.6 + value.10
    join
      acc.6 = acc.6 + other.7
    result.11 = acc.6
    r[] = result.11

beside: int64(int64, int64)
  as  following_bounds_beside_i8_i8i8
  in  a i8, b i8
  out r i8, q i8, t i8
  var t.0 i8, t.1 i8, t.2 i8, i.3 i8, a.4 i8, j.5 i8, a.6 i8, acc.7 i8, other.8 i8, i.9 i8, j.10 i8,
      value.11 i8, result.12 i8, acc.13 i8, other.14 i8, i.15 i8, value.16 i8, result.17 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: m + 1
  loop 1 in -1, points: m + 1
  loop 2 in 1, points: n + 1
  loop 3 in -1, serial: m 1 + 1 - 0 max
  loop 4 in 3, serial: n 90 min 1 + 1 - 0 max
  loop 5 in -1, reduction: m + 1
  loop 6 in 5, reduction: n + 1
  loop 7 in -1, reduction: m + 1
  work by loops 3, 2 integer
  work by loops 3 4, 28 integer
  work by loops 5 6, 6 integer
  work by loops 7, 6 integer
  1 stores of q, by loops 0: 1 in 0 of 0
  1 stores of t, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  2 loads of a, by loops 3: 1 in 0 of 3
  1 loads of t, by loops 3: 1 in 0 of 3
  1 stores of t, by loops 3: 1 in 0 of 3
  1 loads of b, by loops 4: 1 in 0 of 4
  2 loads of t, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 stores of t, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 stores of q, by loops 3: 1 in 0 of 3
  1 stores of q, by loops
  1 loads of t, by loops 5 6: 1 in 0 of 5, 1 in 1 of 6
  1 loads of q, by loops 7: 1 in 0 of 7
  1 stores of r, by loops
  each element
    spread t.0 in 0..m + 1
      q[t.0] = 0
    spread t.1 in 0..m + 1, t.2 in 0..n + 1
      t[t.1, t.2] = 0
    sync blocks for i.3 in 1..(m + 1) by 1 behind one another
      a.4 = a[i.3 - 1]
      sync blocks t[i.3, 0] = t[i.3 - 1, 0] + ((((a.4 * a.4) * 7) % 1013) % 5)
      for j.5 in 1..(min(n, 90) + 1)
        a.6 = a[i.3 - 1] + b[j.5 - 1]
        t[i.3, j.5] = max(t[i.3, j.5 - 1] - 1, t[i.3 - 1, j.5] + ((((a.6 * a.6) * 7) % 1013) % 5)) % 1013
      q[i.3] = i.3
    sync blocks q[0] = 7
    acc.7 = 0
    portions spread i.9 in 0..m + 1, j.10 in 0..n + 1 to acc.7
      value.11 = t[i.9, j.10] * ((3 * i.9) + j.10)
      acc.7 = acc.7 + value.11
    join
      acc.7 = acc.7 + other.8
    result.12 = acc.7
    acc.13 = 0
    sync blocks portions spread i.15 in 0..m + 1 to acc.13
      value.16 = q[i.15] * i.15
      acc.13 = acc.13 + value.16
    join
      acc.13 = acc.13 + other.14
    result.17 = acc.13
    r[] = result.12 + result.17

0copy: int64(int64)
  as  following_bounds_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x
