/* traffic.c: what the accesses of a launch move, by their strides and extents. */
#include <math.h>
#include <stdlib.h>

#include "apart.h"
#include "recorder.h"
#include "traffic.h"

static const double l1_bytes = 128 << 10; /* of the L1 cache, beside shared memory */

double times(const struct schedule *s, uint64_t loops) {
    double n = 1;
    for (int k = innermost(loops); k >= 0; k = s->body->it->overload->loops[k].parent)
        n *= s->each[k];
    return n;
}

/* How often a thread accesses an element: once for all points that it has at once, as neighbours or
 * not, and for all places that it walks along, where it does not depend on them. */
static double times_accessed(const struct schedule *s, const struct ufc_access *a) {
    double n = 1;
    for (int k = innermost(a->loops); k >= 0; k = s->body->it->overload->loops[k].parent)
        if (a->loops >> k & 1 || !((s->abreast | s->walked) >> k & 1))
            n *= s->each[k];
    return n;
}

int64_t stride_of(const struct schedule *s, const struct ufc_access *a, int loop) {
    return llabs(loop_stride(s->body->it, a, loop));
}

static bool takes_steps(const struct ufc_access *a, int subscript) {
    bool steps = false;
    for (int i = 0; i < a->nsteps; i++)
        steps = steps || a->steps[i].subscript == subscript;
    return steps;
}

/* Is a subscript read from memory? */
static bool is_data(const struct ufc_access *a, int subscript) {
    return !takes_steps(a, subscript) && (a->irregular & ~a->near) >> subscript & 1;
}

/* Does the loop step through another subscript? */
static bool steps_elsewhere(const struct ufc_access *a, int loop, int subscript) {
    int own = ufc_subscript_along(a, loop);
    return own >= 0 && own != subscript;
}

/* Does each of an access's loops move an irregular subscript evenly, by sizes, or another one? */
static bool grows_by_sizes(const struct ufc_access *a, int subscript) {
    uint64_t loops = 0;
    for (int i = 0; i < a->nsteps; i++)
        loops |= UINT64_C(1) << a->steps[i].loop;
    return a->irregular >> subscript & 1 && takes_steps(a, subscript) && loops == a->loops;
}

/* Elements of an array's dimension between the first and the last that are accessed, where loops
 * have so many iterations. */
static double extent(const struct schedule *s, const struct ufc_access *a, int subscript,
                     double size, double apart, bool block) {
    double n = 1, product = 1, least = INFINITY; /* of the steps */
    for (int i = 0; i < a->nsteps; i++)
        if (a->steps[i].subscript == subscript) {
            int loop = a->steps[i].loop;
            double step = fabs((double)step_elements(s->body->it, &a->steps[i]));
            n += step * ((block ? s->apart[loop] : schedule_size(s->body, loop)) - 1);
            least = at_most(least, step);
        }
    for (uint64_t rest = a->loops; rest != 0; rest &= rest - 1)
        if (!steps_elsewhere(a, __builtin_ctzll(rest), subscript))
            product *= block ? s->apart[__builtin_ctzll(rest)]
                             : schedule_size(s->body, __builtin_ctzll(rest));
    if (is_data(a, subscript)) { /* some sectors are accessed several times, others not at all */
        double sectors = size / at_least(1, SECTOR / at_least(apart, 1));
        return size * (1 - exp(-product / sectors));
    }
    if (a->irregular >> subscript & 1)
        n = grows_by_sizes(a, subscript) ? at_most(n, product * least) : product;
    return at_most(n, size);
}

/* Is a loop the innermost one of its kind that an access depends on? */
static bool is_innermost(const struct schedule *s, const struct ufc_access *a, int loop) {
    const struct ufc_loop *loops = s->body->it->overload->loops;
    uint64_t inner = a->loops >> loop >> 1;
    for (int k = loop + 1; inner != 0; k++, inner >>= 1)
        if (inner & 1 && loops[k].kind == loops[loop].kind)
            return false;
    return true;
}

