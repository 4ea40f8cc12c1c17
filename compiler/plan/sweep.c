/* sweep.c: phases that one launch may compute, in a sweep over the rows of arrays: a block has
 * a band of rows, and of each row all phases, while caches have it.  Of a row is what a definition
 * has for an index of its first range; down the rows goes a reduction over such an index at the
 * points of others, as the sums of columns, of which each block has a part. */
#include "plan.h"

enum { MOST_PHASES = 64 }; /* of a body whose sweeps are looked for, each phase among all */

/* Phases that may be of a sweep, and what one of their statements accesses. */
struct sweep {
    const struct plan *plan;
    int first, end;
    const struct pval *rows; /* how many there are: a dimension; NULL: that is not known yet */
    uint32_t stored;         /* operands that the phases store to, a bit each, */
    uint32_t behind;         /* and those of them that reductions down the rows are stored to */
    const struct pvar *row;  /* the index of rows; NULL: outside of these */
    bool along;              /* the row of an array of several axes is read */
};

static enum walk find_var(const struct pval *v, void *var) {
    return v->kind == PV_VAR && v->var == var ? WALK_STOP : WALK_IN;
}

static bool is_row(const struct sweep *x, const struct pval *v) {
    return x->row != NULL && v->nargs > 0 && v->args[0]->kind == PV_VAR &&
           v->args[0]->var == x->row;
}

/* Whether a row lies across memory. */
static bool is_across(const struct sweep *x, const struct pval *v) {
    bool across = false;
    for (int i = 1; i < v->nargs && x->row != NULL; i++)
        across = across || !value_walk(v->args[i], find_var, (void *)(uintptr_t)x->row);
    return across;
}

/* Stops at what the phases store for other rows, or behind all of them. */
static enum walk take_element(const struct pval *v, void *arg) {
    struct sweep *x = arg;
    if (v->kind != PV_ELEM)
        return WALK_IN;
    bool own = is_row(x, v), stored = x->stored >> v->operand & 1;
    x->along = x->along || (own && v->nargs > 1);
    return (stored && !own) || x->behind >> v->operand & 1 || is_across(x, v) ? WALK_STOP : WALK_IN;
}

static enum walk take_place(const struct pstmt *s, void *arg) {
    return s->kind == PS_PUT && !is_row(arg, s->place) ? WALK_STOP : WALK_IN;
}

/* Whether a range is all rows; where these are not known it becomes them. */
static bool has_all_rows(struct sweep *x, const struct prange *r) {
    bool whole = r->lo->kind == PV_CONST && r->lo->i == 0 && r->step->kind == PV_CONST &&
                 r->step->i == 1 && r->hi->kind == PV_DIM;
    if (!whole || (x->rows != NULL && !same_value(x->rows, r->hi)))
        return false;
    x->rows = r->hi;
    return true;
}

/* Whether a statement is straight code, but for conditionals. */
static bool is_plain(const struct pstmt *s) {
    bool plain = s->kind == PS_SET || (s->kind == PS_PUT && !s->merged) || s->kind == PS_IF;
    struct pstmt *const lists[] = {s->body, s->other};
    for (int i = 0; i < 2 && s->kind == PS_IF; i++)
        for (const struct pstmt *in = lists[i]; in != NULL; in = in->next)
            plain = plain && is_plain(in);
    return plain;
}

/* Whether a definition computes a row from that row: by reductions that threads share, or points
 * that they do. */
static bool goes_along(struct sweep *x, const struct pstmt *s) {
    const struct plan_visitor own = {.stmt = take_place, .value = take_element, .joined = true};
    if (!has_all_rows(x, s->ranges))
        return false;
    for (const struct pstmt *in = s->body; in != NULL; in = in->next) {
        bool reduces = in->kind == PS_SPREAD && in->accs != NULL && s->ranges->next == NULL &&
                       !has_loop(in->body);
        if (!reduces && !is_plain(in))
            return false;
    }
    x->row = s->ranges->var;
    return stmt_walk(s, &own, x);
}

const struct pstmt *reduction_down(const struct pstmt *s) {
    const struct pstmt *in = s->body;
    while (in != NULL && in->kind == PS_SET)
        in = in->next;
    return in != NULL && in->kind == PS_SPREAD ? in : NULL;
}

/* Stops at what a bound of rectangular ranges is not made of. */
static enum walk find_unsettled(const struct pval *v, void *none) {
    (void)none;
    return v->kind == PV_VAR || v->kind == PV_ELEM || v->kind == PV_LOAD ? WALK_STOP : WALK_IN;
}

static bool is_rectangle(const struct prange *r) {
    for (; r != NULL; r = r->next)
        if (!value_walk(r->lo, find_unsettled, NULL) || !value_walk(r->hi, find_unsettled, NULL) ||
            !value_walk(r->step, find_unsettled, NULL))
            return false;
    return true;
}

/* Whether what is before and behind a reduction is straight code, which has nothing that other
 * phases store; but behind it what earlier reductions down the rows are stored to, which end before
 * it does. */
static bool is_apart(const struct sweep *sweep, const struct pstmt *s,
                     const struct pstmt *reduction) {
    const struct plan_visitor others = {.value = take_element};
    uint32_t own = sweep->plan->map.stored[s->phase];
    struct sweep x = *sweep;
    x.row = NULL;
    x.stored &= ~own;
    x.behind &= ~own;
    if (!plan_walk(reduction->joined, &others, &x))
        return false;
    for (const struct pstmt *in = s->body; in != NULL; in = in->next) {
        if (in == reduction) {
            x.stored &= ~x.behind;
            x.behind = 0;
        } else if (!is_plain(in) || !stmt_walk(in, &others, &x))
            return false;
    }
    return true;
}

