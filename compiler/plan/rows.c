/* rows.c: finds the PS_SPREADs of a call that read the same rows, which registers may hold
 * from one to the next: the points of each are the same, and each computes straight code.  Those
 * in the steps of ordered loops read their rows at each step. */
#include "plan.h"

enum { MOST_SPREADS = 16 };

/* ---- the form of a spread */

/* Is the number of a range's points known from the dimensions' sizes, in few terms, and is the step
 * 1? */
static bool is_known(const struct prange *r) {
    enum { FEW = 6 };
    struct ufc_term terms[UFC_MAX_TERMS];
    int n = 0;
    return r->step->kind == PV_CONST && r->step->i == 1 && value_terms(r->lo, terms, &n) &&
           value_terms(r->hi, terms, &n) && n <= FEW;
}

/* Is the code straight, but for conditionals that set variables or merge? */
static bool sets_only(const struct pstmt *s, bool stores) {
    for (; s != NULL; s = s->next)
        if (!(s->kind == PS_SET || (s->kind == PS_PUT && (stores || s->merged)) ||
              (s->kind == PS_IF && sets_only(s->body, false) && sets_only(s->other, false))))
            return false;
    return true;
}

/* A value that is searched for in a spread's body. */
struct search {
    const struct plan *plan;
    const struct prange *ranges; /* the spread's */
    const struct pstmt *body;
    const struct pvar *var;
    const struct pval *element;
    int operand;
    bool chains;      /* subscripts may be made of elements, which are loaded before */
    bool stores_last; /* what the last statement stores may be read before */
};

static enum walk find_set(const struct pstmt *s, void *arg) {
    const struct search *f = arg;
    return s->kind == PS_SET && s->var == f->var ? WALK_STOP : WALK_IN;
}

/* Stops at what a subscript must not be made of: elements, unless they chain, and variables that
 * the body sets. */
static enum walk find_unknown(const struct pval *v, void *arg) {
    struct search f = *(const struct search *)arg;
    f.var = v->var;
    bool set =
        v->kind == PV_VAR && !plan_walk(f.body, &(struct plan_visitor){.stmt = find_set}, &f);
    return set || (v->kind == PV_ELEM && !f.chains) ? WALK_STOP : WALK_IN;
}

static enum walk find_same(const struct pval *v, void *arg) {
    const struct search *f = arg;
    return same_value(v, f->element) ? WALK_STOP : WALK_IN;
}

static enum walk find_put(const struct pstmt *s, void *arg) {
    const struct search *f = arg;
    return s->kind == PS_PUT && s->operand == f->operand ? WALK_STOP : WALK_IN;
}

/* Is a subscript `end`, and a number, less an index that takes those of r? */
static bool is_within_backwards(const struct prange *r, struct pval *v, struct pval *index,
                                struct pval *end, int64_t left) {
    struct pval both = {.kind = PV_OP, .dtype = DT_INT64, .op = OP_ADD, .nargs = 2};
    int64_t number;
    both.args[0] = v;
    both.args[1] = index;
    return constant_difference(end, &both, &number) && number < (int64_t)r->lo->i &&
           left >= -1 - number;
}

/* Is a subscript an index of the spread, and a number, or a number less one, that is in range at
 * all of its points? */
static bool is_within(const struct prange *ranges, struct pval *v, const struct dim *dim) {
    struct pval end = {.kind = PV_DIM, .dtype = DT_INT64, .operand = dim->index};
    if (dim->size < 0 && dim->index < 0)
        return false;
    if (dim->size >= 0)
        end = (struct pval){.kind = PV_CONST, .dtype = DT_INT64, .i = (uint64_t)dim->size};
    for (const struct prange *r = ranges; r != NULL; r = r->next) {
        struct pval index = {.kind = PV_VAR, .dtype = DT_INT64, .var = r->var};
        int64_t number, left;
        if (r->lo->kind == PV_CONST && r->step->kind == PV_CONST && (int64_t)r->step->i > 0 &&
            constant_difference(r->hi, &end, &left)) {
            if (constant_difference(&index, v, &number))
                return (int64_t)r->lo->i >= -number && number <= left;
            if (is_within_backwards(r, v, &index, &end, left))
                return true;
        }
    }
    return false;
}

