/* sums.c: long reductions and definitions of gufuncs on the host.  A sum is as exact as one in
 * pairs; no bit of a result depends on threads or strides. */
#include <complex.h>
#include <math.h>
#include <string.h>
#include "../test.h"
#include "sums.h"

enum { N = 1000003, STEP = 3 };

static ufc_context *contexts[3]; /* of 1, 2 and 7 threads */
static float plain[N], apart[STEP * N], result[2][N];
static double wide[N];
static const int64_t sizes[] = {
    0, 1, 2, 15, 16, 63, 64, 65, 255, 257, 1023, 1025, 32767, 32768, 32769, 300001, 8 * 32768 + 1,
    N};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static void call(int k, const ufc_ufunc *f, DLTensor *in, DLTensor *out) {
    ufc_error err;
    ufc_arg args[] = {ufc_array(in)};
    ufc_out outs[] = {ufc_into(out), ufc_into(out + 1)};
    if (ufc_call(contexts[k], NULL, f, args, outs, &err) == UFC_OK)
        return;
    puts(err.message);
    exit(1);
}

static DLTensor array(void *data, ufc_type type, int64_t *n) {
    return ufc_host_array(data, ufc_dltype(type), n ? 1 : 0, n);
}

/* A sum in pairs adds up at most 20 numbers in blocks, then once for each power of two.  Roundings
 * go either way, so that their number counts by its root. */
static double bound(int64_t n, double eps) {
    double additions = 20;
    while (n > 128) {
        additions++;
        n /= 2;
    }
    return sqrt(additions) * eps;
}

static void check_sums(int64_t n) {
    double sum = 0, error = 0;
    for (int64_t i = 0; i < n; i++) { /* with what each addition loses */
        double x = (double)plain[i] - error, next = sum + x;
        error = (next - sum) - x;
        sum = next;
    }
    int64_t stride[] = {STEP}, back[] = {-STEP};
    float y = 0, first = 0;
    double z;
    for (int k = 0; k < 3; k++)
        for (int way = 0; way < 2; way++) {
            DLTensor in = array(way ? apart : plain, UFC_FLOAT32, &n);
            DLTensor out[2] = {array(&y, UFC_FLOAT32, NULL)};
            in.strides = way ? stride : NULL;
            call(k, &sums_total_ufunc, &in, out);
            first = k == 0 && way == 0 ? y : first;
            CHECK(memcmp(&y, &first, sizeof y) == 0);
            CHECK(fabs((double)y - sum) <= bound(n, 0x1p-23) * sum);
            call(k, &sums_average_ufunc, &in, out);
            CHECK(n == 0 ? isnan(y)
                         : fabs((double)y * (double)n - sum) <= bound(n + 1, 0x1p-23) * sum);
        }
    DLTensor in = array(apart + STEP * (n ? n - 1 : 0), UFC_FLOAT32, &n);
    DLTensor out[2] = {array(&y, UFC_FLOAT32, NULL)};
    in.strides = back; /* backwards twice */
    call(1, &sums_backwards_ufunc, &in, out);
    CHECK(fabs((double)y - sum) <= bound(n, 0x1p-23) * sum);
    in = array(wide, UFC_FLOAT64, &n);
    out[0] = array(&z, UFC_FLOAT64, NULL);
    call(2, &sums_total_ufunc, &in, out);
    CHECK(fabs(z - sum) <= (bound(n, 0x1p-52) + 0x1p-52) * sum);
}

