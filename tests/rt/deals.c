/* deals.c: ordered loops that update bins: that blocks deal out what their iterations have for
 * them, and that each bin gets what one thread gives it, to the bit: whatever keys are, for bins in
 * registers and in memory, of several arrays and statements, in several rounds, and calls whose
 * operands lie apart or are shared. */
#include <math.h>
#include <string.h>

#include "../test.h"
#include "deals.h"
#include "rt.h"

enum { N = 4200, PAIRS = 70, MANY = 2100, CALLS = 3, MOST = CALLS * N * 2 };

static int32_t key[CALLS * N * 2];
static float weight[CALLS * N], begin[MOST];
static double out[2][3][MOST];

static const struct body {
    const ufc_ufunc *f;
    int results, n;
    ufc_type dtype[3];
    int64_t axis[3]; /* a result's axes: 0: m; 1: m and 3; 2: 4 and 8; 3: none; 4: 2; 5: n; 6: n and
                        2 */
} bodies[] = {
    {&deals_sums_ufunc, 2, N, {UFC_FLOAT32, UFC_FLOAT64}, {0, 2}},
    {&deals_several_ufunc, 2, N, {UFC_FLOAT32, UFC_FLOAT64}, {0, 2}},
    {&deals_neighbours_ufunc, 2, N, {UFC_FLOAT32, UFC_FLOAT64}, {0, 2}},
    {&deals_moments_ufunc, 3, N, {UFC_FLOAT32, UFC_FLOAT64, UFC_INT64}, {0, 0, 0}},
    {&deals_rows_ufunc, 2, N, {UFC_FLOAT32, UFC_INT64}, {1, 0}},
    {&deals_pairs_ufunc, 2, PAIRS, {UFC_FLOAT32, UFC_INT64}, {0, 0}},
    {&deals_wide_ufunc, 2, N, {UFC_FLOAT64, UFC_FLOAT64}, {0, 0}}, /* 64 bytes an entry */
    {&deals_choices_ufunc, 3, N, {UFC_FLOAT32, UFC_FLOAT64, UFC_INT64}, {0, 0, 0}},
    {&deals_guarded_ufunc, 2, N, {UFC_FLOAT32, UFC_FLOAT64}, {0, 2}},
    {&deals_picked_ufunc, 2, N, {UFC_FLOAT32, UFC_INT64}, {0, 0}},
    {&deals_alone_ufunc, 2, N, {UFC_FLOAT32, UFC_INT64}, {0, 0}},
    {&deals_ranks_ufunc, 3, N, {UFC_FLOAT32, UFC_INT64, UFC_INT64}, {0, 5, 0}},
    {&deals_first_ones_ufunc, 3, N, {UFC_FLOAT32, UFC_FLOAT64, UFC_INT64}, {0, 5, 5}},
    {&deals_counted_ufunc, 3, N, {UFC_INT64, UFC_INT64, UFC_INT32}, {0, 5, 0}},
    {&deals_counted_beside_ufunc, 3, N, {UFC_UINT8, UFC_INT64, UFC_INT64}, {0, 5, 5}},
    {&deals_two_ranks_ufunc, 3, N, {UFC_FLOAT32, UFC_INT64, UFC_INT64}, {0, 6, 0}},
    {&deals_two_sides_ufunc, 2, N, {UFC_FLOAT32, UFC_FLOAT32}, {6, 0}},
    {&deals_ragged_ufunc, 2, N, {UFC_FLOAT32, UFC_INT64}, {0, 0}},
    {&deals_packed_ufunc, 3, N, {UFC_COMPLEX64, UFC_COMPLEX128, UFC_FLOAT16}, {0, 0, 0}},
    {&deals_halves_ufunc, 3, N, {UFC_FLOAT16, UFC_FLOAT16, UFC_FLOAT32}, {0, 5, 0}},
    {&deals_rays_ufunc, 2, 600, {UFC_FLOAT32, UFC_INT64}, {0, 0}},
    {&deals_totals_ufunc, 3, N, {UFC_FLOAT32, UFC_FLOAT64, UFC_INT64}, {0, 3, 4}},
};

struct bins_call {
    int64_t shape[3][2], results[3][3], strides[2];
    DLTensor in[3], z[3];
    ufc_arg arg[3];
    ufc_out out[3];
};

/* A call of n iterations and m bins, or CALLS of them whose keys are apart and which share z. */
static void make(struct bins_call *c, const struct body *b, int calls, int64_t n, int64_t m,
                 int to) {
    int axes = calls > 0 ? 1 : 0;
    *c = (struct bins_call){.shape = {{calls, n}, {calls, n}, {m}}, .strides = {2 * n, 2}};
    c->in[0] = ufc_host_array(key, ufc_dltype(UFC_INT32), 1 + axes, c->shape[0] + 1 - axes);
    if (calls > 0)
        c->in[0].strides = c->strides;
    c->in[1] = ufc_host_array(weight, ufc_dltype(UFC_FLOAT32), 1 + axes, c->shape[1] + 1 - axes);
    c->in[2] = ufc_host_array(begin, ufc_dltype(UFC_FLOAT32), 1, c->shape[2]);
    for (int k = 0; k < 3; k++)
        c->arg[k] = ufc_array(&c->in[k]);
    for (int k = 0; k < b->results; k++) {
        int64_t *shape = c->results[k];
        static const int rank_of[] = {1, 2, 2, 0, 1, 1, 2};
        int rank = rank_of[b->axis[k]];
        shape[0] = calls;
        shape[1] = b->axis[k] == 2 ? 4 : b->axis[k] == 4 ? 2 : b->axis[k] >= 5 ? n : m;
        shape[2] = b->axis[k] == 2 ? 8 : b->axis[k] == 6 ? 2 : 3;
        c->z[k] =
            ufc_host_array(out[to][k], ufc_dltype(b->dtype[k]), rank + axes, shape + 1 - axes);
        c->out[k] = ufc_into(&c->z[k]);
    }
}

