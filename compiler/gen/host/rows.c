/* rows.c: definitions whose points are reductions of long rows, as a matrix times a vector, or sums
 * of two such.  Where neighbouring points access neighbouring elements, the points are the lanes,
 * and each reduces its row in turn; else the points come one by one, and the row is cut into lanes.
 * Both group the row's elements in the same way, so that layouts change no bit: element k of a
 * block goes to the acc that it has in lanes, accs are joined by halves, and the results of blocks
 * as blocks.c does.  Points that define rows, as those of an elimination, come one by one, too,
 * where neighbours are so in the rows alone. */
#include "gufunc.h"

/* ---- which reductions are rows */

struct inner {
    bool *set; /* by id: the points' body sets the variable */
};

static enum walk note_set(const struct pstmt *s, void *arg) {
    const struct inner *in = arg;
    if (s->var != NULL)
        in->set[s->var->id] = true;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        in->set[r->var->id] = true;
    return WALK_IN;
}

static enum walk find_set(const struct pval *v, void *arg) {
    const struct inner *in = arg;
    return v->kind == PV_ELEM || (v->kind == PV_VAR && in->set[v->var->id]) ? WALK_STOP : WALK_IN;
}

struct index {
    struct gen *g;
    const struct pvar *var;
};

static enum walk find_index(const struct pval *v, void *arg) {
    const struct index *in = arg;
    return v->kind == PV_VAR && v->var == in->var ? WALK_STOP : WALK_IN;
}

/* Stops at an element of which one subscript has the row's index and the lanes': a window's, whose
 * neighbours in the row are neighbouring points' too. */
static enum walk find_window(const struct pval *v, void *arg) {
    struct index *in = arg;
    for (int i = 0; v->kind == PV_ELEM && i < v->nargs; i++)
        if (gen_varies(in->g, v->args[i]) && !value_walk(v->args[i], find_index, in))
            return WALK_STOP;
    return WALK_IN;
}

/* g, with the points of s as lanes. */
static struct gen enter_row(const struct gen *outer, const struct pstmt *s,
                            const struct spread_fn *q) {
    struct gen inner = *outer, *g = &inner;
    g->vars = NEWN(g->uc, struct gen_var, g->plan->nvars);
    memcpy(g->vars, outer->vars, (size_t)g->plan->nvars * sizeof *g->vars);
    g->varying = find_varying_within(g->uc, g->plan, s, true);
    g->lanes = 1;
    gen_lane_slots(g, g->vector_lanes);
    g->all_active = true;
    g->rows = NULL;
    g->lane_var = q->range[0]->var;
    g->lane_step = q->step[0];
    g->lane_lo = q->lo[0];
    return inner;
}

/* A bound of the row `until` of a list: what its variable is set to before it, if the list does
 * that once. */
static struct pval *bound_of(const struct pstmt *list, const struct pstmt *until, struct pval *v) {
    struct pval *value = v;
    int n = 0;
    for (const struct pstmt *s = list; s != until; s = s->next)
        if (v->kind == PV_VAR && s->var == v->var) {
            value = s->value;
            n++;
        }
    return n == 1 ? value : v;
}

/* s, a row of a list, for before the list: with what its bounds are set to there. */
static struct pstmt row_before(struct gen *g, const struct pstmt *list, const struct pstmt *s) {
    struct pstmt row = *s;
    row.ranges = NEW(g->uc, struct prange);
    *row.ranges = *s->ranges;
    row.ranges->lo = bound_of(list, s, s->ranges->lo);
    row.ranges->hi = bound_of(list, s, s->ranges->hi);
    return row;
}

/* Whether s, in the body of the points, is a reduction of a row, which *row becomes. */
static bool find_row(struct gen *g, const struct spread_fn *p, const struct pstmt *s,
                     struct inner *in, struct rows *row) {
    if (s->ordered || s->accs == NULL || s->ranges->next != NULL || has_loop(s->body) ||
        gen_var_varies(g, s->ranges->var))
        return false;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        if (!gen_var_varies(g, a->acc)) /* the row is the same for all lanes */
            return false;
    const struct pstmt before = row_before(g, p->s->body, s);
    if (!value_walk(before.ranges->lo, find_set, in) ||
        !value_walk(before.ranges->hi, find_set, in) ||
        !value_walk(before.ranges->step, find_set, in))
        return false;
    struct index index = {g, s->ranges->var};
    if (!plan_walk(s->body, &(struct plan_visitor){.value = find_window}, &index))
        return false;
    struct spread_fn q;
    find_ranges(g, &before, &q);
    struct gen lanes = enter_row(g, &before, &q);
    points_make_accs(&lanes, &q);
    points_find_unit(&lanes, &q);
    *row = (struct rows){
        .s = s, .lanes = g->vector_lanes, .copies = q.copies, .n = q.total, .lined = q.unit};
    return q.unit != NULL;
}