/* Does an element exist at all points of the ranges, as the sizes of dimensions tell? */
static bool exists(const struct plan *p, const struct prange *ranges, const struct pval *element) {
    const struct poperand *o = &p->operands[element->operand];
    bool is = true;
    for (int i = 0; i < element->nargs && is; i++)
        is = is_in_range(element->args[i], o->dims[i]) ||
             is_within(ranges, element->args[i], o->dims[i]);
    return is;
}

/* May an element be loaded whatever the conditionals of the body? */
static bool may_load(const struct search *x, const struct pval *element) {
    struct search f = {.element = element};
    bool found = exists(x->plan, x->ranges, element);
    for (const struct pstmt *s = x->body; s != NULL && !found; s = s->next)
        found = !value_walk(s->value, find_same, &f);
    return found;
}

/* Stops at an element that cannot be loaded before the body runs. */
static enum walk find_late(const struct pval *v, void *arg) {
    struct search f = *(const struct search *)arg;
    if (v->kind != PV_ELEM)
        return WALK_IN;
    for (int i = 0; i < v->nargs; i++)
        if (!value_walk(v->args[i], find_unknown, &f))
            return WALK_STOP;
    f.operand = v->operand;
    bool own = v->operand >= f.plan->noperands || v->checked != 0;
    return own ? WALK_STOP : WALK_IN;
}

/* Stops at a value that is read late, or only where a condition holds, or after the body stores it.
 */
static enum walk find_unheld(const struct pval *v, void *arg) {
    struct search f = *(const struct search *)arg;
    if (v->kind != PV_ELEM)
        return WALK_IN;
    f.operand = v->operand;
    bool stored = !plan_walk(f.body, &(struct plan_visitor){.stmt = find_put}, &f);
    return (stored && !f.stores_last) || !may_load(&f, v) ? WALK_STOP : WALK_IN;
}

/* What a PS_PUT that merges reads before: its subscripts, and the number. */
static enum walk check_merge(const struct pstmt *s, void *arg) {
    bool fits = value_walk(merged_value(s), find_late, arg) &&
                value_walk(merged_value(s), find_unheld, arg);
    for (int i = 0; i < s->place->nargs; i++)
        fits = fits && value_walk(s->place->args[i], find_late, arg) &&
               value_walk(s->place->args[i], find_unheld, arg);
    return fits ? WALK_IN : WALK_STOP;
}

static enum walk check_stmt(const struct pstmt *s, void *arg) {
    if (s->merged)
        return check_merge(s, arg);
    bool fits = value_walk(s->value, find_late, arg) && value_walk(s->place, find_late, arg) &&
                value_walk(s->value, find_unheld, arg);
    return fits ? WALK_IN : WALK_STOP;
}

static enum walk add_size(const struct pstmt *s, void *size) {
    *(int *)size += value_size(s->value);
    return WALK_IN;
}

static bool fits_before(const struct plan *p, const struct pstmt *s, bool stores_last) {
    struct search f = {.plan = p,
                       .ranges = s->ranges,
                       .body = s->body,
                       .chains = s->merged,
                       .stores_last = stores_last};
    const struct plan_visitor count = {.stmt = add_size}, check = {.stmt = check_stmt};
    int size = 0, most = s->merged ? MERGED_BODY : HELD_BODY;
    return s->kind == PS_SPREAD && !p->checked && sets_only(s->body, true) &&
           plan_walk(s->body, &count, &size) && size <= most && plan_walk(s->body, &check, &f);
}

bool loads_first(const struct plan *p, const struct pstmt *s) {
    return fits_before(p, s, false);
}

bool loads_most(const struct plan *p, const struct pstmt *s) {
    int size = 0;
    return s->kind == PS_SPREAD && !p->checked && sets_only(s->body, true) &&
           plan_walk(s->body, &(struct plan_visitor){.stmt = add_size}, &size) && size <= HELD_BODY;
}

static bool stores_last_alone(const struct pstmt *s) {
    const struct pstmt *last = s->body;
    while (last != NULL && last->next != NULL && last->kind != PS_PUT)
        last = last->next;
    return last != NULL && last->kind == PS_PUT && last->next == NULL;
}

