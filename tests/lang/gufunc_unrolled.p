line: float64(float64, float64)
  as  gufunc_unrolled_line_f8_f8f8
  in  x f8, y f8
  out r f8
  var p.0 i8, q.1 i8, acc.2 f8, other.3 f8, i.4 i8, value.5 f8, result.6 f8, acc.7 f8, other.8 f8,
      i.9 i8, result.10 f8, p.11 i8, q.12 i8, f.13 f8, c.14 i8, b.15 f8, m.16 f8, i.17 i8,
      q.18 i8, acc.19 f8, i.20 i8, other.21 f8, value.22 f8, result.23 f8, acc.24 f8, i.25 i8,
      other.26 f8, result.27 f8, q.28 i8, acc.29 f8, i.30 i8, other.31 f8, value.32 f8,
      result.33 f8, acc.34 f8, i.35 i8, other.36 f8, result.37 f8, acc.38 f8, i.39 i8,
      other.40 f8, value.41 f8, result.42 f8, acc.43 f8, i.44 i8, other.45 f8, value.46 f8,
      result.47 f8, acc.48 f8, i.49 i8, other.50 f8, value.51 f8, result.52 f8, acc.53 f8,
      i.54 i8, other.55 f8, value.56 f8, result.57 f8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of x y r
  loop 0 in -1, reduction: n
  loop 1 in -1, serial: 2
  loop 2 in 1, serial: 2
  loop 3 in 2, serial: 3 0 2 + 2 // - 0 max
  loop 4 in -1, points: n
  work by loops 0, 912 float64, 18 special
  work by loops, 16 float64, 8 special
  work by loops 1 2, 8 float64, 1 special
  work by loops 1 2 3, 2 float64
  work by loops 4, 3 float64
  12 loads of x, by loops 0: 1 in 0 of 0
  2 loads of y, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 4: 1 in 0 of 4
  1 loads of x, by loops 4: 1 in 0 of 4
  1 stores of r, by loops 4: 1 in 0 of 4
  each element
    clear a
    acc.38 = 0.0
    acc.43 = 0.0
    acc.24 = 0.0
    acc.48 = 0.0
    acc.53 = 0.0
    acc.34 = 0.0
    portions spread i.39 in 0..n to acc.38, acc.43, acc.24, acc.48, acc.53, acc.34
      if x[i.39] < 0.75
        value.41 = x[i.39] ** f8(0 + 0)
        acc.38 = acc.38 + value.41
      if x[i.39] < 0.75
        value.46 = x[i.39] ** f8(0 + 1)
        acc.43 = acc.43 + value.46
      if x[i.39] < 0.75
        acc.24 = fma(x[i.39] ** f8(0), y[i.39], acc.24)
      if x[i.39] < 0.75
        value.51 = x[i.39] ** f8(1 + 0)
        acc.48 = acc.48 + value.51
      if x[i.39] < 0.75
        value.56 = x[i.39] ** f8(1 + 1)
        acc.53 = acc.53 + value.56
      if x[i.39] < 0.75
        acc.34 = fma(x[i.39] ** f8(1), y[i.39], acc.34)
    join
      acc.38 = acc.38 + other.40
      acc.43 = acc.43 + other.45
      acc.24 = acc.24 + other.26
      acc.48 = acc.48 + other.50
      acc.53 = acc.53 + other.55
      acc.34 = acc.34 + other.36
    result.42 = acc.38
    a[0, 0] = result.42
    result.47 = acc.43
    a[0, 1] = result.47
    result.27 = acc.24
    a[0, 2] = result.27
    result.52 = acc.48
    a[1, 0] = result.52
    result.57 = acc.53
    a[1, 1] = result.57
    result.37 = acc.34
    a[1, 2] = result.37
    for p.11 in 0..2
      for q.12 in 0..2
        if q.12 != p.11
          f.13 = a[q.12, p.11] / a[p.11, p.11]
          for c.14 in p.11..3
            a[q.12, c.14] = a[q.12, c.14] - (f.13 * a[p.11, c.14])
    b.15 = a[0, 2] / a[0, 0]
    m.16 = a[1, 2] / a[1, 1]
    spread i.17 in 0..n
      r[i.17] = (y[i.17] - b.15) - (m.16 * x[i.17])

