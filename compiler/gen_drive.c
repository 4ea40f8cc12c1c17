/* gen_drive.c: what all host kernels share: `drive`, which brings operands of any layout to a
 * kernel's loop over vectors.  In C it would be
 *
 *     drive(args, dimensions, steps, traits, loop)
 *         n = dimensions[0]
 *         way = layout(args, n, steps, traits)
 *         batch = way == ORDERED ? 1 : traits->batch
 *         an input with step 0 (not ORDERED): its element, lanes times, into its buffer
 *         for (done = 0; done < n; done += m)
 *             m = min(n - done, batch), or, DIRECT, all whole vectors there are
 *             an operand is taken where it lies, if contiguous and m whole vectors (not ORDERED);
 *             an input is else copied to its buffer, the last vector filled up with its first
 * element loop(pointers, increments, vectors) an output that went to its buffer is copied to where
 * it belongs
 *
 * so that a value is computed by the same vector instructions wherever it lies. */
#include "gen_build.h"

enum way { ORDERED, BUFFERED, DIRECT };
enum { BUFFER = 1024 }; /* bytes an operand */

/* ---- shorthands on i64 and pointers */

static LLVMTypeRef pointer_type(struct gen *g) {
    return LLVMPointerTypeInContext(g->context, 0);
}

static LLVMValueRef most(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    return gen_select(g, compare(g, LLVMIntSGT, a, b), a, b);
}

/* array[index], of 8-byte elements */
static LLVMValueRef at_index(struct gen *g, LLVMValueRef array, LLVMValueRef index) {
    return LLVMBuildGEP2(g->b, i64_type(g), array, &index, 1, "");
}

static LLVMValueRef get(struct gen *g, LLVMTypeRef type, LLVMValueRef array, LLVMValueRef index) {
    return LLVMBuildLoad2(g->b, type, at_index(g, array, index), "");
}

static void put(struct gen *g, LLVMValueRef array, LLVMValueRef index, LLVMValueRef v) {
    LLVMBuildStore(g->b, v, at_index(g, array, index));
}

/* for i in from..to, with other values going round: l->phi[0] is i. */
static void count_begin(struct gen *g, struct loop *l, LLVMValueRef from, LLVMValueRef to,
                        LLVMValueRef other) {
    LLVMValueRef first[] = {from, other};
    loop_begin(g, l, other != NULL ? 2 : 1, first);
    loop_while(g, l, compare(g, LLVMIntSLT, l->phi[0], to));
}

static void count_end(struct gen *g, struct loop *l, LLVMValueRef other) {
    LLVMValueRef next[] = {add(g, l->phi[0], i64(g, 1)), other};
    loop_end(g, l, next);
}

static LLVMValueRef begin_function(struct gen *g, const char *name, LLVMTypeRef result,
                                   LLVMTypeRef *types, unsigned n) {
    LLVMTypeRef type = LLVMFunctionType(result, types, n, false);
    g->function = LLVMAddFunction(g->module, name, type);
    LLVMSetLinkage(g->function, LLVMInternalLinkage);
    llvm_flag(g->function, "nounwind");
    gen_place(g, gen_block(g, "entry"));
    return g->function;
}

static LLVMValueRef call(struct gen *g, LLVMValueRef f, LLVMValueRef *args, unsigned n) {
    return LLVMBuildCall2(g->b, LLVMGlobalGetValueType(f), f, args, n, "");
}

/* ---- a kernel's traits: what drive must know */

enum trait { NIN, NALL, LANES, BATCH, SIZES };

LLVMValueRef gen_traits(struct gen *g) {
    const struct plan *p = g->plan;
    LLVMValueRef rows[SIZES + UFC_MAX_OPERANDS];
    int widest = 1;
    for (int k = 0; k < p->noperands; k++) {
        int size = dtype_info[p->operands[k].dtype].bits / 8;
        rows[SIZES + k] = i64(g, size);
        widest = size > widest ? size : widest;
    }
    rows[NIN] = i64(g, p->nin);
    rows[NALL] = i64(g, p->noperands);
    rows[LANES] = i64(g, g->lanes);
    rows[BATCH] = i64(g, BUFFER / widest);
    unsigned n = SIZES + (unsigned)p->noperands;
    LLVMValueRef global = LLVMAddGlobal(g->module, LLVMArrayType2(i64_type(g), n), "traits");
    LLVMSetInitializer(global, LLVMConstArray2(i64_type(g), rows, n));
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    return global;
}

