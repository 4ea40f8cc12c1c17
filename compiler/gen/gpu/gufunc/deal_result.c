/* deal_result.c: DEAL's results: elements that one iteration alone has, which the warp that updates
 * its bin stores.  The entry says which iteration it is. */
#include "gufunc.h"

void deal_set_number(const struct dealing *x, LLVMValueRef number) {
    struct gen *g = x->g;
    if (x->d->number == NULL)
        return;
    LLVMValueRef before = multiply(g, x->lot, param_i32(g, PARAM(own)));
    LLVMBuildStore(g->b, add(g, before, number), var_of(g, x->d->number)->slot);
}

/* Sets the indices of the entry's iteration. */
static void set_iteration(const struct dealing *x) {
    struct gen *g = x->g;
    LLVMValueRef number = LLVMBuildLoad2(g->b, i32_type(g), var_of(g, x->d->number)->slot, "");
    deal_set_indices(x, add(g, x->base, extended(g, number)));
}

static void store_result(const struct dealing *x, const struct deal_result *r) {
    struct gen *g = x->g;
    LLVMBasicBlockRef after = NULL;
    if (r->when != NULL)
        after = begin_if(g, gen_value(g, r->when));
    enum ufc_dtype d = r->value->dtype;
    LLVMValueRef v = LLVMBuildLoad2(g->b, gen_type(g, d), var_of(g, r->value)->slot, "");
    gen_store_to(g, r->place, gen_cast(g, v, d, r->place->dtype));
    if (r->when != NULL)
        end_if(g, after);
}

void deal_store_results(const struct dealing *x, int kind, int part, LLVMValueRef is) {
    struct gen *g = x->g;
    bool any = false;
    for (int i = 0; i < x->d->nresults; i++)
        any = any || deal_is_result_of(x->d, i, kind, part);
    if (!any)
        return;
    LLVMBasicBlockRef after = begin_if(g, is);
    set_iteration(x);
    for (int i = 0; i < x->d->nresults; i++)
        if (deal_is_result_of(x->d, i, kind, part))
            store_result(x, &x->d->result[i]);
    end_if(g, after);
}
