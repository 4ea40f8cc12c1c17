spans: float32(float32)
  as  gufunc_order_behind_spans_f4_f4_stored
  in  x f4
  out y f4, r f4, stored f4
  var t.0 i8, i.1 i8, s.2 f4, j.3 i8, total.4 f4, t.5 i8, v.6 f4, single.7 i8, r.8 f4, stored.9 f4
  a thread, a warp or a block a call, or threads a point, in 3 phases
  loop 0 in -1, points: m
  loop 1 in 0, serial: 4 clocks: n
  loop 2 in -1, points: 1
  loop 3 in 2, serial: 8 clocks: m
  work by loops 0 1, 2 float32
  work by loops 2 3, 2 float32
  work by loops 3, 1 float32
  2 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of r, by loops 0: 1 in 0 of 0
  1 loads of r, by loops 3: 1 in 0 of 3
  1 stores of stored, by loops
  1 loads of stored, by loops
  1 stores of y, by loops
  each element
    spread i.1 in 0..m
      s.2 = 0.0
      for j.3 in 0..n, a series of s.2
        s.2 = s.2 + (x[i.1, j.3] * x[i.1, j.3])
      r[i.1] = s.2
    total.4 = 1.0
    sync blocks spread single.7 in 0..1
      total.4 = 1.0
      for t.5 in 0..m
        v.6 = r[t.5]
        total.4 = (total.4 * 0.5) + (v.6 * 0.25)
      stored[] = total.4
    sync blocks y[] = stored[]

spans: float32(float32)
  as  gufunc_order_behind_spans_f4_f4
  in  x f4
  out y f4, r f4
  var t.0 i8, i.1 i8, s.2 f4, j.3 i8, total.4 f4, t.5 i8, v.6 f4
  one thread a call
  registers of a thread hold arrays along m up to 8, or powers of two up to 64
  loop 0 in -1, points: m
  loop 1 in 0, serial: 4 clocks: n
  loop 2 in -1, serial: 8 clocks: m
  work by loops 0 1, 2 float32
  work by loops 2, 3 float32
  2 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of r, by loops 0: 1 in 0 of 0
  1 loads of r, by loops 2: 1 in 0 of 2
  1 stores of y, by loops
  longest chain: 4 + 8 m + 4 n
  each element
    for i.1 in 0..m
      s.2 = 0.0
      for j.3 in 0..n
        s.2 = s.2 + (x[i.1, j.3] * x[i.1, j.3])
      r[i.1] = s.2
    shared as
      spread i.1 in 0..m
        s.2 = 0.0
        for j.3 in 0..n
          s.2 = s.2 + (x[i.1, j.3] * x[i.1, j.3])
        r[i.1] = s.2
    total.4 = 1.0
    sync blocks alone for t.5 in 0..m
      alone v.6 = r[t.5]
      alone total.4 = (total.4 * 0.5) + (v.6 * 0.25)
    y[] = total.4

0copy: float32(float32)
  as  gufunc_order_behind_0copy_f4_f4
  in  x f4
  out out f4
  each element
    store out = x
