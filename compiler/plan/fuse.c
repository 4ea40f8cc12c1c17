/* fuse.c: one pass where a body is written as several.  A definition whose last range is a few
 * constants becomes one with a copy of its body for each, and reductions over the same ranges, of
 * which none needs another's result, become one with all their accumulators; so do definitions.
 * What the copies have in common LLVM computes once. */
#include "plan.h"

/* ---- what statements use and set */

/* Variables, outputs and local arrays that are set. */
struct sets {
    int *vars, *arrays; /* by id and by operand: of the set that each was added to last */
    int number;         /* of this one */
};

static enum walk find_use(const struct pval *v, void *arg) {
    const struct sets *sets = arg;
    bool var = v->kind == PV_VAR && sets->vars[v->var->id] == sets->number;
    bool array = v->kind == PV_ELEM && sets->arrays[v->operand] == sets->number;
    return var || array ? WALK_STOP : WALK_IN;
}

/* Adds what s sets. */
static enum walk add_sets(const struct pstmt *s, void *arg) {
    const struct sets *sets = arg;
    if (s->kind == PS_SET)
        sets->vars[s->var->id] = sets->number;
    if (s->kind == PS_PUT || s->kind == PS_CLEAR)
        sets->arrays[s->operand] = sets->number;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        sets->vars[a->acc->id] = sets->number;
    return WALK_IN;
}

enum walk add_mention(const struct pval *v, void *mentions) {
    if (v->kind == PV_VAR)
        ((int *)mentions)[v->var->id]++;
    return WALK_IN;
}

enum walk take_mention(const struct pval *v, void *mentions) {
    if (v->kind == PV_VAR)
        ((int *)mentions)[v->var->id]--;
    return WALK_IN;
}

enum walk find_variable(const struct pval *v, void *var) {
    return v->kind == PV_VAR && v->var == var ? WALK_STOP : WALK_IN;
}

enum walk find_any_element(const struct pval *v, void *none) {
    (void)none;
    return v->kind == PV_ELEM ? WALK_STOP : WALK_IN;
}

static enum walk find_set(const struct pstmt *s, void *var) {
    bool set = s->kind == PS_SET && s->var == var;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        set = set || a->acc == var;
    return set ? WALK_STOP : WALK_IN;
}

/* Does s, or a statement in it, set or use the variable? */
static bool mentions(const struct pstmt *s, struct pvar *var) {
    const struct plan_visitor visitor = {.stmt = find_set, .value = find_variable, .joined = true};
    return !stmt_walk(s, &visitor, var);
}

/* ---- reductions over the same ranges */

bool same_bounds(const struct prange *a, const struct prange *b) {
    while (a != NULL && b != NULL && same_value(a->lo, b->lo) && same_value(a->hi, b->hi) &&
           same_value(a->step, b->step)) {
        a = a->next;
        b = b->next;
    }
    return a == NULL && b == NULL;
}

static int count_accs(const struct pstmt *s) {
    int n = 0;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        n++;
    return n;
}

static bool is_acc(const struct pstmt *s, const struct pvar *var) {
    const struct pacc *a = s->accs;
    while (a != NULL && a->acc != var)
        a = a->next;
    return a != NULL;
}

/* The index of a range, and of the equal range of another reduction, whose place it takes. */
struct renamed {
    const struct prange *from, *to;
};

static enum walk rename_index(const struct pval *v, void *arg) {
    const struct renamed *r = arg;
    for (const struct prange *from = r->from, *to = r->to; from != NULL;
         from = from->next, to = to->next)
        if (v->kind == PV_VAR && v->var == from->var)
            ((struct pval *)(void *)v)->var = to->var;
    return WALK_IN;
}

static struct pstmt **end_of(struct pstmt **list) {
    while (*list != NULL)
        list = &(*list)->next;
    return list;
}

struct renamed_variable {
    const struct pvar *from;
    struct pvar *to;
};

