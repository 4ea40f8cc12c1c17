/* schedule.c: what the threads of a launch do: which loops' iterations each has, which a block has
 * together, and along what neighbouring threads are neighbours. */
#include <math.h>

#include "apart.h"
#include "nest.h"
#include "schedule.h"
#include "steps.h"

enum { UNKNOWN_SIZE = 16 }; /* iterations of a loop of which nothing is known */

/* The longest dimension through which an access does not step evenly. */
static double irregular_size(const struct iteration *it, const struct ufc_access *a) {
    const uint8_t *dim = it->ufunc->core->dim + first_dimension(it, a);
    double most = 0;
    for (int i = 0; i < it->ufunc->core->rank[a->operand]; i++)
        if (a->irregular >> i & 1)
            most = at_least(most, (double)it->core->size[dim[i]]);
    return most;
}

/* The rows that an access's loops around one step through, which share out what that one does. */
static double rows_around(const struct body *body, const struct ufc_access *a, int loop) {
    const struct ufc_overload *o = body->it->overload;
    double rows = 1;
    for (int k = o->loops[loop].parent; k >= 0; k = o->loops[k].parent)
        rows *= a->loops >> k & 1 && body->size[k] > 0 ? (double)body->size[k] : 1;
    return rows;
}

/* Steps of an ordered loop around definitions, which halve or double something up to their points;
 * of one that is in another such loop half as many, on average.  0: there are no definitions. */
static double halvings(const struct body *body, int loop) {
    const struct ufc_overload *o = body->it->overload;
    double most = 0;
    for (uint32_t i = (uint32_t)loop + 1; i < o->nloops && o->loops[i].parent >= loop; i++)
        if (o->loops[i].kind == UFC_LOOP_POINTS && is_shared(o, i))
            most = at_least(most, (double)body->size[i]);
    int around = o->loops[loop].parent;
    bool within = around >= 0 && body->size[around] < 0;
    return most > 1 ? ceil(log2(most) + 1) * (within ? .5 : 1) : 0;
}

/* Iterations of a loop whose size is data: rows of a ragged array share out a dimension; a search
 * of an array halves it.  In a step, a range beside another one, which is divided by it, has the
 * rest. */
static double guess_size(const struct body *body, int loop) {
    const struct ufc_overload *o = body->it->overload;
    int parent = o->loops[loop].parent;
    if (o->loops[loop].kind == UFC_LOOP_SERIAL && halvings(body, loop) > 0)
        return halvings(body, loop);
    if (o->loops[loop].kind == UFC_LOOP_POINTS && parent >= 0 && is_shared(o, (uint32_t)parent) &&
        o->loops[parent].parent >= 0)
        return 1;
    const uint8_t *rank = body->it->ufunc->core ? body->it->ufunc->core->rank : NULL;
    double searched = 0;
    for (uint32_t i = 0; i < o->naccesses; i++) /* elements at places that the loop finds */
        if (o->accesses[i].loops >> loop & 1 && o->accesses[i].irregular && rank != NULL)
            searched = at_least(searched, irregular_size(body->it, &o->accesses[i]));
    for (uint32_t i = 0; i < o->naccesses && o->loops[loop].kind != UFC_LOOP_SERIAL; i++)
        for (int k = 0; k < o->accesses[i].nsteps; k++)
            if (o->accesses[i].steps[k].loop == loop) {
                const uint8_t *dim = body->it->ufunc->core->dim;
                for (int op = 0; op < o->accesses[i].operand; op++)
                    dim += rank[op];
                int64_t size = body->it->core->size[dim[o->accesses[i].steps[k].subscript]];
                return at_least(1, (double)size / rows_around(body, &o->accesses[i], loop));
            }
    return searched > 1 ? ceil(log2(searched)) : UNKNOWN_SIZE;
}

double schedule_size(const struct body *body, int loop) {
    return body->size[loop] < 0 ? guess_size(body, loop) : at_least(1, (double)body->size[loop]);
}

static void add_lanes(struct schedule *s, int axis, int loop, double n, double step) {
    double taken = 1;
    int i = 0;
    while (i < 3 && s->lanes[i].n > 0)
        taken *= s->lanes[i++].n;
    n = at_most(n, WARP_THREADS / taken);
    if (i < 3 && n > 1)
        s->lanes[i] = (struct lanes){axis, loop, n, step};
}

/* Shares out the iterations of a loop and of the further ranges in it, the innermost first; gives
 * the innermost. */
