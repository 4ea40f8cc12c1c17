/* chunk.c: ordered loops in chunks.
 *
 * A thread that runs over a row, an element an iteration, leaves most of each 32 bytes that memory
 * moves for another access.  So the loop takes several iterations at once, with the elements that
 * they access in registers: loaded before, as vectors where they are neighbours and aligned, and
 * stored after.  Iterations before the first aligned element, and the last ones, go one by one.
 * Threads that run the loop together copy their chunks of neighbours together (g->row_sharing). */
#include "stream.h"

enum {
    MAX_CHUNK = 8,   /* iterations */
    FEW_STREAMS = 3, /* whose elements threads copy together */
};

static unsigned bytes_of(const struct stream *s) {
    return (unsigned)dtype_info[s->anchor->place->dtype].bits / 8;
}

/* Iterations whose elements fill CHUNK_BYTES. */
static int chunk_size(const struct chunk *c) {
    unsigned widest = CHUNK_BYTES / MAX_CHUNK;
    for (int k = 0; k < c->nstreams; k++)
        widest = bytes_of(&c->stream[k]) > widest ? bytes_of(&c->stream[k]) : widest;
    return (int)(CHUNK_BYTES / widest);
}

/* ---- elements of a chunk */

static LLVMValueRef element(struct gen *g, const struct stream *s, LLVMValueRef slots, int i) {
    return at_byte(g, slots, i64(g, (uint64_t)i * bytes_of(s)));
}

/* The slot of the anchor's element in iteration `turn` of the chunk, or before it; NULL: there is
 * none. */
static LLVMValueRef slot(struct gen *g, const struct chunk *c, const struct stream *s,
                         int64_t turn) {
    if (turn >= 0 && turn < c->size)
        return element(g, s, s->held, (int)(s->down ? c->size - 1 - turn : turn));
    return turn < 0 && turn >= -s->tail ? element(g, s, s->before, (int)turn + s->tail) : NULL;
}

LLVMValueRef chunk_slot(struct gen *g, const struct pval *place) {
    const struct chunk *c = g->chunk;
    struct access a = {.place = place};
    if (c == NULL || place->operand >= g->plan->noperands)
        return NULL;
    find_subscripts(g, c, &a);
    for (int k = 0; k < c->nstreams; k++)
        if (is_of_stream(&a, c->stream[k].anchor))
            return slot(g, c, &c->stream[k], c->turn - stream_lag(&c->stream[k], &a));
    return NULL;
}

/* Copies the chunk at `lowest` to its slots, or back, an element or 16 bytes at a time. */
static void copy(struct gen *g, const struct chunk *c, const struct stream *s, LLVMValueRef lowest,
                 bool load, bool vector) {
    const struct pval *place = s->anchor->place;
    LLVMTypeRef type = gen_memory_type(g, place->dtype);
    unsigned bytes = bytes_of(s), all = bytes * (unsigned)c->size,
             align = dtype_align(place->dtype);
    int per = 1;
    if (vector) {
        per = (int)((all < 16 ? all : 16) / bytes);
        type = LLVMVectorType(type, (unsigned)per);
        align = bytes * (unsigned)per;
    }
    for (int i = 0; i < c->size; i += per) {
        LLVMValueRef apart = vector ? i64(g, bytes) : s->stride;
        LLVMValueRef memory = at_byte(g, lowest, multiply(g, apart, i64(g, (uint64_t)i)));
        LLVMValueRef v = LLVMBuildLoad2(g->b, type, load ? memory : element(g, s, s->held, i), "");
        LLVMSetAlignment(v, align);
        if (load)
            gen_mark_constant(g, place, v);
        LLVMSetAlignment(LLVMBuildStore(g->b, v, load ? element(g, s, s->held, i) : memory), align);
    }
}

/* The address of the chunk's element that is lowest in memory, from an iteration on. */
static LLVMValueRef chunk_begin(struct gen *g, const struct chunk *c, const struct stream *s,
                                LLVMValueRef turn) {
    LLVMValueRef at = s->down ? add(g, turn, i64(g, (uint64_t)c->size - 1)) : turn;
    at = multiply(g, at, s->stride);
    return at_byte(g, s->first, s->down ? LLVMBuildNeg(g->b, at, "") : at);
}

