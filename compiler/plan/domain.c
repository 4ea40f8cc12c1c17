/* domain.c: what a body does, for the cost model: its loops, the operations that depend on
 * each set of their indices, and the accesses to operands.  An operation counts once for each
 * combination of the indices that it depends on, however the source is written. */
#include <stdlib.h>
#include <string.h>

#include "domain.h"

enum {
    PLACES_COMPARED = 256, /* elements before one that may be the same */
    RESIDUES = 64          /* points that share the iterations of a loop by what they leave */
};

static uint64_t bit(int loop) {
    return UINT64_C(1) << loop;
}

/* ---- dependences */

struct dependence {
    const struct domain *d;
    uint64_t loops;
};

static enum walk add_dependence(const struct pval *v, void *arg) {
    struct dependence *x = arg;
    if (v->kind == PV_VAR)
        x->loops |= x->d->vars[v->var->id].loops;
    return WALK_IN;
}

uint64_t loops_of(const struct domain *d, const struct pval *v) {
    struct dependence x = {d, 0};
    value_walk(v, add_dependence, &x);
    return x.loops & d->around;
}

static enum walk add_changes(const struct pval *v, void *arg) {
    struct dependence *x = arg;
    for (int loop = 0; v->kind == PV_ELEM && v->operand < 64 && loop < x->d->nloops; loop++)
        if (x->d->scope[loop].stored >> v->operand & 1)
            x->loops |= bit(loop);
    return WALK_IN;
}

/* The loops around whose iterations each compute v anew: those that it depends on, and ordered ones
 * that store to what it reads. */
static uint64_t loops_of_work(const struct domain *d, const struct pval *v) {
    struct dependence x = {d, 0};
    value_walk(v, add_changes, &x);
    return loops_of(d, v) | (x.loops & d->around);
}

static enum walk find_element(const struct pval *v, void *arg) {
    const struct domain *d = arg;
    bool data = v->kind == PV_ELEM || (v->kind == PV_VAR && d->vars[v->var->id].data);
    return data ? WALK_STOP : WALK_IN;
}

bool is_data(const struct domain *d, const struct pval *v) {
    return !value_walk(v, find_element, (void *)d);
}

/* ---- sizes */

static bool put_term(struct ufc_term *terms, int *n, int64_t op, int64_t value) {
    if (*n == UFC_MAX_TERMS)
        return false;
    terms[(*n)++] = (struct ufc_term){op, value};
    return true;
}

/* Appends the terms of v, in which an index counts as the middle of its range.  False: there are
 * none, as of estimates of definitions, whose points launches number, but in ordered loops. */
static bool put_terms(const struct domain *d, const struct pval *v, struct ufc_term *terms,
                      int *n) {
    if (v->kind == PV_VAR) {
        const struct known *k = &d->vars[v->var->id];
        if (k->index < 0)
            return k->value != NULL && put_terms(d, k->value, terms, n);
        const struct scope *s = &d->scope[k->index];
        return s->lo != NULL && put_terms(d, s->lo, terms, n) && put_terms(d, s->hi, terms, n) &&
               put_term(terms, n, UFC_TERM_ADD, 0) && put_term(terms, n, UFC_TERM_NUMBER, 2) &&
               put_term(terms, n, UFC_TERM_FLOORDIV, 0);
    }
    int64_t op = term_op(v);
    int before = *n;
    if (op < 0)
        return value_terms(v, terms, n);
    if (put_terms(d, v->args[0], terms, n) && put_terms(d, v->args[1], terms, n))
        return put_term(terms, n, op, 0);
    *n = before;
    return (d->around & ~d->points) != 0 && share_terms(v, terms, n);
}

static bool is_zero(const struct pval *v) {
    return v->kind == PV_CONST && v->i == 0;
}

