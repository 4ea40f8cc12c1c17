/* cluster.c: barriers among the blocks of a cluster, each of which runs on a host thread. */
#include "sim.h"

void cluster_begin(struct sim_launch *l) {
    l->cluster = (struct sim_cluster){.waiting = 0};
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
