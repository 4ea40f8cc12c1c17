/* window_row.c: a row of WINDOW's window, added to a thread's results. */
#include "window.h"

void window_select_accs(struct window_tile *t, int r) {
    int n = 0;
    for (const struct pacc *a = t->w->shape.accs; a != NULL; a = a->next, n++)
        var_of(t->g, a->acc)->slot = t->acc[n][r];
}

void window_begin_accs(struct window_tile *t) {
    struct gen *g = t->g;
    for (int r = 0; r < RESULTS_PER_THREAD; r++) {
        int n = 0;
        for (const struct pacc *a = t->w->shape.accs; a != NULL; a = a->next, n++)
            t->acc[n][r] = gen_alloca(g, gen_type(g, a->acc->dtype), "acc");
        window_select_accs(t, r);
        gen_assignments(g, t->w->shape.first);
        t->seen[r] = gen_alloca(g, gen_type(g, x_dtype(t)), "seen");
        t->is_seen[r] = gen_alloca(g, gen_type(g, DT_BOOL), "is_seen");
    }
}

/* The reduction's body for result r; its accs change only where `inside` (i1; NULL: true). */
static void add_element(struct window_tile *t, int r, const struct held held[2],
                        LLVMValueRef inside) {
    struct gen *g = t->g;
    LLVMValueRef before[MAX_ACCS];
    int n = 0;
    window_select_accs(t, r);
    for (const struct pacc *a = t->w->shape.accs; a != NULL; a = a->next, n++)
        before[n] = LLVMBuildLoad2(g->b, gen_type(g, a->acc->dtype), var_of(g, a->acc)->slot, "");
    g->held = held;
    g->nheld = t->w->w != NULL ? 2 : 1;
    gen_stmts(g, t->w->shape.body);
    g->nheld = 0;
    n = 0;
    for (const struct pacc *a = t->w->shape.accs; inside && a != NULL; a = a->next, n++) {
        LLVMValueRef v =
            LLVMBuildLoad2(g->b, gen_type(g, a->acc->dtype), var_of(g, a->acc)->slot, "");
        LLVMBuildStore(g->b, gen_select(g, inside, v, before[n]), var_of(g, a->acc)->slot);
    }
}

/* Loads element c from at->x on to its slot, and with a filter whether this passes it. */
static void see(struct window_tile *t, const struct row_at *at, int c, bool filtered) {
    struct gen *g = t->g;
    enum ufc_dtype d = x_dtype(t);
    uint32_t place = (uint32_t)(c + c / RESULTS_PER_THREAD) * bytes_of(d);
    LLVMValueRef x = gen_load_element(g, d, gen_memory_type(g, d), at_byte(g, at->x, i32(g, place)),
                                      bytes_of(d));
    LLVMBuildStore(g->b, x, t->seen[c % RESULTS_PER_THREAD]);
    if (!filtered)
        return;
    LLVMValueRef is = gen_load_element(g, DT_BOOL, gen_memory_type(g, DT_BOOL),
                                       at_byte(g, at->inside, i32(g, (uint32_t)c)), 1);
    LLVMBuildStore(g->b, is, t->is_seen[c % RESULTS_PER_THREAD]);
}

/* Step u of an iteration: loads the next element and the weight, adds to all of the thread's
 * results. */
static void gen_step(struct window_tile *t, const struct row_at *at, int u, bool filtered) {
    struct gen *g = t->g;
    const struct pval *w = t->w->w;
    struct held held[2];
    LLVMValueRef has = NULL;
    see(t, at, u + RESULTS_PER_THREAD - 1, filtered);
    if (t->w->mask != NULL)
        has = gen_load_element(g, DT_BOOL, gen_memory_type(g, DT_BOOL),
                               at_byte(g, at->mask, i32(g, (uint32_t)u)), 1);
    if (w != NULL) {
        LLVMValueRef place = at_byte(g, at->weight, i32(g, (uint32_t)u * bytes_of(w->dtype)));
        LLVMTypeRef memory = gen_memory_type(g, w->dtype);
        held[1] =
            (struct held){w, gen_load_element(g, w->dtype, memory, place, bytes_of(w->dtype))};
    }
    for (int r = 0; r < RESULTS_PER_THREAD; r++) {
        int k = (u + r) % RESULTS_PER_THREAD;
        held[0] =
            (struct held){t->w->x, LLVMBuildLoad2(g->b, gen_type(g, x_dtype(t)), t->seen[k], "")};
        LLVMValueRef is =
            filtered ? LLVMBuildLoad2(g->b, gen_type(g, DT_BOOL), t->is_seen[k], "") : has;
        add_element(t, r, held, filtered && has != NULL ? both(g, is, has) : is);
    }
}

