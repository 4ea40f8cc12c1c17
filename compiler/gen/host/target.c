/* target.c: the host as a target of bodies: library functions, and instructions from level v3 on.
 *
 * Library functions are libmvec's, on pieces as wide as its vectors, or else libm's, lane by lane;
 * powf.c, exp.c, gamma.c, sine.c and tanh.c replace what is slow. */
#include <math.h>
#include <stdio.h>

#include "host.h"

const struct level_info level_info[LEVEL_COUNT] = {
    [LEVEL_V2] = {"v2", 16}, [LEVEL_V3] = {"v3", 32}, [LEVEL_V4] = {"v4", 64}};

/* ---- library functions */

/* Declares a library function; writes: it writes what its arguments point to. */
static LLVMValueRef declare(struct gen *g, const char *name, LLVMTypeRef type, bool writes) {
    LLVMValueRef f = LLVMGetNamedFunction(g->module, name);
    if (f == NULL) {
        f = LLVMAddFunction(g->module, name, type);
        llvm_flag(f, "nounwind");
        llvm_flag(f, "willreturn");
        llvm_memory(f, writes);
    }
    return f;
}

LLVMValueRef take_lanes(struct gen *g, LLVMValueRef v, int first, int n) {
    LLVMValueRef lanes[MOST_LANES];
    unsigned size = LLVMGetVectorSize(LLVMTypeOf(v));
    for (int i = 0; i < n; i++)
        lanes[i] = LLVMConstInt(i32_type(g), (unsigned)(first + i) % size, false);
    return LLVMBuildShuffleVector(g->b, v, LLVMGetPoison(LLVMTypeOf(v)),
                                  LLVMConstVector(lanes, (unsigned)n), "");
}

/* The lanes of a, then those of b, which are as many. */
static LLVMValueRef concatenate(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef lanes[MOST_LANES];
    unsigned n = 2 * LLVMGetVectorSize(LLVMTypeOf(a));
    for (unsigned i = 0; i < n; i++)
        lanes[i] = LLVMConstInt(i32_type(g), i, false);
    return LLVMBuildShuffleVector(g->b, a, b, LLVMConstVector(lanes, n), "");
}

static bool has_own_powf(struct gen *g, const struct builtin *f, int size) {
    return f->id == B_POW && size == 4 && g->level == LEVEL_V4;
}

/* f on vectors of `width` lanes: libmvec's, or powf.c's. */
static LLVMValueRef vector_function(struct gen *g, const struct builtin *f, int size, int width,
                                    LLVMTypeRef type) {
    if (has_own_powf(g, f, size)) {
        LLVMValueRef ours = declare(g, "powf_v4", type, false);
        if (LLVMIsDeclaration(ours)) {
            LLVMSetLinkage(ours, LLVMInternalLinkage);
            llvm_host_attributes(ours, g->level);
            gen_powf(g, ours);
        }
        return ours;
    }
    char name[48];
    snprintf(name, sizeof name, "_ZGV%cN%d%s_%s%s",
             width * size == 16   ? 'b'
             : width * size == 32 ? 'd'
                                  : 'e',
             width, f->nargs == 2 ? "vv" : "v", f->host, size == 4 ? "f" : "");
    return declare(g, name, type, false);
}

