/* gufunc_version.c: the version of its gufunc that a call goes in.  A version has other
 * intermediates, or loop dimensions that are core dimensions of the gufunc. */
#include <string.h>

#include "alike.h"
#include "gufunc_call.h"
#include "memo.h"
#include "recorder.h"
#include "schedule/apart.h"
#include "schedule/model.h"
#include "schedule/spread.h"

/* The core axes of operand k that a version of its gufunc lacks, a bit each: of several of one
 * dimension the first. */
static uint32_t moved_axes(const struct ufc_core *from, const struct ufc_core *to, int k) {
    const uint8_t *dim = from->dim, *own = to->dim;
    for (int i = 0; i < k; i++) {
        dim += from->rank[i];
        own += to->rank[i];
    }
    uint32_t moved = 0;
    for (int i = from->rank[k] - 1, j = to->rank[k] - 1; i >= 0; i--) {
        bool stays = j >= 0 && own[j] == dim[i];
        moved |= stays ? 0 : UINT32_C(1) << i;
        j -= stays;
    }
    return moved;
}

/* The dimensions of which operands have axes in the call, and not in a version of its gufunc, a bit
 * each. */
static uint64_t moved_dims(const struct gufunc_call *c, const struct ufc_ufunc *version) {
    const struct ufc_core *from = c->ufunc->core;
    const uint8_t *dim = from->dim;
    uint64_t moved = 0;
    for (int k = 0; k < c->nin + c->nout; dim += from->rank[k], k++) {
        uint32_t axes = moved_axes(from, version->core, k);
        for (int i = 0; axes >> i; i++)
            moved |= axes >> i & 1 ? UINT64_C(1) << dim[i] : 0;
    }
    return moved;
}

/* Gives operand k axes for the moved dimensions behind its loop axes, of size 1 where none of its
 * `axes` is. */
static void move_axes(struct gufunc_call *c, int k, const uint8_t *dim, uint64_t moved,
                      uint32_t axes) {
    const struct operand *op = &c->operands[k];
    struct operand *to = &c->op[k];
    int nloop = op->ndim - c->shape.rank[k], rank = c->ufunc->core->rank[k];
    *to = *op;
    if (op->ndim < 0 || (op->ndim == 0 && rank == 0))
        return;
    int axis = nloop;
    for (int d = 0; moved >> d; d++) {
        if (!(moved >> d & 1))
            continue;
        to->shape[axis] = 1;
        to->stride[axis] = 0;
        for (int i = 0, own = nloop; i < rank; own += !c->shape.missing[dim[i]], i++)
            if (dim[i] == d && axes >> i & 1) {
                to->shape[axis] = op->shape[own];
                to->stride[axis] = op->stride[own];
            }
        axis++;
    }
    for (int i = 0, own = nloop; i < rank; i++) {
        if (c->shape.missing[dim[i]])
            continue;
        if (!(axes >> i & 1)) {
            to->shape[axis] = op->shape[own];
            to->stride[axis++] = op->stride[own];
        }
        own++;
    }
    to->ndim = axis;
}

/* Makes loop dimensions of core dimensions.  False: an operand would have too many axes. */
static bool move_dims(struct gufunc_call *c, const struct ufc_ufunc *version, uint64_t moved) {
    const uint8_t *dim = c->ufunc->core->dim;
    int n = c->nin + c->nout, ndim = c->ndim + __builtin_popcountll(moved);
    for (int k = 0; k < n; k++)
        if (ndim + c->shape.rank[k] > MAX_RANK)
            return false;
    c->op = c->moved;
    for (int k = 0; k < n; dim += c->ufunc->core->rank[k], k++)
        move_axes(c, k, dim, moved, moved_axes(c->ufunc->core, version->core, k));
    for (int d = 0; moved >> d; d++)
        if (moved >> d & 1)
            c->loop_shape[c->ndim++] = c->shape.size[d];
    return true;
}

static ufc_status set_version(struct gufunc_call *c, const struct ufc_ufunc *ufunc,
                              const struct ufc_overload *overload, ufc_error *err) {
    c->ufunc = ufunc;
    c->overload = overload;
    c->nintermediates = (int)ufunc->nintermediates;
    if (c->recorder)
        c->recorder->ufunc = ufunc;
    take_core_version(&c->shape, ufunc);
    return gufunc_iterate(c, err);
}

