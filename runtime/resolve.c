/* resolve.c: the overload that a call takes, by NumPy's rules (NEP 50), and the numbers' values. */
#include <string.h>

#include "casting.h"
#include "rt.h"

/* What an input asks of an overload: a type to be cast from, or a weak number. */
enum weakness { STRONG, WEAK_INT, WEAK_FLOAT };

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
    return value <= INT64_MAX ? int_fits((int64_t)value, dtype)
                              : dtype == DT_UINT64 || kind_of(dtype) == 'f';
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
    return (request->weakness == WEAK_INT ? kind_of(dtype) != 'b' : kind_of(dtype) == 'f') &&
           (!request->number || number_fits(request->number, dtype));
}

/* Numbers are weak beside arrays of their kind, else int64, uint64 or float64. */
static void make_requests(uint32_t nin, const ufc_arg *in, const struct operand *op,
                          struct request *request) {
    bool number_array = false, float_array = false;
    for (uint32_t k = 0; k < nin; k++) {
        number_array = number_array || (!op[k].is_number && op[k].dtype != DT_BOOL);
        float_array = float_array || (!op[k].is_number && kind_of(op[k].dtype) == 'f');
    }
    for (uint32_t k = 0; k < nin; k++) {
        struct request r = {.dtype = DT_BOOL};
        switch (in[k].kind) {
        case UFC_ARG_ARRAY: r.dtype = op[k].dtype; break;
        case UFC_ARG_BOOL: break;
        case UFC_ARG_INT:
            r.weakness = number_array ? WEAK_INT : STRONG;
            r.dtype = DT_INT64;
            break;
        case UFC_ARG_UINT:
            r.weakness = number_array ? WEAK_INT : STRONG;
            r.dtype = in[k].as.u > INT64_MAX ? DT_UINT64 : DT_INT64;
            break;
        case UFC_ARG_FLOAT:
            r.weakness = float_array ? WEAK_FLOAT : STRONG;
            r.dtype = DT_FLOAT64;
            break;
        }
        request[k] = r;
    }
}

/* Where no overload takes numbers as that, they take any type of their kind that holds them: a
 * function of float32 alone can be called with numbers alone. */
static void loosen(uint32_t nin, const ufc_arg *in, struct request *request) {
    for (uint32_t k = 0; k < nin; k++) {
        if (in[k].kind == UFC_ARG_ARRAY || in[k].kind == UFC_ARG_BOOL)
            continue;
        request[k].weakness = in[k].kind == UFC_ARG_FLOAT ? WEAK_FLOAT : WEAK_INT;
        request[k].number = &in[k];
    }
}

static ufc_status no_overload(const struct ufc_ufunc *ufunc, const struct request *request,
                              ufc_error *err) {
    fail(err, UFC_EDTYPE, "no overload of '%s' takes (", ufunc->name);
    for (uint32_t k = 0; k < ufunc->nin; k++)
        fail_more(err, "%s%s", k ? ", " : "",
                  request[k].weakness == WEAK_INT     ? "int"
                  : request[k].weakness == WEAK_FLOAT ? "float"
                                                      : dtype_info[request[k].dtype].name);
    fail_more(err, ") by safe casts: convert the inputs for one of");
    for (uint32_t i = 0; i < ufunc->noverloads; i++)
        fail_more(err, "%s %s", i ? "," : "", ufunc->overloads[i].signature);
    return UFC_EDTYPE;
}

/* Sets a number's element in the overload's type. */
static ufc_status set_number(struct operand *op, const ufc_arg *arg, enum ufc_dtype dtype,
                             ufc_error *err) {
    enum ufc_dtype from = DT_BOOL;
    uint64_t value = 0;
    switch (arg->kind) {
    case UFC_ARG_INT:
        if (!int_fits(arg->as.i, dtype))
            return fail(err, UFC_EDTYPE, "%lld does not fit %s", (long long)arg->as.i,
                        dtype_info[dtype].name);
        from = DT_INT64;
        memcpy(&value, &arg->as.i, sizeof arg->as.i);
        break;
    case UFC_ARG_UINT:
        if (!uint_fits(arg->as.u, dtype))
            return fail(err, UFC_EDTYPE, "%llu does not fit %s", (unsigned long long)arg->as.u,
                        dtype_info[dtype].name);
        from = DT_UINT64;
        value = arg->as.u;
        break;
    case UFC_ARG_FLOAT:
        from = DT_FLOAT64;
        memcpy(&value, &arg->as.f, sizeof arg->as.f);
        break;
    default: value = arg->as.b; break;
    }
    op->dtype = dtype;
    op->value[0] = op->value[1] = 0;
    cast_kernels[from][dtype]((char *)op->value, 0, (const char *)&value, 0, 1);
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
