/* launch_fold.c: a reduction as launches of the FOLD and TREE kernels, the same for every device
 * that runs kernels.
 *
 * How lines are cut into pieces depends on the reduction's shape and the order of its axes in
 * memory alone, so that every run gives the same bits.  The pieces' results of all lines are rows,
 * which the next pass reduces. */
#include <stdlib.h>
#include <string.h>
#include "rt.h"

struct fold {
    struct launcher *launcher;
    enum ufc_dtype dtype;
    int64_t size; /* of an element */
    ufc_error *err;
};

/* A pass over the lines: which kernel, over what pieces. */
struct pass {
    enum ufc_kernel_kind kind;
    int64_t piece, segments;
    int64_t group;          /* threads that share a piece */
    int64_t entries;        /* of SCAN's workspace */
    uint64_t bounds, carry; /* addresses; 0: none */
    const char *why;
};

/* ---- lines side by side */

/* Lines along the first outer axis. */
static int64_t across(const struct reduction *r) {
    return r->nouter ? r->outer_size[0] : 1;
}

/* Blocks of so many of these lines each, of all lines. */
static int64_t blocks_across(int64_t across, int64_t lines, int64_t columns) {
    return ((across - 1) / columns + 1) * (lines / across);
}

/* ---- launching */

void set_fold_parameter(struct ufc_kparam_fold *p, const struct reduction *r) {
    size_t outer = (size_t)r->nouter * sizeof(int64_t), inner = (size_t)r->ninner * sizeof(int64_t);
    memset(p, 0, sizeof *p);
    p->in = (uintptr_t)r->in.data;
    p->out = (uintptr_t)r->out.data;
    p->where = (uintptr_t)r->where.data;
    p->in_dtype = r->in.dtype;
    p->out_dtype = r->out.dtype;
    p->lines = r->lines;
    p->length = r->length;
    memcpy(p->initial, r->initial, sizeof p->initial);
    memcpy(p->empty, r->overload->identity, sizeof p->empty);
    p->has_initial = r->has_initial;
    p->each = r->each;
    p->nouter = (uint32_t)r->nouter;
    p->ninner = (uint32_t)r->ninner;
    p->segment_stride = r->segment_stride;
    set_kernel_axes(&p->outer, r->nouter, r->outer_size);
    set_kernel_axes(&p->inner, r->ninner, r->inner_size);
    memcpy(p->in_outer, r->in.outer, outer);
    memcpy(p->out_outer, r->out.outer, outer);
    memcpy(p->in_inner, r->in.inner, inner);
    if (r->each)
        memcpy(p->out_inner, r->out.inner, inner);
    if (r->where.data) {
        memcpy(p->where_outer, r->where.outer, outer);
        memcpy(p->where_inner, r->where.inner, inner);
    }
}

/* Sets what the parameter has of a pass. */
static void set_pass(struct ufc_kparam_fold *p, const struct reduction *r,
                     const struct pass *pass) {
    bool commutes = r->overload->flags & UFC_COMMUTES;
    p->bounds = pass->bounds;
    p->carry = pass->carry;
    p->entries = pass->entries;
    p->segments = pass->segments;
    p->piece = pass->piece;
    p->group = (uint32_t)pass->group;
    p->unit = ufc_fold_unit(r->in.dtype);
    p->steps = (pass->piece - 1) / (p->unit * pass->group) + 1;
    if (pass->kind == UFC_KERNEL_ACROSS)
        p->steps = (pass->piece - 1) / pass->group + 1;
    p->across = (uint32_t)across(r);
    p->lane = p->unit * (commutes ? 1 : p->steps);
    p->stride = p->unit * (commutes ? pass->group : 1);
}

ufc_status launch_fold(struct launcher *l, const struct reduction *r, enum ufc_kernel_kind kind,
                       const struct ufc_kparam_fold *p, int64_t blocks, const char *why,
                       ufc_error *err) {
    struct {
        struct ufc_kparam_fold fold;
        uint64_t fault;
    } param = {*p, l->fault};
    struct kernel_launch launch = {.kind = kind,
                                   .blocks = (unsigned)blocks,
                                   .block = r->overload->block[kind],
                                   .param = &param,
                                   .size = ufc_fold_param_size(r->overload->flags & UFC_CHECKS),
                                   .why = why};
    return l->launch(l->arg, &launch, err);
}