static int share(struct schedule *s, uint32_t loop, double threads) {
    const struct ufc_overload *o = s->body->it->overload;
    uint32_t last = loop;
    while (last + 1 < o->nloops && o->loops[last + 1].parent == (int)last &&
           o->loops[last + 1].flags & UFC_LOOP_FURTHER)
        last++;
    for (uint32_t k = last + 1; k-- > loop;) {
        double n = schedule_size(s->body, (int)k), taken = at_most(n, threads);
        s->each[k] = ceil(n / at_least(taken, 1));
        s->apart[k] = at_most(n, s->each[k] * taken);
        threads = at_least(threads / at_least(taken, 1), 1);
    }
    return (int)last;
}

/* Is the loop one that threads share: a parallel one that only serial loops are around? */
bool is_shared(const struct ufc_overload *o, uint32_t loop) {
    if (o->loops[loop].kind == UFC_LOOP_SERIAL || o->loops[loop].flags & UFC_LOOP_FURTHER)
        return false;
    for (int k = o->loops[loop].parent; k >= 0; k = o->loops[k].parent)
        if (o->loops[k].kind != UFC_LOOP_SERIAL)
            return false;
    return true;
}

/* How many loops there are around a loop. */
static int level_of(const struct ufc_overload *o, int loop) {
    int level = 0;
    for (int k = o->loops[loop].parent; k >= 0; k = o->loops[k].parent)
        level++;
    return level;
}

int row_level(const struct ufc_overload *o, bool results) {
    for (uint32_t i = 0; i < o->phases && results; i++)
        if (o->phase[i].batch.nterms > 0)
            return 2;
    return results;
}

bool is_of_row(const struct ufc_overload *o, uint32_t loop, int outer) {
    const struct ufc_loop *l = &o->loops[loop];
    int level = level_of(o, (int)loop);
    bool first = outer > 0 && level == outer; /* within rows */
    if (l->kind == UFC_LOOP_SERIAL || (l->flags & UFC_LOOP_FURTHER && !first) || level < outer)
        return false;
    for (int k = l->parent; k >= 0; k = o->loops[k].parent)
        if (o->loops[k].kind != UFC_LOOP_SERIAL && level_of(o, k) >= outer)
            return false;
    return true;
}

/* A block's points along the axes, the fastest first. */
static void share_axes(struct schedule *s, double calls) {
    const struct iteration *it = s->body->it;
    for (int axis = 0; axis < it->naxes; axis++) {
        s->axis[axis] = at_most(calls, (double)it->size[axis]);
        calls = at_least(calls / s->axis[axis], 1);
    }
}

/* Shares out what is done at a shared loop's points to the threads that a point has. */
static void share_points(struct schedule *s, uint32_t loop, double mates) {
    const struct ufc_overload *o = s->body->it->overload;
    uint32_t first = loop + 1; /* behind the further ranges, which share() shares out */
    while (first < o->nloops && o->loops[first].parent == (int)first - 1 &&
           o->loops[first].flags & UFC_LOOP_FURTHER)
        first++;
    for (uint32_t k = first; k < o->nloops && o->loops[k].parent >= (int)loop; k++)
        if (o->loops[k].kind != UFC_LOOP_SERIAL && o->loops[k].parent == (int)loop) {
            int last = share(s, k, mates);
            if (s->lanes[0].n <= 1)
                add_lanes(s, -1, last, mates, 1);
        }
}

/* The threads, of so many, that share a loop: of a reduction that blocks have no portions of those
 * of each block, which computes all of it. */
static double sharing_threads(const struct schedule *s, uint32_t loop, double threads) {
    const struct iteration *it = s->body->it;
    bool blocks = s->kind == UFC_KERNEL_BLOCK || s->kind == UFC_KERNEL_CLUSTER;
    if (!blocks || s->together <= 1 || it->overload->loops[loop].kind != UFC_LOOP_REDUCTION)
        return threads;
    return joins_portions(s, loop) ? at_most(threads, UFC_PORTIONS * (double)s->block)
                                   : (double)s->block;
}

bool joins_portions(const struct schedule *s, uint32_t loop) {
    return s->kind == UFC_KERNEL_BLOCK && s->together > 1 && has_portions(s->body->it, (int)loop);
}

bool takes_whole_points(const struct schedule *s, uint32_t loop) {
    return s->kind == UFC_KERNEL_BLOCK && has_whole_points(s->body->it, (int)loop);
}

