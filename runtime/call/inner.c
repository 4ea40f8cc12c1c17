/* inner.c: an overload as one of NumPy's inner loops, for callers that broadcast and convert
 * themselves. */
#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "fpenv.h"
#include "intermediates.h"
#include "rt.h"

/* ---- ufuncs of scalars */

/* Of a loop as NumPy's reduce and accumulate have it: f(out[i - 1], x[i]) becomes out[i], with
 * out[-1] at args[0]. */
static bool is_fold(const struct ufc_ufunc *ufunc, char **args, const intptr_t *steps) {
    return ufunc->nin == 2 && ufunc->nout == 1 && steps[0] == steps[2] &&
           (uintptr_t)args[2] == (uintptr_t)args[0] + (uintptr_t)steps[2];
}

enum { BLOCK = 128 }; /* elements that NumPy sums at once */

/* Reduces n > 0 neighbours as NumPy sums them: halves of whole vectors, down to a block. */
static void reduce_pairwise(const struct ufc_host_code *code, int size, char *result, const char *x,
                            intptr_t n) {
    if (n <= BLOCK) {
        code->leaf(result, x, n);
        return;
    }
    char right[16];
    intptr_t half = n / 2 & ~(intptr_t)7;
    reduce_pairwise(code, size, result, x, half);
    reduce_pairwise(code, size, right, x + half * size, n - half);
    code->fold(result, right, 1, 0, 1, result, 0, NULL);
}

/* False: there are no kernels for it. */
static bool run_fold(const struct ufc_overload *o, char **args, intptr_t n, const intptr_t *steps,
                     ufc_status *status, ufc_error *err) {
    struct ufc_host_code code;
    int size = dtype_info[o->dtypes[2]].size;
    *status = host_code(o, UFC_HOST_FOLDS, &code, err);
    if (*status != UFC_OK)
        return true;
    if (!code.fold)
        return false;
    const char *x = args[1];
    intptr_t step = steps[1];
    char part[16];
    if (steps[2] == 0 && step == size && o->flags & (UFC_EXACT | UFC_HAS_IDENTITY)) {
        if (o->flags & UFC_EXACT)
            code.leaf(part, x, n);
        else
            reduce_pairwise(&code, size, part, x, n);
        x = part, n = 1, step = 0;
    }
    code.fold(args[0], x, n, step, 1, args[2], steps[2], NULL);
    return true;
}

/* Whether elements may be computed in any order. */
static bool is_unordered(const struct ufc_host_code *code, char **args, const intptr_t *dimensions,
                         const intptr_t *steps) {
    return code->ask && (code->ask(args, dimensions, steps) & UFC_WAY_MASK) != UFC_WAY_ORDERED;
}

/* Runs the loop on threads. */
static ufc_status share_out(const struct ufc_ufunc *ufunc, const struct ufc_overload *o,
                            char **args, intptr_t n, const intptr_t *steps, ufc_error *err) {
    struct iteration it;
    ufc_context *ctx;
    ufc_status status = shared_context(&ctx, (DLDevice){kDLCPU, 0}, err);
    if (status != UFC_OK)
        return status;
    it.overload = o;
    it.ufunc = ufunc;
    it.core = NULL;
    it.nin = (int)ufunc->nin;
    it.nout = (int)ufunc->nout;
    it.masked = it.planned = false;
    it.script = NULL;
    it.place = (struct calls_place){.output = NULL};
    it.naxes = 1;
    it.size[0] = it.total = n;
    for (int k = 0; k < it.nin + it.nout; k++) {
        it.data[k] = args[k];
        it.dtype[k] = (enum ufc_dtype)o->dtypes[k];
        it.stride[k][0] = steps[k];
    }
    return ctx->ops->execute(ctx, NULL, &it, err);
}

