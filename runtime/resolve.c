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

static bool casts(enum ufc_dtype from, enum ufc_dtype to, ufc_casting rule) {
    switch (rule) {
    case UFC_CASTING_NO:
    case UFC_CASTING_EQUIV: return from == to;
    case UFC_CASTING_SAME_KIND: return casts_same_kind(from, to);
    case UFC_CASTING_UNSAFE: return true;
    default: return casts_safely(from, to);
    }
}

static const char *rule_name(ufc_casting rule) {
    static const char *const names[] = {"default", "no", "equiv", "safe", "same_kind", "unsafe"};
    return names[rule];
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

static bool accepts(enum ufc_dtype dtype, const struct request *request, ufc_casting rule) {
    if (request->weakness == STRONG)
        return casts(request->dtype, dtype, rule);
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

static void list_overloads(const struct ufc_ufunc *ufunc, ufc_error *err) {
    for (uint32_t i = 0; i < ufunc->noverloads; i++)
        fail_more(err, "%s %s", i ? "," : "", ufunc->overloads[i].signature);
}

/* What the search for an overload keeps to. */
struct rules {
    ufc_casting first, last; /* each in turn */
    bool has_dtype;          /* of all results */
    enum ufc_dtype dtype;
};

static ufc_status no_overload(const struct ufc_ufunc *ufunc, const struct request *request,
                              const struct rules *rules, ufc_error *err) {
    fail(err, UFC_EDTYPE, "no overload of '%s' takes (", ufunc->name);
    for (uint32_t k = 0; k < ufunc->nin; k++)
        fail_more(err, "%s%s", k ? ", " : "",
                  request[k].weakness == WEAK_INT     ? "int"
                  : request[k].weakness == WEAK_FLOAT ? "float"
                                                      : dtype_info[request[k].dtype].name);
    fail_more(err, ") by %s casts", rule_name(rules->last));
    if (rules->has_dtype)
        fail_more(err, " for results of %s", dtype_info[rules->dtype].name);
    fail_more(err, ": convert the inputs for one of");
    list_overloads(ufunc, err);
    return UFC_EDTYPE;
}

ufc_status set_number(struct operand *op, const ufc_arg *arg, enum ufc_dtype dtype,
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

static bool fits(const struct ufc_ufunc *ufunc, const struct ufc_overload *overload,
                 const struct request *request, const struct rules *rules, ufc_casting rule) {
    for (uint32_t k = 0; k < ufunc->nin; k++)
        if (!accepts((enum ufc_dtype)overload->dtypes[k], &request[k], rule))
            return false;
    for (uint32_t k = ufunc->nin; k < ufunc->nin + ufunc->nout; k++)
        if (rules->has_dtype && overload->dtypes[k] != rules->dtype)
            return false;
    return true;
}

/* The first overload by the strictest rule that any fits by. */
static const struct ufc_overload *first_that_fits(const struct ufc_ufunc *ufunc,
                                                  const struct request *request,
                                                  const struct rules *rules) {
    for (unsigned rule = rules->first; rule <= (unsigned)rules->last; rule++)
        for (uint32_t i = 0; i < ufunc->noverloads; i++)
            if (fits(ufunc, &ufunc->overloads[i], request, rules, (ufc_casting)rule))
                return &ufunc->overloads[i];
    return NULL;
}

static ufc_status set_rules(struct rules *rules, const ufc_keywords *kw, ufc_error *err) {
    *rules = (struct rules){.first = UFC_CASTING_SAFE, .last = UFC_CASTING_SAFE};
    if (!kw)
        return UFC_OK;
    if ((unsigned)kw->casting > UFC_CASTING_UNSAFE)
        return fail(err, UFC_EINVAL, "there is no casting %d", (int)kw->casting);
    rules->has_dtype = kw->dtype.bits != 0;
    if (rules->has_dtype && !dtype_from_dl(kw->dtype, &rules->dtype))
        return fail(err, UFC_EDTYPE, "dtype: there is no such element type");
    if (rules->has_dtype)
        rules->last = UFC_CASTING_SAME_KIND;
    if (kw->casting)
        rules->last = kw->casting;
    if (rules->last < rules->first)
        rules->first = rules->last;
    return UFC_OK;
}

static ufc_status check_store(const char *name, struct operand *out, enum ufc_dtype dtype,
                              ufc_casting rule, ufc_error *err) {
    if (out->ndim < 0)
        out->dtype = dtype;
    else if (!casts(dtype, out->dtype, rule))
        return fail(err, UFC_EDTYPE,
                    "output '%s' is %s, the result %s does not cast to it under %s", name,
                    dtype_info[out->dtype].name, dtype_info[dtype].name, rule_name(rule));
    return UFC_OK;
}

ufc_status resolve(const struct ufc_ufunc *ufunc, const ufc_arg *in, const ufc_keywords *kw,
                   struct operand *op, const struct ufc_overload **overload, ufc_error *err) {
    struct request request[UFC_MAX_OPERANDS] = {{.dtype = DT_BOOL}};
    struct rules rules;
    ufc_status ok = set_rules(&rules, kw, err);
    if (ok != UFC_OK)
        return ok;
    make_requests(ufunc->nin, in, op, request);
    *overload = first_that_fits(ufunc, request, &rules);
    if (!*overload) {
        loosen(ufunc->nin, in, request);
        *overload = first_that_fits(ufunc, request, &rules);
    }
    if (!*overload)
        return no_overload(ufunc, request, &rules, err);

    const uint8_t *dtypes = (*overload)->dtypes;
    ufc_casting stored = kw && kw->casting ? kw->casting : UFC_CASTING_SAME_KIND;
    for (uint32_t k = 0; k < ufunc->nin; k++)
        if (op[k].is_number) {
            ufc_status status = set_number(&op[k], &in[k], (enum ufc_dtype)dtypes[k], err);
            if (status != UFC_OK)
                return fail_at(err, status, "argument %d ('%s')", (int)k + 1, ufunc->params[k]);
        }
    for (uint32_t k = ufunc->nin; k < ufunc->nin + ufunc->nout; k++) {
        ok = check_store(ufunc->params[k], &op[k], (enum ufc_dtype)dtypes[k], stored, err);
        if (ok != UFC_OK)
            return ok;
    }
    return UFC_OK;
}

/* ---- methods */

static bool is_uniform(const struct ufc_overload *overload) {
    const uint8_t *dtypes = overload->dtypes;
    return dtypes[0] == dtypes[2] && dtypes[1] == dtypes[2];
}

/* The overload of T(T, T); NULL: none. */
static const struct ufc_overload *overload_of(const struct ufc_ufunc *ufunc, enum ufc_dtype dtype) {
    for (uint32_t i = 0; i < ufunc->noverloads; i++)
        if (ufunc->overloads[i].dtypes[2] == dtype && is_uniform(&ufunc->overloads[i]))
            return &ufunc->overloads[i];
    return NULL;
}

/* That for an array (and an output), by safe casts; NULL: none. */
static const struct ufc_overload *overload_for(const struct ufc_ufunc *ufunc, enum ufc_dtype in,
                                               const struct operand *out) {
    enum ufc_dtype acc = out->ndim < 0 ? in : out->dtype;
    const struct request request[] = {{.dtype = acc}, {.dtype = in}};
    const struct rules safe = {.first = UFC_CASTING_SAFE, .last = UFC_CASTING_SAFE};
    const struct ufc_overload *o = first_that_fits(ufunc, request, &safe);
    if (o && !is_uniform(o)) /* as true division's of integers */
        o = overload_of(ufunc, (enum ufc_dtype)o->dtypes[2]);
    if (!o || !casts_safely(in, (enum ufc_dtype)o->dtypes[0]))
        return NULL;
    bool small = kind_of(in) == 'b' || (kind_of(in) != 'f' && dtype_info[in].size < 8);
    if (out->ndim >= 0 || !small || !(o->flags & UFC_WIDENS))
        return o;
    const struct ufc_overload *wide = overload_of(ufunc, kind_of(in) == 'u' ? DT_UINT64 : DT_INT64);
    return wide ? wide : o;
}

ufc_status resolve_method(const struct ufc_ufunc *ufunc, const char *method, const ufc_keywords *kw,
                          const struct operand *in, struct operand *out,
                          const struct ufc_overload **overload, ufc_error *err) {
    struct rules rules;
    ufc_status status = set_rules(&rules, kw, err);
    if (status != UFC_OK)
        return status;
    *overload =
        rules.has_dtype ? overload_of(ufunc, rules.dtype) : overload_for(ufunc, in->dtype, out);
    if (!*overload) {
        const char *name = dtype_info[rules.has_dtype ? rules.dtype : in->dtype].name;
        fail(err, UFC_EDTYPE,
             "%s.%s of %s needs a signature of one type that %s casts to safely:", ufunc->name,
             method, name, name);
        list_overloads(ufunc, err);
        return UFC_EDTYPE;
    }
    return check_store(ufunc->params[2], out, (enum ufc_dtype)(*overload)->dtypes[2],
                       UFC_CASTING_SAME_KIND, err);
}
