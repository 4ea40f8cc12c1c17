/* sweep.c: SWEEP and WARP_SWEEP, whose blocks have a band of a call's rows each: groups of threads
 * compute all phases of a row, then of the next one.  What reduces down the rows has its accs in
 * shared memory, where each thread has points of its own; then the groups' are joined in order. */
#include "sweep.h"

bool is_down(const struct sweep *w, const struct pstmt *s) {
    return w->g->plan->map.phase[s->phase].cells > 0;
}

bool is_of_sweep(const struct sweep *w, const struct pstmt *s) {
    return s->phase >= w->first && s->phase < w->end;
}

/* The group's threads wait for one another. */
static void meet(struct gen *g) {
    const struct threads *t = g->threads;
    if (t->lane_mask != NULL)
        gpu(g)->warp_barrier(g, t->lane_mask);
    else
        gpu(g)->barrier(g);
}

/* ---- along a row */

void share_row(struct gen *g, const struct pstmt *s) {
    const struct varying *varying = g->varying;
    if (is_brief(s)) {
        gen_stmts(g, s->serial);
        return;
    }
    g->varying = find_varying_within(g->uc, g->plan, s, false);
    gen_share(g, s);
    g->varying = varying;
    join_call(g, s);
}

static enum walk find_stored(const struct pval *v, void *put) {
    const struct pstmt *s = put;
    return v->kind == PV_ELEM && v->operand == s->place->operand ? WALK_STOP : WALK_IN;
}

static enum walk find_read(const struct pstmt *s, void *put) {
    const struct pval *const values[] = {s->value, s->lo, s->hi, s->step};
    bool reads = false;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        reads = reads || !value_walk(values[i], find_stored, put);
    for (int i = 0; s->place != NULL && i < s->place->nargs; i++)
        reads = reads || !value_walk(s->place->args[i], find_stored, put);
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        reads =
            reads || !value_walk(r->lo, find_stored, put) || !value_walk(r->hi, find_stored, put);
    return reads ? WALK_STOP : WALK_IN;
}

/* Whether statements of its phase read what a PS_PUT stores to. */
static bool is_read(struct gen *g, const struct pstmt *put) {
    const struct plan_visitor visitor = {.stmt = find_read};
    const struct pstmt *s = g->plan->body->body;
    while (s->kind != PS_SPREAD || s->phase != put->phase)
        s = s->next;
    return !stmt_walk(s, &visitor, (void *)(uintptr_t)put);
}

/* The group's first thread stores, when all have read what was there.  What comes behind reads what
 * it stored, which decides whether threads come to the next barrier. */
void put_by_first(struct gen *g, const struct pstmt *s) {
    bool read = is_read(g, s);
    if (read)
        meet(g);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, g->threads->number, i64(g, 0)));
    gen_put_here(g, s);
    end_if(g, after);
    if (read)
        meet(g);
}

void share_row_points(struct gen *g, const struct pstmt *s) {
    struct pstmt *points = NEW(g->uc, struct pstmt);
    *points = *s;
    points->ranges = s->ranges->next;
    gen_share(g, points);
}

/* The definition s of the row that its first range's variable is. */
static void gen_along(struct gen *g, const struct pstmt *s) {
    static const struct sharing by_group = {
        .spread = share_row, .put = put_by_first, .within = true};
    if (s->ranges->next != NULL) {
        share_row_points(g, s);
        return;
    }
    g->sharing = &by_group;
    gen_stmts(g, s->body);
    g->sharing = NULL;
}

/* ---- down the rows */

/* Finds where the accs of s are, from *at (i32) on, and moves that behind them.  Groups are so far
 * apart that lanes of the same warp access different banks. */
static void find_column(struct sweep *w, const struct pstmt *s, LLVMValueRef *at,
                        struct column *c) {
    struct gen *g = w->g;
    int k = 0;
    *c = (struct column){.s = s, .reduction = reduction_down(s)};
    find_nest(g, s, &c->nest);
    c->total = LLVMBuildTrunc(g->b, c->nest.total, i32_type(g), "");
    LLVMValueRef few = both(g, w->group, i32(g, WARP - 1));
    c->pitch = both(g, add(g, c->total, i32(g, WARP - 1)), i32(g, (uint32_t)-WARP));
    c->pitch = add(g, c->pitch, few);
    LLVMValueRef words = multiply(g, c->pitch, w->teams);
    for (const struct pacc *a = c->reduction->accs; a != NULL; a = a->next) {
        c->base[k++] = at_byte(g, dynamic_memory(g), extended(g, *at));
        *at = add(g, *at, multiply(g, words, i32(g, (uint32_t)sweep_cell(a))));
    }
}

