confusion: float64(int32, int32)
  as  gufunc_local_merged_confusion_f8_i4i4
  in  t i4, p i4
  out c f8, h i8
  var t.0 i8, t.1 i8, i.2 i8, i.3 i8, s.4 i8, j.5 i8, j.6 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  loop 0 in -1, points: 4
  loop 1 in 0, points: 4
  loop 2 in -1, points: n
  loop 3 in -1, points: 4
  loop 4 in 3, serial: 4
  loop 5 in 3, serial: 4
  work by loops 2, 38 integer
  work by loops 3 4, 2 integer
  work by loops 3 5, 8 float64, 2 special
  work by loops 3, 4 integer, 1 special
  1 stores of h, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  2 loads of t, by loops 2: 1 in 0 of 2
  2 loads of p, by loops 2: 1 in 0 of 2
  1 loads of h, by loops 2, irregular
  1 stores of h, by loops 2, irregular
  1 loads of h, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 loads of h, by loops 3 5: 1 in 0 of 3, 1 in 1 of 5
  1 stores of c, by loops 3 5: 1 in 0 of 3, 1 in 1 of 5
  each element
    spread t.0 in 0..4, t.1 in 0..4
      h[t.0, t.1] = 0
    sync blocks spread i.2 in 0..n
      h[i8(t[i.2] % 4), i8(p[i.2] % 4)] = h[i8(t[i.2] % 4), i8(p[i.2] % 4)] + 1
    sync blocks spread i.3 in 0..4
      s.4 = 0
      for j.5 in 0..4
        s.4 = s.4 + h[i.3, j.5]
      for j.6 in 0..4
        c[i.3, j.6] = f8(h[i.3, j.6]) / f8(max(s.4, 1))

modes: (int64, float32)(uint8)
  as  gufunc_local_merged_modes_i8f4_u1
  in  x u1
  out best i8, steps f4, h i4
  var t.0 i8, t.1 i8, v.2 u1, most.3 i8, at.4 i8, s.5 f4, k.6 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  loop 0 in -1, points: 16
  loop 1 in -1, points: n
  loop 2 in -1, serial: 4 clocks: 16
  work by loops 1, 11 integer
  work by loops 2, 2 float32, 2 integer, 1 special
  work by loops
  1 stores of h, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: 1 in 0 of 1
  1 loads of h, by loops 1, irregular
  1 stores of h, by loops 1, irregular
  3 loads of h, by loops 2: 1 in 0 of 2
  1 stores of best, by loops
  1 stores of steps, by loops
  each element
    spread t.0 in 0..16
      h[t.0] = 0
    sync blocks spread t.1 in 0..n
      v.2 = x[t.1]
      h[i8(v.2 % 16)] = h[i8(v.2 % 16)] + 1
    most.3 = 0
    at.4 = -1
    s.5 = 0.0
    sync blocks alone for k.6 in 0..16
      alone s.5 = s.5 + (f4(h[k.6]) * 0.25)
      alone if i8(h[k.6]) > most.3
        alone most.3 = i8(h[k.6])
        alone at.4 = k.6
    best[] = at.4 + (2 * n)
    steps[] = s.5

bytes: float64(uint8)
  as  gufunc_local_merged_bytes_f8_u1
  in  x u1
  out s f8, h i4
  var t.0 i8, t.1 i8, v.2 u1, acc.3 i8, other.4 i8, k.5 i8, value.6 i8, result.7 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  4 neighbours a thread, where side by side are elements of h
  loop 0 in -1, points: 256
  loop 1 in -1, points: n
  loop 2 in -1, reduction: 256
  work by loops 1, 1 integer
  work by loops 2, 3 integer
  work by loops, 1 special
  1 stores of h, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: 1 in 0 of 1
  1 loads of h, by loops 1, irregular
  1 stores of h, by loops 1, irregular
  1 loads of h, by loops 2: 1 in 0 of 2
  1 stores of s, by loops
  each element
    spread t.0 in 0..256
      h[t.0] = 0
    sync blocks spread t.1 in 0..n
      v.2 = x[t.1]
      h[i8(v.2)] = h[i8(v.2)] + 1
    acc.3 = 0
    sync blocks spread k.5 in 0..256 to acc.3
      value.6 = i8(h[k.5] * i4(k.5 % 3))
      acc.3 = acc.3 + value.6
    join
      acc.3 = acc.3 + other.4
    result.7 = acc.3
    s[] = f8(result.7)

ordered: (float32, int64)(float32, int32)
  as  gufunc_local_merged_ordered_f4i8_f4i4
  in  x f4, k i4
  out y f4, z i8, s f4, last i8
  var t.0 i8, t.1 i8, i.2 i8, bin.3 i8, s.4 f4, term.5 f4, last.6 i8, term.7 i8, key.8 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  loop 0 in -1, points: 4
  loop 1 in -1, serial: n
  work by loops 1, 1 float32, 27 integer
  work by loops, 1 float32
  1 stores of s, by loops 0: 1 in 0 of 0
  1 stores of last, by loops 0: 1 in 0 of 0
  3 loads of k, by loops 1: 1 in 0 of 1
  1 loads of s, by loops 1, irregular
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of s, by loops 1, irregular
  1 stores of last, by loops 1, irregular
  2 loads of s, by loops
  1 stores of y, by loops
  1 loads of last, by loops
  1 stores of z, by loops
  longest chain: 1 n
  each element
    spread t.0 in 0..4
      s[t.0] = 0.0
      last[t.0] = 0
    sync blocks alone for i.2 in 0..n, dealt out to bins of s, last
      s[i8(k[i.2] % 4)] = s[i8(k[i.2] % 4)] + x[i.2]
      last[i8(k[i.2] % 4)] = i.2
    y[] = s[0] + s[3]
    z[] = last[1]

0copy: uint8(uint8)
  as  gufunc_local_merged_0copy_u1_u1
  in  x u1
  out out u1
  each element
    store out = x

0copy: int32(int32)
  as  gufunc_local_merged_0copy_i4_i4
  in  x i4
  out out i4
  each element
    store out = x

0copy: int64(int64)
  as  gufunc_local_merged_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float32(float32)
  as  gufunc_local_merged_0copy_f4_f4
  in  x f4
  out out f4
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_local_merged_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