/* What a call is where it goes in no other version. */
struct whole {
    const struct ufc_ufunc *ufunc;
    const struct ufc_overload *overload;
    int ndim;
};

/* Makes the call, as it is where it goes in no other version, one of a version; *fits: becomes
 * false where it cannot be. */
static ufc_status take(struct gufunc_call *c, const struct ufc_ufunc *version, bool *fits,
                       ufc_error *err) {
    uint64_t moved = moved_dims(c, version);
    *fits = moved == 0 || move_dims(c, version, moved);
    return *fits ? set_version(c, version, version->overloads, err) : UFC_OK;
}

static ufc_status take_version(struct gufunc_call *c, int number, bool *fits, ufc_error *err) {
    return take(c, version_of(c->ufunc, c->overload, number), fits, err);
}

static void leave(struct gufunc_call *c, const struct whole *whole) {
    c->op = c->operands;
    c->ndim = whole->ndim;
    c->ufunc = whole->ufunc;
    c->overload = whole->overload;
    c->nintermediates = (int)whole->ufunc->nintermediates;
    take_core_version(&c->shape, whole->ufunc);
}

/* Is the call one definition, whose points have ordered loops? */
static bool has_points_in_order(const struct ufc_overload *o) {
    return o->phases == 1 && o->phase[0].ranges > 0 && has_order(o);
}

/* Does a version update bins in the order of iterations? */
static bool has_deals(const struct ufc_overload *o) {
    bool any = false;
    for (uint32_t i = 0; i < o->phases; i++)
        any = any || o->phase[i].deals > 0;
    return any;
}

static int count_reducing(const struct ufc_overload *o) {
    int n = 0;
    for (uint32_t i = 0; i < o->phases; i++)
        n += o->phase[i].reductions > 0;
    return n;
}

/* Does a version of reductions store what they read first, without further reductions? */
static bool packs(const struct ufc_overload *whole, const struct ufc_overload *other) {
    return other->phases > whole->phases && count_reducing(other) == count_reducing(whole) &&
           !has_order(whole);
}

/* Does a version compute arrays where they are read, which the other one stores? */
static bool recomputes(const struct ufc_overload *whole, const struct ufc_overload *other) {
    return other->phases < whole->phases && (other->in_place & ~whole->in_place) != 0;
}

/* Does a version have the steps of the same arrays in another order? */
static bool retimes(const struct ufc_overload *whole, const struct ufc_overload *other) {
    return whole->phases == 0 && other->phases == 0 && has_order(whole) && has_order(other);
}

/* Per cent of the time of its gufunc's own version that another one may be forecast to take. */
static int gain_of(const struct gufunc_call *c, const struct ufc_overload *whole,
                   const struct ufc_ufunc *other) {
    bool keys = other->overloads->kernel[UFC_KERNEL_SCATTER] && !has_order(whole);
    bool deals = has_deals(whole) && !has_order(other->overloads);
    bool sums = whole->series > 0 && other->overloads->kernel[UFC_KERNEL_SERIES];
    bool tiles = whole->kernel[UFC_KERNEL_TILE_64] != NULL;
    int added = !sums ? FORECAST_GAIN : tiles ? FORECAST_TILED : FORECAST_SUMS;
    int rows = has_points_in_order(whole) ? added : tiles ? FORECAST_ROWS : FORECAST_CALLS;
    bool moved = moved_dims(c, other) != 0;
    return !moved && recomputes(whole, other->overloads) ? FORECAST_AGAIN
           : keys                                        ? FORECAST_KEYS
           : deals                                       ? FORECAST_DEALS
           : packs(whole, other->overloads)              ? FORECAST_PACKED
           : moved                                       ? rows
           : retimes(whole, other->overloads)            ? FORECAST_STEPS
                                                         : FORECAST_STORED;
}

/* Bytes of the arrays that another version may have in a call. */
static int64_t most_stored(const struct gufunc_call *c, const struct ufc_overload *whole) {
    bool order = has_order(whole);
    int64_t part = c->ctx->gpu.memory / (order ? STORED_ORDER_PART : STORED_PART);
    int64_t least = order ? STORED_ORDER_BYTES : STORED_BYTES;
    return part > least ? part : least;
}

