/* nest_parts.c: among how many threads of a block, and blocks, NEST shares the reductions of a
 * phase. */
#include "constants.h"
#include "model.h"
#include "schedule.h"
#include "spread.h"

enum { LINE_THREADS = 8 }; /* that read a line of memory, 16 bytes each */

/* The threads, parts * blocks of each point, that a reduction is worth: many where each has much to
 * do. */
static int64_t wanted_threads(const struct nest_phase *p, int64_t parts) {
    int64_t each = p->reduced / parts;
    if (p->abreast == UFC_MICROTILE || (p->abreast && p->phase->slides > 0))
        return each >= NEST_MUCH ? NEST_THREADS : each >= SLIDE_LEAST ? NEST_THREADS / 2 : 0;
    return each >= NEST_MUCH ? 4 * NEST_THREADS : each * p->inner >= NEST_LEAST ? NEST_THREADS : 0;
}

static ufc_status launch_alone(struct launcher *l, const void *phase, ufc_error *err) {
    const struct call_results none = {.first = 0};
    return launch_phase(l, phase, &none, 0, 0, err);
}

double forecast_phase(const struct nest_phase *p, uint32_t blocks) {
    struct nest_phase shared = *p;
    shared.blocks = blocks;
    return model_forecast(p->it, launch_alone, &shared);
}

bool has_sizes(const struct nest_phase *p) {
    const struct ufc_overload *o = p->it->overload;
    for (uint32_t i = 0; i < o->nloops; i++)
        if (o->loops[i].phase == p->number && o->loops[i].size.nterms == 0)
            return false;
    return true;
}

/* Has half of the blocks share a reduction, each of which then joins more of a thread's elements,
 * as long as they fill the GPU and the forecast, which it returns, is better.  Points that are as
 * many as threads of each read the same elements, and what these compute is not to wait for the
 * last blocks; threads that have neighbouring points at once have registers for a quarter of them.
 */
static double share_among_fewer(struct nest_phase *p, int64_t points, int64_t parts) {
    int64_t least = p->abreast == UFC_ABREAST ? NEST_THREADS / 4 : NEST_THREADS;
    double time = forecast_phase(p, p->blocks);
    while (p->blocks > 2 && points < parts * p->blocks / 2 &&
           points * parts * p->blocks / 2 >= least) {
        double less = forecast_phase(p, p->blocks / 2);
        if (less >= time)
            break;
        p->blocks /= 2;
        time = less;
    }
    return time;
}

/* Shares a reduction among as many threads of a block, `parts` at least, and blocks as it is worth.
 */
static void share_points(struct nest_phase *p, int64_t parts, int64_t room) {
    int64_t points = numbered(p), blocks = 1;
    while (parts < room && points * parts < wanted_threads(p, parts * 2))
        parts *= 2;
    p->parts = (uint32_t)parts;
    p->block_points = BLOCK_THREADS / p->parts;
    while (p->phase->bytes > 0 && points * parts * blocks < wanted_threads(p, parts * blocks * 2))
        blocks *= 2;
    p->blocks = (uint32_t)blocks;
    if (blocks == 1 || !has_sizes(p))
        return;
    double time = share_among_fewer(p, points, parts);
    if (forecast_phase(p, 1) < NEST_UNSPLIT * .01 * time)
        p->blocks = 1;
}

/* Threads that only loops within the reduction's elements are worth are as the forecast has it:
 * where points nearly fill the GPU, to join parts takes longer than these threads save. */
static void share_forecast(struct nest_phase *p, int64_t parts, int64_t room) {
    struct nest_phase fewer = *p;
    fewer.inner = 1;
    share_points(p, parts, room);
    if (p->inner == 1)
        return;
    share_points(&fewer, parts, room);
    bool same = fewer.parts == p->parts && fewer.blocks == p->blocks;
    if (!same && has_sizes(p) &&
        forecast_phase(&fewer, fewer.blocks) < forecast_phase(p, p->blocks)) {
        fewer.inner = p->inner;
        *p = fewer;
    }
}

/* Are reductions all that a phase's points have?  How long threads wait in ordered loops depends on
 * more than the forecasts know. */
static bool only_reduces(const struct nest_phase *p) {
    const struct ufc_overload *o = p->it->overload;
    for (uint32_t i = 0; i < o->nloops; i++)
        if (o->loops[i].phase == p->number && o->loops[i].kind == UFC_LOOP_SERIAL)
            return false;
    return true;
}

/* Has half of the threads of a point share its reduction, whose last range is `last`, as long as
 * all threads still fill the GPU, those of a point read a line of memory together, or all of a
 * shorter row, and the forecast is better: each thread has its points to find and joins what it
 * has, which may take longer than its part of a short reduction. */
static void share_less(struct nest_phase *p, int last) {
    bool may = p->along && p->blocks == 1 && has_sizes(p) && only_reduces(p);
    double time = may && p->parts > 1 ? forecast_phase(p, 1) : 0;
    int64_t least =
        may ? smaller_of(LINE_THREADS, power_from((loop_size(p->it, last) + 3) / 4)) : 1;
    bool rows = p->abreast == UFC_MICROTILE && p->phase->micro_vectors &&
                numbered_along(&p->index[0]) == 1;            /* few: others share no element */
    int64_t threads = rows ? NEST_THREADS / 4 : NEST_THREADS; /* that have as much under way */
    while (may && p->parts > least && numbered(p) * p->parts / 2 >= threads) {
        struct nest_phase fewer = *p;
        fewer.parts /= 2;
        fewer.block_points *= 2;
        double less = forecast_phase(&fewer, 1);
        if (less >= NEST_LESS * .01 * time)
            return;
        *p = fewer;
        time = less;
    }
}

