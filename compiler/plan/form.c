/* form.c: what an iteration makes of scalar states, as a function of a class that is closed
 * under composition.  A variable that depends on the states has parts in their place, such as a and
 * b of a * s + b; a statement that sets it sets these.  Functions of several iterations are joined
 * in any grouping, with the bits that one iteration after the other gives: whole numbers wrap, and
 * floats are chosen, never added.  (Prefix sums of functions: Blelloch, Prefix Sums and Their
 * Applications, 1990; of finite states: Ladner and Fischer, Parallel Prefix Computation, 1980.) */
#include "total.h"

#include "form.h"

/* What is made of a slice. */
struct forms {
    struct lower *l;
    struct group *g;
    struct copy c; /* variables that stand for those that do not depend on the states */
    bool *depends; /* by variable: it does, */
    struct pvar *(*part)[MAX_FORM_PARTS]; /* and has these */
    struct span at;
};

/* Whether no iteration bounds the states on a side: then they have no such bound. */
static bool is_missing(const struct group *g, int part) {
    return g->kind == FORM_CLAMP && part > 0 && !g->bounds[part - 1];
}

static int parts_of(const struct group *g) {
    return g->kind == FORM_CLAMP || g->kind == FORM_BITS ? 3
           : g->kind == FORM_AFFINE                      ? g->n + 1
                                                         : 2;
}

/* ---- values */

struct pval *form_number(struct lower *l, enum ufc_dtype d, int64_t i) {
    struct pval *v = value_zero(l, d);
    v->i = (uint64_t)i;
    return v;
}

static bool is_number(const struct pval *v, int64_t i) {
    return v->kind == PV_CONST && is_integer(v->dtype) && v->i == (uint64_t)i;
}

static struct pval *sum(struct lower *l, struct pval *a, struct pval *b) {
    return is_number(a, 0) ? b : is_number(b, 0) ? a : value_op(l, OP_ADD, a->dtype, a, b);
}

static struct pval *product(struct lower *l, struct pval *a, struct pval *b) {
    return is_number(a, 0) || is_number(b, 1)   ? a
           : is_number(b, 0) || is_number(a, 1) ? b
                                                : value_op(l, OP_MUL, a->dtype, a, b);
}

struct pval *select_value(struct lower *l, struct pval *c, struct pval *a, struct pval *b) {
    if (same_value(a, b))
        return a;
    struct pval *v = value_new(l, PV_SELECT, a->dtype);
    v->nargs = 3;
    v->args[0] = c;
    v->args[1] = a;
    v->args[2] = b;
    return v;
}

static struct pval *is_set(struct lower *l, struct pval *v) {
    return value_op(l, OP_NE, DT_BOOL, v, value_zero(l, v->dtype));
}

/* Parts that are bools have a type that threads exchange. */
static enum ufc_dtype kept_dtype(enum ufc_dtype d) {
    return d == DT_BOOL ? DT_INT32 : d;
}

/* ---- which variables depend on the states */

static enum walk find_dependent(const struct pval *v, void *depends) {
    return v->kind == PV_VAR && ((const bool *)depends)[v->var->id] ? WALK_STOP : WALK_IN;
}

static bool is_free(const struct forms *f, const struct pval *v) {
    return value_walk(v, find_dependent, f->depends);
}

/* Adds what a list sets to values of dependent variables, or, where a condition has one, at all.
 * Whether there was any that was not known to be one. */
static bool add_dependents(bool *depends, const struct pstmt *s, bool guarded) {
    bool any = false;
    for (; s != NULL; s = s->next) {
        bool own = guarded || !value_walk(s->value, find_dependent, depends);
        if (s->kind == PS_IF) {
            any = add_dependents(depends, s->body, own) || any;
            any = add_dependents(depends, s->other, own) || any;
        } else if (own && !depends[s->var->id]) {
            depends[s->var->id] = any = true;
        }
    }
    return any;
}

bool *find_dependents(struct lower *l, const struct group *g, const struct pstmt *slice) {
    bool *depends = NEWN(l->uc, bool, l->plan->nvars + 1);
    for (int i = 0; i < g->n; i++)
        depends[g->state[i]->id] = true;
    while (add_dependents(depends, slice, false))
        continue;
    return depends;
}

