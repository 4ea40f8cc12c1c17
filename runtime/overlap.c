/* overlap.c: memory shared by a call's operands.
 *
 * Two strided arrays share a byte where a sum of their strides, each taken at most size - 1 times,
 * bridges the distance between them: a linear equation in bounded whole numbers.  It is searched
 * exactly, depth first, each number confined by what the others can still make up (their sum and
 * their greatest common divisor).  Arrays as they occur in practice leave one candidate a level;
 * when the search grows long, overlap is assumed, which is safe. */
#include <stdlib.h>

#include "recorder.h"

__extension__ typedef __int128 wide;

#define MAX_WORK  2000 /* candidates tried */
#define MAX_TERMS (2 * MAX_RANK + 1)

/* Is there a sum of coef[i] * x[i] that equals a target, with 0 <= x[i] <= bound[i]? */
struct equation {
    int n;
    int64_t coef[MAX_TERMS];  /* > 0, falling */
    int64_t bound[MAX_TERMS]; /* > 0 */
    /* reach[i], divisor[i]: the largest sum, and the greatest common divisor, of terms i and
     * behind. */
    int64_t reach[MAX_TERMS + 1], divisor[MAX_TERMS + 1];
    int work;
};

static int64_t gcd(int64_t a, int64_t b) {
    while (b) {
        int64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

/* The inverse of a modulo m, coprime, in [0, m). */
static int64_t inverse(int64_t a, int64_t m) {
    int64_t r = m, next_r = a % m, t = 0, next_t = 1;
    while (next_r) {
        int64_t q = r / next_r, keep = r - q * next_r;
        r = next_r;
        next_r = keep;
        keep = t - q * next_t;
        t = next_t;
        next_t = keep;
    }
    return t < 0 ? t + m : t % m;
}

/* Adds a term; keeps terms in falling order, and joins those of equal coefficients. */
static void add_term(struct equation *eq, int64_t coef, int64_t bound) {
    if (bound <= 0)
        return;
    int at = eq->n;
    while (at > 0 && eq->coef[at - 1] < coef)
        at--;
    if (at > 0 && eq->coef[at - 1] == coef) {
        eq->bound[at - 1] += bound;
        return;
    }
    for (int i = eq->n++; i > at; i--) {
        eq->coef[i] = eq->coef[i - 1];
        eq->bound[i] = eq->bound[i - 1];
    }
    eq->coef[at] = coef;
    eq->bound[at] = bound;
}

static bool search(struct equation *eq, int i, int64_t target) {
    if (target < 0 || target > eq->reach[i])
        return false;
    if (target == 0)
        return true;
    /* A term is left: coef * x must equal target modulo the divisor of the terms behind it. */
    int64_t coef = eq->coef[i], rest = eq->reach[i + 1], divisor = eq->divisor[i + 1];
    if (target % eq->divisor[i])
        return false;
    if (divisor == 0)
        return true; /* it is the last term: divisor[i] is coef, and the quotient is within
                        its bound */
    int64_t common = eq->divisor[i], step = divisor / common;
    int64_t first = target > rest ? (target - rest + coef - 1) / coef : 0;
    int64_t last = target / coef < eq->bound[i] ? target / coef : eq->bound[i];
    int64_t residue =
        (int64_t)((wide)(target / common) % step * inverse(coef / common, step) % step);
    first += (residue - first % step + step) % step;
    for (int64_t x = first; x <= last; x += step) {
        if (eq->work-- == 0)
            return true;
        if (search(eq, i + 1, target - coef * x) || eq->work < 0)
            return true;
    }
    return false;
}

static bool has_solution(struct equation *eq, int64_t target) {
    eq->reach[eq->n] = 0;
    eq->divisor[eq->n] = 0;
    for (int i = eq->n - 1; i >= 0; i--) {
        eq->reach[i] = eq->reach[i + 1] + eq->coef[i] * eq->bound[i];
        eq->divisor[i] = gcd(eq->coef[i], eq->divisor[i + 1]);
    }
    eq->work = MAX_WORK;
    return search(eq, 0, target);
}

/* The memory of an operand: its bytes lie in [low, high). */
struct span {
    uintptr_t low, high;
};

static bool are_apart(struct span a, struct span b) {
    return a.high <= b.low || b.high <= a.low;
}

static struct span span_of(const struct iteration *it, int k) {
    uintptr_t first = (uintptr_t)it->data[k];
    struct span s = {first, first + (uintptr_t)dtype_info[it->dtype[k]].size};
    for (int axis = 0; axis < it->naxes; axis++) {
        int64_t reach = (it->size[axis] - 1) * it->stride[k][axis];
        if (reach < 0)
            s.low -= (uintptr_t)-reach;
        else
            s.high += (uintptr_t)reach;
    }
    return s;
}

static int64_t stride_gcd(const struct iteration *it, int k, int64_t g) {
    for (int axis = 0; axis < it->naxes; axis++)
        g = gcd(g, llabs(it->stride[k][axis]));
    return gcd(g, dtype_info[it->dtype[k]].size);
}

/* Do operands a and b share a byte? */
static bool share_memory(const struct iteration *it, int a, int b) {
    struct span sa = span_of(it, a), sb = span_of(it, b);
    if (are_apart(sa, sb))
        return false;
    /* Counted in units of g bytes, of which all strides, sizes and the distance are multiples. */
    int64_t distance = (int64_t)(sb.low - sa.low);
    int64_t g = stride_gcd(it, a, stride_gcd(it, b, llabs(distance)));
    struct equation eq = {.n = 0};
    for (int axis = 0; axis < it->naxes; axis++) {
        if (it->stride[a][axis])
            add_term(&eq, llabs(it->stride[a][axis]) / g, it->size[axis] - 1);
        if (it->stride[b][axis])
            add_term(&eq, llabs(it->stride[b][axis]) / g, it->size[axis] - 1);
    }
    add_term(&eq, 1, (dtype_info[it->dtype[a]].size + dtype_info[it->dtype[b]].size) / g - 2);
    return has_solution(&eq, (int64_t)(sb.high - sa.low) / g - 1);
}

/* Does each axis step over all that the faster ones reach? */
static bool is_nested(const struct iteration *it, int k) {
    int64_t reach = dtype_info[it->dtype[k]].size;
    for (int axis = 0; axis < it->naxes; axis++) {
        int64_t stride = llabs(it->stride[k][axis]);
        if (stride < reach)
            return false;
        reach += stride * (it->size[axis] - 1);
    }
    return true;
}

/* Do two elements of operand k share a byte?  Their positions differ by a vector that is not 0:
 * each axis in turn is taken as the first on which they differ, by 1 or more. */
static bool shares_with_itself(const struct iteration *it, int k) {
    if (is_nested(it, k))
        return false;
    int64_t g = stride_gcd(it, k, 0), element = dtype_info[it->dtype[k]].size / g - 1;
    for (int axis = 0; axis < it->naxes; axis++) {
        int64_t stride = llabs(it->stride[k][axis]) / g, target = element - stride;
        if (stride == 0)
            return true;
        struct equation eq = {.n = 0};
        add_term(&eq, stride, it->size[axis] - 2);
        add_term(&eq, 1, 2 * element);
        for (int faster = 0; faster < axis; faster++) {
            int64_t s = llabs(it->stride[k][faster]) / g;
            add_term(&eq, s, 2 * (it->size[faster] - 1));
            target += s * (it->size[faster] - 1);
        }
        if (has_solution(&eq, target))
            return true;
    }
    return false;
}

ufc_status fail_overlap(const char *a, const char *b, ufc_error *err) {
    return fail(err, UFC_EINVAL,
                "outputs '%s' and '%s' overlap in memory: give them memory of their own", a, b);
}

ufc_status check_outputs(const struct iteration *it, const char *const *names, ufc_error *err) {
    for (int k = it->nin; k < it->nin + it->nout; k++) {
        if (shares_with_itself(it, k))
            return fail(err, UFC_EINVAL,
                        "elements of output '%s' overlap each other in memory: give an array whose "
                        "elements are apart",
                        names[k]);
        for (int other = it->nin; other < k; other++)
            if (share_memory(it, k, other))
                return fail_overlap(names[other], names[k], err);
    }
    return UFC_OK;
}

/* Are a and b the same view?  Then each element is read before it is written. */
static bool same_view(const struct iteration *it, int a, int b) {
    bool same = it->data[a] == it->data[b] &&
                dtype_info[it->dtype[a]].size == dtype_info[it->dtype[b]].size;
    for (int axis = 0; axis < it->naxes && same; axis++)
        same = it->stride[a][axis] == it->stride[b][axis];
    return same;
}

bool input_is_overwritten(const struct iteration *it, int input) {
    for (int k = it->nin; k < it->nin + it->nout; k++)
        if (it->data[input] && !same_view(it, input, k) && share_memory(it, input, k))
            return true;
    return false;
}

ufc_status check_apart(const struct iteration *it, const char *const *names, ufc_error *err) {
    int first = it->nin, end = it->nin + it->nout;
    for (int k = first; k < end; k++)
        for (int other = first; other < k; other++)
            if (share_memory(it, k, other))
                return fail_overlap(names[other], names[k], err);
    for (int k = 0; k < walked(it); k++)
        if ((k < first || k >= end) && input_is_overwritten(it, k))
            return fail(err, UFC_EINVAL,
                        "%s '%s' overlaps an output, and a plan makes no copies: give it memory of "
                        "its own, or use ufc_call",
                        k < first ? "input" : "the mask", names[k]);
    return UFC_OK;
}

/* Makes *copy the copying of the distinct elements of input k to an array without gaps, at whose
 * strides `it` then walks; gives its bytes. */
static ufc_status plan_packed(struct iteration *it, int k, struct iteration *copy, int64_t *bytes,
                              ufc_error *err) {
    int64_t size = dtype_info[it->dtype[k]].size;
    *copy = (struct iteration){.nin = 1, .nout = 1, .total = 1};
    for (int axis = 0; axis < it->naxes; axis++) {
        int64_t stride = it->stride[k][axis];
        if (stride == 0)
            continue;
        int to = copy->naxes++;
        copy->size[to] = it->size[axis];
        copy->total *= it->size[axis];
        copy->stride[0][to] = stride;
        copy->stride[1][to] = it->stride[k][axis] = size;
        if (__builtin_mul_overflow(size, it->size[axis], &size))
            return fail(err, UFC_ENOMEM, "out of memory for a copy of an overlapping input");
    }
    copy->dtype[0] = copy->dtype[1] = it->dtype[k];
    *bytes = size;
    return UFC_OK;
}

/* Copies the distinct elements of input k to an array without gaps, and points `it` there. */
static ufc_status copy_packed(ufc_context *ctx, void *stream, struct iteration *it, int k,
                              void **memory, ufc_error *err) {
    int64_t size = 0;
    struct iteration *copy = malloc(sizeof *copy); /* too large for a stack */
    if (!copy)
        return fail(err, UFC_ENOMEM, "out of memory for a copy of an overlapping input");
    ufc_status status = plan_packed(it, k, copy, &size, err);
    if (status == UFC_OK)
        status = ctx->ops->alloc(ctx, stream, (size_t)size, memory, err);
    if (status == UFC_OK) {
        copy->data[0] = it->data[k];
        copy->data[1] = it->data[k] = *memory;
        merge_axes(copy);
        status = ctx->ops->copy(ctx, stream, copy, err);
    }
    free(copy);
    return status;
}

ufc_status copy_overlapping_inputs(ufc_context *ctx, void *stream, struct iteration *it,
                                   const char *const *names, struct temps *temps, ufc_error *err) {
    ufc_status status = UFC_OK;
    for (int k = 0; k < walked(it) && status == UFC_OK; k++) {
        bool is_read = k < it->nin || k >= it->nin + it->nout;
        if (!is_read || !input_is_overwritten(it, k))
            continue;
        void *memory = NULL;
        record_copy(ctx, names[k], "apart from the results", "");
        status = copy_packed(ctx, stream, it, k, &memory, err);
        if (memory)
            temps->memory[temps->n++] = memory;
    }
    return status;
}

/* ---- arrays that need not have the same shape */

static struct span operand_span(const struct operand *op) {
    uintptr_t first = (uintptr_t)op->data;
    struct span s = {first, first + (uintptr_t)dtype_info[op->dtype].size};
    for (int i = 0; i < op->ndim; i++) {
        int64_t reach = (op->shape[i] - 1) * op->stride[i];
        if (reach < 0)
            s.low -= (uintptr_t)-reach;
        else
            s.high += (uintptr_t)reach;
    }
    return s;
}

/* Arrays mostly lie apart, which is found without an iteration, a large struct. */
bool operands_overlap(const struct operand *a, const struct operand *b) {
    if (are_apart(operand_span(a), operand_span(b)))
        return false;
    struct iteration it = {.nin = 2, .total = 1};
    const struct operand *op[] = {a, b};
    for (int k = 0; k < 2; k++) {
        it.data[k] = op[k]->data;
        it.dtype[k] = op[k]->dtype;
        if (op[k]->ndim < 0 || op[k]->is_number || !op[k]->data)
            return false;
    }
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < op[k]->ndim; i++) {
            if (op[k]->shape[i] == 1 || op[k]->stride[i] == 0)
                continue;
            if (it.naxes == MAX_RANK)
                return true; /* too many axes to tell: assume that they overlap */
            it.size[it.naxes] = op[k]->shape[i];
            it.stride[k][it.naxes++] = op[k]->stride[i];
        }
    return share_memory(&it, 0, 1);
}

void distinct_shape(const struct operand *op, int64_t *shape) {
    for (int i = 0; i < op->ndim; i++)
        shape[i] = op->stride[i] == 0 ? 1 : op->shape[i];
}

ufc_status lay_out_packed(const struct operand *op, enum ufc_dtype dtype, enum packing_order in,
                          struct operand *packed, int64_t *bytes, ufc_error *err) {
    int order[MAX_RANK], n = 0;
    int64_t size = dtype_info[dtype].size;
    *packed = *op;
    packed->dtype = dtype;
    for (int i = op->ndim - 1; i >= 0; i--) {
        packed->stride[i] = 0;
        if (op->shape[i] == 1 || op->stride[i] == 0)
            continue;
        int at = n++; /* after axes of smaller strides */
        for (; in == PACK_KEEP && at > 0; at--) {
            if (llabs(op->stride[order[at - 1]]) <= llabs(op->stride[i]))
                break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
    for (int i = 0; i < n; i++) {
        packed->stride[order[i]] = size;
        if (__builtin_mul_overflow(size, op->shape[order[i]], &size))
            return fail(err, UFC_ENOMEM, "out of memory for a copy of an argument");
    }
    *bytes = size;
    return UFC_OK;
}

ufc_status make_packed(ufc_context *ctx, void *stream, const struct operand *op,
                       enum ufc_dtype dtype, enum packing_order in, struct operand *packed,
                       struct temps *temps, ufc_error *err) {
    int64_t bytes;
    void *memory = NULL;
    ufc_status status = lay_out_packed(op, dtype, in, packed, &bytes, err);
    packed->device = ctx->device;
    if (status == UFC_OK)
        status = ctx->ops->alloc(ctx, stream, (size_t)bytes, &memory, err);
    if (status == UFC_OK)
        temps->memory[temps->n++] = packed->data = memory;
    return status;
}

ufc_status copy_operand(ufc_context *ctx, void *stream, struct operand *op, struct iteration *it,
                        struct temps *temps, ufc_error *err) {
    struct operand both[2] = {*op};
    int64_t shape[MAX_RANK];
    ufc_status status = make_packed(ctx, stream, op, op->dtype, PACK_KEEP, &both[1], temps, err);
    if (status != UFC_OK)
        return status;
    distinct_shape(op, shape);
    make_iteration(it, NULL, 1, 1, false, both, op->ndim, shape);
    *op = both[1];
    return ctx->ops->copy(ctx, stream, it, err);
}

void free_temps(ufc_context *ctx, void *stream, struct temps *temps) {
    while (temps->n)
        ctx->ops->free(ctx, stream, temps->memory[--temps->n]);
}
