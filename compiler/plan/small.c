/* small.c: bodies whose ordered loops keep arrays along one short dimension, as the state of
 * a filter's sections or a matrix of covariances is.  For each of a few sizes of the dimension
 * SMALL has code in which it is that number: loops along it are straight code there, and a thread's
 * registers hold the arrays. */
#include "plan.h"

enum {
    SMALL_SIZE = 8, /* of the dimension, at most; or powers of two, from this one to that one */
    WIDE_SIZE = 16,
    MOST_WIDE = 64,
    WIDE_WORDS = 132, /* that a thread's registers keep then, of the arrays and inputs, */
    WIDE_BODY = 900,  /* and operations of a step */
    SMALL_WORDS = 80, /* that a thread's registers keep: of the arrays, and inputs along it alone */
    STEP_BODY = 500,  /* operations of a step in straight code, at most, */
    CALL_BODY = 30,   /* of which a function has so many, */
    WIDE_CALL_BODY = 110, /* or one of 64 bits */
};

/* Adds a dimension, or those that it is computed from, to *named.  False: there is another one. */
static bool add_dim(const struct plan *p, const struct dim *own, const struct dim **named) {
    if (own->size >= 0)
        return true;
    if (own->expr == NULL) {
        bool same = !own->optional && (*named == NULL || *named == own);
        *named = own;
        return same;
    }
    for (int i = 0; i < own->nterms; i++)
        if (own->terms[i].op == UFC_TERM_DIMENSION) {
            const struct dim *of = p->overload->decl->dims;
            while (of->index != own->terms[i].value)
                of = of->next;
            if (!add_dim(p, of, named))
                return false;
        }
    return true;
}

/* The dimension of the arrays that the body makes; NULL: they have none, or several. */
static const struct dim *dim_of_arrays(const struct plan *p) {
    const struct dim *dim = NULL;
    int given = p->nin + p->overload->nout;
    for (int k = given; k < p->noperands; k++)
        for (int i = 0; i < p->operands[k].rank; i++)
            if (!(p->in_place >> (k - given) & 1) && !add_dim(p, p->operands[k].dims[i], &dim))
                return NULL;
    return dim;
}

/* What a dimension is where map.small has a size; -1: it is another one, or none. */
static int64_t size_of_dim(const struct plan *p, const struct dim *dim, int64_t small) {
    int64_t size[MAX_DIMS] = {0}, n;
    const struct dim *named = p->map.small;
    if (dim->size >= 0)
        return dim->size;
    if (!add_dim(p, dim, &named))
        return -1;
    for (const struct dim *d = p->overload->decl->dims; d != NULL; d = d->next) {
        const struct ufc_program computed = {d->terms, (uint64_t)d->nterms};
        size[d->index] = d->size >= 0 ? d->size : d == named ? small : 0;
        if (d->expr != NULL && ufc_program_size(&computed, size, &n))
            size[d->index] = n;
    }
    return size[dim->index];
}

/* Elements of operand k where map.small has a size; 0: it is along other dimensions too. */
static int64_t elements(const struct plan *p, int k, int64_t size) {
    const struct poperand *o = &p->operands[k];
    int64_t n = 1;
    for (int i = 0; i < o->rank; i++) {
        int64_t own = size_of_dim(p, o->dims[i], size);
        if (own <= 0)
            return 0;
        n = own < INT32_MAX / n ? n * own : INT32_MAX;
    }
    return n;
}

/* Elements of an array that registers hold, at most. */
static int64_t most_elements(int64_t size) {
    return size > SMALL_SIZE ? UFC_WIDE_HELD : UFC_MAX_HELD;
}

int64_t small_elements(const struct plan *p, int k, int64_t size) {
    int64_t n = elements(p, k, size);
    return n <= most_elements(size) ? n : 0;
}

/* What a step takes where the dimension has a size. */
struct costing {
    struct uc *uc;
    const struct plan *plan;
    int64_t size, cost, most;
    bool *fixed;              /* by variable: it is the index of a loop that is straight code */
    const struct pstmt *loop; /* such a loop at hand, or NULL */
    const struct pstmt *reader[UFC_MAX_OPERANDS]; /* that has read an input first */
    uint32_t again; /* inputs of which another one reads what that has, a bit each */
    bool steps;     /* there is an ordered loop of another length, */
    bool apart;     /* or an element of the arrays whose place such code does not know */
};

/* Stops at what straight code does not know. */
static enum walk find_unknown(const struct pval *v, void *arg) {
    const struct costing *c = arg;
    bool known = v->kind == PV_CONST || v->kind == PV_DIM || v->kind == PV_OP ||
                 (v->kind == PV_VAR && c->fixed[v->var->id]);
    return known ? WALK_IN : WALK_STOP;
}

