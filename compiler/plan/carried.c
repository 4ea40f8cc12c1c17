/* carried.c: which arrays that an ordered loop's iterations make have values that earlier ones
 * left: through variables that are set in one and read in another one, and through elements that
 * others store.  The others' values, as those of
 *
 *     for i in 0..n { let p[c] = exp(-(x[i] - m[c])**2) for c; for c in 0..k { w[c] += p[c] } }
 *
 * could be computed for all iterations at once. */
#include "apart.h"

struct carrying {
    const struct plan *plan;
    bool *variable, *array; /* by number: what has such values */
    bool more;              /* something has become so */
    int controls;           /* conditions and bounds around that have */
};

static enum walk find_carried(const struct pval *v, void *arg) {
    const struct carrying *c = arg;
    bool is = (v->kind == PV_VAR && c->variable[v->var->id]) ||
              (v->kind == PV_ELEM && c->array[v->operand]);
    return is ? WALK_STOP : WALK_IN;
}

static void note_one(struct carrying *c, bool *is) {
    c->more = c->more || !*is;
    *is = true;
}

static void carry_list(struct carrying *c, const struct pstmt *list);

static void carry_stmt(struct carrying *c, const struct pstmt *s) {
    bool is = c->controls > 0 || !stmt_values(s, find_carried, c);
    bool sets = (s->kind == PS_SET || s->kind == PS_FOR) && s->var != NULL;
    if (is && sets)
        note_one(c, &c->variable[s->var->id]);
    if (is && s->kind == PS_PUT)
        note_one(c, &c->array[s->operand]);
    for (const struct prange *r = s->ranges; r != NULL && is; r = r->next)
        note_one(c, &c->variable[r->var->id]);
    struct pstmt *const *const lists[] = PSTMT_LISTS(s);
    c->controls += is;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        carry_list(c, *lists[i]);
    c->controls -= is;
}

static void carry_list(struct carrying *c, const struct pstmt *list) {
    for (; list != NULL; list = list->next)
        carry_stmt(c, list);
}

uint32_t carried_arrays(const struct sharer *x, const struct pstmt *loop, uint32_t own) {
    const struct plan *p = x->plan;
    const bool *written = find_written(x->uc, p, loop->body);
    const int *here = count_mentions(x->uc, p, loop->body);
    uint32_t carried = 0;
    struct carrying c = {.plan = p,
                         .variable = NEWN(x->uc, bool, p->nvars + 1),
                         .array = NEWN(x->uc, bool, p->noperands + p->nlocals + 1)};
    for (int i = 0; i < p->nvars; i++)
        c.variable[i] = i != loop->var->id && written[i] && here[i] != x->mentions[i];
    for (int k = 0; k < p->noperands + p->nlocals; k++)
        c.array[k] = (k >= p->noperands || !(own >> k & 1)) && is_put(loop->body, k);
    do {
        c.more = false;
        carry_list(&c, loop->body);
    } while (c.more);
    for (int k = 0; k < p->noperands; k++)
        carried |= own >> k & 1 && c.array[k] ? UINT32_C(1) << k : 0;
    return carried;
}
