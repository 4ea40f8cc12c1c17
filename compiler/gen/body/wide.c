/* wide.c: loops that a thread of a GPU runs again and again along rows of arrays: where the rows
 * are aligned, and their elements neighbours, copies of the body load several by one instruction.
 */
#include "build.h"

enum { MAX_ARRAYS = 8 }; /* that have rows along a loop */

struct rows_along {
    struct gen *g;
    const struct pvar *var;
    const struct pval *row[MAX_ARRAYS]; /* an element of each array that has rows along it */
    int axis[MAX_ARRAYS], n;
};

/* The axis along which an element is of a row; -1: it is of none, -2: it is of one that does not
 * begin with the loop. */
static int row_axis(const struct rows_along *x, const struct pval *v) {
    int axis = -1;
    for (int i = 0; i < v->nargs; i++) {
        int64_t by;
        if (!gen_grows(x->g, v->args[i], x->var, &by) || (by != 0 && axis != -1))
            return -2;
        if (by != 0)
            axis = v->args[i]->kind == PV_VAR ? i : -2;
    }
    return axis;
}

/* Adds the array of an element; stops where it has rows of another kind, too. */
static enum walk add_row(const struct pval *v, void *arg) {
    struct rows_along *x = arg;
    if (v->kind != PV_ELEM || v->operand >= x->g->plan->noperands)
        return WALK_IN;
    int axis = row_axis(x, v), k = 0;
    if (axis == -1)
        return WALK_IN;
    while (k < x->n && x->row[k]->operand != v->operand)
        k++;
    if (axis < 0 || v->checked || k == MAX_ARRAYS || (k < x->n && x->axis[k] != axis))
        return WALK_STOP;
    x->row[k] = v;
    x->axis[k] = axis;
    x->n += k == x->n;
    return WALK_IN;
}

static unsigned size_of_row(const struct rows_along *x, int k) {
    return (unsigned)dtype_info[x->row[k]->dtype].bits / 8;
}

/* i1: the rows are aligned, and their elements neighbours. */
static LLVMValueRef are_rows(const struct rows_along *x) {
    struct gen *g = x->g;
    LLVMValueRef bits = i64(g, 0), is = NULL;
    for (int k = 0; k < x->n; k++) {
        const struct gen_array *array = &g->arrays[x->row[k]->operand];
        bits = LLVMBuildOr(g->b, bits, LLVMBuildPtrToInt(g->b, array->base, i64_type(g), ""), "");
        for (int i = 0; i < x->row[k]->nargs; i++) {
            LLVMValueRef size = i64(g, size_of_row(x, k));
            LLVMValueRef unit = compare(g, LLVMIntEQ, array->stride[i], size);
            if (i != x->axis[k])
                bits = LLVMBuildOr(g->b, bits, array->stride[i], "");
            else
                is = is != NULL ? both(g, is, unit) : unit;
        }
    }
    LLVMValueRef low = both(g, bits, i64(g, WIDE_BYTES - 1));
    return both(g, is, compare(g, LLVMIntEQ, low, i64(g, 0)));
}

/* Makes known of the arrays what are_rows finds. */
static struct gen_array *known_arrays(const struct rows_along *x) {
    const struct plan *p = x->g->plan;
    struct gen_array *arrays = NEWN(x->g->uc, struct gen_array, p->noperands + p->nlocals);
    for (int k = 0; k < p->noperands + p->nlocals; k++)
        arrays[k] = x->g->arrays[k];
    for (int k = 0; k < x->n; k++) {
        struct gen_array *array = &arrays[x->row[k]->operand];
        array->stride[x->axis[k]] = i64(x->g, size_of_row(x, k));
        array->beside = WIDE_BYTES;
        array->beside_axis = x->axis[k];
    }
    return arrays;
}

LLVMValueRef gen_wide_rows(struct gen *g, const struct pstmt *s, struct wide *wide) {
    struct rows_along x = {.g = g, .var = s->var};
    const struct plan_visitor rows = {.value = add_row};
    bool from_zero = s->lo->kind == PV_CONST && s->lo->i == 0;
    bool by_one = s->step->kind == PV_CONST && s->step->i == 1;
    if (!g->around.loop || !from_zero || !by_one || g->beside != NULL ||
        !plan_walk(s->body, &rows, &x) || x.n == 0)
        return NULL;
    *wide = (struct wide){.arrays = known_arrays(&x), .element = WIDE_BYTES};
    for (int k = 0; k < x.n; k++)
        if (size_of_row(&x, k) < wide->element)
            wide->element = size_of_row(&x, k);
    return (unsigned)g->ahead * wide->element >= WIDE_BYTES ? are_rows(&x) : NULL;
}
