/* block.c: the threads of a block: they run one after the other, each until it ends or must wait.
 * A warp instruction or a barrier is executed when all of its threads have reached it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "sim.h"

enum {
    FRAME_ALIGNMENT = 128,      /* the largest alignment in PTX */
    UNDEFINED_WORD = 0x7f4a7c15 /* what a shuffle gives of a lane that takes no part */
};

/* ---- workers */

void worker_free(struct sim_worker *w) {
    if (!w)
        return;
    free(w->threads);
    free(w->registers);
    free(w->frames);
    free(w->returns);
    free(w->shared);
    free(w->words);
    free(w->bytes);
    free(w);
}

struct sim_worker *worker_new(struct sim_launch *launch) {
    struct sim_worker *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    const struct ptx_function *f = launch->kernel;
    w->launch = launch;
    w->program = launch->program;
    w->kernel = f;
    w->nthreads = f->waits ? launch->launch->block : 1;
    size_t slots = f->stack_slots + 1, shared = launch->shared_size;
    size_t frames = ((size_t)f->stack_frames + FRAME_ALIGNMENT) & ~(size_t)(FRAME_ALIGNMENT - 1);
    w->threads = calloc(w->nthreads, sizeof *w->threads);
    w->registers = calloc(w->nthreads * slots, sizeof *w->registers);
    w->frames = aligned_alloc(4096, (w->nthreads * frames + 4095) & ~(size_t)4095);
    w->returns = calloc((size_t)w->nthreads * f->depth, sizeof *w->returns);
    if (shared) {
        w->shared = aligned_alloc(4096, (shared + 4095) & ~(size_t)4095);
        w->words = calloc(shared / SHADOW_BYTES + 1, sizeof *w->words);
        w->bytes = calloc(shared + SHADOW_BYTES, sizeof *w->bytes);
    }
    if (!w->threads || !w->registers || !w->frames || !w->returns ||
        (shared && (!w->shared || !w->words || !w->bytes))) {
        worker_free(w);
        return NULL;
    }
    memset(w->frames, 0, w->nthreads * frames);
    if (shared)
        memset(w->shared, 0, shared);
    for (uint32_t k = 0; k < w->nthreads; k++) {
        w->threads[k].registers = w->registers + k * slots;
        w->threads[k].frames = w->frames + k * frames;
        w->threads[k].returns = w->returns + (size_t)k * f->depth;
    }
    return w;
}

static void begin_thread(struct sim_worker *w, struct sim_thread *t, uint32_t number, bool again) {
    const struct ptx_function *f = w->kernel;
    t->state = THREAD_READY;
    t->number = number;
    t->pc = f->first;
    t->function = (uint32_t)(f - w->program->functions);
    t->depth = 0;
    t->carry = 0;
    t->ncopies = t->groups = 0;
    t->r = t->registers;
    t->frame = t->frames;
    sim_preset(w, t, f, again);
    if (f->waits)
        memset(t->synced, 0, sizeof t->synced);
}

/* ---- instructions of a warp */

struct meeting {
    struct sim_thread *lanes; /* the warp's */
    uint32_t nlanes;
    uint32_t mask; /* lanes that take part */
    const struct insn *insn;
};

#define FOR_LANES(m, lane)                                                                         \
    for (uint32_t lane = 0; (lane) < (m)->nlanes; (lane)++)                                        \
        if ((m)->mask >> (lane)&1)

static uint64_t *slot(const struct meeting *m, uint32_t lane, int operand) {
    return &m->lanes[lane].r[m->insn->x[operand]];
}

/* shfl.sync: PTX ISA, "shfl.sync"; c holds the segment's mask and the last lane. */
static void shuffle(const struct meeting *m, enum warp_op op) {
    uint64_t value[WARP_LANES];
    bool inside[WARP_LANES] = {false};
    FOR_LANES(m, lane) {
        uint32_t b = (uint32_t)*slot(m, lane, 3) & 31, c = (uint32_t)*slot(m, lane, 4);
        uint32_t segment = c >> 8 & 31, clamp = c & 31;
        uint32_t last = (lane & segment) | (clamp & ~segment), first = lane & segment;
        int64_t from = 0;
        switch (op) {
        case SHFL_UP:
            from = (int64_t)lane - b;
            inside[lane] = from >= (int64_t)last;
            break;
        case SHFL_DOWN:
            from = (int64_t)lane + b;
            inside[lane] = from <= (int64_t)last;
            break;
        case SHFL_BFLY:
            from = lane ^ b;
            inside[lane] = from <= (int64_t)last;
            break;
        default:
            from = first | (b & ~segment);
            inside[lane] = from <= (int64_t)last;
            break;
        }
        if (!inside[lane])
            from = lane;
        bool there = m->mask >> from & 1; /* else the value is undefined */
        value[lane] = there ? *slot(m, (uint32_t)from, 2) : UNDEFINED_WORD;
    }
    FOR_LANES(m, lane) {
        *slot(m, lane, 0) = value[lane];
        *slot(m, lane, 1) = inside[lane];
    }
}

