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
    /* a lot: one tile of a call, or the same tile of UFC_INTERLEAVED calls */
    LLVMValueRef teams = i32(g, (uint32_t)t->teams);
    LLVMValueRef number = add(g, multiply(g, block, teams), team);
    LLVMValueRef lot = gen_select(g, t->interleaved, block, number);
    LLVMValueRef tile = LLVMBuildURem(g->b, lot, each, "");
    LLVMValueRef call = LLVMBuildUDiv(g->b, lot, each, "");
    LLVMValueRef first = multiply(g, call, i32(g, UFC_INTERLEAVED));
    call = extended(g, gen_select(g, t->interleaved, add(g, first, team), call));
    struct spot spot = {.exists = compare(g, LLVMIntSLT, call, calls)};
    LLVMValueRef last = add(g, multiply(g, block, teams), subtract(g, teams, i32(g, 1)));
    last = extended(g, LLVMBuildUDiv(g->b, last, each, ""));
    spot.all = compare(g, LLVMIntSLT, last, calls);
    spot.part = LLVMBuildUDiv(g->b, tile, tiles, "");
    tile = LLVMBuildURem(g->b, tile, tiles, "");
    spot.number = add(g, multiply(g, call, extended(g, tiles)), extended(g, tile));
    const size_t result = PARAM(result);
    call = LLVMBuildTrunc(g->b, gen_select(g, spot.exists, call, i64(g, 0)), i32_type(g), "");
    gufunc_find_place(g, call, &result, 1, &spot.results);
    spot.results = add(g, param_i64(g, PARAM(results)), spot.results);
    LLVMValueRef row = LLVMBuildUDiv(g->b, tile, across, "");
    if (t->tiling->end_growth[TILE_ROW] > 0) /* the longest first: short ones fill the end */
        row = subtract(g, subtract(g, down, i32(g, 1)), row);
    spot.first[0] = multiply(g, extended(g, row), i64(g, (uint64_t)t->size[0]));
    spot.first[1] = multiply(g, extended(g, LLVMBuildURem(g->b, tile, across, "")),
                             i64(g, (uint64_t)t->size[1]));
    return spot;
}

/* A warp has 4 rows of 8 threads, or
 * half of it has 4 of 4, so that it reads few different elements of a slab at a time.  Lanes that
 * differ in bit 0 read the same columns, those that differ in bit 1 the same rows: then shared
 * memory serves 16 lanes' accesses of 16 bytes at once, otherwise 8. */
