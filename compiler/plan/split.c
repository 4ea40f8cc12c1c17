/* split.c: ordered loops as spreads, which threads of a call share as they do definitions.
 *
 * A loop whose iterations may run in any order is one spread, or several: a loop or definition in
 * it, with the same bounds in all iterations or those of a triangle, and likewise independent,
 * becomes a further range, and the statements before and behind that one spreads of their own.  A
 * loop of which one iteration stores what the others read is cut into those before it, it, and
 * those behind it. */
#include "split.h"
#include "apart.h"

enum { MAX_CUTS = 2 };

static void add_stmt(struct sharer *x, struct pstmt *s) {
    *x->end = s;
    x->end = &s->next;
}

/* ---- copies */

/* A copy of statements, with another value for a variable that they do not set; NULL: of none. */
struct copying {
    struct uc *uc;
    const struct pvar *var;
    const struct pval *by;
    const struct copied *blocks; /* the PS_BLOCKs around, the innermost first */
};
struct copied {
    const struct pstmt *from;
    struct pstmt *to;
    const struct copied *outer;
};

static struct pval *copy_value(const struct copying *c, const struct pval *v) {
    if (v == NULL)
        return NULL;
    struct pval *copy = NEW(c->uc, struct pval);
    *copy = v->kind == PV_VAR && v->var == c->var ? *c->by : *v;
    for (int i = 0; i < copy->nargs; i++)
        copy->args[i] = copy_value(c, copy->args[i]);
    return copy;
}

static struct pstmt *copy_list(const struct copying *c, const struct pstmt *list,
                               const struct pstmt *stop);

/* A copy of a statement without those behind it. */
static struct pstmt *copy_one(const struct copying *c, const struct pstmt *from) {
    struct pstmt *s = NEW(c->uc, struct pstmt);
    struct copied own = {from, s, c->blocks};
    struct copying inside = *c;
    inside.blocks = from->kind == PS_BLOCK ? &own : c->blocks;
    *s = *from;
    s->next = NULL;
    for (const struct copied *b = c->blocks; b != NULL; b = b->outer)
        s->target = b->from == from->target ? b->to : s->target;
    struct pval **const values[] = PSTMT_VALUES(s);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        *values[i] = copy_value(c, *values[i]);
    struct pstmt **const lists[] = PSTMT_LISTS(s);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        *lists[i] = copy_list(&inside, *lists[i], NULL);
    s->rest = pstmt_copied(from->rest, from->body, s->body);
    struct prange **range = &s->ranges;
    for (const struct prange *r = from->ranges; r != NULL; r = r->next) {
        *range = NEW(c->uc, struct prange);
        **range = (struct prange){.var = r->var,
                                  .lo = copy_value(c, r->lo),
                                  .hi = copy_value(c, r->hi),
                                  .step = copy_value(c, r->step)};
        range = &(*range)->next;
    }
    struct pacc **acc = &s->accs;
    for (const struct pacc *a = from->accs; a != NULL; a = a->next) {
        *acc = NEW(c->uc, struct pacc);
        **acc = (struct pacc){.acc = a->acc, .other = a->other};
        acc = &(*acc)->next;
    }
    if (s->kind == PS_SPREAD)
        add_serial_loop(c->uc, s);
    return s;
}

/* A copy of a list up to `stop`. */
static struct pstmt *copy_list(const struct copying *c, const struct pstmt *list,
                               const struct pstmt *stop) {
    struct pstmt *first = NULL, **end = &first;
    for (; list != stop; list = list->next) {
        *end = copy_one(c, list);
        end = &(*end)->next;
    }
    return first;
}

struct pstmt *copy_statements(struct uc *uc, const struct pstmt *list, const struct pstmt *stop,
                              const struct pvar *var, const struct pval *by) {
    return copy_list(&(struct copying){.uc = uc, .var = var, .by = by}, list, stop);
}

