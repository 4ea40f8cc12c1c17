/* lazy.c: loaded programs make code when a call first needs it: an overload's for the call's
 * device, once, whichever threads need it, and again only where that failed. */
#include <dlfcn.h>
#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../test.h"
#include "small_stack.h"
#include "ufc.h"
#include "ufcc.h"

static const char source[] =
    "ufunc scale(x) : float32(float32), float64(float64) = 2 * x\n"
    "ufunc wave(x) : float32(float32) = exp(x)\n"
    "ufunc join(x, y) : float64(float64, float64) with identity 0 = x + y\n"
    "gufunc total(x[n]) -> y : float32(float32) = sum(x[k] for k)\n";

static _Thread_local ufc_error err;

static bool says(const char *text) {
    return strstr(err.message, text) != NULL;
}

/* ---- counting: each module of LLVM IR is dumped as it is generated */

static atomic_int made, reported;

static void count(void *user, const char *text, size_t size) {
    sigset_t blocked;
    (void)user, (void)text, (void)size;
    CHECK(pthread_sigmask(SIG_BLOCK, NULL, &blocked) == 0 && sigismember(&blocked, SIGINT));
    atomic_fetch_add(&made, 1);
}

static void report(void *user, const ufcc_diagnostic *d) {
    (void)user, (void)d;
    atomic_fetch_add(&reported, 1);
}

static ufcc_program *load(const char *text, bool eager) {
    ufcc_options options = {.eager = eager, .dump = "l", .dumped = count, .diagnostic = report};
    ufcc_program *p = ufcc_compile("lazy.uf", text, strlen(text), &options);
    REQUIRE(p);
    atomic_store(&made, 0);
    if (ufcc_load(p))
        return p;
    ufcc_free(p);
    return NULL;
}

/* Calls a function of one input on three numbers; gives the last result. */
static ufc_status call(ufc_context *ctx, const ufcc_program *p, const char *name, ufc_type type,
                       double *last) {
    double x[] = {0, 0, 1}, y[3] = {0};
    float narrow[] = {0, 0, 1};
    int64_t shape[] = {3};
    bool wide = type == UFC_FLOAT64;
    DLTensor in = ufc_host_array(wide ? (void *)x : narrow, ufc_dltype(type), 1, shape), out = in;
    out.data = y;
    if (strcmp(name, "total") == 0)
        out.ndim = 0;
    ufc_arg args[] = {ufc_array(&in)};
    ufc_out results[] = {ufc_into(&out)};
    ufc_status status = ufc_call(ctx, NULL, ufcc_function(p, name), args, results, &err);
    float y0;
    memcpy(&y0, (float *)(void *)y + (out.ndim > 0 ? 2 : 0), sizeof y0);
    *last = wide ? y[2] : (double)y0;
    return status;
}

static void overloads_and_devices(ufc_context *cpu, ufc_context *sim) {
    ufcc_program *p = load(source, false);
    double y;
    REQUIRE(p);
    CHECK(made == 0);
    CHECK(call(cpu, p, "scale", UFC_FLOAT32, &y) == UFC_OK && y == 2 && made == 1);
    CHECK(call(cpu, p, "scale", UFC_FLOAT32, &y) == UFC_OK && y == 2 && made == 1);
    CHECK(call(cpu, p, "scale", UFC_FLOAT64, &y) == UFC_OK && y == 2 && made == 2);
    CHECK(call(sim, p, "scale", UFC_FLOAT64, &y) == UFC_OK && y == 2 && made == 3);
    CHECK(call(sim, p, "scale", UFC_FLOAT64, &y) == UFC_OK && y == 2 && made == 3);
    CHECK(call(cpu, p, "total", UFC_FLOAT32, &y) == UFC_OK && y == 1 && made == 4);
    CHECK(call(sim, p, "total", UFC_FLOAT32, &y) == UFC_OK && y == 1 && made == 5);
    CHECK(reported == 0);
    ufcc_free(p);
}

