/* lanes.c: sets how many lanes values have; begins and joins the accs of a PS_SPREAD whose points
 * are lanes. */
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

void lanes_begin(struct gen *g, const struct pacc *a) {
    for (; a != NULL; a = a->next) {
        LLVMValueRef v =
            LLVMBuildLoad2(g->b, gen_type(g, a->acc->dtype), var_of(g, a->acc)->slot, "");
        struct lanes_scope outer = lanes_enter(g, g->vector_lanes);
        LLVMBuildStore(g->b, gen_dynamic_splat(g, v), var_of(g, a->acc)->lanes);
        lanes_leave(g, outer);
    }
}

/* Lanes n … 2 * n - 1, as the first n lanes: all lanes are rotated, since LLVM 22 makes a wrong
 * broadcast of lanes that nobody needs where these stay as they are. */
static LLVMValueRef upper_half(struct gen *g, LLVMValueRef v, int n) {
    LLVMValueRef lanes[MOST_LANES];
    for (int i = 0; i < g->lanes; i++)
        lanes[i] = i32(g, (unsigned)((i + n) % g->lanes));
    return LLVMBuildShuffleVector(g->b, v, LLVMGetPoison(LLVMTypeOf(v)),
                                  LLVMConstVector(lanes, (unsigned)g->lanes), "");
}

/* The upper half of the lanes is joined to the lower half until one lane is left. */
void lanes_join(struct gen *g, const struct pstmt *s) {
    struct lanes_scope outer = lanes_enter(g, g->vector_lanes);
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
