/* nest.c: the launches of NEST: which threads have which points of which calls, and which parts of
 * a reduction.  Sizes and strides alone decide, so that equal calls give equal bits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "constants.h"
#include "model.h"
#include "spread.h"

/* ---- the points */

/* Adds the definition's ranges: the first loops of the phase, one in the other.  Gives the last of
 * them; -1: there is none. */
static int add_ranges(struct nest_phase *p) {
    const struct ufc_overload *o = p->it->overload;
    int parent = -1;
    uint32_t found = 0;
    for (uint32_t i = 0; i < o->nloops && found < p->phase->ranges; i++) {
        const struct ufc_loop *loop = &o->loops[i];
        if (loop->phase != p->number || loop->kind != UFC_LOOP_POINTS || loop->parent != parent)
            continue;
        p->index[p->n++] = (struct index){.size = loop_size(p->it, (int)i),
                                          .steps = 1,
                                          .position = 1,
                                          .in = {-1, (int)i},
                                          .range = (int)found++};
        parent = (int)i;
    }
    return parent;
}

/* The iterations of a loop.  Where bounds that are not known divide an array among the points of a
 * call, those of its elements that a point has. */
static int64_t loop_iterations(const struct nest_phase *p, int loop) {
    const struct iteration *it = p->it;
    const struct ufc_overload *o = it->overload;
    int64_t size = loop_size(it, loop), most = NEST_UNKNOWN, points = 1;
    if (size >= 0)
        return size;
    for (int i = 0; i < p->n; i++)
        if (p->index[i].range >= 0)
            points *= p->index[i].size > 0 ? p->index[i].size : 1;
    for (uint32_t i = 0; i < o->naccesses; i++) {
        const struct ufc_access *a = &o->accesses[i];
        const uint8_t *dim = it->ufunc->core->dim + first_dimension(it, a);
        for (int k = 0; k < a->nsteps && a->phase == p->number; k++)
            if (a->steps[k].loop == loop) {
                int64_t n = it->core->size[dim[a->steps[k].subscript]] / points;
                most = n > most ? n : most;
            }
    }
    return most;
}

int64_t nest_further(const struct nest_phase *p) {
    const struct ufc_overload *o = p->it->overload;
    for (uint32_t i = 0; i < o->nloops; i++)
        if (o->loops[i].phase == p->number && o->loops[i].flags & UFC_LOOP_RAGGED)
            return loop_iterations(p, (int)i);
    return 1;
}

/* The elements of the longest reduction that threads share, whose ranges are in the loop `parent`;
 * *last becomes its last range. */
static int64_t reduction_size(const struct nest_phase *p, int parent, int *last) {
    const struct ufc_overload *o = p->it->overload;
    int64_t longest = 1;
    *last = -1;
    for (uint32_t i = 0; i < o->nloops && p->phase->reductions; i++) {
        if (o->loops[i].phase != p->number || o->loops[i].kind != UFC_LOOP_REDUCTION ||
            o->loops[i].parent != parent)
            continue;
        int64_t size = 1;
        int in = parent;
        for (uint32_t k = i; k == i || (k < o->nloops && o->loops[k].parent == in &&
                                        o->loops[k].flags & UFC_LOOP_FURTHER);
             in = (int)k++) {
            size *= loop_iterations(p, (int)k);
        }
        if (size > longest || *last < 0) {
            longest = size;
            *last = in;
        }
    }
    return longest;
}

/* ---- their order */

/* The ranges of the reduction whose last one is `last`. */
static uint64_t reduction_loops(const struct nest_phase *p, int last) {
    const struct ufc_overload *o = p->it->overload;
    uint64_t loops = 0;
    for (int i = last; i >= 0 && o->loops[i].kind == UFC_LOOP_REDUCTION; i = o->loops[i].parent)
        loops |= UINT64_C(1) << i;
    return loops;
}

