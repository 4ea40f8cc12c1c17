/* stmt.c: statements of the plan, for any number of lanes.
 *
 * With one lane, structured control flow becomes branches.  With more it becomes masks.  `mask`
 * holds the active lanes; a conditional runs each arm with the lanes that take it.  A construct
 * that can be left (PS_BLOCK, PS_FOR) keeps the lanes that are active after it; PS_LEAVE removes
 * the active lanes from all constructs within its target.  An assignment under a partial mask is a
 * select.  Where all lanes are known to be active no mask is generated. */
#include "build.h"

/* A construct that encloses the statement being generated and can be left. */
struct scope {
    struct scope *outer;
    const struct pstmt *stmt;
    const struct section *section; /* the section that it is in, or NULL */
    LLVMBasicBlockRef end;         /* with one lane */
    LLVMValueRef restore;          /* with several: slot of the lanes that are active after it */
};

/* ---- masks (several lanes) */

static LLVMTypeRef mask_type(struct gen *g) {
    return gen_type(g, DT_BOOL);
}

static LLVMValueRef gen_mask(struct gen *g) {
    return g->all_active ? LLVMConstAllOnes(mask_type(g))
                         : LLVMBuildLoad2(g->b, mask_type(g), g->mask, "mask");
}

static void set_mask(struct gen *g, LLVMValueRef mask) {
    LLVMBuildStore(g->b, mask, g->mask);
    g->all_active = false;
}

void gen_active_lanes(struct gen *g, LLVMValueRef left) {
    LLVMValueRef all = gen_dynamic_splat(g, left);
    set_mask(g, LLVMBuildICmp(g->b, LLVMIntSLT, gen_lane_numbers(g), all, ""));
}

/* Assigns to a slot in the active lanes. */
static void gen_assign(struct gen *g, LLVMValueRef slot, LLVMValueRef v) {
    if (!g->all_active) {
        LLVMValueRef old = LLVMBuildLoad2(g->b, LLVMTypeOf(v), slot, "");
        v = LLVMBuildSelect(g->b, gen_mask(g), v, old, "");
    }
    LLVMBuildStore(g->b, v, slot);
}

/* The statements around the one at hand, up to the one that `escapes` is asked about. */
struct within {
    const struct within *outer;
    const struct pstmt *stmt;
};

static bool leaves(const struct pstmt *s, const struct within *w) {
    for (; s != NULL; s = s->next) {
        if (s->kind == PS_LEAVE) {
            const struct within *inner = w;
            while (inner != NULL && inner->stmt != s->target)
                inner = inner->outer;
            if (inner == NULL)
                return true;
        }
        struct within here = {w, s};
        if (leaves(s->body, &here) || leaves(s->other, &here))
            return true;
    }
    return false;
}

/* Is there a PS_LEAVE in s whose target is outside of s? */
static bool escapes(const struct pstmt *s) {
    struct within here = {NULL, s};
    return leaves(s->body, &here) || leaves(s->other, &here);
}

/* ---- statements */

/* Whether lanes run an arm under masks alone: it is no dearer than a branch, or nearly all lanes
 * take it. */
static bool is_arm_free(struct gen *g, const struct pstmt *body, bool likely) {
    int limit = likely ? LIKELY_ARM : BRANCH_COST;
    return g->target->masks_all && arm_cost(g, body, limit) < limit;
}

/* One arm of a conditional with the lanes of `mask`, skipped where there are none, unless it is
 * `free`.  Gives the lanes that are active after it. */
static LLVMValueRef gen_arm(struct gen *g, const struct pstmt *body, LLVMValueRef mask, bool free) {
    set_mask(g, mask);
    if (free) {
        gen_stmts(g, body);
        return gen_mask(g);
    }
    LLVMBasicBlockRef arm = gen_block(g, "arm"), join = gen_block(g, "join");
    LLVMBuildCondBr(g->b, gen_any(g, mask), arm, join);
    gen_place(g, arm);
    gen_stmts(g, body);
    LLVMBuildBr(g->b, join);
    gen_place(g, join);
    return gen_mask(g);
}

static bool is_straight(const struct pstmt *s) {
    while (s != NULL && (s->kind == PS_SET || s->kind == PS_PUT))
        s = s->next;
    return s == NULL;
}

/* A conditional on lanes that are neighbouring points: there is a copy of the body for all lanes,
 * with vector loads, since mostly all of them pass. */
