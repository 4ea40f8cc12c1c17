any_set: (int32, bool)(float64)
  as  gufunc_flags_any_set_i4b1_f8
  in  x f8
  out y i4, b b1
  var i.0 i8, j.1 i8, y.2 i4, b.3 b1, y.4 i4, b.5 i4, y.6 i4, other.7 i4, b.8 i4, other.9 i4,
      i.10 i8, j.11 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, reduction: m
  loop 1 in 0, reduction: n
  work by loops 0 1, 2 float64, 2 integer
  work by loops, 6 integer
  2 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of y, by loops
  1 stores of b, by loops
  each element
    y.2 = 0
    b.3 = False
    y.4 = 0
    b.5 = 0
    y.6 = 0
    b.8 = 0
    spread i.10 in 0..m, j.11 in 0..n to y.6, b.8
      if x[i.10, j.11] > 9.0
        y.6 = y.6 | 1
      b.8 = b.8 | i4(x[i.10, j.11] < 0.0)
    join
      y.6 = y.6 | other.7
      b.8 = b.8 | other.9
    y.4 = y.4 | y.6
    b.5 = b.5 | b.8
    b.3 = b.3 | (b.5 != 0)
    y.2 = where(y.4 != 0, 7, y.2)
    y[] = y.2
    b[] = b.3

all_more: bool(float64)
  as  gufunc_flags_all_more_b1_f8
  in  x f8
  out y b1
  var ok.0 b1, i.1 i8, j.2 i8, both.3 b1, ok.4 i4, ok.5 i4, other.6 i4, i.7 i8, j.8 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, reduction: m
  loop 1 in 0, reduction: n
  work by loops 0 1, 1 float64, 1 integer
  work by loops, 3 integer
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of y, by loops
  each element
    ok.0 = True
    ok.4 = 0
    ok.5 = 0
    spread i.7 in 0..m, j.8 in 0..n to ok.5
      ok.5 = ok.5 | i4(not (x[i.7, j.8] > 0.0))
    join
      ok.5 = ok.5 | other.6
    ok.4 = ok.4 | ok.5
    ok.0 = ok.0 & (not (ok.4 != 0))
    y[] = ok.0

is_symmetric: bool(float64)
  as  gufunc_flags_is_symmetric_b1_f8_stored
  in  a f8
  out y b1
  var ok.0 b1, i.1 i8, j.2 i8, ok.3 i4, ok.4 i4, other.5 i4, i.6 i8, j.7 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, reduction: n
  loop 1 in 0, reduction: 0 n + 2 // 0 - 0 max
  work by loops 0 1, 1 float64, 1 integer
  work by loops, 3 integer
  1 loads of a, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of a, by loops 0 1: 1 in 0 of 1, 1 in 1 of 0
  1 stores of y, by loops
  each element
    ok.0 = True
    ok.3 = 0
    ok.4 = 0
    spread i.6 in 0..n to ok.4
      for j.7 in 0..i.6
        if a[i.6, j.7] != a[j.7, i.6]
          ok.4 = ok.4 | 1
    join
      ok.4 = ok.4 | other.5
    ok.3 = ok.3 | ok.4
    ok.0 = where(ok.3 != 0, False, ok.0)
    y[] = ok.0

is_symmetric: bool(float64)
  as  gufunc_flags_is_symmetric_b1_f8
  in  a f8
  out y b1
  var ok.0 b1, i.1 i8, j.2 i8
  one thread a call
  loop 0 in -1, serial, may end: n
  loop 1 in 0, serial, may end: 0 n + 2 // 0 - 0 max
  work by loops 0 1, 1 float64
  work by loops 0, 1 integer
  1 loads of a, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of a, by loops 0 1: 1 in 0 of 1, 1 in 1 of 0
  1 stores of y, by loops
  each element
    ok.0 = True
    block 0
      for i.1 in 0..n
        block 1
          for j.2 in 0..i.1
            if a[i.1, j.2] != a[j.2, i.1]
              ok.0 = False
              leave block 1
        if not ok.0
          leave block 0
    y[] = ok.0

