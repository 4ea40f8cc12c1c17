/* kept.c: JOINT's and COLUMNS' part of held.c.  The blocks of a call keep the elements that several
 * spreads read in shared memory, from the beginning of the call on; each thread reads what it has
 * loaded itself. The spreads take a thread's points in rounds. */
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

/* Where elements are vectors, loads the far ones at all points: other memory is near. */
static void load_far(struct gen *g, struct held_element *found) {
    const struct held_points *h = g->threads->held;
    for (struct held_element *e = found; e != NULL; e = e->next) {
        e->early = has_vectors(h) && is_far(g, e);
        for (int i = 0; e->early && i < h->n; i += h->lanes)
            load_neighbours(g, e, i);
    }
}

/* ---- rounds */

/* The thread's points, as many as are computed at a time: rounds that are whole, or all of them. */
struct rounds {
    struct loop loop;
    LLVMValueRef first, left;
    int points;
};

static void begin_rounds(struct gen *g, struct rounds *r, LLVMValueRef from, int points,
                         bool whole) {
    struct held_points *h = g->threads->held;
    r->first = h->first;
    r->left = h->left;
    r->points = points;
    h->whole = whole;
    loop_begin(g, &r->loop, 1, &from);
    r->loop.keep = true;
    h->before = r->loop.phi[0];
    LLVMValueRef most = h->whole ? add(g, h->before, i32(g, (uint32_t)points - 1)) : h->before;
    loop_while(g, &r->loop, compare(g, LLVMIntSLT, most, h->left));
    h->first = add(g, h->first, multiply(g, h->count, h->before));
    h->left = subtract(g, h->left, h->before);
}

/* Gives how many of the thread's points are behind these rounds. */
static LLVMValueRef end_rounds(struct gen *g, struct rounds *r) {
    struct held_points *h = g->threads->held;
    LLVMValueRef next = add(g, h->before, i32(g, (uint32_t)r->points)), done = h->before;
    h->first = r->first;
    h->left = r->left;
    h->whole = false;
    loop_end(g, &r->loop, &next);
    return done;
}

/* Fills shared memory with a kept element at the thread's points: as vectors at more of them at
 * once than are computed, since memory is far. */
static void fill_element(struct gen *g, const void *element) {
    const struct kept *k = element;
    const struct held_points *h = g->threads->held;
    struct held_element e = {.spread = k->first, .place = k->place, .kept = k};
    int points = g->plan->map.held;
    if (has_vectors(h))
        points *= UFC_JOINT_LOTS;
    else if (h->nest.n > 1 && points > h->lanes) /* registers have where each is in all ranges */
        points /= 2;
    g->lane_var = last_range(k->first)->var;
    bool vectors = has_vectors(h) && gen_lane_axis(g, e.place) >= 0;
    struct rounds r;
    begin_rounds(g, &r, i32(g, 0), points, false);
    for (int i = 0; i < points; i += h->lanes)
        (vectors ? load_neighbours : load_points)(g, &e, i);
    for (int i = 0; i < points; i += h->lanes)
        store_lanes(g, e.place->dtype, place_of(g, k, i), h->lanes, &e.value[i]);
    end_rounds(g, &r);
}

/* Generates code twice, where lanes are neighbours in memory and where they are not. */
static void for_vectors(struct gen *g, void (*f)(struct gen *g, const void *arg), const void *arg) {
    struct held_points *h = g->threads->held;
    LLVMValueRef vectors = h->vectors;
    if (LLVMIsAConstantInt(vectors)) {
        f(g, arg);
        return;
    }
    LLVMBasicBlockRef way[2] = {gen_block(g, "points"), gen_block(g, "vectors")},
                      done = gen_block(g, "done");
    LLVMBuildCondBr(g->b, vectors, way[1], way[0]);
    LLVMValueRef apart = h->apart;
    for (unsigned k = 0; k < 2; k++) {
        gen_place(g, way[k]);
        h->vectors = LLVMConstInt(i1_type(g), k, false);
        h->apart = k ? i32(g, 1) : h->count;
        f(g, arg);
        LLVMBuildBr(g->b, done);
    }
    h->vectors = vectors;
    h->apart = apart;
    gen_place(g, done);
}

void fill_memory(struct gen *g) {
    for (const struct kept *k = g->plan->map.kept; k != NULL; k = k->next)
        if (k->offset >= 0)
            for_vectors(g, fill_element, k);
}

struct spread_elements {
    const struct pstmt *spread;
    struct held_element *found;
};

/* The body at the thread's points behind the first `from`, so many at a time. */
static LLVMValueRef gen_rounds(struct gen *g, const struct spread_elements *x, LLVMValueRef from,
                               int points, bool whole) {
    enum { FEW = 2 };
    struct held_points *h = g->threads->held;
    struct rounds r;
    h->n = points;
    begin_rounds(g, &r, from, points, whole);
    if (count_far(g, x->found) <= FEW)
        load_far(g, x->found);
    gen_held_points(g, x->spread, x->found);
    for (struct held_element *e = x->found; e != NULL; e = e->next)
        e->early = false;
    return end_rounds(g, &r);
}

/* As many at a time as registers hold: or half as many of 8 bytes, whose addresses and sums are as
 * wide, and where several elements come from memory one by one.  Stores of whole rounds have no
 * conditions, which those of vectors have few of. */
static void gen_spread_rounds(struct gen *g, const void *elements) {
    const struct spread_elements *x = elements;
    const struct held_points *h = g->threads->held;
    int points = g->plan->map.held, loaded = 0;
    for (const struct held_element *e = x->found; e != NULL; e = e->next)
        loaded += !is_in_memory(g, e);
    if (points > h->lanes && (h->lanes <= 2 || (loaded > 1 && !has_vectors(h))))
        points /= 2;
    bool single = h->nest.n == 1 && !has_columns(g) && count_far(g, x->found) == 0;
    bool whole = x->spread->accs == NULL && points > h->lanes && !single;
    LLVMValueRef from = gen_rounds(g, x, i32(g, 0), points, whole);
    if (whole)
        gen_rounds(g, x, from, h->lanes, false);
}

/* Is it worth code of its own where lanes are neighbours?  Then elements that memory alone has come
 * together, and one place in several ranges is that of all lanes. */
static bool needs_vectors(struct gen *g, const struct spread_elements *x) {
    bool stores = x->spread->accs == NULL, memory = false;
    for (const struct held_element *e = x->found; e != NULL; e = e->next)
        memory = memory || !is_in_memory(g, e);
    return count_far(g, x->found) > 0 || (g->threads->held->nest.n > 1 && (stores || memory));
}

void gen_all_rounds(struct gen *g, const struct pstmt *s, struct held_element *found) {
    const struct spread_elements x = {s, found};
    if (needs_vectors(g, &x))
        for_vectors(g, gen_spread_rounds, &x);
    else
        gen_spread_rounds(g, &x);
}
