/* gufunc_turn.c: matrices in which ordered loops go down the columns, step by step, while memory
 * has rows: each access of a warp is then 32 sectors, in every step.  Such a matrix is copied to
 * Fortran order before the call, or back behind it. */
#include "gufunc_call.h"
#include "recorder.h"
#include "schedule/spread.h"

/* The matrix, or the matrices, with the last two core axes exchanged. */
static struct operand exchanged(const struct operand *op) {
    struct operand x = *op;
    int last = op->ndim - 1;
    x.shape[last] = op->shape[last - 1];
    x.shape[last - 1] = op->shape[last];
    x.stride[last] = op->stride[last - 1];
    x.stride[last - 1] = op->stride[last];
    return x;
}

/* Makes memory for operand k in Fortran order; false: there is none. */
static bool make_turned(struct gufunc_call *c, int k, struct operand *turned) {
    struct operand columns = exchanged(&c->op[k]), packed;
    if (make_packed(c->ctx, c->stream, &columns, columns.dtype, PACK_C, &packed, &c->temps, NULL) !=
        UFC_OK)
        return false;
    *turned = exchanged(&packed);
    record_copy(c->ctx, c->ufunc->params[k], "in Fortran order", "");
    return true;
}

static ufc_status turn_output(struct gufunc_call *c, int k, ufc_error *err) {
    struct operand *op = &c->op[c->nin + k], turned;
    if (!make_turned(c, c->nin + k, &turned))
        return UFC_OK;
    c->cast_out[k] = *op;
    *op = turned;
    bool kept = c->overload->unwritten >> k & 1;
    return kept ? gufunc_convert(c, c->nin + k, &c->cast_out[k], op, err) : UFC_OK;
}

static ufc_status turn_input(struct gufunc_call *c, int k, ufc_error *err) {
    struct operand array = c->op[k];
    if (!make_turned(c, k, &c->op[k])) {
        c->op[k] = array;
        return UFC_OK;
    }
    return gufunc_convert(c, k, &array, &c->op[k], err);
}

bool gufunc_turn(struct gufunc_call *c, ufc_status *status, ufc_error *err) {
    bool any = false;
    uint32_t turned = c->ctx->ops->launches ? choose_turned(&c->it, &c->ctx->gpu) : 0;
    for (int k = 0; k < c->nin + c->nout && *status == UFC_OK; k++) {
        bool output = k >= c->nin, matrix = c->shape.rank[k] >= 2 && !c->op[k].is_number;
        if (!(turned >> k & 1) || !matrix || (output && c->cast_out[k - c->nin].ndim >= 0))
            continue;
        *status = output ? turn_output(c, k - c->nin, err) : turn_input(c, k, err);
        any = true;
    }
    return any;
}
