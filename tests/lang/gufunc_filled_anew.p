filter: float32(float32, float32)
  as  gufunc_filled_anew_filter_f4_f4f4_stacked
  in  x f4, g f4
  out y f4, t f4
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, a.4 i8, i.5 i8, j.6 i8, a.7 i8, call.8 i8, t.9 f4, y.10 f4,
      t.11 f4, column.12 i8, factor.13 f4, y.14 f4
  hosts go in it, and no GPU
  a thread, a warp or a block a call, or threads a point, in 2 phases
  16 points of range 2 a thread, whose loops run together, and slide
  16 points of range 1 a thread, whose loops run together, and slide
  or 4 of range 0 by 4 of range 2
  or tiles of results, 8 x 8 a thread, of parts of g[call.8, a.4], x[i.2, j.3 + a.4] in shared memory
    whose terms are taken in order
  loop 0 in -1, points: calls
  loop 1 in 0, points: m
  loop 2 in 1, points: n w - 1 + 0 - 0 max
  loop 3 in 2, serial: 4 clocks: w
  loop 4 in -1, points: calls
  loop 5 in 4, points: m w - 1 + 0 - 0 max
  loop 6 in 5, points: n w - 1 + 0 - 0 max
  loop 7 in 6, serial: 4 clocks: w
  work by loops 0 1 2 3, 2 float32
  work by loops 4 5 6 7, 2 float32
  1 loads of g, by loops 0 3: 1 in 0 of 0, 1 in 1 of 3
  1 loads of x, by loops 1 2 3: 1 in 0 of 1, 1 in 1 of 2, 1 in 1 of 3
  1 stores of t, by loops 0 1 2: 1 in 0 of 0, 1 in 1 of 1, 1 in 2 of 2
  1 loads of g, by loops 4 7: 1 in 0 of 4, 1 in 1 of 7
  1 loads of t, by loops 4 5 6 7: 1 in 0 of 4, 1 in 1 of 5, 1 in 1 of 7, 1 in 2 of 6
  1 stores of y, by loops 4 5 6: 1 in 0 of 4, 1 in 1 of 5, 1 in 2 of 6
  each element
    spread call.8 in 0..calls, i.2 in 0..m, j.3 in 0..((n - w) + 1)
      t.9 = 0.0
      for a.4 in 0..w, a series of t.9
        t.9 = t.9 + (g[call.8, a.4] * x[i.2, j.3 + a.4])
      t[call.8, i.2, j.3] = t.9
    sync blocks spread call.8 in 0..calls, i.5 in 0..((m - w) + 1), j.6 in 0..((n - w) + 1)
      y.10 = 0.0
      for a.7 in 0..w, a series of y.10
        y.10 = y.10 + (g[call.8, a.7] * t[call.8, i.5 + a.7, j.6])
      y[call.8, i.5, j.6] = y.10

filter: float32(float32, float32)
  as  gufunc_filled_anew_filter_f4_f4f4
  in  x f4, g f4
  out y f4, t f4
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, a.4 i8, i.5 i8, j.6 i8, a.7 i8, t.8 f4, y.9 f4, t.10 f4,
      row.11 i8, column.12 i8, factor.13 f4, y.14 f4, row.15 i8, column.16 i8, factor.17 f4
  a thread, a warp or a block a call, or threads a point, in 2 phases
  16 points of range 1 a thread, whose loops run together, and slide
  16 points of range 0 a thread, whose loops run together, and slide
  or tiles of results, 8 x 8 a thread, of parts of g[a.4], x[i.2, j.3 + a.4] in shared memory
    whose terms are taken in order
  or tiles of results, 8 x 8 a thread, of parts of g[a.7], t[i.5 + a.7, j.6] in shared memory
    whose terms are taken in order
  loop 0 in -1, points: m
  loop 1 in 0, points: n w - 1 + 0 - 0 max
  loop 2 in 1, serial: 4 clocks: w
  loop 3 in -1, points: m w - 1 + 0 - 0 max
  loop 4 in 3, points: n w - 1 + 0 - 0 max
  loop 5 in 4, serial: 4 clocks: w
  work by loops 0 1 2, 2 float32
  work by loops 3 4 5, 2 float32
  1 loads of g, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 0 1 2: 1 in 0 of 0, 1 in 1 of 1, 1 in 1 of 2
  1 stores of t, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of g, by loops 5: 1 in 0 of 5
  1 loads of t, by loops 3 4 5: 1 in 0 of 3, 1 in 0 of 5, 1 in 1 of 4
  1 stores of y, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  each element
    spread i.2 in 0..m, j.3 in 0..((n - w) + 1)
      t.8 = 0.0
      for a.4 in 0..w, a series of t.8
        t.8 = t.8 + (g[a.4] * x[i.2, j.3 + a.4])
      t[i.2, j.3] = t.8
    sync blocks spread i.5 in 0..((m - w) + 1), j.6 in 0..((n - w) + 1)
      y.9 = 0.0
      for a.7 in 0..w, a series of y.9
        y.9 = y.9 + (g[a.7] * t[i.5 + a.7, j.6])
      y[i.5, j.6] = y.9

