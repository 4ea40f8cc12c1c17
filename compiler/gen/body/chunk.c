/* chunk.c: ordered loops in chunks.
 *
 * A thread that runs over a row, an element an iteration, leaves most of each 32 bytes that memory
 * moves for another access.  So the loop takes several iterations at once, with the elements that
 * they access in registers: loaded before, as vectors where they are neighbours and aligned, and
 * stored after.  Iterations before the first aligned element, and the last ones, go one by one.
 *
 * Several chunks are a stage, whose elements come by way of shared memory (g->row_sharing): loaded
 * while the stage before is computed, and, where threads run the loop together, by neighbouring
 * threads from neighbours in memory.  A loop over what neighbouring calls share has no need of
 * either: all threads load an element at once. */
#include "stream.h"

/* Iterations whose elements fill CHUNK_BYTES. */
static int chunk_size(const struct chunk *c) {
    unsigned widest = CHUNK_BYTES / MAX_CHUNK;
    for (int k = 0; k < c->nstreams; k++)
        widest = stream_bytes(&c->stream[k]) > widest ? stream_bytes(&c->stream[k]) : widest;
    return (int)(CHUNK_BYTES / widest);
}

/* ---- elements of a chunk */

static LLVMValueRef element(struct gen *g, const struct stream *s, LLVMValueRef slots, int i) {
    return at_byte(g, slots, i64(g, (uint64_t)i * stream_bytes(s)));
}

/* The slot of the stream's element number i of a chunk, in the order of memory. */
static LLVMValueRef held(struct gen *g, const struct chunk *c, const struct stream *s, int i) {
    return element(g, s, c->stream[s->head].held, i * s->count + s->at);
}

/* The slot of the anchor's element in iteration `turn` of the chunk, or before it; NULL: there is
 * none. */
static LLVMValueRef slot(struct gen *g, const struct chunk *c, const struct stream *s,
                         int64_t turn) {
    if (turn >= 0 && turn < c->size)
        return held(g, c, s, (int)(s->down ? c->size - 1 - turn : turn));
    return turn < 0 && turn >= -s->tail ? element(g, s, s->before, (int)turn + s->tail) : NULL;
}

LLVMValueRef chunk_slot(struct gen *g, const struct pval *place, bool *behind) {
    const struct chunk *c = g->chunk;
    struct access a = {.place = place};
    *behind = false;
    if (c == NULL || place->operand >= g->plan->noperands)
        return NULL;
    find_subscripts(g, c, &a);
    for (int k = 0; k < c->nstreams; k++)
        if (is_of_stream(&a, c->stream[k].anchor)) {
            int64_t turn = c->turn - stream_lag(&c->stream[k], &a);
            *behind = turn < 0;
            return slot(g, c, &c->stream[k], turn);
        }
    return NULL;
}

/* Copies `type` between memory and a slot of the stream's. */
static void copy(struct gen *g, const struct stream *s, LLVMTypeRef type, LLVMValueRef memory,
                 LLVMValueRef to, bool load, unsigned align) {
    LLVMValueRef v = LLVMBuildLoad2(g->b, type, load ? memory : to, "");
    LLVMSetAlignment(v, align);
    if (load)
        gen_mark_constant(g, s->anchor->place, v);
    LLVMSetAlignment(LLVMBuildStore(g->b, v, load ? to : memory), align);
}

/* Copies a row's chunk from iteration `turn` on to slots, or back, as vectors. */
static void copy_vectors(struct gen *g, const struct chunk *c, const struct stream *s,
                         LLVMValueRef turn, LLVMValueRef slots, bool load) {
    unsigned bytes = vector_bytes(c, s), per = bytes / stream_bytes(s);
    LLVMTypeRef type = LLVMVectorType(gen_memory_type(g, s->anchor->place->dtype), per);
    LLVMValueRef memory = row_lowest(g, s, turn, i64(g, (uint64_t)c->size));
    for (int i = 0; i < c->size * s->count; i += (int)per) {
        copy(g, s, type, memory, element(g, s, slots, i), load, bytes);
        memory = at_byte(g, memory, i64(g, bytes));
    }
}

