/* guards.c: conditions on the index of a row's points, as `i == 0 or i == n - 1`, max(i - 1, 0) and
 * (i + 1) % n.  An index that is compared with what is the same along the row crosses it at one
 * point.  Between such points a comparison has one result, min and max are one of their values, and
 * a remainder is what is divided: there the body needs no masks, and its subscripts are evenly
 * spaced.
 *
 * What the index is compared with may depend on ranges within the body; the points where the
 * comparison changes are then a range too. */
#include "gufunc.h"

enum { NEAR_BITS = 61 };

struct search {
    struct gen *g;
    struct guards *guards;
    bool *set; /* by id: the body sets the variable, other than as the index of a nested range */
};

/* ---- what values depend on */

/* Stops at what may change while the body runs, or must not be computed in vain. */
static enum walk find_inner(const struct pval *v, void *arg) {
    const struct search *f = arg;
    if (v->kind == PV_VAR)
        return f->set[v->var->id] ? WALK_STOP : WALK_IN;
    return v->kind == PV_ELEM || v->kind == PV_LOAD || !is_integer(v->dtype) ? WALK_STOP : WALK_IN;
}

static bool is_known(struct search *f, const struct pval *v) {
    return value_walk(v, find_inner, f);
}

/* ---- the body */

static enum walk note_set(const struct pstmt *s, void *arg) {
    struct search *f = arg;
    if (s->var != NULL)
        f->set[s->var->id] = true;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        f->set[a->acc->id] = f->set[a->other->id] = true;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        f->set[r->var->id] = true;
    return WALK_IN;
}

/* Is it the same at all points of the row? */
static bool is_of_row(struct search *f, const struct pval *v) {
    return is_known(f, v) && !gen_varies(f->g, v);
}

static enum walk note_ranges(const struct pstmt *s, void *arg) {
    struct search *f = arg;
    struct guards *to = f->guards;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        if (to->nnested < MAX_NESTED && r->step->kind == PV_CONST && r->step->i == 1 &&
            is_of_row(f, r->lo) && is_of_row(f, r->hi))
            to->nested[to->nnested++] = r;
    return WALK_IN;
}

/* Two values of which one crosses the other along the row. */
struct crossing {
    const struct pval *a, *b;
};

/* Sets *by to how a - b grows with var. */
static bool difference_grows(struct crossing c, const struct pvar *var, int *by) {
    int a, b;
    bool evenly = value_grows(c.a, var, &a) && value_grows(c.b, var, &b);
    *by = evenly ? a - b : 0;
    return evenly;
}

/* Whether a and b cross at one point, for each of the nested ranges. */
static bool cross(struct search *f, struct crossing c) {
    int by;
    if (c.a->dtype != DT_INT64 || !is_known(f, c.a) || !is_known(f, c.b) ||
        !difference_grows(c, f->g->lane_var, &by) || (by != 1 && by != -1))
        return false;
    for (int i = 0; i < f->guards->nnested; i++)
        if (!difference_grows(c, f->guards->nested[i]->var, &by))
            return false;
    return true;
}

static const struct pval zero_index = {.kind = PV_CONST, .dtype = DT_INT64};

/* Where v's course may change: sets c[0], …, and gives how many; 0: v is no guard. */
static int find_crossings(struct search *f, const struct pval *v, struct crossing c[2]) {
    bool compares = v->kind == PV_OP && op_info[v->op].kind == OPS_COMPARE;
    bool chooses = v->kind == PV_CALL && (v->builtin->id == B_MIN || v->builtin->id == B_MAX);
    if (v->kind == PV_OP && v->direct != NULL) {
        c[0] = (struct crossing){v->direct, &zero_index};
        c[1] = (struct crossing){v->direct, v->args[1]};
        return cross(f, c[0]) && cross(f, c[1]) ? 2 : 0;
    }
    if (!compares && !chooses)
        return 0;
    c[0] = (struct crossing){v->args[0], v->args[1]};
    bool one = compares || gen_varies(f->g, c[0].a) != gen_varies(f->g, c[0].b);
    return one && cross(f, c[0]) ? 1 : 0;
}

/* ---- where a guard changes */

/* v where the row's index is `index`, and those of nested ranges are their first. */
static LLVMValueRef value_at(struct gen *g, const struct guards *guards, const struct pval *v,
                             LLVMValueRef index) {
    for (int i = 0; i < guards->nnested; i++)
        var_of(g, guards->nested[i]->var)->known = gen_scalar(g, guards->nested[i]->lo);
    var_of(g, g->lane_var)->known = index;
    LLVMValueRef r = gen_scalar(g, v);
    var_of(g, g->lane_var)->known = NULL;
    for (int i = 0; i < guards->nnested; i++)
        var_of(g, guards->nested[i]->var)->known = NULL;
    return r;
}

