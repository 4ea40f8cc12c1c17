/* tile.c: tilings on the host: products of matrices, and all whose results have rows and columns
 * that share what they read.  A task computes a block of results: it packs the factors of its rows
 * and of its columns for PANEL_DEPTH points of the reduction, reduces these, and so on.  (The
 * scheme of K. Goto and R. van de Geijn, 2008.) */
#include "tile.h"

static const struct tiling *tiling_of(const struct gen *g, const struct pstmt *s) {
    const struct pstmt *first = g->plan->body->body;
    while (first != NULL && first != s)
        first = first->next;
    return first != NULL && s->kind == PS_SPREAD ? g->plan->map.tiling[s->phase] : NULL;
}

/* The statements of a list behind those that set what an index stands for. */
static const struct pstmt *settings_of(const struct tiling *t) {
    const struct pstmt *s = t->shape.first;
    for (int side = 0; side < 2; side++)
        for (const struct pstmt *j = t->joined[side]; j != NULL; j = j->next)
            s = s->next;
    return s;
}

/* Whether all accs begin with constants. */
static bool begins_alike(const struct tiling *t) {
    for (const struct pacc *a = t->shape.accs; a != NULL; a = a->next) {
        const struct pstmt *s = settings_of(t);
        while (s != NULL && s->var != a->acc)
            s = s->next;
        if (s == NULL || s->value->kind != PV_CONST)
            return false;
    }
    return true;
}

/* Whether packing costs more than it saves: of sums of a few terms for less columns than lanes. */
static bool is_slight(const struct gen *g, const struct tiling *t) {
    return constant_points(t->index[TILE_COLUMN]) < g->vector_lanes &&
           constant_points(t->index[TILE_DEPTH]) <= BRIEF_POINTS;
}

bool host_tiles(const struct gen *g, const struct pstmt *s) {
    const struct tiling *t = tiling_of(g, s);
    return t != NULL && is_host_tiling(t) && !is_slight(g, t) && (t->in_order || begins_alike(t));
}

/* How many groups of `size` (i64) cover n. */
static LLVMValueRef count_parts(struct gen *g, LLVMValueRef n, LLVMValueRef size) {
    return LLVMBuildUDiv(g->b, subtract(g, add(g, n, size), i64(g, 1)), size, "");
}

/* ---- results */

/* Copies the accs of a row's vector from the totals, or back. */
static void move_totals(struct host_tile *t, LLVMValueRef row, LLVMValueRef x, bool back) {
    struct gen *g = t->g;
    int n = 0;
    for (const struct pacc *a = t->tiling->shape.accs; a != NULL; a = a->next, n++) {
        LLVMValueRef total = total_at(t, n, row, x), acc = var_of(g, a->acc)->lanes;
        move_slot(g, a->acc, back ? acc : total, back ? total : acc);
    }
}

/* For the vector of columns at x, computes what the totals begin with, where `list` is what sets
 * that; or what is made of them, and stores it. */
static void results_vector(struct host_tile *t, const struct pstmt *list, LLVMValueRef x,
                           enum lanes_way way) {
    struct gen *g = t->g;
    bool run = way != LANES_OTHER, begins = list == t->tiling->begin;
    const struct shape *s = &t->tiling->shape;
    struct loop l;
    LLVMValueRef zero = i64(g, 0);
    struct varying *v = block_varying(t, TILE_COLUMN, run);
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        v->vars[a->acc->id] = true;
    vary_by(g->uc, v, t->settings);
    vary_by(g->uc, v, list);
    g->varying = v;
    g->lane_var = block_lane(t, TILE_COLUMN, run);
    gen_lane_slots(g, t->lanes);
    struct lanes_scope outer = lanes_enter(g, t->lanes);
    block_set_lanes(t, TILE_COLUMN, x, run);
    g->unit = run;
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], t->count[TILE_ROW]));
    l.keep = true;
    block_set_index(t, TILE_ROW, l.phi[0]);
    if (way != LANES_RUN)
        gen_active_lanes(g, subtract(g, t->count[TILE_COLUMN], x));
    gen_stmts(g, t->settings);
    if (!begins)
        move_totals(t, l.phi[0], x, false);
    gen_stmts(g, list);
    if (begins)
        move_totals(t, l.phi[0], x, true);
    LLVMValueRef next = add(g, l.phi[0], i64(g, 1));
    loop_end(g, &l, &next);
    lanes_leave(g, outer);
}

