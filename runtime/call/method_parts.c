/* method_parts.c: methods of arrays on the host, which several GPUs share.
 *
 * Lines are cut into pieces as one GPU would cut them, so that results have the same bits.  Parts
 * have whole lines; or, where no axis that is kept is long enough, whole pieces: each leaves its
 * rows of the first pass's results, which the first GPU reduces when all are there. */
#include <stdlib.h>
#include <string.h>

#include "gpus.h"
#include "method.h"
#include "recorder.h"

struct method_parts {
    const struct method *m;
    struct parts parts;
    struct fold_shape shape; /* of the whole reduction */
    struct reduction r;      /* that, of packed arrays */
    int out_axis;            /* the output's axis that is cut */
    /* Where parts have pieces of lines: */
    bool in_pieces;
    int64_t line, piece; /* elements of a line by each index of the axis that is cut; of a piece */
    char *rows;          /* in the host's memory: a row of row_bytes a piece */
    int64_t row_bytes;
};

/* ---- a part */

/* Rows of results as an array. */
static struct operand rows_operand(const struct method_parts *w, char *rows, int64_t n) {
    enum ufc_dtype dtype = (enum ufc_dtype)w->r.overload->dtypes[2];
    int64_t size = dtype_info[dtype].size;
    return (struct operand){.data = rows,
                            .dtype = dtype,
                            .device = {kDLCPU, 0},
                            .ndim = 1,
                            .shape = {n * w->row_bytes / size},
                            .stride = {size}};
}

/* Memory on the device for rows, which are copied to the host when they are there; on a simulated
 * GPU it is the host's. */
static ufc_status reduce_pieces(const struct method_parts *w, struct method *m, char *rows,
                                ufc_error *err) {
    int64_t n = (m->r.length - 1) / w->piece + 1;
    struct operand there = rows_operand(w, rows, n), here = there;
    m->r.partial = rows;
    if (is_host(m->ctx->device))
        return m->ctx->ops->reduce(m->ctx, m->stream, &m->r, err);
    void *memory = NULL;
    ufc_status status =
        m->ctx->ops->alloc(m->ctx, m->stream, (size_t)(n * w->row_bytes), &memory, err);
    if (status != UFC_OK)
        return status;
    m->temps.memory[m->temps.n++] = m->r.partial = there.data = memory;
    there.device = m->ctx->device;
    status = m->ctx->ops->reduce(m->ctx, m->stream, &m->r, err);
    return status == UFC_OK ? copy_out(m->ctx, m->stream, &there, &here, err) : status;
}

static ufc_status begin_pieces(const struct method_parts *w, struct method *m, int64_t begin,
                               ufc_error *err) {
    int64_t first = begin * w->line / w->piece;
    bool on_gpu = !is_host(m->ctx->device);
    ufc_status status = on_gpu ? method_take(m, &m->in, "array", true, err) : UFC_OK;
    if (status == UFC_OK && on_gpu && m->where.ndim >= 0)
        status = method_take(m, &m->where, "where", true, err);
    if (status != UFC_OK)
        return status;
    make_reduction(m);
    m->r.has_initial = m->r.has_initial && first == 0;
    return reduce_pieces(w, m, w->rows + first * w->row_bytes, err);
}

static ufc_status run_part(const void *arg, int64_t part, ufc_context *ctx, void *stream,
                           ufc_error *err) {
    const struct method_parts *w = arg;
    int64_t begin = part_begin(&w->parts, part);
    struct method *m = malloc(sizeof *m);
    if (!m)
        return fail(err, UFC_ENOMEM, "out of memory for a part of a call");
    *m = *w->m;
    m->ctx = ctx;
    m->stream = stream;
    m->host_out.ndim = -1;
    m->r.whole = &w->shape;
    take_part(&m->in, 0, w->m->in.ndim, &w->parts, part);
    take_part(&m->where, 0, w->m->in.ndim, &w->parts, part);
    if (!w->in_pieces) {
        m->out.data += begin * m->out.stride[w->out_axis];
        m->out.shape[w->out_axis] = part_length(&w->parts, part);
    }
    ufc_status status = w->in_pieces ? begin_pieces(w, m, begin, err) : method_begin(m, err);
    ufc_status ended = method_finish(m, status != UFC_OK, status == UFC_OK ? err : NULL);
    free(m);
    return status == UFC_OK ? ended : status;
}

/* ---- choosing */

/* Checks report the first fault of a whole call; parts must not read what another one writes. */
static bool may_share(const struct method *m) {
    const struct operand *where = m->where.ndim < 0 ? NULL : &m->where;
    return is_host(m->in.device) && is_host(m->out.device) &&
           !(m->r.overload->flags & UFC_CHECKS) && !operands_overlap(&m->in, &m->out) &&
           (!where || (is_host(where->device) && !operands_overlap(where, &m->out)));
}

static struct parts choose(const struct method *m, const bool *may_cut) {
    const struct operand both[] = {m->in, m->where};
    return choose_parts(m->ctx, 2, both, NULL, m->in.ndim, m->in.shape, may_cut, &m->in);
}