bool rows_find(struct gen *g, const struct spread_fn *p, struct rows *rows) {
    struct inner in = {NEWN(g->uc, bool, g->plan->nvars)};
    struct rows *row = NULL;
    if (g->plan->nlocals > 0)
        return false;
    plan_walk(p->s, &(struct plan_visitor){.stmt = note_set}, &in);
    for (const struct pstmt *s = p->s->body; s != NULL; s = s->next) {
        if (s->kind == PS_SET || s->kind == PS_PUT)
            continue;
        if (s->kind != PS_SPREAD)
            return false;
        row = row == NULL ? rows : (row->next = NEW(g->uc, struct rows));
        if (!find_row(g, p, s, &in, row))
            return false;
    }
    return row != NULL;
}

/* The row that s reduces; NULL: it is none of g->rows. */
static const struct rows *row_of(const struct gen *g, const struct pstmt *s) {
    const struct rows *row = g->rows;
    while (row != NULL && row->s != s)
        row = row->next;
    return row;
}

/* ---- definitions of rows */

/* Whether all ranges of s have few points. */
static bool is_little(const struct pstmt *s) {
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        if (constant_points(r) > BRIEF_POINTS)
            return false;
    return !has_loop(s->body);
}

/* Whether s, in points, defines a row that may be in lanes. */
static bool is_line(const struct pstmt *s) {
    int n = 0;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        n++;
    return s->kind == PS_SPREAD && s->accs == NULL && !s->ordered && !s->merged && !is_little(s) &&
           n <= MAX_RANGES && !has_loop(s->body);
}

/* Sets *lined, i1 or NULL, to whether rows that the list defines have vectors of neighbours, too.
 * False: there are other loops. */
static bool find_lines(struct gen *g, const struct pstmt *list, struct inner *in,
                       LLVMValueRef *lined) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        if (s->kind == PS_SET || s->kind == PS_PUT || (s->kind == PS_SPREAD && is_little(s)))
            continue;
        if (s->kind == PS_IF && find_lines(g, s->body, in, lined) &&
            find_lines(g, s->other, in, lined))
            continue;
        if (!is_line(s))
            return false;
        struct prange *last = s->ranges;
        for (; last->next != NULL; last = last->next)
            ;
        if (!value_walk(last->step, find_set, in))
            return false;
        const bool known = value_walk(last->lo, find_set, in) && value_walk(last->hi, find_set, in);
        struct spread_fn q;
        LLVMValueRef long_enough = LLVMConstInt(i1_type(g), 1, false);
        find_ranges(g, s, &q);
        if (known && last->step->kind == PV_CONST)
            long_enough =
                compare(g, LLVMIntSGE, q.count[q.n - 1], i64(g, (uint64_t)g->vector_lanes));
        struct gen row = enter_row(g, s, &q);
        points_find_unit(&row, &q);
        if (q.unit == NULL)
            return false;
        LLVMValueRef this = both(g, q.unit, long_enough);
        *lined = *lined != NULL ? both(g, *lined, this) : this;
    }
    return true;
}

bool lines_find(struct gen *g, const struct spread_fn *p, struct rows *rows) {
    struct inner in = {NEWN(g->uc, bool, g->plan->nvars)};
    LLVMValueRef lined = NULL;
    if (g->plan->nlocals > 0 || g->vector_lanes == 1)
        return false;
    plan_walk(p->s, &(struct plan_visitor){.stmt = note_set}, &in);
    if (!find_lines(g, p->s->body, &in, &lined) || lined == NULL)
        return false;
    *rows = (struct rows){.lined = lined};
    return true;
}

static void line_in_lanes(struct gen *outer, const struct pstmt *s) {
    struct spread_fn q;
    find_ranges(outer, s, &q);
    struct gen row = enter_row(outer, s, &q);
    points_find_unit(&row, &q);
    points_between(&row, &q, i64(outer, 0), q.total);
}

/* ---- a row in lanes */

/* Blocks of points [0, n), a few for each of `accs`, reduced by `reduce` to the accs, which hold
 * their first values. */
static void reduce_blocks(struct gen *g, const struct pstmt *s, LLVMValueRef n, uint64_t accs,
                          void (*reduce)(struct gen *g, void *arg, LLVMValueRef from,
                                         LLVMValueRef to),
                          void *arg) {
    struct loop l;
    struct blocks blocks;
    LLVMValueRef zero = i64(g, 0);
    if (!blocks_matter(s)) {
        reduce(g, arg, zero, n);
        return;
    }
    LLVMBasicBlockRef more = gen_block(g, "more"), done = gen_block(g, "reduced");
    blocks_begin(g, &blocks, s, false);
    loop_begin(g, &l, 1, &zero);
    LLVMValueRef end = add(g, l.phi[0], i64(g, BLOCK_TURNS * accs));
    LLVMValueRef whole = compare(g, LLVMIntSLT, end, n);
    reduce(g, arg, l.phi[0], gen_select(g, whole, end, n));
    LLVMBuildCondBr(g->b, whole, more, done);
    gen_place(g, more);
    blocks_push(g, &blocks);
    loop_end(g, &l, &end);
    LLVMBuildBr(g->b, done); /* never taken: the loop is left behind its last block */
    gen_place(g, done);
    blocks_finish(g, &blocks);
}

