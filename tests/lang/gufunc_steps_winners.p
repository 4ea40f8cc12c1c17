relaxed: (float64, float64)(int32, int32, int32, uint8, uint8)
  as  gufunc_steps_winners_relaxed_f8f8_i4i4i4u1u1_steps
  in  u i4, v i4, w i4, z u1, steps u1
  out d f8, all f8, old f8, stored u8, stored i8
  var t.0 i8, i.1 i8, s.2 i8, i.3 i8, k.4 i8, acc.5 f8, other.6 f8, t.7 i8, x.8 f8, value.9 f8,
      result.10 f8, at.11 i8, at.12 i8, k.13 i8, value.14 f8, bits.15 u8, key.16 u8, k.17 i8,
      value.18 f8, bits.19 u8, key.20 u8, at.21 i8, k.22 i8, step.23 i8, stepped.24 i8
  a thread, a warp or a block a call, or threads a point, in 9 phases
  phases 2 to 7 are launched for each step
  2 neighbours a thread, where side by side are elements of d
  2 neighbours a thread, where side by side are elements of d old
  2 neighbours a thread, where side by side are elements of stored
  2 neighbours a thread, where side by side are elements of stored
  loop 0 in -1, points: m
  loop 1 in -1, points: m
  loop 2 in -1, points: m
  loop 3 in -1, points: m
  loop 4 in -1, points: e
  loop 5 in -1, points: e
  loop 6 in -1, points: m
  loop 7 in -1, reduction: m
  work by loops, 2 integer
  work by loops 4, 5 float64, 20 integer
  work by loops 5, 5 float64, 22 integer
  work by loops 6, 4 float64, 4 integer
  work by loops 7, 1 float64
  1 stores of d, by loops 0: 1 in 0 of 0
  1 stores of d, by loops
  1 loads of d, by loops 1: 1 in 0 of 1
  1 stores of old, by loops 1: 1 in 0 of 1
  1 stores of stored, by loops 2: 1 in 0 of 2
  1 stores of stored, by loops 3: 1 in 0 of 3
  1 loads of u, by loops 4: 1 in 0 of 4
  1 loads of old, by loops 4, irregular
  1 loads of w, by loops 4: 1 in 0 of 4
  2 loads of v, by loops 4: 1 in 0 of 4
  1 loads of stored, by loops 4, irregular
  1 stores of stored, by loops 4, irregular
  1 loads of u, by loops 5: 1 in 0 of 5
  1 loads of old, by loops 5, irregular
  1 loads of w, by loops 5: 1 in 0 of 5
  3 loads of v, by loops 5: 1 in 0 of 5
  1 loads of stored, by loops 5, irregular
  1 loads of stored, by loops 5, irregular
  1 stores of stored, by loops 5, irregular
  2 loads of stored, by loops 6: 1 in 0 of 6
  1 loads of d, by loops 6: 1 in 0 of 6
  1 loads of u, by loops 6, irregular
  1 loads of old, by loops 6, irregular
  1 loads of w, by loops 6, irregular
  1 stores of d, by loops 6: 1 in 0 of 6
  1 loads of d, by loops 7: 1 in 0 of 7
  1 stores of all, by loops
  each element
    spread i.1 in 0..m
      d[i.1] = 1000.0
    sync blocks d[0] = 0.0
    s.2 = 0 + step.23
    sync blocks spread i.3 in 0..m
      old[i.3] = d[i.3]
    spread at.11 in 0..m
      stored[at.11] = 0
    spread at.12 in 0..m
      stored[at.12] = -9223372036854775808
    sync blocks spread k.13 in 0..e
      value.14 = old[i8(u[k.13])] + f8(w[k.13])
      bits.15 = bits(value.14)
      key.16 = where(value.14 == value.14, ~where(bits.15 > 9223372036854775808, ~bits.15, where(bits.15 == 9223372036854775808, bits.15, bits.15 ^ 9223372036854775808)), 18446744073709551615)
      stored[i8(v[k.13])] = max(stored[i8(v[k.13])], key.16)
    sync blocks spread k.17 in 0..e
      value.18 = old[i8(u[k.17])] + f8(w[k.17])
      bits.19 = bits(value.18)
      key.20 = where(value.18 == value.18, ~where(bits.19 > 9223372036854775808, ~bits.19, where(bits.19 == 9223372036854775808, bits.19, bits.19 ^ 9223372036854775808)), 18446744073709551615)
      if key.20 == stored[i8(v[k.17])]
        stored[i8(v[k.17])] = max(stored[i8(v[k.17])], 0 - k.17)
    sync blocks spread at.21 in 0..m
      if stored[at.21] != -9223372036854775808
        k.22 = 0 - stored[at.21]
        d[at.21] = min(d[at.21], old[i8(u[k.22])] + f8(w[k.22]))
    stepped.24 = step.23
    acc.5 = 0.0
    sync blocks spread t.7 in 0..m to acc.5
      x.8 = d[t.7]
      value.9 = x.8
      acc.5 = acc.5 + value.9
    join
      acc.5 = acc.5 + other.6
    result.10 = acc.5
    all[] = result.10

