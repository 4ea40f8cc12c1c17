smooth: int64(int64, int64)
  as  gufunc_filled_in_place_smooth_i8_i8i8
  in  x i8, c i8
  out y i8, t i8
  var i.0 i8, t.1 i8, k.2 i8, acc.3 i8, other.4 i8, k.5 i8, value.6 i8, result.7 i8, t.8 i8,
      row.9 i8, factor.10 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  8 points of range 0 a thread, whose reductions run together
  or tiles of results, with what their windows see of x in shared memory
  loop 0 in -1, points: n
  loop 1 in 0, reduction: w
  work by loops 0 1, 10 integer
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 0 of 1
  1 loads of c, by loops 1: 1 in 0 of 1
  1 stores of y, by loops 0: 1 in 0 of 0
  each element
    spread i.0 in 0..n
      acc.3 = 0
      each k.5 in 0..w to acc.3
        t.8 = x[clip((i.0 + k.5) - (w // 2), 0, n - 1)] * 2
        value.6 = t.8 * c[k.5]
        acc.3 = acc.3 + value.6
      join
        acc.3 = acc.3 + other.4
      result.7 = acc.3
      y[i.0] = result.7

squares: int64(int64, int64)
  as  gufunc_filled_in_place_squares_i8_i8i8
  in  x i8, c i8
  out y i8, t i8
  var i.0 i8, t.1 i8, t.2 i8, a.3 i8, b.4 i8, d.5 i8, acc.6 i8, other.7 i8, a.8 i8, b.9 i8,
      value.10 i8, result.11 i8, t.12 i8, row.13 i8, depth.14 i8, factor.15 i8, factor.16 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  8 points of range 0 a thread, whose reductions run together
  loop 0 in -1, points: n
  loop 1 in 0, reduction: w
  loop 2 in 1, reduction: w
  work by loops 0 1, 2 integer
  work by loops 0 1 2, 6 integer
  work by loops 0 2, 2 integer
  2 loads of x, by loops 0: 1 in 0 of 0
  1 loads of c, by loops 1: 1 in 0 of 1
  1 loads of c, by loops 2: 1 in 0 of 2
  1 stores of y, by loops 0: 1 in 0 of 0
  each element
    spread i.0 in 0..n
      acc.6 = 0
      each a.8 in 0..w, b.9 in 0..w to acc.6
        d.5 = x[i.0] - c[a.8]
        t.12 = d.5 * (x[i.0] + c[b.9])
        value.10 = t.12 * (a.8 + 1)
        acc.6 = acc.6 + value.10
      join
        acc.6 = acc.6 + other.7
      result.11 = acc.6
      y[i.0] = result.11

carried: int64(int64, int64)
  as  gufunc_filled_in_place_carried_i8_i8i8_calls
  in  x i8, c i8
  out y i8, t i8
  var i.0 i8, t.1 i8, s.2 i8, k.3 i8, acc.4 i8, other.5 i8, k.6 i8, value.7 i8, result.8 i8
  a thread, a warp or a block a call
  loop 0 in -1, serial: w
  loop 1 in -1, reduction: w
  work by loops 0, 2 integer
  work by loops 1, 6 integer
  work by loops, 2 integer
  1 loads of x, by loops
  1 loads of c, by loops 0: 1 in 0 of 0
  1 stores of t, by loops 0: 1 in 0 of 0
  1 loads of t, by loops 1: 1 in 0 of 1
  1 stores of y, by loops
  each element
    s.2 = 0
    alone for k.3 in 0..w
      alone s.2 = s.2 + (x[] + c[k.3])
      t[k.3] = s.2
    acc.4 = 0
    sync blocks portions spread k.6 in 0..w to acc.4
      value.7 = t[k.6] * (k.6 + 1)
      acc.4 = acc.4 + value.7
    join
      acc.4 = acc.4 + other.5
    result.8 = acc.4
    y[] = result.8 + s.2

carried: int64(int64, int64)
  as  gufunc_filled_in_place_carried_i8_i8i8
  in  x i8, c i8
  out y i8, t i8
  var i.0 i8, t.1 i8, s.2 i8, k.3 i8, acc.4 i8, other.5 i8, k.6 i8, value.7 i8, result.8 i8
  a thread, a warp or a block a call
  registers of a warp's lanes keep t, a lane for each index
  registers of a thread hold arrays along w up to 8, or powers of two up to 32
  loop 0 in -1, serial: n
  loop 1 in 0, serial: w
  loop 2 in 0, reduction: w
  work by loops 0 1, 2 integer
  work by loops 0 2, 4 integer
  work by loops 2, 2 integer
  work by loops 0, 2 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 loads of c, by loops 1: 1 in 0 of 1
  1 stores of t, by loops 1: 1 in 0 of 1
  1 loads of t, by loops 2: 1 in 0 of 2
  1 stores of y, by loops 0: 1 in 0 of 0
  each element
    for i.0 in 0..n
      s.2 = 0
      sync blocks alone for k.3 in 0..w
        alone s.2 = s.2 + (x[i.0] + c[k.3])
        t[k.3] = s.2
      acc.4 = 0
      sync blocks portions spread k.6 in 0..w to acc.4
        value.7 = t[k.6] * (k.6 + 1)
        acc.4 = acc.4 + value.7
      join
        acc.4 = acc.4 + other.5
      result.8 = acc.4
      y[i.0] = result.8 + s.2

downward: int64(int64, int64)
  as  gufunc_filled_in_place_downward_i8_i8i8_calls
  in  x i8, c i8
  out y i8, t i8
  var i.0 i8, t.1 i8, k.2 i8, acc.3 i8, other.4 i8, k.5 i8, value.6 i8, result.7 i8, k.8 i8,
      choice.9 i8, acc.10 i8, other.11 i8, k.12 i8, value.13 i8, result.14 i8, y.15 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: w
  loop 1 in -1, points: w 1 - 0 max
  loop 2 in -1, reduction: w
  loop 3 in -1, serial: w 1 - -1 - 0 max
  loop 4 in -1, reduction: w
  work by loops 1, 4 integer
  work by loops 2, 8 integer
  work by loops 3, 2 integer
  work by loops 4, 2 integer
  1 stores of t, by loops 0: 1 in 0 of 0
  1 loads of x, by loops
  1 loads of c, by loops 1: 1 in 0 of 1
  1 stores of t, by loops 1: 1 in 0 of 1
  1 loads of t, by loops 2: 1 in 0 of 2
  2 stores of y, by loops
  1 loads of t, by loops 3: -1 in 0 of 3
  1 loads of c, by loops 3: -1 in 0 of 3
  1 stores of t, by loops 3: -1 in 0 of 3
  1 loads of t, by loops 4: 1 in 0 of 4
  each element
    own portions spread t.1 in 0..w
      t[t.1] = 0
    for k.2 in 1..w
      t[k.2] = x[] * c[k.2]
    shared as
      sync blocks spread k.2 in 1..w
        t[k.2] = x[] * c[k.2]
    acc.3 = 0
    sync blocks own portions spread k.5 in 0..w to acc.3
      value.6 = (t[k.5] + 1) * (k.5 + 1)
      acc.3 = acc.3 + value.6
    join
      acc.3 = acc.3 + other.4
    result.7 = acc.3
    y.15 = result.7
    y[] = y.15
    sync blocks joined portions alone for k.8 in (w - 1)..-1..-1
      alone if k.8 > 0
        alone choice.9 = t[k.8 - 1]
      else
        alone choice.9 = 0
      t[k.8] = c[k.8] + choice.9
    acc.10 = 0
    sync blocks own portions spread k.12 in 0..w to acc.10
      value.13 = t[k.12]
      acc.10 = acc.10 + value.13
    join
      acc.10 = acc.10 + other.11
    result.14 = acc.10
    y[] = y.15 + result.14

downward: int64(int64, int64)
  as  gufunc_filled_in_place_downward_i8_i8i8
  in  x i8, c i8
  out y i8, t i8
  var i.0 i8, t.1 i8, k.2 i8, acc.3 i8, other.4 i8, k.5 i8, value.6 i8, result.7 i8, k.8 i8,
      choice.9 i8, acc.10 i8, other.11 i8, k.12 i8, value.13 i8, result.14 i8
  a thread, a warp or a block a call
  registers of a warp's lanes keep t, a lane for each index
  loop 0 in -1, serial: n
  loop 1 in 0, points: w
  loop 2 in 0, points: w 1 - 0 max
  loop 3 in 0, reduction: w
  loop 4 in 0, serial: w 1 - -1 - 0 max
  loop 5 in 0, reduction: w
  work by loops 0 2, 4 integer
  work by loops 0 3, 6 integer
  work by loops 3, 2 integer
  work by loops 4, 2 integer
  work by loops 5, 2 integer
  work by loops 0, 2 integer
  1 stores of t, by loops 1: 1 in 0 of 1
  1 loads of x, by loops 0: 1 in 0 of 0
  1 loads of c, by loops 2: 1 in 0 of 2
  1 stores of t, by loops 2: 1 in 0 of 2
  1 loads of t, by loops 3: 1 in 0 of 3
  2 stores of y, by loops 0: 1 in 0 of 0
  1 loads of t, by loops 4: -1 in 0 of 4
  1 loads of c, by loops 4: -1 in 0 of 4
  1 stores of t, by loops 4: -1 in 0 of 4
  1 loads of t, by loops 5: 1 in 0 of 5
  1 loads of y, by loops 0: 1 in 0 of 0
  each element
    for i.0 in 0..n
      sync blocks own portions spread t.1 in 0..w
        t[t.1] = 0
      for k.2 in 1..w
        t[k.2] = x[i.0] * c[k.2]
      shared as
        sync blocks spread k.2 in 1..w
          t[k.2] = x[i.0] * c[k.2]
      acc.3 = 0
      sync blocks own portions spread k.5 in 0..w to acc.3
        value.6 = (t[k.5] + 1) * (k.5 + 1)
        acc.3 = acc.3 + value.6
      join
        acc.3 = acc.3 + other.4
      result.7 = acc.3
      y[i.0] = result.7
      sync blocks joined portions alone for k.8 in (w - 1)..-1..-1
        alone if k.8 > 0
          alone choice.9 = t[k.8 - 1]
        else
          alone choice.9 = 0
        t[k.8] = c[k.8] + choice.9
      acc.10 = 0
      sync blocks own portions spread k.12 in 0..w to acc.10
        value.13 = t[k.12]
        acc.10 = acc.10 + value.13
      join
        acc.10 = acc.10 + other.11
      result.14 = acc.10
      sync lanes y[i.0] = y[i.0] + result.14

outer_var: (int64, int64)(int64, int64)
  as  gufunc_filled_in_place_outer_var_i8i8_i8i8
  in  x i8, c i8
  out y i8, z i8, t i8
  var last.0 i8, i.1 i8, t.2 i8, k.3 i8, acc.4 i8, other.5 i8, k.6 i8, value.7 i8, result.8 i8
  a thread, a warp or a block a call
  registers of a warp's lanes keep t, a lane for each index
  registers of a thread hold arrays along w up to 8, or powers of two up to 32
  loop 0 in -1, serial: n
  loop 1 in 0, serial: w
  loop 2 in 0, reduction: w
  work by loops 0 1, 6 integer
  work by loops 2, 2 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 loads of c, by loops 1: 1 in 0 of 1
  1 stores of t, by loops 1: 1 in 0 of 1
  1 loads of t, by loops 2: 1 in 0 of 2
  1 stores of y, by loops 0: 1 in 0 of 0
  1 stores of z, by loops
  each element
    last.0 = 0
    for i.1 in 0..n
      sync blocks alone for k.3 in 0..w
        alone last.0 = x[i.1] + k.3
        t[k.3] = last.0 * c[k.3]
      acc.4 = 0
      sync blocks portions spread k.6 in 0..w to acc.4
        value.7 = t[k.6]
        acc.4 = acc.4 + value.7
      join
        acc.4 = acc.4 + other.5
      result.8 = acc.4
      y[i.1] = result.8
    z[] = last.0

changed: (int64, int64)(int64, int64)
  as  gufunc_filled_in_place_changed_i8i8_i8i8_calls
  in  x i8, c i8
  out y i8, u i8, t i8
  var t.0 i8, i.1 i8, t.2 i8, k.3 i8, acc.4 i8, other.5 i8, k.6 i8, value.7 i8, result.8 i8, u.9 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, reduction: w
  work by loops 0, 4 integer
  1 loads of x, by loops
  2 stores of u, by loops
  1 loads of c, by loops 0: 1 in 0 of 0
  1 stores of y, by loops
  each element
    u.9 = x[]
    u[] = u.9
    u[] = 7
    acc.4 = 0
    spread k.6 in 0..w to acc.4
      value.7 = u.9 + c[k.6]
      acc.4 = acc.4 + value.7
    join
      acc.4 = acc.4 + other.5
    result.8 = acc.4
    y[] = result.8

changed: (int64, int64)(int64, int64)
  as  gufunc_filled_in_place_changed_i8i8_i8i8
  in  x i8, c i8
  out y i8, u i8, t i8
  var t.0 i8, i.1 i8, t.2 i8, k.3 i8, acc.4 i8, other.5 i8, k.6 i8, value.7 i8, result.8 i8
  a thread, a warp or a block a call
  registers of a warp's lanes keep t, a lane for each index
  registers of a thread hold arrays along w up to 8, or powers of two up to 32
  loop 0 in -1, points: n
  loop 1 in -1, serial: n
  loop 2 in 1, points: w
  loop 3 in 1, reduction: w
  work by loops 1 2, 2 integer
  work by loops 3, 2 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of u, by loops 0: 1 in 0 of 0
  1 loads of u, by loops 1: 1 in 0 of 1
  1 loads of c, by loops 2: 1 in 0 of 2
  1 stores of t, by loops 2: 1 in 0 of 2
  1 stores of u, by loops 1: 1 in 0 of 1
  1 loads of t, by loops 3: 1 in 0 of 3
  1 stores of y, by loops 1: 1 in 0 of 1
  each element
    spread t.0 in 0..n
      u[t.0] = x[t.0]
    for i.1 in 0..n
      for k.3 in 0..w
        t[k.3] = u[i.1] + c[k.3]
      shared as
        sync blocks sync lanes spread k.3 in 0..w
          t[k.3] = u[i.1] + c[k.3]
      sync blocks sync lanes u[i.1] = 7
      acc.4 = 0
      portions spread k.6 in 0..w to acc.4
        value.7 = t[k.6]
        acc.4 = acc.4 + value.7
      join
        acc.4 = acc.4 + other.5
      result.8 = acc.4
      y[i.1] = result.8

0copy: int64(int64)
  as  gufunc_filled_in_place_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x
