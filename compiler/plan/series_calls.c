/* series_calls.c: how many calls a block may have that adds up their series, a lane for each
 * variable of each.  The threads of a call, but for those that add, run all else: they meet the
 * other calls' where series begin and end, so that all calls come to these together, and none reads
 * what a thread of its own may have stored, as these do not wait for one another. */
#include "plan.h"

struct of_calls {
    uint32_t stored;          /* the operands that statements store to, a bit each */
    int variables;            /* of a series, of one operation and type, at most */
    const struct pval *place; /* of the statement at hand, which it does not read */
};

static enum walk find_stored(const struct pstmt *s, void *calls) {
    struct of_calls *x = calls;
    if (s->kind == PS_PUT)
        x->stored |= UINT32_C(1) << s->place->operand;
    return s->merged ? WALK_STOP : WALK_IN;
}

static enum walk note_place(const struct pstmt *s, void *calls) {
    ((struct of_calls *)calls)->place = s->place;
    return WALK_IN;
}

static enum walk find_read_back(const struct pval *v, void *calls) {
    const struct of_calls *x = calls;
    bool reads = v != x->place && v->kind == PV_ELEM;
    return reads && x->stored >> v->operand & 1 ? WALK_STOP : WALK_IN;
}

/* Are a series' iterations as many in all calls?  Their threads come to all parts together. */
static bool are_even(struct of_calls *x, const struct series *s, const struct loops_around *outer) {
    const struct prange *r = s->points != NULL ? s->points->ranges : NULL;
    while (r != NULL && is_same_around(r->lo, outer) && is_same_around(r->hi, outer))
        r = r->next;
    const struct series_groups groups = groups_of_series(s);
    int alike[MAX_SERIES_GROUPS] = {0};
    for (int i = 0; i < s->n; i++) {
        int n = ++alike[series_group(&groups, &s->acc[i])];
        x->variables = n > x->variables ? n : x->variables;
    }
    return r == NULL;
}

/* Do all calls come to the series of a list, and to loops that their threads share, together? */
static bool are_calls_together(struct of_calls *x, const struct pstmt *list,
                               const struct loops_around *outer) {
    bool together = true;
    for (const struct pstmt *s = list; s != NULL && together; s = s->next) {
        const struct loops_around own = {s->var, outer};
        bool loop = s->kind == PS_FOR;
        if (s->kind == PS_SPREAD)
            together = s->accs == NULL && !has_inner_spreads(s);
        else if (s->kind == PS_EACH)
            together = are_calls_together(x, s->body, outer);
        else if (s->shared != NULL)
            together = !s->turned && are_calls_together(x, s->shared, outer);
        else if (s->series != NULL && s->series->points != NULL)
            together = are_even(x, s->series, outer);
        else if (loop)
            together = s->series != NULL && are_even(x, s->series, outer) &&
                       is_same_around(s->lo, outer) && is_same_around(s->hi, outer) &&
                       are_calls_together(x, s->body, &own);
        else
            together = s->kind == PS_SET || s->kind == PS_PUT;
    }
    return together;
}

int calls_of_series(const struct plan *p) {
    enum { LANES = 32 };
    struct of_calls x = {.variables = 1};
    const struct plan_visitor reads = {.stmt = note_place, .value = find_read_back};
    if (p->nlocals > 0 || !plan_walk(p->body, &(struct plan_visitor){.stmt = find_stored}, &x) ||
        !plan_walk(p->body, &reads, &x) || !are_calls_together(&x, p->body, NULL))
        return 1;
    int calls = LANES;
    while (calls * x.variables > LANES)
        calls /= 2;
    return calls;
}
