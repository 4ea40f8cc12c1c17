summed: (int64, int64)(int64, int64)
  as  gufunc_until_summed_i8i8_i8i8_stored
  in  x i8, t i8
  out s i8, at i8
  var i.0 i8, s.1 i8, at.2 i8, first.3 i8, i.4 i8, index.5 i8, first.6 i8, other.7 i8, i.8 i8,
      s.9 i8, other.10 i8, i.11 i8, bound.12 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  loop 0 in -1, reduction: n
  loop 1 in -1, reduction: ?
  work by loops 0, 6 integer
  work by loops, 14 integer
  work by loops 1, 6 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  2 loads of x, by loops 1: 1 in 0 of 1
  1 stores of s, by loops
  1 stores of at, by loops
  each element
    s.1 = 0
    at.2 = -1
    first.3 = 9223372036854775807
    first.6 = 9223372036854775807
    spread i.8 in 0..n to first.6
      if x[i.8] > t
        first.6 = min(first.6, i.8)
    join
      first.6 = min(first.6, other.7)
    first.3 = min(first.3, first.6)
    s.9 = 0
    bound.12 = min(n, first.3)
    spread i.11 in 0..bound.12 to s.9
      if not (x[i.11] > t)
        s.9 = s.9 + (x[i.11] * i.11)
    join
      s.9 = s.9 + other.10
    s.1 = s.1 + s.9
    if first.3 != 9223372036854775807
      index.5 = first.3
      at.2 = index.5
      s.1 = s.1 + 1000
    s[] = s.1
    at[] = at.2

summed: (int64, int64)(int64, int64)
  as  gufunc_until_summed_i8i8_i8i8
  in  x i8, t i8
  out s i8, at i8
  var i.0 i8, s.1 i8, at.2 i8
  one thread a call
  loop 0 in -1, serial, may end: n
  work by loops 0, 4 integer
  2 loads of x, by loops 0: 1 in 0 of 0
  1 stores of s, by loops
  1 stores of at, by loops
  each element
    s.1 = 0
    at.2 = -1
    block 0
      for i.0 in 0..n
        if x[i.0] > t
          at.2 = i.0
          s.1 = s.1 + 1000
          leave block 0
        else
          s.1 = s.1 + (x[i.0] * i.0)
    s[] = s.1
    at[] = at.2

copied: int64(int64, int64)
  as  gufunc_until_copied_i8_i8i8_stored
  in  x i8, t i8
  out y i8
  var i.0 i8, i.1 i8, v.2 i8, first.3 i8, i.4 i8, v.5 i8, index.6 i8, first.7 i8, other.8 i8, i.9 i8,
      v.10 i8, bound.11 i8, bound.12 i8, i.13 i8, v.14 i8, last.15 i8, v.16 i8
  a thread, a warp or a block a call, or threads a point, in 4 phases
  2 neighbours a thread, where side by side are elements of y
  loop 0 in -1, points: n
  loop 1 in -1, reduction: n 1 - -1 - 0 max
  loop 2 in -1, points: ?
  work by loops 1, 10 integer
  work by loops, 20 integer
  work by loops 2, 6 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: -1 in 0 of 1
  1 loads of x, by loops 2: -1 in 0 of 2
  2 stores of y, by loops 2: -1 in 0 of 2
  1 loads of x, by loops
  1 loads of x, by loops
  1 stores of y, by loops
  each element
    spread i.0 in 0..n
      y[i.0] = -1
    first.3 = -9223372036854775808
    first.7 = -9223372036854775808
    bound.11 = n - 1
    spread i.9 in bound.11..-1..-1 to first.7
      v.10 = x[i.9] * 2
      if not ((i.9 % 2) == 0)
        if v.10 < t
          first.7 = max(first.7, i.9)
    join
      first.7 = max(first.7, other.8)
    first.3 = max(first.3, first.7)
    bound.12 = max(-1, first.3)
    sync blocks spread i.13 in (n - 1)..bound.12..-1
      v.14 = x[i.13] * 2
      if not ((i.13 % 2) == 0)
        if not (v.14 < t)
          y[i.13] = v.14
          y[i.13 - 1] = v.14 + 1
    if (n - 1) > bound.12
      last.15 = bound.12 - -1
      v.16 = x[last.15] * 2
      v.2 = v.16
    if first.3 != -9223372036854775808
      index.6 = first.3
      v.2 = x[index.6] * 2
      sync blocks y[0] = v.2 + 100

