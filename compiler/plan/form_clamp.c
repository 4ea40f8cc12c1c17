/* form_clamp.c: whole numbers to which iterations add, and which they keep within bounds, as
 * `here = max(here + x, 0)`: min(hi, max(lo, s + a)) of three numbers.  These are int64s that never
 * wrap, as no iteration adds more than 32 bits, and there are not too many.  The state itself may
 * wrap, which is no such function: iterations that know it find out whether it did. */
#include "form.h"

enum { MOST_ITERATIONS = 1 << 30 };
static const int64_t most_added = INT64_C(1) << 32, /* by an iteration */
    beyond = INT64_C(1) << 61;                      /* all states and bounds */

static struct pval *extreme(struct lower *l, enum builtin_id id, struct pval *a, struct pval *b) {
    return value_call(l, id, DT_INT64, 2, (struct pval *[]){a, b});
}

bool may_clamp(enum ufc_dtype d) {
    return is_integer(d) && d != DT_UINT64;
}

/* ---- forms */

bool is_clamped(const struct pval *v, bool turned) {
    if (!may_clamp(v->dtype) || !may_clamp(v->args[0]->dtype))
        return false;
    if (v->kind == PV_CAST)
        return true;
    if (v->kind == PV_OP)
        return v->op == OP_ADD || (v->op == OP_SUB && !turned);
    return v->kind == PV_CALL &&
           (v->builtin->id == B_MIN || v->builtin->id == B_MAX || v->builtin->id == B_CLIP);
}

bool clamp_free(struct lower *l, struct group *g, struct pval *v, struct form *to) {
    if (!may_clamp(v->dtype))
        return false;
    to->part[0] = plan_number(l->uc, 0);
    to->part[1] = to->part[2] = value_cast(l, v, DT_INT64);
    g->bounded[0] = g->bounded[1] = true;
    return true;
}

static void bound_by(struct lower *l, struct group *g, enum builtin_id id, struct pval *by,
                     struct form *to) {
    g->bounded[id == B_MIN] = true;
    for (int i = 1; i < 3; i++)
        to->part[i] = extreme(l, id, to->part[i], by);
}

void clamp_by(struct lower *l, struct group *g, const struct pval *v, struct pval *const *by,
              struct form *to) {
    if (v->kind == PV_OP) {
        g->sums++;
        for (int i = 0; i < 3; i++)
            to->part[i] = value_op(l, v->op, DT_INT64, to->part[i], by[0]);
    } else if (v->kind == PV_CALL && v->builtin->id == B_CLIP) {
        bound_by(l, g, B_MAX, by[0], to);
        bound_by(l, g, B_MIN, by[1], to);
    } else if (v->kind == PV_CALL) {
        bound_by(l, g, v->builtin->id, by[0], to);
    }
}

struct pval *clamp_neutral(struct lower *l, int part) {
    return plan_number(l->uc, part == 0 ? 0 : part == 1 ? -beyond : beyond);
}

/* v within the bounds that there are. */
static struct pval *within(struct lower *l, const struct group *g, struct pvar *const *part,
                           struct pval *v) {
    if (g->bounds[0])
        v = extreme(l, B_MAX, v, read(l, part[1]));
    return g->bounds[1] ? extreme(l, B_MIN, v, read(l, part[2])) : v;
}

void join_clamp(struct lower *l, const struct group *g, struct span at) {
    struct pvar *const *own = g->acc[0], *const *other = g->other[0];
    for (int i = 2; i >= 0; i--) {
        if (!g->moves[0][i])
            continue;
        struct pval *v = value_op(l, OP_ADD, DT_INT64, read(l, own[i]), read(l, other[0]));
        set(l, own[i], i == 0 ? v : within(l, g, other, v), at);
    }
}

struct pval *clamp_value(struct lower *l, const struct group *g) {
    struct pval *v = value_cast(l, read(l, g->state[0]), DT_INT64);
    v = value_op(l, OP_ADD, DT_INT64, v, read(l, g->acc[0][0]));
    return value_cast(l, within(l, g, g->acc[0], v), g->state[0]->dtype);
}

/* ---- whether it is so */

struct checking {
    struct lower *l;
    const struct group *g;
    struct copy c;
    struct pvar **wide; /* by variable: what it would be as an int64; NULL: it does not depend on
                           the state */
    struct pvar *bad;
    struct span at;
};

/* Emits that a number has to be within bounds. */
static void expect(struct lower *l, struct pvar *bad, struct pval *v, int64_t lo, int64_t hi,
                   struct span at) {
    struct pval *out =
        value_op(l, OP_LOR, DT_BOOL, value_op(l, OP_LT, DT_BOOL, v, plan_number(l->uc, lo)),
                 value_op(l, OP_GT, DT_BOOL, v, plan_number(l->uc, hi)));
    set(l, bad, value_op(l, OP_OR, DT_INT32, read(l, bad), value_cast(l, out, DT_INT32)), at);
}

