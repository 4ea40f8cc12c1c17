columns: int64(int64)
  as  gufunc_flat_columns_i8_i8
  in  x i8
  out y i8
  var i.0 i8, j.1 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, points: n
  loop 1 in 0, points: m
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 n in 0 of 1, irregular
  each element
    spread i.0 in 0..n, j.1 in 0..m
      y[(j.1 * n) + i.0] = x[i.0, j.1]

planes: int64(int64)
  as  gufunc_flat_planes_i8_i8
  in  x i8
  out y i8
  var i.0 i8, j.1 i8, k.2 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, points: h
  loop 1 in 0, points: w
  loop 2 in 1, points: c
  1 loads of x, by loops 0 1 2: 1 in 0 of 0, 1 in 1 of 1, 1 in 2 of 2
  1 stores of y, by loops 0 1 2: 1 w in 0 of 0, 1 in 0 of 1, 1 w h in 0 of 2, irregular
  each element
    spread i.0 in 0..h, j.1 in 0..w, k.2 in 0..c
      y[(((k.2 * h) * w) + (i.0 * w)) + j.1] = x[i.0, j.1, k.2]

pixels: int64(int64)
  as  gufunc_flat_pixels_i8_i8
  in  x i8
  out y i8
  var k.0 i8, i.1 i8, j.2 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  2 neighbours a thread, where side by side are elements of x y
  loop 0 in -1, points: 3
  loop 1 in 0, points: h
  loop 2 in 1, points: w
  work by loops 0 1 2
  work by loops 1 2, 4 integer
  1 loads of x, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 stores of y, by loops 0 1 2: 1 in 0 of 0, 3 w in 0 of 1, 3 in 0 of 2, irregular
  each element
    spread k.0 in 0..3, i.1 in 0..h, j.2 in 0..w
      y[(((i.1 * w) + j.2) * 3) + k.0] = (x[i.1, j.2] * 10) + k.0

inside: int64(int64)
  as  gufunc_flat_inside_i8_i8
  in  x i8
  out y i8
  var k.0 i8, i.1 i8, j.2 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of y
  loop 0 in -1, points: 2 * n * m
  loop 1 in -1, points: n 1 - 1 - 0 max
  loop 2 in 1, points: m
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 stores of y, by loops 1 2: 1 in 0 of 1, 2 n in 0 of 2, irregular
  each element
    spread k.0 in 0..2 * n * m
      y[k.0] = -1
    sync blocks spread i.1 in 1..(n - 1), j.2 in 0..m
      y[((j.2 * 2) * n) + i.1] = x[i.1, j.2]

overlapping: int64(int64)
  as  gufunc_flat_overlapping_i8_i8_stored
  in  x i8
  out y i8, stored i8
  var k.0 i8, i.1 i8, j.2 i8, at.3 i8, i.4 i8, j.5 i8
  a thread, a warp or a block a call, or threads a point, in 4 phases
  2 neighbours a thread, where side by side are elements of y
  2 neighbours a thread, where side by side are elements of stored
  loop 0 in -1, points: n * m
  loop 1 in -1, points: n * m
  loop 2 in -1, points: n
  loop 3 in 2, points: m
  loop 4 in -1, points: n
  loop 5 in 4, points: m
  work by loops 2 3, 4 integer
  work by loops 4 5, 2 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  1 stores of stored, by loops 1: 1 in 0 of 1
  1 loads of stored, by loops 2 3: 1 in 0 of 2, irregular
  1 stores of stored, by loops 2 3: 1 in 0 of 2, irregular
  1 loads of stored, by loops 4 5: 1 in 0 of 4, irregular
  1 loads of x, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  1 stores of y, by loops 4 5: 1 in 0 of 4, irregular
  each element
    spread k.0 in 0..n * m
      y[k.0] = -1
    spread at.3 in 0..n * m
      stored[at.3] = -9223372036854775808
    sync blocks spread i.4 in 0..n, j.5 in 0..m
      stored[(j.5 * (n - 1)) + i.4] = max(stored[(j.5 * (n - 1)) + i.4], (i.4 * m) + j.5)
    sync blocks spread i.1 in 0..n, j.2 in 0..m
      if stored[(j.2 * (n - 1)) + i.1] == ((i.1 * m) + j.2)
        y[(j.2 * (n - 1)) + i.1] = x[i.1, j.2]

