/* abreast.c: definitions of which a thread of NEST may have several points at once, whose
 * reductions run together: where these read what does not depend on the points, it is loaded once
 * for all of them.  So do ordered loops that take terms, each point's one after the other. */
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
    int64_t nodes;            /* of the reductions that threads share */
    int accs;                 /* words of 32 bits of theirs */
    bool ordered;             /* there are none: loops take the terms */
    bool guarded;             /* under conditions that differ between the points, but for those that
                                 hold from one of a loop's indices to another */
    bool shares;              /* terms have elements that do not depend on these */
    bool uneven;              /* one of them does not end at the same place for all points */
    bool nested;              /* one has a long loop, which several of its own points share too */
    const struct pvar *point; /* the index that differs */
    int reductions, sliding;  /* or innermost loops; those of them whose elements slide, */
    int widest;               /* of at most so many bytes */
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

static enum walk find_loaded(const struct pval *v, void *none) {
    (void)none;
    return v->kind == PV_ELEM || v->kind == PV_TABLE || v->kind == PV_CALL ? WALK_STOP : WALK_IN;
}

static enum walk find_shared(const struct pval *v, void *varying) {
    return v->kind == PV_ELEM && !value_varies(varying, v) ? WALK_STOP : WALK_IN;
}

/* Adds what an assignment of an ordered loop computes, so many times. */
static void add_set(struct search *x, const struct pstmt *set, int64_t times) {
    x->shares = x->shares || !value_walk(set->value, find_shared, (void *)(uintptr_t)x->varying);
    x->nodes += times * value_size(set->value);
    if (!value_walk(set->value, find_variable, set->var))
        x->accs += (dtype_info[set->var->dtype].bits + 31) / 32;
}

/* Stops at what is no comparison, or one of others than indices and sizes. */
static enum walk find_unordered(const struct pval *v, void *none) {
    bool compares =
        v->kind == PV_OP && (v->op == OP_LT || v->op == OP_LE || v->op == OP_GT || v->op == OP_GE);
    bool indices = compares && v->args[0]->dtype == DT_INT64 &&
                   value_walk(v->args[0], find_loaded, none) &&
                   value_walk(v->args[1], find_loaded, none);
    return v->kind == PV_OP && v->op == OP_LAND ? WALK_IN : indices ? WALK_PAST : WALK_STOP;
}

/* May all that a loop does, under a condition, be without it where it holds for all points?  The
 * bounds of others are numbers: these are copied. */
static bool is_clipped(const struct pstmt *loop, const struct pstmt *when) {
    const struct pstmt *s = loop->body;
    while (s->kind == PS_SET && s->next != NULL)
        s = s->next;
    return s == when && when->next == NULL && constant_steps(loop) < 0 &&
           value_walk(when->value, find_unordered, NULL);
}

/* Counts a reduction, or a loop, and whether its elements slide. */
static void add_sliding(struct search *x, const struct pstmt *s) {
    struct slides slides;
    x->reductions++;
    if (find_slides(x->plan, s, x->point, x->varying, &slides))
        x->sliding++;
    x->widest = slides.widest > x->widest ? slides.widest : x->widest;
}

/* The same of such a loop, which points run together.  False: they do not, or it does more than to
 * take terms, or has the few that an element tells. */
static bool add_loop(struct search *x, const struct pstmt *loop, int64_t times) {
    int64_t steps = constant_steps(loop);
    times *= steps > 0 && steps <= UNROLLED_POINTS ? steps : 1;
    if (loop->accs != NULL || loop->end != NULL || loop->usual != NULL ||
        value_varies(x->varying, loop->lo) || value_varies(x->varying, loop->hi) ||
        value_varies(x->varying, loop->step))
        return false;
    bool innermost = true;
    for (const struct pstmt *s = loop->body; s != NULL; s = s->next) {
        const struct pstmt *in = s->kind == PS_IF ? s->body : NULL;
        innermost = innermost && s->kind != PS_FOR;
        x->guarded = x->guarded || (s->kind == PS_IF && value_varies(x->varying, s->value) &&
                                    !is_clipped(loop, s));
        if (s->kind == PS_SET)
            add_set(x, s, times);
        for (; in != NULL && in->kind == PS_SET; in = in->next)
            add_set(x, in, times);
        bool fits = s->kind == PS_FOR  ? add_loop(x, s, times)
                    : s->kind == PS_IF ? in == NULL && s->other == NULL
                                       : s->kind == PS_SET;
        if (!fits)
            return false;
    }
    if (innermost)
        add_sliding(x, loop);
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
    if (x->ordered && (s->kind == PS_FOR || s->kind == PS_SPREAD))
        return s->kind == PS_FOR && add_loop(x, s, 1) ? WALK_PAST : WALK_STOP;
    x->nested = x->nested || (s->kind == PS_SPREAD && !s->parted &&
                              constant_points(s->ranges) > UNROLLED_POINTS);
    if (s->parted) {
        add_sliding(x, s);
        x->nodes += count_nodes(s);
        for (const struct pacc *a = s->accs; a != NULL; a = a->next)
            x->accs += (dtype_info[a->acc->dtype].bits + 31) / 32;
    }
    return WALK_IN;
}

