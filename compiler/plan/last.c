/* last.c: ordered loops whose iterations store at places of which nothing tells that they are
 * apart, as
 *
 *     for i in 0..n { y[k[i]] = x[i] }
 *
 * does, where the last iteration that stores to an element has its way.  In a version of the body
 * that has arrays, one of these has for each element the number of that iteration: a maximum, which
 * iterations find in any order.  Then each iteration, in any order, stores to the elements that
 * have its number. */
#include "apart.h"
#include "radix.h"

enum { MAX_LAST = 2 }; /* arrays that a loop so stores to */

struct last {
    struct lower *l;
    struct overload *o; /* NULL: it is only asked whether there is such a loop */
    struct sharer x;
    const struct pstmt *loop;
    uint32_t contested;          /* operands, a bit each */
    int array[UFC_MAX_OPERANDS]; /* by operand: that of numbers */
    /* The loops in one another whose indices make an iteration's number. */
    const struct pstmt *nest[MAX_CORE_RANK];
    int depth, puts;
};

/* ---- whether a loop is one */

/* The operands by which iterations clash with nothing but stores; 0: none, or they do by others. */
static uint32_t find_contested(const struct last *d, const struct pstmt *loop) {
    const struct candidate *c = find_candidate(&d->x, loop);
    uint32_t contested = 0;
    for (int i = 0; c != NULL && i < c->nplaces; i++)
        for (int k = 0; k < c->nplaces; k++) {
            if (!may_clash(c, i, k) || (c->merged[i] >= 0 && c->merged[i] == c->merged[k]))
                continue;
            if (!c->stored[k] || c->merged[i] >= 0 || c->merged[k] >= 0)
                return 0;
            contested |= UINT32_C(1) << c->place[i]->operand;
        }
    return contested;
}

static bool is_contested(const struct last *d, const struct pstmt *s) {
    return s->kind == PS_PUT && (d->contested >> s->operand & 1) != 0;
}

static enum walk count_contested(const struct pstmt *s, void *arg) {
    struct last *d = arg;
    d->puts += is_contested(d, s);
    return WALK_IN;
}

/* How often a list stores to contested elements. */
static int count_puts(struct last *d, const struct pstmt *list) {
    d->puts = 0;
    plan_walk(list, &(struct plan_visitor){.stmt = count_contested}, d);
    return d->puts;
}

static int count_own(struct last *d, const struct pstmt *s) {
    return is_contested(d, s) + count_puts(d, s->body) + count_puts(d, s->other);
}

/* Whether all iterations of the loops around have as many of s, one by one from the first. */
static bool is_counted(const struct pstmt *s) {
    return s->lo->kind == PV_CONST && s->lo->i == 0 && s->step->kind == PV_CONST &&
           s->step->i == 1 && (s->hi->kind == PV_CONST || s->hi->kind == PV_DIM);
}

static bool number_list(struct last *d, const struct enclosing *around, struct pstmt *list,
                        bool alone);

/* A statement with such stores.  alone: all that the loop has are in it. */
static bool number_stmt(struct last *d, const struct enclosing *around, struct pstmt *s,
                        bool alone) {
    struct sharer x = d->x;
    struct enclosing own = {s, around};
    x.around = around;
    switch (s->kind) {
    case PS_PUT: return true;
    case PS_IF:
        return number_list(d, around, s->body, alone && count_puts(d, s->other) == 0) &&
               number_list(d, around, s->other, alone && count_puts(d, s->body) == 0);
    case PS_SPREAD: return !has_loop(s->body);
    case PS_FOR:
        if (!is_independent(&x, s)) {
            if (!alone || !is_counted(s) || d->depth == MAX_CORE_RANK)
                return false;
            d->nest[d->depth++] = s;
        }
        return number_list(d, &own, s->body, alone);
    default: return false;
    }
}

/* Finds the loops whose indices tell iterations apart that store to the same element: the outermost
 * one, and those in it whose own iterations do. */
static bool number_list(struct last *d, const struct enclosing *around, struct pstmt *list,
                        bool alone) {
    int parts = 0;
    for (const struct pstmt *s = list; s != NULL; s = s->next)
        parts += count_own(d, s) > 0;
    for (struct pstmt *s = list; s != NULL; s = s->next)
        if (count_own(d, s) > 0 && !number_stmt(d, around, s, alone && parts == 1))
            return false;
    return true;
}

