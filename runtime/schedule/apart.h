/* apart.h: how far apart in memory neighbours along an index are. */
#ifndef UFC_APART_H
#define UFC_APART_H

#include "rt.h"

/* An index: an axis of the iteration, or, where that is -1, a loop of its overload. */
struct loop_index {
    int axis, loop;
};
/* The first of an access's operand among the core dimensions of all operands. */
size_t first_dimension(const struct iteration *it, const struct ufc_access *a);
/* Iterations of the overload's loop; -1: not known. */
int64_t loop_size(const struct iteration *it, int loop);
/* By how many elements of a dimension a step goes on. */
int64_t step_elements(const struct iteration *it, const struct ufc_step *s);
/* Bytes from one iteration of a loop to the next, in an access. */
int64_t loop_stride(const struct iteration *it, const struct ufc_access *a, int loop);
/* The elements that an access reads or stores in all calls, each counted once. */
double distinct_elements(const struct iteration *it, const struct ufc_access *a);
/* The lines of memory that a warp reads in an access where its threads are neighbours along x. */
double lines_along(const struct iteration *it, const struct ufc_access *a, struct loop_index x);
/* The same of a warp whose threads are rows: `lanes` of them, a warp's at most, `apart` iterations
 * apart along an index, the rows neighbours along another one. */
struct warp_rows {
    struct loop_index along, across;
    int64_t lanes, apart;
};
double lines_in_rows(const struct iteration *it, const struct ufc_access *a,
                     const struct warp_rows *r);
/* The bytes that a phase's accesses move where neighbouring threads are neighbours along an index,
 * in lines of memory: the least possible times how many elements apart the neighbours are. */
double moved_along(const struct iteration *it, uint32_t phase, struct loop_index x);
/* The same where they are neighbours along two indices.  *stored becomes by how much more stores
 * move along the first one than along the second. */
double moved_in_patch(const struct iteration *it, uint32_t phase, struct loop_index first,
                      struct loop_index second, double *stored);
/* Are the elements that a phase accesses at a thread's neighbours side by side, and aligned, so
 * that vectors hold them? */
bool are_beside(const struct iteration *it, uint32_t phase);
/* Are the rows of those that may be flat (struct ufc_phase), of so many columns, without gaps, and
 * aligned where a thread's neighbours begin? */
bool are_flat(const struct iteration *it, uint32_t phase, int64_t columns);
/* Do accesses that vary along both indices differ in along which one neighbours are nearer, by so
 * much that patches pay? */
bool is_crossing(const struct iteration *it, uint32_t phase, struct loop_index first,
                 struct loop_index second);
/* How many threads of a warp, which are neighbours along both, are so along the first index, that
 * its accesses are of the fewest lines of memory: NEST_PATCH_LANES, half or twice as many. */
int64_t patch_lanes(const struct iteration *it, uint32_t phase, struct loop_index first,
                    struct loop_index second);

#endif