/* Has more threads of a warp share the points' short reductions, down to two elements each, as long
 * as the forecast is better: they read fewer lines of memory at once. */
static void share_more(struct nest_phase *p) {
    bool may = p->along && p->blocks == 1 && p->inner == 1 && !p->abreast && has_sizes(p) &&
               only_reduces(p);
    double time = may && p->parts > 1 ? forecast_phase(p, 1) : 0;
    while (may && p->parts > 1 && p->parts < 32 && p->reduced >= 4 * (int64_t)p->parts) {
        struct nest_phase more = *p;
        more.parts *= 2;
        more.block_points /= 2;
        double less = forecast_phase(&more, 1);
        if (less >= NEST_LESS * .01 * time)
            return;
        *p = more;
        time = less;
    }
}

void share_reductions(struct nest_phase *p, int last) {
    int64_t parts = 1, room = BLOCK_THREADS;
    if (p->crossed)
        room /= UFC_SQUARE;
    else if (!p->along)
        room /= smaller_of(NEST_ACROSS, power_from(numbered(p)));
    while (p->crossed && parts < room && parts * 2 <= p->reduced)
        parts *= 2;
    int64_t least = p->abreast && p->phase->slides > 0 ? SLIDE_LEAST : NEST_LEAST;
    while (p->along && parts < 32 && p->reduced / (parts * 2) >= least)
        parts *= 2;
    share_forecast(p, parts, room);
    share_less(p, last);
    share_more(p);
}

bool joins_by_lanes(const struct nest_phase *p, uint32_t threads) {
    enum { SECTOR = 32 }; /* bytes of memory that are loaded at once */
    return threads == BLOCK_THREADS ||
           (threads >= WARP_THREADS &&
            p->phase->bytes * (p->abreast ? p->phase->abreast : 1) >= SECTOR);
}

/* Have points of a phase series, which lanes may add up? */
static bool has_series(const struct ufc_overload *o, uint32_t phase) {
    for (uint32_t i = 0; i < o->nloops; i++)
        if (o->loops[i].phase == phase && o->loops[i].flags & UFC_LOOP_SERIES)
            return o->series > 0 && o->phase[phase].ranges > 0;
    return false;
}

bool has_series_lanes(const struct ufc_overload *o, const struct ufc_kparam_nest *nest,
                      uint32_t phase) {
    return nest->part_mask > 0 && has_series(o, phase);
}

/* The loop of a phase's series. */
static int series_loop(const struct nest_phase *p) {
    const struct ufc_overload *o = p->it->overload;
    int i = 0;
    while (o->loops[i].phase != p->number || !(o->loops[i].flags & UFC_LOOP_SERIES))
        i++;
    return i;
}

/* Points of a series for `parts` threads each, neighbours if they are `along` it. */
static struct nest_phase of_lanes(const struct nest_phase *plain, uint32_t parts, bool along) {
    struct nest_phase p = *plain;
    p.along = along;
    p.parts = parts;
    p.block_points = along ? BLOCK_THREADS / parts : WARP_THREADS / parts;
    while (p.block_points * parts > WARP_THREADS && p.points < p.block_points * NEST_SPREAD)
        p.block_points /= 2;
    return p;
}

void take_series(struct nest_phase *p, const struct nest_phase *plain) {
    const struct ufc_overload *o = p->it->overload;
    if (!has_series(o, p->number) || p->points > NEST_THREADS || p->points >= INT32_MAX / 2)
        return;
    double apart = moved_along(p->it, p->number, (struct loop_index){-1, series_loop(p)});
    /* of a version with SERIES they are that kernel's */
    bool few = !o->kernel[UFC_KERNEL_SERIES] && o->adders >= SERIES_POINTS;
    bool near = p->n > 0 && p->index[0].apart < apart;
    bool some = few && p->points >= NEST_FEWER / SERIES_POINT_THREADS; /* fewer warps would wait */
    struct nest_phase choice[2];
    int n = 0;
    if (some)
        choice[n++] = of_lanes(plain, WARP_THREADS / SERIES_POINTS, !near);
    if (!(some && near) && p->points <= NEST_THREADS / SERIES_POINT_THREADS)
        choice[n++] = of_lanes(plain, WARP_THREADS, true);
    double least = n > 0 ? forecast_phase(p, 1) : 0;
    for (int i = 0; i < n; i++) {
        double time = forecast_phase(&choice[i], 1);
        if (time < least) {
            *p = choice[i];
            least = time;
        }
    }
}

void choose_squares(struct nest_phase *p, int last) {
    int64_t rows = loop_size(p->it, p->it->overload->loops[last].parent);
    int64_t columns = loop_size(p->it, last), threads = (int64_t)p->parts * p->blocks;
    int64_t side = NEST_PATCH_SIDE;
    if (rows < 0 || columns < 0 || threads < UFC_SQUARE * UFC_SQUARE)
        return;
    while (side > UFC_SQUARE && (side * UFC_SQUARE > threads || side / 2 >= columns))
        side /= 2;
    while (threads / side > rows && threads / side > UFC_SQUARE && side < columns)
        side *= 2;
    p->across = log2_of((uint32_t)side);
}
