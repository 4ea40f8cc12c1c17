/* expr.c: typed expressions → values of the plan.
 *
 * An operand that a conditional, `and` or `or` may skip is computed in any case where it is cheap,
 * as a choice between values costs less than a branch; else it is set under a PS_IF. */
#include <math.h>

#include "half.h"
#include "plan.h"

/* ---- values */

struct pval *value_new(struct lower *l, enum pval_kind kind, enum ufc_dtype dtype) {
    struct pval *v = NEW(l->uc, struct pval);
    v->kind = kind;
    v->dtype = dtype;
    return v;
}

static struct pval *value_of(struct lower *l, enum pval_kind kind, enum ufc_dtype dtype, int nargs,
                             struct pval *const *args) {
    struct pval *v = value_new(l, kind, dtype);
    v->nargs = nargs;
    for (int i = 0; i < nargs; i++)
        v->args[i] = args[i];
    return v;
}

struct pval *value_op(struct lower *l, enum op op, enum ufc_dtype dtype, struct pval *a,
                      struct pval *b) {
    struct pval *v = value_of(l, PV_OP, dtype, b != NULL ? 2 : 1, (struct pval *[]){a, b});
    v->op = op;
    return v;
}

struct pval *value_zero(struct lower *l, enum ufc_dtype dtype) {
    return value_new(l, PV_CONST, dtype);
}

struct pval *value_one(struct lower *l, enum ufc_dtype dtype) {
    struct pval *v = value_new(l, PV_CONST, dtype);
    v->i = 1;
    v->f = 1;
    return v;
}

struct pval *value_call(struct lower *l, enum builtin_id id, enum ufc_dtype dtype, int nargs,
                        struct pval *const *args) {
    struct pval *v = value_of(l, PV_CALL, dtype, nargs, args);
    v->builtin = &builtins[id];
    return v;
}

struct pval *value_fma(struct lower *l, struct pval *a, struct pval *b, struct pval *c) {
    return value_of(l, PV_FMA, c->dtype, 3, (struct pval *[]){a, b, c});
}

struct pval *value_not(struct lower *l, struct pval *v) {
    if (v->kind == PV_OP && v->op == OP_LNOT)
        return v->args[0];
    return value_op(l, OP_LNOT, DT_BOOL, v, NULL);
}

static struct pval *value_negative(struct lower *l, struct pval *v) {
    if (v->kind != PV_CONST || !is_float(v->dtype))
        return value_op(l, OP_NEG, v->dtype, v, NULL);
    struct pval *negative = value_zero(l, v->dtype);
    negative->f = -v->f;
    return negative;
}

bool value_is_atom(const struct pval *v) {
    return v->kind == PV_CONST || v->kind == PV_LOAD || v->kind == PV_DIM || v->kind == PV_VAR;
}

bool value_is_mutable(const struct pval *v) {
    return !value_is_atom(v) ||
           (v->kind == PV_VAR && ((const struct variable *)(const void *)v->var)->mutable);
}

static enum walk count_off(const struct pval *v, void *left) {
    (void)v;
    return --*(int *)left < 0 ? WALK_STOP : WALK_IN;
}

bool value_exceeds(const struct pval *v, int n) {
    return !value_walk(v, count_off, &n);
}

/* ---- constants and conversions */

static bool has_float(const struct constant *c) {
    return c->type.kind == TYPE_WEAK_FLOAT || c->type.kind == TYPE_WEAK_COMPLEX ||
           (c->type.kind == TYPE_DTYPE && (is_float(c->type.dtype) || is_complex(c->type.dtype)));
}

/* The constant c converted; NULL where the conversion is left to run time, since it rounds toward
 * zero, saturates, or rounds to a half type. */