static struct forms forms_of(struct lower *l, struct group *g, const struct copy *c,
                             const struct pstmt *slice) {
    struct forms f = {.l = l, .g = g, .c = *c, .at = slice->at};
    int n = l->plan->nvars;
    f.depends = find_dependents(l, g, slice);
    f.part = (void *)NEWN(l->uc, struct pvar *, (n + 1) * MAX_FORM_PARTS);
    f.c.vars = NEWN(l->uc, struct pvar *, n + 1);
    for (int i = 0; i < g->nvars; i++)
        f.c.vars[i] = c->vars[i];
    for (int i = 0; i < g->n; i++)
        for (int k = 0; k < MAX_FORM_PARTS; k++)
            f.part[g->state[i]->id][k] = g->acc[i][k];
    return f;
}

/* ---- forms of values */

static bool form_of(struct forms *f, const struct pval *v, struct form *to);

static bool form_of_free(struct forms *f, const struct pval *v, struct form *to) {
    const struct group *g = f->g;
    struct pval *own = copy_renamed(&f->c, v);
    if (g->kind == FORM_CLAMP)
        return clamp_free(f->l, f->g, own, to);
    if (g->kind == FORM_BITS) {
        bits_free(f->l, own, to);
        return v->dtype == g->state[0]->dtype;
    }
    for (int i = 0; i < g->n && g->kind == FORM_AFFINE; i++)
        to->part[i] = value_zero(f->l, v->dtype);
    if (g->kind == FORM_CHOICE)
        to->part[0] = form_number(f->l, DT_INT32, 1);
    to->part[parts_of(g) - 1] = own;
    return g->kind != FORM_AFFINE || is_integer(v->dtype);
}

static bool form_of_variable(struct forms *f, const struct pvar *var, struct form *to) {
    const struct group *g = f->g;
    bool last;
    for (int i = 0; i < parts_of(g); i++) {
        struct pvar *part = f->part[var->id][i];
        last = i == parts_of(g) - 1;
        if (is_missing(g, i)) {
            to->part[i] = clamp_neutral(f->l, i);
            continue;
        }
        if (part == NULL) /* it is read before it is set */
            return false;
        to->part[i] = read(f->l, part);
        if (last && var->dtype == DT_BOOL && g->kind != FORM_CLAMP)
            to->part[i] = is_set(f->l, to->part[i]);
    }
    return true;
}

static bool form_of_choice(struct forms *f, const struct pval *v, struct form *to) {
    struct form a, b;
    if (!form_of(f, v->args[1], &a) || !form_of(f, v->args[2], &b))
        return false;
    struct pval *c = copy_renamed(&f->c, v->args[0]);
    for (int i = 0; i < parts_of(f->g); i++)
        to->part[i] = select_value(f->l, c, a.part[i], b.part[i]);
    return true;
}

/* What the join makes of a value and a later one. */
static struct pval *join_values(struct lower *l, const struct group *g, struct pval *before,
                                struct pval *later) {
    if (g->join < 0)
        return before;
    if (g->compares != OP_COUNT) /* never of NaN, and the first of zeros of both signs */
        return select_value(l, value_op(l, g->compares, DT_BOOL, later, before), later, before);
    return g->second ? joined_by(l, g->join, later, before) : joined_by(l, g->join, before, later);
}

/* A choice of a float in place of the last value where a comparison of them holds. */
static bool form_of_compared(struct forms *f, const struct pval *v, struct form *to) {
    static const enum op turned[] = {
        [OP_LT] = OP_GT, [OP_GT] = OP_LT, [OP_LE] = OP_GE, [OP_GE] = OP_LE};
    const struct pval *c = v->args[0], *with = v->args[1], *last = v->args[2];
    struct group *g = f->g;
    if (g->kind != FORM_CHOICE || c->kind != PV_OP || c->op < OP_LT || c->op > OP_GE ||
        !is_float(v->dtype) || with->dtype != v->dtype || !is_free(f, with))
        return false;
    bool second = same_value(c->args[1], with);
    if (!same_value(c->args[second], with) || !same_value(c->args[!second], last))
        return false;
    enum op compares = second ? turned[c->op] : c->op;
    int join = OP_COUNT + (int)(compares == OP_GT || compares == OP_GE ? B_MAX : B_MIN);
    if ((g->join >= 0 && (g->join != join || g->compares != compares)) || !form_of(f, last, to))
        return false;
    g->join = join;
    g->compares = compares;
    struct pval *own = emit_temporary(f->l, "with", copy_renamed(&f->c, with), f->at);
    to->part[1] = join_values(f->l, g, to->part[1], own);
    return true;
}

