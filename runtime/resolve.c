/* resolve.c: the overload that a call takes, by NumPy's rules (NEP 50), and the numbers' values. */
#include <limits.h>
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
    int bits = dtype_traits[dtype].bits;
    switch (kind_of(dtype)) {
    case 'i':
        return bits >= 64 ||
               (value >= -(INT64_C(1) << (bits - 1)) && value < INT64_C(1) << (bits - 1));
    case 'u': return value >= 0 && (bits >= 64 || value < INT64_C(1) << bits);
    default: return true;
    }
}

static bool uint_fits(uint64_t value, enum ufc_dtype dtype) {
    return value <= INT64_MAX ? int_fits((int64_t)value, dtype)
                              : is_float(dtype) || is_complex(dtype) ||
                                    dtype_traits[dtype].bits - is_signed(dtype) >= 64;
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
    static const char *const kinds[] = {
        [WEAK_INT] = "uifc", [WEAK_FLOAT] = "fc", [WEAK_COMPLEX] = "c"};
    bool of_kind = strchr(kinds[request->weakness], kind_of(dtype)) != NULL;
    return (of_kind || rule == UFC_CASTING_UNSAFE) &&
           (!request->number || number_fits(request->number, dtype));
}

/* The type of a number that is not weak. */
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

/* Numbers are weak where there are arrays of their kind or a higher one; else they are int64,
 * uint64, float64 or complex128. */
