/* gpu_pool.c: what a GPU context's memory pool has, its limit, and memory that is given back.  On a
 * GPU and on the fake driver. */
#include <string.h>
#include "../driver.h"
#include "../test.h"
#include "twice.h"
#include "ufc.h"

enum { MEGABYTE = 1 << 20 };
static ufc_context *gpu;
static ufc_error err;

static ufc_pool statistics(void) {
    ufc_pool pool;
    REQUIRE(ufc_pool_statistics(gpu, &pool, &err) == UFC_OK);
    return pool;
}

static ufc_status bytes(int64_t size, DLManagedTensorVersioned **array) {
    *array = NULL;
    return ufc_empty(gpu, UFC_UINT8, 1, &size, UFC_DEVICE, array, &err);
}

static void open_gpu(const char *limit) {
    REQUIRE(limit ? !setenv("UFC_GPU_MEMORY_LIMIT", limit, 1) : !unsetenv("UFC_GPU_MEMORY_LIMIT"));
    REQUIRE(ufc_context_new(&gpu, "cuda", 0, &err) == UFC_OK);
}

static void counts(void) {
    DLManagedTensorVersioned *a, *b;
    open_gpu(NULL);
    ufc_pool before = statistics();
    CHECK(before.used == 0 && before.limit == 0);
    REQUIRE(bytes(3 * MEGABYTE, &a) == UFC_OK && bytes(MEGABYTE, &b) == UFC_OK);
    ufc_pool both = statistics();
    CHECK(both.used >= 4 * MEGABYTE && both.used < 8 * MEGABYTE);
    CHECK(both.reserved >= both.used && both.peak >= both.used);
    ufc_free(a);
    CHECK(ufc_synchronize(gpu, NULL, &err) == UFC_OK);
    ufc_pool one = statistics();
    CHECK(one.used == both.used - 3 * MEGABYTE && one.peak == both.peak);
    CHECK(one.reserved == both.reserved); /* kept for the next call */
    ufc_free(b);
    CHECK(ufc_pool_free_all(gpu, &err) == UFC_OK);
    ufc_pool none = statistics();
    CHECK(none.used == 0 && none.reserved == 0 && none.peak == both.peak);
    ufc_context_free(gpu);
}

/* A call that would exceed the limit fails, and the next one works; memory that is being freed on
 * the stream counts no longer once the stream is waited for. */
static void limited(void) {
    enum { N = MEGABYTE / 4 };
    int64_t shape[] = {N};
    DLManagedTensorVersioned *x, *y = NULL, *z = NULL;
    open_gpu(NULL);
    CHECK(ufc_pool_set_limit(gpu, 5 * MEGABYTE / 2, &err) == UFC_OK);
    REQUIRE(ufc_empty(gpu, UFC_FLOAT32, 1, shape, UFC_DEVICE, &x, &err) == UFC_OK);
    static float ones[N];
    for (int i = 0; i < N; i++)
        ones[i] = 1;
    DLTensor host = ufc_host_array(ones, x->dl_tensor.dtype, 1, shape);
    CHECK(ufc_copy(gpu, NULL, &host, &x->dl_tensor, &err) == UFC_OK);

    ufc_arg in = ufc_array(&x->dl_tensor);
    CHECK(twice_twice(gpu, NULL, in, ufc_new(&y), &err) == UFC_OK);
    CHECK(twice_twice(gpu, NULL, in, ufc_new(&z), &err) == UFC_ENOMEM && !z);
    CHECK(strstr(err.message, "1048576 bytes were asked for") && strstr(err.message, "2621440"));
    ufc_free(y);
    CHECK(twice_twice(gpu, NULL, in, ufc_new(&z), &err) == UFC_OK);
    CHECK(ufc_copy(gpu, NULL, &z->dl_tensor, &host, &err) == UFC_OK);
    CHECK(ones[0] == 2 && ones[N - 1] == 2);
    CHECK(statistics().limit == 5 * MEGABYTE / 2);
    CHECK(ufc_pool_set_limit(gpu, 0, &err) == UFC_OK);
    CHECK(twice_twice(gpu, NULL, in, ufc_new(&y), &err) == UFC_OK);
    ufc_free(y);
    ufc_context_free(gpu); /* before arrays that are from its pool */
    ufc_free(x);
    ufc_free(z);
}

/* More than there is. */
static void exhausted(void) {
    DLManagedTensorVersioned *a;
    ufc_properties props;
    open_gpu(NULL);
    REQUIRE(ufc_context_properties(gpu, &props, &err) == UFC_OK);
    CHECK(bytes((int64_t)props.memory + 1, &a) == UFC_ENOMEM && !a);
    CHECK(strstr(err.message, "bytes were asked for"));
    REQUIRE(bytes(MEGABYTE, &a) == UFC_OK);
    ufc_free(a);
    ufc_context_free(gpu);
}

static void of_environment(void) {
    static const char *const malformed[] = {"x", "-1", "0", "101%", "1Q", "5%M", "2GB"};
    static const struct {
        const char *text;
        uint64_t limit;
    } limits[] = {{"1000000", 1000000}, {"3K", 3072}, {"500M", 524288000}, {"2G", 2147483648}};
    DLManagedTensorVersioned *a;
    ufc_properties props;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        open_gpu(limits[i].text);
        CHECK(statistics().limit == limits[i].limit);
        ufc_context_free(gpu);
    }
    open_gpu("3K");
    CHECK(bytes(MEGABYTE, &a) == UFC_ENOMEM);
    ufc_context_free(gpu);
    open_gpu("50%");
    REQUIRE(ufc_context_properties(gpu, &props, &err) == UFC_OK);
    CHECK(statistics().limit == props.memory / 2);
    ufc_context_free(gpu);
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++) {
        REQUIRE(!setenv("UFC_GPU_MEMORY_LIMIT", malformed[i], 1));
        CHECK(ufc_context_new(&gpu, "cpu", 0, &err) == UFC_EINVAL);
        CHECK(strstr(err.message, malformed[i]));
    }
    REQUIRE(!unsetenv("UFC_GPU_MEMORY_LIMIT"));
}

static void elsewhere(void) {
    ufc_pool pool;
    REQUIRE(ufc_context_new(&gpu, "cpu", 0, &err) == UFC_OK);
    CHECK(ufc_pool_statistics(gpu, &pool, &err) == UFC_EDEVICE);
    CHECK(ufc_pool_free_all(gpu, &err) == UFC_EDEVICE);
    CHECK(ufc_pool_set_limit(gpu, 1, &err) == UFC_EDEVICE && strstr(err.message, "cpu"));
    CHECK(ufc_pool_statistics(gpu, NULL, &err) == UFC_EINVAL);
    ufc_context_free(gpu);
}

int main(void) {
    if (ufc_context_new(&gpu, "cuda", 0, &err) != UFC_OK) {
        printf("%s\n", err.message);
        return SKIPPED;
    }
    ufc_context_free(gpu);
    make_known(&twice_twice_ufunc);
    counts();
    limited();
    exhausted();
    of_environment();
    elsewhere();
    return test_failures > 0;
}
