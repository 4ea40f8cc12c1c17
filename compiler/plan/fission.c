/* fission.c: an ordered loop around others some of whose statements have nothing to do with the
 * others becomes a loop for each such group, as PolyBench's bicg:
 *
 *     for i in 0..m { for j in 0..n { s[j] += r[i] * a[i, j]; q[i] += a[i, j] * p[j] } }
 *
 * Threads may then share each in its own way.  A group may also need elements that another one
 * before it has of the same iteration, as PolyBench's atax:
 *
 *     for i in 0..m { for j in 0..n { t[i] += a[i, j] * x[j] }; for j in 0..n { y[j] += a[i, j] *
 * t[i] } }
 *
 * So may what stores elements and what adds to a variable, where all of that is at points, or what
 * is added takes long:
 *
 *     for i in 0..m { var t = 0.0; for j in 0..n { e[j] = exp(x[i, j]); t += e[j] }; ... }
 *     for t in 0..n { h = a + b * x[t] + c * h; y[t] = h; s += log(h) }
 *
 * (Loop distribution: Wolfe, High Performance Compilers for Parallel Computing, 1996, section
 * 9.2.) */
#include "apart.h"
#include "total.h"

enum { MAX_LEAVES = 32 };

/* A statement of the loop, or of loops in it, that is no such loop. */
struct leaf {
    const struct pstmt *s;
    const bool *sets;
    const int *mentions, *elements; /* of variables; of arrays */
    const struct pstmt *top;        /* the statement of the loop's own list that it is in */
    int depth;                      /* of its list in the loop's loops */
    bool free;                      /* it sets variables, which all groups may do for themselves */
    bool needed;                    /* by the group that is copied */
    int group;
};

struct fission {
    struct lower *l;
    const struct pstmt *loop;
    bool series;                    /* what adds to variables of others is to be apart, too */
    const int *outside;             /* mentions of variables outside of the loop */
    uint32_t own[UFC_MAX_OPERANDS]; /* subscripts that all of the array's elements have the loop's
                                       index in, a bit each */
    struct leaf leaf[MAX_LEAVES];
    int n, next; /* next: the leaf that a copy comes to */
    int deepest; /* depth of leaves that store */
    bool nest;   /* there are loops in the loop */
    bool points; /* the loop is in others whose iterations have any order */
};

/* ---- leaves */

/* Does a conditional store, and join to variables beside that?  Then each may have it. */
static bool does_both(const struct pstmt *s) {
    bool joins = false;
    for (const struct pstmt *in = s->body; in != NULL; in = in->next)
        joins = joins || (in->kind == PS_SET && !value_walk(in->value, find_variable, in->var));
    return s->kind == PS_IF && s->other == NULL && joins && has_store(s->body);
}

static bool is_inner(const struct pstmt *s) {
    return (s->kind == PS_FOR && s->accs == NULL) || does_both(s);
}

/* top: the statement of the loop's list that has this one; NULL: this is that list, of depth 0. */
static bool add_leaves(struct fission *f, const struct pstmt *list, const struct pstmt *top,
                       int depth) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        if (is_inner(s)) {
            bool loop = s->kind == PS_FOR;
            f->nest = f->nest || loop;
            if (!add_leaves(f, s->body, top != NULL ? top : s, depth + loop))
                return false;
            continue;
        }
        if (f->n == MAX_LEAVES || s->kind == PS_ASSERT)
            return false;
        struct uc *uc = f->l->uc;
        const struct plan *p = f->l->plan;
        const struct pstmt *own = copy_statements(uc, s, s->next, NULL, NULL);
        f->leaf[f->n] =
            (struct leaf){.s = s, .top = top != NULL ? top : s, .depth = depth, .group = f->n};
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

static enum walk keep_own(const struct pval *v, void *arg) {
    struct fission *f = arg;
    uint32_t own = 0;
    for (int i = 0; v->kind == PV_ELEM && i < v->nargs; i++)
        own |= (uint32_t)(v->args[i]->kind == PV_VAR && v->args[i]->var == f->loop->var) << i;
    if (v->kind == PV_ELEM && v->operand < f->l->plan->noperands)
        f->own[v->operand] &= own;
    return WALK_IN;
}

