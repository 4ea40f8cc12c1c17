/* points.c: points of a PS_SPREAD on the host, in lanes.  A row, the points along the last range,
 * is computed vector by vector.  The vectors of a short reduction go to several copies of its accs
 * in turn; which copy does not depend on strides, so neither do the bits. */
#include "gufunc.h"

enum { ACC_SIZE = 128 }; /* bytes of an acc of all lanes, at most */

/* ---- whether lanes access neighbouring elements */

/* i1: the lanes access neighbouring elements of v's array.  NULL: v does not vary, or is accessed
 * lane by lane whatever the strides are. */
static LLVMValueRef is_unit(struct gen *g, const struct pval *v, LLVMValueRef step) {
    LLVMValueRef sum = NULL;
    const int *apart;
    if (gen_is_apart(g, v, &apart))
        return compare(g, LLVMIntEQ, g->arrays[v->operand].stride[v->nargs - 1],
                       i64(g, (uint64_t)dtype_info[v->dtype].bits / 8));
    if (gen_lane_gap(g, v) == 0 || !gen_varies(g, v))
        return NULL;
    for (int i = 0; i < v->nargs; i++) {
        int by;
        gen_lane_affine(g, v->args[i], &by);
        LLVMValueRef part =
            multiply(g, g->arrays[v->operand].stride[i], i64(g, (uint64_t)(int64_t)by));
        sum = sum != NULL ? add(g, sum, part) : part;
    }
    uint64_t size = (uint64_t)dtype_info[v->dtype].bits / 8 * (uint64_t)gen_lane_gap(g, v);
    return sum != NULL ? compare(g, LLVMIntEQ, multiply(g, sum, step), i64(g, size)) : NULL;
}

struct units {
    struct gen *g;
    LLVMValueRef step;
    LLVMValueRef all;   /* i1: is_unit of all elements; NULL: of none */
    LLVMValueRef count; /* of how many, i64; NULL: it is not asked for */
};

static enum walk add_unit(const struct pval *v, void *arg) {
    struct units *u = arg;
    struct gen *g = u->g;
    if (v->kind != PV_ELEM || v->operand >= g->plan->noperands)
        return WALK_IN;
    LLVMValueRef unit = is_unit(g, v, u->step);
    u->all = u->all == NULL ? unit : unit == NULL ? u->all : both(g, u->all, unit);
    if (u->count != NULL && unit != NULL)
        u->count = add(g, u->count, LLVMBuildZExt(g->b, unit, i64_type(g), ""));
    return WALK_IN;
}

static enum walk add_loop(const struct pstmt *s, void *units);

static const struct plan_visitor unit_visitor = {.stmt = add_loop, .value = add_unit};

/* Lanes access elements of a loop by what varies there. */
static enum walk add_loop(const struct pstmt *s, void *units) {
    struct units *u = units;
    if (s->kind != PS_LOOP)
        return WALK_IN;
    struct gen *g = u->g, inner = *g;
    inner.varying = gen_varying_in(g, s);
    u->g = &inner;
    plan_walk(s->body, &unit_visitor, u);
    u->g = g;
    return WALK_PAST;
}

LLVMValueRef points_unit(struct gen *g, const struct pstmt *s, LLVMValueRef step) {
    struct units units = {.g = g, .step = step};
    plan_walk(s, &unit_visitor, &units);
    return units.all;
}

LLVMValueRef points_count_units(struct gen *g, const struct pstmt *s, LLVMValueRef step) {
    struct units units = {.g = g, .step = step, .count = i64(g, 0)};
    plan_walk(s, &unit_visitor, &units);
    return units.count;
}