/* Where acc k of a point, i32, is, of a group. */
static LLVMValueRef cell(struct gen *g, const struct column *c, int k, LLVMTypeRef type,
                         LLVMValueRef team, LLVMValueRef point) {
    LLVMValueRef at = add(g, multiply(g, team, c->pitch), point);
    return LLVMBuildGEP2(g->b, type, c->base[k], &at, 1, "");
}

static LLVMTypeRef word_type(struct gen *g, const struct pacc *a) {
    return sweep_cell(a) == 4 ? i32_type(g) : i64_type(g);
}

void save_point(struct gen *g, const struct column *c, LLVMValueRef team, LLVMValueRef point) {
    int k = 0;
    for (const struct pacc *a = c->reduction->accs; a != NULL; a = a->next, k++) {
        LLVMTypeRef type = gen_type(g, a->acc->dtype);
        LLVMValueRef v = LLVMBuildLoad2(g->b, type, var_of(g, a->acc)->slot, "");
        LLVMBuildStore(g->b, acc_to_word(g, a->acc, v),
                       cell(g, c, k, word_type(g, a), team, point));
    }
}

/* Sets the accs, or, if into_other, the variables that they are joined with. */
static void restore(struct gen *g, const struct column *c, LLVMValueRef team, LLVMValueRef point,
                    bool into_other) {
    int k = 0;
    for (const struct pacc *a = c->reduction->accs; a != NULL; a = a->next, k++) {
        LLVMTypeRef type = word_type(g, a);
        LLVMValueRef word = LLVMBuildLoad2(g->b, type, cell(g, c, k, type, team, point), "");
        LLVMBuildStore(g->b, acc_from_word(g, a->acc, word),
                       var_of(g, into_other ? a->other : a->acc)->slot);
    }
}

void begin_point(struct gen *g, const struct column *c, LLVMValueRef point) {
    LLVMValueRef position[MAX_RANGES];
    take_apart(g, &c->nest, extended(g, point), position);
    for (int i = 0; i < c->nest.n; i++)
        LLVMBuildStore(g->b, position[i], c->nest.slot[i]);
    set_indices(g, &c->nest);
    gen_list(g, c->s->body, c->reduction);
}

/* What a thread does at points of its own; at: the row. */
typedef void at_column(const struct sweep *w, const struct column *c, LLVMValueRef point);

static void begin_column(const struct sweep *w, const struct column *c, LLVMValueRef point) {
    begin_point(w->g, c, point);
    save_point(w->g, c, w->team, point);
}

static void add_row(const struct sweep *w, const struct column *c, LLVMValueRef point) {
    struct gen *g = w->g;
    begin_point(g, c, point);
    LLVMBuildStore(g->b, w->row, var_of(g, c->reduction->ranges->var)->slot);
    restore(g, c, w->team, point, false);
    gen_stmts(g, c->reduction->body);
    save_point(g, c, w->team, point);
}

/* The points from `first` on, each so far from the next, `steps` of them at once. */
static LLVMValueRef gen_steps(const struct sweep *w, const struct column *c, at_column *f,
                              LLVMValueRef first, LLVMValueRef apart, int steps) {
    struct gen *g = w->g;
    struct loop l;
    loop_begin(g, &l, 1, &first);
    LLVMValueRef last = add(g, l.phi[0], multiply(g, apart, i32(g, (uint32_t)steps - 1)));
    loop_while(g, &l, compare(g, LLVMIntULT, last, c->total));
    l.keep = steps > 1;
    for (int i = 0; i < steps; i++)
        f(w, c, add(g, l.phi[0], multiply(g, apart, i32(g, (uint32_t)i))));
    LLVMValueRef next = add(g, last, apart);
    loop_end(g, &l, &next);
    return l.phi[0];
}

/* The thread's points among those of its group. */
static void at_own_columns(const struct sweep *w, const struct column *c, at_column *f, int steps) {
    LLVMValueRef first = w->lane;
    if (steps > 1)
        first = gen_steps(w, c, f, first, w->group, steps);
    gen_steps(w, c, f, first, w->group, 1);
}

/* Stores a part of a point's accs for NEST to join. */
static void put_part(const struct sweep *w, const struct column *c, LLVMValueRef point,
                     LLVMValueRef parts) {
    struct gen *g = w->g;
    const struct threads *t = w->threads;
    uint64_t bytes = g->plan->map.phase[c->s->phase].bytes;
    LLVMValueRef call = multiply(g, extended(g, t->block), param_i64(g, PARAM(calls)));
    LLVMValueRef at = multiply(g, add(g, call, t->call), c->nest.total);
    at = multiply(g, add(g, at, extended(g, point)), i64(g, bytes));
    accs_to_memory(g, c->reduction->accs, add(g, parts, at));
}

