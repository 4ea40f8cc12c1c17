/* tile.c: the GPU kernels TILE, of tilings.  A team of threads computes a tile of results: slabs of
 * all factors go to shared memory, one after the other along the reduction, while each thread
 * reduces what was there before to its results in registers.  (The scheme of V. Volkov and
 * J. Demmel, 2008, with the next slab under way.) */
#include <string.h>

#include "tile.h"

/* ---- which tile */

_Static_assert(BLOCK_THREADS == UFC_INTERLEAVED * 4 * 4,
               "a block has as many teams of TILE_16 as calls lie side by side");

/* A thread computes with its team, and moves elements with its crew.  The crew is the team, unless
 * calls are interleaved: then neighbouring threads are of different crews, each of which works for
 * another team, so that they access the same element of neighbouring calls. */
struct place {
    LLVMValueRef team, member; /* a team's number in the block, the thread's number in it: i32 */
};

static void find_places(struct tile *t, const struct threads *threads, struct place *team,
                        struct place *crew) {
    struct gen *g = t->g;
    LLVMValueRef size = i32(g, (uint32_t)t->team), tid = threads->tid,
                 teams = i32(g, (uint32_t)t->teams);
    *team = (struct place){LLVMBuildUDiv(g->b, tid, size, ""), LLVMBuildURem(g->b, tid, size, "")};
    crew->team = gen_select(g, t->interleaved, LLVMBuildURem(g->b, tid, teams, ""), team->team);
    crew->member = gen_select(g, t->interleaved, LLVMBuildUDiv(g->b, tid, teams, ""), team->member);
}

/* i1: the launch is one with calls interleaved: `group` of TILE_16. */
static LLVMValueRef are_interleaved(struct gen *g, const struct threads *threads) {
    if (threads->kind != UFC_KERNEL_TILE_16)
        return LLVMConstInt(i1_type(g), 0, false);
    LLVMValueRef n = param_i32(g, PARAM(group));
    return compare(g, LLVMIntEQ, n, i32(g, UFC_INTERLEAVED));
}

LLVMValueRef tile_quotient(struct tile *t, LLVMValueRef a, LLVMValueRef b, LLVMValueRef one) {
    struct gen *g = t->g;
    if (t->alone)
        return t->cut ? LLVMBuildUDiv(g->b, a, b, "") : one;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), divide = gen_block(g, "divide"),
                      done = gen_block(g, "divided");
    LLVMBuildCondBr(g->b, t->gathers, divide, done);
    gen_place(g, divide);
    LLVMValueRef from[] = {one, LLVMBuildUDiv(g->b, a, b, "")};
    LLVMBasicBlockRef blocks[] = {before, divide};
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    LLVMValueRef q = LLVMBuildPhi(g->b, i32_type(g), "");
    LLVMAddIncoming(q, from, blocks, 2);
    return q;
}

LLVMValueRef tile_batch(struct tile *t) {
    struct gen *g = t->g;
    if (t->tiling->batch == NULL)
        return i32(g, 1);
    LLVMValueRef n = gen_terms(g, t->tiling->batches, t->tiling->nbatches);
    n = LLVMBuildTrunc(g->b, n, i32_type(g), "");
    return gen_select(g, compare(g, LLVMIntSGT, n, i32(g, 1)), n, i32(g, 1));
}