/* Lanes [first, first + n) of f's result, by calls with vectors of libmvec's widths. */
static LLVMValueRef call_pieces(struct gen *g, const struct builtin *f, int size,
                                LLVMValueRef *args, int first, int n) {
    int most = level_info[g->level].bytes / size;
    if (n > most)
        return concatenate(g, call_pieces(g, f, size, args, first, n / 2),
                           call_pieces(g, f, size, args, first + n / 2, n / 2));
    bool whole = g->whole_vectors || has_own_powf(g, f, size);
    int width = whole ? most : n * size < 16 ? 16 / size : n;
    LLVMTypeRef type = LLVMVectorType(LLVMGetElementType(LLVMTypeOf(args[0])), (unsigned)width);
    LLVMTypeRef types[] = {type, type};
    LLVMValueRef pieces[2];
    for (int i = 0; i < f->nargs; i++)
        pieces[i] = width == g->lanes ? args[i] : take_lanes(g, args[i], first, width);
    LLVMTypeRef function = LLVMFunctionType(type, types, (unsigned)f->nargs, false);
    LLVMValueRef callee = vector_function(g, f, size, width, function);
    LLVMValueRef r = LLVMBuildCall2(g->b, function, callee, pieces, (unsigned)f->nargs, "");
    return width == n ? r : take_lanes(g, r, 0, n);
}

/* libm's f on scalars.  lgamma would write the global signgam; lgamma_r writes its argument. */
static LLVMValueRef call_scalar(struct gen *g, const struct builtin *f, bool single,
                                LLVMTypeRef result, LLVMTypeRef *types, LLVMValueRef *args) {
    bool reentrant = f->id == B_LGAMMA;
    int n = f->nargs;
    char name[48];
    snprintf(name, sizeof name, "%s%s%s", f->host, single ? "f" : "", reentrant ? "_r" : "");
    if (reentrant) {
        args[n] = gen_alloca(g, i32_type(g), "sign");
        types[n] = LLVMTypeOf(args[n]);
        n++;
    }
    LLVMTypeRef type = LLVMFunctionType(result, types, (unsigned)n, false);
    LLVMValueRef function = declare(g, name, type, reentrant);
    /* LLVM takes a remainder for no NaN where the first argument is not infinite. */
    if (f->id == B_FMOD)
        llvm_flag(function, "nobuiltin");
    return LLVMBuildCall2(g->b, type, function, args, (unsigned)n, "");
}

/* A function on vectors that calls libm's scalar function lane by lane. */
static LLVMValueRef lanes_function(struct gen *g, const struct builtin *f, bool single,
                                   LLVMTypeRef type, LLVMTypeRef *types, LLVMTypeRef result) {
    char name[48];
    snprintf(name, sizeof name, "%s%s_%d_%s", f->host, single ? "f" : "", g->lanes,
             level_info[g->level].suffix);
    LLVMValueRef function = LLVMGetNamedFunction(g->module, name);
    if (function != NULL)
        return function;
    struct gen inner = *g;
    function = inner.function = LLVMAddFunction(g->module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    llvm_host_attributes(function, g->level);
    llvm_flag(function, "noinline");
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b);
    gen_place(g, gen_block(&inner, "entry"));
    inner.lanes = 1;
    LLVMValueRef slots[3], out = gen_alloca(&inner, result, "");
    LLVMTypeRef scalars[3];
    for (int i = 0; i < f->nargs; i++) {
        slots[i] = gen_alloca(&inner, types[i], "");
        scalars[i] = LLVMGetElementType(types[i]);
        LLVMBuildStore(g->b, LLVMGetParam(function, (unsigned)i), slots[i]);
    }
    struct loop l;
    LLVMValueRef zero = LLVMConstNull(i64_type(g)), args[3];
    loop_begin(&inner, &l, 1, &zero);
    LLVMValueRef lanes = LLVMConstInt(i64_type(g), (unsigned)g->lanes, false);
    loop_while(&inner, &l, LLVMBuildICmp(g->b, LLVMIntULT, l.phi[0], lanes, ""));
    for (int i = 0; i < f->nargs; i++) {
        LLVMValueRef at = LLVMBuildGEP2(g->b, scalars[i], slots[i], &l.phi[0], 1, "");
        args[i] = LLVMBuildLoad2(g->b, scalars[i], at, "");
    }
    LLVMTypeRef scalar = LLVMGetElementType(result);
    LLVMValueRef v = call_scalar(&inner, f, single, scalar, scalars, args);
    LLVMBuildStore(g->b, v, LLVMBuildGEP2(g->b, scalar, out, &l.phi[0], 1, ""));
    LLVMValueRef next = LLVMBuildAdd(g->b, l.phi[0], LLVMConstInt(i64_type(g), 1, false), "");
    loop_end(&inner, &l, &next);
    LLVMBuildRet(g->b, LLVMBuildLoad2(g->b, result, out, ""));
    gen_place(g, here);
    return function;
}

