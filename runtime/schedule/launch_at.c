/* launch_at.c: `at` as launches of SORT and AT, for every device that runs kernels.
 *
 * A key for each index has the row that it selects, and behind that its number, so that sorted keys
 * are those of one row after the other, each in the indices' order.  No bits depend on how they are
 * sorted; how rows are cut depends on the indices alone.  Integers that may be joined in any order
 * are merged unsorted. */
#include "rt.h"

/* Bits that hold numbers below n > 0. */
static int bits_below(int64_t n) {
    int bits = 0;
    while (bits < 63 && (n - 1) >> bits > 0)
        bits++;
    return bits;
}

/* Are elements merged in any order? */
static bool merges(const struct reduction *r) {
    return r->overload->kernel[UFC_KERNEL_MERGE] && r->rows <= UINT32_MAX &&
           r->lines <= INT32_MAX / (r->length > 0 ? r->length : 1);
}

static void set_keys(struct ufc_kparam_fold *p, const struct reduction *r) {
    p->keys = r->keys;
    p->rows = r->rows;
    p->shift = bits_below(r->length);
}

/* ---- SORT */

static ufc_status sort(struct launcher *l, const struct reduction *r, struct ufc_kparam_fold *p,
                       int64_t merged, int64_t distance, ufc_error *err) {
    int64_t pairs = (r->length - 1) / (2 * distance) * distance + distance;
    bool in_block = distance < UFC_SORT_KEYS;
    p->steps = merged;
    p->stride = distance;
    return launch_fold(l, r, UFC_KERNEL_SORT, p,
                       in_block ? (r->length - 1) / UFC_SORT_KEYS + 1
                                : (pairs - 1) / BLOCK_THREADS + 1,
                       "indices are sorted by their rows", err);
}

/* Sorts keys by merging runs, whose lengths double: bitonically, as all threads do the same. */
static ufc_status sort_keys(struct launcher *l, const struct reduction *r,
                            struct ufc_kparam_fold *p, ufc_error *err) {
    ufc_status status = sort(l, r, p, 2, 1, err);
    for (int64_t run = UFC_SORT_KEYS; run < r->length && status == UFC_OK; run *= 2) {
        for (int64_t distance = run; distance >= UFC_SORT_KEYS && status == UFC_OK; distance /= 2)
            status = sort(l, r, p, 2 * run, distance, err);
        if (status == UFC_OK)
            status = sort(l, r, p, 2 * run, 1, err);
    }
    return status;
}

/* Sets *outside to the least and the greatest of the indices that are out of bounds. */
static ufc_status put_keys(struct launcher *l, const struct reduction *r, struct ufc_kparam_fold *p,
                           int64_t outside[2], ufc_error *err) {
    void *found = (void *)(uintptr_t)p->carry;
    ufc_status status = l->put(l, found, outside, 2 * sizeof *outside, err);
    if (status == UFC_OK)
        status = launch_fold(l, r, UFC_KERNEL_SORT, p, (r->length - 1) / BLOCK_THREADS + 1,
                             "indices are sorted by their rows", err);
    if (status == UFC_OK && !r->in_bounds)
        status = l->get(l, outside, found, 2 * sizeof *outside, err);
    return status;
}

ufc_status launch_keys(struct launcher *l, const struct reduction *r, ufc_error *err) {
    struct reduction indices = *r;
    struct ufc_kparam_fold p;
    int64_t outside[2] = {0, -1};
    if (bits_below(r->length) + bits_below(r->rows > 0 ? r->rows : 1) > 63 ||
        r->length > INT32_MAX - BLOCK_THREADS)
        return fail(err, UFC_EINVAL, "too many indices for a GPU");
    indices.in = r->index;
    indices.nouter = 0;
    set_fold_parameter(&p, &indices);
    set_keys(&p, r);
    p.carry = r->keys + (uint64_t)r->length * sizeof(int64_t);
    p.joins = merges(r);
    ufc_status status = put_keys(l, &indices, &p, outside, err);
    if (status != UFC_OK)
        return status;
    if (outside[0] < -r->rows || outside[1] >= r->rows)
        return fail_index(err, outside[0], outside[1], r->rows);
    return p.joins ? UFC_OK : sort_keys(l, &indices, &p, err);
}

/* ---- MERGE */

/* Copies of all rows' elements in a block's shared memory: more of fewer, up to a warp's lanes, as
 * its threads often come to the same row. */
static uint32_t merge_copies(const struct reduction *r) {
    enum { LANES = 32 };
    int64_t cells = UFC_MERGE_BYTES / dtype_info[r->overload->dtypes[2]].size, copies = LANES;
    while (copies > 0 && r->rows > cells / copies / r->lines)
        copies /= 2;
    return (uint32_t)copies;
}

static ufc_status launch_merge(struct launcher *l, const struct reduction *r, ufc_error *err) {
    struct ufc_kparam_fold p;
    set_fold_parameter(&p, r);
    set_keys(&p, r);
    p.group = merge_copies(r);
    int64_t all = r->length * r->lines, blocks = (all - 1) / (MERGE_STEPS * BLOCK_THREADS) + 1;
    int64_t most = (int64_t)l->ctx->gpu.multiprocessors * MERGE_BLOCKS;
    blocks = blocks < most ? blocks : most;
    p.stride = blocks * BLOCK_THREADS;
    return launch_fold(l, r, UFC_KERNEL_MERGE, &p, blocks,
                       p.group ? "elements are merged into copies of the rows, in any order"
                               : "elements are merged into the array, in any order",
                       err);
}

/* ---- AT */

static ufc_status reduce_rows(struct launcher *l, const struct reduction *r,
                              struct ufc_kparam_fold *p, int64_t segments, const char *why,
                              ufc_error *err) {
    p->segments = segments;
    int64_t threads = r->lines * segments;
    return launch_fold(l, r, UFC_KERNEL_AT, p, (threads - 1) / BLOCK_THREADS + 1, why, err);
}

ufc_status launch_at(struct launcher *l, const struct reduction *r, ufc_error *err) {
    struct ufc_kparam_fold p;
    int64_t pieces = (r->length - 1) / AT_PIECE + 1;
    int64_t size = dtype_info[r->overload->dtypes[2]].size;
    void *memory = NULL;
    if (merges(r))
        return launch_merge(l, r, err);
    set_fold_parameter(&p, r);
    set_keys(&p, r);
    p.piece = AT_PIECE;
    if (!regroups(r) || r->length <= AT_LONG_ROW)
        return reduce_rows(l, r, &p, r->length, "a thread takes a row of the array, in order", err);
    ufc_status status =
        l->ctx->ops->alloc(l->ctx, l->stream, (size_t)(pieces * r->lines * size), &memory, err);
    if (status != UFC_OK)
        return status;
    p.steps = AT_LONG_ROW;
    p.carry = (uintptr_t)memory;
    status =
        reduce_rows(l, r, &p, r->length, "a thread takes a row of the array, or its piece", err);
    p.joins = 1;
    if (status == UFC_OK)
        status = reduce_rows(l, r, &p, pieces, "pieces of long rows are joined", err);
    l->ctx->ops->free(l->ctx, l->stream, memory);
    return status;
}
