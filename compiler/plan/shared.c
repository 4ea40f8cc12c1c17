/* shared.c: whether the iterations of an ordered loop may run in any order, such as those over
 * a column in a factorisation.
 *
 * Each variable that an iteration sets is its own: set before it is read, and not read outside of
 * the loop; so is each local array, which is cleared first.  Each element that an iteration stores
 * is accessed by no other: of two accesses some subscript grows with the loop's index by more than
 * the two may differ otherwise; or some subscript of one is always below that of the other, as the
 * ranges of the indices tell. */
#include <stdlib.h>

#include "radix.h"

/* ---- variables and local arrays */

int count_owned(const struct plan *p) {
    return p->nvars + p->nlocals;
}

/* The number of a local array among them. */
static int owned_array(const struct plan *p, int operand) {
    return p->nvars + operand - p->noperands;
}

struct writes {
    const struct plan *plan;
    bool *written;
};

static enum walk add_written(const struct pstmt *s, void *arg) {
    const struct writes *w = arg;
    if (s->turned)
        plan_walk(s->shared, &(struct plan_visitor){.stmt = add_written}, arg);
    if (s->var != NULL)
        w->written[s->var->id] = true;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        w->written[r->var->id] = true;
    if ((s->kind == PS_PUT || s->kind == PS_CLEAR) && s->operand >= w->plan->noperands)
        w->written[owned_array(w->plan, s->operand)] = true;
    return WALK_IN;
}

/* Whether the iteration may read what has this number. */
static bool is_readable(const struct candidate *c, int owned) {
    return !c->written[owned] || c->set[owned];
}

bool may_be_stored(const struct plan *p, const struct pval *v) {
    return v->kind == PV_ELEM && v->operand < p->noperands && p->operands[v->operand].is_output;
}

static enum walk check_value(const struct pval *v, void *arg) {
    struct candidate *c = arg;
    if (v->kind == PV_VAR)
        return is_readable(c, v->var->id) ? WALK_IN : WALK_STOP;
    if (v->kind != PV_ELEM)
        return WALK_IN;
    if (v->operand >= c->plan->noperands)
        return is_readable(c, owned_array(c->plan, v->operand)) ? WALK_IN : WALK_STOP;
    if (!may_be_stored(c->plan, v))
        return WALK_IN;
    if (c->nplaces == MAX_PLACES)
        return WALK_STOP;
    c->stored[c->nplaces] = false;
    c->merged[c->nplaces] = -1;
    c->guard[c->nplaces] = c->guards;
    c->within[c->nplaces] = c->loops;
    c->place[c->nplaces++] = v;
    return WALK_IN;
}

/* Notes which of the places from `first` on, those of s, are stored to, and which only merged. */
static void mark_places(struct candidate *c, const struct pstmt *s, int first) {
    int merge = merge_of(s);
    for (int i = first; i < c->nplaces; i++) {
        if (s->sole && c->place[i] == s->place) { /* as if it were none that clashes */
            c->stored[i] = false;
            continue;
        }
        c->stored[i] = c->place[i] == s->place;
        if (merge >= 0 && (c->stored[i] || c->place[i] == merged_place(s)))
            c->merged[i] = merge;
    }
}

static bool is_private(struct candidate *c, struct uc *uc, const struct pstmt *list);

/* is_private of a list that may not run. */
static bool is_private_within(struct candidate *c, struct uc *uc, const struct pstmt *list) {
    int n = count_owned(c->plan);
    bool *outer = c->set, *inner = NEWN(uc, bool, n + 1);
    for (int i = 0; i < n; i++)
        inner[i] = outer[i];
    c->set = inner;
    bool is = is_private(c, uc, list);
    c->set = outer;
    return is;
}

