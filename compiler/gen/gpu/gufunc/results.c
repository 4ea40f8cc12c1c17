/* results.c: the results of TILE and WINDOW.  The threads' accs go to shared memory; from there
 * other threads take them, so that neighbouring threads store neighbouring elements. */
#include "gufunc.h"

enum { RESULT_ELEMENTS = 4 }; /* that are loaded before a result is computed, at most */

static unsigned acc_size(const struct pacc *a) {
    return (unsigned)dtype_info[a->acc->dtype].bits / 8;
}

/* Elements from row to row in shared memory. */
static unsigned pitch_of(int columns) {
    return (unsigned)(columns + columns / PAD_EVERY) | 1;
}

/* Bytes of shared memory for one acc of all results. */
static unsigned acc_bytes(const struct pacc *a, int rows, int columns) {
    return ((unsigned)rows * pitch_of(columns) * acc_size(a) + 15) / 16 * 16;
}

unsigned results_bytes(const struct shape *s, int rows, int columns) {
    unsigned bytes = 0;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        bytes += acc_bytes(a, rows, columns);
    return bytes;
}

LLVMValueRef tiles_along(struct gen *g, LLVMValueRef n, int size) {
    LLVMValueRef up = add(g, n, i64(g, (uint64_t)size - 1));
    LLVMValueRef tiles = LLVMBuildUDiv(g->b, up, i64(g, (uint64_t)size), "");
    return LLVMBuildTrunc(g->b, tiles, i32_type(g), "");
}

LLVMValueRef results_column(struct gen *g, LLVMValueRef x) {
    return add(g, x, LLVMBuildUDiv(g->b, x, i32(g, PAD_EVERY), ""));
}

/* The place in shared memory, in elements, of the result in row y, column x. */
static LLVMValueRef place_of(struct gen *g, const struct results *r, LLVMValueRef y,
                             LLVMValueRef x) {
    return add(g, multiply(g, y, i32(g, pitch_of(r->columns))), results_column(g, x));
}

/* The address of acc a of the result at a place. */
static LLVMValueRef result_at(struct gen *g, const struct results *r, const struct pacc *a,
                              LLVMValueRef place) {
    uint32_t before = 0;
    for (const struct pacc *b = r->shape->accs; b != a; b = b->next)
        before += acc_bytes(b, r->rows, r->columns);
    place = add(g, multiply(g, place, i32(g, acc_size(a))), i32(g, before));
    return at_byte(g, r->shared, place);
}

void results_put(struct gen *g, const struct results *r, LLVMValueRef y, LLVMValueRef x,
                 unsigned down, unsigned across) {
    unsigned apart = down * pitch_of(r->columns) + across + across / PAD_EVERY;
    LLVMValueRef place = place_of(g, r, y, x);
    for (const struct pacc *a = r->shape->accs; a != NULL; a = a->next) {
        LLVMValueRef v =
            LLVMBuildLoad2(g->b, gen_type(g, a->acc->dtype), var_of(g, a->acc)->slot, "");
        LLVMBuildStore(g->b, v, at_byte(g, result_at(g, r, a, place), i32(g, apart * acc_size(a))));
    }
}

void gen_assignments(struct gen *g, const struct pstmt *s) {
    for (; s != NULL && s->kind == PS_SET; s = s->next)
        LLVMBuildStore(g->b, gen_value(g, s->value), var_of(g, s->var)->slot);
}

/* i1: results in a column are closer in memory than those in a row. */
static LLVMValueRef goes_down(struct gen *g, const struct shape *s) {
    const struct pstmt *put = s->rest;
    while (put != NULL && put->kind != PS_PUT)
        put = put->next;
    LLVMValueRef row = NULL, column = NULL;
    for (int i = 0; put != NULL && i < put->place->nargs; i++) {
        const struct pval *v = put->place->args[i];
        if (v->kind == PV_VAR && v->var == s->at->var)
            row = g->arrays[put->place->operand].stride[i];
        else if (v->kind == PV_VAR && s->at->next != NULL && v->var == s->at->next->var)
            column = g->arrays[put->place->operand].stride[i];
    }
    if (row == NULL || column == NULL)
        return LLVMConstInt(LLVMInt1TypeInContext(g->context), 0, false);
    return compare(g, LLVMIntSLT, row, column);
}

