moments: (float64, float64)(float64)
  as  commute_moments_f8f8_f8
  in  x f8
  out mean f8, square f8
  var init.0 i8, init.1 f8, init.2 f8, acc.3 i8, other.4 i8, acc.5 f8, other.6 f8, acc.7 f8,
      other.8 f8, d.9 f8, t.10 f8, t.11 f8, joined.12 i8, joined.13 f8, joined.14 f8,
      acc.15 b1, other.16 b1, t.17 i8, v.18 f8, value.19 i8, value.20 f8, value.21 f8, d.22 f8,
      t.23 f8, t.24 f8, joined.25 i8, joined.26 f8, joined.27 f8, d.28 f8, t.29 f8, t.30 f8,
      joined.31 i8, joined.32 f8, joined.33 f8, result.34 i8, result.35 f8, result.36 f8,
      d.37 f8, t.38 f8, t.39 f8, joined.40 i8, joined.41 f8, joined.42 f8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, reduction: n
  work by loops 0, 24 float64, 6 integer, 5 special
  work by loops, 24 float64, 6 integer, 9 special
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of mean, by loops
  1 stores of square, by loops
  each element
    init.1 = 0.0
    init.2 = 0.0
    acc.3 = 0
    acc.5 = 0.0
    acc.7 = 0.0
    acc.15 = False
    spread t.17 in 0..n to acc.3, acc.5, acc.7, acc.15
      v.18 = x[t.17]
      value.20 = v.18
      value.21 = 0.0
      if acc.15
        d.22 = value.20 - acc.5
        t.23 = acc.5 + ((d.22 * f8(1)) / f8(acc.3 + 1))
        t.24 = (acc.7 + value.21) + ((((d.22 * d.22) * f8(acc.3)) * f8(1)) / f8(acc.3 + 1))
        joined.25 = acc.3 + 1
        joined.26 = t.23
        joined.27 = t.24
        acc.3 = joined.25
        acc.5 = joined.26
        acc.7 = joined.27
      else
        acc.3 = 1
        acc.5 = value.20
        acc.7 = value.21
      acc.15 = True
    join
      if other.16
        if acc.15
          d.28 = other.6 - acc.5
          t.29 = acc.5 + ((d.28 * f8(other.4)) / f8(acc.3 + other.4))
          t.30 = (acc.7 + other.8) + ((((d.28 * d.28) * f8(acc.3)) * f8(other.4)) / f8(acc.3 + other.4))
          joined.31 = acc.3 + other.4
          joined.32 = t.29
          joined.33 = t.30
          acc.3 = joined.31
          acc.5 = joined.32
          acc.7 = joined.33
        else
          acc.3 = other.4
          acc.5 = other.6
          acc.7 = other.8
        acc.15 = True
    result.35 = init.1
    result.36 = init.2
    if acc.15
      d.37 = acc.5 - init.1
      t.38 = init.1 + ((d.37 * f8(acc.3)) / f8(0 + acc.3))
      t.39 = (init.2 + acc.7) + ((((d.37 * d.37) * f8(0)) * f8(acc.3)) / f8(0 + acc.3))
      joined.40 = 0 + acc.3
      joined.41 = t.38
      joined.42 = t.39
      result.35 = joined.41
      result.36 = joined.42
    mean[] = result.35
    square[] = result.36

logs: float32(float32)
  as  commute_logs_f4_f4
  in  x f4
  out y f4
  var init.0 f4, acc.1 f4, other.2 f4, choice.3 f4, acc.4 b1, other.5 b1, t.6 i8, v.7 f4, value.8 f4,
      choice.9 f4, choice.10 f4, result.11 f4, choice.12 f4
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, reduction: n
  work by loops 0, 45 float32, 1 integer, 2 special
  work by loops, 45 float32, 1 integer, 2 special
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops
  each element
    init.0 = -inf
    acc.1 = 0.0
    acc.4 = False
    spread t.6 in 0..n to acc.1, acc.4
      v.7 = x[t.6]
      value.8 = v.7
      if acc.4
        if acc.1 == value.8
          choice.9 = acc.1 + 0.6931471824645996
        else
          choice.9 = max(acc.1, value.8) + log1p(exp(copysign(acc.1 - value.8, -1.0)))
        acc.1 = choice.9
      else
        acc.1 = value.8
      acc.4 = True
    join
      if other.5
        if acc.4
          if acc.1 == other.2
            choice.10 = acc.1 + 0.6931471824645996
          else
            choice.10 = max(acc.1, other.2) + log1p(exp(copysign(acc.1 - other.2, -1.0)))
          acc.1 = choice.10
        else
          acc.1 = other.2
        acc.4 = True
    result.11 = init.0
    if acc.4
      if init.0 == acc.1
        choice.12 = init.0 + 0.6931471824645996
      else
        choice.12 = max(init.0, acc.1) + log1p(exp(copysign(init.0 - acc.1, -1.0)))
      result.11 = choice.12
    y[] = result.11

