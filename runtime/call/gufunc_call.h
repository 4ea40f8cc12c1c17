/* gufunc_call.h: a gufunc's call, which gufunc_call.c makes whole and gufunc_portions.c in
 * portions. */
#ifndef UFC_GUFUNC_CALL_H
#define UFC_GUFUNC_CALL_H

#include "intermediates.h"

struct gufunc_call {
    ufc_context *ctx;
    void *stream;
    const struct ufc_ufunc *ufunc;
    const struct ufc_overload *overload;
    const ufc_keywords *kw;    /* may be NULL */
    struct recorder *recorder; /* may be NULL */
    const struct alike *alike; /* may be NULL */
    struct undecided undecided;
    int nin, nout, nintermediates;
    struct core_shape shape;
    int ndim; /* rank of the loop */
    int64_t loop_shape[MAX_RANK];
    const int64_t *start; /* of a portion: where its loop begins in the caller's; else NULL */
    struct core core;
    DLManagedTensorVersioned *made[UFC_MAX_OPERANDS]; /* results that were made; NULL where
                                                         the output was given */
    void *transfer[UFC_MAX_OPERANDS]; /* of outputs on their way to the host, a bit each */
    uint64_t returning;
    bool waits; /* there are outputs on the host, which the call waits for */
    struct temps temps;
    struct iteration it, copy; /* the call's loop; scratch space for copies and checks */
    struct intermediates intermediates;
    struct operand *op;        /* nin + nout operands: loop axes, then core axes; behind them
                                  the intermediates, without loop axes */
    struct operand *loop;      /* the operands without core axes */
    struct operand *moved;     /* what op is in a version that has other loop axes */
    struct operand *host_out;  /* nout: host outputs as given; ndim is -1 of others */
    struct operand *cast_out;  /* nout: arrays that results are converted to; ndim is -1 of
                                  others */
    struct operand operands[]; /* op, loop, moved, host_out and cast_out */
};

/* gufunc_call.c */
/* A call is large, so that only what is used is set.  NULL: out of memory. */
struct gufunc_call *gufunc_call_new(ufc_context *ctx, void *stream, const struct ufc_ufunc *ufunc,
                                    const ufc_keywords *kw);
/* Sets `loop` to the operands without core axes. */
void gufunc_loop(struct gufunc_call *c);
/* Copies operand k, which is on the host, to the GPU. */
ufc_status gufunc_stage(struct gufunc_call *c, int k, ufc_error *err);
/* Converts the distinct elements of an array, from or to the type of operand k. */
ufc_status gufunc_convert(struct gufunc_call *c, int k, const struct operand *from,
                          const struct operand *to, ufc_error *err);
/* Does an output overlap input k, so that this must be copied first? */
bool gufunc_overwrites(const struct gufunc_call *c, int k);
/* Queues the call's work, and the copies of its results to the host. */
ufc_status gufunc_begin(struct gufunc_call *c, ufc_error *err);
/* Ends the copies to the host.  After a failure memory of the caller's may still be copied. */
ufc_status gufunc_finish(struct gufunc_call *c, bool failed, ufc_error *err);

/* Makes the iteration of the call's arrays. */
ufc_status gufunc_iterate(struct gufunc_call *c, ufc_error *err);

/* gufunc_turn.c */
/* Gives matrices whose columns are what steps go through a copy in Fortran order.  False: there are
 * none. */
bool gufunc_turn(struct gufunc_call *c, ufc_status *status, ufc_error *err);

/* gufunc_version.c */
/* Queues the call's work, in the version that is forecast the fastest. */
ufc_status gufunc_run_version(struct gufunc_call *c, ufc_error *err);

/* gufunc_stack.c */
/* So many calls, `several` times `rows`, from `first` on along an axis of the loop. */
struct stack {
    int axis;
    int64_t first, several, rows;
};
/* The longest axis along which calls share what has no dimension more in a version, whose last
 * dimension it would be; -1: there is none. */
int gufunc_stack_axis(const struct gufunc_call *c, const struct ufc_ufunc *version);
/* Gives the operands that dimension, of `rows` calls. */
void gufunc_stack(struct gufunc_call *c, const struct ufc_ufunc *version, const struct stack *s);

/* gufunc_portions.c */
/* Computes a call whose arguments were checked, in portions where it has so much on the host. */
ufc_status gufunc_execute(struct gufunc_call *c, ufc_error *err);

#endif
