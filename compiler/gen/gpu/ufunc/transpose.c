/* transpose.c: the GPU kernel TRANSPOSE, of operands that disagree on the fastest axis.  A block
 * computes a tile along axes 0 (x) and 1 (y).  An input that is faster along y is read along y, and
 * transposed in shared memory. */
#include "ufunc.h"

enum { MAX_ELEMS = TRANSPOSE_WIDE * TRANSPOSE_WIDE / BLOCK_THREADS };

struct transpose {
    struct kernel *k;
    int side, rows, elems;  /* of the tile; rows that the block's threads cover at once; elements of
                               a thread */
    LLVMValueRef lane, row; /* the thread's column and first row in the tile, i32 */
    LLVMValueRef end[2];    /* the last index from the corner along x and y that exists, i32 */
    struct place corner;    /* the tile's first element */
    LLVMValueRef value[UFC_MAX_OPERANDS][MAX_ELEMS]; /* slots of the inputs' elements */
    LLVMValueRef is_transposed[UFC_MAX_OPERANDS];    /* i1: faster along y */
    LLVMValueRef tile;                               /* in shared memory */
};

static LLVMValueRef row_of(struct transpose *t, int j) {
    return add(t->k->g, t->row, i32(t->k->g, (uint32_t)(j * t->rows)));
}

/* Loads an array's elements with lanes along x, or along y where it is transposed.  Beyond the
 * array's end the last elements are read again. */
static void load_array(struct transpose *t, int operand) {
    struct kernel *k = t->k;
    struct gen *g = k->g;
    LLVMValueRef transposed = t->is_transposed[operand];
    LLVMValueRef stride[] = {load_stride(k, operand, 0), load_stride(k, operand, 1)};
    LLVMValueRef across = gen_select(g, transposed, stride[1], stride[0]);
    LLVMValueRef down = gen_select(g, transposed, stride[0], stride[1]);
    LLVMValueRef most_across = gen_select(g, transposed, t->end[1], t->end[0]);
    LLVMValueRef most_down = gen_select(g, transposed, t->end[0], t->end[1]);
    LLVMValueRef first = multiply(g, extended(g, least(g, t->lane, most_across)), across);
    first = add(g, t->corner.address[operand], first);
    for (int j = 0; j < t->elems; j++) {
        LLVMValueRef at = multiply(g, extended(g, least(g, row_of(t, j), most_down)), down);
        LLVMValueRef v = load_element(g, operand_dtype(k, operand), add(g, first, at));
        LLVMBuildStore(g->b, v, t->value[operand][j]);
    }
}

static void load_number(struct transpose *t, int operand) {
    LLVMValueRef v = load_value(t->k, operand);
    for (int j = 0; j < t->elems; j++)
        LLVMBuildStore(t->k->g->b, v, t->value[operand][j]);
}