static void gen_filter(struct gen *g, const struct pstmt *s) {
    LLVMBasicBlockRef all = gen_block(g, "all"), partial = gen_block(g, "some"),
                      join = gen_block(g, "filtered");
    LLVMValueRef c = gen_value(g, s->value);
    LLVMBuildCondBr(g->b, gen_any(g, gen_not(g, c)), partial, all);
    gen_place(g, all);
    gen_stmts(g, s->body);
    LLVMBuildBr(g->b, join);
    gen_place(g, partial);
    gen_arm(g, s->body, c, false);
    LLVMBuildBr(g->b, join);
    gen_place(g, join);
    g->all_active = true;
}

struct choice {
    struct gen *g;
    bool loads;
};

/* Notes elements that can be read under a mask, and stops at others. */
static enum walk find_unmasked(const struct pval *v, void *arg) {
    struct choice *c = arg;
    if (v->kind != PV_ELEM)
        return WALK_IN;
    c->loads = true;
    return gen_varies(c->g, v) && gen_is_affine(c->g, v) && gen_has_masked(c->g, v) ? WALK_IN
                                                                                    : WALK_STOP;
}

bool gen_is_choice(struct gen *g, const struct pstmt *s, bool *loads) {
    struct choice c = {.g = g};
    if (s->kind != PS_IF || s->other != NULL || !is_straight(s->body) ||
        body_cost(s->body, BRANCH_COST + 1) > BRANCH_COST)
        return false;
    for (const struct pstmt *in = s->body; in != NULL; in = in->next)
        if (in->kind != PS_SET || !value_walk(in->value, find_unmasked, &c))
            return false;
    *loads = c.loads;
    return true;
}

static void gen_choice(struct gen *g, const struct pstmt *s) {
    LLVMValueRef c = gen_value(g, s->value);
    set_mask(g, c);
    gen_stmts(g, s->body);
    g->all_active = true;
}

/* Whether two indices differ, which they mostly do. */
static bool differ(const struct pval *v) {
    return v->kind == PV_OP && v->op == OP_NE && v->args[0]->dtype == DT_INT64 &&
           v->args[0]->kind == PV_VAR && v->args[1]->kind == PV_VAR;
}

static void gen_if_masked(struct gen *g, const struct pstmt *s) {
    bool loads;
    if (g->all_active && gen_is_choice(g, s, &loads) && (g->unit || !loads)) {
        gen_choice(g, s);
        return;
    }
    bool free = is_arm_free(g, s->body, differ(s->value));
    if (!free && g->all_active && g->unit && s->other == NULL && is_straight(s->body)) {
        gen_filter(g, s);
        return;
    }
    bool all = g->all_active && !escapes(s);
    LLVMValueRef c = gen_value(g, s->value), before = gen_mask(g);
    LLVMValueRef rest = LLVMBuildAnd(g->b, before, gen_not(g, c), "");
    LLVMValueRef after = gen_arm(g, s->body, LLVMBuildAnd(g->b, before, c, ""), free);
    if (s->other != NULL)
        rest = gen_arm(g, s->other, rest, is_arm_free(g, s->other, false));
    set_mask(g, LLVMBuildOr(g->b, after, rest, ""));
    g->all_active = all;
}

/* A conditional that all active lanes take the same way. */
static void gen_if_branched(struct gen *g, const struct pstmt *s) {
    bool all = g->all_active && (g->lanes == 1 || !escapes(s));
    if (g->lanes > 1 && !all)
        set_mask(g, gen_mask(g));
    LLVMBasicBlockRef then = gen_block(g, "then"), other = gen_block(g, "else");
    LLVMBasicBlockRef join = gen_block(g, "join");
    LLVMBuildCondBr(g->b, gen_scalar(g, s->value), then, other);
    bool outer = g->around.branch;
    g->around.branch = true;
    gen_place(g, then);
    gen_stmts(g, s->body);
    LLVMBuildBr(g->b, join);
    gen_place(g, other);
    gen_stmts(g, s->other);
    LLVMBuildBr(g->b, join);
    gen_place(g, join);
    g->around.branch = outer;
    g->all_active = all;
}

static void enter_scope(struct gen *g, struct scope *scope, const struct pstmt *s) {
    *scope = (struct scope){.outer = g->scope, .stmt = s, .section = g->sections.current};
    if (g->lanes == 1) {
        scope->end = gen_block(g, "end");
    } else {
        scope->restore = gen_alloca(g, mask_type(g), "restore");
        LLVMBuildStore(g->b, gen_mask(g), scope->restore);
    }
    g->scope = scope;
}

