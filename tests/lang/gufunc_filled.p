apart: float64(float64)
  as  gufunc_filled_apart_f8_f8
  in  x f8
  out y f8, w f8
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, t.4 f8, t.5 f8, i.6 i8, acc.7 f8, other.8 f8, j.9 i8,
      value.10 f8, result.11 f8, w.12 f8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  loop 0 in -1, points: n
  loop 1 in 0, points: n
  loop 2 in -1, points: n
  loop 3 in 2, reduction: n
  work by loops 0 1, 11 float64, 1 special
  work by loops 2 3, 10 float64, 1 special
  1 loads of x, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of w, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of w, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of w, by loops 2 3: 1 in 0 of 3, 1 in 1 of 2
  1 stores of y, by loops 2: 1 in 0 of 2
  each element
    spread i.2 in 0..n, j.3 in 0..n
      w.12 = 0.0
      if i.2 != j.3
        t.4 = x[i.2] - x[j.3]
        t.5 = t.4 * t.4
        w.12 = 1.0 / (1.0 + t.5)
      w[i.2, j.3] = w.12
    sync blocks spread i.6 in 0..n
      acc.7 = 0.0
      each j.9 in 0..n to acc.7
        value.10 = w[i.6, j.9] - (w[j.9, i.6] / 2.0)
        acc.7 = acc.7 + value.10
      join
        acc.7 = acc.7 + other.8
      result.11 = acc.7
      y[i.6] = result.11

sums: (float64, float64, int64)(float64)
  as  gufunc_filled_sums_f8f8i8_f8_calls
  in  x f8
  out low f8, total f8, count i8
  var i.0 i8, i.1 i8, j.2 i8, i.3 i8, total.4 f8, count.5 i8
  a thread, or a block for series, a call
  loop 0 in -1, serial: n
  work by loops 0, 2 float64, 2 integer
  work by loops, 1 float64
  2 stores of low, by loops
  2 loads of x, by loops 0: 1 in 0 of 0
  2 loads of x, by loops
  1 loads of low, by loops
  1 stores of total, by loops
  1 stores of count, by loops
  each element
    low[] = 9.0
    total.4 = 0.0
    count.5 = 0
    alone for j.2 in 0..n, a series of total.4, count.5
      alone if x[j.2] > 0.0
        alone total.4 = total.4 + x[j.2]
        alone count.5 = count.5 + 1
    sync blocks if x[0] < low[]
      sync blocks low[] = x[0]
    total[] = total.4
    count[] = count.5

sums: (float64, float64, int64)(float64)
  as  gufunc_filled_sums_f8f8i8_f8
  in  x f8
  out low f8, total f8, count i8
  var i.0 i8, i.1 i8, j.2 i8, i.3 i8, low.4 f8, total.5 f8, count.6 i8, count.7 i8, total.8 f8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of low
  loop 0 in -1, points: m
  loop 1 in 0, serial: n
  loop 2 in -1, points: m
  work by loops 0 1, 2 float64, 2 integer
  work by loops 2, 1 float64
  2 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of count, by loops 0: 1 in 0 of 0
  1 stores of total, by loops 0: 1 in 0 of 0
  2 loads of x, by loops 2: 1 in 0 of 2
  1 stores of low, by loops 2: 1 in 0 of 2
  each element
    spread i.1 in 0..m
      total.5 = 0.0
      count.6 = 0
      for j.2 in 0..n, a series of total.5, count.6
        if x[i.1, j.2] > 0.0
          total.5 = total.5 + x[i.1, j.2]
          count.6 = count.6 + 1
      count[i.1] = count.6
      total[i.1] = total.5
    spread i.3 in 0..m
      low.4 = 9.0
      if x[i.3, 0] < low.4
        low.4 = x[i.3, 0]
      low[i.3] = low.4

others: (float64, float64)(float64)
  as  gufunc_filled_others_f8f8_f8
  in  x f8
  out y f8, z f8
  var i.0 i8, i.1 i8, i.2 i8, i.3 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: n
  loop 2 in -1, points: n
  loop 3 in -1, serial, may end: n
  work by loops 1, 2 float64
  work by loops 3, 1 float64
  1 stores of y, by loops 0: 1 in 0 of 0
  2 loads of x, by loops 1: 1 in 0 of 1
  1 loads of y, by loops 1: -1 in 0 of 1
  1 stores of y, by loops 1: 1 in 0 of 1
  1 stores of z, by loops 2: 1 in 0 of 2
  2 loads of x, by loops 3: 1 in 0 of 3
  1 stores of z, by loops 3: 1 in 0 of 3
  each element
    spread i.0 in 0..n
      y[i.0] = 1.0
    sync blocks alone for i.1 in 0..n
      alone if x[i.1] > 2.0
        y[i.1] = y[(n - 1) - i.1] + x[i.1]
    spread i.2 in 0..n
      z[i.2] = 7.0
    block 0
      sync blocks for i.3 in 0..n
        if x[i.3] > 3.0
          leave block 0
        else
          z[i.3] = x[i.3]

0copy: int64(int64)
  as  gufunc_filled_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_filled_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