static enum walk find_wide(const struct pval *v, void *wide) {
    return v->kind == PV_VAR && ((struct pvar *const *)wide)[v->var->id] != NULL ? WALK_STOP
                                                                                 : WALK_IN;
}

static struct pval *wide_of(struct checking *x, const struct pval *v, int64_t most);

static struct pval *wide_args(struct checking *x, const struct pval *v, int from) {
    int64_t most = v->kind == PV_OP ? most_added : beyond;
    struct pval *own = value_new(x->l, v->kind, v->dtype == DT_BOOL ? DT_BOOL : DT_INT64);
    own->op = v->op;
    own->builtin = v->builtin;
    own->nargs = v->nargs;
    for (int i = 0; i < v->nargs; i++)
        own->args[i] = i < from ? copy_renamed(&x->c, v->args[i]) : wide_of(x, v->args[i], most);
    return own;
}

/* The value as it would be without wrapping, in which what is not so is noted; most: that of what
 * does not depend on the state. */
static struct pval *wide_of(struct checking *x, const struct pval *v, int64_t most) {
    struct lower *l = x->l;
    if (value_walk(v, find_wide, x->wide)) {
        struct pval *own = value_cast(l, copy_renamed(&x->c, v), DT_INT64);
        if (v->dtype != DT_INT64)
            return own;
        bool known =
            v->kind == PV_CONST && (int64_t)v->i <= INT32_MAX && (int64_t)v->i >= INT32_MIN;
        if (!known) {
            own = emit_temporary(l, "number", own, x->at);
            expect(l, x->bad, own, -most, most, x->at);
        }
        return own;
    }
    if (v->kind == PV_VAR)
        return read(l, x->wide[v->var->id]);
    if (v->kind == PV_SELECT) {
        struct pval *e = extreme_of(l, v->args[0], v->args[1], v->args[2]);
        return e != NULL ? wide_of(x, e, beyond) : wide_args(x, v, 1);
    }
    bool cast = v->kind == PV_CAST;
    struct pval *own = cast ? wide_of(x, v->args[0], most) : wide_args(x, v, 0);
    if ((cast || v->kind == PV_OP) && v->dtype != DT_INT64) {
        own = emit_temporary(l, "wide", own, x->at);
        expect(l, x->bad, own, (int64_t)lowest(v->dtype), (int64_t)highest(v->dtype), x->at);
    }
    return own;
}

static void check_set(struct checking *x, const struct pvar *var, const struct pval *v) {
    struct pval *own = wide_of(x, v, beyond);
    set(x->l, x->wide[var->id], own, x->at);
}

static void check_list(struct checking *x, const struct pstmt *s) {
    for (; s != NULL; s = s->next) {
        x->at = s->at;
        if (s->kind == PS_SET && x->wide[s->var->id] == NULL) {
            *x->l->end = copy_stmt(&x->c, s);
            x->l->end = &(*x->l->end)->next;
            continue;
        }
        if (s->kind == PS_SET) {
            check_set(x, s->var, s->value);
            continue;
        }
        if (!value_walk(s->value, find_wide, x->wide)) {
            check_set(x, s->body->var, chosen_extreme(x->l, s));
            continue;
        }
        struct pstmt *own = stmt_emit(x->l, PS_IF, s->at), **end = x->l->end;
        own->value = copy_renamed(&x->c, s->value);
        x->l->end = &own->body;
        check_list(x, s->body);
        x->l->end = &own->other;
        check_list(x, s->other);
        x->l->end = end;
    }
}

void check_clamp(struct lower *l, const struct group *g, const struct copy *c,
                 const struct pstmt *slice, struct pvar *bad) {
    int n = l->plan->nvars;
    struct checking x = {.l = l, .g = g, .c = *c, .bad = bad, .at = slice->at};
    x.wide = NEWN(l->uc, struct pvar *, n + 1);
    x.c.vars = NEWN(l->uc, struct pvar *, n + 1);
    for (int i = 0; i < g->nvars; i++)
        x.c.vars[i] = c->vars[i];
    const bool *depends = find_dependents(l, g, slice);
    for (int i = 0; i < n; i++)
        if (depends[i])
            x.wide[i] = &variable_new(l, "wide", DT_INT64)->pvar;
    struct pval *first = value_cast(l, read(l, c->vars[g->state[0]->id]), DT_INT64);
    set(l, x.wide[g->state[0]->id], first, slice->at);
    check_list(&x, slice);
}

void check_clamps(struct lower *l, const struct group *g, struct pval *iterations, struct pvar *bad,
                  struct span at) {
    expect(l, bad, iterations, INT64_MIN, MOST_ITERATIONS / (g->sums > 0 ? g->sums : 1), at);
    expect(l, bad, value_cast(l, read(l, g->state[0]), DT_INT64), -beyond, beyond, at);
}
