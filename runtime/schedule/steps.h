/* steps.h: how threads share a call whose body has ordered loops with steps. */
#ifndef UFC_STEPS_H
#define UFC_STEPS_H

#include "rt.h"

/* steps.c */
struct sharing {
    enum ufc_kernel_kind kind;       /* THREAD, WARP, BLOCK, …, LONE or SMALL */
    uint32_t threads, group, blocks; /* of a block; as in the kernel's parameter */
    uint32_t inputs, shared;         /* in shared memory; bytes of that */
};
/* Chooses by sizes and the number of calls, where WARP or BLOCK, s->kind, would be chosen for a
 * call without such loops.  False: that one is better. */
bool choose_sharing(const struct iteration *it, const struct gpu_model *gpu, struct sharing *s);
/* The clocks of a multiprocessor for calls that are shared as s says; the bytes of shared memory
 * that operands `first`, … take in RESIDENT. */
double sharing_clocks(const struct iteration *it, const struct gpu_model *gpu,
                      const struct sharing *s);
int64_t resident_bytes(const struct iteration *it, int first);
/* The clocks that a multiprocessor alone takes for the accesses of all steps of a call to memory:
 * *each, that of each block, for those of reductions; and of all steps of a call with so many
 * blocks, which wait for one another so long. */
double steps_access_clocks(const struct iteration *it, double *each);
double steps_clocks(const struct iteration *it, enum ufc_kernel_kind kind, double blocks,
                    double wait);
/* Do several blocks have portions of the reduction that a loop is of, rather than all of it each?
 */
bool has_portions(const struct iteration *it, int loop);
/* How often so many blocks of a call then wait for one another, to join it: before it, too, where
 * some of them have no portion. */
int portion_waits(const struct iteration *it, int loop, double blocks);
/* Have they those of the reductions at each point of a definition, one point after the other? */
bool has_whole_points(const struct iteration *it, int loop);
/* A set of loops with those around them. */
uint64_t with_outer(const struct ufc_overload *o, uint64_t loops);
/* Elements of a call's operand k, INT32_MAX at most; have calls it each for itself? */
int64_t call_elements(const struct iteration *it, int k);
bool calls_differ(const struct iteration *it, int k);
/* The accesses of a call. */
double accesses_of_call(const struct iteration *it);
/* Rounds in which the GPU computes the calls, so many of them at once a multiprocessor. */
double call_rounds(const struct iteration *it, const struct gpu_model *gpu, double together);

/* small.c: chooses SMALL, where a call would else be computed as s says.  False: that is better. */
bool choose_small(const struct iteration *it, const struct gpu_model *gpu, struct sharing *s);
/* Clocks of a multiprocessor for the calls, which such a kernel computes. */
double small_clocks(const struct iteration *it, const struct gpu_model *gpu,
                    enum ufc_kernel_kind kind);
/* Sets the seconds in which threads of SMALL_16, … issue instructions; gives the clocks of one, and
 * how many run at a time. */
struct schedule;
double add_wide_steps(struct schedule *s, double *resident);

/* lone.c: chooses LONE, where a call would else be computed as s says.  False: that is better. */
bool choose_lone(const struct iteration *it, const struct gpu_model *gpu, struct sharing *s);
/* Clocks of a multiprocessor for the calls, which LONE computes as s says. */
double lone_clocks(const struct iteration *it, const struct gpu_model *gpu,
                   const struct sharing *s);
/* state.c: whether lanes are enough for what the steps of a call keep. */
bool may_keep_state(const struct iteration *it);
/* Chooses WARP with a lane for each index of the state, where a call would else be computed as s
 * says, which is faster if it is still so; THREAD instead of WARP where lanes are too few.  False:
 * the overload keeps no state. */
bool choose_state(const struct iteration *it, const struct gpu_model *gpu, struct sharing *s);
/* follow.c: the same of RESIDENT and FOLLOW, in bodies of which threads share nothing else in
 * order. */
bool choose_following(const struct iteration *it, const struct gpu_model *gpu, struct sharing *s);
bool follows_alone(const struct ufc_overload *o);
/* The clocks that a call of so many threads then takes; *issued: those of a busy scheduler. */
double following_clocks(const struct iteration *it, const struct sharing *s, double *issued);

#endif