static enum walk rename_variable(const struct pval *v, void *arg) {
    const struct renamed_variable *r = arg;
    if (v->kind == PV_VAR && v->var == r->from)
        ((struct pval *)(void *)v)->var = r->to;
    return WALK_IN;
}

/* The statement of `list` that sets a variable once to what s sets one to; NULL: none. */
static const struct pstmt *same_set(const struct pstmt *list, const struct pstmt *s) {
    int n = 0;
    for (const struct pstmt *e = list; e != NULL && n < FUSE_DISTANCE; e = e->next, n++)
        if (e->kind == PS_SET && same_value(e->value, s->value) && e->var->dtype == s->var->dtype &&
            e->var->rounds == s->var->rounds && sets_once(list, e->var))
            return e;
    return NULL;
}

/* Takes out of `from`, a list of b's, what `list` of a's computes too. */
static void share_values(const struct pstmt *a, const struct pstmt *list, struct pstmt *b,
                         struct pstmt **from) {
    for (struct pstmt **at = from; *at != NULL;) {
        const struct pstmt *s = *at, *same = NULL;
        if (s->kind == PS_SET && sets_once(b->body, s->var) && !is_acc(b, s->var))
            same = same_set(list, s);
        if (same == NULL || is_acc(a, same->var)) {
            at = &(*at)->next;
            continue;
        }
        struct renamed_variable r = {s->var, same->var};
        *at = s->next;
        plan_walk(b->body, &(struct plan_visitor){.value = rename_variable, .joined = true}, &r);
    }
}

/* Where a list that only sets variables ends with the loop of a further range; NULL: it does not.
 */
static struct pstmt **further_at_end(struct pstmt **list) {
    while (*list != NULL && (*list)->kind == PS_SET)
        list = &(*list)->next;
    return *list != NULL && (*list)->kind == PS_FOR && (*list)->further && (*list)->next == NULL
               ? list
               : NULL;
}

/* Adds `other`, what b does at a point, to `list`, what a does there: threads share a further range
 * of both as one, if it is the same one. */
static void join_lists(struct pstmt *a, struct pstmt **list, struct pstmt *b,
                       struct pstmt **other) {
    share_values(a, *list, b, other);
    struct pstmt **to = further_at_end(list), **from = further_at_end(other);
    struct pstmt *loop = to != NULL ? *to : NULL, *rest = from != NULL ? *from : NULL;
    if (loop == NULL || rest == NULL || !same_value(loop->lo, rest->lo) ||
        !same_value(loop->hi, rest->hi) || !same_value(loop->step, rest->step)) {
        *end_of(list) = *other;
        return;
    }
    struct renamed_variable r = {rest->var, loop->var};
    plan_walk(rest->body, &(struct plan_visitor){.value = rename_variable, .joined = true}, &r);
    join_lists(a, &loop->body, b, &rest->body);
    *from = NULL;
    *to = *other;
    *end_of(to) = loop;
}

void fuse(struct pstmt *a, struct pstmt *b) {
    struct renamed r = {b->ranges, a->ranges};
    plan_walk(b->body, &(struct plan_visitor){.value = rename_index, .joined = true}, &r);
    join_lists(a, &a->body, b, &b->body);
    *end_of(&a->joined) = b->joined;
    a->chooses = a->chooses && b->chooses;
    struct pacc **accs = &a->accs;
    while (*accs != NULL)
        accs = &(*accs)->next;
    *accs = b->accs;
}

/* What follows a reduction, up to another one. */
struct between {
    struct pstmt *other;
    bool moves[FUSE_DISTANCE]; /* goes before the first reduction */
    int n;
};

/* May the n-th statement behind a, a PS_SET, go before a and what stays of those between? */
static bool may_move(const struct pstmt *a, const struct between *w, int n, struct sets *stay) {
    const struct pstmt *set = w->other, *s = a->next;
    bool moves =
        set->kind == PS_SET && value_walk(set->value, find_use, stay) && !mentions(a, set->var);
    for (int i = 0; i < n && moves; i++, s = s->next)
        moves = w->moves[i] || !mentions(s, set->var);
    return moves;
}

