/* dense.c: the GPU kernels DENSE of a gufunc.  A thread computes a call, all of whose sizes are
 * constants, with small operands in registers.  Those that are much longer than an access go
 * through shared memory, by a warp's calls together: neighbouring threads access neighbours in
 * memory. */
#include "gufunc.h"

enum {
    PIECE = 16,
    LEAST_ROW = 64,
    MOST_ROW = 128,
    WORD = 4, /* a piece of rows that are an odd number of words */
    LEAST_WORDS = 20,
};

/* i1: memory has the axes of operand k, a square matrix, in the other order.  NULL: k is no square
 * matrix, or one too large for registers. */
static LLVMValueRef find_transposed(struct gen *g, int k) {
    const struct poperand *o = &g->plan->operands[k];
    if (o->rank != 2)
        return NULL;
    uint64_t n = LLVMConstIntGetZExtValue(g->dims[o->dims[0]->index]);
    if (n != LLVMConstIntGetZExtValue(g->dims[o->dims[1]->index]) || n < 2 || n * n > UFC_MAX_HELD)
        return NULL;
    LLVMValueRef bytes = i64(g, (uint64_t)dtype_info[o->dtype].bits / 8);
    return compare(g, LLVMIntEQ, g->arrays[k].stride[0], bytes);
}

/* Makes all sizes, strides and alignments constants.  named: the size of dimensions that have
 * names.
 */
static void fix_sizes(struct gen *g, int64_t named) {
    const struct plan *p = g->plan;
    for (const struct dim *d = p->overload->decl->dims; d != NULL; d = d->next)
        g->dims[d->index] = d->expr == NULL ? i64(g, (uint64_t)(d->size >= 0 ? d->size : named))
                                            : gen_terms(g, d->terms, d->nterms);
    for (int k = 0; k < p->noperands; k++) {
        struct gen_array *a = &g->arrays[k];
        uint64_t bytes = (uint64_t)dtype_info[p->operands[k].dtype].bits / 8;
        a->transposed = find_transposed(g, k);
        for (int r = p->operands[k].rank; r-- > 0;) {
            a->stride[r] = i64(g, bytes);
            bytes *= LLVMConstIntGetZExtValue(g->dims[p->operands[k].dims[r]->index]);
        }
        uint64_t low = bytes & (~bytes + 1);
        a->align = low == 0 || low > 16 ? 16 : (unsigned)low;
    }
}

/* ---- operands in registers */

/* Elements of an operand; 0: too many for registers. */
static int count_elements(struct gen *g, int k) {
    uint64_t n = 1;
    for (int r = 0; r < g->plan->operands[k].rank; r++)
        n *= LLVMConstIntGetZExtValue(g->dims[g->plan->operands[k].dims[r]->index]);
    return n <= UFC_MAX_HELD ? (int)n : 0;
}

/* Copies operand k, of n elements, from global memory to a local copy, or back if !from_memory.  A
 * square matrix that is transposed in memory is transposed on the way. */
static void move_elements(struct gen *g, int k, int n, LLVMValueRef from, LLVMValueRef to,
                          bool from_memory) {
    enum ufc_dtype d = g->plan->operands[k].dtype;
    unsigned size = (unsigned)dtype_info[d].bits / 8, most = g->arrays[k].align;
    LLVMTypeRef type = gen_memory_type(g, d);
    LLVMValueRef v[UFC_MAX_HELD], transposed = g->arrays[k].transposed;
    int side = 1;
    while (side * side < n)
        side++;
    for (int store = 0; store < 2; store++)
        for (int i = 0; i < n; i++) {
            unsigned at = size * (unsigned)i, low = at & -at;
            unsigned known = low == 0 || low > most ? most : low;
            LLVMValueRef offset = i64(g, at), place = store ? to : from;
            place = at_byte(g, place, offset);
            int other = i % side * side + i / side;
            if (!store)
                v[i] = LLVMBuildLoad2(g->b, type, place, "");
            LLVMValueRef moved = v[i];
            if (store && transposed != NULL && other != i)
                moved = gen_select(g, transposed, v[other], v[i]);
            LLVMValueRef access = store ? LLVMBuildStore(g->b, moved, place) : v[i];
            LLVMSetAlignment(access, store != from_memory ? known : dtype_align(d));
        }
}