/* Finds the call and the tile of a team of this block, and the call's operands. */
static struct spot take_tile(struct tile *t, struct threads *threads, LLVMValueRef team) {
    struct gen *g = t->g;
    LLVMValueRef block = gpu(g)->id(g, BLOCK_ID), calls = param_i64(g, PARAM(calls));
    /* tells LLVM that threads are fewer than 2^32, so that rows fit 32 bits */
    block = LLVMBuildAnd(g->b, block, i32(g, UINT32_MAX / kernel_info[threads->kind].threads), "");
    LLVMValueRef down = tiles_along(g, t->sizes[0], t->size[0]),
                 across = tiles_along(g, t->sizes[1], t->size[1]);
    LLVMValueRef each = multiply(g, across, down);
    LLVMValueRef none = compare(g, LLVMIntEQ, each, i32(g, 0));
    each = gen_select(g, none, i32(g, 1), each);
    across = gen_select(g, none, i32(g, 1), across);
    LLVMValueRef tiles = each;
    each = multiply(g, each, t->units);
    /* a lot: one tile of a call, or part of one, or the same tile of UFC_INTERLEAVED calls */
    LLVMValueRef teams = i32(g, (uint32_t)t->teams);
    LLVMValueRef number = add(g, multiply(g, block, teams), team);
    LLVMValueRef alike = LLVMBuildOr(g->b, t->interleaved, t->gathers, "");
    LLVMValueRef lot = gen_select(g, alike, block, number);
    LLVMValueRef tile = LLVMBuildURem(g->b, lot, each, "");
    LLVMValueRef set = LLVMBuildUDiv(g->b, lot, each, ""); /* a call, or a point of its batch */
    LLVMValueRef batch = tile_batch(t), call = LLVMBuildUDiv(g->b, set, batch, "");
    LLVMValueRef first = multiply(g, call, i32(g, UFC_INTERLEAVED));
    call = extended(g, gen_select(g, t->interleaved, add(g, first, team), call));
    struct spot spot = {.exists = compare(g, LLVMIntSLT, call, calls)};
    if (t->tiling->batch != NULL)
        spot.batch = extended(g, LLVMBuildURem(g->b, set, batch, ""));
    LLVMValueRef last = add(g, multiply(g, block, teams), subtract(g, teams, i32(g, 1)));
    last = extended(g, LLVMBuildUDiv(g->b, LLVMBuildUDiv(g->b, last, each, ""), batch, ""));
    spot.all = both(g, compare(g, LLVMIntSLT, last, calls), LLVMBuildNot(g->b, t->gathers, ""));
    spot.part = tile_quotient(t, tile, tiles, i32(g, 0));
    tile = subtract(g, tile, multiply(g, spot.part, tiles));
    set = spot.batch != NULL ? extended(g, set) : call;
    spot.number = add(g, multiply(g, set, extended(g, tiles)), extended(g, tile));
    const struct moved result = {PARAM(result), false};
    call = LLVMBuildTrunc(g->b, gen_select(g, spot.exists, call, i64(g, 0)), i32_type(g), "");
    gufunc_find_place(g, call, &result, 1, &spot.results);
    spot.results = add(g, param_i64(g, PARAM(results)), spot.results);
    LLVMValueRef row = LLVMBuildUDiv(g->b, tile, across, "");
    if (t->tiling->end_growth[TILE_ROW] > 0) /* the longest first: short ones fill the end */
        row = subtract(g, subtract(g, down, i32(g, 1)), row);
    LLVMValueRef place[] = {row, LLVMBuildURem(g->b, tile, across, "")};
    for (int axis = 0; axis < 2; axis++) { /* sizes fit 32 bits: no register for the upper half */
        LLVMValueRef begin = multiply(g, place[axis], i32(g, (uint32_t)t->size[axis]));
        spot.first[axis] = LLVMBuildZExt(g->b, begin, i64_type(g), "");
    }
    return spot;
}

/* Where reductions are long, and all results are on one half of the tile, threads of the other half
 * have the same ones, and share their steps. */
