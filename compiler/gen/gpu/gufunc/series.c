/* series.c: SERIES, a block for each call or for several, in which most warps compute the terms of
 * series and the first ones add them up.  Terms of many iterations at once go to shared memory:
 * while lanes of an adding warp, one for each variable of each call, add those of one part of the
 * iterations in their order, the others compute those of the next part.  A call's threads all run
 * all other statements, or share them as those of BLOCK do.
 *
 * In steps that blocks share the lanes of a warp run a series in the same way, one part after the
 * other: each warp those that all threads run, and those of a point where points are few. */
#include <math.h>

#include "series.h"

enum { ADDED = 16 }; /* terms of 32 bits that a lane loads at a time, and then adds */

/* May a block of SERIES have several calls? */
static bool has_several_calls(const struct gen *g) {
    return g->plan->map.series > 1;
}

LLVMTypeRef series_type(struct gen *g, const struct series_acc *a) {
    return gen_type(g, a->var->dtype);
}

/* The terms of a variable that its lane loads at a time. */
static uint32_t added_of(const struct series_acc *a) {
    return dtype_info[a->var->dtype].bits == 32 ? ADDED : ADDED / 2;
}

/* What leaves a variable as it is. */
static LLVMValueRef neutral(struct gen *g, const struct series_acc *a) {
    enum ufc_dtype d = a->var->dtype;
    bool greatest = a->join == OP_COUNT + B_MAX;
    if (a->join < OP_COUNT)
        return is_float(d) ? gen_float(g, d, a->join == OP_MUL ? 1 : -0.0)
                           : gen_int(g, d, a->join == OP_MUL);
    return is_float(d) ? gen_float(g, d, greatest ? -INFINITY : INFINITY)
                       : gen_int(g, d, (int64_t)(greatest ? lowest(d) : highest(d)));
}

/* ---- where terms are in shared memory */

/* Bytes from a call's terms of a variable to the next call's, and from a variable's to the next
 * one's, i32.  Calls are UFC_SERIES_APART more bytes apart than their terms take, so that lanes do
 * not load from the same bank. */
static LLVMValueRef call_bytes(const struct part *p, int i) {
    struct gen *g = p->x->g;
    LLVMValueRef own = multiply(g, p->x->members, i32(g, p->room.apart[i]));
    return add(g, own, i32(g, UFC_SERIES_APART));
}

static LLVMValueRef variable_bytes(const struct part *p, int i) {
    struct gen *g = p->x->g;
    bool one = p->x->lanes || !has_several_calls(g);
    return one ? multiply(g, p->x->members, i32(g, p->room.apart[i]))
               : multiply(g, call_bytes(p, i), p->x->calls);
}

/* The address of the part's terms of variable i, of a call. */
static LLVMValueRef row_of(const struct part *p, int i, LLVMValueRef call) {
    struct gen *g = p->x->g;
    const struct series_room *room = &p->room;
    if (p->x->lanes)
        return at_byte(g, p->x->terms,
                       extended(g, multiply(g, p->x->members, i32(g, room->offset[i]))));
    LLVMValueRef half = LLVMBuildLoad2(g->b, i32_type(g), p->x->buffer, "");
    LLVMValueRef at =
        add(g, multiply(g, half, i32(g, p->x->groups.bytes)), i32(g, room->offset[i]));
    at = multiply(g, at, p->x->all);
    if (has_several_calls(g)) {
        LLVMValueRef gaps = i32(g, (uint32_t)p->x->groups.n * UFC_SERIES_GAPS);
        gaps = multiply(g, half, gaps);
        for (int k = 0; k < p->series->n; k++)
            if (room->apart[k] > 0 && room->offset[k] < room->offset[i])
                gaps = add(g, gaps, multiply(g, p->x->calls, i32(g, UFC_SERIES_APART)));
        at = add(g, add(g, at, gaps), multiply(g, call, call_bytes(p, i)));
    }
    return at_byte(g, dynamic_memory(g), extended(g, at));
}

static LLVMValueRef term_at(const struct part *p, LLVMValueRef row, int i, LLVMValueRef iteration,
                            int term) {
    struct gen *g = p->x->g;
    LLVMValueRef at = multiply(g, iteration, i32(g, (uint32_t)p->room.terms[i]));
    at = add(g, at, i32(g, (uint32_t)term));
    return LLVMBuildGEP2(g->b, series_type(g, &p->series->acc[i]), row, &at, 1, "");
}