same_halves: (int32, int32)(float64)
  as  gufunc_flags_same_halves_i4i4_f8_stored
  in  a f8
  out y i4, left i4
  var i.0 i8, j.1 i8, y.2 i4, y.3 i4, y.4 i4, other.5 i4, i.6 i8, j.7 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, reduction: n
  loop 1 in 0, reduction: n 0 n + 2 // 1 + - 0 max
  work by loops 0 1, 1 float64, 1 integer
  work by loops, 2 integer
  2 stores of left, by loops
  1 loads of a, by loops 0 1: 1 in 0 of 0, 1 in 1 of 0, 1 in 1 of 1
  1 loads of a, by loops 0 1: 1 in 0 of 0, 1 in 0 of 1, 1 in 1 of 0
  1 stores of y, by loops
  each element
    left[] = 2
    y.3 = 0
    y.4 = 0
    spread i.6 in 0..n to y.4
      for j.7 in (i.6 + 1)..n
        if a[i.6, j.7] != a[j.7, i.6]
          y.4 = y.4 | 1
    join
      y.4 = y.4 | other.5
    y.3 = y.3 | y.4
    if y.3 != 0
      y.2 = -1
    else
      y.2 = 1
      left[] = 3
    y[] = y.2

same_halves: (int32, int32)(float64)
  as  gufunc_flags_same_halves_i4i4_f8
  in  a f8
  out y i4, left i4
  var i.0 i8, j.1 i8, y.2 i4
  one thread a call
  loop 0 in -1, serial, may end: n
  loop 1 in 0, serial, may end: n 0 n + 2 // 1 + - 0 max
  work by loops 0 1, 1 float64
  2 stores of left, by loops
  1 loads of a, by loops 0 1: 1 in 0 of 0, 1 in 1 of 0, 1 in 1 of 1
  1 loads of a, by loops 0 1: 1 in 0 of 0, 1 in 0 of 1, 1 in 1 of 0
  1 stores of y, by loops
  each element
    block 0
      left[] = 2
      for i.0 in 0..n
        for j.1 in (i.0 + 1)..n
          if a[i.0, j.1] != a[j.1, i.0]
            y.2 = -1
            leave block 0
      y.2 = 1
      left[] = 3
    y[] = y.2

chained: bool(int32, float64)
  as  gufunc_flags_chained_b1_i4f8
  in  p i4, x f8
  out y b1
  var i.0 i8, j.1 i8, y.2 b1
  one thread a call
  loop 0 in -1, serial, may end: n
  loop 1 in 0, serial, may end: 2
  work by loops 0, 1 integer
  work by loops 0 1, 1 float64, 1 integer
  work by loops 1
  2 loads of p, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 0 1, irregular
  1 stores of y, by loops
  each element
    y.2 = False
    block 0
      for i.0 in 0..n
        block 1
          for j.1 in 0..2
            if p[i.0] < 0
              y.2 = True
              leave block 1
            else if x[i8(p[i.0] + i4(j.1))] < 0.0
              y.2 = True
              leave block 1
        if y.2
          leave block 0
    y[] = y.2

first_power: int64(int64)
  as  gufunc_flags_first_power_i8_i8
  in  x i8
  out y i8
  var k.0 i8, i.1 i8, y.2 i8
  one thread a call
  loop 0 in -1, serial, may end: 1000000000000
  loop 1 in 0, serial, may end: n
  work by loops 0 1, 6 integer
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of y, by loops
  each element
    block 0
      for k.0 in 0..1000000000000
        for i.1 in 0..n
          if (k.0 * x[i.1]) > 1000
            y.2 = 1
            leave block 0
      y.2 = 0
    y[] = y.2

mixed: (int32, int32)(int32)
  as  gufunc_flags_mixed_i4i4_i4
  in  x i4
  out y i4, z i4
  var seen.0 b1, i.1 i8, j.2 i8, y.3 i4, z.4 i4
  one thread a call
  loop 0 in -1, serial: m
  loop 1 in 0, serial: n
  work by loops 0 1, 4 integer
  3 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of y, by loops
  1 stores of z, by loops
  each element
    y.3 = 0
    z.4 = 0
    seen.0 = False
    alone for i.1 in 0..m
      alone for j.2 in 0..n
        alone if x[i.1, j.2] == 5
          alone y.3 = 1
        alone if x[i.1, j.2] == 6
          alone y.3 = 2
        alone if x[i.1, j.2] == 7
          alone seen.0 = True
        alone if seen.0
          alone z.4 = z.4 + 1
    y[] = y.3
    z[] = z.4

