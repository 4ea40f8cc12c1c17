/* nest_steps.c: the points of a phase of NEST that a thread takes one after the other, or side by
 * side. */
#include <string.h>

#include "nest.h"

int64_t patch_side(int64_t n, int64_t least, int64_t most) {
    int64_t side = smaller_of(most, power_from(n));
    while (side > least && (n + side - 1) / side * side > n + n / 4)
        side /= 2;
    return side;
}

/* Splits the first index, the only range, along which a thread of a patch takes points a side of
 * the patch apart: into the side and the patches. */
static void split_first(struct nest_phase *p) {
    struct index x = p->index[0];
    memmove(&p->index[2], &p->index[1], (size_t)(p->n - 1) * sizeof x);
    p->apart = patch_side((x.size + p->steps - 1) / p->steps, p->lanes, NEST_PATCH_SIDE);
    p->index[0].size = p->apart;
    p->index[1] = x;
    p->index[1].position = p->apart * p->steps;
    p->index[1].size = (x.size + p->index[1].position - 1) / p->index[1].position;
    p->n++;
    p->split = true;
}

/* Are points so light that a thread may have more of them than the few of a fixed range? */
static bool are_light(const struct nest_phase *p) {
    return p->phase->reductions == 0 && !have_order(p);
}

int whole_range(const struct nest_phase *p) {
    int64_t most = are_light(p) ? NEST_PART : NEST_WHOLE;
    for (int i = 0; i < p->n && p->phase->walks < UFC_WALKS_SINGLY; i++) {
        const struct index *x = &p->index[i];
        if (x->range != (int)p->phase->ranges - 1)
            continue;
        const struct ufc_program *size = &p->it->overload->loops[x->in.loop].size;
        bool fixed = size->nterms == 1 && size->terms[0].op == UFC_TERM_NUMBER;
        bool takes =
            fixed && x->size > 1 && x->size <= most && p->points / x->size >= NEST_THREADS / 4;
        return takes ? i : -1;
    }
    return -1;
}

/* Has a thread take all points of such a range.  False: there is none. */
static bool takes_whole(struct nest_phase *p) {
    int i = whole_range(p);
    if (i < 0)
        return false;
    struct index *x = &p->index[i];
    p->walked = i;
    p->steps = x->steps = x->position = x->size;
    return true;
}

/* Has a thread take neighbours of short rows that have no gaps between, from row to row, at an even
 * number of places that have the same columns. */
static bool takes_flat(struct nest_phase *p) {
    const struct ufc_phase *phase = p->phase;
    struct index *x = &p->index[0], *outer = &p->index[1];
    int last = (int)phase->ranges - 1;
    if (phase->flat == 0 || p->n < 2 || x->range != last || outer->range != last - 1 ||
        x->size >= NEST_FLAT || p->points / phase->neighbours < NEST_THREADS / 2 ||
        !are_flat(p->it, p->number, x->size))
        return false;
    int64_t rows = ufc_flat_rows(x->size, phase->neighbours);
    p->neighbours = UFC_FLAT;
    x->size *= rows;
    x->steps = x->position = phase->neighbours;
    p->walked = 1;
    p->steps = p->points / phase->neighbours < 8 * NEST_THREADS ? 2 : NEST_ROWS;
    outer->position = rows;
    outer->steps = rows * p->steps;
    p->apart = rows * numbered_along(outer);
    return true;
}

/* Has a thread take parts of a short last range, along which elements are neighbours that are
 * accessed one by one, so that several are under way.  False: it is not short. */
static bool takes_parts(struct nest_phase *p) {
    struct index *x = &p->index[0];
    if (p->n == 0 || x->range != (int)p->phase->ranges - 1 || x->size >= NEST_NEIGHBOURS ||
        !are_light(p))
        return false;
    int64_t parts = (x->size + NEST_PART - 1) / NEST_PART;
    int64_t steps = (x->size + parts - 1) / parts;
    if (steps <= 1 || p->points / steps < NEST_THREADS / 4)
        return false;
    p->walked = 0;
    p->steps = x->steps = x->position = steps;
    return true;
}

/* The points of the indices that are faster than index i. */
static int64_t faster_points(const struct nest_phase *p, int i) {
    int64_t n = 1;
    while (i-- > 0)
        n *= p->index[i].size;
    return n;
}

/* Has a thread take neighbouring points along the last range, and these at several places, along
 * the range before it or the only one, where threads remain that fill the GPU.  False: not all
 * elements are neighbours. */
