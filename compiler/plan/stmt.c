/* stmt.c: typed statements → statements of the plan.
 *
 * A `return`, `break` or `continue` with nothing to jump over needs no statement: what follows a
 * conditional with a branch that jumps becomes its other branch.  Only jumps out of loops, and out
 * of conditionals that do not always jump, are PS_LEAVEs, since these cost masks in vector code. */
#include "plan.h"

/* how many nested conditionals may take in what follows them; in deeper ones jumps are PS_LEAVEs */
enum { MAX_NESTED = 64 };

/* The statements behind a list, in it and in the lists around it; never empty. */
struct rest {
    const struct node *list;
    const struct rest *outer;
};

static void lower_list(struct lower *l, const struct node *n, const struct rest *rest);

struct pstmt *stmt_emit(struct lower *l, enum pstmt_kind kind, struct span at) {
    struct pstmt *s = NEW(l->uc, struct pstmt);
    s->kind = kind;
    s->at = at;
    *l->end = s;
    l->end = &s->next;
    return s;
}

/* ---- regions */

static void region_open(struct lower *l, struct region *r, struct span at) {
    r->outside = l->end;
    r->left = false;
    l->end = &r->block;
    l->end = &stmt_emit(l, PS_BLOCK, at)->body;
}

static void region_close(struct lower *l, struct region *r) {
    struct pstmt *body = r->block->body;
    *r->outside = r->left ? r->block : body;
    if (r->left)
        l->end = &r->block->next;
    else if (body == NULL)
        l->end = r->outside;
}

static void emit_leave(struct lower *l, struct region *r, struct span at) {
    stmt_emit(l, PS_LEAVE, at)->target = r->block;
    r->left = true;
}

/* ---- bindings and assignments */

enum { INDEX_NODES = 12 }; /* of an index that a name stands for, at most */

/* By constants alone: divisions by sizes take long, and loops would repeat them. */
static bool divides_index(const struct pval *v) {
    bool divides = v->kind == PV_OP && (v->op == OP_FLOORDIV || v->op == OP_MOD);
    return divides && v->args[1]->kind == PV_CONST && (int64_t)v->args[1]->i > 0;
}

static enum walk find_no_index(const struct pval *v, void *none) {
    (void)none;
    bool sum = v->kind == PV_OP && (v->op == OP_ADD || v->op == OP_SUB || v->op == OP_MUL);
    bool is =
        sum || divides_index(v) || (value_is_atom(v) && v->kind != PV_LOAD && !value_is_mutable(v));
    return is && v->dtype == DT_INT64 ? WALK_IN : WALK_STOP;
}

/* Is v a sum of products of indices and sizes, and of their quotients and remainders?  Subscripts
 * have it in place of its name, so that all see by how much they grow. */
static bool is_index(const struct pval *v) {
    return v->kind == PV_OP && !value_exceeds(v, INDEX_NODES) && value_walk(v, find_no_index, NULL);
}

void lower_bind(struct lower *l, struct local *local, struct pval *v, struct span at) {
    enum ufc_dtype dtype = strong_dtype(local->type);
    bool stays = value_is_atom(v) ? local->is_param || !value_is_mutable(v) : is_index(v);
    v = value_cast(l, v, dtype);
    if (is_half(dtype) && v->kind == PV_VAR && v->var->rounds != dtype)
        stays = false;
    struct variable *var;
    if (stays && (value_is_atom(v) || is_index(v)) && !local->mutable) {
        var = NEW(l->uc, struct variable);
        var->value = *v;
        var->mutable = value_is_atom(v) && value_is_mutable(v);
    } else {
        var = variable_new(l, local->name, dtype);
        var->mutable = local->mutable;
        if (is_half(dtype) && *local->name != '\0' && !local->exact)
            var->pvar.rounds = dtype;
        emit_set(l, var, v, at);
    }
    local->var = &var->pvar;
}

/* The values of a list, or of the single call that gives all of them. */
static struct pval **lower_values(struct lower *l, const struct node *list, int count) {
    struct pval **values = NEWN(l->uc, struct pval *, count);
    if (count > 1 && list->next == NULL && list->kind == N_REDUCE)
        lower_reduces(l, list, count, values);
    else if (count > 1 && list->next == NULL)
        lower_inline(l, list, values);
    else
        for (int i = 0; list != NULL; list = list->next)
            values[i++] = lower_value(l, list);
    return values;
}

static int length(const struct node *list) {
    int n = 0;
    for (; list != NULL; list = list->next)
        n++;
    return n;
}

