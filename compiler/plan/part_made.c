/* part_made.c: arrays of which each iteration of a loop makes a part, and has no more of it, as the
 * scores of a row up to the diagonal:
 *
 *     for i in 0..n {
 *         s[j] = f(i, j) for j in 0..i + 1
 *         let top = max(s[j] for j in 0..i + 1)
 *         ...
 *     }
 *
 * So the iteration makes all of the array that it reads.  Where arrays have an axis for the loop's
 * index, the definition may make all of a row: then it is one of a whole matrix, which threads
 * compute in tiles, and whose other half nobody reads. */
#include "apart.h"
#include "split.h"

enum { MAX_AROUND = 16 };

struct made {
    struct uc *uc;
    const struct plan *plan;
    const struct pstmt *list;
    const bool *written; /* in the list */
    int operand;
    /* By subscript: the bounds of its index, or what it is everywhere. */
    const struct pval *lo[MAX_CORE_RANK], *hi[MAX_CORE_RANK], *fixed[MAX_CORE_RANK];
    struct {
        const struct pvar *var;
        const struct pval *lo, *hi, *step;
    } around[MAX_AROUND]; /* indices around what is looked at */
    int n;
    bool fails;
};

static enum walk find_changing(const struct pval *v, void *arg) {
    const struct made *m = arg;
    bool plain = v->kind == PV_CONST || v->kind == PV_DIM || v->kind == PV_OP ||
                 v->kind == PV_CALL || (v->kind == PV_VAR && !m->written[v->var->id]);
    return plain ? WALK_IN : WALK_STOP;
}

struct setting {
    const struct pvar *var;
    const struct pval *value;
};

static enum walk find_set(const struct pstmt *s, void *arg) {
    struct setting *x = arg;
    if (s->kind == PS_SET && s->var == x->var)
        x->value = s->value;
    return WALK_IN;
}

/* What a bound is, which may be a variable that the list sets; NULL: it may change. */
static const struct pval *bound_of(const struct made *m, const struct pval *v) {
    struct setting x = {.var = v->kind == PV_VAR ? v->var : NULL};
    if (x.var != NULL && m->written[x.var->id] && sets_once(m->plan->body, x.var)) {
        plan_walk(m->list, &(struct plan_visitor){.stmt = find_set}, &x);
        v = x.value != NULL ? x.value : v;
    }
    return value_walk(v, find_changing, (void *)(uintptr_t)m) ? v : NULL;
}

static bool same_bound(const struct made *m, const struct pval *v, const struct pval *bound) {
    v = bound_of(m, v);
    return v != NULL && same_value(v, bound);
}

static int place_of(const struct made *m, const struct pval *v) {
    int i = v->kind == PV_VAR ? m->n : 0;
    while (i-- > 0 && m->around[i].var != v->var)
        ;
    return v->kind == PV_VAR ? i : -1;
}

static enum walk check_element(const struct pval *v, void *arg) {
    struct made *m = arg;
    for (int i = 0; v->kind == PV_ELEM && v->operand == m->operand && i < v->nargs; i++) {
        int at = place_of(m, v->args[i]);
        bool within = m->fixed[i] != NULL ? same_value(v->args[i], m->fixed[i])
                                          : at >= 0 && m->around[at].step->kind == PV_CONST &&
                                                m->around[at].step->i == 1 &&
                                                same_bound(m, m->around[at].lo, m->lo[i]) &&
                                                same_bound(m, m->around[at].hi, m->hi[i]);
        if (!within || v->checked != 0)
            return WALK_STOP;
    }
    return WALK_IN;
}

static void go_around(struct made *m, const struct pvar *var, const struct pval *lo,
                      const struct pval *hi, const struct pval *step) {
    m->fails = m->fails || m->n == MAX_AROUND;
    if (!m->fails) {
        m->around[m->n].var = var;
        m->around[m->n].lo = lo;
        m->around[m->n].hi = hi;
        m->around[m->n++].step = step;
    }
}

/* Do the statements of a list have no element but those that are made? */
static bool are_within(struct made *m, const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL && !m->fails; s = s->next) {
        int n = m->n;
        if (s->kind == PS_CLEAR && s->operand == m->operand)
            return false;
        if (s->kind == PS_FOR)
            go_around(m, s->var, s->lo, s->hi, s->step);
        for (const struct prange *r = s->ranges; r != NULL; r = r->next)
            go_around(m, r->var, r->lo, r->hi, r->step);
        bool own = stmt_values(s, check_element, m);
        struct pstmt *const *const lists[] = PSTMT_LISTS(s);
        for (size_t i = 0; own && i < sizeof lists / sizeof lists[0]; i++)
            own = are_within(m, *lists[i]);
        m->n = n;
        if (!own)
            return false;
    }
    return !m->fails;
}

static enum walk find_element(const struct pval *v, void *operand) {
    return v->kind == PV_ELEM && v->operand == *(const int *)operand ? WALK_STOP : WALK_IN;
}

/* The definition, or the loops, that s is, of which each point sets its element of the array before
 * any statement has it: the statement that does. */
static const struct pstmt *find_put(struct made *m, const struct pstmt *s) {
    const struct plan_visitor jumps = {.stmt = find_jump},
                              has = {.value = find_element, .joined = true};
    while (s != NULL && ((s->kind == PS_FOR && s->accs == NULL) ||
                         (s->kind == PS_SPREAD && s->accs == NULL && !s->ordered))) {
        if (s->kind == PS_FOR)
            go_around(m, s->var, s->lo, s->hi, s->step);
        for (const struct prange *r = s->ranges; r != NULL; r = r->next)
            go_around(m, r->var, r->lo, r->hi, r->step);
        if (!plan_walk(s->body, &jumps, NULL))
            return NULL;
        for (s = s->body; s != NULL && stmt_walk(s, &has, &m->operand); s = s->next)
            ;
    }
    bool puts = s != NULL && s->kind == PS_PUT && s->operand == m->operand && !s->merged &&
                s->place->checked == 0 && value_walk(s->value, find_element, &m->operand);
    return puts && !m->fails ? s : NULL;
}

