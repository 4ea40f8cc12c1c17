/* gen_fold.c: the two GPU kernels that reduce, around an overload's element body; struct
 * ufc_kparam_fold of kabi.h says what they do. */
#include "gen.h"

enum { GLOBAL = 1, SHARED = 3, WARP = 32, WARPS = BLOCK_THREADS / WARP };

#define AT(field) offsetof(struct ufc_kparam_fold, field)

struct fold {
    struct gen *g;
    LLVMValueRef param, element;
    enum ufc_dtype d;
    LLVMValueRef line, segment, lines; /* i64 */
    LLVMValueRef begin, end;           /* of the segment */
    LLVMValueRef masked;               /* i1 */
};

/* What a thread has so far. */
struct acc {
    LLVMValueRef value, has; /* has: i1 */
};

/* ---- shorthands */

static LLVMTypeRef i64_type(struct gen *g) {
    return LLVMInt64TypeInContext(g->context);
}

static LLVMTypeRef i32_type(struct gen *g) {
    return LLVMInt32TypeInContext(g->context);
}

static LLVMTypeRef i1_type(struct gen *g) {
    return LLVMInt1TypeInContext(g->context);
}

static LLVMValueRef i64(struct gen *g, uint64_t v) {
    return LLVMConstInt(i64_type(g), v, false);
}

static LLVMValueRef i32(struct gen *g, uint32_t v) {
    return LLVMConstInt(i32_type(g), v, false);
}

static LLVMValueRef add(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildAdd(g->b, a, b, "");
}

static LLVMValueRef multiply(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildMul(g->b, a, b, "");
}

static LLVMValueRef compare(struct gen *g, LLVMIntPredicate p, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildICmp(g->b, p, a, b, "");
}

static LLVMValueRef is_set(struct gen *g, LLVMValueRef v) {
    return compare(g, LLVMIntNE, v, LLVMConstNull(LLVMTypeOf(v)));
}

static LLVMValueRef least(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    return gen_select(g, compare(g, LLVMIntSLT, a, b), a, b);
}

static LLVMValueRef both(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildAnd(g->b, a, b, "");
}

static LLVMValueRef extended(struct gen *g, LLVMValueRef v) {
    return LLVMBuildZExt(g->b, v, i64_type(g), "");
}

static LLVMValueRef load_param(struct fold *f, LLVMTypeRef type, size_t offset) {
    LLVMValueRef at = i64(f->g, offset);
    at = LLVMBuildInBoundsGEP2(f->g->b, LLVMInt8TypeInContext(f->g->context), f->param, &at, 1, "");
    return LLVMBuildLoad2(f->g->b, type, at, "");
}

static LLVMValueRef word_param(struct fold *f, size_t offset) {
    return load_param(f, i64_type(f->g), offset);
}

static LLVMValueRef value_param(struct fold *f, size_t offset) {
    LLVMValueRef v = load_param(f, gen_memory_type(f->g, f->d), offset);
    return f->d == DT_BOOL ? gen_cast(f->g, v, DT_UINT8, DT_BOOL) : v;
}

/* Joins a value of two ways that end at the blocks. */
static LLVMValueRef phi(struct gen *g, LLVMBasicBlockRef a, LLVMValueRef va, LLVMBasicBlockRef b,
                        LLVMValueRef vb) {
    LLVMValueRef p = LLVMBuildPhi(g->b, LLVMTypeOf(va), "");
    LLVMAddIncoming(p, &va, &a, 1);
    LLVMAddIncoming(p, &vb, &b, 1);
    return p;
}

/* `if (condition)`; gives the block after it. */
static LLVMBasicBlockRef begin_if(struct gen *g, LLVMValueRef condition) {
    LLVMBasicBlockRef then = gen_block(g, "then"), after = gen_block(g, "after");
    LLVMBuildCondBr(g->b, condition, then, after);
    gen_place(g, then);
    return after;
}

static void end_if(struct gen *g, LLVMBasicBlockRef after) {
    LLVMBuildBr(g->b, after);
    gen_place(g, after);
}