/* The loop of points that a loop is in; -1: there is none. */
static int points_around(const struct ufc_overload *o, uint32_t loop) {
    int k = o->loops[loop].parent;
    while (k >= 0 && o->loops[k].kind != UFC_LOOP_POINTS)
        k = o->loops[k].parent;
    return k;
}

bool is_of_series(const struct ufc_overload *o, uint32_t loop) {
    return o->loops[loop].flags & UFC_LOOP_SERIES && points_around(o, loop) < 0;
}

bool adds_in_lanes(const struct schedule *s, uint32_t loop) {
    const struct ufc_overload *o = s->body->it->overload;
    bool blocks = s->kind == UFC_KERNEL_BLOCK || s->kind == UFC_KERNEL_CLUSTER;
    int points = points_around(o, loop);
    double threads = (double)s->block * s->together;
    if (s->kind == UFC_KERNEL_NEST)
        return s->adders > 0 && o->loops[loop].flags & UFC_LOOP_SERIES;
    if (ufc_is_warp(s->kind))
        return s->adders > 0 && o->loops[loop].in_lanes;
    return blocks && o->resident && o->loops[loop].flags & UFC_LOOP_SERIES &&
           (points < 0 || schedule_size(s->body, points) * SERIES_POINT_THREADS <= threads);
}

double adding_lanes(const struct schedule *s) {
    return s->adders > 0 ? s->adders : WARP_THREADS;
}

/* Shares out the iterations of a series among lanes: of loops in one another, which are one series,
 * those of the innermost one. */
static void share_series(struct schedule *s, uint32_t loop) {
    const struct ufc_overload *o = s->body->it->overload;
    bool inner = loop + 1 < o->nloops && o->loops[loop + 1].parent == (int)loop &&
                 o->loops[loop + 1].flags & UFC_LOOP_SERIES;
    if (!adds_in_lanes(s, loop) || inner)
        return;
    s->each[loop] = ceil(s->each[loop] / adding_lanes(s));
    if (s->adders > 0)
        add_lanes(s, -1, (int)loop, s->adders, 1);
}

static void share_all_series(struct schedule *s) {
    const struct ufc_overload *o = s->body->it->overload;
    for (uint32_t i = 0; i < o->nloops; i++)
        if (in_phase(s, o->loops[i].phase))
            share_series(s, i);
}

/* The lanes that a point of a shared loop has to add up series. */
static double series_lanes(const struct schedule *s, uint32_t loop) {
    const struct ufc_overload *o = s->body->it->overload;
    for (uint32_t k = loop + 1; k < o->nloops && o->loops[k].parent >= (int)loop; k++)
        if (points_around(o, k) == (int)loop && adds_in_lanes(s, k))
            return WARP_THREADS;
    return 1;
}

/* Shares the reductions at a shared loop's points, which are taken one after the other. */
static void share_whole_points(struct schedule *s, uint32_t loop, double threads) {
    const struct ufc_overload *o = s->body->it->overload;
    for (uint32_t k = loop + 1; k < o->nloops && o->loops[k].parent >= (int)loop; k++)
        if (o->loops[k].kind == UFC_LOOP_REDUCTION && !(o->loops[k].flags & UFC_LOOP_FURTHER)) {
            int last = share(s, k, sharing_threads(s, k, threads));
            if (s->lanes[0].n <= 1)
                add_lanes(s, -1, last, threads, 1);
        }
}

/* The lanes of a point in a step whose reductions blocks may have portions of, where its points are
 * too many for that: as many as a block's threads are for it; 0: it is none of these. */
static double lanes_of_points(const struct schedule *s, uint32_t loop) {
    const struct ufc_overload *o = s->body->it->overload;
    double points = 1, blocks = s->kind == UFC_KERNEL_BLOCK ? s->together : 1;
    bool portions = false;
    if ((s->kind != UFC_KERNEL_BLOCK && s->kind != UFC_KERNEL_RESIDENT) ||
        o->loops[loop].parent < 0 || o->loops[loop].kind != UFC_LOOP_POINTS)
        return 0;
    for (uint32_t k = loop; k < o->nloops && (k == loop || o->loops[k].parent >= (int)loop); k++) {
        portions = portions || o->loops[k].portions != 0;
        points *= o->loops[k].kind == UFC_LOOP_POINTS ? schedule_size(s->body, (int)k) : 1;
    }
    double lanes = points * UFC_BLOCK_POINTS * WARP_THREADS;
    if (portions && s->kind == UFC_KERNEL_BLOCK && lanes <= blocks * (double)s->block)
        return (double)s->block;
    double rows = exp2(ceil(log2(points))) / exp2(ceil(log2(blocks)));
    return portions ? at_least(at_most((double)s->block / at_least(rows, 1), WARP_THREADS), 1) : 0;
}