static enum walk rename_set(const struct pstmt *s, void *arg) {
    struct pvar *const *names = arg;
    if (s->var == names[0])
        ((struct pstmt *)(uintptr_t)s)->var = names[1];
    for (struct prange *r = s->ranges; r != NULL; r = r->next)
        r->var = r->var == names[0] ? names[1] : r->var;
    for (struct pacc *a = s->accs; a != NULL; a = a->next) {
        a->acc = a->acc == names[0] ? names[1] : a->acc;
        a->other = a->other == names[0] ? names[1] : a->other;
    }
    return WALK_IN;
}

struct pstmt *with_own_variables(struct lower *l, struct pstmt *list, const bool *which) {
    struct pvar *last = l->plan->vars;
    while (last != NULL && last->next != NULL)
        last = last->next;
    for (struct pvar *v = last != NULL ? l->plan->vars : NULL; v != NULL;
         v = v != last ? v->next : NULL) {
        if (!which[v->id])
            continue;
        struct pvar *names[] = {v, plan_variable(l->uc, l->plan, v->name, v->dtype)};
        struct variable *own = (struct variable *)(void *)names[1];
        own->below = ((const struct variable *)(const void *)v)->below;
        list = copy_statements(l->uc, list, NULL, v, plan_read(l->uc, names[1]));
        plan_walk(list, &(struct plan_visitor){.stmt = rename_set, .joined = true}, names);
    }
    add_serial_loops(l->uc, list);
    return list;
}

/* ---- spreads */

static enum walk find_merged(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_PUT && s->merged ? WALK_STOP : WALK_IN;
}

/* The spreads of a list that is now within one. */
static void enclose(struct pstmt *list) {
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        struct pstmt **const lists[] = PSTMT_LISTS(s);
        s->outermost = false;
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            enclose(*lists[i]);
    }
}

struct prange *ranges_of(struct uc *uc, const struct points *p) {
    struct prange *first = NULL, **range = &first;
    for (int i = 0; i < p->n; i++) {
        const struct pstmt *loop = p->loop[i];
        *range = NEW(uc, struct prange);
        **range =
            (struct prange){.var = loop->var, .lo = loop->lo, .hi = loop->hi, .step = loop->step};
        range = &(*range)->next;
    }
    return first;
}

/* Has a list at the points of a loop that ends earlier ask for the end, so that the points are
 * known when it is launched. */
static struct pstmt *ask_for_end(struct uc *uc, const struct pstmt *loop, struct prange *r,
                                 struct pstmt *list) {
    const struct pval *hi = loop->hi;
    if (loop->end == NULL || hi->kind != PV_CALL || hi->nargs != 2 || hi->args[1]->kind != PV_VAR ||
        hi->args[1]->var != loop->end)
        return list;
    struct pval *before = NEW(uc, struct pval);
    *before = (struct pval){.kind = PV_OP, .dtype = DT_BOOL, .nargs = 2};
    before->op = hi->builtin->id == B_MIN ? OP_LT : OP_GT;
    before->args[0] = plan_read(uc, r->var);
    before->args[1] = hi->args[1];
    r->hi = hi->args[0];
    struct pstmt *s = NEW(uc, struct pstmt);
    *s = (struct pstmt){.kind = PS_IF, .at = loop->at, .value = before, .body = list};
    return s;
}

struct pstmt *new_spread(const struct sharer *x, const struct points *p, struct pstmt *list) {
    struct pstmt *s = NEW(x->uc, struct pstmt);
    *s = (struct pstmt){.kind = PS_SPREAD, .at = p->loop[0]->at, .outermost = true};
    enclose(list);
    s->ranges = ranges_of(x->uc, p);
    int i = 0;
    for (struct prange *r = s->ranges; r != NULL; r = r->next)
        list = ask_for_end(x->uc, p->loop[i++], r, list);
    s->body = list;
    s->merged = !plan_walk(s->body, &(struct plan_visitor){.stmt = find_merged}, NULL);
    add_serial_loop(x->uc, s);
    return s;
}

