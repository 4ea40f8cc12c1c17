/* starved.c: a compilation whose memory ends at any point, in LLVM too, for good or for once, gives
 * an error; the process lives, and when there is memory again it either generates code or says that
 * it will not.
 *
 *     starved [POINTS]     at so many points, spread over all allocations of each use */
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../test.h"
#include "ufc.h"
#include "ufcc.h"

/* ---- malloc and its family, which fail from one call on, or once */

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t align, size_t size);

static long allocations, first_failing = -1; /* -1: none fails */
static bool for_once;

#ifndef __SANITIZE_ADDRESS__ /* which has a malloc of its own */
static bool fails(void) {
    long number = __atomic_fetch_add(&allocations, 1, __ATOMIC_RELAXED);
    bool failing =
        first_failing >= 0 && (for_once ? number == first_failing : number >= first_failing);
    if (failing)
        errno = ENOMEM;
    return failing;
}

void *malloc(size_t size) {
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size) {
    return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size) {
    return fails() ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t align, size_t size) {
    return fails() ? NULL : __libc_memalign(align, size);
}
#endif

/* ---- one use of the compiler */

static const char source[] = "ufunc wave(x, y) : float64(float64, float64) = sin(x) * exp(y)\n"
                             "gufunc total(x[n]) -> y : float32(float32) = sum(x[k] for k) / n\n";

static int errors;
static char message[300]; /* the last error */

static void report(void *user, const ufcc_diagnostic *d) {
    (void)user;
    if (d->severity == UFCC_ERROR) {
        errors++;
        snprintf(message, sizeof message, "%s", d->message);
    }
}

static bool emits(unsigned targets, ufcc_output output) {
    ufcc_options options = {.targets = targets, .native = true, .diagnostic = report};
    ufcc_program *p = ufcc_compile("wave.uf", source, strlen(source), &options);
    char *data = NULL;
    size_t size;
    bool ok = p != NULL && ufcc_emit(p, output, &data, &size);
    free(data);
    ufcc_free(p);
    return ok;
}

static bool builds(void) {
    return emits(UFCC_HOST, UFCC_OBJECT);
}

static bool makes_ptx(void) {
    return emits(UFCC_CUDA, UFCC_PTX);
}

/* Calls a function of a program; starving: memory may end in the call, whose code it makes. */
static bool calls(const ufcc_program *p, bool starving) {
    double y = -1;
    DLTensor result = ufc_host_array(&y, ufc_dltype(UFC_FLOAT64), 0, NULL);
    ufc_arg in[] = {ufc_float(0), ufc_float(1)};
    ufc_out out[] = {ufc_into(&result)};
    ufc_error err = {{0}};
    long first = first_failing;
    if (!starving)
        first_failing = -1;
    ufc_status status = ufc_call(NULL, NULL, ufcc_function(p, "wave"), in, out, &err);
    first_failing = first;
    CHECK(status != UFC_OK || y == 0);
    CHECK(status == UFC_OK || status == UFC_ENOMEM || status == UFC_ECOMPILE);
    errors += status != UFC_OK;
    if (status != UFC_OK)
        snprintf(message, sizeof message, "%.250s", err.message);
    return status == UFC_OK;
}

static bool load(bool eager) {
    ufcc_options options = {.targets = UFCC_HOST, .eager = eager, .diagnostic = report};
    ufcc_program *p = ufcc_compile("wave.uf", source, strlen(source), &options);
    bool ok = p != NULL && ufcc_load(p) && calls(p, !eager);
    ufcc_free(p);
    return ok;
}

static bool loads(void) {
    return load(true);
}

static bool makes_when_called(void) {
    return load(false);
}

/* ---- the memory ends */

/* In a process of its own: memory ends at allocation `first`, and comes back.  One that fails alone
 * may be one that the program does without. */
static int starve(bool (*use)(void), long first) {
    alarm(60);
    allocations = 0;
    first_failing = first;
    bool ok = use();
    first_failing = -1;
    CHECK(ok ? errors == 0 : errors == 1);
    CHECK(ok || strstr(message, "out of memory") || strstr(message, "cannot"));
    errors = 0;
    CHECK(emits(UFCC_HOST, UFCC_HEADER));
    CHECK(use() ? errors == 0 : strstr(message, "generate no more") && errors == 1);
    if (test_failures > 0)
        printf("  memory ended at allocation %ld: %s\n", first, message);
    return test_failures > 0;
}

static void test(const char *name, bool (*use)(void), int points) {
    allocations = 0;
    REQUIRE(use());
    long all = allocations;
    for (int i = 0; i < points; i++) {
        long first = (long)((double)all * i / points);
        for_once = i % 2;
        fflush(stdout);
        pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0)
            exit(starve(use, first));
        int status;
        REQUIRE(waitpid(child, &status, 0) == child);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            printf("%s: memory ended%s at allocation %ld of %ld: status %#x\n", name,
                   for_once ? " once" : "", first, all, status);
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}

int main(int argc, char **argv) {
#ifdef __SANITIZE_ADDRESS__
    return SKIPPED;
#endif
    int points = argc > 1 ? atoi(argv[1]) : 20;
    test("object", builds, points);
    test("PTX", makes_ptx, points);
    test("load", loads, points);
    test("call", makes_when_called, points);
    return test_failures > 0;
}