/* Joins a number to the last value. */
static bool form_of_join(struct forms *f, const struct pval *v, int join, struct form *to) {
    struct group *g = f->g;
    bool first = !is_free(f, v->args[0]);
    if (join < 0 || first == !is_free(f, v->args[1]) || v->args[0]->dtype != v->dtype ||
        !form_of(f, v->args[first ? 0 : 1], to) ||
        (g->join >= 0 && (g->join != join || g->compares != OP_COUNT)))
        return false;
    struct pval *with = copy_renamed(&f->c, v->args[first ? 1 : 0]);
    bool less = v->kind == PV_OP && v->op == OP_SUB;
    bool second = !first && is_float(v->dtype);
    if (g->join >= 0 && g->second != second)
        return false;
    g->join = join;
    g->second = second;
    to->part[1] = less     ? value_op(f->l, OP_SUB, v->dtype, to->part[1], with)
                  : second ? joined_by(f->l, join, with, to->part[1])
                           : joined_by(f->l, join, to->part[1], with);
    return first || !less;
}

static bool form_of_sum(struct forms *f, const struct pval *v, struct form *to) {
    struct form a, b;
    if (!form_of(f, v->args[0], &a) || !form_of(f, v->args[1], &b))
        return false;
    for (int i = 0; i < parts_of(f->g); i++) {
        struct pval *x = a.part[i], *y = b.part[i];
        to->part[i] = v->op == OP_ADD   ? sum(f->l, x, y)
                      : is_number(y, 0) ? x
                                        : value_op(f->l, OP_SUB, v->dtype, x, y);
    }
    return true;
}

/* A multiple of what one arg is. */
static bool form_of_product(struct forms *f, const struct pval *v, struct form *to) {
    bool shift = v->op == OP_SHL, first = !is_free(f, v->args[0]);
    const struct pval *by = v->args[first ? 1 : 0];
    if (!is_free(f, by) || (shift && (!first || by->kind != PV_CONST ||
                                      by->i >= (uint64_t)dtype_info[v->dtype].bits - 1)))
        return false;
    struct pval *times =
        shift ? form_number(f->l, v->dtype, INT64_C(1) << by->i) : copy_renamed(&f->c, by);
    if (!form_of(f, v->args[first ? 0 : 1], to))
        return false;
    for (int i = 0; i < parts_of(f->g); i++)
        to->part[i] = product(f->l, to->part[i], times);
    return true;
}

/* 0 - v, or ~v, which is that less 1. */
static bool form_of_negative(struct forms *f, const struct pval *v, struct form *to) {
    if (!form_of(f, v->args[0], to))
        return false;
    for (int i = 0; i < parts_of(f->g); i++)
        if (!is_number(to->part[i], 0))
            to->part[i] = value_op(f->l, OP_NEG, v->dtype, to->part[i], NULL);
    struct pval **last = &to->part[parts_of(f->g) - 1];
    if (v->op == OP_NOT)
        *last = value_op(f->l, OP_SUB, v->dtype, *last, value_one(f->l, v->dtype));
    return true;
}

/* A conversion that keeps sums and products: to as many bits, or fewer. */
static bool form_of_cast(struct forms *f, const struct pval *v, struct form *to) {
    enum ufc_dtype from = v->args[0]->dtype;
    if (!is_integer(from) || !is_integer(v->dtype) ||
        dtype_info[from].bits < dtype_info[v->dtype].bits || !form_of(f, v->args[0], to))
        return false;
    for (int i = 0; i < parts_of(f->g); i++)
        to->part[i] = value_cast(f->l, to->part[i], v->dtype);
    return true;
}

