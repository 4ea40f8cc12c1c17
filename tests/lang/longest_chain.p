all_of: float32(float32)
  as  longest_chain_all_of_f4_f4
  in  x f4
  out s f4
  var t.0 f4, i.1 i8, j.2 i8
  a thread, or a block for series, a call
  loop 0 in -1, serial: m
  loop 1 in 0, serial: 4 clocks: n
  work by loops 0 1, 1 float32
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of s, by loops
  longest chain: 4 m n
  each element
    t.0 = 0.0
    alone for i.1 in 0..m, a series of t.0
      alone for j.2 in 0..n
        alone t.0 = t.0 + x[i.1, j.2]
    s[] = t.0

rows_of: float32(float32)
  as  longest_chain_rows_of_f4_f4_calls
  in  x f4
  out s f4
  var i.0 i8, t.1 f4, j.2 i8
  a thread, or a block for series, a call
  loop 0 in -1, serial: 4 clocks: n
  work by loops 0, 1 float32
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of s, by loops
  each element
    t.1 = 0.0
    alone for j.2 in 0..n, a series of t.1
      alone t.1 = t.1 + x[j.2]
    s[] = t.1

rows_of: float32(float32)
  as  longest_chain_rows_of_f4_f4
  in  x f4
  out s f4
  var i.0 i8, t.1 f4, j.2 i8, s.3 f4
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, points: m
  loop 1 in 0, serial: 4 clocks: n
  work by loops 0 1, 1 float32
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of s, by loops 0: 1 in 0 of 0
  longest chain: 4 n
  each element
    spread i.0 in 0..m
      t.1 = 0.0
      for j.2 in 0..n, a series of t.1
        t.1 = t.1 + x[i.0, j.2]
      s[i.0] = t.1

twice: float64(float64)
  as  longest_chain_twice_f8_f8
  in  x f8
  out s f8
  var t.0 f8, i.1 i8, u.2 f8, i.3 i8
  a thread, or a block for series, a call
  loop 0 in -1, serial: 8 clocks: n
  loop 1 in -1, serial: 8 clocks: n
  work by loops 0, 1 float64
  work by loops 1, 2 float64
  1 loads of x, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of s, by loops
  longest chain: 8 + 16 n
  each element
    t.0 = 0.0
    alone for i.1 in 0..n, a series of t.0
      alone t.0 = t.0 + x[i.1]
    u.2 = 0.0
    alone for i.3 in 0..n, a series of u.2
      alone u.2 = u.2 + (t.0 * x[i.3])
    s[] = u.2

table: float64(float64)
  as  longest_chain_table_f8_f8
  in  x f8
  out t f8
  var i.0 i8, j.1 i8, j.2 i8, i.3 i8, j.4 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: m
  loop 1 in 0, points: n
  loop 2 in -1, serial: n 1 - 0 max
  loop 3 in -1, serial: m 1 - 0 max
  loop 4 in 3, serial: n 1 - 0 max
  work by loops 2, 1 float64
  work by loops 3, 1 float64
  work by loops 3 4, 2 float64
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of t, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  2 loads of t, by loops 2: 1 in 1 of 2
  1 stores of t, by loops 2: 1 in 1 of 2
  2 loads of t, by loops 3: 1 in 0 of 3
  1 stores of t, by loops 3: 1 in 0 of 3
  3 loads of t, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 stores of t, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  longest chain: -24 + 8 m + 16 n
  each element
    spread i.0 in 0..m, j.1 in 0..n
      t[i.0, j.1] = x[i.0, j.1]
    sync blocks for j.2 in 1..n
      t[0, j.2] = t[0, j.2] + t[0, j.2 - 1]
    sync blocks for i.3 in 1..m by 1 behind one another
      sync blocks t[i.3, 0] = t[i.3, 0] + t[i.3 - 1, 0]
      for j.4 in 1..n
        t[i.3, j.4] = t[i.3 - 1, j.4] + (t[i.3, j.4 - 1] + t[i.3 - 1, j.4 - 1])

triangle: float32(float32)
  as  longest_chain_triangle_f4_f4
  in  x f4
  out s f4
  var t.0 f4, i.1 i8, j.2 i8
  a thread, or a block for series, a call
  loop 0 in -1, serial: n
  loop 1 in 0, serial: 4 clocks: 0 n + 2 // 1 + 0 - 0 max
  work by loops 0 1, 1 float32
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of s, by loops
  longest chain: 2 n + 2 n n
  each element
    t.0 = 0.0
    alone for i.1 in 0..n, a series of t.0
      alone for j.2 in 0..(i.1 + 1)
        alone t.0 = t.0 + x[i.1, j.2]
    s[] = t.0

