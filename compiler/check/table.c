/* table.c: constant tables: `const TAPS = [1, 4, 6]`, also of rows. */
#include <string.h>

#include "check.h"

/* ---- what is written */

/* The rows, or elements, of a list that stand where the first of each list does. */
static bool set_shape(struct uc *uc, const struct node *n, struct array *a) {
    for (; n->kind == N_TUPLE; n = n->list) {
        if (a->rank == MAX_CORE_RANK) {
            error(uc, n->at, "a table has up to %d dimensions", MAX_CORE_RANK);
            return false;
        }
        struct dim *dim = a->dims[a->rank++] = NEW(uc, struct dim);
        dim->size = count_nodes(n->list);
        dim->index = -1;
        dim->at = n->at;
        dim->name = arena_printf(uc, "%lld", (long long)dim->size);
    }
    return true;
}

/* The number of elements from the axis on. */
static int64_t elements(const struct array *a, int axis) {
    int64_t n = 1;
    for (; axis < a->rank; axis++)
        n *= a->dims[axis]->size;
    return n;
}

/* Appends the elements of a list, typed, to *end.  False after an error. */
static bool check_list(struct fn *f, const struct node *list, const struct array *a, int axis,
                       struct node ***end) {
    bool rows = axis + 1 < a->rank;
    if (count_nodes(list->list) != a->dims[axis]->size) {
        fail(f, list->at, "this row has %d element%s, the first one %lld", count_nodes(list->list),
             list->list->next ? "s" : "", (long long)a->dims[axis]->size);
        return false;
    }
    for (const struct node *n = list->list; n; n = n->next) {
        if ((n->kind == N_TUPLE) != rows) {
            fail(f, n->at, rows ? "a table of rows has rows alone" : "the first element is no row");
            return false;
        }
        if (rows && !check_list(f, n, a, axis + 1, end))
            return false;
        struct node *t = rows ? NULL : check_expr(f, n);
        if (!rows && t && t->kind != N_CONST)
            fail(f, n->at, "an element of a table is a constant");
        if (!rows && (!t || t->kind != N_CONST))
            return false;
        if (!rows)
            *(*end)++ = t;
    }
    return true;
}

/* ---- the elements' type */

/* The table with elements of a dtype; NULL after an error. */
static struct array *with_dtype(struct fn *f, const struct node *at, struct array *a,
                                enum ufc_dtype to) {
    struct array **as = &a->as;
    for (; *as; as = &(*as)->as)
        if ((*as)->dtype == to)
            return *as;
    struct array *c = NEW(f->uc, struct array);
    int64_t n = elements(a, 0);
    struct constant *values = NEWN(f->uc, struct constant, n);
    for (int64_t i = 0; i < n; i++) {
        struct node from = *at;
        from.kind = N_CONST;
        from.type = a->values[i].type;
        from.value = a->values[i];
        const struct node *value = convert(f, &from, to);
        if (!value)
            return NULL;
        values[i] = value->value;
    }
    *c = *a;
    c->dtype = to;
    c->type = dtype_type(to);
    c->values = values;
    c->as = NULL;
    return *as = c;
}

struct node *table_converted(struct fn *f, struct node *n, enum ufc_dtype to) {
    struct array *a = with_dtype(f, n, n->array, to);
    if (!a)
        return NULL;
    struct node *t = typed(f, N_INDEX, n, dtype_type(to));
    t->array = a;
    t->list = n->list;
    return t;
}

