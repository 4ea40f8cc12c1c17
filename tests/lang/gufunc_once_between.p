kernels: float64(float64)
  as  gufunc_once_between_kernels_f8_f8
  in  x f8
  out y f8
  var i.0 i8, j.1 i8, u.2 f8, v.3 f8, s.4 f8, a.5 i8, b.6 i8, t.7 f8, a.8 f8, choice.9 f8, t.10 f8,
      a.11 f8, choice.12 f8, t.13 f8, a.14 f8, choice.15 f8, t.16 f8, a.17 f8, choice.18 f8,
      t.19 f8, a.20 f8, choice.21 f8, t.22 f8, a.23 f8, choice.24 f8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, points: h
  loop 1 in 0, points: w
  loop 2 in 1, serial: 32 clocks: 3 -1 - 0 max
  work by loops 0, 3 float64, 1 special
  work by loops 1, 57 float64, 1 special
  work by loops, 4 special
  work by loops 0 2, 12 float64
  work by loops 2, 1 special
  work by loops 0 1 2, 12 float64
  4 loads of x, by loops 0 1 2: 1 in 0 of 0, 1 in 0 of 2, 1 in 1 of 1
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  each element
    spread i.0 in 0..h, j.1 in 0..w
      u.2 = f8(i.0) * 0.7
      v.3 = f8(j.1) * 0.4
      s.4 = 0.0
      t.13 = (v.3 - floor(v.3)) - f8(-1)
      a.14 = abs(t.13)
      if a.14 < 1.0
        choice.15 = ((((1.5 * a.14) - 2.5) * a.14) * a.14) + 1.0
      else
        choice.15 = where(a.14 < 2.0, (((((-0.5 * a.14) + 2.5) * a.14) - 4.0) * a.14) + 2.0, 0.0 * a.14)
      t.16 = (v.3 - floor(v.3)) - f8(0)
      a.17 = abs(t.16)
      if a.17 < 1.0
        choice.18 = ((((1.5 * a.17) - 2.5) * a.17) * a.17) + 1.0
      else
        choice.18 = where(a.17 < 2.0, (((((-0.5 * a.17) + 2.5) * a.17) - 4.0) * a.17) + 2.0, 0.0 * a.17)
      t.19 = (v.3 - floor(v.3)) - f8(1)
      a.20 = abs(t.19)
      if a.20 < 1.0
        choice.21 = ((((1.5 * a.20) - 2.5) * a.20) * a.20) + 1.0
      else
        choice.21 = where(a.20 < 2.0, (((((-0.5 * a.20) + 2.5) * a.20) - 4.0) * a.20) + 2.0, 0.0 * a.20)
      t.22 = (v.3 - floor(v.3)) - f8(2)
      a.23 = abs(t.22)
      if a.23 < 1.0
        choice.24 = ((((1.5 * a.23) - 2.5) * a.23) * a.23) + 1.0
      else
        choice.24 = where(a.23 < 2.0, (((((-0.5 * a.23) + 2.5) * a.23) - 4.0) * a.23) + 2.0, 0.0 * a.23)
      for a.5 in -1..3
        t.7 = (u.2 - floor(u.2)) - f8(a.5)
        a.8 = abs(t.7)
        if a.8 < 1.0
          choice.9 = ((((1.5 * a.8) - 2.5) * a.8) * a.8) + 1.0
        else
          choice.9 = where(a.8 < 2.0, (((((-0.5 * a.8) + 2.5) * a.8) - 4.0) * a.8) + 2.0, 0.0 * a.8)
        s.4 = s.4 + ((x[clip(i.0 + a.5, 0, h - 1), clip(j.1 + -1, 0, w - 1)] * choice.9) * choice.15)
        s.4 = s.4 + ((x[clip(i.0 + a.5, 0, h - 1), clip(j.1 + 0, 0, w - 1)] * choice.9) * choice.18)
        s.4 = s.4 + ((x[clip(i.0 + a.5, 0, h - 1), clip(j.1 + 1, 0, w - 1)] * choice.9) * choice.21)
        s.4 = s.4 + ((x[clip(i.0 + a.5, 0, h - 1), clip(j.1 + 2, 0, w - 1)] * choice.9) * choice.24)
      y[i.0, j.1] = s.4

