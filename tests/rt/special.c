/* special.c: code that is made for certain calls (ufcc_specialize) gives the bits of the general
 * code, is made once, at once or in the background, and where it is not there the general one
 * runs. */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../test.h"
#include "small_stack.h"
#include "ufc.h"
#include "ufcc.h"

static const char source[] =
    "ufunc density(x, mean, sigma) : T(T, T, T) for T in float32 | float64\n"
    "{\n"
    "    let z = (x - mean) / sigma\n"
    "    return exp(-0.5 * z**2) / (sigma * sqrt(2 * pi))\n"
    "}\n"
    "ufunc pick(x, yes) : int16(int16, bool) = x if yes else -x\n"
    "ufunc turn(x, by) : complex64(complex64, complex64) = x * by\n"
    "gufunc matmul(a[m, k], b[k, n]) -> c[m, n] : float32(float32, float32)\n"
    "{\n"
    "    c[i, j] = sum(a[i, p] * b[p, j] for p) for i, j\n"
    "}\n"
    "gufunc blur(x[h, w], s) -> y[h, w] : float32(float32, float32)\n"
    "{\n"
    "    y[i, j] = s * sum(x[clip(i + p - 1, 0, h - 1), clip(j + q - 1, 0, w - 1)]\n"
    "                      for p in 0..3, q in 0..3) for i, j\n"
    "}\n"
    "gufunc planes(x[3, h, w]) -> y[h, w] : float32(float32)\n"
    "{\n"
    "    y[i, j] = x[0, i, j] - 2 * x[1, h - 1 - i, j] + x[2, i, min(j + 1, w - 1)] for i, j\n"
    "}\n"
    "gufunc softmax(x[n]) -> y[n] : float32(float32)\n"
    "{\n"
    "    let top = max(x[i] for i)\n"
    "    let all = sum(exp(x[i] - top) for i)\n"
    "    y[i] = exp(x[i] - top) / all for i\n"
    "}\n"
    "gufunc smooth(x[n], alpha) -> y[n] : float64(float64, float64)\n"
    "{\n"
    "    var last = x[0]\n"
    "    for i in 0..n {\n"
    "        last += alpha * (x[i] - last)\n"
    "        y[i] = last\n"
    "    }\n"
    "}\n"
    "gufunc bins(x[n]) -> h[10] : int32(int32)\n"
    "{\n"
    "    h[j] = sum(1 for i if x[i] == j) for j\n"
    "}\n";

static _Thread_local ufc_error err;
static atomic_int made; /* pieces of code */

static void count(void *user, const char *text, size_t size) {
    (void)user, (void)size;
    atomic_fetch_add(&made, strncmp(text, "made ", 5) == 0);
}

static ufcc_program *load_with(const char *text, const char *libdevice) {
    ufcc_options options = {.cache = "0", .dump = "c", .dumped = count, .libdevice = libdevice};
    ufcc_program *p = ufcc_compile("special.uf", text, strlen(text), &options);
    REQUIRE(p && ufcc_load(p));
    made = 0;
    return p;
}

static ufcc_program *load(const char *text) {
    return load_with(text, NULL);
}

/* ---- arrays and calls */

enum { MAX_BYTES = 1 << 18, MAX_NDIM = 4 };

/* An array in C order, or with its last two axes swapped in memory. */
struct array {
    ufc_type type;
    int ndim;
    int64_t shape[MAX_NDIM];
    bool swapped;
    double number; /* ndim < 0: it is this number */
};

struct room {
    _Alignas(64) char bytes[3][MAX_BYTES];
    int64_t strides[3][MAX_NDIM];
    DLTensor tensor[3];
};

static int64_t lay_out(const struct array *a, int64_t *strides) {
    int64_t n = 1;
    for (int i = a->ndim; i-- > 0; n *= a->shape[i])
        strides[i] = n;
    if (a->swapped) {
        strides[a->ndim - 2] = 1;
        strides[a->ndim - 1] = a->shape[a->ndim - 2];
    }
    return n;
}

