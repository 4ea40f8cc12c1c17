/* dev_cpu_fold.c: reduce, accumulate and reduceat on the host.
 *
 * A function with an identity reduces a line as NumPy sums: halves of halves, down to leaves of at
 * most LEAF vectors, these in interleaved parts, one a lane (in consecutive ones, where it does
 * not commute).  The tree follows from the length alone, so that neither layout nor threads change
 * a bit.  A function without goes in order.
 *
 * What folds takes lanes of elements.  They are either along a line, or across lines: of a group of
 * job->lanes lines.  Both give the same bits. */
#include <stdlib.h>
#include <string.h>

#include "level.h"
#include "rt.h"

enum {
    MAX_LANES = 8,
    LEAF = 16,     /* vectors of lanes: with them NumPy's block */
    PIECE = 32768, /* elements of a line that a thread takes at most, where it may be cut */
    ROW = 64,      /* bytes of all lanes at most */
};

/* Lanes, and as many behind them, that may be read with them. */
struct lanes {
    _Alignas(64) char at[2 * ROW];
};

struct job {
    const struct reduction *r;
    ufc_fold_kernel *fold;
    enum ufc_dtype dtype;
    int64_t size;   /* of an element */
    int64_t lanes;  /* fold_lanes */
    int64_t leaf;   /* elements of a leaf at most */
    bool in_order;  /* not a tree */
    bool across;    /* lanes are lines */
    int64_t width;  /* lines of a group: lanes or 1 */
    int64_t pieces; /* of a line, each a task; 1 unless it has one segment only */
    int64_t *piece; /* where pieces begin, and the end; NULL where there is one */
    char *partial;  /* lanes a task */
    bool *has;      /* whether there are any, a task */
};

/* Lines side by side. */
struct group {
    int n;
    const char *in[MAX_LANES], *where[MAX_LANES];
    char *out[MAX_LANES];
    bool direct; /* elements of the overload's type, next to each other in memory */
};

static void fold_in(const struct job *job, struct lanes *acc, const void *x) {
    job->fold(acc->at, x, 1, 0);
}

/* ---- elements of lines */

/* The byte offsets of element k along the inner axes, and how many follow on the fastest. */
static int64_t locate(const struct reduction *r, int64_t k, int64_t *in, int64_t *where) {
    int64_t run = 1;
    *in = *where = 0;
    for (int axis = 0; axis < r->ninner; axis++) {
        int64_t position = k % r->inner_size[axis];
        k /= r->inner_size[axis];
        *in += position * r->in.inner[axis];
        *where += position * r->where.inner[axis];
        if (axis == 0)
            run = r->inner_size[0] - position;
    }
    return run;
}

static void pack(char *to, const char *from, int64_t size) {
    switch (size) {
    case 1: *to = *from; break;
    case 2: memcpy(to, from, 2); break;
    case 4: memcpy(to, from, 4); break;
    case 8: memcpy(to, from, 8); break;
    default: memcpy(to, from, 16); break;
    }
}

/* Elements [begin, begin + n) of a lane of a group, converted, to places `step` apart; those that
 * the mask leaves out are not there.  The number of them. */
static int64_t fetch(const struct job *job, const struct group *g, int lane, int64_t begin,
                     int64_t n, char *to, int64_t step) {
    const struct reduction *r = job->r;
    char *end = to;
    for (int64_t run; n > 0; n -= run, begin += run) {
        int64_t in, where, stride = r->ninner ? r->in.inner[0] : 0;
        run = locate(r, begin, &in, &where);
        if (run > n)
            run = n;
        cast_kernels[r->in.dtype][job->dtype](end, step, g->in[lane] + in, stride, run);
        if (!g->where[lane]) {
            end += run * step;
            continue;
        }
        const char *mask = g->where[lane] + where;
        int64_t mask_step = r->ninner ? r->where.inner[0] : 0;
        const char *from = end;
        for (int64_t i = 0; i < run; i++, from += step)
            if (mask[i * mask_step]) {
                pack(end, from, job->size);
                end += step;
            }
    }
    return (end - to) / step;
}

