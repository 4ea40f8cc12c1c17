/* tile_value.c: the values of a tile's sides, which are computed as they are put into their slabs:
 * of elements that are loaded while the slabs before are reduced. */
#include "tile.h"

enum { MAX_RUN = 4 };

/* Whether elements are read only where the side's condition holds, which is known before. */
static bool is_guarded(const struct tile *t, int side) {
    return t->tiling->exposed[side] && t->tiling->sure[side];
}

const struct slab *values_of(const struct tile *t, int side) {
    for (int n = 0; n < t->tiling->nfactors; n++)
        if (t->tiling->factors[n].value != NULL && t->tiling->factors[n].of_rows == (side == 0))
            return &t->slab[n];
    return NULL;
}

/* How many elements of each of a side's values are loaded before: threads of small tiles have
 * registers for few, and their only stage has no place for the next part's condition. */
static int ahead_of(const struct tile *t, int side) {
    const struct tiling *s = t->tiling;
    const struct slab *p = values_of(t, side);
    int bytes = 0;
    for (int n = 0; n < s->nahead[side]; n++)
        bytes += dtype_info[s->ahead[side][n]->dtype].bits / 8;
    bool few = p != NULL && bytes * slab_share(t, p) <= TILE_SHARE / 2 && !is_guarded(t, side);
    return t->stages > 1 || few ? s->nahead[side] : 0;
}

/* ---- runs of neighbours along the reduction, which are loaded as vectors */

static enum walk find_var(const struct pval *v, void *var) {
    return v->kind == PV_VAR && v->var == var ? WALK_STOP : WALK_IN;
}

/* Which subscript is the reduction's index, if no other one depends on it; else -1. */
static int run_axis(const struct tile *t, const struct pval *place) {
    struct pvar *index = t->tiling->index[TILE_DEPTH]->var;
    int axis = -1;
    for (int i = 0; i < place->nargs; i++) {
        if (value_walk(place->args[i], find_var, index))
            continue;
        if (axis >= 0 || place->args[i]->kind != PV_VAR)
            return -1;
        axis = i;
    }
    return axis;
}

int values_run(const struct tile *t, int side) {
    const struct tiling *s = t->tiling;
    int run = MAX_RUN;
    bool along = s->along_depth[side] && s->valid[side] == NULL && ufc_is_band(t->kind);
    if (!along || s->nahead[side] == 0 || s->joins[side] || s->joins[TILE_DEPTH])
        return 1;
    for (int n = 0; n < s->nahead[side]; n++) {
        const struct pval *place = s->ahead[side][n];
        int bits = dtype_info[place->dtype].bits;
        if (bits < 32 || place->operand >= t->g->plan->noperands || run_axis(t, place) < 0)
            return 1;
        run = 128 / bits < run ? 128 / bits : run;
    }
    return run;
}

/* i1: the elements that values of a side are made of are vectors in memory wherever a run begins.
 */
static LLVMValueRef are_vectors(struct tile *t, int side, int run) {
    struct gen *g = t->g;
    const struct tiling *s = t->tiling;
    LLVMValueRef all = LLVMConstInt(i1_type(g), 1, false);
    for (int n = 0; n < s->nahead[side]; n++) {
        const struct pval *place = s->ahead[side][n];
        const struct gen_array *a = &g->arrays[place->operand];
        unsigned size = (unsigned)dtype_info[place->dtype].bits / 8;
        int axis = run_axis(t, place);
        LLVMValueRef bits = LLVMBuildPtrToInt(g->b, t->base[place->operand], i64_type(g), "");
        if (s->shared)
            bits = LLVMBuildOr(g->b, bits, t->row_step[place->operand], "");
        for (int i = 0; i < place->nargs; i++)
            if (i != axis)
                bits = LLVMBuildOr(g->b, bits, a->stride[i], "");
        bits = both(g, bits, i64(g, (unsigned)run * size - 1));
        all = both(g, all, compare(g, LLVMIntEQ, bits, i64(g, 0)));
        all = both(g, all, compare(g, LLVMIntEQ, a->stride[axis], i64(g, size)));
    }
    return all;
}

