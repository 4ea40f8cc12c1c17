mixed: float64(float64)
  as  gufunc_once_mixed_f8_f8_calls
  in  x f8
  out y f8
  var i.0 i8, k.1 i8, acc.2 f8, other.3 f8, l.4 i8, c.5 f8, choice.6 f8, result.7 f8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, points: 3
  loop 1 in 0, reduction: 3
  work by loops 1, 29 float64, 2 special
  work by loops 0 1, 1 float64
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of y, by loops 0: 1 in 0 of 0
  each element
    spread k.1 in 0..3
      acc.2 = 0.0
      each l.4 in 0..3 to acc.2
        c.5 = x[l.4]
        if c.5 > 1.0
          choice.6 = where(c.5 != -inf, c.5 * sqrt(c.5), inf) + sqrt(c.5)
        else
          choice.6 = (c.5 / 4.0) + sqrt(c.5)
        acc.2 = fma(M[k.1, l.4], choice.6, acc.2)
      join
        acc.2 = acc.2 + other.3
      result.7 = acc.2
      y[k.1] = result.7

mixed: float64(float64)
  as  gufunc_once_mixed_f8_f8
  in  x f8
  out y f8
  var i.0 i8, k.1 i8, acc.2 f8, other.3 f8, l.4 i8, c.5 f8, choice.6 f8, result.7 f8, c.8 f8,
      choice.9 f8, c.10 f8, choice.11 f8, c.12 f8, choice.13 f8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  2 neighbours a thread, where side by side are elements of x y
  loop 0 in -1, points: n
  loop 1 in 0, serial: 3
  work by loops 0, 87 float64, 6 special
  work by loops 0 1, 3 float64
  3 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  each element
    spread i.0 in 0..n
      c.8 = x[i.0, 0]
      if c.8 > 1.0
        choice.9 = where(c.8 != -inf, c.8 * sqrt(c.8), inf) + sqrt(c.8)
      else
        choice.9 = (c.8 / 4.0) + sqrt(c.8)
      c.10 = x[i.0, 1]
      if c.10 > 1.0
        choice.11 = where(c.10 != -inf, c.10 * sqrt(c.10), inf) + sqrt(c.10)
      else
        choice.11 = (c.10 / 4.0) + sqrt(c.10)
      c.12 = x[i.0, 2]
      if c.12 > 1.0
        choice.13 = where(c.12 != -inf, c.12 * sqrt(c.12), inf) + sqrt(c.12)
      else
        choice.13 = (c.12 / 4.0) + sqrt(c.12)
      for k.1 in 0..3
        acc.2 = 0.0
        acc.2 = fma(M[k.1, 0], choice.9, acc.2)
        acc.2 = fma(M[k.1, 1], choice.11, acc.2)
        acc.2 = fma(M[k.1, 2], choice.13, acc.2)
        result.7 = acc.2
        y[i.0, k.1] = result.7

ordered: (float64, float64)(float64)
  as  gufunc_once_ordered_f8f8_f8_calls
  in  x f8
  out y f8, last f8
  var i.0 i8, t.1 f8, k.2 i8, l.3 i8, c.4 f8, choice.5 f8, c.6 f8, choice.7 f8, c.8 f8, choice.9 f8,
      c.10 f8, choice.11 f8
  one thread a call
  loop 0 in -1, serial: 3
  work by loops, 90 float64, 9 special
  work by loops 0, 9 float64
  3 loads of x, by loops
  1 stores of y, by loops 0: 1 in 0 of 0
  1 stores of last, by loops
  each element
    t.1 = 0.0
    c.6 = x[0] + f8(0)
    if c.6 > 1.0
      choice.7 = where(c.6 != -inf, c.6 * sqrt(c.6), inf) + sqrt(c.6)
    else
      choice.7 = (c.6 / 4.0) + sqrt(c.6)
    c.8 = x[1] + f8(1)
    if c.8 > 1.0
      choice.9 = where(c.8 != -inf, c.8 * sqrt(c.8), inf) + sqrt(c.8)
    else
      choice.9 = (c.8 / 4.0) + sqrt(c.8)
    c.10 = x[2] + f8(2)
    if c.10 > 1.0
      choice.11 = where(c.10 != -inf, c.10 * sqrt(c.10), inf) + sqrt(c.10)
    else
      choice.11 = (c.10 / 4.0) + sqrt(c.10)
    alone for k.2 in 0..3
      alone t.1 = 0.0
      alone t.1 = (t.1 * 2.0) + (M[k.2, 0] * choice.7)
      alone t.1 = (t.1 * 2.0) + (M[k.2, 1] * choice.9)
      alone t.1 = (t.1 * 2.0) + (M[k.2, 2] * choice.11)
      y[k.2] = t.1
    last[] = t.1