/* The loops at a point, other than these, that load anew in each iteration: what depends on fixed
 * ones alone is in registers. */
static uint64_t inner_loops(const struct nest_phase *p) {
    const struct ufc_overload *o = p->it->overload;
    uint64_t loops = 0;
    for (uint32_t i = 0; i < o->nloops; i++) {
        const struct ufc_program *size = &o->loops[i].size;
        bool fixed = size->nterms == 1 && size->terms[0].op == UFC_TERM_NUMBER;
        if (o->loops[i].kind != UFC_LOOP_POINTS && !fixed)
            loops |= UINT64_C(1) << i;
    }
    return loops;
}

/* The lines of memory that a warp reads at each point of the reduction whose last range is `last`,
 * where neighbouring threads are neighbours along an axis, or along a loop.  What is the same for
 * all of them is one line, and what is the same for points of the reduction is read for several. */
static double lines(const struct nest_phase *p, struct loop_index x, int last) {
    const struct iteration *it = p->it;
    const struct ufc_overload *o = it->overload;
    uint64_t reduction = reduction_loops(p, last), inner = inner_loops(p);
    double sum = 0;
    for (uint32_t i = 0; i < o->naccesses; i++) {
        const struct ufc_access *a = &o->accesses[i];
        if (a->phase != p->number || !it->data[a->operand] || !(a->loops & (inner | reduction)))
            continue;
        double each = lines_along(it, a, x);
        if (!(a->loops & reduction))
            each /= ABREAST_POINTS;
        for (uint32_t k = 0; k < o->nloops; k++)
            if ((a->loops & ~reduction) >> k & 1 && o->loops[k].kind != UFC_LOOP_POINTS)
                each *= (double)loop_iterations(p, (int)k);
        sum += each * a->count;
    }
    return sum;
}

/* Puts the indices in order, the fastest first, and behind all others those of one point, along
 * which there are no neighbours; of equal ones the later range, then the axis. */
static void sort_indices(struct nest_phase *p) {
    for (int i = 0; i < p->n; i++)
        p->index[i].apart =
            p->index[i].size == 1 ? INFINITY : moved_along(p->it, p->number, p->index[i].in);
    for (int i = 1; i < p->n; i++)
        for (int k = i; k > 0; k--) {
            struct index *a = &p->index[k - 1], *b = &p->index[k], other = *a;
            if (a->apart < b->apart || (a->apart == b->apart && a->range > b->range))
                break;
            *a = *b;
            *b = other;
        }
}

/* Is a reduction read best in squares along its last two ranges?  *apart becomes how far its
 * neighbours are apart. */
static bool reduces_in_squares(const struct nest_phase *p, int last, double *apart) {
    const struct ufc_loop *loop = &p->it->overload->loops[last];
    struct loop_index columns = {-1, last}, rows = {-1, loop->parent};
    double stored;
    *apart = moved_along(p->it, p->number, columns);
    if (!(loop->flags & UFC_LOOP_FURTHER))
        return false;
    double sum = moved_in_patch(p->it, p->number, rows, columns, &stored);
    bool squares = sum * NEST_PATCH_GAIN < *apart;
    *apart = squares ? sum : *apart;
    return squares;
}

/* Does an access read anew in the phase's reductions? */
static bool reads_in(const struct nest_phase *p, const struct ufc_access *a, int last) {
    uint64_t loops = reduction_loops(p, last) | inner_loops(p);
    return a->phase == p->number && !a->stored && a->loops & loops && p->it->data[a->operand];
}

/* Is about each element that is read in the reductions read once, with no other reduction for it?
 * Memory then is what they wait for, and points have little to share. */
