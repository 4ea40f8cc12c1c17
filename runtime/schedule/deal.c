/* deal.c: phases that only update bins, in the order of iterations: DEAL.  Blocks compute entries
 * for bins, and warps that own bins update them. */
#include <math.h>

#include "image_deal.h"
#include "model.h"
#include "schedule.h"
#include "spread.h"

/* Clocks, by instructions and latencies: */
static const double sort_clocks = 1900; /* of a thread, for an entry that is put in order, */
static const double lot_clocks = 5000;  /* and of a lot, in which threads wait for one another */
static const double held_clocks = 1600; /* of a warp, for entries of its lanes' bins in shared
                                           memory, */
static const double move_clocks = 400; /* and for bins of all lanes that are moved there and back */
static const double apart_times = 2;   /* of these where neighbours have other owners */
static const double far_clocks = 600;  /* of a step that looks for an iteration, by the L2 cache, */
static const double near_clocks = 50;  /* and by the L1 cache */
/* Clocks, as an H100 took them for eight bodies. */
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
           d->each <= UFC_DEAL_LOT && d->bins < INT32_MAX && d->iterations >= 0 &&
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
    int64_t least = 2 * size * (d->each > 0 ? d->each : 1); /* bytes of a block */
    int64_t room = DEAL_MOST_BYTES / least / it->total;
    int64_t blocks = smaller_of(smaller_of(most, room), smaller_of(worth, d->iterations));
    return blocks > 1 ? blocks : 1;
}

/* What blocks of a phase have, and where. */
struct dealing {
    const struct iteration *it;
    const struct ufc_phase *p;
    struct dealt d;
    int64_t room;                     /* bytes of shared memory, of which a block uses so many: */
    int64_t shared, size;             /* and of an entry */
    int64_t blocks, threads, warps;   /* of a call, of a block; */
    int64_t most;                     /* threads of one, at most */
    int64_t owners, own, lots, modes; /* iterations of a lot; lots of a block in a round */
};

/* Owners that each have a bin, of a phase whose threads then count entries where they compute them;
 * 0: bins are too many, or the phase does something else. */
static int64_t ranking_owners(const struct dealing *x) {
    int64_t owners = power_from(x->d.bins);
    bool fits = owners <= DEAL_OWNERS && ufc_deal_ranks(x->warps, owners) <= x->room;
    return x->p->counted == UFC_COUNTED_TWICE && fits ? owners : 0;
}

/* Does a phase that has so many owners deal nothing out? */
static bool ranks(const struct ufc_phase *p, const struct dealt *d, int64_t owners) {
    return p->counted == UFC_COUNTED_TWICE && d->bins <= owners;
}

/* Threads of a block: as many as have room in shared memory for what their warps see; those of
 * calls that have one are fewer where it has few entries. */
static int64_t choose_threads(const struct dealing *x) {
    int64_t threads = x->most;
    while (threads > DEAL_LEAST_THREADS &&
           ufc_deal_shown(threads / WARP_THREADS, x->size) > x->room)
        threads /= 2;
    while (x->blocks == 1 && threads > DEAL_LEAST_THREADS &&
           threads * UFC_DEAL_UNITS > x->d.iterations * x->d.each)
        threads /= 2;
    return threads;
}

/* Owners of bins in lanes or in memory: a power of two from 2 up to the number of warps, and to
 * that of bins rounded up. */
static int64_t choose_owners(const struct dealing *x) {
    int64_t owners = 2;
    while (owners * 2 <= x->warps * x->blocks && owners < x->d.bins &&
           ufc_deal_halves(x->warps, owners * 2) <= x->room / 2 && owners < DEAL_OWNERS)
        owners *= 2;
    return owners;
}

/* Entries of a block in a round: caches have those of all, or where owners move their bins in each
 * round, these take less than that. */