ordered: (float64, float64)(float64)
  as  gufunc_once_ordered_f8f8_f8
  in  x f8
  out y f8, last f8
  var i.0 i8, t.1 f8, k.2 i8, l.3 i8, c.4 f8, choice.5 f8, c.6 f8, choice.7 f8, c.8 f8, choice.9 f8,
      c.10 f8, choice.11 f8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  2 neighbours a thread, where side by side are elements of x y last
  loop 0 in -1, points: n
  loop 1 in 0, serial: 3
  work by loops 0, 90 float64, 6 special
  work by loops, 3 special
  work by loops 0 1, 9 float64
  3 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of last, by loops 0: 1 in 0 of 0
  each element
    spread i.0 in 0..n
      t.1 = 0.0
      c.6 = x[i.0, 0] + f8(0)
      if c.6 > 1.0
        choice.7 = where(c.6 != -inf, c.6 * sqrt(c.6), inf) + sqrt(c.6)
      else
        choice.7 = (c.6 / 4.0) + sqrt(c.6)
      c.8 = x[i.0, 1] + f8(1)
      if c.8 > 1.0
        choice.9 = where(c.8 != -inf, c.8 * sqrt(c.8), inf) + sqrt(c.8)
      else
        choice.9 = (c.8 / 4.0) + sqrt(c.8)
      c.10 = x[i.0, 2] + f8(2)
      if c.10 > 1.0
        choice.11 = where(c.10 != -inf, c.10 * sqrt(c.10), inf) + sqrt(c.10)
      else
        choice.11 = (c.10 / 4.0) + sqrt(c.10)
      for k.2 in 0..3
        t.1 = 0.0
        t.1 = (t.1 * 2.0) + (M[k.2, 0] * choice.7)
        t.1 = (t.1 * 2.0) + (M[k.2, 1] * choice.9)
        t.1 = (t.1 * 2.0) + (M[k.2, 2] * choice.11)
        y[i.0, k.2] = t.1
      last[i.0] = t.1

