/* several.c: the points of a definition that a thread of NEST has at once: their reductions run
 * together, so that what all of them read is loaded once.  Threads may share them as they share
 * those of one point. */
#include "gufunc.h"

void at_each_point(struct gen *g, const struct pstmt *s,
                   void (*f)(struct gen *g, const struct pstmt *s, int k)) {
    const struct abreast *a = g->abreast;
    if (a == NULL) {
        f(g, s, 0);
        return;
    }
    g->abreast = NULL;
    for (int k = 0; k < a->points; k++) {
        abreast_take(g, a, k);
        f(g, s, k);
    }
    g->abreast = a;
}

/* Sets the indices of the points.  Those beyond the end of the range do not exist, and are computed
 * as the last one is. */
static void set_points(struct gen *g, struct abreast *a, const struct at *at, int walked) {
    const struct threads *t = g->threads;
    LLVMValueRef position = t->position[walked], apart = NEST_I64(g, apart);
    LLVMValueRef last = subtract(g, size_of_range(g, at, walked), i64(g, 1));
    a->exists = NEWN(g->uc, LLVMValueRef, a->points);
    for (int k = 0; k < a->points; k++) {
        abreast_take(g, a, k);
        a->exists[k] = compare(g, LLVMIntSLE, position, last);
        set_position(g, at, walked, least(g, position, last));
        position = add(g, position, apart);
    }
}

void gen_several_points(struct gen *g, const struct pstmt *s, const struct at *at) {
    const struct ufc_phase *phase = &g->plan->map.phase[s->phase];
    int walked = (int)phase->abreast_range;
    struct abreast a;
    abreast_begin_points(g, &a, s, at->range[walked]->var, (int)phase->abreast);
    set_points(g, &a, at, walked);
    g->abreast = &a;
    gen_stmts(g, s->body);
    g->abreast = NULL;
    abreast_take(g, &a, 0);
    g->exists = NULL;
}
