/* copies.c: loops that have copies of their bodies, so that the loads of several iterations are
 * under way at once. */
#include "body.h"
#include "build.h"

/* The range of a loop: its body may set variables that its ends and its step are. */
struct turns {
    LLVMValueRef lo, step, n;
    const struct wide *wide; /* NULL: rows need not be aligned, */
    const struct run *run;   /* nor have no gaps */
};

static struct turns gen_turns(struct gen *g, const struct pstmt *s) {
    struct turns r = {.lo = gen_scalar(g, s->lo)};
    LLVMValueRef hi = gen_scalar(g, s->hi);
    r.step = gen_scalar(g, s->step);
    r.n = gen_count(g, r.lo, hi, r.step);
    return r;
}

/* The turns turn, turn + columns, …, so many of them.  Gives the next turn.  The first is a
 * multiple of `aligned`. */
static LLVMValueRef gen_copies(struct gen *g, const struct pstmt *s, const struct turns *r,
                               LLVMValueRef turn, LLVMValueRef columns, int copies, int aligned) {
    struct gen_array *arrays = g->arrays;
    struct beside turns = {.var = s->var, .first = turn};
    if (r->wide != NULL && (unsigned)aligned * r->wide->element >= WIDE_BYTES) {
        g->beside = &turns;
        g->arrays = r->wide->arrays;
    }
    struct run run;
    if (r->run != NULL) {
        run = *r->run;
        run.first = add(g, r->lo, multiply(g, turn, r->step));
        g->run = &run;
    }
    for (; turns.copy < copies; turns.copy++) {
        run.copy = turns.copy;
        gen_set_index(g, s->var, add(g, r->lo, multiply(g, turn, r->step)));
        gen_stmts(g, s->body);
        turn = add(g, turn, columns);
    }
    if (r->wide != NULL)
        g->beside = NULL;
    g->run = NULL;
    g->arrays = arrays;
    return turn;
}

/* The turns from `turn` on of a loop, `copies` at a time while so many are left.  Gives the next
 * turn. */
static LLVMValueRef gen_columns(struct gen *g, const struct pstmt *s, const struct turns *r,
                                LLVMValueRef turn, LLVMValueRef columns, int copies) {
    struct loop l;
    LLVMValueRef far = multiply(g, columns, i64(g, (uint64_t)copies - 1));
    loop_begin(g, &l, 1, &turn);
    loop_while(g, &l, compare(g, LLVMIntSLT, add(g, l.phi[0], far), r->n));
    LLVMValueRef next = gen_copies(g, s, r, l.phi[0], columns, copies, copies);
    loop_end(g, &l, &next);
    return l.phi[0];
}

/* The turns from `turn` on, which are fewer than 2 * copies: those that a bit of their number tells
 * of, half as many each time, since loops that are so short are mostly tests. */
static void gen_rest(struct gen *g, const struct pstmt *s, const struct turns *r, LLVMValueRef turn,
                     int copies) {
    for (; copies > 0; copies /= 2) {
        LLVMValueRef some = both(g, r->n, i64(g, (uint64_t)copies));
        LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntNE, some, i64(g, 0)));
        gen_copies(g, s, r, turn, i64(g, 1), copies, 2 * copies);
        end_if(g, after);
        turn = add(g, turn, some);
    }
}

void gen_for_shared(struct gen *g, const struct pstmt *s) {
    LLVMValueRef columns = g->columns;
    const struct turns r = gen_turns(g, s);
    g->columns = NULL;
    LLVMValueRef turn = g->column;
    if (body_cost(s->body, POINT_STEPS_BODY) < POINT_STEPS_BODY)
        turn = gen_columns(g, s, &r, turn, columns, POINT_STEPS);
    gen_columns(g, s, &r, turn, columns, 1);
    g->columns = columns;
}

static enum walk find_store(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_PUT || s->kind == PS_CLEAR ? WALK_STOP : WALK_IN;
}

static enum walk find_element(const struct pval *v, void *arg) {
    const struct gen *g = arg;
    return v->kind == PV_ELEM && v->operand < g->plan->noperands ? WALK_STOP : WALK_IN;
}