overlapping: int64(int64)
  as  gufunc_flat_overlapping_i8_i8
  in  x i8
  out y i8
  var k.0 i8, i.1 i8, j.2 i8, bin.3 i8, y.4 i8, term.5 i8, key.6 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of y
  loop 0 in -1, points: n * m
  loop 1 in -1, serial: n
  loop 2 in 1, serial: m
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 stores of y, by loops 1 2: 1 in 0 of 1, irregular
  each element
    spread k.0 in 0..n * m
      y[k.0] = -1
    sync blocks alone for i.1 in 0..n, dealt out to bins of y
      alone for j.2 in 0..m
        y[(j.2 * (n - 1)) + i.1] = x[i.1, j.2]

exchanged: int64(int64)
  as  gufunc_flat_exchanged_i8_i8_stored
  in  x i8
  out y i8, stored i8
  var k.0 i8, i.1 i8, j.2 i8, at.3 i8, i.4 i8, j.5 i8
  a thread, a warp or a block a call, or threads a point, in 4 phases
  2 neighbours a thread, where side by side are elements of y
  2 neighbours a thread, where side by side are elements of stored
  loop 0 in -1, points: n * m + m
  loop 1 in -1, points: n * m + m
  loop 2 in -1, points: m
  loop 3 in 2, points: n
  loop 4 in -1, points: m
  loop 5 in 4, points: n
  work by loops 2 3, 4 integer
  work by loops 4 5, 2 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  1 stores of stored, by loops 1: 1 in 0 of 1
  1 loads of stored, by loops 2 3: 1 in 0 of 2, 1 n in 0 of 3, irregular
  1 stores of stored, by loops 2 3: 1 in 0 of 2, 1 n in 0 of 3, irregular
  1 loads of stored, by loops 4 5: 1 in 0 of 4, 1 n in 0 of 5, irregular
  1 loads of x, by loops 4 5: 1 in 0 of 5, 1 in 1 of 4
  1 stores of y, by loops 4 5: 1 in 0 of 4, 1 n in 0 of 5, irregular
  each element
    spread k.0 in 0..n * m + m
      y[k.0] = -1
    spread at.3 in 0..n * m + m
      stored[at.3] = -9223372036854775808
    sync blocks spread i.4 in 0..m, j.5 in 0..n
      stored[(j.5 * n) + i.4] = max(stored[(j.5 * n) + i.4], (i.4 * n) + j.5)
    sync blocks spread i.1 in 0..m, j.2 in 0..n
      if stored[(j.2 * n) + i.1] == ((i.1 * n) + j.2)
        y[(j.2 * n) + i.1] = x[j.2, i.1]

exchanged: int64(int64)
  as  gufunc_flat_exchanged_i8_i8
  in  x i8
  out y i8
  var k.0 i8, i.1 i8, j.2 i8, bin.3 i8, y.4 i8, term.5 i8, key.6 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of y
  loop 0 in -1, points: n * m + m
  loop 1 in -1, serial: m
  loop 2 in 1, serial: n
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1 2: 1 in 0 of 2, 1 in 1 of 1
  1 stores of y, by loops 1 2: 1 in 0 of 1, 1 n in 0 of 2, irregular
  each element
    spread k.0 in 0..n * m + m
      y[k.0] = -1
    sync blocks alone for i.1 in 0..m, dealt out to bins of y
      alone for j.2 in 0..n
        y[(j.2 * n) + i.1] = x[j.2, i.1]

triangle: int64(int64)
  as  gufunc_flat_triangle_i8_i8_stored
  in  x i8
  out y i8
  var k.0 i8, i.1 i8, j.2 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of y
  loop 0 in -1, points: n * n
  loop 1 in -1, points: n
  loop 2 in 1, serial: n 0 n + 2 // - 0 max
  work by loops 1 2, 2 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1 2: 1 in 0 of 1, 1 in 0 of 2
  1 stores of y, by loops 1 2: 1 in 0 of 1, 1 n in 0 of 1, 1 in 0 of 2, irregular
  each element
    spread k.0 in 0..n * n
      y[k.0] = -1
    sync blocks spread j.2 in 0..n
      for i.1 in j.2..n
        y[(j.2 * n) + i.1] = x[i.1] + j.2

