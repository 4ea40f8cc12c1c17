/* sync.c: where the threads of a call must wait for one another, as some read what others have
 * stored, or store what others have read or stored. */
#include "plan.h"

/* The bit of the output that a place belongs to; 0: no output. */
static uint32_t bit_of(const struct plan *p, const struct pval *place) {
    return place->operand < p->noperands && p->operands[place->operand].is_output
               ? UINT32_C(1) << place->operand
               : 0;
}

struct finding {
    const struct plan *plan;
    const struct pval *place; /* the statement's place, which is written */
    struct access found;
};

static enum walk add_read(const struct pval *v, void *arg) {
    struct finding *f = arg;
    if (v == f->place)
        f->found.writes |= bit_of(f->plan, v);
    else if (v->kind == PV_ELEM)
        f->found.reads |= bit_of(f->plan, v);
    return WALK_IN;
}

static enum walk add_access(const struct pstmt *s, void *arg) {
    struct finding *f = arg;
    f->place = s->place;
    stmt_values(s, add_read, f);
    return WALK_IN;
}

struct access access_of(const struct plan *p, const struct pstmt *s) {
    struct finding f = {.plan = p};
    stmt_walk(s, &(struct plan_visitor){.stmt = add_access}, &f);
    return f.found;
}

static bool conflicts(const struct hazard *h, bool spread, struct access a) {
    uint32_t reads = h->spread.reads | h->single.reads | (spread ? h->first : 0);
    uint32_t stored = h->spread.writes | (spread ? h->single.writes : 0);
    return (a.reads & (h->spread.writes | h->single.writes)) || (a.writes & (stored | reads));
}

static void add_hazard(struct hazard *h, bool spread, struct access a) {
    struct access *to = spread ? &h->spread : &h->single;
    to->reads |= a.reads;
    to->writes |= a.writes;
}

bool must_sync(struct hazard *h, bool spread, struct access a) {
    bool wait = conflicts(h, spread, a);
    if (wait)
        *h = (struct hazard){0};
    add_hazard(h, spread, a);
    return wait;
}

/* ---- the threads of a call */

/* What they have accessed since they last waited: elements, while the indices of the loops around
 * have the same values, else whole outputs.  What several blocks access of rows that each has is
 * apart: it is no matter while others do so, too.  What those that have portions read there, own or
 * not, they have read when they have joined a reduction. */
struct pending {
    struct hazard any, own, portions;
    struct touch *touches;
    int count; /* of these */
};
enum { MANY_TOUCHES = 64 }; /* that are not worth comparing */

struct waits {
    struct toucher toucher;
    bool blocks;   /* the threads are several blocks, which do not wait where accs are joined */
    bool portions; /* and have portions of spreads */
    int axis; /* and have rows, columns, … of arrays: the subscript that tells which; -1: none */
    double weight, cost; /* how often statements run, by the loops around; of waiting */
};
enum { LOOP_WEIGHT = 100 };

static struct hazard *hazard_of(struct pending *h, const struct touch *t) {
    return t->own ? &h->own : t->portions ? &h->portions : &h->any;
}

static struct access access_by(const struct touch *t) {
    uint32_t bit = UINT32_C(1) << t->footprint.place->operand;
    return (struct access){t->stored ? 0 : bit, t->stored ? bit : 0};
}

static bool is_against(const struct hazard *h, const struct touch *t) {
    struct access a = access_by(t);
    return t->first && !t->stored ? (a.reads & h->spread.writes) != 0 : conflicts(h, t->spread, a);
}

static void add_touch(struct pending *h, const struct touch *t) {
    struct access a = access_by(t);
    if (t->first && !t->stored)
        h->any.first |= a.reads;
    else
        add_hazard(hazard_of(h, t), t->spread, a);
}

/* Makes the elements whole outputs. */
static void widen(struct pending *h) {
    for (const struct touch *t = h->touches; t != NULL; t = t->next)
        add_touch(h, t);
    h->touches = NULL;
    h->count = 0;
}

static void merge_access(struct access *to, const struct access *from) {
    to->reads |= from->reads;
    to->writes |= from->writes;
}

