/* store.c: reductions at the points of a definition, or within others, are computed first.
 * One that no index around changes is computed once for the call.  Of others a definition comes
 * first that stores what they give in an array of the call, which is then read.  Where it is read
 * more than once that is always done.  Else it makes another version of the body, in which each
 * reduction has a schedule of its own; what is stored has to be written and read, so that the
 * runtime chooses between the versions by the sizes. */
#include "apart.h"

enum { MAX_STORED = 4 };

bool has_room(const struct plan *p) {
    return p->nlocals == 0 && p->noperands + MAX_STORED <= UFC_MAX_OPERANDS / 2;
}

bool has_nested(struct lower *l) {
    struct nested n;
    struct pstmt *s = has_room(l->plan) && !l->plan->checked ? l->plan->body->body : NULL;
    while (s != NULL && !find_nested(l, s, 0, &n))
        s = s->next;
    return s != NULL;
}

/* ---- arrays */

/* A new core dimension, of the version alone: it is in front of those that all versions have. */
static const struct dim *add_dim(struct uc *uc, struct decl *d, int64_t size) {
    struct dim *dim = NEW(uc, struct dim);
    *dim = (struct dim){.name = arena_printf(uc, "%lld", (long long)size),
                        .size = size,
                        .index = d->ndims++,
                        .at = d->at,
                        .next = d->dims};
    d->dims = dim;
    return dim;
}

const struct dim *dim_of_number(struct uc *uc, struct decl *d, int64_t size) {
    const struct dim *dim = d->dims;
    while (dim != NULL && dim->size != size)
        dim = dim->next;
    return dim != NULL ? dim : add_dim(uc, d, size);
}

static const struct dim *dim_of(struct uc *uc, struct decl *d, const struct pval *size) {
    const struct dim *dim = d->dims;
    if (size->kind == PV_CONST)
        return dim_of_number(uc, d, (int64_t)size->i);
    while (dim->index != size->operand)
        dim = dim->next;
    return dim;
}

static int add_operand(struct lower *l, struct overload *o, struct poperand array) {
    struct plan *p = l->plan;
    int k = p->noperands;
    struct poperand *more = NEWN(l->uc, struct poperand, k + 1);
    for (int i = 0; i < k; i++)
        more[i] = p->operands[i];
    array.name = "stored";
    array.is_output = true;
    more[k] = array;
    o->dtypes[k] = (uint8_t)array.dtype;
    o->nintermediates++;
    p->operands = more;
    return p->noperands++;
}

int add_array(struct lower *l, struct overload *o, const struct prange *ranges,
              enum ufc_dtype dtype) {
    struct poperand array = {.dtype = dtype};
    for (const struct prange *r = ranges; r != NULL; r = r->next)
        array.dims[array.rank++] = dim_of(l->uc, o->decl, r->hi);
    return add_operand(l, o, array);
}

int add_array_like(struct lower *l, struct overload *o, int operand, enum ufc_dtype dtype) {
    struct poperand array = l->plan->operands[operand];
    array.dtype = dtype;
    return add_operand(l, o, array);
}

void drop_arrays(struct lower *l, struct overload *o, int noperands) {
    o->nintermediates -= l->plan->noperands - noperands;
    l->plan->noperands = noperands;
}

struct pstmt *spread_over(struct lower *l, int operand, struct span at) {
    struct pstmt *s = NEW(l->uc, struct pstmt);
    const struct poperand *array = &l->plan->operands[operand];
    struct prange **range = &s->ranges;
    *s = (struct pstmt){.kind = PS_SPREAD, .at = at, .outermost = true};
    for (int i = 0; i < array->rank; i++, range = &(*range)->next) {
        int64_t size = array->dims[i]->size;
        struct pval *hi = size >= 0 ? plan_number(l->uc, size) : value_new(l, PV_DIM, DT_INT64);
        hi->operand = size >= 0 ? hi->operand : array->dims[i]->index;
        *range = NEW(l->uc, struct prange);
        **range = (struct prange){.var = &variable_new(l, "at", DT_INT64)->pvar,
                                  .lo = plan_number(l->uc, 0),
                                  .hi = hi,
                                  .step = plan_number(l->uc, 1)};
    }
    return s;
}

