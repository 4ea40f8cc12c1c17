/* gpu_amid.c: while threads call, on the host and on a GPU, contexts are made and freed, libraries
 * are closed, the process forks, and it ends. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "../driver.h"
#include "../test.h"
#include "kernels.h"
#include "ufc.h"

enum { N = 70000, CALLERS = 3, ROUNDS = 12, CHILDREN = 6 };

static int64_t shape[] = {N};
static atomic_bool ends;
static atomic_int wrong, calls;

/* Calls in a context on memory of the host, which each thread has of its own; whether all is right.
 */
static bool call(ufc_context *ctx, float *x, float *y) {
    DLTensor in = ufc_host_array(x, ufc_dltype(UFC_FLOAT32), 1, shape);
    DLTensor out = ufc_host_array(y, ufc_dltype(UFC_FLOAT32), 1, shape);
    ufc_error err;
    for (int i = 0; i < N; i++)
        x[i] = (float)i, y[i] = -1;
    if (kernels_halve(ctx, NULL, ufc_array(&in), ufc_into(&out), &err) != UFC_OK) {
        puts(err.message);
        return false;
    }
    bool right = true;
    for (int i = 0; i < N; i++)
        right = right && y[i] == (float)i / 2;
    return right;
}

/* What a thread does until the end: in the process's own context, or in one after the other of a
 * device, which it makes and frees. */
static void *caller(void *device) {
    float *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    while (x && y && !atomic_load(&ends)) {
        ufc_context *ctx = NULL;
        if (device && ufc_context_new(&ctx, device, 2, NULL) != UFC_OK)
            atomic_fetch_add(&wrong, 1);
        else if (!call(ctx, x, y))
            atomic_fetch_add(&wrong, 1);
        ufc_context_free(ctx);
        atomic_fetch_add(&calls, 1);
    }
    free(x);
    free(y);
    return NULL;
}

static pthread_t thread[CALLERS];

static void begin(const char *device) {
    atomic_store(&ends, false);
    for (int i = 0; i < CALLERS; i++)
        REQUIRE(pthread_create(&thread[i], NULL, caller,
                               i % 2 ? (void *)(uintptr_t)device : NULL) == 0);
}

static void end(void) {
    atomic_store(&ends, true);
    for (int i = 0; i < CALLERS; i++)
        pthread_join(thread[i], NULL);
    CHECK(atomic_load(&wrong) == 0);
}

/* Waits until calls have been made since. */
static void wait_for_calls(int n) {
    int until = atomic_load(&calls) + n;
    while (atomic_load(&calls) < until)
        nanosleep(&(struct timespec){0, 200000}, NULL);
}

static void contexts_freed(const char *device) {
    begin(device);
    for (int i = 0; i < ROUNDS; i++) {
        ufc_context *own;
        static float x[N], y[N];
        REQUIRE(ufc_context_new(&own, device, 0, NULL) == UFC_OK);
        CHECK(call(own, x, y));
        ufc_context_free(own);
    }
    wait_for_calls(CALLERS);
    end();
}

static void closed(const char *device) {
    begin(device);
    for (int i = 0; i < 100; i++) {
        void *library = dlopen("libufc.so.0", RTLD_NOW);
        CHECK(library && dlclose(library) == 0);
    }
    wait_for_calls(CALLERS);
    end();
}

/* Whether a child has ended by itself, with status 0, in a minute. */
static bool has_ended(pid_t child) {
    int status = -1;
    for (int i = 0; i < 6000; i++) {
        if (waitpid(child, &status, WNOHANG) == child)
            return WIFEXITED(status) && WEXITSTATUS(status) == 0;
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    return false;
}

/* ThreadSanitizer knows no threads of a child: those that the child makes have the names of the
 * parent's, which ends it. */
#ifdef __SANITIZE_THREAD__
enum { CHILD_THREADS = 1 };
#else
enum { CHILD_THREADS = 2 };
#endif

/* The child has but one thread, and computes on the host. */
static void forks(const char *device) {
    begin(device);
    for (int i = 0; i < CHILDREN; i++) {
        wait_for_calls(1);
        pid_t child = fork();
        if (child == 0) {
            static float x[N], y[N];
            ufc_context *host;
            bool right =
                ufc_context_new(&host, "cpu", CHILD_THREADS, NULL) == UFC_OK && call(host, x, y);
            ufc_context_free(host);
            _exit(right && (CHILD_THREADS == 1 || call(NULL, x, y)) ? 0 : 1);
        }
        CHECK(child > 0 && has_ended(child));
    }
    end();
}

/* A process whose threads are calling as it ends; started anew, as a driver does not survive fork.
 */
static void exits(const char *device) {
    for (int i = 0; i < CHILDREN; i++) {
        char calls_made[] = {(char)('0' + i), '\0'};
        pid_t child = fork();
        if (child == 0) {
            execl("/proc/self/exe", "gpu_amid", device, calls_made, (char *)NULL);
            _exit(1);
        }
        CHECK(child > 0 && has_ended(child));
    }
}

int main(int argc, char **argv) {
    static const char *const devices[] = {"cpu", "cuda"};
    make_known(&kernels_halve_ufunc);
    setenv("UFC_CACHE", "0", 1);
    if (argc == 3) { /* one of `exits` */
        begin(argv[1]);
        wait_for_calls(argv[2][0] - '0');
        exit(0);
    }
    for (int i = 0; i < 2; i++)
        exits(devices[i]);
    if (ufc_device_count(NULL) == 0)
        return SKIPPED;
    for (int i = 0; i < 2; i++) {
        contexts_freed(devices[i]);
        closed(devices[i]);
        forks(devices[i]);
    }
    return test_failures != 0;
}