/* The same of a conditional's, behind which is set what both of its lists set. */
static bool are_private(struct candidate *c, struct uc *uc, const struct pstmt *s) {
    const struct pstmt *const list[2] = {s->body, s->other};
    const struct guard *guards = c->guards;
    bool *outer = c->set, *inner[2], is = true;
    int n = count_owned(c->plan);
    for (int k = 0; k < 2; k++) {
        inner[k] = NEWN(uc, bool, n + 1);
        for (int i = 0; i < n; i++)
            inner[k][i] = outer[i];
        struct guard *own = NEW(uc, struct guard);
        *own = (struct guard){s->value, k == 0, guards};
        c->set = inner[k];
        c->guards = own;
        is = is && is_private(c, uc, list[k]);
    }
    c->set = outer;
    c->guards = guards;
    for (int i = 0; i < n; i++)
        outer[i] = inner[0][i] && inner[1][i];
    return is;
}

/* The same of a block's, which may be left. */
static bool is_private_block(struct candidate *c, struct uc *uc, const struct pstmt *block) {
    struct blocks own = {block, c->blocks};
    c->blocks = &own;
    bool is = is_private_within(c, uc, block->body);
    c->blocks = own.outer;
    return is;
}

static bool stays_inside(const struct candidate *c, const struct pstmt *leave) {
    const struct blocks *b = c->blocks;
    while (b != NULL && b->block != leave->target)
        b = b->outer;
    return b != NULL;
}

/* The same of a loop's. */
static bool is_private_loop(struct candidate *c, struct uc *uc, const struct pstmt *loop) {
    if (c->nindices == MAX_INDICES)
        return false;
    c->index[c->nindices++] = loop;
    struct loops *own = NEW(uc, struct loops);
    *own = (struct loops){loop, c->loops};
    bool before = c->set[loop->var->id];
    c->set[loop->var->id] = true;
    c->loops = own;
    bool is = is_private_within(c, uc, loop->body);
    c->loops = own->outer;
    c->set[loop->var->id] = before;
    return is;
}

/* A variable that is set, whose value subscripts and bounds may have. */
static void add_setting(struct candidate *c, const struct pstmt *s) {
    const struct pstmt *one = c->sets != NULL ? loop_of_set(c->sets, s) : NULL;
    c->set[s->var->id] = true;
    if (one != NULL && c->nindices < MAX_INDICES - FOOTPRINT_INDICES) /* room for loops is left */
        c->index[c->nindices++] = one;
}

/* Whether what an iteration does in the list concerns that iteration's variables alone.  Collects
 * the elements that it accesses. */
static bool is_private(struct candidate *c, struct uc *uc, const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        int first = c->nplaces;
        bool is = s->kind == PS_SPREAD || stmt_values(s, check_value, c);
        switch (s->kind) {
        case PS_SET: add_setting(c, s); break;
        case PS_CLEAR: c->set[owned_array(c->plan, s->operand)] = true; break;
        case PS_PUT: break;
        case PS_IF: is = is && are_private(c, uc, s); break;
        case PS_LOOP: is = is_private_within(c, uc, s->body); break;
        case PS_BLOCK: is = is_private_block(c, uc, s); break;
        case PS_LEAVE: is = stays_inside(c, s); break;
        case PS_FOR: is = is && is_private_loop(c, uc, s); break;
        case PS_SPREAD: is = is_private(c, uc, s->serial); break;
        default: return false;
        }
        if (!is)
            return false;
        if (s->kind == PS_PUT)
            mark_places(c, s, first);
    }
    return true;
}

/* ---- subscripts */

static bool add_summand(struct linear *l, const struct pvar *var, int dim, int64_t times) {
    int i = 0;
    while (i < l->n && (l->of[i].var != var || l->of[i].dim != dim))
        i++;
    if (i == MAX_SUMMANDS)
        return false;
    if (i == l->n) {
        l->of[i].var = var;
        l->of[i].dim = dim;
        l->times[l->n++] = 0;
    }
    l->times[i] += times;
    return true;
}

/* The loop of the candidate whose index v is; -1: none. */
static int index_of(const struct candidate *c, const struct pvar *v) {
    int i = c->nindices - 1;
    while (i >= 0 && c->index[i]->var != v)
        i--;
    return i;
}

