/* core.c: which axes of a gufunc's operands are its core dimensions, and their sizes: NumPy's rules
 * (_validate_num_dims, _parse_axes_arg, _get_coredim_sizes of its ufunc_object.c). */
#include <string.h>

#include "rt.h"

static int operands(const struct ufc_ufunc *ufunc) {
    return (int)(ufunc->nin + ufunc->nout);
}

static int all_operands(const struct ufc_ufunc *ufunc) {
    return operands(ufunc) + (int)ufunc->nintermediates;
}

/* The core dimensions of operand k, as indices in ufc_core.dims. */
static const uint8_t *dims_of(const struct ufc_core *core, int k) {
    const uint8_t *dims = core->dim;
    for (int i = 0; i < k; i++)
        dims += core->rank[i];
    return dims;
}

static bool is_output(const struct core_shape *s, int k) {
    return k >= (int)s->ufunc->nin;
}

/* Puts the operand's name before the message of a failure. */
static ufc_status of_operand(const struct core_shape *s, int k, ufc_status status, ufc_error *err) {
    const char *name = s->ufunc->params[k];
    return is_output(s, k) ? fail_at(err, status, "output '%s'", name)
                           : fail_at(err, status, "argument %d ('%s')", k + 1, name);
}

ufc_status check_core(const struct ufc_ufunc *ufunc, ufc_error *err) {
    const struct ufc_core *core = ufunc->core;
    size_t ranks = 0;
    bool fits = core->ndims <= MAX_CORE_DIMS;
    for (int k = 0; k < all_operands(ufunc); k++) {
        ranks += core->rank[k];
        fits = fits && core->rank[k] <= MAX_RANK;
    }
    if (fits && ufc_gufunc_offsets((size_t)all_operands(ufunc), core->ndims, ranks).end <=
                    UFC_MAX_PARAMETER)
        return UFC_OK;
    return fail(err, UFC_EINVAL, "'%s' has too many core dimensions", ufunc->name);
}

/* ---- computed sizes */

bool compute_size(const struct ufc_program *program, const int64_t *size, int64_t *value) {
    return ufc_program_size(program, size, value);
}

/* Appends the sizes that a program uses: " with n 3, k 6". */
static void say_sizes(const struct core_shape *s, const struct ufc_program *p, ufc_error *err) {
    const struct ufc_core *core = s->ufunc->core;
    const char *before = " with ";
    for (uint64_t i = 0; i < p->nterms; i++) {
        bool first = p->terms[i].op == UFC_TERM_DIMENSION;
        for (uint64_t j = 0; j < i && first; j++)
            first = p->terms[j].op != UFC_TERM_DIMENSION || p->terms[j].value != p->terms[i].value;
        if (!first)
            continue;
        int64_t d = p->terms[i].value;
        fail_more(err, "%s%s %lld", before, core->dims[d].name, (long long)s->size[d]);
        before = ", ";
    }
}

static ufc_status compute_sizes(struct core_shape *s, int nknown, ufc_error *err) {
    const struct ufc_core *core = s->ufunc->core;
    for (int d = nknown; d < (int)core->ndims; d++) {
        const struct ufc_dim *dim = &core->dims[d];
        bool fits = compute_size(&dim->program, s->size, &s->size[d]);
        if (fits && s->size[d] >= 0)
            continue;
        if (fits)
            fail(err, UFC_ESHAPE, "core dimension '%s' is %lld", dim->name, (long long)s->size[d]);
        else
            fail(err, UFC_ESHAPE, "core dimension '%s' is too large", dim->name);
        say_sizes(s, &dim->program, err);
        fail_more(err, "; the signature is %s", core->signature);
        return UFC_ESHAPE;
    }
    return UFC_OK;
}

/* ---- how many core axes each operand has */

/* Checks that keepdims and axis suit the signature. */
static ufc_status check_keywords(const struct core_shape *s, ufc_error *err) {
    const struct ufc_core *core = s->ufunc->core;
    const ufc_keywords *kw = s->kw;
    int used = 0, most = 0;
    bool keeps = true, seen[MAX_CORE_DIMS] = {false};
    for (int k = 0; k < operands(s->ufunc); k++) {
        keeps = keeps && core->rank[k] == (is_output(s, k) ? 0 : core->rank[0]);
        most = core->rank[k] > most ? core->rank[k] : most;
        for (int i = 0; i < core->rank[k]; i++) {
            used += !seen[dims_of(core, k)[i]];
            seen[dims_of(core, k)[i]] = true;
        }
    }
    if (kw->where || kw->initial || kw->all_axes)
        return fail(err, UFC_EINVAL, "a gufunc takes no '%s'",
                    kw->where     ? "where"
                    : kw->initial ? "initial"
                                  : "all_axes");
    if (kw->keepdims && !keeps)
        return fail(err, UFC_EINVAL,
                    "'keepdims' is for inputs that all have as many core dimensions, and outputs "
                    "that have none; the signature is %s",
                    core->signature);
    if (kw->axes && (kw->core_axes || kw->naxes != 1))
        return fail(err, UFC_EINVAL,
                    kw->core_axes ? "'axes' and 'core_axes' are both given"
                                  : "'axes' is one axis of all operands; 'core_axes' are of each");
    if (kw->axes && (used != 1 || most > 1))
        return fail(err, UFC_EINVAL,
                    "'axes' is for a single core dimension, which operands share; the signature is "
                    "%s",
                    core->signature);
    return UFC_OK;
}

