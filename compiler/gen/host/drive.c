/* drive.c: `drive`, which all ufuncs' host kernels call: it runs a kernel's loop over vectors on
 * operands of any layout.  In C it would be
 *
 *     drive(args, dimensions, steps, traits, loop)
 *         n = dimensions[0]
 *         way = layout(args, n, steps, traits)
 *         batch = way == ORDERED ? 1 : traits->batch
 *         for each input with step 0 (not ORDERED)
 *             fill its buffer with its element, lanes times
 *         for (done = 0; done < n; done += m)
 *             m = min(n - done, batch), or, if DIRECT, all whole vectors that are left
 *             for each operand
 *                 pointer = its own memory, if contiguous, m whole vectors and not ORDERED
 *                           else its buffer, to which an input's m elements are copied; the first
 *                           of them fills up the last vector
 *             loop(pointers, increments, vectors)
 *             copy the outputs that are in their buffers to their own memory
 *
 * so that an element is computed by the same vector instructions wherever it lies.  As rows may be
 * short, a kernel first tries the most frequent case on its own operands: gen_direct. */
#include "host.h"

enum way { ORDERED = UFC_WAY_ORDERED, BUFFERED = UFC_WAY_BUFFERED, DIRECT = UFC_WAY_DIRECT };

/* ---- shorthands on i64 and pointers */

static LLVMTypeRef pointer_type(struct gen *g) {
    return LLVMPointerTypeInContext(g->context, 0);
}

static LLVMValueRef most(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    return gen_select(g, compare(g, LLVMIntSGT, a, b), a, b);
}

/* &array[index], for elements of 8 bytes */
static LLVMValueRef at_index(struct gen *g, LLVMValueRef array, LLVMValueRef index) {
    return LLVMBuildGEP2(g->b, i64_type(g), array, &index, 1, "");
}

static LLVMValueRef get(struct gen *g, LLVMTypeRef type, LLVMValueRef array, LLVMValueRef index) {
    return LLVMBuildLoad2(g->b, type, at_index(g, array, index), "");
}

static void put(struct gen *g, LLVMValueRef array, LLVMValueRef index, LLVMValueRef v) {
    LLVMBuildStore(g->b, v, at_index(g, array, index));
}

/* A loop for i = l->phi[0] from `from` to `to`, which carries `other`, if not NULL, in l->phi[1].
 */
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

/* Begins a local function. */
static LLVMValueRef begin_function(struct gen *g, LLVMValueRef f) {
    LLVMSetLinkage(f, LLVMInternalLinkage);
    llvm_flag(f, "nounwind");
    g->function = f;
    gen_place(g, gen_block(g, "entry"));
    return f;
}

static LLVMValueRef call(struct gen *g, LLVMValueRef f, LLVMValueRef *args, unsigned n) {
    return LLVMBuildCall2(g->b, LLVMGlobalGetValueType(f), f, args, n, "");
}

/* ---- a kernel's traits: what drive must know, as int64 */

/* Inputs, operands, lanes, log2 of lanes, elements that a buffer holds, and each operand's bytes.
 */
enum trait { NIN, NALL, LANES, SHIFT, BATCH, SIZES };

/* log2 of a power of two. */
static unsigned logarithm(int n) {
    return n > 1 ? 1 + logarithm(n / 2) : 0;
}

static LLVMValueRef constant_words(struct gen *g, const char *name, LLVMValueRef *words,
                                   unsigned n) {
    LLVMValueRef global = LLVMAddGlobal(g->module, LLVMArrayType2(i64_type(g), n), name);
    LLVMSetInitializer(global, LLVMConstArray2(i64_type(g), words, n));
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    return global;
}

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
    rows[SHIFT] = i64(g, logarithm(g->lanes));
    rows[BATCH] = i64(g, DRIVE_BUFFER / widest);
    return constant_words(g, "traits", rows, SIZES + (unsigned)p->noperands);
}

/* ---- copy(to, to_step, from, from_step, size, n); to and from are disjoint */

