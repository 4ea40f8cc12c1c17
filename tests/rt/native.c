/* native.c: what is built for the level of a processor alone tells so where that is less. */
#include <stdlib.h>
#include <string.h>

#include "../test.h"
#include "allocations.h"
#include "image_abi.h"

int main(void) {
    ufc_context *ctx;
    ufc_error err;
    double x[2] = {1, 2}, y[2] = {0, 0};
    DLTensor a = ufc_host_array(x, ufc_dltype(UFC_FLOAT64), 1, (int64_t[]){2}),
             r = ufc_host_array(y, ufc_dltype(UFC_FLOAT64), 1, (int64_t[]){2});
    ufc_arg in[] = {ufc_array(&a), ufc_float(2)};
    ufc_out out[] = {ufc_into(&r)};
    ufc_ufunc plus = allocations_plus_ufunc;
    struct ufc_overload all[8];
    setenv("UFC_LEVEL", "v2", 1);
    REQUIRE(plus.noverloads <= sizeof all / sizeof *all);
    for (size_t i = 0; i < plus.noverloads; i++) {
        all[i] = plus.overloads[i];
        for (int level = 0; level < LEVEL_COUNT; level++)
            if (all[i].host[level])
                all[i].host[LEVEL_V4] = all[i].host[level];
        all[i].host[LEVEL_V2] = all[i].host[LEVEL_V3] = NULL;
    }
    plus.overloads = all;
    REQUIRE(ufc_context_new(&ctx, "cpu", 0, &err) == UFC_OK);
    CHECK(ufc_call(ctx, NULL, &plus, in, out, &err) == UFC_EDEVICE);
    CHECK(strstr(err.message, "from x86-64-v4 on, which this one is not: build without --native"));
    CHECK(y[0] == 0 && y[1] == 0);
    ufc_context_free(ctx);
    return test_failures > 0;
}
