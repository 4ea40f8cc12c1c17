/* packed.c: core calls on copies of their elements, in which those of neighbouring calls lie side
 * by side, so that a kernel's vectors of calls load and store them at once; or, where neighbouring
 * calls' lie so, each call's side by side, for vectors of a call's points. */
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "intermediates.h"

/* The core axes of an operand, of which neighbours that lie like one are one: bytes from element to
 * element in its array, and in the buffer. */
struct axes {
    int rank;
    int64_t size[MAX_RANK], stride[MAX_RANK], packed[MAX_RANK];
    int64_t elements, bytes; /* in all; in the buffer */
};

/* Arrays without elements, and those that repeat some, may have any size along an axis. */
static int64_t times(int64_t a, int64_t b) {
    int64_t product;
    return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

/* next: bytes from element to element of the last axis in the buffer. */
static struct axes axes_of(const struct iteration *it, int k, int64_t next) {
    const struct ufc_core *record = it->ufunc->core;
    const uint8_t *dim = record->dim;
    const int64_t *stride = it->core->stride;
    struct axes a = {.rank = 0, .elements = 1, .bytes = next};
    int64_t packed[MAX_RANK];
    for (int i = 0; i < k; dim += record->rank[i], stride += record->rank[i], i++)
        ;
    for (int i = record->rank[k]; i-- > 0;) {
        packed[i] = i < record->rank[k] - 1 ? with_gap(a.bytes) : next;
        a.bytes = times(packed[i], it->core->size[dim[i]]);
        a.elements = times(a.elements, it->core->size[dim[i]]);
    }
    if (a.elements == 0) /* nor has it gaps between rows */
        a.bytes = 0;
    for (int i = 0; i < record->rank[k]; i++) {
        int64_t size = it->core->size[dim[i]];
        int last = a.rank - 1;
        bool joins = a.rank > 0 && a.stride[last] == times(stride[i], size) &&
                     a.packed[last] == times(packed[i], size);
        int at = joins ? last : a.rank++;
        a.size[at] = joins ? times(a.size[at], size) : size;
        a.stride[at] = stride[i];
        a.packed[at] = packed[i];
    }
    return a;
}

/* The bytes of the calls' elements of operand k that are neighbours in the buffer. */
static int64_t packed_bytes(const struct job *job, int k) {
    return job->gufunc->packed * dtype_info[loop_dtype(job, k)].size;
}

/* Copies the elements of operand k of so many calls to the buffer, or back: there they are `next`
 * bytes apart, and those of calls `apart`; vectors are filled with the last call's. */
static void pack_operand(const struct job *job, int k, char *at, char *buffer, int64_t next_element,
                         int64_t apart, int64_t calls, int64_t filled, bool back) {
    struct axes a = axes_of(job->it, k, next_element);
    int64_t size = dtype_info[loop_dtype(job, k)].size, call = job->step[k];
    int row = a.rank - 1;
    int64_t last = a.rank > 0 ? a.size[row] : 1, stride = a.rank > 0 ? a.stride[row] : 0;
    int64_t next = a.rank > 0 ? a.packed[row] : 0;
    for (int64_t first = 0; first < a.elements; first += last) {
        char *packed = buffer, *from = at;
        for (int64_t i = row, rest = first / last; i-- > 0; rest /= a.size[i]) {
            packed += rest % a.size[i] * a.packed[i];
            from += rest % a.size[i] * a.stride[i];
        }
        if (back) {
            copy_matrix(&(struct matrix){from, packed, last, stride, next, calls, call, apart},
                        size);
            continue;
        }
        copy_matrix(&(struct matrix){packed, from, calls, apart, call, last, next, stride}, size);
        if (filled > calls)
            copy_matrix(&(struct matrix){packed + calls * apart, from + (calls - 1) * call,
                                         filled - calls, apart, 0, last, next, stride},
                        size);
    }
}

int64_t packed_calls(const struct job *job, int lanes, bool again) {
    const struct iteration *it = job->it;
    int64_t bytes = 0, most = job->inner_size / lanes;
    bool apart = false, same_lines = false, sides = false;
    for (uint32_t d = 0; d < it->ufunc->core->ndims; d++)
        sides = sides || it->core->size[d] >= PACKED_MIN_SIDE;
    for (int k = 0; k < it->nin + it->nout; k++) {
        int64_t size = dtype_info[loop_dtype(job, k)].size;
        int64_t elements = axes_of(it, k, size).elements;
        bytes += elements <= PACKED_MAX_BYTES ? elements * size : PACKED_MAX_BYTES + 1;
        apart = apart || job->step[k] != size;
        same_lines = same_lines || (job->step[k] != 0 && job->step[k] % SAME_LINES == 0);
    }
    if (!apart || !sides || !(again || same_lines) || bytes == 0 ||
        bytes * lanes > PACKED_MAX_BYTES)
        return 0;
    int64_t vectors = bytes * lanes < PACKED_BYTES ? PACKED_BYTES / (bytes * lanes) : 1;
    return lanes * (vectors < most ? vectors : most);
}

/* Sets the strides of an operand of these dimensions, whose elements are so far apart along the
 * last one. */
static void set_strides(const struct iteration *it, const uint8_t *dim, int rank, int64_t nearest,
                        intptr_t *stride) {
    for (int i = rank; i-- > 0;)
        stride[i] = i == rank - 1 ? (intptr_t)nearest
                                  : with_gap(times(stride[i + 1], it->core->size[dim[i + 1]]));
}

/* Sets where operands lie in the buffer, and their strides there.  Gives its bytes. */
static size_t lay_out(const struct job *job, int64_t *place, intptr_t *step) {
    const struct iteration *it = job->it;
    const struct ufc_core *record = it->ufunc->core;
    const uint8_t *dim = record->dim;
    int nall = it->nin + it->nout;
    intptr_t *stride = step + nall;
    int64_t bytes = 0;
    for (int k = 0; k < nall; dim += record->rank[k], stride += record->rank[k], k++) {
        struct axes a = axes_of(it, k, packed_bytes(job, k));
        place[k] = bytes;
        step[k] = dtype_info[loop_dtype(job, k)].size;
        bytes += (a.bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
        set_strides(it, dim, record->rank[k], packed_bytes(job, k), stride);
    }
    return (size_t)bytes;
}

bool packed_run(const struct job *job, char **at, int64_t n, int64_t number) {
    const struct iteration *it = job->it;
    const struct gufunc_job *gufunc = job->gufunc;
    int nall = it->nin + it->nout;
    int nown = it->nin + (int)it->ufunc->nout; /* arrays of the body hold nothing between calls */
    intptr_t dimensions[1 + MAX_CORE_DIMS], step[UFC_MAX_OPERANDS + MAX_CORE];
    int64_t offset[UFC_MAX_OPERANDS];
    char *place[UFC_MAX_OPERANDS];
    char *buffer = aligned_alloc(LINE_BYTES, lay_out(job, offset, step));
    if (!buffer)
        return false;
    memcpy(dimensions + 1, gufunc->size, gufunc->ndims * sizeof *dimensions);
    for (int64_t first = 0; first < n; first += gufunc->packed) {
        int64_t calls = n - first < gufunc->packed ? n - first : gufunc->packed;
        int64_t filled = (calls + gufunc->lanes - 1) / gufunc->lanes * gufunc->lanes;
        for (int k = 0; k < nall; k++) {
            place[k] = buffer + offset[k];
            bool same = first > 0 && job->step[k] == 0; /* all calls have the first ones' */
            if (!same && k < nown && !(gufunc->sets && k >= it->nin))
                pack_operand(job, k, at[k] + first * job->step[k], place[k], packed_bytes(job, k),
                             step[k], calls, filled, false);
        }
        dimensions[0] = (intptr_t)filled;
        finding_run(job->finding, number + first, job->code.kernel, place, dimensions, step, NULL);
        for (int k = it->nin; k < nown; k++)
            pack_operand(job, k, at[k] + first * job->step[k], place[k], packed_bytes(job, k),
                         step[k], calls, filled, true);
    }
    free(buffer);
    return true;
}

/* ---- calls whose elements are neighbours of other calls' */

/* Bytes of a call's elements of operand k side by side, and of a gap behind them. */
static int64_t turned_bytes(const struct job *job, int k) {
    struct axes a = axes_of(job->it, k, dtype_info[loop_dtype(job, k)].size);
    return with_gap((a.bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES);
}

/* Do neighbours of an operand's elements belong to neighbouring calls, and its call's lie apart? */
static bool is_across(const struct job *job, int k) {
    int64_t size = dtype_info[loop_dtype(job, k)].size, nearest = INT64_MAX;
    struct axes a = axes_of(job->it, k, size);
    for (int i = 0; i < a.rank; i++)
        if (a.size[i] > 1 && llabs(a.stride[i]) < nearest)
            nearest = llabs(a.stride[i]);
    return a.elements >= TURNED_ELEMENTS && nearest < INT64_MAX && nearest >= LINE_BYTES &&
           job->step[k] != 0 && llabs(job->step[k]) <= LINE_BYTES / 4;
}

int64_t turned_calls(const struct job *job) {
    int64_t bytes = 0, smallest = LINE_BYTES;
    for (int k = 0; k < job->it->nin + (int)job->it->ufunc->nout; k++) {
        int64_t size = dtype_info[loop_dtype(job, k)].size;
        if (!is_across(job, k))
            continue;
        bytes += turned_bytes(job, k);
        smallest = size < smallest ? size : smallest;
    }
    int64_t calls = LINE_BYTES / smallest;
    while (calls > TURNED_LEAST && bytes > TURNED_MAX_BYTES / calls)
        calls /= 2;
    return bytes == 0 || bytes > TURNED_MAX_BYTES / calls || job->inner_size < TURNED_LEAST ? 0
                                                                                            : calls;
}

/* Sets where operands lie, those that are across in the buffer, and their strides.  Gives the
 * buffer's bytes. */
static size_t lay_out_turned(const struct job *job, int64_t *place, intptr_t *step) {
    const struct iteration *it = job->it;
    const struct ufc_core *record = it->ufunc->core;
    const uint8_t *dim = record->dim;
    int nall = it->nin + it->nout, nown = it->nin + (int)it->ufunc->nout;
    intptr_t *stride = step + nall;
    int64_t bytes = 0;
    size_t ranks = 0;
    for (int k = 0; k < nall; k++)
        ranks += record->rank[k];
    memcpy(step, job->gufunc->step, ((size_t)nall + ranks) * sizeof *step);
    for (int k = 0; k < nall; dim += record->rank[k], stride += record->rank[k], k++) {
        place[k] = -1;
        if (k >= nown || !is_across(job, k))
            continue;
        place[k] = bytes;
        step[k] = (intptr_t)turned_bytes(job, k);
        bytes += step[k] * job->gufunc->turned;
        set_strides(it, dim, record->rank[k], dtype_info[loop_dtype(job, k)].size, stride);
    }
    return (size_t)bytes;
}

bool turned_run(const struct job *job, char **at, int64_t n, int64_t number) {
    const struct iteration *it = job->it;
    const struct gufunc_job *gufunc = job->gufunc;
    int nall = it->nin + it->nout;
    intptr_t dimensions[1 + MAX_CORE_DIMS], step[UFC_MAX_OPERANDS + MAX_CORE];
    int64_t offset[UFC_MAX_OPERANDS];
    char *place[UFC_MAX_OPERANDS];
    char *buffer = aligned_alloc(LINE_BYTES, lay_out_turned(job, offset, step));
    if (!buffer)
        return false;
    memcpy(dimensions + 1, gufunc->size, gufunc->ndims * sizeof *dimensions);
    for (int64_t first = 0; first < n; first += gufunc->turned) {
        int64_t calls = n - first < gufunc->turned ? n - first : gufunc->turned;
        for (int k = 0; k < nall; k++) {
            char *own = at[k] + first * job->step[k];
            place[k] = offset[k] < 0 ? own : buffer + offset[k];
            if (offset[k] >= 0 && !(gufunc->sets && k >= it->nin))
                pack_operand(job, k, own, place[k], dtype_info[loop_dtype(job, k)].size, step[k],
                             calls, calls, false);
        }
        dimensions[0] = (intptr_t)calls;
        finding_run(job->finding, number + first, job->code.kernel, place, dimensions, step, NULL);
        for (int k = it->nin; k < nall; k++)
            if (offset[k] >= 0)
                pack_operand(job, k, at[k] + first * job->step[k], place[k],
                             dtype_info[loop_dtype(job, k)].size, step[k], calls, calls, true);
    }
    free(buffer);
    return true;
}