static DLTensor *tensor_of(struct room *r, int k, const struct array *a) {
    int64_t n = lay_out(a, r->strides[k]);
    for (int64_t i = 0; i < n; i++) {
        double v = 2 * random_unit((uint64_t)k, (uint64_t)i) - 1;
        switch (a->type) {
        case UFC_FLOAT64: ((double *)(void *)r->bytes[k])[i] = v; break;
        case UFC_INT16: ((int16_t *)(void *)r->bytes[k])[i] = (int16_t)(v * 1000); break;
        case UFC_INT32: ((int32_t *)(void *)r->bytes[k])[i] = (int32_t)(v * 10); break;
        default: ((float *)(void *)r->bytes[k])[i] = (float)v; break;
        }
    }
    r->tensor[k] = ufc_host_array(r->bytes[k], ufc_dltype(a->type), a->ndim, (int64_t *)a->shape);
    r->tensor[k].strides = r->strides[k];
    return &r->tensor[k];
}

struct example {
    const char *name;
    int nin;
    struct array in[3], out;
};

#define NUMBER(v)                                                                                  \
    { .ndim = -1, .number = (v) }
#define ARRAY(t, n, ...)                                                                           \
    {                                                                                              \
        .type = (t), .ndim = (n), .shape = { __VA_ARGS__ }                                         \
    }
#define SWAPPED(t, n, ...)                                                                         \
    { .type = (t), .ndim = (n), .shape = {__VA_ARGS__}, .swapped = true }
#define F4 UFC_FLOAT32
#define F8 UFC_FLOAT64

/* Calls a function; gives its result's bytes, or what `explain` says. */
static ufc_status call(ufc_context *ctx, const ufcc_program *p, const struct example *x, char *out,
                       ufc_plan_description *d) {
    struct room *r = calloc(1, sizeof *r);
    ufc_arg in[3];
    REQUIRE(r);
    for (int k = 0; k < x->nin; k++)
        in[k] =
            x->in[k].ndim < 0 ? ufc_float(x->in[k].number) : ufc_array(tensor_of(r, k, &x->in[k]));
    for (int k = 0; k < x->nin; k++)
        if (x->in[k].ndim < 0 && strcmp(x->name, "pick") == 0)
            in[k] = ufc_bool(x->in[k].number != 0);
    int64_t strides[MAX_NDIM];
    int64_t size = lay_out(&x->out, strides) * ufc_dltype(x->out.type).bits / 8;
    REQUIRE(size <= MAX_BYTES);
    DLTensor y = ufc_host_array(out, ufc_dltype(x->out.type), x->out.ndim, (int64_t *)x->out.shape);
    ufc_out results[] = {ufc_into(&y)};
    const ufc_ufunc *f = ufcc_function(p, x->name);
    REQUIRE(f);
    ufc_status status = d ? ufc_explain(ctx, NULL, f, in, results, NULL, d, &err)
                          : ufc_call(ctx, NULL, f, in, results, &err);
    if (status != UFC_OK)
        printf("%s: %s\n", x->name, err.message);
    free(r);
    return status;
}

/* Is `says` said of the call's code, or will it be within so many seconds? */
static bool says_special(ufc_context *ctx, const ufcc_program *p, const struct example *x,
                         const char *says, int seconds) {
    ufc_plan_description d;
    char *none = calloc(1, MAX_BYTES);
    bool called = none != NULL, ok = false;
    for (int i = 0; i <= 100 * seconds && called && !ok; i++) {
        if (i > 0)
            usleep(10000);
        called = call(ctx, p, x, none, &d) == UFC_OK;
        ok = called && strstr(d.special, says) != NULL;
    }
    if (called && !ok)
        printf("%s: '%s', not '%s'\n", x->name, d.special, says);
    free(none);
    return ok;
}

static bool runs_special(ufc_context *ctx, const ufcc_program *p, const struct example *x,
                         const char *says) {
    return says_special(ctx, p, x, says, 0);
}

static const char own[] = "one made for the call";

/* ---- bits */

/* Of numbers that are none the bits may differ. */
static bool same_numbers(ufc_type type, const char *a, const char *b) {
    int size = type == UFC_FLOAT32 ? 4 : type == UFC_FLOAT64 ? 8 : MAX_BYTES;
    for (int i = 0; i < MAX_BYTES; i += size) {
        float f[2] = {0};
        double d[2] = {0};
        if (size == 4) {
            memcpy(&f[0], a + i, sizeof f[0]);
            memcpy(&f[1], b + i, sizeof f[0]);
        } else if (size == 8) {
            memcpy(&d[0], a + i, sizeof d[0]);
            memcpy(&d[1], b + i, sizeof d[0]);
        }
        bool nans =
            size == 4 ? isnan(f[0]) && isnan(f[1]) : size == 8 && isnan(d[0]) && isnan(d[1]);
        if (!nans && memcmp(a + i, b + i, (size_t)size) != 0)
            return false;
    }
    return true;
}