static void load_values(struct transpose *t, int operand, LLVMValueRef transposed) {
    struct kernel *k = t->k;
    struct gen *g = k->g;
    LLVMTypeRef type = gen_type(g, operand_dtype(k, operand));
    for (int j = 0; j < t->elems; j++)
        t->value[operand][j] = gen_alloca(g, type, "value");
    t->is_transposed[operand] = has_bit(k, transposed, operand);
    LLVMBasicBlockRef done = gen_block(g, "loaded");
    LLVMBasicBlockRef array = begin_if(g, compare(g, LLVMIntEQ, k->pointer[operand], i64(g, 0)));
    load_number(t, operand);
    LLVMBuildBr(g->b, done);
    gen_place(g, array);
    load_array(t, operand);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* Where an element of the tile is that is `further` elements behind a row's. */
static LLVMValueRef place_in_tile(struct transpose *t, LLVMTypeRef type, LLVMValueRef row,
                                  LLVMValueRef column, int further) {
    struct gen *g = t->k->g;
    LLVMValueRef at = add(g, multiply(g, row, i32(g, (uint32_t)t->side + 1)), column);
    LLVMValueRef more = i32(g, (uint32_t)further);
    LLVMValueRef first = LLVMBuildGEP2(g->b, type, t->tile, &at, 1, "");
    return LLVMBuildGEP2(g->b, type, first, &more, 1, "");
}

/* Where an input is transposed, exchanges the values that threads read through shared memory, so
 * that each gets its own elements'. */
static void transpose_values(struct transpose *t, int operand) {
    struct kernel *k = t->k;
    struct gen *g = k->g;
    enum ufc_dtype d = operand_dtype(k, operand);
    LLVMTypeRef type = gen_memory_type(g, d);
    LLVMBasicBlockRef after = begin_if(g, t->is_transposed[operand]);
    for (int j = 0; j < t->elems; j++) {
        LLVMValueRef v = LLVMBuildLoad2(g->b, gen_type(g, d), t->value[operand][j], "");
        int further = j * t->rows * (t->side + 1);
        gen_store_element(g, type, v, place_in_tile(t, type, t->row, t->lane, further),
                          dtype_align(d));
    }
    gpu(g)->barrier(g);
    for (int j = 0; j < t->elems; j++) {
        LLVMValueRef at = place_in_tile(t, type, t->lane, t->row, j * t->rows);
        LLVMBuildStore(g->b, gen_load_element(g, d, type, at, dtype_align(d)),
                       t->value[operand][j]);
    }
    gpu(g)->barrier(g);
    end_if(g, after);
}

/* A row has one element more than the tile's, so that a column's are in different banks. */
static LLVMValueRef shared_tile(struct transpose *t) {
    struct kernel *k = t->k;
    struct gen *g = k->g;
    unsigned largest = 0;
    for (int i = 0; i < g->plan->nin; i++)
        if (operand_size(k, i) > largest)
            largest = operand_size(k, i);
    LLVMTypeRef byte = LLVMInt8TypeInContext(g->context);
    return shared_array(g, byte, (unsigned)(t->side * (t->side + 1)) * largest, 16, "transposed");
}

/* The thread's j-th value of an input, for a j (i32) that is no constant: chosen bit by bit. */
static LLVMValueRef value_of(struct transpose *t, int operand, LLVMValueRef j) {
    struct gen *g = t->k->g;
    LLVMTypeRef type = gen_type(g, operand_dtype(t->k, operand));
    LLVMValueRef v[MAX_ELEMS];
    for (int i = 0; i < t->elems; i++)
        v[i] = LLVMBuildLoad2(g->b, type, t->value[operand][i], "");
    for (int bit = 1; bit < t->elems; bit *= 2) {
        LLVMValueRef odd = is_set(g, both(g, j, i32(g, (uint32_t)bit)));
        for (int i = 0; i < t->elems; i += 2 * bit)
            v[i] = gen_select(g, odd, v[i + bit], v[i]);
    }
    return v[0];
}

/* The addresses of the outputs' elements of the thread in a row of the tile. */
static void find_outputs(struct transpose *t, LLVMValueRef row, LLVMValueRef *address) {
    struct kernel *k = t->k;
    struct gen *g = k->g;
    for (int i = g->plan->nin; i < g->plan->noperands; i++) {
        LLVMValueRef x = multiply(g, extended(g, t->lane), load_stride(k, i, 0));
        LLVMValueRef y = multiply(g, extended(g, row), load_stride(k, i, 1));
        address[i] = add(g, t->corner.address[i], add(g, x, y));
    }
}

/* Computes an element, and stores it. */
static void compute_element(struct transpose *t, LLVMValueRef *inputs, LLVMValueRef *address) {
    struct kernel *k = t->k;
    const struct plan *p = k->g->plan;
    LLVMValueRef outputs[UFC_MAX_OPERANDS];
    call_element(k, inputs, outputs, NULL);
    for (int i = p->nin; i < p->noperands; i++)
        store_element(k->g, operand_dtype(k, i), outputs[i], address[i]);
}

/* One element after the other in a loop, so that a long body is there once. */
static void gen_loop(struct transpose *t) {
    struct gen *g = t->k->g;
    LLVMValueRef inputs[UFC_MAX_OPERANDS], address[UFC_MAX_OPERANDS];
    LLVMValueRef first[] = {i32(g, 0), t->row};
    LLVMValueRef last = least(g, t->end[1], i32(g, (uint32_t)t->side - 1));
    struct loop l;
    loop_begin(g, &l, 2, first);
    loop_while(g, &l, compare(g, LLVMIntSLE, l.phi[1], last));
    for (int i = 0; i < g->plan->nin; i++)
        inputs[i] = value_of(t, i, l.phi[0]);
    find_outputs(t, l.phi[1], address);
    compute_element(t, inputs, address);
    loop_end(
        g, &l,
        (LLVMValueRef[]){add(g, l.phi[0], i32(g, 1)), add(g, l.phi[1], i32(g, (uint32_t)t->rows))});
}

static void gen_copies(struct transpose *t) {
    struct gen *g = t->k->g;
    const struct plan *p = g->plan;
    LLVMValueRef inputs[UFC_MAX_OPERANDS], address[UFC_MAX_OPERANDS], step[UFC_MAX_OPERANDS];
    find_outputs(t, t->row, address);
    for (int i = p->nin; i < p->noperands; i++)
        step[i] = multiply(g, load_stride(t->k, i, 1), i64(g, (uint64_t)t->rows));
    for (int j = 0; j < t->elems; j++) {
        LLVMValueRef exists = compare(g, LLVMIntSLE, row_of(t, j), t->end[1]);
        LLVMBasicBlockRef after = begin_if(g, exists);
        for (int i = 0; i < g->plan->nin; i++)
            inputs[i] =
                LLVMBuildLoad2(g->b, gen_type(g, operand_dtype(t->k, i)), t->value[i][j], "");
        compute_element(t, inputs, address);
        end_if(g, after);
        for (int i = p->nin; i < p->noperands; i++)
            address[i] = add(g, address[i], step[i]);
    }
}

void gen_transpose_kernel(struct kernel *k) {
    struct gen *g = k->g;
    struct transpose t = {.k = k, .side = transpose_side(g->plan)};
    LLVMValueRef side = i32(g, (uint32_t)t.side), scale[] = {side, side};
    LLVMValueRef thread = gpu(g)->id(g, THREAD_ID);
    LLVMValueRef transposed = load_piece_param(k, offsetof(struct ufc_kparam_pieces, transposed));
    t.rows = BLOCK_THREADS / t.side;
    t.elems = t.side / t.rows;
    t.lane = both(g, thread, subtract(g, side, i32(g, 1)));
    t.row = LLVMBuildUDiv(g->b, thread, side, "");
    t.tile = shared_tile(&t);
    find_place(k, gpu(g)->id(g, BLOCK_ID), scale, &t.corner);
    for (size_t i = 0; i < 2; i++) {
        LLVMValueRef size =
            load_piece_param(k, offsetof(struct ufc_kparam_pieces, size) + i * sizeof(uint32_t));
        t.end[i] = subtract(g, subtract(g, size, t.corner.along[i]), i32(g, 1));
    }
    for (int i = 0; i < g->plan->nin; i++)
        load_values(&t, i, transposed);
    for (int i = 0; i < g->plan->nin; i++)
        transpose_values(&t, i);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntSLE, t.lane, t.end[0]));
    if (is_large(k))
        gen_loop(&t);
    else
        gen_copies(&t);
    end_if(g, after);
    LLVMBuildRetVoid(g->b);
}
