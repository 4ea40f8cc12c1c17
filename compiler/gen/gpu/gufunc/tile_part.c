/* tile_part.c: the parts that a tile's reduction is cut into, by way of the workspace. */
#include "tile.h"

int tile_accs_bits(const struct tile *t) {
    int bits = 0;
    for (const struct pacc *a = t->tiling->shape.accs; a != NULL; a = a->next)
        bits += dtype_info[a->acc->dtype].bits;
    return bits;
}

/* Finds where the workspace has the thread's first result of a part, by acc. */
static void find_partials(struct tile *t, LLVMValueRef part, LLVMValueRef *first) {
    struct gen *g = t->g;
    uint64_t results = (uint64_t)(t->team * t->per[0] * t->per[1]), before = 0;
    LLVMValueRef unit = multiply(g, t->own.number, extended(g, t->parts));
    unit = multiply(g, add(g, unit, extended(g, part)),
                    i64(g, results * (uint64_t)tile_accs_bits(t) / 8));
    LLVMValueRef at = at_byte(g, global_pointer(g, param_i64(g, PARAM(workspace))), unit);
    for (const struct pacc *a = t->tiling->shape.accs; a != NULL; a = a->next) {
        uint64_t size = (uint64_t)dtype_info[a->acc->dtype].bits / 8;
        LLVMValueRef own = multiply(g, extended(g, t->member), i64(g, size));
        *first++ = at_byte(g, at_byte(g, at, own), i64(g, before));
        before += size * results;
    }
}

/* The address of an acc of result i, j from that of the first one on. */
static LLVMValueRef partial_at(struct tile *t, const struct pacc *a, LLVMValueRef first, int i,
                               int j) {
    uint64_t result = (uint64_t)(i * t->per[1] + j) * (uint64_t)t->team;
    return at_byte(t->g, first, i64(t->g, result * dtype_info[a->acc->dtype].bits / 8));
}

void tile_store_part(struct tile *t) {
    struct gen *g = t->g;
    LLVMValueRef part = multiply(g, t->own.part, t->each), first[MAX_ACCS];
    LLVMBasicBlockRef after = begin_if(g, t->leads);
    find_partials(t, part, first);
    for (int i = 0; i < t->per[0]; i++)
        for (int j = 0; j < t->per[1]; j++) {
            int n = 0;
            for (const struct pacc *a = t->tiling->shape.accs; a != NULL; a = a->next, n++) {
                LLVMValueRef v =
                    LLVMBuildLoad2(g->b, gen_type(g, a->acc->dtype), t->acc[n][i][j], "");
                LLVMBuildStore(g->b, v, partial_at(t, a, first[n], i, j));
            }
        }
    end_if(g, after);
}

/* Joins the accs of the team's parts, in their order, to what accs begin with: those of a thread's
 * rows from `row` on. */
static void join_rows(struct tile *t, int row, int rows) {
    struct gen *g = t->g;
    LLVMValueRef partials[MAX_ACCS], first = multiply(g, t->own.part, t->each), apart = t->apart,
                                     end = least(g, add(g, first, t->each), t->parts);
    if (!t->alone) {
        LLVMValueRef own = multiply(g, t->apart, t->team_number);
        first = gen_select(g, t->gathers, add(g, first, own), first);
        apart =
            multiply(g, apart, gen_select(g, t->gathers, i32(g, (uint32_t)t->teams), i32(g, 1)));
    }
    struct loop l;
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], end));
    l.keep = true;
    find_partials(t, l.phi[0], partials);
    for (int i = row; i < row + rows; i++)
        for (int j = 0; j < t->per[1]; j++) {
            int n = 0;
            tile_select_accs(t, i, j);
            for (const struct pacc *a = t->tiling->shape.accs; a != NULL; a = a->next, n++) {
                LLVMValueRef at = partial_at(t, a, partials[n], i, j);
                LLVMBuildStore(g->b, LLVMBuildLoad2(g->b, gen_type(g, a->acc->dtype), at, ""),
                               var_of(g, a->other)->slot);
            }
            gen_stmts(g, t->tiling->shape.joined);
        }
    LLVMValueRef next = add(g, l.phi[0], apart);
    loop_end(g, &l, &next);
}

/* All rows at once, or as many at a time as registers hold a part of beside the accs: ptxas loads
 * all that a loop's iteration joins before it joins any of it. */
void tile_join_parts(struct tile *t) {
    int rows = t->per[0];
    while (rows % 2 == 0 && rows * t->per[1] * tile_accs_bits(t) > MAX_PER * MAX_PER * 32)
        rows /= 2;
    for (int row = 0; row < t->per[0]; row += rows)
        join_rows(t, row, rows);
}

/* Joins result i, j with what `other` gives of each of its accs. */
static void join_result(struct tile *t, int i, int j,
                        LLVMValueRef (*other)(struct tile *t, const struct pacc *a, int n, int i,
                                              int j, LLVMValueRef arg),
                        LLVMValueRef arg) {
    struct gen *g = t->g;
    int n = 0;
    tile_select_accs(t, i, j);
    for (const struct pacc *a = t->tiling->shape.accs; a != NULL; a = a->next, n++)
        LLVMBuildStore(g->b, other(t, a, n, i, j, arg), var_of(g, a->other)->slot);
    gen_stmts(g, t->tiling->shape.joined);
}

