/* cpu.h: how the host runs a loop: cpu.c chooses and runs it, describe.c describes it. */
#ifndef UFC_HOST_CPU_H
#define UFC_HOST_CPU_H

#include "host.h"

/* The arguments of a gufunc's kernel, and how its core calls are shared out. */
struct gufunc_job {
    size_t ndims;
    intptr_t size[MAX_CORE_DIMS], step[UFC_MAX_OPERANDS + MAX_CORE];
    bool shares;  /* calls go one after the other, each split over threads */
    int64_t work; /* elements that a call works on, or more */
    int threads;
    int lanes;      /* calls in a vector */
    int64_t packed; /* calls whose elements are copied side by side at a time; 0: they are not */
    int64_t turned; /* calls of which each one's are so, at a time; 0: they are not */
    bool sets;      /* what outputs hold before need not be copied */
};

struct job {
    const struct iteration *it;
    struct ufc_host_code code; /* kernel and ask */
    const char *special; /* why the kernel is not one made for the call, as in struct ufc_special;
                            "": it is; NULL: none is asked for */
    int inner;           /* the axis that kernels run along; -1: there is one element */
    int64_t inner_size;
    intptr_t step[MAX_WALKED]; /* bytes along the inner axis */
    bool tiled[MAX_WALKED];    /* inputs that are copied to a tile; step is the tile's */
    int across;                /* the axis that tiled inputs are faster along; 0: none is tiled */
    int64_t along_tile, across_tile;
    const struct gufunc_job *gufunc; /* NULL: a ufunc of scalars */
    struct finding *finding;
    bool casts[UFC_MAX_OPERANDS]; /* the array's type is not the overload's */
    int cast_bytes;               /* bytes of an element of all converted operands together */
    bool copies;                  /* elements are converted from the input to the output */
    /* What threads share out: elements, tiles or core calls. */
    int threads;
    int64_t shared, grain;
};

static inline enum ufc_dtype loop_dtype(const struct job *job, int k) {
    return (enum ufc_dtype)job->it->overload->dtypes[k];
}

/* The bytes from an element to the next, as the kernel is given them. */
static inline intptr_t kernel_step(const struct job *job, int k) {
    bool converted = job->cast_bytes && job->casts[k];
    bool one = k < job->it->nin && job->step[k] == 0; /* one element for all */
    return converted && !one ? dtype_info[loop_dtype(job, k)].size : job->step[k];
}

/* Elements that are converted at a time. */
static inline int64_t cast_piece(const struct job *job) {
    return CAST_BUFFER / job->cast_bytes & ~63;
}

/* cpu.c */
/* Decides how the loop is run; *gufunc is set for gufuncs, and may be NULL for others. */
ufc_status cpu_choose(ufc_context *ctx, const struct iteration *it, struct job *job,
                      struct gufunc_job *gufunc, ufc_error *err);

/* Calls the kernel for n elements along the inner axis; number: the first one's place in the order
 * of the loop. */
void run_elements(const struct job *job, char **at, int64_t n, int64_t number);

/* What a host kernel tells of a job's first arguments: see ufc_host_ask. */
uint32_t ask_kernel(const struct job *job);

/* masked.c */
/* The same of those that the mask has, which is behind the arrays in at. */
void run_masked(const struct job *job, char *const *at, int64_t n, int64_t number);

/* packed.c */
/* How many calls at a time are worth copying side by side, of which each is small; a multiple of
 * `lanes`.  again: loops access the same elements again.  0: none, as they lie so, or are too
 * large, or too few. */
int64_t packed_calls(const struct job *job, int lanes, bool again);
/* Runs n core calls so.  False: there is no memory for it. */
bool packed_run(const struct job *job, char **at, int64_t n, int64_t number);

/* The same of calls whose elements are neighbours of other calls', to have each call's so. */
int64_t turned_calls(const struct job *job);
bool turned_run(const struct job *job, char **at, int64_t n, int64_t number);

#endif
