/* gather.c: loops that scatter over elements that overlap, as windows of a signal or terms of a
 * product of polynomials do:
 *
 *     for k in 0..f { y[64 * k + i] += x[k, i] * w[i] for i in 0..t }
 *
 * Each element is updated by at most one iteration of the loops whose indices its subscripts have
 * last, for any of the others; so that it has a loop of its own over these, in which it gathers
 * what is its own in the same order, and which any other element may be computed beside:
 *
 *     for p in 0..64 * (f - 1) + t {
 *         for k in max(0, (p - t) // 64 + 1)..min(f, p // 64 + 1) {
 *             let i = p - 64 * k
 *             y[p] += x[k, i] * w[i]
 *         }
 *     }
 *
 * In a version of the body.  (Loop skewing and interchange: Wolfe, High Performance Compilers for
 * Parallel Computing, 1996, sections 9.3 and 9.4.) */
#include <stdlib.h>

#include "apart.h"
#include "linear.h"

enum { MAX_NEST = 8 };

/* Loops in one another, and what they do. */
struct gather {
    struct lower *l;
    struct candidate *c; /* of the outermost */
    const struct pstmt *loop[MAX_NEST];
    int n;
    struct pstmt *body;
    struct pval *place; /* of all that is stored, but for the operand */
    uint32_t stored;    /* operands, a bit each */
    struct linear subscript[MAX_CORE_RANK];
    enum role {
        GATHER_KEPT,  /* a loop of an element's own */
        GATHER_POINT, /* a subscript has the index alone, beside those of other points: the loop is
                         one over elements */
        GATHER_TOLD,  /* a subscript and the indices of loops around tell it */
    } role[MAX_NEST];
    int last[MAX_CORE_RANK]; /* of a subscript's indices that are no points when it is looked at,
                                the innermost one's loop; -1: it has none */
};

/* ---- the loops */

static bool is_by_one(const struct pstmt *loop) {
    return loop->kind == PS_FOR && loop->accs == NULL && loop->step->kind == PV_CONST &&
           loop->step->i == 1;
}

/* Goes into loops that are all that a list does.  False: they are too many, or go otherwise. */
static bool find_nest(struct gather *x, struct pstmt *s) {
    for (;;) {
        bool definition = s->kind == PS_SPREAD && s->accs == NULL;
        struct pstmt *loop = definition ? s->serial : s, *end = s->body;
        for (; loop != end; loop = loop->body) {
            if (x->n == MAX_NEST || !is_by_one(loop))
                return false;
            x->loop[x->n++] = loop;
        }
        x->body = end;
        if (end == NULL || end->next != NULL || (end->kind != PS_FOR && end->kind != PS_SPREAD))
            return end != NULL;
        s = end;
    }
}

/* The sums of indices and sizes that a list sets first stand where they are read. */
static struct pstmt *with_sums(const struct gather *x, struct pstmt *list) {
    const bool *written = find_written(x->l->uc, x->l->plan, list);
    for (int n = 0; n < MAX_NEST && list != NULL && list->kind == PS_SET &&
                    list->var->dtype == DT_INT64 && sets_once(list, list->var);
         n++) {
        struct linear s;
        struct pval *sum = linear_of(x->c, list->value, &s) ? whole_value(x->l, &s) : NULL;
        for (int i = 0; sum != NULL && i < s.n; i++)
            sum = s.of[i].var != NULL && written[s.of[i].var->id] ? NULL : sum;
        if (sum == NULL)
            break;
        list = copy_statements(x->l->uc, list->next, NULL, list->var, sum);
    }
    return list;
}

/* ---- what they access */

static bool same_subscripts(const struct pval *a, const struct pval *b) {
    bool same = a->nargs == b->nargs;
    for (int i = 0; same && i < a->nargs; i++)
        same = same_value(a->args[i], b->args[i]);
    return same;
}

static enum walk note_store(const struct pstmt *s, void *arg) {
    struct gather *x = arg;
    if (s->kind == PS_SET || s->kind == PS_IF)
        return WALK_IN;
    bool fits = s->kind == PS_PUT && s->operand < x->l->plan->noperands && s->place->nargs > 0 &&
                s->place->checked == 0 && !s->sole && merge_of(s) < 0 &&
                (x->place == NULL || same_subscripts(s->place, x->place));
    if (!fits)
        return WALK_STOP;
    x->place = s->place;
    x->stored |= UINT32_C(1) << s->operand;
    return WALK_IN;
}

