/* chunk_rows.c: how the elements of chunks are copied: which are vectors, and whether a warp's
 * threads copy their rows together.
 *
 * Rows that are not all aligned alike, as those of an odd number of elements, would be copied an
 * element at a time, and stored as parts of sectors.  There each thread begins with chunks at the
 * first iteration from which its own row is aligned. */
#include "stream.h"

/* Finds whether a warp's threads, who run the loop together, copy their rows at `own` together. */
static void find_rows(struct gen *g, const struct chunk *c, struct stream *s, LLVMValueRef own) {
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), after = begin_if(g, c->together);
    LLVMValueRef even = g->row_sharing->find_spacing(g, &s->row, own);
    LLVMBasicBlockRef behind = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    s->row.spacing = phi2(g, before, i64(g, 0), behind, s->row.spacing);
    s->row.rows = both(g, s->unit, phi2(g, before, LLVMConstNull(i1_type(g)), behind, even));
}

/* Where threads that have no row help, all streams' rows are copied together, and in pieces, or
 * none are. */
static void stretch_stages(struct gen *g, struct chunk *c) {
    LLVMValueRef stretch = g->row_sharing->stretch(g), one = i32(g, 1);
    LLVMValueRef plain = compare(g, LLVMIntEQ, stretch, one), all = LLVMConstAllOnes(i1_type(g));
    for (int k = 0; k < c->nstreams; k++)
        if (has_row(c, k))
            all = both(g, all, both(g, c->stream[k].row.rows, c->stream[k].row.vector));
    stretch = gen_select(g, all, stretch, one);
    for (int k = 0; k < c->nstreams; k++) {
        struct row_stage *r = &c->stream[k].row;
        if (!has_row(c, k))
            continue;
        r->rows = gen_select(g, plain, r->rows, all);
        r->stretch = stretch;
    }
    c->length = multiply(g, c->length, stretch);
}

bool chunk_runs_together(struct gen *g, const struct pstmt *loop) {
    return g->unhelped == 0 && g->row_sharing->run_together(g, loop);
}

/* Threads that help to copy rows find these where those who have them do. */
static void find_helped(struct gen *g, struct chunk *c) {
    if (c->together == NULL || c->helped == NULL)
        return;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), after = begin_if(g, c->together);
    LLVMValueRef first[MAX_STREAMS];
    for (int k = 0; k < c->nstreams; k++)
        first[k] = g->row_sharing->of_row(g, c->stream[k].first);
    LLVMBasicBlockRef behind = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    for (int k = 0; k < c->nstreams; k++)
        c->stream[k].first = phi2(g, before, c->stream[k].first, behind, first[k]);
}

void find_together(struct gen *g, struct chunk *c, LLVMValueRef *ahead) {
    if (c->stage == 0 || !chunk_runs_together(g, c->loop))
        return;
    c->together = g->row_sharing->all_run(g);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b);
    LLVMBasicBlockRef after = begin_if(g, c->together);
    LLVMValueRef first = g->row_sharing->of_first(g, *ahead);
    LLVMBasicBlockRef behind = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    *ahead = phi2(g, before, *ahead, behind, first);
    find_helped(g, c);
}

/* ---- rows that are aligned each at an iteration of its own */

enum {
    SKEWED_BODY = 120, /* nodes of a body that has two more copies, at most, */
    SKEWED_ROWS = 2,   /* and rows: places of more take the registers of a block */
};

/* Whether the loop may have threads begin apart. */
static bool may_skew(struct gen *g, const struct chunk *c) {
    bool may = c->together != NULL && c->helped == NULL &&
               body_cost(c->loop->body, SKEWED_BODY) < SKEWED_BODY && chunk_is_stored(c);
    int rows = 0;
    for (int k = 0; k < c->nstreams; k++) {
        const struct stream *s = &c->stream[k];
        rows += has_row(c, k);
        may = may && !s->down && !s->guarded && s->late == NULL &&
              (!has_row(c, k) || (vector_bytes(c, s) > stream_bytes(s) &&
                                  g->row_sharing->gaps(g, s->anchor->place) != NULL));
    }
    return may && rows <= SKEWED_ROWS;
}

