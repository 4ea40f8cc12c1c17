/* fission.c: an ordered loop around others some of whose statements have nothing to do with the
 * others becomes a loop for each such group, as PolyBench's bicg:
 *
 *     for i in 0..m { for j in 0..n { s[j] += r[i] * a[i, j]; q[i] += a[i, j] * p[j] } }
 *
 * Threads may then share each in its own way.  (Loop distribution, here of groups that no
 * dependence connects: Wolfe, High Performance Compilers for Parallel Computing, 1996, section
 * 9.2.) */
#include "apart.h"

enum { MAX_LEAVES = 16 };

/* A statement of the loop, or of loops in it, that is no such loop. */
struct leaf {
    const struct pstmt *s;
    const bool *sets;
    const int *mentions, *elements; /* of variables; of arrays */
    bool free;                      /* it sets a variable, which all groups may do for themselves */
    int group;
};

struct fission {
    struct lower *l;
    struct leaf leaf[MAX_LEAVES];
    int n, next; /* next: the leaf that a copy comes to */
    bool nest;   /* there are loops in the loop */
};

/* ---- leaves */

static bool is_inner(const struct pstmt *s) {
    return s->kind == PS_FOR && s->accs == NULL;
}

static bool add_leaves(struct fission *f, const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        if (is_inner(s)) {
            f->nest = true;
            if (!add_leaves(f, s->body))
                return false;
            continue;
        }
        if (f->n == MAX_LEAVES || s->kind == PS_ASSERT)
            return false;
        struct uc *uc = f->l->uc;
        const struct plan *p = f->l->plan;
        const struct pstmt *own = copy_statements(uc, s, s->next, NULL, NULL);
        f->leaf[f->n] = (struct leaf){.s = s, .group = f->n};
        f->leaf[f->n].sets = find_written(uc, p, own);
        f->leaf[f->n].mentions = count_mentions(uc, p, own);
        f->leaf[f->n++].elements = count_elements(uc, p, own);
    }
    return true;
}

static bool stores(const struct leaf *a, int operand) {
    struct pstmt own = *a->s;
    own.next = NULL;
    return is_put(&own, operand);
}

/* Does a leaf store or set what another one mentions? */
static bool touches(const struct fission *f, const struct leaf *a, const struct leaf *b) {
    const struct plan *p = f->l->plan;
    for (int i = 0; i < p->nvars; i++)
        if (a->sets[i] && b->mentions[i] > 0)
            return true;
    for (int k = 0; k < p->noperands; k++)
        if (b->elements[k] > 0 && stores(a, k))
            return true;
    return false;
}

/* Finds the variables that are set once, to what the loop changes nothing of, for what is behind in
 * the same iteration. */
static void find_free(struct fission *f, const int *mentions) {
    const struct plan *p = f->l->plan;
    for (int i = 0; i < f->n; i++) {
        struct leaf *own = &f->leaf[i];
        const int *behind = count_mentions(f->l->uc, p, own->s);
        bool free = own->s->kind == PS_SET;
        for (int v = 0; v < p->nvars && free; v++)
            free = !own->sets[v] || (own->mentions[v] == 1 && behind[v] == mentions[v]);
        for (int k = 0; k < f->n && free; k++)
            free = (k == i || !touches(f, &f->leaf[k], own) || (k < i && f->leaf[k].free)) &&
                   (k >= i || !touches(f, own, &f->leaf[k]));
        own->free = free;
    }
}

/* Do bounds of loops need what leaves of a group do? */
static bool bounds_change(const struct fission *f, const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        if (!is_inner(s))
            continue;
        struct pstmt bounds = *s;
        bounds.body = bounds.next = bounds.serial = bounds.shared = NULL;
        struct leaf own = {.mentions = count_mentions(f->l->uc, f->l->plan, &bounds),
                           .elements = count_elements(f->l->uc, f->l->plan, &bounds)};
        for (int i = 0; i < f->n; i++)
            if (!f->leaf[i].free && touches(f, &f->leaf[i], &own))
                return true;
        if (bounds_change(f, s->body))
            return true;
    }
    return false;
}

