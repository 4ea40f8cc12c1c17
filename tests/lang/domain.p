forces: float32(float32, float32)
  as  domain_forces_f4_f4f4_stacked
  in  p f4, w f4
  out f f4
  var i.0 i8, c.1 i8, acc.2 f4, other.3 f4, j.4 i8, t.5 f4, t.6 f4, x.7 f4, value.8 f4, result.9 f4,
      call.10 i8, column.11 i8, factor.12 f4, factor.13 f4
  hosts go in it, and no GPU
  a thread, a warp or a block a call, or threads a point, in 1 phase
  4 points of range 1 a thread, whose reductions run together
  or tiles of results, 8 x 4 a thread, of parts of w[call.10, j.4], p[j.4, c.1] - p[i.0, c.1], where(x.7 != -inf, x.7 * sqrt(x.7), inf) in shared memory
  loop 0 in -1, points: calls
  loop 1 in 0, points: n
  loop 2 in 1, points: 3
  loop 3 in 2, reduction: n
  work by loops 1 3, 12 float32, 2 integer, 1 special
  work by loops 0 1 2 3, 10 float32, 1 special
  work by loops 1 2 3, 1 float32
  1 loads of p, by loops 3: 1 in 0 of 3
  1 loads of p, by loops 1: 1 in 0 of 1
  1 loads of w, by loops 0 3: 1 in 0 of 0, 1 in 1 of 3
  1 loads of p, by loops 2 3: 1 in 0 of 3, 1 in 1 of 2
  1 loads of p, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 stores of f, by loops 0 1 2: 1 in 0 of 0, 1 in 1 of 1, 1 in 2 of 2
  each element
    spread call.10 in 0..calls, i.0 in 0..n, c.1 in 0..3
      acc.2 = 0.0
      each j.4 in 0..n to acc.2
        t.5 = p[j.4, 0] - p[i.0, 0]
        t.6 = t.5 * t.5
        x.7 = t.6 + 9.999999974752427e-07
        value.8 = (w[call.10, j.4] * (p[j.4, c.1] - p[i.0, c.1])) / where(x.7 != -inf, x.7 * sqrt(x.7), inf)
        acc.2 = acc.2 + value.8
      join
        acc.2 = acc.2 + other.3
      result.9 = acc.2
      f[call.10, i.0, c.1] = result.9

forces: float32(float32, float32)
  as  domain_forces_f4_f4f4
  in  p f4, w f4
  out f f4
  var i.0 i8, c.1 i8, acc.2 f4, other.3 f4, j.4 i8, t.5 f4, t.6 f4, x.7 f4, value.8 f4, result.9 f4,
      acc.10 f4, j.11 i8, other.12 f4, t.13 f4, t.14 f4, x.15 f4, value.16 f4, result.17 f4,
      acc.18 f4, j.19 i8, other.20 f4, t.21 f4, t.22 f4, x.23 f4, value.24 f4, result.25 f4,
      acc.26 f4, j.27 i8, other.28 f4, t.29 f4, t.30 f4, x.31 f4, value.32 f4, result.33 f4,
      row.34 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  2 points of range 0 a thread, whose reductions run together
  loop 0 in -1, points: n
  loop 1 in 0, reduction: n
  work by loops 0 1, 63 float32, 6 integer, 6 special
  4 loads of p, by loops 1: 1 in 0 of 1
  4 loads of p, by loops 0: 1 in 0 of 0
  3 loads of w, by loops 1: 1 in 0 of 1
  3 stores of f, by loops 0: 1 in 0 of 0
  each element
    spread i.0 in 0..n
      acc.10 = 0.0
      acc.18 = 0.0
      acc.26 = 0.0
      each j.11 in 0..n to acc.10, acc.18, acc.26
        t.13 = p[j.11, 0] - p[i.0, 0]
        t.14 = t.13 * t.13
        x.15 = t.14 + 9.999999974752427e-07
        value.16 = (w[j.11] * (p[j.11, 0] - p[i.0, 0])) / where(x.15 != -inf, x.15 * sqrt(x.15), inf)
        acc.10 = acc.10 + value.16
        value.24 = (w[j.11] * (p[j.11, 1] - p[i.0, 1])) / where(x.15 != -inf, x.15 * sqrt(x.15), inf)
        acc.18 = acc.18 + value.24
        value.32 = (w[j.11] * (p[j.11, 2] - p[i.0, 2])) / where(x.15 != -inf, x.15 * sqrt(x.15), inf)
        acc.26 = acc.26 + value.32
      join
        acc.10 = acc.10 + other.12
        acc.18 = acc.18 + other.20
        acc.26 = acc.26 + other.28
      result.17 = acc.10
      f[i.0, 0] = result.17
      result.25 = acc.18
      f[i.0, 1] = result.25
      result.33 = acc.26
      f[i.0, 2] = result.33

