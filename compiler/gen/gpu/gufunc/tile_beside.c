/* tile_beside.c: reductions of a row that threads of a band compute beside its tiles
 * (plan/beside.c): as they load elements of the row's factors, or as they store its results. */
#include "tile.h"

/* Exchanges the slots of the accs' variables, which the call's results are loaded to, and those of
 * a row. */
static void exchange(struct gen *g, const struct pstmt *s, LLVMValueRef *slot, int rows) {
    for (const struct pacc *a = s->accs; a != NULL; a = a->next, slot += rows) {
        LLVMValueRef own = var_of(g, a->acc)->slot;
        var_of(g, a->acc)->slot = *slot;
        *slot = own;
    }
}

static void exchange_loaded(struct tile *t, int row) {
    exchange(t->g, t->loaded.reduction, &t->loaded_acc[0][row], MAX_SHARE);
}

static void exchange_stored(struct tile *t, int row) {
    exchange(t->g, t->stored.reduction, &t->stored_acc[0][row], MAX_PER);
}

/* Sets accs to the numbers that they begin with. */
static void begin_accs(struct gen *g, const struct row_beside *b) {
    const struct pstmt *s = b->reduction;
    const struct pstmt *list = b->row != NULL ? b->row->body : g->plan->body->body;
    for (const struct pstmt *in = list; in != s; in = in->next)
        for (const struct pacc *a = s->accs; a != NULL && in->kind == PS_SET; a = a->next)
            if (in->var == a->acc)
                LLVMBuildStore(g->b, gen_value(g, in->value), var_of(g, a->acc)->slot);
}

static void make_slots(struct gen *g, const struct pstmt *s, LLVMValueRef *slot, int rows) {
    for (const struct pacc *a = s->accs; a != NULL; a = a->next, slot += rows)
        *slot = gen_alloca(g, gen_type(g, a->acc->dtype), "beside");
}

/* Sets the indices of a row that is a point to those of the tile's. */
static void set_row(struct tile *t, const struct row_beside *b, LLVMValueRef row) {
    struct gen *g = t->g;
    bool batched = t->own.batch != NULL;
    if (b->row == NULL)
        return;
    if (batched)
        LLVMBuildStore(g->b, t->own.batch, var_of(g, b->row->ranges->var)->slot);
    LLVMBuildStore(g->b, row, var_of(g, band_row(b->row, batched)->var)->slot);
}

static LLVMValueRef index_of(struct tile *t, enum tile_index index) {
    struct gen *g = t->g;
    return LLVMBuildLoad2(g->b, i64_type(g), var_of(g, t->tiling->index[index]->var)->slot, "");
}

/* Takes a point into the accs, if it exists (i1): where the index is that of the tile's. */
static void add_point(struct tile *t, const struct row_beside *b, enum tile_index index,
                      const struct held *held, int n, LLVMValueRef exists) {
    struct gen *g = t->g;
    const struct held *outer = g->held;
    int nouter = g->nheld;
    LLVMValueRef before[MAX_ACCS];
    LLVMBuildStore(g->b, index_of(t, index), var_of(g, b->reduction->ranges->var)->slot);
    set_row(t, b, index_of(t, TILE_ROW));
    load_accs(g, b->reduction->accs, before);
    g->held = held;
    g->nheld = n;
    gen_stmts(g, b->reduction->body);
    take_back(g, b->reduction->accs, exists, before);
    g->held = outer;
    g->nheld = nouter;
}

/* Leaves the accs of the row number x (i32) of the tile among the results of calls, or stores what
 * the row's point makes of them. */
static void leave_accs(struct tile *t, const struct row_beside *b, LLVMValueRef x) {
    struct gen *g = t->g;
    const struct pstmt *s = b->reduction;
    LLVMValueRef row = add(g, t->own.first[0], extended(g, x));
    if (b->row != NULL) {
        set_row(t, b, row);
        gen_list(g, s->next, NULL);
        return;
    }
    LLVMValueRef step = param_i64(g, PARAM(result) + (UFC_MAX_AXES - 1) * sizeof(int64_t));
    LLVMValueRef at = add(g, t->results, multiply(g, row, step));
    accs_to_memory(g, s->accs, add(g, at, i64(g, (uint64_t)s->partial)));
}

static LLVMValueRef rows_left(struct tile *t) {
    return elements_left(t->g, t->sizes[0], t->own.first[0]);
}

/* ---- of what is loaded */

/* The rows of which a thread has elements. */
static int loaded_rows(const struct tile *t) {
    const struct slab *p = values_of(t, TILE_ROW);
    return slab_share(t, p) / p->run;
}

void loaded_begin(struct tile *t) {
    for (int row = 0; row < loaded_rows(t); row++) {
        make_slots(t->g, t->loaded.reduction, &t->loaded_acc[0][row], MAX_SHARE);
        exchange_loaded(t, row);
        begin_accs(t->g, &t->loaded);
        exchange_loaded(t, row);
    }
}

void loaded_add(struct tile *t, int e, LLVMValueRef exists) {
    struct gen *g = t->g;
    struct held held[TILE_AHEAD];
    int row = e / values_of(t, TILE_ROW)->run, n = 0;
    for (int k = 0; k < g->nheld; k++)
        if (t->loaded.place[k] != NULL)
            held[n++] = (struct held){t->loaded.place[k], g->held[k].value};
    exchange_loaded(t, row);
    add_point(t, &t->loaded, TILE_DEPTH, held, n, exists);
    exchange_loaded(t, row);
}

/* Joins what words have of each row, `each` of them, of which those of the first team come first,
 * and those of others where they have any (i1): a thread a row, which leaves it. */
