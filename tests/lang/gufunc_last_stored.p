runs: (uint8, int64)(uint8)
  as  gufunc_last_stored_runs_u1i8_u1_stored
  in  x u1
  out v u1, c i8, stored i8
  var i.0 i8, k.1 i8, i.2 i8, either.3 b1, last.4 u1, k.5 i4, other.6 i4, k.7 i8, other.8 i8, i.9 i8,
      last.10 u1, before.11 i8, last.12 u1, last.13 u1, either.14 b1, k.15 i8, last.16 u1,
      before.17 i8, last.18 u1, last.19 u1, either.20 b1, k.21 i8, last.22 u1, before.23 i8,
      last.24 u1, last.25 u1, either.26 b1
  a thread, a warp or a block a call, or threads a point, in 3 phases
  4 neighbours a thread, where side by side are elements of v
  loop 0 in -1, points: n
  loop 1 in -1, points: n
  work by loops 1, 16 integer
  work by loops, 2 integer
  1 stores of v, by loops 0: 1 in 0 of 0
  7 loads of x, by loops 1: 1 in 0 of 1
  1 stores of v, by loops 1, irregular
  1 stores of stored, by loops
  1 loads of stored, by loops
  1 stores of c, by loops
  each element
    spread i.0 in 0..n
      v[i.0] = 0
    k.1 = -1
    last.4 = 0
    k.5 = 0
    k.7 = 0
    sync blocks scan i.9 in 0..n to k.7
      k.15 = k.1 + k.7
      last.16 = last.4
      if i.9 != 0
        before.17 = i.9 - 1
        last.18 = x[before.17]
        last.16 = last.18
      last.19 = last.16
      either.20 = i.9 == 0
      if not either.20
        either.20 = x[i.9] != last.19
      if either.20
        k.15 = k.15 + 1
        v[k.15] = x[i.9]
      if (i.9 + 1) == n
        k.21 = k.1 + k.7
        last.22 = last.4
        if i.9 != 0
          before.23 = i.9 - 1
          last.24 = x[before.23]
          last.22 = last.24
        last.25 = last.22
        either.26 = i.9 == 0
        if not either.26
          either.26 = x[i.9] != last.25
        if either.26
          k.21 = k.21 + 1
        stored[] = k.21
      last.10 = last.4
      if i.9 != 0
        before.11 = i.9 - 1
        last.12 = x[before.11]
        last.10 = last.12
      last.13 = last.10
      either.14 = i.9 == 0
      if not either.14
        either.14 = x[i.9] != last.13
      if either.14
        k.7 = k.7 + 1
    join
      k.7 = k.7 + other.8
    if 0 < n
      sync blocks k.1 = stored[]
    c[] = k.1 + 1

runs: (uint8, int64)(uint8)
  as  gufunc_last_stored_runs_u1i8_u1
  in  x u1
  out v u1, c i8
  var i.0 i8, k.1 i8, i.2 i8, either.3 b1, last.4 u1
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: n
  work by loops 1, 4 integer
  work by loops, 2 integer
  1 stores of v, by loops 0: 1 in 0 of 0
  3 loads of x, by loops 1: 1 in 0 of 1
  1 stores of v, by loops 1, irregular
  1 stores of c, by loops
  each element
    spread i.0 in 0..n
      v[i.0] = 0
    k.1 = -1
    last.4 = 0
    sync blocks alone for i.2 in 0..n
      alone either.3 = i.2 == 0
      alone if not either.3
        alone either.3 = x[i.2] != last.4
      alone if either.3
        alone k.1 = k.1 + 1
        v[k.1] = x[i.2]
      alone last.4 = x[i.2]
    c[] = k.1 + 1

