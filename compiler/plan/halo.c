/* halo.c: ordered loops over the steps of a grid, each of whose points depends on neighbours
 * at constant distances: heat, waves, cellular automata.  A block has a part of the grid, with a
 * halo as wide as all steps reach together, in shared memory: it computes the steps alone, though
 * from the halo's edge on, step by step, what it has there is not what it should be.
 *
 * So such elements may only be what others are computed of: they choose no place in an array, and
 * whether inputs are read.  The places of all stores are the points' own, along the axes that are
 * cut. */
#include <stdlib.h>

#include "plan.h"

enum { MAX_REACH = 1 << 10, MAX_INNER = 8 };

/* Whole numbers from lo to hi. */
struct span_of {
    int64_t lo, hi;
};

struct grid {
    struct uc *uc;
    const struct plan *plan;
    struct halo *halo;
    bool *loose;      /* by variable: it is made of elements that are stored to */
    bool conditional; /* whether the statement runs depends on such */
    struct pstmt *spread;
    const struct prange *axis[HALO_AXES];              /* the spread's range along each cut axis */
    enum edge { INSIDE, FIRST, LAST } edge[HALO_AXES]; /* the point is surely there on it */
    const struct dim *dims[HALO_AXES];                 /* of these axes */
    bool partial[HALO_AXES]; /* some definition has but a part of the axis */
    struct {
        const struct pvar *var;
        struct span_of in;
    } inner[MAX_INNER]; /* indices of reductions within points */
    int ninner;
};

static bool is_stored(const struct grid *x, const struct pval *v) {
    return v->kind == PV_ELEM && v->operand < 32 && x->halo->stored >> v->operand & 1;
}

static enum walk find_loose(const struct pval *v, void *arg) {
    const struct grid *x = arg;
    bool loose = is_stored(x, v) || (v->kind == PV_VAR && x->loose[v->var->id]);
    return loose ? WALK_STOP : WALK_IN;
}

/* Is a value, which may be NULL, the same whatever the halo has? */
static bool is_firm(struct grid *x, const struct pval *v) {
    return value_walk(v, find_loose, x);
}

/* ---- subscripts */

/* A number made of constants and of indices of reductions within points. */
static bool find_span(const struct grid *x, const struct pval *v, struct span_of *s) {
    struct span_of a, b;
    if (v->kind == PV_CONST) {
        s->lo = s->hi = (int64_t)v->i;
        return s->lo >= -MAX_REACH && s->lo <= MAX_REACH;
    }
    for (int i = 0; v->kind == PV_VAR && i < x->ninner; i++)
        if (x->inner[i].var == v->var) {
            *s = x->inner[i].in;
            return true;
        }
    if (v->kind != PV_OP || (v->op != OP_ADD && v->op != OP_SUB) || !find_span(x, v->args[0], &a) ||
        !find_span(x, v->args[1], &b))
        return false;
    bool minus = v->op == OP_SUB;
    *s = (struct span_of){a.lo + (minus ? -b.hi : b.lo), a.hi + (minus ? -b.lo : b.hi)};
    return true;
}

static bool is_size(const struct pval *v, const struct dim *dim) {
    return v->kind == PV_DIM && v->operand == dim->index;
}

/* Is v the size of a dimension, and a number? */
static bool is_from_end(const struct pval *v, const struct dim *dim, int64_t *by) {
    bool sum = v->kind == PV_OP && (v->op == OP_SUB || v->op == OP_ADD) &&
               is_size(v->args[0], dim) && v->args[1]->kind == PV_CONST &&
               llabs((int64_t)v->args[1]->i) <= MAX_REACH;
    *by = !sum ? 0 : v->op == OP_SUB ? -(int64_t)v->args[1]->i : (int64_t)v->args[1]->i;
    return sum;
}

/* Is v the last index along an axis? */
static bool is_last(const struct pval *v, const struct dim *dim) {
    int64_t by;
    return is_from_end(v, dim, &by) && by == -1;
}

/* Does a range have all indices of a dimension? */
static bool covers(const struct prange *r, const struct dim *dim) {
    return r->lo->kind == PV_CONST && r->lo->i == 0 && is_size(r->hi, dim) &&
           r->step->kind == PV_CONST && r->step->i == 1;
}

