/* slide_store.c: what a thread of NEST stores of points that slide.  They are neighbours, so that
 * the threads of a warp would each store an element of a line of their own: they exchange what
 * they have by shared memory, and store neighbours together. */
#include "gufunc.h"

/* What the threads of a warp store. */
struct sliding_puts {
    const struct pstmt *put;
    LLVMValueRef value[MAX_SLIDING]; /* by point */
    LLVMValueRef own;                /* shared memory: the thread's values */
    LLVMValueRef least;              /* the first point that the thread stores, i32 */
    LLVMValueRef first, apart; /* i64: the address of its first point's, and from one to the next */
    unsigned size;             /* of an element */
};

/* Is it a statement of the definition's own list, to which all threads come together? */
static bool is_outermost(const struct gen *g, const struct pstmt *put) {
    const struct pstmt *s = g->threads->definition->body;
    while (s != NULL && s != put)
        s = s->next;
    return s != NULL;
}

/* Do the places of neighbouring points along the range that the thread has them of grow evenly? */
static bool grows_evenly(const struct gen *g, const struct pstmt *put) {
    const struct pvar *index = point_index(g, &g->plan->map.phase[g->threads->definition->phase]);
    int by;
    bool even = true;
    for (int i = 0; i < put->place->nargs && even; i++)
        even = value_grows(put->place->args[i], index, &by);
    return even;
}

static LLVMValueRef place_of(struct gen *g, const struct sliding_puts *p) {
    return LLVMBuildPtrToInt(g->b, gen_address(g, p->put->place), i64_type(g), "");
}

static void find_place(struct gen *g, int k, const void *puts) {
    struct sliding_puts *p = (void *)(uintptr_t)puts;
    if (k == 0)
        p->first = place_of(g, p);
    else
        p->apart = subtract(g, place_of(g, p), p->first);
}

static void find_value(struct gen *g, int k, const void *puts) {
    struct sliding_puts *p = (void *)(uintptr_t)puts;
    p->value[k] = gen_value(g, p->put->value);
}

static void keep_value(struct gen *g, int k, const void *puts) {
    const struct sliding_puts *p = puts;
    LLVMValueRef at = at_byte(g, p->own, i32(g, (uint32_t)k * p->size));
    gen_store_element(g, gen_memory_type(g, p->put->place->dtype), p->value[k], at, p->size);
}

/* i1: point k (i32) is the thread's to store. */
static LLVMValueRef is_stored(struct gen *g, LLVMValueRef k, LLVMValueRef least) {
    return compare(g, LLVMIntUGE, k, least);
}

static void put_alone(struct gen *g, int k, const void *puts) {
    const struct sliding_puts *p = puts;
    LLVMBasicBlockRef after = begin_if(g, is_stored(g, i32(g, (uint32_t)k), p->least));
    gen_store_to(g, p->put->place, p->value[k]);
    end_if(g, after);
}

/* Neighbouring elements that fill a vector, of n. */
static unsigned elements_of_vector(const struct sliding_puts *p, unsigned n) {
    char kind = dtype_info[p->put->place->dtype].kind;
    bool plain = p->size >= 4 && (kind == 'f' || kind == 'i' || kind == 'u');
    return plain && n % (SLIDE_BYTES / p->size) == 0 ? SLIDE_BYTES / p->size : 1;
}

/* Stores a thread's points k (i32), k + 1, …, `many` of them, to the address `at`, i64, and behind.
 */
static void store_singly(struct gen *g, const struct sliding_puts *p, unsigned many,
                         const LLVMValueRef *v, LLVMValueRef at, LLVMValueRef k,
                         LLVMValueRef least) {
    LLVMTypeRef memory = gen_memory_type(g, p->put->place->dtype);
    for (unsigned j = 0; j < many; j++) {
        LLVMBasicBlockRef after = begin_if(g, is_stored(g, add(g, k, i32(g, j)), least));
        LLVMValueRef place = add(g, at, i64(g, (uint64_t)j * p->size));
        gen_store_element(g, memory, v[j], global_pointer(g, place), p->size);
        end_if(g, after);
    }
}

