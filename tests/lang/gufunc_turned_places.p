rolled: int64(int64, int32)
  as  gufunc_turned_places_rolled_i8_i8i4
  in  x i8, by i4
  out y i8
  var i.0 i8, j.1 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, points: m
  loop 1 in 0, points: n
  work by loops 1, 34 integer
  work by loops
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of y, by loops 0 1: 1 in 0 of 0, irregular
  each element
    spread i.0 in 0..m, j.1 in 0..n
      y[(i.0 + ((1 % m) - m)) % m, (i8(by) - j.1) % n] = x[i.0, j.1]

streamed: int64(int64, int32)
  as  gufunc_turned_places_streamed_i8_i8i4_stored
  in  f i8, s i4
  out g i8, stored i8
  var j.0 i8, t.1 i8, k.2 i8, k.3 i8, stored.4 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of f stored
  loop 0 in -1, points: n
  loop 1 in 0, serial: 4
  loop 2 in -1, points: n
  loop 3 in 2, points: 4
  work by loops 0 1, 2 integer
  work by loops 2 3, 36 integer
  work by loops 3
  1 loads of f, by loops 0 1: 1 in 0 of 1, 1 in 1 of 0
  1 stores of stored, by loops 0: 1 in 0 of 0
  1 loads of f, by loops 2 3: 1 in 0 of 3, 1 in 1 of 2
  1 loads of stored, by loops 2: 1 in 0 of 2
  1 loads of s, by loops 3: 1 in 0 of 3
  1 stores of g, by loops 2 3: 1 in 0 of 3, irregular
  each element
    spread j.0 in 0..n
      t.1 = 0
      for k.2 in 0..4
        t.1 = t.1 + f[k.2, j.0]
      stored[j.0] = t.1
    sync blocks spread j.0 in 0..n, k.3 in 0..4
      g[k.3, ((j.0 + STEP[k.3]) - i8(s[k.3])) % n] = f[k.3, j.0] - stored[j.0]

streamed: int64(int64, int32)
  as  gufunc_turned_places_streamed_i8_i8i4
  in  f i8, s i4
  out g i8
  var j.0 i8, t.1 i8, k.2 i8, k.3 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, points: n
  loop 1 in 0, serial: 4
  loop 2 in 0, serial: 4
  work by loops 0 1, 2 integer
  work by loops 0 2, 37 integer
  work by loops 2
  1 loads of f, by loops 0 1: 1 in 0 of 1, 1 in 1 of 0
  1 loads of f, by loops 0 2: 1 in 0 of 2, 1 in 1 of 0
  1 loads of s, by loops 2: 1 in 0 of 2
  1 stores of g, by loops 0 2: 1 in 0 of 2, irregular
  each element
    spread j.0 in 0..n
      t.1 = 0
      for k.2 in 0..4
        t.1 = t.1 + f[k.2, j.0]
      for k.3 in 0..4
        g[k.3, ((j.0 + STEP[k.3]) - i8(s[k.3])) % n] = f[k.3, j.0] - t.1

unpinned: int64(int64)
  as  gufunc_turned_places_unpinned_i8_i8_stored
  in  x i8
  out y i8, stored i8
  var i.0 i8, k.1 i8, at.2 i8, i.3 i8, k.4 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  2 neighbours a thread, where side by side are elements of stored
  loop 0 in -1, points: n
  loop 1 in -1, points: n
  loop 2 in 1, points: 2
  loop 3 in -1, points: n
  loop 4 in 3, points: 2
  work by loops 1 2, 8 integer
  work by loops 2, 34 integer
  work by loops 3 4, 8 integer
  work by loops 4, 34 integer
  1 stores of stored, by loops 0: 1 in 0 of 0
  1 loads of stored, by loops 1 2: 1 in 0 of 1, irregular
  1 stores of stored, by loops 1 2: 1 in 0 of 1, irregular
  1 loads of stored, by loops 3 4: 1 in 0 of 3, irregular
  1 loads of x, by loops 3: 1 in 0 of 3
  1 stores of y, by loops 3 4: 1 in 0 of 3, irregular
  each element
    spread at.2 in 0..n
      stored[at.2] = -9223372036854775808
    sync blocks spread i.3 in 0..n, k.4 in 0..2
      stored[(i.3 + ((STEP[k.4] % n) - n)) % n] = max(stored[(i.3 + ((STEP[k.4] % n) - n)) % n], (i.3 * 2) + k.4)
    sync blocks spread i.0 in 0..n, k.1 in 0..2
      if stored[(i.0 + ((STEP[k.1] % n) - n)) % n] == ((i.0 * 2) + k.1)
        y[(i.0 + ((STEP[k.1] % n) - n)) % n] = x[i.0] + k.1

