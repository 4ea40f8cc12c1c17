nearest: (int64, int64)(int64, int64)
  as  gufunc_hoisted_stores_nearest_i8i8_i8i8_stored
  in  x i8, c i8
  out label i8, total i8, stored i8
  var i.0 i8, i.1 i8, least.2 i8, a.3 i8, far.4 i8, label.5 i8, least.6 i8, other.7 i8, turn.8 i8,
      later.9 i8, label.10 i8, other.11 i8, a.12 i8, far.13 i8, total.14 i8, single.15 i8,
      total.16 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 points of range 0 a thread, whose reductions run together
  loop 0 in -1, points: n
  loop 1 in 0, reduction: k
  loop 2 in -1, points: 1
  loop 3 in 2, serial: n
  work by loops 0 1, 6 integer
  work by loops 0, 2 integer
  work by loops 3, 20 integer
  1 stores of total, by loops
  1 loads of x, by loops 0: 1 in 0 of 0
  1 loads of c, by loops 1: 1 in 0 of 1
  1 stores of label, by loops 0: 1 in 0 of 0
  1 stores of stored, by loops 0: 1 in 0 of 0
  1 loads of total, by loops
  1 loads of stored, by loops 3: 1 in 0 of 3
  1 stores of total, by loops
  each element
    total[] = 100
    spread i.1 in 0..n
      least.2 = 99
      label.5 = -1
      least.6 = 9223372036854775807
      turn.8 = 9223372036854775807
      label.10 = 0
      each a.12 in 0..k to least.6, turn.8, label.10
        far.13 = abs(x[i.1] - c[a.12])
        if far.13 < least.6
          turn.8 = a.12
          least.6 = far.13
          label.10 = a.12
      join
        if (other.7 < least.6) or ((other.7 == least.6) and (later.9 < turn.8))
          least.6 = other.7
          label.10 = other.11
          turn.8 = later.9
      if least.6 < least.2
        least.2 = least.6
        label.5 = label.10
      label[i.1] = label.5
      stored[i.1] = least.2
    sync blocks spread single.15 in 0..1
      total.14 = total[]
      for i.1 in 0..n
        total.14 = (total.14 // 2) + stored[i.1]
      total[] = total.14

nearest: (int64, int64)(int64, int64)
  as  gufunc_hoisted_stores_nearest_i8i8_i8i8
  in  x i8, c i8
  out label i8, total i8
  var i.0 i8, i.1 i8, least.2 i8, a.3 i8, far.4 i8, label.5 i8, least.6 i8, other.7 i8, turn.8 i8,
      later.9 i8, label.10 i8, other.11 i8, a.12 i8, far.13 i8, total.14 i8, term.15 i8,
      key.16 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  registers of a warp's or a block's threads hold rows, 8 points each
  loop 0 in -1, serial: n
  loop 1 in 0, reduction: k
  work by loops 0 1, 6 integer
  work by loops 0, 22 integer
  1 stores of total, by loops
  1 loads of x, by loops 0: 1 in 0 of 0
  1 loads of c, by loops 1: 1 in 0 of 1
  1 stores of label, by loops 0: 1 in 0 of 0
  1 loads of total, by loops
  1 stores of total, by loops
  each element
    total[] = 100
    for i.1 in 0..n, dealt out to bins of total
      least.2 = 99
      label.5 = -1
      least.6 = 9223372036854775807
      turn.8 = 9223372036854775807
      label.10 = 0
      portions spread a.12 in 0..k to least.6, turn.8, label.10
        far.13 = abs(x[i.1] - c[a.12])
        if far.13 < least.6
          turn.8 = a.12
          least.6 = far.13
          label.10 = a.12
      join
        if (other.7 < least.6) or ((other.7 == least.6) and (later.9 < turn.8))
          least.6 = other.7
          label.10 = other.11
          turn.8 = later.9
      if least.6 < least.2
        least.2 = least.6
        label.5 = label.10
      label[i.1] = label.5
      total[] = (total[] // 2) + least.2

chained: (int64, int64)(int64, int64)
  as  gufunc_hoisted_stores_chained_i8i8_i8i8
  in  x i8, c i8
  out label i8, total i8
  var i.0 i8, i.1 i8, a.2 i8, total.3 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: n 1 - 0 max
  loop 2 in 1, points: k
  work by loops 1 2, 4 integer
  work by loops 1, 20 integer
  1 stores of label, by loops 0: 1 in 0 of 0
  1 loads of c, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 1: 1 in 0 of 1
  3 loads of label, by loops 1: 1 in 0 of 1
  1 stores of label, by loops 1: 1 in 0 of 1
  1 stores of total, by loops
  each element
    spread i.0 in 0..n
      label[i.0] = i.0
    total.3 = 100
    for i.1 in 1..n
      for a.2 in 0..k
        if c[a.2] > x[i.1]
          label[i.1] = label[i.1] + (a.2 + label[i.1 - 1])
      shared as
        sync blocks spread a.2 in 0..k
          if c[a.2] > x[i.1]
            label[i.1] = label[i.1] + (a.2 + label[i.1 - 1])
      sync blocks alone total.3 = (total.3 // 2) + label[i.1]
    total[] = total.3

same: (int64, int64, int64)(int64, int64)
  as  gufunc_hoisted_stores_same_i8i8i8_i8i8
  in  x i8, c i8
  out y i8, z i8, total i8
  var j.0 i8, i.1 i8, i.2 i8, a.3 i8, z.4 i8, total.5 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: 2
  loop 1 in -1, serial: n
  loop 2 in 1, serial: k
  work by loops 1 2, 6 integer
  work by loops 1, 21 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 1, irregular
  2 loads of c, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of y, by loops 1, irregular
  1 stores of z, by loops 1: 1 in 0 of 1
  1 stores of total, by loops
  each element
    spread j.0 in 0..2
      y[j.0] = 0
    total.5 = 1
    sync blocks alone for i.2 in 0..n
      alone z.4 = 0
      alone for a.3 in 0..k
        y[i.2 % 2] = y[i.2 % 2] + (c[a.3] * x[i.2])
        alone z.4 = z.4 + c[a.3]
      alone total.5 = ((total.5 % 97) * 3) + z.4
      alone z.4 = total.5
      z[i.2] = z.4
    total[] = total.5

left: (int64, int64)(int64, int64)
  as  gufunc_hoisted_stores_left_i8i8_i8i8
  in  x i8, c i8
  out z i8, total i8
  var i.0 i8, i.1 i8, a.2 i8, total.3 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial, may end: n
  loop 2 in 1, points: k
  work by loops 1 2, 2 integer
  work by loops 1, 6 integer
  1 stores of z, by loops 0: 1 in 0 of 0
  2 loads of z, by loops 1: 1 in 0 of 1
  1 loads of c, by loops 2: 1 in 0 of 2
  1 stores of z, by loops 1: 1 in 0 of 1
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of total, by loops
  each element
    spread i.0 in 0..n
      z[i.0] = 0
    total.3 = 1
    block 0
      for i.1 in 0..n
        for a.2 in 0..k
          z[i.1] = z[i.1] + c[a.2]
        shared as
          sync blocks spread a.2 in 0..k
            z[i.1] = z[i.1] + c[a.2]
        sync blocks alone total.3 = (total.3 * 2) + z[i.1]
        if x[i.1] > 1
          leave block 0
    total[] = total.3

halves: (float16, float16)(float16, float16)
  as  gufunc_hoisted_stores_halves_f2f2_f2f2_stored
  in  x f2, c f2
  out z f2, total f2
  var i.0 i8, a.1 i8, total.2 f4, single.3 i8, z.4 f4
  a thread, a warp or a block a call, or threads a point, in 2 phases
  8 points of range 0 a thread, whose loops run together
  loop 0 in -1, points: n
  loop 1 in 0, serial: 4 clocks: k
  loop 2 in -1, points: 1
  loop 3 in 2, serial: 28 clocks: n
  work by loops
  work by loops 0 1, 2 float32
  work by loops 1
  work by loops 0
  work by loops 3, 9 float32, 1 special
  1 stores of total, by loops
  1 loads of c, by loops 1: 1 in 0 of 1
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of z, by loops 0: 1 in 0 of 0
  1 loads of total, by loops
  1 loads of x, by loops 3: 1 in 0 of 3
  1 stores of total, by loops
  each element
    total[] = f2(0.0)
    spread i.0 in 0..n
      z.4 = f4(f2(0.0))
      for a.1 in 0..k
        z.4 = f4(f2(z.4 + (f4(c[a.1]) * f4(x[i.0]))))
      z[i.0] = f2(z.4)
    sync blocks spread single.3 in 0..1
      total.2 = f4(total[])
      for i.0 in 0..n
        total.2 = f4(f2((total.2 / 2.0) + f4(x[i.0])))
      total[] = f2(total.2)

halves: (float16, float16)(float16, float16)
  as  gufunc_hoisted_stores_halves_f2f2_f2f2
  in  x f2, c f2
  out z f2, total f2
  var i.0 i8, a.1 i8, total.2 f4, term.3 f4, key.4 i8, z.5 f4, total.6 f4, z.7 f4
  one thread a call
  loop 0 in -1, serial: 28 clocks: n
  loop 1 in 0, serial: 4 clocks: k
  work by loops
  work by loops 0 1, 2 float32
  work by loops 1
  work by loops 0, 9 float32, 1 special
  2 stores of z, by loops 0: 1 in 0 of 0
  1 loads of c, by loops 1: 1 in 0 of 1
  2 loads of x, by loops 0: 1 in 0 of 0
  1 stores of total, by loops
  longest chain: 8 n, or 4 + 4 k
  each element
    total.6 = f4(f2(0.0))
    alone for i.0 in 0..n
      alone z.7 = f4(f2(0.0))
      z[i.0] = f2(z.7)
      alone z.5 = z.7
      alone for a.1 in 0..k
        alone z.5 = f4(f2(z.5 + (f4(c[a.1]) * f4(x[i.0]))))
      alone if 0 < k
        z[i.0] = f2(z.5)
      alone total.6 = f4(f2((total.6 / 2.0) + f4(x[i.0])))
    total[] = f2(total.6)

turns: (complex64, complex64)(complex64, complex64)
  as  gufunc_hoisted_stores_turns_c8c8_c8c8_stored
  in  x c8, c c8
  out z c8, total c8
  var i.0 i8, a.1 i8, part.2 f4, part.3 f4, part.4 f4, part.5 f4, part.6 f4, part.7 f4, total.8 f4,
      total.9 f4, part.10 f4, part.11 f4, single.12 i8, z.13 f4, z.14 f4, part.15 f4,
      part.16 f4
  a thread, a warp or a block a call, or threads a point, in 2 phases
  8 points of range 0 a thread, whose loops run together
  loop 0 in -1, points: n
  loop 1 in 0, serial: 4 clocks: k
  loop 2 in -1, points: 1
  loop 3 in 2, serial: 12 clocks: n
  work by loops 0 1, 8 float32
  work by loops 3, 8 float32
  1 stores of total, by loops
  2 loads of c, by loops 1: 1 in 0 of 1
  2 loads of x, by loops 0: 1 in 0 of 0
  1 stores of z, by loops 0: 1 in 0 of 0
  2 loads of total, by loops
  2 loads of x, by loops 3: 1 in 0 of 3
  1 stores of total, by loops
  each element
    total[] = complex(1.0, 0.0)
    spread i.0 in 0..n
      part.15 = 0.0
      z.13 = 0.0
      z.14 = part.15
      for a.1 in 0..k
        part.2 = real(c[a.1])
        part.3 = real(x[i.0])
        part.4 = imag(c[a.1])
        part.5 = imag(x[i.0])
        part.16 = z.14 + ((part.2 * part.5) + (part.4 * part.3))
        z.13 = z.13 + ((part.2 * part.3) - (part.4 * part.5))
        z.14 = part.16
      z[i.0] = complex(z.13, z.14)
    sync blocks spread single.12 in 0..1
      part.11 = imag(total[])
      total.8 = real(total[])
      total.9 = part.11
      for i.0 in 0..n
        part.6 = total.8
        part.7 = total.9
        part.10 = ((part.6 * 1.0) + (part.7 * 0.0)) + imag(x[i.0])
        total.8 = ((part.6 * 0.0) - (part.7 * 1.0)) + real(x[i.0])
        total.9 = part.10
      total[] = complex(total.8, total.9)

turns: (complex64, complex64)(complex64, complex64)
  as  gufunc_hoisted_stores_turns_c8c8_c8c8
  in  x c8, c c8
  out z c8, total c8
  var i.0 i8, a.1 i8, part.2 f4, part.3 f4, part.4 f4, part.5 f4, part.6 f4, part.7 f4, total.8 f4,
      total.9 f4, term.10 f4, term.11 f4, key.12 i8, total.13 f4, total.14 f4, part.15 f4,
      part.16 f4
  one thread a call
  loop 0 in -1, serial: 12 clocks: n
  loop 1 in 0, serial: k
  work by loops 0 1, 8 float32
  work by loops 0, 8 float32
  2 stores of z, by loops 0: 1 in 0 of 0
  2 loads of c, by loops 1: 1 in 0 of 1
  4 loads of x, by loops 0: 1 in 0 of 0
  2 loads of z, by loops 0: 1 in 0 of 0
  1 stores of total, by loops
  longest chain: 12 n, or 8 + 4 k
  each element
    part.15 = 0.0
    total.13 = 1.0
    total.14 = part.15
    alone for i.0 in 0..n
      z[i.0] = complex(0.0, 0.0)
      alone for a.1 in 0..k
        alone part.2 = real(c[a.1])
        alone part.3 = real(x[i.0])
        alone part.4 = imag(c[a.1])
        alone part.5 = imag(x[i.0])
        z[i.0] = complex(real(z[i.0]) + ((part.2 * part.3) - (part.4 * part.5)), imag(z[i.0]) + ((part.2 * part.5) + (part.4 * part.3)))
      alone part.6 = total.13
      alone part.7 = total.14
      alone part.16 = ((part.6 * 1.0) + (part.7 * 0.0)) + imag(x[i.0])
      alone total.13 = ((part.6 * 0.0) - (part.7 * 1.0)) + real(x[i.0])
      alone total.14 = part.16
    total[] = complex(total.13, total.14)

begun: (int64, int64, int64)(int64, int64)
  as  gufunc_hoisted_stores_begun_i8i8i8_i8i8_stored
  in  x i8, c i8
  out label i8, z i8, total i8, stored i8
  var i.0 i8, least.1 i8, a.2 i8, far.3 i8, a.4 i8, total.5 i8, single.6 i8, label.7 i8, z.8 i8,
      total.9 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  4 points of range 0 a thread, whose loops run together
  loop 0 in -1, points: n
  loop 1 in 0, serial: k
  loop 2 in 0, serial: k
  loop 3 in -1, points: 1
  loop 4 in 3, serial: n
  work by loops 0 1, 6 integer
  work by loops 0 2, 26 integer
  work by loops 4, 20 integer
  1 stores of total, by loops
  2 loads of x, by loops 0: 1 in 0 of 0
  1 loads of c, by loops 1: 1 in 0 of 1
  1 loads of c, by loops 2: 1 in 0 of 2
  1 stores of stored, by loops 0: 1 in 0 of 0
  1 stores of label, by loops 0: 1 in 0 of 0
  1 stores of z, by loops 0: 1 in 0 of 0
  1 loads of total, by loops
  1 loads of stored, by loops 4: 1 in 0 of 4
  1 stores of total, by loops
  each element
    total[] = 100
    spread i.0 in 0..n
      least.1 = 99
      label.7 = -1
      for a.2 in 0..k
        far.3 = abs(x[i.0] - c[a.2])
        if far.3 < least.1
          least.1 = far.3
          label.7 = a.2
      z.8 = n
      for a.4 in 0..k
        z.8 = ((z.8 * 3) + (c[a.4] * x[i.0])) % 97
      stored[i.0] = least.1
      label[i.0] = label.7
      z[i.0] = z.8
    sync blocks spread single.6 in 0..1
      total.5 = total[]
      for i.0 in 0..n
        total.5 = (total.5 // 2) + stored[i.0]
      total[] = total.5

begun: (int64, int64, int64)(int64, int64)
  as  gufunc_hoisted_stores_begun_i8i8i8_i8i8
  in  x i8, c i8
  out label i8, z i8, total i8
  var i.0 i8, least.1 i8, a.2 i8, far.3 i8, a.4 i8, total.5 i8, term.6 i8, key.7 i8, z.8 i8,
      total.9 i8, z.10 i8
  one thread a call
  loop 0 in -1, serial: n
  loop 1 in 0, serial: k
  loop 2 in 0, serial: k
  work by loops 0 1, 6 integer
  work by loops 0 2, 26 integer
  work by loops 0, 20 integer
  2 stores of label, by loops 0: 1 in 0 of 0
  2 loads of x, by loops 0: 1 in 0 of 0
  1 loads of c, by loops 1: 1 in 0 of 1
  2 stores of z, by loops 0: 1 in 0 of 0
  1 loads of c, by loops 2: 1 in 0 of 2
  1 stores of total, by loops
  each element
    total.9 = 100
    alone for i.0 in 0..n
      label[i.0] = -1
      alone least.1 = 99
      alone for a.2 in 0..k
        alone far.3 = abs(x[i.0] - c[a.2])
        alone if far.3 < least.1
          alone least.1 = far.3
          label[i.0] = a.2
      alone z.10 = n
      z[i.0] = z.10
      alone z.8 = z.10
      alone for a.4 in 0..k
        alone z.8 = ((z.8 * 3) + (c[a.4] * x[i.0])) % 97
      alone if 0 < k
        z[i.0] = z.8
      alone total.9 = (total.9 // 2) + least.1
    total[] = total.9

read: (int64, int64)(int64, int64)
  as  gufunc_hoisted_stores_read_i8i8_i8i8
  in  x i8, c i8
  out z i8, total i8
  var i.0 i8, e.1 i8, a.2 i8, total.3 i8, term.4 i8, key.5 i8, total.6 i8, z.7 i8
  one thread a call
  loop 0 in -1, serial: n
  loop 1 in 0, serial: k
  work by loops 0, 26 integer
  work by loops 0 1, 24 integer
  2 stores of z, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 0: 1 in 0 of 0
  1 loads of z, by loops 0: 1 in 0 of 0
  1 loads of c, by loops 1: 1 in 0 of 1
  1 stores of total, by loops
  each element
    total.6 = 1
    alone for i.0 in 0..n
      alone z.7 = 7
      z[i.0] = z.7
      alone e.1 = z.7 + x[i.0]
      alone for a.2 in 0..k
        alone e.1 = (e.1 * 3) % 89
        z[i.0] = z[i.0] + (e.1 + c[a.2])
      alone total.6 = ((total.6 * 2) % 61) + e.1
    total[] = total.6

changed: (int64, int64)(int64, int64)
  as  gufunc_hoisted_stores_changed_i8i8_i8i8
  in  x i8, c i8
  out z i8, total i8
  var v.0 i8, i.1 i8, a.2 i8, total.3 i8
  one thread a call
  loop 0 in -1, serial: n
  loop 1 in 0, points: k
  work by loops 0, 42 integer
  work by loops 0 1, 4 integer
  2 stores of z, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 0: 1 in 0 of 0
  1 loads of z, by loops 0: 1 in 0 of 0
  1 loads of c, by loops 1: 1 in 0 of 1
  1 stores of total, by loops
  each element
    total.3 = 1
    v.0 = 5
    for i.1 in 0..n
      sync blocks z[i.1] = v.0
      v.0 = x[i.1] % 4
      for a.2 in 0..k
        z[i.1] = z[i.1] + (v.0 * c[a.2])
      shared as
        sync blocks spread a.2 in 0..k
          z[i.1] = z[i.1] + (v.0 * c[a.2])
      total.3 = ((total.3 * 2) % 61) + v.0
    total[] = total.3

other: (int64, int64)(int64, int64)
  as  gufunc_hoisted_stores_other_i8i8_i8i8
  in  x i8, c i8
  out z i8, total i8
  var i.0 i8, i.1 i8, a.2 i8, bin.3 i8, z.4 i8, key.5 i8, entry.6 i8, term.7 i8, key.8 i8,
      total.9 i8, key.10 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  loop 0 in -1, points: n
  loop 1 in -1, serial: n
  loop 2 in 1, points: k
  work by loops 1 2, 2 integer
  work by loops 1, 24 integer
  1 stores of z, by loops 0: 1 in 0 of 0
  1 stores of total, by loops
  2 stores of z, by loops 1: 1 in 0 of 1
  1 loads of z, by loops 1: 1 in 0 of 1
  1 loads of c, by loops 2: 1 in 0 of 2
  1 loads of total, by loops
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of total, by loops
  each element
    spread i.0 in 0..n
      z[i.0] = 1
    total[] = 1
    for i.1 in 0..n, dealt out to bins of z, total
      sync blocks z[(i.1 + ((1 % n) - n)) % n] = 0
      for a.2 in 0..k
        z[i.1] = z[i.1] + c[a.2]
      shared as
        sync blocks spread a.2 in 0..k
          z[i.1] = z[i.1] + c[a.2]
      total[] = ((total[] * 2) % 61) + x[i.1]

stopped: (int64, int64)(int64, int64)
  as  gufunc_hoisted_stores_stopped_i8i8_i8i8
  in  x i8, c i8
  out z i8, total i8
  var i.0 i8, i.1 i8, a.2 i8, total.3 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial, may end: n
  loop 2 in 1, points: k
  work by loops 1 2, 2 integer
  work by loops 1, 26 integer
  1 stores of z, by loops 0: 1 in 0 of 0
  2 stores of z, by loops 1: 1 in 0 of 1
  1 loads of z, by loops 1: 1 in 0 of 1
  1 loads of c, by loops 2: 1 in 0 of 2
  2 loads of x, by loops 1: 1 in 0 of 1
  1 stores of total, by loops
  each element
    spread i.0 in 0..n
      z[i.0] = 1
    total.3 = 1
    block 0
      for i.1 in 0..n
        sync blocks z[i.1] = 0
        for a.2 in 0..k
          z[i.1] = z[i.1] + c[a.2]
        shared as
          sync blocks spread a.2 in 0..k
            z[i.1] = z[i.1] + c[a.2]
        if x[i.1] > 1
          leave block 0
        else
          total.3 = ((total.3 * 2) % 61) + x[i.1]
    total[] = total.3

planes: (int64, int64)(int64, int64)
  as  gufunc_hoisted_stores_planes_i8i8_i8i8_stored
  in  x i8, c i8
  out y i8, total i8
  var i.0 i8, j.1 i8, a.2 i8, step.3 i8, i.4 i8, j.5 i8, total.6 i8, single.7 i8, y.8 i8, total.9 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  loop 0 in -1, points: n
  loop 1 in 0, serial: 4
  loop 2 in 1, serial: k
  loop 3 in -1, points: 1
  loop 4 in 3, serial: n
  work by loops 0 1 2, 22 integer
  work by loops 0 2, 4 integer
  work by loops 4, 24 integer
  1 stores of total, by loops
  1 loads of c, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of total, by loops
  1 loads of x, by loops 4: 1 in 0 of 4
  1 stores of total, by loops
  each element
    total[] = 1
    spread i.0 in 0..n
      for j.1 in 0..4
        y.8 = j.1
        for a.2 in 0..k
          y.8 = ((y.8 * 2) + (c[a.2] * x[i.0])) % 53
        y[i.0, j.1] = y.8
    sync blocks spread single.7 in 0..1
      total.6 = total[]
      for i.0 in 0..n
        total.6 = ((total.6 * 2) % 61) + x[i.0]
      total[] = total.6

planes: (int64, int64)(int64, int64)
  as  gufunc_hoisted_stores_planes_i8i8_i8i8
  in  x i8, c i8
  out y i8, total i8
  var i.0 i8, j.1 i8, a.2 i8, step.3 i8, i.4 i8, j.5 i8, total.6 i8, term.7 i8, key.8 i8, y.9 i8,
      y.10 i8, total.11 i8
  one thread a call
  loop 0 in -1, serial: n
  loop 1 in 0, points: 4
  loop 2 in 1, serial: k
  work by loops 0 1 2, 22 integer
  work by loops 0 2, 4 integer
  work by loops 0, 24 integer
  2 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of c, by loops 2: 1 in 0 of 2
  2 loads of x, by loops 0: 1 in 0 of 0
  1 stores of total, by loops
  each element
    total.11 = 1
    for i.0 in 0..n
      for j.1 in 0..4
        y[i.0, j.1] = j.1
        y.10 = y[i.0, j.1]
        for a.2 in 0..k
          y.10 = ((y.10 * 2) + (c[a.2] * x[i.0])) % 53
        if 0 < k
          y[i.0, j.1] = y.10
      shared as
        sync row i.0 spread j.1 in 0..4
          y.9 = j.1
          for a.2 in 0..k
            y.9 = ((y.9 * 2) + (c[a.2] * x[i.0])) % 53
          y[i.0, j.1] = y.9
      total.11 = ((total.11 * 2) % 61) + x[i.0]
    total[] = total.11

0copy: int64(int64)
  as  gufunc_hoisted_stores_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float16(float16)
  as  gufunc_hoisted_stores_0copy_f2_f2
  in  x f2
  out out f2
  each element
    store out = x

0copy: complex64(complex64)
  as  gufunc_hoisted_stores_0copy_c8_c8
  in  x c8
  out out c8
  each element
    store out = complex(real(x), imag(x))