/* Shares such points, and the reductions at each among its lanes. */
static void share_lanes(struct schedule *s, uint32_t loop, double threads, double lanes) {
    const struct ufc_overload *o = s->body->it->overload;
    share(s, loop, threads / lanes);
    for (uint32_t k = loop + 1; k < o->nloops && o->loops[k].parent >= (int)loop; k++)
        if (o->loops[k].kind == UFC_LOOP_POINTS)
            share(s, k, at_least(threads / lanes / s->apart[loop], 1));
        else if (!(o->loops[k].flags & UFC_LOOP_FURTHER) && o->loops[k].kind == UFC_LOOP_REDUCTION)
            share(s, k, lanes);
}

/* `group` threads have a call, of which `mates` share the reductions of a point. */
static void of_calls(struct schedule *s, int64_t group, int64_t mates) {
    const struct iteration *it = s->body->it;
    double most = 0;
    s->mates = (double)mates;
    s->threads = (double)(s->calls * group);
    share_axes(s, at_least((double)s->block / (double)group, 1));
    for (uint32_t i = 0; group > 1 && i < it->overload->nloops; i++)
        if (is_shared(it->overload, i) && in_phase(s, it->overload->loops[i].phase)) {
            double n = sharing_threads(s, i, (double)group);
            if (takes_whole_points(s, i)) {
                share_whole_points(s, i, n);
                continue;
            }
            double lanes = lanes_of_points(s, i);
            if (lanes > 0) {
                share_lanes(s, i, n, lanes);
                most = at_least(most,
                                at_most(n, schedule_size(s->body, (int)i) * lanes) / (double)mates);
                continue;
            }
            if (it->overload->loops[i].kind == UFC_LOOP_POINTS) {
                n /= at_least((double)mates, series_lanes(s, i));
                share_points(s, i, (double)mates);
                most = at_least(most, at_most(n, schedule_size(s->body, (int)i)));
            }
            int last = share(s, i, n);
            if (s->lanes[0].n <= 1)
                add_lanes(s, -1, last, n, 1);
        }
    share_all_series(s);
    if (mates > 1 && most > 0) /* the other threads have no point */
        s->threads *= most * (double)mates / (double)group;
    for (int axis = 0; axis < it->naxes && axis < 2; axis++)
        add_lanes(s, axis, -1, (double)it->size[axis], 1);
}

/* The points of a launch, or of warps that have some, where its lanes have one each. */
static double warps_points(const struct ufc_kparam_nest *nest) {
    double width = at_most(WARP_THREADS, nest->point_mask + 1.);
    return nest->patched || nest->lanes > 1 ? nest->points : width * ceil(nest->points / width);
}

