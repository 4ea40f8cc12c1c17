/* interchange.c: ordered loops whose iterations add to elements of arrays, as those over the
 * rows of a matrix that add up products of its columns:
 *
 *     for r in 0..n { h[i, j] += x[r, i] * x[r, j] for i, j }
 *
 * Each element is added to in the loop's order, but by no other element; so each has a loop of its
 * own, of which threads have many, and which waits for nothing.  (Loop interchange: Wolfe, High
 * Performance Compilers for Parallel Computing, 1996, section 9.3.) */
#include "apart.h"
#include "linear.h"

enum { MAX_SETS = 8, MAX_LEAVES = 8 };

struct interchange {
    struct lower *l;
    const struct pstmt *loop;
    const struct enclosing *around; /* the loop */
    struct points points;           /* of the loops in it that are around a statement */
    struct pval *lo, *hi; /* where its iterations begin or end at a point; NULL: as they do */
    const struct pstmt *set[MAX_SETS]; /* the assignments before it */
    int nsets;
    const struct pstmt *leaf[MAX_LEAVES]; /* the statements that store */
    int nleaves;
    struct pstmt **end; /* of the definitions */
};

/* ---- one statement */

static struct pstmt *copy_of(const struct interchange *x, const struct pstmt *s) {
    return copy_statements(x->l->uc, s, s->next, NULL, NULL);
}

/* The loop with one of its statements, and what is set before. */
static struct pstmt *loop_of(const struct interchange *x, const struct pstmt *leaf) {
    struct pstmt *loop = NEW(x->l->uc, struct pstmt), **end = &loop->body;
    *loop = *x->loop;
    loop->next = NULL;
    loop->lo = x->lo != NULL ? x->lo : loop->lo;
    loop->hi = x->hi != NULL ? x->hi : loop->hi;
    for (int i = 0; i < x->nsets; i++) {
        *end = copy_of(x, x->set[i]);
        end = &(*end)->next;
    }
    *end = copy_of(x, leaf);
    return loop;
}

/* Whether no point's iterations access what another one's store; list: a point's.  kept: the list
 * accesses this place at all points, which then has to be there. */
static bool are_points_apart(const struct interchange *x, struct pstmt *list,
                             const struct pval *kept) {
    struct enclosing around[UFC_MAX_POINT_RANGES];
    struct pstmt *nest[UFC_MAX_POINT_RANGES];
    const struct candidate *c = NULL;
    for (int i = x->points.n; i-- > 0;) {
        nest[i] = NEW(x->l->uc, struct pstmt);
        *nest[i] = *x->points.loop[i];
        nest[i]->next = NULL;
        nest[i]->body = list;
        list = nest[i];
    }
    struct sharer s = {.uc = x->l->uc, .plan = x->l->plan, .around = x->around};
    s.mentions = count_mentions(x->l->uc, x->l->plan, list);
    for (int i = 0; i < x->points.n; i++) {
        if (!are_others_apart(&s, nest[i], find_written(s.uc, s.plan, nest[i]->body)))
            return false;
        c = find_candidate(&s, nest[i]);
        around[i] = (struct enclosing){nest[i], s.around};
        s.around = &around[i];
    }
    for (int i = 0; kept != NULL && i < kept->nargs; i++)
        if (!is_always_within(c, kept->args[i], s.plan->operands[kept->operand].dims[i]))
            return false;
    return true;
}

/* The only statement that stores, and whether an expression reads its place. */
struct only_put {
    struct pstmt *put;
    const struct pval *read;
    bool several;
};

static enum walk find_put(const struct pstmt *s, void *arg) {
    struct only_put *f = arg;
    if (s->kind == PS_PUT) {
        f->several = f->several || f->put != NULL;
        f->put = (struct pstmt *)s;
    }
    return WALK_IN;
}

static enum walk find_read(const struct pval *v, void *arg) {
    struct only_put *f = arg;
    if (v != f->put->place && same_value(v, f->put->place))
        f->read = v;
    return WALK_IN;
}