/* Rows and columns: of a plane, and of a definition's sums. */
static void check_planes(void) {
    static const int64_t shapes[][2] = {{3, 300000}, {300000, 3}, {1000, 1000}, {70, 129}, {1, N}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        int64_t shape[] = {shapes[s][0], shapes[s][1]}, n = shape[0] * shape[1];
        int64_t strides[] = {STEP * shape[1], STEP};
        double sum = 0, row = 0;
        float y, first = 0;
        for (int64_t i = 0; i < n; i++)
            sum += wide[i];
        for (int64_t i = 0; i < shape[1]; i++)
            row += wide[n - shape[1] + i];
        for (int k = 0; k < 3; k++)
            for (int way = 0; way < 2; way++) {
                DLTensor in =
                    ufc_host_array(way ? apart : plain, ufc_dltype(UFC_FLOAT32), 2, shape);
                DLTensor out[2] = {array(&y, UFC_FLOAT32, NULL)};
                in.strides = way ? strides : NULL;
                call(k, &sums_plane_ufunc, &in, out);
                first = k == 0 && way == 0 ? y : first;
                CHECK(memcmp(&y, &first, sizeof y) == 0);
                CHECK(fabs((double)y - sum) <= bound(n, 0x1p-23) * sum);
                out[0] = array(result[k || way], UFC_FLOAT32, shape);
                call(k, &sums_rows_ufunc, &in, out);
                CHECK(memcmp(result[0], result[k || way], (size_t)shape[0] * sizeof y) == 0);
                double own = (double)result[0][shape[0] - 1];
                CHECK(fabs(own - row) <= bound(shape[1], 0x1p-23) * row * 2);
            }
    }
}

/* The same bits, whatever the threads and strides. */
static void check_same(const ufc_ufunc *f, int64_t n) {
    int64_t stride[] = {STEP};
    for (int k = 0; k < 3; k++)
        for (int way = 0; way < 2; way++) {
            DLTensor in = array(way ? apart : plain, UFC_FLOAT32, &n);
            DLTensor out[2] = {array(result[k || way], UFC_FLOAT32, &n)};
            in.strides = way ? stride : NULL;
            call(k, f, &in, out);
            CHECK(memcmp(result[0], result[k || way], (size_t)n * sizeof(float)) == 0);
        }
}

static void check_others(int64_t n) {
    int64_t lo = -1, hi = -1, half = n / 2;
    for (int64_t i = 0; i < n; i++) {
        lo = lo < 0 || plain[i] < plain[lo] ? i : lo;
        hi = hi < 0 || plain[i] > plain[hi] ? i : hi;
    }
    double squares = 0;
    for (int64_t i = 0; i < 2 * half; i++)
        squares += (double)plain[i] * (double)plain[i];
    for (int k = 0; k < 3; k++) {
        int64_t places[2];
        float y;
        float complex z;
        DLTensor in = array(plain, UFC_FLOAT32, &n);
        DLTensor out[] = {array(&places[0], UFC_INT64, NULL), array(&places[1], UFC_INT64, NULL)};
        call(k, &sums_place_ufunc, &in, out);
        CHECK(places[0] == lo && places[1] == hi);
        out[0] = array(&y, UFC_FLOAT32, NULL);
        call(k, &sums_last_ufunc, &in, out);
        CHECK(y == (n ? plain[n - 1] : 0));
        in = array(plain, UFC_COMPLEX64, &half);
        out[0] = array(&z, UFC_COMPLEX64, NULL);
        call(k, &sums_norm_ufunc, &in, out);
        CHECK(fabs((double)crealf(z) - squares) <= (bound(n, 0x1p-23) + 0x1p-22) * squares);
        CHECK(cimagf(z) == 0);
    }
}

int main(void) {
    static const int threads[] = {1, 2, 7};
    for (int k = 0; k < 3; k++)
        REQUIRE(ufc_context_new(&contexts[k], "cpu", threads[k], NULL) == UFC_OK);
    for (int64_t i = 0; i < N; i++) {
        plain[i] = apart[STEP * i] = (float)random_unit(1, (uint64_t)i);
        wide[i] = (double)plain[i];
    }
    for (int s = 0; s < SIZES; s++) {
        check_sums(sizes[s]);
        check_others(sizes[s]);
        check_same(&sums_softmax_ufunc, sizes[s]);
        check_same(&sums_relax_ufunc, sizes[s]);
    }
    check_planes();
    for (int k = 0; k < 3; k++)
        ufc_context_free(contexts[k]);
    return test_failures != 0;
}
