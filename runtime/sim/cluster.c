/* cluster.c: the blocks of a cluster, each of which runs on a host thread: barriers among them, and
 * where each finds the shared memory of the others. */
#include "sim.h"

void cluster_begin(struct sim_launch *l) {
    struct sim_cluster *c = &l->cluster;
    c->waiting = c->ended = c->turn = 0;
    for (size_t k = 0; k < sizeof c->shared / sizeof c->shared[0]; k++)
        atomic_store(&c->shared[k], NULL);
    pthread_mutex_init(&l->cluster.lock, NULL);
    pthread_cond_init(&l->cluster.change, NULL);
}

void cluster_end(struct sim_launch *l) {
    pthread_cond_destroy(&l->cluster.change);
    pthread_mutex_destroy(&l->cluster.lock);
}

/* Lets those that wait go on, if no block is left that has not come. */
static void pass(struct sim_launch *l) {
    struct sim_cluster *c = &l->cluster;
    if (c->waiting + c->ended < l->launch->cluster)
        return;
    c->waiting = 0;
    c->turn++;
    pthread_cond_broadcast(&c->change);
}

bool cluster_wait(struct sim_launch *l) {
    struct sim_cluster *c = &l->cluster;
    pthread_mutex_lock(&c->lock);
    uint32_t turn = c->turn;
    c->waiting++;
    pass(l);
    while (turn == c->turn && atomic_load(&l->failed) == UINT32_MAX)
        pthread_cond_wait(&c->change, &c->lock);
    bool passed = turn != c->turn;
    pthread_mutex_unlock(&c->lock);
    return passed;
}

void cluster_leave(struct sim_launch *l) {
    struct sim_cluster *c = &l->cluster;
    pthread_mutex_lock(&c->lock);
    c->ended++;
    pass(l);
    pthread_cond_broadcast(&c->change);
    pthread_mutex_unlock(&c->lock);
}

void cluster_share(struct sim_worker *w, uint32_t block, bool begins) {
    struct sim_launch *l = w->launch;
    if (l->launch->cluster)
        atomic_store(&l->cluster.shared[block % l->launch->cluster], begins ? w->shared : NULL);
}

uint64_t cluster_place(const struct sim_worker *w, uint64_t address, uint32_t block) {
    struct sim_launch *l = w->launch;
    uint64_t at = address - (uintptr_t)w->shared;
    if (block >= l->launch->cluster || at >= l->shared_size)
        return 0;
    const char *shared = atomic_load(&l->cluster.shared[block]);
    return shared ? (uintptr_t)shared + at : 0;
}

bool cluster_has(const struct sim_worker *w, uintptr_t address, uint32_t size) {
    struct sim_launch *l = w->launch;
    for (unsigned k = 0; k < l->launch->cluster; k++) {
        const char *shared = atomic_load(&l->cluster.shared[k]);
        uint64_t at = address - (uintptr_t)shared;
        if (shared && at < l->shared_size && l->shared_size - at >= size)
            return true;
    }
    return false;
}