void lower_binding(struct lower *l, const struct node *n) {
    if (n->list->local->array != NULL) {
        lower_local_array(l, n->list->local->array, n->at);
        return;
    }
    struct pval **values = n->b != NULL ? lower_values(l, n->b, length(n->list)) : NULL;
    const struct node *target = n->list;
    for (int i = 0; target != NULL; target = target->next, i++) {
        struct local *local = target->local;
        struct pval *v = values != NULL ? values[i] : value_zero(l, strong_dtype(local->type));
        if (!local->folded)
            lower_bind(l, local, v, target->at);
    }
}

static bool reads_any(const struct pval *v, const struct node *targets, const struct node *end) {
    for (; targets != end; targets = targets->next)
        if (targets->kind == N_LOCAL && !value_walk(v, find_variable, targets->local->var))
            return true;
    return false;
}

static bool reads_memory(const struct pval *v) {
    return !value_walk(v, find_any_element, NULL);
}

/* The value of v now, in a variable of its own unless it is constant. */
static struct pval *snapshot(struct lower *l, struct pval *v, struct span at) {
    return v->kind == PV_CONST || v->kind == PV_DIM ? v : emit_temporary(l, "aside", v, at);
}

/* For each target that is an element its place, for others NULL.  With several targets, subscripts
 * are evaluated before any assignment. */
static struct pval **lower_places(struct lower *l, const struct node *targets, int count) {
    struct pval **places = NEWN(l->uc, struct pval *, count);
    for (int i = 0; targets != NULL; targets = targets->next, i++) {
        if (targets->kind != N_INDEX)
            continue;
        places[i] = lower_place(l, targets);
        for (int k = 0; k < places[i]->nargs && count > 1; k++)
            places[i]->args[k] = snapshot(l, places[i]->args[k], targets->at);
    }
    return places;
}

/* What a loose statement stores as an operation on its place: without a rounding of wider types,
 * and with the product that was fused with the sum. */
static struct pval *loose_value(struct lower *l, const struct pval *place, struct pval *v) {
    struct pval *op = v;
    while (op->kind == PV_CAST)
        op = op->args[0];
    if (op->kind == PV_FMA)
        op = value_op(l, OP_ADD, op->dtype, op->args[2],
                      value_op(l, OP_MUL, op->dtype, op->args[0], op->args[1]));
    for (int i = 0; i < op->nargs && op->kind == PV_OP && op->nargs == 2; i++) {
        struct pval *own = op->args[i];
        while (own->kind == PV_CAST)
            own = own->args[0];
        if (same_value(own, place))
            return value_op(l, op->op, place->dtype, own,
                            value_cast(l, op->args[1 - i], place->dtype));
    }
    return v;
}

static enum walk find_own(const struct node *n, void *none) {
    (void)none;
    return n->own ? WALK_STOP : WALK_IN;
}

/* Assigns all targets at once: a value that depends on a target is computed before any is set.
 * Where a value reads the target its subscripts are evaluated once, for both. */
static void lower_assign(struct lower *l, const struct node *n) {
    int count = length(n->list);
    const struct pval *outer = l->own;
    struct pval **places = NULL;
    if (!ast_walk(n->b, find_own, NULL)) {
        places = lower_places(l, n->list, count);
        l->own = places[0];
    }
    struct pval **values = lower_values(l, n->b, count);
    l->own = outer;
    const struct node *target = n->list;
    for (int i = 0; target != NULL; target = target->next, i++) {
        values[i] = value_cast(l, values[i], strong_dtype(target->type));
        if (reads_any(values[i], n->list, target) || (count > 1 && reads_memory(values[i])))
            values[i] = snapshot(l, values[i], target->at);
    }
    if (places == NULL)
        places = lower_places(l, n->list, count);
    target = n->list;
    for (int i = 0; target != NULL; target = target->next, i++)
        if (n->loose) {
            struct pstmt **put = l->end;
            emit_put(l, places[i], loose_value(l, places[i], values[i]), target->at);
            (*put)->loose = true;
        } else if (places[i] != NULL)
            emit_put(l, places[i], values[i], target->at);
        else
            emit_set(l, (struct variable *)(void *)target->local->var, values[i], target->at);
}

/* ---- jumps */

static void store_outputs(struct lower *l, struct pval **values, struct span at) {
    const struct plan *p = l->plan;
    for (int k = p->nin; k < p->nin + p->overload->nout; k++) {
        struct pstmt *s = stmt_emit(l, PS_STORE, at);
        s->operand = k;
        s->value = value_cast(l, values[k - p->nin], p->operands[k].dtype);
    }
}

