/* quiet.c: ordered loops of which an iteration mostly does nothing, as in searches:
 *
 *     for i in 0..n { if x[i] > best { best = x[i]; at = i } }
 *
 * The condition is computed for vectors of iterations.  Up to the first one in which it holds none
 * changes anything, so that what it was computed of stays as it is: these are passed over.  That
 * one runs, and then the next ones are tested. */
#include "gufunc.h"

enum {
    QUIET_VECTORS = 4, /* vectors that are tested at a time */
    QUIET_NEAR = 8,    /* iterations to the next one that does something, which are few: then */
    QUIET_RUN = 1024,  /* ever more run before the next ones are tested, so many at most */
};

struct quiet {
    struct gen *g;
    const struct pstmt *loop;
    const struct pstmt
        *choice;   /* the last one of the body, a PS_IF behind what it is computed of */
    bool *set;     /* by id: the body sets the variable */
    bool *own;     /* by id: an iteration sets it before it reads it, as nobody else; of these: */
    bool *differs; /* iterations that are tested may have different values of it, */
    bool *changes; /* what those before them do may change it */
    bool leaves;   /* an iteration may be the last one */
    bool varies;   /* an element differs from iteration to iteration */
};

/* ---- which loops */

static enum walk note_set(const struct pstmt *s, void *set) {
    if (s->var != NULL)
        ((bool *)set)[s->var->id] = true;
    return WALK_IN;
}

static enum walk find_leave(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_LEAVE ? WALK_STOP : WALK_IN;
}

/* Stops at what iterations that are tested have different values of. */
static enum walk find_different(const struct pval *v, void *arg) {
    const struct quiet *q = arg;
    return v->kind == PV_VAR && (v->var == q->loop->var || q->differs[v->var->id]) ? WALK_STOP
                                                                                   : WALK_IN;
}

/* Stops at what iterations may change for later ones. */
static enum walk find_changed(const struct pval *v, void *arg) {
    const struct quiet *q = arg;
    bool changed = v->kind == PV_VAR && v->var != q->loop->var &&
                   (q->own[v->var->id] ? q->changes[v->var->id] : q->set[v->var->id]);
    return changed || v->kind == PV_ELEM ? WALK_STOP : WALK_IN;
}

/* What statements are under: conditions that iterations which are tested agree on, and that those
 * before them cannot change. */
struct under {
    struct quiet *q;
    bool nested, same, fixed;
};

/* Stops at an element that iterations might not read if those before them were run. */
static enum walk find_unread(const struct pval *v, void *arg) {
    const struct under *u = arg;
    struct quiet *q = u->q;
    struct gen *g = q->g;
    if (v->kind != PV_ELEM)
        return WALK_IN;
    if (v->operand >= g->plan->noperands)
        return WALK_STOP;
    q->varies = q->varies || gen_varies(g, v);
    if (gen_exists(g, v) || (u->same && value_walk(v, find_different, q)))
        return WALK_IN; /* it exists, or the first one, which is the next to run, reads it */
    bool read = u->fixed && !q->leaves;
    for (int i = 0; read && i < v->nargs; i++)
        read = value_walk(v->args[i], find_changed, q);
    return read ? WALK_IN : WALK_STOP;
}

/* Whether the list, of statements that are tested, reads such elements alone as find_unread passes.
 */
static bool may_read(const struct under *u, const struct pstmt *list) {
    struct quiet *q = u->q;
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        if (!value_walk(s->value, find_unread, (void *)u))
            return false;
        bool same = u->same && value_walk(s->value, find_different, q),
             fixed = u->fixed && value_walk(s->value, find_changed, q);
        if (s->kind == PS_SET) {
            int id = s->var->id;
            q->differs[id] = !same || (u->nested && q->differs[id]);
            q->changes[id] = !fixed || (u->nested && q->changes[id]);
            continue;
        }
        struct under in = {q, true, same, fixed};
        if (!may_read(&in, s->body) || !may_read(&in, s->other))
            return false;
    }
    return true;
}

struct count {
    const struct pvar *var;
    int n;
};

static enum walk count_read(const struct pval *v, void *arg) {
    struct count *c = arg;
    c->n += v->kind == PV_VAR && v->var == c->var;
    return WALK_IN;
}

/* Whether what s, a PS_SET, sets is read behind it in an iteration alone. */
static bool is_read_behind(const struct quiet *q, const struct pstmt *s) {
    struct count all = {s->var, 0}, behind = {s->var, 0};
    const struct plan_visitor all_reads = {.value = count_read, .joined = true};
    plan_walk(q->g->plan->body, &all_reads, &all);
    plan_walk(s->next, &all_reads, &behind);
    return all.n == behind.n;
}