static bool reads_once(const struct nest_phase *p, int last) {
    const struct ufc_overload *o = p->it->overload;
    double points = (double)p->points * (double)p->reduced;
    bool once = false;
    for (uint32_t i = 0; i < o->nloops; i++) {
        const struct ufc_loop *loop = &o->loops[i];
        if (loop->phase == p->number && loop->kind == UFC_LOOP_REDUCTION && loop->parent >= 0 &&
            o->loops[loop->parent].kind == UFC_LOOP_REDUCTION && !(loop->flags & UFC_LOOP_FURTHER))
            return false;
    }
    for (uint32_t i = 0; i < o->naccesses; i++) {
        const struct ufc_access *a = &o->accesses[i];
        once = once || (reads_in(p, a, last) && 2 * distinct_elements(p->it, a) >= points);
    }
    return once;
}

/* May a thread have several points at once: do those that remain fill the GPU, with parts of their
 * reductions, and share what they read? */
static bool fills_abreast(const struct nest_phase *p, int last) {
    int64_t n = p->phase->abreast, parts = p->reduced / (2 * NEST_LEAST);
    return n > 0 && last >= 0 && p->points / n * (parts > 1 ? parts : 1) >= NEST_ABREAST &&
           !reads_once(p, last);
}

/* Are threads that share a reduction, whose neighbours are `apart`, to be neighbours, rather than
 * those of neighbouring points?  Points that fill the GPU need not share at all; those that nearly
 * do are worth a second launch where it saves half of the lines, or a thread then has several. */
static bool is_along(const struct nest_phase *p, int last, double apart) {
    if (last < 0 || p->n == 0)
        return last >= 0;
    if (p->reduced < 2 * NEST_LEAST && fills_abreast(p, last)) /* which no two threads share */
        return false;
    const struct loop_index along = {-1, last};
    double parts = lines(p, along, last), points = lines(p, p->index[0].in, last);
    if (p->points >= NEST_THREADS)
        return parts < points;
    if (p->points >= NEST_FEWER && points * 2 < parts)
        return false;
    if (points <= parts && fills_abreast(p, last))
        return false;
    return apart < p->index[0].apart;
}

/* Has blocks compute patches of points where accesses differ in the index along which elements are
 * neighbours: these two become the first, and first the one along which stores are. */
static void find_patch(struct nest_phase *p) {
    double least = p->n > 0 ? p->index[0].apart / NEST_PATCH_GAIN : 0, stored;
    int other = 0;
    for (int i = 1; i < p->n && p->index[i].size > 1; i++) {
        double sum = moved_in_patch(p->it, p->number, p->index[0].in, p->index[i].in, &stored);
        if (sum < least) {
            least = sum;
            other = i;
        }
    }
    if (other == 0)
        return;
    struct index second = p->index[other];
    memmove(&p->index[2], &p->index[1], (size_t)(other - 1) * sizeof second);
    moved_in_patch(p->it, p->number, p->index[0].in, second.in, &stored);
    p->index[1] = stored > 0 ? p->index[0] : second;
    p->index[0] = stored > 0 ? second : p->index[0];
    p->patched = true;
    p->lanes = patch_lanes(p->it, p->number, p->index[0].in, p->index[1].in);
}

/* ---- who computes what */

/* The iterations of loops within an element of the reduction whose last range is `last`. */
static int64_t inner_iterations(const struct nest_phase *p, int last) {
    const struct ufc_overload *o = p->it->overload;
    int64_t most = 1;
    for (uint32_t i = 0; i < o->nloops && last >= 0; i++) {
        if (o->loops[i].parent != last)
            continue;
        int64_t n = loop_iterations(p, (int)i) * inner_iterations(p, (int)i);
        most = n > most ? smaller_of(n, NEST_LEAST) : most;
    }
    return most;
}

int64_t numbered(const struct nest_phase *p) {
    int64_t n = 1;
    for (int i = 0; i < p->n; i++)
        n *= numbered_along(&p->index[i]);
    return n;
}

/* The instructions of a warp for an element of the reductions at a point, of which threads have n
 * at once along a loop, and compute once what does not depend on it. */
