/* adjoin.c: definitions over the same points that become one, so that GPUs compute them in one
 * launch, and what both read is read once.  Neither needs what the other one stores, or both have
 * it at the same point, and no array is stored to by both; and what is between them may as well
 * come behind both.  Of those that merge, both merge into arrays of the same shape. */
#include "plan.h"

enum { ADJOIN_DISTANCE = 8, ADJOIN_BODY = 160 }; /* statements between; nodes of both bodies */

/* What statements that stay between two definitions use and set: variables by id, of the set that
 * each was added to last, and operands, a bit each. */
struct between {
    const struct plan *plan;
    int *used, *set, number;
    uint64_t read, stored;
    int size;   /* nodes of what they compute */
    bool other; /* they do more than that */
};

/* ---- what a statement uses and sets */

static enum walk add_value(const struct pval *v, void *arg) {
    struct between *x = arg;
    if (v->kind == PV_VAR)
        x->used[v->var->id] = x->number;
    if (v->kind == PV_ELEM && v->operand < x->plan->noperands)
        x->read |= UINT64_C(1) << v->operand;
    return WALK_IN;
}

static void add_set(struct between *x, const struct pvar *var) {
    x->set[var->id] = x->used[var->id] = x->number;
}

static enum walk add_statement(const struct pstmt *s, void *arg) {
    struct between *x = arg;
    bool known = s->kind == PS_SET || s->kind == PS_PUT || s->kind == PS_IF || s->kind == PS_FOR ||
                 s->kind == PS_SPREAD;
    x->other = x->other || !known || (s->kind == PS_PUT && s->operand >= x->plan->noperands);
    if (s->kind == PS_PUT && !x->other)
        x->stored |= UINT64_C(1) << s->operand;
    x->size += value_size(s->value);
    if (s->kind == PS_SET || s->kind == PS_FOR)
        add_set(x, s->var);
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        add_set(x, r->var);
    for (const struct pacc *a = s->accs; a != NULL; a = a->next) {
        add_set(x, a->acc);
        add_set(x, a->other);
    }
    return WALK_IN;
}

static void add_between(struct between *x, const struct pstmt *s) {
    const struct plan_visitor visitor = {.stmt = add_statement, .value = add_value, .joined = true};
    stmt_walk(s, &visitor, x);
}

static enum walk find_set(const struct pval *v, void *arg) {
    const struct between *x = arg;
    bool var = v->kind == PV_VAR && x->set[v->var->id] == x->number;
    bool array =
        v->kind == PV_ELEM && v->operand < x->plan->noperands && x->stored >> v->operand & 1;
    return var || array ? WALK_STOP : WALK_IN;
}

static enum walk find_used(const struct pstmt *s, void *arg) {
    const struct between *x = arg;
    bool var = s->kind == PS_SET && x->used[s->var->id] == x->number;
    bool array = s->kind == PS_PUT && x->read >> s->operand & 1;
    return var || array ? WALK_STOP : WALK_IN;
}

/* May the definition s go before what is between? */
static bool may_go_before(const struct between *x, const struct pstmt *s) {
    const struct plan_visitor visitor = {.stmt = find_used, .value = find_set};
    return stmt_walk(s, &visitor, (void *)(uintptr_t)x);
}

/* ---- definitions */

bool is_branched(const struct plan *p, const struct pstmt *s) {
    for (; s != NULL; s = s->next) {
        bool put = s->kind == PS_PUT && s->operand < p->noperands;
        bool branch = s->kind == PS_IF && is_branched(p, s->body) && is_branched(p, s->other);
        if (!put && !branch && s->kind != PS_SET)
            return false;
    }
    return true;
}

static enum walk find_data(const struct pval *v, void *none) {
    (void)none;
    return v->kind == PV_VAR || v->kind == PV_ELEM || v->kind == PV_LOAD ? WALK_STOP : WALK_IN;
}

bool are_sizes(const struct prange *r) {
    while (r != NULL && value_walk(r->lo, find_data, NULL) && value_walk(r->hi, find_data, NULL) &&
           value_walk(r->step, find_data, NULL))
        r = r->next;
    return r == NULL;
}

