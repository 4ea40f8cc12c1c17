/* array.c: elements of arrays at subscripts: of a gufunc's operands, by the call's strides, and of
 * local arrays. */
#include "build.h"

static unsigned size_of(enum ufc_dtype d) {
    return (unsigned)dtype_info[d].bits / 8;
}

LLVMValueRef gen_dynamic_splat(struct gen *g, LLVMValueRef v) {
    if (g->lanes == 1)
        return v;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(g->context);
    LLVMTypeRef type = LLVMVectorType(LLVMTypeOf(v), (unsigned)g->lanes);
    v = LLVMBuildInsertElement(g->b, LLVMGetPoison(type), v, LLVMConstNull(i32), "");
    return LLVMBuildShuffleVector(g->b, v, LLVMGetPoison(type),
                                  LLVMConstNull(LLVMVectorType(i32, (unsigned)g->lanes)), "");
}

LLVMValueRef gen_lane_numbers(struct gen *g) {
    LLVMValueRef numbers[MOST_LANES];
    for (int i = 0; i < g->lanes; i++)
        numbers[i] = i64(g, i);
    return LLVMConstVector(numbers, (unsigned)g->lanes);
}

/* ---- local arrays */

/* Elements of a local array. */
static int64_t length(const struct poperand *array) {
    int64_t n = 1;
    for (int i = 0; i < array->rank; i++)
        n *= array->dims[i]->size;
    return n;
}

/* Values at each place of a local array: one a lane where they vary between lanes. */
static int copies(struct gen *g, int array) {
    return g->varying == NULL || g->varying->arrays[array] ? g->vector_lanes : 1;
}

void gen_local_arrays(struct gen *g) {
    const struct plan *p = g->plan;
    for (int k = p->noperands; k < p->noperands + p->nlocals; k++) {
        const struct poperand *o = &p->operands[k];
        struct gen_array *a = &g->arrays[k];
        LLVMTypeRef type =
            LLVMArrayType2(gen_memory_type(g, o->dtype), (uint64_t)(length(o) * copies(g, k)));
        a->base = gen_alloca(g, type, o->name);
        LLVMSetAlignment(a->base, 64);
        int64_t stride = (int64_t)size_of(o->dtype) * copies(g, k);
        for (int i = o->rank; i-- > 0; stride *= o->dims[i]->size)
            a->stride[i] = i64(g, stride);
        if (copies(g, k) > 1) {
            struct lanes_scope outer = lanes_enter(g, g->vector_lanes);
            a->lane_offset = LLVMBuildMul(g->b, gen_lane_numbers(g),
                                          gen_dynamic_splat(g, i64(g, size_of(o->dtype))), "");
            lanes_leave(g, outer);
        }
    }
}

/* Clears n elements in the active lanes alone. */
static void clear_lanes(struct gen *g, LLVMValueRef base, enum ufc_dtype d, int64_t n) {
    LLVMTypeRef type = gen_lanes_of(g, gen_memory_type(g, d));
    LLVMValueRef mask = LLVMBuildLoad2(g->b, gen_type(g, DT_BOOL), g->mask, "");
    LLVMValueRef zero = i64(g, 0);
    struct loop l;
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, LLVMBuildICmp(g->b, LLVMIntSLT, l.phi[0], i64(g, n), ""));
    LLVMValueRef at = LLVMBuildGEP2(g->b, type, base, &l.phi[0], 1, "");
    LLVMValueRef old = LLVMBuildLoad2(g->b, type, at, "");
    LLVMSetAlignment(old, size_of(d));
    LLVMValueRef v = LLVMBuildSelect(g->b, mask, LLVMConstNull(type), old, "");
    LLVMSetAlignment(LLVMBuildStore(g->b, v, at), size_of(d));
    LLVMValueRef next = LLVMBuildAdd(g->b, l.phi[0], i64(g, 1), "");
    loop_end(g, &l, &next);
}

void gen_clear(struct gen *g, const struct pstmt *s) {
    const struct poperand *o = &g->plan->operands[s->operand];
    LLVMValueRef base = g->arrays[s->operand].base;
    LLVMValueRef zero = LLVMConstNull(LLVMInt8TypeInContext(g->context));
    if (g->sharing != NULL && g->arrays[s->operand].common)
        g->sharing->clear(g, s);
    else if (g->lanes > 1 && !g->all_active)
        clear_lanes(g, base, o->dtype, length(o));
    else
        LLVMBuildMemSet(g->b, base, zero,
                        i64(g, length(o) * copies(g, s->operand) * size_of(o->dtype)), 64);
}