/* ---- quotients by what is a row's */

static bool sets(const struct pstmt *s, const struct pvar *var) {
    while (s != NULL && s->var != var)
        s = s->next;
    return s != NULL;
}

/* Stops at what may differ along the reduction. */
static enum walk find_moving(const struct pval *v, void *tiling) {
    const struct tiling *s = tiling;
    bool moves = v->kind == PV_VAR &&
                 (v->var == s->index[TILE_DEPTH]->var || sets(s->before[TILE_ROW], v->var) ||
                  sets(s->staged[TILE_ROW], v->var));
    return moves || v->kind == PV_LOAD ? WALK_STOP : WALK_IN;
}

static bool is_of_row(const struct pval *v, void *tiling) {
    return v->kind != PV_CONST && value_walk(v, find_moving, tiling);
}

/* Sets t->divisors: a thread has elements of the same rows in all parts of the reduction. */
static void find_row_divisors(struct tile *t) {
    struct gen *g = t->g;
    const struct slab *p = values_of(t, TILE_ROW);
    const struct factor *f = p != NULL ? p->factor : NULL;
    t->safe = NULL;
    if (f == NULL || !ufc_is_band(t->kind) || !t->tiling->along_depth[TILE_ROW] ||
        t->tiling->valid[TILE_ROW] != NULL || t->table[TILE_ROW].bytes > 0)
        return;
    LLVMValueRef room = elements_left(g, t->sizes[TILE_ROW], t->crew.first[TILE_ROW]);
    for (int row = 0; row < slab_share(t, p) / p->run; row++) {
        LLVMValueRef x = add(g, p->x, i32(g, (uint32_t)(row * slab_apart(t, p, true))));
        x = least(g, x, subtract(g, room, i32(g, 1)));
        tile_set_index(t, TILE_ROW, add(g, t->crew.first[TILE_ROW], extended(g, x)));
        t->divisors[row] = find_fixed_divisors(g, f->value, is_of_row, (void *)t->tiling);
        if (t->divisors[row] == NULL)
            return;
    }
    t->safe = gen_alloca(g, i1_type(g), "safe");
}

static LLVMValueRef divide_quickly(struct gen *g, const struct pval *v, LLVMValueRef a) {
    return gen_quotient(g, g->threads->divisors, v, a, g->threads->safe);
}

void values_begin(struct tile *t) {
    struct gen *g = t->g;
    find_row_divisors(t);
    for (int side = 0; side < 2; side++) {
        const struct slab *p = values_of(t, side);
        t->in_runs[side] = p != NULL && p->run > 1 ? are_vectors(t, side, p->run) : NULL;
        for (int e = 0; p != NULL && e < slab_share(t, p); e++) {
            t->needed[side][e] = gen_alloca(g, i1_type(g), "needed");
            for (int n = 0; n < ahead_of(t, side); n++) {
                LLVMTypeRef type = gen_type(g, t->tiling->ahead[side][n]->dtype);
                t->ahead[side][n][e] = gen_alloca(g, type, "ahead");
            }
        }
    }
}

/* ---- a thread's elements */

/* The thread's element e of a side's slabs. */
struct visited {
    int side, e;
    struct entry entry;
    LLVMValueRef exists; /* i1: the reduction has its k; the last row, column or k is visited in
                            place of those behind it, whose rows and columns nothing becomes of */
};

/* Sets what comes before the side's values. */
static void set_before(struct tile *t, const struct visited *v) {
    const struct tiling *s = t->tiling;
    const struct pstmt *before = s->before[v->side];
    if (t->table[v->side].bytes > 0) {
        for (int i = 0; i < 2; i++)
            for (const struct pstmt *j = s->joined[i == 0 ? v->side : TILE_DEPTH]; j != NULL;
                 j = j->next)
                before = before->next;
        table_set_indices(t, v->side, &v->entry);
    }
    gen_stmts(t->g, before);
}

