/* form_table.c: states that have few values, so that what iterations make of them is a table:
 * an entry of 4 bits for each combination of values, the number of that which it becomes. */
#include "form.h"

/* Which of the states a variable is; -1: none. */
int state_of(const struct group *g, const struct pvar *var) {
    int i = g->n - 1;
    while (i >= 0 && g->state[i] != var)
        i--;
    return i;
}

/* A number from lo to hi. */
struct interval {
    int64_t lo, hi;
};

static bool interval_of(const struct group *g, const struct pval *v, struct interval *to);

static bool interval_of_op(const struct group *g, const struct pval *v, struct interval *to) {
    struct interval a, b;
    const struct pval *by = v->nargs == 2 ? v->args[1] : NULL;
    bool constant = by != NULL && by->kind == PV_CONST && by->i > 0 && by->i <= TABLE_CODES;
    if (constant && (v->op == OP_MOD || v->op == OP_AND)) {
        *to = (struct interval){0, (int64_t)by->i - (v->op == OP_MOD)};
        return true;
    }
    if (by == NULL || !interval_of(g, v->args[0], &a) || !interval_of(g, by, &b))
        return false;
    bool add = v->op == OP_ADD;
    *to = (struct interval){add ? a.lo + b.lo : a.lo - b.hi, add ? a.hi + b.hi : a.hi - b.lo};
    return add || v->op == OP_SUB;
}

static bool interval_of_call(const struct group *g, const struct pval *v, struct interval *to) {
    struct interval a, b;
    bool least = v->builtin->id == B_MIN;
    if (v->nargs != 2 || (!least && v->builtin->id != B_MAX) || !interval_of(g, v->args[0], &a) ||
        !interval_of(g, v->args[1], &b))
        return false;
    *to = (struct interval){(a.lo < b.lo) == least ? a.lo : b.lo,
                            (a.hi < b.hi) == least ? a.hi : b.hi};
    return true;
}

