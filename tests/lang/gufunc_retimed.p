rows: float64(float64)
  as  gufunc_retimed_rows_f8_f8_delayed
  in  a f8
  out u f8, stored f8, stored f8
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, k.4 i8, j.5 i8, k.6 i8, step.7 i8, i.8 i8, j.9 i8, i.10 i8,
      i.11 i8, j.12 i8, first.13 i8, end.14 i8, j.15 i8, i.16 i8, j.17 i8, i.18 i8, j.19 i8,
      i.20 i8, j.21 i8, element.22 f8, step.23 i8
  hosts go in it, and no GPU
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in 0, points: n
  loop 2 in -1, serial: n 0 - 31 + 32 // 0 max
  loop 3 in 2, serial: 0 n + 2 // 32 + n min 0 n + 2 // - 0 max
  loop 4 in 3, points: n 0 n + 2 // 0 n + 2 // 32 + n min + 2 // 1 + - 0 max
  loop 5 in 3, points: n 0 n + 2 // 0 n + 2 // 32 + n min + 2 // 1 + - 0 max
  loop 6 in 3, points: 0 n + 2 // 32 + n min 0 n + 2 // 0 n + 2 // 32 + n min + 2 // 1 + - 0 max
  loop 7 in 6, points: n 0 n + 2 // 0 n + 2 // 32 + n min + 2 // 1 + - 0 max
  loop 8 in 3, points: n 0 n + 2 // 32 + n min - 0 max
  loop 9 in 8, points: 0 n + 2 // 32 + n min 0 n + 2 // 0 n + 2 // 32 + n min + 2 // 1 + - 0 max
  loop 10 in 2, points: n 0 n + 2 // 32 + n min - 0 max
  loop 11 in 10, points: n 0 n + 2 // 32 + n min - 0 max
  loop 12 in 11, serial: 8 clocks: 0 n + 2 // 32 + n min 0 n + 2 // - 0 - 0 max
  work by loops 2 3 4, 2 float64
  work by loops 2 3 6 7, 2 float64
  work by loops 2 3 8 9, 2 float64
  work by loops 2 10 11 12, 2 float64
  1 loads of a, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of u, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of u, by loops 2 3 4: 32 in 0 of 2, 1 in 0 of 3, 1 in 0 of 4, 32 in 1 of 2, 1 in 1 of 3
  1 loads of u, by loops 2 3: 32 in 0 of 2, 1 in 0 of 3, 32 in 1 of 2, 1 in 1 of 3
  1 stores of u, by loops 2 3 4: 32 in 0 of 2, 1 in 0 of 3, 1 in 0 of 4, 32 in 1 of 2, 1 in 1 of 3
  1 loads of u, by loops 2 3 5: 32 in 0 of 2, 1 in 0 of 3, 32 in 1 of 2, 1 in 1 of 3, 1 in 1 of 5
  1 stores of stored, by loops 2 3 5: 1 in 0 of 3, 32 in 1 of 2, 1 in 1 of 3, 1 in 1 of 5
  1 loads of u, by loops 2 3 6 7: 32 in 0 of 2, 1 in 0 of 3, 1 in 0 of 6, 32 in 1 of 2, 1 in 1 of 3, 1 in 1 of 7
  1 loads of u, by loops 2 3 6: 32 in 0 of 2, 1 in 0 of 3, 1 in 0 of 6, 32 in 1 of 2, 1 in 1 of 3
  1 loads of u, by loops 2 3 7: 32 in 0 of 2, 1 in 0 of 3, 32 in 1 of 2, 1 in 1 of 3, 1 in 1 of 7
  1 stores of u, by loops 2 3 6 7: 32 in 0 of 2, 1 in 0 of 3, 1 in 0 of 6, 32 in 1 of 2, 1 in 1 of 3, 1 in 1 of 7
  2 loads of u, by loops 2 3 8: 32 in 0 of 2, 1 in 0 of 8, 32 in 1 of 2, 1 in 1 of 3
  1 stores of stored, by loops 2 3 8: 32 in 0 of 2, 1 in 0 of 8, 1 in 1 of 3
  1 loads of u, by loops 2 3 8 9: 32 in 0 of 2, 1 in 0 of 8, 32 in 1 of 2, 1 in 1 of 3, 1 in 1 of 9
  1 loads of stored, by loops 2 3 9: 1 in 0 of 3, 32 in 1 of 2, 1 in 1 of 3, 1 in 1 of 9
  1 stores of u, by loops 2 3 8 9: 32 in 0 of 2, 1 in 0 of 8, 32 in 1 of 2, 1 in 1 of 3, 1 in 1 of 9
  1 loads of u, by loops 2 10 11: 32 in 0 of 2, 1 in 0 of 10, 32 in 1 of 2, 1 in 1 of 11
  1 loads of stored, by loops 2 10 12: 32 in 0 of 2, 1 in 0 of 10, 1 in 1 of 12
  1 loads of stored, by loops 2 11 12: 1 in 0 of 12, 32 in 1 of 2, 1 in 1 of 11
  1 stores of u, by loops 2 10 11: 32 in 0 of 2, 1 in 0 of 10, 32 in 1 of 2, 1 in 1 of 11
  each element
    spread t.0 in 0..n, t.1 in 0..n
      u[t.0, t.1] = a[t.0, t.1]
    for first.13 in 0..n..32
      end.14 = min(first.13 + 32, n)
      for step.7 in first.13..end.14
        for i.10 in (step.7 + 1)..n
          u[i.10, step.7] = (u[i.10, step.7] * 0.5) + u[step.7, step.7]
        shared as
          sync blocks spread i.10 in (step.7 + 1)..n
            u[i.10, step.7] = (u[i.10, step.7] * 0.5) + u[step.7, step.7]
        for j.15 in (step.7 + 1)..n
          stored[step.7 - first.13, j.15] = u[step.7, j.15]
        shared as
          spread j.15 in (step.7 + 1)..n
            stored[step.7 - first.13, j.15] = u[step.7, j.15]
        for i.16 in (step.7 + 1)..end.14
          for j.17 in (step.7 + 1)..n
            u[i.16, j.17] = u[i.16, j.17] - (u[i.16, step.7] * u[step.7, j.17])
        shared as
          sync blocks spread i.16 in (step.7 + 1)..end.14, j.17 in (step.7 + 1)..n
            u[i.16, j.17] = u[i.16, j.17] - (u[i.16, step.7] * u[step.7, j.17])
        for i.18 in end.14..n
          stored[i.18, step.7 - first.13] = u[i.18, step.7]
          for j.19 in (step.7 + 1)..end.14
            u[i.18, j.19] = u[i.18, j.19] - (u[i.18, step.7] * stored[step.7 - first.13, j.19])
        shared as
          spread i.18 in end.14..n
            stored[i.18, step.7 - first.13] = u[i.18, step.7]
          spread i.18 in end.14..n, j.19 in (step.7 + 1)..end.14
            u[i.18, j.19] = u[i.18, j.19] - (u[i.18, step.7] * stored[step.7 - first.13, j.19])
      for i.20 in end.14..n
        for j.21 in end.14..n
          element.22 = u[i.20, j.21]
          for step.23 in 0..(end.14 - first.13)
            element.22 = element.22 - (stored[i.20, step.23] * stored[step.23, j.21])
          u[i.20, j.21] = element.22
      shared as
        sync blocks spread i.20 in end.14..n, j.21 in end.14..n
          element.22 = u[i.20, j.21]
          for step.23 in 0..(end.14 - first.13)
            element.22 = element.22 - (stored[i.20, step.23] * stored[step.23, j.21])
          u[i.20, j.21] = element.22