static void of_nest(struct schedule *s, const struct kernel_launch *launch) {
    const struct ufc_overload *o = s->body->it->overload;
    const struct ufc_kparam_gufunc *gufunc = launch->param;
    const struct ufc_kparam_nest *nest = ufc_nest_of(launch->param, launch->size);
    double parts = (double)gufunc->blocks * (nest->part_mask + 1), left = nest->point_mask + 1;
    const struct ufc_phase *phase = &o->phase[gufunc->phase];
    int range[UFC_MAX_POINT_RANGES], n = 0, parent = -1;
    bool beside = nest->neighbours != 0;
    s->phase = (int)gufunc->phase;
    s->threads = warps_points(nest) * parts;
    s->lane_rounds = log2(nest->lanes);
    s->rounds = log2((nest->part_mask + 1.) / nest->lanes);
    for (uint32_t i = 0; i < o->nloops && n < (int)phase->ranges; i++)
        if (o->loops[i].phase == s->phase && o->loops[i].kind == UFC_LOOP_POINTS &&
            o->loops[i].parent == parent)
            parent = range[n++] = (int)i;
    share_axes(s, 1);
    for (int r = 0; r < n; r++)
        s->each[range[r]] = s->apart[range[r]] = 1;
    if (n > (int)nest->walked)
        s->each[range[n - 1 - (int)nest->walked]] = (double)nest->steps;
    if (beside)
        s->each[range[n - 1]] *= phase->neighbours;
    for (int r = n > 1 ? n - 2 : 0; r < n && beside; r++)
        s->walked |= UINT64_C(1) << range[r];
    if (nest->abreast == UFC_ABREAST) {
        s->each[range[phase->abreast_range]] = phase->abreast;
        s->abreast = UINT64_C(1) << range[phase->abreast_range];
        s->sliding = phase->slides > 0 ? s->abreast : 0;
    }
    for (int i = 0; i < 2 && nest->abreast == UFC_MICROTILE; i++) {
        s->each[range[phase->micro_range[i]]] = phase->micro[i];
        s->abreast |= UINT64_C(1) << range[phase->micro_range[i]];
        s->wide = phase->micro_vectors != 0;
    }
    s->adders = has_series_lanes(o, nest, gufunc->phase) ? nest->part_mask + 1. : 0;
    if (nest->part_shift == 0)
        share_all_series(s);
    for (uint32_t i = 0; i < o->nloops; i++)
        if (o->loops[i].phase == s->phase && o->loops[i].parent == parent &&
            ((o->loops[i].kind == UFC_LOOP_REDUCTION && phase->reductions) ||
             (o->loops[i].kind == UFC_LOOP_SERIAL && phase->units > 0))) {
            int last = share(s, i, parts);
            s->apart[last] = at_least(1, s->apart[last] / gufunc->blocks);
            if (nest->lanes > 1 && s->lanes[0].n <= 1)
                add_lanes(s, -1, last, nest->lanes, 1);
        }
    for (uint32_t i = 0; i < gufunc->naxes; i++) {
        int at = -1, axis = -1;
        for (int r = 0; r < n; r++)
            if (nest->position[r][i] != 0)
                at = range[r];
        double size = gufunc->axes.size[i], taken = at_most(left, size), near = taken;
        if (nest->patched && i < 2) {
            const struct ufc_patch *patch = &nest->patch[i];
            taken = at_most(size, 1U << (patch->lanes + patch->warps));
            near = at_most(size, 1U << patch->lanes);
        }
        if (at >= 0)
            s->apart[at] = taken * s->each[at];
        else /* axes of one element are left out: the i-th that is not a range's */
            for (int a = 0; a < s->body->it->naxes; a++)
                if (s->axis[a] == 1 && (double)s->body->it->size[a] == size && axis < 0)
                    s->axis[axis = a] = taken;
        double step = at < 0 ? 1 : beside && at == range[n - 1] ? phase->neighbours : 1;
        for (int r = 0; r < n && at >= 0 && s->abreast >> at & 1; r++)
            step = at_least(step, (double)nest->position[r][i]);
        add_lanes(s, axis, at, near, step);
        left = at_least(left / taken, 1);
    }
    if (nest->part_shift > 0) /* behind the points of the warp */
        share_all_series(s);
}

/* The loops of a tile's columns: with the innermost one, those that move what it moves. */
static uint64_t column_loops(const struct schedule *s) {
    const struct ufc_overload *o = s->body->it->overload;
    uint64_t points = 0, all = ~UINT64_C(0);
    int last = -1;
    for (uint32_t i = 0; i < o->nloops; i++)
        if (o->loops[i].phase == s->phase && o->loops[i].kind == UFC_LOOP_POINTS) {
            points |= UINT64_C(1) << i;
            last = (int)i;
        }
    for (uint32_t i = 0; i < o->naccesses && last >= 0; i++)
        if (!o->accesses[i].stored && o->accesses[i].loops >> last & 1 &&
            o->accesses[i].phase == s->phase)
            all &= o->accesses[i].loops;
    return points & all;
}

/* The threads of TILE_16 that share a result's steps, in a block of which each has a part of them.
 */
static double shared_steps(const struct schedule *s, const struct ufc_kparam_gufunc *gufunc,
                           const struct ufc_phase *p) {
    const int64_t *size = s->body->it->core->size;
    int64_t rows = gufunc->rows, columns, depth;
    double n = gufunc->across ? (double)s->block / ufc_tile_threads(s->kind) : 1;
    if (s->kind != UFC_KERNEL_TILE_16)
        return 1;
    if (p->gathers && (rows > 0 || compute_size(&p->rows, size, &rows)) &&
        compute_size(&p->columns, size, &columns) && compute_size(&p->depth, size, &depth))
        n *= (double)(ufc_tile_sharers(rows, depth) * ufc_tile_sharers(columns, depth));
    return n;
}

