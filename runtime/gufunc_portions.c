/* gufunc_portions.c: a gufunc's call with large arrays on the host, as calls of portions of its
 * loop. */
#include <stdlib.h>
#include <string.h>

#include "gufunc_call.h"
#include "portions.h"
#include "recorder.h"

struct gufunc_portions {
    const struct gufunc_call *whole;
    struct gufunc_call *part[PORTIONS];
    struct portions portions;
};

/* An operand's axis i is the loop's axis i + shift. */
static int shift_of(const struct gufunc_call *c, int k) {
    return c->ndim - (c->op[k].ndim - c->shape.rank[k]);
}

static ufc_status begin_portion(void *arg, int slot, void *stream, const struct portion *at,
                                ufc_error *err) {
    const struct gufunc_portions *p = arg;
    const struct gufunc_call *whole = p->whole;
    struct gufunc_call *c = p->part[slot];
    c->stream = stream;
    c->ufunc = whole->ufunc;
    c->overload = whole->overload;
    c->nintermediates = whole->nintermediates;
    c->shape = whole->shape;
    c->ndim = whole->ndim;
    memcpy(c->loop_shape, at->size, (size_t)c->ndim * sizeof *c->loop_shape);
    for (int k = 0; k < c->nin + c->nout; k++)
        slice_operand(&c->op[k], &whole->op[k], shift_of(whole, k), whole->shape.rank[k], at);
    for (int k = 0; k < c->nout; k++)
        c->host_out[k].ndim = c->cast_out[k].ndim = -1;
    return gufunc_begin(c, err);
}

static ufc_status finish_portion(void *arg, int slot, bool failed, ufc_error *err) {
    const struct gufunc_portions *p = arg;
    return gufunc_finish(p->part[slot], failed, err);
}

/* Copies inputs that an output overlaps, and takes to the GPU what all portions have in common. */
static ufc_status prepare_portions(struct gufunc_call *c, const struct gufunc_portions *p,
                                   struct temps *host, ufc_error *err) {
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

static ufc_status run_in_portions(struct gufunc_call *c, struct gufunc_portions *p,
                                  ufc_error *err) {
    const struct portion_work work = {begin_portion, finish_portion, p};
    struct temps host = {0};
    ufc_status status = UFC_OK;
    for (int i = 0; i < PORTIONS; i++) {
        p->part[i] = gufunc_call_new(c->ctx, c->stream, c->ufunc, c->kw);
        if (p->part[i])
            p->part[i]->recorder = NULL;
        else
            status = UFC_ENOMEM;
    }
    if (status != UFC_OK)
        fail(err, status, "out of memory for a call");
    else
        status = prepare_portions(c, p, &host, err);
    if (status == UFC_OK)
        status = run_portions(&p->portions, &work, err);
    free_temps(c->ctx, c->stream, &c->temps);
    while (host.n)
        host_free(NULL, NULL, host.memory[--host.n]);
    for (int i = 0; i < PORTIONS; i++)
        free(p->part[i]);
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

ufc_status gufunc_execute(struct gufunc_call *c, ufc_error *err) {
    struct gufunc_portions p; /* large: what is used is set */
    p.whole = c;
    bool in_portions = has_portions(c, &p.portions);
    if (in_portions && !c->recorder)
        return run_in_portions(c, &p, err);
    ufc_status status = gufunc_begin(c, err);
    ufc_status ended = gufunc_finish(c, status != UFC_OK, status == UFC_OK ? err : NULL);
    if (in_portions)
        record_portions(c->ctx, portion_count(&p.portions), portion_memory(&p.portions));
    return status == UFC_OK ? ended : status;
}
