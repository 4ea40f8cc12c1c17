/* sweep_held.c: rows of HELD_SWEEP, which are so short that a thread has a few neighbours of their
 * elements.  It loads them as a vector, two rows before they are due, and holds them, and what the
 * row's first phases compute of it, in registers; so are the accs of its points down the rows. */
#include "series.h"
#include "sweep.h"

enum { HELD = UFC_SWEEP_HELD, ROWS_AHEAD = 2, MAX_HELD = 8, MAX_READ = 32, VECTOR = 16 };

/* Elements that a thread holds: of a row's at its own columns, of all rows', or one of each row. */
struct held_elements {
    const struct pval *place;
    const struct pvar *row;      /* NULL: they are the same in all rows */
    const struct prange *column; /* NULL: it is one for all columns */
    const struct pstmt *points;  /* the definition at whose points they are; NULL: at columns */
    bool stored;                 /* an earlier phase stores it */
    bool alike;                  /* neighbouring points mostly have the same */
    LLVMValueRef vectors;        /* i1: they may be loaded as vectors; NULL: they may not */
    LLVMValueRef at[HELD];       /* the columns, i64, */
    LLVMValueRef first;          /* and the first one of a vector */
    LLVMValueRef slot[ROWS_AHEAD + 1][HELD]; /* of the row at hand, and of the next ones */
};

struct held_rows {
    struct sweep *sweep;
    const struct pval **below;             /* bounds of the body's variables */
    const struct pstmt *s;                 /* the phase at hand, */
    const struct pstmt *points;            /* that, if points of several ranges are its, */
    const struct pvar *row;                /* its index of rows, */
    const struct prange *column[MAX_READ]; /* and ranges of columns */
    struct held_elements elements[MAX_HELD];
    struct held read[MAX_READ]; /* places that read some */
    int of[MAX_READ];           /* which */
    int ncolumns, n, nread;
};

/* ---- what is held */

static bool is_whole(const struct prange *r) {
    return r->lo->kind == PV_CONST && r->lo->i == 0 && r->step->kind == PV_CONST &&
           r->step->i == 1 && r->hi->kind == PV_DIM;
}

static void add_columns(struct held_rows *x, const struct prange *r) {
    for (; r != NULL && is_whole(r) && x->ncolumns < MAX_READ; r = r->next)
        x->column[x->ncolumns++] = r;
}

static const struct prange *column_of(const struct held_rows *x, const struct pval *v) {
    for (int i = 0; v->kind == PV_VAR && i < x->ncolumns; i++)
        if (x->column[i]->var == v->var)
            return x->column[i];
    return NULL;
}

static bool is_row(const struct pval *v, const struct pvar *row) {
    return row != NULL && v->kind == PV_VAR && v->var == row;
}

static bool is_at_column(const struct pval *v, const struct prange *column) {
    return column != NULL && v->kind == PV_VAR && v->var == column->var;
}

/* Are they the elements that v reads, at the same subscripts but for the names of indices? */
static bool are_same(const struct held_elements *e, const struct pval *v, const struct pvar *row,
                     const struct prange *column) {
    bool same = e->place->operand == v->operand && (e->column == NULL) == (column == NULL) &&
                (e->points != NULL ? e->column == column
                                   : column == NULL || same_value(e->column->hi, column->hi));
    for (int i = 0; i < v->nargs && same; i++) {
        const struct pval *a = e->place->args[i], *b = v->args[i];
        same = is_row(a, e->row)            ? is_row(b, row)
               : is_at_column(a, e->column) ? is_at_column(b, column)
                                            : same_value(a, b);
    }
    return same;
}

static struct held_elements *find_elements(struct held_rows *x, const struct pval *v,
                                           const struct pvar *row, const struct prange *column) {
    for (int i = 0; i < x->n; i++)
        if (x->elements[i].points == (column != NULL ? x->points : NULL) &&
            are_same(&x->elements[i], v, row, column))
            return &x->elements[i];
    return NULL;
}