unique: (float64, int64, int64)(float64)
  as  gufunc_last_stored_unique_f8i8i8_f8_stored
  in  x f8
  out v f8, at i8, c i8, stored i8
  var i.0 i8, i.1 i8, k.2 i8, i.3 i8, either.4 b1, last.5 f8, k.6 i4, other.7 i4, k.8 i8, other.9 i8,
      i.10 i8, last.11 f8, before.12 i8, last.13 f8, last.14 f8, either.15 b1, k.16 i8,
      last.17 f8, before.18 i8, last.19 f8, last.20 f8, either.21 b1, k.22 i8, last.23 f8,
      before.24 i8, last.25 f8, last.26 f8, either.27 b1
  a thread, a warp or a block a call, or threads a point, in 3 phases
  2 neighbours a thread, where side by side are elements of v at
  loop 0 in -1, points: n
  loop 1 in -1, points: n
  work by loops 1, 3 float64, 11 integer
  1 stores of v, by loops 0: 1 in 0 of 0
  1 stores of at, by loops 0: 1 in 0 of 0
  7 loads of x, by loops 1: 1 in 0 of 1
  1 stores of v, by loops 1, irregular
  1 stores of at, by loops 1, irregular
  1 stores of stored, by loops
  1 loads of stored, by loops
  1 stores of c, by loops
  each element
    spread i.0 in 0..n
      v[i.0] = 0.0
      at[i.0] = -1
    k.2 = 0
    last.5 = 0.0
    k.6 = 0
    k.8 = 0
    sync blocks scan i.10 in 0..n to k.8
      k.16 = k.2 + k.8
      last.17 = last.5
      if i.10 != 0
        before.18 = i.10 - 1
        last.19 = x[before.18]
        last.17 = last.19
      last.20 = last.17
      either.21 = i.10 == 0
      if not either.21
        either.21 = last.20 != x[i.10]
      if either.21
        v[k.16] = x[i.10]
        at[k.16] = i.10
      if (i.10 + 1) == n
        k.22 = k.2 + k.8
        last.23 = last.5
        if i.10 != 0
          before.24 = i.10 - 1
          last.25 = x[before.24]
          last.23 = last.25
        last.26 = last.23
        either.27 = i.10 == 0
        if not either.27
          either.27 = last.26 != x[i.10]
        if either.27
          k.22 = k.22 + 1
        stored[] = k.22
      last.11 = last.5
      if i.10 != 0
        before.12 = i.10 - 1
        last.13 = x[before.12]
        last.11 = last.13
      last.14 = last.11
      either.15 = i.10 == 0
      if not either.15
        either.15 = last.14 != x[i.10]
      if either.15
        k.8 = k.8 + 1
    join
      k.8 = k.8 + other.9
    if 0 < n
      sync blocks k.2 = stored[]
    c[] = k.2

unique: (float64, int64, int64)(float64)
  as  gufunc_last_stored_unique_f8i8i8_f8
  in  x f8
  out v f8, at i8, c i8
  var i.0 i8, i.1 i8, k.2 i8, i.3 i8, either.4 b1, last.5 f8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: n
  work by loops 1, 1 float64, 3 integer
  1 stores of v, by loops 0: 1 in 0 of 0
  1 stores of at, by loops 0: 1 in 0 of 0
  3 loads of x, by loops 1: 1 in 0 of 1
  1 stores of v, by loops 1, irregular
  1 stores of at, by loops 1, irregular
  1 stores of c, by loops
  each element
    spread i.0 in 0..n
      v[i.0] = 0.0
      at[i.0] = -1
    k.2 = 0
    last.5 = 0.0
    sync blocks alone for i.3 in 0..n
      alone either.4 = i.3 == 0
      alone if not either.4
        alone either.4 = last.5 != x[i.3]
      alone if either.4
        v[k.2] = x[i.3]
        at[k.2] = i.3
        alone k.2 = k.2 + 1
      alone last.5 = x[i.3]
    c[] = k.2