void tile_find_thread(struct tile *t, LLVMValueRef member) {
    struct gen *g = t->g;
    uint32_t width = t->side < 8 ? 4 : 8, warps = (uint32_t)t->side / width;
    LLVMValueRef warp = warp_of(g, member), lane = lane_of(g, member), two = i32(g, 2);
    LLVMValueRef row = LLVMBuildUDiv(g->b, lane, i32(g, 2 * width), "");
    row = add(g, multiply(g, row, two), LLVMBuildURem(g->b, lane, two, ""));
    LLVMValueRef column = LLVMBuildUDiv(g->b, lane, two, "");
    column = LLVMBuildURem(g->b, column, i32(g, width), "");
    LLVMValueRef down = LLVMBuildUDiv(g->b, warp, i32(g, warps), ""),
                 across = LLVMBuildURem(g->b, warp, i32(g, warps), "");
    t->thread[0] = add(g, multiply(g, down, i32(g, 4)), row);
    t->thread[1] = add(g, multiply(g, across, i32(g, width)), column);
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

/* The end of the reduction for a result, given its end for the first one; i64. */
static LLVMValueRef end_at(struct tile *t, LLVMValueRef first, LLVMValueRef row,
                           LLVMValueRef column) {
    struct gen *g = t->g;
    const int *growth = t->tiling->end_growth;
    LLVMValueRef down = multiply(g, row, i64(g, (uint64_t)(int64_t)growth[TILE_ROW]));
    LLVMValueRef across = multiply(g, column, i64(g, (uint64_t)(int64_t)growth[TILE_COLUMN]));
    return add(g, first, add(g, down, across));
}

/* ---- the reduction */

void tile_select_accs(struct tile *t, int i, int j) {
    int n = 0;
    for (const struct pacc *a = t->tiling->shape.accs; a != NULL; a = a->next, n++)
        var_of(t->g, a->acc)->slot = t->acc[n][i][j];
}

static void begin_accs(struct tile *t) {
    struct gen *g = t->g;
    for (int i = 0; i < t->per[0]; i++)
        for (int j = 0; j < t->per[1]; j++) {
            int n = 0;
            for (const struct pacc *a = t->tiling->shape.accs; a != NULL; a = a->next, n++)
                t->acc[n][i][j] = gen_alloca(g, gen_type(g, a->acc->dtype), "acc");
            tile_select_accs(t, i, j);
            gen_assignments(g, t->tiling->shape.first);
        }
}

/* Loads the thread's elements of a slab `step` steps along k from the address of the first one. */
static void load_elements(struct tile *t, const struct slab *p, LLVMValueRef at, int step,
                          LLVMValueRef element[MAX_PER]) {
    struct gen *g = t->g;
    enum ufc_dtype d = p->factor->dtype;
    LLVMTypeRef memory = gen_memory_type(g, d);
    int axis = (int)p->x_index, group = t->group[axis];
    for (int i = 0; i < t->per[axis]; i++) {
        unsigned from = (unsigned)step * p->pitch + (unsigned)result_at_side(t, axis, i);
        unsigned align = i % group == 0 ? (unsigned)group * p->bytes : p->bytes;
        element[i] = gen_load_element(g, d, memory, at_byte(g, at, i32(g, from * p->bytes)), align);
    }
}

/* The reduction's body for result i, j. */
static void add_result(struct tile *t, int i, int j, LLVMValueRef element[][MAX_PER]) {
    struct gen *g = t->g;
    const struct shape *s = &t->tiling->shape;
    struct held held[TILE_MAX_FACTORS];
    int n = 0;
    for (int k = 0; k < t->tiling->nfactors; k++) {
        const struct factor *f = &t->tiling->factors[k];
        LLVMValueRef v = element[k][f->of_rows ? i : j];
        if (f->place != NULL)
            held[n++] = (struct held){f->place, v};
        else
            LLVMBuildStore(g->b, v, var_of(g, f->var)->slot);
    }
    tile_select_accs(t, i, j);
    if (t->tiling->names_index) {
        tile_set_index(t, TILE_ROW, tile_index(t, 0, i));
        tile_set_index(t, TILE_COLUMN, tile_index(t, 1, j));
    }
    g->held = held;
    g->nheld = n;
    LLVMBasicBlockRef after = t->filters ? begin_if(g, gen_value(g, s->filter)) : NULL;
    gen_stmts(g, s->body);
    if (after != NULL)
        end_if(g, after);
    g->nheld = 0;
}

/* A slab that is reduced: the stage it is in, and the number of its first element along k, i64. */
struct part {
    LLVMValueRef stage, first;
};

/* Finds where the thread's elements of a part are in each slab, those of step k (i32). */
static void find_elements(struct tile *t, const struct part *part, LLVMValueRef k,
                          LLVMValueRef *at) {
    for (int n = 0; n < t->tiling->nfactors; n++) {
        const struct slab *p = &t->slab[n];
        at[n] = slab_at(t, part->stage, p, k, tile_place(t, (int)p->x_index));
    }
}

/* Loads the elements of step s from there on. */
static void load_step(struct tile *t, const LLVMValueRef *at, int s,
                      LLVMValueRef element[][MAX_PER]) {
    for (int n = 0; n < t->tiling->nfactors; n++)
        load_elements(t, &t->slab[n], at[n], s, element[n]);
}

/* Branches around what follows if the reduction of result i, j has no element `number`; end_step
 * closes it.  end: of the first result's, or NULL, which makes it nothing. */
static LLVMBasicBlockRef begin_step(struct tile *t, LLVMValueRef number, LLVMValueRef end, int i,
                                    int j) {
    if (end == NULL)
        return NULL;
    LLVMValueRef here = end_at(t, end, tile_index(t, 0, i), tile_index(t, 1, j));
    return begin_if(t->g, compare(t->g, LLVMIntSLT, number, here));
}

static void end_step(struct gen *g, LLVMBasicBlockRef after) {
    if (after != NULL)
        end_if(g, after);
}

/* Reduces step k (i32) of a part for all of the thread's results; end: of the reduction for the
 * first result, which makes ends be tested, or NULL. */
static void add_step(struct tile *t, const struct part *part, LLVMValueRef k,
                     LLVMValueRef element[][MAX_PER], LLVMValueRef end) {
    struct gen *g = t->g;
    LLVMValueRef number = add(g, part->first, extended(g, k));
    tile_set_index(t, TILE_DEPTH, number);
    bool by_row = t->tiling->end_growth[TILE_COLUMN] == 0;
    for (int i = 0; i < t->per[0]; i++) {
        LLVMBasicBlockRef row = by_row ? begin_step(t, number, end, i, 0) : NULL;
        for (int n = 0; n < t->per[1]; n++) {
            /* back and forth: neighbours in this order share an element, which saves reads */
            int j = i % 2 == 0 ? n : t->per[1] - 1 - n;
            LLVMBasicBlockRef one = by_row ? NULL : begin_step(t, number, end, i, j);
            add_result(t, i, j, element);
            end_step(g, one);
        }
        end_step(g, row);
    }
}

/* Reduces `count` (i32) steps of a part, `steps` at a time. */
static void add_steps(struct tile *t, const struct part *part, LLVMValueRef count, int steps,
                      LLVMValueRef end) {
    struct gen *g = t->g;
    LLVMValueRef zero = i32(g, 0), at[TILE_MAX_FACTORS], element[TILE_MAX_FACTORS][MAX_PER];
    struct loop l;
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], count));
    l.keep = true;
    find_elements(t, part, l.phi[0], at);
    for (int s = 0; s < steps; s++) {
        load_step(t, at, s, element);
        add_step(t, part, add(g, l.phi[0], i32(g, (uint32_t)s)), element, end);
    }
    LLVMValueRef next = add(g, l.phi[0], i32(g, (uint32_t)steps));
    loop_end(g, &l, &next);
}