/* all: every lane was active on entry. */
static void exit_scope(struct gen *g, bool all) {
    struct scope *scope = g->scope;
    if (g->lanes == 1) {
        LLVMBuildBr(g->b, scope->end);
        gen_place(g, scope->end);
    } else {
        set_mask(g, LLVMBuildLoad2(g->b, mask_type(g), scope->restore, ""));
        g->all_active = all && !escapes(scope->stmt);
    }
    g->scope = scope->outer;
}

static void gen_leave(struct gen *g, const struct pstmt *s) {
    struct scope *to = g->scope;
    if (g->lanes == 1) {
        while (to->stmt != s->target)
            to = to->outer;
        if (to->section != g->sections.current)
            section_leave(g);
        LLVMBuildBr(g->b, to->end);
        gen_place(g, gen_block(g, "unreachable"));
        return;
    }
    LLVMValueRef staying = gen_not(g, gen_mask(g));
    for (; to->stmt != s->target; to = to->outer) {
        LLVMValueRef restore = LLVMBuildLoad2(g->b, mask_type(g), to->restore, "");
        LLVMBuildStore(g->b, LLVMBuildAnd(g->b, restore, staying, ""), to->restore);
    }
    set_mask(g, LLVMConstNull(mask_type(g)));
}

const struct varying *gen_varying_in(struct gen *g, const struct pstmt *s) {
    const struct in_step *step = g->varying->steps;
    while (step != NULL && step->loop != s)
        step = step->next;
    if (step == NULL)
        return g->varying;
    struct varying *found = NEW(g->uc, struct varying);
    *found = *g->varying;
    found->vars = NEWN(g->uc, bool, g->plan->nvars);
    for (int i = 0; i < g->plan->nvars; i++)
        found->vars[i] = g->varying->vars[i] && !step->vars[i];
    return found;
}

static void gen_loop(struct gen *g, const struct pstmt *s) {
    const struct varying *varying = g->varying;
    struct loop l;
    if (g->lanes > 1) {
        set_mask(g, gen_mask(g));
        if (varying != NULL)
            g->varying = gen_varying_in(g, s);
    }
    loop_begin(g, &l, 0, NULL);
    if (g->lanes > 1)
        loop_while(g, &l, gen_mask(g));
    gen_stmts(g, s->body);
    loop_end(g, &l, NULL);
    g->varying = varying;
}

/* Is a loop's step 1 or -1?  The next index is hi at most then, and does not overflow. */
static bool steps_by_one(LLVMValueRef step) {
    int64_t by = LLVMIsAConstantInt(step) != NULL ? LLVMConstIntGetSExtValue(step) : 0;
    return by == 1 || by == -1;
}

/* Is i before hi, in the direction of a step of 1 or -1? */
static LLVMValueRef precedes(struct gen *g, LLVMValueRef i, LLVMValueRef hi, LLVMValueRef step) {
    bool up = LLVMConstIntGetSExtValue(step) > 0;
    return LLVMBuildICmp(g->b, up ? LLVMIntSLT : LLVMIntSGT, i, hi, "");
}

/* Is there an iteration after the one with index i?  Compares the distance to hi, since i + step
 * may overflow. */
static LLVMValueRef for_goes_on(struct gen *g, LLVMValueRef i, LLVMValueRef hi, LLVMValueRef step) {
    LLVMValueRef up = LLVMBuildICmp(g->b, LLVMIntSGT, step, LLVMConstNull(LLVMTypeOf(step)), "");
    LLVMValueRef left =
        LLVMBuildSelect(g->b, up, LLVMBuildSub(g->b, hi, i, ""), LLVMBuildSub(g->b, i, hi, ""), "");
    LLVMValueRef size = LLVMBuildSelect(g->b, up, step, LLVMBuildNeg(g->b, step, ""), "");
    return LLVMBuildICmp(g->b, LLVMIntUGT, left, size, "");
}

void gen_set_index(struct gen *g, const struct pvar *v, LLVMValueRef i) {
    LLVMBuildStore(g->b, g->lanes > 1 && gen_var_varies(g, v) ? gen_dynamic_splat(g, i) : i,
                   gen_slot_of(g, v));
}