static bool add_value(const struct candidate *c, struct linear *l, const struct pval *v,
                      int64_t times, int dim);

/* Adds a product of v with a constant or a dimension, multiplied as add_value has it. */
static bool add_product(const struct candidate *c, struct linear *l, const struct pval *v,
                        const struct pval *by, int64_t times, int dim) {
    if (by->kind == PV_DIM)
        return dim < 0 && add_value(c, l, v, times, by->operand);
    return by->kind == PV_CONST && llabs((int64_t)by->i) <= MAX_FACTOR &&
           llabs(times) <= MAX_FACTOR && add_value(c, l, v, times * (int64_t)by->i, dim);
}

/* Adds v, multiplied by `times` and by a dimension; dim -1: by none. */
static bool add_value(const struct candidate *c, struct linear *l, const struct pval *v,
                      int64_t times, int dim) {
    switch (v->kind) {
    case PV_CONST:
        if (dim < 0)
            l->plus += times * (int64_t)v->i;
        return llabs((int64_t)v->i) <= INT32_MAX &&
               (dim < 0 || add_summand(l, NULL, dim, times * (int64_t)v->i));
    case PV_DIM: return dim < 0 && add_summand(l, NULL, v->operand, times);
    case PV_VAR:
        return v->dtype == DT_INT64 && (!c->written[v->var->id] || index_of(c, v->var) >= 0) &&
               add_summand(l, v->var, dim, times);
    case PV_CAST: /* which keeps the number of any variable but a uint64 */
        return v->dtype == DT_INT64 && v->args[0]->kind == PV_VAR &&
               is_integer(v->args[0]->dtype) && v->args[0]->dtype != DT_UINT64 &&
               !c->written[v->args[0]->var->id] && add_summand(l, v->args[0]->var, dim, times);
    case PV_OP:
        if (v->op == OP_NEG)
            return add_value(c, l, v->args[0], -times, dim);
        if (v->op == OP_MUL)
            return add_product(c, l, v->args[0], v->args[1], times, dim) ||
                   add_product(c, l, v->args[1], v->args[0], times, dim);
        return (v->op == OP_ADD || v->op == OP_SUB) && add_value(c, l, v->args[0], times, dim) &&
               add_value(c, l, v->args[1], v->op == OP_SUB ? -times : times, dim);
    default: return false;
    }
}

bool linear_of(const struct candidate *c, const struct pval *v, struct linear *l) {
    *l = (struct linear){.n = 0};
    return add_value(c, l, v, 1, -1);
}

/* The place of a loop's index among a sum's summands; l->n: it is not there.  Nor is it twice,
 * else -1. */
int linear_place(const struct linear *l, const struct pvar *index) {
    int at = l->n;
    for (int i = 0; i < l->n; i++)
        if (l->of[i].var == index && l->times[i] != 0)
            at = at == l->n ? i : -1;
    return at;
}

bool linear_subtract(struct linear *a, const struct linear *b) {
    a->plus -= b->plus;
    for (int i = 0; i < b->n; i++)
        if (!add_summand(a, b->of[i].var, b->of[i].dim, -b->times[i]))
            return false;
    return true;
}

bool linear_is_number(const struct linear *l) {
    bool is = true;
    for (int i = 0; i < l->n; i++)
        is = is && l->times[i] == 0;
    return is;
}

/* Whether a sum is 0 or more whatever its summands are: dimensions are 0 or more. */
static bool never_negative(const struct linear *l) {
    for (int i = 0; i < l->n; i++)
        if (l->times[i] < 0 || (l->times[i] > 0 && l->of[i].var != NULL))
            return false;
    return l->plus >= 0;
}