/* Parts of whole pieces, along the first axis that the method goes along; merges such axes. */
static struct parts choose_pieces(struct method_parts *w, struct method *merged) {
    bool may_cut[MAX_RANK] = {false};
    int axis = 0;
    method_merge_lines(merged);
    while (axis < merged->in.ndim && (!merged->along[axis] || merged->in.shape[axis] == 1))
        axis++;
    if (axis == merged->in.ndim)
        return (struct parts){0};
    may_cut[axis] = true;
    w->line = 1;
    for (int i = axis + 1; i < merged->in.ndim; i++)
        w->line *= merged->along[i] ? merged->in.shape[i] : 1;
    w->piece = fold_piece(&w->shape);
    struct parts p = choose(merged, may_cut);
    int64_t grain = w->piece, rest = w->line;
    while (rest) {
        int64_t keep = grain % rest;
        grain = rest;
        rest = keep;
    }
    p.grain = w->piece / grain;
    int64_t grains = p.n > 0 ? (p.size - 1) / p.grain + 1 : 0;
    p.n = p.n < grains ? p.n : grains;
    return p;
}

/* Chooses the parts; w->parts.n < 2: there are none.  merged: where parts have pieces, the method
 * with its lines' axes merged. */
static ufc_status choose_all(struct method_parts *w, struct method *merged, ufc_error *err) {
    const struct method *m = w->m;
    bool kept[MAX_RANK];
    ufc_status status = method_describe(m, merged, &w->shape, err);
    if (status != UFC_OK)
        return status;
    w->r = merged->r;
    *merged = *m;
    for (int i = 0; i < m->in.ndim; i++)
        kept[i] = !m->along[i];
    w->parts = choose(m, kept);
    if (!method_has_pieces(&w->r, &w->shape))
        return UFC_OK;
    struct parts pieces = choose_pieces(w, merged);
    w->in_pieces = pieces.n / 2 > w->parts.n;
    if (w->in_pieces)
        w->parts = pieces;
    return UFC_OK;
}

/* ---- all parts */

/* Reduces the rows that the parts have left, on the first GPU. */
static ufc_status join_rows(const struct method_parts *w, struct method *m, int64_t nrows,
                            ufc_error *err) {
    bool on_gpu = !is_host(m->ctx->device);
    struct operand rows = rows_operand(w, w->rows, nrows);
    void *memory = NULL;
    m->host_out.ndim = -1;
    ufc_status status = on_gpu ? method_take_output(m, err) : UFC_OK;
    if (status == UFC_OK && on_gpu)
        status = stage_in(m->ctx, m->stream, &rows, true, &memory, err);
    if (memory)
        m->temps.memory[m->temps.n++] = memory;
    if (status == UFC_OK) {
        fold_next(&w->r, rows.data, nrows, &m->r);
        m->r.out.data = m->out.data;
        status = m->ctx->ops->reduce(m->ctx, m->stream, &m->r, err);
    }
    if (status == UFC_OK && on_gpu) {
        status = stage_out_begin(m->ctx, m->stream, &m->host_out, &m->out, &m->transfer, err);
        m->returning = status == UFC_OK;
    }
    ufc_status ended = method_finish(m, status != UFC_OK, status == UFC_OK ? err : NULL);
    return status == UFC_OK ? ended : status;
}

static ufc_status run_pieces(struct method_parts *w, struct method *m, ufc_error *err) {
    int64_t nrows = (w->r.length - 1) / w->piece + 1;
    w->row_bytes = w->r.lines * dtype_info[w->r.overload->dtypes[2]].size;
    if (m->recorder) {
        void *nowhere = NULL;
        ufc_status status =
            record_place(m->recorder, (size_t)(nrows * w->row_bytes), &nowhere, err);
        w->rows = nowhere;
        return status == UFC_OK ? run_part(w, 0, m->ctx, m->stream, err) : status;
    }
    w->rows = malloc((size_t)(nrows * w->row_bytes));
    if (!w->rows)
        return fail(err, UFC_ENOMEM, "out of memory for the results of parts");
    ufc_status status = run_parts(m->ctx, w->parts.n, run_part, w, err);
    if (status == UFC_OK)
        status = join_rows(w, m, nrows, err);
    free(w->rows);
    return status;
}

ufc_status method_share(struct method *m, ufc_error *err) {
    struct method_parts w = {.m = m};
    struct method *merged = may_share(m) ? malloc(sizeof *merged) : NULL;
    ufc_status status = UFC_OK;
    if (!merged)
        return method_run(m, err);
    status = choose_all(&w, merged, err);
    if (status == UFC_OK && w.parts.n < 2) {
        free(merged);
        return method_run(m, err);
    }
    if (status == UFC_OK) {
        for (int i = 0; i < w.parts.axis; i++)
            w.out_axis += method_has_axis(m, i);
        if (m->recorder)
            record_parts(m->recorder, m->ctx, &w.parts);
        if (w.in_pieces)
            w.m = merged;
        status = w.in_pieces   ? run_pieces(&w, merged, err)
                 : m->recorder ? run_part(&w, 0, m->ctx, m->stream, err)
                               : run_parts(m->ctx, w.parts.n, run_part, &w, err);
    }
    free(merged);
    return status;
}
