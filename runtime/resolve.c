/* resolve.c: the overload that a call takes, by NumPy's rules (NEP 50), and the numbers' values. */
#include <string.h>

#include "casting.h"
#include "rt.h"

/* What an input asks of an overload: a type to be cast from, or a weak number. */
enum weakness { STRONG, WEAK_INT, WEAK_FLOAT, WEAK_COMPLEX };

struct request {
    enum weakness weakness;
    enum ufc_dtype dtype;  /* STRONG */
    const ufc_arg *number; /* weak: must fit, if not NULL */
};

static char kind_of(enum ufc_dtype dtype) {
    return dtype_info[dtype].kind;
}

static bool int_fits(int64_t value, enum ufc_dtype dtype) {
    int bits = 8 * dtype_info[dtype].size;
    switch (kind_of(dtype)) {
    case 'i':
        return bits == 64 ||
               (value >= -(INT64_C(1) << (bits - 1)) && value < INT64_C(1) << (bits - 1));
    case 'u': return value >= 0 && (bits == 64 || value < INT64_C(1) << bits);
    default: return true;
    }
}

static bool uint_fits(uint64_t value, enum ufc_dtype dtype) {
    return value <= INT64_MAX
               ? int_fits((int64_t)value, dtype)
               : dtype == DT_UINT64 || kind_of(dtype) == 'f' || kind_of(dtype) == 'c';
}

static bool number_fits(const ufc_arg *number, enum ufc_dtype dtype) {
    switch (number->kind) {
    case UFC_ARG_INT: return int_fits(number->as.i, dtype);
    case UFC_ARG_UINT: return uint_fits(number->as.u, dtype);
    default: return true;
    }
}

static bool accepts(enum ufc_dtype dtype, const struct request *request) {
    if (request->weakness == STRONG)
        return casts_safely(request->dtype, dtype);
    static const char *const kinds[] = {
        [WEAK_INT] = "uifc", [WEAK_FLOAT] = "fc", [WEAK_COMPLEX] = "c"};
    return strchr(kinds[request->weakness], kind_of(dtype)) &&
           (!request->number || number_fits(request->number, dtype));
}

/* What a number is where it is not weak. */
static enum ufc_dtype own_dtype(const ufc_arg *number) {
    switch (number->kind) {
    case UFC_ARG_INT: return DT_INT64;
    case UFC_ARG_UINT: return number->as.u > INT64_MAX ? DT_UINT64 : DT_INT64;
    case UFC_ARG_FLOAT: return DT_FLOAT64;
    case UFC_ARG_COMPLEX: return DT_COMPLEX128;
    default: return DT_BOOL;
    }
}

static enum weakness own_weakness(const ufc_arg *number) {
    switch (number->kind) {
    case UFC_ARG_INT:
    case UFC_ARG_UINT: return WEAK_INT;
    case UFC_ARG_FLOAT: return WEAK_FLOAT;
    case UFC_ARG_COMPLEX: return WEAK_COMPLEX;
    default: return STRONG;
    }
}

/* Numbers are weak beside arrays of their kind or a higher one, else int64, uint64, float64 or
 * complex128. */
static void make_requests(uint32_t nin, const ufc_arg *in, const struct operand *op,
                          struct request *request) {
    enum weakness highest = STRONG; /* a number that the arrays make weak */
    for (uint32_t k = 0; k < nin; k++) {
        char kind = op[k].is_number ? 'b' : kind_of(op[k].dtype);
        enum weakness here = kind == 'b'   ? STRONG
                             : kind == 'f' ? WEAK_FLOAT
                             : kind == 'c' ? WEAK_COMPLEX
                                           : WEAK_INT;
        highest = here > highest ? here : highest;
    }
    if (highest == WEAK_FLOAT) /* float32 with 2j is complex64 */
        highest = WEAK_COMPLEX;
    for (uint32_t k = 0; k < nin; k++) {
        bool array = in[k].kind == UFC_ARG_ARRAY;
        enum weakness own = array ? STRONG : own_weakness(&in[k]);
        request[k] = (struct request){.weakness = own <= highest ? own : STRONG,
                                      .dtype = array ? op[k].dtype : own_dtype(&in[k])};
    }
}

/* Where no overload takes numbers as that, they take any type of their kind that holds them: a
 * function of float32 alone can be called with numbers alone. */
