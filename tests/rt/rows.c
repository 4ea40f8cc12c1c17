/* rows.c: arrays so large that a thread of the kernel of rows has several rows, of which the last
 * thread's are fewer.  In the simulator. */
#include <string.h>
#include "../test.h"
#include "kernels.h"
#include "ufc.h"

enum { ROWS = 1051, COLUMNS = 1003, GAP = 2, PITCH = COLUMNS + GAP };

/* Numbers of one or two parts; of other axes than the output's an input has one row, or one column.
 */
static double matrix[ROWS * PITCH * 2], line[ROWS * 2], sum[ROWS * PITCH * 2];

static DLTensor view(double *data, ufc_type type, int64_t *strides) {
    static int64_t shape[] = {ROWS, COLUMNS};
    DLTensor t = ufc_host_array(data, ufc_dltype(type), 2, shape);
    t.strides = strides;
    return t;
}

/* along: the axis of the line. */
static void try(ufc_context *sim, ufc_type type, int rows, int along) {
    int64_t gaps[] = {PITCH, 1}, strides[] = {along == 0, along == 1};
    DLTensor x = view(matrix, type, gaps), y = view(line, type, strides), z = view(sum, type, gaps);
    ufc_arg in[] = {ufc_array(&x), ufc_array(&y)};
    ufc_out out = ufc_into(&z);
    ufc_plan_description d;
    int parts = type == UFC_COMPLEX128 ? 2 : 1, pieces = parts == 2 ? COLUMNS : (COLUMNS + 1) / 2;
    unsigned threads = (unsigned)(pieces * ((ROWS + rows - 1) / rows));
    REQUIRE(ufc_explain(sim, NULL, &kernels_add_ufunc, in, &out, NULL, &d, NULL) == UFC_OK);
    CHECK(strcmp(d.kernel, "rows") == 0 && d.blocks == (threads - 1) / d.threads + 1);
    for (int i = 0; i < ROWS * PITCH * 2; i++)
        sum[i] = -1;
    REQUIRE(ufc_call(sim, NULL, &kernels_add_ufunc, in, &out, NULL) == UFC_OK);
    for (int i = 0; i < ROWS * PITCH * parts; i++) {
        int column = i / parts % PITCH, at = along == 0 ? i / parts / PITCH : column;
        double wanted = column < COLUMNS ? matrix[i] + line[at * parts + i % parts] : -1;
        if (sum[i] != wanted)
            REQUIRE(!"the sum of a matrix and a line");
    }
}

int main(void) {
    ufc_context *sim;
    REQUIRE(ufc_context_new(&sim, "sim", 0, NULL) == UFC_OK);
    for (int i = 0; i < ROWS * PITCH * 2; i++)
        matrix[i] = i;
    for (int i = 0; i < ROWS * 2; i++)
        line[i] = 3 * i + 1;
    for (int along = 0; along < 2; along++) {
        try(sim, UFC_COMPLEX128, 4, along);
        try(sim, UFC_FLOAT64, 2, along);
    }
    ufc_context_free(sim);
    return test_failures != 0;
}
