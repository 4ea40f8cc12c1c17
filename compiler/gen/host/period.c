/* period.c: ordered loops whose subscripts or conditions are made of digits of the index:
 *
 *     for j in 0..w { m[j // 8] += x[j] }
 *
 * As many iterations as the digits repeat after, a period, run behind one another.  Each knows its
 * remainder, and all have the same quotient, so that what they go on with stays in a register, and
 * conditions are known. */
#include "gufunc.h"

enum {
    LONGEST_PERIOD = 16,
    LARGEST_PERIOD = 512, /* statements and values of its iterations */
};

struct period {
    const struct pstmt *loop;
    int64_t length;
    int size; /* statements and values of an iteration */
};

/* Whether v is the index and a constant. */
static bool is_at_distance(const struct period *p, const struct pval *v) {
    if (v->kind == PV_OP && (v->op == OP_ADD || v->op == OP_SUB) && v->args[1]->kind == PV_CONST)
        v = v->args[0];
    return v->kind == PV_VAR && v->var == p->loop->var;
}

static int64_t greatest_divisor(int64_t a, int64_t b) {
    return b == 0 ? a : greatest_divisor(b, a % b);
}

static enum walk note_digit(const struct pval *v, void *arg) {
    struct period *p = arg;
    p->size++;
    bool divides = v->kind == PV_OP && (v->op == OP_FLOORDIV || v->op == OP_MOD);
    if (!divides || v->args[1]->kind != PV_CONST || !is_at_distance(p, v->args[0]))
        return WALK_IN;
    int64_t by = (int64_t)v->args[1]->i;
    if (by > 1 && by <= LONGEST_PERIOD)
        p->length = p->length / greatest_divisor(p->length, by) * by;
    return p->length <= LONGEST_PERIOD ? WALK_IN : WALK_STOP;
}

static enum walk note_statement(const struct pstmt *s, void *arg) {
    struct period *p = arg;
    p->size++;
    return s->kind == PS_SET || s->kind == PS_PUT || s->kind == PS_IF || s->kind == PS_STORE
               ? WALK_IN
               : WALK_STOP;
}

static bool has_period(struct period *p) {
    const struct pstmt *s = p->loop;
    bool plain = s->step->kind == PV_CONST && s->step->i == 1 && s->lo->kind == PV_CONST &&
                 s->lo->i <= INT32_MAX && s->var->dtype == DT_INT64 && s->accs == NULL;
    const struct plan_visitor visitor = {.stmt = note_statement, .value = note_digit};
    return plain && plan_walk(s->body, &visitor, p) && p->length > 1 &&
           p->size * p->length <= LARGEST_PERIOD;
}

/* The periods of numbers first to last - 1. */
static void gen_periods(struct gen *g, const struct period *p, LLVMValueRef first,
                        LLVMValueRef last) {
    struct loop l;
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], last));
    l.keep = true;
    LLVMValueRef at = LLVMBuildNSWMul(g->b, l.phi[0], i64(g, (uint64_t)p->length), "");
    LLVMSetNUW(at, true);
    for (int64_t k = 0; k < p->length; k++) {
        gen_set_index(g, p->loop->var, LLVMBuildNUWAdd(g->b, at, i64(g, (uint64_t)k), ""));
        gen_stmts(g, p->loop->body);
    }
    LLVMValueRef next = LLVMBuildNSWAdd(g->b, l.phi[0], i64(g, 1), "");
    loop_end(g, &l, &next);
}

bool host_periodic_loop(struct gen *g, const struct pstmt *s) {
    struct period p = {.loop = s, .length = 1};
    if (!has_period(&p))
        return false;
    LLVMValueRef one = i64(g, 1), lo = gen_scalar(g, s->lo), hi = gen_scalar(g, s->hi);
    int64_t number = ((int64_t)s->lo->i + p.length - 1) / p.length;
    LLVMValueRef length = i64(g, (uint64_t)p.length), first = i64(g, (uint64_t)number),
                 begin = i64(g, (uint64_t)(number * p.length)),
                 some = compare(g, LLVMIntSGT, hi, begin),
                 end = LLVMBuildUDiv(g->b, hi, length, ""), last = gen_select(g, some, end, first);
    if ((int64_t)s->lo->i < number * p.length)
        gen_for_uniform(g, s, lo, least(g, begin, hi), one);
    gen_periods(g, &p, first, last);
    gen_for_uniform(g, s, LLVMBuildNSWMul(g->b, last, length, ""), hi, one);
    return true;
}
