/* resident.c: the operands of a gufunc that ordered loops read, for which shared memory is
 * nearer than the caches; and how many points a step of these loops has. */
#include "plan.h"

enum { MAX_DEPTH = 8 };

struct steps {
    struct uc *uc;
    struct plan *plan;
    const struct pstmt **setter; /* by variable: its loop, or the one statement that sets it */
    int loops;                   /* how many ordered loops are around */
    uint32_t read;               /* operands, a bit each */
    bool spreads;                /* in loops */
    bool follows, following;     /* iterations of a loop follow one another; so it is here */
};

/* ---- the greatest or least value of a bound */

static struct pval *extreme(const struct steps *x, const struct pval *v, bool greatest, int depth);

static struct pval *extreme_of_variable(const struct steps *x, const struct pval *v, bool greatest,
                                        int depth) {
    const struct pstmt *s = x->setter[v->var->id];
    if (s == NULL || depth == 0)
        return NULL;
    if (s->kind == PS_SET)
        return extreme(x, s->value, greatest, depth - 1);
    bool up = s->step->kind == PV_CONST && (int64_t)s->step->i > 0;
    return s->step->kind == PV_CONST
               ? extreme(x, greatest == up ? s->hi : s->lo, greatest, depth - 1)
               : NULL;
}

/* A bound of v, made of dimensions and constants; NULL: there is none. */
static struct pval *extreme(const struct steps *x, const struct pval *v, bool greatest, int depth) {
    if (v->kind == PV_VAR)
        return extreme_of_variable(x, v, greatest, depth);
    int64_t op = v->kind == PV_CONST || v->kind == PV_DIM ? -1 : term_op(v);
    bool grows = op == UFC_TERM_ADD || op == UFC_TERM_SUB || op == UFC_TERM_MIN ||
                 op == UFC_TERM_MAX || (op == UFC_TERM_FLOORDIV && v->args[1]->kind == PV_CONST);
    if (v->kind != PV_CONST && v->kind != PV_DIM && !grows)
        return NULL;
    struct pval *copy = NEW(x->uc, struct pval);
    *copy = *v;
    for (int i = 0; i < v->nargs; i++) {
        copy->args[i] = extreme(x, v->args[i], greatest != (op == UFC_TERM_SUB && i == 1), depth);
        if (copy->args[i] == NULL)
            return NULL;
    }
    return copy;
}

/* Appends the points of a range, at most, as terms. */
static bool range_terms(const struct steps *x, const struct prange *r, struct ufc_term *terms,
                        int *n) {
    struct pval span = {.kind = PV_OP, .op = OP_SUB, .dtype = DT_INT64, .nargs = 2};
    bool up = r->step->kind == PV_CONST && (int64_t)r->step->i > 0;
    span.args[0] = extreme(x, up ? r->hi : r->lo, true, MAX_DEPTH);
    span.args[1] = extreme(x, up ? r->lo : r->hi, false, MAX_DEPTH);
    return r->step->kind == PV_CONST && span.args[0] != NULL && span.args[1] != NULL &&
           value_terms(&span, terms, n);
}

static void add_step(const struct steps *x, const struct pstmt *s) {
    struct mapping *map = &x->plan->map;
    int before = map->nstep, n = before;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next) {
        bool ok = range_terms(x, r, map->step, &n);
        if (ok && r != s->ranges && n < UFC_MAX_TERMS)
            map->step[n++] = (struct ufc_term){UFC_TERM_MUL, 0};
        else if (!ok || r != s->ranges)
            return;
    }
    if (before > 0 && n == UFC_MAX_TERMS)
        return;
    if (before > 0)
        map->step[n++] = (struct ufc_term){UFC_TERM_MAX, 0};
    map->nstep = n;
}

/* ---- the walk */

static enum walk add_read(const struct pval *v, void *arg) {
    struct steps *x = arg;
    const struct plan *p = x->plan;
    if (v->kind == PV_ELEM && v->operand < p->noperands && v->nargs > 0)
        x->read |= UINT32_C(1) << v->operand;
    return WALK_IN;
}