static bool interval_of_number(const struct group *g, const struct pval *v, struct interval *to) {
    struct interval a, b;
    int own = v->kind == PV_VAR ? state_of(g, v->var) : -1;
    switch (v->kind) {
    case PV_CONST:
        *to = (struct interval){(int64_t)v->i, (int64_t)v->i};
        return to->lo >= -TABLE_CODES && to->hi <= TABLE_CODES;
    case PV_VAR: *to = (struct interval){0, own >= 0 ? g->values[own] - 1 : 0}; return own >= 0;
    case PV_CAST: return interval_of(g, v->args[0], to) && to->lo >= 0;
    case PV_SELECT:
        if (!interval_of(g, v->args[1], &a) || !interval_of(g, v->args[2], &b))
            return false;
        *to = (struct interval){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
        return true;
    case PV_OP: return interval_of_op(g, v, to);
    case PV_CALL: return interval_of_call(g, v, to);
    default: return false;
    }
}

/* What v is within, where the states are within their values, and nothing wraps.  False: it is not
 * known. */
static bool interval_of(const struct group *g, const struct pval *v, struct interval *to) {
    if (v->dtype == DT_BOOL) {
        *to = (struct interval){0, 1};
        return true;
    }
    return is_integer(v->dtype) && interval_of_number(g, v, to) &&
           to->lo >= (is_signed(v->dtype) ? INT8_MIN : 0) && to->hi <= INT8_MAX;
}

/* The number that a state has before the loop, of which a copy may be given, as the statement
 * before says; -1: it is not known. */
static int64_t first_value(const struct lower *l, const struct pvar *state,
                           const struct pstmt *loop) {
    int64_t first = -1;
    for (const struct pstmt *s = l->plan->body->body;; s = s->next) {
        if (s == NULL)
            return -1;
        if (s->kind == PS_FOR && s->next == loop->next)
            return first;
        bool constant =
            s->kind == PS_SET && s->value->kind == PV_CONST && (int64_t)s->value->i >= 0;
        const bool *sets = find_written(l->uc, l->plan,
                                        &(struct pstmt){.kind = s->kind,
                                                        .var = s->var,
                                                        .ranges = s->ranges,
                                                        .body = s->body,
                                                        .other = s->other});
        if (sets[state->id])
            first = constant ? (int64_t)s->value->i : -1;
    }
}

struct reach {
    struct group *g;
    bool grows, known;
};

static enum walk reach_set(const struct pstmt *s, void *arg) {
    struct reach *r = arg;
    int own = s->kind == PS_SET ? state_of(r->g, s->var) : -1;
    struct interval i;
    if (own < 0)
        return WALK_IN;
    r->known = r->known && interval_of(r->g, s->value, &i) && i.lo >= 0 && i.hi < TABLE_CODES;
    if (r->known && i.hi >= r->g->values[own]) {
        r->g->values[own] = (int)i.hi + 1;
        r->grows = true;
    }
    return WALK_IN;
}

/* Finds how many values each state has.  False: some has too many, or it is not known. */
bool find_values(struct lower *l, struct group *g, const struct pstmt *slice,
                 const struct pstmt *loop) {
    struct reach r = {g, true, true};
    for (int i = 0; i < g->n; i++) {
        bool is_bool = g->state[i]->dtype == DT_BOOL;
        int64_t first = is_bool ? 1 : first_value(l, g->state[i], loop);
        if (first < 0 || first >= TABLE_CODES || (!is_bool && !is_integer(g->state[i]->dtype)))
            return false;
        g->values[i] = (int)first + 1;
    }
    while (r.known && r.grows) {
        r.grows = false;
        plan_walk(slice, &(struct plan_visitor){.stmt = reach_set}, &r);
    }
    int codes = 1;
    for (int i = 0; i < g->n; i++)
        codes *= g->values[i];
    return r.known && codes <= TABLE_CODES;
}

static int codes_of(const struct group *g) {
    int codes = 1;
    for (int i = 0; i < g->n; i++)
        codes *= g->values[i];
    return codes;
}

static struct pval *op(struct lower *l, enum op o, struct pval *a, int64_t b) {
    return value_op(l, o, DT_UINT32, a, form_number(l, DT_UINT32, b));
}

/* The entry of a table at a place. */
static struct pval *entry_at(struct lower *l, struct pval *table, struct pval *place) {
    struct pval *by = op(l, OP_MUL, place, TABLE_BITS);
    return op(l, OP_AND, value_op(l, OP_SHR, DT_UINT32, table, by), (1 << TABLE_BITS) - 1);
}

static struct pval *entry_number(struct lower *l, struct pval *table, int i) {
    struct pval *v = i == 0 ? table : op(l, OP_SHR, table, (int64_t)i * TABLE_BITS);
    return op(l, OP_AND, v, (1 << TABLE_BITS) - 1);
}

/* The number of a combination of the states' values, by what stands for them. */
static struct pval *code_of(struct lower *l, const struct group *g, struct pvar *const *vars) {
    struct pval *code = form_number(l, DT_UINT32, 0);
    for (int i = g->n; i-- > 0;) {
        const struct pvar *own = vars == NULL ? g->state[i] : vars[g->state[i]->id];
        struct pval *v = value_cast(l, read(l, own), DT_UINT32);
        code = i == g->n - 1 ? v
                             : value_op(l, OP_ADD, DT_UINT32, op(l, OP_MUL, code, g->values[i]), v);
    }
    return code;
}

/* A state's value, by the number of their combination. */
static struct pval *decoded(struct lower *l, const struct group *g, int state, struct pval *code) {
    for (int i = 0; i < state; i++)
        code = op(l, OP_FLOORDIV, code, g->values[i]);
    if (state < g->n - 1)
        code = op(l, OP_MOD, code, g->values[state]);
    return g->state[state]->dtype == DT_BOOL
               ? value_op(l, OP_NE, DT_BOOL, code, form_number(l, DT_UINT32, 0))
               : value_cast(l, code, g->state[state]->dtype);
}

/* Emits that an entry of the next table is where the slice goes from that of the table so far. */
static struct pval *step_entry(struct lower *l, const struct group *g, const struct copy *c,
                               const struct pstmt *slice, int number_of, int nvars) {
    struct copy own = *c;
    own.vars = NEWN(l->uc, struct pvar *, nvars + 1);
    for (int i = 0; i < g->nvars; i++)
        own.vars[i] = c->vars[i];
    struct pval *code = entry_number(l, read(l, g->acc[0][0]), number_of);
    if (g->n > 1)
        code = emit_temporary(l, "code", code, slice->at);
    for (int i = 0; i < g->n; i++) {
        struct pval *v = emit_temporary(l, g->state[i]->name, decoded(l, g, i, code), slice->at);
        own.vars[g->state[i]->id] = v->var;
    }
    for (const struct pstmt *s = slice; s != NULL; s = s->next) {
        *l->end = copy_stmt(&own, s);
        l->end = &(*l->end)->next;
    }
    return op(l, OP_SHL, code_of(l, g, own.vars), (int64_t)number_of * TABLE_BITS);
}

void step_table(struct lower *l, struct group *g, const struct copy *c, const struct pstmt *slice) {
    struct pval *next = NULL;
    int nvars = l->plan->nvars;
    for (int i = 0; i < codes_of(g); i++) {
        struct pval *entry = step_entry(l, g, c, slice, i, nvars);
        next = next == NULL ? entry : value_op(l, OP_OR, DT_UINT32, next, entry);
        next = emit_temporary(l, "next", next, slice->at);
    }
    set(l, g->acc[0][0], next, slice->at);
    g->moves[0][0] = true;
}

void join_table(struct lower *l, const struct group *g, struct span at) {
    struct pval *next = NULL;
    for (int i = 0; i < codes_of(g); i++) {
        struct pval *from = entry_number(l, read(l, g->acc[0][0]), i);
        struct pval *entry =
            op(l, OP_SHL, entry_at(l, read(l, g->other[0][0]), from), (int64_t)i * TABLE_BITS);
        next = next == NULL ? entry : value_op(l, OP_OR, DT_UINT32, next, entry);
    }
    set(l, g->acc[0][0], next, at);
}

struct pval *table_neutral(struct lower *l, const struct group *g) {
    uint64_t table = 0;
    for (int i = 0; i < codes_of(g); i++)
        table |= (uint64_t)i << i * TABLE_BITS;
    return form_number(l, DT_UINT32, (int64_t)table);
}

struct pval *table_value(struct lower *l, const struct group *g, int state) {
    return decoded(l, g, state, entry_at(l, read(l, g->acc[0][0]), code_of(l, g, NULL)));
}
