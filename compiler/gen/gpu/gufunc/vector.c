/* vector.c: neighbouring elements of any type as one vector in memory: as words of at most 32 bits,
 * or as they are.  They are single values in registers: ptxas has made errors with vectors of bools
 * and of small integers. */
#include "gufunc.h"

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
        LLVMValueRef v = value[k];
        if (bits < 32) {
            LLVMValueRef shift = LLVMConstInt(word, (uint64_t)(k % per * bits), false);
            v = LLVMBuildShl(g->b, LLVMBuildZExt(g->b, v, word, ""), shift, "");
        }
        part = k % per == 0 ? v : LLVMBuildOr(g->b, part, v, "");
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

void load_vector(struct gen *g, const struct pval *place, int lanes, LLVMValueRef *value) {
    enum ufc_dtype d = place->dtype;
    LLVMTypeRef type = vector_type(g, d, lanes);
    LLVMValueRef vector = gen_vector(g, place, type, address_of(g, place), bytes_of(d, lanes));
    for (int k = 0; k < lanes; k++)
        value[k] = take_lane(g, d, vector, k);
}

void store_vector(struct gen *g, const struct pval *place, int lanes, const LLVMValueRef *value) {
    enum ufc_dtype d = place->dtype;
    store_lanes(g, d, address_of(g, place), lanes, value);
}
