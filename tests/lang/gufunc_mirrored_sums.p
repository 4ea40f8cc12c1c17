mirrored: float64(float64)
  as  gufunc_mirrored_sums_mirrored_f8_f8
  in  x f8
  out g f8
  var i.0 i8, j.1 i8, k.2 i8, g.3 f8, g.4 f8, g.5 f8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  or tiles of results, 8 x 8 a thread, of parts of x[i.0, k.2], x[j.1, k.2] in shared memory
    whose terms are taken in order
  loop 0 in -1, points: m
  loop 1 in 0, points: m
  loop 2 in 1, serial: 8 clocks: d
  work by loops 0 1 2, 2 float64
  2 stores of g, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  2 loads of g, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of x, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  1 loads of x, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 stores of g, by loops 0 1: 1 in 0 of 1, 1 in 1 of 0
  longest chain: 8 + 8 d
  each element
    spread i.0 in 0..m, j.1 in 0..m
      if j.1 >= i.0
        g[i.0, j.1] = 0.5
        g.3 = 0.0
        if 0 < d
          g.3 = g[i.0, j.1]
        for k.2 in 0..d
          g.3 = g.3 + (x[i.0, k.2] * x[j.1, k.2])
        if 0 < d
          g[i.0, j.1] = g.3
        g[j.1, i.0] = g[i.0, j.1]

apart: (float64, float64)(float64)
  as  gufunc_mirrored_sums_apart_f8f8_f8
  in  x f8
  out g f8, t f8
  var i.0 i8, j.1 i8, s.2 f8, k.3 i8, acc.4 f8, other.5 f8, i.6 i8, j.7 i8, result.8 f8, g.9 f8,
      g.10 f8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  or tiles of results, 8 x 8 a thread, of parts of x[i.0, k.3], x[j.1, k.3] in shared memory
    whose terms are taken in order
  loop 0 in -1, points: m
  loop 1 in 0, points: m
  loop 2 in 1, serial: 8 clocks: d
  loop 3 in -1, reduction: m
  loop 4 in 3, reduction: m
  work by loops 0 1 2, 2 float64
  work by loops 0 1, 2 float64
  work by loops 3 4, 1 float64, 1 special
  1 loads of x, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  1 loads of x, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 stores of g, by loops 0 1: 1 in 0 of 1, 1 in 1 of 0
  1 stores of g, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of g, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 stores of t, by loops
  longest chain: 24 + 8 d
  each element
    spread i.0 in 0..m, j.1 in 0..m
      if j.1 < (i.0 + 1)
        s.2 = 0.0
        for k.3 in 0..d
          s.2 = s.2 + (x[i.0, k.3] * x[j.1, k.3])
        g[j.1, i.0] = s.2 + 1.0
        g[i.0, j.1] = s.2 - 1.0
    acc.4 = 0.0
    sync blocks spread i.6 in 0..m, j.7 in 0..m to acc.4
      acc.4 = fma(g[i.6, j.7], f8(((7 * i.6) + (3 * j.7)) % 11), acc.4)
    join
      acc.4 = acc.4 + other.5
    result.8 = acc.4
    t[] = result.8

0copy: float64(float64)
  as  gufunc_mirrored_sums_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
