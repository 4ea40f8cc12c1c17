/* verify.c: the rules of the plan IR, checked once a plan is complete. */
#include "uc.h"

#define NOWHERE UINT32_MAX /* in code that is not reached, all outputs count as stored */

struct verify {
    struct uc *uc;
    const struct plan *plan;
    const struct pvar **vars; /* by id */
    const char *broken;       /* the first rule broken */
};

/* A PS_BLOCK, PS_LOOP or PS_FOR that encloses the statement. */
struct scope {
    struct scope *outer;
    const struct pstmt *stmt;
    bool left;       /* by a PS_LEAVE inside */
    uint32_t stored; /* outputs, a bit each, stored on all paths from a PS_LEAVE to its end */
};

static void rule(struct verify *v, bool holds, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void rule(struct verify *v, bool holds, const char *format, ...) {
    va_list args;
    if (holds || v->broken != NULL)
        return;
    va_start(args, format);
    v->broken = arena_vprintf(v->uc, format, args);
    va_end(args);
}

static const char *type_text(enum ufc_dtype d) {
    return d < DT_COUNT ? dtype_info[d].name : "no type";
}

static void rule_type(struct verify *v, const char *what, enum ufc_dtype is,
                      enum ufc_dtype wanted) {
    rule(v, is == wanted, "%s is %s, not %s", what, type_text(is), type_text(wanted));
}

/* ---- values */

static void check_var(struct verify *v, const struct pvar *var) {
    bool known = var != NULL && var->id >= 0 && var->id < v->plan->nvars && v->vars[var->id] == var;
    rule(v, known, "a variable is not the plan's");
}

static void check_load(struct verify *v, const struct pval *x) {
    bool known = x->operand >= 0 && x->operand < v->plan->nin;
    rule(v, known, "operand %d, which is loaded, is no input", x->operand);
    if (known)
        rule_type(v, "a load", x->dtype, v->plan->operands[x->operand].dtype);
}

static void check_element(struct verify *v, const struct pval *x) {
    const struct plan *p = v->plan;
    bool known = x->operand >= 0 && x->operand < p->noperands + p->nlocals;
    rule(v, known, "operand %d, which is subscripted, is none", x->operand);
    if (!known)
        return;
    rule(v, x->nargs == p->operands[x->operand].rank, "%d subscripts", x->nargs);
    rule_type(v, "an element", x->dtype, p->operands[x->operand].dtype);
    for (int i = 0; i < x->nargs; i++)
        rule_type(v, "a subscript", x->args[i]->dtype, DT_INT64);
}

static void check_op(struct verify *v, const struct pval *x) {
    rule(v, x->op < OP_COUNT && x->nargs == op_info[x->op].arity, "an operator has %d operands",
         x->nargs);
    if (v->broken != NULL)
        return;
    const char *text = op_info[x->op].spelling;
    int kind = op_info[x->op].kind;
    enum ufc_dtype d = x->args[0]->dtype;
    if (x->nargs == 2)
        rule_type(v, text, x->args[1]->dtype, d);
    rule_type(v, text, x->dtype, kind == OPS_COMPARE ? DT_BOOL : d);
    if (kind == OPS_LOGIC)
        rule_type(v, text, d, DT_BOOL);
    rule(v, kind != OPS_BITS || !is_float(d), "%s on %s", text, type_text(d));
    rule(v, kind != OPS_SHIFT || is_integer(d), "%s on %s", text, type_text(d));
    rule(v, x->op != OP_DIV || is_float(d), "%s on %s", text, type_text(d));
}

/* The type of argument i of x's function, which computes in type d. */
static enum ufc_dtype argument_type(const struct pval *x, enum ufc_dtype d, int i) {
    enum builtin_rule r = x->builtin->rule;
    bool whole = (r == RULE_FLOAT_INT && i == 1) || (r == RULE_INT_FLOAT && i == 0);
    return whole ? DT_INT32 : d;
}

static enum ufc_dtype result_type(const struct pval *x, enum ufc_dtype d) {
    enum builtin_rule r = x->builtin->rule;
    bool exponent = r == RULE_EXPONENT && x->result == x->builtin->nresults - 1;
    if (r == RULE_BITS)
        return is_float(d) ? (dtype_info[d].bits == 32 ? DT_UINT32 : DT_UINT64)
                           : (dtype_info[d].bits == 32 ? DT_FLOAT32 : DT_FLOAT64);
    return r == RULE_PREDICATE ? DT_BOOL : exponent ? DT_INT32 : d;
}

static void check_call(struct verify *v, const struct pval *x) {
    const struct builtin *f = x->builtin;
    rule(v, f != NULL, "a call of nothing");
    rule(v, f == NULL || x->nargs == f->nargs, "a call has %d arguments", x->nargs);
    if (v->broken != NULL)
        return;
    rule(v, x->result >= 0 && x->result < f->nresults, "%s has no result %d", f->name, x->result);
    enum ufc_dtype d = x->args[f->rule == RULE_INT_FLOAT]->dtype;
    rule(v,
         f->rule == RULE_SAME || f->rule == RULE_BITS ||
             (f->rule == RULE_INTEGER ? is_integer(d) : is_float(d)),
         "%s of %s", f->name, type_text(d));
    for (int i = 0; i < x->nargs; i++)
        rule_type(v, f->name, x->args[i]->dtype, argument_type(x, d, i));
    rule_type(v, f->name, x->dtype, result_type(x, d));
}

static void check_value(struct verify *v, const struct pval *x);

static void check_args(struct verify *v, const struct pval *x, int nargs) {
    rule(v, nargs < 0 || x->nargs == nargs, "a value has %d operands, not %d", x->nargs, nargs);
    int most = x->kind == PV_ELEM || x->kind == PV_TABLE ? MAX_CORE_RANK : 3;
    rule(v, x->nargs >= 0 && x->nargs <= most, "a value has %d operands", x->nargs);
    for (int i = 0; i < x->nargs && v->broken == NULL; i++)
        check_value(v, x->args[i]);
}

/* Values of half and complex types may be loaded, stored, converted and split into parts, but not
 * computed with. */
static void check_computed(struct verify *v, const struct pval *x) {
    bool moved =
        x->kind == PV_LOAD || x->kind == PV_ELEM || x->kind == PV_CAST || x->kind == PV_PACK;
    rule(v, moved || (!is_half(x->dtype) && !is_complex(x->dtype)), "a value is of %s",
         type_text(x->dtype));
}

static void check_part(struct verify *v, const struct pval *x) {
    const struct pval *a = x->args[0];
    rule(v, (a->kind == PV_LOAD || a->kind == PV_ELEM) && is_complex(a->dtype),
         "a part of what is not complex");
    rule_type(v, "a part", x->dtype, part_dtype(a->dtype));
}

static void check_pack(struct verify *v, const struct pval *x) {
    rule(v, is_complex(x->dtype), "a pair is %s", type_text(x->dtype));
    for (int i = 0; i < 2; i++)
        rule_type(v, "a part", x->args[i]->dtype, part_dtype(x->dtype));
}

static void check_kind(struct verify *v, const struct pval *x) {
    check_computed(v, x);
    switch (x->kind) {
    case PV_CONST: break;
    case PV_VAR:
        check_var(v, x->var);
        if (v->broken == NULL)
            rule_type(v, x->var->name, x->dtype, x->var->dtype);
        break;
    case PV_LOAD: check_load(v, x); break;
    case PV_ELEM: check_element(v, x); break;
    case PV_TABLE:
        rule(v, x->table->rank == x->nargs, "a table's element has %d subscripts", x->nargs);
        for (int i = 0; i < x->nargs; i++)
            rule_type(v, "a subscript", x->args[i]->dtype, DT_INT64);
        break;
    case PV_DIM: rule(v, x->dtype == DT_INT64, "a dimension is %s", type_text(x->dtype)); break;
    case PV_OP: check_op(v, x); break;
    case PV_CAST:
        rule(v, x->args[0]->dtype != x->dtype, "a cast from %s to itself", type_text(x->dtype));
        break;
    case PV_CALL: check_call(v, x); break;
    case PV_SELECT:
        rule_type(v, "a choice's condition", x->args[0]->dtype, DT_BOOL);
        rule_type(v, "a choice", x->args[1]->dtype, x->dtype);
        rule_type(v, "a choice", x->args[2]->dtype, x->dtype);
        break;
    case PV_PART: check_part(v, x); break;
    case PV_PACK: check_pack(v, x); break;
    case PV_FMA:
        rule(v, is_float(x->dtype), "fma of %s", type_text(x->dtype));
        for (int i = 0; i < x->nargs; i++)
            rule_type(v, "fma", x->args[i]->dtype, x->dtype);
        break;
    }
}

static void check_value(struct verify *v, const struct pval *x) {
    static const signed char nargs[] = {
        [PV_OP] = -1,    [PV_ELEM] = -1, [PV_TABLE] = -1, [PV_CAST] = 1, [PV_CALL] = -1,
        [PV_SELECT] = 3, [PV_FMA] = 3,   [PV_PART] = 1,   [PV_PACK] = 2};
    rule(v, x != NULL, "a value is missing");
    rule(v, x == NULL || x->dtype < DT_COUNT, "a value has no type");
    if (v->broken != NULL)
        return;
    check_args(v, x, nargs[x->kind]);
    if (v->broken == NULL)
        check_kind(v, x);
}

/* ---- statements: from the outputs stored before one, a bit each, to those stored after it */

static enum walk check_operand(const struct pval *x, void *arg) {
    struct verify *v = arg;
    check_value(v, x);
    return v->broken != NULL ? WALK_STOP : WALK_PAST;
}

/* Checks the type of one of a statement's values; the value itself is checked already. */
static void check_typed(struct verify *v, const char *what, const struct pval *x,
                        enum ufc_dtype wanted) {
    rule(v, x != NULL, "%s is missing", what);
    if (v->broken == NULL)
        rule_type(v, what, x->dtype, wanted);
}

static uint32_t check_list(struct verify *v, const struct pstmt *s, struct scope *scope,
                           uint32_t stored);

static uint32_t check_store(struct verify *v, const struct pstmt *s, uint32_t stored) {
    const struct plan *p = v->plan;
    bool known = s->operand >= p->nin && s->operand < p->noperands;
    rule(v, known, "operand %d, which is stored to, is no output", s->operand);
    if (!known)
        return stored;
    check_typed(v, p->operands[s->operand].name, s->value, p->operands[s->operand].dtype);
    return stored | UINT32_C(1) << s->operand;
}

static void check_put(struct verify *v, const struct pstmt *s) {
    rule(v, s->place != NULL && s->place->kind == PV_ELEM, "a place is no element");
    if (v->broken == NULL)
        check_typed(v, "what is put", s->value, s->place->dtype);
}

/* The range of a PS_FOR or PS_SPREAD, with its index. */
static void check_range(struct verify *v, const struct pvar *var, const struct pval *lo,
                        const struct pval *hi, const struct pval *step) {
    check_var(v, var);
    if (v->broken == NULL)
        rule_type(v, "an index", var->dtype, DT_INT64);
    check_typed(v, "a range's begin", lo, DT_INT64);
    check_typed(v, "a range's end", hi, DT_INT64);
    check_typed(v, "a range's step", step, DT_INT64);
}

static void check_accs(struct verify *v, const struct pstmt *s) {
    for (const struct pacc *a = s->accs; a != NULL; a = a->next) {
        check_var(v, a->acc);
        check_var(v, a->other);
    }
}

static void check_spread(struct verify *v, const struct pstmt *s, struct scope *scope,
                         uint32_t stored) {
    struct scope inside = {.outer = scope, .stmt = s};
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        check_range(v, r->var, r->lo, r->hi, r->step);
    check_accs(v, s);
    check_list(v, s->body, &inside, stored);
    check_list(v, s->joined, &inside, stored);
}

static void check_set(struct verify *v, const struct pstmt *s) {
    check_var(v, s->var);
    if (v->broken == NULL)
        check_typed(v, s->var->name, s->value, s->var->dtype);
}

static uint32_t check_if(struct verify *v, const struct pstmt *s, struct scope *scope,
                         uint32_t stored) {
    check_typed(v, "a condition", s->value, DT_BOOL);
    uint32_t then = check_list(v, s->body, scope, stored);
    return then & check_list(v, s->other, scope, stored);
}

static void check_for(struct verify *v, const struct pstmt *s, struct scope *scope,
                      uint32_t stored) {
    struct scope inside = {.outer = scope, .stmt = s};
    check_range(v, s->var, s->lo, s->hi, s->step);
    check_accs(v, s);
    check_list(v, s->body, &inside, stored);
    check_list(v, s->joined, &inside, stored);
}

static uint32_t check_region(struct verify *v, const struct pstmt *s, struct scope *scope,
                             uint32_t stored) {
    struct scope inside = {.outer = scope, .stmt = s, .stored = NOWHERE};
    uint32_t after = check_list(v, s->body, &inside, stored);
    if (s->kind == PS_BLOCK)
        return after & inside.stored;
    rule(v, inside.left, "nothing leaves a loop");
    return NOWHERE;
}

static uint32_t check_leave(struct verify *v, const struct pstmt *s, struct scope *scope,
                            uint32_t stored) {
    for (; scope != NULL && scope->stmt != s->target; scope = scope->outer)
        scope->left = true;
    rule(v, scope != NULL, "the target of a leave does not enclose it");
    rule(v, s->target != NULL && s->target->kind == PS_BLOCK, "the target of a leave is no block");
    rule(v, s->next == NULL, "a statement follows a leave");
    if (scope != NULL)
        scope->stored &= stored;
    return NOWHERE;
}

static uint32_t check_list(struct verify *v, const struct pstmt *s, struct scope *scope,
                           uint32_t stored) {
    for (; s != NULL && v->broken == NULL && stmt_values(s, check_operand, v); s = s->next)
        switch (s->kind) {
        case PS_SET: check_set(v, s); break;
        case PS_STORE: stored = check_store(v, s, stored); break;
        case PS_PUT: check_put(v, s); break;
        case PS_SPREAD: check_spread(v, s, scope, stored); break;
        case PS_IF: stored = check_if(v, s, scope, stored); break;
        case PS_EACH: rule(v, false, "each element inside of each element"); break;
        case PS_FOR: check_for(v, s, scope, stored); break;
        case PS_LOOP:
        case PS_BLOCK: stored = check_region(v, s, scope, stored); break;
        case PS_LEAVE: stored = check_leave(v, s, scope, stored); break;
        case PS_ASSERT: rule_type(v, "an assertion", s->value->dtype, DT_BOOL); break;
        default: break; /* its values are checked already */
        }
    return stored;
}

/* ---- plans */

static void list_vars(struct verify *v) {
    const struct pvar *var;
    v->vars = NEWN(v->uc, const struct pvar *, v->plan->nvars);
    for (var = v->plan->vars; var != NULL; var = var->next) {
        bool unique = var->id >= 0 && var->id < v->plan->nvars && v->vars[var->id] == NULL;
        rule(v, unique, "the variables are not numbered from 0");
        if (unique)
            v->vars[var->id] = var;
    }
}

const char *verify_plan(struct uc *uc, const struct plan *p) {
    struct verify v = {.uc = uc, .plan = p};
    const struct pstmt *each = p->body;
    list_vars(&v);
    for (int k = 0; k < p->noperands; k++)
        rule(&v, p->operands[k].is_output == (k >= p->nin), "the inputs do not come first");
    rule(&v, each != NULL && each->kind == PS_EACH && each->next == NULL,
         "the plan is not one statement for each element");
    if (v.broken != NULL)
        return v.broken;
    uint32_t stored = check_list(&v, each->body, NULL, 0);
    if (p->overload->decl->kind == DECL_GUFUNC) /* a gufunc may leave outputs unwritten */
        return v.broken;
    for (int k = p->nin; k < p->noperands; k++)
        rule(&v, stored >> k & 1, "%s is not stored on every path", p->operands[k].name);
    return v.broken;
}
