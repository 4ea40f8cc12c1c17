/* server.c: eight threads answer ten thousand requests of several kinds and sizes, twice, with one
 * context, on a GPU if there is one.  What memory the process has, and what the GPU's pool, stays
 * as it was after the first round: it is written to a file that gnuplot draws.
 *
 * ufc build gaussian.uf && ufc build linalg.uf && cc server.c gaussian.o linalg.o -lufc -lm
 * -lpthread
 * ./a.out memory.txt
 * gnuplot -e 'set term svg; set output "memory.svg"; set xlabel "requests"; set ylabel "MB";
 *   plot "memory.txt" u 1:2 w l t "process", "" u 1:3 w l t "pool of the GPU"' */
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "gaussian.h"
#include "linalg.h"

enum { THREADS = 8, REQUESTS = 10000, SAMPLE = 100, MOST = 1 << 16, ROW = 64 };
/* A round that warms up, and one of the same requests, which may leave behind so many bytes each:
 * malloc's caches of freed blocks still fill, and count as used. */
enum { ROUNDS = 2, SAMPLES = ROUNDS * REQUESTS / SAMPLE, LEFT = 64 };

static ufc_context *ctx;
static pthread_barrier_t all_done;
static atomic_int wrong;
static double process[SAMPLES], pool[SAMPLES]; /* MB */
static size_t in_use[ROUNDS];                  /* bytes of malloc's, between requests */

/* What one request may need. */
struct worker {
    int first; /* request */
    float in[MOST], out[MOST];
    ufc_error err;
};

/* ---- requests: each checks its result, and gives whether it is right */

static bool density(struct worker *w, int64_t n) {
    DLTensor x = ufc_host_array(w->in, ufc_dltype(UFC_FLOAT32), 1, &n), y = x;
    y.data = w->out;
    if (gaussian_gaussian_pdf(ctx, NULL, ufc_array(&x), ufc_float(0), ufc_float(1), ufc_into(&y),
                              &w->err) != UFC_OK)
        return false;
    double z = (double)w->in[n - 1], wanted = exp(-0.5 * z * z) / sqrt(2 * acos(-1));
    return fabs((double)w->out[n - 1] - wanted) < 1e-6;
}

/* The result is the call's, and freed. */
static bool lengths(struct worker *w, int64_t n) {
    int64_t shape[] = {n / ROW + 1, ROW};
    DLManagedTensorVersioned *made;
    if (shape[0] * ROW > MOST)
        shape[0]--;
    DLTensor x = ufc_host_array(w->in, ufc_dltype(UFC_FLOAT32), 2, shape);
    if (linalg_l2norm(ctx, NULL, ufc_array(&x), ufc_new(&made), &w->err) != UFC_OK)
        return false;
    double sum = 0;
    for (int i = 0; i < ROW; i++)
        sum += (double)w->in[i] * (double)w->in[i];
    bool right = fabs((double)*(float *)made->dl_tensor.data - sqrt(sum)) < 1e-4 * sqrt(sum);
    ufc_free(made);
    return right;
}

/* Arrays that stay on the device from one call to the next. */
static bool on_device(struct worker *w, int64_t n) {
    DLManagedTensorVersioned *x = NULL, *y = NULL, *back = NULL;
    DLTensor host = ufc_host_array(w->in, ufc_dltype(UFC_FLOAT32), 1, &n);
    bool done = ufc_to_device(ctx, NULL, &host, &x, &w->err) == UFC_OK &&
                gaussian_uniform(ctx, NULL, ufc_array(&x->dl_tensor), ufc_float(1), ufc_float(3),
                                 ufc_new(&y), &w->err) == UFC_OK &&
                ufc_to_host(ctx, NULL, &y->dl_tensor, &back, &w->err) == UFC_OK;
    bool right = done && ((float *)back->dl_tensor.data)[n - 1] == 1 + 2 * w->in[n - 1];
    ufc_free(x);
    ufc_free(y);
    ufc_free(back);
    return right;
}

