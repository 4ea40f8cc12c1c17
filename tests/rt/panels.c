/* panels.c: ordered loops whose steps blocks take several of at a time, with what they need of one
 * another's elements: that these are taken so, and give what one thread gives, in any layout, where
 * axes are shorter than there are blocks, or calls are several. */
#include <string.h>

#include "../test.h"
#include "panels.h"
#include "rt.h"

enum { SIDE = 97, WIDE = 110, LONG = 1100, FEW = 32, CALLS = 3, MOST = CALLS * WIDE * WIDE };

static int64_t x[MOST], out[2][3][MOST];

/* Whether the first `rank` axes of a call's results are as long as those of its input, or, of one
 * axis, as long as one of these; version: that which has the panels. */
struct body {
    const ufc_ufunc *f;
    int vector[3]; /* of each result: 1: rows, 2: columns, 0: a number, the first one the matrix */
    int results;
    bool panels;
    int version;
};

static const struct body bodies[] = {
    {&panels_paths_ufunc, {0}, 1, true, 0},       {&panels_lower_ufunc, {0}, 1, true, 0},
    {&panels_inverse_ufunc, {0, 0}, 2, true, 0},  {&panels_project_ufunc, {0, 1, 2}, 3, true, 0},
    {&panels_factor_ufunc, {0}, 1, true, 0},      {&panels_through_ufunc, {0}, 1, true, 0},
    {&panels_border_ufunc, {0}, 1, true, 0},      {&panels_inner_ufunc, {0}, 1, true, 0},
    {&panels_diagonal_ufunc, {0}, 1, true, 0},    {&panels_late_ufunc, {0, 1, 1}, 3, true, 0},
    {&panels_beyond_ufunc, {0}, 1, true, 0},      {&panels_mirror_ufunc, {0}, 1, false, 0},
    {&panels_behind_ufunc, {0}, 1, false, 0},     {&panels_chosen_ufunc, {0}, 1, false, 0},
    {&panels_solve_ufunc, {1, 1}, 2, true, 0},    {&panels_by_rows_ufunc, {0}, 1, true, 1},
    {&panels_symmetric_ufunc, {0}, 1, true, 1},   {&panels_triangle_ufunc, {1}, 1, false, 1},
    {&panels_increasing_ufunc, {1}, 1, false, 1},
};

struct matrices {
    int64_t shape[3], vectors[3][2], strides[3];
    DLTensor a, z[3];
    ufc_out out[3];
};

/* A call of so many matrices, or of one if calls is 0; turned: their columns are side by side. */
static void make(struct matrices *c, const struct body *b, int64_t calls, int64_t rows,
                 int64_t columns, bool turned, int to) {
    int rank = calls > 0 ? 3 : 2;
    *c = (struct matrices){.shape = {calls, rows, columns}};
    int64_t *shape = c->shape + 3 - rank, *strides = c->strides + 3 - rank;
    c->strides[0] = rows * columns;
    c->strides[1] = turned ? 1 : columns;
    c->strides[2] = turned ? rows : 1;
    c->a = ufc_host_array(x, ufc_dltype(UFC_INT64), rank, shape);
    c->a.strides = strides;
    for (int k = 0; k < b->results; k++) {
        int64_t *v = c->vectors[k];
        v[0] = calls;
        v[1] = b->vector[k] == 1 ? rows : columns;
        c->z[k] = c->a;
        if (k > 0 || b->vector[0] > 0) {
            int axes = b->vector[k] > 0 ? 1 : 0;
            c->z[k] = ufc_host_array(x, ufc_dltype(UFC_INT64), rank - 2 + axes, v + 3 - rank);
        }
        c->z[k].data = out[to][k];
        c->out[k] = ufc_into(&c->z[k]);
    }
}

static void run(ufc_context *ctx, const struct body *b, struct matrices *c) {
    ufc_error err;
    ufc_arg in[] = {ufc_array(&c->a)};
    if (ufc_call(ctx, NULL, b->f, in, c->out, &err) == UFC_OK)
        return;
    printf("%s: %s\n", b->f->name, err.message);
    test_failures++;
}

static void compare(ufc_context *host, ufc_context *sim, const struct body *b, int64_t calls,
                    int64_t rows, int64_t columns, bool turned) {
    struct matrices c;
    memset(out, 0, sizeof out);
    make(&c, b, calls, rows, columns, turned, 0);
    run(host, b, &c);
    make(&c, b, calls, rows, columns, turned, 1);
    run(sim, b, &c);
    if (memcmp(out[0], out[1], sizeof out[0]) == 0)
        return;
    printf("%s of %d times %d by %d%s differs\n", b->f->name, (int)calls, (int)rows, (int)columns,
           turned ? ", turned," : "");
    test_failures++;
}

static void expect(ufc_context *sim, const struct body *b, int64_t rows, int64_t columns) {
    struct matrices c;
    ufc_plan_description d;
    make(&c, b, 0, rows, columns, false, 1);
    ufc_arg in[] = {ufc_array(&c.a)};
    REQUIRE(ufc_explain(sim, NULL, b->f, in, c.out, NULL, &d, NULL) == UFC_OK);
    if ((strcmp(d.kernel, "panel") == 0) == b->panels)
        return;
    printf("%s: %u blocks of %s\n", b->f->name, d.blocks, d.kernel);
    test_failures++;
}

int main(void) {
    ufc_context *host, *sim;
    REQUIRE(ufc_context_new(&host, "cpu", 1, NULL) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 1, NULL) == UFC_OK);
    for (int i = 0; i < MOST; i++)
        x[i] = i * INT64_C(7919) % 10007;
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        const struct body *b = &bodies[i];
        bool vectors = b->f == &panels_solve_ufunc;
        bool square = b->f != &panels_lower_ufunc && b->f != &panels_project_ufunc && !vectors;
        sim->version = b->version;
        if (vectors) {
            expect(sim, b, LONG, FEW);
            compare(host, sim, b, 0, LONG, FEW, false);
            compare(host, sim, b, 0, LONG - 1, FEW - 1, true);
        } else {
            expect(sim, b, SIDE, SIDE);
        }
        compare(host, sim, b, 0, SIDE, SIDE, false);
        if (i < 4)
            compare(host, sim, b, 0, SIDE, SIDE, true);
        compare(host, sim, b, 0, 1, 1, false);
        if (!square) {
            compare(host, sim, b, 0, WIDE, SIDE / 3, false);
            compare(host, sim, b, 0, SIDE / 2, WIDE, true);
            compare(host, sim, b, 0, 2, WIDE, false);
        }
    }
    sim->version = 0;
    sim->gpu.together = 8; /* blocks that have no rows, and two calls at a time */
    for (size_t i = 0; i < 2; i++)
        compare(host, sim, &bodies[i], CALLS, SIDE / 2, SIDE / 2, false);
    ufc_context_free(sim);
    ufc_context_free(host);
    return test_failures != 0;
}