/* Takes the version that is forecast faster, by what each must be, and the arrays of a call of
 * which are not large.  One that moves dimensions computes the same, while one that stores what
 * reductions are made of, or adds up by keys, does so only where sizes are right for it. */
static ufc_status compare(struct gufunc_call *c, const struct whole *whole, ufc_error *err) {
    int64_t most = most_stored(c, whole->overload);
    const struct ufc_ufunc *version;
    double least = 1;
    int best = 0;
    bool fits;
    if (!worth_forecast(&c->it))
        return UFC_OK;
    intermediates_stride(&c->it, &c->intermediates);
    double own = forecast_gufunc(&c->it);
    for (int n = 1; (version = version_of(c->ufunc, c->overload, n)); n++) {
        double may_take = gain_of(c, whole->overload, version) * .01 * own;
        ufc_status status = take_version(c, n, &fits, err);
        bool may = status == UFC_OK && fits && intermediates_within(&c->intermediates, most);
        if (may)
            intermediates_stride(&c->it, &c->intermediates);
        double time = may ? forecast_gufunc(&c->it) / may_take : 1;
        bool better = time < least && may_launch_gufunc(&c->it, &c->ctx->gpu);
        best = better ? n : best;
        least = better ? time : least;
        if (better && !version_of(whole->ufunc, whole->overload, n + 1))
            return UFC_OK;
        leave(c, whole);
        status = set_version(c, whole->ufunc, whole->overload, err);
        if (status != UFC_OK)
            return status;
    }
    return best > 0 ? take_version(c, best, &fits, err) : UFC_OK;
}

/* Takes the version that the context has for all calls, if the call has it and may launch it. */
static ufc_status take_given(struct gufunc_call *c, const struct whole *whole, ufc_error *err) {
    bool fits, any = version_of(whole->ufunc, whole->overload, c->ctx->version) != NULL;
    ufc_status status = any ? take_version(c, c->ctx->version, &fits, err) : UFC_OK;
    if (!any || status != UFC_OK)
        return status;
    if (fits)
        intermediates_stride(&c->it, &c->intermediates);
    if (fits && may_launch_gufunc(&c->it, &c->ctx->gpu))
        return UFC_OK;
    leave(c, whole);
    return set_version(c, whole->ufunc, whole->overload, err);
}

/* Takes the version of a call, that of a like one at once. */
static ufc_status choose(struct gufunc_call *c, const struct whole *whole, ufc_error *err) {
    struct memo_key key;
    int number;
    if (c->ctx->version > 0)
        return take_given(c, whole, err);
    bool fits, kept = memo_key(&key, c->ctx->memo, &c->it, MEMO_VERSION);
    if (kept && memo_find_version(c->ctx->memo, &key, &number))
        return number > 0 ? take_version(c, number, &fits, err) : UFC_OK;
    ufc_status status = compare(c, whole, err);
    for (number = 0; c->ufunc != version_of(whole->ufunc, whole->overload, number);)
        number++;
    if (kept && status == UFC_OK)
        memo_keep_version(c->ctx->memo, &key, number);
    return status;
}

static ufc_status execute(struct gufunc_call *c, ufc_error *err) {
    return c->nintermediates > 0
               ? execute_intermediates(c->ctx, c->stream, &c->it, &c->intermediates, &c->temps, err)
               : c->ctx->ops->execute(c->ctx, c->stream, &c->it, err);
}

/* Is all of a call in a loop in order? */
static bool is_in_order(const struct ufc_overload *o) {
    for (uint32_t i = 0; i < o->nloops; i++)
        if (o->loops[i].kind == UFC_LOOP_SERIAL && o->loops[i].parent < 0)
            return true;
    return false;
}

/* Results of the call's largest product of so many rows and columns at least; 0: it has none. */
static double count_results(const struct gufunc_call *c, int64_t side) {
    double most = 0;
    for (uint32_t i = 0; i < c->overload->phases; i++) {
        const struct ufc_phase *p = &c->overload->phase[i];
        int64_t rows, columns;
        bool tiled = p->rows.nterms > 0 && p->columns.nterms > 0 &&
                     ufc_program_size(&p->rows, c->core.size, &rows) &&
                     ufc_program_size(&p->columns, c->core.size, &columns);
        double results = tiled ? (double)rows * (double)columns : 0;
        if (tiled && rows >= side && columns >= side && results > most)
            most = results;
    }
    return most;
}