/* Reduces all steps of a part.  Those that are written out all have their elements loaded first. */
static void add_whole(struct tile *t, const struct part *part) {
    struct gen *g = t->g;
    LLVMValueRef at[TILE_MAX_FACTORS];
    if (t->steps < t->depth) {
        add_steps(t, part, i32(g, (uint32_t)t->depth), t->steps, NULL);
        return;
    }
    LLVMValueRef(*element)[TILE_MAX_FACTORS][MAX_PER] =
        arena_alloc(g->uc, (size_t)t->depth * sizeof *element);
    find_elements(t, part, i32(g, 0), at);
    for (int s = 0; s < t->depth; s++)
        load_step(t, at, s, element[s]);
    for (int s = 0; s < t->depth; s++)
        add_step(t, part, i32(g, (uint32_t)s), element[s], NULL);
}

/* Reduces a part, of which `left` (i32) elements are left along k.  Zeros that follow the last ones
 * are reduced too, up to as many steps as are written out, unless they would change the result.
 * finite (i1): so are the team's factors. */
static void add_part(struct tile *t, const struct part *part, LLVMValueRef left,
                     LLVMValueRef finite) {
    struct gen *g = t->g;
    LLVMValueRef depth = i32(g, (uint32_t)t->depth), whole = compare(g, LLVMIntSGE, left, depth);
    LLVMValueRef end = NULL;
    bool padded = t->tiling->padded && !t->tiling->guarded;
    if (t->tiling->guarded) {
        end = t->end[0];
        whole = compare(g, LLVMIntSLE, add(g, part->first, extended(g, depth)), t->end[1]);
    } else if (padded && t->steps == t->depth) {
        whole = LLVMConstInt(i1_type(g), 1, false);
    }
    t->filters = t->tiling->shape.filter != NULL && !t->tiling->finite;
    if (LLVMIsConstant(whole) && !t->tiling->finite) {
        add_whole(t, part);
        return;
    }
    LLVMBasicBlockRef all = gen_block(g, "whole"), some = gen_block(g, "some"),
                      done = gen_block(g, "added");
    LLVMBuildCondBr(g->b, both(g, whole, finite), all, some);
    gen_place(g, all);
    add_whole(t, part);
    LLVMBuildBr(g->b, done);
    gen_place(g, some);
    t->filters = t->tiling->shape.filter != NULL;
    int steps = padded && !t->tiling->finite ? t->steps : 1;
    add_steps(t, part, least(g, left, depth), steps, end);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* Loads the thread's share of all slabs of a part, or what it is computed of; to that stage. */
static void fetch_all(struct tile *t, const struct slab_part *part, LLVMValueRef stage) {
    struct gen *g = t->g;
    for (int n = 0; n < t->tiling->nfactors; n++) {
        const struct slab *p = &t->slab[n];
        if (p->factor->place == NULL)
            continue;
        LLVMValueRef at = multiply(g, extended(g, part->first), p->step_k);
        slab_fetch(t, p, at_byte(g, p->first, at), part->left);
    }
    for (int side = 0; side < 2; side++)
        values_fetch(t, side, part, at_byte(g, t->crew_shared, stage));
}

/* The part behind one. */
static struct slab_part next_part(struct tile *t, const struct slab_part *part) {
    struct gen *g = t->g;
    LLVMValueRef depth = i32(g, (uint32_t)t->depth);
    return (struct slab_part){add(g, part->first, depth), subtract(g, part->left, depth),
                              subtract(g, i32(g, 1), part->table)};
}

/* Stores what was fetched, and waits for all others to do so.  i1: all are finite, where that
 * matters. */
static LLVMValueRef put_all(struct tile *t, const struct slab_part *part, LLVMValueRef stage) {
    struct gen *g = t->g;
    LLVMValueRef finite = LLVMConstInt(i1_type(g), 1, false);
    for (int side = 0; side < 2; side++)
        values_compute(t, side, part);
    for (int n = 0; n < t->tiling->nfactors; n++) {
        if (slab_is_put(t, &t->slab[n]))
            continue;
        slab_put(t, &t->slab[n], at_byte(g, t->crew_shared, stage));
        if (t->tiling->finite >> t->slab[n].x_index & 1)
            finite = both(g, finite, slab_is_finite(t, &t->slab[n]));
    }
    struct slab_part next = next_part(t, part);
    tables_next(t, &next);
    if (t->tiling->finite)
        return gpu(g)->barrier_all(g, finite);
    gpu(g)->barrier(g);
    return finite;
}

/* Sets where the team's part of the reduction begins and ends; parts are whole slabs. */
static void take_part(struct tile *t, LLVMValueRef *begin, LLVMValueRef *end) {
    struct gen *g = t->g;
    LLVMValueRef depth = i32(g, (uint32_t)t->depth), last = i32(g, (uint32_t)t->depth - 1);
    LLVMValueRef slabs = LLVMBuildUDiv(g->b, add(g, *end, last), depth, "");
    LLVMValueRef each = add(g, slabs, subtract(g, t->parts, i32(g, 1)));
    each = multiply(g, LLVMBuildUDiv(g->b, each, t->parts, ""), depth);
    *begin = multiply(g, t->own.part, each);
    *end = least(g, *end, add(g, *begin, each));
}

/* Moves the first slabs of the team's part of the reduction; as put_all. */
static LLVMValueRef begin_slabs(struct tile *t, const struct slab_part *part) {
    struct gen *g = t->g;
    if (t->tables > 0) {
        tables_fill(t);
        tables_next(t, part);
        gpu(g)->barrier(g);
    }
    fetch_all(t, part, i32(g, 0));
    return put_all(t, part, i32(g, 0));
}

/* Moves and reduces slab after slab: the next one is loaded to registers while the current one is
 * reduced. */
static void reduce(struct tile *t) {
    struct gen *g = t->g;
    LLVMValueRef all = elements_left(g, t->end[2], i64(g, 0)), zero = i32(g, 0), begin = zero;
    if (t->cut)
        take_part(t, &begin, &all);
    struct slab_part part = {begin, subtract(g, all, begin), zero};
    LLVMValueRef first[] = {begin, zero, zero, begin_slabs(t, &part)};
    struct loop l;
    loop_begin(g, &l, 4, first);
    part = (struct slab_part){l.phi[0], subtract(g, all, l.phi[0]), l.phi[2]};
    loop_while(g, &l, compare(g, LLVMIntSGT, part.left, zero));
    l.keep = true;
    struct slab_part rest = next_part(t, &part);
    LLVMValueRef stage = t->stages > 1 ? subtract(g, i32(g, t->stage), l.phi[1]) : zero,
                 next[] = {rest.first, stage, rest.table, NULL};
    fetch_all(t, &rest, stage);
    struct part own = {at_byte(g, t->shared, l.phi[1]), extended(g, part.first)};
    LLVMValueRef inputs[UFC_MAX_OPERANDS];
    memcpy(inputs, g->inputs, sizeof inputs);
    memcpy(g->inputs, t->inputs, sizeof inputs);
    add_part(t, &own, part.left, l.phi[3]);
    memcpy(g->inputs, inputs, sizeof inputs);
    if (t->stages == 1)
        gpu(g)->barrier(g);
    next[3] = put_all(t, &rest, stage);
    loop_end(g, &l, next);
}

/* Sets the accs of the tile: by its reduction, or by what its parts have left. */
static void reduce_or_join(struct tile *t) {
    struct gen *g = t->g;
    begin_accs(t);
    if (!t->cut) {
        reduce(t);
        tile_store(t);
        return;
    }
    LLVMBasicBlockRef all = gen_block(g, "reduce"), join = gen_block(g, "join"),
                      part = gen_block(g, "part"), finish = gen_block(g, "finish"),
                      done = gen_block(g, "done");
    LLVMValueRef several = compare(g, LLVMIntUGT, t->units, i32(g, 1));
    LLVMBuildCondBr(g->b, t->joins, join, all);
    gen_place(g, all);
    reduce(t);
    LLVMBuildCondBr(g->b, several, part, finish);
    gen_place(g, join);
    tile_join_parts(t);
    LLVMBuildCondBr(g->b, several, part, finish);
    gen_place(g, part);
    tile_store_part(t);
    LLVMBuildBr(g->b, done);
    gen_place(g, finish);
    tile_store(t);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* i1: the condition that reductions are under may hold for some result of the tile: if it does so,
 * then at one of the corners. */
static LLVMValueRef is_needed(struct tile *t) {
    struct gen *g = t->g;
    for (int axis = 0; axis < 2; axis++) {
        LLVMValueRef first = t->crew.first[axis],
                     end = add(g, first, i64(g, (uint64_t)t->size[axis]));
        LLVMValueRef last = LLVMBuildSub(g->b, least(g, t->sizes[axis], end), i64(g, 1), "");
        tile_set_index(t, (enum tile_index)axis, t->tiling->when_growth[axis] > 0 ? last : first);
    }
    gen_assignments(g, t->tiling->shape.first);
    return gen_value(g, t->tiling->when);
}

/* Sets t->end: of the first result's reduction, and where the tile's shortest and longest ones end.
 * Teams of a block meet at barriers, so they go as far as any of the call. */
static void find_ends(struct tile *t) {
    struct gen *g = t->g;
    LLVMValueRef zero = i64(g, 0), least_at[2], most_at[2];
    for (int axis = 0; axis < 2; axis++) {
        LLVMValueRef first = t->crew.first[axis],
                     end = least(g, t->sizes[axis], add(g, first, i64(g, (uint64_t)t->size[axis])));
        if (!t->alone) {
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
    t->end[1] = end_at(t, t->end[0], least_at[0], least_at[1]);
    t->end[2] = end_at(t, t->end[0], most_at[0], most_at[1]);
    if (t->tiling->when_even && t->alone)
        t->end[2] = gen_select(g, is_needed(t), t->end[2], zero);
}

/* ---- the kernel */

enum { SHARED_MEMORY = 40 << 10 }; /* bytes of a block, at most */

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
    return few && !computes ? 2 * TILE_SHARE : TILE_SHARE;
}

/* Bytes of a team's shared memory for the slabs of all stages, and the tables of sides. */
static unsigned slabs_bytes(const struct tile *t) {
    return t->stage * (unsigned)t->stages + t->tables;
}

unsigned tile_depth_bytes(const struct tile *t) {
    return 2 * t->table[TILE_DEPTH].bytes;
}

void tile_choose_sizes(struct tile *t, const uint32_t per[2], bool small) {
    const struct tiling *s = t->tiling;
    unsigned room = SHARED_MEMORY / (unsigned)t->teams;
    for (int axis = 0; axis < 2; axis++) {
        t->per[axis] = (int)per[axis];
        t->size[axis] = t->per[axis] * t->side;
        t->group[axis] = neighbours(t, axis);
    }
    while (t->group[0] > 1 && tile_stored_bytes(t) > room)
        t->group[0] /= 2;
    t->stages = small ? 1 : 2;
    t->depth = small ? t->size[0] : TILE_PART;
    slabs_describe(t);
    tables_describe(t);
    while (slabs_bytes(t) + tile_depth_bytes(t) / (unsigned)t->teams > room ||
           slabs_share(t) > most_share(t)) {
        t->depth /= 2;
        slabs_describe(t);
        tables_describe(t);
    }
    t->steps = t->depth;
    while (t->steps > 1 && t->steps * t->per[0] * t->per[1] * s->operations > TILE_COPIES)
        t->steps /= 2;
}

/* An odd multiple of 16, so that at most two teams have the same element in one bank. */
unsigned tile_team_bytes(const struct tile *t) {
    unsigned slabs = slabs_bytes(t), results = tile_stored_bytes(t);
    return ((slabs > results ? slabs : results) + 15) / 16 * 16 | 16;
}

/* Sets which part of the tile's reduction the launch computes, or joins. */
static void find_units(struct tile *t) {
    struct gen *g = t->g;
    t->cut = t->tiling->ndepth > 0 && t->alone;
    t->parts = t->cut ? param_i32(g, PARAM(parts)) : i32(g, 1);
    t->apart = t->cut ? param_i32(g, PARAM(apart)) : i32(g, 0);
    t->joins = is_set(g, t->apart);
    LLVMValueRef each = multiply(g, t->apart, i32(g, UFC_TILE_JOINED));
    each = gen_select(g, t->joins, each, i32(g, 1));
    t->units = add(g, t->parts, subtract(g, each, i32(g, 1)));
    t->units = t->cut ? LLVMBuildUDiv(g->b, t->units, each, "") : t->parts;
}

void tile_set_sizes(struct tile *t) {
    struct gen *g = t->g;
    const struct shape *s = &t->tiling->shape;
    t->sizes[0] = t->tiling->shared ? extended(g, param_i32(g, PARAM(rows)))
                                    : gen_terms(g, s->rows, s->nrows);
    t->sizes[1] = gen_terms(g, s->columns, s->ncolumns);
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
    find_ends(t);
    tile_set_index(t, TILE_ROW, t->crew.first[0]);
    tile_set_index(t, TILE_COLUMN, t->crew.first[1]);
    tile_set_index(t, TILE_DEPTH, i64(g, 0));
    slabs_begin(t);
    values_begin(t);
    reduce_or_join(t);
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
    t->own = t->crew = take_tile(t, threads, team.team);
    memcpy(t->inputs, g->inputs, sizeof t->inputs); /* of the team; all else is the crew's below */
    if (threads->kind == UFC_KERNEL_TILE_16)
        t->crew = take_tile(t, threads, crew.team);
    t->member = crew.member;
    t->shared = at_byte(g, shared, multiply(g, team.team, bytes));
    t->crew_shared = at_byte(g, shared, multiply(g, crew.team, bytes));
    t->block_shared = at_byte(g, shared, i32(g, tile_team_bytes(t) * (unsigned)t->teams));
    t->tid = threads->tid;
    tile_compute(t);
}

/* The tiling of the launch's phase. */
void gen_tile_kernel(struct gen *g, struct threads *threads) {
    const struct mapping *m = &g->plan->map;
    struct tile *all = NEWN(g->uc, struct tile, m->phases);
    int side = (int)ufc_tile_side(threads->kind);
    unsigned most = 0;
    for (int i = 0; i < m->phases; i++) {
        struct tile *t = &all[i];
        *t = (struct tile){.g = g, .tiling = m->tiling[i], .side = side, .team = side * side};
        if (t->tiling == NULL)
            continue;
        t->teams = (int)kernel_info[threads->kind].threads / t->team;
        t->alone = t->teams == 1;
        bool small = threads->kind <= UFC_KERNEL_TILE_32;
        uint32_t per[2] = {UFC_TILE_PER, UFC_TILE_PER};
        for (int axis = 0; axis < 2 && !small; axis++)
            per[axis] = (uint32_t)t->tiling->per[axis];
        tile_choose_sizes(t, per, small);
        unsigned bytes = tile_team_bytes(t) * (unsigned)t->teams + tile_depth_bytes(t);
        most = bytes > most ? bytes : most;
    }
    gufunc_find_thread(g, threads);
    gen_variables(g, 1);
    LLVMTypeRef byte = LLVMInt8TypeInContext(g->context);
    LLVMValueRef shared = shared_array(g, byte, most, 16, "shared"), phase;
    phase = m->phases > 1 ? param_i32(g, PARAM(phase)) : i32(g, 0);
    for (const struct pstmt *s = g->plan->body->body; s != NULL; s = s->next) {
        if (s->kind != PS_SPREAD || m->tiling[s->phase] == NULL)
            continue;
        LLVMValueRef own = compare(g, LLVMIntEQ, phase, i32(g, (uint32_t)s->phase));
        LLVMBasicBlockRef after = begin_if(g, own);
        all[s->phase].spread = s;
        g->unstored = ~m->stored[s->phase];
        gen_tiling(&all[s->phase], threads, shared);
        end_if(g, after);
    }
}
