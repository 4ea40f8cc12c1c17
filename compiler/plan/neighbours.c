/* neighbours.c: definitions of which a thread of NEST may take neighbouring points: the
 * elements that these access are side by side, and some of them the same. */
#include "plan.h"

bool find_range_loops(const struct plan *p, int phase, int *loop) {
    const struct body_domain *d = &p->domain;
    int parent = -1;
    uint32_t found = 0, ranges = p->map.phase[phase].ranges;
    for (uint32_t i = 0; i < d->nloops && found < ranges; i++)
        if (d->loops[i].phase == phase && d->loops[i].kind == UFC_LOOP_POINTS &&
            d->loops[i].parent == parent)
            parent = loop[found++] = (int)i;
    return found == ranges;
}

/* Is it known how far elements are apart along a subscript where the array has no gaps? */
static bool is_spaced(const struct poperand *o, int subscript) {
    for (int d = subscript + 1; d < o->rank; d++)
        if (o->dims[d]->size <= 0)
            return false;
    return true;
}

/* Sets which operands grow along the loop by one subscript alone, of those that do; *widest: bytes
 * of their widest element.  False: it is not so of what is stored. */
static bool find_beside(const struct plan *p, int phase, int loop, uint32_t *beside, int *widest) {
    int subscript[UFC_MAX_OPERANDS];
    uint32_t known = 0, other = 0;
    for (uint32_t i = 0; i < p->domain.naccesses; i++) {
        const struct ufc_access *a = &p->domain.accesses[i];
        const struct poperand *o = &p->operands[a->operand];
        uint32_t bit = UINT32_C(1) << a->operand;
        int at = a->phase == phase ? ufc_subscript_along(a, loop) : -1;
        bool grows = at >= 0;
        for (int k = 0; k < a->nsteps && grows; k++)
            grows =
                a->steps[k].loop != loop || (a->steps[k].subscript == at && a->steps[k].sizes == 0);
        if (a->phase == phase && a->stored && !grows)
            return false;
        /* What an access with no step is a multiple of is not tested at the call. */
        if (at < 0 && a->noffsets > 0 && a->phase == phase && (a->loops >> loop & 1) != 0)
            other |= bit;
        if (at < 0)
            continue;
        if (!grows || !is_spaced(o, at) || (known & bit && subscript[a->operand] != at))
            other |= bit;
        known |= bit;
        subscript[a->operand] = at;
        if (a->stored && other & bit)
            return false;
    }
    *beside = known & ~other;
    *widest = 0;
    for (int k = 0; k < p->noperands; k++) {
        int size = dtype_info[p->operands[k].dtype].bits / 8;
        if (*beside >> k & 1 && size > *widest)
            *widest = size;
    }
    return *beside != 0;
}

/* Stops where an index is compared or kept within bounds. */
static enum walk find_bounds(const struct pval *v, void *none) {
    (void)none;
    bool compares = v->kind == PV_OP && v->nargs == 2 && op_info[v->op].kind == OPS_COMPARE &&
                    v->args[0]->dtype == DT_INT64;
    bool bounds = v->kind == PV_CALL && v->dtype == DT_INT64;
    if (v->kind == PV_TABLE) /* which has all elements at hand */
        return WALK_PAST;
    return compares || bounds || (v->kind == PV_OP && v->direct != NULL) ? WALK_STOP : WALK_IN;
}

/* Are all points inside, so that threads compute the same of each? */
static bool is_free(const struct pstmt *s, uint32_t lead) {
    return lead == 0 && plan_walk(s->body, &(struct plan_visitor){.value = find_bounds}, NULL);
}

/* ---- what neighbours share */

enum { SHARED_PLACES = 64 }; /* that are compared */

/* Elements that a definition reads, of which neighbours along an index have some in common. */
struct sharing_search {
    const struct plan *plan;
    const struct pstmt *definition;
    const struct pvar *along;
    const struct pval *place[SHARED_PLACES];
    int n;
};

static enum walk find_index(const struct pval *v, void *var) {
    return v->kind == PV_VAR && v->var == var ? WALK_STOP : WALK_IN;
}

/* Stops at a variable that is no index of the definition. */
static enum walk find_inner(const struct pval *v, void *definition) {
    const struct prange *r = ((const struct pstmt *)definition)->ranges;
    while (r != NULL && r->var != v->var)
        r = r->next;
    return v->kind == PV_VAR && r == NULL ? WALK_STOP : WALK_IN;
}

/* Stops at an element that is another one's at a neighbour: of a subscript with the index and with
 * one of a reduction, or that is not the same as in an element before. */
static enum walk find_common(const struct pval *v, void *arg) {
    struct sharing_search *x = arg;
    if (v->kind != PV_ELEM || v->operand >= x->plan->noperands ||
        x->plan->map.stored[x->definition->phase] >> v->operand & 1)
        return WALK_IN;
    for (int i = 0; i < v->nargs; i++) {
        if (value_walk(v->args[i], find_index, (void *)(uintptr_t)x->along))
            continue;
        if (!value_walk(v->args[i], find_inner, (void *)(uintptr_t)x->definition))
            return WALK_STOP;
        for (int k = 0; k < x->n; k++)
            if (x->place[k]->operand == v->operand && !same_value(x->place[k]->args[i], v->args[i]))
                return WALK_STOP;
    }
    if (x->n < SHARED_PLACES)
        x->place[x->n++] = v;
    return WALK_IN;
}

bool shares_along(const struct plan *p, const struct pstmt *s, const struct prange *r) {
    struct sharing_search x = {.plan = p, .definition = s, .along = r->var};
    return !plan_walk(s->body, &(struct plan_visitor){.value = find_common}, &x);
}