/* ---- terms */

LLVMValueRef gen_term_counts(struct gen *g, const struct series_term *term) {
    if (term->when == NULL)
        return NULL;
    LLVMValueRef when = gen_value(g, term->when);
    return term->unless ? LLVMBuildNot(g->b, when, "") : when;
}

/* A PS_SET of one of the variables: its terms are kept. */
static bool keep_terms(struct gen *g, const struct pstmt *s) {
    const struct kept_terms *x = g->threads->kept;
    const struct series *series = x->series;
    struct series_term term[MAX_SERIES_TERMS];
    int i = 0;
    while (i < series->n && series->acc[i].var != s->var)
        i++;
    if (i == series->n)
        return false;
    const struct series_site *site = series->site;
    while (site->set != s)
        site++;
    int n = series_terms(s->var, s->value, term);
    for (int k = 0; k < n; k++) {
        LLVMValueRef v = gen_value(g, term[k].value);
        if (term[k].negative)
            v = gen_op(g, OP_NEG, s->var->dtype, v, NULL);
        LLVMValueRef counts = gen_term_counts(g, &term[k]);
        if (counts != NULL)
            v = gen_select(g, counts, v, neutral(g, &series->acc[i]));
        LLVMBuildStore(g->b, v, x->slot[i][site->first + k]);
    }
    return true;
}

void reserve_terms(struct gen *g, struct kept_terms *x, const struct series *s) {
    *x = (struct kept_terms){.series = s, .room = series_room(s, true)};
    for (int i = 0; i < s->n; i++)
        for (int k = 0; k < x->room.terms[i]; k++)
            x->slot[i][k] = gen_alloca(g, series_type(g, &s->acc[i]), "term");
}

void gen_kept_terms(struct gen *g) {
    static const struct sharing by_terms = {.set = keep_terms, .loop = gen_term_rows};
    const struct sharing *outer = g->sharing;
    g->sharing = &by_terms;
    gen_stmts(g, g->threads->kept->series->points->body);
    g->sharing = outer;
}

void clear_terms(struct gen *g) {
    const struct kept_terms *x = g->threads->kept;
    for (int i = 0; i < x->series->n; i++)
        for (int k = 0; k < x->room.terms[i]; k++)
            LLVMBuildStore(g->b, neutral(g, &x->series->acc[i]), x->slot[i][k]);
}

/* The positions of the iteration that is number `at`, i32, of the part.  Those of its first one are
 * known, so that divisions are of 32 bits where counts are. */
static void find_positions(const struct part *p, LLVMValueRef at, LLVMValueRef *position) {
    struct gen *g = p->x->g;
    if (!p->narrow) {
        take_apart(g, &p->nest, add(g, p->base, extended(g, at)), position);
        return;
    }
    for (int i = p->nest.n - 1; i > 0; i--) {
        LLVMValueRef n = LLVMBuildTrunc(g->b, p->nest.count[i], i32_type(g), "");
        at = add(g, at, LLVMBuildTrunc(g->b, p->first[i], i32_type(g), ""));
        LLVMValueRef q = LLVMBuildUDiv(g->b, at, n, "");
        position[i] = extended(g, subtract(g, at, multiply(g, q, n)));
        at = q;
    }
    position[0] = add(g, p->first[0], extended(g, at));
}

static void set_positions(const struct part *p, const LLVMValueRef *position) {
    struct gen *g = p->x->g;
    for (int i = 0; i < p->nest.n; i++)
        LLVMBuildStore(g->b, position[i], p->nest.slot[i]);
    set_indices(g, &p->nest);
}

static void load_terms(const struct part *p, LLVMValueRef v[][MAX_SERIES_TERMS]) {
    struct gen *g = p->x->g;
    for (int i = 0; i < p->series->n; i++)
        for (int k = 0; k < p->room.terms[i]; k++)
            v[i][k] =
                LLVMBuildLoad2(g->b, series_type(g, &p->series->acc[i]), p->x->kept.slot[i][k], "");
}

