/* fold.c: an overload's functions for methods on the host, ufc_fold_kernel and ufc_leaf_kernel of
 * image_abi.h, around its body. */
#include "host.h"

struct host_fold {
    struct gen *g;
    enum ufc_dtype d;
    bool exact;       /* UFC_EXACT, and so */
    uint64_t neutral; /* an element that changes none, in the low bytes */
    int lanes;        /* of a register */
};

/* ---- shorthands */

static LLVMValueRef less(struct gen *g, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildICmp(g->b, LLVMIntSLT, a, b, "");
}

static LLVMValueRef parameter(struct gen *g, unsigned i) {
    return LLVMGetParam(g->function, i);
}

/* &p[index], for elements of f->d */
static LLVMValueRef at_element(struct host_fold *f, LLVMValueRef p, LLVMValueRef index) {
    return at_byte(f->g, p, multiply(f->g, index, i64(f->g, dtype_info[f->d].bits / 8)));
}

static void begin_loop(struct host_fold *f, struct loop *l, int n, LLVMValueRef *first,
                       LLVMValueRef end) {
    loop_begin(f->g, l, n, first);
    loop_while(f->g, l, less(f->g, l->phi[0], end));
}

static LLVMValueRef join(struct gen *g, LLVMBasicBlockRef *from, LLVMValueRef *v, unsigned n) {
    LLVMValueRef phi = LLVMBuildPhi(g->b, LLVMTypeOf(v[0]), "");
    LLVMAddIncoming(phi, v, from, n);
    return phi;
}

/* ---- lanes */

/* The vector whose lane i is lane from[i] of v. */
static LLVMValueRef shuffle(struct host_fold *f, LLVMValueRef v, const int *from) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(f->g->context);
    LLVMValueRef mask[64];
    for (int i = 0; i < f->g->lanes; i++)
        mask[i] = LLVMConstInt(i32, (unsigned)from[i], false);
    return LLVMBuildShuffleVector(f->g->b, v, LLVMGetPoison(LLVMTypeOf(v)),
                                  LLVMConstVector(mask, (unsigned)f->g->lanes), "");
}

/* Neighbouring elements in memory, in g->lanes lanes. */
static LLVMValueRef load(struct host_fold *f, LLVMValueRef at) {
    LLVMTypeRef memory = gen_lanes_of(f->g, gen_memory_type(f->g, f->d));
    return gen_load_element(f->g, f->d, memory, at, dtype_align(f->d));
}

static void store(struct host_fold *f, LLVMValueRef v, LLVMValueRef at) {
    LLVMTypeRef memory = gen_lanes_of(f->g, gen_memory_type(f->g, f->d));
    gen_store_element(f->g, memory, v, at, dtype_align(f->d));
}

/* One element in all lanes. */
static LLVMValueRef load_one(struct host_fold *f, LLVMValueRef at) {
    static const int first[16] = {0};
    struct gen *g = f->g;
    LLVMTypeRef memory = gen_memory_type(g, f->d);
    LLVMValueRef v = gen_load_element(g, f->d, memory, at, dtype_align(f->d));
    v = LLVMBuildInsertElement(g->b, LLVMGetPoison(gen_type(g, f->d)), v, i64(g, 0), "");
    return shuffle(f, v, first);
}

/* Stores the first lane. */
static void store_one(struct host_fold *f, LLVMValueRef v, LLVMValueRef at) {
    v = LLVMBuildExtractElement(f->g->b, v, i64(f->g, 0), "");
    gen_store_element(f->g, gen_memory_type(f->g, f->d), v, at, dtype_align(f->d));
}

static LLVMValueRef apply(struct host_fold *f, LLVMValueRef a, LLVMValueRef b) {
    f->g->inputs[0] = a;
    f->g->inputs[1] = b;
    gen_body(f->g);
    return f->g->outputs[2];
}

static void begin_function(struct host_fold *f, const char *name, LLVMTypeRef *types, unsigned n) {
    struct gen *g = f->g;
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(g->context), types, n, false);
    g->function = LLVMAddFunction(g->module, name, type);
    llvm_host_attributes(g->function, g->level);
    gen_place(g, gen_block(g, "entry"));
}

