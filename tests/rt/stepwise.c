/* stepwise.c: steps that are launched one after the other, of calls that are made again: as many
 * launches as are kept, more, and none. */
#include <string.h>

#include "../test.h"
#include "stepwise.h"

enum { ENTRIES = 2003, BINS = 23, MOST = 100, TIMES = 2 };

static ufc_context *host, *sim;
static ufc_error err;
static int32_t keys[ENTRIES];
static int64_t begin[BINS], sizes[MOST];

static void steps(int64_t q) {
    int64_t n = ENTRIES, m = BINS, result[2][BINS];
    DLTensor k = ufc_host_array(keys, ufc_dltype(UFC_INT32), 1, &n),
             z = ufc_host_array(begin, ufc_dltype(UFC_INT64), 1, &m),
             s = ufc_host_array(sizes, ufc_dltype(UFC_INT64), 1, &q);
    ufc_arg args[] = {ufc_array(&k), ufc_array(&z), ufc_array(&s)};
    for (int times = 0; times < TIMES; times++) {
        begin[times] = 7 * times + 1;
        keys[times] += times;
        memset(result, 0, sizeof result);
        for (int i = 0; i < 2; i++) {
            DLTensor x = ufc_host_array(result[i], ufc_dltype(UFC_INT64), 1, &m);
            ufc_out to[] = {ufc_into(&x)};
            CHECK(ufc_call(i == 0 ? host : sim, NULL, &stepwise_stepwise_ufunc, args, to, &err) ==
                  UFC_OK);
        }
        CHECK(memcmp(result[0], result[1], sizeof result[0]) == 0);
    }
}

int main(void) {
    REQUIRE(ufc_context_new(&host, "cpu", 1, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 0, &err) == UFC_OK);
    for (int i = 0; i < ENTRIES; i++)
        keys[i] = i * 7919 % 1009;
    steps(1);
    steps(2);
    steps(20);
    steps(0);
    ufc_context_free(host);
    ufc_context_free(sim);
    return test_failures != 0;
}
