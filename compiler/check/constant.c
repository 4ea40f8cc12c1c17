/* constant.c: -Wconstant: operations that give the same result for every value of an
 * operand. */
#include <math.h>

#include "check.h"

/* Whether n is a value written out, not a name that may stand for another value elsewhere. */
static bool is_literal(const struct fn *f, const struct node *n) {
    return n->kind == N_CONST || (n->kind == N_NAME && !local_named(f, n->name));
}

static bool is_nan(const struct node *t) {
    return t->kind == N_CONST && t->type.kind == TYPE_WEAK_FLOAT && isnan(t->value.f);
}

static bool is_zero(const struct node *t) {
    return t->kind == N_CONST && t->value.i == 0 && t->value.f == 0 && t->value.im == 0;
}

static bool is_whole(struct type t) {
    return t.kind == TYPE_WEAK_INT ||
           (t.kind == TYPE_DTYPE && (t.dtype == DT_BOOL || is_integer(t.dtype)));
}

static void warn_nan(struct fn *f, const struct node *n, const struct node *other) {
    const char *instead = n->op == OP_EQ ? "isnan" : n->op == OP_NE ? "not isnan" : NULL;
    const char *text =
        instead ? arena_printf(f->uc, "; write '%s(%s)'", instead, short_text(f, other->at)) : "";
    warn(f->uc, W_CONSTANT, n->mark, "'%s' with nan is always %s%s", op_info[n->op].spelling,
         n->op == OP_NE ? "True" : "False", text);
}

void warn_constant(struct fn *f, const struct node *n, const struct node *a, const struct node *b) {
    const struct node *right = n->b, *left = n->kind == N_BINARY ? n->a : n->list;
    bool division = n->op == OP_FLOORDIV || n->op == OP_MOD, whole = is_whole(a->type);
    bool folded = a->kind == N_CONST && b->kind == N_CONST;
    if (folded || f->blame || f->file != f->uc->files)
        return;
    if (op_info[n->op].kind == OPS_COMPARE && is_nan(b) && is_literal(f, right))
        warn_nan(f, n, left);
    else if (op_info[n->op].kind == OPS_COMPARE && is_nan(a) && is_literal(f, left))
        warn_nan(f, n, right);
    else if (division && is_zero(b) && is_literal(f, right) && whole && is_whole(b->type))
        warn(f->uc, W_CONSTANT, n->mark, "'%s' of whole numbers by 0 is always 0",
             op_info[n->op].spelling);
    else if (n->op == OP_MOD && is_zero(b) && is_literal(f, right))
        warn(f->uc, W_CONSTANT, n->mark, "'%%' by 0 is always nan");
}
