groups: float64(float64, float64)
  as  gufunc_counted_points_groups_f8_f8f8_stored
  in  x f8, g f8
  out y f8, stored f8, stored f8
  var k.0 i8, i.1 i8, q.2 i8, acc.3 f8, other.4 f8, bound.5 i8, k.6 i8, i.7 i8, value.8 f8,
      result.9 f8, count.10 i8, m.11 f8, acc.12 f8, other.13 f8, bound.14 i8, k.15 i8, i.16 i8,
      t.17 f8, t.18 f8, value.19 f8, result.20 f8, count.21 i8, v.22 f8, r.23 f8, k.24 i8,
      i.25 i8, k.26 i8
  a thread, a warp or a block a call, or threads a point, in 4 phases
  2 neighbours a thread, where side by side are elements of y, or from row to row
  2 neighbours a thread, where side by side are elements of x y
  loop 0 in -1, points: c
  loop 1 in 0, points: n
  loop 2 in -1, points: 4
  loop 3 in 2, reduction: c 4 // 0 - 0 max
  loop 4 in 3, reduction: n
  loop 5 in -1, points: 4
  loop 6 in 5, reduction: c 4 // 0 - 0 max
  loop 7 in 6, reduction: n
  loop 8 in -1, points: 4
  loop 9 in 8, points: c 4 // 0 - 0 max
  loop 10 in 9, points: n
  work by loops 2 3 4, 1 float64
  work by loops 2, 8 float64, 1 special
  work by loops, 2 special
  work by loops 5 6 7, 3 float64
  work by loops 5, 17 float64, 2 special
  work by loops 8 9 10, 3 float64
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of x, by loops 2 3 4: 1 in 0 of 3, 1 in 1 of 4, irregular
  1 stores of stored, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 5 6 7: 1 in 0 of 6, 1 in 1 of 7, irregular
  1 loads of stored, by loops 5: 1 in 0 of 5
  1 stores of stored, by loops 5: 1 in 0 of 5
  1 loads of x, by loops 8 9 10: 1 in 0 of 9, 1 in 1 of 10, irregular
  1 loads of stored, by loops 8: 1 in 0 of 8
  1 loads of stored, by loops 8: 1 in 0 of 8
  1 loads of g, by loops 8 9: 1 in 0 of 9, irregular
  1 stores of y, by loops 8 9 10: 1 in 0 of 9, 1 in 1 of 10, irregular
  each element
    spread k.0 in 0..c, i.1 in 0..n
      y[k.0, i.1] = 0.0
    spread q.2 in 0..4
      acc.3 = 0.0
      each k.6 in 0..(c // 4), i.7 in 0..n to acc.3
        value.8 = x[(q.2 * (c // 4)) + k.6, i.7]
        acc.3 = acc.3 + value.8
      join
        acc.3 = acc.3 + other.4
      result.9 = acc.3
      count.10 = (1 * max(-((0 - (c // 4)) // 1), 0)) * max(-((0 - n) // 1), 0)
      m.11 = result.9 / f8(count.10)
      stored[q.2] = m.11
    sync blocks spread q.2 in 0..4
      acc.12 = 0.0
      each k.15 in 0..(c // 4), i.16 in 0..n to acc.12
        t.17 = x[(q.2 * (c // 4)) + k.15, i.16] - stored[q.2]
        t.18 = t.17 * t.17
        value.19 = t.18
        acc.12 = acc.12 + value.19
      join
        acc.12 = acc.12 + other.13
      result.20 = acc.12
      count.21 = (1 * max(-((0 - (c // 4)) // 1), 0)) * max(-((0 - n) // 1), 0)
      v.22 = result.20 / f8(count.21)
      r.23 = 1.0 / (v.22 + 1.0)
      stored[q.2] = r.23
    sync blocks spread q.2 in 0..4, k.26 in 0..(c // 4), i.25 in 0..n
      y[(q.2 * (c // 4)) + k.26, i.25] = ((x[(q.2 * (c // 4)) + k.26, i.25] - stored[q.2]) * stored[q.2]) + g[(q.2 * (c // 4)) + k.26]

groups: float64(float64, float64)
  as  gufunc_counted_points_groups_f8_f8f8
  in  x f8, g f8
  out y f8
  var k.0 i8, i.1 i8, q.2 i8, acc.3 f8, other.4 f8, bound.5 i8, k.6 i8, i.7 i8, value.8 f8,
      result.9 f8, count.10 i8, m.11 f8, acc.12 f8, other.13 f8, bound.14 i8, k.15 i8, i.16 i8,
      t.17 f8, t.18 f8, value.19 f8, result.20 f8, count.21 i8, v.22 f8, r.23 f8, k.24 i8,
      i.25 i8, k.26 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of y, or from row to row
  loop 0 in -1, points: c
  loop 1 in 0, points: n
  loop 2 in -1, points: 4
  loop 3 in 2, reduction: c 4 // 0 - 0 max
  loop 4 in 3, reduction: n
  loop 5 in 2, reduction: c 4 // 0 - 0 max
  loop 6 in 5, reduction: n
  loop 7 in 2, points: c 4 // 0 - 0 max
  loop 8 in 7, serial: n
  work by loops 2 3 4, 1 float64
  work by loops 2, 25 float64, 3 special
  work by loops, 2 special
  work by loops 2 5 6, 3 float64
  work by loops 2 7 8, 3 float64
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of x, by loops 2 3 4: 1 in 0 of 3, 1 in 1 of 4, irregular
  1 loads of x, by loops 2 5 6: 1 in 0 of 5, 1 in 1 of 6, irregular
  1 loads of x, by loops 2 7 8: 1 in 0 of 7, 1 in 1 of 8, irregular
  1 loads of g, by loops 2 7: 1 in 0 of 7, irregular
  1 stores of y, by loops 2 7 8: 1 in 0 of 7, 1 in 1 of 8, irregular
  each element
    spread k.0 in 0..c, i.1 in 0..n
      y[k.0, i.1] = 0.0
    sync blocks spread q.2 in 0..4
      acc.3 = 0.0
      each k.6 in 0..(c // 4), i.7 in 0..n to acc.3
        value.8 = x[(q.2 * (c // 4)) + k.6, i.7]
        acc.3 = acc.3 + value.8
      join
        acc.3 = acc.3 + other.4
      result.9 = acc.3
      count.10 = (1 * max(-((0 - (c // 4)) // 1), 0)) * max(-((0 - n) // 1), 0)
      m.11 = result.9 / f8(count.10)
      acc.12 = 0.0
      each k.15 in 0..(c // 4), i.16 in 0..n to acc.12
        t.17 = x[(q.2 * (c // 4)) + k.15, i.16] - m.11
        t.18 = t.17 * t.17
        value.19 = t.18
        acc.12 = acc.12 + value.19
      join
        acc.12 = acc.12 + other.13
      result.20 = acc.12
      count.21 = (1 * max(-((0 - (c // 4)) // 1), 0)) * max(-((0 - n) // 1), 0)
      v.22 = result.20 / f8(count.21)
      r.23 = 1.0 / (v.22 + 1.0)
      each k.26 in 0..(c // 4)
        for i.25 in 0..n
          y[(q.2 * (c // 4)) + k.26, i.25] = ((x[(q.2 * (c // 4)) + k.26, i.25] - m.11) * r.23) + g[(q.2 * (c // 4)) + k.26]

halves: (float64, float64)(float64, float64)
  as  gufunc_counted_points_halves_f8f8_f8f8_stored
  in  x f8, w f8
  out y f8, z f8, stored f8, stored f8
  var q.0 i8, acc.1 f8, other.2 f8, i.3 i8, value.4 f8, result.5 f8, acc.6 f8, other.7 f8, i.8 i8,
      value.9 f8, result.10 f8, i.11 i8, a.12 i8, q.13 i8, acc.14 f8, other.15 f8, i.16 i8,
      result.17 f8, e.18 i8, e.19 i8, q.20 i8, acc.21 f8, i.22 i8, other.23 f8, result.24 f8,
      e.25 i8, q.26 i8, acc.27 f8, i.28 i8, other.29 f8, result.30 f8, e.31 i8, acc.32 f8,
      i.33 i8, other.34 f8, result.35 f8, e.36 i8, acc.37 f8, i.38 i8, other.39 f8,
      result.40 f8, e.41 i8, acc.42 f8, i.43 i8, other.44 f8, result.45 f8, e.46 i8, acc.47 f8,
      i.48 i8, other.49 f8, result.50 f8, e.51 i8, acc.52 f8, i.53 i8, other.54 f8,
      result.55 f8, e.56 i8, acc.57 f8, i.58 i8, other.59 f8, result.60 f8, e.61 i8
  a thread, a warp or a block a call, or threads a point, in 10 phases
  2 neighbours a thread, where side by side are elements of x y
  loop 0 in -1, points: 3
  loop 1 in 0, reduction: n
  loop 2 in -1, points: 3
  loop 3 in 2, reduction: n
  loop 4 in -1, points: 3
  loop 5 in 4, points: n
  loop 6 in -1, reduction: n
  loop 7 in -1, points: 1
  loop 8 in -1, points: 1
  loop 9 in -1, points: 1
  loop 10 in -1, points: 1
  loop 11 in -1, points: 1
  loop 12 in -1, points: 1
  work by loops 0 1, 2 float64
  work by loops 2 3, 2 float64
  work by loops 4 5, 3 float64
  work by loops 6, 6 float64
  work by loops, 6 special
  1 loads of x, by loops 0 1: 1 in 0 of 1, 1 in 1 of 0
  1 stores of stored, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 2 3: 1 in 0 of 3, 1 in 1 of 2
  1 loads of stored, by loops 2: 1 in 0 of 2
  1 stores of stored, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 4 5: 1 in 0 of 5, 1 in 1 of 4
  1 loads of w, by loops 4: 1 in 0 of 4
  1 loads of stored, by loops 4: 1 in 0 of 4
  1 loads of stored, by loops 4: 1 in 0 of 4
  1 stores of y, by loops 4 5: 1 in 0 of 5, 1 in 1 of 4
  6 loads of x, by loops 6: 1 in 0 of 6
  1 stores of z, by loops 7: 1 in 0 of 7
  1 stores of z, by loops 8: 1 in 0 of 8
  1 stores of z, by loops 9: 1 in 0 of 9
  1 stores of z, by loops 10: 1 in 0 of 10
  1 stores of z, by loops 11: 1 in 0 of 11
  1 stores of z, by loops 12: 1 in 0 of 12
  each element
    spread q.0 in 0..3
      acc.1 = -inf
      each i.3 in 0..n to acc.1
        value.4 = x[i.3, q.0]
        acc.1 = max(acc.1, value.4)
      join
        acc.1 = max(acc.1, other.2)
      result.5 = acc.1
      stored[q.0] = result.5
    sync blocks spread q.0 in 0..3
      acc.6 = 0.0
      each i.8 in 0..n to acc.6
        value.9 = x[i.8, q.0] - stored[q.0]
        acc.6 = acc.6 + value.9
      join
        acc.6 = acc.6 + other.7
      result.10 = acc.6
      stored[q.0] = result.10
    sync blocks spread q.0 in 0..3, i.11 in 0..n
      y[i.11, q.0] = ((x[i.11, q.0] * w[q.0]) - stored[q.0]) + stored[q.0]
    acc.32 = 0.0
    acc.37 = 0.0
    acc.42 = 0.0
    acc.47 = 0.0
    acc.52 = 0.0
    acc.57 = 0.0
    spread i.33 in 0..n to acc.32, acc.37, acc.42, acc.47, acc.52, acc.57
      acc.32 = fma(x[i.33, 0], f8(0 + 1), acc.32)
      acc.37 = fma(x[i.33, 1], f8(0 + 1), acc.37)
      acc.42 = fma(x[i.33, 2], f8(0 + 1), acc.42)
      acc.47 = fma(x[i.33, 0], f8(1 + 1), acc.47)
      acc.52 = fma(x[i.33, 1], f8(1 + 1), acc.52)
      acc.57 = fma(x[i.33, 2], f8(1 + 1), acc.57)
    join
      acc.32 = acc.32 + other.34
      acc.37 = acc.37 + other.39
      acc.42 = acc.42 + other.44
      acc.47 = acc.47 + other.49
      acc.52 = acc.52 + other.54
      acc.57 = acc.57 + other.59
    result.35 = acc.32
    spread e.36 in 0..1
      z[0 + e.36, 0] = result.35
    result.40 = acc.37
    sync blocks spread e.41 in 0..1
      z[0 + e.41, 1] = result.40
    result.45 = acc.42
    sync blocks spread e.46 in 0..1
      z[0 + e.46, 2] = result.45
    result.50 = acc.47
    sync blocks spread e.51 in 0..1
      z[1 + e.51, 0] = result.50
    result.55 = acc.52
    sync blocks spread e.56 in 0..1
      z[1 + e.56, 1] = result.55
    result.60 = acc.57
    sync blocks spread e.61 in 0..1
      z[1 + e.61, 2] = result.60

halves: (float64, float64)(float64, float64)
  as  gufunc_counted_points_halves_f8f8_f8f8
  in  x f8, w f8
  out y f8, z f8
  var q.0 i8, acc.1 f8, other.2 f8, i.3 i8, value.4 f8, result.5 f8, acc.6 f8, other.7 f8, i.8 i8,
      value.9 f8, result.10 f8, i.11 i8, a.12 i8, q.13 i8, acc.14 f8, other.15 f8, i.16 i8,
      result.17 f8, e.18 i8, e.19 i8, q.20 i8, acc.21 f8, i.22 i8, other.23 f8, result.24 f8,
      e.25 i8, q.26 i8, acc.27 f8, i.28 i8, other.29 f8, result.30 f8, e.31 i8, acc.32 f8,
      i.33 i8, other.34 f8, result.35 f8, e.36 i8, acc.37 f8, i.38 i8, other.39 f8,
      result.40 f8, e.41 i8, acc.42 f8, i.43 i8, other.44 f8, result.45 f8, e.46 i8, acc.47 f8,
      i.48 i8, other.49 f8, result.50 f8, e.51 i8, acc.52 f8, i.53 i8, other.54 f8,
      result.55 f8, e.56 i8, acc.57 f8, i.58 i8, other.59 f8, result.60 f8, e.61 i8
  a thread, a warp or a block a call, or threads a point, in 8 phases
  loop 0 in -1, points: 3
  loop 1 in 0, reduction: n
  loop 2 in 0, reduction: n
  loop 3 in 0, points: n
  loop 4 in -1, reduction: n
  loop 5 in -1, points: 1
  loop 6 in -1, points: 1
  loop 7 in -1, points: 1
  loop 8 in -1, points: 1
  loop 9 in -1, points: 1
  loop 10 in -1, points: 1
  work by loops 0 1, 2 float64
  work by loops 0 2, 2 float64
  work by loops 0 3, 3 float64
  work by loops 4, 6 float64
  work by loops, 6 special
  1 loads of x, by loops 0 1: 1 in 0 of 1, 1 in 1 of 0
  1 loads of x, by loops 0 2: 1 in 0 of 2, 1 in 1 of 0
  1 loads of x, by loops 0 3: 1 in 0 of 3, 1 in 1 of 0
  1 loads of w, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0 3: 1 in 0 of 3, 1 in 1 of 0
  6 loads of x, by loops 4: 1 in 0 of 4
  1 stores of z, by loops 5: 1 in 0 of 5
  1 stores of z, by loops 6: 1 in 0 of 6
  1 stores of z, by loops 7: 1 in 0 of 7
  1 stores of z, by loops 8: 1 in 0 of 8
  1 stores of z, by loops 9: 1 in 0 of 9
  1 stores of z, by loops 10: 1 in 0 of 10
  each element
    spread q.0 in 0..3
      acc.1 = -inf
      each i.3 in 0..n to acc.1
        value.4 = x[i.3, q.0]
        acc.1 = max(acc.1, value.4)
      join
        acc.1 = max(acc.1, other.2)
      result.5 = acc.1
      acc.6 = 0.0
      each i.8 in 0..n to acc.6
        value.9 = x[i.8, q.0] - result.5
        acc.6 = acc.6 + value.9
      join
        acc.6 = acc.6 + other.7
      result.10 = acc.6
      each i.11 in 0..n
        y[i.11, q.0] = ((x[i.11, q.0] * w[q.0]) - result.5) + result.10
    acc.32 = 0.0
    acc.37 = 0.0
    acc.42 = 0.0
    acc.47 = 0.0
    acc.52 = 0.0
    acc.57 = 0.0
    spread i.33 in 0..n to acc.32, acc.37, acc.42, acc.47, acc.52, acc.57
      acc.32 = fma(x[i.33, 0], f8(0 + 1), acc.32)
      acc.37 = fma(x[i.33, 1], f8(0 + 1), acc.37)
      acc.42 = fma(x[i.33, 2], f8(0 + 1), acc.42)
      acc.47 = fma(x[i.33, 0], f8(1 + 1), acc.47)
      acc.52 = fma(x[i.33, 1], f8(1 + 1), acc.52)
      acc.57 = fma(x[i.33, 2], f8(1 + 1), acc.57)
    join
      acc.32 = acc.32 + other.34
      acc.37 = acc.37 + other.39
      acc.42 = acc.42 + other.44
      acc.47 = acc.47 + other.49
      acc.52 = acc.52 + other.54
      acc.57 = acc.57 + other.59
    result.35 = acc.32
    spread e.36 in 0..1
      z[0 + e.36, 0] = result.35
    result.40 = acc.37
    sync blocks spread e.41 in 0..1
      z[0 + e.41, 1] = result.40
    result.45 = acc.42
    sync blocks spread e.46 in 0..1
      z[0 + e.46, 2] = result.45
    result.50 = acc.47
    sync blocks spread e.51 in 0..1
      z[1 + e.51, 0] = result.50
    result.55 = acc.52
    sync blocks spread e.56 in 0..1
      z[1 + e.56, 1] = result.55
    result.60 = acc.57
    sync blocks spread e.61 in 0..1
      z[1 + e.61, 2] = result.60

0copy: float64(float64)
  as  gufunc_counted_points_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
