/* stage.c: several chunks of an ordered loop, whose elements come by way of shared memory: which
 * stages, and what g->row_sharing does before and after one. */
#include "stream.h"

unsigned stream_bytes(const struct stream *s) {
    return (unsigned)dtype_info[s->anchor->place->dtype].bits / 8;
}

LLVMValueRef stream_lowest(struct gen *g, const struct stream *s, LLVMValueRef turn,
                           LLVMValueRef size) {
    LLVMValueRef at = s->down ? add(g, turn, subtract(g, size, i64(g, 1))) : turn;
    at = multiply(g, at, s->stride);
    return at_byte(g, s->first, s->down ? LLVMBuildNeg(g->b, at, "") : at);
}

LLVMValueRef row_lowest(struct gen *g, const struct stream *s, LLVMValueRef turn,
                        LLVMValueRef size) {
    LLVMValueRef before = i64(g, (uint64_t) - (int64_t)((unsigned)s->at * stream_bytes(s)));
    return at_byte(g, stream_lowest(g, s, turn, size), before);
}

static void meet(struct gen *g, const struct chunk *c) {
    if (c->together == NULL)
        return;
    LLVMBasicBlockRef after = begin_if(g, c->together);
    g->row_sharing->meet(g);
    end_if(g, after);
}

/* The iterations of a stage that are whole chunks: i32. */
LLVMValueRef stage_length(struct gen *g, const struct chunk *c, LLVMValueRef left) {
    LLVMValueRef n = least(g, left, extended(g, c->length));
    n = LLVMBuildTrunc(g->b, n, i32_type(g), "");
    return LLVMBuildAnd(g->b, n, i32(g, (uint32_t)-c->size), "");
}

/* A stream's elements of the first n iterations of the stage that begins with iteration `from`. */
static struct stage_part part_of(struct gen *g, const struct chunk *c, const struct stream *s,
                                 LLVMValueRef from, LLVMValueRef n) {
    LLVMValueRef all = c->length, lowest = row_lowest(g, s, from, extended(g, all));
    LLVMValueRef count = i32(g, (uint32_t)s->count), end = multiply(g, all, count);
    n = multiply(g, n, count);
    if (s->down)
        return (struct stage_part){lowest, subtract(g, end, n), end};
    return (struct stage_part){lowest, i32(g, 0), n};
}

bool stage_has(const struct chunk *c, int k) {
    return c->stage > 0 && has_row(c, k) && c->stream[k].loaded;
}

/* Where a chunk begins in its stage, in elements: i32. */
LLVMValueRef stage_chunk(struct gen *g, const struct chunk *c, const struct stream *s,
                         LLVMValueRef at) {
    at = s->down ? subtract(g, subtract(g, c->length, i32(g, (uint32_t)c->size)), at) : at;
    return multiply(g, at, i32(g, (uint32_t)s->count));
}

static void fetch(struct gen *g, const struct chunk *c, LLVMValueRef from, LLVMValueRef n) {
    LLVMValueRef length = stage_length(g, c, subtract(g, n, from));
    for (int k = 0; k < c->nstreams; k++)
        if (stage_has(c, k)) {
            struct stage_part part = part_of(g, c, &c->stream[k], from, length);
            g->row_sharing->fetch(g, &c->stream[k].row, &part);
        }
}

/* Before a stage: what was on its way goes to shared memory, and the next stage's is loaded; before
 * the first one, its own too. */
void stage_begin(struct gen *g, const struct chunk *c, LLVMValueRef turn, LLVMValueRef n) {
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, turn, c->ahead));
    meet(g, c);
    fetch(g, c, turn, n);
    end_if(g, after);
    meet(g, c);
    for (int k = 0; k < c->nstreams; k++)
        if (stage_has(c, k))
            g->row_sharing->deposit(g, &c->stream[k].row);
    meet(g, c);
    LLVMValueRef from = add(g, turn, extended(g, c->length));
    LLVMValueRef goes_on = compare(g, LLVMIntSGE, subtract(g, n, from), i64(g, (uint64_t)c->size));
    after = begin_if(g, goes_on);
    fetch(g, c, from, n);
    end_if(g, after);
}

static void put_back(struct gen *g, const struct chunk *c, const struct stream *s,
                     const struct stage_part *part) {
    if (s->late == NULL) {
        g->row_sharing->put_back(g, &s->row, part);
        return;
    }
    LLVMBasicBlockRef after = begin_if(g, c->all_near);
    g->row_sharing->put_late(g, &s->row, s->late, part);
    end_if(g, after);
}

/* After a stage: stores what the warp stores together. */
void stage_end(struct gen *g, const struct chunk *c, LLVMValueRef turn, LLVMValueRef length) {
    LLVMBasicBlockRef after = begin_if(g, c->together);
    g->row_sharing->meet(g);
    for (int k = 0; k < c->nstreams; k++)
        if (c->stream[k].stored && has_row(c, k)) {
            struct stage_part part = part_of(g, c, &c->stream[k], turn, length);
            put_back(g, c, &c->stream[k], &part);
        }
    g->row_sharing->meet(g);
    end_if(g, after);
}

