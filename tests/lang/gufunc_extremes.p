greatest: int64(int64, int64, int64)
  as  gufunc_extremes_greatest_i8_i8i8i8
  in  k i8, w i8, c i8
  out s i8
  var j.0 i8, i.1 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of c s
  loop 0 in -1, points: m
  loop 1 in -1, points: n
  work by loops 1, 40 integer
  1 loads of c, by loops 0: 1 in 0 of 0
  1 stores of s, by loops 0: 1 in 0 of 0
  2 loads of k, by loops 1: 1 in 0 of 1
  1 loads of s, by loops 1, irregular
  1 loads of w, by loops 1: 1 in 0 of 1
  1 stores of s, by loops 1, irregular
  each element
    spread j.0 in 0..m
      s[j.0] = c[j.0]
    sync blocks spread i.1 in 0..n
      s[k[i.1] % 3] = max(s[k[i.1] % 3], w[i.1])

least: int64(int64, int64, int64)
  as  gufunc_extremes_least_i8_i8i8i8
  in  k i8, w i8, c i8
  out s i8
  var j.0 i8, i.1 i8, cur.2 i8, x.3 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of c s
  loop 0 in -1, points: m
  loop 1 in -1, points: n
  work by loops 1, 62 integer
  1 loads of c, by loops 0: 1 in 0 of 0
  1 stores of s, by loops 0: 1 in 0 of 0
  1 loads of w, by loops 1: 1 in 0 of 1
  2 loads of k, by loops 1: 1 in 0 of 1
  1 loads of s, by loops 1, irregular
  1 stores of s, by loops 1, irregular
  each element
    spread j.0 in 0..m
      s[j.0] = c[j.0]
    sync blocks spread i.1 in 0..n
      x.3 = (w[i.1] * 5) % 7
      s[k[i.1] % 3] = min(s[k[i.1] % 3], x.3)

chosen: int64(int64, int64, int64)
  as  gufunc_extremes_chosen_i8_i8i8i8
  in  k i8, w i8, c i8
  out s i8
  var j.0 i8, i.1 i8, choice.2 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of c s
  loop 0 in -1, points: m
  loop 1 in -1, points: n
  work by loops 1, 40 integer
  1 loads of c, by loops 0: 1 in 0 of 0
  1 stores of s, by loops 0: 1 in 0 of 0
  2 loads of k, by loops 1: 1 in 0 of 1
  1 loads of s, by loops 1, irregular
  1 loads of w, by loops 1: 1 in 0 of 1
  1 stores of s, by loops 1, irregular
  each element
    spread j.0 in 0..m
      s[j.0] = c[j.0]
    sync blocks spread i.1 in 0..n
      s[k[i.1] % 3] = min(s[k[i.1] % 3], w[i.1])

where_greater: int64(int64, int64, int64)
  as  gufunc_extremes_where_greater_i8_i8i8i8
  in  k i8, w i8, c i8
  out s i8
  var j.0 i8, i.1 i8, c.2 b1, x.3 i8, y.4 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of c s
  loop 0 in -1, points: m
  loop 1 in -1, points: n
  work by loops 1, 40 integer
  1 loads of c, by loops 0: 1 in 0 of 0
  1 stores of s, by loops 0: 1 in 0 of 0
  2 loads of k, by loops 1: 1 in 0 of 1
  1 loads of s, by loops 1, irregular
  1 loads of w, by loops 1: 1 in 0 of 1
  1 stores of s, by loops 1, irregular
  each element
    spread j.0 in 0..m
      s[j.0] = c[j.0]
    sync blocks spread i.1 in 0..n
      s[k[i.1] % 3] = max(s[k[i.1] % 3], w[i.1])

elsewhere: int64(int64, int64, int64)
  as  gufunc_extremes_elsewhere_i8_i8i8i8
  in  k i8, w i8, c i8
  out s i8
  var j.0 i8, i.1 i8, q.2 i8, cur.3 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: m
  loop 1 in -1, serial: n
  work by loops 1, 40 integer
  1 loads of c, by loops 0: 1 in 0 of 0
  1 stores of s, by loops 0: 1 in 0 of 0
  1 loads of k, by loops 1: 1 in 0 of 1
  1 loads of s, by loops 1, irregular
  2 loads of w, by loops 1: 1 in 0 of 1
  1 stores of s, by loops 1, irregular
  each element
    spread j.0 in 0..m
      s[j.0] = c[j.0]
    sync blocks alone for i.1 in 0..n
      alone q.2 = k[i.1] % 3
      alone cur.3 = s[q.2]
      alone q.2 = (q.2 + 1) % 3
      alone if w[i.1] > cur.3
        s[q.2] = w[i.1]