/* The points of a tile, of the innermost loops. */
static void of_tiles(struct schedule *s, const struct ufc_kparam_gufunc *gufunc, uint32_t phase) {
    const struct ufc_overload *o = s->body->it->overload;
    const struct ufc_phase *p = &o->phase[phase];
    double size[2] = {ufc_tile_size(p, s->kind, 0), ufc_tile_size(p, s->kind, 1)}, columns = 1;
    for (uint32_t i = 0; i < o->nloops && ufc_is_band(s->kind); i++)
        if (o->loops[i].phase == phase && o->loops[i].kind == UFC_LOOP_POINTS)
            columns = schedule_size(s->body, (int)i); /* of all tiles of a row */
    size[1] *= ceil(columns / size[1]);
    double team = ufc_is_band(s->kind) ? (double)s->block : ufc_tile_threads(s->kind);
    double each = size[0] * size[1] / team;
    s->threads = (double)s->blocks * (double)s->block;
    s->phase = (int)phase;
    share_axes(s, gufunc->group);
    uint64_t moved = column_loops(s);
    double parts = gufunc->parts * shared_steps(s, gufunc, p);
    for (uint32_t i = o->nloops; i-- > 0;) {
        if (o->loops[i].phase != phase)
            continue;
        if (o->loops[i].kind == UFC_LOOP_REDUCTION && !(o->loops[i].flags & UFC_LOOP_FURTHER)) {
            int last = share(s, i, parts);
            s->apart[last] = s->each[last];
        }
        if (o->loops[i].kind != UFC_LOOP_POINTS)
            continue;
        s->each[i] = at_most(each, schedule_size(s->body, (int)i));
        each = at_least(1, each / s->each[i]);
        double *left = &size[moved >> i & 1];
        s->apart[i] = at_most(*left, schedule_size(s->body, (int)i));
        *left = at_least(1, *left / s->apart[i]);
    }
}

/* A phase of BAND: `across` lanes have a row of one that has no tiles. */
void schedule_band(struct schedule *s, const struct ufc_kparam_gufunc *gufunc, uint32_t phase) {
    const struct ufc_overload *o = s->body->it->overload;
    const struct ufc_phase *p = &o->phase[phase];
    for (uint32_t i = 0; i < o->nloops; i++)
        s->each[i] = s->apart[i] = schedule_size(s->body, (int)i);
    s->calls = gufunc->calls;
    of_tiles(s, gufunc, phase);
    double rows = (double)ufc_tile_size(p, s->kind, 0) * gufunc->across / (double)s->block;
    int outer = row_level(o, gufunc->rows == 0);
    for (uint32_t i = 0; i < o->nloops && p->rows.nterms == 0; i++) {
        if (o->loops[i].phase != phase)
            continue;
        int level = level_of(o, (int)i);
        if (level < outer)
            s->each[i] = level + 1 < outer ? 1 : at_least(1, rows);
        if (!is_of_row(o, i, outer))
            continue;
        int last = share(s, i, gufunc->across);
        if (s->lanes[0].n <= 1)
            add_lanes(s, -1, last, gufunc->across, 1);
    }
}

/* A group of threads has rows one after the other, and the elements of a row, or what is down all
 * rows, are shared by it. */
void schedule_sweep(struct schedule *s, const struct ufc_kparam_gufunc *gufunc, uint32_t phase) {
    const struct ufc_overload *o = s->body->it->overload;
    double group = s->kind == UFC_KERNEL_SWEEP ? (double)s->block : gufunc->group;
    bool down = o->phase[phase].cells > 0;
    int rows = -1;
    for (uint32_t i = 0; i < o->nloops; i++)
        s->each[i] = s->apart[i] = schedule_size(s->body, (int)i);
    s->calls = gufunc->calls;
    s->phase = (int)phase;
    s->threads = (double)s->blocks * (double)s->block;
    share_axes(s, 1);
    for (uint32_t i = 0; i < o->nloops; i++) {
        const struct ufc_loop *l = &o->loops[i];
        if (l->phase != phase)
            continue;
        if (down ? l->kind == UFC_LOOP_REDUCTION : l->parent < 0)
            rows = (int)i;
        bool shared = down ? l->parent < 0 : rows >= 0 && l->parent == rows;
        if (shared && down && s->kind == UFC_KERNEL_HELD_SWEEP)
            s->abreast |= UINT64_C(1) << i;
        int last = shared ? share(s, i, group) : -1;
        if (shared && s->lanes[0].n <= 1)
            add_lanes(s, -1, last, group, 1);
    }
    double all = rows >= 0 ? schedule_size(s->body, rows) : 1;
    if (rows < 0)
        return;
    s->apart[rows] = ceil(all / gufunc->blocks);
    s->each[rows] = ceil(s->apart[rows] / ((double)s->block / group));
    add_lanes(s, -1, rows, WARP_THREADS, 1);
}

