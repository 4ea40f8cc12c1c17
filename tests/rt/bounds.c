/* bounds.c: points in lanes read the bounds of their loops from arrays of any strides. */
#include "../test.h"
#include "bounds.h"

enum { MOST = 70, APART = 3 };

static int64_t p[MOST * APART], x[MOST];

/* The sums of m - 1 rows, or of m first elements, p's elements `apart` elements apart. */
static void compare(ufc_context *ctx, int64_t m, int64_t apart) {
    int64_t shape[] = {m}, all[] = {MOST}, stride[] = {apart}, total = 0, sum, got[MOST];
    const int64_t *first = apart < 0 ? p + (m - 1) * -apart : p;
    ufc_error err;
    for (int64_t i = 0; i < m * APART; i++)
        p[i] = -1000000; /* which no bound may be */
    for (int64_t i = 0; i < m; i++)
        p[first - p + i * apart] = i * i / MOST;
    DLTensor bounds = ufc_host_array((void *)(uintptr_t)first, ufc_dltype(UFC_INT64), 1, shape),
             values = ufc_host_array(x, ufc_dltype(UFC_INT64), 1, all),
             one = ufc_host_array(&sum, ufc_dltype(UFC_INT64), 0, NULL),
             each = ufc_host_array(got, ufc_dltype(UFC_INT64), 1, shape);
    bounds.strides = stride;
    ufc_arg in[] = {ufc_array(&bounds), ufc_array(&values)};
    ufc_out rows = ufc_into(&one), firsts = ufc_into(&each);
    CHECK(ufc_call(ctx, NULL, &bounds_ragged_ufunc, in, &rows, &err) == UFC_OK);
    CHECK(ufc_call(ctx, NULL, &bounds_within_ufunc, in, &firsts, &err) == UFC_OK);
    for (int64_t i = 0; i < m; i++) {
        int64_t begun = 0;
        for (int64_t e = 0; e < first[i * apart]; e++)
            begun += x[e];
        for (int64_t e = first[i * apart]; i + 1 < m && e < first[(i + 1) * apart]; e++)
            total += x[e] * (i + 1);
        CHECK(got[i] == begun);
    }
    CHECK(sum == total);
}

int main(void) {
    static const char *const device[] = {"cpu", "sim"};
    for (int64_t i = 0; i < MOST; i++)
        x[i] = i * 7919 % 101;
    for (int k = 0; k < 2; k++) {
        ufc_context *ctx;
        REQUIRE(ufc_context_new(&ctx, device[k], 1, NULL) == UFC_OK);
        for (int64_t m = 1; m <= MOST; m += m < 9 ? 1 : 7)
            for (int64_t apart = -APART; apart <= APART; apart++)
                if (apart != 0)
                    compare(ctx, m, apart);
        ufc_context_free(ctx);
    }
    return test_failures > 0;
}