static void make_requests(uint32_t nin, const ufc_arg *in, const struct operand *op,
                          struct request *request) {
    enum weakness highest = STRONG; /* the highest kind of numbers that the arrays make weak */
    for (uint32_t k = 0; k < nin; k++) {
        char kind = kind_of(op[k].is_number ? DT_BOOL : op[k].dtype);
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

/* Makes numbers weak, where no overload takes them as int64, float64 and so on: then they take any
 * type of their kind that holds them, so that a function of float32 alone can be called with
 * numbers alone. */
static void loosen(uint32_t nin, const ufc_arg *in, struct request *request) {
    for (uint32_t k = 0; k < nin; k++) {
        if (in[k].kind == UFC_ARG_ARRAY || in[k].kind == UFC_ARG_BOOL)
            continue;
        request[k].weakness = own_weakness(&in[k]);
        request[k].number = &in[k];
    }
}

/* The rules of the search for an overload. */
struct rules {
    ufc_casting first, last; /* casting rules, tried from first to last */
    bool has_dtype;          /* all results have the dtype */
    enum ufc_dtype dtype;
};

/* Whether all results of an overload have the dtype that is asked for. */
static bool gives(const struct ufc_ufunc *ufunc, const struct ufc_overload *overload,
                  const struct rules *rules) {
    for (uint32_t k = ufunc->nin; k < ufunc->nin + ufunc->nout; k++)
        if (rules->has_dtype && overload->dtypes[k] != rules->dtype)
            return false;
    return true;
}

/* ---- where no overload fits */

/* How far an overload is from fitting. */
static int distance(const struct ufc_ufunc *ufunc, const struct ufc_overload *overload,
                    const struct request *request, const struct rules *rules) {
    int sum = 0;
    for (uint32_t k = 0; k < ufunc->nin; k++) {
        enum ufc_dtype dtype = (enum ufc_dtype)overload->dtypes[k];
        if (!accepts(dtype, &request[k], rules->last))
            sum += 1 + cast_loss(request[k].dtype, dtype);
    }
    for (uint32_t k = ufunc->nin; k < ufunc->nin + ufunc->nout; k++)
        if (rules->has_dtype && overload->dtypes[k] != rules->dtype)
            sum += 1 + cast_loss((enum ufc_dtype)overload->dtypes[k], rules->dtype);
    return sum;
}

/* Names the overloads nearest to fitting, the nearest first, and how many others there are. */
static void list_nearest(const struct ufc_ufunc *ufunc, const struct request *request,
                         const struct rules *rules, ufc_error *err) {
    enum { SHOWN = 3 };
    uint32_t n = ufunc->noverloads, shown[SHOWN] = {0};
    for (uint32_t s = 0; s < SHOWN && s < n; s++) {
        int least = INT_MAX;
        for (uint32_t i = 0; i < n; i++) {
            int d = distance(ufunc, &ufunc->overloads[i], request, rules);
            for (uint32_t j = 0; j < s; j++)
                d = shown[j] == i ? INT_MAX : d;
            if (d < least)
                least = d, shown[s] = i;
        }
        fail_more(err, "%s %s", s > 0 ? "," : "", ufunc->overloads[shown[s]].signature);
    }
    if (n > SHOWN)
        fail_more(err, " and %u more", (unsigned)(n - SHOWN));
}

static const char *const weak_names[] = {
    [WEAK_INT] = "int", [WEAK_FLOAT] = "float", [WEAK_COMPLEX] = "complex"};

static bool any_gives(const struct ufc_ufunc *ufunc, const struct rules *rules) {
    for (uint32_t i = 0; i < ufunc->noverloads; i++)
        if (gives(ufunc, &ufunc->overloads[i], rules))
            return true;
    return false;
}

static ufc_status no_overload(const struct ufc_ufunc *ufunc, const struct request *request,
                              const struct rules *rules, ufc_error *err) {
    bool several = ufunc->noverloads > 1;
    if (!any_gives(ufunc, rules)) {
        fail(err, UFC_EDTYPE, "no overload of '%s' has results of %s: there %s", ufunc->name,
             dtype_info[rules->dtype].name, several ? "are" : "is");
        list_nearest(ufunc, request, rules, err);
        return UFC_EDTYPE;
    }
    fail(err, UFC_EDTYPE, "no overload of '%s' takes (", ufunc->name);
    for (uint32_t k = 0; k < ufunc->nin; k++)
        fail_more(err, "%s%s", k ? ", " : "",
                  request[k].weakness == STRONG ? dtype_info[request[k].dtype].name
                                                : weak_names[request[k].weakness]);
    fail_more(err, ") by %s casts", rule_name(rules->last));
    if (rules->has_dtype)
        fail_more(err, " for results of %s", dtype_info[rules->dtype].name);
    fail_more(err, ": convert the inputs for%s", several ? " one of" : "");
    list_nearest(ufunc, request, rules, err);
    return UFC_EDTYPE;
}

ufc_status set_number(struct operand *op, const ufc_arg *arg, enum ufc_dtype dtype,
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
    cast_elements(own_dtype(arg), dtype, (char *)op->value, 0, (const char *)value, 0, 1);
    return UFC_OK;
}

static bool fits(const struct ufc_ufunc *ufunc, const struct ufc_overload *overload,
                 const struct request *request, const struct rules *rules, ufc_casting rule) {
    for (uint32_t k = 0; k < ufunc->nin; k++)
        if (!accepts((enum ufc_dtype)overload->dtypes[k], &request[k], rule))
            return false;
    return gives(ufunc, overload, rules);
}

/* The first overload that fits, by the strictest casting rule that one fits by. */
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
    struct request request[UFC_MAX_OPERANDS];
    request[0] = (struct request){.dtype = DT_BOOL}; /* for a ufunc without inputs */
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

/* The overload T(T, T) of a dtype; NULL: there is none. */
static const struct ufc_overload *overload_of(const struct ufc_ufunc *ufunc, enum ufc_dtype dtype) {
    for (uint32_t i = 0; i < ufunc->noverloads; i++)
        if (ufunc->overloads[i].dtypes[2] == dtype && is_uniform(&ufunc->overloads[i]))
            return &ufunc->overloads[i];
    return NULL;
}

/* The overload T(T, T) for an array (and an output), by safe casts; NULL: there is none. */
static const struct ufc_overload *overload_for(const struct ufc_ufunc *ufunc, enum ufc_dtype in,
                                               const struct operand *out) {
    enum ufc_dtype acc = out->ndim < 0 ? in : out->dtype;
    const struct request request[] = {{.dtype = acc}, {.dtype = in}};
    const struct rules safe = {.first = UFC_CASTING_SAFE, .last = UFC_CASTING_SAFE};
    const struct ufc_overload *o = first_that_fits(ufunc, request, &safe);
    if (o && !is_uniform(o)) /* as true division of integers is not */
        o = overload_of(ufunc, (enum ufc_dtype)o->dtypes[2]);
    if (!o || !casts_safely(in, (enum ufc_dtype)o->dtypes[0]))
        return NULL;
    bool small = kind_of(in) == 'b' || (kind_of(in) != 'f' && dtype_info[in].size < 8);
    if (out->ndim >= 0 || !small || !(o->flags & UFC_WIDENS))
        return o;
    const struct ufc_overload *wide = overload_of(ufunc, kind_of(in) == 'u' ? DT_UINT64 : DT_INT64);
    return wide ? wide : o;
}

const struct ufc_overload *reducing_overload(const struct ufc_ufunc *ufunc,
                                             const struct ufc_overload *overload, enum ufc_dtype in,
                                             enum ufc_dtype out) {
    enum ufc_dtype dtype = (enum ufc_dtype)overload->dtypes[2];
    if (!is_half(dtype) || !(overload->flags & UFC_WIDENS) || !casts_safely(in, dtype) ||
        out != dtype)
        return overload;
    const struct ufc_overload *wide = overload_of(ufunc, dtype_traits[dtype].computed);
    return wide ? wide : overload;
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
        const struct request both[] = {{.dtype = in->dtype}, {.dtype = in->dtype}};
        list_nearest(ufunc, both, &rules, err);
        return UFC_EDTYPE;
    }
    return check_store(ufunc->params[2], out, (enum ufc_dtype)(*overload)->dtypes[2],
                       UFC_CASTING_SAME_KIND, err);
}
