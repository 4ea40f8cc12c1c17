/* fold.c: the GPU kernels that reduce, around an overload's element body, and of them FOLD;
 * struct ufc_kparam_fold of image_abi.h says what they do. */
#include "fold.h"

/* ---- memory */

LLVMValueRef fold_address(struct gen *g, LLVMValueRef at) {
    return LLVMBuildIntToPtr(g->b, at, global_pointer_type(g), "");
}

static LLVMValueRef load_as(struct fold *f, enum ufc_dtype d, LLVMValueRef at) {
    return gen_load_element(f->g, d, gen_memory_type(f->g, d), fold_address(f->g, at),
                            dtype_align(d));
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

void fold_store_element(struct fold *f, LLVMValueRef v, LLVMValueRef at) {
    struct gen *g = f->g;
    LLVMBasicBlockRef cases[DT_COUNT], done = gen_block(g, "stored");
    switch_on(f, AT(out_dtype), cases);
    for (int d = 0; d < DT_COUNT; d++) {
        gen_place(g, cases[d]);
        gen_store_element(g, gen_memory_type(g, (enum ufc_dtype)d),
                          gen_cast(g, v, f->d, (enum ufc_dtype)d), fold_address(g, at),
                          dtype_align((enum ufc_dtype)d));
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

void fold_find_line(struct fold *f, LLVMValueRef row, LLVMValueRef *at) {
    static const size_t strides[] = {AT(in_outer), AT(where_outer), AT(out_outer)};
    struct gen *g = f->g;
    at[IN] = word_param(f, AT(in));
    at[WHERE] = word_param(f, AT(where));
    at[OUT] = add(g, word_param(f, AT(out)), multiply(g, row, word_param(f, AT(segment_stride))));
    f->masked = is_set(g, at[WHERE]);
    offsets(f, AT(nouter), AT(outer), f->line, strides, at, 3);
}

void fold_find_segment(struct fold *f, LLVMValueRef number) {
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

LLVMValueRef fold_apply(struct fold *f, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef args[] = {a, b, f->fault};
    LLVMTypeRef type = LLVMGlobalGetValueType(f->element);
    unsigned n = f->g->plan->checked ? 3 : 2;
    LLVMValueRef r = LLVMBuildCall2(f->g->b, type, f->element, args, n, "");
    return LLVMBuildExtractValue(f->g->b, r, 0, "");
}

struct acc fold_begin_acc(struct fold *f, LLVMValueRef first) {
    struct gen *g = f->g;
    LLVMValueRef given = is_set(g, load_param(f, i32_type(g), AT(has_initial)));
    LLVMValueRef segment = compare(g, LLVMIntEQ, f->segment, i64(g, 0));
    return (struct acc){value_param(f, AT(initial)), both(g, both(g, given, segment), first)};
}

/* f of acc and x, or x where there is no acc.  With checks f is not computed of what is none. */
static LLVMValueRef applied(struct fold *f, struct acc acc, LLVMValueRef x) {
    struct gen *g = f->g;
    if (!g->plan->checked)
        return gen_select(g, acc.has, fold_apply(f, acc.value, x), x);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b), after = begin_if(g, acc.has);
    LLVMValueRef v = fold_apply(f, acc.value, x);
    LLVMBasicBlockRef then = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    return phi(g, here, x, then, v);
}

struct acc fold_take(struct fold *f, struct acc acc, LLVMValueRef in, LLVMValueRef where) {
    struct gen *g = f->g;
    LLVMBasicBlockRef masked = gen_block(g, "masked"), on = gen_block(g, "on");
    LLVMBasicBlockRef after = gen_block(g, "taken");
    LLVMBuildCondBr(g->b, f->masked, masked, on);
    gen_place(g, masked);
    LLVMBuildCondBr(g->b, is_set(g, load_as(f, DT_UINT8, where)), on, after);
    gen_place(g, on);
    LLVMValueRef x = load_cast(f, AT(in_dtype), in);
    LLVMValueRef v = applied(f, acc, x);
    on = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    return (struct acc){phi(g, masked, acc.value, on, v),
                        phi(g, masked, acc.has, on, LLVMConstInt(i1_type(g), 1, false))};
}

LLVMValueRef fold_is_own_type(struct fold *f, size_t tag) {
    return compare(f->g, LLVMIntEQ, word_param(f, tag), i64(f->g, (uint64_t)f->d));
}

LLVMValueRef fold_lies_straight(struct fold *f) {
    struct gen *g = f->g;
    LLVMValueRef naxes = load_param(f, i32_type(g), AT(ninner));
    LLVMValueRef one = compare(g, LLVMIntULE, naxes, i32(g, 1));
    return both(g, both(g, gen_not(g, f->masked), fold_is_own_type(f, AT(in_dtype))), one);
}

/* Elements at `at`, `apart` bytes, one after the other: acc with all of them, and where `each`
 * holds what it is with each of them, to places apart as well. */
static LLVMValueRef take_several(struct fold *f, struct acc acc, LLVMValueRef each,
                                 const LLVMValueRef *at, const LLVMValueRef *apart) {
    struct gen *g = f->g;
    LLVMValueRef x[FOLD_AHEAD], v[FOLD_AHEAD];
    for (int i = 0; i < FOLD_AHEAD; i++)
        x[i] = load_as(f, f->d, add(g, at[IN], multiply(g, apart[IN], i64(g, (uint64_t)i))));
    v[0] = applied(f, acc, x[0]);
    for (int i = 1; i < FOLD_AHEAD; i++)
        v[i] = fold_apply(f, v[i - 1], x[i]);
    if (each) {
        LLVMBasicBlockRef after = begin_if(g, each);
        for (int i = 0; i < FOLD_AHEAD; i++) {
            LLVMValueRef to = add(g, at[OUT], multiply(g, apart[OUT], i64(g, (uint64_t)i)));
            gen_store_element(g, gen_memory_type(g, f->d), v[i], fold_address(g, to),
                              dtype_align(f->d));
        }
        end_if(g, after);
    }
    return v[FOLD_AHEAD - 1];
}

struct acc fold_take_ahead(struct fold *f, struct acc acc, LLVMValueRef straight, LLVMValueRef each,
                           const LLVMValueRef *line, LLVMValueRef *k, LLVMValueRef end,
                           LLVMValueRef step) {
    static const size_t strides[] = {[IN] = AT(in_inner), [OUT] = AT(out_inner)};
    struct gen *g = f->g;
    if (body_size(f->element) > SMALL_BODY)
        return acc;
    LLVMValueRef at[3], apart[3], stride[3];
    straight = both(g, straight, fold_lies_straight(f));
    if (each) {
        LLVMValueRef fits =
            LLVMBuildOr(g->b, gen_not(g, each), fold_is_own_type(f, AT(out_dtype)), "");
        straight = both(g, straight, fits);
    }
    LLVMValueRef all = multiply(g, step, i64(g, FOLD_AHEAD));
    LLVMValueRef last = subtract(g, end, subtract(g, all, step));
    last = gen_select(g, straight, last, i64(g, 0));
    for (int i = IN; i <= OUT; i += OUT - IN) {
        stride[i] = word_param(f, strides[i]);
        apart[i] = multiply(g, step, stride[i]);
    }
    struct loop l;
    LLVMValueRef first[] = {*k, acc.value, acc.has};
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], last));
    for (int i = IN; i <= OUT; i += OUT - IN)
        at[i] = add(g, line[i], multiply(g, l.phi[0], stride[i]));
    LLVMValueRef v = take_several(f, (struct acc){l.phi[1], l.phi[2]}, each, at, apart);
    LLVMValueRef next[] = {add(g, l.phi[0], all), v, LLVMConstInt(i1_type(g), 1, false)};
    loop_end(g, &l, next);
    *k = l.phi[0];
    return (struct acc){l.phi[1], l.phi[2]};
}

