/* map.c: which parts of a gufunc's body may be spread over threads, and the size of the
 * largest. */
#include "apart.h"
#include "bounded.h"
#include "total.h"

/* ---- sizes as terms of image_abi.h */

static bool add_term(struct ufc_term *terms, int *nterms, int64_t op, int64_t value) {
    if (*nterms == UFC_MAX_TERMS)
        return false;
    terms[(*nterms)++] = (struct ufc_term){op, value};
    return true;
}

int64_t term_op(const struct pval *v) {
    if (v->kind == PV_CALL && v->nargs == 2)
        return v->builtin->id == B_MIN ? UFC_TERM_MIN : v->builtin->id == B_MAX ? UFC_TERM_MAX : -1;
    if (v->kind != PV_OP || v->nargs != 2)
        return -1;
    switch (v->op) {
    case OP_ADD: return UFC_TERM_ADD;
    case OP_SUB: return UFC_TERM_SUB;
    case OP_MUL: return UFC_TERM_MUL;
    case OP_FLOORDIV: return UFC_TERM_FLOORDIV;
    case OP_MOD: return UFC_TERM_MOD;
    default: return -1;
    }
}

/* ones: variables count as 1. */
static bool put_value(const struct pval *v, bool ones, struct ufc_term *terms, int *nterms) {
    if (v->dtype != DT_INT64)
        return false;
    if (v->kind == PV_VAR && ones)
        return add_term(terms, nterms, UFC_TERM_NUMBER, 1);
    if (v->kind == PV_CONST)
        return add_term(terms, nterms, UFC_TERM_NUMBER, (int64_t)v->i);
    if (v->kind == PV_DIM)
        return add_term(terms, nterms, UFC_TERM_DIMENSION, v->operand);
    if (v->kind == PV_OP && v->op == OP_NEG)
        return add_term(terms, nterms, UFC_TERM_NUMBER, 0) &&
               put_value(v->args[0], ones, terms, nterms) &&
               add_term(terms, nterms, UFC_TERM_SUB, 0);
    int64_t op = term_op(v);
    return op >= 0 && put_value(v->args[0], ones, terms, nterms) &&
           put_value(v->args[1], ones, terms, nterms) && add_term(terms, nterms, op, 0);
}

bool value_terms(const struct pval *v, struct ufc_term *terms, int *nterms) {
    return put_value(v, false, terms, nterms);
}

bool share_terms(const struct pval *v, struct ufc_term *terms, int *nterms) {
    return v->kind == PV_OP && v->op == OP_FLOORDIV && value_terms(v->args[0], terms, nterms) &&
           put_value(v->args[1], true, terms, nterms) &&
           add_term(terms, nterms, UFC_TERM_FLOORDIV, 0);
}

const struct dim *dim_of_terms(const struct decl *d, const struct pval *v) {
    struct ufc_term terms[UFC_MAX_TERMS];
    int n = 0;
    bool known = v->kind == PV_OP && value_terms(v, terms, &n);
    for (const struct dim *dim = known ? d->dims : NULL; dim != NULL; dim = dim->next) {
        int own = dim->length != NULL ? dim->nterms - 2 : dim->nterms;
        bool same = dim->index >= 0 && dim->expr != NULL && own == n;
        for (int i = 0; i < n && same; i++)
            same = dim->terms[i].op == terms[i].op && dim->terms[i].value == terms[i].value;
        if (same)
            return dim;
    }
    return NULL;
}

/* ---- the body */

void add_serial_loop(struct uc *uc, struct pstmt *s) {
    struct pstmt **at = &s->serial;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next) {
        struct pstmt *loop = NEW(uc, struct pstmt);
        *loop = (struct pstmt){.kind = PS_FOR, .at = s->at};
        loop->var = r->var;
        loop->lo = r->lo;
        loop->hi = r->hi;
        loop->step = r->step;
        *at = loop;
        at = &loop->body;
    }
    *at = s->body;
}