/* Whether a condition says that the index of an axis, which has all its indices, is the first or
 * the last of them. */
static enum edge find_edge(const struct grid *x, const struct pval *v, bool holds, int axis,
                           const struct dim *dim) {
    const struct prange *r = x->axis[axis];
    if (v->kind == PV_OP && v->op == OP_LNOT)
        return find_edge(x, v->args[0], !holds, axis, dim);
    if (v->kind != PV_OP || v->nargs != 2 || v->args[0]->kind != PV_VAR ||
        v->args[0]->var != r->var || !covers(r, dim))
        return INSIDE;
    const struct pval *to = v->args[1];
    bool equal = v->op == (holds ? OP_EQ : OP_NE);
    bool zero = to->kind == PV_CONST && to->i == 0, one = to->kind == PV_CONST && to->i == 1;
    if ((zero && (equal || v->op == (holds ? OP_LE : OP_GT))) ||
        (one && v->op == (holds ? OP_LT : OP_GE)))
        return FIRST;
    return is_last(to, dim) && (equal || v->op == (holds ? OP_GE : OP_LT)) ? LAST : INSIDE;
}

/* How far a place at an edge is from the index, which is at one. */
static bool find_edge_distance(struct grid *x, const struct pval *v, int axis,
                               const struct dim *dim, struct span_of *s) {
    int64_t by;
    bool from_end = is_from_end(v, dim, &by);
    if (x->edge[axis] == INSIDE || (!from_end && v->kind != PV_CONST))
        return false;
    by = from_end ? by : (int64_t)v->i;
    if (by < -MAX_REACH || by > MAX_REACH || from_end != (by < 0))
        return false;
    bool around = from_end == (x->edge[axis] == FIRST);
    x->halo->wraps[axis] = x->halo->wraps[axis] || around;
    by = x->edge[axis] == LAST ? by + 1 : by; /* n - 1 is at distance 0 of the last, n of 0 */
    *s = (struct span_of){by, by};
    return true;
}

static bool find_distance(struct grid *x, const struct pval *v, int axis, const struct dim *dim,
                          struct span_of *s);

/* The same of one of two places, by a condition. */
static bool find_chosen_distance(struct grid *x, const struct pval *v, int axis,
                                 const struct dim *dim, struct span_of *s) {
    struct span_of other;
    enum edge outer = x->edge[axis], edge[2] = {find_edge(x, v->args[0], true, axis, dim),
                                                find_edge(x, v->args[0], false, axis, dim)};
    x->edge[axis] = edge[0] != INSIDE ? edge[0] : outer;
    bool is = is_firm(x, v->args[0]) && find_distance(x, v->args[1], axis, dim, s);
    x->edge[axis] = edge[1] != INSIDE ? edge[1] : outer;
    is = is && find_distance(x, v->args[2], axis, dim, &other);
    x->edge[axis] = outer;
    s->lo = is && other.lo < s->lo ? other.lo : s->lo;
    s->hi = is && other.hi > s->hi ? other.hi : s->hi;
    return is;
}

/* How far from the index of an axis's range a subscript is.  Bounds of the array only bring it
 * nearer, since the index is within them. */
static bool find_distance(struct grid *x, const struct pval *v, int axis, const struct dim *dim,
                          struct span_of *s) {
    struct span_of by;
    if (find_edge_distance(x, v, axis, dim, s))
        return true;
    if (v->kind == PV_SELECT)
        return find_chosen_distance(x, v, axis, dim, s);
    if (v->kind == PV_OP && v->op == OP_MOD && v->direct != NULL && is_size(v->args[1], dim)) {
        x->halo->wraps[axis] = true;
        return find_distance(x, v->direct, axis, dim, s);
    }
    if (v->kind == PV_VAR && v->var == x->axis[axis]->var) {
        *s = (struct span_of){0, 0};
        return true;
    }
    if (v->kind == PV_CALL && (v->builtin->id == B_MIN || v->builtin->id == B_MAX)) {
        for (int i = 0; i < 2; i++) {
            const struct pval *bound = v->args[1 - i];
            bool fits = v->builtin->id == B_MIN ? is_last(bound, dim)
                                                : bound->kind == PV_CONST && bound->i == 0;
            if (fits && find_distance(x, v->args[i], axis, dim, s)) {
                s->lo = s->lo < 0 ? s->lo : 0;
                s->hi = s->hi > 0 ? s->hi : 0;
                return true;
            }
        }
        return false;
    }
    if (v->kind != PV_OP || (v->op != OP_ADD && v->op != OP_SUB))
        return false;
    for (int i = 0; i < (v->op == OP_ADD ? 2 : 1); i++)
        if (find_distance(x, v->args[i], axis, dim, s) && find_span(x, v->args[1 - i], &by)) {
            bool minus = v->op == OP_SUB;
            s->lo += minus ? -by.hi : by.lo;
            s->hi += minus ? -by.lo : by.hi;
            return true;
        }
    return false;
}