/* libmvec's f on one value, which all lanes of a vector have. */
static LLVMValueRef call_one(struct gen *g, const struct builtin *f, int size, LLVMValueRef *args) {
    LLVMValueRef vectors[2], first = LLVMConstNull(i32_type(g));
    struct lanes_scope outer = lanes_enter(g, 16 / size);
    for (int i = 0; i < f->nargs; i++)
        vectors[i] = gen_dynamic_splat(g, args[i]);
    LLVMValueRef all = call_pieces(g, f, size, vectors, 0, g->lanes);
    lanes_leave(g, outer);
    return LLVMBuildExtractElement(g->b, all, first, "");
}

static LLVMValueRef call_lanes(struct gen *g, const struct builtin *f, enum ufc_dtype d,
                               LLVMTypeRef result, LLVMValueRef *args) {
    LLVMTypeRef types[4];
    for (int i = 0; i < f->nargs; i++)
        types[i] = LLVMTypeOf(args[i]);
    if (g->lanes == 1)
        return call_scalar(g, f, d == DT_FLOAT32, result, types, args);
    LLVMTypeRef type = LLVMFunctionType(result, types, (unsigned)f->nargs, false);
    LLVMValueRef function = lanes_function(g, f, d == DT_FLOAT32, type, types, result);
    return LLVMBuildCall2(g->b, type, function, args, (unsigned)f->nargs, "");
}

/* fmod of a >= 0 and b > 0, in float64, where the quotient is not large: a - trunc(a / b) * b,
 * exactly.  The quotient of two float32 has the right whole part, and its product with b has at
 * most 52 bits.  The quotient of two float64 may be too large by 1; then b is added to the fused
 * difference, which has no more bits than b. */
static LLVMValueRef small_fmod(struct gen *g, bool single, LLVMValueRef a, LLVMValueRef b,
                               LLVMValueRef quotient) {
    LLVMValueRef q = gen_intrinsic(g, "trunc", NULL, &quotient, 1), r;
    if (single) {
        r = LLVMBuildFSub(g->b, a, LLVMBuildFMul(g->b, q, b, ""), "");
    } else {
        LLVMValueRef terms[] = {LLVMBuildFNeg(g->b, q, ""), b, a};
        r = gen_intrinsic(g, "fma", NULL, terms, 3);
        LLVMValueRef zero = gen_float(g, DT_FLOAT64, 0);
        LLVMValueRef below = LLVMBuildFCmp(g->b, LLVMRealOLT, r, zero, "");
        r = gen_select(g, below, LLVMBuildFAdd(g->b, r, b, ""), r);
    }
    /* b may be infinite */
    return gen_select(g, LLVMBuildFCmp(g->b, LLVMRealOLT, a, b, ""), a, r);
}

/* fmod of vectors; libm computes those in which a quotient is large or a NaN.  Both ways are exact.
 */