static bool form_of_affine(struct forms *f, const struct pval *v, struct form *to) {
    if (!is_integer(v->dtype))
        return false;
    if (v->kind == PV_CAST)
        return form_of_cast(f, v, to);
    if (v->kind != PV_OP)
        return false;
    switch (v->op) {
    case OP_ADD:
    case OP_SUB: return form_of_sum(f, v, to);
    case OP_MUL:
    case OP_SHL: return form_of_product(f, v, to);
    case OP_NEG:
    case OP_NOT: return form_of_negative(f, v, to);
    default: return false;
    }
}

static bool form_of_bits(struct forms *f, const struct pval *v, struct form *to) {
    if (v->kind != PV_OP || v->dtype != f->g->state[0]->dtype)
        return false;
    bool first = !is_free(f, v->args[0]);
    const struct pval *by = v->nargs == 2 ? v->args[first ? 1 : 0] : NULL;
    if (by != NULL && (!is_free(f, by) || (v->op == OP_SHL && !first)))
        return false;
    return form_of(f, v->args[first ? 0 : 1], to) &&
           bits_by(f->l, v, by != NULL ? copy_renamed(&f->c, by) : NULL, to);
}

/* What bounds are added to and kept within, by a number that depends on no state. */
static bool form_of_clamp(struct forms *f, const struct pval *v, struct form *to) {
    const struct pval *own = v->args[0];
    bool turned = v->nargs == 2 && is_free(f, own);
    own = turned ? v->args[1] : own;
    struct pval *by[2] = {NULL, NULL};
    if (!is_clamped(v, turned) || !form_of(f, own, to))
        return false;
    for (int i = 1; i < v->nargs; i++) {
        const struct pval *arg = v->args[turned ? 0 : i];
        if (!is_free(f, arg) || !may_clamp(arg->dtype))
            return false;
        by[i - 1] = value_cast(f->l, copy_renamed(&f->c, arg), DT_INT64);
    }
    clamp_by(f->l, f->g, v, by, to);
    return true;
}

/* The least or the greatest of two whole numbers, of a choice by which of them is greater; NULL: it
 * is another one. */
struct pval *extreme_of(struct lower *l, const struct pval *c, const struct pval *a,
                        const struct pval *b) {
    bool compares = c->kind == PV_OP && c->nargs == 2 && is_integer(a->dtype) && c->op >= OP_LT &&
                    c->op <= OP_GE && a->dtype == b->dtype;
    bool same = compares && same_value(c->args[0], a) && same_value(c->args[1], b);
    bool turned = compares && same_value(c->args[0], b) && same_value(c->args[1], a);
    bool greater = compares && (c->op == OP_GT || c->op == OP_GE);
    return same || turned ? value_call(l, greater == same ? B_MAX : B_MIN, a->dtype, 2,
                                       (struct pval *[]){(struct pval *)a, (struct pval *)b})
                          : NULL;
}

/* Sets the parts of a value.  False: the class does not have it. */
static bool form_of(struct forms *f, const struct pval *v, struct form *to) {
    if (is_free(f, v))
        return form_of_free(f, v, to);
    if (v->kind == PV_VAR)
        return form_of_variable(f, v->var, to);
    if (v->kind == PV_SELECT) {
        const struct pval *extreme = extreme_of(f->l, v->args[0], v->args[1], v->args[2]);
        if (extreme != NULL)
            return form_of(f, extreme, to);
        return is_free(f, v->args[0]) ? form_of_choice(f, v, to) : form_of_compared(f, v, to);
    }
    switch (f->g->kind) {
    case FORM_CHOICE: return v->nargs == 2 && form_of_join(f, v, join_of_value(v), to);
    case FORM_AFFINE: return form_of_affine(f, v, to);
    case FORM_BITS: return form_of_bits(f, v, to);
    default: return form_of_clamp(f, v, to);
    }
}

/* ---- statements */

/* The variable's own part, which it has from the first time on that it is set. */
static struct pvar *part_of(struct forms *f, const struct pvar *var, int i, enum ufc_dtype d) {
    struct pvar **part = &f->part[var->id][i];
    if (*part == NULL)
        *part = &variable_new(f->l, var->name, d)->pvar;
    return *part;
}

