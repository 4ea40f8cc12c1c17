/* deal_value.c: values of ordered loops that update bins: which are made of bins, and what their
 * updates have in their place.  What conditions decide is computed always there, so that elements
 * that may not exist are then loaded where they do. */
#include "dealer.h"

/* ---- values */

static struct pval *new_value(struct dealer *x, enum pval_kind kind, enum ufc_dtype d) {
    struct pval *v = NEW(x->uc, struct pval);
    *v = (struct pval){.kind = kind, .dtype = d};
    return v;
}

struct pval *deal_operate(struct dealer *x, enum op op, const struct pval *a,
                          const struct pval *b) {
    bool known = a->kind == PV_CONST && b->kind == PV_CONST;
    bool zero = op == OP_ADD && a->kind == PV_CONST && a->i == 0;
    bool one = op == OP_MUL && a->kind == PV_CONST && a->i == 1;
    if (known)
        return plan_number(x->uc, (int64_t)(op == OP_ADD   ? a->i + b->i
                                            : op == OP_SUB ? a->i - b->i
                                                           : a->i * b->i));
    if (zero || one)
        return (struct pval *)b;
    if ((b->kind == PV_CONST && b->i == 0 && op != OP_MUL) ||
        (b->kind == PV_CONST && b->i == 1 && op == OP_MUL))
        return (struct pval *)a;
    struct pval *v = new_value(x, PV_OP, DT_INT64);
    v->op = op;
    v->nargs = 2;
    v->args[0] = (struct pval *)a;
    v->args[1] = (struct pval *)b;
    return v;
}

struct pval *deal_logic(struct dealer *x, enum op op, const struct pval *a, const struct pval *b) {
    struct pval *v = new_value(x, PV_OP, DT_BOOL);
    v->op = op;
    v->nargs = b != NULL ? 2 : 1;
    v->args[0] = (struct pval *)a;
    v->args[1] = (struct pval *)b;
    return v;
}

/* Iterations of a loop by 1. */
struct pval *deal_iterations(struct dealer *x, const struct pval *lo, const struct pval *hi) {
    struct pval *n = deal_operate(x, OP_SUB, hi, lo);
    if (n->kind == PV_DIM)
        return n;
    if (n->kind == PV_CONST)
        return plan_number(x->uc, (int64_t)n->i > 0 ? (int64_t)n->i : 0);
    struct pval *v = new_value(x, PV_CALL, DT_INT64);
    v->builtin = &builtins[B_MAX];
    v->nargs = 2;
    v->args[0] = n;
    v->args[1] = plan_number(x->uc, 0);
    return v;
}

/* ---- what depends on bins */

bool deal_is_target(const struct dealer *x, int operand) {
    return operand < x->plan->noperands && x->targets >> operand & 1;
}

bool deal_is_updated(const struct dealer *x, int operand) {
    return operand < x->plan->noperands && (x->targets | x->late) >> operand & 1;
}

enum walk deal_find_bin(const struct pval *v, void *dealer) {
    const struct dealer *x = dealer;
    bool is = v->kind == PV_ELEM ? deal_is_updated(x, v->operand)
                                 : v->kind == PV_VAR && x->depends[v->var->id];
    return is ? WALK_STOP : WALK_IN;
}

/* Is v, which may be NULL, made of nothing that updates store? */
bool deal_is_free(struct dealer *x, const struct pval *v) {
    return value_walk(v, deal_find_bin, x);
}

struct pval *deal_size(struct dealer *x, int operand, int axis) {
    struct pval *size = new_value(x, PV_DIM, DT_INT64);
    size->operand = x->plan->operands[operand].dims[axis]->index;
    return size;
}

/* ---- arrays */

static bool same_dims(const struct poperand *a, const struct poperand *b) {
    bool same = a->rank == b->rank;
    for (int i = 0; same && i < a->rank; i++)
        same = a->dims[i] == b->dims[i];
    return same;
}

static const struct poperand *operand_of(const struct dealer *x, const struct deal_array *a) {
    return &x->plan->operands[a->place->operand];
}

/* The group of an operand; -1: there are too many. */
static int find_group(struct dealer *x, int operand) {
    struct deal *d = x->d;
    const struct poperand *o = &x->plan->operands[operand];
    for (int i = 0; i < d->narrays; i++)
        if (same_dims(operand_of(x, &d->array[i]), o))
            return d->array[i].group;
    struct deal_group *g = &d->group[d->ngroups];
    *g = (struct deal_group){.rank = o->rank};
    for (int i = 0; i < o->rank; i++) {
        g->index[i] = plan_variable(x->uc, x->plan, "bin", DT_INT64);
        g->size[i] = deal_size(x, operand, i);
    }
    return d->ngroups++;
}

