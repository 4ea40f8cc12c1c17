weights: (int64, int64)(int64)
  as  gufunc_stores_and_sums_weights_i8i8_i8_calls
  in  x i8
  out y i8, s i8, e i8
  var i.0 i8, t.1 i8, total.2 i8, j.3 i8, acc.4 i8, other.5 i8, bound.6 i8, k.7 i8, value.8 i8,
      result.9 i8, j.10 i8, e.11 i8
  a thread, a warp or a block a call
  loop 0 in -1, serial: n
  loop 1 in 0, reduction: n 0 n + 2 // - 0 max
  loop 2 in -1, points: n
  work by loops 0 1, 2 integer
  work by loops 0, 2 integer
  work by loops 2, 2 integer
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 0 of 1
  1 stores of e, by loops 0: 1 in 0 of 0
  1 loads of e, by loops 2: 1 in 0 of 2
  1 stores of y, by loops 2: 1 in 0 of 2
  1 stores of s, by loops
  each element
    total.2 = 0
    for j.3 in 0..n
      acc.4 = 0
      bound.6 = j.3
      portions spread k.7 in bound.6..n to acc.4
        value.8 = x[k.7]
        acc.4 = acc.4 + value.8
      join
        acc.4 = acc.4 + other.5
      result.9 = acc.4
      e.11 = result.9
      e[j.3] = e.11
      total.2 = total.2 + e.11
    for j.10 in 0..n
      y[j.10] = total.2 - e[j.10]
    shared as
      sync blocks spread j.10 in 0..n
        y[j.10] = total.2 - e[j.10]
    s[] = total.2

weights: (int64, int64)(int64)
  as  gufunc_stores_and_sums_weights_i8i8_i8
  in  x i8
  out y i8, s i8, e i8
  var i.0 i8, t.1 i8, total.2 i8, j.3 i8, acc.4 i8, other.5 i8, bound.6 i8, k.7 i8, value.8 i8,
      result.9 i8, j.10 i8, j.11 i8, e.12 i8
  a thread, a warp or a block a call
  registers of a warp's lanes keep e, a lane for each index
  registers of a thread hold arrays along n up to 8, or powers of two up to 16
  loop 0 in -1, serial: m
  loop 1 in 0, points: n
  loop 2 in 1, reduction: n 0 n + 2 // - 0 max
  loop 3 in 0, serial: n
  loop 4 in 0, points: n
  work by loops 0 1 2, 2 integer
  work by loops 0 3, 2 integer
  work by loops 0 4, 2 integer
  1 loads of x, by loops 0 1 2: 1 in 0 of 0, 1 in 1 of 1, 1 in 1 of 2
  1 stores of e, by loops 1: 1 in 0 of 1
  1 loads of e, by loops 3: 1 in 0 of 3
  1 loads of e, by loops 4: 1 in 0 of 4
  1 stores of y, by loops 0 4: 1 in 0 of 0, 1 in 1 of 4
  1 stores of s, by loops 0: 1 in 0 of 0
  each element
    for i.0 in 0..m
      total.2 = 0
      for j.3 in 0..n
        acc.4 = 0
        bound.6 = j.3
        spread k.7 in bound.6..n to acc.4
          value.8 = x[i.0, k.7]
          acc.4 = acc.4 + value.8
        join
          acc.4 = acc.4 + other.5
        result.9 = acc.4
        e.12 = result.9
        e[j.3] = e.12
        total.2 = total.2 + e.12
      shared as
        sync blocks spread j.3 in 0..n
          acc.4 = 0
          bound.6 = j.3
          each k.7 in bound.6..n to acc.4
            value.8 = x[i.0, k.7]
            acc.4 = acc.4 + value.8
          join
            acc.4 = acc.4 + other.5
          result.9 = acc.4
          e[j.3] = result.9
        sync blocks for j.11 in 0..n, a series of total.2
          total.2 = total.2 + e[j.11]
      for j.10 in 0..n
        y[i.0, j.10] = total.2 - e[j.10]
      shared as
        sync lanes spread j.10 in 0..n
          y[i.0, j.10] = total.2 - e[j.10]
      s[i.0] = total.2