static void merge(struct pending *h, const struct pending *other) {
    struct pending more = *other;
    widen(h);
    widen(&more);
    merge_access(&h->any.spread, &more.any.spread);
    merge_access(&h->any.single, &more.any.single);
    merge_access(&h->own.spread, &more.own.spread);
    merge_access(&h->portions.spread, &more.portions.spread);
    h->any.first |= more.any.first;
}

/* The subscript of an element that tells its row; NULL: it has none, or is of an array of one axis.
 */
static const struct pval *row_of(const struct pval *place, int axis) {
    return place->nargs > 1 && axis < place->nargs ? place->args[axis] : NULL;
}

/* What a statement, and all in it if `whole`, accesses.  Rows that blocks have are accessed by
 * their threads, whatever the statement. */
static struct touch *find_touches(struct waits *w, const struct pstmt *s, bool spread, bool whole) {
    bool owned = w->axis >= 0 && s->owner != NULL;
    struct touch *list = touches_of(&w->toucher, s, spread || owned, whole);
    for (struct touch *t = list; owned && t != NULL; t = t->next) {
        const struct pval *row = row_of(t->footprint.place, w->axis);
        t->own = row != NULL && same_value(row, s->owner);
        t->first = false;
    }
    for (struct touch *t = list; w->portions && s->own_portions && t != NULL; t = t->next) {
        t->own = is_own_place(s, t->footprint.place);
        t->portions = true;
        t->first = false;
    }
    return list;
}

/* Where it is noted that threads wait before a statement. */
static bool *wait_of(const struct waits *w, struct pstmt *s) {
    return w->portions            ? &s->sync_portions
           : w->blocks            ? &s->sync_blocks
           : w->toucher.kept != 0 ? &s->sync_lanes
                                  : &s->sync;
}

/* A loop by whose index rows are passed: it stores to rows from that of its index on alone. */
struct passed {
    const struct waits *waits;
    const struct pstmt *loop;
    bool *from;     /* variables, by id, that are the index or more */
    uint32_t loose; /* operands of which it stores other rows too, a bit each; all: another loop */
};

/* Is a value the loop's index, or more by a constant? */
static bool is_from(const struct passed *x, const struct pval *v) {
    const struct pval *only = v->kind == PV_VAR ? x->waits->toucher.only[v->var->id] : NULL;
    v = only != NULL ? only : v;
    bool more = v->kind == PV_OP && v->op == OP_ADD && v->args[1]->kind == PV_CONST &&
                (int64_t)v->args[1]->i >= 0;
    v = more ? v->args[0] : v;
    return v->kind == PV_VAR && x->from[v->var->id];
}

static enum walk add_stored_row(const struct pstmt *s, void *arg) {
    struct passed *x = arg;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        x->from[r->var->id] =
            r->step->kind == PV_CONST && (int64_t)r->step->i > 0 && is_from(x, r->lo);
    if (s->kind == PS_FOR && s->shared != NULL)
        return plan_walk(s->shared, &(struct plan_visitor){.stmt = add_stored_row}, x) ? WALK_PAST
                                                                                       : WALK_STOP;
    if (s->kind != PS_PUT || s->place->operand >= x->waits->toucher.plan->noperands)
        return WALK_IN;
    const struct pval *row = row_of(s->place, x->waits->axis);
    if (row == NULL || !is_from(x, row))
        x->loose |= UINT32_C(1) << s->place->operand;
    return WALK_IN;
}

static void find_passed(struct passed *x) {
    const struct pstmt *loop = x->loop;
    const struct plan *p = x->waits->toucher.plan;
    struct uc *uc = x->waits->toucher.uc;
    x->loose = UINT32_MAX;
    if (!x->waits->blocks || x->waits->axis < 0 || loop->kind != PS_FOR ||
        loop->step->kind != PV_CONST || (int64_t)loop->step->i <= 0 ||
        find_written(uc, p, loop->body)[loop->var->id])
        return;
    x->loose = 0;
    x->from = NEWN(uc, bool, p->nvars + 1);
    x->from[loop->var->id] = true;
    plan_walk(loop->body, &(struct plan_visitor){.stmt = add_stored_row}, x);
}

/* Reads what no later iteration of the loop stores? */
static bool is_passed(const struct passed *x, const struct touch *t) {
    const struct pval *place = t->footprint.place;
    if (x == NULL || t->stored || x->loose >> place->operand & 1)
        return false;
    const struct pval *row = row_of(place, x->waits->axis);
    return row != NULL && row->kind == PV_VAR && row->var == x->loop->var;
}

