/* steps.c: a version of a body whose ordered loop is launched step by step: the loop's statements
 * become statements of the body, and the phases that these are are launched for each iteration.
 *
 *     for t in 0..20 { y[k] = 0 for k; for e in 0..m { y[c[e]] += x[r[e]] }; x[k] = y[k] for k }
 *
 * So an ordered loop in it may be a phase, whose iterations all blocks share: deal.c.  Products of
 * steps are computed by tiles. */
#include "apart.h"
#include "bounded.h"

static bool is_in_order(const struct pstmt *s) {
    return s->kind == PS_FOR && s->shared == NULL && s->accs == NULL && s->deal == NULL;
}

static enum walk find_merged(const struct pstmt *s, void *none) {
    (void)none;
    return s->merged ? WALK_STOP : WALK_IN;
}

/* Whether a loop's iterations merge what they store: it may be one that was in order. */
static bool merges(const struct pstmt *s) {
    return !plan_walk(s->body, &(struct plan_visitor){.stmt = find_merged}, NULL);
}

static bool is_long(const struct prange *r) {
    const struct prange one = {.lo = r->lo, .hi = r->hi, .step = r->step};
    return constant_points(&one) > UNROLLED_POINTS;
}

/* Whether a list has a long loop or reduction. */
static bool has_long(const struct pstmt *list) {
    const struct pstmt *s = list;
    for (; s != NULL; s = s->next) {
        const struct prange own = {.lo = s->lo, .hi = s->hi, .step = s->step};
        if ((s->kind == PS_FOR && is_long(&own)) || (s->kind == PS_SPREAD && is_long(s->ranges)) ||
            has_long(s->body) || has_long(s->other))
            return true;
    }
    return false;
}

/* Whether s is a definition with points along two axes or more that each have a long reduction or
 * loop: a product of matrices, or what else tiles may compute. */
static bool is_product(const struct pstmt *s) {
    int n = 0;
    for (const struct prange *r = s->kind == PS_SPREAD ? s->ranges : NULL; r != NULL; r = r->next)
        n += is_long(r);
    return n >= 2 && s->accs == NULL && has_long(s->body);
}

static bool has_product(const struct pstmt *list) {
    while (list != NULL && !is_product(list) && !has_product(list->shared))
        list = list->next;
    return list != NULL;
}

/* Whether s is an ordered loop whose iterations have another one, of any length, that stores; in a
 * version with steps its iterations may merge in any order.  Or they have a product. */
static bool has_long_steps(const struct plan *p, const struct pstmt *s) {
    const struct pstmt *in = is_in_order(s) ? s->body : NULL;
    if (has_product(in))
        return true;
    while (in != NULL && !(is_in_order(in) && constant_steps(in) < 0 && has_store(in->body)) &&
           !(p->steps != NULL && merges(in)))
        in = in->next;
    return in != NULL;
}

bool may_be_stepwise(const struct plan *p) {
    const struct pstmt *s = p->body->body;
    while (s != NULL && !has_long_steps(p, s))
        s = s->next;
    return s != NULL && p->nlocals == 0 && !p->checked;
}

/* ---- what launches may repeat */

static enum walk find_index(const struct pval *v, void *loop) {
    return v->kind == PV_VAR && v->var == ((const struct pstmt *)loop)->var ? WALK_STOP : WALK_IN;
}

/* Stops at a range that is another one in each iteration of a loop. */
static enum walk find_uneven(const struct pstmt *s, void *loop) {
    bool even = s->kind != PS_FOR ||
                (value_walk(s->lo, find_index, loop) && value_walk(s->hi, find_index, loop));
    for (const struct prange *r = s->ranges; r != NULL && even; r = r->next)
        even = value_walk(r->lo, find_index, loop) && value_walk(r->hi, find_index, loop);
    return even ? WALK_IN : WALK_STOP;
}

static bool is_alone(struct uc *uc, const struct plan *p, const struct pstmt *loop) {
    const struct pstmt *own = copy_statements(uc, loop, loop->next, NULL, NULL);
    return sets_own(uc, p, own, count_mentions(uc, p, p->body));
}

/* ---- numbers of an iteration */

/* A variable that an iteration's statements have in common, or what is outside of the loop. */
struct number {
    struct lower *l;
    const struct pvar *var;
    int operand; /* that has it */
};

