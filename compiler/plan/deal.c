/* deal.c: ordered loops that only update bins: elements that each iteration finds anew, by a key
 * that it reads or computes, such as those of a histogram with weights.
 *
 *     for i in 0..n { s[k[i]] += w[i]; c[k[i]] += 1 }
 *
 * What is in order there are the updates of a bin alone.  So the loop is taken apart: the
 * iterations set terms, all that updates are made of but bins, and keys, in any order, and updates
 * are statements of a bin's elements and of terms.  An update is any list of assignments: a sum, a
 * product, the least, a mean as it runs.
 *
 * Statements with the same subscripts one after the other are one entry, for all of their arrays.
 * Inner loops whose bounds are the same in all iterations, or those of a triangle, may have entries
 * too, so that the number of an entry is known before any iteration runs. */
#include "plan.h"

enum { MAX_VARS = 1024 }; /* of a plan, all of which each loop looks through */

struct dealer {
    struct uc *uc;
    struct plan *plan;
    struct deal *d;
    uint32_t targets;    /* operands that the loop stores to, a bit each */
    bool *depends;       /* by variable: it is made of bins */
    const bool *written; /* by variable: the loop sets it */
    struct pstmt **end;  /* where the next statement of the iterations goes */
    struct points outer; /* the loops of the iterations */
    /* The entry at hand: */
    const struct pval *place; /* an element of its bin; NULL: there is none */
    struct pstmt *update, **update_end;
    struct {
        const struct pval *value; /* NULL: the term is free; */
        bool again;               /* it still has this value */
    } term[MAX_DEAL_TERMS];
    int site[MAX_DEAL_OWN];                      /* of variables made of bins: their entry */
    int part_of[MAX_DEAL_ARRAYS + MAX_DEAL_OWN]; /* of arrays, then of such variables */
};

/* ---- values */

static struct pval *new_value(struct dealer *x, enum pval_kind kind, enum ufc_dtype d) {
    struct pval *v = NEW(x->uc, struct pval);
    *v = (struct pval){.kind = kind, .dtype = d};
    return v;
}

static struct pval *read_var(struct dealer *x, struct pvar *var) {
    struct pval *v = new_value(x, PV_VAR, var->dtype);
    v->var = var;
    return v;
}

static struct pval *operate(struct dealer *x, enum op op, const struct pval *a,
                            const struct pval *b) {
    bool known = a->kind == PV_CONST && b->kind == PV_CONST;
    bool zero = op == OP_ADD && a->kind == PV_CONST && a->i == 0;
    bool one = op == OP_MUL && a->kind == PV_CONST && a->i == 1;
    if (known)
        return plan_number(x->uc, (int64_t)(op == OP_ADD   ? a->i + b->i
                                            : op == OP_SUB ? a->i - b->i
                                                           : a->i * b->i));
    if (zero || one)
        return (struct pval *)b;
    if ((b->kind == PV_CONST && b->i == 0 && op != OP_MUL) ||
        (b->kind == PV_CONST && b->i == 1 && op == OP_MUL))
        return (struct pval *)a;
    struct pval *v = new_value(x, PV_OP, DT_INT64);
    v->op = op;
    v->nargs = 2;
    v->args[0] = (struct pval *)a;
    v->args[1] = (struct pval *)b;
    return v;
}

/* Iterations of a loop by 1. */
static struct pval *count_of(struct dealer *x, const struct pval *lo, const struct pval *hi) {
    struct pval *n = operate(x, OP_SUB, hi, lo);
    if (n->kind == PV_DIM)
        return n;
    if (n->kind == PV_CONST)
        return plan_number(x->uc, (int64_t)n->i > 0 ? (int64_t)n->i : 0);
    struct pval *v = new_value(x, PV_CALL, DT_INT64);
    v->builtin = &builtins[B_MAX];
    v->nargs = 2;
    v->args[0] = n;
    v->args[1] = plan_number(x->uc, 0);
    return v;
}

/* ---- what depends on bins */

static bool is_target(const struct dealer *x, int operand) {
    return operand < x->plan->noperands && x->targets >> operand & 1;
}

