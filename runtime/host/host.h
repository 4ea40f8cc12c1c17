/* host.h: the host as a device: what its files share.
 *
 *   cpu.c       the device; calls the overload's host kernel for a loop's elements, on threads
 *   cpu.h       how a loop is run, for cpu.c and describe.c
 *   describe.c  describes how a loop is run
 *   packed.c    core calls on copies of their elements
 *   fold.c      reduce, accumulate and reduceat: cuts the work into tasks
 *   fold.h      these tasks, for fold.c and rows.c
 *   rows.c      reduces the elements of a task
 *   at.c        array[indices] = f(array[indices], y) */
#ifndef UFC_HOST_H
#define UFC_HOST_H

#include "code.h"
#include "rt.h"

/* describe.c */
/* Sets the kernel to "host", and the level of its code. */
void describe_level(ufc_plan_description *d, const struct ufc_overload *overload);
/* Sets the number of threads that are used, and why no more, unless they are all. */
void describe_threads(ufc_plan_description *d, const ufc_context *ctx, int used, const char *why,
                      ...) __attribute__((format(printf, 4, 5)));
ufc_status cpu_describe(ufc_context *ctx, const struct iteration *it, ufc_plan_description *d,
                        ufc_error *err);

/* fold.c */
ufc_status cpu_reduce(ufc_context *ctx, void *stream, const struct reduction *r, ufc_error *err);
ufc_status cpu_describe_reduction(ufc_context *ctx, const struct reduction *r,
                                  ufc_plan_description *d, ufc_error *err);

/* at.c */
ufc_status cpu_at(struct at *at, const struct operand *indices, ufc_error *err);

#endif
