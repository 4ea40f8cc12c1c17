/* winner_sums.c: where sums decide which iteration an element is of, each element is one's in the
 * other version of a gufunc, too: of phases that group sums in their own ways none would be. */
#include <math.h>

#include "../test.h"
#include "image_abi.h"
#include "winner_sums.h"

enum { N = 20000, L = 64, M = 9000 }; /* keys of all elements fit shared memory, numbers do not */

static float a[N * L], z[M], y[M];
static int64_t k[N], at[M];
static bool met[M];

int main(void) {
    const ufc_ufunc *f = winner_sums_near_ufunc.overloads[0].other;
    ufc_context *sim;
    ufc_error err;
    int lost = 0;
    REQUIRE(ufc_context_new(&sim, "sim", 0, &err) == UFC_OK);
    for (int i = 0; i < N * L; i++)
        a[i] = (float)rand() / (float)RAND_MAX;
    for (int i = 0; i < N; i++) {
        k[i] = rand() % M;
        met[k[i]] = true;
    }
    for (int j = 0; j < M; j++)
        z[j] = INFINITY;
    DLTensor in[] = {ufc_host_array(a, ufc_dltype(UFC_FLOAT32), 2, (int64_t[]){N, L}),
                     ufc_host_array(k, ufc_dltype(UFC_INT64), 1, (int64_t[]){N}),
                     ufc_host_array(z, ufc_dltype(UFC_FLOAT32), 1, (int64_t[]){M})};
    DLTensor to[] = {ufc_host_array(y, ufc_dltype(UFC_FLOAT32), 1, (int64_t[]){M}),
                     ufc_host_array(at, ufc_dltype(UFC_INT64), 1, (int64_t[]){M})};
    ufc_arg arg[] = {ufc_array(&in[0]), ufc_array(&in[1]), ufc_array(&in[2])};
    ufc_out results[] = {ufc_into(&to[0]), ufc_into(&to[1])};
    CHECK(ufc_call(sim, NULL, f != NULL ? f : &winner_sums_near_ufunc, arg, results, &err) ==
          UFC_OK);
    for (int j = 0; j < M; j++)
        lost += met[j] != (at[j] >= 0);
    CHECK(lost == 0);
    ufc_context_free(sim);
    return test_failures > 0;
}
