/* fold.c: what the GPU kernels of methods have around an overload's body, and the kernel FOLD.
 * struct ufc_kparam_fold of image_kernel.h says what the kernels do. */
#include "fold.h"

/* ---- memory */

/* A switch on the dtype that the parameter has at offset `tag`, with a block for each dtype. */
static void switch_on(struct fold *f, size_t tag, LLVMBasicBlockRef *cases) {
    struct gen *g = f->g;
    for (int d = 0; d < DT_COUNT; d++)
        cases[d] = gen_block(g, dtype_info[d].name);
    LLVMValueRef s = LLVMBuildSwitch(g->b, param_dtype(g, tag), cases[f->d], DT_COUNT);
    for (int d = 0; d < DT_COUNT; d++)
        if (d != (int)f->d)
            LLVMAddCase(s, i32(g, (uint32_t)d), cases[d]);
}

LLVMValueRef fold_load_cast(struct fold *f, size_t tag, LLVMValueRef at) {
    struct gen *g = f->g;
    LLVMBasicBlockRef cases[DT_COUNT], done = gen_block(g, "loaded");
    switch_on(f, tag, cases);
    gen_place(g, done);
    LLVMValueRef result = LLVMBuildPhi(g->b, gen_type(g, f->d), "");
    for (int d = 0; d < DT_COUNT; d++) {
        gen_place(g, cases[d]);
        LLVMValueRef v =
            gen_cast(g, load_element(g, (enum ufc_dtype)d, at), (enum ufc_dtype)d, f->d);
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
                          gen_cast(g, v, f->d, (enum ufc_dtype)d), global_pointer(g, at),
                          dtype_align((enum ufc_dtype)d));
        LLVMBuildBr(g->b, done);
    }
    gen_place(g, done);
}

/* The vector that a unit is loaded as: of elements, or, of narrower ones, of words. */
static LLVMTypeRef unit_type(struct gen *g, enum ufc_dtype d, unsigned width) {
    const unsigned bits = (unsigned)dtype_info[d].bits, all = bits * width;
    if (bits >= 32)
        return LLVMVectorType(gen_memory_type(g, d), width);
    unsigned word = all < 32 ? all : 32;
    return LLVMVectorType(LLVMIntTypeInContext(g->context, word), all / word);
}

LLVMValueRef fold_load_unit(struct gen *g, enum ufc_dtype d, unsigned width, LLVMValueRef at) {
    const unsigned bytes = (unsigned)dtype_info[d].bits / 8 * width;
    LLVMValueRef v = LLVMBuildLoad2(g->b, unit_type(g, d, width), at, "");
    LLVMSetAlignment(v, bytes < 16 ? bytes : 16);
    return v;
}

LLVMValueRef fold_unit_element(struct gen *g, enum ufc_dtype d, LLVMValueRef unit, unsigned i) {
    const unsigned bits = (unsigned)dtype_info[d].bits;
    if (bits >= 32)
        return LLVMBuildExtractElement(g->b, unit, i32(g, i), "");
    LLVMTypeRef word = LLVMGetElementType(LLVMTypeOf(unit));
    unsigned each = LLVMGetIntTypeWidth(word) / bits;
    LLVMValueRef v = LLVMBuildExtractElement(g->b, unit, i32(g, i / each), "");
    v = LLVMBuildLShr(g->b, v, LLVMConstInt(word, i % each * bits, false), "");
    v = LLVMBuildTrunc(g->b, v, gen_memory_type(g, d), "");
    return d == DT_BOOL ? gen_cast(g, v, DT_UINT8, DT_BOOL) : v;
}

