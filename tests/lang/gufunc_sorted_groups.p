sorted_groups: (int32, float64, int32)(int32, float64, uint8)
  as  gufunc_sorted_groups_sorted_groups_i4f8i4_i4f8u1_stored
  in  key i4, val f8, like u1
  out first i4, total f8, groups i4, stored i4, stored i4
  var k.0 i8, i.1 i8, either.2 b1, groups.3 i4, groups.4 i4, other.5 i4, groups.6 i4, other.7 i4,
      i.8 i8, either.9 b1, groups.10 i4, either.11 b1, i.12 i8, groups.13 i4, either.14 b1,
      bin.15 i8, first.16 i4, term.17 i4, key.18 i8, total.19 f8, term.20 f8, key.21 i8
  a thread, a warp or a block a call, or threads a point, in 3 phases
  2 neighbours a thread, where side by side are elements of first total
  loop 0 in -1, points: g
  loop 1 in -1, points: n
  loop 2 in -1, serial: n
  work by loops 1, 8 integer
  work by loops 2, 1 float64, 5 integer
  1 stores of first, by loops 0: 1 in 0 of 0
  1 stores of total, by loops 0: 1 in 0 of 0
  1 stores of stored, by loops 1: 1 in 0 of 1
  4 loads of key, by loops 1: 1 in 0 of 1
  1 stores of stored, by loops
  1 loads of stored, by loops 2: 1 in 0 of 2
  3 loads of key, by loops 2: 1 in 0 of 2
  1 stores of first, by loops 2, irregular
  1 loads of total, by loops 2, irregular
  1 loads of val, by loops 2: 1 in 0 of 2
  1 stores of total, by loops 2, irregular
  1 loads of stored, by loops
  1 stores of groups, by loops
  each element
    spread k.0 in 0..g
      first[k.0] = -1
      total[k.0] = 0.0
    groups.3 = 0
    groups.4 = 0
    groups.6 = 0
    scan i.8 in 0..n to groups.6
      stored[i.8] = groups.3 + groups.6
      if (i.8 + 1) == n
        groups.10 = groups.3 + groups.6
        either.11 = i.8 == 0
        if not either.11
          either.11 = key[i.8] != key[i.8 - 1]
        if either.11
          groups.10 = groups.10 + 1
        stored[] = groups.10
      either.9 = i.8 == 0
      if not either.9
        either.9 = key[i.8] != key[i.8 - 1]
      if either.9
        groups.6 = groups.6 + 1
    join
      groups.6 = groups.6 + other.7
    sync blocks alone for i.12 in 0..n, dealt out to bins of first, total
      alone groups.13 = stored[i.12]
      alone either.14 = i.12 == 0
      alone if not either.14
        alone either.14 = key[i.12] != key[i.12 - 1]
      alone if either.14
        first[i8(groups.13)] = key[i.12]
        alone groups.13 = groups.13 + 1
      total[i8(groups.13 - 1)] = total[i8(groups.13 - 1)] + val[i.12]
    if 0 < n
      groups.3 = stored[]
    groups[] = groups.3

sorted_groups: (int32, float64, int32)(int32, float64, uint8)
  as  gufunc_sorted_groups_sorted_groups_i4f8i4_i4f8u1
  in  key i4, val f8, like u1
  out first i4, total f8, groups i4
  var k.0 i8, i.1 i8, either.2 b1, groups.3 i4
  one thread a call
  loop 0 in -1, points: g
  loop 1 in -1, serial: n
  work by loops 1, 1 float64, 5 integer
  1 stores of first, by loops 0: 1 in 0 of 0
  1 stores of total, by loops 0: 1 in 0 of 0
  3 loads of key, by loops 1: 1 in 0 of 1
  1 stores of first, by loops 1, irregular
  1 loads of total, by loops 1, irregular
  1 loads of val, by loops 1: 1 in 0 of 1
  1 stores of total, by loops 1, irregular
  1 stores of groups, by loops
  longest chain: 8 n / g
  each element
    for k.0 in 0..g
      first[k.0] = -1
      total[k.0] = 0.0
    shared as
      spread k.0 in 0..g
        first[k.0] = -1
        total[k.0] = 0.0
    groups.3 = 0
    sync blocks alone for i.1 in 0..n
      alone either.2 = i.1 == 0
      alone if not either.2
        alone either.2 = key[i.1] != key[i.1 - 1]
      alone if either.2
        first[i8(groups.3)] = key[i.1]
        alone groups.3 = groups.3 + 1
      total[i8(groups.3 - 1)] = total[i8(groups.3 - 1)] + val[i.1]
    groups[] = groups.3

