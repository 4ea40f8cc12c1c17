/* stretches.c: points whose subscripts or values are quotients and remainders of the row's index by
 * what is the same along it, as of an index that counts the elements of rows:
 *
 *     y[i] = x[i] * m[i // w, i % w] for i
 *
 * Up to where a remainder begins anew the quotient is the same, and the remainder grows with the
 * index.  Where divisors are small, lanes divide. */
#include "gufunc.h"

/* Of a stretch, at least: points; without masked accesses vectors. */
enum { LEAST_POINTS = 4, LEAST_VECTORS = 2 };

struct search {
    struct gen *g;
    struct stretches *stretches;
    struct body_sets sets;
};

/* Stops at what is not known before the body. */
static enum walk find_inner(const struct pval *v, void *arg) {
    const struct search *f = arg;
    bool inner = v->kind == PV_VAR
                     ? f->sets.times[v->var->id] > 0
                     : v->kind == PV_ELEM || v->kind == PV_LOAD || v->dtype != DT_INT64;
    return inner ? WALK_STOP : WALK_IN;
}

/* The quotient or remainder that v is, or is a name of; NULL: it is none. */
static const struct pval *digit_of(struct search *f, const struct pval *v) {
    int by;
    if (v->kind == PV_VAR && f->sets.only[v->var->id] != NULL)
        v = f->sets.only[v->var->id];
    bool is = v->kind == PV_OP && (v->op == OP_FLOORDIV || v->op == OP_MOD) &&
              v->dtype == DT_INT64 && value_walk(v, find_inner, f) &&
              !gen_varies(f->g, v->args[1]) && gen_lane_affine(f->g, v->args[0], &by) && by == 1;
    return is ? v : NULL;
}

static bool divide_alike(const struct pval *a, const struct pval *b) {
    return same_value(a->args[0], b->args[0]) && same_value(a->args[1], b->args[1]);
}

static enum walk note_value(const struct pval *v, void *arg) {
    struct search *f = arg;
    struct stretches *s = f->stretches;
    const struct pval *digit = digit_of(f, v);
    if (digit == NULL)
        return WALK_IN;
    for (int i = 0; i < s->n; i++)
        if (same_value(s->value[i], v))
            return WALK_PAST;
    int of = 0;
    while (of < s->ndivisions && !divide_alike(s->division[of], digit))
        of++;
    if (s->n == MAX_DIGITS || of == MAX_DIVISIONS)
        return WALK_STOP;
    if (of == s->ndivisions)
        s->division[s->ndivisions++] = digit;
    s->of[s->n] = of;
    s->rest[s->n] = digit->op == OP_MOD;
    s->value[s->n++] = v;
    return WALK_PAST;
}

void stretches_find(struct gen *g, const struct spread_fn *p, struct stretches *s) {
    struct search f = {.g = g, .stretches = s};
    s->n = s->ndivisions = 0;
    if (!points_repeat(g, p) || !points_find_sets(g, p->s->body, &f.sets) ||
        !plan_walk(p->s->body, &(struct plan_visitor){.value = note_value}, &f))
        s->n = 0;
}

/* ---- points */

/* A quotient and remainder of the index of a stretch's first point. */
struct division {
    LLVMValueRef by, quotient, rest; /* i64 */
};

/* What v divides, at an index. */
static LLVMValueRef dividend_at(struct gen *g, const struct pval *v, LLVMValueRef index) {
    struct gen_var *var = var_of(g, g->lane_var);
    var->known = index;
    LLVMValueRef of = gen_scalar(g, v->args[0]);
    var->known = NULL;
    return of;
}

static struct division divide_at(struct gen *g, const struct pval *v, LLVMValueRef index) {
    LLVMValueRef of = dividend_at(g, v, index), by = gen_scalar(g, v->args[1]);
    LLVMValueRef rest = LLVMBuildSRem(g->b, of, by, ""), zero = i64(g, 0);
    rest = gen_select(g, compare(g, LLVMIntSLT, rest, zero), add(g, rest, by), rest);
    return (struct division){by, LLVMBuildSDiv(g->b, subtract(g, of, rest), by, ""), rest};
}

static const struct settled *settle(struct gen *g, const struct stretches *s,
                                    const struct division *at, LLVMValueRef behind) {
    struct settled *list = NEWN(g->uc, struct settled, s->n + 1);
    int *apart = NEWN(g->uc, int, g->vector_lanes);
    for (int lane = 0; lane < g->vector_lanes; lane++)
        apart[lane] = lane;
    for (int i = 0; i < s->n; i++) {
        list[i].value = s->value[i];
        if (!s->rest[i]) {
            list[i].truth = at[s->of[i]].quotient;
            continue;
        }
        list[i].apart = apart;
        list[i].first = add(g, at[s->of[i]].rest, behind);
    }
    return list;
}