copied: int64(int64, int64)
  as  gufunc_until_copied_i8_i8i8
  in  x i8, t i8
  out y i8
  var i.0 i8, i.1 i8, v.2 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial, may end: n 1 - -1 - 0 max
  work by loops 1, 6 integer
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: -1 in 0 of 1
  1 stores of y, by loops
  2 stores of y, by loops 1: -1 in 0 of 1
  each element
    spread i.0 in 0..n
      y[i.0] = -1
    block 0
      sync blocks for i.1 in (n - 1)..-1..-1
        v.2 = x[i.1] * 2
        if not ((i.1 % 2) == 0)
          if v.2 < t
            y[0] = v.2 + 100
            leave block 0
          else
            y[i.1] = v.2
            y[i.1 - 1] = v.2 + 1

carried: (int64, int64)(int64, int64)
  as  gufunc_until_carried_i8i8_i8i8
  in  x i8, t i8
  out y i8, s i8
  var i.0 i8, i.1 i8, i.2 i8, s.3 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial, may end: n
  loop 2 in -1, serial, may end: n 1 - 0 - 0 max
  work by loops 1, 4 integer
  work by loops 2, 4 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of x, by loops 1: 1 in 0 of 1
  2 loads of y, by loops 2: 1 in 0 of 2
  1 stores of y, by loops 2: 1 in 0 of 2
  1 stores of s, by loops
  each element
    spread i.0 in 0..n
      y[i.0] = x[i.0]
    s.3 = 0
    block 0
      for i.1 in 0..n
        if s.3 > t
          leave block 0
        else
          s.3 = s.3 + x[i.1]
    block 1
      for i.2 in 0..(n - 1)
        sync blocks if y[i.2] == t
          leave block 1
        else
          sync blocks y[i.2 + 1] = y[i.2] + 2
    s[] = s.3

guarded: int64(int64, int64)
  as  gufunc_until_guarded_i8_i8i8
  in  x i8, y i8
  out s i8
  var i.0 i8, i.1 i8, s.2 i8
  one thread a call
  loop 0 in -1, serial, may end: n
  loop 1 in -1, serial, may end: n
  work by loops 0, 6 integer
  work by loops 1, 8 integer
  2 loads of x, by loops 0: 1 in 0 of 0
  1 loads of y, by loops 0, irregular
  2 loads of x, by loops 1: 1 in 0 of 1
  1 stores of s, by loops
  each element
    s.2 = 0
    block 0
      for i.0 in 0..n
        if x[i.0] < m
          if y[x[i.0]] > 4
            leave block 0
          else
            s.2 = s.2 + 1
        else
          s.2 = s.2 + 10
    block 1
      for i.1 in 0..n
        if x[i.1] > 2
          s.2 = s.2 + 100
        else if x[i.1] == 1
          s.2 = s.2 + 5
          leave block 1
        s.2 = s.2 + 1000
    s[] = s.2

endless: int64(int64, int64)
  as  gufunc_until_endless_i8_i8i8
  in  x i8, t i8
  out s i8
  var i.0 i8, s.1 i8
  one thread a call
  loop 0 in -1, serial, may end: 1000000000000000
  work by loops 0, 2 integer
  1 stores of s, by loops
  each element
    s.1 = n
    block 0
      for i.0 in 0..1000000000000000
        if (i.0 * i.0) > t
          leave block 0
        else
          s.1 = s.1 + (i.0 * 3)
    s[] = s.1

0copy: int64(int64)
  as  gufunc_until_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x