static void find_own(struct fission *f) {
    for (int k = 0; k < UFC_MAX_OPERANDS; k++)
        f->own[k] = UINT32_MAX;
    plan_walk(f->loop->body, &(struct plan_visitor){.value = keep_own}, f);
}

/* Does a leaf store or set what another one mentions?  others: but elements that no other iteration
 * has. */
static bool touches(const struct fission *f, const struct leaf *a, const struct leaf *b,
                    bool others) {
    const struct plan *p = f->l->plan;
    for (int i = 0; i < p->nvars; i++)
        if (a->sets[i] && b->mentions[i] > 0)
            return true;
    for (int k = 0; k < p->noperands; k++)
        if (b->elements[k] > 0 && stores(a, k) && !(others && f->own[k]))
            return true;
    return false;
}

/* The same of either of them. */
static bool meet(const struct fission *f, const struct leaf *a, const struct leaf *b, bool others) {
    return !a->free && !b->free && (touches(f, a, b, others) || touches(f, b, a, others));
}

/* Does a list do nothing but set variables? */
static bool only_sets(const struct pstmt *list) {
    const struct pstmt *s = list;
    while (s != NULL &&
           (s->kind == PS_SET || (s->kind == PS_IF && only_sets(s->body) && only_sets(s->other))))
        s = s->next;
    return s == NULL;
}

/* Does a reduction join floats?  What they make hangs on how they are grouped. */
static bool may_round(const struct pstmt *s) {
    const struct pacc *a = s->accs;
    while (a != NULL && !is_float(a->acc->dtype) && !is_complex(a->acc->dtype))
        a = a->next;
    return a != NULL;
}

/* The same of a leaf, which may be a reduction at a point. */
static bool leaf_only_sets(const struct fission *f, const struct pstmt *leaf) {
    bool reduces = f->points && leaf->kind == PS_SPREAD && leaf->accs != NULL && !leaf->ordered &&
                   !(f->l->plan->whole && may_round(leaf));
    return reduces ? only_sets(leaf->body) : only_sets(leaf);
}

/* Is a variable one iteration's alone?  The first leaf that mentions it sets it, in a list that has
 * all others that do, and free ones alone set it.  One that changes has to be in the innermost
 * loops that store: copies of what leads to it cost no more then than it did. */
static bool is_private(const struct fission *f, int v, const int *mentions) {
    int first = 0, sets = 0;
    while (first < f->n && f->leaf[first].mentions[v] == 0)
        first++;
    const struct leaf *own = &f->leaf[first];
    if (first < f->n && own->s->kind == PS_SPREAD && own->mentions[v] == mentions[v])
        return true;
    if (first == f->n || own->s->kind != PS_SET || !own->sets[v] || own->mentions[v] != 1 ||
        count_mentions(f->l->uc, f->l->plan, own->s)[v] != mentions[v])
        return false;
    for (int i = 0; i < f->n; i++) {
        if (f->leaf[i].sets[v] && !f->leaf[i].free)
            return false;
        sets += f->leaf[i].sets[v];
    }
    return sets == 1 || own->depth == f->deepest || f->points;
}

/* Is what a free leaf sets private, and what it reads changed by free ones alone? */
static bool stays_free(const struct fission *f, const struct leaf *own, const int *mentions) {
    for (int v = 0; v < f->l->plan->nvars; v++)
        if (own->sets[v] && !is_private(f, v, mentions))
            return false;
    int k = 0;
    while (k < f->n && (f->leaf[k].free || !touches(f, &f->leaf[k], own, false)))
        k++;
    return k == f->n;
}

/* Finds the leaves that compute variables of an iteration's own of what the loop changes nothing
 * of: of all that only set variables, those that the others leave free. */
