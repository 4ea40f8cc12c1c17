/* deal.c: phases that only update bins, in the order of iterations: DEAL.  Blocks compute entries
 * for bins, and warps that own bins update them. */
#include <math.h>

#include "image_deal.h"
#include "model.h"
#include "schedule.h"
#include "spread.h"

/* Clocks, as an H100 took them for eight bodies. */
static const double entry_clocks = 8;  /* of a block, for an entry that is stored, and loaded, */
static const double long_clocks = 20;  /* and where neighbours' are apart */
static const double sort_clocks = 30;  /* of a thread, for an entry whose place it finds */
static const double chain_clocks = 35; /* of a warp, for an entry that all lanes see, */
static const double seen_times = 1.35; /* and what it takes of its update where all threads of the
                                           block load others beside it, */
static const double issue_clocks = 5;  /* where several warps are on a scheduler */
static const double schedulers = 4;
static const double memory_clocks = 4700; /* of a warp, for entries of its lanes' bins in memory, */
static const double hidden = 16;          /* beside which so many warps do the same */
static const double round_clocks = 12000; /* of a round in which blocks wait for one another, */
static const double block_clocks = 6000;  /* and of a single block */
/* By instructions and latencies, of entries that count: */
static const double lane_clocks = 10;   /* of a warp, where each lane updates by its own, */
static const double count_clocks = 600; /* of a thread, that counts its iteration, and ranks it, */
static const double table_clocks = 75;  /* for what another block has counted of a bin, */
static const double warp_clocks = 20;   /* and another warp */

/* What a phase deals out. */
struct dealt {
    int64_t iterations, each, bins; /* of a call; entries of an iteration */
    int64_t rows;                   /* of which iterations are turns; 0: they are not */
};

static bool find_dealt(const struct iteration *it, const struct ufc_phase *p, struct dealt *d) {
    const int64_t *size = it->core->size;
    return compute_size(&p->dealt, size, &d->iterations) &&
           compute_size(&p->entries, size, &d->each) && compute_size(&p->bins, size, &d->bins) &&
           (p->ragged.nterms == 0 || compute_size(&p->ragged, size, &d->rows)) &&
           d->each <= DEAL_MOST_EACH && d->bins < INT32_MAX && d->iterations >= 0 &&
           d->iterations <= INT64_MAX / (d->each + 1);
}

int64_t deal_entries(const struct iteration *it, const struct ufc_phase *p) {
    struct dealt d = {.rows = 0};
    return find_dealt(it, p, &d) ? d.iterations * d.each : -1;
}

/* Blocks of a call: as many as have enough entries each, can run at the same time, and have room
 * for those of an iteration. */
static int64_t choose_blocks(const struct iteration *it, const struct gpu_model *gpu,
                             const struct dealt *d, int64_t size) {
    int64_t most = gpu->together / it->total, worth = d->iterations * d->each / DEAL_LEAST;
    int64_t least = 2 * (4 + size) * (d->each > 0 ? d->each : 1); /* bytes of a block */
    int64_t room = DEAL_MOST_BYTES / least / it->total;
    int64_t blocks = smaller_of(smaller_of(most, room), smaller_of(worth, d->iterations));
    return blocks > 1 ? blocks : 1;
}

/* Owners that each have a bin, of a phase whose threads then count entries where they compute them;
 * 0: bins are too many, or the phase does something else. */
static int64_t ranking_owners(const struct gpu_model *gpu, const struct ufc_phase *p,
                              const struct dealt *d, int64_t warps) {
    int64_t owners = power_from(d->bins), size = p->deals;
    bool fits = owners <= DEAL_OWNERS &&
                ufc_deal_shared(warps, owners, size) <= gpu->shared - DEAL_RESERVED;
    return p->counted == UFC_COUNTED_TWICE && fits ? owners : 0;
}

/* Does a phase that has so many owners deal nothing out? */
static bool ranks(const struct ufc_phase *p, const struct dealt *d, int64_t owners) {
    return p->counted == UFC_COUNTED_TWICE && d->bins <= owners;
}

/* Threads of a block: as many as have room in shared memory for what their warps see; those of
 * calls that have one are fewer where it has few entries. */
static int64_t choose_threads(const struct ufc_overload *o, const struct gpu_model *gpu,
                              const struct dealt *d, int64_t size, int64_t blocks) {
    int64_t threads = o->block[UFC_KERNEL_DEAL], room = gpu->shared - DEAL_RESERVED;
    while (threads > DEAL_LEAST_THREADS && ufc_deal_shared(threads / WARP_THREADS, 1, size) > room)
        threads /= 2;
    while (blocks == 1 && threads > DEAL_LEAST_THREADS &&
           threads * DEAL_UNITS > d->iterations * d->each)
        threads /= 2;
    return threads;
}

/* Owners: a power of two up to the number of warps, and to that of bins rounded up. */
static int64_t choose_owners(const struct gpu_model *gpu, const struct ufc_phase *p,
                             const struct dealt *d, int64_t warps, int64_t blocks) {
    int64_t owners = ranking_owners(gpu, p, d, warps), room = gpu->shared - DEAL_RESERVED;
    int64_t size = p->deals;
    if (owners > 0)
        return owners;
    owners = 1;
    while (owners * 2 <= warps * blocks && owners < d->bins &&
           ufc_deal_shared(warps, owners * 2, size) <= room && owners < DEAL_OWNERS)
        owners *= 2;
    return owners;
}