starts: (int64, int32)(int32, uint8)
  as  gufunc_sorted_groups_starts_i8i4_i4u1_stored
  in  key i4, like u1
  out at i8, groups i4, stored i4
  var k.0 i8, i.1 i8, either.2 b1, groups.3 i4, groups.4 i4, other.5 i4, groups.6 i4, other.7 i4,
      i.8 i8, either.9 b1, groups.10 i4, either.11 b1, groups.12 i4, either.13 b1
  a thread, a warp or a block a call, or threads a point, in 3 phases
  2 neighbours a thread, where side by side are elements of at
  loop 0 in -1, points: g
  loop 1 in -1, points: n
  work by loops 1, 64 integer
  1 stores of at, by loops 0: 1 in 0 of 0
  6 loads of key, by loops 1: 1 in 0 of 1
  1 stores of at, by loops 1, irregular
  1 stores of stored, by loops
  1 loads of stored, by loops
  1 stores of groups, by loops
  each element
    spread k.0 in 0..g
      at[k.0] = -1
    groups.3 = 0
    groups.4 = 0
    groups.6 = 0
    sync blocks scan i.8 in 0..n to groups.6
      groups.10 = groups.3 + groups.6
      either.11 = i.8 == 0
      if not either.11
        either.11 = (key[i.8] // 3) != (key[i.8 - 1] // 3)
      if either.11
        at[i8(groups.10)] = i.8
      if (i.8 + 1) == n
        groups.12 = groups.3 + groups.6
        either.13 = i.8 == 0
        if not either.13
          either.13 = (key[i.8] // 3) != (key[i.8 - 1] // 3)
        if either.13
          groups.12 = groups.12 + 1
        stored[] = groups.12
      either.9 = i.8 == 0
      if not either.9
        either.9 = (key[i.8] // 3) != (key[i.8 - 1] // 3)
      if either.9
        groups.6 = groups.6 + 1
    join
      groups.6 = groups.6 + other.7
    if 0 < n
      sync blocks groups.3 = stored[]
    groups[] = groups.3

starts: (int64, int32)(int32, uint8)
  as  gufunc_sorted_groups_starts_i8i4_i4u1
  in  key i4, like u1
  out at i8, groups i4
  var k.0 i8, i.1 i8, either.2 b1, groups.3 i4
  one thread a call
  loop 0 in -1, points: g
  loop 1 in -1, serial: n
  work by loops 1, 21 integer
  1 stores of at, by loops 0: 1 in 0 of 0
  2 loads of key, by loops 1: 1 in 0 of 1
  1 stores of at, by loops 1, irregular
  1 stores of groups, by loops
  each element
    for k.0 in 0..g
      at[k.0] = -1
    shared as
      spread k.0 in 0..g
        at[k.0] = -1
    groups.3 = 0
    sync blocks alone for i.1 in 0..n
      alone either.2 = i.1 == 0
      alone if not either.2
        alone either.2 = (key[i.1] // 3) != (key[i.1 - 1] // 3)
      alone if either.2
        at[i8(groups.3)] = i.1
        alone groups.3 = groups.3 + 1
    groups[] = groups.3

starts_twice: (int64, int32)(int32, uint8)
  as  gufunc_sorted_groups_starts_twice_i8i4_i4u1
  in  key i4, like u1
  out at i8, groups i4
  var k.0 i8, i.1 i8, groups.2 i4
  one thread a call
  loop 0 in -1, points: g
  loop 1 in -1, serial: n
  work by loops 1, 21 integer
  1 stores of at, by loops 0: 1 in 0 of 0
  2 loads of key, by loops 1: 1 in 0 of 1
  1 stores of at, by loops 1, irregular
  1 stores of groups, by loops
  each element
    for k.0 in 0..g
      at[k.0] = -1
    shared as
      spread k.0 in 0..g
        at[k.0] = -1
    groups.2 = 0
    sync blocks alone for i.1 in 0..n
      alone if (key[i.1] % 2) == 0
        alone groups.2 = groups.2 + 1
      alone if (key[i.1] % 3) == 0
        at[i8(groups.2)] = i.1
    groups[] = groups.2

0copy: uint8(uint8)
  as  gufunc_sorted_groups_0copy_u1_u1
  in  x u1
  out out u1
  each element
    store out = x

0copy: int32(int32)
  as  gufunc_sorted_groups_0copy_i4_i4
  in  x i4
  out out i4
  each element
    store out = x

0copy: int64(int64)
  as  gufunc_sorted_groups_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x

0copy: float64(float64)
  as  gufunc_sorted_groups_0copy_f8_f8
  in  x f8
  out out f8
  each element
    store out = x