void fold_store_result(struct fold *f, struct acc acc, LLVMValueRef at) {
    fold_store_element(f, gen_select(f->g, acc.has, acc.value, value_param(f, AT(empty))), at);
}

void fold_begin_kernel(struct fold *f, enum ufc_kernel_kind kind) {
    struct gen *g = f->g;
    const char *name = arena_printf(g->uc, "%s_%s", g->plan->symbol, kernel_suffix[kind]);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(g->context, 0);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(g->context), &pointer, 1, false);
    g->function = LLVMAddFunction(g->module, name, type);
    /* Of TREE, 40 or 64 registers: without a number ptxas aims at fewer, and spills. */
    int blocks = kind == UFC_KERNEL_FOLD ? 0 : dtype_info[f->d].bits > 32 ? 4 : 6;
    llvm_flag(g->function, "nounwind");
    size_t fault_at = sizeof(struct ufc_kparam_fold);
    LLVMTypeRef bytes = LLVMArrayType2(LLVMInt8TypeInContext(g->context),
                                       fault_at + (g->plan->checked ? sizeof(uint64_t) : 0));
    gpu(g)->kernel(g, bytes, BLOCK_THREADS, blocks);
    f->param = LLVMGetParam(g->function, 0);
    gen_place(g, gen_block(g, "entry"));
    lines_function(g, g->plan->overload->at);
    f->lines = word_param(f, AT(lines));
    if (g->plan->checked)
        f->fault = gen_fault_at(g, word_param(f, fault_at));
}

