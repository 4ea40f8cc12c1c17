/* series.c: series: ordered loops that only join terms to variables: add them, multiply by
 * them, or take the greatest or the least.  What is in order there are the additions alone: an
 * iteration's terms depend on no other one, so that the threads of a block may compute those of
 * many iterations at once, and a few add them up behind them, in the loop's order.  Loops in one
 * another are one series where their variables are not used between them.
 *
 * A term may take loops of its own, of any length, which may be left, and local arrays.
 *
 * The elements that an iteration stores are no other one's; the thread that computes its terms
 * stores them.
 *
 * A term that a condition leaves out, also by choosing between the variable with it and without, is
 * one that changes nothing: -0 in sums, 1 in products. */
#include "plan.h"

enum { MAX_NESTED = 4, MAX_VARS = 1024 }; /* of a plan, all of which each loop looks through */

struct finder {
    struct uc *uc;
    struct sharer x;
    struct series all; /* its variables */
};

static int acc_of(const struct finder *f, const struct pvar *var) {
    int i = f->all.n;
    while (i-- > 0 && f->all.acc[i].var != var)
        ;
    return i;
}

static enum walk find_acc(const struct pval *v, void *finder) {
    return v->kind == PV_VAR && acc_of(finder, v->var) >= 0 ? WALK_STOP : WALK_IN;
}

/* Whether v, which may be NULL, has none of the variables. */
static bool is_free(struct finder *f, const struct pval *v) {
    return value_walk(v, find_acc, f);
}

/* ---- terms */

/* How v joins its arguments; -1: it does something else. */
static int join_of(const struct pval *v) {
    if (v->nargs != 2)
        return -1;
    if (v->kind == PV_CALL)
        return v->builtin->id == B_MIN || v->builtin->id == B_MAX ? OP_COUNT + (int)v->builtin->id
                                                                  : -1;
    if (v->kind != PV_OP || (v->op != OP_ADD && v->op != OP_SUB && v->op != OP_MUL))
        return -1;
    return v->op == OP_SUB ? OP_ADD : (int)v->op;
}

static bool is_variable(const struct pval *v, const struct pvar *var) {
    return v->kind == PV_VAR && v->var == var;
}

/* series_terms of a choice, one of whose values is the variable. */
static int chosen_terms(const struct pvar *var, const struct pval *v, struct series_term *term) {
    bool unless = is_variable(v->args[1], var);
    if (!unless && !is_variable(v->args[2], var))
        return -1;
    int n = series_terms(var, v->args[unless ? 2 : 1], term);
    for (int k = 0; k < n; k++) {
        if (term[k].when != NULL)
            return -1;
        term[k].when = v->args[0];
        term[k].unless = unless;
    }
    return n;
}

int series_terms(const struct pvar *var, const struct pval *v, struct series_term *term) {
    if (v->kind == PV_VAR)
        return v->var == var ? 0 : -1;
    if (v->kind == PV_SELECT)
        return chosen_terms(var, v, term);
    int join = v->dtype == var->dtype ? join_of(v) : -1;
    bool turns =
        join >= 0 && join < OP_COUNT && v->op != OP_SUB; /* zeros of both signs are equal */
    for (int i = 0; join >= 0 && i < 1 + turns; i++) {
        int n = series_terms(var, v->args[i], term);
        if (n < 0 || n == MAX_SERIES_TERMS || (n > 0 && term->join != join))
            continue;
        bool negative = v->kind == PV_OP && v->op == OP_SUB;
        term[n] = (struct series_term){.value = v->args[1 - i], .join = join, .negative = negative};
        return n + 1;
    }
    return -1;
}

/* Adds what s, a PS_SET of one of the variables, joins to it in the series `own`, as its terms from
 * at[acc] on. */
static bool add_site(struct finder *f, struct series *own, const struct pstmt *s, int *at) {
    struct series_term term[MAX_SERIES_TERMS];
    int i = acc_of(f, s->var), n = series_terms(s->var, s->value, term);
    struct series_acc *acc = &f->all.acc[i];
    if (n <= 0 || own->nsites == MAX_SERIES_SITES || at[i] + n > MAX_SERIES_TERMS ||
        (acc->join >= 0 && acc->join != term[0].join))
        return false;
    for (int k = 0; k < n; k++)
        if (!is_free(f, term[k].value) || !is_free(f, term[k].when))
            return false;
    acc->join = term[0].join;
    own->site[own->nsites++] = (struct series_site){s, i, at[i]};
    at[i] += n;
    own->terms[i] = at[i] > own->terms[i] ? at[i] : own->terms[i];
    return true;
}