/* i1: v is far from where sums wrap. */
static LLVMValueRef is_near(struct gen *g, LLVMValueRef v) {
    LLVMValueRef half = i64(g, UINT64_C(1) << NEAR_BITS);
    return compare(g, LLVMIntULT, add(g, v, half), add(g, half, half));
}

/* Adds v, which may change where c's values are equal, one point of the row for each of the nested
 * ranges, and behind. */
static void add_guard(struct search *f, const struct pval *v, struct crossing c) {
    struct gen *g = f->g;
    struct guards *to = f->guards;
    int slope, by;
    difference_grows(c, g->lane_var, &slope);
    LLVMValueRef a = value_at(g, to, c.a, g->lane_lo);
    LLVMValueRef b = value_at(g, to, c.b, g->lane_lo);
    LLVMValueRef near = both(g, is_near(g, a), is_near(g, b));
    LLVMValueRef lo = slope > 0 ? subtract(g, b, a) : subtract(g, a, b);
    LLVMValueRef hi = add(g, lo, i64(g, 1)), zero = i64(g, 0);
    for (int i = 0; i < to->nnested; i++) {
        const struct prange *r = to->nested[i];
        difference_grows(c, r->var, &by);
        if (by == 0)
            continue;
        LLVMValueRef n = subtract(g, gen_scalar(g, r->hi), gen_scalar(g, r->lo));
        LLVMValueRef far = multiply(g, n, i64(g, (uint64_t)(int64_t)(-slope * by)));
        near = both(g, near, is_near(g, far));
        lo = add(g, lo, least(g, far, zero));
        hi = add(g, hi, gen_select(g, compare(g, LLVMIntSGT, far, zero), far, zero));
    }
    to->value[to->n] = v;
    to->lo[to->n] = gen_select(g, near, lo, i64(g, (uint64_t)INT64_MIN));
    to->hi[to->n++] = gen_select(g, near, hi, i64(g, INT64_MAX));
}

static enum walk visit_value(const struct pval *v, void *arg) {
    struct search *f = arg;
    for (int i = 0; i < f->guards->n; i++)
        if (same_value(f->guards->value[i], v))
            return WALK_PAST;
    struct crossing c[2];
    int n = find_crossings(f, v, c);
    if (n == 0 || f->guards->n + n > MAX_GUARDS)
        return WALK_IN;
    for (int i = 0; i < n; i++)
        add_guard(f, v, c[i]);
    return WALK_PAST;
}

void guards_find(struct gen *g, const struct spread_fn *p, struct guards *guards) {
    const struct prange *last = p->range[p->n - 1];
    struct search f = {.g = g, .guards = guards, .set = NEWN(g->uc, bool, g->plan->nvars)};
    guards->n = guards->nnested = 0;
    if (last->step->kind != PV_CONST || last->step->i != 1)
        return;
    plan_walk(p->s->body, &(struct plan_visitor){.stmt = note_set}, &f);
    plan_walk(p->s->body, &(struct plan_visitor){.stmt = note_ranges}, &f);
    for (int i = 0; i < guards->nnested; i++)
        f.set[guards->nested[i]->var->id] = false;
    plan_walk(p->s->body, &(struct plan_visitor){.value = visit_value}, &f);
}

LLVMValueRef guards_until(struct gen *g, const struct guards *guards, LLVMValueRef at,
                          LLVMValueRef last) {
    for (int i = 0; i < guards->n; i++) {
        LLVMValueRef to =
            gen_select(g, compare(g, LLVMIntSGT, guards->hi[i], at), guards->lo[i], last);
        last = least(g, to, last);
    }
    return last;
}

const struct settled *guards_settle(struct gen *g, const struct guards *guards, LLVMValueRef at,
                                    LLVMValueRef *inside) {
    struct settled *list = NEWN(g->uc, struct settled, guards->n + 1);
    LLVMValueRef index = add(g, g->lane_lo, at);
    *inside = LLVMConstInt(i1_type(g), 1, false);
    for (int i = 0; i < guards->n; i++) {
        const struct pval *v = guards->value[i];
        list[i].value = v;
        if (v->kind == PV_OP && v->direct != NULL) {
            LLVMValueRef direct = value_at(g, guards, v->direct, index);
            LLVMValueRef n = value_at(g, guards, v->args[1], index);
            *inside = both(g, *inside, compare(g, LLVMIntULT, direct, n));
            list[i].same = v->direct;
            continue;
        }
        if (v->kind == PV_OP) {
            list[i].truth = value_at(g, guards, v, index);
            continue;
        }
        int varying = gen_varies(g, v->args[0]) ? 0 : 1;
        LLVMValueRef varied = value_at(g, guards, v->args[varying], index);
        LLVMValueRef bound = value_at(g, guards, v->args[1 - varying], index);
        bool least = v->builtin->id == B_MIN;
        *inside = both(g, *inside, compare(g, least ? LLVMIntSLE : LLVMIntSGE, varied, bound));
    }
    return list;
}
