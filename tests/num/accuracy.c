/* accuracy: the errors of the built-in functions, for each type that takes them, on each device.
 *
 *     accuracy COUNT DEVICES [FUNCTION...]
 *
 * tries each row of builtin.def, or those named, with special values and COUNT random ones, one-
 * argument functions of 16-bit types with all 2^16 where COUNT is no less.  DEVICES: v2,v3,v4 (the
 * host's levels), sim, cuda, with commas.  For each function, type and device it prints the largest
 * error, its bound and where it is.  It fails where a bound is exceeded, or a row has no reference;
 * 77: no device is here. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../compiler/ufcc.h"
#include "../test.h"
#include "num.h"

enum { MAX_ARGS = 3, MAX_RESULTS = 2, MOST_SPECIAL = 512, SHOWN = 3 };

/* One function of one type: inputs, in memory as calls take them, and exact results. */
struct batch {
    const struct row *row;
    const struct format *f;
    const struct reference *ref;
    int64_t n;
    int nargs, nresults;
    void *arg[MAX_ARGS];
    long double *exact; /* two an element: the results, or the parts */
};

static int64_t count;
static char source[8192];

static int parts(const struct batch *b) {
    return b->f->is_complex ? 2 : 1;
}

/* ---- inputs and exact results */

/* Values as `exact` takes them. */
static void values_of(const struct batch *b, int64_t i, long double *x) {
    for (int k = 0; k < b->nargs; k++)
        for (int p = 0; p < parts(b); p++)
            *x++ = b->ref->args[k] == 'i' ? (long double)((const int32_t *)b->arg[k])[i]
                                          : decode(b->f, b->arg[k], parts(b) * i + p);
}

/* What the bound is multiplied by; 0: nothing is known of the result. */
static double growth_of(const struct batch *b, const long double *x) {
    if (b->ref->skip && b->ref->skip(x))
        return 0;
    double growth = b->ref->growth ? b->ref->growth(x) : 1;
    if (isnan(growth))
        return 1;
    bool lost = b->f->is_complex && b->ref->growth &&
                ldexp(bound(b->row, b->f) * growth, 1 - b->f->precision) > 0.1;
    return lost ? 0 : growth;
}

/* Only where something is known: MPC takes most of its time for the rest. */
static void compute(void *arg, int64_t begin, int64_t end) {
    struct batch *b = arg;
    for (int64_t i = begin; i < end; i++) {
        long double x[2 * MAX_ARGS];
        values_of(b, i, x);
        if (growth_of(b, x) != 0)
            b->ref->exact(b->f, x, b->exact + 2 * i);
    }
}

/* Orders: of ldexp all, of Bessel functions what MPFR computes in time. */
static const int orders[] = {0,     1,    2,     3,     -1,     -2,        -3,
                             5,     10,   -7,    20,    100,    -100,      1000,
                             -1000, 2000, -2200, 99999, -99999, INT32_MIN, INT32_MAX};

static int32_t order(const struct batch *b, uint64_t k) {
    bool scale = b->ref->args[0] == 'x';
    return orders[k % (scale ? sizeof orders / sizeof *orders : 11)];
}

/* The inputs are: `pairs` of the product of special values, then random ones. */
static void fill(struct batch *b, int64_t pairs) {
    static long double special[MOST_SPECIAL];
    int ns = special_values(b->f, special), place = 0;
    int64_t all = 1;
    for (int k = 0; k < b->nargs * parts(b); k++)
        all = all > INT64_MAX / ns ? all : all * ns;
    for (int k = 0; k < b->nargs; k++) {
        for (int p = 0; p < parts(b); p++, place++)
            for (int64_t i = 0; i < b->n; i++) {
                /* which of all tuples: all in order, or some spread by a stride */
                uint64_t tuple = pairs == all ? (uint64_t)i : random_bits(7, (uint64_t)i);
                for (int s = 0; s < place; s++)
                    tuple /= (uint64_t)ns;
                if (b->ref->args[k] == 'i')
                    ((int32_t *)b->arg[k])[i] =
                        order(b, i < pairs ? tuple : random_bits(5, (uint64_t)i));
                else
                    encode(b->f, b->arg[k], parts(b) * i + p,
                           i < pairs ? special[tuple % (uint64_t)ns]
                                     : random_value(b->f, b->ref, 16 * (unsigned)place + 64,
                                                    (uint64_t)i));
            }
    }
}

