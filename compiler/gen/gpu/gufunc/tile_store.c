/* tile_store.c: what becomes of a tile's results: from registers where they are neighbours in all
 * outputs, else by way of shared memory. */
#include "tile.h"

unsigned tile_stored_bytes(const struct tile *t) {
    return results_bytes(&t->tiling->shape, t->group[0] * t->side[0], t->size[1]);
}

static void set_row(void *tile, LLVMValueRef index) {
    tile_set_index(tile, TILE_ROW, index);
}

/* By way of shared memory, so that neighbouring threads store neighbours in any layout. */
static void store_shared(struct tile *t) {
    struct gen *g = t->g;
    int rows = t->group[0];
    for (int first = 0; first < t->per[0]; first += rows) {
        struct results r = {.shape = &t->tiling->shape,
                            .shared = t->shared,
                            .rows = rows * t->side[0],
                            .columns = t->size[1],
                            .member = t->member,
                            .team = t->team,
                            .row = t->crew.first[0],
                            .column = t->crew.first[1],
                            .end_row = gen_select(g, t->crew.exists, t->sizes[0], i64(g, 0)),
                            .end_column = t->sizes[1],
                            .first = first * t->side[0],
                            .set_row = set_row,
                            .arg = t};
        if (first > 0)
            gpu(g)->barrier(g);
        LLVMBasicBlockRef after =
            t->shares ? begin_if(g, compare(g, LLVMIntEQ, t->turn, i32(g, 0))) : NULL;
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < t->per[1]; j++) {
                tile_select_accs(t, first + i, j);
                results_put(g, &r, tile_place(t, 0), tile_place(t, 1), (unsigned)i,
                            (unsigned)result_at_side(t, 1, j));
            }
        if (after != NULL)
            end_if(g, after);
        gpu(g)->barrier(g);
        r.shared = t->crew_shared;
        results_store(g, &r);
    }
}

/* Whether threads store what exists of their results: tiles of BAND, which are the same for all
 * phases, often have more rows and columns than results. */
static bool stores_some(const struct tile *t) {
    return ufc_is_band(t->g->threads->kind);
}

/* i1: all of the tile's results exist; of all tiles, where teams of a block have to agree.  Or, of
 * those of BAND, all or none of each thread's neighbours along `axis`. */
static LLVMValueRef is_whole(struct tile *t, int axis) {
    struct gen *g = t->g;
    LLVMValueRef whole = t->own.all;
    if (stores_some(t)) {
        LLVMValueRef group = i64(g, (uint64_t)t->group[axis]);
        return compare(g, LLVMIntEQ, LLVMBuildURem(g->b, t->sizes[axis], group, ""), i64(g, 0));
    }
    for (int k = 0; k < 2; k++) {
        LLVMValueRef size = i64(g, (uint64_t)t->size[k]), end = add(g, t->own.first[k], size);
        LLVMValueRef here = compare(g, LLVMIntSLE, end, t->sizes[k]);
        if (!t->alone)
            here = compare(g, LLVMIntEQ, LLVMBuildURem(g->b, t->sizes[k], size, ""), i64(g, 0));
        whole = both(g, whole, here);
    }
    return whole;
}

/* i1: all of the thread's results exist, and its neighbours along `axis` are neighbours in all
 * outputs, aligned as a whole. */
static LLVMValueRef stores_wide(struct tile *t, int axis) {
    struct gen *g = t->g;
    LLVMValueRef wide = both(g, is_whole(t, axis), LLVMBuildNot(g->b, t->interleaved, ""));
    for (int n = 0; n < t->tiling->nstores; n++) {
        const struct factor *f = &t->tiling->stores[n];
        unsigned bytes = (unsigned)dtype_info[f->place->dtype].bits / 8;
        LLVMValueRef bits = gufunc_address_bits(g, f->place->operand);
        bits = LLVMBuildOr(g->b, bits, factor_offset(t, f), "");
        bits = LLVMBuildOr(g->b, bits, step_along(t, f, axis == 0 ? TILE_COLUMN : TILE_ROW), "");
        bits = both(g, bits, i64(g, bytes * (unsigned)t->group[axis] - 1));
        LLVMValueRef step = step_along(t, f, axis == 0 ? TILE_ROW : TILE_COLUMN);
        wide = both(g, wide, compare(g, LLVMIntEQ, bits, i64(g, 0)));
        wide = both(g, wide, compare(g, LLVMIntEQ, step, i64(g, bytes)));
    }
    return wide;
}

/* The results of the tile along an axis, and where the thread's result i is among them: i32. */
static LLVMValueRef results_along(struct tile *t, int axis) {
    return elements_left(t->g, t->sizes[axis], t->own.first[axis]);
}
static LLVMValueRef place_along(struct tile *t, int axis, int i) {
    return add(t->g, tile_place(t, axis), i32(t->g, (uint32_t)result_at_side(t, axis, i)));
}