static void methods(ufc_context *cpu, ufc_context *sim) {
    ufcc_program *p = load(source, false);
    double x[] = {1, 2, 3, 4}, y = 0;
    int64_t shape[] = {4};
    DLTensor in = ufc_host_array(x, ufc_dltype(UFC_FLOAT64), 1, shape);
    DLTensor out = ufc_host_array(&y, ufc_dltype(UFC_FLOAT64), 0, NULL);
    REQUIRE(p);
    const ufc_ufunc *join = ufcc_function(p, "join");
    CHECK(ufc_reduce(cpu, NULL, join, ufc_array(&in), ufc_into(&out), NULL, &err) == UFC_OK);
    CHECK(y == 10 && made == 1); /* not the code of calls */
    y = 0;
    CHECK(ufc_reduce(sim, NULL, join, ufc_array(&in), ufc_into(&out), NULL, &err) == UFC_OK);
    CHECK(y == 10 && made == 2);
    ufcc_free(p);
}

/* What the process has taken of a processor, and of memory at most, so far. */
struct taken {
    double seconds;
    long kib;
};

static struct taken taken(void) {
    struct timespec t;
    struct rusage usage;
    REQUIRE(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) == 0 &&
            getrusage(RUSAGE_SELF, &usage) == 0);
    return (struct taken){(double)t.tv_sec + 1e-9 * (double)t.tv_nsec, usage.ru_maxrss};
}

/* What loading so many functions takes, and calling the last of them, of which alone code is made.
 */
static struct taken load_and_call(ufc_context *cpu, int functions) {
    enum { LINE = 64 };
    char *text = calloc((size_t)functions, LINE), *end = text, name[16];
    double y;
    REQUIRE(text);
    for (int i = 0; i < functions; i++)
        end += sprintf(end, "ufunc f%d(x) : float64(float64) = x + %d\n", i, i);
    snprintf(name, sizeof name, "f%d", functions - 1);
    struct taken before = taken();
    ufcc_program *p = load(text, false);
    REQUIRE(p);
    CHECK(call(cpu, p, name, UFC_FLOAT64, &y) == UFC_OK && y == functions && made == 1);
    struct taken after = taken();
    ufcc_free(p);
    free(text);
    return (struct taken){after.seconds - before.seconds, after.kib - before.kib};
}

/* A call of a thousand functions takes little more than one of one, where the code of all would
 * take seconds, and hundreds of MiB. */
static void one_of_a_thousand(ufc_context *cpu) {
    struct taken one = load_and_call(cpu, 1), thousand = load_and_call(cpu, 1000);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(COVERAGE)
    if (thousand.seconds > one.seconds + .2 || thousand.kib > 24 << 10) {
        printf("%.3f s and %ld KiB more, of one %.3f s\n", thousand.seconds, thousand.kib,
               one.seconds);
        test_failures++;
    }
#else
    (void)one, (void)thousand;
#endif
}

static void failures(ufc_context *sim) {
    double y;
    ufcc_program *p = load(source, false);
    setenv("UFC_LIBDEVICE", "/nowhere/libdevice.bc", 1);
    REQUIRE(p);
    CHECK(call(sim, p, "wave", UFC_FLOAT32, &y) == UFC_OK); /* it was there at the load */
    ufcc_free(p);
    p = load(source, false);
    REQUIRE(p);
    for (int i = 0; i < 2; i++)
        CHECK(call(sim, p, "wave", UFC_FLOAT32, &y) == UFC_ECOMPILE &&
              says("wave: float32(float32) cannot be compiled: cannot read '/nowhere/lib"));
    CHECK(call(sim, p, "scale", UFC_FLOAT32, &y) == UFC_OK && y == 2);
    CHECK(reported == 0);
    CHECK(load(source, true) == NULL && reported == 1);
    unsetenv("UFC_LIBDEVICE");
    CHECK(call(sim, p, "wave", UFC_FLOAT32, &y) == UFC_OK && y > 2.71 && y < 2.72);
    ufcc_free(p);
}

