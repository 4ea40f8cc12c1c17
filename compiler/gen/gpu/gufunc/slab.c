/* slab.c: slabs, parts of a contraction's matrices: their layout in shared memory, and how they are
 * moved there. */
#include "tile.h"

/* ---- in shared memory */

/* Elements of a slab that a thread moves. */
static int share_of(const struct tile *t) {
    return t->slab_depth * t->size / t->team;
}

unsigned slab_bytes(const struct tile *t, const struct slab *p) {
    return p->bytes * p->pitch * (unsigned)(p->k_last ? t->size : t->slab_depth);
}

void slab_describe(struct tile *t, struct slab *p, LLVMValueRef place, unsigned offset) {
    unsigned bits = (unsigned)dtype_info[p->matrix->dtype].bits;
    p->bytes = bits / 8;
    p->k_last = p->x_axis == 0;
    p->run = 128 / bits < (unsigned)share_of(t) ? (int)(128 / bits) : share_of(t);
    p->pitch = (unsigned)(p->k_last ? t->slab_depth : t->size) + 128 / bits;
    p->offset = offset;
    p->place = p->k_last ? place : multiply(t->g, place, i32(t->g, RESULTS_PER_THREAD));
    for (int e = 0; e < share_of(t); e++)
        p->slot[e] = gen_alloca(t->g, gen_type(t->g, p->matrix->dtype), "element");
}

LLVMValueRef slab_at(struct tile *t, LLVMValueRef shared, const struct slab *p, LLVMValueRef k,
                     LLVMValueRef x) {
    struct gen *g = t->g;
    LLVMValueRef outer = p->k_last ? x : k, inner = p->k_last ? k : x;
    LLVMValueRef at = add(g, multiply(g, outer, i32(g, p->pitch)), inner);
    at = add(g, multiply(g, at, i32(g, p->bytes)), i32(g, p->offset));
    return at_byte(g, shared, at);
}

/* ---- to shared memory */

LLVMValueRef slab_in_runs(struct tile *t, const struct slab *p) {
    struct gen *g = t->g;
    const struct gen_array *a = &g->arrays[p->matrix->operand];
    LLVMValueRef bits = gufunc_address_bits(g, p->matrix->operand);
    bits = LLVMBuildOr(g->b, bits, a->stride[0], "");
    LLVMValueRef bytes = i64(g, (uint64_t)p->run * p->bytes - 1),
                 run = i64(g, (uint64_t)p->run - 1);
    LLVMValueRef rest = LLVMBuildAnd(g->b, p->k_last ? t->depth : p->end, run, "");
    rest = LLVMBuildOr(g->b, rest, LLVMBuildAnd(g->b, bits, bytes, ""), "");
    return both(g, compare(g, LLVMIntEQ, rest, i64(g, 0)),
                compare(g, LLVMIntEQ, a->stride[1], i64(g, p->bytes)));
}

/* The elements that a thread moves: k and x of the first one, or of the first run, and the steps to
 * the next; i32. */
struct share {
    LLVMValueRef k, x, step_k, step_x;
};

/* A thread's share in runs: neighbouring threads have neighbouring runs in shared memory. */
static struct share share_of_runs(struct tile *t, const struct slab *p) {
    struct gen *g = t->g;
    int inner = (p->k_last ? t->slab_depth : t->size) / p->run;
    LLVMValueRef n = i32(g, (uint32_t)inner), step = i32(g, (uint32_t)(t->team / inner));
    LLVMValueRef along =
        multiply(g, LLVMBuildURem(g->b, t->member, n, ""), i32(g, (uint32_t)p->run));
    LLVMValueRef over = LLVMBuildUDiv(g->b, t->member, n, "");
    return p->k_last ? (struct share){along, over, i32(g, 0), step}
                     : (struct share){over, along, step, i32(g, 0)};
}

/* A thread's share in single elements: neighbouring threads go along the smaller stride, or, where
 * they have neighbouring calls, along the slab's rows in shared memory. */