/* Is s a definition without loops, over points whose number is known before a call? */
static bool is_plain(const struct plan *p, const struct pstmt *s) {
    return s->kind == PS_SPREAD && s->accs == NULL && !s->ordered && is_branched(p, s->body) &&
           are_sizes(s->ranges);
}

/* Elements of arrays that one of two definitions stores to and the other one touches. */
struct shared {
    const struct plan *plan;
    const struct prange *ranges; /* of the definition at hand */
    uint64_t operands;           /* a bit each */
};

/* The place of a variable among ranges; -1: it is none of theirs. */
static int range_of(const struct prange *r, const struct pval *v) {
    for (int i = 0; v->kind == PV_VAR && r != NULL; r = r->next, i++)
        if (r->var == v->var)
            return i;
    return -1;
}

/* Stops at an element of them that is not the point's own: the subscripts are its indices, in their
 * order. */
static enum walk find_elsewhere(const struct pval *v, void *arg) {
    const struct shared *x = arg;
    int n = 0;
    if (v->kind != PV_ELEM || v->operand >= x->plan->noperands || !(x->operands >> v->operand & 1))
        return WALK_IN;
    for (const struct prange *r = x->ranges; r != NULL; r = r->next)
        n++;
    bool own = v->nargs == n;
    for (int i = 0; i < n && own; i++)
        own = range_of(x->ranges, v->args[i]) == i;
    return own ? WALK_IN : WALK_STOP;
}

static bool has_own_elements(const struct shared *x, const struct pstmt *s) {
    struct shared own = *x;
    own.ranges = s->ranges;
    return plan_walk(s->body, &(struct plan_visitor){.value = find_elsewhere}, &own);
}

struct merges {
    const struct plan *plan;
    const struct poperand *first; /* that is merged into */
    int puts;
    bool alike; /* all others are of its shape, and nothing else is stored */
};

static enum walk add_merge(const struct pstmt *s, void *arg) {
    struct merges *m = arg;
    if (s->kind != PS_PUT)
        return WALK_IN;
    const struct poperand *o = &m->plan->operands[s->operand];
    m->first = m->first == NULL ? o : m->first;
    m->alike = m->alike && s->merged && o->rank == m->first->rank;
    for (int i = 0; i < o->rank && m->alike; i++)
        m->alike = o->dims[i] == m->first->dims[i] ||
                   (o->dims[i]->size >= 0 && o->dims[i]->size == m->first->dims[i]->size);
    m->puts++;
    return WALK_IN;
}

/* ---- what is read all over memory */

/* A definition that merges, the ranges of the one at hand, and a place that this reads. */
struct gathers {
    const struct pstmt *other;
    const struct prange *ranges;
    const struct pval *place;
};

/* Are values the same at the same points of two definitions? */
static bool same_at_points(const struct pval *a, const struct prange *of_a, const struct pval *b,
                           const struct prange *of_b) {
    int range = range_of(of_a, a);
    if (range >= 0 || range_of(of_b, b) >= 0)
        return range == range_of(of_b, b);
    if (a->nargs == 0)
        return same_value(a, b);
    bool same = a->kind == b->kind && a->dtype == b->dtype && a->op == b->op &&
                a->operand == b->operand && a->builtin == b->builtin && a->nargs == b->nargs;
    for (int i = 0; i < a->nargs && same; i++)
        same = same_at_points(a->args[i], of_a, b->args[i], of_b);
    return same;
}

static bool is_gathered(const struct pval *v) {
    bool gathered = false;
    for (int i = 0; v->kind == PV_ELEM && i < v->nargs; i++)
        gathered = gathered || !value_walk(v->args[i], find_any_element, NULL);
    return gathered;
}

static enum walk find_same(const struct pval *v, void *arg) {
    const struct gathers *x = arg;
    return v->kind == PV_ELEM && same_at_points(v, x->other->ranges, x->place, x->ranges)
               ? WALK_STOP
               : WALK_IN;
}

