/* range.c: subscripts that are out of range whatever the sizes.
 *
 * A subscript that is a sum of indices, dimensions and a number is examined, others are not.  Each
 * index, the innermost first, is replaced by its least or greatest value, where its range begins
 * and ends with such sums; the result is a sum of dimensions, which are 0 or more.  The range of an
 * index is used only where each of its values reaches the subscript: not behind a condition, nor in
 * a loop that may not run. */
#include "check.h"

struct reach {
    bool has_least, has_greatest;
    struct sum least, greatest; /* of the index: sums of dimensions and of indices around it */
    int guards;                 /* fn.guards within the loop */
};

/* ---- indices */

bool is_reached(const struct fn *f, const struct local *index) {
    return index->reach && index->reach->guards == f->guards;
}

/* The last value of a..b..step, where length is b - a; false: it is not known. */
static bool last_of(const struct sum *a, const struct sum *b, const struct sum *length,
                    wide_int step, struct sum *last) {
    *last = step == 1 || step == -1 ? *b : *a;
    last->plus +=
        step == 1 || step == -1 ? -step : (length->plus - (step > 0 ? 1 : -1)) / step * step;
    return step == 1 || step == -1 || sum_is_number(length);
}

void set_reach(struct fn *f, struct local *index, const struct node *range) {
    struct reach r = {.guards = f->guards};
    struct sum length, *first = &r.least, *last = &r.greatest;
    wide_int step = !range || !range->c ? 1 : range->c->kind == N_CONST ? range->c->value.i : 0;
    struct sum a = {.n = 0}, b = a;
    bool known = range && range->a && range->b && step != 0 && sum_is_small(step) &&
                 sum_of(f, range->a, NULL, &a) && sum_of(f, range->b, NULL, &b);
    length = b;
    if (!known || !sum_add(&length, &a, -1) || sum_has_index(&length) ||
        sum_never_below(&length, step > 0 ? -1 : 1)) {
        f->guards++; /* the loop may not run, so that an index of a loop around it may not reach its
                        body */
        return;
    }
    if (step < 0) {
        first = &r.greatest;
        last = &r.least;
    }
    *first = a;
    bool has_last = last_of(&a, &b, &length, step, last);
    r.has_least = step > 0 || has_last;
    r.has_greatest = step < 0 || has_last;
    struct reach *kept = NEW(f->uc, struct reach);
    *kept = r;
    index->reach = kept;
}

static const struct reach *reach_of(const struct sum *s, int i) {
    return s->is_index[i] && s->times[i] != 0 ? ((const struct local *)s->of[i])->reach : NULL;
}

static bool has_term(const struct sum *s, const void *of) {
    for (int i = 0; i < s->n; i++)
        if (s->of[i] == of && s->times[i] != 0)
            return true;
    return false;
}

/* An index in s that bounds no range of another one in it; -1: there is none. */
static int innermost(const struct sum *s) {
    for (int i = 0; i < s->n; i++) {
        bool inner = reach_of(s, i) != NULL;
        for (int j = 0; j < s->n && inner; j++) {
            const struct reach *r = reach_of(s, j);
            inner = !r || (!has_term(&r->least, s->of[i]) && !has_term(&r->greatest, s->of[i]));
        }
        if (inner)
            return i;
    }
    return -1;
}

static void remove_term(struct sum *s, int i) {
    for (s->n--; i < s->n; i++) {
        s->of[i] = s->of[i + 1];
        s->times[i] = s->times[i + 1];
        s->is_index[i] = s->is_index[i + 1];
    }
}

/* The least or the greatest value of s, a sum of dimensions; false: it is not known. */
static bool extreme(const struct sum *s, bool greatest, struct sum *e) {
    *e = *s;
    for (int i = innermost(e); i >= 0; i = innermost(e)) {
        const struct reach *r = reach_of(e, i);
        wide_int times = e->times[i];
        bool high = (times > 0) == greatest;
        remove_term(e, i);
        if (!(high ? r->has_greatest : r->has_least) ||
            !sum_add(e, high ? &r->greatest : &r->least, times))
            return false;
    }
    return !sum_has_index(e);
}

/* ---- subscripts */

/* Whether the subscript is below 0 whatever the sizes. */
static bool is_below(const struct sum *s) {
    struct sum over = *s;
    over.plus++;
    return sum_never_below(&over, -1);
}

/* Whether it is the size or more. */
static bool is_above(const struct sum *s, const struct sum *size) {
    struct sum over = *s;
    return sum_add(&over, size, -1) && sum_never_below(&over, 1);
}

/* Of an index whose range may be empty, as 0..n, the values at one end or the other are out, where
 * there are any. */
enum outside outside_of(struct fn *f, const struct node *n, const struct dim *dim,
                        const char **reached, const char **needed) {
    struct sum s, size, least, greatest;
    *needed = NULL;
    if (!sum_of(f, n, dim, &s) || !sum_of_size(f, dim, &size))
        return INSIDE;
    bool has_least = extreme(&s, false, &least), has_greatest = extreme(&s, true, &greatest);
    bool below = (has_least && is_below(&least)) || (has_greatest && is_below(&greatest));
    bool above =
        (has_greatest && is_above(&greatest, &size)) || (has_least && is_above(&least, &size));
    const struct sum *end = below          ? has_least ? &least : &greatest
                            : has_greatest ? &greatest
                                           : &least;
    *reached = sum_has_index(&s) ? sum_text(f->uc, end) : NULL;
    if (above && !below && has_greatest) {
        greatest.plus++;
        *needed = sum_text(f->uc, &greatest);
    }
    return below ? BELOW : above ? ABOVE : INSIDE;
}