static ufc_status run_ufunc(const struct ufc_ufunc *ufunc, const struct ufc_overload *o,
                            char **args, const intptr_t *dimensions, const intptr_t *steps,
                            ufc_error *err) {
    struct ufc_host_code code;
    struct finding finding;
    ufc_status status;
    intptr_t n = dimensions[0];
    if (n > 1 && is_fold(ufunc, args, steps) && run_fold(o, args, n, steps, &status, err))
        return status;
    status = host_code(o, UFC_HOST_CALLS, &code, err);
    if (status != UFC_OK)
        return status;
    if (n >= 2 * HOST_GRAIN && is_unordered(&code, args, dimensions, steps))
        return share_out(ufunc, o, args, n, steps, err);
    finding_begin(&finding, o);
    finding_run(&finding, 0, code.kernel, args, dimensions, steps, NULL);
    return finding_end(&finding, ufunc, NULL, err);
}

/* ---- gufuncs */

/* A run of core calls.  Allocated, since threads' stacks may be small. */
struct run {
    ufc_context *ctx;
    struct core core;
    struct intermediates intermediates;
    struct temps temps;
    struct iteration it;
};

/* The dimensions of a gufunc in the order in which its signature first names them: number[d] is the
 * place there of ufc_core.dims[d], or -1 of one that only intermediates have. */
static void number_dims(const struct ufc_ufunc *ufunc, int number[MAX_CORE_DIMS]) {
    const struct ufc_core *core = ufunc->core;
    const uint8_t *dim = core->dim;
    int n = 0;
    for (uint32_t d = 0; d < core->ndims; d++)
        number[d] = -1;
    for (uint32_t k = 0; k < ufunc->nin + ufunc->nout; k++)
        for (int i = 0; i < core->rank[k]; i++, dim++)
            if (number[*dim] < 0)
                number[*dim] = n++;
}

/* Sets the sizes of all core dimensions, by number, from those that the signature names; of
 * computed ones these may be -1. */
static ufc_status find_sizes(const struct ufc_ufunc *ufunc, const intptr_t *sizes, int64_t *size,
                             ufc_error *err) {
    const struct ufc_core *core = ufunc->core;
    int number[MAX_CORE_DIMS];
    number_dims(ufunc, number);
    for (uint32_t d = 0; d < core->ndims; d++) {
        const struct ufc_dim *dim = &core->dims[d];
        int64_t given = number[d] >= 0 ? sizes[number[d]] : -1;
        size[d] = given >= 0 ? given : dim->size;
        if (!(dim->flags & UFC_DIM_COMPUTED))
            continue;
        bool fits = compute_size(&dim->program, size, &size[d]);
        if (!fits || size[d] < 0)
            return fail(err, UFC_ESHAPE, "%s: core dimension '%s' is %s; the signature is %s",
                        ufunc->name, dim->name, fits ? "negative" : "too large", core->signature);
        if (given >= 0 && given != size[d])
            return fail(err, UFC_ESHAPE,
                        "%s: core dimension '%s' is %lld, but must be %lld; the signature is %s",
                        ufunc->name, dim->name, (long long)given, (long long)size[d],
                        core->signature);
    }
    return UFC_OK;
}

/* Lays an array of the body out in C order, and gives its bytes; false: they are too many. */
static bool lay_out(struct run *r, const uint8_t *dim, int rank, int64_t *stride, int64_t *bytes) {
    for (int i = rank; i-- > 0;) {
        int64_t size = r->core.size[dim[i]];
        stride[i] = size == 1 ? 0 : *bytes;
        if (__builtin_mul_overflow(*bytes, size, bytes))
            return false;
    }
    return true;
}

static ufc_status set_operands(struct run *r, const struct ufc_ufunc *ufunc,
                               const struct ufc_overload *o, char **args, const intptr_t *steps,
                               ufc_error *err) {
    const struct ufc_core *core = ufunc->core;
    const uint8_t *dim = core->dim;
    int nouter = (int)(ufunc->nin + ufunc->nout);
    const intptr_t *core_steps = steps + nouter;
    struct iteration *it = &r->it;
    r->core.naxes = 0;
    r->intermediates.n = (int)ufunc->nintermediates;
    r->intermediates.core = r->ctx->ops->launches ? &r->core : NULL;
    for (int k = 0; k < it->nin + it->nout; dim += core->rank[k++]) {
        int64_t *stride = r->core.stride + r->core.naxes;
        it->dtype[k] = (enum ufc_dtype)o->dtypes[k];
        it->data[k] = k < nouter ? args[k] : NULL;
        it->stride[k][0] = k < nouter ? steps[k] : 0;
        for (int i = 0; k < nouter && i < core->rank[k]; i++, core_steps++)
            stride[i] = r->core.size[dim[i]] == 1 ? 0 : *core_steps;
        r->core.naxes += core->rank[k];
        if (k < nouter)
            continue;
        int64_t *bytes = &r->intermediates.bytes[k - nouter];
        *bytes = dtype_info[it->dtype[k]].size;
        if (!lay_out(r, dim, core->rank[k], stride, bytes))
            return fail(err, UFC_ENOMEM, "out of memory for '%s'", ufunc->params[k]);
        if (o->in_place >> (k - nouter) & 1)
            *bytes = 0;
    }
    return UFC_OK;
}