/* Stores those of the iteration that is number `at`, i32, of the part. */
static void store_terms(const struct part *p, LLVMValueRef at, LLVMValueRef v[][MAX_SERIES_TERMS]) {
    struct gen *g = p->x->g;
    for (int i = 0; i < p->series->n; i++) {
        LLVMValueRef row = row_of(p, i, p->x->own);
        for (int k = 0; k < p->room.terms[i]; k++)
            LLVMBuildStore(g->b, v[i][k], term_at(p, row, i, at, k));
    }
}

/* The number in a part, i32, of the thread's iteration that is number u. */
static LLVMValueRef number_of(const struct part *p, int u) {
    struct gen *g = p->x->g;
    return add(g, p->x->member, multiply(g, p->x->members, i32(g, (uint32_t)u)));
}

void set_iteration(const struct part *p, int u) {
    LLVMValueRef position[MAX_RANGES];
    find_positions(p, number_of(p, u), position);
    set_positions(p, position);
}

/* Those of all of the thread's iterations, which there are: their loads do not wait for one
 * another, nor do they for divisions, which are not straight code. */
static void compute_whole(const struct part *p) {
    struct gen *g = p->x->g;
    LLVMValueRef v[MAX_SERIES_UNITS][MAX_SERIES_ACCS][MAX_SERIES_TERMS];
    LLVMValueRef position[MAX_SERIES_UNITS][MAX_RANGES];
    struct held held[MAX_SERIES_AHEAD];
    for (int u = 0; u < p->room.units; u++)
        find_positions(p, number_of(p, u), position[u]);
    for (int u = 0; u < p->room.units; u++) {
        clear_terms(g);
        set_positions(p, position[u]);
        if (p->ahead != NULL)
            hold_lane_elements(g, p->ahead, u, held);
        gen_kept_terms(g);
        g->nheld = 0;
        load_terms(p, v[u]);
    }
    for (int u = 0; u < p->room.units; u++)
        store_terms(p, number_of(p, u), v[u]);
}

/* Those of the iterations that there are, and for the others what changes nothing. */
static void compute_some(const struct part *p) {
    struct gen *g = p->x->g;
    const struct adding *x = p->x;
    LLVMValueRef v[MAX_SERIES_ACCS][MAX_SERIES_TERMS], begin = i32(g, 0), position[MAX_RANGES];
    struct loop l;
    loop_begin(g, &l, 1, &begin);
    l.keep = true;
    LLVMValueRef end =
        both(g, add(g, p->count, i32(g, 2 * ADDED - 1)), i32(g, -2 * (uint32_t)ADDED));
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], end));
    LLVMValueRef at = add(g, l.phi[0], x->member);
    clear_terms(g);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntULT, at, p->count));
    find_positions(p, at, position);
    set_positions(p, position);
    gen_kept_terms(g);
    end_if(g, after);
    load_terms(p, v);
    store_terms(p, at, v);
    LLVMValueRef next = add(g, l.phi[0], x->members);
    loop_end(g, &l, &next);
}

/* ---- sums */

LLVMValueRef join_term(struct gen *g, const struct series_acc *a, LLVMValueRef sum,
                       LLVMValueRef term) {
    LLVMValueRef args[] = {sum, term};
    if (a->join >= OP_COUNT)
        return gen_builtin(g, &builtins[a->join - OP_COUNT], 0, a->var->dtype, series_type(g, a),
                           args);
    return gen_op(g, (enum op)a->join, a->var->dtype, sum, term);
}

/* Loads terms from number `at`, i32, on, in accesses of 16 bytes, into slots. */
static void load_added(struct gen *g, const struct series_acc *a, LLVMValueRef row, LLVMValueRef at,
                       const LLVMValueRef *slot) {
    unsigned lanes = added_of(a) / (ADDED / 4);
    LLVMTypeRef type = series_type(g, a), vector = LLVMVectorType(type, lanes);
    LLVMValueRef first = LLVMBuildGEP2(g->b, type, row, &at, 1, "");
    for (unsigned i = 0; i < added_of(a); i += lanes) {
        LLVMValueRef far = i32(g, i);
        LLVMValueRef from = LLVMBuildGEP2(g->b, type, first, &far, 1, "");
        LLVMValueRef v = LLVMBuildLoad2(g->b, vector, from, "");
        LLVMSetAlignment(v, 16);
        for (unsigned k = 0; k < lanes; k++)
            LLVMBuildStore(g->b, LLVMBuildExtractElement(g->b, v, i32(g, k), ""), slot[i + k]);
    }
}