static void find_free(struct fission *f, const int *mentions) {
    for (int i = 0; i < f->n; i++) {
        const struct pstmt *own =
            copy_statements(f->l->uc, f->leaf[i].s, f->leaf[i].s->next, NULL, NULL);
        f->leaf[i].free = leaf_only_sets(f, own);
        if (!f->leaf[i].free && f->leaf[i].depth > f->deepest)
            f->deepest = f->leaf[i].depth;
    }
    for (bool same = false; !same;) {
        same = true;
        for (int i = 0; i < f->n; i++)
            if (f->leaf[i].free && !stays_free(f, &f->leaf[i], mentions))
                same = f->leaf[i].free = false;
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
            if (!f->leaf[i].free && touches(f, &f->leaf[i], &own, false))
                return true;
        if (bounds_change(f, s->body))
            return true;
    }
    return false;
}

/* Makes one group of those of two leaves, whose number is its first leaf's. */
static void join(struct fission *f, int i, int k) {
    int a = f->leaf[i].group, b = f->leaf[k].group;
    for (int j = 0; j < f->n; j++)
        if (f->leaf[j].group == a || f->leaf[j].group == b)
            f->leaf[j].group = a < b ? a : b;
}

/* Comes all of a leaf's group before another group? */
static bool is_before(const struct fission *f, int i, int group) {
    int last = 0;
    for (int j = 0; j < f->n; j++)
        last = f->leaf[j].group == f->leaf[i].group ? j : last;
    return last < group;
}

/* Does a leaf set a variable that is not the loop's own? */
static bool sets_others(const struct fission *f, const struct leaf *a) {
    int i = 0;
    while (i < f->l->plan->nvars && !(a->sets[i] && f->outside[i] > 0))
        i++;
    return i < f->l->plan->nvars;
}

/* Does all of a leaf's group store only elements that no other iteration has? */
static bool is_own(const struct fission *f, int i) {
    for (int j = 0; j < f->n; j++) {
        if (f->leaf[j].group != f->leaf[i].group)
            continue;
        if (f->series && sets_others(f, &f->leaf[j]))
            return false;
        for (int k = 0; k < f->l->plan->noperands; k++)
            if (!f->own[k] && stores(&f->leaf[j], k))
                return false;
    }
    return true;
}

struct same_place {
    const struct fission *f;
    int operand, indices; /* indices: of inner loops that subscripts are */
    const struct pval *place;
};

static enum walk find_index_loop(const struct pstmt *s, void *var) {
    return s->kind == PS_FOR && s->var == var ? WALK_STOP : WALK_IN;
}

static enum walk find_other_place(const struct pval *v, void *arg) {
    struct same_place *x = arg;
    if (v->kind != PV_ELEM || v->operand != x->operand)
        return WALK_IN;
    if (x->place != NULL)
        return same_value(v, x->place) ? WALK_IN : WALK_STOP;
    x->place = v;
    for (int i = 0; i < v->nargs; i++)
        x->indices += v->args[i]->kind == PV_VAR &&
                      !plan_walk(x->f->loop->body, &(struct plan_visitor){.stmt = find_index_loop},
                                 v->args[i]->var);
    return WALK_IN;
}

/* Are all elements of an array in the loop those of one place, which is another one at all points
 * of the loops around a leaf? */
static bool has_one_place(const struct fission *f, const struct leaf *leaf, int operand) {
    struct same_place x = {.f = f, .operand = operand};
    return plan_walk(f->loop->body, &(struct plan_visitor){.value = find_other_place}, &x) &&
           f->own[operand] && x.indices >= leaf->depth;
}

/* May leaves that a loop within has be apart: is what one stores, and the other one has, each
 * point's own? */
static bool have_own_points(const struct fission *f, const struct leaf *a, const struct leaf *b) {
    if (a->depth != b->depth)
        return false;
    for (int k = 0; k < f->l->plan->noperands; k++) {
        bool common = (stores(a, k) && b->elements[k] > 0) || (stores(b, k) && a->elements[k] > 0);
        if (common && !has_one_place(f, a, k))
            return false;
    }
    return true;
}

/* May the groups of leaves i and k, before it, be apart though they have the same elements?  Not
 * where a loop within has both, as what its iterations find then changes in them, but where each
 * point has its own.  Those that may be one definition are. */