first: (float32, int64)(float32)
  as  commute_first_f4i8_f4
  in  x f4
  out v f4, at i8
  var init.0 f4, init.1 i8, acc.2 f4, other.3 f4, acc.4 i8, other.5 i8, t.6 f4, t.7 i8, joined.8 f4,
      joined.9 i8, acc.10 b1, other.11 b1, i.12 i8, value.13 f4, value.14 i8, t.15 f4, t.16 i8,
      joined.17 f4, joined.18 i8, t.19 f4, t.20 i8, joined.21 f4, joined.22 i8, result.23 f4,
      result.24 i8, t.25 f4, t.26 i8, joined.27 f4, joined.28 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, reduction: n
  work by loops 0, 5 integer
  work by loops, 5 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of v, by loops
  1 stores of at, by loops
  each element
    init.0 = -inf
    acc.2 = 0.0
    acc.4 = 0
    acc.10 = False
    spread i.12 in 0..n to acc.2, acc.4, acc.10 in order
      value.13 = x[i.12]
      if acc.10
        t.15 = where(acc.2 >= value.13, acc.2, value.13)
        t.16 = where(acc.2 >= value.13, acc.4, i.12)
        joined.17 = t.15
        joined.18 = t.16
        acc.2 = joined.17
        acc.4 = joined.18
      else
        acc.2 = value.13
        acc.4 = i.12
      acc.10 = True
    join
      if other.11
        if acc.10
          t.19 = where(acc.2 >= other.3, acc.2, other.3)
          t.20 = where(acc.2 >= other.3, acc.4, other.5)
          joined.21 = t.19
          joined.22 = t.20
          acc.2 = joined.21
          acc.4 = joined.22
        else
          acc.2 = other.3
          acc.4 = other.5
        acc.10 = True
    result.23 = init.0
    result.24 = -1
    if acc.10
      t.25 = where(init.0 >= acc.2, init.0, acc.2)
      t.26 = where(init.0 >= acc.2, -1, acc.4)
      joined.27 = t.25
      joined.28 = t.26
      result.23 = joined.27
      result.24 = joined.28
    v[] = result.23
    at[] = result.24

last: int64(float32)
  as  commute_last_i8_f4
  in  x f4
  out at i8
  var init.0 f4, init.1 i8, acc.2 f4, other.3 f4, acc.4 i8, other.5 i8, t.6 i8, joined.7 f4,
      joined.8 i8, acc.9 b1, other.10 b1, i.11 i8, value.12 f4, value.13 i8, t.14 i8,
      joined.15 f4, joined.16 i8, t.17 i8, joined.18 f4, joined.19 i8, result.20 f4,
      result.21 i8, t.22 i8, joined.23 f4, joined.24 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, reduction: n
  work by loops 0, 3 integer
  work by loops, 3 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of at, by loops
  each element
    init.0 = 0.0
    acc.2 = 0.0
    acc.4 = 0
    acc.9 = False
    spread i.11 in 0..n to acc.2, acc.4, acc.9 in order
      value.12 = x[i.11]
      if acc.9
        t.14 = where(acc.2 == value.12, i.11, acc.4)
        joined.15 = acc.2
        joined.16 = t.14
        acc.2 = joined.15
        acc.4 = joined.16
      else
        acc.2 = value.12
        acc.4 = i.11
      acc.9 = True
    join
      if other.10
        if acc.9
          t.17 = where(acc.2 == other.3, other.5, acc.4)
          joined.18 = acc.2
          joined.19 = t.17
          acc.2 = joined.18
          acc.4 = joined.19
        else
          acc.2 = other.3
          acc.4 = other.5
        acc.9 = True
    result.21 = -1
    if acc.9
      t.22 = where(init.0 == acc.2, acc.4, -1)
      joined.23 = init.0
      joined.24 = t.22
      result.21 = joined.24
    at[] = result.21