static bool set_form(struct forms *f, const struct pvar *var, const struct pval *v) {
    struct form form;
    int own = state_of(f->g, var), changed = 0;
    if (!form_of(f, v, &form))
        return false;
    for (int i = 0; i < parts_of(f->g); i++) {
        struct pval **part = &form.part[i];
        *part = value_cast(f->l, *part, kept_dtype((*part)->dtype));
        if (is_missing(f->g, i))
            continue;
        const struct pvar *to = part_of(f, var, i, (*part)->dtype);
        if ((*part)->kind == PV_CAST && (*part)->args[0]->kind == PV_OP &&
            (*part)->args[0]->op == OP_NE && (*part)->args[0]->args[0]->kind == PV_VAR &&
            (*part)->args[0]->args[0]->var == to)
            *part = (*part)->args[0]->args[0];
        changed += !((*part)->kind == PV_VAR && (*part)->var == to);
    }
    for (int i = 0; i < parts_of(f->g) && changed > 1; i++)
        if (!is_missing(f->g, i) && (!value_is_atom(form.part[i]) || form.part[i]->kind == PV_VAR))
            form.part[i] = emit_temporary(f->l, "part", form.part[i], f->at);
    for (int i = 0; i < parts_of(f->g); i++) {
        struct pvar *to = f->part[var->id][i];
        if (is_missing(f->g, i))
            continue;
        if (changed <= 1 && form.part[i]->kind == PV_VAR && form.part[i]->var == to)
            continue;
        set(f->l, to, form.part[i], f->at);
        if (own >= 0)
            f->g->moves[own][i] = true;
    }
    return true;
}

/* The value that a conditional gives a variable by choosing a greater one, or a less; NULL: it does
 * something else. */
struct pval *chosen_extreme(struct lower *l, const struct pstmt *s) {
    const struct pstmt *in = s->body;
    if (s->other != NULL || in->kind != PS_SET || in->next != NULL)
        return NULL;
    return extreme_of(l, s->value, in->value, read(l, in->var));
}

static bool form_list(struct forms *f, const struct pstmt *s);

static bool form_if(struct forms *f, const struct pstmt *s) {
    struct pval *extreme = is_free(f, s->value) ? NULL : chosen_extreme(f->l, s);
    if (extreme != NULL)
        return set_form(f, s->body->var, extreme);
    if (!is_free(f, s->value)) {
        const struct pstmt *in = s->body;
        bool one = s->other == NULL && in != NULL && in->kind == PS_SET && in->next == NULL;
        return one &&
               set_form(f, in->var, select_value(f->l, s->value, in->value, read(f->l, in->var)));
    }
    struct pstmt *own = stmt_emit(f->l, PS_IF, s->at), **end = f->l->end;
    own->value = copy_renamed(&f->c, s->value);
    f->l->end = &own->body;
    bool is = form_list(f, s->body);
    f->l->end = &own->other;
    is = is && form_list(f, s->other);
    f->l->end = end;
    return is;
}

static bool form_list(struct forms *f, const struct pstmt *s) {
    for (; s != NULL; s = s->next) {
        f->at = s->at;
        if (s->kind == PS_IF ? !form_if(f, s)
                             : f->depends[s->var->id] && !set_form(f, s->var, s->value))
            return false;
        if (s->kind == PS_SET && !f->depends[s->var->id]) {
            *f->l->end = copy_stmt(&f->c, s);
            f->l->end = &(*f->l->end)->next;
        }
    }
    return true;
}

/* ---- classes */

int form_accs(const struct group *g) {
    int n = 0;
    for (int i = 0; i < g->n; i++)
        for (int k = 0; k < MAX_FORM_PARTS; k++)
            n += g->moves[i][k];
    return n;
}

/* What leaves all states as they are. */
static struct pval *neutral_part(struct lower *l, const struct group *g, int state, int part) {
    enum ufc_dtype d = g->state[state]->dtype;
    if (g->kind == FORM_TABLE)
        return table_neutral(l, g);
    if (g->kind == FORM_CLAMP)
        return clamp_neutral(l, part);
    if (g->kind == FORM_BITS)
        return bits_neutral(l, d, part);
    if (g->kind == FORM_AFFINE)
        return part == state ? value_one(l, d) : value_zero(l, d);
    if (part == 0)
        return form_number(l, DT_INT32, 0);
    return value_cast(l, g->join < 0 ? value_zero(l, d) : neutral_of(l, g->join, d), kept_dtype(d));
}

