/* triangle.c: loops within loops whose bounds grow with an outer index, as those over a
 * triangle of a matrix.  Where both have any order they become ranges of one spread, over all that
 * the inner loop has for some outer index, with a test of what it has for the one at hand:
 *
 *     for i in 0..n { for j in 0..i + 1 { … } }    spread i in 0..n, j in 0..n { if j < i + 1 … }
 *
 * Threads then share the points of all rows, where they shared those of one row at a time, or had a
 * row each. */
#include "split.h"

enum { INLINED_BOUNDS = 8 };

/* ---- bounds that are variables */

struct inlining {
    const struct sharer *x;
    const bool *written; /* in the list; */
    const int *here;     /* and mentioned */
};

/* Stops at what is not made of sizes, and of indices that the list does not set. */
static enum walk take_index(const struct pval *v, void *arg) {
    const struct inlining *in = arg;
    bool plain = v->kind == PV_CONST || v->kind == PV_DIM || v->kind == PV_OP ||
                 v->kind == PV_SELECT || (v->kind == PV_VAR && !in->written[v->var->id]);
    return plain ? WALK_IN : WALK_STOP;
}

/* Is s a bound?  Who reads it has this value, since the list is a loop's whose iterations have for
 * themselves what they set. */
static bool is_bound(const struct inlining *in, const struct pstmt *s) {
    const struct sharer *x = in->x;
    return s->kind == PS_SET && s->var->dtype == DT_INT64 && s->value->dtype == DT_INT64 &&
           x->sets != NULL && x->sets->only[s->var->id] != NULL &&
           in->here[s->var->id] == x->mentions[s->var->id] &&
           value_walk(s->value, take_index, (void *)in);
}

struct pstmt *inline_bounds(const struct sharer *x, struct pstmt *list) {
    const struct inlining in = {x, find_written(x->uc, x->plan, list),
                                count_mentions(x->uc, x->plan, list)};
    const struct pstmt *first = list;
    while (first != NULL && !is_bound(&in, first))
        first = first->next;
    if (first == NULL)
        return list;
    struct pstmt *copy = copy_statements(x->uc, list, NULL, NULL, NULL), **end = &copy;
    for (int n = 0; *end != NULL && n < INLINED_BOUNDS;) {
        struct pstmt *s = *end;
        if (is_bound(&in, s)) {
            *end = copy_statements(x->uc, s->next, NULL, s->var, s->value);
            n++;
        } else {
            end = &s->next;
        }
    }
    return copy;
}

/* ---- triangles */

const struct pstmt *grows_with(const struct pstmt *const *outer, int n, const struct pval *bound) {
    bool more = bound->kind == PV_OP && (bound->op == OP_ADD || bound->op == OP_SUB) &&
                bound->args[1]->kind == PV_CONST;
    const struct pval *index = more ? bound->args[0] : bound;
    for (int i = 0; i < n; i++)
        if (index->kind == PV_VAR && index->var == outer[i]->var)
            return outer[i]->step->kind == PV_CONST && outer[i]->step->i == 1 ? outer[i] : NULL;
    return NULL;
}

static struct pval *new_op(struct uc *uc, enum op op, enum ufc_dtype d, const struct pval *a,
                           const struct pval *b) {
    struct pval *v = NEW(uc, struct pval);
    *v = (struct pval){.kind = PV_OP, .op = op, .dtype = d, .nargs = 2};
    v->args[0] = (struct pval *)a;
    v->args[1] = (struct pval *)b;
    return v;
}

/* A bound with another value for the index that it grows with. */
static struct pval *bound_at(struct uc *uc, const struct pval *bound, struct pval *index) {
    return bound->kind == PV_VAR ? index : new_op(uc, bound->op, DT_INT64, index, bound->args[1]);
}

/* The same for the first index of a loop; 0 for 1, from where tiles may begin. */
static struct pval *bound_at_first(struct uc *uc, const struct pval *bound,
                                   const struct pstmt *loop) {
    bool one = bound->kind == PV_OP && bound->op == OP_ADD && bound->args[1]->i == 1;
    return one && loop->lo->kind == PV_CONST && loop->lo->i == 0 ? loop->lo
                                                                 : bound_at(uc, bound, loop->lo);
}

/* The same for the last index of a loop. */
static struct pval *bound_at_last(struct uc *uc, const struct pval *bound,
                                  const struct pstmt *loop) {
    bool same = bound->kind == PV_OP && bound->op == OP_ADD && bound->args[1]->i == loop->step->i;
    return same ? loop->hi
                : bound_at(uc, bound, new_op(uc, OP_SUB, DT_INT64, loop->hi, loop->step));
}

static struct pstmt *guarded(struct uc *uc, const struct pstmt *loop, enum op op,
                             const struct pval *bound, struct pstmt *body) {
    struct pval *index = NEW(uc, struct pval);
    *index = (struct pval){.kind = PV_VAR, .dtype = DT_INT64, .var = loop->var};
    struct pstmt *s = NEW(uc, struct pstmt);
    *s = (struct pstmt){.kind = PS_IF,
                        .at = loop->at,
                        .value = new_op(uc, op, DT_BOOL, index, bound),
                        .body = body};
    return s;
}

void widen_triangle(struct uc *uc, const struct pstmt *const *outer, int n, struct pstmt *loop) {
    const struct pstmt *low = grows_with(outer, n, loop->lo),
                       *high = grows_with(outer, n, loop->hi);
    if (low != NULL) {
        loop->body = guarded(uc, loop, OP_GE, loop->lo, loop->body);
        loop->lo = bound_at_first(uc, loop->lo, low);
    } else if (high != NULL) {
        loop->body = guarded(uc, loop, OP_LT, loop->hi, loop->body);
        loop->hi = bound_at_last(uc, loop->hi, high);
    }
    if (low != NULL || high != NULL) /* it is within these with the test, and without */
        set_index_range((struct variable *)loop->var, loop->lo, loop->hi, loop->step);
}