/* The elements of operand k in a core call, or INT64_MAX. */
static int64_t elements_of(const struct run *r, const struct ufc_core *core, int k) {
    const uint8_t *dim = core->dim;
    int64_t elements = 1;
    for (int i = 0; i < k; i++)
        dim += core->rank[i];
    for (int i = 0; i < core->rank[k]; i++)
        if (__builtin_mul_overflow(elements, r->core.size[dim[i]], &elements))
            return INT64_MAX;
    return elements;
}

/* Sets all elements of output k to 0: a copy of a number. */
static ufc_status clear_output(struct run *r, const struct ufc_ufunc *ufunc, int k,
                               ufc_error *err) {
    static char zero[16];
    const struct ufc_core *core = ufunc->core;
    const uint8_t *dim = core->dim;
    const int64_t *stride = r->core.stride;
    for (int i = 0; i < k; i++)
        dim += core->rank[i], stride += core->rank[i];
    struct iteration *it = malloc(sizeof *it);
    if (!it)
        return fail(err, UFC_ENOMEM, "out of memory for a call");
    it->ufunc = NULL;
    it->core = NULL;
    it->nin = it->nout = 1;
    it->masked = it->planned = false;
    it->script = NULL;
    it->naxes = 1 + core->rank[k];
    it->data[0] = zero;
    it->data[1] = r->it.data[k];
    it->dtype[0] = it->dtype[1] = r->it.dtype[k];
    it->total = it->size[0] = r->it.size[0];
    it->stride[1][0] = r->it.stride[k][0];
    for (int i = 0; i < core->rank[k]; i++) {
        it->size[1 + i] = r->core.size[dim[i]];
        it->stride[1][1 + i] = stride[i];
        it->total *= it->size[1 + i];
    }
    memset(it->stride[0], 0, (size_t)it->naxes * sizeof it->stride[0][0]);
    ufc_status status = it->total > 0 ? r->ctx->ops->copy(r->ctx, NULL, it, err) : UFC_OK;
    free(it);
    return status;
}

/* Makes the calls, unless they write no element. */
static ufc_status execute(struct run *r, const struct ufc_ufunc *ufunc,
                          const struct ufc_overload *o, ufc_error *err) {
    bool empty = !(o->flags & UFC_CHECKS);
    ufc_status status = UFC_OK;
    for (int k = (int)ufunc->nin; k < (int)(ufunc->nin + ufunc->nout) && status == UFC_OK; k++) {
        empty = empty && elements_of(r, ufunc->core, k) == 0;
        if (o->unwritten >> (k - (int)ufunc->nin) & 1)
            status = clear_output(r, ufunc, k, err);
    }
    if (status != UFC_OK || empty)
        return status;
    if (r->intermediates.n == 0)
        return r->ctx->ops->execute(r->ctx, NULL, &r->it, err);
    r->temps.n = 0;
    status = execute_intermediates(r->ctx, NULL, &r->it, &r->intermediates, &r->temps, err);
    free_temps(r->ctx, NULL, &r->temps);
    return status;
}