static double work_abreast(const struct nest_phase *p, int loop, int last, int64_t n) {
    const struct ufc_overload *o = p->it->overload;
    static const double each[UFC_WORK_COUNT] = {[UFC_WORK_FLOAT32] = 1,
                                                [UFC_WORK_FLOAT64] = 2,
                                                [UFC_WORK_INTEGER] = 1,
                                                [UFC_WORK_SPECIAL] = 4};
    uint64_t loops = reduction_loops(p, last);
    double sum = 0;
    for (uint32_t i = 0; i < o->nwork; i++)
        for (int k = 0; k < UFC_WORK_COUNT && o->work[i].loops & loops; k++)
            sum += each[k] * o->work[i].operations[k] /
                   (o->work[i].loops >> loop & 1 ? 1. : (double)n);
    return sum;
}

/* What a warp's loads cost for an element of the reductions at a point, each an instruction and its
 * lines, and what it computes of it.  Threads have n points at once along the fastest index, a
 * loop, and load once what does not depend on it; neighbouring threads are `apart` positions apart.
 * INFINITY: the lines are more than are held until their next elements are read. */
static double cost_abreast(const struct nest_phase *p, int last, int64_t n, int64_t apart) {
    const struct iteration *it = p->it;
    const struct ufc_overload *o = it->overload;
    const struct index *x = &p->index[0];
    struct warp_rows r = {x->in, p->n > 1 ? p->index[1].in : (struct loop_index){-1, last},
                          (x->size + n - 1) / n, apart};
    double sum = work_abreast(p, x->in.loop, last, n), held = 0;
    for (uint32_t i = 0; i < o->naccesses; i++) {
        const struct ufc_access *a = &o->accesses[i];
        int64_t times = a->loops >> x->in.loop & 1 ? n : 1;
        if (!reads_in(p, a, last))
            continue;
        double lines = lines_in_rows(it, a, &r);
        held += lines * (double)times;
        sum += (lines + 1) * (double)times / (double)n;
    }
    return held > NEST_KEPT_LINES ? INFINITY : sum;
}

/* Has a thread take neighbouring points whose elements slide, as many as the range has at least.
 * Neighbouring threads then are neighbours in the reduction, unless as many have neighbouring
 * points or calls, whose elements then are as near. */
static bool choose_sliding(struct nest_phase *p, int last) {
    int64_t n = p->phase->abreast;
    struct index *x = p->index;
    while (x < p->index + p->n && x->range != (int)p->phase->abreast_range)
        x++;
    if (p->phase->slides == 0 || last < 0 || p->reduced < SLIDE_LEAST || x->size < n ||
        p->points / n * (p->reduced / SLIDE_LEAST) < NEST_FEWER)
        return false;
    double apart = moved_along(p->it, p->number, (struct loop_index){-1, last});
    p->abreast = true;
    p->crossed = false;
    p->apart = 1;
    x->steps = x->position = n;
    const struct index *fastest = p->index;
    while (fastest < p->index + p->n && numbered_along(fastest) == 1)
        fastest++;
    p->along = fastest == p->index + p->n || numbered_along(fastest) < 32 ||
               (fastest != x && apart <= fastest->apart);
    return true;
}

/* Do neighbouring threads share short reductions, of elements whose places take longer to find than
 * the reductions do, as those of quotients of indices, or that end early at some points?  A thread
 * then has several points, as many as fill the GPU, where its neighbours still read a sector
 * together. */
static bool is_brief(const struct nest_phase *p, int last) {
    const struct ufc_overload *o = p->it->overload;
    int64_t n = p->phase->abreast, parts = p->reduced / NEST_LEAST;
    bool costs = p->phase->uneven;
    for (uint32_t i = 0; i < o->naccesses; i++)
        costs = costs || (o->accesses[i].irregular && reads_in(p, &o->accesses[i], last));
    return costs && n > 0 && parts >= 8 && parts <= 32 && p->points / n * parts >= NEST_ABREAST;
}