/* Do threads share what a statement does? */
static bool is_spread(const struct pstmt *s) {
    return s->kind == PS_SPREAD || s->accs != NULL || s->lag > 0;
}

/* Is it a loop that the first thread alone runs, if not lanes that keep arrays? */
static bool is_of_first(const struct waits *w, const struct pstmt *s) {
    return s->kind == PS_FOR && s->by_first && w->toucher.kept == 0;
}

/* Adds all that a list may access, in whatever order, but for what `passed` is, if not NULL;
 * shared: the list is in what threads share. */
static void add_any(struct waits *w, const struct pstmt *list, const struct passed *passed,
                    bool shared, struct pending *h) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        bool whole = s->kind == PS_SPREAD || is_of_first(w, s), spread = shared || is_spread(s);
        for (struct touch *t = find_touches(w, s, spread, whole); t != NULL; t = t->next)
            if (!is_passed(passed, t))
                add_touch(h, t);
        if (s->kind == PS_FOR && s->shared != NULL) {
            add_any(w, s->shared, passed, shared, h);
            continue;
        }
        struct pstmt *const *const lists[] = PSTMT_LISTS(s);
        for (size_t i = 0; !whole && i < sizeof lists / sizeof lists[0]; i++)
            add_any(w, *lists[i], passed, spread, h);
    }
}

static bool meets(const struct waits *w, const struct pending *h, const struct touch *t) {
    for (const struct touch *p = h->touches; p != NULL; p = p->next) {
        bool same_thread = p->first && t->first;
        if (!same_thread && !(p->own && t->own) && may_meet(&w->toucher, p, t))
            return true;
    }
    return false;
}

/* Whether the threads must wait before a statement; adds its accesses. */
static bool must_wait(struct waits *w, struct pending *h, const struct pstmt *s, bool spread) {
    struct touch *list = find_touches(w, s, spread, spread || is_of_first(w, s)), **end = &list;
    bool wait = false;
    int n = 0;
    for (; *end != NULL; end = &(*end)->next, n++) {
        const struct touch *t = *end;
        wait = wait || is_against(&h->any, t) || is_against(&h->portions, t) ||
               (!t->own && is_against(&h->own, t)) || meets(w, h, t);
    }
    if (wait)
        *h = (struct pending){.touches = NULL};
    w->cost += wait ? w->weight : 0;
    if (h->count > MANY_TOUCHES)
        widen(h);
    *end = h->touches;
    h->touches = list;
    h->count += n;
    return wait;
}

/* All threads have read what they were to read; portions: those that have them, there. */
static void end_reads(struct pending *h, bool portions) {
    if (!portions)
        h->any.spread.reads = h->any.single.reads = h->any.first = 0;
    h->own.spread.reads = h->portions.spread.reads = 0;
    for (struct touch **t = &h->touches; *t != NULL;)
        if ((*t)->stored || (portions && !(*t)->portions))
            t = &(*t)->next;
        else
            *t = (*t)->next;
}

static void sync_list(struct waits *w, struct pstmt *s, struct pending *h);

static void enclose(struct waits *w, const struct pstmt *loop) {
    struct enclosing *own = NEW(w->toucher.uc, struct enclosing);
    *own = (struct enclosing){loop, w->toucher.around};
    w->toucher.around = own;
}

/* A loop's iterations come after one another in any state that the body may leave. */
static void sync_loop(struct waits *w, struct pstmt *s, struct pending *h) {
    const struct enclosing *outer = w->toucher.around;
    widen(h);
    struct pending before = *h;
    struct passed passed = {.waits = w, .loop = s};
    find_passed(&passed);
    add_any(w, s->body, &passed, false, h);
    if (s->kind == PS_FOR && !find_written(w->toucher.uc, w->toucher.plan, s->body)[s->var->id])
        enclose(w, s);
    w->weight *= LOOP_WEIGHT;
    sync_list(w, s->body, h);
    w->weight /= LOOP_WEIGHT;
    w->toucher.around = outer;
    merge(h, &before);
}

static void sync_branches(struct waits *w, struct pstmt *s, struct pending *h) {
    widen(h);
    struct pending other = *h;
    sync_list(w, s->body, h);
    sync_list(w, s->other, &other);
    merge(h, &other);
}