static LLVMValueRef gen_fmod(struct gen *g, const struct builtin *f, enum ufc_dtype d,
                             LLVMTypeRef result, LLVMValueRef *args) {
    bool single = d == DT_FLOAT32;
    LLVMValueRef part[2], from[2];
    for (int i = 0; i < 2; i++)
        part[i] = gen_cast(g, gen_intrinsic(g, "fabs", NULL, &args[i], 1), d, DT_FLOAT64);
    LLVMValueRef q = LLVMBuildFDiv(g->b, part[0], part[1], "");
    LLVMValueRef limit = gen_float(g, DT_FLOAT64, single ? 0x1p28 : 0x1p52);
    LLVMValueRef large = LLVMBuildFCmp(g->b, LLVMRealUGE, q, limit, "");
    LLVMBasicBlockRef blocks[] = {gen_block(g, "large"), gen_block(g, "small")};
    LLVMBasicBlockRef done = gen_block(g, "done");
    LLVMBuildCondBr(g->b, gen_any(g, large), blocks[0], blocks[1]);
    gen_place(g, blocks[0]);
    from[0] = call_lanes(g, f, d, result, args);
    LLVMBuildBr(g->b, done);
    gen_place(g, blocks[1]);
    LLVMValueRef r = small_fmod(g, single, part[0], part[1], q);
    LLVMValueRef sign[] = {gen_cast(g, r, DT_FLOAT64, d), args[0]};
    from[1] = gen_intrinsic(g, "copysign", NULL, sign, 2);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    LLVMValueRef v = LLVMBuildPhi(g->b, result, "");
    LLVMAddIncoming(v, from, blocks, 2);
    return v;
}

/* For |x| > high libmvec's functions of float32 call scalar ones.  From |x| = most on the result is
 * that of infinity. */
static const struct range {
    int id;
    double high, most;
} ranges[] = {{B_SIN, 10000, INFINITY},
              {B_COS, 10000, INFINITY},
              {B_EXP, 87, 200},
              {B_EXP2, 125, 200},
              {B_EXP10, 37, 60}};

LLVMValueRef call_in_float64(struct gen *g, const struct builtin *f, LLVMValueRef x) {
    x = gen_cast(g, x, DT_FLOAT32, DT_FLOAT64);
    x = g->lanes == 1 ? call_one(g, f, 8, &x) : call_pieces(g, f, 8, &x, 0, g->lanes);
    return gen_cast(g, x, DT_FLOAT64, DT_FLOAT32);
}

/* Computes in float64 the lanes for which libmvec's function of float32 would call a scalar one,
 * if there are any.  The other lanes' results do not depend on it. */
static LLVMValueRef call_single(struct gen *g, const struct builtin *f, const struct range *r,
                                LLVMTypeRef result, LLVMValueRef *args) {
    LLVMValueRef x = args[0], a = gen_intrinsic(g, "fabs", NULL, &x, 1);
    LLVMValueRef high = gen_float(g, DT_FLOAT32, r->high), one = gen_float(g, DT_FLOAT32, 1);
    LLVMValueRef near = LLVMBuildFCmp(g->b, LLVMRealOLE, a, high, "");
    LLVMBasicBlockRef blocks[] = {LLVMGetInsertBlock(g->b), gen_block(g, "far")};
    LLVMBasicBlockRef done = gen_block(g, "near");
    LLVMBuildCondBr(g->b, gen_any(g, gen_not(g, near)), blocks[1], done);
    gen_place(g, blocks[1]);
    LLVMValueRef most = gen_float(g, DT_FLOAT32, r->most), least = LLVMBuildFNeg(g->b, most, "");
    LLVMValueRef y = gen_select(g, near, one, x);
    y = gen_select(g, LLVMBuildFCmp(g->b, LLVMRealOGT, y, most, ""), most, y);
    y = gen_select(g, LLVMBuildFCmp(g->b, LLVMRealOLT, y, least, ""), least, y);
    y = call_in_float64(g, f, y);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    LLVMValueRef far = LLVMBuildPhi(g->b, result, ""), from[] = {LLVMGetPoison(result), y};
    LLVMAddIncoming(far, from, blocks, 2);
    x = gen_select(g, near, x, one);
    return gen_select(g, near, call_pieces(g, f, 4, &x, 0, g->lanes), far);
}

/* Numbers for which libmvec's function calls a scalar one, though results are known: below `low`
 * and above `high`; of logarithms, 0.  There are many where weights vanish. */
