/* converts.c: a function whose result is its input, with arrays of other types than its own: it is
 * converted from array to array, of any strides, to its own memory, and under a mask. */
#include <stdio.h>
#include <string.h>
#include "../test.h"
#include "converts.h"

enum { N = 5000 }; /* elements, more than a buffer of converted ones has */

static ufc_context *ctx;
static double x[2 * N];
static int32_t y[2 * N];
static ufc_error err;

static DLTensor array(void *data, ufc_type t, int64_t *shape, int64_t *stride) {
    DLTensor a = ufc_host_array(data, ufc_dltype(t), 1, shape);
    a.strides = stride;
    return a;
}

static double input(int64_t i) {
    return i % 7 == 0 ? 1e10 : i % 7 == 1 ? -1e10 : (double)i / 4 - 100;
}

static int32_t nearest(double v) {
    return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (int32_t)v;
}

/* Elements that are so many elements apart; with a mask every third one is left as it was. */
static void check_layout(int64_t from, int64_t to, bool masked) {
    static bool mask[N];
    int64_t shape[] = {N};
    for (int64_t i = 0; i < N; i++) {
        x[i * from] = input(i);
        mask[i] = i % 3 != 0;
    }
    memset(y, 1, sizeof y);
    DLTensor in = array(x, UFC_FLOAT64, shape, &from), out = array(y, UFC_INT32, shape, &to);
    DLTensor where = array(mask, UFC_BOOL, shape, NULL);
    ufc_keywords kw = {.casting = UFC_CASTING_UNSAFE, .where = masked ? &where : NULL};
    ufc_arg args[] = {ufc_array(&in)};
    ufc_out outs[] = {ufc_into(&out)};
    REQUIRE(ufc_call_with(ctx, NULL, &converts_same_ufunc, args, outs, &kw, &err) == UFC_OK);
    for (int64_t i = 0; i < N; i++)
        CHECK(y[i * to] == (masked && i % 3 == 0 ? 0x01010101 : nearest(input(i))));
    CHECK(to == 1 || y[1] == 0x01010101);
}

/* The memory of the input, of elements of the same size: each is read before it is written. */
static void check_in_place(void) {
    static union {
        float f[N];
        int32_t i[N];
    } both;
    int64_t shape[] = {N};
    for (int64_t i = 0; i < N; i++)
        both.i[i] = (int32_t)i - 100;
    DLTensor in = array(&both, UFC_INT32, shape, NULL),
             out = array(&both, UFC_FLOAT32, shape, NULL);
    ufc_keywords kw = {.casting = UFC_CASTING_UNSAFE};
    ufc_arg args[] = {ufc_array(&in)};
    ufc_out outs[] = {ufc_into(&out)};
    REQUIRE(ufc_call_with(ctx, NULL, &converts_same_ufunc, args, outs, &kw, &err) == UFC_OK);
    for (int64_t i = 0; i < N; i++)
        CHECK(both.f[i] == (float)(i - 100));
}

/* Neither array is of the overload's type: what is between them counts. */
static void check_two_conversions(void) {
    double in[] = {300.5, -1.5, 7};
    float out[3];
    int64_t shape[] = {3};
    DLTensor from = array(in, UFC_FLOAT64, shape, NULL), to = array(out, UFC_FLOAT32, shape, NULL);
    ufc_keywords kw = {.casting = UFC_CASTING_UNSAFE, .dtype = ufc_dltype(UFC_INT8)};
    ufc_arg args[] = {ufc_array(&from)};
    ufc_out outs[] = {ufc_into(&to)};
    REQUIRE(ufc_call_with(ctx, NULL, &converts_same_ufunc, args, outs, &kw, &err) == UFC_OK);
    CHECK(out[0] == 127 && out[1] == -1 && out[2] == 7);
}

int main(void) {
    REQUIRE(ufc_context_new(&ctx, "cpu", 1, &err) == UFC_OK);
    for (int64_t from = 1; from <= 2; from++)
        for (int64_t to = 1; to <= 2; to++) {
            check_layout(from, to, false);
            check_layout(from, to, true);
        }
    check_in_place();
    check_two_conversions();
    ufc_context_free(ctx);
    return test_failures > 0;
}