static enum walk find_other(const struct pval *v, void *arg) {
    const struct gather *x = arg;
    bool stored = v->kind == PV_ELEM &&
                  (v->operand >= x->l->plan->noperands || (x->stored >> v->operand & 1) != 0);
    return stored && !same_subscripts(v, x->place) ? WALK_STOP : WALK_IN;
}

/* Are bounds made of sizes, so that points are known before a call? */
static bool are_bounds_sizes(const struct gather *x) {
    struct ufc_term terms[UFC_MAX_TERMS];
    for (int i = 0; i < x->n; i++) {
        int n = 0;
        if (!value_terms(x->loop[i]->lo, terms, &n) || !value_terms(x->loop[i]->hi, terms, &n))
            return false;
    }
    return true;
}

/* ---- subscripts */

/* How often a sum has the index of a loop. */
static int64_t times_of(const struct gather *x, const struct linear *s, int loop) {
    int at = linear_place(s, x->loop[loop]->var);
    return at >= 0 && at < s->n ? s->times[at] : 0;
}

static bool find_subscripts(struct gather *x) {
    for (int d = 0; d < x->place->nargs; d++) {
        struct linear *s = &x->subscript[d];
        if (!linear_of(x->c, x->place->args[d], s))
            return false;
        for (int i = 0; i < s->n; i++) {
            bool index = s->of[i].var != NULL && s->times[i] != 0;
            if (index && (s->of[i].dim >= 0 || llabs(s->times[i]) > MAX_FACTOR ||
                          linear_place(s, s->of[i].var) < 0))
                return false;
        }
    }
    return true;
}

/* The innermost loop whose index a sum has, of those of a role, but for `but`; -1: none. */
static int innermost(const struct gather *x, const struct linear *s, enum role role, int but) {
    for (int i = x->n; i-- > 0;)
        if (i != but && x->role[i] == role && times_of(x, s, i) != 0)
            return i;
    return -1;
}

/* Takes subscripts with a single index that is no point as such, until there is none. */
static void find_points(struct gather *x) {
    for (bool more = true; more;) {
        more = false;
        for (int d = 0; d < x->place->nargs; d++) {
            int i = innermost(x, &x->subscript[d], GATHER_KEPT, -1);
            if (x->last[d] >= 0 || i < 0 || llabs(times_of(x, &x->subscript[d], i)) != 1 ||
                innermost(x, &x->subscript[d], GATHER_KEPT, i) >= 0)
                continue;
            x->last[d] = i;
            x->role[i] = GATHER_POINT;
            more = true;
        }
    }
}

/* Finds which loops are over elements, and which indices are told.  False: an element's subscripts
 * do not tell it all, or no other loop is left. */
static bool find_roles(struct gather *x) {
    int told = 0, kept = 0;
    for (int d = 0; d < x->place->nargs; d++)
        x->last[d] = -1;
    find_points(x);
    for (int d = 0; d < x->place->nargs; d++) {
        const struct linear *s = &x->subscript[d];
        int i = innermost(x, s, GATHER_KEPT, -1);
        if (x->last[d] >= 0 || i < 0) {
            if (x->last[d] < 0) /* it is the same at all points, or tells nothing more */
                return false;
            continue;
        }
        if (llabs(times_of(x, s, i)) != 1)
            return false;
        for (int other = 0; other < x->place->nargs; other++)
            if (other != d && times_of(x, &x->subscript[other], i) != 0)
                return false;
        x->last[d] = i;
        told++;
    }
    for (int d = 0; d < x->place->nargs; d++)
        if (x->role[x->last[d]] == GATHER_KEPT)
            x->role[x->last[d]] = GATHER_TOLD;
    for (int d = 0; d < x->place->nargs; d++) /* a told index is told by those that are kept */
        if (x->role[x->last[d]] == GATHER_TOLD &&
            (innermost(x, &x->subscript[d], GATHER_TOLD, x->last[d]) >= 0 ||
             innermost(x, &x->subscript[d], GATHER_KEPT, -1) < 0))
            return false;
    for (int i = 0; i < x->n; i++)
        kept += x->role[i] == GATHER_KEPT;
    return told > 0 && kept > 0;
}