/* Bytes from one iteration of a loop to the next where a subscript does not grow evenly: a line's
 * where memory has it; else the innermost loop of points moves the subscript whose neighbours are
 * nearest, whatever loops at a point move. */
static double uneven_stride(const struct schedule *s, const struct ufc_access *a, int loop) {
    const struct iteration *it = s->body->it;
    const int64_t *stride = it->core->stride + first_dimension(it, a);
    double least = LINE, most = 0;
    for (int i = 0; i < it->ufunc->core->rank[a->operand]; i++)
        if (a->near >> i & 1) {
            least = at_most(least, (double)llabs(stride[i]));
            most = at_least(most, (double)llabs(stride[i]));
        }
    return is_innermost(s, a, loop) || most == 0 ? least : most;
}

/* The parts of a warp's accesses that are `unit` bytes or fewer apart. */
static double parts_of(const struct schedule *s, const struct ufc_access *a, double unit) {
    double parts = 1, span = dtype_info[s->body->it->dtype[a->operand]].size;
    for (int i = 0; i < 3 && s->lanes[i].n > 0; i++) {
        const struct lanes *l = &s->lanes[i];
        double stride = l->axis >= 0 ? (double)llabs(s->body->it->stride[a->operand][l->axis])
                                     : (double)stride_of(s, a, l->loop);
        if (stride == 0 && l->loop >= 0 && a->irregular && a->loops >> l->loop & 1)
            stride = uneven_stride(s, a, l->loop);
        stride *= l->step;
        if (stride == 0)
            continue;
        if (stride < unit || stride <= span)
            span += stride * (l->n - 1);
        else
            parts *= l->n;
    }
    return at_most(WARP_THREADS, parts * ceil(span / unit));
}

/* Does another loop move the access along the same subscript, so that vectors do not begin where
 * memory's do? */
static bool is_shifted(const struct ufc_access *a, int loop) {
    int own = ufc_subscript_along(a, loop);
    for (int i = 0; i < a->nsteps; i++)
        if (a->steps[i].subscript == own && a->steps[i].loop != loop && a->steps[i].sizes == 0 &&
            a->steps[i].factor % 4 != 0)
            return true;
    return false;
}

/* The loop at whose points a reduction is, which then takes its elements one by one unless they are
 * known to be few, if that is another reduction; -1: it is none. */
static int reduction_around(const struct ufc_overload *o, int loop) {
    const struct ufc_program *size = &o->loops[loop].size;
    if (size->nterms == 1 && size->terms[0].op == UFC_TERM_NUMBER)
        return -1;
    while (o->loops[loop].flags & UFC_LOOP_FURTHER)
        loop = o->loops[loop].parent;
    int parent = o->loops[loop].kind == UFC_LOOP_REDUCTION ? o->loops[loop].parent : -1;
    return parent >= 0 && o->loops[parent].kind == UFC_LOOP_REDUCTION ? parent : -1;
}

/* How many points of the reduction around one load an element together. */
static double together(const struct schedule *s, const struct ufc_access *a, int around) {
    return a->loops >> around & 1 ? 1 : at_most(ABREAST_POINTS, s->each[around]);
}

/* Neighbouring elements of a reduction, or of a row, that a thread takes at once. */
static double neighbours(const struct schedule *s, const struct ufc_access *a, double element) {
    int loop = innermost(a->loops);
    bool parallel = loop >= 0 && s->body->it->overload->loops[loop].kind != UFC_LOOP_SERIAL;
    bool beside = parallel && s->each[loop] > 1 && (double)stride_of(s, a, loop) == element &&
                  !(s->body->it->overload->loops[loop].flags & UFC_LOOP_MAY_END);
    int around = beside ? reduction_around(s->body->it->overload, loop) : -1;
    if (around >= 0)
        return together(s, a, around);
    return beside ? at_most(at_least(16 / element, 1), s->each[loop]) : 1;
}