/* ---- elements that results are made of */

/* Elements that the statements behind a reduction read whatever the results are. */
struct read {
    const struct shape *shape;
    const struct pval *place[RESULT_ELEMENTS];
    int n;
};

static enum walk find_store(const struct pstmt *s, void *operand) {
    return s->kind == PS_PUT && s->operand == *(const int *)operand ? WALK_STOP : WALK_IN;
}

/* Stops at what is not known before the reduction ends, and at elements that may be stored to. */
static enum walk take_known(const struct pval *v, void *shape) {
    const struct shape *s = shape;
    bool later = v->kind == PV_ELEM;
    for (const struct pacc *a = s->accs; a != NULL && v->kind == PV_VAR; a = a->next)
        later = later || a->acc == v->var;
    for (const struct pstmt *r = s->rest; r != NULL && v->kind == PV_VAR; r = r->next)
        later = later || r->var == v->var;
    return later ? WALK_STOP : WALK_IN;
}

static enum walk take_element(const struct pval *v, void *arg) {
    struct read *r = arg;
    static const struct plan_visitor stores = {.stmt = find_store};
    int operand = v->operand;
    bool known =
        v->kind == PV_ELEM && v->checked == 0 && plan_walk(r->shape->rest, &stores, &operand);
    for (int i = 0; known && i < v->nargs; i++)
        known = value_walk(v->args[i], take_known, (void *)r->shape);
    for (int n = 0; known && n < r->n; n++)
        known = !same_value(r->place[n], v);
    if (known && r->n < RESULT_ELEMENTS)
        r->place[r->n++] = v;
    return v->kind == PV_SELECT || v->kind == PV_ELEM ? WALK_PAST : WALK_IN;
}

static struct read find_read(const struct shape *shape) {
    struct read r = {.shape = shape};
    for (const struct pstmt *s = shape->rest; s != NULL; s = s->next)
        if (s->kind == PS_SET || s->kind == PS_PUT)
            value_walk(s->value, take_element, &r);
    return r;
}

/* ---- results */

/* A result, in row y and column x, i32; i1: it exists. */
struct result {
    LLVMValueRef y, x, exists;
    LLVMValueRef place;                    /* in shared memory */
    LLVMValueRef acc[MAX_ACCS];            /* what the reduction left */
    LLVMValueRef element[RESULT_ELEMENTS]; /* slots of what find_read has of it */
};

static LLVMValueRef row_of(struct gen *g, const struct results *r, const struct result *at) {
    return add(g, i32(g, (uint32_t)r->first), at->y);
}

static void find_result(struct gen *g, const struct results *r, struct result *at) {
    LLVMValueRef row = row_of(g, r, at);
    at->exists = both(g, compare(g, LLVMIntSLT, row, elements_left(g, r->end_row, r->row)),
                      compare(g, LLVMIntSLT, at->x, elements_left(g, r->end_column, r->column)));
}

/* Sets what comes before the reduction for a result. */
static void set_result(struct gen *g, const struct results *r, const struct result *at) {
    const struct shape *s = r->shape;
    LLVMValueRef row = row_of(g, r, at);
    LLVMValueRef index[] = {add(g, r->row, extended(g, row)),
                            add(g, r->column, extended(g, at->x))};
    for (int i = s->at->next == NULL; i < 2; i++)
        LLVMBuildStore(g->b, index[i],
                       var_of(g, (i == 1 && s->at->next ? s->at->next : s->at)->var)->slot);
    if (r->set_row != NULL)
        r->set_row(r->arg, index[0]);
    gen_assignments(g, s->first);
}

/* Places that no result has are in shared memory, too. */
static void load_result(struct gen *g, const struct results *r, struct result *at) {
    int n = 0;
    for (const struct pacc *a = r->shape->accs; a != NULL; a = a->next)
        at->acc[n++] =
            LLVMBuildLoad2(g->b, gen_type(g, a->acc->dtype), result_at(g, r, a, at->place), "");
}