bool is_reduction(const struct pstmt *s) {
    return s->kind == PS_SPREAD && s->accs != NULL && !s->ordered;
}

/* Finds a reduction that can become one with a, and which statements between them go before a.
 * stay: of which a new set is made. */
static bool find_other(const struct pstmt *a, struct between *w, struct sets *stay) {
    const struct plan_visitor sets = {.stmt = add_sets, .joined = true};
    const struct plan_visitor uses = {.value = find_use, .joined = true};
    stay->number++;
    stmt_walk(a, &sets, stay);
    *w = (struct between){.other = a->next};
    for (; w->other != NULL && w->n < FUSE_DISTANCE; w->other = w->other->next, w->n++) {
        const struct pstmt *s = w->other;
        if (is_reduction(s) && same_bounds(a->ranges, s->ranges) &&
            count_accs(a) + count_accs(s) <= MAX_FUSED_ACCS && stmt_walk(s, &uses, stay))
            return true;
        w->moves[w->n] = may_move(a, w, w->n, stay);
        if (!w->moves[w->n])
            stmt_walk(s, &sets, stay);
    }
    return false;
}

/* Takes the other reduction, and what goes before *at, out of the list behind *at. */
static void fuse_other(struct pstmt **at, const struct between *w) {
    struct pstmt *a = *at, **link = &a->next;
    for (int i = 0; i < w->n; i++) {
        struct pstmt *s = *link;
        if (!w->moves[i]) {
            link = &s->next;
            continue;
        }
        *link = s->next;
        s->next = a;
        *at = s;
        at = &s->next;
    }
    *link = w->other->next;
    fuse(a, w->other);
}

static void fuse_list(struct pstmt **list, struct sets *sets) {
    for (struct pstmt **at = list; *at != NULL; at = &(*at)->next) {
        struct pstmt *s = *at;
        struct pstmt **const lists[] = PSTMT_LISTS(s);
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            fuse_list(lists[i], sets);
        struct between w;
        while (is_reduction(s) && find_other(s, &w, sets)) {
            fuse_other(at, &w);
            fuse_list(&s->body, sets);
            while (*at != s)
                at = &(*at)->next;
        }
    }
}

static struct sets new_sets(struct uc *uc, const struct plan *p) {
    return (struct sets){.vars = NEWN(uc, int, p->nvars + p->noperands + 1),
                         .arrays = NEWN(uc, int, p->noperands + p->nlocals + 1)};
}

void fuse_reductions(struct uc *uc, const struct plan *p, struct pstmt **list) {
    struct sets sets = new_sets(uc, p);
    fuse_list(list, &sets);
    add_serial_loops(uc, *list);
}

/* ---- definitions over the same ranges */

/* A subscript's number, and what all else in it is a multiple of. */
struct grid {
    int64_t number, step;
};

static int64_t common_divisor(int64_t a, int64_t b) {
    while (b != 0) {
        int64_t r = a % b;
        a = b;
        b = r;
    }
    return a < 0 ? -a : a;
}

/* False: v is no sum of multiples of variables, or has large numbers. */
static bool find_grid(const struct pval *v, int64_t by, struct grid *g) {
    bool product = v->kind == PV_OP && v->op == OP_MUL;
    bool small = v->kind != PV_CONST || ((int64_t)v->i >= INT16_MIN && (int64_t)v->i <= INT16_MAX);
    if (!small || by < INT16_MIN || by > INT16_MAX)
        return false;
    if (v->kind == PV_CONST)
        g->number += by * (int64_t)v->i;
    else if (v->kind == PV_VAR)
        g->step = common_divisor(g->step, by);
    else if (v->kind == PV_OP && (v->op == OP_ADD || v->op == OP_SUB))
        return find_grid(v->args[0], by, g) && find_grid(v->args[1], v->op == OP_SUB ? -by : by, g);
    else if (product && (v->args[0]->kind == PV_CONST || v->args[1]->kind == PV_CONST))
        return find_grid(v->args[v->args[0]->kind == PV_CONST],
                         by * (int64_t)v->args[v->args[0]->kind != PV_CONST]->i, g);
    else
        return false;
    return true;
}