/* The same of a stream of it, an element at a time. */
static void copy_elements(struct gen *g, const struct chunk *c, const struct stream *s,
                          LLVMValueRef turn, bool load) {
    enum ufc_dtype d = s->anchor->place->dtype;
    LLVMValueRef memory = stream_lowest(g, s, turn, i64(g, (uint64_t)c->size));
    for (int i = 0; i < c->size; i++) {
        copy(g, s, gen_memory_type(g, d), memory, held(g, c, s, i), load, dtype_align(d));
        memory = at_byte(g, memory, s->stride);
    }
}

static void move(struct gen *g, const struct chunk *c, const struct stream *s, LLVMValueRef turn,
                 bool load) {
    int head = s->head;
    LLVMBasicBlockRef vectors = gen_block(g, "vectors"), elements = gen_block(g, "elements"),
                      done = gen_block(g, "moved");
    LLVMBuildCondBr(g->b, s->vector, vectors, elements);
    gen_place(g, vectors);
    copy_vectors(g, c, s, turn, s->held, load);
    LLVMBuildBr(g->b, done);
    gen_place(g, elements);
    for (int k = head; k < c->nstreams; k++)
        if (c->stream[k].head == head)
            copy_elements(g, c, &c->stream[k], turn, load);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

static void move_taken(struct gen *g, const struct chunk *c, const struct stream *s) {
    LLVMTypeRef type = gen_memory_type(g, s->anchor->place->dtype);
    for (int i = 0; i < c->size * s->count; i++) {
        LLVMValueRef v = LLVMBuildLoad2(g->b, type, element(g, s, s->taken, i), "");
        LLVMSetAlignment(v, stream_bytes(s));
        LLVMSetAlignment(LLVMBuildStore(g->b, v, element(g, s, s->held, i)), stream_bytes(s));
    }
}

/* Copies a chunk's elements from shared memory: no load is under way but the next stage's, for
 * which the thread would wait; or, where they have been taken, from where those are. */
static void load_all(struct gen *g, const struct chunk *c, LLVMValueRef turn, LLVMValueRef at) {
    for (int k = 0; k < c->nstreams; k++) {
        const struct stream *s = &c->stream[k];
        if ((c->near || c->next != NULL) && s->taken != NULL)
            move_taken(g, c, s);
        else if (at != NULL && stage_has(c, k))
            g->row_sharing->take(g, &s->row, stage_chunk(g, c, s, at), s->held);
        else if (s->loaded && has_row(c, k))
            move(g, c, s, turn, true);
    }
}

/* Takes the chunk that begins with iteration `at` of the stage (i32), to be the next one. */
static void take_all(struct gen *g, const struct chunk *c, LLVMValueRef at) {
    for (int k = 0; k < c->nstreams; k++) {
        const struct stream *s = &c->stream[k];
        if (s->taken != NULL)
            g->row_sharing->take(g, &s->row, stage_chunk(g, c, s, at), s->taken);
    }
}

/* The same from memory, of threads that run along rows of their own. */
static void load_next(struct gen *g, const struct chunk *c) {
    for (int k = 0; c->next != NULL && k < c->nstreams; k++)
        if (c->stream[k].taken != NULL)
            copy_vectors(g, c, &c->stream[k], c->next, c->stream[k].taken, true);
}

static void give(struct gen *g, const struct chunk *c, const struct stream *s, LLVMValueRef at) {
    LLVMValueRef to = stage_chunk(g, c, s, at);
    if (s->late == NULL)
        g->row_sharing->give(g, &s->row, to, s->held);
    for (int i = 0; s->late != NULL && i < s->late->n; i++)
        g->row_sharing->give(g, &s->late->part[i].row, to, s->late->part[i].held);
}

/* Copies them to shared memory, or, where the warp does not store them together, to memory. */
static void store_stream(struct gen *g, const struct chunk *c, const struct stream *s,
                         LLVMValueRef turn, LLVMValueRef at) {
    if (c->near) {
        give(g, c, s, at);
        return;
    }
    if (s->row.rows == NULL || s->late != NULL) {
        move(g, c, s, turn, false);
        return;
    }
    LLVMBasicBlockRef staged = gen_block(g, "staged"), direct = gen_block(g, "direct"),
                      done = gen_block(g, "done");
    LLVMBuildCondBr(g->b, s->row.rows, staged, direct);
    gen_place(g, staged);
    g->row_sharing->give(g, &s->row, stage_chunk(g, c, s, at), s->held);
    LLVMBuildBr(g->b, done);
    gen_place(g, direct);
    move(g, c, s, turn, false);
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
        LLVMSetAlignment(LLVMBuildStore(g->b, v, slot(g, c, s, i)), stream_bytes(s));
    }
}