struct pval *array_element(struct lower *l, int k, const struct prange *r) {
    struct pval *v = value_new(l, PV_ELEM, l->plan->operands[k].dtype);
    v->operand = k;
    for (; r != NULL; r = r->next) {
        v->args[v->nargs] = value_new(l, PV_VAR, DT_INT64);
        v->args[v->nargs++]->var = r->var;
    }
    return v;
}

/* The definition of the array's elements, but for the statement that stores them; *v becomes their
 * value. */
static struct pstmt *definition(struct lower *l, const struct nested *n, struct pval **v) {
    struct copy c = {.l = l, .vars = NEWN(l->uc, struct pvar *, l->plan->nvars + 1)};
    struct pstmt *s = NEW(l->uc, struct pstmt), **end = &s->body;
    *s = (struct pstmt){.kind = PS_SPREAD, .at = n->inner->at, .outermost = true};
    s->ranges = copy_ranges(&c, n->ranges);
    for (int i = 0; i < n->nneeded; i++) {
        *end = copy_stmt(&c, n->needed[i]);
        end = &(*end)->next;
    }
    *end = copy_stmt(&c, n->inner);
    *v = value_new(l, PV_VAR, n->result->dtype);
    (*v)->var = c.vars[n->result->id];
    return s;
}

/* ---- what is stored already */

static enum walk find_changed(const struct pstmt *s, void *arg) {
    const struct pval *v = arg;
    bool put = v->kind == PV_ELEM && s->kind == PS_PUT && s->place->operand == v->operand;
    bool set = v->kind == PV_VAR && s->var == v->var;
    for (const struct pacc *a = s->accs; a != NULL && v->kind == PV_VAR; a = a->next)
        set = set || a->acc == v->var;
    return put || set ? WALK_STOP : WALK_IN;
}

/* What statements of the body between two others may set. */
struct span_of {
    const struct pstmt *from, *to;
};

static enum walk find_stale(const struct pval *v, void *arg) {
    const struct span_of *x = arg;
    for (const struct pstmt *s = x->from; s != x->to; s = s->next)
        if (!stmt_walk(s, &(struct plan_visitor){.stmt = find_changed, .joined = true}, (void *)v))
            return WALK_STOP;
    return WALK_IN;
}

bool is_still(const struct pval *v, const struct pstmt *from, const struct pstmt *to) {
    return value_walk(v, find_stale, &(struct span_of){from, to});
}

/* Whether the definition of an array, which comes earlier, has what the inner reduction gives. */
static bool is_stored(struct lower *l, const struct nested *n, const struct pstmt *definition) {
    struct renaming x = renaming_new(l);
    struct span_of between = {definition->next, n->whole};
    const struct pstmt *s = definition->body;
    if (!are_same_ranges(&x, n->ranges, definition->ranges))
        return false;
    for (int i = 0; i < n->nneeded; i++, s = s->next)
        if (s->kind != PS_SET || !is_same_stmt(&x, n->needed[i], s))
            return false;
    return s->kind == n->inner->kind && is_same_stmt(&x, n->inner, s) &&
           plan_walk(definition->body, &(struct plan_visitor){.value = find_stale, .joined = true},
                     &between);
}

/* ---- which are stored */

/* The definitions of stored arrays, which are the plan's last operands. */
struct stored {
    const struct pstmt *definition[MAX_STORED];
    int count;
    enum storing which;
};

/* The array that has what the inner reduction gives; -1: none. */
static int find_stored(struct lower *l, const struct nested *n, const struct stored *stored) {
    for (int i = 0; i < stored->count; i++)
        if (is_stored(l, n, stored->definition[i]))
            return l->plan->noperands - stored->count + i;
    return -1;
}

/* Whether later statements have what a definition gives, which would come before that of n. */
static bool is_read_later(struct lower *l, const struct nested *n, struct pstmt *definition) {
    struct nested other;
    definition->next = n->whole;
    for (struct pstmt *s = n->whole->next; s != NULL; s = s->next)
        for (int skip = 0; find_nested(l, s, skip, &other); skip++)
            if (is_stored(l, &other, definition))
                return true;
    return false;
}

