/* fold.c: reduce, accumulate and reduceat on the host.
 *
 * A function with an identity reduces a line as NumPy sums: by halves, down to leaves of at most
 * LEAF elements a lane.  A leaf is reduced in fold_lanes parts: part j has every fold_lanes-th
 * element from j on (or consecutive ones, where the function does not commute).  The tree follows
 * from the length alone, so that neither layout nor threads change a bit.  A function whose result
 * is the same however it is grouped (UFC_EXACT) has leaves of any length, and is reduced in order
 * row by row; one that may not be regrouped goes in order.
 *
 * A group is one line, or several lines that are nearer to each other than the elements of a line
 * are; several are reduced row by row, where a row has an element of each line. */
#include <stdlib.h>
#include <string.h>

#include "fold.h"
#include "recorder.h"

/* ---- groups and segments */

static void find_group(const struct job *job, int64_t index, struct group *g) {
    const struct reduction *r = job->r;
    int64_t run = index, in = 0, out = 0, where = 0;
    if (job->runs < job->groups) {
        int64_t rest = index / job->runs;
        run = index % job->runs;
        for (int axis = 1; axis < r->nouter; axis++) {
            int64_t position = rest % r->outer_size[axis];
            rest /= r->outer_size[axis];
            in += position * r->in.outer[axis];
            out += position * r->out.outer[axis];
            where += position * r->where.outer[axis];
        }
    }
    g->n = 1;
    if (r->nouter) {
        int64_t first = run * job->width, rest = r->outer_size[0] - first;
        g->n = rest < job->width ? rest : job->width;
        in += first * r->in.outer[0];
        out += first * r->out.outer[0];
        where += r->where.data ? first * r->where.outer[0] : 0;
    }
    g->in = r->in.data + in;
    g->out = r->out.data + out;
    g->where = r->where.data ? r->where.data + where : NULL;
}

/* Sets acc to the initial element for each line; false: there is none. */
static bool begin_with(const struct job *job, const struct group *g, char *acc) {
    if (!job->r->has_initial)
        return false;
    copy_element(acc, (const char *)job->r->initial, job->size);
    for (int64_t done = 1, more; done < g->n; done += more) {
        more = done < g->n - done ? done : g->n - done;
        memcpy(acc + done * job->size, acc, (size_t)(more * job->size));
    }
    return true;
}

static void store(const struct job *job, const struct group *g, int64_t segment, const char *acc) {
    const struct reduction *r = job->r;
    char *out = g->out + segment * r->segment_stride;
    if (job->stores)
        copy_row(job, out, acc, g->n);
    else
        cast_elements(job->dtype, r->out.dtype, out, r->nouter ? r->out.outer[0] : 0, acc,
                      job->size, g->n);
}

/* Stores the result of a tree, in acc, after the initial element. */
static void finish(const struct job *job, const struct group *g, int64_t segment, bool has,
                   const char *acc, char *space) {
    if (begin_with(job, g, space)) {
        has = join_rows(job, true, space, has, acc, g->n);
        acc = space;
    }
    if (has)
        store(job, g, segment, acc);
}

static void reduce_segment(const struct job *job, const struct group *g, int64_t segment,
                           char *space) {
    const struct reduction *r = job->r;
    int64_t begin = r->bounds ? r->bounds[2 * segment] : 0;
    int64_t end = r->bounds ? r->bounds[2 * segment + 1] : r->length;
    char *acc = space, *rest = space + job->row, *out = g->out + segment * r->segment_stride;
    if (job->simple && (job->exact || end - begin <= LEAF * job->lanes)) {
        run_leaf(job, out, g->in + begin * job->size, end - begin);
        if (job->begins)
            run_fold(job, (const char *)r->initial, out, 1, 0, 1, out, 0);
    } else if (r->each) {
        accumulate_lines(job, g, begin, end - begin, NULL);
    } else if (job->in_order) {
        bool has = fold_in_order(job, g, begin, end - begin, begin_with(job, g, acc), acc);
        if (has)
            store(job, g, segment, acc);
    } else {
        bool has = fold_tree(job, g, begin, end - begin, acc, rest);
        finish(job, g, segment, has, acc, rest);
    }
}