/* Loads the elements before the chunk from memory, unless the last iterations were a chunk. */
static void load_tails(struct gen *g, const struct chunk *c, LLVMValueRef turn,
                       LLVMValueRef after_chunk) {
    LLVMValueRef loads = gen_not(g, after_chunk);
    LLVMBasicBlockRef after = begin_if(g, c->helped != NULL ? both(g, loads, c->helped) : loads);
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

static void forget_row(struct gen *g, const struct chunk *c, int k) {
    if (stage_has(c, k))
        g->row_sharing->forget(g, &c->stream[k].row);
}

static enum walk count_innermost(const struct pstmt *s, void *n) {
    *(int *)n += (s->kind == PS_FOR || s->kind == PS_SPREAD) && !has_loop(s->body);
    return WALK_IN;
}

/* What a stage had on its way would live on, while other loops run, until the loop comes again.
 * Where no other loop needs the registers, ptxas is left to choose. */
static void forget_earlier(struct gen *g, const struct chunk *c, int k) {
    int loops = 0;
    plan_walk(g->plan->body, &(struct plan_visitor){.stmt = count_innermost}, &loops);
    if (loops > 1)
        forget_row(g, c, k);
}

/* Makes slots for the next chunk, unless those of other streams are all that registers are for. */
static void reserve_taken(struct gen *g, struct chunk *c, struct stream *s) {
    unsigned elements = (unsigned)(c->size * s->count),
             words = (elements * stream_bytes(s) + 3) / 4;
    if (c->taken_words + words > TAKEN_WORDS)
        return;
    c->taken_words += words;
    LLVMTypeRef type = gen_memory_type(g, s->anchor->place->dtype);
    s->taken = gen_alloca(g, LLVMArrayType2(type, elements), "taken");
    LLVMSetAlignment(s->taken, 16);
}

/* Makes the slots of what registers hold. */
static void reserve(struct gen *g, struct chunk *c, int k) {
    struct stream *s = &c->stream[k];
    LLVMTypeRef type = gen_memory_type(g, s->anchor->place->dtype);
    if (has_row(c, k)) {
        s->held = gen_alloca(g, LLVMArrayType2(type, (uint64_t)(c->size * s->count)), "held");
        LLVMSetAlignment(s->held, 16);
    }
    if ((c->helped != NULL && stage_has(c, k)) || (c->alone && has_row(c, k) && !s->stored))
        reserve_taken(g, c, s);
    for (int i = 0; s->late != NULL && i < s->late->n; i++) {
        LLVMTypeRef part = gen_memory_type(g, s->late->part[i].row.place->dtype);
        s->late->part[i].held = gen_alloca(g, LLVMArrayType2(part, (uint64_t)c->size), "late");
        LLVMSetAlignment(s->late->part[i].held, 16);
    }
    type = LLVMArrayType2(type, (uint64_t)s->tail);
    s->before = s->tail ? gen_alloca(g, type, "before") : NULL;
    if (stage_has(c, k))
        g->row_sharing->reserve(g, &s->row);
    forget_earlier(g, c, k);
}

/* What was found in one block alone is null behind another one. */
static void keep(struct gen *g, LLVMBasicBlockRef before, LLVMBasicBlockRef behind,
                 LLVMValueRef *v) {
    if (*v != NULL && !LLVMIsConstant(*v))
        *v = phi2(g, before, LLVMConstNull(LLVMTypeOf(*v)), behind, *v);
}

/* Prepares the streams, in the loops that are long enough for a chunk.  Gives how many iterations
 * come before the first. */
static LLVMValueRef prepare(struct gen *g, struct chunk *c, LLVMValueRef lo, LLVMValueRef n) {
    for (int k = 0; k < c->nstreams; k++)
        reserve(g, c, k);
    for (int k = 0; k < c->nstreams; k++)
        find_stride(g, &c->stream[k]);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntSGE, n, i64(g, (uint64_t)c->size)));
    set_index(g, c, lo, i64(g, 0));
    LLVMValueRef ahead = begin_streams(g, c);
    LLVMValueRef own = ahead;
    find_together(g, c, &ahead);
    LLVMValueRef early = compare(g, LLVMIntSLT, ahead, i64(g, (uint64_t)most_guarded(c)));
    ahead = gen_select(g, early, add(g, ahead, i64(g, (uint64_t)c->size)), ahead);
    ahead = find_chunk_rows(g, c, own, ahead);
    LLVMBasicBlockRef behind = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    for (int k = 0; k < c->nstreams; k++) {
        struct stream *s = &c->stream[k];
        LLVMValueRef *const of[] = {&s->first,       &s->vector,      &s->row.vector, &s->row.rows,
                                    &s->row.spacing, &s->row.stretch, &s->row.skewed, &s->row.skew};
        for (int i = 0; i < 8; i++)
            keep(g, before, behind, of[i]);
        for (int i = 0; s->row.beside != NULL && i < s->count; i++)
            keep(g, before, behind, &s->row.beside[i]);
        for (int i = 0; s->late != NULL && i < s->late->n; i++)
            s->late->part[i].row.stretch = s->row.stretch;
    }
    keep(g, before, behind, &c->skew);
    keep(g, before, behind, &c->skewed);
    if (!LLVMIsConstant(c->length))
        c->length = phi2(g, before, i32(g, 0), behind, c->length);
    if (c->together != NULL)
        c->together = phi2(g, before, LLVMConstNull(i1_type(g)), behind, c->together);
    return phi2(g, before, i64(g, 0), behind, ahead);
}