/* ---- copy(to, to_step, from, from_step, size, n) */

static LLVMValueRef gen_copy(struct gen *g) {
    LLVMTypeRef p = pointer_type(g), i = i64_type(g), types[] = {p, i, p, i, i, i};
    LLVMValueRef f = begin_function(g, "copy", LLVMVoidTypeInContext(g->context), types, 6);
    LLVMBasicBlockRef done = gen_block(g, "return"), other = gen_block(g, "size1");
    LLVMValueRef s = LLVMBuildSwitch(g->b, LLVMGetParam(f, 4), other, 3);
    for (unsigned size = 1; size <= 16; size *= 2) {
        LLVMBasicBlockRef here = size == 1 ? other : gen_block(g, "size");
        if (size > 1)
            LLVMAddCase(s, i64(g, size), here);
        gen_place(g, here);
        struct loop l;
        unsigned align = size == 2 ? 2 : size == 1 ? 1 : 4; /* complex64 has the size of float64 */
        LLVMTypeRef type = LLVMIntTypeInContext(g->context, size * 8);
        count_begin(g, &l, i64(g, 0), LLVMGetParam(f, 5), NULL);
        LLVMValueRef from = multiply(g, l.phi[0], LLVMGetParam(f, 3));
        LLVMValueRef v = LLVMBuildLoad2(g->b, type, at_byte(g, LLVMGetParam(f, 2), from), "");
        LLVMValueRef to = multiply(g, l.phi[0], LLVMGetParam(f, 1));
        LLVMSetAlignment(v, align);
        LLVMSetAlignment(LLVMBuildStore(g->b, v, at_byte(g, LLVMGetParam(f, 0), to)), align);
        count_end(g, &l, NULL);
        LLVMBuildBr(g->b, done);
    }
    gen_place(g, done);
    LLVMBuildRetVoid(g->b);
    return f;
}

/* ---- layout(args, n, steps, traits): the way to go */

struct range {
    LLVMValueRef begin, end, step;
};

/* The bytes of operand k, as integers. */
static struct range range_of(struct gen *g, LLVMValueRef f, LLVMValueRef k) {
    struct range r;
    LLVMValueRef first = get(g, i64_type(g), LLVMGetParam(f, 0), k);
    LLVMValueRef size = get(g, i64_type(g), LLVMGetParam(f, 3), add(g, k, i64(g, SIZES)));
    r.step = get(g, i64_type(g), LLVMGetParam(f, 2), k);
    LLVMValueRef span = multiply(g, subtract(g, LLVMGetParam(f, 1), i64(g, 1)), r.step);
    r.begin = add(g, first, least(g, span, i64(g, 0)));
    r.end = add(g, add(g, first, most(g, span, i64(g, 0))), size);
    return r;
}

static LLVMValueRef gen_layout(struct gen *g) {
    LLVMTypeRef p = pointer_type(g), i = i64_type(g), types[] = {p, i, p, p};
    LLVMValueRef f = begin_function(g, "layout", i, types, 4);
    LLVMValueRef steps = LLVMGetParam(f, 2), traits = LLVMGetParam(f, 3);
    LLVMValueRef nin = get(g, i, traits, i64(g, NIN)), nall = get(g, i, traits, i64(g, NALL));
    struct loop l, inner;
    count_begin(g, &l, i64(g, 0), nall, i64(g, DIRECT)); /* contiguous, or an input of step 0 */
    LLVMValueRef step = get(g, i, steps, l.phi[0]);
    LLVMValueRef size = get(g, i, traits, add(g, l.phi[0], i64(g, SIZES)));
    LLVMValueRef one =
        both(g, compare(g, LLVMIntSLT, l.phi[0], nin), compare(g, LLVMIntEQ, step, i64(g, 0)));
    LLVMValueRef fits = LLVMBuildOr(g->b, one, compare(g, LLVMIntEQ, step, size), "");
    count_end(g, &l, gen_select(g, fits, l.phi[1], i64(g, BUFFERED)));
    count_begin(g, &l, nin, nall, l.phi[1]); /* for each output */
    struct range out = range_of(g, f, l.phi[0]);
    LLVMValueRef repeated = both(g, compare(g, LLVMIntEQ, out.step, i64(g, 0)),
                                 compare(g, LLVMIntSGT, LLVMGetParam(f, 1), i64(g, 1)));
    LLVMValueRef way = gen_select(g, repeated, i64(g, ORDERED), l.phi[1]);
    count_begin(g, &inner, i64(g, 0), nin, way); /* and each input */
    struct range in = range_of(g, f, inner.phi[0]);
    LLVMValueRef same = both(g, compare(g, LLVMIntEQ, in.begin, out.begin),
                             compare(g, LLVMIntEQ, in.step, out.step));
    LLVMValueRef meet = both(g, compare(g, LLVMIntULT, in.begin, out.end),
                             compare(g, LLVMIntULT, out.begin, in.end));
    LLVMValueRef bad = both(g, meet, gen_not(g, same));
    count_end(g, &inner, gen_select(g, bad, i64(g, ORDERED), inner.phi[1]));
    count_end(g, &l, inner.phi[1]);
    LLVMBuildRet(g->b, l.phi[1]);
    return f;
}