static void load_elements(struct gen *g, const struct results *r, const struct read *read,
                          struct result *at) {
    for (int i = 0; i < read->n; i++)
        at->element[i] = gen_alloca(g, gen_type(g, read->place[i]->dtype), "element");
    LLVMBasicBlockRef after = begin_if(g, at->exists);
    set_result(g, r, at);
    for (int i = 0; i < read->n; i++)
        LLVMBuildStore(g->b, gen_value(g, read->place[i]), at->element[i]);
    end_if(g, after);
}

/* Runs the statements behind the reduction for a result, if it exists. */
static void finish_result(struct gen *g, const struct results *r, const struct read *read,
                          struct result *at) {
    const struct shape *s = r->shape;
    struct held held[RESULT_ELEMENTS];
    LLVMBasicBlockRef after = begin_if(g, at->exists);
    set_result(g, r, at);
    int n = 0;
    if (!r->ahead) {
        at->place = place_of(g, r, at->y, at->x);
        load_result(g, r, at);
    }
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        LLVMBuildStore(g->b, at->acc[n++], var_of(g, a->acc)->slot);
    for (int i = 0; i < read->n; i++) {
        LLVMTypeRef type = gen_type(g, read->place[i]->dtype);
        held[i] = (struct held){read->place[i], LLVMBuildLoad2(g->b, type, at->element[i], "")};
    }
    g->held = held;
    g->nheld = read->n;
    gen_stmts(g, s->rest);
    g->nheld = 0;
    end_if(g, after);
}

/* How far the results number n and n + team are apart along a side of `size` results, and along the
 * other one. */
struct apart {
    int along, over;
};

static struct apart apart_along(const struct results *r, int size) {
    return r->team < size ? (struct apart){r->team, 0} : (struct apart){0, r->team / size};
}

/* How many elements the places of results so far apart are: columns are a multiple of PAD_EVERY. */
static unsigned places_apart(const struct results *r, int rows, int columns) {
    return (unsigned)rows * pitch_of(r->columns) + (unsigned)columns / PAD_EVERY * (PAD_EVERY + 1);
}

/* How many results of a thread are stored in one step: as many as no side ends within. */
static int stored_at_once(const struct results *r) {
    int n = r->rows * r->columns / r->team;
    n = n < RESULT_STEPS ? n : RESULT_STEPS;
    while (n > 1 && ((r->team < r->rows && n * r->team > r->rows) ||
                     (r->team < r->columns && n * r->team > r->columns)))
        n /= 2;
    return n;
}

/* Steps in which a thread stores results, `n` at once, of neighbours that go down (i1) or along. */
struct storing {
    const struct results *r;
    const struct read *read;
    LLVMValueRef down;
    int n;
};

/* The results in rows and columns y + k * y_apart, x + k * x_apart, of which `exists` says the
 * same; NULL: each is asked. */
static void store_step(struct gen *g, const struct storing *s, LLVMValueRef y, LLVMValueRef x,
                       LLVMValueRef y_apart, LLVMValueRef x_apart, const LLVMValueRef *exists) {
    const struct results *r = s->r;
    struct apart in_column = apart_along(r, r->rows), in_row = apart_along(r, r->columns);
    LLVMValueRef apart =
        gen_select(g, s->down, i32(g, places_apart(r, in_column.along, in_column.over)),
                   i32(g, places_apart(r, in_row.over, in_row.along)));
    LLVMValueRef place = place_of(g, r, y, x);
    struct result all[RESULT_STEPS];
    for (int k = 0; k < s->n; k++) {
        all[k] = (struct result){.y = y, .x = x};
        if (exists != NULL)
            all[k].exists = exists[k];
        else
            find_result(g, r, &all[k]);
        if (r->ahead) {
            all[k].place = place;
            load_result(g, r, &all[k]);
            place = add(g, place, apart);
        }
        if (s->read->n > 0)
            load_elements(g, r, s->read, &all[k]);
        y = add(g, y, y_apart);
        x = add(g, x, x_apart);
    }
    for (int k = 0; k < s->n; k++)
        finish_result(g, r, s->read, &all[k]);
}