static struct pval *value_constant(struct lower *l, const struct constant *c, enum ufc_dtype to) {
    struct pval *v = value_zero(l, to);
    bool real = has_float(c);
    if (to == DT_BOOL)
        v->i = real ? c->f != 0 || c->im != 0 : c->i != 0;
    else if (is_half(to)) {
        if (c->type.kind != TYPE_DTYPE || c->type.dtype != to)
            return NULL;
        v->f = c->f;
    } else if (is_complex(to)) {
        v->f = round_to(real ? c->f : (double)c->i, part_dtype(to));
        v->im = round_to(c->im, part_dtype(to));
    } else if (to == DT_FLOAT64)
        v->f = real ? c->f : (double)c->i;
    else if (to == DT_FLOAT32)
        v->f = real ? (float)c->f : (float)c->i;
    else if (!real)
        v->i = (uint64_t)wrap(c->i, to);
    else if (c->f == trunc(c->f) && fabs(c->f) < 0x1p64 && fits((wide_int)c->f, to))
        v->i = (uint64_t)wrap((wide_int)c->f, to);
    else
        return NULL;
    return v;
}

struct pval *value_cast(struct lower *l, struct pval *v, enum ufc_dtype to) {
    if (v->dtype == to)
        return v;
    if (v->kind == PV_CONST) {
        struct constant c = {.type = dtype_type(v->dtype), .f = v->f, .im = v->im};
        c.i = v->dtype == DT_UINT64 ? (wide_int)v->i : (wide_int)(int64_t)v->i;
        struct pval *folded = value_constant(l, &c, to);
        if (folded != NULL)
            return folded;
    }
    return value_of(l, PV_CAST, to, 1, &v);
}

static struct pval *lower_cast(struct lower *l, const struct node *n) {
    enum ufc_dtype to = strong_dtype(n->type);
    struct pval *folded = NULL;
    if (n->a->kind == N_CONST) /* it need not fit its own type */
        folded = value_constant(l, &n->a->value, to);
    return folded != NULL ? folded : value_cast(l, lower_value(l, n->a), to);
}

/* ---- variables */

struct pvar **variables_end(struct lower *l) {
    while (*l->vars_end != NULL)
        l->vars_end = &(*l->vars_end)->next;
    return l->vars_end;
}

struct variable *variable_new(struct lower *l, const char *name, enum ufc_dtype dtype) {
    struct variable *v = NEW(l->uc, struct variable);
    if (name == NULL || *name == '\0')
        name = "t";
    v->pvar = (struct pvar){.id = l->plan->nvars++, .dtype = dtype, .name = name};
    v->value = (struct pval){.kind = PV_VAR, .dtype = dtype, .var = &v->pvar};
    *variables_end(l) = &v->pvar;
    l->vars_end = &v->pvar.next;
    return v;
}

void emit_set(struct lower *l, struct variable *to, struct pval *v, struct span at) {
    struct pstmt *s = stmt_emit(l, PS_SET, at);
    s->var = &to->pvar;
    s->value = v;
}

struct pval *emit_temporary(struct lower *l, const char *name, struct pval *v, struct span at) {
    struct variable *to = variable_new(l, name, v->dtype);
    emit_set(l, to, v, at);
    return &to->value;
}

/* ---- lazy evaluation */

/* An expression that may be skipped, and the statements that its value needs. */
struct lazy {
    struct pstmt *list, **end; /* those statements */
    struct pval *value;
};

static void lower_lazy(struct lower *l, const struct node *n, struct lazy *side) {
    struct pstmt **end = l->end;
    side->list = NULL;
    l->end = &side->list;
    side->value = lower_value(l, n);
    side->end = l->end;
    l->end = end;
}

/* What integers take by a constant: a power of two, or another one, by a product. */
static int division_cost(uint64_t by) {
    return (by & (by - 1)) == 0 ? 1 : CHEAP_VALUE / 2;
}

static int op_cost(const struct pval *v) {
    bool divides = v->op == OP_FLOORDIV || v->op == OP_MOD, wide = divides || v->op == OP_POW;
    const struct pval *by = v->args[1];
    if (divides && by->kind == PV_CONST && is_integer(by->dtype) && (int64_t)by->i > 0)
        return division_cost(by->i);
    return wide ? CHEAP_VALUE + 1 : v->op == OP_DIV ? CHEAP_VALUE / 2 : 1;
}

