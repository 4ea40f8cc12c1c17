/* plan_forward.c: what a call stores to a result without subscripts and reads again is kept in a
 * variable.  So threads that share the call need not wait for the one that stores it, and
 * statements that use it are as they would be with a local. */
#include "plan.h"

/* A PS_PUT, and where its place is read. */
struct stored {
    const struct pstmt *put;
    const struct pval *skipped; /* a place that is stored to */
    struct pvar *var;           /* NULL: whether there is a read is asked */
};

static enum walk find_put(const struct pstmt *s, void *arg) {
    const struct stored *f = arg;
    return s->kind == PS_PUT && s->operand == f->put->operand ? WALK_STOP : WALK_IN;
}

static enum walk skip_place(const struct pstmt *s, void *arg) {
    ((struct stored *)arg)->skipped = s->place;
    return WALK_IN;
}

/* Stops at a read, or replaces it by the variable. */
static enum walk take_read(const struct pval *v, void *arg) {
    const struct stored *f = arg;
    if (v == f->skipped || !same_value(v, f->put->place))
        return WALK_IN;
    if (f->var == NULL)
        return WALK_STOP;
    struct pval *read = (struct pval *)(void *)v;
    *read = (struct pval){.kind = PV_VAR, .dtype = v->dtype, .var = f->var};
    return WALK_PAST;
}

/* Visits the reads of what is stored, up to where something else is.  False: it was stopped. */
static bool visit_reads(struct stored *f) {
    const struct plan_visitor stores = {.stmt = find_put},
                              reads = {.stmt = skip_place, .value = take_read, .joined = true};
    for (const struct pstmt *s = f->put->next; s != NULL && stmt_walk(s, &stores, f); s = s->next)
        if (!stmt_walk(s, &reads, f))
            return false;
    return true;
}

void forward_results(struct lower *l) {
    struct plan *p = l->plan;
    for (struct pstmt **at = &p->body->body; *at != NULL; at = &(*at)->next) {
        struct pstmt *put = *at;
        struct stored f = {.put = put};
        if (put->kind != PS_PUT || put->place->nargs > 0 || put->operand >= p->noperands ||
            visit_reads(&f))
            continue;
        struct pval *v = put->value;
        f.var = &variable_new(l, p->operands[put->operand].name, v->dtype)->pvar;
        f.var->rounds = v->dtype;
        struct pstmt *set = NEW(l->uc, struct pstmt);
        *set = (struct pstmt){.kind = PS_SET, .var = f.var, .value = v, .at = put->at, .next = put};
        put->value = value_new(l, PV_VAR, v->dtype);
        put->value->var = f.var;
        visit_reads(&f);
        *at = set;
        at = &set->next;
    }
}