static bool takes_neighbours(struct nest_phase *p) {
    const struct ufc_phase *phase = p->phase;
    int ranges = (int)phase->ranges;
    struct index *x = &p->index[0];
    if (phase->neighbours == 0 || p->n == 0 || x->range != ranges - 1 ||
        x->size < phase->neighbours * (phase->lead > 0 ? 2 : 1) || !are_beside(p->it, p->number))
        return false;
    p->neighbours = UFC_BESIDE;
    x->size += phase->lead;
    x->steps = x->position = phase->neighbours;
    int64_t most = smaller_of(NEST_ROWS, p->points / phase->neighbours / (2 * NEST_THREADS));
    most = most < 1 || (ranges > 1 && numbered_along(x) == 1) ? 1 : most;
    int walk = ranges > 1 ? ranges - 2 : 0;
    for (int i = 0; i < p->n && p->walked < 0; i++)
        if (p->index[i].range == walk)
            p->walked = i;
    struct index *walked = &p->index[p->walked];
    /* Places along the only range are as far apart as threads that read a line together. */
    int64_t places = numbered_along(walked) / (walked == x ? NEST_ROW_LANES : 1);
    p->steps = places > 1 ? smaller_of(most, places) : 1;
    walked->steps *= p->steps;
    if (walked == x)
        p->apart = numbered_along(walked) * x->position;
    else
        walked->position = p->steps;
    return true;
}

void choose_steps(struct nest_phase *p) {
    int64_t most = p->patched ? p->lanes : NEST_STEPS;
    int64_t neighbours = p->patched ? p->lanes : NEST_NEIGHBOURS;
    int64_t steps = smaller_of(most, p->points / (p->patched ? NEST_THREADS / 2 : NEST_THREADS));
    int last = (int)p->phase->ranges - 1;
    if (!p->patched && (takes_neighbours(p) || takes_flat(p) || takes_whole(p) || takes_parts(p)))
        return;
    for (int i = 0; i < p->n; i++)
        if (p->index[i].range >= 0 && p->index[i].range >= last - 1 && p->index[i].size > 1 &&
            (p->walked <= 0 || faster_points(p, p->walked) < neighbours))
            p->walked = i;
    bool across = p->walked == 0, splits = across && p->patched;
    if (p->walked < 0 || steps <= 1 || (splits && (last > 0 || p->n == UFC_MAX_AXES)))
        return;
    struct index *x = &p->index[p->walked];
    steps = smaller_of(steps, across && !splits ? x->size / NEST_NEIGHBOURS : x->size);
    steps = smaller_of(steps, across && last > 0 ? NEST_PART : steps);
    if (steps <= 1 || (!across && faster_points(p, p->walked) < neighbours))
        return;
    p->steps = steps;
    if (splits) {
        split_first(p);
        return;
    }
    /* The only range is walked in steps of all threads where it is the fastest index, so that
     * neighbouring threads stay neighbours.  Kernels take points of another one in a row. */
    bool only = across && last == 0;
    x->steps = p->steps;
    x->position = only ? 1 : p->steps;
    p->apart = only ? (x->size + p->steps - 1) / p->steps : 1;
}

/* The index that is a range of the definition; NULL: none is. */
static struct index *index_of(struct nest_phase *p, uint32_t range) {
    struct index *x = p->index;
    while (x < p->index + p->n && x->range != (int)range)
        x++;
    return x < p->index + p->n ? x : NULL;
}

/* Puts the microtiles along the range that has the fewest before others, as those of a few rows:
 * what they share is read by neighbours, or at about the same time. */
static void put_fewest_first(struct nest_phase *p) {
    int best = -1;
    for (int i = 0; i < p->n; i++)
        if (p->index[i].steps > 1 &&
            (best < 0 || numbered_along(&p->index[i]) < numbered_along(&p->index[best])))
            best = i;
    const struct index first = p->index[best];
    memmove(&p->index[1], &p->index[0], (size_t)best * sizeof first);
    p->index[0] = first;
}

bool choose_microtile(struct nest_phase *p, int last, bool along) {
    const struct ufc_phase *phase = p->phase;
    int64_t apart[] = {1, 1};
    if (phase->micro[0] == 0 || (last < 0 && (along || phase->reductions)) || !has_sizes(p))
        return false;
    for (int i = 0; i < 2; i++) {
        struct index *x = index_of(p, phase->micro_range[i]);
        if (x == NULL || 2 * x->size < phase->micro[i])
            return false;
        x->steps = x->position = phase->micro[i];
        if (x != p->index || along)
            continue;
        /* Neighbouring threads stay neighbours along the fastest index. */
        x->position = 1;
        apart[i] = numbered_along(x);
    }
    if (along)
        put_fewest_first(p);
    int64_t parts = p->reduced / NEST_LEAST;
    p->abreast = UFC_MICROTILE;
    p->crossed = false;
    p->along = along;
    p->apart = apart[0];
    p->aside = apart[1];
    return numbered(p) * (parts > 1 ? parts : 1) >= NEST_FEWER;
}

bool choose_ordered(struct nest_phase *p) {
    const struct ufc_phase *phase = p->phase;
    struct index *x = index_of(p, phase->abreast_range);
    if (phase->reductions || phase->abreast == 0 || x == NULL || 2 * x->size <= phase->abreast ||
        !has_sizes(p) || (phase->slides > 0 && x->size < phase->abreast))
        return false;
    bool neighbours = phase->slides > 0 || x != p->index;
    p->abreast = UFC_ABREAST;
    x->steps = phase->abreast;
    x->position = neighbours ? x->steps : 1;
    p->apart = neighbours ? 1 : numbered_along(x);
    return numbered(p) >= NEST_FEWER;
}