struct pstmt *spread_of(const struct sharer *x, const struct pstmt *loop) {
    return new_spread(x, &(struct points){{loop}, 1}, loop->body);
}

/* Makes the loops of a list of assignments, reductions and loops definitions, where threads may
 * share their iterations at a point. */
static void spread_inner(const struct sharer *x, struct pstmt **list) {
    for (const struct pstmt *s = *list; s != NULL; s = s->next)
        if ((s->kind != PS_SET && s->kind != PS_PUT && s->kind != PS_FOR && s->kind != PS_SPREAD) ||
            (s->accs != NULL && s->kind != PS_SPREAD) || s->merged)
            return;
    for (; *list != NULL; list = &(*list)->next) {
        struct pstmt *s = *list, *next = s->next;
        const struct prange r = {.lo = s->lo, .hi = s->hi, .step = s->step};
        if (s->kind != PS_FOR || constant_points(&r) <= UNROLLED_POINTS ||
            !are_others_apart(x, s, find_written(x->uc, x->plan, s->body)))
            continue;
        *list = spread_of(x, s);
        enclose(*list);
        (*list)->next = next;
    }
}

/* Adds a spread of the statements from `list` to `stop`, if there are any. */
static void add_spread(struct sharer *x, const struct points *p, const struct pstmt *list,
                       const struct pstmt *stop) {
    if (list == stop)
        return;
    struct pstmt *own = copy_list(&(struct copying){.uc = x->uc}, list, stop);
    if (p->n == 1)
        spread_inner(x, &own);
    add_stmt(x, new_spread(x, p, own));
}

struct constancy {
    const struct points *points;
    const bool *written;
};

static enum walk take_constant(const struct pval *v, void *arg) {
    const struct constancy *c = arg;
    if (v->kind == PV_ELEM || (v->kind == PV_VAR && c->written[v->var->id]))
        return WALK_STOP;
    for (int i = 0; v->kind == PV_VAR && i < c->points->n; i++)
        if (c->points->loop[i]->var == v->var)
            return WALK_STOP;
    return WALK_IN;
}

bool is_rectangular(const struct sharer *x, const struct points *p, const struct pstmt *list,
                    const struct pstmt *loop) {
    struct constancy c = {p, find_written(x->uc, x->plan, list)};
    return value_walk(loop->lo, take_constant, &c) && value_walk(loop->hi, take_constant, &c) &&
           value_walk(loop->step, take_constant, &c);
}

/* The same, or one of the bounds may grow with an index of the points: a triangle.  Where both grow
 * the loop may be short, and a test of its rows long. */
static bool is_regular(const struct sharer *x, const struct points *p, const struct pstmt *list,
                       const struct pstmt *loop) {
    struct constancy c = {p, find_written(x->uc, x->plan, list)};
    bool lo = value_walk(loop->lo, take_constant, &c), hi = value_walk(loop->hi, take_constant, &c);
    if (lo && hi)
        return true;
    return (lo || hi) && loop->step->kind == PV_CONST && loop->step->i == 1 &&
           grows_with(p->loop, p->n, lo ? loop->hi : loop->lo) != NULL;
}

/* Whether the statements of a list have no variables or local arrays in common that they set. */
static bool are_separate(const struct sharer *x, const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        struct pstmt only = *s;
        only.next = NULL;
        const bool *written = find_written(x->uc, x->plan, &only);
        const int *here = count_mentions(x->uc, x->plan, &only);
        for (int i = 0; i < count_owned(x->plan); i++)
            if (written[i] && here[i] != x->mentions[i])
                return false;
    }
    return true;
}

static bool add_loop(struct sharer *x, const struct points *p, struct pstmt *loop, int cuts);

/* A statement of a list that runs at points, as a loop that may be a further range of theirs: it,
 * or a definition's. */
static struct pstmt *as_loop(struct pstmt *s) {
    bool plain = s->kind == PS_SPREAD && s->accs == NULL && !s->ordered && !s->merged;
    return s->kind == PS_FOR ? s : plain && s->serial->kind == PS_FOR ? s->serial : NULL;
}