/* Has a thread take several points at once where these fill the GPU, and few threads would have one
 * of the points twice. */
static void choose_abreast(struct nest_phase *p, int last) {
    int64_t n = p->phase->abreast;
    if (p->crossed || p->phase->slides > 0 ||
        !(p->along ? is_brief(p, last) : fills_abreast(p, last)))
        return;
    for (int i = 0; i < p->n; i++) {
        struct index *x = &p->index[i];
        int64_t groups = (x->size + n - 1) / n;
        int64_t wasted = p->along ? x->size / 8 : x->size / 4;
        if (x->range != (int)p->phase->abreast_range || groups * n > x->size + wasted)
            continue;
        if (p->along) {
            p->abreast = true;
            x->steps = x->position = n;
            return;
        }
        /* Neighbouring threads stay neighbours along the fastest index, where they may. */
        bool spread = i == 0 && !p->phase->uneven;
        double cost = cost_abreast(p, last, n, spread ? 1 : n);
        if (i == 0 && (isinf(cost) || cost > cost_abreast(p, last, 1, 1)))
            continue;
        p->abreast = true;
        p->apart = spread ? groups : 1;
        x->steps = n;
        x->position = spread ? 1 : n;
    }
}

/* Sets the iterations of a phase's scan, the first of its loops that is in no other.  False: their
 * number is not known. */
static bool set_scanned(struct nest_phase *p) {
    const struct ufc_overload *o = p->it->overload;
    uint32_t i = 0;
    while (i < o->nloops && !(o->loops[i].phase == p->number && o->loops[i].parent < 0 &&
                              o->loops[i].kind == UFC_LOOP_POINTS))
        i++;
    p->scanned = i < o->nloops ? loop_size(p->it, (int)i) : -1;
    return p->scanned >= 0;
}

/* Has threads share the scan at each point, if it is long enough: a block, or a warp, where its
 * iterations are nearer to one another than points are; else the warps of a block. */
static void share_scans(struct nest_phase *p, int parent) {
    const struct ufc_overload *o = p->it->overload;
    int scan = parent + 1;
    while (scan < (int)o->nloops && o->loops[scan].parent != parent)
        scan++;
    if (scan == (int)o->nloops)
        return;
    int64_t n = loop_iterations(p, scan), parts = 1;
    double apart = moved_along(p->it, p->number, (struct loop_index){-1, scan});
    p->along = p->n == 0 || apart < p->index[0].apart;
    if (p->along)
        parts = n >= SCAN_BLOCK ? BLOCK_THREADS : n >= SCAN_WARP ? 32 : 1;
    else if (n >= SCAN_ACROSS && p->points < NEST_THREADS / 2)
        parts = BLOCK_THREADS / 32;
    p->parts = (uint32_t)parts;
    p->block_points = (uint32_t)(BLOCK_THREADS / parts);
}

/* Shares the points of a phase, whose reductions have `last` for their last range, and their
 * reductions among threads. */
static void share_phase(struct nest_phase *p, int last, int parent, bool squares) {
    if (p->phase->reductions)
        share_reductions(p, last);
    if (p->phase->units > 0)
        share_scans(p, parent);
    if (squares && (p->along || p->points == 1))
        choose_squares(p, last);
    bool walks = p->phase->walks && !p->abreast && p->parts == 1 && p->blocks == 1;
    if (p->parts == 1 && p->blocks == 1 && !(walks && whole_range(p) >= 0))
        find_patch(p);
    if (walks)
        choose_steps(p);
}

bool have_order(const struct nest_phase *p) {
    const struct ufc_overload *o = p->it->overload;
    for (uint32_t i = 0; i < o->nloops; i++)
        if (o->loops[i].kind == UFC_LOOP_SERIAL && o->loops[i].parent >= 0 &&
            o->loops[i].phase == p->number)
            return true;
    return false;
}