static void move(struct gen *g, const struct chunk *c, const struct stream *s, LLVMValueRef turn,
                 bool load) {
    LLVMBasicBlockRef vectors = gen_block(g, "vectors"), elements = gen_block(g, "elements"),
                      done = gen_block(g, "moved");
    LLVMValueRef from = chunk_begin(g, c, s, turn);
    LLVMBuildCondBr(g->b, s->vector, vectors, elements);
    gen_place(g, vectors);
    copy(g, c, s, from, load, true);
    LLVMBuildBr(g->b, done);
    gen_place(g, elements);
    copy(g, c, s, from, load, false);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

static bool is_moved(const struct stream *s, bool load) {
    return load ? s->loaded : s->stored;
}

static void move_alone(struct gen *g, const struct chunk *c, LLVMValueRef turn, bool load) {
    for (int k = 0; k < c->nstreams; k++)
        if (is_moved(&c->stream[k], load))
            move(g, c, &c->stream[k], turn, load);
}

static void move_all(struct gen *g, const struct chunk *c, LLVMValueRef turn, bool load) {
    if (c->together == NULL) {
        move_alone(g, c, turn, load);
        return;
    }
    LLVMBasicBlockRef rows = gen_block(g, "together"), alone = gen_block(g, "alone"),
                      done = gen_block(g, "copied");
    struct row_chunk row[MAX_STREAMS];
    int n = 0;
    LLVMBuildCondBr(g->b, c->together, rows, alone);
    gen_place(g, rows);
    for (int k = 0; k < c->nstreams; k++) {
        const struct stream *s = &c->stream[k];
        if (is_moved(s, load))
            row[n++] = (struct row_chunk){s->anchor->place, chunk_begin(g, c, s, turn), s->held};
    }
    (load ? g->row_sharing->load : g->row_sharing->store)(g, row, n, c->size);
    LLVMBuildBr(g->b, done);
    gen_place(g, alone);
    move_alone(g, c, turn, load);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* ---- elements of iterations before a chunk */

/* The address of the anchor's element in an iteration. */
static LLVMValueRef anchor_at(struct gen *g, const struct stream *s, LLVMValueRef turn) {
    LLVMValueRef at = multiply(g, turn, s->stride);
    return at_byte(g, s->first, s->down ? LLVMBuildNeg(g->b, at, "") : at);
}

static void move_tail(struct gen *g, const struct chunk *c, const struct stream *s,
                      LLVMValueRef turn) {
    const struct pval *place = s->anchor->place;
    for (int i = -s->tail; i < 0; i++) {
        LLVMValueRef from = turn != NULL
                                ? anchor_at(g, s, add(g, turn, i64(g, (uint64_t)(int64_t)i)))
                                : slot(g, c, s, c->size + i);
        LLVMValueRef v = LLVMBuildLoad2(g->b, gen_memory_type(g, place->dtype), from, "");
        LLVMSetAlignment(v, dtype_align(place->dtype));
        LLVMSetAlignment(LLVMBuildStore(g->b, v, slot(g, c, s, i)), bytes_of(s));
    }
}

/* Loads the elements before the chunk from memory, unless the last iterations were a chunk. */
static void load_tails(struct gen *g, const struct chunk *c, LLVMValueRef turn,
                       LLVMValueRef after_chunk) {
    LLVMBasicBlockRef after = begin_if(g, gen_not(g, after_chunk));
    for (int k = 0; k < c->nstreams; k++)
        move_tail(g, c, &c->stream[k], turn);
    end_if(g, after);
}

/* How many iterations there are before a chunk's at least. */
static int most_guarded(const struct chunk *c) {
    int most = 0;
    for (int k = 0; k < c->nstreams; k++)
        if (c->stream[k].guarded && c->stream[k].tail > most)
            most = c->stream[k].tail;
    return most;
}

/* ---- the loop */

static void set_index(struct gen *g, const struct chunk *c, LLVMValueRef lo, LLVMValueRef turn) {
    LLVMValueRef i = add(g, lo, multiply(g, turn, i64(g, (uint64_t)c->step)));
    LLVMBuildStore(g->b, i, var_of(g, c->loop->var)->slot);
}

/* How many iterations come before the first chunk: those before an aligned element of the first
 * stream whose elements are neighbours. */
static LLVMValueRef begin_streams(struct gen *g, struct chunk *c, LLVMValueRef lo) {
    LLVMValueRef ahead = i64(g, 0), size = i64(g, (uint64_t)c->size);
    set_index(g, c, lo, i64(g, 0));
    for (int k = c->nstreams; k-- > 0;) {
        struct stream *s = &c->stream[k];
        s->stride = g->arrays[s->anchor->place->operand].stride[s->anchor->axis];
        s->first = gen_address(g, s->anchor->place);
        s->unit = compare(g, LLVMIntEQ, s->stride, i64(g, bytes_of(s)));
        LLVMValueRef at = LLVMBuildPtrToInt(g->b, s->first, i64_type(g), "");
        at = LLVMBuildUDiv(g->b, at, i64(g, bytes_of(s)), "");
        at = s->down ? add(g, at, i64(g, 1)) : LLVMBuildNeg(g->b, at, "");
        ahead = gen_select(g, s->unit, LLVMBuildURem(g->b, at, size, ""), ahead);
    }
    return ahead;
}

/* Finds which chunks are vectors. */
static void find_vectors(struct gen *g, struct chunk *c, LLVMValueRef ahead) {
    for (int k = 0; k < c->nstreams; k++) {
        struct stream *s = &c->stream[k];
        uint64_t bytes = (uint64_t)c->size * bytes_of(s), align = bytes < 16 ? bytes : 16;
        LLVMValueRef at = LLVMBuildPtrToInt(g->b, chunk_begin(g, c, s, ahead), i64_type(g), "");
        LLVMValueRef low = LLVMBuildAnd(g->b, at, i64(g, align - 1), "");
        s->vector = both(g, s->unit, compare(g, LLVMIntEQ, low, i64(g, 0)));
    }
}

/* Finds whether threads copy together, and then makes *ahead that of the first of them. */
static void find_together(struct gen *g, struct chunk *c, LLVMValueRef *ahead) {
    if (g->row_sharing == NULL || c->nstreams > FEW_STREAMS ||
        !g->row_sharing->run_together(g, c->loop))
        return;
    c->together = g->row_sharing->all_run(g);
    for (int k = 0; k < c->nstreams; k++)
        c->together = both(g, c->together, c->stream[k].unit);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b);
    LLVMBasicBlockRef after = begin_if(g, c->together);
    LLVMValueRef first = g->row_sharing->of_first(g, *ahead);
    LLVMBasicBlockRef behind = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    *ahead = phi2(g, before, *ahead, behind, first);
}

/* Prepares the streams, in the loops that are long enough for a chunk.  Gives how many iterations
 * come before the first. */
static LLVMValueRef prepare(struct gen *g, struct chunk *c, LLVMValueRef lo, LLVMValueRef n) {
    for (int k = 0; k < c->nstreams; k++) {
        LLVMTypeRef type = gen_memory_type(g, c->stream[k].anchor->place->dtype);
        c->stream[k].held = gen_alloca(g, LLVMArrayType2(type, (uint64_t)c->size), "held");
        LLVMSetAlignment(c->stream[k].held, 16);
        type = LLVMArrayType2(type, (uint64_t)c->stream[k].tail);
        c->stream[k].before = c->stream[k].tail ? gen_alloca(g, type, "before") : NULL;
    }
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntSGE, n, i64(g, (uint64_t)c->size)));
    LLVMValueRef ahead = begin_streams(g, c, lo);
    find_together(g, c, &ahead);
    LLVMValueRef early = compare(g, LLVMIntSLT, ahead, i64(g, (uint64_t)most_guarded(c)));
    ahead = gen_select(g, early, add(g, ahead, i64(g, (uint64_t)c->size)), ahead);
    find_vectors(g, c, ahead);
    LLVMBasicBlockRef behind = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    for (int k = 0; k < c->nstreams; k++) {
        LLVMValueRef *const of[] = {&c->stream[k].first, &c->stream[k].vector};
        for (int i = 0; i < 2; i++)
            *of[i] = phi2(g, before, LLVMConstNull(LLVMTypeOf(*of[i])), behind, *of[i]);
    }
    if (c->together != NULL)
        c->together = phi2(g, before, LLVMConstNull(i1_type(g)), behind, c->together);
    return phi2(g, before, i64(g, 0), behind, ahead);
}

