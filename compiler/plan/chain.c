/* chain.c: how long an iteration of an ordered loop waits at least for the one before it,
 * whatever computes it: for the floating-point operations that lead from what one leaves to what
 * the next one does.  They may not be regrouped.  Operations on integers, comparisons, minima and
 * maxima count for nothing, since those may. */
#include <string.h>

#include "dealer.h"

enum { WARM = 4, TURNS = 8 };

struct chain {
    struct uc *uc;
    const struct plan *plan;
    const struct pstmt *loop;
    unsigned *set; /* by variable: the clocks after which it is known */
    struct {
        const struct pval *place; /* NULL: nothing is stored to the operand */
        unsigned now, before; /* clocks of what was stored last, in this iteration or before it */
    } stored[UFC_MAX_OPERANDS];
};

static unsigned later(unsigned a, unsigned b) {
    return a > b ? a : b;
}

static unsigned earlier(unsigned a, unsigned b) {
    return a < b ? a : b;
}

/* Clocks of an operation on GPUs of compute capability 7.0 to 9.0, at least. */
static unsigned latency(const struct pval *v) {
    static const struct { unsigned simple, division, call; } clocks[] = {{4, 24, 16}, {8, 60, 60}};
    bool wide = v->dtype == DT_FLOAT64;
    if (!is_float(v->dtype))
        return 0;
    switch (v->kind) {
    case PV_FMA: return clocks[wide].simple;
    case PV_CALL: return v->builtin->impl == IMPL_LIB ? clocks[wide].call : 0;
    case PV_OP:
        if (v->op == OP_DIV)
            return clocks[wide].division;
        return v->op == OP_ADD || v->op == OP_SUB || v->op == OP_MUL ? clocks[wide].simple : 0;
    default: return 0;
    }
}

/* Is v the loop's index and a constant? */
static bool is_at(const struct chain *c, const struct pval *v, int64_t *plus) {
    *plus = 0;
    if (v->kind == PV_OP && (v->op == OP_ADD || v->op == OP_SUB) && v->args[1]->kind == PV_CONST) {
        *plus = v->op == OP_ADD ? (int64_t)v->args[1]->i : -(int64_t)v->args[1]->i;
        v = v->args[0];
    }
    return v->kind == PV_VAR && v->var == c->loop->var;
}

/* The clocks of an element that this iteration, or the one before it, has stored. */
static unsigned of_element(const struct chain *c, const struct pval *v) {
    const struct pval *place = c->stored[v->operand].place;
    int64_t read, written;
    if (place == NULL || v->nargs != 1 || place->nargs != 1 || !is_at(c, v->args[0], &read) ||
        !is_at(c, place->args[0], &written))
        return 0;
    if (read == written)
        return c->stored[v->operand].now;
    return read == written - (int64_t)c->loop->step->i ? c->stored[v->operand].before : 0;
}

static unsigned known_at(const struct chain *c, const struct pval *v) {
    unsigned args[MAX_CORE_RANK] = {0}, last = 0;
    if (v->kind == PV_VAR)
        return c->set[v->var->id];
    if (v->kind == PV_ELEM)
        return v->operand < c->plan->noperands ? of_element(c, v) : 0;
    for (int i = 0; i < v->nargs; i++) {
        args[i] = known_at(c, v->args[i]);
        last = later(last, args[i]);
    }
    if (v->kind == PV_SELECT)
        return later(args[0], earlier(args[1], args[2]));
    return last + latency(v);
}

static void run(struct chain *c, const struct pstmt *s);

/* The branches of a PS_IF: what they leave counts as known when the earlier one knows it. */
static void run_branches(struct chain *c, const struct pstmt *s) {
    size_t n = (size_t)c->plan->nvars * sizeof *c->set;
    struct chain other = *c;
    other.set = NEWN(c->uc, unsigned, c->plan->nvars + 1);
    memcpy(other.set, c->set, n);
    run(c, s->body);
    run(&other, s->other);
    for (int i = 0; i < c->plan->nvars; i++)
        c->set[i] = earlier(c->set[i], other.set[i]);
    for (int k = 0; k < c->plan->noperands; k++) {
        if (other.stored[k].place == NULL)
            c->stored[k].place = NULL;
        c->stored[k].now = earlier(c->stored[k].now, other.stored[k].now);
    }
}

/* Loops in the loop, and reductions, may be empty. */
static void run(struct chain *c, const struct pstmt *s) {
    for (; s != NULL; s = s->next) {
        if (s->kind == PS_SET)
            c->set[s->var->id] = known_at(c, s->value);
        else if (s->kind == PS_PUT && s->place->operand < c->plan->noperands) {
            c->stored[s->place->operand].place = s->place;
            c->stored[s->place->operand].now = known_at(c, s->value);
        } else if (s->kind == PS_IF)
            run_branches(c, s);
    }
}

/* When all that is set and stored is known. */
static unsigned all_known(const struct chain *c) {
    unsigned all = 0;
    for (int i = 0; i < c->plan->nvars; i++)
        all = later(all, c->set[i]);
    for (int k = 0; k < c->plan->noperands; k++)
        all = later(all, c->stored[k].now);
    return all;
}

unsigned chain_clocks(struct uc *uc, const struct plan *p, const struct pstmt *loop) {
    struct chain c = {.uc = uc, .plan = p, .loop = loop, .set = NEWN(uc, unsigned, p->nvars + 1)};
    unsigned begin = 0;
    if (loop->step->kind != PV_CONST)
        return 0;
    for (int turn = 0; turn < TURNS; turn++) {
        if (turn == WARM)
            begin = all_known(&c);
        for (int k = 0; k < p->noperands; k++)
            c.stored[k].before = c.stored[k].now;
        c.set[loop->var->id] = 0;
        run(&c, loop->body);
    }
    return (all_known(&c) - begin) / (TURNS - WARM);
}

unsigned update_clocks(struct uc *uc, const struct plan *p, const struct pstmt *list) {
    enum { LEAST = 4 }; /* of an addition of integers */
    struct chain c = {.uc = uc, .plan = p, .set = NEWN(uc, unsigned, p->nvars + 1)};
    unsigned begin = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        if (turn == WARM)
            begin = all_known(&c);
        run(&c, list);
    }
    return later((all_known(&c) - begin) / (TURNS - WARM), LEAST);
}
