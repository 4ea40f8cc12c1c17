/* slice.c: slices, `a[i, :]` and `a[1:n, j]`: arrays that are a part of another.  Nothing is
 * copied: an element of a slice is one of the whole array, at subscripts that are computed. */
#include "check.h"

/* The subscript of an axis of the whole array. */
struct cut {
    struct node *begin; /* of the slice's first element, an int64; NULL: 0 */
    struct node *end;   /* with a step of 1: behind the last one; else NULL */
    wide_int step;      /* to the next one; 0: the axis is none of the slice's */
};

struct slice {
    struct array *whole; /* no slice */
    struct cut cut[MAX_CORE_RANK];
    bool once;                /* there is one place that uses it */
    struct node *lets, **end; /* else statements that go before those */
};

bool is_slice(const struct node *n) {
    const struct node *s = n->kind == N_INDEX ? n->list : NULL;
    while (s && s->kind != N_SLICE)
        s = s->next;
    return s != NULL;
}

struct array *array_of(struct array *a) {
    return a->slice ? a->slice->whole : a;
}

struct node *lets_of(const struct array *a) {
    return a->slice ? a->slice->lets : NULL;
}

struct array *cast_array(struct fn *f, struct array *a, enum ufc_dtype to) {
    if (a->dtype == to)
        return a;
    struct array *r = NEW(f->uc, struct array);
    struct slice *s = NEW(f->uc, struct slice);
    *r = *a;
    r->dtype = to;
    r->slice = s;
    if (a->slice)
        *s = *a->slice;
    else
        s->whole = a;
    for (int i = 0; i < a->rank && !a->slice; i++)
        s->cut[i].step = 1;
    return r;
}

/* ---- values that occur several times */

/* A node for one more place in the tree; what is in it they share. */
static struct node *again(struct fn *f, const struct node *n) {
    struct node *copy = NEW(f->uc, struct node);
    *copy = *n;
    copy->next = NULL;
    return copy;
}

/* Whether n costs little, and is the same wherever the slice is used. */
static bool is_simple(const struct node *n) {
    switch (n->kind) {
    case N_CONST: return true;
    case N_LOCAL: return !n->local->mutable;
    case N_CAST: return is_simple(n->a);
    case N_BINARY:
        return (n->op == OP_ADD || n->op == OP_SUB || n->op == OP_MUL) && is_simple(n->a) &&
               is_simple(n->b);
    default: return false;
    }
}

/* A value that stands at several places: n, or a local that is bound to it. */
static struct node *kept(struct fn *f, struct slice *s, struct node *n) {
    if (s->once || is_simple(n))
        return n;
    struct local *l = local_hidden(f, n->at, dtype_type(DT_INT64));
    struct node *let = typed(f, N_LET, n, (struct type){TYPE_NONE, DT_BOOL});
    let->list = local_node(f, n, l);
    let->b = n;
    l->bound = n;
    append_statement(&s->end, let);
    return local_node(f, n, l);
}

static struct node *number(struct fn *f, const struct node *from, wide_int i) {
    return constant_node(f, from, (struct constant){.type = dtype_type(DT_INT64), .i = i});
}

static bool is_number(const struct node *n, wide_int i) {
    return n->kind == N_CONST && n->value.i == i;
}

static bool is_sum(const struct node *n) {
    return n->kind == N_BINARY && (n->op == OP_ADD || n->op == OP_SUB);
}

/* a op b, where either may be NULL: 0.  Numbers are added up, so that slices of slices stay short.
 */
static struct node *joined(struct fn *f, const struct node *from, enum op op, const struct node *a,
                           const struct node *b) {
    if (!b || is_number(b, 0))
        return a ? again(f, a) : number(f, from, 0);
    if (a && is_sum(a) && a->b->kind == N_CONST && b->kind == N_CONST) {
        wide_int sum = a->op == OP_ADD ? a->b->value.i : -a->b->value.i;
        sum += op == OP_ADD ? b->value.i : -b->value.i;
        return joined(f, from, sum < 0 ? OP_SUB : OP_ADD, a->a,
                      number(f, from, sum < 0 ? -sum : sum));
    }
    if (!a && op == OP_ADD)
        return again(f, b);
    return binary(f, from, op, a ? again(f, a) : number(f, from, 0), again(f, b));
}

/* begin + step * i */
static struct node *placed(struct fn *f, const struct node *from, const struct cut *c,
                           const struct node *i) {
    struct node *times = again(f, i);
    if (c->step == -1 && c->begin)
        return joined(f, from, OP_SUB, c->begin, i);
    if (c->step != 1)
        times = binary(f, from, OP_MUL, number(f, from, c->step), times);
    return joined(f, from, OP_ADD, c->begin, times);
}