/* Are two places of an array never the same, whatever the indices? */
static bool are_disjoint(const struct pval *a, const struct pval *b) {
    for (int i = 0; i < a->nargs; i++) {
        struct grid x = {0}, y = {0};
        if (!find_grid(a->args[i], 1, &x) || !find_grid(b->args[i], 1, &y))
            continue;
        int64_t step = common_divisor(x.step, y.step), apart = x.number - y.number;
        if (step == 0 ? apart != 0 : apart % step != 0)
            return true;
    }
    return false;
}

/* A definition, and one of the places that the other one stores to. */
struct stores {
    const struct plan *plan;
    const struct pstmt *other;
    bool alike;       /* both are by reductions that read the same */
    uint32_t results; /* operands that the later one reads at its own points alone, a bit each */
    const struct pval *place, *own; /* own: the place that the statement at hand stores to */
};

static enum walk find_conflict(const struct pval *v, void *arg) {
    const struct stores *x = arg;
    bool same = v->kind == PV_ELEM && v->operand == x->place->operand;
    same = same && !(x->results >> v->operand & 1);
    return same && (v != x->own || !are_disjoint(v, x->place)) ? WALK_STOP : WALK_IN;
}

static enum walk find_conflicts(const struct pstmt *s, void *arg) {
    struct stores *x = arg;
    x->own = s->place;
    return stmt_values(s, find_conflict, x) ? WALK_IN : WALK_STOP;
}

/* Stops where s stores to a local array, or to what the other definition accesses too; and at loops
 * of unknown length, which are not worth it, but for reductions that read the same. */
static enum walk find_shared(const struct pstmt *s, void *arg) {
    struct stores *x = arg;
    bool unknown = s->kind == PS_FOR || s->kind == PS_LOOP || s->kind == PS_CLEAR ||
                   s->kind == PS_LEAVE || s->kind == PS_BLOCK;
    for (const struct prange *r = s->ranges; r != NULL && !x->alike; r = r->next)
        unknown = unknown || r->lo->kind != PV_CONST || r->hi->kind != PV_CONST;
    if (unknown || s->kind != PS_PUT)
        return unknown ? WALK_STOP : WALK_IN;
    x->place = s->place;
    bool apart = s->place->operand < x->plan->noperands &&
                 plan_walk(x->other->body, &(struct plan_visitor){.stmt = find_conflicts}, x);
    return apart ? WALK_IN : WALK_STOP;
}

static bool is_definition(const struct pstmt *s) {
    return s != NULL && s->kind == PS_SPREAD && s->accs == NULL;
}

static bool may_be_one(const struct plan *p, const struct pstmt *a, const struct pstmt *b,
                       uint32_t own) {
    const struct plan_visitor visitor = {.stmt = find_shared};
    if (!is_definition(a) || !is_definition(b) || !same_bounds(a->ranges, b->ranges) ||
        scans_apart(a, b))
        return false;
    struct stores x = {.plan = p, .other = b, .alike = reduce_alike(a, b)}, y = x;
    x.results = y.results = x.alike ? own : 0;
    y.other = a;
    return plan_walk(a->body, &visitor, &x) && plan_walk(b->body, &visitor, &y);
}

bool can_be_one(const struct plan *p, const struct pstmt *a, const struct pstmt *b) {
    return may_be_one(p, a, b, 0);
}

/* ---- what a definition stores, and the next one reads at the same point */

