/* jobs.c: generating code on several threads.
 *
 * Each job has a compilation of its own: a copy of the caller's, whose plans it only reads, with
 * its own memory and errors, on a thread that has room for LLVM.  What jobs make does not depend on
 * the threads, and errors are reported as if the jobs had been done one after the other. */
#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uc.h"

enum { STACK = 8 << 20 }; /* bytes of a thread's, as the first thread has */

struct crew {
    const struct uc *uc;
    job_fn *work;
    void *arg;
    int n;
    locale_t locale; /* of the caller: numbers with a point */
    atomic_int next; /* the job that is begun next */
    pthread_mutex_t lock;
    /* guarded by lock: the first job that failed, or n, and why */
    int failed, jump;  /* jump: what it jumped with, or 0 */
    struct buf errors; /* messages, each with a NUL behind it */
    char llvm_failure[sizeof((struct uc *)0)->llvm_failure];
};

/* A job's diagnostics and dumps; `user` of its options. */
struct job {
    struct crew *crew;
    struct buf errors;
};

/* All diagnostics of generated code are errors without a place. */
static void keep_error(void *user, const ufcc_diagnostic *d) {
    struct job *job = user;
    buf_put(&job->errors, d->message, strlen(d->message) + 1);
}

static void pass_dump(void *user, const char *text, size_t size) {
    const struct ufcc_options *o = ((struct job *)user)->crew->uc->options;
    if (o->dumped != NULL)
        o->dumped(o->user, text, size);
}

/* Does job i; gives what it jumped with, or 0. */
static int attempt(struct crew *c, struct uc *own, int i, bool *ok) {
    jmp_buf no_memory;
    own->no_memory = &no_memory;
    int jump = setjmp(no_memory);
    if (jump != 0)
        return jump;
    bool entered = llvm_enter(own);
    if (!entered)
        error_nowhere(own, "%s", llvm_lost);
    *ok = entered && c->work(own, c->arg, i) && own->nerrors == 0;
    return 0;
}

static void note_failure(struct crew *c, struct job *job, const struct uc *own, int i, int jump) {
    pthread_mutex_lock(&c->lock);
    atomic_store(&c->next, c->n);
    if (i < c->failed) {
        struct buf errors = c->errors;
        c->failed = i;
        c->jump = jump;
        c->errors = job->errors;
        job->errors = errors;
        memcpy(c->llvm_failure, own->llvm_failure, sizeof c->llvm_failure);
    }
    pthread_mutex_unlock(&c->lock);
}

static void do_job(struct crew *c, int i) {
    struct job job = {.crew = c};
    struct ufcc_options options = *c->uc->options;
    options.diagnostic = keep_error;
    options.dumped = pass_dump;
    options.user = &job;
    struct uc own = *c->uc;
    own.options = &options;
    own.arena = arena_new();
    own.nerrors = 0;
    bool ok = false;
    int jump = own.arena != NULL ? attempt(c, &own, i, &ok) : NO_MEMORY;
    llvm_works_for(NULL);
    if (!ok)
        note_failure(c, &job, &own, i, jump);
    arena_free(own.arena);
    buf_free(&job.errors);
}

static void *do_jobs(void *crew) {
    struct crew *c = crew;
    locale_t before = uselocale(c->locale);
    fenv_t environment; /* of who started the thread, or of this thread's own work */
    fegetenv(&environment);
    fesetenv(FE_DFL_ENV);
    for (int i; (i = atomic_fetch_add(&c->next, 1)) < c->n;)
        do_job(c, i);
    fesetenv(&environment);
    uselocale(before);
    return NULL;
}

/* Starts *n threads, or as many as there can be, and sets *n to their number.  Returns 0, or the
 * errno number of the one that could not be started. */
static int start(struct crew *c, pthread_t *threads, int *n) {
    pthread_attr_t attributes;
    sigset_t all, before;
    int wanted = *n, error = pthread_attr_init(&attributes);
    *n = 0;
    if (error != 0)
        return error;
    pthread_attr_setstacksize(&attributes, STACK);
    sigfillset(&all); /* signals are for the program's own threads */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (*n < wanted && error == 0) {
        error = pthread_create(&threads[*n], &attributes, do_jobs, c);
        *n += error == 0;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return error;
}

static void join(const pthread_t *threads, int n) {
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
}

/* Reports why a job failed, as it would have itself. */
static bool report(struct crew *c, struct uc *uc) {
    if (c->failed == c->n)
        return true;
    const char *end = c->errors.data + c->errors.size;
    for (const char *m = c->errors.data; m != NULL && m < end; m += strlen(m) + 1)
        error_nowhere(uc, "%s", m);
    if (c->jump == 0 && c->errors.size == 0) /* there was no memory to keep what it said */
        error_nowhere(uc, "out of memory");
    buf_free(&c->errors);
    memcpy(uc->llvm_failure, c->llvm_failure, sizeof c->llvm_failure);
    if (c->jump != 0)
        longjmp(*uc->no_memory, c->jump);
    return false;
}

bool run_jobs(struct uc *uc, int n, job_fn *work, void *arg) {
    struct crew c = {.uc = uc,
                     .work = work,
                     .arg = arg,
                     .n = n,
                     .locale = uselocale((locale_t)0),
                     .lock = PTHREAD_MUTEX_INITIALIZER,
                     .failed = n};
    bool dumps = uc->options->dump != NULL; /* in the order of jobs */
    int most = dumps || uc->options->threads < 1 ? 1 : uc->options->threads;
    int nthreads = most < n ? most : n;
    pthread_t *threads = NEWN(uc, pthread_t, nthreads);
    if (!llvm_begin()) {
        error_nowhere(uc, "%s", llvm_lost);
        return false;
    }
    (void)start(&c, threads, &nthreads);
    if (nthreads == 0)
        do_jobs(&c);
    join(threads, nthreads);
    llvm_end();
    return report(&c, uc);
}

/* Puts why the only job failed into a text. */
static void explain(struct crew *c, char *why, size_t size) {
    if (c->jump == LLVM_FAILED)
        snprintf(why, size, "code generation: %s; this process can generate no more code",
                 c->llvm_failure);
    else
        snprintf(why, size, "%s",
                 c->jump == 0 && c->errors.data ? c->errors.data : "out of memory");
    buf_free(&c->errors);
}

bool run_job(const struct uc *uc, job_fn *work, void *arg, char *why, size_t size) {
    struct crew c = {.uc = uc,
                     .work = work,
                     .arg = arg,
                     .n = 1,
                     .locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0),
                     .lock = PTHREAD_MUTEX_INITIALIZER,
                     .failed = 1};
    pthread_t thread;
    int nthreads = 1, error = start(&c, &thread, &nthreads);
    join(&thread, nthreads);
    if (c.locale)
        freelocale(c.locale);
    if (error != 0)
        snprintf(why, size, "no thread can be started: %s", strerror(error));
    else if (c.failed == 0)
        explain(&c, why, size);
    return error == 0 && c.failed != 0;
}
