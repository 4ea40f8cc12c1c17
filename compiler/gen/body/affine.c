/* affine.c: subscripts that grow evenly from lane to lane. */
#include "build.h"

enum { MAX_GROWTH = 1 << 16, MAX_BEYOND = 1 << 24 };

/* gen_lane_affine of a product: by a small number. */
static bool multiple_affine(struct gen *g, const struct pval *v, int *by) {
    int k = v->args[0]->kind == PV_CONST ? 0 : 1;
    int64_t factor = (int64_t)v->args[k]->i;
    if (v->args[k]->kind != PV_CONST || factor < -MAX_GAP || factor > MAX_GAP ||
        !gen_lane_affine(g, v->args[1 - k], by) || *by < -MAX_GAP || *by > MAX_GAP)
        return false;
    *by *= (int)factor;
    return true;
}

bool gen_lane_affine(struct gen *g, const struct pval *v, int *by) {
    int a, b;
    *by = 0;
    if (!gen_varies(g, v))
        return true;
    if (v->kind == PV_VAR) {
        *by = 1;
        return v->var == g->lane_var;
    }
    const struct settled *settled = gen_settled(g, v);
    if (settled != NULL && settled->apart != NULL)
        return false;
    if (settled != NULL && settled->truth == NULL)
        return gen_lane_affine(
            g, settled->same != NULL ? settled->same : gen_varying_argument(g, v), by);
    if (v->kind == PV_OP && v->op == OP_MUL && v->dtype == DT_INT64)
        return multiple_affine(g, v, by);
    if (v->kind != PV_OP || (v->op != OP_ADD && v->op != OP_SUB) ||
        !gen_lane_affine(g, v->args[0], &a) || !gen_lane_affine(g, v->args[1], &b))
        return false;
    *by = v->op == OP_ADD ? a + b : a - b;
    return true;
}

bool gen_is_affine(struct gen *g, const struct pval *v) {
    int by;
    for (int i = 0; i < v->nargs; i++)
        if (!gen_lane_affine(g, v->args[i], &by))
            return false;
    return v->operand < g->plan->noperands && g->varying->lanes > LANES_MASKED;
}

int gen_lane_gap(struct gen *g, const struct pval *v) {
    int64_t gap = 0, inside = 1; /* inside: elements along the subscripts behind; 0: not known */
    bool plain = true, known = true;
    if (!gen_is_affine(g, v))
        return 0;
    for (int i = v->nargs; i-- > 0;) {
        int by;
        int64_t size = g->plan->operands[v->operand].dims[i]->size;
        gen_lane_affine(g, v->args[i], &by);
        plain = plain && by >= -1 && by <= 1;
        known = known && (by == 0 || inside > 0);
        gap += by * inside;
        inside = size > 0 && size <= MAX_GAP && inside <= MAX_GAP ? inside * size : 0;
    }
    return known && gap > 1 && gap <= MAX_GAP && g->target->masks_all ? (int)gap : plain;
}

/* How far v is from lane 0's in each lane; NULL: by how much is not known. */
static const int *lanes_apart(struct gen *g, const struct pval *v) {
    const struct settled *settled = gen_settled(g, v);
    if (settled != NULL)
        return settled->apart;
    if (v->kind != PV_OP || (v->op != OP_ADD && v->op != OP_SUB))
        return NULL;
    int varying = gen_varies(g, v->args[0]) ? 0 : 1;
    bool other = gen_varies(g, v->args[1 - varying]);
    return other || (varying == 1 && v->op == OP_SUB) ? NULL : lanes_apart(g, v->args[varying]);
}

bool gen_is_apart(struct gen *g, const struct pval *v, const int **apart) {
    *apart = NULL;
    if (g->settled == NULL || v->operand >= g->plan->noperands || is_complex(v->dtype))
        return false;
    for (int i = 0; i < v->nargs; i++)
        if (gen_varies(g, v->args[i]) != (i == v->nargs - 1))
            return false;
    return v->nargs > 0 && (*apart = lanes_apart(g, v->args[v->nargs - 1])) != NULL;
}

int gen_lane_axis(struct gen *g, const struct pval *v) {
    int axis = -1;
    if (v->operand >= g->plan->noperands)
        return -1;
    for (int i = 0; i < v->nargs; i++) {
        if (!gen_varies(g, v->args[i]))
            continue;
        if (axis >= 0 || v->args[i]->kind != PV_VAR || v->args[i]->var != g->lane_var)
            return -1;
        axis = i;
    }
    return axis;
}

static enum walk find_var(const struct pval *v, void *var) {
    return v->kind == PV_VAR && v->var == var ? WALK_STOP : WALK_IN;
}

bool gen_grows(struct gen *g, const struct pval *v, const struct pvar *var, int64_t *by) {
    const struct settled *settled = gen_settled(g, v);
    int64_t a, b;
    if (settled != NULL && settled->same != NULL)
        return gen_grows(g, settled->same, var, by);
    *by = v->kind == PV_VAR && v->var == var;
    if (*by || value_walk(v, find_var, (void *)var))
        return true;
    if (v->kind != PV_OP || v->nargs != 2 || !gen_grows(g, v->args[0], var, &a) ||
        !gen_grows(g, v->args[1], var, &b))
        return false;
    const struct pval *x = v->args[0], *y = v->args[1];
    *by = v->op == OP_ADD ? a + b : a - b;
    if (v->op == OP_MUL && (x->kind == PV_CONST || y->kind == PV_CONST))
        *by = x->kind == PV_CONST ? (int64_t)x->i * b : (int64_t)y->i * a;
    else if (v->op != OP_ADD && v->op != OP_SUB)
        return false;
    return *by >= -MAX_GROWTH && *by <= MAX_GROWTH;
}

static enum walk find_no_product(const struct pval *v, void *sized) {
    *(bool *)sized = *(bool *)sized || v->kind == PV_DIM;
    bool is = v->kind == PV_CONST || v->kind == PV_DIM || (v->kind == PV_OP && v->op == OP_MUL);
    return is ? WALK_IN : WALK_STOP;
}

/* Is v a product of sizes, and of constants? */
static bool is_sized(const struct pval *v) {
    bool sized = false;
    return value_walk(v, find_no_product, &sized) && sized;
}

bool gen_is_beyond(struct gen *g, const struct pval *v, const struct pvar *var, int64_t at,
                   int64_t *c) {
    int64_t a = 0, b = 0;
    *c = v->kind == PV_CONST ? (int64_t)v->i : v->kind == PV_VAR ? at : 0;
    if (gen_settled(g, v) != NULL)
        return false;
    if (v->kind == PV_CONST || v->kind == PV_DIM || (v->kind == PV_VAR && v->var == var))
        return true;
    if (v->kind != PV_OP || v->nargs != 2)
        return false;
    const struct pval *x = v->args[0], *y = v->args[1];
    if (v->op == OP_MUL && (is_sized(x) || is_sized(y))) /* which does not grow with var */
        return value_walk(v, find_var, (void *)var);
    bool constant = x->kind == PV_CONST || y->kind == PV_CONST;
    if ((v->op != OP_MUL || !constant) && v->op != OP_ADD && v->op != OP_SUB)
        return false;
    bool is = gen_is_beyond(g, x, var, at, &a) && gen_is_beyond(g, y, var, at, &b);
    *c = v->op == OP_MUL ? a * b : v->op == OP_ADD ? a + b : a - b;
    return is && *c >= -MAX_BEYOND && *c <= MAX_BEYOND;
}