static void vote(const struct meeting *m, enum warp_op op) {
    uint64_t yes = 0;
    FOR_LANES(m, lane)
    if (*slot(m, lane, 2))
        yes |= UINT64_C(1) << lane;
    uint64_t result = op == VOTE_ALL   ? yes == m->mask
                      : op == VOTE_ANY ? yes != 0
                      : op == VOTE_UNI ? yes == 0 || yes == m->mask
                                       : yes;
    FOR_LANES(m, lane)
    *slot(m, lane, 0) = result;
}

static void match(const struct meeting *m, bool all) {
    uint64_t result[WARP_LANES];
    FOR_LANES(m, lane) {
        result[lane] = 0;
        FOR_LANES(m, other)
        if (*slot(m, other, 2) == *slot(m, lane, 2))
            result[lane] |= UINT64_C(1) << other;
    }
    FOR_LANES(m, lane) {
        bool same = result[lane] == m->mask;
        *slot(m, lane, 0) = all && !same ? 0 : result[lane];
        *slot(m, lane, 1) = same;
    }
}

static uint64_t reduce(enum warp_op op, uint64_t a, uint64_t b) {
    bool less = (int32_t)a < (int32_t)b;
    switch (op) {
    case REDUX_ADD: return (uint32_t)(a + b);
    case REDUX_MIN_U: return a < b ? a : b;
    case REDUX_MAX_U: return a > b ? a : b;
    case REDUX_MIN_S: return less ? a : b;
    case REDUX_MAX_S: return less ? b : a;
    case REDUX_AND: return a & b;
    case REDUX_OR: return a | b;
    default: return a ^ b;
    }
}

static void reduce_warp(const struct meeting *m, enum warp_op op) {
    uint64_t sum = 0;
    bool first = true;
    FOR_LANES(m, lane) {
        sum = first ? *slot(m, lane, 2) : reduce(op, sum, *slot(m, lane, 2));
        first = false;
    }
    FOR_LANES(m, lane)
    *slot(m, lane, 0) = sum;
}

/* mma.sync of float64: PTX ISA, "Matrix Fragments for mma.m16n8k8 with .f64": lane 4 g + q has row
 * g and column q of each part of a matrix.  An H100 adds the products one after the other, each
 * with one rounding. */
static void multiply_matrices(const struct meeting *m) {
    const struct insn *i = m->insn, *sum = i + 1, *row = i + 2, *column = i + 4;
    double result[WARP_LANES][4];
    for (uint32_t lane = 0; lane < m->nlanes; lane++)
        for (uint32_t e = 0; e < 4; e++) {
            const uint64_t *own = m->lanes[lane].r;
            uint32_t g = lane / 4, n = lane % 4 * 2 + e % 2;
            double v, a, b;
            memcpy(&v, &own[e == 0 ? i->x[4] : sum->x[e]], sizeof v);
            for (uint32_t k = 0; k < row->aux; k++) {
                uint32_t part = k / 4, q = k % 4;
                memcpy(&a, &m->lanes[4 * g + q].r[row[part / 2].x[2 * (part % 2) + e / 2]],
                       sizeof a);
                memcpy(&b, &m->lanes[4 * n + q].r[column->x[part]], sizeof b);
                v = fma(a, b, v);
            }
            result[lane][e] = v;
        }
    for (uint32_t lane = 0; lane < m->nlanes; lane++)
        for (int e = 0; e < 4; e++)
            memcpy(slot(m, lane, e), &result[lane][e], sizeof result[lane][e]);
}

static void synchronise(struct sim_worker *w, const struct meeting *m) {
    uint32_t stamp = ++w->warp_syncs[m->lanes[0].number / WARP_LANES];
    FOR_LANES(m, lane)
    FOR_LANES(m, other)
    m->lanes[lane].synced[other] = stamp;
}

static void meet(struct sim_worker *w, const struct meeting *m) {
    enum warp_op op = (enum warp_op)m->insn->aux;
    if (op == WARP_SYNC)
        synchronise(w, m);
    else if (op <= SHFL_IDX)
        shuffle(m, op);
    else if (op <= VOTE_BALLOT)
        vote(m, op);
    else if (op <= MATCH_ALL)
        match(m, op == MATCH_ALL);
    else if (op < MMA_F64)
        reduce_warp(m, op);
    else
        multiply_matrices(m);
    FOR_LANES(m, lane) {
        m->lanes[lane].pc += op < MMA_F64 ? 2 : 5; /* OP_EXTRA follows */
        m->lanes[lane].state = THREAD_READY;
    }
}