behind: (int64, int64)(int64)
  as  gufunc_stores_and_sums_behind_i8i8_i8_stored
  in  x i8
  out y i8, s i8, stored i8
  var i.0 i8, j.1 i8, total.2 i8, j.3 i8, acc.4 i8, other.5 i8, bound.6 i8, k.7 i8, value.8 i8,
      result.9 i8, j.10 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  2 neighbours a thread, where side by side are elements of y, or from row to row
  2 neighbours a thread, where side by side are elements of y, or from row to row
  loop 0 in -1, points: m
  loop 1 in 0, points: n
  loop 2 in -1, points: m
  loop 3 in 2, serial: n 1 - 0 - 0 max
  loop 4 in 3, reduction: n 0 n 1 - + 2 // - 0 max
  loop 5 in -1, points: m
  loop 6 in 5, points: n
  work by loops 2 3 4, 2 integer
  work by loops 2 3, 2 integer
  work by loops 5 6, 2 integer
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of x, by loops 2 3 4: 1 in 0 of 2, 1 in 1 of 3, 1 in 1 of 4
  1 stores of y, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  2 loads of y, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 stores of s, by loops 2: 1 in 0 of 2
  1 stores of stored, by loops 2: 1 in 0 of 2
  1 loads of y, by loops 5 6: 1 in 0 of 5, 1 in 1 of 6
  1 loads of stored, by loops 5: 1 in 0 of 5
  1 stores of y, by loops 5 6: 1 in 0 of 5, 1 in 1 of 6
  each element
    spread i.0 in 0..m, j.1 in 0..n
      y[i.0, j.1] = 7
    sync blocks spread i.0 in 0..m
      total.2 = 0
      for j.3 in 0..(n - 1)
        acc.4 = 0
        bound.6 = j.3
        each k.7 in bound.6..n to acc.4
          value.8 = x[i.0, k.7]
          acc.4 = acc.4 + value.8
        join
          acc.4 = acc.4 + other.5
        result.9 = acc.4
        y[i.0, j.3] = result.9
        total.2 = total.2 + (y[i.0, j.3] + y[i.0, j.3 + 1])
      s[i.0] = total.2
      stored[i.0] = total.2
    sync blocks spread i.0 in 0..m, j.10 in 0..n
      y[i.0, j.10] = y[i.0, j.10] + stored[i.0]

behind: (int64, int64)(int64)
  as  gufunc_stores_and_sums_behind_i8i8_i8
  in  x i8
  out y i8, s i8
  var i.0 i8, j.1 i8, total.2 i8, j.3 i8, acc.4 i8, other.5 i8, bound.6 i8, k.7 i8, value.8 i8,
      result.9 i8, j.10 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, points: m
  loop 1 in 0, points: n
  loop 2 in 0, serial: n 1 - 0 - 0 max
  loop 3 in 2, reduction: n 0 n 1 - + 2 // - 0 max
  loop 4 in 0, points: n
  work by loops 0 2 3, 2 integer
  work by loops 0 2, 2 integer
  work by loops 0 4, 2 integer
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of x, by loops 0 2 3: 1 in 0 of 0, 1 in 1 of 2, 1 in 1 of 3
  1 stores of y, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  2 loads of y, by loops 0 2: 1 in 0 of 0, 1 in 1 of 2
  1 stores of s, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 0 4: 1 in 0 of 0, 1 in 1 of 4
  1 stores of y, by loops 0 4: 1 in 0 of 0, 1 in 1 of 4
  each element
    spread i.0 in 0..m
      each j.1 in 0..n
        y[i.0, j.1] = 7
      total.2 = 0
      for j.3 in 0..(n - 1)
        acc.4 = 0
        bound.6 = j.3
        each k.7 in bound.6..n to acc.4
          value.8 = x[i.0, k.7]
          acc.4 = acc.4 + value.8
        join
          acc.4 = acc.4 + other.5
        result.9 = acc.4
        y[i.0, j.3] = result.9
        total.2 = total.2 + (y[i.0, j.3] + y[i.0, j.3 + 1])
      s[i.0] = total.2
      each j.10 in 0..n
        y[i.0, j.10] = y[i.0, j.10] + total.2

