/* pipeline.c: portions of a call that are under way, each in a stream of its own.
 *
 * The processor copies pageable memory to pinned chunks and back, which several threads do faster
 * than one: each takes a portion, copies it to the GPU, waits for its results and copies these.
 * What one waits for is other threads' time, and both directions of the bus are used.  With pinned
 * memory one thread keeps all portions under way.  Where memory is too short for what the threads
 * have under way, they hand portions back, and one thread does these. */
#include <pthread.h>
#include "portions.h"

/* What pipelines take portions from. */
struct queue {
    const struct portions *p;
    const struct portion_work *work;
    void *stream[PORTIONS_MOST];
    pthread_mutex_t lock; /* guards the members below */
    int64_t next, count;  /* the first portion that was not taken; of how many */
    int64_t returned[PORTIONS_MOST];
    int nreturned;
    bool has_begun;    /* a portion has */
    ufc_status status; /* that of the first portion that failed, */
    int64_t failed;    /* which is this one */
    ufc_error err;
};

/* Portions under way in so many slots from `first` on; those from `finished` to `begun`. */
struct pipeline {
    struct queue *queue;
    bool alone; /* there is no other one */
    int first, slots;
    int64_t number[PORTIONS];
    int64_t begun, finished;
};

/* False: nothing is left, or a portion has failed. */
static bool take(struct queue *q, int64_t *number) {
    pthread_mutex_lock(&q->lock);
    bool found = q->status == UFC_OK && (q->nreturned || q->next < q->count);
    if (found)
        *number = q->nreturned ? q->returned[--q->nreturned] : q->next++;
    pthread_mutex_unlock(&q->lock);
    return found;
}

static void give_back(struct queue *q, int64_t number) {
    pthread_mutex_lock(&q->lock);
    q->returned[q->nreturned++] = number;
    pthread_mutex_unlock(&q->lock);
}

static bool has_failed(struct queue *q) {
    pthread_mutex_lock(&q->lock);
    bool failed = q->status != UFC_OK;
    pthread_mutex_unlock(&q->lock);
    return failed;
}

/* Portions are taken in order, so that the first one that fails is not left to chance. */
static void note_failure(struct queue *q, int64_t number, ufc_status status, const ufc_error *err) {
    pthread_mutex_lock(&q->lock);
    if (q->status == UFC_OK || number < q->failed) {
        q->status = status;
        q->failed = number;
        q->err = *err;
    }
    pthread_mutex_unlock(&q->lock);
}

static void note_begun(struct queue *q) {
    pthread_mutex_lock(&q->lock);
    q->has_begun = true;
    pthread_mutex_unlock(&q->lock);
}

static void finish(struct pipeline *l) {
    const struct portion_work *work = l->queue->work;
    int k = (int)(l->finished++ % l->slots);
    ufc_error err;
    ufc_status status = work->finish(work->arg, l->first + k, has_failed(l->queue), &err);
    if (status != UFC_OK)
        note_failure(l->queue, l->number[k], status, &err);
}

/* Where memory is short, portions that are under way are waited for, which have some.  False: the
 * pipeline is to end. */
static bool begin(struct pipeline *l, int64_t number) {
    struct queue *q = l->queue;
    struct portion at;
    ufc_error err;
    locate_portion(q->p, number, &at);
    for (;;) {
        if (l->begun - l->finished == l->slots)
            finish(l);
        if (has_failed(q))
            return false;
        int k = (int)(l->begun % l->slots), slot = l->first + k;
        ufc_status status = q->work->begin(q->work->arg, slot, q->stream[slot], &at, &err);
        if (status == UFC_OK) {
            note_begun(q);
            l->number[k] = number;
            l->begun++;
            return true;
        }
        q->work->finish(q->work->arg, slot, true, NULL);
        bool idle = l->begun == l->finished;
        if (status != UFC_ENOMEM || (idle && l->alone)) {
            note_failure(q, number, status, &err);
            return false;
        }
        if (idle) {
            give_back(q, number);
            return false;
        }
        finish(l);
    }
}

static void run(struct pipeline *l) {
    int64_t number;
    bool goes_on = true;
    while (goes_on && take(l->queue, &number))
        goes_on = begin(l, number);
    while (l->finished < l->begun)
        finish(l);
}

/* A pipeline of the slots of a thread: one, or all where no other thread helps. */
static void run_slots(void *arg, int64_t begin, int64_t end) {
    int slots = (int)(end - begin);
    struct pipeline l = {
        .queue = arg, .first = (int)begin, .slots = slots < PORTIONS ? slots : PORTIONS};
    run(&l);
}

static void run_queue(struct queue *q, int slots) {
    struct pipeline rest = {
        .queue = q, .alone = true, .slots = slots < PORTIONS ? slots : PORTIONS};
    if (q->p->workers > 1)
        parallel_for(slots, slots, 1, run_slots, q);
    run(&rest);
}

static ufc_status run_once(struct portions *p, const struct portion_work *work, bool *has_begun,
                           ufc_error *err) {
    const struct stream_ops *streams = p->ctx->ops->streams;
    struct queue q = {.p = p, .work = work, .count = portion_count(p)};
    ufc_status status = UFC_OK;
    int slots = q.count < p->slots ? (int)q.count : p->slots, n = 0;
    pthread_mutex_init(&q.lock, NULL);
    while (n < slots && status == UFC_OK) {
        status = streams->fork(p->ctx, p->stream, &q.stream[n], err);
        n += status == UFC_OK;
    }
    if (status == UFC_OK) {
        run_queue(&q, slots);
        status = q.status;
        if (status != UFC_OK && err)
            *err = q.err;
    }
    while (n-- > 0) {
        ufc_status joined =
            streams->join(p->ctx, p->stream, q.stream[n], status == UFC_OK ? err : NULL);
        status = status == UFC_OK ? joined : status;
    }
    pthread_mutex_destroy(&q.lock);
    *has_begun = q.has_begun;
    return status;
}

ufc_status run_portions(struct portions *p, const struct portion_work *work, ufc_error *err) {
    bool has_begun;
    ufc_status status;
    do
        status = run_once(p, work, &has_begun, err);
    while (status == UFC_ENOMEM && !has_begun && shrink_portions(p));
    if (status == UFC_ENOMEM && !has_begun)
        fail_at(err, status, "arrays on the host go to the GPU in portions of %lld bytes at least",
                (long long)(portion_memory(p) / p->slots));
    return status;
}
