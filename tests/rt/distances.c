/* distances.c: tiles of distances, whose steps are a loop up to the last one that there is, have
 * what the host computes: of a part of steps and a rest, with results beyond the last row and
 * column. */
#include <string.h>
#include "../test.h"
#include "distances.h"

enum { MAX = 1 << 20 };
static ufc_context *device[2];
static ufc_error err;
static int32_t a[MAX], b[MAX], out[2][MAX];

static void must(ufc_status status) {
    if (status != UFC_OK)
        printf("%s\n", err.message);
    REQUIRE(status == UFC_OK);
}

static DLTensor stack(int32_t *data, int64_t *shape) {
    return ufc_host_array(data, ufc_dltype(UFC_INT32), 3, shape);
}

static void check(int64_t calls, int64_t m, int64_t p, int64_t n, const char *kernel) {
    int64_t shapes[3][3] = {{calls, m, n}, {calls, p, n}, {calls, m, p}};
    DLTensor x = stack(a, shapes[0]), y = stack(b, shapes[1]);
    ufc_arg in[] = {ufc_array(&x), ufc_array(&y)};
    REQUIRE(calls * m * p <= MAX);
    for (int k = 0; k < 2; k++) {
        DLTensor z = stack(out[k], shapes[2]);
        ufc_out to = ufc_into(&z);
        ufc_plan_description d;
        must(ufc_explain(device[k], NULL, &distances_squares_ufunc, in, &to, NULL, &d, &err));
        REQUIRE(k == 0 || strcmp(d.kernel, kernel) == 0);
        must(ufc_call(device[k], NULL, &distances_squares_ufunc, in, &to, &err));
    }
    REQUIRE(memcmp(out[0], out[1], (size_t)(calls * m * p) * sizeof **out) == 0);
}

int main(void) {
    must(ufc_context_new(&device[0], "cpu", 0, &err));
    must(ufc_context_new(&device[1], "sim", 0, &err));
    for (int i = 0; i < MAX; i++) {
        a[i] = i % 1009;
        b[i] = i % 499;
    }
    check(60, 60, 64, 20, "tile 32");
    check(1, 1000, 1030, 33, "tile 64");
    check(1, 1024, 1000, 20, "tile 128");
    for (int k = 0; k < 2; k++)
        ufc_context_free(device[k]);
    return test_failures != 0;
}