/* Rows of lanes, one a line, `*step` bytes apart; their number. */
static int64_t fetch_rows(const struct job *job, const struct group *g, int64_t begin, int64_t n,
                          char *buffer, const char **rows, int64_t *step) {
    if (g->direct) {
        *step = job->r->ninner ? job->r->in.inner[0] : 0;
        *rows = g->in[0] + begin * *step;
        return n;
    }
    *rows = buffer;
    *step = job->lanes * job->size;
    int64_t there = n;
    for (int lane = 0; lane < g->n; lane++) /* with a mask it is one */
        there = fetch(job, g, lane, begin, n, buffer + lane * job->size, *step);
    return there;
}

/* ---- leaves: false where no element is there */

/* Of packed elements along a line; acc's first lane. */
static bool leaf_along(const struct job *job, const char *x, int64_t n, struct lanes *acc) {
    int64_t s = job->size, vectors = n / job->lanes, rest = n % job->lanes;
    struct lanes tail = {{0}};
    if (n == 0)
        return false;
    if (vectors == 0) {
        memcpy(tail.at, x, (size_t)(n * s));
        memcpy(acc->at, tail.at, (size_t)ROW);
        job->fold(acc->at, tail.at + s, n - 1, s);
        return true;
    }
    if (job->r->overload->flags & UFC_COMMUTES) {
        memcpy(acc->at, x, (size_t)(job->lanes * s));
        job->fold(acc->at, x + job->lanes * s, vectors - 1, job->lanes * s);
    } else {
        char turned[LEAF * ROW];
        for (int64_t j = 0; j < job->lanes; j++)
            cast_kernels[job->dtype][job->dtype](turned + j * s, job->lanes * s,
                                                 x + j * vectors * s, s, vectors);
        memcpy(acc->at, turned, (size_t)(job->lanes * s));
        job->fold(acc->at, turned + job->lanes * s, vectors - 1, job->lanes * s);
    }
    memcpy(acc->at + job->lanes * s, acc->at,
           (size_t)(job->lanes * s)); /* read, and of no effect */
    for (int64_t apart = 1; apart < job->lanes; apart *= 2)
        fold_in(job, acc, acc->at + apart * s);
    memcpy(tail.at, x + vectors * job->lanes * s, (size_t)(rest * s));
    job->fold(acc->at, tail.at, rest, s);
    return true;
}

/* Of rows; all of acc's lanes. */
static bool leaf_across(const struct job *job, const char *rows, int64_t step, int64_t n,
                        struct lanes *acc) {
    size_t row = (size_t)(job->lanes * job->size);
    int64_t each = n / job->lanes, rest = n % job->lanes;
    if (n == 0)
        return false;
    if (each == 0) {
        memcpy(acc->at, rows, row);
        job->fold(acc->at, rows + step, n - 1, step);
        return true;
    }
    bool commutes = job->r->overload->flags & UFC_COMMUTES;
    int64_t first = commutes ? step : each * step, next = commutes ? job->lanes * step : step;
    struct lanes part[MAX_LANES];
    for (int64_t j = 0; j < job->lanes; j++) {
        memcpy(part[j].at, rows + j * first, row);
        job->fold(part[j].at, rows + j * first + next, each - 1, next);
    }
    for (int apart = 1; apart < job->lanes; apart *= 2)
        for (int j = 0; j < job->lanes; j += 2 * apart)
            fold_in(job, &part[j], part[j + apart].at);
    memcpy(acc->at, part[0].at, row);
    job->fold(acc->at, rows + job->lanes * each * step, rest, step);
    return true;
}

