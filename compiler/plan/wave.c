/* wave.c: tables whose elements each take a loop over others of their row and column, as
 *
 *     for i in n - 1..-1..-1 {
 *         for j in i + 1..n { t[i, j] = max(t[i, k] + t[k + 1, j] for k in i..j) }
 *     }
 *
 * The iterations of the outer loop may follow one another (lag.c), so that at a time all elements
 * of a diagonal are computed, or of a steeper line: they are a definition, of whose points threads
 * share the reductions, too.
 *
 *     for d in 1..n {
 *         t[i, i + d] = max(t[i, k] + t[k + 1, i + d] for k in i..i + d) for i in 0..n - d
 *     }
 *
 * (Loop skewing: Wolfe, Loops skewing: the wavefront method revisited, 1986.)  Elements that take
 * no loop are left to threads that have a row each and follow one another. */
#include <stdlib.h>

#include "linear.h"
#include "total.h"

enum { MOST_COUPLED = 4, FEW_LINES = 16 };
#define LINES_OF_ROW (INT64_C(1) << 31)

struct wave {
    const struct sharer *x;
    struct lower *l;
    const struct pstmt *outer;
    int64_t slope; /* how much the inner index grows along a line with the outer one */
};

/* ---- lines */

/* v as whole_value has it, if it is a sum. */
static struct pval *tidy(const struct wave *w, const struct candidate *c, struct pval *v) {
    struct linear s;
    struct pval *sum = linear_of(c, v, &s) ? whole_value(w->l, &s) : NULL;
    return sum != NULL ? sum : v;
}

/* A bound of the inner loop, less what the inner index grows by, at an outer index. */
static struct pval *line_at(const struct wave *w, const struct candidate *c,
                            const struct pval *bound, struct pval *index) {
    struct pstmt set = {.kind = PS_SET, .value = (struct pval *)(uintptr_t)bound};
    struct pval *v = copy_statements(w->l->uc, &set, NULL, w->outer->var, index)->value;
    return tidy(w, c, whole_subtract(w->l, v, whole_times(w->l, index, w->slope)));
}

/* ---- ranges */

/* How much what line_at gives grows with the outer index.  False: that is not known. */
static bool find_growth(const struct wave *w, const struct candidate *c, const struct pval *bound,
                        int64_t *growth) {
    struct linear l;
    if (!linear_of(c, bound, &l))
        return false;
    int at = linear_place(&l, w->outer->var);
    if (at < 0 || (at < l.n && (l.of[at].dim >= 0 || llabs(l.times[at]) > MAX_FACTOR)))
        return false;
    *growth = (at < l.n ? l.times[at] : 0) - w->slope;
    return true;
}

/* The lines and, of one, the outer indices, from `least` up to `end`. */
struct lines {
    struct pval *lo, *hi;
    struct pval *least, *end;
};

/* The outer indices' end, or the first of them, that a bound of the inner loop sets on a line:
 * where `at_zero`, what line_at gives for the bound at 0, plus index * growth is at most the line;
 * or, below: above it. */
static struct pval *limit_at(const struct wave *w, struct pval *line, struct pval *at_zero,
                             int64_t growth) {
    if (growth == -1)
        return whole_subtract(w->l, at_zero, line);
    struct pval *v = whole_subtract(w->l, line, at_zero);
    if (growth != 1)
        v = whole_divide(w->l, v, llabs(growth));
    return growth > 0 ? whole_add(w->l, v, plan_number(w->l->uc, 1))
                      : value_op(w->l, OP_SUB, DT_INT64, plan_number(w->l->uc, 0), v);
}

/* Keeps the outer indices within what a bound of the inner loop sets, on a line. */
static void narrow(const struct wave *w, const struct candidate *c, struct lines *of,
                   struct pvar *line, const struct pval *bound, int64_t growth, bool below) {
    struct pval *at_zero = line_at(w, c, bound, plan_number(w->l->uc, 0));
    bool ends = below ? growth < 0 : growth > 0;
    if (growth == 0)
        return;
    struct pval *widest = below ? of->lo : whole_add(w->l, of->hi, plan_number(w->l->uc, -1));
    struct pval *limit = limit_at(w, whole_index(w->l, line), at_zero, growth);
    struct pval *most = limit_at(w, widest, at_zero, growth);
    if (ends)
        of->end = is_at_most(c, most, of->end) ? limit : whole_extreme(w->l, false, of->end, limit);
    else
        of->least =
            is_at_most(c, of->least, most) ? limit : whole_extreme(w->l, true, of->least, limit);
}