/* Whole rounds of steps along a row of the window, after which the same slots are the first ones,
 * as many as `count` (i32) has; `done` becomes how many steps these are, and `at` what follows. */
static void add_rounds(struct window_tile *t, struct row_at *at, LLVMValueRef count,
                       LLVMValueRef *done) {
    struct gen *g = t->g;
    const struct pval *w = t->w->w;
    uint32_t x_step = (RESULTS_PER_THREAD + 1) * bytes_of(x_dtype(t));
    uint32_t w_step = w != NULL ? RESULTS_PER_THREAD * bytes_of(w->dtype) : 0;
    LLVMValueRef first[] = {i32(g, RESULTS_PER_THREAD), at->x, at->weight, at->mask};
    struct loop l;
    loop_begin(g, &l, 4, first);
    loop_while(g, &l, compare(g, LLVMIntULE, l.phi[0], count));
    l.keep = true;
    for (int u = 0; u < RESULTS_PER_THREAD; u++)
        gen_step(t, &(struct row_at){l.phi[1], NULL, l.phi[2], l.phi[3]}, u, false);
    LLVMValueRef next[] = {
        add(g, l.phi[0], i32(g, RESULTS_PER_THREAD)), at_byte(g, l.phi[1], i32(g, x_step)),
        at_byte(g, l.phi[2], i32(g, w_step)), at_byte(g, l.phi[3], i32(g, RESULTS_PER_THREAD))};
    loop_end(g, &l, next);
    *done = subtract(g, l.phi[0], i32(g, RESULTS_PER_THREAD));
    *at = (struct row_at){l.phi[1], NULL, l.phi[2], l.phi[3]};
}

/* Adds `count` (i32) steps along a row of the window. */
static void add_row(struct window_tile *t, struct row_at at, LLVMValueRef count, bool filtered) {
    struct gen *g = t->g;
    for (int c = 0; c < RESULTS_PER_THREAD - 1; c++)
        see(t, &at, c, filtered);
    const struct pval *w = t->w->w;
    uint32_t x_step = (RESULTS_PER_THREAD + 1) * bytes_of(x_dtype(t));
    uint32_t w_step = w != NULL ? RESULTS_PER_THREAD * bytes_of(w->dtype) : 0;
    LLVMValueRef begin = at.inside, done = i32(g, 0);
    if (!filtered)
        add_rounds(t, &at, count, &done);
    LLVMValueRef first[] = {done, at.x, at.weight, at.mask};
    struct loop l;
    loop_begin(g, &l, 4, first);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], count));
    l.keep = true;
    at = (struct row_at){l.phi[1], filtered ? at_byte(g, begin, l.phi[0]) : NULL, l.phi[2],
                         l.phi[3]};
    for (int u = 0; u < RESULTS_PER_THREAD; u++) {
        if (u > 0) {
            LLVMBasicBlockRef more = gen_block(g, "step");
            LLVMValueRef step = add(g, l.phi[0], i32(g, (uint32_t)u));
            LLVMBuildCondBr(g->b, compare(g, LLVMIntULT, step, count), more, l.exit);
            gen_place(g, more);
        }
        gen_step(t, &at, u, filtered);
    }
    LLVMValueRef next[] = {add(g, l.phi[0], i32(g, RESULTS_PER_THREAD)),
                           at_byte(g, at.x, i32(g, x_step)), at_byte(g, at.weight, i32(g, w_step)),
                           at_byte(g, at.mask, i32(g, RESULTS_PER_THREAD))};
    loop_end(g, &l, next);
}

/* ---- windows without weights, of which neighbouring results have most in common */

/* The accs of a part of such a window's row. */
struct part_accs {
    LLVMValueRef value[MAX_ACCS];
};

static void begin_part(struct window_tile *t, const LLVMValueRef *slot) {
    int n = 0;
    for (const struct pacc *a = t->w->shape.accs; a != NULL; a = a->next, n++)
        var_of(t->g, a->acc)->slot = slot[n];
    gen_assignments(t->g, t->w->shape.first);
}

static struct part_accs part_of(struct window_tile *t) {
    struct part_accs part;
    int n = 0;
    for (const struct pacc *a = t->w->shape.accs; a != NULL; a = a->next, n++)
        part.value[n] =
            LLVMBuildLoad2(t->g->b, gen_type(t->g, a->acc->dtype), var_of(t->g, a->acc)->slot, "");
    return part;
}