/* ---- fold */

/* ufc_fold_kernel's parameters. */
enum { ACC, X, N, STEP, WIDTH, OUT, OUT_STEP, PLACES };

/* Columns from k on in vectors, while there are as many as lanes; gives the first that is left. */
static LLVMValueRef fold_vectors(struct host_fold *f, LLVMValueRef k) {
    struct gen *g = f->g;
    struct loop columns, rows;
    LLVMValueRef lanes = i64(g, (unsigned)g->lanes);
    LLVMValueRef end = add(g, subtract(g, parameter(g, WIDTH), lanes), i64(g, 1));
    begin_loop(f, &columns, 1, &k, end);
    k = columns.phi[0];
    LLVMValueRef x = at_element(f, parameter(g, X), k), out = at_element(f, parameter(g, OUT), k);
    LLVMValueRef first[] = {i64(g, 0), load(f, at_element(f, parameter(g, ACC), k))};
    begin_loop(f, &rows, 2, first, parameter(g, N));
    LLVMValueRef i = rows.phi[0];
    LLVMValueRef next[] = {
        add(g, i, i64(g, 1)),
        apply(f, rows.phi[1], load(f, at_byte(g, x, multiply(g, i, parameter(g, STEP)))))};
    store(f, next[1], at_byte(g, out, multiply(g, i, parameter(g, OUT_STEP))));
    loop_end(g, &rows, next);
    LLVMValueRef more = add(g, k, lanes);
    loop_end(g, &columns, &more);
    return k;
}

/* What row i is combined with: acc, or, with PLACES, the element at its place; *to: the address
 * that the result goes to. */
static LLVMValueRef find_acc(struct host_fold *f, LLVMValueRef i, LLVMValueRef acc,
                             LLVMValueRef out, LLVMValueRef *to) {
    struct gen *g = f->g;
    LLVMValueRef places = parameter(g, PLACES), from[2] = {acc}, offset[2];
    LLVMBasicBlockRef blocks[] = {LLVMGetInsertBlock(g->b), gen_block(g, "place")};
    LLVMBasicBlockRef found = gen_block(g, "found");
    LLVMValueRef in_order =
        LLVMBuildICmp(g->b, LLVMIntEQ, places, LLVMConstNull(LLVMTypeOf(places)), "");
    offset[0] = multiply(g, i, parameter(g, OUT_STEP));
    LLVMBuildCondBr(g->b, in_order, found, blocks[1]);
    gen_place(g, blocks[1]);
    LLVMValueRef at = LLVMBuildGEP2(g->b, i64_type(g), places, &i, 1, "");
    offset[1] = multiply(g, LLVMBuildLoad2(g->b, i64_type(g), at, ""), parameter(g, OUT_STEP));
    from[1] = load_one(f, at_byte(g, out, offset[1]));
    LLVMBuildBr(g->b, found);
    gen_place(g, found);
    LLVMValueRef v = join(g, blocks, from, 2);
    *to = at_byte(g, out, join(g, blocks, offset, 2));
    return v;
}

/* Columns from k on, one by one. */
static void fold_rest(struct host_fold *f, LLVMValueRef k) {
    struct gen *g = f->g;
    struct loop columns, rows;
    begin_loop(f, &columns, 1, &k, parameter(g, WIDTH));
    LLVMValueRef x = at_element(f, parameter(g, X), columns.phi[0]),
                 out = at_element(f, parameter(g, OUT), columns.phi[0]), to;
    LLVMValueRef first[] = {i64(g, 0),
                            load_one(f, at_element(f, parameter(g, ACC), columns.phi[0]))};
    begin_loop(f, &rows, 2, first, parameter(g, N));
    LLVMValueRef i = rows.phi[0];
    LLVMValueRef value = load_one(f, at_byte(g, x, multiply(g, i, parameter(g, STEP))));
    LLVMValueRef acc = find_acc(f, i, rows.phi[1], out, &to);
    LLVMValueRef next[] = {add(g, i, i64(g, 1)), apply(f, acc, value)};
    store_one(f, next[1], to);
    loop_end(g, &rows, next);
    LLVMValueRef more = add(g, columns.phi[0], i64(g, 1));
    loop_end(g, &columns, &more);
}

