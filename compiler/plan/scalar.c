/* scalar.c: what ordered loops of a call store to a result without subscripts is kept in a
 * variable until the call ends.  An iteration then waits for no store of the one before, and
 * threads that share the call for none of the one that stores.  Loops may so take totals (total.c),
 * or be composed (compose.c), which variables alone are. */
#include "total.h"

struct scalar {
    struct uc *uc;
    struct plan *plan;
    int operand;
    bool looped, other; /* an ordered loop stores it; another statement than such ones does */
    struct pvar *var;
};

/* Looks at the stores of a list.  apart: the threads of a call may run it each in its own way. */
static void look_at_stores(struct scalar *x, const struct pstmt *list, bool in_loop, bool apart) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        bool loop = s->kind == PS_FOR || s->kind == PS_LOOP;
        bool split = apart || s->kind == PS_SPREAD || s->accs != NULL || s->shared != NULL;
        if (s->kind == PS_PUT && s->operand == x->operand) {
            x->looped = x->looped || in_loop;
            x->other = x->other || apart || s->merged;
        }
        look_at_stores(x, s->body, in_loop || loop, split);
        look_at_stores(x, s->other, in_loop || loop, split);
    }
}

static enum walk take_read(const struct pval *v, void *arg) {
    const struct scalar *x = arg;
    const struct pval *read = element_read(v);
    if (read == NULL || read->operand != x->operand)
        return WALK_IN;
    replace_read(x->uc, (struct pval *)(void *)v, x->var);
    return WALK_PAST;
}

/* Replaces the reads and stores of a list. */
static void replace(struct scalar *x, struct pstmt **at) {
    for (; *at != NULL; at = &(*at)->next) {
        struct pstmt *s = *at;
        struct pstmt **const lists[] = PSTMT_LISTS(s);
        bool stores = s->kind == PS_PUT && s->operand == x->operand;
        if (stores)
            s->place = NULL;
        stmt_values(s, take_read, x);
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            replace(x, lists[i]);
        replace(x, &s->shared);
        if (stores) {
            struct pstmt **behind = set_kept(x->uc, x->plan, x->var, s->value, at, s->at);
            *behind = s->next;
        }
    }
}

static struct pval *element_new(const struct scalar *x) {
    struct pval *v = NEW(x->uc, struct pval);
    enum ufc_dtype d = x->plan->operands[x->operand].dtype;
    *v = (struct pval){.kind = PV_ELEM, .dtype = d, .operand = x->operand};
    return v;
}

/* In a list that stores it.  begins: it is read before that. */
static void keep_in(struct scalar *x, struct pstmt **end, bool begins) {
    struct plan *p = x->plan;
    const struct poperand *o = &p->operands[x->operand];
    struct pstmt *put = NEW(x->uc, struct pstmt);
    struct span at = (*end)->at;
    x->var = kept_new(x->uc, p, o->name, o->dtype);
    replace(x, end);
    if (begins)
        set_kept(x->uc, p, x->var, element_new(x), end, at);
    while (*end != NULL)
        end = &(*end)->next;
    *put = (struct pstmt){.kind = PS_PUT,
                          .operand = x->operand,
                          .place = element_new(x),
                          .value = read_kept(x->uc, x->var, o->dtype),
                          .at = at};
    *end = put;
}

static void keep(struct scalar *x) {
    struct plan *p = x->plan;
    keep_in(x, &p->body->body, p->overload->inst->unwritten >> (x->operand - p->nin) & 1);
}

void keep_scalars_in(struct uc *uc, struct plan *p, struct pstmt **list) {
    for (int k = p->nin; k < p->nin + p->overload->nout; k++) {
        struct scalar x = {.uc = uc, .plan = p, .operand = k};
        if (p->operands[k].rank == 0)
            look_at_stores(&x, *list, false, false);
        if (x.looped && !x.other)
            keep_in(&x, list, true);
    }
}

/* ---- loops of which threads share no part */

static bool is_scalar(const struct plan *p, int operand) {
    return operand >= p->nin && operand < p->nin + p->overload->nout &&
           p->operands[operand].rank == 0;
}

static enum walk find_scalar(const struct pval *v, void *plan) {
    return v->kind == PV_ELEM && is_scalar(plan, v->operand) ? WALK_STOP : WALK_IN;
}

/* Whether s joins a number to a result without subscripts, in which every grouping gives the same.
 */
static bool joins_scalar(const struct plan *p, const struct pstmt *s) {
    const struct pval *v = s->value;
    if (s->kind != PS_PUT || !is_scalar(p, s->operand) || v->nargs != 2 ||
        v->dtype != s->place->dtype || v->dtype == DT_BOOL || is_half(v->dtype))
        return false;
    struct pval joined = *v;
    for (int i = 0; i < 2; i++) {
        bool own = v->args[i]->kind == PV_ELEM && v->args[i]->operand == s->operand;
        joined.args[0] = v->args[i];
        joined.args[1] = v->args[1 - i];
        bool first = i == 0 || v->kind == PV_CALL || v->op != OP_SUB;
        if (own && first && join_of_value(&joined) >= 0)
            return value_walk(v->args[1 - i], find_scalar, (void *)p);
    }
    return false;
}

