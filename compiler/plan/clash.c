/* clash.c: rows of an ordered loop that store where elements say, as
 *
 *     for i in 0..n { for k in p[i]..p[i + 1] { y[k] = x[k] * d[i] } }
 *
 * does.  Where no row ends before it begins, nor behind the beginning of the next one, no two of
 * them have an element in common: the number of rows of which that is not so is counted as the call
 * runs. */
#include "apart.h"

struct rows {
    struct lower *l;
    const struct pstmt *list, *end; /* what an iteration sets before its row */
    const struct pvar *index;
    int64_t more; /* added to the index in copies */
};

/* What a list that only sets variables sets one to; NULL: it sets it not once. */
static const struct pval *set_value(const struct rows *x, const struct pvar *var) {
    const struct pval *v = NULL;
    for (const struct pstmt *s = x->list; s != x->end; s = s->next)
        if (s->var == var) {
            if (v != NULL)
                return NULL;
            v = s->value;
        }
    return v;
}

/* A copy of v made of the index and of what the loop does not change; NULL: it is not. */
static struct pval *expanded(const struct rows *x, const struct pval *v, const bool *written) {
    struct lower *l = x->l;
    if (v->kind == PV_VAR && v->var != x->index && written[v->var->id]) {
        const struct pval *set = set_value(x, v->var);
        return set != NULL ? expanded(x, set, written) : NULL;
    }
    if ((v->kind == PV_ELEM || v->kind == PV_LOAD) && (v->operand >= l->plan->nin || v->checked))
        return NULL;
    struct pval *copy = value_new(l, v->kind, v->dtype);
    *copy = *v;
    for (int i = 0; i < v->nargs; i++) {
        copy->args[i] = expanded(x, v->args[i], written);
        if (copy->args[i] == NULL)
            return NULL;
    }
    if (v->kind != PV_VAR || v->var != x->index || x->more == 0)
        return copy;
    return value_op(l, OP_ADD, DT_INT64, copy, plan_number(l->uc, x->more));
}

struct row_search {
    const struct pvar *index;
    uint32_t operands;
    uint32_t other[32]; /* by operand: subscripts that are not the index in some element */
};

static enum walk find_other_place(const struct pval *v, void *arg) {
    struct row_search *x = arg;
    if (v->kind != PV_ELEM || v->operand >= 32 || !(x->operands >> v->operand & 1))
        return WALK_IN;
    uint32_t *other = &x->other[v->operand];
    for (int i = 0; i < v->nargs; i++)
        if (v->args[i]->kind != PV_VAR || v->args[i]->var != x->index)
            *other |= UINT32_C(1) << i;
    return *other == (UINT32_C(1) << v->nargs) - 1 ? WALK_STOP : WALK_IN;
}

static bool is_one(const struct pval *v) {
    return v->kind == PV_CONST && v->i == 1;
}

/* The row of a loop: the ordered one by 1, behind what only sets variables, that alone accesses
 * these operands, of each of which its index is the same subscript.  NULL: there is none. */
static const struct pstmt *row_of(const struct pstmt *loop, uint32_t operands) {
    const struct pstmt *row = loop->body;
    while (row != NULL && row->kind == PS_SET)
        row = row->next;
    if (row == NULL || row->kind != PS_FOR || row->accs != NULL || !is_one(row->step) ||
        !is_one(loop->step))
        return NULL;
    struct row_search in = {row->var, operands, {0}}, beside = {NULL, operands, {0}};
    const struct plan_visitor places = {.value = find_other_place};
    for (const struct pstmt *s = loop->body; s != NULL; s = s->next)
        if (s == row ? !plan_walk(row->body, &places, &in) : !stmt_walk(s, &places, &beside))
            return NULL;
    return row;
}

const struct pstmt *row_of_loop(struct lower *l, const struct pstmt *loop, uint32_t operands) {
    const struct pstmt *row = row_of(loop, operands);
    const bool *written = find_written(l->uc, l->plan, loop->body);
    const struct rows x = {l, loop->body, row, loop->var, 0};
    bool data = row != NULL && (!value_walk(row->lo, find_any_element, NULL) ||
                                !value_walk(row->hi, find_any_element, NULL) ||
                                row->lo->kind == PV_VAR || row->hi->kind == PV_VAR);
    return data && expanded(&x, row->lo, written) != NULL && expanded(&x, row->hi, written) != NULL
               ? row
               : NULL;
}