/* The loops of the phase's reductions, a bit each, or where it has none those in order. */
static uint64_t reduction_loops(const struct plan *p, int phase) {
    int kind = p->map.phase[phase].reductions > 0 ? UFC_LOOP_REDUCTION : UFC_LOOP_SERIAL;
    uint64_t loops = 0;
    for (uint32_t i = 0; i < p->domain.nloops; i++)
        if (p->domain.loops[i].phase == phase && p->domain.loops[i].kind == kind)
            loops |= UINT64_C(1) << i;
    return loops;
}

/* The operations of the phase's reductions at n points along a loop, those on 8 bytes as two; what
 * does not depend on it is computed once.  loop -1: all does. */
static int64_t count_operations(const struct plan *p, int phase, int loop, int64_t n) {
    uint64_t loops = reduction_loops(p, phase);
    int64_t sum = 0;
    for (uint32_t i = 0; i < p->domain.nwork; i++) {
        const struct ufc_work *w = &p->domain.work[i];
        int64_t times = loop < 0 || w->loops >> loop & 1 ? n : 1;
        for (int k = 0; k < UFC_WORK_COUNT && w->loops & loops; k++)
            sum += times * (int64_t)w->operations[k] * (k == UFC_WORK_FLOAT64 ? 2 : 1);
    }
    return sum;
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

/* So many elements of their rows the phase's reductions take in turn; 0: they do not slide along
 * the range r. */
static int64_t elements_in_turn(const struct search *x, const struct prange *r) {
    bool slide = x->sliding > 0 && x->sliding == x->reductions && r->step->kind == PV_CONST &&
                 r->step->i == 1;
    return slide ? SLIDE_BYTES / x->widest : 0;
}

static bool grows_along(const struct ufc_access *a, int loop) {
    for (int k = 0; k < a->nsteps; k++)
        if (a->steps[k].loop == loop)
            return true;
    return a->irregular && a->loops >> loop & 1;
}

/* Do the points along a loop only choose among the elements that the phase's reductions read? */
static bool reads_same(const struct plan *p, int phase, int loop) {
    const struct body_domain *d = &p->domain;
    uint64_t loops = reduction_loops(p, phase);
    bool same = true;
    for (uint32_t i = 0; i < d->naccesses; i++) {
        const struct ufc_access *a = &d->accesses[i];
        same = same &&
               (a->phase != phase || a->stored || !(a->loops & loops) || !grows_along(a, loop));
    }
    return same;
}

/* All points of the range r, where a thread that has them reads each element once for all; 0: they
 * are not known, or too many for its registers. */
static int64_t whole_points(const struct plan *p, const struct search *x, const struct pstmt *s,
                            const struct prange *r, int loop) {
    int64_t n = constant_points(r);
    bool fits = n <= MAX_WHOLE && n * x->accs <= WHOLE_ACCS && n * x->nodes <= ABREAST_BODY &&
                count_operations(p, s->phase, loop, n) <= ABREAST_WORK;
    return fits && !x->nested && !x->uneven && x->sliding == 0 && reads_same(p, s->phase, loop) ? n
                                                                                                : 0;
}

/* Looks at what points do that differ along the range r, and a range `other`, if not NULL.  False:
 * a thread cannot do that at once; or ordered loops share nothing along r alone, as they do along
 * one of two ranges. */
static bool find_together(struct uc *uc, const struct plan *p, const struct pstmt *s,
                          const struct prange *r, const struct prange *other, struct search *x) {
    struct varying *varying = nothing_varies(uc, p, LANES_POINTS);
    const struct plan_visitor apart = {.stmt = find_apart}, own = {.value = find_own_array};
    *x = (struct search){.plan = p,
                         .varying = varying,
                         .point = r->var,
                         .ordered = p->map.phase[s->phase].reductions == 0};
    varying->vars[r->var->id] = true;
    if (other != NULL)
        varying->vars[other->var->id] = true;
    vary_by(uc, varying, s->body);
    return plan_walk(s->body, &apart, x) && plan_walk(s->body, &own, (void *)p) &&
           (x->shares || !x->ordered || other != NULL);
}

/* Sets how many points that differ along the range r, a loop, a thread has at once: none, if one
 * alone. */
static void count_points(struct uc *uc, const struct plan *p, const struct pstmt *s,
                         const struct prange *r, int loop, struct ufc_phase *phase) {
    struct search x;
    phase->abreast = 0;
    if (!find_together(uc, p, s, r, NULL, &x))
        return;
    int64_t turn = elements_in_turn(&x, r);
    bool in_order = turn > 0 && x.ordered; /* what all points need is computed once */
    int64_t body = turn > 0 ? SLIDE_BODY / turn : ABREAST_BODY;
    int64_t n = turn > 0 ? MAX_SLIDING : x.nested ? MAX_ABREAST / 2 : MAX_ABREAST;
    while (n > 1 && (count_operations(p, s->phase, in_order ? loop : -1, n) > ABREAST_WORK ||
                     n * x.nodes > body || n * x.accs > ABREAST_ACCS ||
                     (turn > 0 && n > constant_points(r))))
        n /= 2;
    int64_t whole = whole_points(p, &x, s, r, loop);
    n = whole > 0 ? whole : n;
    if (n <= 1 || (x.uneven && !has_sizes(p, s->phase)))
        return;
    phase->abreast = (uint32_t)n;
    phase->uneven = x.uneven;
    phase->slides = n >= turn ? (uint32_t)turn : 0;
}

/* Do an access's elements slide along a loop, and one of those of a reduction? */
static bool slides_along(const struct ufc_access *a, int loop, uint64_t reduction) {
    for (int k = 0; k < a->nsteps; k++)
        for (int m = 0; m < a->nsteps; m++)
            if (a->steps[k].loop == loop && reduction >> a->steps[m].loop & 1 &&
                a->steps[k].subscript == a->steps[m].subscript &&
                a->steps[k].factor == a->steps[m].factor && a->steps[k].sizes == 0 &&
                a->steps[m].sizes == 0)
                return true;
    return false;
}

/* The loads in the phase's reductions that do not depend on one of its loops, or slide along it. */
static int count_shared(const struct plan *p, int phase, int loop, bool sliding) {
    const struct body_domain *d = &p->domain;
    uint64_t loops = reduction_loops(p, phase);
    int n = 0;
    for (uint32_t i = 0; i < d->naccesses; i++) {
        const struct ufc_access *a = &d->accesses[i];
        n += a->phase == phase && !a->stored && a->loops & loops &&
             (!grows_along(a, loop) || (sliding && slides_along(a, loop, loops)));
    }
    return n;
}

static enum walk find_unfixed(const struct pval *v, void *none) {
    (void)none;
    return v->kind == PV_CONST || v->kind == PV_DIM || v->kind == PV_OP ? WALK_IN : WALK_STOP;
}

/* Stops at a quotient of the variable by a number that is the same for all points. */
static enum walk find_quotient(const struct pval *v, void *var) {
    bool is = v->kind == PV_OP && v->op == OP_FLOORDIV && v->args[0]->kind == PV_VAR &&
              v->args[0]->var == var && value_walk(v->args[1], find_unfixed, NULL);
    return is ? WALK_STOP : WALK_IN;
}

static enum walk find_quotients(const struct pstmt *s, void *var) {
    const struct plan_visitor quotient = {.value = find_quotient};
    return s->parted && !plan_walk(s->body, &quotient, var) ? WALK_STOP : WALK_IN;
}

/* Do neighbours along the range r share what reductions read in groups, as heads do keys,
 * `k[a // (h // g), j]`? */
static bool has_groups(const struct pstmt *s, const struct prange *r) {
    return !plan_walk(s->body, &(struct plan_visitor){.stmt = find_quotients}, r->var);
}

/* Chooses the range along which the points share the most, the first of several; the last one where
 * an index counts groups: ranges between are then often short. */
static void find_in_phase(struct uc *uc, const struct plan *p, const struct pstmt *s,
                          struct ufc_phase *phase) {
    int loop[UFC_MAX_POINT_RANGES], most = 0, i = 0;
    bool grouped = false;
    if (!find_range_loops(p, s->phase, loop))
        return;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next, i++) {
        int shared = count_shared(p, s->phase, loop[i], true);
        int least = grouped && most > 0 ? most : most + 1;
        struct ufc_phase found = *phase;
        grouped = grouped || has_groups(s, r);
        if (shared < least || constant_points(r) <= 1)
            continue;
        count_points(uc, p, s, r, loop[i], &found);
        if (found.slides == 0)
            shared = count_shared(p, s->phase, loop[i], false);
        if (found.abreast == 0 || shared < least)
            continue;
        most = shared;
        *phase = found;
        phase->abreast_range = (uint32_t)i;
    }
}