/* Replaces the index of a loop, a summand, by its least or greatest value. */
static bool take_extreme(const struct candidate *c, const struct pstmt *s, int at, bool greatest,
                         struct linear *l) {
    int64_t times = l->times[at];
    int dim = l->of[at].dim;
    bool up = s->step->kind == PV_CONST && (int64_t)s->step->i > 0;
    bool high = greatest == (times > 0), first = high != up;
    int64_t plus = first ? 0 : high ? -times : times;
    l->times[at] = 0;
    l->plus += dim < 0 ? plus : 0;
    return s->step->kind == PV_CONST && add_value(c, l, first ? s->lo : s->hi, times, dim) &&
           (dim < 0 || add_summand(l, NULL, dim, plus));
}

/* The same of the indices of loops first … end - 1. */
bool linear_extreme(const struct candidate *c, int first_loop, int end, bool greatest,
                    struct linear *l) {
    for (int i = end; i-- > first_loop;)
        for (int at = 0; at < l->n; at++)
            if (l->of[at].var == c->index[i]->var && l->times[at] != 0 &&
                !take_extreme(c, c->index[i], at, greatest, l))
                return false;
    return true;
}

bool linear_never_negative(const struct candidate *c, struct linear l) {
    return never_negative(&l) || (linear_extreme(c, 0, c->own, false, &l) && never_negative(&l));
}

bool is_always_within(const struct candidate *c, const struct pval *v, const struct dim *dim) {
    struct linear least, greatest, room;
    if (v->dtype != DT_INT64 || !linear_of(c, v, &least))
        return false;
    greatest = least;
    if (!linear_extreme(c, 0, c->nindices, false, &least) ||
        !linear_extreme(c, 0, c->nindices, true, &greatest) || !linear_of_size(dim, &room) ||
        !linear_subtract(&room, &greatest))
        return false;
    room.plus--;
    return never_negative(&least) && never_negative(&room);
}

/* Whether a is below b for all indices. */
static bool is_below(const struct candidate *c, const struct linear *a, const struct linear *b) {
    struct linear greatest = *a, least = *b;
    if (!linear_extreme(c, c->own, c->nindices, true, &greatest) ||
        !linear_extreme(c, c->own, c->nindices, false, &least) ||
        !linear_subtract(&least, &greatest))
        return false;
    least.plus--;
    return linear_never_negative(c, least);
}

/* Is the loop's index none of a sum's summands? */
bool is_without(const struct candidate *c, const struct linear *l) {
    return linear_place(l, c->loop->var) == l->n;
}

/* Whether b is below a + step for all indices of loops in the loop, whose bounds do not depend on
 * the loop's index: it is another one in a than in b. */
static bool is_within(const struct candidate *c, struct linear a, struct linear b,
                      const struct linear *step) {
    struct linear minus = {.n = 0};
    if (!linear_extreme(c, c->own + 1, c->nindices, false, &a) ||
        !linear_extreme(c, c->own + 1, c->nindices, true, &b) || !is_without(c, &a) ||
        !is_without(c, &b) || !linear_subtract(&a, &b) || !linear_subtract(&minus, step) ||
        !linear_subtract(&a, &minus))
        return false;
    a.plus--;
    return linear_never_negative(c, a);
}

/* Whether a and b both grow by a step with the loop's index, and differ by less otherwise. */
static bool are_strided(const struct candidate *c, struct linear a, struct linear b) {
    int i = linear_place(&a, c->loop->var), k = linear_place(&b, c->loop->var);
    if (c->loop->step->kind != PV_CONST || i < 0 || k < 0 || i == a.n || k == b.n ||
        a.times[i] != b.times[k] || a.of[i].dim != b.of[k].dim)
        return false;
    struct linear step = {.n = 0};
    int64_t times = llabs(a.times[i] * (int64_t)c->loop->step->i);
    if (a.of[i].dim < 0)
        step.plus = times;
    else
        add_summand(&step, NULL, a.of[i].dim, times);
    a.times[i] = b.times[k] = 0;
    return is_within(c, a, b, &step) && is_within(c, b, a, &step);
}

