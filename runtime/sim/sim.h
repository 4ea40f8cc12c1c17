/* sim.h: the simulator, an interpreter of PTX: what its files share.
 *
 *   sim.c      the device: programs read once, launches
 *   block.c    a block's threads: schedules them, and runs warp instructions and barriers
 *   cluster.c  barriers among the blocks of a cluster
 *   run.c      runs one thread until it ends or must wait
 *   float.c    the rarer operations on floats
 *   memory.c   which accesses are allowed; atomic operations; races
 *   fold.c     the memory that a launch of a reduction may reach
 *   gufunc.c   the memory that a gufunc's launch may reach
 *   fault.c    the messages for faults
 *
 * Addresses are the host's.  A thread runs until it ends or waits for others at a barrier or an
 * instruction of its warp; threads of kernels that never wait run one after the other in the same
 * registers. */
#ifndef UFC_SIM_H
#define UFC_SIM_H

#include <pthread.h>
#include <stdatomic.h>
#include "ptx.h"

enum {
    WARP_LANES = 32,
    MAX_BLOCK = 1024,
    BARRIERS = CLUSTER_BARRIER + 1,
    MAX_REGIONS = MAX_WALKED + 3
};
/* Blocks that run at the same time: one a multiprocessor, or those of JOINT. */
enum { TOGETHER = 4, MAX_TOGETHER = TOGETHER * UFC_JOINT_BLOCKS };

/* Memory that a kernel may reach: an array of the call, or a variable of the module. */
struct sim_region {
    uintptr_t begin;
    uint64_t size;
    bool writable;
    const char *name;
    /* Of an array with gaps: the strides between its runs, falling; naxes is 0 without gaps. */
    int naxes;
    int64_t stride[MAX_RANK];
    int64_t run; /* bytes of a run: elements side by side */
};

enum fault_kind {
    FAULT_NONE,
    FAULT_READ,
    FAULT_WRITE,
    FAULT_INPUT, /* a write to read-only memory */
    FAULT_ALIGNMENT,
    FAULT_RACE,
    FAULT_BARRIER,
    FAULT_ALIGNED, /* threads of one warp at different barriers */
    FAULT_WARP,
    FAULT_TRAP,
    FAULT_BRANCH,
    FAULT_STOPPED, /* another block failed, for which this one waited */
};

struct sim_fault {
    enum fault_kind kind;
    uint32_t insn, thread;
    enum ptx_space space;
    uintptr_t address;
    uint32_t size;
    bool is_write;
    /* the other thread of a race or a barrier */
    uint32_t other, other_insn;
    bool other_wrote, other_ended;
};

/* The blocks of a cluster, as they come to barriers: those that wait, those that have ended, and
 * how often all have come. */
struct sim_cluster {
    pthread_mutex_t lock;
    pthread_cond_t change;
    uint32_t waiting, ended, turn;
};

struct sim_launch {
    const struct ptx_program *program;
    const struct ptx_function *kernel;
    const char *name; /* the ufunc's; NULL: none */
    const struct kernel_launch *launch;
    struct sim_region *regions;
    int nregions;
    uint32_t shared_size;
    atomic_uint_fast64_t executed; /* instructions */
    atomic_uint_fast32_t failed;   /* the first block that failed; UINT32_MAX: none */
    struct sim_cluster cluster;    /* the one that runs, where launch->cluster is not 0 */
    pthread_mutex_t lock;          /* guards status and err */
    ufc_status status;
    ufc_error *err;
};

enum thread_state { THREAD_READY, THREAD_AT_WARP, THREAD_AT_BARRIER, THREAD_ENDED };

struct sim_return {
    uint32_t insn, call, function;
};

/* A copy to shared memory that is under way: `bytes` of its bytes, and zeros. */
enum { SIM_COPIES = 64 };
struct sim_copy {
    uintptr_t to, from;
    uint32_t size, bytes, insn, group;
};

struct sim_thread {
    enum thread_state state;
    uint32_t number;   /* the thread's, in the block */
    uint32_t pc;       /* the next instruction, or the one at which the thread waits */
    uint32_t function; /* the function that the registers belong to */
    uint32_t depth;
    uint64_t carry;
    uint64_t *r; /* its register window */
    char *frame; /* its frame of local memory */
    uint64_t *registers;
    char *frames;
    struct sim_return *returns;
    struct sim_copy copies[SIM_COPIES]; /* the oldest first */
    uint32_t ncopies, groups;           /* groups: that were made */
    uint32_t synced[WARP_LANES];        /* the warp's count of bar.warp.sync at the last one with
                                           each lane */
};

/* Who used a byte of shared memory, or a word, since the last barrier. */
struct shadow {
    uint32_t epoch_write, epoch_read;
    uint16_t writer, reader[2];          /* number + 1; 0: none */
    bool atomic, ordered[2];             /* how it was written and read */
    uint32_t stamp_write, stamp_read[2]; /* the warp's count of bar.warp.sync at the access */
    uint32_t insn_write, insn_read[2];
};

