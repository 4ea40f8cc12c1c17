/* types.c: rewrites a plan in the types that targets compute in.  Halves become float32,
 * rounded where they are assigned to a name or an output; complex numbers become pairs of parts. */
#include "plan.h"

static struct pval *real_value(struct lower *l, const struct pval *v);

static enum ufc_dtype computed(enum ufc_dtype d) {
    return is_half(d) ? dtype_traits[d].computed : d;
}

static struct pval *copy(struct lower *l, const struct pval *v, enum ufc_dtype dtype) {
    struct pval *c = value_new(l, v->kind, dtype);
    *c = *v;
    c->dtype = dtype;
    return c;
}

/* A half that was widened needs no rounding to be that half again. */
static struct pval *cast(struct lower *l, struct pval *v, enum ufc_dtype to) {
    bool back = v->kind == PV_CAST && is_half(to) && v->args[0]->dtype == to;
    return back ? v->args[0] : value_cast(l, v, to);
}

/* v as a value that may be used twice. */
static struct pval *reusable(struct lower *l, struct pval *v) {
    return value_is_atom(v) ? v : emit_temporary(l, "part", v, l->at);
}

/* ---- halves */

/* A float32 rounded to a half type. */
static struct pval *round_half(struct lower *l, struct pval *v, enum ufc_dtype half) {
    return v->kind == PV_CONST ? v : cast(l, cast(l, v, half), computed(half));
}

/* A conversion to a half type: exact from small integers, else rounded. */
static struct pval *cast_to_half(struct lower *l, const struct pval *v, enum ufc_dtype half) {
    enum ufc_dtype from = v->dtype;
    struct pval *a = real_value(l, v);
    if (from == half || casts_safely(from, half))
        return cast(l, a, computed(half));
    return cast(l, cast(l, a, half), computed(half));
}

/* ---- complex numbers */

static struct pval *binary(struct lower *l, enum op op, struct pval *a, struct pval *b) {
    return value_op(l, op, a->dtype, a, b);
}

static void parts_of(struct lower *l, const struct pval *v, struct pval **part);

static void product(struct lower *l, struct pval **a, struct pval **b, struct pval **part) {
    for (int i = 0; i < 2; i++) {
        a[i] = reusable(l, a[i]);
        b[i] = reusable(l, b[i]);
    }
    part[0] = binary(l, OP_SUB, binary(l, OP_MUL, a[0], b[0]), binary(l, OP_MUL, a[1], b[1]));
    part[1] = binary(l, OP_ADD, binary(l, OP_MUL, a[0], b[1]), binary(l, OP_MUL, a[1], b[0]));
}

static void operation_parts(struct lower *l, const struct pval *v, struct pval **part) {
    struct pval *a[2], *b[2];
    parts_of(l, v->args[0], a);
    if (v->nargs == 2)
        parts_of(l, v->args[1], b);
    if (v->op == OP_MUL) {
        product(l, a, b, part);
        return;
    }
    for (int i = 0; i < 2; i++)
        part[i] = value_op(l, v->op, a[i]->dtype, a[i], v->nargs == 2 ? b[i] : NULL);
}

static void cast_parts(struct lower *l, const struct pval *v, struct pval **part) {
    enum ufc_dtype to = part_dtype(v->dtype);
    if (is_complex(v->args[0]->dtype)) {
        parts_of(l, v->args[0], part);
        part[1] = cast(l, part[1], to);
    } else {
        part[0] = real_value(l, v->args[0]);
        part[1] = value_zero(l, to);
    }
    part[0] = cast(l, part[0], to);
}

static void select_parts(struct lower *l, const struct pval *v, struct pval **part) {
    struct pval *a[2], *b[2], *c = reusable(l, real_value(l, v->args[0]));
    parts_of(l, v->args[1], a);
    parts_of(l, v->args[2], b);
    for (int i = 0; i < 2; i++) {
        part[i] = copy(l, v, a[i]->dtype);
        part[i]->args[0] = c;
        part[i]->args[1] = a[i];
        part[i]->args[2] = b[i];
    }
}

/* A load or a place in memory's own type, its subscripts rewritten. */
static struct pval *memory_value(struct lower *l, const struct pval *v) {
    struct pval *r = copy(l, v, v->dtype);
    for (int i = 0; i < v->nargs; i++)
        r->args[i] = real_value(l, v->args[i]);
    return r;
}

/* The parts of a complex value. */
static void parts_of(struct lower *l, const struct pval *v, struct pval **part) {
    enum ufc_dtype d = part_dtype(v->dtype);
    switch (v->kind) {
    case PV_CONST:
    case PV_LOAD:
    case PV_ELEM:
    case PV_VAR:
        for (int i = 0; i < 2; i++) {
            part[i] = copy(l, v, d);
            if (v->kind == PV_CONST)
                part[i]->f = i == 0 ? v->f : v->im;
            else if (v->kind == PV_VAR)
                part[i]->var = i == 0 ? v->var : v->var->imag;
            else {
                part[i]->kind = PV_PART;
                part[i]->result = i;
                part[i]->nargs = 1;
                part[i]->args[0] = memory_value(l, v);
            }
        }
        break;
    case PV_OP: operation_parts(l, v, part); break;
    case PV_CAST: cast_parts(l, v, part); break;
    case PV_SELECT: select_parts(l, v, part); break;
    default: /* PV_CALL of B_COMPLEX */
        part[0] = real_value(l, v->args[0]);
        part[1] = real_value(l, v->args[1]);
        break;
    }
}