tail: (int64, int64)(int64)
  as  gufunc_last_stored_tail_i8i8_i8_stored
  in  x i8
  out v i8, c i8, stored i8
  var i.0 i8, k.1 i8, i.2 i8, last.3 i8, k.4 i4, other.5 i4, k.6 i8, other.7 i8, i.8 i8, last.9 i8,
      before.10 i8, last.11 i8, last.12 i8, k.13 i8, last.14 i8, before.15 i8, last.16 i8,
      last.17 i8, k.18 i8, last.19 i8, before.20 i8, last.21 i8, last.22 i8
  a thread, a warp or a block a call, or threads a point, in 4 phases
  2 neighbours a thread, where side by side are elements of v
  loop 0 in -1, points: n
  loop 1 in -1, points: n 1 - 0 max
  work by loops 1, 16 integer
  work by loops, 2 integer
  1 stores of v, by loops 0: 1 in 0 of 0
  2 loads of x, by loops
  1 stores of v, by loops
  7 loads of x, by loops 1: 1 in 0 of 1
  1 stores of v, by loops 1, irregular
  1 stores of stored, by loops
  1 loads of stored, by loops
  1 stores of c, by loops
  each element
    spread i.0 in 0..n
      v[i.0] = 0
    sync blocks v[0] = x[0]
    k.1 = 0
    last.3 = x[0]
    k.4 = 0
    k.6 = 0
    sync blocks scan i.8 in 1..n to k.6
      k.13 = k.1 + k.6
      last.14 = last.3
      if i.8 != 1
        before.15 = i.8 - 1
        last.16 = x[before.15]
        last.14 = last.16
      last.17 = last.14
      if x[i.8] != last.17
        k.13 = k.13 + 1
        v[k.13] = x[i.8]
      if (i.8 + 1) == n
        k.18 = k.1 + k.6
        last.19 = last.3
        if i.8 != 1
          before.20 = i.8 - 1
          last.21 = x[before.20]
          last.19 = last.21
        last.22 = last.19
        if x[i.8] != last.22
          k.18 = k.18 + 1
        stored[] = k.18
      last.9 = last.3
      if i.8 != 1
        before.10 = i.8 - 1
        last.11 = x[before.10]
        last.9 = last.11
      last.12 = last.9
      if x[i.8] != last.12
        k.6 = k.6 + 1
    join
      k.6 = k.6 + other.7
    if 1 < n
      sync blocks k.1 = stored[]
    c[] = k.1 + 1

tail: (int64, int64)(int64)
  as  gufunc_last_stored_tail_i8i8_i8
  in  x i8
  out v i8, c i8
  var i.0 i8, k.1 i8, i.2 i8, last.3 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: n 1 - 0 max
  work by loops 1, 4 integer
  work by loops, 2 integer
  1 stores of v, by loops 0: 1 in 0 of 0
  2 loads of x, by loops
  1 stores of v, by loops
  3 loads of x, by loops 1: 1 in 0 of 1
  1 stores of v, by loops 1, irregular
  1 stores of c, by loops
  each element
    spread i.0 in 0..n
      v[i.0] = 0
    sync blocks v[0] = x[0]
    k.1 = 0
    last.3 = x[0]
    alone for i.2 in 1..n
      alone if x[i.2] != last.3
        alone k.1 = k.1 + 1
        v[k.1] = x[i.2]
      alone last.3 = x[i.2]
    c[] = k.1 + 1

cleared: (int64, int64)(int64)
  as  gufunc_last_stored_cleared_i8i8_i8
  in  x i8
  out v i8, c i8
  var i.0 i8, k.1 i8, i.2 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: n 1 - 0 max
  work by loops 1, 4 integer
  work by loops, 2 integer
  1 loads of x, by loops
  1 stores of v, by loops
  1 stores of v, by loops 0: 1 in 0 of 0
  2 loads of x, by loops 1: 1 in 0 of 1
  1 loads of v, by loops 1, irregular
  1 stores of v, by loops 1, irregular
  1 stores of c, by loops
  each element
    v[0] = x[0]
    sync blocks spread i.0 in 0..n
      v[i.0] = 0
    k.1 = 0
    sync blocks alone for i.2 in 1..n
      alone if x[i.2] != v[k.1]
        alone k.1 = k.1 + 1
        v[k.1] = x[i.2]
    c[] = k.1 + 1

