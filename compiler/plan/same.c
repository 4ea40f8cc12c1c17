/* same.c: are statements the same but for the names of the variables that they set? */
#include "plan.h"

struct renaming renaming_new(struct lower *l) {
    return (struct renaming){.to = NEWN(l->uc, const struct pvar *, l->plan->nvars + 1),
                             .from = NEWN(l->uc, const struct pvar *, l->plan->nvars + 1)};
}

/* Takes b for a; false: one of them stands for another variable. */
static bool pair(struct renaming *x, const struct pvar *a, const struct pvar *b) {
    if (a == NULL || b == NULL)
        return a == b;
    bool fresh = x->to[a->id] == NULL && x->from[b->id] == NULL;
    if (fresh && a->dtype == b->dtype && a->rounds == b->rounds) {
        x->to[a->id] = b;
        x->from[b->id] = a;
    }
    return x->to[a->id] == b && x->from[b->id] == a;
}

/* A variable that neither list sets stands for itself. */
static bool is_paired(const struct renaming *x, const struct pvar *a, const struct pvar *b) {
    bool free = x->to[a->id] == NULL && x->from[b->id] == NULL;
    return free ? a == b : x->to[a->id] == b && x->from[b->id] == a;
}

bool is_same_value(const struct renaming *x, const struct pval *a, const struct pval *b) {
    if (a == NULL || b == NULL)
        return a == b;
    bool same = a->kind == b->kind && a->dtype == b->dtype && a->op == b->op &&
                a->operand == b->operand && a->table == b->table && a->builtin == b->builtin &&
                a->result == b->result && a->nargs == b->nargs && a->i == b->i && a->f == b->f;
    if (same && a->kind == PV_VAR)
        return is_paired(x, a->var, b->var);
    for (int i = 0; same && i < a->nargs; i++)
        same = is_same_value(x, a->args[i], b->args[i]);
    return same;
}

bool are_same_ranges(struct renaming *x, const struct prange *a, const struct prange *b) {
    for (; a != NULL && b != NULL; a = a->next, b = b->next)
        if (!is_same_value(x, a->lo, b->lo) || !is_same_value(x, a->hi, b->hi) ||
            !is_same_value(x, a->step, b->step) || !pair(x, a->var, b->var))
            return false;
    return a == b;
}

static bool are_same_accs(struct renaming *x, const struct pacc *a, const struct pacc *b) {
    for (; a != NULL && b != NULL; a = a->next, b = b->next)
        if (!pair(x, a->acc, b->acc) || !pair(x, a->other, b->other))
            return false;
    return a == b;
}

static bool are_same(struct renaming *x, const struct pstmt *a, const struct pstmt *b) {
    for (; a != NULL && b != NULL; a = a->next, b = b->next)
        if (!is_same_stmt(x, a, b))
            return false;
    return a == b;
}

bool is_same_stmt(struct renaming *x, const struct pstmt *a, const struct pstmt *b) {
    if (a->kind != b->kind || a->operand != b->operand || a->ordered != b->ordered ||
        a->target != NULL || b->target != NULL)
        return false;
    struct pval *const *const values[2][5] = {PSTMT_VALUES(a), PSTMT_VALUES(b)};
    for (size_t i = 0; i < sizeof values[0] / sizeof values[0][0]; i++)
        if (!is_same_value(x, *values[0][i], *values[1][i]))
            return false;
    return pair(x, a->var, b->var) && are_same_ranges(x, a->ranges, b->ranges) &&
           are_same_accs(x, a->accs, b->accs) && are_same(x, a->body, b->body) &&
           are_same(x, a->other, b->other) && are_same(x, a->joined, b->joined);
}