static enum walk find_bin(const struct pval *v, void *dealer) {
    const struct dealer *x = dealer;
    bool is =
        v->kind == PV_ELEM ? is_target(x, v->operand) : v->kind == PV_VAR && x->depends[v->var->id];
    return is ? WALK_STOP : WALK_IN;
}

/* Is v, which may be NULL, made of no bin? */
static bool is_free(struct dealer *x, const struct pval *v) {
    return value_walk(v, find_bin, x);
}

static enum walk find_update(const struct pstmt *s, void *dealer) {
    const struct dealer *x = dealer;
    bool puts = s->kind == PS_PUT && s->operand < x->plan->noperands;
    return puts || (s->kind == PS_SET && x->depends[s->var->id]) ? WALK_STOP : WALK_IN;
}

static bool is_beside(struct dealer *x, const struct pstmt *s) {
    const struct plan_visitor v = {.stmt = find_update, .value = find_bin, .joined = true};
    return stmt_walk(s, &v, x);
}

static enum walk add_target(const struct pstmt *s, void *dealer) {
    struct dealer *x = dealer;
    if (s->kind == PS_PUT && s->operand < x->plan->noperands)
        x->targets |= UINT32_C(1) << s->operand;
    return WALK_IN;
}

static enum walk add_dependent(const struct pstmt *s, void *dealer) {
    struct dealer *x = dealer;
    if (s->kind != PS_SET || x->depends[s->var->id] || is_free(x, s->value))
        return WALK_IN;
    x->depends[s->var->id] = true;
    return WALK_STOP;
}

/* ---- arrays */

static bool same_dims(const struct poperand *a, const struct poperand *b) {
    bool same = a->rank == b->rank;
    for (int i = 0; same && i < a->rank; i++)
        same = a->dims[i] == b->dims[i];
    return same;
}

static const struct poperand *operand_of(const struct dealer *x, const struct deal_array *a) {
    return &x->plan->operands[a->place->operand];
}

/* The group of an operand; -1: there are too many. */
static int find_group(struct dealer *x, const struct poperand *o) {
    struct deal *d = x->d;
    for (int i = 0; i < d->narrays; i++)
        if (same_dims(operand_of(x, &d->array[i]), o))
            return d->array[i].group;
    struct deal_group *g = &d->group[d->ngroups];
    *g = (struct deal_group){.rank = o->rank};
    for (int i = 0; i < o->rank; i++) {
        g->index[i] = plan_variable(x->uc, x->plan, "bin", DT_INT64);
        g->size[i] = new_value(x, PV_DIM, DT_INT64);
        g->size[i]->operand = o->dims[i]->index;
    }
    return d->ngroups++;
}

/* The array of a place; NULL: there are too many, or it is of a type that is not updated. */
static struct deal_array *find_array(struct dealer *x, const struct pval *place) {
    struct deal *d = x->d;
    const struct poperand *o = &x->plan->operands[place->operand];
    for (int i = 0; i < d->narrays; i++)
        if (d->array[i].place->operand == place->operand)
            return &d->array[i];
    if (d->narrays == MAX_DEAL_ARRAYS || is_complex(o->dtype) || is_half(o->dtype) ||
        place->dtype != o->dtype)
        return NULL;
    struct deal_array *a = &d->array[d->narrays];
    *a = (struct deal_array){.place = new_value(x, PV_ELEM, o->dtype)};
    a->group = find_group(x, o);
    a->place->operand = place->operand;
    a->place->nargs = o->rank;
    for (int i = 0; i < o->rank; i++)
        a->place->args[i] = read_var(x, d->group[a->group].index[i]);
    a->element = plan_variable(x->uc, x->plan, o->name, o->dtype);
    x->part_of[d->narrays] = d->narrays;
    d->narrays++;
    return a;
}

/* ---- entries */

static struct pstmt *new_set(struct dealer *x, struct pvar *var, struct pval *v, struct span at) {
    struct pstmt *s = NEW(x->uc, struct pstmt);
    *s = (struct pstmt){.kind = PS_SET, .at = at, .var = var, .value = v};
    return s;
}

