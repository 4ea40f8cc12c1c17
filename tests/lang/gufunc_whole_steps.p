relax: (float64, float64)(float64, int64)
  as  gufunc_whole_steps_relax_f8f8_f8i8
  in  f f8, steps i8
  out last f8, e f8, x f8
  var t.0 i8, t.1 i8, t.2 i8, t.3 i8, t.4 i8, r.5 f8, i.6 i8, j.7 i8, d.8 f8, x.9 f8, e.10 f8
  a thread, a warp or a block a call
  loop 0 in -1, points: m
  loop 1 in 0, points: n
  loop 2 in -1, serial: ?
  loop 3 in 2, serial: m 1 - 1 - 0 max
  loop 4 in 3, serial: 8 clocks: ?
  work by loops 2 3 4, 9 float64
  1 loads of f, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  6 loads of x, by loops 2 3 4: 1 in 0 of 3, 2 in 1 of 4, irregular
  1 stores of x, by loops 2 3 4: 1 in 0 of 3, 2 in 1 of 4, irregular
  1 loads of x, by loops
  1 stores of last, by loops
  1 stores of e, by loops
  each element
    spread t.2 in 0..m, t.3 in 0..n
      x.9 = 0.0
      x.9 = f[t.2, t.3]
      x[t.2, t.3] = x.9
    e.10 = 0.0
    for t.4 in 0..steps
      r.5 = 0.0
      for i.6 in 1..(m - 1)
        for j.7 in (1 + ((i.6 + t.4) % 2))..(n - 1)..2, a series of r.5
          sync blocks d.8 = (0.25 * (((x[i.6 - 1, j.7] + x[i.6 + 1, j.7]) + x[i.6, j.7 - 1]) + x[i.6, j.7 + 1])) - x[i.6, j.7]
          sync blocks x[i.6, j.7] = x[i.6, j.7] + (1.5 * d.8)
          r.5 = r.5 + (d.8 * d.8)
      e.10 = r.5
    sync blocks last[] = x[m - 2, n - 2]
    e[] = e.10

0copy: int64(int64)
  as  gufunc_whole_steps_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_whole_steps_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