static void eager(ufc_context *cpu, ufc_context *sim) {
    ufcc_program *p = load(source, true);
    double y;
    REQUIRE(p);
    int all = made;
    CHECK(all > 20);
    CHECK(call(cpu, p, "scale", UFC_FLOAT64, &y) == UFC_OK && y == 2);
    CHECK(call(sim, p, "wave", UFC_FLOAT32, &y) == UFC_OK && y > 2.71);
    CHECK(call(sim, p, "total", UFC_FLOAT32, &y) == UFC_OK && y == 1);
    CHECK(made == all);
    ufcc_free(p);
}

/* ---- threads */

enum { THREADS = 8 };

struct racer {
    const ufcc_program *program;
    ufc_context *ctx;
    pthread_barrier_t *start;
    const char *name;
};

static void *race(void *arg) {
    const struct racer *r = arg;
    double y;
    pthread_barrier_wait(r->start);
    bool ok = call(r->ctx, r->program, r->name, UFC_FLOAT32, &y) == UFC_OK && y > 1;
    return ok ? arg : NULL;
}

static void threads(ufc_context *cpu, ufc_context *sim) {
    ufcc_program *p = load(source, false);
    pthread_barrier_t start;
    pthread_t thread[THREADS];
    struct racer racers[THREADS];
    REQUIRE(p && pthread_barrier_init(&start, NULL, THREADS) == 0);
    for (int i = 0; i < THREADS; i++) {
        racers[i] = (struct racer){p, i % 2 ? sim : cpu, &start, i % 4 < 2 ? "scale" : "wave"};
        REQUIRE(pthread_create(&thread[i], NULL, race, &racers[i]) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *ok;
        CHECK(pthread_join(thread[i], &ok) == 0 && ok);
    }
    CHECK(made == 4); /* two functions for two devices */
    pthread_barrier_destroy(&start);
    ufcc_free(p);
}

static void *call_wave(void *arg) {
    const struct racer *r = arg;
    double y;
    return call(r->ctx, r->program, r->name, UFC_FLOAT32, &y) == UFC_OK ? arg : NULL;
}

/* ---- while another thread makes code */

static atomic_bool holds;
static sem_t held, released;

static void hold(void *user, const char *text, size_t size) {
    (void)user, (void)text, (void)size;
    if (atomic_exchange(&holds, false)) {
        sem_post(&held);
        sem_wait(&released);
    }
}

static bool no_more(ufc_context *ctx, const ufcc_program *p, const char *name) {
    double y;
    return call(ctx, p, name, UFC_FLOAT32, &y) == UFC_ECOMPILE && says("generate no more code") &&
           says("forked while another thread generated");
}

/* A child calls what code there is, and makes some if no thread did when it was forked. */
static bool in_child(ufc_context *cpu, ufc_context *sim, const ufcc_program *p, bool makes) {
    double y;
    int status;
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        alarm(50);
        bool ok = call(sim, p, "wave", UFC_FLOAT32, &y) == UFC_OK;
        ok = ok && (makes || no_more(cpu, p, "wave")); /* which the other thread makes */
        ok = ok &&
             (makes ? call(cpu, p, "scale", UFC_FLOAT32, &y) == UFC_OK : no_more(cpu, p, "scale"));
        _exit(!ok);
    }
    return waitpid(child, &status, 0) == child && status == 0;
}

