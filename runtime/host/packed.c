/* packed.c: core calls on copies of their elements, in which those of neighbouring calls lie side
 * by side, so that a kernel's vectors of calls load and store them at once. */
#include <stdlib.h>
#include <string.h>

#include "cpu.h"

/* The core axes of an operand, of which neighbours that lie like one are one; those of all operands
 * lie one after the other. */
struct axes {
    int rank;
    int64_t size[MAX_RANK], stride[MAX_RANK], elements;
};

static struct axes axes_of(const struct iteration *it, int k) {
    const struct ufc_core *record = it->ufunc->core;
    const uint8_t *dim = record->dim;
    const int64_t *stride = it->core->stride;
    struct axes a = {.rank = 0, .elements = 1};
    for (int i = 0; i < k; dim += record->rank[i], stride += record->rank[i], i++)
        ;
    for (int i = 0; i < record->rank[k]; i++) {
        int64_t size = it->core->size[dim[i]];
        bool joins = a.rank > 0 && a.stride[a.rank - 1] == stride[i] * size;
        a.elements *= size;
        a.size[joins ? a.rank - 1 : a.rank] = joins ? a.size[a.rank - 1] * size : size;
        a.stride[joins ? a.rank - 1 : a.rank] = stride[i];
        a.rank += !joins;
    }
    return a;
}

/* Copies the elements of operand k of so many calls to the buffer, or back; vectors are filled with
 * the last call's. */
static void pack_operand(const struct job *job, int k, char *at, char *buffer, int64_t calls,
                         int64_t filled, bool back) {
    struct axes a = axes_of(job->it, k);
    int64_t size = dtype_info[loop_dtype(job, k)].size, next = job->gufunc->packed * size;
    int64_t last = a.rank > 0 ? a.size[a.rank - 1] : 1, call = job->step[k];
    int64_t stride = a.rank > 0 ? a.stride[a.rank - 1] : 0;
    for (int64_t first = 0; first < a.elements; first += last) {
        char *packed = buffer + first * next, *row = at;
        for (int64_t i = a.rank - 1, rest = first / last; i-- > 0; rest /= a.size[i])
            row += rest % a.size[i] * a.stride[i];
        if (back) {
            copy_matrix(&(struct matrix){row, packed, last, stride, next, calls, call, size}, size);
            continue;
        }
        copy_matrix(&(struct matrix){packed, row, calls, size, call, last, next, stride}, size);
        if (filled > calls)
            copy_matrix(&(struct matrix){packed + calls * size, row + (calls - 1) * call,
                                         filled - calls, size, 0, last, next, stride},
                        size);
    }
}

/* Bytes of the elements of the operands before k in the buffer. */
static int64_t bytes_before(const struct job *job, int k) {
    int64_t bytes = 0;
    for (int i = 0; i < k; i++)
        bytes += axes_of(job->it, i).elements * dtype_info[loop_dtype(job, i)].size;
    return bytes * job->gufunc->packed;
}

int64_t packed_calls(const struct job *job, int lanes) {
    const struct iteration *it = job->it;
    int64_t bytes = 0, most = job->inner_size / lanes;
    bool apart = false, again = false;
    for (uint32_t d = 0; d < it->ufunc->core->ndims; d++)
        again = again || it->core->size[d] >= PACKED_MIN_SIDE;
    for (int k = 0; k < it->nin + it->nout; k++) {
        int64_t size = dtype_info[loop_dtype(job, k)].size, elements = axes_of(it, k).elements;
        bytes += elements < PACKED_MAX_BYTES ? elements * size : PACKED_MAX_BYTES;
        apart = apart || job->step[k] != size;
    }
    if (!apart || !again || bytes == 0 || bytes * lanes > PACKED_MAX_BYTES)
        return 0;
    int64_t vectors = bytes * lanes < PACKED_BYTES ? PACKED_BYTES / (bytes * lanes) : 1;
    return lanes * (vectors < most ? vectors : most);
}

bool packed_run(const struct job *job, char **at, int64_t n, int64_t number) {
    const struct iteration *it = job->it;
    const struct gufunc_job *gufunc = job->gufunc;
    int nall = it->nin + it->nout;
    size_t bytes = (size_t)bytes_before(job, nall);
    char *buffer = aligned_alloc(64, (bytes + 63) / 64 * 64);
    intptr_t dimensions[1 + MAX_CORE_DIMS];
    const uint8_t *dim = it->ufunc->core->dim;
    char *place[UFC_MAX_OPERANDS];
    intptr_t step[UFC_MAX_OPERANDS + MAX_CORE], *stride = step + nall;
    if (!buffer)
        return false;
    memcpy(dimensions + 1, gufunc->size, gufunc->ndims * sizeof *dimensions);
    for (int k = 0; k < nall; k++) {
        const struct ufc_core *record = it->ufunc->core;
        intptr_t size = dtype_info[loop_dtype(job, k)].size, next = (intptr_t)gufunc->packed * size;
        place[k] = buffer + bytes_before(job, k);
        step[k] = size;
        for (int i = record->rank[k]; i-- > 0; next *= gufunc->size[dim[i]])
            stride[i] = next;
        stride += record->rank[k];
        dim += record->rank[k];
    }
    for (int64_t first = 0; first < n; first += gufunc->packed) {
        int64_t calls = n - first < gufunc->packed ? n - first : gufunc->packed;
        int64_t filled = (calls + gufunc->lanes - 1) / gufunc->lanes * gufunc->lanes;
        for (int k = 0; k < nall; k++)
            pack_operand(job, k, at[k] + first * job->step[k], place[k], calls, filled, false);
        dimensions[0] = (intptr_t)filled;
        finding_run(job->finding, number + first, job->kernel, place, dimensions, step, NULL);
        for (int k = it->nin; k < nall; k++)
            pack_operand(job, k, at[k] + first * job->step[k], place[k], calls, filled, true);
    }
    free(buffer);
    return true;
}