/* Sets a's elements, and their common type.  Whole numbers too large for an int64 are uint64s. */
static bool set_values(struct fn *f, const struct node *at, struct node *const *nodes,
                       struct array *a) {
    int64_t n = elements(a, 0);
    struct constant *values = NEWN(f->uc, struct constant, n);
    bool large = false;
    a->type = nodes[0]->type;
    for (int64_t i = 0; i < n; i++) {
        a->type = promote(a->type, nodes[i]->type);
        large =
            large || (nodes[i]->type.kind == TYPE_WEAK_INT && !fits(nodes[i]->value.i, DT_INT64));
    }
    if (large && a->type.kind == TYPE_WEAK_INT)
        a->type = dtype_type(DT_UINT64);
    for (int64_t i = 0; i < n; i++) {
        const struct node *v = operand(f, nodes[i], a->type);
        if (!v)
            return false;
        values[i] = v->value;
    }
    a->values = values;
    a->dtype = strong_dtype(a->type);
    return a->type.kind == TYPE_DTYPE || with_dtype(f, at, a, a->dtype) != NULL;
}

/* ---- names */

struct local *check_table(struct fn *f, struct decl *d) {
    if (d->state == CONST_BUSY) {
        error(f->uc, d->at, "'%s' is defined by itself", d->name);
        d->state = CONST_BAD;
    }
    if (d->state != CONST_NEW)
        return d->table;
    struct array *a = NEW(f->uc, struct array);
    *a = (struct array){.name = d->name, .at = d->at, .kind = ARRAY_TABLE, .operand = -1};
    d->table = NEW(f->uc, struct local);
    *d->table = (struct local){.name = d->name, .at = d->at, .used = true};
    d->state = CONST_BUSY;
    struct unit unit = {.nesting = f->unit ? f->unit->nesting + 1 : 0};
    struct fn g = {.uc = f->uc, .unit = &unit, .file = d->file};
    struct node **nodes = NULL, **end = NULL;
    bool ok = set_shape(f->uc, d->body, a);
    if (ok)
        end = nodes = NEWN(f->uc, struct node *, elements(a, 0));
    ok = ok && check_list(&g, d->body, a, 0, &end) && set_values(&g, d->body, nodes, a);
    if (!ok || d->state == CONST_BAD) {
        d->state = CONST_BAD;
        return d->table;
    }
    d->state = CONST_DONE;
    d->table->type = a->type;
    d->table->array = a;
    return d->table;
}

struct local *table_named(const struct fn *f, const char *name) {
    struct decl *d = decl_named(f, name);
    if (!d || d->kind != DECL_CONST || d->body->kind != N_TUPLE)
        return NULL;
    d->used = true;
    struct fn g = *f;
    return check_table(&g, d);
}

/* ---- elements, lengths */

struct node *table_element(struct fn *f, const struct node *from, struct array *a,
                           struct node *subscripts) {
    int64_t at = 0;
    bool known = true;
    int axis = 0;
    for (const struct node *s = subscripts; s; s = s->next, axis++) {
        known = known && s->kind == N_CONST;
        at = at * a->dims[axis]->size + (int64_t)s->value.i;
    }
    if (known) {
        struct constant c = a->values[at];
        c.type = a->type;
        return constant_node(f, from, c);
    }
    struct node *t = typed(f, N_INDEX, from, a->type);
    t->array = a;
    t->list = subscripts;
    return t;
}

bool is_length(const struct fn *f, const struct node *n) {
    return n->kind == N_CALL && strcmp(n->name, "len") == 0 && !n->clauses && n->list &&
           !n->list->next && (n->list->kind == N_NAME || n->list->kind == N_INDEX) &&
           !decl_named(f, n->name) && !local_named(f, n->name) && table_named(f, n->list->name);
}

struct node *check_length(struct fn *f, const struct node *n) {
    const struct node *of = n->list;
    const struct array *a = table_named(f, of->name)->array;
    int axis = of->kind == N_INDEX ? count_nodes(of->list) : 0;
    if (!a)
        return NULL;
    if (axis < a->rank)
        return constant_node(
            f, n, (struct constant){.type.kind = TYPE_WEAK_INT, .i = a->dims[axis]->size});
    fail(f, of->at, "'%s' has %d dimension%s; this is an element", a->name, a->rank,
         a->rank == 1 ? "" : "s");
    return NULL;
}