static bool has_loops(struct pstmt *list) {
    while (list != NULL && as_loop(list) == NULL)
        list = list->next;
    return list != NULL;
}

/* Are there ordered loops around the points? */
static bool is_in_steps(const struct sharer *x, const struct points *p) {
    const struct enclosing *around = x->around;
    for (int i = 0; i < p->n && around != NULL; i++)
        around = around->outer;
    return around != NULL;
}

/* Adds a spread of what a list has from `run` up to `end`; again: with what it needs of the list.
 */
static void add_run(struct sharer *x, const struct points *p, bool again, const struct pstmt *list,
                    const struct pstmt *run, const struct pstmt *end) {
    struct sharer own = *x;
    if (again) {
        run = stores_again(&own, list, run, end);
        end = NULL;
    }
    add_spread(&own, p, run, end);
    x->end = own.end;
}

/* Adds the spreads of a list that runs at the points in any order. */
static void add_points(struct sharer *x, const struct points *p, struct pstmt *given, int cuts) {
    struct pstmt *list = has_loops(given) ? inline_bounds(x, given) : given;
    const struct pstmt *run = list;
    bool separate = are_separate(x, list);
    bool again = !separate && is_in_steps(x, p) && has_loops(list) && may_set_again(x, list);
    bool any = false;
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        struct sharer inner = *x;
        struct pstmt *first = NULL, *loop = as_loop(s);
        inner.end = &first;
        if (loop != NULL && again)
            loop = loop_again(&inner, list, s, loop);
        if (loop == NULL || !(separate || again) || !is_regular(x, p, list, loop) ||
            !add_loop(&inner, p, loop, cuts)) {
            s->further =
                s->further || (s->kind == PS_FOR && merges_only(s->body) && is_independent(x, s));
            continue;
        }
        add_run(x, p, again, list, run, s);
        if (first != NULL) { /* else the loop does nothing */
            *x->end = first;
            x->end = inner.end;
        }
        run = s->next;
        any = true;
    }
    add_run(x, p, again && any, list, any ? run : given, NULL);
}

static bool share_list(struct sharer *x, struct pstmt **list);

/* Whether a condition asks if the index of a loop is where that is cut. */
static bool asks_for_cut(const struct pval *v, const struct pvar *index, const struct pval *cut) {
    if (v->kind != PV_OP || (v->op != OP_EQ && v->op != OP_NE))
        return false;
    int i = v->args[0]->kind == PV_VAR && v->args[0]->var == index ? 0 : 1;
    return v->args[i]->kind == PV_VAR && v->args[i]->var == index &&
           same_value(v->args[1 - i], cut);
}

/* A copy of a loop's body without such conditions: at the cut, or elsewhere. */
static struct pstmt *body_of_piece(const struct sharer *x, const struct pstmt *loop,
                                   const struct pval *cut, bool at_cut) {
    struct pstmt *first = copy_list(&(struct copying){.uc = x->uc}, loop->body, NULL);
    for (struct pstmt **at = &first; *at != NULL;) {
        struct pstmt *s = *at, *next = s->next;
        if (s->kind != PS_IF || !asks_for_cut(s->value, loop->var, cut)) {
            at = &s->next;
            continue;
        }
        *at = (s->value->op == OP_EQ) == at_cut ? s->body : s->other;
        while (*at != NULL)
            at = &(*at)->next;
        *at = next;
    }
    return first;
}