/* By the results' numbers, which are the team's threads apart. */
static void store_numbered(struct gen *g, const struct storing *s) {
    const struct results *r = s->r;
    LLVMValueRef down = s->down, rows = i32(g, (uint32_t)r->rows),
                 columns = i32(g, (uint32_t)r->columns);
    LLVMValueRef shift = gen_select(g, down, i32(g, (uint32_t)__builtin_ctz((unsigned)r->rows)),
                                    i32(g, (uint32_t)__builtin_ctz((unsigned)r->columns)));
    LLVMValueRef last = subtract(g, gen_select(g, down, rows, columns), i32(g, 1));
    struct apart in_column = apart_along(r, r->rows), in_row = apart_along(r, r->columns);
    LLVMValueRef y_apart =
        gen_select(g, down, i32(g, (uint32_t)in_column.along), i32(g, (uint32_t)in_row.over));
    LLVMValueRef x_apart =
        gen_select(g, down, i32(g, (uint32_t)in_column.over), i32(g, (uint32_t)in_row.along));
    struct loop l;
    loop_begin(g, &l, 1, &(LLVMValueRef){r->member});
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], multiply(g, rows, columns)));
    l.keep = true;
    LLVMValueRef along = both(g, l.phi[0], last), over = LLVMBuildLShr(g->b, l.phi[0], shift, "");
    LLVMValueRef y = gen_select(g, down, along, over), x = gen_select(g, down, over, along);
    store_step(g, s, y, x, y_apart, x_apart, NULL);
    LLVMValueRef next = add(g, l.phi[0], i32(g, (uint32_t)(s->n * r->team)));
    loop_end(g, &l, &next);
}

/* Of a team that has whole columns, or rows: a thread's results are all in one of these lines, so
 * that what depends on their place along it is found once, and one end bounds them. */
static void store_across(struct gen *g, const struct storing *s, bool down) {
    const struct results *r = s->r;
    unsigned size = (unsigned)(down ? r->rows : r->columns), step = (unsigned)r->team / size;
    LLVMValueRef along = both(g, r->member, i32(g, size - 1)), zero = i32(g, 0);
    LLVMValueRef first = LLVMBuildLShr(g->b, r->member, i32(g, (uint32_t)__builtin_ctz(size)), "");
    LLVMValueRef rows =
                     subtract(g, elements_left(g, r->end_row, r->row), i32(g, (uint32_t)r->first)),
                 columns = elements_left(g, r->end_column, r->column);
    LLVMValueRef exists[RESULT_STEPS], end = down ? columns : rows;
    end = least(g, end, i32(g, (uint32_t)(down ? r->columns : r->rows)));
    end = gen_select(g, compare(g, LLVMIntSLT, along, down ? rows : columns), end, zero);
    struct loop l;
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], end));
    l.keep = true;
    for (int k = 0; k < s->n; k++)
        exists[k] = compare(g, LLVMIntSLT, add(g, l.phi[0], i32(g, (unsigned)k * step)), end);
    LLVMValueRef apart = i32(g, step);
    store_step(g, s, down ? along : l.phi[0], down ? l.phi[0] : along, down ? zero : apart,
               down ? apart : zero, exists);
    LLVMValueRef next = add(g, l.phi[0], i32(g, (uint32_t)s->n * step));
    loop_end(g, &l, &next);
}

/* Neighbouring threads go along rows, or along columns where these are closer in memory, which is
 * rare.  What several results are made of is loaded before one is computed. */
void results_store(struct gen *g, const struct results *r) {
    const struct read read = find_read(r->shape);
    struct storing s = {r, &read, goes_down(g, r->shape), stored_at_once(r)};
    if (r->team < r->rows || r->team < r->columns || !r->ahead) {
        store_numbered(g, &s);
        return;
    }
    LLVMBasicBlockRef down = gen_block(g, "down"), along = gen_block(g, "along"),
                      done = gen_block(g, "stored");
    LLVMBuildCondBr(g->b, s.down, down, along);
    for (int k = 0; k < 2; k++) {
        struct storing own = {r, &read, LLVMConstInt(i1_type(g), k == 0, false), k == 0 ? 1 : s.n};
        gen_place(g, k == 0 ? down : along);
        store_across(g, &own, k == 0);
        LLVMBuildBr(g->b, done);
    }
    gen_place(g, done);
}