/* A PS_LEAVE may go to the end of the block from anywhere in it. */
static void sync_block(struct waits *w, struct pstmt *s, struct pending *h) {
    widen(h);
    struct pending before = *h;
    sync_list(w, s->body, h);
    merge(h, &before);
    add_any(w, s->body, NULL, false, h);
}

static enum walk find_spread(const struct pstmt *s, void *none) {
    (void)none;
    return is_spread(s) || s->shared != NULL ? WALK_STOP : WALK_IN;
}

/* The same where threads may wait once before the loop instead of in it again and again, for what
 * came before.  Of loops with parts that threads share only outermost ones are tried, and of
 * several blocks: to try all would multiply how often lists are. */
static void sync_outer_loop(struct waits *w, struct pstmt *s, struct pending *h) {
    struct pending at_once = *h, waited = {.touches = NULL};
    double before = w->cost;
    sync_loop(w, s, h);
    bool *wait = wait_of(w, s);
    bool tries = (w->blocks && w->weight <= 1) ||
                 plan_walk(s->body, &(struct plan_visitor){.stmt = find_spread}, NULL);
    if (!tries || *wait || w->cost < before + w->weight * LOOP_WEIGHT)
        return;
    double direct = w->cost;
    w->cost = before + w->weight;
    *wait = true;
    sync_loop(w, s, &waited);
    if (w->cost < direct) {
        *h = waited;
        return;
    }
    *wait = false;
    w->cost = before;
    *h = at_once;
    sync_loop(w, s, h);
}

static void sync_statement(struct waits *w, struct pstmt *s, struct pending *h) {
    *wait_of(w, s) = must_wait(w, h, s, is_spread(s));
    if (is_of_first(w, s))
        return;
    switch (s->kind) {
    case PS_SPREAD:
        if (s->accs != NULL && !is_brief(s) && (!w->blocks || (w->portions && s->own_portions)))
            end_reads(h, w->blocks); /* which are then joined */
        break;
    case PS_FOR:
        if (s->shared != NULL)
            sync_list(w, s->shared, h);
        else if (s->accs == NULL)
            sync_outer_loop(w, s, h);
        break;
    case PS_LOOP: sync_outer_loop(w, s, h); break;
    case PS_IF: sync_branches(w, s, h); break;
    case PS_BLOCK: sync_block(w, s, h); break;
    default: sync_list(w, s->body, h); break;
    }
}

static void sync_list(struct waits *w, struct pstmt *s, struct pending *h) {
    const struct enclosing *outer = w->toucher.around;
    for (; s != NULL; s = s->next) {
        sync_statement(w, s, h);
        const struct pstmt *set = loop_of_set(&w->toucher, s);
        if (set != NULL)
            enclose(w, set);
    }
    w->toucher.around = outer;
}

/* ---- rows */

bool is_settled(const bool *written, const struct pval *v) {
    bool settled = v->kind == PV_CONST || v->kind == PV_DIM || v->kind == PV_OP ||
                   v->kind == PV_LOAD || (v->kind == PV_VAR && !written[v->var->id]);
    for (int i = 0; settled && i < v->nargs; i++)
        settled = is_settled(written, v->args[i]);
    return settled;
}

struct rows {
    int axis;
    const struct pval *row; /* of all that is stored */
    bool same;
};

static enum walk add_row(const struct pstmt *s, void *arg) {
    struct rows *x = arg;
    if (s->kind != PS_PUT)
        return WALK_IN;
    const struct pval *row = s->merged ? NULL : row_of(s->place, x->axis);
    x->same = x->same && row != NULL && (x->row == NULL || same_value(x->row, row));
    x->row = row;
    return WALK_IN;
}

/* Does a list set variables alone? */
static bool sets_only(const struct pstmt *s) {
    while (s != NULL &&
           (s->kind == PS_SET || (s->kind == PS_IF && sets_only(s->body) && sets_only(s->other))))
        s = s->next;
    return s == NULL;
}