/* Adds a loop as those before iteration `cut`, it, and those behind it. */
static bool add_pieces(struct sharer *x, const struct points *p, const struct pstmt *loop,
                       struct pval *cut, int cuts) {
    struct pstmt before = *loop, behind = *loop;
    struct pval *next = NEW(x->uc, struct pval);
    *next = (struct pval){.kind = PV_OP, .op = OP_ADD, .dtype = DT_INT64, .nargs = 2};
    next->args[0] = cut;
    next->args[1] = loop->step; /* 1 */
    before.hi = cut;
    behind.lo = next;
    if (!is_regular(x, p, loop->body, &before) || !is_regular(x, p, loop->body, &behind))
        return false;
    before.body = behind.body = body_of_piece(x, loop, cut, false);
    const struct copying at_cut = {.uc = x->uc, .var = loop->var, .by = cut};
    struct pstmt *body = copy_list(&at_cut, body_of_piece(x, loop, cut, true), NULL);
    if (!add_loop(x, p, &before, cuts - 1))
        return false;
    if (p->n > 0) {
        add_points(x, p, body, cuts - 1);
    } else {
        struct sharer own = *x;
        share_list(&own, &body);
        while (body != NULL) {
            struct pstmt *s = body;
            body = body->next;
            s->next = NULL;
            add_stmt(x, s);
        }
    }
    return add_loop(x, p, &behind, cuts - 1);
}

/* Adds a loop that runs at each point.  False: it must run in order; x->end is then not used. */
static bool add_loop(struct sharer *x, const struct points *p, struct pstmt *loop, int cuts) {
    const struct enclosing *around = x->around;
    struct enclosing own = {loop, around};
    if (p->n == 0 && are_few_iterations(loop) && has_shared_steps(x, loop))
        return false;
    if (is_independent(x, loop)) {
        struct points inner = *p;
        if (inner.n == UFC_MAX_POINT_RANGES)
            return false;
        struct pstmt *kept = NEW(x->uc, struct pstmt);
        *kept = *loop;
        widen_triangle(x->uc, p->loop, p->n, kept);
        inner.loop[inner.n++] = kept;
        own.loop = kept;
        x->around = &own;
        add_points(x, &inner, kept->body, cuts);
        x->around = around;
        return true;
    }
    const struct pval *cut = cuts > 0 ? find_cut(x, loop, false) : NULL;
    return cut != NULL && (p->n > 0 || !has_shared_steps(x, loop)) &&
           add_pieces(x, p, loop, (struct pval *)cut, cuts);
}

bool loop_to_spreads(struct sharer *x, struct pstmt *loop) {
    return add_loop(x, &(struct points){.n = 0}, loop, MAX_CUTS);
}

/* ---- loops that have no order where sizes suit */

static struct pval *constant_of(struct uc *uc, enum ufc_dtype d, uint64_t n) {
    struct pval *v = NEW(uc, struct pval);
    *v = (struct pval){.kind = PV_CONST, .dtype = d, .i = n};
    return v;
}

/* Whether the dimensions are such multiples. */
static struct pval *are_multiples(struct uc *uc, const struct multiples *m) {
    struct pval *all = NULL;
    for (int i = 0; i < 32; i++) {
        if (!(m->dims >> i & 1))
            continue;
        struct pval *dim = NEW(uc, struct pval), *zero = constant_of(uc, DT_INT64, 0);
        *dim = (struct pval){.kind = PV_DIM, .dtype = DT_INT64, .operand = i};
        struct pval *rest = plan_operation(uc, OP_MOD, DT_INT64, dim,
                                           constant_of(uc, DT_INT64, (uint64_t)m->of)),
                    *is = plan_operation(uc, OP_LAND, DT_BOOL,
                                         plan_operation(uc, OP_EQ, DT_BOOL, rest, zero),
                                         plan_operation(uc, OP_GT, DT_BOOL, dim, zero));
        all = all == NULL ? is : plan_operation(uc, OP_LAND, DT_BOOL, all, is);
    }
    return all;
}

struct pstmt *only_if(struct uc *uc, struct pval *is, bool holds, struct pstmt *list,
                      struct span at) {
    struct pval *value = is;
    struct pstmt *s = NEW(uc, struct pstmt);
    if (!holds) {
        value = NEW(uc, struct pval);
        *value = (struct pval){.kind = PV_OP, .op = OP_LNOT, .dtype = DT_BOOL, .nargs = 1};
        value->args[0] = is;
    }
    *s = (struct pstmt){.kind = PS_IF, .value = value, .body = list, .at = at, .rare = !holds};
    return s;
}