/* Begins what only threads that have a row run; NULL: all have. */
static LLVMBasicBlockRef begin_own(struct gen *g, const struct chunk *c) {
    g->unhelped += c->helped != NULL;
    return c->helped != NULL ? begin_if(g, c->helped) : NULL;
}

static void end_own(struct gen *g, LLVMBasicBlockRef after) {
    g->unhelped -= after != NULL;
    if (after != NULL)
        end_if(g, after);
}

/* at: its first iteration in the stage of `length` iterations, i32. */
static void gen_chunk(struct gen *g, struct chunk *c, LLVMValueRef lo, LLVMValueRef turn,
                      LLVMValueRef at, LLVMValueRef length) {
    int copies = g->copies;
    load_all(g, c, turn, at);
    if (c->near) {
        LLVMValueRef size = i32(g, (uint32_t)c->size);
        take_all(g, c, least(g, add(g, at, size), subtract(g, length, size)));
    }
    load_next(g, c);
    g->chunk = c;
    g->copies = g->chunk_body;
    for (c->turn = 0; c->turn < c->size; c->turn++) {
        set_index(g, c, lo, add(g, turn, i64(g, (uint64_t)c->turn)));
        gen_stmts(g, c->loop->body);
    }
    g->chunk = NULL;
    g->copies = copies;
    for (int k = 0; k < c->nstreams; k++)
        move_tail(g, c, &c->stream[k], NULL);
    for (int k = 0; k < c->nstreams; k++)
        if (c->stream[k].stored && has_row(c, k))
            store_stream(g, c, &c->stream[k], turn, at);
}

