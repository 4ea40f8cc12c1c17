/* method.h: ufuncs' methods, from their arguments to a reduction: method.c, and of large arrays on
 * the host method_portions.c. */
#ifndef UFC_METHOD_H
#define UFC_METHOD_H

#include "rt.h"

struct kind {
    const char *name;
    unsigned taken;
    bool each;        /* accumulate: each element has a result, not each line */
    bool has_indices; /* reduceat: indices bound segments */
};

struct method {
    const struct kind *kind;
    ufc_context *ctx;
    void *stream;
    const struct ufc_ufunc *ufunc;
    const ufc_keywords *kw;    /* never NULL */
    struct recorder *recorder; /* may be NULL */
    struct operand in, out, where;
    bool along[MAX_RANK];  /* the axes of `in` that the method goes along */
    int axis;              /* the only one of these axes, of accumulate and reduceat */
    enum ufc_dtype dtype;  /* dtype of results; the overload may reduce in a wider one */
    const int64_t *bounds; /* of reduceat: begin and end of each segment */
    int64_t segments;
    struct iteration it; /* over the output, to check it */
    struct reduction r;
    DLManagedTensorVersioned *made;
    struct temps temps;
    struct operand host_out; /* the output as given, where it is on the host and the GPU computes */
    void *transfer;          /* while the result is on its way there */
    bool returning;
};

/* Makes m->r of the operands. */
void make_reduction(struct method *m);
/* Takes an operand from the host to the GPU.  waits: as stage_in has it. */
ufc_status method_take(struct method *m, struct operand *op, const char *name, bool waits,
                       ufc_error *err);
/* Gives an output on the host a place on the GPU. */
ufc_status method_take_output(struct method *m, ufc_error *err);
/* Copies inputs that share memory with the output. */
ufc_status method_separate(struct method *m, ufc_error *err);
/* Copies arrays to the device where they are not there, reduces, and begins to copy the result
 * back; ends that. */
ufc_status method_begin(struct method *m, ufc_error *err);
ufc_status method_finish(struct method *m, bool failed, ufc_error *err);
/* Both, portion by portion where there is much on the host. */
ufc_status method_run(struct method *m, ufc_error *err);

#endif
