/* distributed.c: gufuncs whose loops are distributed in another version give what the host gives,
 * of whole numbers, of arrays of any strides, and with no rows or no columns; and the version is
 * taken where it is worth it. */
#include <string.h>

#include "../test.h"
#include "distributed.h"
#include "image_abi.h"

enum { MOST = 1 << 17 };

static ufc_context *host, *sim;
static int64_t data[2][MOST], out[2][3][MOST];
static ufc_error err;

struct shape {
    int64_t m, n;
    bool turned; /* the matrix is in Fortran order */
};

/* How an operand lies: a matrix of m rows and n columns, a row, a column, or a number. */
enum form { MATRIX, ROW, COLUMN, NUMBER };

static DLTensor tensor(int64_t *first, enum form form, const struct shape *s, int64_t *shape) {
    shape[0] = form == ROW ? s->n : s->m;
    shape[1] = s->n;
    return ufc_host_array(first, ufc_dltype(UFC_INT64),
                          form == MATRIX   ? 2
                          : form == NUMBER ? 0
                                           : 1,
                          shape);
}

struct function {
    const ufc_ufunc *ufunc;
    int nin, nout;
    enum form in[2], out[3];
    int launches; /* of the tall matrix, at least so many */
};

static const struct function functions[] = {
    {&distributed_norm_ufunc, 2, 1, {MATRIX, ROW}, {MATRIX}, .launches = 1},
    {&distributed_columns_ufunc, 1, 2, {MATRIX}, {ROW, MATRIX}, .launches = 1},
    {&distributed_again_ufunc, 1, 2, {MATRIX}, {MATRIX, COLUMN}, .launches = 1},
    {&distributed_before_ufunc, 1, 2, {MATRIX}, {COLUMN, MATRIX}, .launches = 1},
    {&distributed_stored_ufunc, 1, 2, {MATRIX}, {COLUMN, MATRIX}, .launches = 1},
    {&distributed_within_ufunc, 1, 1, {MATRIX}, {MATRIX}, .launches = 1},
    {&distributed_carried_ufunc, 1, 2, {MATRIX}, {COLUMN, NUMBER}, .launches = 1},
    {&distributed_behind_ufunc, 1, 2, {MATRIX}, {COLUMN, NUMBER}, .launches = 1},
    {&distributed_mixed_ufunc, 2, 3, {MATRIX, COLUMN}, {MATRIX, COLUMN, COLUMN}, .launches = 1},
    {&distributed_pairs_ufunc, 1, 2, {ROW}, {ROW, ROW}, .launches = 1},
    {&distributed_twice_ufunc, 1, 1, {MATRIX}, {MATRIX}, .launches = 1},
};

static void compare(const struct function *f, const struct shape *s) {
    int64_t shape[5][2], turned[] = {1, s->m};
    DLTensor in[2];
    ufc_arg args[2];
    ufc_plan_description d;
    for (int k = 0; k < f->nin; k++) {
        in[k] = tensor(data[k], f->in[k], s, shape[k]);
        if (s->turned && f->in[k] == MATRIX)
            in[k].strides = turned;
        args[k] = ufc_array(&in[k]);
    }
    for (int at = 0; at < 3; at++) { /* in the simulator twice, as the version is kept */
        ufc_context *ctx = at > 0 ? sim : host;
        DLTensor to[3];
        ufc_out outs[3];
        memset(out[at > 0], 0, sizeof out[0]);
        for (int k = 0; k < f->nout; k++) {
            to[k] = tensor(out[at > 0][k], f->out[k], s, shape[2 + k]);
            outs[k] = ufc_into(&to[k]);
        }
        CHECK(ufc_call(ctx, NULL, f->ufunc, args, outs, &err) == UFC_OK);
        CHECK(at < 2 || ufc_explain(ctx, NULL, f->ufunc, args, outs, NULL, &d, &err) == UFC_OK);
    }
    bool same = memcmp(out[0], out[1], sizeof out[0]) == 0;
    bool tall = s->m == 3000;
    bool taken = !tall || d.launches >= f->launches;
    if (!same || !taken) {
        printf("%s, %d x %d: %s\n", f->ufunc->name, (int)s->m, (int)s->n,
               same ? "another version is taken" : "not what the host gives");
        test_failures++;
    }
}

int main(void) {
    static const struct shape shapes[] = {{300, 310, false}, {300, 310, true}, {3000, 11, false},
                                          {7, 3000, true},   {1, 1, false},    {0, 5, false},
                                          {5, 0, false},     {9, 7, true}};
    REQUIRE(ufc_context_new(&host, "cpu", 0, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 0, &err) == UFC_OK);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < MOST; i++) {
            int v = (int)((unsigned)(i + 7 * k) * 2654435761U >> 20) % 8 - 3;
            data[k][i] = k == 1 && v < 0 ? -v : v;
        }
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++)
            compare(&functions[i], &shapes[k]);
    ufc_context_free(sim);
    ufc_context_free(host);
    return test_failures > 0;
}