/* ---- neighbours that go on in the next row */

struct flat_search {
    const struct prange *outer, *last; /* the last two ranges */
    uint32_t known, other; /* operands, a bit each: accessed at their own points; elsewhere */
};

/* Is an element the point's own: do its last two subscripts have an index each, others neither? */
static bool is_own(const struct flat_search *x, const struct pval *v) {
    const struct pvar *var[] = {x->outer->var, x->last->var};
    for (int i = 0; i < v->nargs; i++) {
        const struct pval *a = v->args[i];
        int which = i - (v->nargs - 2);
        bool own = which >= 0 && a->kind == PV_VAR && a->var == var[which];
        bool varies = !value_walk(a, find_index, (void *)(uintptr_t)var[0]) ||
                      !value_walk(a, find_index, (void *)(uintptr_t)var[1]);
        if (which >= 0 ? !own : varies)
            return false;
    }
    return true;
}

/* Finds elements of arrays with rows, which vary along these. */
static enum walk find_own(const struct pval *v, void *arg) {
    struct flat_search *x = arg;
    bool in_rows = v->kind == PV_ELEM && v->operand < UFC_MAX_OPERANDS && v->nargs > 1;
    if (in_rows && !value_walk(v, find_index, (void *)(uintptr_t)x->last->var))
        *(is_own(x, v) ? &x->known : &x->other) |= UINT32_C(1) << v->operand;
    return WALK_IN;
}

static bool is_from_zero(const struct prange *r) {
    return r->lo->kind == PV_CONST && r->lo->i == 0 && r->step->kind == PV_CONST && r->step->i == 1;
}

/* See struct ufc_phase.  beside: operands whose elements are side by side along the last range.
 * Others are not worth it, whose elements each neighbour would load alone, but of rows that all
 * points share. */
static uint32_t find_flat(const struct plan *p, const struct pstmt *s, uint32_t beside) {
    const struct prange *r = s->ranges;
    uint32_t stored = p->map.stored[s->phase];
    if (r == NULL || r->next == NULL)
        return 0;
    while (r->next->next != NULL)
        r = r->next;
    struct flat_search x = {.outer = r, .last = r->next};
    if (!is_from_zero(x.outer) || !is_from_zero(x.last))
        return 0;
    plan_walk(s->body, &(struct plan_visitor){.value = find_own}, &x);
    return x.other != 0 || (stored & ~x.known) || (x.known & ~beside) ? 0 : x.known;
}

/* ---- which points are neighbours */

/* Has a definition so few points that it does not matter who takes them? */
static bool is_small(const struct pstmt *s) {
    const struct prange *r = s->ranges;
    while (r != NULL && constant_points(r) < INT64_MAX)
        r = r->next;
    return r == NULL;
}

/* Stops at an ordered loop of a length that is not known: each neighbour then has its own, and
 * loads by itself what others between have loads of, too. */
static enum walk find_loop(const struct pstmt *s, void *none) {
    (void)none;
    int64_t steps = constant_steps(s);
    return s->kind == PS_FOR && (steps < 0 || steps > UNROLLED_POINTS) ? WALK_STOP : WALK_IN;
}

static void find_in_phase(const struct plan *p, const struct pstmt *s) {
    struct ufc_phase *phase = &p->map.phase[s->phase];
    const struct prange *last = s->ranges;
    int loops[UFC_MAX_POINT_RANGES], widest;
    bool known = find_range_loops(p, s->phase, loops);
    int loop = known ? loops[phase->ranges - 1] : -1;
    uint64_t operands = (UINT64_C(1) << p->noperands) - 1;
    uint32_t beside;
    while (last->next != NULL)
        last = last->next;
    if (loop < 0 || (p->map.stored[s->phase] & operands) == 0 || last->step->kind != PV_CONST ||
        last->step->i != 1 || !find_beside(p, s->phase, loop, &beside, &widest))
        return;
    uint32_t n = NEIGHBOUR_BYTES / (uint32_t)widest;
    n = n > MAX_NEIGHBOURS ? MAX_NEIGHBOURS : n;
    if (n > 2 && points_size(s, (int)n, shares_along(p, s, last)) > NEIGHBOURS_BODY)
        n /= 2;
    int64_t points = constant_points(last);
    while (points < 2 * n && points % n != 0) /* what is left at the end is no small part */
        n /= 2;
    uint32_t lead = last->lo->kind == PV_CONST ? (uint32_t)last->lo->i % n : n - 1;
    if (n < 2 || (n == 2 && !is_free(s, lead))) /* few are not worth what the edges take */
        return;
    phase->neighbours = n;
    phase->lead = lead;
    phase->along = (uint32_t)loop;
    phase->beside = beside;
    if (points % n != 0 && is_free(s, lead) && 2 * n * point_size(s) <= PLACES_BODY)
        phase->flat = find_flat(p, s, beside);
}

void find_neighbours(struct plan *p) {
    for (const struct pstmt *s = p->map.in_phases ? p->body->body : NULL; s != NULL; s = s->next) {
        struct ufc_phase *phase = &p->map.phase[s->phase];
        if (s->kind == PS_SPREAD && phase->ranges > 0 && phase->walks == 0 &&
            p->map.tiling[s->phase] == NULL)
            phase->walks = UFC_WALKS_SINGLY;
        if (s->kind == PS_SPREAD && s->accs == NULL && !s->merged && !p->checked &&
            phase->reductions == 0 && point_size(s) <= NEIGHBOUR_BODY && !is_small(s) &&
            plan_walk(s->body, &(struct plan_visitor){.stmt = find_loop}, NULL))
            find_in_phase(p, s);
    }
}