/* ---- by all threads of a warp */

/* Bytes of operand k, if the warp's calls copy it together; else 0. */
static unsigned row_bytes(struct gen *g, int k) {
    unsigned bytes =
        (unsigned)count_elements(g, k) * dtype_info[g->plan->operands[k].dtype].bits / 8;
    bool pieces = bytes % PIECE == 0 && bytes >= LEAST_ROW;
    bool words = bytes % (2 * WORD) == WORD && bytes >= LEAST_WORDS;
    return (pieces || words) && bytes <= MOST_ROW ? bytes : 0;
}

static unsigned piece_of(unsigned bytes) {
    return bytes % PIECE == 0 ? PIECE : WORD;
}

/* How far rows are apart in shared memory: neighbouring threads' are in other banks. */
static unsigned row_pitch(unsigned bytes) {
    return bytes % PIECE == 0 ? bytes + PIECE : bytes;
}

/* i1: all of the warp's threads have a call, and their parts of an array, of which the thread's is
 * at `own`, are neighbours in memory. */
static LLVMValueRef are_neighbours(struct gen *g, const struct threads *t, LLVMValueRef own,
                                   unsigned bytes) {
    LLVMValueRef lane = lane_of(g, t->tid), all = i32(g, UINT32_MAX);
    LLVMValueRef first = subtract(g, t->call, extended(g, lane));
    LLVMValueRef full =
        compare(g, LLVMIntSLE, add(g, first, i64(g, WARP)), param_i64(g, PARAM(calls)));
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), after = begin_if(g, full);
    own = LLVMBuildPtrToInt(g->b, own, i64_type(g), "");
    LLVMValueRef start = subtract(g, own, extended(g, multiply(g, lane, i32(g, bytes))));
    LLVMValueRef same =
        compare(g, LLVMIntEQ, start, gen_shuffle(g, SHUFFLE_FROM, all, start, i32(g, 0)));
    same = compare(g, LLVMIntEQ, gpu(g)->ballot(g, all, same), all);
    LLVMBasicBlockRef behind = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    return phi2(g, before, LLVMConstNull(i1_type(g)), behind, same);
}

/* The warp copies rows of so many bytes to shared memory at `rows`, or from there. */
static void copy_rows(struct gen *g, const struct threads *t, LLVMValueRef own, LLVMValueRef rows,
                      unsigned bytes, bool to_memory) {
    LLVMValueRef lane = lane_of(g, t->tid), v[MOST_ROW / WORD], near[MOST_ROW / WORD];
    unsigned size = piece_of(bytes), pieces = bytes / size;
    LLVMValueRef start = LLVMBuildNeg(g->b, multiply(g, lane, i32(g, bytes - size)), "");
    LLVMValueRef far = at_byte(g, own, LLVMBuildSExt(g->b, start, i64_type(g), ""));
    LLVMTypeRef type = size == WORD ? i32_type(g) : LLVMVectorType(i32_type(g), PIECE / WORD);
    for (int store = 0; store < 2; store++)
        for (unsigned j = 0; j < pieces; j++) {
            LLVMValueRef at = at_byte(g, far, i64(g, (uint64_t)j * WARP * size)), access;
            if (!store) {
                LLVMValueRef piece = add(g, lane, i32(g, j * WARP));
                LLVMValueRef row = LLVMBuildUDiv(g->b, piece, i32(g, pieces), "");
                LLVMValueRef column = subtract(g, piece, multiply(g, row, i32(g, pieces)));
                near[j] = add(g, multiply(g, row, i32(g, row_pitch(bytes))),
                              multiply(g, column, i32(g, size)));
                near[j] = at_byte(g, rows, extended(g, near[j]));
                access = v[j] = LLVMBuildLoad2(g->b, type, to_memory ? near[j] : at, "");
            } else {
                access = LLVMBuildStore(g->b, v[j], to_memory ? at : near[j]);
            }
            LLVMSetAlignment(access, size);
        }
}

/* As move_elements: by way of shared memory at `rows`, the warp's, where its calls are neighbours.
 */
