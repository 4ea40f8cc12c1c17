/* compose.c: ordered loops of which each iteration changes scalar states by functions that can
 * be composed, as
 *
 *     for i in 0..n { run = run + 1 if x[i] == x[i - 1] else 1; longest = max(longest, run) }
 *
 * The states that depend on one another are a scan of functions (form.c), whose iterations
 * have their values from before; what depends on such a state finds it in an array, or in the scan
 * itself.  A state that each iteration sets anew, whatever the one before did, is computed again
 * where it is read.  What the loop stores is then stored by iterations in any order, and what only
 * leaves the loop is a reduction. */
#include "apart.h"
#include "bounded.h"
#include "compose.h"

enum { MOST_COPIES = 32 }; /* of iterations of loops in the loop */

/* ---- the loop */

static bool is_constant(const struct pval *v, int64_t least) {
    return v->kind == PV_CONST && (int64_t)v->i >= least;
}

/* The dimension that v is, or from which it takes a number of at least `least`; NULL: none. */
static const struct pval *below_dimension(const struct pval *v, int64_t least) {
    bool less = v->kind == PV_OP && v->nargs == 2 && v->args[1]->kind == PV_CONST &&
                (v->op == OP_SUB || v->op == OP_ADD);
    int64_t by = !less ? 0 : v->op == OP_SUB ? (int64_t)v->args[1]->i : -(int64_t)v->args[1]->i;
    const struct pval *dim = less ? v->args[0] : v;
    if (dim->kind == PV_OP && dim->op == OP_FLOORDIV && is_constant(dim->args[1], 1))
        dim = dim->args[0]; /* which is at least as much */
    return dim->kind == PV_DIM && by >= least ? dim : NULL;
}

/* The dimension within which all of the loop's indices are. */
static const struct pval *dimension_of(const struct pstmt *loop) {
    bool up = (int64_t)loop->step->i > 0;
    if (!is_constant(up ? loop->lo : loop->hi, up ? 0 : -1))
        return NULL;
    return below_dimension(up ? loop->hi : loop->lo, up ? 0 : 1);
}

/* A bound as it is before the loop, which may set a variable that is one. */
static struct pval *bound(struct composing *x, struct pval *v) {
    bool fixed = value_is_atom(v) || dimension_of(x->loop) != NULL || is_of_sizes(v);
    for (int i = 0; i < x->n; i++)
        fixed = fixed && !(v->kind == PV_VAR && v->var == x->state[i].var);
    return fixed ? v : emit_temporary(x->l, "bound", v, x->loop->at);
}

/* Whether the loop has an iteration. */
static struct pval *is_there(struct composing *x) {
    bool up = (int64_t)x->loop->step->i > 0;
    return value_op(x->l, up ? OP_LT : OP_GT, DT_BOOL, x->lo, x->hi);
}

/* Emits what variables have behind the loop, where some iteration, or its being run again, stored
 * that. */
static void emit_left(struct composing *x, const struct leaving *leaving, const struct pvar *bad) {
    struct lower *l = x->l;
    for (int i = 0; i < x->n; i++) {
        if (!(leaving->states >> i & 1))
            continue;
        const struct pvar *var = x->state[i].var;
        struct pval *v = element_at(x, leaving->array[i], NULL);
        struct pstmt *s = open_if(
            x, bad == NULL ? is_there(x)
                           : value_op(l, OP_NE, DT_BOOL, read(l, bad), value_zero(l, DT_INT32)));
        v = var->dtype == DT_BOOL ? value_op(l, OP_NE, DT_BOOL, v, value_zero(l, v->dtype)) : v;
        set(l, var, v, x->loop->at);
        close_if(x, s);
    }
}

/* The same of a loop without scans. */
static void emit_last(struct composing *x, uint32_t states) {
    struct lower *l = x->l;
    if (states == 0)
        return;
    struct pstmt *s = open_if(x, is_there(x));
    const struct pvar *last =
        emit_temporary(l, "last", value_op(l, OP_SUB, DT_INT64, x->hi, x->loop->step), s->at)->var;
    struct copy c = new_copy(x, last);
    uint32_t needs;
    const struct pstmt *own = slice(x, states, 0, &needs);
    provide(x, &c, needs, last);
    emit_copy(x, &c, own);
    for (int i = 0; i < x->n; i++)
        if (states >> i & 1 && c.vars[x->state[i].var->id] != NULL)
            set(l, x->state[i].var, read(l, c.vars[x->state[i].var->id]), s->at);
    close_if(x, s);
}