static bool add_reach(struct grid *x, const struct pval *v) {
    const struct halo *h = x->halo;
    const struct poperand *o = &x->plan->operands[v->operand];
    struct span_of s;
    for (int i = 0; i < v->nargs; i++) {
        if (i >= h->naxes) {
            if (!is_firm(x, v->args[i]))
                return false;
            continue;
        }
        if (x->spread == NULL || !find_distance(x, v->args[i], i, o->dims[i], &s))
            return false;
        int64_t far = -s.lo > s.hi ? -s.lo : s.hi;
        if (far > (x->conditional ? 0 : MAX_REACH)) /* there may be no such element */
            return false;
        x->halo->reach[i] = far > h->reach[i] ? far : h->reach[i];
    }
    return true;
}

/* ---- values and statements */

static enum walk check_value(const struct pval *v, void *arg) {
    struct grid *x = arg;
    if (v->kind != PV_ELEM && v->kind != PV_TABLE)
        return WALK_IN;
    if (v->kind == PV_ELEM && (v->operand >= x->plan->noperands || v->checked != 0))
        return WALK_STOP;
    if (is_stored(x, v))
        return add_reach(x, v) ? WALK_IN : WALK_STOP;
    bool firm = v->kind == PV_TABLE || !x->conditional;
    for (int i = 0; i < v->nargs; i++)
        firm = firm && is_firm(x, v->args[i]);
    return firm ? WALK_IN : WALK_STOP;
}

static bool check_values(struct grid *x, const struct pval *v) {
    return value_walk(v, check_value, x);
}

/* A store to the point's own place. */
static bool check_put(struct grid *x, const struct pstmt *s) {
    const struct pval *place = s->place;
    bool own = !s->merged && x->spread != NULL && check_values(x, s->value);
    for (int i = 0; own && i < place->nargs; i++)
        own = i < x->halo->naxes
                  ? place->args[i]->kind == PV_VAR && place->args[i]->var == x->axis[i]->var
                  : is_firm(x, place->args[i]);
    return own;
}

static bool check_list(struct grid *x, struct pstmt *list);

/* A reduction, or a loop, of constant ranges within points. */
static bool check_inner(struct grid *x, struct pstmt *s) {
    const struct prange own = {.var = s->var, .lo = s->lo, .hi = s->hi, .step = s->step};
    int before = x->ninner;
    bool is = true;
    for (const struct prange *r = s->kind == PS_FOR ? &own : s->ranges; is && r != NULL;
         r = r->next) {
        is = r->lo->kind == PV_CONST && r->hi->kind == PV_CONST && r->step->kind == PV_CONST &&
             r->step->i == 1 && x->ninner < MAX_INNER;
        if (is)
            x->inner[x->ninner++] =
                (__typeof__(x->inner[0])){r->var, {(int64_t)r->lo->i, (int64_t)r->hi->i - 1}};
    }
    for (int turn = 0; turn < 2 && is; turn++)
        is = check_list(x, s->body);
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        x->loose[a->acc->id] = true;
    x->ninner = before;
    return is;
}

static bool check_if(struct grid *x, struct pstmt *s) {
    bool outer = x->conditional, is = check_values(x, s->value);
    struct pstmt *const lists[2] = {s->body, s->other};
    x->conditional = outer || !is_firm(x, s->value);
    for (int k = 0; is && k < 2; k++) {
        enum edge before[HALO_AXES];
        for (int i = 0; i < x->halo->naxes; i++) {
            enum edge own = find_edge(x, s->value, k == 0, i, x->dims[i]);
            before[i] = x->edge[i];
            x->edge[i] = own != INSIDE ? own : before[i];
        }
        is = check_list(x, lists[k]);
        for (int i = 0; i < x->halo->naxes; i++)
            x->edge[i] = before[i];
    }
    x->conditional = outer;
    return is;
}