bool loads_before_storing(const struct plan *p, const struct pstmt *s) {
    return stores_last_alone(s) && !s->merged && fits_before(p, s, true);
}

/* Stops at an element of an array that the body stores to. */
static enum walk find_stored(const struct pval *v, void *arg) {
    struct search f = *(const struct search *)arg;
    f.operand = v->operand;
    bool stored =
        v->kind == PV_ELEM && !plan_walk(f.body, &(struct plan_visitor){.stmt = find_put}, &f);
    return stored ? WALK_STOP : WALK_IN;
}

static enum walk check_stored(const struct pstmt *s, void *arg) {
    return value_walk(s->value, find_stored, arg) ? WALK_IN : WALK_STOP;
}

/* Stops at a place whose subscripts are made of what the body sets or reads. */
static enum walk check_place(const struct pstmt *s, void *arg) {
    return value_walk(s->place, find_late, arg) ? WALK_IN : WALK_STOP;
}

bool stores_behind(const struct plan *p, const struct pstmt *s) {
    struct search f = {.plan = p, .body = s->body};
    const struct plan_visitor count = {.stmt = add_size}, check = {.stmt = check_stored},
                              places = {.stmt = check_place};
    int size = 0;
    return s->kind == PS_SPREAD && !p->checked && !s->merged && sets_only(s->body, true) &&
           plan_walk(s->body, &count, &size) && size <= HELD_BODY &&
           plan_walk(s->body, &places, &f) &&
           (stores_last_alone(s) || plan_walk(s->body, &check, &f));
}

bool loads_before(const struct plan *p, const struct pstmt *s, const struct pval *element) {
    struct search f = {.plan = p, .ranges = s->ranges, .body = s->body};
    return value_walk(element, find_late, &f) && value_walk(element, find_unheld, &f);
}

/* Can all points of a thread be computed at once, with all elements loaded first? */
static bool can_hold(const struct plan *p, const struct pstmt *s) {
    int ranges = 0;
    if (s->merged || s->ordered || !loads_first(p, s))
        return false;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next, ranges++)
        if (!is_known(r))
            return false;
    return ranges <= HELD_MAX_RANGES;
}

/* ---- the same rows */

bool same_in_spreads(const struct pstmt *s, const struct pval *a, const struct pstmt *t,
                     const struct pval *b) {
    if (a->kind != b->kind || a->nargs != b->nargs)
        return false;
    if (a->kind == PV_VAR) {
        const struct prange *q = s->ranges, *r = t->ranges;
        for (; q != NULL && r != NULL; q = q->next, r = r->next)
            if (q->var == a->var || r->var == b->var)
                return q->var == a->var && r->var == b->var;
        return a->var == b->var;
    }
    struct pval x = *a, y = *b;
    x.nargs = y.nargs = 0;
    bool same = same_value(&x, &y);
    for (int i = 0; same && i < a->nargs; i++)
        same = same_in_spreads(s, a->args[i], t, b->args[i]);
    return same;
}

/* The spreads of a call, in order. */
struct spreads {
    struct pstmt *s[MOST_SPREADS];
    bool again[MOST_SPREADS]; /* it is in a loop */
    int n;
    bool steps; /* some are in loops or conditionals */
};

struct pair {
    const struct plan *plan;
    const struct pstmt *s, *t;
    const struct pval *element;
    bool steps;
};

static enum walk find_index(const struct pval *v, void *spread) {
    bool found = false;
    for (const struct prange *r = ((const struct pstmt *)spread)->ranges; r != NULL; r = r->next)
        found = found || (v->kind == PV_VAR && v->var == r->var);
    return found ? WALK_STOP : WALK_IN;
}

/* Stops at a variable that is no index of the spread: the call may set it later. */
static enum walk find_other(const struct pval *v, void *spread) {
    return v->kind == PV_VAR && find_index(v, spread) != WALK_STOP ? WALK_STOP : WALK_IN;
}

static bool is_known_first(const struct pval *v, const struct pstmt *spread) {
    return value_walk(v, find_other, (void *)spread);
}

/* May an element be loaded before steps, of which none may come to the spread? */
static bool loads_before_steps(const struct plan *p, const struct pstmt *spread,
                               const struct pval *v) {
    return is_known_first(v, spread) && exists(p, spread->ranges, v);
}