static void same_bits(ufc_context *ctx, ufcc_program *p, const struct example *x) {
    char *general = calloc(2, MAX_BYTES), *special = general + MAX_BYTES;
    REQUIRE(general);
    CHECK(ufcc_specialize(p, x->name, UFCC_GENERAL) && call(ctx, p, x, general, NULL) == UFC_OK);
    CHECK(runs_special(ctx, p, x, ""));
    int before = made;
    CHECK(ufcc_specialize(p, x->name, UFCC_SPECIALIZE));
    CHECK(call(ctx, p, x, special, NULL) == UFC_OK && made > before);
    int after = made;
    CHECK(call(ctx, p, x, special, NULL) == UFC_OK && made == after);
    CHECK(same_numbers(x->out.type, general, special));
    CHECK(runs_special(ctx, p, x, own));
    free(general);
}

static const struct example examples[] = {
    {"density", 3, {ARRAY(F4, 1, 1000), NUMBER(0.1), NUMBER(1.7)}, ARRAY(F4, 1, 1000)},
    {"density", 3, {ARRAY(F4, 1, 7), ARRAY(F4, 1, 7), NUMBER(-0.0)}, ARRAY(F4, 1, 7)},
    {"density", 3, {SWAPPED(F4, 3, 3, 5, 70), NUMBER(0), NUMBER(3)}, ARRAY(F4, 3, 3, 5, 70)},
    {"density", 3, {ARRAY(F8, 2, 40, 1), ARRAY(F8, 2, 1, 50), NUMBER(1e300)}, ARRAY(F8, 2, 40, 50)},
    {"pick", 2, {ARRAY(UFC_INT16, 1, 300), NUMBER(1)}, ARRAY(UFC_INT16, 1, 300)},
    {"pick", 2, {SWAPPED(UFC_INT16, 2, 30, 2), NUMBER(0)}, ARRAY(UFC_INT16, 2, 30, 2)},
    {"matmul", 2, {ARRAY(F4, 2, 64, 64), ARRAY(F4, 2, 64, 64)}, ARRAY(F4, 2, 64, 64)},
    {"matmul", 2, {SWAPPED(F4, 2, 33, 7), ARRAY(F4, 2, 7, 129)}, ARRAY(F4, 2, 33, 129)},
    {"matmul", 2, {ARRAY(F4, 3, 100, 4, 4), ARRAY(F4, 3, 100, 4, 4)}, ARRAY(F4, 3, 100, 4, 4)},
    {"matmul", 2, {ARRAY(F4, 3, 5, 3, 300), ARRAY(F4, 2, 300, 2)}, ARRAY(F4, 3, 5, 3, 2)},
    {"blur", 2, {ARRAY(F4, 2, 60, 70), NUMBER(0.11)}, ARRAY(F4, 2, 60, 70)},
    {"blur", 2, {ARRAY(F4, 4, 2, 3, 9, 40), NUMBER(0.11)}, ARRAY(F4, 4, 2, 3, 9, 40)},
    {"blur", 2, {ARRAY(F4, 2, 32, 68), NUMBER(0.11)}, ARRAY(F4, 2, 32, 68)}, /* neighbours */
    {"planes", 1, {ARRAY(F4, 3, 3, 16, 64)}, ARRAY(F4, 2, 16, 64)},
    {"planes", 1, {ARRAY(F4, 3, 3, 15, 66)}, ARRAY(F4, 2, 15, 66)},
    {"softmax", 1, {ARRAY(F4, 2, 20, 300)}, ARRAY(F4, 2, 20, 300)},
    {"softmax", 1, {SWAPPED(F4, 3, 4, 50, 16)}, ARRAY(F4, 3, 4, 50, 16)},
    {"smooth", 2, {ARRAY(F8, 2, 9, 100), NUMBER(0.3)}, ARRAY(F8, 2, 9, 100)},
    {"smooth", 2, {SWAPPED(F8, 2, 200, 33), NUMBER(0.3)}, ARRAY(F8, 2, 200, 33)},
    {"bins", 1, {ARRAY(UFC_INT32, 2, 3, 500)}, ARRAY(UFC_INT32, 2, 3, 10)},
};

static void bits(ufc_context *ctx) {
    ufcc_program *p = load(source);
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        same_bits(ctx, p, &examples[i]);
    ufcc_free(p);
}

