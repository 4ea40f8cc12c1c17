negative_zero: (float32, float64)(float32)
  as  gufunc_series_negative_zero_f4f8_f4
  in  x f4
  out s f4, p f8
  var sum.0 f4, product.1 f8, i.2 i8
  a thread, or a block for series, a call
  loop 0 in -1, serial: 4 clocks: n
  work by loops 0, 2 float32, 1 float64, 2 integer
  work by loops, 8 float32, 8 float64, 2 special
  4 loads of x, by loops 0: 1 in 0 of 0
  1 stores of s, by loops
  1 stores of p, by loops
  longest chain: 24 + 4 n
  each element
    sum.0 = -0.0
    product.1 = -0.0
    alone for i.2 in 0..n, a series of sum.0, product.1
      alone if x[i.2] > 1.0
        alone sum.0 = sum.0 + x[i.2]
      alone if x[i.2] < 0.0
        alone product.1 = product.1 * f8(x[i.2])
      alone sum.0 = sum.0 - 0.0
    s[] = 1.0 / sum.0
    p[] = 1.0 / product.1

several: (float32, int64, float32, int32)(float32, int32)
  as  gufunc_series_several_f4i8f4i4_f4i4
  in  x f4, c i4
  out s f4, k i8, t f4, l i4
  var sum.0 f4, count.1 i8, top.2 f4, low.3 i4, i.4 i8
  a thread, or a block for series, a call
  loop 0 in -1, serial: n
  work by loops 0, 5 float32, 17 integer, 1 special
  3 loads of c, by loops 0: 1 in 0 of 0
  4 loads of x, by loops 0: 1 in 0 of 0
  1 stores of s, by loops
  1 stores of k, by loops
  1 stores of t, by loops
  1 stores of l, by loops
  each element
    sum.0 = 0.0
    count.1 = 0
    top.2 = -inf
    low.3 = 7
    alone for i.4 in 0..n, a series of sum.0, count.1, top.2, low.3
      alone if (c[i.4] % 3) == 0
        alone sum.0 = sum.0 + x[i.4]
        alone count.1 = count.1 + 1
        alone top.2 = max(top.2, x[i.4] * 2.0)
      else alone if (c[i.4] % 3) == 1
        alone sum.0 = (sum.0 - (x[i.4] * 3.0)) + 0.5
      alone low.3 = min(low.3, c[i.4] - 3)
      alone low.3 = min(low.3, i4(x[i.4] * 100.0))
    s[] = sum.0
    k[] = count.1
    t[] = top.2
    l[] = low.3

down: float64(float64, float64)
  as  gufunc_series_down_f8_f8f8
  in  x f8, w f8
  out y f8
  var s.0 f8, i.1 i8, c.2 i8
  a thread, or a block for series, a call
  loop 0 in -1, serial: n 1 - -1 - 1 + 2 // 0 max
  loop 1 in 0, serial: 8 clocks: 5
  work by loops 0 1, 2 float64
  1 loads of x, by loops 0: -2 in 0 of 0
  1 loads of w, by loops 0 1: -2 in 0 of 0, 1 in 1 of 1
  1 stores of y, by loops
  longest chain: 8 + 20 n
  each element
    s.0 = 0.0
    alone for i.1 in (n - 1)..-1..-2, a series of s.0
      alone for c.2 in 0..5
        alone s.0 = s.0 + (x[i.1] * w[i.1, c.2])
    y[] = s.0

