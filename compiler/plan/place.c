/* place.c: arrays of a body that need no memory, since what they hold is computed in place:
 * where it is read, if that costs no more than reading it; or at each point of the one statement
 * that reads it there, and only there, which keeps it in a variable.  That is a definition or a
 * reduction with the array's points; or a definition with some of them, by a reduction over the
 * others, if a point is made of few others; or one that reads each element once at most, as those
 * of a block are pooled.  It costs a pass over memory less, and statements that
 * were several are one.  Prefixes are stored where together with that statement they would be
 * none. */
#include "apart.h"

enum {
    MAX_LOADS = 1, /* of a value that is computed again where it is read: elements that it has for
                      itself, */
    MAX_SHARED_LOADS = 2, /* and those that it shares with a row or a column, */
    MAX_OPERATIONS = 4,
    MAX_FUNCTIONS = 1, /* and in versions for GPUs functions like exp, of arrays that so many */
    MAX_READS = 3,     /* places read, */
    MOST_WORK = 24,    /* of so many operations at most */
    MAX_LOOPS_AROUND = 12
};

/* An array that a body makes, by one definition. */
struct made {
    struct lower *l;
    struct pstmt *definition, *put;
    int operand, nputs, nreads, nbehind; /* nbehind: of the reads, those in statements behind it */
    bool *vars, *operands;               /* what the definition reads, by id and by operand */
    bool conflict;           /* some of that changes behind it, or subscripts are tested */
    struct pval **value;     /* by id: what a variable stands for; NULL: itself */
    struct pstmt *reader;    /* the statement at hand */
    struct pstmt *within;    /* the reduction at its points that reads; NULL: the statement does */
    bool same_points;        /* all reads are at the points of both */
    const struct pval *read; /* one of the reads */
    bool same_read;          /* all have the same subscripts */
    struct pvar *var;        /* what its reads become */
    const struct pval *kept; /* a place that is stored to, and no read; NULL: none */
    int nkept;
};

/* ---- the definition */

static bool is_number(const struct pval *v, uint64_t i) {
    return v->kind == PV_CONST && v->i == i;
}

/* Whether the place has the index of each range once, and these are from 0 by 1. */
static bool has_all_points(const struct pstmt *s, const struct pval *place) {
    int n = 0;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next, n++) {
        int found = 0;
        for (int i = 0; i < place->nargs; i++)
            found += place->args[i]->kind == PV_VAR && place->args[i]->var == r->var;
        if (found != 1 || !is_number(r->lo, 0) || !is_number(r->step, 1))
            return false;
    }
    return n == place->nargs;
}

/* The store that a definition ends with; NULL: it does not. */
static struct pstmt *last_put(const struct pstmt *s) {
    struct pstmt *last = s->kind == PS_SPREAD && s->accs == NULL ? s->body : NULL;
    while (last != NULL && last->next != NULL)
        last = last->next;
    return last != NULL && last->kind == PS_PUT ? last : NULL;
}

/* Are the variables that a loop sets its own? */
static bool sets_its_own(struct lower *l, const struct pstmt *loop, const struct pstmt *body) {
    struct pstmt only = *loop;
    only.next = NULL;
    const int *within = count_mentions(l->uc, l->plan, &only),
              *all = count_mentions(l->uc, l->plan, l->plan->body);
    for (const struct pstmt *s = body; s->next != NULL; s = s->next)
        if (s->kind != PS_SET || within[s->var->id] != all[s->var->id])
            return false;
    return true;
}

/* What ordered loops would be as a definition of an array that the body makes, of which they set
 * all elements, each to a value that no other iteration changes.  NULL: they are more. */