static bool leaf(const struct job *job, const struct group *g, int64_t begin, int64_t n,
                 struct lanes *acc) {
    _Alignas(64) char buffer[LEAF * MAX_LANES * ROW];
    if (job->across) {
        const char *rows;
        int64_t step;
        if (!g->direct && g->n < job->lanes)
            memset(buffer, 0, (size_t)(n * job->lanes * job->size));
        n = fetch_rows(job, g, begin, n, buffer, &rows, &step);
        return leaf_across(job, rows, step, n, acc);
    }
    const struct reduction *r = job->r;
    const char *x = buffer;
    if (!g->where[0] && r->in.dtype == job->dtype && r->ninner <= 1 &&
        (r->ninner == 0 || r->in.inner[0] == job->size))
        x = g->in[0] + begin * job->size;
    else
        n = fetch(job, g, 0, begin, n, buffer, job->size);
    return leaf_along(job, x, n, acc);
}

/* ---- trees and orders */

static int64_t left_half(const struct job *job, int64_t n) {
    return n / 2 - n / 2 % job->lanes;
}

static bool join(const struct job *job, bool has, struct lanes *acc, bool more,
                 const struct lanes *other) {
    if (has && more)
        fold_in(job, acc, other->at);
    else if (more)
        *acc = *other;
    return has || more;
}

static bool tree(const struct job *job, const struct group *g, int64_t begin, int64_t n,
                 struct lanes *acc) {
    if (n <= job->leaf)
        return leaf(job, g, begin, n, acc);
    int64_t half = left_half(job, n);
    struct lanes right;
    bool has = tree(job, g, begin, half, acc);
    return join(job, has, acc, tree(job, g, begin + half, n - half, &right), &right);
}

/* Goes on with acc, where it has something; where `each`, what is so far goes to the output. */
static bool in_order(const struct job *job, const struct group *g, int64_t begin, int64_t n,
                     bool has, struct lanes *acc) {
    _Alignas(64) char buffer[LEAF * MAX_LANES * ROW] = {0}, results[LEAF * MAX_LANES * ROW];
    const struct reduction *r = job->r;
    size_t row = (size_t)(job->lanes * job->size);
    int64_t out_step = r->each && r->ninner ? r->out.inner[0] : 0;
    for (int64_t end = begin + n; begin < end; begin += job->leaf) {
        const char *rows;
        int64_t step, count = end - begin < job->leaf ? end - begin : job->leaf, i = 0;
        count = fetch_rows(job, g, begin, count, buffer, &rows, &step);
        if (!has && count > 0) {
            memcpy(acc->at, rows, row);
            has = true;
            memcpy(results, acc->at, row);
            i = 1;
        }
        if (!r->each) {
            job->fold(acc->at, rows + i * step, count - i, step);
            continue;
        }
        for (; i < count; i++) {
            fold_in(job, acc, rows + i * step);
            memcpy(results + i * (int64_t)row, acc->at, row);
        }
        for (int lane = 0; lane < g->n; lane++)
            cast_kernels[job->dtype][r->out.dtype](g->out[lane] + begin * out_step, out_step,
                                                   results + lane * job->size, (int64_t)row, count);
    }
    return has;
}

/* ---- groups and segments */

static void find_group(const struct job *job, int64_t index, struct group *g) {
    const struct reduction *r = job->r;
    int64_t line = index * job->width;
    g->n = (int)(r->lines - line < job->width ? r->lines - line : job->width);
    g->direct = g->n == job->lanes && r->in.dtype == job->dtype && r->ninner <= 1;
    for (int lane = 0; lane < g->n; lane++) {
        int64_t rest = line + lane, in = 0, out = 0, where = 0;
        for (int axis = 0; axis < r->nouter; axis++) {
            int64_t position = rest % r->outer_size[axis];
            rest /= r->outer_size[axis];
            in += position * r->in.outer[axis];
            out += position * r->out.outer[axis];
            where += position * r->where.outer[axis];
        }
        g->in[lane] = r->in.data + in;
        g->out[lane] = r->out.data + out;
        g->where[lane] = r->where.data ? r->where.data + where : NULL;
        g->direct = g->direct && g->in[lane] == g->in[0] + lane * job->size;
    }
}