triangle: (float32, float32)(float32)
  as  gufunc_series_triangle_f4f4_f4
  in  x f4
  out r f4, q f4
  var a.0 f4, b.1 f4, i.2 i8, xi.3 f4, j.4 i8, k.5 i8
  a thread, or a block for series, a call
  loop 0 in -1, serial: n
  loop 1 in 0, serial: 4 clocks: n 0 n + 2 // 1 + - 0 max
  loop 2 in 0, serial: 4 clocks: 0 n + 2 // 0 - 0 max
  work by loops 0, 1 float32, 1 integer
  work by loops 0 1, 3 float32
  work by loops 0 2, 2 float32
  1 loads of x, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 0 of 1
  1 loads of x, by loops 0 2: 1 in 0 of 2
  1 stores of r, by loops
  1 stores of q, by loops
  longest chain: 8 + -2 n + 2 n n
  each element
    a.0 = 0.0
    b.1 = 0.0
    alone for i.2 in 0..n, a series of a.0, b.1
      alone xi.3 = x[i.2] * 2.0
      alone for j.4 in (i.2 + 1)..n
        alone a.0 = a.0 + abs(xi.3 - x[j.4])
      alone if xi.3 > 1.0
        alone for k.5 in 0..i.2
          alone b.1 = b.1 + x[k.5]
          alone a.0 = a.0 + xi.3
    r[] = a.0
    q[] = b.1

steps: float32(float32, float32)
  as  gufunc_series_steps_f4_f4f4
  in  x f4, m f4
  out y f4
  var s.0 f4, t.1 i8, i.2 i8
  a thread, or a block for series, a call
  loop 0 in -1, serial: k
  loop 1 in 0, serial: 4 clocks: n
  work by loops 0 1, 2 float32
  work by loops 0, 2 float32
  1 loads of x, by loops 1: 1 in 0 of 1
  1 loads of m, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 0: 1 in 0 of 0
  longest chain: -12 + 8 k + 4 n k
  each element
    s.0 = 0.0
    alone for t.1 in 0..k
      alone for i.2 in 0..n, a series of s.0
        alone s.0 = s.0 + (x[i.2] * m[t.1])
      y[t.1] = s.0
      alone if t.1 > 0
        alone s.0 = (s.0 * 0.5) + y[t.1 - 1]

pairs: (float64, float64)(float64, float64)
  as  gufunc_series_pairs_f8f8_f8f8
  in  w f8, p f8
  out k f8, u f8
  var a.0 f8, b.1 f8, i.2 i8, c.3 i8, wi.4 f8, j.5 i8
  a thread, or a block for series, a call
  loop 0 in -1, serial: 8 clocks: n
  loop 1 in 0, serial: 8 clocks: 2
  loop 2 in 0, serial: 8 clocks: n 0 n + 2 // 1 + - 0 max
  work by loops 0 1, 2 float64
  work by loops 0, 12 float64, 1 special
  work by loops 0 2, 4 float64
  2 loads of w, by loops 0: 1 in 0 of 0
  1 loads of p, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of w, by loops 0 2: 1 in 0 of 0, 1 in 0 of 2
  1 loads of p, by loops 0: 1 in 0 of 0
  1 loads of p, by loops 0 2: 1 in 0 of 0, 1 in 0 of 2
  1 stores of k, by loops
  1 stores of u, by loops
  longest chain: -40 + 76 n + 4 n n
  each element
    a.0 = 0.0
    b.1 = 0.0
    alone for i.2 in 0..n
      alone for c.3 in 0..2
        alone a.0 = a.0 + ((0.5 * w[i.2]) * p[i.2, c.3])
      alone wi.4 = w[i.2] * (1.0 + a.0)
      alone for j.5 in (i.2 + 1)..n, a series of b.1
        alone b.1 = b.1 - ((wi.4 * w[j.5]) * (p[i.2, 0] - p[j.5, 1]))
      alone a.0 = a.0 + (b.1 / 1000.0)
    k[] = a.0
    u[] = b.1

