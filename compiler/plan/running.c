/* running.c: elements that an ordered loop joins with the one before, as in a running sum that is
 * stored, `for k in 1..n { y[k] += y[k - 1] }`, are joined in a variable instead, so that the loop
 * may be one over prefixes. */
#include "apart.h"
#include "total.h"

struct running {
    const struct pstmt *loop, *put; /* what the loop's body ends with */
    const struct pval *before;      /* the element that the iteration before has stored */
    int64_t offset;                 /* of the subscript of `put` from the index */
};

/* v is the index, plus a constant. */
static bool find_offset(const struct pval *v, const struct pvar *index, int64_t *by) {
    *by = 0;
    if (v->kind == PV_OP && (v->op == OP_ADD || v->op == OP_SUB) && v->args[1]->kind == PV_CONST) {
        *by = v->op == OP_ADD ? (int64_t)v->args[1]->i : -(int64_t)v->args[1]->i;
        v = v->args[0];
    }
    return v->kind == PV_VAR && v->var == index;
}

static bool is_before(const struct running *r, const struct pval *v) {
    int64_t by;
    return v->kind == PV_ELEM && v->operand == r->put->operand && v->checked == 0 &&
           find_offset(v->args[0], r->loop->var, &by) && by == r->offset - 1;
}

/* Stops at another element of the array than the two. */
static enum walk find_other(const struct pval *v, void *arg) {
    const struct running *r = arg;
    bool other = v->kind == PV_ELEM && v->operand == r->put->operand && v != r->before &&
                 !same_value(v, r->put->place);
    return other ? WALK_STOP : WALK_IN;
}

/* Does an ordered loop do nothing but to join elements of an array of one axis with the one before,
 * by an operation of which every grouping gives the same bits? */
static bool is_running(struct lower *l, struct running *r) {
    const struct pstmt *s = r->loop->body;
    while (s != NULL && s->kind == PS_SET)
        s = s->next;
    r->put = s;
    bool plain = s != NULL && s->kind == PS_PUT && s->next == NULL && !s->merged &&
                 s->operand < l->plan->noperands && s->place->nargs == 1 &&
                 s->place->checked == 0 && s->value->nargs == 2 &&
                 s->value->dtype == s->place->dtype;
    if (!plain || r->loop->accs != NULL || r->loop->step->kind != PV_CONST ||
        r->loop->step->i != 1 || !find_offset(s->place->args[0], r->loop->var, &r->offset))
        return false;
    int at = is_before(r, s->value->args[0]) ? 0 : 1;
    r->before = s->value->args[at];
    return is_before(r, r->before) && join_of_value(s->value) >= 0 &&
           (at == 0 || s->value->op != OP_SUB || s->value->kind != PV_OP) &&
           !find_written(l->uc, l->plan, r->loop->body)[r->loop->var->id] &&
           plan_walk(r->loop->body, &(struct plan_visitor){.value = find_other}, r);
}

/* Stops at a size that is no size of the loop's. */
static enum walk find_size(const struct pval *v, void *arg) {
    const struct pstmt *loop = arg;
    const struct pval *hi = loop->hi;
    bool own = v->kind != PV_DIM || (hi->kind == PV_DIM && hi->operand == v->operand);
    return own ? WALK_IN : WALK_STOP;
}

/* Are all other loops as long as this one, or shorter? */
static bool is_longest(const struct plan *p, const struct pstmt *loop) {
    return plan_walk(p->body->body, &(struct plan_visitor){.value = find_size}, (void *)loop);
}

/* May the loop, unless its iterations are few, begin an iteration earlier?  There is then an
 * element before the first one that it stores even where it stores none. */
static bool may_begin_before(const struct plan *p, const struct running *r) {
    const struct pstmt *loop = r->loop;
    const struct prange range = {.lo = loop->lo, .hi = loop->hi, .step = loop->step};
    const struct dim *dim = p->operands[r->put->operand].dims[0];
    const struct pval *hi = loop->hi;
    int64_t less = 0;
    if (hi->kind == PV_OP && hi->op == OP_SUB && hi->args[1]->kind == PV_CONST) {
        less = (int64_t)hi->args[1]->i;
        hi = hi->args[0];
    }
    bool size = dim->size >= 0 ? hi->kind == PV_CONST && (int64_t)hi->i == dim->size
                               : hi->kind == PV_DIM && hi->operand == dim->index;
    return size && less >= r->offset && constant_points(&range) > UNROLLED_POINTS &&
           loop->lo->kind == PV_CONST && (int64_t)loop->lo->i + r->offset >= 1;
}

