/* path.c: when the results of a call are known at the earliest, whatever computes them: the body is
 * run with small sizes, and with times for elements.  Indices are numbers; inputs are known at 0.
 * What may be regrouped waits for nothing: integers, comparisons, minima and maxima, sums of
 * comprehensions but for one addition, and what is added by definitions.  Where the call's numbers
 * decide, the earlier time counts. */
#include <string.h>

#include "path.h"

enum { MOST_CELLS = 1 << 12, ROUNDS = 12 };
static const path_time mark = (path_time)1 << 60;

static int64_t *new_state(struct path_run *t, const int64_t *from) {
    if (t->used + t->length > PATH_POOL) {
        t->failed = true;
        return t->pool + PATH_POOL; /* nothing reads it any more */
    }
    int64_t *s = t->pool + t->used;
    t->used += t->length;
    memcpy(s, from, t->length * sizeof *s);
    t->to->budget -= (long)t->length / 8;
    return s;
}

/* Makes of a state what is known in either: times are the earlier ones. */
static void merge(struct path_run *t, int64_t *a, const int64_t *b) {
    for (size_t i = 0; i < t->vars; i += OF_VAR) {
        a[i + 2] = a[i + 2] && b[i + 2] && a[i] == b[i];
        a[i + 1] = path_earlier(a[i + 1], b[i + 1]);
        a[i + 3] = a[i + 3] == b[i + 3] ? a[i + 3] : ++t->sets;
    }
    for (size_t i = t->vars; i < t->updates; i += OF_CELL) {
        a[i] = path_earlier(a[i], b[i]);
        a[i + 1] = a[i + 1] == b[i + 1] ? a[i + 1] : ++t->sets;
    }
    for (size_t i = t->updates; i < t->length; i++)
        a[i] = path_earlier(a[i], b[i]);
    t->to->budget -= (long)t->length / 8;
}

static bool is_same(const struct path_run *t, const int64_t *a, const int64_t *b) {
    bool same = true;
    for (size_t i = 0; i < t->vars && same; i += OF_VAR)
        same = a[i + 1] == b[i + 1] && a[i + 2] == b[i + 2] && (!a[i + 2] || a[i] == b[i]);
    for (size_t i = t->vars; i < t->updates && same; i += OF_CELL)
        same = a[i] == b[i];
    for (size_t i = t->updates; i < t->length && same; i++)
        same = a[i] == b[i];
    return same;
}

/* ---- statements: what runs a list gives the block that it leaves, or NULL */

static const struct pstmt *run(struct path_run *t, const struct pstmt *s);

static void set(struct path_run *t, const struct pvar *var, struct path_result r) {
    int64_t *to = path_value_of(t, var);
    to[0] = r.value;
    to[1] = r.at;
    to[2] = r.known;
    to[3] = ++t->sets;
}

/* What a variable is set to may be a number that is counted up. */
static void assign(struct path_run *t, const struct pstmt *s) {
    struct path_extent extent = path_extent_of(t, s->value);
    set(t, s->var, path_known_at(t, s->value));
    extent.fixed = extent.fixed && s->value->nargs == 0;
    t->to->extent[s->var->id] = extent;
}

static enum walk find_own(const struct pval *v, void *place) {
    const struct pval *own = place;
    return v->kind == PV_ELEM && v->operand == own->operand && same_value(v, own) ? WALK_STOP
                                                                                  : WALK_IN;
}

/* How long the update of an element waits for the element that it was. */
static path_time update_time(struct path_run *t, const struct pstmt *s) {
    t->own_at = mark;
    path_time at = path_known_at(t, s->value).at;
    return at >= mark ? at - mark : 0;
}

/* Elements whose updates are others from now on. */
static void end_updates(struct path_run *t, int operand) {
    int64_t *updates = t->state + t->updates + 2 * operand;
    updates[1] = path_later(updates[0], updates[1]);
    updates[0] = 0;
}

static void put(struct path_run *t, const struct pstmt *s) {
    int operand = s->place->operand;
    path_time at;
    size_t cell = path_cell_of(t, s->place, &at);
    bool updates = !value_walk(s->value, find_own, s->place);
    t->own = updates ? s->place : NULL;
    if (updates && cell == SIZE_MAX && t->before == NULL)
        t->state[t->updates + 2 * (size_t)operand] += update_time(t, s);
    if (updates) {
        t->own_at = path_element_at(t, t->state, operand, cell);
        if (t->before != NULL)
            t->own_at = path_earlier(t->own_at, path_element_at(t, t->before, operand, cell));
    } else
        end_updates(t, operand);
    path_time stored = path_later(at, path_known_at(t, s->value).at);
    t->own = NULL;
    int64_t *cells = t->state + t->cell[operand];
    if (cell != SIZE_MAX) {
        cells += OF_CELL * cell;
        cells[0] = t->before != NULL && updates ? path_later(cells[0], stored) : stored;
        cells[1] = ++t->sets;
        return;
    }
    for (size_t i = 0; i < t->ncells[operand]; i++)
        cells[OF_CELL * i] = path_earlier(cells[OF_CELL * i], stored);
}