/* ---- places */

/* Says of a sum or a product, an offset, that it has no carry: passes then see which accesses are
 * at constant distances. */
static LLVMValueRef without_wrap(LLVMValueRef v) {
    if (LLVMIsAInstruction(v)) {
        LLVMSetNUW(v, true);
        LLVMSetNSW(v, true);
    }
    return v;
}

/* A subscript times a stride of the array. */
static LLVMValueRef scaled(struct gen *g, const struct gen_array *array, LLVMValueRef index,
                           LLVMValueRef stride) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(g->context);
    if (LLVMIsNull(stride))
        return stride;
    if (array->narrow)
        return extended(g, without_wrap(LLVMBuildMul(g->b, LLVMBuildTrunc(g->b, index, i32, ""),
                                                     LLVMBuildTrunc(g->b, stride, i32, ""), "")));
    if (!g->narrow || g->lanes > 1 || LLVMIsConstant(index) || LLVMIsConstant(stride))
        return LLVMBuildMul(g->b, index, stride, "");
    return g->target->multiply_wide(g, LLVMBuildTrunc(g->b, index, i32, ""),
                                    LLVMBuildTrunc(g->b, stride, i32, ""));
}

LLVMValueRef gen_part_of_offset(struct gen *g, const struct pval *v, unsigned axes) {
    LLVMValueRef sum = i64(g, 0);
    for (int i = 0; i < v->nargs; i++)
        if (axes >> i & 1)
            sum = add(g, sum,
                      scaled(g, &g->arrays[v->operand], gen_value(g, v->args[i]),
                             g->arrays[v->operand].stride[i]));
    return sum;
}

/* Bytes from the array's base to the element, i64 in g->lanes, without the array's lane_offset.
 * *in_range, NULL before: set to an i1 where subscripts are tested and control goes on behind a
 * fault. */
static LLVMValueRef checked_offset(struct gen *g, const struct pval *v, LLVMValueRef *in_range) {
    const struct begun *begun = gen_begun(g, v);
    LLVMValueRef sum = begun != NULL ? begun->offset : NULL;
    for (int i = 0; i < v->nargs; i++) {
        if (begun != NULL && begun->axes >> i & 1)
            continue;
        LLVMValueRef stride = gen_dynamic_splat(g, g->arrays[v->operand].stride[i]);
        LLVMValueRef index = g->subscript != NULL ? g->subscript(g, v, i) : NULL;
        index = index != NULL ? index : gen_value(g, v->args[i]);
        LLVMValueRef ok = v->checked >> i & 1 ? gen_check(g, v, i, index) : NULL;
        if (ok != NULL)
            *in_range = *in_range != NULL ? both(g, *in_range, ok) : ok;
        LLVMValueRef part = scaled(g, &g->arrays[v->operand], index, stride);
        sum = sum != NULL ? LLVMBuildAdd(g->b, sum, part, "") : part;
    }
    return sum != NULL ? sum : LLVMConstNull(gen_type(g, DT_INT64));
}

/* The part of v's address that is the same at all of g->beside's points: masked by its alignment,
 * so that passes see all accesses at constant distances from it. */
static LLVMValueRef first_place(struct gen *g, const struct pval *v, LLVMValueRef offset) {
    const struct gen_array *array = &g->arrays[v->operand];
    LLVMValueRef at = at_byte(g, array->base, offset), mask = i64(g, -(int64_t)array->beside);
    at = LLVMBuildPtrToInt(g->b, at, LLVMTypeOf(mask), "");
    return LLVMBuildIntToPtr(g->b, both(g, at, mask), LLVMTypeOf(array->base), "");
}

/* Bytes from the array's base to an element whose subscripts are not tested. */
static LLVMValueRef offset_of(struct gen *g, const struct pval *v) {
    LLVMValueRef in_range = NULL;
    return checked_offset(g, v, &in_range);
}

