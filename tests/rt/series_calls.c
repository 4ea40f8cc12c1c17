/* series_calls.c: blocks that add up the series of several calls each, with the bits that the host
 * gives: whatever the last block's calls are, along rows and across them. */
#include <string.h>

#include "../test.h"
#include "image_abi.h"
#include "series_calls.h"

enum { MOST = 1 << 21 };

static ufc_context *host, *sim;
static float x[MOST];
static ufc_error err;

struct call {
    const ufc_ufunc *ufunc;
    int64_t loop, core[3]; /* calls, and the input's core dimensions; a 0 ends them */
    bool across;           /* neighbouring calls' elements are neighbours */
    ufc_type result;
    int nresults[2]; /* of dimensions of each output, the loop's and core's first ones */
};

/* Calls by both; the simulator by blocks of SERIES of fewer than the rows that add up. */
static void compare(const struct call *c) {
    static unsigned char out[2][2][sizeof x];
    int64_t shape[4] = {c->loop}, strides[4] = {0}, rows = c->loop > 1 ? c->loop : c->core[0];
    int n = 1, first = c->loop > 1 ? 0 : 1;
    while (n < 4 && c->core[n - 1] > 0) {
        shape[n] = c->core[n - 1];
        n++;
    }
    int64_t stride = c->across ? shape[first] : 1;
    for (int i = n - 1; i >= 0; i--) {
        strides[i] = stride;
        stride *= shape[i];
    }
    if (c->across)
        strides[first] = 1;
    DLTensor given = ufc_host_array(x, ufc_dltype(UFC_FLOAT32), n, shape), to[2];
    given.strides = strides;
    ufc_arg arg = ufc_array(&given);
    ufc_plan_description d;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 2; i++) {
            memset(out[k][i], 0, sizeof out[k][i]);
            to[i] = ufc_host_array(out[k][i], ufc_dltype(c->result), c->nresults[i], shape);
        }
        ufc_out outs[] = {ufc_into(&to[0]), ufc_into(&to[1])};
        CHECK(ufc_call(k ? sim : host, NULL, c->ufunc, &arg, outs, &err) == UFC_OK);
        CHECK(ufc_explain(sim, NULL, c->ufunc, &arg, outs, NULL, &d, &err) == UFC_OK);
    }
    bool wrong = memcmp(out[0], out[1], sizeof out[0]) != 0;
    if (wrong || strcmp(d.kernel, "series") != 0 || d.blocks >= rows) {
        printf("%s, %d calls, %d: %s, %u blocks of %u threads%s\n", c->ufunc->name, (int)c->loop,
               (int)c->core[0], d.kernel, d.blocks, d.threads, wrong ? ", wrong" : "");
        test_failures++;
    }
}

int main(void) {
    const ufc_ufunc *variance = &series_calls_variance_ufunc,
                    *several = &series_calls_several_ufunc, *rows = &series_calls_rows_ufunc,
                    *look = &series_calls_look_ufunc, *centred = &series_calls_centred_ufunc,
                    *inner = &series_calls_inner_ufunc, *weights = &series_calls_weights_ufunc;
    const struct call calls[] = {
        {variance, 701, {600}, false, UFC_FLOAT64, {1, 1}},
        {variance, 701, {600}, true, UFC_FLOAT64, {1, 1}},
        {several, 701, {601}, false, UFC_FLOAT32, {1, 1}},
        {several, 2003, {77}, true, UFC_FLOAT32, {1, 1}},
        {rows, 701, {600}, false, UFC_FLOAT32, {2, 1}},
        {rows, 1999, {333}, true, UFC_FLOAT32, {2, 1}},
        {look, 701, {601}, false, UFC_FLOAT32, {1, 1}},
        {centred, 701, {600}, false, UFC_FLOAT32, {2, 1}},
        {inner, 2701, {4, 150}, false, UFC_FLOAT32, {1, 1}},
        {weights, 1, {4001, 61, 5}, false, UFC_FLOAT32, {2, 3}},
        {weights, 1, {4001, 61, 5}, true, UFC_FLOAT32, {2, 3}},
    };
    for (unsigned i = 0; i < MOST; i++) {
        unsigned u = i * 2654435761u;
        x[i] = (float)((double)(int)(u ^ u >> 15) / 2147483648.0);
    }
    CHECK(ufc_context_new(&host, "cpu", 1, &err) == UFC_OK);
    CHECK(ufc_context_new(&sim, "sim", 1, &err) == UFC_OK);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        compare(&calls[i]);
    ufc_context_free(host);
    ufc_context_free(sim);
    return test_failures > 0;
}