struct copying {
    struct gen *g;
    LLVMValueRef to, to_step, from, from_step, n;
    unsigned size, align;
    LLVMTypeRef element;
    LLVMValueRef done; /* slot: elements copied so far */
};

static LLVMValueRef place_in(struct copying *c, LLVMValueRef p, LLVMValueRef step, LLVMValueRef i) {
    return at_byte(c->g, p, multiply(c->g, step, i));
}

static LLVMValueRef load_copied(struct copying *c, LLVMTypeRef type, LLVMValueRef at) {
    LLVMValueRef v = LLVMBuildLoad2(c->g->b, type, at, "");
    LLVMSetAlignment(v, c->align);
    return v;
}

static void store_copied(struct copying *c, LLVMValueRef v, LLVMValueRef at) {
    LLVMSetAlignment(LLVMBuildStore(c->g->b, v, at), c->align);
}

/* A vector of the elements at p, which are `apart` (0, -1 or 2) times their size apart. */
static LLVMValueRef load_vector(struct copying *c, LLVMValueRef p, int apart, unsigned lanes) {
    struct gen *g = c->g;
    LLVMValueRef from[COPY_BYTES], v;
    for (unsigned i = 0; i < lanes; i++)
        from[i] = i32(g, apart < 0 ? lanes - 1 - i : (unsigned)apart * i);
    if (apart < 0)
        p = at_byte(g, p, i64(g, -(uint64_t)((lanes - 1) * c->size)));
    if (apart == 0) {
        v = load_copied(c, c->element, p);
        v = LLVMBuildInsertElement(g->b, LLVMGetPoison(LLVMVectorType(c->element, lanes)), v,
                                   i32(g, 0), "");
    } else {
        v = load_copied(c, LLVMVectorType(c->element, apart < 0 ? lanes : 2 * lanes), p);
    }
    return LLVMBuildShuffleVector(g->b, v, LLVMGetPoison(LLVMTypeOf(v)),
                                  LLVMConstVector(from, lanes), "");
}

/* Copies whole vectors, if elements are `apart` times their size apart, and go to neighbours. */
static void copy_vectors(struct copying *c, int apart) {
    struct gen *g = c->g;
    struct loop l;
    unsigned lanes = COPY_BYTES / c->size;
    LLVMValueRef step = i64(g, (uint64_t)apart * c->size), zero = i64(g, 0);
    LLVMBasicBlockRef after = begin_if(g, both(g, compare(g, LLVMIntEQ, c->from_step, step),
                                               compare(g, LLVMIntEQ, c->to_step, i64(g, c->size))));
    /* apart == 2: the last vector would be loaded with an element behind the last one */
    loop_begin(g, &l, 1, &zero);
    LLVMValueRef next = add(g, l.phi[0], i64(g, lanes));
    loop_while(g, &l, compare(g, apart == 2 ? LLVMIntSLT : LLVMIntSLE, next, c->n));
    store_copied(c, load_vector(c, place_in(c, c->from, step, l.phi[0]), apart, lanes),
                 place_in(c, c->to, c->to_step, l.phi[0]));
    loop_end(g, &l, &next);
    LLVMBuildStore(g->b, l.phi[0], c->done);
    end_if(g, after);
}

/* Copies `many` elements at a time, while so many are left. */
static void copy_elements(struct copying *c, unsigned many) {
    struct gen *g = c->g;
    struct loop l;
    LLVMValueRef first = LLVMBuildLoad2(g->b, i64_type(g), c->done, ""), v[COPY_ELEMS];
    loop_begin(g, &l, 1, &first);
    LLVMValueRef next = add(g, l.phi[0], i64(g, many));
    loop_while(g, &l, compare(g, LLVMIntSLE, next, c->n));
    LLVMValueRef from = place_in(c, c->from, c->from_step, l.phi[0]);
    LLVMValueRef to = place_in(c, c->to, c->to_step, l.phi[0]);
    for (unsigned i = 0; i < many; i++)
        v[i] = load_copied(c, c->element, place_in(c, from, c->from_step, i64(g, i)));
    for (unsigned i = 0; i < many; i++)
        store_copied(c, v[i], place_in(c, to, c->to_step, i64(g, i)));
    loop_end(g, &l, &next);
    LLVMBuildStore(g->b, l.phi[0], c->done);
}

