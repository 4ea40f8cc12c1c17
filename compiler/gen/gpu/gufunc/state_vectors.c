/* state_vectors.c: what lanes that have several neighbouring indices of a state load of inputs, as
 * vectors where memory has these so. */
#include "state.h"

static enum walk note_axis(const struct pval *v, void *arg) {
    struct along *a = arg;
    if (v->kind != PV_ELEM || v->operand >= a->g->plan->noperands || is_kept(a->g, v))
        return WALK_IN;
    int *axis = &a->axis[v->operand];
    for (int i = 0; i < v->nargs; i++)
        if (v->args[i]->kind == PV_VAR && v->args[i]->var == a->spread->ranges->var)
            *axis = *axis == NO_AXIS || *axis == i ? i : SEVERAL_AXES;
    return WALK_IN;
}

void find_axes(struct along *a, const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        a->spread = points_in_lanes(s);
        if (a->spread != NULL)
            stmt_walk(s, &(struct plan_visitor){.value = note_axis}, a);
        else if (s->kind != PS_SPREAD) {
            find_axes(a, s->shared != NULL ? s->shared : s->body);
            find_axes(a, s->shared != NULL ? NULL : s->other);
        }
    }
}

/* Bytes of a lane's elements of operand k; 0: they are no neighbours in any access. */
static uint32_t vector_bytes(const struct along *a, int k) {
    uint32_t bytes = dtype_info[a->g->plan->operands[k].dtype].bits / 8;
    return a->axis[k] < 0 ? 0 : bytes * (uint32_t)a->g->threads->state->per;
}

LLVMValueRef are_vectors(struct gen *g, const struct along *a) {
    uint64_t per = (uint64_t)g->threads->state->per;
    LLVMValueRef size = g->dims[g->plan->map.state->index];
    LLVMValueRef apart = LLVMBuildAnd(g->b, size, i64(g, per - 1), "");
    for (int k = 0; k < g->plan->noperands; k++) {
        uint32_t bytes = vector_bytes(a, k);
        if (bytes == 0)
            continue;
        LLVMValueRef low = gufunc_address_bits(g, k);
        for (int i = 0; i < g->plan->operands[k].rank; i++)
            if (i != a->axis[k])
                low = LLVMBuildOr(g->b, low, g->arrays[k].stride[i], "");
        apart = LLVMBuildOr(g->b, apart, LLVMBuildAnd(g->b, low, i64(g, bytes - 1), ""), "");
        LLVMValueRef gap = subtract(g, g->arrays[k].stride[a->axis[k]], i64(g, bytes / per));
        apart = LLVMBuildOr(g->b, apart, gap, "");
    }
    return gen_not(g, is_set(g, apart));
}

void assume_vectors(struct gen *g, const struct along *a) {
    for (int k = 0; k < g->plan->noperands; k++) {
        uint32_t bytes = vector_bytes(a, k);
        struct gen_array *array = &g->arrays[k];
        if (bytes == 0)
            continue;
        LLVMValueRef mask = i64(g, -(uint64_t)bytes);
        for (int i = 0; i < g->plan->operands[k].rank; i++)
            array->stride[i] = i == a->axis[k] ? i64(g, bytes / (uint64_t)g->threads->state->per)
                                               : LLVMBuildAnd(g->b, array->stride[i], mask, "");
        LLVMValueRef base = LLVMBuildPtrToInt(g->b, array->base, i64_type(g), "");
        array->base = global_pointer(g, LLVMBuildAnd(g->b, base, mask, ""));
    }
}

static enum walk find_index(const struct pval *v, void *index) {
    return v->kind == PV_VAR && v->var == index ? WALK_STOP : WALK_IN;
}

bool is_vector(struct gen *g, const struct pval *v, const struct varying *apart) {
    const struct state *x = g->threads->state;
    if (x->axis == NULL || v->operand >= g->plan->nin || x->axis[v->operand] < 0 ||
        gen_memory_type(g, v->dtype) != gen_type(g, v->dtype))
        return false;
    const struct pval *at = v->args[x->axis[v->operand]];
    struct pvar *index = x->spread->ranges->var;
    bool same = at->kind == PV_VAR && at->var == index;
    for (int i = 0; i < v->nargs && same; i++)
        same = v->args[i] == at || (apart != NULL ? !value_varies(apart, v->args[i])
                                                  : value_walk(v->args[i], find_index, index));
    return same;
}

LLVMValueRef load_of_lane(struct gen *g, const struct pval *v) {
    unsigned per = (unsigned)g->threads->state->per;
    LLVMTypeRef type = LLVMVectorType(gen_memory_type(g, v->dtype), per);
    LLVMValueRef all = LLVMBuildLoad2(g->b, type, gen_address(g, v), "");
    LLVMSetAlignment(all, dtype_info[v->dtype].bits / 8 * per);
    gen_mark_constant(g, v, all);
    return all;
}

LLVMValueRef of_vector(struct gen *g, LLVMValueRef all, int k) {
    return LLVMBuildExtractElement(g->b, all, i32(g, (uint32_t)k), "");
}

LLVMValueRef take_vector(struct gen *g, const struct pval *v) {
    struct state *x = g->threads->state;
    if (x->apart == NULL || !is_vector(g, v, x->apart))
        return NULL;
    int i = 0;
    while (i < x->nvectors && x->vector[i].place != v)
        i++;
    if (g->point == 0 && i < MAX_VECTORS) {
        LLVMValueRef all = load_of_lane(g, v);
        x->vector[i].place = v;
        x->vector[i].v = all;
        x->vector[i].block = LLVMGetInsertBlock(g->b);
        x->nvectors = i < x->nvectors ? x->nvectors : i + 1;
    }
    bool had = i < x->nvectors && x->vector[i].block == LLVMGetInsertBlock(g->b);
    return had ? of_vector(g, x->vector[i].v, g->point) : NULL;
}
