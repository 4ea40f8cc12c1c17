/* inner1d.h: kernels THREAD, WARP and BLOCK of the gufunc inner1d (records.h), in
 * PTX written by hand, and shapes to call it with. */
#ifndef INNER1D_H
#define INNER1D_H

#include <string.h>
#include "records.h"
#include "ufc.h"

/* ---- the kernels: offsets are those of struct ufc_kparam_gufunc and what follows it */

_Static_assert(sizeof(struct ufc_kparam_gufunc) == 232 &&
                   offsetof(struct ufc_kparam_gufunc, fault) == 152 &&
                   offsetof(struct ufc_kparam_gufunc, axes) == 160,
               "the kernels below have other offsets");

#define BEGIN(name)                                                                                \
    ".visible .entry " name "(.param .align 8 .b8 p[472])\n{\n"                                    \
    ".reg .pred %p<8>; .reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .f64 %fd<8>;\n"                   \
    ".shared .align 8 .b8 tile[512];\n"                                                            \
    "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;\n"                          \
    "mad.lo.s32 %r4, %r2, %r3, %r1; ld.param.u32 %r5, [p+12]; ld.param.u32 %r6, [p+16];\n"

/* Call %r7 and the elements from %r8 on, %r9 apart; what is beyond the calls has none. */
#define WALK                                                                                       \
    "ld.param.u64 %rd10, [p+232]; ld.param.u64 %rd11, [p+304]; ld.param.u64 %rd12, [p+376];\n"     \
    "cvt.u64.u32 %rd1, %r7; ld.param.u64 %rd2, [p]; setp.lt.u64 %p7, %rd1, %rd2;\n" AXIS(          \
        "160", "184", "208", "256", "328", "400") AXIS("164", "188", "212", "264", "336", "408")   \
        AXIS("168", "192", "216", "272", "344", "416")                                             \
            AXIS("172", "196", "220", "280", "352", "424")                                         \
                AXIS("176", "200", "224", "288", "360", "432")                                     \
                    AXIS("180", "204", "228", "296", "368",                                        \
                         "440") "mov.f64 %fd1, 0d0000000000000000; cvt.u64.u32 %rd20, %r8;\n"      \
                                "cvt.u64.u32 %rd21, %r9; ld.param.u64 %rd22, [p+448];\n"           \
                                "ld.param.u64 %rd23, [p+456]; ld.param.u64 %rd24, [p+464];\n"
#define AXIS(size, magic, shift, a, b, out)                                                        \
    "ld.param.u32 %r12, [p+" size "]; ld.param.u32 %r10, [p+" magic "];\n"                         \
    "ld.param.u32 %r11, [p+" shift "]; cvt.u64.u32 %rd2, %r10; mul.lo.u64 %rd3, %rd1, %rd2;\n"     \
    "shr.u64 %rd3, %rd3, 32; setp.eq.u32 %p1, %r10, 0; selp.b64 %rd3, %rd1, %rd3, %p1;\n"          \
    "shr.u64 %rd3, %rd3, %r11; cvt.u64.u32 %rd4, %r12; mul.lo.u64 %rd5, %rd3, %rd4;\n"             \
    "sub.u64 %rd5, %rd1, %rd5; mov.u64 %rd1, %rd3;\n"                                              \
    "ld.param.u64 %rd6, [p+" a "]; mad.lo.u64 %rd10, %rd5, %rd6, %rd10;\n"                         \
    "ld.param.u64 %rd6, [p+" b "]; mad.lo.u64 %rd11, %rd5, %rd6, %rd11;\n"                         \
    "ld.param.u64 %rd6, [p+" out "]; mad.lo.u64 %rd12, %rd5, %rd6, %rd12;\n"

/* The sum of those elements, in %fd1. */
#define SUM                                                                                        \
    "LOOP: setp.ge.u64 %p1, %rd20, %rd22; @%p1 bra DONE; @!%p7 bra DONE;\n"                        \
    "mad.lo.u64 %rd25, %rd20, %rd23, %rd10; mad.lo.u64 %rd26, %rd20, %rd24, %rd11;\n"              \
    "ld.global.f64 %fd2, [%rd25]; ld.global.f64 %fd3, [%rd26];\n"                                  \
    "fma.rn.f64 %fd1, %fd2, %fd3, %fd1; add.u64 %rd20, %rd20, %rd21; bra LOOP;\nDONE:\n"

/* Of all threads, in %fd1 of thread 0. */
#define JOIN(barrier)                                                                              \
    "mov.u64 %rd30, tile; mul.wide.u32 %rd31, %r1, 8; add.u64 %rd31, %rd30, %rd31;\n"              \
    ".loc 1 4 1\nst.shared.f64 [%rd31], %fd1;\n.loc 1 5 1\n" barrier "setp.ne.u32 %p2, %r1, 0;\n"  \
    ".loc 1 6 1\n@%p2 ret; mov.u32 %r20, 1;\n"                                                     \
    "MORE: setp.ge.u32 %p1, %r20, %r3; @%p1 bra JOINED; add.u64 %rd30, %rd30, 8;\n"                \
    "ld.shared.f64 %fd2, [%rd30]; add.f64 %fd1, %fd1, %fd2; add.u32 %r20, %r20, 1;\n"              \
    "bra MORE;\nJOINED:\n"