void points_find_unit(struct gen *g, struct spread_fn *p) {
    struct guards guards;
    LLVMValueRef inside;
    guards_find(g, p, &guards);
    g->settled = guards_settle(g, &guards, i64(g, 0), &inside);
    p->digits.vectors = p->stretches.n = 0;
    if (guards.n == 0)
        digits_find(g, p, &p->digits);
    if (guards.n == 0 && p->digits.vectors == 0)
        stretches_find(g, p, &p->stretches);
    if (p->digits.vectors > 0)
        g->settled = digits_settle(g, &p->digits, 0, i64(g, 0));
    else if (p->stretches.n > 0)
        g->settled = stretches_settle(g, &p->stretches);
    p->unit = points_unit(g, p->s->body, p->step[p->n - 1]);
    g->settled = NULL;
}

/* ---- copies of the accs */

/* Makes the slots of copy k those of the accs' variables. */
static void take_copy(struct gen *g, const struct spread_fn *p, int k) {
    int i = 0;
    for (const struct pacc *a = p->s->accs; a != NULL; a = a->next, i++)
        var_of(g, a->acc)->lanes = p->slot[k * p->naccs + i];
}

void points_take_first(struct gen *g, const struct spread_fn *p) {
    take_copy(g, p, 0);
}

/* The operations of a body, choices included. */
static int cost_with_choices(struct gen *g, const struct pstmt *s) {
    bool loads;
    int cost = 0;
    for (; s != NULL && cost < ACC_COPIES_BODY; s = s->next) {
        struct pstmt alone = *s;
        alone.next = NULL;
        cost += gen_is_choice(g, s, &loads)
                    ? value_size(s->value) + body_cost(s->body, ACC_COPIES_BODY)
                    : body_cost(&alone, ACC_COPIES_BODY);
    }
    return cost;
}

void points_make_accs(struct gen *g, struct spread_fn *p) {
    bool is_short = cost_with_choices(g, p->s->body) < ACC_COPIES_BODY;
    p->copies = p->naccs > 0 && is_short ? ACC_COPIES : 1;
    p->slot = NEWN(g->uc, LLVMValueRef, p->copies * p->naccs + 1);
    struct lanes_scope outer = lanes_enter(g, g->vector_lanes);
    for (int k = 0; k < p->copies; k++) {
        int i = 0;
        for (const struct pacc *a = p->s->accs; a != NULL; a = a->next, i++)
            p->slot[k * p->naccs + i] = gen_alloca(g, gen_type(g, a->acc->dtype), "acc");
    }
    lanes_leave(g, outer);
    take_copy(g, p, 0);
}

void points_begin_accs(struct gen *g, const struct spread_fn *p) {
    struct lanes_scope outer = lanes_enter(g, g->vector_lanes);
    for (int k = 1; k < p->copies; k++) {
        int i = 0;
        for (const struct pacc *a = p->s->accs; a != NULL; a = a->next, i++)
            move_slot(g, a->acc, p->slot[i], p->slot[k * p->naccs + i]);
    }
    lanes_leave(g, outer);
}

void points_join_accs(struct gen *g, const struct spread_fn *p) {
    struct lanes_scope outer = lanes_enter(g, g->vector_lanes);
    for (int apart = p->copies / 2; apart > 0; apart /= 2)
        for (int k = 0; k < apart; k++) {
            int i = 0;
            take_copy(g, p, k);
            for (const struct pacc *a = p->s->accs; a != NULL; a = a->next, i++)
                move_slot(g, a->other, p->slot[(k + apart) * p->naccs + i],
                          var_of(g, a->other)->lanes);
            gen_stmts(g, p->s->joined);
        }
    lanes_leave(g, outer);
    take_copy(g, p, 0);
}

void points_of_block(struct gen *g, const struct spread_fn *p, LLVMValueRef begin,
                     LLVMValueRef end) {
    points_begin_accs(g, p);
    points_between(g, p, begin, end);
    points_join_accs(g, p);
}

/* ---- points */

