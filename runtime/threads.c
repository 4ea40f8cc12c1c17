/* threads.c: one pool of worker threads for the process.
 *
 * A parallel loop belongs to the thread that calls it, which works too; workers join while there is
 * something left.  Whoever finds the pool in use, another call or a loop within a loop, does its
 * work alone.  A forked child has no workers and starts its own. */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "fpenv.h"
#include "rt.h"

struct loop {
    range_fn *fn;
    void *arg;
    int64_t n, chunk;
    _Atomic int64_t next; /* the first element not taken */
};

static struct {
    atomic_bool busy;
    pthread_mutex_t lock; /* over all below */
    pthread_cond_t wake, done;
    int workers;
    uint64_t round;    /* counts loops, so that a worker sees a new one */
    struct loop *loop; /* NULL: none to join */
    int places, active;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .wake = PTHREAD_COND_INITIALIZER,
          .done = PTHREAD_COND_INITIALIZER};

static void take_ranges(struct loop *loop) {
    for (;;) {
        int64_t begin = atomic_fetch_add_explicit(&loop->next, loop->chunk, memory_order_relaxed);
        if (begin >= loop->n)
            return;
        int64_t left = loop->n - begin;
        loop->fn(loop->arg, begin, left < loop->chunk ? loop->n : begin + loop->chunk);
    }
}

static void *work(void *unused) {
    (void)unused;
    uint64_t seen = 0;
    (void)fp_enter(); /* a thread begins with its creator's */
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (pool.round == seen)
            pthread_cond_wait(&pool.wake, &pool.lock);
        seen = pool.round;
        if (!pool.loop || pool.places == 0)
            continue;
        struct loop *loop = pool.loop;
        pool.places--;
        pool.active++;
        pthread_mutex_unlock(&pool.lock);
        take_ranges(loop);
        pthread_mutex_lock(&pool.lock);
        if (--pool.active == 0)
            pthread_cond_signal(&pool.done);
    }
    return NULL;
}

static void start_anew_in_child(void) {
    pthread_mutex_init(&pool.lock, NULL);
    pthread_cond_init(&pool.wake, NULL);
    pthread_cond_init(&pool.done, NULL);
    pool.workers = pool.places = pool.active = 0;
    pool.round = 0;
    pool.loop = NULL;
    atomic_store(&pool.busy, false);
}

static void watch_forks(void) {
    pthread_atfork(NULL, NULL, start_anew_in_child);
}

/* Starts workers up to `wanted`, as far as the system gives them.  Called with the lock held. */
static void add_workers(int wanted) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    sigset_t all, old;
    sigfillset(&all); /* signals are for the program's own threads */
    pthread_sigmask(SIG_SETMASK, &all, &old);
    while (pool.workers < wanted) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, work, NULL) != 0)
            break;
        pthread_detach(thread);
        pool.workers++;
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void parallel_for(int threads, int64_t n, int64_t grain, range_fn *fn, void *arg) {
    if (n <= 0)
        return;
    int64_t grains = (n - 1) / grain + 1;
    if (threads > grains)
        threads = (int)grains;
    if (threads <= 1 || atomic_exchange(&pool.busy, true)) {
        fn(arg, 0, n);
        return;
    }

    /* A few ranges a thread, as cores are not equally fast. */
    int64_t ranges = 4 * (int64_t)threads;
    struct loop loop = {fn, arg, n, grain * ((grains - 1) / ranges + 1), 0};
    pthread_mutex_lock(&pool.lock);
    if (pool.workers < threads - 1)
        add_workers(threads - 1);
    pool.loop = &loop;
    pool.places = threads - 1;
    pool.round++;
    pthread_cond_broadcast(&pool.wake);
    pthread_mutex_unlock(&pool.lock);

    take_ranges(&loop);

    pthread_mutex_lock(&pool.lock);
    pool.loop = NULL;
    while (pool.active)
        pthread_cond_wait(&pool.done, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
    atomic_store(&pool.busy, false);
}

int default_threads(void) {
    const char *text = getenv("UFC_NUM_THREADS");
    if (text) {
        char *end;
        long n = strtol(text, &end, 10);
        if (end != text && *end == '\0' && n >= 1)
            return n < MAX_THREADS ? (int)n : MAX_THREADS;
    }
    cpu_set_t set;
    long cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                             : sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : cores < MAX_THREADS ? (int)cores : MAX_THREADS;
}