static void of_window(struct schedule *s, double together) {
    const struct ufc_overload *o = s->body->it->overload;
    double each = WINDOW_RESULTS, rows = o->rows.nterms > 0 ? UFC_WINDOW_ROWS : 1;
    double side = UFC_WINDOW_ROWS * UFC_WINDOW_COLUMNS / rows;
    if (rows <= 1) {
        each *= together;
        side *= together;
    }
    s->threads = (double)s->blocks * (double)s->block;
    share_axes(s, 1);
    for (uint32_t i = o->nloops; i-- > 0;)
        if (o->loops[i].kind == UFC_LOOP_POINTS) {
            s->each[i] = each;
            s->apart[i] = at_most(side, schedule_size(s->body, (int)i));
            each = together;
            side = rows * together;
        }
}

/* The lanes of a warp have neighbouring calls, its warps iterations of them. */
static void of_strip(struct schedule *s) {
    const struct iteration *it = s->body->it;
    s->threads = (double)s->blocks * (double)s->block;
    share_axes(s, UFC_STRIP_CALLS);
    for (uint32_t i = 0; i < it->overload->nloops; i++)
        if (is_shared(it->overload, i))
            share(s, i, at_least(1, s->threads / (double)s->calls));
    for (int axis = 0; axis < it->naxes && axis < 2; axis++)
        add_lanes(s, axis, -1, (double)it->size[axis], 1);
}

/* The blocks of a group have neighbouring calls, and so have the lanes of a warp. */
static void of_columns(struct schedule *s, const struct ufc_kparam_gufunc *gufunc) {
    const struct iteration *it = s->body->it;
    int64_t group = ufc_call_threads(s->kind, gufunc, s->block);
    s->threads = (double)s->calls * (double)group;
    share_axes(s, gufunc->across);
    for (int axis = 0; axis < it->naxes && axis < 2; axis++)
        add_lanes(s, axis, -1, s->axis[axis], 1);
    for (uint32_t i = 0; i < it->overload->nloops; i++)
        if (is_shared(it->overload, i)) {
            int last = share(s, i, (double)group);
            if (s->lanes[0].loop < 0 && s->lanes[1].n <= 1)
                add_lanes(s, -1, last, (double)group, 1);
        }
}

/* The threads of each window have all points. */
static void of_scatter(struct schedule *s, const struct ufc_kparam_gufunc *gufunc) {
    s->phase = (int)gufunc->phase;
    s->windows = gufunc->inputs > 0 ? gufunc->across : 0;
    s->bins = gufunc->bins;
    s->targets = gufunc->own[0];
    of_calls(s, ufc_call_threads(s->kind, gufunc, s->block) / gufunc->across, 1);
    s->threads *= gufunc->across;
}

/* The threads of a block have an iteration each of loops that follow one another. */
static void of_following(struct schedule *s) {
    const struct ufc_overload *o = s->body->it->overload;
    for (uint32_t i = 0; i < o->nloops && follows_alone(o); i++)
        if (ufc_lag(&o->loops[i]) > 0)
            s->each[i] = ceil(s->each[i] / (double)s->block);
}

/* The threads of a block that compute terms have iterations of series, those of the innermost loops
 * first; so have the threads of DEAL those of its phase. */
static void of_series(struct schedule *s) {
    const struct ufc_overload *o = s->body->it->overload;
    bool deals = s->kind == UFC_KERNEL_DEAL;
    double all = deals ? (double)s->block * s->together
                       : ((double)s->block - o->adders * (double)WARP_THREADS) / s->lot;
    double left = all;
    int last = -1;
    struct lanes shared = s->lanes[0]; /* of a loop that threads share beside */
    for (int i = 0; !deals && i < 3; i++)
        s->lanes[i] = (struct lanes){.n = 0};
    if (!deals && s->across)
        add_lanes(s, 0, -1, s->lot, 1);
    for (uint32_t i = o->nloops; i-- > 0;) {
        if (!(deals ? o->loops[i].flags & UFC_LOOP_DEAL : is_of_series(o, i)) ||
            !in_phase(s, o->loops[i].phase))
            continue;
        left = o->loops[i].parent >= 0 && last == (int)i + 1 && o->loops[last].parent == (int)i
                   ? left
                   : all;
        double n = schedule_size(s->body, (int)i), taken = at_most(n, left);
        s->each[i] = ceil(n / taken);
        s->apart[i] = at_most(n, s->each[i] * taken);
        left = at_least(1, left / taken);
        if (last < 0)
            add_lanes(s, -1, (int)i, taken, 1);
        last = (int)i;
    }
    if (!deals && !s->across && s->lot > 1)
        add_lanes(s, 0, -1, s->lot, 1);
    for (int i = 0; !deals && i < 3 && shared.loop >= 0; i++)
        if (s->lanes[i].n == 0) { /* no access is in both loops */
            s->lanes[i] = shared;
            break;
        }
}

