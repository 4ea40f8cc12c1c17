weights: float32(float32)
  as  gufunc_recomputed_weights_f4_f4_recomputed
  in  x f4
  out y f4, e f4
  var acc.0 f4, other.1 f4, i.2 i8, value.3 f4, result.4 f4, i.5 i8, acc.6 f4, other.7 f4, i.8 i8,
      value.9 f4, result.10 f4, i.11 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  registers of a warp's or a block's threads hold rows, 16 points each
  4 neighbours a thread, where side by side are elements of x y
  loop 0 in -1, reduction: n
  loop 1 in -1, reduction: n
  loop 2 in -1, points: n
  work by loops 0, 2 float32
  work by loops 1, 12 float32, 1 special
  work by loops 2, 19 float32, 2 special
  1 loads of x, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: 1 in 0 of 1
  1 loads of x, by loops 2: 1 in 0 of 2
  1 stores of y, by loops 2: 1 in 0 of 2
  each element
    acc.0 = -inf
    spread i.2 in 0..n to acc.0
      value.3 = x[i.2]
      acc.0 = max(acc.0, value.3)
    join
      acc.0 = max(acc.0, other.1)
    result.4 = acc.0
    acc.6 = 0.0
    spread i.8 in 0..n to acc.6
      value.9 = exp(x[i.8] - result.4)
      acc.6 = acc.6 + value.9
    join
      acc.6 = acc.6 + other.7
    result.10 = acc.6
    spread i.11 in 0..n
      y[i.11] = exp(x[i.11] - result.4) / result.10

weights: float32(float32)
  as  gufunc_recomputed_weights_f4_f4
  in  x f4
  out y f4, e f4
  var acc.0 f4, other.1 f4, i.2 i8, value.3 f4, result.4 f4, i.5 i8, acc.6 f4, other.7 f4, i.8 i8,
      value.9 f4, result.10 f4, i.11 i8
  a thread, a warp or a block a call, or threads a point, in 4 phases
  registers of a warp's or a block's threads hold rows, 16 points each
  4 neighbours a thread, where side by side are elements of x e
  4 neighbours a thread, where side by side are elements of y e
  loop 0 in -1, reduction: n
  loop 1 in -1, points: n
  loop 2 in -1, reduction: n
  loop 3 in -1, points: n
  work by loops 0, 2 float32
  work by loops 1, 11 float32, 1 special
  work by loops 2, 1 float32
  work by loops 3, 8 float32, 1 special
  1 loads of x, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of e, by loops 1: 1 in 0 of 1
  1 loads of e, by loops 2: 1 in 0 of 2
  1 loads of e, by loops 3: 1 in 0 of 3
  1 stores of y, by loops 3: 1 in 0 of 3
  each element
    acc.0 = -inf
    spread i.2 in 0..n to acc.0
      value.3 = x[i.2]
      acc.0 = max(acc.0, value.3)
    join
      acc.0 = max(acc.0, other.1)
    result.4 = acc.0
    spread i.5 in 0..n
      e[i.5] = exp(x[i.5] - result.4)
    acc.6 = 0.0
    sync blocks spread i.8 in 0..n to acc.6
      value.9 = e[i.8]
      acc.6 = acc.6 + value.9
    join
      acc.6 = acc.6 + other.7
    result.10 = acc.6
    spread i.11 in 0..n
      y[i.11] = e[i.11] / result.10