/* Copies all elements at once, if both sides are contiguous. */
static void copy_neighbours(struct copying *c) {
    struct gen *g = c->g;
    LLVMValueRef size = i64(g, c->size);
    LLVMBasicBlockRef after = begin_if(g, both(g, compare(g, LLVMIntEQ, c->from_step, size),
                                               compare(g, LLVMIntEQ, c->to_step, size)));
    LLVMBuildMemCpy(g->b, c->to, 1, c->from, 1, multiply(g, c->n, size));
    LLVMBuildStore(g->b, c->n, c->done);
    end_if(g, after);
}

static LLVMValueRef gen_copy(struct gen *g) {
    LLVMTypeRef p = pointer_type(g), i = i64_type(g), types[] = {p, i, p, i, i, i};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(g->context), types, 6, false);
    LLVMValueRef f = begin_function(g, LLVMAddFunction(g->module, "copy", type));
    struct copying c = {.g = g,
                        .to = LLVMGetParam(f, 0),
                        .to_step = LLVMGetParam(f, 1),
                        .from = LLVMGetParam(f, 2),
                        .from_step = LLVMGetParam(f, 3),
                        .n = LLVMGetParam(f, 5),
                        .done = gen_alloca(g, i, "done")};
    LLVMBuildStore(g->b, i64(g, 0), c.done);
    LLVMBasicBlockRef done = gen_block(g, "return"), other = gen_block(g, "size1");
    LLVMValueRef s = LLVMBuildSwitch(g->b, LLVMGetParam(f, 4), other, 4);
    for (c.size = 1; c.size <= 16; c.size *= 2) {
        LLVMBasicBlockRef here = c.size == 1 ? other : gen_block(g, "size");
        if (c.size > 1)
            LLVMAddCase(s, i64(g, c.size), here);
        gen_place(g, here);
        c.align = c.size < 4 ? c.size : 4; /* complex64 has the size of float64 */
        c.element = LLVMIntTypeInContext(g->context, c.size * 8);
        copy_neighbours(&c);
        if (c.size < 16) {
            copy_vectors(&c, -1);
            copy_vectors(&c, 0);
            copy_vectors(&c, 2);
        }
        copy_elements(&c, COPY_ELEMS);
        copy_elements(&c, 1);
        LLVMBuildBr(g->b, done);
    }
    gen_place(g, done);
    LLVMBuildRetVoid(g->b);
    return f;
}

/* ---- layout(args, n, steps, traits): which way drive goes */

struct range {
    LLVMValueRef begin, end, step;
};

/* The addresses of operand k's bytes, as integers; f: the function `layout`. */
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

/* The module's `layout`, which is declared if there is none: another part has it. */
static LLVMValueRef find_layout(struct gen *g) {
    LLVMTypeRef p = pointer_type(g), i = i64_type(g), types[] = {p, i, p, p};
    LLVMValueRef f = LLVMGetNamedFunction(g->module, "layout");
    return f != NULL ? f
                     : LLVMAddFunction(g->module, "layout", LLVMFunctionType(i, types, 4, false));
}

static LLVMValueRef gen_layout(struct gen *g) {
    LLVMTypeRef i = i64_type(g);
    LLVMValueRef f = begin_function(g, find_layout(g));
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
    count_begin(g, &l, nin, nall, l.phi[1]); /* each output … */
    struct range out = range_of(g, f, l.phi[0]);
    LLVMValueRef repeated = both(g, compare(g, LLVMIntEQ, out.step, i64(g, 0)),
                                 compare(g, LLVMIntSGT, LLVMGetParam(f, 1), i64(g, 1)));
    LLVMValueRef way = gen_select(g, repeated, i64(g, ORDERED), l.phi[1]);
    count_begin(g, &inner, i64(g, 0), nin, way); /* … with each input */
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
    LLVMValueRef copy;                /* the function */
    LLVMValueRef args, steps, traits; /* parameters */
    LLVMValueRef n, nin, nall, lanes, in_order;
    LLVMValueRef buffers, pointers, increments; /* arrays on the stack */
};

