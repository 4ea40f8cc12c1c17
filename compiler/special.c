/* special.c: code that is made for certain calls, of functions that are asked to have it.
 *
 * What was made stays as long as the program, so that no call waits until another has left it.
 * Entries are only ever added, at the head of an overload's list, so it is walked without a lock.
 * Locks are held between llvm_begin and llvm_end alone: a child of the process that is forked while
 * another thread holds one makes no code, and takes none. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lazy.h"

struct special {
    struct special *next;
    struct lazy *overload;
    int number;                 /* of the overload's units */
    struct ufc_constants known; /* which points behind the struct */
    struct place place;
    atomic_bool wanted, failed;
    struct special *next_wanted;
};

static const char pending[] = "its own is being made", failed[] = "its own cannot be made",
                  full[] = "too many calls have their own",
                  unplanned[] = "the plan was made without its own";

/* ---- entries */

static bool same_constants(const struct ufc_constants *a, const struct ufc_constants *b) {
    return a->nwords == b->nwords && memcmp(a->word, b->word, a->nwords * sizeof *a->word) == 0 &&
           memcmp(a->known, b->known, a->nwords) == 0;
}

static struct special *find_entry(struct lazy *l, int number, const struct ufc_constants *known) {
    struct special *s = atomic_load(&l->specials);
    while (s != NULL && (s->number != number || !same_constants(&s->known, known)))
        s = s->next;
    return s;
}

static struct special *new_entry(struct lazy *l, int number, const struct ufc_constants *known) {
    size_t bytes = known->nwords * sizeof *known->word;
    struct special *s = calloc(1, sizeof *s + bytes + known->nwords);
    if (s == NULL)
        return NULL;
    char *words = memcpy(s + 1, known->word, bytes);
    char *marks = memcpy(words + bytes, known->known, known->nwords);
    s->overload = l;
    s->number = number;
    s->known = (struct ufc_constants){known->nwords, (const uint32_t *)(const void *)words,
                                      (const uint8_t *)marks};
    place_init(&s->place);
    return s;
}

/* NULL: there are too many, or memory is out, or no code can be made. */
static struct special *add_entry(struct lazy *l, int number, const struct ufc_constants *known) {
    if (!llvm_begin())
        return NULL;
    pthread_mutex_lock(&l->adding);
    struct special *s = find_entry(l, number, known); /* another thread may have added it */
    if (s == NULL && l->nspecials < UFCC_MAX_SPECIAL && (s = new_entry(l, number, known)) != NULL) {
        s->next = atomic_load(&l->specials);
        l->nspecials++;
        atomic_store(&l->specials, s);
    }
    pthread_mutex_unlock(&l->adding);
    llvm_end();
    return s;
}

static struct made *make(struct special *s) {
    char why[8]; /* explain says that it failed; the reason would be that of the general code */
    struct made *made = find_made(s->overload, s->number, &s->known, &s->place, why, sizeof why);
    if (made == NULL)
        atomic_store(&s->failed, true);
    return made;
}

/* ---- in the background */

/* The workers of all programs, for which the end of the process waits: it destroys what LLVM
 * uses. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int running;
    bool ending;
} workers = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/* Where others hold the lock it may be for ever, in a child of the process. */
static void wait_for_workers(void) {
    if (!llvm_begin())
        return;
    pthread_mutex_lock(&workers.lock);
    workers.ending = true;
    while (workers.running > 0)
        pthread_cond_wait(&workers.changed, &workers.lock);
    pthread_mutex_unlock(&workers.lock);
    llvm_end();
}

static void watch_end(void) {
    (void)atexit(wait_for_workers);
}

/* Counts a worker that begins (1) or ends (-1).  Whether it may go on. */
static bool count_worker(int by) {
    pthread_mutex_lock(&workers.lock);
    bool goes_on = !workers.ending;
    workers.running += by;
    pthread_cond_broadcast(&workers.changed);
    pthread_mutex_unlock(&workers.lock);
    return goes_on;
}

/* What the worker is to make next; NULL: nothing, and it ends. */
static struct special *next_wanted(struct worker *w) {
    pthread_mutex_lock(&w->lock);
    struct special *s = w->stop || !count_worker(0) ? NULL : w->first;
    if (s != NULL)
        w->first = s->next_wanted;
    w->running = s != NULL;
    pthread_mutex_unlock(&w->lock);
    return s;
}