columns: (float32, float32)(float32)
  as  gufunc_recomputed_columns_f4f4_f4_recomputed
  in  x f4
  out y f4, z f4, t f4, e f4, s f4
  var j.0 i8, acc.1 f4, other.2 f4, i.3 i8, value.4 f4, result.5 f4, i.6 i8, j.7 i8, j.8 i8,
      acc.9 f4, other.10 f4, i.11 i8, value.12 f4, result.13 f4, i.14 i8, j.15 i8, j.16 i8,
      i.17 i8
  a thread, a warp or a block a call, or threads a point, in 4 phases
  4 neighbours a thread, where side by side are elements of x y t s, or from row to row
  4 neighbours a thread, where side by side are elements of z
  loop 0 in -1, points: n
  loop 1 in 0, reduction: m
  loop 2 in -1, points: n
  loop 3 in 2, reduction: m
  loop 4 in -1, points: m
  loop 5 in 4, points: n
  loop 6 in -1, points: n
  loop 7 in 6, points: m
  work by loops 0 1, 2 float32
  work by loops 2 3, 12 float32, 1 special
  work by loops 4 5, 19 float32, 2 special
  work by loops 6 7, 11 float32, 1 special
  1 loads of x, by loops 0 1: 1 in 0 of 1, 1 in 1 of 0
  1 stores of t, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 2 3: 1 in 0 of 3, 1 in 1 of 2
  1 loads of t, by loops 2: 1 in 0 of 2
  1 stores of s, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  1 loads of t, by loops 5: 1 in 0 of 5
  1 loads of s, by loops 5: 1 in 0 of 5
  1 stores of y, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  1 loads of x, by loops 6 7: 1 in 0 of 7, 1 in 1 of 6
  1 loads of t, by loops 6: 1 in 0 of 6
  1 stores of z, by loops 6 7: 1 in 0 of 6, 1 in 1 of 7
  each element
    spread j.0 in 0..n
      acc.1 = -inf
      each i.3 in 0..m to acc.1
        value.4 = x[i.3, j.0]
        acc.1 = max(acc.1, value.4)
      join
        acc.1 = max(acc.1, other.2)
      result.5 = acc.1
      t[j.0] = result.5
    sync blocks spread j.8 in 0..n
      acc.9 = 0.0
      each i.11 in 0..m to acc.9
        value.12 = exp(x[i.11, j.8] - t[j.8])
        acc.9 = acc.9 + value.12
      join
        acc.9 = acc.9 + other.10
      result.13 = acc.9
      s[j.8] = result.13
    sync blocks spread i.14 in 0..m, j.15 in 0..n
      y[i.14, j.15] = exp(x[i.14, j.15] - t[j.15]) / s[j.15]
    spread j.16 in 0..n, i.17 in 0..m
      z[j.16, i.17] = exp(x[i.17, j.16] - t[j.16])

columns: (float32, float32)(float32)
  as  gufunc_recomputed_columns_f4f4_f4_calls
  in  x f4
  out y f4, z f4, t f4, e f4, s f4
  var j.0 i8, acc.1 f4, other.2 f4, i.3 i8, value.4 f4, result.5 f4, i.6 i8, j.7 i8, j.8 i8,
      acc.9 f4, other.10 f4, i.11 i8, value.12 f4, result.13 f4, i.14 i8, j.15 i8, j.16 i8,
      i.17 i8, t.18 f4, s.19 f4
  a thread, a warp or a block a call, or threads a point, in 3 phases
  registers of a warp's or a block's threads hold rows, 16 points each
  4 neighbours a thread, where side by side are elements of x y z
  loop 0 in -1, reduction: m
  loop 1 in -1, reduction: m
  loop 2 in -1, points: m
  work by loops 0, 2 float32
  work by loops 1, 12 float32, 1 special
  work by loops 2, 30 float32, 3 special
  1 loads of x, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: 1 in 0 of 1
  2 loads of x, by loops 2: 1 in 0 of 2
  1 stores of y, by loops 2: 1 in 0 of 2
  1 stores of z, by loops 2: 1 in 0 of 2
  each element
    acc.1 = -inf
    spread i.3 in 0..m to acc.1
      value.4 = x[i.3]
      acc.1 = max(acc.1, value.4)
    join
      acc.1 = max(acc.1, other.2)
    result.5 = acc.1
    t.18 = result.5
    acc.9 = 0.0
    spread i.11 in 0..m to acc.9
      value.12 = exp(x[i.11] - t.18)
      acc.9 = acc.9 + value.12
    join
      acc.9 = acc.9 + other.10
    result.13 = acc.9
    s.19 = result.13
    spread i.14 in 0..m
      y[i.14] = exp(x[i.14] - t.18) / s.19
      z[i.14] = exp(x[i.14] - t.18)

