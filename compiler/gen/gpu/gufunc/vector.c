/* vector.c: neighbouring elements of any type as one vector in memory: as words of at most 32 bits,
 * or as they are.  They are single values in registers: ptxas has made errors with vectors of bools
 * and of small integers. */
#include "series.h"

static LLVMTypeRef vector_type(struct gen *g, enum ufc_dtype d, int lanes) {
    int bits = dtype_info[d].bits, all = bits * lanes;
    if (bits >= 32)
        return LLVMVectorType(gen_memory_type(g, d), (unsigned)lanes);
    int word = all < 32 ? all : 32;
    LLVMTypeRef type = LLVMIntTypeInContext(g->context, (unsigned)word);
    return all == word ? type : LLVMVectorType(type, (unsigned)(all / word));
}

static LLVMValueRef word_of(struct gen *g, LLVMValueRef vector, int k) {
    bool many = LLVMGetTypeKind(LLVMTypeOf(vector)) == LLVMVectorTypeKind;
    return many ? LLVMBuildExtractElement(g->b, vector, i32(g, (uint32_t)k), "") : vector;
}

/* Element k of a vector. */
static LLVMValueRef take_lane(struct gen *g, enum ufc_dtype d, LLVMValueRef vector, int k) {
    int bits = dtype_info[d].bits, per = 32 / bits;
    if (bits >= 32)
        return word_of(g, vector, k);
    LLVMValueRef word = word_of(g, vector, k / per);
    LLVMValueRef shift = LLVMConstInt(LLVMTypeOf(word), (uint64_t)(k % per * bits), false);
    LLVMTypeRef type = gen_memory_type(g, d);
    LLVMValueRef v = LLVMBuildTrunc(g->b, LLVMBuildLShr(g->b, word, shift, ""), type, "");
    return d == DT_BOOL ? is_set(g, v) : v;
}

static LLVMValueRef make_vector(struct gen *g, enum ufc_dtype d, const LLVMValueRef *value,
                                int lanes) {
    LLVMTypeRef type = vector_type(g, d, lanes);
    bool many = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    LLVMTypeRef word = many ? LLVMGetElementType(type) : type;
    int bits = dtype_info[d].bits, per = bits >= 32 ? 1 : 32 / bits;
    LLVMValueRef all = LLVMGetPoison(type), part = NULL;
    for (int k = 0; k < lanes; k++) {
        part = k % per == 0 ? LLVMConstNull(word) : part;
        part = bits < 32 ? put_lane(g, part, bits, k % per, value[k]) : value[k];
        all =
            many ? LLVMBuildInsertElement(g->b, all, part, i32(g, (uint32_t)(k / per)), "") : part;
    }
    return all;
}

static unsigned bytes_of(enum ufc_dtype d, int lanes) {
    return (unsigned)(lanes * dtype_info[d].bits / 8);
}

void load_lanes(struct gen *g, enum ufc_dtype d, LLVMValueRef at, int lanes, LLVMValueRef *value) {
    LLVMValueRef vector = LLVMBuildLoad2(g->b, vector_type(g, d, lanes), at, "");
    LLVMSetAlignment(vector, bytes_of(d, lanes));
    for (int k = 0; k < lanes; k++)
        value[k] = take_lane(g, d, vector, k);
}

void store_lanes(struct gen *g, enum ufc_dtype d, LLVMValueRef at, int lanes,
                 const LLVMValueRef *value) {
    LLVMValueRef vector = make_vector(g, d, value, lanes);
    LLVMSetAlignment(LLVMBuildStore(g->b, vector, at), bytes_of(d, lanes));
}

/* The address of the element at the lane variable's value, whose neighbours have no gaps between.
 */
static LLVMValueRef address_of(struct gen *g, const struct pval *place) {
    LLVMValueRef *stride = &g->arrays[place->operand].stride[gen_lane_axis(g, place)];
    LLVMValueRef any = *stride;
    *stride = i64(g, (uint64_t)dtype_info[place->dtype].bits / 8);
    LLVMValueRef at = gen_address(g, place);
    *stride = any;
    return at;
}

void load_row(struct gen *g, const struct pval *place, LLVMValueRef at, int lanes,
              LLVMValueRef *value) {
    enum ufc_dtype d = place->dtype;
    LLVMTypeRef type = vector_type(g, d, lanes);
    LLVMValueRef vector = gen_vector(g, place, type, at, bytes_of(d, lanes));
    for (int k = 0; k < lanes; k++)
        value[k] = take_lane(g, d, vector, k);
}

void load_vector(struct gen *g, const struct pval *place, int lanes, LLVMValueRef *value) {
    load_row(g, place, address_of(g, place), lanes, value);
}

void store_vector(struct gen *g, const struct pval *place, int lanes, const LLVMValueRef *value) {
    enum ufc_dtype d = place->dtype;
    store_lanes(g, d, address_of(g, place), lanes, value);
}

/* ---- whether accesses can be vectors */

/* Whether the accesses of a body can be vectors, and of how many elements. */
struct access {
    struct gen *g;
    int lanes;            /* of the vectors; 0: only `widest` is asked */
    LLVMValueRef aligned; /* i1: they can; NULL: no condition so far */
    int widest;           /* bytes of the widest element accessed along the lanes; 0: none is */
};

static void add_condition(struct access *a, LLVMValueRef word, uint64_t size) {
    struct gen *g = a->g;
    LLVMValueRef rest = LLVMBuildAnd(g->b, word, i64(g, size - 1), "");
    LLVMValueRef ok = compare(g, LLVMIntEQ, rest, i64(g, 0));
    a->aligned = a->aligned != NULL ? both(g, a->aligned, ok) : ok;
}

/* Adds the conditions of an element's access. */
static enum walk add_element(const struct pval *v, void *arg) {
    struct access *a = arg;
    struct gen *g = a->g;
    int axis = v->kind == PV_ELEM ? gen_lane_axis(g, v) : -1;
    int size = dtype_info[v->dtype].bits / 8;
    if (axis < 0)
        return WALK_IN;
    if (size > a->widest)
        a->widest = size;
    if (a->lanes == 0)
        return WALK_IN;
    const struct gen_array *array = &g->arrays[v->operand];
    uint64_t bytes = (uint64_t)(a->lanes * size < 16 ? a->lanes * size : 16);
    LLVMValueRef base = LLVMBuildPtrToInt(g->b, array->base, i64_type(g), "");
    LLVMValueRef unit = compare(g, LLVMIntEQ, array->stride[axis], i64(g, (uint64_t)size));
    add_condition(a, base, bytes);
    a->aligned = both(g, a->aligned, unit);
    for (int i = 0; i < v->nargs; i++)
        if (i != axis)
            add_condition(a, array->stride[i], bytes);
    return WALK_IN;
}

static void find_accesses(const struct pstmt *s, struct access *a) {
    plan_walk(s, &(struct plan_visitor){.value = add_element}, a);
}

LLVMValueRef are_aligned(struct gen *g, const struct pstmt *list, LLVMValueRef lo, int lanes) {
    struct access a = {.g = g, .lanes = lanes};
    add_condition(&a, lo, (uint64_t)lanes);
    find_accesses(list, &a);
    return a.aligned;
}

int widest_access(struct gen *g, const struct pstmt *list) {
    struct access a = {.g = g};
    find_accesses(list, &a);
    return a.widest;
}
