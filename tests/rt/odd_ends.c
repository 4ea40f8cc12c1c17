/* odd_ends.c: kernels that exchange words reach beyond the end of an array of an odd number of
 * shorter elements, in the simulator too, whose memory a sanitizer watches. */
#include <stdlib.h>
#include "../test.h"
#include "odd_ends.h"
#include "ufc.h"

enum { N = 5000, BINS = 5 };

int main(void) {
    static int64_t k[N], n[] = {N}, m[] = {BINS};
    static uint16_t x[N];
    static const char *const devices[] = {"cpu", "sim"};
    uint16_t *y = malloc(BINS * sizeof *y);
    uint8_t *z = malloc(BINS), product[BINS] = {1, 1, 1, 1, 1};
    ufc_error err;
    REQUIRE(y && z);
    for (int i = 0; i < N; i++) {
        k[i] = i;
        x[i] = (uint16_t)i;
        product[i % BINS] = (uint8_t)(product[i % BINS] * (i | 1));
    }
    DLTensor a = ufc_host_array(k, ufc_dltype(UFC_INT64), 1, n),
             b = ufc_host_array(x, ufc_dltype(UFC_UINT16), 1, n),
             c = ufc_host_array(y, ufc_dltype(UFC_UINT16), 1, m),
             d = ufc_host_array(z, ufc_dltype(UFC_UINT8), 1, m);
    for (int i = 0; i < 2; i++) {
        ufc_context *ctx;
        REQUIRE(ufc_context_new(&ctx, devices[i], 2, &err) == UFC_OK);
        CHECK(odd_ends_greatest(ctx, NULL, ufc_array(&a), ufc_array(&b), ufc_into(&c), ufc_into(&d),
                                &err) == UFC_OK);
        for (int bin = 0; bin < BINS; bin++)
            CHECK(y[bin] == N - BINS + bin && z[bin] == product[bin]);
        ufc_context_free(ctx);
    }
    free(y);
    free(z);
    return test_failures > 0;
}