static LLVMValueRef special_register(struct gen *g, const char *name) {
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(g->module, gen_intrinsic_id(name), NULL, 0);
    return LLVMBuildCall2(g->b, LLVMGlobalGetValueType(f), f, NULL, 0, "");
}

/* Its name is another since LLVM 21. */
static void barrier(struct gen *g) {
    unsigned id = gen_intrinsic_id("nvvm.barrier.cta.sync.aligned.all");
    LLVMValueRef zero = i32(g, 0);
    bool takes_number = id != 0;
    if (id == 0)
        id = gen_intrinsic_id("nvvm.barrier0");
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(g->module, id, NULL, 0);
    LLVMBuildCall2(g->b, LLVMGlobalGetValueType(f), f, &zero, takes_number, "");
}

/* ---- memory */

static LLVMValueRef address(struct gen *g, LLVMValueRef at) {
    return LLVMBuildIntToPtr(g->b, at, LLVMPointerTypeInContext(g->context, GLOBAL), "");
}

static LLVMValueRef load_as(struct fold *f, enum ufc_dtype d, LLVMValueRef at) {
    return gen_load_element(f->g, d, gen_memory_type(f->g, d), address(f->g, at),
                            (unsigned)dtype_info[d].bits / 8);
}

/* A block for each element type, after a switch on the tag. */
static void switch_on(struct fold *f, size_t tag, LLVMBasicBlockRef *cases) {
    struct gen *g = f->g;
    for (int d = 0; d < DT_COUNT; d++)
        cases[d] = gen_block(g, dtype_info[d].name);
    LLVMValueRef v = LLVMBuildTrunc(g->b, word_param(f, tag), i32_type(g), "");
    LLVMValueRef s = LLVMBuildSwitch(g->b, v, cases[f->d], DT_COUNT);
    for (int d = 0; d < DT_COUNT; d++)
        if (d != (int)f->d)
            LLVMAddCase(s, i32(g, (uint32_t)d), cases[d]);
}

/* An element whose type the parameter has at `tag`. */
static LLVMValueRef load_cast(struct fold *f, size_t tag, LLVMValueRef at) {
    struct gen *g = f->g;
    LLVMBasicBlockRef cases[DT_COUNT], done = gen_block(g, "loaded");
    switch_on(f, tag, cases);
    gen_place(g, done);
    LLVMValueRef result = LLVMBuildPhi(g->b, gen_type(g, f->d), "");
    for (int d = 0; d < DT_COUNT; d++) {
        gen_place(g, cases[d]);
        LLVMValueRef v = gen_cast(g, load_as(f, (enum ufc_dtype)d, at), (enum ufc_dtype)d, f->d);
        LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b);
        LLVMAddIncoming(result, &v, &here, 1);
        LLVMBuildBr(g->b, done);
    }
    gen_place(g, done);
    return result;
}

static void store_cast(struct fold *f, LLVMValueRef v, LLVMValueRef at) {
    struct gen *g = f->g;
    LLVMBasicBlockRef cases[DT_COUNT], done = gen_block(g, "stored");
    switch_on(f, AT(out_dtype), cases);
    for (int d = 0; d < DT_COUNT; d++) {
        gen_place(g, cases[d]);
        gen_store_element(g, gen_memory_type(g, (enum ufc_dtype)d),
                          gen_cast(g, v, f->d, (enum ufc_dtype)d), address(g, at),
                          (unsigned)dtype_info[d].bits / 8);
        LLVMBuildBr(g->b, done);
    }
    gen_place(g, done);
}

/* ---- places */

/* index / the size of axis d by its magic number: struct ufc_kparam_axes. */
static LLVMValueRef quotient(struct fold *f, size_t axes, LLVMValueRef index, size_t d) {
    struct gen *g = f->g;
    size_t each = d * sizeof(uint32_t);
    LLVMTypeRef t = i32_type(g);
    LLVMValueRef magic = load_param(f, t, axes + offsetof(struct ufc_kparam_axes, magic) + each);
    LLVMValueRef shift = load_param(f, t, axes + offsetof(struct ufc_kparam_axes, shift) + each);
    LLVMValueRef high = multiply(g, index, extended(g, magic));
    high = LLVMBuildLShr(g->b, high, i64(g, 32), "");
    high = gen_select(g, is_set(g, magic), high, index);
    return LLVMBuildLShr(g->b, high, extended(g, shift), "");
}