static void find_sharers(struct tile *t) {
    static const uint32_t lane_bit[2] = {SHARERS_ROW, SHARERS_COLUMN};
    struct gen *g = t->g;
    t->sharers = i32(g, 1);
    t->turn = t->mates = i32(g, 0);
    if (!t->shares)
        return;
    LLVMValueRef depth = gen_terms(g, t->tiling->depth, t->tiling->ndepth);
    LLVMValueRef is_long = compare(g, LLVMIntSGE, depth, i64(g, UFC_TILE_LONG));
    for (int axis = 0; axis < 2; axis++) {
        LLVMValueRef two = i32(g, 2), half = i64(g, (uint64_t)t->size[axis] / 2);
        LLVMValueRef few = both(g, compare(g, LLVMIntSLE, t->sizes[axis], half), is_long);
        LLVMValueRef far = LLVMBuildUDiv(g->b, t->thread[axis], two, "");
        LLVMValueRef near = LLVMBuildURem(g->b, t->thread[axis], two, "");
        far = add(g, multiply(g, t->turn, two), far);
        t->turn = gen_select(g, few, far, t->turn);
        t->sharers = gen_select(g, few, multiply(g, t->sharers, two), t->sharers);
        t->thread[axis] = gen_select(g, few, near, t->thread[axis]);
        LLVMValueRef bit = gen_select(g, few, i32(g, lane_bit[axis]), i32(g, 0));
        t->mates = LLVMBuildOr(g->b, t->mates, bit, "");
    }
}

/* A warp has 4 rows of 8 threads, or
 * half of it has 4 of 4, so that it reads few different elements of a slab at a time.  Lanes that
 * differ in bit 0 read the same columns, those that differ in bit 1 the same rows: then shared
 * memory serves 16 lanes' accesses of 16 bytes at once, otherwise 8. */
void tile_find_thread(struct tile *t, LLVMValueRef member) {
    struct gen *g = t->g;
    if (t->matrix) {
        matrix_find_thread(t, member);
        return;
    }
    uint32_t width = t->side[1] < TILE_WARP_COLUMNS ? 4 : TILE_WARP_COLUMNS,
             warps = (uint32_t)t->side[1] / width;
    LLVMValueRef warp = warp_of(g, member), lane = lane_of(g, member), two = i32(g, 2);
    LLVMValueRef row = LLVMBuildUDiv(g->b, lane, i32(g, 2 * width), "");
    row = add(g, multiply(g, row, two), LLVMBuildURem(g->b, lane, two, ""));
    LLVMValueRef column = LLVMBuildUDiv(g->b, lane, two, "");
    column = LLVMBuildURem(g->b, column, i32(g, width), "");
    LLVMValueRef down = LLVMBuildUDiv(g->b, warp, i32(g, warps), ""),
                 across = LLVMBuildURem(g->b, warp, i32(g, warps), "");
    t->thread[0] = add(g, multiply(g, down, i32(g, 4)), row);
    t->thread[1] = add(g, multiply(g, across, i32(g, width)), column);
    find_sharers(t);
}

/* ---- indices */

LLVMValueRef tile_place(struct tile *t, int axis) {
    return multiply(t->g, t->thread[axis], i32(t->g, (uint32_t)t->group[axis]));
}

LLVMValueRef tile_index(struct tile *t, int axis, int i) {
    struct gen *g = t->g;
    LLVMValueRef at = add(g, tile_place(t, axis), i32(g, (uint32_t)result_at_side(t, axis, i)));
    return add(g, t->own.first[axis], extended(g, at));
}

void set_call_before(struct gen *g, const struct pstmt *end, LLVMValueRef results) {
    for (const struct pstmt *s = g->plan->body->body; s != end; s = s->next) {
        LLVMValueRef at = add(g, results, i64(g, (uint64_t)s->partial));
        if (s->kind == PS_SET)
            LLVMBuildStore(g->b, gen_value(g, s->value), var_of(g, s->var)->slot);
        else
            accs_from_memory(g, s->accs, at, false);
    }
}

void tile_set_index(struct tile *t, enum tile_index index, LLVMValueRef v) {
    struct gen *g = t->g;
    LLVMBuildStore(g->b, v, var_of(g, t->tiling->index[index]->var)->slot);
    uint32_t shared = t->tiling->shared; /* they are the same for all rows */
    if (index != TILE_ROW || shared == 0)
        return;
    for (int k = 0; k < g->plan->noperands; k++)
        if (!(shared >> k & 1))
            g->arrays[k].base = at_byte(g, t->base[k], multiply(g, v, t->row_step[k]));
    set_call_before(g, t->spread, add(g, t->results, multiply(g, v, t->result_step)));
}