below: int32(int32)
  as  commute_below_i4_i4
  in  x i4
  out y i4
  var init.0 i4, acc.1 i4, other.2 i4, acc.3 b1, other.4 b1, t.5 i8, v.6 i4, value.7 i4, result.8 i4
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, reduction: n
  work by loops 0, 2 integer
  work by loops, 2 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops
  each element
    init.0 = 2147483647
    acc.1 = 0
    acc.3 = False
    spread t.5 in 0..n to acc.1, acc.3
      v.6 = x[t.5]
      value.7 = v.6
      if acc.3
        acc.1 = where(acc.1 < value.7, acc.1, value.7)
      else
        acc.1 = value.7
      acc.3 = True
    join
      if other.4
        if acc.3
          acc.1 = where(acc.1 < other.2, acc.1, other.2)
        else
          acc.1 = other.2
        acc.3 = True
    result.8 = init.0
    if acc.3
      result.8 = where(init.0 < acc.1, init.0, acc.1)
    y[] = result.8

chain: (int64, int64)(int64)
  as  commute_chain_i8i8_i8
  in  x i8
  out j i8, d i8
  var init.0 i8, init.1 i8, init.2 i8, acc.3 i8, other.4 i8, acc.5 i8, other.6 i8, acc.7 i8,
      other.8 i8, t.9 i8, joined.10 i8, joined.11 i8, joined.12 i8, acc.13 b1, other.14 b1,
      i.15 i8, value.16 i8, value.17 i8, value.18 i8, t.19 i8, joined.20 i8, joined.21 i8,
      joined.22 i8, t.23 i8, joined.24 i8, joined.25 i8, joined.26 i8, result.27 i8,
      result.28 i8, result.29 i8, t.30 i8, joined.31 i8, joined.32 i8, joined.33 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, reduction: n
  work by loops 0, 14 integer
  work by loops, 6 integer
  2 loads of x, by loops 0: 1 in 0 of 0
  1 stores of j, by loops
  1 stores of d, by loops
  each element
    acc.3 = 0
    acc.5 = 0
    acc.7 = 0
    acc.13 = False
    spread i.15 in 0..n to acc.3, acc.5, acc.7, acc.13 in order
      value.16 = i.15 * x[i.15]
      value.17 = i.15 * x[i.15]
      if acc.13
        t.19 = (acc.7 + 0) + abs((value.16 - acc.5) - 1)
        joined.20 = acc.3
        joined.21 = value.17
        joined.22 = t.19
        acc.3 = joined.20
        acc.5 = joined.21
        acc.7 = joined.22
      else
        acc.3 = value.16
        acc.5 = value.17
        acc.7 = 0
      acc.13 = True
    join
      if other.14
        if acc.13
          t.23 = (acc.7 + other.8) + abs((other.4 - acc.5) - 1)
          joined.24 = acc.3
          joined.25 = other.6
          joined.26 = t.23
          acc.3 = joined.24
          acc.5 = joined.25
          acc.7 = joined.26
        else
          acc.3 = other.4
          acc.5 = other.6
          acc.7 = other.8
        acc.13 = True
    result.28 = -1
    result.29 = 0
    if acc.13
      t.30 = (0 + acc.7) + abs((acc.3 - -1) - 1)
      joined.32 = acc.5
      joined.33 = t.30
      result.28 = joined.32
      result.29 = joined.33
    j[] = result.28
    d[] = result.29

