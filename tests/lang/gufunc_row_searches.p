places: int64(int64, int64)
  as  gufunc_row_searches_places_i8_i8i8_stored
  in  x i8, v i8
  out k i8
  var j.0 i8, i.1 i8, first.2 i8, index.3 i8, first.4 i8, other.5 i8, i.6 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  8 points of range 0 a thread, whose reductions run together
  loop 0 in -1, points: m
  loop 1 in 0, reduction: n
  work by loops 0 1, 6 integer
  work by loops 0, 6 integer
  2 stores of k, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: 1 in 0 of 1
  1 loads of v, by loops 0: 1 in 0 of 0
  each element
    spread j.0 in 0..m
      k[j.0] = -1
      first.2 = 9223372036854775807
      first.4 = 9223372036854775807
      each i.6 in 0..n to first.4
        if x[i.6] == v[j.0]
          first.4 = min(first.4, i.6)
      join
        first.4 = min(first.4, other.5)
      first.2 = min(first.2, first.4)
      if first.2 != 9223372036854775807
        index.3 = first.2
        k[j.0] = index.3

places: int64(int64, int64)
  as  gufunc_row_searches_places_i8_i8i8
  in  x i8, v i8
  out k i8
  var j.0 i8, i.1 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, points: m
  loop 1 in 0, serial, may end: n
  work by loops 0 1, 2 integer
  2 stores of k, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: 1 in 0 of 1
  1 loads of v, by loops 0: 1 in 0 of 0
  each element
    spread j.0 in 0..m
      k[j.0] = -1
      block 0
        for i.1 in 0..n
          if x[i.1] == v[j.0]
            k[j.0] = i.1
            leave block 0

called: int64(int64, int64)
  as  gufunc_row_searches_called_i8_i8i8_stored
  in  x i8, v i8
  out k i8
  var j.0 i8, t.1 i8, i.2 i8, place.3 i8, first.4 i8, index.5 i8, first.6 i8, other.7 i8, i.8 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  8 points of range 0 a thread, whose reductions run together
  loop 0 in -1, points: m
  loop 1 in 0, reduction: n
  work by loops 0 1, 6 integer
  work by loops 0, 6 integer
  1 loads of v, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of k, by loops 0: 1 in 0 of 0
  each element
    spread j.0 in 0..m
      t.1 = v[j.0]
      first.4 = 9223372036854775807
      first.6 = 9223372036854775807
      each i.8 in 0..n to first.6
        if x[i.8] == t.1
          first.6 = min(first.6, i.8)
      join
        first.6 = min(first.6, other.7)
      first.4 = min(first.4, first.6)
      if first.4 != 9223372036854775807
        index.5 = first.4
        place.3 = index.5
      else
        place.3 = -1
      k[j.0] = place.3

called: int64(int64, int64)
  as  gufunc_row_searches_called_i8_i8i8
  in  x i8, v i8
  out k i8
  var j.0 i8, t.1 i8, i.2 i8, place.3 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, points: m
  loop 1 in 0, serial, may end: n
  work by loops 0 1, 2 integer
  1 loads of v, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of k, by loops 0: 1 in 0 of 0
  each element
    spread j.0 in 0..m
      t.1 = v[j.0]
      block 0
        for i.2 in 0..n
          if x[i.2] == t.1
            place.3 = i.2
            leave block 0
        place.3 = -1
      k[j.0] = place.3

lasts: int64(float64)
  as  gufunc_row_searches_lasts_i8_f8
  in  x f8
  out k i8
  var i.0 i8, j.1 i8, both.2 b1
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, points: m
  loop 1 in 0, serial, may end: ?
  work by loops 0 1, 1 float64, 4 integer
  1 loads of x, by loops 0 1: 1 in 0 of 0, irregular
  1 stores of k, by loops 0: 1 in 0 of 0
  each element
    spread i.0 in 0..m
      j.1 = n - 1
      block 0
        loop
          both.2 = j.1 >= 0
          if both.2
            both.2 = x[i.0, j.1] < 4.0
          if both.2
            j.1 = j.1 - 1
          else
            leave block 0
      k[i.0] = j.1

sums: (int64, int64)(int64)
  as  gufunc_row_searches_sums_i8i8_i8_calls
  in  x i8
  out s i8, at i8
  var i.0 i8, j.1 i8, s.2 i8, at.3 i8
  one thread a call
  loop 0 in -1, serial, may end: n
  work by loops 0, 4 integer
  2 loads of x, by loops 0: 1 in 0 of 0
  1 stores of s, by loops
  1 stores of at, by loops
  each element
    s.2 = 0
    at.3 = n
    block 0
      for j.1 in 0..n
        if x[j.1] > 7
          at.3 = j.1
          leave block 0
        else
          s.2 = s.2 + x[j.1]
    s[] = s.2
    at[] = at.3

sums: (int64, int64)(int64)
  as  gufunc_row_searches_sums_i8i8_i8
  in  x i8
  out s i8, at i8
  var i.0 i8, j.1 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, points: m
  loop 1 in 0, serial, may end: n
  work by loops 0 1, 4 integer
  2 stores of s, by loops 0: 1 in 0 of 0
  2 stores of at, by loops 0: 1 in 0 of 0
  2 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of s, by loops 0: 1 in 0 of 0
  each element
    spread i.0 in 0..m
      s[i.0] = 0
      at[i.0] = n
      block 0
        for j.1 in 0..n
          if x[i.0, j.1] > 7
            at[i.0] = j.1
            leave block 0
          else
            s[i.0] = s[i.0] + x[i.0, j.1]

steps: (int64, int64)(int64)
  as  gufunc_row_searches_steps_i8i8_i8
  in  a i8
  out k i8, c i8
  var i.0 i8, t.1 i8, j.2 i8, c.3 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: n
  loop 2 in 1, serial, may end: n
  work by loops 1 2, 4 integer
  1 stores of k, by loops 0: 1 in 0 of 0
  2 loads of a, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 stores of k, by loops 1: 1 in 0 of 1
  1 stores of c, by loops
  each element
    spread i.0 in 0..n
      k[i.0] = 0
    c.3 = 0
    sync blocks alone for t.1 in 0..n
      alone block 0
        alone for j.2 in 0..n
          alone if a[t.1, j.2] > c.3
            k[t.1] = j.2
            alone c.3 = c.3 + a[t.1, j.2]
            alone leave block 0
    c[] = c.3

0copy: int64(int64)
  as  gufunc_row_searches_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_row_searches_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