/* address_beside of an array that is flat. */
static LLVMValueRef address_flat(struct gen *g, const struct pval *v, unsigned *align) {
    const struct beside *points = g->beside;
    struct gen_var *var = var_of(g, points->var), *outer = var_of(g, points->outer);
    uint64_t bytes = (uint64_t)points->copy * (uint64_t)dtype_info[v->dtype].bits / 8;
    uint64_t known = bytes | g->arrays[v->operand].beside;
    var->known = points->first;
    outer->known = points->outer_first;
    LLVMValueRef at = first_place(g, v, offset_of(g, v));
    var->known = outer->known = NULL;
    *align = (unsigned)(known & (~known + 1));
    return at_byte(g, at, i64(g, bytes));
}

/* The address of an element at one of g->beside's points, and *align, in bytes; NULL: it is not
 * known to be beside those at the others. */
static LLVMValueRef address_beside(struct gen *g, const struct pval *v, unsigned *align) {
    const struct beside *points = g->beside;
    const struct gen_array *array = &g->arrays[v->operand];
    if (points != NULL && points->outer != NULL)
        return array->flat ? address_flat(g, v, align) : NULL;
    LLVMValueRef first = i64(g, 0), offset = i64(g, 0);
    int64_t by;
    if (points == NULL || array->beside == 0 || v->checked)
        return NULL;
    for (int i = 0; i < v->nargs; i++)
        if (!gen_grows(g, v->args[i], points->var, &by))
            return NULL;
    for (int i = 0; i < v->nargs; i++) {
        struct gen_var *var = var_of(g, points->var);
        gen_grows(g, v->args[i], points->var, &by);
        int64_t own, rest;
        bool split = i >= array->beside_axis && by != 0 &&
                     gen_is_beyond(g, v->args[i], points->var, points->copy, &own) &&
                     gen_is_beyond(g, v->args[i], points->var, 0, &rest);
        var->known = i64(g, split ? 0 : (uint64_t)points->copy);
        LLVMValueRef part = gen_value(g, v->args[i]);
        var->known = NULL;
        if (split) {
            offset =
                add(g, offset, LLVMBuildMul(g->b, i64(g, (uint64_t)own), array->stride[i], ""));
            part = LLVMBuildSub(g->b, part, i64(g, (uint64_t)rest), "");
        }
        part = scaled(g, array, part, array->stride[i]);
        bool aside = !split && (i >= array->beside_axis || LLVMIsConstant(part));
        LLVMValueRef *sum = aside ? &offset : &first;
        *sum = add(g, *sum, part);
        LLVMValueRef step = LLVMBuildMul(g->b, array->stride[i], i64(g, by), "");
        first = add(g, first, LLVMBuildMul(g->b, points->first, step, ""));
    }
    LLVMValueRef at = at_byte(g, first_place(g, v, first), offset);
    *align = dtype_align(v->dtype);
    if (LLVMIsAConstantInt(offset)) {
        uint64_t bits = LLVMConstIntGetZExtValue(offset) | array->beside;
        *align = (unsigned)(bits & (~bits + 1));
    }
    return at;
}

/* Bytes of the subscripts that vary between lanes, or of the others; none are tested. */
static LLVMValueRef part_of_offset(struct gen *g, const struct pval *v, bool varying) {
    LLVMValueRef sum = LLVMConstNull(gen_type(g, DT_INT64));
    for (int i = 0; i < v->nargs; i++) {
        if (gen_varies(g, v->args[i]) != varying)
            continue;
        LLVMValueRef stride = gen_dynamic_splat(g, g->arrays[v->operand].stride[i]);
        sum = add(g, sum, LLVMBuildMul(g->b, gen_value(g, v->args[i]), stride, ""));
    }
    return sum;
}

LLVMValueRef gen_address(struct gen *g, const struct pval *v) {
    struct lanes_scope outer = lanes_enter(g, 1);
    LLVMValueRef at = at_byte(g, g->arrays[v->operand].base, offset_of(g, v));
    lanes_leave(g, outer);
    return at;
}

static LLVMValueRef address(struct gen *g, int operand, LLVMValueRef offset) {
    return at_byte(g, g->arrays[operand].base, offset);
}

static LLVMValueRef lane_index(struct gen *g, int lane) {
    return LLVMConstInt(LLVMInt32TypeInContext(g->context), (unsigned)lane, false);
}