/* Has spreads that a loop is where dimensions are multiples run there alone, and the loop itself
 * elsewhere, as sizes hardly ever are others. */
static void share_if(const struct sharer *x, const struct pstmt *loop, struct pstmt *spreads,
                     const struct multiples *m) {
    struct pstmt **end = &spreads, *own;
    for (; *end != NULL; end = &(*end)->next) {
        (*end)->body = only_if(x->uc, are_multiples(x->uc, m), true, (*end)->body, loop->at);
        add_serial_loop(x->uc, *end);
    }
    own = copy_list(&(struct copying){.uc = x->uc}, loop, loop->next);
    *end = only_if(x->uc, are_multiples(x->uc, m), false, own, loop->at);
}

/* Has one thread run such loops elsewhere.  They get a variable, for which those who look for loops
 * to share have no room. */
static void run_rare(struct uc *uc, struct plan *p, struct pstmt **list) {
    for (struct pstmt **at = list; *at != NULL; at = &(*at)->next) {
        struct pstmt *s = *at, *next = s->next;
        if (s->kind == PS_IF && s->rare) {
            s->next = NULL;
            *at = single_point(uc, p, s, s->at);
            (*at)->next = next;
        } else if (s->kind != PS_SPREAD) {
            run_rare(uc, p, &s->body);
            run_rare(uc, p, &s->other);
            run_rare(uc, p, &s->shared);
        }
    }
}

/* Whether all that a list is are definitions. */
static bool are_definitions(const struct pstmt *list) {
    while (list != NULL && list->kind == PS_SPREAD && list->accs == NULL && !list->merged)
        list = list->next;
    return list == NULL;
}

/* Shares a loop of which one iteration, if it has that, stores what the others read, as of a vertex
 * `u` in `for v in 0..n { d[v] = min(d[v], d[u] + w[u, v]) }`.  Where it has not it runs in order.
 */
static bool share_cut(const struct sharer *x, struct pstmt *loop) {
    struct sharer in = *x;
    struct pstmt *first = NULL;
    struct pval *cut = (struct pval *)find_cut(x, loop, true);
    in.end = &first;
    if (cut == NULL || has_shared_steps(x, loop) ||
        !add_pieces(&in, &(struct points){.n = 0}, loop, cut, MAX_CUTS))
        return false;
    struct pval *has = plan_operation(x->uc, OP_LAND, DT_BOOL,
                                      plan_operation(x->uc, OP_LE, DT_BOOL, loop->lo, cut),
                                      plan_operation(x->uc, OP_LT, DT_BOOL, cut, loop->hi));
    struct pstmt *cut_loop = only_if(x->uc, has, true, first, loop->at);
    cut_loop->other = copy_list(&(struct copying){.uc = x->uc}, loop, loop->next);
    loop->shared = cut_loop;
    return true;
}

/* Adds a loop of a list as spreads, which may take something for granted.  False: it must run in
 * order. */
static bool add_shared(const struct sharer *x, struct pstmt *loop) {
    const struct points none = {.n = 0};
    struct multiples given = {.of = 0};
    struct sharer in = *x;
    struct pstmt *first = NULL;
    in.end = &first;
    if (!add_loop(&in, &none, loop, MAX_CUTS)) {
        in.given = &given;
        if (!add_loop(&in, &none, loop, 0) || given.dims == 0 || !are_definitions(first))
            return share_cut(x, loop);
        share_if(x, loop, first, &given);
    }
    loop->shared = first;
    return true;
}

/* Has x know the plan as it is. */
static void look_again(struct sharer *x) {
    struct toucher *sets = NEW(x->uc, struct toucher);
    *sets = toucher_new(x->uc, (struct plan *)x->plan);
    x->sets = sets;
    x->mentions = count_mentions(x->uc, x->plan, x->plan->body);
}