/* Has a version products, rather than steps whose updates are delayed? */
static bool has_products(const struct ufc_overload *o) {
    bool any = false;
    for (uint32_t i = 0; i < o->phases; i++)
        any = any || (o->phase[i].rows.nterms > 0 && o->phase[i].columns.nterms > 0);
    return any;
}

/* Operations of a call. */
static double count_operations(struct gufunc_call *c) {
    double work[UFC_WORK_COUNT], all = 0;
    set_loop_sizes(&c->core, c->overload);
    model_work(&c->it, work);
    for (int k = 0; k < UFC_WORK_COUNT; k++)
        all += work[k];
    return all / (double)c->it.total;
}

/* Is a call on the host, in the version with products, worth their blocks, and is what it stores
 * not large?  Equal sizes have equal bits, however many calls and threads there are. */
static bool is_worth_tiles(struct gufunc_call *c, bool in_order) {
    if (!intermediates_within(&c->intermediates, STORED_BYTES))
        return false;
    double all = count_operations(c);
    if (in_order)
        return all >= (has_products(c->overload) ? TILED_WORK : DELAYED_WORK);
    double results = count_results(c, TILED_SIDE), few = count_results(c, TILED_NARROW);
    return (results > 0 && all >= TILED_DEPTH * results) ||
           (few > TILED_NARROW * TILED_NARROW && all >= TILED_LONG * few);
}

/* Is what calls share read along its rows by all points that are neighbours, as a call alone has
 * them in vectors? */
static bool reads_along_rows(const struct gufunc_call *c, const struct ufc_core *alone) {
    const struct ufc_overload *o = c->overload;
    bool along = true;
    for (uint32_t i = 0; i < o->naccesses && along; i++) {
        const struct ufc_access *a = &o->accesses[i];
        bool shared =
            a->operand < c->nin && alone->rank[a->operand] == c->ufunc->core->rank[a->operand];
        along = !shared;
        for (uint32_t loop = 0; loop < o->nloops && !along; loop++)
            along = o->loops[loop].kind == UFC_LOOP_POINTS &&
                    loop_stride(&c->it, a, (int)loop) == dtype_info[c->it.dtype[a->operand]].size;
    }
    return along;
}

/* What becomes of calls that may be taken as one. */
enum stacking { STACKS, NOT_WORTH, TOO_LARGE };

/* Are products in the version that takes many calls as one worth their blocks, and its arrays not
 * too large? */
static enum stacking find_stacking(struct gufunc_call *c, const struct ufc_core *alone) {
    double wide = count_results(c, STACKED_SIDE), narrow = count_results(c, STACKED_NARROW), all;
    if (narrow == 0)
        return NOT_WORTH;
    bool along = reads_along_rows(c, alone);
    all = count_operations(c);
    bool worth = (wide > 0 && all >= (along ? STACKED_DEPTH : 1) * wide) ||
                 all >= (along ? 2 * STACKED_DEPTH : STACKED_DEPTH) * narrow;
    return !worth                                                  ? NOT_WORTH
           : intermediates_within(&c->intermediates, STORED_BYTES) ? STACKS
                                                                   : TOO_LARGE;
}

/* Takes the version with products of a call on the host, where that is worth it. */
static ufc_status take_tiled(struct gufunc_call *c, const struct whole *whole, ufc_error *err) {
    bool fits, in_order = is_in_order(c->overload);
    ufc_status status = take(c, c->overload->tiled, &fits, err);
    if (fits && status == UFC_OK && (c->ctx->version > 0 || is_worth_tiles(c, in_order)))
        return UFC_OK;
    leave(c, whole);
    return status == UFC_OK ? set_version(c, whole->ufunc, whole->overload, err) : status;
}

/* Computes so many calls, of the call as it is where it goes in no other version, in the version
 * that takes them as one, if `how` becomes STACKS; else nothing is computed. */