set_between: (int64, int64)(int64, int64)
  as  gufunc_once_between_set_between_i8i8_i8i8
  in  x i8, z i8
  out y i8, t i8
  var i.0 i8, last.1 i8, kept.2 i8, s.3 i8, a.4 i8, b.5 i8, own.6 i8, far.7 i8, more.8 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, points: n
  loop 1 in 0, serial: 3
  loop 2 in 1, serial: 4
  work by loops 2, 40 integer
  work by loops 0 1 2, 12 integer
  work by loops 0, 2 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  12 loads of z, by loops 2: 1 in 0 of 2
  1 stores of y, by loops 0: 1 in 0 of 0
  1 stores of t, by loops 0: 1 in 0 of 0
  each element
    spread i.0 in 0..n
      last.1 = x[i.0]
      kept.2 = 7
      s.3 = 0
      for a.4 in 0..3
        for b.5 in 0..4
          far.7 = ((((((((z[b.5] * z[b.5]) + 3) * z[b.5]) * z[b.5]) * z[b.5]) * z[b.5]) + (((z[b.5] * z[b.5]) * z[b.5]) * 5)) + (z[b.5] * 11)) - (z[b.5] * z[b.5])
          if (far.7 % 3) == 1
            kept.2 = far.7
          own.6 = last.1 * (a.4 + 1)
          s.3 = s.3 + ((own.6 * far.7) + kept.2)
          last.1 = (far.7 % 5) + b.5
          more.8 = ((((far.7 * far.7) * far.7) + (far.7 * far.7)) - (far.7 * 9)) + (far.7 * last.1)
          if b.5 == 2
            kept.2 = a.4
          s.3 = s.3 - more.8
      y[i.0] = s.3
      t[i.0] = last.1 + kept.2