static struct pstmt *as_definition(struct lower *l, const struct pstmt *loop) {
    const struct plan *p = l->plan;
    struct pstmt *s = NEW(l->uc, struct pstmt);
    *s = (struct pstmt){.kind = PS_SPREAD, .at = loop->at, .next = loop->next};
    struct prange **end = &s->ranges;
    const struct pstmt *inner = loop;
    for (;; inner = inner->body) {
        *end = NEW(l->uc, struct prange);
        **end = (struct prange){
            .var = inner->var, .lo = inner->lo, .hi = inner->hi, .step = value_one(l, DT_INT64)};
        end = &(*end)->next;
        s->body = inner->body;
        if (s->body == NULL || s->body->kind != PS_FOR || s->body->next != NULL)
            break;
    }
    const struct pstmt *put = last_put(s);
    bool made = put != NULL && put->operand >= p->nin + p->overload->nout &&
                put->operand < p->noperands && fills_array(l->uc, p, loop, put->operand) &&
                !is_cleared(p->body, put->operand);
    return made && sets_its_own(l, loop, s->body) ? s : NULL;
}

/* Whether s is a definition of an array that the body makes, or of an output; sets m to it. */
static bool is_made(struct lower *l, struct pstmt *s, bool output, struct made *m) {
    const struct plan *p = l->plan;
    const struct overload *o = p->overload;
    struct pstmt *last = last_put(s);
    if (last == NULL || last->operand < o->nin || last->operand >= p->noperands ||
        output != (last->operand < o->nin + o->nout) || !has_all_points(s, last->place))
        return false;
    *m = (struct made){.l = l, .definition = s, .put = last, .operand = last->operand};
    m->vars = NEWN(l->uc, bool, p->nvars);
    m->operands = NEWN(l->uc, bool, p->noperands + p->nlocals);
    return true;
}

/* ---- who reads it, and what changes before */

static enum walk add_use(const struct pval *v, void *arg) {
    struct made *m = arg;
    if (v->kind == PV_VAR)
        m->vars[v->var->id] = true;
    if (v->kind == PV_ELEM && v != m->put->place)
        m->operands[v->operand] = true;
    m->conflict = m->conflict || v->checked != 0;
    return WALK_IN;
}

static enum walk count_put(const struct pstmt *s, void *arg) {
    struct made *m = arg;
    m->nputs += s->kind == PS_PUT && s->operand == m->operand;
    return WALK_IN;
}

static enum walk count_read(const struct pval *v, void *arg) {
    struct made *m = arg;
    if (v->kind == PV_ELEM && v->operand == m->operand) {
        m->nreads++;
        m->conflict = m->conflict || v->checked != 0;
    }
    return WALK_IN;
}

static enum walk find_change(const struct pstmt *s, void *arg) {
    struct made *m = arg;
    bool array = s->kind == PS_PUT || s->kind == PS_CLEAR;
    m->conflict = m->conflict || (array && m->operands[s->operand]) || s->kind == PS_BLOCK ||
                  (s->kind == PS_SET && m->vars[s->var->id]);
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        m->conflict = m->conflict || m->vars[a->acc->id];
    return WALK_IN;
}

/* Whether all reads are in statements behind the definition, and give what it would give there. */
static bool is_steady(struct made *m) {
    const struct plan_visitor uses = {.value = add_use, .joined = true};
    const struct plan_visitor puts = {.stmt = count_put};
    const struct plan_visitor reads = {.value = count_read, .joined = true};
    const struct plan_visitor changes = {.stmt = find_change, .joined = true};
    stmt_walk(m->definition, &uses, m);
    plan_walk(m->l->plan->body, &puts, m);
    plan_walk(m->definition->next, &reads, m);
    m->nbehind = m->nreads;
    m->nreads = -1; /* but for the place that is stored to */
    plan_walk(m->l->plan->body, &reads, m);
    plan_walk(m->definition->next, &changes, m);
    return !m->conflict && m->nputs == 1 && m->nreads == m->nbehind && !m->operands[m->operand];
}

/* ---- where it is read */

/* A copy of a value, with what variables stand for. */
static struct pval *copy(const struct made *m, const struct pval *v) {
    if (v->kind == PV_VAR && m->value[v->var->id] != NULL)
        return copy(m, m->value[v->var->id]);
    struct pval *r = value_new(m->l, v->kind, v->dtype);
    *r = *v;
    for (int i = 0; i < v->nargs; i++)
        r->args[i] = copy(m, v->args[i]);
    return r;
}