others: (float64, float64, float64, float64)(float64)
  as  gufunc_once_others_f8f8f8f8_f8_calls
  in  x f8
  out y f8, z f8, v f8, w f8
  var i.0 i8, kept.1 f8, l.2 i8, k.3 i8, a.4 f8, b.5 f8, d.6 f8, l.7 i8, c.8 f8, choice.9 f8,
      l.10 i8, c.11 f8, choice.12 f8, l.13 i8, c.14 f8, choice.15 f8, e.16 f8, l.17 i8,
      c.18 f8, choice.19 f8
  a thread, a warp or a block a call
  loop 0 in -1, points: 3
  loop 1 in -1, serial: 3
  loop 2 in 1, serial: 8 clocks: 3
  loop 3 in 1, serial: 8 clocks: 3
  loop 4 in 1, serial: 8 clocks: 3
  loop 5 in 1, serial, may end: 3
  work by loops 1 2, 31 float64, 2 special
  work by loops 1, 1 special
  work by loops 3, 30 float64, 2 special
  work by loops 4, 31 float64, 3 special
  work by loops 1 4, 1 float64
  work by loops 5, 29 float64, 2 special
  work by loops 1 5, 3 float64
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of z, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 2: 1 in 0 of 2
  1 loads of z, by loops 3: 1 in 0 of 3
  1 stores of z, by loops 1: 1 in 0 of 1
  2 loads of x, by loops 4: 1 in 0 of 4
  1 stores of y, by loops 1: 1 in 0 of 1
  1 stores of v, by loops 1: 1 in 0 of 1
  1 loads of x, by loops 5: 1 in 0 of 5
  1 stores of w, by loops 1: 1 in 0 of 1
  each element
    kept.1 = 9.0
    spread l.2 in 0..3
      z[l.2] = x[l.2]
    sync blocks alone for k.3 in 0..3
      alone a.4 = 0.0
      alone b.5 = 0.0
      alone d.6 = 0.0
      alone for l.7 in 0..3
        alone c.8 = x[l.7] + f8(k.3)
        alone if c.8 > 1.0
          alone choice.9 = where(c.8 != -inf, c.8 * sqrt(c.8), inf) + sqrt(c.8)
        else
          alone choice.9 = (c.8 / 4.0) + sqrt(c.8)
        alone a.4 = a.4 + choice.9
      alone for l.10 in 0..3
        alone c.11 = z[l.10]
        alone if c.11 > 1.0
          alone choice.12 = where(c.11 != -inf, c.11 * sqrt(c.11), inf) + sqrt(c.11)
        else
          alone choice.12 = (c.11 / 4.0) + sqrt(c.11)
        alone b.5 = b.5 + choice.12
        z[k.3] = b.5
      alone for l.13 in 0..3
        alone if x[l.13] > 2.0
          alone c.14 = x[l.13]
          alone if c.14 > 1.0
            alone choice.15 = where(c.14 != -inf, c.14 * sqrt(c.14), inf) + sqrt(c.14)
          else
            alone choice.15 = (c.14 / 4.0) + sqrt(c.14)
          alone kept.1 = choice.15 * f8(l.13)
        alone d.6 = d.6 + kept.1
      y[k.3] = a.4
      v[k.3] = d.6
      alone e.16 = 0.0
      alone block 0
        alone for l.17 in 0..3
          alone c.18 = x[l.17]
          alone if c.18 > 1.0
            alone choice.19 = where(c.18 != -inf, c.18 * sqrt(c.18), inf) + sqrt(c.18)
          else
            alone choice.19 = (c.18 / 4.0) + sqrt(c.18)
          alone if e.16 > 3.0
            alone leave block 0
          else
            alone e.16 = e.16 + (choice.19 * M[k.3, l.17])
      w[k.3] = e.16

others: (float64, float64, float64, float64)(float64)
  as  gufunc_once_others_f8f8f8f8_f8
  in  x f8
  out y f8, z f8, v f8, w f8
  var i.0 i8, kept.1 f8, l.2 i8, k.3 i8, a.4 f8, b.5 f8, d.6 f8, l.7 i8, c.8 f8, choice.9 f8,
      l.10 i8, c.11 f8, choice.12 f8, l.13 i8, c.14 f8, choice.15 f8, e.16 f8, l.17 i8,
      c.18 f8, choice.19 f8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, points: n
  loop 1 in 0, points: 3
  loop 2 in 0, serial: 3
  loop 3 in 2, serial: 8 clocks: 3
  loop 4 in 2, serial: 8 clocks: 3
  loop 5 in 2, serial: 8 clocks: 3
  loop 6 in 2, serial, may end: 3
  work by loops 0 2 3, 31 float64, 2 special
  work by loops 2, 1 special
  work by loops 0 4, 30 float64, 2 special
  work by loops 0 5, 31 float64, 2 special
  work by loops 5, 1 special
  work by loops 0 2 5, 1 float64
  work by loops 0 6, 29 float64, 2 special
  work by loops 0 2 6, 3 float64
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of z, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of x, by loops 0 3: 1 in 0 of 0, 1 in 1 of 3
  1 loads of z, by loops 0 4: 1 in 0 of 0, 1 in 1 of 4
  1 stores of z, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  2 loads of x, by loops 0 5: 1 in 0 of 0, 1 in 1 of 5
  1 stores of y, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  1 stores of v, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  1 loads of x, by loops 0 6: 1 in 0 of 0, 1 in 1 of 6
  1 stores of w, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  each element
    spread i.0 in 0..n
      kept.1 = 9.0
      each l.2 in 0..3
        z[i.0, l.2] = x[i.0, l.2]
      for k.3 in 0..3
        a.4 = 0.0
        b.5 = 0.0
        d.6 = 0.0
        for l.7 in 0..3
          c.8 = x[i.0, l.7] + f8(k.3)
          if c.8 > 1.0
            choice.9 = where(c.8 != -inf, c.8 * sqrt(c.8), inf) + sqrt(c.8)
          else
            choice.9 = (c.8 / 4.0) + sqrt(c.8)
          a.4 = a.4 + choice.9
        for l.10 in 0..3
          c.11 = z[i.0, l.10]
          if c.11 > 1.0
            choice.12 = where(c.11 != -inf, c.11 * sqrt(c.11), inf) + sqrt(c.11)
          else
            choice.12 = (c.11 / 4.0) + sqrt(c.11)
          b.5 = b.5 + choice.12
          z[i.0, k.3] = b.5
        for l.13 in 0..3
          if x[i.0, l.13] > 2.0
            c.14 = x[i.0, l.13]
            if c.14 > 1.0
              choice.15 = where(c.14 != -inf, c.14 * sqrt(c.14), inf) + sqrt(c.14)
            else
              choice.15 = (c.14 / 4.0) + sqrt(c.14)
            kept.1 = choice.15 * f8(l.13)
          d.6 = d.6 + kept.1
        y[i.0, k.3] = a.4
        v[i.0, k.3] = d.6
        e.16 = 0.0
        block 0
          for l.17 in 0..3
            c.18 = x[i.0, l.17]
            if c.18 > 1.0
              choice.19 = where(c.18 != -inf, c.18 * sqrt(c.18), inf) + sqrt(c.18)
            else
              choice.19 = (c.18 / 4.0) + sqrt(c.18)
            if e.16 > 3.0
              leave block 0
            else
              e.16 = e.16 + (choice.19 * M[k.3, l.17])
        w[i.0, k.3] = e.16