/* ---- loops */

static enum walk find_other(const struct pstmt *s, void *none) {
    (void)none; /* are_others_apart asks about jumps and local arrays */
    bool other = s->kind == PS_SPREAD || s->kind == PS_ASSERT || s->merged ||
                 (s->kind == PS_FOR && s->accs != NULL);
    return other ? WALK_STOP : WALK_IN;
}

static enum walk find_set(const struct pstmt *s, void *finder) {
    return s->kind == PS_SET && acc_of(finder, s->var) >= 0 ? WALK_STOP : WALK_IN;
}

/* Does a statement neither set nor use the variables? */
static bool is_beside(struct finder *f, const struct pstmt *s) {
    return stmt_walk(s, &(struct plan_visitor){.stmt = find_set, .value = find_acc}, f);
}

static enum walk find_loop_of(const struct pstmt *s, void *finder) {
    return s->kind == PS_FOR && !is_beside(finder, s) ? WALK_STOP : WALK_IN;
}

/* Are there loops in a list that set the variables? */
static bool has_inner(struct finder *f, const struct pstmt *list) {
    return !plan_walk(list, &(struct plan_visitor){.stmt = find_loop_of}, f);
}

static bool takes_loop(struct finder *f, struct pstmt *loop);

/* Whether a list is part of a series: of `own`, the terms of an iteration; NULL: it has inner loops
 * whose iterations have terms. */
static bool takes_list(struct finder *f, struct series *own, struct pstmt *list, int *at) {
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        int other[MAX_SERIES_ACCS];
        bool takes;
        if (is_beside(f, s))
            continue;
        for (int i = 0; i < f->all.n; i++)
            other[i] = at[i];
        switch (s->kind) {
        case PS_SET:
            takes = own != NULL && acc_of(f, s->var) >= 0 && add_site(f, own, s, at);
            break;
        case PS_IF:
            takes = is_free(f, s->value) && takes_list(f, own, s->body, at) &&
                    takes_list(f, own, s->other, other);
            for (int i = 0; i < f->all.n; i++)
                at[i] = other[i] > at[i] ? other[i] : at[i];
            break;
        case PS_FOR: takes = own == NULL && takes_loop(f, s); break;
        default: takes = false;
        }
        if (!takes)
            return false;
    }
    return true;
}

/* Stops at what is not the same in all iterations, or may not be there where there are none. */
static enum walk find_unknown(const struct pval *v, void *written) {
    bool sets = v->kind == PV_VAR && ((const bool *)written)[v->var->id];
    return sets || v->kind == PV_ELEM ? WALK_STOP : WALK_IN;
}

/* The ranges of a loop and of those in it that are all of its body, whose bounds are the same in
 * all its iterations, and can be found before any; *last becomes the last of them. */
static struct prange *find_ranges(struct finder *f, struct pstmt *loop, struct pstmt **last) {
    struct prange *first = NULL, **end = &first;
    bool *written = find_written(f->uc, f->x.plan, loop->body);
    written[loop->var->id] = true;
    for (int n = 1;; n++) {
        *end = NEW(f->uc, struct prange);
        **end = (struct prange){.var = loop->var,
                                .lo = loop->lo,
                                .hi = loop->hi,
                                .step = loop->step,
                                .narrow = loop->narrow};
        end = &(*end)->next;
        struct pstmt *in = loop->body;
        *last = loop;
        if (in == NULL || in->kind != PS_FOR || in->next != NULL || n == MAX_NESTED ||
            is_beside(f, in) || in->step->kind != PV_CONST || in->step->i == 0 ||
            !value_walk(in->lo, find_unknown, written) ||
            !value_walk(in->hi, find_unknown, written))
            return first;
        loop = in;
    }
}

/* Do the iterations of a loop and of those in it, up to the last one, share no other variable and
 * no element, and leave no variable?  What threads compute for them no other thread knows. */
