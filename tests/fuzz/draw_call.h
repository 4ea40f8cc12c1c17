/* draw_call.h: random calls of the library's functions: what is called, with which arrays, numbers
 * and keywords; and how one is spoiled. */
#ifndef DRAW_CALL_H
#define DRAW_CALL_H

#include "guarded.h"

#include "called.h"
#include "image_abi.h"

enum { OPERANDS = 5, MOST = 4000, LARGE = 60000 };

static uint64_t stream, position;

#ifdef FUZZER
static const uint8_t *input; /* what is left of it */
static size_t input_size;

/* As many bytes as n needs; 0 behind the end. */
static uint64_t dice(uint64_t n) {
    uint64_t bits = 0;
    for (uint64_t most = n - 1; most > 0 && input_size > 0; most >>= 8, input_size--)
        bits = bits << 8 | *input++;
    return bits % n;
}
#else
static uint64_t dice(uint64_t n) {
    return (random_bits(stream, position++) >> 16) % n;
}
#endif

static bool chance(unsigned percent) {
    return dice(100) < percent;
}

#define PICK(list) (list)[dice(sizeof(list) / sizeof *(list))]

/* ---- a call */

enum kind { CALL, PLAN, EXPLAIN, REDUCE, ACCUMULATE, REDUCEAT, OUTER, AT, COPY, KINDS };
static const char *const kind_names[] = {"call",     "plan",  "explain", "reduce", "accumulate",
                                         "reduceat", "outer", "at",      "copy"};

struct request {
    enum kind kind;
    const ufc_ufunc *ufunc;
    int nin, nout;
    struct array array[OPERANDS]; /* inputs, then outputs */
    bool is_number[OPERANDS], is_new[OPERANDS];
    ufc_arg number[OPERANDS];
    bool masked, has_indices;
    struct array mask, indices;
    ufc_keywords kw;
    int axes[4];
    ufc_arg initial;
    DLManagedTensorVersioned *made[OPERANDS];
    bool spoiled;
    ufc_arg in[OPERANDS];
    ufc_out out[OPERANDS];
};

static const struct {
    const ufc_ufunc *ufunc;
    int nin, nout;
    const char *core; /* of each operand, dimensions by letter */
} functions[] = {
    {&called_add_ufunc, 2, 1, NULL},       {&called_least_ufunc, 2, 1, NULL},
    {&called_last_ufunc, 2, 1, NULL},      {&called_both_ufunc, 2, 2, NULL},
    {&called_choose_ufunc, 3, 1, NULL},    {&called_flip_ufunc, 1, 1, NULL},
    {&called_dot_ufunc, 2, 1, "mn,np"},    {&called_matvec_ufunc, 2, 1, "mn,n"},
    {&called_total_ufunc, 1, 1, "n"},      {&called_running_ufunc, 1, 1, "n"},
    {&called_convolve_ufunc, 2, 1, "n,k"}, {&called_ends_ufunc, 2, 3, "n,"},
};

enum { BINARY = 3 }; /* the first ones have methods */

/* ---- arrays */

/* Elements are small and, of signed types, of either sign: sums and products are exact. */
static void fill(const struct array *a, int64_t most) {
    ufc_type part = dtypes[a->type].part;
    bool is_float = dtypes[part].kind == 'f', is_unsigned = dtypes[part].kind == 'u';
    int n = dtypes[a->type].kind == 'c' ? 2 : 1;
    EACH_ELEMENT(
        a, at, for (int i = 0; i < n; i++) {
            int64_t v = (int64_t)dice((uint64_t)(2 * most + 1)) - (is_unsigned ? 0 : most);
            if (is_float)
                put_float(at, part, i, (double)v);
            else
                put_bits(at, part, i, part == UFC_BOOL ? v & 1 : (uint64_t)v);
        });
}

