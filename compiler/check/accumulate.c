/* accumulate.c: accumulating definitions, `h[b[i]] += w[i] for i` and
 * `h[b[i]] = max(h[b[i]], w[i]) for i`.  Every iteration counts, in any order.
 *
 * Where each element comes once, it is a definition of the combined value.  Where ranges that
 * subscript nothing are what is added up, it is one of a sum over these.  Else it becomes loops, of
 * which the plan knows when threads may share them. */
#include <string.h>

#include "check.h"

static const struct type no_type = {TYPE_NONE, DT_BOOL};

/* ---- what may be combined */

static bool is_any_order(enum op op) {
    return op == OP_ADD || op == OP_MUL || op == OP_AND || op == OP_OR || op == OP_XOR;
}

const struct node *combined_element(const struct node *n) {
    const struct node *v = n->b;
    const struct node *args[2] = {v->list, v->list ? v->list->next : NULL};
    if (v->kind != N_CALL || v->clauses || !args[1] || args[1]->next)
        return NULL;
    for (int i = 0; i < 2; i++)
        if (args[i]->kind == N_INDEX && args[i]->name == n->list->name &&
            same_tree(args[i]->list, n->list->list))
            return args[i];
    return NULL;
}

bool combines_target(struct fn *f, const struct node *n) {
    const struct node *element = combined_element(n);
    if (!element)
        return false;
    const struct node *first = n->b->list, *other = first == element ? first->next : first;
    struct node alone = *other;
    alone.next = NULL;
    return !find_read(f, &alone, n->list, false) && !find_read(f, n->filter, n->list, false);
}

/* Whether a and b are parameters of d, a the first one (*first) or the second, b the other. */
static bool are_params(const struct decl *d, const struct node *a, const struct node *b,
                       bool *first) {
    const char *names[] = {d->params->name, d->params->next->name};
    *first = a->kind == N_NAME && a->name == names[0];
    return a->kind == N_NAME && b->kind == N_NAME && b->name == names[*first] &&
           a->name == names[!*first];
}

/* "max" or "min" of a def that chooses the greater or the less of its two parameters, as
 * `a if a > b else b`; NULL: it does something else. */
static const char *chosen_by(const struct decl *d) {
    const struct node *v = d->body->list;
    bool value = d->nparams == 2 && d->params->rank == 0 && d->params->next->rank == 0 && v &&
                 !v->next && v->kind == N_RETURN && v->list && !v->list->next && !v->clauses;
    bool chosen, compared;
    v = value ? v->list : NULL;
    if (!v || v->kind != N_COND || v->c->kind != N_BINARY || v->c->op < OP_LT || v->c->op > OP_GE ||
        !are_params(d, v->a, v->b, &chosen) || !are_params(d, v->c->a, v->c->b, &compared))
        return NULL;
    bool greater = v->c->op == OP_GT || v->c->op == OP_GE;
    return greater == (chosen == compared) ? "max" : "min";
}

const struct node *with_extreme(struct fn *f, const struct node *n) {
    struct decl *d = n->op == OP_COUNT && combined_element(n) ? decl_named(f, n->b->name) : NULL;
    const struct local *l = d && d->kind == DECL_DEF ? local_named(f, n->list->name) : NULL;
    const char *name = l && l->array && is_integer(l->array->dtype) ? chosen_by(d) : NULL;
    if (!name)
        return n;
    struct node *own = NEW(f->uc, struct node), *call = NEW(f->uc, struct node);
    *own = *n;
    *call = *n->b;
    own->b = call;
    call->name = intern(f->uc, name, strlen(name));
    call->optional = true; /* the source may have another function of this name */
    d->used = true;
    return own;
}

/* Reports a read of the target other than by the operation itself. */
static bool reads_apart(struct fn *f, const struct node *n) {
    const struct node *read = find_read(f, n->b, n->list, false);
    if (!read)
        read = find_read(f, n->filter, n->list, false);
    if (!read)
        return true;
    fail(f, read->at,
         "'%s' is read while iterations add to it, in any order; read it before, or "
         "behind the definition",
         n->list->name);
    return false;
}

/* Outside of loops, the order in the source is that of execution. */
static bool is_begun(struct fn *f, const struct node *n, const struct array *a) {
    if (a->written || f->nloops > 0)
        return true;
    fail(f, n->list->at, "'%s' has no value yet; give it one first: '%s'", a->name,
         beginning_of(f, a, n->op));
    return false;
}

/* ---- sums over ranges that subscript nothing */

static bool is_subscript(const struct node *target, const struct node *clause) {
    const struct node *s = target->list;
    while (s && !mentions(s, clause->list->name))
        s = s->next;
    return s != NULL;
}