static int call_cost(const struct builtin *f) {
    bool loops = f->impl == IMPL_LIB || f->id == B_GCD || f->id == B_LCM;
    return loops ? CHEAP_VALUE + 1 : CHEAP_VALUE / 2;
}

static enum walk spend(const struct pval *v, void *budget) {
    *(int *)budget -= v->kind == PV_OP     ? op_cost(v)
                      : v->kind == PV_CALL ? call_cost(v->builtin)
                      : v->kind == PV_ELEM || v->checked != 0
                          ? CHEAP_VALUE + 1 /* it may be out of range */
                          : !value_is_atom(v);
    return *(int *)budget < 0 ? WALK_STOP : WALK_IN;
}

static bool is_cheap(const struct lazy *side) {
    int budget = CHEAP_VALUE;
    for (const struct pstmt *s = side->list; s != NULL; s = s->next)
        if (s->kind != PS_SET || !value_walk(s->value, spend, &budget))
            return false;
    return value_walk(side->value, spend, &budget);
}

static void emit_needs(struct lower *l, const struct lazy *side) {
    if (side->list == NULL)
        return;
    *l->end = side->list;
    l->end = side->end;
}

/* Appends to *list the statement to = side, with what side needs. */
static void set_lazy(struct lower *l, struct pstmt **list, const struct lazy *side,
                     struct variable *to, struct span at) {
    struct pstmt **end = l->end;
    l->end = list;
    emit_needs(l, side);
    emit_set(l, to, side->value, at);
    l->end = end;
}

static struct pval *lower_cond(struct lower *l, const struct node *n) {
    struct pval *c = lower_value(l, n->c);
    struct lazy a, b;
    lower_lazy(l, n->a, &a);
    lower_lazy(l, n->b, &b);
    if (is_cheap(&a) && is_cheap(&b)) {
        emit_needs(l, &a);
        emit_needs(l, &b);
        return value_of(l, PV_SELECT, a.value->dtype, 3, (struct pval *[]){c, a.value, b.value});
    }
    struct variable *v = variable_new(l, "choice", a.value->dtype);
    struct pstmt *s = stmt_emit(l, PS_IF, n->at);
    s->value = c;
    set_lazy(l, &s->body, &a, v, n->a->at);
    set_lazy(l, &s->other, &b, v, n->b->at);
    return &v->value;
}

static struct pval *lower_logic(struct lower *l, const struct node *n) {
    struct pval *a = lower_value(l, n->a);
    struct lazy b;
    lower_lazy(l, n->b, &b);
    if (is_cheap(&b)) {
        emit_needs(l, &b);
        return value_op(l, n->op, DT_BOOL, a, b.value);
    }
    struct variable *v = variable_new(l, n->op == OP_LAND ? "both" : "either", DT_BOOL);
    emit_set(l, v, a, n->a->at);
    struct pstmt *s = stmt_emit(l, PS_IF, n->at);
    s->value = n->op == OP_LAND ? &v->value : value_not(l, &v->value);
    set_lazy(l, &s->body, &b, v, n->b->at);
    return &v->value;
}

/* ---- operations */

static bool is_product(const struct node *n) {
    return n->kind == N_BINARY && n->op == OP_MUL;
}

/* --fp-contract=on: of the products that are directly an operand of a floating-point sum or
 * difference, the last one fuses with it.  Signs move to a factor or to the addend, which is
 * exact. */
static bool contracts(struct lower *l, const struct node *n) {
    return l->uc->options->fp_contract && (n->op == OP_ADD || n->op == OP_SUB) &&
           is_float(strong_dtype(n->type)) && (is_product(n->a) || is_product(n->b));
}

static struct pval *lower_fused(struct lower *l, const struct node *n) {
    bool second = is_product(n->b);
    const struct node *product = second ? n->b : n->a, *addend = second ? n->a : n->b;
    struct pval *args[] = {lower_value(l, product->a), lower_value(l, product->b),
                           lower_value(l, addend)};
    int negative = second ? 0 : 2;
    if (n->op == OP_SUB)
        args[negative] = value_negative(l, args[negative]);
    return value_of(l, PV_FMA, strong_dtype(n->type), 3, args);
}