/* What a value may still be made of. */
struct budget {
    const struct prange *points;
    int loads, shared, operations, functions;
};

/* Is an element the same for all indices of one of the points' ranges? */
static bool is_shared(const struct pval *v, const struct prange *points) {
    bool shared = false;
    for (const struct prange *r = points; r != NULL; r = r->next)
        shared = shared || value_walk(v, find_variable, r->var);
    return shared;
}

static bool is_division(const struct pval *v) {
    return v->kind == PV_OP &&
           (v->op == OP_DIV || v->op == OP_POW || v->op == OP_FLOORDIV || v->op == OP_MOD);
}

/* Does a function of float32 take little longer than memory? */
static bool is_quick(const struct pval *v) {
    struct builtin_work w = builtin_work(v->builtin);
    return v->dtype == DT_FLOAT32 && w.narrow + 4 * w.special <= MOST_WORK;
}

static enum walk spend(const struct pval *v, void *budget) {
    struct budget *left = budget;
    bool shared = v->kind == PV_ELEM && is_shared(v, left->points);
    left->shared -= shared;
    left->loads -= v->kind == PV_ELEM && !shared;
    left->operations -= v->kind == PV_OP || v->kind == PV_SELECT || v->kind == PV_FMA;
    bool slow = v->kind == PV_CALL ? !is_quick(v)
                : is_division(v)   ? v->op != OP_DIV || v->dtype != DT_FLOAT32
                                   : false;
    left->functions -= v->kind == PV_CALL || is_division(v);
    return slow || left->shared < 0 || left->loads < 0 || left->operations < 0 ||
                   left->functions < 0
               ? WALK_STOP
               : WALK_IN;
}

/* The loops around where the array is read. */
struct around {
    const struct made *m;
    const struct pvar *index[MAX_LOOPS_AROUND];
    int n;
};

/* Stops at a read of an element that other iterations of the loops read, too. */
static enum walk find_again(const struct pval *v, void *arg) {
    const struct around *x = arg;
    if (v->kind != PV_ELEM || v->operand != x->m->operand)
        return WALK_IN;
    for (int i = 0; i < x->n; i++) {
        int k = 0;
        while (k < v->nargs && (v->args[k]->kind != PV_VAR || v->args[k]->var != x->index[i]))
            k++;
        if (k == v->nargs)
            return WALK_STOP;
    }
    return WALK_IN;
}

/* Is each element read but once by each place of a list that reads the array? */
static bool is_read_once(const struct around *around, struct pstmt *list) {
    const struct plan_visitor again = {.value = find_again, .joined = true};
    bool once = true;
    for (struct pstmt *s = list; s != NULL && once; s = s->next) {
        struct around x = *around;
        once = stmt_values(s, find_again, &x) && plan_walk(s->joined, &again, &x) &&
               s->kind != PS_LOOP;
        if (s->kind == PS_FOR && x.n < MAX_LOOPS_AROUND)
            x.index[x.n++] = s->var;
        for (const struct prange *r = s->ranges; r != NULL && x.n < MAX_LOOPS_AROUND; r = r->next)
            x.index[x.n++] = r->var;
        once = once && x.n < MAX_LOOPS_AROUND && is_read_once(&x, s->body) &&
               is_read_once(&x, s->other);
    }
    return once;
}

/* Whether the value is made of so little that it is computed wherever it is read.  functions: it
 * may have so many. */
static bool is_cheap(struct made *m, int functions) {
    struct budget left = {m->definition->ranges, MAX_LOADS, MAX_SHARED_LOADS, MAX_OPERATIONS,
                          functions};
    m->value = NEWN(m->l->uc, struct pval *, m->l->plan->nvars);
    for (const struct pstmt *s = m->definition->body; s != m->put; s = s->next) {
        if (s->kind != PS_SET || is_half(s->var->rounds) || m->value[s->var->id] != NULL)
            return false;
        m->value[s->var->id] = s->value;
    }
    struct pval *value = copy(m, m->put->value);
    if (is_half(value->dtype) || !value_walk(value, spend, &left))
        return false;
    bool few =
        functions == 0 && MAX_LOADS - left.loads + MAX_SHARED_LOADS - left.shared <= MAX_LOADS;
    return few || is_read_once(&(struct around){.m = m}, m->definition->next);
}

