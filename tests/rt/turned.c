/* turned.c: matrices down whose columns ordered loops go are copied to Fortran order, and back,
 * where they are large; results are the host's. */
#include <string.h>

#include "../test.h"
#include "image_abi.h"
#include "turned.h"

enum { ROWS = 700, COLUMNS = 40, CALLS = 2, MOST = CALLS * ROWS * COLUMNS };

static int64_t a[MOST], x[MOST], y[2][MOST];

static DLTensor array(int64_t *data, int ndim, int64_t *shape) {
    return ufc_host_array(data, ufc_dltype(UFC_INT64), ndim, shape);
}

static void check(ufc_context *host, ufc_context *sim, const ufc_ufunc *f, DLTensor *out,
                  const char *copied) {
    int64_t matrix[] = {CALLS, ROWS, COLUMNS}, row[] = {CALLS, ROWS};
    DLTensor m = array(a, 3, matrix), v = array(x, 2, row);
    ufc_arg in[] = {ufc_array(&m), ufc_array(&v)};
    ufc_context *const on[] = {host, sim};
    ufc_plan_description d;
    ufc_error err;
    memset(y, 0, sizeof y);
    for (int i = 0; i < 2; i++) {
        out->data = y[i];
        ufc_out to = ufc_into(out);
        if (ufc_call(on[i], NULL, f, in, &to, &err) == UFC_OK)
            continue;
        printf("%s: %s\n", f->name, err.message);
        test_failures++;
    }
    CHECK(memcmp(y[0], y[1], sizeof y[0]) == 0);
    ufc_out to = ufc_into(out);
    REQUIRE(ufc_explain(sim, NULL, f, in, &to, NULL, &d, NULL) == UFC_OK);
    if ((strstr(d.copies, "in Fortran order") == NULL) != (copied == NULL) ||
        (copied != NULL && strncmp(d.copies, copied, strlen(copied)) != 0)) {
        printf("%s: copies '%s'\n", f->name, d.copies);
        test_failures++;
    }
}

int main(void) {
    ufc_context *host, *sim;
    int64_t matrix[] = {CALLS, ROWS, COLUMNS}, row[] = {CALLS, ROWS},
            turned[] = {CALLS, ROWS, COLUMNS};
    int64_t strides[] = {ROWS * COLUMNS, 1, ROWS};
    REQUIRE(ufc_context_new(&host, "cpu", 1, NULL) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 1, NULL) == UFC_OK);
    for (int i = 0; i < MOST; i++) {
        a[i] = i * INT64_C(7919) % 10007;
        x[i] = i * INT64_C(104729) % 1009;
    }
    DLTensor q = array(NULL, 3, matrix), z = array(NULL, 2, row), columns = array(NULL, 3, turned);
    check(host, sim, &turned_columns_ufunc, &q, "q in Fortran order");
    check(host, sim, &turned_down_ufunc, &z, "a in Fortran order");
    check(host, sim, &turned_rows_ufunc, &q, NULL);
    columns.strides = strides; /* as it should be */
    check(host, sim, &turned_columns_ufunc, &columns, NULL);
    ufc_context_free(sim);
    ufc_context_free(host);
    return test_failures != 0;
}