static struct share share_of_elements(struct tile *t, const struct slab *p) {
    struct gen *g = t->g;
    const struct gen_array *a = &g->arrays[p->matrix->operand];
    LLVMValueRef along_k = compare(g, LLVMIntSLE, a->stride[1 - p->x_axis], a->stride[p->x_axis]);
    LLVMValueRef k_last = LLVMConstInt(LLVMInt1TypeInContext(g->context), p->k_last, false);
    along_k = gen_select(g, t->interleaved, k_last, along_k);
    LLVMValueRef depth = i32(g, (uint32_t)t->slab_depth), size = i32(g, (uint32_t)t->size),
                 none = i32(g, 0);
    struct share s;
    s.k = gen_select(g, along_k, LLVMBuildURem(g->b, t->member, depth, ""),
                     LLVMBuildUDiv(g->b, t->member, size, ""));
    s.x = gen_select(g, along_k, LLVMBuildUDiv(g->b, t->member, depth, ""),
                     LLVMBuildURem(g->b, t->member, size, ""));
    s.step_k = gen_select(g, along_k, none, i32(g, (uint32_t)(t->team / t->size)));
    s.step_x = gen_select(g, along_k, i32(g, (uint32_t)(t->team / t->slab_depth)), none);
    return s;
}

static LLVMValueRef stride_k(struct tile *t, const struct slab *p) {
    return t->g->arrays[p->matrix->operand].stride[1 - p->x_axis];
}

static LLVMValueRef stride_x(struct tile *t, const struct slab *p) {
    return t->g->arrays[p->matrix->operand].stride[p->x_axis];
}

struct region region_first(struct tile *t, const struct slab *p) {
    struct gen *g = t->g;
    LLVMValueRef left = elements_left(g, t->depth, i64(g, 0)), none = i32(g, 0);
    return (struct region){p, multiply(g, p->first, stride_x(t, p)),
                           gen_select(g, t->has_tile, left, none),
                           elements_left(g, p->end, p->first)};
}

LLVMValueRef region_next(struct tile *t, const struct region *r) {
    return add(t->g, r->begin,
               multiply(t->g, stride_k(t, r->p), i64(t->g, (uint64_t)t->slab_depth)));
}

/* Bytes from a region's begin to its element k, x (i32). */
static LLVMValueRef element_offset(struct tile *t, const struct slab *p, LLVMValueRef k,
                                   LLVMValueRef x) {
    struct gen *g = t->g;
    return add(g, multiply(g, extended(g, k), stride_k(t, p)),
               multiply(g, extended(g, x), stride_x(t, p)));
}

/* Loads `run` neighbours from element k, x on to slots, or zeros if the element is not in the
 * matrix.  offset: of the element, from the region's begin. */
static void fetch_run(struct tile *t, const struct region *r, LLVMValueRef k, LLVMValueRef x,
                      LLVMValueRef offset, int run, const LLVMValueRef *slot) {
    struct gen *g = t->g;
    const struct slab *p = r->p;
    for (int e = 0; e < run; e++)
        LLVMBuildStore(g->b, LLVMConstNull(gen_type(g, p->matrix->dtype)), slot[e]);
    LLVMValueRef inside =
        both(g, compare(g, LLVMIntSLT, k, r->left_k), compare(g, LLVMIntSLT, x, r->left_x));
    LLVMBasicBlockRef after = begin_if(g, inside);
    offset = add(g, r->begin, offset);
    for (int e = 0; e < run; e++) {
        unsigned align =
            run > 1 && e == 0 ? (unsigned)run * p->bytes : dtype_align(p->matrix->dtype);
        LLVMValueRef at = add(g, offset, i64(g, (uint64_t)e * p->bytes));
        LLVMBuildStore(g->b, gen_element_aligned(g, p->matrix, at, align), slot[e]);
    }
    end_if(g, after);
}