static void prepare(struct batch *b) {
    int ns = special_values(b->f, NULL);
    int64_t pairs = 1, limit = count < 65536 ? count : INT64_C(1) << 20;
    for (int k = 0; k < b->nargs * parts(b); k++)
        pairs *= pairs > limit ? 1 : ns;
    bool exhaustive = b->nargs == 1 && b->f->bits == 16 && count >= 65536;
    if (pairs > limit && b->nargs * parts(b) > 1)
        pairs = limit;
    b->n = exhaustive ? 65536 : pairs + count;
    for (int k = 0; k < b->nargs; k++)
        REQUIRE(b->arg[k] = calloc((size_t)b->n, 16));
    REQUIRE(b->exact = calloc((size_t)b->n * 2, sizeof *b->exact));
    if (exhaustive)
        for (int i = 0; i < 65536; i++)
            ((uint16_t *)b->arg[0])[i] = (uint16_t)i;
    else
        fill(b, pairs);
    on_all_cores(b->n, 256, compute, b);
}

/* ---- the device's results */

static ufc_type result_type(const struct batch *b, int r) {
    switch (b->ref->results[r]) {
    case 'i': return UFC_INT32;
    case 'b': return UFC_BOOL;
    case 'r': return b->f->precision == 24 ? UFC_FLOAT32 : UFC_FLOAT64;
    default: return b->f->type;
    }
}

/* Result r of element i, as values. */
static void result_of(const struct batch *b, int r, const void *data, int64_t i, long double *v) {
    switch (b->ref->results[r]) {
    case 'i': *v = ((const int32_t *)data)[i]; break;
    case 'b': *v = ((const uint8_t *)data)[i]; break;
    case 'r': *v = decode(b->f, data, i); break;
    default:
        for (int p = 0; p < parts(b); p++)
            v[p] = decode(b->f, data, parts(b) * i + p);
    }
}

static void call(const struct batch *b, ufc_context *ctx, const ufc_ufunc *ufunc, void **result) {
    int64_t shape[1] = {b->n};
    DLTensor arrays[MAX_ARGS + MAX_RESULTS];
    ufc_arg in[MAX_ARGS];
    ufc_out out[MAX_RESULTS];
    ufc_error err;
    for (int k = 0; k < b->nargs; k++) {
        ufc_type t = b->ref->args[k] == 'i' ? UFC_INT32 : b->f->type;
        arrays[k] = ufc_host_array(b->arg[k], ufc_dltype(t), 1, shape);
        in[k] = ufc_array(&arrays[k]);
    }
    for (int r = 0; r < b->nresults; r++) {
        DLTensor *a = &arrays[MAX_ARGS + r];
        REQUIRE(result[r] = malloc((size_t)b->n * 16));
        *a = ufc_host_array(result[r], ufc_dltype(result_type(b, r)), 1, shape);
        out[r] = ufc_into(a);
    }
    if (ufc_call(ctx, NULL, ufunc, in, out, &err) != UFC_OK) {
        printf("%s: %s\n", b->row->name, err.message);
        exit(1);
    }
}

static double error_of(const struct batch *b, int r, const long double *got,
                       const long double *exact) {
    if (b->ref->results[r] == 'i' || b->ref->results[r] == 'b')
        return *got == *exact ? 0 : HUGE_VAL;
    if (b->f->is_complex && b->ref->results[r] == 'x')
        return epsilons(b->f, got, exact);
    if (b->row->ulp32 != 0 || b->f->bits == 16 || b->f->is_complex)
        return ulps(b->f, *got, *exact, b->ref->absolute);
    long double nearest = rounded(b->f, *exact); /* and nothing else */
    return ulps(b->f, *got, nearest, false);
}

