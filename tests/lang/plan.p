f: float32(float32, float32)
  as  plan_f_f4_f4f4
  in  x f4, y f4
  out out f4
  var s.0 f4, i.1 i8
  loop 0 in -1, serial: 4 clocks: 3
  work by loops, 1 integer
  work by loops 0, 2 float32, 1 special
  each element
    if x > y
      store out = x / 2.0
    else
      s.0 = y
      for i.1 in 0..3
        s.0 = s.0 + (x * f4(i.1))
      store out = s.0
