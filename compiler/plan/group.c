/* group.c: which indices of a tiling's results are its rows', which its columns', and which
 * are of a batch: both sides depend on these, and each of their points is tiled by itself. */
#include <string.h>

#include "side.h"

struct groups {
    const struct sides *in;
    uint32_t group[MAX_RANGES]; /* the indices that elements have in common with each index */
    uint32_t used;              /* those that some element depends on */
    uint32_t tables;   /* those of constant tables, which are small: they are of one side */
    uint32_t operands; /* those of such elements, a bit each */
    const struct pstmt *rest;
    bool reads; /* an element is not of an array that stays the same */
};

bool is_put(const struct pstmt *s, int operand) {
    for (; s != NULL; s = s->next)
        if ((s->kind == PS_PUT && s->place->operand == operand) || is_put(s->body, operand) ||
            is_put(s->other, operand))
            return true;
    return false;
}

static enum walk join_groups(const struct pval *v, void *arg) {
    struct groups *g = arg;
    bool element = v->kind == PV_ELEM;
    if (!element && v->kind != PV_TABLE)
        return WALK_IN;
    uint32_t all = mask_of(g->in, v) & OF_POINT;
    g->reads = g->reads ||
               (element && (v->operand >= g->in->plan->noperands || is_put(g->rest, v->operand)));
    g->used |= all;
    if (element && all != 0 && v->operand < g->in->plan->noperands)
        g->operands |= UINT32_C(1) << v->operand;
    if (!element) {
        all |= g->tables;
        g->tables = all;
    }
    for (int i = 0; i < MAX_RANGES; i++)
        if (all >> i & 1)
            all |= g->group[i];
    for (int i = 0; i < MAX_RANGES; i++)
        if (all >> i & 1)
            g->group[i] = all;
    return WALK_IN;
}

static enum walk find_row(const struct pval *v, void *arg) {
    const struct sides *in = arg;
    return v->kind == PV_ELEM && mask_of(in, v) & OF_CALL ? WALK_STOP : WALK_IN;
}

/* Makes calls the rows: where they share the arrays that columns depend on, what else the reduction
 * reads is of a row.  False: it reads nothing else, or scalar inputs, which calls have each. */
static bool take_calls(struct sides *in, const struct groups *g) {
    const struct shape *m = &in->tiling->shape;
    for (int k = 0; k < in->plan->nin; k++)
        if (in->plan->operands[k].rank == 0)
            return false;
    in->tiling->shared = g->operands;
    in->of[0] = OF_CALL;
    find_masks(in);
    return !plan_walk(m->body, &(struct plan_visitor){.value = find_row}, in);
}

/* Sets *g, and the sides: the columns' indices are the last one that elements depend on, and those
 * that it has elements in common with.  False: all elements are of one side. */
static bool find_groups(struct sides *in, struct groups *g) {
    const struct shape *m = &in->tiling->shape;
    const struct plan_visitor visitor = {.value = join_groups};
    uint32_t all = 0;
    for (const struct prange *r = m->at; r != NULL; r = r->next)
        all = all << 1 | 1;
    *g = (struct groups){.in = in, .rest = m->rest};
    for (int i = 0; i < MAX_RANGES; i++)
        g->group[i] = 1U << i;
    for (const struct pstmt *s = m->first; s != NULL && s->kind == PS_SET; s = s->next)
        value_walk(s->value, join_groups, g);
    value_walk(m->filter, join_groups, g);
    plan_walk(m->body, &visitor, g);
    if (g->used == 0 || g->reads)
        return false;
    in->of[1] = g->group[31 - __builtin_clz(g->used)];
    in->of[0] = all & ~in->of[1] & ~in->batch;
    return (in->of[0] & g->used) != 0;
}

static void set_batch(struct sides *in, uint32_t batch) {
    memset(in->mask, 0, (size_t)in->plan->nvars * sizeof *in->mask);
    in->batch = batch;
    find_masks(in);
}

void reset_sides(struct sides *in) {
    in->tiling->shared = 0;
    memset(in->staged, 0, (size_t)in->plan->nvars * sizeof *in->staged);
    set_batch(in, 0);
}

/* Takes the fewest indices, at most `most`, without which elements are of two sides for a batch.
 * used: the indices that elements depend on. */
static bool take_batch(struct sides *in, uint32_t used, int most) {
    struct groups g;
    for (int n = 1; n <= most && n + 2 <= __builtin_popcount(used); n++)
        for (uint32_t batch = 1; batch <= used; batch++) {
            if (__builtin_popcount(batch) != n || (batch & ~used) != 0)
                continue;
            set_batch(in, batch);
            if (find_groups(in, &g))
                return true;
        }
    set_batch(in, 0);
    return false;
}

bool find_sides(struct sides *in) {
    struct groups g, again;
    if (find_groups(in, &g))
        return true;
    if (g.used == 0 || g.reads)
        return false;
    if (take_batch(in, g.used, BATCH_INDICES))
        return true;
    return find_groups(in, &again) || (in->of[0] == 0 && take_calls(in, &g));
}
