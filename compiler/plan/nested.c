/* nested.c: reductions at the points of a definition, or within other reductions, that can be
 * computed before them: those that depend on inputs, and on some of the indices around, alone.  So
 * can ordered loops that leave but one variable, as sums by `+=`, and what is in an ordered loop at
 * a point and depends on none of its earlier iterations. */
#include "apart.h"

/* Counts ranges that are whole dimensions, UFC_MAX_POINT_RANGES + 1 where there are others. */
static int count_dims(const struct prange *r) {
    int n = 0;
    for (; r != NULL && n <= UFC_MAX_POINT_RANGES; r = r->next, n++)
        if (!is_dimension(r))
            return UFC_MAX_POINT_RANGES + 1;
    return n;
}

/* Stops at what the outer reduction sets, and at arrays that the statement stores to. */
static enum walk find_dependence(const struct pval *v, void *arg) {
    const struct nested *n = arg;
    for (const struct pacc *a = n->outer != NULL ? n->outer->accs : NULL; a != NULL; a = a->next)
        if (v->kind == PV_VAR && v->var == a->acc)
            return WALK_STOP;
    bool array = v->kind == PV_ELEM && (v->operand >= n->plan->noperands ||
                                        is_put(n->whole, v->operand) || v->checked != 0);
    return array ? WALK_STOP : WALK_IN;
}

/* Does the inner reduction, or an assignment that it needs, use the variable? */
static bool depends_on(const struct nested *n, struct pvar *var) {
    const struct plan_visitor uses = {.value = find_variable, .joined = true};
    bool is = !stmt_walk(n->inner, &uses, var) || var == n->result;
    for (int i = 0; i < n->nneeded && !is; i++)
        is = !stmt_values(n->needed[i], find_variable, var);
    return is;
}

static enum walk find_needed_set(const struct pstmt *s, void *arg) {
    const struct nested *n = arg;
    bool needed = s->kind != PS_SPREAD && s->var != NULL && depends_on(n, s->var);
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        needed = needed || depends_on(n, a->acc);
    return needed ? WALK_STOP : WALK_IN;
}

/* Adds the needed ones of a list's assignments up to `end`, the last one first.  False: one is
 * within another statement. */
static bool add_needed(struct nested *n, const struct pstmt *list, const struct pstmt *end) {
    if (list == end)
        return true;
    if (!add_needed(n, list->next, end))
        return false;
    if (list->kind != PS_SET)
        return stmt_walk(list, &(struct plan_visitor){.stmt = find_needed_set, .joined = true}, n);
    if (depends_on(n, list->var))
        n->needed[n->nneeded++] = list;
    return true;
}

static int count_up_to(const struct pstmt *list, const struct pstmt *end) {
    int count = 0;
    for (; list != end; list = list->next)
        count++;
    return count;
}

/* Sets `needed`.  False: it is not known. */
static bool find_needed(struct uc *uc, struct nested *n) {
    int most = 0;
    for (int i = 0; i < n->depth; i++)
        most += count_up_to(n->list[i], n->end[i]);
    n->needed = NEWN(uc, const struct pstmt *, most + 1);
    for (int i = n->depth; i-- > 0;)
        if (!add_needed(n, n->list[i], n->end[i]))
            return false;
    for (int i = 0; i < n->nneeded / 2; i++) {
        const struct pstmt *other = n->needed[n->nneeded - 1 - i];
        n->needed[n->nneeded - 1 - i] = n->needed[i];
        n->needed[i] = other;
    }
    return true;
}

/* ---- ranges of triangles */

/* What a bound, which may be a variable that is set once, before, is. */
static const struct pval *value_of(const struct nested *n, const struct pval *v) {
    bool once = v->kind == PV_VAR && sets_once(n->whole, v->var);
    for (int i = 0; i < n->depth && once; i++)
        for (const struct pstmt *s = n->list[i]; s != n->end[i]; s = s->next)
            if (s->kind == PS_SET && s->var == v->var)
                return s->value;
    return v;
}

/* The range whose index a bound is, with a number more that is not below `least` nor above `most`;
 * NULL: it is no such sum. */
static const struct prange *index_of(const struct nested *n, const struct pval *v, int64_t least,
                                     int64_t most) {
    v = value_of(n, v);
    bool more = v->kind == PV_OP && v->op == OP_ADD && v->args[1]->kind == PV_CONST;
    const struct pval *index = more ? v->args[0] : v;
    int64_t by = more ? (int64_t)v->args[1]->i : 0;
    for (const struct prange *r = n->points; r != NULL && index->kind == PV_VAR; r = r->next)
        if (r->var == index->var && by >= least && by <= most)
            return r;
    return NULL;
}