static void set_results(struct lower *l, struct pval **values, struct span at) {
    const struct inst *inst = l->frame->inst;
    struct pval **results = l->frame->results;
    for (int i = 0; i < inst->nresults; i++) {
        if (results[i] == NULL)
            results[i] = &variable_new(l, inst->decl->name, inst->results[i])->value;
        struct variable *var = (struct variable *)(void *)results[i]->var;
        emit_set(l, var, value_cast(l, values[i], inst->results[i]), at);
    }
}

/* The only `return` of an inlined function gives its values directly; others set variables and
 * leave. */
static void give_values(struct lower *l, const struct node *n, bool last) {
    struct frame *f = l->frame;
    struct pval **values = lower_values(l, n->list, f->inst->nresults);
    if (f->results == NULL)
        store_outputs(l, values, n->at);
    else if (last && f->depth == 0 && !f->whole.left)
        for (int i = 0; i < f->inst->nresults; i++)
            f->results[i] = value_cast(l, values[i], f->inst->results[i]);
    else
        set_results(l, values, n->at);
}

static void lower_return(struct lower *l, const struct node *n) {
    bool last = l->frame->last && l->frame->loop == NULL;
    if (n->list != NULL) /* else a gufunc has written its outputs */
        give_values(l, n, last);
    if (!last)
        emit_leave(l, &l->frame->whole, n->at);
}

static void lower_continue(struct lower *l, const struct node *n) {
    if (!l->frame->last)
        emit_leave(l, &l->frame->loop->body, n->at);
}

/* ---- conditionals and loops */

/* Lowers n and then rest into *list. */
static void lower_branch(struct lower *l, struct pstmt **list, const struct node *n,
                         const struct rest *rest) {
    struct pstmt **end = l->end;
    l->end = list;
    l->frame->depth++;
    lower_list(l, n, rest);
    l->frame->depth--;
    l->end = end;
}

/* rest: what follows n, if a branch of it jumps; it becomes part of the branch that does not. */
static void lower_if(struct lower *l, const struct node *n, const struct rest *rest) {
    bool then_jumps = rest != NULL && n->then->leaves;
    struct pstmt *s = NEW(l->uc, struct pstmt);
    s->kind = PS_IF;
    s->at = n->at;
    s->value = lower_value(l, n->c);
    lower_branch(l, &s->body, n->then, then_jumps ? NULL : rest);
    lower_branch(l, &s->other, n->other, then_jumps ? rest : NULL);
    if (s->body == NULL) {
        s->value = value_not(l, s->value);
        s->body = s->other;
        s->other = NULL;
    }
    if (s->body == NULL)
        return;
    *l->end = s;
    l->end = &s->next;
}

static void lower_body(struct lower *l, struct pstmt **list, const struct node *n,
                       struct loop_regions *loop) {
    struct frame *f = l->frame;
    struct frame outer = *f;
    struct pstmt **end = l->end;
    l->end = list;
    f->loop = loop;
    f->last = true;
    f->depth++;
    region_open(l, &loop->body, n->at);
    lower_list(l, n, NULL);
    region_close(l, &loop->body);
    f->loop = outer.loop;
    f->last = outer.last;
    f->depth = outer.depth;
    l->end = end;
}

static void lower_while(struct lower *l, const struct node *n) {
    struct loop_regions loop;
    region_open(l, &loop.whole, n->at);
    struct pstmt *s = stmt_emit(l, PS_LOOP, n->at);
    struct pstmt **end = l->end;
    if (n->leaves) { /* `while True`, left by `return`s */
        lower_body(l, &s->body, n->then, &loop);
        region_close(l, &loop.whole);
        return;
    }
    l->end = &s->body;
    struct pval *condition = lower_value(l, n->c);
    s = stmt_emit(l, PS_IF, n->c->at);
    s->value = condition;
    lower_body(l, &s->body, n->then, &loop);
    l->end = &s->other;
    emit_leave(l, &loop.whole, n->c->at);
    l->end = end;
    region_close(l, &loop.whole);
}

static void lower_for(struct lower *l, const struct node *n) {
    struct local *index = n->list->local;
    struct loop_regions loop;
    struct pval *lo = lower_value(l, n->a), *hi = lower_value(l, n->b), *step;
    if (n->c != NULL) {
        step = lower_value(l, n->c);
    } else {
        step = value_zero(l, DT_INT64);
        step->i = 1;
    }
    struct variable *var = variable_new(l, index->name, DT_INT64);
    var->mutable = index->mutable;
    index->var = &var->pvar;
    set_index_range(var, lo, hi, step);
    region_open(l, &loop.whole, n->at);
    struct pstmt *s = stmt_emit(l, PS_FOR, n->at);
    s->order = n->order;
    s->var = &var->pvar;
    s->lo = lo;
    s->hi = hi;
    s->step = step;
    lower_body(l, &s->body, n->then, &loop);
    region_close(l, &loop.whole);
}