static void leave_rows(struct tile *t, const struct row_beside *b, LLVMValueRef words, int each,
                       LLVMValueRef others) {
    struct gen *g = t->g;
    const struct pstmt *s = b->reduction;
    LLVMValueRef x = t->tid;
    LLVMValueRef some = least(g, rows_left(t), i32(g, (uint32_t)t->size[0]));
    gpu(g)->barrier(g);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntSLT, x, some));
    for (int k = 0; k < each; k++) {
        LLVMValueRef at = add(g, multiply(g, x, i32(g, (uint32_t)each)), i32(g, (uint32_t)k));
        LLVMBasicBlockRef more = k >= each / t->teams && k > 0 ? begin_if(g, others) : NULL;
        restore_accs(g, s->accs, words, at, t->size[0] * each, k > 0);
        if (k > 0)
            gen_stmts(g, s->joined);
        if (more != NULL)
            end_if(g, more);
    }
    leave_accs(t, b, x);
    end_if(g, after);
    gpu(g)->barrier(g);
}

/* Neighbouring threads have parts of the same rows, whose first one has what all have; teams that
 * gather have parts of these. */
void loaded_end(struct tile *t) {
    struct gen *g = t->g;
    const struct pstmt *s = t->loaded.reduction;
    const struct slab *p = values_of(t, TILE_ROW);
    LLVMValueRef words = t->alone ? NULL : shared_words(g, s, t->size[0] * t->teams);
    LLVMValueRef lanes = i32(g, (uint32_t)(t->depth / p->run));
    LLVMValueRef lane = both(g, t->member, subtract(g, lanes, i32(g, 1)));
    LLVMValueRef leads = compare(g, LLVMIntEQ, lane, i32(g, 0));
    for (int row = 0; row < loaded_rows(t); row++) {
        exchange_loaded(t, row);
        join_warp(g, s, lanes);
        LLVMValueRef x = add(g, p->x, i32(g, (uint32_t)(row * slab_apart(t, p, true))));
        LLVMValueRef exists = compare(g, LLVMIntSLT, x, rows_left(t));
        LLVMBasicBlockRef after = begin_if(g, t->alone ? both(g, leads, exists) : leads);
        if (t->alone) {
            leave_accs(t, &t->loaded, x);
        } else {
            LLVMValueRef at = add(g, multiply(g, x, i32(g, (uint32_t)t->teams)), t->team_number);
            save_accs(g, s->accs, words, at, t->size[0] * t->teams);
        }
        end_if(g, after);
        exchange_loaded(t, row);
    }
    if (!t->alone)
        leave_rows(t, &t->loaded, words, t->teams, t->gathers);
    else
        gpu(g)->barrier(g);
}

/* ---- of what is stored */

void stored_begin(struct tile *t) {
    struct gen *g = t->g;
    t->stored_all = gen_alloca(g, i1_type(g), "all");
    LLVMBuildStore(g->b, LLVMConstInt(i1_type(g), 1, false), t->stored_all);
    for (int row = 0; row < t->per[0]; row++) {
        make_slots(g, t->stored.reduction, &t->stored_acc[0][row], MAX_PER);
        exchange_stored(t, row);
        begin_accs(g, &t->stored);
        exchange_stored(t, row);
    }
}

void stored_add(struct tile *t, int i, int j, const LLVMValueRef value[TILE_MAX_STORES]) {
    struct gen *g = t->g;
    struct held held[TILE_MAX_STORES];
    int n = 0;
    for (int k = 0; k < t->tiling->nstores; k++)
        if (t->stored.place[k] != NULL)
            held[n++] = (struct held){t->stored.place[k], value[k]};
    LLVMValueRef column = tile_index(t, 1, j);
    LLVMBuildStore(g->b, column, var_of(g, t->tiling->index[TILE_COLUMN]->var)->slot);
    LLVMBuildStore(g->b, tile_index(t, 0, i), var_of(g, t->tiling->index[TILE_ROW]->var)->slot);
    exchange_stored(t, i);
    LLVMValueRef exists = both(g, t->own.exists, compare(g, LLVMIntSLT, column, t->sizes[1]));
    add_point(t, &t->stored, TILE_COLUMN, held, n, exists);
    exchange_stored(t, i);
}

/* Lanes that differ in their columns alone join theirs, then warps, of all teams, by shared memory.
 */
void stored_end(struct tile *t) {
    struct gen *g = t->g;
    const struct pstmt *s = t->stored.reduction;
    int lanes = t->side[1] < TILE_WARP_COLUMNS ? t->side[1] : TILE_WARP_COLUMNS,
        own = t->side[1] / lanes, warps = own * t->teams;
    LLVMValueRef words = shared_words(g, s, t->size[0] * warps), zero = i32(g, 0);
    LLVMValueRef lane = LLVMBuildURem(g->b, t->thread[1], i32(g, (uint32_t)lanes), ""),
                 warp = LLVMBuildUDiv(g->b, t->thread[1], i32(g, (uint32_t)lanes), "");
    warp = add(g, warp, multiply(g, t->team_number, i32(g, (uint32_t)own)));
    for (int i = 0; i < t->per[0]; i++) {
        exchange_stored(t, i);
        join_lanes(g, s, i32(g, 2), i32(g, 2 * (uint32_t)lanes));
        LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, lane, zero));
        LLVMValueRef x = add(g, tile_place(t, 0), i32(g, (uint32_t)result_at_side(t, 0, i)));
        x = multiply(g, x, i32(g, (uint32_t)warps));
        save_accs(g, s->accs, words, add(g, x, warp), t->size[0] * warps);
        end_if(g, after);
        exchange_stored(t, i);
    }
    leave_rows(t, &t->stored, words, warps, t->several);
}