risks: float64(float64, int32)
  as  gufunc_series_risks_f8_f8i4_stored
  in  b f8, e i4
  out l f8, stored f8, stored f8
  var all.0 f8, i.1 i8, risk.2 f8, j.3 i8, single.4 i8, stored.5 f8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  loop 0 in -1, points: n
  loop 1 in 0, serial: 8 clocks: n 0 n + 2 // - 0 max
  loop 2 in -1, points: 1
  loop 3 in 2, serial: n
  work by loops 0, 10 integer
  work by loops 0 1, 1 float64
  work by loops 2 3, 2 float64
  work by loops 3, 8 float64, 10 integer, 1 special
  1 loads of e, by loops 0: 1 in 0 of 0
  1 loads of b, by loops 0 1: 1 in 0 of 0, 1 in 0 of 1
  1 stores of stored, by loops 0: 1 in 0 of 0
  1 loads of e, by loops 3: 1 in 0 of 3
  1 loads of b, by loops 3: 1 in 0 of 3
  1 loads of stored, by loops 3: 1 in 0 of 3
  1 stores of stored, by loops
  1 loads of stored, by loops
  1 stores of l, by loops
  each element
    all.0 = 0.0
    spread i.1 in 0..n
      if (e[i.1] % 2) == 1
        risk.2 = 0.0
        for j.3 in i.1..n
          risk.2 = risk.2 + b[j.3]
      else
        risk.2 = 0.0
      stored[i.1] = risk.2
    sync blocks spread single.4 in 0..1
      all.0 = 0.0
      for i.1 in 0..n, a series of all.0
        all.0 = where((e[i.1] % 2) == 1, all.0 + (b[i.1] / stored[i.1]), all.0)
      stored[] = all.0
    sync blocks l[] = stored[]

risks: float64(float64, int32)
  as  gufunc_series_risks_f8_f8i4
  in  b f8, e i4
  out l f8
  var all.0 f8, i.1 i8, risk.2 f8, j.3 i8
  a thread, or a block for series, a call
  loop 0 in -1, serial: n
  loop 1 in 0, serial: 8 clocks: n 0 n + 2 // - 0 max
  work by loops 0, 9 float64, 10 integer, 1 special
  work by loops 0 1, 1 float64
  1 loads of e, by loops 0: 1 in 0 of 0
  1 loads of b, by loops 0 1: 1 in 0 of 0, 1 in 0 of 1
  1 loads of b, by loops 0: 1 in 0 of 0
  1 stores of l, by loops
  each element
    all.0 = 0.0
    alone for i.1 in 0..n, a series of all.0
      alone if (e[i.1] % 2) == 1
        alone risk.2 = 0.0
        alone for j.3 in i.1..n
          alone risk.2 = risk.2 + b[j.3]
        alone all.0 = all.0 + (b[i.1] / risk.2)
    l[] = all.0

between: float32(float32)
  as  gufunc_series_between_f4_f4_stored
  in  x f4
  out y f4, a f4, stored f4
  var t.0 i8, i.1 i8, s.2 f4, i.3 i8, j.4 i8, i.5 i8, single.6 i8, stored.7 f4
  a thread, a warp or a block a call, or threads a point, in 3 phases
  4 neighbours a thread, where side by side are elements of x a
  4 neighbours a thread, where side by side are elements of y a
  loop 0 in -1, points: n
  loop 1 in -1, points: 1
  loop 2 in 1, serial: n
  loop 3 in 2, serial: 4 clocks: 8
  loop 4 in -1, points: n
  work by loops 0, 1 float32
  work by loops 1 2 3, 1 float32
  work by loops 2 3, 1 float32
  work by loops 3, 1 special
  work by loops 4, 8 float32, 1 special
  2 loads of x, by loops 0: 1 in 0 of 0
  1 stores of a, by loops 0: 1 in 0 of 0
  1 loads of a, by loops 2: 1 in 0 of 2
  1 stores of stored, by loops
  1 loads of a, by loops 4: 1 in 0 of 4
  1 loads of stored, by loops
  1 stores of y, by loops 4: 1 in 0 of 4
  each element
    spread i.1 in 0..n
      a[i.1] = x[i.1] * x[i.1]
    s.2 = 0.0
    sync blocks spread single.6 in 0..1
      s.2 = 0.0
      for i.3 in 0..n, a series of s.2
        for j.4 in 0..8
          s.2 = s.2 + (a[i.3] * f4(j.4))
      stored[] = s.2
    sync blocks spread i.5 in 0..n
      y[i.5] = a[i.5] / stored[]