static enum walk find_bound(const struct pstmt *s, void *arg) {
    const struct number *x = arg;
    const struct pval *const bounds[] = {s->lo, s->hi, s->step};
    bool is = false;
    for (int i = 0; i < 3; i++)
        is = is || !value_walk(bounds[i], find_variable, (void *)(uintptr_t)x->var);
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        is = is || r->var == x->var ||
             !value_walk(r->lo, find_variable, (void *)(uintptr_t)x->var) ||
             !value_walk(r->hi, find_variable, (void *)(uintptr_t)x->var);
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        is = is || a->acc == x->var || a->other == x->var;
    return is || (s->kind != PS_SET && s->var == x->var) ? WALK_STOP : WALK_IN;
}

static enum walk load_number(const struct pval *v, void *arg) {
    const struct number *x = arg;
    if (v->kind == PV_VAR && v->var == x->var)
        *(struct pval *)(uintptr_t)v =
            (struct pval){.kind = PV_ELEM, .dtype = v->dtype, .operand = x->operand};
    return WALK_IN;
}

static enum walk store_number(const struct pstmt *s, void *arg) {
    const struct number *x = arg;
    struct pstmt *put = (struct pstmt *)(uintptr_t)s;
    if (s->var != x->var)
        return WALK_IN;
    put->kind = PS_PUT;
    put->var = NULL;
    put->operand = x->operand;
    put->place = value_new(x->l, PV_ELEM, x->var->dtype);
    put->place->operand = x->operand;
    return WALK_IN;
}

/* Takes out of a list what adds to the variable.  How often something does. */
static int leave_out_sums(const struct number *x, struct pstmt **list) {
    int n = 0;
    for (struct pstmt **at = list; *at != NULL;) {
        const struct pval *v = (*at)->var == x->var ? (*at)->value : NULL;
        bool sum = v != NULL && v->kind == PV_OP && v->op == OP_ADD && v->args[0]->kind == PV_VAR &&
                   v->args[0]->var == x->var;
        n += sum + leave_out_sums(x, &(*at)->body) + leave_out_sums(x, &(*at)->other);
        if (sum)
            *at = (*at)->next;
        else
            at = &(*at)->next;
    }
    return n;
}

/* Does a loop of an iteration add to the variable, beside the bins that it updates? */
static bool adds_beside_bins(const struct number *x, const struct pstmt *loop) {
    struct sharer s = {.uc = x->l->uc, .plan = x->l->plan};
    struct pstmt *own = copy_statements(x->l->uc, loop, loop->next, NULL, NULL);
    bool adds = leave_out_sums(x, &own->body) > 0;
    return adds && count_mentions(x->l->uc, x->l->plan, own)[x->var->id] == 0 &&
           has_store(own->body) && updates_bins(&s, own);
}

/* How loops of an iteration set a variable that outlasts them, or the iteration. */
enum outlasting { NOTHING, OUTSIDE, BESIDE_BINS, OTHERWISE };

static enum outlasting outlasts(const struct number *x, const struct pstmt *loop, const int *all) {
    const struct plan *p = x->l->plan;
    int id = x->var->id, in = count_mentions(x->l->uc, p, loop->body)[id];
    enum outlasting is =
        find_written(x->l->uc, p, loop->body)[id] && in < all[id] ? OUTSIDE : NOTHING;
    for (const struct pstmt *s = loop->body; s != NULL && is != OTHERWISE; s = s->next) {
        const struct pstmt *own = copy_statements(x->l->uc, s, s->next, NULL, NULL);
        if (s->kind == PS_FOR && find_written(x->l->uc, p, own)[id] &&
            count_mentions(x->l->uc, p, own)[id] < all[id])
            is = adds_beside_bins(x, s) ? BESIDE_BINS : OTHERWISE;
    }
    return is;
}