/* A workspace: rows for acc, a leaf's parts and a tree's right halves. */
struct space {
    char *rows;
    _Alignas(64) char small[64 * 64]; /* for groups of one line, whose trees are not that deep */
};

static bool get_space(struct job *job, struct space *space) {
    space->rows = job->space ? aligned_alloc(64, job->space) : space->small;
    if (!space->rows)
        job->failed = true;
    return space->rows;
}

static void free_space(const struct job *job, struct space *space) {
    if (job->space)
        free(space->rows);
}

static void run_segments(void *arg, int64_t begin, int64_t end) {
    struct job *job = arg;
    struct space space;
    struct group g;
    int64_t segments = job->r->segments, last = -1;
    if (!get_space(job, &space))
        return;
    for (int64_t task = begin; task < end; task++) {
        int64_t index = segments == 1 ? task : job->groups == 1 ? 0 : task / segments;
        if (index != last)
            find_group(job, index, &g);
        last = index;
        reduce_segment(job, &g, task - index * segments, space.rows);
    }
    free_space(job, &space);
}

/* ---- long lines, in pieces */

static int64_t cut(const struct job *job, int64_t begin, int64_t n, int64_t *piece) {
    if (n <= LINE_PIECE) {
        if (piece)
            *piece = begin;
        return 1;
    }
    int64_t half = left_half(job, n), left = cut(job, begin, half, piece);
    return left + cut(job, begin + half, n - half, piece ? piece + left : NULL);
}

/* Reduces the pieces from *next on as the upper part of the tree. */
static bool join_pieces(const struct job *job, const struct group *g, int64_t n, int64_t *next,
                        char *acc, char *space) {
    if (n <= LINE_PIECE) {
        copy_row(job, acc, job->partial + *next * job->row, g->n);
        return job->has[(*next)++];
    }
    int64_t half = left_half(job, n);
    bool has = join_pieces(job, g, half, next, acc, space);
    bool more = join_pieces(job, g, n - half, next, space, space + job->row);
    return join_rows(job, has, acc, more, space, g->n);
}

static void run_pieces(void *arg, int64_t begin, int64_t end) {
    struct job *job = arg;
    struct space space;
    if (!get_space(job, &space))
        return;
    for (int64_t task = begin; task < end; task++) {
        struct group g;
        const int64_t *p = job->piece + task % job->pieces;
        find_group(job, task / job->pieces, &g);
        job->has[task] =
            fold_tree(job, &g, p[0], p[1] - p[0], job->partial + task * job->row, space.rows);
    }
    free_space(job, &space);
}

static void join_lines(void *arg, int64_t begin, int64_t end) {
    struct job *job = arg;
    struct space space;
    if (!get_space(job, &space))
        return;
    for (int64_t index = begin; index < end; index++) {
        struct group g;
        int64_t next = index * job->pieces;
        char *acc = space.rows, *rest = acc + job->row;
        find_group(job, index, &g);
        bool has = join_pieces(job, &g, job->r->length, &next, acc, rest);
        finish(job, &g, 0, has, acc, rest);
    }
    free_space(job, &space);
}

/* accumulate: each piece's total becomes the partial result before the next piece. */
static void carry_lines(void *arg, int64_t begin, int64_t end) {
    const struct job *job = arg;
    for (int64_t index = begin; index < end; index++) {
        char *at = job->partial + index * job->pieces * job->row;
        struct group g;
        find_group(job, index, &g);
        fold_rows(job, at, at + job->row, job->pieces - 1, job->row, g.n, at + job->row, job->row);
    }
}

static void accumulate_pieces(void *arg, int64_t begin, int64_t end) {
    const struct job *job = arg;
    for (int64_t task = begin; task < end; task++) {
        struct group g;
        int64_t p = task % job->pieces;
        find_group(job, task / job->pieces, &g);
        accumulate_lines(job, &g, job->piece[p], job->piece[p + 1] - job->piece[p],
                         p > 0 ? job->partial + (task - 1) * job->row : NULL);
    }
}