/* ---- what they become */

/* A sum without the index of a loop. */
static struct pval *sum_without(const struct gather *x, const struct linear *s, int loop) {
    struct linear rest = *s;
    rest.times[linear_place(s, x->loop[loop]->var)] = 0;
    return whole_value(x->l, &rest);
}

/* The least or the greatest of a subscript, in all iterations. */
static struct pval *extreme_of(const struct gather *x, const struct linear *s, bool greatest) {
    struct linear rest = *s;
    struct pval *v;
    for (int i = 0; i < x->n; i++) {
        int at = linear_place(s, x->loop[i]->var);
        if (at >= 0 && at < s->n)
            rest.times[at] = 0;
    }
    v = whole_value(x->l, &rest);
    for (int i = 0; i < x->n; i++) {
        int64_t times = times_of(x, s, i);
        bool high = greatest == (times > 0);
        struct pval *index =
            high ? whole_add(x->l, x->loop[i]->hi, plan_number(x->l->uc, -1)) : x->loop[i]->lo;
        if (times > 0)
            v = whole_add(x->l, v, whole_times(x->l, index, times));
        else if (times < 0)
            v = whole_subtract(x->l, v, whole_times(x->l, index, -times));
    }
    struct linear all;
    struct pval *tidy = linear_of(x->c, v, &all) ? whole_value(x->l, &all) : NULL;
    return tidy != NULL ? tidy : v;
}

/* Has the loop at `own`, the innermost kept one whose index is in subscript d, go over the indices
 * alone for which the told one is within its bounds: from[0] … from[1] - 1. */
static void narrow(const struct gather *x, int d, struct pval *element, int own,
                   struct pval *from[2]) {
    struct lower *l = x->l;
    const struct linear *s = &x->subscript[d];
    const struct pstmt *told = x->loop[x->last[d]];
    int64_t by = times_of(x, s, own), sign = times_of(x, s, x->last[d]);
    struct linear rest = *s;
    rest.times[linear_place(s, told->var)] = 0;
    rest.times[linear_place(s, x->loop[own]->var)] = 0;
    /* by * index is from least up to end: element - rest - by * index is sign times the told one */
    struct pval *left = whole_subtract(l, element, whole_value(l, &rest));
    struct pval *least, *end;
    if (sign > 0) {
        least = whole_add(l, whole_subtract(l, left, told->hi), plan_number(l->uc, 1));
        end = whole_add(l, whole_subtract(l, left, told->lo), plan_number(l->uc, 1));
    } else {
        least = whole_add(l, left, told->lo);
        end = whole_add(l, left, told->hi);
    }
    if (by < 0) { /* -by * index is from 1 - end up to 1 - least */
        struct pval *one = plan_number(l->uc, 1), *before = least;
        least = whole_subtract(l, one, end);
        end = whole_subtract(l, one, before);
    }
    /* the least index is least / by, rounded up; so is the end */
    int64_t n = llabs(by);
    least = whole_divide(l, whole_add(l, least, plan_number(l->uc, n - 1)), n);
    end = whole_divide(l, whole_add(l, end, plan_number(l->uc, n - 1)), n);
    from[0] = whole_extreme(l, true, from[0], least);
    from[1] = whole_extreme(l, false, from[1], end);
}

/* The element that a subscript of what is stored, and of where that is read, is to have. */
struct renamed {
    const struct gather *x;
    int axis;
    struct pval *element;
};

static void rename_in(const struct renamed *r, struct pval *v) {
    if (v == NULL)
        return;
    bool is = v->kind == PV_ELEM && (r->x->stored >> v->operand & 1) != 0;
    if (is)
        v->args[r->axis] = r->element;
    for (int i = 0; i < v->nargs && !is; i++)
        rename_in(r, v->args[i]);
}

static enum walk rename_values(const struct pstmt *s, void *arg) {
    struct pval *const *const values[] = PSTMT_VALUES(s);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        rename_in(arg, *values[i]);
    return WALK_IN;
}

