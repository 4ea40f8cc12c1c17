/* recorder.h: records what a call or a method would do, which explain.c asks for.
 *
 * A recorded call goes through the same code as any other, in the recorder's context, which
 * replaces the chosen one: there memory is addresses that no array has, nothing is copied, and what
 * would be executed is described.  So the description shows what the call itself decides. */
#ifndef UFC_RECORDER_H
#define UFC_RECORDER_H

#include "rt.h"

/* ---- explain.c */

void describe_nothing(ufc_plan_description *d);
/* Adds to what describe_nothing wrote what executing the iteration would run. */
ufc_status describe_iteration(ufc_context *ctx, const struct iteration *it, ufc_plan_description *d,
                              ufc_error *err);
ufc_status describe_reduction(ufc_context *ctx, const struct reduction *r, ufc_plan_description *d,
                              ufc_error *err);
/* device_ops.describe and describe_reduction of devices that launch kernels. */
ufc_status describe_launches(ufc_context *ctx, const struct iteration *it, ufc_plan_description *d,
                             ufc_error *err);
ufc_status describe_reducing_launches(ufc_context *ctx, const struct reduction *r,
                                      ufc_plan_description *d, ufc_error *err);

/* A loop that is executed part by part (device_ops.begin_parts). */
struct split {
    int64_t parts, calls; /* of a part, at most; parts 0: the loop is executed as a whole */
    int naxes;
    int64_t size[MAX_RANK], total, bytes;
};
void split_begin(struct split *s, const struct iteration *whole, int64_t parts, int64_t calls);
/* Makes what is told of the first part that of the whole loop, where that has parts. */
void describe_split(const struct split *s, ufc_plan_description *d);

struct recorder {
    struct ufc_context ctx;
    struct device_ops ops;           /* of ctx */
    const struct ufc_ufunc *ufunc;   /* the one that is called */
    ufc_plan_description *d, unread; /* d is `unread` where the caller wants none */
    uint64_t next;                   /* the next free address */
    double copying;                  /* predicted: the time of copies of operands */
    struct split split;              /* of the call, */
    bool told;                       /* whose first part is described */
};
/* The recorder's context, to replace ctx; ctx itself where recorder is NULL. */
ufc_context *recorder_context(struct recorder *recorder, ufc_context *ctx);
/* Records the axes that a method goes along. */
void record_axes(struct recorder *recorder, const bool *along, int ndim, int64_t length);
/* Gives memory of a recorded call: an address that no array has.  UFC_ENOMEM where no such
 * addresses are left. */
ufc_status record_place(struct recorder *recorder, size_t size, void **memory, ufc_error *err);
/* Records, in a recorder's context, that a copy of an operand is made, for a reason: "x", "as ",
 * "float64". */
void record_copy(ufc_context *ctx, const char *operand, const char *why, const char *type);
/* Records that the call is made in portions, whose arrays take so much memory at a time. */
void record_portions(ufc_context *ctx, int64_t portions, int64_t bytes);
/* An array that a gufunc's body makes, in place or of so many bytes a call.  NULL: the first one is
 * next. */
void record_array(ufc_context *ctx, const char *name, bool in_place, int64_t bytes);
/* The bytes of an operand's distinct elements in all calls: those along a stride of 0 are one. */
int64_t operand_bytes(const struct iteration *it, int operand);
/* Says whether a kernel that is made for the call runs: see struct ufc_special's `missing`; ""
 * where that is NULL.  NULL: none is asked for. */
void describe_special(ufc_plan_description *d, const char *missing);
/* Appends to a text as printf does; cuts it at size - 1 characters. */
void put_text(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