/* Where the row of what is stored to a stream, elements of so many bytes, may be: the place of one
 * that is as long, is loaded alone, and is not `taken`, of which each chunk is loaded before it is
 * stored.  -1: nowhere. */
static int find_partner(const struct chunk *c, const struct stream *s, unsigned bytes,
                        const bool *taken) {
    for (int i = 0; i < c->nstreams; i++) {
        const struct stream *from = &c->stream[i];
        if (has_row(c, i) && !taken[i] && !from->stored && from->down == s->down &&
            stream_bytes(from) == bytes && from->count == s->count)
            return i;
    }
    return -1;
}

/* What streams take of shared memory, in bytes a thread, and of registers. */
struct room {
    unsigned shared, words;
    bool taken[MAX_STREAMS];
};

/* Gives elements of `place` that are stored to a stream, or those that are loaded, a place. */
static void place_row(struct chunk *c, const struct stream *s, struct row_stage *row,
                      const struct pval *place, int iterations, struct room *room) {
    unsigned bytes = (unsigned)dtype_info[place->dtype].bits / 8;
    int partner = s->loaded ? -1 : find_partner(c, s, bytes, room->taken);
    *row = (struct row_stage){.place = place,
                              .count = s->count,
                              .elements = iterations * s->count,
                              .size = c->size * s->count,
                              .shared = partner < 0 ? room->shared : c->stream[partner].row.shared};
    if (partner >= 0)
        room->taken[partner] = true;
    else
        room->shared += (bytes * (unsigned)row->elements + 15) / 16 * 16;
    room->words += s->loaded ? (bytes + 3) / 4 * (unsigned)row->elements : 0;
}

/* Gives streams their places in shared memory.  False: there is not enough of it, or of registers,
 * for stages of so many iterations. */
static bool place_streams(struct chunk *c, int iterations) {
    struct room room = {0};
    for (int loaded = 1; loaded >= 0; loaded--)
        for (int k = 0; k < c->nstreams; k++) {
            struct stream *s = &c->stream[k];
            if (s->loaded != loaded || !has_row(c, k))
                continue;
            if (s->late == NULL) {
                place_row(c, s, &s->row, s->anchor->place, iterations, &room);
                continue;
            }
            s->row = (struct row_stage){
                .place = s->anchor->place, .count = 1, .elements = iterations, .size = c->size};
            for (int i = 0; i < s->late->n; i++) {
                struct row_stage *row = &s->late->part[i].row;
                place_row(c, s, row, row->place, iterations, &room);
            }
        }
    return room.shared <= STAGE_BYTES && room.words <= c->words;
}

int stage_size(struct chunk *c) {
    int n = STAGE_ITERATIONS;
    for (int k = 0; k < c->nstreams; k++)
        if (c->stream[k].far)
            return 0;
    while (n > c->size && !place_streams(c, n))
        n /= 2;
    return n > c->size || place_streams(c, n) ? n : 0;
}

bool chunk_is_stored(const struct chunk *c) {
    for (int k = 0; k < c->nstreams; k++)
        if (c->stream[k].stored)
            return true;
    return false;
}

/* ---- rows of a thread alone */

static enum walk find_merge(const struct pstmt *s, void *none) {
    (void)none;
    return s->merged ? WALK_STOP : WALK_IN;
}

bool may_run_alone(const struct gen *g, const struct pstmt *s) {
    return g->early_words > 0 && g->row_sharing == NULL && g->lanes == 1 && g->abreast == NULL &&
           g->chunk == NULL && g->nheld == 0 && g->sections.mentioned == NULL &&
           has_store(s->body) && !gen_is_checked(s->body) &&
           plan_walk(s->body, &(struct plan_visitor){.stmt = find_merge}, NULL);
}

int vector_chunk(const struct chunk *c) {
    enum { MOST_BYTES = 128 };
    unsigned bytes = 0, widest = 0;
    for (int k = 0; k < c->nstreams; k++) {
        const struct stream *s = &c->stream[k];
        if (has_row(c, k))
            bytes += stream_bytes(s) * (unsigned)s->count * (s->stored ? 1 : 2);
        widest = stream_bytes(s) > widest ? stream_bytes(s) : widest;
    }
    int size = MAX_CHUNK;
    while (size > 1 && (unsigned)size * bytes > MOST_BYTES)
        size /= 2;
    return (unsigned)size * widest < CHUNK_BYTES ? 0 : size;
}

LLVMValueRef rows_are_vectors(struct gen *g, const struct chunk *c) {
    LLVMValueRef all = LLVMConstAllOnes(i1_type(g));
    for (int k = 0; k < c->nstreams; k++)
        if (has_row(c, k))
            all = both(g, all, c->stream[k].vector);
    return all;
}