/* Whether a sum has indices of loops in the loop, which may be others in another iteration. */
bool has_inner_index(const struct candidate *c, const struct linear *l) {
    for (int i = 0; i < l->n; i++)
        if (l->of[i].var != NULL && l->times[i] != 0 && index_of(c, l->of[i].var) > c->own)
            return true;
    return false;
}

/* By how much the loop's index is greater in b than in a where these are equal.  False: that is not
 * known, or they never are. */
static bool find_difference(struct linear a, const struct linear *b, const struct pvar *index,
                            int64_t *difference) {
    int i = linear_place(&a, index), k = linear_place(b, index);
    if (i < 0 || k < 0 || i == a.n || k == b->n || a.of[i].dim >= 0 || b->of[k].dim >= 0 ||
        a.times[i] != b->times[k])
        return false;
    int64_t times = a.times[i];
    bool number = linear_subtract(&a, b);
    for (i = 0; i < a.n; i++)
        number = number && a.times[i] == 0;
    *difference = number ? a.plus / times : 0;
    return number && a.plus % times == 0;
}

/* Whether no two different iterations access the same element by a and b. */
static bool are_apart(const struct candidate *c, const struct pval *a, const struct pval *b) {
    int64_t difference = 0, other;
    bool known = false;
    for (int i = 0; i < a->nargs; i++) {
        struct linear x, y;
        if (!linear_of(c, a->args[i], &x) || !linear_of(c, b->args[i], &y))
            continue;
        if (are_strided(c, x, y) || is_below(c, &x, &y) || is_below(c, &y, &x))
            return true;
        if (has_inner_index(c, &x) || !find_difference(x, &y, c->loop->var, &other))
            continue;
        if (known && other != difference) /* as along an antidiagonal */
            return true;
        difference = other;
        known = true;
    }
    return false;
}

/* ---- footprints */

/* A context in which subscripts of the region are sums of indices. */
static struct candidate footprint_context(const struct plan *p, const struct footprint *r,
                                          bool *written) {
    struct candidate c = {.plan = p, .written = written};
    for (const struct enclosing *e = r->around; e != NULL && c.own < FOOTPRINT_INDICES;
         e = e->outer)
        c.own++;
    const struct enclosing *e = r->around;
    for (int i = c.own; i-- > 0; e = e->outer)
        c.index[i] = e->loop;
    c.nindices = c.own;
    for (int i = 0; i < r->n; i++)
        c.index[c.nindices++] = r->index[i];
    return c;
}

/* Is subscript a of one region below subscript b of another one, in the same iteration of the loops
 * around both? */
static bool is_all_below(const struct candidate *ca, const struct pval *a,
                         const struct candidate *cb, const struct pval *b) {
    struct linear greatest, least;
    if (!linear_of(ca, a, &greatest) || !linear_of(cb, b, &least) ||
        !linear_extreme(ca, ca->own, ca->nindices, true, &greatest) ||
        !linear_extreme(cb, cb->own, cb->nindices, false, &least) ||
        !linear_subtract(&least, &greatest))
        return false;
    least.plus--;
    return linear_never_negative(ca, least);
}

/* The longer of the lists of loops around two statements, of which the other one is the end: what
 * is set between the two stands there as a loop.  NULL: they are around different lists. */
static const struct enclosing *longer(const struct enclosing *a, const struct enclosing *b) {
    const struct enclosing *in_a = a, *in_b = b;
    while (in_a != NULL && in_a != b)
        in_a = in_a->outer;
    while (in_b != NULL && in_b != a)
        in_b = in_b->outer;
    return in_a == b ? a : in_b == a ? b : NULL;
}

bool are_footprints_apart(const struct plan *p, bool *written, const struct footprint *a,
                          const struct footprint *b) {
    struct footprint x = *a, y = *b;
    x.around = y.around = longer(a->around, b->around);
    if (x.around == NULL || a->n > FOOTPRINT_INDICES || b->n > FOOTPRINT_INDICES)
        return false;
    const struct candidate ca = footprint_context(p, &x, written),
                           cb = footprint_context(p, &y, written);
    for (int i = 0; i < a->place->nargs; i++)
        if (is_all_below(&ca, a->place->args[i], &cb, b->place->args[i]) ||
            is_all_below(&cb, b->place->args[i], &ca, a->place->args[i]))
            return true;
    return false;
}