/* Words are mostly used as a whole, which makes one shadow of them, until a byte is used alone:
 * from then on, in the epoch `split`, the bytes have theirs. */
enum { SHADOW_BYTES = 4 };
struct shadow_word {
    struct shadow whole;
    uint32_t split;
};

/* What a host thread needs to run blocks, one after the other. */
struct sim_worker {
    struct sim_launch *launch;
    const struct ptx_program *program;
    const struct ptx_function *kernel;
    uint32_t block;    /* the block that runs */
    uint32_t nthreads; /* threads that have registers of their own */
    struct sim_thread *threads;
    uint64_t *registers;
    char *frames;
    struct sim_return *returns;
    char *shared;
    struct shadow_word *words;
    struct shadow *bytes;
    uint32_t epoch; /* counts blocks and barriers */
    uint32_t warp_syncs[MAX_BLOCK / WARP_LANES];
    uint32_t arrived[BARRIERS]; /* threads that arrived by bar.arrive */
    uint64_t executed;
    struct sim_fault fault;
};

/* cluster.c */
void cluster_begin(struct sim_launch *l);
void cluster_end(struct sim_launch *l);
/* A block waits for the others of its cluster.  False: one of them failed. */
bool cluster_wait(struct sim_launch *l);
/* A block has ended, or failed. */
void cluster_leave(struct sim_launch *l);

/* block.c */
struct sim_worker *worker_new(struct sim_launch *launch);
void worker_free(struct sim_worker *w);
/* False: w->fault says why. */
bool run_block(struct sim_worker *w, uint32_t block);

/* run.c */
enum sim_stop { STOP_ENDED, STOP_WARP, STOP_BARRIER, STOP_SLICE, STOP_FAULT };
enum sim_stop sim_run(struct sim_worker *w, struct sim_thread *t);
/* Fills the preset slots of a function that begins; specials_only: those of special registers only,
 * as the others are filled. */
void sim_preset(const struct sim_worker *w, const struct sim_thread *t,
                const struct ptx_function *f, bool specials_only);

/* float.c */
uint64_t sim_float(unsigned aux, uint64_t a, uint64_t b, uint64_t c);
uint64_t sim_convert(unsigned aux, uint64_t a);
uint64_t sim_from_half(uint64_t a); /* float16 to float32 */
uint64_t sim_to_half(uint64_t a);
uint64_t sim_testp(unsigned aux, uint64_t a);

/* memory.c */
/* An ordered load, as a relaxed one, may meet atomic operations of other threads. */
enum { MEMORY_READ, MEMORY_ORDERED, MEMORY_WRITE, MEMORY_ATOMIC };
/* Whether the thread's instruction may use these bytes; false: w->fault says why not. */
bool sim_reach(struct sim_worker *w, const struct sim_thread *t, enum ptx_space space,
               uintptr_t address, uint32_t size, int use, uint32_t insn);
bool sim_is_space(const struct sim_worker *w, const struct sim_thread *t, enum ptx_space space,
                  uintptr_t address);
/* Elements of 1 to 8 bytes; 4 bytes may be some of which an array has one at least. */
uint64_t sim_load_ordered(uintptr_t address, unsigned size);
void sim_store_ordered(uintptr_t address, unsigned size, uint64_t value);
uint64_t sim_atomic(enum atom_op op, uint32_t size, uintptr_t address, uint64_t b, uint64_t c);
/* The axes of an array along which it has strides. */
struct sim_axes {
    int n;
    int64_t size[MAX_RANK], stride[MAX_RANK];
};
void sim_add_axis(struct sim_axes *axes, int64_t size, int64_t stride);
/* Sets a region to an array's memory; the caller sets name and writable. */
void sim_region(struct sim_region *region, const char *data, enum ufc_dtype dtype,
                const struct sim_axes *axes);
/* Sets the regions of a call's arrays, at most walked(it), with names where not NULL; gives their
 * number. */
int sim_regions(const struct iteration *it, const char *const *names, struct sim_region *regions);

/* fold.c */
/* Sets the regions of a launch of a reduction; gives their number. */
int sim_fold_regions(const struct ufc_overload *overload, const struct ufc_kparam_fold *p,
                     struct sim_region *regions);

/* gufunc.c */
/* Sets the regions of a gufunc call's arrays, at most nin + nout; gives their number. */
int sim_gufunc_regions(const struct iteration *it, struct sim_region *regions);
/* Adds the workspace, where a gufunc's launch has one, to n regions; gives their number then. */
int sim_launch_regions(const struct ufc_overload *overload, const struct kernel_launch *launch,
                       struct sim_region *regions, int n);

/* fault.c */
void sim_report(struct sim_launch *launch, uint32_t block, const struct sim_fault *fault);

/* sim.c */
/* Instructions that this process has interpreted, for tests/bench. */
uint64_t sim_executed(void);

#endif