static enum walk find_set(const struct pval *v, void *arg) {
    const bool *sets = arg;
    return v->kind == PV_VAR && sets[v->var->id] ? WALK_STOP : WALK_IN;
}

struct kept_element {
    struct only_put *only;
    const struct pval *by;
};

static void replace(struct only_put *f, struct pval *v, const struct pval *by) {
    if (v != f->put->place && same_value(v, f->put->place))
        *v = *by;
    for (int i = 0; i < v->nargs; i++)
        replace(f, v->args[i], by);
}

static enum walk replace_reads(const struct pstmt *s, void *arg) {
    const struct kept_element *k = arg;
    struct pval *const *const values[] = PSTMT_VALUES(s);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (*values[i] != NULL)
            replace(k->only, *values[i], k->by);
    return WALK_IN;
}

/* The loop of a point with its element in a variable, which is stored once, behind it; NULL: it has
 * no such element at all points. */
static struct pstmt *keep_element(const struct interchange *x, struct pstmt *loop) {
    struct only_put f = {.put = NULL};
    struct pstmt *first = NULL;
    struct uc *uc = x->l->uc;
    plan_walk(loop->body, &(struct plan_visitor){.stmt = find_put}, &f);
    enum ufc_dtype dtype = f.put->place->dtype;
    bool plain =
        !f.several && f.put->value->dtype == dtype && !is_complex(dtype) && !is_half(dtype);
    if (!plain ||
        (plan_walk(loop->body, &(struct plan_visitor){.value = find_read}, &f) && f.read == NULL))
        return NULL;
    bool *sets = find_written(uc, x->l->plan, loop->body);
    sets[loop->var->id] = true;
    if (!value_walk(f.put->place, find_set, sets))
        return NULL;
    struct pval *place = f.put->place, own = *place, *v = value_new(x->l, PV_VAR, place->dtype);
    struct variable *kept = variable_new(x->l, "kept", place->dtype);
    v->var = &kept->pvar;
    struct kept_element k = {&f, v};
    plan_walk(loop->body, &(struct plan_visitor){.stmt = replace_reads}, &k);
    f.put->kind = PS_SET;
    f.put->var = v->var;
    f.put->place = NULL;
    x->l->end = &first;
    struct pval *before = value_new(x->l, PV_ELEM, place->dtype);
    *before = own;
    emit_set(x->l, kept, before, loop->at);
    *x->l->end = loop;
    x->l->end = &loop->next;
    emit_put(x->l, place, v, loop->at);
    return are_points_apart(x, first, place) ? first : NULL;
}

/* Whether a statement sets a variable that others of the loop mention: they are not beside it in
 * loops of their own. */
static bool sets_others(const struct interchange *x, const struct pstmt *s) {
    const struct plan *p = x->l->plan;
    const struct pstmt *own = copy_of(x, s);
    const bool *sets = find_written(x->l->uc, p, own);
    const int *here = count_mentions(x->l->uc, p, own),
              *all = count_mentions(x->l->uc, p, x->loop->body);
    for (int i = 0; i < p->nvars; i++)
        if (sets[i] && here[i] != all[i])
            return true;
    return false;
}

static bool add_leaf(struct interchange *x, const struct pstmt *leaf) {
    if (x->points.n == 0 || x->nleaves == MAX_LEAVES || sets_others(x, leaf))
        return false;
    struct pstmt *loop = loop_of(x, leaf), **end = x->end;
    if (!are_points_apart(x, loop, NULL))
        return false;
    struct pstmt *kept = keep_element(x, loop_of(x, leaf));
    struct sharer s = {.uc = x->l->uc, .plan = x->l->plan};
    x->leaf[x->nleaves++] = leaf;
    *end = new_spread(&s, &x->points, kept != NULL ? kept : loop);
    x->end = end;
    x->end = &(*x->end)->next;
    return true;
}