/* Adds the terms in slots, while those from number `next` on come into others. */
static void add_loaded(struct gen *g, const struct series_acc *a, LLVMValueRef row,
                       LLVMValueRef next, const LLVMValueRef *slot, const LLVMValueRef *others,
                       LLVMValueRef sum) {
    LLVMTypeRef type = series_type(g, a);
    LLVMValueRef v[ADDED], all = LLVMBuildLoad2(g->b, type, sum, "");
    for (uint32_t i = 0; i < added_of(a); i++)
        v[i] = LLVMBuildLoad2(g->b, type, slot[i], "");
    load_added(g, a, row, next, others);
    for (uint32_t i = 0; i < added_of(a); i++)
        all = join_term(g, a, all, v[i]);
    LLVMBuildStore(g->b, all, sum);
}

/* Adds n terms of a row, i32, to the lane's variable: while it adds some, the next ones come, by
 * turns into one half of the slots and into the other.  They come as numbers, since LLVM would have
 * vectors come when they are added. */
static void add_row(struct gen *g, const struct series_acc *a, LLVMValueRef row, LLVMValueRef n,
                    LLVMValueRef sum) {
    uint32_t each = added_of(a);
    LLVMValueRef slot[2][ADDED], begin = i32(g, 0);
    for (uint32_t i = 0; i < 2 * each; i++)
        slot[i / each][i % each] = gen_alloca(g, series_type(g, a), "added");
    LLVMValueRef last = subtract(g, n, i32(g, each));
    load_added(g, a, row, begin, slot[0]);
    struct loop l;
    loop_begin(g, &l, 1, &begin);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], n));
    LLVMValueRef second = add(g, l.phi[0], i32(g, each)), next = add(g, second, i32(g, each));
    add_loaded(g, a, row, second, slot[0], slot[1], sum);
    add_loaded(g, a, row, least(g, next, last), slot[1], slot[0], sum);
    loop_end(g, &l, &next);
}

/* The first variable of a group, of a series; -1: there is none. */
static int first_of(const struct adding *x, const struct series *s, int group) {
    int i = 0;
    while (i < s->n && series_group(&x->groups, &s->acc[i]) != group)
        i++;
    return i < s->n ? i : -1;
}

static uint32_t variables_of(const struct adding *x, const struct series *s, int group) {
    uint32_t n = 0;
    for (int i = 0; i < s->n; i++)
        n += series_group(&x->groups, &s->acc[i]) == group;
    return n;
}

/* i1: the thread's lane has a variable of the group, of the series. */
static LLVMValueRef adds(const struct adding *x, const struct series *s, int group) {
    struct gen *g = x->g;
    LLVMValueRef n = i32(g, variables_of(x, s, group));
    LLVMValueRef has = compare(g, LLVMIntULT, x->lane, x->lanes ? n : multiply(g, n, x->calls));
    return x->lanes ? has : both(g, compare(g, LLVMIntEQ, x->warp, i32(g, (uint32_t)group)), has);
}

/* The adding lanes' part of a part. */
void add_part(const struct part *p) {
    const struct adding *x = p->x;
    struct gen *g = x->g;
    for (int group = 0; group < x->groups.n; group++) {
        int i = first_of(x, p->series, group);
        if (i < 0 || p->room.terms[i] == 0)
            continue;
        LLVMBasicBlockRef after = begin_if(g, adds(x, p->series, group));
        LLVMValueRef n_of_call = i32(g, variables_of(x, p->series, group)), call = NULL;
        LLVMValueRef variable = x->lane;
        if (!x->lanes) {
            call = LLVMBuildUDiv(g->b, x->lane, n_of_call, "");
            variable = subtract(g, variable, multiply(g, call, n_of_call));
        }
        LLVMValueRef apart = multiply(g, variable, variable_bytes(p, i));
        LLVMValueRef row = at_byte(g, row_of(p, i, call), extended(g, apart));
        LLVMValueRef n = multiply(g, p->count, i32(g, (uint32_t)p->room.terms[i]));
        uint32_t turn = 2 * added_of(&p->series->acc[i]);
        n = both(g, add(g, n, i32(g, turn - 1)), i32(g, -turn));
        add_row(g, &p->series->acc[i], row, n, x->sum[group]);
        end_if(g, after);
    }
}