/* The index of the thread's result i along an axis: of the last one, where there is no such
 * result, and what is computed for it is not stored.  There is one, as tiles are for
 * TILE_NARROW_SIDE results, which is before the tile where a team has none. */
static LLVMValueRef finished_index(struct tile *t, int axis, int i) {
    struct gen *g = t->g;
    if (!stores_some(t))
        return tile_index(t, axis, i);
    LLVMValueRef last = subtract(g, results_along(t, axis), i32(g, 1));
    last = least(g, place_along(t, axis, i), last);
    return add(g, t->own.first[axis], LLVMBuildSExt(g->b, last, i64_type(g), ""));
}

/* Begins what is for the neighbours from result i, j on, where they exist; NULL: they do. */
static LLVMBasicBlockRef begin_existing(struct tile *t, int i, int j) {
    struct gen *g = t->g;
    if (!stores_some(t))
        return NULL;
    LLVMValueRef row = compare(g, LLVMIntSLT, place_along(t, 0, i), results_along(t, 0));
    LLVMValueRef column = compare(g, LLVMIntSLT, place_along(t, 1, j), results_along(t, 1));
    return begin_if(g, both(g, t->own.exists, both(g, row, column)));
}

/* The values that `rest` stores for result i, j. */
static void finish_result(struct tile *t, int i, int j, LLVMValueRef value[TILE_MAX_STORES]) {
    struct gen *g = t->g;
    const struct shape *s = &t->tiling->shape;
    LLVMValueRef acc[MAX_ACCS];
    int n = 0;
    tile_select_accs(t, i, j);
    tile_set_index(t, TILE_ROW, finished_index(t, 0, i));
    tile_set_index(t, TILE_COLUMN, finished_index(t, 1, j));
    for (const struct pacc *a = s->accs; a != NULL; a = a->next, n++)
        acc[n] = LLVMBuildLoad2(g->b, gen_type(g, a->acc->dtype), t->acc[n][i][j], "");
    gen_assignments(g, s->first);
    while (n-- > 0)
        LLVMBuildStore(g->b, acc[n], t->acc[n][i][j]);
    n = 0;
    for (const struct pstmt *r = s->rest; r != NULL; r = r->next) {
        struct pstmt alone = *r;
        alone.next = NULL;
        if (r->kind == PS_PUT)
            value[n++] = gen_value(g, r->value);
        else
            gen_stmts(g, &alone);
    }
}

/* Stores the thread's values from registers, neighbours along `axis` in one access. */
static void store_wide(struct tile *t, int axis,
                       LLVMValueRef value[MAX_PER][MAX_PER][TILE_MAX_STORES]) {
    struct gen *g = t->g;
    const struct tiling *s = t->tiling;
    LLVMValueRef first[TILE_MAX_STORES];
    for (int n = 0; n < s->nstores; n++) {
        LLVMValueRef at = at_byte(g, g->arrays[s->stores[n].place->operand].base,
                                  factor_offset(t, &s->stores[n]));
        for (int k = 0; k < 2; k++)
            at = at_byte(g, at,
                         multiply(g, extended(g, tile_place(t, k)),
                                  step_along(t, &s->stores[n], k == 0 ? TILE_ROW : TILE_COLUMN)));
        first[n] = at;
    }
    LLVMBasicBlockRef after = NULL;
    for (int over = 0; over < t->per[1 - axis]; over++)
        for (int along = 0; along < t->per[axis]; along++) {
            int row = axis == 0 ? along : over, column = axis == 0 ? over : along;
            int in = along % t->group[axis];
            if (in == 0)
                after = begin_existing(t, row, column);
            for (int n = 0; n < s->nstores; n++) {
                enum ufc_dtype d = s->stores[n].place->dtype;
                unsigned bytes = (unsigned)dtype_info[d].bits / 8;
                unsigned whole = bytes * (unsigned)t->group[axis];
                LLVMValueRef step =
                    step_along(t, &s->stores[n], axis == 0 ? TILE_COLUMN : TILE_ROW);
                uint64_t far = (uint64_t)result_at_side(t, 1 - axis, over);
                LLVMValueRef at = at_byte(g, first[n], multiply(g, step, i64(g, far)));
                at = at_byte(g, at, i64(g, (uint64_t)result_at_side(t, axis, along) * bytes));
                gen_store_element(g, gen_memory_type(g, d), value[row][column][n], at,
                                  in == 0 ? whole < 16 ? whole : 16 : bytes);
            }
            if (after != NULL && in == t->group[axis] - 1)
                end_if(g, after);
        }
}