/* Takes an optional dimension off all operands that have it. */
static void drop(struct core_shape *s, int dim) {
    const struct ufc_core *core = s->ufunc->core;
    s->missing[dim] = true;
    for (int k = 0; k < all_operands(s->ufunc); k++)
        for (int i = 0; i < core->rank[k]; i++)
            s->rank[k] -= dims_of(core, k)[i] == dim;
}

static ufc_status count_axes(struct core_shape *s, const struct operand *op, ufc_error *err) {
    const struct ufc_core *core = s->ufunc->core;
    for (int k = 0; k < all_operands(s->ufunc); k++)
        s->rank[k] = core->rank[k];
    for (int k = 0; k < operands(s->ufunc); k++) {
        s->kept[k] = s->kw && s->kw->keepdims && is_output(s, k) ? core->rank[0] : 0;
        const uint8_t *dims = dims_of(core, k);
        for (int i = 0; op[k].ndim >= 0 && op[k].ndim < s->rank[k] && i < core->rank[k]; i++)
            if ((core->dims[dims[i]].flags & UFC_DIM_OPTIONAL) && !s->missing[dims[i]])
                drop(s, dims[i]);
        int wanted = s->rank[k] + s->kept[k];
        if (op[k].ndim < 0 || op[k].ndim >= wanted)
            continue;
        if (op[k].is_number)
            fail(err, UFC_ESHAPE, "it is a number, and has no axes for");
        else
            fail(err, UFC_ESHAPE, "shape %s has too few axes for",
                 shape_text(op[k].ndim, op[k].shape).text);
        fail_more(err, " %d core dimension%s; the signature is %s", wanted, wanted == 1 ? "" : "s",
                  core->signature);
        return of_operand(s, k, UFC_ESHAPE, err);
    }
    s->nloop = 0;
    for (int k = 0; k < operands(s->ufunc); k++) {
        int own = op[k].ndim - s->rank[k] - s->kept[k];
        s->nloop = own > s->nloop ? own : s->nloop;
    }
    return UFC_OK;
}

/* ---- which axes are the core axes */

/* The axes that the keywords give for operand k; NULL: the last ones. */
static const ufc_axes *given_axes(const struct core_shape *s, int k, ufc_axes *one) {
    const ufc_keywords *kw = s->kw;
    *one = (ufc_axes){kw ? kw->axes : NULL, 1};
    if (kw && kw->axes)
        return s->rank[k] + s->kept[k] ? one : NULL;
    return kw && kw->core_axes && k < kw->ncore_axes ? &kw->core_axes[k] : NULL;
}

/* Sets order[i] to the axis of an operand of rank ndim that comes i-th when core axes are last. */
static ufc_status find_order(const struct core_shape *s, int k, int ndim, int *order,
                             ufc_error *err) {
    bool seen[MAX_RANK] = {false};
    int ncore = s->rank[k] + s->kept[k], nloop = ndim - ncore;
    ufc_axes one;
    const ufc_axes *given = given_axes(s, k, &one);
    if (given && given->naxes != ncore)
        return fail(err, UFC_EINVAL, "it has %d core dimension%s, %d axes are given", ncore,
                    ncore == 1 ? "" : "s", given->naxes);
    for (int i = 0; i < ncore; i++) {
        int axis = given ? given->axes[i] : nloop + i, at = axis < 0 ? axis + ndim : axis;
        if (at < 0 || at >= ndim)
            return fail(err, UFC_EINVAL, "axis %d is out of bounds for rank %d", axis, ndim);
        if (seen[at])
            return fail(err, UFC_EINVAL, "axis %d is given twice", axis);
        seen[at] = true;
        order[nloop + i] = at;
    }
    for (int i = 0, at = 0; i < nloop; i++, at++) {
        while (seen[at])
            at++;
        order[i] = at;
    }
    return UFC_OK;
}