/* ---- microtiles */

/* Do some loads in the phase's reductions depend on a loop, and not on another? */
static bool depends_on_one(const struct plan *p, int phase, int loop, int other) {
    const struct body_domain *d = &p->domain;
    uint64_t loops = reduction_loops(p, phase);
    bool any = false;
    for (uint32_t i = 0; i < d->naccesses; i++) {
        const struct ufc_access *a = &d->accesses[i];
        any = any || (a->phase == phase && !a->stored && a->loops & loops && grows_along(a, loop) &&
                      !grows_along(a, other));
    }
    return any;
}

/* The operations of the phase's reductions at the points of a microtile along two loops. */
static int64_t micro_operations(const struct plan *p, int phase, int loop, int other) {
    uint64_t loops = reduction_loops(p, phase);
    int64_t sum = 0;
    for (uint32_t i = 0; i < p->domain.nwork; i++) {
        const struct ufc_work *w = &p->domain.work[i];
        int64_t times =
            (w->loops >> loop & 1 ? MICRO_SIDE : 1) * (w->loops >> other & 1 ? MICRO_SIDE : 1);
        for (int k = 0; k < UFC_WORK_COUNT && w->loops & loops; k++)
            sum += times * (int64_t)w->operations[k] * (k == UFC_WORK_FLOAT64 ? 2 : 1);
    }
    return sum;
}

