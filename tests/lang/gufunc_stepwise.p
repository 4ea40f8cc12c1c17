steps: (int64, int64, int64)(int32, int64, int64)
  as  gufunc_stepwise_steps_i8i8i8_i4i8i8_steps
  in  k i4, z i8, s i8
  out x i8, total i8, last i8, y i8
  var j.0 i8, t.1 i8, t.2 i8, j.3 i8, i.4 i8, acc.5 i8, other.6 i8, j.7 i8, value.8 i8, result.9 i8,
      j.10 i8, acc.11 i8, other.12 i8, j.13 i8, value.14 i8, result.15 i8, y.16 i8, step.17 i8,
      stepped.18 i8, bin.19 i8, y.20 i8, term.21 i8, term.22 i8, key.23 i8
  a thread, a warp or a block a call, or threads a point, in 6 phases
  phases 1 to 4 are launched for each step
  2 neighbours a thread, where side by side are elements of z x
  2 neighbours a thread, where side by side are elements of y
  2 neighbours a thread, where side by side are elements of x y
  loop 0 in -1, points: m
  loop 1 in -1, points: m
  loop 2 in -1, serial: n
  loop 3 in -1, reduction: m
  loop 4 in -1, points: m
  loop 5 in -1, reduction: m
  work by loops, 4 integer
  work by loops 2, 74 integer
  work by loops 3, 2 integer
  work by loops 4, 19 integer
  work by loops 5, 6 integer
  1 loads of z, by loops 0: 1 in 0 of 0
  1 stores of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 1: 1 in 0 of 1
  3 loads of k, by loops 2: 1 in 0 of 2
  1 loads of y, by loops 2, irregular
  1 loads of x, by loops 2, irregular
  1 stores of y, by loops 2, irregular
  1 loads of y, by loops 3: 1 in 0 of 3
  1 loads of s, by loops
  1 stores of total, by loops
  1 loads of y, by loops 4: 1 in 0 of 4
  1 stores of x, by loops 4: 1 in 0 of 4
  1 loads of x, by loops 5: 1 in 0 of 5
  1 stores of last, by loops
  each element
    spread j.0 in 0..m
      x[j.0] = z[j.0]
    t.1 = 0 + step.17
    spread j.3 in 0..m
      y.16 = 0
      y.16 = t.1
      y[j.3] = y.16
    sync blocks alone for i.4 in 0..n, dealt out to bins of y
      y[i8(((k[i.4] * 5) % 7) % i4(m))] = ((y[i8(((k[i.4] * 5) % 7) % i4(m))] * 3) + x[i8(k[i.4] % i4(m))]) + i.4
    acc.5 = 0
    sync blocks portions spread j.7 in 0..m to acc.5
      value.8 = y[j.7]
      acc.5 = acc.5 + value.8
    join
      acc.5 = acc.5 + other.6
    result.9 = acc.5
    total[t.1] = result.9 + s[t.1]
    spread j.10 in 0..m
      x[j.10] = (y[j.10] % 1000) + t.1
    stepped.18 = step.17
    acc.11 = 0
    sync blocks portions spread j.13 in 0..m to acc.11
      value.14 = x[j.13] * (j.13 + 1)
      acc.11 = acc.11 + value.14
    join
      acc.11 = acc.11 + other.12
    result.15 = acc.11
    last[] = result.15

steps: (int64, int64, int64)(int32, int64, int64)
  as  gufunc_stepwise_steps_i8i8i8_i4i8i8
  in  k i4, z i8, s i8
  out x i8, total i8, last i8, y i8
  var j.0 i8, t.1 i8, t.2 i8, j.3 i8, i.4 i8, acc.5 i8, other.6 i8, j.7 i8, value.8 i8, result.9 i8,
      j.10 i8, acc.11 i8, other.12 i8, j.13 i8, value.14 i8, result.15 i8, y.16 i8
  a thread, a warp or a block a call
  registers of a warp's lanes keep x y, a lane for each index
  loop 0 in -1, points: m
  loop 1 in -1, serial: q
  loop 2 in 1, points: m
  loop 3 in 1, serial: n
  loop 4 in 1, reduction: m
  loop 5 in 1, points: m
  loop 6 in -1, reduction: m
  work by loops 1 3, 6 integer
  work by loops 3, 68 integer
  work by loops
  work by loops 4, 2 integer
  work by loops 1, 2 integer
  work by loops 1 5, 19 integer
  work by loops 6, 6 integer
  1 loads of z, by loops 0: 1 in 0 of 0
  1 stores of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 2: 1 in 0 of 2
  3 loads of k, by loops 3: 1 in 0 of 3
  1 loads of y, by loops 3, irregular
  1 loads of x, by loops 3, irregular
  1 stores of y, by loops 3, irregular
  1 loads of y, by loops 4: 1 in 0 of 4
  1 loads of s, by loops 1: 1 in 0 of 1
  1 stores of total, by loops 1: 1 in 0 of 1
  1 loads of y, by loops 5: 1 in 0 of 5
  1 stores of x, by loops 5: 1 in 0 of 5
  1 loads of x, by loops 6: 1 in 0 of 6
  1 stores of last, by loops
  each element
    spread j.0 in 0..m
      x[j.0] = z[j.0]
    for t.1 in 0..q
      sync blocks spread j.3 in 0..m
        y.16 = 0
        y.16 = t.1
        y[j.3] = y.16
      sync blocks alone for i.4 in 0..n
        y[i8(((k[i.4] * 5) % 7) % i4(m))] = ((y[i8(((k[i.4] * 5) % 7) % i4(m))] * 3) + x[i8(k[i.4] % i4(m))]) + i.4
      acc.5 = 0
      sync blocks portions spread j.7 in 0..m to acc.5
        value.8 = y[j.7]
        acc.5 = acc.5 + value.8
      join
        acc.5 = acc.5 + other.6
      result.9 = acc.5
      total[t.1] = result.9 + s[t.1]
      for j.10 in 0..m
        x[j.10] = (y[j.10] % 1000) + t.1
      shared as
        spread j.10 in 0..m
          x[j.10] = (y[j.10] % 1000) + t.1
    acc.11 = 0
    sync blocks portions spread j.13 in 0..m to acc.11
      value.14 = x[j.13] * (j.13 + 1)
      acc.11 = acc.11 + value.14
    join
      acc.11 = acc.11 + other.12
    result.15 = acc.11
    last[] = result.15

0copy: int32(int32)
  as  gufunc_stepwise_0copy_i4_i4
  in  x i4
  out out i4
  each element
    store out = x

0copy: int64(int64)
  as  gufunc_stepwise_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x
