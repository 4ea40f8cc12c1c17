/* forward.c: what a call stores to a result without subscripts, or to an element in an ordered
 * loop, and reads again is kept in a variable.  So threads that share the call need not wait for
 * the one that stores it, and statements that use it are as they would be with a local. */
#include "compose.h"

/* A PS_PUT, and where its place is read. */
struct stored {
    struct uc *uc;
    const struct pstmt *put;
    const struct pval *skipped; /* a place that is stored to */
    struct pvar *var;           /* NULL: whether there is a read is asked */
};

static enum walk find_put(const struct pstmt *s, void *arg) {
    const struct stored *f = arg;
    return s->kind == PS_PUT && s->operand == f->put->operand ? WALK_STOP : WALK_IN;
}

static enum walk skip_place(const struct pstmt *s, void *arg) {
    ((struct stored *)arg)->skipped = s->place;
    return WALK_IN;
}

/* Stops at a read, or replaces it by the variable. */
static enum walk take_read(const struct pval *v, void *arg) {
    const struct stored *f = arg;
    const struct pval *read = element_read(v);
    if (read == NULL || read == f->skipped || !same_value(read, f->put->place))
        return WALK_IN;
    if (f->var == NULL)
        return WALK_STOP;
    replace_read(f->uc, (struct pval *)(void *)v, f->var);
    return WALK_PAST;
}

/* Visits the reads of what is stored, up to where something else is.  False: it was stopped. */
static bool visit_reads(struct stored *f) {
    const struct plan_visitor stores = {.stmt = find_put},
                              reads = {.stmt = skip_place, .value = take_read, .joined = true};
    const struct pstmt *s = f->put->next;
    for (; s != NULL && stmt_walk(s, &stores, f); s = s->next)
        if (!stmt_walk(s, &reads, f))
            return false;
    return s == NULL || s->kind != PS_PUT || value_walk(s->value, take_read, f);
}

/* Whether the place of *at, a PS_PUT, is read behind it; then a variable has that, in front of *at.
 */
static bool forward_put(struct lower *l, struct pstmt **at) {
    struct pstmt *put = *at;
    struct stored f = {.uc = l->uc, .put = put};
    if (visit_reads(&f))
        return false;
    struct pval *v = put->value;
    f.var = &variable_new(l, l->plan->operands[put->operand].name, v->dtype)->pvar;
    f.var->rounds = v->dtype;
    struct pstmt *set = NEW(l->uc, struct pstmt);
    *set = (struct pstmt){.kind = PS_SET, .var = f.var, .value = v, .at = put->at, .next = put};
    put->value = value_new(l, PV_VAR, v->dtype);
    put->value->var = f.var;
    visit_reads(&f);
    *at = set;
    return true;
}

void forward_results(struct lower *l) {
    struct plan *p = l->plan;
    for (struct pstmt **at = &p->body->body; *at != NULL; at = &(*at)->next)
        if ((*at)->kind == PS_PUT && (*at)->place->nargs == 0 && (*at)->operand < p->noperands &&
            forward_put(l, at))
            at = &(*at)->next;
}

static enum walk find_changing(const struct pval *v, void *index) {
    return v->kind == PV_ELEM || (v->kind == PV_VAR && v->var != index) ? WALK_STOP : WALK_IN;
}

void forward_in_iteration(struct lower *l, struct pstmt *loop) {
    bool copied = false;
    for (struct pstmt **at = &loop->body; *at != NULL; at = &(*at)->next) {
        const struct pstmt *put = *at;
        bool own = put->kind == PS_PUT && !put->merged && put->operand < l->plan->noperands &&
                   put->value->dtype == put->place->dtype && !is_half(put->place->dtype) &&
                   !is_complex(put->place->dtype);
        for (int i = 0; own && i < put->place->nargs; i++)
            own = value_walk(put->place->args[i], find_changing, loop->var);
        if (!own || visit_reads(&(struct stored){.uc = l->uc, .put = put}))
            continue;
        if (!copied) { /* the loop's own statements stay as they are */
            int before = 0;
            for (const struct pstmt *s = loop->body; s != put; s = s->next)
                before++;
            loop->body = copy_statements(l->uc, loop->body, NULL, NULL, NULL);
            for (at = &loop->body; before > 0; before--)
                at = &(*at)->next;
            copied = true;
        }
        if (forward_put(l, at))
            at = &(*at)->next;
    }
}

/* ---- elements that ordered loops store */

enum { FORWARD_STATEMENTS = 16 }; /* behind one that stores, at most */

struct forwarding {
    struct toucher toucher;
    struct plan *plan;
    int room; /* variables that the arrays of `toucher` have room for */
};

/* Doubles the room for variables. */
static void add_room(struct forwarding *x) {
    struct toucher *t = &x->toucher;
    const struct pval **only = NEWN(t->uc, const struct pval *, 2 * x->room + 1);
    bool *written = NEWN(t->uc, bool, 2 * x->room + count_owned(x->plan) + 1);
    for (int i = 0; i < x->room; i++) {
        only[i] = t->only[i];
        written[i] = t->written[i];
    }
    t->only = only;
    t->written = written;
    x->room *= 2;
}

enum { VARIABLES_KEPT = 3 }; /* that keep a value, at most */