/* Appends the terms of the iterations of a loop, at least 0. */
static bool put_iterations(const struct domain *d, const struct scope *s, struct ufc_term *terms,
                           int *n) {
    bool up = s->step > 0;
    int64_t step = up ? s->step : -s->step;
    const struct pval *from = up ? s->lo : s->hi, *to = up ? s->hi : s->lo;
    if (step == 0 || !put_terms(d, to, terms, n))
        return false;
    if (is_zero(from) && step == 1 && *n == 1)
        return true; /* a dimension or a constant */
    bool ok = put_terms(d, from, terms, n) && put_term(terms, n, UFC_TERM_SUB, 0);
    if (step > 1)
        ok = ok && put_term(terms, n, UFC_TERM_NUMBER, step - 1) &&
             put_term(terms, n, UFC_TERM_ADD, 0) && put_term(terms, n, UFC_TERM_NUMBER, step) &&
             put_term(terms, n, UFC_TERM_FLOORDIV, 0);
    return ok && put_term(terms, n, UFC_TERM_NUMBER, 0) && put_term(terms, n, UFC_TERM_MAX, 0);
}

/* The same of a loop that begins at what an element says, or ends there where it goes down: half of
 * what it has at most. */
static bool put_half(const struct domain *d, const struct scope *s, struct ufc_term *terms,
                     int *n) {
    const struct pval *from = s->step > 0 ? s->lo : s->hi, *to = s->step > 0 ? s->hi : s->lo;
    int64_t most = 2 * (s->step > 0 ? s->step : -s->step);
    return s->step != 0 && is_data(d, from) && put_terms(d, to, terms, n) &&
           put_term(terms, n, UFC_TERM_NUMBER, most) && put_term(terms, n, UFC_TERM_FLOORDIV, 0) &&
           put_term(terms, n, UFC_TERM_NUMBER, 0) && put_term(terms, n, UFC_TERM_MAX, 0);
}

/* of: how many there are that share the iterations. */
static void put_size(const struct domain *d, const struct scope *s, enum ufc_loop_kind kind,
                     int64_t of, struct ufc_program *size) {
    struct ufc_term terms[UFC_MAX_TERMS];
    int n = 0;
    if (!put_iterations(d, s, terms, &n)) {
        n = 0;
        if (kind == UFC_LOOP_SERIAL && s->lo != NULL && !put_half(d, s, terms, &n))
            n = 0;
    }
    if (n > 0 && of > 1 &&
        (!put_term(terms, &n, UFC_TERM_NUMBER, of) || !put_term(terms, &n, UFC_TERM_FLOORDIV, 0)))
        n = 0;
    struct ufc_term *own = NEWN(d->uc, struct ufc_term, n + 1);
    memcpy(own, terms, (size_t)n * sizeof *own);
    *size = (struct ufc_program){.terms = own, .nterms = (uint64_t)n};
}

/* ---- operations */

/* Whether a value is made of indices, sizes and constants alone: it is found by counting. */
static enum walk find_datum(const struct pval *v, void *arg) {
    const struct domain *d = arg;
    bool counted = v->dtype == DT_INT64 || v->dtype == DT_BOOL;
    bool index = v->kind == PV_CONST || v->kind == PV_DIM || v->kind == PV_OP ||
                 v->kind == PV_CALL || v->kind == PV_SELECT ||
                 (v->kind == PV_VAR &&
                  (d->vars[v->var->id].index >= 0 || d->vars[v->var->id].value != NULL));
    return counted && index ? WALK_IN : WALK_STOP;
}

static bool is_index(const struct domain *d, const struct pval *v) {
    return value_walk(v, find_datum, (void *)d);
}

/* An array of n elements with room for one more: it doubles. */
static void *with_room(struct uc *uc, void *array, size_t n, size_t size) {
    if ((n & (n - 1)) != 0)
        return array;
    void *larger = arena_alloc(uc, (n > 0 ? 2 * n : 1) * size);
    return n > 0 ? memcpy(larger, array, n * size) : larger;
}

static void add_work(struct domain *d, uint64_t loops, const uint32_t *work) {
    struct body_domain *to = &d->plan->domain;
    uint32_t k = 0;
    while (k < to->nwork && to->work[k].loops != loops)
        k++;
    if (k == to->nwork) {
        to->work = with_room(d->uc, to->work, k, sizeof *to->work);
        to->work[to->nwork++] = (struct ufc_work){.loops = loops};
    }
    for (int i = 0; i < UFC_WORK_COUNT; i++)
        to->work[k].operations[i] += work[i];
}

static void add_access(struct domain *d, const struct pval *v, bool stored);