column: (int64, int64)(int32)
  as  commute_column_i8i8_i4
  in  x i4
  out j i8, d i8
  var init.0 i4, init.1 i4, init.2 i4, acc.3 i4, other.4 i4, acc.5 i4, other.6 i4, acc.7 i4,
      other.8 i4, t.9 i4, joined.10 i4, joined.11 i4, joined.12 i4, acc.13 b1, other.14 b1,
      i.15 i8, value.16 i4, value.17 i4, value.18 i4, t.19 i4, joined.20 i4, joined.21 i4,
      joined.22 i4, t.23 i4, joined.24 i4, joined.25 i4, joined.26 i4, result.27 i4,
      result.28 i4, result.29 i4, t.30 i4, joined.31 i4, joined.32 i4, joined.33 i4
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, reduction: n
  work by loops 0, 5 integer
  work by loops, 3 integer
  2 loads of x, by loops 0: 1 in 0 of 0
  1 stores of j, by loops
  1 stores of d, by loops
  each element
    init.0 = 0
    init.1 = -1
    init.2 = 0
    acc.3 = 0
    acc.5 = 0
    acc.7 = 0
    acc.13 = False
    spread i.15 in 0..n to acc.3, acc.5, acc.7, acc.13 in order
      value.16 = i4(i.15) * x[i.15, 1]
      value.17 = i4(i.15) * x[i.15, 0]
      value.18 = 0
      if acc.13
        t.19 = (acc.7 + value.18) + abs((value.16 - acc.5) - 1)
        joined.20 = acc.3
        joined.21 = value.17
        joined.22 = t.19
        acc.3 = joined.20
        acc.5 = joined.21
        acc.7 = joined.22
      else
        acc.3 = value.16
        acc.5 = value.17
        acc.7 = value.18
      acc.13 = True
    join
      if other.14
        if acc.13
          t.23 = (acc.7 + other.8) + abs((other.4 - acc.5) - 1)
          joined.24 = acc.3
          joined.25 = other.6
          joined.26 = t.23
          acc.3 = joined.24
          acc.5 = joined.25
          acc.7 = joined.26
        else
          acc.3 = other.4
          acc.5 = other.6
          acc.7 = other.8
        acc.13 = True
    result.28 = init.1
    result.29 = init.2
    if acc.13
      t.30 = (init.2 + acc.7) + abs((acc.3 - init.1) - 1)
      joined.31 = init.0
      joined.32 = acc.5
      joined.33 = t.30
      result.28 = joined.32
      result.29 = joined.33
    j[] = i8(result.28)
    d[] = i8(result.29)

valid: float32(float32, bool)
  as  commute_valid_f4_f4b1
  in  x f4, m b1
  out y f4
  var init.0 f4, init.1 b1, acc.2 f4, other.3 f4, acc.4 b1, other.5 b1, n.6 i4, t.7 f4, t.8 b1,
      joined.9 f4, joined.10 b1, acc.11 b1, other.12 b1, i.13 i8, value.14 f4, value.15 b1,
      n.16 i4, t.17 f4, t.18 b1, joined.19 f4, joined.20 b1, n.21 i4, t.22 f4, t.23 b1,
      joined.24 f4, joined.25 b1, result.26 f4, result.27 b1, n.28 i4, t.29 f4, t.30 b1,
      joined.31 f4, joined.32 b1
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, reduction: n
  work by loops 0, 1 float32, 5 integer
  work by loops, 1 float32, 5 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 loads of m, by loops 0: 1 in 0 of 0
  1 stores of y, by loops
  each element
    init.0 = 0.0
    init.1 = False
    acc.2 = 0.0
    acc.4 = False
    acc.11 = False
    spread i.13 in 0..n to acc.2, acc.4, acc.11 in order
      value.14 = x[i.13]
      value.15 = m[i.13]
      if acc.11
        n.16 = i4(acc.4) + i4(value.15)
        t.17 = where(n.16 == 2, acc.2 + value.14, where(acc.4, acc.2, value.14))
        t.18 = acc.4 or value.15
        joined.19 = t.17
        joined.20 = t.18
        acc.2 = joined.19
        acc.4 = joined.20
      else
        acc.2 = value.14
        acc.4 = value.15
      acc.11 = True
    join
      if other.12
        if acc.11
          n.21 = i4(acc.4) + i4(other.5)
          t.22 = where(n.21 == 2, acc.2 + other.3, where(acc.4, acc.2, other.3))
          t.23 = acc.4 or other.5
          joined.24 = t.22
          joined.25 = t.23
          acc.2 = joined.24
          acc.4 = joined.25
        else
          acc.2 = other.3
          acc.4 = other.5
        acc.11 = True
    result.26 = init.0
    if acc.11
      n.28 = i4(init.1) + i4(acc.4)
      t.29 = where(n.28 == 2, init.0 + acc.2, where(init.1, init.0, acc.2))
      t.30 = init.1 or acc.4
      joined.31 = t.29
      joined.32 = t.30
      result.26 = joined.31
    y[] = result.26