static enum walk count_words(const struct pval *v, void *words) {
    if (v->kind == PV_ELEM)
        *(int *)words += (int)dtype_traits[v->dtype].bits > 32 ? 2 : 1;
    return WALK_IN;
}

/* Iterations whose loads are under way at once, while so many are left: a thread that has few
 * points hardly waits for anything else.  Long reductions have more threads instead, unless they
 * are loops that must keep their order; and those that conditions leave of a loop are few. */
static int most_copies(const struct gen *g, const struct pstmt *s) {
    int words = 0, copies = g->ahead;
    plan_walk(s->body, &(struct plan_visitor){.value = count_words}, &words);
    while (!g->reduces && g->abreast == NULL && g->settled == NULL && 2 * copies <= AHEAD_STEPS &&
           2 * copies * words <= AHEAD_WORDS)
        copies *= 2;
    return copies;
}

/* All turns of a loop. */
static void gen_all(struct gen *g, const struct pstmt *s, const struct turns *r) {
    LLVMValueRef turn = i64(g, 0);
    for (int copies = most_copies(g, s); copies > 0; copies = copies > g->ahead ? g->ahead : 0)
        turn = gen_columns(g, s, r, turn, i64(g, 1), copies);
    gen_rest(g, s, r, turn, g->ahead / 2);
}

bool gen_in_copies(struct gen *g, const struct pstmt *s) {
    if (g->ahead <= 1 || g->lanes > 1 || body_cost(s->body, POINT_STEPS_BODY) >= POINT_STEPS_BODY ||
        !plan_walk(s->body, &(struct plan_visitor){.stmt = find_store}, NULL) ||
        plan_walk(s->body, &(struct plan_visitor){.value = find_element}, g))
        return false;
    struct turns r = gen_turns(g, s);
    struct wide wide;
    struct run run;
    LLVMValueRef rows = g->abreast == NULL || g->reduces ? gen_wide_rows(g, s, &wide) : NULL;
    bool is_wide = rows != NULL;
    if (!is_wide && g->abreast == NULL && !g->reduces)
        rows = gen_find_run(g, s, &run);
    if (rows == NULL) {
        gen_all(g, s, &r);
        return true;
    }
    LLVMBasicBlockRef aligned = gen_block(g, "wide"), other = gen_block(g, "narrow"),
                      done = gen_block(g, "done");
    LLVMBuildCondBr(g->b, rows, aligned, other);
    gen_place(g, other);
    gen_all(g, s, &r);
    LLVMBuildBr(g->b, done);
    gen_place(g, aligned);
    r.wide = is_wide ? &wide : NULL;
    r.run = is_wide ? NULL : &run;
    gen_all(g, s, &r);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    return true;
}

/* ---- loops that might be all copies */

/* Looks for a variable that a loop's index makes.  That it is a subscript helps nothing. */
static enum walk find_made(const struct pval *v, void *found) {
    const struct varying *made = *(const struct varying *const *)found;
    if (v->kind != PV_ELEM)
        return v->kind == PV_VAR && made->vars[v->var->id] ? WALK_STOP : WALK_IN;
    for (int i = 0; i < v->nargs; i++)
        if (v->args[i]->kind != PV_VAR && value_varies(made, v->args[i]))
            return WALK_STOP;
    return WALK_PAST;
}

struct common_points {
    const struct varying *made; /* by the loop's index */
    bool any;
};

static enum walk find_common(const struct pstmt *s, void *points) {
    struct common_points *c = points;
    if (s->kind != PS_SPREAD || !s->outermost || constant_points(s->ranges) <= UNROLLED_POINTS)
        return WALK_IN;
    c->any = true;
    bool made = !stmt_walk(s, &(struct plan_visitor){.value = find_made, .joined = true}, &c->made);
    return made ? WALK_STOP : WALK_PAST;
}

bool shares_common_points(struct gen *g, const struct pstmt *s) {
    if (g->sharing == NULL)
        return false;
    struct varying *made = nothing_varies(g->uc, g->plan, LANES_CALLS);
    made->vars[s->var->id] = true;
    vary_by(g->uc, made, s->body);
    struct common_points c = {made, false};
    return plan_walk(s->body, &(struct plan_visitor){.stmt = find_common}, &c) && c.any;
}