static struct pval *new_unary(struct dealer *x, enum pval_kind kind, enum ufc_dtype d,
                              const struct pval *of, int result) {
    struct pval *v = new_value(x, kind, d);
    v->nargs = 1;
    v->args[0] = (struct pval *)of;
    v->result = result;
    return v;
}

struct pval *deal_widened(struct dealer *x, const struct pval *v) {
    return is_half(v->dtype) ? new_unary(x, PV_CAST, DT_FLOAT32, v, 0) : (struct pval *)v;
}

/* The next array, with the same place as others of its operand; result: of a complex one, which of
 * its parts. */
static struct deal_array *new_deal_array(struct dealer *x, struct pval *place, int group,
                                         int result) {
    struct deal *d = x->d;
    const struct poperand *o = &x->plan->operands[place->operand];
    struct deal_array *a = &d->array[d->narrays];
    bool packed = is_complex(o->dtype);
    *a = (struct deal_array){.place = place, .group = group};
    a->loaded = packed ? new_unary(x, PV_PART, part_dtype(o->dtype), place, result)
                       : deal_widened(x, place);
    a->element = plan_variable(x->uc, x->plan, o->name, a->loaded->dtype);
    struct pval *v = plan_read(x->uc, a->element);
    a->stored = packed ? NULL : is_half(o->dtype) ? new_unary(x, PV_CAST, o->dtype, v, 0) : v;
    x->part_of[d->narrays] = d->narrays - result;
    d->narrays++;
    return a;
}

struct deal_array *deal_array_of(struct dealer *x, const struct pval *place) {
    struct deal *d = x->d;
    const struct poperand *o = &x->plan->operands[place->operand];
    bool packed = is_complex(o->dtype);
    for (int i = 0; i < d->narrays; i++)
        if (d->array[i].place->operand == place->operand)
            return &d->array[i];
    if (d->narrays + packed >= MAX_DEAL_ARRAYS || place->dtype != o->dtype)
        return NULL;
    int group = find_group(x, place->operand);
    struct pval *own = new_value(x, PV_ELEM, o->dtype);
    own->operand = place->operand;
    own->nargs = o->rank;
    for (int i = 0; i < o->rank; i++)
        own->args[i] = plan_read(x->uc, d->group[group].index[i]);
    struct deal_array *a = new_deal_array(x, own, group, 0);
    if (packed) {
        struct deal_array *imag = new_deal_array(x, own, group, 1);
        imag->stored = new_unary(x, PV_PACK, o->dtype, plan_read(x->uc, a->element), 0);
        imag->stored->nargs = 2;
        imag->stored->args[1] = plan_read(x->uc, imag->element);
    }
    return a;
}

/* ---- entries */

struct pstmt *deal_set(struct dealer *x, struct pvar *var, struct pval *v, struct span at) {
    struct pstmt *s = NEW(x->uc, struct pstmt);
    *s = (struct pstmt){.kind = PS_SET, .at = at, .var = var, .value = v};
    return s;
}

void deal_emit(struct dealer *x, struct pstmt *s) {
    *x->end = s;
    s->next = NULL;
    x->end = &s->next;
}

/* bool: element v exists. */
static struct pval *is_there(struct dealer *x, const struct pval *v) {
    struct pval *all = NULL;
    for (int i = 0; i < v->nargs; i++) {
        struct pval *size = deal_size(x, v->operand, i);
        struct pval *up = deal_logic(x, OP_GE, v->args[i], plan_number(x->uc, 0));
        struct pval *both = deal_logic(x, OP_LAND, up, deal_logic(x, OP_LT, v->args[i], size));
        all = all == NULL ? both : deal_logic(x, OP_LAND, all, both);
    }
    return all;
}

/* Is v an element, or a part of one, or one of a half type as a number? */
static bool is_element(const struct pval *v) {
    bool of = v->kind == PV_PART || (v->kind == PV_CAST && is_half(v->args[0]->dtype));
    return v->kind == PV_ELEM || (of && v->args[0]->kind == PV_ELEM);
}

/* A value that conditions would decide about, for always: elements that may not be there are loaded
 * where they are.  NULL: there is none. */
