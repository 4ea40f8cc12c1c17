/* sim.c: the simulator on PTX written by hand: what it computes, and what it says of errors. */
#include "sim_kernel.h"

/* ---- what is computed */

static uint32_t same(uint32_t i, uint32_t x) {
    (void)i;
    return x;
}

static uint32_t neighbour(uint32_t i, uint32_t x) {
    (void)x;
    return input(i ^ 1);
}

static uint32_t previous(uint32_t i, uint32_t x) {
    return i % 8 ? input(i - 1) : x;
}

static uint32_t half_down(uint32_t i, uint32_t x) {
    return i % 32 < 16 ? input(i + 16) + 1 : x;
}

static uint32_t third(uint32_t i, uint32_t x) {
    (void)x;
    return input((i & ~31U) + 3);
}

static uint32_t negative_lanes(uint32_t i, uint32_t x) {
    uint32_t bits = 0;
    (void)x;
    for (uint32_t k = 0; k < 32; k++)
        bits |= (input((i & ~31U) + k) >> 31) << k;
    return bits;
}

static uint32_t of_ended(uint32_t i, uint32_t x) {
    return i % 32 < 16 ? 0x7f4a7c15 : x;
}

static uint32_t zero(uint32_t i, uint32_t x) {
    (void)i;
    (void)x;
    return 0;
}

static uint32_t seven(uint32_t i, uint32_t x) {
    (void)i;
    (void)x;
    return 7;
}

/* Row lane / 4 of a matrix of lanes' numbers, and column 2 (lane % 4), of k = 4 products. */
static uint32_t row_times_column(uint32_t i, uint32_t x) {
    uint32_t lane = i % 32, sum = 0;
    (void)x;
    for (uint32_t k = 0; k < 4; k++)
        sum += (lane / 4 * 4 + k) * (lane % 4 * 8 + k);
    return sum + 1;
}

static uint32_t votes(uint32_t i, uint32_t x) {
    (void)i;
    (void)x;
    return 1 + 4; /* any, uni of what all agree on */
}

static uint32_t lanes_alike(uint32_t i, uint32_t x) {
    (void)x;
    return 0x11111111U << (i & 3);
}

static uint32_t warp_sum(uint32_t i, uint32_t x) {
    uint32_t sum = 0;
    (void)x;
    for (uint32_t k = 0; k < 32; k++)
        sum += input((i & ~31U) + k);
    return sum;
}

static uint32_t block_sum(uint32_t i, uint32_t x) {
    return warp_sum(i, x) + warp_sum(i ^ 32, x);
}

static uint32_t total(uint32_t i, uint32_t x) {
    uint32_t sum = 0;
    for (uint32_t k = 0; i == 0 && k < BLOCKS; k++)
        sum += block_sum(k * BLOCK, x);
    return i == 0 ? sum : x;
}

static uint32_t odd_threads(uint32_t i, uint32_t x) {
    (void)i;
    (void)x;
    return BLOCK / 2;
}

static uint32_t count_down(uint32_t i, uint32_t x) {
    (void)i;
    (void)x;
    return 3 * BLOCK;
}

static uint32_t wide_sum(uint32_t i, uint32_t x) {
    (void)i;
    uint64_t a = (uint64_t)x << 32 | x, sum = a + a;
    return (uint32_t)(sum >> 32) ^ (uint32_t)sum;
}

static uint32_t fields(uint32_t i, uint32_t x) {
    (void)i;
    uint32_t field = (uint32_t)((int32_t)(x << 12) >> 24);
    uint32_t inserted = (x & ~0xff0U) | (field & 0xff) << 4;
    return inserted ^ (x << 24 | (x & 0xff00) << 8 | (x >> 8 & 0xff00) | x >> 24);
}

static uint32_t by_table(uint32_t i, uint32_t x) {
    static const uint32_t table[] = {10, 20, 30, 40};
    (void)i;
    return x % 4 < 3 ? table[x % 4] + x % 4 : 7;
}

static uint32_t doubled(uint32_t i, uint32_t x) {
    (void)i;
    return 2 * x + 5;
}

static uint32_t backwards(uint32_t i, uint32_t x) {
    (void)x;
    return input((i & ~3U) + 3 - i % 4);
}

/* The numbers of four threads, a byte each, and of the other word of the two. */
static uint32_t four_threads(uint32_t i, uint32_t x) {
    uint32_t first = i % BLOCK & ~3U;
    (void)x;
    return first * 0x01010101U + 0x03020100U + ((i ^ 1) % BLOCK);
}