static struct pstmt *set_to(struct lower *l, struct pvar *var, struct pval *v, struct span at) {
    struct pstmt *s = NEW(l->uc, struct pstmt);
    *s = (struct pstmt){.kind = PS_SET, .var = var, .value = v, .at = at};
    return s;
}

static struct pval *read(struct lower *l, struct pvar *var) {
    struct pval *v = value_new(l, PV_VAR, var->dtype);
    v->var = var;
    return v;
}

static struct pval *number(struct lower *l, int64_t n) {
    struct pval *v = value_new(l, PV_CONST, DT_INT64);
    v->i = (uint64_t)n;
    return v;
}

/* Has the variable begin with the element before the first one that the loop stores. */
static void begin(struct lower *l, const struct running *r, struct pvar *var, struct pstmt **at) {
    const struct pstmt *loop = r->loop;
    struct pval *first = value_new(l, PV_ELEM, var->dtype);
    struct pstmt *test = NEW(l->uc, struct pstmt);
    first->operand = r->put->operand;
    first->nargs = 1;
    first->args[0] = value_op(l, OP_ADD, DT_INT64, loop->lo, number(l, r->offset - 1));
    *test = (struct pstmt){.kind = PS_IF, .at = loop->at, .next = *at};
    test->value = value_op(l, OP_LT, DT_BOOL, loop->lo, loop->hi);
    test->body = set_to(l, var, first, loop->at);
    *at = set_to(l, var, value_zero(l, var->dtype), loop->at);
    (*at)->next = test;
}

/* The same in an iteration of the loop's own, which stores that element again: nothing is then
 * between this loop and others, which other blocks may share.  set: what other iterations do. */
static struct pstmt *begin_within(struct lower *l, const struct running *r, struct pstmt *set) {
    struct pstmt *test = NEW(l->uc, struct pstmt), *loop = (struct pstmt *)(void *)r->loop;
    struct pval *joined = NEW(l->uc, struct pval), *place = NEW(l->uc, struct pval);
    const struct pval *lo = loop->lo, *term = set->value->args[r->before == set->value->args[0]];
    bool differs = set->value->kind == PV_OP && set->value->op == OP_SUB;
    loop->lo = number(l, (int64_t)lo->i - 1);
    if (loop->body == set && !differs && same_value(term, r->put->place))
        return set;
    *place = *r->put->place;
    *joined = *set->value;
    joined->op = differs ? OP_ADD : set->value->op;
    joined->args[0] = read(l, set->var);
    joined->args[1] = place;
    *test = (struct pstmt){.kind = PS_IF, .at = loop->at, .other = loop->body};
    test->value = value_op(l, OP_LT, DT_BOOL, read(l, loop->var), (struct pval *)(void *)lo);
    test->body = set_to(l, set->var, joined, loop->at);
    return test;
}

static void join_in_variable(struct lower *l, const struct running *r, struct pstmt **at) {
    struct pstmt *loop = *at, *put = (struct pstmt *)(void *)r->put, **end = &loop->body;
    struct pvar *var = &variable_new(l, "running", put->place->dtype)->pvar;
    int join = join_of_value(put->value);
    while (*end != put)
        end = &(*end)->next;
    *end = set_to(l, var, put->value, put->at);
    *(struct pval *)(void *)r->before = *read(l, var);
    put->value = read(l, var);
    if (may_begin_before(l->plan, r)) {
        loop->body = begin_within(l, r, *end);
        loop->body->next = put;
        *at = set_to(l, var, neutral_of(l, join, var->dtype), loop->at);
        (*at)->next = loop;
    } else {
        (*end)->next = put;
        begin(l, r, var, at);
    }
}

void join_in_variables(struct lower *l) {
    if (l->plan->checked || l->plan->overload->decl->kind != DECL_GUFUNC)
        return;
    for (struct pstmt **at = &l->plan->body->body; *at != NULL; at = &(*at)->next) {
        struct pstmt *loop = *at;
        struct running r = {.loop = loop};
        if (loop->kind != PS_FOR || !is_running(l, &r) ||
            (!is_longest(l->plan, loop) && !may_begin_before(l->plan, &r)))
            continue;
        join_in_variable(l, &r, at);
        while (*at != loop)
            at = &(*at)->next;
    }
}