/* Stores a run's slots to the crew's shared memory. */
static void put_run(struct tile *t, const struct slab *p, LLVMValueRef k, LLVMValueRef x, int run,
                    const LLVMValueRef *slot) {
    struct gen *g = t->g;
    LLVMTypeRef type = gen_type(g, p->matrix->dtype);
    LLVMTypeRef memory = gen_memory_type(g, p->matrix->dtype);
    LLVMValueRef at = slab_at(t, t->crew_shared, p, k, x);
    for (int e = 0; e < run; e++) {
        LLVMValueRef v = LLVMBuildLoad2(g->b, type, slot[e], "");
        unsigned align = run > 1 && e == 0 ? (unsigned)run * p->bytes : p->bytes;
        gen_store_element(g, memory, v, at_byte(g, at, i32(g, (uint32_t)e * p->bytes)), align);
    }
}

/* first + n * step */
static LLVMValueRef steps(struct gen *g, LLVMValueRef first, LLVMValueRef step, int n) {
    return add(g, first, multiply(g, step, i32(g, (uint32_t)n)));
}

void slab_fetch(struct tile *t, const struct region *r) {
    const struct slab *p = r->p;
    struct share s = share_of_runs(t, p);
    for (int n = 0, e = 0; e < share_of(t); n++, e += p->run) {
        LLVMValueRef k = steps(t->g, s.k, s.step_k, n), x = steps(t->g, s.x, s.step_x, n);
        fetch_run(t, r, k, x, element_offset(t, p, k, x), p->run, &p->slot[e]);
    }
}

void slab_put(struct tile *t, const struct slab *p) {
    struct share s = share_of_runs(t, p);
    for (int n = 0, e = 0; e < share_of(t); n++, e += p->run)
        put_run(t, p, steps(t->g, s.k, s.step_k, n), steps(t->g, s.x, s.step_x, n), p->run,
                &p->slot[e]);
}

/* Loads TILE_STEPS single elements of a share, from number `number` (i32) on, to slots.  offset: of
 * the first one; gives that of the next. */
static LLVMValueRef fetch_steps(struct tile *t, const struct region *r, const struct share *s,
                                LLVMValueRef number, LLVMValueRef offset) {
    struct gen *g = t->g;
    LLVMValueRef apart = element_offset(t, r->p, s->step_k, s->step_x);
    for (int e = 0; e < TILE_STEPS; e++) {
        LLVMValueRef step = add(g, number, i32(g, (uint32_t)e));
        fetch_run(t, r, add(g, s->k, multiply(g, s->step_k, step)),
                  add(g, s->x, multiply(g, s->step_x, step)), offset, 1, &r->p->slot[e]);
        offset = add(g, offset, apart);
    }
    return offset;
}

static void put_steps(struct tile *t, const struct slab *p, const struct share *s,
                      LLVMValueRef number) {
    struct gen *g = t->g;
    for (int e = 0; e < TILE_STEPS; e++) {
        LLVMValueRef step = add(g, number, i32(g, (uint32_t)e));
        put_run(t, p, add(g, s->k, multiply(g, s->step_k, step)),
                add(g, s->x, multiply(g, s->step_x, step)), 1, &p->slot[e]);
    }
}

void slabs_copy(struct tile *t, const struct region *a, const struct region *b) {
    struct gen *g = t->g;
    struct share of_a = share_of_elements(t, a->p), of_b = share_of_elements(t, b->p);
    LLVMValueRef first[] = {i32(g, 0), element_offset(t, a->p, of_a.k, of_a.x),
                            element_offset(t, b->p, of_b.k, of_b.x)};
    struct loop l;
    loop_begin(g, &l, 3, first);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], i32(g, (uint32_t)share_of(t))));
    l.keep = true;
    LLVMValueRef next[3];
    next[1] = fetch_steps(t, a, &of_a, l.phi[0], l.phi[1]);
    next[2] = fetch_steps(t, b, &of_b, l.phi[0], l.phi[2]);
    put_steps(t, a->p, &of_a, l.phi[0]);
    put_steps(t, b->p, &of_b, l.phi[0]);
    next[0] = add(g, l.phi[0], i32(g, TILE_STEPS));
    loop_end(g, &l, next);
}