bool add_serial_loops(struct uc *uc, struct pstmt *s) {
    bool any = false;
    for (; s != NULL; s = s->next) {
        struct pstmt **const lists[] = PSTMT_LISTS(s);
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            any = add_serial_loops(uc, *lists[i]) || any;
        any = any || s->kind == PS_SPREAD || s->accs != NULL;
        if (s->kind == PS_SPREAD)
            add_serial_loop(uc, s);
    }
    return any;
}

/* ---- phases: each is one launch of a kernel, whose stores all threads see in the next */

/* Whether a phase has the statement alone, beside straight code: its threads share it. */
static bool is_phase(const struct pstmt *s) {
    return s->kind == PS_SPREAD || is_phase_loop(s);
}

/* Whether a statement is straight code, or one that threads share or each run for themselves.
 * PREFIX, which shares scans, does not test subscripts. */
static bool is_flat(const struct plan *p, const struct pstmt *s) {
    if (is_phase_loop(s))
        return !p->checked;
    return s->kind == PS_SPREAD || !is_loop(s) || may_repeat(p, s);
}

static bool is_flat_list(const struct plan *p, const struct pstmt *s) {
    while (s != NULL && is_flat(p, s))
        s = s->next;
    return s == NULL;
}

/* Whether a list has loops but for its spreads. */
static bool has_steps(const struct pstmt *s) {
    while (s != NULL && (s->kind == PS_SPREAD || !is_loop(s)))
        s = s->next;
    return s != NULL;
}

static int acc_bytes(const struct pstmt *s) {
    int n = 0;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        n += 8;
    return n;
}

/* Sets the phase of s and of the statements in it. */
static void set_phase(struct pstmt *s, int phase) {
    s->phase = phase;
    struct pstmt **const lists[] = PSTMT_LISTS(s);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        for (struct pstmt *in = *lists[i]; in != NULL; in = in->next)
            set_phase(in, phase);
}

/* Whether a phase must begin at a statement, behind another one: steps begin or end there. */
static bool begins_phase(const struct plan *p, const struct pstmt *s, const struct pstmt *before) {
    const struct plan_steps *x = p->steps;
    return x != NULL && before != NULL && (s == x->begin || before == x->end);
}

/* Numbers the phases of a flat body, each with one spread or scan at most. */
static void number_phases(struct plan *p, struct pstmt *s) {
    struct mapping *map = &p->map;
    struct hazard launch = {0};
    bool taken = false; /* whether the current phase has one */
    for (const struct pstmt *before = NULL; s != NULL; before = s, s = s->next) {
        bool spread = is_phase(s), next = (spread && taken) || begins_phase(p, s, before);
        struct access a = access_of(p, s);
        if (next)
            launch = (struct hazard){0};
        if (must_sync(&launch, spread, a) || next) {
            map->phases++;
            taken = false;
        }
        taken = taken || spread;
        set_phase(s, map->phases);
        s->partial = map->partial;
        map->partial += s->kind == PS_SPREAD ? acc_bytes(s) : 0;
    }
    map->phases++;
}

/* Finds what the phases store to. */
static void find_stored(struct uc *uc, struct plan *p) {
    p->map.stored = NEWN(uc, uint32_t, p->map.phases + 1);
    for (const struct pstmt *s = p->body->body; s != NULL; s = s->next)
        p->map.stored[s->phase] |= access_of(p, s).writes;
}

static enum walk find_own_put(const struct pstmt *s, void *plan) {
    const struct plan *p = plan;
    return s->kind == PS_PUT && s->operand >= p->noperands ? WALK_STOP : WALK_IN;
}

/* Whether a statement stores to an array of the call's own, of which each launch has another. */
static bool stores_own(const struct plan *p, const struct pstmt *s) {
    return !stmt_walk(s, &(struct plan_visitor){.stmt = find_own_put}, (void *)p);
}