static void choose_block(struct nest_phase *p) {
    if (p->parts > 1 || p->blocks > 1 || p->patched || p->abreast || !have_order(p))
        return;
    while (p->block_points > 32 && p->points < (int64_t)p->block_points * NEST_SPREAD)
        p->block_points /= 2;
}

/* Has the kernel room for the numbers of a phase's points and blocks? */
static bool is_numbered(const struct nest_phase *p) {
    return numbered(p) <= INT32_MAX / 2 + 1 &&
           (numbered(p) / p->block_points + 1) * p->blocks < INT32_MAX;
}

/* Has threads take microtiles of the points of `plain`, where that is forecast faster than p. */
static void take_microtiles(struct nest_phase *p, const struct nest_phase *plain, int last) {
    double least = -1;
    for (int along = 0; along < 2; along++) {
        struct nest_phase micro = *plain;
        if (!choose_microtile(&micro, last, along))
            continue;
        if (micro.phase->reductions)
            share_phase(&micro, last, -1, false);
        if (!is_numbered(&micro))
            continue;
        least = least < 0 ? forecast_phase(p, p->blocks) : least;
        double time = forecast_phase(&micro, micro.blocks);
        int percent = micro.blocks > 1 ? NEST_MICRO_SPLIT : NEST_MICRO;
        if (time < percent * .01 * least) {
            *p = micro;
            least = time;
        }
    }
}

/* Has threads run the ordered loops of several points together, where that is forecast faster. */
static void take_ordered(struct nest_phase *p, const struct nest_phase *plain) {
    struct nest_phase several = *plain;
    if (!choose_ordered(&several))
        return;
    if (is_numbered(&several) &&
        forecast_phase(&several, 1) < NEST_MICRO * .01 * forecast_phase(p, 1))
        *p = several;
}

/* Describes the launch of a phase.  False: NEST cannot number its points, or there are none, whose
 * first thread would store what the phase has beside them. */
static bool find_phase(struct nest_phase *p, const struct iteration *it, uint32_t number) {
    *p = (struct nest_phase){.it = it,
                             .number = number,
                             .phase = &it->overload->phase[number],
                             .points = 1,
                             .inner = 1,
                             .walked = -1,
                             .steps = 1,
                             .apart = 1,
                             .blocks = 1,
                             .parts = 1,
                             .block_points = BLOCK_THREADS};
    int last, parent = add_ranges(p);
    double apart = 0;
    for (int axis = 0; axis < it->naxes; axis++) {
        if (it->size[axis] == 1)
            continue;
        if (p->n == UFC_MAX_AXES)
            return false;
        p->index[p->n++] =
            (struct index){.size = it->size[axis], .steps = 1, .in = {axis, -1}, .range = -1};
    }
    for (int i = 0; i < p->n; i++)
        if (p->index[i].size <= 0 ||
            __builtin_mul_overflow(p->points, p->index[i].size, &p->points))
            return false;
    if (p->phase->units > 0 && p->phase->ranges == 0)
        return set_scanned(p) && p->points <= INT32_MAX / 2;
    if (p->phase->deals > 0) {
        p->dealt = deal_entries(it, p->phase);
        return p->dealt >= 0 && p->points <= INT32_MAX / 2;
    }
    p->reduced = reduction_size(p, parent, &last);
    p->inner = inner_iterations(p, last);
    sort_indices(p);
    const struct nest_phase plain = *p;
    bool squares = last >= 0 && reduces_in_squares(p, last, &apart);
    p->crossed = last >= 0 && p->n > 0 &&
                 is_crossing(it, number, p->index[0].in, (struct loop_index){-1, last});
    p->along = !p->crossed && is_along(p, last, apart);
    if (!choose_sliding(p, last))
        choose_abreast(p, last);
    share_phase(p, last, parent, squares);
    choose_block(p);
    if (!is_numbered(p))
        return false;
    take_ordered(p, &plain);
    take_microtiles(p, &plain, last);
    take_series(p, &plain);
    return true;
}