/* The lanes of columns: those of a register; of several, which go on while one waits for its last
 * result, where the function is a single operation. */
static int column_lanes(struct host_fold *f) {
    int least = fold_lanes(f->d);
    if (is_complex(f->d) || f->g->plan->nlocals > 0)
        return least;
    int lanes = f->exact ? exact_lanes(f->d, f->g->level) : f->lanes;
    return lanes > least ? lanes : least;
}

static void gen_fold(struct host_fold *f, const char *name) {
    struct gen *g = f->g;
    int whole = fold_lanes(f->d), least = 16 / (int)dtype_align(f->d); /* of the smallest vector */
    LLVMTypeRef p = LLVMPointerTypeInContext(g->context, 0), i = i64_type(g),
                types[] = {p, p, i, i, i, p, i, p};
    begin_function(f, name, types, 8);
    LLVMValueRef k = i64(g, 0);
    struct lanes_scope outer;
    for (int lanes = column_lanes(f); lanes >= whole; lanes /= 2) {
        outer = lanes_enter(g, lanes);
        k = fold_vectors(f, k);
        lanes_leave(g, outer);
    }
    outer = lanes_enter(g, least < whole ? least : whole);
    fold_rest(f, k);
    lanes_leave(g, outer);
    LLVMBuildRetVoid(g->b);
}

/* ---- leaf */

/* Each lane of v replaced by the one `apart` behind it, if there is one. */
static LLVMValueRef behind(struct host_fold *f, LLVMValueRef v, int apart) {
    int from[16];
    for (int i = 0; i < f->g->lanes; i++)
        from[i] = i + apart < f->g->lanes ? i + apart : i;
    return shuffle(f, v, from);
}

/* The second loop of a leaf.  Its first `joins` steps join the lanes of acc; each further one takes
 * an element of x, from number `rest` on. */
struct phases {
    LLVMValueRef x, joins, rest;
    int depth; /* log2 of lanes: the most joins */
};

/* The value that acc is combined with in step i. */
static LLVMValueRef leaf_value(struct host_fold *f, const struct phases *p, LLVMValueRef i,
                               LLVMValueRef acc) {
    struct gen *g = f->g;
    LLVMValueRef values[4];
    LLVMBasicBlockRef blocks[4], joins = gen_block(g, "joins"), done = gen_block(g, "value");
    for (int k = 0; k <= p->depth; k++)
        blocks[k] = gen_block(g, k ? "join" : "rest");
    LLVMBuildCondBr(g->b, less(g, i, p->joins), joins, blocks[0]);
    gen_place(g, joins);
    LLVMValueRef s = LLVMBuildSwitch(g->b, i, blocks[1], (unsigned)p->depth);
    for (int k = 1; k <= p->depth; k++) {
        if (k > 1)
            LLVMAddCase(s, i64(g, k - 1), blocks[k]);
        gen_place(g, blocks[k]);
        values[k] = behind(f, acc, 1 << (k - 1));
        LLVMBuildBr(g->b, done);
    }
    gen_place(g, blocks[0]);
    values[0] = load_one(f, at_element(f, p->x, add(g, p->rest, subtract(g, i, p->joins))));
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    return join(g, blocks, values, 1 + (unsigned)p->depth);
}

/* The first vector of x; where the elements are fewer than lanes (few, i1), the first one of them.
 */
static LLVMValueRef leaf_begin(struct host_fold *f, LLVMValueRef x, LLVMValueRef few) {
    struct gen *g = f->g;
    LLVMBasicBlockRef blocks[] = {gen_block(g, "vector"), gen_block(g, "one")};
    LLVMBasicBlockRef begin = gen_block(g, "begin");
    LLVMValueRef first[2];
    LLVMBuildCondBr(g->b, few, blocks[1], blocks[0]);
    gen_place(g, blocks[0]);
    first[0] = load(f, x);
    LLVMBuildBr(g->b, begin);
    gen_place(g, blocks[1]);
    first[1] = load_one(f, x);
    LLVMBuildBr(g->b, begin);
    gen_place(g, begin);
    return join(g, blocks, first, 2);
}