static const struct pstmt *first_put(const struct pstmt *s) {
    const struct pstmt *found = NULL;
    for (; s != NULL && found == NULL; s = s->next)
        found = s->kind == PS_PUT  ? s
                : s->kind == PS_IF ? (first_put(s->body) ? first_put(s->body) : first_put(s->other))
                                   : NULL;
    return found;
}

/* A definition of points along the axes that are cut. */
static bool check_points(struct grid *x, struct pstmt *s) {
    const struct pstmt *put = first_put(s->body);
    bool is = s->accs == NULL && !s->merged && put != NULL && !is_single(s);
    for (int i = 0; is && i < x->halo->naxes; i++) {
        struct prange *r = s->ranges;
        while (r != NULL &&
               !(put->place->args[i]->kind == PV_VAR && put->place->args[i]->var == r->var))
            r = r->next;
        is = r != NULL && r->step->kind == PV_CONST && r->step->i == 1 &&
             (i == 0 || r != x->axis[0]);
        x->axis[i] = r;
        x->edge[i] = INSIDE;
        x->partial[i] = x->partial[i] || !is || !covers(r, x->dims[i]);
    }
    for (const struct prange *r = s->ranges; is && r != NULL; r = r->next)
        is = is_firm(x, r->lo) && is_firm(x, r->hi) && is_firm(x, r->step);
    x->spread = s;
    is = is && check_list(x, s->body);
    x->spread = NULL;
    return is;
}

static bool check_list(struct grid *x, struct pstmt *list) {
    bool is = true;
    for (struct pstmt *s = list; is && s != NULL; s = s->next)
        switch (s->kind) {
        case PS_SET:
            is = check_values(x, s->value) && (x->spread != NULL || is_firm(x, s->value));
            x->loose[s->var->id] = x->loose[s->var->id] || x->conditional || !is_firm(x, s->value);
            break;
        case PS_PUT: is = check_put(x, s); break;
        case PS_IF: is = x->spread != NULL && check_if(x, s); break;
        case PS_SPREAD:
            is = x->spread != NULL ? s->accs != NULL && check_inner(x, s) : check_points(x, s);
            break;
        case PS_FOR: is = x->spread != NULL && s->accs == NULL && check_inner(x, s); break;
        default: return false;
        }
    return is;
}

/* ---- the body */

/* Adds the reach of a list's definitions to a sum, each that of its own. */
static bool add_list(struct grid *x, struct pstmt *list, const struct pstmt *end, int64_t *sum) {
    struct halo *h = x->halo;
    for (struct pstmt *s = list; s != end; s = s->next) {
        struct pstmt *next = s->next;
        h->reach[0] = h->reach[1] = 0;
        s->next = NULL;
        bool is = check_list(x, s);
        s->next = next;
        if (!is)
            return false;
        for (int i = 0; i < h->naxes; i++) {
            sum[i] += h->reach[i];
            h->pad[i] = h->reach[i] > h->pad[i] ? h->reach[i] : h->pad[i];
        }
    }
    return true;
}

static bool find_turns(struct grid *x, const struct pstmt *loop) {
    struct pval n = {.kind = PV_OP, .op = OP_SUB, .dtype = DT_INT64, .nargs = 2};
    n.args[0] = loop->hi;
    n.args[1] = loop->lo;
    x->halo->turns = NEWN(x->uc, struct ufc_term, UFC_MAX_TERMS);
    return loop->step->kind == PV_CONST && loop->step->i == 1 && loop->accs == NULL &&
           loop->shared == NULL && value_terms(&n, x->halo->turns, &x->halo->nturns);
}

static enum walk add_stored(const struct pstmt *s, void *stored) {
    if (s->kind == PS_PUT && s->place->operand < 32)
        *(uint32_t *)stored |= UINT32_C(1) << s->place->operand;
    return WALK_IN;
}

/* How often an array is mentioned. */
struct uses {
    int operand, n;
};

static enum walk count_use(const struct pval *v, void *arg) {
    struct uses *u = arg;
    u->n += v->kind == PV_ELEM && v->operand == u->operand;
    return WALK_IN;
}

