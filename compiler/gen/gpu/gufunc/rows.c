/* rows.c: what an ordered loop accesses of the rows of a warp's calls, in stages of several
 * chunks, by way of shared memory.
 *
 * Thread t of a warp has row t; where calls are few, the first WARP / group threads have rows, and
 * the others help to copy stages that are `group` times as long.  While a stage is computed with,
 * which is in shared memory, the next one is on its way to registers.  In a warp that runs the loop
 * together neighbouring threads load and store neighbouring elements, or pieces of up to 16 bytes
 * where all rows are aligned; of other layouts each thread loads and stores its own.  A thread has
 * its rows in shared memory PITCH bytes behind those of the thread before, so that the pieces that
 * they access at a time are in different banks.  A row may have several elements an iteration, side
 * by side, which need not be a power of two. */
#include "gufunc.h"

enum { MAX_PIECE = 16, PITCH = UFC_ROW_PITCH };
_Static_assert(PITCH == STAGE_BYTES + MAX_PIECE, "a row is a stage and a piece");

/* ---- which loops */

static enum walk find_leave(const struct pstmt *s, void *target) {
    return s->kind == PS_LEAVE && s->target == target ? WALK_STOP : WALK_IN;
}

/* Whether threads leave s one by one. */
static bool is_left(const struct pstmt *s) {
    return !plan_walk(s->body, &(struct plan_visitor){.stmt = find_leave}, (void *)s);
}

/* Whether all of a warp's threads come to the loop, which is in the list or in statements inside,
 * and for as many iterations. */
static bool runs_together(const struct varying *v, const struct pstmt *list,
                          const struct pstmt *loop) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        bool same = !value_varies(v, s->value) && !value_varies(v, s->lo) &&
                    !value_varies(v, s->hi) && !value_varies(v, s->step);
        bool enters = s->kind == PS_EACH || (same && s->kind == PS_IF) ||
                      (same && s->kind == PS_FOR && !is_left(s));
        if (s == loop)
            return same;
        if (enters && (runs_together(v, s->body, loop) || runs_together(v, s->other, loop)))
            return true;
    }
    return false;
}

static enum walk find_any_leave(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_LEAVE ? WALK_STOP : WALK_IN;
}

static bool run_together(struct gen *g, const struct pstmt *loop) {
    const struct threads *t = g->threads;
    return !t->alone &&
           plan_walk(loop->body, &(struct plan_visitor){.stmt = find_any_leave}, NULL) &&
           runs_together(t->calls, g->plan->body, loop);
}

static LLVMValueRef rows_of_warp(struct gen *g) {
    return g->threads->rows != NULL ? g->threads->rows : i32(g, WARP);
}

static LLVMValueRef has_row(struct gen *g) {
    return g->threads->has_row;
}

static bool loads_directly(struct gen *g) {
    return g->threads->kind == UFC_KERNEL_LONE;
}

static LLVMValueRef stretch(struct gen *g) {
    return g->threads->rows != NULL ? g->threads->group : i32(g, 1);
}

/* The thread's row among the warp's, or that of which it is a helper. */
static LLVMValueRef own_row(struct gen *g) {
    LLVMValueRef last = subtract(g, rows_of_warp(g), i32(g, 1));
    return LLVMBuildAnd(g->b, g->threads->tid, last, "");
}

static LLVMValueRef all_run(struct gen *g) {
    const struct threads *t = g->threads;
    LLVMValueRef first = LLVMBuildSub(g->b, t->call, extended(g, own_row(g)), "");
    LLVMValueRef end = add(g, first, extended(g, rows_of_warp(g)));
    return compare(g, LLVMIntSLE, end, param_i64(g, PARAM(calls)));
}

static LLVMValueRef all_lanes(struct gen *g) {
    return i32(g, UINT32_MAX);
}

static LLVMValueRef of_first(struct gen *g, LLVMValueRef v) {
    return gen_shuffle(g, SHUFFLE_FROM, all_lanes(g), v, i32(g, 0));
}