/* A slot that inactive lanes load from and store to. */
static LLVMValueRef nowhere(struct gen *g, LLVMTypeRef type) {
    LLVMValueRef slot = gen_alloca(g, type, "nowhere");
    LLVMSetAlignment(slot, 16);
    return slot;
}

/* The addresses of the lanes' elements. */
struct lane_places {
    LLVMValueRef first;         /* lane 0's address, where lanes are */
    LLVMValueRef apart;         /* so many bytes apart, i64; else NULL, the address to which */
    LLVMValueRef offsets;       /* bytes are added, i64 a lane */
    LLVMValueRef mask, nowhere; /* the active lanes and the slot for the others; NULL: all active */
};

static LLVMValueRef lane_step(struct gen *g, const struct pval *v);

static struct lane_places find_lanes(struct gen *g, const struct pval *v, LLVMTypeRef type,
                                     bool masked) {
    struct lane_places p = {.apart = lane_step(g, v)};
    if (p.apart != NULL) {
        p.first = gen_address(g, v);
    } else {
        struct lanes_scope outer = lanes_enter(g, 1);
        p.first = address(g, v->operand, part_of_offset(g, v, false));
        lanes_leave(g, outer);
        p.offsets = part_of_offset(g, v, true);
        if (g->arrays[v->operand].lane_offset != NULL)
            p.offsets = LLVMBuildAdd(g->b, p.offsets, g->arrays[v->operand].lane_offset, "");
    }
    if (masked) {
        p.mask = LLVMBuildLoad2(g->b, gen_type(g, DT_BOOL), g->mask, "");
        p.nowhere = nowhere(g, type);
    }
    return p;
}

static LLVMValueRef lane_place(struct gen *g, const struct lane_places *p, int lane) {
    LLVMValueRef offset = p->apart != NULL
                              ? LLVMBuildMul(g->b, p->apart, i64(g, (uint64_t)lane), "")
                              : LLVMBuildExtractElement(g->b, p->offsets, lane_index(g, lane), "");
    LLVMValueRef at = at_byte(g, p->first, offset);
    if (p->mask == NULL)
        return at;
    LLVMValueRef active = LLVMBuildExtractElement(g->b, p->mask, lane_index(g, lane), "");
    return LLVMBuildSelect(g->b, active, at, p->nowhere, "");
}

/* ---- neighbouring elements */

static bool all_same(struct gen *g, const struct pval *v) {
    for (int i = 0; i < v->nargs; i++)
        if (gen_varies(g, v->args[i]))
            return false;
    return true;
}

/* Bytes from lane to lane, i64; NULL: they are not evenly spaced, or not known to be. */
static LLVMValueRef lane_step(struct gen *g, const struct pval *v) {
    const struct gen_array *array = &g->arrays[v->operand];
    if (array->lane_step != NULL)
        return all_same(g, v) ? array->lane_step : NULL;
    if (g->lane_step == NULL || !gen_is_affine(g, v))
        return NULL;
    if (g->unit && gen_varies(g, v) && gen_lane_gap(g, v) > 0)
        return i64(g, (uint64_t)gen_lane_gap(g, v) * size_of(v->dtype));
    LLVMValueRef sum = i64(g, 0);
    for (int i = 0; i < v->nargs; i++) {
        int by;
        gen_lane_affine(g, v->args[i], &by);
        LLVMValueRef part = LLVMBuildMul(g->b, array->stride[i], i64(g, (uint64_t)(int64_t)by), "");
        sum = LLVMBuildAdd(g->b, sum, part, "");
    }
    return LLVMBuildMul(g->b, sum, g->lane_step, "");
}

bool gen_has_masked(struct gen *g, const struct pval *v) {
    return gen_lane_gap(g, v) <= 1 && g->target->has_masked != NULL &&
           g->target->has_masked(g, size_of(v->dtype));
}

/* Can the lanes' elements be accessed as one vector? */
static bool fits_mask(struct gen *g, const struct pval *v, bool masked) {
    return !masked || gen_has_masked(g, v);
}

/* Are the lanes' elements neighbours?  A local array that varies has the lanes' values of an
 * element side by side. */