triangle: int64(int64)
  as  gufunc_flat_triangle_i8_i8
  in  x i8
  out y i8
  var k.0 i8, i.1 i8, j.2 i8, bin.3 i8, y.4 i8, term.5 i8, key.6 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of y
  loop 0 in -1, points: n * n
  loop 1 in -1, serial: n
  loop 2 in 1, serial: 0 n + 2 // 1 + 0 - 0 max
  work by loops 1 2, 2 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of y, by loops 1 2: 1 in 0 of 1, 1 n in 0 of 2, irregular
  each element
    spread k.0 in 0..n * n
      y[k.0] = -1
    sync blocks alone for i.1 in 0..n, dealt out to bins of y
      alone for j.2 in 0..(i.1 + 1)
        y[(j.2 * n) + i.1] = x[i.1] + j.2

ragged: int64(int64, int64)
  as  gufunc_flat_ragged_i8_i8i8
  in  x i8, z i8
  out y i8
  var k.0 i8, i.1 i8, j.2 i8, bin.3 i8, y.4 i8, term.5 i8, term.6 i8, key.7 i8, length.8 i8,
      turn.9 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of y
  loop 0 in -1, points: n * m
  loop 1 in -1, serial: n
  loop 2 in 1, serial: m 0 n + 2 // - 0 - 0 max
  work by loops 1 2, 2 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 1 2: 1 in 0 of 1, 1 n in 0 of 2, irregular
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of y, by loops 1 2: 1 in 0 of 1, 1 n in 0 of 2, irregular
  each element
    spread k.0 in 0..n * m
      y[k.0] = -1
    sync blocks alone for i.1 in 0..n, dealt out to bins of y
      alone for j.2 in 0..(m - i.1)
        y[(j.2 * n) + i.1] = (y[(j.2 * n) + i.1] + x[i.1]) + j.2

summed: int64(int64)
  as  gufunc_flat_summed_i8_i8
  in  x i8
  out y i8
  var k.0 i8, t.1 i8, i.2 i8, j.3 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of y
  loop 0 in -1, points: n * m
  loop 1 in -1, points: p
  loop 2 in 1, points: n
  loop 3 in 2, points: m
  work by loops 1 2 3, 4 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 2 3: 1 in 0 of 2, 1 n in 0 of 3, irregular
  1 loads of x, by loops 1 2 3: 1 in 0 of 2, 1 in 1 of 3, 1 in 2 of 1
  1 stores of y, by loops 2 3: 1 in 0 of 2, 1 n in 0 of 3, irregular
  each element
    spread k.0 in 0..n * m
      y[k.0] = 0
    sync blocks spread t.1 in 0..p, i.2 in 0..n, j.3 in 0..m
      y[(j.3 * n) + i.2] = y[(j.3 * n) + i.2] + (x[i.2, j.3, t.1] * (t.1 + 1))

parts: (int64, int64)(int64)
  as  gufunc_flat_parts_i8i8_i8_stored
  in  x i8
  out y i8, z i8, stored i8
  var i.0 i8, j.1 i8, at.2 i8, i.3 i8, j.4 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  2 neighbours a thread, where side by side are elements of stored
  loop 0 in -1, points: 2 * h * w
  loop 1 in -1, points: h
  loop 2 in 1, points: w
  loop 3 in -1, points: h
  loop 4 in 3, points: w
  work by loops 1 2, 8 integer
  work by loops 3 4, 12 integer
  1 stores of stored, by loops 0: 1 in 0 of 0
  2 loads of stored, by loops 1 2: 2 in 0 of 1, 2 h in 0 of 2, irregular
  2 stores of stored, by loops 1 2: 2 in 0 of 1, 2 h in 0 of 2, irregular
  4 loads of x, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 stores of y, by loops 3 4: 1 w in 0 of 3, 1 in 0 of 4, irregular
  1 stores of y, by loops 3 4: 1 w in 0 of 3, 1 in 0 of 4, irregular
  2 loads of stored, by loops 3 4: 2 in 0 of 3, 2 h in 0 of 4, irregular
  2 stores of z, by loops 3 4: 2 in 0 of 3, 2 h in 0 of 4, irregular
  each element
    spread at.2 in 0..2 * h * w
      stored[at.2] = -9223372036854775808
    sync blocks spread i.3 in 0..h, j.4 in 0..w
      stored[2 * ((j.4 * h) + i.3)] = max(stored[2 * ((j.4 * h) + i.3)], (i.3 * w) + j.4)
      stored[(2 * ((j.4 * h) + i.3)) + 1] = max(stored[(2 * ((j.4 * h) + i.3)) + 1], (i.3 * w) + j.4)
    sync blocks spread i.0 in 0..h, j.1 in 0..w
      y[(i.0 * w) + j.1] = x[i.0, j.1]
      y[((h * w) + (i.0 * w)) + j.1] = x[i.0, j.1] * 2
      if stored[2 * ((j.1 * h) + i.0)] == ((i.0 * w) + j.1)
        z[2 * ((j.1 * h) + i.0)] = x[i.0, j.1]
      if stored[(2 * ((j.1 * h) + i.0)) + 1] == ((i.0 * w) + j.1)
        z[(2 * ((j.1 * h) + i.0)) + 1] = x[i.0, j.1] * 2