/* Whether s, of the first statements, sets what iterations have of their own alone. */
static bool sets_own(struct quiet *q, const struct pstmt *s, bool always) {
    bool own = s->kind == PS_SET || s->kind == PS_IF;
    if (s->kind == PS_SET) {
        q->own[s->var->id] = q->own[s->var->id] || (always && is_read_behind(q, s));
        return q->own[s->var->id];
    }
    for (const struct pstmt *b = s->body; own && b != NULL; b = b->next)
        own = sets_own(q, b, false);
    for (const struct pstmt *b = s->other; own && b != NULL; b = b->next)
        own = sets_own(q, b, false);
    return own;
}

/* The body's first statements, with the condition as the value of a last one. */
static const struct pstmt *tested(const struct quiet *q) {
    struct pstmt *list = NULL, **end = &list;
    for (const struct pstmt *s = q->loop->body; s != NULL; s = s->next, end = &(*end)->next) {
        *end = NEW(q->g->uc, struct pstmt);
        **end = *s;
        (*end)->next = NULL;
    }
    struct pstmt *last = list;
    while (last->next != NULL)
        last = last->next;
    last->body = NULL;
    return list;
}

/* Whether s is such a loop; q->g: where its iterations are lanes. */
static bool is_quiet(struct quiet *q) {
    const struct pstmt *s = q->loop->body;
    bool one = q->loop->step->kind == PV_CONST && q->loop->step->i == 1 && q->loop->accs == NULL;
    for (; one && s != NULL && s->next != NULL; s = s->next)
        one = sets_own(q, s, true);
    if (!one || s == NULL || s->kind != PS_IF || s->other != NULL)
        return false;
    q->choice = s;
    plan_walk(q->loop->body, &(struct plan_visitor){.stmt = note_set}, q->set);
    q->leaves = !plan_walk(s->body, &(struct plan_visitor){.stmt = find_leave}, NULL);
    return true;
}

/* ---- the loop */

/* Makes q->g the place where iterations are lanes. */
static void take_lanes_of(struct quiet *q, struct gen *lanes, const struct pstmt *list) {
    const struct gen *g = q->g;
    struct varying *varying = nothing_varies(g->uc, g->plan, LANES_POINTS);
    varying->vars[q->loop->var->id] = true;
    vary_by(g->uc, varying, list);
    *lanes = *g;
    lanes->varying = varying;
    lanes->vars = NEWN(g->uc, struct gen_var, g->plan->nvars);
    for (int i = 0; i < g->plan->nvars; i++)
        lanes->vars[i] = g->vars[i];
    lanes->lane_var = q->loop->var;
    lanes->lane_step = i64(lanes, 1);
    lanes->lane_lo = i64(lanes, 0);
    lanes->lane_point = NULL;
    lanes->settled = NULL;
    lanes->rows = NULL;
    lanes->sharing = NULL;
    lanes->whole = true;
    q->g = lanes;
}

/* In lanes: whether the condition holds in the iterations from index `first` on. */
static LLVMValueRef holds_from(const struct quiet *q, const struct pstmt *list,
                               LLVMValueRef first) {
    struct gen *g = q->g;
    const struct gen_var *index = var_of(g, q->loop->var);
    LLVMBuildStore(g->b, first, index->slot);
    struct lanes_scope outer = lanes_enter(g, g->vector_lanes);
    LLVMTypeRef type = gen_type(g, q->loop->var->dtype);
    LLVMValueRef numbers = LLVMBuildIntCast2(g->b, gen_lane_numbers(g), type, true, "");
    LLVMValueRef lanes = LLVMBuildAdd(g->b, gen_dynamic_splat(g, first), numbers, "");
    LLVMBuildStore(g->b, lanes, index->lanes);
    g->unit = true;
    const struct pstmt *choice = list;
    while (choice->next != NULL)
        choice = choice->next;
    gen_list(g, list, choice);
    LLVMValueRef holds = gen_value(g, choice->value);
    lanes_leave(g, outer);
    return holds;
}

/* i64: a bit for each iteration from index `first` on, of so many vectors: it holds there. */
static LLVMValueRef bits_from(const struct quiet *q, const struct pstmt *list, LLVMValueRef first,
                              uint64_t vectors) {
    struct gen *g = q->g;
    LLVMTypeRef word = LLVMIntTypeInContext(g->context, (unsigned)g->vector_lanes);
    LLVMValueRef bits = i64(g, 0);
    for (uint64_t k = 0; k < vectors; k++) {
        LLVMValueRef on = i64(g, k * (uint64_t)g->vector_lanes);
        LLVMValueRef some =
            LLVMBuildBitCast(g->b, holds_from(q, list, add(g, first, on)), word, "");
        some = LLVMBuildShl(g->b, LLVMBuildZExt(g->b, some, i64_type(g), ""), on, "");
        bits = LLVMBuildOr(g->b, bits, some, "");
    }
    return bits;
}