/* The bytes that the first elements of rows are aligned to. */
static double alignment(const struct iteration *it, const struct ufc_access *a, double element) {
    const int64_t *stride = it->core->stride + first_dimension(it, a);
    int64_t all = 16;
    for (int axis = 0; axis < it->naxes; axis++)
        all |= it->stride[a->operand][axis];
    for (int i = 0; i < it->ufunc->core->rank[a->operand]; i++)
        all |= (double)stride[i] != element ? stride[i] : 0;
    return (double)ufc_vector_alignment(all);
}

/* How many of a thread's points at once read an element that slides, on average; 1: it does not. */
static double sharing_points(const struct schedule *s, const struct ufc_access *a) {
    if (!(a->loops & s->sliding))
        return 1;
    int loop = __builtin_ctzll(s->sliding);
    double points = s->each[loop], turn = s->body->it->overload->phase[s->phase].slides;
    return is_shifted(a, loop) ? points * turn / (points + turn) : 1;
}

/* Are the elements at a thread's neighbouring points, rows of a fixed length, side by side? */
static bool are_rows_beside(const struct schedule *s, const struct ufc_access *a) {
    const struct ufc_overload *o = s->body->it->overload;
    return s->walked & a->loops && s->phase >= 0 && o->phase[s->phase].beside >> a->operand & 1;
}

/* Are subscripts read from memory? */
static bool finds_place(const struct schedule *s, const struct ufc_access *a) {
    bool any = false;
    for (int i = 0; i < s->body->it->ufunc->core->rank[a->operand]; i++)
        any = any || is_data(a, i);
    return any;
}

/* Are the rows that a loop within a term of a series reads aligned, without gaps?  Its
 * vectors are of up to 16 bytes. */
static bool has_term_rows(const struct schedule *s, int loop) {
    const struct ufc_overload *o = s->body->it->overload;
    bool all = true;
    for (uint32_t i = 0; i < o->naccesses; i++) {
        const struct ufc_access *a = &o->accesses[i];
        double element = dtype_info[s->body->it->dtype[a->operand]].size;
        if (innermost(a->loops) != loop || finds_place(s, a))
            continue;
        double vector = at_most(16, o->loops[loop].lot * a->distinct * element);
        all = all && (double)stride_of(s, a, loop) == a->distinct * element && a->distinct <= 4 &&
              !is_shifted(a, loop) && alignment(s->body->it, a, element) >= vector;
    }
    return all;
}

/* The elements of a thread that one instruction moves of a row in a loop within the terms of a
 * series, on average: those of whole lots come in vectors; 1: it is none. */
static double term_width(const struct schedule *s, const struct ufc_access *a, double element) {
    const struct ufc_overload *o = s->body->it->overload;
    int loop = innermost(a->loops), around = loop;
    bool lanes = s->kind == UFC_KERNEL_SERIES || (s->kind == UFC_KERNEL_NEST && s->adders > 0);
    double lot = loop >= 0 ? o->loops[loop].lot : 0;
    while (around >= 0 && !(o->loops[around].flags & UFC_LOOP_SERIES))
        around = o->loops[around].parent;
    if (!lanes || lot == 0 || around < 0 || around == loop || s->each[loop] < lot ||
        finds_place(s, a) || !has_term_rows(s, loop))
        return 1;
    double whole = floor(s->each[loop] / lot) * lot / s->each[loop];
    return 1 / (1 - whole + whole * element / at_most(16, lot * a->distinct * element));
}

/* The neighbours along a reduction that a thread takes of all points that it has at once: what 16
 * bytes have of the widest elements, if all rows have neighbours, and are aligned. */
static double elements_abreast(const struct schedule *s, int loop) {
    const struct ufc_overload *o = s->body->it->overload;
    double widest = 1, least = 16;
    bool beside = s->wide && loop >= 0 && o->loops[loop].kind == UFC_LOOP_REDUCTION;
    for (uint32_t i = 0; i < o->naccesses; i++) {
        const struct ufc_access *a = &o->accesses[i];
        if (a->stored || innermost(a->loops) != loop || !in_phase(s, a->phase))
            continue;
        double element = dtype_info[s->body->it->dtype[a->operand]].size;
        double stride = (double)stride_of(s, a, loop);
        beside = beside && (stride == element || stride == 0);
        widest = at_least(widest, element);
        least = at_most(least, alignment(s->body->it, a, element) / element);
    }
    double vector = 16 / widest;
    beside = beside && loop >= 0 && s->each[loop] >= vector * UFC_MICRO_VECTORS;
    return beside && least >= vector ? vector : 1;
}