static void reduce_in_lanes(struct gen *g, void *arg, LLVMValueRef from, LLVMValueRef to) {
    const struct spread_fn *q = arg;
    lanes_begin(g, q->s->accs);
    points_of_block(g, q, from, to);
    lanes_join(g, q->s);
}

static void row_in_lanes(struct gen *outer, const struct rows *rows) {
    struct spread_fn q;
    const struct pstmt *s = rows->s;
    find_ranges(outer, s, &q);
    struct gen row = enter_row(outer, s, &q);
    points_make_accs(&row, &q);
    q.unit = rows->lined;
    uint64_t accs = (uint64_t)row.vector_lanes * (uint64_t)q.copies;
    reduce_blocks(&row, s, q.total, accs, reduce_in_lanes, &q);
}

void rows_between(struct gen *outer, const struct spread_fn *p, LLVMValueRef first,
                  LLVMValueRef last) {
    struct gen inner = *outer, *g = &inner;
    g->lanes = 1;
    g->as_lanes = true;
    points_in_order(g, p, first, last);
}

/* ---- rows in turn, with points in lanes */

/* The accs, by their place in a row's lanes, in memory. */
struct turns {
    const struct pstmt *s;
    LLVMValueRef stored, lo, step;
    LLVMValueRef *first; /* by acc: its value before the row */
    LLVMValueRef *slot;  /* slot[u * naccs + i]: of acc i of u, of those that are in registers */
    int together;        /* so many u, which divide `all` */
    uint64_t lanes, all; /* of a row's vectors; of all accs */
    int naccs;
};

/* Bytes of an acc of all lanes, at most. */
static uint64_t acc_size(const struct gen *g) {
    return 8 * (uint64_t)g->vector_lanes;
}

static LLVMValueRef place_of(struct gen *g, const struct turns *t, LLVMValueRef k, int i) {
    LLVMValueRef at = add(g, multiply(g, k, i64(g, (uint64_t)t->naccs)), i64(g, (uint64_t)i));
    return at_byte(g, t->stored, multiply(g, at, i64(g, acc_size(g))));
}

/* Moves the accs of place k to their slots, or to those of the other part's, or back. */
static void load_accs(struct gen *g, const struct turns *t, LLVMValueRef k, bool other) {
    int i = 0;
    for (const struct pacc *a = t->s->accs; a != NULL; a = a->next, i++)
        move_slot(g, a->acc, place_of(g, t, k, i), gen_slot_of(g, other ? a->other : a->acc));
}

static void store_accs(struct gen *g, const struct turns *t, LLVMValueRef k) {
    int i = 0;
    for (const struct pacc *a = t->s->accs; a != NULL; a = a->next, i++)
        move_slot(g, a->acc, gen_slot_of(g, a->acc), place_of(g, t, k, i));
}

/* The body for element `point` of the row. */
static void gen_point(struct gen *g, const struct turns *t, LLVMValueRef point) {
    LLVMBuildStore(g->b, add(g, t->lo, multiply(g, point, t->step)),
                   var_of(g, t->s->ranges->var)->slot);
    gen_stmts(g, t->s->body);
}

/* Makes slot set u the accs'. */
static void use_slots(struct gen *g, const struct turns *t, int u) {
    int i = 0;
    for (const struct pacc *a = t->s->accs; a != NULL; a = a->next, i++)
        var_of(g, a->acc)->lanes = t->slot[u * t->naccs + i];
}

/* The elements of whole groups, [0, grouped) of a block that begins at `from`: t->together accs at
 * a time take each t->all-th. */
static void reduce_groups(struct gen *g, const struct turns *t, LLVMValueRef from,
                          LLVMValueRef grouped) {
    struct loop l, in;
    LLVMValueRef zero = i64(g, 0), next;
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], i64(g, t->all)));
    for (int u = 0; u < t->together; u++)
        for (int i = 0; i < t->naccs; i++)
            LLVMBuildStore(g->b, t->first[i], t->slot[u * t->naccs + i]);
    loop_begin(g, &in, 1, &l.phi[0]);
    loop_while(g, &in, compare(g, LLVMIntSLT, in.phi[0], grouped));
    LLVMValueRef point = add(g, from, in.phi[0]);
    for (int u = 0; u < t->together; u++) {
        use_slots(g, t, u);
        gen_point(g, t, add(g, point, i64(g, (uint64_t)u)));
    }
    next = add(g, in.phi[0], i64(g, t->all));
    loop_end(g, &in, &next);
    for (int u = 0; u < t->together; u++) {
        use_slots(g, t, u);
        store_accs(g, t, add(g, l.phi[0], i64(g, (uint64_t)u)));
    }
    use_slots(g, t, 0);
    next = add(g, l.phi[0], i64(g, (uint64_t)t->together));
    loop_end(g, &l, &next);
}