/* Emits what the loop stores where no scan does: a loop whose iterations may have any order, or
 * that updates bins. */
static void emit_store_loop(struct composing *x) {
    struct lower *l = x->l;
    if (x->puts == 0)
        return;
    struct pstmt *s = stmt_emit(l, PS_FOR, x->loop->at), **end = l->end;
    struct leaving none = {0};
    s->var = &variable_new(l, x->loop->var->name, DT_INT64)->pvar;
    s->lo = x->lo;
    s->hi = x->hi;
    s->step = x->loop->step;
    l->end = &s->body;
    emit_stores(x, s->var, &none);
    l->end = end;
}

/* May what the loop stores be dealt out, or merged, where the states are known? */
static bool stores_to_bins(const struct composing *x) {
    struct sharer s = {.uc = x->l->uc, .plan = x->l->plan};
    return updates_bins(&s, x->loop);
}

/* Notes the states of a round that have to be checked, for which arrays have them. */
static void note_checks(struct composing *x, const struct round *r) {
    for (int i = 0; i < r->n; i++)
        if (r->group[i].kind == FORM_CLAMP) {
            x->stored |= r->states[i];
            x->checked[x->nchecks] = r->states[i];
            x->check[x->nchecks++] = r->group[i];
        }
}

static bool has_checks(const struct round *r) {
    int i = 0;
    while (i < r->n && r->group[i].kind != FORM_CLAMP)
        i++;
    return i < r->n;
}

/* The states that nothing else needs. */
static uint32_t find_leaving(const struct composing *x, uint32_t put_needs) {
    uint32_t leaving = 0;
    for (int i = 0; i < x->n; i++) {
        uint32_t own = together(x, i), others = put_needs;
        for (int k = 0; k < x->n; k++)
            others |= own >> k & 1 ? 0 : x->state[k].needs;
        leaving |= others & own ? 0 : bit(i);
    }
    return leaving;
}

/* Emits all that the loop is made of.  False: it is left as it is. */
static bool emit_all(struct composing *x, struct pstmt **at) {
    struct leaving leaving = {0}, again = {0};
    struct pvar *bad = NULL;
    uint32_t put_needs, all = bit(x->n) - 1, behind = 0;
    const struct pstmt *puts = slice(x, 0, x->puts, &put_needs);
    struct round r;
    for (int i = 0; i < x->n; i++) {
        behind |= x->state[i].behind ? bit(i) : 0;
        if (x->state[i].needs == 0 && reads_inputs(x, slice(x, bit(i), 0, &(uint32_t){0})))
            x->lagged |= bit(i);
    }
    x->known = x->lagged;
    uint32_t alone = find_leaving(x, put_needs) & ~x->lagged;
    uint32_t totals = find_leaving_totals(x, alone, put_needs | x->lagged, at);
    uint32_t folds = totals != 0 ? 0 : alone;
    uint32_t scanned = all & ~x->lagged & ~totals & ~folds;
    x->after = !may_store(x, puts, put_needs);
    if (x->after && (scanned == 0 || !stores_to_bins(x)))
        return false;
    x->lo = bound(x, x->loop->lo);
    x->hi = bound(x, x->loop->hi);
    if (scanned == 0)
        emit_store_loop(x);
    leaving.states = scanned != 0 ? behind & (scanned | x->lagged) : 0;
    while (scanned & ~x->known) {
        if (!make_round(x, scanned, &r))
            return false;
        uint32_t left = scanned & ~x->known & ~r.all;
        bool last = left == 0;
        x->stored = needs_of(x, left | totals | folds) & ~totals;
        x->stored |= last ? 0 : leaving.states | needs_of(x, leaving.states);
        x->stored |= last && !x->after ? 0 : put_needs;
        note_checks(x, &r);
        emit_scan(x, &r, last, &leaving);
    }
    if (x->after) {
        x->after = false;
        emit_store_loop(x);
    }
    if (x->nchecks > 0) {
        if (!stores_anyway(x))
            return false;
        bad = emit_check(x);
        emit_again(x, bad, &again);
    }
    if (totals != 0)
        emit_totals(x, totals, true);
    while (folds & ~x->known) {
        if (!make_round(x, folds, &r) || has_checks(&r))
            return false;
        emit_fold(x, &r);
        x->known |= r.all;
    }
    emit_left(x, &leaving, NULL);
    emit_left(x, &again, bad);
    if (scanned == 0)
        emit_last(x, behind & x->lagged);
    return !x->failed;
}