lower: float64(float64)
  as  longest_chain_lower_f8_f8
  in  x f8
  out s f8
  var acc.0 f8, other.1 f8, i.2 i8, bound.3 i8, j.4 i8, value.5 f8, result.6 f8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, reduction: n
  loop 1 in 0, reduction: 0 n + 2 // 1 + 0 - 0 max
  work by loops 0 1, 1 float64
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of s, by loops
  each element
    acc.0 = 0.0
    spread i.2 in 0..n to acc.0
      for j.4 in 0..(i.2 + 1)
        value.5 = x[i.2, j.4]
        acc.0 = acc.0 + value.5
    join
      acc.0 = acc.0 + other.1
    result.6 = acc.0
    s[] = result.6

solved: float64(float64, float64)
  as  longest_chain_solved_f8_f8f8_retimed
  in  l f8, b f8
  out y f8
  var i.0 i8, acc.1 f8, other.2 f8, bound.3 i8, j.4 i8, result.5 f8, step.6 i8, i.7 i8, i.8 i8
  one thread a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: 68 clocks: n
  loop 2 in 1, points: n 0 n + 2 // 1 + - 0 max
  work by loops 1, 9 float64, 1 special
  work by loops 1 2, 1 float64
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of b, by loops 1: 1 in 0 of 1
  2 loads of y, by loops 1: 1 in 0 of 1
  1 loads of l, by loops 1: 1 in 0 of 1, 1 in 1 of 1
  1 stores of y, by loops 1: 1 in 0 of 1
  1 loads of l, by loops 1 2: 1 in 0 of 1, 1 in 0 of 2, 1 in 1 of 1
  1 loads of y, by loops 1 2: 1 in 0 of 1, 1 in 0 of 2
  1 stores of y, by loops 1 2: 1 in 0 of 1, 1 in 0 of 2
  each element
    for i.7 in 0..n
      y[i.7] = 0.0
    shared as
      spread i.7 in 0..n
        y[i.7] = 0.0
    for step.6 in 0..n
      sync blocks y[step.6] = (b[step.6] - y[step.6]) / l[step.6, step.6]
      for i.8 in (step.6 + 1)..n
        y[i.8] = fma(l[i.8, step.6], y[step.6], y[i.8])
      shared as
        sync blocks spread i.8 in (step.6 + 1)..n
          y[i.8] = fma(l[i.8, step.6], y[step.6], y[i.8])

solved: float64(float64, float64)
  as  longest_chain_solved_f8_f8f8
  in  l f8, b f8
  out y f8
  var i.0 i8, acc.1 f8, other.2 f8, bound.3 i8, j.4 i8, result.5 f8
  a thread, a warp or a block a call
  loop 0 in -1, serial: n
  loop 1 in 0, reduction: 0 n + 2 // 0 - 0 max
  work by loops 0 1, 1 float64
  work by loops 0, 9 float64, 1 special
  1 loads of l, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of y, by loops 0 1: 1 in 0 of 1
  1 loads of b, by loops 0: 1 in 0 of 0
  1 loads of l, by loops 0: 1 in 0 of 0, 1 in 1 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  longest chain: 20 + 40 n
  each element
    for i.0 in 0..n
      acc.1 = 0.0
      bound.3 = i.0
      sync blocks portions spread j.4 in 0..bound.3 to acc.1
        acc.1 = fma(l[i.0, j.4], y[j.4], acc.1)
      join
        acc.1 = acc.1 + other.2
      result.5 = acc.1
      y[i.0] = (b[i.0] - result.5) / l[i.0, i.0]

halved: float32(float32, float32)
  as  longest_chain_halved_f4_f4f4
  in  a f4, x f4
  out s f4
  var t.0 f4, i.1 i8
  one thread a call
  loop 0 in -1, serial: 32 clocks: n
  work by loops 0, 36 float32, 4 special
  work by loops, 9 float32, 1 special
  4 loads of x, by loops 0: 1 in 0 of 0
  1 stores of s, by loops
  longest chain: 12 + 12 n
  each element
    t.0 = a
    alone for i.1 in 0..n
      alone t.0 = ((t.0 / 2.0) + ((x[i.1] / 2.0) * x[i.1])) + ((x[i.1] / 4.0) - (x[i.1] / 4.0))
    s[] = (t.0 * 13.0) / 8.0

