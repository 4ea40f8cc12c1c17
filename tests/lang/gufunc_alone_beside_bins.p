unit: float32(uint32, float32)
  as  gufunc_alone_beside_bins_unit_f4_u4f4_stored
  in  t u4, like f4
  out y f4, stored f4
  var k.0 i8, i.1 i8, at.2 u4, s.3 f4, k.4 i8, k.5 i8, s.6 f4, single.7 i8, bin.8 i8, y.9 f4,
      key.10 i8, key.11 i8
  a thread, a warp or a block a call, or threads a point, in 4 phases
  4 neighbours a thread, where side by side are elements of y
  4 neighbours a thread, where side by side are elements of y
  loop 0 in -1, points: b
  loop 1 in -1, serial: n
  loop 2 in -1, points: 1
  loop 3 in 2, serial: 4 clocks: b
  loop 4 in -1, points: b
  work by loops 1, 1 float32, 18 integer
  work by loops, 8 float32, 1 special
  work by loops 2 3, 1 float32
  work by loops 3, 1 float32
  work by loops 4, 8 float32, 1 special
  1 stores of y, by loops 0: 1 in 0 of 0
  2 loads of t, by loops 1: 1 in 0 of 1
  2 loads of y, by loops 1, irregular
  2 stores of y, by loops 1, irregular
  2 loads of y, by loops 3: 1 in 0 of 3
  1 stores of stored, by loops
  1 loads of stored, by loops
  1 loads of y, by loops 4: 1 in 0 of 4
  1 stores of y, by loops 4: 1 in 0 of 4
  each element
    spread k.0 in 0..b
      y[k.0] = 0.0
    sync blocks alone for i.1 in 0..n, dealt out to bins of y
      alone at.2 = t[i.1] % u4(b)
      alone if (t[i.1] & 1) == 1
        y[i8(at.2)] = y[i8(at.2)] + 2.0
      else
        y[i8(at.2)] = y[i8(at.2)] - 1.0
    s.3 = 0.0
    sync blocks spread single.7 in 0..1
      s.3 = 0.0
      for k.4 in 0..b, a series of s.3
        s.3 = s.3 + (y[k.4] * y[k.4])
      stored[] = s.3
    sync blocks s.6 = sqrt(stored[])
    spread k.5 in 0..b
      y[k.5] = y[k.5] / s.6

unit: float32(uint32, float32)
  as  gufunc_alone_beside_bins_unit_f4_u4f4
  in  t u4, like f4
  out y f4
  var k.0 i8, i.1 i8, at.2 u4, s.3 f4, k.4 i8, k.5 i8, s.6 f4, bin.7 i8, y.8 f4, key.9 i8, key.10 i8
  one thread a call
  loop 0 in -1, points: b
  loop 1 in -1, serial: n
  loop 2 in -1, serial: 4 clocks: b
  loop 3 in -1, points: b
  work by loops 1, 1 float32, 18 integer
  work by loops, 8 float32, 1 special
  work by loops 2, 2 float32
  work by loops 3, 8 float32, 1 special
  1 stores of y, by loops 0: 1 in 0 of 0
  2 loads of t, by loops 1: 1 in 0 of 1
  2 loads of y, by loops 1, irregular
  2 stores of y, by loops 1, irregular
  2 loads of y, by loops 2: 1 in 0 of 2
  1 loads of y, by loops 3: 1 in 0 of 3
  1 stores of y, by loops 3: 1 in 0 of 3
  longest chain: 44 + 4 b, or 4 n / b
  each element
    for k.0 in 0..b
      y[k.0] = 0.0
    shared as
      spread k.0 in 0..b
        y[k.0] = 0.0
    sync blocks alone for i.1 in 0..n
      alone at.2 = t[i.1] % u4(b)
      alone if (t[i.1] & 1) == 1
        y[i8(at.2)] = y[i8(at.2)] + 2.0
      else
        y[i8(at.2)] = y[i8(at.2)] - 1.0
    s.3 = 0.0
    sync blocks for k.4 in 0..b, a series of s.3
      s.3 = s.3 + (y[k.4] * y[k.4])
    s.6 = sqrt(s.3)
    for k.5 in 0..b
      y[k.5] = y[k.5] / s.6
    shared as
      sync blocks spread k.5 in 0..b
        y[k.5] = y[k.5] / s.6