static void *work(void *worker) {
    for (struct special *s; (s = next_wanted(worker)) != NULL;)
        (void)make(s);
    (void)count_worker(-1);
    llvm_end(); /* begun by who started the thread */
    return NULL;
}

/* Waits for the thread's end, if it was started in this process. */
static void join_worker(struct worker *w) {
    if (w->process == getpid())
        pthread_join(w->thread, NULL);
    w->process = 0;
}

/* Whether the worker runs; signals are for the program's own threads. */
static bool start_worker(struct worker *w) {
    sigset_t all, before;
    if (!llvm_begin())
        return false;
    join_worker(w); /* one that has ended */
    (void)count_worker(1);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    w->running = pthread_create(&w->thread, NULL, work, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (w->running) {
        w->process = getpid();
        return true;
    }
    (void)count_worker(-1);
    llvm_end();
    return false;
}

/* Has the worker make it; a later call asks again where there is no thread for it. */
static void want(struct worker *w, struct special *s) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (atomic_exchange(&s->wanted, true) || !llvm_begin())
        return;
    pthread_once(&once, watch_end);
    pthread_mutex_lock(&w->lock);
    if (w->running || start_worker(w)) {
        s->next_wanted = NULL;
        *(w->first != NULL ? &w->last->next_wanted : &w->first) = s;
        w->last = s;
    } else
        atomic_store(&s->wanted, false);
    pthread_mutex_unlock(&w->lock);
    llvm_end();
}

static void stop_worker(struct worker *w) {
    if (w->process == getpid()) {
        pthread_mutex_lock(&w->lock);
        w->stop = true;
        pthread_mutex_unlock(&w->lock);
        join_worker(w);
    }
}

/* ---- what the runtime calls */

static bool specializes(const struct ufc_maker *maker) {
    return atomic_load(&((const struct lazy *)maker)->how) != UFCC_GENERAL;
}

static struct ufc_special special(struct ufc_maker *maker, const enum ufc_kernel_kind *kind,
                                  const struct ufc_constants *known, bool makes) {
    struct lazy *l = (struct lazy *)maker;
    int number = kind != NULL ? UFC_HOST_PARTS + (int)*kind : UFC_HOST_CALLS;
    struct special *s = find_entry(l, number, known);
    if (s == NULL && makes)
        s = add_entry(l, number, known);
    if (s == NULL)
        return (struct ufc_special){.missing = makes ? full : unplanned};
    struct made *made = atomic_load(&s->place.made);
    bool dead = atomic_load(&s->failed) || !makes;
    if (made == NULL && !dead && atomic_load(&l->how) == UFCC_SPECIALIZE_LATER)
        want(&l->program->worker, s);
    else if (made == NULL && !dead)
        made = make(s);
    if (made == NULL)
        return (struct ufc_special){.missing = atomic_load(&s->failed) ? failed : pending};
    return (struct ufc_special){.host = &made->host, .gpu = &made->gpu};
}

void special_begin(struct lazy *l) {
    pthread_mutex_init(&l->adding, NULL);
    l->maker.specializes = specializes;
    l->maker.special = special;
}

bool specialize_program(struct loaded *program, const char *name, ufcc_specialization how) {
    const struct uc *uc = &program->uc;
    bool any = name == NULL;
    for (size_t i = 0; i < program->image.noverloads; i++) {
        struct lazy *l = &program->overloads[i];
        const struct decl *d = l->plan->overload->decl;
        if (d == uc->copies || (name != NULL && strcmp(d->name, name) != 0))
            continue;
        atomic_store(&l->how, how);
        any = true;
    }
    return any;
}

/* ---- programs */

void specials_free(struct loaded *program) {
    stop_worker(&program->worker);
    pthread_mutex_destroy(&program->worker.lock);
    for (size_t i = 0; program->overloads != NULL && i < program->image.noverloads; i++) {
        struct lazy *l = &program->overloads[i];
        for (struct special *s = atomic_load(&l->specials), *next; s != NULL; s = next) {
            next = s->next;
            place_free(&s->place);
            free(s);
        }
        pthread_mutex_destroy(&l->adding);
    }
}