/* The stage's chunks; of `length` iterations, i32, at least one chunk. */
static void gen_stage_chunks(struct gen *g, struct chunk *c, LLVMValueRef lo, LLVMValueRef turn,
                             LLVMValueRef length) {
    struct loop l;
    LLVMValueRef size = i32(g, (uint32_t)c->size), first = i32(g, 0);
    if (c->near)
        take_all(g, c, first);
    loop_begin(g, &l, 1, &first);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], length));
    gen_chunk(g, c, lo, add(g, turn, extended(g, l.phi[0])), l.phi[0], length);
    loop_end(g, &l, (LLVMValueRef[]){add(g, l.phi[0], size)});
}

/* Finds whether helpers store all that the loop stores. */
static void find_near(struct gen *g, struct chunk *c) {
    c->all_near = c->together;
    for (int k = 0; k < c->nstreams; k++)
        if (c->stream[k].stored && has_row(c, k))
            c->all_near =
                both(g, c->all_near, both(g, c->stream[k].row.rows, c->stream[k].row.vector));
}

/* The stage's chunks where threads have helpers, which wait for these: each chunk is taken while
 * the one before is computed, where all that the loop stores goes to shared memory first. */
static void gen_helped_chunks(struct gen *g, struct chunk *c, LLVMValueRef lo, LLVMValueRef turn,
                              LLVMValueRef length) {
    LLVMBasicBlockRef near = gen_block(g, "near"), direct = gen_block(g, "direct"),
                      done = gen_block(g, "done");
    LLVMBuildCondBr(g->b, c->all_near, near, direct);
    gen_place(g, near);
    c->near = true;
    gen_stage_chunks(g, c, lo, turn, length);
    c->near = false;
    LLVMBuildBr(g->b, done);
    gen_place(g, direct);
    gen_stage_chunks(g, c, lo, turn, length);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* Gives how many iterations it has, i64. */
static LLVMValueRef gen_stage(struct gen *g, struct chunk *c, LLVMValueRef lo, LLVMValueRef n,
                              LLVMValueRef turn) {
    LLVMValueRef length = stage_length(g, c, subtract(g, n, turn));
    bool helped = c->helped != NULL && c->together != NULL;
    stage_begin(g, c, turn, n);
    if (helped)
        find_near(g, c);
    LLVMBasicBlockRef after = begin_own(g, c);
    if (helped)
        gen_helped_chunks(g, c, lo, turn, length);
    else
        gen_stage_chunks(g, c, lo, turn, length);
    end_own(g, after);
    if (c->together != NULL && chunk_is_stored(c))
        stage_end(g, c, turn, length);
    return extended(g, length);
}

/* The same, or a chunk that is loaded directly, in loops that have one alone. */
static LLVMValueRef gen_stage_or_chunk(struct gen *g, struct chunk *c, LLVMValueRef lo,
                                       LLVMValueRef n, LLVMValueRef turn) {
    LLVMBasicBlockRef brief = gen_block(g, "brief"), longer = gen_block(g, "longer"),
                      next = gen_block(g, "done");
    LLVMValueRef size = i64(g, (uint64_t)c->size), two = i64(g, 2 * (uint64_t)c->size);
    LLVMBuildCondBr(g->b, compare(g, LLVMIntSLT, n, two), brief, longer);
    gen_place(g, brief);
    gen_chunk(g, c, lo, turn, NULL, NULL);
    LLVMBasicBlockRef behind_chunk = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, next);
    gen_place(g, longer);
    LLVMValueRef length = gen_stage(g, c, lo, n, turn);
    LLVMBasicBlockRef behind_stage = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, next);
    gen_place(g, next);
    return phi2(g, behind_chunk, size, behind_stage, length);
}

/* The loop from iteration `first` on, as long as there are `lot` more: they are one straight code,
 * in which elements are loaded while others are computed with.  Gives the first one that is left.
 */
static LLVMValueRef gen_lots(struct gen *g, const struct chunk *c, LLVMValueRef lo, LLVMValueRef n,
                             LLVMValueRef first, int lot) {
    struct loop l;
    loop_begin(g, &l, 1, &first);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntSGE, subtract(g, n, l.phi[0]), i64(g, (uint64_t)lot)));
    for (int i = 0; i < lot; i++) {
        set_index(g, c, lo, add(g, l.phi[0], i64(g, (uint64_t)i)));
        gen_stmts(g, c->loop->body);
    }
    loop_end(g, &l, (LLVMValueRef[]){add(g, l.phi[0], i64(g, (uint64_t)lot))});
    return l.phi[0];
}

