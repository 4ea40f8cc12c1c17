/* gaussian.c: the density of a normal distribution at a million samples, read from a .npy file, on
 * the GPU where there is one and else on all cores; compared with plain C in double precision.
 * ufc build gaussian.uf && cc gaussian.c gaussian.o -lufc -lm && ./a.out samples.npy */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include "gaussian.h"

enum { CALLS = 21 };

static const double mean = 0, sigma = 1;
static ufc_error err;

static void must(ufc_status status) {
    if (status != UFC_OK) {
        fprintf(stderr, "gaussian: %s\n", err.message);
        exit(1);
    }
}

static double milliseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median time of a call, after a first one that loads the code. */
static double measure(const DLTensor *x, const DLTensor *y) {
    double times[CALLS] = {0};
    for (int i = -1; i < CALLS; i++) {
        double start = milliseconds();
        must(gaussian_gaussian_pdf(NULL, NULL, ufc_array(x), ufc_float(mean), ufc_float(sigma),
                                   ufc_into(y), &err));
        must(ufc_synchronize(NULL, NULL, &err));
        if (i >= 0)
            times[i] = milliseconds() - start;
    }
    qsort(times, CALLS, sizeof *times, ascending);
    return times[CALLS / 2];
}

/* The same with both arrays in the device's memory. */
static double measure_on_device(const DLTensor *x) {
    DLManagedTensorVersioned *there, *result;
    must(ufc_empty(NULL, UFC_FLOAT32, x->ndim, x->shape, UFC_DEVICE, &there, &err));
    must(ufc_empty(NULL, UFC_FLOAT32, x->ndim, x->shape, UFC_DEVICE, &result, &err));
    must(ufc_copy(NULL, NULL, x, &there->dl_tensor, &err));
    double median = measure(&there->dl_tensor, &result->dl_tensor);
    ufc_free(there);
    ufc_free(result);
    return median;
}

static double largest_difference(const float *x, const float *y, int64_t n) {
    double worst = 0;
    for (int64_t i = 0; i < n; i++) {
        double z = ((double)x[i] - mean) / sigma;
        double reference = exp(-0.5 * z * z) / (sigma * sqrt(2 * 3.14159265358979323846));
        worst = fmax(worst, fabs(reference - (double)y[i]));
    }
    return worst;
}

int main(int argc, char **argv) {
    if (argc != 2)
        return fprintf(stderr, "usage: gaussian SAMPLES.npy\n"), 2;
    DLManagedTensorVersioned *samples, *densities;
    must(ufc_npy_read(argv[1], &samples, &err));
    DLTensor *x = &samples->dl_tensor;
    if (x->ndim != 1 || x->dtype.code != kDLFloat || x->dtype.bits != 32)
        return fprintf(stderr, "gaussian: %s is not one row of float32\n", argv[1]), 1;
    must(ufc_empty(NULL, UFC_FLOAT32, 1, x->shape, UFC_HOST, &densities, &err));
    DLTensor *y = &densities->dl_tensor;

    double time = measure(x, y);
    const float *sample = x->data, *density = y->data;
    for (int i = 0; i < 5 && i < x->shape[0]; i++)
        printf("gaussian_pdf(%9.6f) = %.7f\n", (double)sample[i], (double)density[i]);
    printf("largest difference from the float64 reference: %.3g\n",
           largest_difference(sample, density, x->shape[0]));

    ufc_properties device;
    must(ufc_context_properties(NULL, &device, &err));
    printf("%lld samples on %s", (long long)x->shape[0], device.name);
    if (device.device.device_type == kDLCPU)
        printf(" (%d threads): %.3f ms\n", device.threads, time);
    else
        printf(": %.3f ms, and %.3f ms from host memory to host memory\n", measure_on_device(x),
               time);
    ufc_free(samples);
    ufc_free(densities);
    return 0;
}
