/* fpenv.h: the floating-point environment that calls compute in, on every thread: the default one,
 * round to nearest and subnormal numbers as they are, whatever the caller has set. */
#ifndef UFC_FPENV_H
#define UFC_FPENV_H

/* Kernels use SSE alone, and fesetenv takes as long as a call; to set SSE's register takes longer
 * than to read it. */
#ifdef __SSE2__
#include <xmmintrin.h>

typedef unsigned fp_env;

static inline fp_env fp_enter(void) {
    fp_env callers = _mm_getcsr();
    if (callers != _MM_MASK_MASK) /* no exception traps; the rest is 0 */
        _mm_setcsr(_MM_MASK_MASK);
    return callers;
}

static inline void fp_leave(fp_env callers) {
    if (_mm_getcsr() != callers)
        _mm_setcsr(callers);
}
#else
#include <fenv.h>

typedef fenv_t fp_env;

static inline fp_env fp_enter(void) {
    fp_env callers;
    fegetenv(&callers);
    fesetenv(FE_DFL_ENV);
    return callers;
}

static inline void fp_leave(fp_env callers) {
    fesetenv(&callers);
}
#endif

#endif
