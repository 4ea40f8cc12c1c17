/* lift.c: local arrays of constant size, which a thread keeps, become arrays of the call in a
 * version of the body whose ordered loops are taken apart: several threads may then have them. */
#include "apart.h"

/* Stops at a local array that points have for themselves. */
static enum walk find_own_local(const struct pstmt *s, void *plan) {
    const struct plan *p = plan;
    bool stores = s->kind == PS_PUT || s->kind == PS_CLEAR;
    return stores && s->operand >= p->noperands ? WALK_STOP : WALK_IN;
}

static enum walk find_shared_local(const struct pstmt *s, void *plan) {
    if (s->kind != PS_SPREAD)
        return WALK_IN;
    const struct plan_visitor own = {.stmt = find_own_local, .joined = true};
    return stmt_walk(s, &own, plan) ? WALK_PAST : WALK_STOP;
}

/* A definition that sets all elements of an array to zeros. */
static struct pstmt *zeros_of(struct lower *l, int k, struct span at) {
    const struct poperand *array = &l->plan->operands[k];
    struct pstmt *s = NEW(l->uc, struct pstmt), *put = NEW(l->uc, struct pstmt);
    struct prange **end = &s->ranges;
    struct pval *place = value_new(l, PV_ELEM, array->dtype);
    *s = (struct pstmt){.kind = PS_SPREAD, .at = at, .outermost = true, .body = put};
    for (int i = 0; i < array->rank; i++, end = &(*end)->next) {
        struct variable *index = variable_new(l, array->name, DT_INT64);
        *end = NEW(l->uc, struct prange);
        **end = (struct prange){.var = &index->pvar,
                                .lo = plan_number(l->uc, 0),
                                .hi = plan_number(l->uc, array->dims[i]->size),
                                .step = plan_number(l->uc, 1)};
        set_index_range(index, (*end)->lo, (*end)->hi, (*end)->step);
        place->args[place->nargs++] = plan_read(l->uc, &index->pvar);
    }
    place->operand = k;
    *put = (struct pstmt){.kind = PS_PUT, .at = at, .operand = k, .place = place};
    put->value = value_new(l, PV_CONST, array->dtype);
    return s;
}

static void replace_clears(struct lower *l, struct pstmt **list) {
    for (; *list != NULL; list = &(*list)->next) {
        struct pstmt *s = *list;
        struct pstmt **const lists[] = PSTMT_LISTS(s);
        if (s->kind == PS_CLEAR) {
            *list = zeros_of(l, s->operand, s->at);
            (*list)->next = s->next;
            continue;
        }
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            replace_clears(l, lists[i]);
    }
}

void lift_local_arrays(struct lower *l, struct overload *o) {
    struct plan *p = l->plan;
    int all = p->noperands + p->nlocals, ndims = o->decl->ndims;
    for (int k = p->noperands; k < all; k++)
        ndims += p->operands[k].rank;
    if (p->nlocals == 0 || ndims > MAX_DIMS || p->checked || all > UFC_MAX_OPERANDS / 2 ||
        !plan_walk(p->body, &(struct plan_visitor){.stmt = find_shared_local}, p))
        return;
    for (int k = p->noperands; k < all; k++) {
        struct poperand *array = &p->operands[k];
        array->is_output = true;
        for (int i = 0; i < array->rank; i++)
            array->dims[i] = dim_of_number(l->uc, o->decl, array->dims[i]->size);
        o->dtypes[k] = (uint8_t)array->dtype;
    }
    o->nintermediates += p->nlocals;
    p->noperands = all;
    p->nlocals = 0;
    replace_clears(l, &p->body);
}