/* A list with what loops are shared as in their place. */
static struct pstmt *in_place(struct pstmt *list) {
    for (struct pstmt **at = &list; *at != NULL; at = &(*at)->next) {
        struct pstmt *s = *at;
        if (s->kind != PS_FOR || s->shared == NULL)
            continue;
        *at = s->shared;
        while ((*at)->next != NULL)
            at = &(*at)->next;
        (*at)->next = s->next;
    }
    return list;
}

/* Shares the parts of a loop that is not shared as a whole. */
static bool share_parts(struct sharer *x, struct pstmt **at) {
    struct sharer own = *x;
    struct pstmt *parts = x->end == NULL ? part_step(&own, at) : NULL, *s = *at;
    if (parts != NULL) {
        struct toucher sets = toucher_new(x->uc, (struct plan *)x->plan);
        own.sets = &sets;
        share_list(&own, &parts);
        s->shared = in_place(parts);
        s->turned = true;
        x->brief = true; /* or the first thread alone would go through these loops */
        look_again(x);   /* there are more variables */
    }
    return parts != NULL;
}

static bool share_list(struct sharer *x, struct pstmt **list) {
    bool any = false;
    for (struct pstmt **at = list; *at != NULL; at = &(*at)->next) {
        struct pstmt *s = *at;
        struct sharer in = *x;
        struct enclosing own = {s, x->around};
        if (s->shared != NULL || (s->kind == PS_FOR && add_shared(x, s))) {
            any = true;
            continue;
        }
        struct pstmt *turned = turn_loop(x, s);
        if (turned != NULL) {
            in.around = x->around;
            share_list(&in, &turned);
            s->shared = turned;
            s->turned = any = true;
            continue;
        }
        struct pstmt *strips = x->strip[0] != NULL && x->around == NULL
                                   ? strip_loop(x, s, x->strip[0], x->strip[1])
                                   : NULL;
        if (strips != NULL) {
            s->shared = strips;
            s->turned = any = true;
            continue;
        }
        struct pstmt *residues = x->end == NULL ? residue_loop(x, s) : NULL;
        if (residues != NULL) {
            s->shared = residues;
            s->residues = any = true;
            look_again(x);
            continue;
        }
        if (share_parts(x, at)) {
            any = true;
            continue;
        }
        in = *x;
        if (s->kind == PS_FOR && !find_written(x->uc, x->plan, s->body)[s->var->id])
            in.around = &own;
        else
            in.around = x->around;
        if (s->kind != PS_SPREAD) {
            bool body = share_list(&in, &s->body), other = share_list(&in, &s->other);
            any = any || body || other;
            x->sets = in.sets;
            x->mentions = in.mentions;
            x->brief = in.brief;
        }
    }
    return any;
}

static bool has_strips(struct uc *uc, const struct plan *p) {
    const struct toucher sets = toucher_new(uc, p);
    struct sharer x = {.uc = uc, .plan = p, .sets = &sets};
    x.mentions = count_mentions(uc, p, p->body);
    const struct pstmt *s = p->body->body;
    while (s != NULL && !may_strip(&x, s))
        s = s->next;
    return s != NULL;
}

bool share_loops(struct uc *uc, struct plan *p) {
    struct sharer x = {.uc = uc, .plan = p};
    if (!p->checked && has_strips(uc, p)) {
        x.strip[0] = plan_variable(uc, p, "strip", DT_INT64);
        x.strip[1] = plan_variable(uc, p, "place", DT_INT64);
    }
    const struct toucher sets = toucher_new(uc, p);
    x.sets = &sets;
    x.mentions = count_mentions(uc, p, p->body);
    bool any = !p->checked && share_list(&x, &p->body->body);
    if (x.brief)
        share_list(&x, &p->body->body);
    if (any)
        run_rare(uc, p, &p->body->body);
    if (!p->checked)
        any = skip_iterations(uc, p) || any;
    return any;
}