/* sum + position r of axis d, by arrays of strides in the parameter. */
static void move(struct fold *f, LLVMValueRef r, size_t d, const size_t *strides, LLVMValueRef *sum,
                 LLVMValueRef *result, int n) {
    for (int i = 0; i < n; i++) {
        LLVMValueRef stride = word_param(f, strides[i] + d * sizeof(int64_t));
        result[i] = add(f->g, sum[i], multiply(f->g, r, stride));
    }
}

/* Moves n addresses to an index of the axes; the last axis takes what is left of it. */
static void offsets(struct fold *f, size_t naxes_at, size_t axes, LLVMValueRef index,
                    const size_t *strides, LLVMValueRef *sum, int n) {
    struct gen *g = f->g;
    LLVMValueRef naxes = load_param(f, i32_type(g), naxes_at), result[3], last[3];
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b), done = gen_block(g, "place");
    gen_place(g, done);
    for (int i = 0; i < n; i++)
        result[i] = LLVMBuildPhi(g->b, i64_type(g), "");
    gen_place(g, here);
    for (size_t d = 0; d < UFC_MAX_AXES; d++) {
        LLVMBasicBlockRef end = gen_block(g, "last"), next = gen_block(g, "axis");
        LLVMValueRef more = compare(g, LLVMIntUGT, naxes, i32(g, (uint32_t)d + 1));
        LLVMBuildCondBr(g->b, more, next, end);
        gen_place(g, end);
        move(f, index, d, strides, sum, last, n);
        for (int i = 0; i < n; i++)
            LLVMAddIncoming(result[i], &last[i], &end, 1);
        LLVMBuildBr(g->b, done);
        gen_place(g, next);
        LLVMValueRef q = quotient(f, axes, index, d);
        LLVMValueRef size = load_param(f, i32_type(g), axes + d * sizeof(uint32_t));
        LLVMValueRef r = LLVMBuildSub(g->b, index, multiply(g, q, extended(g, size)), "");
        move(f, r, d, strides, sum, sum, n);
        index = q;
    }
    LLVMBuildUnreachable(g->b); /* behind the last axis */
    gen_place(g, done);
    for (int i = 0; i < n; i++)
        sum[i] = result[i];
}

enum { IN, WHERE, OUT };

/* Where the line begins, and the result goes: in this row. */
static void find_line(struct fold *f, LLVMValueRef row, LLVMValueRef *at) {
    static const size_t strides[] = {AT(in_outer), AT(where_outer), AT(out_outer)};
    struct gen *g = f->g;
    at[IN] = word_param(f, AT(in));
    at[WHERE] = word_param(f, AT(where));
    at[OUT] = add(g, word_param(f, AT(out)), multiply(g, row, word_param(f, AT(segment_stride))));
    f->masked = is_set(g, at[WHERE]);
    offsets(f, AT(nouter), AT(outer), f->line, strides, at, 3);
}

/* Line and segment of a number, i32. */
static void find_segment(struct fold *f, LLVMValueRef number) {
    struct gen *g = f->g;
    LLVMValueRef lines = LLVMBuildTrunc(g->b, f->lines, i32_type(g), "");
    LLVMValueRef bounds = word_param(f, AT(bounds)), piece = word_param(f, AT(piece));
    f->segment = extended(g, LLVMBuildUDiv(g->b, number, lines, ""));
    f->line = extended(g, LLVMBuildURem(g->b, number, lines, ""));
    LLVMValueRef begin = multiply(g, f->segment, piece);
    LLVMValueRef end = least(g, add(g, begin, piece), word_param(f, AT(length)));
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b), after = begin_if(g, is_set(g, bounds));
    LLVMBasicBlockRef then = LLVMGetInsertBlock(g->b);
    LLVMValueRef row = add(g, bounds, multiply(g, f->segment, i64(g, 16)));
    LLVMValueRef first = load_as(f, DT_INT64, row);
    LLVMValueRef last = load_as(f, DT_INT64, add(g, row, i64(g, 8)));
    end_if(g, after);
    f->begin = phi(g, here, begin, then, first);
    f->end = phi(g, here, end, then, last);
}