stored_between: int64(int64, int64)
  as  gufunc_once_between_stored_between_i8_i8i8_calls
  in  x i8, z i8
  out y i8
  var i.0 i8, c.1 i8, a.2 i8, b.3 i8, own.4 i8, far.5 i8, near.6 i8
  one thread a call
  loop 0 in -1, points: 4
  loop 1 in -1, serial: 3
  loop 2 in 1, points: 4
  work by loops 0, 2 integer
  work by loops 1, 4 integer
  work by loops 1 2, 20 integer
  work by loops 2, 60 integer
  1 loads of x, by loops
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 1: 1 in 0 of 1
  1 loads of y, by loops 2: 1 in 0 of 2
  23 loads of z, by loops 2: 1 in 0 of 2
  1 stores of y, by loops 2: 1 in 0 of 2
  each element
    for c.1 in 0..4
      y[c.1] = x[] + c.1
    shared as
      spread c.1 in 0..4
        y[c.1] = x[] + c.1
    for a.2 in 0..3
      for b.3 in 0..4
        own.4 = y[a.2] * 3
        far.5 = ((((((((y[b.3] * z[b.3]) + 3) * z[b.3]) * z[b.3]) * z[b.3]) * z[b.3]) + (((z[b.3] * z[b.3]) * z[b.3]) * 5)) + (z[b.3] * 11)) - (z[b.3] * z[b.3])
        near.6 = ((((((((z[b.3] * z[b.3]) + 3) * z[b.3]) * z[b.3]) * z[b.3]) * z[b.3]) + (((z[b.3] * z[b.3]) * z[b.3]) * 5)) + (z[b.3] * 11)) - (z[b.3] * z[b.3])
        y[b.3] = ((own.4 + far.5) - near.6) % 97
      shared as
        sync blocks spread b.3 in 0..a.2
          own.4 = y[a.2] * 3
          far.5 = ((((((((y[b.3] * z[b.3]) + 3) * z[b.3]) * z[b.3]) * z[b.3]) * z[b.3]) + (((z[b.3] * z[b.3]) * z[b.3]) * 5)) + (z[b.3] * 11)) - (z[b.3] * z[b.3])
          near.6 = ((((((((z[b.3] * z[b.3]) + 3) * z[b.3]) * z[b.3]) * z[b.3]) * z[b.3]) + (((z[b.3] * z[b.3]) * z[b.3]) * 5)) + (z[b.3] * 11)) - (z[b.3] * z[b.3])
          y[b.3] = ((own.4 + far.5) - near.6) % 97
        own.4 = y[a.2] * 3
        far.5 = ((((((((y[a.2] * z[a.2]) + 3) * z[a.2]) * z[a.2]) * z[a.2]) * z[a.2]) + (((z[a.2] * z[a.2]) * z[a.2]) * 5)) + (z[a.2] * 11)) - (z[a.2] * z[a.2])
        near.6 = ((((((((z[a.2] * z[a.2]) + 3) * z[a.2]) * z[a.2]) * z[a.2]) * z[a.2]) + (((z[a.2] * z[a.2]) * z[a.2]) * 5)) + (z[a.2] * 11)) - (z[a.2] * z[a.2])
        sync blocks y[a.2] = ((own.4 + far.5) - near.6) % 97
        sync blocks spread b.3 in (a.2 + 1)..4
          own.4 = y[a.2] * 3
          far.5 = ((((((((y[b.3] * z[b.3]) + 3) * z[b.3]) * z[b.3]) * z[b.3]) * z[b.3]) + (((z[b.3] * z[b.3]) * z[b.3]) * 5)) + (z[b.3] * 11)) - (z[b.3] * z[b.3])
          near.6 = ((((((((z[b.3] * z[b.3]) + 3) * z[b.3]) * z[b.3]) * z[b.3]) * z[b.3]) + (((z[b.3] * z[b.3]) * z[b.3]) * 5)) + (z[b.3] * 11)) - (z[b.3] * z[b.3])
          y[b.3] = ((own.4 + far.5) - near.6) % 97

stored_between: int64(int64, int64)
  as  gufunc_once_between_stored_between_i8_i8i8
  in  x i8, z i8
  out y i8
  var i.0 i8, c.1 i8, a.2 i8, b.3 i8, own.4 i8, far.5 i8, near.6 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of y
  2 neighbours a thread, where side by side are elements of y
  loop 0 in -1, points: n
  loop 1 in 0, points: 4
  loop 2 in -1, points: n
  loop 3 in 2, serial: 3
  loop 4 in 3, serial: 4
  work by loops 0 1, 2 integer
  work by loops 2 3 4, 24 integer
  work by loops 4, 60 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of y, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of y, by loops 2 4: 1 in 0 of 2, 1 in 1 of 4
  23 loads of z, by loops 4: 1 in 0 of 4
  1 stores of y, by loops 2 4: 1 in 0 of 2, 1 in 1 of 4
  each element
    spread i.0 in 0..n, c.1 in 0..4
      y[i.0, c.1] = x[i.0] + c.1
    sync blocks spread i.0 in 0..n
      for a.2 in 0..3
        for b.3 in 0..4
          own.4 = y[i.0, a.2] * 3
          far.5 = ((((((((y[i.0, b.3] * z[b.3]) + 3) * z[b.3]) * z[b.3]) * z[b.3]) * z[b.3]) + (((z[b.3] * z[b.3]) * z[b.3]) * 5)) + (z[b.3] * 11)) - (z[b.3] * z[b.3])
          near.6 = ((((((((z[b.3] * z[b.3]) + 3) * z[b.3]) * z[b.3]) * z[b.3]) * z[b.3]) + (((z[b.3] * z[b.3]) * z[b.3]) * 5)) + (z[b.3] * 11)) - (z[b.3] * z[b.3])
          y[i.0, b.3] = ((own.4 + far.5) - near.6) % 97

0copy: int64(int64)
  as  gufunc_once_between_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_once_between_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