static void loosen(uint32_t nin, const ufc_arg *in, struct request *request) {
    for (uint32_t k = 0; k < nin; k++) {
        if (in[k].kind == UFC_ARG_ARRAY || in[k].kind == UFC_ARG_BOOL)
            continue;
        request[k].weakness = own_weakness(&in[k]);
        request[k].number = &in[k];
    }
}

static const char *const weak_names[] = {
    [WEAK_INT] = "int", [WEAK_FLOAT] = "float", [WEAK_COMPLEX] = "complex"};

static ufc_status no_overload(const struct ufc_ufunc *ufunc, const struct request *request,
                              ufc_error *err) {
    fail(err, UFC_EDTYPE, "no overload of '%s' takes (", ufunc->name);
    for (uint32_t k = 0; k < ufunc->nin; k++)
        fail_more(err, "%s%s", k ? ", " : "",
                  request[k].weakness == STRONG ? dtype_info[request[k].dtype].name
                                                : weak_names[request[k].weakness]);
    fail_more(err, ") by safe casts: convert the inputs for one of");
    for (uint32_t i = 0; i < ufunc->noverloads; i++)
        fail_more(err, "%s %s", i ? "," : "", ufunc->overloads[i].signature);
    return UFC_EDTYPE;
}

/* Sets a number's element in the overload's type. */
static ufc_status set_number(struct operand *op, const ufc_arg *arg, enum ufc_dtype dtype,
                             ufc_error *err) {
    uint64_t value[2] = {0, 0};
    if (arg->kind == UFC_ARG_INT && !int_fits(arg->as.i, dtype))
        return fail(err, UFC_EDTYPE, "%lld does not fit %s", (long long)arg->as.i,
                    dtype_info[dtype].name);
    if (arg->kind == UFC_ARG_UINT && !uint_fits(arg->as.u, dtype))
        return fail(err, UFC_EDTYPE, "%llu does not fit %s", (unsigned long long)arg->as.u,
                    dtype_info[dtype].name);
    if (arg->kind == UFC_ARG_BOOL)
        value[0] = arg->as.b;
    else
        memcpy(value, &arg->as, arg->kind == UFC_ARG_COMPLEX ? sizeof arg->as.c : sizeof arg->as.i);
    op->dtype = dtype;
    op->value[0] = op->value[1] = 0;
    cast_kernels[own_dtype(arg)][dtype]((char *)op->value, 0, (const char *)value, 0, 1);
    return UFC_OK;
}

static const struct ufc_overload *first_that_fits(const struct ufc_ufunc *ufunc,
                                                  const struct request *request) {
    for (uint32_t i = 0; i < ufunc->noverloads; i++) {
        const struct ufc_overload *overload = &ufunc->overloads[i];
        uint32_t k = 0;
        while (k < ufunc->nin && accepts((enum ufc_dtype)overload->dtypes[k], &request[k]))
            k++;
        if (k == ufunc->nin)
            return overload;
    }
    return NULL;
}

ufc_status resolve(const struct ufc_ufunc *ufunc, const ufc_arg *in, struct operand *op,
                   const struct ufc_overload **overload, ufc_error *err) {
    struct request request[UFC_MAX_OPERANDS] = {{.dtype = DT_BOOL}};
    make_requests(ufunc->nin, in, op, request);
    *overload = first_that_fits(ufunc, request);
    if (!*overload) {
        loosen(ufunc->nin, in, request);
        *overload = first_that_fits(ufunc, request);
    }
    if (!*overload)
        return no_overload(ufunc, request, err);

    const uint8_t *dtypes = (*overload)->dtypes;
    for (uint32_t k = 0; k < ufunc->nin; k++)
        if (op[k].is_number) {
            ufc_status status = set_number(&op[k], &in[k], (enum ufc_dtype)dtypes[k], err);
            if (status != UFC_OK)
                return fail_at(err, status, "argument %d ('%s')", (int)k + 1, ufunc->params[k]);
        }
    for (uint32_t k = ufunc->nin; k < ufunc->nin + ufunc->nout; k++) {
        enum ufc_dtype dtype = (enum ufc_dtype)dtypes[k];
        if (op[k].ndim < 0)
            op[k].dtype = dtype;
        else if (!casts_same_kind(dtype, op[k].dtype))
            return fail(err, UFC_EDTYPE,
                        "output '%s' is %s, the result %s does not cast to it under same_kind",
                        ufunc->params[k], dtype_info[op[k].dtype].name, dtype_info[dtype].name);
    }
    return UFC_OK;
}