/* The initial element in all lanes. */
static bool begin_with(const struct job *job, struct lanes *acc) {
    const struct reduction *r = job->r;
    if (!r->has_initial)
        return false;
    for (int lane = 0; lane < job->lanes; lane++)
        memcpy(acc->at + lane * job->size, r->initial, (size_t)job->size);
    return true;
}

static void finish(const struct job *job, const struct group *g, int64_t segment, bool has,
                   const struct lanes *acc) {
    const struct reduction *r = job->r;
    struct lanes result;
    has = join(job, begin_with(job, &result), &result, has, acc);
    for (int lane = 0; lane < g->n && has; lane++)
        cast_kernels[job->dtype][r->out.dtype](g->out[lane] + segment * r->segment_stride, 0,
                                               result.at + lane * job->size, 0, 1);
}

static void reduce_segment(const struct job *job, const struct group *g, int64_t segment) {
    const struct reduction *r = job->r;
    int64_t begin = r->bounds ? r->bounds[2 * segment] : 0;
    int64_t end = r->bounds ? r->bounds[2 * segment + 1] : r->length;
    struct lanes acc, none;
    if (!job->in_order) {
        bool has = tree(job, g, begin, end - begin, &acc);
        finish(job, g, segment, has, &acc);
        return;
    }
    bool has = in_order(job, g, begin, end - begin, begin_with(job, &acc), &acc);
    if (r->each)
        return;
    struct job plain = *job; /* the initial element is in it already */
    struct reduction rest = *r;
    rest.has_initial = false;
    plain.r = &rest;
    finish(&plain, g, segment, has, has ? &acc : &none);
}

static void run_segments(void *arg, int64_t begin, int64_t end) {
    const struct job *job = arg;
    struct group g;
    int64_t last = -1;
    for (int64_t task = begin; task < end; task++) {
        int64_t index = task / job->r->segments;
        if (index != last)
            find_group(job, index, &g);
        last = index;
        reduce_segment(job, &g, task % job->r->segments);
    }
}

/* ---- long lines, in pieces */

static int64_t cut(const struct job *job, int64_t begin, int64_t n, int64_t *piece) {
    if (n <= PIECE) {
        if (piece)
            *piece = begin;
        return 1;
    }
    int64_t half = left_half(job, n), left = cut(job, begin, half, piece);
    return left + cut(job, begin + half, n - half, piece ? piece + left : NULL);
}

/* The tree above the pieces from *next on. */
static bool join_pieces(const struct job *job, int64_t n, int64_t *next, struct lanes *acc) {
    if (n <= PIECE) {
        memcpy(acc->at, job->partial + *next * job->lanes * job->size,
               (size_t)(job->lanes * job->size));
        return job->has[(*next)++];
    }
    int64_t half = left_half(job, n);
    struct lanes right;
    bool has = join_pieces(job, half, next, acc);
    return join(job, has, acc, join_pieces(job, n - half, next, &right), &right);
}

static void run_pieces(void *arg, int64_t begin, int64_t end) {
    const struct job *job = arg;
    for (int64_t task = begin; task < end; task++) {
        struct group g;
        struct lanes acc;
        int64_t p = task % job->pieces;
        find_group(job, task / job->pieces, &g);
        job->has[task] = tree(job, &g, job->piece[p], job->piece[p + 1] - job->piece[p], &acc);
        memcpy(job->partial + task * job->lanes * job->size, acc.at,
               (size_t)(job->lanes * job->size));
    }
}

static void join_lines(void *arg, int64_t begin, int64_t end) {
    const struct job *job = arg;
    for (int64_t index = begin; index < end; index++) {
        struct group g;
        struct lanes acc;
        int64_t next = index * job->pieces;
        find_group(job, index, &g);
        bool has = join_pieces(job, job->r->length, &next, &acc);
        finish(job, &g, 0, has, &acc);
    }
}

