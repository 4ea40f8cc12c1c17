/* vary.c: which variables of a gufunc's plan may differ between the lanes of a vector.  All others,
 * and what is computed of them, are computed once for all lanes. */
#include "uc.h"

/* A construct that encloses the statement at hand, or one that lanes leave one by one. */
struct construct {
    const struct pstmt *stmt;
    const struct construct *next; /* the one around it */
};

struct vary {
    struct uc *uc;
    struct varying *found;
    const struct construct *around, *left;
    bool in_step; /* lanes run loops together */
    bool leaves;  /* lanes leave a construct one by one: all code is taken as divergent, */
    bool waits;   /* or, with `waits`, what that construct holds */
    bool changed; /* whether this round has found more */
};

bool varies_itself(const struct varying *found, const struct pval *v) {
    return v->kind == PV_VAR    ? found->vars[v->var->id]
           : v->kind == PV_LOAD ? found->lanes <= LANES_MASKED
                                : v->kind == PV_ELEM && found->arrays[v->operand];
}

static enum walk find_varying_value(const struct pval *v, void *arg) {
    return varies_itself(*(const struct varying *const *)arg, v) ? WALK_STOP : WALK_IN;
}

bool value_varies(const struct varying *found, const struct pval *v) {
    return !value_walk(v, find_varying_value, &found);
}

static bool varies(const struct vary *y, const struct pval *v) {
    return value_varies(y->found, v);
}

static void set(struct vary *y, bool *varies) {
    y->changed = y->changed || !*varies;
    *varies = true;
}

static void set_varies(struct vary *y, const struct pvar *v) {
    set(y, &y->found->vars[v->id]);
}

static void walk(struct vary *y, const struct pstmt *s, bool divergent);

static bool is_left(const struct vary *y, const struct pstmt *s) {
    const struct construct *c = y->left;
    while (c != NULL && c->stmt != s)
        c = c->next;
    return c != NULL;
}

/* Lanes leave the constructs up to `target` one by one. */
static void leave(struct vary *y, const struct pstmt *target) {
    for (const struct construct *c = y->around; c != NULL; c = c->next) {
        if (!is_left(y, c->stmt)) {
            struct construct *left = NEW(y->uc, struct construct);
            *left = (struct construct){c->stmt, y->left};
            y->left = left;
            y->changed = true;
        }
        if (c->stmt == target)
            return;
    }
}

/* What a construct holds that can be left. */
static void walk_inside(struct vary *y, const struct pstmt *s, bool divergent) {
    struct construct own = {s, y->around};
    y->around = &own;
    walk(y, s->body, divergent || is_left(y, s));
    y->around = own.next;
}

/* An ordered loop. */
static void walk_for(struct vary *y, const struct pstmt *s, bool divergent) {
    bool begins = varies(y, s->lo) || varies(y, s->step), ends = varies(y, s->hi);
    if (begins || (!y->in_step && (divergent || ends)))
        set_varies(y, s->var);
    walk_inside(y, s, divergent || begins || ends);
}

/* A spread whose points are the lanes. */
static void walk_lanes(struct vary *y, const struct pstmt *s) {
    const struct prange *r = s->ranges;
    while (r->next != NULL)
        r = r->next;
    set_varies(y, r->var);
    for (const struct pacc *a = s->accs; a != NULL; a = a->next) {
        set_varies(y, a->acc);
        set_varies(y, a->other);
    }
    struct vary inside = *y;
    walk(&inside, s->body, y->leaves);
    walk(&inside, s->joined, true);
    y->changed = inside.changed;
    y->leaves = inside.leaves;
}

/* divergent: not all lanes come here together. */
static void walk(struct vary *y, const struct pstmt *s, bool divergent) {
    for (; s != NULL; s = s->next)
        switch (s->kind) {
        case PS_SET:
            if (divergent || varies(y, s->value))
                set_varies(y, s->var);
            break;
        case PS_IF: {
            bool branches_diverge = divergent || varies(y, s->value);
            walk(y, s->body, branches_diverge);
            walk(y, s->other, branches_diverge);
            break;
        }
        case PS_FOR: walk_for(y, s, divergent); break;
        case PS_SPREAD:
            walk(y, s->serial, divergent);
            for (const struct pacc *a = s->accs; a != NULL; a = a->next)
                if (y->found->vars[a->acc->id])
                    set_varies(y, a->other);
            walk(y, s->joined, divergent);
            break;
        case PS_LEAVE:
            if (divergent && y->waits) {
                leave(y, s->target);
                break;
            }
            y->changed = y->changed || (divergent && !y->leaves);
            y->leaves = y->leaves || divergent;
            break;
        case PS_CLEAR: set(y, &y->found->arrays[s->operand]); break;
        default: walk_inside(y, s, divergent); break;
        }
}

/* Only points of outermost spreads are lanes, or those of parted reductions. */
static enum walk walk_top(const struct pstmt *s, void *y) {
    const struct vary *vary = y;
    if (s->kind != PS_SPREAD || (vary->found->lanes == LANES_PARTS && !s->parted))
        return WALK_IN;
    if (!s->ordered)
        walk_lanes(y, s);
    return WALK_PAST;
}

struct varying *nothing_varies(struct uc *uc, const struct plan *p, enum lanes_of lanes) {
    struct varying *found = NEW(uc, struct varying);
    *found = (struct varying){.lanes = lanes,
                              .vars = NEWN(uc, bool, p->nvars),
                              .arrays = NEWN(uc, bool, p->noperands + p->nlocals)};
    return found;
}

void vary_by(struct uc *uc, struct varying *found, const struct pstmt *list) {
    struct vary y = {.uc = uc, .found = found};
    do {
        y.changed = false;
        walk(&y, list, false);
    } while (y.changed);
}

const struct varying *find_varying_within(struct uc *uc, const struct plan *p,
                                          const struct pstmt *spread, bool in_step) {
    struct vary y = {.uc = uc, .found = nothing_varies(uc, p, LANES_POINTS), .in_step = in_step};
    do {
        y.changed = false;
        walk_lanes(&y, spread);
    } while (y.changed);
    if (in_step)
        find_in_step(uc, p, spread->body, y.found);
    return y.found;
}

const struct varying *find_varying(struct uc *uc, const struct plan *p, enum lanes_of lanes,
                                   bool in_step) {
    struct vary y = {.uc = uc,
                     .found = nothing_varies(uc, p, lanes),
                     .in_step = in_step,
                     .waits = lanes == LANES_MASKED};
    bool across_calls = lanes == LANES_CALLS || lanes == LANES_MASKED;
    for (int k = 0; k < p->noperands; k++)
        y.found->arrays[k] = across_calls;
    do {
        y.changed = false;
        if (across_calls)
            walk(&y, p->body, y.leaves);
        else
            plan_walk(p->body, &(struct plan_visitor){.stmt = walk_top}, &y);
    } while (y.changed);
    if (y.waits)
        find_in_step(uc, p, p->body, y.found);
    return y.found;
}