static ufc_status run_gufunc(const struct ufc_ufunc *ufunc, const struct ufc_overload *o,
                             char **args, const intptr_t *dimensions, const intptr_t *steps,
                             ufc_error *err) {
    struct run *r = malloc(sizeof *r);
    if (!r)
        return fail(err, UFC_ENOMEM, "out of memory for a call");
    struct iteration *it = &r->it;
    it->overload = o;
    it->ufunc = ufunc;
    it->core = &r->core;
    it->nin = (int)ufunc->nin;
    it->nout = (int)(ufunc->nout + ufunc->nintermediates);
    it->masked = it->planned = false;
    it->script = NULL;
    it->place = (struct calls_place){.output = NULL};
    it->naxes = 1;
    it->size[0] = it->total = dimensions[0];
    ufc_status status = shared_context(&r->ctx, (DLDevice){kDLCPU, 0}, err);
    if (status == UFC_OK)
        status = find_sizes(ufunc, dimensions + 1, r->core.size, err);
    if (status == UFC_OK)
        status = set_operands(r, ufunc, o, args, steps, err);
    if (status == UFC_OK)
        status = execute(r, ufunc, o, err);
    free(r);
    return status;
}

/* ---- what is public */

static const struct ufc_overload *find_overload(const struct ufc_ufunc *ufunc, int overload) {
    bool known = ufunc && overload >= 0 && overload < (int)ufunc->noverloads;
    return known ? &ufunc->overloads[overload] : NULL;
}

ufc_status ufc_inner_loop(const ufc_ufunc *ufunc, int overload, char **args,
                          const intptr_t *dimensions, const intptr_t *steps, ufc_error *err) {
    ufc_status status = check_ufunc(ufunc, err);
    if (status != UFC_OK)
        return status;
    const struct ufc_overload *o = find_overload(ufunc, overload);
    if (!o)
        return fail(err, UFC_EINVAL, "'%s' has no overload %d", ufunc->name, overload);
    if (dimensions[0] <= 0)
        return UFC_OK;
    fp_env callers = fp_enter();
    status = ufunc->core ? run_gufunc(ufunc, o, args, dimensions, steps, err)
                         : run_ufunc(ufunc, o, args, dimensions, steps, err);
    fp_leave(callers);
    return status;
}

ufc_status ufc_core_sizes(const ufc_ufunc *ufunc, intptr_t *sizes, ufc_error *err) {
    ufc_status status = check_ufunc(ufunc, err);
    int number[MAX_CORE_DIMS];
    int64_t size[MAX_CORE_DIMS];
    if (status != UFC_OK || !ufunc->core)
        return status;
    number_dims(ufunc, number);
    status = find_sizes(ufunc, sizes, size, err);
    for (uint32_t d = 0; d < ufunc->core->ndims && status == UFC_OK; d++)
        if (number[d] >= 0 && ufunc->core->dims[d].flags & UFC_DIM_COMPUTED)
            sizes[number[d]] = (intptr_t)size[d];
    return status;
}

/* An element as a number. */
static ufc_arg number_of(enum ufc_dtype dtype, const uint64_t element[2]) {
    enum ufc_dtype widest = DT_FLOAT64;
    union {
        double parts[2];
        int64_t i;
        uint64_t u;
        uint8_t b;
    } wide = {{0, 0}};
    switch (dtype_info[dtype].kind) {
    case 'b': widest = DT_BOOL; break;
    case 'i': widest = DT_INT64; break;
    case 'u': widest = DT_UINT64; break;
    case 'c': widest = DT_COMPLEX128; break;
    default: break;
    }
    cast_elements(dtype, widest, (char *)&wide, 0, (const char *)element, 0, 1);
    switch (widest) {
    case DT_BOOL: return ufc_bool(wide.b != 0);
    case DT_INT64: return ufc_int(wide.i);
    case DT_UINT64: return ufc_uint(wide.u);
    case DT_COMPLEX128: return ufc_complex(wide.parts[0], wide.parts[1]);
    default: return ufc_float(wide.parts[0]);
    }
}

ufc_overload_description ufc_describe_overload(const ufc_ufunc *ufunc, int overload) {
    const struct ufc_overload *o = find_overload(ufunc, overload);
    ufc_overload_description d = {0};
    if (!o)
        return d;
    d.signature = o->signature;
    d.types = o->dtypes;
    d.reorders = o->flags & UFC_COMMUTES && o->flags & (UFC_HAS_IDENTITY | UFC_EXACT);
    d.has_identity = o->flags & UFC_HAS_IDENTITY;
    if (d.has_identity)
        d.identity = number_of((enum ufc_dtype)o->dtypes[0], o->identity);
    return d;
}