/* ---- folding */

static LLVMValueRef apply(struct fold *f, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef args[] = {a, b};
    LLVMTypeRef type = LLVMGlobalGetValueType(f->element);
    LLVMValueRef r = LLVMBuildCall2(f->g->b, type, f->element, args, 2, "");
    return LLVMBuildExtractValue(f->g->b, r, 0, "");
}

/* The initial element, for the thread for which `first` holds. */
static struct acc begin_acc(struct fold *f, LLVMValueRef first) {
    struct gen *g = f->g;
    LLVMValueRef given = is_set(g, load_param(f, i32_type(g), AT(has_initial)));
    LLVMValueRef segment = compare(g, LLVMIntEQ, f->segment, i64(g, 0));
    return (struct acc){value_param(f, AT(initial)), both(g, both(g, given, segment), first)};
}

/* acc and element k of the line, unless the mask leaves it out. */
static struct acc take(struct fold *f, struct acc acc, LLVMValueRef in, LLVMValueRef where) {
    struct gen *g = f->g;
    LLVMBasicBlockRef masked = gen_block(g, "masked"), on = gen_block(g, "on");
    LLVMBasicBlockRef after = gen_block(g, "taken");
    LLVMBuildCondBr(g->b, f->masked, masked, on);
    gen_place(g, masked);
    LLVMBuildCondBr(g->b, is_set(g, load_as(f, DT_UINT8, where)), on, after);
    gen_place(g, on);
    LLVMValueRef x = load_cast(f, AT(in_dtype), in);
    LLVMValueRef v = gen_select(g, acc.has, apply(f, acc.value, x), x);
    on = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    return (struct acc){phi(g, masked, acc.value, on, v),
                        phi(g, masked, acc.has, on, LLVMConstInt(i1_type(g), 1, false))};
}

static void store_result(struct fold *f, struct acc acc, LLVMValueRef at) {
    store_cast(f, gen_select(f->g, acc.has, acc.value, value_param(f, AT(empty))), at);
}

static void begin_kernel(struct fold *f, enum ufc_kernel_kind kind) {
    struct gen *g = f->g;
    const char *name = arena_printf(g->uc, "%s_%s", g->plan->symbol, kernel_suffix[kind]);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(g->context, 0);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(g->context), &pointer, 1, false);
    g->function = LLVMAddFunction(g->module, name, type);
    llvm_kernel_attributes(g->module, g->function, BLOCK_THREADS);
    llvm_flag(g->function, "nounwind");
    LLVMTypeRef bytes =
        LLVMArrayType2(LLVMInt8TypeInContext(g->context), sizeof(struct ufc_kparam_fold));
    llvm_byval(g->function, 1, bytes, 8);
    f->param = LLVMGetParam(g->function, 0);
    gen_place(g, gen_block(g, "entry"));
    f->lines = word_param(f, AT(lines));
}

/* Element k: the addresses in `line` moved to it. */
static void find_element(struct fold *f, LLVMValueRef k, const LLVMValueRef *line, LLVMValueRef *at,
                         int n) {
    static const size_t strides[] = {AT(in_inner), AT(where_inner), AT(out_inner)};
    for (int i = 0; i < n; i++)
        at[i] = line[i];
    offsets(f, AT(ninner), AT(inner), k, strides, at, n);
}

/* ---- FOLD */

/* table[index], or the index where the parameter has no table. */
static LLVMValueRef look_up(struct fold *f, size_t table, LLVMValueRef index) {
    struct gen *g = f->g;
    LLVMValueRef at = word_param(f, table);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), after = begin_if(g, is_set(g, at));
    LLVMBasicBlockRef then = LLVMGetInsertBlock(g->b);
    LLVMValueRef v = load_as(f, DT_INT64, add(g, at, multiply(g, index, i64(g, 8))));
    end_if(g, after);
    return phi(g, before, index, then, v);
}