rows: float64(float64)
  as  gufunc_retimed_rows_f8_f8
  in  a f8
  out u f8
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, k.4 i8, j.5 i8, k.6 i8, step.7 i8, i.8 i8, j.9 i8, i.10 i8,
      i.11 i8, j.12 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in 0, points: n
  loop 2 in -1, serial: n
  loop 3 in 2, points: n 0 n + 2 // 1 + - 0 max
  loop 4 in 2, points: n 0 n + 2 // 1 + - 0 max
  loop 5 in 4, points: n 0 n + 2 // 1 + - 0 max
  work by loops 2 3, 2 float64
  work by loops 2 4 5, 2 float64
  1 loads of a, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of u, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of u, by loops 2 3: 1 in 0 of 2, 1 in 0 of 3, 1 in 1 of 2
  1 loads of u, by loops 2: 1 in 0 of 2, 1 in 1 of 2
  1 stores of u, by loops 2 3: 1 in 0 of 2, 1 in 0 of 3, 1 in 1 of 2
  1 loads of u, by loops 2 4 5: 1 in 0 of 2, 1 in 0 of 4, 1 in 1 of 2, 1 in 1 of 5
  1 loads of u, by loops 2 4: 1 in 0 of 2, 1 in 0 of 4, 1 in 1 of 2
  1 loads of u, by loops 2 5: 1 in 0 of 2, 1 in 1 of 2, 1 in 1 of 5
  1 stores of u, by loops 2 4 5: 1 in 0 of 2, 1 in 0 of 4, 1 in 1 of 2, 1 in 1 of 5
  longest chain: -32 + 32 n
  each element
    spread t.0 in 0..n, t.1 in 0..n
      u[t.0, t.1] = a[t.0, t.1]
    for step.7 in 0..n
      for i.10 in (step.7 + 1)..n
        u[i.10, step.7] = (u[i.10, step.7] * 0.5) + u[step.7, step.7]
      shared as
        sync blocks row i.10 spread i.10 in (step.7 + 1)..n
          u[i.10, step.7] = (u[i.10, step.7] * 0.5) + u[step.7, step.7]
      for i.8 in (step.7 + 1)..n
        for j.9 in (step.7 + 1)..n
          u[i.8, j.9] = u[i.8, j.9] - (u[i.8, step.7] * u[step.7, j.9])
      shared as
        sync row i.8 spread i.8 in (step.7 + 1)..n, j.9 in (step.7 + 1)..n
          u[i.8, j.9] = u[i.8, j.9] - (u[i.8, step.7] * u[step.7, j.9])