static enum walk add_value(const struct pval *v, void *arg) {
    struct costing *c = arg;
    if (v->kind == PV_ELEM && v->operand >= c->plan->nin + c->plan->overload->nout)
        for (int i = 0; i < v->nargs; i++)
            c->apart = c->apart || !value_walk(v->args[i], find_unknown, c);
    if (v->kind == PV_ELEM && v->operand < c->plan->nin && c->loop != NULL) {
        const struct pstmt **reader = &c->reader[v->operand];
        c->again |= *reader != NULL && *reader != c->loop ? UINT32_C(1) << v->operand : 0;
        *reader = c->loop;
    }
    bool computes = v->kind == PV_OP || v->kind == PV_CALL || v->kind == PV_CAST;
    bool wide = dtype_info[v->dtype].bits > 32;
    c->cost += v->kind != PV_CALL ? computes : wide ? WIDE_CALL_BODY : CALL_BODY;
    return v->kind == PV_ELEM ? WALK_PAST : WALK_IN;
}

/* A bound that is a number where the dimension is; -1: it is none. */
static int64_t bound_of(const struct costing *c, const struct pval *v) {
    const struct dim *dim = c->plan->overload->decl->dims;
    while (v->kind == PV_DIM && dim->index != v->operand)
        dim = dim->next;
    if (v->kind == PV_DIM)
        return size_of_dim(c->plan, dim, c->size);
    return v->kind == PV_CONST && (int64_t)v->i >= 0 ? (int64_t)v->i : -1;
}

/* Adds what a list takes; within: it is in a definition or a reduction. */
static void add_list(struct costing *c, const struct pstmt *list, bool within) {
    for (const struct pstmt *s = list; s != NULL && c->cost <= c->most; s = s->next) {
        int64_t n = 1, before;
        if (s->kind == PS_SPREAD) {
            add_list(c, s->serial, true);
            continue;
        }
        if (s->kind == PS_FOR) {
            int64_t lo = bound_of(c, s->lo), hi = bound_of(c, s->hi);
            c->fixed[s->var->id] = hi >= 0 && (lo >= 0 || value_walk(s->lo, find_unknown, c));
            n = hi < 0 ? 1 : lo < 0 ? hi : hi > lo ? hi - lo : 0;
            c->steps = c->steps || (hi < 0 && !within);
        }
        c->apart = c->apart || s->kind == PS_LOOP || s->merged;
        stmt_values(s, add_value, c);
        const struct pstmt *outer = c->loop;
        c->loop = s->kind == PS_FOR && c->fixed[s->var->id] ? s : outer;
        before = c->cost;
        add_list(c, s->body, within);
        add_list(c, s->other, within);
        c->loop = outer;
        n = n <= c->most ? n : c->most + 1;
        c->cost = before + n * (c->cost - before);
        c->cost = c->cost <= c->most ? c->cost : c->most + 1;
    }
}

/* Do registers hold all arrays that the body makes, and is a step short, where the dimension has a
 * size? */
static bool holds_size(struct uc *uc, const struct plan *p, int64_t size) {
    bool wide = size > SMALL_SIZE;
    struct costing c = {.uc = uc,
                        .plan = p,
                        .size = size,
                        .most = wide ? WIDE_BODY : STEP_BODY,
                        .fixed = NEWN(uc, bool, p->nvars)};
    int given = p->nin + p->overload->nout;
    int64_t words = 0;
    for (int k = 0; k < p->noperands; k++) {
        bool array = k >= given && !(p->in_place >> (k - given) & 1);
        int64_t n = k < p->nin || array ? elements(p, k, size) : 0;
        if (array && (n <= 0 || n > most_elements(size)))
            return false;
        words += n > 0 ? n * dtype_info[p->operands[k].dtype].bits / 32 : 0;
    }
    add_list(&c, p->body->body, false);
    for (int k = 0; k < p->nin && wide; k++) /* between the loops, of each step's row */
        words += c.again >> k & 1 ? size * dtype_info[p->operands[k].dtype].bits / 32 : 0;
    return words <= (wide ? WIDE_WORDS : SMALL_WORDS) && c.cost <= c.most && c.steps && !c.apart;
}

void find_small(struct uc *uc, struct plan *p) {
    p->map.small = NULL;
    if (p->overload->decl->kind == DECL_GUFUNC && !p->checked)
        p->map.small = dim_of_arrays(p);
    if (p->map.small != NULL)
        while (p->map.small_most < SMALL_SIZE && holds_size(uc, p, p->map.small_most + 1))
            p->map.small_most++;
    for (int n = WIDE_SIZE;
         p->map.small_most == SMALL_SIZE && n <= MOST_WIDE && holds_size(uc, p, n); n *= 2)
        p->map.small_wide = n;
    if (p->map.small_most == 0)
        p->map.small = NULL;
}