static void gen_leaf(struct host_fold *f, const char *name) {
    struct gen *g = f->g;
    LLVMTypeRef p = LLVMPointerTypeInContext(g->context, 0), types[] = {p, p, i64_type(g)};
    begin_function(f, name, types, 3);
    LLVMValueRef n = parameter(g, 2), lanes = i64(g, g->lanes), few = less(g, n, lanes);
    LLVMValueRef whole = subtract(g, n, LLVMBuildURem(g->b, n, lanes, "")), one = i64(g, 1);
    struct phases phases = {.x = parameter(g, 1), .depth = g->lanes == 8 ? 3 : 2};
    phases.rest = LLVMBuildSelect(g->b, few, one, whole, "");
    phases.joins = LLVMBuildSelect(g->b, few, i64(g, 0), i64(g, phases.depth), "");
    LLVMValueRef first[] = {lanes, leaf_begin(f, phases.x, few)};
    struct loop vectors, l;
    begin_loop(f, &vectors, 2, first, whole);
    LLVMValueRef x = load(f, at_element(f, phases.x, vectors.phi[0]));
    LLVMValueRef more[] = {add(g, vectors.phi[0], lanes), apply(f, vectors.phi[1], x)};
    loop_end(g, &vectors, more);
    LLVMValueRef then[] = {i64(g, 0), vectors.phi[1]};
    begin_loop(f, &l, 2, then, add(g, phases.joins, subtract(g, n, phases.rest)));
    LLVMValueRef value = leaf_value(f, &phases, l.phi[0], l.phi[1]);
    LLVMValueRef next[] = {add(g, l.phi[0], one), apply(f, l.phi[1], value)};
    loop_end(g, &l, next);
    store_one(f, l.phi[1], parameter(g, 0));
    LLVMBuildRetVoid(g->b);
}

/* ---- leaf of an exact function
 *
 * All lanes begin with the neutral element.  A result that two elements of different bits may
 * equal, a zero or a NaN, is replaced by the first of these, as if elements went in order. */

/* The neutral element in all lanes. */
static LLVMValueRef neutral(struct host_fold *f) {
    LLVMTypeRef type = gen_type(f->g, f->d);
    int bits = f->d == DT_BOOL ? 1 : dtype_info[f->d].bits;
    LLVMTypeRef word = LLVMIntTypeInContext(f->g->context, (unsigned)bits);
    uint64_t low = f->neutral & UINT64_MAX >> (64 - bits);
    return LLVMConstBitCast(gen_splat(f->g, LLVMConstInt(word, low, false)), type);
}

/* acc's lanes, joined by halves until `lanes` are left, in which values then are. */
static LLVMValueRef join_halves(struct host_fold *f, LLVMValueRef acc, int lanes) {
    struct gen *g = f->g;
    while (g->lanes > lanes) {
        int half = g->lanes / 2;
        LLVMValueRef low = take_lanes(g, acc, 0, half), high = take_lanes(g, acc, half, half);
        if (half == 1) {
            low = LLVMBuildExtractElement(g->b, low, i32(g, 0), "");
            high = LLVMBuildExtractElement(g->b, high, i32(g, 0), "");
        }
        g->lanes = half;
        acc = apply(f, low, high);
    }
    return acc;
}

/* Combines acc with whole vectors of elements [*i, n); leaves *i at the first of the others. */
static LLVMValueRef exact_vectors(struct host_fold *f, LLVMValueRef x, LLVMValueRef n,
                                  LLVMValueRef *i, LLVMValueRef acc) {
    struct gen *g = f->g;
    struct loop l;
    LLVMValueRef lanes = i64(g, (unsigned)g->lanes), first[] = {*i, acc};
    begin_loop(f, &l, 2, first, add(g, subtract(g, n, lanes), i64(g, 1)));
    LLVMValueRef next[] = {add(g, l.phi[0], lanes),
                           apply(f, l.phi[1], load(f, at_element(f, x, l.phi[0])))};
    loop_end(g, &l, next);
    *i = l.phi[0];
    return l.phi[1];
}

