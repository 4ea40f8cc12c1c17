/* injective.c: whether an element that points read is another one at each of them, since each
 * subscript is made of indices of its own: of one, times a constant, or of two where one counts the
 * elements of a block, as 2 * i + p for p in 0..2. */
#include "plan.h"

enum { MOST_INDICES = 2 };
static const int64_t most_times = INT32_MAX;

struct subscript {
    const struct prange *const *ranges;
    int nranges, n;
    const struct prange *range[MOST_INDICES];
    int64_t times[MOST_INDICES];
};

static const struct prange *find_range(const struct subscript *s, const struct pvar *var) {
    for (int i = 0; i < s->nranges; i++)
        for (const struct prange *r = s->ranges[i]; r != NULL; r = r->next)
            if (r->var == var)
                return r;
    return NULL;
}

/* Adds v, `times` times. */
static bool add_part(struct subscript *s, const struct pval *v, int64_t times) {
    if (v->kind == PV_CONST || v->kind == PV_DIM)
        return true;
    if (v->kind == PV_VAR) {
        const struct prange *r = find_range(s, v->var);
        if (r == NULL || s->n == MOST_INDICES)
            return false;
        s->range[s->n] = r;
        s->times[s->n++] = times;
        return true;
    }
    if (v->kind != PV_OP || v->dtype != DT_INT64)
        return false;
    if (v->op == OP_NEG)
        return add_part(s, v->args[0], -times);
    if (v->op == OP_ADD || v->op == OP_SUB)
        return add_part(s, v->args[0], times) &&
               add_part(s, v->args[1], v->op == OP_SUB ? -times : times);
    if (v->op != OP_MUL)
        return false;
    int constant = v->args[0]->kind == PV_CONST ? 0 : 1;
    int64_t by = (int64_t)v->args[constant]->i;
    return v->args[constant]->kind == PV_CONST && by != 0 && by > -most_times && by < most_times &&
           times > -most_times && times < most_times &&
           add_part(s, v->args[1 - constant], times * by);
}

/* Is `inner` an index within a block, of which `outer` takes the first element? */
static bool is_block(const struct subscript *s, int outer, int inner) {
    const struct prange only = {
        .lo = s->range[inner]->lo, .hi = s->range[inner]->hi, .step = s->range[inner]->step};
    int64_t points = constant_points(&only), by = s->times[outer], times = s->times[inner];
    return only.step->kind == PV_CONST && only.step->i == 1 && (times == 1 || times == -1) &&
           points <= (by < 0 ? -by : by);
}

/* Adds the indices of a subscript to those of the others.  False: it need not differ with them. */
static bool add_indices(struct subscript *s, const struct prange **used, int *nused) {
    if (s->n == 2 && !is_block(s, 0, 1) && !is_block(s, 1, 0))
        return false;
    for (int k = 0; k < s->n; k++) {
        for (int i = 0; i < *nused; i++)
            if (used[i] == s->range[k])
                return false;
        used[(*nused)++] = s->range[k];
    }
    return true;
}

bool differ_at_points(const struct pval *place, const struct prange *const *ranges, int n) {
    const struct prange *used[MAX_CORE_RANK * MOST_INDICES];
    int nused = 0, all = 0;
    for (int i = 0; i < place->nargs; i++) {
        struct subscript s = {.ranges = ranges, .nranges = n};
        if (!add_part(&s, place->args[i], 1) || !add_indices(&s, used, &nused))
            return false;
    }
    for (int i = 0; i < n; i++)
        for (const struct prange *r = ranges[i]; r != NULL; r = r->next)
            all++;
    return nused == all;
}