/* ---- drive */

struct drive {
    struct gen *g;
    LLVMValueRef copy, args, steps, traits; /* parameters and functions */
    LLVMValueRef n, nin, nall, lanes, in_order;
    LLVMValueRef buffers, pointers, increments; /* arrays on the stack */
};

static LLVMValueRef buffer_of(struct drive *d, LLVMValueRef k) {
    return at_byte(d->g, d->buffers, multiply(d->g, k, i64(d->g, BUFFER)));
}

static LLVMValueRef size_of(struct drive *d, LLVMValueRef k) {
    return get(d->g, i64_type(d->g), d->traits, add(d->g, k, i64(d->g, SIZES)));
}

static LLVMValueRef step_of(struct drive *d, LLVMValueRef k) {
    return get(d->g, i64_type(d->g), d->steps, k);
}

/* Where operand k's element number `done` is. */
static LLVMValueRef place_of(struct drive *d, LLVMValueRef k, LLVMValueRef done) {
    LLVMValueRef first = get(d->g, pointer_type(d->g), d->args, k);
    return at_byte(d->g, first, multiply(d->g, done, step_of(d, k)));
}

/* Is operand k an input of which there is one element? */
static LLVMValueRef is_one(struct drive *d, LLVMValueRef k) {
    struct gen *g = d->g;
    LLVMValueRef one =
        both(g, compare(g, LLVMIntSLT, k, d->nin), compare(g, LLVMIntEQ, step_of(d, k), i64(g, 0)));
    return both(g, one, gen_not(g, d->in_order));
}

static void fill_constants(struct drive *d) {
    struct gen *g = d->g;
    struct loop l;
    count_begin(g, &l, i64(g, 0), d->nin, NULL);
    LLVMBasicBlockRef after = begin_if(g, is_one(d, l.phi[0]));
    LLVMValueRef size = size_of(d, l.phi[0]);
    LLVMValueRef args[] = {
        buffer_of(d, l.phi[0]), size, place_of(d, l.phi[0], i64(g, 0)), i64(g, 0), size, d->lanes};
    call(g, d->copy, args, 6);
    end_if(g, after);
    count_end(g, &l, NULL);
}

/* Sets pointers and increments for m elements from `done` on, copying what must be copied. */
static void gather(struct drive *d, LLVMValueRef done, LLVMValueRef m, LLVMValueRef vectors) {
    struct gen *g = d->g;
    struct loop l;
    LLVMValueRef padded = multiply(g, vectors, d->lanes);
    LLVMValueRef whole = both(g, compare(g, LLVMIntEQ, m, padded), gen_not(g, d->in_order));
    count_begin(g, &l, i64(g, 0), d->nall, NULL);
    LLVMValueRef k = l.phi[0], size = size_of(d, k), step = step_of(d, k);
    LLVMValueRef from = place_of(d, k, done), buffer = buffer_of(d, k), one = is_one(d, k);
    LLVMValueRef plain = both(g, whole, compare(g, LLVMIntEQ, step, size));
    put(g, d->pointers, k, gen_select(g, plain, from, buffer));
    put(g, d->increments, k, gen_select(g, one, i64(g, 0), multiply(g, d->lanes, size)));
    LLVMValueRef copied =
        both(g, gen_not(g, LLVMBuildOr(g->b, plain, one, "")), compare(g, LLVMIntSLT, k, d->nin));
    LLVMBasicBlockRef after = begin_if(g, copied);
    LLVMValueRef args[] = {buffer, size, from, step, size, m};
    call(g, d->copy, args, 6);
    LLVMValueRef rest[] = {at_byte(g, buffer, multiply(g, m, size)),
                           size,
                           from,
                           i64(g, 0),
                           size,
                           subtract(g, padded, m)};
    call(g, d->copy, rest, 6);
    end_if(g, after);
    count_end(g, &l, NULL);
}

