/* renew.c: ordered loops that change an array in place, and read of it what none of their
 * iterations has stored to yet:
 *
 *     for k in 0..m { for i in 0..n - 1 { v[i] = p * v[i] + q * v[i + 1] } }
 *     for i in 0..k { for w in n..c[i] - 1..-1 { best[w] = max(best[w], best[w - c[i]] + value[i])
 * } }
 *
 * In a version of the body that has arrays, one has what the array was before the loop, whose
 * iterations read it there and are then in no order.  A distance that is not known before the call
 * is looked at before the loop.  (Renaming, as in original.c, where an input is that array.) */
#include "apart.h"
#include "linear.h"
#include "split.h"

enum { MAX_RENEWED = 2 }; /* arrays that a loop changes */

struct renewal {
    struct lower *l;
    struct overload *o; /* NULL: it is only asked whether there is such a loop */
    struct sharer x;
};

/* ---- whether a loop is such a one */

/* Whether the iterations of a loop, and those of the loops that are all that it does, are in no
 * order. */
static bool is_free_nest(const struct sharer *x, struct pstmt *loop) {
    struct sharer in = *x;
    const struct enclosing own = {loop, x->around};
    const struct pstmt *body = loop->body;
    in.around = &own;
    bool nest = body != NULL && body->kind == PS_FOR && body->accs == NULL && body->next == NULL;
    return is_independent(x, loop) && (!nest || is_free_nest(&in, loop->body));
}

/* The arrays that a loop stores to.  How many; more than MAX_RENEWED: too many. */
static int find_stored(const struct renewal *r, const struct pstmt *loop, int operand[]) {
    const struct plan *p = r->l->plan;
    int n = 0;
    for (int k = 0; k < p->noperands && n <= MAX_RENEWED; k++)
        if (is_put(loop, k) && n++ < MAX_RENEWED)
            operand[n - 1] = k;
    return n;
}

/* A copy of a loop that reads each operand's elements which it has not stored to yet from another
 * one, `was`; 0: from itself. */
static struct pstmt *with_former(const struct renewal *r, const struct pstmt *loop, int n,
                                 const int *operand, const int *was) {
    struct pstmt *own = copy_statements(r->x.uc, loop, loop->next, NULL, NULL);
    const struct candidate *c = find_candidate(&r->x, own);
    for (int i = 0; i < n && c != NULL; i++)
        if (was[i] > 0)
            read_original(c, operand[i], was[i]);
    return own;
}

/* Which arrays iterations must read as they were to be in no order: was[i] becomes the number of
 * the next operand, as if that were such a copy, or 0.  False: they have an order anyway, or none
 * already. */
static bool find_renewed(struct renewal *r, struct pstmt *loop, int n, const int *operand,
                         int *was) {
    struct plan *p = r->l->plan;
    struct poperand *before = p->operands, *more = NEWN(r->x.uc, struct poperand, p->noperands + n);
    int noperands = p->noperands;
    struct pstmt *own = copy_statements(r->x.uc, loop, loop->next, NULL, NULL);
    if (n == 0 || n > MAX_RENEWED || noperands + n > UFC_MAX_OPERANDS / 2 ||
        is_free_nest(&r->x, own))
        return false;
    for (int k = 0; k < noperands; k++)
        more[k] = before[k];
    for (int i = 0; i < n; i++) {
        more[noperands + i] = before[operand[i]];
        was[i] = noperands + i;
    }
    p->operands = more;
    p->noperands += n;
    bool is = is_free_nest(&r->x, with_former(r, loop, n, operand, was));
    for (int i = 0; i < n && is && n > 1; i++) {
        int kept = was[i];
        was[i] = 0;
        if (!is_free_nest(&r->x, with_former(r, loop, n, operand, was)))
            was[i] = kept;
    }
    p->operands = before;
    p->noperands = noperands;
    return is;
}

/* ---- what it becomes */

/* Emits an array that is what another one is now; gives its operand. */
static int emit_former(struct renewal *r, int operand, struct span at) {
    struct lower *l = r->l;
    int k = add_array_like(l, r->o, operand, l->plan->operands[operand].dtype);
    struct pstmt *s = spread_over(l, operand, at), **end = l->end;
    l->end = &s->body;
    emit_put(l, array_element(l, k, s->ranges), array_element(l, operand, s->ranges), at);
    add_serial_loop(l->uc, s);
    *end = s;
    l->end = &s->next;
    return k;
}