/* i1: all of the thread's rows are aligned from an iteration on. */
static LLVMValueRef are_aligned(struct gen *g, const struct chunk *c, LLVMValueRef own) {
    LLVMValueRef all = c->together;
    for (int k = 0; k < c->nstreams; k++) {
        const struct stream *s = &c->stream[k];
        if (!has_row(c, k))
            continue;
        LLVMValueRef at = row_lowest(g, s, own, i64(g, (uint64_t)c->size));
        LLVMValueRef low = LLVMBuildPtrToInt(g->b, at, i64_type(g), "");
        low = LLVMBuildAnd(g->b, low, i64(g, (uint64_t)vector_bytes(c, s) - 1), "");
        LLVMValueRef here = compare(g, LLVMIntEQ, ahead_of(g, c, s), own);
        here = both(g, here, gen_not(g, is_set(g, low)));
        all = both(g, all, both(g, both(g, s->unit, s->row.rows), here));
    }
    return all;
}

/* Sets c->skew and c->skewed, where the thread's rows are aligned from iteration `own` on.  Gives
 * how many iterations come before the first chunk behind these, `ahead` without a skew. */
static LLVMValueRef begin_apart(struct gen *g, struct chunk *c, LLVMValueRef own,
                                LLVMValueRef ahead) {
    LLVMValueRef none = LLVMConstNull(i1_type(g));
    if (!may_skew(g, c))
        return ahead;
    LLVMValueRef aligned = are_aligned(g, c, own), alike = compare(g, LLVMIntEQ, own, ahead);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), after = begin_if(g, c->together);
    LLVMValueRef skewed =
        both(g, g->row_sharing->in_all(g, aligned), gen_not(g, g->row_sharing->in_all(g, alike)));
    LLVMValueRef skew = gen_select(g, skewed, own, i64(g, 0));
    LLVMBasicBlockRef behind = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    c->skewed = phi2(g, before, none, behind, skewed);
    c->skew = phi2(g, before, i64(g, 0), behind, skew);
    for (int k = 0; k < c->nstreams; k++)
        if (has_row(c, k)) {
            struct stream *s = &c->stream[k];
            s->vector = LLVMBuildOr(g->b, s->vector, c->skewed, "");
            s->row.vector = LLVMBuildOr(g->b, s->row.vector, c->skewed, "");
            s->row.skewed = c->skewed;
            s->row.skew = LLVMBuildTrunc(g->b, c->skew, i32_type(g), "");
        }
    return gen_select(g, c->skewed, i64(g, 0), ahead);
}

LLVMValueRef find_chunk_rows(struct gen *g, struct chunk *c, LLVMValueRef own, LLVMValueRef ahead) {
    for (int k = 0; k < c->nstreams; k++) {
        struct stream *s = &c->stream[k];
        if (!has_row(c, k))
            continue;
        uint64_t align = vector_bytes(c, s);
        LLVMValueRef at_first = row_lowest(g, s, ahead, i64(g, (uint64_t)c->size));
        LLVMValueRef at = LLVMBuildPtrToInt(g->b, at_first, i64_type(g), "");
        LLVMValueRef gaps = c->alone ? NULL : g->row_sharing->gaps(g, s->anchor->place);
        if (gaps != NULL)
            at = LLVMBuildOr(g->b, at, gaps, "");
        LLVMValueRef low = LLVMBuildAnd(g->b, at, i64(g, align - 1), "");
        s->vector = both(g, s->unit, gen_not(g, is_set(g, low)));
        bool known = gaps != NULL || c->together == NULL; /* of all rows that a thread copies */
        s->row.vector = known ? s->vector : LLVMConstNull(i1_type(g));
        if (c->together != NULL)
            find_rows(g, c, s, at_first);
    }
    c->length = i32(g, (uint32_t)c->stage);
    if (c->together != NULL)
        stretch_stages(g, c);
    return begin_apart(g, c, own, ahead);
}