static bool side_by_side(struct gen *g, const struct pval *v) {
    if (v->operand >= g->plan->noperands)
        return g->arrays[v->operand].lane_offset != NULL && all_same(g, v);
    if (g->arrays[v->operand].lane_step != NULL)
        return g->unit && all_same(g, v);
    return g->unit && !all_same(g, v) &&
           (g->target->aligned_vectors ? gen_lane_axis(g, v) >= 0 : gen_lane_gap(g, v) > 0);
}

void gen_set_invariant(struct gen *g, LLVMValueRef load) {
    static const char kind[] = "invariant.load";
    if (!g->target->constant_loads)
        return;
    unsigned id = LLVMGetMDKindIDInContext(g->context, kind, sizeof kind - 1);
    LLVMMetadataRef none = LLVMMDNodeInContext2(g->context, NULL, 0);
    LLVMSetMetadata(load, id, LLVMMetadataAsValue(g->context, none));
}

/* No output shares a byte with another operand.  A copy of an operand that the kernel itself makes,
 * in address space 0, is not invariant. */
void gen_mark_constant(struct gen *g, const struct pval *v, LLVMValueRef load) {
    bool local = v->operand >= g->plan->noperands, output = v->operand >= g->plan->nin;
    if (!local && !(output && !(g->unstored >> v->operand & 1)) &&
        LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(load, 0))) != 0)
        gen_set_invariant(g, load);
}

/* Marks what gen_load_element gave; of a bool that is a comparison, and the load its operand. */
static LLVMValueRef constant(struct gen *g, const struct pval *v, LLVMValueRef load) {
    gen_mark_constant(g, v, LLVMIsALoadInst(load) != NULL ? load : LLVMGetOperand(load, 0));
    return load;
}

/* The address of lane 0's element, from which the others follow without gaps.  Where the point's
 * number is known, all of the address but that is the same for the whole row: loops then need no
 * other index, and no stride. */
static LLVMValueRef vector_place(struct gen *g, const struct pval *v) {
    if (g->lane_point == NULL || v->operand >= g->plan->noperands)
        return gen_address(g, v);
    struct gen_var *var = var_of(g, g->lane_var);
    uint64_t size = size_of(v->dtype);
    var->known = g->lane_lo;
    LLVMValueRef row = gen_address(g, v);
    var->known = NULL;
    size *= (uint64_t)gen_lane_gap(g, v);
    return at_byte(g, row, LLVMBuildMul(g->b, g->lane_point, i64(g, size), ""));
}

/* ---- loads and stores */

static unsigned alignment(struct gen *g, const struct pval *v) {
    return v->operand < g->plan->noperands ? dtype_align(v->dtype) : size_of(part_dtype(v->dtype));
}

/* The alignment, in bytes, of a vector of g->lanes elements from v on. */
static unsigned vector_alignment(struct gen *g, const struct pval *v) {
    unsigned bytes = (unsigned)g->lanes * size_of(v->dtype);
    return !g->target->aligned_vectors ? alignment(g, v) : bytes < 16 ? bytes : 16;
}

/* The alignment, in bytes, of v's element at an offset: more than the dtype's where the base's
 * alignment is known and the offset is a constant. */
static unsigned known_alignment(struct gen *g, const struct pval *v, LLVMValueRef offset) {
    unsigned base = g->arrays[v->operand].align;
    if (base == 0 || !LLVMIsAConstantInt(offset))
        return alignment(g, v);
    uint64_t bytes = LLVMConstIntGetZExtValue(offset);
    uint64_t low = bytes & (~bytes + 1);
    return low == 0 || low > base ? base : (unsigned)low;
}

/* The addresses of all lanes' elements, a vector. */
static LLVMValueRef lane_addresses(struct gen *g, const struct lane_places *p) {
    LLVMValueRef offsets = p->offsets;
    if (p->apart != NULL)
        offsets = LLVMBuildMul(g->b, gen_lane_numbers(g), gen_dynamic_splat(g, p->apart), "");
    return at_byte(g, p->first, offsets);
}

/* Whether the processor gathers elements of v's size under a mask. */
static bool gathers(struct gen *g, const struct pval *v) {
    return size_of(v->dtype) >= 4 && v->dtype != DT_BOOL && !is_complex(v->dtype) &&
           g->target->gathers != NULL && g->target->gathers(g);
}