static LLVMValueRef load_ahead(struct tile *t, const struct visited *v, int n) {
    struct gen *g = t->g;
    const struct pval *place = t->tiling->ahead[v->side][n];
    if (t->table[v->side].bytes == 0 || !t->tiling->splits[v->side][n])
        return gen_element(g, place);
    LLVMValueRef at = global_pointer(g, table_address(t, v->side, n, &v->entry));
    return gen_element_aligned(g, place, at, dtype_align(place->dtype));
}

/* The slab of the side's condition; NULL: there is none. */
static const struct slab *condition_of(const struct tile *t, int side) {
    const struct tiling *s = t->tiling;
    for (int n = 0; n < s->nfactors && s->valid[side] != NULL; n++)
        if (s->factors[n].value == s->valid[side] && s->factors[n].of_rows == (side == 0))
            return &t->slab[n];
    return NULL;
}

/* Whether conditions are known from when elements were loaded. */
static bool is_settled(const struct tile *t, int side) {
    return is_guarded(t, side) && ahead_of(t, side) > 0;
}

bool slab_is_put(const struct tile *t, const struct slab *p) {
    int side = (int)p->x_index;
    return is_settled(t, side) && p == condition_of(t, side);
}

/* Loads what the values at an element are made of. */
static void fetch_ahead(struct tile *t, const struct visited *v) {
    struct gen *g = t->g;
    const struct tiling *s = t->tiling;
    bool guarded = is_guarded(t, v->side);
    LLVMBasicBlockRef after = NULL;
    set_before(t, v);
    for (int n = 0; guarded && n < ahead_of(t, v->side); n++)
        LLVMBuildStore(g->b, LLVMConstNull(gen_type(g, s->ahead[v->side][n]->dtype)),
                       t->ahead[v->side][n][v->e]);
    if (guarded) {
        LLVMValueRef needed = both(g, v->exists, gen_value(g, s->valid[v->side]));
        const struct slab *condition = condition_of(t, v->side);
        LLVMBuildStore(g->b, needed, t->needed[v->side][v->e]);
        if (condition != NULL)
            LLVMBuildStore(g->b, needed, condition->slot[v->e]);
        after = begin_if(g, needed);
    }
    for (int n = 0; n < ahead_of(t, v->side); n++)
        LLVMBuildStore(g->b, load_ahead(t, v, n), t->ahead[v->side][n][v->e]);
    if (guarded)
        end_if(g, after);
}

/* i1: the values at an element are not zeros: it exists, and the side's condition holds. */
static LLVMValueRef is_needed(struct tile *t, const struct visited *v) {
    struct gen *g = t->g;
    const struct pval *valid = t->tiling->valid[v->side];
    if (is_settled(t, v->side))
        return LLVMBuildLoad2(g->b, i1_type(g), t->needed[v->side][v->e], "");
    return valid != NULL ? both(g, v->exists, gen_value(g, valid)) : v->exists;
}

/* Makes elements that are loaded be found by gen_value: those that were so ahead, or by tables.  An
 * element is found once it is loaded, as what loads it looks for it, too. */
static void hold_elements(struct tile *t, const struct visited *v, struct held held[TILE_AHEAD]) {
    struct gen *g = t->g;
    const struct tiling *s = t->tiling;
    bool loads = t->table[v->side].bytes > 0;
    int all = loads ? s->nahead[v->side] : ahead_of(t, v->side);
    g->held = held;
    for (g->nheld = 0; g->nheld < all; g->nheld++) {
        int n = g->nheld;
        const struct pval *place = s->ahead[v->side][n];
        LLVMValueRef value =
            n < ahead_of(t, v->side)
                ? LLVMBuildLoad2(g->b, gen_type(g, place->dtype), t->ahead[v->side][n][v->e], "")
                : load_ahead(t, v, n);
        held[n] = (struct held){place, value};
    }
}

