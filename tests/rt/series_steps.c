/* series_steps.c: what the lanes of a warp add up in steps that blocks share has the bits that the
 * host gives, whether points are few or many beside these. */
#include <string.h>

#include "../test.h"
#include "series_steps.h"

enum { MOST = 4096, ELEMENTS = 1 << 19 };

static ufc_context *host, *sim;
static union {
    float narrow[ELEMENTS];
    double wide[ELEMENTS];
} x;
static unsigned char out[2][3][8 * MOST];
static ufc_error err;

static void fill(bool wide) {
    for (unsigned i = 0; i < ELEMENTS; i++) {
        unsigned u = i * 2654435761u;
        double v = i % 89 == 0 ? -0.0 : (double)(int)(u ^ u >> 15) / 2147483648.0;
        if (wide)
            x.wide[i] = v;
        else
            x.narrow[i] = (float)v;
    }
}

/* Calls f by both: a matrix and a row of it become results of these types, with `sizes`.  blocks:
 * of NEST; 0: another kernel has blocks that share the call's steps; -1: any kernel. */
static void compare(const ufc_ufunc *f, ufc_type type, const ufc_type *result, int64_t *sizes,
                    int64_t m, int64_t n, int64_t blocks) {
    int64_t shape[] = {m, n};
    DLTensor a = ufc_host_array(&x, ufc_dltype(type), 2, shape);
    DLTensor b = ufc_host_array(&x, ufc_dltype(type), 1, shape + 1), to[3];
    const ufc_arg args[] = {ufc_array(&a), ufc_array(&b)};
    ufc_description described = ufc_describe(f);
    ufc_out outs[3];
    ufc_plan_description d;
    memset(out, 0, sizeof out);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < described.nout; i++) {
            to[i] = ufc_host_array(out[k][i], ufc_dltype(result[i]), 1, sizes + i);
            outs[i] = ufc_into(&to[i]);
        }
        CHECK(ufc_call(k ? sim : host, NULL, f, args, outs, &err) == UFC_OK);
    }
    CHECK(ufc_explain(sim, NULL, f, args, outs, NULL, &d, &err) == UFC_OK);
    bool shared = strcmp(d.kernel, "block") == 0 || strcmp(d.kernel, "cluster") == 0;
    bool right = blocks < 0    ? true
                 : blocks == 0 ? shared
                               : strcmp(d.kernel, "nest") == 0 && d.blocks == blocks;
    if (memcmp(out[0], out[1], sizeof out[0]) != 0 || !right) {
        printf("%s, %d x %d: %s, %d blocks%s\n", described.name, (int)m, (int)n, d.kernel,
               (int)d.blocks, memcmp(out[0], out[1], sizeof out[0]) != 0 ? ", wrong" : "");
        test_failures++;
    }
}

int main(void) {
    static const int64_t shapes[][2] = {{300, 513}, {2048, 40}, {129, 4001}};
    static const ufc_type floats[] = {UFC_FLOAT32, UFC_FLOAT32};
    static const int64_t warps[] = {150, 256, 129}; /* blocks of as few warps, a point each, as
                                                        spread over a GPU */
    static const ufc_type of_mixed[] = {UFC_FLOAT32, UFC_FLOAT32, UFC_INT32};
    static const ufc_type doubles[] = {UFC_FLOAT64, UFC_FLOAT64};
    CHECK(ufc_context_new(&host, "cpu", 0, &err) == UFC_OK);
    CHECK(ufc_context_new(&sim, "sim", 0, &err) == UFC_OK);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        int64_t m = shapes[i][0], n = shapes[i][1], rows[] = {m, m, m}, both[] = {m, n},
                columns[] = {n, n};
        fill(false);
        compare(&series_steps_mixed_ufunc, UFC_FLOAT32, of_mixed, rows, m, n, 0);
        compare(&series_steps_rows_ufunc, UFC_FLOAT32, floats, rows, m, n,
                m < 2048 ? -1 : warps[i]);
        fill(true);
        compare(&series_steps_nested_ufunc, UFC_FLOAT64, doubles, rows, m, n, 0);
        compare(&series_steps_between_ufunc, UFC_FLOAT64, doubles, both, m, n, 0);
        compare(&series_steps_phases_ufunc, UFC_FLOAT64, doubles, rows, m, n, warps[i]);
        compare(&series_steps_columns_ufunc, UFC_FLOAT64, doubles, columns, m, n,
                n < 132    ? n
                : n < 2048 ? (n + 1) / 2
                           : (n + 3) / 4);
    }
    ufc_context_free(sim);
    ufc_context_free(host);
    return test_failures != 0;
}