void gen_for_uniform(struct gen *g, const struct pstmt *s, LLVMValueRef lo, LLVMValueRef hi,
                     LLVMValueRef step) {
    bool partial = g->lanes > 1 && escapes(s);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b);
    LLVMBasicBlockRef body = gen_block(g, "for"), done = gen_block(g, "done");
    if (partial)
        set_mask(g, gen_mask(g));
    LLVMBuildCondBr(g->b, gen_enters(g, lo, hi, step), body, done);
    gen_place(g, body);
    LLVMValueRef i = LLVMBuildPhi(g->b, LLVMTypeOf(lo), "i");
    LLVMAddIncoming(i, &lo, &before, 1);
    gen_set_index(g, s->var, i);
    gen_stmts(g, s->body);
    LLVMValueRef next =
        LLVMBuildNSWAdd(g->b, i, step, ""); /* taken only where it is not beyond hi */
    LLVMValueRef more =
        steps_by_one(step) ? precedes(g, next, hi, step) : for_goes_on(g, i, hi, step);
    if (partial)
        more = LLVMBuildAnd(g->b, more, gen_any(g, gen_mask(g)), "");
    LLVMBasicBlockRef latch = LLVMGetInsertBlock(g->b);
    LLVMAddIncoming(i, &next, &latch, 1);
    LLVMBuildCondBr(g->b, more, body, done);
    gen_place(g, done);
}

/* A PS_FOR of which the end alone differs between lanes: they have the same index. */
static void gen_for_ends(struct gen *g, const struct pstmt *s, LLVMValueRef lo, LLVMValueRef hi,
                         LLVMValueRef step) {
    struct loop l;
    LLVMValueRef by = gen_dynamic_splat(g, step);
    LLVMValueRef enters = gen_enters(g, gen_dynamic_splat(g, lo), hi, by);
    set_mask(g, LLVMBuildAnd(g->b, gen_mask(g), enters, ""));
    loop_begin(g, &l, 1, &lo);
    loop_while(g, &l, gen_mask(g));
    gen_set_index(g, s->var, l.phi[0]);
    gen_stmts(g, s->body);
    LLVMValueRef goes_on = for_goes_on(g, gen_dynamic_splat(g, l.phi[0]), hi, by);
    set_mask(g, LLVMBuildAnd(g->b, gen_mask(g), goes_on, ""));
    LLVMValueRef next = LLVMBuildAdd(g->b, l.phi[0], step, "");
    loop_end(g, &l, &next);
}

/* A PS_FOR whose bounds or step differ between lanes. */
static void gen_for_masked(struct gen *g, const struct pstmt *s, LLVMValueRef lo, LLVMValueRef hi,
                           LLVMValueRef step) {
    struct loop l;
    set_mask(g, LLVMBuildAnd(g->b, gen_mask(g), gen_enters(g, lo, hi, step), ""));
    loop_begin(g, &l, 1, &lo);
    loop_while(g, &l, gen_mask(g));
    LLVMBuildStore(g->b, l.phi[0], gen_slot_of(g, s->var));
    gen_stmts(g, s->body);
    set_mask(g, LLVMBuildAnd(g->b, gen_mask(g), for_goes_on(g, l.phi[0], hi, step), ""));
    LLVMValueRef next = LLVMBuildAdd(g->b, l.phi[0], step, "");
    loop_end(g, &l, &next);
}

/* Iterations of a loop; -1: its bounds are no constants, or iterations exceed g->copies. */
static int64_t known_iterations(struct gen *g, LLVMValueRef lo, LLVMValueRef hi,
                                LLVMValueRef step) {
    if (!LLVMIsAConstantInt(lo) || !LLVMIsAConstantInt(hi) || !LLVMIsAConstantInt(step))
        return -1;
    int64_t from = LLVMConstIntGetSExtValue(lo), to = LLVMConstIntGetSExtValue(hi);
    int64_t by = LLVMConstIntGetSExtValue(step), most = 1024;
    if (by == 0 || from < -most || from > most || to < -most || to > most || by < -most ||
        by > most)
        return by == 0 ? 0 : -1;
    int64_t n = by > 0 ? (to - from + by - 1) / by : (from - to - by - 1) / -by;
    return n < 0 ? 0 : n <= g->copies ? n : -1;
}