static void emit(struct dealer *x, struct pstmt *s) {
    *x->end = s;
    s->next = NULL;
    x->end = &s->next;
}

/* The term that has a value, which the iterations set.  NULL: there are too many. */
static struct pval *capture(struct dealer *x, const struct pval *v, struct span at) {
    struct deal *d = x->d;
    int i = 0;
    while (i < d->nterms && !(x->term[i].again && same_value(x->term[i].value, v)))
        i++;
    if (i < d->nterms)
        return read_var(x, d->term[i]);
    i = 0;
    while (i < d->nterms && (x->term[i].value != NULL || d->term[i]->dtype != v->dtype))
        i++;
    if (i == MAX_DEAL_TERMS || is_complex(v->dtype) || is_half(v->dtype))
        return NULL;
    if (i == d->nterms)
        d->term[d->nterms++] = plan_variable(x->uc, x->plan, "term", v->dtype);
    x->term[i].value = v;
    x->term[i].again = true;
    emit(x, new_set(x, d->term[i], (struct pval *)v, at));
    return read_var(x, d->term[i]);
}

static bool is_at_hand(const struct dealer *x, const struct pval *place) {
    bool same =
        x->place != NULL && place->nargs == x->place->nargs &&
        same_dims(&x->plan->operands[place->operand], &x->plan->operands[x->place->operand]);
    for (int i = 0; same && i < place->nargs; i++)
        same = same_value(place->args[i], x->place->args[i]);
    return same;
}

/* What an update has in the place of v: of bins their elements, of what is free of them terms.
 * NULL: it cannot have it. */
static struct pval *updated(struct dealer *x, const struct pval *v, struct span at) {
    if (is_free(x, v))
        return v->kind == PV_CONST || v->kind == PV_DIM ? (struct pval *)v : capture(x, v, at);
    if (v->kind == PV_VAR)
        return (struct pval *)v;
    if (v->kind == PV_ELEM && is_target(x, v->operand)) {
        const struct deal_array *a = is_at_hand(x, v) ? find_array(x, v) : NULL;
        return a != NULL ? read_var(x, a->element) : NULL;
    }
    struct pval *copy = NEW(x->uc, struct pval);
    *copy = *v;
    copy->direct = NULL;
    if (v->kind == PV_ELEM || v->kind == PV_TABLE)
        return NULL;
    for (int i = 0; i < v->nargs; i++)
        if ((copy->args[i] = updated(x, v->args[i], at)) == NULL)
            return NULL;
    return copy;
}

/* The kind of an entry with this update; -1: there are too many. */
static int find_kind(struct dealer *x, struct pstmt *update) {
    struct deal *d = x->d;
    for (int k = 0; k < d->nkinds; k++) {
        const struct pstmt *a = update, *b = d->update[k];
        while (a != NULL && b != NULL && a->var == b->var && same_value(a->value, b->value))
            a = a->next, b = b->next;
        if (a == NULL && b == NULL)
            return k;
    }
    if (d->nkinds == MAX_DEAL_KINDS)
        return -1;
    d->update[d->nkinds] = update;
    return d->nkinds++;
}

/* The number of a bin among those of its group. */
static struct pval *key_of(struct dealer *x, const struct pval *place) {
    const struct poperand *o = &x->plan->operands[place->operand];
    struct pval *key = plan_number(x->uc, 0);
    for (int i = 0; i < place->nargs; i++) {
        struct pval *size = new_value(x, PV_DIM, DT_INT64);
        size->operand = o->dims[i]->index;
        key = i == 0 ? place->args[i]
                     : operate(x, OP_ADD, operate(x, OP_MUL, key, size), place->args[i]);
    }
    return key;
}

