/* versions.c: a gufunc with two other versions gives what the host gives in each of them, and in
 * the one that a call takes, which calls that are like it take at once. */
#include <stdlib.h>
#include <string.h>

#include "../test.h"
#include "image_abi.h"
#include "versions.h"

enum { INNER = 32, HIDDEN = 48, OUTER = 40, MOST = 10000 };

static uint32_t x[MOST * INNER], u[INNER * HIDDEN], v[HIDDEN * OUTER], y[2][MOST * OUTER];
static ufc_error err;

static void run(ufc_context *ctx, const ufc_ufunc *f, int64_t n, uint32_t *to) {
    const ufc_type t = UFC_UINT32;
    DLTensor a = ufc_host_array(x, ufc_dltype(t), 2, (int64_t[]){n, INNER}),
             b = ufc_host_array(u, ufc_dltype(t), 2, (int64_t[]){INNER, HIDDEN}),
             c = ufc_host_array(v, ufc_dltype(t), 2, (int64_t[]){HIDDEN, OUTER}),
             z = ufc_host_array(to, ufc_dltype(t), 2, (int64_t[]){n, OUTER});
    ufc_arg in[] = {ufc_array(&a), ufc_array(&b), ufc_array(&c)};
    ufc_out out = ufc_into(&z);
    memset(to, 0, (size_t)n * OUTER * sizeof *to);
    if (ufc_call(ctx, NULL, f, in, &out, &err) != UFC_OK) {
        printf("%s of %d rows: %s\n", f->name, (int)n, err.message);
        test_failures++;
    }
}

static void compare(ufc_context *sim, const ufc_ufunc *f, int64_t n, const char *what) {
    run(sim, f, n, y[1]);
    if (memcmp(y[0], y[1], (size_t)n * OUTER * sizeof *y[0]) != 0) {
        printf("%s, of %d rows\n", what, (int)n);
        test_failures++;
    }
}

/* f of a triangle of n rows, and so many columns: 0: a vector; calls: each column is a call. */
static void solve(ufc_context *ctx, const ufc_ufunc *f, int64_t n, int64_t columns, bool calls,
                  uint32_t *to) {
    const ufc_type t = UFC_UINT32;
    int64_t shape[] = {calls ? columns : n, calls ? n : columns}, turned[] = {1, columns};
    int rank = columns > 0 ? 2 : 1;
    DLTensor l = ufc_host_array(x, ufc_dltype(t), 2, (int64_t[]){n, n}),
             b = ufc_host_array(v, ufc_dltype(t), rank, shape),
             z = ufc_host_array(to, ufc_dltype(t), rank, shape);
    b.strides = z.strides = calls ? turned : NULL;
    ufc_arg in[] = {ufc_array(&l), ufc_array(&b)};
    ufc_out out = ufc_into(&z);
    memset(to, 0, (size_t)n * OUTER * sizeof *to);
    if (ufc_call(ctx, NULL, f, in, &out, &err) != UFC_OK) {
        printf("%s of %d rows and %d columns: %s\n", f->name, (int)n, (int)columns, err.message);
        test_failures++;
    }
}

static void compare_solved(ufc_context *host, ufc_context *sim, int64_t n, int64_t columns) {
    const ufc_ufunc *f = columns > 0 ? &versions_solve_many_ufunc : &versions_solve_ufunc;
    int versions = 0;
    solve(host, f, n, columns, false, y[0]);
    for (const ufc_ufunc *g = f; g; g = g->overloads->other, versions++) {
        solve(sim, g, n, columns, columns > 0 && g != f, y[1]);
        if (memcmp(y[0], y[1], (size_t)n * OUTER * sizeof *y[0]) != 0) {
            printf("version %d of %d rows and %d columns\n", versions, (int)n, (int)columns);
            test_failures++;
        }
    }
    CHECK(versions == (columns > 0 ? 3 : 2));
}

static void compare_tables(ufc_context *host, ufc_context *sim, const ufc_ufunc *f, int64_t n,
                           int64_t m) {
    const ufc_type t = UFC_UINT32;
    const ufc_ufunc *turn[] = {f, f, f->overloads->other};
    for (int i = 0; i < 3 && turn[i]; i++) {
        uint32_t *to = y[i > 0];
        DLTensor a = ufc_host_array(x, ufc_dltype(t), 2, (int64_t[]){n, m}),
                 z = ufc_host_array(to, ufc_dltype(t), 2, (int64_t[]){n + 1, m});
        ufc_arg in = ufc_array(&a);
        ufc_out out = ufc_into(&z);
        memset(to, 0, (size_t)((n + 1) * m) * sizeof *to);
        bool same = ufc_call(i > 0 ? sim : host, NULL, turn[i], &in, &out, &err) == UFC_OK &&
                    (i == 0 || memcmp(y[0], y[1], (size_t)((n + 1) * m) * sizeof *to) == 0);
        if (!same) {
            printf("%s of %d x %d, turn %d: %s\n", f->name, (int)n, (int)m, i, err.message);
            test_failures++;
        }
    }
}

int main(void) {
    static const int64_t rows[] = {1, 3, 70};
    const ufc_ufunc *f = &versions_layers_ufunc, *other = f->overloads->other, *further;
    ufc_context *host, *sim;
    REQUIRE(ufc_context_new(&host, "cpu", 1, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 2, &err) == UFC_OK);
    REQUIRE(other && other->overloads->other);
    further = other->overloads->other;
    CHECK(further->overloads->other == NULL && further->nintermediates > other->nintermediates);
    for (int i = 0; i < MOST * INNER; i++)
        x[i] = (uint32_t)i * 2654435761U;
    for (int i = 0; i < INNER * HIDDEN; i++)
        u[i] = (uint32_t)i * 40503U;
    for (int i = 0; i < HIDDEN * OUTER; i++)
        v[i] = (uint32_t)i * 69069U;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        run(host, f, rows[k], y[0]);
        compare(sim, f, rows[k], "what calls take");
        compare(sim, other, rows[k], "rows as calls");
        compare(sim, further, rows[k], "products of all rows");
    }
    run(host, f, MOST, y[0]);
    compare(sim, f, MOST, "what forecasts choose");
    compare(sim, f, MOST, "what was kept");
    for (int64_t n = 1; n <= 130; n += n < 3 ? 1 : 127)
        for (int64_t columns = 0; columns <= OUTER; columns = 3 * columns + 1)
            compare_solved(host, sim, n, columns);
    const ufc_ufunc *tables[] = {&versions_table_ufunc, &versions_running_ufunc,
                                 &versions_entangled_ufunc};
    for (int i = 0; i < 3; i++) {
        CHECK((tables[i]->overloads->other != NULL) == (i == 0));
        for (int64_t n = 1; n <= 150; n = 4 * n + 1)
            for (int64_t m = 1; m <= 150; m = 5 * m + 2)
                compare_tables(host, sim, tables[i], n, m);
    }
    const ufc_ufunc *triangles[] = {&versions_lower_ufunc, &versions_strict_ufunc,
                                    &versions_upper_ufunc};
    for (int i = 0; i < 3; i++) {
        CHECK(triangles[i]->overloads->other != NULL);
        for (int64_t n = 1; n <= 90; n = 3 * n - (n > 1))
            compare_tables(host, sim, triangles[i], n, n);
    }
    ufc_context_free(sim);
    ufc_context_free(host);
    return test_failures > 0;
}