columns: (float32, float32)(float32)
  as  gufunc_recomputed_columns_f4f4_f4
  in  x f4
  out y f4, z f4, t f4, e f4, s f4
  var j.0 i8, acc.1 f4, other.2 f4, i.3 i8, value.4 f4, result.5 f4, i.6 i8, j.7 i8, j.8 i8,
      acc.9 f4, other.10 f4, i.11 i8, value.12 f4, result.13 f4, i.14 i8, j.15 i8, j.16 i8,
      i.17 i8
  a thread, a warp or a block a call, or threads a point, in 5 phases
  4 neighbours a thread, where side by side are elements of x t e, or from row to row
  4 neighbours a thread, where side by side are elements of y e s, or from row to row
  4 neighbours a thread, where side by side are elements of z
  or a sweep over rows, in 2 phases from phase 1 on
  loop 0 in -1, points: n
  loop 1 in 0, reduction: m
  loop 2 in -1, points: m
  loop 3 in 2, points: n
  loop 4 in -1, points: n
  loop 5 in 4, reduction: m
  loop 6 in -1, points: m
  loop 7 in 6, points: n
  loop 8 in -1, points: n
  loop 9 in 8, points: m
  work by loops 0 1, 2 float32
  work by loops 2 3, 11 float32, 1 special
  work by loops 4 5, 1 float32
  work by loops 6 7, 8 float32, 1 special
  1 loads of x, by loops 0 1: 1 in 0 of 1, 1 in 1 of 0
  1 stores of t, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of t, by loops 3: 1 in 0 of 3
  1 stores of e, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of e, by loops 4 5: 1 in 0 of 5, 1 in 1 of 4
  1 stores of s, by loops 4: 1 in 0 of 4
  1 loads of e, by loops 6 7: 1 in 0 of 6, 1 in 1 of 7
  1 loads of s, by loops 7: 1 in 0 of 7
  1 stores of y, by loops 6 7: 1 in 0 of 6, 1 in 1 of 7
  1 loads of e, by loops 8 9: 1 in 0 of 9, 1 in 1 of 8
  1 stores of z, by loops 8 9: 1 in 0 of 8, 1 in 1 of 9
  each element
    spread j.0 in 0..n
      acc.1 = -inf
      each i.3 in 0..m to acc.1
        value.4 = x[i.3, j.0]
        acc.1 = max(acc.1, value.4)
      join
        acc.1 = max(acc.1, other.2)
      result.5 = acc.1
      t[j.0] = result.5
    sync blocks spread i.6 in 0..m, j.7 in 0..n
      e[i.6, j.7] = exp(x[i.6, j.7] - t[j.7])
    sync blocks spread j.8 in 0..n
      acc.9 = 0.0
      each i.11 in 0..m to acc.9
        value.12 = e[i.11, j.8]
        acc.9 = acc.9 + value.12
      join
        acc.9 = acc.9 + other.10
      result.13 = acc.9
      s[j.8] = result.13
    sync blocks spread i.14 in 0..m, j.15 in 0..n
      y[i.14, j.15] = e[i.14, j.15] / s[j.15]
    spread j.16 in 0..n, i.17 in 0..m
      z[j.16, i.17] = e[i.17, j.16]

in_place: (float32, float32, float32)(float32)
  as  gufunc_recomputed_in_place_f4f4f4_f4_recomputed
  in  x f4
  out y f4, s f4, d f4, e f4
  var i.0 i8, i.1 i8, acc.2 f4, other.3 f4, i.4 i8, value.5 f4, result.6 f4, i.7 i8, i.8 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  registers of a warp's or a block's threads hold rows, 16 points each
  4 neighbours a thread, where side by side are elements of x y d
  loop 0 in -1, reduction: n
  loop 1 in -1, points: n
  work by loops 0, 9 float32, 1 special
  work by loops 1, 9 float32, 1 special
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of s, by loops
  1 stores of y, by loops 1: 1 in 0 of 1
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of d, by loops 1: 1 in 0 of 1
  each element
    acc.2 = 0.0
    spread i.4 in 0..n to acc.2
      value.5 = sqrt(x[i.4])
      acc.2 = acc.2 + value.5
    join
      acc.2 = acc.2 + other.3
    result.6 = acc.2
    s[] = result.6
    spread i.7 in 0..n
      y[i.7] = -1.0
      d[i.7] = sqrt(x[i.7]) * 2.0

