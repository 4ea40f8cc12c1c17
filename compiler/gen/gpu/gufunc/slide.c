/* slide.c: a reduction, or an ordered loop, whose elements slide, for several points of a thread of
 * NEST at once.  The
 * thread takes some neighbouring indices in turn, a vector of elements, and has what all of its
 * points read there in registers: of a row that shifts from point to point so many more. */
#include "gufunc.h"

/* A thread's turns. */
struct sliding {
    const struct pstmt *body;
    const struct pvar *index;
    LLVMValueRef lo; /* its first, i64 */
    const struct abreast *points;
    struct slides rows;
    struct slide held;
    int n;                         /* indices in a turn */
    LLVMValueRef base[MAX_SLIDES]; /* of the first index and point, */
    LLVMValueRef step[MAX_SLIDES]; /* bytes from index to index, i64 */
    LLVMValueRef aligned;          /* i1: turns are vectors in all rows */
};

static unsigned element_bytes(const struct slide_place *row) {
    return (unsigned)dtype_info[row->place->dtype].bits / 8;
}

/* The elements that all points read of row i in a turn, in whole vectors. */
static int row_length(const struct sliding *t, int i) {
    int more = t->rows.row[i].shifts ? t->points->points - 1 : 0;
    return t->n + (more + t->n - 1) / t->n * t->n;
}

const struct pvar *point_index(const struct gen *g, const struct ufc_phase *phase) {
    const struct pstmt *s = g->threads->definition;
    const struct prange *r = s != NULL ? s->ranges : NULL;
    for (uint32_t i = 0; r != NULL && i < phase->abreast_range; i++)
        r = r->next;
    return r != NULL ? r->var : NULL;
}

static void find_base(struct gen *g, struct sliding *t, int i) {
    const struct slide_place *row = &t->rows.row[i];
    unsigned bytes = element_bytes(row);
    t->base[i] = gen_address(g, row->place);
    t->step[i] = g->arrays[row->place->operand].stride[row->axis];
    LLVMValueRef at = LLVMBuildPtrToInt(g->b, t->base[i], i64_type(g), "");
    at = both(g, at, i64(g, bytes * (unsigned)t->n - 1));
    LLVMValueRef ok = compare(g, LLVMIntEQ, at, i64(g, 0));
    ok = both(g, ok, compare(g, LLVMIntEQ, t->step[i], i64(g, bytes)));
    t->aligned = i > 0 ? both(g, t->aligned, ok) : ok;
}

/* Sets elements first … first + t->n of row i from memory: position (i64) is that of the turn's
 * first index. */
static void vector_of_row(struct gen *g, struct sliding *t, int i, LLVMValueRef position,
                          int first) {
    const struct slide_place *row = &t->rows.row[i];
    unsigned bytes = element_bytes(row);
    LLVMTypeRef type = LLVMVectorType(gen_memory_type(g, row->place->dtype), (unsigned)t->n);
    LLVMValueRef at = at_byte(g, t->base[i], multiply(g, position, i64(g, bytes)));
    at = at_byte(g, at, i64(g, (uint64_t)first * bytes));
    LLVMValueRef v = gen_vector(g, row->place, type, at, bytes * (unsigned)t->n);
    for (int e = 0; e < t->n; e++)
        t->held.value[i][first + e] = LLVMBuildExtractElement(g->b, v, i32(g, (uint32_t)e), "");
}

/* The same one by one. */
static void elements_of_row(struct gen *g, struct sliding *t, int i, LLVMValueRef position,
                            int first) {
    const struct slide_place *row = &t->rows.row[i];
    LLVMValueRef from = add(g, position, i64(g, (uint64_t)first));
    LLVMValueRef at = at_byte(g, t->base[i], multiply(g, from, t->step[i]));
    for (int e = 0; e < t->n; e++) {
        t->held.value[i][first + e] = gen_element_aligned(g, row->place, at, element_bytes(row));
        at = at_byte(g, at, t->step[i]);
    }
}

/* Which elements of a row are loaded. */
enum part { WHOLE, NEXT, FIRST };

/* Calls f for the vectors of a part of each row. */
static void each_vector(struct gen *g, struct sliding *t, enum part part, LLVMValueRef position,
                        void (*f)(struct gen *, struct sliding *, int, LLVMValueRef, int)) {
    for (int i = 0; i < t->rows.n; i++) {
        int n = row_length(t, i), from = part == NEXT ? n - t->n : 0;
        int to = part == FIRST ? n - t->n : n;
        for (int first = from; first < to; first += t->n)
            f(g, t, i, position, first);
    }
}