/* A list whose loops of a few iterations, as over the samples of a block, are copies of theirs. */
static struct pstmt *without_loops(struct uc *uc, const struct pstmt *list, int *room) {
    struct pstmt *first = NULL, **end = &first;
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        int64_t steps = s->kind == PS_FOR && s->accs == NULL ? constant_steps(s) : -1;
        bool copied = steps >= 0 && steps <= *room &&
                      stmt_walk(s, &(struct plan_visitor){.stmt = find_jump}, NULL);
        for (int64_t k = 0; k < (copied ? steps : 1); k++) {
            struct pval *at =
                copied ? plan_number(uc, (int64_t)s->lo->i + k * (int64_t)s->step->i) : NULL;
            *room -= copied;
            *end = copied ? without_loops(uc, copy_statements(uc, s->body, NULL, s->var, at), room)
                          : copy_statements(uc, s, s->next, NULL, NULL);
            while (*end != NULL)
                end = &(*end)->next;
        }
    }
    return first;
}

/* The loop without loops in it. */
static struct pstmt *flat_loop(struct lower *l, struct pstmt *loop) {
    struct pstmt *flat = NEW(l->uc, struct pstmt), *nest = NULL;
    int room = MOST_COPIES;
    *flat = *loop;
    if (has_loop(loop->body))
        flat->body = without_loops(l->uc, loop->body, &room);
    if (has_loop(flat->body))
        nest = collapsed(l, loop);
    return nest != NULL ? nest : flat;
}

/* Replaces *at.  o: NULL where it is only asked whether there is something to compose. */
static bool compose_loop(struct lower *l, struct overload *o, struct pstmt **at, bool ask) {
    struct pvar **vars_end = variables_end(l);
    int nvars = l->plan->nvars;
    struct pstmt *loop = (*at)->kind == PS_FOR ? flat_loop(l, *at) : *at, *list = NULL,
                 **end = l->end;
    struct composing x = {.l = l, .o = o, .loop = loop, .whole = *at};
    bool is = loop->kind == PS_FOR && loop->accs == NULL && loop->step->kind == PV_CONST &&
              ((int64_t)loop->step->i == 1 || (int64_t)loop->step->i == -1) &&
              is_sliceable(loop->body) && !has_running_totals(l, loop); /* a scan without this */
    if (is)
        forward_in_iteration(l, loop);
    is = is && find_states(&x);
    x.size = is ? dimension_of(loop) : NULL;
    x.nvars = l->plan->nvars;
    l->end = &list;
    is = is && (ask || compose_loop(l, NULL, at, true)) && emit_all(&x, at);
    if (is && !ask) {
        *l->end = loop->next;
        *at = list;
    } else {
        l->vars_end = vars_end;
        *vars_end = NULL;
        l->plan->nvars = nvars;
    }
    l->end = end;
    return is;
}

bool may_compose(struct lower *l, struct pstmt **at) {
    return compose_loop(l, NULL, at, true);
}

bool has_composed(struct lower *l) {
    struct pstmt **at = &l->plan->body->body;
    while (*at != NULL && !compose_loop(l, NULL, at, true))
        at = &(*at)->next;
    return *at != NULL;
}

bool compose_loops(struct lower *l, struct overload *o) {
    bool any = false;
    for (struct pstmt **at = &l->plan->body->body; *at != NULL; at = &(*at)->next)
        any = compose_loop(l, o, at, false) || any;
    return any;
}