bool has_inner_spreads(const struct pstmt *s) {
    bool any = false;
    if (s->accs != NULL)
        return false;
    for (const struct pstmt *in = s->body; in != NULL; in = in->next) {
        bool reduces = in->kind == PS_SPREAD && in->accs != NULL,
             plain = in->kind == PS_SPREAD && !in->merged;
        bool sets = in->kind == PS_IF && sets_only(in->body) && sets_only(in->other);
        if (!plain && !sets && in->kind != PS_SET && in->kind != PS_PUT)
            return false;
        any = any || (reduces ? !is_brief(in)
                              : in->kind == PS_SPREAD && constant_points(in->ranges) == INT64_MAX);
    }
    return any;
}

bool has_inner_definitions(const struct pstmt *s) {
    const struct pstmt *in = has_inner_spreads(s) ? s->body : NULL;
    while (in != NULL && (in->kind != PS_SPREAD || in->accs != NULL))
        in = in->next;
    return in != NULL;
}

/* The row that a statement stores to, where a block may have it; NULL: there is none. */
static const struct pval *find_owner(const struct waits *w, const struct pstmt *s) {
    struct rows x = {.axis = w->axis, .same = true};
    const struct prange *r = s->ranges;
    bool *written = find_written(w->toucher.uc, w->toucher.plan, s->body);
    bool spread = s->kind == PS_SPREAD && s->accs == NULL && !s->merged && !s->ordered &&
                  (r->next == NULL || r->next->next == NULL) && r->step->kind == PV_CONST &&
                  r->step->i == 1;
    if (s->kind == PS_PUT)
        add_row(s, &x);
    else if (spread)
        plan_walk(s->body, &(struct plan_visitor){.stmt = add_row}, &x);
    if (x.row == NULL || !x.same)
        return NULL;
    bool points = r != NULL && r->next != NULL && has_inner_spreads(s);
    if (spread && points) /* lanes share points, whatever their rows */
        return NULL;
    if (spread && x.row->kind == PV_VAR && x.row->var == r->var)
        return x.row;
    for (; r != NULL; r = r->next)
        written[r->var->id] = true;
    bool line = s->ranges == NULL || (s->ranges->next == NULL && !has_inner_spreads(s));
    return line && is_settled(written, x.row) ? x.row : NULL;
}

/* ---- reductions for the rows of one block */

struct users {
    const struct plan *plan;
    struct uc *uc;
    bool *made;    /* variables, by id, that are made of the reduction's accs */
    int *mentions; /* in the statements that make or use them */
};

static enum walk find_made(const struct pval *v, void *made) {
    return v->kind == PV_VAR && ((const bool *)made)[v->var->id] ? WALK_STOP : WALK_IN;
}

static void add_mentions(struct users *u, const struct pstmt *s) {
    struct pstmt only = *s;
    only.next = NULL;
    const int *here = count_mentions(u->uc, u->plan, &only);
    for (int i = 0; i < u->plan->nvars; i++)
        u->mentions[i] += here[i];
}

/* The row that a statement stores to, also as a loop of which threads share the iterations. */
static const struct pval *owner_of(const struct pstmt *s) {
    if (s->kind == PS_FOR && s->shared != NULL && !s->turned && s->shared->next == NULL)
        return s->shared->owner;
    return s->kind == PS_PUT || (s->kind == PS_SPREAD && s->accs == NULL) ? s->owner : NULL;
}

/* The one row that all statements store to that a reduction's result is used in: the block that has
 * it alone computes the reduction.  list: that it is in.  NULL: there is none. */
static const struct pval *owner_of_users(const struct waits *w, const struct pstmt *list,
                                         const struct pstmt *reduction) {
    struct uc *uc = w->toucher.uc;
    const struct plan *p = w->toucher.plan;
    struct users u = {p, uc, NEWN(uc, bool, p->nvars + 1), NEWN(uc, int, p->nvars + 1)};
    const struct pval *owner = NULL;
    for (const struct pacc *a = reduction->accs; a != NULL; a = a->next)
        u.made[a->acc->id] = u.made[a->other->id] = true;
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        bool before = s->kind == PS_SET && owner == NULL && u.made[s->var->id];
        bool uses = !stmt_walk(s, &(struct plan_visitor){.value = find_made}, u.made);
        const struct pval *row = owner_of(s);
        if (before || uses || s == reduction)
            add_mentions(&u, s);
        if (!uses || s == reduction)
            continue;
        if (s->kind == PS_SET)
            u.made[s->var->id] = true;
        else if (row == NULL || (owner != NULL && !same_value(owner, row)))
            return NULL;
        else
            owner = row;
    }
    const int *all = count_mentions(uc, p, p->body);
    for (int i = 0; i < p->nvars; i++)
        if (u.made[i] && u.mentions[i] != all[i])
            return NULL;
    return owner != NULL && is_settled(find_written(uc, p, list), owner) ? owner : NULL;
}