/* A factor's value where it is needed, else zero: so are elements that were loaded under the side's
 * condition. */
static LLVMValueRef value_or_zero(struct tile *t, const struct visited *v, const struct factor *f,
                                  LLVMValueRef needed) {
    struct gen *g = t->g;
    for (int n = 0; is_settled(t, v->side) && n < g->nheld; n++)
        if (same_value(g->held[n].place, f->value))
            return g->held[n].value;
    return gen_select(g, needed, gen_value(g, f->value), LLVMConstNull(gen_type(g, f->dtype)));
}

/* Computes the values of a side at an element. */
static void compute_element(struct tile *t, const struct visited *v) {
    struct gen *g = t->g;
    const struct tiling *s = t->tiling;
    int side = v->side;
    const struct slab *condition = condition_of(t, side);
    struct held held[TILE_AHEAD];
    bool guarded = is_guarded(t, side), settled = is_settled(t, side);
    LLVMBasicBlockRef after = NULL;
    set_before(t, v);
    if (!guarded || settled)
        hold_elements(t, v, held);
    if (t->loaded.reduction != NULL && side == TILE_ROW && !t->again)
        loaded_add(t, v->e, v->exists);
    LLVMValueRef needed = is_needed(t, v);
    if (s->valid[side] != NULL && (settled ? s->loose[side] : s->exposed[side]))
        after = begin_if(g, needed);
    if (guarded && !settled)
        hold_elements(t, v, held);
    gen_stmts(g, s->staged[side]);
    const struct threads *threads = g->threads;
    struct threads own = *threads;
    if (t->safe != NULL && side == TILE_ROW && !t->again) {
        own.divisors = t->divisors[v->e / values_of(t, side)->run];
        own.safe = t->safe;
        g->threads = &own;
        g->quotient = divide_quickly;
    }
    for (int n = 0; n < s->nfactors; n++) {
        const struct factor *f = &s->factors[n];
        if (f->value != NULL && f->of_rows == (side == 0) && &t->slab[n] != condition)
            LLVMBuildStore(g->b, value_or_zero(t, v, f, needed), t->slab[n].slot[v->e]);
    }
    g->threads = threads;
    g->quotient = NULL;
    if (after != NULL)
        end_if(g, after);
    if (condition != NULL && !settled)
        LLVMBuildStore(g->b, needed, condition->slot[v->e]);
    g->nheld = 0;
}

/* Loads what a run of values is made of, as vectors. */
static void fetch_run(struct tile *t, const struct visited *v) {
    struct gen *g = t->g;
    const struct tiling *s = t->tiling;
    int run = values_of(t, v->side)->run;
    if (v->e % run > 0)
        return;
    set_before(t, v);
    for (int n = 0; n < s->nahead[v->side]; n++) {
        const struct pval *place = s->ahead[v->side][n];
        LLVMValueRef value[MAX_RUN];
        load_lanes(g, place->dtype, gen_address(g, place), run, value);
        for (int k = 0; k < run; k++)
            LLVMBuildStore(g->b, value[k], t->ahead[v->side][n][v->e + k]);
    }
}

/* Visits the thread's elements of the slabs of values.  Those beyond the last row, column, or k are
 * visited at the last ones, so that all of a thread's are straight code. */
