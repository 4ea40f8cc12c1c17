/* collapse.c: an ordered loop around another one, with nothing beside it, as one loop over the
 * points of both:
 *
 *     for i in 0..m { for j in 0..n { if x[i, j] > 0 { at[c] = j; c += 1 } } }
 *
 * The scalar states that it changes may then be composed (compose.c). */
#include "compose.h"

/* Is a bound a size, which is the same all over the nest? */
static bool is_size(const struct pval *v) {
    return v->kind == PV_DIM || (v->kind == PV_CONST && (int64_t)v->i >= 0 && v->i <= INT32_MAX);
}

static bool is_level(const struct pstmt *s) {
    return s != NULL && s->kind == PS_FOR && s->accs == NULL && s->lo->kind == PV_CONST &&
           s->lo->i == 0 && is_size(s->hi) && s->step->kind == PV_CONST && s->step->i == 1;
}

struct pstmt *collapsed(struct lower *l, const struct pstmt *loop) {
    struct pstmt *all = NEW(l->uc, struct pstmt);
    *all = *loop;
    while (is_level(loop) && is_level(all->body) && all->body->next == NULL) {
        const struct pstmt *in = all->body;
        const struct pvar *outer = all->var;
        all->var = &variable_new(l, "at", DT_INT64)->pvar;
        struct pval *at = read(l, all->var);
        struct pstmt *list = copy_statements(l->uc, in->body, NULL, in->var,
                                             value_op(l, OP_MOD, DT_INT64, at, in->hi));
        all->body = copy_statements(l->uc, list, NULL, outer,
                                    value_op(l, OP_FLOORDIV, DT_INT64, at, in->hi));
        all->hi = value_op(l, OP_MUL, DT_INT64, all->hi, in->hi);
    }
    return all->var != loop->var ? all : NULL;
}