between: float32(float32)
  as  gufunc_series_between_f4_f4
  in  x f4
  out y f4, a f4
  var t.0 i8, i.1 i8, s.2 f4, i.3 i8, j.4 i8, i.5 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: n
  loop 2 in 1, serial: 4 clocks: 8
  loop 3 in -1, points: n
  work by loops 0, 1 float32
  work by loops 1 2, 2 float32
  work by loops 2, 1 special
  work by loops 3, 8 float32, 1 special
  2 loads of x, by loops 0: 1 in 0 of 0
  1 stores of a, by loops 0: 1 in 0 of 0
  1 loads of a, by loops 1: 1 in 0 of 1
  1 loads of a, by loops 3: 1 in 0 of 3
  1 stores of y, by loops 3: 1 in 0 of 3
  longest chain: 32 + 32 n
  each element
    spread i.1 in 0..n
      a[i.1] = x[i.1] * x[i.1]
    s.2 = 0.0
    sync blocks for i.3 in 0..n, a series of s.2
      for j.4 in 0..8
        s.2 = s.2 + (a[i.3] * f4(j.4))
    spread i.5 in 0..n
      y[i.5] = a[i.5] / s.2

points: float32(float32, float32)
  as  gufunc_series_points_f4_f4f4_calls
  in  x f4, q f4
  out f f4
  var i.0 i8, s.1 f4, m.2 f4, j.3 i8
  a thread, or a block for series, a call
  loop 0 in -1, serial: 4 clocks: n
  work by loops 0, 5 float32, 1 integer
  work by loops, 8 float32, 1 special
  3 loads of x, by loops 0: 1 in 0 of 0
  2 loads of q, by loops
  1 stores of f, by loops
  each element
    s.1 = 0.0
    m.2 = 1.0
    alone for j.3 in 0..n, a series of s.1, m.2
      alone if x[j.3] > q[]
        alone s.1 = s.1 + (x[j.3] * q[])
      alone m.2 = m.2 * (1.0 + (x[j.3] * 0.0010000000474974513))
    f[] = s.1 / m.2

points: float32(float32, float32)
  as  gufunc_series_points_f4_f4f4
  in  x f4, q f4
  out f f4
  var i.0 i8, s.1 f4, m.2 f4, j.3 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  8 points of range 0 a thread, whose loops run together
  loop 0 in -1, points: k
  loop 1 in 0, serial: 4 clocks: n
  work by loops 0 1, 2 float32, 1 integer
  work by loops 1, 3 float32
  work by loops 0, 8 float32, 1 special
  3 loads of x, by loops 1: 1 in 0 of 1
  2 loads of q, by loops 0: 1 in 0 of 0
  1 stores of f, by loops 0: 1 in 0 of 0
  longest chain: 32 + 4 n
  each element
    spread i.0 in 0..k
      s.1 = 0.0
      m.2 = 1.0
      for j.3 in 0..n, a series of s.1, m.2
        if x[j.3] > q[i.0]
          s.1 = s.1 + (x[j.3] * q[i.0])
        m.2 = m.2 * (1.0 + (x[j.3] * 0.0010000000474974513))
      f[i.0] = s.1 / m.2

kahan: float32(float32)
  as  gufunc_series_kahan_f4_f4
  in  x f4
  out s f4
  var t.0 f4, c.1 f4, i.2 i8, y.3 f4, u.4 f4
  one thread a call
  loop 0 in -1, serial: 16 clocks: n
  work by loops 0, 4 float32
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of s, by loops
  longest chain: -8 + 16 n
  each element
    t.0 = 0.0
    c.1 = 0.0
    alone for i.2 in 0..n
      alone y.3 = x[i.2] - c.1
      alone u.4 = t.0 + y.3
      alone c.1 = (u.4 - t.0) - y.3
      alone t.0 = u.4
    s[] = t.0