ends: float64(float64, float64)
  as  longest_chain_ends_f8_f8f8
  in  x f8, most f8
  out s f8
  var t.0 f8, i.1 i8
  one thread a call
  loop 0 in -1, serial, may end: 8 clocks: n
  work by loops 0, 2 float64
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of s, by loops
  each element
    t.0 = 0.0
    block 0
      for i.1 in 0..n
        t.0 = t.0 + x[i.1]
        if t.0 >= most
          leave block 0
    s[] = t.0

until: float64(float64, float64)
  as  longest_chain_until_f8_f8f8
  in  a f8, x f8
  out s f8
  var t.0 f8
  one thread a call
  loop 0 in -1, serial, may end: ?
  work by loops 0, 9 float64, 1 special
  1 loads of x, by loops
  1 stores of s, by loops
  each element
    t.0 = a
    block 0
      loop
        if t.0 > x[0]
          t.0 = t.0 / 2.0
        else
          leave block 0
    s[] = t.0

some: float64(float64)
  as  longest_chain_some_f8_f8
  in  x f8
  out s f8
  var t.0 f8, i.1 i8
  a thread, or a block for series, a call
  loop 0 in -1, serial: n
  work by loops 0, 2 float64
  2 loads of x, by loops 0: 1 in 0 of 0
  1 stores of s, by loops
  each element
    t.0 = 0.0
    alone for i.1 in 0..n, a series of t.0
      alone if x[i.1] > 1.0
        alone t.0 = t.0 + x[i.1]
    s[] = t.0

bins: float32(int32, float32, float32)
  as  longest_chain_bins_f4_i4f4f4
  in  k i4, x f4, z f4
  out h f4
  var j.0 i8, i.1 i8, bin.2 i8, h.3 f4, term.4 f4, key.5 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  4 neighbours a thread, where side by side are elements of z h
  loop 0 in -1, points: g
  loop 1 in -1, serial: n
  work by loops 1, 1 float32
  1 loads of z, by loops 0: 1 in 0 of 0
  1 stores of h, by loops 0: 1 in 0 of 0
  2 loads of k, by loops 1: 1 in 0 of 1
  1 loads of h, by loops 1, irregular
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of h, by loops 1, irregular
  longest chain: 4 n / g
  each element
    spread j.0 in 0..g
      h[j.0] = z[j.0]
    sync blocks alone for i.1 in 0..n, dealt out to bins of h
      h[i8(k[i.1])] = h[i8(k[i.1])] + x[i.1]

bins_of_some: float32(int32, float32)
  as  longest_chain_bins_of_some_f4_i4f4
  in  k i4, x f4
  out h f4
  var j.0 i8, i.1 i8, bin.2 i8, h.3 f4, term.4 f4, key.5 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  loop 0 in -1, points: 3
  loop 1 in -1, serial: n
  work by loops 1, 1 float32, 1 integer
  1 stores of h, by loops 0: 1 in 0 of 0
  3 loads of k, by loops 1: 1 in 0 of 1
  1 loads of h, by loops 1, irregular
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of h, by loops 1, irregular
  each element
    spread j.0 in 0..3
      h[j.0] = 0.0
    sync blocks alone for i.1 in 0..n, dealt out to bins of h
      alone if k[i.1] < 2
        h[i8(k[i.1])] = h[i8(k[i.1])] + x[i.1]

bins_of_whole: int64(int32)
  as  longest_chain_bins_of_whole_i8_i4_stored
  in  k i4
  out h i8, stored i8
  var j.0 i8, i.1 i8, i.2 i8, at.3 i8, i.4 i8, at.5 i8, i.6 i8
  a thread, a warp or a block a call, or threads a point, in 5 phases
  loop 0 in -1, points: 3
  loop 1 in -1, points: 3
  loop 2 in -1, points: n
  loop 3 in -1, points: 3
  loop 4 in -1, points: n
  work by loops 2, 8 integer
  work by loops 3, 2 integer
  work by loops 4, 6 integer
  1 stores of h, by loops 0: 1 in 0 of 0
  1 stores of stored, by loops 1: 1 in 0 of 1
  2 loads of k, by loops 2: 1 in 0 of 2
  1 loads of stored, by loops 2, irregular
  1 stores of stored, by loops 2, irregular
  2 loads of stored, by loops 3: 1 in 0 of 3
  1 stores of h, by loops 3: 1 in 0 of 3
  2 loads of k, by loops 4: 1 in 0 of 4
  1 loads of h, by loops 4, irregular
  1 stores of h, by loops 4, irregular
  each element
    spread j.0 in 0..3
      h[j.0] = 0
    spread at.3 in 0..3
      stored[at.3] = -9223372036854775808
    sync blocks spread i.4 in 0..n
      stored[i8(min(k[i.4], 2))] = max(stored[i8(min(k[i.4], 2))], i.4)
    sync blocks spread at.5 in 0..3
      if stored[at.5] != -9223372036854775808
        i.6 = stored[at.5]
        h[at.5] = 1
    sync blocks spread i.2 in 0..n
      h[i8(min(k[i.2], 2))] = h[i8(min(k[i.2], 2))] + 0