static uint32_t member_mask(const struct sim_worker *w, const struct sim_thread *t) {
    return (uint32_t)t->r[w->program->code[t->pc + 1].x[0]];
}

/* The lanes that `lane` waits with: all of its mask that have not ended, which must be at the same
 * instruction.  Mask 0: a lane is missing, *missing. */
static struct meeting gather(struct sim_worker *w, struct sim_thread *lanes, uint32_t nlanes,
                             uint32_t lane, uint32_t *missing) {
    const struct sim_thread *t = &lanes[lane];
    struct meeting m = {lanes, nlanes, 0, &w->program->code[t->pc]};
    uint32_t mask = member_mask(w, t);
    for (uint32_t k = 0; k < nlanes; k++) {
        const struct sim_thread *other = &lanes[k];
        if (!(mask >> k & 1) || other->state == THREAD_ENDED)
            continue;
        bool here = other->state == THREAD_AT_WARP && other->pc == t->pc &&
                    other->depth == t->depth && member_mask(w, other) == mask;
        if (!here) {
            *missing = k;
            m.mask = 0;
            return m;
        }
        m.mask |= UINT32_C(1) << k;
    }
    if (!(m.mask >> lane & 1)) { /* the mask lacks the thread itself */
        *missing = lane;
        m.mask = 0;
    }
    return m;
}

static bool meet_in_warp(struct sim_worker *w, struct sim_thread *lanes, uint32_t nlanes) {
    bool met = false;
    for (uint32_t lane = 0; lane < nlanes; lane++) {
        uint32_t missing;
        if (lanes[lane].state != THREAD_AT_WARP)
            continue;
        struct meeting m = gather(w, lanes, nlanes, lane, &missing);
        if (!m.mask)
            continue;
        meet(w, &m);
        met = true;
    }
    return met;
}

/* Runs a warp's threads until all wait or have ended. */
static bool run_warp(struct sim_worker *w, struct sim_thread *lanes, uint32_t nlanes, bool *ran) {
    do {
        for (uint32_t lane = 0; lane < nlanes; lane++) {
            struct sim_thread *t = &lanes[lane];
            if (t->state != THREAD_READY)
                continue;
            *ran = true;
            switch (sim_run(w, t)) {
            case STOP_ENDED: t->state = THREAD_ENDED; break;
            case STOP_WARP: t->state = THREAD_AT_WARP; break;
            case STOP_BARRIER: t->state = THREAD_AT_BARRIER; break;
            case STOP_SLICE:
                if (!w->launch->launch->together || atomic_load(&w->launch->failed) == UINT32_MAX)
                    break;
                w->fault.kind = FAULT_STOPPED;
                return false;
            case STOP_FAULT: return false;
            }
        }
    } while (meet_in_warp(w, lanes, nlanes));
    return true;
}

/* ---- barriers */

static bool blame(struct sim_worker *w, enum fault_kind kind, const struct sim_thread *t,
                  const struct sim_thread *other) {
    w->fault = (struct sim_fault){.kind = kind,
                                  .insn = t->pc,
                                  .thread = t->number,
                                  .other = other->number,
                                  .other_insn = other->pc,
                                  .other_ended = other->state == THREAD_ENDED};
    return false;
}

static const struct insn *barrier_of(const struct sim_worker *w, const struct sim_thread *t) {
    return &w->program->code[t->pc];
}

static uint32_t barrier_id(const struct sim_worker *w, const struct sim_thread *t) {
    return (uint32_t)t->r[barrier_of(w, t)->x[1]] % BARRIERS;
}

/* Counts the threads at bar.arrive, which do not wait; true: there were some. */
static bool note_arrivals(struct sim_worker *w) {
    bool any = false;
    for (uint32_t k = 0; k < w->nthreads; k++) {
        struct sim_thread *t = &w->threads[k];
        if (t->state != THREAD_AT_BARRIER || barrier_of(w, t)->aux != BAR_ARRIVE)
            continue;
        w->arrived[barrier_id(w, t)]++;
        t->state = THREAD_READY;
        t->pc++;
        any = true;
    }
    return any;
}