static ufc_status launch(const struct fold *f, const struct reduction *r, const struct pass *pass) {
    struct ufc_kparam_fold p;
    int64_t all = r->lines * pass->segments, block = r->overload->block[pass->kind], blocks = 0;
    set_fold_parameter(&p, r);
    set_pass(&p, r, pass);
    if (pass->kind == UFC_KERNEL_ACROSS)
        blocks = blocks_across(across(r), r->lines, ufc_across_columns(&p)) * pass->segments;
    else if (pass->kind == UFC_KERNEL_SCAN)
        blocks = all;
    else if (block > 0) /* else the device has no code, and fails */
        blocks = (all - 1) / (block / pass->group) + 1;
    return launch_fold(f->launcher, r, pass->kind, &p, blocks, pass->why, f->err);
}

/* ---- passes */

/* Describes an array of the overload's type as rows: each has an element of each line. */
static void set_rows(const struct fold *f, const struct reduction *r, struct folded *rows,
                     const void *memory) {
    int64_t stride = f->size;
    rows->data = (char *)(uintptr_t)memory;
    rows->dtype = f->dtype;
    for (int axis = 0; axis < r->nouter; axis++) {
        rows->outer[axis] = stride;
        stride *= r->outer_size[axis];
    }
    rows->inner[0] = stride; /* bytes of a row: r->lines elements */
}

/* Makes `next` a reduction of rows of results, each line by itself. */
static void along_rows(const struct fold *f, const struct reduction *r, struct reduction *next,
                       const void *memory, int64_t rows) {
    *next = *r;
    next->whole = NULL;
    set_rows(f, r, &next->in, memory);
    next->where.data = NULL;
    next->ninner = 1;
    next->inner_size[0] = next->length = rows;
    next->has_initial = false; /* the first pass has it */
}

void shape_of_fold(struct fold_shape *s, const struct reduction *r) {
    *s = (struct fold_shape){.overload = r->overload,
                             .lines = r->lines,
                             .length = r->length,
                             .across = across(r),
                             .segments = r->bounds ? r->segments : 0,
                             .dtype = r->in.dtype,
                             .near = r->nouter && r->ninner &&
                                     llabs(r->in.outer[0]) < llabs(r->in.inner[0]),
                             .one_axis = r->ninner <= 1,
                             .masked = r->where.data != NULL,
                             .each = r->each};
}

/* The shape of so many rows of results. */
static struct fold_shape shape_of_rows(const struct fold *f, const struct fold_shape *s,
                                       int64_t rows) {
    struct fold_shape next = *s;
    next.length = rows;
    next.dtype = f->dtype;
    next.near = s->lines > 1;
    next.one_axis = true;
    next.masked = false;
    return next;
}

/* Are there many lines, nearer to each other than a line's elements? */
static bool lines_are_near(const struct fold_shape *s) {
    return s->lines >= FOLD_PIECE && s->near;
}

static int64_t element_size(const struct fold_shape *s) {
    return dtype_info[s->dtype].size;
}

static bool has_tree(const struct fold_shape *s) {
    return s->overload->kernel[UFC_KERNEL_TREE] != NULL;
}

/* Chooses TREE, a block a piece, or some threads of a warp a line. */
static void cut_for_blocks(const struct fold_shape *s, struct pass *pass) {
    int64_t size = element_size(s), bytes = s->length * size;
    pass->kind = UFC_KERNEL_TREE;
    pass->group = BLOCK_THREADS;
    int64_t most = s->lines < TREE_MANY_LINES ? TREE_SHORT_LINE : TREE_LONG_LINE;
    if (bytes <= most) {
        pass->why = "lines are short: threads of a warp share one";
        for (pass->group = 2; pass->group < 32 && pass->group * TREE_THREAD < bytes;)
            pass->group *= 2;
        return;
    }
    pass->why = "lines are long: a block takes a piece of one";
    if (bytes <= TREE_MAX_PIECE)
        return;
    pass->piece = TREE_PIECE / size;
    while (pass->piece < TREE_MAX_PIECE / size && s->length / pass->piece > TREE_BLOCKS / s->lines)
        pass->piece *= 2;
    while ((s->length - 1) / pass->piece + 1 > INT32_MAX / s->lines)
        pass->piece *= 2;
}