/* What a list does with results without subscripts. */
struct scalars {
    const struct plan *plan;
    const struct pvar *index; /* of the loop that it is, with no other one in it; or NULL */
    const bool *written;      /* variables that it sets */
    uint32_t stored;          /* a bit each */
    bool joins;               /* it joins numbers to them alone, which is no other statement's */
    int operand;              /* the one that is asked for */
    bool needed;              /* something else depends on that, so that no bins are dealt out */
};

static enum walk find_operand(const struct pval *v, void *put) {
    return v->kind == PV_ELEM && v->operand == ((const struct pstmt *)put)->operand ? WALK_STOP
                                                                                    : WALK_IN;
}

static enum walk find_found(const struct pval *v, void *scalars) {
    const struct scalars *x = scalars;
    bool array = v->kind == PV_ELEM && !is_scalar(x->plan, v->operand);
    return array || (v->kind == PV_VAR && x->written[v->var->id]) ? WALK_STOP : WALK_IN;
}

/* Whether a statement may store to a bin, which others that have it may be dealt out to: an element
 * that is found, or one that is no iteration's own and is updated; in nests any. */
static bool may_update_bin(struct scalars *x, const struct pstmt *s) {
    if (s->kind != PS_PUT || is_scalar(x->plan, s->operand))
        return false;
    bool found = x->index == NULL, own = false;
    for (int i = 0; i < s->place->nargs; i++) {
        const struct pval *v = s->place->args[i];
        found = found || !value_walk(v, find_found, x);
        own = own || (!found && !value_walk(v, find_variable, (void *)(uintptr_t)x->index));
    }
    return found || (!own && !value_walk(s->value, find_operand, (void *)(uintptr_t)s));
}

/* Whether threads share none of a list's loops, nor what it stores to arrays. */
static bool shares_none(struct scalars *x, const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        bool stores = s->kind == PS_PUT && is_scalar(x->plan, s->operand);
        if (s->kind == PS_SPREAD || s->accs != NULL || s->kind == PS_CLEAR || s->merged ||
            (!x->needed && may_update_bin(x, s)))
            return false;
        x->stored |= stores ? 1U << s->operand : 0;
        x->joins = x->joins && (joins_scalar(x->plan, s) ||
                                (!stores && value_walk(s->value, find_scalar, (void *)x->plan)));
        if (!shares_none(x, s->body) || !shares_none(x, s->other))
            return false;
    }
    return true;
}

static enum walk forget_index(const struct pstmt *s, void *written) {
    if (s->kind == PS_FOR)
        ((bool *)written)[s->var->id] = false;
    return WALK_IN;
}

static enum walk find_result(const struct pval *v, void *scalars) {
    const struct scalars *x = scalars;
    return v->kind == PV_ELEM && v->operand == x->operand ? WALK_STOP : WALK_IN;
}

/* Stops at a statement that reads the result, but to update it. */
static enum walk find_needed(const struct pstmt *s, void *scalars) {
    const struct scalars *x = scalars;
    bool updates = s->kind == PS_PUT && s->operand == x->operand;
    return updates || stmt_values(s, find_result, scalars) ? WALK_IN : WALK_STOP;
}

/* More joins than a loop has totals are left to threads that merge into memory. */
static bool keeps_scalars(struct uc *uc, const struct plan *p, const struct pstmt *list,
                          int operand) {
    struct scalars x = {.plan = p,
                        .operand = operand,
                        .joins = true,
                        .index = list->kind == PS_FOR && !has_loop(list->body) ? list->var : NULL};
    x.needed = !is_complex(p->operands[operand].dtype) && /* whose updates read parts */
               !stmt_walk(list, &(struct plan_visitor){.stmt = find_needed}, &x);
    bool *written = find_written(uc, p, list);
    plan_walk(list, &(struct plan_visitor){.stmt = forget_index}, written);
    x.written = written;
    return shares_none(&x, list) && (!x.joins || __builtin_popcount(x.stored) <= MAX_TOTALS);
}

/* Whether a statement that stores the operand does anything else. */
static bool stores_apart(struct uc *uc, const struct plan *p, int operand) {
    struct scalar x = {.operand = operand};
    for (const struct pstmt *s = p->body->body; s != NULL; s = s->next) {
        struct pstmt alone = *s;
        alone.next = NULL;
        if (!keeps_scalars(uc, p, &alone, operand))
            look_at_stores(&x, &alone, true, true);
    }
    return x.other;
}

void keep_results(struct lower *l) {
    struct plan *p = l->plan;
    for (int k = p->nin; k < p->nin + p->overload->nout; k++) {
        struct scalar x = {.uc = l->uc, .plan = p, .operand = k};
        if (!is_scalar(p, k))
            continue;
        look_at_stores(&x, p->body->body, false, false);
        if (x.looped && !stores_apart(l->uc, p, k))
            keep(&x);
    }
}

/* ---- other loops */

void keep_scalars(struct uc *uc, struct plan *p) {
    for (int k = p->nin; k < p->nin + p->overload->nout; k++) {
        struct scalar x = {.uc = uc, .plan = p, .operand = k};
        if (p->operands[k].rank == 0)
            look_at_stores(&x, p->body->body, false, false);
        if (x.looped && !x.other && !is_dealt(p, k))
            keep(&x);
    }
}