static void release(struct sim_worker *w, uint32_t id) {
    uint64_t yes = 0, n = 0;
    for (uint32_t k = 0; k < w->nthreads; k++) {
        struct sim_thread *t = &w->threads[k];
        if (t->state != THREAD_AT_BARRIER || barrier_id(w, t) != id)
            continue;
        n++;
        yes += barrier_of(w, t)->aux >= BAR_POPC && t->r[barrier_of(w, t)->x[3]];
    }
    for (uint32_t k = 0; k < w->nthreads; k++) {
        struct sim_thread *t = &w->threads[k];
        if (t->state != THREAD_AT_BARRIER || barrier_id(w, t) != id)
            continue;
        const struct insn *i = barrier_of(w, t);
        if (i->aux == BAR_POPC)
            t->r[i->x[0]] = yes;
        else if (i->aux >= BAR_POPC)
            t->r[i->x[0]] = i->aux == BAR_AND ? yes == n : yes > 0;
        t->state = THREAD_READY;
        t->pc++;
    }
    w->arrived[id] = 0;
    w->epoch++;
}

/* Have all threads reached the barrier of thread t?  *other: one that has not. */
static bool is_complete(const struct sim_worker *w, const struct sim_thread *t,
                        const struct sim_thread **other) {
    uint32_t id = barrier_id(w, t), count = barrier_of(w, t)->x[2];
    uint64_t wanted = count == NO_SLOT ? w->nthreads : t->r[count], there = w->arrived[id];
    for (uint32_t k = 0; k < w->nthreads; k++) {
        const struct sim_thread *o = &w->threads[k];
        if (o->state == THREAD_AT_BARRIER && barrier_id(w, o) == id)
            there++;
        else
            *other = o;
    }
    return there >= wanted;
}

/* Do all threads of t's warp reach the barrier by the same instruction?  bar.sync is .aligned. */
static bool stands_aligned(struct sim_worker *w, const struct sim_thread *t) {
    const struct sim_thread *lanes = &w->threads[t->number - t->number % WARP_LANES];
    uint32_t id = barrier_id(w, t);
    for (uint32_t k = 0; k < WARP_LANES && &lanes[k] < w->threads + w->nthreads; k++) {
        const struct sim_thread *o = &lanes[k];
        if (o->state == THREAD_AT_BARRIER && barrier_id(w, o) == id && o->pc != t->pc)
            return blame(w, FAULT_ALIGNED, t, o);
    }
    return true;
}

/* Executes a barrier, when no thread can run; false: a thread waits in vain, which w->fault has. */
static bool pass_barrier(struct sim_worker *w) {
    const struct sim_thread *waiting = NULL, *other = NULL;
    if (note_arrivals(w))
        return true;
    for (uint32_t k = 0; k < w->nthreads; k++) {
        struct sim_thread *t = &w->threads[k];
        if (t->state != THREAD_AT_BARRIER)
            continue;
        if (!stands_aligned(w, t))
            return false;
        const struct sim_thread *absent = t;
        if (is_complete(w, t, &absent)) {
            if (barrier_of(w, t)->aux == BAR_CLUSTER && !cluster_wait(w->launch)) {
                w->fault.kind = FAULT_STOPPED;
                return false;
            }
            release(w, barrier_id(w, t));
            return true;
        }
        if (!waiting) {
            waiting = t;
            other = absent;
        }
    }
    if (waiting)
        return blame(w, FAULT_BARRIER, waiting, other);
    for (uint32_t k = 0; k < w->nthreads; k++) {
        struct sim_thread *t = &w->threads[k], *lanes = t - t->number % WARP_LANES;
        uint32_t left = w->nthreads - (uint32_t)(lanes - w->threads), missing = 0;
        if (t->state != THREAD_AT_WARP)
            continue;
        gather(w, lanes, left < WARP_LANES ? left : WARP_LANES, t->number % WARP_LANES, &missing);
        return blame(w, FAULT_WARP, t, &lanes[missing]);
    }
    return true;
}

/* ---- blocks */

static bool all_ended(const struct sim_worker *w) {
    for (uint32_t k = 0; k < w->nthreads; k++)
        if (w->threads[k].state != THREAD_ENDED)
            return false;
    return true;
}

static bool run_waiting(struct sim_worker *w) {
    for (uint32_t k = 0; k < w->nthreads; k++)
        begin_thread(w, &w->threads[k], k, false);
    memset(w->arrived, 0, sizeof w->arrived);
    while (!all_ended(w)) {
        bool ran = false;
        for (uint32_t first = 0; first < w->nthreads; first += WARP_LANES) {
            uint32_t left = w->nthreads - first;
            if (!run_warp(w, w->threads + first, left < WARP_LANES ? left : WARP_LANES, &ran))
                return false;
        }
        if (!ran && !pass_barrier(w))
            return false;
    }
    return true;
}

bool run_block(struct sim_worker *w, uint32_t block) {
    w->block = block;
    w->epoch++;
    if (w->kernel->waits)
        return run_waiting(w);
    for (uint32_t k = 0; k < w->launch->launch->block; k++) {
        begin_thread(w, &w->threads[0], k, k > 0);
        if (sim_run(w, &w->threads[0]) == STOP_FAULT)
            return false;
    }
    return true;
}
