nearness: float64(float64, float64)
  as  gufunc_stored_within_nearness_f8_f8f8_stored
  in  x f8, y f8
  out r f8, s f8, stored f8, stored f8
  var i.0 i8, acc.1 f8, other.2 f8, j.3 i8, acc.4 f8, other.5 f8, c.6 i8, result.7 f8, value.8 f8,
      result.9 f8, acc.10 f8, other.11 f8, t.12 i8, v.13 f8, value.14 f8, result.15 f8,
      s.16 f8, t.17 i8, acc.18 f8, j.19 i8, other.20 f8, acc.21 f8, c.22 i8, other.23 f8,
      result.24 f8, value.25 f8, t.26 i8, j.27 i8, acc.28 f8, c.29 i8, other.30 f8
  hosts go in it
  a thread, a warp or a block a call, or threads a point, in 3 phases
  8 points of range 0 a thread, whose reductions run together
  or 4 of range 0 by 4 of range 1
  or tiles of results, 8 x 8 a thread, of parts of x[t.26, c.29], y[j.27, c.29] in shared memory
  loop 0 in -1, points: m
  loop 1 in 0, points: n
  loop 2 in 1, reduction: d
  loop 3 in -1, points: m
  loop 4 in 3, reduction: n
  loop 5 in -1, reduction: m
  work by loops 0 1 2, 1 float64
  work by loops 3 4, 2 float64
  work by loops 5, 1 float64
  1 loads of x, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  1 loads of y, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 stores of stored, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of stored, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 stores of stored, by loops 3: 1 in 0 of 3
  1 loads of stored, by loops 5: 1 in 0 of 5
  1 stores of r, by loops
  each element
    acc.10 = 0.0
    spread t.26 in 0..m, j.27 in 0..n
      acc.28 = 0.0
      each c.29 in 0..d to acc.28
        acc.28 = fma(x[t.26, c.29], y[j.27, c.29], acc.28)
      join
        acc.28 = acc.28 + other.30
      stored[t.26, j.27] = acc.28
    sync blocks spread t.17 in 0..m
      acc.18 = 0.0
      each j.19 in 0..n to acc.18
        acc.21 = 0.0
        acc.21 = stored[t.17, j.19]
        result.24 = acc.21
        value.25 = abs(result.24)
        acc.18 = acc.18 + value.25
      join
        acc.18 = acc.18 + other.20
      stored[t.17] = acc.18
    sync blocks spread t.12 in 0..m to acc.10
      acc.1 = 0.0
      acc.1 = stored[t.12]
      result.9 = acc.1
      s.16 = result.9
      v.13 = s.16
      value.14 = v.13
      acc.10 = acc.10 + value.14
    join
      acc.10 = acc.10 + other.11
    result.15 = acc.10
    r[] = result.15

nearness: float64(float64, float64)
  as  gufunc_stored_within_nearness_f8_f8f8
  in  x f8, y f8
  out r f8, s f8
  var i.0 i8, acc.1 f8, other.2 f8, j.3 i8, acc.4 f8, other.5 f8, c.6 i8, result.7 f8, value.8 f8,
      result.9 f8, acc.10 f8, other.11 f8, t.12 i8, v.13 f8, value.14 f8, result.15 f8,
      s.16 f8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, reduction: m
  loop 1 in 0, reduction: n
  loop 2 in 1, reduction: d
  work by loops 0 1 2, 1 float64
  work by loops 0 1, 2 float64
  work by loops 0, 1 float64
  1 loads of x, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  1 loads of y, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 stores of r, by loops
  each element
    acc.10 = 0.0
    spread t.12 in 0..m to acc.10
      acc.1 = 0.0
      each j.3 in 0..n to acc.1
        acc.4 = 0.0
        each c.6 in 0..d to acc.4
          acc.4 = fma(x[t.12, c.6], y[j.3, c.6], acc.4)
        join
          acc.4 = acc.4 + other.5
        result.7 = acc.4
        value.8 = abs(result.7)
        acc.1 = acc.1 + value.8
      join
        acc.1 = acc.1 + other.2
      result.9 = acc.1
      s.16 = result.9
      v.13 = s.16
      value.14 = v.13
      acc.10 = acc.10 + value.14
    join
      acc.10 = acc.10 + other.11
    result.15 = acc.10
    r[] = result.15

0copy: float64(float64)
  as  gufunc_stored_within_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