static struct pval *lower_operation(struct lower *l, const struct node *n) {
    if (n->op == OP_LAND || n->op == OP_LOR)
        return lower_logic(l, n);
    if (n->kind == N_BINARY && contracts(l, n))
        return lower_fused(l, n);
    struct pval *a = lower_value(l, n->a), *b = NULL;
    if (n->op == OP_POS)
        return a;
    if (n->kind == N_BINARY)
        b = lower_value(l, n->b);
    return value_op(l, n->op, strong_dtype(n->type), a, b);
}

static struct pval *lower_call(struct lower *l, const struct node *n) {
    struct pval *args[3] = {NULL, NULL, NULL}, *v;
    if (n->inst != NULL) {
        lower_inline(l, n, args);
        return args[0];
    }
    const struct node *arg = n->list;
    for (int i = 0; i < n->builtin->nargs; i++, arg = arg->next)
        args[i] = lower_value(l, arg);
    v = value_of(l, PV_CALL, strong_dtype(n->type), n->builtin->nargs, args);
    v->builtin = n->builtin;
    v->result = n->result;
    return v;
}

/* Values that passes may change each for itself. */
static struct pval *value_copy(struct lower *l, const struct pval *v) {
    struct pval *copy = NEW(l->uc, struct pval);
    *copy = *v;
    for (int i = 0; i < v->nargs; i++)
        copy->args[i] = value_copy(l, v->args[i]);
    return copy;
}

static struct pval *lower_local(struct lower *l, const struct node *n) {
    const struct local *local = n->local;
    if (local->folded)
        return value_constant(l, &local->value, strong_dtype(n->type));
    if (local->dim != NULL) {
        struct pval *size = value_new(l, PV_DIM, DT_INT64);
        size->operand = local->dim->index;
        return size;
    }
    struct pval *value = &((struct variable *)(void *)local->var)->value;
    return value->kind == PV_OP ? value_copy(l, value) : value;
}

/* The table of n's type: of weak numbers that of the type in which they are computed. */
static const struct array *table_of(const struct node *n) {
    return n->type.kind == TYPE_DTYPE ? n->array : n->array->as;
}

static struct pval *lower_table_part(struct lower *l, const struct node *n, int part,
                                     struct pval *const *args) {
    const struct array *table = table_of(n);
    enum ufc_dtype d = is_half(table->dtype) ? DT_FLOAT32 : part_dtype(table->dtype);
    struct pval *v = value_of(l, PV_TABLE, d, table->rank, args);
    v->table = table;
    v->result = part;
    if (l->uc->options->check && part == 0)
        mark_subscripts(l, v, n);
    return v;
}

/* An element of a table.  Half types and complex numbers are made of what is computed in. */
static struct pval *lower_table(struct lower *l, const struct node *n) {
    struct pval *args[MAX_CORE_RANK], **arg = args;
    enum ufc_dtype d = strong_dtype(n->type);
    for (const struct node *s = n->list; s != NULL; s = s->next)
        *arg++ = lower_value(l, s);
    struct pval *v = lower_table_part(l, n, 0, args);
    if (!is_complex(d))
        return value_cast(l, v, d);
    struct pval *parts[] = {v, lower_table_part(l, n, 1, args)};
    return value_call(l, B_COMPLEX, d, 2, parts);
}

struct pval *lower_value(struct lower *l, const struct node *n) {
    switch (n->kind) {
    case N_CONST: return value_constant(l, &n->value, strong_dtype(n->type));
    case N_LOCAL: return lower_local(l, n);
    case N_COND: return lower_cond(l, n);
    case N_CAST: return lower_cast(l, n);
    case N_CALL: return lower_call(l, n);
    case N_INDEX: return (n->array->kind == ARRAY_TABLE ? lower_table : lower_place)(l, n);
    case N_REDUCE: return lower_reduce(l, n);
    default: return lower_operation(l, n);
    }
}
