/* fixed.c: an element that each iteration of an ordered loop changes is kept in a variable while
 * the loop runs:
 *
 *     for k in 0..m { c[i, j] += a[i, k] * b[k, j] }
 *
 * An iteration then waits for no store of the one before, and threads that share the call for none
 * of the one that stores.  Whole numbers that a loop merges are not kept: its iterations may have
 * any order. */
#include "linear.h"

enum { FIXED_STATEMENTS = 32 }; /* of a loop, at most: each that stores is compared with all */

struct fixing {
    struct uc *uc;
    struct plan *plan;
    const struct pstmt *loop, *put; /* put: in the loop's body, at each iteration */
    const bool *written;            /* find_written of the body */
    const struct candidate *c;      /* the loop's accesses; NULL: not known */
    const struct pval *skipped;     /* a place that is stored to */
    bool read;                      /* the element is read */
    bool alone;                     /* the loop is a point's: other points may store meanwhile what
                                       is this one's where the loop runs */
    struct pvar *var;               /* what is read instead; NULL: nothing yet */
};

static enum walk find_change(const struct pval *v, void *arg) {
    const struct fixing *f = arg;
    bool changes = v->kind == PV_ELEM ||
                   (v->kind == PV_VAR && (v->var == f->loop->var || f->written[v->var->id]));
    return changes ? WALK_STOP : WALK_IN;
}

static bool stays(const struct fixing *f, const struct pval *v) {
    return value_walk(v, find_change, (void *)f);
}

/* Is a place of the array never the element, as that of another constant subscript? */
static bool is_apart(const struct fixing *f, const struct pval *v) {
    const struct pval *place = f->put->place;
    for (int i = 0; i < v->nargs; i++)
        if (v->args[i]->kind == PV_CONST && place->args[i]->kind == PV_CONST &&
            v->args[i]->i != place->args[i]->i)
            return true;
    return f->c != NULL && are_always_apart(f->c, place, v);
}

static enum walk visit_read(const struct pval *v, void *arg) {
    struct fixing *f = arg;
    const struct pval *read = element_read(v);
    if (read == NULL || read == f->skipped || read->operand != f->put->operand)
        return WALK_IN;
    if (!same_value(read, f->put->place))
        return is_apart(f, read) ? WALK_IN : WALK_STOP;
    f->read = true;
    if (f->var == NULL)
        return WALK_IN;
    replace_read(f->uc, (struct pval *)(void *)v, f->var);
    return WALK_PAST;
}

static enum walk visit_statement(const struct pstmt *s, void *arg) {
    struct fixing *f = arg;
    bool straight = s->kind == PS_SET || s->kind == PS_IF || s->kind == PS_PUT;
    bool other =
        s->kind == PS_PUT && s->operand == f->put->operand && s != f->put && !is_apart(f, s->place);
    f->skipped = s->place;
    return straight && !s->merged && !other ? WALK_IN : WALK_STOP;
}

/* Visits the loop's body.  False: it does more with the array than to read and store the element.
 */
static bool visit_body(struct fixing *f) {
    return plan_walk(f->loop->body,
                     &(struct plan_visitor){.stmt = visit_statement, .value = visit_read}, f);
}

/* Whether the put's element is the same in all iterations, and they access no other one. */
static bool is_fixed(struct fixing *f) {
    const struct pval *place = f->put->place;
    if (f->put->merged || merge_of(f->put) >= 0 || f->put->operand >= f->plan->noperands ||
        place->nargs == 0 || place->checked != 0 || is_complex(place->dtype) ||
        f->put->value->dtype != place->dtype)
        return false;
    for (int i = 0; i < place->nargs; i++)
        if (!stays(f, place->args[i]))
            return false;
    return visit_body(f) && f->read;
}

/* A test whether the loop has iterations. */
static struct pstmt *where_it_runs(const struct fixing *f) {
    const struct pstmt *loop = f->loop;
    struct pstmt *test = NEW(f->uc, struct pstmt);
    struct pval *is = NEW(f->uc, struct pval);
    bool up = (int64_t)loop->step->i > 0;
    *is = (struct pval){.kind = PV_OP,
                        .op = up ? OP_LT : OP_GT,
                        .dtype = DT_BOOL,
                        .nargs = 2,
                        .args = {loop->lo, loop->hi}};
    *test = (struct pstmt){.kind = PS_IF, .value = is, .at = loop->at};
    return test;
}