/* Emits sum += whether a is greater than b. */
static void emit_greater(struct lower *l, struct variable *sum, struct pval *a, struct pval *b,
                         struct span at) {
    struct pval *greater = value_cast(l, value_op(l, OP_GT, DT_BOOL, a, b), DT_INT64);
    emit_set(l, sum, value_op(l, OP_ADD, DT_INT64, plan_read(l->uc, &sum->pvar), greater), at);
}

struct pvar *count_clashes(struct lower *l, const struct pstmt *loop, const struct pstmt *row) {
    const bool *written = find_written(l->uc, l->plan, loop->body);
    struct variable *sum = variable_new(l, "clashes", DT_INT64);
    struct variable *index = variable_new(l, loop->var->name, DT_INT64);
    emit_set(l, sum, value_zero(l, DT_INT64), loop->at);
    struct pstmt *s = stmt_emit(l, PS_FOR, loop->at), **end = l->end;
    struct copy own = {.l = l, .vars = NEWN(l->uc, struct pvar *, l->plan->nvars + 1)};
    own.vars[loop->var->id] = &index->pvar;
    s->var = &index->pvar;
    s->lo = copy_renamed(&own, loop->lo);
    s->hi = copy_renamed(&own, loop->hi);
    s->step = copy_renamed(&own, loop->step);
    struct rows x = {l, loop->body, row, loop->var, 0}, next = x;
    next.more = 1;
    struct pval *lo = expanded(&x, row->lo, written), *hi = expanded(&x, row->hi, written);
    struct pval *behind = expanded(&next, row->lo, written);
    l->end = &s->body;
    emit_greater(l, sum, copy_renamed(&own, lo), copy_renamed(&own, hi), loop->at);
    if (!same_value(hi, behind)) {
        struct pstmt *when = stmt_emit(l, PS_IF, loop->at);
        struct pval *then =
            value_op(l, OP_ADD, DT_INT64, plan_read(l->uc, s->var), plan_number(l->uc, 1));
        when->value = value_op(l, OP_LT, DT_BOOL, then, copy_renamed(&own, loop->hi));
        l->end = &when->body;
        emit_greater(l, sum, copy_renamed(&own, hi), copy_renamed(&own, behind), loop->at);
    }
    l->end = end;
    return &sum->pvar;
}

static struct pval *some_clash(struct lower *l, struct pvar *clashes) {
    return value_op(l, OP_NE, DT_BOOL, plan_read(l->uc, clashes), value_zero(l, DT_INT64));
}

/* Has a list run where rows clash, which they hardly ever do. */
static struct pstmt *where_clashing(struct lower *l, struct pvar *clashes, struct pstmt *list,
                                    struct span at) {
    struct pstmt *s = NEW(l->uc, struct pstmt);
    *s = (struct pstmt){.kind = PS_IF, .at = at, .body = list, .rare = true};
    s->value = some_clash(l, clashes);
    return s;
}

struct pval *emit_unless_apart(struct lower *l, struct pvar *clashes, struct pval *v,
                               struct span at) {
    struct variable *own = variable_new(l, "own", DT_BOOL);
    emit_set(l, own, value_not(l, some_clash(l, clashes)), at);
    struct pstmt *set = NULL, **outer = l->end;
    l->end = &set;
    emit_set(l, own, v, at);
    *outer = where_clashing(l, clashes, set, at);
    l->end = &(*outer)->next;
    return plan_read(l->uc, &own->pvar);
}

void guard_passes(struct lower *l, struct pvar *clashes, struct pstmt *list) {
    for (; list != NULL; list = list->next) {
        struct pstmt *row = list->body;
        while (list->kind == PS_FOR && row->kind == PS_SET)
            row = row->next;
        if (list->kind == PS_SPREAD) {
            list->body = where_clashing(l, clashes, row, list->at);
            add_serial_loop(l->uc, list);
            continue;
        }
        struct pval *hi = value_new(l, PV_SELECT, DT_INT64);
        hi->nargs = 3;
        hi->args[0] = some_clash(l, clashes);
        hi->args[1] = row->hi;
        hi->args[2] = row->lo;
        row->hi = hi;
    }
}