/* Notes that v reads elements that are held, or becomes the first that does. */
static enum walk add_element(const struct pval *v, void *arg) {
    struct held_rows *x = arg;
    struct gen *g = x->sweep->g;
    const struct prange *column = NULL;
    int rows = 0, columns = 0;
    if (v->kind != PV_ELEM || v->operand >= g->plan->noperands || x->nread == MAX_READ)
        return WALK_IN;
    for (int i = 0; i < v->nargs; i++) {
        const struct prange *r = column_of(x, v->args[i]);
        bool fixed = v->args[i]->kind == PV_CONST || v->args[i]->kind == PV_DIM;
        rows += is_row(v->args[i], x->row);
        columns += r != NULL;
        column = r != NULL ? r : column;
        if (!is_row(v->args[i], x->row) && r == NULL && !fixed)
            return WALK_IN;
    }
    if (rows > 1 || columns > 1 || rows + columns == 0)
        return WALK_IN;
    struct held_elements *e = find_elements(x, v, rows > 0 ? x->row : NULL, column);
    if (e == NULL &&
        (v->operand >= g->plan->nin || x->n == MAX_HELD || !gen_exists_at_indices(g, v)))
        return WALK_IN;
    if (e == NULL) {
        e = &x->elements[x->n++];
        *e = (struct held_elements){.points = column != NULL ? x->points : NULL,
                                    .alike = column != NULL && column->next != NULL,
                                    .place = v,
                                    .row = rows > 0 ? x->row : NULL,
                                    .column = column};
    }
    x->read[x->nread].place = v;
    x->of[x->nread++] = (int)(e - x->elements);
    return WALK_IN;
}

/* Is it a reduction of the row, of which threads have neighbours? */
static bool is_shared_out(const struct pstmt *s) {
    return s->kind == PS_SPREAD && s->accs != NULL && !s->ordered && s->ranges->next == NULL &&
           is_whole(s->ranges) && !is_brief(s);
}

static enum walk find_columns(const struct pstmt *s, void *arg) {
    if (is_shared_out(s))
        add_columns(arg, s->ranges);
    return WALK_IN;
}

static enum walk find_other_put(const struct pstmt *s, void *put) {
    const struct pstmt *own = put;
    return s->kind == PS_PUT && s != own && s->operand == own->operand ? WALK_STOP : WALK_IN;
}

/* What a phase stores for the row, where it always does and nothing else does, later ones need not
 * load. */
static void add_stored(struct held_rows *x) {
    const struct plan_visitor others = {.stmt = find_other_put, .joined = true};
    for (const struct pstmt *s = x->s->body; s != NULL && x->s->ranges->next == NULL; s = s->next) {
        bool own = s->kind == PS_PUT && !s->merged && s->place->nargs == 1 &&
                   is_row(s->place->args[0], x->row);
        if (own && x->n < MAX_HELD &&
            plan_walk(x->sweep->g->plan->body, &others, (void *)(uintptr_t)s))
            x->elements[x->n++] =
                (struct held_elements){.place = s->place, .row = x->row, .stored = true};
    }
}

static void add_phase(struct held_rows *x) {
    const struct plan_visitor columns = {.stmt = find_columns}, reads = {.value = add_element};
    struct sweep *w = x->sweep;
    bool down = is_down(w, x->s);
    x->row = rows_of(w, x->s)->var;
    x->ncolumns = 0;
    const struct prange *along = down ? x->s->ranges : x->s->ranges->next;
    x->points = down && along->next != NULL ? x->s : NULL;
    if (along != NULL && (down || along->next == NULL))
        add_columns(x, along);
    if (!down && x->s->ranges->next == NULL)
        plan_walk(x->s->body, &columns, x);
    plan_walk(down ? reduction_down(x->s)->body : x->s->body, &reads, x);
    if (!down)
        add_stored(x);
}

struct held_rows *find_held_rows(struct sweep *w) {
    struct gen *g = w->g;
    struct held_rows *x = NEW(g->uc, struct held_rows);
    const struct pval **below = g->below;
    gen_find_bounds(g);
    *x = (struct held_rows){.sweep = w};
    for (x->s = g->plan->body->body; x->s != NULL; x->s = x->s->next)
        if (x->s->kind == PS_SPREAD && is_of_sweep(w, x->s))
            add_phase(x);
    g->below = below;
    return x;
}

/* ---- loads */

/* The number of the thread's element k, i64. */
static LLVMValueRef own_number(const struct sweep *w, int k) {
    struct gen *g = w->g;
    LLVMValueRef first = multiply(g, w->lane, i32(g, HELD));
    return extended(g, add(g, first, i32(g, (uint32_t)k)));
}