static bool are_apart(const struct finder *f, const struct pstmt *loop, const struct pstmt *last) {
    bool *written = find_written(f->uc, f->x.plan, loop->body);
    for (int i = 0; i < f->all.n; i++)
        written[f->all.acc[i].var->id] = false;
    return are_others_apart(&f->x, loop, written) &&
           (loop == last || are_apart(f, loop->body, last));
}

/* Makes a loop one of the series, or its iterations, with those of loops in it. */
static bool takes_loop(struct finder *f, struct pstmt *loop) {
    int at[MAX_SERIES_ACCS] = {0};
    struct pstmt *last;
    if (loop->step->kind != PV_CONST || loop->step->i == 0 || loop->accs != NULL ||
        !is_free(f, loop->lo) || !is_free(f, loop->hi))
        return false;
    struct prange *ranges = find_ranges(f, loop, &last);
    loop->series = NULL;
    if (has_inner(f, last->body))
        return takes_list(f, NULL, loop->body, at);
    const struct prange r = {.lo = loop->lo, .hi = loop->hi, .step = loop->step};
    if (ranges->next == NULL && constant_points(&r) <= UNROLLED_POINTS)
        return false;
    struct series *own = NEW(f->uc, struct series);
    if (!takes_list(f, own, last->body, at) || !are_apart(f, loop, last))
        return false;
    own->points = NEW(f->uc, struct pstmt);
    *own->points = (struct pstmt){.kind = PS_SPREAD, .at = loop->at, .ranges = ranges};
    own->points->body = last->body;
    loop->series = own;
    return true;
}

/* Finds the variables that a loop leaves, and takes them off `written`. */
static bool find_accs(struct finder *f, const struct pstmt *loop, bool *written) {
    const int *within = count_mentions(f->uc, f->x.plan, loop->body);
    f->all.n = 0;
    for (struct pvar *v = f->x.plan->vars; v != NULL; v = v->next) {
        if (!written[v->id] || within[v->id] == f->x.mentions[v->id])
            continue;
        bool wide = dtype_info[v->dtype].bits == 32 || dtype_info[v->dtype].bits == 64;
        bool number = (is_float(v->dtype) && !is_half(v->rounds)) || is_integer(v->dtype);
        if (f->all.n == MAX_SERIES_ACCS || !wide || !number)
            return false;
        f->all.acc[f->all.n++] = (struct series_acc){v, -1};
        written[v->id] = false;
    }
    return f->all.n > 0;
}

/* The series that loops of a list are have the variables of all. */
static enum walk name_accs(const struct pstmt *s, void *finder) {
    const struct finder *f = finder;
    if (s->series == NULL)
        return WALK_IN;
    s->series->n = f->all.n;
    for (int i = 0; i < f->all.n; i++)
        s->series->acc[i] = f->all.acc[i];
    return WALK_PAST;
}

static enum walk forget(const struct pstmt *s, void *none) {
    (void)none;
    ((struct pstmt *)(void *)s)->series = NULL;
    return WALK_IN;
}

static bool are_all_joined(const struct finder *f) {
    int i = 0;
    while (i < f->all.n && f->all.acc[i].join >= 0)
        i++;
    return i == f->all.n;
}

/* Whether all that a series stores its iterations do, each what is its own: threads that add up
 * what other loops in it have meet the others nowhere between these. */
static bool stores_apart(const struct pstmt *loop) {
    return (loop->series != NULL && loop->series->points != NULL) || !has_store(loop->body);
}

/* Makes a loop the whole of a series, if it is one. */
static bool take_series(struct finder *f, struct pstmt *loop) {
    bool *written = find_written(f->uc, f->x.plan, loop->body);
    const struct plan_visitor others = {.stmt = find_other};
    if (!find_accs(f, loop, written) || !plan_walk(loop->body, &others, NULL))
        return false;
    bool found = takes_loop(f, loop) && are_all_joined(f) && stores_apart(loop) &&
                 are_others_apart(&f->x, loop, written);
    stmt_walk(loop, &(struct plan_visitor){.stmt = found ? name_accs : forget}, f);
    if (found && loop->series == NULL) {
        loop->series = NEW(f->uc, struct series);
        name_accs(loop, f);
    }
    if (found)
        loop->series->whole = true;
    return found;
}

static bool find_in(struct finder *f, struct pstmt *list);

