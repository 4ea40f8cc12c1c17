/* lone_windows.c: LONE copies arrays of calls that overlap, as windows of a row that begin at each
 * of its elements, or at some, in either direction, or are the same for all calls. */
#include <string.h>

#include "../test.h"
#include "lone_windows.h"

enum { CALLS = 99, WINDOW = 12, APART = 13, SPAN = CALLS * APART + WINDOW };

static ufc_context *host, *sim;
static ufc_error err;
static unsigned char bytes[SPAN];
static int32_t words[SPAN], out[2][CALLS * WINDOW];

/* Sorts windows whose first elements are `apart` elements apart. */
static void compare(ufc_type type, void *first, int64_t apart) {
    int64_t shape[] = {CALLS, WINDOW}, strides[] = {apart, 1};
    DLTensor x = ufc_host_array(first, ufc_dltype(type), 2, shape), y;
    const ufc_arg args[] = {ufc_array(&x)};
    ufc_plan_description d;
    x.strides = strides;
    memset(out, 0, sizeof out);
    for (int k = 0; k < 2; k++) {
        y = ufc_host_array(out[k], ufc_dltype(type), 2, shape);
        const ufc_out to = ufc_into(&y);
        CHECK(ufc_call(k ? sim : host, NULL, &lone_windows_sorted_ufunc, args, &to, &err) ==
              UFC_OK);
        CHECK(ufc_explain(sim, NULL, &lone_windows_sorted_ufunc, args, &to, NULL, &d, &err) ==
              UFC_OK);
    }
    if (memcmp(out[0], out[1], sizeof out[0]) != 0 || strcmp(d.kernel, "lone") != 0) {
        printf("%d apart, type %d: %s\n", (int)apart, (int)type, d.kernel);
        test_failures++;
    }
}

int main(void) {
    CHECK(ufc_context_new(&host, "cpu", 0, &err) == UFC_OK);
    CHECK(ufc_context_new(&sim, "sim", 0, &err) == UFC_OK);
    for (int i = 0; i < SPAN; i++)
        words[i] = bytes[i] = (unsigned char)((unsigned)i * 2654435761u >> 13);
    for (int64_t apart = 0; apart <= APART; apart++) {
        compare(UFC_UINT8, bytes, apart);
        compare(UFC_INT32, words, apart);
        compare(UFC_UINT8, bytes + CALLS * apart, -apart);
        compare(UFC_INT32, words + CALLS * apart, -apart);
    }
    ufc_context_free(sim);
    ufc_context_free(host);
    return test_failures != 0;
}
