/* layout.c: how calls lie in memory: each for itself, or their elements beside those of others; and
 * how those of the arrays that their body makes are to lie. */
#include <stdlib.h>

#include "apart.h"
#include "intermediates.h"
#include "rt.h"
#include "spread.h"

enum call_layout call_layout(int nloop, const int64_t *size, const int64_t *stride, int rank,
                             const int64_t *core_stride) {
    int64_t loop = INT64_MAX;
    for (int axis = 0; axis < nloop; axis++)
        if (stride[axis] != 0 && size[axis] >= ACROSS_MIN_CALLS && llabs(stride[axis]) < loop)
            loop = llabs(stride[axis]);
    if (rank == 0 || loop == INT64_MAX)
        return CALLS_EITHER;
    for (int i = 0; i < rank; i++)
        if (core_stride[i] != 0 && llabs(core_stride[i]) <= loop)
            return CALLS_ALONG;
    return CALLS_ACROSS;
}

void find_layouts(const struct iteration *it, int n, int naxes, bool *along, bool *across) {
    const uint8_t *rank = it->ufunc->core->rank;
    const int64_t *stride = it->core->stride;
    *along = *across = false;
    for (int k = 0; k < n; stride += rank[k], k++) {
        enum call_layout layout = call_layout(naxes, it->size, it->stride[k], rank[k], stride);
        *along = *along || layout == CALLS_ALONG;
        *across = *across || layout == CALLS_ACROSS;
    }
}

bool runs_across(const struct iteration *it) {
    bool along, across;
    find_layouts(it, it->nin + it->nout, it->naxes > 0, &along, &across);
    return across && !along;
}

/* Do ordered loops pick elements of arrays that the body makes, by numbers?  No rows of these are
 * copied ahead: each call's would be lines of memory for itself. */
static bool picks_elements(const struct iteration *it, int given) {
    const struct ufc_overload *o = it->overload;
    bool picks = false;
    for (uint32_t i = 0; i < o->naccesses; i++) {
        const struct ufc_access *a = &o->accesses[i];
        int loop = a->loops ? 63 - __builtin_clzll(a->loops) : -1;
        while (loop >= 0 && o->loops[loop].kind != UFC_LOOP_SERIAL)
            loop = o->loops[loop].parent;
        picks = picks || (a->operand >= given && a->irregular && loop >= 0);
    }
    return picks;
}

/* Has a thread each call, whatever the layout, as nothing in it can be shared? */
static bool runs_alone(const struct iteration *it) {
    const struct ufc_overload *o = it->overload;
    int64_t width = 1;
    if (o->width.nterms && !compute_size(&o->width, it->core->size, &width))
        return false;
    return waits_in_order(it, width) && !o->state && !o->kernel[UFC_KERNEL_FOLLOW];
}

bool interleaves_calls(const struct iteration *it, int given, int64_t calls) {
    bool along, across, many = it->total >= SHARED_MAX_CALLS || it->overload->flags & UFC_ROWS;
    if (!many || !has_order(it->overload) || !it->overload->kernel[UFC_KERNEL_THREAD])
        return false;
    find_layouts(it, given, it->naxes > 0, &along, &across);
    return (across && !along) ||
           (calls >= SHARED_MAX_CALLS && picks_elements(it, given) && runs_alone(it));
}