/* Stops at an element that lanes access one by one, unless that may be done before a loop. */
static enum walk find_gathered(const struct pval *v, void *arg) {
    struct gen *g = arg;
    bool gathered = v->kind == PV_ELEM && v->operand < g->plan->noperands && gen_varies(g, v) &&
                    !(g->unit && gen_lane_gap(g, v) > 0) && !gen_exists(g, v);
    return gathered ? WALK_STOP : WALK_IN;
}

/* Whether copies of a loop's body may be written out in lanes: they are not large. */
static bool may_unroll_lanes(struct gen *g, const struct pstmt *s) {
    bool constant = s->lo->kind == PV_CONST && s->hi->kind == PV_CONST && s->step->kind == PV_CONST;
    return g->target->masks_all && constant && !gen_var_varies(g, s->var) &&
           plan_walk(s->body, &(struct plan_visitor){.value = find_gathered}, g);
}

static enum walk find_local_element(const struct pval *v, void *arg) {
    const struct gen *g = arg;
    return v->kind == PV_ELEM && v->operand >= g->plan->noperands ? WALK_STOP : WALK_IN;
}

/* The constant that the end of an ascending loop is at most, where copies of its body let registers
 * hold local arrays; NULL: there is none. */
static const struct pval *greatest_end(struct gen *g, const struct pstmt *s) {
    const struct pval *hi = s->hi;
    bool least = hi->kind == PV_CALL && hi->builtin->id == B_MIN && hi->nargs == 2;
    if (!least || g->lanes > 1 || s->step->kind != PV_CONST || (int64_t)s->step->i <= 0 ||
        plan_walk(s->body, &(struct plan_visitor){.value = find_local_element}, g))
        return NULL;
    return hi->args[0]->kind == PV_CONST   ? hi->args[0]
           : hi->args[1]->kind == PV_CONST ? hi->args[1]
                                           : NULL;
}

/* One copy of the body for each iteration, or for as many as there may be, until the loop ends.
 * False: the loop is not unrolled. */
static bool gen_unrolled(struct gen *g, const struct pstmt *s) {
    if (g->copies == 0 || (g->lanes > 1 && !may_unroll_lanes(g, s)) || escapes(s))
        return false;
    const struct pval *greatest = greatest_end(g, s);
    LLVMValueRef lo = gen_scalar(g, s->lo), step = gen_scalar(g, s->step);
    LLVMValueRef hi = gen_scalar(g, s->hi);
    int64_t n = known_iterations(g, lo, greatest != NULL ? gen_scalar(g, greatest) : hi, step);
    if (n < 0 || (n > 1 && shares_common_points(g, s)))
        return false;
    LLVMBasicBlockRef done = greatest != NULL ? gen_block(g, "unrolled") : NULL;
    int copies = g->copies;
    g->copies = n > 0 ? copies / (int)n : copies;
    for (int64_t i = 0; i < n; i++) {
        if (greatest != NULL) {
            LLVMBasicBlockRef body = gen_block(g, "copy");
            LLVMBuildCondBr(g->b, LLVMBuildICmp(g->b, LLVMIntSLT, lo, hi, ""), body, done);
            gen_place(g, body);
        }
        gen_set_index(g, s->var, lo); /* for functions that share the points of a spread */
        var_of(g, s->var)->known = lo;
        gen_stmts(g, s->body);
        lo = LLVMConstAdd(lo, step);
    }
    if (greatest != NULL) {
        LLVMBuildBr(g->b, done);
        gen_place(g, done);
    }
    var_of(g, s->var)->known = NULL;
    g->copies = copies;
    return true;
}

static bool in_loop(const struct gen *g) {
    const struct scope *scope = g->scope;
    while (scope != NULL && scope->stmt->kind != PS_FOR)
        scope = scope->outer;
    return scope != NULL;
}

/* A PS_FOR in its scope. */
static void gen_iterations(struct gen *g, const struct pstmt *s) {
    bool constant = s->lo->kind == PV_CONST && s->hi->kind == PV_CONST && s->step->kind == PV_CONST;
    bool varies = gen_varies(g, s->lo) || gen_varies(g, s->hi) || gen_varies(g, s->step);
    bool uniform = g->lanes == 1 || constant || !varies;
    if (g->lanes == 1 && g->target->loop != NULL && g->target->loop(g, s))
        return;
    if (uniform && g->target->counts_iterations)
        gen_for_counted(g, s);
    else if (uniform)
        gen_for_uniform(g, s, gen_scalar(g, s->lo), gen_scalar(g, s->hi), gen_scalar(g, s->step));
    else if (!gen_var_varies(g, s->var))
        gen_for_ends(g, s, gen_scalar(g, s->lo), gen_value(g, s->hi), gen_scalar(g, s->step));
    else
        gen_for_masked(g, s, gen_value(g, s->lo), gen_value(g, s->hi), gen_value(g, s->step));
}