best: (int32, float64)(float64)
  as  gufunc_alone_beside_bins_best_i4f8_f8_stored
  in  z f8
  out f i4, y f8, u f8, stored i8, stored f8, stored f8
  var j.0 i8, t.1 i8, i.2 i8, at.3 i8, top.4 f8, j.5 i8, total.6 f8, j.7 i8, at.8 i8, other.9 i8,
      top.10 f8, other.11 f8, turn.12 i8, later.13 i8, j.14 i8, single.15 i8, bin.16 i8,
      f.17 i4, u.18 f8, term.19 f8, key.20 i8, j.21 i8, stored.22 f8
  a thread, a warp or a block a call, or threads a point, in 6 phases
  4 neighbours a thread, where side by side are elements of f
  2 neighbours a thread, where side by side are elements of u
  loop 0 in -1, points: e
  loop 1 in -1, points: e
  loop 2 in -1, points: n
  loop 3 in 2, reduction: e 1 - 0 max
  loop 4 in -1, serial: n
  loop 5 in -1, points: 1
  loop 6 in 5, serial: 8 clocks: e
  work by loops 2 3, 1 float64
  work by loops 2, 1 float64
  work by loops 4, 1 float64, 1 integer
  work by loops 5 6, 1 float64
  work by loops 6, 1 float64
  1 stores of f, by loops 0: 1 in 0 of 0
  1 stores of u, by loops 1: 1 in 0 of 1
  1 loads of z, by loops 2: 1 in 0 of 2
  2 loads of z, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 stores of stored, by loops 2: 1 in 0 of 2
  1 stores of stored, by loops 2: 1 in 0 of 2
  4 loads of stored, by loops 4: 1 in 0 of 4
  1 loads of f, by loops 4, irregular
  1 stores of f, by loops 4, irregular
  1 loads of u, by loops 4, irregular
  1 loads of stored, by loops 4: 1 in 0 of 4
  1 stores of u, by loops 4, irregular
  2 loads of u, by loops 6: 1 in 0 of 6
  1 stores of stored, by loops
  1 loads of stored, by loops
  1 stores of y, by loops
  each element
    spread j.0 in 0..e
      f[j.0] = 0
    spread t.1 in 0..e
      u[t.1] = 0.0
    portions spread i.2 in 0..n
      at.3 = 0
      top.4 = z[i.2, 0]
      at.8 = 0
      top.10 = -inf
      turn.12 = 9223372036854775807
      portions each j.14 in 1..e to at.8, top.10, turn.12
        if z[i.2, j.14] > top.10
          turn.12 = j.14
          top.10 = z[i.2, j.14]
          at.8 = j.14
      join
        if (other.11 > top.10) or ((other.11 == top.10) and (later.13 < turn.12))
          at.8 = other.9
          top.10 = other.11
          turn.12 = later.13
      if top.10 > top.4
        at.3 = at.8
        top.4 = top.10
      stored[i.2] = at.3
      stored[i.2] = top.4
    sync blocks alone for i.2 in 0..n, dealt out to bins of f, u
      f[stored[i.2]] = f[stored[i.2]] + 1
      u[stored[i.2]] = u[stored[i.2]] + stored[i.2]
    total.6 = 0.0
    sync blocks spread single.15 in 0..1
      total.6 = 0.0
      for j.7 in 0..e, a series of total.6
        total.6 = total.6 + (u[j.7] * u[j.7])
      stored[] = total.6
    sync blocks y[] = stored[]

best: (int32, float64)(float64)
  as  gufunc_alone_beside_bins_best_i4f8_f8
  in  z f8
  out f i4, y f8, u f8
  var j.0 i8, t.1 i8, i.2 i8, at.3 i8, top.4 f8, j.5 i8, total.6 f8, j.7 i8, at.8 i8, other.9 i8,
      top.10 f8, other.11 f8, turn.12 i8, later.13 i8, j.14 i8, bin.15 i8, f.16 i4, u.17 f8,
      term.18 f8, key.19 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: e
  loop 1 in -1, points: e
  loop 2 in -1, serial: n
  loop 3 in 2, reduction: e 1 - 0 max
  loop 4 in -1, serial: 8 clocks: e
  work by loops 2 3, 1 float64
  work by loops 2, 2 float64, 1 integer
  work by loops 4, 2 float64
  1 stores of f, by loops 0: 1 in 0 of 0
  1 stores of u, by loops 1: 1 in 0 of 1
  1 loads of z, by loops 2: 1 in 0 of 2
  2 loads of z, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of f, by loops 2, irregular
  1 stores of f, by loops 2, irregular
  1 loads of u, by loops 2, irregular
  1 stores of u, by loops 2, irregular
  2 loads of u, by loops 4: 1 in 0 of 4
  1 stores of y, by loops
  longest chain: 8 + 8 e, or 8 n / e
  each element
    for j.0 in 0..e
      f[j.0] = 0
    shared as
      spread j.0 in 0..e
        f[j.0] = 0
    spread t.1 in 0..e
      u[t.1] = 0.0
    sync blocks for i.2 in 0..n
      at.3 = 0
      top.4 = z[i.2, 0]
      at.8 = 0
      top.10 = -inf
      turn.12 = 9223372036854775807
      portions spread j.14 in 1..e to at.8, top.10, turn.12
        if z[i.2, j.14] > top.10
          turn.12 = j.14
          top.10 = z[i.2, j.14]
          at.8 = j.14
      join
        if (other.11 > top.10) or ((other.11 == top.10) and (later.13 < turn.12))
          at.8 = other.9
          top.10 = other.11
          turn.12 = later.13
      if top.10 > top.4
        at.3 = at.8
        top.4 = top.10
      sync f[at.3] = f[at.3] + 1
      u[at.3] = u[at.3] + top.4
    total.6 = 0.0
    sync alone for j.7 in 0..e, a series of total.6
      alone total.6 = total.6 + (u[j.7] * u[j.7])
    y[] = total.6