/* What is computed of a number alone is computed by the compiler, or by other instructions. */
static void functions(ufc_context *ctx) {
    static const char *const of_one[] = {
        "sin",   "cos",   "tan", "asin", "acos",   "atan",   "sinh",  "cosh",  "tanh",  "asinh",
        "acosh", "atanh", "exp", "exp2", "expm1",  "log",    "log2",  "log10", "log1p", "sqrt",
        "cbrt",  "rsqrt", "erf", "erfc", "tgamma", "lgamma", "floor", "rint",  "1 /",   "sinpi"};
    static const char *const of_two[] = {"pow", "atan2", "hypot", "fmod", "max", "copysign"};
    static const double numbers[] = {0.3, 2, -0.0, 1e-40, 700, -3.5, 0.5, 1e30};
    enum { ONE = sizeof of_one / sizeof *of_one, TWO = sizeof of_two / sizeof *of_two };
    for (int i = 0; i < ONE + TWO; i++) {
        char text[200];
        if (i < ONE)
            snprintf(text, sizeof text,
                     "ufunc f(x, s) : T(T, T) for T in float32 | float64 = x + %s(s)\n", of_one[i]);
        else
            snprintf(text, sizeof text,
                     "ufunc f(x, s) : T(T, T) for T in float32 | float64 = %s(x, s) + %s(s, x)\n",
                     of_two[i - ONE], of_two[i - ONE]);
        ufcc_program *p = load(text);
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            same_bits(ctx, p,
                      &(struct example){"f",
                                        2,
                                        {ARRAY(k % 2 ? F4 : F8, 1, 37), NUMBER(numbers[k])},
                                        ARRAY(k % 2 ? F4 : F8, 1, 37)});
        ufcc_free(p);
    }
}

/* ---- what is made, and when */

static const struct example density = {
    "density", 3, {ARRAY(F4, 1, 64), NUMBER(0), NUMBER(2)}, ARRAY(F4, 1, 64)};

static struct example with_sigma(double sigma) {
    struct example x = density;
    x.in[2].number = sigma;
    return x;
}

static void once(ufc_context *ctx) {
    ufcc_program *p = load(source);
    struct example x = density;
    char *y = calloc(1, MAX_BYTES);
    CHECK(!ufcc_specialize(p, "dense", UFCC_SPECIALIZE) &&
          ufcc_specialize(p, NULL, UFCC_SPECIALIZE));
    CHECK(call(ctx, p, &x, y, NULL) == UFC_OK);
    int first = made;
    x.in[0].shape[0] = x.out.shape[0] = 4096; /* how many elements there are is no constant */
    CHECK(call(ctx, p, &x, y, NULL) == UFC_OK && made == first);
    x.in[1].number = 1;
    CHECK(call(ctx, p, &x, y, NULL) == UFC_OK && made == first + 1);
    for (int i = 0; i < 2 * UFCC_MAX_SPECIAL; i++) {
        x.in[1].number = i;
        CHECK(call(ctx, p, &x, y, NULL) == UFC_OK);
    }
    CHECK(made == first + UFCC_MAX_SPECIAL || made == first + UFCC_MAX_SPECIAL - 1);
    CHECK(runs_special(ctx, p, &x, "the general one, since too many calls have their own"));
    CHECK(runs_special(ctx, p, &density, own));
    free(y);
    ufcc_free(p);
}

static void background(ufc_context *ctx) {
    ufcc_program *p = load(source);
    char *y = calloc(2, MAX_BYTES);
    CHECK(call(ctx, p, &density, y, NULL) == UFC_OK);
    CHECK(ufcc_specialize(p, "density", UFCC_SPECIALIZE_LATER));
    CHECK(call(ctx, p, &density, y + MAX_BYTES, NULL) == UFC_OK);
    CHECK(memcmp(y, y + MAX_BYTES, MAX_BYTES) == 0);
    for (int i = 0; i < 3000 && made < 2; i++)
        usleep(10000);
    CHECK(made == 2);
    for (int i = 0; i < 5; i++) { /* a worker that has ended is followed by another */
        struct example x = with_sigma(i + 3);
        CHECK(call(ctx, p, &x, y, NULL) == UFC_OK);
        CHECK(says_special(ctx, p, &x, own, 30));
    }
    free(y);
    ufcc_free(p);
}