/* Whether straight code, which the launches of later phases repeat, finds in all of them what it
 * reads: no later phase stores to an output that it reads.  What it stores to outputs only its own
 * launch computes. */
static bool may_be_repeated(struct uc *uc, const struct plan *p) {
    int n = p->map.phases;
    uint32_t *later =
        NEWN(uc, uint32_t, n + 1); /* by phase: what it and those behind it store to */
    for (int i = n - 1; i >= 0; i--)
        later[i] = later[i + 1] | p->map.stored[i];
    for (int i = p->steps ? p->steps->begin->phase : n; i < n && i <= p->steps->end->phase; i++)
        later[i] |= later[p->steps->begin->phase];
    for (const struct pstmt *s = p->body->body; s != NULL; s = s->next) {
        bool once = (is_phase(s) || s->kind == PS_PUT) && !stores_own(p, s);
        if (!once && later[s->phase] & access_of(p, s).reads)
            return false;
    }
    return true;
}

/* ---- what threads of NEST share */

enum { ELEMENT_SIZE = 4 };

int64_t constant_points(const struct prange *r) {
    int64_t n = 1;
    for (; r != NULL; r = r->next) {
        int64_t lo = (int64_t)r->lo->i, hi = (int64_t)r->hi->i, step = (int64_t)r->step->i;
        bool known = r->lo->kind == PV_CONST && r->hi->kind == PV_CONST &&
                     r->step->kind == PV_CONST && step > 0 && lo > -UNROLLED_POINTS &&
                     hi <= UNROLLED_POINTS;
        if (!known)
            return INT64_MAX;
        n *= hi <= lo ? 0 : (hi - lo + step - 1) / step;
    }
    return n;
}

/* Is a reduction at each point of s long enough, of unknown length, or over a row of the point's
 * own, so that threads may share it? */
static bool is_long(const struct pstmt *s, const struct pstmt *reduction) {
    return reduction->kind == PS_SPREAD && reduction->accs != NULL &&
           (constant_points(reduction->ranges) > UNROLLED_POINTS || has_own_row(s, reduction));
}

/* The size of what is computed at a point, or in a loop there that is unrolled. */
struct sized {
    int64_t size, elements;        /* of it all, and of elements alone */
    const struct prange *unrolled; /* the ranges of that, NULL: it is the point */
    const struct sized *outer;
};

static enum walk find_unknown(const struct pval *v, void *sized) {
    for (const struct sized *x = sized; v->kind == PV_VAR && x != NULL; x = x->outer)
        for (const struct prange *r = x->unrolled; r != NULL; r = r->next)
            if (r->var == v->var)
                return WALK_PAST;
    bool known = v->kind == PV_CONST || (v->nargs > 0 && v->kind != PV_ELEM);
    return known ? WALK_IN : WALK_STOP;
}

/* Adds the nodes of a value, an element as ELEMENT_SIZE: neighbouring points share much of how
 * indices are computed and compared.  An element of a table is an operand in unrolled code. */
static enum walk add_nodes(const struct pval *v, void *arg) {
    struct sized *x = arg;
    bool compares = v->kind == PV_OP && v->nargs == 2 && v->args[0]->dtype == DT_INT64;
    bool constant = v->kind == PV_TABLE && value_walk(v, find_unknown, arg);
    x->size += v->kind == PV_ELEM ? ELEMENT_SIZE : constant ? 0 : 1;
    x->elements += v->kind == PV_ELEM ? ELEMENT_SIZE : 0;
    return v->kind == PV_ELEM || compares || constant ? WALK_PAST : WALK_IN;
}

static bool has_element(const struct pval *v) {
    return !value_walk(v, find_any_element, NULL);
}