static int64_t round_entries(const struct dealing *x) {
    int64_t calls = x->blocks > 1 ? smaller_of(x->it->total, DEAL_CALLS) : DEAL_CALLS;
    int64_t moved = x->d.bins < DEAL_MOST_BYTES ? x->d.bins * x->p->bin * calls : DEAL_MOST_BYTES;
    int64_t bytes = DEAL_BYTES > moved * DEAL_MOVES ? DEAL_BYTES : moved * DEAL_MOVES;
    bytes = x->modes & UFC_DEAL_HELD ? smaller_of(bytes, DEAL_MOST_BYTES) : DEAL_BYTES;
    int64_t entries = bytes / (2 * x->size * x->blocks * calls);
    return entries > 1 ? entries : 1;
}

/* Has owners have their bins in shared memory, if there is room, and a round is worth moving all of
 * them. */
static void hold_bins(struct dealing *x) {
    int64_t shown = ufc_deal_shown(x->warps, x->size), owners = x->owners, bytes;
    int64_t all = x->d.iterations * x->d.each, round = round_entries(x) * x->blocks;
    do {
        bytes = shown + x->warps * ufc_deal_kept(x->d.bins, owners) * x->p->bin;
        if (bytes <= x->room)
            break;
        owners *= 2;
    } while (owners <= 2 * DEAL_OWNERS && ufc_deal_halves(x->warps, owners) <= x->room * 2 / 3);
    if (bytes > x->room || smaller_of(all, round) * DEAL_HELD_WORTH < x->d.bins)
        return;
    x->owners = owners;
    x->modes |= UFC_DEAL_HELD;
    x->shared = bytes;
}

/* Iterations of a lot: as many as have room; and lots. */
static void choose_lots(struct dealing *x) {
    int64_t each = x->d.each > 0 ? x->d.each : 1, counts = ufc_deal_halves(x->warps, x->owners);
    int64_t room = x->room - counts, all = rounded_up(x->d.iterations, x->blocks);
    if (x->blocks == 1) /* several of fewer threads run at the same time */
        room = smaller_of(room, x->room * x->threads / x->most);
    int64_t entries = smaller_of((room - 16) / (x->size + 2) - UFC_DEAL_ROW, UFC_DEAL_LOT);
    int64_t own = entries / each;
    if (own < x->threads / 4 && own < all && each > UFC_DEAL_SITES) {
        x->modes |= UFC_DEAL_FAR;
        own = smaller_of(UFC_DEAL_LOT, round_entries(x)) / each;
    }
    own = own > 1 ? own : 1;
    if (own > x->threads)
        own -= own % x->threads;
    all = all > 0 ? all : 1;
    int64_t lots = rounded_up(all, own), most = round_entries(x) / (own * each);
    int64_t rounds = rounded_up(lots, most > 1 ? most : 1);
    x->lots = rounded_up(lots, rounds);
    x->own = rounded_up(all, rounds * x->lots);
    double moves = (double)x->d.bins * (double)rounds;
    if (x->modes & UFC_DEAL_HELD && moves * 2 > (double)x->d.iterations * (double)each)
        x->modes |= UFC_DEAL_BESIDE; /* moving bins takes as many accesses as entries do */
    int64_t bytes = counts;
    if (!(x->modes & UFC_DEAL_FAR))
        bytes += ufc_deal_lot(x->own * each, x->size);
    x->shared = bytes > x->shared ? bytes : x->shared;
}

static void choose_ranks(struct dealing *x, int64_t owners) {
    int64_t all = rounded_up(x->d.iterations > 0 ? x->d.iterations : 1, x->blocks);
    x->owners = owners;
    x->own = smaller_of(all, (INT32_MAX - 1) / x->blocks);
    x->lots = 1;
    x->shared = ufc_deal_ranks(x->warps, owners);
}

