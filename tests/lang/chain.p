carried: (float32, float64, int64)(float32, float64)
  as  chain_carried_f4f8i8_f4f8
  in  x f4, c f8
  out y f4, z f8, k i8
  var s.0 f4, i.1 i8, i.2 i8, i.3 i8, k.4 i8, z.5 f8
  one thread a call
  loop 0 in -1, serial: 8 clocks: n
  loop 1 in -1, serial: 68 clocks: n 1 - 0 max
  loop 2 in -1, serial: 4 clocks: n 2 - -1 - 0 max
  work by loops 0, 4 float32, 2 integer, 1 special
  work by loops 1, 9 float64, 1 special
  work by loops 2, 2 float32, 1 integer
  2 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of c, by loops
  1 stores of z, by loops
  1 loads of z, by loops
  1 loads of c, by loops 1: 1 in 0 of 1
  1 stores of z, by loops 1: 1 in 0 of 1
  1 loads of y, by loops 2: -1 in 0 of 2
  2 loads of x, by loops 2: -1 in 0 of 2
  1 stores of y, by loops
  1 stores of k, by loops
  longest chain: -68 + 68 n
  each element
    s.0 = 0.0
    k.4 = 0
    alone for i.1 in 0..n
      alone s.0 = min((0.5 * s.0) + x[i.1], 1.0)
      y[i.1] = s.0
      alone k.4 = k.4 + i8(x[i.1])
    z[0] = c[0]
    if 1 < n
      alone z.5 = z[1 + -1]
    alone for i.2 in 1..n
      alone z.5 = c[i.2] / (1.0 + z.5)
      z[i.2] = z.5
    alone for i.3 in (n - 2)..-1..-1
      alone if y[i.3] > 0.0
        alone s.0 = s.0 + x[i.3]
      else
        alone s.0 = (s.0 * x[i.3]) + 1.0
    y[0] = s.0
    k[] = k.4

0copy: int64(int64)
  as  chain_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float32(float32)
  as  chain_0copy_f4_f4
  in  x f4
  out out f4
  each element
    store out = x

0copy: float64(float64)
  as  chain_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