static LLVMValueRef of_row(struct gen *g, LLVMValueRef pointer) {
    LLVMValueRef at = LLVMBuildPtrToInt(g->b, pointer, i64_type(g), "");
    at = gen_shuffle(g, SHUFFLE_FROM, all_lanes(g), at, own_row(g));
    return LLVMBuildIntToPtr(g->b, at, LLVMTypeOf(pointer), "");
}

static void meet(struct gen *g) {
    gpu(g)->warp_barrier(g, all_lanes(g));
}

static LLVMValueRef in_all(struct gen *g, LLVMValueRef v) {
    v = LLVMBuildZExt(g->b, v, i32_type(g), "");
    for (uint32_t by = WARP / 2; by > 0; by /= 2)
        v = both(g, v, gen_shuffle(g, SHUFFLE_ACROSS, all_lanes(g), v, i32(g, by)));
    return is_set(g, v);
}

/* Finds the spacing of the rows from the first one's address and the thread's own. */
static LLVMValueRef find_spacing(struct gen *g, struct row_stage *r, LLVMValueRef own) {
    own = LLVMBuildPtrToInt(g->b, own, i64_type(g), "");
    LLVMValueRef first = of_first(g, own);
    LLVMValueRef second = gen_shuffle(g, SHUFFLE_FROM, all_lanes(g), own, i32(g, 1));
    r->spacing = subtract(g, second, first);
    LLVMValueRef evenly = multiply(g, extended(g, own_row(g)), r->spacing);
    return in_all(g, compare(g, LLVMIntEQ, subtract(g, own, first), evenly));
}

static LLVMValueRef gaps(struct gen *g, const struct pval *place) {
    for (int i = 0; i < place->nargs; i++)
        if (value_varies(g->threads->calls, place->args[i]))
            return NULL;
    return gufunc_stride_bits(g, place->operand);
}

/* ---- pieces */

static unsigned element_bytes(const struct row_stage *r) {
    return (unsigned)dtype_info[r->place->dtype].bits / 8;
}

/* Bytes of a piece of a thread's own: of an aligned one, which is within a chunk. */
static unsigned piece_bytes(const struct row_stage *r) {
    unsigned chunk = element_bytes(r) * (unsigned)r->size, power = chunk & -chunk;
    return power < MAX_PIECE ? power : MAX_PIECE;
}

/* Elements of a piece that all of a warp's threads copy. */
static unsigned piece_elements(const struct row_stage *r) {
    return piece_bytes(r) / element_bytes(r);
}

static LLVMValueRef load(struct gen *g, LLVMTypeRef type, LLVMValueRef at, unsigned bytes) {
    LLVMValueRef v = LLVMBuildLoad2(g->b, type, at, "");
    LLVMSetAlignment(v, bytes);
    return v;
}

static void store(struct gen *g, LLVMValueRef v, LLVMValueRef at, unsigned bytes) {
    LLVMSetAlignment(LLVMBuildStore(g->b, v, at), bytes);
}

static LLVMTypeRef element_type(struct gen *g, const struct row_stage *r) {
    return gen_memory_type(g, r->place->dtype);
}

static LLVMValueRef lane(struct gen *g) {
    return lane_of(g, g->threads->tid);
}

/* v, or `other` where each thread copies its own row. */
static LLVMValueRef by_warp(struct gen *g, const struct row_stage *r, LLVMValueRef v,
                            LLVMValueRef other) {
    return r->rows == NULL ? other : gen_select(g, r->rows, v, other);
}

static LLVMValueRef within(struct gen *g, LLVMValueRef v, LLVMValueRef lo, LLVMValueRef last) {
    v = least(g, v, last);
    return gen_select(g, compare(g, LLVMIntSLT, v, lo), lo, v);
}

static LLVMValueRef stretch_of(struct gen *g, const struct row_stage *r) {
    return r->stretch != NULL ? r->stretch : i32(g, 1);
}