void fold_store_unit(struct gen *g, enum ufc_dtype d, unsigned width, const LLVMValueRef *x,
                     LLVMValueRef to) {
    const unsigned bits = (unsigned)dtype_info[d].bits;
    LLVMTypeRef type = unit_type(g, d, width), part = LLVMGetElementType(type);
    LLVMValueRef unit = LLVMConstNull(type);
    for (unsigned i = 0; i < width; i++) {
        unsigned each = bits < 32 ? LLVMGetIntTypeWidth(part) / bits : 1;
        LLVMValueRef at = i32(g, i / each), v = x[i];
        if (bits < 32) {
            LLVMTypeRef narrow = LLVMIntTypeInContext(g->context, bits);
            v = LLVMTypeOf(v) == i1_type(g) ? LLVMBuildZExt(g->b, v, narrow, "")
                                            : LLVMBuildBitCast(g->b, v, narrow, "");
            v = LLVMBuildZExt(g->b, v, part, "");
            v = LLVMBuildShl(g->b, v, LLVMConstInt(part, i % each * bits, false), "");
            v = LLVMBuildOr(g->b, LLVMBuildExtractElement(g->b, unit, at, ""), v, "");
        }
        unit = LLVMBuildInsertElement(g->b, unit, v, at, "");
    }
    LLVMSetAlignment(LLVMBuildStore(g->b, unit, to), bits / 8 * width < 16 ? bits / 8 * width : 16);
}

/* ---- places */

void fold_find_line(struct fold *f, LLVMValueRef row, LLVMValueRef *at) {
    struct gen *g = f->g;
    at[IN] = param_i64(g, AT(in));
    at[WHERE] = param_i64(g, AT(where));
    at[OUT] = add(g, param_i64(g, AT(out)), multiply(g, row, param_i64(g, AT(segment_stride))));
    f->masked = is_set(g, at[WHERE]);
    const struct loop_axes outer = {.naxes = param_i32(g, AT(nouter)),
                                    .axes = AT(outer),
                                    .n = 3,
                                    .stride = {AT(in_outer), AT(where_outer), AT(out_outer)}};
    find_element(g, &outer, f->line, at);
}

void fold_find_segment(struct fold *f, LLVMValueRef number) {
    struct gen *g = f->g;
    LLVMValueRef lines = LLVMBuildTrunc(g->b, f->lines, i32_type(g), "");
    LLVMValueRef bounds = param_i64(g, AT(bounds)), piece = param_i64(g, AT(piece));
    f->segment = extended(g, LLVMBuildUDiv(g->b, number, lines, ""));
    f->line = extended(g, LLVMBuildURem(g->b, number, lines, ""));
    LLVMValueRef begin = multiply(g, f->segment, piece);
    LLVMValueRef end = least(g, add(g, begin, piece), param_i64(g, AT(length)));
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b), after = begin_if(g, is_set(g, bounds));
    LLVMBasicBlockRef then = LLVMGetInsertBlock(g->b);
    LLVMValueRef row = add(g, bounds, multiply(g, f->segment, i64(g, 16)));
    LLVMValueRef first = load_element(g, DT_INT64, row);
    LLVMValueRef last = load_element(g, DT_INT64, add(g, row, i64(g, 8)));
    end_if(g, after);
    f->begin = phi2(g, here, begin, then, first);
    f->end = phi2(g, here, end, then, last);
}

/* ---- folding */

LLVMValueRef fold_apply(struct fold *f, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef args[] = {a, b, f->fault, i64(f->g, 0)};
    LLVMTypeRef type = LLVMGlobalGetValueType(f->element);
    unsigned n = f->g->plan->checked ? 4 : 2;
    LLVMValueRef r = LLVMBuildCall2(f->g->b, type, f->element, args, n, "");
    return LLVMBuildExtractValue(f->g->b, r, 0, "");
}

struct acc fold_begin_acc(struct fold *f, LLVMValueRef first) {
    struct gen *g = f->g;
    LLVMValueRef given = is_set(g, param_i32(g, AT(has_initial)));
    LLVMValueRef segment = compare(g, LLVMIntEQ, f->segment, i64(g, 0));
    return (struct acc){param_value(g, f->d, AT(initial)), both(g, both(g, given, segment), first)};
}

struct acc fold_apply_to(struct fold *f, struct acc acc, LLVMValueRef x) {
    LLVMValueRef v = gen_select(f->g, acc.has, fold_apply(f, acc.value, x), x);
    return (struct acc){v, LLVMConstInt(i1_type(f->g), 1, false)};
}

LLVMValueRef fold_apply_first(struct fold *f, struct acc acc, LLVMValueRef x) {
    struct gen *g = f->g;
    if (!g->plan->checked)
        return fold_apply_to(f, acc, x).value;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b), after = begin_if(g, acc.has);
    LLVMValueRef v = fold_apply(f, acc.value, x);
    LLVMBasicBlockRef then = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    return phi2(g, here, x, then, v);
}