static enum walk find_apart(const struct pval *v, void *arg) {
    struct gathers x = *(const struct gathers *)arg;
    x.place = v;
    return is_gathered(v) &&
                   plan_walk(x.other->body, &(struct plan_visitor){.value = find_same}, &x)
               ? WALK_STOP
               : WALK_IN;
}

static enum walk find_gathers_apart(const struct pstmt *s, void *arg) {
    const struct pval *v = s->kind == PS_PUT && s->merged ? merged_value(s) : s->value;
    return value_walk(v, find_apart, arg) ? WALK_IN : WALK_STOP;
}

/* Do two definitions that merge gather the same elements, if any?  What only one of them needs
 * would be gathered again where a launch merges for the other. */
static bool gather_alike(const struct pstmt *a, const struct pstmt *b) {
    const struct plan_visitor visitor = {.stmt = find_gathers_apart};
    return plan_walk(a->body, &visitor, &(struct gathers){.other = b, .ranges = a->ranges}) &&
           plan_walk(b->body, &visitor, &(struct gathers){.other = a, .ranges = b->ranges});
}

/* May the definitions a and b be one, but for what is between them? */
static bool fit(const struct plan *p, const struct pstmt *a, const struct pstmt *b,
                struct between *own) {
    *own =
        (struct between){.plan = p, .used = own->used, .set = own->set, .number = own->number + 1};
    struct between other = *own;
    add_between(own, a);
    add_between(&other, b);
    struct shared x = {.plan = p,
                       .operands = (own->stored & other.read) | (other.stored & own->read)};
    bool twice = !a->merged && (own->stored & other.stored) != 0; /* points are stored in vectors */
    if (a->merged != b->merged || own->other || other.other || twice ||
        (a->merged && (x.operands != 0 || !gather_alike(a, b))))
        return false;
    struct merges m = {.plan = p, .alike = true};
    const struct plan_visitor merges = {.stmt = add_merge};
    if (a->merged) {
        plan_walk(a->body, &merges, &m);
        plan_walk(b->body, &merges, &m);
    }
    return m.alike && m.puts <= UFC_SCATTER_PUTS && has_own_elements(&x, a) &&
           has_own_elements(&x, b) && own->size + other.size <= ADJOIN_BODY;
}

/* The definition b's index of each range becomes a's. */
static enum walk rename_index(const struct pval *v, void *ranges) {
    const struct prange *const *r = ranges;
    for (const struct prange *to = r[0], *from = r[1]; from != NULL;
         to = to->next, from = from->next)
        if (v->kind == PV_VAR && v->var == from->var)
            ((struct pval *)(void *)(uintptr_t)v)->var = to->var;
    return WALK_IN;
}

static void adjoin(struct uc *uc, struct pstmt *a, struct pstmt *b) {
    const struct prange *ranges[] = {a->ranges, b->ranges};
    struct pstmt **end = &a->body;
    plan_walk(b->body, &(struct plan_visitor){.value = rename_index}, ranges);
    while (*end != NULL)
        end = &(*end)->next;
    *end = b->body;
    a->serial = NULL;
    add_serial_loop(uc, a);
}

void adjoin_definitions(struct uc *uc, struct plan *p) {
    struct between x = {
        .plan = p, .used = NEWN(uc, int, p->nvars + 1), .set = NEWN(uc, int, p->nvars + 1)};
    struct between own = {.used = NEWN(uc, int, p->nvars + 1), .set = NEWN(uc, int, p->nvars + 1)};
    for (struct pstmt *a = p->body->body; a != NULL; a = a->next) {
        struct pstmt **at = &a->next;
        x = (struct between){.plan = p, .used = x.used, .set = x.set, .number = x.number + 1};
        for (int n = 0; is_plain(p, a) && *at != NULL && n <= ADJOIN_DISTANCE && !x.other; n++) {
            struct pstmt *b = *at;
            if (is_plain(p, b) && same_bounds(a->ranges, b->ranges) && may_go_before(&x, b) &&
                fit(p, a, b, &own)) {
                *at = b->next;
                adjoin(uc, a, b);
                continue;
            }
            add_between(&x, b);
            at = &b->next;
        }
    }
}