relaxed: (float64, float64)(int32, int32, int32, uint8, uint8)
  as  gufunc_steps_winners_relaxed_f8f8_i4i4i4u1u1
  in  u i4, v i4, w i4, z u1, steps u1
  out d f8, all f8, old f8
  var t.0 i8, i.1 i8, s.2 i8, i.3 i8, k.4 i8, acc.5 f8, other.6 f8, t.7 i8, x.8 f8, value.9 f8,
      result.10 f8
  a thread, a warp or a block a call
  registers of a warp's lanes keep d old, a lane for each index
  loop 0 in -1, points: m
  loop 1 in -1, serial: t
  loop 2 in 1, points: m
  loop 3 in 1, serial: e
  loop 4 in -1, reduction: m
  work by loops 1 3, 3 float64
  work by loops 3, 1 float64
  work by loops 4, 1 float64
  1 stores of d, by loops 0: 1 in 0 of 0
  1 stores of d, by loops
  1 loads of d, by loops 2: 1 in 0 of 2
  1 stores of old, by loops 2: 1 in 0 of 2
  2 loads of v, by loops 3: 1 in 0 of 3
  1 loads of d, by loops 3, irregular
  1 loads of u, by loops 3: 1 in 0 of 3
  1 loads of old, by loops 3, irregular
  1 loads of w, by loops 3: 1 in 0 of 3
  1 stores of d, by loops 3, irregular
  1 loads of d, by loops 4: 1 in 0 of 4
  1 stores of all, by loops
  each element
    spread i.1 in 0..m
      d[i.1] = 1000.0
    sync blocks d[0] = 0.0
    for s.2 in 0..t
      sync blocks spread i.3 in 0..m
        old[i.3] = d[i.3]
      sync blocks alone for k.4 in 0..e
        d[i8(v[k.4])] = min(d[i8(v[k.4])], old[i8(u[k.4])] + f8(w[k.4]))
    acc.5 = 0.0
    sync blocks portions spread t.7 in 0..m to acc.5
      x.8 = d[t.7]
      value.9 = x.8
      acc.5 = acc.5 + value.9
    join
      acc.5 = acc.5 + other.6
    result.10 = acc.5
    all[] = result.10

signed: int32(int32, uint8, uint8)
  as  gufunc_steps_winners_signed_i4_i4u1u1_steps
  in  x i4, z u1, steps u1
  out p i4, d f4, stored u4, stored i8
  var t.0 i8, j.1 i8, s.2 i8, j.3 i8, k.4 i8, zero.5 f4, choice.6 f4, j.7 i8, choice.8 i4,
      choice.9 i4, at.10 i8, at.11 i8, k.12 i8, zero.13 f4, choice.14 f4, value.15 f4,
      bits.16 u4, key.17 u4, k.18 i8, zero.19 f4, choice.20 f4, value.21 f4, bits.22 u4,
      key.23 u4, at.24 i8, k.25 i8, zero.26 f4, choice.27 f4, step.28 i8, stepped.29 i8
  a thread, a warp or a block a call, or threads a point, in 8 phases
  phases 1 to 7 are launched for each step
  4 neighbours a thread, where side by side are elements of p
  4 neighbours a thread, where side by side are elements of d
  4 neighbours a thread, where side by side are elements of stored
  2 neighbours a thread, where side by side are elements of stored
  4 neighbours a thread, where side by side are elements of p d
  loop 0 in -1, points: m
  loop 1 in -1, points: m
  loop 2 in -1, points: m
  loop 3 in -1, points: m
  loop 4 in -1, points: n
  loop 5 in -1, points: n
  loop 6 in -1, points: m
  loop 7 in -1, points: m
  work by loops, 2 integer
  work by loops 4, 2 float32, 69 integer
  work by loops 5, 2 float32, 88 integer
  work by loops 6, 2 float32, 31 integer
  work by loops 7, 8 float32, 5 integer, 1 special
  1 stores of p, by loops 0: 1 in 0 of 0
  1 stores of d, by loops 1: 1 in 0 of 1
  1 stores of stored, by loops 2: 1 in 0 of 2
  1 stores of stored, by loops 3: 1 in 0 of 3
  5 loads of x, by loops 4: 1 in 0 of 4
  1 loads of stored, by loops 4, irregular
  1 stores of stored, by loops 4, irregular
  6 loads of x, by loops 5: 1 in 0 of 5
  1 loads of stored, by loops 5, irregular
  1 loads of stored, by loops 5, irregular
  1 stores of stored, by loops 5, irregular
  2 loads of stored, by loops 6: 1 in 0 of 6
  3 loads of x, by loops 6, irregular
  1 loads of d, by loops 6: 1 in 0 of 6
  1 stores of d, by loops 6: 1 in 0 of 6
  4 loads of d, by loops 7: 1 in 0 of 7
  1 loads of p, by loops 7: 1 in 0 of 7
  1 stores of p, by loops 7: 1 in 0 of 7
  each element
    spread j.1 in 0..m
      p[j.1] = 0
    s.2 = 0 + step.28
    spread j.3 in 0..m
      d[j.3] = -1.0
    spread at.10 in 0..m
      stored[at.10] = 0
    spread at.11 in 0..m
      stored[at.11] = -9223372036854775808
    sync blocks spread k.12 in 0..n
      zero.13 = where(i8((x[k.12] * 7) % 3) == s.2, -0.0, 0.0)
      if i8(x[k.12]) == (2011 + s.2)
        choice.14 = nan
      else
        choice.14 = where(i8(x[k.12] % 5) > s.2, zero.13, -7.0)
      value.15 = choice.14
      bits.16 = bits(value.15)
      key.17 = where(value.15 == value.15, where(bits.16 > 2147483648, ~bits.16, where(bits.16 == 2147483648, bits.16, bits.16 ^ 2147483648)), 4294967295)
      stored[i8(x[k.12] % i4(m))] = max(stored[i8(x[k.12] % i4(m))], key.17)
    sync blocks spread k.18 in 0..n
      zero.19 = where(i8((x[k.18] * 7) % 3) == s.2, -0.0, 0.0)
      if i8(x[k.18]) == (2011 + s.2)
        choice.20 = nan
      else
        choice.20 = where(i8(x[k.18] % 5) > s.2, zero.19, -7.0)
      value.21 = choice.20
      bits.22 = bits(value.21)
      key.23 = where(value.21 == value.21, where(bits.22 > 2147483648, ~bits.22, where(bits.22 == 2147483648, bits.22, bits.22 ^ 2147483648)), 4294967295)
      if key.23 == stored[i8(x[k.18] % i4(m))]
        stored[i8(x[k.18] % i4(m))] = max(stored[i8(x[k.18] % i4(m))], 0 - k.18)
    sync blocks spread at.24 in 0..m
      if stored[at.24] != -9223372036854775808
        k.25 = 0 - stored[at.24]
        zero.26 = where(i8((x[k.25] * 7) % 3) == s.2, -0.0, 0.0)
        if i8(x[k.25]) == (2011 + s.2)
          choice.27 = nan
        else
          choice.27 = where(i8(x[k.25] % 5) > s.2, zero.26, -7.0)
        d[at.24] = max(d[at.24], choice.27)
    sync blocks spread j.7 in 0..m
      if d[j.7] != d[j.7]
        choice.9 = 9
      else
        if d[j.7] != 0.0
          choice.8 = 0
        else
          choice.8 = where((1.0 / d[j.7]) > 0.0, 1, 2)
        choice.9 = choice.8
      p[j.7] = (p[j.7] * 10) + choice.9
    stepped.29 = step.28

