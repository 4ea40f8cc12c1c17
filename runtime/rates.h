/* rates.h: what a machine moves and computes in a second, measured once (measure.c), kept for later
 * processes (rates.c), and by it the choice between the host and a GPU (auto.c). */
#ifndef UFC_RATES_H
#define UFC_RATES_H

#include "rt.h"

/* measure.c */
/* Measures the host, with the threads of a context of it, and a GPU, which takes some milliseconds:
 * medians of a few runs each. */
ufc_status measure_rates(ufc_context *host, ufc_context *gpu, ufc_rates *rates, ufc_error *err);

/* rates.c */
/* What a GPU's context keeps of them. */
struct rates *rates_new(void); /* NULL: out of memory */
void rates_free(struct rates *rates);
/* The rates of a GPU and of the host with so many threads: from an earlier call, from the file of
 * an earlier process, or measured now.  A context that failed to measure them does not try again.
 */
ufc_status find_rates(ufc_context *host, ufc_context *gpu, const ufc_rates **rates, ufc_error *err);

/* auto.c */
/* What a call does, as far as it decides where that is done. */
struct load {
    /* Of it are set: the overload, the total, and of a gufunc the core dimensions and the ufunc. */
    const struct iteration *it;
    double in, out; /* bytes of arrays that are read, and written */
    bool pageable;  /* one of them is not in pinned memory */
};
/* Adds an operand, if it is an array. */
void load_add(struct load *load, const struct operand *op, bool is_read, bool is_written);
/* Decides what was left open: *ctx becomes the context that is predicted to take less time, or the
 * recorder's of it. */
ufc_status decide_device(ufc_context **ctx, const struct undecided *undecided,
                         const struct load *load, struct recorder *recorder, ufc_error *err);
/* The same of a plan, which computes where its arrays are: on the host if it has any there. */
ufc_status decide_by_arrays(ufc_context **ctx, const struct undecided *undecided,
                            const struct ufc_overload *overload, bool on_host, ufc_error *err);
/* The host's context beside a GPU's. */
ufc_status host_beside(ufc_context **host, const ufc_context *gpu, ufc_error *err);

#endif