/* Does a definition that mentions array k once store to each of its elements? */
static bool fills(const struct plan *p, const struct pstmt *s, int k) {
    const struct pstmt *put = s->kind == PS_SPREAD ? s->body : NULL;
    while (put != NULL && !(put->kind == PS_PUT && put->place->operand == k))
        put = put->next;
    const struct prange *taken[MAX_CORE_RANK];
    bool all = put != NULL;
    for (int i = 0; all && i < p->operands[k].rank; i++) {
        const struct pval *v = put->place->args[i];
        const struct prange *r = s->ranges;
        while (r != NULL && !(v->kind == PV_VAR && v->var == r->var))
            r = r->next;
        taken[i] = r;
        all = r != NULL && covers(r, p->operands[k].dims[i]);
        for (int other = 0; all && other < i; other++)
            all = taken[other] != r;
    }
    return all;
}

/* Has array k a value at each element before any is read, if the loop has an iteration? */
static bool is_filled(const struct plan *p, int k) {
    const struct plan_visitor count = {.value = count_use};
    for (const struct pstmt *s = p->body->body; s != NULL;
         s = s->kind == PS_FOR ? s->body : s->next) {
        struct uses u = {.operand = k};
        if (s->kind != PS_FOR)
            stmt_walk(s, &count, &u);
        if (u.n > 0)
            return u.n == 1 && fills(p, s, k);
    }
    return false;
}

/* Have the arrays that are stored to, all outputs among them, the same axes, and a value at each
 * element? */
static bool find_arrays(struct grid *x) {
    const struct plan *p = x->plan;
    uint32_t stored = 0, inputs = (UINT32_C(1) << p->nin) - 1;
    const struct poperand *first = NULL;
    plan_walk(p->body->body, &(struct plan_visitor){.stmt = add_stored}, &stored);
    if (p->nlocals > 0 || p->noperands > 31 || p->nin == p->noperands || stored & inputs)
        return false;
    for (int k = p->nin; k < p->noperands; k++) {
        const struct poperand *o = &p->operands[k];
        bool is = stored >> k & 1;
        if (!is && k < p->nin + p->overload->nout)
            return false;
        if (!is)
            continue;
        first = first == NULL ? o : first;
        if (o->rank == 0 || o->rank != first->rank ||
            (p->overload->inst->unwritten >> (k - p->nin) & 1 && !is_filled(p, k)))
            return false;
        for (int i = 0; i < o->rank; i++)
            if (o->dims[i] != first->dims[i])
                return false;
    }
    x->halo->stored = stored;
    x->halo->naxes = first == NULL ? 0 : first->rank < HALO_AXES ? first->rank : HALO_AXES;
    for (int i = 0; i < x->halo->naxes; i++)
        x->dims[i] = first->dims[i], x->halo->dims[i] = first->dims[i]->index;
    return first != NULL;
}

static void mark_ranges(const struct halo *h, struct pstmt *list) {
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        const struct pstmt *put = s->kind == PS_SPREAD ? first_put(s->body) : NULL;
        for (struct prange *r = put != NULL ? s->ranges : NULL; r != NULL; r = r->next)
            for (int i = 0; i < h->naxes; i++)
                if (put->place->args[i]->var == r->var)
                    r->cut = i + 1;
        if (s->kind == PS_FOR)
            mark_ranges(h, s->body);
    }
}

void find_halo(struct uc *uc, struct plan *p) {
    struct halo *h = NEW(uc, struct halo);
    struct grid x = {.uc = uc, .plan = p, .halo = h, .loose = NEWN(uc, bool, p->nvars + 1)};
    struct pstmt *body = p->body->body, *loop = body;
    while (loop != NULL && loop->kind != PS_FOR)
        loop = loop->next;
    if (p->checked || loop == NULL || !find_arrays(&x) || !find_turns(&x, loop) ||
        !is_firm(&x, loop->lo) || !is_firm(&x, loop->hi) || !add_list(&x, body, loop, h->outside) ||
        !add_list(&x, loop->body, NULL, h->each) || !add_list(&x, loop->next, NULL, h->outside))
        return;
    for (int i = 0; i < h->naxes; i++)
        if (h->wraps[i] && x.partial[i])
            return;
    mark_ranges(h, body);
    p->map.halo = h;
}