static void run(ufc_context *ctx, const struct body *b, struct bins_call *c) {
    ufc_error err;
    if (ufc_call(ctx, NULL, b->f, c->arg, c->out, &err) == UFC_OK)
        return;
    printf("%s: %s\n", b->f->name, err.message);
    test_failures++;
}

/* NaNs are equal, whatever their bits are. */
static void forget_nans(const struct body *b, int to) {
    for (int k = 0; k < b->results; k++) {
        double *wide = out[to][k];
        float *narrow = (float *)(void *)wide;
        uint16_t *half = (uint16_t *)(void *)wide;
        ufc_type type = b->dtype[k];
        for (int i = 0; i < MOST; i++)
            if ((type == UFC_FLOAT64 || type == UFC_COMPLEX128) && isnan(wide[i]))
                wide[i] = 0;
        for (int i = 0; i < 2 * MOST; i++)
            if ((type == UFC_FLOAT32 || type == UFC_COMPLEX64) && isnan(narrow[i]))
                narrow[i] = 0;
        for (int i = 0; i < MOST; i++)
            if (type == UFC_FLOAT16 && (half[i] & 0x7fff) > 0x7c00)
                half[i] = 0;
    }
}

static void compare(ufc_context *host, ufc_context *sim, const struct body *b, int calls, int64_t n,
                    int64_t m, const char *keys) {
    struct bins_call c;
    memset(out, 0, sizeof out);
    make(&c, b, calls, n, m, 0);
    run(host, b, &c);
    make(&c, b, calls, n, m, 1);
    run(sim, b, &c);
    forget_nans(b, 0);
    forget_nans(b, 1);
    if (memcmp(out[0], out[1], sizeof out[0]) == 0)
        return;
    printf("%s of %d calls, %d iterations, %d bins, keys %s, differs\n", b->f->name, calls, (int)n,
           (int)m, keys);
    test_failures++;
}

static void expect(ufc_context *sim, const struct body *b) {
    struct bins_call c;
    ufc_plan_description d;
    make(&c, b, 0, b->n, 100, 1);
    REQUIRE(ufc_explain(sim, NULL, b->f, c.arg, c.out, NULL, &d, NULL) == UFC_OK);
    if (b->f == &deals_counted_ufunc) /* threads count where they are: there are no entries */
        REQUIRE(d.temporaries < N * 4);
    if (strstr(d.statements, "deal,") != NULL)
        return;
    printf("%s:\n%s", b->f->name, d.statements);
    test_failures++;
}

/* Keys that are spread, or sorted, or nearly all the same, or few. */
static void set_keys(int how) {
    for (int i = 0; i < CALLS * N * 2; i++)
        key[i] = how == 0      ? (int32_t)(i * INT64_C(7919) % 100003)
                 : how == 1    ? i / 7
                 : how == 3    ? i * 31 % 13
                 : i % 97 == 5 ? i
                               : 12345;
}

int main(void) {
    static const char *const keys[] = {"spread", "sorted", "mostly one", "few"};
    ufc_context *host, *sim;
    REQUIRE(ufc_context_new(&host, "cpu", 1, NULL) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 1, NULL) == UFC_OK);
    for (int i = 0; i < CALLS * N; i++)
        weight[i] = (float)(i * INT64_C(611953) % 1000003) / 500000 - 1;
    for (int i = 0; i < MOST; i++)
        begin[i] = (float)(i % 17) / 8;
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        const struct body *b = &bodies[i];
        expect(sim, b);
        bool results = b->axis[0] >= 5 || b->axis[1] >= 5;
        for (int how = 0; how < (i < 3 || results ? 3 : 1); how += i < 3 ? 1 : 2) {
            set_keys(how);
            compare(host, sim, b, 0, b->n, 100, keys[how]);
            if (how == 2) /* lanes that wait for one another */
                compare(host, sim, b, 0, b->n, MANY, keys[how]);
            if (how == 2) /* more bins than are worth being moved */
                compare(host, sim, b, 0, b->n / 9, MANY, keys[how]);
        }
        set_keys(0);
        compare(host, sim, b, 0, b->n, MANY, keys[0]);
        compare(host, sim, b, CALLS, b->n, 100, keys[0]);
        compare(host, sim, b, 0, 1, 100, keys[0]);
        compare(host, sim, b, 0, 0, 100, keys[0]);
        weight[50] = NAN;
        weight[51] = -0.0F;
        compare(host, sim, b, 0, b->n, 10, keys[0]);
        weight[50] = weight[51] = 0;
    }
    sim->gpu.together = 2; /* several rounds of few blocks */
    set_keys(0);
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++)
        compare(host, sim, &bodies[i], 0, bodies[i].n, i == 0 ? 2000 : 100,
                "spread, of few blocks,");
    sim->gpu.shared = 24 << 10; /* which has no room for bins, or for what an iteration deals out */
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++)
        for (int how = 0; how < 3; how += 2) {
            set_keys(how);
            compare(host, sim, &bodies[i], 0, bodies[i].n, 7000, keys[how]);
        }
    sim->gpu.shared = 227 << 10;
    set_keys(3); /* of bins in shared memory, neighbours of one owner or of several */
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        compare(host, sim, &bodies[i], 0, bodies[i].n, 1500, keys[3]);
        compare(host, sim, &bodies[i], 0, bodies[i].n, 7000, keys[3]);
    }
    ufc_context_free(host);
    ufc_context_free(sim);
    return test_failures != 0;
}