inner: float32(float32, float32)
  as  gufunc_filled_anew_inner_f4_f4f4_calls
  in  x f4, g f4
  out y f4, t f4
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, i.4 i8, j.5 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  4 neighbours a thread, where side by side are elements of t
  4 neighbours a thread, where side by side are elements of x t
  4 neighbours a thread, where side by side are elements of y t
  loop 0 in -1, points: n - w + 1
  loop 1 in -1, points: n w - 0 - 0 max
  loop 2 in -1, points: n w - 1 + 0 - 0 max
  work by loops 1, 1 float32
  1 stores of t, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: 1 in 0 of 1
  1 loads of g, by loops
  1 stores of t, by loops 1: 1 in 0 of 1
  1 loads of t, by loops 2: 1 in 0 of 2
  1 stores of y, by loops 2: 1 in 0 of 2
  each element
    spread t.1 in 0..n - w + 1
      t[t.1] = 0.0
    sync blocks spread j.3 in 0..(n - w)
      t[j.3] = x[j.3] - g[0]
    sync blocks spread j.5 in 0..((n - w) + 1)
      y[j.5] = t[j.5]

inner: float32(float32, float32)
  as  gufunc_filled_anew_inner_f4_f4f4
  in  x f4, g f4
  out y f4, t f4
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, i.4 i8, j.5 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  4 neighbours a thread, where side by side are elements of t, or from row to row
  4 neighbours a thread, where side by side are elements of x t, or from row to row
  4 neighbours a thread, where side by side are elements of y t, or from row to row
  loop 0 in -1, points: m
  loop 1 in 0, points: n - w + 1
  loop 2 in -1, points: m
  loop 3 in 2, points: n w - 0 - 0 max
  loop 4 in -1, points: m
  loop 5 in 4, points: n w - 1 + 0 - 0 max
  work by loops 2 3, 1 float32
  1 stores of t, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of x, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of g, by loops
  1 stores of t, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of t, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  1 stores of y, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  each element
    spread t.0 in 0..m, t.1 in 0..n - w + 1
      t[t.0, t.1] = 0.0
    sync blocks spread i.2 in 0..m, j.3 in 0..(n - w)
      t[i.2, j.3] = x[i.2, j.3] - g[0]
    sync blocks spread i.4 in 0..m, j.5 in 0..((n - w) + 1)
      y[i.4, j.5] = t[i.4, j.5]

before: float32(float32, float32)
  as  gufunc_filled_anew_before_f4_f4f4_calls
  in  x f4, g f4
  out y f4, t f4
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, i.4 i8, j.5 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  4 neighbours a thread, where side by side are elements of t
  4 neighbours a thread, where side by side are elements of x t
  4 neighbours a thread, where side by side are elements of y t
  loop 0 in -1, points: n - w + 1
  loop 1 in -1, points: n w - 1 + 0 - 0 max
  loop 2 in -1, points: n w - 1 + 0 - 0 max
  work by loops 1, 2 float32
  1 stores of t, by loops 0: 1 in 0 of 0
  1 loads of t, by loops 1: 1 in 0 of 1
  1 loads of x, by loops 1: 1 in 0 of 1
  1 loads of g, by loops
  1 stores of t, by loops 1: 1 in 0 of 1
  1 loads of t, by loops 2: -1 in 0 of 2
  1 stores of y, by loops 2: 1 in 0 of 2
  each element
    spread t.1 in 0..n - w + 1
      t[t.1] = 0.0
    sync blocks spread j.3 in 0..((n - w) + 1)
      t[j.3] = t[j.3] + (x[j.3] * g[0])
    sync blocks spread j.5 in 0..((n - w) + 1)
      y[j.5] = t[(n - w) - j.5]

before: float32(float32, float32)
  as  gufunc_filled_anew_before_f4_f4f4
  in  x f4, g f4
  out y f4, t f4
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, i.4 i8, j.5 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  4 neighbours a thread, where side by side are elements of t, or from row to row
  4 neighbours a thread, where side by side are elements of x t, or from row to row
  4 neighbours a thread, where side by side are elements of y t
  loop 0 in -1, points: m
  loop 1 in 0, points: n - w + 1
  loop 2 in -1, points: m
  loop 3 in 2, points: n w - 1 + 0 - 0 max
  loop 4 in -1, points: m
  loop 5 in 4, points: n w - 1 + 0 - 0 max
  work by loops 2 3, 2 float32
  1 stores of t, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of t, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of x, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of g, by loops
  1 stores of t, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of t, by loops 4 5: 1 in 0 of 4, -1 in 1 of 5
  1 stores of y, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  each element
    spread t.0 in 0..m, t.1 in 0..n - w + 1
      t[t.0, t.1] = 0.0
    sync blocks spread i.2 in 0..m, j.3 in 0..((n - w) + 1)
      t[i.2, j.3] = t[i.2, j.3] + (x[i.2, j.3] * g[0])
    sync blocks spread i.4 in 0..m, j.5 in 0..((n - w) + 1)
      y[i.4, j.5] = t[i.4, (n - w) - j.5]

0copy: float32(float32)
  as  gufunc_filled_anew_0copy_f4_f4
  in  x f4
  out out f4
  each element
    store out = x