static void visit_values(struct tile *t, int side, const struct slab_part *part,
                         void (*visit)(struct tile *t, const struct visited *v)) {
    struct gen *g = t->g;
    const struct slab *p = values_of(t, side);
    LLVMValueRef one = i32(g, 1), zero = i32(g, 0), left = part->left;
    LLVMValueRef room = elements_left(g, t->sizes[side], t->crew.first[side]);
    LLVMValueRef some = both(g, compare(g, LLVMIntSGT, room, zero), t->crew.exists);
    some = both(g, some, compare(g, LLVMIntSGT, left, zero));
    LLVMBasicBlockRef after = begin_if(g, some);
    bool along_k = t->tiling->along_depth[side];
    for (int e = 0; e < slab_share(t, p); e++) {
        uint32_t across = (uint32_t)(e / p->run * slab_apart(t, p, along_k));
        struct visited v = {side, e, {.x = p->x, .k = p->k, .table = part->table}, NULL};
        *(along_k ? &v.entry.x_across : &v.entry.k_across) = across;
        if (along_k)
            v.entry.k_across = (uint32_t)(e % p->run);
        LLVMValueRef x = add(g, p->x, i32(g, v.entry.x_across)),
                     k = add(g, p->k, i32(g, v.entry.k_across));
        v.exists = compare(g, LLVMIntSLT, k, left);
        x = least(g, x, subtract(g, room, one));
        k = least(g, k, subtract(g, left, one));
        tile_set_index(t, (enum tile_index)side, add(g, t->crew.first[side], extended(g, x)));
        tile_set_index(t, TILE_DEPTH, extended(g, add(g, part->first, k)));
        visit(t, &v);
    }
    end_if(g, after);
}

/* ---- slabs */

void values_fetch(struct tile *t, int side, const struct slab_part *part, LLVMValueRef stage) {
    struct gen *g = t->g;
    const struct slab *condition = condition_of(t, side);
    if (values_of(t, side) == NULL || ahead_of(t, side) == 0)
        return;
    bool settled = condition != NULL && is_settled(t, side);
    for (int e = 0; settled && e < slab_share(t, condition); e++)
        LLVMBuildStore(g->b, LLVMConstNull(i1_type(g)), condition->slot[e]);
    if (t->in_runs[side] != NULL) {
        LLVMBasicBlockRef runs = gen_block(g, "runs"), single = gen_block(g, "single"),
                          done = gen_block(g, "loaded");
        LLVMValueRef whole = compare(g, LLVMIntSGE, part->left, i32(g, (uint32_t)t->depth));
        LLVMBuildCondBr(g->b, both(g, t->in_runs[side], whole), runs, single);
        gen_place(g, runs);
        visit_values(t, side, part, fetch_run);
        LLVMBuildBr(g->b, done);
        gen_place(g, single);
        visit_values(t, side, part, fetch_ahead);
        LLVMBuildBr(g->b, done);
        gen_place(g, done);
    } else {
        visit_values(t, side, part, fetch_ahead);
    }
    if (settled)
        slab_put(t, condition, stage);
}

void values_compute(struct tile *t, int side, const struct slab_part *part) {
    struct gen *g = t->g;
    if (values_of(t, side) == NULL)
        return;
    for (int n = 0; n < t->tiling->nfactors; n++) {
        const struct factor *f = &t->tiling->factors[n];
        const struct slab *p = &t->slab[n];
        for (int e = 0; f->value != NULL && f->of_rows == (side == 0) && e < slab_share(t, p); e++)
            LLVMBuildStore(g->b, LLVMConstNull(gen_type(g, f->dtype)), p->slot[e]);
    }
    if (side != TILE_ROW || t->safe == NULL) {
        visit_values(t, side, part, compute_element);
        return;
    }
    LLVMValueRef all = LLVMConstInt(i1_type(g), 1, false);
    for (int row = 0; row < slab_share(t, values_of(t, side)) / values_of(t, side)->run; row++)
        all = both(g, all, are_safe(g, t->divisors[row]));
    LLVMBuildStore(g->b, all, t->safe);
    visit_values(t, side, part, compute_element);
    LLVMValueRef safe = LLVMBuildLoad2(g->b, i1_type(g), t->safe, "");
    LLVMBasicBlockRef after = begin_if(g, LLVMBuildNot(g->b, safe, ""));
    t->again = true;
    visit_values(t, side, part, compute_element);
    t->again = false;
    end_if(g, after);
}
