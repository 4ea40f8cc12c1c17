/* strips.c: loops that threads share by strips, as long as the distance of iterations that need one
 * another, give what the host gives, bit by bit; and blocks compute them where strips are long. */
#include <string.h>

#include "../test.h"
#include "image_abi.h"
#include "strips.h"

enum { CALLS = 3, MOST = 6000, LONG = 700 };

static ufc_context *host, *sim;
static ufc_error err;
static double x[CALLS * MOST], z[CALLS * LONG], out[2][2][CALLS * MOST * 16];

static void compare(const ufc_ufunc *f, int64_t calls, int64_t n, int64_t d) {
    bool rows = strcmp(f->name, "rows") == 0 || strcmp(f->name, "slanted") == 0,
         two = strcmp(f->name, "two") == 0,
         fixed = strcmp(f->name, "fixed") == 0; /* strips of 20 */
    if (rows && d > 16)
        return;
    ufc_plan_description plan;
    int64_t shape[] = {calls, n, d};
    for (int at = 0; at < 2; at++) {
        DLTensor a = ufc_host_array(x, ufc_dltype(UFC_FLOAT64), 2, (int64_t[]){calls, n}),
                 b = ufc_host_array(z, ufc_dltype(UFC_FLOAT64), 2, (int64_t[]){calls, d}), y[2];
        for (int k = 0; k < 2; k++)
            y[k] = ufc_host_array(out[at][k], ufc_dltype(UFC_FLOAT64), rows ? 3 : 2, shape);
        ufc_arg in[] = {ufc_array(&a), ufc_array(&b)};
        ufc_out to[] = {ufc_into(&y[0]), ufc_into(&y[1])};
        memset(out[at], 0, sizeof out[at]);
        if (ufc_call(at ? sim : host, NULL, f, in, two ? to : (ufc_out[]){to[0]}, &err) != UFC_OK) {
            printf("%s: %s\n", f->name, err.message);
            test_failures++;
            return;
        }
        REQUIRE(at == 0 || ufc_explain(sim, NULL, f, in, two ? to : (ufc_out[]){to[0]}, NULL, &plan,
                                       &err) == UFC_OK);
    }
    bool same = memcmp(out[0], out[1], sizeof out[0]) == 0;
    bool taken = n < MOST || d < LONG || rows || fixed || plan.threads > 64;
    if (!same || !taken) {
        printf("%s, %d calls of %d by %d: %s\n", f->name, (int)calls, (int)n, (int)d,
               same ? "not by strips" : "not what the host gives");
        test_failures++;
    }
}

int main(void) {
    static const ufc_ufunc *const all[] = {&strips_comb_ufunc, &strips_backwards_ufunc,
                                           &strips_two_ufunc,  &strips_fixed_ufunc,
                                           &strips_rows_ufunc, &strips_slanted_ufunc};
    static const int64_t sizes[][3] = {
        {1, MOST, LONG}, {1, 2500, 300}, {CALLS, 900, 64}, {2, 70, 1},        {1, 2000, 5},
        {1, 40, 100},    {1, 0, 3},      {1, 1, 1},        {CALLS, 2000, 16}, {1, 20, 16}};
    REQUIRE(ufc_context_new(&host, "cpu", 0, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 0, &err) == UFC_OK);
    for (int i = 0; i < CALLS * MOST; i++)
        x[i] = (i * 7 % 23 - 11) / 7.0;
    for (int i = 0; i < CALLS * LONG; i++)
        z[i] = i * 11 % 37 / 4.0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            compare(all[i], sizes[k][0], sizes[k][1], sizes[k][2]);
    ufc_context_free(sim);
    ufc_context_free(host);
    return test_failures > 0;
}