by_number: float64(float64, float64)
  as  gufunc_once_by_number_f8_f8f8_calls
  in  x f8, g f8
  out y f8
  var i.0 i8, k.1 i8, acc.2 f8, other.3 f8, l.4 i8, c.5 f8, choice.6 f8, result.7 f8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, points: 3
  loop 1 in 0, reduction: 3
  work by loops 1, 164 float64, 4 special
  work by loops 0 1, 1 float64
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of y, by loops 0: 1 in 0 of 0
  each element
    spread k.1 in 0..3
      acc.2 = 0.0
      each l.4 in 0..3 to acc.2
        c.5 = x[l.4]
        if c.5 > 1.0
          choice.6 = (c.5 ** g) + sqrt(c.5)
        else
          choice.6 = c.5 / 4.0
        acc.2 = fma(M[k.1, l.4], choice.6, acc.2)
      join
        acc.2 = acc.2 + other.3
      result.7 = acc.2
      y[k.1] = result.7

by_number: float64(float64, float64)
  as  gufunc_once_by_number_f8_f8f8
  in  x f8, g f8
  out y f8
  var i.0 i8, k.1 i8, acc.2 f8, other.3 f8, l.4 i8, c.5 f8, choice.6 f8, result.7 f8, c.8 f8,
      choice.9 f8, c.10 f8, choice.11 f8, c.12 f8, choice.13 f8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  2 neighbours a thread, where side by side are elements of x y
  loop 0 in -1, points: n
  loop 1 in 0, serial: 3
  work by loops 0, 492 float64, 12 special
  work by loops 0 1, 3 float64
  3 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  each element
    spread i.0 in 0..n
      c.8 = x[i.0, 0]
      if c.8 > 1.0
        choice.9 = (c.8 ** g) + sqrt(c.8)
      else
        choice.9 = c.8 / 4.0
      c.10 = x[i.0, 1]
      if c.10 > 1.0
        choice.11 = (c.10 ** g) + sqrt(c.10)
      else
        choice.11 = c.10 / 4.0
      c.12 = x[i.0, 2]
      if c.12 > 1.0
        choice.13 = (c.12 ** g) + sqrt(c.12)
      else
        choice.13 = c.12 / 4.0
      for k.1 in 0..3
        acc.2 = 0.0
        acc.2 = fma(M[k.1, 0], choice.9, acc.2)
        acc.2 = fma(M[k.1, 1], choice.11, acc.2)
        acc.2 = fma(M[k.1, 2], choice.13, acc.2)
        result.7 = acc.2
        y[i.0, k.1] = result.7

0copy: float64(float64)
  as  gufunc_once_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
