/* elements.c: elements of local arrays of a few are variables of their own, where loops of as few
 * iterations have them, as those over the three coordinates of a vector:
 *
 *     for c in 0..3 { d[c] = x[i, c] - x[j, c]; r += d[c] * d[c] }
 *
 * becomes copies of the loop's body, with all loops in it.  Loops around are then taken apart as if
 * there had been no array. */
#include "apart.h"

enum {
    FEW_ELEMENTS = 4,
    FEW_STEPS = 4,
    MOST_NODES = 1024, /* of all copies, and stores: more are better left to a loop */
    MOST_STORES = 8,
};

struct elements {
    struct lower *l;
    int operand;
    struct variable *var[FEW_ELEMENTS];
    bool failed;
};

/* ---- loops */

static enum walk find_index(const struct pval *v, void *arg) {
    const struct pstmt *loop = arg;
    return v->kind == PV_VAR && v->var == loop->var ? WALK_STOP : WALK_IN;
}

struct search {
    int operand;
    const struct pstmt *loop;
};

static enum walk find_element_by(const struct pval *v, void *arg) {
    const struct search *x = arg;
    for (int i = 0; v->kind == PV_ELEM && v->operand == x->operand && i < v->nargs; i++)
        if (!value_walk(v->args[i], find_index, (void *)(uintptr_t)x->loop))
            return WALK_STOP;
    return WALK_IN;
}

/* Has a loop's body elements of the array by the loop's index? */
static bool has_elements_by(const struct pstmt *loop, int operand) {
    struct search x = {operand, loop};
    return !plan_walk(loop->body, &(struct plan_visitor){.value = find_element_by, .joined = true},
                      &x);
}

static enum walk count_node(const struct pval *v, void *nodes) {
    (void)v;
    ++*(int *)nodes;
    return WALK_IN;
}

static enum walk count_store(const struct pstmt *s, void *stores) {
    *(int *)stores += s->kind == PS_PUT;
    return WALK_IN;
}

/* Whether a loop may be copies of its body. */
static bool may_unroll(const struct elements *x, const struct pstmt *s) {
    int64_t steps = constant_steps(s);
    int nodes = 0, stores = 0;
    plan_walk(s->body, &(struct plan_visitor){.stmt = count_store}, &stores);
    plan_walk(s->body, &(struct plan_visitor){.value = count_node, .joined = true}, &nodes);
    return steps > 0 && steps <= FEW_STEPS && steps * nodes <= MOST_NODES &&
           steps * stores <= MOST_STORES &&
           plan_walk(s->body, &(struct plan_visitor){.stmt = find_jump}, NULL) &&
           !find_written(x->l->uc, x->l->plan, s->body)[s->var->id];
}

static void unroll(struct elements *x, struct pstmt **list) {
    for (struct pstmt **at = list; *at != NULL; at = &(*at)->next) {
        struct pstmt *s = *at, *first = NULL, **end = &first;
        if (s->kind == PS_SPREAD)
            continue;
        unroll(x, &s->body);
        unroll(x, &s->other);
        if (s->kind != PS_FOR || !has_elements_by(s, x->operand))
            continue;
        if (!may_unroll(x, s)) {
            x->failed = true;
            return;
        }
        int64_t index = (int64_t)s->lo->i;
        for (int64_t n = constant_steps(s); n > 0; n--, index += (int64_t)s->step->i) {
            *end = copy_statements(x->l->uc, s->body, NULL, s->var, plan_number(x->l->uc, index));
            while (*end != NULL)
                end = &(*end)->next;
        }
        *end = s->next;
        *at = first;
        while ((*at)->next != s->next)
            at = &(*at)->next;
    }
}

/* ---- elements */

/* A subscript that is made of numbers; -1: it is not, or is below 0. */
static int64_t number_of(const struct pval *v) {
    if (v->kind == PV_CONST)
        return (int64_t)v->i < FEW_ELEMENTS ? (int64_t)v->i : -1;
    if (v->kind != PV_OP || v->nargs != 2 || (v->op != OP_ADD && v->op != OP_SUB) ||
        v->args[0]->kind != PV_CONST || v->args[1]->kind != PV_CONST)
        return -1;
    uint64_t n = v->op == OP_ADD ? v->args[0]->i + v->args[1]->i : v->args[0]->i - v->args[1]->i;
    return n < FEW_ELEMENTS ? (int64_t)n : -1;
}

