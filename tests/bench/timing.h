/* timing.h: the clock of the benchmarks in C, and medians. */
#ifndef TIMING_H
#define TIMING_H

#include <stdlib.h>
#include <time.h>

/* Seconds from some beginning on. */
static inline double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int compare_times(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of n times, which are sorted. */
static inline double median_time(double *times, size_t n) {
    qsort(times, n, sizeof *times, compare_times);
    return times[n / 2];
}

#endif