/* The branch that is run is not known: of what either changes the earlier time counts, but no time
 * before the condition is known. */
static void choose(struct path_run *t, path_time at, const int64_t *before, const int64_t *a) {
    int64_t *b = t->state;
    for (size_t i = 0; i < t->vars; i += OF_VAR) {
        bool same = a[i + 3] == before[i + 3] && b[i + 3] == before[i + 3];
        b[i + 2] = b[i + 2] && a[i + 2] && a[i] == b[i];
        b[i + 1] = path_earlier(a[i + 1], b[i + 1]);
        b[i + 1] = same || b[i + 2] ? b[i + 1] : path_later(at, b[i + 1]);
        b[i + 3] = same ? b[i + 3] : ++t->sets;
    }
    for (size_t i = t->vars; i < t->updates; i += OF_CELL) {
        bool same = a[i + 1] == before[i + 1] && b[i + 1] == before[i + 1];
        b[i] = same ? path_earlier(a[i], b[i]) : path_later(at, path_earlier(a[i], b[i]));
        b[i + 1] = same ? b[i + 1] : ++t->sets;
    }
    for (size_t i = t->updates; i < t->length; i++)
        b[i] = path_earlier(a[i], b[i]);
}

static void leave(struct path_run *t, const struct pstmt *block) {
    struct path_left *l = t->leaving;
    while (l != NULL && l->block != block)
        l = l->outer;
    if (l == NULL)
        t->failed = true;
    else if (l->count++ == 0)
        memcpy(l->state, t->state, t->length * sizeof *t->state);
    else
        merge(t, l->state, t->state);
}

static const struct pstmt *run_if(struct path_run *t, const struct pstmt *s) {
    struct path_result condition = path_known_at(t, s->value);
    if (condition.known)
        return run(t, condition.value ? s->body : s->other);
    size_t used = t->used;
    const int64_t *before = new_state(t, t->state);
    const struct pstmt *first = run(t, s->body);
    int64_t *after = new_state(t, t->state);
    if (first != NULL)
        leave(t, first);
    memcpy(t->state, before, t->length * sizeof *before);
    const struct pstmt *second = run(t, s->other);
    if (second != NULL && first == NULL) {
        leave(t, second);
        memcpy(t->state, after, t->length * sizeof *after);
        second = NULL;
    } else if (second == NULL && first == NULL)
        choose(t, condition.at, before, after);
    t->used = used;
    return second;
}

static const struct pstmt *run_block(struct path_run *t, const struct pstmt *s) {
    size_t used = t->used;
    struct path_left own = {.block = s, .state = new_state(t, t->state), .outer = t->leaving};
    t->leaving = &own;
    const struct pstmt *left = run(t, s->body);
    t->leaving = own.outer;
    if (left != NULL && left != s && own.count > 0) {
        leave(t, left);
        memcpy(t->state, own.state, t->length * sizeof *own.state);
        left = NULL;
    } else if (left == NULL || left == s) {
        if (own.count > 0)
            merge(t, t->state, own.state);
        left = NULL;
    }
    t->used = used;
    return left;
}

/* A loop, or from a range on the points of a spread. */
struct turns {
    const struct pstmt *s;
    const struct prange *range; /* NULL: s is no spread */
};

/* A reduction: what its accs begin with, and when the results of all points so far are known. */
struct path_reduced {
    const struct pacc *accs;
    int64_t begin[OF_VAR * MAX_ACCS];
    path_time last[MAX_ACCS];
};

static const struct pstmt *run_turns(struct path_run *t, struct turns *l);

/* One point of a reduction adds to what the accs begin with, as all others do. */
static const struct pstmt *run_point(struct path_run *t, const struct turns *l) {
    struct path_reduced *r = t->reduced;
    int k = 0;
    for (const struct pacc *a = r->accs; a != NULL; a = a->next)
        memcpy(path_value_of(t, a->acc), r->begin + OF_VAR * k++, OF_VAR * sizeof *r->begin);
    const struct pstmt *left = run(t, l->s->body);
    k = 0;
    for (const struct pacc *a = r->accs; a != NULL; a = a->next, k++)
        if (!t->unsure)
            r->last[k] = path_later(r->last[k], path_value_of(t, a->acc)[1]);
    return left;
}