static void gen_chunk(struct gen *g, struct chunk *c, LLVMValueRef lo, LLVMValueRef turn,
                      LLVMValueRef after_chunk) {
    int copies = g->copies;
    load_tails(g, c, turn, after_chunk);
    move_all(g, c, turn, true);
    g->chunk = c;
    g->copies = CHUNK_BODY;
    for (c->turn = 0; c->turn < c->size; c->turn++) {
        set_index(g, c, lo, add(g, turn, i64(g, (uint64_t)c->turn)));
        gen_stmts(g, c->loop->body);
    }
    g->chunk = NULL;
    g->copies = copies;
    for (int k = 0; k < c->nstreams; k++)
        move_tail(g, c, &c->stream[k], NULL);
    move_all(g, c, turn, false);
}

static void gen_loop(struct gen *g, struct chunk *c) {
    struct loop l;
    LLVMValueRef lo = gen_value(g, c->loop->lo), zero = i64(g, 0), size = i64(g, (uint64_t)c->size);
    LLVMValueRef n = gen_count(g, lo, gen_value(g, c->loop->hi), i64(g, (uint64_t)c->step));
    LLVMBasicBlockRef enter = begin_if(g, compare(g, LLVMIntSGT, n, zero));
    LLVMValueRef ahead = prepare(g, c, lo, n);
    LLVMValueRef first[] = {zero, LLVMConstNull(i1_type(g))};
    loop_begin(g, &l, 2, first);
    l.keep = true;
    LLVMValueRef turn = l.phi[0];
    loop_while(g, &l, compare(g, LLVMIntSLT, turn, n));
    LLVMBasicBlockRef chunk = gen_block(g, "chunk"), single = gen_block(g, "single"),
                      next = gen_block(g, "next");
    LLVMValueRef left = subtract(g, n, turn);
    LLVMValueRef whole =
        both(g, compare(g, LLVMIntSGE, turn, ahead), compare(g, LLVMIntSGE, left, size));
    LLVMBuildCondBr(g->b, whole, chunk, single);
    gen_place(g, chunk);
    gen_chunk(g, c, lo, turn, l.phi[1]);
    LLVMBasicBlockRef behind = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, next);
    gen_place(g, single);
    set_index(g, c, lo, turn);
    gen_stmts(g, c->loop->body);
    LLVMBasicBlockRef behind_one = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, next);
    gen_place(g, next);
    LLVMValueRef step = phi2(g, behind, size, behind_one, i64(g, 1));
    LLVMValueRef chunked = phi2(g, behind, LLVMConstAllOnes(i1_type(g)), behind_one, first[1]);
    loop_end(g, &l, (LLVMValueRef[]){add(g, turn, step), chunked});
    end_if(g, enter);
}

static enum walk find_variable(const struct pval *v, void *none) {
    (void)none;
    return v->kind == PV_VAR || v->kind == PV_ELEM ? WALK_STOP : WALK_IN;
}

/* Whether a loop is as long in all iterations around it: others are often short. */
static bool is_even(const struct pstmt *s) {
    return value_walk(s->lo, find_variable, NULL) && value_walk(s->hi, find_variable, NULL);
}

bool gen_in_chunks(struct gen *g, const struct pstmt *s, bool inner) {
    if (!g->in_chunks || g->lanes > 1 || g->chunk != NULL || (inner && !is_even(s)) ||
        g->sections.mentioned != NULL || gen_is_checked(s->body))
        return false;
    struct chunk *c = NEW(g->uc, struct chunk);
    if (!find_streams(g, c, s))
        return false;
    c->size = chunk_size(c);
    gen_loop(g, c);
    return true;
}