/* Elements of a thread that one instruction moves: a vector, or where elements around each are
 * accessed, as many as neighbours share. */
static double width_of(const struct schedule *s, const struct ufc_access *a, double element) {
    double n = neighbours(s, a, element), count = a->distinct;
    double rows = a->nsteps > 1 ? sqrt(count) : 1, sharing = sharing_points(s, a);
    if (sharing > 1)
        return sharing * at_most(16, alignment(s->body->it, a, element)) / element;
    double of_term = term_width(s, a, element);
    if (of_term > 1)
        return of_term;
    if (n <= 1 && are_rows_beside(s, a))
        return at_least(1, 16 / element);
    int loop = innermost(a->loops);
    bool single = false; /* as sums of elements and those behind are */
    if (s->abreast != 0 && s->sliding == 0)
        n = at_most(n, elements_abreast(s, loop));
    if (loop >= 0 && s->body->it->overload->loops[loop].kind == UFC_LOOP_REDUCTION)
        single = single || (count > 1 && a->nsteps <= 1);
    if (n <= 1 || single || is_shifted(a, innermost(a->loops)))
        return 1;
    if (count > 1)
        return count * n / (count + (n - 1) * rows);
    return at_least(1, at_most(n, alignment(s->body->it, a, element) / element));
}

/* Does a loop that NEST shares move several subscripts, as along a diagonal?  Steps in order come
 * to other elements of the rows, too. */
static bool is_diagonal(const struct schedule *s, const struct ufc_access *a) {
    const struct ufc_loop *loops = s->body->it->overload->loops;
    for (int i = 0; i < a->nsteps; i++)
        for (int k = 0; k < i; k++)
            if (a->steps[i].loop == a->steps[k].loop &&
                a->steps[i].subscript != a->steps[k].subscript &&
                loops[a->steps[i].loop].kind != UFC_LOOP_SERIAL)
                return s->kind == UFC_KERNEL_NEST;
    return false;
}

/* How far apart the nearest elements along a loop are. */
static double nearest_step(const struct schedule *s, const struct ufc_access *a) {
    double nearest = INFINITY;
    for (int i = 0; i < a->nsteps; i++)
        if (schedule_size(s->body, a->steps[i].loop) > 1)
            nearest = at_most(nearest, (double)stride_of(s, a, a->steps[i].loop));
    return nearest;
}

/* Sets the bytes along the loop's axes and, of a call, those of the array, of what a block accesses
 * and of what all do; gives how far apart the nearest of these are. */