static const struct pstmt *run_turn(struct path_run *t, struct turns *l) {
    const struct prange *range = l->range;
    if (range == NULL || range->next == NULL)
        return t->reduced != NULL && (range != NULL || l->s->further) ? run_point(t, l)
                                                                      : run(t, l->s->body);
    l->range = range->next;
    const struct pstmt *left = run_turns(t, l);
    l->range = range;
    return left;
}

/* The turns of a loop that may have none, or any number: they change nothing that lasts, but may
 * make times earlier, until they do not any more. */
static const struct pstmt *run_unsure(struct path_run *t, struct turns *l, const struct pvar *var) {
    size_t used = t->used;
    bool unsure = t->unsure, stays = false;
    t->unsure = true;
    for (int round = 0; round < ROUNDS && !stays && !t->failed; round++) {
        size_t mine = t->used;
        int64_t *merged = new_state(t, t->state);
        if (var != NULL)
            set(t, var, (struct path_result){0});
        const struct pstmt *left = run_turn(t, l);
        int64_t *old = new_state(t, merged);
        if (left != NULL)
            leave(t, left);
        else
            merge(t, merged, t->state);
        stays = is_same(t, old, merged);
        memcpy(t->state, merged, t->length * sizeof *merged);
        t->used = mine;
    }
    t->failed = t->failed || !stays;
    t->unsure = unsure;
    t->used = used;
    return NULL;
}

/* An index between constants is made of these; else sizes decide how many there are. */
static void note_range(struct path_run *t, const struct pvar *var, const struct pval *lo,
                       const struct pval *hi) {
    struct path_extent from = path_extent_of(t, lo), to = path_extent_of(t, hi);
    bool fixed = from.fixed && to.fixed;
    path_note(t, lo, hi);
    t->to->extent[var->id] =
        (struct path_extent){fixed ? path_later(from.most, to.most) : 0, fixed};
}

static const struct pstmt *run_turns(struct path_run *t, struct turns *l) {
    const struct prange *r = l->range;
    const struct pvar *var = r != NULL ? r->var : l->s->var;
    struct path_result lo = path_known_at(t, r != NULL ? r->lo : l->s->lo);
    struct path_result hi = path_known_at(t, r != NULL ? r->hi : l->s->hi);
    struct path_result step = path_known_at(t, r != NULL ? r->step : l->s->step);
    const struct pstmt *left = NULL;
    note_range(t, var, r != NULL ? r->lo : l->s->lo, r != NULL ? r->hi : l->s->hi);
    if (!lo.known || !hi.known || !step.known)
        return run_unsure(t, l, var);
    for (int64_t i = lo.value; left == NULL && !t->failed && step.value != 0 &&
                               (step.value > 0 ? i < hi.value : i > hi.value);
         i += step.value) {
        set(t, var, (struct path_result){.known = true, .value = i});
        t->to->budget--;
        t->failed = t->failed || t->to->budget < 0;
        left = run_turn(t, l);
    }
    return left;
}

static void run_spread(struct path_run *t, const struct pstmt *s) {
    struct path_reduced own = {.accs = s->accs}, *around = t->reduced;
    const int64_t *before = t->before;
    size_t used = t->used;
    bool unsure = t->unsure;
    int k = 0;
    for (const struct pacc *a = s->accs; a != NULL && k < MAX_ACCS; a = a->next, k++) {
        memcpy(own.begin + OF_VAR * k, path_value_of(t, a->acc), sizeof own.begin / MAX_ACCS);
        own.last[k] = own.begin[OF_VAR * k + 1];
    }
    if (s->accs == NULL && before == NULL)
        t->before = new_state(t, t->state);
    t->reduced = s->accs != NULL ? &own : NULL;
    t->unsure = false;
    if (run_turns(t, &(struct turns){s, s->ranges}) != NULL)
        t->failed = true;
    t->reduced = around;
    t->unsure = unsure;
    k = 0;
    for (const struct pacc *a = s->accs; a != NULL && k < MAX_ACCS; a = a->next, k++)
        set(t, a->acc, (struct path_result){.at = own.last[k]});
    t->before = before;
    t->used = used;
}

/* How often blocks around have been left, and the innermost that has. */
static int count_left(const struct path_run *t, const struct pstmt **block) {
    int n = 0;
    for (const struct path_left *l = t->leaving; l != NULL; l = l->outer) {
        if (n == 0 && l->count > 0)
            *block = l->block;
        n += l->count;
    }
    return n;
}

/* A loop that nothing but its body ends: in order as long as that is sure. */
static const struct pstmt *run_loop(struct path_run *t, const struct pstmt *s) {
    const struct pstmt *left = NULL, *block = NULL;
    int before = count_left(t, &block);
    while (left == NULL && !t->failed && count_left(t, &block) == before) {
        left = run(t, s->body);
        t->to->budget--;
    }
    if (left != NULL || t->failed)
        return left;
    run_unsure(t, &(struct turns){.s = s}, NULL);
    return block;
}