static int parts_of_state(const struct group *g, int state) {
    return g->kind != FORM_TABLE ? parts_of(g) : state == 0;
}

static void make_accs(struct lower *l, struct group *g) {
    for (int i = 0; i < g->n; i++)
        for (int k = 0; k < parts_of_state(g, i); k++) {
            enum ufc_dtype d = neutral_part(l, g, i, k)->dtype;
            g->acc[i][k] = &variable_new(l, g->state[i]->name, d)->pvar;
            g->other[i][k] = &variable_new(l, "other", d)->pvar;
            g->moves[i][k] = false;
        }
}

bool step_form(struct lower *l, struct group *g, const struct copy *c, const struct pstmt *slice) {
    if (g->kind == FORM_TABLE) {
        step_table(l, g, c, slice);
        return true;
    }
    if (g->kind == FORM_FIRST)
        return step_first(l, g, c, slice);
    struct forms f = forms_of(l, g, c, slice);
    return form_list(&f, slice);
}

/* Are all states of types that the class may have? */
static bool may_be(const struct group *g) {
    for (int i = 0; i < g->n; i++) {
        enum ufc_dtype d = g->state[i]->dtype;
        if (g->state[i]->rounds != d && is_half(g->state[i]->rounds))
            return false;
        if (g->kind == FORM_AFFINE && (!is_integer(d) || d != g->state[0]->dtype))
            return false;
        if (g->kind == FORM_CLAMP && (g->n > 1 || !may_clamp(d)))
            return false;
        if ((g->kind == FORM_FIRST || g->kind == FORM_BITS) && (g->n > 1 || !is_integer(d)))
            return false;
        if (g->kind == FORM_CHOICE && (g->n > 1 || is_half(d) || is_complex(d)))
            return false;
    }
    return g->kind != FORM_AFFINE || g->n <= MAX_FORM_PARTS - 1;
}

/* Tries a class, for which what is emitted is left out again. */
static bool try_form(struct lower *l, struct group *g, const struct pstmt *slice,
                     const struct pstmt *loop) {
    struct pstmt *list = NULL, **end = l->end;
    struct pvar **vars_end = variables_end(l);
    int nvars = l->plan->nvars;
    struct copy c = {.l = l, .vars = NEWN(l->uc, struct pvar *, nvars + 1)};
    g->join = -1;
    g->compares = OP_COUNT;
    g->bounded[0] = g->bounded[1] = false;
    g->sums = 0;
    if (!may_be(g) || (g->kind == FORM_TABLE && !find_values(l, g, slice, loop)))
        return false;
    l->end = &list;
    make_accs(l, g);
    bool is = step_form(l, g, &c, slice) && (g->kind != FORM_FIRST || may_be_unguarded(l, g, loop));
    l->end = end;
    l->vars_end = vars_end;
    *vars_end = NULL;
    l->plan->nvars = nvars;
    return is;
}

bool find_form(struct lower *l, struct group *g, const struct pstmt *slice,
               const struct pstmt *loop) {
    for (g->kind = FORM_CHOICE; g->kind < FORM_CLASSES; g->kind++) {
        g->bounds[0] = g->bounds[1] = true;
        if (!try_form(l, g, slice, loop))
            continue;
        for (int i = 0; i < 2; i++)
            g->bounds[i] = g->bounded[i];
        return g->kind != FORM_CLAMP || try_form(l, g, slice, loop);
    }
    return false;
}

void begin_form(struct lower *l, struct group *g, struct span at) {
    make_accs(l, g);
    for (int i = 0; i < g->n; i++)
        for (int k = 0; k < parts_of_state(g, i); k++)
            set(l, g->acc[i][k], neutral_part(l, g, i, k), at);
}

struct pacc **list_form(struct lower *l, const struct group *g, struct pacc **end) {
    for (int i = 0; i < g->n; i++)
        for (int k = 0; k < parts_of_state(g, i); k++)
            if (g->moves[i][k]) {
                *end = NEW(l->uc, struct pacc);
                **end = (struct pacc){.acc = g->acc[i][k], .other = g->other[i][k]};
                end = &(*end)->next;
            }
    return end;
}

