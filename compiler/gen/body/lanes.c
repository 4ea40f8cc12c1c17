/* lanes.c: how many lanes values have, and the accs of a PS_SPREAD whose points are the lanes of a
 * vector. */
#include "build.h"

struct lanes_scope lanes_enter(struct gen *g, int lanes) {
    struct lanes_scope outer = {g->lanes, g->unit, g->all_active};
    g->lanes = lanes;
    g->unit = false;
    g->all_active = true;
    return outer;
}

void lanes_leave(struct gen *g, struct lanes_scope outer) {
    g->lanes = outer.lanes;
    g->unit = outer.unit;
    g->all_active = outer.all_active;
}

/* Each lane begins with the identity. */
void lanes_begin(struct gen *g, const struct pacc *a) {
    for (; a != NULL; a = a->next) {
        LLVMValueRef v =
            LLVMBuildLoad2(g->b, gen_type(g, a->acc->dtype), var_of(g, a->acc)->slot, "");
        struct lanes_scope outer = lanes_enter(g, g->most_lanes);
        LLVMBuildStore(g->b, gen_dynamic_splat(g, v), var_of(g, a->acc)->lanes);
        lanes_leave(g, outer);
    }
}

/* The upper half of the first 2 * n lanes, in the lower lanes. */
static LLVMValueRef upper_half(struct gen *g, LLVMValueRef v, int n) {
    LLVMValueRef lanes[64];
    for (int i = 0; i < g->lanes; i++)
        lanes[i] = i32(g, (unsigned)(i < n ? i + n : i));
    return LLVMBuildShuffleVector(g->b, v, LLVMGetPoison(LLVMTypeOf(v)),
                                  LLVMConstVector(lanes, (unsigned)g->lanes), "");
}

/* The lanes' accs in one: halves with halves. */
void lanes_join(struct gen *g, const struct pstmt *s) {
    struct lanes_scope outer = lanes_enter(g, g->most_lanes);
    for (int n = g->lanes / 2; n > 0; n /= 2) {
        for (const struct pacc *a = s->accs; a != NULL; a = a->next) {
            LLVMTypeRef type = gen_type(g, a->acc->dtype);
            LLVMValueRef v = LLVMBuildLoad2(g->b, type, var_of(g, a->acc)->lanes, "");
            LLVMBuildStore(g->b, upper_half(g, v, n), var_of(g, a->other)->lanes);
        }
        gen_stmts(g, s->joined);
    }
    for (const struct pacc *a = s->accs; a != NULL; a = a->next) {
        LLVMValueRef v =
            LLVMBuildLoad2(g->b, gen_type(g, a->acc->dtype), var_of(g, a->acc)->lanes, "");
        LLVMBuildStore(g->b, LLVMBuildExtractElement(g->b, v, i32(g, 0), ""),
                       var_of(g, a->acc)->slot);
    }
    lanes_leave(g, outer);
}
