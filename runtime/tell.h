/* tell.h: what calls and methods tell of themselves, which explain.c asks them for.
 *
 * A call that is told takes the way of one that is made, in a context that stands in for the one
 * that was chosen: there memory is addresses that no array has, nothing is copied, and what is to
 * be executed is described.  So what is told is what the call decides. */
#ifndef UFC_TELL_H
#define UFC_TELL_H

#include "rt.h"

/* ---- explain.c */

void describe_nothing(ufc_plan_description *d);
/* Adds to a description of nothing what executing would launch. */
ufc_status describe_iteration(ufc_context *ctx, const struct iteration *it, ufc_plan_description *d,
                              ufc_error *err);

struct telling {
    struct ufc_context ctx;
    struct device_ops ops;           /* of ctx */
    const struct ufc_ufunc *ufunc;   /* that is called */
    ufc_plan_description *d, unread; /* d is `unread` where the caller wants none */
    uint64_t next;                   /* address that is free */
};
/* The telling's context in the place of the one that was chosen, which where `told` is NULL stays.
 */
ufc_context *tell_in(struct telling *told, ufc_context *ctx);
/* The axes that a method goes along. */
void tell_axes(struct telling *told, const bool *along, int ndim, int64_t length);
/* Where a result that is told would be: at an address that no array has.  UFC_ENOMEM where there
 * are no such any more. */
ufc_status tell_place(struct telling *told, size_t size, void **memory, ufc_error *err);
/* Tells in such a context that a copy of an operand is made, for a reason: "x", "as ", "float64".
 */
void tell_copy(ufc_context *ctx, const char *operand, const char *why, const char *type);
/* Adds to a text as printf does, cut where there is no more room. */
void put_text(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- host/describe.c, host/fold.c: tell what the host would do */

/* That it is host code, and of which level. */
void tell_level(ufc_plan_description *d, const struct ufc_overload *overload);
/* How many threads, and why no more, unless they are all. */
void tell_threads(ufc_plan_description *d, const ufc_context *ctx, int used, const char *why, ...)
    __attribute__((format(printf, 4, 5)));
ufc_status cpu_describe(ufc_context *ctx, const struct iteration *it, ufc_plan_description *d,
                        ufc_error *err);
ufc_status cpu_describe_reduction(ufc_context *ctx, const struct reduction *r,
                                  ufc_plan_description *d, ufc_error *err);

#endif