static enum walk count_value(const struct pval *v, void *arg) {
    struct domain *d = arg;
    uint32_t work[UFC_WORK_COUNT] = {0};
    if (v->kind == PV_ELEM) {
        add_access(d, v, false);
        return WALK_PAST;
    }
    if (is_index(d, v))
        return WALK_PAST;
    if (!add_operations(v, work))
        return WALK_IN;
    if (d->counts)
        add_work(d, loops_of_work(d, v), work);
    return WALK_IN;
}

static void count(struct domain *d, const struct pval *v) {
    if (d->records)
        value_walk(v, count_value, d);
}

/* ---- accesses */

static bool same_access(const struct ufc_access *a, const struct ufc_access *b) {
    bool same = a->loops == b->loops && a->nsteps == b->nsteps && a->noffsets == b->noffsets &&
                a->operand == b->operand && a->stored == b->stored &&
                a->irregular == b->irregular && a->near == b->near && a->phase == b->phase;
    for (int i = 0; same && i < a->nsteps + a->noffsets; i++)
        same = a->steps[i].loop == b->steps[i].loop &&
               a->steps[i].subscript == b->steps[i].subscript &&
               a->steps[i].factor == b->steps[i].factor && a->steps[i].sizes == b->steps[i].sizes;
    return same;
}

/* Adds an access of v, a PV_ELEM, and what its subscripts read. */
static void add_access(struct domain *d, const struct pval *v, bool stored) {
    struct body_domain *to = &d->plan->domain;
    if (!d->records)
        return;
    uint64_t loops = loops_of(d, v);
    for (int i = 0; i < v->nargs; i++)
        if (!is_index(d, v->args[i]))
            count(d, v->args[i]);
    if (v->operand >= d->plan->noperands)
        return;
    struct ufc_access a = {.loops = loops,
                           .operand = (uint16_t)v->operand,
                           .count = 1,
                           .stored = stored,
                           .phase = d->phase};
    if (!find_steps(d, v, &a)) {
        d->failed = true;
        return;
    }
    uint32_t k = 0;
    while (k < to->naccesses && !same_access(&to->accesses[k], &a))
        k++;
    struct place *place = NEW(d->uc, struct place);
    *place = (struct place){v, k, d->places};
    int left = k < to->naccesses ? PLACES_COMPARED : 0;
    for (const struct place *p = d->places; p != NULL && left > 0; p = p->next, left--)
        if (p->access == k && same_value(p->v, v))
            place = NULL;
    d->places = place != NULL ? place : d->places;
    if (k < to->naccesses) {
        to->accesses[k].count++;
        to->accesses[k].distinct += place != NULL && to->accesses[k].distinct < UINT16_MAX;
        return;
    }
    a.distinct = 1;
    to->accesses = with_room(d->uc, to->accesses, k, sizeof a);
    to->accesses[to->naccesses++] = a;
}

/* ---- the walk */

/* What a variable is set to depends on v, on the conditions around, and on the loops around that
 * its first assignment is not in: these carry it. */
static void set_variable(struct domain *d, const struct pvar *var, const struct pval *v) {
    struct known *k = &d->vars[var->id];
    uint64_t before = k->loops;
    if (!k->set)
        k->home = d->around;
    k->set = true;
    k->loops |= loops_of(d, v) | d->chosen | (d->around & ~k->home);
    bool data = d->by_data || is_data(d, v);
    d->changed = d->changed || k->loops != before || (data && !k->data);
    k->data = k->data || data;
}

static enum walk find_range(const struct pstmt *s, void *var) {
    const struct prange *r = s->kind == PS_SPREAD ? s->ranges : NULL;
    while (r != NULL && r->var != var)
        r = r->next;
    return r != NULL ? WALK_STOP : WALK_IN;
}

/* Is a loop in one that threads share a further range of what they share? */
static bool is_range_of(const struct domain *d, const struct pstmt *s) {
    const struct plan_visitor ranges = {.stmt = find_range};
    return d->shared != NULL && s->kind == PS_FOR && s->var != NULL &&
           !plan_walk(d->shared->shared, &ranges, s->var);
}

static bool is_among(const struct pstmt *points, const struct pstmt *s) {
    const struct prange *r = points != NULL && s->kind == PS_FOR ? points->ranges : NULL;
    while (r != NULL && r->var != s->var)
        r = r->next;
    return r != NULL;
}

static enum walk find_iterations(const struct pstmt *s, void *loop) {
    bool own = s->series != NULL && s->series->of_lanes && is_among(s->series->points, loop);
    return own ? WALK_STOP : WALK_IN;
}

