/* scatter.c: statements that merge numbers into elements, whichever these are, and which of
 * their targets blocks of GPU threads may have copies of. */
#include "plan.h"

/* ---- one statement */

static bool is_own(const struct pstmt *s, int arg) {
    return same_value(s->value->args[arg], s->place);
}

static bool is_bitwise(int op) {
    return op == OP_AND || op == OP_OR || op == OP_XOR;
}

static bool is_merging_op(enum op op, enum ufc_dtype d) {
    return is_bitwise(op) || (d != DT_BOOL && (op == OP_ADD || op == OP_MUL));
}

int merge_of(const struct pstmt *s) {
    const struct pval *v = s->value;
    if ((v->kind != PV_OP && v->kind != PV_CALL) || v->nargs != 2 || v->dtype != s->place->dtype ||
        !(is_integer(v->dtype) || v->dtype == DT_BOOL || s->loose) || is_own(s, 0) == is_own(s, 1))
        return -1;
    if (v->kind == PV_CALL) {
        int id = (int)v->builtin->id;
        bool merges = id == B_MIN || id == B_MAX || id == B_GCD;
        return merges && is_integer(v->dtype) ? OP_COUNT + id : -1;
    }
    if (v->op == OP_SUB && v->dtype != DT_BOOL)
        return is_own(s, 0) ? OP_ADD : -1;
    return is_merging_op(v->op, v->dtype) ? (int)v->op : -1;
}

const struct pval *merged_value(const struct pstmt *s) {
    return s->value->args[is_own(s, 0) ? 1 : 0];
}

const struct pval *merged_place(const struct pstmt *s) {
    return s->value->args[is_own(s, 0) ? 0 : 1];
}

/* ---- the targets of a spread */

/* Is a number so small that 32 bits hold the sum of as many as a block merges? */
static bool is_small(const struct pval *v) {
    if (v->kind == PV_CONST)
        return (int64_t)v->i >= -UINT8_MAX && (int64_t)v->i <= UINT8_MAX;
    if (v->kind == PV_SELECT)
        return is_small(v->args[1]) && is_small(v->args[2]);
    return v->kind == PV_CAST && (is_integer(v->args[0]->dtype) || v->args[0]->dtype == DT_BOOL) &&
           (dtype_info[v->args[0]->dtype].bits <= 8 || is_small(v->args[0]));
}

struct targets {
    const struct plan *plan;
    uint32_t merged, wide, sums, narrow;
    int op[UFC_MAX_OPERANDS];
    bool loops, fit;
    int puts;
};

static enum walk add_put(const struct pstmt *s, void *arg) {
    struct targets *t = arg;
    if (s->kind != PS_PUT || !s->merged)
        return WALK_IN;
    int k = s->operand, op = merge_of(s);
    bool seen = t->merged >> k & 1;
    /* gcd(h, 0) is |h|: copies of signed bins cannot begin with what leaves an element as it is */
    bool begins = op != OP_COUNT + B_GCD || !is_signed(s->place->dtype);
    t->fit = t->fit && k < t->plan->noperands && (!seen || t->op[k] == op) && begins;
    bool whole = is_integer(s->place->dtype);
    bool small = op == OP_ADD && whole && !t->loops && is_small(merged_value(s));
    if (k < t->plan->noperands) {
        t->op[k] = op;
        t->merged |= UINT32_C(1) << k;
        if (dtype_info[s->place->dtype].bits > 32 && !small)
            t->wide |= UINT32_C(1) << k;
        if (op == OP_ADD && whole)
            t->sums |= UINT32_C(1) << k;
        if (is_bitwise(op))
            t->narrow |= UINT32_C(1) << k;
    }
    t->puts++;
    return WALK_IN;
}

/* Stops at a statement that stores to bins without merging: it would be to the block's copies. */
static enum walk find_store(const struct pstmt *s, void *targets) {
    const struct targets *t = targets;
    bool stores = s->kind == PS_PUT && !s->merged && s->operand < t->plan->noperands;
    return stores && t->merged >> s->operand & 1 ? WALK_STOP : WALK_IN;
}

void find_bins(const struct plan *p, const struct pstmt *s, struct ufc_phase *phase) {
    struct targets t = {.plan = p, .loops = has_loop(s->body), .fit = true};
    if (!s->merged)
        return;
    plan_walk(s->body, &(struct plan_visitor){.stmt = add_put}, &t);
    if (!t.fit || t.puts > UFC_SCATTER_PUTS ||
        !plan_walk(s->body, &(struct plan_visitor){.stmt = find_store}, &t))
        return;
    phase->merged = t.merged;
    phase->wide = t.wide;
    phase->sums = t.sums;
    phase->narrow = t.narrow;
}