LLVMValueRef tile_end_at(struct tile *t, LLVMValueRef first, LLVMValueRef row,
                         LLVMValueRef column) {
    struct gen *g = t->g;
    const int *growth = t->tiling->end_growth;
    LLVMValueRef down = multiply(g, row, i64(g, (uint64_t)(int64_t)growth[TILE_ROW]));
    LLVMValueRef across = multiply(g, column, i64(g, (uint64_t)(int64_t)growth[TILE_COLUMN]));
    return add(g, first, add(g, down, across));
}

/* ---- where reductions end */

/* i1: a bound of the condition that reductions are under may hold for some result of the tile: if
 * it does so, then at one of the corners. */
static LLVMValueRef is_within(struct tile *t, const struct tile_bound *bound) {
    struct gen *g = t->g;
    for (int axis = 0; axis < 2; axis++) {
        uint64_t tiles = axis == 1 && ufc_is_band(t->kind) ? (uint64_t)t->teams : 1;
        LLVMValueRef first = t->crew.first[axis];
        if (tiles > 1) { /* its teams have neighbouring tiles, and meet at barriers */
            LLVMValueRef before = multiply(g, t->team_number, i32(g, (uint32_t)t->size[axis]));
            before = gen_select(g, t->gathers, i32(g, 0), before);
            first = subtract(g, first, extended(g, before));
        }
        LLVMValueRef end = add(g, first, i64(g, (uint64_t)t->size[axis] * tiles));
        LLVMValueRef last = LLVMBuildSub(g->b, least(g, t->sizes[axis], end), i64(g, 1), "");
        tile_set_index(t, (enum tile_index)axis, bound->growth[axis] > 0 ? last : first);
    }
    gen_assignments(g, t->tiling->shape.first);
    return gen_value(g, bound->value);
}

/* Sets t->end: of the first result's reduction, and where the tile's shortest and longest ones end.
 * Teams of a block meet at barriers, so they go as far as any of the call. */
static void find_ends(struct tile *t) {
    struct gen *g = t->g;
    LLVMValueRef zero = i64(g, 0), least_at[2], most_at[2];
    for (int axis = 0; axis < 2; axis++) {
        LLVMValueRef first = t->crew.first[axis],
                     end = least(g, t->sizes[axis], add(g, first, i64(g, (uint64_t)t->size[axis])));
        if (!t->alone && !ufc_is_band(t->kind)) {
            first = zero;
            end = t->sizes[axis];
        }
        end = LLVMBuildSub(g->b, end, i64(g, 1), "");
        bool grows = t->tiling->end_growth[axis] > 0;
        least_at[axis] = grows ? first : end;
        most_at[axis] = grows ? end : first;
    }
    tile_set_index(t, TILE_ROW, zero);
    tile_set_index(t, TILE_COLUMN, zero);
    gen_assignments(g, t->tiling->shape.first);
    t->end[0] = gen_value(g, t->tiling->index[TILE_DEPTH]->hi);
    if (t->tiling->skew == SKEW_DEPTH)
        t->end[0] = add(g, t->end[0], t->behind);
    t->end[1] = tile_end_at(t, t->end[0], least_at[0], least_at[1]);
    t->end[2] = tile_end_at(t, t->end[0], most_at[0], most_at[1]);
    bool skips = t->alone || ufc_is_band(t->kind);
    for (int i = 0; i < t->tiling->nbounds && skips; i++)
        t->end[2] = gen_select(g, is_within(t, &t->tiling->bounds[i]), t->end[2], zero);
}

/* ---- the kernel */

enum { SHARED_MEMORY = 40 << 10 }; /* bytes of a block, at most */

static unsigned shared_room(enum ufc_kernel_kind kind) {
    return kind == UFC_KERNEL_MATRIX_128 ? UFC_MATRIX_SHARED : SHARED_MEMORY;
}