/* Whether ACROSS can reduce the lines. */
static bool fits_across(const struct fold_shape *s) {
    enum ufc_dtype own = (enum ufc_dtype)s->overload->dtypes[2];
    return s->overload->kernel[UFC_KERNEL_ACROSS] != NULL && !s->masked && s->one_axis &&
           (s->dtype == own || ufc_widens_to(s->dtype, own));
}

/* Chooses ACROSS, a block a piece of neighbouring lines. */
static void cut_across(const struct fold_shape *s, struct pass *pass) {
    int64_t unit = ufc_fold_unit(s->dtype), threads = 1;
    while (threads < ACROSS_ROW && threads * unit < s->across &&
           2 * threads * unit <= ACROSS_COLUMNS)
        threads *= 2;
    pass->kind = UFC_KERNEL_ACROSS;
    pass->why = "lines lie side by side: a block takes a piece of neighbouring ones";
    pass->group = BLOCK_THREADS / threads;
    int64_t blocks = blocks_across(s->across, s->lines, threads * unit);
    pass->piece = pass->group * FOLD_PIECE;
    while (s->length / pass->piece > ACROSS_BLOCKS / blocks)
        pass->piece *= 2;
    if (pass->piece > s->length)
        pass->piece = s->length;
}

/* Chooses FOLD for lines side by side, a thread a piece. */
static void cut_for_threads(const struct fold_shape *s, struct pass *pass) {
    int64_t pieces = s->lines < FOLD_THREADS ? FOLD_THREADS / s->lines : 1;
    pass->why = "lines lie side by side: a thread takes a piece of one";
    pass->piece = (s->length - 1) / pieces + 1;
    if (pass->piece < FOLD_PIECE)
        pass->piece = FOLD_PIECE;
}

/* Chooses SCAN, a block a line, or, where lines are few and long, a tile of one. */
static void cut_in_tiles(const struct fold_shape *s, struct pass *pass) {
    int64_t tile = ufc_scan_tile((enum ufc_dtype)s->overload->dtypes[2]);
    pass->kind = UFC_KERNEL_SCAN;
    pass->why = "lines are long: a block takes one";
    if (s->lines >= SCAN_LINES || s->length <= tile)
        return;
    pass->why = "lines are long and few: a block takes a tile of one";
    pass->piece = tile;
}

/* The pass of an accumulation that regroups. */
static void choose_scan(const struct fold_shape *s, struct pass *pass) {
    bool side_by_side = lines_are_near(s);
    if (s->overload->kernel[UFC_KERNEL_SCAN] != NULL && !side_by_side &&
        s->length > SCAN_SHORT_LINE) {
        cut_in_tiles(s, pass);
    } else if (s->length / 4 > SCAN_PIECE && s->lines < SCAN_MAX_LINES) {
        pass->why = "lines are long: a thread takes a piece of one";
        pass->piece = SCAN_PIECE;
    }
}

/* The pass of a reduction that regroups. */
static void choose_reduction(const struct fold_shape *s, struct pass *pass) {
    bool side_by_side = lines_are_near(s), tree = has_tree(s) && !side_by_side;
    if (tree ? s->length * element_size(s) <= TREE_THREAD : s->length <= FOLD_PIECE)
        return;
    if (s->lines >= INT32_MAX / 64)
        pass->why = "lines are many: a thread takes one";
    else if (side_by_side && fits_across(s))
        cut_across(s, pass);
    else if (side_by_side)
        cut_for_threads(s, pass);
    else if (tree)
        cut_for_blocks(s, pass);
}

/* Chooses the kernel and the pieces: whole lines where they go in order, are short, or are as many
 * as a GPU needs threads. */
static struct pass choose_pass(const struct fold_shape *s) {
    struct pass pass = {.kind = UFC_KERNEL_FOLD, .piece = s->length, .segments = 1, .group = 1};
    if (s->segments > 0) {
        pass.segments = s->segments;
        pass.why = "indices give segments: a thread takes one, in order";
        return pass;
    }
    pass.why = (s->overload->flags & (UFC_HAS_IDENTITY | UFC_EXACT))
                   ? "lines are short: a thread takes one"
                   : "a line goes in order, without an identity: a thread takes one";
    if ((s->overload->flags & (UFC_HAS_IDENTITY | UFC_EXACT)))
        (s->each ? choose_scan : choose_reduction)(s, &pass);
    pass.segments = (s->length - 1) / pass.piece + 1;
    return pass;
}