static enum walk add_reads(const struct pstmt *s, void *arg) {
    struct pstmt own = *s;
    if (own.place != NULL) {
        for (int i = 0; i < own.place->nargs; i++)
            value_walk(own.place->args[i], add_read, arg);
        own.place = NULL;
    }
    stmt_values(&own, add_read, arg);
    return WALK_IN;
}

static void walk(struct steps *x, const struct pstmt *s) {
    for (; s != NULL; s = s->next) {
        bool loop = s->kind == PS_FOR || s->kind == PS_LOOP;
        x->follows = x->follows || s->lag > 0;
        x->plan->map.odd_lag = x->plan->map.odd_lag || s->lag % 2 > 0;
        if (s->kind == PS_SET || s->kind == PS_FOR)
            x->setter[s->var->id] = s;
        if (s->kind == PS_SPREAD && x->loops > 0 && !x->following) {
            x->spreads = true;
            add_step(x, s);
        }
        if (x->loops > 0)
            stmt_walk(s, &(struct plan_visitor){.stmt = add_reads}, x);
        if (s->kind == PS_SPREAD || s->accs != NULL)
            continue;
        if (s->shared != NULL) {
            walk(x, s->shared);
            continue;
        }
        bool following = x->following;
        x->following = following || s->lag > 0;
        x->loops += loop;
        walk(x, s->body);
        walk(x, s->other);
        x->loops -= loop;
        x->following = following;
    }
}

/* ---- several blocks for iterations that follow one another */

struct joins {
    int bytes;
    bool loops, once; /* loops are around; no blocks join twice, or what they cannot join */
};

/* Gives reductions, and totals of loops, their entries. */
static void add_entries(struct joins *x, struct pstmt *list) {
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        struct pstmt *joined = s->totals != NULL ? s->totals : s;
        bool scan = s->kind != PS_SPREAD && s->accs != NULL;
        bool joins = joined->accs != NULL && !scan;
        int bytes = joins ? entry_bytes(joined) : 0;
        if (joins) {
            joined->entry = (uint32_t)x->bytes;
            x->bytes += bytes;
        }
        x->once = x->once && !scan && !(joins && (x->loops || bytes == 0));
        if (s->kind == PS_SPREAD)
            continue;
        bool loops = x->loops;
        x->loops = loops || s->kind == PS_FOR || s->kind == PS_LOOP;
        if (s->shared != NULL)
            add_entries(x, s->shared);
        struct pstmt *const *const lists[] = PSTMT_LISTS(s);
        for (size_t i = 0; s->lag == 0 && s->shared == NULL && i < sizeof lists / sizeof lists[0];
             i++)
            add_entries(x, *lists[i]);
        x->loops = loops;
    }
}

/* Blocks that have a call together join each reduction's accs once, by an entry for each. */
static void find_several(struct plan *p) {
    struct joins x = {.once = true};
    add_entries(&x, p->body->body);
    p->map.several = p->map.follows && x.once;
    p->map.entry = p->map.several ? x.bytes : 0;
}

void find_resident(struct uc *uc, struct plan *p) {
    struct steps x = {.uc = uc, .plan = p, .setter = NEWN(uc, const struct pstmt *, p->nvars + 1)};
    p->map.step = NEWN(uc, struct ufc_term, UFC_MAX_TERMS);
    walk(&x, p->body->body);
    bool divided = x.spreads && p->map.portion > 0; /* steps that several blocks may share */
    bool own = (x.spreads || x.follows) && x.read >> p->nin != 0;
    p->map.resident = own || divided ? x.read : 0;
    p->map.follows = x.follows && !x.spreads;
    p->map.portion = p->map.follows ? 0 : p->map.portion; /* nothing waits for all blocks */
    if (p->map.resident != 0)
        find_several(p);
}

/* ---- what a call accesses again and again */

/* How many loops are around what depends on a set of loops: at each of their iterations it is
 * accessed, if not kept in a register.  Rounds in which iterations are asked are one with these. */
static int depth_of(const struct body_domain *d, uint64_t loops) {
    int depth = 0;
    for (int k = loops ? 63 - __builtin_clzll(loops) : -1; k >= 0; k = d->loops[k].parent)
        depth += !ufc_is_asked(&d->loops[k]);
    return depth;
}