static double set_bytes(const struct schedule *s, const struct ufc_access *a, struct moved *m) {
    const struct iteration *it = s->body->it;
    const uint8_t *dim = it->ufunc->core->dim + first_dimension(it, a);
    const int64_t *stride = it->core->stride + first_dimension(it, a);
    double nearest = INFINITY, constant = 1; /* elements where loops take no steps */
    double sectors = m->random ? at_least(1, SECTOR / m->all) : 1; /* of an element */
    for (int axis = 0; axis < it->naxes; axis++)
        if (it->stride[a->operand][axis] != 0) {
            m->block *= s->axis[axis];
            m->all *= (double)it->size[axis];
            m->span *= (double)it->size[axis];
            nearest = at_most(nearest, (double)llabs(it->stride[a->operand][axis]));
        }
    double block = m->block * sectors, all = m->all * sectors;
    for (int i = 0; i < it->ufunc->core->rank[a->operand]; i++) {
        double size = (double)it->core->size[dim[i]], apart = (double)llabs(stride[i]);
        double extent_all = extent(s, a, i, size, apart, false);
        constant *= takes_steps(a, i) || a->irregular >> i & 1 ? 1 : size;
        m->block *= extent(s, a, i, size, apart, true);
        m->all *= extent_all;
        m->span *= size;
        nearest = extent_all > 1 && apart > 0 ? at_most(nearest, apart) : nearest;
    }
    for (uint64_t rest = a->loops; rest != 0; rest &= rest - 1) {
        block *= s->apart[__builtin_ctzll(rest)];
        all *= schedule_size(s->body, __builtin_ctzll(rest));
    }
    for (int i = 0; i < it->ufunc->core->rank[a->operand]; i++)
        if (grows_by_sizes(a, i)) {
            block *= a->distinct;
            all *= a->distinct;
        }
    bool diagonal = !a->irregular && is_diagonal(s, a);
    if (diagonal && a->count == 1)
        nearest = at_least(nearest, nearest_step(s, a));
    if (a->irregular || diagonal) { /* no more elements than there are accesses */
        double count = diagonal ? a->count : 1;
        m->block = at_most(m->block, block * count);
        m->all = at_most(m->all, all * count);
    }
    constant = at_most(constant, a->count);
    m->block *= constant;
    m->all *= constant;
    return nearest / constant;
}

/* Is a loop's size a number in the source? */
static bool has_number(const struct ufc_loop *l) {
    return l->size.nterms == 1 && l->size.terms[0].op == UFC_TERM_NUMBER;
}

bool is_long_within(const struct iteration *it, int loop) {
    int64_t n = loop_size(it, loop);
    return !has_number(&it->overload->loops[loop]) || n > STEP_ELEMENTS;
}

/* Are there loops in a loop?  Those of a number of iterations may be written out. */
static bool is_around(const struct schedule *s, int loop) {
    const struct ufc_overload *o = s->body->it->overload;
    bool any = false;
    for (uint32_t i = 0; i < o->nloops; i++)
        any = any || (o->loops[i].parent == loop && !has_number(&o->loops[i]));
    return any;
}

static bool has_chunks(const struct schedule *s) {
    return s->kind == UFC_KERNEL_THREAD || s->kind == UFC_KERNEL_HELPED;
}

bool begins_again(const struct schedule *s, int loop) {
    const struct ufc_overload *o = s->body->it->overload;
    int parent = loop >= 0 ? o->loops[loop].parent : -1;
    return has_chunks(s) && parent >= 0 && o->loops[loop].kind == UFC_LOOP_SERIAL &&
           o->loops[parent].kind == UFC_LOOP_SERIAL && is_long_within(s->body->it, loop);
}

bool is_staged_in(const struct schedule *s, int loop) {
    bool ends = loop >= 0 &&
                (s->body->it->overload->loops[loop].flags & UFC_LOOP_MAY_END || is_around(s, loop));
    bool alone = s->kind == UFC_KERNEL_HELPED && begins_again(s, loop);
    return is_staged(s->kind) && !(has_chunks(s) && ends) && !alone;
}

double step_bytes(const struct iteration *it, const struct ufc_access *a) {
    int64_t element = (int64_t)dtype_info[it->dtype[a->operand]].size;
    int64_t stride = llabs(loop_stride(it, a, innermost(a->loops))), of = stride / element;
    int64_t least = a->stored ? a->distinct : 2 * a->distinct; /* gaps are loaded, not stored */
    bool beside = stride % element == 0 && of <= STEP_ELEMENTS && stride <= STEP_BYTES;
    if (stride <= element || a->irregular)
        return (double)element;
    return beside && of <= least ? (double)stride : 0;
}

/* Does the loop store to an operand?  What it reads of it is in the same row. */
static bool is_stored_in(const struct ufc_overload *o, int loop, int operand) {
    bool stored = false;
    for (uint32_t i = 0; i < o->naccesses; i++)
        stored = stored || (o->accesses[i].stored && o->accesses[i].operand == operand &&
                            innermost(o->accesses[i].loops) == loop);
    return stored;
}