static const struct limits {
    int id;
    enum ufc_dtype dtype;
    double low, high;
    double below, above; /* the results */
} limits[] = {{B_EXP, DT_FLOAT64, -746, 710, 0, INFINITY},
              {B_EXP2, DT_FLOAT64, -1076, 1024, 0, INFINITY},
              {B_ERFC, DT_FLOAT32, -INFINITY, 10.0625, 0, 0},
              {B_ERFC, DT_FLOAT64, -INFINITY, 27.25, 0, 0},
              {B_LOG, DT_FLOAT32, 0, INFINITY, -INFINITY, 0},
              {B_LOG, DT_FLOAT64, 0, INFINITY, -INFINITY, 0},
              {B_LOG2, DT_FLOAT32, 0, INFINITY, -INFINITY, 0},
              {B_LOG2, DT_FLOAT64, 0, INFINITY, -INFINITY, 0},
              {B_LOG10, DT_FLOAT32, 0, INFINITY, -INFINITY, 0},
              {B_LOG10, DT_FLOAT64, 0, INFINITY, -INFINITY, 0}};

static const struct limits *limits_of(const struct builtin *f, enum ufc_dtype d) {
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        if (f->id == limits[i].id && d == limits[i].dtype)
            return &limits[i];
    return NULL;
}

/* libmvec's f, where some lanes have such numbers of lanes within them alone. */
static LLVMValueRef call_within(struct gen *g, const struct builtin *f, enum ufc_dtype d,
                                LLVMValueRef x) {
    const struct limits *l = limits_of(f, d);
    bool log = l->low == 0;
    int size = dtype_info[d].bits / 8;
    LLVMValueRef low = gen_float(g, d, l->low), high = gen_float(g, d, l->high), from[2],
                 below = LLVMBuildFCmp(g->b, log ? LLVMRealOEQ : LLVMRealOLT, x, low, ""),
                 above = LLVMBuildFCmp(g->b, LLVMRealOGT, x, high, ""),
                 beyond = log ? below : LLVMBuildOr(g->b, below, above, "");
    LLVMBasicBlockRef blocks[] = {gen_block(g, "beyond"), gen_block(g, "within")};
    LLVMBasicBlockRef done = gen_block(g, "done");
    LLVMBuildCondBr(g->b, gen_any(g, beyond), blocks[0], blocks[1]);
    gen_place(g, blocks[0]);
    LLVMValueRef y = gen_select(g, beyond, gen_float(g, d, 1), x);
    y = call_pieces(g, f, size, &y, 0, g->lanes);
    y = gen_select(g, below, gen_float(g, d, l->below), y);
    from[0] = log ? y : gen_select(g, above, gen_float(g, d, l->above), y);
    LLVMBuildBr(g->b, done);
    gen_place(g, blocks[1]);
    from[1] = call_pieces(g, f, size, &x, 0, g->lanes);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    LLVMValueRef v = LLVMBuildPhi(g->b, LLVMTypeOf(x), "");
    LLVMAddIncoming(v, from, blocks, 2);
    return v;
}

/* Functions of our own, on any number of lanes; NULL: there is none. */
static LLVMValueRef call_own(struct gen *g, const struct builtin *f, enum ufc_dtype d,
                             LLVMValueRef x) {
    if (f->id == B_TANH && d == DT_FLOAT64)
        return gen_tanh(g, x);
    if (f->id == B_TGAMMA)
        return gen_gamma(g, d, x);
    if (d != DT_FLOAT32 || g->level < LEVEL_V3) /* which has fused multiply-add */
        return NULL;
    switch (f->id) {
    case B_SIN:
    case B_COS: return gen_sine(g, f, x);
    case B_EXP:
    case B_EXP2: return gen_exp(g, f, x);
    default: return NULL;
    }
}

static LLVMValueRef call_libm(struct gen *g, const struct builtin *f, enum ufc_dtype d,
                              LLVMTypeRef result, LLVMValueRef *args);