/* The row number `row`, i32, of the warp's in shared memory. */
static LLVMValueRef shared_row(struct gen *g, const struct row_stage *r, LLVMValueRef row,
                               LLVMValueRef stretched) {
    const struct threads *t = g->threads;
    LLVMValueRef warp = multiply(g, warp_of(g, t->tid), i32(g, WARP * PITCH));
    LLVMValueRef at = add(g, multiply(g, row, i32(g, PITCH)), i32(g, r->shared));
    return at_byte(g, t->shared, add(g, warp, multiply(g, at, stretched)));
}

/* ---- by all threads of the warp */

/* Pieces of a stage that a thread copies, one in each step j < n: of row first + j * rows, for
 * `across` steps, in which the warp copies as many pieces of each row, and then of those behind
 * them; or of the first row alone, where each row has threads of its own. */
struct steps {
    unsigned bytes, n, across;
    unsigned pitch; /* bytes from step to step in shared memory, where rows change */
    LLVMValueRef rows, column, first; /* i32 */
    LLVMValueRef columns; /* from step to step, where the row does not change, i32; else NULL */
};

/* Where stages are stretched, as many threads have a row as it is longer. */
static struct steps find_steps(struct gen *g, const struct row_stage *r, unsigned bytes) {
    struct steps s = {.bytes = bytes, .n = (unsigned)r->elements * element_bytes(r) / bytes};
    s.across = s.n & -s.n;
    LLVMValueRef across = i32(g, s.across), shift = i32(g, (unsigned)__builtin_ctz(s.n));
    if (bytes > element_bytes(r) && g->threads->rows != NULL) {
        s.columns = across = stretch_of(g, r);
        shift = trailing_zeros(g, across);
    }
    s.pitch = WARP / s.across * PITCH;
    s.rows = LLVMBuildLShr(g->b, i32(g, WARP), shift, "");
    s.column = LLVMBuildAnd(g->b, lane(g), subtract(g, across, i32(g, 1)), "");
    s.first = LLVMBuildLShr(g->b, lane(g), shift, "");
    return s;
}

/* The thread's column in step j; in the part the one that is nearest to it, unless that is NULL. */
static LLVMValueRef column_of(struct gen *g, const struct row_stage *r, const struct steps *s,
                              const struct stage_part *part, unsigned j) {
    LLVMValueRef column = s->column, per = i32(g, s->bytes / element_bytes(r));
    if (s->columns != NULL)
        column = add(g, column, multiply(g, s->columns, i32(g, j)));
    else
        column = add(g, column, i32(g, j / s->across * s->across));
    if (part == NULL)
        return column;
    LLVMValueRef last = subtract(g, LLVMBuildUDiv(g->b, part->end, per, ""), i32(g, 1));
    return within(g, column, LLVMBuildUDiv(g->b, part->lo, per, ""), last);
}

/* The address in memory of the thread's piece of its first row, at a column. */
static LLVMValueRef first_place(struct gen *g, const struct row_stage *r, const struct steps *s,
                                const struct stage_part *part, LLVMValueRef column) {
    LLVMValueRef up = LLVMBuildSExt(g->b, subtract(g, s->first, own_row(g)), i64_type(g), "");
    LLVMValueRef row = at_byte(g, part->lowest, multiply(g, up, r->spacing));
    return at_byte(g, row, extended(g, multiply(g, column, i32(g, s->bytes))));
}

/* The same of step j; before: that of the step before, for j > 0. */
static LLVMValueRef place_of(struct gen *g, const struct row_stage *r, const struct steps *s,
                             const struct stage_part *part, unsigned j, LLVMValueRef before) {
    if (j % s->across == 0 || s->columns != NULL)
        return first_place(g, r, s, part, column_of(g, r, s, part, j));
    return at_byte(g, before, multiply(g, r->spacing, extended(g, s->rows)));
}

static unsigned iteration_bytes(const struct row_stage *r) {
    return (unsigned)r->count * element_bytes(r);
}