static void free_at_work(ufc_context *ctx) {
    char *y = calloc(1, MAX_BYTES);
    for (int i = 0; i < 4; i++) {
        ufcc_program *p = load(source);
        CHECK(ufcc_specialize(p, NULL, UFCC_SPECIALIZE_LATER));
        for (int k = 0; k < 4; k++) {
            struct example x = with_sigma(k + 1);
            CHECK(call(ctx, p, &x, y, NULL) == UFC_OK);
        }
        usleep(2000 * i);
        ufcc_free(p);
    }
    free(y);
}

/* A failure is not the call's: the general code runs. */
static void failure(ufc_context *sim) {
    char path[] = "/tmp/special-XXXXXX", command[4200], *found = ufcc_find_libdevice();
    int fd = mkstemp(path);
    REQUIRE(fd >= 0 && found);
    snprintf(command, sizeof command, "cp '%s' %s", found, path);
    REQUIRE(system(command) == 0);
    ufcc_program *p = load_with(source, path);
    char *y = calloc(2, MAX_BYTES);
    CHECK(call(sim, p, &density, y, NULL) == UFC_OK);
    unlink(path);
    for (int how = UFCC_SPECIALIZE; how <= UFCC_SPECIALIZE_LATER; how++) {
        struct example x = with_sigma(how + 10);
        CHECK(ufcc_specialize(p, "density", UFCC_GENERAL));
        CHECK(call(sim, p, &x, y, NULL) == UFC_OK);
        CHECK(ufcc_specialize(p, "density", (ufcc_specialization)how));
        CHECK(call(sim, p, &x, y + MAX_BYTES, NULL) == UFC_OK);
        CHECK(memcmp(y, y + MAX_BYTES, MAX_BYTES) == 0);
        if (how == UFCC_SPECIALIZE)
            CHECK(runs_special(sim, p, &x, "the general one, since its own cannot be made"));
    }
    free(y);
    free(found);
    close(fd);
    ufcc_free(p);
}

/* ---- threads and processes */

enum { THREADS = 8, CALLS = 40, SIGMAS = 4 };

struct racer {
    const ufcc_program *program;
    ufc_context *ctx;
    pthread_barrier_t *start;
    const char *want; /* results of the general code, one behind the other */
};

static void *race(void *arg) {
    const struct racer *r = arg;
    char *y = calloc(1, MAX_BYTES);
    bool ok = y != NULL;
    pthread_barrier_wait(r->start);
    for (int i = 0; i < CALLS && ok; i++) {
        struct example x = with_sigma(i % SIGMAS + 1);
        ok = call(r->ctx, r->program, &x, y, NULL) == UFC_OK &&
             memcmp(y, r->want + (size_t)(i % SIGMAS) * 256, 256) == 0;
    }
    free(y);
    return ok ? arg : NULL;
}

static void threads(ufc_context *ctx, ufcc_specialization how) {
    ufcc_program *p = load(source);
    pthread_barrier_t start;
    pthread_t thread[THREADS];
    char *y = calloc(2, MAX_BYTES), *want = y + MAX_BYTES;
    struct racer r = {p, ctx, &start, want};
    for (int i = 0; i < SIGMAS; i++) {
        struct example x = with_sigma(i + 1);
        CHECK(call(ctx, p, &x, y, NULL) == UFC_OK);
        memcpy(want + (size_t)i * 256, y, 256);
    }
    made = 0;
    REQUIRE(ufcc_specialize(p, NULL, how) && pthread_barrier_init(&start, NULL, THREADS) == 0);
    for (int i = 0; i < THREADS; i++)
        REQUIRE(pthread_create(&thread[i], NULL, race, &r) == 0);
    for (int i = 0; i < THREADS; i++) {
        void *ok;
        CHECK(pthread_join(thread[i], &ok) == 0 && ok);
    }
    CHECK(how == UFCC_SPECIALIZE ? made == SIGMAS : made <= SIGMAS);
    pthread_barrier_destroy(&start);
    ufcc_free(p);
    free(y);
}

#ifndef __SANITIZE_THREAD__ /* which lets no child of threads start one */
/* Calls in a child while the parent's worker may be at work; and the child ends while its own is.
 */
static bool in_child(ufc_context *ctx, ufcc_program *p, bool frees) {
    int status;
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        char *y = calloc(1, MAX_BYTES);
        struct example x = with_sigma(77);
        alarm(50);
        bool ok = call(ctx, p, &density, y, NULL) == UFC_OK && call(ctx, p, &x, y, NULL) == UFC_OK;
        if (frees)
            ufcc_free(p);
        free(y);
        exit(!ok);
    }
    return waitpid(child, &status, 0) == child && status == 0;
}

