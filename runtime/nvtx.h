/* nvtx.h: ranges of time for profilers, by NVIDIA's Tools Extension (NVTX), version 3.
 *
 * A tool (Nsight Systems, Nsight Compute) names its library in NVTX_INJECTION64_PATH.  What
 * programs have of NVTX is a header that loads this library; here is the part of it that ranges
 * need, so that no CUDA toolkit is needed to build.  Without a tool nothing is done.  This is in
 * libufc and in libufcc, each of which a tool sees apart. */
#ifndef UFC_NVTX_H
#define UFC_NVTX_H

#include <stdatomic.h>
#include <stdbool.h>

enum nvtx_state { NVTX_UNKNOWN, NVTX_ABSENT, NVTX_PRESENT };
extern _Atomic enum nvtx_state nvtx_state;

/* Looks for a tool, once a process; whether there is one. */
bool nvtx_find(void);

/* Whether there is a tool, for which a range is to be named. */
static inline bool nvtx_wanted(void) {
    enum nvtx_state state = atomic_load_explicit(&nvtx_state, memory_order_acquire);
    return state == NVTX_PRESENT || (state == NVTX_UNKNOWN && nvtx_find());
}

/* Opens a range of this thread, inside those that it has open.  The name, which is made as by
 * printf, is cut where it is long. */
void nvtx_push(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Closes the thread's range that was opened last. */
void nvtx_pop(void);

#endif