/* The variable of an element; NULL, and x has failed: its subscripts are no numbers. */
static struct pvar *variable_of(struct elements *x, const struct pval *v) {
    const struct poperand *array = &x->l->plan->operands[x->operand];
    int64_t at = 0;
    for (int i = 0; i < v->nargs && at >= 0; i++) {
        int64_t n = number_of(v->args[i]), size = array->dims[i]->size;
        at = n >= 0 && n < size ? at * size + n : -1;
    }
    x->failed = x->failed || at < 0 || v->checked != 0;
    return at >= 0 ? &x->var[at]->pvar : NULL;
}

static void replace_reads(struct elements *x, struct pval *v) {
    if (v == NULL)
        return;
    for (int i = 0; i < v->nargs; i++)
        replace_reads(x, v->args[i]);
    if (v->kind != PV_ELEM || v->operand != x->operand)
        return;
    struct pvar *var = variable_of(x, v);
    if (var != NULL)
        *v = (struct pval){.kind = PV_VAR, .dtype = var->dtype, .var = var};
}

/* The assignments of zeros that clear the array, before `next`. */
static struct pstmt *zeros(const struct elements *x, struct span at, struct pstmt *next) {
    for (int i = FEW_ELEMENTS; i-- > 0;) {
        if (x->var[i] == NULL)
            continue;
        struct pstmt *set = NEW(x->l->uc, struct pstmt);
        *set = (struct pstmt){.kind = PS_SET, .at = at, .var = &x->var[i]->pvar, .next = next};
        set->value = value_new(x->l, PV_CONST, x->var[i]->pvar.dtype);
        next = set;
    }
    return next;
}

static void replace(struct elements *x, struct pstmt **list) {
    while (*list != NULL) {
        struct pstmt *s = *list;
        if (s->kind == PS_CLEAR && s->operand == x->operand) {
            *list = zeros(x, s->at, s->next);
            while (*list != s->next)
                list = &(*list)->next;
            continue;
        }
        if (s->kind == PS_PUT && s->operand == x->operand) {
            s->kind = PS_SET;
            s->var = variable_of(x, s->place);
            s->place = NULL;
        }
        struct pval **const values[] = PSTMT_VALUES(s);
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
            replace_reads(x, *values[i]);
        for (struct prange *r = s->ranges; r != NULL; r = r->next) {
            replace_reads(x, r->lo);
            replace_reads(x, r->hi);
            replace_reads(x, r->step);
        }
        struct pstmt **const lists[] = PSTMT_LISTS(s);
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            replace(x, lists[i]);
        list = &s->next;
    }
}

/* Makes variables of the elements of a local array.  False: it stays, as the body does. */
static bool take_elements(struct lower *l, int k) {
    struct plan *p = l->plan;
    const struct poperand *array = &p->operands[k];
    struct elements x = {.l = l, .operand = k};
    int64_t n = 1;
    for (int i = 0; i < array->rank && n <= FEW_ELEMENTS; i++)
        n *= array->dims[i]->size;
    if (n > FEW_ELEMENTS || is_complex(array->dtype) || is_half(array->dtype))
        return false;
    struct pvar **vars = variables_end(l);
    int nvars = p->nvars;
    for (int i = 0; i < n; i++)
        x.var[i] = variable_new(l, array->name, array->dtype);
    struct pstmt *body = copy_statements(l->uc, p->body->body, NULL, NULL, NULL);
    unroll(&x, &body);
    if (!x.failed)
        replace(&x, &body);
    if (!x.failed) {
        p->body->body = body;
        return true;
    }
    *vars = NULL;
    l->vars_end = vars;
    p->nvars = nvars;
    return false;
}

void take_local_elements(struct lower *l) {
    struct plan *p = l->plan;
    for (int k = p->noperands; k < p->noperands + p->nlocals && !p->checked;) {
        int last = p->noperands + p->nlocals - 1;
        if (!take_elements(l, k)) {
            k++;
            continue;
        }
        p->operands[k] = p->operands[last];
        if (k != last)
            rename_array(p->body->body, last, k);
        p->nlocals--;
    }
}