/* Has the loop at *at read what the arrays were. */
static void renew_loop(struct renewal *r, struct pstmt **at, int n, const int *operand, int *was) {
    struct pstmt *loop = *at, *next = loop->next;
    r->l->end = at;
    for (int i = 0; i < n; i++)
        was[i] = was[i] > 0 ? emit_former(r, operand[i], loop->at) : 0;
    *r->l->end = with_former(r, loop, n, operand, was);
    (*r->l->end)->next = next;
}

static void read_former(struct pval *v, int operand, int was) {
    if (v->kind == PV_ELEM && v->operand == operand)
        v->operand = was;
    for (int i = 0; i < v->nargs; i++)
        read_former(v->args[i], operand, was);
}

/* Has values of a list read what an array was. */
static void read_all_former(struct pstmt *list, int operand, int was) {
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        if (s->value != NULL)
            read_former(s->value, operand, was);
        read_all_former(s->body, operand, was);
    }
}

/* Does so where a condition holds, which says how iterations are apart. */
static void renew_where(struct renewal *r, struct pstmt **at, struct pval *condition, int operand) {
    struct uc *uc = r->x.uc;
    struct pstmt *loop = *at, *next = loop->next, *list = NULL;
    struct pstmt *own = copy_statements(uc, loop, next, NULL, NULL);
    r->l->end = &list;
    int was = emit_former(r, operand, loop->at);
    read_all_former(own->body, operand, was);
    *r->l->end = own;
    loop->next = NULL;
    *at = only_if(uc, condition, true, list, loop->at);
    (*at)->next = only_if(uc, condition, false, loop, loop->at);
    (*at)->next->next = next;
}

/* ---- where they are */

static bool renew_at(struct renewal *r, struct pstmt **at) {
    struct pstmt *loop = *at;
    int operand[MAX_RENEWED], was[MAX_RENEWED], n = find_stored(r, loop, operand);
    bool is = find_renewed(r, loop, n, operand, was);
    if (is && r->o != NULL)
        renew_loop(r, at, n, operand, was);
    if (is || r->l->plan->noperands >= UFC_MAX_OPERANDS / 2)
        return is;
    struct pval *condition = stored_ahead_where(&r->x, loop, operand);
    if (condition != NULL && r->o != NULL)
        renew_where(r, at, condition, *operand);
    return condition != NULL;
}

/* Does so with the loops of a list, and of its ordered ones. */
static bool renew_list(struct renewal *r, struct pstmt **list) {
    bool any = false;
    for (struct pstmt **at = list; *at != NULL && !(any && r->o == NULL); at = &(*at)->next) {
        struct pstmt *s = *at, *next = s->next;
        const struct enclosing *around = r->x.around, own = {s, around};
        if (s->kind == PS_SPREAD || s->accs != NULL)
            continue;
        bool loop = s->kind == PS_FOR, renewed = loop && renew_at(r, at);
        any = any || renewed;
        if (renewed && r->o != NULL)
            while ((*at)->next != next) /* the loop, behind what it reads */
                at = &(*at)->next;
        if (renewed || (loop && is_independent(&r->x, s)))
            continue;
        if (loop && !find_written(r->x.uc, r->l->plan, s->body)[s->var->id])
            r->x.around = &own;
        any = renew_list(r, &s->body) || any;
        any = renew_list(r, &s->other) || any;
        r->x.around = around;
    }
    return any;
}

static bool renew_body(struct lower *l, struct overload *o) {
    struct renewal r = {.l = l, .o = o, .x = {.uc = l->uc, .plan = l->plan}};
    struct pstmt **end = l->end;
    r.x.mentions = count_mentions(l->uc, l->plan, l->plan->body);
    bool any = renew_list(&r, &l->plan->body->body);
    l->end = end;
    return any;
}

bool has_renewed(struct lower *l) {
    return renew_body(l, NULL);
}

void renew_loops(struct lower *l, struct overload *o) {
    renew_body(l, o);
}
