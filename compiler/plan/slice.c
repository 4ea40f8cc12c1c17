/* slice.c: of a straight list of statements those that some of its results need. */
#include "form.h"

enum { MAX_SLICED = 128 }; /* statements of a list, at most */

static enum walk add_live(const struct pval *v, void *arg) {
    const struct slicing *x = arg;
    if (v->kind == PV_VAR)
        x->live[v->var->id] = true;
    return WALK_IN;
}

static bool *copy_live(const struct slicing *x) {
    bool *own = NEWN(x->uc, bool, x->nvars + 1);
    for (int i = 0; i < x->nvars; i++)
        own[i] = x->live[i];
    return own;
}

static struct pstmt *copy_of(const struct slicing *x, const struct pstmt *s, struct pstmt *next) {
    struct pstmt *own = NEW(x->uc, struct pstmt);
    *own = *s;
    own->next = next;
    return own;
}

/* What is needed of a conditional: NULL where neither list is. */
static struct pstmt *slice_if(struct slicing *x, const struct pstmt *s, struct pstmt *next) {
    bool *behind = x->live, *live[2];
    struct pstmt *list[2];
    for (int i = 0; i < 2; i++) {
        x->live = behind;
        x->live = live[i] = copy_live(x);
        list[i] = slice_of(x, i == 0 ? s->body : s->other);
    }
    x->live = behind;
    if (list[0] == NULL && list[1] == NULL)
        return next;
    for (int i = 0; i < x->nvars; i++)
        behind[i] = live[0][i] || live[1][i];
    value_walk(s->value, add_live, x);
    struct pstmt *own = copy_of(x, s, next);
    own->body = list[0];
    own->other = list[1];
    return own;
}

struct pstmt *slice_of(struct slicing *x, const struct pstmt *s) {
    if (s == NULL)
        return NULL;
    struct pstmt *next = slice_of(x, s->next);
    if (s->kind == PS_IF)
        return slice_if(x, s, next);
    bool needed = s->kind == PS_PUT ? x->puts >> s->operand & 1 : x->live[s->var->id];
    if (!needed)
        return next;
    if (s->kind == PS_SET)
        x->live[s->var->id] = false;
    value_walk(s->value, add_live, x);
    value_walk(s->place, add_live, x);
    return copy_of(x, s, next);
}

static enum walk find_other(const struct pstmt *s, void *left) {
    bool straight = s->kind == PS_SET || s->kind == PS_IF || s->kind == PS_PUT;
    return straight && --*(int *)left >= 0 ? WALK_IN : WALK_STOP;
}

bool is_sliceable(const struct pstmt *list) {
    int left = MAX_SLICED;
    return plan_walk(list, &(struct plan_visitor){.stmt = find_other}, &left);
}