static void move_together(struct gen *g, const struct threads *t, int k, LLVMValueRef memory,
                          LLVMValueRef held, LLVMValueRef rows, bool from_memory) {
    LLVMBasicBlockRef together = gen_block(g, "together"), alone = gen_block(g, "alone"),
                      done = gen_block(g, "moved");
    LLVMValueRef all = i32(g, UINT32_MAX), lane = lane_of(g, t->tid);
    unsigned bytes = row_bytes(g, k);
    int n = count_elements(g, k);
    LLVMValueRef own = at_byte(g, rows, extended(g, multiply(g, lane, i32(g, row_pitch(bytes)))));
    LLVMBuildCondBr(g->b, are_neighbours(g, t, memory, bytes), together, alone);
    gen_place(g, together);
    gpu(g)->warp_barrier(g, all);
    if (from_memory)
        copy_rows(g, t, memory, rows, bytes, false);
    else
        move_elements(g, k, n, held, own, false);
    gpu(g)->warp_barrier(g, all);
    if (from_memory)
        move_elements(g, k, n, own, held, true);
    else
        copy_rows(g, t, memory, rows, bytes, true);
    LLVMBuildBr(g->b, done);
    gen_place(g, alone);
    move_elements(g, k, n, from_memory ? memory : held, from_memory ? held : memory, from_memory);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

static void move(struct gen *g, const struct threads *t, int k, LLVMValueRef memory,
                 LLVMValueRef held, LLVMValueRef rows, bool from_memory) {
    if (rows != NULL && row_bytes(g, k) > 0)
        move_together(g, t, k, memory, held, rows, from_memory);
    else
        move_elements(g, k, count_elements(g, k), from_memory ? memory : held,
                      from_memory ? held : memory, from_memory);
}

/* The warp's rows in shared memory; NULL: there are none. */
static LLVMValueRef find_rows(struct gen *g, const struct threads *t) {
    unsigned most = 0;
    for (int k = 0; k < g->plan->noperands; k++) {
        bool given = k < g->plan->nin + g->plan->overload->nout;
        bool moves = given && (k >= g->plan->nin || g->arrays[k].transposed != NULL);
        unsigned bytes = moves ? row_bytes(g, k) : 0;
        most = bytes > 0 && row_pitch(bytes) > most ? row_pitch(bytes) : most;
    }
    if (most == 0)
        return NULL;
    LLVMTypeRef byte = LLVMInt8TypeInContext(g->context);
    LLVMValueRef all = shared_array(g, byte, kernel_info[t->kind].threads * most, PIECE, "rows");
    LLVMValueRef warp = multiply(g, warp_of(g, t->tid), i32(g, WARP * most));
    return at_byte(g, all, extended(g, warp));
}

/* Generates the body on local copies of small outputs, and of inputs that may be transposed.  Whole
 * outputs are stored at the end; where the body overwrites them, LLVM removes their loads.  Arrays
 * that the body makes have no other place. */
static void gen_held_body(struct gen *g, const struct threads *t) {
    const struct plan *p = g->plan;
    LLVMValueRef memory[UFC_MAX_OPERANDS], rows = find_rows(g, t);
    int given = p->nin + p->overload->nout;
    for (int k = 0; k < p->noperands; k++) {
        int n = count_elements(g, k);
        memory[k] = g->arrays[k].base;
        if (n == 0 || (k < p->nin && g->arrays[k].transposed == NULL))
            continue;
        LLVMTypeRef type = gen_memory_type(g, p->operands[k].dtype);
        LLVMValueRef held = gen_alloca(g, LLVMArrayType2(type, (uint64_t)n), "held");
        LLVMSetAlignment(held, 16);
        if (k < p->nin)
            move(g, t, k, memory[k], held, rows, true);
        else if (k < given)
            move_elements(g, k, n, memory[k], held, true);
        g->arrays[k].base = held;
    }
    gen_stmts(g, p->body);
    for (int k = p->nin; k < given; k++)
        if (g->arrays[k].base != memory[k])
            move(g, t, k, memory[k], g->arrays[k].base, rows, false);
}

void gen_dense_kernel(struct gen *g, struct threads *t) {
    fix_sizes(g, kernel_info[t->kind].size);
    g->copies = DENSE_COPIES;
    gufunc_find_thread(g, t);
    gufunc_enter_call(g, t);
    g->stop = t->end;
    gen_held_body(g, t);
    gufunc_leave_call(g, t);
}
