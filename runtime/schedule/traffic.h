/* traffic.h: what the accesses of a launch move: how many lines and sectors a warp's are of, and
 * how many bytes pass through the caches and through memory; and the times that takes (moving.c).
 */
#ifndef UFC_TRAFFIC_H
#define UFC_TRAFFIC_H

#include "schedule.h"

enum { SECTOR = 32, LINE = 128 }; /* bytes that memory moves at least, and that a cache names */

/* What an access moves: lines and sectors of a warp's, bytes of a block's and of all; how often a
 * thread does it. */
struct moved {
    double lines, sectors, block, all, times;
    double width; /* elements of a thread that one instruction moves */
    double span;  /* bytes of all that is there, accessed or not */
    bool random;
    bool alone; /* most of its sectors are each in a line of its own */
};
struct moved moved_by(const struct schedule *s, const struct ufc_access *a);

/* How an access's bytes reach threads: those that pass through the L2 cache, and through memory. */
struct path {
    double by_warps, by_l2, by_memory;
    bool scattered;
};
struct path path_of(const struct schedule *s, const struct ufc_access *a, const struct moved *x);

/* Of NVIDIA GPUs of compute capability 7.0 to 9.0, as predict.c's. */
static const double memory_seconds = 5e-7; /* a load from memory that is busy */
static const double l2_clocks = 400;       /* a load from the L2 cache */
static const double l1_clocks = 36;        /* a load from the L1 cache or from shared memory */

/* Adds what a launch's accesses take to the schedule: bytes and the times that they bound, a
 * thread's instructions and its loads. */
void add_accesses(struct schedule *s);
/* The same of a ufunc's loop. */
void add_arrays(struct schedule *s);
/* The same of what a tile's threads, and a window's, have in shared memory. */
void share_tile(struct schedule *s);
void share_window(struct schedule *s);
/* Do all phases of a call run in a block, with arrays in its shared memory? */
bool runs_phased(const struct schedule *s);
/* Is an operand in shared memory while a call's steps run? */
bool is_resident(const struct schedule *s, int operand);
/* LONE: is what an access loads copied to an array there together, before all else? */
bool begins_as_copy(const struct schedule *s, const struct ufc_access *a);
/* And the elements, or words of smaller ones, of operand k that it copies of a call. */
double call_copied(const struct schedule *s, int k);
/* Bytes at a rate that falls from the L2 cache's to that of memory where they exceed it. */
double memory_time(const struct gpu_model *m, double bytes);
/* The least time of bytes that only busy multiprocessors take. */
double port_time(const struct schedule *s, double bytes);

/* How often a thread does what depends on a set of loops. */
double times(const struct schedule *s, uint64_t loops);
/* Bytes from one iteration of a loop to the next, at least 0. */
int64_t stride_of(const struct schedule *s, const struct ufc_access *a, int loop);

/* -1: there are none. */
static inline int innermost(uint64_t loops) {
    return loops ? 63 - __builtin_clzll(loops) : -1;
}

/* Does a warp copy what its threads' calls access, together? */
static inline bool is_staged(enum ufc_kernel_kind kind) {
    return kind == UFC_KERNEL_THREAD || kind == UFC_KERNEL_HELPED || kind == UFC_KERNEL_LONE ||
           ufc_is_small(kind) || (kind >= UFC_KERNEL_DENSE && kind <= UFC_KERNEL_DENSE_4);
}

/* The same of a loop, or -1: in chunks, which a loop that may end early does not have. */
bool is_staged_in(const struct schedule *s, int loop);
/* Does a thread begin an ordered loop in each iteration of another one, since that is no short one
 * of a fixed length, which is written out there? */
bool begins_again(const struct schedule *s, int loop);
bool is_long_within(const struct iteration *it, int loop);

/* Bytes of a row that an iteration of the access's innermost loop takes, where its elements are
 * side by side, and those of the next one behind them; 0: they are apart. */
double step_bytes(const struct iteration *it, const struct ufc_access *a);

/* Is an access that stores in the loop, and in none inside? */
bool stores_in(const struct schedule *s, int loop);
/* Iterations of a thread of NEST, in a loop with so many operations that stores, whose loads are
 * under way at once. */
double steps_ahead(const struct schedule *s, int loop, double operations);

/* Multiprocessors that have work. */
static inline double busy(const struct schedule *s) {
    return at_most((double)s->blocks, s->gpu->multiprocessors);
}

#endif