/* The part as it would be if all rows began with the same iteration. */
static struct stage_part without_skew(struct gen *g, const struct row_stage *r,
                                      const struct stage_part *part) {
    LLVMValueRef by = multiply(g, extended(g, r->skew), i64(g, iteration_bytes(r)));
    LLVMValueRef lowest = at_byte(g, part->lowest, LLVMBuildNeg(g->b, by, ""));
    return (struct stage_part){lowest, part->lo, part->end};
}

/* Where the thread's piece of step j is, which would be at `at` without skews: its row's is found
 * from the address, as ahead_of does, since registers would keep those of all rows. */
static LLVMValueRef skewed_place(struct gen *g, const struct row_stage *r, const struct steps *s,
                                 const struct stage_part *part, unsigned j, LLVMValueRef at) {
    unsigned shift = (unsigned)__builtin_ctz((unsigned)r->count),
             size = (unsigned)(r->size / r->count);
    LLVMValueRef column = multiply(g, column_of(g, r, s, part, j), i32(g, s->bytes));
    LLVMValueRef low = LLVMBuildPtrToInt(g->b, at, i64_type(g), "");
    low = subtract(g, LLVMBuildTrunc(g->b, low, i32_type(g), ""), column);
    low = LLVMBuildUDiv(g->b, low, i32(g, element_bytes(r) << shift), "");
    LLVMValueRef skew = multiply(g, low, i32(g, -((uint32_t)r->count >> shift)));
    skew = LLVMBuildAnd(g->b, skew, i32(g, (size >> shift) - 1), "");
    return at_byte(g, at, extended(g, multiply(g, skew, i32(g, iteration_bytes(r)))));
}

/* The thread's piece of step j in shared memory. */
static LLVMValueRef shared_place(struct gen *g, const struct row_stage *r, const struct steps *s,
                                 const struct stage_part *part, unsigned j) {
    LLVMValueRef stretched = s->columns != NULL ? s->columns : i32(g, 1);
    LLVMValueRef column = multiply(g, column_of(g, r, s, part, j), i32(g, s->bytes));
    LLVMValueRef at = at_byte(g, shared_row(g, r, s->first, stretched), column);
    return s->columns != NULL ? at : at_byte(g, at, i64(g, (uint64_t)(j % s->across) * s->pitch));
}

/* Threads beside the part store what the nearest one in it does. */
static void store_rows(struct gen *g, const struct row_stage *r, unsigned bytes, bool skewed,
                       const struct stage_part *part) {
    const struct steps s = find_steps(g, r, bytes);
    struct stage_part from = skewed ? without_skew(g, r, part) : *part;
    LLVMValueRef to = NULL;
    LLVMTypeRef type = element_type(g, r);
    if (bytes > element_bytes(r))
        type = LLVMVectorType(type, bytes / element_bytes(r));
    for (unsigned j = 0; j < s.n; j++) {
        LLVMValueRef v = load(g, type, shared_place(g, r, &s, part, j), bytes);
        to = place_of(g, r, &s, &from, j, to);
        store(g, v, skewed ? skewed_place(g, r, &s, part, j, to) : to, bytes);
    }
}

/* Loads n values of a part of what is late from the thread's piece of step j of row r. */
static LLVMValueRef late_piece(struct gen *g, const struct row_stage *r, const struct steps *s,
                               const struct row_stage *part, LLVMValueRef column, unsigned n) {
    unsigned bytes = n * element_bytes(part);
    LLVMValueRef row = shared_row(g, part, s->first, stretch_of(g, r));
    LLVMTypeRef type = LLVMVectorType(element_type(g, part), n);
    return load(g, type, at_byte(g, row, multiply(g, column, i32(g, bytes))),
                bytes < MAX_PIECE ? bytes : MAX_PIECE);
}

/* The value that is stored, of element i of the pieces. */
static LLVMValueRef late_value(struct gen *g, const struct late *late, LLVMValueRef const *piece,
                               unsigned i) {
    for (int k = 0; k < late->n; k++)
        var_of(g, late->part[k].row.place->var)->known =
            LLVMBuildExtractElement(g->b, piece[k], i32(g, i), "");
    LLVMValueRef v = gen_value(g, late->store->value);
    for (int k = 0; k < late->n; k++)
        var_of(g, late->part[k].row.place->var)->known = NULL;
    return v;
}