/* Loads a part of each row. */
static void load_part(struct gen *g, struct sliding *t, enum part part, LLVMValueRef position) {
    struct slide before, *held = &t->held;
    LLVMBasicBlockRef from[2], vectors = gen_block(g, "vectors"), singly = gen_block(g, "singly"),
                               done = gen_block(g, "loaded");
    LLVMBuildCondBr(g->b, t->aligned, vectors, singly);
    gen_place(g, vectors);
    each_vector(g, t, part, position, vector_of_row);
    from[0] = LLVMGetInsertBlock(g->b);
    before = *held;
    LLVMBuildBr(g->b, done);
    gen_place(g, singly);
    each_vector(g, t, part, position, elements_of_row);
    from[1] = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    for (int i = 0; i < t->rows.n; i++)
        for (int e = 0; e < row_length(t, i); e++) {
            LLVMValueRef values[] = {before.value[i][e], held->value[i][e]};
            if (values[0] == values[1])
                continue;
            held->value[i][e] = LLVMBuildPhi(g->b, LLVMTypeOf(values[0]), "");
            LLVMAddIncoming(held->value[i][e], values, from, 2);
        }
}

/* The body at the indices of a turn from a position on, for all points. */
static void gen_turn(struct gen *g, struct sliding *t, LLVMValueRef position) {
    LLVMValueRef index = add(g, t->lo, position);
    g->slide = &t->held;
    for (t->held.turn = 0; t->held.turn < t->n; t->held.turn++) {
        LLVMValueRef at = add(g, index, i64(g, (uint64_t)t->held.turn));
        LLVMBuildStore(g->b, at, var_of(g, t->index)->slot);
        gen_stmts(g, t->body);
    }
    g->slide = NULL;
}

/* Every t->count-th turn, where neighbouring threads are neighbours in the reduction. */
static void gen_strided(struct gen *g, struct sliding *t, LLVMValueRef turns) {
    LLVMValueRef first = g->threads->number;
    struct loop l = {.keep = true};
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], turns));
    LLVMValueRef position = multiply(g, l.phi[0], i64(g, (uint64_t)t->n));
    load_part(g, t, WHOLE, position);
    gen_turn(g, t, position);
    LLVMValueRef next = add(g, l.phi[0], g->threads->count);
    loop_end(g, &l, &next);
}

/* What is left behind the last turn, from `first` on: one index in turn. */
static void gen_left(struct gen *g, const struct sliding *turns, LLVMValueRef first,
                     LLVMValueRef end) {
    struct sliding t = *turns;
    struct loop l = {.keep = true};
    t.n = 1;
    t.held.rows = &t.rows;
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], end));
    each_vector(g, &t, WHOLE, l.phi[0], elements_of_row);
    gen_turn(g, &t, l.phi[0]);
    LLVMValueRef next = add(g, l.phi[0], g->threads->count);
    loop_end(g, &l, &next);
}

/* Slots of the elements of a row that shifts which the next turn reads again. */
struct carried {
    LLVMValueRef slot[MAX_SLIDES][MAX_SLIDING];
};

static void make_carried(struct gen *g, const struct sliding *t, struct carried *kept) {
    for (int i = 0; i < t->rows.n; i++)
        for (int e = 0; e < row_length(t, i) - t->n; e++)
            kept->slot[i][e] =
                gen_alloca(g, gen_memory_type(g, t->rows.row[i].place->dtype), "kept");
}

/* Keeps the elements from number `from` on. */
static void keep(struct gen *g, const struct sliding *t, const struct carried *kept, int from) {
    for (int i = 0; i < t->rows.n; i++)
        for (int e = 0; e < row_length(t, i) - t->n; e++)
            LLVMBuildStore(g->b, t->held.value[i][e + from], kept->slot[i][e]);
}

static void take_kept(struct gen *g, struct sliding *t, const struct carried *kept) {
    for (int i = 0; i < t->rows.n; i++)
        for (int e = 0; e < row_length(t, i) - t->n; e++)
            t->held.value[i][e] = LLVMBuildLoad2(
                g->b, gen_memory_type(g, t->rows.row[i].place->dtype), kept->slot[i][e], "");
}

/* The turns first … end - 1, of which each loads so many elements of a row as it takes, and keeps
 * them. */
static void gen_turns(struct gen *g, struct sliding *t, const struct carried *kept,
                      LLVMValueRef first, LLVMValueRef end) {
    struct loop l = {.keep = true};
    LLVMValueRef size = i64(g, (uint64_t)t->n);
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], end));
    LLVMValueRef position = multiply(g, l.phi[0], size);
    take_kept(g, t, kept);
    if (t->n > 1)
        load_part(g, t, NEXT, position);
    else
        each_vector(g, t, NEXT, position, elements_of_row);
    gen_turn(g, t, position);
    keep(g, t, kept, t->n);
    LLVMValueRef next = add(g, l.phi[0], i64(g, 1));
    loop_end(g, &l, &next);
}