const struct settled *stretches_settle(struct gen *g, const struct stretches *s) {
    struct division none[MAX_DIVISIONS];
    for (int i = 0; i < s->ndivisions; i++)
        none[i] = (struct division){i64(g, 1), i64(g, 0), i64(g, 0)};
    return settle(g, s, none, i64(g, 0));
}

/* The points from `first` to `until`, where s is settled. */
static void gen_stretch(struct gen *g, const struct spread_fn *p, const struct stretches *s,
                        const struct division *at, LLVMValueRef first, LLVMValueRef until) {
    struct loop l;
    LLVMValueRef lanes = i64(g, (uint64_t)g->vector_lanes);
    loop_begin(g, &l, 1, &first);
    LLVMValueRef end = add(g, l.phi[0], lanes);
    loop_while(g, &l, compare(g, LLVMIntSLE, end, until));
    l.keep = true;
    g->settled = settle(g, s, at, subtract(g, l.phi[0], first));
    points_vector(g, p, l.phi[0], NULL);
    g->settled = NULL;
    loop_end(g, &l, &end);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntSLT, l.phi[0], until));
    g->settled = settle(g, s, at, subtract(g, l.phi[0], first));
    points_vector(g, p, l.phi[0], subtract(g, until, l.phi[0]));
    g->settled = NULL;
    end_if(g, after);
}

/* How long stretches are at least. */
static uint64_t least_points(struct gen *g) {
    bool masks = g->target->has_masked != NULL && g->target->has_masked(g, sizeof(float));
    return masks ? LEAST_POINTS : (uint64_t)(LEAST_VECTORS * g->vector_lanes);
}

/* i1: stretches are long, and what is divided at the points [first, last) does not wrap. */
static LLVMValueRef are_wide(struct gen *g, const struct spread_fn *p, const struct stretches *s,
                             LLVMValueRef first, LLVMValueRef last) {
    LLVMValueRef least_by = i64(g, least_points(g)), wide = LLVMConstInt(i1_type(g), 1, false);
    for (int i = 0; i < s->ndivisions; i++) {
        LLVMValueRef by = gen_scalar(g, s->division[i]->args[1]);
        LLVMValueRef of = dividend_at(g, s->division[i], add(g, p->lo[p->n - 1], first));
        LLVMValueRef end = add(g, of, subtract(g, last, first));
        wide = both(g, wide, compare(g, LLVMIntSGE, by, least_by));
        wide = both(g, wide, compare(g, LLVMIntSLE, of, end));
    }
    return wide;
}

LLVMValueRef stretches_points(struct gen *g, const struct spread_fn *p, const struct stretches *s,
                              LLVMValueRef first, LLVMValueRef last) {
    struct division at[MAX_DIVISIONS];
    struct loop l;
    LLVMValueRef wide = are_wide(g, p, s, first, last);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(g->b), after = begin_if(g, wide);
    LLVMValueRef begin[1 + 2 * MAX_DIVISIONS] = {first}, next[1 + 2 * MAX_DIVISIONS];
    for (int i = 0; i < s->ndivisions; i++) {
        at[i] = divide_at(g, s->division[i], add(g, p->lo[p->n - 1], first));
        begin[1 + 2 * i] = at[i].quotient;
        begin[2 + 2 * i] = at[i].rest;
    }
    loop_begin(g, &l, 1 + 2 * s->ndivisions, begin);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], last));
    l.keep = true;
    LLVMValueRef length = subtract(g, last, l.phi[0]);
    for (int i = 0; i < s->ndivisions; i++) {
        at[i].quotient = l.phi[1 + 2 * i];
        at[i].rest = l.phi[2 + 2 * i];
        length = least(g, length, subtract(g, at[i].by, at[i].rest));
    }
    LLVMValueRef until = add(g, l.phi[0], length);
    gen_stretch(g, p, s, at, l.phi[0], until);
    next[0] = until;
    for (int i = 0; i < s->ndivisions; i++) {
        LLVMValueRef rest = add(g, at[i].rest, length);
        LLVMValueRef ends = compare(g, LLVMIntEQ, rest, at[i].by);
        LLVMValueRef one = LLVMBuildZExt(g->b, ends, i64_type(g), "");
        next[1 + 2 * i] = add(g, at[i].quotient, one);
        next[2 + 2 * i] = gen_select(g, ends, i64(g, 0), rest);
    }
    loop_end(g, &l, next);
    LLVMBasicBlockRef end = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    return phi2(g, before, first, end, last);
}
