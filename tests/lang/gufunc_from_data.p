knapsack: int32(int32, int32, uint8)
  as  gufunc_from_data_knapsack_i4_i4i4u1
  in  w i4, v i4, z u1
  out best i4
  var j.0 i8, i.1 i8, j.2 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: c
  loop 1 in -1, serial: n
  loop 2 in 1, serial: c 1 - 2 // 0 max
  work by loops 1 2, 4 integer
  1 stores of best, by loops 0: 1 in 0 of 0
  1 loads of best, by loops 1 2: -1 in 0 of 2
  1 loads of w, by loops 1: 1 in 0 of 1
  1 loads of best, by loops 1 2, irregular
  1 loads of v, by loops 1: 1 in 0 of 1
  1 stores of best, by loops 1 2: -1 in 0 of 2
  each element
    spread j.0 in 0..c
      best[j.0] = 0
    sync blocks alone for i.1 in 0..n
      alone for j.2 in (c - 1)..i8(w[i.1] + 1)..-1
        best[j.2] = max(best[j.2], (best[i8((i4(j.2) - w[i.1]) - 2)] + v[i.1]) + 5)

change: int64(int64, uint8)
  as  gufunc_from_data_change_i8_i8u1
  in  coin i8, z u1
  out ways i8
  var j.0 i8, i.1 i8, j.2 i8
  a thread, a warp or a block a call
  loop 0 in -1, points: m
  loop 1 in -1, serial: n
  loop 2 in 1, serial: m 4 // 0 max
  work by loops 1 2, 4 integer
  1 stores of ways, by loops 0: 1 in 0 of 0
  1 loads of ways, by loops 1 2: 2 in 0 of 2, irregular
  1 loads of coin, by loops 1: 1 in 0 of 1
  1 loads of ways, by loops 1 2: 2 in 0 of 2, irregular
  1 stores of ways, by loops 1 2: 2 in 0 of 2, irregular
  each element
    spread j.0 in 0..m
      ways[j.0] = where(j.0 == 0, 1, 0)
    sync blocks alone for i.1 in 0..n
      alone for j.2 in (coin[i.1] + 2)..m..2
        ways[j.2] = ways[j.2] + ways[(j.2 - coin[i.1]) - 2]

0copy: uint8(uint8)
  as  gufunc_from_data_0copy_u1_u1
  in  x u1
  out out u1
  each element
    store out = x

0copy: int32(int32)
  as  gufunc_from_data_0copy_i4_i4
  in  x i4
  out out i4
  each element
    store out = x

0copy: int64(int64)
  as  gufunc_from_data_0copy_i8_i8
  in  x i8
  out out i8
  each element
    store out = x
