/* gufunc_portions.c: a gufunc's call with large arrays on the host, as calls of portions of its
 * loop. */
#include <string.h>

#include "gufunc_call.h"
#include "portions.h"

/* An operand's axis i is the loop's axis i + shift. */
static int shift_of(const struct gufunc_call *c, int k) {
    return c->ndim - (c->op[k].ndim - c->shape.rank[k]);
}

static void *new_part(const void *whole) {
    const struct gufunc_call *c = whole;
    struct gufunc_call *part = gufunc_call_new(c->ctx, c->stream, c->ufunc, c->kw);
    if (part)
        part->recorder = NULL;
    return part;
}

static void cut(const struct portioned_call *p, void *part, void *stream,
                const struct portion *at) {
    const struct gufunc_call *whole = p->whole;
    struct gufunc_call *c = part;
    c->stream = stream;
    c->ufunc = whole->ufunc;
    c->overload = whole->overload;
    c->nintermediates = whole->nintermediates;
    c->shape = whole->shape;
    c->ndim = whole->ndim;
    c->start = at->start;
    memcpy(c->loop_shape, at->size, (size_t)c->ndim * sizeof *c->loop_shape);
    for (int k = 0; k < c->nin + c->nout; k++)
        slice_operand(&c->op[k], &whole->op[k], shift_of(whole, k), whole->shape.rank[k], at);
    for (int k = 0; k < c->nout; k++)
        c->host_out[k].ndim = c->cast_out[k].ndim = -1;
}

static ufc_status prepare(struct portioned_call *p, struct temps *host, ufc_error *err) {
    struct gufunc_call *c = p->whole;
    ufc_context *on_host;
    ufc_status status = shared_context(&on_host, (DLDevice){kDLCPU, 0}, err);
    c->waits = false;
    for (int k = 0; k < c->nin && status == UFC_OK; k++) {
        struct operand *op = &c->op[k];
        int64_t size;
        bool own = is_host(op->device);
        if (op->is_number || !op->data)
            continue;
        if (gufunc_overwrites(c, k))
            status = copy_operand(own ? on_host : c->ctx, c->stream, op, &c->copy,
                                  own ? host : &c->temps, err);
        else if (own && is_whole(&p->portions, op, shift_of(c, k), c->shape.rank[k]) &&
                 shape_size(op->ndim, op->shape, &size) && size > 1)
            status = gufunc_stage(c, k, err);
    }
    return status;
}

/* Whether the call has so much on the host that it is made in portions, of whole core calls. */
static bool has_portions(struct gufunc_call *c, struct portions *p) {
    int order[MAX_RANK], n = c->nin + c->nout;
    portions_begin(p, c->ctx, c->stream);
    portions_walk(p, c->ndim, c->loop_shape);
    for (int k = 0; k < n; k++)
        portions_add(p, &c->op[k], shift_of(c, k), c->shape.rank[k]);
    if (!wants_portions(p))
        return false;
    gufunc_loop(c);
    keep_order(n, c->loop, c->ndim, order);
    return cut_portions(p, order);
}

static ufc_status begin(void *call, ufc_error *err) {
    return gufunc_begin(call, err);
}

static ufc_status finish(void *call, bool failed, ufc_error *err) {
    return gufunc_finish(call, failed, err);
}

ufc_status gufunc_execute(struct gufunc_call *c, ufc_error *err) {
    static const struct portioned_ops ops = {new_part, prepare, cut, begin, finish};
    struct portioned_call p; /* large: what is used is set */
    p.whole = c;
    p.ops = &ops;
    return execute_portioned(&p, has_portions(c, &p.portions), &c->temps, c->recorder, err);
}