/* Iterations of a block in a round: their entries have room in the workspace, which caches keep. */
static int64_t choose_own(const struct iteration *it, const struct ufc_phase *p,
                          const struct dealt *d, int64_t blocks, int64_t owners) {
    if (ranks(p, d, owners))
        return smaller_of(rounded_up(d->iterations > 0 ? d->iterations : 1, blocks),
                          (INT32_MAX - 1) / blocks);
    int64_t calls = blocks > 1 ? smaller_of(it->total, DEAL_CALLS) : DEAL_CALLS;
    int64_t each = d->each > 0 ? d->each : 1;
    int64_t entries = DEAL_BYTES / (2 * (4 + p->deals) * blocks * calls);
    int64_t all = rounded_up(d->iterations, blocks), own = entries / each;
    own = own > 1 ? own : 1;
    int64_t rounds = rounded_up(all > 0 ? all : 1, own);
    return rounded_up(all > 0 ? all : 1, rounds);
}

bool choose_deal(const struct nest_phase *p, const struct gpu_model *gpu, struct spread *s) {
    const struct iteration *it = p->it;
    const struct ufc_overload *o = it->overload;
    struct dealt d = {.rows = 0};
    if (p->phase->deals == 0 || !o->kernel[UFC_KERNEL_DEAL] || !find_dealt(it, p->phase, &d) ||
        d.bins == 0)
        return false;
    int64_t size = p->phase->deals, blocks = choose_blocks(it, gpu, &d, size),
            threads = choose_threads(o, gpu, &d, size, blocks), warps = threads / WARP_THREADS,
            owners = choose_owners(gpu, p->phase, &d, warps, blocks);
    *s = (struct spread){.kind = UFC_KERNEL_DEAL,
                         .group = 1,
                         .blocks = (uint32_t)blocks,
                         .threads = (uint32_t)threads,
                         .shared = (uint32_t)ufc_deal_shared(warps, owners, size),
                         .windows = d.bins <= owners * WARP_THREADS,
                         .bins = (uint32_t)owners};
    s->own[0] = (uint32_t)choose_own(it, p->phase, &d, blocks, owners);
    return s->own[0] * d.each * blocks < INT32_MAX;
}

int64_t deal_bytes(const struct ufc_phase *p, const struct iteration *it, const struct spread *s) {
    struct dealt d = {.rows = 0};
    find_dealt(it, p, &d);
    int64_t warps = s->blocks * (int64_t)s->threads / WARP_THREADS;
    int64_t entries = ranks(p, &d, s->bins) ? 0 : s->own[0] * d.each;
    return 2 * ufc_deal_bytes(s->blocks, s->bins, entries, p->deals) +
           (p->ragged.nterms > 0 ? ufc_deal_begins(d.rows, warps) : 0);
}

int64_t deal_calls(const struct ufc_phase *p, const struct iteration *it, const struct spread *s) {
    int64_t calls = DEAL_BYTES / deal_bytes(p, it, s);
    return calls > 1 ? calls : 1;
}

/* ---- forecasts */

/* Clocks of a block that deals nothing out. */
static double ranking_clocks(const struct schedule *s, const struct ufc_kparam_gufunc *gufunc,
                             const struct dealt *d) {
    double own = (double)d->iterations / gufunc->blocks, threads = s->block;
    double bins = ceil((double)d->bins / threads), warps = threads / WARP_THREADS;
    double rounds = ceil(own / gufunc->own[0]), blocks = gufunc->blocks;
    double wait = blocks > 1 ? round_clocks : block_clocks;
    return ceil(own / threads) * count_clocks +
           rounds * (bins * (blocks * table_clocks + warps * warp_clocks) + wait);
}

/* Clocks of the updates of units, warps with bins in lanes, that have `own` entries each. */
static double lane_updates(const struct ufc_phase *p, double own, double units, double warps,
                           double blocks) {
    double turns = at_least(1, ceil(units / warps));
    double busy = at_least(1, at_most(units, warps) / (blocks * schedulers));
    double each = at_least(p->counted ? lane_clocks : chain_clocks, issue_clocks * busy);
    double together = own * ceil(units / blocks) * p->chain * seen_times;
    bool may = p->chain > 0 && !p->counted; /* all threads of a block load a unit's entries */
    return may ? at_most(own * turns * each, together) : own * turns * each;
}

double deal_clocks(const struct schedule *s, const struct ufc_kparam_gufunc *gufunc) {
    const struct iteration *it = s->body->it;
    const struct ufc_phase *p = &it->overload->phase[gufunc->phase];
    struct dealt d = {.rows = 0};
    if (!find_dealt(it, p, &d))
        return INFINITY;
    if (ranks(p, &d, gufunc->bins))
        return ranking_clocks(s, gufunc, &d);
    double all = (double)d.iterations * (double)d.each, blocks = gufunc->blocks;
    double warps = (double)s->block / WARP_THREADS * blocks, owners = gufunc->bins;
    double rounds = ceil((double)d.iterations / (blocks * gufunc->own[0]));
    double used = at_least(1, at_most((double)d.bins, owners)), turns = ceil(owners / warps);
    double sorts = all / (blocks * (double)s->block) * sort_clocks;
    double own = all / used, updates;
    double stores = all / blocks * (d.each > 4 ? long_clocks : entry_clocks);
    if (gufunc->across)
        updates = lane_updates(p, own, used * p->shares, warps, blocks);
    else {
        double busy = at_least(1, owners / (blocks * hidden));
        double lanes = at_most(WARP_THREADS, at_least(1, (double)d.bins / owners));
        updates = own * turns * memory_clocks / lanes * busy;
    }
    return stores + sorts + updates + rounds * (blocks > 1 ? round_clocks : block_clocks);
}