void store_step_numbers(struct lower *l, struct overload *o) {
    struct plan *p = l->plan;
    const struct pstmt *loop = p->body->body;
    while (loop != NULL && !has_long_steps(p, loop))
        loop = loop->next;
    if (loop == NULL)
        return;
    const int *all = count_mentions(l->uc, p, p->body);
    const struct plan_visitor bounds = {.stmt = find_bound},
                              changes = {.stmt = store_number, .value = load_number};
    int nvars = p->nvars, numbers = 0;
    bool beside = false;
    bool *is = NEWN(l->uc, bool, nvars + 1);
    for (const struct pvar *v = p->vars; v != NULL; v = v->next) {
        struct number x = {.l = l, .var = v};
        enum outlasting how = v == loop->var ? NOTHING : outlasts(&x, loop, all);
        is[v->id] = how != NOTHING;
        beside = beside || how == BESIDE_BINS;
        if (how == OTHERWISE ||
            (is[v->id] &&
             (++numbers + p->noperands > UFC_MAX_OPERANDS / 2 || v->imag != NULL ||
              v->dtype == DT_BOOL || is_half(v->rounds) || !plan_walk(p->body, &bounds, &x))))
            return;
    }
    for (const struct pvar *v = p->vars; v != NULL && beside; v = v->next) {
        struct number x = {.l = l, .var = v};
        if (!is[v->id])
            continue;
        x.operand = add_array(l, o, NULL, v->dtype);
        plan_walk(p->body, &changes, &x);
    }
}

/* ---- the loop's statements as the body's */

static struct pval *operate(struct uc *uc, enum op op, struct pval *a, struct pval *b) {
    struct pval *v = NEW(uc, struct pval);
    *v = (struct pval){.kind = PV_OP, .op = op, .dtype = DT_INT64, .nargs = 2, .args = {a, b}};
    return v;
}

static struct pstmt *assignment(struct uc *uc, struct pvar *var, struct pval *v, struct span at) {
    struct pstmt *s = NEW(uc, struct pstmt);
    *s = (struct pstmt){.kind = PS_SET, .var = var, .value = v, .at = at};
    return s;
}

/* Sets how many iterations a loop by 1 has.  False: no dimensions tell. */
static bool count_steps(struct uc *uc, struct plan_steps *x, const struct pstmt *loop) {
    x->count = NEWN(uc, struct ufc_term, UFC_MAX_TERMS);
    x->ncount = 0;
    return loop->step->kind == PV_CONST && loop->step->i == 1 &&
           value_terms(operate(uc, OP_SUB, loop->hi, loop->lo), x->count, &x->ncount);
}

bool flatten_steps(struct uc *uc, struct plan *p) {
    struct pstmt **at = &p->body->body;
    while (*at != NULL && !has_long_steps(p, *at))
        at = &(*at)->next;
    struct pstmt *loop = *at;
    struct plan_steps *x = p->steps;
    if (loop == NULL || p->nlocals > 0 || !count_steps(uc, x, loop) || !is_alone(uc, p, loop) ||
        !plan_walk(loop->body, &(struct plan_visitor){.stmt = find_uneven}, loop))
        return false;
    x->number = plan_variable(uc, p, "step", DT_INT64);
    x->begin = assignment(uc, loop->var, operate(uc, OP_ADD, loop->lo, plan_read(uc, x->number)),
                          loop->at);
    x->end = assignment(uc, plan_variable(uc, p, "stepped", DT_INT64), plan_read(uc, x->number),
                        loop->at);
    *at = x->begin;
    x->begin->next = loop->body;
    while (*at != NULL)
        at = &(*at)->next;
    *at = x->end;
    x->end->next = loop->next;
    return true;
}

/* ---- the body, once loops that are definitions are, and it is known which deal entries out */

/* Whether a statement of an iteration reads no element in the launches of phases behind the loop,
 * which repeat straight code, and loops that are no phase: in a loop without iterations there may
 * be none. */
static bool reads_nothing_behind(const struct pstmt *s) {
    const struct plan_visitor elements = {.value = find_any_element, .joined = true};
    return s->kind == PS_SPREAD || s->kind == PS_PUT || is_phase_loop(s) ||
           stmt_walk(s, &elements, NULL);
}

bool keeps_steps(const struct plan *p) {
    const struct pstmt *s = p->body->body;
    bool shares = false;
    while (s != NULL && s != p->steps->begin)
        s = s->next;
    for (; s != NULL && s != p->steps->end && reads_nothing_behind(s); s = s->next)
        shares = shares || s->deal != NULL || s->merged || is_product(s);
    return s == p->steps->end && shares;
}
