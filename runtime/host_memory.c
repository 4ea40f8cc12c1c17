/* host_memory.c: what is common to devices whose arrays are in the host's memory and whose work is
 * done when a call returns. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "rt.h"

#define PAGE      4096      /* bytes */
#define HUGE_PAGE (2 << 20) /* bytes */

/* Large arrays are on huge pages, where the system has them, as NumPy's are. */
ufc_status host_alloc(ufc_context *ctx, void *stream, size_t size, void **memory, ufc_error *err) {
    (void)ctx;
    (void)stream;
    bool large = size >= 2 * (size_t)HUGE_PAGE;
    if (size > PTRDIFF_MAX || posix_memalign(memory, large ? HUGE_PAGE : 256, size ? size : 1))
        *memory = NULL;
    if (*memory && large)
        (void)madvise(*memory, size & -(size_t)PAGE, MADV_HUGEPAGE);
    return *memory ? UFC_OK : fail(err, UFC_ENOMEM, "out of memory for %zu bytes", size);
}

void host_free(ufc_context *ctx, void *stream, void *memory) {
    (void)ctx;
    (void)stream;
    free(memory);
}

static void clear_range(void *arg, int64_t begin, int64_t end) {
    memset((char *)arg + begin, 0, (size_t)(end - begin));
}

ufc_status host_clear(ufc_context *ctx, void *stream, void *memory, size_t size, ufc_error *err) {
    (void)stream, (void)err;
    parallel_for(ctx->threads, (int64_t)size, HUGE_PAGE, clear_range, memory);
    return UFC_OK;
}

/* ---- copies: a loop like any other, whose kernel stores what it loads */

#define COPY_KERNEL(TYPE)                                                                          \
    static void copy_##TYPE(char **args, const intptr_t *dimensions, const intptr_t *steps,        \
                            void *data) {                                                          \
        (void)data;                                                                                \
        const char *src = args[0];                                                                 \
        char *dst = args[1];                                                                       \
        intptr_t n = dimensions[0], from = steps[0], to = steps[1];                                \
        if (from == sizeof(TYPE) && to == sizeof(TYPE)) {                                          \
            memmove(dst, src, (size_t)n * sizeof(TYPE));                                           \
            return;                                                                                \
        }                                                                                          \
        for (; n > 0; n--, src += from, dst += to)                                                 \
            *(TYPE *)dst = *(const TYPE *)src;                                                     \
    }

typedef __attribute__((aligned(4))) uint64_t single_pair; /* aligned as a complex64 */
typedef struct {
    uint64_t part[2];
} double_pair; /* aligned as a complex128 */

COPY_KERNEL(uint8_t)
COPY_KERNEL(uint16_t)
COPY_KERNEL(uint32_t)
COPY_KERNEL(single_pair)
COPY_KERNEL(double_pair)

ufc_status host_copy(ufc_context *ctx, void *stream, struct iteration *it, ufc_error *err) {
    static ufc_host_kernel *const by_size[] = {[1] = copy_uint8_t,
                                               [2] = copy_uint16_t,
                                               [4] = copy_uint32_t,
                                               [8] = copy_single_pair,
                                               [16] = copy_double_pair};
    uint8_t to = (uint8_t)it->dtype[1], dtypes[] = {to, to};
    struct ufc_overload copy = {
        .dtypes = dtypes, .signature = "copy", .host = {by_size[dtype_info[to].size]}};
    it->overload = &copy;
    ufc_status status = ops_of(ctx->device)->execute(ctx, stream, it, err);
    it->overload = NULL;
    return status;
}

/* ---- time */

ufc_status host_synchronize(ufc_context *ctx, void *stream, ufc_error *err) {
    (void)ctx;
    (void)stream;
    (void)err;
    return UFC_OK;
}

ufc_status host_elapsed(ufc_context *ctx, void *stream, void (*work)(void *arg), void *arg,
                        double *seconds, ufc_error *err) {
    (void)ctx, (void)stream, (void)err;
    struct timespec start, end;
    clock_gettime(CLOCK_MONOTONIC, &start);
    work(arg);
    clock_gettime(CLOCK_MONOTONIC, &end);
    *seconds = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    return UFC_OK;
}
