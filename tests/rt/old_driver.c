/* old_driver.c: of each function that a driver lacks in turn: one that the library needs is named
 * in an error, and calls go to the host; without any other one, and without all of these, calls on
 * the GPU, copies, streams and events do what they do with it.  On the fake driver. */
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../fakecuda.h"
#include "../test.h"
#include "kernels.h"
#include "ufc.h"

enum need { REQUIRED, OPTIONAL };
static const struct {
    const char *name;
    enum need need;
} symbols[] = {
#define SYMBOL(need, name, symbol, params) {symbol, need},
#include "../../runtime/cuda/symbol.def"
#undef SYMBOL
};
enum { SYMBOLS = sizeof symbols / sizeof *symbols, ALL_OPTIONAL = -1 };

static int lacking;

#ifdef __SANITIZE_ADDRESS__ /* which calls it before it can be replaced */
enum { IS_REPLACED = 0 };
#else
enum { IS_REPLACED = 1 };

static bool is_lacking(const char *name) {
    for (int i = 0; i < SYMBOLS; i++)
        if (strcmp(symbols[i].name, name) == 0)
            return lacking == ALL_OPTIONAL ? symbols[i].need == OPTIONAL : i == lacking;
    return false;
}

/* The library finds this function before libc's. */
void *dlsym(void *library, const char *name) {
    static void *(*real)(void *, const char *);
    if (!real) {
        *(void **)&real = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
        if (!real)
            *(void **)&real = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
    }
    return is_lacking(name) ? NULL : real(library, name);
}
#endif

static ufc_error err;

/* The host and the GPU, a stream that waits for an event, pinned memory. */
static void call_on_gpu(void) {
    ufc_context *ctx = NULL;
    DLManagedTensorVersioned *x = NULL, *y = NULL, *z = NULL;
    void *stream = NULL;
    ufc_event *event = NULL;
    float five[] = {5, 6, 7}, sum[3] = {0};
    int64_t n[] = {3};
    DLTensor a = ufc_host_array(five, ufc_dltype(UFC_FLOAT32), 1, n), out = a;
    out.data = sum;
    REQUIRE(ufc_context_new(&ctx, "cuda", 0, &err) == UFC_OK);
    CHECK(kernels_add(ctx, NULL, ufc_array(&a), ufc_float(2), ufc_into(&out), &err) == UFC_OK);
    CHECK(sum[0] == 7 && sum[2] == 9 && fakecuda_launches() > 0);
    REQUIRE(ufc_stream_new(&stream, ctx, &err) == UFC_OK &&
            ufc_event_new(&event, ctx, &err) == UFC_OK);
    REQUIRE(ufc_to_device(ctx, NULL, &a, &x, &err) == UFC_OK);
    CHECK(kernels_add(ctx, NULL, ufc_array(&x->dl_tensor), ufc_float(3), ufc_new(&y), &err) ==
          UFC_OK);
    CHECK(ufc_event_record(event, NULL, &err) == UFC_OK &&
          ufc_event_wait(event, stream, &err) == UFC_OK);
    REQUIRE(ufc_empty(ctx, UFC_FLOAT32, 1, n, UFC_PINNED, &z, &err) == UFC_OK);
    CHECK(ufc_copy(ctx, stream, &y->dl_tensor, &z->dl_tensor, &err) == UFC_OK);
    CHECK(ufc_synchronize(ctx, stream, &err) == UFC_OK && ((float *)z->dl_tensor.data)[1] == 9);
    ufc_free(x);
    ufc_free(y);
    ufc_free(z);
    ufc_event_free(event);
    ufc_stream_free(ctx, stream);
    ufc_context_free(ctx);
    CHECK(fakecuda_live() == 0);
}

static void call_without_gpu(const char *lacks) {
    ufc_context *ctx = NULL;
    const char *why = NULL;
    float five[] = {5}, sum = 0;
    int64_t n[] = {1};
    DLTensor a = ufc_host_array(five, ufc_dltype(UFC_FLOAT32), 1, n), out = a;
    out.data = &sum;
    CHECK(ufc_context_new(&ctx, "cuda", 0, &err) == UFC_EDEVICE && !ctx);
    CHECK(strstr(err.message, lacks) && strstr(err.message, "or later is needed"));
    CHECK(ufc_device_count(&why) == 0 && why && strstr(why, lacks));
    CHECK(kernels_add(NULL, NULL, ufc_array(&a), ufc_float(5), ufc_into(&out), &err) == UFC_OK);
    CHECK(sum == 10 && fakecuda_calls("cuInit") == 0);
}

int main(void) {
    if (!IS_REPLACED)
        return SKIPPED;
    fakecuda_register(&kernels_add_ufunc);
    for (int i = ALL_OPTIONAL; i < SYMBOLS; i++) {
        int status = 1;
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            lacking = i;
            if (i != ALL_OPTIONAL && symbols[i].need == REQUIRED)
                call_without_gpu(symbols[i].name);
            else
                call_on_gpu();
            fflush(stdout);
            _exit(test_failures > 0);
        }
        CHECK(waitpid(child, &status, 0) == child);
        if (status != 0) {
            printf("without %s: %s\n", i < 0 ? "all that may lack" : symbols[i].name, err.message);
            test_failures++;
        }
    }
    printf("%d functions\n", SYMBOLS);
    return test_failures > 0;
}
