/* cufft.c: a signal is transformed by cuFFT, its spectrum multiplied by a compiled function, and
 * transformed back, all on one stream and on the GPU.  cuFFT is opened at run time, as ufc opens
 * the driver, so that no CUDA is needed where this is built. ufc build spectrum.uf && cc cufft.c
 * spectrum.o -lufc -lm -ldl && ./a.out It exits with 77 where there is no GPU or no cuFFT. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spectrum.h"

enum { N = 1 << 16, LOW = 3, HIGH = 1000, WIDTH = 300, FORWARD = -1, INVERSE = 1, C2C = 0x29 };

static const double turn = 6.283185307179586;
static ufc_error err;

static void must(ufc_status status) {
    if (status != UFC_OK) {
        fprintf(stderr, "cufft: %s\n", err.message);
        exit(1);
    }
}

/* ---- cuFFT */

static struct {
    int (*plan)(int *plan, int n, int type, int batch);
    int (*set_stream)(int plan, void *stream);
    int (*execute)(int plan, void *in, void *out, int direction);
    int (*destroy)(int plan);
} fft;

static void find(void *library, const char *name, void *pointer) {
    void *symbol = dlsym(library, name);
    memcpy(pointer, &symbol, sizeof symbol);
}

static bool open_cufft(void) {
    static const char *const names[] = {"libcufft.so.12", "libcufft.so.11", "libcufft.so.10",
                                        "libcufft.so"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++)
        library = dlopen(names[i], RTLD_NOW);
    if (!library)
        return false;
    find(library, "cufftPlan1d", &fft.plan);
    find(library, "cufftSetStream", &fft.set_stream);
    find(library, "cufftExecC2C", &fft.execute);
    find(library, "cufftDestroy", &fft.destroy);
    return fft.plan && fft.set_stream && fft.execute && fft.destroy;
}

static void succeed(int result, const char *what) {
    if (result != 0) {
        fprintf(stderr, "cufft: %s gives %d\n", what, result);
        exit(1);
    }
}

/* ---- the signal */

static DLManagedTensorVersioned *to_device(ufc_context *ctx, void *data, ufc_type type) {
    static int64_t n = N;
    DLManagedTensorVersioned *there;
    DLTensor here = ufc_host_array(data, ufc_dltype(type), 1, &n);
    must(ufc_to_device(ctx, NULL, &here, &there, &err));
    return there;
}

static float signal[N][2], frequency[N];

int main(void) {
    ufc_context *gpu;
    void *stream;
    int plan;
    if (ufc_context_new(&gpu, "cuda", 0, &err) != UFC_OK || !open_cufft()) {
        puts(*err.message ? err.message : "no cuFFT was found");
        return 77;
    }
    for (int i = 0; i < N; i++) {
        signal[i][0] = (float)(cos(turn * LOW * i / N) + cos(turn * HIGH * i / N));
        frequency[i] = (float)(i < N / 2 ? i : i - N);
    }
    DLManagedTensorVersioned *x = to_device(gpu, signal, UFC_COMPLEX64), *filtered;
    DLManagedTensorVersioned *f = to_device(gpu, frequency, UFC_FLOAT32);
    must(ufc_stream_new(&stream, gpu, &err));
    succeed(fft.plan(&plan, N, C2C, 1), "cufftPlan1d");
    succeed(fft.set_stream(plan, stream), "cufftSetStream");

    void *data = x->dl_tensor.data;
    succeed(fft.execute(plan, data, data, FORWARD), "cufftExecC2C");
    must(spectrum_lowpass(gpu, stream, ufc_array(&x->dl_tensor), ufc_array(&f->dl_tensor),
                          ufc_float(WIDTH), ufc_into(&x->dl_tensor), &err));
    succeed(fft.execute(plan, data, data, INVERSE), "cufftExecC2C");

    must(ufc_to_host(gpu, stream, &x->dl_tensor, &filtered, &err));
    const float(*y)[2] = filtered->dl_tensor.data;
    double low = exp(-0.5 * LOW * LOW / WIDTH / WIDTH);
    double high = exp(-0.5 * HIGH * HIGH / WIDTH / WIDTH), most = 0;
    for (int i = 0; i < N; i++) {
        double wanted = low * cos(turn * LOW * i / N) + high * cos(turn * HIGH * i / N);
        double difference = fabs((double)y[i][0] / N - wanted); /* cuFFT does not divide by N */
        most = difference > most ? difference : most;
    }
    printf("%d points, filtered on the GPU: %s\n", N,
           most < 1e-5 ? "as computed by hand" : "wrong");
    fft.destroy(plan);
    ufc_free(x);
    ufc_free(f);
    ufc_free(filtered);
    ufc_stream_free(gpu, stream);
    ufc_context_free(gpu);
    return most >= 1e-5;
}