/* Where there are no rows there are no lines, however long rows would be: many for each of these,
 * if sums do not tell so. */
static void end_with_rows(const struct wave *w, const struct candidate *c, struct lines *of) {
    struct pval *rows = tidy(w, c, whole_subtract(w->l, of->end, of->least));
    struct pval *lines = tidy(w, c, whole_subtract(w->l, of->hi, of->lo));
    for (int64_t times = 1; times <= MOST_COUPLED; times++)
        if (is_at_most(
                c, lines,
                whole_add(w->l, whole_times(w->l, rows, times), plan_number(w->l->uc, FEW_LINES))))
            return;
    struct pval *most = whole_times(w->l, rows, LINES_OF_ROW);
    if (!is_at_most(c, plan_number(w->l->uc, 0), of->lo))
        most = whole_add(w->l, of->lo, most);
    of->hi = whole_extreme(w->l, false, of->hi, most);
}

static bool find_lines(const struct wave *w, const struct candidate *c, struct pvar *line,
                       struct lines *of) {
    const struct pstmt *outer = w->outer, *inner = outer->body;
    bool up = (int64_t)outer->step->i > 0;
    int64_t first, last;
    if (!find_growth(w, c, inner->lo, &first) || !find_growth(w, c, inner->hi, &last))
        return false;
    of->least = tidy(w, c, up ? outer->lo : whole_add(w->l, outer->hi, plan_number(w->l->uc, 1)));
    of->end = tidy(w, c, up ? outer->hi : whole_add(w->l, outer->lo, plan_number(w->l->uc, 1)));
    struct pval *zero = plan_number(w->l->uc, 0),
                *greatest = whole_add(w->l, of->end, plan_number(w->l->uc, -1));
    of->lo = line_at(w, c, inner->lo, first == 0 ? zero : first > 0 ? of->least : greatest);
    of->hi = line_at(w, c, inner->hi, last == 0 ? zero : last > 0 ? greatest : of->least);
    end_with_rows(w, c, of);
    narrow(w, c, of, line, inner->lo, first, false);
    narrow(w, c, of, line, inner->hi, last, true);
    return true;
}

/* ---- the loop */

/* Does an element take a loop whose length is not known, or a reduction? */
static bool takes_loop(const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        const struct prange r = {.lo = s->lo, .hi = s->hi, .step = s->step};
        bool known = s->kind == PS_FOR ? constant_points(&r) != INT64_MAX
                                       : s->kind != PS_SPREAD || s->accs == NULL ||
                                             constant_points(s->ranges) != INT64_MAX;
        if (!known)
            return true;
    }
    return false;
}

/* A list with variables of its own for those that it sets: elsewhere these are made of the inner
 * index. */
static struct pstmt *own_list(const struct wave *w, const struct pstmt *list) {
    struct copy c = {.l = w->l, .vars = NEWN(w->l->uc, struct pvar *, w->l->plan->nvars + 1)};
    struct pstmt *first = NULL, **end = &first;
    for (; list != NULL; list = list->next, end = &(*end)->next)
        *end = copy_stmt(&c, list);
    return first;
}

/* Do loops of a list store?  Threads may share these themselves. */
static bool loops_store(const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        bool loop = s->kind != PS_IF && is_loop(s);
        if (loop ? has_store(s->body) : loops_store(s->body) || loops_store(s->other))
            return true;
    }
    return false;
}