/* A range by one from 0, or from a number above it, to the end of a dimension. */
static bool is_of_dim(const struct prange *r) {
    return r->lo->kind == PV_CONST && (int64_t)r->lo->i >= 0 && r->step->kind == PV_CONST &&
           r->step->i == 1 && r->hi->kind == PV_DIM;
}

/* The dimension of which all indices of a range are some, whatever is read at them, where it goes
 * from 0 to an index of the points or the one behind it, or from that on to the end; it has half of
 * its points on average.  NULL: it is no such range. */
static const struct pval *triangle_of(const struct nested *n, const struct prange *r) {
    bool by_one = r->step->kind == PV_CONST && r->step->i == 1;
    bool from_0 = r->lo->kind == PV_CONST && r->lo->i == 0, to_end = r->hi->kind == PV_DIM;
    const struct prange *below = from_0 ? index_of(n, r->hi, INT64_MIN, 1) : NULL,
                        *above = to_end ? index_of(n, r->lo, 0, INT32_MAX) : NULL;
    if (by_one && below != NULL && is_of_dim(below))
        return below->hi;
    return by_one && above != NULL && is_of_dim(above) ? r->hi : NULL;
}

/* Stops at a loop in the inner reduction, whose bounds might not be those of a dimension. */
static enum walk find_loop(const struct pstmt *s, void *arg) {
    const struct nested *n = arg;
    bool loop = s->kind == PS_FOR || s->kind == PS_LOOP || s->kind == PS_SPREAD;
    return loop && s != n->inner ? WALK_STOP : WALK_IN;
}

/* Takes the dimension that n->triangle is of, where its index is a subscript of that. */
static enum walk find_subscript(const struct pval *v, void *arg) {
    struct nested *n = arg;
    for (int i = 0; v->kind == PV_ELEM && i < v->nargs; i++) {
        const struct dim *dim = n->plan->operands[v->operand].dims[i];
        if (v->args[i]->kind == PV_VAR && v->args[i]->var == n->triangle->var &&
            dim->index == triangle_of(n, n->triangle)->operand)
            n->whole_of = dim;
    }
    return WALK_IN;
}

/* Sets `triangle` to the range of a triangle of the outer reduction or loop, if there is one, and
 * `whole_of` to the dimension that it is a part of: all of that is computed first.  No loop depends
 * on the index. */
static void find_triangle(struct nested *n, const struct prange *outer) {
    const struct plan_visitor loops = {.stmt = find_loop}, reads = {.value = find_subscript};
    const struct prange *r = n->guarded ? NULL : outer;
    n->whole_of = NULL;
    while (r != NULL && triangle_of(n, r) == NULL)
        r = r->next;
    if (r == NULL || count_dims(n->inner->ranges) > UFC_MAX_POINT_RANGES ||
        !stmt_walk(n->inner, &loops, n))
        return;
    n->triangle = r;
    stmt_walk(n->inner, &reads, n);
    for (int i = 0; i < n->nneeded; i++)
        stmt_values(n->needed[i], find_subscript, n);
    if (n->whole_of != NULL && (n->whole_of->size >= 0 || n->whole_of->expr != NULL))
        n->whole_of = NULL;
}

static bool is_there(const struct nested *n, const struct pval *subscript, const struct dim *dim) {
    bool whole = n->whole_of != NULL && subscript->kind == PV_VAR &&
                 subscript->var == n->triangle->var && dim == n->whole_of;
    return whole || is_in_range(subscript, dim);
}

static enum walk find_outside(const struct pval *v, void *arg) {
    const struct nested *n = arg;
    for (int i = 0; i < v->nargs && v->kind == PV_ELEM; i++)
        if (!is_there(n, v->args[i], n->plan->operands[v->operand].dims[i]))
            return WALK_STOP;
    return v->kind == PV_TABLE ? WALK_STOP : WALK_IN;
}

/* Are all elements that are read there, whatever the sizes and the indices? */
static bool is_in_ranges(struct nested *n) {
    const struct plan_visitor values = {.value = find_outside, .joined = true};
    for (int i = 0; i < n->nneeded; i++)
        if (!stmt_values(n->needed[i], find_outside, n))
            return false;
    return stmt_walk(n->inner, &values, n);
}

