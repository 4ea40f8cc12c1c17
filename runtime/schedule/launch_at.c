/* launch_at.c: `at` as launches of SORT and of AT or MERGE, for every device that runs kernels.
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

/* Warps of SORT's blocks, a segment each. */
enum { SORT_WARPS = BLOCK_THREADS / 32 };

/* How keys are cut into segments, and rows into digits. */
struct cut {
    int64_t piece, segments;
    int bits, passes; /* of a digit; 0: keys are in order, or one block sorts them */
};

static struct cut cut_keys(const ufc_context *ctx, const struct reduction *r) {
    int bits = bits_below(r->rows > 0 ? r->rows : 1);
    int64_t most = for_gpu(AT_SORT_BLOCKS, ctx->gpu.multiprocessors) * SORT_WARPS;
    struct cut c = {.piece = AT_SORT_KEYS};
    if (r->length > UFC_SORT_KEYS && bits > 0) {
        c.passes = (bits - 1) / UFC_SORT_BITS + 1;
        c.bits = (bits - 1) / c.passes + 1;
    }
    if (most > 0)
        c.piece *= (r->length - 1) / most / AT_SORT_KEYS + 1;
    c.segments = ((r->length - 1) / c.piece / SORT_WARPS + 1) * SORT_WARPS;
    return c;
}

/* Words for the keys, two numbers, and, where there are passes, the other keys, which are sorted,
 * and the counts of a digit. */
int64_t keys_room(const ufc_context *ctx, const struct reduction *r) {
    struct cut c = cut_keys(ctx, r);
    if (merges(r))
        return r->length + 2;
    int64_t counts = (c.segments + 1) << c.bits;
    return r->length + 2 + (c.passes > 0 ? r->length + (counts + 1) / 2 : 0);
}

static ufc_status sort(struct launcher *l, const struct reduction *r, struct ufc_kparam_fold *p,
                       enum ufc_sort_job job, int64_t blocks, ufc_error *err) {
    p->job = job;
    return launch_fold(l, r, UFC_KERNEL_SORT, p, blocks, "indices are sorted by their rows", err);
}

/* Sorts the keys, by digits from the lowest on.  They are at p->keys then. */
static ufc_status sort_keys(struct launcher *l, const struct reduction *r,
                            struct ufc_kparam_fold *p, ufc_error *err) {
    struct cut c = cut_keys(l->ctx, r);
    int64_t blocks = c.segments / SORT_WARPS, room = r->length * (int64_t)sizeof(int64_t);
    ufc_status status = UFC_OK;
    if (c.passes == 0)
        return r->rows > 1 ? sort(l, r, p, UFC_SORT_BLOCK, 1, err) : UFC_OK;
    p->sorted = p->carry + 2 * sizeof(int64_t);
    p->carry = p->sorted + (uint64_t)room;
    p->piece = c.piece;
    p->segments = c.segments;
    p->lane = c.bits;
    for (int pass = 0; pass < c.passes && status == UFC_OK; pass++) {
        p->unit = p->shift + (int64_t)pass * c.bits;
        status = sort(l, r, p, UFC_SORT_COUNT, blocks, err);
        if (status == UFC_OK)
            status = sort(l, r, p, UFC_SORT_SCAN, INT64_C(1) << c.bits, err);
        if (status == UFC_OK)
            status = sort(l, r, p, UFC_SORT_PLACE, blocks, err);
        uint64_t keys = p->sorted;
        p->sorted = p->keys;
        p->keys = keys;
    }
    return status;
}

/* Sets *outside to the least and the greatest of the indices that are out of bounds. */
static ufc_status put_keys(struct launcher *l, const struct reduction *r, struct ufc_kparam_fold *p,
                           int64_t outside[2], ufc_error *err) {
    enum ufc_sort_job job = r->merges ? UFC_SORT_ROWS : UFC_SORT_MAKE;
    void *found = (void *)(uintptr_t)p->carry;
    ufc_status status = l->put(l, found, outside, 2 * sizeof *outside, err);
    if (status == UFC_OK)
        status = sort(l, r, p, job, (r->length - 1) / BLOCK_THREADS + 1, err);
    if (status == UFC_OK && !r->in_bounds)
        status = l->get(l, outside, found, 2 * sizeof *outside, err);
    return status;
}