static void clear(struct path_run *t, int operand) {
    end_updates(t, operand);
    for (size_t i = 0; i < t->ncells[operand]; i++) {
        t->state[t->cell[operand] + OF_CELL * i] = 0;
        t->state[t->cell[operand] + OF_CELL * i + 1] = ++t->sets;
    }
}

static const struct pstmt *run_stmt(struct path_run *t, const struct pstmt *s) {
    switch (s->kind) {
    case PS_SET: assign(t, s); return NULL;
    case PS_PUT: put(t, s); return NULL;
    case PS_CLEAR: clear(t, s->operand); return NULL;
    case PS_IF: return run_if(t, s);
    case PS_FOR: return run_turns(t, &(struct turns){.s = s});
    case PS_SPREAD: run_spread(t, s); return NULL;
    case PS_LOOP: return run_loop(t, s);
    case PS_BLOCK: return run_block(t, s);
    case PS_LEAVE: return s->target;
    case PS_ASSERT: return NULL;
    default: t->failed = true; return NULL;
    }
}

static const struct pstmt *run(struct path_run *t, const struct pstmt *s) {
    const struct pstmt *left = NULL;
    for (; s != NULL && left == NULL && !t->failed; s = s->next)
        left = run_stmt(t, s);
    return left;
}

/* ---- all */

int64_t path_size(const struct dim *dim, const int64_t *size) {
    int64_t n;
    struct ufc_program program = {.terms = dim->terms, .nterms = (uint64_t)dim->nterms};
    if (dim->size >= 0)
        return dim->size;
    if (dim->expr == NULL)
        return dim->index >= 0 ? size[dim->index] : -1;
    return dim->terms != NULL && ufc_program_size(&program, size, &n) && n >= 0 ? n : -1;
}

static enum walk add_stored(const struct pstmt *s, void *stored) {
    int operand = s->kind == PS_PUT ? s->place->operand : s->kind == PS_CLEAR ? s->operand : 64;
    *(uint64_t *)stored |= operand < 64 ? UINT64_C(1) << operand : 0;
    return WALK_IN;
}

static uint64_t path_stored(const struct plan *p) {
    uint64_t stored = 0;
    plan_walk(p->body->body, &(struct plan_visitor){.stmt = add_stored}, &stored);
    return stored;
}

/* Sets where the cells of operands are.  False: they are too many, or their number is not known. */
static bool place_cells(struct path_run *t) {
    uint64_t stored = path_stored(t->plan);
    size_t at = t->vars;
    for (int k = 0; k < t->noperands; k++) {
        const struct poperand *o = &t->plan->operands[k];
        t->cell[k] = SIZE_MAX;
        int64_t cells = 1;
        for (int i = 0; i < o->rank; i++) {
            int64_t size = path_size(o->dims[i], t->to->size);
            if (size < 0)
                return false;
            cells *= size < MOST_CELLS ? size : MOST_CELLS;
            cells = cells < MOST_CELLS ? cells : MOST_CELLS;
        }
        if (!(stored >> k & 1))
            continue;
        if (cells == MOST_CELLS)
            return false;
        t->cell[k] = at;
        t->ncells[k] = (size_t)cells;
        at += OF_CELL * (size_t)cells;
    }
    t->updates = at;
    t->length = at + 2 * (size_t)t->noperands;
    return t->length < PATH_POOL / 8;
}

bool path_try(struct uc *uc, const struct plan *p, struct path_trial *to) {
    int n = p->noperands + p->nlocals;
    struct path_run t = {.plan = p, .to = to, .noperands = n, .vars = OF_VAR * (size_t)p->nvars};
    t.contracts = uc->options->fp_contract || uc->options->fast_math;
    t.fast = uc->options->fast_math;
    if (n > PATH_OPERANDS || !place_cells(&t))
        return false;
    t.state = t.pool = to->pool;
    t.used = t.length;
    memset(t.state, 0, t.length * sizeof *t.state);
    memset(to->extent, 0, (size_t)p->nvars * sizeof *to->extent);
    run(&t, p->body->body);
    to->last = 0;
    for (int k = 0; k < n; k++) {
        end_updates(&t, k);
        to->updates[k] = t.state[t.updates + 2 * (size_t)k + 1];
        for (size_t i = 0; k < p->overload->nin + p->overload->nout && i < t.ncells[k]; i++)
            to->last = path_later(to->last, t.state[t.cell[k] + OF_CELL * i]);
    }
    return !t.failed;
}