static void scatter(struct drive *d, LLVMValueRef done, LLVMValueRef m) {
    struct gen *g = d->g;
    struct loop l;
    count_begin(g, &l, d->nin, d->nall, NULL);
    LLVMValueRef k = l.phi[0], buffer = buffer_of(d, k), size = size_of(d, k);
    LLVMValueRef used = get(g, pointer_type(g), d->pointers, k);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, used, buffer));
    LLVMValueRef args[] = {place_of(d, k, done), step_of(d, k), buffer, size, size, m};
    call(g, d->copy, args, 6);
    end_if(g, after);
    count_end(g, &l, NULL);
}

/* As large as it must be, since a thread's stack may be small. */
static LLVMValueRef gen_array(struct gen *g, LLVMTypeRef element, LLVMValueRef n) {
    LLVMValueRef slot = LLVMBuildArrayAlloca(g->b, element, n, "");
    LLVMSetAlignment(slot, 64);
    return slot;
}

LLVMTypeRef gen_loop_type(struct gen *g) {
    LLVMTypeRef p = pointer_type(g), types[] = {p, p, i64_type(g)};
    return LLVMFunctionType(LLVMVoidTypeInContext(g->context), types, 3, false);
}

LLVMValueRef gen_drive(struct gen *g) {
    struct drive d = {.g = g, .copy = gen_copy(g)};
    LLVMValueRef layout = gen_layout(g);
    LLVMTypeRef p = pointer_type(g), i = i64_type(g), types[] = {p, p, p, p, p};
    LLVMValueRef f = begin_function(g, "drive", LLVMVoidTypeInContext(g->context), types, 5);
    d.args = LLVMGetParam(f, 0);
    d.n = LLVMBuildLoad2(g->b, i, LLVMGetParam(f, 1), "n");
    d.steps = LLVMGetParam(f, 2);
    d.traits = LLVMGetParam(f, 3);
    d.nin = get(g, i, d.traits, i64(g, NIN));
    d.nall = get(g, i, d.traits, i64(g, NALL));
    d.lanes = get(g, i, d.traits, i64(g, LANES));
    LLVMValueRef bytes = multiply(g, d.nall, i64(g, BUFFER));
    d.buffers = gen_array(g, LLVMInt8TypeInContext(g->context), bytes);
    d.pointers = gen_array(g, p, d.nall);
    d.increments = gen_array(g, i, d.nall);
    LLVMBasicBlockRef end = begin_if(g, compare(g, LLVMIntSGT, d.n, i64(g, 0)));
    LLVMValueRef asked[] = {d.args, d.n, d.steps, d.traits};
    LLVMValueRef way = call(g, layout, asked, 4);
    d.in_order = compare(g, LLVMIntEQ, way, i64(g, ORDERED));
    LLVMValueRef batch = gen_select(g, d.in_order, i64(g, 1), get(g, i, d.traits, i64(g, BATCH)));
    LLVMValueRef none = i64(g, 0);
    fill_constants(&d);
    struct loop l;
    loop_begin(g, &l, 1, &none);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], d.n));
    LLVMValueRef left = subtract(g, d.n, l.phi[0]);
    LLVMValueRef over = LLVMBuildAnd(g->b, left, subtract(g, d.lanes, i64(g, 1)), "");
    LLVMValueRef direct =
        both(g, compare(g, LLVMIntEQ, way, i64(g, DIRECT)), compare(g, LLVMIntSGE, left, d.lanes));
    LLVMValueRef m = gen_select(g, direct, subtract(g, left, over), least(g, left, batch));
    LLVMValueRef vectors =
        LLVMBuildUDiv(g->b, add(g, m, subtract(g, d.lanes, i64(g, 1))), d.lanes, "");
    gather(&d, l.phi[0], m, vectors);
    LLVMValueRef loop_args[] = {d.pointers, d.increments, vectors};
    LLVMBuildCall2(g->b, gen_loop_type(g), LLVMGetParam(f, 4), loop_args, 3, "");
    scatter(&d, l.phi[0], m);
    LLVMValueRef next = add(g, l.phi[0], m);
    loop_end(g, &l, &next);
    end_if(g, end);
    LLVMBuildRetVoid(g->b);
    return f;
}