static ufc_status allocate(const struct fold *f, size_t size, void **memory) {
    struct launcher *l = f->launcher;
    return l->ctx->ops->alloc(l->ctx, l->stream, size, memory, f->err);
}

static void release(const struct fold *f, void *memory) {
    struct launcher *l = f->launcher;
    l->ctx->ops->free(l->ctx, l->stream, memory);
}

static ufc_status make_rows(const struct fold *f, const struct reduction *r, int64_t rows,
                            void **memory) {
    size_t size = (size_t)(rows * r->lines * f->size);
    return allocate(f, size, memory);
}

int64_t fold_piece(const struct fold_shape *s) {
    return choose_pass(s).piece;
}

/* Reduces pieces of lines of which the reduction has a part. */
static ufc_status reduce_part(const struct fold *f, const struct reduction *r, struct pass *pass) {
    struct reduction first = *r;
    pass->segments = (r->length - 1) / pass->piece + 1;
    set_rows(f, r, &first.out, r->partial);
    first.segment_stride = first.out.inner[0];
    return launch(f, &first, pass);
}

void fold_next(const struct reduction *r, char *memory, int64_t rows, struct reduction *next) {
    const struct fold f = {.dtype = (enum ufc_dtype)r->overload->dtypes[2],
                           .size = dtype_info[r->overload->dtypes[2]].size};
    along_rows(&f, r, next, memory, rows);
    next->partial = NULL;
}

/* Reduces in passes; each leaves a row of results for each piece. */
static ufc_status reduce(const struct fold *f, const struct reduction *r,
                         const struct fold_shape *s) {
    struct pass pass = choose_pass(s);
    if (r->partial)
        return reduce_part(f, r, &pass);
    if (pass.segments == 1)
        return launch(f, r, &pass);
    void *memory;
    struct reduction first = *r, next;
    ufc_status status = make_rows(f, r, pass.segments, &memory);
    if (status != UFC_OK)
        return status;
    set_rows(f, r, &first.out, memory);
    first.segment_stride = first.out.inner[0];
    status = launch(f, &first, &pass);
    along_rows(f, r, &next, memory, pass.segments);
    const struct fold_shape rows = shape_of_rows(f, s, pass.segments);
    if (status == UFC_OK)
        status = reduce(f, &next, &rows);
    release(f, memory);
    return status;
}

/* Accumulates by a block a tile; each gets what is before its own from the workspace. */
static ufc_status scan_tiles(const struct fold *f, const struct reduction *r, struct pass *pass) {
    struct launcher *l = f->launcher;
    pass->entries = (r->lines * ufc_scan_entries(pass->segments) + 3) / 4 * 4;
    size_t size = (size_t)(pass->entries * ufc_scan_entry(f->size));
    void *memory;
    ufc_status status = allocate(f, size, &memory);
    if (status != UFC_OK)
        return status;
    pass->carry = (uintptr_t)memory;
    status = l->ctx->ops->clear(l->ctx, l->stream, memory, size, f->err);
    if (status == UFC_OK)
        status = launch(f, r, pass);
    release(f, memory);
    return status;
}

/* Accumulates by a thread or a block a line; or, where these would be few, finds the pieces'
 * totals, accumulates them, and with them the pieces. */
static ufc_status accumulate(const struct fold *f, const struct reduction *r,
                             const struct fold_shape *s) {
    struct pass pass = choose_pass(s);
    if (pass.segments == 1)
        return launch(f, r, &pass);
    if (pass.segments > INT32_MAX / r->lines)
        return fail(f->err, UFC_EINVAL, "too many elements to accumulate on a GPU");
    if (pass.kind == UFC_KERNEL_SCAN)
        return scan_tiles(f, r, &pass);
    void *memory;
    struct reduction totals = *r, sums;
    ufc_status status = make_rows(f, r, pass.segments, &memory);
    if (status != UFC_OK)
        return status;
    set_rows(f, r, &totals.out, memory);
    totals.segment_stride = totals.out.inner[0];
    totals.each = false;
    status = launch(f, &totals, &pass);
    along_rows(f, r, &sums, memory, pass.segments);
    sums.out = sums.in;
    const struct fold_shape rows = shape_of_rows(f, s, pass.segments);
    if (status == UFC_OK)
        status = accumulate(f, &sums, &rows);
    pass.carry = (uintptr_t)memory;
    if (status == UFC_OK)
        status = launch(f, r, &pass);
    release(f, memory);
    return status;
}

