/* memo.c: what is kept of calls of gufuncs serves those that are alike, and no others: of other
 * sizes, strides, alignments, numbers and places; of more kinds than are kept, and in several
 * threads. */
#include <pthread.h>
#include <string.h>

#include "../test.h"
#include "memo.h"

enum { SIDE = 40, THREADS = 3, SIZES = 80 };

static ufc_context *sim, *host;

struct arrays {
    int32_t a[SIDE * SIDE + 8], x[SIDE + 8], y[SIDE], t[SIDE];
    float w[SIDE * SIDE], c[SIDE], s[SIDE];
    int64_t sums[SIDE * SIDE];
};

static void fill(struct arrays *r, int salt) {
    for (int i = 0; i < SIDE * SIDE + 8; i++)
        r->a[i] = (i * 7 + salt) % 11;
    for (int i = 0; i < SIDE + 8; i++)
        r->x[i] = (i * 5 + salt) % 7;
    for (int i = 0; i < SIDE * SIDE; i++)
        r->w[i] = (float)((i + salt) % 3);
    memset(r->y, 0, sizeof r->y);
    memset(r->t, 0, sizeof r->t);
    memset(r->c, 0, sizeof r->c);
    memset(r->s, 0, sizeof r->s);
    memset(r->sums, 0, sizeof r->sums);
}

static DLTensor array(void *data, ufc_type type, int ndim, int64_t *shape) {
    return ufc_host_array(data, ufc_dltype(type), ndim, shape);
}

/* y and t of m rows of n, from element `first` on, in C or, turned, in Fortran order. */
static void both(ufc_context *ctx, struct arrays *r, int64_t m, int64_t n, int first, bool turned) {
    int64_t shape[] = {m, n}, stride[] = {1, m};
    DLTensor a = array(r->a + first, UFC_INT32, 2, shape),
             x = array(r->x + first, UFC_INT32, 1, &n);
    DLTensor y = array(r->y, UFC_INT32, 1, &n), t = array(r->t, UFC_INT32, 1, &m);
    if (turned)
        a.strides = stride;
    ufc_arg in[] = {ufc_array(&a), ufc_array(&x)};
    ufc_out out[] = {ufc_into(&y), ufc_into(&t)};
    REQUIRE(ufc_call(ctx, NULL, &memo_both_ufunc, in, out, NULL) == UFC_OK);
}

static void count(ufc_context *ctx, struct arrays *r, int64_t n, int64_t m) {
    DLTensor k = array(r->a, UFC_INT32, 1, &n), w = array(r->w, UFC_FLOAT32, 1, &n);
    DLTensor c = array(r->c, UFC_FLOAT32, 1, &m), s = array(r->s, UFC_FLOAT32, 1, &m);
    ufc_arg in[] = {ufc_array(&k), ufc_array(&w), ufc_array(&c)};
    ufc_out out = ufc_into(&s);
    REQUIRE(ufc_call(ctx, NULL, &memo_count_ufunc, in, &out, NULL) == UFC_OK);
}

static void shift(ufc_context *ctx, struct arrays *r, int64_t n, int by) {
    DLTensor x = array(r->x, UFC_INT32, 1, &n), y = array(r->y, UFC_INT32, 1, &n);
    ufc_arg in[] = {ufc_array(&x), ufc_int(by)};
    ufc_out out = ufc_into(&y);
    REQUIRE(ufc_call(ctx, NULL, &memo_shift_ufunc, in, &out, NULL) == UFC_OK);
}

static void running(ufc_context *ctx, struct arrays *r, int64_t calls, int64_t n) {
    int64_t shape[] = {calls, n};
    DLTensor x = array(r->a, UFC_INT32, 2, shape), y = array(r->sums, UFC_INT64, 2, shape);
    ufc_arg in[] = {ufc_array(&x)};
    ufc_out out = ufc_into(&y);
    REQUIRE(ufc_call(ctx, NULL, &memo_running_ufunc, in, &out, NULL) == UFC_OK);
}

static void call(ufc_context *ctx, struct arrays *r, int i) {
    switch (i % 6) {
    case 0: both(ctx, r, 3 + i % SIZES / 4, 17, 0, false); break;
    case 1: both(ctx, r, 20, 20, i % 3, i % 2); break;
    case 2: count(ctx, r, SIDE * SIDE, SIDE); break;
    case 3: shift(ctx, r, 1 + i % 30, i); break;
    case 4: running(ctx, r, 4, SIDE); break;
    case 5: both(ctx, r, 20, 20, 0, i % 4 == 1); break;
    }
}

/* Each kind of call first and again, with other elements at other places. */
static void *run(void *wrong) {
    struct arrays *r[2] = {malloc(sizeof **r), malloc(sizeof **r)};
    REQUIRE(r[0] && r[1]);
    for (int i = 0; i < 2 * SIZES; i++) {
        fill(r[0], i);
        *r[1] = *r[0];
        call(host, r[0], i);
        call(sim, r[1], i);
        *(int *)wrong += memcmp(r[0], r[1], sizeof **r) != 0;
    }
    free(r[0]);
    free(r[1]);
    return NULL;
}

int main(void) {
    pthread_t thread[THREADS];
    int wrong[THREADS] = {0};
    REQUIRE(ufc_context_new(&sim, "sim", 1, NULL) == UFC_OK);
    REQUIRE(ufc_context_new(&host, "cpu", 1, NULL) == UFC_OK);
    for (int k = 0; k < THREADS; k++)
        REQUIRE(pthread_create(&thread[k], NULL, run, &wrong[k]) == 0);
    for (int k = 0; k < THREADS; k++) {
        pthread_join(thread[k], NULL);
        CHECK(wrong[k] == 0);
    }
    ufc_context_free(sim);
    ufc_context_free(host);
    return test_failures != 0;
}