ufc_status launch_keys(struct launcher *l, struct reduction *r, ufc_error *err) {
    struct ufc_kparam_fold p;
    int64_t outside[2] = {0, -1};
    r->merges = merges(r);
    struct reduction indices = *r;
    if (bits_below(r->length) + bits_below(r->rows > 0 ? r->rows : 1) > 63 ||
        r->length > INT32_MAX - BLOCK_THREADS)
        return fail(err, UFC_EINVAL, "too many indices for a GPU");
    indices.in = r->index;
    indices.nouter = 0;
    set_fold_parameter(&p, &indices);
    set_keys(&p, r);
    p.carry = r->keys + (uint64_t)r->length * sizeof(int64_t);
    ufc_status status = put_keys(l, &indices, &p, outside, err);
    if (status != UFC_OK)
        return status;
    if (outside[0] < -r->rows || outside[1] >= r->rows)
        return fail_index(err, outside[0], outside[1], r->rows);
    if (r->merges)
        return UFC_OK;
    status = sort_keys(l, &indices, &p, err);
    r->keys = p.keys;
    return status;
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
                              struct ufc_kparam_fold *p, enum ufc_at_job job, int64_t segments,
                              const char *why, ufc_error *err) {
    p->job = job;
    p->segments = segments;
    int64_t threads = r->lines * segments;
    return launch_fold(l, r, UFC_KERNEL_AT, p, (threads - 1) / BLOCK_THREADS + 1, why, err);
}

/* Rows that are not cut, and what leads those that are.  A thread for each key would find the
 * rows' begins without a search, but few of many threads would be at one. */
static ufc_status lead_rows(struct launcher *l, const struct reduction *r,
                            struct ufc_kparam_fold *p, bool *by_rows, ufc_error *err) {
    bool cut = p->steps > 0;
    *by_rows = r->rows <= r->length / AT_ROW_KEYS;
    return reduce_rows(l, r, p, *by_rows ? UFC_AT_ROWS : UFC_AT_KEYS,
                       *by_rows ? r->rows : r->length,
                       cut ? "a thread takes a row of the array, or its piece"
                           : "a thread takes a row of the array, in order",
                       err);
}

ufc_status launch_at(struct launcher *l, const struct reduction *r, ufc_error *err) {
    struct ufc_kparam_fold p;
    int64_t pieces = (r->length - 1) / AT_PIECE + 1;
    int64_t size = dtype_info[r->overload->dtypes[2]].size;
    bool by_rows;
    void *memory = NULL;
    if (r->merges)
        return launch_merge(l, r, err);
    set_fold_parameter(&p, r);
    set_keys(&p, r);
    p.piece = AT_PIECE;
    if (!regroups(r) || r->length <= AT_LONG_ROW)
        return lead_rows(l, r, &p, &by_rows, err);
    ufc_status status =
        l->ctx->ops->alloc(l->ctx, l->stream, (size_t)(pieces * r->lines * size), &memory, err);
    if (status != UFC_OK)
        return status;
    p.steps = AT_LONG_ROW;
    p.carry = (uintptr_t)memory;
    status = lead_rows(l, r, &p, &by_rows, err);
    if (status == UFC_OK && by_rows)
        status = reduce_rows(l, r, &p, UFC_AT_PIECES, pieces,
                             "a thread takes a piece of a long row", err);
    if (status == UFC_OK)
        status = reduce_rows(l, r, &p, UFC_AT_JOIN, pieces, "pieces of long rows are joined", err);
    l->ctx->ops->free(l->ctx, l->stream, memory);
    return status;
}