parts: (int64, int64)(int64)
  as  gufunc_flat_parts_i8i8_i8
  in  x i8
  out y i8, z i8
  var i.0 i8, j.1 i8, bin.2 i8, y.3 i8, term.4 i8, key.5 i8, key.6 i8, z.7 i8, key.8 i8, key.9 i8
  a thread a call, or in 1 phase
  loop 0 in -1, serial: h
  loop 1 in 0, serial: w
  work by loops 0 1, 8 integer
  4 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of y, by loops 0 1: 1 w in 0 of 0, 1 in 0 of 1, irregular
  1 stores of y, by loops 0 1: 1 w in 0 of 0, 1 in 0 of 1, irregular
  2 stores of z, by loops 0 1: 2 in 0 of 0, 2 h in 0 of 1, irregular
  each element
    alone for i.0 in 0..h, dealt out to bins of y, z
      alone for j.1 in 0..w
        y[(i.0 * w) + j.1] = x[i.0, j.1]
        y[((h * w) + (i.0 * w)) + j.1] = x[i.0, j.1] * 2
        z[2 * ((j.1 * h) + i.0)] = x[i.0, j.1]
        z[(2 * ((j.1 * h) + i.0)) + 1] = x[i.0, j.1] * 2

over: (int64, int64)(int64)
  as  gufunc_flat_over_i8i8_i8_stored
  in  x i8
  out y i8, z i8, stored i8, stored i8
  var k.0 i8, k.1 i8, i.2 i8, j.3 i8, at.4 i8, at.5 i8, i.6 i8, j.7 i8
  a thread, a warp or a block a call, or threads a point, in 6 phases
  2 neighbours a thread, where side by side are elements of y
  2 neighbours a thread, where side by side are elements of z
  2 neighbours a thread, where side by side are elements of stored
  2 neighbours a thread, where side by side are elements of stored
  loop 0 in -1, points: 2 * h * w
  loop 1 in -1, points: 2 * h * w + 3
  loop 2 in -1, points: 2 * h * w
  loop 3 in -1, points: 2 * h * w + 3
  loop 4 in -1, points: h
  loop 5 in 4, points: w
  loop 6 in -1, points: h
  loop 7 in 6, points: w
  work by loops 4 5, 16 integer
  work by loops 6 7, 16 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  1 stores of z, by loops 1: 1 in 0 of 1
  1 stores of stored, by loops 2: 1 in 0 of 2
  1 stores of stored, by loops 3: 1 in 0 of 3
  1 loads of stored, by loops 4 5: 1 w in 0 of 4, 1 in 0 of 5, irregular
  1 stores of stored, by loops 4 5: 1 w in 0 of 4, 1 in 0 of 5, irregular
  1 loads of stored, by loops 4 5: 1 w in 0 of 4, 1 in 0 of 5, irregular
  1 stores of stored, by loops 4 5: 1 w in 0 of 4, 1 in 0 of 5, irregular
  2 loads of stored, by loops 4 5: 2 in 0 of 4, 2 h in 0 of 5, irregular
  2 stores of stored, by loops 4 5: 2 in 0 of 4, 2 h in 0 of 5, irregular
  1 loads of stored, by loops 6 7: 1 w in 0 of 6, 1 in 0 of 7, irregular
  4 loads of x, by loops 6 7: 1 in 0 of 6, 1 in 1 of 7
  1 stores of y, by loops 6 7: 1 w in 0 of 6, 1 in 0 of 7, irregular
  1 loads of stored, by loops 6 7: 1 w in 0 of 6, 1 in 0 of 7, irregular
  1 stores of y, by loops 6 7: 1 w in 0 of 6, 1 in 0 of 7, irregular
  2 loads of stored, by loops 6 7: 2 in 0 of 6, 2 h in 0 of 7, irregular
  2 stores of z, by loops 6 7: 2 in 0 of 6, 2 h in 0 of 7, irregular
  each element
    spread k.0 in 0..2 * h * w
      y[k.0] = -1
    spread k.1 in 0..2 * h * w + 3
      z[k.1] = -1
    spread at.4 in 0..2 * h * w
      stored[at.4] = -9223372036854775808
    spread at.5 in 0..2 * h * w + 3
      stored[at.5] = -9223372036854775808
    sync blocks spread i.6 in 0..h, j.7 in 0..w
      stored[(i.6 * w) + j.7] = max(stored[(i.6 * w) + j.7], (i.6 * w) + j.7)
      stored[(w + (i.6 * w)) + j.7] = max(stored[(w + (i.6 * w)) + j.7], (i.6 * w) + j.7)
      stored[2 * ((j.7 * h) + i.6)] = max(stored[2 * ((j.7 * h) + i.6)], (i.6 * w) + j.7)
      stored[(2 * ((j.7 * h) + i.6)) + 3] = max(stored[(2 * ((j.7 * h) + i.6)) + 3], (i.6 * w) + j.7)
    sync blocks spread i.2 in 0..h, j.3 in 0..w
      if stored[(i.2 * w) + j.3] == ((i.2 * w) + j.3)
        y[(i.2 * w) + j.3] = x[i.2, j.3]
      if stored[(w + (i.2 * w)) + j.3] == ((i.2 * w) + j.3)
        y[(w + (i.2 * w)) + j.3] = x[i.2, j.3] * 2
      if stored[2 * ((j.3 * h) + i.2)] == ((i.2 * w) + j.3)
        z[2 * ((j.3 * h) + i.2)] = x[i.2, j.3]
      if stored[(2 * ((j.3 * h) + i.2)) + 3] == ((i.2 * w) + j.3)
        z[(2 * ((j.3 * h) + i.2)) + 3] = x[i.2, j.3] * 2