/* Turns one after the other, each of which loads a vector of a row and keeps it. */
static void gen_kept(struct gen *g, struct sliding *t, LLVMValueRef turns) {
    const struct threads *own = g->threads;
    struct carried kept;
    LLVMValueRef count = LLVMBuildTrunc(g->b, own->count, i32_type(g), "");
    LLVMValueRef each = LLVMBuildTrunc(g->b, turns, i32_type(g), "");
    each = add(g, each, subtract(g, count, i32(g, 1)));
    each = extended(g, LLVMBuildUDiv(g->b, each, count, ""));
    LLVMValueRef has = compare(g, LLVMIntSLT, own->number, own->count);
    LLVMValueRef first = gen_select(g, has, multiply(g, own->number, each), turns);
    LLVMValueRef end = least(g, add(g, first, each), turns);
    make_carried(g, t, &kept);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntSLT, first, end));
    load_part(g, t, FIRST, multiply(g, first, i64(g, (uint64_t)t->n)));
    keep(g, t, &kept, 0);
    gen_turns(g, t, &kept, first, end);
    end_if(g, after);
}

/* Finds the rows that slide of a reduction, or of a loop.  False: there are none. */
static bool find_rows(struct gen *g, const struct pstmt *s, int phase, struct sliding *t) {
    if (g->abreast == NULL || g->threads->kind != UFC_KERNEL_NEST)
        return false;
    const struct ufc_phase *own = &g->plan->map.phase[phase];
    const struct pvar *point = point_index(g, own);
    *t = (struct sliding){.body = s->body,
                          .index = s->kind == PS_FOR ? s->var : s->ranges->var,
                          .points = g->abreast,
                          .n = (int)own->slides};
    return own->slides > 0 && point != NULL &&
           find_slides(g->plan, s, point, g->abreast->varying, &t->rows);
}

static bool find_turns(struct gen *g, const struct taking *k, struct sliding *t) {
    return k->spread->parted && find_rows(g, k->spread, k->spread->phase, t);
}

/* Finds where rows begin: at the first index and point. */
static void find_bases(struct gen *g, struct sliding *t) {
    abreast_take(g, t->points, 0);
    LLVMBuildStore(g->b, t->lo, var_of(g, t->index)->slot);
    for (int i = 0; i < t->rows.n; i++)
        find_base(g, t, i);
}

/* Whole vectors have an element more than points read: that of the index behind the turn's. */
static LLVMValueRef count_turns(struct gen *g, const struct sliding *t, LLVMValueRef end) {
    LLVMValueRef zero = i64(g, 0), size = i64(g, (uint64_t)t->n);
    LLVMValueRef turns = LLVMBuildSDiv(g->b, subtract(g, end, i64(g, 1)), size, "");
    return gen_select(g, compare(g, LLVMIntSGT, turns, zero), turns, zero);
}

bool does_slide(struct gen *g, const struct taking *k) {
    struct sliding t;
    return find_turns(g, k, &t);
}

void gen_sliding(struct gen *g, const struct taking *k, struct nest *n, LLVMValueRef end) {
    struct sliding t;
    find_turns(g, k, &t);
    t.lo = n->lo[0];
    t.held.rows = &t.rows;
    find_bases(g, &t);
    LLVMValueRef turns = count_turns(g, &t, end), size = i64(g, (uint64_t)t.n);
    LLVMBasicBlockRef strided = gen_block(g, "strided"), kept = gen_block(g, "kept"),
                      done = gen_block(g, "slid");
    LLVMBuildCondBr(g->b, compare(g, LLVMIntUGT, g->threads->lanes, i32(g, 1)), strided, kept);
    gen_place(g, strided);
    gen_strided(g, &t, turns);
    LLVMBuildBr(g->b, done);
    gen_place(g, kept);
    gen_kept(g, &t, turns);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    gen_left(g, &t, share_from(g, multiply(g, turns, size)), end);
}

bool gen_sliding_loop(struct gen *g, const struct pstmt *s) {
    struct sliding t;
    struct carried kept;
    if (g->skipped == NULL || !find_rows(g, s, g->threads->definition->phase, &t))
        return false;
    t.lo = gen_scalar(g, s->lo);
    t.held.rows = &t.rows;
    LLVMValueRef n = gen_count(g, t.lo, gen_scalar(g, s->hi), i64(g, 1));
    make_carried(g, &t, &kept);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntSGT, n, i64(g, 0)));
    find_bases(g, &t);
    LLVMValueRef turns = count_turns(g, &t, n);
    load_part(g, &t, FIRST, i64(g, 0));
    keep(g, &t, &kept, 0);
    gen_turns(g, &t, &kept, i64(g, 0), turns);
    struct sliding one = t;
    one.n = 1;
    one.held.rows = &one.rows;
    gen_turns(g, &one, &kept, multiply(g, turns, i64(g, (uint64_t)t.n)), n);
    end_if(g, after);
    return true;
}