/* Each thread computes pieces of a row of its warp's, which is copied in pieces. */
static void put_late(struct gen *g, const struct row_stage *r, const struct late *late,
                     const struct stage_part *part) {
    const struct steps s = find_steps(g, r, piece_bytes(r));
    unsigned n = piece_elements(r);
    for (unsigned j = 0; j < s.n; j++) {
        LLVMValueRef column = column_of(g, r, &s, part, j), piece[MAX_LATE];
        LLVMValueRef all = LLVMGetUndef(LLVMVectorType(element_type(g, r), n));
        for (int k = 0; k < late->n; k++)
            piece[k] = late_piece(g, r, &s, &late->part[k].row, column, n);
        for (unsigned i = 0; i < n; i++)
            all = LLVMBuildInsertElement(g->b, all, late_value(g, late, piece, i), i32(g, i), "");
        store(g, all, first_place(g, r, &s, part, column), s.bytes);
    }
}

/* Begins what is done where rows are skewed.  Gives the block for where they are not; NULL: they
 * never are. */
static LLVMBasicBlockRef begin_skewed(struct gen *g, const struct row_stage *r) {
    if (r->skew == NULL)
        return NULL;
    LLVMBasicBlockRef skewed = gen_block(g, "skewed"), plain = gen_block(g, "plain");
    LLVMBuildCondBr(g->b, r->skewed, skewed, plain);
    gen_place(g, skewed);
    return plain;
}

static void put_back(struct gen *g, const struct row_stage *r, const struct stage_part *part) {
    LLVMBasicBlockRef pieces = gen_block(g, "pieces"), elements = gen_block(g, "elements"),
                      done = gen_block(g, "stored");
    LLVMBasicBlockRef after = begin_if(g, r->rows);
    LLVMBuildCondBr(g->b, r->vector, pieces, elements);
    gen_place(g, pieces);
    LLVMBasicBlockRef plain = begin_skewed(g, r);
    if (plain != NULL) {
        store_rows(g, r, piece_bytes(r), true, part);
        LLVMBuildBr(g->b, done);
        gen_place(g, plain);
    }
    store_rows(g, r, piece_bytes(r), false, part);
    LLVMBuildBr(g->b, done);
    gen_place(g, elements);
    store_rows(g, r, element_bytes(r), false, part);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    end_if(g, after);
}

/* ---- elements on their way */

/* Element j of those that a thread loads is its row's, or one of row first + j * rows: the same
 * instructions do both, so that registers are not copied while loads are under way.  An address is
 * the one before and a step: their multiples would be kept in registers.  Chunks beside the part
 * are loaded from the nearest one in it. */
static void fetch_elements(struct gen *g, const struct row_stage *r,
                           const struct stage_part *part) {
    const struct steps s = find_steps(g, r, element_bytes(r));
    LLVMValueRef first = part->lowest, step = r->stride, lo = part->lo;
    LLVMValueRef size = i32(g, (uint32_t)r->size), last = subtract(g, part->end, size);
    if (r->rows != NULL) {
        first = by_warp(g, r, place_of(g, r, &s, part, 0, NULL), first);
        step = by_warp(g, r, multiply(g, r->spacing, extended(g, s.rows)), step);
        lo = by_warp(g, r, i32(g, 0), lo);
        last = by_warp(g, r, subtract(g, i32(g, (uint32_t)r->elements), size), last);
    }
    for (int k = 0; k < r->elements; k += r->size) {
        LLVMValueRef chunk = within(g, i32(g, (uint32_t)k), lo, last);
        LLVMValueRef at = at_byte(g, first, multiply(g, extended(g, chunk), step));
        for (int i = k; i < k + r->size; i++) {
            LLVMValueRef v = load(g, element_type(g, r), at, element_bytes(r));
            gen_mark_constant(g, r->place, v);
            LLVMBuildStore(g->b, v, r->ahead[i]);
            at = at_byte(g, at, step);
        }
    }
}

