/* stack.c: what calls take of their thread's stack is what ufc.h promises, whatever the arrays: on
 * the host, in the simulator and on the fake driver.  The stack is filled with a pattern, and the
 * lowest byte that has changed is found. */
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include "../fakecuda.h"
#include "../test.h"
#include "kernels.h"
#include "matmul.h"

enum { STACK = 1 << 18, SIDE = 96, CALL = 32768, OTHERS = 65536 };
enum { KERNEL = 16384 }; /* of a kernel, which the fake driver runs in the thread that waits */
static float a[SIDE * SIDE * 4], b[SIDE * SIDE * 4];
static int8_t small[SIDE * SIDE * 4];
static bool mask[SIDE * SIDE];
static int64_t square[] = {SIDE, SIDE}, turned[] = {1, SIDE}, apart[] = {2 * SIDE, 2},
               row[] = {SIDE};
static ufc_context *ctx;
static ufc_error err;

static DLTensor matrix(void *data, ufc_type type, int64_t *strides) {
    DLTensor t = ufc_host_array(data, ufc_dltype(type), 2, square);
    t.strides = strides;
    return t;
}

static ufc_status add(DLTensor x, DLTensor y, DLTensor z, const ufc_keywords *kw) {
    ufc_arg in[] = {ufc_array(&x), ufc_array(&y)};
    ufc_out out = ufc_into(&z);
    return ufc_call_with(ctx, NULL, &kernels_add_ufunc, in, &out, kw, &err);
}

static ufc_status plain(void) {
    DLTensor x = matrix(a, UFC_FLOAT32, NULL);
    return add(x, x, matrix(b, UFC_FLOAT32, NULL), NULL);
}

static ufc_status transposed(void) {
    return add(matrix(a, UFC_FLOAT32, turned), matrix(a, UFC_FLOAT32, NULL),
               matrix(b, UFC_FLOAT32, NULL), NULL);
}

static ufc_status strided(void) {
    return add(matrix(a, UFC_FLOAT32, apart), matrix(a, UFC_FLOAT32, NULL),
               matrix(b, UFC_FLOAT32, NULL), NULL);
}

static ufc_status converted(void) {
    return add(matrix(a, UFC_FLOAT32, turned), matrix(small, UFC_INT8, apart),
               matrix(b, UFC_FLOAT32, NULL), NULL);
}

static ufc_status masked(void) {
    DLTensor where = ufc_host_array(mask, ufc_dltype(UFC_BOOL), 2, square);
    ufc_keywords kw = {.where = &where};
    return add(matrix(a, UFC_FLOAT32, turned), matrix(a, UFC_FLOAT32, NULL),
               matrix(b, UFC_FLOAT32, apart), &kw);
}

static ufc_status overlapping(void) {
    return add(matrix(a, UFC_FLOAT32, turned), matrix(a + 1, UFC_FLOAT32, NULL),
               matrix(a, UFC_FLOAT32, NULL), NULL);
}

static ufc_status into_new(void) {
    DLManagedTensorVersioned *made = NULL;
    DLTensor x = matrix(a, UFC_FLOAT32, turned);
    ufc_arg in[] = {ufc_array(&x), ufc_float(1)};
    ufc_out out = ufc_new(&made);
    ufc_status status = ufc_call(ctx, NULL, &kernels_add_ufunc, in, &out, &err);
    ufc_free(made);
    return status;
}

static ufc_status mistaken(void) {
    DLTensor x = matrix(a, UFC_FLOAT32, NULL), y = matrix(b, UFC_FLOAT32, NULL);
    y.ndim = 1;
    y.shape = row;
    return add(x, x, y, NULL) == UFC_ESHAPE ? UFC_OK : UFC_EINVAL;
}

static ufc_status gufunc(void) {
    DLTensor x = matrix(a, UFC_FLOAT32, turned), y = matrix(a, UFC_FLOAT32, NULL),
             z = matrix(b, UFC_FLOAT32, apart);
    ufc_arg in[] = {ufc_array(&x), ufc_array(&y)};
    ufc_out out = ufc_into(&z);
    return ufc_call(ctx, NULL, &matmul_product_ufunc, in, &out, &err);
}

static ufc_status explained(void) {
    static ufc_plan_description d;
    DLTensor x = matrix(a, UFC_FLOAT32, turned), z = matrix(b, UFC_FLOAT32, NULL);
    ufc_arg in[] = {ufc_array(&x), ufc_array(&x)};
    ufc_out out = ufc_into(&z);
    return ufc_explain(ctx, NULL, &kernels_add_ufunc, in, &out, NULL, &d, &err);
}