static void show(const struct batch *b, int64_t i, const long double *got,
                 const long double *exact) {
    long double x[2 * MAX_ARGS];
    values_of(b, i, x);
    printf("    at");
    for (int k = 0; k < b->nargs * parts(b); k++)
        printf(" %a", (double)x[k]);
    printf(": %a", (double)got[0]);
    if (b->f->is_complex)
        printf(" %a", (double)got[1]);
    printf(", exactly %La", exact[0]);
    if (b->f->is_complex)
        printf(" %La", exact[1]);
    putchar('\n');
}

/* A complex result of which a part, or an infinity's sign, is not known. */
static bool overflows(const struct batch *b, const long double *exact) {
    return b->f->is_complex && b->ref->growth && !isnan(exact[0]) && !isnan(exact[1]) &&
           (isinf(rounded(b->f, exact[0])) || isinf(rounded(b->f, exact[1])));
}

/* False: a bound is exceeded. */
static bool compare(const struct batch *b, const char *device, void **result) {
    double worst = 0, limit = bound(b->row, b->f);
    int64_t where = 0;
    int failures = 0;
    for (int64_t i = 0; i < b->n; i++) {
        long double x[2 * MAX_ARGS], got[2] = {0, 0};
        const long double *exact = b->exact + 2 * i;
        values_of(b, i, x);
        double growth = growth_of(b, x);
        if (growth == 0 || overflows(b, exact))
            continue;
        for (int r = 0; r < b->nresults; r++) {
            result_of(b, r, result[r], i, got);
            double error = error_of(b, r, got, exact + (b->nresults > 1 ? r : 0)) / growth;
            if (!(error <= limit) && failures++ < SHOWN)
                show(b, i, got, exact);
            if (!(error <= worst)) {
                worst = error;
                where = i;
            }
        }
    }
    long double x[2 * MAX_ARGS];
    values_of(b, where, x);
    printf("%s %s %s %.4g of %.4g", b->row->name, b->f->name, device, worst, limit);
    for (int k = 0; k < b->nargs * parts(b); k++)
        printf("%s%a", k ? "," : " ", (double)x[k]);
    printf(failures ? " FAILED %d of %lld\n" : "\n", failures, (long long)b->n);
    return failures == 0;
}

/* ---- a function */

/* Its ufuncs, one a type: `ufunc f_f4(a, b) : float32(float32, float32) = hypot(a, b)`. */
static void write_source(const struct batch *batches, int n) {
    char *s = source;
    *s = 0;
    for (const struct batch *b = batches; b < batches + n; b++) {
        char names[16] = "", types[128] = "", results[64] = "";
        for (int k = 0; k < b->nargs; k++) {
            sprintf(names + strlen(names), "%s%c", k ? ", " : "", 'p' + k);
            sprintf(types + strlen(types), "%s%s", k ? ", " : "",
                    b->ref->args[k] == 'i' ? "int32" : b->f->name);
        }
        for (int r = 0; r < b->nresults; r++)
            sprintf(results + strlen(results), "%s%s", r ? ", " : "",
                    ufc_type_name(ufc_dltype(result_type(b, r))));
        if (b->nresults == 1)
            s += sprintf(s, "ufunc f_%s(%s) : %s(%s) = %s(%s)\n", b->f->brief, names, results,
                         types, b->row->name, names);
        else
            s += sprintf(s, "ufunc f_%s(%s) : (%s)(%s) { let u, v = %s(%s); return u, v }\n",
                         b->f->brief, names, results, types, b->row->name, names);
    }
}

/* In a process of its own, since the level is chosen once a process. */
static bool try_on(const char *device, const struct batch *batches, int n) {
    ufcc_program *program = compile(device, source, false);
    ufc_context *ctx = open_device(device, 0);
    bool ok = true;
    for (const struct batch *b = batches; b < batches + n; b++) {
        char name[16];
        void *result[MAX_RESULTS];
        sprintf(name, "f_%s", b->f->brief);
        call(b, ctx, ufcc_function(program, name), result);
        ok = compare(b, device, result) && ok;
        for (int r = 0; r < b->nresults; r++)
            free(result[r]);
    }
    ufc_context_free(ctx);
    ufcc_free(program);
    return ok;
}

