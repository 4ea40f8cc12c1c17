/* quotient.c: float32 values divided by what is the same at all points of a PS_SPREAD.
 *
 * With r = 1 / s, rounded,
 *
 *     q = x * r;  q + (x - q * s) * r
 *
 * rounded as the operations of a multiplication and two fused ones are, is x / s rounded, unless a
 * step leaves the range of normal numbers (Brisebarre, Muller and Raina, 2004: division by a
 * divisor that is known in advance).  It is not taken where x or s is zero, or too large or small
 * for that: then the caller computes the points again, by divisions. */
#include <math.h>

#include "gufunc.h"

enum { SAFE_EXPONENT = 60 }; /* quotients of 2^-60 ... 2^60, and what is left of x, are normal */

struct divisor {
    const struct pval *by;
    LLVMValueRef value, reciprocal;
    struct divisor *next;
};

static LLVMValueRef is_safe(struct gen *g, LLVMValueRef v) {
    LLVMValueRef size = gen_intrinsic(g, "fabs", NULL, &v, 1);
    LLVMValueRef least = gen_float(g, DT_FLOAT32, ldexp(1, -SAFE_EXPONENT));
    LLVMValueRef most = gen_float(g, DT_FLOAT32, ldexp(1, SAFE_EXPONENT));
    return both(g, LLVMBuildFCmp(g->b, LLVMRealOGE, size, least, ""),
                LLVMBuildFCmp(g->b, LLVMRealOLE, size, most, ""));
}

struct finding {
    struct gen *g;
    const struct pstmt *spread;                        /* NULL: results of a tile are divided, or */
    bool (*is_fixed)(const struct pval *v, void *arg); /* by values for which this holds; or NULL */
    void *arg;
    const struct pvar *var;
    struct divisor *found;
};

static enum walk find_set(const struct pstmt *s, void *arg) {
    const struct finding *f = arg;
    return s->kind == PS_SET && s->var == f->var ? WALK_STOP : WALK_IN;
}

/* Is a variable the same at all points of the spread? */
static bool is_same(struct finding *f, const struct pvar *var) {
    f->var = var;
    for (const struct prange *r = f->spread->ranges; r != NULL; r = r->next)
        if (r->var == var)
            return false;
    return plan_walk(f->spread->body, &(struct plan_visitor){.stmt = find_set}, f);
}

/* Stops at what may differ between results of a tile. */
static enum walk find_different(const struct pval *v, void *none) {
    (void)none;
    return v->kind == PV_ELEM || v->kind == PV_LOAD || v->kind == PV_VAR ? WALK_STOP : WALK_IN;
}

/* LLVM multiplies in place of divisions by powers of two. */
static bool is_power_of_two(const struct pval *v) {
    int exponent;
    return v->kind == PV_CONST && fabs(frexp(v->f, &exponent)) == 0.5;
}

static bool is_divisor(struct finding *f, const struct pval *v) {
    if (is_power_of_two(v))
        return false;
    if (f->is_fixed != NULL)
        return f->is_fixed(v, f->arg);
    return f->spread != NULL ? v->kind == PV_VAR && is_same(f, v->var)
                             : value_walk(v, find_different, NULL);
}

static enum walk find_divisor(const struct pval *v, void *arg) {
    struct finding *f = arg;
    struct gen *g = f->g;
    if (v->kind != PV_OP || v->op != OP_DIV || v->dtype != DT_FLOAT32 || !is_divisor(f, v->args[1]))
        return WALK_IN;
    const struct divisor *d = f->found;
    while (d != NULL && !same_value(d->by, v->args[1]))
        d = d->next;
    if (d != NULL)
        return WALK_IN;
    struct divisor *new = NEW(g->uc, struct divisor);
    LLVMValueRef value = gen_value(g, v->args[1]), one = gen_float(g, DT_FLOAT32, 1);
    *new = (struct divisor){v->args[1], value, LLVMBuildFDiv(g->b, one, value, ""), f->found};
    f->found = new;
    return WALK_IN;
}

struct divisor *find_divisors(struct gen *g, const struct pstmt *s) {
    struct finding f = {.g = g, .spread = s};
    if (!g->approximate)
        plan_walk(s->body, &(struct plan_visitor){.value = find_divisor}, &f);
    return f.found;
}

struct divisor *find_result_divisors(struct gen *g, const struct pstmt *rest) {
    struct finding f = {.g = g};
    if (!g->approximate)
        plan_walk(rest, &(struct plan_visitor){.value = find_divisor}, &f);
    return f.found;
}

struct divisor *find_fixed_divisors(struct gen *g, const struct pval *v,
                                    bool (*is_fixed)(const struct pval *v, void *arg), void *arg) {
    struct finding f = {.g = g, .is_fixed = is_fixed, .arg = arg};
    if (!g->approximate)
        value_walk(v, find_divisor, &f);
    return f.found;
}

LLVMValueRef are_safe(struct gen *g, const struct divisor *d) {
    LLVMValueRef all = LLVMConstInt(i1_type(g), 1, false);
    for (; d != NULL; d = d->next)
        all = both(g, all, is_safe(g, d->value));
    return all;
}

LLVMValueRef gen_quotient(struct gen *g, const struct divisor *d, const struct pval *v,
                          LLVMValueRef x, LLVMValueRef safe) {
    while (d != NULL && !same_value(d->by, v->args[1]))
        d = d->next;
    if (d == NULL || v->dtype != DT_FLOAT32)
        return NULL;
    LLVMValueRef q = LLVMBuildFMul(g->b, x, d->reciprocal, "");
    LLVMValueRef rest[] = {LLVMBuildFNeg(g->b, q, ""), d->value, x};
    LLVMValueRef more[] = {gen_intrinsic(g, "fma", NULL, rest, 3), d->reciprocal, q};
    LLVMValueRef before = LLVMBuildLoad2(g->b, i1_type(g), safe, "");
    LLVMBuildStore(g->b, both(g, before, is_safe(g, x)), safe);
    return gen_intrinsic(g, "fma", NULL, more, 3);
}