rows: (int64, int64)(int64)
  as  gufunc_last_stored_rows_i8i8_i8_calls
  in  x i8
  out v i8, c i8
  var i.0 i8, j.1 i8, i.2 i8, k.3 i8, j.4 i8, either.5 b1, last.6 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: n 1 - -1 - 0 max
  work by loops 1, 5 integer
  work by loops, 2 integer
  1 stores of v, by loops 0: 1 in 0 of 0
  3 loads of x, by loops 1: -1 in 0 of 1
  1 stores of v, by loops 1, irregular
  1 stores of c, by loops
  each element
    spread j.1 in 0..n
      v[j.1] = 0
    k.3 = -1
    last.6 = 0
    sync blocks alone for j.4 in (n - 1)..-1..-1
      alone either.5 = j.4 == (n - 1)
      alone if not either.5
        alone either.5 = x[j.4] != last.6
      alone if either.5
        alone k.3 = k.3 + 1
        v[k.3] = x[j.4]
      alone last.6 = x[j.4]
    c[] = k.3 + 1

rows: (int64, int64)(int64)
  as  gufunc_last_stored_rows_i8i8_i8
  in  x i8
  out v i8, c i8
  var i.0 i8, j.1 i8, i.2 i8, k.3 i8, j.4 i8, either.5 b1, last.6 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of v, or from row to row
  loop 0 in -1, points: m
  loop 1 in 0, points: n
  loop 2 in -1, points: m
  loop 3 in 2, serial: n 1 - -1 - 0 max
  work by loops 2 3, 5 integer
  work by loops 2, 2 integer
  1 stores of v, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  3 loads of x, by loops 2 3: 1 in 0 of 2, -1 in 1 of 3
  1 stores of v, by loops 2 3: 1 in 0 of 2, irregular
  1 stores of c, by loops 2: 1 in 0 of 2
  each element
    spread i.0 in 0..m, j.1 in 0..n
      v[i.0, j.1] = 0
    sync blocks spread i.2 in 0..m
      k.3 = -1
      last.6 = 0
      for j.4 in (n - 1)..-1..-1
        either.5 = j.4 == (n - 1)
        if not either.5
          either.5 = x[i.2, j.4] != last.6
        if either.5
          k.3 = k.3 + 1
          v[i.2, k.3] = x[i.2, j.4]
        last.6 = x[i.2, j.4]
      c[i.2] = k.3 + 1

others: (int64, int64)(int64)
  as  gufunc_last_stored_others_i8i8_i8
  in  x i8
  out v i8, c i8
  var i.0 i8, k.1 i8, i.2 i8, either.3 b1
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: n
  work by loops 1, 25 integer
  work by loops, 2 integer
  1 stores of v, by loops 0: 1 in 0 of 0
  2 loads of x, by loops 1: 1 in 0 of 1
  1 loads of v, by loops 1, irregular
  1 stores of v, by loops 1, irregular
  1 stores of c, by loops
  each element
    spread i.0 in 0..n
      v[i.0] = 0
    k.1 = -1
    sync blocks alone for i.2 in 0..n
      alone either.3 = k.1 < 0
      alone if not either.3
        alone either.3 = x[i.2] != v[k.1]
      alone if either.3
        alone k.1 = k.1 + 1
        v[k.1] = x[i.2] // 2
    c[] = k.1 + 1

begins: (int64, int64)(int64)
  as  gufunc_last_stored_begins_i8i8_i8
  in  x i8
  out v i8, c i8
  var i.0 i8, k.1 i8, i.2 i8, either.3 b1
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: n 2 // 0 max
  work by loops 1, 9 integer
  1 stores of v, by loops 0: 1 in 0 of 0
  2 loads of x, by loops 1, irregular
  1 loads of v, by loops 1, irregular
  1 stores of v, by loops 1, irregular
  1 stores of c, by loops
  each element
    spread i.0 in 0..n
      v[i.0] = 0
    k.1 = 0
    sync blocks alone for i.2 in k.1..n
      alone either.3 = k.1 == 0
      alone if not either.3
        alone either.3 = x[i.2] != v[k.1 - 1]
      alone if either.3
        v[k.1] = x[i.2]
        alone k.1 = k.1 + 1
    c[] = k.1

0copy: uint8(uint8)
  as  gufunc_last_stored_0copy_u1_u1
  in  x u1
  out out u1
  each element
    store out = x

0copy: int64(int64)
  as  gufunc_last_stored_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_last_stored_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
