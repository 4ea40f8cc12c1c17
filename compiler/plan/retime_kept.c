/* retime_kept.c: variables that stand for an element until it is stored:
 *
 *     var w = a[i, j]
 *     for k in 0..j { w -= a[i, k] * a[k, j] }
 *     a[i, j] = w / a[j, j]
 *
 * With the element in the variable's place each statement is one that stores, and has a step of its
 * own. */
#include "retime.h"

const struct kept_place *kept_of(const struct retiming *x, const struct pstmt *put) {
    for (int i = 0; i < x->nkept; i++)
        for (int k = 0; k < 3; k++)
            if (x->kept[i].put[k] == put)
                return &x->kept[i];
    return NULL;
}

/* The only statement of a loop, or of those in it; NULL: there are several. */
static struct pstmt *only_stmt(struct pstmt *s) {
    while (s != NULL && s->kind == PS_FOR && s->accs == NULL && s->body != NULL &&
           s->body->next == NULL)
        s = s->body;
    return s != NULL && s->kind == PS_SET ? s : NULL;
}

static void to_put(struct retiming *x, struct pstmt *s, const struct pval *place) {
    s->kind = PS_PUT;
    s->var = NULL;
    s->operand = place->operand;
    s->place = NEW(x->uc, struct pval);
    *s->place = *place;
}

/* Whether a variable is mentioned in these statements alone: set; loop; put. */
static bool is_alone(const struct retiming *x, const struct sharer *sharer,
                     const struct pstmt *const part[3], const struct pvar *var) {
    int n = 0;
    for (int i = 0; i < 3; i++)
        n += count_mentions(x->uc, x->plan,
                            copy_statements(x->uc, part[i], part[i]->next, NULL, NULL))[var->id];
    return n == sharer->mentions[var->id];
}

static bool reads_place(const struct pval *v, const struct pval *place) {
    bool reads = same_value(v, place);
    for (int i = 0; i < v->nargs; i++)
        reads = reads || reads_place(v->args[i], place);
    return reads;
}

/* Of s, a PS_SET: whether what follows is a loop that only sets the variable, and a store of what
 * is made of it. */
static bool is_kept(const struct retiming *x, const struct sharer *sharer, const struct pstmt *s) {
    struct pstmt *loop = s->next, *put = loop != NULL ? loop->next : NULL;
    struct pstmt *set = loop != NULL && loop->kind == PS_FOR ? only_stmt(loop) : NULL;
    const struct pvar *var = s->var;
    if (set == NULL || set->var != var || put == NULL || put->kind != PS_PUT || put->merged)
        return false;
    const struct pstmt *const part[] = {s, loop, put};
    const bool *written = find_written(x->uc, x->plan, x->loop->body);
    const struct pval *place = put->place;
    struct pstmt own = *loop;
    own.next = NULL;
    const bool *inside = find_written(x->uc, x->plan, &own);
    bool plain = place->dtype == var->dtype && put->value->dtype == place->dtype &&
                 !is_half(place->dtype) && !is_complex(place->dtype) &&
                 place->operand < x->plan->noperands && written[var->id];
    for (int i = 0; i < place->nargs; i++)
        plain = plain && is_settled(inside, place->args[i]);
    plain = plain && !reads_place(set->value, place) && !reads_place(put->value, place);
    return plain && x->nkept < MAX_KEPT && is_alone(x, sharer, part, var);
}

/* Has the statements from *at on, which is_kept found, store to the element; what the element
 * already is, is not stored. */
static struct pstmt **keep(struct retiming *x, struct pstmt **at, int depth) {
    struct pstmt *s = *at, *put = s->next->next, *behind = put->next;
    struct pstmt *rest = copy_statements(x->uc, s->next, behind, s->var, put->place);
    struct kept_place *kept = &x->kept[x->nkept++];
    struct pstmt *set = only_stmt(rest);
    bool same = same_value(s->value, put->place);
    to_put(x, s, put->place);
    to_put(x, set, put->place);
    *kept = (struct kept_place){
        .place = put->place, .depth = depth, .put = {same ? NULL : s, set, rest->next}};
    *(same ? at : &s->next) = rest;
    if (same_value(rest->next->value, rest->next->place)) {
        kept->put[2] = NULL;
        rest->next = behind;
        return &rest->next;
    }
    rest->next->next = behind;
    return &rest->next->next;
}

void keep_in_places(struct retiming *x, const struct sharer *sharer, struct pstmt **list,
                    int depth) {
    for (struct pstmt **at = list; *at != NULL;) {
        struct pstmt *s = *at;
        if (s->kind == PS_FOR)
            keep_in_places(x, sharer, &s->body, depth + 1);
        at = s->kind == PS_SET && is_kept(x, sharer, s) ? keep(x, at, depth) : &s->next;
    }
}
