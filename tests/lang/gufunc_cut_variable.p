mixed: int64(int64, int64)
  as  gufunc_cut_variable_mixed_i8_i8i8
  in  x i8, at i8
  out y i8
  var t.0 i8, t.1 i8, u.2 i8, v.3 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial: m
  loop 2 in 1, points: n 1 - 1 - 0 max
  work by loops 1, 40 integer
  work by loops 1 2, 22 integer
  1 loads of x, by loops 0: 1 in 0 of 0
  1 stores of y, by loops 0: 1 in 0 of 0
  1 loads of at, by loops 1: 1 in 0 of 1
  1 loads of y, by loops 2: 1 in 0 of 2
  1 loads of y, by loops 1, irregular
  1 stores of y, by loops 2: 1 in 0 of 2
  each element
    spread t.0 in 0..n
      y[t.0] = x[t.0]
    for t.1 in 0..m
      u.2 = (at[t.1] * 13) % n
      for v.3 in 1..(n - 1)
        y[v.3] = ((y[v.3] * 5) + (y[u.2] * 3)) % 10007
      shared as
        if (1 <= u.2) and (u.2 < (n - 1))
          sync blocks spread v.3 in 1..u.2
            y[v.3] = ((y[v.3] * 5) + (y[u.2] * 3)) % 10007
          sync blocks y[u.2] = ((y[u.2] * 5) + (y[u.2] * 3)) % 10007
          sync blocks spread v.3 in (u.2 + 1)..(n - 1)
            y[v.3] = ((y[v.3] * 5) + (y[u.2] * 3)) % 10007
        else
          sync blocks alone for v.3 in 1..(n - 1)
            y[v.3] = ((y[v.3] * 5) + (y[u.2] * 3)) % 10007

paths: float64(float64)
  as  gufunc_cut_variable_paths_f8_f8
  in  w f8
  out d f8, done b1
  var t.0 i8, i.1 i8, step.2 i8, u.3 i8, least.4 f8, i.5 i8, both.6 b1, v.7 i8, both.8 b1, u.9 i8,
      other.10 i8, least.11 f8, other.12 f8, turn.13 i8, later.14 i8, i.15 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in -1, serial, may end: n
  loop 2 in 1, reduction: n
  loop 3 in 1, points: n
  work by loops 1 2, 1 float64, 1 integer
  work by loops, 1 float64, 2 integer
  work by loops 1 3, 3 float64, 1 integer
  1 stores of done, by loops 0: 1 in 0 of 0
  1 stores of d, by loops 0: 1 in 0 of 0
  1 stores of d, by loops
  1 loads of done, by loops 2: 1 in 0 of 2
  2 loads of d, by loops 2: 1 in 0 of 2
  1 stores of done, by loops
  1 loads of done, by loops 3: 1 in 0 of 3
  2 loads of d, by loops
  2 loads of w, by loops 3: 1 in 1 of 3
  1 loads of d, by loops 3: 1 in 0 of 3
  1 stores of d, by loops 3: 1 in 0 of 3
  each element
    spread t.0 in 0..n
      done[t.0] = False
      d[t.0] = inf
    if n > 0
      sync blocks d[0] = 0.0
    block 0
      for step.2 in 0..n
        u.3 = -1
        least.4 = inf
        u.9 = 0
        least.11 = inf
        turn.13 = 9223372036854775807
        sync blocks own portions spread i.15 in 0..n to u.9, least.11, turn.13
          if not done[i.15]
            if d[i.15] < least.11
              turn.13 = i.15
              least.11 = d[i.15]
              u.9 = i.15
        join
          if (other.12 < least.11) or ((other.12 == least.11) and (later.14 < turn.13))
            u.9 = other.10
            least.11 = other.12
            turn.13 = later.14
        if least.11 < least.4
          u.3 = u.9
          least.4 = least.11
        if u.3 < 0
          leave block 0
        else
          sync blocks joined portions done[u.3] = True
          for v.7 in 0..n
            if not done[v.7]
              if (d[u.3] + w[u.3, v.7]) < d[v.7]
                d[v.7] = d[u.3] + w[u.3, v.7]
          shared as
            if (0 <= u.3) and (u.3 < n)
              sync blocks spread v.7 in 0..u.3
                if not done[v.7]
                  if (d[u.3] + w[u.3, v.7]) < d[v.7]
                    d[v.7] = d[u.3] + w[u.3, v.7]
              if not done[u.3]
                sync blocks if (d[u.3] + w[u.3, u.3]) < d[u.3]
                  sync blocks d[u.3] = d[u.3] + w[u.3, u.3]
              sync blocks spread v.7 in (u.3 + 1)..n
                if not done[v.7]
                  if (d[u.3] + w[u.3, v.7]) < d[v.7]
                    d[v.7] = d[u.3] + w[u.3, v.7]
            else
              alone for v.7 in 0..n
                alone if not done[v.7]
                  alone if (d[u.3] + w[u.3, v.7]) < d[v.7]
                    d[v.7] = d[u.3] + w[u.3, v.7]