/* The subscripts of a place are the indices of ranges, each once: which one each is; false: they
 * are others. */
static bool find_indices(const struct pval *place, const struct prange *ranges, int *index) {
    int n = 0;
    for (int i = 0; i < place->nargs; i++)
        index[i] = -1;
    for (const struct prange *r = ranges; r != NULL; r = r->next, n++)
        for (int i = 0; i < place->nargs; i++)
            if (place->args[i]->kind == PV_VAR && place->args[i]->var == r->var)
                index[i] = n;
    for (int i = 0; i < place->nargs; i++)
        for (int k = 0; k <= i; k++)
            if (index[i] < 0 || (k < i && index[i] == index[k]))
                return false;
    return n == place->nargs;
}

/* The element that a definition stores at each of its points, and reads where the next one does. */
struct result {
    const struct pstmt *put, *reader;
    int index[MAX_CORE_RANK], mentions;
};

static enum walk find_elsewhere(const struct pval *v, void *arg) {
    struct result *x = arg;
    int index[MAX_CORE_RANK];
    bool same = v->kind == PV_ELEM && v->operand == x->put->operand;
    x->mentions += same;
    if (!same)
        return WALK_IN;
    bool own = v->dtype == x->put->value->dtype && find_indices(v, x->reader->ranges, index);
    for (int i = 0; i < v->nargs && own; i++)
        own = index[i] == x->index[i];
    return own ? WALK_PAST : WALK_STOP;
}

/* Does b read what a statement of a stores at its own points alone, and behind its reductions? */
static bool is_own_result(const struct plan *p, const struct pstmt *a, const struct pstmt *put,
                          const struct pstmt *b) {
    struct result x = {.put = put, .reader = a};
    enum ufc_dtype d = p->operands[put->operand].dtype;
    const struct plan_visitor visitor = {.value = find_elsewhere, .joined = true};
    bool read = false;
    if (is_half(d) || is_complex(d) || !find_indices(put->place, a->ranges, x.index) ||
        !plan_walk(a->body, &visitor, &x) || x.mentions != 1)
        return false;
    x.reader = b;
    for (const struct pstmt *s = b->body; s != NULL; s = s->next) {
        x.mentions = 0;
        bool stores = s->kind == PS_PUT && s->operand == put->operand;
        if (stores || !stmt_walk(s, &visitor, &x))
            return false;
        bool plain = s->kind == PS_SET || s->kind == PS_PUT;
        if ((!plain && x.mentions > 0) || (s->kind == PS_SPREAD && read))
            return false;
        read = read || x.mentions > 0;
    }
    return read;
}

static uint32_t own_results(const struct plan *p, const struct pstmt *a, const struct pstmt *b) {
    uint32_t own = 0;
    for (const struct pstmt *s = is_definition(a) && is_definition(b) ? a->body : NULL; s != NULL;
         s = s->next)
        if (s->kind == PS_PUT && s->operand < p->noperands && is_own_result(p, a, s, b))
            own |= UINT32_C(1) << s->operand;
    return own;
}

struct taken_result {
    int operand;
    struct pvar *var;
};

static enum walk take_result(const struct pval *v, void *arg) {
    const struct taken_result *t = arg;
    struct pval *own = (struct pval *)(void *)v;
    if (v->kind == PV_ELEM && v->operand == t->operand) {
        own->kind = PV_VAR;
        own->var = t->var;
        own->nargs = 0;
    }
    return WALK_IN;
}

/* Has b read variables of a point instead of what a stores there. */
static void take_results(struct lower *l, struct pstmt *a, struct pstmt *b, uint32_t own) {
    for (struct pstmt **at = &a->body; *at != NULL; at = &(*at)->next) {
        struct pstmt *put = *at, *set = NEW(l->uc, struct pstmt);
        if (put->kind != PS_PUT || !(own >> put->operand & 1))
            continue;
        const char *name = l->plan->operands[put->operand].name;
        struct taken_result t = {put->operand, &variable_new(l, name, put->value->dtype)->pvar};
        *set = (struct pstmt){
            .kind = PS_SET, .var = t.var, .value = put->value, .at = put->at, .next = put};
        put->value = value_new(l, PV_VAR, put->value->dtype);
        put->value->var = t.var;
        plan_walk(b->body, &(struct plan_visitor){.value = take_result, .joined = true}, &t);
        *at = set;
        at = &set->next;
    }
}