static bool mentions_any_of(const struct node *n, const struct node *clauses) {
    for (; clauses; clauses = clauses->next)
        if (mentions(n, clauses->list->name))
            return true;
    return false;
}

/* Whether the target has an element wherever its own indices are. */
static bool is_always_inside(const struct node *target, const struct node *clauses) {
    for (const struct node *s = target->list; s; s = s->next)
        if (s->kind != N_NAME)
            return false;
    while (clauses && !clauses->a)
        clauses = clauses->next;
    return clauses == NULL;
}

/* Adds a condition to a filter. */
static void add_condition(struct fn *f, const struct node *n, struct node **filter) {
    struct node *copy = NEW(f->uc, struct node), *both;
    *copy = *n;
    copy->next = NULL;
    if (!*filter) {
        *filter = copy;
        return;
    }
    both = node_new(f->uc, N_BINARY, n->at);
    both->op = OP_LAND;
    both->a = *filter;
    both->b = copy;
    *filter = both;
}

/* Shares out the filter n between a definition and the comprehension in it: conditions decide which
 * elements are set up to the first one that depends on the latter's indices.  False: a later one
 * may decide on that too. */
static bool split_filter(struct fn *f, const struct node *n, struct node *sum, struct node *call) {
    if (!n)
        return true;
    if (n->kind == N_BINARY && n->op == OP_LAND)
        return split_filter(f, n->a, sum, call) && split_filter(f, n->b, sum, call);
    bool inner = call->filter || mentions_any_of(n, call->clauses);
    bool outer = mentions_any_of(n, sum->clauses);
    add_condition(f, n, inner ? &call->filter : &sum->filter);
    return !inner || !outer || is_always_inside(sum->list, sum->clauses);
}

/* Makes `y[i] = y[i] + sum(v for j) for i` of n, `y[i] += v for i, j`.  False: that is not what it
 * does. */
static bool make_sum(struct fn *f, const struct node *n, struct node *sum) {
    const char *name = n->op == OP_ADD ? "sum" : "prod";
    struct node **outer = &sum->clauses, *call = node_new(f->uc, N_CALL, n->b->at);
    struct node **inner = &call->clauses, *value = NEW(f->uc, struct node);
    if (n->op != OP_ADD && n->op != OP_MUL)
        return false;
    *sum = *n;
    sum->clauses = sum->filter = NULL;
    for (const struct node *c = n->clauses; c; c = c->next) {
        struct node *copy = NEW(f->uc, struct node), ***end;
        *copy = *c;
        copy->next = NULL;
        end = is_subscript(n->list, c) ? &outer : &inner;
        **end = copy;
        *end = &copy->next;
    }
    for (const struct node *c = sum->clauses; c; c = c->next)
        for (const struct node *in = call->clauses; in; in = in->next)
            if ((c->a && mentions(c->a, in->list->name)) ||
                (c->b && mentions(c->b, in->list->name)) ||
                (c->c && mentions(c->c, in->list->name)))
                return false;
    *value = *n->b;
    value->next = NULL;
    call->mark = n->b->at;
    call->name = intern(f->uc, name, strlen(name));
    call->list = value;
    sum->b = call;
    return sum->clauses && call->clauses && split_filter(f, n->filter, sum, call);
}

/* ---- loops */

/* The body, typed, in a loop over a typed clause. */
static struct node *as_loop(struct fn *f, const struct node *n, const struct node *clause,
                            struct node *body) {
    struct node *t = typed(f, N_FOR, n, no_type), *block = typed(f, N_BLOCK, n, no_type);
    t->list = clause->list;
    t->a = clause->a;
    t->b = clause->b;
    t->c = clause->c;
    block->list = body;
    if (clause->then) {
        struct node *let = NEW(f->uc, struct node);
        *let = *clause->then;
        let->next = body;
        block->list = let;
    }
    t->then = block;
    return t;
}

static struct node *in_loops(struct fn *f, const struct node *n, const struct node *clause,
                             const struct node *filter, struct node *body) {
    if (clause)
        return as_loop(f, n, clause, in_loops(f, n, clause->next, filter, body));
    if (!filter)
        return body;
    struct node *test = typed(f, N_IF, n, no_type);
    test->c = (struct node *)filter;
    test->then = typed(f, N_BLOCK, n, no_type);
    test->then->list = body;
    return test;
}

/* The loops of n around statements, a list, in the scope of its clauses, which t has typed. */
static void check_loops(struct fn *f, const struct node *n, struct node *t,
                        const struct node *statements, struct node ***tail) {
    struct node *body = NULL, **end = &body;
    f->nloops++;
    for (const struct node *s = statements; s; s = s->next) {
        struct node own = *s;
        own.next = NULL;
        (s->kind == N_LET ? check_binding : check_assignment)(f, &own, &end);
    }
    f->nloops--;
    if (body)
        append_statement(tail, in_loops(f, n, t->clauses, t->filter, body));
}