rows_above: (int64, int64)(float64)
  as  gufunc_flags_rows_above_i8i8_f8_stored
  in  x f8
  out c i8, d i8, stored f8, stored b1
  var acc.0 i8, other.1 i8, i.2 i8, acc.3 b1, other.4 b1, j.5 i8, value.6 b1, result.7 b1,
      value.8 i8, result.9 i8, i.10 i8, acc.11 f8, other.12 f8, j.13 i8, value.14 f8,
      result.15 f8, d.16 i8, single.17 i8, d.18 i8, other.19 i8, i.20 i8, i.21 i8, acc.22 b1,
      j.23 i8, other.24 b1, value.25 b1, d.26 i8, i.27 i8, other.28 i8, first.29 i8,
      bits.30 u4, other.31 u4
  a thread, a warp or a block a call, or threads a point, in 5 phases
  loop 0 in -1, points: m
  loop 1 in 0, reduction: n
  loop 2 in -1, reduction: m
  loop 3 in -1, points: m
  loop 4 in 3, reduction: n
  loop 5 in -1, reduction: m
  loop 6 in -1, points: 1
  work by loops 0 1, 1 float64, 1 integer
  work by loops 2, 2 integer
  work by loops 3 4, 1 float64
  work by loops 5, 1 float64, 2 integer
  work by loops, 2 integer
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of stored, by loops 0: 1 in 0 of 0
  1 loads of stored, by loops 2: 1 in 0 of 2
  1 stores of c, by loops
  1 stores of d, by loops
  1 loads of x, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 stores of stored, by loops 3: 1 in 0 of 3
  1 loads of stored, by loops 5: 1 in 0 of 5
  1 loads of d, by loops
  1 stores of d, by loops
  each element
    acc.0 = 0
    spread i.21 in 0..m
      acc.22 = False
      each j.23 in 0..n to acc.22
        value.25 = x[i.21, j.23] > 40.0
        acc.22 = acc.22 or value.25
      join
        acc.22 = acc.22 or other.24
      stored[i.21] = acc.22
    sync blocks spread i.2 in 0..m to acc.0
      acc.3 = False
      acc.3 = stored[i.2]
      result.7 = acc.3
      value.8 = i8(result.7)
      acc.0 = acc.0 + value.8
    join
      acc.0 = acc.0 + other.1
    result.9 = acc.0
    c[] = result.9
    d[] = 0
    spread i.10 in 0..m
      acc.11 = 0.0
      each j.13 in 0..n to acc.11
        value.14 = x[i.10, j.13]
        acc.11 = acc.11 + value.14
      join
        acc.11 = acc.11 + other.12
      result.15 = acc.11
      stored[i.10] = result.15
    d.26 = 0
    sync blocks spread i.27 in 0..m to d.26
      if stored[i.27] > 400.0
        d.26 = d.26 + i.27
    join
      d.26 = d.26 + other.28
    first.29 = d.26
    spread single.17 in 0..1
      d.16 = d[]
      d.18 = 0
      d.18 = first.29
      d.16 = d.16 + d.18
      d[] = d.16

rows_above: (int64, int64)(float64)
  as  gufunc_flags_rows_above_i8i8_f8
  in  x f8
  out c i8, d i8
  var acc.0 i8, other.1 i8, i.2 i8, acc.3 b1, other.4 b1, j.5 i8, value.6 b1, result.7 b1,
      value.8 i8, result.9 i8, i.10 i8, acc.11 f8, other.12 f8, j.13 i8, value.14 f8,
      result.15 f8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  loop 0 in -1, reduction: m
  loop 1 in 0, reduction: n
  loop 2 in -1, points: m
  loop 3 in 2, reduction: n
  work by loops 0 1, 1 float64, 1 integer
  work by loops 0, 2 integer
  work by loops 2 3, 1 float64
  work by loops 2, 1 float64, 2 integer
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of c, by loops
  1 stores of d, by loops
  1 loads of x, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of d, by loops
  1 stores of d, by loops
  each element
    acc.0 = 0
    spread i.2 in 0..m to acc.0
      acc.3 = False
      each j.5 in 0..n to acc.3
        value.6 = x[i.2, j.5] > 40.0
        acc.3 = acc.3 or value.6
      join
        acc.3 = acc.3 or other.4
      result.7 = acc.3
      value.8 = i8(result.7)
      acc.0 = acc.0 + value.8
    join
      acc.0 = acc.0 + other.1
    result.9 = acc.0
    c[] = result.9
    d[] = 0
    sync blocks spread i.10 in 0..m
      acc.11 = 0.0
      each j.13 in 0..n to acc.11
        value.14 = x[i.10, j.13]
        acc.11 = acc.11 + value.14
      join
        acc.11 = acc.11 + other.12
      result.15 = acc.11
      if result.15 > 400.0
        d[] = d[] + i.10

0copy: bool(bool)
  as  gufunc_flags_0copy_b1_b1
  in  x b1
  out out b1
  each element
    store out = x

0copy: int32(int32)
  as  gufunc_flags_0copy_i4_i4
  in  x i4
  out out i4
  each element
    store out = x

0copy: int64(int64)
  as  gufunc_flags_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_flags_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
