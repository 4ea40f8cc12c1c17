/* alike.h: calls of arrays on a GPU that are like an earlier one: in types, shapes, strides,
 * alignment, numbers and keywords.  What was found out for that one is kept in the context's memo
 * (memo.h), and only addresses are looked at again. */
#ifndef UFC_ALIKE_H
#define UFC_ALIKE_H

#include "memo.h"

/* A call, while it is made. */
struct alike {
    bool keyed; /* it may be like others; else only this is set */
    ufc_context *ctx;
    const struct ufc_ufunc *ufunc;
    const ufc_arg *in;
    const ufc_out *out;
    struct memo_key key;
};

/* Makes a call that is like an earlier one.  False: there was none, and nothing was done. */
bool call_like_earlier(struct alike *a, ufc_context *ctx, void *stream,
                       const struct ufc_ufunc *ufunc, const ufc_arg *in, const ufc_out *out,
                       const ufc_keywords *kw, ufc_status *status, ufc_error *err);
/* Keeps what a call that succeeded has executed, if others may do so too: its operands, with
 * results that were made in the order of axes `order` (NULL: C order). */
void keep_for_later(const struct alike *a, const struct iteration *it, const struct operand *op,
                    DLManagedTensorVersioned *const *made, const int *order);

#endif