signed: int32(int32, uint8, uint8)
  as  gufunc_steps_winners_signed_i4_i4u1u1
  in  x i4, z u1, steps u1
  out p i4, d f4
  var t.0 i8, j.1 i8, s.2 i8, j.3 i8, k.4 i8, zero.5 f4, choice.6 f4, j.7 i8, choice.8 i4,
      choice.9 i4
  a thread, a warp or a block a call
  registers of a warp's lanes keep p d, a lane for each index
  loop 0 in -1, points: m
  loop 1 in -1, serial: t
  loop 2 in 1, points: m
  loop 3 in 1, serial: n
  loop 4 in 1, points: m
  work by loops 1 3, 2 float32, 8 integer
  work by loops 3, 51 integer
  work by loops
  work by loops 1 4, 8 float32, 5 integer, 1 special
  1 stores of p, by loops 0: 1 in 0 of 0
  1 stores of d, by loops 2: 1 in 0 of 2
  5 loads of x, by loops 3: 1 in 0 of 3
  1 loads of d, by loops 3, irregular
  1 stores of d, by loops 3, irregular
  4 loads of d, by loops 4: 1 in 0 of 4
  1 loads of p, by loops 4: 1 in 0 of 4
  1 stores of p, by loops 4: 1 in 0 of 4
  each element
    spread j.1 in 0..m
      p[j.1] = 0
    for s.2 in 0..t
      sync blocks spread j.3 in 0..m
        d[j.3] = -1.0
      sync blocks alone for k.4 in 0..n
        alone zero.5 = where(i8((x[k.4] * 7) % 3) == s.2, -0.0, 0.0)
        alone if i8(x[k.4]) == (2011 + s.2)
          alone choice.6 = nan
        else
          alone choice.6 = where(i8(x[k.4] % 5) > s.2, zero.5, -7.0)
        d[i8(x[k.4] % i4(m))] = max(d[i8(x[k.4] % i4(m))], choice.6)
      sync blocks spread j.7 in 0..m
        if d[j.7] != d[j.7]
          choice.9 = 9
        else
          if d[j.7] != 0.0
            choice.8 = 0
          else
            choice.8 = where((1.0 / d[j.7]) > 0.0, 1, 2)
          choice.9 = choice.8
        p[j.7] = (p[j.7] * 10) + choice.9

0copy: uint8(uint8)
  as  gufunc_steps_winners_0copy_u1_u1
  in  x u1
  out out u1
  each element
    store out = x

0copy: int32(int32)
  as  gufunc_steps_winners_0copy_i4_i4
  in  x i4
  out out i4
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_steps_winners_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