left: float64(float64)
  as  gufunc_retimed_left_f8_f8
  in  a f8
  out l f8
  var t.0 i8, t.1 i8, j.2 i8, k.3 i8, i.4 i8, i.5 i8, step.6 i8, i.7 i8, j.8 i8, i.9 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in 0, points: n
  loop 2 in -1, serial: n
  loop 3 in 2, points: n 0 n + 2 // 1 + - 0 max
  loop 4 in 2, points: n 0 n + 2 // 1 + - 0 max
  loop 5 in 4, points: 0 n + 2 // 1 + n + 2 // 1 + 0 n + 2 // 1 + - 0 max
  work by loops 2, 2 float64
  work by loops 2 3, 1 float64
  work by loops 2 4 5, 2 float64
  1 loads of a, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of l, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  2 loads of l, by loops 2: 1 in 0 of 2, 1 in 1 of 2
  1 stores of l, by loops 2: 1 in 0 of 2, 1 in 1 of 2
  1 loads of l, by loops 2 3: 1 in 0 of 2, 1 in 0 of 3, 1 in 1 of 2
  1 stores of l, by loops 2 3: 1 in 0 of 2, 1 in 0 of 3, 1 in 1 of 2
  1 loads of l, by loops 2 4 5: 1 in 0 of 2, 1 in 0 of 4, 1 in 1 of 2, 1 in 1 of 5
  1 loads of l, by loops 2 4: 1 in 0 of 2, 1 in 0 of 4, 1 in 1 of 2
  1 loads of l, by loops 2 4 5: 1 in 0 of 2, 1 in 0 of 5, 1 in 1 of 2
  1 stores of l, by loops 2 4 5: 1 in 0 of 2, 1 in 0 of 4, 1 in 1 of 2, 1 in 1 of 5
  longest chain: -24 + 40 n
  each element
    spread t.0 in 0..n, t.1 in 0..n
      l[t.0, t.1] = a[t.0, t.1]
    for step.6 in 0..n
      sync blocks row step.6 l[step.6, step.6] = (l[step.6, step.6] * 0.5) + 0.25
      for i.9 in (step.6 + 1)..n
        l[i.9, step.6] = l[i.9, step.6] + l[step.6, step.6]
      shared as
        sync row step.6 spread i.9 in (step.6 + 1)..n
          l[i.9, step.6] = l[i.9, step.6] + l[step.6, step.6]
      for i.7 in (step.6 + 1)..n
        for j.8 in (step.6 + 1)..(i.7 + 1)
          l[i.7, j.8] = l[i.7, j.8] - (l[i.7, step.6] * l[j.8, step.6])
      shared as
        sync blocks spread i.7 in (step.6 + 1)..n, j.8 in (step.6 + 1)..n
          if j.8 < (i.7 + 1)
            l[i.7, j.8] = l[i.7, j.8] - (l[i.7, step.6] * l[j.8, step.6])