bool stores_in(const struct schedule *s, int loop) {
    const struct ufc_overload *o = s->body->it->overload;
    bool stores = false;
    for (uint32_t i = 0; i < o->naccesses; i++)
        stores = stores || (o->accesses[i].stored && innermost(o->accesses[i].loops) == loop);
    return stores;
}

double steps_ahead(const struct schedule *s, int loop, double operations) {
    const struct ufc_overload *o = s->body->it->overload;
    double steps = EARLY_STEPS;
    int loads = 0;
    for (uint32_t i = 0; i < o->naccesses; i++)
        loads += !o->accesses[i].stored && innermost(o->accesses[i].loops) == loop;
    if (operations >= EARLY_BODY)
        return 1;
    while (steps > 1 && (steps * loads > EARLY_HELD || steps * operations > EARLY_SIZE))
        steps /= 2;
    return steps;
}

/* Is there room for the rows of a loop's accesses, of the fewest iterations? */
static bool has_room(const struct schedule *s, int loop) {
    const struct ufc_overload *o = s->body->it->overload;
    double bytes[2] = {0}, widest = CHUNK_BYTES / 8, n;
    bool several = false;
    for (uint32_t i = 0; i < o->naccesses; i++) {
        const struct ufc_access *a = &o->accesses[i];
        double element = dtype_info[s->body->it->dtype[a->operand]].size;
        if (innermost(a->loops) != loop || a->irregular ||
            (!a->stored && is_stored_in(o, loop, a->operand)))
            continue;
        double step = at_least(step_bytes(s->body->it, a), element);
        several = several || step > element;
        widest = at_least(widest, element);
        bytes[a->stored] += step;
    }
    n = several ? 2 : CHUNK_BYTES / widest;
    return n * at_least(bytes[0], bytes[1]) <= STAGE_BYTES && n * bytes[0] <= 4 * STAGE_WORDS;
}

/* Does a warp copy what an access of its calls is of, together? */
static bool is_staged_access(const struct schedule *s, const struct ufc_access *a) {
    int loop = innermost(a->loops);
    if (!is_staged_in(s, loop))
        return false;
    return loop < 0 || !has_chunks(s) ||
           s->body->it->overload->loops[loop].kind != UFC_LOOP_SERIAL ||
           (step_bytes(s->body->it, a) > 0 && has_room(s, loop));
}

struct moved moved_by(const struct schedule *s, const struct ufc_access *a) {
    double element = dtype_info[s->body->it->dtype[a->operand]].size;
    struct moved m = {
        .block = element, .all = element, .span = element, .times = times_accessed(s, a)};
    m.random = finds_place(s, a);
    double nearest = set_bytes(s, a, &m);
    if (nearest > element && nearest < INFINITY) {
        m.block *= at_most(nearest, SECTOR) / element;
        m.all *= at_most(nearest, SECTOR) / element;
    }
    m.width = width_of(s, a, element);
    m.lines = parts_of(s, a, LINE);
    m.sectors = parts_of(s, a, SECTOR);
    m.alone = m.sectors < 2 * m.lines;
    if (m.random) /* few of their words are in the same bank of the L1 cache */
        m.lines = at_most(m.lines, WARP_THREADS / 4);
    if (is_staged_access(s, a)) { /* neighbouring calls copy theirs together */
        double step = innermost(a->loops) < 0 ? element : step_bytes(s->body->it, a);
        bool words =
            s->kind == UFC_KERNEL_THREAD || s->kind == UFC_KERNEL_HELPED || ufc_is_small(s->kind);
        m.lines = at_most(m.lines, words ? element : element / 4);
        m.sectors = at_most(m.sectors, has_chunks(s) ? at_least(step, element) : element);
    }
    return m;
}

/* ---- caches */

