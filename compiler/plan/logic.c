/* logic.c: reductions by `any`, `all` and `count` for tiles, as those of whole numbers: a
 * result is the union, or the sum, of the points' bits, which are 0 or 1.  What a point needs only
 * if something else holds is computed in any case, where that reads no element that may not
 * exist. */
#include "plan.h"

enum { MAX_SET = 16 };

struct logic {
    struct uc *uc;
    struct plan *plan;
    struct joined {
        const struct pvar *acc;
        struct pvar *bits, *other; /* in its place */
        struct pval *value;        /* what the body joins to it; NULL: nothing so far */
        bool all;                  /* by `and`; else by `or`, */
        bool sum;                  /* or by addition */
    } accs[MAX_ACCS];
    int naccs;
    struct {
        const struct pvar *var;
        struct pval *value;
    } set[MAX_SET]; /* what the reduction's body has set so far */
    int n;
    bool failed;
};

static struct pval *new_value(struct logic *x, struct pval v) {
    struct pval *n = NEW(x->uc, struct pval);
    *n = v;
    return n;
}

static struct pval *value_of(struct logic *x, const struct pvar *var) {
    struct pvar *own = (struct pvar *)(void *)var;
    return new_value(x, (struct pval){.kind = PV_VAR, .dtype = var->dtype, .var = own});
}

static struct pval *new_op(struct logic *x, enum op op, enum ufc_dtype d, struct pval *a,
                           struct pval *b) {
    struct pval v = {.kind = PV_OP, .op = op, .dtype = d, .nargs = b != NULL ? 2 : 1};
    v.args[0] = a;
    v.args[1] = b;
    return new_value(x, v);
}

static struct pstmt *new_set(struct logic *x, const struct pvar *var, struct pval *v) {
    struct pstmt *s = NEW(x->uc, struct pstmt);
    *s = (struct pstmt){.kind = PS_SET, .var = (struct pvar *)(void *)var, .value = v};
    return s;
}

/* ---- the reduction's body as one value */

/* A value with those of variables that the body has set in their places. */
static struct pval *expand(struct logic *x, struct pval *v) {
    for (int i = x->n; v->kind == PV_VAR && i-- > 0;)
        if (x->set[i].var == v->var)
            return x->set[i].value;
    if (v->nargs == 0)
        return v;
    struct pval *n = new_value(x, *v);
    for (int i = 0; i < v->nargs; i++)
        n->args[i] = expand(x, v->args[i]);
    return n;
}

static void set(struct logic *x, const struct pvar *var, struct pval *v) {
    x->failed = x->failed || x->n == MAX_SET;
    if (x->failed)
        return;
    x->set[x->n].var = var;
    x->set[x->n++].value = v;
}

/* `if v` or `if not v`, around an assignment to v: it is also, or else, what is assigned. */
static void take_choice(struct logic *x, const struct pstmt *s) {
    const struct pstmt *in = s->body;
    bool negated = s->value->kind == PV_OP && s->value->op == OP_LNOT;
    const struct pval *v = negated ? s->value->args[0] : s->value;
    x->failed = x->failed || v->kind != PV_VAR || s->other != NULL || in == NULL ||
                in->kind != PS_SET || in->next != NULL || in->var != v->var ||
                !exists_anyway(x->plan, in->value);
    if (x->failed)
        return;
    struct pval *before = expand(x, (struct pval *)(void *)v), *then = expand(x, in->value);
    set(x, in->var, new_op(x, negated ? OP_LOR : OP_LAND, DT_BOOL, before, then));
}

static struct joined *acc_of(struct logic *x, const struct pvar *var) {
    for (int i = 0; i < x->naccs; i++)
        if (x->accs[i].acc == var)
            return &x->accs[i];
    return NULL;
}

static enum walk find_acc(const struct pval *v, void *logic) {
    return v->kind == PV_VAR && acc_of(logic, v->var) != NULL ? WALK_STOP : WALK_IN;
}

/* What the body joins to an accumulator, by `or` or `and`, or adds to a number. */
static void take_joined(struct logic *x, struct joined *a, const struct pval *v) {
    a->sum = a->acc->dtype != DT_BOOL;
    bool joins = v->kind == PV_OP &&
                 (a->sum ? v->op == OP_ADD : v->op == OP_LOR || v->op == OP_LAND) &&
                 v->args[0]->kind == PV_VAR && v->args[0]->var == a->acc;
    struct pval *value = joins ? expand(x, v->args[1]) : NULL;
    if (joins && a->sum) { /* a condition as a number */
        joins = value->kind == PV_CAST && value->args[0]->dtype == DT_BOOL;
        value = joins ? value->args[0] : NULL;
    }
    x->failed = x->failed || !joins || a->value != NULL;
    if (x->failed)
        return;
    a->all = v->op == OP_LAND;
    a->value = value;
    x->failed = !value_walk(a->value, find_acc, x);
}

static void take_body(struct logic *x, const struct pstmt *s) {
    for (; s != NULL && !x->failed; s = s->next) {
        struct joined *a = s->kind == PS_SET ? acc_of(x, s->var) : NULL;
        if (a != NULL)
            take_joined(x, a, s->value);
        else if (s->kind == PS_IF)
            take_choice(x, s);
        else if (s->kind == PS_SET)
            set(x, s->var, expand(x, s->value));
        else
            x->failed = true;
    }
    for (int i = 0; i < x->naccs; i++)
        x->failed = x->failed || x->accs[i].value == NULL;
}