/* Replaces a read by the value at its subscripts. */
static enum walk compute(const struct pval *v, void *arg) {
    struct made *m = arg;
    const struct pval *place = m->put->place;
    if (v->kind != PV_ELEM || v->operand != m->operand || v == m->kept)
        return WALK_IN;
    for (int i = 0; i < v->nargs; i++)
        value_walk(v->args[i], compute, m);
    for (int i = 0; i < v->nargs; i++)
        m->value[place->args[i]->var->id] = v->args[i];
    *(struct pval *)(void *)v = *copy(m, m->put->value);
    return WALK_PAST;
}

/* ---- at each point of the one that reads it */

/* The range behind r of the reader, or of the reduction in it. */
static const struct prange *next_range(const struct made *m, const struct prange *r) {
    const struct prange *last = m->reader->ranges;
    while (last != NULL && last->next != NULL)
        last = last->next;
    return r == last && m->within != NULL ? m->within->ranges : r->next;
}

/* Looks for reads at other points than the reader's own. */
static enum walk compare_point(const struct pval *v, void *arg) {
    struct made *m = arg;
    const struct pval *place = m->put->place;
    if (v->kind != PV_ELEM || v->operand != m->operand)
        return WALK_IN;
    m->nreads++;
    m->same_read = m->read == NULL || (m->same_read && same_value(v, m->read));
    m->read = v;
    for (int i = 0; i < v->nargs; i++) {
        const struct prange *own = m->definition->ranges, *at = m->reader->ranges;
        for (; own != NULL && at != NULL && own->var != place->args[i]->var; own = own->next)
            at = next_range(m, at);
        if (at == NULL || own == NULL || v->args[i]->kind != PV_VAR || v->args[i]->var != at->var)
            m->same_points = false;
    }
    return WALK_IN;
}

/* Counts the reads in a statement. */
static int count_reads(struct made *m, const struct pstmt *s) {
    m->nreads = 0;
    m->read = NULL;
    m->same_points = true;
    stmt_walk(s, &(struct plan_visitor){.value = compare_point, .joined = true}, m);
    return m->nreads;
}

static bool has_same_bounds(const struct made *m) {
    const struct prange *own = m->definition->ranges, *at = m->reader->ranges;
    while (own != NULL && at != NULL && same_value(own->lo, at->lo) &&
           same_value(own->hi, at->hi) && same_value(own->step, at->step)) {
        own = own->next;
        at = next_range(m, at);
    }
    return own == NULL && at == NULL;
}

static enum walk find_long(const struct pstmt *s, void *none) {
    (void)none;
    bool brief = s->kind == PS_SET || s->kind == PS_IF || s->kind == PS_PUT ||
                 (is_reduction(s) && constant_points(s->ranges) <= UNROLLED_POINTS);
    return brief ? WALK_IN : WALK_STOP;
}

static bool is_brief_definition(const struct made *m) {
    return plan_walk(m->definition->body, &(struct plan_visitor){.stmt = find_long, .joined = true},
                     NULL);
}

/* Sets `within` to the reduction at the reader's points that has all reads. */
static void find_within(struct made *m) {
    if (m->reader->accs != NULL || !is_brief_definition(m))
        return;
    for (struct pstmt *s = m->reader->body; s != NULL && m->within == NULL; s = s->next)
        if (is_reduction(s) && count_reads(m, s) == m->nbehind)
            m->within = s;
}

/* Does a list read the array, whatever the conditions in it? */
static bool reads_anyway(const struct made *m, const struct pstmt *list) {
    struct around x = {.m = m, .index = {NULL}, .n = 1}; /* which no subscript has */
    for (const struct pstmt *s = list; s != NULL && s->kind != PS_BLOCK; s = s->next)
        if ((s->kind == PS_SET || s->kind == PS_PUT) && !value_walk(s->value, find_again, &x))
            return true;
    return false;
}

