/* intermediates.h: arrays that a gufunc's body makes: operands behind those that are passed. */
#ifndef UFC_INTERMEDIATES_H
#define UFC_INTERMEDIATES_H

#include "rt.h"

struct intermediates {
    int n;                           /* the last operands of the iteration */
    struct core *core;               /* the iteration's, where kernels run; else NULL */
    int64_t bytes[UFC_MAX_OPERANDS]; /* of each, a core call */
};
/* Executes the iteration with memory for its last operands, which free_temps frees; changes *it.
 * Many calls are made in parts that use the same memory. */
ufc_status execute_intermediates(ufc_context *ctx, void *stream, struct iteration *it,
                                 const struct intermediates *arrays, struct temps *temps,
                                 ufc_error *err);
/* Sets their strides, as if all calls were made at once, for a forecast. */
void intermediates_stride(struct iteration *it, const struct intermediates *arrays);
/* Whether those of a core call have at most so many bytes. */
bool intermediates_within(const struct intermediates *arrays, int64_t limit);

/* schedule/choose_gufunc.c */
/* Whether a GPU's registers hold them. */
bool holds_arrays(const struct iteration *it);
/* schedule/layout.c: whether threads have a call each, and neighbouring calls' elements are to be
 * neighbours in the arrays behind the first `given` operands: as in all of these, or as loops pick
 * them by numbers, in so many calls at once. */
bool interleaves_calls(const struct iteration *it, int given, int64_t calls);

enum {
    LINE_BYTES = 64,   /* of a cache's line */
    SAME_LINES = 1024, /* bytes so far apart, or a multiple of it, fall on few places of a cache */
};
/* Bytes from row to row on the host: rows whose distance is a multiple of SAME_LINES would share
 * few of the cache's lines, so that a gap is between them. */
static inline int64_t with_gap(int64_t bytes) {
    return bytes % SAME_LINES == 0 ? bytes + LINE_BYTES : bytes;
}

#endif