kept: float64(float64)
  as  gufunc_retimed_kept_f8_f8_delayed
  in  a0 f8
  out a f8, stored f8, stored f8
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, w.4 f8, k.5 i8, j.6 i8, w.7 f8, k.8 i8, step.9 i8, i.10 i8,
      j.11 i8, i.12 i8, i.13 i8, j.14 i8, first.15 i8, end.16 i8, j.17 i8, i.18 i8, j.19 i8,
      i.20 i8, j.21 i8, i.22 i8, j.23 i8, element.24 f8, step.25 i8
  hosts go in it, and no GPU
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in 0, points: n
  loop 2 in -1, serial: n 0 - 31 + 32 // 0 max
  loop 3 in 2, serial: 0 n + 2 // 32 + n min 0 n + 2 // - 0 max
  loop 4 in 3, points: n 0 n + 2 // 0 n + 2 // 32 + n min + 2 // 1 + - 0 max
  loop 5 in 3, points: n 0 n + 2 // 0 n + 2 // 32 + n min + 2 // 1 + - 0 max
  loop 6 in 3, points: 0 n + 2 // 32 + n min 0 n + 2 // 0 n + 2 // 32 + n min + 2 // 1 + - 0 max
  loop 7 in 6, points: n 0 n + 2 // 0 n + 2 // 32 + n min + 2 // 1 + - 0 max
  loop 8 in 3, points: n 0 n + 2 // 32 + n min - 0 max
  loop 9 in 8, points: 0 n + 2 // 32 + n min 0 n + 2 // 0 n + 2 // 32 + n min + 2 // 1 + - 0 max
  loop 10 in 2, points: n 0 n + 2 // 32 + n min - 0 max
  loop 11 in 10, points: n 0 n + 2 // 32 + n min - 0 max
  loop 12 in 11, serial: 8 clocks: 0 n + 2 // 32 + n min 0 n + 2 // - 0 - 0 max
  work by loops 2 3 4, 2 float64
  work by loops 2 3 6 7, 2 float64
  work by loops 2 3 8 9, 2 float64
  work by loops 2 10 11 12, 2 float64
  1 loads of a0, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of a, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of a, by loops 2 3 4: 32 in 0 of 2, 1 in 0 of 3, 1 in 0 of 4, 32 in 1 of 2, 1 in 1 of 3
  1 loads of a, by loops 2 3: 32 in 0 of 2, 1 in 0 of 3, 32 in 1 of 2, 1 in 1 of 3
  1 stores of a, by loops 2 3 4: 32 in 0 of 2, 1 in 0 of 3, 1 in 0 of 4, 32 in 1 of 2, 1 in 1 of 3
  1 loads of a, by loops 2 3 5: 32 in 0 of 2, 1 in 0 of 3, 32 in 1 of 2, 1 in 1 of 3, 1 in 1 of 5
  1 stores of stored, by loops 2 3 5: 1 in 0 of 3, 32 in 1 of 2, 1 in 1 of 3, 1 in 1 of 5
  1 loads of a, by loops 2 3 6 7: 32 in 0 of 2, 1 in 0 of 3, 1 in 0 of 6, 32 in 1 of 2, 1 in 1 of 3, 1 in 1 of 7
  1 loads of a, by loops 2 3 6: 32 in 0 of 2, 1 in 0 of 3, 1 in 0 of 6, 32 in 1 of 2, 1 in 1 of 3
  1 loads of a, by loops 2 3 7: 32 in 0 of 2, 1 in 0 of 3, 32 in 1 of 2, 1 in 1 of 3, 1 in 1 of 7
  1 stores of a, by loops 2 3 6 7: 32 in 0 of 2, 1 in 0 of 3, 1 in 0 of 6, 32 in 1 of 2, 1 in 1 of 3, 1 in 1 of 7
  2 loads of a, by loops 2 3 8: 32 in 0 of 2, 1 in 0 of 8, 32 in 1 of 2, 1 in 1 of 3
  1 stores of stored, by loops 2 3 8: 32 in 0 of 2, 1 in 0 of 8, 1 in 1 of 3
  1 loads of a, by loops 2 3 8 9: 32 in 0 of 2, 1 in 0 of 8, 32 in 1 of 2, 1 in 1 of 3, 1 in 1 of 9
  1 loads of stored, by loops 2 3 9: 1 in 0 of 3, 32 in 1 of 2, 1 in 1 of 3, 1 in 1 of 9
  1 stores of a, by loops 2 3 8 9: 32 in 0 of 2, 1 in 0 of 8, 32 in 1 of 2, 1 in 1 of 3, 1 in 1 of 9
  1 loads of a, by loops 2 10 11: 32 in 0 of 2, 1 in 0 of 10, 32 in 1 of 2, 1 in 1 of 11
  1 loads of stored, by loops 2 10 12: 32 in 0 of 2, 1 in 0 of 10, 1 in 1 of 12
  1 loads of stored, by loops 2 11 12: 1 in 0 of 12, 32 in 1 of 2, 1 in 1 of 11
  1 stores of a, by loops 2 10 11: 32 in 0 of 2, 1 in 0 of 10, 32 in 1 of 2, 1 in 1 of 11
  each element
    spread t.0 in 0..n, t.1 in 0..n
      a[t.0, t.1] = a0[t.0, t.1]
    for first.15 in 0..n..32
      end.16 = min(first.15 + 32, n)
      for step.9 in first.15..end.16
        for i.12 in (step.9 + 1)..n
          a[i.12, step.9] = (a[i.12, step.9] * 0.5) + a[step.9, step.9]
        shared as
          sync blocks spread i.12 in (step.9 + 1)..n
            a[i.12, step.9] = (a[i.12, step.9] * 0.5) + a[step.9, step.9]
        for j.17 in (step.9 + 1)..n
          stored[step.9 - first.15, j.17] = a[step.9, j.17]
        shared as
          spread j.17 in (step.9 + 1)..n
            stored[step.9 - first.15, j.17] = a[step.9, j.17]
        for i.18 in (step.9 + 1)..end.16
          for j.19 in (step.9 + 1)..n
            a[i.18, j.19] = a[i.18, j.19] - (a[i.18, step.9] * a[step.9, j.19])
        shared as
          sync blocks spread i.18 in (step.9 + 1)..end.16, j.19 in (step.9 + 1)..n
            a[i.18, j.19] = a[i.18, j.19] - (a[i.18, step.9] * a[step.9, j.19])
        for i.20 in end.16..n
          stored[i.20, step.9 - first.15] = a[i.20, step.9]
          for j.21 in (step.9 + 1)..end.16
            a[i.20, j.21] = a[i.20, j.21] - (a[i.20, step.9] * stored[step.9 - first.15, j.21])
        shared as
          spread i.20 in end.16..n
            stored[i.20, step.9 - first.15] = a[i.20, step.9]
          spread i.20 in end.16..n, j.21 in (step.9 + 1)..end.16
            a[i.20, j.21] = a[i.20, j.21] - (a[i.20, step.9] * stored[step.9 - first.15, j.21])
      for i.22 in end.16..n
        for j.23 in end.16..n
          element.24 = a[i.22, j.23]
          for step.25 in 0..(end.16 - first.15)
            element.24 = element.24 - (stored[i.22, step.25] * stored[step.25, j.23])
          a[i.22, j.23] = element.24
      shared as
        sync blocks spread i.22 in end.16..n, j.23 in end.16..n
          element.24 = a[i.22, j.23]
          for step.25 in 0..(end.16 - first.15)
            element.24 = element.24 - (stored[i.22, step.25] * stored[step.25, j.23])
          a[i.22, j.23] = element.24