void check_as_loops(struct fn *f, const struct node *n, const struct node *statements,
                    struct node ***tail) {
    struct node *t = typed(f, N_DEFINE, n, no_type);
    struct binding *outside = f->names;
    int guards = f->guards;
    if (open_clauses(f, n, t))
        check_loops(f, n, t, statements, tail);
    close_clauses(f, outside, guards);
}

/* ---- the whole */

/* `y[i] = y[i] + v for i` for `y[i] += v for i`. */
static struct node plain_of(struct fn *f, const struct node *n) {
    struct node plain = *n, *v = node_new(f->uc, N_BINARY, n->at),
                *target = NEW(f->uc, struct node);
    *target = *n->list;
    target->next = NULL;
    v->mark = n->mark;
    v->op = n->op;
    v->a = target;
    v->b = n->b;
    plain.b = v;
    plain.op = OP_COUNT;
    return plain;
}

/* `T(v)`, of the compiler's own. */
static struct node *conversion(struct fn *f, const struct node *v, enum ufc_dtype to) {
    const char *name = dtype_info[to].name;
    struct node *call = node_new(f->uc, N_CALL, v->at), *value = NEW(f->uc, struct node);
    *value = *v;
    value->next = NULL;
    call->mark = v->mark;
    call->name = intern(f->uc, name, strlen(name));
    call->list = value;
    call->optional = true;
    return call;
}

/* `y[k[i]] += -v for i` for `y[k[i]] -= v for i`, with v, typed, as the type of the difference, in
 * which the negative of the least int8 does not wrap, and that of an unsigned number is what it
 * lacks to 2 to the power of its bits.  False, with nothing made: that type has no negatives. */
static bool negated(struct fn *f, const struct node *n, const struct node *v, struct node *sum) {
    struct type own = dtype_type(local_named(f, n->list->name)->array->dtype);
    struct type t = promote(own, v->type);
    if (t.kind != TYPE_DTYPE || t.dtype == DT_BOOL)
        return false;
    bool whole = v->type.kind == TYPE_WEAK_INT && dtype_info[t.dtype].kind == 'u';
    bool converts = v->type.kind == TYPE_DTYPE ? v->type.dtype != t.dtype : whole;
    *sum = *n;
    sum->op = OP_ADD;
    sum->b = node_new(f->uc, N_UNARY, n->b->at);
    sum->b->mark = n->mark;
    sum->b->op = OP_NEG;
    sum->b->a = converts ? conversion(f, n->b, t.dtype) : n->b;
    return true;
}

/* Whether what n adds, in any order, may be added. */
static bool has_operator(struct fn *f, const struct node *n) {
    if (is_any_order(n->op))
        return true;
    fail(f, n->mark, "'%s=' in a definition, which has no order; write '%s'",
         op_info[n->op].spelling, in_order(f, n));
    return false;
}

/* Whether n's value can be combined with its target. */
static bool is_combination(struct fn *f, const struct node *n) {
    struct node plain = n->op == OP_COUNT ? *n : plain_of(f, n);
    const struct array *a = local_named(f, n->list->name)->array;
    struct node *target = check_element_target(f, n->list), *v = check_expr(f, plain.b);
    return target && v && stored(f, v, a->dtype, arena_printf(f->uc, "'%s'", a->name));
}

enum accumulation check_accumulate(struct fn *f, const struct node *n, struct node *t,
                                   struct node ***tail, struct node *instead) {
    bool repeats = find_undetermined(f, n, t) != NULL, combines = n->op != OP_COUNT;
    enum ufc_dtype dtype = local_named(f, n->list->name)->array->dtype;
    bool rounds = dtype != DT_BOOL && !is_integer(dtype);
    if (n->op == OP_SUB && repeats) {
        const struct node *v = check_expr(f, n->b);
        if (!v)
            return ACCUMULATED;
        if (negated(f, n, v, instead))
            return AS_DEFINITION;
    }
    if ((combines && repeats && (!has_operator(f, n) || !reads_apart(f, n))) ||
        !is_begun(f, n, local_named(f, n->list->name)->array))
        return ACCUMULATED;
    if (!repeats)
        *instead = plain_of(f, n);
    bool sums = repeats && combines && make_sum(f, n, instead);
    if (!repeats || (sums && rounds))
        return AS_DEFINITION;
    if (!sums && is_exact(f, n, dtype))
        return is_combination(f, n) ? AS_EXACT : ACCUMULATED;
    struct node own = *n;
    own.kind = N_ASSIGN;
    own.clauses = own.filter = own.next = NULL;
    own.loose = is_loose(f, n, dtype);
    check_loops(f, n, t, &own, tail);
    return sums ? ACCUMULATED : AS_LOOPS;
}