/* The most neighbours that one access to shared memory loads of all factors along an axis. */
static int neighbours(const struct tile *t, int axis) {
    int n = t->per[axis] < 4 ? t->per[axis] : 4;
    for (int k = 0; k < t->tiling->nfactors; k++) {
        int bits = dtype_info[t->tiling->factors[k].dtype].bits;
        if (t->tiling->factors[k].of_rows == (axis == 0) && 128 / bits < n)
            n = 128 / bits;
    }
    return n;
}

/* Bytes of slabs that a thread moves at once, at most: registers hold them beside its results, and
 * beside what computed ones are computed from.  Where steps are in a loop, deep slabs would only
 * be moved for short reductions in vain. */
static int most_share(const struct tile *t) {
    int results = t->per[0] * t->per[1];
    bool computes = false, whole = results * t->tiling->operations * TILE_PART <= TILE_COPIES;
    for (int n = 0; n < t->tiling->nfactors; n++)
        computes = computes || t->tiling->factors[n].place == NULL;
    bool few = results * tile_accs_bits(t) <= MAX_PER * MAX_PER * 32 && (whole || t->stages == 1);
    few = few &&
          (t->alone || tile_accs_bits(t) <= 32); /* blocks of several teams have more threads */
    return few && !computes ? 2 * TILE_SHARE : TILE_SHARE;
}

/* Bytes of a team's shared memory for the slabs of all stages, and the tables of sides. */
static unsigned slabs_bytes(const struct tile *t) {
    return t->stage * (unsigned)t->stages + t->tables;
}

unsigned tile_depth_bytes(const struct tile *t) {
    return 2 * t->table[TILE_DEPTH].bytes;
}

void tile_set_team(struct tile *t, enum ufc_kernel_kind kind) {
    t->kind = kind;
    for (int axis = 0; axis < 2; axis++)
        t->side[axis] = (int)ufc_tile_side(kind, axis);
    t->team = t->side[0] * t->side[1];
    t->teams = (int)kernel_info[kind].threads / t->team;
    t->alone = t->teams == 1;
}

static const struct matrix_sizes {
    int part, stages, step;
} matrix_sizes[] = {{MATRIX_64_PART, MATRIX_64_STAGES, MATRIX_64_STEP},
                    {MATRIX_PART, MATRIX_STAGES, MATRIX_STEP}}; /* of MATRIX_64, of MATRIX_128 */

void tile_choose_sizes(struct tile *t, enum ufc_kernel_kind kind, const uint32_t per[2]) {
    const struct tiling *s = t->tiling;
    bool small = kind <= UFC_KERNEL_TILE_32;
    unsigned room = shared_room(kind) / (unsigned)t->teams;
    const struct matrix_sizes *matrix = &matrix_sizes[kind == UFC_KERNEL_MATRIX_128];
    t->step = matrix->step;
    for (int axis = 0; axis < 2; axis++) {
        t->per[axis] = (int)per[axis];
        t->size[axis] = t->per[axis] * t->side[axis];
        t->group[axis] = t->matrix                    ? 2
                         : kind == UFC_KERNEL_TILE_16 ? t->per[axis]
                                                      : neighbours(t, axis);
    }
    while (t->group[0] > 1 && tile_stored_bytes(t) > room)
        t->group[0] /= 2;
    t->stages = small ? 1 : t->matrix ? matrix->stages : 2;
    t->depth = small ? t->size[0] : t->matrix ? matrix->part : TILE_PART;
    slabs_describe(t);
    tables_describe(t);
    while (slabs_bytes(t) + tile_depth_bytes(t) / (unsigned)t->teams > room ||
           slabs_share(t) > most_share(t)) {
        t->depth /= 2;
        slabs_describe(t);
        tables_describe(t);
    }
    t->steps = t->depth;
    while (t->steps > 1 && !t->matrix &&
           t->steps * t->per[0] * t->per[1] * s->operations > TILE_COPIES)
        t->steps /= 2;
    t->streams = t->matrix && s->padded && !s->guarded && !s->finite;
}