kept: float64(float64)
  as  gufunc_retimed_kept_f8_f8
  in  a0 f8
  out a f8
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, w.4 f8, k.5 i8, j.6 i8, w.7 f8, k.8 i8, step.9 i8, i.10 i8,
      j.11 i8, i.12 i8, i.13 i8, j.14 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in 0, points: n
  loop 2 in -1, serial: n
  loop 3 in 2, points: n 0 n + 2 // 1 + - 0 max
  loop 4 in 2, points: n 0 n + 2 // 1 + - 0 max
  loop 5 in 4, points: n 0 n + 2 // 1 + - 0 max
  work by loops 2 3, 2 float64
  work by loops 2 4 5, 2 float64
  1 loads of a0, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of a, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of a, by loops 2 3: 1 in 0 of 2, 1 in 0 of 3, 1 in 1 of 2
  1 loads of a, by loops 2: 1 in 0 of 2, 1 in 1 of 2
  1 stores of a, by loops 2 3: 1 in 0 of 2, 1 in 0 of 3, 1 in 1 of 2
  1 loads of a, by loops 2 4 5: 1 in 0 of 2, 1 in 0 of 4, 1 in 1 of 2, 1 in 1 of 5
  1 loads of a, by loops 2 4: 1 in 0 of 2, 1 in 0 of 4, 1 in 1 of 2
  1 loads of a, by loops 2 5: 1 in 0 of 2, 1 in 1 of 2, 1 in 1 of 5
  1 stores of a, by loops 2 4 5: 1 in 0 of 2, 1 in 0 of 4, 1 in 1 of 2, 1 in 1 of 5
  longest chain: -32 + 32 n
  each element
    spread t.0 in 0..n, t.1 in 0..n
      a[t.0, t.1] = a0[t.0, t.1]
    for step.9 in 0..n
      for i.12 in (step.9 + 1)..n
        a[i.12, step.9] = (a[i.12, step.9] * 0.5) + a[step.9, step.9]
      shared as
        sync blocks row i.12 spread i.12 in (step.9 + 1)..n
          a[i.12, step.9] = (a[i.12, step.9] * 0.5) + a[step.9, step.9]
      for i.10 in (step.9 + 1)..n
        for j.11 in (step.9 + 1)..n
          a[i.10, j.11] = a[i.10, j.11] - (a[i.10, step.9] * a[step.9, j.11])
      shared as
        sync row i.10 spread i.10 in (step.9 + 1)..n, j.11 in (step.9 + 1)..n
          a[i.10, j.11] = a[i.10, j.11] - (a[i.10, step.9] * a[step.9, j.11])