counted: (int64, int64)(int64, int64, int64)
  as  gufunc_extremes_counted_i8i8_i8i8i8
  in  k i8, w i8, c i8
  out s i8, t i8
  var j.0 i8, j.1 i8, i.2 i8, choice.3 i8, term.4 i8, bin.5 i8, s.6 i8, chosen.7 b1, chosen.8 b1,
      chosen.9 b1, t.10 i8, key.11 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of c s t
  loop 0 in -1, points: m
  loop 1 in -1, serial: n
  work by loops 1, 98 integer
  1 loads of c, by loops 0: 1 in 0 of 0
  1 stores of s, by loops 0: 1 in 0 of 0
  1 stores of t, by loops 0: 1 in 0 of 0
  2 loads of w, by loops 1: 1 in 0 of 1
  5 loads of k, by loops 1: 1 in 0 of 1
  2 loads of s, by loops 1, irregular
  1 stores of s, by loops 1, irregular
  1 loads of t, by loops 1, irregular
  1 stores of t, by loops 1, irregular
  each element
    spread j.0 in 0..m
      s[j.0] = c[j.0]
      t[j.0] = 0
    sync blocks alone for i.2 in 0..n, dealt out to bins of s, t
      alone if w[i.2] > s[k[i.2] % 3]
        alone choice.3 = w[i.2]
      else
        alone choice.3 = s[k[i.2] % 3]
      s[k[i.2] % 3] = choice.3
      alone if (choice.3 > 4) or (choice.3 < -6)
        t[k[i.2] % 3] = t[k[i.2] % 3] + 1

narrow: int16(int64, int64, int16)
  as  gufunc_extremes_narrow_i2_i8i8i2
  in  k i8, w i8, c i2
  out s i2
  var j.0 i8, i.1 i8, term.2 i8, bin.3 i8, s.4 i2, chosen.5 b1, term.6 i2, key.7 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  4 neighbours a thread, where side by side are elements of c s
  loop 0 in -1, points: m
  loop 1 in -1, serial: n
  work by loops 1, 38 integer
  1 loads of c, by loops 0: 1 in 0 of 0
  1 stores of s, by loops 0: 1 in 0 of 0
  2 loads of w, by loops 1: 1 in 0 of 1
  2 loads of k, by loops 1: 1 in 0 of 1
  1 loads of s, by loops 1, irregular
  1 stores of s, by loops 1, irregular
  each element
    spread j.0 in 0..m
      s[j.0] = c[j.0]
    sync blocks alone for i.1 in 0..n, dealt out to bins of s
      alone if w[i.1] > i8(s[k[i.1] % 3])
        s[k[i.1] % 3] = i2(w[i.1])

small: uint8(int64, uint8, uint8)
  as  gufunc_extremes_small_u1_i8u1u1
  in  k i8, w u1, c u1
  out s u1
  var j.0 i8, i.1 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  4 neighbours a thread, where side by side are elements of c s
  loop 0 in -1, points: m
  loop 1 in -1, points: n
  work by loops 1, 38 integer
  1 loads of c, by loops 0: 1 in 0 of 0
  1 stores of s, by loops 0: 1 in 0 of 0
  2 loads of k, by loops 1: 1 in 0 of 1
  1 loads of s, by loops 1, irregular
  1 loads of w, by loops 1: 1 in 0 of 1
  1 stores of s, by loops 1, irregular
  each element
    spread j.0 in 0..m
      s[j.0] = c[j.0]
    sync blocks spread i.1 in 0..n
      s[k[i.1] % 3] = min(s[k[i.1] % 3], w[i.1])

increasing: int64(float32)
  as  gufunc_extremes_increasing_i8_f4
  in  x f4
  out l i8
  var i.0 i8, j.1 i8, both.2 b1
  one thread a call
  loop 0 in -1, serial: n
  loop 1 in 0, points: 0 n + 2 // 0 - 0 max
  work by loops 0 1, 7 integer
  2 stores of l, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 0 1: 1 in 0 of 1
  1 loads of x, by loops 0: 1 in 0 of 0
  1 loads of l, by loops 0: 1 in 0 of 0
  1 loads of l, by loops 0 1: 1 in 0 of 1
  each element
    for i.0 in 0..n
      sync blocks l[i.0] = 1
      for j.1 in 0..i.0
        if x[j.1] < x[i.0]
          l[i.0] = max(l[i.0], l[j.1] + 1)
      shared as
        sync blocks spread j.1 in 0..i.0
          if x[j.1] < x[i.0]
            l[i.0] = max(l[i.0], l[j.1] + 1)

0copy: uint8(uint8)
  as  gufunc_extremes_0copy_u1_u1
  in  x u1
  out out u1
  each element
    store out = x

0copy: int16(int16)
  as  gufunc_extremes_0copy_i2_i2
  in  x i2
  out out i2
  each element
    store out = x

0copy: int64(int64)
  as  gufunc_extremes_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float32(float32)
  as  gufunc_extremes_0copy_f4_f4
  in  x f4
  out out f4
  each element
    store out = x