bins_of_whole: int64(int32)
  as  longest_chain_bins_of_whole_i8_i4
  in  k i4
  out h i8
  var j.0 i8, i.1 i8, i.2 i8, bin.3 i8, h.4 i8, key.5 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  loop 0 in -1, points: 3
  loop 1 in -1, serial: n
  loop 2 in -1, points: n
  work by loops 1, 2 integer
  work by loops 2, 6 integer
  1 stores of h, by loops 0: 1 in 0 of 0
  1 loads of k, by loops 1: 1 in 0 of 1
  1 stores of h, by loops 1, irregular
  2 loads of k, by loops 2: 1 in 0 of 2
  1 loads of h, by loops 2, irregular
  1 stores of h, by loops 2, irregular
  each element
    spread j.0 in 0..3
      h[j.0] = 0
    sync blocks alone for i.1 in 0..n, dealt out to bins of h
      h[i8(min(k[i.1], 2))] = 1
    sync blocks spread i.2 in 0..n
      h[i8(min(k[i.2], 2))] = h[i8(min(k[i.2], 2))] + 0

bins_anyhow: float32(int32, float32)
  as  longest_chain_bins_anyhow_f4_i4f4
  in  k i4, x f4
  out h f4, _top_0 i4, _sum_1 i8
  var j.0 i8, t.1 i8, t.2 i8, i.3 i8, x.4 f4, i.5 i8, x.6 f4, top.7 i4, e.8 i4, n.9 i4, x.10 f8,
      choice.11 i8, 0..12 i8, y.13 f4, top.14 i4, n.15 i8, e.16 i4, _with_quanta.17 f8,
      nans.18 b1, below.19 u8, h.20 f4
  a thread, a warp or a block a call, or threads a point, in 4 phases
  loop 0 in -1, points: 3
  loop 1 in -1, points: n
  loop 2 in -1, points: n
  loop 3 in -1, points: 3
  work by loops 1, 2 float32, 3 integer
  work by loops 2, 4 float64, 17 integer
  work by loops 3, 3 float64, 12 integer
  1 stores of _top_0, by loops 0: 1 in 0 of 0
  1 stores of _sum_1, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: 1 in 0 of 1
  2 loads of k, by loops 1: 1 in 0 of 1
  1 loads of _top_0, by loops 1, irregular
  1 stores of _top_0, by loops 1, irregular
  1 loads of x, by loops 2: 1 in 0 of 2
  3 loads of k, by loops 2: 1 in 0 of 2
  1 loads of _top_0, by loops 2, irregular
  1 loads of _sum_1, by loops 2, irregular
  1 stores of _sum_1, by loops 2, irregular
  1 loads of _top_0, by loops 3: 1 in 0 of 3
  1 loads of _sum_1, by loops 3: 1 in 0 of 3
  1 stores of h, by loops 3: 1 in 0 of 3
  each element
    spread t.1 in 0..3
      _top_0[t.1] = 0
      _sum_1[t.1] = 0
    sync blocks spread i.3 in 0..n
      x.4 = x[i.3]
      _top_0[i8(k[i.3])] = max(_top_0[i8(k[i.3])], i4(bits(x.4)) & 2147483647)
    sync blocks spread i.5 in 0..n
      x.6 = x[i.5]
      top.7 = _top_0[i8(k[i.5])]
      e.8 = max(top.7 >> 23, 1) - 126
      if e.8 <= 128
        n.9 = 30 - e.8
        x.10 = f8(x.6) * frombits(u8(n.9 + 1023) << 52)
        choice.11 = i8(bits(x.10 + 6755399441055744)) - 4843621399236968448
      else
        choice.11 = where(x.6 == inf, 1, where(x.6 == -inf, 1 << 32, 0))
      _sum_1[i8(k[i.5])] = _sum_1[i8(k[i.5])] + choice.11
    sync blocks spread 0..12 in 0..3
      h.20 = 0.0
      y.13 = h.20
      top.14 = _top_0[0..12]
      n.15 = _sum_1[0..12]
      e.16 = max(top.14 >> 23, 1) - 126
      if top.14 == 0
        _with_quanta.17 = f8(y.13)
      else if e.16 > 128
        nans.18 = top.14 > 2139095040
        below.19 = u8(n.15) >> 32
        _with_quanta.17 = f8(y.13) + where(nans.18 or ((below.19 != 0) and ((n.15 & 4294967295) != 0)), nan, where(below.19 != 0, -inf, inf))
      else
        _with_quanta.17 = f8(y.13) + ldexp(f8(n.15), e.16 - 30)
      h.20 = f4(_with_quanta.17)
      h[0..12] = h.20

