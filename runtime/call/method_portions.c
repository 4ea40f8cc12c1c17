/* method_portions.c: methods of large arrays on the host, portion by portion (portions.c).
 *
 * Lines are cut into pieces as those of the whole reduction would be, so that results have the same
 * bits.  Portions have whole lines; or, where the slowest axis in memory is reduced, and by more
 * than one pass, whole pieces: each leaves its rows of the first pass's results, which the further
 * passes reduce when all are there. */
#include <stdlib.h>
#include <string.h>

#include "method.h"
#include "portions.h"
#include "recorder.h"

struct method_portions {
    const struct method *whole;
    struct method *part[PORTIONS_MOST];
    struct portions portions;
    struct fold_shape shape;
    struct reduction r;     /* the whole one, of packed arrays */
    int out_axis[MAX_RANK]; /* the output's axis by that of the array; -1: it has none */
    /* Where portions have pieces of lines: */
    int axis;            /* the axis that is cut; -1: portions have whole lines */
    int64_t line, piece; /* elements of a line by each index of that axis; those of a piece */
    char *rows;          /* rows of results, one a piece, of row_bytes each */
    int64_t nrows, row_bytes;
    struct temps host; /* memory of copies on the host */
};

/* The output with an axis for each of the array's. */
static struct operand expanded(const struct method_portions *p, const struct method *m) {
    struct operand out = m->out;
    out.ndim = m->in.ndim;
    for (int i = 0; i < m->in.ndim; i++) {
        int axis = p->out_axis[i];
        out.shape[i] = axis >= 0 ? m->out.shape[axis] : 1;
        out.stride[i] = axis >= 0 ? m->out.stride[axis] : 0;
    }
    return out;
}

static void slice_output(const struct method_portions *p, struct method *m,
                         const struct portion *at) {
    struct operand all = expanded(p, p->whole), part;
    slice_operand(&part, &all, 0, 0, at);
    m->out.data = part.data;
    for (int i = 0; i < all.ndim; i++)
        if (p->out_axis[i] >= 0 && !m->along[i])
            m->out.shape[p->out_axis[i]] = part.shape[i];
}

/* Makes a method's portion; its reduction is cut as the whole. */
static struct method *begin_part(const struct method_portions *p, int slot, void *stream,
                                 const struct portion *at) {
    struct method *m = p->part[slot];
    *m = *p->whole;
    m->stream = stream;
    m->temps.n = 0;
    m->made = NULL;
    slice_operand(&m->in, &p->whole->in, 0, 0, at);
    if (m->where.ndim >= 0)
        slice_operand(&m->where, &p->whole->where, 0, 0, at);
    m->r.whole = &p->shape;
    return m;
}

static ufc_status begin_lines(void *arg, int slot, void *stream, const struct portion *at,
                              ufc_error *err) {
    const struct method_portions *p = arg;
    struct method *m = begin_part(p, slot, stream, at);
    slice_output(p, m, at);
    return method_begin(m, err);
}

static ufc_status begin_pieces(void *arg, int slot, void *stream, const struct portion *at,
                               ufc_error *err) {
    const struct method_portions *p = arg;
    struct method *m = begin_part(p, slot, stream, at);
    int64_t first = at->start[p->axis] * p->line / p->piece;
    ufc_status status = method_take(m, &m->in, "array", true, err);
    if (status == UFC_OK && m->where.ndim >= 0)
        status = method_take(m, &m->where, "where", true, err);
    if (status != UFC_OK)
        return status;
    make_reduction(m);
    m->r.partial = p->rows + first * p->row_bytes;
    m->r.has_initial = m->r.has_initial && first == 0;
    return m->ctx->ops->reduce(m->ctx, stream, &m->r, err);
}

static ufc_status finish_portion(void *arg, int slot, bool failed, ufc_error *err) {
    const struct method_portions *p = arg;
    struct method *m = p->part[slot];
    bool pinned = p->whole->in.pinned || (p->whole->where.ndim >= 0 && p->whole->where.pinned);
    ufc_status status = UFC_OK;
    if (p->axis >= 0 && pinned && !failed)
        status = m->ctx->ops->synchronize(m->ctx, m->stream, err);
    ufc_status ended = method_finish(m, failed || status != UFC_OK, status == UFC_OK ? err : NULL);
    return status == UFC_OK ? ended : status;
}

/* ---- choosing */

static void set_walk(struct method_portions *p, const struct method *m) {
    portions_walk(&p->portions, m->in.ndim, m->in.shape);
    portions_add(&p->portions, &m->in, 0, 0);
    portions_add(&p->portions, &m->where, 0, 0);
    if (is_host(m->out.device)) {
        struct operand out = expanded(p, m);
        portions_add(&p->portions, &out, 0, 0);
    }
}

