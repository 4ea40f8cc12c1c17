/* keep.c: variables that keep elements of arrays.  Memory's types are not all ones that
 * targets compute in: as with types.c, a half is kept as a float32, a complex number as its
 * parts. */
#include "plan.h"

static struct pval *value_like(struct uc *uc, struct pval v) {
    struct pval *own = NEW(uc, struct pval);
    *own = v;
    return own;
}

static struct pval *cast_of(struct uc *uc, struct pval *v, enum ufc_dtype to) {
    return value_like(uc, (struct pval){.kind = PV_CAST, .dtype = to, .nargs = 1, .args = {v}});
}

struct pval *plan_read(struct uc *uc, struct pvar *var) {
    return value_like(uc, (struct pval){.kind = PV_VAR, .dtype = var->dtype, .var = var});
}

struct pval *plan_operation(struct uc *uc, enum op op, enum ufc_dtype d, struct pval *a,
                            struct pval *b) {
    struct pval *v = NEW(uc, struct pval);
    *v = (struct pval){.kind = PV_OP, .op = op, .dtype = d, .nargs = 2, .args = {a, b}};
    return v;
}

struct pval *replaced_in(struct uc *uc, struct pval *v, const struct pvar *var, struct pval *by) {
    if (v == NULL || value_walk(v, find_variable, (void *)(uintptr_t)var))
        return v;
    if (v->kind == PV_VAR)
        return by;
    struct pval *copy = NEW(uc, struct pval);
    *copy = *v;
    copy->direct = NULL;
    for (int i = 0; i < v->nargs; i++)
        copy->args[i] = replaced_in(uc, v->args[i], var, by);
    return copy;
}

struct pval *plan_number(struct uc *uc, int64_t n) {
    return value_like(uc, (struct pval){.kind = PV_CONST, .dtype = DT_INT64, .i = (uint64_t)n});
}

struct pvar *kept_new(struct uc *uc, struct plan *p, const char *name, enum ufc_dtype d) {
    enum ufc_dtype part = part_dtype(d);
    struct pvar *var =
        plan_variable(uc, p, name, is_half(part) ? dtype_traits[part].computed : part);
    var->rounds = d;
    if (is_complex(d))
        var->imag = plan_variable(uc, p, name, var->dtype);
    return var;
}

struct pval *read_kept(struct uc *uc, struct pvar *var, enum ufc_dtype d) {
    struct pval *v = plan_read(uc, var);
    if (is_complex(d) && var->imag != NULL)
        return value_like(uc, (struct pval){.kind = PV_PACK,
                                            .dtype = d,
                                            .nargs = 2,
                                            .args = {v, plan_read(uc, var->imag)}});
    return d == var->dtype ? v : cast_of(uc, v, d);
}

/* A part of a complex value that is a pair or an element. */
static struct pval *part_of(struct uc *uc, struct pval *v, int i) {
    if (v->kind == PV_PACK)
        return v->args[i];
    return value_like(
        uc,
        (struct pval){
            .kind = PV_PART, .dtype = part_dtype(v->dtype), .result = i, .nargs = 1, .args = {v}});
}

static struct pstmt **add_set(struct uc *uc, struct pvar *var, struct pval *v,
                              struct pstmt **before, struct span at) {
    struct pstmt *s = NEW(uc, struct pstmt);
    *s = (struct pstmt){.kind = PS_SET, .var = var, .value = v, .at = at, .next = *before};
    *before = s;
    return &s->next;
}

/* Both parts are computed before either is set, as they may be computed of what was kept. */
struct pstmt **set_kept(struct uc *uc, struct plan *p, struct pvar *var, struct pval *v,
                        struct pstmt **before, struct span at) {
    if (var->imag == NULL)
        return add_set(uc, var, v->dtype == var->dtype ? v : cast_of(uc, v, var->dtype), before,
                       at);
    struct pvar *part = plan_variable(uc, p, "part", var->imag->dtype);
    before = add_set(uc, part, part_of(uc, v, 1), before, at);
    before = add_set(uc, var, part_of(uc, v, 0), before, at);
    return add_set(uc, var->imag, plan_read(uc, part), before, at);
}

const struct pval *element_read(const struct pval *v) {
    bool within = v->kind == PV_PART || (v->kind == PV_CAST && is_half(v->args[0]->dtype));
    const struct pval *e = within ? v->args[0] : v;
    return e->kind == PV_ELEM ? e : NULL;
}

void replace_read(struct uc *uc, struct pval *v, struct pvar *var) {
    if (v->kind == PV_PART)
        *v = *plan_read(uc, v->result == 0 ? var : var->imag);
    else if (v->kind == PV_CAST && v->dtype == var->dtype)
        *v = *plan_read(uc, var);
    else if (v->kind == PV_CAST)
        v->args[0] = read_kept(uc, var, v->args[0]->dtype);
    else
        *v = *read_kept(uc, var, v->dtype);
}
