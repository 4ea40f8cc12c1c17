/* sequence.h: what a call of a gufunc or a method executes on its device, recorded once for a plan,
 * and executed on other memory. */
#ifndef UFC_SEQUENCE_H
#define UFC_SEQUENCE_H

#include "rt.h"

struct sequence;

/* NULL: out of memory. */
struct sequence *sequence_new(void);
/* A call that runs in this context is recorded: memory is addresses in a workspace, nothing is
 * computed, but the code that is to compute is loaded. */
ufc_context *sequence_begin(struct sequence *s, ufc_context *ctx, void *stream);
/* Adds the next array, and gives it an address that stands for whatever memory it is to have.
 * Others must not overlap one that is written; but where in_place both may be the same. */
void sequence_add(struct sequence *s, struct operand *op, const char *name, bool written);
void sequence_in_place(struct sequence *s);
/* Ends recording, and takes memory for the workspace. */
ufc_status sequence_end(struct sequence *s, ufc_error *err);
void sequence_free(struct sequence *s); /* may be NULL */

/* Is there nothing to execute? */
bool sequence_is_empty(const struct sequence *s);
/* Bytes of the workspace. */
int64_t sequence_workspace(const struct sequence *s);
/* Executes it.  workspace NULL: its own; data NULL: the recorded arrays. */
ufc_status sequence_execute(const struct sequence *s, void *stream, void *workspace,
                            void *const *data, ufc_error *err);
/* Describes what computes the call of a ufunc, or the method. */
ufc_status sequence_describe(const struct sequence *s, ufc_plan_description *d, ufc_error *err);

/* gufunc_call.c, method.c: record a call, into what is new; results are made, and the caller's. */
ufc_status plan_gufunc(struct sequence *s, ufc_context **ctx, void *stream,
                       const struct ufc_ufunc *ufunc, const ufc_arg *in, const ufc_out *out,
                       const ufc_keywords *keywords, ufc_error *err);
ufc_status plan_fold(struct sequence *s, ufc_context **ctx, enum fold_method method, void *stream,
                     const struct ufc_ufunc *ufunc, const ufc_arg *array, const DLTensor *indices,
                     const ufc_out *out, const ufc_keywords *keywords, ufc_error *err);
/* An array of a plan must be where the context computes. */
ufc_status check_planned_place(const ufc_context *ctx, const struct operand *op, const char *name,
                               ufc_error *err);

#endif