unpinned: int64(int64)
  as  gufunc_turned_places_unpinned_i8_i8
  in  x i8
  out y i8
  var i.0 i8, k.1 i8, bin.2 i8, y.3 i8, term.4 i8, key.5 i8
  a thread a call, or in 1 phase
  loop 0 in -1, serial: n
  loop 1 in 0, serial: 2
  work by loops 0 1, 4 integer
  work by loops 1, 17 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0 1: 1 in 0 of 0, irregular
  each element
    alone for i.0 in 0..n, dealt out to bins of y
      alone for k.1 in 0..2
        y[(i.0 + ((STEP[k.1] % n) - n)) % n] = x[i.0] + k.1

twice: int64(int64)
  as  gufunc_turned_places_twice_i8_i8_stored
  in  x i8
  out y i8, stored i8
  var i.0 i8, i.1 i8, at.2 i8, i.3 i8, at.4 i8, i.5 i8
  a thread, a warp or a block a call, or threads a point, in 4 phases
  2 neighbours a thread, where side by side are elements of y
  2 neighbours a thread, where side by side are elements of stored
  loop 0 in -1, points: n
  loop 1 in -1, points: n
  loop 2 in -1, points: 2 n * 0 - 0 max
  loop 3 in -1, points: n
  work by loops 2, 4 integer
  work by loops 3, 2 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  1 stores of stored, by loops 1: 1 in 0 of 1
  1 loads of stored, by loops 2, irregular
  1 stores of stored, by loops 2, irregular
  2 loads of stored, by loops 3: 1 in 0 of 3
  1 loads of x, by loops 3, irregular
  1 stores of y, by loops 3: 1 in 0 of 3
  each element
    spread i.0 in 0..n
      y[i.0] = 0
    spread at.2 in 0..n
      stored[at.2] = -9223372036854775808
    sync blocks spread i.3 in 0..(2 * n)
      stored[(i.3 + 1) % n] = max(stored[(i.3 + 1) % n], i.3)
    sync blocks spread at.4 in 0..n
      if stored[at.4] != -9223372036854775808
        i.5 = stored[at.4]
        y[at.4] = x[i.5 // 2]

twice: int64(int64)
  as  gufunc_turned_places_twice_i8_i8
  in  x i8
  out y i8
  var i.0 i8, i.1 i8, bin.2 i8, y.3 i8, term.4 i8, key.5 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of y
  loop 0 in -1, points: n
  loop 1 in -1, serial: 2 n * 0 - 0 max
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1, irregular
  1 stores of y, by loops 1, irregular
  each element
    spread i.0 in 0..n
      y[i.0] = 0
    sync blocks alone for i.1 in 0..(2 * n), dealt out to bins of y
      y[(i.1 + 1) % n] = x[i.1 // 2]

shifted: int64(int64, int32)
  as  gufunc_turned_places_shifted_i8_i8i4_stored
  in  x i8, by i4
  out y i8, stored i8
  var i.0 i8, i.1 i8, at.2 i8, i.3 i8, at.4 i8, i.5 i8
  a thread, a warp or a block a call, or threads a point, in 4 phases
  2 neighbours a thread, where side by side are elements of y
  2 neighbours a thread, where side by side are elements of stored
  loop 0 in -1, points: n
  loop 1 in -1, points: n
  loop 2 in -1, points: n
  loop 3 in -1, points: n
  work by loops 2, 38 integer
  work by loops
  work by loops 3, 2 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  1 stores of stored, by loops 1: 1 in 0 of 1
  2 loads of by, by loops 2: 1 in 0 of 2
  1 loads of stored, by loops 2, irregular
  1 stores of stored, by loops 2, irregular
  2 loads of stored, by loops 3: 1 in 0 of 3
  1 loads of x, by loops 3, irregular
  1 stores of y, by loops 3: 1 in 0 of 3
  each element
    spread i.0 in 0..n
      y[i.0] = -1
    spread at.2 in 0..n
      stored[at.2] = -9223372036854775808
    sync blocks spread i.3 in 0..n
      stored[i8((i4(i.3) + by[i.3]) % i4(n))] = max(stored[i8((i4(i.3) + by[i.3]) % i4(n))], i.3)
    sync blocks spread at.4 in 0..n
      if stored[at.4] != -9223372036854775808
        i.5 = stored[at.4]
        y[at.4] = x[i.5]

shifted: int64(int64, int32)
  as  gufunc_turned_places_shifted_i8_i8i4
  in  x i8, by i4
  out y i8
  var i.0 i8, i.1 i8, bin.2 i8, y.3 i8, term.4 i8, key.5 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of y
  loop 0 in -1, points: n
  loop 1 in -1, serial: n
  work by loops 1, 17 integer
  work by loops
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: 1 in 0 of 1
  1 loads of by, by loops 1: 1 in 0 of 1
  1 stores of y, by loops 1, irregular
  each element
    spread i.0 in 0..n
      y[i.0] = -1
    sync blocks alone for i.1 in 0..n, dealt out to bins of y
      y[i8((i4(i.1) + by[i.1]) % i4(n))] = x[i.1]

wrapped: int64(int64, int64)
  as  gufunc_turned_places_wrapped_i8_i8i8_stored
  in  x i8, by i8
  out y i8, stored i8
  var i.0 i8, i.1 i8, at.2 i8, i.3 i8, at.4 i8, i.5 i8
  a thread, a warp or a block a call, or threads a point, in 4 phases
  2 neighbours a thread, where side by side are elements of y
  2 neighbours a thread, where side by side are elements of stored
  loop 0 in -1, points: n
  loop 1 in -1, points: n
  loop 2 in -1, points: n
  loop 3 in -1, points: n
  work by loops 2, 72 integer
  work by loops 3, 2 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  1 stores of stored, by loops 1: 1 in 0 of 1
  1 loads of stored, by loops 2, irregular
  1 stores of stored, by loops 2, irregular
  2 loads of stored, by loops 3: 1 in 0 of 3
  1 loads of x, by loops 3, irregular
  1 stores of y, by loops 3: 1 in 0 of 3
  each element
    spread i.0 in 0..n
      y[i.0] = -1
    spread at.2 in 0..n
      stored[at.2] = -9223372036854775808
    sync blocks spread i.3 in 0..n
      stored[(i.3 + by) % n] = max(stored[(i.3 + by) % n], i.3)
    sync blocks spread at.4 in 0..n
      if stored[at.4] != -9223372036854775808
        i.5 = stored[at.4]
        y[at.4] = x[i.5]

wrapped: int64(int64, int64)
  as  gufunc_turned_places_wrapped_i8_i8i8
  in  x i8, by i8
  out y i8
  var i.0 i8, i.1 i8, bin.2 i8, y.3 i8, term.4 i8, key.5 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of y
  loop 0 in -1, points: n
  loop 1 in -1, serial: n
  work by loops 1, 34 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of y, by loops 1, irregular
  each element
    spread i.0 in 0..n
      y[i.0] = -1
    sync blocks alone for i.1 in 0..n, dealt out to bins of y
      y[(i.1 + by) % n] = x[i.1]

far: int64(int64)
  as  gufunc_turned_places_far_i8_i8
  in  x i8
  out y i8
  var k.0 i8, i.1 i8, k.2 i8, i.3 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of y, or from row to row
  loop 0 in -1, points: 2
  loop 1 in 0, points: n
  loop 2 in -1, points: 2
  loop 3 in 2, serial: n
  work by loops 2 3, 34 integer
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of x, by loops 3: 1 in 0 of 3
  1 stores of y, by loops 2 3: 1 in 0 of 2, irregular
  each element
    spread k.0 in 0..2, i.1 in 0..n
      y[k.0, i.1] = -1
    sync blocks spread k.2 in 0..2
      for i.3 in 0..n
        y[k.2, (i.3 + FAR[k.2]) % n] = x[i.3]

0copy: int32(int32)
  as  gufunc_turned_places_0copy_i4_i4
  in  x i4
  out out i4
  each element
    store out = x

0copy: int64(int64)
  as  gufunc_turned_places_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x