/* Strides of the shape: packed in an order of its own, with gaps, either way, 0 for inputs. */
static void draw_strides(struct array *a, bool is_input) {
    int order[RANK];
    int64_t stride = 1;
    bool plain = chance(35);
    for (int i = 0; i < a->t.ndim; i++)
        order[i] = a->t.ndim - 1 - i;
    for (int i = a->t.ndim - 1; i > 0 && !plain && chance(60); i--) {
        int j = (int)dice((uint64_t)i + 1), keep = order[i];
        order[i] = order[j];
        order[j] = keep;
    }
    for (int i = 0; i < a->t.ndim; i++) {
        int64_t size = a->shape[order[i]], gap = !plain && chance(25) ? 1 + (int64_t)dice(3) : 1;
        a->strides[order[i]] = stride * gap * (!plain && chance(25) ? -1 : 1);
        if (!plain && is_input && chance(10))
            a->strides[order[i]] = 0;
        else if (size <= ROOM && stride <= ROOM) /* else it has no elements, or no slot */
            stride *= gap * (size > 0 ? size : 1);
    }
}

static void set_array(struct array *a, ufc_type type, int ndim, const int64_t *shape) {
    memset(&a->t, 0, sizeof a->t);
    a->type = type;
    a->t = ufc_host_array(NULL, ufc_dltype(type), ndim, a->shape);
    a->t.strides = a->strides;
    if (ndim)
        memcpy(a->shape, shape, (size_t)ndim * sizeof *shape);
}

/* In C order, with strides or without, where strides that were drawn reach too far. */
static void pack_strides(struct array *a) {
    int64_t stride = 1;
    for (int i = a->t.ndim - 1; i >= 0; i--) {
        a->strides[i] = stride;
        stride *= a->n && stride <= ROOM && a->shape[i] <= ROOM ? a->shape[i] : 1;
    }
}

static void put_somewhere(struct request *r, struct array *a, int k, bool is_input) {
    draw_strides(a, is_input);
    for (int i = 0; !measure(a); i++) {
        if (i > 0)
            a->shape[i - 1] = 1;
        pack_strides(a);
    }
    const struct array *with = NULL;
    int other = k > 0 ? (int)dice((uint64_t)k) : 0;
    if (k > 0 && !is_input && chance(30) && !r->is_number[other] && !r->is_new[other] &&
        r->array[other].type == a->type)
        with = &r->array[other];
    place(a, chance(50), with, chance(40) ? 0 : (int64_t)dice(9) - 4,
          chance(20) ? 16 * dice(9) : 0);
}

static void draw_shape(int *ndim, int64_t *shape, int64_t most) {
    static const int64_t sizes[] = {1, 1, 2, 2, 3, 3, 4, 5, 7, 8, 9, 16, 17, 33, 64, 100};
    int64_t n = 1;
    *ndim = chance(2) ? 60 + (int)dice(5) : (int)dice(5);
    bool empty = chance(6);
    for (int i = 0; i < *ndim; i++) {
        int64_t size = *ndim > 5 ? 1 + (int64_t)dice(30) / 29 : PICK(sizes);
        if (chance(4))
            size = most / 2 + (int64_t)dice((uint64_t)most / 2);
        shape[i] = n * size <= most ? size : 1;
        n *= shape[i];
    }
    if (*ndim > 0 && empty) {
        shape[dice((uint64_t)*ndim)] = 0;
        int huge = (int)dice((uint64_t)*ndim);
        if (shape[huge] && chance(50))
            shape[huge] = (int64_t)1 << (46 + dice(17)); /* a result of so many has no memory */
    }
}

static const ufc_type types[] = {UFC_BOOL,    UFC_INT8,      UFC_UINT8,     UFC_INT16,
                                 UFC_UINT16,  UFC_INT32,     UFC_UINT32,    UFC_INT64,
                                 UFC_UINT64,  UFC_FLOAT16,   UFC_BFLOAT16,  UFC_FLOAT32,
                                 UFC_FLOAT64, UFC_COMPLEX64, UFC_COMPLEX128};

/* The type of an operand, as a signature of the function has it, mostly. */
static ufc_type draw_type(const ufc_ufunc *f, int k) {
    ufc_description d = ufc_describe(f);
    uint64_t keep = position;
    position = 1000000; /* the same overload for all operands */
    const struct ufc_overload *o = &f->overloads[dice((uint64_t)d.noverloads)];
    position = keep;
    return chance(80) ? (ufc_type)o->dtypes[k] : PICK(types);
}

/* The loop's shape as operand k has it: axes of one, or fewer of them. */
static int broadcast_down(int ndim, const int64_t *loop, int64_t *shape) {
    int less = chance(20) && ndim ? (int)dice((uint64_t)ndim + 1) : 0;
    for (int i = less; i < ndim; i++)
        shape[i - less] = chance(12) && loop[i] ? 1 : chance(1) ? loop[i] + 1 : loop[i];
    return ndim - less;
}