other: float64(float64)
  as  gufunc_retimed_other_f8_f8
  in  a f8
  out l f8
  var i.0 i8, j.1 i8, j.2 i8, s.3 f8, k.4 i8, i.5 i8, t.6 f8, k.7 i8, step.8 i8, j.9 i8, j.10 i8,
      i.11 i8, j.12 i8, i.13 i8, j.14 i8, i.15 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: n
  loop 1 in 0, points: n
  loop 2 in -1, points: n
  loop 3 in -1, points: n 1 - 0 max
  loop 4 in 3, points: 1 n + 2 // 0 - 0 max
  loop 5 in -1, serial: n
  loop 6 in 5, points: n 0 n + 2 // 1 + - 0 max
  loop 7 in 5, points: n 0 n + 2 // 1 + - 0 max
  loop 8 in 7, points: 0 n + 2 // 1 + n + 2 // 1 + 0 n + 2 // 1 + - 0 max
  work by loops 5, 2 float64
  work by loops 5 6, 1 float64
  work by loops 5 7 8, 2 float64
  1 stores of l, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of a, by loops 2: 1 in 0 of 2, 1 in 1 of 2
  1 stores of l, by loops 2: 1 in 0 of 2, 1 in 1 of 2
  1 loads of a, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 stores of l, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  2 loads of l, by loops 5: 1 in 0 of 5, 1 in 1 of 5
  1 stores of l, by loops 5: 1 in 0 of 5, 1 in 1 of 5
  1 loads of l, by loops 5 6: 1 in 0 of 5, 1 in 0 of 6, 1 in 1 of 5
  1 stores of l, by loops 5 6: 1 in 0 of 5, 1 in 0 of 6, 1 in 1 of 5
  1 loads of l, by loops 5 7 8: 1 in 0 of 5, 1 in 0 of 7, 1 in 1 of 5, 1 in 1 of 8
  1 loads of l, by loops 5 7: 1 in 0 of 5, 1 in 0 of 7, 1 in 1 of 5
  1 loads of l, by loops 5 7 8: 1 in 0 of 5, 1 in 0 of 8, 1 in 1 of 5
  1 stores of l, by loops 5 7 8: 1 in 0 of 5, 1 in 0 of 7, 1 in 1 of 5, 1 in 1 of 8
  longest chain: -24 + 40 n
  each element
    spread i.0 in 0..n, j.1 in 0..n
      l[i.0, j.1] = 0.0
    for j.9 in 0..n
      l[j.9, j.9] = a[j.9, j.9]
    shared as
      sync blocks spread j.9 in 0..n
        l[j.9, j.9] = a[j.9, j.9]
    for i.11 in 1..n
      for j.12 in 0..i.11
        l[i.11, j.12] = a[i.11, j.12]
    shared as
      sync blocks spread i.11 in 1..n, j.12 in 0..(n - 1)
        if j.12 < i.11
          l[i.11, j.12] = a[i.11, j.12]
    for step.8 in 0..n
      sync blocks row step.8 l[step.8, step.8] = (l[step.8, step.8] * 0.5) + 0.25
      for i.15 in (step.8 + 1)..n
        l[i.15, step.8] = l[i.15, step.8] + l[step.8, step.8]
      shared as
        sync row step.8 spread i.15 in (step.8 + 1)..n
          l[i.15, step.8] = l[i.15, step.8] + l[step.8, step.8]
      for i.13 in (step.8 + 1)..n
        for j.14 in (step.8 + 1)..(i.13 + 1)
          l[i.13, j.14] = l[i.13, j.14] - (l[i.13, step.8] * l[j.14, step.8])
      shared as
        sync blocks spread i.13 in (step.8 + 1)..n, j.14 in (step.8 + 1)..n
          if j.14 < (i.13 + 1)
            l[i.13, j.14] = l[i.13, j.14] - (l[i.13, step.8] * l[j.14, step.8])

late: float64(float64)
  as  gufunc_retimed_late_f8_f8
  in  a f8
  out u f8
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, k.4 i8, j.5 i8, u.6 f8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  2 neighbours a thread, where side by side are elements of a u, or from row to row
  loop 0 in -1, points: n
  loop 1 in 0, points: n
  loop 2 in -1, points: n
  loop 3 in 2, serial: 0 n + 2 // 0 - 0 max
  loop 4 in 3, serial: 8 clocks: 0 0 n + 2 // + 2 // 0 - 0 max
  loop 5 in -1, points: n
  loop 6 in 5, points: n 1 - 0 - 0 max
  work by loops 2 3 4, 2 float64
  work by loops 5 6, 2 float64
  1 loads of a, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of u, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of u, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of u, by loops 2 3 4: 1 in 0 of 2, 1 in 1 of 4
  1 loads of u, by loops 2 3 4: 1 in 0 of 4, 1 in 1 of 3
  1 stores of u, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of u, by loops 5 6: 1 in 0 of 5, 1 in 1 of 6
  1 loads of u, by loops 5 6: 1 in 0 of 6, 1 in 1 of 5
  1 stores of u, by loops 5 6: 1 in 0 of 5, 1 in 1 of 6
  longest chain: -16 + 16 n
  each element
    spread t.0 in 0..n, t.1 in 0..n
      u[t.0, t.1] = a[t.0, t.1]
    sync blocks spread i.2 in 0..n
      for j.3 in 0..i.2
        u.6 = 0.0
        if 0 < j.3
          u.6 = u[i.2, j.3]
        for k.4 in 0..j.3
          u.6 = u.6 - (u[i.2, k.4] * u[k.4, j.3])
        if 0 < j.3
          u[i.2, j.3] = u.6
    sync blocks spread i.2 in 0..n, j.5 in 0..(n - 1)
      if j.5 < i.2
        u[i.2, j.5] = (u[i.2, j.5] * 0.5) + u[j.5, i.2]