static LLVMValueRef load_lanes(struct gen *g, const struct pval *v, bool masked) {
    LLVMTypeRef type = gen_memory_type(g, v->dtype);
    struct lane_places p = find_lanes(g, v, type, masked);
    if (p.mask != NULL && gathers(g, v))
        return llvm_masked_gather(g->b, gen_lanes_of(g, type), lane_addresses(g, &p), p.mask,
                                  alignment(g, v));
    LLVMValueRef r = LLVMGetPoison(LLVMVectorType(type, (unsigned)g->lanes));
    if (p.nowhere != NULL)
        LLVMBuildStore(g->b, LLVMConstNull(type), p.nowhere);
    for (int i = 0; i < g->lanes; i++) {
        LLVMValueRef e = LLVMBuildLoad2(g->b, type, lane_place(g, &p, i), "");
        LLVMSetAlignment(e, alignment(g, v));
        constant(g, v, e);
        r = LLVMBuildInsertElement(g->b, r, e, lane_index(g, i), "");
    }
    return v->dtype == DT_BOOL ? LLVMBuildICmp(g->b, LLVMIntNE, r, LLVMConstNull(LLVMTypeOf(r)), "")
                               : r;
}

LLVMValueRef gen_element_aligned(struct gen *g, const struct pval *v, LLVMValueRef at,
                                 unsigned align) {
    return constant(g, v, gen_load_element(g, v->dtype, gen_memory_type(g, v->dtype), at, align));
}

LLVMValueRef gen_vector(struct gen *g, const struct pval *v, LLVMTypeRef type, LLVMValueRef at,
                        unsigned align) {
    LLVMValueRef vector = LLVMBuildLoad2(g->b, type, at, "");
    LLVMSetAlignment(vector, align);
    return constant(g, v, vector);
}

LLVMValueRef gen_element_at(struct gen *g, const struct pval *v, LLVMValueRef offset) {
    LLVMValueRef at = address(g, v->operand, offset);
    return gen_element_aligned(g, v, at, known_alignment(g, v, offset));
}

/* The element, or 0 where a subscript is out of range. */
static LLVMValueRef element_in_range(struct gen *g, const struct pval *v) {
    unsigned align;
    LLVMValueRef at = address_beside(g, v, &align);
    if (at != NULL)
        return gen_element_aligned(g, v, at, align);
    at = gen_run_address(g, v);
    if (at != NULL)
        return gen_element_aligned(g, v, at, alignment(g, v));
    LLVMValueRef in_range = NULL, offset = checked_offset(g, v, &in_range);
    if (in_range == NULL) {
        LLVMValueRef counts = g->counts != NULL ? g->counts(g, v) : NULL;
        if (counts != NULL)
            offset = gen_select(g, counts, offset, LLVMConstNull(LLVMTypeOf(offset)));
        return gen_element_at(g, v, offset);
    }
    LLVMBasicBlockRef from[] = {LLVMGetInsertBlock(g->b), NULL};
    LLVMBasicBlockRef after = begin_if(g, in_range);
    LLVMValueRef e = gen_element_at(g, v, offset);
    LLVMValueRef values[] = {LLVMConstNull(LLVMTypeOf(e)), e};
    from[1] = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    e = LLVMBuildPhi(g->b, LLVMTypeOf(e), "");
    LLVMAddIncoming(e, values, from, 2);
    return e;
}

/* Elements that are `gap` apart, by whole vectors, of which the last one ends with the last lane's
 * element: all that is between them is in the array too. */
static LLVMValueRef load_packed(struct gen *g, const struct pval *v, LLVMTypeRef type, int gap) {
    LLVMValueRef at = vector_place(g, v), r = LLVMGetPoison(type), order[MOST_LANES];
    int lanes = g->lanes, last = (lanes - 1) * (gap - 1);
    for (int k = 0; k < gap; k++) {
        int first = k < gap - 1 ? k * lanes : last;
        uint64_t offset = (uint64_t)first * size_of(v->dtype);
        LLVMValueRef part = gen_vector(g, v, type, at_byte(g, at, i64(g, offset)), alignment(g, v));
        for (int i = 0; i < lanes; i++)
            order[i] = i * gap < k * lanes         ? lane_index(g, i)
                       : i * gap < (k + 1) * lanes ? lane_index(g, lanes + i * gap - first)
                                                   : LLVMGetPoison(i32_type(g));
        r = LLVMBuildShuffleVector(g->b, r, part, LLVMConstVector(order, (unsigned)lanes), "");
    }
    return v->dtype == DT_BOOL ? LLVMBuildICmp(g->b, LLVMIntNE, r, LLVMConstNull(type), "") : r;
}