static bool add_set(struct interchange *x, const struct pstmt *s) {
    if (x->nsets == MAX_SETS)
        return false;
    x->set[x->nsets++] = s;
    return true;
}

/* ---- all of them */

static bool interchange_list(struct interchange *x, const struct pstmt *list);

/* Whether the iterations of a loop in it have their variables for themselves: then each may be a
 * point, and what is behind the loop needs none of them. */
static bool has_own_variables(const struct interchange *x, const struct pstmt *loop) {
    struct sharer s = {.uc = x->l->uc, .plan = x->l->plan};
    s.mentions = count_mentions(s.uc, s.plan, x->loop->body);
    return find_candidate(&s, loop) != NULL;
}

/* Whether v is a variable and a constant that is not far from 0, *more. */
static bool is_about(const struct pval *v, const struct pvar *var, int64_t *more) {
    bool sum = v->kind == PV_OP && v->nargs == 2 && (v->op == OP_ADD || v->op == OP_SUB) &&
               v->args[1]->kind == PV_CONST && v->args[1]->i + MAX_FACTOR <= 2 * MAX_FACTOR;
    *more = !sum ? 0 : v->op == OP_ADD ? (int64_t)v->args[1]->i : -(int64_t)v->args[1]->i;
    v = sum ? v->args[0] : v;
    return v->kind == PV_VAR && v->var == var;
}

/* The iterations of a loop up to the index of the one around, or from it on, as a loop over all of
 * the dimension, at whose points that one begins, or ends, at the point's own index.  At some there
 * are no iterations.  NULL: it is no such loop. */
static const struct pstmt *turn_triangle(struct interchange *x, const struct pstmt *loop) {
    struct lower *l = x->l;
    struct pstmt *all = NEW(l->uc, struct pstmt);
    int64_t more;
    *all = *loop;
    if (x->lo != NULL || x->hi != NULL || !is_whole_dimension(x->loop) ||
        loop->step->kind != PV_CONST || loop->step->i != 1)
        return NULL;
    struct pval *index = value_new(l, PV_VAR, DT_INT64), **bound;
    index->var = loop->var;
    if (loop->lo->kind == PV_CONST && loop->lo->i == 0 && is_about(loop->hi, x->loop->var, &more) &&
        more <= 1) {
        all->hi = x->loop->hi;
        bound = &x->lo;
    } else if (same_value(loop->hi, x->loop->hi) && is_about(loop->lo, x->loop->var, &more) &&
               more >= 0) {
        all->lo = x->loop->lo;
        bound = &x->hi;
    } else {
        return NULL;
    }
    set_index_range((struct variable *)loop->var, all->lo, all->hi, all->step); /* before, too */
    *bound = more == 1 ? index : value_op(l, OP_ADD, DT_INT64, index, plan_number(l->uc, 1 - more));
    return all;
}

/* Goes into a loop, or a definition, whose bounds are the same in all iterations, or those of a
 * triangle. */
static bool interchange_inside(struct interchange *x, const struct pstmt *s) {
    const struct points around = x->points, own = {{x->loop}, 1};
    const struct pstmt *body = s->body;
    struct pval *lo = x->lo, *hi = x->hi;
    int nsets = x->nsets;
    struct sharer all = {.uc = x->l->uc, .plan = x->l->plan};
    const struct pstmt *loop = s->kind == PS_FOR ? s : s->serial;
    if (s->kind == PS_FOR && !has_own_variables(x, s))
        return false;
    for (; loop != body; loop = loop->body) {
        if (x->points.n == UFC_MAX_POINT_RANGES)
            return false;
        bool same = is_rectangular(&all, &own, x->loop->body, loop);
        const struct pstmt *range = same ? loop : turn_triangle(x, loop);
        if (range == NULL)
            return false;
        x->points.loop[x->points.n++] = range;
    }
    bool is = interchange_list(x, body);
    x->lo = lo;
    x->hi = hi;
    x->points = around;
    x->nsets = nsets;
    return is;
}