as_many: float32(float32)
  as  longest_chain_as_many_f4_f4
  in  x f4
  out s f4
  var t.0 f4, i.1 i8
  a thread, or a block for series, a call
  loop 0 in -1, serial: 4 clocks: m n min 0 - 0 max
  work by loops 0, 1 float32
  1 loads of x, by loops 0: 1 in 0 of 0, 1 in 1 of 0
  1 stores of s, by loops
  longest chain: 4 n, at most 4 m
  each element
    t.0 = 0.0
    alone for i.1 in 0..min(m, n), a series of t.0
      alone t.0 = t.0 + x[i.1, i.1]
    s[] = t.0

first_ones: float64(float64)
  as  longest_chain_first_ones_f8_f8
  in  x f8
  out s f8
  var t.0 f8, i.1 i8
  a thread, or a block for series, a call
  loop 0 in -1, serial: n
  work by loops 0, 1 float64
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of s, by loops
  each element
    t.0 = 0.0
    alone for i.1 in 0..n, a series of t.0
      alone if i.1 < 1000
        alone t.0 = t.0 + x[i.1]
    s[] = t.0

last_ones: float64(float64)
  as  longest_chain_last_ones_f8_f8
  in  x f8
  out s f8
  var t.0 f8, i.1 i8
  a thread, or a block for series, a call
  loop 0 in -1, serial: n
  work by loops 0, 1 float64
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of s, by loops
  each element
    t.0 = 0.0
    alone for i.1 in 0..n, a series of t.0
      alone if i.1 >= (n - 100)
        alone t.0 = t.0 + x[i.1]
    s[] = t.0

turns: float64(float64)
  as  longest_chain_turns_f8_f8
  in  x f8
  out s f8
  var t.0 f8, i.1 i8
  a thread, or a block for series, a call
  loop 0 in -1, serial: 100
  work by loops 0, 1 float64
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of s, by loops
  each element
    t.0 = 0.0
    alone for i.1 in 0..100, a series of t.0
      alone if i.1 < n
        alone t.0 = t.0 + x[i.1]
    s[] = t.0

shorter: float64(float64, float64)
  as  longest_chain_shorter_f8_f8f8
  in  x f8, y f8
  out s f8
  var t.0 f8, i.1 i8
  a thread, or a block for series, a call
  loop 0 in -1, serial: n
  work by loops 0, 1 float64
  work by loops, 1 float64
  1 loads of x, by loops 0: 1 in 0 of 0
  1 loads of y, by loops
  1 stores of s, by loops
  each element
    t.0 = 0.0
    alone for i.1 in 0..n, a series of t.0
      alone if i.1 < (10 * m)
        alone t.0 = t.0 + x[i.1]
    s[] = t.0 * y[0]

counted: float64(float64)
  as  longest_chain_counted_f8_f8
  in  x f8
  out s f8
  var q.0 f8, c.1 i8, i.2 i8, choice.3 f8
  one thread a call
  loop 0 in -1, serial: 68 clocks: n
  work by loops 0, 10 float64, 2 integer, 1 special
  work by loops, 1 float64, 2 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  2 loads of x, by loops
  1 stores of s, by loops
  longest chain: 68 n
  each element
    q.0 = 1.0
    c.1 = 0
    for i.2 in 0..n
      q.0 = x[i.2] - (0.5 / q.0)
      if q.0 < -1.0
        c.1 = c.1 + 1
    if c.1 > 1
      choice.3 = x[0]
    else
      choice.3 = x[1] - 1.0
    s[] = choice.3

