logistic: (float64, float64)(float64, float64)
  as  gufunc_step_numbers_logistic_f8f8_f8f8_steps
  in  x f8, y f8
  out w f8, loss f8, g f8, stored f8
  var t.0 i8, j.1 i8, t.2 i8, l.3 f8, j.4 i8, i.5 i8, z.6 f8, j.7 i8, e.8 f8, j.9 i8, j.10 i8,
      step.11 i8, stepped.12 i8, stored.13 f8, term.14 f8, key.15 i8, entry.16 i8, bin.17 i8,
      g.18 f8, key.19 i8
  a thread, a warp or a block a call, or threads a point, in 4 phases
  phases 1 to 3 are launched for each step
  registers of a warp's lanes keep w g, a lane for each index
  registers of a thread hold arrays along d up to 8, or powers of two up to 32
  loop 0 in -1, points: d
  loop 1 in -1, points: d
  loop 2 in -1, serial: n
  loop 3 in 2, serial: 8 clocks: d
  loop 4 in 2, points: d
  loop 5 in -1, points: d
  work by loops, 2 integer
  work by loops 2 3, 2 float64
  work by loops 2, 6 float64
  work by loops 2 4, 2 float64
  work by loops 5, 2 float64
  1 stores of loss, by loops
  1 stores of w, by loops 0: 1 in 0 of 0
  1 stores of stored, by loops
  1 stores of g, by loops 1: 1 in 0 of 1
  1 loads of x, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of w, by loops 3: 1 in 0 of 3
  1 loads of stored, by loops
  2 loads of y, by loops 2: 1 in 0 of 2
  1 stores of stored, by loops
  1 loads of g, by loops 4: 1 in 0 of 4
  1 loads of x, by loops 2 4: 1 in 0 of 2, 1 in 1 of 4
  1 stores of g, by loops 4: 1 in 0 of 4
  1 loads of w, by loops 5: 1 in 0 of 5
  1 loads of g, by loops 5: 1 in 0 of 5
  1 stores of w, by loops 5: 1 in 0 of 5
  1 loads of stored, by loops
  1 stores of loss, by loops
  each element
    loss[] = 0.0
    spread j.1 in 0..d
      w[j.1] = 0.0
    t.2 = 0 + step.11
    stored[] = 0.0
    spread j.4 in 0..d
      g[j.4] = 0.0
    for i.5 in 0..n, dealt out to bins of stored, g
      z.6 = 0.0
      sync blocks for j.7 in 0..d, a series of z.6
        z.6 = z.6 + (x[i.5, j.7] * w[j.7])
      sync lanes stored[] = stored[] + ((z.6 * z.6) - (y[i.5] * z.6))
      e.8 = (2.0 * z.6) - y[i.5]
      for j.9 in 0..d
        g[j.9] = g[j.9] + (e.8 * x[i.5, j.9])
      shared as
        spread j.9 in 0..d
          g[j.9] = g[j.9] + (e.8 * x[i.5, j.9])
    sync blocks spread j.10 in 0..d
      w[j.10] = w[j.10] - (0.5 * g[j.10])
    sync lanes loss[] = stored[]
    stepped.12 = step.11

logistic: (float64, float64)(float64, float64)
  as  gufunc_step_numbers_logistic_f8f8_f8f8
  in  x f8, y f8
  out w f8, loss f8, g f8
  var t.0 i8, j.1 i8, t.2 i8, l.3 f8, j.4 i8, i.5 i8, z.6 f8, j.7 i8, e.8 f8, j.9 i8, j.10 i8,
      loss.11 f8
  a thread, or a block for series, a call
  registers of a warp's lanes keep w g, a lane for each index
  registers of a thread hold arrays along d up to 8, or powers of two up to 32
  loop 0 in -1, points: d
  loop 1 in -1, serial: 3
  loop 2 in 1, points: d
  loop 3 in 1, serial: 8 clocks: n
  loop 4 in 3, serial: 8 clocks: d
  loop 5 in 3, points: d
  loop 6 in 1, points: d
  work by loops 1 3 4, 2 float64
  work by loops 3, 6 float64
  work by loops 1 3 5, 1 float64
  work by loops 3 5, 1 float64
  work by loops 1 6, 2 float64
  1 stores of w, by loops 0: 1 in 0 of 0
  1 stores of g, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 loads of w, by loops 4: 1 in 0 of 4
  2 loads of y, by loops 3: 1 in 0 of 3
  1 loads of g, by loops 5: 1 in 0 of 5
  1 loads of x, by loops 3 5: 1 in 0 of 3, 1 in 1 of 5
  1 stores of g, by loops 5: 1 in 0 of 5
  1 loads of w, by loops 6: 1 in 0 of 6
  1 loads of g, by loops 6: 1 in 0 of 6
  1 stores of w, by loops 6: 1 in 0 of 6
  1 stores of loss, by loops
  longest chain: 144 + 24 n + 24 d
  each element
    loss.11 = 0.0
    for j.1 in 0..d
      w[j.1] = 0.0
    shared as
      spread j.1 in 0..d
        w[j.1] = 0.0
    for t.2 in 0..3
      l.3 = 0.0
      for j.4 in 0..d
        g[j.4] = 0.0
      shared as
        sync blocks spread j.4 in 0..d
          g[j.4] = 0.0
      for i.5 in 0..n
        z.6 = 0.0
        for j.7 in 0..d, a series of z.6
          z.6 = z.6 + (x[i.5, j.7] * w[j.7])
        l.3 = l.3 + ((z.6 * z.6) - (y[i.5] * z.6))
        e.8 = (2.0 * z.6) - y[i.5]
        for j.9 in 0..d
          g[j.9] = g[j.9] + (e.8 * x[i.5, j.9])
        shared as
          sync blocks spread j.9 in 0..d
            g[j.9] = g[j.9] + (e.8 * x[i.5, j.9])
      for j.10 in 0..d
        w[j.10] = w[j.10] - (0.5 * g[j.10])
      shared as
        sync blocks spread j.10 in 0..d
          w[j.10] = w[j.10] - (0.5 * g[j.10])
      loss.11 = l.3
    loss[] = loss.11

