/* scans_across.c: scans of calls that are neighbours in memory, whose elements lie across it, go by
 * tiles of 32 calls: whatever the calls, the elements, the strides and the tiles there are, results
 * are the host's, of whole numbers.  In the simulator. */
#include <string.h>
#include "../test.h"
#include "scans_across.h"
#include "ufc.h"

enum { ROOM = 1 << 18 };
static ufc_context *host, *sim;
static ufc_error err;
static int64_t x[ROOM], results[2][ROOM];

static const struct scan {
    const ufc_ufunc *ufunc;
    ufc_type type;
    int nin;
} scans[] = {
    {&scans_across_sums_ufunc, UFC_INT32, 1},
    {&scans_across_sums_ufunc, UFC_INT64, 1},
    {&scans_across_most_ufunc, UFC_INT32, 2},
};

/* Has each tile, of 32 calls and some of their elements, a block? */
static bool is_tiled(const struct scan *s, const ufc_arg *in, ufc_out out, int64_t calls) {
    ufc_plan_description d;
    REQUIRE(ufc_explain(sim, NULL, s->ufunc, in, &out, NULL, &d, &err) == UFC_OK);
    unsigned strips = (unsigned)(calls + 31) / 32;
    bool tiled = strcmp(d.kernel, "prefix") == 0 && d.blocks > strips && d.blocks % strips == 0 &&
                 d.blocks < (unsigned)calls * 2;
    if (!tiled)
        printf("%s, %u blocks, %s\n", d.kernel, d.blocks, d.why);
    return tiled;
}

/* In and out: the distance of an element from the next call's. */
static void compute(const struct scan *s, int64_t calls, int64_t n, int64_t apart) {
    int64_t shape[] = {calls, n}, in_stride[] = {apart, apart * calls}, out_stride[] = {1, calls};
    DLTensor a = ufc_host_array(x, ufc_dltype(s->type), 2, shape);
    a.strides = in_stride;
    ufc_arg in[] = {ufc_array(&a), ufc_int(-3)};
    memset(results, 0, sizeof results);
    for (int i = 0; i < 2; i++) {
        DLTensor out = ufc_host_array(results[i], a.dtype, 2, shape);
        out.strides = out_stride;
        ufc_out to = ufc_into(&out);
        CHECK(i == 0 || is_tiled(s, in, to, calls));
        CHECK(ufc_call(i ? sim : host, NULL, s->ufunc, in, &to, &err) == UFC_OK);
    }
    CHECK(memcmp(results[0], results[1], sizeof results[0]) == 0 && results[0][calls] != 0);
}

int main(void) {
    REQUIRE(ufc_context_new(&host, "cpu", 1, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 1, &err) == UFC_OK);
    for (int i = 0; i < ROOM; i++)
        x[i] = (int64_t)random_bits(5, (uint64_t)i) >> 40;
    for (size_t i = 0; i < sizeof scans / sizeof *scans; i++) {
        compute(&scans[i], 16, 257, 1);
        compute(&scans[i], 33, 1000, 1);
        compute(&scans[i], 64, 1024, 2);
        compute(&scans[i], 37, 3333, 1);
    }
    ufc_context_free(sim);
    ufc_context_free(host);
    return test_failures > 0;
}