static void gen_chunks(struct gen *g, struct chunk *c, LLVMValueRef lo, LLVMValueRef n) {
    struct loop l;
    LLVMValueRef zero = i64(g, 0), size = i64(g, (uint64_t)c->size);
    LLVMValueRef first[] = {zero, LLVMConstNull(i1_type(g))};
    loop_begin(g, &l, 2, first);
    l.keep = true;
    LLVMValueRef turn = l.phi[0];
    loop_while(g, &l, compare(g, LLVMIntSLT, turn, n));
    LLVMBasicBlockRef chunk = gen_block(g, "chunk"), single = gen_block(g, "single"),
                      next = gen_block(g, "next");
    LLVMValueRef most = subtract(g, n, i64(g, (uint64_t)c->apart)), left = subtract(g, most, turn);
    LLVMValueRef whole =
        both(g, compare(g, LLVMIntSGE, turn, c->ahead), compare(g, LLVMIntSGE, left, size));
    LLVMBuildCondBr(g->b, whole, chunk, single);
    gen_place(g, chunk);
    LLVMValueRef length = size;
    load_tails(g, c, turn, l.phi[1]);
    if (c->stage > 0 && c->together == NULL && g->row_sharing->loads_directly(g))
        length = gen_stage_or_chunk(g, c, lo, most, turn);
    else if (c->stage > 0)
        length = gen_stage(g, c, lo, most, turn);
    else
        gen_chunk(g, c, lo, turn, NULL, NULL);
    LLVMBasicBlockRef behind = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, next);
    gen_place(g, single);
    for (int k = 0; k < c->nstreams; k++)
        forget_row(g, c, k);
    LLVMBasicBlockRef after = begin_own(g, c);
    set_index(g, c, lo, turn);
    gen_stmts(g, c->loop->body);
    end_own(g, after);
    LLVMBasicBlockRef behind_one = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, next);
    gen_place(g, next);
    LLVMValueRef step = phi2(g, behind, length, behind_one, i64(g, 1));
    LLVMValueRef chunked = phi2(g, behind, LLVMConstAllOnes(i1_type(g)), behind_one, first[1]);
    loop_end(g, &l, (LLVMValueRef[]){add(g, turn, step), chunked});
}

/* The loop where threads may begin with chunks some iterations later than others of their warp:
 * they have so many fewer behind all chunks.  In between iterations count from there on. */
static void gen_skewed(struct gen *g, struct chunk *c, LLVMValueRef lo, LLVMValueRef n) {
    LLVMValueRef left = gen_select(g, c->skewed, i64(g, (uint64_t)c->size), i64(g, 0));
    gen_lots(g, c, lo, c->skew, i64(g, 0), 1);
    for (int k = 0; k < c->nstreams; k++)
        c->stream[k].first = anchor_at(g, &c->stream[k], c->skew);
    lo = add(g, lo, multiply(g, c->skew, i64(g, (uint64_t)c->step)));
    n = subtract(g, n, left);
    gen_chunks(g, c, lo, n);
    left = subtract(g, add(g, n, left), c->skew);
    gen_lots(g, c, lo, left, n, 1);
}

/* Whether the streams read all inputs: calls that shared them would all compute the same. */
static bool reads_all_inputs(const struct gen *g, const struct chunk *c) {
    int nin = g->plan->nin;
    uint64_t unread = (UINT64_C(1) << nin) - 1;
    for (int k = 0; k < c->nstreams; k++)
        if (c->stream[k].anchor->place->operand < nin)
            unread &= ~(UINT64_C(1) << c->stream[k].anchor->place->operand);
    return unread == 0;
}