/* The active lanes' elements, which are neighbours. */
static LLVMValueRef load_masked(struct gen *g, const struct pval *v, LLVMValueRef at,
                                unsigned align) {
    LLVMTypeRef type = gen_lanes_of(g, gen_memory_type(g, v->dtype));
    LLVMValueRef mask = LLVMBuildLoad2(g->b, gen_type(g, DT_BOOL), g->mask, "");
    LLVMValueRef e = llvm_masked_load(g->b, type, at, mask, align);
    return v->dtype == DT_BOOL ? LLVMBuildICmp(g->b, LLVMIntNE, e, LLVMConstNull(type), "") : e;
}

/* The active lanes' elements at known distances; NULL: they are not neighbours. */
static LLVMValueRef load_apart_masked(struct gen *g, const struct pval *v, const int *apart) {
    for (int i = 0; i < g->lanes; i++)
        if (apart[i] != i)
            return NULL;
    bool fits = g->target->has_masked != NULL && g->target->has_masked(g, size_of(v->dtype));
    return fits ? load_masked(g, v, gen_address(g, v), alignment(g, v)) : NULL;
}

/* Elements at known distances along a row, of which a vector holds all that is between the first
 * and the last one; NULL: they are not, or too far from one another. */
static LLVMValueRef load_apart(struct gen *g, const struct pval *v, bool masked) {
    const int *apart;
    if (!g->unit || !gen_is_apart(g, v, &apart))
        return NULL;
    if (masked)
        return load_apart_masked(g, v, apart);
    int lo = apart[0], hi = apart[0];
    for (int i = 1; i < g->lanes; i++) {
        lo = apart[i] < lo ? apart[i] : lo;
        hi = apart[i] > hi ? apart[i] : hi;
    }
    if (hi - lo >= 2 * g->lanes)
        return NULL;
    LLVMValueRef order[MOST_LANES];
    for (int i = 0; i < g->lanes; i++)
        order[i] = lane_index(g, apart[i] - lo);
    LLVMTypeRef type = LLVMVectorType(gen_memory_type(g, v->dtype), (unsigned)(hi - lo + 1));
    LLVMValueRef bytes = i64(g, (uint64_t)((int64_t)lo * size_of(v->dtype)));
    LLVMValueRef e = gen_vector(g, v, type, at_byte(g, gen_address(g, v), bytes), alignment(g, v));
    e = LLVMBuildShuffleVector(g->b, e, LLVMGetPoison(type),
                               LLVMConstVector(order, (unsigned)g->lanes), "");
    return v->dtype == DT_BOOL ? LLVMBuildICmp(g->b, LLVMIntNE, e, LLVMConstNull(LLVMTypeOf(e)), "")
                               : e;
}

/* The element of a row that is found in another place; NULL: it is not. */
static LLVMValueRef near_element(struct gen *g, const struct pval *v) {
    for (int k = 0; g->near != NULL && k < g->near->n; k++) {
        const struct near_row *row = &g->near->row[k];
        if (row->place != v)
            continue;
        LLVMValueRef at = multiply(g, gen_value(g, v->args[row->axis]), row->step);
        return gen_load_element(g, v->dtype, gen_memory_type(g, v->dtype),
                                at_byte(g, row->base, at), size_of(v->dtype));
    }
    return NULL;
}

/* The element of a row that slides, at the point at hand; NULL: it is of none. */
static LLVMValueRef slid_element(struct gen *g, const struct pval *v) {
    const struct slide *x = g->slide;
    for (int k = 0; x != NULL && k < x->rows->n; k++) {
        const struct slide_place *row = &x->rows->row[k];
        if (same_value(row->place, v))
            return x->value[k][x->turn + (row->shifts ? g->point : 0)];
    }
    return NULL;
}