static LLVMValueRef acc_of_lane(struct tile *t, const struct pacc *a, int n, int i, int j,
                                LLVMValueRef by) {
    struct gen *g = t->g;
    LLVMValueRef v = LLVMBuildLoad2(g->b, gen_type(g, a->acc->dtype), t->acc[n][i][j], "");
    return gen_shuffle(g, SHUFFLE_ACROSS, i32(g, UINT32_MAX), v, by);
}

/* Lane by lane bit in which threads differ that share steps. */
void tile_join_sharers(struct tile *t) {
    struct gen *g = t->g;
    LLVMValueRef first = i32(g, SHARERS_COLUMN);
    struct loop l;
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntULE, l.phi[0], t->mates));
    LLVMBasicBlockRef after = begin_if(g, is_set(g, both(g, l.phi[0], t->mates)));
    for (int i = 0; i < t->per[0]; i++)
        for (int j = 0; j < t->per[1]; j++)
            join_result(t, i, j, acc_of_lane, l.phi[0]);
    end_if(g, after);
    LLVMValueRef next = LLVMBuildShl(g->b, l.phi[0], i32(g, 1), "");
    loop_end(g, &l, &next);
}

/* The address in shared memory of acc n of result i, j of thread `at` (i32) of half of the block:
 * neighbouring threads have neighbours.  The constant comes last, for accesses to hold it: in one
 * sum with the thread's it would become an `or`, and each address take registers. */
static LLVMValueRef gathered_at(struct tile *t, const struct pacc *a, int i, int j,
                                LLVMValueRef at) {
    struct gen *g = t->g;
    unsigned half = (unsigned)(t->teams / 2 * t->team), before = 0;
    unsigned bytes = (unsigned)dtype_info[a->acc->dtype].bits / 8;
    for (const struct pacc *b = t->tiling->shape.accs; b != a; b = b->next)
        before += (unsigned)dtype_info[b->acc->dtype].bits / 8;
    before *= half * (unsigned)(t->per[0] * t->per[1]);
    before += (unsigned)(i * t->per[1] + j) * half * bytes;
    LLVMValueRef own = at_byte(g, t->first_shared, multiply(g, at, i32(g, bytes)));
    return at_byte(g, own, i32(g, before));
}

static LLVMValueRef acc_of_team(struct tile *t, const struct pacc *a, int n, int i, int j,
                                LLVMValueRef at) {
    (void)n;
    return LLVMBuildLoad2(t->g->b, gen_type(t->g, a->acc->dtype), gathered_at(t, a, i, j, at), "");
}

/* Puts the thread's accs where thread `at` of another team finds them. */
static void put_gathered(struct tile *t, LLVMValueRef at) {
    struct gen *g = t->g;
    for (int i = 0; i < t->per[0]; i++)
        for (int j = 0; j < t->per[1]; j++) {
            int n = 0;
            for (const struct pacc *a = t->tiling->shape.accs; a != NULL; a = a->next, n++)
                LLVMBuildStore(
                    g->b, LLVMBuildLoad2(g->b, gen_type(g, a->acc->dtype), t->acc[n][i][j], ""),
                    gathered_at(t, a, i, j, at));
        }
}

unsigned tile_gathered_bytes(const struct tile *t) {
    return (unsigned)(t->teams / 2 * t->size[0] * t->size[1] * tile_accs_bits(t) / 8);
}

/* In rounds, in each of which the first half of the teams joins what the others have. */
void tile_gather(struct tile *t) {
    struct gen *g = t->g;
    LLVMValueRef team = i32(g, (uint32_t)t->team), tid = t->tid,
                 half = i32(g, (uint32_t)(t->teams / 2 * t->team));
    LLVMBasicBlockRef gathered = begin_large_if(g, t->gathers);
    struct loop l;
    loop_begin(g, &l, 1, &half);
    loop_while(g, &l, compare(g, LLVMIntUGE, l.phi[0], team));
    LLVMValueRef other = subtract(g, tid, l.phi[0]);
    gpu(g)->barrier(g);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntULT, other, l.phi[0]));
    put_gathered(t, other);
    end_if(g, after);
    gpu(g)->barrier(g);
    after = begin_if(g, compare(g, LLVMIntULT, tid, l.phi[0]));
    for (int i = 0; i < t->per[0]; i++)
        for (int j = 0; j < t->per[1]; j++)
            join_result(t, i, j, acc_of_team, tid);
    end_if(g, after);
    LLVMValueRef next = LLVMBuildLShr(g->b, l.phi[0], i32(g, 1), "");
    loop_end(g, &l, &next);
    gpu(g)->barrier(g);
    end_if(g, gathered);
    t->own.exists = both(g, t->own.exists, t->leads);
    t->crew.exists = both(g, t->crew.exists, t->leads);
}
