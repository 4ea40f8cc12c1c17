/* plan_split.c: ordered loops as spreads, which threads of a call share as they do definitions.
 *
 * A loop whose iterations may run in any order is one spread, or several: a loop in it, with the
 * same bounds in all iterations and likewise independent, becomes a further range, and the
 * statements before and behind that one spreads of their own.  A loop of which one iteration stores
 * what the others read is cut into those before it, it, and those behind it. */
#include "plan.h"

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
    struct prange **range = &s->ranges;
    for (const struct prange *r = from->ranges; r != NULL; r = r->next) {
        *range = NEW(c->uc, struct prange);
        **range = (struct prange){.var = r->var,
                                  .lo = copy_value(c, r->lo),
                                  .hi = copy_value(c, r->hi),
                                  .step = copy_value(c, r->step)};
        range = &(*range)->next;
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

struct pstmt *new_spread(const struct sharer *x, const struct points *p, struct pstmt *list) {
    struct pstmt *s = NEW(x->uc, struct pstmt);
    *s = (struct pstmt){.kind = PS_SPREAD, .at = p->loop[0]->at, .outermost = true, .body = list};
    enclose(s->body);
    s->merged = !plan_walk(s->body, &(struct plan_visitor){.stmt = find_merged}, NULL);
    s->ranges = ranges_of(x->uc, p);
    add_serial_loop(x->uc, s);
    return s;
}

struct pstmt *spread_of(const struct sharer *x, const struct pstmt *loop) {
    return new_spread(x, &(struct points){{loop}, 1}, loop->body);
}

/* Adds a spread of the statements from `list` to `stop`, if there are any. */
static void add_spread(struct sharer *x, const struct points *p, const struct pstmt *list,
                       const struct pstmt *stop) {
    if (list != stop)
        add_stmt(x, new_spread(x, p, copy_list(&(struct copying){.uc = x->uc}, list, stop)));
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
    return value_walk(loop->lo, take_constant, &c) && value_walk(loop->hi, take_constant, &c);
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

/* Adds the spreads of a list that runs at the points in any order. */
static void add_points(struct sharer *x, const struct points *p, struct pstmt *list, int cuts) {
    const struct pstmt *run = list;
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        struct sharer inner = *x;
        struct pstmt *first = NULL;
        inner.end = &first;
        if (s->kind != PS_FOR || !are_separate(x, list) || !is_rectangular(x, p, list, s) ||
            !add_loop(&inner, p, s, cuts)) {
            s->further =
                s->further || (s->kind == PS_FOR && merges_only(s->body) && is_independent(x, s));
            continue;
        }
        add_spread(x, p, run, s);
        *x->end = first;
        x->end = inner.end;
        run = s->next;
    }
    add_spread(x, p, run, NULL);
}

static bool share_list(struct sharer *x, struct pstmt *list);

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
    const struct copying at_cut = {.uc = x->uc, .var = loop->var, .by = cut};
    struct pstmt *body = copy_list(&at_cut, loop->body, NULL);
    if (!add_loop(x, p, &before, cuts - 1))
        return false;
    if (p->n > 0) {
        add_points(x, p, body, cuts - 1);
    } else {
        struct sharer own = *x;
        share_list(&own, body);
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
    if (is_independent(x, loop)) {
        struct points inner = *p;
        if (inner.n == UFC_MAX_POINT_RANGES)
            return false;
        struct pstmt *kept = NEW(x->uc, struct pstmt);
        *kept = *loop;
        inner.loop[inner.n++] = kept;
        own.loop = kept;
        x->around = &own;
        add_points(x, &inner, loop->body, cuts);
        x->around = around;
        return true;
    }
    const struct pval *cut = cuts > 0 ? find_cut(x, loop) : NULL;
    return cut != NULL && add_pieces(x, p, loop, (struct pval *)cut, cuts);
}

bool loop_to_spreads(struct sharer *x, struct pstmt *loop) {
    return add_loop(x, &(struct points){.n = 0}, loop, MAX_CUTS);
}

static bool share_list(struct sharer *x, struct pstmt *list) {
    const struct points none = {.n = 0};
    bool any = false;
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        struct sharer in = *x;
        struct enclosing own = {s, x->around};
        struct pstmt *first = NULL;
        in.end = &first;
        if (s->kind == PS_FOR && add_loop(&in, &none, s, MAX_CUTS)) {
            s->shared = first;
            any = true;
            continue;
        }
        struct pstmt *turned = turn_loop(x, s);
        if (turned != NULL) {
            in.around = x->around;
            share_list(&in, turned);
            s->shared = turned;
            s->turned = any = true;
            continue;
        }
        if (s->kind == PS_FOR && !find_written(x->uc, x->plan, s->body)[s->var->id])
            in.around = &own;
        else
            in.around = x->around;
        if (s->kind != PS_SPREAD) {
            bool body = share_list(&in, s->body), other = share_list(&in, s->other);
            any = any || body || other;
        }
    }
    return any;
}

bool share_loops(struct uc *uc, struct plan *p) {
    struct sharer x = {.uc = uc, .plan = p};
    x.mentions = count_mentions(uc, p, p->body);
    return !p->checked && share_list(&x, p->body->body);
}
