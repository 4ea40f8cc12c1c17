/* dense.c: DENSE, whose warps copy matrices of 64 to 128 bytes, or of an odd number of words, by
 * way of shared memory where those of neighbouring calls are neighbours: results are the host's, in
 * any layout. */
#include <string.h>
#include "../test.h"
#include "dense.h"

enum { CALLS = 4096 + 37, PITCH = 20 };

static _Alignas(16) char in[2][CALLS * PITCH * 8], out[2][2][CALLS * PITCH * 8];
static ufc_context *sim, *host;
static ufc_error err;

struct layout {
    int64_t calls, side, pitch; /* elements from call to call */
    bool turned, shared; /* matrices are in Fortran's order; the second one is one for all calls */
};

static DLTensor matrix(char *data, ufc_type type, const struct layout *l, int64_t *shape,
                       int64_t *strides, bool shared) {
    shape[0] = l->calls;
    shape[1] = shape[2] = l->side;
    strides[0] = shared ? 0 : l->pitch;
    strides[1] = l->turned ? 1 : l->side;
    strides[2] = l->turned ? l->side : 1;
    DLTensor t = ufc_host_array(data, ufc_dltype(type), 3, shape);
    t.strides = strides;
    return t;
}

static void compute(ufc_context *ctx, const ufc_ufunc *f, ufc_type type, const struct layout *l,
                    char (*to)[CALLS * PITCH * 8]) {
    int64_t shape[4][3], strides[4][3];
    DLTensor t[4];
    for (int k = 0; k < 4; k++)
        t[k] =
            matrix(k < 2 ? in[k] : to[k - 2], type, l, shape[k], strides[k], k == 1 && l->shared);
    memset(to, 0xa5, 2 * sizeof *to);
    ufc_arg args[] = {ufc_array(&t[0]), ufc_array(&t[1])};
    ufc_out outs[] = {{.array = &t[2]}, {.array = &t[3]}};
    if (ctx == sim) {
        ufc_plan_description d;
        REQUIRE(ufc_explain(ctx, NULL, f, args, outs, NULL, &d, &err) == UFC_OK);
        CHECK(strncmp(d.kernel, "dense", 5) == 0 && d.temporaries == 0);
    }
    REQUIRE(ufc_call(ctx, NULL, f, args, outs, &err) == UFC_OK);
}

static void check(const ufc_ufunc *f, ufc_type type, const struct layout *l) {
    for (int i = 0; i < 2 * CALLS * PITCH; i++) {
        double v = (i % 5 == 0 ? 9 : 1) + i * 7919 % 101 / 128.;
        char *at = in[i % 2];
        if (type == UFC_FLOAT32)
            ((float *)at)[i / 2] = (float)v;
        else
            ((double *)at)[i / 2] = v;
    }
    compute(sim, f, type, l, out[0]);
    compute(host, f, type, l, out[1]);
    CHECK(memcmp(out[0], out[1], sizeof out[0]) == 0);
}

int main(void) {
    const struct layout layouts[] = {
        {CALLS, 4, 16, false, false}, {CALLS, 4, 16, true, false}, {CALLS, 4, PITCH, false, false},
        {4096, 4, 16, false, true},   {CALLS, 3, 9, false, false}, {CALLS, 3, 9, true, false},
        {CALLS, 3, 11, false, false}, {4096, 3, 9, false, true},
    };
    REQUIRE(ufc_context_new(&sim, "sim", 0, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&host, "cpu", 1, &err) == UFC_OK);
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        check(&dense_factor_ufunc, UFC_FLOAT64, &layouts[i]);
        check(&dense_factor_ufunc, UFC_FLOAT32, &layouts[i]);
        check(&dense_product_ufunc, UFC_FLOAT64, &layouts[i]);
        check(&dense_between_ufunc, UFC_FLOAT64, &layouts[i]);
    }
    ufc_context_free(sim);
    ufc_context_free(host);
    return test_failures > 0;
}