static LLVMValueRef buffer_of(struct drive *d, LLVMValueRef k) {
    return at_byte(d->g, d->buffers, multiply(d->g, k, i64(d->g, DRIVE_BUFFER)));
}

static LLVMValueRef size_of(struct drive *d, LLVMValueRef k) {
    return get(d->g, i64_type(d->g), d->traits, add(d->g, k, i64(d->g, SIZES)));
}

static LLVMValueRef step_of(struct drive *d, LLVMValueRef k) {
    return get(d->g, i64_type(d->g), d->steps, k);
}

/* The address of operand k's element number `done`. */
static LLVMValueRef place_of(struct drive *d, LLVMValueRef k, LLVMValueRef done) {
    LLVMValueRef first = get(d->g, pointer_type(d->g), d->args, k);
    return at_byte(d->g, first, multiply(d->g, done, step_of(d, k)));
}

/* Is operand k an input with one element for all (not ORDERED)? */
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

/* Sets pointers and increments for m elements from `done` on, and copies inputs to buffers. */
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
    LLVMBasicBlockRef filled = begin_if(g, compare(g, LLVMIntNE, m, padded));
    LLVMValueRef last = at_byte(g, buffer, multiply(g, subtract(g, padded, d->lanes), size));
    LLVMValueRef fill[] = {last, size, from, i64(g, 0), size, d->lanes};
    call(g, d->copy, fill, 6);
    end_if(g, filled);
    LLVMValueRef args[] = {buffer, size, from, step, size, m};
    call(g, d->copy, args, 6);
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

/* An array of n elements on the stack: of no fixed size, since a thread's stack may be small. */
static LLVMValueRef gen_array(struct gen *g, LLVMTypeRef element, LLVMValueRef n) {
    LLVMValueRef slot = LLVMBuildArrayAlloca(g->b, element, n, "");
    LLVMSetAlignment(slot, 64);
    return slot;
}

LLVMTypeRef gen_loop_type(struct gen *g) {
    LLVMTypeRef p = pointer_type(g), types[] = {p, p, i64_type(g)};
    return LLVMFunctionType(LLVMVoidTypeInContext(g->context), types, 3, false);
}

LLVMValueRef declare_drive(struct gen *g) {
    LLVMTypeRef p = pointer_type(g), types[] = {p, p, p, p, p};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(g->context), types, 5, false);
    return LLVMAddFunction(g->module, "drive", type);
}

LLVMValueRef gen_drive(struct gen *g, bool global) {
    struct drive d = {.g = g, .copy = gen_copy(g)};
    LLVMValueRef layout = gen_layout(g);
    LLVMTypeRef p = pointer_type(g), i = i64_type(g);
    LLVMValueRef f = begin_function(g, declare_drive(g));
    d.args = LLVMGetParam(f, 0);
    d.n = LLVMBuildLoad2(g->b, i, LLVMGetParam(f, 1), "n");
    d.steps = LLVMGetParam(f, 2);
    d.traits = LLVMGetParam(f, 3);
    d.nin = get(g, i, d.traits, i64(g, NIN));
    d.nall = get(g, i, d.traits, i64(g, NALL));
    d.lanes = get(g, i, d.traits, i64(g, LANES));
    LLVMValueRef bytes = multiply(g, d.nall, i64(g, DRIVE_BUFFER));
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
    LLVMValueRef vectors = LLVMBuildLShr(g->b, add(g, m, subtract(g, d.lanes, i64(g, 1))),
                                         get(g, i, d.traits, i64(g, SHIFT)), "");
    gather(&d, l.phi[0], m, vectors);
    LLVMValueRef loop_args[] = {d.pointers, d.increments, vectors};
    LLVMBuildCall2(g->b, gen_loop_type(g), LLVMGetParam(f, 4), loop_args, 3, "");
    scatter(&d, l.phi[0], m);
    LLVMValueRef next = add(g, l.phi[0], m);
    loop_end(g, &l, &next);
    end_if(g, end);
    LLVMBuildRetVoid(g->b);
    if (global) {
        LLVMSetLinkage(f, LLVMExternalLinkage);
        LLVMSetLinkage(layout, LLVMExternalLinkage);
    }
    return f;
}