/* i1: what `list` accesses for neighbouring results of a row lies side by side; NULL: always. */
static LLVMValueRef is_list_unit(struct host_tile *t, const struct pstmt *list) {
    struct gen *g = t->g;
    struct varying *v = block_varying(t, TILE_COLUMN, true);
    vary_by(g->uc, v, t->settings);
    vary_by(g->uc, v, list);
    g->varying = v;
    g->lane_var = block_lane(t, TILE_COLUMN, true);
    LLVMValueRef set = points_unit(g, t->settings, i64(g, 1)),
                 unit = points_unit(g, list, i64(g, 1));
    return set == NULL ? unit : unit == NULL ? set : both(g, set, unit);
}

/* Runs results_vector's list for all results of the block. */
static void gen_list_of_results(struct host_tile *t, const struct pstmt *list) {
    struct gen *g = t->g;
    struct loop l;
    LLVMValueRef zero = i64(g, 0), yes = LLVMConstInt(i1_type(g), 1, false),
                 unit = is_list_unit(t, list);
    LLVMBasicBlockRef way[LANES_WAYS];
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], t->count[TILE_COLUMN]));
    l.keep = true;
    block_branch(t, TILE_COLUMN, l.phi[0], unit != NULL ? unit : yes, way);
    LLVMBasicBlockRef done = gen_block(g, "stored");
    struct gen_array *arrays = g->arrays;
    for (int i = 0; i < LANES_WAYS; i++) {
        gen_place(g, way[i]);
        g->arrays = i == LANES_OTHER ? block_arrays(t) : arrays;
        results_vector(t, list, l.phi[0], (enum lanes_way)i);
        LLVMBuildBr(g->b, done);
    }
    g->arrays = arrays;
    gen_place(g, done);
    LLVMValueRef next = add(g, l.phi[0], i64(g, (uint64_t)t->lanes));
    loop_end(g, &l, &next);
}

/* ---- blocks */

/* Sets the sizes of t, which are the same for all blocks. */
static void find_sizes(struct host_tile *t) {
    struct gen *g = t->g;
    for (int side = 0; side < 2; side++)
        t->size[side] = gen_scalar(g, t->tiling->index[side]->hi);
}

/* Columns of a block, i64: fewer where blocks are few. */
static LLVMValueRef columns_of_block(struct host_tile *t) {
    struct gen *g = t->g;
    uint64_t most = block_most(t, TILE_COLUMN),
             few = most > 4 * (uint64_t)t->lanes ? most / 4 : most;
    few = few < (uint64_t)t->held[1] * (uint64_t)t->lanes
              ? (uint64_t)t->held[1] * (uint64_t)t->lanes
              : few;
    LLVMValueRef blocks = multiply(g, count_parts(g, t->size[0], i64(g, PANEL_ROWS)),
                                   count_parts(g, t->size[1], i64(g, most)));
    return gen_select(g, compare(g, LLVMIntSLT, blocks, i64(g, PANEL_BLOCKS)), i64(g, few),
                      i64(g, most));
}

static struct host_tile describe(struct gen *g, const struct pstmt *s) {
    struct host_tile t = {.g = g, .tiling = tiling_of(g, s), .lanes = g->vector_lanes};
    t.settings = settings_of(t.tiling);
    block_hold(&t);
    block_describe(&t);
    find_sizes(&t);
    return t;
}

LLVMValueRef host_tile_count(struct gen *g, const struct pstmt *s) {
    struct host_tile t = describe(g, s);
    return multiply(g, count_parts(g, t.size[0], i64(g, PANEL_ROWS)),
                    count_parts(g, t.size[1], columns_of_block(&t)));
}

/* Sets the indices to the corner of the block's results where what grows so with them is greatest,
 * or least. */
static void set_block_corner(struct host_tile *t, const int growth[], bool greatest) {
    struct gen *g = t->g;
    for (int side = 0; side < 2; side++) {
        LLVMValueRef last = subtract(g, t->count[side], i64(g, 1));
        block_set_index(t, (enum tile_index)side,
                        growth[side] != 0 && (growth[side] > 0) == greatest ? last : i64(g, 0));
    }
    gen_stmts(g, t->settings);
}

/* Where the reductions of the block's results begin, none of them before it, and where they end. */
static LLVMValueRef find_start(struct host_tile *t) {
    struct gen *g = t->g;
    if (t->tiling->start == NULL)
        return i64(g, 0);
    set_block_corner(t, t->tiling->start_growth, false);
    return gen_scalar(g, t->tiling->start);
}

static LLVMValueRef find_depth(struct host_tile *t) {
    if (t->tiling->guarded)
        set_block_corner(t, t->tiling->end_growth, true);
    return gen_scalar(t->g, t->tiling->index[TILE_DEPTH]->hi);
}

