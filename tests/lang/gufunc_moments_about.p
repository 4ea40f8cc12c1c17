moments_about: float64(float64)
  as  gufunc_moments_about_moments_about_f8_f8_stored
  in  x f8
  out mu f8, stored f8, stored f8
  var s.0 f8, a.1 f8, i.2 i8, j.3 i8, p.4 i8, q.5 i8, i.6 i8, j.7 i8, u.8 f8, p.9 i8, v.10 f8,
      q.11 i8, a.12 f8, single.13 i8, entry.14 i8, entry.15 i8, bin.16 i8, bin.17 i8, mu.18 f8,
      term.19 f8, key.20 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  loop 0 in -1, points: 1
  loop 1 in 0, serial: m
  loop 2 in 1, serial: 8 clocks: n
  loop 3 in -1, points: 2
  loop 4 in 3, points: 3
  loop 5 in -1, serial: m
  loop 6 in 5, serial: n
  loop 7 in 6, serial: 8 clocks: 2
  loop 8 in 7, serial: 8 clocks: 3
  work by loops 0 1 2, 2 float64
  work by loops 1 2, 1 float64
  work by loops 1, 1 special
  work by loops, 8 float64, 1 special
  work by loops 5 6 7 8, 2 float64
  work by loops 6, 1 float64, 1 special
  work by loops 5 6 7, 1 float64
  work by loops 5, 1 float64, 1 special
  2 loads of x, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 stores of stored, by loops
  1 stores of stored, by loops
  1 loads of stored, by loops
  1 loads of stored, by loops
  1 stores of mu, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 loads of x, by loops 5 6: 1 in 0 of 5, 1 in 1 of 6
  1 loads of mu, by loops 7 8: 1 in 0 of 7, 1 in 1 of 8
  1 stores of mu, by loops 7 8: 1 in 0 of 7, 1 in 1 of 8
  each element
    s.0 = 0.0
    a.1 = 0.0
    spread single.13 in 0..1
      s.0 = 0.0
      a.1 = 0.0
      for i.2 in 0..m, a series of s.0, a.1
        for j.3 in 0..n
          s.0 = s.0 + x[i.2, j.3]
          a.1 = a.1 + (f8(i.2) * x[i.2, j.3])
      stored[] = s.0
      stored[] = a.1
    sync blocks a.12 = stored[] / stored[]
    spread p.4 in 0..2, q.5 in 0..3
      mu[p.4, q.5] = 0.0
    for i.6 in 0..m, dealt out to bins of mu
      sync blocks for j.7 in 0..n by 1 behind one another
        u.8 = x[i.6, j.7]
        sync blocks for p.9 in 0..2
          v.10 = u.8
          for q.11 in 0..3
            mu[p.9, q.11] = mu[p.9, q.11] + v.10
            v.10 = v.10 * (f8(j.7) - 0.5)
          u.8 = u.8 * (f8(i.6) - a.12)

moments_about: float64(float64)
  as  gufunc_moments_about_moments_about_f8_f8
  in  x f8
  out mu f8
  var s.0 f8, a.1 f8, i.2 i8, j.3 i8, p.4 i8, q.5 i8, i.6 i8, j.7 i8, u.8 f8, p.9 i8, v.10 f8,
      q.11 i8, a.12 f8, entry.13 i8, entry.14 i8, bin.15 i8, bin.16 i8, mu.17 f8, term.18 f8,
      key.19 i8
  one thread a call
  loop 0 in -1, serial: m
  loop 1 in 0, serial: 8 clocks: n
  loop 2 in -1, points: 2
  loop 3 in 2, points: 3
  loop 4 in -1, serial: m
  loop 5 in 4, serial: n
  loop 6 in 5, serial: 8 clocks: 2
  loop 7 in 6, serial: 8 clocks: 3
  work by loops 0 1, 3 float64
  work by loops 0, 1 special
  work by loops, 8 float64, 1 special
  work by loops 4 5 6 7, 2 float64
  work by loops 5, 1 float64, 1 special
  work by loops 4 5 6, 1 float64
  work by loops 4, 1 float64, 1 special
  2 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of mu, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of x, by loops 4 5: 1 in 0 of 4, 1 in 1 of 5
  1 loads of mu, by loops 6 7: 1 in 0 of 6, 1 in 1 of 7
  1 stores of mu, by loops 6 7: 1 in 0 of 6, 1 in 1 of 7
  longest chain: 92 + 16 m n
  each element
    s.0 = 0.0
    a.1 = 0.0
    for i.2 in 0..m, a series of s.0, a.1
      for j.3 in 0..n
        s.0 = s.0 + x[i.2, j.3]
        a.1 = a.1 + (f8(i.2) * x[i.2, j.3])
    a.12 = a.1 / s.0
    for p.4 in 0..2
      for q.5 in 0..3
        mu[p.4, q.5] = 0.0
    shared as
      spread p.4 in 0..2, q.5 in 0..3
        mu[p.4, q.5] = 0.0
    for i.6 in 0..m
      sync blocks for j.7 in 0..n by 1 behind one another
        u.8 = x[i.6, j.7]
        sync blocks for p.9 in 0..2
          v.10 = u.8
          for q.11 in 0..3
            mu[p.9, q.11] = mu[p.9, q.11] + v.10
            v.10 = v.10 * (f8(j.7) - 0.5)
          u.8 = u.8 * (f8(i.6) - a.12)

0copy: float64(float64)
  as  gufunc_moments_about_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