static void at_once(ufc_context *cpu, ufc_context *sim) {
    ufcc_options options = {.dump = "l", .dumped = hold};
    ufcc_program *p = ufcc_compile("lazy.uf", source, strlen(source), &options);
    pthread_t thread;
    struct racer r = {p, cpu, NULL, "wave"};
    double y;
    void *ok;
    REQUIRE(p && ufcc_load(p) && sem_init(&held, 0, 0) == 0 && sem_init(&released, 0, 0) == 0);
    holds = true;
    alarm(100); /* instead of waiting for ever */
    REQUIRE(pthread_create(&thread, NULL, call_wave, &r) == 0 && sem_wait(&held) == 0);
    CHECK(call(sim, p, "wave", UFC_FLOAT32, &y) == UFC_OK); /* the same overload's */
    CHECK(in_child(cpu, sim, p, false));
    sem_post(&released);
    CHECK(pthread_join(thread, &ok) == 0 && ok);
#ifndef __SANITIZE_THREAD__ /* which lets no child of threads start one */
    CHECK(in_child(cpu, sim, p, true));
#endif
    alarm(0);
    ufcc_free(p);
}

/* LLVM needs more than the stack that a call may have. */
static void small_stack(ufc_context *cpu) {
    ufcc_program *p = load(source, false);
    REQUIRE(p);
    struct racer r = {p, cpu, NULL, "wave"};
    CHECK(on_small_stack(32768, call_wave, &r) && made == 1);
    ufcc_free(p);
}

#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__ /* which have one of their own   \
                                                                   */
static atomic_bool no_threads;

typedef int create_fn(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *arg) {
    create_fn *create;
    *(void **)&create = dlsym(RTLD_NEXT, "pthread_create");
    return no_threads ? EAGAIN : create(thread, attributes, run, arg);
}

/* A call that can start no thread fails, since its own may have too small a stack. */
static void no_thread(ufc_context *cpu) {
    ufcc_program *p = load(source, false);
    double y;
    REQUIRE(p);
    no_threads = true;
    CHECK(call(cpu, p, "wave", UFC_FLOAT32, &y) == UFC_ECOMPILE && made == 0 &&
          says("no thread can be started: Resource temporarily unavailable"));
    no_threads = false;
    CHECK(call(cpu, p, "wave", UFC_FLOAT32, &y) == UFC_OK && made == 1);
    ufcc_free(p);
}
#else
static void no_thread(ufc_context *cpu) {
    (void)cpu;
}
#endif

/* ---- what code does not depend on */

static char ir[2][1 << 16]; /* what is dumped in each rounding mode */

static void keep_ir(void *user, const char *text, size_t size) {
    char *kept = user;
    CHECK(fegetround() == FE_TONEAREST);
    if (strlen(kept) + size < sizeof ir[0])
        strncat(kept, text, size);
}

static void rounding(ufc_context *cpu) {
    static const char text[] = "const C = 1 / 3 + 0.1\n"
                               "ufunc f(x) : float64(float64) = x * C + exp(0.7) + 1e23 / 7\n";
    static const int modes[] = {FE_TONEAREST, FE_UPWARD};
    double y;
    for (int i = 0; i < 2; i++) {
        ufcc_options options = {.dump = "l", .dumped = keep_ir, .user = ir[i]};
        REQUIRE(fesetround(modes[i]) == 0);
        ufcc_program *p = ufcc_compile("round.uf", text, strlen(text), &options);
        CHECK(p && ufcc_load(p) && fegetround() == modes[i]);
        CHECK(call(cpu, p, "f", UFC_FLOAT64, &y) == UFC_OK && fegetround() == modes[i]);
        ufcc_free(p);
    }
    fesetround(FE_TONEAREST);
    CHECK(ir[0][0] != 0 && strcmp(ir[0], ir[1]) == 0);
}

int main(void) {
    ufc_context *cpu, *sim;
    REQUIRE(ufc_context_new(&cpu, "cpu", 1, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 1, &err) == UFC_OK);
    overloads_and_devices(cpu, sim);
    methods(cpu, sim);
    one_of_a_thousand(cpu);
    failures(sim);
    eager(cpu, sim);
    threads(cpu, sim);
    at_once(cpu, sim);
    small_stack(cpu);
    no_thread(cpu);
    rounding(cpu);
    ufc_context_free(sim);
    ufc_context_free(cpu);
    return test_failures > 0;
}
