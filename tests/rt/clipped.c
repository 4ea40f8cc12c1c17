/* clipped.c: ordered loops that NEST begins and ends where the conditions around their work hold
 * give what the host gives, to the bit, whatever the sizes are. */
#include <string.h>

#include "../test.h"
#include "clipped.h"

enum { MOST = 1 << 20 };

static ufc_context *host, *sim;
static ufc_error err;
static float data[2][MOST], results[2][2][MOST];

static DLTensor array(void *first, int ndim, int64_t *shape) {
    return ufc_host_array(first, ufc_dltype(UFC_FLOAT32), ndim, shape);
}

static void compare(const ufc_ufunc *f, const ufc_arg *args, const DLTensor *out, int nout) {
    memset(results, 0, sizeof results);
    for (int k = 0; k < 2; k++) {
        DLTensor arrays[2];
        ufc_out to[2];
        for (int i = 0; i < nout; i++) {
            arrays[i] = *out;
            arrays[i].data = results[k][i];
            to[i] = ufc_into(&arrays[i]);
        }
        CHECK(ufc_call(k == 0 ? host : sim, NULL, f, args, to, &err) == UFC_OK);
    }
    CHECK(memcmp(results[0], results[1], sizeof results[0]) == 0);
}

/* Rows of n elements, and k taps. */
static void taps(int64_t calls, int64_t n, int64_t k) {
    int64_t x[] = {calls, n}, up[] = {calls, n + n / 2};
    DLTensor in[] = {array(data[0], 2, x), array(data[1], 1, &k)};
    ufc_arg args[] = {ufc_array(&in[0]), ufc_array(&in[1])};
    DLTensor out[] = {array(NULL, 2, up), array(NULL, 2, x)};
    compare(&clipped_up_ufunc, args, &out[0], 1);
    compare(&clipped_mixed_ufunc, args, &out[1], 1);
}

static void late(int64_t n, int64_t m) {
    int64_t x[] = {n, m};
    DLTensor in = array(data[0], 2, x), out = array(NULL, 2, x);
    ufc_arg args[] = {ufc_array(&in)};
    compare(&clipped_late_ufunc, args, &out, 2);
}

static void nested(int64_t c, int64_t l, int64_t o, int64_t k) {
    int64_t x[] = {c, l}, w[] = {o, c, k}, y[] = {o, l};
    DLTensor in[] = {array(data[0], 2, x), array(data[1], 3, w)}, out = array(NULL, 2, y);
    ufc_arg args[] = {ufc_array(&in[0]), ufc_array(&in[1])};
    compare(&clipped_nested_ufunc, args, &out, 1);
}

int main(void) {
    static const int64_t sizes[] = {1, 2, 3, 5, 8, 31, 1000};
    REQUIRE(ufc_context_new(&host, "cpu", 1, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 0, &err) == UFC_OK);
    for (int i = 0; i < MOST; i++)
        for (int k = 0; k < 2; k++)
            data[k][i] = (float)((int)((unsigned)(i + k * 7) * 2654435761u >> 20) - 2000) / 64;
    for (int i = 0; i < 7; i++)
        for (int64_t k = 0; k < 13; k += 1 + i / 3) {
            taps(3, sizes[i], k);
            nested(2, sizes[i], 3, k);
            late(sizes[i] / 4 + 1, k);
            late(k, sizes[i] / 3);
        }
    taps(1, 100003, 40);
    nested(3, 16001, 23, 6);
    ufc_context_free(host);
    ufc_context_free(sim);
    return test_failures != 0;
}
