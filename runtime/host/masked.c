/* masked.c: calls with `where`: long runs of elements that the mask has are computed where they
 * lie, others are copied to neighbours and back. */
#include "cpu.h"

/* The size of an operand's elements where the kernel is called: those of tiles are converted. */
static int64_t element_size(const struct job *job, int k) {
    return dtype_info[job->cast_bytes ? job->it->dtype[k] : loop_dtype(job, k)].size;
}

/* The bytes of the operands' elements that are copied; 0: they cannot be.  A fault is told by its
 * element's place, and results that share a place are in order. */
static int64_t copied_bytes(const struct job *job) {
    const struct iteration *it = job->it;
    int64_t bytes = 0;
    for (int k = 0; k < it->nin + it->nout; k++) {
        if (k >= it->nin && job->step[k] == 0)
            return 0;
        bytes += job->step[k] ? element_size(job, k) : 0;
    }
    return job->finding->checks ? 0 : bytes;
}

/* Runs those of n elements, MASK_PIECE at most, that the mask has, side by side. */
static void run_gathered(const struct job *job, char *const *at, int64_t n, int64_t number) {
    _Alignas(64) char buffer[MASK_BUFFER];
    uint16_t marked[MASK_PIECE];
    const struct iteration *it = job->it;
    int nargs = it->nin + it->nout;
    int64_t found = find_marked(marked, at[nargs], job->step[nargs], n);
    struct job gathered = *job;
    char *args[UFC_MAX_OPERANDS], *room = buffer;
    if (found == 0)
        return;
    for (int k = 0; k < nargs; k++) {
        int64_t size = element_size(job, k);
        args[k] = at[k];
        if (job->step[k] == 0)
            continue;
        args[k] = room;
        gathered.step[k] = size;
        room += size * ((n + 15) & ~15); /* elements are aligned */
        if (k < it->nin)
            gather_marked(marked, args[k], at[k], job->step[k], size, found);
    }
    run_elements(&gathered, args, found, number);
    for (int k = it->nin; k < nargs; k++)
        scatter_marked(marked, at[k], job->step[k], args[k], element_size(job, k), found);
}

void run_masked(const struct job *job, char *const *at, int64_t n, int64_t number) {
    int nargs = job->it->nin + job->it->nout;
    const char *mask = at[nargs];
    int64_t step = job->step[nargs], bytes = copied_bytes(job), piece = 0;
    if (bytes)
        piece = MASK_BUFFER / bytes < MASK_PIECE ? MASK_BUFFER / bytes & ~15 : MASK_PIECE;
    for (int64_t begin = 0, end; begin < n; begin = end) {
        bool on = mask[begin * step] != 0;
        for (end = begin + 1; end < n && (mask[end * step] != 0) == on; end++)
            ;
        char *args[MAX_WALKED];
        for (int k = 0; k <= nargs; k++)
            args[k] = at[k] + begin * job->step[k];
        if (end - begin < MASK_RUN && end < n && piece) {
            end = n - begin < piece ? n : begin + piece;
            run_gathered(job, args, end - begin, number + begin);
        } else if (on) {
            run_elements(job, args, end - begin, number + begin);
        }
    }
}