struct node *slice_subscripts(struct fn *f, const struct node *from, const struct array *a,
                              const struct node *subscripts) {
    const struct slice *s = a->slice;
    struct node *list = NULL, **end = &list;
    for (int axis = 0; axis < s->whole->rank; axis++, end = &(*end)->next) {
        const struct cut *c = &s->cut[axis];
        *end = c->step == 0 ? again(f, c->begin) : placed(f, from, c, subscripts);
        if (c->step != 0)
            subscripts = subscripts->next;
    }
    return list;
}

struct node *slice_element(struct fn *f, const struct node *from, struct array *a, bool from_0,
                           struct local *index, struct node *t) {
    struct array part = *a;
    struct slice slice;
    struct cut *c = a->slice ? slice.cut : NULL;
    if (a->slice)
        slice = *a->slice;
    while (c && c->step == 0)
        c++;
    if (c && c->end && !from_0) { /* the index is the subscript */
        t->a = joined(f, from, OP_ADD, c->begin, NULL);
        t->b = again(f, c->end);
        c->begin = NULL;
        part.slice = &slice;
    } else {
        t->a = number(f, from, 0);
        t->b = dim_node(f, from, a->dims[0]);
    }
    return element_node(f, from, a->slice ? &part : a, local_node(f, from, index));
}

/* ---- sizes */

/* The size of an axis of a slice, which is `length`; name: as messages show it; all: the size of
 * the array's axis. */
static struct dim *length_dim(struct fn *f, struct slice *s, struct node *length, const char *name,
                              struct dim *all) {
    const struct node *n = without_cast(length);
    struct dim *dim = NEW(f->uc, struct dim);
    if (n->kind == N_LOCAL && n->local->dim)
        return (struct dim *)n->local->dim;
    *dim = (struct dim){.name = name, .size = -1, .index = -1, .at = length->at};
    if (n->kind == N_CONST) {
        dim->size = n->value.i > 0 ? (int64_t)n->value.i : 0;
        return dim;
    }
    dim->expr = size_in_dims(f, length);
    dim->length = kept(f, s, length);
    return same_dim(dim, all) ? all : dim;
}

struct node *slice_length(struct fn *f, const struct node *from, const struct dim *dim) {
    struct node *n = again(f, dim->length);
    n->at = from->at;
    n->mark = from->mark;
    return n;
}

struct node *slice_size(struct fn *f, const struct node *from, const struct dim *dim) {
    struct node *args[] = {slice_length(f, from, dim), number(f, from, 0)};
    struct node *n = args[0];
    if (!never_below_0(n))
        n = call_builtin(f, from, &builtins[B_MAX], args);
    if (n)
        n->type.kind = TYPE_WEAK_INT;
    return n;
}

static const char *text_of(struct fn *f, const struct node *n) {
    const char *text = short_text(f, n->at);
    return n->kind == N_BINARY ? arena_printf(f->uc, "(%s)", text) : text;
}

/* The size of a slice from begin to end, as text; n: an N_SLICE. */
static const char *length_text(struct fn *f, const struct node *n, const struct dim *dim) {
    const char *end = n->b ? short_text(f, n->b->at) : dim->name;
    if (n->c)
        return short_text(f, n->at);
    return n->a ? arena_printf(f->uc, "%s - %s", end, text_of(f, n->a)) : end;
}

/* ---- slices as they are written */

/* Whether n is a size with a minus before it, `-n` or `-n // 4`, or a factor less than 0, `n * -1`.
 */
static bool is_negated(const struct node *n) {
    n = without_cast(n);
    if (n->kind == N_CONST)
        return n->value.i < 0;
    if (!has_size_type(n))
        return false;
    if (n->kind == N_UNARY)
        return n->op == OP_NEG && never_below_0(n->a);
    if (n->kind != N_BINARY || (n->op != OP_MUL && n->op != OP_FLOORDIV))
        return false;
    return (is_negated(n->a) && never_below_0(n->b)) ||
           (n->op == OP_MUL && never_below_0(n->a) && is_negated(n->b));
}

/* A bound of a slice, typed; NULL after an error. */
static struct node *check_end(struct fn *f, const struct node *n, const struct array *a, int axis) {
    struct node *t = check_bound(f, n, "a slice");
    const char *size = a->dims[axis]->name;
    bool number = t && t->kind == N_CONST && t->value.i < 0;
    if (!t || (!number && !is_negated(t)))
        return t;
    fail(f, n->at, "a negative bound counts from nowhere; write '%s'",
         number ? arena_printf(f->uc, "%s - %lld", size, (long long)-t->value.i)
                : arena_printf(f->uc, "%s + (%s)", size, short_text(f, n->at)));
    return NULL;
}