#define STORE "@%p7 st.global.f64 [%rd12], %fd1;\nret;\n}\n"
#define HEAD  ".version 6.3\n.target sm_75\n.address_size 64\n.file 1 \"f.uf\"\n"

#define THREAD BEGIN("thread") "mov.u32 %r7, %r4; mov.u32 %r8, 0; mov.u32 %r9, 1;\n" WALK SUM STORE
#define WARP                                                                                       \
    BEGIN("warp")                                                                                  \
    "div.u32 %r7, %r4, %r5; rem.u32 %r8, %r4, %r5; mov.u32 %r9, %r5;\n" WALK SUM                   \
    "sub.u32 %r21, 32, %r5; shl.b32 %r21, %r21, 8; or.b32 %r21, %r21, 31; shr.u32 %r22, %r5, 1;\n" \
    "HALVE: setp.eq.u32 %p1, %r22, 0; @%p1 bra HALVED; mov.b64 {%r23, %r24}, %fd1;\n"              \
    "shfl.sync.bfly.b32 %r23, %r23, %r22, %r21, -1;\n"                                             \
    "shfl.sync.bfly.b32 %r24, %r24, %r22, %r21, -1;\n"                                             \
    "mov.b64 %fd2, {%r23, %r24}; add.f64 %fd1, %fd1, %fd2; shr.u32 %r22, %r22, 1; bra HALVE;\n"    \
    "HALVED: setp.ne.u32 %p2, %r8, 0; @%p2 ret;\n" STORE
#define BLOCK_WITH(barrier)                                                                        \
    BEGIN("block")                                                                                 \
    "mov.u32 %r7, %r2; mov.u32 %r8, %r1; mov.u32 %r9, %r3;\n" WALK SUM JOIN(barrier) STORE
#define BLOCK BLOCK_WITH("bar.sync 0;\n")
/* As a build with checks: elements from 5 on are out of range. */
#define CHECKED                                                                                    \
    BEGIN("checked")                                                                               \
    "mov.u32 %r7, %r4; mov.u32 %r8, 0; mov.u32 %r9, 1;\n" WALK "setp.le.u64 %p3, %rd22, 5;\n"      \
    "@%p3 bra FINE; @!%p7 bra FINE; ld.param.u64 %rd35, [p+152];\n"                                \
    "atom.relaxed.sys.global.cas.b32 %r30, [%rd35], 0, 1; setp.ne.u32 %p4, %r30, 0;\n"             \
    "@%p4 ret; st.global.u32 [%rd35+4], 1; st.global.u64 [%rd35+8], 5;\n"                          \
    "st.global.u64 [%rd35+16], %rd22; ret;\nFINE:\n" SUM STORE

/* ---- records and shapes */

/* inner1d with one kind of kernel. */
static ufc_ufunc make(struct ufc_overload *o, const char *ptx, enum ufc_kernel_kind kind,
                      const char *name) {
    static uint64_t id = 1000;
    ufc_ufunc f = gufuncs_inner1d_ufunc;
    *o = gufuncs_inner1d_overloads[1];
    memset(o->kernel, 0, sizeof o->kernel);
    o->code[UFC_MODULE_PLAIN] = (struct ufc_code){.ptx = ptx, .id = ++id};
    o->kernel[kind] = name;
    f.overloads = o;
    f.noverloads = 1;
    return f;
}

static const struct kernel {
    enum ufc_kernel_kind kind;
    const char *name, *ptx;
} kernels[] = {
    {UFC_KERNEL_THREAD, "thread", HEAD THREAD},
    {UFC_KERNEL_WARP, "warp", HEAD WARP},
    {UFC_KERNEL_BLOCK, "block", HEAD BLOCK},
};

struct shape {
    int ndim;
    int64_t n[8], a[8], b[8], out[7]; /* strides in elements */
    int64_t at;                       /* where the arrays begin */
};

static const struct shape shapes[] = {
    {.ndim = 1, .n = {1}},
    {.ndim = 1, .n = {37}, .a = {1}, .b = {1}},
    {.ndim = 1, .n = {9000}, .a = {2}, .b = {0}},
    {.ndim = 2, .n = {130, 5}, .a = {5, 1}, .b = {0, 1}, .out = {1}},
    {.ndim = 2, .n = {3, 6000}, .a = {1, 3}, .b = {0, -1}, .out = {-1}, .at = 6000},
    {.ndim = 2, .n = {7, 0}, .a = {1, 1}, .b = {1, 1}, .out = {1}},
    {.ndim = 4,
     .n = {3, 4, 5, 9},
     .a = {0, 45, 9, 1},
     .b = {180, -45, 0, 1},
     .out = {20, 5, 1},
     .at = 200},
    /* more loop axes that do not merge than a kernel walks */
    {.ndim = 8,
     .n = {2, 2, 3, 2, 2, 2, 2, 3},
     .a = {0, 1, 0, 3, 0, 9, 0, 27},
     .b = {1, 0, 2, 0, 4, 0, 8, 16},
     .out = {96, 48, 16, 8, 4, 2, 1}},
};

#endif
