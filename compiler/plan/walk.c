/* walk.c: walks over the kernel plan, by the lists of a statement's members in loop_ir.h. */
#include "uc.h"

bool value_walk(const struct pval *v, value_visitor *visit, void *arg) {
    if (v == NULL)
        return true;
    enum walk way = visit(v, arg);
    for (int i = 0; way == WALK_IN && i < v->nargs; i++)
        if (!value_walk(v->args[i], visit, arg))
            return false;
    return way != WALK_STOP;
}

bool stmt_values(const struct pstmt *s, value_visitor *visit, void *arg) {
    struct pval *const *const values[] = PSTMT_VALUES(s);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (!value_walk(*values[i], visit, arg))
            return false;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        if (!value_walk(r->lo, visit, arg) || !value_walk(r->hi, visit, arg) ||
            !value_walk(r->step, visit, arg))
            return false;
    return true;
}

bool stmt_walk(const struct pstmt *s, const struct plan_visitor *visitor, void *arg) {
    struct pstmt *const *const lists[] = PSTMT_LISTS(s);
    enum walk way = visitor->stmt != NULL ? visitor->stmt(s, arg) : WALK_IN;
    if (way != WALK_IN)
        return way != WALK_STOP;
    if (visitor->value != NULL && !stmt_values(s, visitor->value, arg))
        return false;
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if ((lists[i] != &s->joined || visitor->joined) && !plan_walk(*lists[i], visitor, arg))
            return false;
    return true;
}

bool plan_walk(const struct pstmt *list, const struct plan_visitor *visitor, void *arg) {
    for (; list != NULL; list = list->next)
        if (!stmt_walk(list, visitor, arg))
            return false;
    return true;
}

/* ---- questions about a plan */

static enum walk find_loop(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_FOR || s->kind == PS_LOOP || s->kind == PS_SPREAD ? WALK_STOP : WALK_IN;
}

static const struct plan_visitor loop_visitor = {.stmt = find_loop};

bool has_loop(const struct pstmt *list) {
    return !plan_walk(list, &loop_visitor, NULL);
}

bool is_loop(const struct pstmt *s) {
    return !stmt_walk(s, &loop_visitor, NULL);
}

static enum walk find_store(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_PUT ? WALK_STOP : WALK_IN;
}

static const struct plan_visitor store_visitor = {.stmt = find_store};

bool has_store(const struct pstmt *list) {
    return !plan_walk(list, &store_visitor, NULL);
}

bool is_store(const struct pstmt *s) {
    return !stmt_walk(s, &store_visitor, NULL);
}

static enum walk count_node(const struct pval *v, void *count) {
    (void)v;
    ++*(int *)count;
    return WALK_IN;
}

int value_size(const struct pval *v) {
    int n = 0;
    value_walk(v, count_node, &n);
    return n;
}

bool is_sign_cast(const struct pval *v) {
    const struct pval *sign = v->kind == PV_CAST ? v->args[0] : NULL;
    return sign != NULL && sign->kind == PV_CALL && sign->builtin == &builtins[B_SIGN] &&
           is_float(sign->dtype) && is_integer(v->dtype) && is_signed(v->dtype);
}

static enum walk find_variable(const struct pval *v, void *var) {
    return v->kind == PV_VAR && v->var == *(const struct pvar **)var ? WALK_STOP : WALK_IN;
}

bool value_grows(const struct pval *v, const struct pvar *var, int *by) {
    int a, b;
    *by = v->kind == PV_VAR && v->var == var;
    if (*by || value_walk(v, find_variable, &var))
        return true;
    if (v->kind != PV_OP || (v->op != OP_ADD && v->op != OP_SUB) ||
        !value_grows(v->args[0], var, &a) || !value_grows(v->args[1], var, &b))
        return false;
    *by = v->op == OP_ADD ? a + b : a - b;
    return true;
}

struct setting {
    const struct pvar *var;
    int times;
};

static enum walk count_set(const struct pstmt *s, void *arg) {
    struct setting *x = arg;
    x->times += s->kind == PS_SET && s->var == x->var;
    return WALK_IN;
}

bool sets_once(const struct pstmt *list, const struct pvar *var) {
    struct setting x = {.var = var};
    plan_walk(list, &(struct plan_visitor){.stmt = count_set, .joined = true}, &x);
    return x.times == 1;
}