/* Are a loop's iterations those of a series at points of what threads share in its place? */
static bool is_at_points(const struct domain *d, const struct pstmt *s) {
    const struct plan_visitor iterations = {.stmt = find_iterations};
    return d->shared != NULL && s->kind == PS_FOR &&
           !plan_walk(d->shared->shared, &iterations, (void *)(uintptr_t)s);
}

/* Whether a loop's iterations are those of a series, whose terms threads compute at once, and
 * whether they are such that deal entries out. */
static uint8_t term_flags(struct domain *d, const struct pstmt *s) {
    if (s->kind == PS_FOR && s->series != NULL)
        d->series = s->series->points;
    if (s->kind == PS_FOR && s->deal != NULL)
        d->dealt = s->deal;
    bool series = is_among(d->series, s) || is_at_points(d, s);
    return (uint8_t)((series ? UFC_LOOP_SERIES : 0) |
                     (is_dealing(d->dealt, s) ? UFC_LOOP_DEAL : 0));
}

/* The iterations of a loop within a term of a series that a lane takes together, at most. */
static uint8_t lot_of(const struct pstmt *s) {
    bool loop = s->kind == PS_FOR && s->step->kind == PV_CONST && s->step->i == 1;
    int64_t most = UFC_CALLED_LOT, lot = UFC_LOT;
    if (loop && s->lo->kind == PV_CONST && s->hi->kind == PV_CONST)
        most = (int64_t)s->hi->i - (int64_t)s->lo->i;
    for (const struct pstmt *in = s->body; loop && in != NULL; in = in->next)
        loop = in->kind == PS_SET;
    while (lot > 1 && lot > most)
        lot /= 2;
    return loop && lot >= 4 ? (uint8_t)lot : 0;
}

static enum walk add_stored(const struct pstmt *s, void *stored) {
    if ((s->kind == PS_PUT || s->kind == PS_CLEAR) && s->operand < 64)
        *(uint64_t *)stored |= bit(s->operand);
    return WALK_IN;
}

/* Have points its iterations, a residue of them each? */
static bool by_residues(const struct pstmt *s) {
    return s->residues && s->shared != NULL;
}

static void walk(struct domain *d, const struct pstmt *s);

/* A loop of the statement s: of `range` and of the ranges behind it, or where there is none of s
 * itself. */
static void walk_loop(struct domain *d, const struct pstmt *s, const struct prange *range,
                      enum ufc_loop_kind kind, int parent) {
    if (d->nloops == UFC_MAX_LOOPS) {
        d->failed = true;
        return;
    }
    int loop = d->nloops++;
    struct scope *scope = &d->scope[loop];
    const struct pval *step = range != NULL ? range->step : s->step;
    *scope = (struct scope){.lo = range != NULL ? range->lo : s->lo,
                            .hi = range != NULL ? range->hi : s->hi,
                            .step = step != NULL && step->kind == PV_CONST ? (int64_t)step->i : 0};
    if (range != NULL && range->about != NULL) {
        scope->lo = range->about_lo;
        scope->hi = range->about_hi;
    } else if (kind == UFC_LOOP_REDUCTION && scope->lo != NULL) {
        scope->lo = unguarded(scope->lo);
        scope->hi = unguarded(scope->hi);
    }
    const struct pvar *var = range != NULL ? range->var : s->var;
    struct ufc_loop *record = &d->plan->domain.loops[loop];
    int line, column;
    locate(d->uc, s->at.begin, &line, &column);
    *record = (struct ufc_loop){
        .parent = parent, .kind = (uint8_t)kind, .phase = d->phase, .line = (uint32_t)line};
    record->portions = portions_of(s);
    record->in_lanes =
        d->plan->map.state != NULL && s->kind == PS_FOR && points_in_lanes(s) != NULL;
    record->lot = lot_of(s);
    if (range != s->ranges || (s->further && kind == UFC_LOOP_REDUCTION) ||
        (kind == UFC_LOOP_POINTS && is_range_of(d, s)))
        record->flags = UFC_LOOP_FURTHER;
    if (s == d->ragged)
        record->flags = UFC_LOOP_FURTHER | UFC_LOOP_RAGGED;
    record->flags |= (uint8_t)(s->lag << UFC_LOOP_LAG | term_flags(d, s));
    uint64_t outer = d->around, bounds = 0;
    d->around |= bit(loop);
    d->points = kind == UFC_LOOP_POINTS ? d->points | bit(loop) : d->points & ~bit(loop);
    const struct scope usual = {.lo = plan_number(d->uc, 0), .hi = s->usual, .step = 1};
    if (d->records)
        put_size(d, s->usual != NULL && range == NULL ? &usual : scope, kind,
                 by_residues(s) ? RESIDUES : 1, &record->size);
    if (d->records && kind == UFC_LOOP_SERIAL && s->kind == PS_FOR)
        record->chain = chain_clocks(d->uc, d->plan, s);
    if (d->records && range != NULL && range->about != NULL)
        record->chain = chain_clocks(d->uc, d->plan, range->about) + 1; /* it is none else */
    if (kind == UFC_LOOP_SERIAL)
        count_waits(s->body, record);
    if (d->records && kind == UFC_LOOP_SERIAL)
        plan_walk(s->body, &(struct plan_visitor){.stmt = add_stored}, &scope->stored);
    const struct pstmt *shared = d->shared;
    if (s->kind == PS_FOR && s->shared != NULL)
        d->shared = s;
    if (scope->lo != NULL)
        bounds = loops_of(d, scope->lo) | loops_of(d, scope->hi);
    if (var != NULL) {
        struct known *k = &d->vars[var->id];
        k->index = loop;
        k->loops = bit(loop) | bounds | (by_residues(s) ? bit(parent) : 0);
    }
    if (range != NULL && range->next != NULL)
        walk_loop(d, s, range->next, kind, loop);
    else
        walk(d, s->body);
    d->around = outer;
    d->shared = shared;
}