/* Finds those of the form that threads have of a loop, as one of its parts may be. */
static bool find_in_other(struct finder *f, const struct pstmt *loop) {
    const int *all = f->x.mentions;
    const struct pstmt *own = copy_statements(f->uc, loop, loop->next, NULL, NULL);
    const int *without = count_mentions(f->uc, f->x.plan, own),
              *with = count_mentions(f->uc, f->x.plan, loop->shared);
    int *mentions = NEWN(f->uc, int, count_owned(f->x.plan) + 1);
    for (int i = 0; i < count_owned(f->x.plan); i++)
        mentions[i] = all[i] - without[i] + with[i];
    f->x.mentions = mentions;
    bool any = find_in(f, loop->shared);
    f->x.mentions = all;
    return any;
}

/* Finds those of a list that is not in a PS_SPREAD. */
static bool find_in(struct finder *f, struct pstmt *list) {
    bool any = false;
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        if (s->turned)
            any = find_in_other(f, s) || any;
        if (s->kind == PS_SPREAD || s->shared != NULL)
            continue;
        if (s->kind == PS_FOR && take_series(f, s)) {
            any = true;
            continue;
        }
        any = find_in(f, s->body) || any;
        any = find_in(f, s->other) || any;
    }
    return any;
}

static enum walk find_series_in(const struct pstmt *s, void *none) {
    (void)none;
    return s->series != NULL ? WALK_STOP : WALK_IN;
}

/* Stops at ordered loops that are no series, nor have any. */
static enum walk find_serial(const struct pstmt *s, void *none) {
    if (s->kind == PS_SPREAD || s->series != NULL || (s->kind == PS_FOR && s->shared != NULL))
        return WALK_PAST;
    bool loop = s->kind == PS_LOOP || s->kind == PS_FOR;
    bool constant =
        s->kind == PS_FOR && s->lo->kind == PV_CONST && s->hi->kind == PV_CONST && s->accs == NULL;
    bool inner = !plan_walk(s->body, &(struct plan_visitor){.stmt = find_series_in}, none);
    return loop && !constant && !inner ? WALK_STOP : WALK_IN;
}

/* ---- what the kernel has of them */

int series_group(const struct series_groups *x, const struct series_acc *a) {
    int i = 0;
    while (i < x->n && (x->join[i] != a->join || x->dtype[i] != a->var->dtype))
        i++;
    return i;
}

/* The first variable of the same operation and type. */
static int first_alike(const struct series *s, int i) {
    int k = 0;
    while (s->acc[k].join != s->acc[i].join || s->acc[k].var->dtype != s->acc[i].var->dtype)
        k++;
    return k;
}

static bool comes_before(const struct series *s, int k, int i) {
    int a = first_alike(s, k), b = first_alike(s, i);
    return a == b ? k < i : a < b;
}

enum { UNIT_BYTES = 96, LANE_BYTES = 64 }; /* of the terms of a thread, and of a lane, at most */

/* Iterations of a thread, or of a lane, at once, of so many bytes. */
static int units_of(const struct series *s, uint32_t bytes, bool lanes) {
    enum { FEW_NODES = 48, SOME_NODES = 128, UNITS = 8 };
    int64_t nodes = point_size(s->points);
    int units = nodes <= FEW_NODES ? UNITS : nodes <= SOME_NODES ? UNITS / 2 : lanes ? 2 : 1;
    while (units > 1 && (uint32_t)units * bytes > (lanes ? LANE_BYTES : UNIT_BYTES))
        units /= 2;
    return units;
}

struct series_room series_room(const struct series *s, bool lanes) {
    struct series_room r = {.bytes = 0};
    for (int i = 0; i < s->n; i++) {
        for (int k = 0; k < s->n; k++)
            if (first_alike(s, k) == first_alike(s, i) && s->terms[k] > r.terms[i])
                r.terms[i] = s->terms[k];
        r.apart[i] = (uint32_t)r.terms[i] * dtype_info[s->acc[i].var->dtype].bits / 8;
        r.bytes += r.apart[i];
    }
    r.units = units_of(s, r.bytes, lanes);
    r.bytes *= (uint32_t)r.units;
    for (int i = 0; i < s->n; i++)
        r.apart[i] *= (uint32_t)r.units;
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < s->n; k++)
            r.offset[i] += comes_before(s, k, i) ? r.apart[k] : 0;
    return r;
}