triangle: float32(float32)
  as  domain_triangle_f4_f4
  in  x f4
  out y f4
  var i.0 i8, acc.1 f4, other.2 f4, bound.3 i8, j.4 i8, result.5 f4, row.6 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  8 points of range 0 a thread, whose reductions run together
  loop 0 in -1, points: n
  loop 1 in 0, reduction: 0 n + 2 // 0 - 0 max
  work by loops 0 1, 1 float32
  1 loads of x, by loops 0 1: 1 in 0 of 1
  1 loads of x, by loops 0 1: 1 in 0 of 0, -1 in 0 of 1
  1 stores of y, by loops 0: 1 in 0 of 0
  each element
    spread i.0 in 0..n
      acc.1 = 0.0
      bound.3 = i.0
      each j.4 in 0..bound.3 to acc.1
        acc.1 = fma(x[j.4], x[i.0 - j.4], acc.1)
      join
        acc.1 = acc.1 + other.2
      result.5 = acc.1
      y[i.0] = result.5

smooth: float32(float32)
  as  domain_smooth_f4_f4
  in  x f4
  out y f4
  var s.0 f4, i.1 i8
  one thread a call
  loop 0 in -1, serial: 8 clocks: n
  work by loops 0, 2 float32
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  longest chain: 8 n
  each element
    s.0 = 0.0
    alone for i.1 in 0..n
      alone s.0 = (0.5 * s.0) + x[i.1]
      y[i.1] = s.0

down: float32(float32)
  as  domain_down_f4_f4
  in  x f4
  out y f4
  var i.0 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  4 neighbours a thread, where side by side are elements of x y
  loop 0 in -1, points: n // 2
  work by loops 0, 2 float32
  2 loads of x, by loops 0: 2 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  each element
    spread i.0 in 0..n // 2
      y[i.0] = max(x[2 * i.0], x[(2 * i.0) + 1])

gather: float32(float32, int64)
  as  domain_gather_f4_f4i8
  in  x f4, p i8
  out y f4
  var i.0 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  2 neighbours a thread, where side by side are elements of p y
  loop 0 in -1, points: m
  1 loads of p, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 0, irregular
  1 stores of y, by loops 0: 1 in 0 of 0
  each element
    spread i.0 in 0..m
      y[i.0] = x[p[i.0]]

steps: int32(complex64)
  as  domain_steps_i4_c8
  in  c c8
  out out i4
  var z.0 f4, i.1 i8, z.2 f4, part.3 f4
  loop 0 in -1, serial, may end: 12 clocks: 200
  work by loops 0, 11 float32, 1 integer
  each element
    block 0
      z.0 = 0.0
      z.2 = 0.0
      for i.1 in 0..200
        part.3 = ((z.0 * z.2) + (z.2 * z.0)) + imag(c)
        z.0 = ((z.0 * z.0) - (z.2 * z.2)) + real(c)
        z.2 = part.3
        if ((z.0 * z.0) + (z.2 * z.2)) > 4.0
          store out = i4(i.1)
          leave block 0
      store out = 200

0copy: int64(int64)
  as  domain_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float32(float32)
  as  domain_0copy_f4_f4
  in  x f4
  out out f4
  each element
    store out = x