/* reduceat: segments have bounds. */
static ufc_status reduce_segments(const struct fold *f, const struct reduction *r,
                                  const struct fold_shape *s) {
    struct pass pass = choose_pass(s);
    size_t size = 2 * (size_t)r->segments * sizeof *r->bounds;
    void *memory;
    if (r->placed) {
        pass.bounds = r->placed;
        return launch(f, r, &pass);
    }
    ufc_status status = allocate(f, size, &memory);
    if (status != UFC_OK)
        return status;
    pass.bounds = (uintptr_t)memory;
    status = f->launcher->put(f->launcher, memory, r->bounds, size, f->err);
    if (status == UFC_OK)
        status = launch(f, r, &pass);
    release(f, memory);
    return status;
}

/* ---- what one launch can walk */

static ufc_status run(const struct fold *f, const struct reduction *r) {
    struct fold_shape own;
    if (r->keys)
        return launch_at(f->launcher, r, f->err);
    shape_of_fold(&own, r);
    const struct fold_shape *shape = r->whole ? r->whole : &own;
    if (r->each)
        return accumulate(f, r, shape);
    return r->bounds ? reduce_segments(f, r, shape) : reduce(f, r, shape);
}

/* Where there are too many lines or outer axes for a launch, cuts them into slabs along the slowest
 * axis. */
static ufc_status run_slabs(const struct fold *f, const struct reduction *r) {
    int last = r->nouter - 1;
    bool many = r->segments > INT32_MAX / r->lines;
    if (last < UFC_MAX_AXES && !many)
        return run(f, r);
    if (last < 0)
        return fail(f->err, UFC_EINVAL, "too many indices for a GPU");
    int64_t size = r->outer_size[last], rest = r->lines / size, longest = 1;
    if (last < UFC_MAX_AXES && rest * r->segments < INT32_MAX)
        longest = INT32_MAX / (rest * r->segments);
    ufc_status status = UFC_OK;
    for (int64_t begin = 0; begin < size && status == UFC_OK; begin += longest) {
        struct reduction slab = *r;
        int64_t n = size - begin < longest ? size - begin : longest;
        slab.in.data += begin * r->in.outer[last];
        slab.out.data += begin * r->out.outer[last];
        if (slab.where.data)
            slab.where.data += begin * r->where.outer[last];
        slab.lines = rest * n;
        slab.outer_size[last] = n;
        slab.nouter -= n == 1;
        status = run_slabs(f, &slab);
    }
    return status;
}

/* at: the keys are the same for all slabs. */
static ufc_status run_with_keys(const struct fold *f, const struct reduction *r) {
    struct reduction sorted = *r;
    void *memory;
    if (r->length > PTRDIFF_MAX / (4 * (int64_t)sizeof(int64_t)))
        return fail(f->err, UFC_ENOMEM, "out of memory for %lld indices", (long long)r->length);
    size_t room = (size_t)keys_room(f->launcher->ctx, r) * sizeof(int64_t);
    ufc_status status = allocate(f, room, &memory);
    if (status != UFC_OK)
        return status;
    sorted.keys = (uintptr_t)memory;
    status = launch_keys(f->launcher, &sorted, f->err);
    if (status == UFC_OK && r->lines > 0)
        status = run_slabs(f, &sorted);
    release(f, memory);
    return status;
}

static ufc_status launches(struct launcher *l, const void *work, ufc_error *err) {
    const struct reduction *r = work;
    struct fold f = {.launcher = l, .dtype = (enum ufc_dtype)r->overload->dtypes[2], .err = err};
    f.size = dtype_info[f.dtype].size;
    if (r->ninner > UFC_MAX_AXES || (r->ninner > 1 && r->length > INT32_MAX))
        return fail(err, UFC_EINVAL,
                    "a GPU reduces along at most %d axes that do not merge, of 2^31 elements: copy "
                    "the array to C order",
                    UFC_MAX_AXES);
    return r->index.data ? run_with_keys(&f, r) : run_slabs(&f, r);
}

ufc_status launch_reduction(struct launcher *l, const struct reduction *r, ufc_error *err) {
    return launch_checked(l, r->overload, r->ufunc, NULL, launches, r, err);
}