/* i1: all calls share all that the loop accesses by streams; NULL: they hardly do. */
static LLVMValueRef all_same(struct gen *g, const struct chunk *c) {
    LLVMValueRef all = i64(g, 0);
    if (reads_all_inputs(g, c))
        return NULL;
    for (int k = 0; k < c->nstreams; k++) {
        LLVMValueRef gaps = g->row_sharing->gaps(g, c->stream[k].anchor->place);
        if (c->stream[k].stored || gaps == NULL)
            return NULL;
        all = LLVMBuildOr(g->b, all, gaps, "");
    }
    return gen_not(g, is_set(g, all));
}

/* The loop's bounds have been computed by the threads that have rows. */
static void find_bounds(struct gen *g, const struct chunk *c, LLVMValueRef all, LLVMValueRef *lo,
                        LLVMValueRef *n) {
    *lo = gen_value(g, c->loop->lo);
    *n = gen_count(g, *lo, gen_value(g, c->loop->hi), i64(g, (uint64_t)c->step));
    if (all == NULL)
        return;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), after = begin_if(g, all);
    LLVMValueRef of_first[] = {g->row_sharing->of_first(g, *lo), g->row_sharing->of_first(g, *n)};
    LLVMBasicBlockRef behind = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    *lo = phi2(g, before, *lo, behind, of_first[0]);
    *n = phi2(g, before, *n, behind, of_first[1]);
}

/* A loop over what neighbouring calls share: threads load an element at once. */
static void gen_uniform_loop(struct gen *g, const struct chunk *c, LLVMValueRef lo,
                             LLVMValueRef n) {
    LLVMValueRef left = gen_lots(g, c, lo, n, i64(g, 0), MAX_CHUNK);
    gen_lots(g, c, lo, n, left, 1);
}

static void gen_loop(struct gen *g, struct chunk *c) {
    LLVMValueRef lo, n, all = NULL, has_row = g->row_sharing->has_row(g);
    LLVMBasicBlockRef after = NULL;
    if (has_row != NULL && c->stage > 0 && chunk_runs_together(g, c->loop)) {
        c->helped = has_row;
        all = g->row_sharing->all_run(g);
        after = begin_if(g, LLVMBuildOr(g->b, all, has_row, ""));
    } else if (has_row != NULL) {
        after = begin_if(g, has_row);
        g->unhelped++;
    }
    find_bounds(g, c, all, &lo, &n);
    LLVMBasicBlockRef enter = begin_if(g, compare(g, LLVMIntSGT, n, i64(g, 0)));
    LLVMValueRef same = all_same(g, c);
    if (same != NULL) {
        LLVMBasicBlockRef chunks = gen_block(g, "chunks"), singles = gen_block(g, "singles");
        LLVMBuildCondBr(g->b, same, singles, chunks);
        gen_place(g, singles);
        LLVMBasicBlockRef own = begin_own(g, c);
        gen_uniform_loop(g, c, lo, n);
        end_own(g, own);
        LLVMBuildBr(g->b, enter);
        gen_place(g, chunks);
    }
    c->ahead = prepare(g, c, lo, n);
    if (c->skew != NULL)
        gen_skewed(g, c, lo, n);
    else
        gen_chunks(g, c, lo, n);
    end_if(g, enter);
    g->unhelped -= after != NULL && c->helped == NULL;
    if (after != NULL)
        end_if(g, after);
}

static enum walk find_variable(const struct pval *v, void *none) {
    (void)none;
    return v->kind == PV_VAR || v->kind == PV_ELEM ? WALK_STOP : WALK_IN;
}

/* Whether a loop is as long in all iterations around it: others are often short. */
static bool is_even(const struct pstmt *s) {
    return value_walk(s->lo, find_variable, NULL) && value_walk(s->hi, find_variable, NULL);
}

static void gen_uniform(struct gen *g, const struct chunk *c) {
    LLVMValueRef lo, n;
    find_bounds(g, c, NULL, &lo, &n);
    gen_uniform_loop(g, c, lo, n);
}

