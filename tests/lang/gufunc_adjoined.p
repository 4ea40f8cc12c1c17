counted: (int64, int64, int64)(int64, int64)
  as  gufunc_adjoined_counted_i8i8i8_i8i8
  in  k i8, x i8
  out a i8, b i8, y i8
  var j.0 i8, i.1 i8, i.2 i8, j.3 i8, i.4 i8, i.5 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  2 neighbours a thread, where side by side are elements of k x y
  loop 0 in -1, points: 4
  loop 1 in -1, points: n
  loop 2 in -1, points: n
  work by loops 1, 14 integer
  work by loops 2, 4 integer
  1 stores of a, by loops 0: 1 in 0 of 0
  1 stores of b, by loops 0: 1 in 0 of 0
  4 loads of k, by loops 1: 1 in 0 of 1
  1 loads of a, by loops 1, irregular
  1 stores of a, by loops 1, irregular
  1 loads of b, by loops 1, irregular
  1 loads of x, by loops 1: 1 in 0 of 1
  1 stores of b, by loops 1, irregular
  1 loads of x, by loops 2: 1 in 0 of 2
  1 loads of k, by loops 2: 1 in 0 of 2
  1 stores of y, by loops 2: 1 in 0 of 2
  each element
    spread j.0 in 0..4
      a[j.0] = 0
      b[j.0] = 10
    sync blocks spread i.1 in 0..n
      a[k[i.1] % 4] = a[k[i.1] % 4] + 1
      b[k[i.1] % 4] = max(b[k[i.1] % 4], x[i.1])
    spread i.5 in 0..n
      y[i.5] = (x[i.5] * 2) + k[i.5]

turned: (int64, int64, int64)(int64)
  as  gufunc_adjoined_turned_i8i8i8_i8
  in  x i8
  out a i8, b i8, c i8
  var i.0 i8, j.1 i8, i.2 i8, j.3 i8, j.4 i8, i.5 i8, i.6 i8, j.7 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of b c
  2 neighbours a thread, where side by side are elements of x a c
  loop 0 in -1, points: n
  loop 1 in 0, points: n
  loop 2 in -1, points: n
  loop 3 in 2, points: n
  work by loops 0 1, 8 integer
  work by loops 2 3, 2 integer
  1 loads of x, by loops 0 1: 1 in 0 of 1, 1 in 1 of 0
  1 stores of b, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of b, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of c, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of x, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of c, by loops 2 3: 1 in 0 of 2, -1 in 1 of 3
  1 stores of a, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  each element
    spread i.2 in 0..n, j.3 in 0..n
      b[i.2, j.3] = (x[j.3, i.2] + 1) * 2
      c[i.2, j.3] = (x[i.2, j.3] + 1) + b[i.2, j.3]
    sync blocks spread i.6 in 0..n, j.7 in 0..n
      a[i.6, j.7] = (x[i.6, j.7] + 1) - c[i.6, (n - 1) - j.7]

ordered: (int64, int64, int64, int64)(int64, int64)
  as  gufunc_adjoined_ordered_i8i8i8i8_i8i8
  in  k i8, x i8
  out a i8, h i8, t i8, b i8
  var i.0 i8, j.1 i8, i.2 i8, i.3 i8, acc.4 i8, other.5 i8, i.6 i8, value.7 i8, result.8 i8, i.9 i8,
      j.10 i8, t.11 i8
  a thread, a warp or a block a call, or threads a point, in 6 phases
  2 neighbours a thread, where side by side are elements of x a
  2 neighbours a thread, where side by side are elements of k a b
  loop 0 in -1, points: 3
  loop 1 in -1, points: n
  loop 2 in -1, points: n
  loop 3 in -1, reduction: n
  loop 4 in -1, points: n
  loop 5 in -1, points: 3
  work by loops 1, 38 integer
  work by loops 2, 2 integer
  work by loops 3, 2 integer
  work by loops 4, 20 integer
  work by loops 5, 2 integer
  1 stores of h, by loops 0: 1 in 0 of 0
  2 loads of x, by loops 1: 1 in 0 of 1
  1 loads of h, by loops 1, irregular
  1 stores of h, by loops 1, irregular
  1 loads of x, by loops 2: 1 in 0 of 2
  1 stores of a, by loops 2: 1 in 0 of 2
  1 loads of a, by loops 3: 1 in 0 of 3
  1 stores of t, by loops
  1 loads of a, by loops 4: 1 in 0 of 4
  1 loads of k, by loops 4: 1 in 0 of 4
  1 loads of h, by loops 4, irregular
  1 stores of b, by loops 4: 1 in 0 of 4
  1 loads of h, by loops 5: 1 in 0 of 5
  1 stores of h, by loops 5: 1 in 0 of 5
  each element
    spread j.1 in 0..3
      h[j.1] = 0
    sync blocks spread i.2 in 0..n
      h[x[i.2] % 3] = h[x[i.2] % 3] + 1
    spread i.3 in 0..n
      a[i.3] = x[i.3] + 100
    acc.4 = 0
    sync blocks spread i.6 in 0..n to acc.4
      value.7 = a[i.6]
      acc.4 = acc.4 + value.7
    join
      acc.4 = acc.4 + other.5
    result.8 = acc.4
    t.11 = result.8
    t[] = t.11
    spread i.9 in 0..n
      b[i.9] = (a[i.9] + t.11) + h[k[i.9] % 3]
    sync blocks spread j.10 in 0..3
      h[j.10] = h[j.10] + t.11

apart: (int64, int64, int64)(int64, int64)
  as  gufunc_adjoined_apart_i8i8i8_i8i8
  in  k i8, x i8
  out a i8, b i8, c i8
  var j.0 i8, j.1 i8, j.2 i8, i.3 i8, i.4 i8, i.5 i8
  a thread, a warp or a block a call, or threads a point, in 5 phases
  loop 0 in -1, points: 3
  loop 1 in -1, points: 5
  loop 2 in -1, points: n
  loop 3 in -1, points: n
  loop 4 in -1, points: n
  work by loops 2, 38 integer
  work by loops 3, 38 integer
  work by loops 4, 56 integer
  1 stores of a, by loops 0: 1 in 0 of 0
  1 stores of c, by loops 0: 1 in 0 of 0
  1 stores of b, by loops 1: 1 in 0 of 1
  2 loads of k, by loops 2: 1 in 0 of 2
  1 loads of a, by loops 2, irregular
  1 loads of x, by loops 2: 1 in 0 of 2
  1 stores of a, by loops 2, irregular
  2 loads of k, by loops 3: 1 in 0 of 3
  1 loads of b, by loops 3, irregular
  1 loads of x, by loops 3: 1 in 0 of 3
  1 stores of b, by loops 3, irregular
  2 loads of k, by loops 4: 1 in 0 of 4
  1 loads of c, by loops 4, irregular
  1 loads of x, by loops 4: 1 in 0 of 4
  1 loads of a, by loops 4, irregular
  1 stores of c, by loops 4, irregular
  each element
    spread j.0 in 0..3
      a[j.0] = 0
      c[j.0] = 0
    spread j.1 in 0..5
      b[j.1] = 0
    sync blocks spread i.3 in 0..n
      a[k[i.3] % 3] = a[k[i.3] % 3] + x[i.3]
    spread i.4 in 0..n
      b[k[i.4] % 5] = b[k[i.4] % 5] + x[i.4]
    sync blocks spread i.5 in 0..n
      c[k[i.5] % 3] = c[k[i.5] % 3] + a[x[i.5] % 3]

0copy: int64(int64)
  as  gufunc_adjoined_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x