/* So many points of a thread along each of two ranges, which its registers hold; 0: it has none. */
static uint32_t micro_side(const struct plan *p, int phase, int loop, int other,
                           const struct search *x) {
    int64_t points = MICRO_SIDE * MICRO_SIDE;
    int64_t words = x->ordered ? MICRO_ACCS / 2 : MICRO_ACCS; /* two iterations are under way */
    bool fits = micro_operations(p, phase, loop, other) <= ABREAST_WORK &&
                points * x->nodes <= MICRO_BODY && points * x->accs <= words;
    return fits && !x->uneven && !x->nested && !x->guarded ? MICRO_SIDE : 0;
}

static bool has_wide_accs(const struct pstmt *s) {
    bool any = false;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        any = any || dtype_info[a->acc->dtype].bits > 32;
    return any;
}

static enum walk find_single(const struct pstmt *s, void *plan) {
    bool loads = s->accs != NULL && !s->merged && !s->ordered && loads_first(plan, s);
    return s->parted && (!loads || has_wide_accs(s)) ? WALK_STOP : WALK_IN;
}

/* Do the points of a definition take neighbours of all their reductions together?  Registers have
 * room for these beside accumulators of a word each. */
static bool takes_vectors(const struct plan *p, const struct pstmt *s) {
    return plan_walk(s->body, &(struct plan_visitor){.stmt = find_single}, (void *)p);
}

/* Chooses two ranges of which each has elements that do not depend on the other: a thread then
 * loads an element for several points along either.  The last range is the second one where it may,
 * since its elements are mostly neighbours. */
static void find_microtile(struct uc *uc, const struct plan *p, const struct pstmt *s,
                           struct ufc_phase *phase) {
    int loop[UFC_MAX_POINT_RANGES], n = 0;
    const struct prange *range[UFC_MAX_POINT_RANGES];
    bool slides = phase->slides > 0 && phase->reductions > 0;
    if (slides || !find_range_loops(p, s->phase, loop))
        return;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        range[n++] = r;
    for (int k = n - 1; k > 0 && phase->micro[0] == 0; k--)
        for (int i = 0; i < k && phase->micro[0] == 0; i++) {
            struct search x;
            if (!depends_on_one(p, s->phase, loop[i], loop[k]) ||
                !depends_on_one(p, s->phase, loop[k], loop[i]) ||
                !find_together(uc, p, s, range[i], range[k], &x))
                continue;
            phase->micro[0] = phase->micro[1] = micro_side(p, s->phase, loop[i], loop[k], &x);
            phase->micro_vectors = phase->micro[0] > 0 && takes_vectors(p, s);
            phase->micro_range[0] = (uint32_t)i;
            phase->micro_range[1] = (uint32_t)k;
        }
}

/* Have points ordered loops, which nothing that threads share is beside? */
static bool has_ordered_terms(const struct plan *p, const struct pstmt *s) {
    return p->map.phase[s->phase].units == 0 && reduction_loops(p, s->phase) != 0;
}

void find_abreast(struct uc *uc, struct plan *p) {
    for (const struct pstmt *s = p->map.in_phases ? p->body->body : NULL; s != NULL; s = s->next)
        if (s->kind == PS_SPREAD && s->accs == NULL && !s->merged && !p->checked &&
            (p->map.phase[s->phase].reductions > 0 || has_ordered_terms(p, s))) {
            find_in_phase(uc, p, s, &p->map.phase[s->phase]);
            find_microtile(uc, p, s, &p->map.phase[s->phase]);
        }
}