/* Is the slowest axis of the array in memory one that the method goes along? */
static bool goes_along_slowest(const struct method *m, const int *order) {
    int i = 0;
    while (i < m->in.ndim && (m->in.shape[order[i]] == 1 || m->in.stride[order[i]] == 0))
        i++;
    return i < m->in.ndim && m->along[order[i]];
}

static int64_t gcd(int64_t a, int64_t b) {
    return b ? gcd(b, a % b) : a;
}

bool method_has_pieces(const struct reduction *r, const struct fold_shape *shape) {
    return !r->each && !r->bounds && regroups(r) && fold_piece(shape) < r->length &&
           r->nouter <= UFC_MAX_AXES && r->ninner <= UFC_MAX_AXES;
}

/* Makes the axes that the method goes along one, the last of them, where an operand's memory allows
 * it. */
static bool merge_lines(const struct method *m, struct operand *op) {
    struct operand merged = *op;
    int last = -1;
    for (int i = op->ndim - 1; i >= 0; i--) {
        if (!m->along[i] || op->shape[i] == 1)
            continue;
        if (last >= 0 && op->stride[i] != merged.shape[last] * merged.stride[last])
            return false;
        if (last >= 0) {
            merged.shape[last] *= op->shape[i];
            merged.shape[i] = 1;
            merged.stride[i] = 0;
        } else {
            last = i;
        }
    }
    *op = merged;
    return last >= 0;
}

/* Of array and mask, where both allow it. */
void method_merge_lines(struct method *m) {
    struct operand in = m->in, where = m->where;
    if (!merge_lines(m, &in) || (where.ndim >= 0 && !merge_lines(m, &where)))
        return;
    m->in = in;
    m->where = where;
}

/* Chooses portions of pieces, along the first axis that the method goes along. */
static bool cut_lines(struct method_portions *p, const int *order) {
    const struct method *m = p->whole;
    int axis = 0;
    while (axis < m->in.ndim && (!m->along[axis] || m->in.shape[axis] == 1))
        axis++;
    p->axis = axis;
    p->line = 1;
    for (int i = axis + 1; i < m->in.ndim; i++)
        p->line *= m->along[i] ? m->in.shape[i] : 1;
    p->piece = fold_piece(&p->shape);
    set_walk(p, m);
    p->portions.grain = p->piece / gcd(p->piece, p->line);
    p->portions.uncut = ~(UINT64_C(1) << axis);
    if (axis < m->in.ndim && cut_portions(&p->portions, order))
        return true;
    return false;
}

/* Copies an operand to C order, on the host. */
static ufc_status copy_in_c_order(struct operand *op, struct temps *temps, ufc_error *err) {
    struct operand both[2] = {*op};
    struct iteration it;
    ufc_context *host;
    ufc_status status = shared_context(&host, op->device, err);
    if (status == UFC_OK)
        status = make_packed(host, NULL, op, op->dtype, PACK_C, &both[1], temps, err);
    if (status != UFC_OK)
        return status;
    int64_t shape[MAX_RANK];
    distinct_shape(op, shape);
    make_iteration(&it, NULL, 1, 1, false, both, op->ndim, shape);
    *op = both[1];
    return host->ops->copy(host, NULL, &it, err);
}

static bool cut_outer(struct method_portions *p, const int *order) {
    set_walk(p, p->whole);
    p->axis = -1;
    p->portions.grain = 1;
    p->portions.uncut = 0;
    for (int i = 0; i < p->whole->in.ndim; i++)
        p->portions.uncut |= (uint64_t)p->whole->along[i] << i;
    return cut_portions(&p->portions, order);
}

ufc_status method_describe(const struct method *m, struct method *model, struct fold_shape *shape,
                           ufc_error *err) {
    bool on_gpu = !is_host(m->ctx->device);
    *model = *m;
    ufc_status status = on_gpu ? pack_strides(m->ctx, &model->in, err) : UFC_OK;
    if (status == UFC_OK && on_gpu && model->where.ndim >= 0)
        status = pack_strides(m->ctx, &model->where, err);
    if (status == UFC_OK && on_gpu)
        status = pack_strides(m->ctx, &model->out, err);
    if (status != UFC_OK)
        return status;
    make_reduction(model);
    shape_of_fold(shape, &model->r);
    return UFC_OK;
}