/* An odd multiple of 16, so that at most two teams have the same element in one bank. */
unsigned tile_team_bytes(const struct tile *t) {
    unsigned slabs = slabs_bytes(t), results = tile_stored_bytes(t);
    return ((slabs > results ? slabs : results) + 15) / 16 * 16 | 16;
}

/* Sets which part of the tile's reduction the launch computes, or joins. */
static void find_units(struct tile *t) {
    struct gen *g = t->g;
    t->parts = t->cut ? param_i32(g, PARAM(parts)) : i32(g, 1);
    t->apart = t->cut ? param_i32(g, PARAM(apart)) : i32(g, 0);
    t->joins = is_set(g, t->apart);
    t->gathers = t->cut && !t->alone ? is_set(g, param_i32(g, PARAM(across)))
                                     : LLVMConstInt(i1_type(g), 0, false);
    LLVMValueRef joined =
        gen_select(g, t->gathers, i32(g, UFC_TILE_GATHERED), i32(g, UFC_TILE_JOINED));
    LLVMValueRef each = gen_select(g, t->joins, multiply(g, t->apart, joined), i32(g, 1));
    t->each = each;
    t->units = add(g, t->parts, subtract(g, each, i32(g, 1)));
    t->units = tile_quotient(t, t->units, each, t->parts);
}

void tile_set_sizes(struct tile *t) {
    struct gen *g = t->g;
    const struct shape *s = &t->tiling->shape;
    t->sizes[0] = t->tiling->shared ? extended(g, param_i32(g, PARAM(rows)))
                                    : gen_terms(g, s->rows, s->nrows);
    t->sizes[1] = gen_terms(g, s->columns, s->ncolumns);
    if (t->tiling->skew == SKEW_COLUMN)
        t->sizes[1] = add(g, t->sizes[1], i64(g, (uint64_t)t->size[0] - 1));
}

/* Sets the first row's index of a band's tile, how many rows are behind it, and the columns. */
static void begin_band(struct tile *t) {
    struct gen *g = t->g;
    LLVMValueRef first = t->own.first[0], all = i64(g, (uint64_t)t->size[0]);
    LLVMValueRef rows = least(g, LLVMBuildSub(g->b, t->sizes[0], first, ""), all);
    LLVMBuildStore(g->b, first, var_of(g, t->tiling->base)->slot);
    t->behind = LLVMBuildSub(g->b, rows, i64(g, 1), "");
    if (t->tiling->skew == SKEW_COLUMN)
        t->sizes[1] = LLVMBuildSub(g->b, t->sizes[1], LLVMBuildSub(g->b, all, rows, ""), "");
}

void tile_compute(struct tile *t) {
    struct gen *g = t->g;
    for (int k = 0; k < g->plan->noperands; k++) {
        t->base[k] = g->arrays[k].base;
        t->row_step[k] = gufunc_row_step(g, k);
    }
    t->results = t->crew.results;
    t->result_step = param_i64(g, PARAM(result) + (UFC_MAX_AXES - 1) * sizeof(int64_t));
    set_call_before(g, t->spread, t->results);
    if (t->tiling->batch != NULL) {
        LLVMBuildStore(g->b, t->crew.batch, var_of(g, t->tiling->batch->var)->slot);
        gen_assignments(g, t->tiling->unjoined);
    }
    if (t->tiling->skew != SKEW_NONE)
        begin_band(t);
    find_ends(t);
    tile_set_index(t, TILE_ROW, t->crew.first[0]);
    tile_set_index(t, TILE_COLUMN, t->crew.first[1]);
    tile_set_index(t, TILE_DEPTH, i64(g, 0));
    slabs_begin(t);
    values_begin(t);
    tile_reduce(t);
}