old: float64(float64)
  as  gufunc_retimed_old_f8_f8
  in  a0 f8
  out a f8
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, w.4 f8, k.5 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  2 neighbours a thread, where side by side are elements of a0 a, or from row to row
  loop 0 in -1, points: n
  loop 1 in 0, points: n
  loop 2 in -1, points: n
  loop 3 in 2, serial: 0 n + 2 // 0 - 0 max
  loop 4 in 3, serial: 8 clocks: 0 0 n + 2 // + 2 // 1 + 0 - 0 max
  work by loops 2 3 4, 2 float64
  1 loads of a0, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of a, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 loads of a, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of a, by loops 2 3 4: 1 in 0 of 2, 1 in 1 of 4
  1 loads of a, by loops 2 3 4: 1 in 0 of 4, 1 in 1 of 3
  1 stores of a, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  longest chain: -32 + 24 n
  each element
    spread t.0 in 0..n, t.1 in 0..n
      a[t.0, t.1] = a0[t.0, t.1]
    sync blocks spread i.2 in 0..n
      for j.3 in 0..i.2
        w.4 = a[i.2, j.3]
        for k.5 in 0..(j.3 + 1)
          w.4 = w.4 - (a[i.2, k.5] * a[k.5, j.3])
        a[i.2, j.3] = w.4

beside: (float64, float64)(float64)
  as  gufunc_retimed_beside_f8f8_f8_stored
  in  a f8
  out u f8, w f8
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, k.4 i8, k.5 i8, step.6 i8, single.7 i8, u.8 f8, w.9 f8,
      w.10 f8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  loop 0 in -1, points: n
  loop 1 in 0, points: n
  loop 2 in -1, points: n
  loop 3 in 2, serial: n 1 - 0 max
  loop 4 in 3, serial: 8 clocks: 1
  loop 5 in -1, points: 1
  loop 6 in 5, serial: 16 clocks: n
  work by loops 2 3 4, 2 float64
  work by loops 6, 2 float64
  1 loads of a, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of u, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of w, by loops
  1 loads of u, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of u, by loops 2 3 4: 1 in 0 of 2, 1 in 1 of 3, 1 in 1 of 4
  1 loads of a, by loops 3 4: 1 in 0 of 3, 1 in 0 of 4, 1 in 1 of 3
  1 stores of u, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of w, by loops
  1 stores of w, by loops
  each element
    spread t.0 in 0..n, t.1 in 0..n
      u[t.0, t.1] = a[t.0, t.1]
    w[0] = 1.0
    sync blocks spread i.2 in 0..n
      for j.3 in 1..n
        u.8 = 0.0
        if 0 < 1
          u.8 = u[i.2, j.3]
        for k.5 in 0..1
          u.8 = u.8 - (u[i.2, (j.3 - 1) + k.5] * a[(j.3 - 1) + k.5, j.3])
        if 0 < 1
          u[i.2, j.3] = u.8
    spread single.7 in 0..1
      w.9 = 0.0
      if 0 < n
        w.9 = w[0]
      for i.2 in 0..n
        w.9 = (w.9 * 0.5) + 0.25
      if 0 < n
        w[0] = w.9

