/* band.c: whether a body's phases may be computed together, a band of rows after the other:
 * what a phase stores for a row, later ones read in that row alone.  Rows are the points of those
 * of tiles and of the first index of other definitions, or of the second one, where tiles have one
 * for a batch, which is the first one of others; or calls, where those of tiles are. */
#include "plan.h"

struct band {
    const struct plan *plan;
    const struct pvar *row;   /* of the statement at hand; NULL: rows are calls */
    const struct pvar *batch; /* and of its batch, or NULL */
    uint32_t kept;            /* operands that the body stores to and reads, or stores to in several
                               * phases, a bit each */
};

/* Stops at an element of another row, and at what is one for all calls of a band. */
static enum walk take_own(const struct pval *v, void *arg) {
    const struct band *b = arg;
    if (b->row == NULL)
        return v->kind == PV_LOAD ? WALK_STOP : WALK_IN;
    if (v->kind != PV_ELEM || v->operand >= b->plan->noperands || !(b->kept >> v->operand & 1))
        return WALK_IN;
    const struct pvar *const of[] = {b->batch != NULL ? b->batch : b->row, b->row};
    int n = b->batch != NULL ? 2 : 1;
    if (v->nargs < n)
        return WALK_STOP;
    for (int i = 0; i < n; i++)
        if (v->args[i]->kind != PV_VAR || v->args[i]->var != of[i])
            return WALK_STOP;
    return WALK_IN;
}

/* A point's statements: those of a row alone may have reductions, which threads share. */
static bool is_simple(const struct pstmt *s, const struct prange *row) {
    for (const struct pstmt *in = s->body; in != NULL; in = in->next) {
        bool reduces =
            in->kind == PS_SPREAD && in->accs != NULL && !in->ordered && row->next == NULL;
        if (in->kind != PS_SET && in->kind != PS_PUT && !reduces)
            return false;
    }
    return true;
}

/* Whether two ranges are the same numbers, from 0 on. */
static bool are_alike(const struct prange *r, const struct prange *other) {
    return r->lo->kind == PV_CONST && r->lo->i == 0 && r->step->kind == PV_CONST &&
           r->step->i == 1 && same_value(r->hi, other->hi);
}

/* The range of a definition that has a variable; NULL: none has. */
static const struct prange *range_of(const struct pstmt *s, const struct pvar *var) {
    const struct prange *r = s->ranges;
    while (r != NULL && r->var != var)
        r = r->next;
    return r;
}

/* Finds the range of a batch, or else of rows, and that of rows: those of tiles, or the first ones.
 * False: there are none. */
static bool find_row_ranges(const struct pstmt *s, const struct tiling *t, bool batched,
                            const struct prange *of[2]) {
    of[0] = s->ranges;
    of[1] = band_row(s, batched);
    if (t != NULL && (t->joins[TILE_ROW] || (t->batch != NULL) != batched))
        return false;
    if (t != NULL) {
        of[1] = range_of(s, t->index[TILE_ROW]->var);
        of[0] = batched ? range_of(s, t->batch->var) : of[1];
    }
    return of[0] != NULL && of[1] != NULL;
}

/* Whether a definition has as many rows as another one, whose ranges these are, and batches. */
static bool has_rows(const struct pstmt *s, const struct tiling *t, bool batched,
                     const struct prange *const of[2], const struct prange *const other[2]) {
    return s->accs == NULL && are_alike(of[0], other[0]) && are_alike(of[1], other[1]) &&
           (t != NULL || is_simple(s, band_row(s, batched)));
}

/* Whether a statement of the body may be computed for a band; first: of the first PS_SPREAD. */
static bool fits_band(struct band *b, const struct pstmt *s, const struct prange *const first[2]) {
    const struct plan_visitor own = {.value = take_own, .joined = true};
    const struct tiling *t = s->kind == PS_SPREAD ? b->plan->map.tiling[s->phase] : NULL;
    if (s->kind == PS_PUT && b->row == NULL)
        return stmt_walk(s, &own, b);
    if (s->kind != PS_SPREAD)
        return s->kind == PS_SET;
    if (s->ordered || s->merged || (t != NULL && t->in_order))
        return false;
    if (b->row == NULL)
        return (t == NULL || t->shared != 0) && stmt_walk(s, &own, b);
    bool batched = b->batch != NULL;
    const struct prange *of[2];
    if ((t != NULL && t->shared != 0) || !find_row_ranges(s, t, batched, of) ||
        !has_rows(s, t, batched, of, first))
        return false;
    b->row = of[1]->var;
    b->batch = batched ? of[0]->var : NULL;
    return stmt_walk(s, &own, b);
}

/* By operand, how often statements read its elements. */
struct reads {
    int n[UFC_MAX_OPERANDS], operands;
};

static enum walk add_element(const struct pval *v, void *arg) {
    struct reads *r = arg;
    if (v->kind == PV_ELEM && v->operand < r->operands)
        r->n[v->operand]++;
    return WALK_IN;
}

static enum walk take_off_place(const struct pstmt *s, void *arg) {
    struct reads *r = arg;
    if (s->kind == PS_PUT && !s->merged && s->place->operand < r->operands)
        r->n[s->place->operand]--;
    return WALK_IN;
}

static uint32_t kept_operands(const struct plan *p) {
    const struct plan_visitor all = {.value = add_element, .stmt = take_off_place, .joined = true};
    struct reads r = {.operands = p->noperands};
    uint32_t stored = 0, kept = 0;
    plan_walk(p->body, &all, &r);
    for (int i = 0; i < p->map.phases; i++) {
        kept |= stored & p->map.stored[i];
        stored |= p->map.stored[i];
    }
    for (int k = 0; k < p->noperands; k++)
        kept |= r.n[k] > 0 ? stored & UINT32_C(1) << k : 0;
    return kept;
}