void gen_each(struct gen *g, const struct pstmt *s) {
    bool all = g->all_active;
    struct scope scope;
    enter_scope(g, &scope, s);
    struct surrounding outer = loop_enter(g);
    gen_iterations(g, s);
    loop_leave(g, outer);
    exit_scope(g, all);
}

static void gen_for(struct gen *g, const struct pstmt *s) {
    bool whole = !escapes(s);
    if (s->further && g->columns != NULL) {
        gen_for_shared(g, s);
        return;
    }
    if (g->sharing != NULL && g->sharing->loop != NULL && g->sharing->loop(g, s))
        return;
    if (gen_unrolled(g, s) || (g->steps != NULL && g->steps(g, s)) || gen_clipped(g, s) ||
        gen_in_chunks(g, s, in_loop(g)) || (whole && gen_in_copies(g, s)))
        return;
    LLVMBasicBlockRef after = whole ? gen_in_vectors(g, s) : NULL;
    if (!whole || !gen_early(g, s))
        gen_each(g, s);
    if (after != NULL)
        end_if(g, after);
}

static void gen_leavable(struct gen *g, const struct pstmt *s) {
    if (g->sharing != NULL && g->sharing->until != NULL && g->sharing->until(g, s))
        return;
    bool all = g->all_active;
    struct scope scope;
    enter_scope(g, &scope, s);
    gen_stmts(g, s->body);
    exit_scope(g, all);
}

/* One value for all lanes: a variable that varies elsewhere may be in step here, so that it has
 * both slots. */
static void gen_set_same(struct gen *g, const struct pstmt *s) {
    const struct gen_var *var = var_of(g, s->var);
    LLVMValueRef v = gen_scalar(g, s->value);
    LLVMBuildStore(g->b, v, var->slot);
    if (var->lanes != NULL && g->varying->steps != NULL)
        gen_assign(g, var->lanes, gen_dynamic_splat(g, v));
}

static void gen_set(struct gen *g, const struct pstmt *s) {
    bool varies = gen_var_varies(g, s->var);
    if (g->sharing != NULL && g->sharing->set != NULL && g->sharing->set(g, s))
        return;
    if (g->lanes > 1 &&
        (!varies || (g->varying != NULL && g->varying->steps != NULL && !gen_varies(g, s->value))))
        gen_set_same(g, s);
    else
        gen_assign(g, gen_slot_of(g, s->var), gen_value(g, s->value));
}

/* A PS_SPREAD in order. */
static void gen_serial(struct gen *g, const struct pstmt *s) {
    LLVMValueRef columns = g->columns;
    bool reduces = g->reduces;
    g->columns = NULL;
    g->reduces = reduces || s->accs != NULL;
    if (g->in_order == NULL || !g->in_order(g, s))
        gen_stmts(g, s->serial);
    g->columns = columns;
    g->reduces = reduces;
}

/* A PS_SPREAD: shared where it is an outermost one and g->sharing says how, else in order; the
 * latter also where threads that share it do not merge what they store. */
static void gen_spread(struct gen *g, const struct pstmt *s) {
    const struct sharing *sharing = g->sharing;
    if (sharing == NULL || (!s->outermost && !sharing->within) || (s->merged && g->merge == NULL)) {
        gen_serial(g, s);
        return;
    }
    g->sharing = NULL;
    sharing->spread(g, s);
    g->sharing = sharing;
}

/* A PS_FOR with accs or a lag, or one that deals, where threads share it. */
static bool gen_scan(struct gen *g, const struct pstmt *s) {
    const struct sharing *sharing = g->sharing;
    bool any = s->accs != NULL || s->lag != 0 || s->deal != NULL;
    if (!any || sharing == NULL || sharing->scan == NULL)
        return false;
    g->sharing = NULL;
    bool shared = sharing->scan(g, s);
    g->sharing = sharing;
    return shared;
}

/* Whether merging mostly leaves the place as it is: a thread then need not wait for what it has
 * stored just before. */