struct lanes_scope points_enter(struct gen *g, const struct spread_fn *p, LLVMValueRef first,
                                LLVMValueRef left, bool unit) {
    const struct pvar *var = p->range[p->n - 1]->var;
    LLVMValueRef step = p->step[p->n - 1];
    LLVMValueRef index = add(g, p->lo[p->n - 1], multiply(g, first, step));
    LLVMBuildStore(g->b, index, var_of(g, var)->slot);
    struct lanes_scope outer = lanes_enter(g, g->vector_lanes);
    g->unit = unit;
    g->whole = left == NULL;
    g->lane_point = first;
    LLVMValueRef apart = LLVMBuildMul(g->b, gen_lane_numbers(g), gen_dynamic_splat(g, step), "");
    LLVMBuildStore(g->b, LLVMBuildAdd(g->b, gen_dynamic_splat(g, index), apart, ""),
                   var_of(g, var)->lanes);
    if (left != NULL)
        gen_active_lanes(g, left);
    return outer;
}

void points_leave(struct gen *g, struct lanes_scope outer) {
    g->lane_point = NULL;
    g->whole = false;
    lanes_leave(g, outer);
}

/* The body for a vector of points. */
static void gen_lanes(struct gen *g, const struct spread_fn *p, LLVMValueRef first,
                      LLVMValueRef left, bool unit) {
    struct lanes_scope outer = points_enter(g, p, first, left, unit);
    gen_stmts(g, p->s->body);
    points_leave(g, outer);
}

void points_vector(struct gen *g, const struct spread_fn *p, LLVMValueRef first,
                   LLVMValueRef left) {
    gen_lanes(g, p, first, left, true);
}

/* `copies` vectors of neighbouring elements at a time from point `at` on, while so many are left.
 * Gives the next point. */
static LLVMValueRef gen_rounds(struct gen *g, const struct spread_fn *p, LLVMValueRef at,
                               LLVMValueRef last, int copies) {
    struct loop l;
    uint64_t lanes = (uint64_t)g->vector_lanes;
    loop_begin(g, &l, 1, &at);
    LLVMValueRef end = add(g, l.phi[0], i64(g, lanes * (uint64_t)copies));
    loop_while(g, &l, compare(g, LLVMIntSLE, end, last));
    l.keep = true;
    for (int k = 0; k < copies; k++) {
        take_copy(g, p, k);
        gen_lanes(g, p, add(g, l.phi[0], i64(g, lanes * (uint64_t)k)), NULL, true);
    }
    take_copy(g, p, 0);
    loop_end(g, &l, &end);
    return l.phi[0];
}

/* The address of copy k (i64) of acc i in `stored`, an array in memory. */
static LLVMValueRef stored_copy(struct gen *g, const struct spread_fn *p, LLVMValueRef stored,
                                LLVMValueRef k, int i) {
    LLVMValueRef n = add(g, k, i64(g, (uint64_t)i * (uint64_t)p->copies));
    LLVMValueRef at = multiply(g, n, i64(g, ACC_SIZE));
    return at_byte(g, stored, at);
}

/* Stores all copies to memory, or loads them if `back`. */
static void store_copies(struct gen *g, const struct spread_fn *p, LLVMValueRef stored, bool back) {
    struct lanes_scope outer = lanes_enter(g, g->vector_lanes);
    for (int k = 0; k < p->copies; k++) {
        int i = 0;
        for (const struct pacc *a = p->s->accs; a != NULL; a = a->next, i++) {
            LLVMValueRef at = stored_copy(g, p, stored, i64(g, (uint64_t)k), i);
            LLVMValueRef slot = p->slot[k * p->naccs + i];
            move_slot(g, a->acc, back ? at : slot, back ? slot : at);
        }
    }
    lanes_leave(g, outer);
}

/* Loads copy k (i64) from memory to the first copy's slots, or stores it if `back`. */
static void use_stored(struct gen *g, const struct spread_fn *p, LLVMValueRef stored,
                       LLVMValueRef k, bool back) {
    int i = 0;
    struct lanes_scope outer = lanes_enter(g, g->vector_lanes);
    for (const struct pacc *a = p->s->accs; a != NULL; a = a->next, i++) {
        LLVMValueRef at = stored_copy(g, p, stored, k, i);
        move_slot(g, a->acc, back ? p->slot[i] : at, back ? at : p->slot[i]);
    }
    lanes_leave(g, outer);
}