static bool interchange_list(struct interchange *x, const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        bool definition = s->kind == PS_SPREAD && s->accs == NULL && !s->merged;
        bool straight = (s->kind == PS_SET || s->kind == PS_PUT || s->kind == PS_IF) &&
                        !is_loop(s) &&
                        stmt_walk(s, &(struct plan_visitor){.stmt = find_jump}, NULL);
        bool leaf = straight && is_store(s);
        bool reduction = s->kind == PS_SPREAD && s->accs != NULL && !s->ordered;
        bool own = (s->kind == PS_FOR || (reduction && x->around != NULL)) &&
                   !has_store(s->body); /* an element's own, as its sum */
        bool is = (straight && !leaf) || own        ? add_set(x, s)
                  : s->kind == PS_FOR || definition ? interchange_inside(x, s)
                                                    : leaf && add_leaf(x, s);
        if (!is)
            return false;
    }
    return true;
}

/* How often elements of operands are accessed, and which are stored to. */
struct use {
    int n[UFC_MAX_OPERANDS];
    bool stored[UFC_MAX_OPERANDS];
};

static enum walk add_used(const struct pval *v, void *arg) {
    if (v->kind == PV_ELEM)
        ((struct use *)arg)->n[v->operand]++;
    return WALK_IN;
}

static enum walk add_stored(const struct pstmt *s, void *arg) {
    if (s->kind == PS_PUT)
        ((struct use *)arg)->stored[s->operand] = true;
    return WALK_IN;
}

/* Whether each statement that stores is the only one that accesses these arrays. */
static bool are_leaves_apart(const struct interchange *x) {
    const struct plan_visitor visitor = {.stmt = add_stored, .value = add_used};
    struct use all = {.n = {0}};
    plan_walk(x->loop->body, &visitor, &all);
    for (int i = 0; i < x->nleaves; i++) {
        struct use own = {.n = {0}};
        stmt_walk(x->leaf[i], &visitor, &own);
        for (int k = 0; k < UFC_MAX_OPERANDS; k++)
            if (own.stored[k] && own.n[k] != all.n[k])
                return false;
    }
    return true;
}

/* Would several statements have a sum of floats each for itself, of which threads make other bits?
 */
static bool sums_again(const struct interchange *x) {
    bool rounds = false;
    for (int i = 0; i < x->nsets; i++)
        for (const struct pacc *a = x->set[i]->accs; a != NULL; a = a->next)
            rounds = rounds || is_float(a->acc->dtype) || is_complex(a->acc->dtype);
    return rounds && x->nleaves > 1;
}

static struct pstmt *interchange_within(struct lower *l, const struct pstmt *loop,
                                        const struct enclosing *around) {
    struct pstmt *list = NULL;
    struct interchange x = {.l = l, .loop = loop, .around = around, .end = &list};
    bool is = loop->kind == PS_FOR && interchange_list(&x, loop->body) && are_leaves_apart(&x) &&
              !sums_again(&x);
    return is ? list : NULL;
}

struct pstmt *interchange(struct lower *l, const struct pstmt *loop) {
    return interchange_within(l, loop, NULL);
}

/* The same where nothing but the loop has its variables. */
static struct pstmt *interchange_own(const struct sharer *x, struct lower *l,
                                     const struct pstmt *loop) {
    const bool *sets = find_written(l->uc, l->plan, loop->body);
    const int *in = count_mentions(l->uc, l->plan, loop->body);
    for (int i = 0; i < l->plan->nvars; i++)
        if (sets[i] && in[i] != x->mentions[i])
            return NULL;
    return interchange_within(l, loop, x->around);
}

static bool is_independent_or_interchanged(struct sharer *x, struct lower *l, struct pstmt *loop) {
    return is_independent(x, loop) || interchange_own(x, l, loop) != NULL;
}

/* Finds such loops in a list, and in its loops whose iterations may have any order: these are then
 * points, too.  Replaces them, if it may.  Whether there are any. */