running: (int64, int64)(int64)
  as  gufunc_stores_and_sums_running_i8i8_i8_stored
  in  x i8
  out y i8, s i8, stored i8
  var i.0 i8, total.1 i8, j.2 i8, acc.3 i8, other.4 i8, bound.5 i8, k.6 i8, value.7 i8, result.8 i8,
      j.9 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  2 neighbours a thread, where side by side are elements of y, or from row to row
  2 neighbours a thread, where side by side are elements of s stored
  loop 0 in -1, points: m
  loop 1 in 0, serial: n
  loop 2 in 1, reduction: n 0 n + 2 // - 0 max
  loop 3 in -1, points: m
  loop 4 in 3, points: n
  loop 5 in -1, points: m
  work by loops 0 1 2, 2 integer
  work by loops 0 1, 22 integer
  work by loops 3 4, 2 integer
  1 loads of x, by loops 0 1 2: 1 in 0 of 0, 1 in 1 of 1, 1 in 1 of 2
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of stored, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 loads of stored, by loops 3: 1 in 0 of 3
  1 stores of y, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 loads of stored, by loops 5: 1 in 0 of 5
  1 stores of s, by loops 5: 1 in 0 of 5
  each element
    spread i.0 in 0..m
      total.1 = 1
      for j.2 in 0..n
        acc.3 = 0
        bound.5 = j.2
        each k.6 in bound.5..n to acc.3
          value.7 = x[i.0, k.6]
          acc.3 = acc.3 + value.7
        join
          acc.3 = acc.3 + other.4
        result.8 = acc.3
        y[i.0, j.2] = result.8 + total.1
        total.1 = total.1 + (y[i.0, j.2] % 5)
      stored[i.0] = total.1
    sync blocks spread i.0 in 0..m, j.9 in 0..n
      y[i.0, j.9] = y[i.0, j.9] + stored[i.0]
    spread i.0 in 0..m
      s[i.0] = stored[i.0]

running: (int64, int64)(int64)
  as  gufunc_stores_and_sums_running_i8i8_i8
  in  x i8
  out y i8, s i8
  var i.0 i8, total.1 i8, j.2 i8, acc.3 i8, other.4 i8, bound.5 i8, k.6 i8, value.7 i8, result.8 i8,
      j.9 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, points: m
  loop 1 in 0, serial: n
  loop 2 in 1, reduction: n 0 n + 2 // - 0 max
  loop 3 in 0, points: n
  work by loops 0 1 2, 2 integer
  work by loops 0 1, 22 integer
  work by loops 0 3, 2 integer
  1 loads of x, by loops 0 1 2: 1 in 0 of 0, 1 in 1 of 1, 1 in 1 of 2
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of y, by loops 0 3: 1 in 0 of 0, 1 in 1 of 3
  1 stores of y, by loops 0 3: 1 in 0 of 0, 1 in 1 of 3
  1 stores of s, by loops 0: 1 in 0 of 0
  each element
    spread i.0 in 0..m
      total.1 = 1
      for j.2 in 0..n
        acc.3 = 0
        bound.5 = j.2
        each k.6 in bound.5..n to acc.3
          value.7 = x[i.0, k.6]
          acc.3 = acc.3 + value.7
        join
          acc.3 = acc.3 + other.4
        result.8 = acc.3
        y[i.0, j.2] = result.8 + total.1
        total.1 = total.1 + (y[i.0, j.2] % 5)
      each j.9 in 0..n
        y[i.0, j.9] = y[i.0, j.9] + total.1
      s[i.0] = total.1