/* Joins a part to the accs. */
static void join_part(struct window_tile *t, const struct part_accs *part) {
    int n = 0;
    for (const struct pacc *a = t->w->shape.accs; a != NULL; a = a->next, n++)
        LLVMBuildStore(t->g->b, part->value[n], var_of(t->g, a->other)->slot);
    gen_stmts(t->g, t->w->shape.joined);
}

/* The reduction's body for the element number c (i32) from `x` on, in a row of shared memory. */
static void add_seen(struct window_tile *t, LLVMValueRef x, LLVMValueRef c) {
    struct gen *g = t->g;
    enum ufc_dtype d = x_dtype(t);
    LLVMValueRef place = multiply(g, results_column(g, c), i32(g, bytes_of(d)));
    struct held held = {
        t->w->x, gen_load_element(g, d, gen_memory_type(g, d), at_byte(g, x, place), bytes_of(d))};
    g->held = &held;
    g->nheld = 1;
    gen_stmts(g, t->w->shape.body);
    g->nheld = 0;
}

/* The elements from the last of the first result's neighbours to `count`, which all results have.
 */
static struct part_accs common_part(struct window_tile *t, LLVMValueRef x, LLVMValueRef count,
                                    const LLVMValueRef *slot) {
    struct gen *g = t->g;
    begin_part(t, slot);
    add_seen(t, x, i32(g, RESULTS_PER_THREAD - 1));
    LLVMValueRef first = i32(g, RESULTS_PER_THREAD), step = i32(g, RESULTS_PER_THREAD);
    struct loop l;
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntULE, add(g, l.phi[0], step), count));
    l.keep = true;
    LLVMValueRef begin = multiply(g, results_column(g, l.phi[0]), i32(g, bytes_of(x_dtype(t))));
    for (int u = 0; u < RESULTS_PER_THREAD; u++)
        add_seen(t, at_byte(g, x, begin), i32(g, (uint32_t)u));
    LLVMValueRef next = add(g, l.phi[0], step);
    loop_end(g, &l, &next);
    LLVMValueRef rest = l.phi[0];
    loop_begin(g, &l, 1, &rest);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], count));
    l.keep = true;
    add_seen(t, x, l.phi[0]);
    next = add(g, l.phi[0], i32(g, 1));
    loop_end(g, &l, &next);
    return part_of(t);
}

/* Adds a row of `count` (i32) elements, RESULTS_PER_THREAD or more, from x on: what the thread's
 * results have in common once, and to each of them what it has before and behind that. */
static void add_common_row(struct window_tile *t, LLVMValueRef x, LLVMValueRef count) {
    struct gen *g = t->g;
    enum { N = RESULTS_PER_THREAD };
    struct part_accs before[N], behind[N];
    LLVMValueRef slot[MAX_ACCS];
    int n = 0;
    for (const struct pacc *a = t->w->shape.accs; a != NULL; a = a->next)
        slot[n++] = gen_alloca(g, gen_type(g, a->acc->dtype), "part");
    begin_part(t, slot);
    for (int r = N - 2; r >= 0; r--) {
        add_seen(t, x, i32(g, (uint32_t)r));
        before[r] = part_of(t);
    }
    struct part_accs common = common_part(t, x, count, slot);
    begin_part(t, slot);
    for (int r = 1; r < N; r++) {
        add_seen(t, x, add(g, count, i32(g, (uint32_t)r - 1)));
        behind[r] = part_of(t);
    }
    for (int r = 0; r < N; r++) {
        window_select_accs(t, r);
        if (r < N - 1)
            join_part(t, &before[r]);
        join_part(t, &common);
        if (r > 0)
            join_part(t, &behind[r]);
    }
}

void window_add_row(struct window_tile *t, struct row_at at, LLVMValueRef count, bool filtered) {
    struct gen *g = t->g;
    if (filtered || t->w->w != NULL || t->w->mask != NULL) {
        add_row(t, at, count, filtered);
        return;
    }
    LLVMBasicBlockRef common = gen_block(g, "common"), apart = gen_block(g, "apart"),
                      done = gen_block(g, "row");
    LLVMBuildCondBr(g->b, compare(g, LLVMIntUGE, count, i32(g, RESULTS_PER_THREAD)), common, apart);
    gen_place(g, common);
    add_common_row(t, at.x, count);
    LLVMBuildBr(g->b, done);
    gen_place(g, apart);
    add_row(t, at, count, false);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}