static enum walk find_in_other(const struct pval *v, void *arg) {
    const struct pair *f = arg;
    return same_in_spreads(f->t, v, f->s, f->element) ? WALK_STOP : WALK_IN;
}

/* Stops at an input's element that the other spread reads at its points too. */
static enum walk find_shared(const struct pval *v, void *arg) {
    struct pair *f = arg;
    f->element = v;
    if (v->kind != PV_ELEM || v->operand >= f->plan->nin || v->nargs == 0 ||
        (f->steps && !loads_before_steps(f->plan, f->s, v)))
        return WALK_IN;
    return plan_walk(f->t->body, &(struct plan_visitor){.value = find_in_other}, f) ? WALK_PAST
                                                                                    : WALK_STOP;
}

static bool shares(const struct plan *p, const struct pstmt *s, const struct pstmt *t, bool steps) {
    struct pair f = {.plan = p, .s = s, .t = t, .steps = steps};
    return same_bounds(s->ranges, t->ranges) &&
           !plan_walk(s->body, &(struct plan_visitor){.value = find_shared}, &f);
}

static enum walk find_widest(const struct pval *v, void *arg) {
    int *widest = arg, size = dtype_info[v->dtype].bits / 8;
    if (v->kind == PV_ELEM && size > *widest)
        *widest = size;
    return WALK_IN;
}

static enum walk find_operands(const struct pval *v, void *arg) {
    uint32_t *operands = arg;
    if (v->kind == PV_ELEM)
        *operands |= UINT32_C(1) << v->operand;
    return WALK_IN;
}

/* Marks the spreads whose points are those of `first`.  Registers of a block hold long rows where
 * reductions read one array. */
static void mark(struct plan *p, const struct spreads *x, const struct pstmt *first) {
    int widest = 1;
    uint32_t reduced = 0;
    for (int i = 0; i < x->n; i++) {
        struct pstmt *s = x->s[i];
        s->held = can_hold(p, s) && same_bounds(first->ranges, s->ranges);
        if (s->held)
            plan_walk(s->body, &(struct plan_visitor){.value = find_widest}, &widest);
        if (s->held && s->accs != NULL)
            plan_walk(s->body, &(struct plan_visitor){.value = find_operands}, &reduced);
    }
    p->map.rows = first;
    p->map.held = widest > 4 ? HELD_POINTS / 2 : HELD_POINTS;
    p->map.held_lanes = 16 / widest;
    p->map.long_rows =
        !x->steps && widest <= 4 && first->ranges->next == NULL && !(reduced & (reduced - 1));
}

/* ---- what is kept */

const struct kept *kept_element(const struct plan *p, const struct pstmt *s, const struct pval *v) {
    const struct kept *k = p->map.kept;
    while (k != NULL && !same_in_spreads(k->first, k->place, s, v))
        k = k->next;
    return k;
}

struct keeping {
    struct uc *uc;
    struct plan *plan;
    const struct spreads *all;
    int at; /* of the spread, which is */
    const struct pstmt *spread, *other;
    const struct pval *element;
    struct kept **end;
};

static enum walk find_again(const struct pval *v, void *arg) {
    const struct keeping *k = arg;
    return same_in_spreads(k->spread, k->element, k->other, v) ? WALK_STOP : WALK_IN;
}

/* Does the spread or a later one read its element again, at the same points? */
static bool is_read_again(struct keeping *k) {
    bool again = k->all->again[k->at];
    for (int i = k->at + 1; i < k->all->n && !again; i++) {
        k->other = k->all->s[i];
        again = k->other->held &&
                !plan_walk(k->other->body, &(struct plan_visitor){.value = find_again}, k);
    }
    return again;
}

static enum walk keep_element(const struct pval *v, void *arg) {
    struct keeping *k = arg;
    struct plan *p = k->plan;
    if (v->kind != PV_ELEM)
        return WALK_IN;
    k->element = v;
    bool first = is_known_first(v, k->spread);
    if (v->operand >= p->nin || kept_element(p, k->spread, v) != NULL || !is_read_again(k) ||
        (k->all->steps && !loads_before_steps(p, k->spread, v)))
        return WALK_PAST;
    struct kept *new = NEW(k->uc, struct kept);
    *new = (struct kept){.first = k->spread, .place = v, .offset = -1};
    if (first && !value_walk(v, find_index, (void *)k->spread)) {
        p->map.in_memory |= UINT32_C(1) << v->operand;
        new->offset = p->map.kept_bytes;
        p->map.kept_bytes += dtype_info[v->dtype].bits / 8;
    }
    *k->end = new;
    k->end = &new->next;
    return WALK_PAST;
}

