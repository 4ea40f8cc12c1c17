/* plan_abreast.c: definitions of which a thread of NEST may have several points at once, whose
 * reductions run together: where these read what does not depend on the points, it is loaded once
 * for all of them. */
#include "plan.h"

/* What is computed at a point of a reduction, in nodes of values. */
static enum walk add_nodes(const struct pstmt *s, void *nodes) {
    *(int64_t *)nodes += value_size(s->value);
    return WALK_IN;
}

static int64_t count_nodes(const struct pstmt *s) {
    int64_t points = constant_points(s->ranges), nodes = 0, n = 0;
    plan_walk(s->body, &(struct plan_visitor){.stmt = add_nodes}, &nodes);
    for (const struct pstmt *in = s->body; in != NULL; in = in->next)
        if (in->kind == PS_SPREAD && (n = constant_points(in->ranges)) <= UNROLLED_POINTS)
            nodes += (n - 1) * count_nodes(in);
    return points <= UNROLLED_POINTS ? points * nodes : nodes;
}

struct search {
    const struct plan *plan;
    const struct varying *varying;
    int64_t nodes; /* of the reductions that threads share */
    int accs;      /* words of 32 bits of theirs */
    bool uneven;   /* one of them does not end at the same place for all points */
    bool nested;   /* one has a long loop, which several of its own points share too */
};

static enum walk find_own_array(const struct pval *v, void *plan) {
    const struct plan *p = plan;
    return v->kind == PV_ELEM && v->operand >= p->noperands ? WALK_STOP : WALK_IN;
}

/* Do points begin a reduction at the same place, and each go on to an end of its own at most? */
static bool run_together(struct search *x, const struct pstmt *s) {
    for (const struct prange *r = s->ranges; r != NULL; r = r->next) {
        bool ends = value_varies(x->varying, r->hi);
        x->uneven = x->uneven || ends;
        if (value_varies(x->varying, r->lo) || value_varies(x->varying, r->step) ||
            (ends && s->ranges->next != NULL))
            return false;
    }
    return true;
}

/* Stops at what points cannot do at once: what is left early, or needs memory of a point's own. */
static enum walk find_apart(const struct pstmt *s, void *arg) {
    struct search *x = arg;
    bool fits = s->kind == PS_SET || s->kind == PS_IF || s->kind == PS_SPREAD ||
                (s->kind == PS_FOR && s->accs == NULL) ||
                (s->kind == PS_PUT && s->operand < x->plan->noperands);
    if (!fits || s->merged || (s->parted && (s->ordered || !run_together(x, s))))
        return WALK_STOP;
    x->nested = x->nested || (s->kind == PS_SPREAD && !s->parted &&
                              constant_points(s->ranges) > UNROLLED_POINTS);
    if (s->parted) {
        x->nodes += count_nodes(s);
        for (const struct pacc *a = s->accs; a != NULL; a = a->next)
            x->accs += (dtype_info[a->acc->dtype].bits + 31) / 32;
    }
    return WALK_IN;
}

/* The loops of the phase's reductions, a bit each. */
static uint64_t reduction_loops(const struct plan *p, int phase) {
    uint64_t loops = 0;
    for (uint32_t i = 0; i < p->domain.nloops; i++)
        if (p->domain.loops[i].phase == phase && p->domain.loops[i].kind == UFC_LOOP_REDUCTION)
            loops |= UINT64_C(1) << i;
    return loops;
}

/* The operations at a point of the phase's reductions, those on 8 bytes as two. */
static int64_t count_operations(const struct plan *p, int phase) {
    uint64_t loops = reduction_loops(p, phase);
    int64_t n = 0;
    for (uint32_t i = 0; i < p->domain.nwork; i++) {
        const struct ufc_work *w = &p->domain.work[i];
        for (int k = 0; k < UFC_WORK_COUNT && w->loops & loops; k++)
            n += (int64_t)w->operations[k] * (k == UFC_WORK_FLOAT64 ? 2 : 1);
    }
    return n;
}

/* Are the sizes of the phase's reductions known when it is called, so that neighbouring points have
 * about as many? */
static bool has_sizes(const struct plan *p, int phase) {
    uint64_t loops = reduction_loops(p, phase);
    for (uint32_t i = 0; i < p->domain.nloops; i++)
        if (loops >> i & 1 && p->domain.loops[i].size.nterms == 0)
            return false;
    return true;
}

/* How many points whose index `var` differs a thread has at once; 0: one alone. */
static uint32_t count_points(struct uc *uc, const struct plan *p, const struct pstmt *s,
                             const struct pvar *var, bool *uneven) {
    struct varying *varying = nothing_varies(uc, p, LANES_POINTS);
    struct search x = {.plan = p, .varying = varying};
    const struct plan_visitor apart = {.stmt = find_apart}, own = {.value = find_own_array};
    varying->vars[var->id] = true;
    vary_by(uc, varying, s->body);
    if (!plan_walk(s->body, &apart, &x) || !plan_walk(s->body, &own, (void *)p))
        return 0;
    int64_t n = x.nested ? MAX_ABREAST / 2 : MAX_ABREAST,
            operations = count_operations(p, s->phase);
    while (n > 1 && (n * operations > ABREAST_WORK || n * x.nodes > ABREAST_BODY ||
                     n * x.accs > ABREAST_ACCS))
        n /= 2;
    *uneven = x.uneven;
    return n > 1 && (!x.uneven || has_sizes(p, s->phase)) ? (uint32_t)n : 0;
}

static bool grows_along(const struct ufc_access *a, int loop) {
    for (int k = 0; k < a->nsteps; k++)
        if (a->steps[k].loop == loop)
            return true;
    return a->irregular && a->loops >> loop & 1;
}

/* The loads in the phase's reductions that do not depend on one of its loops. */
static int count_shared(const struct plan *p, int phase, int loop) {
    const struct body_domain *d = &p->domain;
    uint64_t loops = reduction_loops(p, phase);
    int n = 0;
    for (uint32_t i = 0; i < d->naccesses; i++) {
        const struct ufc_access *a = &d->accesses[i];
        n += a->phase == phase && !a->stored && a->loops & loops && !grows_along(a, loop);
    }
    return n;
}

/* Chooses the range along which the points share the most, the first of several. */
static void find_in_phase(struct uc *uc, const struct plan *p, const struct pstmt *s,
                          struct ufc_phase *phase) {
    int loop[UFC_MAX_POINT_RANGES], most = 0, i = 0;
    if (!find_range_loops(p, s->phase, loop))
        return;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next, i++) {
        int shared = count_shared(p, s->phase, loop[i]);
        bool more = shared > most && constant_points(r) > 1, uneven;
        uint32_t n = more ? count_points(uc, p, s, r->var, &uneven) : 0;
        if (n == 0)
            continue;
        most = shared;
        phase->abreast = n;
        phase->abreast_range = (uint32_t)i;
        phase->uneven = uneven;
    }
}

void find_abreast(struct uc *uc, struct plan *p) {
    for (const struct pstmt *s = p->map.in_phases ? p->body->body : NULL; s != NULL; s = s->next)
        if (s->kind == PS_SPREAD && s->accs == NULL && !s->merged && !p->checked &&
            p->map.phase[s->phase].reductions > 0)
            find_in_phase(uc, p, s, &p->map.phase[s->phase]);
}