static bool may_part(const struct fission *f, int i, int k) {
    return (f->leaf[i].top != f->leaf[k].top ||
            (f->series && have_own_points(f, &f->leaf[i], &f->leaf[k]))) &&
           !meet(f, &f->leaf[i], &f->leaf[k], true) && is_before(f, k, f->leaf[i].group) &&
           !(is_own(f, i) && is_own(f, k));
}

/* Joins the groups of leaves that touch one another; parts: but those that may be apart.  How many
 * there are. */
static int join_groups(struct fission *f, bool parts) {
    int groups = 0;
    bool joined = true;
    while (joined) {
        joined = false;
        for (int i = 0; i < f->n; i++)
            for (int k = 0; k < i; k++) {
                const struct leaf *a = &f->leaf[i], *b = &f->leaf[k];
                if (a->group == b->group || !meet(f, a, b, false) || (parts && may_part(f, i, k)))
                    continue;
                join(f, i, k);
                joined = true;
            }
    }
    for (int i = 0; i < f->n; i++)
        groups += !f->leaf[i].free && f->leaf[i].group == i;
    return groups;
}

/* Finds groups that have nothing in common; else such as have elements one before the other. */
static bool find_groups(struct fission *f) {
    if (join_groups(f, false) > 1)
        return true;
    for (int i = 0; i < f->n; i++)
        f->leaf[i].group = i;
    for (int i = 0; i < f->n && f->series; i++) /* what is one anyway is no point's own */
        for (int k = 0; k < i; k++)
            if (f->leaf[i].group != f->leaf[k].group && meet(f, &f->leaf[i], &f->leaf[k], true))
                join(f, i, k);
    return join_groups(f, true) > 1;
}

/* ---- loops of their own */

/* Does something mention a variable that a leaf sets? */
static bool is_used(const struct fission *f, const struct leaf *own, const int *mentions) {
    for (int v = 0; v < f->l->plan->nvars; v++)
        if (own->sets[v] && mentions[v] > 0)
            return true;
    return false;
}

/* Adds mentions by bounds of loops. */
static void count_bounds(const struct fission *f, const struct pstmt *list, int *mentions) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        if (!is_inner(s))
            continue;
        struct pstmt bounds = *s;
        bounds.body = bounds.next = bounds.serial = bounds.shared = NULL;
        const int *own = count_mentions(f->l->uc, f->l->plan, &bounds);
        for (int v = 0; v < f->l->plan->nvars; v++)
            mentions[v] += own[v];
        count_bounds(f, s->body, mentions);
    }
}

/* Finds the leaves that a group needs: its own, and the free ones that lead to them. */
static void find_needed(struct fission *f, int group) {
    int *bounds = NEWN(f->l->uc, int, f->l->plan->nvars + 1);
    count_bounds(f, f->loop->body, bounds);
    for (int i = 0; i < f->n; i++)
        f->leaf[i].needed =
            f->leaf[i].free ? is_used(f, &f->leaf[i], bounds) : f->leaf[i].group == group;
    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < f->n; i++)
            for (int k = 0; k < f->n && f->leaf[i].free && !f->leaf[i].needed; k++)
                if (f->leaf[k].needed && is_used(f, &f->leaf[i], f->leaf[k].mentions))
                    more = f->leaf[i].needed = true;
    }
}