static ufc_arg draw_number(void) {
    switch (dice(5)) {
    case 0: return ufc_bool(chance(50));
    case 1: return ufc_float((double)dice(4) - 1);
    case 2: return ufc_uint(dice(4));
    case 3: return ufc_complex((double)dice(3), 1);
    default: return ufc_int((int64_t)dice(6) - 2);
    }
}

static void draw_keywords(struct request *r) {
    static const ufc_casting castings[] = {UFC_CASTING_NO, UFC_CASTING_EQUIV, UFC_CASTING_SAFE,
                                           UFC_CASTING_SAME_KIND};
    bool method = r->kind >= REDUCE && r->kind <= REDUCEAT;
    int rank = r->array[0].t.ndim, only = method ? 3 : 20;
    if (!method && chance(10))
        r->kw.casting = PICK(castings);
    if (chance(10))
        r->kw.dtype = ufc_dltype(PICK(types));
    if (dice((uint64_t)only) == 0 || (method && chance(40))) {
        r->kw.axes = r->axes;
        r->kw.naxes = r->kind == REDUCE ? (int)dice(4) : 1;
        for (int i = 0; i < 4; i++)
            r->axes[i] = (int)dice((uint64_t)rank + 1) - (chance(30) ? rank : 0);
    }
    r->kw.all_axes = r->kind == REDUCE && chance(25);
    r->kw.keepdims = (r->kind == REDUCE || r->kind == CALL) && chance(r->kind == REDUCE ? 25 : 3);
    if (r->kind == REDUCE && chance(20)) {
        r->initial = draw_number();
        r->kw.initial = &r->initial;
    }
}

static void draw_inputs(struct request *r, int64_t most) {
    int64_t loop[RANK], shape[RANK], size[3];
    int ndim, f = (int)dice(sizeof functions / sizeof *functions);
    const char *core = "";
    if (r->kind >= REDUCE || (r->kind == PLAN && chance(50)))
        f = (int)dice(BINARY);
    r->ufunc = functions[f].ufunc;
    r->nin = functions[f].nin;
    r->nout = functions[f].nout;
    if (r->kind == COPY || r->kind == AT || (r->kind >= REDUCE && r->kind <= REDUCEAT))
        r->nin = r->nout = 1;
    draw_shape(&ndim, loop, r->kind == OUTER ? most / 40 : most);
    for (int i = 0; i < 3; i++)
        size[i] = chance(4) ? 0 : 1 + (int64_t)dice(chance(10) ? 40 : 6);
    if (functions[f].core) {
        core = functions[f].core;
        for (int64_t n = 1, i = 0; i < ndim; n *= loop[i++])
            loop[i] = loop[i] < 200 && n * loop[i] < most / 40 ? loop[i] : 1;
        ndim = ndim > 8 ? 8 : ndim;
    }
    for (int k = 0; k < r->nin; k++, core += *core == ',') {
        int rank = broadcast_down(ndim, loop, shape);
        bool alone = r->kind >= REDUCE && r->kind <= REDUCEAT;
        for (; *core && *core != ','; core++)
            shape[rank++] = chance(1) ? 2 : size[*core % 3];
        if (alone || r->kind == COPY || r->kind == AT)
            memcpy(shape, loop, sizeof shape), rank = ndim;
        if (r->kind == AT && rank > 2)
            rank = 0;
        if (r->kind == OUTER && k == 1)
            draw_shape(&rank, shape, 40);
        r->is_number[k] = chance(8) && r->kind != COPY;
        r->number[k] = draw_number();
        set_array(&r->array[k], draw_type(r->ufunc, k), rank, shape);
        put_somewhere(r, &r->array[k], k, true);
        fill(&r->array[k], 3);
    }
    r->masked = (r->kind == CALL || r->kind == REDUCE || r->kind == PLAN) && chance(12);
    if (r->masked) {
        int rank = broadcast_down(ndim, loop, shape);
        set_array(&r->mask, chance(97) ? UFC_BOOL : UFC_INT8, rank, shape);
        put_somewhere(r, &r->mask, 0, true);
        fill(&r->mask, 1);
    }
}