/* The same of rows of several elements an iteration, by all of the warp's threads. */
static void fetch_rows(struct gen *g, const struct row_stage *r, const struct stage_part *part) {
    const struct steps s = find_steps(g, r, element_bytes(r));
    LLVMValueRef from = NULL;
    for (unsigned j = 0; j < s.n; j++) {
        from = place_of(g, r, &s, part, j, from);
        LLVMValueRef v = load(g, element_type(g, r), from, s.bytes);
        gen_mark_constant(g, r->place, v);
        LLVMBuildStore(g->b, v, r->ahead[j]);
    }
}

/* The same by each thread of its own row. */
static void fetch_own_steps(struct gen *g, const struct row_stage *r,
                            const struct stage_part *part) {
    LLVMValueRef count = i32(g, (uint32_t)r->count);
    LLVMValueRef last = subtract(g, part->end, i32(g, (uint32_t)r->size));
    for (int k = 0; k < r->elements; k += r->size) {
        LLVMValueRef chunk = within(g, i32(g, (uint32_t)k), part->lo, last);
        LLVMValueRef turn = extended(g, LLVMBuildUDiv(g->b, chunk, count, ""));
        LLVMValueRef at = at_byte(g, part->lowest, multiply(g, turn, r->stride));
        for (int i = 0; i < r->size; i++) {
            LLVMValueRef from = at_byte(g, at, r->beside[i % r->count]);
            LLVMValueRef v = load(g, element_type(g, r), from, element_bytes(r));
            gen_mark_constant(g, r->place, v);
            LLVMBuildStore(g->b, v, r->ahead[k + i]);
            if (i % r->count == r->count - 1)
                at = at_byte(g, at, r->stride);
        }
    }
}

/* The same in pieces: so many elements from j * piece_elements on are of row first + j * rows. */
static void fetch_pieces(struct gen *g, const struct row_stage *r, bool skewed,
                         const struct stage_part *part) {
    const struct steps s = find_steps(g, r, piece_bytes(r));
    unsigned n = piece_elements(r);
    LLVMTypeRef type = LLVMVectorType(element_type(g, r), n);
    struct stage_part plain = skewed ? without_skew(g, r, part) : *part;
    LLVMValueRef from = NULL;
    for (unsigned j = 0; j < s.n; j++) {
        from = place_of(g, r, &s, &plain, j, from);
        LLVMValueRef at = skewed ? skewed_place(g, r, &s, part, j, from) : from;
        LLVMValueRef v = load(g, type, at, s.bytes);
        gen_mark_constant(g, r->place, v);
        for (unsigned k = 0; k < n; k++)
            LLVMBuildStore(g->b, LLVMBuildExtractElement(g->b, v, i32(g, k), ""),
                           r->ahead[j * n + k]);
    }
}

/* The same of the thread's own row, where no rows are copied together: pieces beside the part are
 * the nearest one in it. */
static void fetch_own_pieces(struct gen *g, const struct row_stage *r,
                             const struct stage_part *part) {
    unsigned bytes = piece_bytes(r), n = piece_elements(r);
    LLVMTypeRef type = LLVMVectorType(element_type(g, r), n);
    LLVMValueRef last = subtract(g, part->end, i32(g, n)), size = i32(g, element_bytes(r));
    for (unsigned i = 0; i < (unsigned)r->elements; i += n) {
        LLVMValueRef first = multiply(g, within(g, i32(g, i), part->lo, last), size);
        LLVMValueRef v = load(g, type, at_byte(g, part->lowest, extended(g, first)), bytes);
        gen_mark_constant(g, r->place, v);
        for (unsigned k = 0; k < n; k++)
            LLVMBuildStore(g->b, LLVMBuildExtractElement(g->b, v, i32(g, k), ""), r->ahead[i + k]);
    }
}