shared: (int64, int64, int64)(int64)
  as  gufunc_stores_and_sums_shared_i8i8i8_i8_stored
  in  x i8
  out y i8, s i8, c i8, stored i8, stored i8
  var i.0 i8, total.1 i8, last.2 i8, j.3 i8, d.4 i8, acc.5 i8, other.6 i8, bound.7 i8, k.8 i8,
      value.9 i8, result.10 i8, j.11 i8, j.12 i8, d.13 i8, j.14 i8, d.15 i8, total.16 i8,
      other.17 i8, j.18 i8, d.19 i8
  a thread, a warp or a block a call, or threads a point, in 4 phases
  2 neighbours a thread, where side by side are elements of y, or from row to row
  2 neighbours a thread, where side by side are elements of s c stored stored
  loop 0 in -1, points: m
  loop 1 in 0, serial: n -1 + -1 - 0 max
  loop 2 in -1, points: m
  loop 3 in 2, serial: n
  loop 4 in 2, reduction: n
  loop 5 in -1, points: m
  loop 6 in 5, points: n
  loop 7 in -1, points: m
  work by loops 0 1, 6 integer
  work by loops 2 3, 4 integer
  work by loops 2 4, 4 integer
  work by loops 2, 2 integer
  work by loops 5 6, 2 integer
  2 loads of x, by loops 0 1: 1 in 0 of 0, -1 in 1 of 1
  1 stores of y, by loops 0 1: 1 in 0 of 0, -1 in 1 of 1
  1 loads of x, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of x, by loops 2 4: 1 in 0 of 2, 1 in 1 of 4
  1 stores of stored, by loops 2: 1 in 0 of 2
  1 stores of stored, by loops 2: 1 in 0 of 2
  1 loads of y, by loops 5 6: 1 in 0 of 5, 1 in 1 of 6
  1 loads of stored, by loops 5: 1 in 0 of 5
  1 stores of y, by loops 5 6: 1 in 0 of 5, 1 in 1 of 6
  1 loads of stored, by loops 7: 1 in 0 of 7
  1 stores of s, by loops 7: 1 in 0 of 7
  1 loads of stored, by loops 7: 1 in 0 of 7
  1 stores of c, by loops 7: 1 in 0 of 7
  each element
    spread i.0 in 0..m
      acc.5 = 0
      scan j.3 in (n + -1)..-1..-1 to acc.5
        value.9 = x[i.0, j.3]
        acc.5 = acc.5 + value.9
        d.4 = x[i.0, j.3] * 2
        bound.7 = j.3
        result.10 = acc.5
        y[i.0, j.3] = d.4 + result.10
      join
        acc.5 = acc.5 + other.6
    spread i.0 in 0..m
      total.1 = 0
      last.2 = -1
      for j.12 in 0..n
        d.13 = x[i.0, j.12] * 2
        last.2 = d.13
      total.16 = 0
      each j.18 in 0..n to total.16
        d.19 = x[i.0, j.18] * 2
        total.16 = total.16 + (d.19 * d.19)
      join
        total.16 = total.16 + other.17
      total.1 = total.1 + total.16
      stored[i.0] = total.1
      stored[i.0] = last.2
    sync blocks spread i.0 in 0..m, j.11 in 0..n
      y[i.0, j.11] = y[i.0, j.11] + stored[i.0]
    spread i.0 in 0..m
      s[i.0] = stored[i.0]
      c[i.0] = stored[i.0]

shared: (int64, int64, int64)(int64)
  as  gufunc_stores_and_sums_shared_i8i8i8_i8
  in  x i8
  out y i8, s i8, c i8
  var i.0 i8, total.1 i8, last.2 i8, j.3 i8, d.4 i8, acc.5 i8, other.6 i8, bound.7 i8, k.8 i8,
      value.9 i8, result.10 i8, j.11 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, points: m
  loop 1 in 0, serial: n
  loop 2 in 1, reduction: n 0 n + 2 // - 0 max
  loop 3 in 0, points: n
  work by loops 0 1, 4 integer
  work by loops 0 1 2, 2 integer
  work by loops 0 3, 2 integer
  1 loads of x, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of x, by loops 0 1 2: 1 in 0 of 0, 1 in 1 of 1, 1 in 1 of 2
  1 stores of y, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of y, by loops 0 3: 1 in 0 of 0, 1 in 1 of 3
  1 stores of y, by loops 0 3: 1 in 0 of 0, 1 in 1 of 3
  1 stores of s, by loops 0: 1 in 0 of 0
  1 stores of c, by loops 0: 1 in 0 of 0
  each element
    spread i.0 in 0..m
      total.1 = 0
      last.2 = -1
      for j.3 in 0..n
        d.4 = x[i.0, j.3] * 2
        acc.5 = 0
        bound.7 = j.3
        each k.8 in bound.7..n to acc.5
          value.9 = x[i.0, k.8]
          acc.5 = acc.5 + value.9
        join
          acc.5 = acc.5 + other.6
        result.10 = acc.5
        y[i.0, j.3] = d.4 + result.10
        last.2 = d.4
        total.1 = total.1 + (d.4 * d.4)
      each j.11 in 0..n
        y[i.0, j.11] = y[i.0, j.11] + total.1
      s[i.0] = total.1
      c[i.0] = last.2

