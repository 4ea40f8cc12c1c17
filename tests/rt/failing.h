/* failing.h: each allocation of a call fails in turn, alone and with all after it, and each call of
 * the (fake) driver, by whatever it may fail with: an error, no crash, nothing lost, and the same
 * call succeeds afterwards.  What is called are jobs of the file that includes it. */
#ifndef FAILING_H
#define FAILING_H

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>
#include "../fakecuda.h"
#include "../test.h"
#include "ufc.h"

/* ---- allocations of the libraries, which find these functions before libc's */

static atomic_long made, freed;      /* while `counts` */
static atomic_long asked, first_bad; /* the requests so far; the first to fail, or 0 */
static atomic_bool counts, has_failed, all_after;
static struct {
    const char *begin, *end;
} driver; /* whose own allocations do not fail: a call of it does, by fakecuda_fail */

static _Thread_local bool starting; /* a thread, by what cannot fail */

UNCHANGED static bool fails(const void *caller) {
    if (!atomic_load(&counts) || starting)
        return false;
    const char *at = caller;
    if (at >= driver.begin && at < driver.end)
        return false;
    long n = atomic_fetch_add(&asked, 1) + 1, bad = atomic_load(&first_bad);
    if (!bad || n < bad || (n > bad && !atomic_load(&all_after)))
        return false;
    atomic_store(&has_failed, true);
    errno = ENOMEM;
    return true;
}

UNCHANGED static void *count(void *memory) {
    if (memory && atomic_load(&counts))
        atomic_fetch_add(&made, 1);
    return memory;
}

#define FAILS fails(__builtin_return_address(0))

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define REAL(name) __interceptor_##name
#else
#define REAL(name) __libc_##name
#endif
void *REAL(malloc)(size_t size);
void *REAL(calloc)(size_t n, size_t size);
void *REAL(realloc)(void *old, size_t size);
void *REAL(memalign)(size_t alignment, size_t size);
void REAL(free)(void *memory);

UNCHANGED void *malloc(size_t size) {
    return FAILS ? NULL : count(REAL(malloc)(size));
}

UNCHANGED void *calloc(size_t n, size_t size) {
    return FAILS ? NULL : count(REAL(calloc)(n, size));
}

UNCHANGED void *realloc(void *old, size_t size) {
    if (FAILS)
        return NULL;
    void *memory = REAL(realloc)(old, size);
    return old ? memory : count(memory);
}

UNCHANGED void *aligned_alloc(size_t alignment, size_t size) {
    return FAILS ? NULL : count(REAL(memalign)(alignment, size));
}

UNCHANGED int posix_memalign(void **memory, size_t alignment, size_t size) {
    void *aligned = FAILS ? NULL : count(REAL(memalign)(alignment, size));
    if (aligned)
        *memory = aligned;
    return aligned ? 0 : ENOMEM;
}

UNCHANGED void free(void *memory) {
    if (memory && atomic_load(&counts))
        atomic_fetch_add(&freed, 1);
    REAL(free)(memory);
}

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
/* The sanitizer asks where a new thread's stack is, and ends the process where that fails. */
UNCHANGED int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes) {
    int (*real)(pthread_t, pthread_attr_t *);
    starting = true;
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_getattr_np");
    int result = real(thread, attributes);
    starting = false;
    return result;
}
#endif

/* A sanitizer would take what the dynamic linker keeps for lost; what is, is counted here. */
const char *__asan_default_options(void) {
    return "detect_leaks=0";
}

/* ---- what is called */

static ufc_error err;
static char path[] = "/tmp/ufc-allocations-XXXXXX";

#define TRY(call)                                                                                  \
    do {                                                                                           \
        ufc_status status_ = call;                                                                 \
        if (status_ != UFC_OK)                                                                     \
            return status_;                                                                        \
    } while (0)

static ufc_status check(bool holds) {
    if (!holds)
        test_failures++;
    return holds ? UFC_OK : (snprintf(err.message, sizeof err.message, "wrong values"), UFC_ESIM);
}

static DLTensor view(void *data, ufc_type type, int ndim, int64_t *shape) {
    return ufc_host_array(data, ufc_dltype(type), ndim, shape);
}

enum { ROWS = 6, COLUMNS = 7, N = ROWS * COLUMNS, MOST = 40000 };
static int many; /* elements that are reduced by several threads or blocks */
static int64_t matrix[] = {ROWS, COLUMNS}, turned[] = {1, ROWS}, square[] = {6, 6};

static double *doubles(int n) {
    static double x[2 * MOST];
    for (int i = 0; i < n; i++)
        x[i] = i % 10;
    return x;
}

/* ---- each failure in turn */

struct job {
    const char *name;
    ufc_status (*run)(ufc_context *ctx);
};

struct setting {
    const char *device;
    int threads;
    bool own; /* a context of its own, else the process's */
    int many;
};

static ufc_status run(const struct job *job, const struct setting *s) {
    ufc_context *ctx = NULL;
    *err.message = 0;
    if (s->own)
        TRY(ufc_context_new(&ctx, s->device, s->threads, &err));
    ufc_status status = job->run(ctx);
    ufc_context_free(ctx);
    return status;
}

int cuCtxGetCurrent(void **context);
int cuCtxSynchronize(void);
int cuCtxPushCurrent_v2(void *context);
int cuCtxPopCurrent_v2(void **context);
int cuDevicePrimaryCtxRetain(void **context, int device);

/* The fake driver does what waits, and frees it. */
static void settle(void) {
    void *primary, *current = NULL;
    fakecuda_fail(0, 0, false);
    if (cuDevicePrimaryCtxRetain(&primary, 0) == 0 && cuCtxPushCurrent_v2(primary) == 0) {
        CHECK(cuCtxSynchronize() == 0);
        CHECK(cuCtxPopCurrent_v2(&current) == 0);
    }
    CHECK(cuCtxGetCurrent(&current) == 0 && !current);
}