/* Two loops that may be a table's, of whose iterations none have any order. */
static bool may_be_table(const struct sharer *x, struct pstmt *s) {
    struct pstmt *inner = s->kind == PS_FOR ? s->body : NULL;
    struct enclosing own = {s, x->around};
    struct sharer within = *x;
    within.around = &own;
    return inner != NULL && inner->kind == PS_FOR && inner->next == NULL && s->accs == NULL &&
           inner->accs == NULL && takes_loop(inner->body) && inner->step->kind == PV_CONST &&
           inner->step->i == 1 && s->step->kind == PV_CONST && llabs((int64_t)s->step->i) == 1 &&
           plan_walk(inner->body, &(struct plan_visitor){.stmt = find_jump}, NULL) &&
           !is_independent(x, s) && !is_independent(&within, inner);
}

/* The loop over lines, of which each is a definition; NULL: they are not known. */
static struct pstmt *line_loop(struct wave *w, const struct candidate *c, struct pstmt *inner) {
    struct lower *l = w->l;
    struct lines lines;
    struct enclosing own = {w->outer, w->x->around};
    struct sharer within = *w->x;
    struct pvar *line = &variable_new(l, "line", DT_INT64)->pvar;
    within.around = &own;
    if (!find_lines(w, c, line, &lines))
        return NULL;
    struct pstmt *list = point_totals(&within, l, inner);
    if (loops_store(list))
        return NULL;
    struct pval *index = whole_index(w->l, w->outer->var), *along = whole_index(w->l, line);
    index = w->slope == -1 ? whole_subtract(w->l, along, index)
                           : whole_add(w->l, along, whole_times(w->l, index, w->slope));
    struct pstmt *rows = NEW(l->uc, struct pstmt), *loop = NEW(l->uc, struct pstmt);
    *rows = *w->outer;
    rows->next = NULL;
    rows->lo = lines.least;
    rows->hi = lines.end;
    rows->step = plan_number(w->l->uc, 1);
    rows->body = copy_statements(l->uc, own_list(w, list), NULL, inner->var, index);
    add_serial_loops(l->uc, rows->body);
    *loop = *rows;
    loop->var = line;
    loop->lo = lines.lo;
    loop->hi = lines.hi;
    loop->body = spread_of(w->x, rows);
    return loop;
}

/* The same of a loop; NULL: it is no such table. */
static struct pstmt *wave_loop(const struct sharer *x, struct lower *l, struct pstmt *s) {
    struct wave w = {.x = x, .l = l, .outer = s};
    if (!may_be_table(x, s))
        return NULL;
    int lag = lag_of(x, s, find_written(l->uc, l->plan, s->body)), nvars = l->plan->nvars;
    const struct candidate *c = lag > 0 ? find_candidate(x, s) : NULL;
    if (c == NULL)
        return NULL;
    struct pvar **vars = variables_end(l);
    w.slope = (int64_t)s->step->i > 0 ? -lag : lag;
    struct pstmt *loop = line_loop(&w, c, s->body);
    if (loop == NULL) { /* as if it had not been tried */
        *vars = NULL;
        l->vars_end = vars;
        l->plan->nvars = nvars;
    }
    return loop;
}

/* Finds such loops, the inner ones first.  Whether there are any. */
static bool find_in(struct sharer *x, struct lower *l, struct pstmt *list) {
    const struct enclosing *around = x->around;
    bool any = false;
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        struct enclosing own = {s, around};
        if (s->kind == PS_SPREAD)
            continue;
        if (s->kind == PS_FOR && !find_written(l->uc, l->plan, s->body)[s->var->id])
            x->around = &own;
        bool body = find_in(x, l, s->body), other = find_in(x, l, s->other);
        x->around = around;
        any = any || body || other;
        if (s->kind != PS_FOR || body || (s->shared = wave_loop(x, l, s)) == NULL)
            continue;
        s->turned = any = true;
        x->mentions = count_mentions(l->uc, l->plan, l->plan->body);
    }
    return any;
}

void find_waves(struct uc *uc, struct plan *p) {
    struct sharer x = {.uc = uc, .plan = p};
    struct lower l = {.uc = uc, .plan = p, .vars_end = &p->vars};
    x.mentions = count_mentions(uc, p, p->body);
    if (!p->checked)
        find_in(&x, &l, p->body->body);
}