/* The iterations of a stage: of smaller chunks, if rows have several elements an iteration. */
static int find_stage(struct chunk *c) {
    int whole = c->size, stage = stage_size(c);
    bool several = false;
    for (int k = 0; k < c->nstreams; k++)
        several = several || c->stream[k].count > 1;
    while (several && stage == 0 && c->size > 2) {
        c->size /= 2;
        stage = stage_size(c);
    }
    c->size = stage > 0 ? c->size : whole;
    return stage;
}

bool gen_in_chunks(struct gen *g, const struct pstmt *s, bool inner) {
    if (!g->in_chunks || g->lanes > 1 || g->chunk != NULL || (inner && !is_even(s)) ||
        g->sections.mentioned != NULL || gen_is_checked(s->body))
        return false;
    struct chunk *c = NEW(g->uc, struct chunk);
    if (!find_streams(g, c, s))
        return false;
    if (g->row_sharing != NULL && g->row_sharing->uniform) {
        gen_uniform(g, c);
        return true;
    }
    if (g->row_sharing != NULL && g->row_sharing->has_row(g) != NULL && chunk_runs_together(g, s))
        find_late(g, c);
    c->size = chunk_size(c);
    c->words = g->chunk_body > CHUNK_BODY ? STAGE_WORDS / 2 : STAGE_WORDS; /* beside arrays */
    c->stage = find_stage(c);
    for (int k = 0; c->stage == 0 && k < c->nstreams; k++)
        c->stream[k].late = NULL; /* which takes room */
    if (c->stage == 0)
        c->stage = find_stage(c);
    gen_loop(g, c);
    return true;
}

/* ---- rows of a thread alone */

/* The n iterations by chunks, each of which loads for the next one. */
static void gen_vectors(struct gen *g, struct chunk *c, LLVMValueRef lo, LLVMValueRef n) {
    LLVMValueRef size = i64(g, (uint64_t)c->size), first = c->ahead, zero = i64(g, 0);
    LLVMValueRef end = subtract(g, n, i64(g, (uint64_t)(c->apart + c->size)));
    for (int k = 0; k < c->nstreams; k++)
        c->stream[k].vector = LLVMConstAllOnes(i1_type(g));
    LLVMValueRef none = least(g, first, n);
    gen_lots(g, c, lo, none, zero, 1);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntSLE, first, end));
    load_tails(g, c, first, LLVMConstNull(i1_type(g)));
    c->next = first;
    load_next(g, c);
    struct loop l;
    loop_begin(g, &l, 1, &first);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntSLE, l.phi[0], end));
    LLVMValueRef next = add(g, l.phi[0], size);
    c->next = gen_select(g, compare(g, LLVMIntSLE, next, end), next, l.phi[0]);
    gen_chunk(g, c, lo, l.phi[0], NULL, NULL);
    loop_end(g, &l, &next);
    LLVMBasicBlockRef behind = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    c->next = NULL;
    first = phi2(g, before, none, behind, l.phi[0]);
    gen_lots(g, c, lo, n, first, 1);
}

LLVMBasicBlockRef gen_in_vectors(struct gen *g, const struct pstmt *s) {
    if (!may_run_alone(g, s))
        return NULL;
    struct chunk *c = NEW(g->uc, struct chunk);
    int before = g->chunk_body;
    g->chunk_body = CHUNK_BODY;
    bool found = find_streams(g, c, s) && chunk_is_stored(c);
    c->size = found ? vector_chunk(c) : 0;
    c->alone = true;
    LLVMBasicBlockRef done = NULL;
    if (c->size > 0) {
        LLVMBasicBlockRef vectors = gen_block(g, "vectors"), other = gen_block(g, "other");
        LLVMValueRef lo = gen_value(g, s->lo);
        LLVMValueRef n = gen_count(g, lo, gen_value(g, s->hi), i64(g, (uint64_t)c->step));
        done = gen_block(g, "rows");
        c->ahead = prepare(g, c, lo, n);
        LLVMBuildCondBr(g->b, rows_are_vectors(g, c), vectors, other);
        gen_place(g, vectors);
        gen_vectors(g, c, lo, n);
        LLVMBuildBr(g->b, done);
        gen_place(g, other);
    }
    g->chunk_body = before;
    return done;
}