/* Adds what is computed at a point, each copy of an unrolled loop; other loops are very long. */
static enum walk add_size(const struct pstmt *s, void *arg) {
    struct sized *x = arg;
    int64_t n = 1;
    struct prange own = {.var = s->var, .lo = s->lo, .hi = s->hi, .step = s->step};
    const struct prange *ranges = s->kind == PS_FOR && s->accs == NULL ? &own : s->ranges;
    bool nest = s->kind == PS_SPREAD || ranges == &own;
    bool unrolled = nest && (n = constant_points(ranges)) <= UNROLLED_POINTS;
    if (is_loop(s) && s->kind != PS_IF && !unrolled) {
        x->size = INT32_MAX;
        return WALK_STOP;
    }
    if (unrolled && x->size < INT32_MAX) {
        struct sized inner = {.unrolled = ranges, .outer = x};
        plan_walk(s->body, &(struct plan_visitor){.stmt = add_size}, &inner);
        x->size += n * inner.size;
        x->elements += n * inner.elements;
        return WALK_PAST;
    }
    bool guards = s->kind == PS_IF && s->other == NULL && !has_element(s->value);
    value_walk(guards ? NULL : s->value, add_nodes, x);
    value_walk(s->place, add_nodes, x);
    return WALK_IN;
}

int64_t point_size(const struct pstmt *s) {
    return points_size(s, 1, false);
}

int64_t points_size(const struct pstmt *s, int n, bool shares) {
    struct sized x = {.size = 0};
    plan_walk(s->body, &(struct plan_visitor){.stmt = add_size}, &x);
    return n * (x.size - x.elements) + (shares && n > 2 ? 2 : n) * x.elements;
}

/* Do neighbours along one of the last two ranges, along which a thread may go, share elements? */
static bool walk_shares(const struct plan *p, const struct pstmt *s) {
    const struct prange *r = s->ranges;
    while (r->next != NULL && r->next->next != NULL)
        r = r->next;
    return shares_along(p, s, r) || (r->next != NULL && shares_along(p, s, r->next));
}

/* Describes the spread s of a phase. */
static void describe_phase(const struct plan *p, struct pstmt *s, struct ufc_phase *phase) {
    phase->ranges = s->accs == NULL ? (uint32_t)count_ranges(s->ranges) : 0;
    s->parted = s->accs != NULL;
    find_bins(p, s, phase);
    phase->reductions = s->parted;
    phase->bytes = (uint32_t)acc_bytes(s);
    if (s->parted)
        return;
    for (struct pstmt *in = s->body; in != NULL; in = in->next)
        if (is_long(s, in) && count_ranges(in->ranges) <= MAX_RANGES) {
            in->parted = true;
            phase->bytes = phase->reductions++ == 0 ? (uint32_t)acc_bytes(in) : 0;
        }
    const struct pstmt *scan = p->checked ? NULL : scan_at_points(s);
    if (scan != NULL)
        describe_scan(scan, scan_units(scan, SCAN_UNITS), phase);
    int64_t size = point_size(s);
    int64_t most = s->ranges->next != NULL && walk_shares(p, s) ? SHARED_BODY : WALKED_BODY;
    phase->walks = size <= most ? (uint32_t)size + 1 : 0;
}

/* Describes the phase of a scan by tiles. */
static void describe_tiles(struct uc *uc, struct plan *p, const struct pstmt *s) {
    struct scan_run run;
    bool runs = find_scan_run(uc, p, s, &run);
    int words = runs ? run.words : 0;
    p->map.run_words = words > p->map.run_words ? words : p->map.run_words;
    p->map.phase[s->phase].tail = runs && run.tail != NULL;
    describe_scan(s, runs ? run.units : scan_units(s, SCAN_UNITS), &p->map.phase[s->phase]);
}