/* The range, or, of a triangle, all of its dimension. */
static struct prange *whole_range(struct lower *l, const struct nested *n, const struct prange *r) {
    struct prange *own = NEW(l->uc, struct prange);
    *own = (struct prange){.lo = r->lo, .hi = r->hi, .step = r->step, .var = r->var};
    if (n->whole_of != NULL && r == n->triangle) {
        own->lo = value_new(l, PV_CONST, DT_INT64);
        own->hi = value_new(l, PV_DIM, DT_INT64);
        own->hi->operand = n->whole_of->index;
    }
    return own;
}

/* The indices of the outer reduction or loop. */
static const struct prange *outer_ranges(struct lower *l, const struct nested *n) {
    const struct pstmt *s = n->outer;
    if (s == NULL || s->kind != PS_FOR)
        return s != NULL ? s->ranges : NULL;
    struct prange *r = NEW(l->uc, struct prange);
    *r = (struct prange){.var = s->var, .lo = s->lo, .hi = s->hi, .step = s->step};
    return r;
}

/* Sets `ranges` and `again`.  Where what is read may be out of range but at the points, all ranges
 * count. */
static void find_ranges(struct lower *l, struct nested *n) {
    const struct prange *const lists[] = {n->points, outer_ranges(l, n)};
    struct prange **end = &n->ranges;
    find_triangle(n, lists[1]);
    bool all = !is_in_ranges(n);
    n->anywhere = !all;
    if (all)
        n->whole_of = NULL;
    for (int i = 0; i < 2; i++)
        for (const struct prange *r = lists[i]; r != NULL; r = r->next) {
            bool depends = all || depends_on(n, r->var);
            n->again = n->again || (!depends && i == 0 && r->hi->kind != PV_CONST);
            if (!depends)
                continue;
            *end = whole_range(l, n, r);
            end = &(*end)->next;
        }
}

/* Is a variable set in each iteration of the outer loop before what needs it? */
static bool is_set_again(const struct nested *n, struct pvar *var) {
    for (int i = n->outer_depth; i < n->depth; i++)
        for (const struct pstmt *s = n->list[i]; s != n->end[i]; s = s->next) {
            if (s->kind != PS_SET || !depends_on(n, s->var))
                continue;
            if (!stmt_values(s, find_variable, var))
                return false;
            if (s->var == var)
                return true;
        }
    return false;
}

/* By number, the variables that something other than the inner reduction or loop mentions. */
static const bool *find_shared(struct uc *uc, const struct nested *n) {
    struct pstmt inner = *n->inner, whole = *n->whole;
    inner.next = whole.next = NULL;
    const int *in = count_mentions(uc, n->plan, &inner), *all = count_mentions(uc, n->plan, &whole);
    bool *shared = NEWN(uc, bool, n->plan->nvars + 1);
    for (int i = 0; i < n->plan->nvars; i++)
        shared[i] = in[i] != all[i];
    return shared;
}

/* Does an iteration of the outer loop leave to the next one what the inner one needs, or does it
 * leave the loop, so that what later ones read may not be there? */
static bool is_carried(struct uc *uc, const struct nested *n) {
    if (n->outer == NULL || n->outer->kind != PS_FOR)
        return false;
    const bool *sets = find_written(uc, n->plan, n->outer->body), *shared = find_shared(uc, n);
    for (struct pvar *v = n->plan->vars; v != NULL; v = v->next)
        if (sets[v->id] && shared[v->id] && depends_on(n, v) && !is_set_again(n, v))
            return true;
    return !n->anywhere && !stmt_walk(n->outer, &(struct plan_visitor){.stmt = find_jump}, NULL);
}

/* Whether all depends on the ranges, and on inputs, alone. */
static bool is_apart(struct nested *n) {
    const struct plan_visitor values = {.value = find_dependence, .joined = true},
                              jumps = {.stmt = find_jump};
    for (int i = 0; i < n->nneeded; i++)
        if (!stmt_values(n->needed[i], find_dependence, n))
            return false;
    return stmt_walk(n->inner, &values, n) && stmt_walk(n->inner, &jumps, NULL);
}

static enum walk add_operand(const struct pval *v, void *arg) {
    uint32_t *operands = arg;
    if (v->kind == PV_ELEM && v->operand < UFC_MAX_OPERANDS)
        *operands |= UINT32_C(1) << v->operand;
    return WALK_IN;
}

/* Does a reduction read several arrays?  Then points may share what they read, as tiles do. */
static bool reads_several(const struct pstmt *reduction) {
    uint32_t operands = 0;
    stmt_walk(reduction, &(struct plan_visitor){.value = add_operand}, &operands);
    return (operands & (operands - 1)) != 0;
}