/* What is at the place of the result, where that is one of the rows. */
static struct acc found(struct fold *f, struct acc acc, LLVMValueRef at) {
    struct gen *g = f->g;
    LLVMValueRef there = is_set(g, word_param(f, AT(rows)));
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), after = begin_if(g, there);
    LLVMValueRef v = load_cast(f, AT(out_dtype), at);
    LLVMBasicBlockRef then = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    return (struct acc){phi(g, before, acc.value, then, v),
                        phi(g, before, acc.has, then, LLVMConstInt(i1_type(g), 1, false))};
}

/* What came before the segment, where the parameter has it. */
static struct acc carried(struct fold *f, struct acc acc) {
    struct gen *g = f->g;
    LLVMValueRef carry = word_param(f, AT(carry));
    LLVMValueRef later = is_set(g, f->segment), here = both(g, is_set(g, carry), later);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), after = begin_if(g, here);
    LLVMBasicBlockRef then = LLVMGetInsertBlock(g->b);
    LLVMValueRef row = LLVMBuildSub(g->b, f->segment, i64(g, 1), "");
    LLVMValueRef index = add(g, multiply(g, row, f->lines), f->line);
    LLVMValueRef size = i64(g, (unsigned)dtype_info[f->d].bits / 8);
    LLVMValueRef v = load_as(f, f->d, add(g, carry, multiply(g, index, size)));
    end_if(g, after);
    return (struct acc){phi(g, before, acc.value, then, v),
                        phi(g, before, acc.has, then, LLVMConstInt(i1_type(g), 1, false))};
}

static void gen_fold_kernel(struct fold *f) {
    struct gen *g = f->g;
    begin_kernel(f, UFC_KERNEL_FOLD);
    LLVMValueRef threads = special_register(g, "nvvm.read.ptx.sreg.ntid.x");
    LLVMValueRef number = multiply(g, special_register(g, "nvvm.read.ptx.sreg.ctaid.x"), threads);
    number = add(g, number, special_register(g, "nvvm.read.ptx.sreg.tid.x"));
    LLVMValueRef all = multiply(g, f->lines, word_param(f, AT(segments)));
    LLVMBasicBlockRef end = begin_if(g, compare(g, LLVMIntULT, extended(g, number), all));
    LLVMValueRef line[3], at[3];
    find_segment(f, number);
    find_line(f, look_up(f, AT(rows), f->segment), line);
    LLVMValueRef each = is_set(g, load_param(f, i32_type(g), AT(each)));
    struct acc acc = carried(f, begin_acc(f, LLVMConstInt(i1_type(g), 1, false)));
    acc = found(f, acc, line[OUT]);
    struct loop l;
    LLVMValueRef first[] = {f->begin, acc.value, acc.has};
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], f->end));
    find_element(f, look_up(f, AT(order), l.phi[0]), line, at, 3);
    acc = take(f, (struct acc){l.phi[1], l.phi[2]}, at[IN], at[WHERE]);
    LLVMBasicBlockRef after = begin_if(g, each);
    store_cast(f, acc.value, at[OUT]);
    end_if(g, after);
    LLVMValueRef next[] = {add(g, l.phi[0], i64(g, 1)), acc.value, acc.has};
    loop_end(g, &l, next);
    after = begin_if(g, gen_not(g, each));
    store_result(f, (struct acc){l.phi[1], l.phi[2]}, line[OUT]);
    end_if(g, after);
    end_if(g, end);
    LLVMBuildRetVoid(g->b);
}

/* ---- TREE */

/* The word that a thread of the warp has `apart` lanes on. */
static LLVMValueRef shuffle_word(struct gen *g, LLVMValueRef word, LLVMValueRef apart) {
    LLVMValueRef args[] = {i32(g, UINT32_MAX), word, apart, i32(g, WARP - 1)};
    unsigned id = gen_intrinsic_id("nvvm.shfl.sync.down.i32");
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(g->module, id, NULL, 0);
    return LLVMBuildCall2(g->b, LLVMGlobalGetValueType(f), f, args, 4, "");
}