static bool mostly_leaves(const struct gen *g, const struct pstmt *s) {
    return s->merged && g->lanes == 1 && s->value->kind == PV_CALL;
}

void gen_put_here(struct gen *g, const struct pstmt *s) {
    if (s->merged && g->merge != NULL)
        g->merge(g, s);
    else if (mostly_leaves(g, s))
        gen_merge_alone(g, s);
    else
        gen_store_to(g, s->place, gen_value(g, s->value));
}

/* A PS_PUT.  Each thread stores to its own local arrays; stores to operands may be shared. */
static void gen_put(struct gen *g, const struct pstmt *s) {
    bool shared = s->operand < g->plan->noperands || g->arrays[s->operand].common;
    if (g->sharing != NULL && g->sharing->put != NULL && shared)
        g->sharing->put(g, s);
    else if (!chunk_puts_late(g, s))
        gen_put_here(g, s);
}

static void gen_stmt(struct gen *g, const struct pstmt *s);

/* Copies of a statement for points within outer ones: only for those of the two between which it
 * differs, since what it sets has no more slots. */
static void gen_products(struct gen *g, const struct pstmt *s, const struct abreast *a) {
    bool within = statement_differs(a->inner, s);
    int n = within ? a->points / a->outer->points : a->outer->points;
    for (int k = 0; k < n; k++) {
        struct abreast at = (within ? abreast_at_inner : abreast_at_outer)(a, k);
        abreast_take(g, &at, 0);
        g->abreast = &at;
        gen_stmt(g, s);
    }
}

/* A copy of a statement for each of the points that are generated abreast. */
static void gen_copies(struct gen *g, const struct pstmt *s) {
    const struct abreast *a = g->abreast;
    bool all = s->kind == PS_PUT && g->sharing != NULL && g->sharing->put_all != NULL;
    if (a->outer != NULL) {
        gen_products(g, s, a);
    } else if (!all || !g->sharing->put_all(g, s)) {
        struct begun begun[MAX_BEGUN];
        struct held held[MAX_BEGUN];
        bool holds = gen_hold_elements(g, s, held);
        gen_begin_elements(g, s, begun);
        g->abreast = NULL;
        for (int k = 0; k < a->points; k++) {
            abreast_take(g, a, k);
            gen_stmt(g, s);
        }
        g->nbegun = 0;
        g->nheld = holds ? 0 : g->nheld;
    }
    g->abreast = a;
}

static void gen_stmt(struct gen *g, const struct pstmt *s) {
    if (g->abreast != NULL && statement_differs(g->abreast->varying, s)) {
        gen_copies(g, s);
        return;
    }
    lines_at(g, s->at);
    if ((s->sync || s->sync_blocks || s->sync_portions || s->sync_lanes) && g->sharing != NULL &&
        g->sharing->sync != NULL)
        g->sharing->sync(g, s);
    switch (s->kind) {
    case PS_SET: gen_set(g, s); break;
    case PS_STORE: gen_assign(g, g->outputs[s->operand], gen_value(g, s->value)); break;
    case PS_PUT: gen_put(g, s); break;
    case PS_CLEAR: gen_clear(g, s); break;
    case PS_SPREAD: gen_spread(g, s); break;
    case PS_IF:
        (g->lanes == 1 || !gen_varies(g, s->value) ? gen_if_branched : gen_if_masked)(g, s);
        break;
    case PS_EACH: gen_stmts(g, s->body); break;
    case PS_FOR:
        if (s->shared != NULL && g->sharing != NULL && g->sharing->shares_loops)
            gen_stmts(g, s->shared);
        else if (!gen_scan(g, s))
            gen_for(g, s);
        break;
    case PS_ASSERT: gen_assert(g, s); break;
    case PS_LOOP: gen_loop(g, s); break;
    case PS_BLOCK: gen_leavable(g, s); break;
    case PS_LEAVE: gen_leave(g, s); break;
    }
}

void gen_stmts(struct gen *g, const struct pstmt *s) {
    gen_list(g, s, NULL);
}

void gen_list(struct gen *g, const struct pstmt *s, const struct pstmt *behind) {
    while (s != behind) {
        const struct pstmt *end = section_end(g, s, behind);
        if (end == s) {
            gen_stmt(g, s);
            s = s->next;
            continue;
        }
        section_begin(g, s, end);
        for (; s != end; s = s->next)
            gen_stmt(g, s);
        section_finish(g);
    }
}