/* Makes of the loop, `at`, what sets the variable, and the loop itself what is behind. */
static void fix(struct fixing *f, struct pstmt *at) {
    struct plan *p = f->plan;
    struct pval *place = f->put->place, *first = NEW(f->uc, struct pval);
    enum ufc_dtype d = place->dtype;
    struct pvar *var = kept_new(f->uc, p, p->operands[f->put->operand].name, d);
    struct pstmt *loop = NEW(f->uc, struct pstmt), *list = NULL, **end = &list;
    struct pstmt *put = NEW(f->uc, struct pstmt), *test = where_it_runs(f);
    *loop = *at;
    f->loop = loop;
    *first = *place;
    bool there = !f->alone && f->c != NULL;
    for (int i = 0; i < place->nargs && there; i++)
        there = is_always_within(f->c, place->args[i], p->operands[place->operand].dims[i]);
    if (there) {
        end = set_kept(f->uc, p, var, first, end, at->at);
    } else { /* it may be there only where the loop runs */
        struct pstmt *runs = where_it_runs(f);
        struct pval *zero = NEW(f->uc, struct pval);
        *zero = (struct pval){.kind = PV_CONST, .dtype = var->dtype};
        end = set_kept(f->uc, p, var, zero, end, at->at);
        set_kept(f->uc, p, var, first, &runs->body, at->at);
        *end = runs;
        end = &runs->next;
    }
    *end = loop;
    f->var = var;
    visit_body(f);
    struct pstmt **set = &loop->body;
    while (*set != f->put)
        set = &(*set)->next;
    struct pstmt **behind = set_kept(f->uc, p, var, f->put->value, set, f->put->at);
    *behind = f->put->next;
    *put = (struct pstmt){.kind = PS_PUT,
                          .operand = f->put->operand,
                          .place = place,
                          .value = read_kept(f->uc, var, d),
                          .at = f->put->at};
    test->body = put;
    test->next = loop->next;
    loop->next = test;
    *at = *list;
}

/* The accesses of a loop; around: the loops that it is in. */
static const struct candidate *candidate_of(struct uc *uc, struct plan *p, struct pstmt *loop,
                                            const struct enclosing *around) {
    struct sharer own = {.uc = uc, .plan = p, .around = around};
    struct pstmt only = *loop;
    only.next = NULL;
    own.mentions = count_mentions(uc, p, &only);
    return find_candidate(&own, loop);
}

/* The next element that the loop keeps; where it has another one, that is found as the loop is
 * visited again, behind what is set before it. */
static void fix_one(struct uc *uc, struct plan *p, struct pstmt *loop,
                    const struct enclosing *around, bool alone) {
    int n = 0;
    for (const struct pstmt *s = loop->body; s != NULL; s = s->next)
        n++;
    for (const struct pstmt *s = loop->body; s != NULL && n <= FIXED_STATEMENTS; s = s->next) {
        struct fixing f = {.uc = uc, .plan = p, .loop = loop, .put = s, .alone = alone};
        if (s->kind != PS_PUT)
            continue;
        f.c = candidate_of(uc, p, loop, around);
        f.written = find_written(uc, p, loop->body);
        if (f.written[loop->var->id] || !stays(&f, loop->lo) || !stays(&f, loop->hi) ||
            !is_fixed(&f))
            continue;
        fix(&f, loop);
        return;
    }
}

static void fix_list(struct uc *uc, struct plan *p, struct pstmt *list,
                     const struct enclosing *around, bool alone);

/* The same of the points of a definition. */
static void fix_points(struct uc *uc, struct plan *p, struct pstmt *s, const struct prange *r,
                       const struct enclosing *around) {
    if (r == NULL) {
        fix_list(uc, p, s->body, around, true);
        return;
    }
    struct pstmt loop = {
        .kind = PS_FOR, .var = r->var, .lo = r->lo, .hi = r->hi, .step = r->step, .at = s->at};
    struct enclosing own = {&loop, around};
    fix_points(uc, p, s, r->next, &own);
}

static void fix_list(struct uc *uc, struct plan *p, struct pstmt *list,
                     const struct enclosing *around, bool alone) {
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        if (s->kind == PS_FOR && s->accs == NULL && s->shared == NULL && s->deal == NULL &&
            s->step->kind == PV_CONST && s->step->i != 0)
            fix_one(uc, p, s, around, alone);
        struct enclosing own = {s, around};
        if (s->kind == PS_SPREAD && s->accs == NULL && !s->merged)
            fix_points(uc, p, s, s->ranges, around);
        else if (s->kind != PS_SPREAD)
            fix_list(uc, p, s->body, s->kind == PS_FOR ? &own : around, alone);
        if (s->kind != PS_SPREAD)
            fix_list(uc, p, s->other, around, alone);
        fix_list(uc, p, s->shared, around, alone);
    }
}

void fix_elements(struct uc *uc, struct plan *p) {
    fix_list(uc, p, p->body, NULL, false);
}