/* Is each element read once at most, by subscripts that differ from point to point? */
static bool reads_blocks(struct made *m) {
    const struct pstmt *s = m->within != NULL ? m->within : m->reader;
    const struct prange *ranges[] = {m->reader->ranges, m->within != NULL ? s->ranges : NULL};
    return m->same_read && is_brief_definition(m) && reads_anyway(m, s->body) &&
           differ_at_points(m->read, ranges, 2);
}

/* Finds the statement in whose points alone the array is read, each at its own, or each at others
 * than the rest.  False: there is none. */
static bool find_reader(struct made *m) {
    m->within = NULL;
    for (m->reader = m->definition->next; m->reader != NULL; m->reader = m->reader->next)
        if (count_reads(m, m->reader) > 0)
            break;
    if (m->reader == NULL || m->reader->kind != PS_SPREAD || m->nreads != m->nbehind)
        return false;
    if (!has_same_bounds(m))
        find_within(m);
    return count_reads(m, m->reader) == m->nbehind &&
           ((m->same_points && has_same_bounds(m)) || reads_blocks(m));
}

static enum walk use_variable(const struct pval *v, void *arg) {
    const struct made *m = arg;
    struct pval *own = (struct pval *)(void *)v;
    if (v->kind == PV_ELEM && v->operand == m->operand)
        *own = (struct pval){.kind = PV_VAR, .dtype = v->dtype, .var = m->var};
    if (v->kind != PV_VAR || m->value[v->var->id] == NULL)
        return WALK_IN;
    *own = *copy(m, v);
    return WALK_PAST;
}

/* Moves the definition's statements into the reader, whose indices they then use. */
static void join(struct made *m) {
    const struct plan_visitor visitor = {.value = use_variable, .joined = true};
    struct plan *p = m->l->plan;
    struct pstmt *put = m->put, *reader = m->within != NULL ? m->within : m->reader;
    m->var = &variable_new(m->l, p->operands[m->operand].name, put->value->dtype)->pvar;
    m->var->rounds = put->value->dtype;
    m->value = NEWN(m->l->uc, struct pval *, p->nvars);
    for (int i = 0; i < m->read->nargs; i++)
        m->value[put->place->args[i]->var->id] = m->read->args[i];
    *put = (struct pstmt){.kind = PS_SET, .var = m->var, .value = put->value, .at = put->at};
    plan_walk(m->definition->body, &visitor, m);
    put->next = reader->body;
    reader->body = m->definition->body;
    stmt_walk(reader, &visitor, m);
}

/* Whether the reader is a reduction that each point of a prefix would be computed in from the
 * start. */
static bool repeats_prefix(const struct made *m) {
    const struct pstmt *reader = m->within != NULL ? m->within : m->reader;
    return reader->accs != NULL && is_prefix(m->definition);
}

/* ---- the whole */

static void compute_all(struct made *m) {
    plan_walk(m->definition->next, &(struct plan_visitor){.value = compute, .joined = true}, m);
}

/* Whether it is computed wherever it is read by a function: hosts have caches for such arrays. */
static bool may_recompute(struct made *m) {
    struct plan *p = m->l->plan;
    bool may =
        !p->checked && p->steps == NULL && m->nbehind <= MAX_READS && is_cheap(m, MAX_FUNCTIONS);
    p->recomputable = p->recomputable || may;
    return may && (p->recomputes || p->calls);
}

/* Whether the array that *at defines needs no memory now; *at is then taken out of its list. */
static bool place_definition(struct lower *l, struct pstmt **at) {
    struct made m;
    if (!is_made(l, *at, false, &m) || !is_steady(&m))
        return false;
    if (is_cheap(&m, 0))
        compute_all(&m);
    else if (find_reader(&m) && !scans_apart(m.definition, m.reader) && !repeats_prefix(&m))
        join(&m);
    else if (may_recompute(&m))
        compute_all(&m);
    else
        return false;
    *at = m.definition->next;
    l->plan->in_place |= UINT32_C(1)
                         << (m.operand - l->plan->overload->nin - l->plan->overload->nout);
    return true;
}