static enum walk note_stored(const struct pstmt *s, void *stored) {
    if (s->kind == PS_PUT)
        *(uint32_t *)stored |= UINT32_C(1) << s->operand;
    return WALK_IN;
}

static enum walk find_stored(const struct pval *v, void *stored) {
    bool is = v->kind == PV_ELEM && (*(uint32_t *)stored >> v->operand & 1) != 0;
    return is ? WALK_STOP : WALK_IN;
}

struct reader {
    const struct last *d;
    uint32_t stored;
};

static enum walk find_reading(const struct pstmt *s, void *arg) {
    struct reader *r = arg;
    bool reads = s->kind != PS_PUT && !stmt_values(s, find_stored, &r->stored);
    for (int i = 0; is_contested(r->d, s) && i < s->place->nargs; i++)
        reads = reads || !value_walk(s->place->args[i], find_stored, &r->stored);
    return reads ? WALK_STOP : WALK_IN;
}

/* Whether what decides where contested elements are stored reads something that the loop stores,
 * which is not there yet as the numbers are found. */
static bool depends_on_stores(const struct last *d, const struct pstmt *loop) {
    struct reader r = {d, 0};
    plan_walk(loop->body, &(struct plan_visitor){.stmt = note_stored}, &r.stored);
    return !plan_walk(loop->body, &(struct plan_visitor){.stmt = find_reading}, &r);
}

static bool has_size(const struct poperand *array) {
    for (int i = 0; i < array->rank; i++)
        if (array->dims[i]->size < 0 && array->dims[i]->index < 0)
            return false;
    return array->rank > 0;
}

static bool is_last_loop(struct last *d) {
    const struct plan *p = d->l->plan;
    const struct pstmt *loop = d->loop;
    struct enclosing own = {loop, NULL};
    int arrays = 0;
    if (loop->kind != PS_FOR || loop->accs != NULL || loop->step->kind != PV_CONST ||
        loop->step->i == 0 ||
        !plan_walk(loop->body, &(struct plan_visitor){.stmt = find_jump}, NULL))
        return false;
    d->x.mentions = count_mentions(d->l->uc, p, p->body);
    d->contested = find_contested(d, loop);
    if (d->contested != 0 && depends_on_stores(d, loop))
        return false;
    for (int k = 0; k < p->noperands; k++) {
        arrays += d->contested >> k & 1;
        if ((d->contested >> k & 1) != 0 && !has_size(&p->operands[k]))
            return false;
    }
    d->nest[d->depth++] = loop;
    return arrays > 0 && arrays <= MAX_LAST && p->noperands + arrays <= UFC_MAX_OPERANDS / 2 &&
           number_list(d, &own, loop->body, true);
}

/* ---- what it becomes */

static struct pval *number_value(struct last *d, int64_t n) {
    struct pval *v = value_new(d->l, PV_CONST, DT_INT64);
    v->i = (uint64_t)n;
    return v;
}

static struct pval *size_of(struct last *d, const struct dim *dim) {
    if (dim->size >= 0)
        return number_value(d, dim->size);
    struct pval *v = value_new(d->l, PV_DIM, DT_INT64);
    v->operand = dim->index;
    return v;
}

/* The number of an iteration, which is greater in later ones. */
static struct pval *number_of(struct last *d, const struct copy *c) {
    struct pval *v = NULL;
    for (int i = 0; i < d->depth; i++) {
        const struct pstmt *loop = d->nest[i];
        struct pval *index = value_new(d->l, PV_VAR, DT_INT64);
        index->var = loop->var;
        index = copy_renamed(c, index);
        if ((int64_t)loop->step->i < 0)
            index = value_op(d->l, OP_SUB, DT_INT64, number_value(d, 0), index);
        v = v == NULL
                ? index
                : value_op(d->l, OP_ADD, DT_INT64,
                           value_op(d->l, OP_MUL, DT_INT64, v, copy_renamed(c, loop->hi)), index);
    }
    return v;
}

/* A copy whose variables are those that it is made with, until it has its own. */
static struct copy copy_of_none(const struct last *d) {
    return (struct copy){.l = d->l, .vars = NEWN(d->l->uc, struct pvar *, d->l->plan->nvars + 1)};
}

/* The element of the array of numbers that is beside a place. */
static struct pval *number_beside(struct last *d, const struct copy *c, const struct pval *place) {
    struct pval *v = copy_renamed(c, place);
    v->operand = d->array[place->operand];
    v->dtype = DT_INT64;
    return v;
}