static bool interchange_all(struct sharer *x, struct lower *l, struct pstmt **list, bool replaces) {
    bool any = false;
    for (struct pstmt **at = list; *at != NULL && (replaces || !any); at = &(*at)->next) {
        struct pstmt *s = *at;
        const struct enclosing *around = x->around, own = {s, around};
        if (s->kind != PS_FOR)
            continue;
        if (is_independent(x, s)) {
            x->around = &own;
            any = interchange_all(x, l, &s->body, replaces) || any;
            x->around = around;
            continue;
        }
        struct pstmt *definitions = interchange_own(x, l, s), **end = &definitions;
        any = any || definitions != NULL;
        if (definitions == NULL &&
            part_at(x, l, at, is_independent_or_interchanged, false, replaces)) {
            if (replaces)
                interchange_all(x, l, at, true);
            return true;
        }
        if (definitions == NULL || !replaces)
            continue;
        while (*end != NULL)
            end = &(*end)->next;
        *end = s->next;
        *at = definitions;
        x->mentions = count_mentions(l->uc, l->plan, l->plan->body);
    }
    return any;
}

static bool stays_in_order(struct sharer *x, struct lower *l, struct pstmt *loop) {
    return !is_independent_or_interchanged(x, l, loop);
}

/* A loop whose elements have loops of their own needs none of the passes that find which iteration
 * is the one to store. */
bool is_interchanged(struct lower *l, struct pstmt **at) {
    struct sharer x = {.uc = l->uc, .plan = l->plan};
    if ((*at)->kind != PS_FOR)
        return false;
    x.mentions = count_mentions(l->uc, l->plan, l->plan->body);
    return !is_independent(&x, *at) &&
           (interchange_own(&x, l, *at) != NULL ||
            (part_at(&x, l, at, is_independent_or_interchanged, false, false) &&
             !part_at(&x, l, at, stays_in_order, false, false)));
}

bool has_interchanged_part(struct lower *l, struct pstmt **at) {
    struct sharer x = {.uc = l->uc, .plan = l->plan};
    if ((*at)->kind != PS_FOR || (*at)->accs != NULL)
        return false;
    x.mentions = count_mentions(l->uc, l->plan, l->plan->body);
    return part_at(&x, l, at, is_independent_or_interchanged, false, false);
}

/* The same of the loops in a list's loops whose iterations may have any order alone. */
static void interchange_inner(struct sharer *x, struct lower *l, struct pstmt *list) {
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        struct enclosing own = {s, NULL};
        if (s->kind != PS_FOR || !is_independent(x, s))
            continue;
        x->around = &own;
        if (interchange_all(x, l, &s->body, true))
            delay_sets(l, &s->body);
        x->around = NULL;
    }
}

void interchange_at_points(struct lower *l) {
    struct sharer x = {.uc = l->uc, .plan = l->plan};
    x.mentions = count_mentions(l->uc, l->plan, l->plan->body);
    interchange_inner(&x, l, l->plan->body->body);
}

static bool interchange_body(struct lower *l, bool replaces) {
    struct sharer x = {.uc = l->uc, .plan = l->plan};
    x.mentions = count_mentions(l->uc, l->plan, l->plan->body);
    return interchange_all(&x, l, &l->plan->body->body, replaces);
}

bool has_point_loops(struct lower *l) {
    struct sharer x = {.uc = l->uc, .plan = l->plan};
    x.mentions = count_mentions(l->uc, l->plan, l->plan->body);
    for (struct pstmt *s = l->plan->body->body; s != NULL; s = s->next) {
        const struct enclosing around = {s, NULL};
        struct pstmt *points = s->kind == PS_FOR ? s->body : NULL;
        x.around = &around;
        if (points != NULL && points->kind == PS_FOR && points->next == NULL &&
            has_loop(points->body) && is_independent(&x, points))
            return true;
    }
    return false;
}

bool has_interchanged(struct lower *l) {
    return interchange_body(l, false);
}

void interchange_loops(struct lower *l) {
    interchange_body(l, true);
}