until: float32(float32)
  as  gufunc_series_until_f4_f4_stored
  in  x f4
  out s f4, stored f4
  var t.0 f4, i.1 i8, first.2 i8, i.3 i8, index.4 i8, first.5 i8, other.6 i8, i.7 i8, single.8 i8,
      stored.9 f4
  a thread, a warp or a block a call, or threads a point, in 3 phases
  loop 0 in -1, reduction: n
  loop 1 in -1, points: 1
  loop 2 in 1, serial: ?
  work by loops 0, 5 integer
  work by loops, 4 integer
  work by loops 2, 1 integer
  work by loops 1 2, 1 float32
  1 loads of x, by loops 0: 1 in 0 of 0
  2 loads of x, by loops 2: 1 in 0 of 2
  1 stores of stored, by loops
  1 loads of stored, by loops
  1 stores of s, by loops
  each element
    t.0 = 0.0
    first.2 = 9223372036854775807
    first.5 = 9223372036854775807
    spread i.7 in 0..n to first.5
      if x[i.7] > 0.9994999766349792
        first.5 = min(first.5, i.7)
    join
      first.5 = min(first.5, other.6)
    first.2 = min(first.2, first.5)
    spread single.8 in 0..1
      t.0 = 0.0
      for i.1 in 0..min(n, first.2), a series of t.0
        if not (x[i.1] > 0.9994999766349792)
          t.0 = t.0 + x[i.1]
      stored[] = t.0
    sync blocks s[] = stored[]

until: float32(float32)
  as  gufunc_series_until_f4_f4
  in  x f4
  out s f4
  var t.0 f4, i.1 i8
  one thread a call
  loop 0 in -1, serial, may end: n
  work by loops 0, 1 float32, 1 integer
  2 loads of x, by loops 0: 1 in 0 of 0
  1 stores of s, by loops
  each element
    t.0 = 0.0
    block 0
      for i.1 in 0..n
        if x[i.1] > 0.9994999766349792
          leave block 0
        else
          t.0 = t.0 + x[i.1]
    s[] = t.0

bounded: float64(int64, int64, int64)
  as  gufunc_series_bounded_f8_i8i8i8
  in  x i8, k i8, p i8
  out y f8
  var sum.0 f8, i.1 i8, j.2 i8, l.3 i8
  a thread, or a block for series, a call
  loop 0 in -1, serial: n
  loop 1 in 0, serial: ?
  loop 2 in 1, serial: 8 clocks: ?
  work by loops 0 1 2, 2 float64, 1 special
  work by loops 0 2, 4 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops
  each element
    sum.0 = 0.0
    alone for i.1 in 0..n, a series of sum.0
      alone for j.2 in 0..k
        alone for l.3 in 0..x[p]
          alone sum.0 = sum.0 + (f8((x[i.1] * l.3) + j.2) * 0.5)
    y[] = sum.0

shared: (float64, float64)(float64)
  as  gufunc_series_shared_f8f8_f8
  in  x f8
  out r f8, q f8
  var a.0 f8, b.1 f8, i.2 i8, u.3 f8, v.4 f8, j.5 i8, j.6 i8
  one thread a call
  loop 0 in -1, serial: 8 clocks: n
  loop 1 in 0, serial: 16 clocks: n
  loop 2 in 0, serial: 8 clocks: 0 n + 2 // 0 - 0 max
  work by loops 1, 2 float64
  work by loops 0 1, 1 float64
  work by loops 0 2, 1 float64
  work by loops 0, 1 float64
  1 loads of x, by loops 1: 1 in 0 of 1
  1 loads of x, by loops 0 2: 1 in 0 of 2
  1 stores of r, by loops
  1 stores of q, by loops
  longest chain: 8 + 8 n + 8 n n
  each element
    a.0 = 0.0
    b.1 = 0.0
    alone for i.2 in 0..n
      alone u.3 = 0.0
      alone v.4 = 0.0
      alone for j.5 in 0..n
        alone u.3 = (u.3 * 0.5) + x[j.5]
        alone a.0 = a.0 + u.3
      alone for j.6 in 0..i.2
        alone v.4 = x[j.6]
        alone b.1 = b.1 + v.4
      alone b.1 = b.1 + v.4
    r[] = a.0
    q[] = b.1