/* ---- what is read beside bins */

/* Stops at a statement that stores elsewhere than at v's subscripts. */
static enum walk find_elsewhere(const struct pstmt *s, void *element) {
    const struct pval *v = element;
    bool same = s->kind != PS_PUT || (s->merged && s->place->nargs == v->nargs);
    for (int i = 0; same && s->kind == PS_PUT && i < v->nargs; i++)
        same = same_value(s->place->args[i], v->args[i]);
    return same ? WALK_IN : WALK_STOP;
}

bool is_beside_bins(const struct pstmt *s, const struct pval *v) {
    bool gathers = false;
    for (int i = 0; v->kind == PV_ELEM && i < v->nargs; i++)
        gathers = gathers || !value_walk(v->args[i], find_any_element, NULL);
    return gathers && plan_walk(s->body, &(struct plan_visitor){.stmt = find_elsewhere}, (void *)v);
}

struct reading {
    const struct pstmt *points;
    bool *beside; /* by variable: it is made of what is read beside bins */
    int *sets;    /* by variable */
    bool changed, alone;
};

static enum walk find_beside(const struct pval *v, void *arg) {
    const struct reading *x = arg;
    bool beside = v->kind == PV_VAR ? x->beside[v->var->id] : is_beside_bins(x->points, v);
    return beside ? WALK_STOP : WALK_IN;
}

static bool is_beside(const struct reading *x, const struct pval *v) {
    return !value_walk(v, find_beside, (void *)x);
}

/* Subscripts are made of nothing that is read beside bins, nor of variables that are set again. */
static enum walk check_subscripts(const struct pval *v, void *arg) {
    struct reading *x = arg;
    for (int i = 0; v->kind == PV_ELEM && i < v->nargs; i++)
        x->alone = x->alone && !is_beside(x, v->args[i]);
    x->alone =
        x->alone && !(v->kind == PV_VAR && x->sets[v->var->id] > 1 && !x->beside[v->var->id]);
    return WALK_IN;
}

/* Stops at an element that is read elsewhere than beside bins. */
static enum walk find_other(const struct pval *v, void *points) {
    bool element = v->kind == PV_ELEM, beside = element && is_beside_bins(points, v);
    return beside ? WALK_PAST : element ? WALK_STOP : WALK_IN;
}

/* What runs or not by what is read beside bins sets variables, of such elements alone. */
static enum walk check_chosen(const struct pstmt *s, void *arg) {
    struct reading *x = arg;
    bool sets = s->kind == PS_SET || s->kind == PS_IF;
    x->alone = x->alone && sets;
    if (s->kind == PS_SET && !x->beside[s->var->id])
        x->beside[s->var->id] = x->changed = true;
    x->alone = x->alone && value_walk(s->value, find_other, (void *)x->points);
    return WALK_IN;
}

static enum walk check_alone(const struct pstmt *s, void *arg) {
    struct reading *x = arg;
    if (s->kind == PS_SET && !x->beside[s->var->id] && is_beside(x, s->value))
        x->beside[s->var->id] = x->changed = true;
    bool known = s->kind == PS_SET || s->kind == PS_PUT || s->kind == PS_IF || s->kind == PS_FOR;
    bool bounds = s->kind == PS_FOR && (is_beside(x, s->lo) || is_beside(x, s->hi));
    x->alone = x->alone && known && !bounds;
    if (s->kind == PS_IF && is_beside(x, s->value)) {
        const struct plan_visitor chosen = {.stmt = check_chosen};
        plan_walk(s->body, &chosen, x);
        plan_walk(s->other, &chosen, x);
        stmt_values(s, check_subscripts, x);
        return WALK_PAST;
    }
    stmt_values(s, check_subscripts, x);
    return WALK_IN;
}

static enum walk count_set(const struct pstmt *s, void *sets) {
    if (s->kind == PS_SET)
        ((int *)sets)[s->var->id]++;
    return WALK_IN;
}

bool merges_alone(struct uc *uc, const struct plan *p, const struct pstmt *s) {
    struct reading x = {.points = s,
                        .beside = NEWN(uc, bool, p->nvars + 1),
                        .sets = NEWN(uc, int, p->nvars + 1),
                        .alone = true};
    plan_walk(s->body, &(struct plan_visitor){.stmt = count_set}, x.sets);
    do {
        x.changed = false;
        plan_walk(s->body, &(struct plan_visitor){.stmt = check_alone}, &x);
    } while (x.changed && x.alone);
    return x.alone;
}