/* A loop whose iterations points have a part of each: their number is not known. */
static void walk_residues(struct domain *d, const struct pstmt *s, int parent) {
    struct ufc_term *terms = NEW(d->uc, struct ufc_term);
    uint64_t outer = d->around;
    if (d->nloops == UFC_MAX_LOOPS) {
        d->failed = true;
        return;
    }
    int loop = d->nloops++, line, column;
    locate(d->uc, s->at.begin, &line, &column);
    *terms = (struct ufc_term){UFC_TERM_NUMBER, RESIDUES};
    d->scope[loop] = (struct scope){.step = 1};
    d->plan->domain.loops[loop] = (struct ufc_loop){.parent = parent,
                                                    .kind = UFC_LOOP_POINTS,
                                                    .phase = d->phase,
                                                    .line = (uint32_t)line,
                                                    .size = {.terms = terms, .nterms = 1}};
    d->around |= bit(loop);
    d->points |= bit(loop);
    walk_loop(d, s, NULL, UFC_LOOP_SERIAL, loop);
    d->around = outer;
}

static int innermost(const struct domain *d) {
    int loop = d->nloops - 1;
    while (loop >= 0 && !(d->around & bit(loop)))
        loop--;
    return loop;
}

static enum walk add_size(const struct pstmt *s, void *size) {
    *(int *)size += 1 + value_size(s->value);
    return WALK_IN;
}

static int size_of(const struct pstmt *list) {
    int size = 0;
    plan_walk(list, &(struct plan_visitor){.stmt = add_size}, &size);
    return size;
}

/* Of a conditional's branches the longer one counts. */
static void walk_branches(struct domain *d, const struct pstmt *s) {
    bool counts = d->counts, first = size_of(s->body) >= size_of(s->other), by_data = d->by_data;
    uint64_t outer = d->chosen;
    d->chosen |= loops_of(d, s->value);
    d->by_data = by_data || is_data(d, s->value);
    d->counts = counts && first;
    walk(d, s->body);
    d->counts = counts && !first;
    walk(d, s->other);
    d->counts = counts;
    d->chosen = outer;
    d->by_data = by_data;
}

/* A block that statements may leave. */
struct block {
    const struct pstmt *s;
    uint64_t around;
    const struct block *outer;
};

static void walk_block(struct domain *d, const struct pstmt *s) {
    struct block own = {s, d->around, d->blocks};
    d->blocks = &own;
    walk(d, s->body);
    d->blocks = own.outer;
}

