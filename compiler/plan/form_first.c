/* form_first.c: states that the first iteration sets of those that would, as `if x > t and k < 0
 * { k = i }`: a comparison with a number, the guard, holds until one has set the state to what it
 * fails for.  Behind that, too, iterations then do what it guards, so what they read there has to
 * exist. */
#include "apart.h"
#include "form.h"

struct stepping {
    struct lower *l;
    struct group *g;
    struct copy c;
    const bool *depends;
    struct pstmt **guarded; /* the end of what is done only where the guard holds */
};

static enum walk find_dependent(const struct pval *v, void *depends) {
    return v->kind == PV_VAR && ((const bool *)depends)[v->var->id] ? WALK_STOP : WALK_IN;
}

static bool is_free(const struct stepping *x, const struct pval *v) {
    return value_walk(v, find_dependent, (void *)(uintptr_t)x->depends);
}

/* Is a condition the guard, or may it be?  It stays what it is in all iterations. */
static bool is_guard(struct group *g, const struct pval *c) {
    if (c->kind != PV_OP || c->nargs != 2 || op_info[c->op].kind != OPS_COMPARE)
        return false;
    int own = c->args[0]->kind == PV_VAR && c->args[0]->var == g->state[0] ? 0 : 1;
    const struct pval *state = c->args[own], *with = c->args[1 - own];
    if (state->kind != PV_VAR || state->var != g->state[0] ||
        (with->kind != PV_CONST && with->kind != PV_DIM))
        return false;
    enum op op = own == 0 ? c->op : mirrored_op(c->op);
    bool same = g->guard == NULL || (g->guard_op == op && same_value(g->guard, with));
    g->guard_op = op;
    g->guard = with;
    return same;
}

static void set_first(struct stepping *x, struct pval *v, struct span at) {
    struct lower *l = x->l;
    struct pvar *const *part = x->g->acc[0];
    struct pstmt *s = stmt_emit(l, PS_IF, at), **end = l->end;
    s->value = value_op(l, OP_EQ, DT_BOOL, read(l, part[0]), value_zero(l, DT_INT32));
    l->end = &s->body;
    set(l, part[0], value_one(l, DT_INT32), at);
    set(l, part[1], value_cast(l, copy_renamed(&x->c, v), part[1]->dtype), at);
    l->end = end;
    x->g->moves[0][0] = x->g->moves[0][1] = true;
}

/* Notes what the guard kept from being done: a condition, or NULL, and a list. */
static void note_guarded(struct stepping *x, const struct pval *c, const struct pstmt *list) {
    struct pstmt *s = NEW(x->l->uc, struct pstmt);
    *s = (struct pstmt){.kind = PS_IF,
                        .value = c != NULL ? (struct pval *)(uintptr_t)c : value_one(x->l, DT_BOOL),
                        .body = (struct pstmt *)(uintptr_t)list};
    *x->guarded = s;
    x->guarded = &s->next;
}

static bool step_list(struct stepping *x, const struct pstmt *s, bool guarded);

static bool step_if(struct stepping *x, const struct pstmt *s, bool guarded) {
    const struct pval *c = s->value, *rest = is_free(x, c) ? c : NULL;
    bool asks = rest == NULL && is_guard(x->g, c);
    for (int i = 0; i < 2 && !asks && rest == NULL && c->kind == PV_OP && c->op == OP_LAND; i++)
        if (is_free(x, c->args[1 - i]) && is_guard(x->g, c->args[i]))
            rest = c->args[1 - i];
    if (rest != c && s->other != NULL)
        return false;
    if (asks || (rest != NULL && rest != c))
        note_guarded(x, rest, s->body);
    if (asks)
        return step_list(x, s->body, true);
    if (rest == NULL)
        return false;
    struct pstmt *own = stmt_emit(x->l, PS_IF, s->at), **end = x->l->end;
    own->value = copy_renamed(&x->c, rest);
    x->l->end = &own->body;
    bool is = step_list(x, s->body, guarded || rest != c);
    x->l->end = &own->other;
    is = is && step_list(x, s->other, guarded);
    x->l->end = end;
    return is;
}

static bool step_list(struct stepping *x, const struct pstmt *s, bool guarded) {
    const struct group *g = x->g;
    for (; s != NULL; s = s->next) {
        bool own = s->kind == PS_SET && s->var == g->state[0];
        if (s->kind == PS_IF ? !step_if(x, s, guarded) : !own && x->depends[s->var->id])
            return false;
        if (own && (!guarded || !is_free(x, s->value) || s->value->dtype != s->var->dtype ||
                    !surely_fails(g->guard_op, s->value, g->guard)))
            return false;
        if (own) {
            set_first(x, s->value, s->at);
        } else if (s->kind == PS_SET) {
            *x->l->end = copy_stmt(&x->c, s);
            x->l->end = &(*x->l->end)->next;
        }
    }
    return true;
}

bool step_first(struct lower *l, struct group *g, const struct copy *c, const struct pstmt *slice) {
    struct stepping x = {.l = l, .g = g, .c = *c, .depends = find_dependents(l, g, slice)};
    g->guarded = NULL;
    x.guarded = &g->guarded;
    x.c.vars = NEWN(l->uc, struct pvar *, l->plan->nvars + 1);
    for (int i = 0; i < g->nvars; i++)
        x.c.vars[i] = c->vars[i];
    g->guard = NULL;
    return step_list(&x, slice, false) && g->moves[0][0];
}

bool may_be_unguarded(struct lower *l, const struct group *g, const struct pstmt *loop) {
    struct pstmt all = *loop;
    all.next = NULL;
    all.body = g->guarded;
    return reads_exist(l, &all, loop);
}

/* Is there a value in accs? */
static struct pval *has_value(struct lower *l, struct pvar *const *part) {
    return value_op(l, OP_NE, DT_BOOL, read(l, part[0]), value_zero(l, DT_INT32));
}

void join_first(struct lower *l, const struct group *g, struct span at) {
    struct pvar *const *own = g->acc[0], *const *other = g->other[0];
    set(l, own[1], select_value(l, has_value(l, own), read(l, own[1]), read(l, other[1])), at);
    set(l, own[0], value_op(l, OP_OR, DT_INT32, read(l, own[0]), read(l, other[0])), at);
}

struct pval *first_value_of(struct lower *l, const struct group *g) {
    struct pval *state = read(l, g->state[0]), *with = (struct pval *)(uintptr_t)g->guard;
    struct pval *open = value_op(l, g->guard_op, DT_BOOL, state, with);
    open = value_op(l, OP_LAND, DT_BOOL, open, has_value(l, g->acc[0]));
    return select_value(l, open, read(l, g->acc[0][1]), state);
}
