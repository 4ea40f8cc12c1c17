/* method.h: ufuncs' methods, from their arguments to a reduction: method.c, and of large arrays on
 * the host method_portions.c; method_parts.c shares them among GPUs. */
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
    struct undecided undecided;
    struct sequence *sequence; /* of a plan: the method is recorded there; NULL: it is executed */
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

/* Does the output have an axis for axis i of the array? */
static inline bool method_has_axis(const struct method *m, int i) {
    return !m->along[i] || m->kind->each || m->bounds || m->kw->keepdims;
}

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
/* method_portions.c: both, portion by portion where there is much on the host. */
ufc_status method_run(struct method *m, ufc_error *err);
/* Describes in model->r the whole reduction, as it would be of arrays on the device, and in *shape
 * how it cuts lines. */
ufc_status method_describe(const struct method *m, struct method *model, struct fold_shape *shape,
                           ufc_error *err);
/* Whether the first pass cuts lines into pieces. */
bool method_has_pieces(const struct reduction *r, const struct fold_shape *shape);
/* Makes the axes that the method goes along one, the last of them, where memory allows it. */
void method_merge_lines(struct method *m);

/* method_parts.c: method_run in a context of several GPUs, which share what they can. */
ufc_status method_share(struct method *m, ufc_error *err);

#endif