static bool is_ordered(const struct body_domain *d, uint64_t loops) {
    for (int k = loops ? 63 - __builtin_clzll(loops) : -1; k >= 0; k = d->loops[k].parent)
        if (d->loops[k].kind == UFC_LOOP_SERIAL)
            return true;
    return false;
}

static bool has_tiles(const struct plan *p) {
    bool any = p->map.window != NULL;
    for (int i = 0; i < p->map.phases; i++)
        any = any || p->map.tiling[i] != NULL;
    return any;
}

static bool has_order(const struct body_domain *d) {
    bool any = false;
    for (uint32_t i = 0; i < d->nloops; i++)
        any = any || (d->loops[i].kind == UFC_LOOP_SERIAL && d->loops[i].parent < 0);
    return any;
}

static bool has_units(const struct plan *p) {
    bool any = false;
    for (int i = 0; i < p->map.phases; i++)
        any = any || p->map.phase[i].units > 0;
    return any;
}

void find_phased(struct plan *p) {
    const struct body_domain *d = &p->domain;
    int given = p->nin + p->overload->nout;
    uint32_t own = 0, irregular = 0;
    if (p->map.resident != 0 || !p->map.in_phases || p->map.phases < 2 || has_tiles(p) ||
        has_order(d))
        return;
    for (int k = p->nin; k < p->noperands; k++)
        own |= k >= given && p->operands[k].rank > 0 ? UINT32_C(1) << k : 0;
    for (uint32_t i = 0; i < d->naccesses; i++)
        if (d->accesses[i].irregular && d->accesses[i].operand >= p->nin)
            irregular |= UINT32_C(1) << d->accesses[i].operand;
    p->map.resident = irregular != 0 || has_units(p) ? own | irregular : 0;
    p->map.phased = p->map.resident != 0;
}

/* Is it an outermost ordered loop with loops in it?  What it accesses itself comes in no chunks. */
static bool is_around(const struct body_domain *d, int loop) {
    bool any = false;
    for (uint32_t i = 0; i < d->nloops && loop >= 0; i++)
        any = any || d->loops[i].parent == loop;
    return any && d->loops[loop].kind == UFC_LOOP_SERIAL && d->loops[loop].parent < 0;
}

/* The outputs, a bit each, that such a loop stores to, and that other loops read. */
static uint32_t find_passed(const struct plan *p) {
    const struct body_domain *d = &p->domain;
    uint32_t stored = 0, read = 0;
    for (uint32_t i = 0; i < d->naccesses; i++) {
        const struct ufc_access *a = &d->accesses[i];
        int loop = a->loops ? 63 - __builtin_clzll(a->loops) : -1;
        uint32_t bit = UINT32_C(1) << a->operand;
        if (a->stored && is_around(d, loop))
            stored |= bit;
        else if (!a->stored && loop >= 0 && d->loops[loop].parent < 0)
            read |= bit;
    }
    return (stored & read) >> p->nin << p->nin;
}

/* Do no chunks of an ordered loop have several of an input's elements: does it read them across the
 * rows, or itself, with loops in it? */
static bool comes_singly(const struct plan *p, const struct ufc_access *a) {
    const struct body_domain *d = &p->domain;
    int loop = a->loops ? 63 - __builtin_clzll(a->loops) : -1;
    int along = loop >= 0 ? ufc_subscript_along(a, loop) : -1;
    return a->operand < p->nin &&
           ((along >= 0 && along < p->operands[a->operand].rank - 1) || is_around(d, loop));
}

void find_repeated(struct plan *p) {
    const struct body_domain *d = &p->domain;
    uint32_t read = 0;
    for (uint32_t i = 0; i < d->naccesses; i++) {
        const struct ufc_access *a = &d->accesses[i];
        int rank = p->operands[a->operand].rank, indices = __builtin_popcountll(a->loops);
        bool again = depth_of(d, a->loops) > (indices < rank ? indices : rank) || a->irregular;
        if ((again || comes_singly(p, a)) && !a->stored && is_ordered(d, a->loops) && rank > 0)
            read |= UINT32_C(1) << a->operand;
    }
    uint32_t passed = read >> p->nin == 0 ? find_passed(p) : 0;
    p->passes = passed != 0;
    p->repeated = (read | passed) >> p->nin != 0 ? read | passed : 0;
}
