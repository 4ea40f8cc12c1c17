heat: int64(int64, int64)
  as  steps_alone_heat_i8_i8i8
  in  u0 i8, k i8
  out u i8, c i8
  var t.0 i8, i.1 i8, t.2 i8, i.3 i8, i.4 i8, m.5 i8, i.6 i8, kept.7 i8, kept.8 i8
  a thread, a warp or a block a call
  registers of a warp's lanes keep u, a lane for each index
  loop 0 in -1, points: n
  loop 1 in -1, serial: 4
  loop 2 in 1, points: n
  loop 3 in 1, serial: n 1 - 0 max
  loop 4 in 1, serial: n 2 - -1 - 0 max
  work by loops 1 2, 4 integer
  work by loops 1 3, 46 integer
  work by loops 1 4, 24 integer
  1 stores of c, by loops 0: 1 in 0 of 0
  1 loads of u0, by loops 0: 1 in 0 of 0
  1 stores of u, by loops 0: 1 in 0 of 0
  1 loads of u, by loops 2: 1 in 0 of 2
  1 stores of u, by loops 2: 1 in 0 of 2
  1 stores of c, by loops
  1 loads of c, by loops 3: 1 in 0 of 3
  1 stores of c, by loops 3: 1 in 0 of 3
  2 loads of u, by loops 3: 1 in 0 of 3
  1 stores of u, by loops 3: 1 in 0 of 3
  2 loads of u, by loops 4: -1 in 0 of 4
  1 loads of c, by loops 4: -1 in 0 of 4
  1 stores of u, by loops 4: -1 in 0 of 4
  each element
    spread t.0 in 0..n
      c[t.0] = 0
      u[t.0] = u0[t.0]
    for t.2 in 0..4
      sync blocks spread i.3 in 0..n
        u[i.3] = (u[i.3] * 5) + t.2
      sync lanes c[0] = k
      sync blocks alone for i.4 in 1..n
        sync lanes alone m.5 = (k + c[i.4 - 1]) % 1009
        c[i.4] = m.5 * 3
        u[i.4] = ((u[i.4] + (k * u[i.4 - 1])) * m.5) % 1009
      sync lanes alone for i.6 in (n - 2)..-1..-1
        u[i.6] = u[i.6] - ((c[i.6] * u[i.6 + 1]) % 17)

running: (int64, int64)(int64)
  as  steps_alone_running_i8i8_i8
  in  x i8
  out y i8, s i8, w i8
  var t.0 i8, i.1 i8, q.2 i8, i.3 i8, acc.4 i8, i.5 i8, acc.6 i8, other.7 i8, i.8 i8, value.9 i8,
      result.10 i8
  a thread, a warp or a block a call
  registers of a warp's lanes keep y w, a lane for each index
  registers of a thread hold arrays along n up to 8, or powers of two up to 64
  loop 0 in -1, points: n
  loop 1 in -1, serial: t
  loop 2 in 1, points: n
  loop 3 in 1, serial: n
  loop 4 in 1, reduction: n
  work by loops 1 2, 2 integer
  work by loops 1 3, 18 integer
  work by loops 3, 4 integer
  work by loops 4, 2 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 loads of y, by loops 2: -1 in 0 of 2
  1 stores of w, by loops 2: 1 in 0 of 2
  1 loads of w, by loops 3: 1 in 0 of 3
  1 stores of y, by loops 3: 1 in 0 of 3
  1 loads of y, by loops 4: 1 in 0 of 4
  1 stores of s, by loops 1: 1 in 0 of 1
  each element
    spread i.1 in 0..n
      y[i.1] = 0
    for q.2 in 0..t
      sync blocks spread i.3 in 0..n
        w[i.3] = x[q.2, i.3] + y[(n - 1) - i.3]
      acc.4 = 0
      sync blocks alone for i.5 in 0..n
        alone acc.4 = ((acc.4 * 3) + w[i.5]) % 1009
        y[i.5] = acc.4
      acc.6 = 0
      sync blocks portions spread i.8 in 0..n to acc.6
        value.9 = y[i.8]
        acc.6 = acc.6 + value.9
      join
        acc.6 = acc.6 + other.7
      result.10 = acc.6
      s[q.2] = result.10

used: (int64, int64)(int64)
  as  steps_alone_used_i8i8_i8
  in  x i8
  out y i8, z i8
  var i.0 i8, q.1 i8, a.2 i8, b.3 i8, i.4 i8, i.5 i8, i.6 i8
  a thread, a warp or a block a call
  registers of a warp's lanes keep y z, a lane for each index
  loop 0 in -1, points: n
  loop 1 in -1, serial: 3
  loop 2 in 1, serial: n 1 - 0 max
  loop 3 in 1, points: n
  loop 4 in 1, points: n
  work by loops 1 2, 64 integer
  work by loops 2, 2 integer
  work by loops 1 3, 2 integer
  work by loops 1 4, 18 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  4 loads of y, by loops 2: 1 in 0 of 2
  1 stores of y, by loops 2: 1 in 0 of 2
  1 loads of y, by loops 3: 1 in 0 of 3
  1 stores of z, by loops 3: 1 in 0 of 3
  1 loads of z, by loops 4: -1 in 0 of 4
  1 stores of y, by loops 4: 1 in 0 of 4
  each element
    spread i.0 in 0..n
      y[i.0] = x[i.0]
    for q.1 in 0..3
      a.2 = 0
      b.3 = 0
      for i.4 in 1..n
        sync blocks a.2 = ((y[i.4 - 1] * 7) + a.2) % 1009
        b.3 = b.3 + y[i.4]
        if (y[i.4 - 1] % 3) == 0
          b.3 = b.3 + a.2
        sync blocks y[i.4] = (y[i.4] + a.2) % 1009
      sync blocks spread i.5 in 0..n
        z[i.5] = y[i.5] + b.3
      sync blocks spread i.6 in 0..n
        y[i.6] = z[(n - 1) - i.6] % 1009

0copy: int64(int64)
  as  steps_alone_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x