/* The same as a vector, where that is aligned and all of them are to be stored. */
static void store_neighbours(struct gen *g, const struct sliding_puts *p, unsigned many,
                             const LLVMValueRef *v, LLVMValueRef at, LLVMValueRef k,
                             LLVMValueRef least) {
    LLVMTypeRef memory = gen_memory_type(g, p->put->place->dtype);
    LLVMBasicBlockRef vector = gen_block(g, "vector"), singly = gen_block(g, "singly"),
                      done = gen_block(g, "stored");
    LLVMValueRef low = both(g, at, i64(g, many * p->size - 1));
    LLVMValueRef aligned = compare(g, LLVMIntEQ, low, i64(g, 0));
    LLVMBuildCondBr(g->b, both(g, is_stored(g, k, least), aligned), vector, singly);
    gen_place(g, vector);
    LLVMValueRef all = LLVMGetPoison(LLVMVectorType(memory, many));
    for (unsigned j = 0; j < many; j++)
        all = LLVMBuildInsertElement(g->b, all, v[j], i32(g, j), "");
    LLVMSetAlignment(LLVMBuildStore(g->b, all, global_pointer(g, at)), many * p->size);
    LLVMBuildBr(g->b, done);
    gen_place(g, singly);
    store_singly(g, p, many, v, at, k, least);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* Stores in turn vectors 32 r, 32 r + 1, … of what the warp's threads have, n elements each; pitch:
 * bytes of shared memory from one thread's to the next one's. */
static void store_in_turn(struct gen *g, const struct sliding_puts *p, LLVMValueRef warps,
                          unsigned n, unsigned pitch) {
    const struct threads *t = g->threads;
    LLVMValueRef lane = lane_of(g, t->tid), all = i32(g, UINT32_MAX), v[SLIDE_BYTES / 4];
    LLVMTypeRef memory = gen_memory_type(g, p->put->place->dtype);
    unsigned many = elements_of_vector(p, n);
    for (unsigned r = 0; r < n / many; r++) {
        LLVMValueRef e = multiply(g, add(g, lane, i32(g, r * WARP)), i32(g, many));
        LLVMValueRef from = LLVMBuildUDiv(g->b, e, i32(g, n), "");
        LLVMValueRef k = both(g, e, i32(g, n - 1));
        LLVMValueRef at = gen_shuffle(g, SHUFFLE_FROM, all, p->first, from);
        LLVMValueRef least = gen_shuffle(g, SHUFFLE_FROM, all, p->least, from);
        LLVMValueRef kept =
            add(g, multiply(g, from, i32(g, pitch)), multiply(g, k, i32(g, p->size)));
        for (unsigned j = 0; j < many; j++) {
            LLVMValueRef place = at_byte(g, warps, add(g, kept, i32(g, j * p->size)));
            v[j] = gen_load_element(g, p->put->place->dtype, memory, place, p->size);
        }
        at = add(g, at, multiply(g, extended(g, k), p->apart));
        (many > 1 ? store_neighbours : store_singly)(g, p, many, v, at, k, least);
    }
}

bool put_sliding(struct gen *g, const struct pstmt *s) {
    const struct threads *t = g->threads;
    unsigned n = (unsigned)points_at_once(g), size = dtype_info[s->place->dtype].bits / 8;
    if (g->skipped == NULL || s->merged || s->operand >= g->plan->noperands ||
        !is_outermost(g, s) || !grows_evenly(g, s))
        return false;
    struct sliding_puts p = {.put = s, .size = size};
    /* A place more for each thread, so that their values are in different banks. */
    unsigned pitch = (n + 1) * size;
    LLVMValueRef words = shared_bytes(g, BLOCK_THREADS * pitch);
    LLVMValueRef warps = at_byte(g, words, multiply(g, warp_of(g, t->tid), i32(g, WARP * pitch)));
    p.own = at_byte(g, warps, multiply(g, lane_of(g, t->tid), i32(g, pitch)));
    p.least = gen_select(g, t->leads, g->skipped, i32(g, n));
    at_points(g, 0, 2, find_place, &p);
    at_each_point(g, find_value, &p);
    LLVMBasicBlockRef together = gen_block(g, "together"), alone = gen_block(g, "alone"),
                      done = gen_block(g, "put");
    LLVMValueRef beside = compare(g, LLVMIntEQ, p.apart, i64(g, size));
    beside = both(g, beside, compare(g, LLVMIntEQ, t->parts, i32(g, 1)));
    LLVMBuildCondBr(g->b, beside, together, alone);
    gen_place(g, together);
    at_each_point(g, keep_value, &p);
    gpu(g)->barrier(g);
    store_in_turn(g, &p, warps, n, pitch);
    gpu(g)->barrier(g);
    LLVMBuildBr(g->b, done);
    gen_place(g, alone);
    at_each_point(g, put_alone, &p);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    return true;
}
