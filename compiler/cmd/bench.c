/* bench.c: `ufc bench`: how long calls take, compared with the device's own copies.
 *
 * Bursts of calls and bursts of copies are timed in turn, so that both meet the same clocks and the
 * same neighbours.  A burst is long enough that the device limits it, not the host that starts it.
 * A copy moves as many bytes as a call, so that both are in the same cache of the host; on a GPU it
 * moves at least many times what the caches hold.  With --specialize bursts of calls that run the
 * general code are timed as well. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd.h"

static const double burst_seconds = 5e-3;
enum { MIN_BURSTS = 15, FEW_BURSTS = 3, MAX_BURSTS = 1000, MAX_CALLS = 1 << 20 };
static const int64_t least_copied = 4096, least_copied_on_gpu = (int64_t)256 << 20;

struct bench {
    struct call call;
    ufc_properties device;
    struct measure *measures; /* one for each size */
    int nmeasures;
};

/* ---- bursts */

enum { CALLS, COPIES, GENERAL_CALLS, BURSTS };

struct burst {
    ufc_status (*once)(const void *what, ufc_error *err);
    const void *what;
    const struct call *special; /* the call, where there are several kinds of code for it; else
                                   NULL */
    ufcc_specialization how;    /* which one runs */
    int64_t n;
    ufc_status status;
    ufc_error *err;
    int timed;
    double seconds[MAX_BURSTS]; /* of one call or copy, by burst */
};

static void burst(void *arg) {
    struct burst *b = arg;
    for (int64_t i = 0; i < b->n && b->status == UFC_OK; i++)
        b->status = b->once(b->what, b->err);
}