/* Keeps a value in a variable, which is set before a statement. */
static struct pvar *keep_value(struct forwarding *x, const char *name, struct pval *v,
                               struct pstmt **before) {
    struct uc *uc = x->toucher.uc;
    int known = x->plan->nvars;
    while (known + VARIABLES_KEPT > x->room)
        add_room(x);
    struct pvar *var = kept_new(uc, x->plan, name, v->dtype);
    set_kept(uc, x->plan, var, v, before, (*before)->at);
    for (int i = known; i < x->plan->nvars; i++)
        x->toucher.written[i] = true;
    return var;
}

/* Whether s, with the statements in it, stores no element that may be at the place. */
static bool keeps(struct forwarding *x, const struct pstmt *s, const struct touch *place) {
    for (const struct touch *t = touches_of(&x->toucher, s, true, true); t != NULL; t = t->next)
        if (t->stored && may_meet(&x->toucher, t, place))
            return false;
    return true;
}

/* Visits the reads in s, also as threads share it. */
static bool visit_element(struct stored *f, const struct pstmt *s) {
    const struct plan_visitor reads = {.stmt = skip_place, .value = take_read};
    if (!stmt_walk(s, &reads, f))
        return false;
    for (const struct pstmt *in = s->shared; in != NULL; in = in->next)
        if (!visit_element(f, in))
            return false;
    return true;
}

/* visit_reads of an element, as long as it stays. */
static bool visit_elements(struct forwarding *x, struct stored *f) {
    const struct touch *place = touches_of(&x->toucher, f->put, false, false);
    while (place != NULL && !place->stored)
        place = place->next;
    const struct enclosing *outer = x->toucher.around;
    const struct pstmt *s = f->put->next;
    bool none = true;
    for (int i = 0; place != NULL && s != NULL && none; i++, s = s->next) {
        if (i == FORWARD_STATEMENTS || !keeps(x, s, place))
            break;
        none = visit_element(f, s);
        const struct pstmt *set = loop_of_set(&x->toucher, s);
        struct enclosing *own = NEW(x->toucher.uc, struct enclosing);
        *own = (struct enclosing){set, x->toucher.around};
        x->toucher.around = set != NULL ? own : x->toucher.around;
    }
    x->toucher.around = outer;
    return none;
}

/* Stops at what other threads may store while one reads it. */
static enum walk find_output(const struct pval *v, void *plan) {
    const struct plan *p = plan;
    return v->kind == PV_ELEM && (v->operand >= p->noperands || p->operands[v->operand].is_output)
               ? WALK_STOP
               : WALK_IN;
}

static enum walk find_own_variable(const struct pval *v, void *arg) {
    const struct forwarding *x = arg;
    const struct enclosing *e = x->toucher.around;
    if (v->kind != PV_VAR)
        return v->kind == PV_ELEM ? WALK_STOP : WALK_IN;
    while (e != NULL && e->loop->var != v->var)
        e = e->outer;
    return e != NULL ? WALK_IN : WALK_STOP;
}

/* Whether a statement stores an element, whose subscripts no statement of its list changes, of what
 * all threads know. */
static bool stores_known(struct forwarding *x, const struct pstmt *s) {
    if (s->kind != PS_PUT || s->merged || s->place->nargs == 0 ||
        s->operand >= x->plan->noperands || !value_walk(s->value, find_output, x->plan))
        return false;
    for (int i = 0; i < s->place->nargs; i++)
        if (!value_walk(s->place->args[i], find_own_variable, x))
            return false;
    return true;
}

/* Loads inputs that the value is made of before a statement, a reduction that it waits for. */
static void load_before(struct forwarding *x, struct pval *v, struct pstmt **before) {
    const struct pval *read = element_read(v);
    if (read != NULL && read->checked == 0) {
        struct pval *copy = NEW(x->toucher.uc, struct pval);
        *copy = *v;
        struct pvar *var = keep_value(x, x->plan->operands[read->operand].name, copy, before);
        *v = *read_kept(x->toucher.uc, var, v->dtype);
    }
    for (int i = 0; v->kind != PV_SELECT && read == NULL && i < v->nargs; i++)
        load_before(x, v->args[i], before);
}

static void forward_in(struct forwarding *x, struct pstmt **list) {
    struct pstmt **reduction = NULL;
    for (struct pstmt **at = list; *at != NULL; at = &(*at)->next) {
        struct pstmt *s = *at;
        struct stored f = {.uc = x->toucher.uc, .put = s};
        const struct enclosing *outer = x->toucher.around;
        if (s->turned)
            forward_in(x, &s->shared);
        if (s->kind == PS_FOR && s->accs == NULL && (s->shared == NULL || s->turned) &&
            !find_written(x->toucher.uc, x->plan, s->body)[s->var->id]) {
            x->toucher.around = &(struct enclosing){s, outer};
            forward_in(x, &s->body);
            x->toucher.around = outer;
        }
        if (outer != NULL && stores_known(x, s) && !visit_elements(x, &f)) {
            if (reduction != NULL)
                load_before(x, s->value, reduction);
            while (*at != s)
                at = &(*at)->next;
            f.var = keep_value(x, x->plan->operands[s->operand].name, s->value, at);
            s->value = read_kept(x->toucher.uc, f.var, s->value->dtype);
            visit_elements(x, &f);
            while (*at != s)
                at = &(*at)->next;
        }
        reduction = s->kind == PS_SPREAD && s->accs != NULL ? at
                    : s->kind == PS_SET                     ? reduction
                                                            : NULL;
    }
}

void forward_elements(struct uc *uc, struct plan *p) {
    struct forwarding x = {.toucher = toucher_new(uc, p), .plan = p, .room = p->nvars};
    add_room(&x);
    forward_in(&x, &p->body->body);
}