/* A copy of a list with the leaves that a group needs, if there are any. */
static struct pstmt *copy_group(struct fission *f, const struct pstmt *list, bool *any) {
    struct pstmt *first = NULL, **end = &first;
    *any = false;
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        const struct leaf *leaf = is_inner(s) ? NULL : &f->leaf[f->next++];
        bool has = leaf != NULL && leaf->needed;
        *end = NULL;
        if (has) {
            *end = copy_statements(f->l->uc, s, s->next, NULL, NULL);
            (*end)->twice = leaf->free && s->kind == PS_SPREAD && may_round(s);
        } else if (leaf == NULL) {
            struct pstmt *inner = copy_group(f, s->body, &has);
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

/* Gives a loop variables of its own for indices, and for what is free. */
static struct pstmt *rename_group(const struct fission *f, struct pstmt *loop) {
    bool *own = find_written(f->l->uc, f->l->plan, loop);
    for (int i = 0; i < f->n; i++)
        for (int v = 0; v < f->l->plan->nvars && !f->leaf[i].free; v++)
            own[v] = own[v] && !f->leaf[i].sets[v];
    return with_own_variables(f->l, loop, own);
}

enum walk find_set_or_element(const struct pval *v, void *written) {
    const bool *changes = written;
    return v->kind == PV_ELEM || (v->kind == PV_VAR && changes[v->var->id]) ? WALK_STOP : WALK_IN;
}

/* Whether what is behind an assignment to an element may read it in the place of the variable whose
 * value it gets. */
static bool may_read_back(const struct fission *f, const struct pstmt *s) {
    const struct plan *p = f->l->plan;
    const bool *written = find_written(f->l->uc, p, s->next);
    bool may = s->kind == PS_PUT && !s->merged && s->value->kind == PV_VAR &&
               s->place->dtype == s->value->dtype && s->place->checked == 0 &&
               !written[s->value->var->id] && !is_put(s->next, s->operand);
    for (int i = 0; may && i < s->place->nargs; i++)
        may = value_walk(s->place->args[i], find_set_or_element, (void *)written) &&
              value_walk(s->place->args[i], find_variable, s->value->var);
    return may;
}

/* A copy of the loop which reads elements where it has stored them. */
static struct pstmt *read_back(const struct fission *f) {
    struct pstmt *loop = copy_statements(f->l->uc, f->loop, f->loop->next, NULL, NULL);
    for (struct pstmt *s = loop->body; s != NULL; s = s->next)
        if (may_read_back(f, s))
            s->next = copy_statements(f->l->uc, s->next, NULL, s->value->var, s->place);
    return loop;
}

/* Mentions of variables outside of the loop. */
static int *count_outside(struct lower *l, const struct pstmt *loop, const int *mentions) {
    struct pstmt own = *loop;
    own.next = NULL;
    int *n = count_mentions(l->uc, l->plan, &own);
    for (int i = 0; i < l->plan->nvars; i++)
        n[i] = mentions[i] - n[i];
    return n;
}

/* The loops; NULL: there are no such.  mentions: count_mentions of the body. */
static struct pstmt *fissioned(struct lower *l, const struct pstmt *loop, const int *mentions,
                               bool series, bool points) {
    struct fission f = {.l = l, .loop = loop, .series = series, .points = points};
    f.loop = loop = series && loop->kind == PS_FOR ? read_back(&f) : loop;
    struct pstmt *first = NULL, **end = &first;
    if (loop->kind != PS_FOR || loop->accs != NULL ||
        !stmt_walk(loop, &(struct plan_visitor){.stmt = find_jump}, NULL) ||
        !add_leaves(&f, loop->body, NULL, 0) || !(f.nest || series))
        return NULL;
    f.outside = count_outside(l, loop, mentions);
    find_own(&f);
    find_free(&f, mentions);
    if (bounds_change(&f, loop->body) || !find_groups(&f))
        return NULL;
    for (int i = 0; i < f.n; i++) {
        if (f.leaf[i].free || f.leaf[i].group != i)
            continue;
        bool any;
        *end = NEW(l->uc, struct pstmt);
        **end = *loop;
        (*end)->next = NULL;
        f.next = 0;
        find_needed(&f, i);
        (*end)->body = copy_group(&f, loop->body, &any);
        *end = first != *end ? rename_group(&f, *end) : *end;
        end = &(*end)->next;
    }
    return first;
}

/* ---- */

bool part_at(struct sharer *x, struct lower *l, struct pstmt **at,
             bool (*is_useful)(struct sharer *x, struct lower *l, struct pstmt *loop), bool series,
             bool replaces) {
    struct plan *p = l->plan;
    struct pvar **vars = variables_end(l);
    int nvars = p->nvars;
    struct pstmt *s = *at,
                 *parts = fissioned(l, s, x->mentions, series, x->around != NULL && !p->for_host),
                 **end = at;
    bool useful = false;
    if (parts == NULL)
        return false;
    for (*at = parts; *end != NULL;)
        end = &(*end)->next;
    *end = s->next;
    x->mentions = count_mentions(l->uc, p, p->body);
    for (struct pstmt *part = parts; part != s->next && !useful; part = part->next)
        useful = is_useful(x, l, part);
    if (useful && replaces)
        return true;
    *at = s;
    *vars = NULL;
    l->vars_end = vars;
    p->nvars = nvars;
    x->mentions = count_mentions(l->uc, p, p->body);
    return useful;
}

static bool is_definition(struct sharer *x, struct lower *l, struct pstmt *loop) {
    (void)l;
    return is_independent(x, loop);
}

static enum walk find_function(const struct pval *v, void *none) {
    (void)none;
    return v->kind == PV_CALL && builtin_work(v->builtin).special > 0 ? WALK_STOP : WALK_IN;
}

/* Does a loop only set variables, and add to them what takes long?  Where it has the elements that
 * another one stores, which goes on from iteration to iteration, all of that is computed at once.
 */
static bool adds_functions(struct sharer *x, struct lower *l, struct pstmt *loop) {
    (void)x;
    (void)l;
    return only_sets(loop->body) &&
           !plan_walk(loop->body, &(struct plan_visitor){.value = find_function}, NULL);
}

/* The same, or is it a definition before a loop that only takes totals? */
static bool is_before_totals(struct sharer *x, struct lower *l, struct pstmt *loop) {
    return adds_functions(x, l, loop) ||
           (loop->next != NULL && loop->next->kind == PS_FOR && has_loop_totals(l, loop->next) &&
            is_independent(x, loop));
}

/* The same, or before one that adds in order? */
static bool is_before_sums(struct sharer *x, struct lower *l, struct pstmt *loop) {
    return is_before_totals(x, l, loop) || (loop->next != NULL && loop->next->kind == PS_FOR &&
                                            only_sets(loop->next->body) && is_independent(x, loop));
}

/* May a loop come before an assignment that is before it? */
static bool passes(const struct lower *l, const struct pstmt *set, const struct pstmt *loop) {
    const struct pstmt *own = copy_statements(l->uc, loop, loop->next, NULL, NULL);
    return (loop->kind == PS_FOR || loop->kind == PS_SPREAD) &&
           count_mentions(l->uc, l->plan, own)[set->var->id] == 0 &&
           value_walk(set->value, find_set_or_element, find_written(l->uc, l->plan, own));
}

void delay_sets(const struct lower *l, struct pstmt **list) {
    struct pstmt *s = *list;
    if (s == NULL)
        return;
    delay_sets(l, &s->next);
    for (struct pstmt **at = list; s->kind == PS_SET && s->next != NULL && passes(l, s, s->next);) {
        *at = s->next;
        s->next = (*at)->next;
        (*at)->next = s;
        at = &(*at)->next;
    }
}

/* In a list that is at points, or the body's own. */
static bool part_list(struct sharer *x, struct lower *l, struct pstmt **list, bool replaces) {
    bool any = false, parted = false;
    bool (*useful)(struct sharer *, struct lower *, struct pstmt *) =
        replaces ? is_before_sums : is_before_totals;
    for (struct pstmt **at = list; *at != NULL; at = &(*at)->next) {
        struct pstmt *s = *at;
        const struct enclosing *around = x->around, own = {s, around};
        if (s->kind != PS_FOR || s->accs != NULL)
            continue;
        if (is_independent(x, s)) {
            x->around = &own;
            any = part_list(x, l, &s->body, replaces) || any;
            x->around = around;
        } else {
            parted = part_at(x, l, at, around != NULL ? is_definition : useful, true, replaces) ||
                     parted;
        }
    }
    if (parted && replaces)
        delay_sets(l, list);
    return any || parted;
}

static bool part_body(struct lower *l, bool replaces) {
    struct sharer x = {.uc = l->uc, .plan = l->plan};
    x.mentions = count_mentions(l->uc, l->plan, l->plan->body);
    return part_list(&x, l, &l->plan->body->body, replaces);
}

bool has_series_apart(struct lower *l) {
    return part_body(l, false);
}

bool part_series(struct lower *l) {
    return part_body(l, true);
}