static int vector_lanes(const struct held_elements *e) {
    int size = (int)dtype_info[e->place->dtype].bits / 8;
    return e->column == NULL || size >= VECTOR ? 1 : VECTOR / size < HELD ? VECTOR / size : HELD;
}

/* Whether elements are aligned vectors in all rows, i1. */
static LLVMValueRef are_vectors(struct gen *g, const struct held_elements *e) {
    const struct gen_array *array = &g->arrays[e->place->operand];
    uint64_t size = (uint64_t)dtype_info[e->place->dtype].bits / 8;
    LLVMValueRef bits = LLVMBuildPtrToInt(g->b, array->base, i64_type(g), ""), unit = NULL;
    for (int i = 0; i < e->place->nargs; i++)
        if (is_at_column(e->place->args[i], e->column))
            unit = compare(g, LLVMIntEQ, array->stride[i], i64(g, size));
        else
            bits = LLVMBuildOr(g->b, bits, array->stride[i], "");
    LLVMValueRef over = both(g, bits, i64(g, (uint64_t)vector_lanes(e) * size - 1));
    return both(g, unit, compare(g, LLVMIntEQ, over, i64(g, 0)));
}

/* Finds which columns are the thread's, those beyond the last one being that; of points they are
 * found already. */
static void find_place(const struct held_rows *x, struct held_elements *e) {
    struct gen *g = x->sweep->g;
    if (e->column == NULL)
        return;
    const struct prange *fastest = e->column;
    while (fastest->next != NULL)
        fastest = fastest->next;
    LLVMValueRef n = gen_value(g, fastest->hi), last = subtract(g, n, i64(g, 1));
    LLVMValueRef rest = both(g, n, i64(g, HELD - 1));
    for (int k = 0; k < HELD && e->points == NULL; k++)
        e->at[k] = least(g, own_number(x->sweep, k), last);
    e->first = e->points != NULL ? e->at[0] : own_number(x->sweep, 0);
    e->first = e->alike ? e->first : least(g, e->first, subtract(g, n, i64(g, HELD)));
    if (e->alike || vector_lanes(e) > 1)
        e->vectors = compare(g, LLVMIntEQ, rest, i64(g, 0));
    if (e->vectors != NULL && !e->alike)
        e->vectors = both(g, e->vectors, are_vectors(g, e));
}

static void load_one(struct gen *g, const struct held_elements *e, LLVMValueRef column,
                     LLVMValueRef slot) {
    if (e->column != NULL)
        var_of(g, e->column->var)->known = column;
    LLVMBuildStore(g->b, gen_element(g, e->place), slot);
    if (e->column != NULL)
        var_of(g, e->column->var)->known = NULL;
}

static void load_vectors(struct gen *g, const struct held_elements *e, LLVMValueRef *slot) {
    int lanes = vector_lanes(e);
    unsigned bytes = (unsigned)dtype_info[e->place->dtype].bits / 8;
    LLVMValueRef value[HELD];
    if (e->alike) {
        load_one(g, e, e->first, slot[0]);
        value[0] = LLVMBuildLoad2(g->b, LLVMGetAllocatedType(slot[0]), slot[0], "");
        for (int k = 1; k < HELD; k++)
            LLVMBuildStore(g->b, value[0], slot[k]);
        return;
    }
    var_of(g, e->column->var)->known = e->first;
    LLVMValueRef at = gen_address(g, e->place);
    var_of(g, e->column->var)->known = NULL;
    for (int k = 0; k < HELD; k += lanes)
        load_row(g, e->place, at_byte(g, at, i64(g, (uint64_t)k * bytes)), lanes, &value[k]);
    for (int k = 0; k < HELD; k++)
        LLVMBuildStore(g->b, value[k], slot[k]);
}

/* Loads the elements of a row, i64; NULL: of all. */
static void load_elements(const struct held_rows *x, struct held_elements *e, LLVMValueRef row,
                          LLVMValueRef *slot) {
    struct gen *g = x->sweep->g;
    LLVMBasicBlockRef vectors = NULL, done = NULL;
    if (row != NULL)
        var_of(g, e->row)->known = row;
    if (e->vectors != NULL) {
        LLVMBasicBlockRef single = gen_block(g, "single");
        vectors = gen_block(g, "vectors");
        done = gen_block(g, "loaded");
        LLVMBuildCondBr(g->b, e->vectors, vectors, single);
        gen_place(g, vectors);
        load_vectors(g, e, slot);
        LLVMBuildBr(g->b, done);
        gen_place(g, single);
    }
    for (int k = 0; k < (e->column != NULL ? HELD : 1); k++)
        load_one(g, e, e->at[k], slot[k]);
    if (done != NULL) {
        LLVMBuildBr(g->b, done);
        gen_place(g, done);
    }
    if (row != NULL)
        var_of(g, e->row)->known = NULL;
}

