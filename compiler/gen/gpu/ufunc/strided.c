/* strided.c: the GPU kernels for any strides and masks: STRIDED, of the signature's dtypes, and
 * CAST, of any dtypes. */
#include "ufunc.h"

/* i1: an element is computed: there is no mask, or the mask's byte at the address is not 0. */
static LLVMValueRef is_on(struct kernel *k, LLVMValueRef address) {
    struct gen *g = k->g;
    LLVMValueRef mask = param_i64(g, k->at.mask);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b);
    LLVMBasicBlockRef after = begin_if(g, is_set(g, mask));
    LLVMValueRef on = load_element(g, DT_BOOL, address);
    LLVMBasicBlockRef masked = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    return phi2(g, masked, on, before, LLVMConstInt(LLVMTypeOf(on), 1, false));
}

/* The thread's number in the grid; threads without a piece end. */
static LLVMValueRef begin_thread(struct kernel *k) {
    struct gen *g = k->g;
    LLVMValueRef n = param_i64(g, offsetof(struct ufc_kparam_head, n));
    LLVMValueRef index = gen_thread_number(g);
    guard(g, compare(g, LLVMIntULT, index, LLVMBuildTrunc(g->b, n, i32_type(g), "")));
    return index;
}

void gen_strided_kernel(struct kernel *k) {
    struct gen *g = k->g;
    const struct plan *p = g->plan;
    LLVMValueRef inputs[UFC_MAX_OPERANDS], outputs[UFC_MAX_OPERANDS];
    struct place place;
    find_place(k, begin_thread(k), NULL, &place);
    guard(g, is_on(k, place.address[p->noperands]));
    for (int i = 0; i < p->nin; i++)
        inputs[i] = load_input(k, i, place.address[i]);
    call_element(k, inputs, outputs, place.address[p->nin]);
    for (int i = p->nin; i < p->noperands; i++)
        store_element(g, operand_dtype(k, i), outputs[i], place.address[i]);
    LLVMBuildRetVoid(g->b);
}

/* ---- CAST: the bytes of a thread's elements are loaded before the first is converted */

enum { ELEMS_PER_THREAD = UFC_CAST_ELEMENTS };

struct cast {
    struct kernel *k;
    LLVMValueRef address[ELEMS_PER_THREAD][UFC_MAX_OPERANDS + 1];
    LLVMValueRef raw[ELEMS_PER_THREAD][UFC_MAX_OPERANDS][2]; /* slots, i64: an input's bytes */
};

/* An array's dtype, i32.  It may be any: the call's keyword `casting` says which are allowed. */
static LLVMValueRef load_tag(struct kernel *k, int operand) {
    size_t layout = k->at.layout + (size_t)operand * sizeof(struct ufc_kparam_layout);
    return param_dtype(k->g, layout + offsetof(struct ufc_kparam_layout, dtype));
}

static LLVMValueRef load_word(struct kernel *k, unsigned bits, LLVMValueRef address) {
    LLVMTypeRef type = LLVMIntTypeInContext(k->g->context, bits);
    LLVMValueRef v = LLVMBuildLoad2(k->g->b, type, global_pointer(k->g, address), "");
    LLVMSetAlignment(v, bits / 8);
    return LLVMBuildZExt(k->g->b, v, i64_type(k->g), "");
}

/* Loads the bytes of a complex64, which is aligned to 4 bytes, into two slots. */
static void load_halves(struct kernel *k, LLVMValueRef address, LLVMValueRef *raw) {
    struct gen *g = k->g;
    LLVMValueRef high = load_word(k, 32, add(g, address, i64(g, 4)));
    high = LLVMBuildShl(g->b, high, i64(g, 32), "");
    LLVMBuildStore(g->b, LLVMBuildOr(g->b, load_word(k, 32, address), high, ""), raw[0]);
    LLVMBuildStore(g->b, i64(g, 0), raw[1]);
}

/* Loads the bytes of an element of `bits` bits, which is no complex64, into two slots. */
static void load_bytes(struct kernel *k, unsigned bits, LLVMValueRef address, LLVMValueRef *raw) {
    struct gen *g = k->g;
    for (unsigned i = 0; i < 2; i++) {
        unsigned here = bits <= 64 * i ? 0 : bits < 64 ? bits : 64;
        LLVMValueRef v = i64(g, 0);
        if (here > 0)
            v = load_word(k, here, add(g, address, i64(g, UINT64_C(8) * i)));
        LLVMBuildStore(g->b, v, raw[i]);
    }
}