about: float64(float64)
  as  gufunc_alone_beside_bins_about_f8_f8_stored
  in  x f8
  out mu f8, stored f8
  var s.0 f8, t.1 i8, v.2 f8, p.3 i8, i.4 i8, u.5 f8, p.6 i8, s.7 f8, single.8 i8, entry.9 i8,
      bin.10 i8, mu.11 f8, term.12 f8, key.13 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  loop 0 in -1, points: 1
  loop 1 in 0, serial: 8 clocks: n
  loop 2 in -1, points: 3
  loop 3 in -1, serial: n
  loop 4 in 3, serial: 8 clocks: 3
  work by loops 0 1, 1 float64
  work by loops, 8 float64, 2 special
  work by loops 3 4, 2 float64
  work by loops 3, 1 float64
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of stored, by loops
  1 loads of stored, by loops
  1 stores of mu, by loops 2: 1 in 0 of 2
  1 loads of mu, by loops 4: 1 in 0 of 4
  1 stores of mu, by loops 4: 1 in 0 of 4
  1 loads of x, by loops 3: 1 in 0 of 3
  each element
    s.0 = 0.0
    spread single.8 in 0..1
      s.0 = 0.0
      for t.1 in 0..n, a series of s.0
        v.2 = x[t.1]
        s.0 = s.0 + v.2
      stored[] = s.0
    sync blocks s.7 = stored[] / f8(n)
    spread p.3 in 0..3
      mu[p.3] = 0.0
    sync blocks for i.4 in 0..n by 1 behind one another, dealt out to bins of mu
      u.5 = 1.0
      sync blocks for p.6 in 0..3
        mu[p.6] = mu[p.6] + u.5
        u.5 = u.5 * (x[i.4] - s.7)

about: float64(float64)
  as  gufunc_alone_beside_bins_about_f8_f8
  in  x f8
  out mu f8
  var s.0 f8, t.1 i8, v.2 f8, p.3 i8, i.4 i8, u.5 f8, p.6 i8, s.7 f8, entry.8 i8, bin.9 i8, mu.10 f8,
      term.11 f8, key.12 i8
  one thread a call
  loop 0 in -1, serial: 8 clocks: n
  loop 1 in -1, points: 3
  loop 2 in -1, serial: n
  loop 3 in 2, serial: 8 clocks: 3
  work by loops 0, 1 float64
  work by loops, 8 float64, 2 special
  work by loops 2 3, 2 float64
  work by loops 2, 1 float64
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of mu, by loops 1: 1 in 0 of 1
  1 loads of mu, by loops 3: 1 in 0 of 3
  1 stores of mu, by loops 3: 1 in 0 of 3
  1 loads of x, by loops 2: 1 in 0 of 2
  longest chain: 48 + 16 n
  each element
    s.0 = 0.0
    for t.1 in 0..n, a series of s.0
      v.2 = x[t.1]
      s.0 = s.0 + v.2
    s.7 = s.0 / f8(n)
    for p.3 in 0..3
      mu[p.3] = 0.0
    shared as
      spread p.3 in 0..3
        mu[p.3] = 0.0
    sync blocks for i.4 in 0..n by 1 behind one another
      u.5 = 1.0
      sync blocks for p.6 in 0..3
        mu[p.6] = mu[p.6] + u.5
        u.5 = u.5 * (x[i.4] - s.7)

0copy: int32(int32)
  as  gufunc_alone_beside_bins_0copy_i4_i4
  in  x i4
  out out i4
  each element
    store out = x

0copy: uint32(uint32)
  as  gufunc_alone_beside_bins_0copy_u4_u4
  in  x u4
  out out u4
  each element
    store out = x

0copy: float32(float32)
  as  gufunc_alone_beside_bins_0copy_f4_f4
  in  x f4
  out out f4
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_alone_beside_bins_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