parts: float64(float64)
  as  longest_chain_parts_f8_f8_stored
  in  x f8
  out y f8
  var i.0 i8, j.1 i8, i.2 i8, kept.3 f8, kept.4 f8, y.5 f8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of y
  loop 0 in -1, points: m
  loop 1 in -1, points: m
  loop 2 in 1, serial: 8 clocks: n
  work by loops 1 2, 2 float64
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 1: 1 in 0 of 1
  1 loads of x, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 stores of y, by loops 1: 1 in 0 of 1
  each element
    spread i.0 in 0..m
      y[i.0] = 1.0
    sync blocks spread i.2 in 0..m
      kept.4 = y[i.2]
      for j.1 in 0..n, a series of kept.4
        kept.4 = kept.4 + (2.0 * x[i.2, j.1])
      y[i.2] = kept.4

parts: float64(float64)
  as  longest_chain_parts_f8_f8
  in  x f8
  out y f8
  var i.0 i8, j.1 i8, i.2 i8, kept.3 f8, kept.4 f8
  a thread, a warp or a block a call
  registers of a warp's lanes keep y, a lane for each index
  loop 0 in -1, points: m
  loop 1 in -1, serial: n
  loop 2 in 1, points: m
  work by loops 1 2, 2 float64
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 1 2: 1 in 0 of 2, 1 in 1 of 1
  1 stores of y, by loops 2: 1 in 0 of 2
  longest chain: 8 + 8 n
  each element
    spread i.0 in 0..m
      y[i.0] = 1.0
    for j.1 in 0..n
      sync blocks spread i.2 in 0..m
        y[i.2] = y[i.2] + (2.0 * x[i.2, j.1])

three: float64(float64)
  as  longest_chain_three_f8_f8_stored
  in  x f8
  out y f8
  var i.0 i8, j.1 i8, i.2 i8, kept.3 f8, kept.4 f8, y.5 f8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  loop 0 in -1, points: 3
  loop 1 in -1, points: 3
  loop 2 in 1, serial: 8 clocks: n
  work by loops 1 2, 1 float64
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 1: 1 in 0 of 1
  1 loads of x, by loops 1 2: 1 in 0 of 1, 1 in 1 of 2
  1 stores of y, by loops 1: 1 in 0 of 1
  each element
    spread i.0 in 0..3
      y[i.0] = 0.0
    sync blocks spread i.2 in 0..3
      kept.4 = y[i.2]
      for j.1 in 0..n, a series of kept.4
        kept.4 = kept.4 + x[i.2, j.1]
      y[i.2] = kept.4

three: float64(float64)
  as  longest_chain_three_f8_f8
  in  x f8
  out y f8
  var i.0 i8, j.1 i8, i.2 i8, kept.3 f8, kept.4 f8, bin.5 i8, y.6 f8, term.7 f8, key.8 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  registers of a warp's lanes keep y, a lane for each index
  loop 0 in -1, points: 3
  loop 1 in -1, serial: n
  loop 2 in 1, points: 3
  work by loops 1 2, 1 float64
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 1 2: 1 in 0 of 2, 1 in 1 of 1
  1 stores of y, by loops 2: 1 in 0 of 2
  longest chain: 8 n
  each element
    spread i.0 in 0..3
      y[i.0] = 0.0
    for j.1 in 0..n, dealt out to bins of y
      for i.2 in 0..3
        y[i.2] = y[i.2] + x[i.2, j.1]
      shared as
        sync blocks spread i.2 in 0..3
          y[i.2] = y[i.2] + x[i.2, j.1]

all_but_one: float64(float64)
  as  longest_chain_all_but_one_f8_f8
  in  x f8
  out y f8
  var i.0 i8, y.1 f8
  one thread a call
  loop 0 in -1, serial: 8 clocks: n 1 - 1 - 0 max
  work by loops 0, 1 float64
  1 loads of x, by loops
  1 stores of y, by loops
  1 loads of y, by loops
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  longest chain: -16 + 8 n
  each element
    y[0] = x[0]
    if 1 < (n - 1)
      alone y.1 = y[1 + -1]
    alone for i.0 in 1..(n - 1)
      alone y.1 = y.1 + x[i.0]
      y[i.0] = y.1

0copy: int32(int32)
  as  longest_chain_0copy_i4_i4
  in  x i4
  out out i4
  each element
    store out = x

0copy: int64(int64)
  as  longest_chain_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float32(float32)
  as  longest_chain_0copy_f4_f4
  in  x f4
  out out f4
  each element
    store out = x

0copy: float64(float64)
  as  longest_chain_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