/* ---- loops */

struct mentions {
    const struct plan *plan;
    int *n;
};

static enum walk count_value(const struct pval *v, void *arg) {
    const struct mentions *m = arg;
    if (v->kind == PV_VAR)
        m->n[v->var->id]++;
    if (v->kind == PV_ELEM && v->operand >= m->plan->noperands)
        m->n[owned_array(m->plan, v->operand)]++;
    return WALK_IN;
}

static enum walk count_stmt(const struct pstmt *s, void *arg) {
    const struct mentions *m = arg;
    if (s->var != NULL)
        m->n[s->var->id]++;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        m->n[r->var->id]++;
    if (s->kind == PS_CLEAR)
        m->n[owned_array(m->plan, s->operand)]++;
    return WALK_IN;
}

int *count_mentions(struct uc *uc, const struct plan *p, const struct pstmt *list) {
    struct mentions m = {p, NEWN(uc, int, count_owned(p) + 1)};
    plan_walk(list, &(struct plan_visitor){.stmt = count_stmt, .value = count_value}, &m);
    return m.n;
}

bool *find_written(struct uc *uc, const struct plan *p, const struct pstmt *list) {
    struct writes w = {p, NEWN(uc, bool, count_owned(p) + 1)};
    plan_walk(list, &(struct plan_visitor){.stmt = add_written}, &w);
    return w.written;
}

bool sets_own(struct uc *uc, const struct plan *p, const struct pstmt *list, const int *all) {
    const bool *written = find_written(uc, p, list);
    const int *within = count_mentions(uc, p, list);
    int i = 0;
    while (i < count_owned(p) && (!written[i] || within[i] == all[i]))
        i++;
    return i == count_owned(p);
}

static enum walk find_stored(const struct pval *v, void *arg) {
    const struct candidate *c = arg;
    for (int i = 0; v->kind == PV_ELEM && i < c->nplaces; i++)
        if (c->stored[i] && c->place[i]->operand == v->operand)
            return WALK_STOP;
    return WALK_IN;
}

/* Whether a loop stores to an array of which its bounds are elements, which are those of before the
 * loop. */
static bool changes_bounds(struct candidate *c, const struct pstmt *s) {
    return !value_walk(s->lo, find_stored, c) || !value_walk(s->hi, find_stored, c) ||
           !value_walk(s->step, find_stored, c);
}

static enum walk find_bound(const struct pval *v, void *written) {
    bool found = v->kind == PV_VAR && (written == NULL || ((const bool *)written)[v->var->id]);
    return found ? WALK_STOP : WALK_IN;
}

static bool has_variable(const struct pstmt *loop, bool *written) {
    return !value_walk(loop->lo, find_bound, written) ||
           !value_walk(loop->hi, find_bound, written) ||
           !value_walk(loop->step, find_bound, written);
}

/* Whether the bounds of a loop have the same values within it as where it begins. */
static bool keeps_bounds(const struct sharer *x, const struct pstmt *loop) {
    return !has_variable(loop, NULL) ||
           !has_variable(loop, find_written(x->uc, x->plan, loop->body));
}