in_place: (float32, float32, float32)(float32)
  as  gufunc_recomputed_in_place_f4f4f4_f4
  in  x f4
  out y f4, s f4, d f4, e f4
  var i.0 i8, i.1 i8, acc.2 f4, other.3 f4, i.4 i8, value.5 f4, result.6 f4, i.7 i8, i.8 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  4 neighbours a thread, where side by side are elements of x y d e
  loop 0 in -1, points: n
  loop 1 in -1, reduction: n
  work by loops 0, 9 float32, 1 special
  work by loops 1, 1 float32
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of e, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of e, by loops 0: 1 in 0 of 0
  1 stores of d, by loops 0: 1 in 0 of 0
  1 loads of e, by loops 1: 1 in 0 of 1
  1 stores of s, by loops
  each element
    spread i.1 in 0..n
      e[i.1] = sqrt(x[i.1])
      y[i.1] = -1.0
      d[i.1] = e[i.1] * 2.0
    acc.2 = 0.0
    sync blocks spread i.4 in 0..n to acc.2
      value.5 = e[i.4]
      acc.2 = acc.2 + value.5
    join
      acc.2 = acc.2 + other.3
    result.6 = acc.2
    s[] = result.6

often: (float32, float32)(float32)
  as  gufunc_recomputed_often_f4f4_f4
  in  x f4
  out y f4, p f4, e f4
  var i.0 i8, i.1 i8, j.2 i8, i.3 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  4 neighbours a thread, where side by side are elements of x e
  4 neighbours a thread, where side by side are elements of p e, or from row to row
  4 neighbours a thread, where side by side are elements of y e
  loop 0 in -1, points: n
  loop 1 in -1, points: n
  loop 2 in 1, points: n
  loop 3 in -1, points: n
  work by loops 0, 8 float32, 1 special
  work by loops 1 2, 1 float32
  work by loops 3, 1 float32
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of e, by loops 0: 1 in 0 of 0
  1 loads of e, by loops 1: 1 in 0 of 1
  1 loads of e, by loops 2: 1 in 0 of 2
  1 stores of p, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 loads of e, by loops 3: 1 in 0 of 3
  1 loads of e, by loops 3: -1 in 0 of 3
  1 stores of y, by loops 3: 1 in 0 of 3
  each element
    spread i.0 in 0..n
      e[i.0] = sqrt(x[i.0])
    sync blocks spread i.1 in 0..n, j.2 in 0..n
      p[i.1, j.2] = e[i.1] * e[j.2]
    spread i.3 in 0..n
      y[i.3] = e[i.3] + e[(n - 1) - i.3]

shares: (float32, float32)(float32, float32)
  as  gufunc_recomputed_shares_f4f4_f4f4_recomputed
  in  x f4, f f4
  out y f4, s f4, e f4
  var i.0 i8, acc.1 f4, other.2 f4, i.3 i8, value.4 f4, result.5 f4, i.6 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  registers of a warp's or a block's threads hold rows, 16 points each
  4 neighbours a thread, where side by side are elements of x y
  loop 0 in -1, reduction: n
  loop 1 in -1, points: n
  work by loops 0, 9 float32, 1 special
  work by loops 1, 9 float32, 1 special
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of s, by loops
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of y, by loops 1: 1 in 0 of 1
  each element
    acc.1 = 0.0
    spread i.3 in 0..n to acc.1
      value.4 = x[i.3] / f
      acc.1 = acc.1 + value.4
    join
      acc.1 = acc.1 + other.2
    result.5 = acc.1
    s[] = result.5
    spread i.6 in 0..n
      y[i.6] = (x[i.6] / f) * 2.0

shares: (float32, float32)(float32, float32)
  as  gufunc_recomputed_shares_f4f4_f4f4
  in  x f4, f f4
  out y f4, s f4, e f4
  var i.0 i8, acc.1 f4, other.2 f4, i.3 i8, value.4 f4, result.5 f4, i.6 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  4 neighbours a thread, where side by side are elements of x y e
  loop 0 in -1, points: n
  loop 1 in -1, reduction: n
  work by loops 0, 9 float32, 1 special
  work by loops 1, 1 float32
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of e, by loops 0: 1 in 0 of 0
  1 loads of e, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of e, by loops 1: 1 in 0 of 1
  1 stores of s, by loops
  each element
    spread i.0 in 0..n
      e[i.0] = x[i.0] / f
      y[i.0] = e[i.0] * 2.0
    acc.1 = 0.0
    sync blocks spread i.3 in 0..n to acc.1
      value.4 = e[i.3]
      acc.1 = acc.1 + value.4
    join
      acc.1 = acc.1 + other.2
    result.5 = acc.1
    s[] = result.5

0copy: float32(float32)
  as  gufunc_recomputed_0copy_f4_f4
  in  x f4
  out out f4
  each element
    store out = x