static struct pstmt *loop_like(const struct gather *x, const struct pstmt *s, struct pval *lo,
                               struct pval *hi) {
    struct pstmt *loop = NEW(x->l->uc, struct pstmt);
    *loop = (struct pstmt){
        .kind = PS_FOR, .at = s->at, .var = s->var, .lo = lo, .hi = hi, .step = s->step};
    return loop;
}

/* The loop over the elements along subscript d, whose told index stands in the body no more, and is
 * within its bounds where the kept one is from from[0] up to from[1]. */
static struct pstmt *element_loop(const struct gather *x, int d, struct pstmt **body,
                                  struct pval *(*from)[2]) {
    struct lower *l = x->l;
    const struct linear *s = &x->subscript[d];
    const struct pstmt *told = x->loop[x->last[d]];
    struct pval *end = whole_add(l, extreme_of(x, s, true), plan_number(l->uc, 1));
    struct pstmt *loop = loop_like(x, told, extreme_of(x, s, false), end);
    loop->var = &variable_new(l, "element", DT_INT64)->pvar;
    struct pval *element = whole_index(l, loop->var), *rest = sum_without(x, s, x->last[d]);
    int own = innermost(x, s, GATHER_KEPT, -1);
    narrow(x, d, element, own, from[own]);
    struct renamed renamed = {x, d, element};
    plan_walk(*body, &(struct plan_visitor){.stmt = rename_values}, &renamed);
    bool plus = times_of(x, s, x->last[d]) > 0;
    struct pval *index = plus ? whole_subtract(l, element, rest) : whole_subtract(l, rest, element);
    *body = copy_statements(l->uc, *body, NULL, told->var, index);
    return loop;
}

static struct pstmt *gathering(const struct gather *x) {
    struct pstmt *first = NULL, **end = &first;
    struct pval *from[MAX_NEST][2];
    struct pstmt *body = copy_statements(x->l->uc, x->body, NULL, NULL, NULL);
    for (int i = 0; i < x->n; i++) {
        from[i][0] = x->loop[i]->lo;
        from[i][1] = x->loop[i]->hi;
    }
    for (int d = 0; d < x->place->nargs; d++, end = &(*end)->body) {
        int i = x->last[d];
        *end = x->role[i] == GATHER_POINT ? loop_like(x, x->loop[i], from[i][0], from[i][1])
                                          : element_loop(x, d, &body, from);
    }
    for (int i = 0; i < x->n; i++)
        if (x->role[i] == GATHER_KEPT) {
            *end = loop_like(x, x->loop[i], from[i][0], from[i][1]);
            end = &(*end)->body;
        }
    *end = body;
    return first;
}

/* What a loop of the body becomes; NULL: it stays.  asks: it is only asked whether it does. */
static struct pstmt *gather_loop(struct lower *l, struct pstmt *s, bool asks) {
    struct sharer in = {.uc = l->uc, .plan = l->plan};
    struct gather x = {.l = l};
    if (!is_by_one(s) || !find_nest(&x, s))
        return NULL;
    in.mentions = count_mentions(l->uc, l->plan, l->plan->body);
    x.c = find_candidate(&in, s);
    if (x.c == NULL)
        return NULL;
    x.body = with_sums(&x, x.body);
    bool fits = plan_walk(x.body, &(struct plan_visitor){.stmt = note_store}, &x) &&
                x.place != NULL && x.place->nargs <= UFC_MAX_POINT_RANGES &&
                plan_walk(x.body, &(struct plan_visitor){.value = find_other}, &x) &&
                are_bounds_sizes(&x) && find_subscripts(&x) && find_roles(&x);
    return !fits ? NULL : asks ? s : gathering(&x);
}

bool has_gathered(struct lower *l) {
    struct pstmt *s = l->plan->body->body;
    while (s != NULL && gather_loop(l, s, true) == NULL)
        s = s->next;
    return s != NULL;
}

void gather_loops(struct lower *l) {
    for (struct pstmt **at = &l->plan->body->body; *at != NULL; at = &(*at)->next) {
        struct pstmt *loop = gather_loop(l, *at, false);
        if (loop == NULL)
            continue;
        loop->next = (*at)->next;
        *at = loop;
    }
}