bool is_narrow(const struct iteration *it) {
    bool narrow = true;
    for (uint32_t d = 0; d < it->ufunc->core->ndims; d++)
        narrow = narrow && it->core->size[d] <= UFC_NARROW_SIZE;
    for (int i = 0; i < it->core->naxes; i++)
        narrow = narrow && llabs(it->core->stride[i]) <= INT32_MAX;
    return narrow;
}

bool nest_fits(struct nest *nest, const struct iteration *it) {
    nest->width = 1;
    nest->nphases = it->overload->phases;
    if (!it->overload->kernel[UFC_KERNEL_NEST] || !is_narrow(it))
        return false;
    for (uint32_t i = 0; i < nest->nphases; i++) {
        struct nest_phase *p = &nest->phase[i];
        if (!find_phase(p, it, i))
            return false;
        int64_t elements = p->phase->ranges  ? p->points / it->total
                           : p->phase->units ? p->scanned
                           : p->phase->deals ? p->dealt
                                             : p->reduced;
        nest->width = elements > nest->width ? elements : nest->width;
    }
    return true;
}

bool nest_turns(const struct nest *nest) {
    return nest->nphases == 1 && nest->phase[0].across > 0;
}

/* ---- launches */

/* Sets which points and parts the block's threads have. */
static void set_threads(struct ufc_kparam_nest *nest, uint32_t points, uint32_t parts, bool along) {
    nest->groups = (nest->points + points - 1) / points;
    nest->point_mask = points - 1;
    nest->part_mask = parts - 1;
    nest->point_shift = along ? log2_of(parts) : 0;
    nest->part_shift = along ? 0 : log2_of(points);
    nest->lanes = along ? (parts < 32 ? parts : 32) : 1;
}

/* Sets the patches of blocks. */
static void set_patches(struct ufc_kparam_nest *nest, const struct nest_phase *p) {
    const struct index *x = p->index;
    int64_t size[] = {numbered_along(&x[0]) * (p->split ? x[1].size : 1),
                      numbered_along(&x[p->split ? 2 : 1])};
    int64_t threads = BLOCK_THREADS, patches = nest->points / (size[0] * size[1]);
    int64_t lanes[] = {p->lanes, 32 / p->lanes};
    nest->groups = 1;
    for (int i = 0; i < 2; i++) {
        int64_t most = i == 0 ? NEST_PATCH_SIDE : threads;
        int64_t side = p->split && i == 0 ? p->apart : patch_side(size[i], lanes[i], most);
        int64_t near = smaller_of(side, lanes[i]), number = (size[i] + side - 1) / side;
        threads /= side;
        nest->groups *= (uint32_t)number;
        nest->patch[i] = (struct ufc_patch){.size = (uint32_t)size[i],
                                            .number = (uint32_t)number,
                                            .lanes = log2_of((uint32_t)near),
                                            .warps = log2_of((uint32_t)(side / near))};
    }
    nest->patched = 1;
    nest->groups *= (uint32_t)((patches + threads - 1) / threads);
}

struct nest_param {
    struct ufc_kparam_gufunc gufunc;
    struct ufc_kparam_nest nest;
    struct ufc_kparam_operand op[UFC_MAX_OPERANDS];
};

/* Sets the axes that number the points, and what grows along them. */
static void set_axes(struct nest_param *q, const struct nest_phase *p,
                     const struct call_results *results) {
    const struct iteration *it = p->it;
    int64_t size[UFC_MAX_AXES];
    for (int i = 0; i < p->n; i++) {
        const struct index *x = &p->index[i];
        size[i] = numbered_along(x);
        if (x->in.axis < 0) {
            q->nest.position[x->range][i] = x->position;
            continue;
        }
        q->gufunc.result[i] = results->stride[x->in.axis];
        for (int k = 0; k < it->nin + it->nout; k++)
            q->op[k].stride[i] = it->data[k] ? it->stride[k][x->in.axis] : 0;
    }
    q->gufunc.naxes = (uint32_t)p->n;
    q->nest.points = (uint32_t)numbered(p);
    set_kernel_axes(&q->gufunc.axes, p->n, size);
}