/* ---- series */

void compute_part(struct part *p, LLVMValueRef left, LLVMValueRef size) {
    struct gen *g = p->x->g;
    LLVMBasicBlockRef whole = gen_block(g, "whole"), some = gen_block(g, "some"),
                      done = gen_block(g, "terms");
    take_apart(g, &p->nest, p->base, p->first);
    LLVMBuildCondBr(g->b, compare(g, LLVMIntSGE, left, size), whole, some);
    gen_place(g, whole);
    compute_whole(p);
    LLVMBuildBr(g->b, done);
    gen_place(g, some);
    compute_some(p);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* A block's part of iterations from number `base`, i64, on: its terms, and when these are there
 * their sums. */
static void run_part(struct part *p, LLVMValueRef size) {
    struct adding *x = p->x;
    struct gen *g = x->g;
    LLVMValueRef left = subtract(g, p->nest.total, p->base);
    p->count = LLVMBuildTrunc(g->b, least(g, left, size), i32_type(g), "");
    LLVMBasicBlockRef after = begin_if(g, x->computes);
    compute_part(p, left, size);
    end_if(g, after);
    gpu(g)->barrier(g);
    add_part(p);
    LLVMValueRef half = LLVMBuildLoad2(g->b, i32_type(g), x->buffer, "");
    LLVMBuildStore(g->b, LLVMBuildXor(g->b, half, i32(g, 1), ""), x->buffer);
}

/* The most iterations that a point of the warp has, i64: its lanes come to all parts together. */
static LLVMValueRef most_of_warp(struct gen *g, LLVMValueRef n) {
    for (uint32_t by = WARP / 2; by > 0; by /= 2) {
        LLVMValueRef other = gen_shuffle(g, SHUFFLE_ACROSS, i32(g, UINT32_MAX), n, i32(g, by));
        n = greatest(g, other, n);
    }
    return n;
}

static void gen_parts(struct adding *x, const struct series *s) {
    struct gen *g = x->g;
    struct part p = {.x = x, .series = s, .room = series_room(s, x->lanes)};
    find_nest(g, s->points, &p.nest);
    p.narrow = true;
    for (const struct prange *r = s->points->ranges; r != NULL; r = r->next)
        p.narrow = p.narrow && r->narrow;
    LLVMValueRef size = multiply(g, x->members, i32(g, (uint32_t)p.room.units)), begin = i64(g, 0);
    size = extended(g, size);
    reserve_terms(g, &x->kept, s);
    bool several = x->lanes && g->threads->kind == UFC_KERNEL_NEST;
    LLVMValueRef most = several ? most_of_warp(g, p.nest.total) : p.nest.total;
    struct lane_elements ahead;
    if (x->lanes) {
        find_lane_elements(g, &p, &ahead);
        reserve_lane_elements(g, &p, &ahead);
        begin =
            gen_select(g, compare(g, LLVMIntSGT, most, begin), LLVMBuildNeg(g->b, size, ""), begin);
    }
    struct loop l;
    loop_begin(g, &l, 1, &begin);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], most));
    p.base = l.phi[0];
    if (x->lanes)
        run_lanes_part(&p, size, &ahead);
    else
        run_part(&p, size);
    LLVMValueRef next = add(g, l.phi[0], size);
    loop_end(g, &l, &next);
}

/* Where `sums` have that of the variable that is number `n` (i32) of a group. */
static LLVMValueRef sum_at(struct gen *g, LLVMValueRef sums, int group, LLVMValueRef n) {
    LLVMValueRef at = add(g, n, i32(g, (uint32_t)group * WARP));
    return LLVMBuildGEP2(g->b, i64_type(g), sums, &at, 1, "");
}

/* The place, i32, of a group's variable number `n` of the thread's call. */
static LLVMValueRef own_place(const struct adding *x, const struct series *s, int group,
                              uint32_t n) {
    struct gen *g = x->g;
    LLVMValueRef first = multiply(g, x->own, i32(g, variables_of(x, s, group)));
    return add(g, first, i32(g, n));
}

/* The lanes that add take what the variables are, of a call's first thread, which may have them
 * alone; what other threads have stored is there. */