/* Finds what is read again. */
static void find_kept(struct uc *uc, struct plan *p, const struct spreads *x) {
    struct keeping k = {.uc = uc, .plan = p, .all = x, .end = &p->map.kept};
    for (; k.at < x->n; k.at++) {
        k.spread = x->s[k.at];
        if (k.spread->held)
            plan_walk(k.spread->body, &(struct plan_visitor){.value = keep_element}, &k);
    }
}

int entry_bytes(const struct pstmt *s) {
    int accs = 0, bytes = 0;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next, accs++)
        bytes += acc_entry(a);
    return accs <= SCAN_ACCS ? bytes : 0;
}

static int count_accs(const struct pstmt *s) {
    int n = 0;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        n++;
    return n;
}

/* Finds the entries of a call's reductions, where several blocks may share it: they wait for one
 * another at its reductions alone, and come to each of them once. */
static void find_entries(struct plan *p, struct pstmt *list) {
    int bytes = 0, most = 0;
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        bool straight = s->kind == PS_SET || s->kind == PS_PUT || s->kind == PS_SPREAD;
        if (!straight || s->sync_blocks || (s->accs != NULL && entry_bytes(s) == 0))
            return;
        s->entry = (uint32_t)bytes;
        bytes += entry_bytes(s);
        most = count_accs(s) > most ? count_accs(s) : most;
    }
    bool fits = bytes * (BLOCK_THREADS / 32 + 1) <= JOINT_WORDS; /* a word a warp, and one */
    p->map.entry = p->map.resident == 0 && p->nlocals == 0 && fits ? bytes : 0;
    p->map.beside = p->map.entry > 0 && most * BLOCK_THREADS * 8 <= COLUMNS_WORDS;
}

/* Of several rows of 8 bytes registers hold too little beside what a step does. */
static bool fills_registers(const struct mapping *m) {
    return m->held < HELD_POINTS && m->kept != NULL && m->kept->next != NULL;
}

static void forget_rows(struct mapping *m, const struct spreads *x) {
    for (int i = 0; i < x->n; i++)
        x->s[i]->held = false;
    m->rows = NULL;
    m->kept = NULL;
    m->held = m->kept_bytes = 0;
    m->in_memory = 0;
}

/* Adds the spreads of a list, and those in steps.  False: they are too many, or there are loops
 * that have none, or whose threads share them in another way. */
static bool add_spreads(struct spreads *x, struct pstmt *list, bool steps, bool again) {
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        bool loop = s->kind == PS_FOR || s->kind == PS_LOOP, spread = s->kind == PS_SPREAD;
        int before = x->n;
        if (x->n == MOST_SPREADS || s->shared != NULL || s->lag > 0 || (s->accs != NULL && !spread))
            return false;
        if (spread) {
            x->steps = x->steps || steps;
            x->again[x->n] = again;
            x->s[x->n++] = s;
        } else if (!add_spreads(x, s->body, true, again || loop) ||
                   !add_spreads(x, s->other, true, again || loop) || (loop && x->n == before))
            return false;
    }
    return true;
}

void find_rows(struct uc *uc, struct plan *p, struct pstmt *list) {
    struct spreads x = {.n = 0};
    if (!add_spreads(&x, list, false, false))
        return;
    for (int i = 0; i < x.n; i++)
        for (int k = x.again[i] ? i : i + 1; can_hold(p, x.s[i]) && k < x.n; k++)
            if (can_hold(p, x.s[k]) && shares(p, x.s[i], x.s[k], x.steps)) {
                mark(p, &x, x.s[i]);
                find_kept(uc, p, &x);
                p->map.held_steps = x.steps;
                if (x.steps && fills_registers(&p->map))
                    forget_rows(&p->map, &x);
                else
                    find_entries(p, list);
                return;
            }
}