/* Describes the phases.  False: a spread has more ranges than NEST knows. */
static bool describe_phases(struct uc *uc, struct plan *p) {
    p->map.phase = NEWN(uc, struct ufc_phase, p->map.phases + 1);
    p->map.deal = NEWN(uc, const struct deal *, p->map.phases + 1);
    bool fit = true;
    for (struct pstmt *s = p->body->body; s != NULL; s = s->next) {
        if (is_scan_loop(s))
            describe_tiles(uc, p, s);
        if (s->deal != NULL)
            describe_deal(uc, p, p->map.deal[s->phase] = s->deal, &p->map.phase[s->phase]);
        if (s->kind != PS_SPREAD)
            continue;
        int most = s->accs == NULL ? UFC_MAX_POINT_RANGES : MAX_RANGES;
        fit = fit && count_ranges(s->ranges) <= most;
        describe_phase(p, s, &p->map.phase[s->phase]);
    }
    return fit;
}

/* ---- the widest spread */

static bool range_terms(const struct prange *r, struct ufc_term *terms, int *n) {
    const struct pval *lo = unguarded(r->lo), *hi = unguarded(r->hi);
    struct pval step = {.kind = PV_OP, .op = OP_SUB, .dtype = DT_INT64, .nargs = 2};
    step.args[0] = (struct pval *)hi;
    step.args[1] = (struct pval *)lo;
    bool by_one = r->step->kind == PV_CONST && r->step->i == 1;
    bool zero = lo->kind == PV_CONST && lo->i == 0;
    int before = *n;
    if (by_one && value_terms(zero ? hi : &step, terms, n))
        return true;
    *n = before;
    return by_one && zero && share_terms(hi, terms, n);
}

/* Appends the product of the ranges' lengths, or with `last` the length of the last one, as terms.
 * A length that is not known counts as 1. */
static void add_width(const struct prange *r, bool last, struct ufc_term *terms, int *n) {
    int before = *n;
    bool first = true;
    for (; r != NULL; r = r->next) {
        if (last && r->next != NULL)
            continue;
        int here = *n;
        if (!range_terms(r, terms, n) || (!first && !add_term(terms, n, UFC_TERM_MUL, 0))) {
            *n = here;
            continue;
        }
        first = false;
    }
    if (before > 0 && *n > before && !add_term(terms, n, UFC_TERM_MAX, 0))
        *n = before;
}

struct widths {
    bool last;
    struct ufc_term *terms;
    int *n;
};

/* The same of a PS_FOR by 1 or -1. */
static void add_loop_width(const struct pstmt *s, const struct widths *w) {
    struct pval one = {.kind = PV_CONST, .dtype = DT_INT64, .i = 1};
    bool up = s->step->i == 1;
    struct prange r = {.lo = up ? s->lo : s->hi, .hi = up ? s->hi : s->lo, .step = &one};
    add_width(&r, w->last, w->terms, w->n);
}

static enum walk add_widths(const struct pstmt *s, void *arg) {
    const struct widths *w = arg;
    if (s->kind == PS_SPREAD && s->ranges->about != NULL)
        add_loop_width(s->ranges->about, w);
    else if (s->kind == PS_SPREAD)
        add_width(s->ranges, w->last, w->terms, w->n);
    else if (s->accs != NULL)
        add_loop_width(s, w);
    else if (s->shared != NULL)
        plan_walk(s->shared, &(struct plan_visitor){.stmt = add_widths}, arg);
    else
        return WALK_IN;
    return WALK_PAST;
}

/* ---- the cost */

/* Counts operations, those on indices included.  Bounds are not counted, as they are evaluated
 * once. */
static enum walk count_operations(const struct pstmt *s, void *operations) {
    *(int *)operations += value_size(s->value) + value_size(s->place);
    if (s->ranges != NULL && s->ranges->next != NULL)
        *(int *)operations += 10; /* splitting a position into indices */
    return WALK_IN;
}

static bool has_merged(const struct pstmt *s) {
    while (s != NULL && !(s->kind == PS_SPREAD && s->merged))
        s = s->next;
    return s != NULL;
}

enum { MOST_STEPS = 4096 }; /* of loops between constants */