static LLVMValueRef shuffle(struct gen *g, LLVMValueRef v, LLVMValueRef apart) {
    LLVMTypeRef type = LLVMTypeOf(v), word = i32_type(g);
    unsigned bits = (unsigned)LLVMSizeOfTypeInBits(LLVMGetModuleDataLayout(g->module), type);
    LLVMTypeRef whole = LLVMIntTypeInContext(g->context, bits);
    v = LLVMBuildBitCast(g->b, v, whole, "");
    if (bits <= 32) {
        v = shuffle_word(g, LLVMBuildZExt(g->b, v, word, ""), apart);
        return LLVMBuildBitCast(g->b, LLVMBuildTrunc(g->b, v, whole, ""), type, "");
    }
    LLVMValueRef result = LLVMConstNull(whole);
    for (unsigned from = 0; from < bits; from += 32) {
        LLVMValueRef shift = LLVMConstInt(whole, from, false);
        LLVMValueRef part = LLVMBuildTrunc(g->b, LLVMBuildLShr(g->b, v, shift, ""), word, "");
        part = LLVMBuildZExt(g->b, shuffle_word(g, part, apart), whole, "");
        result = LLVMBuildOr(g->b, result, LLVMBuildShl(g->b, part, shift, ""), "");
    }
    return LLVMBuildBitCast(g->b, result, type, "");
}

/* The warp's, in order, in its first lane: neighbours, then neighbours of these, … */
static struct acc join_warp(struct fold *f, struct acc acc) {
    struct gen *g = f->g;
    struct loop l;
    LLVMValueRef first[] = {i32(g, 1), acc.value, acc.has};
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], i32(g, WARP)));
    struct acc own = {l.phi[1], l.phi[2]};
    struct acc other = {shuffle(g, own.value, l.phi[0]), shuffle(g, own.has, l.phi[0])};
    LLVMValueRef v = gen_select(g, other.has, apply(f, own.value, other.value), own.value);
    LLVMValueRef next[] = {LLVMBuildShl(g->b, l.phi[0], i32(g, 1), ""),
                           gen_select(g, own.has, v, other.value),
                           LLVMBuildOr(g->b, own.has, other.has, "")};
    loop_end(g, &l, next);
    return (struct acc){l.phi[1], l.phi[2]};
}

static LLVMValueRef shared_array(struct gen *g, LLVMTypeRef type, const char *name) {
    LLVMTypeRef array = LLVMArrayType2(type, WARPS);
    LLVMValueRef v = LLVMAddGlobalInAddressSpace(g->module, array, name, SHARED);
    LLVMSetLinkage(v, LLVMInternalLinkage);
    LLVMSetInitializer(v, LLVMGetUndef(array));
    LLVMSetAlignment(v, 8);
    return v;
}

/* Element `index` of an array in shared memory. */
static LLVMValueRef shared_at(struct gen *g, LLVMValueRef array, LLVMTypeRef type,
                              LLVMValueRef index) {
    return LLVMBuildGEP2(g->b, type, array, &index, 1, "");
}

/* The first lanes' through shared memory: that of warp w in lane w of all warps. */
static struct acc exchange(struct fold *f, struct acc acc, LLVMValueRef thread) {
    struct gen *g = f->g;
    LLVMTypeRef memory = gen_memory_type(g, f->d), byte = LLVMInt8TypeInContext(g->context);
    LLVMValueRef values = shared_array(g, memory, "warp_value"),
                 has = shared_array(g, byte, "warp_has");
    LLVMValueRef lane = LLVMBuildAnd(g->b, thread, i32(g, WARP - 1), "");
    LLVMValueRef warp = LLVMBuildLShr(g->b, thread, i32(g, 5), "");
    unsigned size = (unsigned)dtype_info[f->d].bits / 8;
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, lane, i32(g, 0)));
    gen_store_element(g, memory, acc.value, shared_at(g, values, memory, warp), size);
    gen_store_element(g, byte, acc.has, shared_at(g, has, byte, warp), 1);
    end_if(g, after);
    barrier(g);
    LLVMValueRef is_warp = compare(g, LLVMIntULT, lane, i32(g, WARPS));
    LLVMValueRef from = LLVMBuildAnd(g->b, lane, i32(g, WARPS - 1), "");
    struct acc r = {gen_load_element(g, f->d, memory, shared_at(g, values, memory, from), size),
                    gen_load_element(g, DT_BOOL, byte, shared_at(g, has, byte, from), 1)};
    r.has = both(g, r.has, is_warp);
    return r;
}

