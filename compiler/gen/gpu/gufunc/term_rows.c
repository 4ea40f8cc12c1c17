/* term_rows.c: loops within the terms of a series, over elements of rows that are side by side, as
 * those of a block of weights with a scale.  Several iterations are straight code, whose elements
 * come as vectors where rows are aligned: lanes that have terms each are apart in memory, and would
 * otherwise come to all lines of it again for each iteration. */
#include "series.h"

enum {
    MAX_READS = 16, /* in an iteration */
    MAX_COUNT = 4,  /* elements of a row, a power of two, of an iteration */
    LOT = UFC_LOT,
    LOT_WORDS = 64, /* of the elements of a lot, at most, */
    LOT_BODY = 512, /* with so many nodes of values */
    VECTOR = 16     /* bytes, at most */
};

/* What an iteration reads of a row, of which it goes over `count` elements. */
struct row_read {
    const struct pval *place;
    int axis, count, at; /* `at`: which of these it is */
};

/* The reads of a loop, its iterations in a lot, and nodes of values in an iteration. */
struct row_loop {
    struct gen *g;
    const struct pstmt *loop;
    struct row_read read[MAX_READS];
    int n, lot;
    int64_t body;
    bool straight;
};

/* ---- which loops */

/* A subscript without the number that is added last, *plus. */
static const struct pval *base_of(const struct pval *v, int64_t *plus) {
    bool sum = v->kind == PV_OP && v->op == OP_ADD && v->args[1]->kind == PV_CONST;
    *plus = sum ? (int64_t)v->args[1]->i : 0;
    return sum ? v->args[0] : v;
}

/* Sets what an element is of a row.  False: it is of none, or not read along one. */
static bool find_row(struct gen *g, const struct pval *v, const struct pvar *index,
                     struct row_read *r) {
    *r = (struct row_read){.place = v, .axis = -1};
    for (int i = 0; i < v->nargs; i++) {
        int64_t by, plus;
        if (!gen_grows(g, v->args[i], index, &by) || (by != 0 && r->axis >= 0))
            return false;
        if (by == 0)
            continue;
        base_of(v->args[i], &plus);
        r->axis = i;
        r->count = by > 0 && by <= MAX_COUNT ? (int)by : 0;
        r->at = (int)(plus & (by - 1));
    }
    return r->axis >= 0 && r->count > 0 && (r->count & (r->count - 1)) == 0;
}

/* Stops at a variable that the loop sets: a lot's elements are loaded before. */
static enum walk find_own_variable(const struct pval *v, void *loop) {
    const struct pstmt *s = ((const struct pstmt *)loop)->body;
    while (s != NULL && !(v->kind == PV_VAR && v->var == s->var))
        s = s->next;
    return s != NULL ? WALK_STOP : WALK_IN;
}

static enum walk collect_read(const struct pval *v, void *arg) {
    struct row_loop *x = arg;
    struct row_read r;
    x->body++;
    if (v->kind != PV_ELEM || v->operand >= x->g->plan->noperands || is_complex(v->dtype) ||
        !find_row(x->g, v, x->loop->var, &r) ||
        !value_walk(v, find_own_variable, (void *)(uintptr_t)x->loop))
        return WALK_IN;
    for (int i = 0; i < x->n; i++)
        if (same_value(x->read[i].place, v))
            return WALK_IN;
    x->straight = x->straight && x->n < MAX_READS;
    if (x->straight)
        x->read[x->n++] = r;
    return WALK_IN;
}

static enum walk collect_reads(const struct pstmt *s, void *arg) {
    struct row_loop *x = arg;
    x->straight = x->straight && s->kind == PS_SET;
    stmt_values(s, collect_read, arg);
    return WALK_IN;
}

/* Are two reads of the same elements of a row, but for which of an iteration's they are? */
static bool are_beside(const struct row_read *a, const struct row_read *b) {
    const struct pval *x = a->place, *y = b->place;
    bool same = x->operand == y->operand && a->axis == b->axis && a->count == b->count;
    int64_t first, second;
    for (int i = 0; same && i < x->nargs; i++)
        if (i != a->axis)
            same = same_value(x->args[i], y->args[i]);
    return same &&
           same_value(base_of(x->args[a->axis], &first), base_of(y->args[a->axis], &second)) &&
           first - a->at == second - b->at;
}

/* Is each element of an iteration's read, so that vectors have none that the array may lack? */
static bool is_complete(const struct row_loop *x, const struct row_read *r) {
    int beside = 0;
    for (int i = 0; i < x->n; i++)
        beside += are_beside(&x->read[i], r);
    return beside == r->count;
}

static int element_size(const struct row_read *r) {
    return dtype_info[r->place->dtype].bits / 8;
}

/* Leaves out reads of rows that have gaps, and finds how many iterations a lot has. */
static void choose_lot(struct row_loop *x) {
    int n = 0, bytes = 0;
    const struct pstmt *s = x->loop;
    bool fixed = s->lo->kind == PV_CONST && s->hi->kind == PV_CONST;
    struct row_loop all = *x;
    for (int i = 0; i < all.n; i++)
        if (is_complete(&all, &all.read[i]))
            x->read[n++] = all.read[i];
    x->n = n;
    for (int i = 0; i < n; i++)
        bytes += element_size(&x->read[i]);
    x->lot = fixed ? LOT : UFC_CALLED_LOT;
    while (x->lot > 1 && ((fixed && (int64_t)s->hi->i - (int64_t)s->lo->i < x->lot) ||
                          x->lot * x->body > LOT_BODY || x->lot * bytes > 4 * LOT_WORDS))
        x->lot /= 2;
}