left: float64(float64)
  as  gufunc_series_left_f8_f8
  in  x f8
  out y f8
  var a.0 f8, i.1 i8, v.2 f8, j.3 i8, j.4 i8
  one thread a call
  loop 0 in -1, serial: n
  loop 1 in 0, serial: 8 clocks: 0 n + 2 // 0 - 0 max
  loop 2 in 0, serial: 8 clocks: n 0 n + 2 // - 0 max
  work by loops 0 1, 1 float64
  work by loops 0 2, 2 float64
  1 loads of x, by loops 0 1: 1 in 0 of 1
  1 loads of x, by loops 0 2: 1 in 0 of 0, 1 in 0 of 2
  1 stores of y, by loops
  longest chain: 8 + 8 n n
  each element
    a.0 = 0.0
    alone for i.1 in 0..n
      alone v.2 = 0.0
      alone for j.3 in 0..i.1
        alone v.2 = x[j.3]
        alone a.0 = a.0 + v.2
      alone for j.4 in i.1..n, a series of a.0
        alone a.0 = a.0 + (v.2 * x[j.4])
    y[] = a.0

stores: (float64, float64, int64)(float64, float64)
  as  gufunc_series_stores_f8f8i8_f8f8
  in  x f8, d f8
  out y f8, s f8, k i8
  var i.0 i8, a.1 f8, c.2 i8, r.3 i8, i.4 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: 3
  loop 2 in 1, serial: 8 clocks: n 1 - -1 - 0 max
  work by loops 1 2, 5 float64, 2 integer
  work by loops 1, 1 special
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  4 loads of y, by loops 2: -1 in 0 of 2
  2 stores of y, by loops 2: -1 in 0 of 2
  1 loads of x, by loops 2: -1 in 0 of 2
  1 stores of s, by loops
  1 stores of k, by loops
  longest chain: 24 n
  each element
    spread i.0 in 0..n
      y[i.0] = x[i.0]
    a.1 = 0.0
    c.2 = 0
    sync blocks alone for r.3 in 0..3
      alone for i.4 in (n - 1)..-1..-1, a series of a.1, c.2
        y[i.4] = y[i.4] * d
        alone if y[i.4] > 0.3
          alone a.1 = a.1 + (y[i.4] * f8(r.3))
          alone c.2 = c.2 + 1
          y[i.4] = y[i.4] - 0.25
        else
          alone a.1 = a.1 - x[i.4]
    s[] = a.1
    k[] = c.2

behind: (float64, float64)(float64)
  as  gufunc_series_behind_f8f8_f8_stored
  in  x f8
  out y f8, s f8, stored f8
  var i.0 i8, a.1 f8, i.2 i8, single.3 i8, y.4 f8, y.5 f8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  2 neighbours a thread, where side by side are elements of x y
  loop 0 in -1, points: n
  loop 1 in -1, points: 1
  loop 2 in 1, serial: 8 clocks: n 1 - 0 max
  work by loops 2, 2 float64
  work by loops 1 2, 1 float64
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  3 loads of y, by loops 2: 1 in 0 of 2
  1 stores of y, by loops 2: 1 in 0 of 2
  1 stores of stored, by loops
  1 loads of stored, by loops
  1 stores of s, by loops
  each element
    spread i.0 in 0..n
      y[i.0] = x[i.0]
    a.1 = 0.0
    sync blocks spread single.3 in 0..1
      a.1 = 0.0
      for i.2 in 1..n
        if i.2 == 1
          y.4 = y[i.2 - 1]
        y.5 = y.4
        y.4 = y[i.2] * 0.5
        y[i.2] = y.4
        a.1 = a.1 + (y[i.2] - y.5)
      stored[] = a.1
    sync blocks s[] = stored[]

behind: (float64, float64)(float64)
  as  gufunc_series_behind_f8f8_f8
  in  x f8
  out y f8, s f8
  var i.0 i8, a.1 f8, i.2 i8, y.3 f8, y.4 f8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: 8 clocks: n 1 - 0 max
  work by loops 1, 3 float64
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of y, by loops
  2 loads of y, by loops 1: 1 in 0 of 1
  1 stores of y, by loops 1: 1 in 0 of 1
  1 stores of s, by loops
  longest chain: 8 + 8 n
  each element
    spread i.0 in 0..n
      y[i.0] = x[i.0]
    a.1 = 0.0
    if 1 < n
      sync blocks alone y.3 = y[1 + -1]
    sync blocks alone for i.2 in 1..n
      alone y.4 = y.3
      alone y.3 = y[i.2] * 0.5
      y[i.2] = y.3
      alone a.1 = a.1 + (y[i.2] - y.4)
    s[] = a.1