/* The step of a slice; 0 after an error. */
static wide_int check_stride(struct fn *f, const struct node *n) {
    const wide_int most = (wide_int)1 << 31;
    struct node *t = n ? check_bound(f, n, "a slice") : NULL;
    if (!n)
        return 1;
    if (t && (t->kind != N_CONST || t->value.i == 0 || t->value.i > most || t->value.i < -most))
        fail(f, n->at, "a slice's step is a constant other than 0");
    else if (t)
        return t->value.i;
    return 0;
}

/* How many elements there are from begin to end. */
static struct node *count_between(struct fn *f, const struct node *from, const struct node *begin,
                                  const struct node *end, wide_int step) {
    struct node *n =
        step > 0 ? joined(f, from, OP_SUB, end, begin) : joined(f, from, OP_SUB, begin, end);
    wide_int by = step > 0 ? step : -step;
    if (by == 1)
        return n;
    n = binary(f, from, OP_ADD, n, number(f, from, by - 1));
    return binary(f, from, OP_FLOORDIV, n, number(f, from, by));
}

/* Adds an axis of the array, of which n, an N_SLICE, makes one of the slice; *dim: its size.  False
 * after an error. */
static bool cut_axis(struct fn *f, const struct node *n, const struct array *a, int axis,
                     struct slice *s, struct cut *c, struct dim **dim) {
    struct node *begin = NULL, *end = NULL, *size;
    *c = (struct cut){NULL, NULL, 1};
    *dim = a->dims[axis];
    if (!n->a && !n->b && !n->c) {
        c->end = dim_node(f, n, *dim);
        return true;
    }
    bool ok = (!n->a || (begin = check_end(f, n->a, a, axis))) &&
              (!n->b || (end = check_end(f, n->b, a, axis))) && (c->step = check_stride(f, n->c));
    if (!ok)
        return false;
    size = dim_node(f, n, *dim);
    if (c->step < 0) { /* from the last element, or begin, down to the first, or behind end */
        begin = begin ? begin : joined(f, n, OP_SUB, size, number(f, n, 1));
        end = end ? end : number(f, n, -1);
    }
    if (begin)
        begin = kept(f, s, begin);
    c->begin = begin && is_number(begin, 0) ? NULL : begin;
    end = end ? end : size;
    c->end = c->step == 1 ? kept(f, s, end) : NULL;
    if (c->step > 0 && n->b && !check_last(f, n->b, end, a, axis))
        return false;
    size = count_between(f, n, begin, end, c->step);
    if (size)
        *dim = length_dim(f, s, size, length_text(f, n, *dim), *dim);
    return size != NULL;
}

/* The cut of a slice's axis as one of the whole array, whose axis is cut by `outer`. */
static struct cut cut_again(struct fn *f, const struct node *from, const struct cut *outer,
                            const struct cut *c) {
    struct cut r = {.begin = c->begin ? placed(f, from, outer, c->begin) : outer->begin,
                    .step = outer->step * c->step};
    if (c->end && outer->step == 1)
        r.end = placed(f, from, outer, c->end);
    return r;
}

/* Sets the slice's cuts to `cuts` of a, which may be a slice. */
static void set_cuts(struct fn *f, const struct node *from, const struct array *a,
                     const struct cut *cuts, struct slice *s) {
    if (!a->slice) {
        memcpy(s->cut, cuts, sizeof s->cut);
        return;
    }
    memcpy(s->cut, a->slice->cut, sizeof s->cut);
    for (int axis = 0; axis < s->whole->rank; axis++)
        if (s->cut[axis].step != 0)
            s->cut[axis] = cut_again(f, from, &s->cut[axis], cuts++);
}

struct array *check_slice(struct fn *f, const struct node *n, bool once) {
    struct array *a = subscripted(f, n), *result;
    struct cut cuts[MAX_CORE_RANK] = {{NULL, NULL, 0}};
    struct slice *s;
    int axis = 0;
    bool ok = a && check_written_before(f, n, a);
    if (!ok)
        return NULL;
    result = NEW(f->uc, struct array);
    s = NEW(f->uc, struct slice);
    s->whole = array_of(a);
    s->once = once;
    s->end = &s->lets;
    *result = *a;
    result->name = short_text(f, n->at);
    result->at = n->at;
    result->rank = 0;
    result->slice = s;
    for (const struct node *i = n->list; i; i = i->next, axis++)
        if (i->kind == N_SLICE)
            ok = cut_axis(f, i, a, axis, s, &cuts[axis], &result->dims[result->rank++]) && ok;
        else if ((cuts[axis].begin = check_subscript(f, i, a, axis)) != NULL)
            cuts[axis].begin = kept(f, s, cuts[axis].begin);
        else
            ok = false;
    if (ok)
        set_cuts(f, n, a, cuts, s);
    return ok ? result : NULL;
}