/* Ends the entry at hand, which has a number that grows.  False: it cannot be one. */
static bool close_entry(struct dealer *x, const struct pval *base, struct pval **size) {
    struct deal *d = x->d;
    if (x->place == NULL)
        return true;
    const struct pval *place = x->place;
    const struct deal_array *a = find_array(x, place);
    int kind = a != NULL && d->nsites < MAX_DEAL_SITES ? find_kind(x, x->update) : -1;
    x->place = NULL;
    for (int i = 0; i < MAX_DEAL_TERMS; i++)
        x->term[i].value = NULL, x->term[i].again = false;
    if (kind < 0)
        return false;
    struct pvar *key = plan_variable(x->uc, x->plan, "key", DT_INT64);
    d->site[d->nsites++] = (struct deal_site){key, operate(x, OP_ADD, base, *size), a->group, kind};
    emit(x, new_set(x, key, key_of(x, place), x->update->at));
    *size = operate(x, OP_ADD, *size, plan_number(x->uc, 1));
    return true;
}

/* ---- parts */

static int part_at(struct dealer *x, int i) {
    while (x->part_of[i] != i)
        i = x->part_of[i];
    return i;
}

/* The place of a variable of an update in part_of; -1: it is a term. */
static int place_of(const struct dealer *x, const struct pvar *var) {
    for (int i = 0; i < x->d->narrays; i++)
        if (x->d->array[i].element == var)
            return i;
    for (int i = 0; i < x->d->nown; i++)
        if (x->d->own[i] == var)
            return MAX_DEAL_ARRAYS + i;
    return -1;
}

struct joining {
    struct dealer *x;
    int to;
};

static enum walk join_read(const struct pval *v, void *joining) {
    const struct joining *j = joining;
    int from = v->kind == PV_VAR ? place_of(j->x, v->var) : -1;
    if (from >= 0)
        j->x->part_of[part_at(j->x, from)] = part_at(j->x, j->to);
    return WALK_IN;
}

/* ---- the statements of an iteration */

/* A variable that is made of bins belongs to the entry that sets it, and no other one may read it.
 */
static enum walk find_foreign(const struct pval *v, void *dealer) {
    const struct dealer *x = dealer;
    if (v->kind != PV_VAR || !x->depends[v->var->id])
        return WALK_IN;
    for (int i = 0; i < x->d->nown; i++)
        if (x->d->own[i] == v->var && x->site[i] == x->d->nsites)
            return WALK_IN;
    return WALK_STOP;
}

static bool may_read(const struct dealer *x, const struct pval *v) {
    return value_walk(v, find_foreign, (void *)x);
}

static bool own_variable(struct dealer *x, const struct pvar *var) {
    struct deal *d = x->d;
    for (int i = 0; i < d->nown; i++)
        if (d->own[i] == var)
            return x->site[i] == d->nsites;
    if (d->nown == MAX_DEAL_OWN)
        return false;
    x->part_of[MAX_DEAL_ARRAYS + d->nown] = MAX_DEAL_ARRAYS + d->nown;
    x->site[d->nown] = d->nsites;
    d->own[d->nown++] = var;
    return true;
}

struct looking {
    struct dealer *x;
    const struct pval *place; /* the first bin of a value */
};

static enum walk find_place(const struct pval *v, void *looking) {
    struct looking *l = looking;
    if (v->kind != PV_ELEM || !is_target(l->x, v->operand))
        return WALK_IN;
    l->place = v;
    return WALK_STOP;
}

/* A PS_SET or PS_PUT that is made of bins, or stores to one. */
static bool add_update(struct dealer *x, const struct pstmt *s, const struct pval *base,
                       struct pval **size) {
    struct looking l = {x, s->kind == PS_PUT ? s->place : NULL};
    if (l.place == NULL)
        value_walk(s->value, find_place, &l);
    if (l.place != NULL && !is_at_hand(x, l.place)) {
        if (!close_entry(x, base, size))
            return false;
        for (int i = 0; i < l.place->nargs; i++)
            if (!is_free(x, l.place->args[i]))
                return false;
        x->place = l.place;
        x->update = NULL;
        x->update_end = &x->update;
    }
    if (x->place == NULL || !may_read(x, s->value))
        return false;
    const struct deal_array *a = s->kind == PS_PUT ? find_array(x, s->place) : NULL;
    struct pval *v = updated(x, s->value, s->at);
    if (v == NULL || (s->kind == PS_PUT ? a == NULL : !own_variable(x, s->var)))
        return false;
    struct pvar *var = a != NULL ? a->element : s->var;
    struct joining j = {x, place_of(x, var)};
    value_walk(v, join_read, &j);
    *x->update_end = new_set(x, var, v, s->at);
    x->update_end = &(*x->update_end)->next;
    return true;
}