static void make_slots(struct gen *g, struct held_elements *e) {
    for (int ahead = 0; ahead <= ROWS_AHEAD; ahead++)
        for (int k = 0; k < HELD; k++)
            e->slot[ahead][k] = gen_alloca(g, gen_type(g, e->place->dtype), "held");
}

void begin_held_rows(struct sweep *w, LLVMValueRef row, LLVMValueRef last) {
    struct gen *g = w->g;
    struct held_rows *x = w->held;
    for (int i = 0; i < x->n; i++) {
        struct held_elements *e = &x->elements[i];
        make_slots(g, e);
        if (e->stored)
            continue;
        find_place(x, e);
        if (e->row == NULL)
            load_elements(x, e, NULL, e->slot[0]);
        for (int ahead = 1; e->row != NULL && ahead <= ROWS_AHEAD; ahead++) {
            LLVMValueRef behind = multiply(g, w->teams, i32(g, (uint32_t)ahead - 1));
            LLVMValueRef at = least(g, add(g, row, extended(g, behind)), last);
            load_elements(x, e, at, e->slot[ahead]);
        }
    }
}

void next_held_row(struct sweep *w, LLVMValueRef last) {
    struct gen *g = w->g;
    struct held_rows *x = w->held;
    LLVMValueRef behind = extended(g, multiply(g, w->teams, i32(g, ROWS_AHEAD)));
    LLVMValueRef row = least(g, add(g, w->row, behind), last);
    for (int i = 0; i < x->n; i++) {
        struct held_elements *e = &x->elements[i];
        if (e->stored || e->row == NULL)
            continue;
        for (int ahead = 0; ahead < ROWS_AHEAD; ahead++)
            for (int k = 0; k < (e->column != NULL ? HELD : 1); k++) {
                LLVMTypeRef type = LLVMGetAllocatedType(e->slot[0][k]);
                LLVMValueRef v = LLVMBuildLoad2(g->b, type, e->slot[ahead + 1][k], "");
                LLVMBuildStore(g->b, v, e->slot[ahead][k]);
            }
        load_elements(x, e, row, e->slot[ROWS_AHEAD]);
    }
}

/* ---- what a thread does at its element k */

/* Has elements be held values. */
static void hold(struct sweep *w, int k) {
    struct gen *g = w->g;
    struct held_rows *x = w->held;
    for (int i = 0; i < x->nread; i++) {
        const struct held_elements *e = &x->elements[x->of[i]];
        LLVMValueRef slot = e->slot[0][e->column != NULL ? k : 0];
        x->read[i].value = LLVMBuildLoad2(g->b, LLVMGetAllocatedType(slot), slot, "");
    }
    g->held = x->read;
    g->nheld = x->nread;
}

static void let_go(struct gen *g) {
    g->held = NULL;
    g->nheld = 0;
}

/* The statements at the thread's columns of a range, where these exist. */
static void at_columns(struct sweep *w, const struct prange *r, const struct pstmt *list) {
    struct gen *g = w->g;
    LLVMValueRef n = gen_value(g, r->hi);
    bool holds = g->nheld > 0;
    LLVMBasicBlockRef all = gen_block(g, "all"), some = gen_block(g, "some"),
                      done = gen_block(g, "at_columns");
    LLVMBuildCondBr(g->b, compare(g, LLVMIntSLT, own_number(w, HELD - 1), n), all, some);
    for (int whole = 1; whole >= 0; whole--) {
        gen_place(g, whole ? all : some);
        for (int k = 0; k < HELD - !whole; k++) {
            LLVMValueRef at = own_number(w, k);
            LLVMBasicBlockRef after = whole ? NULL : begin_if(g, compare(g, LLVMIntSLT, at, n));
            LLVMBuildStore(g->b, at, var_of(g, r->var)->slot);
            hold(w, k);
            gen_stmts(g, list);
            let_go(g);
            if (after != NULL)
                end_if(g, after);
        }
        LLVMBuildBr(g->b, done);
    }
    gen_place(g, done);
    if (holds)
        hold(w, 0);
}