/* Joins what the groups have of a point; ends its statements, or leaves a part. */
static void end_column(const struct sweep *w, const struct column *c, LLVMValueRef point,
                       LLVMValueRef parts) {
    struct gen *g = w->g;
    LLVMValueRef one = i32(g, 1);
    struct loop l;
    begin_point(g, c, point);
    restore(g, c, i32(g, 0), point, false);
    loop_begin(g, &l, 1, &one);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], w->teams));
    restore(g, c, l.phi[0], point, true);
    gen_stmts(g, c->reduction->joined);
    LLVMValueRef next = add(g, l.phi[0], one);
    loop_end(g, &l, &next);
    LLVMBasicBlockRef part = gen_block(g, "part"), whole = gen_block(g, "whole"),
                      done = gen_block(g, "ended");
    LLVMBuildCondBr(g->b, compare(g, LLVMIntUGT, w->threads->blocks, one), part, whole);
    gen_place(g, part);
    put_part(w, c, point, parts);
    LLVMBuildBr(g->b, done);
    gen_place(g, whole);
    gen_stmts(g, c->reduction->next);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* Ends a reduction, by all threads of the block.  Gives where the parts of the next one are. */
static LLVMValueRef end_columns(const struct sweep *w, const struct column *c, LLVMValueRef parts) {
    struct gen *g = w->g;
    const struct threads *t = w->threads;
    struct loop l;
    LLVMValueRef first = t->tid;
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], c->total));
    l.keep = true;
    end_column(w, c, l.phi[0], parts);
    LLVMValueRef next = add(g, l.phi[0], t->ntid);
    loop_end(g, &l, &next);
    LLVMValueRef bytes = i64(g, g->plan->map.phase[c->s->phase].bytes);
    LLVMValueRef all = multiply(g, extended(g, t->blocks), param_i64(g, PARAM(calls)));
    return add(g, parts, multiply(g, multiply(g, all, c->nest.total), bytes));
}

/* ---- a sweep */

static int column_steps(const struct column *c) {
    bool light = body_cost(c->reduction->body, POINT_STEPS_BODY) < POINT_STEPS_BODY;
    return light ? POINT_STEPS : 1;
}

/* All phases of the row. */
static void gen_row(struct sweep *w, const struct column *columns) {
    struct gen *g = w->g;
    for (const struct pstmt *s = g->plan->body->body; s != NULL; s = s->next) {
        if (s->kind != PS_SPREAD || !is_of_sweep(w, s))
            continue;
        if (s->sync || s->sync_blocks)
            meet(g);
        if (is_down(w, s)) {
            if (w->held != NULL)
                add_held_row(w, columns);
            else
                at_own_columns(w, columns, add_row, column_steps(columns));
            columns++;
            continue;
        }
        LLVMBuildStore(g->b, w->row, var_of(g, s->ranges->var)->slot);
        if (w->held != NULL)
            gen_held_along(w, s);
        else
            gen_along(g, s);
    }
}

const struct prange *rows_of(const struct sweep *w, const struct pstmt *s) {
    return (is_down(w, s) ? reduction_down(s) : s)->ranges;
}

/* How many rows there are, i64. */
static LLVMValueRef count_rows(struct sweep *w) {
    const struct pstmt *s = w->g->plan->body->body;
    while (s->kind != PS_SPREAD || !is_of_sweep(w, s))
        s = s->next;
    return gen_value(w->g, rows_of(w, s)->hi);
}

/* The block's rows, those of the thread's group. */
static void gen_rows(struct sweep *w, const struct column *columns) {
    struct gen *g = w->g;
    const struct threads *t = w->threads;
    LLVMValueRef rows = count_rows(w), blocks = extended(g, t->blocks), one = i64(g, 1);
    LLVMValueRef each = add(g, rows, subtract(g, blocks, one));
    each = LLVMBuildUDiv(g->b, each, blocks, "");
    LLVMValueRef first = multiply(g, extended(g, t->block), each);
    LLVMValueRef end = least(g, rows, add(g, first, each));
    struct loop l;
    LLVMValueRef last = subtract(g, least(g, rows, end), one);
    first = add(g, first, extended(g, w->team));
    if (w->held != NULL)
        begin_held_rows(w, first, last);
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], end));
    l.keep = true;
    w->row = l.phi[0];
    LLVMValueRef next = add(g, l.phi[0], extended(g, w->teams));
    if (w->held != NULL)
        next_held_row(w, last);
    else
        sweep_fetch(w->ahead, least(g, next, last), w->teams);
    gen_row(w, columns);
    loop_end(g, &l, &next);
}