/* The elements behind them, [grouped, n), each by the acc that points_between would take. */
static void reduce_rest(struct gen *g, const struct turns *t, LLVMValueRef from,
                        LLVMValueRef grouped, LLVMValueRef n) {
    struct loop l;
    loop_begin(g, &l, 1, &grouped);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], n));
    LLVMValueRef k = LLVMBuildAnd(g->b, l.phi[0], i64(g, t->lanes - 1), "");
    load_accs(g, t, k, false);
    gen_point(g, t, add(g, from, l.phi[0]));
    store_accs(g, t, k);
    LLVMValueRef next = add(g, l.phi[0], i64(g, 1));
    loop_end(g, &l, &next);
}

/* Joins the accs in memory by halves, into the slots. */
static void join_places(struct gen *g, const struct turns *t) {
    struct loop l, halves;
    LLVMValueRef zero = i64(g, 0), one = i64(g, 1), half = i64(g, t->all / 2);
    loop_begin(g, &halves, 1, &half);
    loop_while(g, &halves, compare(g, LLVMIntUGT, halves.phi[0], zero));
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], halves.phi[0]));
    load_accs(g, t, l.phi[0], false);
    load_accs(g, t, add(g, l.phi[0], halves.phi[0]), true);
    gen_stmts(g, t->s->joined);
    store_accs(g, t, l.phi[0]);
    LLVMValueRef next = add(g, l.phi[0], one);
    loop_end(g, &l, &next);
    next = LLVMBuildLShr(g->b, halves.phi[0], one, "");
    loop_end(g, &halves, &next);
    load_accs(g, t, zero, false);
}

static void reduce_in_turn(struct gen *g, void *arg, LLVMValueRef from, LLVMValueRef to) {
    struct turns *t = arg;
    LLVMValueRef n = subtract(g, to, from);
    LLVMValueRef grouped = LLVMBuildAnd(g->b, n, i64(g, ~(t->all - 1)), "");
    int i = 0;
    for (const struct pacc *a = t->s->accs; a != NULL; a = a->next, i++)
        t->first[i] = LLVMBuildLoad2(g->b, gen_slot_type(g, a->acc), t->slot[i], "");
    reduce_groups(g, t, from, grouped);
    reduce_rest(g, t, from, grouped, n);
    join_places(g, t);
}

static void row_in_turn(struct gen *g, const struct rows *rows) {
    const struct pstmt *s = rows->s;
    const struct prange *r = s->ranges;
    struct turns t = {.s = s,
                      .lo = gen_scalar(g, r->lo),
                      .step = gen_scalar(g, r->step),
                      .lanes = (uint64_t)rows->lanes};
    t.all = t.lanes * (uint64_t)rows->copies;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        t.naccs++;
    t.first = NEWN(g->uc, LLVMValueRef, t.naccs);
    int most = g->vector_lanes == rows->lanes && g->all_active ? TURNS_TOGETHER : 1;
    t.together = t.all < (uint64_t)most ? (int)t.all : most; /* both are powers of two */
    t.slot = NEWN(g->uc, LLVMValueRef, t.together * t.naccs);
    for (int u = 0; u < t.together; u++) {
        int i = 0;
        for (const struct pacc *a = s->accs; a != NULL; a = a->next, i++)
            t.slot[u * t.naccs + i] =
                u == 0 ? gen_slot_of(g, a->acc) : gen_alloca(g, gen_slot_type(g, a->acc), "acc");
    }
    uint64_t bytes = (uint64_t)t.naccs * t.all * acc_size(g);
    t.stored = gen_alloca(g, LLVMArrayType2(LLVMInt8TypeInContext(g->context), bytes), "accs");
    LLVMSetAlignment(t.stored, 64);
    reduce_blocks(g, s, rows->n, t.all, reduce_in_turn, &t);
}

bool rows_in_order(struct gen *g, const struct pstmt *s) {
    if (g->rows != NULL && g->rows->s == NULL && g->lanes == 1 && is_line(s)) {
        line_in_lanes(g, s);
        return true;
    }
    const struct rows *row = row_of(g, s);
    if (row == NULL)
        return blocks_in_order(g, s);
    (g->lanes == 1 ? row_in_lanes : row_in_turn)(g, row);
    return true;
}
