pairs: int64(int64)
  as  following_aslant_pairs_i8_i8
  in  s i8
  out r i8, t i8
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, b.4 i8, choice.5 i8, a.6 i8, a.7 i8, k.8 i8, choice.9 i8,
      acc.10 i8, other.11 i8, i.12 i8, j.13 i8, value.14 i8, result.15 i8, b.16 i8,
      other.17 i8, k.18 i8, choice.19 i8, bound.20 i8, line.21 i8, b.22 i8, choice.23 i8,
      a.24 i8, a.25 i8, b.26 i8, bound.27 i8, k.28 i8, other.29 i8, choice.30 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in 0, points: n
  loop 2 in -1, serial: n 1 - 0 max
  loop 3 in 2, points: n 1 n + 2 // - 0 - 0 max
  loop 4 in 3, reduction: 1 n + 2 // 0 n 1 n + 2 // - + 2 // + 0 n 1 n + 2 // - + 2 // 1 + - 0 max
  loop 5 in -1, reduction: n
  loop 6 in 5, reduction: n
  work by loops 2 3, 14 integer
  work by loops 2 3 4, 6 integer
  work by loops 5 6, 6 integer
  1 stores of t, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  3 loads of t, by loops 2 3: 1 in 0 of 3, 1 in 1 of 2, 1 in 1 of 3
  1 loads of s, by loops 2 3: 1 in 0 of 3
  1 loads of s, by loops 2 3: 1 in 0 of 2, 1 in 0 of 3
  1 loads of t, by loops 2 3 4: 1 in 0 of 3, 1 in 0 of 4, 1 in 1 of 2, 1 in 1 of 3
  1 loads of t, by loops 2 3 4: 1 in 0 of 3, 1 in 1 of 3, 1 in 1 of 4
  1 stores of t, by loops 2 3: 1 in 0 of 3, 1 in 1 of 2, 1 in 1 of 3
  1 loads of t, by loops 5 6: 1 in 0 of 5, 1 in 1 of 6
  1 stores of r, by loops
  each element
    spread t.0 in 0..n, t.1 in 0..n
      t[t.0, t.1] = 0
    for i.2 in (n - 1)..-1..-1
      for j.3 in (i.2 + 1)..n
        b.4 = max(t[i.2, j.3 - 1], t[i.2 + 1, j.3])
        if (i.2 + 1) < j.3
          choice.5 = t[i.2 + 1, j.3 - 1]
        else
          choice.5 = 0
        a.6 = s[i.2]
        a.7 = s[j.3]
        b.4 = max(b.4, choice.5 + where((((((a.6 * a.6) * 7) % 1013) % 5) + ((((a.7 * a.7) * 7) % 1013) % 5)) == 4, 1, 0))
        b.16 = -9223372036854775808
        bound.20 = i.2 + 1
        spread k.18 in bound.20..j.3 to b.16
          if (k.18 + 1) < n
            choice.19 = t[k.18 + 1, j.3]
          else
            choice.19 = 0
          b.16 = max(b.16, t[i.2, k.18] + choice.19)
        join
          b.16 = max(b.16, other.17)
        b.4 = max(b.4, b.16)
        t[i.2, j.3] = b.4
    shared as
      for line.21 in 1..n
        sync blocks spread i.2 in 0..(n - line.21)
          b.22 = max(t[i.2, (line.21 + i.2) - 1], t[i.2 + 1, line.21 + i.2])
          if (i.2 + 1) < (line.21 + i.2)
            choice.23 = t[i.2 + 1, (line.21 + i.2) - 1]
          else
            choice.23 = 0
          a.24 = s[i.2]
          a.25 = s[line.21 + i.2]
          b.22 = max(b.22, choice.23 + where((((((a.24 * a.24) * 7) % 1013) % 5) + ((((a.25 * a.25) * 7) % 1013) % 5)) == 4, 1, 0))
          b.26 = -9223372036854775808
          bound.27 = i.2 + 1
          each k.28 in bound.27..(line.21 + i.2) to b.26
            if (k.28 + 1) < n
              choice.30 = t[k.28 + 1, line.21 + i.2]
            else
              choice.30 = 0
            b.26 = max(b.26, t[i.2, k.28] + choice.30)
          join
            b.26 = max(b.26, other.29)
          b.22 = max(b.22, b.26)
          t[i.2, line.21 + i.2] = b.22
    acc.10 = 0
    sync blocks portions spread i.12 in 0..n, j.13 in 0..n to acc.10
      value.14 = t[i.12, j.13] * ((3 * i.12) + j.13)
      acc.10 = acc.10 + value.14
    join
      acc.10 = acc.10 + other.11
    result.15 = acc.10
    r[] = result.15