void order_axes(struct operand *op, const int *order) {
    int64_t shape[MAX_RANK], stride[MAX_RANK];
    for (int i = 0; i < op->ndim; i++) {
        shape[i] = op->shape[order[i]];
        stride[i] = op->stride[order[i]];
    }
    memcpy(op->shape, shape, (size_t)op->ndim * sizeof *shape);
    memcpy(op->stride, stride, (size_t)op->ndim * sizeof *stride);
}

static ufc_status put_in_order(const struct core_shape *s, struct operand *op, ufc_error *err) {
    const ufc_keywords *kw = s->kw;
    int n = operands(s->ufunc), nin = (int)s->ufunc->nin, order[MAX_RANK];
    bool has_core_outputs = false;
    for (int k = nin; k < n; k++)
        has_core_outputs = has_core_outputs || s->ufunc->core->rank[k];
    if (kw && kw->core_axes && kw->ncore_axes != n && (kw->ncore_axes != nin || has_core_outputs))
        return fail(err, UFC_EINVAL,
                    "'core_axes' are given for %d operands: there are %d, and only outputs may be "
                    "left out, where none has core dimensions; the signature is %s",
                    kw->ncore_axes, n, s->ufunc->core->signature);
    for (int k = 0; k < n; k++) {
        ufc_status status = find_order(
            s, k, op[k].ndim < 0 ? s->nloop + s->rank[k] + s->kept[k] : op[k].ndim, order, err);
        if (status != UFC_OK)
            return of_operand(s, k, status, err);
        if (op[k].ndim > 0)
            order_axes(&op[k], order);
    }
    return UFC_OK;
}

/* ---- sizes of core dimensions */

static ufc_status mismatch(const struct core_shape *s, const struct operand *op, int k, int i,
                           int64_t size, int from, ufc_error *err) {
    const struct ufc_core *core = s->ufunc->core;
    int d = dims_of(core, k)[i];
    fail(err, UFC_ESHAPE, "shape %s: core dimension %d, '%s', is %s%lld, but ",
         shape_text(op[k].ndim, op[k].shape).text, i, core->dims[d].name,
         s->missing[d] ? "missing and so " : "", (long long)size);
    if (from >= 0)
        fail_more(err, "%lld in '%s'", (long long)s->size[d], s->ufunc->params[from]);
    else
        fail_more(err, "must be %lld", (long long)s->size[d]);
    if (core->dims[d].flags & UFC_DIM_COMPUTED)
        say_sizes(s, &core->dims[d].program, err);
    fail_more(err, "; the signature is %s", core->signature);
    return of_operand(s, k, UFC_ESHAPE, err);
}

/* Sets the sizes of dimensions [first, last) from the arrays, all of which must agree. */
static ufc_status read_sizes(struct core_shape *s, const struct operand *op, int first, int last,
                             int *from, ufc_error *err) {
    const struct ufc_core *core = s->ufunc->core;
    for (int k = 0; k < operands(s->ufunc); k++) {
        const uint8_t *dims = dims_of(core, k);
        if (op[k].ndim < 0) /* a result that is to be made */
            continue;
        const int64_t *axis = op[k].shape + (op[k].ndim - s->rank[k] - s->kept[k]);
        for (int i = 0; i < core->rank[k]; i++) {
            int d = dims[i];
            int64_t size = s->missing[d] ? 1 : *axis++;
            if (d < first || d >= last || size == s->size[d])
                continue;
            if (s->size[d] >= 0)
                return mismatch(s, op, k, i, size, from[d], err);
            s->size[d] = size;
            from[d] = k;
        }
    }
    return UFC_OK;
}

static ufc_status find_sizes(struct core_shape *s, const struct operand *op, ufc_error *err) {
    const struct ufc_core *core = s->ufunc->core;
    int from[MAX_CORE_DIMS], ndims = (int)core->ndims, nknown = 0;
    for (int d = 0; d < ndims; d++) {
        s->size[d] = core->dims[d].size;
        from[d] = -1;
        if (!(core->dims[d].flags & UFC_DIM_COMPUTED))
            nknown = d + 1;
    }
    ufc_status status = read_sizes(s, op, 0, nknown, from, err);
    if (status != UFC_OK)
        return status;
    for (int k = (int)s->ufunc->nin; k < operands(s->ufunc); k++)
        for (int i = 0; i < core->rank[k]; i++) {
            int d = dims_of(core, k)[i];
            if (d >= nknown || s->size[d] >= 0)
                continue;
            fail(err, UFC_ESHAPE,
                 "its core dimension %d, '%s', is no input's: give an array; the signature is %s",
                 i, core->dims[d].name, core->signature);
            return of_operand(s, k, UFC_ESHAPE, err);
        }
    status = compute_sizes(s, nknown, err);
    return status == UFC_OK ? read_sizes(s, op, nknown, ndims, from, err) : status;
}