static ufc_status copied(void) {
    DLTensor x = matrix(a, UFC_FLOAT32, turned), z = matrix(b, UFC_FLOAT32, apart);
    return ufc_copy(ctx, NULL, &x, &z, &err);
}

static ufc_status reduced(void) {
    DLTensor x = matrix(a, UFC_FLOAT32, turned), z = ufc_host_array(b, x.dtype, 1, row);
    return ufc_reduce(ctx, NULL, &kernels_total_ufunc, ufc_array(&x), ufc_into(&z), NULL, &err);
}

static ufc_status accumulated(void) {
    DLTensor x = matrix(a, UFC_FLOAT32, turned), z = matrix(b, UFC_FLOAT32, NULL);
    return ufc_accumulate(ctx, NULL, &kernels_total_ufunc, ufc_array(&x), ufc_into(&z), NULL, &err);
}

static ufc_status outer(void) {
    DLTensor x = ufc_host_array(a, ufc_dltype(UFC_FLOAT32), 1, row),
             z = matrix(b, UFC_FLOAT32, NULL);
    return ufc_outer(ctx, NULL, &kernels_add_ufunc, ufc_array(&x), ufc_array(&x), ufc_into(&z),
                     NULL, &err);
}

static ufc_status at(void) {
    static int64_t indices[SIDE];
    DLTensor z = matrix(b, UFC_FLOAT32, NULL),
             i = ufc_host_array(indices, ufc_dltype(UFC_INT64), 1, row);
    return ufc_at(ctx, NULL, &kernels_add_ufunc, &z, &i, ufc_float(1), &err);
}

static const struct {
    const char *name;
    ufc_status (*call)(void);
    int most;
} calls[] = {
    {"plain", plain, CALL},
    {"transposed", transposed, CALL},
    {"strided", strided, CALL},
    {"converted", converted, CALL},
    {"masked", masked, CALL},
    {"overlapping", overlapping, CALL},
    {"into new", into_new, CALL},
    {"mistaken", mistaken, CALL},
    {"gufunc", gufunc, OTHERS},
    {"explain", explained, OTHERS},
    {"copy", copied, OTHERS},
    {"reduce", reduced, OTHERS},
    {"accumulate", accumulated, OTHERS},
    {"outer", outer, OTHERS},
    {"at", at, OTHERS},
};

static void *run(void *call) {
    return (void *)(intptr_t)(call ? calls[(intptr_t)call - 1].call() : UFC_OK);
}

/* Bytes that a call takes of a stack, the thread's own too; 0: none, but what the thread takes. */
static int taken(intptr_t call) {
    static unsigned char *stack;
    pthread_attr_t attributes;
    pthread_t thread;
    void *status;
    if (!stack)
        stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(stack != MAP_FAILED);
    memset(stack, 0xA5, STACK);
    REQUIRE(pthread_attr_init(&attributes) == 0);
    REQUIRE(pthread_attr_setstack(&attributes, stack, STACK) == 0);
    REQUIRE(pthread_create(&thread, &attributes, run, (void *)call) == 0);
    REQUIRE(pthread_join(thread, &status) == 0);
    pthread_attr_destroy(&attributes);
    if (status)
        puts(err.message);
    CHECK(!status);
    int low = 0;
    while (low < STACK && stack[low] == 0xA5)
        low++;
    return STACK - low;
}

int main(void) {
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__ || defined COVERAGE
    return SKIPPED; /* whose code takes more */
#endif
    static const char *const devices[] = {"cpu", "sim", "cuda"};
    fakecuda_register(&kernels_add_ufunc);
    fakecuda_register(&kernels_total_ufunc);
    fakecuda_register(&matmul_product_ufunc);
    for (int d = 0; d < 3; d++) {
        REQUIRE(ufc_context_new(&ctx, devices[d], 1, &err) == UFC_OK);
        int own = taken(0);
        for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
            int first = taken((intptr_t)i + 1) - own, again = taken((intptr_t)i + 1) - own;
            int most = first > again ? first : again;
            printf("%s %s: %d bytes\n", devices[d], calls[i].name, most);
            CHECK(most <= calls[i].most + (strcmp(devices[d], "cuda") == 0 ? KERNEL : 0));
        }
        ufc_context_free(ctx);
    }
    return test_failures > 0;
}
