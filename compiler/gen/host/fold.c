/* fold.c: an overload's functions for methods on the host, ufc_fold_kernel and ufc_leaf_kernel of
 * image_abi.h, around its body. */
#include "host.h"

struct host_fold {
    struct gen *g;
    enum ufc_dtype d;
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
    LLVMValueRef mask[16];
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

/* The columns in vectors, while there are as many as lanes; gives the first that is left. */
static LLVMValueRef fold_vectors(struct host_fold *f) {
    struct gen *g = f->g;
    struct loop columns, rows;
    LLVMValueRef zero = i64(g, 0), lanes = i64(g, g->lanes);
    LLVMValueRef end = add(g, subtract(g, parameter(g, WIDTH), lanes), i64(g, 1));
    begin_loop(f, &columns, 1, &zero, end);
    LLVMValueRef k = columns.phi[0], x = at_element(f, parameter(g, X), k),
                 out = at_element(f, parameter(g, OUT), k);
    LLVMValueRef first[] = {zero, load(f, at_element(f, parameter(g, ACC), k))};
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

static void gen_fold(struct host_fold *f, const char *name) {
    struct gen *g = f->g;
    int whole = g->lanes, least = 16 / (int)dtype_align(f->d); /* lanes of the smallest vector */
    LLVMTypeRef p = LLVMPointerTypeInContext(g->context, 0), i = i64_type(g),
                types[] = {p, p, i, i, i, p, i, p};
    begin_function(f, name, types, 8);
    LLVMValueRef k = fold_vectors(f);
    struct lanes_scope outer = lanes_enter(g, least < whole ? least : whole);
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

void gen_host_folds(struct gen *g, const char *name) {
    struct host_fold f = {.g = g, .d = g->plan->operands[0].dtype};
    g->whole_vectors = true;
    g->lanes = fold_lanes(f.d);
    gen_fold(&f, arena_printf(g->uc, "%s_fold", name));
    gen_leaf(&f, arena_printf(g->uc, "%s_leaf", name));
}