static void processes(ufc_context *ctx) {
    char *y = calloc(1, MAX_BYTES);
    for (int i = 0; i < 4; i++) {
        ufcc_program *p = load(source);
        CHECK(call(ctx, p, &density, y, NULL) == UFC_OK);
        CHECK(ufcc_specialize(p, NULL, UFCC_SPECIALIZE_LATER));
        CHECK(in_child(ctx, p, i % 2));
        struct example x = with_sigma(i + 5);
        CHECK(call(ctx, p, &x, y, NULL) == UFC_OK); /* starts the worker */
        CHECK(in_child(ctx, p, i % 2));
        ufcc_free(p);
    }
    free(y);
}
#endif

/* ---- plans, and small stacks */

static void plans(ufc_context *ctx) {
    ufcc_program *p = load(source);
    _Alignas(16) float x[64], y[65], want[64];
    int64_t shape[] = {64};
    for (int i = 0; i < 64; i++)
        x[i] = (float)i / 16;
    DLTensor in = ufc_host_array(x, ufc_dltype(F4), 1, shape), out = in;
    ufc_arg args[] = {ufc_array(&in), ufc_float(1), ufc_float(2)};
    const ufc_ufunc *f = ufcc_function(p, "density");
    out.data = want;
    ufc_out results[] = {ufc_into(&out)};
    CHECK(ufc_call(ctx, NULL, f, args, results, &err) == UFC_OK);
    out.data = y;
    CHECK(ufcc_specialize(p, "density", UFCC_SPECIALIZE));
    ufc_plan *plan;
    ufc_plan_description d;
    REQUIRE(ufc_plan_new(&plan, ctx, NULL, f, args, results, NULL, &err) == UFC_OK);
    int before = made;
    CHECK(ufc_execute(plan, NULL, NULL, &err) == UFC_OK && memcmp(y, want, sizeof want) == 0);
    CHECK(made == before);
    CHECK(ufc_plan_describe(plan, &d, &err) == UFC_OK && strcmp(d.special, own) == 0);
    /* what was not planned runs the general code, of which a GPU has one kernel, or two */
    CHECK(ufc_execute(plan, NULL, (void *[]){x, NULL, NULL, y + 1}, &err) == UFC_OK);
    CHECK(memcmp(y + 1, want, sizeof want) == 0 && made <= before + 1);
    ufc_plan_free(plan);
    CHECK(ufcc_specialize(p, "density", UFCC_GENERAL));
    args[2] = ufc_float(3);
    REQUIRE(ufc_plan_new(&plan, ctx, NULL, f, args, results, NULL, &err) == UFC_OK);
    CHECK(ufcc_specialize(p, "density", UFCC_SPECIALIZE));
    before = made;
    CHECK(ufc_execute(plan, NULL, NULL, &err) == UFC_OK && made == before);
    CHECK(ufc_plan_describe(plan, &d, &err) == UFC_OK &&
          strcmp(d.special, "the general one, since the plan was made without its own") == 0);
    ufc_plan_free(plan);
    ufcc_free(p);
}

static void *call_special(void *arg) {
    const struct racer *r = arg;
    static char y[MAX_BYTES];
    return call(r->ctx, r->program, &density, y, NULL) == UFC_OK ? arg : NULL;
}

static void small_stack(ufc_context *cpu) {
    ufcc_program *p = load(source);
    struct racer r = {.program = p, .ctx = cpu};
    CHECK(ufcc_specialize(p, NULL, UFCC_SPECIALIZE));
    CHECK(on_small_stack(32768, call_special, &r) && made == 2);
    ufcc_free(p);
}

int main(void) {
    ufc_context *ctx[2];
    REQUIRE(ufc_context_new(&ctx[0], "cpu", 2, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&ctx[1], "sim", 2, &err) == UFC_OK);
    for (int i = 0; i < 2; i++) {
        bits(ctx[i]);
        once(ctx[i]);
        background(ctx[i]);
        free_at_work(ctx[i]);
        threads(ctx[i], UFCC_SPECIALIZE);
        threads(ctx[i], UFCC_SPECIALIZE_LATER);
#ifndef __SANITIZE_THREAD__
        processes(ctx[i]);
#endif
        plans(ctx[i]);
        functions(ctx[i]);
    }
    failure(ctx[1]);
    small_stack(ctx[0]);
    ufc_context_free(ctx[1]);
    ufc_context_free(ctx[0]);
    return test_failures != 0;
}