upwards: int64(int64)
  as  following_aslant_upwards_i8_i8
  in  a i8
  out r i8, t i8
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, a.4 i8, i.5 i8, j.6 i8, acc.7 i8, other.8 i8, i.9 i8, j.10 i8,
      value.11 i8, result.12 i8, t.13 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: m
  loop 1 in 0, points: n
  loop 2 in -1, serial: m 2 - -1 - 0 max
  loop 3 in 2, serial: n 1 - 1 - 0 max
  loop 4 in -1, reduction: m
  loop 5 in 4, reduction: n
  work by loops 2, 2 integer
  work by loops 2 3, 26 integer
  work by loops 4 5, 6 integer
  1 loads of a, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of t, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  2 loads of t, by loops 2: -1 in 0 of 2
  1 stores of t, by loops 2: -1 in 0 of 2
  3 loads of t, by loops 2 3: -1 in 0 of 2, 1 in 1 of 3
  1 stores of t, by loops 2 3: -1 in 0 of 2, 1 in 1 of 3
  1 loads of t, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  1 stores of r, by loops
  each element
    spread i.2 in 0..m, j.3 in 0..n
      a.4 = a[i.2, j.3]
      t.13 = 0
      t.13 = (((a.4 * a.4) * 7) % 1013) % 5
      t[i.2, j.3] = t.13
    sync blocks for i.5 in (m - 2)..-1..-1 by 2 behind one another
      sync blocks t[i.5, 0] = t[i.5, 0] + t[i.5 + 1, 0]
      for j.6 in 1..(n - 1)
        t[i.5, j.6] = (t[i.5, j.6] + (max(t[i.5 + 1, j.6 + 1], t[i.5, j.6 - 1]) * 3)) % 1009
    acc.7 = 0
    sync blocks portions spread i.9 in 0..m, j.10 in 0..n to acc.7
      value.11 = t[i.9, j.10] * ((3 * i.9) + j.10)
      acc.7 = acc.7 + value.11
    join
      acc.7 = acc.7 + other.8
    result.12 = acc.7
    r[] = result.12

banded: int64(int64, int64)
  as  following_aslant_banded_i8_i8i8
  in  a i8, b i8
  out r i8, t i8
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, a.4 i8, a.5 i8, acc.6 i8, other.7 i8, i.8 i8, j.9 i8,
      value.10 i8, result.11 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: m + 1
  loop 1 in 0, points: n + 1
  loop 2 in -1, serial: m
  loop 3 in 2, serial: n 0 m + 2 // 10 + min 0 0 m + 2 // 9 - max - 0 max
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
    sync blocks for i.2 in 0..m by 1 behind one another, aslant
      sync blocks for j.3 in max(0, i.2 - 9)..min(n, i.2 + 10)
        a.4 = a[i.2]
        a.5 = 3 * b[j.3]
        t[i.2 + 1, j.3 + 1] = max(max(max(0, t[i.2, j.3] + where(((((a.4 * a.4) * 7) % 1013) % 5) == ((((a.5 * a.5) * 7) % 1013) % 5), 2, -1)), t[i.2, j.3 + 1] - 1), t[i.2 + 1, j.3] - 1)
    acc.6 = 0
    sync blocks portions spread i.8 in 0..m + 1, j.9 in 0..n + 1 to acc.6
      value.10 = t[i.8, j.9] * ((3 * i.8) + j.9)
      acc.6 = acc.6 + value.10
    join
      acc.6 = acc.6 + other.7
    result.11 = acc.6
    r[] = result.11

lower: int64(int64)
  as  following_aslant_lower_i8_i8
  in  a i8
  out r i8, t i8
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, a.4 i8, i.5 i8, j.6 i8, acc.7 i8, other.8 i8, i.9 i8, j.10 i8,
      value.11 i8, result.12 i8, t.13 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in 0, points: n
  loop 2 in -1, serial: n 1 - 0 max
  loop 3 in 2, serial: 1 n + 2 // 1 + 1 - 0 max
  loop 4 in -1, reduction: n
  loop 5 in 4, reduction: n
  work by loops 0 1
  work by loops 1, 4 integer
  work by loops 2 3, 28 integer
  work by loops 4 5, 6 integer
  1 loads of a, by loops 0: 1 in 0 of 0
  1 loads of a, by loops 1: 1 in 0 of 1
  1 stores of t, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  4 loads of t, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 stores of t, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of t, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  1 stores of r, by loops
  each element
    spread i.2 in 0..n, j.3 in 0..n
      a.4 = a[i.2] + (3 * a[j.3])
      t.13 = 0
      t.13 = (((a.4 * a.4) * 7) % 1013) % 5
      t[i.2, j.3] = t.13
    sync blocks for i.5 in 1..n by 1 behind one another, aslant
      sync blocks for j.6 in 1..(i.5 + 1)
        t[i.5, j.6] = (((t[i.5, j.6] + (t[i.5 - 1, j.6] * 3)) + (t[i.5, j.6 - 1] * 2)) + t[i.5 - 1, j.6 - 1]) % 1009
    acc.7 = 0
    sync blocks portions spread i.9 in 0..n, j.10 in 0..n to acc.7
      value.11 = t[i.9, j.10] * ((3 * i.9) + j.10)
      acc.7 = acc.7 + value.11
    join
      acc.7 = acc.7 + other.8
    result.12 = acc.7
    r[] = result.12

0copy: int64(int64)
  as  following_aslant_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x