over: (int64, int64)(int64)
  as  gufunc_flat_over_i8i8_i8
  in  x i8
  out y i8, z i8
  var k.0 i8, k.1 i8, i.2 i8, j.3 i8, bin.4 i8, y.5 i8, term.6 i8, key.7 i8, key.8 i8, bin.9 i8,
      z.10 i8, key.11 i8, key.12 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  2 neighbours a thread, where side by side are elements of y
  2 neighbours a thread, where side by side are elements of z
  loop 0 in -1, points: 2 * h * w
  loop 1 in -1, points: 2 * h * w + 3
  loop 2 in -1, serial: h
  loop 3 in 2, serial: w
  work by loops 2 3, 8 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  1 stores of z, by loops 1: 1 in 0 of 1
  4 loads of x, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 stores of y, by loops 2 3: 1 w in 0 of 2, 1 in 0 of 3, irregular
  1 stores of y, by loops 2 3: 1 w in 0 of 2, 1 in 0 of 3, irregular
  2 stores of z, by loops 2 3: 2 in 0 of 2, 2 h in 0 of 3, irregular
  each element
    spread k.0 in 0..2 * h * w
      y[k.0] = -1
    spread k.1 in 0..2 * h * w + 3
      z[k.1] = -1
    sync blocks alone for i.2 in 0..h, dealt out to bins of y, z
      alone for j.3 in 0..w
        y[(i.2 * w) + j.3] = x[i.2, j.3]
        y[(w + (i.2 * w)) + j.3] = x[i.2, j.3] * 2
        z[2 * ((j.3 * h) + i.2)] = x[i.2, j.3]
        z[(2 * ((j.3 * h) + i.2)) + 3] = x[i.2, j.3] * 2

0copy: int64(int64)
  as  gufunc_flat_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x
