/* streams.c: two kernels on two streams of the GPU, if there is one; the second waits for the first
 * half of the first one's work by an event, not for all of it.
 * ufc build elementwise.uf && cc streams.c elementwise.o -lufc -lm && ./a.out */
#include <stdio.h>
#include <stdlib.h>
#include "elementwise.h"

enum { N = 1000000 };

static ufc_error err;

static void must(ufc_status status) {
    if (status != UFC_OK) {
        fprintf(stderr, "streams: %s\n", err.message);
        exit(1);
    }
}

int main(void) {
    static double x[N], y[N];
    static int64_t shape[] = {N};
    for (int i = 0; i < N; i++) {
        x[i] = 1e-6 * i;
        y[i] = 1 + 1e-3 * i;
    }
    DLTensor hx = ufc_host_array(x, ufc_dltype(UFC_FLOAT64), 1, shape), hy = hx;
    hy.data = y;

    void *first, *second;
    ufc_event *sync_point;
    DLManagedTensorVersioned *dx, *dy, *one, *two, *difference, *result;
    must(ufc_stream_new(&first, NULL, &err));
    must(ufc_stream_new(&second, NULL, &err));
    must(ufc_event_new(&sync_point, NULL, &err));
    must(ufc_to_device(NULL, NULL, &hx, &dx, &err));
    must(ufc_to_device(NULL, NULL, &hy, &dy, &err));
    must(ufc_empty_like(NULL, &hx, UFC_DEVICE, &one, &err));
    must(ufc_empty_like(NULL, &hx, UFC_DEVICE, &two, &err));
    must(ufc_empty_like(NULL, &hx, UFC_DEVICE, &difference, &err));
    ufc_arg ax = ufc_array(&dx->dl_tensor), ay = ufc_array(&dy->dl_tensor);

    must(elementwise_elementwise_computation(NULL, first, ax, ax, ay, ufc_into(&one->dl_tensor),
                                             &err));
    must(ufc_event_record(sync_point, first, &err));
    must(elementwise_elementwise_computation(NULL, first, ay, ay, ay, ufc_into(&two->dl_tensor),
                                             &err));

    must(ufc_event_wait(sync_point, second, &err));
    must(elementwise_squared_diff(NULL, second, ufc_array(&one->dl_tensor), ax,
                                  ufc_into(&difference->dl_tensor), &err));
    must(ufc_to_host(NULL, second, &difference->dl_tensor, &result, &err));
    const double *r = result->dl_tensor.data;
    printf("%.6f %.6f ... %.6f\n", r[0], r[1], r[N - 1]);

    DLManagedTensorVersioned *arrays[] = {dx, dy, one, two, difference, result};
    for (int i = 0; i < 6; i++)
        ufc_free(arrays[i]);
    ufc_event_free(sync_point);
    ufc_stream_free(NULL, second);
    ufc_stream_free(NULL, first);
    return 0;
}