static enum walk find_other_place(const struct pval *v, void *arg) {
    const struct pval *place = arg;
    bool other = v->kind == PV_ELEM && v->operand == place->operand && !same_value(v, place);
    return other ? WALK_STOP : WALK_IN;
}

/* Does what makes an array have no element but the point's own? */
static bool has_own_alone(const struct pstmt *s, const struct pval *place) {
    return stmt_walk(s, &(struct plan_visitor){.value = find_other_place, .joined = true},
                     (void *)(uintptr_t)place);
}

/* Notes what a statement makes of the array. */
static bool note_made(struct made *m, const struct pstmt *s) {
    const struct pstmt *put = find_put(m, s);
    int own = 0;
    for (int i = 0; put != NULL && i < put->place->nargs; i++) {
        const struct pval *v = put->place->args[i];
        int at = place_of(m, v);
        for (int k = 0; k < i; k++) /* a diagonal is none */
            if (same_value(v, put->place->args[k]))
                return false;
        own += at >= 0;
        if (at < 0) {
            m->fixed[i] = value_walk(v, find_changing, m) ? v : NULL;
        } else if (m->around[at].step->kind == PV_CONST && m->around[at].step->i == 1) {
            m->lo[i] = bound_of(m, m->around[at].lo);
            m->hi[i] = bound_of(m, m->around[at].hi);
        }
        if (m->fixed[i] == NULL && (m->lo[i] == NULL || m->hi[i] == NULL))
            return false;
    }
    /* no other loop, which might have no iteration */
    bool all = put != NULL && own == m->n && has_own_alone(s, put->place);
    m->n = 0;
    return all;
}

/* Finds the first statement of a list that has the array, which makes a part, and no other one has
 * more; NULL: there is none. */
static const struct pstmt *find_making(struct made *m) {
    const struct pstmt *s = m->list;
    while (s != NULL && !has_array(s, m->operand))
        s = s->next;
    return s != NULL && note_made(m, s) && are_within(m, m->list) ? s : NULL;
}

bool makes_part(struct uc *uc, const struct plan *p, const struct pstmt *list, int k) {
    struct made m = {.uc = uc, .plan = p, .list = list, .operand = k};
    m.written = find_written(uc, p, list);
    return find_making(&m) != NULL;
}

/* ---- whole rows */

static enum walk find_missing(const struct pval *v, void *plan) {
    return exists_anyway(plan, v) ? WALK_PAST : WALK_STOP;
}

static enum walk find_effect(const struct pstmt *s, void *none) {
    (void)none;
    bool plain =
        s->kind == PS_SET || s->kind == PS_PUT || (s->kind == PS_SPREAD && s->accs != NULL);
    return plain ? WALK_IN : WALK_STOP;
}

/* Is a range all indices of a dimension up to the loop's, or from that on? */
static bool is_triangle(const struct made *m, const struct pstmt *loop, const struct prange *r) {
    const struct pval *lo = bound_of(m, r->lo), *hi = bound_of(m, r->hi);
    bool from_0 = lo != NULL && lo->kind == PV_CONST && lo->i == 0;
    bool to_end = hi != NULL && same_value(hi, loop->hi);
    return r->next == NULL && lo != NULL && hi != NULL &&
           ((from_0 && grows_with(&loop, 1, hi) != NULL) ||
            (to_end && grows_with(&loop, 1, lo) != NULL));
}

/* Has the definition of an array in a loop over a dimension make whole rows. */
static void widen(struct lower *l, const struct pstmt *loop, int k) {
    struct plan *p = l->plan;
    struct made m = {.uc = l->uc, .plan = p, .list = loop->body, .operand = k};
    m.written = find_written(l->uc, p, loop->body);
    const struct pstmt *s = is_whole_dimension(loop) ? find_making(&m) : NULL;
    struct prange *r = s != NULL && s->kind == PS_SPREAD ? s->ranges : NULL;
    const struct poperand *array = &p->operands[k];
    int axis = 0;
    while (axis < array->rank && m.fixed[axis] != NULL)
        axis++;
    if (r == NULL || axis == array->rank || !is_triangle(&m, loop, r) ||
        !plan_walk(s->body, &(struct plan_visitor){.stmt = find_effect}, NULL) ||
        array->dims[axis]->index != loop->hi->operand)
        return;
    struct variable *index = (struct variable *)r->var;
    struct pval *lo = plan_number(l->uc, 0);
    set_index_range(index, lo, loop->hi, r->step);
    if (plan_walk(s->body, &(struct plan_visitor){.value = find_missing, .joined = true}, p)) {
        r->lo = lo;
        r->hi = loop->hi;
        add_serial_loop(l->uc, (struct pstmt *)(uintptr_t)s);
    } else {
        set_index_range(index, r->lo, r->hi, r->step);
    }
}

void widen_parts(struct lower *l) {
    struct plan *p = l->plan;
    for (const struct pstmt *s = p->body->body; s != NULL; s = s->next)
        for (int k = p->nin + p->overload->nout; k < p->noperands && s->kind == PS_FOR; k++)
            if (count_elements(l->uc, p, s->body)[k] > 0 &&
                count_elements(l->uc, p, s->body)[k] == count_elements(l->uc, p, p->body)[k])
                widen(l, s, k);
}
