/* several.c: the points of a definition that a thread of NEST has at once: their reductions run
 * together, so that what all of them read is loaded once.  Threads may share them as they share
 * those of one point. */
#include "gufunc.h"

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

/* Sets the indices of the points.  Those beyond the end of the range do not exist, and are computed
 * as the last one is.  Gives how many exist: one register, where a bit of each would be several. */
static LLVMValueRef set_points(struct gen *g, const struct abreast *a, const struct at *at,
                               int walked) {
    const struct threads *t = g->threads;
    LLVMValueRef position = t->position[walked], apart = NEST_I64(g, apart);
    LLVMValueRef last = subtract(g, size_of_range(g, at, walked), i64(g, 1));
    LLVMValueRef existing = i32(g, 0);
    for (int k = 0; k < a->points; k++) {
        abreast_take(g, a, k);
        LLVMValueRef exists = compare(g, LLVMIntSLE, position, last);
        existing = add(g, existing, LLVMBuildZExt(g->b, exists, i32_type(g), ""));
        set_position(g, at, walked, least(g, position, last));
        position = add(g, position, apart);
    }
    return existing;
}

void gen_several_points(struct gen *g, const struct pstmt *s, const struct at *at) {
    const struct ufc_phase *phase = &g->plan->map.phase[s->phase];
    int walked = (int)phase->abreast_range;
    struct abreast a;
    abreast_begin_points(g, &a, s, at->range[walked]->var, (int)phase->abreast);
    if (phase->slides > 0)
        set_sliding(g, &a, at, walked);
    else
        g->existing = set_points(g, &a, at, walked);
    g->abreast = &a;
    gen_stmts(g, s->body);
    g->abreast = NULL;
    abreast_take(g, &a, 0);
    g->existing = g->skipped = NULL;
}
