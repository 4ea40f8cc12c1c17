behind: (int64, int64, int64)(int64, uint8)
  as  gufunc_running_before_behind_i8i8i8_i8u1
  in  x i8, z u1
  out a i8, b i8, c i8
  var k.0 i8, k.1 i8, k.2 i8, i.3 i8, i.4 i8, k.5 i8, k.6 i8, k.7 i8, running.8 i8, running.9 i8,
      running.10 i8, running.11 i8, other.12 i8, bound.13 i8, k.14 i8, running.15 i8,
      running.16 i8, other.17 i8, k.18 i8, running.19 i8, running.20 i8, other.21 i8,
      bound.22 i8, k.23 i8
  a thread, a warp or a block a call, or threads a point, in 5 phases
  2 neighbours a thread, where side by side are elements of a b c
  loop 0 in -1, points: m
  loop 1 in -1, points: n
  loop 2 in -1, points: m 1 - 2 - 0 max
  loop 3 in -1, points: m
  loop 4 in -1, points: m 1 - -1 - 0 max
  work by loops 1, 142 integer
  work by loops 2, 22 integer
  work by loops 3, 8 integer
  work by loops 4, 24 integer
  1 stores of a, by loops 0: 1 in 0 of 0
  1 stores of b, by loops 0: 1 in 0 of 0
  1 stores of c, by loops 0: 1 in 0 of 0
  5 loads of x, by loops 1: 1 in 0 of 1
  1 loads of a, by loops 1, irregular
  1 stores of a, by loops 1, irregular
  1 loads of b, by loops 1, irregular
  1 stores of b, by loops 1, irregular
  1 loads of a, by loops 2: 1 in 0 of 2
  1 loads of x, by loops 2: 1 in 0 of 2
  1 stores of a, by loops 2: 1 in 0 of 2
  1 loads of b, by loops 3: 1 in 0 of 3
  1 stores of b, by loops 3: 1 in 0 of 3
  2 loads of c, by loops 4: 1 in 0 of 4
  1 loads of x, by loops 4: 1 in 0 of 4
  1 stores of c, by loops 4: 1 in 0 of 4
  each element
    spread k.0 in 0..m
      a[k.0] = k.0 % 5
      b[k.0] = 3 - (k.0 % 2)
      c[k.0] = 900 - (k.0 % 7)
    sync blocks spread i.3 in 0..n
      a[(x[i.3] * 13) % m] = a[(x[i.3] * 13) % m] + i.3
      b[x[i.3] % m] = b[x[i.3] % m] + (2 * x[i.3])
    running.8 = 0
    running.11 = 0
    bound.13 = m - 1
    sync blocks scan k.14 in 2..bound.13 to running.11
      if k.14 < 3
        running.11 = running.11 + a[k.14 + 1]
      else
        running.11 = running.11 - (x[k.14 - 3] % 11)
      running.15 = running.8 + running.11
      a[k.14 + 1] = running.15
    join
      running.11 = running.11 + other.12
    running.9 = 1
    running.16 = 1
    scan k.18 in 0..m to running.16
      running.16 = b[k.18] * running.16
      running.19 = running.16 * running.9
      b[k.18] = running.19
    join
      running.16 = other.17 * running.16
    running.10 = 9223372036854775807
    running.20 = running.10
    bound.22 = m - 1
    scan k.23 in -1..bound.22 to running.20
      if k.23 < 0
        running.20 = min(running.20, c[k.23 + 1])
      else
        running.20 = min(running.20, c[k.23 + 1] - (x[k.23] % 3))
      c[k.23 + 1] = running.20
    join
      running.20 = min(running.20, other.21)

0copy: uint8(uint8)
  as  gufunc_running_before_0copy_u1_u1
  in  x u1
  out out u1
  each element
    store out = x

0copy: int64(int64)
  as  gufunc_running_before_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x