static ufc_status choose(struct method_portions *p, struct method *m, bool *in_portions,
                         ufc_error *err) {
    int order[MAX_RANK];
    for (int i = 0; i < p->portions.slots; i++)
        if (!(p->part[i] = malloc(sizeof *p->part[i])))
            return fail(err, UFC_ENOMEM, "out of memory for a call");
    ufc_status status = method_describe(m, p->part[0], &p->shape, err);
    if (status != UFC_OK)
        return status;
    p->r = p->part[0]->r;
    keep_order(1, &m->in, m->in.ndim, order);
    bool pieces = method_has_pieces(&p->r, &p->shape);
    if (pieces)
        method_merge_lines(m);
    *in_portions = (pieces && goes_along_slowest(m, order) && cut_lines(p, order) &&
                    !is_oversized(&p->portions)) ||
                   cut_outer(p, order);
    if (!pieces || (*in_portions && !is_oversized(&p->portions)) || !is_host(m->in.device) ||
        m->recorder)
        return UFC_OK;
    status = copy_in_c_order(&m->in, &p->host, err);
    if (status == UFC_OK && m->where.ndim >= 0 && is_host(m->where.device))
        status = copy_in_c_order(&m->where, &p->host, err);
    if (status == UFC_OK)
        method_merge_lines(m);
    if (status == UFC_OK)
        *in_portions = cut_lines(p, order) || cut_outer(p, order);
    return status;
}

/* ---- running */

/* Reduces the rows that the portions have left. */
static ufc_status reduce_rows(const struct method_portions *p, struct method *m, ufc_error *err) {
    fold_next(&p->r, p->rows, p->nrows, &m->r);
    m->r.out.data = m->out.data;
    ufc_status status = m->ctx->ops->reduce(m->ctx, m->stream, &m->r, err);
    if (status != UFC_OK || m->host_out.ndim < 0)
        return status;
    status = stage_out_begin(m->ctx, m->stream, &m->host_out, &m->out, &m->transfer, err);
    m->returning = status == UFC_OK;
    return status;
}

static ufc_status run_pieces(struct method_portions *p, struct method *m, ufc_error *err) {
    const struct portion_work work = {begin_pieces, finish_portion, p};
    void *rows = NULL;
    p->nrows = (p->r.length - 1) / p->piece + 1;
    p->row_bytes = p->r.lines * dtype_info[p->r.overload->dtypes[2]].size;
    ufc_status status = is_host(m->out.device) ? method_take_output(m, err) : UFC_OK;
    if (status == UFC_OK)
        status =
            m->ctx->ops->alloc(m->ctx, m->stream, (size_t)(p->nrows * p->row_bytes), &rows, err);
    if (rows)
        m->temps.memory[m->temps.n++] = p->rows = rows;
    if (status == UFC_OK)
        status = run_portions(&p->portions, &work, err);
    if (status == UFC_OK)
        status = reduce_rows(p, m, err);
    ufc_status ended = method_finish(m, status != UFC_OK, status == UFC_OK ? err : NULL);
    return status == UFC_OK ? ended : status;
}

/* Inputs that share memory with the output, where that is, are copied before it is written. */
static ufc_status run_lines(struct method_portions *p, struct method *m, ufc_error *err) {
    const struct portion_work work = {begin_lines, finish_portion, p};
    ufc_context *own = m->ctx, *there = own;
    ufc_status status = UFC_OK;
    if (is_host(m->out.device))
        status = shared_context(&there, m->out.device, err);
    if (status != UFC_OK)
        return status;
    m->ctx = there;
    status = method_separate(m, err);
    m->ctx = own;
    if (status == UFC_OK)
        status = run_portions(&p->portions, &work, err);
    free_temps(there, m->stream, &m->temps);
    return status;
}

static ufc_status run_whole(struct method *m, ufc_error *err) {
    ufc_status status = method_begin(m, err);
    ufc_status ended = method_finish(m, status != UFC_OK, status == UFC_OK ? err : NULL);
    return status == UFC_OK ? ended : status;
}

ufc_status method_run(struct method *m, ufc_error *err) {
    struct method_portions *p = NULL;
    bool in_portions = false;
    ufc_status status = UFC_OK;
    if (!is_host(m->ctx->device) && !(p = calloc(1, sizeof *p)))
        return fail(err, UFC_ENOMEM, "out of memory for a call");
    if (p) {
        p->whole = m;
        p->axis = -1;
        m->host_out.ndim = -1;
        for (int i = 0, at = 0; i < m->in.ndim; i++)
            p->out_axis[i] = method_has_axis(m, i) ? at++ : -1;
        portions_begin(&p->portions, m->ctx, m->stream);
        set_walk(p, m);
        if (wants_portions(&p->portions))
            status = choose(p, m, &in_portions, err);
    }
    if (status == UFC_OK && in_portions && !m->recorder) {
        status = p->axis >= 0 ? run_pieces(p, m, err) : run_lines(p, m, err);
    } else if (status == UFC_OK) {
        status = run_whole(m, err);
        if (in_portions)
            record_portions(m->ctx, portion_count(&p->portions), portion_memory(&p->portions));
    }
    while (p && p->host.n)
        host_free(NULL, NULL, p->host.memory[--p->host.n]);
    for (int i = 0; p && i < PORTIONS_MOST; i++)
        free(p->part[i]);
    free(p);
    return status;
}