bool is_banded(const struct plan *whole) {
    const struct plan *p = plan_of_bands(whole);
    const struct pstmt *first = p->body->body;
    const struct tiling *t = next_tiling(p, 0);
    struct band b = {.plan = p};
    while (first != NULL && first->kind != PS_SPREAD)
        first = first->next;
    if (t == NULL || p->map.phases < 2 || p->checked || p->nlocals > 0 || has_step_arrays(p) ||
        p->steps != NULL)
        return false;
    const struct prange *of[2] = {NULL};
    if (t->shared == 0 &&
        !find_row_ranges(first, p->map.tiling[first->phase], t->batch != NULL, of))
        return false;
    b.row = t->shared == 0 ? of[1]->var : NULL;
    b.batch = t->batch != NULL ? t->batch->var : NULL;
    b.kept = kept_operands(p);
    for (const struct pstmt *s = p->body->body; s != NULL; s = s->next)
        if (!fits_band(&b, s, of))
            return false;
    return true;
}

/* Whether tiles of such a body have registers for twice as many results of a thread. */
static bool may_be_large(const struct tiling *t) {
    bool large = t->skew == SKEW_NONE && !t->guarded && !t->finite && t->per[TILE_ROW] == 8 &&
                 t->per[TILE_COLUMN] == 8;
    for (const struct pacc *a = t->shape.accs; a != NULL; a = a->next)
        large = large && dtype_info[a->acc->dtype].bits <= 32;
    return large;
}

/* Larger bands are for several tilings with values of rows between them: others read little less,
 * and have no registers for as many results. */
bool has_large_bands(const struct plan *whole) {
    const struct plan *p = plan_of_bands(whole);
    if (!is_banded(p))
        return false;
    int tilings = 0;
    for (int i = 0; i < p->map.phases; i++) {
        if (p->map.tiling[i] != NULL && !may_be_large(p->map.tiling[i]))
            return false;
        tilings += p->map.tiling[i] != NULL;
    }
    return tilings > 1 && p->map.phases > tilings;
}

/* ---- memory that is free again */

/* An array that takes the memory of another one, by the definition that stores it. */
struct taking_over {
    int from, to; /* operands */
    const struct pval *place;
};

static enum walk find_either(const struct pval *v, void *arg) {
    const struct taking_over *x = arg;
    return v->kind == PV_ELEM && (v->operand == x->from || v->operand == x->to) ? WALK_STOP
                                                                                : WALK_IN;
}

static enum walk find_store(const struct pstmt *s, void *arg) {
    const struct taking_over *x = arg;
    bool stores = s->kind == PS_PUT || s->kind == PS_CLEAR;
    return stores && (s->operand == x->from || s->operand == x->to) ? WALK_STOP : WALK_IN;
}

/* Stops at another element of either array than the one that is stored. */
static enum walk find_elsewhere(const struct pval *v, void *arg) {
    const struct taking_over *x = arg;
    if (v->kind != PV_ELEM || v == x->place || (v->operand != x->from && v->operand != x->to))
        return WALK_IN;
    if (v->operand == x->to || v->nargs != x->place->nargs)
        return WALK_STOP;
    for (int i = 0; i < v->nargs; i++)
        if (!same_value(v->args[i], x->place->args[i]))
            return WALK_STOP;
    return WALK_PAST;
}

/* Whether an iteration of s ends with the only store to an array. */
static bool stores_last(const struct pstmt *s, struct taking_over *x) {
    const struct pstmt *in =
        s->kind == PS_SPREAD && s->accs == NULL && !s->ordered ? s->body : NULL;
    for (; in != NULL && in->next != NULL; in = in->next)
        if (in->kind != PS_SET && (in->kind != PS_PUT || in->operand == x->to))
            return false;
    if (in == NULL || in->kind != PS_PUT || in->operand != x->to || in->merged)
        return false;
    x->place = in->place;
    return true;
}

/* Whether statements access the array `from` up to the one that makes `to` of it, element by
 * element, and `to` from there on. */
static bool takes_over(const struct plan *p, struct taking_over *x) {
    const struct pstmt *s = p->body->body;
    const struct plan_visitor either = {.value = find_either, .stmt = find_store, .joined = true};
    const struct plan_visitor elsewhere = {.value = find_elsewhere, .joined = true};
    struct taking_over only = {.from = x->to, .to = x->to};
    while (s != NULL && stmt_walk(s, &either, &only))
        s = s->next;
    if (s == NULL || !stores_last(s, x) || p->map.tiling[s->phase] != NULL ||
        !stmt_walk(s, &elsewhere, x))
        return false;
    only = (struct taking_over){.from = x->from, .to = x->from};
    return !stmt_walk(s, &either, &only) && plan_walk(s->next, &either, &only);
}

int band_memory(const struct plan *p, int k) {
    const struct poperand *own = &p->operands[k];
    int first = p->noperands - p->overload->nintermediates;
    for (int from = first; k >= first && from < k; from++) {
        const struct poperand *o = &p->operands[from];
        struct taking_over x = {.from = from, .to = k};
        bool alike = o->dtype == own->dtype && o->rank == own->rank;
        for (int i = 0; i < own->rank && alike; i++)
            alike = o->dims[i]->index >= 0 && o->dims[i]->index == own->dims[i]->index;
        if (alike && takes_over(p, &x))
            return band_memory(p, from);
    }
    return k;
}