/* Whole vectors of elements that are not neighbours, of the row's points [first, last).  One copy
 * of the body, in a loop, takes for each vector the copy of the accs that gen_rounds would.  Gives
 * the next point. */
static LLVMValueRef gen_apart(struct gen *g, const struct spread_fn *p, LLVMValueRef first,
                              LLVMValueRef last) {
    struct loop l;
    LLVMValueRef lanes = i64(g, (uint64_t)g->vector_lanes), k = NULL, stored = NULL;
    uint64_t group = (uint64_t)g->vector_lanes * (uint64_t)p->copies;
    if (p->copies > 1) {
        uint64_t bytes = (uint64_t)ACC_SIZE * (uint64_t)p->copies * (uint64_t)p->naccs;
        stored = gen_alloca(g, LLVMArrayType2(LLVMInt8TypeInContext(g->context), bytes), "accs");
        LLVMSetAlignment(stored, 64);
        store_copies(g, p, stored, false);
    }
    loop_begin(g, &l, 1, &first);
    LLVMValueRef end = add(g, l.phi[0], lanes);
    loop_while(g, &l, compare(g, LLVMIntSLE, end, last));
    l.keep = true;
    if (p->copies > 1) {
        LLVMValueRef n = subtract(g, last, first), done = subtract(g, l.phi[0], first);
        LLVMValueRef grouped = LLVMBuildAnd(g->b, n, i64(g, ~(group - 1)), "");
        k = LLVMBuildUDiv(g->b, LLVMBuildAnd(g->b, done, i64(g, group - 1), ""), lanes, "");
        k = gen_select(g, compare(g, LLVMIntSLT, done, grouped), k, i64(g, 0));
        use_stored(g, p, stored, k, false);
    }
    gen_lanes(g, p, l.phi[0], NULL, false);
    if (p->copies > 1)
        use_stored(g, p, stored, k, true);
    loop_end(g, &l, &end);
    if (p->copies > 1)
        store_copies(g, p, stored, true);
    return l.phi[0];
}

/* Whole vectors of neighbouring elements, of points [first, last), where guards change: those
 * between the changes, and one vector where something does, in turn.  Gives the next point. */
static LLVMValueRef gen_guarded(struct gen *g, const struct spread_fn *p,
                                const struct guards *guards, LLVMValueRef first,
                                LLVMValueRef last) {
    struct loop l;
    LLVMValueRef lanes = i64(g, (uint64_t)g->vector_lanes), inside;
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntSLE, add(g, l.phi[0], lanes), last));
    l.keep = true;
    LLVMValueRef until = guards_until(g, guards, l.phi[0], last);
    g->settled = guards_settle(g, guards, l.phi[0], &inside);
    LLVMValueRef at = gen_rounds(g, p, l.phi[0], gen_select(g, inside, until, l.phi[0]), 1);
    g->settled = NULL;
    LLVMValueRef end = add(g, at, lanes);
    LLVMBasicBlockRef from = LLVMGetInsertBlock(g->b);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntSLE, end, last));
    gen_lanes(g, p, at, NULL, true);
    LLVMBasicBlockRef one = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    LLVMValueRef next = phi2(g, from, at, one, end);
    loop_end(g, &l, &next);
    return l.phi[0];
}

static enum walk find_element(const struct pval *v, void *none) {
    (void)none;
    return v->kind == PV_ELEM ? WALK_STOP : WALK_IN;
}

/* Whether a bound in s, the body of points, is an element: of rows that mostly are short. */
static bool is_element(const struct pstmt *s, const struct pval *bound) {
    for (; s != NULL; s = s->next)
        if (s->kind == PS_SET && bound->kind == PV_VAR && bound->var == s->var &&
            !value_walk(s->value, find_element, NULL))
            return true;
    return false;
}