same: int64(int64, int64)
  as  commute_same_i8_i8i8
  in  k i8, x i8
  out y i8
  var init.0 i8, init.1 i8, init.2 i8, init.3 i8, init.4 i8, acc.5 i8, other.6 i8, acc.7 i8,
      other.8 i8, acc.9 i8, other.10 i8, acc.11 i8, other.12 i8, acc.13 i8, other.14 i8,
      e.15 b1, t.16 i8, t.17 i8, t.18 i8, t.19 i8, t.20 i8, joined.21 i8, joined.22 i8,
      joined.23 i8, joined.24 i8, joined.25 i8, acc.26 b1, other.27 b1, i.28 i8, value.29 i8,
      value.30 i8, value.31 i8, value.32 i8, value.33 i8, e.34 b1, t.35 i8, t.36 i8, t.37 i8,
      t.38 i8, t.39 i8, joined.40 i8, joined.41 i8, joined.42 i8, joined.43 i8, joined.44 i8,
      e.45 b1, t.46 i8, t.47 i8, t.48 i8, t.49 i8, t.50 i8, joined.51 i8, joined.52 i8,
      joined.53 i8, joined.54 i8, joined.55 i8, result.56 i8, result.57 i8, result.58 i8,
      result.59 i8, result.60 i8, e.61 b1, t.62 i8, t.63 i8, t.64 i8, t.65 i8, t.66 i8,
      joined.67 i8, joined.68 i8, joined.69 i8, joined.70 i8, joined.71 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, reduction: n
  work by loops 0, 18 integer
  work by loops, 8 integer
  4 loads of k, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops
  each element
    acc.5 = 0
    acc.7 = 0
    acc.9 = 0
    acc.11 = 0
    acc.13 = 0
    acc.26 = False
    spread i.28 in 0..n to acc.5, acc.7, acc.9, acc.11, acc.13, acc.26 in order
      value.29 = k[i.28]
      value.30 = k[i.28]
      value.31 = k[i.28]
      value.32 = k[i.28]
      value.33 = x[i.28]
      if acc.26
        e.34 = (((acc.5 == value.29) and (acc.7 == value.30)) and (acc.9 == value.31)) and (acc.11 == value.32)
        t.35 = where(e.34, acc.5, -1)
        t.36 = where(e.34, acc.7, -1)
        t.37 = where(e.34, acc.9, -1)
        t.38 = where(e.34, acc.11, -1)
        t.39 = where(e.34, acc.13, 0)
        joined.40 = t.35
        joined.41 = t.36
        joined.42 = t.37
        joined.43 = t.38
        joined.44 = t.39
        acc.5 = joined.40
        acc.7 = joined.41
        acc.9 = joined.42
        acc.11 = joined.43
        acc.13 = joined.44
      else
        acc.5 = value.29
        acc.7 = value.30
        acc.9 = value.31
        acc.11 = value.32
        acc.13 = value.33
      acc.26 = True
    join
      if other.27
        if acc.26
          e.45 = (((acc.5 == other.6) and (acc.7 == other.8)) and (acc.9 == other.10)) and (acc.11 == other.12)
          t.46 = where(e.45, acc.5, -1)
          t.47 = where(e.45, acc.7, -1)
          t.48 = where(e.45, acc.9, -1)
          t.49 = where(e.45, acc.11, -1)
          t.50 = where(e.45, acc.13, 0)
          joined.51 = t.46
          joined.52 = t.47
          joined.53 = t.48
          joined.54 = t.49
          joined.55 = t.50
          acc.5 = joined.51
          acc.7 = joined.52
          acc.9 = joined.53
          acc.11 = joined.54
          acc.13 = joined.55
        else
          acc.5 = other.6
          acc.7 = other.8
          acc.9 = other.10
          acc.11 = other.12
          acc.13 = other.14
        acc.26 = True
    result.60 = 0
    if acc.26
      e.61 = (((1 == acc.5) and (1 == acc.7)) and (1 == acc.9)) and (1 == acc.11)
      t.62 = where(e.61, 1, -1)
      t.63 = where(e.61, 1, -1)
      t.64 = where(e.61, 1, -1)
      t.65 = where(e.61, 1, -1)
      t.66 = where(e.61, 0, 0)
      joined.67 = t.62
      joined.68 = t.63
      joined.69 = t.64
      joined.70 = t.65
      joined.71 = t.66
      result.60 = joined.71
    y[] = result.60

0copy: bool(bool)
  as  commute_0copy_b1_b1
  in  x b1
  out out b1
  each element
    store out = x

0copy: int32(int32)
  as  commute_0copy_i4_i4
  in  x i4
  out out i4
  each element
    store out = x

0copy: int64(int64)
  as  commute_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float32(float32)
  as  commute_0copy_f4_f4
  in  x f4
  out out f4
  each element
    store out = x

0copy: float64(float64)
  as  commute_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