/* What a client may get wrong: an error, and nothing else. */
static bool mistaken(struct worker *w, int64_t n) {
    n += n == 1; /* one element would be broadcast */
    int64_t other = n + 1;
    DLTensor x = ufc_host_array(w->in, ufc_dltype(UFC_FLOAT32), 1, &n), y = x;
    y.shape = &other;
    return gaussian_gaussian_pdf(ctx, NULL, ufc_array(&x), ufc_float(0), ufc_float(1), ufc_into(&y),
                                 &w->err) == UFC_ESHAPE;
}

/* ---- the server */

static double resident(void) {
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%*d %ld", &pages) != 1)
        pages = 0;
    if (f)
        fclose(f);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) * 1e-6;
}

/* All threads wait for the last one, so that no request has memory when it is measured. */
static void end_round(int round) {
    if (pthread_barrier_wait(&all_done) == PTHREAD_BARRIER_SERIAL_THREAD) {
        struct mallinfo2 m = mallinfo2();
        in_use[round] = m.uordblks + m.hblkhd;
    }
    pthread_barrier_wait(&all_done);
}

static void *serve(void *arg) {
    static bool (*const kinds[])(struct worker *, int64_t) = {density, lengths, on_device,
                                                              mistaken};
    struct worker *w = arg;
    for (int n = w->first; n < ROUNDS * REQUESTS; n += THREADS) {
        int i = n % REQUESTS; /* each thread answers the same requests in all rounds */
        unsigned bits = (unsigned)i * 2654435761U; /* any size, the small ones more often */
        int64_t size = 1 + (int64_t)(bits >> 8) % (MOST >> (bits >> 28));
        if (!kinds[i / THREADS % 4](w, size) && atomic_fetch_add(&wrong, 1) == 0)
            fprintf(stderr, "request %d is wrong: %s\n", i, w->err.message);
        ufc_pool p = {0};
        if (n % SAMPLE == 0) {
            ufc_pool_statistics(ctx, &p, NULL); /* the host has none */
            process[n / SAMPLE] = resident();
            pool[n / SAMPLE] = (double)p.reserved * 1e-6;
        }
        if ((n + THREADS) / REQUESTS > n / REQUESTS)
            end_round(n / REQUESTS);
    }
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t thread[THREADS];
    struct worker *worker = calloc(THREADS, sizeof *worker);
    ufc_error err;
    FILE *out = argc > 1 ? fopen(argv[1], "w") : NULL;
    if (!worker || ufc_context_new(&ctx, "auto", 0, &err) != UFC_OK ||
        pthread_barrier_init(&all_done, NULL, THREADS) != 0)
        return 1;
    for (int i = 0; i < THREADS; i++) {
        worker[i].first = i;
        for (int k = 0; k < MOST; k++)
            worker[i].in[k] = (float)((k * 7 + i) % 1000) / 1000;
        if (pthread_create(&thread[i], NULL, serve, &worker[i]) != 0)
            return 1;
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    ufc_context_free(ctx);
    free(worker);
    double early = 0, late = 0; /* the most in the first round, and in the last */
    for (int i = 0; i < SAMPLES; i++) {
        double *most = i < REQUESTS / SAMPLE ? &early : &late;
        *most = process[i] + pool[i] > *most ? process[i] + pool[i] : *most;
        if (out)
            fprintf(out, "%d %.3f %.3f\n", i * SAMPLE, process[i], pool[i]);
    }
    if (out)
        fclose(out);
    /* Beside what is in use malloc keeps some for each thread: how much, chance decides. */
    long more = (long)in_use[1] - (long)in_use[0];
    bool flat = more < LEFT * REQUESTS && late < early + .5 * THREADS;
    printf("%d requests by %d threads, %d wrong; memory %s, %ld bytes more\n", ROUNDS * REQUESTS,
           THREADS, wrong, flat ? "stays" : "grows", more);
    return wrong > 0 || !flat;
}