/* accumulate: each piece's total becomes what comes before the next one. */
static void carry_lines(void *arg, int64_t begin, int64_t end) {
    const struct job *job = arg;
    size_t row = (size_t)(job->lanes * job->size);
    for (int64_t index = begin; index < end; index++) {
        struct lanes acc;
        char *at = job->partial + index * job->pieces * (int64_t)row;
        memcpy(acc.at, at, row);
        for (int64_t p = 1; p < job->pieces; p++) {
            fold_in(job, &acc, at + p * (int64_t)row);
            memcpy(at + p * (int64_t)row, acc.at, row);
        }
    }
}

static void accumulate_pieces(void *arg, int64_t begin, int64_t end) {
    const struct job *job = arg;
    size_t row = (size_t)(job->lanes * job->size);
    for (int64_t task = begin; task < end; task++) {
        struct group g;
        struct lanes acc;
        int64_t p = task % job->pieces;
        find_group(job, task / job->pieces, &g);
        if (p > 0)
            memcpy(acc.at, job->partial + (task - 1) * (int64_t)row, row);
        in_order(job, &g, job->piece[p], job->piece[p + 1] - job->piece[p], p > 0, &acc);
    }
}

static ufc_status reduce_in_pieces(struct job *job, int threads, int64_t groups, ufc_error *err) {
    int64_t tasks = groups * job->pieces;
    job->piece = calloc((size_t)job->pieces + 1, sizeof *job->piece);
    job->partial = calloc((size_t)tasks, (size_t)(job->lanes * job->size));
    job->has = calloc((size_t)tasks, sizeof *job->has);
    bool ok = job->piece && job->partial && job->has;
    if (ok) {
        cut(job, 0, job->r->length, job->piece);
        job->piece[job->pieces] = job->r->length;
        parallel_for(threads, tasks, 1, run_pieces, job);
        parallel_for(threads, groups, 64, job->r->each ? carry_lines : join_lines, job);
        if (job->r->each)
            parallel_for(threads, tasks, 1, accumulate_pieces, job);
    }
    free(job->piece);
    free(job->partial);
    free(job->has);
    return ok ? UFC_OK : fail(err, UFC_ENOMEM, "out of memory for partial results");
}

/* ---- the job */

/* Whether the lines are nearer to each other than their elements are. */
static bool lines_are_near(const struct job *job) {
    const struct reduction *r = job->r;
    if (r->lines < job->lanes || r->ninner == 0)
        return r->lines >= job->lanes;
    return llabs(r->in.outer[0]) < llabs(r->in.inner[0]);
}

ufc_status cpu_reduce(ufc_context *ctx, void *stream, const struct reduction *r, ufc_error *err) {
    (void)stream;
    struct job job = {.r = r, .dtype = (enum ufc_dtype)r->overload->dtypes[2], .pieces = 1};
    for (int level = (int)host_level(); level >= 0 && !job.fold; level--)
        job.fold = r->overload->fold[level];
    if (!job.fold)
        return host_kernel(r->overload, err)
                   ? fail(err, UFC_EINVAL, "%s: the image has nothing that reduces",
                          r->overload->signature)
                   : UFC_EDEVICE;
    job.size = dtype_info[job.dtype].size;
    job.lanes = fold_lanes(job.dtype);
    job.leaf = LEAF * job.lanes;
    job.in_order = !regroups(r) || r->each;
    job.across = job.in_order || (!r->where.data && lines_are_near(&job));
    job.width = job.across && !r->where.data ? job.lanes : 1;
    int64_t groups = (r->lines - 1) / job.width + 1;
    if (regroups(r) && !r->bounds)
        job.pieces = cut(&job, 0, r->length, NULL);
    if (job.pieces > 1)
        return reduce_in_pieces(&job, ctx->threads, groups, err);
    int64_t work = job.width * (r->length / r->segments + 1);
    int64_t grain = PIECE / work + 1;
    parallel_for(ctx->threads, groups * r->segments, grain, run_segments, &job);
    return UFC_OK;
}