carried: (float64, float64, int64)(float64, int64)
  as  gufunc_step_numbers_carried_f8f8i8_f8i8_steps
  in  x f8, b i8
  out h f8, s f8, c i8, stored f8, stored i8, stored f8
  var i.0 i8, a.1 f8, m.2 i8, t.3 i8, r.4 f8, i.5 i8, i.6 i8, step.7 i8, stepped.8 i8, bin.9 i8,
      h.10 f8, term.11 f8, key.12 i8, stored.13 f8, stored.14 i8, key.15 i8
  a thread, a warp or a block a call, or threads a point, in 5 phases
  phases 1 to 3 are launched for each step
  loop 0 in -1, points: n
  loop 1 in -1, serial: n
  loop 2 in -1, points: n
  work by loops, 9 float64, 2 integer, 2 special
  work by loops 1, 4 float64, 2 integer
  work by loops 2, 9 float64, 1 special
  1 stores of h, by loops 0: 1 in 0 of 0
  1 stores of stored, by loops
  1 stores of stored, by loops
  1 stores of stored, by loops
  2 loads of b, by loops 1: 1 in 0 of 1
  1 loads of h, by loops 1, irregular
  1 loads of stored, by loops
  3 loads of x, by loops 1: 1 in 0 of 1
  1 stores of h, by loops 1, irregular
  1 loads of stored, by loops
  1 stores of stored, by loops
  1 loads of stored, by loops
  1 stores of stored, by loops
  1 loads of stored, by loops
  1 loads of stored, by loops
  1 stores of stored, by loops
  1 loads of h, by loops 2: 1 in 0 of 2
  1 stores of h, by loops 2: 1 in 0 of 2
  1 loads of stored, by loops
  1 stores of s, by loops
  1 loads of stored, by loops
  1 stores of c, by loops
  each element
    spread i.0 in 0..n
      h[i.0] = 0.0
    stored[] = 1.0
    stored[] = 0
    t.3 = 0 + step.7
    stored[] = 0.0
    sync blocks alone for i.5 in 0..n, dealt out to bins of h, stored, stored
      h[b[i.5]] = h[b[i.5]] + (stored[] * x[i.5])
      stored[] = stored[] + (x[i.5] * x[i.5])
      stored[] = stored[] + 1
    stored[] = stored[] + (stored[] / 64.0)
    sync blocks spread i.6 in 0..n
      h[i.6] = (h[i.6] / 2.0) + f8(t.3)
    stepped.8 = step.7
    s[] = stored[]
    c[] = stored[]

carried: (float64, float64, int64)(float64, int64)
  as  gufunc_step_numbers_carried_f8f8i8_f8i8
  in  x f8, b i8
  out h f8, s f8, c i8
  var i.0 i8, a.1 f8, m.2 i8, t.3 i8, r.4 f8, i.5 i8, i.6 i8
  one thread a call
  registers of a warp's lanes keep h, a lane for each index
  loop 0 in -1, points: n
  loop 1 in -1, serial: 8 clocks: 4
  loop 2 in 1, serial: 8 clocks: n
  loop 3 in 1, points: n
  work by loops 1 2, 2 float64, 2 integer
  work by loops 2, 2 float64
  work by loops 1, 1 float64, 1 special
  work by loops, 8 float64, 1 special
  work by loops 1 3, 9 float64, 1 special
  1 stores of h, by loops 0: 1 in 0 of 0
  2 loads of b, by loops 2: 1 in 0 of 2
  1 loads of h, by loops 2, irregular
  3 loads of x, by loops 2: 1 in 0 of 2
  1 stores of h, by loops 2, irregular
  1 loads of h, by loops 3: 1 in 0 of 3
  1 stores of h, by loops 3: 1 in 0 of 3
  1 stores of s, by loops
  1 stores of c, by loops
  longest chain: 48 + 8 n, or 32 n / n
  each element
    for i.0 in 0..n
      h[i.0] = 0.0
    shared as
      spread i.0 in 0..n
        h[i.0] = 0.0
    a.1 = 1.0
    m.2 = 0
    for t.3 in 0..4
      r.4 = 0.0
      sync blocks alone for i.5 in 0..n
        h[b[i.5]] = h[b[i.5]] + (a.1 * x[i.5])
        alone r.4 = r.4 + (x[i.5] * x[i.5])
        alone m.2 = m.2 + 1
      a.1 = a.1 + (r.4 / 64.0)
      for i.6 in 0..n
        h[i.6] = (h[i.6] / 2.0) + f8(t.3)
      shared as
        sync blocks spread i.6 in 0..n
          h[i.6] = (h[i.6] / 2.0) + f8(t.3)
    s[] = a.1
    c[] = m.2

0copy: int64(int64)
  as  gufunc_step_numbers_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_step_numbers_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