struct acc fold_take(struct fold *f, struct acc acc, LLVMValueRef in, LLVMValueRef where) {
    struct gen *g = f->g;
    LLVMBasicBlockRef masked = gen_block(g, "masked"), on = gen_block(g, "on");
    LLVMBasicBlockRef after = gen_block(g, "taken");
    LLVMBuildCondBr(g->b, f->masked, masked, on);
    gen_place(g, masked);
    LLVMBuildCondBr(g->b, is_set(g, load_element(g, DT_UINT8, where)), on, after);
    gen_place(g, on);
    LLVMValueRef x = fold_load_cast(f, AT(in_dtype), in);
    LLVMValueRef v = fold_apply_first(f, acc, x);
    on = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    return (struct acc){phi2(g, masked, acc.value, on, v),
                        phi2(g, masked, acc.has, on, LLVMConstInt(i1_type(g), 1, false))};
}

LLVMValueRef fold_is_own_type(struct fold *f, size_t tag) {
    return compare(f->g, LLVMIntEQ, param_i64(f->g, tag), i64(f->g, (uint64_t)f->d));
}

LLVMValueRef fold_lies_straight(struct fold *f) {
    struct gen *g = f->g;
    LLVMValueRef naxes = param_i32(g, AT(ninner));
    LLVMValueRef one = compare(g, LLVMIntULE, naxes, i32(g, 1));
    return both(g, both(g, gen_not(g, f->masked), fold_is_own_type(f, AT(in_dtype))), one);
}

/* Combines acc with the FOLD_AHEAD elements from at[IN] on, apart[IN] bytes apart.  Where `each`
 * holds, acc is stored after each of them, from at[OUT] on, apart[OUT] bytes apart. */
static LLVMValueRef take_several(struct fold *f, struct acc acc, LLVMValueRef each,
                                 const LLVMValueRef *at, const LLVMValueRef *apart) {
    struct gen *g = f->g;
    LLVMValueRef x[FOLD_AHEAD], v[FOLD_AHEAD];
    for (int i = 0; i < FOLD_AHEAD; i++)
        x[i] = load_element(g, f->d, add(g, at[IN], multiply(g, apart[IN], i64(g, (uint64_t)i))));
    v[0] = fold_apply_first(f, acc, x[0]);
    for (int i = 1; i < FOLD_AHEAD; i++)
        v[i] = fold_apply(f, v[i - 1], x[i]);
    LLVMBasicBlockRef after = begin_if(g, each);
    for (int i = 0; i < FOLD_AHEAD; i++) {
        LLVMValueRef to = add(g, at[OUT], multiply(g, apart[OUT], i64(g, (uint64_t)i)));
        store_element(g, f->d, v[i], to);
    }
    end_if(g, after);
    return v[FOLD_AHEAD - 1];
}

/* Combines acc with the line's elements from *k up to `end`, FOLD_AHEAD at a time while there are
 * so many: all of these are loaded before the first is used.  Takes none unless fold_lies_straight
 * holds.  each: i1, whether acc is stored at every element's place.  *k becomes the first element
 * that is left. */
static struct acc take_ahead(struct fold *f, struct acc acc, LLVMValueRef each,
                             const LLVMValueRef *line, LLVMValueRef *k, LLVMValueRef end) {
    static const size_t strides[] = {[IN] = AT(in_inner), [OUT] = AT(out_inner)};
    struct gen *g = f->g;
    if (body_size(f->element) > SMALL_BODY)
        return acc;
    LLVMValueRef at[3], stride[3];
    LLVMValueRef fits = LLVMBuildOr(g->b, gen_not(g, each), fold_is_own_type(f, AT(out_dtype)), "");
    LLVMValueRef straight = both(g, fits, fold_lies_straight(f));
    LLVMValueRef last = subtract(g, end, i64(g, FOLD_AHEAD - 1));
    last = gen_select(g, straight, last, i64(g, 0));
    for (int i = IN; i <= OUT; i += OUT - IN)
        stride[i] = param_i64(g, strides[i]);
    struct loop l;
    LLVMValueRef first[] = {*k, acc.value, acc.has};
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], last));
    for (int i = IN; i <= OUT; i += OUT - IN)
        at[i] = add(g, line[i], multiply(g, l.phi[0], stride[i]));
    LLVMValueRef v = take_several(f, (struct acc){l.phi[1], l.phi[2]}, each, at, stride);
    LLVMValueRef next[] = {add(g, l.phi[0], i64(g, FOLD_AHEAD)), v,
                           LLVMConstInt(i1_type(g), 1, false)};
    loop_end(g, &l, next);
    *k = l.phi[0];
    return (struct acc){l.phi[1], l.phi[2]};
}

