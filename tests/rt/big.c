/* big.c: more than 2^31 elements: counts, byte offsets and strides beyond 32 bits. */
#include <string.h>
#include "../test.h"
#include "kernels.h"
#include "ufc.h"

static const int64_t n = (1LL << 31) + 5;
static ufc_context *context;
static ufc_error err;

static DLTensor view(void *data, ufc_type dtype, int ndim, int64_t *shape, int64_t *strides) {
    DLTensor t = ufc_host_array(data, ufc_dltype(dtype), ndim, shape);
    t.strides = strides;
    return t;
}

static bool all_are(const int8_t *data, int64_t count, int8_t value) {
    return count == 0 || (*data == value && memcmp(data, data + 1, (size_t)count - 1) == 0);
}

static void bump(const DLTensor *x, const DLTensor *out) {
    *err.message = 0;
    CHECK(kernels_bump(context, NULL, ufc_array(x), ufc_into(out), &err) == UFC_OK);
    if (*err.message)
        printf("%s\n", err.message);
}

int main(void) {
    REQUIRE(ufc_context_new(&context, "cpu", 0, &err) == UFC_OK);
    int8_t *data = malloc((size_t)n + 16), one = 4;
    if (!data) {
        printf("big: no memory for %lld bytes\n", (long long)n);
        return SKIPPED;
    }
    int64_t shape[] = {n}, zero[] = {0}, minus[] = {-1};

    DLTensor x = view(&one, UFC_INT8, 1, shape, zero), out = view(data, UFC_INT8, 1, shape, NULL);
    bump(&x, &out); /* one element for all */
    CHECK(all_are(data, n, 5));

    bump(&out, &out); /* in place */
    CHECK(all_are(data, n, 6));

    data[n - 1] = 9; /* an overlap, found without a copy of each element being wrong */
    x = view(data + n - 1, UFC_INT8, 1, shape, minus);
    bump(&x, &x);
    CHECK(all_are(data, n - 1, 7) && data[n - 1] == 10);

    /* Two elements, 2^31 bytes apart; a column of two rows of 2^30. */
    int64_t two[] = {2}, far[] = {n - 1};
    int8_t ends[2];
    x = view(data, UFC_INT8, 1, two, far);
    out = view(ends, UFC_INT8, 1, two, NULL);
    bump(&x, &out);
    CHECK(ends[0] == 8 && ends[1] == 11);

    int64_t wide[] = {3, 1LL << 30}, rows[] = {1LL << 30, 1}, columns[] = {1, 0};
    int8_t column[] = {1, 2, 3};
    wide[0] = 2;
    x = view(column, UFC_INT8, 2, wide, columns);
    out = view(data, UFC_INT8, 2, wide, rows);
    bump(&x, &out);
    CHECK(all_are(data, 1LL << 30, 2) && all_are(data + (1LL << 30), 1LL << 30, 3));
    CHECK(data[n - 1] == 10);

    free(data);
    ufc_context_free(context);
    return test_failures > 0;
}