columns: (float64, float64)(float64)
  as  gufunc_series_columns_f8f8_f8_stored
  in  x f8
  out y f8, s f8, stored f8
  var j.0 i8, a.1 f8, i.2 i8, j.3 i8, single.4 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  2 neighbours a thread, where side by side are elements of x y
  loop 0 in -1, points: m
  loop 1 in -1, points: 1
  loop 2 in 1, serial: n
  loop 3 in 2, serial: 16 clocks: m
  work by loops 2 3, 2 float64
  work by loops 1 2 3, 1 float64
  1 loads of x, by loops 0: 1 in 1 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  2 loads of y, by loops 3: 1 in 0 of 3
  1 loads of x, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 stores of y, by loops 3: 1 in 0 of 3
  1 stores of stored, by loops
  1 loads of stored, by loops
  1 stores of s, by loops
  each element
    spread j.0 in 0..m
      y[j.0] = x[0, j.0]
    a.1 = 0.0
    sync blocks spread single.4 in 0..1
      a.1 = 0.0
      for i.2 in 0..n
        for j.3 in 0..m
          y[j.3] = (y[j.3] * 0.5) + x[i.2, j.3]
          a.1 = a.1 + y[j.3]
      stored[] = a.1
    sync blocks s[] = stored[]

columns: (float64, float64)(float64)
  as  gufunc_series_columns_f8f8_f8
  in  x f8
  out y f8, s f8
  var j.0 i8, a.1 f8, i.2 i8, j.3 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: m
  loop 1 in -1, serial: n
  loop 2 in 1, serial: 16 clocks: m
  work by loops 1 2, 3 float64
  1 loads of x, by loops 0: 1 in 1 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  2 loads of y, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 stores of y, by loops 2: 1 in 0 of 2
  1 stores of s, by loops
  longest chain: 16 + 8 n m
  each element
    spread j.0 in 0..m
      y[j.0] = x[0, j.0]
    a.1 = 0.0
    sync blocks alone for i.2 in 0..n
      alone for j.3 in 0..m, a series of a.1
        y[j.3] = (y[j.3] * 0.5) + x[i.2, j.3]
        alone a.1 = a.1 + y[j.3]
    s[] = a.1

twice: (float64, float64)(float64)
  as  gufunc_series_twice_f8f8_f8
  in  x f8
  out y f8, s f8
  var a.0 f8, i.1 i8, j.2 i8, v.3 f8, j.4 i8, y.5 f8
  one thread a call
  loop 0 in -1, serial: n
  loop 1 in 0, serial: 8 clocks: m
  loop 2 in 0, serial: 8 clocks: m
  work by loops 0 1, 2 float64
  work by loops 0 2, 3 float64
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of y, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  1 stores of y, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  1 loads of y, by loops 0 2: 1 in 0 of 0, -1 in 1 of 2
  1 stores of s, by loops
  longest chain: 8 + 16 n m
  each element
    a.0 = 0.0
    for i.1 in 0..n
      sync blocks for j.2 in 0..m, a series of a.0
        y.5 = x[i.1, j.2] * 2.0
        y[i.1, j.2] = y.5
        a.0 = a.0 + y.5
      sync blocks v.3 = y[i.1, 0]
      sync blocks for j.4 in 0..m
        y[i.1, j.4] = v.3 + y[i.1, j.4]
        alone a.0 = a.0 + (y[i.1, (m - 1) - j.4] * 0.5)
    s[] = a.0

0copy: int32(int32)
  as  gufunc_series_0copy_i4_i4
  in  x i4
  out out i4
  each element
    store out = x

0copy: int64(int64)
  as  gufunc_series_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float32(float32)
  as  gufunc_series_0copy_f4_f4
  in  x f4
  out out f4
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_series_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