/* What a thread stores, and the block that computes it. */
struct finished {
    LLVMValueRef value[MAX_PER][MAX_PER][TILE_MAX_STORES];
    LLVMBasicBlockRef block;
};

static void finish_results(struct tile *t, struct finished *f) {
    for (int i = 0; i < t->per[0]; i++)
        for (int j = 0; j < t->per[1]; j++)
            finish_result(t, i, j, f->value[i][j]);
    f->block = LLVMGetInsertBlock(t->g->b);
}

static LLVMValueRef divide_quickly(struct gen *g, const struct pval *v, LLVMValueRef a) {
    return gen_quotient(g, g->threads->divisors, v, a, g->threads->safe);
}

/* As finish_results, by reciprocals where their quotients are right. */
static void finish_divided(struct tile *t, const struct divisor *divisors, struct finished *f) {
    struct gen *g = t->g;
    const struct threads *threads = g->threads;
    struct threads own = *threads;
    struct finished exact;
    LLVMBasicBlockRef again = gen_block(g, "again"), quick = gen_block(g, "quick"),
                      divided = gen_block(g, "divided");
    own.divisors = divisors;
    own.safe = gen_alloca(g, i1_type(g), "safe");
    LLVMBuildStore(g->b, are_safe(g, divisors), own.safe);
    g->threads = &own;
    g->quotient = divide_quickly;
    finish_results(t, f);
    g->quotient = NULL;
    g->threads = threads;
    LLVMBuildCondBr(g->b, LLVMBuildLoad2(g->b, i1_type(g), own.safe, ""), quick, again);
    gen_place(g, quick);
    gpu(g)->hold_block(g);
    LLVMBuildBr(g->b, divided);
    gen_place(g, again);
    finish_results(t, &exact);
    LLVMBuildBr(g->b, divided);
    gen_place(g, divided);
    for (int i = 0; i < t->per[0]; i++)
        for (int j = 0; j < t->per[1]; j++)
            for (int n = 0; n < t->tiling->nstores; n++) {
                LLVMValueRef from[] = {f->value[i][j][n], exact.value[i][j][n]};
                LLVMBasicBlockRef blocks[] = {quick, exact.block};
                f->value[i][j][n] = LLVMBuildPhi(g->b, LLVMTypeOf(from[0]), "");
                LLVMAddIncoming(f->value[i][j][n], from, blocks, 2);
            }
}

/* What threads store from registers, that of reductions beside the tile too. */
static void finish_own(struct tile *t, struct finished *f) {
    const struct divisor *divisors = find_result_divisors(t->g, t->tiling->shape.rest);
    if (divisors != NULL)
        finish_divided(t, divisors, f);
    else
        finish_results(t, f);
    for (int i = 0; t->stored.reduction != NULL && i < t->per[0]; i++)
        for (int j = 0; j < t->per[1]; j++)
            stored_add(t, i, j, f->value[i][j]);
    tile_set_index(t, TILE_ROW, t->own.first[0]);
    tile_set_index(t, TILE_COLUMN, t->own.first[1]);
}

/* Stores results from registers where `wide` (i1) of an axis holds. */
static void store_own(struct tile *t, const LLVMValueRef wide[2], LLVMBasicBlockRef done) {
    struct gen *g = t->g;
    struct finished f;
    LLVMBasicBlockRef own = gen_block(g, "own"), other = gen_block(g, "other"),
                      along[] = {gen_block(g, "down"), gen_block(g, "across")};
    LLVMBuildCondBr(g->b, LLVMBuildOr(g->b, wide[0], wide[1], ""), own, other);
    gen_place(g, own);
    finish_own(t, &f);
    LLVMBuildCondBr(g->b, wide[1], along[1], along[0]);
    for (int axis = 0; axis < 2; axis++) {
        gen_place(g, along[axis]);
        store_wide(t, axis, f.value);
        LLVMBuildBr(g->b, done);
    }
    gen_place(g, other);
}

/* ---- where an index of the tile stands for several */

/* Where the thread's rows and columns are in each output: a result's place is the sum of both. */
struct offsets {
    LLVMValueRef of[2][MAX_PER][TILE_MAX_STORES]; /* bytes, i64 */
};

