/* kept.c: JOINT's and COLUMNS' part of held.c.  The blocks of a call keep the elements that several
 * spreads read in shared memory, from the beginning of the call on; each thread reads what it has
 * loaded itself. The spreads take a thread's points in rounds. */
#include <string.h>

#include "held.h"

LLVMValueRef place_of(struct gen *g, const struct kept *k, int first) {
    const struct held_points *h = g->threads->held;
    int size = dtype_info[k->place->dtype].bits / 8, all = g->plan->map.kept_bytes;
    uint32_t threads = block_threads(g->plan, UFC_KERNEL_JOINT);
    uint32_t offset = (uint32_t)(first * all + k->offset * h->lanes) * threads;
    LLVMValueRef round = multiply(g, h->before, i32(g, (uint32_t)all * threads));
    LLVMValueRef own = multiply(g, g->threads->tid, i32(g, (uint32_t)(size * h->lanes)));
    own = add(g, add(g, round, own), i32(g, offset));
    return at_byte(g, dynamic_memory(g), extended(g, own));
}

bool is_in_memory(const struct gen *g, const struct held_element *e) {
    return g->threads->together != NULL && e->kept != NULL && e->kept->offset >= 0;
}

/* Is the element in memory alone, and another one at each point? */
static bool is_far(struct gen *g, const struct held_element *e) {
    return !is_in_memory(g, e) && gen_lane_axis(g, e->place) >= 0;
}

static int count_far(struct gen *g, const struct held_element *e) {
    int n = 0;
    for (; e != NULL; e = e->next)
        n += is_far(g, e);
    return n;
}

/* Sets the element's values at the points from `first` up to `end` to those that were loaded since
 * the block `before`, by way of the block that ends here, and to `other` else. */
static void merge_values(struct gen *g, struct held_element *e, int first, int end,
                         LLVMBasicBlockRef before, LLVMBasicBlockRef after,
                         const LLVMValueRef *other) {
    LLVMBasicBlockRef loaded = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    for (int i = first; i < end; i++)
        e->value[i] = phi2(g, before, other[i], loaded, e->value[i]);
}

/* Where elements are vectors, loads the far ones at all points: other memory is near. */
static void load_far(struct gen *g, struct held_element *found) {
    const struct held_points *h = g->threads->held;
    LLVMValueRef none[HELD_POINTS];
    for (struct held_element *e = found; e != NULL; e = e->next) {
        if (!is_far(g, e))
            continue;
        LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), after = begin_if(g, h->vectors);
        for (int i = 0; i < h->n; i += h->lanes)
            load_neighbours(g, e, i);
        for (int i = 0; i < h->n; i++)
            none[i] = LLVMGetUndef(LLVMTypeOf(e->value[i]));
        merge_values(g, e, 0, h->n, before, after, none);
        e->early = true;
    }
}

/* Loads an element at `lanes` points where they are no vectors. */
void load_far_points(struct gen *g, struct held_element *e, int first) {
    const struct held_points *h = g->threads->held;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b);
    LLVMBasicBlockRef after = begin_if(g, LLVMBuildNot(g->b, h->vectors, ""));
    LLVMValueRef early[HELD_POINTS];
    memcpy(early, e->value, sizeof early);
    load_points(g, e, first);
    merge_values(g, e, first, first + h->lanes, before, after, early);
}

/* ---- rounds */

/* The thread's points, as many as are computed at a time. */
struct rounds {
    struct loop loop;
    LLVMValueRef first, left;
    int points;
};

static void begin_rounds(struct gen *g, struct rounds *r, int points) {
    struct held_points *h = g->threads->held;
    LLVMValueRef none = i32(g, 0);
    r->first = h->first;
    r->left = h->left;
    r->points = points;
    loop_begin(g, &r->loop, 1, &none);
    r->loop.keep = true;
    h->before = r->loop.phi[0];
    loop_while(g, &r->loop, compare(g, LLVMIntSLT, h->before, h->left));
    h->first = add(g, h->first, multiply(g, h->count, h->before));
    h->left = subtract(g, h->left, h->before);
}

static void end_rounds(struct gen *g, struct rounds *r) {
    struct held_points *h = g->threads->held;
    LLVMValueRef next = add(g, h->before, i32(g, (uint32_t)r->points));
    h->first = r->first;
    h->left = r->left;
    loop_end(g, &r->loop, &next);
}

/* Fills shared memory with a kept element at the thread's points, so many at a time. */
static void fill_rounds(struct gen *g, struct held_element *e, int points,
                        void (*load)(struct gen *g, struct held_element *e, int first)) {
    const struct held_points *h = g->threads->held;
    struct rounds r;
    begin_rounds(g, &r, points);
    for (int i = 0; i < points; i += h->lanes)
        load(g, e, i);
    for (int i = 0; i < points; i += h->lanes)
        store_lanes(g, e->place->dtype, place_of(g, e->kept, i), h->lanes, &e->value[i]);
    end_rounds(g, &r);
}

/* Loads what shared memory keeps: as vectors at more points at once than are computed, since memory
 * is far. */
void fill_memory(struct gen *g) {
    const struct held_points *h = g->threads->held;
    for (const struct kept *k = g->plan->map.kept; k != NULL; k = k->next) {
        struct held_element e = {.spread = k->first, .place = k->place, .kept = k};
        if (k->offset < 0)
            continue;
        LLVMBasicBlockRef points = gen_block(g, "points"), vectors = gen_block(g, "vectors"),
                          filled = gen_block(g, "filled");
        g->lane_var = last_range(k->first)->var;
        LLVMBuildCondBr(g->b, h->vectors, vectors, points);
        gen_place(g, vectors);
        fill_rounds(g, &e, UFC_JOINT_LOTS * g->plan->map.held,
                    gen_lane_axis(g, e.place) >= 0 ? load_neighbours : load_points);
        LLVMBuildBr(g->b, filled);
        gen_place(g, points);
        fill_rounds(g, &e, g->plan->map.held, load_points);
        LLVMBuildBr(g->b, filled);
        gen_place(g, filled);
    }
}

/* The body at the thread's points, as many at a time as registers hold, or half as many of 8 bytes:
 * addresses and sums are as wide, and take the registers. */
void gen_rounds(struct gen *g, const struct pstmt *s, struct held_element *found) {
    enum { FEW = 2 };
    struct held_points *h = g->threads->held;
    struct rounds r;
    int far = count_far(g, found);
    h->n = g->plan->map.held;
    if (h->lanes <= 2)
        h->n /= 2;
    begin_rounds(g, &r, h->n);
    if (far <= FEW)
        load_far(g, found);
    gen_held_points(g, s, found);
    end_rounds(g, &r);
}