/* Sets what loops have.  False: they are computed one iteration after the other. */
static bool find_row_loop(struct gen *g, const struct pstmt *s, struct row_loop *x) {
    *x = (struct row_loop){.g = g, .loop = s, .straight = true};
    if (s->step->kind != PV_CONST || s->step->i != 1 || gen_is_checked(s->body) || g->nheld > 0 ||
        g->abreast != NULL)
        return false;
    plan_walk(s->body, &(struct plan_visitor){.stmt = collect_reads}, x);
    if (!x->straight || x->n == 0)
        return false;
    choose_lot(x);
    return x->n > 0 && x->lot >= 4;
}

/* ---- in code */

/* Bytes of a row's vectors in a lot. */
static unsigned vector_bytes_of(const struct row_loop *x, const struct row_read *r) {
    unsigned bytes = (unsigned)(x->lot * r->count * element_size(r));
    return bytes < VECTOR ? bytes : VECTOR;
}

/* The address of the first element of an iteration's, at the index at hand. */
static LLVMValueRef row_address(struct gen *g, const struct row_read *r) {
    return at_byte(g, gen_address(g, r->place), i64(g, -(uint64_t)(r->at * element_size(r))));
}

/* i1: all rows are aligned, and have no gaps, from the index at hand on. */
static LLVMValueRef rows_are_aligned(const struct row_loop *x) {
    struct gen *g = x->g;
    LLVMValueRef all = LLVMConstAllOnes(i1_type(g));
    for (int i = 0; i < x->n; i++) {
        const struct row_read *r = &x->read[i];
        LLVMValueRef at = LLVMBuildPtrToInt(g->b, row_address(g, r), i64_type(g), "");
        LLVMValueRef rest = both(g, at, i64(g, vector_bytes_of(x, r) - 1));
        LLVMValueRef stride = g->arrays[r->place->operand].stride[r->axis];
        all = both(g, all, compare(g, LLVMIntEQ, rest, i64(g, 0)));
        all = both(g, all, compare(g, LLVMIntEQ, stride, i64(g, (uint64_t)element_size(r))));
    }
    return all;
}

/* Loads a read's elements of a lot that begins with the index at hand. */
static void load_read(const struct row_loop *x, const struct row_read *r, LLVMValueRef *value) {
    struct gen *g = x->g;
    LLVMValueRef at = row_address(g, r), all[LOT * MAX_COUNT];
    int lanes = (int)vector_bytes_of(x, r) / element_size(r), n = x->lot * r->count;
    for (int i = 0; i < n; i += lanes)
        load_row(g, r->place, at_byte(g, at, i64(g, (uint64_t)(i * element_size(r)))), lanes,
                 &all[i]);
    for (int i = 0; i < x->lot; i++)
        value[i] = all[i * r->count + r->at];
}

/* The iterations from `first` on, i64. */
static void gen_lot(const struct row_loop *x, LLVMValueRef first) {
    struct gen *g = x->g;
    struct held held[MAX_READS];
    LLVMValueRef value[MAX_READS][LOT];
    gen_set_index(g, x->loop->var, first);
    for (int k = 0; k < x->n; k++)
        load_read(x, &x->read[k], value[k]);
    for (int i = 0; i < x->lot; i++) {
        gen_set_index(g, x->loop->var, add(g, first, i64(g, (uint64_t)i)));
        for (int k = 0; k < x->n; k++)
            held[k] = (struct held){x->read[k].place, value[k][i]};
        g->held = held;
        g->nheld = x->n;
        gen_stmts(g, x->loop->body);
        g->nheld = 0;
    }
}

/* A loop of as many iterations at a time as a lot has, or of one; while there are as many before
 * `end`.  Gives the first that is left, i64. */
static LLVMValueRef gen_rows_loop(const struct row_loop *x, LLVMValueRef first, LLVMValueRef end,
                                  bool lots) {
    struct gen *g = x->g;
    struct loop l;
    LLVMValueRef by = i64(g, lots ? (uint64_t)x->lot : 1);
    loop_begin(g, &l, 1, &first);
    l.keep = !LLVMIsConstant(first) || !lots;
    loop_while(g, &l, compare(g, LLVMIntSLE, add(g, l.phi[0], by), end));
    if (lots) {
        gen_lot(x, l.phi[0]);
    } else {
        gen_set_index(g, x->loop->var, l.phi[0]);
        gen_stmts(g, x->loop->body);
    }
    loop_end(g, &l, (LLVMValueRef[]){add(g, l.phi[0], by)});
    return l.phi[0];
}

bool gen_term_rows(struct gen *g, const struct pstmt *s) {
    struct row_loop x;
    if (!find_row_loop(g, s, &x))
        return false;
    LLVMValueRef lo = gen_scalar(g, s->lo), hi = gen_scalar(g, s->hi);
    gen_set_index(g, s->var, lo);
    LLVMValueRef end = gen_select(g, rows_are_aligned(&x), hi, lo);
    LLVMValueRef left = gen_rows_loop(&x, lo, end, true);
    gen_rows_loop(&x, left, hi, false);
    return true;
}