bool choose_deal(const struct nest_phase *p, const struct gpu_model *gpu, struct spread *s) {
    const struct iteration *it = p->it;
    const struct ufc_overload *o = it->overload;
    struct dealing x = {.it = it,
                        .p = p->phase,
                        .room = gpu->shared - DEAL_RESERVED,
                        .size = p->phase->deals,
                        .most = o->block[UFC_KERNEL_DEAL]};
    if (p->phase->deals == 0 || !o->kernel[UFC_KERNEL_DEAL] || !find_dealt(it, p->phase, &x.d) ||
        x.d.bins == 0)
        return false;
    x.blocks = choose_blocks(it, gpu, &x.d, x.size);
    x.threads = choose_threads(&x);
    x.warps = x.threads / WARP_THREADS;
    int64_t owners = ranking_owners(&x);
    if (owners > 0) {
        choose_ranks(&x, owners);
    } else {
        x.shared = ufc_deal_shown(x.warps, x.size);
        x.owners = choose_owners(&x);
        if (x.d.bins <= x.owners * WARP_THREADS)
            x.modes = UFC_DEAL_LANES;
        else
            hold_bins(&x);
        choose_lots(&x);
    }
    *s = (struct spread){.kind = UFC_KERNEL_DEAL,
                         .group = 1,
                         .blocks = (uint32_t)x.blocks,
                         .threads = (uint32_t)x.threads,
                         .shared = (uint32_t)x.shared,
                         .windows = (uint32_t)x.modes,
                         .bins = (uint32_t)x.owners,
                         .own = {(uint32_t)x.own, (uint32_t)x.lots}};
    return x.own * x.lots * x.d.each * x.blocks < INT32_MAX && x.shared <= x.room;
}

int64_t deal_bytes(const struct ufc_phase *p, const struct iteration *it, const struct spread *s) {
    struct dealt d = {.rows = 0};
    find_dealt(it, p, &d);
    int64_t warps = s->blocks * (int64_t)s->threads / WARP_THREADS;
    int64_t entries = ranks(p, &d, s->bins) ? 0 : s->own[0] * d.each;
    int64_t far = s->windows & UFC_DEAL_FAR ? s->blocks : 0;
    return 2 * ufc_deal_bytes(s->blocks * (int64_t)s->own[1], s->bins, entries, p->deals, far) +
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

/* Clocks of a thread that finds which iterations the turns are of that it has: first among all of
 * them, once in a lot, then among those of its warp. */
static double finding_clocks(const struct schedule *s, const struct ufc_kparam_gufunc *gufunc,
                             const struct dealt *d, double lots) {
    double warps = (double)s->block / WARP_THREADS, turns = gufunc->own[0] / warps;
    double rows = (double)d->rows, own = rows * turns / at_least(1, (double)d->iterations);
    double all = (double)d->iterations / (gufunc->blocks * (double)s->block);
    return d->rows > 0 ? lots * log2(rows + 1) * far_clocks + all * log2(own + 2) * near_clocks : 0;
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
    double lots = ceil((double)d.iterations / (blocks * gufunc->own[0]));
    double rounds = ceil(lots / gufunc->own[1]);
    double used = at_least(1, at_most((double)d.bins, owners)), turns = ceil(owners / warps);
    double sorts = all / (blocks * (double)s->block) * sort_clocks + lots * lot_clocks;
    sorts += finding_clocks(s, gufunc, &d, lots);
    double own = all / used, busy = at_least(1, owners / (turns * blocks * hidden)), updates;
    if (gufunc->across & UFC_DEAL_LANES) {
        updates = lane_updates(p, own, used * p->shares, warps, blocks);
    } else if (gufunc->across & UFC_DEAL_HELD) {
        double kept = (double)ufc_deal_kept(d.bins, gufunc->bins) / WARP_THREADS;
        double apart = gufunc->across & UFC_DEAL_BESIDE ? 1 : apart_times;
        updates = own / WARP_THREADS * held_clocks + rounds * kept * move_clocks * apart;
        updates *= turns * busy;
    } else {
        double lanes = at_most(WARP_THREADS, at_least(1, (double)d.bins / owners));
        updates = own * turns * memory_clocks / lanes * busy;
    }
    return sorts + updates + rounds * (blocks > 1 ? round_clocks : block_clocks);
}
