/* layer.c: three calls that leave their results where they are, on the GPU if there is one, and the
 * same in one call.  The records are called by ufc_call.
 * ufc build layer.uf && cc layer.c layer.o -lufc -lm && ./a.out */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "layer.h"

enum { N = 1000000 };

static ufc_error err;

static void must(ufc_status status) {
    if (status != UFC_OK) {
        fprintf(stderr, "layer: %s\n", err.message);
        exit(1);
    }
}

/* A new float32 array of N elements: on the context's device, or on the host. */
static DLManagedTensorVersioned *array(ufc_context *ctx, ufc_place place) {
    DLManagedTensorVersioned *a;
    must(ufc_empty(ctx, UFC_FLOAT32, 1, (const int64_t[]){N}, place, &a, &err));
    return a;
}

int main(void) {
    ufc_context *ctx;
    must(ufc_context_new(&ctx, "auto", 0, &err));
    DLManagedTensorVersioned *host = array(ctx, UFC_HOST), *x = array(ctx, UFC_DEVICE),
                             *w = array(ctx, UFC_DEVICE), *fused = array(ctx, UFC_DEVICE);

    float *h = host->dl_tensor.data;
    for (int i = 0; i < N; i++)
        h[i] = (float)(i % 256);
    must(ufc_copy(ctx, NULL, &host->dl_tensor, &x->dl_tensor, &err));
    for (int i = 0; i < N; i++)
        h[i] = (float)(i % 1000) / 1000;
    must(ufc_copy(ctx, NULL, &host->dl_tensor, &w->dl_tensor, &err));

    ufc_arg in[] = {ufc_array(&x->dl_tensor), ufc_array(&w->dl_tensor)};
    must(ufc_call(ctx, NULL, &layer_layer_ufunc, in, (ufc_out[]){ufc_into(&fused->dl_tensor)},
                  &err));

    /* In place: x is input and output of each step. */
    const ufc_ufunc *steps[] = {&layer_gpu_normalize_ufunc, &layer_gpu_weigh_ufunc,
                                &layer_gpu_activate_ufunc};
    for (int i = 0; i < 3; i++)
        must(ufc_call(ctx, NULL, steps[i], in, (ufc_out[]){ufc_into(&x->dl_tensor)}, &err));

    float *one = malloc(N * sizeof *one), worst = 0;
    if (!one)
        return 1;
    must(ufc_copy(ctx, NULL, &fused->dl_tensor, &host->dl_tensor, &err));
    for (int i = 0; i < N; i++)
        one[i] = h[i];
    must(ufc_copy(ctx, NULL, &x->dl_tensor, &host->dl_tensor, &err));
    for (int i = 0; i < N; i++)
        worst = fmaxf(worst, fabsf(one[i] - h[i]));
    printf("%.6f %.6f ... %.6f; three calls and one differ by %g\n", (double)one[0], (double)one[1],
           (double)one[N - 1], (double)worst);

    free(one);
    ufc_free(host);
    ufc_free(x);
    ufc_free(w);
    ufc_free(fused);
    ufc_context_free(ctx);
    return worst > 1e-6f;
}