/* Whether s, in the body of points, is a loop in order, or a reduction that is none of g->rows. */
static bool is_inner_loop(const struct pstmt *body, const struct pstmt *s) {
    if (s->kind != PS_SPREAD || s->accs == NULL)
        return s->kind == PS_FOR;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        if (is_element(body, r->lo) || is_element(body, r->hi))
            return false;
    return true;
}

/* Whether points are loops of one light statement, as sums of columns. */
static bool are_light_loops(const struct pstmt *s) {
    bool loops = false;
    for (const struct pstmt *b = s->body; b != NULL; b = b->next) {
        bool loop = is_inner_loop(s->body, b);
        if (!loop && b->kind != PS_SET && b->kind != PS_PUT)
            return false;
        if (loop && (b->body == NULL || b->body->kind != PS_SET || b->body->next != NULL ||
                     body_cost(b->body, LIGHT_BODY) >= LIGHT_BODY))
            return false;
        loops = loops || loop;
    }
    return loops && s->accs == NULL;
}

/* Several vectors at once, where each point is a short reduction or a light loop: its terms, apart
 * in memory, are then loaded with more of their neighbours, and sums need not wait for one another.
 */
static LLVMValueRef gen_wide(struct gen *g, const struct spread_fn *p, LLVMValueRef first,
                             LLVMValueRef last, int vectors) {
    int lanes = g->vector_lanes;
    while (lanes * vectors > MOST_LANES)
        vectors /= 2;
    if (vectors < 2)
        return first;
    g->vector_lanes *= vectors;
    gen_lane_slots(g, g->vector_lanes);
    LLVMValueRef at = gen_rounds(g, p, first, last, 1);
    g->vector_lanes = lanes;
    gen_lane_slots(g, lanes);
    return at;
}

/* Whole vectors of neighbouring elements, of points [first, last).  Gives the next point. */
static LLVMValueRef gen_neighbours(struct gen *g, const struct spread_fn *p, LLVMValueRef first,
                                   LLVMValueRef last) {
    struct guards guards;
    LLVMValueRef at = first;
    if (p->copies > 1)
        at = gen_rounds(g, p, at, last, p->copies);
    if (g->rows != NULL && g->rows->copies > 1)
        at = gen_wide(g, p, at, last, WIDE_VECTORS);
    if (p->digits.vectors > 0)
        return digits_points(g, p, &p->digits, at, last);
    if (p->stretches.n > 0)
        at = stretches_points(g, p, &p->stretches, at, last);
    guards_find(g, p, &guards);
    if (g->rows == NULL && guards.n == 0 && are_light_loops(p->s))
        at = gen_wide(g, p, at, last, WIDE_LOOPS);
    return guards.n > 0 ? gen_guarded(g, p, &guards, at, last) : gen_rounds(g, p, at, last, 1);
}

/* Points [first, last) of the last range, in lanes, all of the row's elements being neighbours, or
 * not. */
static void gen_lanes_of_row(struct gen *g, const struct spread_fn *p, LLVMValueRef first,
                             LLVMValueRef last, bool unit) {
    LLVMValueRef at = (unit ? gen_neighbours : gen_apart)(g, p, first, last);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntSLT, at, last));
    gen_lanes(g, p, at, subtract(g, last, at), unit);
    end_if(g, after);
}

void points_in_order(struct gen *g, const struct spread_fn *p, LLVMValueRef first,
                     LLVMValueRef last) {
    struct loop l;
    int n = p->n - 1;
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], last));
    l.keep = true;
    LLVMBuildStore(g->b, add(g, p->lo[n], multiply(g, l.phi[0], p->step[n])),
                   var_of(g, p->range[n]->var)->slot);
    gen_stmts(g, p->s->body);
    LLVMValueRef next = add(g, l.phi[0], i64(g, 1));
    loop_end(g, &l, &next);
}

/* Points of little work, in one of many rounds: what is not a whole vector of neighbours goes one
 * by one, unless vectors of all elements can be accessed under a mask. */