/* Whether each lane's number is less than n, or is not. */
static LLVMValueRef compare_lanes(struct host_fold *f, bool is_less, LLVMValueRef n) {
    struct gen *g = f->g;
    LLVMTypeRef i8 = LLVMInt8TypeInContext(g->context);
    LLVMValueRef number[MOST_LANES];
    for (int i = 0; i < g->lanes; i++)
        number[i] = LLVMConstInt(i8, (unsigned)i, false);
    return LLVMBuildICmp(g->b, is_less ? LLVMIntULT : LLVMIntUGE,
                         LLVMConstVector(number, (unsigned)g->lanes),
                         gen_dynamic_splat(g, LLVMBuildTrunc(g->b, n, i8, "")), "");
}

/* The last vector of n elements, of which the first `known` lanes become neutral. */
static LLVMValueRef last_vector(struct host_fold *f, LLVMValueRef x, LLVMValueRef n,
                                LLVMValueRef known) {
    struct gen *g = f->g;
    LLVMValueRef first = subtract(g, n, i64(g, (unsigned)g->lanes));
    return gen_select(g, compare_lanes(f, false, known), load(f, at_element(f, x, first)),
                      neutral(f));
}

/* The n elements, fewer than lanes, and neutral ones. */
static LLVMValueRef few_elements(struct host_fold *f, LLVMValueRef x, LLVMValueRef n) {
    struct gen *g = f->g;
    LLVMTypeRef memory = gen_lanes_of(g, gen_memory_type(g, f->d));
    unsigned align = dtype_align(f->d), bytes = (unsigned)dtype_info[f->d].bits / 8;
    if (f->d != DT_BOOL && g->target->has_masked(g, bytes)) {
        LLVMValueRef found = compare_lanes(f, true, n);
        return gen_select(g, found, llvm_masked_load(g->b, memory, x, found, align), neutral(f));
    }
    LLVMValueRef buffer = gen_alloca(g, memory, "few");
    store(f, neutral(f), buffer);
    LLVMBuildMemCpy(g->b, buffer, align, x, align, multiply(g, n, i64(g, bytes)));
    return load(f, buffer);
}

/* acc combined with elements [i, n), fewer than lanes. */
static LLVMValueRef exact_rest(struct host_fold *f, LLVMValueRef x, LLVMValueRef n, LLVMValueRef i,
                               LLVMValueRef acc) {
    struct gen *g = f->g;
    LLVMValueRef lanes = i64(g, (unsigned)g->lanes), v[2];
    LLVMBasicBlockRef whole = LLVMGetInsertBlock(g->b), after = begin_if(g, less(g, i, n));
    LLVMBasicBlockRef ways[] = {gen_block(g, "few"), gen_block(g, "last")}, on = gen_block(g, "on");
    LLVMBuildCondBr(g->b, less(g, n, lanes), ways[0], ways[1]);
    gen_place(g, ways[0]);
    v[0] = few_elements(f, x, n);
    LLVMBuildBr(g->b, on);
    gen_place(g, ways[1]);
    v[1] = last_vector(f, x, n, subtract(g, lanes, subtract(g, n, i)));
    LLVMBuildBr(g->b, on);
    gen_place(g, on);
    LLVMValueRef r = apply(f, acc, join(g, ways, v, 2));
    on = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    return phi2(g, whole, acc, on, r);
}

/* Whether elements are a NaN, if the result is one (nan), or else a zero. */
static LLVMValueRef matches(struct host_fold *f, LLVMValueRef v, LLVMValueRef nan) {
    struct gen *g = f->g;
    v = is_half(f->d) ? gen_cast(g, v, f->d, DT_FLOAT32) : v;
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(v));
    return gen_select(g, nan, LLVMBuildFCmp(g->b, LLVMRealUNO, v, v, ""),
                      LLVMBuildFCmp(g->b, LLVMRealOEQ, v, zero, ""));
}