int64_t constant_steps(const struct pstmt *s) {
    if (s->kind != PS_FOR || s->accs != NULL || s->lo->kind != PV_CONST ||
        s->hi->kind != PV_CONST || s->step->kind != PV_CONST || s->step->i == 0)
        return -1;
    int64_t lo = (int64_t)s->lo->i, hi = (int64_t)s->hi->i, step = (int64_t)s->step->i;
    bool known = lo >= -MOST_STEPS && lo <= MOST_STEPS && hi >= -MOST_STEPS && hi <= MOST_STEPS &&
                 step >= -MOST_STEPS && step <= MOST_STEPS;
    int64_t n = !known ? -1 : step > 0 ? (hi - lo + step - 1) / step : (lo - hi - step - 1) / -step;
    return known && n < 0 ? 0 : n;
}

/* Whether registers may hold the rows that the steps of ordered loops read: the steps write nothing
 * that others read. */
static bool may_hold_rows(const struct plan *p) {
    const struct mapping *m = &p->map;
    return !p->checked && p->steps == NULL && p->nlocals == 0 && m->resident >> p->nin == 0 &&
           !m->follows && m->state == NULL;
}

struct pvar *plan_variable(struct uc *uc, struct plan *p, const char *name, enum ufc_dtype d) {
    struct variable *var = NEW(uc, struct variable);
    struct pvar **end = &p->vars;
    while (*end != NULL)
        end = &(*end)->next;
    var->pvar = (struct pvar){.id = p->nvars++, .dtype = d, .name = name};
    *end = &var->pvar;
    return &var->pvar;
}

/* Whether a list has a definition, or a loop that is one or updates bins, of points whose number is
 * not constant. */
static bool has_points(const struct pstmt *s) {
    for (; s != NULL; s = s->next)
        if ((s->kind == PS_SPREAD && constant_points(s->ranges) == INT64_MAX) ||
            (s->kind == PS_FOR && (s->deal != NULL || has_points(s->shared))))
            return true;
    return false;
}

/* Whether a list is flat once its loops with `shared` are definitions, and short ones in order are
 * single points. */
static bool becomes_flat(const struct sharer *x, struct pstmt *list) {
    const struct plan *p = x->plan;
    bool points = has_points(list);
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        bool shared = s->kind == PS_FOR && s->shared != NULL;
        bool flat = shared ? is_flat_list(p, s->shared) : is_flat(p, s);
        if (!flat && !(points && !shared && may_be_single(x, list, s, &s)))
            return false;
    }
    return true;
}

/* Replaces loops that are in no other by the definitions that they are: all that have `shared`
 * where nothing else is in order, or only short loops, so that these are phases; elsewhere those
 * that merge what they store.  Whether there are any. */
static bool define_loops(struct uc *uc, struct plan *p, struct pstmt **list) {
    struct sharer x = {.uc = uc, .plan = p, .mentions = count_mentions(uc, p, p->body)};
    bool any = false, all = becomes_flat(&x, *list);
    for (struct pstmt **at = list; *at != NULL; at = &(*at)->next) {
        struct pstmt *s = *at;
        struct pstmt *behind = s;
        if (all && s->shared == NULL && !is_flat(p, s) && may_be_single(&x, *list, s, &behind)) {
            *at = single_point(uc, p, s, s->at);
            (*at)->next = behind->next;
            behind->next = NULL;
            continue;
        }
        if (s->kind != PS_FOR || s->shared == NULL || !(all || has_merged(s->shared)))
            continue;
        *at = s->shared;
        struct pstmt *last = s->shared;
        while (last->next != NULL)
            last = last->next;
        last->next = s->next;
        any = true;
    }
    return any;
}

static bool has_constant_bounds(const struct pstmt *s) {
    return s->lo->kind == PV_CONST && s->hi->kind == PV_CONST;
}

static enum walk find_long_loop(const struct pstmt *s, void *none) {
    (void)none;
    bool stops = s->kind == PS_SPREAD || (s->kind == PS_FOR && !has_constant_bounds(s));
    return stops ? WALK_STOP : WALK_IN;
}