/* Does a statement leave the subscripts of the entry at hand as they are? */
static bool keeps_place(const struct dealer *x, const struct pstmt *s) {
    bool keeps = s->kind == PS_SET;
    for (int i = 0; keeps && i < x->place->nargs; i++)
        keeps = value_walk(x->place->args[i], find_variable, s->var);
    return keeps;
}

static bool add_list(struct dealer *x, struct pstmt *list, const struct pval *base,
                     struct pval **size);

/* The entries of a list of a statement; *at becomes what takes its place. */
static bool add_inner(struct dealer *x, struct pstmt **list, const struct pval *base,
                      struct pval **size) {
    struct pstmt **end = x->end, *first = *list;
    *list = NULL;
    x->end = list;
    bool adds = add_list(x, first, base, size);
    x->end = end;
    return adds;
}

static bool is_by_one(const struct pstmt *loop) {
    return loop->accs == NULL && loop->step->kind == PV_CONST && loop->step->i == 1;
}

/* Has a loop the same bounds in all iterations?  One over a triangle gets such, and a test in it of
 * which of its turns there are. */
static bool has_even_bounds(const struct dealer *x, struct pstmt *loop) {
    if (!is_settled(x->written, loop->lo) || !is_settled(x->written, loop->hi))
        widen_triangle(x->uc, x->outer.loop, x->outer.n, loop);
    return is_settled(x->written, loop->lo) && is_settled(x->written, loop->hi);
}

/* An inner loop: its entries are as many in each iteration. */
static bool add_loop(struct dealer *x, struct pstmt *s, const struct pval *base,
                     struct pval **size) {
    s->shared = NULL;
    if (!is_by_one(s) || !is_free(x, s->lo) || !is_free(x, s->hi) || !has_even_bounds(x, s))
        return false;
    struct pvar *at = plan_variable(x->uc, x->plan, "entry", DT_INT64);
    struct pval *each = plan_number(x->uc, 0);
    const struct pval *first = operate(x, OP_ADD, base, *size);
    x->d->flat = false;
    if (!add_inner(x, &s->body, read_var(x, at), &each))
        return false;
    struct pval *turn = operate(x, OP_SUB, read_var(x, s->var), s->lo);
    struct pval *v = operate(x, OP_ADD, first, operate(x, OP_MUL, turn, each));
    struct pstmt *set = new_set(x, at, v, s->at);
    set->next = s->body;
    s->body = set;
    *size = operate(x, OP_ADD, *size, operate(x, OP_MUL, count_of(x, s->lo, s->hi), each));
    emit(x, s);
    return true;
}

/* A statement that has updates within it. */
static bool add_around(struct dealer *x, struct pstmt *s, const struct pval *base,
                       struct pval **size) {
    if (s->kind == PS_FOR)
        return add_loop(x, s, base, size);
    if ((s->kind != PS_IF && s->kind != PS_BLOCK) || !is_free(x, s->value))
        return false;
    x->d->sure = false;
    if (!add_inner(x, &s->body, base, size) || !add_inner(x, &s->other, base, size))
        return false;
    emit(x, s);
    return true;
}

/* The statements of a list, which are copies, with their entries from *size on. */
static bool add_list(struct dealer *x, struct pstmt *list, const struct pval *base,
                     struct pval **size) {
    for (struct pstmt *s = list, *next; s != NULL; s = next) {
        next = s->next;
        if (is_beside(x, s)) {
            if (x->place != NULL && !keeps_place(x, s) && !close_entry(x, base, size))
                return false;
            for (int i = 0; i < MAX_DEAL_TERMS; i++)
                x->term[i].again = false;
            emit(x, s);
            continue;
        }
        bool update = s->kind == PS_SET || s->kind == PS_PUT;
        if (update ? !add_update(x, s, base, size)
                   : !close_entry(x, base, size) || !add_around(x, s, base, size))
            return false;
    }
    return close_entry(x, base, size);
}

