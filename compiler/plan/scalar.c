/* scalar.c: what ordered loops of a call store to a result without subscripts is kept in a
 * variable until the call ends.  An iteration then waits for no store of the one before, and
 * threads that share the call for none of the one that stores.  Where loops do nothing but join
 * numbers to such results, these are totals (total.c), rather than bins in memory that all
 * iterations merge into. */
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

static void keep(struct scalar *x) {
    struct plan *p = x->plan;
    const struct poperand *o = &p->operands[x->operand];
    struct pstmt **end = &p->body->body, *put = NEW(x->uc, struct pstmt);
    struct span at = (*end)->at;
    x->var = kept_new(x->uc, p, o->name, o->dtype);
    replace(x, end);
    if (p->overload->inst->unwritten >> (x->operand - p->nin) & 1)
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

/* ---- totals */

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

/* Whether a loop's list does that alone, under conditions of its own too; *scalars: the results, a
 * bit each. */
static bool only_joins(const struct plan *p, const struct pstmt *list, uint32_t *scalars) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        bool join = joins_scalar(p, s);
        bool free = s->kind == PS_SET || s->kind == PS_IF;
        if (!join && !(free && value_walk(s->value, find_scalar, (void *)p)))
            return false;
        *scalars |= join ? 1U << s->operand : 0;
        if (!only_joins(p, s->body, scalars) || !only_joins(p, s->other, scalars))
            return false;
    }
    return true;
}

static bool takes_totals(const struct plan *p, const struct pstmt *s) {
    uint32_t scalars = 0;
    return s->kind == PS_FOR && only_joins(p, s->body, &scalars) && scalars != 0 &&
           __builtin_popcount(scalars) <= MAX_TOTALS;
}

/* Whether anything else but single statements stores the operand. */
static bool stores_apart(const struct plan *p, int operand) {
    struct scalar x = {.operand = operand};
    for (const struct pstmt *s = p->body->body; s != NULL; s = s->next) {
        struct pstmt alone = *s;
        alone.next = NULL;
        if (s->kind != PS_PUT && !takes_totals(p, s))
            look_at_stores(&x, &alone, true, true);
    }
    return x.other;
}

void keep_totals(struct lower *l) {
    struct plan *p = l->plan;
    for (int k = p->nin; k < p->nin + p->overload->nout; k++) {
        struct scalar x = {.uc = l->uc, .plan = p, .operand = k};
        if (!is_scalar(p, k))
            continue;
        look_at_stores(&x, p->body->body, false, false);
        if (x.looped && !stores_apart(p, k))
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