/* Of an array whose rows they are: in bounds, mostly. */
static void draw_indices(struct request *r, const struct array *of) {
    static const ufc_type whole[] = {UFC_INT8, UFC_INT64, UFC_UINT16, UFC_INT32, UFC_INT64};
    int axis = r->kind == REDUCEAT && r->kw.axes ? r->axes[0] : 0;
    if (axis < 0)
        axis += of->t.ndim;
    int64_t size = axis >= 0 && axis < of->t.ndim ? of->shape[axis] : 1,
            shape[2] = {(int64_t)dice(30), (int64_t)dice(4)};
    r->has_indices = true;
    set_array(&r->indices, PICK(whole), r->kind == AT ? (int)dice(3) : 1, shape);
    put_somewhere(r, &r->indices, 0, true);
    bool negative = r->kind == AT && r->indices.type != UFC_UINT16, wild = chance(5);
    int64_t most = size > 100 ? 100 : size;
    EACH_ELEMENT(&r->indices, at, {
        int64_t v = most > 0 ? (int64_t)dice((uint64_t)most) : 0;
        if (negative && chance(30) && size > 0 && size <= 100)
            v -= size;
        put_bits(at, r->indices.type, 0, (uint64_t)(wild && chance(20) ? v + size : v));
    });
}

/* ---- spoiling */

static void spoil_array(struct array *a) {
    int axis = a->t.ndim > 0 ? (int)dice((uint64_t)a->t.ndim) : 0;
    bool has_axis = a->t.ndim > 0, wide = has_axis && a->shape[axis] > 1 && a->n > 0;
    static const int ranks[] = {-1, 65, INT32_MAX, INT32_MIN};
    switch (dice(9)) {
    case 0: a->t.data = a->n ? NULL : a->t.data; break;
    case 1: a->t.ndim = PICK(ranks); break;
    case 2: a->shape[axis] = has_axis ? -1 - (int64_t)dice(3) : a->shape[axis]; break;
    case 3: a->t.dtype.bits ^= (uint8_t)(1 + dice(7)); break;
    case 4: a->t.dtype.lanes = (uint16_t)(chance(50) ? 0 : 2 + dice(9)); break;
    case 5: a->t.dtype.code = (uint8_t)(7 + dice(249)); break;
    case 6: a->t.byte_offset += size_of(a->type) > 1 ? 1 : 0; break;
    case 7: a->t.device.device_type = (DLDeviceType)(chance(50) ? kDLCUDA : 3 + dice(40)); break;
    default:
        if (wide)
            a->strides[axis] = chance(50) ? INT64_MAX - (int64_t)dice(9) : INT64_MIN;
        else if (has_axis)
            a->t.shape = NULL;
    }
    if (a->t.device.device_type == kDLCUDAHost) /* as good as the host's */
        a->t.device.device_type = kDLVulkan;
}

static void spoil_call(struct request *r) {
    int k = (int)dice((uint64_t)r->nin), o = (int)dice((uint64_t)r->nout);
    static const int wild[] = {INT32_MAX, INT32_MIN, 64, -65};
    switch (dice(12)) {
    case 0: r->in[k].as.array = r->in[k].kind == UFC_ARG_ARRAY ? NULL : r->in[k].as.array; break;
    case 1: r->in[k].kind = (ufc_arg_kind)(6 + dice(90)); break;
    case 2: r->out[o] = (ufc_out){NULL, NULL}; break;
    case 3: r->ufunc = NULL; break;
    case 4:
        r->axes[0] = PICK(wild);
        r->kw.axes = r->axes;
        r->kw.naxes = 1;
        break;
    case 5: r->kw.naxes = -1 - (int)dice(3); break;
    case 6: r->kw.casting = (ufc_casting)(6 + dice(90)); break;
    case 7: r->kw.dtype = (DLDataType){(uint8_t)dice(256), (uint8_t)dice(256), 1}; break;
    case 8: r->kw.ncore_axes = 1 + (int)dice(5); break;
    case 9:
        r->initial = ufc_array(&r->array[0].t);
        r->kw.initial = &r->initial;
        break;
    case 10: r->kw.keepdims = r->kw.all_axes = true; break;
    default: r->has_indices = false; break;
    }
}

#endif