rows: int64(int32, int32)
  as  gufunc_cut_variable_rows_i8_i4i4
  in  a i4, at i4
  out r i8, b i4
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, t.4 i8, u.5 i4, i.6 i8, f.7 i4, j.8 i8, acc.9 i8, other.10 i8,
      i.11 i8, j.12 i8, value.13 i8, result.14 i8, b.15 i4
  a thread, a warp or a block a call
  loop 0 in -1, points: m
  loop 1 in 0, points: n
  loop 2 in -1, serial: k
  loop 3 in 2, points: m
  loop 4 in 3, points: n
  loop 5 in -1, reduction: m
  loop 6 in 5, reduction: n
  work by loops 2 3 4, 11 integer
  work by loops 2
  work by loops 5 6, 3 integer
  1 loads of a, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of b, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of at, by loops 2: 1 in 0 of 2
  1 loads of b, by loops 3: 1 in 0 of 3
  1 loads of b, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 loads of b, by loops 2 4: 1 in 1 of 4, irregular
  1 stores of b, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 loads of b, by loops 5 6: 1 in 0 of 5, 1 in 1 of 6
  1 stores of r, by loops
  each element
    spread i.2 in 0..m, j.3 in 0..n
      b.15 = 0
      b.15 = a[i.2, j.3]
      b[i.2, j.3] = b.15
    for t.4 in 0..k
      u.5 = at[t.4]
      for i.6 in 0..m
        f.7 = b[i.6, 0]
        for j.8 in 0..n
          b[i.6, j.8] = ((b[i.6, j.8] * 3) + (b[i8(u.5), j.8] * f.7)) % 1009
      shared as
        if (0 <= i8(u.5)) and (i8(u.5) < m)
          sync blocks spread i.6 in 0..i8(u.5)
            f.7 = b[i.6, 0]
            each j.8 in 0..n
              b[i.6, j.8] = ((b[i.6, j.8] * 3) + (b[i8(u.5), j.8] * f.7)) % 1009
          sync blocks f.7 = b[i8(u.5), 0]
          for j.8 in 0..n
            b[i8(u.5), j.8] = ((b[i8(u.5), j.8] * 3) + (b[i8(u.5), j.8] * f.7)) % 1009
          shared as
            sync blocks spread j.8 in 0..n
              b[i8(u.5), j.8] = ((b[i8(u.5), j.8] * 3) + (b[i8(u.5), j.8] * f.7)) % 1009
          sync blocks spread i.6 in (i8(u.5) + 1)..m
            f.7 = b[i.6, 0]
            each j.8 in 0..n
              b[i.6, j.8] = ((b[i.6, j.8] * 3) + (b[i8(u.5), j.8] * f.7)) % 1009
        else
          for i.6 in 0..m
            sync blocks f.7 = b[i.6, 0]
            sync blocks for j.8 in 0..n
              b[i.6, j.8] = ((b[i.6, j.8] * 3) + (b[i8(u.5), j.8] * f.7)) % 1009
    acc.9 = 0
    sync blocks portions spread i.11 in 0..m, j.12 in 0..n to acc.9
      value.13 = i8(b[i.11, j.12] * i4((3 * i.11) + j.12))
      acc.9 = acc.9 + value.13
    join
      acc.9 = acc.9 + other.10
    result.14 = acc.9
    r[] = result.14

0copy: int32(int32)
  as  gufunc_cut_variable_0copy_i4_i4
  in  x i4
  out out i4
  each element
    store out = x

0copy: int64(int64)
  as  gufunc_cut_variable_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_cut_variable_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