/* The loops in the block that is left may end early. */
static void leave_block(struct domain *d, const struct pstmt *s) {
    const struct block *b = d->blocks;
    while (b != NULL && b->s != s->target)
        b = b->outer;
    for (int loop = 0; b != NULL && loop < d->nloops; loop++)
        if (d->around & ~b->around & bit(loop))
            d->plan->domain.loops[loop].flags |= UFC_LOOP_MAY_END;
}

/* Of a PS_FOR or a PS_LOOP.  A further range of a reduction is one of its loops, if threads share
 * it; they share the points of one with accs. */
static enum ufc_loop_kind loop_kind(const struct domain *d, const struct pstmt *s) {
    int in = innermost(d);
    if (s->further && d->shares && d->plan->domain.loops[in].kind == UFC_LOOP_REDUCTION)
        return UFC_LOOP_REDUCTION;
    if (s == d->ragged)
        return UFC_LOOP_POINTS;
    bool scan = s->accs != NULL && (in < 0 || d->plan->domain.loops[in].kind == UFC_LOOP_SERIAL);
    return s->shared != NULL || scan || is_range_of(d, s) ? UFC_LOOP_POINTS : UFC_LOOP_SERIAL;
}

static void walk_for(struct domain *d, const struct pstmt *s, int parent) {
    if (by_residues(s))
        walk_residues(d, s, parent);
    else
        walk_loop(d, s, NULL, loop_kind(d, s), parent);
}

static void walk(struct domain *d, const struct pstmt *s) {
    for (; s != NULL && !d->failed; s = s->next) {
        if (d->around == 0)
            d->phase = (uint16_t)s->phase;
        count(d, s->value);
        switch (s->kind) {
        case PS_SET: set_variable(d, s->var, s->value); break;
        case PS_PUT: add_access(d, s->place, true); break;
        case PS_IF:
            if (!s->rare)
                walk_branches(d, s);
            break;
        case PS_FOR:
        case PS_LOOP:
            if (s->turned)
                walk(d, s->shared);
            else if (s->kind == PS_LOOP && s->rare)
                walk(d, s->body);
            else
                walk_for(d, s, innermost(d));
            break;
        case PS_SPREAD:
            d->ragged = ragged_loop(s);
            d->shares = shared_further(s) != NULL;
            walk_loop(d, s, s->ranges, s->accs != NULL ? UFC_LOOP_REDUCTION : UFC_LOOP_POINTS,
                      innermost(d));
            break;
        case PS_BLOCK: walk_block(d, s); break;
        case PS_LEAVE: leave_block(d, s); break;
        default: walk(d, s->body); break;
        }
    }
}

/* ---- the domain */

/* Of a turned loop's other form, whose own variables are set nowhere else. */
static enum walk count_own(const struct pstmt *s, void *arg) {
    struct known *k = s->kind == PS_SET ? &((struct domain *)arg)->vars[s->var->id] : NULL;
    if (k != NULL && k->sets == 0)
        k->value = k->own++ == 0 ? s->value : NULL;
    return WALK_IN;
}

static enum walk count_set(const struct pstmt *s, void *arg) {
    struct domain *d = arg;
    if (s->turned)
        plan_walk(s->shared, &(struct plan_visitor){.stmt = count_own}, arg);
    if (s->kind != PS_SET)
        return WALK_IN;
    struct known *k = &d->vars[s->var->id];
    k->value = k->sets++ == 0 ? s->value : NULL;
    return WALK_IN;
}

void find_domain(struct uc *uc, struct plan *p) {
    struct body_domain *to = &p->domain;
    struct domain d = {.uc = uc, .plan = p, .vars = NEWN(uc, struct known, p->nvars + 1)};
    for (int i = 0; i < p->nvars; i++)
        d.vars[i].index = -1;
    plan_walk(p->body, &(struct plan_visitor){.stmt = count_set}, &d);
    struct ufc_loop loops[UFC_MAX_LOOPS];
    to->loops = loops;
    do {
        d.changed = false;
        d.nloops = 0;
        walk(&d, p->body);
    } while (d.changed && !d.failed);
    d.nloops = 0;
    d.records = d.counts = true;
    walk(&d, p->body);
    to->nloops = (uint32_t)d.nloops;
    to->loops = NEWN(uc, struct ufc_loop, d.nloops + 1);
    memcpy(to->loops, loops, (size_t)d.nloops * sizeof *loops);
    if (d.failed)
        *to = (struct body_domain){0};
}