static void fuse_definitions(struct lower *l, struct pstmt *s, struct sets *sets) {
    const struct plan *p = l->plan;
    int room = p->noperands; /* for variables in the sets */
    for (; s != NULL; s = s->next) {
        uint32_t own = s->next != NULL && room > 0 ? own_results(p, s, s->next) : 0;
        while (may_be_one(p, s, s->next, own)) {
            struct pstmt *b = s->next;
            if (__builtin_popcount(own) > room)
                break;
            room -= __builtin_popcount(own);
            take_results(l, s, b, own);
            s->next = b->next;
            fuse(s, b);
            fuse_list(&s->body, sets);
            own = s->next != NULL ? own_results(p, s, s->next) : 0;
        }
    }
}

/* ---- a copy of a body for each of a few indices */

struct pval *copy_renamed(const struct copy *c, const struct pval *v) {
    if (v == NULL)
        return NULL;
    struct pval *r = value_new(c->l, v->kind, v->dtype);
    *r = *v;
    if (v->kind == PV_VAR && v->var == c->index) {
        *r = (struct pval){.kind = PV_CONST, .dtype = v->dtype, .i = (uint64_t)c->value};
    } else if (v->kind == PV_VAR && c->vars[v->var->id] != NULL) {
        r->var = c->vars[v->var->id];
    }
    for (int i = 0; i < v->nargs; i++)
        r->args[i] = copy_renamed(c, v->args[i]);
    return r;
}

/* The copy's own variable. */
static struct pvar *copy_var(const struct copy *c, struct pvar *v) {
    if (v == NULL || c->vars[v->id] != NULL)
        return v == NULL ? NULL : c->vars[v->id];
    struct variable *own = variable_new(c->l, v->name, v->dtype);
    own->pvar.rounds = v->rounds;
    own->below = ((const struct variable *)(const void *)v)->below;
    return c->vars[v->id] = &own->pvar;
}

struct prange *copy_ranges(const struct copy *c, const struct prange *r) {
    struct prange *first = NULL, **end = &first;
    for (; r != NULL; r = r->next, end = &(*end)->next) {
        *end = NEW(c->l->uc, struct prange);
        **end = (struct prange){.lo = copy_renamed(c, r->lo),
                                .hi = copy_renamed(c, r->hi),
                                .step = copy_renamed(c, r->step),
                                .var = copy_var(c, r->var)};
    }
    return first;
}

static struct pacc *copy_accs(const struct copy *c, const struct pacc *a) {
    struct pacc *first = NULL, **end = &first;
    for (; a != NULL; a = a->next, end = &(*end)->next) {
        *end = NEW(c->l->uc, struct pacc);
        **end = (struct pacc){.acc = copy_var(c, a->acc), .other = copy_var(c, a->other)};
    }
    return first;
}

static struct pstmt *copy_list(const struct copy *c, const struct pstmt *s);

/* Has jumps in a copy leave what was copied with them. */
static void leave_copy(struct pstmt *list, const struct pstmt *from, struct pstmt *to) {
    for (; list != NULL; list = list->next) {
        if (list->kind == PS_LEAVE && list->target == from)
            list->target = to;
        struct pstmt **const lists[] = PSTMT_LISTS(list);
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            leave_copy(*lists[i], from, to);
    }
}