/* ---- which way drive would go */

void gen_ask(struct gen *g, const char *name, LLVMValueRef traits) {
    begin_ask(g, name);
    LLVMValueRef n = LLVMBuildLoad2(g->b, i64_type(g), LLVMGetParam(g->function, 1), "n");
    LLVMValueRef asked[] = {LLVMGetParam(g->function, 0), n, LLVMGetParam(g->function, 2), traits};
    LLVMValueRef way = call(g, find_layout(g), asked, 4);
    end_ask(g, LLVMBuildTrunc(g->b, way, i32_type(g), ""), g->lanes);
}

/* ---- a kernel's beginning, without drive */

static LLVMValueRef lies_apart(struct gen *g, LLVMValueRef a, LLVMValueRef a_end, LLVMValueRef b,
                               LLVMValueRef b_end) {
    return LLVMBuildOr(g->b, compare(g, LLVMIntULE, a_end, b), compare(g, LLVMIntULE, b_end, a),
                       "");
}

void gen_direct(struct gen *g, LLVMValueRef loop) {
    const struct plan *p = g->plan;
    LLVMValueRef args = LLVMGetParam(g->function, 0), steps = LLVMGetParam(g->function, 2);
    LLVMValueRef begin[UFC_MAX_OPERANDS], end[UFC_MAX_OPERANDS], increment[UFC_MAX_OPERANDS];
    LLVMValueRef size[UFC_MAX_OPERANDS], lanes = i64(g, (unsigned)g->lanes);
    LLVMValueRef n = LLVMBuildLoad2(g->b, i64_type(g), LLVMGetParam(g->function, 1), "n");
    LLVMValueRef fits = compare(g, LLVMIntSGE, n, lanes);
    LLVMTypeRef pointer = pointer_type(g);
    LLVMValueRef last = gen_alloca(g, LLVMArrayType2(pointer, (unsigned)p->noperands), "last");
    for (int k = 0; k < p->noperands; k++) {
        uint64_t bytes = (uint64_t)dtype_info[p->operands[k].dtype].bits / 8;
        size[k] = i64(g, bytes);
        increment[k] = i64(g, bytes * (uint64_t)g->lanes);
        begin[k] = get(g, i64_type(g), args, i64(g, (unsigned)k));
        end[k] = add(g, begin[k], multiply(g, n, size[k]));
        LLVMValueRef step = get(g, i64_type(g), steps, i64(g, (unsigned)k));
        fits = both(g, fits, compare(g, LLVMIntEQ, step, size[k]));
        for (int i = 0; i < p->nin && k >= p->nin; i++)
            fits = both(g, fits, lies_apart(g, begin[i], end[i], begin[k], end[k]));
    }
    LLVMValueRef increments = constant_words(g, "increments", increment, (unsigned)p->noperands);
    LLVMBasicBlockRef after = begin_if(g, fits);
    LLVMValueRef whole = LLVMBuildLShr(g->b, n, i64(g, logarithm(g->lanes)), "");
    call(g, loop, (LLVMValueRef[]){args, increments, whole}, 3);
    LLVMValueRef rest = LLVMBuildAnd(g->b, n, subtract(g, lanes, i64(g, 1)), "");
    LLVMBasicBlockRef done = begin_if(g, compare(g, LLVMIntNE, rest, i64(g, 0)));
    for (int k = 0; k < p->noperands; k++)
        put(g, last, i64(g, (unsigned)k), subtract(g, end[k], increment[k]));
    call(g, loop, (LLVMValueRef[]){last, increments, i64(g, 1)}, 3);
    end_if(g, done);
    LLVMBuildRetVoid(g->b);
    gen_place(g, after);
}