/* A part of earlier iterations, or of later ones. */
static struct pval *part_in(struct lower *l, const struct group *g, int state, int part,
                            bool later) {
    if (!g->moves[state][part])
        return neutral_part(l, g, state, part);
    return read(l, (later ? g->other : g->acc)[state][part]);
}

/* As a value of the state's type. */
static struct pval *value_part(struct lower *l, const struct group *g, bool later) {
    struct pval *v = part_in(l, g, 0, 1, later);
    return g->state[0]->dtype == DT_BOOL ? is_set(l, v) : v;
}

/* The value of a choice, where nothing chose one joined to what is before. */
static struct pval *choice(struct lower *l, const struct group *g, struct pval *before,
                           bool later) {
    struct pval *v = value_part(l, g, later);
    struct pval *joined = join_values(l, g, before, v);
    return g->moves[0][0] ? select_value(l, is_set(l, part_in(l, g, 0, 0, later)), v, joined)
                          : joined;
}

static void join_choice(struct lower *l, const struct group *g, struct span at) {
    if (g->moves[0][1]) {
        struct pval *v = choice(l, g, value_part(l, g, false), true);
        set(l, g->acc[0][1], value_cast(l, v, g->acc[0][1]->dtype), at);
    }
    if (g->moves[0][0])
        set(l, g->acc[0][0],
            value_op(l, OP_OR, DT_INT32, part_in(l, g, 0, 0, false), part_in(l, g, 0, 0, true)),
            at);
}

static void join_affine(struct lower *l, const struct group *g, struct span at) {
    struct pval *v[MAX_TOGETHER][MAX_FORM_PARTS];
    for (int i = 0; i < g->n; i++)
        for (int k = 0; k <= g->n; k++) {
            if (!g->moves[i][k])
                continue;
            struct pval *own =
                k == g->n ? part_in(l, g, i, k, true) : value_zero(l, g->state[i]->dtype);
            for (int m = 0; m < g->n; m++)
                own =
                    sum(l, own, product(l, part_in(l, g, i, m, true), part_in(l, g, m, k, false)));
            v[i][k] = emit_temporary(l, "joined", own, at);
        }
    for (int i = 0; i < g->n; i++)
        for (int k = 0; k <= g->n; k++)
            if (g->moves[i][k])
                set(l, g->acc[i][k], v[i][k], at);
}

/* The parts of a form of bits. */
static void list_bits(struct lower *l, const struct group *g, bool later, struct pval **part) {
    for (int i = 0; i < 3; i++)
        part[i] = part_in(l, g, 0, i, later);
}

static void join_group_of_bits(struct lower *l, const struct group *g, struct span at) {
    struct pval *earlier[3], *later[3];
    struct form joined;
    list_bits(l, g, false, earlier);
    list_bits(l, g, true, later);
    join_bits(l, earlier, later, &joined);
    for (int i = 0; i < 3; i++)
        if (g->moves[0][i])
            set(l, g->acc[0][i], joined.part[i], at);
}

void join_form(struct lower *l, const struct group *g, struct span at) {
    switch (g->kind) {
    case FORM_CHOICE: join_choice(l, g, at); break;
    case FORM_AFFINE: join_affine(l, g, at); break;
    case FORM_CLAMP: join_clamp(l, g, at); break;
    case FORM_FIRST: join_first(l, g, at); break;
    case FORM_BITS: join_group_of_bits(l, g, at); break;
    default: join_table(l, g, at);
    }
}

struct pval *form_value(struct lower *l, const struct group *g, int state) {
    if (g->kind == FORM_TABLE)
        return table_value(l, g, state);
    if (g->kind == FORM_CLAMP)
        return clamp_value(l, g);
    if (g->kind == FORM_FIRST)
        return first_value_of(l, g);
    if (g->kind == FORM_BITS) {
        struct pval *part[3];
        list_bits(l, g, false, part);
        return bits_value(l, part, read(l, g->state[0]));
    }
    if (g->kind == FORM_CHOICE)
        return choice(l, g, read(l, g->state[0]), false);
    struct pval *v = part_in(l, g, state, g->n, false);
    for (int m = 0; m < g->n; m++)
        v = sum(l, product(l, part_in(l, g, state, m, false), read(l, g->state[m])), v);
    return v;
}