static void find_offsets(struct tile *t, struct offsets *o) {
    struct gen *g = t->g;
    const struct tiling *s = t->tiling;
    for (int axis = 0; axis < 2; axis++)
        for (int i = 0; i < t->per[axis]; i++) {
            tile_set_index(t, (enum tile_index)axis, tile_index(t, axis, i));
            gen_assignments(g, s->joined[axis]);
            for (int n = 0; n < s->nstores; n++) {
                const struct factor *f = &s->stores[n];
                LLVMValueRef offset = i64(g, 0);
                for (int k = 0; k < f->place->nargs; k++)
                    if (f->growth[k][axis] || (axis == 0 && !f->growth[k][1]))
                        offset = add(g, offset,
                                     multiply(g, g->arrays[f->place->operand].stride[k],
                                              gen_value(g, f->place->args[k])));
                o->of[axis][i][n] = offset;
            }
        }
}

/* i1: the thread's neighbours in a row are neighbours in all outputs, aligned as a whole. */
static LLVMValueRef are_neighbours(struct tile *t, const struct offsets *o) {
    struct gen *g = t->g;
    LLVMValueRef all = LLVMConstInt(i1_type(g), 1, false);
    for (int n = 0; n < t->tiling->nstores; n++) {
        const struct pval *place = t->tiling->stores[n].place;
        unsigned bytes = (unsigned)dtype_info[place->dtype].bits / 8, group = (unsigned)t->group[1];
        LLVMValueRef bits =
            LLVMBuildPtrToInt(g->b, g->arrays[place->operand].base, i64_type(g), "");
        for (int i = 0; i < t->per[0]; i++)
            bits = LLVMBuildOr(g->b, bits, o->of[0][i][n], "");
        for (int j = 0; j < t->per[1]; j++) {
            LLVMValueRef at = o->of[1][j][n];
            if (j % t->group[1] == 0) {
                bits = LLVMBuildOr(g->b, bits, at, "");
                continue;
            }
            LLVMValueRef step = LLVMBuildSub(g->b, at, o->of[1][j - 1][n], "");
            all = both(g, all, compare(g, LLVMIntEQ, step, i64(g, bytes)));
        }
        bits = both(g, bits, i64(g, bytes * group - 1));
        all = both(g, all, compare(g, LLVMIntEQ, bits, i64(g, 0)));
    }
    return all;
}

/* Stores results from registers where neighbours in all rows of the tile are so in memory: all
 * threads tell each other. */
static void store_apart(struct tile *t, LLVMBasicBlockRef done) {
    struct gen *g = t->g;
    const struct tiling *s = t->tiling;
    struct finished f;
    struct offsets o;
    LLVMBasicBlockRef places = gen_block(g, "places"), own = gen_block(g, "own"),
                      other = gen_block(g, "other");
    LLVMValueRef whole = both(g, is_whole(t, 1), LLVMBuildNot(g->b, t->interleaved, ""));
    LLVMBuildCondBr(g->b, whole, places, other);
    gen_place(g, places);
    find_offsets(t, &o);
    LLVMBuildCondBr(g->b, gpu(g)->barrier_all(g, are_neighbours(t, &o)), own, other);
    gen_place(g, own);
    finish_own(t, &f);
    for (int i = 0; i < t->per[0]; i++)
        for (int j = 0; j < t->per[1]; j++)
            for (int n = 0; n < s->nstores; n++) {
                const struct pval *place = s->stores[n].place;
                unsigned bytes = (unsigned)dtype_info[place->dtype].bits / 8;
                unsigned wide = bytes * (unsigned)t->group[1];
                LLVMValueRef at = at_byte(g, g->arrays[place->operand].base, o.of[0][i][n]);
                at = at_byte(g, at, o.of[1][j / t->group[1] * t->group[1]][n]);
                unsigned in = (unsigned)(j % t->group[1]);
                gen_store_element(g, gen_memory_type(g, place->dtype), f.value[i][j][n],
                                  at_byte(g, at, i64(g, in * bytes)),
                                  in > 0      ? bytes
                                  : wide < 16 ? wide
                                              : 16);
            }
    LLVMBuildBr(g->b, done);
    gen_place(g, other);
}

void tile_store(struct tile *t) {
    struct gen *g = t->g;
    LLVMBasicBlockRef done = gen_block(g, "stored");
    tile_set_index(t, TILE_ROW, t->own.first[0]);
    tile_set_index(t, TILE_COLUMN, t->own.first[1]);
    if (t->tiling->nstores > 0 && t->tiling->stores_apart && !stores_some(t)) {
        store_apart(t, done);
        tile_set_index(t, TILE_ROW, t->own.first[0]);
    } else if (t->tiling->nstores > 0 && !t->tiling->stores_apart) {
        LLVMValueRef wide[] = {stores_wide(t, 0), stores_wide(t, 1)};
        store_own(t, wide, done);
        tile_set_index(t, TILE_ROW, t->own.first[0]);
    }
    if (t->stored.reduction != NULL)
        LLVMBuildStore(g->b, LLVMConstInt(i1_type(g), 0, false), t->stored_all);
    store_shared(t);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}