static struct pval *always(struct dealer *x, const struct pval *v, struct span at) {
    if (exists_anyway(x->plan, v))
        return (struct pval *)v;
    bool loads = is_element(v);
    const struct pval *of = loads && v->kind != PV_ELEM ? v->args[0] : v;
    if (is_complex(v->dtype) || is_half(v->dtype) ||
        (of->kind == PV_ELEM && of->operand >= x->plan->noperands))
        return NULL;
    struct pval *copy = NEW(x->uc, struct pval), *whole = copy;
    *copy = *of;
    copy->direct = NULL;
    for (int i = 0; i < of->nargs; i++)
        if ((copy->args[i] = always(x, of->args[i], at)) == NULL)
            return NULL;
    if (!loads)
        return copy;
    if (of != v)
        whole = new_unary(x, v->kind, v->dtype, copy, v->result);
    struct pvar *var = plan_variable(x->uc, x->plan, "there", v->dtype);
    struct pstmt *load = NEW(x->uc, struct pstmt);
    *load = (struct pstmt){.kind = PS_IF, .at = at, .value = is_there(x, copy)};
    load->body = deal_set(x, var, whole, at);
    deal_emit(x, deal_set(x, var, new_value(x, PV_CONST, v->dtype), at));
    deal_emit(x, load);
    return plan_read(x->uc, var);
}

/* The term that has a value, which the iterations set.  NULL: there are too many. */
static struct pval *capture(struct dealer *x, const struct pval *v, struct span at) {
    struct deal *d = x->d;
    int i = 0;
    while (i < d->nterms && !(x->term[i].again && same_value(x->term[i].value, v)))
        i++;
    if (i < d->nterms)
        return plan_read(x->uc, d->term[i]);
    i = 0;
    while (i < d->nterms &&
           (x->term[i].value != NULL || d->term[i] == d->number || d->term[i]->dtype != v->dtype))
        i++;
    if (i == MAX_DEAL_TERMS || is_complex(v->dtype) || is_half(v->dtype))
        return NULL;
    if (i == d->nterms)
        d->term[d->nterms++] = plan_variable(x->uc, x->plan, "term", v->dtype);
    struct pval *set = x->given != NULL ? always(x, v, at) : (struct pval *)v;
    if (set == NULL)
        return NULL;
    x->term[i].value = v;
    x->term[i].again = true;
    deal_emit(x, deal_set(x, d->term[i], set, at));
    return plan_read(x->uc, d->term[i]);
}

bool deal_is_at_hand(const struct dealer *x, const struct pval *place) {
    bool same =
        x->place != NULL && place->nargs == x->place->nargs &&
        same_dims(&x->plan->operands[place->operand], &x->plan->operands[x->place->operand]);
    for (int i = 0; same && i < place->nargs; i++)
        same = same_value(place->args[i], x->place->args[i]);
    return same;
}

/* What an update has in the place of v: of bins their elements, of what is free of them terms.
 * NULL: it cannot have it. */
struct pval *deal_updated(struct dealer *x, const struct pval *v, struct span at) {
    if (deal_is_free(x, v))
        return v->kind == PV_CONST || v->kind == PV_DIM ? (struct pval *)v : capture(x, v, at);
    if (v->kind == PV_VAR)
        return (struct pval *)v;
    const struct pval *of = is_element(v) && v->kind != PV_ELEM ? v->args[0] : v;
    if (of->kind == PV_ELEM && deal_is_target(x, of->operand) && !is_half(v->dtype)) {
        const struct deal_array *a = deal_is_at_hand(x, of) ? deal_array_of(x, of) : NULL;
        return a != NULL ? plan_read(x->uc, a[v->kind == PV_PART ? v->result : 0].element) : NULL;
    }
    struct pval *copy = NEW(x->uc, struct pval);
    *copy = *v;
    copy->direct = NULL;
    if (v->kind == PV_ELEM || v->kind == PV_TABLE)
        return NULL;
    for (int i = 0; i < v->nargs; i++)
        if ((copy->args[i] = deal_updated(x, v->args[i], at)) == NULL)
            return NULL;
    return copy;
}

struct pval *deal_key(struct dealer *x, struct span at) {
    struct pval *place = NEW(x->uc, struct pval);
    struct pval *key = plan_number(x->uc, 0);
    *place = *x->place;
    for (int i = 0; i < place->nargs; i++) {
        struct pval *size = deal_size(x, place->operand, i);
        if (x->chosen && (place->args[i] = always(x, place->args[i], at)) == NULL)
            return NULL;
        key = i == 0 ? place->args[i]
                     : deal_operate(x, OP_ADD, deal_operate(x, OP_MUL, key, size), place->args[i]);
    }
    if (!x->chosen || place->nargs == 0)
        return key;
    struct pval *known = new_value(x, PV_SELECT, DT_INT64);
    known->nargs = 3;
    known->args[0] = is_there(x, place);
    known->args[1] = key;
    known->args[2] = plan_number(x->uc, -1);
    return known;
}
