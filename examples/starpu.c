/* starpu.c: a compiled function as a codelet of StarPU, which shares the parts of an array among
 * cores and GPUs and copies them where they are computed.  On a core ufc computes in that thread,
 * on a GPU on StarPU's stream of it, without waiting. ufc build gaussian.uf && cc starpu.c
 * gaussian.o -lufc $(pkg-config --cflags --libs starpu-1.3) -lm The parts have the bits of a single
 * call. */
#include <starpu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gaussian.h"

enum { N = 1000000, PARTS = 16 };

static ufc_context *core; /* StarPU's workers have a core each, so that a call takes one thread */

static void must(ufc_status status, const ufc_error *err) {
    if (status != UFC_OK) {
        fprintf(stderr, "starpu: %s\n", err->message);
        exit(1);
    }
}

/* A part of a vector as an array on a device. */
static DLTensor part(void *vector, DLDevice device, int64_t *n) {
    *n = STARPU_VECTOR_GET_NX(vector);
    DLTensor t =
        ufc_host_array((void *)STARPU_VECTOR_GET_PTR(vector), ufc_dltype(UFC_FLOAT32), 1, n);
    t.device = device;
    return t;
}

static void density(void *buffers[], const float *normal, ufc_context *ctx, void *stream,
                    DLDevice device) {
    ufc_error err;
    int64_t n;
    DLTensor x = part(buffers[0], device, &n), y = part(buffers[1], device, &n);
    must(gaussian_gaussian_pdf(ctx, stream, ufc_array(&x), ufc_float(normal[0]),
                               ufc_float(normal[1]), ufc_into(&y), &err),
         &err);
}

static void on_core(void *buffers[], void *normal) {
    density(buffers, normal, core, NULL, (DLDevice){kDLCPU, 0});
}

#ifdef STARPU_USE_CUDA
static void on_gpu(void *buffers[], void *normal) {
    DLDevice gpu = {kDLCUDA, starpu_worker_get_devid(starpu_worker_get_id_check())};
    density(buffers, normal, NULL, starpu_cuda_get_local_stream(), gpu);
}
#endif

static struct starpu_codelet codelet = {
    .name = "gaussian_pdf",
    .cpu_funcs = {on_core},
#ifdef STARPU_USE_CUDA
    .cuda_funcs = {on_gpu},
    .cuda_flags = {STARPU_CUDA_ASYNC},
#endif
    .nbuffers = 2,
    .modes = {STARPU_R, STARPU_W},
};

/* Computes the parts of x as tasks of their own. */
static int submit(starpu_data_handle_t x, starpu_data_handle_t y) {
    static float normal[] = {0.5F, 2};
    int failed = 0;
    for (int i = 0; i < PARTS && !failed; i++)
        failed = starpu_task_insert(&codelet, STARPU_R, starpu_data_get_sub_data(x, 1, i), STARPU_W,
                                    starpu_data_get_sub_data(y, 1, i), STARPU_CL_ARGS_NFREE, normal,
                                    sizeof normal, 0);
    return failed;
}

int main(void) {
    static float x[N], y[N], whole[N];
    struct starpu_data_filter cut = {.filter_func = starpu_vector_filter_block, .nchildren = PARTS};
    starpu_data_handle_t in, out;
    ufc_error err;
    for (int i = 0; i < N; i++)
        x[i] = (float)i / N;
    must(ufc_context_new(&core, "cpu", 1, &err), &err);
    if (starpu_init(NULL) != 0) {
        fprintf(stderr, "starpu: StarPU does not start\n");
        return 1;
    }
    starpu_vector_data_register(&in, STARPU_MAIN_RAM, (uintptr_t)x, N, sizeof *x);
    starpu_vector_data_register(&out, STARPU_MAIN_RAM, (uintptr_t)y, N, sizeof *y);
    starpu_data_partition(in, &cut);
    starpu_data_partition(out, &cut);
    int failed = submit(in, out);
    starpu_task_wait_for_all();
    starpu_data_unpartition(in, STARPU_MAIN_RAM);
    starpu_data_unpartition(out, STARPU_MAIN_RAM);
    starpu_data_unregister(in);
    starpu_data_unregister(out);
    bool several = starpu_worker_get_count() > 1;
    starpu_shutdown();

    void *buffers[] = {
        &(struct starpu_vector_interface){.ptr = (uintptr_t)x, .nx = N, .elemsize = sizeof *x},
        &(struct starpu_vector_interface){.ptr = (uintptr_t)whole, .nx = N, .elemsize = sizeof *x}};
    on_core(buffers, (float[]){0.5F, 2});
    ufc_context_free(core);
    bool same = memcmp(y, whole, sizeof y) == 0;
    printf("%d parts by %s: the bits %s\n", PARTS, several ? "several workers" : "one worker",
           same ? "of a single call" : "differ from a single call's");
    return failed != 0 || !same;
}