void fold_store_result(struct fold *f, struct acc acc, LLVMValueRef at) {
    fold_store_element(f, gen_select(f->g, acc.has, acc.value, param_value(f->g, f->d, AT(empty))),
                       at);
}

static void begin_fold_kernel(struct fold *f, enum ufc_kernel_kind kind) {
    struct gen *g = f->g;
    const bool checked = g->plan->checked;
    begin_kernel(g, kind, ufc_fold_param_size(checked), f->element);
    f->lines = param_i64(g, AT(lines));
    if (checked)
        f->fault = global_pointer(g, param_i64(g, sizeof(struct ufc_kparam_fold)));
}

void fold_find_element(struct fold *f, LLVMValueRef k, const LLVMValueRef *line, LLVMValueRef *at,
                       int n) {
    const struct loop_axes inner = {.naxes = param_i32(f->g, AT(ninner)),
                                    .axes = AT(inner),
                                    .n = n,
                                    .stride = {AT(in_inner), AT(where_inner), AT(out_inner)}};
    for (int i = 0; i < n; i++)
        at[i] = line[i];
    find_element(f->g, &inner, k, at);
}

/* ---- FOLD */

struct acc fold_carried(struct fold *f, struct acc acc) {
    struct gen *g = f->g;
    LLVMValueRef carry = param_i64(g, AT(carry));
    LLVMValueRef later = is_set(g, f->segment), here = both(g, is_set(g, carry), later);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), after = begin_if(g, here);
    LLVMBasicBlockRef then = LLVMGetInsertBlock(g->b);
    LLVMValueRef row = LLVMBuildSub(g->b, f->segment, i64(g, 1), "");
    LLVMValueRef index = add(g, multiply(g, row, f->lines), f->line);
    LLVMValueRef size = i64(g, (unsigned)dtype_info[f->d].bits / 8);
    LLVMValueRef v = load_element(g, f->d, add(g, carry, multiply(g, index, size)));
    end_if(g, after);
    return (struct acc){phi2(g, before, acc.value, then, v),
                        phi2(g, before, acc.has, then, LLVMConstInt(i1_type(g), 1, false))};
}

void gen_fold_kernel(struct fold *f) {
    struct gen *g = f->g;
    LLVMValueRef number = gen_thread_number(g);
    LLVMValueRef all = multiply(g, f->lines, param_i64(g, AT(segments)));
    LLVMBasicBlockRef end = begin_if(g, compare(g, LLVMIntULT, extended(g, number), all));
    LLVMValueRef line[3], at[3];
    fold_find_segment(f, number);
    fold_find_line(f, f->segment, line);
    LLVMValueRef each = is_set(g, param_i32(g, AT(each)));
    struct acc acc = fold_carried(f, fold_begin_acc(f, LLVMConstInt(i1_type(g), 1, false)));
    LLVMValueRef begin = f->begin;
    acc = take_ahead(f, acc, each, line, &begin, f->end);
    struct loop l;
    LLVMValueRef first[] = {begin, acc.value, acc.has};
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], f->end));
    fold_find_element(f, l.phi[0], line, at, 3);
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

void gen_fold_kernels(struct gen *g, uint64_t kernels, LLVMValueRef element) {
    static void (*const bodies[UFC_KERNEL_COUNT])(struct fold * f) = {
#define FOLD_KERNEL(ID, suffix, name, module, sharing, size, block, checked, exists, body)         \
    [UFC_KERNEL_##ID] = (body),
#include "kernel.def"
    };
    for (enum ufc_kernel_kind kind = 0; kind < UFC_KERNEL_COUNT; kind++) {
        if (bodies[kind] == NULL || !(kernels >> kind & 1))
            continue;
        struct gen own = *g;
        struct fold f = {.g = &own, .element = element, .d = g->plan->operands[0].dtype};
        begin_fold_kernel(&f, kind);
        bodies[kind](&f);
    }
}
