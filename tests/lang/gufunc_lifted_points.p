windowed: float64(float64, float64)
  as  gufunc_lifted_points_windowed_f8_f8f8_stored
  in  q f8, k f8
  out o f8, s f8
  var i.0 i8, w.1 i8, dot.2 f8, c.3 i8, total.4 f8, w.5 i8, s.6 i8, s.7 f8, o.8 f8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  8 points of range 1 a thread, whose loops run together
  loop 0 in -1, points: n
  loop 1 in 0, points: 40
  loop 2 in 1, serial: 8 clocks: d
  loop 3 in -1, points: n
  loop 4 in 3, serial: 8 clocks: 40
  work by loops 0 1 2, 2 float64
  work by loops 3 4, 2 float64
  work by loops 4, 1 special
  1 loads of q, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  1 loads of k, by loops 0 1 2: 1 in 0 of 0, -1 in 0 of 1, 1 in 1 of 2
  1 stores of s, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of s, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 stores of o, by loops 3: 1 in 0 of 3
  each element
    spread i.0 in 0..n, w.1 in 0..40
      dot.2 = 0.0
      for c.3 in 0..d, a series of dot.2
        dot.2 = dot.2 + (q[i.0, c.3] * k[max(i.0 - w.1, 0), c.3])
      s[i.0, w.1] = dot.2
    sync blocks spread i.0 in 0..n
      total.4 = 0.0
      for w.5 in 0..40, a series of total.4
        total.4 = total.4 + (s[i.0, w.5] * f8(w.5 + 1))
      o[i.0] = total.4

windowed: float64(float64, float64)
  as  gufunc_lifted_points_windowed_f8_f8f8
  in  q f8, k f8
  out o f8
  var i.0 i8, w.1 i8, dot.2 f8, c.3 i8, total.4 f8, w.5 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, points: n
  loop 1 in 0, serial: 40
  loop 2 in 1, serial: 8 clocks: d
  loop 3 in 0, serial: 8 clocks: 40
  work by loops 0 1 2, 2 float64
  work by loops 3, 2 float64, 1 special
  1 loads of q, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  1 loads of k, by loops 0 1 2: 1 in 0 of 0, -1 in 0 of 1, 1 in 1 of 2
  1 stores of o, by loops 0: 1 in 0 of 0
  each element
    spread i.0 in 0..n
      clear s
      for w.1 in 0..40
        dot.2 = 0.0
        for c.3 in 0..d
          dot.2 = dot.2 + (q[i.0, c.3] * k[max(i.0 - w.1, 0), c.3])
        s[w.1] = dot.2
      total.4 = 0.0
      for w.5 in 0..40
        total.4 = total.4 + (s[w.5] * f8(w.5 + 1))
      o[i.0] = total.4

0copy: float64(float64)
  as  gufunc_lifted_points_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