static ufc_status time_burst(struct burst *b, ufc_context *ctx, double *seconds, ufc_error *err) {
    ufc_error timing;
    b->status = UFC_OK;
    b->err = err;
    if (b->special)
        ufcc_specialize(b->special->compilation.program, b->special->name, b->how);
    ufc_status status = ufc_elapsed(ctx, NULL, burst, b, seconds, &timing);
    if (b->status == UFC_OK && status != UFC_OK)
        *err = timing;
    return b->status == UFC_OK ? status : b->status;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Warms up for a tenth of the time, and finds how many calls make a burst from the shortest time,
 * since longer ones were held up. */
static ufc_status warm_up(struct burst *b, ufc_context *ctx, double budget, ufc_error *err) {
    double total = 0, least = INFINITY, seconds = 0, start = now();
    ufc_status status = UFC_OK;
    b->n = 1;
    while ((status = time_burst(b, ctx, &seconds, err)) == UFC_OK) {
        total += seconds;
        least = fmin(least, seconds / (double)b->n);
        double all = least * (double)b->n;
        bool long_enough = all >= burst_seconds || b->n == MAX_CALLS;
        if (long_enough && (total >= budget / 10 || now() - start >= budget))
            break;
        double more = all > burst_seconds / 8 ? 1.1 * burst_seconds / all : 8;
        if (!long_enough)
            b->n = (int64_t)fmin(ceil(more * (double)b->n), MAX_CALLS);
    }
    return status;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The quantile q, interpolated between neighbours as by numpy.quantile. */
static double quantile(const double *sorted, int n, double q) {
    double at = q * (n - 1);
    int i = (int)at;
    return i + 1 < n ? sorted[i] + (at - i) * (sorted[i + 1] - sorted[i]) : sorted[n - 1];
}

/* Whether enough bursts are timed; of calls that take seconds each, fewer are. */
static bool are_enough(int bursts, double spent, double budget) {
    return bursts == MAX_BURSTS || (bursts >= MIN_BURSTS && spent >= budget) ||
           (bursts >= FEW_BURSTS && spent >= 10 + budget);
}

/* Times n kinds of bursts in turn, and sorts the times of each. */
static ufc_status time_all(struct burst *b, int n, ufc_context *ctx, double budget,
                           ufc_error *err) {
    double start = now();
    for (int i = 0; !are_enough(i, now() - start, budget); i++)
        for (int k = 0; k < n; k++) {
            double seconds;
            ufc_status status = time_burst(&b[k], ctx, &seconds, err);
            if (status != UFC_OK)
                return status;
            b[k].seconds[b[k].timed++] = seconds / (double)b[k].n;
        }
    for (int k = 0; k < n; k++)
        qsort(b[k].seconds, (size_t)b[k].timed, sizeof *b[k].seconds, compare);
    return UFC_OK;
}

/* ---- what is timed */

static ufc_status once_call(const void *what, ufc_error *err) {
    return call_once(what, NULL, err);
}

struct copy {
    ufc_context *ctx;
    struct input from;
    DLManagedTensorVersioned *to;
};

static ufc_status once_copy(const void *what, ufc_error *err) {
    const struct copy *c = what;
    return ufc_copy(c->ctx, NULL, &c->from.array, &c->to->dl_tensor, err);
}

static ufc_status copy_make(struct copy *c, ufc_context *ctx, int64_t size, ufc_error *err) {
    char text[64];
    c->ctx = ctx;
    snprintf(text, sizeof text, "rand:%lld:u8", (long long)(size + 7) / 8);
    if (input_parse(&c->from, text) != NULL) { /* the text is right, so memory is out */
        snprintf(err->message, sizeof err->message, "%s", out_of_memory);
        return UFC_ENOMEM;
    }
    struct making how = {.ctx = ctx, .on_device = true};
    ufc_status status = input_make(&c->from, &how, 0, err);
    if (status == UFC_OK)
        status = ufc_empty(ctx, UFC_UINT64, 1, c->from.array.shape, UFC_DEVICE, &c->to, err);
    return status;
}

static void copy_end(struct copy *c) {
    input_end(&c->from);
    ufc_free(c->to);
}

/* The bytes of elements that are distinct in memory: an axis of stride 0 has one element. */
static int64_t distinct_bytes(const DLTensor *t) {
    int64_t bytes = t->dtype.bits / 8;
    for (int i = 0; i < t->ndim; i++)
        if (!t->strides || t->strides[i] != 0 || t->shape[i] == 0)
            bytes *= t->shape[i];
    return bytes;
}

static int64_t moved_bytes(const struct call *c) {
    int64_t bytes = c->method.kw.where ? distinct_bytes(c->method.kw.where) : 0;
    for (int i = 0; i < c->ninputs; i++)
        if (c->in[i].kind == UFC_ARG_ARRAY)
            bytes += distinct_bytes(c->in[i].as.array);
    for (int i = 0; i < c->nout; i++)
        bytes += distinct_bytes(c->results[i] ? c->out[i].array : c->in[0].as.array);
    return bytes;
}

/* Makes the results by a first call; later calls write there.  If all inputs are numbers, that
 * call's results are on the host; for a GPU they are made anew. */
static ufc_status make_outputs(struct bench *b, ufc_error *err) {
    struct call *c = &b->call;
    ufc_status status = call_once(c, NULL, err);
    for (int i = 0; status == UFC_OK && i < c->nout && c->results[i]; i++) {
        const DLTensor *t = &c->results[i]->dl_tensor;
        if (t->device.device_type != b->device.device.device_type) {
            ufc_type type = type_of(t->dtype);
            DLManagedTensorVersioned *there;
            status = ufc_empty(c->ctx, type, t->ndim, t->shape, UFC_DEVICE, &there, err);
            if (status != UFC_OK)
                return status;
            ufc_free(c->results[i]);
            c->results[i] = there;
        }
        c->out[i] = ufc_into(&c->results[i]->dl_tensor);
    }
    return status;
}

/* Has code made for the call, by the first burst, of one; gives how long that took. */
static ufc_status specialize(struct burst *first, ufc_context *ctx, double *seconds,
                             ufc_error *err) {
    double start = now(), called;
    first->n = 1;
    ufc_status status = time_burst(first, ctx, &called, err);
    *seconds = now() - start;
    return status;
}

static ufc_status measure_call(struct bench *b, struct copy *copy, struct burst *bursts,
                               struct measure *m, ufc_error *err) {
    double budget = b->call.args->seconds;
    bool on_gpu = b->device.device.device_type == kDLCUDA;
    ufc_context *ctx = b->call.ctx;
    bool both = b->call.args->specialize;
    int n = both ? BURSTS : GENERAL_CALLS;
    if (both)
        ufcc_specialize(b->call.compilation.program, b->call.name, UFCC_GENERAL);
    ufc_status status = call_make(&b->call, (struct making){.n = m->n, .on_device = true}, err);
    if (status == UFC_OK)
        status = make_outputs(b, err);
    if (status != UFC_OK)
        return status;
    m->bytes = moved_bytes(&b->call);
    int64_t least = on_gpu ? least_copied_on_gpu : least_copied;
    status = copy_make(copy, ctx, m->bytes / 2 > least ? m->bytes / 2 : least, err);
    bursts[CALLS] = (struct burst){.once = once_call,
                                   .what = &b->call,
                                   .special = both ? &b->call : NULL,
                                   .how = UFCC_SPECIALIZE};
    bursts[COPIES] = (struct burst){.once = once_copy, .what = copy};
    bursts[GENERAL_CALLS] = bursts[CALLS];
    bursts[GENERAL_CALLS].how = UFCC_GENERAL;
    if (status == UFC_OK && both)
        status = specialize(&bursts[CALLS], ctx, &m->making, err);
    for (int k = 0; k < n && status == UFC_OK; k++)
        status = warm_up(&bursts[k], ctx, budget, err);
    if (status == UFC_OK)
        status = time_all(bursts, n, ctx, budget, err);
    if (status != UFC_OK)
        return status;
    m->calls = bursts[CALLS].n;
    m->bursts = bursts[CALLS].timed;
    for (int i = 0; i < 3; i++)
        m->quartile[i] = quantile(bursts[CALLS].seconds, m->bursts, 0.25 * (i + 1));
    double copied = 2 * (double)distinct_bytes(&copy->from.array);
    m->copy = copied / quantile(bursts[COPIES].seconds, bursts[COPIES].timed, 0.5);
    if (both)
        m->general = quantile(bursts[GENERAL_CALLS].seconds, bursts[GENERAL_CALLS].timed, 0.5);
    return UFC_OK;
}

static int measure(struct bench *b, struct measure *m) {
    ufc_error err = {"out of memory"};
    struct copy copy = {0};
    struct burst *bursts = malloc(BURSTS * sizeof *bursts);
    ufc_status status = bursts ? measure_call(b, &copy, bursts, m, &err) : UFC_ENOMEM;
    free(bursts);
    copy_end(&copy);
    call_unmake(&b->call);
    if (status != UFC_OK && m->n != SWEPT)
        return complain("N = %lld: %s", (long long)m->n, err.message);
    return status == UFC_OK ? DONE : complain("%s", err.message);
}

/* ---- sizes */

static int check_arguments(const struct call *c) {
    const struct arguments *args = c->args;
    bool swept = c->method.where.swept;
    for (int i = 0; i < c->ninputs; i++)
        swept = swept || c->inputs[i].swept;
    for (int i = 0; i < c->ninputs; i++)
        if (c->inputs[i].kind == INPUT_STDIN && args->sizes.first)
            return misuse(args->command, "'%s': standard input is read once, not for each size",
                          c->inputs[i].text);
    if (args->plot && !args->sizes.first)
        return misuse(args->command, "--plot draws over size: say --sizes too");
    if (args->sizes.first && !swept)
        return misuse(args->command, "--sizes: no argument has the size N, as in rand:N:f4");
    if (swept && !args->sizes.first)
        return misuse(args->command, "an argument has the size N: say --sizes, as in "
                                     "--sizes=1e3..1e6");
    return DONE;
}

/* Lists the sizes that --sizes gives, or a single one without it. */
static int list_sizes(struct bench *b) {
    struct sizes s = b->call.args->sizes;
    int room = 0;
    double at = (double)s.first;
    do {
        if (b->nmeasures == room) {
            room = room ? 2 * room : 16;
            struct measure *more = realloc(b->measures, (size_t)room * sizeof *more);
            if (!more)
                return complain("out of memory");
            b->measures = more;
        }
        int64_t n = s.first ? (int64_t)llround(at) : SWEPT;
        if (!b->nmeasures || n > b->measures[b->nmeasures - 1].n)
            b->measures[b->nmeasures++] = (struct measure){.n = n};
        at *= s.factor;
    } while (s.first && at < (double)s.last + 0.5);
    return DONE;
}

static int measure_all(struct bench *b) {
    bool shown = b->call.args->sizes.first && isatty(STDERR_FILENO);
    int status = DONE;
    for (int i = 0; i < b->nmeasures && status == DONE; i++) {
        if (shown) {
            fprintf(stderr, "\r\033[KN = %lld (%d of %d)", (long long)b->measures[i].n, i + 1,
                    b->nmeasures);
            fflush(stderr);
        }
        status = measure(b, &b->measures[i]);
    }
    if (shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    return status;
}

static int bench(struct bench *b, const struct arguments *args) {
    ufc_error err;
    int status = call_open(&b->call, args);
    if (status == DONE)
        status = check_arguments(&b->call);
    if (status == DONE && ufc_context_properties(b->call.ctx, &b->device, &err) != UFC_OK)
        status = complain("%s", err.message);
    if (status == DONE && args->plot && (!call_spares(&b->call, args->plot) || !plot_begin()))
        status = FAILED;
    if (status == DONE)
        status = list_sizes(b);
    if (status == DONE)
        status = measure_all(b);
    if (status != DONE)
        return status;
    (args->json ? print_measures_json : print_measures)(&b->call, b->device.name, b->measures,
                                                        b->nmeasures);
    if (args->plot && !plot_measures(&b->call, b->device.name, b->measures, b->nmeasures))
        status = FAILED;
    return status;
}

int command_bench(const struct arguments *args) {
    if (args->noperands == 1)
        return list_ufuncs(args);
    struct bench b = {0};
    int status = bench(&b, args);
    free(b.measures);
    call_end(&b.call);
    return status;
}
