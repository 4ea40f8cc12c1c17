/* terms.c: the terms of a reduction at several points of a thread of NEST, of which each does what
 * it does under a condition on indices, and the last ranges are short, as those of windows at the
 * edges of images are: each of their points has a copy of the body, in loops over the other ranges.
 *
 * Terms are computed wherever the indices are: subscripts are kept within their arrays, so that all
 * loads are under way together, and variables keep their values where the condition does not hold.
 */
#include "gufunc.h"

/* Copies of the body, for all points; with more of them ptxas spills conditions and addresses. */
enum { COPIED_TERMS = 64, LIGHT_TERM = 48 };

struct terms {
    const struct taking *taking;
    const struct nest *nest;
    int copied;               /* the first range whose points have copies */
    const struct pstmt *when; /* the body, a PS_IF */
    bool outer;               /* which parts of its condition are meant: those that depend on none
                                 of the copied ranges, or the others */
};

/* ---- what bodies do under conditions */

/* Stops at what is dear, may fault, or is an element of a local array. */
static enum walk find_dear(const struct pval *v, void *plan) {
    bool extreme = v->kind == PV_CALL && (v->builtin->id == B_MIN || v->builtin->id == B_MAX);
    bool divides = v->op == OP_DIV || v->op == OP_FLOORDIV || v->op == OP_MOD;
    bool dear = v->kind == PV_OP ? v->op == OP_POW || (divides && is_float(v->dtype))
                                 : v->kind == PV_CALL && !extreme;
    bool local = v->kind == PV_ELEM && v->operand >= ((const struct plan *)plan)->noperands;
    return dear || local || v->checked != 0 ? WALK_STOP : WALK_IN;
}

static enum walk find_loaded(const struct pval *v, void *none) {
    (void)none;
    return v->kind == PV_ELEM || v->kind == PV_TABLE || v->kind == PV_CALL ? WALK_STOP : WALK_IN;
}

static enum walk find_read(const struct pval *v, void *var) {
    return v->kind == PV_VAR && v->var == var ? WALK_STOP : WALK_IN;
}

static bool is_acc(const struct pstmt *s, const struct pvar *var) {
    const struct pacc *a = s->accs;
    while (a != NULL && a->acc != var)
        a = a->next;
    return a != NULL;
}

/* Are all statements of a conditional assignments, to accs or of what later ones use alone? */
static bool are_settings(const struct pstmt *spread, const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        if (s->kind != PS_SET)
            return false;
        for (const struct pstmt *in = list; !is_acc(spread, s->var); in = in->next) {
            if (!value_walk(in->value, find_read, s->var))
                return false;
            if (in == s)
                break;
        }
    }
    return true;
}

/* May what a conditional sets be computed where its condition does not hold, and does that not
 * depend on it? */
static bool is_light_choice(const struct gen *g, const struct pstmt *spread,
                            const struct pstmt *s) {
    if (s->next != NULL || s->other != NULL || !value_walk(s->value, find_loaded, NULL) ||
        !are_settings(spread, s->body) || body_cost(s->body, LIGHT_TERM) >= LIGHT_TERM)
        return false;
    for (const struct pstmt *in = s->body; in != NULL; in = in->next)
        if (!value_walk(in->value, find_dear, (void *)(uintptr_t)g->plan) ||
            !value_walk(s->value, find_read, in->var))
            return false;
    return true;
}

/* Stops at an element that neighbouring points read with others between: threads then are
 * neighbours in the reduction instead, for which registers are few. */
static enum walk find_gaps(const struct pval *v, void *last) {
    int by;
    for (int i = 0; v->kind == PV_ELEM && i < v->nargs; i++)
        if (!value_grows(v->args[i], last, &by) || by > 1 || by < -1)
            return WALK_STOP;
    return WALK_IN;
}

static bool has_gaps(const struct pstmt *definition, const struct pstmt *list) {
    const struct plan_visitor gaps = {.value = find_gaps};
    return !plan_walk(list, &gaps, last_range(definition)->var);
}

/* ---- conditions */

static bool depends_on_copied(const struct terms *x, const struct pval *v) {
    for (int i = x->copied; i < x->nest->n; i++)
        if (!value_walk(v, find_read, x->nest->range[i]->var))
            return true;
    return false;
}

/* i1: those of the parts of a condition that are meant hold. */
static LLVMValueRef parts_hold(struct gen *g, const struct terms *x, const struct pval *v) {
    if (v->kind == PV_OP && v->op == OP_LAND)
        return both(g, parts_hold(g, x, v->args[0]), parts_hold(g, x, v->args[1]));
    return depends_on_copied(x, v) != x->outer ? gen_scalar(g, v)
                                               : LLVMConstInt(i1_type(g), 1, false);
}

/* Subscript i of an element, kept below the size: below 0 it is above that as an unsigned number.
 */
static LLVMValueRef subscript_within(struct gen *g, const struct pval *place, int i) {
    const struct dim *dim = g->plan->operands[place->operand].dims[i];
    LLVMValueRef v = gen_value(g, place->args[i]),
                 last = subtract(g, g->dims[dim->index], i64(g, 1));
    if (g->narrow) {
        v = LLVMBuildTrunc(g->b, v, i32_type(g), "");
        last = LLVMBuildTrunc(g->b, last, i32_type(g), "");
    }
    v = gen_select(g, compare(g, LLVMIntULT, v, last), v, last);
    return g->narrow ? extended(g, v) : v;
}