/* The block's, in its first thread: warps, exchange, and once more. */
static struct acc join_block(struct fold *f, struct acc acc, LLVMValueRef thread) {
    struct gen *g = f->g;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), head = gen_block(g, "join");
    LLVMBasicBlockRef again = gen_block(g, "exchange"), done = gen_block(g, "joined");
    LLVMBuildBr(g->b, head);
    gen_place(g, head);
    LLVMValueRef no = LLVMConstInt(i1_type(g), 0, false), yes = LLVMConstInt(i1_type(g), 1, false);
    LLVMValueRef second = LLVMBuildPhi(g->b, i1_type(g), "");
    LLVMValueRef value = LLVMBuildPhi(g->b, LLVMTypeOf(acc.value), "");
    LLVMValueRef has = LLVMBuildPhi(g->b, i1_type(g), "");
    LLVMAddIncoming(second, &no, &before, 1);
    LLVMAddIncoming(value, &acc.value, &before, 1);
    LLVMAddIncoming(has, &acc.has, &before, 1);
    struct acc joined = join_warp(f, (struct acc){value, has});
    LLVMBuildCondBr(g->b, second, done, again);
    gen_place(g, again);
    struct acc next = exchange(f, joined, thread);
    again = LLVMGetInsertBlock(g->b);
    LLVMAddIncoming(second, &yes, &again, 1);
    LLVMAddIncoming(value, &next.value, &again, 1);
    LLVMAddIncoming(has, &next.has, &again, 1);
    LLVMBuildBr(g->b, head);
    gen_place(g, done);
    return joined;
}

static void gen_tree_kernel(struct fold *f) {
    struct gen *g = f->g;
    begin_kernel(f, UFC_KERNEL_TREE);
    LLVMValueRef thread = special_register(g, "nvvm.read.ptx.sreg.tid.x");
    LLVMValueRef line[3], at[3];
    find_segment(f, special_register(g, "nvvm.read.ptx.sreg.ctaid.x"));
    find_line(f, f->segment, line);
    LLVMValueRef is_first = compare(g, LLVMIntEQ, thread, i32(g, 0));
    struct acc acc = begin_acc(f, is_first);
    LLVMValueRef turn = word_param(f, AT(turn));
    LLVMValueRef begin = multiply(g, extended(g, thread), word_param(f, AT(lane)));
    begin = add(g, f->begin, begin);
    LLVMValueRef end = add(g, begin, multiply(g, turn, word_param(f, AT(turns))));
    end = least(g, end, f->end);
    struct loop l;
    LLVMValueRef first[] = {begin, acc.value, acc.has};
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], end));
    find_element(f, l.phi[0], line, at, 2);
    acc = take(f, (struct acc){l.phi[1], l.phi[2]}, at[IN], at[WHERE]);
    LLVMValueRef next[] = {add(g, l.phi[0], turn), acc.value, acc.has};
    loop_end(g, &l, next);
    acc = join_block(f, (struct acc){l.phi[1], l.phi[2]}, thread);
    LLVMBasicBlockRef after = begin_if(g, is_first);
    store_result(f, acc, line[OUT]);
    end_if(g, after);
    LLVMBuildRetVoid(g->b);
}

void gen_fold_kernels(struct gen *g, LLVMValueRef element) {
    struct fold f = {.g = g, .element = element, .d = g->plan->operands[0].dtype};
    if (has_kernel(g->plan, UFC_KERNEL_FOLD))
        gen_fold_kernel(&f);
    if (has_kernel(g->plan, UFC_KERNEL_TREE))
        gen_tree_kernel(&f);
}