beside: (float64, float64)(float64)
  as  gufunc_retimed_beside_f8f8_f8
  in  a f8
  out u f8, w f8
  var t.0 i8, t.1 i8, i.2 i8, j.3 i8, k.4 i8, k.5 i8, step.6 i8, bin.7 i8, w.8 f8, key.9 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  loop 0 in -1, points: n
  loop 1 in 0, points: n
  loop 2 in -1, serial: n
  loop 3 in 2, serial: n 1 - 0 max
  loop 4 in 3, points: 1
  work by loops 2, 2 float64
  work by loops 2 3 4, 2 float64
  1 loads of a, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of u, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of w, by loops
  1 loads of w, by loops
  1 stores of w, by loops
  1 loads of u, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  1 loads of u, by loops 2 3 4: 1 in 0 of 2, 1 in 1 of 3, 1 in 1 of 4
  1 loads of a, by loops 3 4: 1 in 0 of 3, 1 in 0 of 4, 1 in 1 of 3
  1 stores of u, by loops 2 3: 1 in 0 of 2, 1 in 1 of 3
  longest chain: 16 n
  each element
    spread t.0 in 0..n, t.1 in 0..n
      u[t.0, t.1] = a[t.0, t.1]
    w[0] = 1.0
    sync blocks for i.2 in 0..n, dealt out to bins of w
      w[0] = (w[0] * 0.5) + 0.25
      for j.3 in 1..n
        for k.5 in 0..1
          u[i.2, j.3] = u[i.2, j.3] - (u[i.2, (j.3 - 1) + k.5] * a[(j.3 - 1) + k.5, j.3])
        shared as
          sync row i.2 spread k.5 in 0..1
            u[i.2, j.3] = u[i.2, j.3] - (u[i.2, (j.3 - 1) + k.5] * a[(j.3 - 1) + k.5, j.3])

ahead: (float64, float64)(float64, int64)
  as  gufunc_retimed_ahead_f8f8_f8i8_stored
  in  a f8, h i8
  out u f8, w f8
  var t.0 i8, t.1 i8, q.2 i8, i.3 i8, k.4 i8, j.5 i8, step.6 i8, single.7 i8, w.8 f8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  loop 0 in -1, points: n
  loop 1 in 0, points: n
  loop 2 in -1, points: n
  loop 3 in 2, serial: ?
  loop 4 in 3, serial: ?
  loop 5 in -1, points: 1
  loop 6 in 5, serial: 16 clocks: n
  work by loops, 20 integer
  work by loops 2 3 4, 2 float64
  work by loops 6, 2 float64
  1 loads of a, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of u, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of w, by loops
  1 loads of u, by loops 2 4: 1 in 0 of 2, 1 in 1 of 4
  1 loads of a, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 stores of u, by loops 2 4: 1 in 0 of 2, 1 in 1 of 4
  1 loads of w, by loops
  1 stores of w, by loops
  each element
    spread t.0 in 0..n, t.1 in 0..n
      u[t.0, t.1] = a[t.0, t.1]
    w[0] = 1.0
    q.2 = h // 2
    if q.2 > n
      q.2 = n
    sync blocks spread i.3 in 0..n
      for k.4 in 0..q.2
        for j.5 in q.2..n
          u[i.3, j.5] = (u[i.3, j.5] * 0.5) - a[k.4, j.5]
    spread single.7 in 0..1
      w.8 = 0.0
      if 0 < n
        w.8 = w[0]
      for i.3 in 0..n
        w.8 = (w.8 * 0.5) + 0.25
      if 0 < n
        w[0] = w.8

ahead: (float64, float64)(float64, int64)
  as  gufunc_retimed_ahead_f8f8_f8i8
  in  a f8, h i8
  out u f8, w f8
  var t.0 i8, t.1 i8, q.2 i8, i.3 i8, k.4 i8, j.5 i8, step.6 i8, bin.7 i8, w.8 f8, key.9 i8
  a thread, a warp or a block a call, or threads a point, in 2 phases
  loop 0 in -1, points: n
  loop 1 in 0, points: n
  loop 2 in -1, serial: n
  loop 3 in 2, serial: ?
  loop 4 in 3, points: ?
  work by loops, 20 integer
  work by loops 2, 2 float64
  work by loops 2 3 4, 2 float64
  1 loads of a, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of u, by loops 0 1: 1 in 0 of 0, 1 in 1 of 1
  1 stores of w, by loops
  1 loads of w, by loops
  1 stores of w, by loops
  1 loads of u, by loops 2 4: 1 in 0 of 2, 1 in 1 of 4
  1 loads of a, by loops 3 4: 1 in 0 of 3, 1 in 1 of 4
  1 stores of u, by loops 2 4: 1 in 0 of 2, 1 in 1 of 4
  longest chain: 16 n
  each element
    spread t.0 in 0..n, t.1 in 0..n
      u[t.0, t.1] = a[t.0, t.1]
    w[0] = 1.0
    q.2 = h // 2
    if q.2 > n
      q.2 = n
    sync blocks for i.3 in 0..n, dealt out to bins of w
      w[0] = (w[0] * 0.5) + 0.25
      for k.4 in 0..q.2
        for j.5 in q.2..n
          u[i.3, j.5] = (u[i.3, j.5] * 0.5) - a[k.4, j.5]
        shared as
          sync row i.3 spread j.5 in q.2..n
            u[i.3, j.5] = (u[i.3, j.5] * 0.5) - a[k.4, j.5]

0copy: int64(int64)
  as  gufunc_retimed_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_retimed_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