/* Adds an array of numbers, and the definition of all as less than any. */
static struct pstmt *add_numbers(struct last *d, int operand) {
    struct lower *l = d->l;
    struct pstmt *s = NEW(l->uc, struct pstmt), **end = l->end;
    const struct poperand *array = &l->plan->operands[operand];
    struct prange **range = &s->ranges;
    *s = (struct pstmt){.kind = PS_SPREAD, .at = d->loop->at, .outermost = true};
    for (int i = 0; i < array->rank; i++, range = &(*range)->next) {
        *range = NEW(l->uc, struct prange);
        **range = (struct prange){.var = &variable_new(l, "at", DT_INT64)->pvar,
                                  .lo = number_value(d, 0),
                                  .hi = size_of(d, array->dims[i]),
                                  .step = number_value(d, 1)};
    }
    int k = add_array_like(l, d->o, operand, DT_INT64);
    d->array[operand] = k;
    l->end = &s->body;
    emit_put(l, array_element(l, k, s->ranges), number_value(d, INT64_MIN), s->at);
    l->end = end;
    add_serial_loop(l->uc, s);
    return s;
}

static enum walk find_put(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_PUT ? WALK_STOP : WALK_IN;
}

/* Has a list, which is a copy, find the numbers and store nothing else. */
static void find_numbers(struct last *d, const struct copy *c, struct pstmt **at) {
    const struct copy same = copy_of_none(d);
    while (*at != NULL) {
        struct pstmt *s = *at;
        bool is = is_contested(d, s), other = s->kind == PS_PUT && !is;
        if (is) {
            struct pval *arg[2] = {number_beside(d, &same, s->place), number_of(d, c)};
            s->place = number_beside(d, &same, s->place);
            s->operand = s->place->operand;
            s->value = value_call(d->l, B_MAX, DT_INT64, 2, arg);
        } else {
            find_numbers(d, c, &s->body);
            find_numbers(d, c, &s->other);
        }
        other = other || (s->kind == PS_SPREAD && s->accs == NULL &&
                          plan_walk(s->body, &(struct plan_visitor){.stmt = find_put}, NULL));
        if (other)
            *at = s->next;
        else
            at = &s->next;
    }
}

/* Has a list store where its iteration is the last one. */
static void store_last(struct last *d, struct pstmt **at) {
    const struct copy same = copy_of_none(d);
    for (; *at != NULL; at = &(*at)->next) {
        struct pstmt *s = *at;
        if (!is_contested(d, s)) {
            store_last(d, &s->body);
            store_last(d, &s->other);
            continue;
        }
        struct pstmt *when = NEW(d->l->uc, struct pstmt);
        *when = (struct pstmt){.kind = PS_IF, .at = s->at, .body = s, .next = s->next};
        when->value =
            value_op(d->l, OP_EQ, DT_BOOL, number_beside(d, &same, s->place), number_of(d, &same));
        s->next = NULL;
        s->alone = true;
        *at = when;
    }
}

static struct pstmt *last_loop(struct lower *l, struct overload *o, struct pstmt *loop) {
    struct last d = {.l = l, .o = o, .x = {.uc = l->uc, .plan = l->plan}, .loop = loop};
    struct pstmt *list = NULL, **end = &list;
    if (!is_last_loop(&d))
        return NULL;
    if (o == NULL)
        return loop;
    int noperands = l->plan->noperands;
    for (int k = 0; k < noperands; k++)
        if ((d.contested >> k & 1) != 0) {
            *end = add_numbers(&d, k);
            end = &(*end)->next;
        }
    const struct copy own = copy_of_none(&d);
    *end = copy_stmt(&own, loop);
    find_numbers(&d, &own, &(*end)->body);
    (*end)->next = loop;
    store_last(&d, &loop->body);
    return list;
}

bool has_last(struct lower *l) {
    struct pstmt *s = l->plan->body->body;
    while (s != NULL && last_loop(l, NULL, s) == NULL)
        s = s->next;
    return s != NULL;
}

void store_last_ones(struct lower *l, struct overload *o) {
    for (struct pstmt **at = &l->plan->body->body; *at != NULL; at = &(*at)->next) {
        struct pstmt *loop = *at, *list = last_loop(l, o, loop);
        *at = list != NULL ? list : loop;
        while (*at != loop)
            at = &(*at)->next;
    }
}