static void add_groups(struct series_groups *x, const struct series *s) {
    for (int i = 0; i < s->n; i++) {
        const struct series_acc *a = &s->acc[i];
        int group = series_group(x, a);
        x->full = x->full || group == MAX_SERIES_GROUPS;
        if (x->full)
            return;
        x->join[group] = a->join;
        x->dtype[group] = a->var->dtype;
        x->n = group == x->n ? group + 1 : x->n;
    }
}

struct series_groups groups_of_series(const struct series *s) {
    struct series_groups x = {.n = 0};
    add_groups(&x, s);
    return x;
}

static enum walk add_group(const struct pstmt *s, void *groups) {
    if (s->turned)
        plan_walk(s->shared, &(struct plan_visitor){.stmt = add_group}, groups);
    struct series_groups *x = groups;
    if (s->kind == PS_SPREAD)
        return WALK_PAST;
    if (s->series != NULL)
        add_groups(x, s->series);
    if (x->full)
        return WALK_STOP;
    if (s->series != NULL && s->series->points != NULL) {
        const struct series_room room = series_room(s->series, false);
        x->bytes = room.bytes > x->bytes ? room.bytes : x->bytes;
        x->units = x->units == 0 || room.units < x->units ? room.units : x->units;
    }
    return WALK_IN;
}

struct series_groups series_groups(const struct plan *p) {
    struct series_groups x = {.n = 0};
    plan_walk(p->body, &(struct plan_visitor){.stmt = add_group}, &x);
    return x;
}

/* ---- those of lanes */

struct lanes {
    struct finder *f;
    uint32_t bytes; /* of a lane */
    int points;     /* of a warp, at most: the fewest iterations that a lane has at once, or 1 */
};

static enum walk add_room(const struct pstmt *s, void *lanes) {
    struct lanes *x = lanes;
    struct series *own = s->series;
    if (own == NULL)
        return WALK_IN;
    own->of_lanes = true;
    if (own->points == NULL)
        return WALK_IN;
    const struct series_room room = series_room(own, true);
    x->bytes = room.bytes > x->bytes ? room.bytes : x->bytes;
    x->points = room.units < x->points ? room.units : x->points;
    return WALK_IN;
}

/* Stops at what may differ between points. */
static enum walk find_own(const struct pval *v, void *around) {
    const struct loops_around *a = around;
    if (v->kind == PV_VAR)
        while (a != NULL && a->index != v->var)
            a = a->outer;
    bool own = (v->kind == PV_VAR && a == NULL) || v->kind == PV_ELEM || v->kind == PV_LOAD;
    return own ? WALK_STOP : WALK_IN;
}

bool is_same_around(const struct pval *v, const struct loops_around *outer) {
    return value_walk(v, find_own, (void *)(uintptr_t)outer);
}

/* Do points come to the loops in a list whose iterations have terms together, however many these
 * are?  Lanes that add up several points' series wait for one another there. */
static bool meet_at_loops(const struct pstmt *list, const struct loops_around *outer) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        const struct loops_around own = {s->var, outer};
        bool terms = s->series != NULL && s->series->points != NULL;
        if (terms || stmt_walk(s, &(struct plan_visitor){.stmt = find_series_in}, NULL))
            continue;
        bool loop = s->kind == PS_FOR;
        bool meet = loop ? is_same_around(s->lo, outer) && is_same_around(s->hi, outer)
                         : is_same_around(s->value, outer) && meet_at_loops(s->other, outer);
        if (!meet || !meet_at_loops(s->body, loop ? &own : outer))
            return false;
    }
    return true;
}

static enum walk not_of_lanes(const struct pstmt *s, void *none) {
    (void)none;
    if (s->series != NULL)
        s->series->of_lanes = false;
    return WALK_IN;
}

/* Has lanes add up a loop, a whole series; false: it stores, or has too many variables. */
static bool give_lanes(struct lanes *x, const struct pstmt *loop) {
    struct lanes all = *x;
    if (has_store(loop->body) || groups_of_series(loop->series).full)
        return false;
    stmt_walk(loop, &(struct plan_visitor){.stmt = add_room}, &all);
    struct pstmt only = *loop;
    only.next = NULL;
    if (!meet_at_loops(&only, NULL))
        all.points = 1;
    if (all.bytes > LANE_BYTES) {
        stmt_walk(loop, &(struct plan_visitor){.stmt = not_of_lanes}, NULL);
        return false;
    }
    *x = all;
    return true;
}