static ufc_status launch_one(struct launcher *l, const struct iteration *it,
                             const struct nest_param *q, ufc_error *err) {
    _Alignas(16) unsigned char packed[UFC_MAX_PARAMETER];
    size_t n = (size_t)it->nin + (size_t)it->nout, ndims = it->ufunc->core->ndims;
    size_t ranks = (size_t)it->core->naxes;
    const struct ufc_gufunc_offsets at = ufc_gufunc_offsets(n, ndims, ranks);
    uint32_t threads = (q->nest.point_mask + 1) * (q->nest.part_mask + 1);
    struct kernel_launch launch = {.kind = UFC_KERNEL_NEST,
                                   .block = threads,
                                   .blocks = (unsigned)ufc_nest_blocks(&q->nest, q->gufunc.blocks),
                                   .param = packed,
                                   .size = at.end,
                                   .planned = it->planned};
    if (has_series_lanes(it->overload, &q->nest, q->gufunc.phase))
        launch.shared =
            threads * it->overload->series + (q->nest.point_mask + 1) * UFC_SERIES_APART;
    memcpy(packed, &q->gufunc, sizeof q->gufunc);
    memcpy(packed + at.operand, q->op, n * sizeof *q->op);
    memcpy(packed + at.dimension, it->core->size, ndims * sizeof *it->core->size);
    memcpy(packed + at.stride, it->core->stride, ranks * sizeof *it->core->stride);
    memcpy(packed + at.nest, &q->nest, sizeof q->nest);
    struct ufc_constants *known = gufunc_constants(it, &launch);
    launch.known = known;
    ufc_status status = l->launch(l->arg, &launch, err);
    free(known);
    return status;
}

ufc_status launch_phase(struct launcher *l, const struct nest_phase *p,
                        const struct call_results *results, uint64_t parts, size_t room,
                        ufc_error *err) {
    const struct iteration *it = p->it;
    struct nest_param q = {.gufunc = {.calls = it->total,
                                      .group = 1,
                                      .blocks = p->blocks,
                                      .phase = p->number,
                                      .across = p->across,
                                      .workspace = results->first,
                                      .results = results->first,
                                      .step = results->step,
                                      .fault = l->fault},
                           .nest = {.parts = parts,
                                    .room = room,
                                    .steps = p->steps,
                                    .apart = p->apart,
                                    .aside = p->aside,
                                    .neighbours = p->neighbours,
                                    .abreast = p->abreast}};
    for (int k = 0; k < it->nin + it->nout; k++) {
        q.op[k].ptr = (uintptr_t)it->data[k];
        memcpy(q.op[k].value, it->value[k], sizeof q.op[k].value);
    }
    set_axes(&q, p, results);
    if (p->walked >= 0)
        q.nest.walked = p->index[p->walked].range + 1 < (int)p->phase->ranges;
    set_threads(&q.nest, p->block_points, p->parts, p->along);
    if (p->patched)
        set_patches(&q.nest, p);
    ufc_status status = UFC_OK;
    if (!p->joins)
        status = launch_one(l, it, &q, err);
    if ((p->blocks == 1 && !p->joins) || status != UFC_OK)
        return status;
    uint32_t joining = 1;
    while (joining < BLOCK_THREADS && joining * NEST_JOINED < p->blocks)
        joining *= 2;
    set_threads(&q.nest, BLOCK_THREADS / joining, joining, joins_by_lanes(p, joining));
    q.nest.joined = p->blocks;
    q.nest.again = !p->joins;
    q.gufunc.blocks = 1;
    return launch_one(l, it, &q, err);
}