/* Loads the bytes of an input's first n elements of the thread, by a switch on their size. */
static void load_raw(struct cast *c, int operand, LLVMValueRef (*address)[UFC_MAX_OPERANDS + 1],
                     int n) {
    struct kernel *k = c->k;
    struct gen *g = k->g;
    LLVMBasicBlockRef done = gen_block(g, "bytes"), memory = gen_block(g, "memory");
    enum { HALVES = 5, SIZES };
    LLVMBasicBlockRef value = gen_block(g, "value"), sizes[SIZES];
    LLVMValueRef given = compare(g, LLVMIntEQ, k->pointer[operand], i64(g, 0));
    LLVMBuildCondBr(g->b, given, value, memory);
    gen_place(g, value);
    for (int j = 0; j < n; j++)
        for (unsigned i = 0; i < 2; i++) {
            size_t at = value_offset(k, operand) + i * sizeof(uint64_t);
            LLVMBuildStore(g->b, param_i64(g, at), c->raw[j][operand][i]);
        }
    LLVMBuildBr(g->b, done);
    gen_place(g, memory);
    LLVMBasicBlockRef none = gen_block(g, "none");
    LLVMValueRef s = LLVMBuildSwitch(g->b, load_tag(k, operand), none, DT_COUNT);
    gen_place(g, none);
    LLVMBuildUnreachable(g->b);
    for (unsigned size = 0; size < SIZES; size++) {
        gen_place(g, sizes[size] = gen_block(g, "size"));
        for (int j = 0; j < n; j++)
            if (size == HALVES)
                load_halves(k, address[j][operand], c->raw[j][operand]);
            else
                load_bytes(k, 8U << size, address[j][operand], c->raw[j][operand]);
        LLVMBuildBr(g->b, done);
    }
    for (int d = 0; d < DT_COUNT; d++) {
        int size = __builtin_ctz((unsigned)dtype_info[d].bits / 8);
        bool halves = dtype_info[d].bits == 64 && dtype_align((enum ufc_dtype)d) < 8;
        LLVMAddCase(s, i32(g, (uint32_t)d), sizes[halves ? HALVES : size]);
    }
    gen_place(g, done);
}

/* The element of type d that has these bytes. */
static LLVMValueRef from_bytes(struct gen *g, enum ufc_dtype d, LLVMValueRef low,
                               LLVMValueRef high) {
    LLVMTypeRef type = gen_memory_type(g, d);
    unsigned bits = (unsigned)dtype_info[d].bits;
    LLVMTypeRef whole = LLVMIntTypeInContext(g->context, bits);
    if (bits > 64) {
        low = LLVMBuildZExt(g->b, low, whole, "");
        high = LLVMBuildShl(g->b, LLVMBuildZExt(g->b, high, whole, ""),
                            LLVMConstInt(whole, 64, false), "");
        return LLVMBuildOr(g->b, low, high, "");
    }
    LLVMValueRef v = bits < 64 ? LLVMBuildTrunc(g->b, low, whole, "") : low;
    if (d == DT_BOOL)
        return gen_cast(g, v, DT_UINT8, DT_BOOL);
    return type != whole ? LLVMBuildBitCast(g->b, v, type, "") : v;
}

/* The dtype from which zero-extended bytes of dtype d are converted, so that there are few cases.
 * An integer is converted from 64 bits, a signed one after sign extension; a complex number to a
 * real one from its real part, but to bool from both. */
static enum ufc_dtype converts_as(enum ufc_dtype d, enum ufc_dtype to) {
    if (is_integer(d) && dtype_info[d].bits <= 64)
        return is_signed(d) ? DT_INT64 : DT_UINT64;
    return is_complex(d) && !is_complex(to) && to != DT_BOOL ? part_dtype(d) : d;
}

static LLVMValueRef sign_extended(struct gen *g, LLVMValueRef v, LLVMValueRef tag) {
    LLVMValueRef bits = i64(g, 0);
    for (int d = 0; d < DT_COUNT; d++)
        if (is_integer((enum ufc_dtype)d) && is_signed((enum ufc_dtype)d))
            bits = gen_select(g, compare(g, LLVMIntEQ, tag, i32(g, (uint32_t)d)),
                              i64(g, 64 - (uint64_t)dtype_info[d].bits), bits);
    return LLVMBuildAShr(g->b, LLVMBuildShl(g->b, v, bits, ""), bits, "");
}

static LLVMValueRef convert_input(struct kernel *k, int operand, LLVMValueRef low,
                                  LLVMValueRef high) {
    struct gen *g = k->g;
    enum ufc_dtype to = operand_dtype(k, operand);
    LLVMBasicBlockRef cases[DT_COUNT] = {NULL}, done = gen_block(g, "converted");
    LLVMBasicBlockRef here = LLVMGetInsertBlock(g->b);
    LLVMValueRef tag = load_tag(k, operand);
    gen_place(g, done);
    LLVMValueRef result = LLVMBuildPhi(g->b, gen_type(g, to), "");
    for (int i = 0; i < DT_COUNT; i++) {
        enum ufc_dtype d = converts_as((enum ufc_dtype)i, to);
        if (cases[d] != NULL)
            continue;
        gen_place(g, cases[d] = gen_block(g, dtype_info[d].name));
        LLVMValueRef v = d == DT_INT64 ? sign_extended(g, low, tag) : low;
        v = gen_cast(g, from_bytes(g, d, v, high), d, to);
        LLVMBasicBlockRef end = LLVMGetInsertBlock(g->b);
        LLVMAddIncoming(result, &v, &end, 1);
        LLVMBuildBr(g->b, done);
    }
    gen_place(g, here);
    LLVMValueRef s = LLVMBuildSwitch(g->b, tag, cases[converts_as(to, to)], DT_COUNT);
    for (int d = 0; d < DT_COUNT; d++)
        LLVMAddCase(s, i32(g, (uint32_t)d), cases[converts_as((enum ufc_dtype)d, to)]);
    gen_place(g, done);
    return result;
}