static void set_owners(const struct waits *w, struct pstmt *list, bool loop) {
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        if (s->kind == PS_PUT || s->kind == PS_SPREAD) {
            s->owner = w->axis >= 0 && loop ? find_owner(w, s) : NULL;
            continue;
        }
        if (s->kind == PS_FOR && s->shared != NULL) {
            set_owners(w, s->shared, loop);
            continue;
        }
        struct pstmt **const lists[] = PSTMT_LISTS(s);
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            set_owners(w, *lists[i], loop || s->kind == PS_FOR || s->kind == PS_LOOP);
    }
    for (struct pstmt *s = list; w->axis >= 0 && loop && s != NULL; s = s->next)
        if (s->kind == PS_SPREAD && s->accs != NULL && !is_brief(s))
            s->owner = owner_of_users(w, list, s);
}

/* What waiting costs several blocks, which have rows along an axis of arrays. */
static double sync_blocks(struct waits *w, int axis) {
    w->blocks = true;
    w->axis = axis;
    w->weight = 1;
    w->cost = 0;
    set_owners(w, w->toucher.plan->body->body, false);
    sync_list(w, w->toucher.plan->body->body, &(struct pending){.touches = NULL});
    return w->cost;
}

/* What waiting costs blocks that have portions of spreads. */
static double cost_of_portions(struct waits *w) {
    w->weight = 1;
    w->cost = 0;
    sync_list(w, w->toucher.plan->body->body, &(struct pending){.touches = NULL});
    return w->cost;
}

/* Has blocks have portions of reductions, and of the definitions over the same ranges where they
 * then wait less often than what costs `most`. */
static void sync_in_portions(struct waits *w, struct plan *p, double most) {
    enum { MOST_RANGES = 3 };
    const struct prange *ranges[MOST_RANGES], *best = NULL;
    int n = find_portions(p, ranges, MOST_RANGES);
    w->portions = true;
    for (int i = 0; i < n && most > 0; i++) {
        set_own_portions(p, ranges[i]);
        double cost = cost_of_portions(w);
        best = cost < most ? ranges[i] : best;
        most = cost < most ? cost : most;
    }
    set_own_portions(p, best);
    cost_of_portions(w);
}

void sync_threads(struct uc *uc, struct plan *p) {
    enum { MOST_AXES = 3 };
    struct waits w = {.toucher = toucher_new(uc, p), .axis = -1, .weight = 1};
    sync_list(&w, p->body->body, &(struct pending){.touches = NULL});
    w.toucher.kept = p->map.state_arrays;
    if (w.toucher.kept != 0)
        sync_list(&w, p->body->body, &(struct pending){.touches = NULL});
    w.toucher.kept = 0;
    double least = sync_blocks(&w, -1);
    int best = -1, last = -1;
    for (int axis = 0; axis < MOST_AXES && least >= LOOP_WEIGHT; axis++) {
        double cost = sync_blocks(&w, last = axis);
        best = cost < least ? axis : best;
        least = cost < least ? cost : least;
    }
    if (last != best)
        sync_blocks(&w, best);
    w.axis = best;
    sync_in_portions(&w, p, best < 0 ? least : 0);
}

void count_waits(const struct pstmt *list, struct ufc_loop *loop) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        loop->meets += s->sync || s->sync_blocks || s->sync_portions;
        loop->waits += s->sync_blocks;
        loop->barriers += s->sync_portions;
        if (s->kind == PS_FOR && s->shared != NULL)
            count_waits(s->shared, loop);
        struct pstmt *const *const lists[] = PSTMT_LISTS(s);
        bool own = s->kind != PS_SPREAD && s->kind != PS_FOR && s->kind != PS_LOOP;
        for (size_t i = 0; own && i < sizeof lists / sizeof lists[0]; i++)
            count_waits(*lists[i], loop);
    }
}