/* Checks and removes the axes of size 1 that keepdims adds to given outputs: the call need not know
 * of them. */
static ufc_status take_kept_off(const struct core_shape *s, struct operand *op, ufc_error *err) {
    for (int k = (int)s->ufunc->nin; k < operands(s->ufunc); k++) {
        bool ones = true;
        for (int i = op[k].ndim - s->kept[k]; op[k].ndim >= 0 && i < op[k].ndim; i++)
            ones = ones && op[k].shape[i] == 1;
        if (!ones) {
            fail(err, UFC_ESHAPE, "shape %s must have size 1 where 'keepdims' adds an axis",
                 shape_text(op[k].ndim, op[k].shape).text);
            return of_operand(s, k, UFC_ESHAPE, err);
        }
        if (op[k].ndim >= 0)
            op[k].ndim -= s->kept[k];
    }
    return UFC_OK;
}

ufc_status find_core(struct core_shape *s, const struct ufc_ufunc *ufunc, const ufc_keywords *kw,
                     struct operand *op, ufc_error *err) {
    s->ufunc = ufunc;
    s->kw = kw;
    memset(s->missing, 0, sizeof s->missing);
    ufc_status status = kw ? check_keywords(s, err) : UFC_OK;
    if (status == UFC_OK)
        status = count_axes(s, op, err);
    if (status == UFC_OK)
        status = put_in_order(s, op, err);
    if (status == UFC_OK)
        status = find_sizes(s, op, err);
    return status == UFC_OK ? take_kept_off(s, op, err) : status;
}

void take_core_version(struct core_shape *s, const struct ufc_ufunc *ufunc) {
    const struct ufc_core *core = ufunc->core;
    for (uint32_t d = s->ufunc->core->ndims; d < core->ndims; d++) {
        if (core->dims[d].size >= 0) /* others are those of all versions, or of calls, and set */
            s->size[d] = core->dims[d].size;
        s->missing[d] = false;
    }
    s->ufunc = ufunc;
    for (int k = 0; k < all_operands(ufunc); k++) {
        s->rank[k] = 0;
        for (int i = 0; i < core->rank[k]; i++)
            s->rank[k] += !s->missing[dims_of(core, k)[i]];
    }
}

/* ---- shapes and strides from core dimensions */

ufc_status made_shape(const struct core_shape *s, int k, const int64_t *loop, int64_t *shape,
                      int *order, int *ndim, ufc_error *err) {
    const struct ufc_core *core = s->ufunc->core;
    int64_t in_order[MAX_RANK];
    int n = s->nloop;
    *ndim = n + s->rank[k] + s->kept[k];
    if (*ndim > MAX_RANK) {
        fail(err, UFC_ESHAPE, "the result has rank %d, more than %d", *ndim, MAX_RANK);
        return of_operand(s, k, UFC_ESHAPE, err);
    }
    for (int i = 0; i < n; i++)
        in_order[i] = loop[i];
    for (int i = 0; i < core->rank[k]; i++)
        if (!s->missing[dims_of(core, k)[i]])
            in_order[n++] = s->size[dims_of(core, k)[i]];
    while (n < *ndim)
        in_order[n++] = 1;
    ufc_status status = find_order(s, k, *ndim, order, err);
    if (status != UFC_OK)
        return of_operand(s, k, status, err);
    for (int i = 0; i < *ndim; i++)
        shape[order[i]] = in_order[i];
    return UFC_OK;
}

void set_core(struct core *core, const struct core_shape *s, const struct operand *op) {
    const struct ufc_core *record = s->ufunc->core;
    memcpy(core->size, s->size, record->ndims * sizeof *s->size);
    core->naxes = 0;
    for (int k = 0; k < all_operands(s->ufunc); k++) {
        const uint8_t *dims = dims_of(record, k);
        const int64_t *stride = op[k].stride + (op[k].ndim - s->rank[k]);
        for (int i = 0; i < record->rank[k]; i++) {
            int64_t own = s->missing[dims[i]] ? 0 : *stride++;
            core->stride[core->naxes++] = s->size[dims[i]] == 1 ? 0 : own;
        }
    }
}

void set_loop_sizes(struct core *core, const struct ufc_overload *overload) {
    for (uint32_t i = 0; i < overload->nloops; i++) {
        const struct ufc_program *size = &overload->loops[i].size;
        if (!size->nterms || !compute_size(size, core->size, &core->loop[i]))
            core->loop[i] = -1;
    }
}