/* Is there another reduction at the definition's points that cannot share the loop of the inner
 * one, which is over whole dimensions? */
static bool is_beside_others(const struct nested *n) {
    if (count_dims(n->inner->ranges) > UFC_MAX_POINT_RANGES || !reads_several(n->inner))
        return false;
    for (const struct pstmt *s = n->whole->body; s != NULL; s = s->next)
        if (is_reduction(s) && s != n->inner && !same_bounds(s->ranges, n->inner->ranges) &&
            constant_points(s->ranges) > UNROLLED_POINTS)
            return true;
    return false;
}

/* Can a reduction that only some points come to be computed for all, and may that be faster?  It
 * ends anywhere, and is one of a square of them, which share what they read. */
static bool is_for_all(const struct nested *n, int dims) {
    const struct plan_visitor loops = {.stmt = find_loop};
    return n->outer != NULL && n->anywhere && dims > 1 && stmt_walk(n->inner, &loops, (void *)n);
}

/* The one variable that the inner reduction or loop leaves; NULL: there are several. */
static struct pvar *find_result(struct uc *uc, const struct nested *n) {
    const struct pacc *accs = n->inner->accs;
    if (accs != NULL)
        return accs->next == NULL ? accs->acc : NULL;
    struct pstmt inner = *n->inner;
    inner.next = NULL;
    const bool *sets = find_written(uc, n->plan, &inner), *shared = find_shared(uc, n);
    struct pvar *result = NULL;
    int count = 0;
    for (struct pvar *v = n->plan->vars; v != NULL; v = v->next)
        if (sets[v->id] && shared[v->id]) {
            result = v;
            count++;
        }
    return count == 1 ? result : NULL;
}

/* How many points the inner reduction or loop has, where that is known. */
static int64_t inner_points(const struct nested *n) {
    const struct prange r = {.lo = n->inner->lo, .hi = n->inner->hi, .step = n->inner->step};
    return constant_points(n->inner->kind == PS_FOR ? &r : n->inner->ranges);
}

/* Whether `inner` can be computed first, and is worth that; sets the other members. */
static bool is_nested(struct lower *l, struct nested *n) {
    n->nneeded = 0;
    n->ranges = NULL;
    n->again = false;
    n->result = inner_points(n) > UNROLLED_POINTS ? find_result(l->uc, n) : NULL;
    if (n->result == NULL || !find_needed(l->uc, n) || !is_apart(n))
        return false;
    find_ranges(l, n);
    if (is_carried(l->uc, n))
        return false;
    int dims = count_dims(n->ranges);
    bool holds = dims == 0 || (dims <= UFC_MAX_POINT_RANGES && dims <= MAX_CORE_RANK);
    bool worth = n->guarded ? is_for_all(n, dims) : n->outer != NULL || is_beside_others(n);
    return holds && (dims == 0 || n->again || worth);
}

static bool find_in(struct lower *l, struct nested *n, struct pstmt *list, int *skip);

/* Is s the next one, or does it contain it?  `skip` are passed over. */
static bool find_at(struct lower *l, struct nested *n, struct pstmt *s, int *skip) {
    if (s->kind == PS_IF) {
        bool guarded = n->guarded;
        n->guarded = true;
        if (find_in(l, n, s->body, skip) || find_in(l, n, s->other, skip))
            return true;
        n->guarded = guarded;
    }
    bool loop = s->kind == PS_FOR && (n->outer != NULL || n->points != NULL);
    if (!is_reduction(s) && !loop)
        return false;
    if (n->outer == NULL) {
        n->outer = s;
        n->outer_depth = n->depth;
        if (find_in(l, n, s->body, skip))
            return true;
        n->outer = NULL;
    }
    n->inner = s;
    return (!loop || n->outer != NULL) && is_nested(l, n) && (*skip)-- == 0;
}

static bool find_in(struct lower *l, struct nested *n, struct pstmt *list, int *skip) {
    if (n->depth == MAX_LISTS_AROUND)
        return false;
    n->list[n->depth++] = list;
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        n->end[n->depth - 1] = s;
        if (find_at(l, n, s, skip))
            return true;
    }
    n->depth--;
    return false;
}

bool find_nested(struct lower *l, struct pstmt *s, int skip, struct nested *n) {
    *n = (struct nested){.whole = s, .plan = l->plan};
    if (s->kind != PS_SPREAD || s->ordered)
        return false;
    n->points = s->accs == NULL ? s->ranges : NULL;
    n->outer = s->accs == NULL ? NULL : s;
    return find_in(l, n, s->body, &skip);
}