struct pstmt *copy_stmt(const struct copy *c, const struct pstmt *s) {
    struct pstmt *r = NEW(c->l->uc, struct pstmt);
    *r = *s;
    r->next = NULL;
    r->ranges = copy_ranges(c, s->ranges);
    r->accs = copy_accs(c, s->accs);
    r->var = copy_var(c, s->var);
    struct pval *const *const from[] = PSTMT_VALUES(s);
    struct pval **const to[] = PSTMT_VALUES(r);
    for (size_t i = 0; i < sizeof to / sizeof to[0]; i++)
        *to[i] = copy_renamed(c, *from[i]);
    struct pstmt *const *const lists[] = PSTMT_LISTS(s);
    struct pstmt **const copies[] = PSTMT_LISTS(r);
    for (size_t i = 0; i < sizeof copies / sizeof copies[0]; i++)
        *copies[i] = copy_list(c, *lists[i]);
    r->rest = pstmt_copied(s->rest, s->body, r->body);
    if (s->kind == PS_BLOCK || s->kind == PS_FOR)
        leave_copy(r->body, s, r);
    return r;
}

static struct pstmt *copy_list(const struct copy *c, const struct pstmt *s) {
    struct pstmt *first = NULL, **end = &first;
    for (; s != NULL; s = s->next, end = &(*end)->next)
        *end = copy_stmt(c, s);
    return first;
}

enum walk find_jump(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_LEAVE || s->kind == PS_BLOCK || s->kind == PS_CLEAR ? WALK_STOP : WALK_IN;
}

/* The number of copies of a definition's body; 0: it stays as it is.  Its last range is a few
 * constants, others are not, and it is by reductions. */
static int copies_of(const struct pstmt *s) {
    if (s->kind != PS_SPREAD || s->accs != NULL || s->ranges->next == NULL)
        return 0;
    bool constant = true, reduces = false;
    const struct prange *r = s->ranges;
    for (; r->next != NULL; r = r->next)
        constant = constant && r->lo->kind == PV_CONST && r->hi->kind == PV_CONST;
    for (const struct pstmt *in = s->body; in != NULL; in = in->next)
        reduces = reduces || (is_reduction(in) && in->ranges->hi->kind != PV_CONST);
    bool known = r->lo->kind == PV_CONST && r->hi->kind == PV_CONST && r->step->kind == PV_CONST &&
                 r->step->i == 1;
    int64_t n = known ? (int64_t)r->hi->i - (int64_t)r->lo->i : 0;
    const struct plan_visitor jumps = {.stmt = find_jump};
    return constant || !reduces || n < 2 || n > MAX_COPIED_POINTS ||
                   !plan_walk(s->body, &jumps, NULL)
               ? 0
               : (int)n;
}

/* Takes the last range off a definition; its body becomes n copies, one for each index. */
static void unroll_last(struct lower *l, struct pstmt *s, int n) {
    struct prange **last = &s->ranges;
    while ((*last)->next != NULL)
        last = &(*last)->next;
    struct copy c = {.l = l, .index = (*last)->var, .value = (int64_t)(*last)->lo->i};
    struct pstmt *body = s->body, **end = &s->body;
    int nvars = l->plan->nvars;
    *last = NULL;
    for (int i = 0; i < n; i++, c.value++) {
        c.vars = NEWN(l->uc, struct pvar *, nvars + 1);
        *end = copy_list(&c, body);
        end = end_of(end);
    }
}

void fuse_plan(struct lower *l) {
    struct plan *p = l->plan;
    if (p->overload->decl->kind != DECL_GUFUNC || p->checked)
        return;
    bool tiled = is_contraction(p) || find_window(l->uc, p) != NULL;
    for (struct pstmt *s = p->body->body; s != NULL && !tiled; s = s->next) {
        int n = copies_of(s);
        if (n > 0)
            unroll_last(l, s, n);
    }
    struct sets sets = new_sets(l->uc, p);
    fuse_list(&p->body->body, &sets);
    take_fills(p, &p->body->body);
    fuse_definitions(l, p->body->body, &sets);
}