/* f on one value, which all lanes of a vector as wide as the kernel's have: the same bits. */
static LLVMValueRef call_as_lanes(struct gen *g, const struct builtin *f, enum ufc_dtype d,
                                  LLVMTypeRef result, LLVMValueRef *args) {
    LLVMValueRef vectors[2], first = LLVMConstNull(i32_type(g));
    struct lanes_scope outer = lanes_enter(g, g->vector_lanes);
    for (int i = 0; i < f->nargs; i++)
        vectors[i] = gen_dynamic_splat(g, args[i]);
    LLVMValueRef all = call_libm(g, f, d, gen_lanes_of(g, result), vectors);
    lanes_leave(g, outer);
    return LLVMBuildExtractElement(g->b, all, first, "");
}

static LLVMValueRef call_libm(struct gen *g, const struct builtin *f, enum ufc_dtype d,
                              LLVMTypeRef result, LLVMValueRef *args) {
    if (f->host == NULL)
        return NULL;
    LLVMValueRef own = call_own(g, f, d, args[0]);
    if (own != NULL)
        return own;
    if (g->lanes == 1 && g->as_lanes && f->libmvec)
        return call_as_lanes(g, f, d, result, args);
    if (g->lanes == 1)
        return f->libmvec ? call_one(g, f, dtype_info[d].bits / 8, args)
                          : call_lanes(g, f, d, result, args);
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (f->id == ranges[i].id && d == DT_FLOAT32)
            return call_single(g, f, &ranges[i], result, args);
    if (f->libmvec && limits_of(f, d) != NULL)
        return call_within(g, f, d, args[0]);
    if (f->libmvec)
        return call_pieces(g, f, dtype_info[d].bits / 8, args, 0, g->lanes);
    if (f->id == B_FMOD && (d == DT_FLOAT32 || g->level >= LEVEL_V3)) /* v3 has fma */
        return gen_fmod(g, f, d, result, args);
    return call_lanes(g, f, d, result, args);
}

/* ---- level v3: F16C and fused multiply-add */

static LLVMTypeRef half_type(struct gen *g) {
    return gen_lanes_of(g, LLVMHalfTypeInContext(g->context));
}

static LLVMValueRef widen_half(struct gen *g, LLVMValueRef v) {
    if (g->level == LEVEL_V2)
        return NULL;
    v = LLVMBuildBitCast(g->b, v, half_type(g), "");
    return LLVMBuildFPExt(g->b, v, gen_type(g, DT_FLOAT32), "");
}

static LLVMValueRef narrow_half(struct gen *g, LLVMValueRef v) {
    if (g->level == LEVEL_V2)
        return NULL;
    v = LLVMBuildFPTrunc(g->b, v, half_type(g), "");
    return LLVMBuildBitCast(g->b, v, gen_type(g, DT_FLOAT16), "");
}

static bool has_fma(const struct gen *g) {
    return g->level >= LEVEL_V3;
}

/* Elements of other sizes would be taken apart, with a branch each. */
static bool has_masked(const struct gen *g, unsigned bytes) {
    return g->level == LEVEL_V4 ? bytes <= 8 : g->level == LEVEL_V3 && (bytes == 4 || bytes == 8);
}

static bool gathers(const struct gen *g) {
    return g->level == LEVEL_V4;
}

static bool converts_wide(const struct gen *g) {
    return g->level == LEVEL_V4;
}

static bool gen_loop(struct gen *g, const struct pstmt *s) {
    return host_quiet_loop(g, s) || host_periodic_loop(g, s);
}

const struct body_target host_target = {.library = call_libm,
                                        .widen_half = widen_half,
                                        .narrow_half = narrow_half,
                                        .has_fma = has_fma,
                                        .has_masked = has_masked,
                                        .gathers = gathers,
                                        .converts_wide = converts_wide,
                                        .loop = gen_loop,
                                        .masks_all = true};