/* A condition as a whole number; negated: what it is not. */
static struct pval *bits_of(struct logic *x, struct pval *v, bool negated) {
    bool both = v->kind == PV_OP && v->op == OP_LAND, either = v->kind == PV_OP && v->op == OP_LOR;
    if (both || either)
        return new_op(x, both != negated ? OP_AND : OP_OR, DT_UINT32,
                      bits_of(x, v->args[0], negated), bits_of(x, v->args[1], negated));
    if (v->kind == PV_OP && v->op == OP_LNOT)
        return bits_of(x, v->args[0], !negated);
    struct pval cast = {.kind = PV_CAST, .dtype = DT_UINT32, .nargs = 1};
    cast.args[0] = negated ? new_op(x, OP_LNOT, DT_BOOL, v, NULL) : v;
    return new_value(x, cast);
}

/* ---- the definition */

/* The assignments before a reduction, from s on, and then the one in place of it: accumulators
 * begin with what changes nothing. */
static struct pstmt *begin_bits(struct logic *x, const struct pstmt *s, struct pstmt *reduction) {
    struct pstmt *list = reduction, **end = &list;
    int begun = 0;
    for (; s->kind == PS_SET; s = s->next, end = &(*end)->next) {
        struct joined *a = acc_of(x, s->var);
        struct pstmt *n = *end = NEW(x->uc, struct pstmt);
        *n = *s;
        n->next = reduction;
        if (a == NULL)
            continue;
        begun++;
        x->failed = x->failed || s->value->kind != PV_CONST || (s->value->i != 0) != a->all;
        n->var = a->bits;
        n->value = new_value(x, (struct pval){.kind = PV_CONST, .dtype = DT_UINT32});
    }
    x->failed = x->failed || begun != x->naccs;
    return list;
}

/* Sets the members of the reduction for each accumulator, and puts what they are before `rest`. */
static void join_bits(struct logic *x, struct pstmt *reduction, const struct pstmt *rest) {
    struct pacc **accs = &reduction->accs;
    struct pstmt **body = &reduction->body, **joined = &reduction->joined,
                 **next = &reduction->next;
    for (struct joined *a = x->accs; a < x->accs + x->naccs; a++) {
        struct pval *bits = value_of(x, a->bits), *other = value_of(x, a->other),
                    *zero = new_value(x, (struct pval){.kind = PV_CONST, .dtype = DT_UINT32}),
                    *own = bits_of(x, a->value, a->all);
        *accs = NEW(x->uc, struct pacc);
        **accs = (struct pacc){.acc = a->bits, .other = a->other};
        enum op op = a->sum ? OP_ADD : OP_OR;
        struct pval *result = new_op(x, a->all ? OP_EQ : OP_NE, DT_BOOL, bits, zero);
        if (a->sum) {
            result = new_value(x, (struct pval){.kind = PV_CAST, .dtype = a->acc->dtype});
            result->args[result->nargs++] = bits;
        }
        *body = new_set(x, a->bits, new_op(x, op, DT_UINT32, bits, own));
        *joined = new_set(x, a->bits, new_op(x, op, DT_UINT32, bits, other));
        *next = new_set(x, a->acc, result);
        accs = &(*accs)->next;
        body = &(*body)->next;
        joined = &(*joined)->next;
        next = &(*next)->next;
    }
    *next = (struct pstmt *)(void *)rest;
}

/* Takes the accumulators.  False: some are neither conditions nor numbers of these, or too many. */
static bool take_accs(struct logic *x, const struct pacc *a) {
    for (; a != NULL; a = a->next) {
        bool is =
            a->acc->dtype == DT_BOOL || (is_integer(a->acc->dtype) && a->acc->dtype != DT_UINT32);
        if (!is || x->naccs == MAX_ACCS)
            return false;
        x->accs[x->naccs++].acc = a->acc;
    }
    return x->naccs > 0;
}

const struct pstmt *logic_in_bits(struct uc *uc, struct plan *p, const struct pstmt *s) {
    const struct pstmt *r = s->body;
    struct logic x = {.uc = uc, .plan = p};
    while (r != NULL && r->kind == PS_SET)
        r = r->next;
    if (s->accs != NULL || r == NULL || r->kind != PS_SPREAD || !take_accs(&x, r->accs))
        return s;
    take_body(&x, r->body);
    for (int i = 0; i < x.naccs && !x.failed; i++) {
        x.accs[i].bits = plan_variable(uc, p, "bits", DT_UINT32);
        x.accs[i].other = plan_variable(uc, p, "other", DT_UINT32);
    }
    struct pstmt *definition = NEW(uc, struct pstmt), *reduction = NEW(uc, struct pstmt);
    *definition = *s;
    *reduction = *r;
    if (!x.failed)
        definition->body = begin_bits(&x, s->body, reduction);
    if (x.failed)
        return s;
    join_bits(&x, reduction, r->next);
    return definition;
}