static void begin_series(struct adding *x, const struct series *s) {
    struct gen *g = x->g;
    uint32_t n[MAX_SERIES_GROUPS] = {0};
    LLVMValueRef first = compare(g, LLVMIntEQ, g->threads->number, i64(g, 0));
    LLVMBasicBlockRef after = begin_if(g, first);
    for (int i = 0; i < s->n; i++) {
        const struct series_acc *a = &s->acc[i];
        int group = series_group(&x->groups, a);
        LLVMValueRef v = LLVMBuildLoad2(g->b, series_type(g, a), var_of(g, a->var)->slot, "");
        LLVMValueRef place = own_place(x, s, group, n[group]++);
        LLVMBuildStore(g->b, v, sum_at(g, x->begins, group, place));
    }
    end_if(g, after);
    gpu(g)->barrier(g);
    for (int group = 0; group < x->groups.n; group++) {
        int i = first_of(x, s, group);
        if (i < 0)
            continue;
        LLVMValueRef last = multiply(g, x->calls, i32(g, n[group]));
        last = subtract(g, last, i32(g, 1));
        LLVMValueRef at = sum_at(g, x->begins, group, least(g, x->lane, last));
        LLVMBuildStore(g->b, LLVMBuildLoad2(g->b, series_type(g, &s->acc[i]), at, ""),
                       x->sum[group]);
    }
}

/* All threads take what the lanes have added up. */
static void end_series(struct adding *x, const struct series *s) {
    struct gen *g = x->g;
    for (int group = 0; group < x->groups.n; group++) {
        int i = first_of(x, s, group);
        if (i < 0)
            continue;
        LLVMBasicBlockRef after = begin_if(g, adds(x, s, group));
        LLVMTypeRef type = series_type(g, &s->acc[i]);
        LLVMValueRef at = sum_at(g, x->results, group, x->lane);
        LLVMBuildStore(g->b, LLVMBuildLoad2(g->b, type, x->sum[group], ""), at);
        end_if(g, after);
    }
    gpu(g)->barrier(g);
    uint32_t n[MAX_SERIES_GROUPS] = {0};
    for (int i = 0; i < s->n; i++) {
        int group = series_group(&x->groups, &s->acc[i]);
        LLVMValueRef at = sum_at(g, x->results, group, own_place(x, s, group, n[group]++));
        LLVMBuildStore(g->b, LLVMBuildLoad2(g->b, series_type(g, &s->acc[i]), at, ""),
                       var_of(g, s->acc[i].var)->slot);
    }
}

bool series_loop(struct gen *g, const struct pstmt *s) {
    struct adding *x = g->threads->adding;
    const struct sharing *outer = g->sharing;
    bool parts = s->series != NULL && s->series->points != NULL;
    if (s->series == NULL || (!parts && x->whole == s))
        return false;
    if (s->series->whole) {
        x->whole = s;
        (x->lanes ? begin_lanes : begin_series)(x, s->series);
    }
    g->sharing = &x->nested;
    if (parts)
        gen_parts(x, s->series);
    else
        gen_list(g, s, s->next);
    g->sharing = outer;
    if (s->series->whole)
        (x->lanes ? end_lanes : end_series)(x, s->series);
    return true;
}

static bool adds_in_lanes(const struct gen *g) {
    return g->threads->adding != NULL && g->threads->adding->lanes;
}

bool has_adding_lanes(const struct gen *g, const struct pstmt *s) {
    return adds_in_lanes(g) && has_lane_series(s);
}

bool lanes_loop(struct gen *g, const struct pstmt *s) {
    bool own = adds_in_lanes(g) && s->series != NULL && s->series->of_lanes;
    return own && series_loop(g, s);
}

static enum walk find_series_within(const struct pstmt *s, void *none) {
    (void)none;
    return s->series != NULL ? WALK_STOP : WALK_IN;
}

static enum walk find_no_input(const struct pval *v, void *plan) {
    return v->kind == PV_ELEM && v->operand >= ((struct plan *)plan)->nin ? WALK_STOP : WALK_IN;
}

/* A loop around series that one thread could run, and that only reads inputs: all threads do, for
 * their parts of the series. */
