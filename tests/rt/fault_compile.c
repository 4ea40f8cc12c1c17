/* fault_compile.c: whatever call of the system fails while a program is compiled, loaded, and makes
 * code as it is called, there is an error with a message or the right result: files of the cache,
 * memory for code, threads.  Each call in turn, once and with all after it, in a process of its
 * own, as what LLVM cannot recover from stays with a process. */
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../test.h"
#include "system.h"
#include "ufc.h"
#include "ufcc.h"

static atomic_long left; /* calls until one fails; 0: none does */
static atomic_bool hit;
static bool for_good;
static enum kind kind; /* of the calls that fail */

UNCHANGED static bool fails(enum kind of) {
    bool now = of == kind && atomic_load(&left) > 0 && atomic_fetch_sub(&left, 1) == 1;
    now = now || (of == kind && for_good && atomic_load(&hit));
    if (now) {
        atomic_store(&hit, true);
        errno = of == FILES ? EIO : ENOMEM;
    }
    return now;
}

UNCHANGED ssize_t read(int fd, void *to, size_t size) {
    REAL(ssize_t, "read", int, void *, size_t);
    return fails(FILES) ? -1 : real(fd, to, size);
}

UNCHANGED ssize_t write(int fd, const void *from, size_t size) {
    REAL(ssize_t, "write", int, const void *, size_t);
    return fails(FILES) ? -1 : real(fd, from, size);
}

UNCHANGED int mkdir(const char *path, mode_t mode) {
    REAL(int, "mkdir", const char *, mode_t);
    return fails(FILES) ? -1 : real(path, mode);
}

UNCHANGED int mkostemp(char *path, int flags) {
    REAL(int, "mkostemp", char *, int);
    return fails(FILES) ? -1 : real(path, flags);
}

UNCHANGED int fstat(int fd, struct stat *st) {
    REAL(int, "fstat", int, struct stat *);
    return fails(FILES) ? -1 : real(fd, st);
}

UNCHANGED char *getcwd(char *to, size_t size) {
    REAL(char *, "getcwd", char *, size_t);
    return fails(FILES) ? NULL : real(to, size);
}

UNCHANGED void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset) {
    REAL(void *, "mmap", void *, size_t, int, int, int, off_t);
    return fails(MEMORY) ? MAP_FAILED : real(at, size, protection, flags, fd, offset);
}

UNCHANGED int mprotect(void *at, size_t size, int protection) {
    REAL(int, "mprotect", void *, size_t, int);
    return fails(MEMORY) ? -1 : real(at, size, protection);
}

/* ---- what is tried */

static const char source[] = "ufunc scale(x, by) : float64(float64, float64) = x * by + 1\n"
                             "gufunc total(x[n]) -> y : float64(float64) = sum(v for v in x)\n";
static char folder[] = "/tmp/ufc-fault-XXXXXX";
static bool told; /* an error */
static ufc_error err;

static void note(void *user, const ufcc_diagnostic *d) {
    (void)user;
    told = told || (d->severity == UFCC_ERROR && *d->message);
}

enum { N = 1 << 16 };
static double x[N], y[N];

/* Whether a call gives an error with a message, or what it should. */
static bool is_right(ufc_status status, double got, double wanted) {
    return status == UFC_OK ? got == wanted : *err.message != '\0';
}

static bool call(const ufcc_program *p, const char *device) {
    int64_t n = N, rows[] = {2, N / 2}, two = 2;
    ufc_context *ctx = NULL;
    if (ufc_context_new(&ctx, device, 3, &err) != UFC_OK)
        return *err.message != '\0';
    DLTensor in = ufc_host_array(x, ufc_dltype(UFC_FLOAT64), 1, &n), out = in, sums = in;
    ufc_arg args[] = {ufc_array(&in), ufc_float(2)};
    out.data = y;
    ufc_out into = ufc_into(&out);
    ufc_status status = ufc_call(ctx, NULL, ufcc_function(p, "scale"), args, &into, &err);
    bool right = is_right(status, y[N - 1], 2 * x[N - 1] + 1);
    in.ndim = 2;
    in.shape = rows;
    sums.data = y;
    sums.shape = &two;
    into = ufc_into(&sums);
    status = ufc_call(ctx, NULL, ufcc_function(p, "total"), args, &into, &err);
    right = right && is_right(status, y[1], N / 2);
    ufc_context_free(ctx);
    return right;
}

static bool compile(bool eager, const char *device) {
    ufcc_options options = {
        .diagnostic = note, .cache = folder, .threads = 3, .native = true, .eager = eager};
    ufcc_program *p = ufcc_compile("fault.uf", source, strlen(source), &options);
    if (!p)
        return told;
    bool loaded = ufcc_load(p);
    bool right = loaded ? call(p, device) : told;
    if (loaded && !eager) {
        ufcc_specialize(p, NULL, UFCC_SPECIALIZE_LATER);
        right = right && call(p, device);
    }
    ufcc_free(p);
    return right;
}

static bool all_at_once(void) {
    return compile(true, "cpu");
}

static bool host(void) {
    return compile(false, "cpu");
}

static bool simulated(void) {
    return compile(false, "sim");
}

static const struct {
    const char *name;
    bool (*is_right)(void);
} trials[] = {{"eager", all_at_once}, {"as it is called", host}, {"simulator", simulated}};

static unsigned injected[MOVES];

/* Fails call `number`; false: there is no such call. */
static bool try_call(int t, long number) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(60);
        atomic_store(&left, number);
        bool right = trials[t].is_right();
        atomic_store(&left, 0);
        _exit(!right ? 2 : atomic_load(&hit));
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    bool was_hit = WIFEXITED(status) && WEXITSTATUS(status) == 1;
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 1) {
        printf("%s, kind %d, call %ld%s: status %x\n", trials[t].name, (int)kind, number,
               for_good ? " and on" : "", (unsigned)status);
        test_failures++;
        return true;
    }
    injected[kind] += was_hit;
    return was_hit;
}

int main(void) {
    REQUIRE(mkdtemp(folder));
    for (int i = 0; i < N; i++)
        x[i] = 1;
    for (int t = 0; t < (int)(sizeof trials / sizeof *trials); t++)
        for (kind = FILES; kind < MOVES; kind++)
            for (int good = 0; good < 2; good++) {
                for_good = good;
                long step = kind == FILES ? 7 : 1; /* of many one in so many */
                for (long number = 1; test_failures < 20 && try_call(t, number); number += step) {
                }
                ufcc_cache_prune(folder, 0);
            }
    printf("%u of files, %u of memory, %u of threads failed\n", injected[FILES], injected[MEMORY],
           injected[THREADS]);
    CHECK(injected[FILES] > 10 && injected[MEMORY] > 3 && injected[THREADS] > 3);
    ufcc_cache_prune(folder, 0);
    CHECK(rmdir(folder) == 0);
    return test_failures > 0;
}