/* The threads that share the reductions of a point in a kernel of blocks. */
static int64_t mates_of(enum ufc_kernel_kind kind, const struct ufc_kparam_gufunc *gufunc) {
    bool shares =
        kind == UFC_KERNEL_BLOCK || kind == UFC_KERNEL_RESIDENT || kind == UFC_KERNEL_CLUSTER;
    if (kind == UFC_KERNEL_PANEL) /* as many as there are points for */
        return PANEL_MATES;
    return shares && gufunc->group > 1 ? gufunc->group : 1;
}

void schedule_launch(struct schedule *s, const struct kernel_launch *launch) {
    const struct ufc_kparam_gufunc *gufunc = launch->param;
    enum ufc_sharing by = kernel_info[s->kind].sharing;
    for (uint32_t i = 0; i < s->body->it->overload->nloops; i++)
        s->each[i] = s->apart[i] = schedule_size(s->body, (int)i);
    s->calls = s->body->it->core ? gufunc->calls : s->body->it->total;
    for (uint32_t i = 0; i < s->body->it->overload->nloops; i++)
        if (s->body->it->overload->loops[i].flags & UFC_LOOP_MAY_END && s->body->size[i] > 1)
            s->each[i] = s->apart[i] = (double)s->body->size[i] * .75; /* a warp goes on until
 its last thread ends */
    s->inputs = s->body->it->core ? gufunc->inputs : 0;
    s->together = s->body->it->core && by == UFC_BY_BLOCK ? gufunc->blocks : 1;
    s->lot = s->kind == UFC_KERNEL_SERIES ? gufunc->group : 1;
    s->across = s->kind == UFC_KERNEL_SERIES && gufunc->across > 0;
    s->adders = ufc_is_warp(s->kind) && s->body->it->overload->state ? gufunc->group : 0;
    if (s->kind == UFC_KERNEL_NEST)
        of_nest(s, launch);
    else if (s->kind == UFC_KERNEL_WINDOW)
        of_window(s, gufunc->across);
    else if (by == UFC_BY_TILE)
        of_tiles(s, gufunc, gufunc->phase);
    else if (s->kind == UFC_KERNEL_SCATTER)
        of_scatter(s, gufunc);
    else if (s->kind == UFC_KERNEL_STRIP)
        of_strip(s);
    else if (s->kind == UFC_KERNEL_COLUMNS)
        of_columns(s, gufunc);
    else if (s->kind == UFC_KERNEL_PREFIX) {
        s->phase = (int)gufunc->phase;
        of_calls(s, ufc_call_threads(s->kind, gufunc, s->block), 1);
    } else if (s->body->it->core && by == UFC_BY_BLOCK)
        of_calls(s, ufc_call_threads(s->kind, gufunc, s->block), mates_of(s->kind, gufunc));
    else
        of_calls(s, by == UFC_BY_WARP ? gufunc->group : 1, 1);
    if (s->kind == UFC_KERNEL_HELPED)
        s->helpers = gufunc->group;
    if (s->kind == UFC_KERNEL_RESIDENT || s->kind == UFC_KERNEL_FOLLOW)
        of_following(s);
    if (s->kind == UFC_KERNEL_DEAL) {
        s->phase = (int)gufunc->phase;
        s->dealing = deal_clocks(s, gufunc);
    }
    if (s->kind == UFC_KERNEL_SERIES || s->kind == UFC_KERNEL_DEAL)
        of_series(s);
    if (s->kind == UFC_KERNEL_HALO)
        schedule_halo(s, gufunc);
    if (s->kind == UFC_KERNEL_PANEL)
        schedule_panels(s, gufunc);
}