/* The same of loops that define one, which stay loops if it needs memory. */
static bool place(struct lower *l, struct pstmt **at) {
    struct pstmt *own = *at, *definition = own->kind == PS_FOR ? as_definition(l, own) : NULL;
    *at = definition != NULL ? definition : own;
    if (place_definition(l, at))
        return true;
    *at = own;
    return false;
}

/* ---- outputs that are stored twice */

static enum walk count_kept(const struct pval *v, void *arg) {
    struct made *m = arg;
    m->nkept += v == m->kept;
    return count_read(v, arg);
}

/* The definition behind this one that stores all elements again, each from itself alone; NULL:
 * there is none, or others store some of them, or it may not be come to. */
static struct pstmt *find_overwriting(struct made *m) {
    const struct plan *p = m->l->plan;
    const struct plan_visitor jumps = {.stmt = find_jump}, puts = {.stmt = count_put};
    for (struct pstmt *s = m->definition->next; s != NULL; s = s->next) {
        const struct pstmt *last = last_put(s);
        m->nputs = 0;
        stmt_walk(s, &puts, m);
        if (!stmt_walk(s, &jumps, NULL) || m->nputs > 1)
            return NULL;
        if (m->nputs == 0)
            continue;
        m->reader = s;
        if (last == NULL || last->operand != m->operand || !has_all_elements(p, s, last->place))
            return NULL;
        m->kept = last->place;
        count_reads(m, s);
        return m->same_points && has_same_bounds(m) ? s : NULL;
    }
    return NULL;
}

/* Whether an output's elements that *at defines were computed where they are read, as all are
 * stored again; *at is then taken out of its list.  It is as with an array that the body makes. */
static bool place_overwritten(struct lower *l, struct pstmt **at) {
    const struct plan_visitor uses = {.value = add_use, .joined = true},
                              reads = {.value = count_kept, .joined = true},
                              changes = {.stmt = find_change, .joined = true};
    struct made m;
    if (l->plan->checked || !is_made(l, *at, true, &m) ||
        !has_all_elements(l->plan, m.definition, m.put->place) ||
        !stmt_walk(m.definition, &(struct plan_visitor){.stmt = find_jump}, NULL))
        return false;
    struct pstmt *until = find_overwriting(&m), *rest = until != NULL ? until->next : NULL;
    if (until == NULL)
        return false;
    until->next = NULL;
    m.nputs = m.nreads = 0;
    stmt_walk(m.definition, &uses, &m);
    stmt_walk(m.definition, &(struct plan_visitor){.stmt = count_put}, &m);
    plan_walk(m.definition->next, &reads, &m);
    plan_walk(m.definition->next, &changes, &m);
    m.nbehind = m.nreads - 1; /* but for the place that is stored to */
    bool placed = !m.conflict && m.nputs == 1 && m.nkept == 1 && !m.operands[m.operand] &&
                  (is_cheap(&m, 0) || may_recompute(&m));
    if (placed)
        compute_all(&m);
    until->next = rest;
    *at = placed ? m.definition->next : *at;
    return placed;
}

/* Whether an array of the list was placed.  One that only others read is so once these are. */
static bool place_list(struct lower *l, struct pstmt **list) {
    bool placed = false;
    for (struct pstmt **at = list; *at != NULL;) {
        struct pstmt **const lists[] = PSTMT_LISTS(*at);
        if (place(l, at) || place_overwritten(l, at)) {
            placed = true;
            continue;
        }
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            placed = place_list(l, lists[i]) || placed;
        at = &(*at)->next;
    }
    return placed;
}

void place_arrays(struct lower *l) {
    while (l->plan->overload->decl->kind == DECL_GUFUNC && place_list(l, &l->plan->body))
        continue;
}