void fold_find_element(struct fold *f, LLVMValueRef k, const LLVMValueRef *line, LLVMValueRef *at,
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

struct acc fold_carried(struct fold *f, struct acc acc) {
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
    fold_begin_kernel(f, UFC_KERNEL_FOLD);
    LLVMValueRef number = gen_thread_number(g);
    LLVMValueRef all = multiply(g, f->lines, word_param(f, AT(segments)));
    LLVMBasicBlockRef end = begin_if(g, compare(g, LLVMIntULT, extended(g, number), all));
    LLVMValueRef line[3], at[3];
    fold_find_segment(f, number);
    fold_find_line(f, look_up(f, AT(rows), f->segment), line);
    LLVMValueRef each = is_set(g, load_param(f, i32_type(g), AT(each)));
    struct acc acc = fold_carried(f, fold_begin_acc(f, LLVMConstInt(i1_type(g), 1, false)));
    acc = found(f, acc, line[OUT]);
    LLVMValueRef begin = f->begin, ordered = is_set(g, word_param(f, AT(order)));
    acc = fold_take_ahead(f, acc, gen_not(g, ordered), each, line, &begin, f->end, i64(g, 1));
    struct loop l;
    LLVMValueRef first[] = {begin, acc.value, acc.has};
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], f->end));
    fold_find_element(f, look_up(f, AT(order), l.phi[0]), line, at, 3);
    acc = fold_take(f, (struct acc){l.phi[1], l.phi[2]}, at[IN], at[WHERE]);
    LLVMBasicBlockRef after = begin_if(g, each);
    fold_store_element(f, acc.value, at[OUT]);
    end_if(g, after);
    LLVMValueRef next[] = {add(g, l.phi[0], i64(g, 1)), acc.value, acc.has};
    loop_end(g, &l, next);
    after = begin_if(g, gen_not(g, each));
    fold_store_result(f, (struct acc){l.phi[1], l.phi[2]}, line[OUT]);
    end_if(g, after);
    end_if(g, end);
    LLVMBuildRetVoid(g->b);
}

void gen_fold_kernels(struct gen *g, LLVMValueRef element) {
    struct fold f = {.g = g, .element = element, .d = g->plan->operands[0].dtype};
    if (has_kernel(g->plan, UFC_KERNEL_FOLD))
        gen_fold_kernel(&f);
    if (has_kernel(g->plan, UFC_KERNEL_TREE))
        gen_tree_kernel(&f);
}