static int count_accs(const struct pstmt *s) {
    int n = 0;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        n++;
    return n;
}

/* Whether a definition reduces over rows, at points that are the same for all of these. */
static bool goes_down(struct sweep *x, const struct pstmt *s) {
    const struct plan_visitor own = {.value = take_element};
    const struct ufc_phase *phase = &x->plan->map.phase[s->phase];
    const struct pstmt *r = reduction_down(s);
    if (r == NULL || r->accs == NULL || !r->parted || r->ordered || r->ranges->next != NULL ||
        phase->reductions != 1 || phase->bytes == 0 || count_accs(r) > SCAN_ACCS ||
        !is_rectangle(s->ranges) || !has_all_rows(x, r->ranges) || !is_apart(x, s, r))
        return false;
    for (const struct pstmt *in = r->body; in != NULL; in = in->next)
        if (!is_plain(in))
            return false;
    x->row = r->ranges->var;
    return plan_walk(r->body, &own, x) && x->along;
}

static enum walk find_set(const struct pstmt *s, void *var) {
    return s->kind == PS_SET && s->var == var ? WALK_STOP : WALK_IN;
}

/* Does a variable have the value that s gives it wherever the phases at hand run?  A reduction
 * behind them may go on with it. */
static bool is_kept(const struct sweep *x, const struct pstmt *s) {
    for (const struct pstmt *in = x->plan->body->body; in != NULL; in = in->next) {
        const struct plan_visitor sets = {.stmt = find_set, .joined = true};
        bool behind = in->kind == PS_SPREAD && in->phase >= x->end;
        if (in != s && !behind && !stmt_walk(in, &sets, s->var))
            return false;
    }
    return true;
}

/* Whether the phases at hand are a sweep; sets those that go down.  *shared becomes how many read
 * rows of arrays of several axes. */
static bool is_sweep(struct sweep *x, bool *down, int *shared) {
    *shared = 0;
    x->rows = NULL;
    for (const struct pstmt *s = x->plan->body->body; s != NULL; s = s->next) {
        const struct plan_visitor own = {.value = take_element};
        if (s->phase < x->first || s->phase >= x->end)
            continue;
        x->row = NULL;
        x->along = false;
        /* it comes before all rows of any phase: its variable has no other value at another one */
        if (s->kind == PS_SET && is_kept(x, s) && stmt_walk(s, &own, x))
            continue;
        if (s->kind != PS_SPREAD || s->accs != NULL || s->ordered || s->merged)
            return false;
        if (!(down[s->phase] ? goes_down : goes_along)(x, s))
            return false;
        *shared += x->along;
    }
    return true;
}

/* Extends a sweep by the phase behind it, along rows or down them.  False: it is none of it. */
static bool extend(struct sweep *x, bool *down, int *shared) {
    const struct sweep before = *x;
    uint32_t writes = x->plan->map.stored[x->end];
    for (int way = 1; way >= 0; way--) {
        *x = before;
        down[x->end++] = way;
        x->stored |= writes;
        x->behind |= way ? writes : 0;
        bool twice = before.behind & writes || (way && before.stored & writes);
        if (!twice && is_sweep(x, down, shared))
            return true;
    }
    *x = before;
    return false;
}

/* Whether it saves something: several phases read the same rows.  Where all of a body goes along
 * rows these may be calls. */
static bool is_worth(const struct sweep *x, const bool *down, int shared) {
    bool any = x->first > 0 || x->end < x->plan->map.phases;
    for (int i = x->first; i < x->end; i++)
        any = any || down[i];
    return any && shared > 1;
}

int sweep_cell(const struct pacc *a) {
    return dtype_info[a->acc->dtype].bits <= 32 ? 4 : 8;
}

/* Bytes of a point's accs in a block's shared memory. */
static uint32_t cell_bytes(const struct pstmt *reduction) {
    uint32_t bytes = 0;
    for (const struct pacc *a = reduction->accs; a != NULL; a = a->next)
        bytes += (uint32_t)sweep_cell(a);
    return bytes;
}

void find_sweeps(struct uc *uc, struct plan *p) {
    bool *down = NEWN(uc, bool, p->map.phases + 1);
    struct ufc_phase *phase = p->map.phase;
    if (!p->map.in_phases || p->map.phases > MOST_PHASES || p->checked || p->nlocals > 0 ||
        p->map.resident != 0)
        return;
    for (int first = 0, shared = 0; first < p->map.phases;) {
        struct sweep x = {.plan = p, .first = first, .end = first};
        int along = 0;
        while (x.end < p->map.phases && extend(&x, down, &shared))
            along = shared;
        if (is_worth(&x, down, along))
            phase[first].sweep = (uint32_t)(x.end - first);
        for (const struct pstmt *s = p->body->body; s != NULL; s = s->next)
            if (s->kind == PS_SPREAD && s->phase >= first && s->phase < x.end && down[s->phase] &&
                phase[first].sweep > 0)
                phase[s->phase].cells = cell_bytes(reduction_down(s));
        first = x.end > first ? x.end : first + 1;
    }
}