/* ==, != and the truth value of complex numbers; the last is z != 0. */
static struct pval *compare_parts(struct lower *l, enum op op, const struct pval *x,
                                  const struct pval *y) {
    struct pval *a[2], *b[2];
    parts_of(l, x, a);
    if (y != NULL)
        parts_of(l, y, b);
    else
        b[0] = b[1] = value_zero(l, a[0]->dtype);
    struct pval *re = value_op(l, op, DT_BOOL, a[0], b[0]);
    struct pval *im = value_op(l, op, DT_BOOL, a[1], b[1]);
    return value_op(l, op == OP_EQ ? OP_LAND : OP_LOR, DT_BOOL, re, im);
}

/* ---- values */

/* The rewritten form of a value that is not complex. */
static struct pval *real_value(struct lower *l, const struct pval *v) {
    if (v->nargs > 0 && v->kind != PV_ELEM && is_complex(v->args[0]->dtype) && v->kind != PV_PART) {
        struct pval *part[2];
        if (v->kind == PV_OP)
            return compare_parts(l, v->op, v->args[0], v->args[1]);
        if (v->kind == PV_CAST)
            return compare_parts(l, OP_NE, v->args[0], NULL);
        parts_of(l, v->args[0], part); /* PV_CALL of real or imag */
        return part[v->builtin->id == B_IMAG];
    }
    if (v->kind == PV_LOAD || v->kind == PV_ELEM)
        return cast(l, memory_value(l, v), computed(v->dtype));
    if (v->kind == PV_CAST && is_half(v->dtype))
        return cast_to_half(l, v->args[0], v->dtype);
    struct pval *r = copy(l, v, computed(v->dtype));
    for (int i = 0; i < v->nargs; i++)
        r->args[i] = real_value(l, v->args[i]);
    return v->kind == PV_CAST ? cast(l, r->args[0], v->dtype) : r;
}

/* ---- statements */

static void rewrite_list(struct lower *l, struct pstmt **list);

static struct pstmt *append(struct lower *l, struct pstmt *s) {
    *l->end = s;
    l->end = &s->next;
    return s;
}

static enum walk find_real_part(const struct pval *v, void *var) {
    return v->kind == PV_VAR && v->var == var ? WALK_STOP : WALK_IN;
}

/* Sets both parts of a complex variable, the imaginary one before if it is made of the real one:
 * the parts of a sum stay sums that loops add up. */
static void set_parts(struct lower *l, struct pstmt *s) {
    struct pval *part[2];
    struct pvar *imag = s->var->imag;
    parts_of(l, s->value, part);
    if (!value_walk(part[1], find_real_part, s->var))
        part[1] = emit_temporary(l, "part", part[1], s->at);
    s->value = part[0];
    append(l, s);
    struct pstmt *second = stmt_emit(l, PS_SET, s->at);
    second->var = imag;
    second->value = part[1];
}

static void store(struct lower *l, struct pstmt *s) {
    enum ufc_dtype d = l->plan->operands[s->operand].dtype;
    if (s->place != NULL)
        s->place = memory_value(l, s->place);
    if (is_complex(d)) {
        struct pval *part[2], *pack = value_new(l, PV_PACK, d);
        parts_of(l, s->value, part);
        pack->nargs = 2;
        pack->args[0] = part[0];
        pack->args[1] = part[1];
        s->value = pack;
    } else
        s->value = cast(l, real_value(l, s->value), d);
    append(l, s);
}

static void set(struct lower *l, struct pstmt *s) {
    if (s->var->imag != NULL) {
        set_parts(l, s);
        return;
    }
    s->value = real_value(l, s->value);
    if (is_half(s->var->rounds))
        s->value = round_half(l, s->value, s->var->rounds);
    append(l, s);
}

/* Splits an accumulator of a complex type into two, one for each part. */
static void split_accs(struct lower *l, struct pacc *a) {
    for (; a != NULL; a = a->next) {
        if (a->acc->imag == NULL)
            continue;
        struct pacc *imag = NEW(l->uc, struct pacc);
        *imag = (struct pacc){a->acc->imag, a->other->imag, a->next};
        a->next = imag;
        a = imag;
    }
}

static void rewrite(struct lower *l, struct pstmt *s) {
    l->at = s->at;
    if (s->kind == PS_STORE || s->kind == PS_PUT) {
        store(l, s);
    } else if (s->kind == PS_SET) {
        set(l, s);
    } else {
        struct pval **const values[] = PSTMT_VALUES(s);
        struct pstmt **const lists[] = PSTMT_LISTS(s);
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
            if (*values[i] != NULL)
                *values[i] = real_value(l, *values[i]);
        append(l, s);
        if (s->kind == PS_SPREAD)
            split_accs(l, s->accs);
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            rewrite_list(l, lists[i]);
    }
}

static void rewrite_list(struct lower *l, struct pstmt **list) {
    struct pstmt **end = l->end, *s = *list;
    *list = NULL;
    l->end = list;
    for (struct pstmt *next; s != NULL; s = next) {
        next = s->next;
        s->next = NULL;
        rewrite(l, s);
    }
    l->end = end;
}

void lower_types(struct lower *l) {
    for (struct pvar *v = l->plan->vars, *next; v != NULL; v = next) {
        next = v->next;
        if (is_complex(v->dtype))
            v->imag = &variable_new(l, v->name, part_dtype(v->dtype))->pvar;
        v->dtype = computed(part_dtype(v->dtype));
    }
    rewrite_list(l, &l->plan->body);
}
