/* vary.c: which variables of a gufunc's plan may differ between the lanes of a vector, so that the
 * others, and what is computed of them, are computed once. */
#include "uc.h"

struct vary {
    struct varying *found;
    bool leaves;  /* lanes leave constructs one by one: nothing is the same for all then */
    bool changed; /* in this round */
};

bool value_varies(const struct varying *found, const struct pval *v) {
    switch (v->kind) {
    case PV_CONST:
    case PV_DIM: return false;
    case PV_VAR: return found->vars[v->var->id];
    case PV_LOAD: return found->across_calls;
    case PV_ELEM:
        if (found->arrays[v->operand])
            return true;
        break;
    default: break;
    }
    for (int i = 0; i < v->nargs; i++)
        if (value_varies(found, v->args[i]))
            return true;
    return false;
}

static bool varies(const struct vary *y, const struct pval *v) {
    return value_varies(y->found, v);
}

static void set(struct vary *y, bool *varies) {
    y->changed = y->changed || !*varies;
    *varies = true;
}

static void set_varies(struct vary *y, const struct pvar *v) {
    set(y, &y->found->vars[v->id]);
}

static void walk(struct vary *y, const struct pstmt *s, bool apart);

/* A loop in order. */
static void walk_for(struct vary *y, const struct pstmt *s, bool apart) {
    apart = apart || varies(y, s->lo) || varies(y, s->hi) || varies(y, s->step);
    if (apart)
        set_varies(y, s->var);
    walk(y, s->body, apart);
}

/* A spread whose points are lanes. */
static void walk_lanes(struct vary *y, const struct pstmt *s) {
    const struct prange *r = s->ranges;
    while (r->next != NULL)
        r = r->next;
    set_varies(y, r->var);
    for (const struct pacc *a = s->accs; a != NULL; a = a->next) {
        set_varies(y, a->acc);
        set_varies(y, a->other);
    }
    struct vary inside = *y;
    walk(&inside, s->body, y->leaves);
    walk(&inside, s->joined, true);
    y->changed = inside.changed;
    y->leaves = inside.leaves;
}

/* apart: not all lanes come here together. */
static void walk(struct vary *y, const struct pstmt *s, bool apart) {
    for (; s != NULL; s = s->next)
        switch (s->kind) {
        case PS_SET:
            if (apart || varies(y, s->value))
                set_varies(y, s->var);
            break;
        case PS_IF: {
            bool parted = apart || varies(y, s->value);
            walk(y, s->body, parted);
            walk(y, s->other, parted);
            break;
        }
        case PS_FOR: walk_for(y, s, apart); break;
        case PS_SPREAD:
            walk(y, s->serial, apart);
            for (const struct pacc *a = s->accs; a != NULL; a = a->next)
                if (y->found->vars[a->acc->id])
                    set_varies(y, a->other);
            walk(y, s->joined, apart);
            break;
        case PS_LEAVE:
            y->changed = y->changed || (apart && !y->leaves);
            y->leaves = y->leaves || apart;
            break;
        case PS_CLEAR: set(y, &y->found->arrays[s->operand]); break;
        default: walk(y, s->body, apart); break;
        }
}

/* Only the outermost spreads have lanes. */
static void walk_top(struct vary *y, const struct pstmt *s) {
    for (; s != NULL; s = s->next)
        if (s->kind == PS_SPREAD) {
            if (!s->ordered)
                walk_lanes(y, s);
        } else {
            walk_top(y, s->body);
            walk_top(y, s->other);
        }
}

const struct varying *find_varying(struct uc *uc, const struct plan *p, bool across_calls) {
    struct vary y = {.found = NEW(uc, struct varying)};
    *y.found = (struct varying){.across_calls = across_calls,
                                .vars = NEWN(uc, bool, p->nvars),
                                .arrays = NEWN(uc, bool, p->noperands + p->nlocals)};
    for (int k = 0; k < p->noperands; k++)
        y.found->arrays[k] = across_calls;
    do {
        y.changed = false;
        if (across_calls)
            walk(&y, p->body, y.leaves);
        else
            walk_top(&y, p->body);
    } while (y.changed);
    return y.found;
}
