/* rows.c: chunks of the rows of a warp's calls, copied by all of its threads by way of shared
 * memory.
 *
 * Thread t of a warp has row t.  In one step a row's elements go to as many neighbouring threads,
 * and several rows to a warp, so that what a step accesses in memory are few runs of neighbours;
 * the row's own thread has its element i in shared memory at row * pitch + i, with a pitch for
 * which the threads' accesses are in different banks. */
#include "gufunc.h"

enum { MAX_ROW_BYTES = CHUNK_BYTES, MAX_ELEMENT = 16, MAX_ROWS = 8, MAX_STEPS = 16 };

/* ---- which loops */

/* Whether all of a warp's threads come to the loop, which is in the list or in statements inside,
 * and for as many iterations. */
static bool runs_together(const struct varying *v, const struct pstmt *list,
                          const struct pstmt *loop) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        bool same = !value_varies(v, s->value) && !value_varies(v, s->lo) &&
                    !value_varies(v, s->hi) && !value_varies(v, s->step);
        bool enters = s->kind == PS_EACH || (same && (s->kind == PS_FOR || s->kind == PS_IF));
        if (s == loop)
            return same;
        if (enters && (runs_together(v, s->body, loop) || runs_together(v, s->other, loop)))
            return true;
    }
    return false;
}

static bool run_together(struct gen *g, const struct pstmt *loop) {
    return runs_together(g->threads->calls, g->plan->body, loop);
}

static LLVMValueRef all_run(struct gen *g) {
    const struct threads *t = g->threads;
    LLVMValueRef first = LLVMBuildSub(g->b, t->call, extended(g, lane_of(g, t->tid)), "");
    return compare(g, LLVMIntSLE, add(g, first, i64(g, WARP)), param_i64(g, PARAM(calls)));
}

static LLVMValueRef all_lanes(struct gen *g) {
    return i32(g, UINT32_MAX);
}

static LLVMValueRef of_first(struct gen *g, LLVMValueRef v) {
    return gen_shuffle(g, SHUFFLE_FROM, all_lanes(g), v, i32(g, 0));
}

/* ---- copies */

/* The elements that a thread copies in step j, for its warp: of row first + j * rows. */
struct step {
    LLVMTypeRef type;
    unsigned bytes;
    int size, rows;
    LLVMValueRef column, first, own; /* own: the thread's own row; i32, as the others */
    LLVMValueRef shared;             /* of the warp */
};

static struct step begin_steps(struct gen *g, const struct row_chunk *row, int size) {
    const struct threads *t = g->threads;
    struct step s = {.type = gen_memory_type(g, row->place->dtype), .size = size};
    s.bytes = (unsigned)dtype_info[row->place->dtype].bits / 8;
    s.rows = WARP / size;
    s.own = lane_of(g, t->tid);
    s.column = LLVMBuildAnd(g->b, s.own, i32(g, (uint32_t)size - 1), "");
    s.first = LLVMBuildUDiv(g->b, s.own, i32(g, (uint32_t)size), "");
    LLVMValueRef warp =
        multiply(g, warp_of(g, t->tid), i32(g, WARP * (MAX_ROW_BYTES + MAX_ELEMENT)));
    s.shared = at_byte(g, t->shared, warp);
    return s;
}

static LLVMValueRef row_of(struct gen *g, const struct step *s, int j) {
    return add(g, s->first, i32(g, (uint32_t)(j * s->rows)));
}

static LLVMValueRef place_in_memory(struct gen *g, const struct step *s,
                                    const struct row_chunk *row, int j) {
    LLVMValueRef lowest = LLVMBuildPtrToInt(g->b, row->lowest, i64_type(g), "");
    lowest = gen_shuffle(g, SHUFFLE_FROM, all_lanes(g), lowest, row_of(g, s, j));
    LLVMValueRef at = multiply(g, s->column, i32(g, s->bytes));
    return at_byte(g, global_pointer(g, lowest), extended(g, at));
}

static LLVMValueRef place_in_shared(struct gen *g, const struct step *s, LLVMValueRef row,
                                    LLVMValueRef column) {
    LLVMValueRef at = add(g, multiply(g, row, i32(g, (uint32_t)s->size + 1)), column);
    return at_byte(g, s->shared, multiply(g, at, i32(g, s->bytes)));
}

static LLVMValueRef load(struct gen *g, const struct step *s, LLVMValueRef at) {
    LLVMValueRef v = LLVMBuildLoad2(g->b, s->type, at, "");
    LLVMSetAlignment(v, s->bytes);
    return v;
}

static void store(struct gen *g, const struct step *s, LLVMValueRef v, LLVMValueRef at) {
    LLVMSetAlignment(LLVMBuildStore(g->b, v, at), s->bytes);
}

/* Copies the thread's own row from shared memory to its slots, or back. */
static void move_own(struct gen *g, const struct step *s, const struct row_chunk *row,
                     bool from_shared) {
    for (int i = 0; i < s->size; i++) {
        LLVMValueRef slot = at_byte(g, row->held, i64(g, (uint64_t)i * s->bytes));
        LLVMValueRef shared = place_in_shared(g, s, s->own, i32(g, (uint32_t)i));
        store(g, s, load(g, s, from_shared ? shared : slot), from_shared ? slot : shared);
    }
}

/* All rows' loads are under way before one is waited for. */
static void load_rows(struct gen *g, const struct row_chunk *row, int n, int size) {
    LLVMValueRef v[MAX_ROWS][MAX_STEPS];
    for (int k = 0; k < n; k++) {
        const struct step s = begin_steps(g, &row[k], size);
        for (int j = 0; j < size; j++) {
            v[k][j] = load(g, &s, place_in_memory(g, &s, &row[k], j));
            gen_mark_constant(g, row[k].place, v[k][j]);
        }
    }
    for (int k = 0; k < n; k++) {
        const struct step s = begin_steps(g, &row[k], size);
        for (int j = 0; j < size; j++)
            store(g, &s, v[k][j], place_in_shared(g, &s, row_of(g, &s, j), s.column));
        gpu(g)->warp_barrier(g, all_lanes(g));
        move_own(g, &s, &row[k], true);
        gpu(g)->warp_barrier(g, all_lanes(g));
    }
}

static void store_rows(struct gen *g, const struct row_chunk *row, int n, int size) {
    for (int k = 0; k < n; k++) {
        const struct step s = begin_steps(g, &row[k], size);
        move_own(g, &s, &row[k], false);
        gpu(g)->warp_barrier(g, all_lanes(g));
        for (int j = 0; j < size; j++) {
            LLVMValueRef v = load(g, &s, place_in_shared(g, &s, row_of(g, &s, j), s.column));
            store(g, &s, v, place_in_memory(g, &s, &row[k], j));
        }
        gpu(g)->warp_barrier(g, all_lanes(g));
    }
}

const struct row_sharing rows_of_warp = {run_together, all_run, of_first, load_rows, store_rows};

void share_rows(struct gen *g, struct threads *t) {
    unsigned warps = kernel_info[t->kind].threads / WARP;
    t->calls = find_varying(g->uc, g->plan, true);
    t->shared = shared_array(g, LLVMInt8TypeInContext(g->context),
                             warps * WARP * (MAX_ROW_BYTES + MAX_ELEMENT), 16, "rows");
    g->row_sharing = &rows_of_warp;
}