/* ---- statements */

/* A comparison, or a function of one number; NULL: c is none. */
static const struct pval *tested(const struct pval *c) {
    bool of_one = c->kind == PV_CALL && c->nargs == 1;
    bool compares = c->kind == PV_OP && op_info[c->op].kind == OPS_COMPARE;
    return (of_one || compares) && !is_complex(c->args[0]->dtype) ? c : NULL;
}

/* The test whose values a message shows: of `or`, its first condition; NULL: there is none. */
static const struct pval *shown_test(struct lower *l, const struct node *condition,
                                     const struct pval *c) {
    const struct node *first = condition;
    while (first->kind == N_CAST || (first->kind == N_UNARY && first->op == OP_LNOT) ||
           (first->kind == N_BINARY && first->op == OP_LOR))
        first = first->a;
    return tested(first == condition ? c : lower_value(l, first));
}

/* Of `a and b` each is an assertion; b is one where a holds. */
static void lower_condition(struct lower *l, const struct node *n, const struct node *condition) {
    bool both = condition->kind == N_BINARY && condition->op == OP_LAND;
    if (both)
        lower_condition(l, n, condition->a);
    struct pval *c = lower_value(l, both ? condition->a : condition);
    if (both) {
        struct pstmt *holds = stmt_emit(l, PS_IF, n->at), **end = l->end;
        holds->value = c;
        l->end = &holds->body;
        lower_condition(l, n, condition->b);
        l->end = end;
        return;
    }
    const struct pval *test = shown_test(l, condition, c);
    struct pstmt *s = stmt_emit(l, PS_ASSERT, n->at);
    s->value = c;
    mark_assertion(l, s, n);
    if (test != NULL)
        s->lo = value_cast(l, test->args[0], DT_FLOAT64);
    if (test != NULL && test->nargs > 1)
        s->hi = value_cast(l, test->args[1], DT_FLOAT64);
}

static void lower_assert(struct lower *l, const struct node *n) {
    if (l->uc->options->check)
        lower_condition(l, n, n->c);
}

static void lower_statement(struct lower *l, const struct node *n) {
    switch (n->kind) {
    case N_LET:
    case N_VAR: lower_binding(l, n); break;
    case N_ASSIGN: lower_assign(l, n); break;
    case N_IF: lower_if(l, n, NULL); break;
    case N_WHILE: lower_while(l, n); break;
    case N_FOR: lower_for(l, n); break;
    case N_DEFINE: lower_define(l, n); break;
    case N_RETURN: lower_return(l, n); break;
    case N_ASSERT: lower_assert(l, n); break;
    case N_BREAK: emit_leave(l, &l->frame->loop->whole, n->at); break;
    case N_CONTINUE: lower_continue(l, n); break;
    case N_CALL: lower_inline(l, n, NULL); break; /* it sets arrays */
    default: /* N_BLOCK */ lower_list(l, n->list, NULL); break;
    }
}

static bool holds_rest(struct lower *l, const struct node *n) {
    return n->kind == N_IF && l->nested < MAX_NESTED &&
           (n->then->leaves || (n->other != NULL && n->other->leaves));
}

static void lower_list(struct lower *l, const struct node *n, const struct rest *rest) {
    struct frame *f = l->frame;
    while (n != NULL || rest != NULL) {
        if (n == NULL) {
            n = rest->list;
            rest = rest->outer;
            continue;
        }
        const struct node *next = n->next;
        if (n->leaves) {
            next = NULL;
            rest = NULL;
        }
        if (n->kind == N_BLOCK && next == NULL) {
            n = n->list;
            continue;
        }
        bool more = next != NULL || rest != NULL, last = f->last;
        if (more && holds_rest(l, n)) {
            l->nested++;
            lower_if(l, n, &(struct rest){next, rest});
            l->nested--;
            return;
        }
        f->last = last && !more;
        lower_statement(l, n);
        f->last = last;
        n = next;
    }
}

void lower_function(struct lower *l, const struct inst *inst, struct pval **results) {
    struct frame *outer = l->frame, f = {.inst = inst, .results = results, .last = true};
    l->frame = &f;
    region_open(l, &f.whole, inst->body->at);
    lower_list(l, inst->body, NULL);
    region_close(l, &f.whole);
    l->frame = outer;
}
