/* footprint.c: which elements of outputs statements access, as far as their subscripts tell.
 */
#include "plan.h"

/* ---- variables with one value */

struct setting {
    const struct pval **only;
    bool *several;
};

static enum walk note_value(const struct pstmt *s, void *arg) {
    const struct setting *x = arg;
    if (s->turned) { /* which is what threads share */
        plan_walk(s->shared, &(struct plan_visitor){.stmt = note_value}, arg);
        return WALK_PAST;
    }
    if (s->kind != PS_SET)
        return WALK_IN;
    const struct pval **only = &x->only[s->var->id];
    if (*only != NULL && !same_value(*only, s->value))
        x->several[s->var->id] = true;
    *only = s->value;
    return WALK_IN;
}

struct toucher toucher_new(struct uc *uc, const struct plan *p) {
    struct toucher x = {.uc = uc, .plan = p, .written = find_written(uc, p, p->body)};
    struct setting set = {NEWN(uc, const struct pval *, p->nvars + 1),
                          NEWN(uc, bool, p->nvars + 1)};
    plan_walk(p->body, &(struct plan_visitor){.stmt = note_value}, &set);
    for (int i = 0; i < p->nvars; i++)
        if (set.several[i])
            set.only[i] = NULL;
    x.only = set.only;
    return x;
}

const struct pstmt *loop_of_set(const struct toucher *x, const struct pstmt *s) {
    if (s->kind != PS_SET || s->var->dtype != DT_INT64 || x->only[s->var->id] == NULL)
        return NULL;
    struct pval *one = NEW(x->uc, struct pval), *next = NEW(x->uc, struct pval);
    struct pstmt *loop = NEW(x->uc, struct pstmt);
    *one = (struct pval){.kind = PV_CONST, .dtype = DT_INT64, .i = 1};
    *next = (struct pval){.kind = PV_OP, .op = OP_ADD, .dtype = DT_INT64, .nargs = 2};
    next->args[0] = s->value;
    next->args[1] = one;
    *loop = (struct pstmt){
        .kind = PS_FOR, .var = s->var, .lo = s->value, .hi = next, .step = one, .at = s->at};
    return loop;
}

/* ---- places */

struct finding {
    struct toucher *toucher;
    const struct pval *stored; /* the statement's place */
    bool spread, by_first;
    struct touch *list;
};

static enum walk add_place(const struct pval *v, void *arg) {
    struct finding *f = arg;
    const struct toucher *x = f->toucher;
    if (v->kind != PV_ELEM || v->operand >= x->plan->noperands ||
        !x->plan->operands[v->operand].is_output || x->kept >> v->operand & 1)
        return WALK_IN;
    struct touch *t = NEW(x->uc, struct touch);
    *t = (struct touch){.footprint = {.place = v, .around = x->around, .n = x->n},
                        .stored = v == f->stored,
                        .spread = f->spread,
                        .first = f->by_first || (v == f->stored && !f->spread),
                        .next = f->list};
    for (int i = 0; i < x->n && i < FOOTPRINT_INDICES; i++)
        t->footprint.index[i] = x->index[i];
    f->list = t;
    return WALK_IN;
}

static void enter(struct toucher *x, const struct pstmt *loop) {
    if (x->n < FOOTPRINT_INDICES)
        x->index[x->n] = loop;
    x->n++;
}

static void enter_ranges(struct toucher *x, const struct pstmt *s) {
    for (const struct prange *r = s->ranges; r != NULL; r = r->next) {
        struct pstmt *loop = NEW(x->uc, struct pstmt);
        *loop = (struct pstmt){
            .kind = PS_FOR, .var = r->var, .lo = r->lo, .hi = r->hi, .step = r->step, .at = s->at};
        enter(x, loop);
    }
}

static void find_in(struct finding *f, const struct pstmt *s, bool whole) {
    struct toucher *x = f->toucher;
    int outer = x->n;
    f->stored = s->place;
    /* Each thread has local arrays, and stores to them. */
    bool stores = s->kind == PS_PUT && s->operand < x->plan->noperands;
    f->by_first = (stores || s->by_first) && !f->spread && x->kept == 0;
    enter_ranges(x, s);
    stmt_values(s, add_place, f);
    if (s->kind == PS_FOR)
        enter(x, s);
    struct pstmt *const *const lists[] = PSTMT_LISTS(s);
    for (size_t i = 0; whole && i < sizeof lists / sizeof lists[0]; i++) {
        int inner = x->n;
        for (const struct pstmt *in = *lists[i]; in != NULL; in = in->next) {
            const struct pstmt *set = loop_of_set(x, in);
            find_in(f, in, true);
            if (set != NULL)
                enter(x, set);
        }
        x->n = inner;
    }
    x->n = outer;
}

struct touch *touches_of(struct toucher *x, const struct pstmt *s, bool spread, bool whole) {
    struct finding f = {.toucher = x, .spread = spread};
    find_in(&f, s, whole);
    return f.list;
}

bool may_meet(const struct toucher *x, const struct touch *a, const struct touch *b) {
    return a->footprint.place->operand == b->footprint.place->operand && (a->stored || b->stored) &&
           !are_footprints_apart(x->plan, x->written, &a->footprint, &b->footprint);
}