LLVMValueRef gen_element(struct gen *g, const struct pval *v) {
    for (int k = 0; k < g->nheld; k++)
        if (same_value(g->held[k].place, v))
            return g->held[k].value;
    LLVMValueRef other = g->exchange != NULL ? g->exchange(g, v) : NULL;
    if (other != NULL)
        return other;
    bool behind;
    LLVMValueRef slot = chunk_slot(g, v, &behind);
    if (slot != NULL)
        return gen_load_element(g, v->dtype, gen_memory_type(g, v->dtype), slot, size_of(v->dtype));
    LLVMValueRef near = near_element(g, v);
    if (near == NULL)
        near = slid_element(g, v);
    if (near != NULL)
        return near;
    if (g->lanes == 1)
        return element_in_range(g, v);
    bool masked = !g->all_active && !gen_exists(g, v);
    LLVMValueRef apart = load_apart(g, v, masked);
    if (apart != NULL)
        return apart;
    if (!side_by_side(g, v) || !fits_mask(g, v, masked))
        return load_lanes(g, v, masked);
    LLVMTypeRef type = gen_lanes_of(g, gen_memory_type(g, v->dtype));
    int gap = gen_lane_gap(g, v);
    if (gap > 1)
        return load_packed(g, v, type, gap);
    unsigned align = vector_alignment(g, v);
    if (masked)
        return load_masked(g, v, vector_place(g, v), align);
    return constant(g, v, gen_load_element(g, v->dtype, type, vector_place(g, v), align));
}

static void store_lanes(struct gen *g, const struct pval *place, LLVMValueRef v) {
    LLVMTypeRef type = gen_memory_type(g, place->dtype);
    struct lane_places p = find_lanes(g, place, type, !g->all_active);
    if (place->dtype == DT_BOOL)
        v = LLVMBuildZExt(g->b, v, LLVMVectorType(type, (unsigned)g->lanes), "");
    for (int i = 0; i < g->lanes; i++) {
        LLVMValueRef e = LLVMBuildExtractElement(g->b, v, lane_index(g, i), "");
        LLVMValueRef s = LLVMBuildStore(g->b, e, lane_place(g, &p, i));
        LLVMSetAlignment(s, alignment(g, place));
    }
}

/* Stores, unless a subscript is out of range. */
static void store_in_range(struct gen *g, const struct pval *place, LLVMValueRef v) {
    unsigned align;
    LLVMValueRef beside = address_beside(g, place, &align);
    if (beside != NULL) {
        gen_store_element(g, gen_memory_type(g, place->dtype), v, beside, align);
        gen_mark_store(g, place, LLVMGetLastInstruction(LLVMGetInsertBlock(g->b)));
        return;
    }
    LLVMValueRef in_range = NULL, offset = checked_offset(g, place, &in_range);
    LLVMBasicBlockRef after = in_range != NULL ? begin_if(g, in_range) : NULL;
    LLVMValueRef at = address(g, place->operand, offset);
    gen_store_element(g, gen_memory_type(g, place->dtype), v, at,
                      known_alignment(g, place, offset));
    if (after != NULL)
        end_if(g, after);
}

/* Stores to the active lanes' elements, which are neighbours. */
static void store_masked(struct gen *g, const struct pval *place, LLVMValueRef v) {
    LLVMValueRef mask = LLVMBuildLoad2(g->b, gen_type(g, DT_BOOL), g->mask, "");
    if (place->dtype == DT_BOOL)
        v = LLVMBuildZExt(g->b, v, gen_lanes_of(g, gen_memory_type(g, DT_BOOL)), "");
    llvm_masked_store(g->b, v, vector_place(g, place), mask, vector_alignment(g, place));
}

void gen_store_to(struct gen *g, const struct pval *place, LLVMValueRef v) {
    bool behind;
    LLVMValueRef slot = chunk_slot(g, place, &behind);
    if (slot != NULL)
        gen_store_element(g, gen_memory_type(g, place->dtype), v, slot, size_of(place->dtype));
    if (slot != NULL && !behind)
        return;
    if (g->lanes == 1)
        store_in_range(g, place, v);
    else if (!side_by_side(g, place) || gen_lane_gap(g, place) > 1 ||
             !fits_mask(g, place, !g->all_active))
        store_lanes(g, place, v);
    else if (!g->all_active)
        store_masked(g, place, v);
    else
        gen_store_element(g, gen_lanes_of(g, gen_memory_type(g, place->dtype)), v,
                          vector_place(g, place), vector_alignment(g, place));
}