/* ---- loops */

/* Finds the loops of the iterations: a loop and those that are all of its body.  Gives the last
 * one's. */
static struct pstmt *find_ranges(struct dealer *x, struct pstmt *loop) {
    while (is_by_one(loop)) {
        struct pstmt *in = loop->body;
        x->outer.loop[x->outer.n++] = loop;
        if (in == NULL || in->kind != PS_FOR || in->next != NULL || !is_by_one(in) ||
            x->outer.n == UFC_MAX_POINT_RANGES || !has_even_bounds(x, in))
            return in;
        loop = in;
    }
    return loop->body;
}

/* The iterations as a nest of ordered loops, which have nothing but local variables in common. */
static bool are_apart(struct dealer *x) {
    struct pstmt loops[UFC_MAX_POINT_RANGES];
    int n = x->outer.n;
    for (int i = n - 1; i >= 0; i--) {
        loops[i] = *x->outer.loop[i];
        loops[i].body = i == n - 1 ? x->d->points->body : &loops[i + 1];
        loops[i].next = NULL;
    }
    const struct sharer own = {
        .uc = x->uc, .plan = x->plan, .mentions = count_mentions(x->uc, x->plan, &loops[0])};
    bool apart = true;
    for (int i = 0; i < n && apart; i++)
        apart = are_others_apart(&own, &loops[i], find_written(x->uc, x->plan, loops[i].body));
    return apart;
}

/* Is what a loop sets used in it alone? */
static bool is_alone(struct dealer *x, const struct pstmt *loop, const int *mentions) {
    const int *within = count_mentions(x->uc, x->plan, loop->body);
    bool alone = true;
    for (int i = 0; i < count_owned(x->plan); i++)
        alone = alone && (!x->written[i] || within[i] == mentions[i]);
    return alone;
}

/* The bins of all groups, as terms. */
static struct pval *count_bins(struct dealer *x) {
    struct pval *all = plan_number(x->uc, 0);
    for (int i = 0; i < x->d->ngroups; i++) {
        struct pval *own = plan_number(x->uc, 1);
        for (int k = 0; k < x->d->group[i].rank; k++)
            own = operate(x, OP_MUL, own, x->d->group[i].size[k]);
        all = operate(x, OP_ADD, all, own);
    }
    return all;
}

static bool find_terms(struct dealer *x, const struct pval *v, struct ufc_term **terms, int *n) {
    *terms = NEWN(x->uc, struct ufc_term, UFC_MAX_TERMS);
    return value_terms(v, *terms, n);
}

static bool find_sizes(struct dealer *x) {
    struct deal *d = x->d;
    struct pval *n = plan_number(x->uc, 1);
    for (const struct prange *r = d->points->ranges; r != NULL; r = r->next)
        n = operate(x, OP_MUL, n, count_of(x, r->lo, r->hi));
    return find_terms(x, n, &d->iterations, &d->niterations) &&
           find_terms(x, d->each, &d->entries, &d->nentries) &&
           find_terms(x, count_bins(x), &d->bins, &d->nbins);
}

/* Numbers the parts of the arrays. */
static void number_parts(struct dealer *x) {
    struct deal *d = x->d;
    for (int i = 0; i < d->narrays; i++) {
        int first = 0;
        while (part_at(x, first) != part_at(x, i))
            first++;
        d->array[i].part = first == i ? d->nparts++ : d->array[first].part;
    }
    for (int k = 0; k < d->nown; k++)
        for (int i = 0; i < d->narrays; i++)
            if (part_at(x, i) == part_at(x, MAX_DEAL_ARRAYS + k))
                d->own_part[k] = d->array[i].part;
}