/* Is a thread's next element in the same sector, mostly? */
static bool stays_near(const struct schedule *s, const struct ufc_access *a) {
    for (uint64_t rest = a->loops; rest != 0; rest &= rest - 1) {
        int loop = __builtin_ctzll(rest);
        int64_t stride = stride_of(s, a, loop);
        if (s->each[loop] > 1 && stride > 0 && stride < SECTOR)
            return true;
    }
    return is_staged_access(s, a);
}

/* Is the access one of a search: of a loop of which nothing is known, at a place that it finds in
 * memory?  Its first steps are to few elements. */
static bool is_search(const struct schedule *s, const struct ufc_access *a) {
    int loop = innermost(a->loops);
    return loop >= 0 && s->body->it->overload->loops[loop].kind == UFC_LOOP_SERIAL &&
           s->body->size[loop] < 0;
}

/* The part of accesses at random places of an array that a cache of so many bytes does not hold. */
static double beyond(const struct schedule *s, const struct ufc_access *a, double all,
                     double cache) {
    if (all <= cache)
        return 0;
    return is_search(s, a) ? log2(all / cache) / log2(all) : 1 - cache / all;
}

/* Elements between a thread's and its neighbour's, which the thread has. */
static double beside(const struct schedule *s, const struct ufc_access *a) {
    double n = 1;
    for (int i = 0; i < 3 && s->lanes[i].n > 0; i++)
        if (s->lanes[i].loop >= 0 && stride_of(s, a, s->lanes[i].loop) != 0)
            n = at_least(n, s->lanes[i].step);
    return n;
}

/* Do threads that load calls of their own, a vector at a time, have more of them than the L1 cache
 * holds, so that sectors are loaded for each half? */
static bool is_crowded(const struct schedule *s, const struct ufc_access *a) {
    const struct iteration *it = s->body->it;
    double resident = at_most(s->threads / s->gpu->multiprocessors, s->occupancy * s->gpu->threads);
    double bytes = 0;
    if (s->kind < UFC_KERNEL_DENSE || s->kind > UFC_KERNEL_DENSE_4 ||
        (it->naxes > 0 && llabs(it->stride[a->operand][0]) <= LINE))
        return false;
    for (int k = 0; k < it->nin + it->nout; k++)
        bytes += (double)operand_bytes(it, k) / (double)it->total;
    return resident * bytes > l1_bytes;
}

/* Does a thread store elements one by one, in an ordered loop of its own?  No cache joins them
 * before the L2 cache. */
static bool stores_singly(const struct schedule *s, const struct ufc_access *a) {
    return a->stored && has_chunks(s) && !is_staged_access(s, a);
}

struct path path_of(const struct schedule *s, const struct ufc_access *a, const struct moved *x) {
    const struct gpu_model *m = s->gpu;
    double warps = s->threads / WARP_THREADS * x->times / beside(s, a);
    struct path p = {.by_warps = warps * x->sectors * SECTOR};
    double resident = at_most(s->threads, s->occupancy * m->threads * m->multiprocessors);
    bool singly = stores_singly(s, a);
    bool far = x->lines >= WARP_THREADS / 2 && (singly || !stays_near(s, a));
    p.by_l2 = at_most(p.by_warps, (double)s->blocks * x->block);
    p.by_memory = x->all;
    if (singly)
        p.by_warps *= a->distinct;
    if (x->random) { /* a small array is in the L1 cache */
        double missed = p.by_warps * beyond(s, a, x->span, l1_bytes);
        double runs = x->alone ? 2 : 1; /* memory moves two sectors */
        p.by_l2 = at_most(p.by_l2, busy(s) * at_most(x->all, l1_bytes) + missed);
        if (x->span > .5 * (double)m->l2)
            p.by_memory =
                at_least(runs * p.by_warps * beyond(s, a, x->span, .5 * (double)m->l2), x->all);
    } else if (singly || (far && resident / m->multiprocessors * LINE > l1_bytes)) {
        p.by_l2 = p.by_warps;
    }
    p.scattered = far || x->random;
    if (is_crowded(s, a)) {
        p.by_l2 *= 2;
        p.scattered = true;
    }
    return p;
}
