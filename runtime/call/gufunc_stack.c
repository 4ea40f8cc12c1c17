/* gufunc_stack.c: many calls of a gufunc as one of a version of it, of which an axis of the loop is
 * a core dimension: plan/stack.c. */
#include "gufunc_call.h"

/* The axis of operand k that is an axis of the loop; negative: it has none, or is a number. */
static int axis_of(const struct gufunc_call *c, int k, int axis) {
    const struct operand *op = &c->operands[k];
    int nloop = op->ndim - c->shape.rank[k];
    return op->is_number ? -1 : axis - (c->ndim - nloop);
}

/* Bytes of an operand from call to call along an axis of the loop. */
static int64_t step_along(const struct gufunc_call *c, int k, int axis) {
    const struct operand *op = &c->operands[k];
    int own = axis_of(c, k, axis);
    return own >= 0 && op->shape[own] > 1 ? op->stride[own] : 0;
}

/* Do all calls along an axis share the operands that do not have it in the version? */
static bool is_shared(const struct gufunc_call *c, const struct ufc_ufunc *version, int axis) {
    bool shared = true;
    for (int k = 0; k < c->nin + c->nout && shared; k++)
        shared = version->core->rank[k] > c->ufunc->core->rank[k] || step_along(c, k, axis) == 0;
    return shared;
}

int gufunc_stack_axis(const struct gufunc_call *c, const struct ufc_ufunc *version) {
    int best = -1;
    for (int axis = 0; axis < c->ndim; axis++)
        if (is_shared(c, version, axis) && (best < 0 || c->loop_shape[axis] > c->loop_shape[best]))
            best = axis;
    for (int k = 0; k < c->nin + c->nout; k++)
        if (c->operands[k].ndim + 2 > MAX_RANK)
            return -1;
    return best;
}

/* Sets operand k of the call: the axis is `several` long, and a core axis of `rows` comes first. */
static void stack_operand(struct gufunc_call *c, const struct ufc_ufunc *version, int k,
                          const struct stack *s) {
    const struct operand *op = &c->operands[k];
    struct operand *to = &c->moved[k];
    int nloop = op->is_number ? 0 : op->ndim - c->shape.rank[k], own = axis_of(c, k, s->axis);
    int64_t step = step_along(c, k, s->axis);
    *to = *op;
    if (own >= 0 && op->shape[own] > 1) {
        to->shape[own] = s->several;
        to->stride[own] = step * s->rows;
    }
    to->data = op->is_number ? (char *)op->value : op->data;
    if (to->data && !op->is_number)
        to->data += step * s->first;
    if (version->core->rank[k] == c->ufunc->core->rank[k])
        return;
    to->is_number = false;
    to->ndim = nloop + c->shape.rank[k] + 1;
    for (int i = to->ndim; i-- > nloop + 1;) {
        to->shape[i] = op->shape[i - 1];
        to->stride[i] = op->stride[i - 1];
    }
    to->shape[nloop] = s->rows;
    to->stride[nloop] = step;
}

void gufunc_stack(struct gufunc_call *c, const struct ufc_ufunc *version, const struct stack *s) {
    for (int k = 0; k < c->nin + c->nout; k++)
        stack_operand(c, version, k, s);
    c->op = c->moved;
    c->loop_shape[s->axis] = s->several;
}
