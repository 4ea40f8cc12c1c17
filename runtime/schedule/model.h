/* model.h: the cost model: what calls cost, by what bodies do (struct ufc_overload's loops, work
 * and accesses), by sizes and strides, and by what the GPU can. */
#ifndef UFC_MODEL_H
#define UFC_MODEL_H

#include "rt.h"

/* The GPU that schedules are chosen for, an H200, wherever they run: equal calls give equal bits.
 */
void model_reference(struct gpu_model *m);

/* A call's body with the sizes of its loops. */
struct body {
    const struct iteration *it;
    int64_t size[UFC_MAX_LOOPS]; /* iterations of each loop; -1: not known */
};
void model_body(struct body *body, const struct iteration *it);

/* Sets the clock and the rates of operations of m, whose multiprocessors are set.  capability: 90
 * for 9.0. */
void model_rates(struct gpu_model *m, int capability, double hertz);

/* Iterations of a set of loops of the call's body, each within those around it. */
double model_points(const struct iteration *it, uint64_t loops);

/* The operations of all kinds of some of a call's work. */
double model_operations(const struct iteration *it, const struct ufc_work *work);

/* Sets work[UFC_WORK_COUNT] to the operations of all calls. */
void model_work(const struct iteration *it, double *work);

/* The longest time, in clocks, in which operations of a call wait for one another; operations:
 * NULL, or becomes how many they are. */
double model_chain(const struct iteration *it, double *operations);

/* Whether a loop is one along which tiles take the points of their results: a reduction, or a loop
 * in order that is one for tiles. */
bool is_depth(const struct ufc_overload *o, int loop);

/* Whether it is the products of a phase that MATRIX can compute. */
bool is_matrix_work(const struct ufc_overload *o, const struct ufc_work *work);

/* The least time, in seconds, of the bytes that are moved at the rate of copies, and of the
 * operations of the kind that takes longest, or of those that wait for one another; 0 where it is
 * not known. */
struct bound {
    double bytes, work;
    const char *work_by; /* the kind, or "chain"; "none" where there are no operations */
    double chained;      /* how many wait for one another; 0: not known */
};
struct bound model_bound(const struct iteration *it, int64_t bytes, const struct gpu_model *m);
/* What a launch takes on the GPU, from the end of the one before it, and what takes longest in it.
 * occupancy: of the kernel; 0: not known. */
struct prediction {
    double seconds;
    const char *by;
};
struct prediction model_launch(const struct gpu_model *gpu, const struct body *body,
                               const struct kernel_launch *launch, double occupancy);
/* The time that the launches of a gufunc's call would take on the GPU that schedules are chosen
 * for: nothing is launched, and no memory is allocated. */
double model_forecast(const struct iteration *it, launches_fn *launches, const void *work);
/* Has a GPU kernels, and room, for them?  Nothing is launched. */
bool model_may_launch(const struct gpu_model *gpu, launches_fn *launches, const void *work);
/* The time of a launch that copies, of so many bytes that are read and written. */
double model_copy(const struct gpu_model *gpu, double bytes);
/* What a call takes on the host, in seconds. */
double model_host(int launches, bool allocates);
/* The time of moving bytes, 0 where it is not known. */
double model_seconds(const struct gpu_model *m, int64_t bytes);

#endif