struct candidate *new_candidate(const struct sharer *x, const struct pstmt *s, bool *written) {
    struct candidate *c = NEW(x->uc, struct candidate);
    const int *within = count_mentions(x->uc, x->plan, s->body);
    *c = (struct candidate){.uc = x->uc,
                            .plan = x->plan,
                            .sets = x->sets,
                            .loop = s,
                            .written = written,
                            .given = x->given};
    c->facts = NEW(x->uc, struct facts *);
    c->set = NEWN(x->uc, bool, count_owned(x->plan) + 1);
    for (int i = 0; i < count_owned(x->plan); i++)
        if (c->written[i] && within[i] != x->mentions[i])
            return NULL;
    c->written[s->var->id] = true;
    for (const struct enclosing *e = x->around; e != NULL && c->own < FOOTPRINT_INDICES;
         e = e->outer)
        if (keeps_bounds(x, e->loop))
            c->index[c->own++] = e->loop;
    for (int i = 0; i < c->own / 2; i++) { /* the outer ones first */
        const struct pstmt *inner = c->index[i];
        c->index[i] = c->index[c->own - 1 - i];
        c->index[c->own - 1 - i] = inner;
    }
    c->nindices = c->own;
    return is_private_loop(c, x->uc, s) && !changes_bounds(c, s) ? c : NULL;
}

struct candidate *find_candidate(const struct sharer *x, const struct pstmt *s) {
    return new_candidate(x, s, find_written(x->uc, x->plan, s->body));
}

/* Whether different iterations may access the same element by two places, one of them stored to. */
bool may_clash(const struct candidate *c, int i, int k) {
    return c->stored[i] && c->place[k]->operand == c->place[i]->operand &&
           !are_apart(c, c->place[i], c->place[k]) && !are_between_apart(c, i, k) &&
           !are_flat_apart(c, i, k) && !are_radix_apart(c, i, k) && !are_coloured_apart(c, i, k) &&
           !are_turned_apart(c, i, k);
}

bool reads_known(const struct sharer *x, const struct pstmt *loop, const struct pstmt *s,
                 const bool *written, const bool *known) {
    int n = count_owned(x->plan);
    struct candidate c = {.uc = x->uc, .plan = x->plan, .loop = loop};
    struct pstmt only = *s;
    only.next = NULL;
    c.facts = NEW(x->uc, struct facts *);
    c.written = NEWN(x->uc, bool, n + 1);
    c.set = NEWN(x->uc, bool, n + 1);
    for (int i = 0; i < n; i++) {
        c.written[i] = written[i];
        c.set[i] = known[i];
    }
    return s->kind == PS_BLOCK ? is_private_block(&c, x->uc, s) /* its leaves know it by address */
                               : is_private(&c, x->uc, &only);
}

bool are_others_apart(const struct sharer *x, const struct pstmt *loop, bool *written) {
    const struct candidate *c = new_candidate(x, loop, written);
    for (int i = 0; c != NULL && i < c->nplaces; i++)
        for (int k = 0; k < c->nplaces; k++)
            if (may_clash(c, i, k))
                return false;
    return c != NULL;
}

/* Sets `merged` of the statements that merge what they store to operands of a set. */
static void mark_merged(struct pstmt *list, uint32_t operands) {
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        if (s->kind == PS_PUT && (operands >> s->operand & 1) != 0)
            s->merged = merge_of(s) >= 0;
        struct pstmt **const lists[] = PSTMT_LISTS(s);
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            mark_merged(*lists[i], operands);
        if (s->kind == PS_SPREAD)
            mark_merged(s->serial, operands);
    }
}

/* Do different iterations access the same element, one of them to store it, other than to merge a
 * number with it?  contested: the operands that they merge into, a bit each. */
static bool clashes(const struct candidate *c, uint32_t *contested) {
    for (int i = 0; i < c->nplaces; i++)
        for (int k = 0; k < c->nplaces; k++) {
            if (!may_clash(c, i, k))
                continue;
            if (c->merged[i] < 0 || c->merged[i] != c->merged[k])
                return true;
            *contested |= UINT32_C(1) << c->place[i]->operand;
        }
    return false;
}

bool is_independent(const struct sharer *x, struct pstmt *loop) {
    const struct candidate *c = find_candidate(x, loop);
    uint32_t contested = 0;
    if (c == NULL)
        return false;
    if (clashes(c, &contested)) {
        contested = 0;
        if (!are_tried_apart(c))
            return false;
    }
    if (contested != 0)
        mark_merged(loop->body, contested);
    mark_powers(c, loop->body);
    return true;
}