static ufc_status run_stack(struct gufunc_call *c, const struct whole *whole, const struct stack *s,
                            enum stacking *how, ufc_error *err) {
    const struct ufc_ufunc *version = whole->overload->stacked;
    int64_t calls = c->loop_shape[s->axis];
    int ntemps = c->temps.n;
    gufunc_stack(c, version, s);
    c->shape.size[whole->ufunc->core->ndims] = s->rows;
    ufc_status status = set_version(c, version, version->overloads, err);
    *how = c->ctx->version > 0 || status != UFC_OK ? STACKS : find_stacking(c, whole->ufunc->core);
    status = status == UFC_OK && *how == STACKS ? execute(c, err) : status;
    while (c->temps.n > ntemps)
        c->ctx->ops->free(c->ctx, c->stream, c->temps.memory[--c->temps.n]);
    c->loop_shape[s->axis] = calls;
    leave(c, whole);
    return status;
}

/* The same of all calls along the axis, in so many parts of as many calls, or one more.  What tells
 * how the call is computed (explain) tells it of the first of these. */
static ufc_status run_stacks(struct gufunc_call *c, const struct whole *whole, int axis,
                             int64_t parts, enum stacking *how, ufc_error *err) {
    int64_t calls = c->loop_shape[axis], first = 0;
    ufc_status status = UFC_OK;
    *how = STACKS;
    for (int more = 1; more >= 0 && status == UFC_OK && *how == STACKS; more--) {
        int64_t n = more ? calls % parts : parts - calls % parts;
        struct stack s = {axis, first, n, calls / parts + more};
        if (n > 0 && (first == 0 || c->ctx->recorder == NULL))
            status = run_stack(c, whole, &s, how, err);
        first += n * s.rows;
    }
    return status;
}

/* Computes the call in that version, where that is worth it: by parts of about STACKED_ROWS calls,
 * of which each thread may have some, or as one where there are fewer parts than threads, and its
 * arrays are not too large.  *done: it has; else all is to be computed, which needs less memory. */
static ufc_status run_stacked(struct gufunc_call *c, const struct whole *whole, bool *done,
                              ufc_error *err) {
    int axis = gufunc_stack_axis(c, whole->overload->stacked);
    int64_t calls = axis >= 0 ? c->loop_shape[axis] : 0;
    int64_t parts = (calls + STACKED_ROWS - 1) / STACKED_ROWS;
    if (calls < (c->ctx->version > 0 ? 1 : STACKED_LEAST))
        return UFC_OK;
    enum stacking how = TOO_LARGE;
    ufc_status status = UFC_OK;
    if (c->it.total / calls * parts < c->ctx->threads)
        status = run_stacks(c, whole, axis, 1, &how, err);
    if (status == UFC_OK && how == TOO_LARGE)
        status = run_stacks(c, whole, axis, parts, &how, err);
    *done = status == UFC_OK && how == STACKS;
    bool plain = status == UFC_ENOMEM || (status == UFC_OK && !*done);
    return plain ? set_version(c, whole->ufunc, whole->overload, err) : status;
}

ufc_status gufunc_run_version(struct gufunc_call *c, ufc_error *err) {
    const struct whole whole = {c->ufunc, c->overload, c->ndim};
    bool may_choose = c->overload->other && c->ctx->ops->launches, done = false;
    ufc_status status = may_choose ? choose(c, &whole, err) : UFC_OK;
    if (c->overload->stacked && !c->ctx->ops->launches && c->ctx->version != 1)
        status = run_stacked(c, &whole, &done, err);
    if (status != UFC_OK || done)
        return status;
    if (c->overload->tiled && !c->ctx->ops->launches)
        status = take_tiled(c, &whole, err);
    int ntemps = c->temps.n;
    if (status == UFC_OK)
        status = execute(c, err);
    if (status == UFC_ENOMEM && c->ufunc != whole.ufunc && c->temps.n == ntemps) {
        leave(c, &whole); /* nothing ran yet for want of a version's arrays */
        status = set_version(c, whole.ufunc, whole.overload, err);
        status = status == UFC_OK ? execute(c, err) : status;
    }
    if (status == UFC_OK && c->nintermediates == 0)
        keep_for_later(c->alike, &c->it, c->operands, c->made, NULL);
    if (c->ufunc != whole.ufunc)
        leave(c, &whole);
    return status;
}