struct sizes {
    struct gen *g;
    LLVMValueRef some;
};

static enum walk add_sizes(const struct pval *v, void *arg) {
    struct sizes *x = arg;
    for (int i = 0; v->kind == PV_ELEM && i < v->nargs; i++) {
        LLVMValueRef n = x->g->dims[x->g->plan->operands[v->operand].dims[i]->index];
        x->some = both(x->g, x->some, compare(x->g, LLVMIntSGT, n, i64(x->g, 0)));
    }
    return WALK_IN;
}

/* i1: the arrays of which terms read elements have some. */
static LLVMValueRef have_elements(struct gen *g, const struct pstmt *list) {
    struct sizes x = {g, LLVMConstInt(i1_type(g), 1, false)};
    plan_walk(list, &(struct plan_visitor){.value = add_sizes}, &x);
    return x.some;
}

/* ---- terms */

/* What the body's conditional sets, where the parts of its condition that are meant hold. */
static void gen_choice(struct gen *g, const struct terms *x) {
    LLVMValueRef holds = parts_hold(g, x, x->when->value);
    for (const struct pstmt *s = x->when->body; s != NULL; s = s->next) {
        LLVMValueRef slot = var_of(g, s->var)->slot, v = gen_value(g, s->value);
        LLVMValueRef old = LLVMBuildLoad2(g->b, LLVMTypeOf(v), slot, "");
        bool kept = is_acc(x->taking->spread, s->var);
        LLVMBuildStore(g->b, kept ? gen_select(g, holds, v, old) : v, slot);
    }
}

/* The body at all points of ranges i and the next. */
static void gen_copied(struct gen *g, const struct terms *x, int i) {
    if (i == x->nest->n) {
        gen_choice(g, x);
        return;
    }
    const struct prange *r = x->nest->range[i];
    struct gen_var *var = var_of(g, r->var);
    for (int64_t at = (int64_t)r->lo->i; at < (int64_t)r->hi->i; at += (int64_t)r->step->i) {
        var->known = i64(g, (uint64_t)at);
        gen_copied(g, x, i + 1);
    }
    var->known = NULL;
}

/* All copies for one of the thread's points: parts of the condition that do not depend on the
 * copied ranges are tested once. */
static void gen_guarded(struct gen *g, int point, const void *arg) {
    struct terms x = *(const struct terms *)arg;
    const struct pstmt *s = x.taking->spread;
    LLVMValueRef *old = NEWN(g->uc, LLVMValueRef, count_accs(s) + 1);
    (void)point;
    x.outer = true;
    LLVMValueRef holds = parts_hold(g, &x, x.when->value);
    load_accs(g, s->accs, old);
    x.outer = false;
    gen_copied(g, &x, x.copied);
    take_back(g, s->accs, holds, old);
}

/* The terms at all points of ranges i and the next, those before `copied` by loops; of the first
 * range threads that share the points have some each. */
static void gen_looped(struct gen *g, const struct terms *x, int i) {
    const struct nest *n = x->nest;
    if (i == x->copied) {
        at_each_point(g, gen_guarded, x);
        return;
    }
    const struct threads *t = g->threads;
    LLVMValueRef first = i == 0 ? t->number : i64(g, 0), apart = i == 0 ? t->count : i64(g, 1);
    struct loop l = {.keep = true};
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], n->count[i]));
    LLVMValueRef index = add(g, n->lo[i], multiply(g, l.phi[0], n->step[i]));
    LLVMBuildStore(g->b, index, var_of(g, n->range[i]->var)->slot);
    gen_looped(g, x, i + 1);
    LLVMValueRef next = add(g, l.phi[0], apart);
    loop_end(g, &l, &next);
}

/* Finds how terms are taken.  False: not so. */
static bool find_terms(struct gen *g, struct terms *x) {
    const struct pstmt *s = x->taking->spread;
    const struct batch *batch = x->taking->batch;
    if (g->threads->kind != UFC_KERNEL_NEST || g->abreast == NULL || g->abreast->outer != NULL ||
        (batch != NULL && !batch_is_partial(batch)) || s->body->kind != PS_IF ||
        !is_light_choice(g, s, s->body) || has_gaps(g->threads->definition, s->body->body))
        return false;
    x->when = s->body;
    x->copied = 1;
    while (x->copied < x->nest->n &&
           constant_points(x->nest->range[x->copied]) > COPIED_TERMS / points_at_once(g))
        x->copied++;
    return x->copied < x->nest->n;
}

void gen_point_terms(struct gen *g, const struct taking *k, struct nest *n) {
    const struct threads *t = g->threads;
    struct terms x = {.taking = k, .nest = n};
    if (!find_terms(g, &x)) {
        gen_unordered(g, k, n);
        return;
    }
    /* Threads that are more than the first range has indices share all ranges. */
    LLVMValueRef enough = compare(g, LLVMIntSLE, t->count, greatest(g, n->count[0], i64(g, 1)));
    LLVMBasicBlockRef copies = gen_block(g, "copies"), shared = gen_block(g, "shared"),
                      done = gen_block(g, "taken");
    LLVMBuildCondBr(g->b, enough, copies, shared);
    gen_place(g, copies);
    LLVMBasicBlockRef after = begin_if(g, have_elements(g, x.when->body));
    g->subscript = subscript_within;
    gen_looped(g, &x, 0);
    g->subscript = NULL;
    end_if(g, after);
    LLVMBuildBr(g->b, done);
    gen_place(g, shared);
    gen_unordered(g, k, n);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}
