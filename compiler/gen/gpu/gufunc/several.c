/* several.c: the points of a definition that a thread of NEST has at once: their reductions run
 * together, so that what all of them read is loaded once.  Threads may share them as they share
 * those of one point. */
#include "gufunc.h"

enum { ORDERED_STEPS = 2 }; /* iterations of a loop in order whose loads are under way at once */

int points_at_once(const struct gen *g) {
    return g->abreast != NULL ? g->abreast->points : 1;
}

void at_points(struct gen *g, int first, int end, at_point *f, const void *arg) {
    const struct abreast *a = g->abreast;
    g->abreast = NULL;
    for (int k = first; k < end; k++) {
        if (a != NULL)
            abreast_take(g, a, k);
        f(g, k, arg);
    }
    g->abreast = a;
}

void at_each_point(struct gen *g, at_point *f, const void *arg) {
    at_points(g, 0, points_at_once(g), f, arg);
}

/* Sets the indices of points whose elements slide: neighbours, all of them in the range.  What an
 * earlier thread has too is skipped. */
static void set_sliding(struct gen *g, const struct abreast *a, const struct at *at, int walked) {
    LLVMValueRef own = g->threads->position[walked];
    LLVMValueRef most = subtract(g, size_of_range(g, at, walked), i64(g, (uint64_t)a->points));
    LLVMValueRef first = least(g, own, most);
    g->skipped = LLVMBuildTrunc(g->b, subtract(g, own, first), i32_type(g), "");
    for (int k = 0; k < a->points; k++) {
        abreast_take(g, a, k);
        set_position(g, at, walked, add(g, first, i64(g, (uint64_t)k)));
    }
}

/* Finds the positions of n points along range i, `apart` from one another.  Those beyond the end of
 * the range do not exist, and are computed as the last one is; the first one does. */
static void find_positions(struct gen *g, const struct at *at, int i, int n, LLVMValueRef apart,
                           struct places_along *along) {
    bool narrow = g->narrow && at->range[i]->narrow;
    LLVMTypeRef type = narrow ? i32_type(g) : i64_type(g);
    LLVMValueRef last = subtract(g, size_of_range(g, at, i), i64(g, 1));
    last = LLVMBuildTrunc(g->b, last, type, "");
    along->apart = LLVMBuildTrunc(g->b, apart, type, "");
    along->position[0] = LLVMBuildTrunc(g->b, g->threads->position[i], type, "");
    for (int k = 1; k < n; k++) {
        LLVMValueRef args[] = {add(g, along->position[k - 1], along->apart), last};
        along->position[k] = gen_intrinsic(g, "umin", NULL, args, 2);
    }
}

static LLVMValueRef position_at(struct gen *g, const struct places_along *along, int k) {
    LLVMValueRef at = along->position[k];
    return LLVMTypeOf(at) == i32_type(g) ? extended(g, at) : at;
}

/* i1: position k exists: the one before is not as near as the last one.  NULL: it is the first. */
static LLVMValueRef exists_at(struct gen *g, const struct places_along *along, int k) {
    if (k == 0)
        return NULL;
    LLVMValueRef far = subtract(g, along->position[k], along->position[k - 1]);
    return compare(g, LLVMIntEQ, far, along->apart);
}

static void set_points(struct gen *g, const struct abreast *a, const struct at *at, int walked) {
    find_positions(g, at, walked, a->points, NEST_I64(g, apart), &g->along[0]);
    for (int k = 0; k < a->points; k++) {
        abreast_take(g, a, k);
        set_position(g, at, walked, position_at(g, &g->along[0], k));
    }
}

static LLVMValueRef is_below(struct gen *g, int k, LLVMValueRef n) {
    return compare(g, LLVMIntULT, i32(g, (uint32_t)k), n);
}

LLVMValueRef is_own_point(struct gen *g) {
    if (g->skipped != NULL)
        return gen_not(g, is_below(g, g->point, g->skipped));
    if (g->along[0].apart == NULL)
        return NULL;
    if (g->aside == 0)
        return exists_at(g, &g->along[0], g->point);
    LLVMValueRef row = exists_at(g, &g->along[0], g->point / g->aside);
    LLVMValueRef column = exists_at(g, &g->along[1], g->point % g->aside);
    return row == NULL ? column : column == NULL ? row : both(g, row, column);
}

/* The body at the points of a thread, whose indices are set: where threads share nothing of it, nor
 * of what it stores, only if it has a point.  Ordered loops have fewer iterations under way then.
 */
static void gen_together(struct gen *g, const struct pstmt *s, const struct abreast *a) {
    bool alone = g->plan->map.phase[s->phase].reductions == 0;
    bool guarded = alone && g->skipped == NULL;
    LLVMBasicBlockRef after = guarded ? begin_if(g, g->threads->has_point) : NULL;
    int ahead = g->ahead;
    g->ahead = alone ? ORDERED_STEPS : ahead;
    g->abreast = a;
    gen_stmts(g, s->body);
    g->abreast = NULL;
    g->ahead = ahead;
    if (guarded)
        end_if(g, after);
    abreast_take(g, a, 0);
    g->along[0].apart = g->along[1].apart = g->skipped = NULL;
    g->aside = 0;
}

void gen_several_points(struct gen *g, const struct pstmt *s, const struct at *at) {
    const struct ufc_phase *phase = &g->plan->map.phase[s->phase];
    int walked = (int)phase->abreast_range;
    struct abreast a;
    abreast_begin_points(g, &a, s, at->range[walked]->var, NULL, (int)phase->abreast);
    (phase->slides > 0 ? set_sliding : set_points)(g, &a, at, walked);
    gen_together(g, s, &a);
}

void gen_microtile(struct gen *g, const struct pstmt *s, const struct at *at) {
    const struct ufc_phase *phase = &g->plan->map.phase[s->phase];
    const LLVMValueRef apart[] = {NEST_I64(g, apart), NEST_I64(g, aside)};
    const int range[] = {(int)phase->micro_range[0], (int)phase->micro_range[1]};
    int n[] = {(int)phase->micro[0], (int)phase->micro[1]};
    struct abreast a;
    abreast_begin_points(g, &a, s, at->range[range[0]]->var, at->range[range[1]]->var, n[0] * n[1]);
    g->aside = n[1];
    for (int i = 0; i < 2; i++)
        find_positions(g, at, range[i], n[i], apart[i], &g->along[i]);
    for (int k = 0; k < a.points; k++) {
        abreast_take(g, &a, k);
        set_position(g, at, range[0], position_at(g, &g->along[0], k / n[1]));
        set_position(g, at, range[1], position_at(g, &g->along[1], k % n[1]));
    }
    gen_together(g, s, &a);
}
