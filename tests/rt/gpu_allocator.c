/* gpu_allocator.c: memory from the program's allocator.  On a GPU and on the fake driver. */
#include <string.h>
#include "../driver.h"
#include "../test.h"
#include "gpu_portions.h"
#include "ufc.h"

enum { N = 1 << 16 };
static ufc_context *gpu;
static ufc_error err;

/* An allocator that takes memory of the driver, counts it, and fails on request. */
static struct arena {
    int (*take)(unsigned long long *memory, size_t size);
    int (*give)(unsigned long long memory);
    int taken, given;
    size_t out;
    ufc_status fails;
    bool misaligned;
    void *stream;
} arena;

static ufc_status allocate(void *user, size_t bytes, void *stream, void **memory, ufc_error *why) {
    struct arena *a = user;
    unsigned long long address = 0;
    if (a->fails) {
        snprintf(why->message, sizeof why->message, "the arena is closed");
        return a->fails;
    }
    a->taken++;
    a->stream = stream;
    if (a->take(&address, bytes + 256) != 0)
        return UFC_ENOMEM;
    a->out += bytes;
    *memory = (void *)(uintptr_t)(address + (a->misaligned ? 8 : 0));
    return UFC_OK;
}

static void release(void *user, void *memory, size_t bytes, void *stream) {
    struct arena *a = user;
    (void)stream;
    a->given++;
    a->out -= bytes;
    CHECK(a->give((unsigned long long)(uintptr_t)memory / 256 * 256) == 0);
}

static const ufc_allocator allocator = {allocate, release, &arena};

static ufc_pool statistics(void) {
    ufc_pool pool;
    REQUIRE(ufc_pool_statistics(gpu, &pool, &err) == UFC_OK);
    return pool;
}

static bool is_ok(ufc_status status) {
    if (status != UFC_OK)
        printf("%s\n", err.message);
    return status == UFC_OK;
}

int main(void) {
    static float x[N], y[N];
    int64_t shape[] = {N};
    DLManagedTensorVersioned *a, *b = NULL, *c = NULL;
    void *stream, *driver = dlopen("libcuda.so.1", RTLD_NOW);
    if (ufc_context_new(&gpu, "cuda", 0, &err) != UFC_OK) {
        printf("%s\n", err.message);
        return SKIPPED;
    }
    make_known(&gpu_portions_blend_ufunc);
    make_known(&gpu_portions_plus_ufunc);
    *(void **)&arena.take = dlsym(driver, "cuMemAlloc_v2");
    *(void **)&arena.give = dlsym(driver, "cuMemFree_v2");
    REQUIRE(arena.take && arena.give);
    for (int i = 0; i < N; i++)
        x[i] = (float)(i % 100);
    DLTensor host = ufc_host_array(x, ufc_dltype(UFC_FLOAT32), 1, shape), back = host;
    back.data = y;

    /* arrays, results, and what calls need on their way */
    REQUIRE(is_ok(ufc_set_allocator(gpu, &allocator, &err)));
    REQUIRE(is_ok(ufc_to_device(gpu, NULL, &host, &a, &err)));
    CHECK(arena.taken == 1 && arena.out == sizeof x && statistics().used == sizeof x);
    ufc_arg in = ufc_array(&a->dl_tensor);
    REQUIRE(is_ok(gpu_portions_blend(gpu, NULL, in, ufc_int(1), ufc_new(&b), &err)));
    CHECK(arena.taken == 2 && statistics().used == 2 * sizeof x);
    REQUIRE(is_ok(ufc_reduce(gpu, NULL, &gpu_portions_plus_ufunc, in, ufc_new(&c), NULL, &err)));
    CHECK(arena.taken == 4 && arena.given == 1); /* the result, and rows of pieces */
    CHECK(statistics().peak > 2 * sizeof x && statistics().reserved >= statistics().used);
    ufc_free(c);
    REQUIRE(is_ok(gpu_portions_blend(gpu, NULL, ufc_array(&host), in, ufc_into(&back), &err)));
    CHECK(y[99] == 3 * 99 && arena.taken == 6 && arena.out == 2 * sizeof x);
    REQUIRE(is_ok(ufc_copy(gpu, NULL, &b->dl_tensor, &back, &err)));
    CHECK(y[99] == 2 * 99 + 1);
    ufc_free(b);
    CHECK(arena.out == sizeof x);

    /* the stream is told */
    REQUIRE(is_ok(ufc_stream_new(&stream, gpu, &err)));
    REQUIRE(is_ok(gpu_portions_blend(gpu, stream, in, ufc_int(1), ufc_new(&b), &err)));
    CHECK(arena.stream == stream);
    REQUIRE(is_ok(ufc_synchronize(gpu, stream, &err)));
    ufc_free(b);
    ufc_stream_free(gpu, stream);

    /* what fails in the allocator fails the call, and the next one works */
    arena.fails = UFC_EIO;
    CHECK(gpu_portions_blend(gpu, NULL, in, ufc_int(1), ufc_new(&b), &err) == UFC_EIO && !b);
    CHECK(strstr(err.message, "the arena is closed") && strstr(err.message, "262144 bytes"));
    arena.fails = UFC_OK;
    arena.misaligned = true;
    CHECK(gpu_portions_blend(gpu, NULL, in, ufc_int(1), ufc_new(&b), &err) == UFC_EINVAL && !b);
    CHECK(strstr(err.message, "aligned"));
    arena.misaligned = false;
    CHECK(ufc_pool_set_limit(gpu, 3 * sizeof x / 2, &err) == UFC_OK);
    CHECK(gpu_portions_blend(gpu, NULL, in, ufc_int(1), ufc_new(&b), &err) == UFC_ENOMEM && !b);
    CHECK(ufc_pool_set_limit(gpu, 0, &err) == UFC_OK);
    CHECK(is_ok(gpu_portions_blend(gpu, NULL, in, ufc_int(1), ufc_new(&b), &err)));
    CHECK(arena.out == 2 * sizeof x);

    /* memory goes back to where it came from: after a change, and after the context's end */
    CHECK(is_ok(ufc_set_allocator(gpu, NULL, &err)));
    int taken = arena.taken;
    REQUIRE(is_ok(ufc_empty(gpu, UFC_FLOAT32, 1, shape, UFC_DEVICE, &c, &err)));
    CHECK(arena.taken == taken && statistics().used == 3 * sizeof x);
    ufc_free(a);
    CHECK(arena.out == sizeof x);
    ufc_context_free(gpu);
    ufc_free(b);
    ufc_free(c);
    CHECK(arena.out == 0 && arena.taken == arena.given);

    REQUIRE(ufc_context_new(&gpu, "cpu", 0, &err) == UFC_OK);
    CHECK(ufc_set_allocator(gpu, &allocator, &err) == UFC_EDEVICE);
    CHECK(ufc_set_allocator(gpu, &(ufc_allocator){NULL, release, NULL}, &err) == UFC_EINVAL);
    ufc_context_free(gpu);
    return test_failures > 0;
}