/* A reduction of the row, whose columns are its threads'. */
static void reduce_held(struct gen *g, const struct pstmt *s) {
    struct sweep *w = g->threads->sweep;
    if (!is_shared_out(s)) {
        share_row(g, s);
        return;
    }
    at_columns(w, s->ranges, s->body);
    join_call(g, s);
}

/* Keeps what is stored for the row, as its first thread has it. */
static void put_held(struct gen *g, const struct pstmt *s) {
    struct sweep *w = g->threads->sweep;
    const struct held_rows *x = w->held;
    for (int i = 0; i < x->n; i++) {
        const struct held_elements *e = &x->elements[i];
        if (!e->stored || e->place != s->place)
            continue;
        LLVMValueRef v = gen_value(g, s->value);
        LLVMValueRef first = both(g, lane_of(g, w->threads->tid), LLVMBuildNeg(g->b, w->group, ""));
        v = gen_shuffle(g, SHUFFLE_FROM, w->threads->lane_mask, v, first);
        LLVMBuildStore(g->b, v, e->slot[0][0]);
    }
    put_by_first(g, s);
}

void gen_held_along(struct sweep *w, const struct pstmt *s) {
    static const struct sharing by_group = {.spread = reduce_held, .put = put_held, .within = true};
    struct gen *g = w->g;
    if (s->ranges->next != NULL) {
        if (s->ranges->next->next == NULL && is_whole(s->ranges->next))
            at_columns(w, s->ranges->next, s->body);
        else
            share_row_points(g, s);
        return;
    }
    g->sharing = &by_group;
    hold(w, 0);
    gen_stmts(g, s->body);
    let_go(g);
    g->sharing = NULL;
}

/* ---- points that are reduced down the rows */

/* The number of the thread's point k, or of the last one, and whether there is one. */
static LLVMValueRef own_point(const struct sweep *w, const struct column *c, int k) {
    struct gen *g = w->g;
    LLVMValueRef at = LLVMBuildTrunc(g->b, own_number(w, k), i32_type(g), "");
    return least(g, at, subtract(g, c->total, i32(g, 1)));
}

/* Finds where the elements are that the thread's point k reads. */
static void find_indices(struct held_rows *x, const struct column *c, int k) {
    struct gen *g = x->sweep->g;
    for (int i = 0; i < x->n; i++) {
        struct held_elements *e = &x->elements[i];
        LLVMValueRef slot = e->points == c->s ? var_of(g, e->column->var)->slot : NULL;
        if (slot != NULL)
            e->at[k] = LLVMBuildLoad2(g->b, i64_type(g), slot, "");
    }
}

void begin_held_points(struct sweep *w, struct column *c) {
    struct gen *g = w->g;
    const struct prange *r = c->s->ranges;
    abreast_begin_points(g, &c->points, c->s, r->var, r->next != NULL ? r->next->var : NULL, HELD);
    for (int k = 0; k < HELD; k++) {
        abreast_take(g, &c->points, k);
        begin_point(g, c, own_point(w, c, k));
        find_indices(w->held, c, k);
    }
    abreast_take(g, &c->points, 0);
}

/* What is the same at all points is computed once. */
void add_held_row(struct sweep *w, const struct column *c) {
    struct gen *g = w->g;
    LLVMBuildStore(g->b, w->row, var_of(g, c->reduction->ranges->var)->slot);
    for (const struct pstmt *s = c->reduction->body; s != NULL; s = s->next) {
        bool differs = s->kind != PS_SET || statement_differs(c->points.varying, s);
        for (int k = 0; k < (differs ? HELD : 1); k++) {
            abreast_take(g, &c->points, k);
            hold(w, k);
            gen_list(g, s, s->next);
            let_go(g);
        }
    }
    abreast_take(g, &c->points, 0);
}

void save_held_points(struct sweep *w, const struct column *c) {
    struct gen *g = w->g;
    for (int k = 0; k < HELD; k++) {
        abreast_take(g, &c->points, k);
        LLVMValueRef total = extended(g, c->total);
        LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntSLT, own_number(w, k), total));
        save_point(g, c, w->team, own_point(w, c, k));
        end_if(g, after);
    }
    abreast_take(g, &c->points, 0);
}