/* Computes the results of the block whose first ones are set, before `end`. */
static void gen_results(struct host_tile *t, const LLVMValueRef end[2]) {
    struct gen *g = t->g;
    struct loop l;
    LLVMValueRef zero = i64(g, 0), start;
    for (int side = 0; side < 2; side++) {
        t->count[side] = least(g, t->most[side], subtract(g, end[side], t->first[side]));
        block_list(t, (enum tile_index)side);
    }
    start = find_start(t);
    t->size[TILE_DEPTH] = find_depth(t);
    if (t->tiling->in_order)
        gen_list_of_results(t, t->tiling->begin);
    LLVMBasicBlockRef done = gen_block(g, "done"), more = gen_block(g, "deeper");
    loop_begin(g, &l, 1, &start);
    l.keep = true;
    t->first[TILE_DEPTH] = l.phi[0];
    LLVMValueRef left = subtract(g, t->size[TILE_DEPTH], l.phi[0]);
    LLVMValueRef some = gen_select(g, compare(g, LLVMIntSGT, left, zero), left, zero);
    t->count[TILE_DEPTH] = least(g, some, i64(g, PANEL_DEPTH));
    block_list(t, TILE_DEPTH);
    block_find_packed(t);
    for (int side = 0; side < 2; side++)
        block_pack(t, (enum tile_index)side);
    block_reduce(t);
    LLVMValueRef next = add(g, l.phi[0], i64(g, PANEL_DEPTH));
    LLVMBuildCondBr(g->b, compare(g, LLVMIntSLT, next, t->size[TILE_DEPTH]), more, done);
    gen_place(g, more);
    loop_end(g, &l, &next);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    gen_list_of_results(t, t->tiling->shape.rest);
    if (t->mirrors != NULL)
        mirror_results(t, is_list_unit(t, t->tiling->shape.rest));
}

/* Computes a task's results, in as many blocks as memory makes of them. */
static void gen_task(struct host_tile *t, LLVMValueRef task) {
    struct gen *g = t->g;
    struct loop down, across;
    LLVMValueRef groups = count_parts(g, t->size[0], i64(g, PANEL_ROWS)),
                 size[] = {i64(g, PANEL_ROWS), t->width},
                 number[] = {LLVMBuildURem(g->b, task, groups, ""),
                             LLVMBuildUDiv(g->b, task, groups, "")},
                 first[2], end[2];
    for (int side = 0; side < 2; side++) {
        first[side] = multiply(g, number[side], size[side]);
        end[side] = least(g, t->size[side], add(g, first[side], size[side]));
    }
    LLVMValueRef above = compare(g, LLVMIntSLT, first[0], end[1]);
    LLVMBasicBlockRef after =
        t->mirrors != NULL
            ? begin_if(g, gen_select(g, t->mirrors, above, LLVMConstInt(i1_type(g), 1, false)))
            : NULL;
    loop_begin(g, &down, 1, &first[0]);
    loop_while(g, &down, compare(g, LLVMIntSLT, down.phi[0], end[0]));
    down.keep = true;
    loop_begin(g, &across, 1, &first[1]);
    loop_while(g, &across, compare(g, LLVMIntSLT, across.phi[0], end[1]));
    across.keep = true;
    t->first[TILE_ROW] = down.phi[0];
    t->first[TILE_COLUMN] = across.phi[0];
    gen_results(t, end);
    LLVMValueRef next = add(g, across.phi[0], t->most[1]);
    loop_end(g, &across, &next);
    next = add(g, down.phi[0], t->most[0]);
    loop_end(g, &down, &next);
    if (after != NULL)
        end_if(g, after);
}

void host_tile(struct gen *g, const struct pstmt *s, LLVMValueRef begin, LLVMValueRef end) {
    struct host_tile t = describe(g, s);
    struct loop l;
    block_reserve(&t);
    t.width = columns_of_block(&t);
    t.mirrors = find_mirrors(&t);
    g->lane_step = i64(g, 1);
    g->lane_lo = i64(g, 0);
    loop_begin(g, &l, 1, &begin);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], end));
    l.keep = true;
    gen_task(&t, l.phi[0]);
    LLVMValueRef next = add(g, l.phi[0], i64(g, 1));
    loop_end(g, &l, &next);
    block_release(&t);
}

/* ---- what is asked */

LLVMValueRef host_tile_unit(struct gen *g, const struct pstmt *s) {
    struct host_tile t = {.g = g, .tiling = tiling_of(g, s), .lanes = g->vector_lanes};
    t.settings = settings_of(t.tiling);
    return is_list_unit(&t, t.tiling->shape.rest);
}
