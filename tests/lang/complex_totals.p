total: (complex128, complex128)(complex128, complex128)
  as  complex_totals_total_c16c16_c16c16
  in  z c16, w c16
  out sum_ c16, less c16
  var s.0 f8, d.1 f8, i.2 i8, z.3 f8, s.4 f8, d.5 f8, z.6 f8, part.7 f8, part.8 f8, part.9 f8,
      part.10 f8
  a thread, or a block for series, a call
  loop 0 in -1, serial: 8 clocks: n
  work by loops 0, 12 float64
  5 loads of z, by loops 0: 1 in 0 of 0
  2 loads of w, by loops 0: 1 in 0 of 0
  1 stores of sum_, by loops
  1 stores of less, by loops
  longest chain: 16 + 8 n
  each element
    s.0 = 0.0
    s.4 = 0.0
    d.1 = 0.0
    d.5 = 1.0
    alone for i.2 in 0..n, a series of s.0, d.1, s.4, d.5
      alone part.7 = real(z[i.2])
      alone part.8 = real(w[i.2])
      alone part.9 = imag(z[i.2])
      alone part.10 = imag(w[i.2])
      alone s.0 = s.0 + ((part.7 * part.8) - (part.9 * part.10))
      alone s.4 = s.4 + ((part.7 * part.10) + (part.9 * part.8))
      alone if real(z[i.2]) > 1.0
        alone z.3 = real(z[i.2])
        alone z.6 = imag(z[i.2])
        alone d.1 = d.1 - z.3
        alone d.5 = d.5 - (-z.6)
    sum_[] = complex(s.0, s.4)
    less[] = complex(d.1, d.5)

power: complex64(complex64, int8)
  as  complex_totals_power_c8_c8i1
  in  z c8, n i1
  out p c8
  var v.0 f4, i.1 i8, v.2 f4, part.3 f4, part.4 f4, part.5 f4
  one thread a call
  loop 0 in -1, serial: 8 clocks: k
  work by loops 0, 6 float32
  1 stores of p, by loops
  longest chain: 8 k
  each element
    v.0 = 1.0
    v.2 = 0.0
    alone for i.1 in 0..k
      alone part.3 = real(z)
      alone part.4 = imag(z)
      alone part.5 = (v.0 * part.4) + (v.2 * part.3)
      alone v.0 = (v.0 * part.3) - (v.2 * part.4)
      alone v.2 = part.5
    p[] = complex(v.0, v.2)

turned: complex64(complex64)
  as  complex_totals_turned_c8_c8
  in  z c8
  out s c8
  var v.0 f4, t.1 i8, x.2 f4, v.3 f4, x.4 f4, part.5 f4
  one thread a call
  loop 0 in -1, serial: 4 clocks: n
  work by loops 0, 2 float32
  2 loads of z, by loops 0: 1 in 0 of 0
  1 stores of s, by loops
  longest chain: 4 n
  each element
    v.0 = 0.0
    v.3 = 0.0
    alone for t.1 in 0..n
      alone x.2 = real(z[t.1])
      alone x.4 = imag(z[t.1])
      alone part.5 = v.0 + x.4
      alone v.0 = v.3 + x.2
      alone v.3 = part.5
    s[] = complex(v.0, v.3)

0copy: int8(int8)
  as  complex_totals_0copy_i1_i1
  in  x i1
  out out i1
  each element
    store out = x

0copy: complex64(complex64)
  as  complex_totals_0copy_c8_c8
  in  x c8
  out out c8
  each element
    store out = complex(real(x), imag(x))

0copy: complex128(complex128)
  as  complex_totals_0copy_c16_c16
  in  x c16
  out out c16
  each element
    store out = complex(real(x), imag(x))
