/* begun.c: addresses of elements that several points abreast read where conditions of their own
 * hold: what the subscripts that are the same for all points add to them is computed before, once,
 * since LLVM moves nothing from one conditional to another. */
#include "build.h"

struct beginning {
    struct gen *g;
    const struct pstmt *s;
    struct begun *found;
    int n;
    const struct pvar *var;
};

/* Stops at a variable that is set, and at what runs more than once. */
static enum walk find_change(const struct pstmt *s, void *arg) {
    const struct beginning *x = arg;
    bool straight = s->kind == PS_SET || s->kind == PS_IF || s->kind == PS_PUT;
    return !straight || (s->kind == PS_SET && s->var == x->var) ? WALK_STOP : WALK_IN;
}

/* Stops at what need not be, before the statement, what it is at the element. */
static enum walk find_late(const struct pval *v, void *arg) {
    struct beginning x = *(const struct beginning *)arg;
    if (v->kind == PV_ELEM || v->kind == PV_TABLE)
        return WALK_STOP;
    x.var = v->kind == PV_VAR ? v->var : NULL;
    return stmt_walk(x.s, &(struct plan_visitor){.stmt = find_change}, &x) ? WALK_IN : WALK_STOP;
}

static bool is_held(const struct gen *g, const struct pval *v) {
    for (int k = 0; k < g->nheld; k++)
        if (same_value(g->held[k].place, v))
            return true;
    return false;
}

static enum walk begin_element(const struct pval *v, void *arg) {
    struct beginning *x = arg;
    if (v->kind != PV_ELEM || v->checked || x->n == MAX_BEGUN || is_held(x->g, v))
        return WALK_IN;
    struct begun b = {.place = v};
    for (int i = 0; i < v->nargs; i++)
        if (!value_varies(x->g->abreast->varying, v->args[i]) &&
            value_walk(v->args[i], find_late, x))
            b.axes |= 1U << i;
    if (b.axes == 0 || gen_begun(x->g, v) != NULL)
        return WALK_IN;
    b.offset = gen_part_of_offset(x->g, v, b.axes);
    x->found[x->n++] = b;
    x->g->nbegun = x->n;
    return WALK_IN;
}

const struct begun *gen_begun(const struct gen *g, const struct pval *v) {
    for (int k = 0; k < g->nbegun; k++)
        if (same_value(g->begun[k].place, v))
            return &g->begun[k];
    return NULL;
}

/* ---- elements that all points read, whether the condition holds or not */

struct holding {
    struct beginning of;
    struct held *held;
    int n;
};

static enum walk find_stored(const struct pstmt *s, void *v) {
    return s->kind == PS_PUT && s->operand == ((const struct pval *)v)->operand ? WALK_STOP
                                                                                : WALK_IN;
}

static enum walk hold_element(const struct pval *v, void *arg) {
    struct holding *x = arg;
    struct gen *g = x->of.g;
    if (v->kind != PV_ELEM || v->checked || x->n == MAX_BEGUN || v->operand >= g->plan->noperands ||
        is_complex(v->dtype) || is_held(g, v) || value_varies(g->abreast->varying, v) ||
        !gen_exists_at_indices(g, v) ||
        !stmt_walk(x->of.s, &(struct plan_visitor){.stmt = find_stored}, (void *)(uintptr_t)v))
        return WALK_IN;
    for (int i = 0; i < v->nargs; i++)
        if (!value_walk(v->args[i], find_late, &x->of))
            return WALK_IN;
    x->held[x->n] = (struct held){.place = v, .value = gen_element(g, v)};
    g->nheld = ++x->n;
    return WALK_IN;
}

bool gen_hold_elements(struct gen *g, const struct pstmt *s, struct held *held) {
    struct holding x = {.of = {.g = g, .s = s}, .held = held};
    const struct pval **below = g->below;
    if (s->kind != PS_IF || g->lanes > 1 || g->nheld > 0 || g->subscript != NULL)
        return false;
    if (below == NULL)
        gen_find_bounds(g);
    g->held = held;
    stmt_walk(s, &(struct plan_visitor){.value = hold_element}, &x);
    g->below = below;
    return true;
}

void gen_begin_elements(struct gen *g, const struct pstmt *s, struct begun *found) {
    struct beginning x = {.g = g, .s = s, .found = found};
    g->begun = found;
    g->nbegun = 0;
    if (s->kind == PS_IF && g->lanes == 1 && g->subscript == NULL && g->beside == NULL)
        stmt_walk(s, &(struct plan_visitor){.value = begin_element}, &x);
}
