/* strips.c: scans of neighbouring calls whose elements lie across memory give what the host gives,
 * of whole numbers, with any numbers of calls and of elements. */
#include <string.h>

#include "../test.h"
#include "image_abi.h"
#include "strips.h"

enum { MOST = 1 << 18 };

static ufc_context *host, *sim;
static _Alignas(16) unsigned char data[8 * MOST], out[2][2][8 * MOST];
static ufc_error err;

static void fill(ufc_type type) {
    for (int i = 0; i < MOST; i++) {
        int v = (int)((unsigned)i * 2654435761u >> 20) % 64 - 20;
        switch (type) {
        case UFC_FLOAT64: ((double *)data)[i] = v; break;
        case UFC_INT32: ((int32_t *)data)[i] = v; break;
        default: ((int64_t *)data)[i] = v; break;
        }
    }
}

/* f of `calls` columns of `n` elements; blocks: those of the kernel for them, 0 if it is another.
 */
static void compare(const ufc_ufunc *f, ufc_type type, ufc_type result, int64_t calls, int64_t n,
                    int64_t blocks) {
    int64_t shape[] = {calls, n}, strides[] = {1, calls};
    DLTensor x = ufc_host_array(data, ufc_dltype(type), 2, shape);
    ufc_plan_description d;
    x.strides = strides;
    ufc_arg in[] = {ufc_array(&x), ufc_int(3)};
    for (int k = 0; k < 2; k++) {
        DLTensor to[2];
        for (int i = 0; i < 2; i++) {
            memset(out[k][i], 0, sizeof out[k][i]);
            to[i] = ufc_host_array(out[k][i], ufc_dltype(result), 2, shape);
            to[i].strides = strides;
        }
        ufc_out outs[] = {ufc_into(&to[0]), ufc_into(&to[1])};
        CHECK(ufc_call(k ? sim : host, NULL, f, in, outs, &err) == UFC_OK);
        CHECK(ufc_explain(sim, NULL, f, in, outs, NULL, &d, &err) == UFC_OK);
    }
    bool strips = strcmp(d.kernel, "prefix") == 0;
    if (memcmp(out[0], out[1], sizeof out[0]) != 0 || strips != (blocks > 0) ||
        (strips && (d.blocks != blocks || d.launches != 1))) {
        printf("%s, %d x %d: %s, %d blocks%s\n", f->name, (int)calls, (int)n, d.kernel,
               (int)d.blocks, memcmp(out[0], out[1], sizeof out[0]) ? ", wrong" : "");
        test_failures++;
    }
}

int main(void) {
    CHECK(ufc_context_new(&host, "cpu", 1, &err) == UFC_OK);
    CHECK(ufc_context_new(&sim, "sim", 1, &err) == UFC_OK);
    fill(UFC_INT32);
    compare(&strips_sums_ufunc, UFC_INT32, UFC_INT32, 16, 257, 3);
    compare(&strips_sums_ufunc, UFC_INT32, UFC_INT32, 64, 512, 2 * 4);
    compare(&strips_sums_ufunc, UFC_INT32, UFC_INT32, 33, 2177, 2 * 18);
    compare(&strips_sums_ufunc, UFC_INT32, UFC_INT32, 40, 6400, 2 * 50);
    compare(&strips_sums_ufunc, UFC_INT32, UFC_INT32, 15, 1000, 0);
    compare(&strips_sums_ufunc, UFC_INT32, UFC_INT32, 100, 200, 0);
    compare(&strips_behind_ufunc, UFC_INT32, UFC_INT32, 50, 1100, 2 * 9);
    fill(UFC_FLOAT64);
    compare(&strips_sums_ufunc, UFC_FLOAT64, UFC_FLOAT64, 70, 1000, 3 * 8);
    compare(&strips_best_ufunc, UFC_FLOAT64, UFC_INT64, 35, 3000, 2 * 47);
    fill(UFC_INT64);
    compare(&strips_sums_ufunc, UFC_INT64, UFC_INT64, 32, 4096, 32);
    ufc_context_free(sim);
    ufc_context_free(host);
    return test_failures > 0;
}