static struct deal *find_deal(struct uc *uc, struct plan *p, const struct pstmt *from,
                              const int *mentions) {
    struct deal *d = NEW(uc, struct deal);
    struct dealer x = {.uc = uc, .plan = p, .d = d};
    *d = (struct deal){.sure = true, .flat = true};
    plan_walk(from->body, &(struct plan_visitor){.stmt = add_target}, &x);
    if (x.targets == 0)
        return NULL;
    x.written = find_written(uc, p, from->body);
    if (!is_alone(&x, from, mentions))
        return NULL;
    x.depends = NEWN(uc, bool, p->nvars + 1);
    while (!plan_walk(from->body, &(struct plan_visitor){.stmt = add_dependent}, &x))
        ;
    struct pstmt *loop = copy_statements(uc, from, from->next, NULL, NULL), *body;
    bool *written = find_written(uc, p, loop->body);
    written[from->var->id] = true;
    x.written = written;
    body = find_ranges(&x, loop);
    d->each = plan_number(x.uc, 0);
    x.end = &body;
    if (x.outer.n == 0 || !add_list(&x, body, plan_number(x.uc, 0), &d->each))
        return NULL;
    d->points = new_spread(&(struct sharer){.uc = uc, .plan = p}, &x.outer, body);
    if (!find_sizes(&x) || !are_apart(&x))
        return NULL;
    number_parts(&x);
    return d;
}

bool find_deals(struct uc *uc, struct plan *p) {
    bool any = false;
    if (p->checked || p->nvars > MAX_VARS)
        return false;
    const int *mentions = count_mentions(uc, p, p->body);
    for (struct pstmt *s = p->body->body; s != NULL; s = s->next) {
        if (s->kind != PS_FOR || s->shared != NULL || s->accs != NULL)
            continue;
        int nvars = p->nvars;
        struct pvar **end = &p->vars;
        while (*end != NULL)
            end = &(*end)->next;
        s->deal = find_deal(uc, p, s, mentions);
        if (s->deal != NULL) {
            any = true;
            mentions = count_mentions(uc, p, p->body);
        } else { /* its variables are nobody's */
            *end = NULL;
            p->nvars = nvars;
        }
    }
    return any;
}

bool is_dealt(const struct plan *p, int operand) {
    bool is = false;
    for (const struct pstmt *s = p->body->body; s != NULL; s = s->next)
        for (int i = 0; s->deal != NULL && i < s->deal->narrays; i++)
            is = is || s->deal->array[i].place->operand == operand;
    return is;
}

void describe_deal(const struct deal *d, struct ufc_phase *phase) {
    phase->deals = deal_room(d).bytes;
    phase->shares = (uint32_t)d->nparts;
    phase->kinds = (uint32_t)d->nkinds;
}

int deal_part(const struct deal *d, const struct pstmt *s) {
    for (int i = 0; i < d->narrays; i++)
        if (d->array[i].element == s->var)
            return d->array[i].part;
    int i = 0;
    while (d->own[i] != s->var)
        i++;
    return d->own_part[i];
}

struct deal_room deal_room(const struct deal *d) {
    struct deal_room r = {.bytes = d->nkinds > 1 ? 8 : 4, .align = 4, .kind = 4};
    uint32_t hole = 0; /* before terms of 8 bytes */
    for (int i = 0; i < d->nterms; i++)
        r.align = dtype_info[d->term[i]->dtype].bits == 64 ? 8 : r.align;
    for (int wide = r.align == 8; wide >= 0; wide--)
        for (int i = 0; i < d->nterms; i++) {
            if ((dtype_info[d->term[i]->dtype].bits == 64) != wide)
                continue;
            if (wide && r.bytes % 8 != 0)
                hole = r.bytes, r.bytes += 4;
            r.term[i] = !wide && hole > 0 ? hole : r.bytes;
            r.bytes += !wide && hole > 0 ? 0 : wide ? 8 : 4;
            hole = wide ? hole : 0;
        }
    r.bytes = (r.bytes + r.align - 1) / r.align * r.align;
    if (r.bytes == 8)
        r.align = 8;
    return r;
}