/* Computes the thread's share of a tiling; `shared`: the block's memory. */
static void gen_tiling(struct tile *t, struct threads *threads, LLVMValueRef shared) {
    struct gen *g = t->g;
    LLVMValueRef bytes = i32(g, tile_team_bytes(t));
    struct place team, crew;
    tile_set_sizes(t);
    t->interleaved = are_interleaved(g, threads);
    find_units(t);
    find_places(t, threads, &team, &crew);
    tile_find_thread(t, team.member);
    t->team_number = team.team;
    LLVMValueRef first = compare(g, LLVMIntEQ, team.team, i32(g, 0));
    t->leads = LLVMBuildOr(g->b, LLVMBuildNot(g->b, t->gathers, ""), first, "");
    t->own = t->crew = take_tile(t, threads, team.team);
    memcpy(t->inputs, g->inputs, sizeof t->inputs); /* of the team; all else is the crew's below */
    if (threads->kind == UFC_KERNEL_TILE_16)
        t->crew = take_tile(t, threads, crew.team);
    t->member = crew.member;
    t->shared = at_byte(g, shared, multiply(g, team.team, bytes));
    t->crew_shared = at_byte(g, shared, multiply(g, crew.team, bytes));
    t->first_shared = shared;
    t->block_shared = at_byte(g, shared, i32(g, tile_team_bytes(t) * (unsigned)t->teams));
    t->tid = threads->tid;
    tile_compute(t);
}

/* The results of a thread, down and across. */
static void choose_share(const struct tiling *s, enum ufc_kernel_kind kind, uint32_t per[2]) {
    bool small = kind <= UFC_KERNEL_TILE_32;
    for (int axis = 0; axis < 2; axis++)
        per[axis] = small ? UFC_TILE_PER : (uint32_t)s->per[axis];
    if (ufc_is_matrix(kind)) {
        per[0] = ufc_matrix_rows(kind);
        per[1] = (uint32_t)matrix_columns(s);
    }
}

/* The tiling of the launch's phase. */
void gen_tile_kernel(struct gen *g, struct threads *threads) {
    const struct mapping *m = &g->plan->map;
    struct tile *all = NEWN(g->uc, struct tile, m->phases);
    bool matrix = ufc_is_matrix(threads->kind);
    unsigned most = 0;
    for (int i = 0; i < m->phases; i++) {
        struct tile *t = &all[i];
        *t = (struct tile){.g = g, .tiling = m->tiling[i], .matrix = matrix};
        bool small = threads->kind == UFC_KERNEL_TILE_16; /* whose teams would go as far */
        if (t->tiling == NULL || (matrix && !is_matrix(t->tiling)) ||
            (small && t->tiling->skew != SKEW_NONE))
            continue;
        uint32_t per[2];
        choose_share(t->tiling, threads->kind, per);
        tile_set_team(t, threads->kind);
        tile_choose_sizes(t, threads->kind, per);
        t->cut = t->tiling->ndepth > 0 && t->tiling->skew != SKEW_DEPTH && !t->tiling->in_order &&
                 (t->alone || t->tiling->gathers);
        t->shares = t->cut && !t->alone && t->depth >= TILE_SHARERS;
        unsigned bytes = tile_team_bytes(t) * (unsigned)t->teams + tile_depth_bytes(t);
        most = bytes > most ? bytes : most;
        if (t->cut && !t->alone && tile_gathered_bytes(t) > most)
            most = tile_gathered_bytes(t);
    }
    gufunc_find_thread(g, threads);
    gen_variables(g, 1);
    LLVMTypeRef byte = LLVMInt8TypeInContext(g->context);
    LLVMValueRef phase, shared = threads->kind == UFC_KERNEL_MATRIX_128
                                     ? dynamic_memory(g)
                                     : shared_array(g, byte, most, 16, "shared");
    phase = m->phases > 1 ? param_i32(g, PARAM(phase)) : i32(g, 0);
    for (const struct pstmt *s = g->plan->body->body; s != NULL; s = s->next) {
        if (s->kind != PS_SPREAD || all[s->phase].team == 0)
            continue;
        LLVMValueRef own = compare(g, LLVMIntEQ, phase, i32(g, (uint32_t)s->phase));
        LLVMBasicBlockRef after = begin_if(g, own);
        all[s->phase].spread = s;
        g->unstored = ~m->stored[s->phase];
        gen_tiling(&all[s->phase], threads, shared);
        end_if(g, after);
    }
}