down: int64(int64)
  as  gufunc_unrolled_down_i8_i8
  in  x i8
  out s i8
  var k.0 i8, acc.1 i8, other.2 i8, i.3 i8, value.4 i8, result.5 i8, choice.6 i8, acc.7 i8, i.8 i8,
      other.9 i8, value.10 i8, result.11 i8, choice.12 i8, acc.13 i8, i.14 i8, other.15 i8,
      value.16 i8, result.17 i8, choice.18 i8, acc.19 i8, i.20 i8, other.21 i8, value.22 i8,
      result.23 i8, choice.24 i8, acc.25 i8, i.26 i8, other.27 i8, value.28 i8, result.29 i8,
      choice.30 i8
  a thread, a warp or a block a call
  loop 0 in -1, reduction: n
  work by loops 0, 24 integer
  work by loops, 8 integer
  4 loads of x, by loops 0: 1 in 0 of 0
  1 loads of s, by loops
  1 stores of s, by loops
  1 loads of s, by loops
  1 stores of s, by loops
  1 loads of s, by loops
  1 stores of s, by loops
  1 loads of s, by loops
  1 stores of s, by loops
  each element
    acc.7 = 0
    acc.13 = 0
    acc.19 = 0
    acc.25 = 0
    spread i.8 in 0..n to acc.7, acc.13, acc.19, acc.25
      value.10 = x[i.8] * 3
      acc.7 = acc.7 + value.10
      value.16 = x[i.8] * 2
      acc.13 = acc.13 + value.16
      value.22 = x[i.8] * 1
      acc.19 = acc.19 + value.22
      value.28 = x[i.8] * 0
      acc.25 = acc.25 + value.28
    join
      acc.7 = acc.7 + other.9
      acc.13 = acc.13 + other.15
      acc.19 = acc.19 + other.21
      acc.25 = acc.25 + other.27
    result.11 = acc.7
    if 3 < 3
      alone choice.12 = s[3 + 1]
    else
      choice.12 = 0
    s[3] = result.11 + choice.12
    result.17 = acc.13
    if 2 < 3
      alone choice.18 = s[2 + 1]
    else
      choice.18 = 0
    s[2] = result.17 + choice.18
    result.23 = acc.19
    if 1 < 3
      alone choice.24 = s[1 + 1]
    else
      choice.24 = 0
    s[1] = result.23 + choice.24
    result.29 = acc.25
    if 0 < 3
      alone choice.30 = s[0 + 1]
    else
      choice.30 = 0
    s[0] = result.29 + choice.30

carried: int64(int64)
  as  gufunc_unrolled_carried_i8_i8
  in  x i8
  out m i8
  var t.0 i8, k.1 i8, acc.2 i8, other.3 i8, i.4 i8, value.5 i8, result.6 i8
  a thread, a warp or a block a call
  registers of a warp's or a block's threads hold rows, 8 points each
  loop 0 in -1, serial: 3
  loop 1 in 0, reduction: n
  work by loops 0 1, 34 integer
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of m, by loops
  each element
    t.0 = 5
    for k.1 in 0..3
      acc.2 = 0
      portions spread i.4 in 0..n to acc.2
        value.5 = x[i.4] % t.0
        acc.2 = acc.2 + value.5
      join
        acc.2 = acc.2 + other.3
      result.6 = acc.2
      t.0 = result.6
    m[] = t.0

many: int64(int64)
  as  gufunc_unrolled_many_i8_i8
  in  x i8
  out s i8
  var k.0 i8, acc.1 i8, other.2 i8, i.3 i8, value.4 i8, result.5 i8, bits.6 u4, other.7 u4
  a thread, a warp or a block a call, or threads a point, in 1 phase
  4 points of range 0 a thread, whose reductions run together
  loop 0 in -1, points: 40
  loop 1 in 0, reduction: n
  work by loops 0 1, 4 integer
  work by loops 1, 18 integer
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of s, by loops 0: 1 in 0 of 0
  each element
    spread k.0 in 0..40
      acc.1 = 0
      each i.3 in 0..n to acc.1
        value.4 = i8((x[i.3] % 40) == k.0)
        acc.1 = acc.1 + value.4
      join
        acc.1 = acc.1 + other.2
      result.5 = acc.1
      s[k.0] = result.5

some: int64(int64, int64)
  as  gufunc_unrolled_some_i8_i8i8
  in  x i8, d i8
  out s i8
  var t.0 i8, k.1 i8, acc.2 i8, other.3 i8, i.4 i8, value.5 i8, result.6 i8
  a thread, a warp or a block a call
  registers of a warp's or a block's threads hold rows, 8 points each
  loop 0 in -1, serial: 3
  loop 1 in 0, reduction: n
  work by loops 0, 4 integer
  work by loops 0 1, 4 integer
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of s, by loops
  each element
    t.0 = 0
    for k.1 in 0..3
      if d > k.1
        acc.2 = 0
        portions spread i.4 in 0..n to acc.2
          value.5 = x[i.4] + k.1
          acc.2 = acc.2 + value.5
        join
          acc.2 = acc.2 + other.3
        result.6 = acc.2
        t.0 = t.0 + result.6
    s[] = t.0

0copy: int64(int64)
  as  gufunc_unrolled_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_unrolled_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