/* All devices at once.  False after failures. */
static bool on_devices(char *const *devices, const struct batch *batches, int n) {
    pid_t child[8];
    int nchildren = 0;
    bool ok = true;
    fflush(stdout);
    for (; devices[nchildren]; nchildren++) {
        child[nchildren] = fork();
        REQUIRE(child[nchildren] >= 0);
        if (child[nchildren] > 0)
            continue;
        choose_device(devices[nchildren]);
        static char buffer[1 << 16]; /* lines of several processes are not to mix */
        setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
        ok = try_on(devices[nchildren], batches, n);
        fflush(stdout);
        _exit(!ok);
    }
    for (int i = 0; i < nchildren; i++) {
        int status;
        REQUIRE(waitpid(child[i], &status, 0) == child[i]);
        ok = ok && WIFEXITED(status) && WEXITSTATUS(status) == 0;
        if (WIFSIGNALED(status))
            printf("%s: %s: signal %d\n", batches->row->name, devices[i], WTERMSIG(status));
    }
    return ok;
}

/* A row that complex types take though it has no bound for them must get one. */
static bool has_complex_row(const char *name) {
    for (int i = 0; table_row(i); i++)
        if (table_row(i)->is_complex && strcmp(table_row(i)->name, name) == 0)
            return true;
    char s[128];
    bool two = table_row(0) && real_reference(name) && real_reference(name)->args[1] == 'x';
    sprintf(s, "ufunc f(p, q) : complex64(complex64, complex64) = complex64(%s(p%s)) + q\n", name,
            two ? ", q" : "");
    ufcc_program *p = compile("sim", s, true);
    ufcc_free(p);
    if (p)
        printf("%s: takes complex numbers, but has no bound for them in builtin.def\n", name);
    return p == NULL;
}

static bool try_row(const struct row *row, char *const *devices) {
    struct batch batches[FORMATS] = {0};
    int n = 0;
    const struct reference *ref =
        row->is_complex ? complex_reference(row->name) : real_reference(row->name);
    if (!ref || (int)strlen(ref->args) != row->nargs ||
        (int)strlen(ref->results) != row->nresults) {
        printf("%s: no exact result in reference%s.c\n", row->name,
               row->is_complex ? "_complex" : "");
        return false;
    }
    if (!row->is_complex && !has_complex_row(row->name))
        return false;
    for (int i = 0; i < FORMATS; i++) {
        if (formats[i].is_complex != row->is_complex)
            continue;
        batches[n] = (struct batch){.row = row,
                                    .f = &formats[i],
                                    .ref = ref,
                                    .nargs = row->nargs,
                                    .nresults = row->nresults};
        prepare(&batches[n++]);
    }
    write_source(batches, n);
    bool ok = on_devices(devices, batches, n);
    for (int i = 0; i < n; i++) {
        free(batches[i].exact);
        for (int k = 0; k < MAX_ARGS; k++)
            free(batches[i].arg[k]);
    }
    return ok;
}

static bool wanted(const char *name, char *const *names) {
    if (!*names)
        return true;
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* Asks in a process of its own, as on_devices. */
static bool is_here(const char *device) {
    int status;
    fflush(stdout);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        const char *why = choose_device(device);
        if (why)
            printf("%s: %s\n", device, why);
        fflush(stdout);
        _exit(why != NULL);
    }
    REQUIRE(waitpid(child, &status, 0) == child);
    return status == 0;
}

int main(int argc, char **argv) {
    if (argc < 3)
        return printf("usage: accuracy COUNT DEVICES [FUNCTION...]\n"), 1;
    char *devices[8] = {NULL};
    int ndevices = 0, rows = 0, failed = 0;
    count = atoll(argv[1]);
    for (char *d = strtok(argv[2], ","); d && ndevices < 7; d = strtok(NULL, ","))
        if (is_here(d))
            devices[ndevices++] = d;
    if (ndevices == 0)
        return SKIPPED;
    for (int i = 0; table_row(i); i++) {
        const struct row *row = table_row(i);
        if ((!row->is_real && !row->is_complex) || !wanted(row->name, argv + 3))
            continue;
        rows++;
        failed += !try_row(row, devices);
    }
    printf("%d of %d rows failed\n", failed, rows);
    return rows == 0 || failed;
}
