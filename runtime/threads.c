/* threads.c: one pool of worker threads for the process.
 *
 * A parallel loop belongs to the thread that calls it, which works too; workers join while there is
 * something left.  A caller that finds the pool in use, by another call or by a loop around its
 * own, does its work alone.  A forked child has no workers and starts its own.
 *
 * Each thread has a share of the loop, the same at each call of as many elements, which then are in
 * its own cache; when it is done it takes ranges of the other shares.  To wake a thread takes as
 * long as tens of thousands of additions, and calls often follow one another; so a worker spins for
 * a moment for the next loop before it sleeps, and the caller spins for workers that are not
 * done. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "fpenv.h"
#include "rt.h"

struct range_share {
    _Alignas(64) _Atomic int64_t next; /* the first element not taken */
    int64_t end;
};

struct loop {
    range_fn *fn;
    void *arg;
    int threads;
    int64_t chunk;
};

static struct {
    atomic_bool busy;
    pthread_mutex_t lock; /* guards the members below */
    pthread_cond_t done, wake[MAX_THREADS];
    int workers;
    _Atomic uint64_t round; /* counts loops, so that a worker sees a new one */
    struct loop *loop;      /* NULL: there is none to join */
    atomic_int active;
    struct range_share share[MAX_THREADS]; /* of the loop: the caller's, then the workers' */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};

/* Takes ranges of the thread's own share, then of the others'. */
static void take_ranges(struct loop *loop, int thread) {
    for (int i = 0; i < loop->threads; i++) {
        struct range_share *share = &pool.share[(thread + i) % loop->threads];
        for (;;) {
            int64_t begin =
                atomic_fetch_add_explicit(&share->next, loop->chunk, memory_order_relaxed);
            if (begin >= share->end)
                break;
            int64_t left = share->end - begin;
            loop->fn(loop->arg, begin, left < loop->chunk ? share->end : begin + loop->chunk);
        }
    }
}

static int64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* Waits a few hundred cycles, which the core's other hardware thread may use. */
static void rest(void) {
#ifdef __SSE2__
    for (int i = 0; i < 4; i++)
        _mm_pause();
#endif
}

static void look_for_loop(uint64_t seen) {
    for (int64_t end = now() + SPIN_NS; atomic_load(&pool.round) == seen && now() < end;)
        rest();
}

static void *work(void *arg) {
    int number = (int)(intptr_t)arg; /* from 1 on */
    uint64_t seen = 0;
    (void)fp_enter(); /* a thread begins with its creator's environment */
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (pool.round == seen)
            pthread_cond_wait(&pool.wake[number], &pool.lock);
        seen = pool.round;
        if (!pool.loop || number >= pool.loop->threads)
            continue;
        struct loop *loop = pool.loop;
        pool.active++;
        pthread_mutex_unlock(&pool.lock);
        take_ranges(loop, number);
        pthread_mutex_lock(&pool.lock);
        if (--pool.active == 0)
            pthread_cond_signal(&pool.done);
        pthread_mutex_unlock(&pool.lock);
        look_for_loop(seen);
        pthread_mutex_lock(&pool.lock);
    }
    return NULL;
}

static void start_anew_in_child(void) {
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.done, NULL);
    pool.workers = 0;
    pool.active = 0;
    pool.round = 0;
    pool.loop = NULL;
    atomic_store(&pool.busy, false);
}

static void watch_forks(void) {
    pthread_atfork(NULL, NULL, start_anew_in_child);
}

/* Starts workers up to `wanted`, or as many as the system lets it.  Called with the lock held. */
static void add_workers(int wanted) {
    if (pool.workers >= wanted)
        return;
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    sigset_t all, old;
    sigfillset(&all); /* signals are for the program's own threads */
    pthread_sigmask(SIG_SETMASK, &all, &old);
    while (pool.workers < wanted) {
        pthread_t thread;
        int number = pool.workers + 1;
        pthread_cond_init(&pool.wake[number], NULL);
        if (pthread_create(&thread, NULL, work, (void *)(intptr_t)number) != 0)
            break;
        pthread_detach(thread);
        pool.workers = number;
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

/* Lets workers join. */
static void offer(struct loop *loop) {
    pthread_mutex_lock(&pool.lock);
    add_workers(loop->threads - 1);
    pool.loop = loop;
    pool.round++;
    for (int i = 1; i < loop->threads && i <= pool.workers; i++)
        pthread_cond_signal(&pool.wake[i]);
    pthread_mutex_unlock(&pool.lock);
}

/* Returns when the workers that have joined are done. */
static void withdraw(void) {
    pthread_mutex_lock(&pool.lock);
    pool.loop = NULL;
    pthread_mutex_unlock(&pool.lock);
    if (atomic_load(&pool.active) == 0)
        return;
    for (int64_t end = now() + SPIN_NS; atomic_load(&pool.active) && now() < end;)
        rest();
    pthread_mutex_lock(&pool.lock);
    while (pool.active)
        pthread_cond_wait(&pool.done, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
}

int threads_used(int threads, int64_t n, int64_t grain) {
    if (threads <= 1)
        return 1;
    int64_t grains = (n - 1) / grain + 1;
    return grains < threads ? (int)grains : threads;
}

void parallel_for(int threads, int64_t n, int64_t grain, range_fn *fn, void *arg) {
    if (n <= 0)
        return;
    threads = threads_used(threads, n, grain);
    if (threads == 1 || atomic_exchange(&pool.busy, true)) {
        fn(arg, 0, n);
        return;
    }

    /* A few ranges a thread, as cores are not equally fast. */
    int64_t grains = (n - 1) / grain + 1;
    struct loop loop = {fn, arg, threads,
                        grain * ((grains - 1) / (RANGES_PER_THREAD * (int64_t)threads) + 1)};
    for (int i = 0; i < threads; i++) {
        pool.share[i].next = i ? pool.share[i - 1].end : 0;
        pool.share[i].end = i + 1 < threads ? grain * (grains * (i + 1) / threads) : n;
    }
    offer(&loop);
    take_ranges(&loop, 0);
    withdraw();
    atomic_store(&pool.busy, false);
}

int wished_threads(void) {
    const char *text = getenv("UFC_NUM_THREADS");
    char *end;
    if (!text || !*text)
        return 0;
    long n = strtol(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || n < 1)
        return -1;
    return n < MAX_THREADS ? (int)n : MAX_THREADS;
}

int default_threads(void) {
    int wish = wished_threads();
    if (wish > 0)
        return wish;
    cpu_set_t set;
    long cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                             : sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores < MAX_THREADS ? (int)cores : MAX_THREADS;
}