/* Has the version an array over the same dimensions for other things? */
static bool has_array_over(const struct lower *l, const struct overload *o,
                           const struct prange *ranges) {
    const struct plan *p = l->plan;
    for (int k = p->noperands - o->nintermediates; k < p->noperands; k++) {
        const struct prange *r = ranges;
        int i = 0;
        while (r != NULL && i < p->operands[k].rank && r->hi->kind == PV_DIM &&
               p->operands[k].dims[i]->index == r->hi->operand) {
            r = r->next;
            i++;
        }
        if (r == NULL)
            return true;
    }
    return false;
}

/* Adds an array for what the inner reduction gives, and its definition before *at.  -1: it is not
 * to be stored; for a loop alone, which no other statement has again, where the version has arrays
 * for other things, which it is not to make larger. */
static int add_stored(struct lower *l, struct overload *o, const struct nested *n,
                      struct pstmt **at, struct stored *stored) {
    struct pval *v;
    bool looped = n->outer != NULL && n->outer->kind == PS_FOR;
    if (stored->which == STORE_NONE || stored->count == MAX_STORED || !has_room(l->plan))
        return -1;
    struct pvar **vars = variables_end(l);
    const int nvars = l->plan->nvars;
    struct pstmt *s = definition(l, n, &v), **end = &s->body;
    bool others = looped && o->nintermediates > stored->count && !has_array_over(l, o, n->ranges),
         later = (stored->which != STORE_ALL || others) && !n->guarded && is_read_later(l, n, s);
    if (others && !later) { /* the definition's variables are nobody's */
        *vars = NULL;
        l->vars_end = vars;
        l->plan->nvars = nvars;
        return -1;
    }
    if (stored->which != STORE_ALL && !n->again && !later)
        return -1;
    int k = add_array(l, o, n->ranges, n->result->dtype);
    for (; *end != NULL; end = &(*end)->next)
        (*end)->twice = false; /* all have it from here */
    l->end = end;
    emit_put(l, array_element(l, k, s->ranges), v, n->inner->at);
    stored->definition[stored->count++] = s;
    s->next = *at;
    *at = s;
    return k;
}

/* Computes a reduction that depends on no index around it before *at.  An accumulator is read where
 * its reduction ends alone, so that a variable takes its value. */
static struct pval *hoist(struct lower *l, const struct nested *n, struct pstmt **at) {
    struct pval *v;
    struct pstmt *list = definition(l, n, &v)->body, **end = &list;
    for (; *end != NULL; end = &(*end)->next)
        (*end)->outermost = (*end)->kind == PS_SPREAD;
    l->end = end;
    v = emit_temporary(l, "first", v, n->inner->at);
    *l->end = *at;
    *at = list;
    return v;
}

/* Puts what an inner reduction gives, which is computed before *at, in its place.  False: there is
 * no room for it, or it is not worth it. */
static bool store(struct lower *l, struct overload *o, const struct nested *n, struct pstmt **at,
                  struct stored *stored) {
    struct pstmt *inner = n->inner;
    struct pval *v;
    if (n->ranges == NULL) {
        v = hoist(l, n, at);
    } else {
        int k = find_stored(l, n, stored);
        k = k < 0 ? add_stored(l, o, n, at, stored) : k;
        if (k < 0)
            return false;
        v = array_element(l, k, n->ranges);
    }
    *inner = (struct pstmt){
        .kind = PS_SET, .var = n->result, .value = v, .at = inner->at, .next = inner->next};
    return true;
}

/* Arrays are stored outside of loops alone. */
static void store_list(struct lower *l, struct overload *o, struct pstmt **at,
                       struct stored *stored) {
    struct nested n;
    for (; *at != NULL; at = &(*at)->next) {
        struct pstmt *s = *at;
        const int before = stored->count;
        for (int skip = 0; stored->count == before && find_nested(l, s, skip, &n);) {
            skip += !store(l, o, &n, at, stored);
            while (*at != s && stored->count == before)
                at = &(*at)->next;
        }
        if (stored->count > before) { /* what is stored may have reductions in it */
            store_list(l, o, at, stored);
            return;
        }
        if (s->kind != PS_SPREAD) {
            store_list(l, o, &s->body, &(struct stored){.which = STORE_NONE});
            store_list(l, o, &s->other, &(struct stored){.which = STORE_NONE});
        }
    }
}

void store_nested(struct lower *l, struct overload *o, enum storing which) {
    store_list(l, o, &l->plan->body->body, &(struct stored){.which = which});
}