static void gen_sweep(struct sweep *w) {
    struct gen *g = w->g;
    const struct mapping *m = &g->plan->map;
    struct column *columns = NEWN(g->uc, struct column, w->end - w->first);
    LLVMValueRef at = i32(g, 0), parts = param_i64(g, PARAM(workspace));
    int n = 0;
    g->unstored = UINT32_MAX;
    for (int i = w->first; i < w->end; i++)
        g->unstored &= ~m->stored[i];
    w->ahead = sweep_rows(g);
    w->held = w->threads->kind == UFC_KERNEL_HELD_SWEEP ? find_held_rows(w) : NULL;
    for (const struct pstmt *s = g->plan->body->body; s != NULL; s = s->next) {
        if (is_of_sweep(w, s) && s->kind != PS_SPREAD)
            gen_list(g, s, s->next);
        else if (is_of_sweep(w, s) && is_down(w, s)) {
            find_column(w, s, &at, &columns[n]);
            if (w->held != NULL)
                begin_held_points(w, &columns[n++]);
            else
                at_own_columns(w, &columns[n++], begin_column, 1);
        }
        if (is_of_sweep(w, s) && s->kind == PS_SPREAD)
            sweep_add_phase(w->ahead, s, rows_of(w, s)->var);
    }
    gen_rows(w, columns);
    for (int i = 0; i < n && w->held != NULL; i++)
        save_held_points(w, &columns[i]);
    for (int i = 0; i < n; i++) {
        gpu(g)->barrier(g); /* later ones may read what earlier ones store */
        parts = end_columns(w, &columns[i], parts);
    }
    g->unstored = 0;
}

/* ---- the kernel */

/* Finds the thread's call, its group, and its number in that. */
static void find_group(struct sweep *w) {
    struct gen *g = w->g;
    struct threads *t = w->threads;
    gufunc_find_thread(g, t);
    const struct moved result = {PARAM(result), false};
    LLVMValueRef call, one = i32(g, 1);
    t->phase = param_i32(g, PARAM(phase));
    t->blocks = param_i32(g, PARAM(blocks));
    call = LLVMBuildUDiv(g->b, t->ctaid, t->blocks, "");
    t->block = subtract(g, t->ctaid, multiply(g, call, t->blocks));
    t->call = extended(g, call);
    w->group = t->ntid;
    if (t->kind != UFC_KERNEL_SWEEP) {
        w->group = t->group = param_i32(g, PARAM(group));
        t->lane_mask = gufunc_lane_mask(g, t);
    }
    w->shift = trailing_zeros(g, w->group);
    w->team = LLVMBuildLShr(g->b, t->tid, w->shift, "");
    w->teams = LLVMBuildLShr(g->b, t->ntid, w->shift, "");
    w->lane = both(g, t->tid, subtract(g, w->group, one));
    t->number = t->member = extended(g, w->lane);
    t->count = t->members = extended(g, w->group);
    gufunc_find_place(g, call, &result, 1, &t->results);
    t->results = add(g, param_i64(g, PARAM(results)), t->results);
}

/* A PS_PUT outside of PS_SPREADs, which NEST stores. */
static void leave_put(struct gen *g, const struct pstmt *s) {
    (void)g, (void)s;
}

/* Computes the sweep that begins at a phase where the launch is its, and ends. */
static void gen_own_sweep(struct gen *g, struct threads *t, struct sweep *w, int phase) {
    LLVMBasicBlockRef own = gen_block(g, "sweep"), other = gen_block(g, "other");
    w->first = phase;
    w->end = phase + (int)g->plan->map.phase[phase].sweep;
    LLVMValueRef is = compare(g, LLVMIntEQ, t->phase, i32(g, (uint32_t)phase));
    LLVMBuildCondBr(g->b, is, own, other);
    gen_place(g, own);
    const struct sharing *sharing = g->sharing;
    g->sharing = NULL;
    gen_sweep(w);
    g->sharing = sharing;
    LLVMBuildBr(g->b, t->end);
    gen_place(g, other);
}

void gen_sweep_kernel(struct gen *g, struct threads *t) {
    static const struct sharing passing = {
        .spread = pass_spread, .put = leave_put, .scan = pass_scan};
    const struct mapping *m = &g->plan->map;
    struct sweep w = {.g = g, .threads = t};
    int last = -1, begun = -1;
    for (int i = 0; i < m->phases; i++)
        last = m->phase[i].sweep > 0 ? i : last;
    find_group(&w);
    t->sweep = &w;
    t->end = gen_block(g, "end");
    gen_variables(g, 1);
    gen_local_arrays(g);
    g->merge = gen_merge;
    g->sharing = &passing;
    for (const struct pstmt *s = g->plan->body->body; s != NULL && begun < last; s = s->next) {
        if (s->phase > begun && m->phase[s->phase].sweep > 0)
            gen_own_sweep(g, t, &w, s->phase);
        begun = s->phase;
        if (begun < last)
            gen_list(g, s, s->next);
    }
    gufunc_leave_call(g, t);
}