static uint32_t floats(uint32_t i, uint32_t x) {
    (void)i;
    (void)x;
    /* rounded up and down: 1/3; converted: saturated, NaN; clamped */
    return (0x3eaaaaabU - 0x3eaaaaaaU) + 0x7fffffffU + 0 + 0x3f800000U;
}

/* ---- cases */

#define CAN(expected, body)                                                                        \
    {                                                                                              \
        "", body, expected, {                                                                      \
            NULL                                                                                   \
        }                                                                                          \
    }
#define CAN_WITH(expected, head, body)                                                             \
    {                                                                                              \
        head, body, expected, {                                                                    \
            NULL                                                                                   \
        }                                                                                          \
    }
#define FAILS(body, ...)                                                                           \
    {                                                                                              \
        "", body, NULL, {                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

static const struct test_case cases[] = {
    CAN(same, "mov.b32 %r6, %r5;"),
    /* shared memory and barriers */
    CAN(neighbour, "st.shared.b32 [%rd8], %r5; bar.sync 0; xor.b32 %r7, %r1, 1;"
                   "mul.wide.u32 %rd9, %r7, 4; add.s64 %rd9, %rd6, %rd9;"
                   "ld.shared.b32 %r6, [%rd9];"),
    CAN(neighbour, "st.shared.b32 [%rd8], %r5; bar.warp.sync -1; xor.b32 %r7, %r1, 1;"
                   "mul.wide.u32 %rd9, %r7, 4; add.s64 %rd9, %rd6, %rd9; ld.b32 %r6, [%rd9];"),
    CAN(four_threads, "cvt.u16.u32 %rs2, %r1; cvt.u64.u32 %rd9, %r1; add.s64 %rd9, %rd6, %rd9;"
                      "st.shared.u8 [%rd9], %rs2; bar.sync 0; and.b32 %r7, %r1, -4;"
                      "cvt.u64.u32 %rd9, %r7; add.s64 %rd9, %rd6, %rd9; ld.shared.b32 %r6, [%rd9];"
                      "bar.sync 0; st.shared.b32 [%rd8], %r1; bar.sync 0; xor.b32 %r7, %r1, 1;"
                      "mul.wide.u32 %rd9, %r7, 4; add.s64 %rd9, %rd6, %rd9;"
                      "ld.shared.b32 %r8, [%rd9]; add.u32 %r6, %r6, %r8;"),
    CAN(odd_threads, "and.b32 %r7, %r1, 1; setp.ne.b32 %p1, %r7, 0;"
                     "bar.red.popc.u32 %r6, 0, %p1;"),
    CAN(block_sum, "mov.b32 %r7, 0; st.shared.b32 [%rd8], %r7; barrier.sync 0;"
                   "red.shared.add.u32 [tile+8], %r5; bar.sync 0; ld.shared.b32 %r6, [tile+8];"),
    CAN(count_down, "setp.ne.b32 %p1, %r1, 0; @%p1 bra L1; mov.b32 %r7, 0;"
                    "st.shared.b32 [tile], %r7;\nL1: bar.sync 0; mov.b32 %r8, 3;\n"
                    "L2: ld.volatile.global.b32 %r9, [%rd4]; atom.shared.inc.u32 %r10, [tile], "
                    "100000; sub.s32 %r8, %r8, 1; setp.ne.b32 %p2, %r8, 0; @%p2 bra L2;"
                    "bar.sync 0; ld.shared.b32 %r6, [tile];"),
    /* warps */
    CAN(previous, "shfl.sync.up.b32 %r6, %r5, 1, 0x1800, -1;"),
    CAN(half_down, "shfl.sync.down.b32 %r6|%p1, %r5, 16, 31, -1; @%p1 add.s32 %r6, %r6, 1;"),
    CAN(neighbour, "shfl.sync.bfly.b32 %r6, %r5, 1, 31, 0xffffffff;"),
    CAN(third, "shfl.sync.idx.b32 %r6, %r5, 3, 31, -1;"),
    CAN(negative_lanes, "setp.lt.s32 %p1, %r5, 0; vote.sync.ballot.b32 %r6, %p1, -1;"),
    CAN(votes, "setp.eq.b32 %p1, %r1, %r1; vote.sync.any.pred %p2, %p1, -1;"
               "vote.sync.all.pred %p3, !%p1, -1; vote.sync.uni.pred %p4, %p1, -1;"
               "selp.b32 %r7, 1, 0, %p2; selp.b32 %r8, 2, 0, %p3; selp.b32 %r9, 4, 0, %p4;"
               "or.b32 %r6, %r7, %r8; or.b32 %r6, %r6, %r9;"),
    CAN(lanes_alike, "and.b32 %r7, %r1, 3; match.any.sync.b32 %r6, %r7, -1;"),
    CAN(warp_sum, "redux.sync.add.u32 %r6, %r5, -1;"),
    CAN(row_times_column,
        ".reg .f64 %fd<9>; rem.u32 %r7, %r1, 32; cvt.rn.f64.u32 %fd0, %r7;"
        "mov.f64 %fd1, 0d3FF0000000000000; mov.f64 %fd2, 0d0000000000000000;"
        "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%fd3, %fd4, %fd5, %fd6}, {%fd0, %fd2},"
        " {%fd0}, {%fd1, %fd2, %fd2, %fd2}; cvt.rzi.u32.f64 %r6, %fd3;"),
    /* copies to shared memory */
    CAN(neighbour, "cp.async.ca.shared.global [%rd8], [%rd4], 4; cp.async.wait_all; bar.sync 0;"
                   "xor.b32 %r7, %r1, 1; mul.wide.u32 %rd9, %r7, 4; add.s64 %rd9, %rd6, %rd9;"
                   "ld.shared.b32 %r6, [%rd9];"),
    CAN(zero, "st.shared.b32 [%rd8], %r5; cp.async.ca.shared.global [%rd8], [%rd4], 4, 0;"
              "cp.async.commit_group; cp.async.wait_group 0; ld.shared.b32 %r6, [%rd8];"),
    CAN(seven, "mov.b32 %r7, 7; st.shared.b32 [%rd8], %r7;" /* the last group may be under way */
               "cp.async.ca.shared.global [%rd8], [%rd4], 4; cp.async.commit_group;"
               "cp.async.wait_group 1; ld.shared.b32 %r6, [%rd8];"),
    /* Threads that have ended are not waited for. */
    CAN(same, "mov.b32 %r6, %r5; and.b32 %r7, %r1, 16; setp.eq.b32 %p1, %r7, 0; @%p1 bra L1;"
              "st.global.b32 [%rd5], %r6; ret;\nL1: shfl.sync.idx.b32 %r8, %r5, 0, 31, -1;"),
    CAN(of_ended, "mov.b32 %r6, %r5; and.b32 %r7, %r1, 16; setp.eq.b32 %p1, %r7, 0; @%p1 bra L1;"
                  "st.global.b32 [%rd5], %r6; ret;\nL1: shfl.sync.idx.b32 %r6, %r5, 31, 31, -1;"),
    /* atomic operations of all blocks */
    CAN(total, "mov.b32 %r6, %r5; setp.eq.b32 %p1, %r4, 0; red.global.add.u32 [%rd2], %r5;"
               "@%p1 ret; setp.eq.b32 %p2, %r4, 0; @%p2 ret;"),
    /* arithmetic */
    CAN(wide_sum, "add.cc.u32 %r7, %r5, %r5; addc.u32 %r8, %r5, %r5; xor.b32 %r6, %r7, %r8;"),
    CAN(same, "sub.cc.u32 %r7, %r5, %r1; subc.u32 %r8, 0, 0; add.cc.u32 %r9, %r7, %r1;"
              "addc.u32 %r10, %r8, 0; add.s32 %r6, %r9, %r10;"),
    CAN(same, "cvt.u64.u32 %rd9, %r5; cvt.u64.u32 %rd10, %r1; sub.cc.u64 %rd11, %rd9, %rd10;"
              "subc.u64 %rd12, 0, 0; add.cc.u64 %rd11, %rd11, %rd10; addc.u64 %rd12, %rd12, 0;"
              "add.s64 %rd11, %rd11, %rd12; cvt.u32.u64 %r6, %rd11;"),
    CAN(same, "brev.b32 %r7, %r5; brev.b32 %r8, %r7; lop3.b32 %r6, %r8, %r8, %r5, 0x80;"),
    CAN(same, "or.b32 %r7, %r1, 64; bfind.u32 %r8, %r7; bfind.shiftamt.u32 %r9, %r7;"
              "bfind.s32 %r10, -1; add.s32 %r8, %r8, %r9; sub.s32 %r8, %r8, 30;"
              "add.s32 %r8, %r8, %r10; add.s32 %r6, %r5, %r8;"),
    CAN(same, "mov.u32 %r7, %laneid; mov.u32 %r8, %warpid; shl.b32 %r8, %r8, 5;"
              "add.s32 %r7, %r7, %r8; sub.s32 %r7, %r7, %r1; mov.u32 %r8, %lanemask_lt;"
              "mov.u32 %r9, %lanemask_eq; or.b32 %r8, %r8, %r9; mov.u32 %r9, %lanemask_le;"
              "xor.b32 %r8, %r8, %r9; or.b32 %r7, %r7, %r8; mov.u32 %r8, %lanemask_gt;"
              "add.s32 %r8, %r8, %r9; add.s32 %r7, %r7, %r8; mov.u32 %r8, %lanemask_ge;"
              "mov.u32 %r9, %lanemask_lt; add.s32 %r8, %r8, %r9; add.s32 %r7, %r7, %r8;"
              "add.s32 %r7, %r7, 2; add.s32 %r6, %r5, %r7;"),
    CAN(fields, "bfe.s32 %r7, %r5, 12, 8; bfi.b32 %r8, %r7, %r5, 4, 8;"
                "prmt.b32 %r9, %r5, 0, 0x0123; xor.b32 %r6, %r8, %r9;"),
    CAN(floats, "rcp.rp.f32 %r7, 0f40400000; rcp.rm.f32 %r8, 0f40400000; sub.s32 %r6, %r7, %r8;"
                "cvt.rzi.s32.f32 %r9, 0f7F000000; add.s32 %r6, %r6, %r9;"
                "cvt.rni.s32.f32 %r10, 0f7FC00000; add.s32 %r6, %r6, %r10;"
                "add.sat.f32 %r11, 0f40000000, 0f3F000000; add.s32 %r6, %r6, %r11;"),
    /* branches by table, constants, calls, local memory, vectors */
    CAN_WITH(by_table, ".const .align 4 .u32 numbers[4] = {10, 20, 30, 40};\n",
             "and.b32 %r7, %r5, 3; mul.wide.u32 %rd9, %r7, 4; mov.b64 %rd10, numbers;"
             "add.s64 %rd10, %rd10, %rd9; ld.const.b32 %r8, [%rd10];\n"
             "T: .branchtargets L0, L1, L2, L3; brx.idx %r7, T;\nL3: mov.b32 %r6, 7; bra.uni L4;\n"
             "L0: L1: L2: add.s32 %r6, %r8, %r7;\nL4:"),
    CAN_WITH(doubled,
             ".func (.param .b32 r) twice(.param .b32 a) { .reg .b32 %a<3>; "
             "ld.param.b32 %a1, [a]; add.s32 %a2, %a1, %a1; st.param.b32 [r], %a2; ret; }\n",
             "{ .param .b32 a0; .param .b32 r0; .reg .b32 tmp; st.param.b32 [a0], %r5; call.uni "
             "(r0), twice, (a0); ld.param.b32 tmp, [r0]; add.s32 %r6, tmp, 5; }"),
    CAN(backwards, "and.b32 %r7, %r1, 3; and.b64 %rd9, %rd4, -16; sub.s64 %rd10, %rd4, %rd9;"
                   "ld.global.v4.b32 {%r10, %r11, %r12, %r13}, [%rd9]; mov.b64 %rd11, mine;"
                   "cvta.local.u64 %rd11, %rd11; st.v2.b32 [%rd11], {%r13, %r12};"
                   "st.local.v2.b32 [mine+8], {%r11, %r10}; add.s64 %rd12, %rd11, %rd10;"
                   "ld.local.b32 %r6, [%rd12];"),
    /* what cannot be read */
    FAILS(".shared .align 16 .b8 wide[49152]; mov.b32 %r6, %r5;",
          "'k' has 49408 bytes of static shared memory", "49152"),
    FAILS("frob.b32 %r6, %r5;", "unknown instruction 'frob.b32'", "line 15"),
    FAILS("add.bogus.s32 %r6, %r5, 1;", "unknown instruction 'add.bogus.s32'"),
    FAILS("add.s32 %r6, %r77, 1;", "unknown name '%r77'"),
    FAILS("bra L9;", "no label 'L9'"),
    FAILS("add.s32 %r6, %r5;", "add.s32"),
    /* accesses */
    FAILS(".loc 1 7 3\nld.global.b32 %r6, [%rd4+768];", "function 'f', f.uf:7: ",
          "thread (0) of block (0) reads 4 bytes at 0x", "beyond the array 'x' (768 bytes at 0x"),
    FAILS("ld.global.b32 %r6, [%rd1+-4];", "line 15 of its PTX", "before the array 'x'"),
    FAILS("ld.global.b32 %r6, [%rd4+2];", "not aligned to 4 bytes"),
    FAILS("setp.eq.b32 %p1, %r4, 130; mov.b32 %r6, 0; @%p1 st.global.b32 [%rd4], %r5;",
          "thread (2) of block (2) writes 4 bytes", "in the input 'x'"),
    FAILS("st.shared.b32 [%rd8+256], %r5;", "outside the 256 bytes of shared memory"),
    FAILS("ld.local.b32 %r6, [mine+16];", "outside its 16 bytes of local memory"),
    FAILS("trap;", "ends by trap"),
    /* races */
    FAILS(".loc 1 3 1\nst.shared.b32 [%rd8], %r5; xor.b32 %r7, %r1, 1;\n.loc 1 4 1\n"
          "mul.wide.u32 %rd9, %r7, 4; add.s64 %rd9, %rd6, %rd9; ld.shared.b32 %r6, [%rd9];",
          "f.uf:3: thread (1) of block (0) writes 4 bytes of shared memory",
          "that thread (0) read at f.uf:4, with no barrier"),
    FAILS("st.shared.b32 [tile], %r5; bar.sync 0;", "thread (1)", "that thread (0) wrote"),
    FAILS("cp.async.ca.shared.global [%rd8], [%rd4], 4; bar.sync 0; xor.b32 %r7, %r1, 1;"
          "mul.wide.u32 %rd9, %r7, 4; add.s64 %rd9, %rd6, %rd9; ld.shared.b32 %r6, [%rd9];"
          "cp.async.wait_all;",
          "of shared memory", "that thread"),
    FAILS("st.shared.b32 [%rd8], %r5; bar.warp.sync -1; xor.b32 %r7, %r1, 32;"
          "mul.wide.u32 %rd9, %r7, 4; add.s64 %rd9, %rd6, %rd9; ld.shared.b32 %r6, [%rd9];",
          "of shared memory that thread (0) read"),
    FAILS("st.shared.b32 [%rd8], %r5; add.s64 %rd9, %rd6, 6; ld.shared.u8 %r6, [%rd9];",
          "thread (1) of block (0) writes 4 bytes", "that thread (0) read"),
    FAILS("setp.eq.b32 %p1, %r1, 0; @%p1 st.shared.u8 [tile+3], 7; ld.shared.b32 %r6, [tile];",
          "thread (1) of block (0) reads 4 bytes", "that thread (0) wrote"),
    FAILS("setp.eq.b32 %p1, %r1, 0; @%p1 st.shared.u8 [tile+13], 7;"
          "ld.shared.v4.b32 {%r6, %r7, %r8, %r9}, [tile];",
          "thread (1) of block (0) reads 16 bytes", "that thread (0) wrote"),
    FAILS("setp.eq.b32 %p1, %r1, 0; @%p1 st.shared.b64 [tile], %rd4; ld.shared.u16 %r6, [tile+6];",
          "thread (1) of block (0) reads 2 bytes", "that thread (0) wrote"),
    FAILS("red.shared.add.u32 [tile], 1; ld.shared.b32 %r6, [tile]; bar.sync 0;", "thread (1)",
          "that thread (0) read"),
    /* barriers that not all reach */
    FAILS("setp.gt.u32 %p1, %r1, 31; @%p1 ret;\n.loc 1 9 1\nbar.sync 0;",
          "f.uf:9: thread (0) of block (0) waits at a barrier that thread (63) does not reach",
          "it has ended"),
    FAILS("and.b32 %r7, %r1, 1; setp.eq.b32 %p1, %r7, 0; @%p1 bra L1; bar.sync 0; bra L2;\n"
          "L1: bar.sync 0;\nL2: mov.b32 %r6, 0;",
          "waits at a barrier that thread (1) does not reach: it waits at line 15"),
    FAILS("setp.eq.b32 %p1, %r1, 5; @%p1 bar.sync 1; shfl.sync.idx.b32 %r6, %r5, 0, 31, -1;",
          "thread (5) of block (0) waits at a barrier"),
    FAILS("shfl.sync.idx.b32 %r6, %r5, 0, 31, 0xf;", "thread (4)", "not in the member mask"),
    {".section s { \"\n", "mov.b32 %r6, %r5;", NULL, {"'}'"}}, /* reading it ends */
};

int main(void) {
    run_cases(cases, sizeof cases / sizeof *cases);
    return test_failures > 0;
}