static void reduce_in_pieces(struct job *job) {
    int threads = job->threads;
    int64_t tasks = job->tasks;
    job->piece = calloc((size_t)job->pieces + 1, sizeof *job->piece);
    job->partial = calloc((size_t)tasks, (size_t)job->row);
    job->has = calloc((size_t)tasks, sizeof *job->has);
    if (job->piece && job->partial && job->has) {
        cut(job, 0, job->r->length, job->piece);
        job->piece[job->pieces] = job->r->length;
        parallel_for(threads, tasks, 1, run_pieces, job);
        parallel_for(threads, job->groups, 64, job->r->each ? carry_lines : join_lines, job);
        if (job->r->each)
            parallel_for(threads, tasks, 1, accumulate_pieces, job);
    } else {
        job->failed = true;
    }
    free(job->piece);
    free(job->partial);
    free(job->has);
}

/* ---- the job */

/* Are lines nearer to each other than the elements of a line are? */
static bool lines_are_near(const struct job *job) {
    const struct reduction *r = job->r;
    if (r->where.data || r->nouter == 0 || r->outer_size[0] < (job->in_order ? 2 : job->lanes))
        return false;
    return r->ninner == 0 || llabs(r->in.outer[0]) < llabs(r->in.inner[0]);
}

/* Are there many packed lines, each of few elements? */
static bool lines_are_brief(const struct job *job) {
    const struct reduction *r = job->r;
    return !r->where.data && !r->bounds && !r->each && r->nouter && r->ninner == 1 &&
           r->outer_size[0] >= BRIEF_LINES && r->length <= BRIEF_LINE &&
           r->in.dtype == job->dtype && r->in.inner[0] == job->size;
}

/* Cuts the lines into groups, enough for all threads. */
static void make_groups(struct job *job, int threads) {
    const struct reduction *r = job->r;
    int64_t n = r->nouter ? r->outer_size[0] : 1, others = r->lines / n;
    job->width = 1;
    if (!job->along) {
        int64_t shares =
            threads > 1 ? GROUPS_PER_THREAD * (int64_t)threads / (others * job->pieces) + 1 : 1;
        int64_t most = (job->direct && job->stores ? ROW_MAX_BYTES : ROWS_BUFFER) / job->size /
                       (job->brief ? r->length : 1),
                share = (n - 1) / shares + 1;
        job->width = share < GROUP_MIN_LINES ? GROUP_MIN_LINES : share;
        job->width = job->width < most ? job->width : most;
        job->width = job->width < n ? job->width : n;
    }
    job->runs = (n - 1) / job->width + 1;
    job->groups = job->runs * others;
    job->row = (job->width * job->size + 63) & ~63;
    int64_t rows = 2 + job->lanes;
    for (int64_t left = r->length; left > 0; left /= 2)
        rows++;
    job->space = job->along ? 0 : (size_t)(rows * job->row);
}

static ufc_status choose(const ufc_context *ctx, const struct reduction *r, struct job *job,
                         ufc_error *err) {
    *job = (struct job){.r = r, .dtype = (enum ufc_dtype)r->overload->dtypes[2], .pieces = 1};
    bool checks = r->overload->flags & UFC_CHECKS;
    ufc_status status =
        host_code(r->overload, checks ? UFC_HOST_CALLS : UFC_HOST_FOLDS, &job->code, err);
    if (status != UFC_OK)
        return status;
    if (!job->code.fold && !checks)
        return fail(err, UFC_EINVAL, "%s: the image has nothing that reduces",
                    r->overload->signature);
    job->size = dtype_info[job->dtype].size;
    job->lanes = fold_lanes(job->dtype);
    job->commutes = r->overload->flags & UFC_COMMUTES;
    job->exact = r->overload->flags & UFC_EXACT;
    job->begins = r->has_initial && !(r->overload->flags & UFC_NEUTRAL &&
                                      memcmp(r->initial, r->overload->identity, 16) == 0);
    job->in_order = !regroups(r) || r->each;
    job->brief = !lines_are_near(job) && lines_are_brief(job);
    job->along = !lines_are_near(job) && !job->brief;
    job->in_order = job->in_order || (job->exact && !job->along);
    job->direct = !job->brief && !r->where.data && r->in.dtype == job->dtype &&
                  (job->along || r->in.outer[0] == job->size);
    job->stores = r->out.dtype == job->dtype && (job->along || r->out.outer[0] == job->size);
    job->packed = job->direct && job->along && r->ninner == 1 && r->in.inner[0] == job->size;
    job->simple = job->packed && job->stores && job->commutes && !job->in_order;
    if (regroups(r) && !r->bounds)
        job->pieces = cut(job, 0, r->length, NULL);
    make_groups(job, ctx->threads);
    int64_t work = job->width * (r->length / r->segments + 1);
    job->threads = ctx->threads;
    job->tasks = job->groups * (job->pieces > 1 ? job->pieces : r->segments);
    job->grain = job->pieces > 1 ? 1 : LINE_PIECE / work + 1;
    return UFC_OK;
}