/* i1: the warp copies pieces. */
static LLVMValueRef by_pieces(struct gen *g, const struct row_stage *r) {
    if (r->rows == NULL || piece_elements(r) == 1)
        return LLVMConstNull(i1_type(g));
    return both(g, r->rows, r->vector);
}

/* Where a warp has helpers, its threads copy pieces together, or each its own row's elements. */
static LLVMBasicBlockRef begin_own(struct gen *g) {
    return has_row(g) != NULL ? begin_if(g, has_row(g)) : NULL;
}

static void end_own(struct gen *g, LLVMBasicBlockRef after) {
    if (after != NULL)
        end_if(g, after);
}

static LLVMValueRef by_rows(struct gen *g, const struct row_stage *r) {
    return r->rows != NULL ? r->rows : LLVMConstNull(i1_type(g));
}

/* An element at a time, of rows of several elements an iteration. */
static void fetch_several(struct gen *g, const struct row_stage *r, const struct stage_part *part) {
    LLVMBasicBlockRef rows = gen_block(g, "rows"), own = gen_block(g, "own"),
                      done = gen_block(g, "fetched");
    LLVMBuildCondBr(g->b, by_rows(g, r), rows, own);
    gen_place(g, rows);
    if (r->rows != NULL)
        fetch_rows(g, r, part);
    LLVMBuildBr(g->b, done);
    gen_place(g, own);
    LLVMBasicBlockRef after = begin_own(g);
    fetch_own_steps(g, r, part);
    end_own(g, after);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

static void fetch_single(struct gen *g, const struct row_stage *r, const struct stage_part *part) {
    LLVMBasicBlockRef after = begin_own(g);
    fetch_elements(g, r, part);
    end_own(g, after);
}

static void fetch(struct gen *g, const struct row_stage *r, const struct stage_part *part) {
    LLVMBasicBlockRef pieces = gen_block(g, "pieces"), elements = gen_block(g, "elements"),
                      done = gen_block(g, "fetched");
    bool alone = r->rows == NULL && has_row(g) == NULL && piece_elements(r) > 1;
    LLVMBuildCondBr(g->b, alone ? r->vector : by_pieces(g, r), pieces, elements);
    gen_place(g, pieces);
    LLVMBasicBlockRef plain = begin_skewed(g, r);
    if (plain != NULL) {
        fetch_pieces(g, r, true, part);
        LLVMBuildBr(g->b, done);
        gen_place(g, plain);
    }
    if (alone)
        fetch_own_pieces(g, r, part);
    else if (r->rows != NULL)
        fetch_pieces(g, r, false, part);
    LLVMBuildBr(g->b, done);
    gen_place(g, elements);
    if (r->count > 1)
        fetch_several(g, r, part);
    else
        fetch_single(g, r, part);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* Nothing is on its way: registers need not keep what is in shared memory. */
static void forget(struct gen *g, const struct row_stage *r) {
    for (int i = 0; i < r->elements; i++)
        LLVMBuildStore(g->b, LLVMGetUndef(element_type(g, r)), r->ahead[i]);
}

static LLVMValueRef ahead(struct gen *g, const struct row_stage *r, int i) {
    return LLVMBuildLoad2(g->b, element_type(g, r), r->ahead[i], "");
}

static void deposit_rows(struct gen *g, const struct row_stage *r) {
    const struct steps s = find_steps(g, r, element_bytes(r));
    for (int j = 0; j < r->elements; j++)
        store(g, ahead(g, r, j), shared_place(g, r, &s, NULL, (unsigned)j), s.bytes);
}

/* The piece that begins with element i of those on their way. */
static LLVMValueRef piece_ahead(struct gen *g, const struct row_stage *r, int i) {
    unsigned n = piece_elements(r);
    LLVMValueRef v = LLVMGetUndef(LLVMVectorType(element_type(g, r), n));
    for (unsigned k = 0; k < n; k++)
        v = LLVMBuildInsertElement(g->b, v, ahead(g, r, i + (int)k), i32(g, k), "");
    return v;
}

static void deposit_pieces(struct gen *g, const struct row_stage *r) {
    const struct steps s = find_steps(g, r, piece_bytes(r));
    for (unsigned j = 0; j < s.n; j++)
        store(g, piece_ahead(g, r, (int)(j * piece_elements(r))), shared_place(g, r, &s, NULL, j),
              s.bytes);
}

static void deposit_own(struct gen *g, const struct row_stage *r) {
    LLVMBasicBlockRef after = begin_own(g);
    LLVMValueRef own = shared_row(g, r, own_row(g), i32(g, 1));
    for (int i = 0; i < r->elements; i += (int)piece_elements(r))
        store(g, piece_ahead(g, r, i), at_byte(g, own, i64(g, (uint64_t)i * element_bytes(r))),
              piece_bytes(r));
    end_own(g, after);
}

static void deposit(struct gen *g, const struct row_stage *r) {
    LLVMBasicBlockRef rows = gen_block(g, "rows"), own = gen_block(g, "own"),
                      pieces = gen_block(g, "pieces"), apart = gen_block(g, "apart"),
                      done = gen_block(g, "deposited");
    LLVMBuildCondBr(g->b, by_pieces(g, r), pieces, apart);
    gen_place(g, pieces);
    deposit_pieces(g, r);
    LLVMBuildBr(g->b, done);
    gen_place(g, apart);
    LLVMBuildCondBr(g->b, by_rows(g, r), rows, own);
    gen_place(g, rows);
    deposit_rows(g, r);
    LLVMBuildBr(g->b, done);
    gen_place(g, own);
    deposit_own(g, r);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    forget(g, r);
}

static void reserve(struct gen *g, struct row_stage *r) {
    r->ahead = NEWN(g->uc, LLVMValueRef, r->elements);
    for (int i = 0; i < r->elements; i++)
        r->ahead[i] = gen_alloca(g, element_type(g, r), "ahead");
}

/* ---- a thread's chunk */

static void copy_chunk(struct gen *g, const struct row_stage *r, LLVMValueRef from,
                       LLVMValueRef to) {
    unsigned bytes = piece_bytes(r), all = element_bytes(r) * (unsigned)r->size;
    LLVMTypeRef type = LLVMVectorType(element_type(g, r), bytes / element_bytes(r));
    for (unsigned i = 0; i < all; i += bytes)
        store(g, load(g, type, at_byte(g, from, i64(g, i)), bytes), at_byte(g, to, i64(g, i)),
              bytes);
}

static LLVMValueRef shared_chunk(struct gen *g, const struct row_stage *r, LLVMValueRef at) {
    at = multiply(g, at, i32(g, element_bytes(r)));
    return at_byte(g, shared_row(g, r, own_row(g), stretch_of(g, r)), at);
}

static void take(struct gen *g, const struct row_stage *r, LLVMValueRef at, LLVMValueRef held) {
    copy_chunk(g, r, shared_chunk(g, r, at), held);
}

static void give(struct gen *g, const struct row_stage *r, LLVMValueRef at, LLVMValueRef held) {
    copy_chunk(g, r, held, shared_chunk(g, r, at));
}

static const struct row_sharing shared_rows = {
    false,    run_together, has_row,  loads_directly, stretch, of_row,  all_run,
    of_first, find_spacing, in_all,   meet,           gaps,    reserve, fetch,
    deposit,  forget,       put_back, put_late,       take,    give};

void share_same_row(struct gen *g) {
    static const struct row_sharing same = {.uniform = true};
    g->row_sharing = &same;
}

void share_rows(struct gen *g, struct threads *t) {
    t->calls = find_varying(g->uc, g->plan, LANES_CALLS, false);
    t->shared = shared_array(g, LLVMInt8TypeInContext(g->context),
                             kernel_info[t->kind].threads * PITCH, MAX_PIECE, "rows");
    g->row_sharing = &shared_rows;
}