static void gen_light_row(struct gen *outer, const struct spread_fn *p, LLVMValueRef first,
                          LLVMValueRef last) {
    struct gen inner = *outer, *g = &inner;
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b);
    LLVMBasicBlockRef after = p->unit != NULL ? begin_if(g, p->unit) : NULL;
    LLVMValueRef at = gen_neighbours(g, p, first, last);
    if (g->target->has_masked != NULL && g->target->has_masked(g, 1)) {
        LLVMBasicBlockRef rest = begin_if(g, compare(g, LLVMIntSLT, at, last));
        gen_lanes(g, p, at, subtract(g, last, at), true);
        end_if(g, rest);
        at = last;
    }
    LLVMBasicBlockRef vectors = LLVMGetInsertBlock(g->b);
    if (after != NULL) {
        end_if(g, after);
        at = phi2(g, before, first, vectors, at);
    }
    g->lanes = 1;
    g->as_lanes = true;
    points_in_order(g, p, at, last);
}

static void gen_row_in_lanes(struct gen *g, const struct spread_fn *p, LLVMValueRef first,
                             LLVMValueRef last) {
    if (p->light) {
        gen_light_row(g, p, first, last);
        return;
    }
    if (p->unit == NULL) {
        gen_lanes_of_row(g, p, first, last, true);
        return;
    }
    LLVMBasicBlockRef unit = gen_block(g, "unit"), apart = gen_block(g, "apart"),
                      done = gen_block(g, "done");
    LLVMBuildCondBr(g->b, p->unit, unit, apart);
    gen_place(g, unit);
    gen_lanes_of_row(g, p, first, last, true);
    LLVMBuildBr(g->b, done);
    gen_place(g, apart);
    const struct rows *rows = g->rows;
    if (rows != NULL && rows->s == NULL) {
        LLVMBasicBlockRef lined = gen_block(g, "lined"), other = gen_block(g, "other");
        LLVMBuildCondBr(g->b, rows->lined, lined, other);
        gen_place(g, lined);
        rows_between(g, p, first, last);
        LLVMBuildBr(g->b, done);
        gen_place(g, other);
        g->rows = NULL;
    }
    if (g->rows != NULL)
        rows_between(g, p, first, last);
    else
        gen_lanes_of_row(g, p, first, last, false);
    g->rows = rows;
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* Points that each reduce rows: long ones and others have code of their own. */
static void gen_row_of_rows(struct gen *g, const struct spread_fn *p, LLVMValueRef first,
                            LLVMValueRef last) {
    const struct rows *rows = g->rows;
    LLVMBasicBlockRef is_long = gen_block(g, "long"), is_short = gen_block(g, "short"),
                      done = gen_block(g, "done");
    LLVMValueRef longest = rows->n;
    for (const struct rows *r = rows->next; r != NULL; r = r->next)
        longest = gen_select(g, compare(g, LLVMIntSGT, r->n, longest), r->n, longest);
    LLVMBuildCondBr(g->b, compare(g, LLVMIntSGE, longest, i64(g, ROW_POINTS)), is_long, is_short);
    gen_place(g, is_long);
    gen_row_in_lanes(g, p, first, last);
    LLVMBuildBr(g->b, done);
    gen_place(g, is_short);
    g->rows = NULL;
    gen_row_in_lanes(g, p, first, last);
    g->rows = rows;
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

static void gen_row(struct gen *g, const struct spread_fn *p, LLVMValueRef first,
                    LLVMValueRef last) {
    (p->s->ordered                           ? points_in_order
     : g->rows != NULL && g->rows->s != NULL ? gen_row_of_rows
                                             : gen_row_in_lanes)(g, p, first, last);
}

/* Sets the indices of the ranges before the last, for a row's number. */
static void set_indices(struct gen *g, const struct spread_fn *p, LLVMValueRef row) {
    for (int i = p->n - 2; i >= 0; i--) {
        LLVMValueRef at = row;
        if (i > 0) {
            row = LLVMBuildUDiv(g->b, at, p->count[i], "");
            at = subtract(g, at, multiply(g, row, p->count[i]));
        }
        LLVMBuildStore(g->b, add(g, p->lo[i], multiply(g, at, p->step[i])),
                       var_of(g, p->range[i]->var)->slot);
    }
}

/* ---- strips of rows */

static enum walk find_variable(const struct pval *v, void *var) {
    return v->kind == PV_VAR && v->var == *(const struct pvar **)var ? WALK_STOP : WALK_IN;
}

static bool mentions(const struct pval *v, const struct pvar *var) {
    return !value_walk(v, find_variable, (void *)&var);
}

struct strip_search {
    const struct spread_fn *p;
    const struct pvar *loop; /* the index of a loop in the points */
};

/* Stops at an element of a loop that rows share: it is of the loop's index and the row's points, of
 * whichever row. */
static enum walk find_shared(const struct pval *v, void *arg) {
    const struct strip_search *x = arg;
    const struct prange *const *range = x->p->range;
    int n = x->p->n;
    bool shared = v->kind == PV_ELEM && mentions(v, x->loop) && mentions(v, range[n - 1]->var) &&
                  !mentions(v, range[n - 2]->var);
    return shared ? WALK_STOP : WALK_IN;
}

/* Points of a strip: so many of one row come before those of the next row, so that what a loop
 * reads for them stays in the cache, as each row of a product reads all of a matrix.  0: rows share
 * nothing, and are whole. */
static int strip_points(const struct gen *g, const struct spread_fn *p) {
    if (p->n < 2 || p->s->accs != NULL || p->s->ordered || g->rows != NULL)
        return 0;
    for (const struct pstmt *s = p->s->body; s != NULL; s = s->next) {
        struct strip_search x = {p, s->kind == PS_FOR                         ? s->var
                                    : s->kind == PS_SPREAD && s->accs != NULL ? s->ranges->var
                                                                              : NULL};
        if (x.loop != NULL && !plan_walk(s->body, &(struct plan_visitor){.value = find_shared}, &x))
            return WIDE_LOOPS * g->vector_lanes;
    }
    return 0;
}

/* The rows' points from `first` to `last` of each, of [begin, end) those that exist. */
static void gen_rows(struct gen *g, const struct spread_fn *p, LLVMValueRef begin, LLVMValueRef end,
                     LLVMValueRef first, LLVMValueRef last) {
    struct loop l;
    LLVMValueRef count = p->count[p->n - 1], row = LLVMBuildUDiv(g->b, begin, count, "");
    loop_begin(g, &l, 1, &row);
    LLVMValueRef at = multiply(g, l.phi[0], count);
    loop_while(g, &l, compare(g, LLVMIntSLT, at, end));
    l.keep = true;
    set_indices(g, p, l.phi[0]);
    LLVMValueRef from = subtract(g, begin, at), to = subtract(g, end, at);
    from = gen_select(g, compare(g, LLVMIntSGT, from, first), from, first);
    gen_row(g, p, from, least(g, to, last));
    LLVMValueRef next = add(g, l.phi[0], i64(g, 1));
    loop_end(g, &l, &next);
}

void points_between(struct gen *g, const struct spread_fn *p, LLVMValueRef begin,
                    LLVMValueRef end) {
    if (p->n == 1) {
        gen_row(g, p, begin, end);
        return;
    }
    struct loop l;
    LLVMValueRef count = p->count[p->n - 1], zero = i64(g, 0);
    int strip = strip_points(g, p);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntSLT, begin, end));
    if (strip == 0) {
        gen_rows(g, p, begin, end, zero, count);
    } else {
        loop_begin(g, &l, 1, &zero);
        loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], count));
        l.keep = true;
        LLVMValueRef next = add(g, l.phi[0], i64(g, (uint64_t)strip));
        gen_rows(g, p, begin, end, l.phi[0], least(g, next, count));
        loop_end(g, &l, &next);
    }
    end_if(g, after);
}