/* Whether threads may help others in the body's ordered loops: these are in no statement that only
 * some threads come to. */
static bool can_be_helped(const struct plan *p, const struct pstmt *list) {
    const struct plan_visitor long_loops = {.stmt = find_long_loop};
    bool any = false;
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        bool loop = s->kind == PS_FOR && !has_constant_bounds(s);
        any = any || loop;
        if (s->kind == PS_SPREAD || !plan_walk(s->body, &long_loops, NULL) ||
            !plan_walk(s->other, &long_loops, NULL))
            return false;
    }
    return any && !p->checked;
}

void map_plan(struct uc *uc, struct plan *p) {
    struct mapping *map = &p->map;
    if (p->overload->decl->kind == DECL_GUFUNC)
        guard_spreads(uc, p);
    struct pstmt *body = p->body->body;
    map->spreads = add_serial_loops(uc, body);
    map->scans = has_scans(p);
    if (p->overload->decl->kind != DECL_GUFUNC)
        return; /* each thread computes whole elements */
    find_waves(uc, p);
    map->shared = share_loops(uc, p);
    if (p->steps != NULL && !flatten_steps(uc, p))
        p->steps = NULL;
    map->deals = map->may_deal = find_deals(uc, p);
    map->spreads = define_loops(uc, p, &p->body->body) || map->spreads;
    order_ragged(uc, p);
    body = p->body->body;
    if (p->steps != NULL && !keeps_steps(p))
        p->steps = NULL;
    bool flat = is_flat_list(p, body), once = p->steps == NULL;
    if (flat && !p->checked && once) {
        drop_fills(p, &p->body->body);
        body = p->body->body;
    }
    if (flat && !p->checked && once)
        adjoin_definitions(uc, p);
    if (flat) {
        number_phases(p, body);
        find_stored(uc, p);
        bool fit = describe_phases(uc, p), shares = map->spreads || map->deals;
        map->in_phases = fit && shares && may_be_repeated(uc, p);
    }
    map->deals = map->deals && map->in_phases;
    for (struct pstmt *s = body; s != NULL && !map->in_phases; s = s->next)
        s->deal = NULL;
    if (!p->checked) {
        keep_point_cells(uc, p);
        fix_elements(uc, p);
        if (once)
            keep_scalars(uc, p);
        if (once)
            forward_elements(uc, p);
        carry_elements(uc, p);
    }
    find_lags(uc, p);
    find_series(uc, p);
    if (!p->checked)
        find_state(uc, p);
    find_by_first(uc, p);
    sync_threads(uc, p);
    map->helped = can_be_helped(p, body);
    find_resident(uc, p);
    if (map->resident != 0 && !map->follows) {
        find_halo(uc, p);
        find_panels(uc, p);
    }
    map->width = NEWN(uc, struct ufc_term, UFC_MAX_TERMS);
    map->row = NEWN(uc, struct ufc_term, UFC_MAX_TERMS);
    const struct plan_visitor visitor = {.stmt = add_widths};
    plan_walk(body, &visitor, &(struct widths){false, map->width, &map->nwidth});
    plan_walk(body, &visitor, &(struct widths){true, map->row, &map->nrow});
    bool known = map->nwidth <= UFC_MAX_TERMS / 2; /* else it may lack a spread */
    bool steps = !flat || has_steps(body);
    if (known && (!steps || may_hold_rows(p)))
        find_rows(uc, p, body);
    map->tiling = NEWN(uc, const struct tiling *, map->phases + 1);
    if (flat) {
        find_tilings(uc, p);
        find_band_values(uc, p);
    }
    if (once)
        find_sweeps(uc, p);
    map->window = tiles_calls(p) ? find_window(uc, p) : NULL;
    if (map->window != NULL)
        map->tiling[0] = NULL;
    plan_walk(body, &(struct plan_visitor){.stmt = count_operations}, &map->operations);
}