same: (int64, int64)(int64)
  as  gufunc_stores_and_sums_same_i8i8_i8_stored
  in  x i8
  out y i8, s i8, stored i8
  var i.0 i8, total.1 i8, j.2 i8, acc.3 i8, other.4 i8, bound.5 i8, k.6 i8, value.7 i8, result.8 i8,
      j.9 i8, total.10 i8, other.11 i8, j.12 i8, i.13 i8, j.14 i8, acc.15 i8, bound.16 i8,
      k.17 i8, other.18 i8, value.19 i8, y.20 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  loop 0 in -1, points: m
  loop 1 in 0, serial: n -1 + -1 - 0 max
  loop 2 in -1, points: m
  loop 3 in 2, serial: n
  loop 4 in 2, reduction: n
  work by loops 0 1, 2 integer
  work by loops 2 3, 2 integer
  work by loops 2 4, 4 integer
  work by loops 2, 2 integer
  1 loads of x, by loops 0 1: 1 in 0 of 0, -1 in 1 of 1
  1 stores of stored, by loops 0 1: 1 in 0 of 0, -1 in 1 of 1
  1 loads of y, by loops 2: 1 in 0 of 2
  1 loads of stored, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 stores of s, by loops 2: 1 in 0 of 2
  1 stores of y, by loops 2: 1 in 0 of 2
  each element
    spread i.13 in 0..m
      acc.15 = 0
      scan j.14 in (n + -1)..-1..-1 to acc.15
        value.19 = x[i.13, j.14]
        acc.15 = acc.15 + value.19
        bound.16 = j.14
        stored[i.13, j.14] = acc.15
      join
        acc.15 = acc.15 + other.18
    sync blocks spread i.0 in 0..m
      total.1 = 0
      y.20 = y[i.0]
      for j.2 in 0..n
        acc.3 = 0
        bound.5 = j.2
        acc.3 = stored[i.0, j.2]
        result.8 = acc.3
        y.20 = result.8
        total.1 = total.1 + y.20
      total.10 = 0
      each j.12 in 0..n to total.10
        total.10 = total.10 + (y.20 * j.12)
      join
        total.10 = total.10 + other.11
      total.1 = total.1 + total.10
      s[i.0] = total.1
      y[i.0] = y.20

same: (int64, int64)(int64)
  as  gufunc_stores_and_sums_same_i8i8_i8
  in  x i8
  out y i8, s i8
  var i.0 i8, total.1 i8, j.2 i8, acc.3 i8, other.4 i8, bound.5 i8, k.6 i8, value.7 i8, result.8 i8,
      j.9 i8, total.10 i8, other.11 i8, j.12 i8, y.13 i8
  a thread, a warp or a block a call, or threads a point, in 1 phase
  loop 0 in -1, points: m
  loop 1 in 0, serial: n
  loop 2 in 1, reduction: n 0 n + 2 // - 0 max
  loop 3 in 0, reduction: n
  work by loops 0 1 2, 2 integer
  work by loops 0 1, 2 integer
  work by loops 0 3, 4 integer
  work by loops 0, 2 integer
  1 loads of y, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 0 1 2: 1 in 0 of 0, 1 in 1 of 1, 1 in 1 of 2
  1 stores of s, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  each element
    spread i.0 in 0..m
      total.1 = 0
      y.13 = y[i.0]
      for j.2 in 0..n
        acc.3 = 0
        bound.5 = j.2
        each k.6 in bound.5..n to acc.3
          value.7 = x[i.0, k.6]
          acc.3 = acc.3 + value.7
        join
          acc.3 = acc.3 + other.4
        result.8 = acc.3
        y.13 = result.8
        total.1 = total.1 + y.13
      total.10 = 0
      each j.12 in 0..n to total.10
        total.10 = total.10 + (y.13 * j.12)
      join
        total.10 = total.10 + other.11
      total.1 = total.1 + total.10
      s[i.0] = total.1
      y[i.0] = y.13

0copy: int64(int64)
  as  gufunc_stores_and_sums_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x