/* Joins the groups of leaves that touch one another; how many there are. */
static int join_groups(struct fission *f) {
    int groups = 0;
    for (int i = 0; i < f->n; i++)
        for (int k = 0; k < i; k++) {
            struct leaf *a = &f->leaf[i], *b = &f->leaf[k];
            int from = a->group, to = b->group;
            if (a->free || b->free || (!touches(f, a, b) && !touches(f, b, a)))
                continue;
            for (int j = 0; j < f->n; j++)
                f->leaf[j].group = f->leaf[j].group == from ? to : f->leaf[j].group;
        }
    for (int i = 0; i < f->n; i++)
        groups += !f->leaf[i].free && f->leaf[i].group == i;
    return groups;
}

/* ---- loops of their own */

/* A copy of a list with the leaves of a group, and those that are free, if there are others. */
static struct pstmt *copy_group(struct fission *f, const struct pstmt *list, int group, bool *any) {
    struct pstmt *first = NULL, **end = &first;
    *any = false;
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        const struct leaf *leaf = is_inner(s) ? NULL : &f->leaf[f->next++];
        bool has = leaf != NULL && !leaf->free && leaf->group == group;
        *end = NULL;
        if (leaf != NULL && (has || leaf->free)) {
            *end = copy_statements(f->l->uc, s, s->next, NULL, NULL);
        } else if (leaf == NULL) {
            struct pstmt *inner = copy_group(f, s->body, group, &has);
            if (has) {
                *end = NEW(f->l->uc, struct pstmt);
                **end = *s;
                (*end)->body = inner;
                (*end)->next = NULL;
            }
        }
        *any = *any || has;
        end = *end != NULL ? &(*end)->next : end;
    }
    return first;
}

static enum walk rename_set(const struct pstmt *s, void *arg) {
    const struct pvar *const *names = arg;
    if (s->var == names[0])
        ((struct pstmt *)(void *)s)->var = (struct pvar *)names[1];
    return WALK_IN;
}

/* Gives a loop variables of its own for indices, and for what is free. */
static struct pstmt *rename_group(const struct fission *f, struct pstmt *loop) {
    const bool *sets = find_written(f->l->uc, f->l->plan, loop);
    const struct pvar *last = f->l->plan->vars;
    while (last->next != NULL)
        last = last->next;
    for (const struct pvar *v = f->l->plan->vars;; v = v->next) {
        bool own = sets[v->id];
        for (int i = 0; i < f->n; i++)
            own = own && (f->leaf[i].free || !f->leaf[i].sets[v->id]);
        if (own) {
            struct pval *value = value_new(f->l, PV_VAR, v->dtype);
            const struct pvar *names[] = {v,
                                          plan_variable(f->l->uc, f->l->plan, v->name, v->dtype)};
            value->var = (struct pvar *)names[1];
            loop = copy_statements(f->l->uc, loop, NULL, v, value);
            plan_walk(loop, &(struct plan_visitor){.stmt = rename_set}, names);
        }
        if (v == last)
            return loop;
    }
}

struct pstmt *fissioned(struct lower *l, const struct pstmt *loop, const int *mentions) {
    struct fission f = {.l = l};
    struct pstmt *first = NULL, **end = &first;
    if (loop->kind != PS_FOR || loop->accs != NULL ||
        !stmt_walk(loop, &(struct plan_visitor){.stmt = find_jump}, NULL) ||
        !add_leaves(&f, loop->body) || !f.nest)
        return NULL;
    find_free(&f, mentions);
    if (bounds_change(&f, loop->body) || join_groups(&f) < 2)
        return NULL;
    for (int i = 0; i < f.n; i++) {
        if (f.leaf[i].free || f.leaf[i].group != i)
            continue;
        bool any;
        *end = NEW(l->uc, struct pstmt);
        **end = *loop;
        (*end)->next = NULL;
        f.next = 0;
        (*end)->body = copy_group(&f, loop->body, i, &any);
        *end = first != *end ? rename_group(&f, *end) : *end;
        end = &(*end)->next;
    }
    return first;
}