/* Does a list set variables, and store elements of operands, also under conditions, and no more? */
static bool is_beside_series(const struct plan *p, const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        bool put = s->kind == PS_PUT && !s->merged && s->operand < p->noperands;
        bool choice =
            s->kind == PS_IF && is_beside_series(p, s->body) && is_beside_series(p, s->other);
        if (s->kind != PS_SET && !put && !choice)
            return false;
    }
    return true;
}

/* Has the points of a definition a warp each, if all ordered loops there are series. */
static void give_points(struct lanes *x, struct pstmt *s) {
    bool any = false, all = true;
    for (struct pstmt *in = s->body; in != NULL && all; in = in->next) {
        bool loop = in->kind == PS_FOR && take_series(x->f, in) && give_lanes(x, in);
        struct pstmt only = *in;
        only.next = NULL;
        any = any || loop;
        all = loop || is_beside_series(x->f->x.plan, &only);
    }
    if (!any || !all)
        plan_walk(s->body, &(struct plan_visitor){.stmt = forget}, NULL);
}

static void give_list(struct lanes *x, struct pstmt *list) {
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        bool points = s->kind == PS_SPREAD && s->accs == NULL &&
                      (s->ranges->next == NULL || x->f->x.plan->map.in_phases);
        if (points && !s->merged && !has_inner_spreads(s))
            give_points(x, s);
        else if (s->shared != NULL)
            give_list(x, s->shared);
        else if (s->series != NULL && s->series->whole)
            give_lanes(x, s);
        else if (s->kind != PS_SPREAD) {
            give_list(x, s->body);
            give_list(x, s->other);
        }
    }
}

bool has_lane_series(const struct pstmt *s) {
    const struct pstmt *in = s->body;
    while (in != NULL && (in->series == NULL || !in->series->of_lanes))
        in = in->next;
    return in != NULL;
}

/* ---- the body */

/* Whether points of definitions have series, of which none is kept: where points are calls, they
 * are the calls'. */
static bool find_at_points(struct finder *f, const struct pstmt *list) {
    bool any = false;
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        if (s->kind != PS_SPREAD || s->accs != NULL)
            continue;
        any = find_in(f, s->body) || any;
        plan_walk(s->body, &(struct plan_visitor){.stmt = forget}, NULL);
    }
    return any;
}

static bool may_have_series(const struct plan *p) {
    return p->overload->decl->kind == DECL_GUFUNC && !p->checked && p->nvars <= MAX_VARS;
}

static struct finder begin_finding(struct uc *uc, struct plan *p) {
    return (struct finder){
        .uc = uc,
        .x = {.uc = uc, .plan = p, .mentions = count_mentions(uc, p, p->body)},
    };
}

void find_series(struct uc *uc, struct plan *p) {
    if (!may_have_series(p))
        return;
    struct finder f = begin_finding(uc, p);
    p->map.series = find_in(&f, p->body->body) &&
                    plan_walk(p->body->body, &(struct plan_visitor){.stmt = find_serial}, NULL) &&
                    !series_groups(p).full;
    p->map.point_series = p->map.in_phases && find_at_points(&f, p->body->body);
}

/* The ranges that stand for a series' loops are as narrow as these. */
static enum walk take_widths(const struct pstmt *s, void *none) {
    if (s->turned)
        plan_walk(s->shared, &(struct plan_visitor){.stmt = take_widths}, none);
    struct prange *r =
        s->series != NULL && s->series->points != NULL ? s->series->points->ranges : NULL;
    for (const struct pstmt *loop = s; r != NULL; r = r->next, loop = loop->body)
        r->narrow = loop->narrow;
    return WALK_IN;
}

void give_series_to_lanes(struct uc *uc, struct plan *p) {
    if (!may_have_series(p))
        return;
    struct finder f = begin_finding(uc, p);
    struct lanes lanes = {&f, 0, MAX_SERIES_UNITS};
    bool steps = has_step_arrays(p) && !p->map.follows;
    plan_walk(p->body, &(struct plan_visitor){.stmt = take_widths}, NULL);
    p->map.series = p->map.series > 0 ? calls_of_series(p) : 0;
    if ((steps || p->map.in_phases) && p->nlocals == 0)
        give_list(&lanes, p->body->body);
    p->map.lane_series = lanes.bytes;
    p->map.lane_points = lanes.points;
}