/* The first element that matches; there is one. */
static LLVMValueRef find_first(struct host_fold *f, LLVMValueRef x, LLVMValueRef n,
                               LLVMValueRef nan) {
    struct gen *g = f->g;
    struct loop vectors, elements;
    LLVMValueRef next = i64(g, 0), lanes = i64(g, (unsigned)f->lanes);
    LLVMBasicBlockRef found = gen_block(g, "found"), on = gen_block(g, "on");
    struct lanes_scope outer = lanes_enter(g, f->lanes);
    begin_loop(f, &vectors, 1, &next, add(g, subtract(g, n, lanes), i64(g, 1)));
    LLVMValueRef v = load(f, at_element(f, x, vectors.phi[0]));
    LLVMBuildCondBr(g->b, gen_any(g, matches(f, v, nan)), found, on);
    gen_place(g, on);
    next = add(g, vectors.phi[0], lanes);
    loop_end(g, &vectors, &next);
    LLVMBuildBr(g->b, found);
    gen_place(g, found);
    lanes_leave(g, outer);
    loop_begin(g, &elements, 1, &vectors.phi[0]);
    v = load(f, at_element(f, x, elements.phi[0]));
    loop_while(g, &elements, gen_not(g, matches(f, v, nan)));
    next = add(g, elements.phi[0], i64(g, 1));
    loop_end(g, &elements, &next);
    return v;
}

/* The result as if elements went in order. */
static LLVMValueRef in_order(struct host_fold *f, LLVMValueRef x, LLVMValueRef n,
                             LLVMValueRef result) {
    struct gen *g = f->g;
    LLVMValueRef v = is_half(f->d) ? gen_cast(g, result, f->d, DT_FLOAT32) : result;
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(v));
    LLVMValueRef nan = LLVMBuildFCmp(g->b, LLVMRealUNO, v, v, "");
    LLVMBasicBlockRef one = LLVMGetInsertBlock(g->b);
    LLVMBasicBlockRef after = begin_if(g, LLVMBuildFCmp(g->b, LLVMRealUEQ, v, zero, ""));
    LLVMValueRef first = find_first(f, x, n, nan);
    if (is_half(
            f->d)) /* the function's conversions change a NaN's bits, a single element keeps them */
        first = gen_select(g, less(g, i64(g, 1), n), apply(f, first, first), first);
    LLVMBasicBlockRef found = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    return phi2(g, one, result, found, first);
}

static void gen_exact_leaf(struct host_fold *f, const char *name) {
    struct gen *g = f->g;
    LLVMTypeRef p = LLVMPointerTypeInContext(g->context, 0), types[] = {p, p, i64_type(g)};
    begin_function(f, name, types, 3);
    LLVMValueRef x = parameter(g, 1), n = parameter(g, 2), i = i64(g, 0);
    struct lanes_scope outer = lanes_enter(g, exact_lanes(f->d, g->level));
    LLVMValueRef v = exact_vectors(f, x, n, &i, neutral(f));
    v = join_halves(f, v, f->lanes);
    v = exact_vectors(f, x, n, &i, v);
    v = join_halves(f, exact_rest(f, x, n, i, v), 1);
    if (is_float(f->d))
        v = in_order(f, x, n, v);
    gen_store_element(g, gen_memory_type(g, f->d), v, parameter(g, 0), dtype_align(f->d));
    lanes_leave(g, outer);
    LLVMBuildRetVoid(g->b);
}

void gen_host_folds(struct gen *g, const char *name) {
    struct host_fold f = {.g = g, .d = g->plan->operands[0].dtype};
    const char *leaf = arena_printf(g->uc, "%s_leaf", name);
    f.exact = neutral_bits(g->plan, &f.neutral);
    f.lanes = level_info[g->level].bytes * 8 / dtype_info[f.d].bits;
    g->whole_vectors = true;
    g->lanes = fold_lanes(f.d);
    gen_fold(&f, arena_printf(g->uc, "%s_fold", name));
    if (f.exact)
        gen_exact_leaf(&f, leaf);
    else if (regroups(g->plan))
        gen_leaf(&f, leaf);
}