/* How something fails. */
static const struct how {
    const char *name;
    int result; /* of the driver, a CUresult; 0: an allocation fails */
    bool all_after;
} hows[] = {
    {"allocation", 0, false},
    {"allocations from", 0, true},
    {"driver call, out of memory,", 2, false},
    {"driver call, illegal address,", 700, false},
    {"driver call, not ready,", 600, false},
    {"driver call, unsupported PTX,", 222, false},
    {"driver calls from, device lost,", 719, true},
};
enum { HOWS = sizeof hows / sizeof *hows };

static void wrong(const struct job *job, const struct setting *s, const char *how, long n,
                  const char *what) {
    printf("%s, %s, %d threads, %s %ld: %s: %s\n", job->name, s->own ? s->device : "default",
           s->threads, how, n, what, err.message);
    test_failures++;
}

static void set_failure(const struct how *how, long n) {
    atomic_store(&made, 0);
    atomic_store(&freed, 0);
    atomic_store(&asked, 0);
    atomic_store(&has_failed, false);
    atomic_store(&all_after, how->all_after);
    atomic_store(&first_bad, how->result ? 0 : n);
    fakecuda_fail(how->result ? (unsigned)n : 0, how->result, how->all_after);
    atomic_store(&counts, true);
}

/* True: what was to fail did. */
static bool clear_failure(void) {
    bool failed = atomic_load(&has_failed);
    atomic_store(&first_bad, 0);
    return fakecuda_fail(0, 0, false) || failed;
}

/* The n-th fails.  True: something was lost, as err says.  Of a driver that fails from a call on,
 * what it did not free is its own loss. */
static bool fail_at(const struct job *job, const struct setting *s, const struct how *how, long n,
                    bool *failed) {
    unsigned live = fakecuda_live();
    set_failure(how, n);
    ufc_status status = run(job, s);
    *failed = clear_failure();
    if (status != UFC_OK && !*err.message)
        wrong(job, s, how->name, n, "no message");
    if (status != UFC_OK && !*failed)
        wrong(job, s, how->name, n, "an error without a failure");
    if (status == UFC_ESIM || status == UFC_EINVAL)
        wrong(job, s, how->name, n, "another error");
    if ((how->result || !how->all_after) && run(job, s) != UFC_OK)
        wrong(job, s, how->name, n, "afterwards");
    settle();
    atomic_store(&counts, false);
    bool lost = atomic_load(&made) > atomic_load(&freed) || fakecuda_live() != live;
    snprintf(err.message, sizeof err.message, "%ld made, %ld freed, %u of the device's",
             atomic_load(&made), atomic_load(&freed), fakecuda_live() - live);
    return lost && !(how->result && how->all_after);
}

/* How many there were to fail.  The process's context keeps what a failure makes it take: pinned
 * memory, where that of the calls before cannot be asked whether it is idle, which depends on the
 * addresses of streams.  What is lost is lost in each of several turns. */
static long fail_each(const struct job *job, const struct setting *s, const struct how *how) {
    enum { TURNS = 8 };
    for (long n = 1;; n++) {
        bool failed, lost = true;
        for (int turn = 0; lost && turn < (s->own ? 1 : TURNS); turn++)
            lost = fail_at(job, s, how, n, &failed);
        if (lost)
            wrong(job, s, how->name, n, "lost");
        if (!failed || test_failures > 20)
            return n - 1;
    }
}

static void find_driver(void) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char text[4096];
    while (maps && fgets(text, sizeof text, maps)) {
        void *begin, *end;
        if (!strstr(text, "libcuda.so") || sscanf(text, "%p-%p", &begin, &end) != 2)
            continue;
        driver.begin = driver.begin ? driver.begin : begin;
        driver.end = end;
    }
    if (maps)
        fclose(maps);
    REQUIRE(driver.begin);
}

/* Each job on each device, on threads, and in the context of the process.  The arguments of main:
 * a device and a way to fail, which are all that is tried. */
static void fail_jobs(const struct job *jobs, size_t njobs, int argc, char **argv) {
    static const struct setting settings[] = {{"cpu", 1, true, MOST},
                                              {"cpu", 3, true, MOST},
                                              {"sim", 1, true, 4200},
                                              {"cuda", 1, true, 4200},
                                              {"", 0, false, 4200}};
    int fd = mkstemp(path);
    REQUIRE(fd >= 0 && close(fd) == 0);
    find_driver();
    for (size_t k = 0; k < sizeof settings / sizeof *settings; k++) {
        long n[HOWS] = {0};
        many = settings[k].many;
        if (argc > 1 && strcmp(settings[k].device, argv[1]) != 0)
            continue;
        for (size_t i = 0; i < njobs; i++) {
            /* What the process keeps is made: a transfer's pinned memory in as many as 4 turns. */
            for (int turn = 0; turn < 4; turn++)
                if (run(&jobs[i], &settings[k]) != UFC_OK)
                    wrong(&jobs[i], &settings[k], "", 0, "at first");
            settle();
            bool has_driver = !settings[k].own || strcmp(settings[k].device, "cuda") == 0;
            for (int h = 0; h < HOWS && (has_driver || !hows[h].result); h++)
                if (argc <= 2 || strstr(hows[h].name, argv[2]))
                    n[h] += fail_each(&jobs[i], &settings[k], &hows[h]);
        }
        for (int h = 0; h < HOWS; h++)
            if (n[h] > 0)
                printf("%s: %s 1 to %ld\n", settings[k].own ? settings[k].device : "default",
                       hows[h].name, n[h]);
    }
    unlink(path);
}

#endif