static void store_converted(struct kernel *k, int operand, LLVMValueRef v, LLVMValueRef address) {
    struct gen *g = k->g;
    enum ufc_dtype own = operand_dtype(k, operand);
    LLVMBasicBlockRef cases[DT_COUNT], done = gen_block(g, "stored");
    for (int d = 0; d < DT_COUNT; d++)
        cases[d] = gen_block(g, dtype_info[d].name);
    LLVMValueRef s = LLVMBuildSwitch(g->b, load_tag(k, operand), cases[own], DT_COUNT);
    for (int d = 0; d < DT_COUNT; d++) {
        LLVMAddCase(s, i32(g, (uint32_t)d), cases[d]);
        gen_place(g, cases[d]);
        store_element(g, (enum ufc_dtype)d, gen_cast(g, v, own, (enum ufc_dtype)d), address);
        LLVMBuildBr(g->b, done);
    }
    gen_place(g, done);
}

/* What belongs to the thread's second element, or else to its first. */
static LLVMValueRef pick(struct gen *g, LLVMValueRef second, LLVMValueRef a, LLVMValueRef b) {
    return gen_select(g, second, b, a);
}

static LLVMValueRef pick_raw(struct cast *c, LLVMValueRef second, int operand, int part) {
    struct gen *g = c->k->g;
    return pick(g, second, LLVMBuildLoad2(g->b, i64_type(g), c->raw[0][operand][part], ""),
                LLVMBuildLoad2(g->b, i64_type(g), c->raw[1][operand][part], ""));
}

static void gen_one(struct cast *c, LLVMValueRef second, LLVMValueRef on) {
    struct kernel *k = c->k;
    struct gen *g = k->g;
    const struct plan *p = g->plan;
    LLVMValueRef inputs[UFC_MAX_OPERANDS], outputs[UFC_MAX_OPERANDS];
    LLVMValueRef address[1][UFC_MAX_OPERANDS + 1];
    LLVMBasicBlockRef after = begin_if(g, on);
    for (int i = 0; i < p->noperands; i++)
        address[0][i] = pick(g, second, c->address[0][i], c->address[1][i]);
    for (int i = 0; i < p->nin; i++) {
        bool early = p->nin <= CAST_EARLY;
        if (!early)
            load_raw(c, i, address, 1);
        LLVMValueRef none = LLVMConstNull(LLVMTypeOf(second)), which = early ? second : none;
        inputs[i] = convert_input(k, i, pick_raw(c, which, i, 0), pick_raw(c, which, i, 1));
    }
    call_element(k, inputs, outputs, address[0][p->nin]);
    for (int i = p->nin; i < p->noperands; i++)
        store_converted(k, i, outputs[i], address[0][i]);
    end_if(g, after);
}

void gen_cast_kernel(struct kernel *k) {
    struct gen *g = k->g;
    const struct plan *p = g->plan;
    struct cast c = {.k = k};
    struct place place;
    struct loop l;
    find_place(k, begin_thread(k), NULL, &place);
    LLVMValueRef apart = param_i32(g, k->at.axes + offsetof(struct ufc_kparam_axes, size));
    LLVMValueRef size = load_piece_param(k, offsetof(struct ufc_kparam_pieces, size));
    LLVMValueRef both_there = compare(g, LLVMIntULT, add(g, place.along[0], apart), size);
    apart = gen_select(g, both_there, extended(g, apart), i64(g, 0));
    for (int i = 0; i <= p->noperands; i++) {
        c.address[0][i] = place.address[i];
        c.address[1][i] = add(g, place.address[i], multiply(g, apart, load_stride(k, i, 0)));
    }
    LLVMValueRef on[ELEMS_PER_THREAD];
    for (int j = 0; j < ELEMS_PER_THREAD; j++)
        on[j] = is_on(k, c.address[j][p->noperands]);
    for (int i = 0; i < p->nin; i++) {
        for (int j = 0; j < ELEMS_PER_THREAD; j++)
            for (int part = 0; part < 2; part++)
                c.raw[j][i][part] = gen_alloca(g, i64_type(g), "raw");
        if (p->nin <= CAST_EARLY)
            load_raw(&c, i, c.address, ELEMS_PER_THREAD);
    }
    LLVMValueRef j = i32(g, 0);
    LLVMValueRef n = gen_select(g, both_there, i32(g, ELEMS_PER_THREAD), i32(g, 1));
    loop_begin(g, &l, 1, &j);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], n));
    LLVMValueRef second = compare(g, LLVMIntNE, l.phi[0], i32(g, 0));
    gen_one(&c, second, pick(g, second, on[0], on[1]));
    LLVMValueRef next = add(g, l.phi[0], i32(g, 1));
    loop_end(g, &l, &next);
    LLVMBuildRetVoid(g->b);
}