static bool loop_around(struct gen *g, const struct pstmt *s) {
    const struct sharing *outer = g->sharing;
    const struct plan_visitor within = {.stmt = find_series_within};
    const struct plan_visitor other = {.value = find_no_input};
    if (!s->by_first || has_store(s->body) || stmt_walk(s, &within, NULL) ||
        !stmt_walk(s, &other, (void *)(uintptr_t)g->plan))
        return false;
    g->sharing = &g->threads->adding->nested;
    gen_list(g, s, s->next);
    g->sharing = outer;
    return true;
}

static bool other_loop(struct gen *g, const struct pstmt *s) {
    return series_loop(g, s) || loop_around(g, s) || threads_loop(g, s);
}

/* ---- the kernel */

/* Has a block `group` calls.  With `across` neighbouring threads that compute terms have
 * neighbouring calls, else those of a call are neighbours.  Threads beyond the last call have its
 * variables, those that add the first one's; both run what sets variables, and nothing else. */
static void find_calls(struct gen *g, struct threads *t, struct adding *x) {
    x->calls = param_i32(g, PARAM(group));
    LLVMValueRef one = i32(g, 1), shift = trailing_zeros(g, x->calls), at = x->member;
    x->members = LLVMBuildLShr(g->b, x->all, shift, "");
    LLVMValueRef call = LLVMBuildUDiv(g->b, at, x->members, "");
    LLVMValueRef member = subtract(g, at, multiply(g, call, x->members));
    LLVMValueRef across = compare(g, LLVMIntNE, param_i32(g, PARAM(across)), i32(g, 0));
    call = gen_select(g, across, both(g, at, subtract(g, x->calls, one)), call);
    x->member = gen_select(g, across, LLVMBuildLShr(g->b, at, shift, ""), member);
    call = extended(g, gen_select(g, x->computes, call, i32(g, 0)));
    LLVMValueRef first = multiply(g, extended(g, t->ctaid), extended(g, x->calls));
    LLVMValueRef calls = param_i64(g, PARAM(calls));
    t->call = add(g, first, call);
    x->computes = both(g, x->computes, compare(g, LLVMIntSLT, t->call, calls));
    t->call = least(g, t->call, subtract(g, calls, i64(g, 1)));
    x->own = LLVMBuildTrunc(g->b, subtract(g, t->call, first), i32_type(g), "");
    LLVMValueRef number = gen_select(g, x->computes, extended(g, x->member), i64(g, INT64_MAX));
    LLVMValueRef single = compare(g, LLVMIntEQ, x->calls, one);
    t->number = gen_select(g, single, t->number, number);
    t->count = gen_select(g, single, t->count, extended(g, x->members));
}

static void find_adding(struct gen *g, struct threads *t) {
    struct adding *x = NEW(g->uc, struct adding);
    *x = (struct adding){.g = g, .shared = by_threads, .groups = series_groups(g->plan)};
    x->shared.loop = other_loop;
    x->nested.loop = series_loop;
    x->warp = warp_of(g, t->tid);
    x->lane = lane_of(g, t->tid);
    LLVMValueRef first = i32(g, (uint32_t)x->groups.n * WARP);
    x->computes = compare(g, LLVMIntUGE, t->tid, first);
    x->member = subtract(g, t->tid, first);
    x->members = x->all = subtract(g, t->ntid, first);
    x->calls = i32(g, 1);
    x->own = i32(g, 0);
    if (has_several_calls(g))
        find_calls(g, t, x);
    x->begins = shared_array(g, i64_type(g), (uint32_t)x->groups.n * WARP, 16, "begins");
    x->results = shared_array(g, i64_type(g), (uint32_t)x->groups.n * WARP, 16, "sums");
    t->adding = x;
    t->kept = &x->kept;
}

/* The slots, once the call's variables have theirs. */
static void find_slots(struct gen *g, struct adding *x) {
    x->buffer = gen_alloca(g, i32_type(g), "half");
    LLVMBuildStore(g->b, i32(g, 0), x->buffer);
    for (int i = 0; i < x->groups.n; i++)
        x->sum[i] = gen_alloca(g, gen_type(g, x->groups.dtype[i]), "sum");
}

void gen_series_kernel(struct gen *g, struct threads *t) {
    gufunc_find_block(g, t);
    find_adding(g, t);
    gufunc_enter_call(g, t);
    find_slots(g, t->adding);
    g->sharing = &t->adding->shared;
    g->merge = gen_merge;
    gen_stmts(g, g->plan->body);
    gufunc_leave_call(g, t);
}