static LLVMValueRef first_of(struct gen *g, LLVMValueRef bits) {
    LLVMTypeRef type = i64_type(g);
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(g->module, gen_intrinsic_id("cttz"), &type, 1);
    LLVMValueRef args[] = {bits, LLVMConstInt(i1_type(g), 1, false)};
    return LLVMBuildCall2(g->b, LLVMGlobalGetValueType(f), f, args, 2, "");
}

/* The loop.  unit: i1, or NULL: neighbours are so in memory. */
static void gen_quiet(struct gen *g, const struct quiet *q, const struct pstmt *list,
                      LLVMValueRef unit) {
    LLVMValueRef hi = gen_scalar(g, q->loop->hi), one = i64(g, 1);
    uint64_t lanes = (uint64_t)g->vector_lanes,
             vectors = lanes * QUIET_VECTORS <= 64 ? QUIET_VECTORS : 64 / lanes;
    LLVMBasicBlockRef test = gen_block(g, "test"), pass = gen_block(g, "pass"),
                      some = gen_block(g, "some"), all = gen_block(g, "all"),
                      run = gen_block(g, "run"), next = gen_block(g, "next");
    struct loop l;
    LLVMValueRef start[] = {gen_scalar(g, q->loop->lo), one}, size = i64(g, vectors * lanes);
    loop_begin(g, &l, 2, start);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], hi));
    l.keep = true;
    LLVMValueRef whole = compare(g, LLVMIntUGE, subtract(g, hi, l.phi[0]), size);
    LLVMBuildCondBr(g->b, unit != NULL ? both(g, unit, whole) : whole, test, all);
    gen_place(g, test);
    LLVMValueRef bits = bits_from(q, list, l.phi[0], vectors);
    LLVMBuildCondBr(g->b, is_set(g, bits), some, pass);
    gen_place(g, pass);
    LLVMValueRef passed = add(g, l.phi[0], size);
    LLVMBuildBr(g->b, next);
    gen_place(g, some);
    LLVMValueRef on = first_of(g, bits), at = add(g, l.phi[0], on), left = subtract(g, hi, at);
    LLVMValueRef twice = least(g, add(g, l.phi[1], l.phi[1]), i64(g, QUIET_RUN)),
                 near = compare(g, LLVMIntULT, on, i64(g, QUIET_NEAR)),
                 length = gen_select(g, near, twice, one);
    LLVMValueRef fewer = compare(g, LLVMIntULT, length, left),
                 end = gen_select(g, fewer, add(g, at, length), hi);
    LLVMBuildBr(g->b, run);
    gen_place(g, all);
    LLVMBuildBr(g->b, run);
    gen_place(g, run);
    LLVMValueRef from = phi2(g, some, at, all, l.phi[0]), to = phi2(g, some, end, all, hi),
                 runs = phi2(g, some, length, all, one);
    gen_for_uniform(g, q->loop, from, to, one);
    LLVMBasicBlockRef ran = LLVMGetInsertBlock(g->b);
    LLVMBuildBr(g->b, next);
    gen_place(g, next);
    LLVMValueRef again[] = {phi2(g, pass, passed, ran, to), phi2(g, pass, l.phi[1], ran, runs)};
    loop_end(g, &l, again);
}

bool host_quiet_loop(struct gen *g, const struct pstmt *s) {
    struct gen lanes;
    struct quiet q = {.g = g, .loop = s, .set = NEWN(g->uc, bool, g->plan->nvars + 1)};
    q.own = NEWN(g->uc, bool, g->plan->nvars + 1);
    q.differs = NEWN(g->uc, bool, g->plan->nvars + 1);
    q.changes = NEWN(g->uc, bool, g->plan->nvars + 1);
    if (g->vector_lanes == 1 || g->vector_lanes > 64 || g->plan->checked ||
        g->sections.current != NULL || s->var->dtype != DT_INT64 || !is_quiet(&q))
        return false;
    const struct pstmt *list = tested(&q);
    take_lanes_of(&q, &lanes, list);
    if (!gen_varies(&lanes, q.choice->value) ||
        !may_read(&(struct under){&q, false, true, true}, list) || !q.varies)
        return false;
    gen_lane_slots(&lanes, g->vector_lanes);
    gen_quiet(g, &q, list, points_unit(&lanes, list, i64(g, 1)));
    return true;
}