ufc_status cpu_reduce(ufc_context *ctx, void *stream, const struct reduction *r, ufc_error *err) {
    (void)stream;
    struct job job;
    ufc_status status = choose(ctx, r, &job, err);
    if (status != UFC_OK)
        return status;
    struct finding finding;
    finding_begin(&finding, r->overload);
    job.finding = &finding;
    if (job.pieces > 1)
        reduce_in_pieces(&job);
    else
        parallel_for(job.threads, job.tasks, job.grain, run_segments, &job);
    ufc_status found = finding_end(&finding, r->ufunc, NULL, err);
    return job.failed ? fail(err, UFC_ENOMEM, "out of memory for partial results") : found;
}

/* ---- descriptions */

static void put_fetched(ufc_plan_description *d, const struct job *job) {
    const struct reduction *r = job->r;
    const char *why = job->brief                  ? "transposed"
                      : r->where.data             ? "of which 'where' has some"
                      : r->in.dtype != job->dtype ? "converted"
                      : job->along                ? "gathered"
                                                  : "which are apart";
    bool buffered = job->along ? !job->packed && !(job->in_order && job->direct) : !job->direct;
    if (buffered && r->length > 1)
        put_text(d->why, sizeof d->why, "; elements, %s, through a buffer", why);
    if (!job->stores)
        put_text(d->why, sizeof d->why, "; results %s",
                 r->out.dtype != job->dtype ? "converted" : "scattered");
}

ufc_status cpu_describe_reduction(ufc_context *ctx, const struct reduction *r,
                                  ufc_plan_description *d, ufc_error *err) {
    struct job job;
    ufc_status status = choose(ctx, r, &job, err);
    if (status != UFC_OK)
        return status;
    describe_level(d, r->overload);
    int used = threads_used(job.threads, job.tasks, job.grain);
    int lanes = job.exact ? exact_lanes(job.dtype, (enum ufc_level)code_level(r->overload))
                          : (int)job.lanes;
    if (job.along)
        put_text(d->why, sizeof d->why, "line by line");
    else
        put_text(d->why, sizeof d->why, "%lld lines side by side, row by row",
                 (long long)job.width);
    if (job.in_order)
        put_text(d->why, sizeof d->why, ", in order%s",
                 regroups(r) ? "" : ", since there is no identity");
    else if (job.exact)
        put_text(d->why, sizeof d->why, ", in %d lanes", lanes);
    else
        put_text(d->why, sizeof d->why, ", as a tree of leaves of %d elements, in %d lanes",
                 LEAF * lanes, lanes);
    put_fetched(d, &job);
    if (job.along)
        d->lanes = job.in_order ? 1 : lanes;
    if (job.pieces > 1) {
        put_text(d->passes, sizeof d->passes, "%lld pieces of a line; %s", (long long)job.pieces,
                 r->each ? "their totals; the pieces from there" : "their totals");
        d->temporaries += (job.pieces + 1) * (int64_t)sizeof *job.piece +
                          job.tasks * (job.row + (int64_t)sizeof *job.has);
    }
    d->temporaries += used * (int64_t)job.space;
    if (r->bounds)
        d->temporaries += 2 * r->segments * (int64_t)sizeof *r->bounds;
    if (job.pieces > 1)
        describe_threads(d, ctx, used, "%lld pieces of %d elements or less", (long long)job.tasks,
                         LINE_PIECE);
    else
        describe_threads(d, ctx, used, "%lld %s%s: %lld are worth a thread", (long long)job.tasks,
                         r->bounds   ? "segment"
                         : job.along ? "line"
                                     : "group",
                         job.tasks == 1 ? "" : "s", (long long)job.grain);
    return UFC_OK;
}
