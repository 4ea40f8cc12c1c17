/* incumbent.c: ordered loops that keep the index of the best element so far, and compare with that
 * element by the index:
 *
 *     for i in 1..n { if x[i] < x[k] { k = i } }
 *
 * The element has a variable of its own, as what totals are taken of (total.c) has:
 *
 *     if 1 < n { least = x[k] }
 *     for i in 1..n { if x[i] < least { k = i; least = x[i] } }
 */
#include "total.h"

/* A choice in a loop, perhaps within others that are each all of the body of the one around. */
struct incumbent {
    struct uc *uc;
    const struct plan *plan;
    const struct pstmt *loop;
    struct pstmt *choice;
    const bool *others; /* what the loop sets, but for what the choice does */
    struct pval *best;  /* the element by the index, a part of the choice's condition */
};

/* The value that a list of assignments, of which none needs another one, gives a variable. */
static struct pval *set_to(const struct pstmt *list, const struct pvar *var) {
    while (list != NULL && list->var != var)
        list = list->next;
    return list != NULL ? list->value : NULL;
}

static enum walk find_set(const struct pval *v, void *list) {
    return v->kind == PV_VAR && set_to(list, v->var) != NULL ? WALK_STOP : WALK_IN;
}

/* Stops at an element that a variable which the list sets tells. */
static enum walk find_told(const struct pval *v, void *list) {
    return v->kind == PV_ELEM && !value_walk(v, find_set, list) ? WALK_STOP : WALK_IN;
}

/* Does a list only set variables, each to what needs none of them? */
static bool sets_apart(const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL; s = s->next)
        if (s->kind != PS_SET || s->value->dtype != s->var->dtype || is_half(s->var->rounds) ||
            set_to(s->next, s->var) != NULL)
            return false;
    for (const struct pstmt *s = list; s != NULL; s = s->next)
        if (!value_walk(s->value, find_set, (void *)list))
            return false;
    return list != NULL;
}

/* Is b what a is behind a list of assignments? */
static bool becomes(const struct pval *a, const struct pstmt *list, const struct pval *b) {
    const struct pval *to = a->kind == PV_VAR ? set_to(list, a->var) : NULL;
    if (to != NULL || a->nargs == 0)
        return same_value(to != NULL ? to : a, b);
    if (a->kind != b->kind || a->dtype != b->dtype || a->op != b->op || a->operand != b->operand ||
        a->builtin != b->builtin || a->result != b->result || a->nargs != b->nargs)
        return false;
    int i = 0;
    while (i < a->nargs && becomes(a->args[i], list, b->args[i]))
        i++;
    return i == a->nargs;
}

static bool stores_to(const struct pstmt *list, int operand) {
    for (const struct pstmt *s = list; s != NULL; s = s->next)
        if ((s->kind == PS_PUT && s->operand == operand) || stores_to(s->body, operand) ||
            stores_to(s->other, operand))
            return true;
    return false;
}

static enum walk find_changing(const struct pval *v, void *incumbent) {
    const struct incumbent *x = incumbent;
    bool changes = (v->kind == PV_VAR && x->others[v->var->id]) ||
                   (v->kind == PV_ELEM && stores_to(x->loop->body, v->operand)) ||
                   v->kind == PV_TABLE;
    return changes ? WALK_STOP : WALK_IN;
}

/* The part of a condition that is the other part behind what the condition has set; NULL: none. */
static struct pval *find_best(const struct pstmt *s) {
    const struct pval *v = s->value;
    if (s->kind != PS_IF || s->other != NULL || v->kind != PV_OP ||
        (v->op != OP_GT && v->op != OP_LT) || !sets_apart(s->body))
        return NULL;
    for (int i = 0; i < 2; i++)
        if (!value_walk(v->args[i], find_told, s->body) &&
            becomes(v->args[i], s->body, v->args[1 - i]))
            return v->args[i];
    return NULL;
}

/* Is the loop within, which is all of the body of the one around, one that has its bounds from
 * before? */
static bool is_plain(const struct incumbent *x, const struct pstmt *loop) {
    return loop->accs == NULL && loop->step->kind == PV_CONST && loop->step->i != 0 &&
           (loop == x->loop || (value_walk(loop->lo, find_changing, (void *)x) &&
                                value_walk(loop->hi, find_changing, (void *)x)));
}

/* The loop within the loop of x that has the choice, none of whose bounds change; NULL: there is
 * none.  What is before the choice sets variables, so that the first iteration comes to it. */
static struct pstmt *innermost(const struct incumbent *x, struct pstmt *loop) {
    struct pstmt *s = loop->body;
    if (!is_plain(x, loop) || s == NULL)
        return NULL;
    if (s->kind == PS_FOR && s->next == NULL)
        return innermost(x, s);
    while (s != NULL && s->kind == PS_SET)
        s = s->next;
    return s != NULL && s == x->choice ? loop : NULL;
}

static struct pstmt *first_choice(struct pstmt *loop) {
    struct pstmt *s = loop->body;
    while (s != NULL && (s->kind == PS_SET || (s->kind == PS_FOR && s->next == NULL)))
        s = s->kind == PS_SET ? s->next : s->body;
    return s != NULL && s->kind == PS_IF ? s : NULL;
}

static bool find_incumbent(struct incumbent *x, struct pstmt *loop) {
    x->loop = loop;
    x->choice = first_choice(loop);
    x->best = x->choice != NULL ? find_best(x->choice) : NULL;
    if (x->best == NULL)
        return false;
    struct pstmt *sets = x->choice->body;
    x->choice->body = NULL;
    bool *others = find_written(x->uc, x->plan, loop->body);
    x->choice->body = sets;
    for (const struct pstmt *l = loop; l != NULL && l->kind == PS_FOR; l = l->body)
        others[l->var->id] = true;
    x->others = others;
    bool kept = true;
    for (const struct pstmt *s = sets; s != NULL; s = s->next)
        kept = kept && !others[s->var->id];
    return kept && value_walk(x->best, find_changing, x) && innermost(x, loop) != NULL;
}

static struct pstmt *new_set(struct lower *l, struct pvar *var, struct pval *v, struct span at) {
    struct pstmt *s = NEW(l->uc, struct pstmt);
    *s = (struct pstmt){.kind = PS_SET, .at = at, .var = var, .value = v};
    return s;
}

/* Whether the loops run at all. */
static struct pval *runs(struct lower *l, const struct pstmt *loop) {
    bool up = (int64_t)loop->step->i > 0;
    struct pval *v = value_op(l, up ? OP_LT : OP_GT, DT_BOOL, loop->lo, loop->hi);
    const struct pstmt *in = loop->body;
    return in->kind == PS_FOR && in->next == NULL ? value_op(l, OP_LAND, DT_BOOL, v, runs(l, in))
                                                  : v;
}

/* Gives the best element a variable.  Where the loop is then. */
static struct pstmt **keep_best(struct lower *l, const struct incumbent *x, struct pstmt **at) {
    struct pstmt *loop = *at, *s = x->choice, *guard = NEW(l->uc, struct pstmt);
    struct pvar *var = &variable_new(l, "best", x->best->dtype)->pvar;
    bool second = s->value->args[1] == x->best;
    struct pval *mine = value_new(l, PV_VAR, var->dtype), *with = s->value->args[second ? 0 : 1];
    mine->var = var;
    struct pstmt *better = new_set(l, var, with, s->at);
    better->next = s->body;
    s->body = better;
    s->value = value_op(l, s->value->op, DT_BOOL, second ? with : mine, second ? mine : with);
    *guard = (struct pstmt){.kind = PS_IF, .at = loop->at, .value = runs(l, loop), .next = loop};
    guard->body = new_set(l, var, x->best, s->at);
    *at = new_set(l, var, value_zero(l, var->dtype), loop->at);
    (*at)->next = guard;
    return &guard->next;
}

/* ---- elements by an index that other conditions decide, too */

/* An element by an index that a loop keeps, as d[k] in
 *
 *     for i in 0..n { if not used[i] and (k < 0 or d[i] < d[k]) { k = i } }
 *
 * It has a variable that is set where the index is, so that the loop reads its own elements alone.
 */
struct kept_element {
    struct lower *l;
    const struct pstmt *loop;
    const bool *written;
    struct pvar *index, *var;
    struct pval *place; /* of the element, as its first read has it; NULL: there is none */
    int subscript;      /* that the index is */
    bool other;         /* the index is used otherwise in a place */
};

static enum walk find_loop_value(const struct pval *v, void *kept) {
    const struct kept_element *x = kept;
    bool changes =
        (v->kind == PV_VAR && x->written[v->var->id]) || v->kind == PV_ELEM || v->kind == PV_TABLE;
    return changes ? WALK_STOP : WALK_IN;
}

/* Takes an element whose place has the index. */
static enum walk find_by_index(const struct pval *v, void *kept) {
    struct kept_element *x = kept;
    if (v->kind != PV_ELEM)
        return WALK_IN;
    int at = -1, n = 0;
    for (int i = 0; i < v->nargs; i++) {
        bool is = v->args[i]->kind == PV_VAR && v->args[i]->var == x->index;
        at = is ? i : at;
        n += is || !value_walk(v->args[i], find_loop_value, x);
        x->other = x->other || (!is && !value_walk(v->args[i], find_variable, x->index));
    }
    if (at < 0)
        return WALK_IN;
    x->other = x->other || n > 1 || v->operand >= x->l->plan->noperands || v->checked != 0 ||
               is_complex(v->dtype) || is_half(v->dtype) ||
               (x->place != NULL && !same_value(x->place, v));
    x->place = x->place == NULL ? (struct pval *)(uintptr_t)v : x->place;
    x->subscript = at;
    return WALK_PAST;
}

/* The element that the index has when it is set to v. */
static struct pval *element_at(const struct kept_element *x, const struct pval *v) {
    struct pval *element = value_new(x->l, PV_ELEM, x->place->dtype);
    *element = *x->place;
    element->args[x->subscript] = (struct pval *)(uintptr_t)v;
    return element;
}

/* Stops where the index is set so that its element may not exist, or that is not seen here. */
static enum walk find_missing(const struct pstmt *s, void *kept) {
    const struct kept_element *x = kept;
    bool sets = s->var == x->index;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        sets = sets || a->acc == x->index || a->other == x->index;
    bool stores = s->kind == PS_PUT && s->operand == x->place->operand;
    bool set = s->kind == PS_SET && sets && s->value->dtype == x->index->dtype &&
               exists_anyway(x->l->plan, element_at(x, s->value));
    return stores || (sets && !set) ? WALK_STOP : WALK_IN;
}

static enum walk read_kept_element(const struct pval *v, void *kept) {
    const struct kept_element *x = kept;
    if (v->kind != PV_ELEM || v->operand != x->place->operand || v->nargs <= x->subscript ||
        v->args[x->subscript]->kind != PV_VAR || v->args[x->subscript]->var != x->index)
        return WALK_IN;
    *(struct pval *)(uintptr_t)v = *plan_read(x->l->uc, x->var);
    return WALK_PAST;
}

static void set_kept_elements(const struct kept_element *x, struct pstmt *list) {
    for (struct pstmt *s = list, *next; s != NULL; s = next) {
        next = s->next;
        set_kept_elements(x, s->body);
        set_kept_elements(x, s->other);
        if (s->kind == PS_SET && s->var == x->index) {
            s->next = new_set(x->l, x->var, element_at(x, s->value), s->at);
            s->next->next = next;
        }
    }
}

/* Whether the index is one of the element's before the loop. */
static struct pval *begins_within(const struct kept_element *x) {
    struct lower *l = x->l;
    const struct dim *dim = l->plan->operands[x->place->operand].dims[x->subscript];
    struct pval *index = x->place->args[x->subscript],
                *size = value_new(l, dim->size >= 0 ? PV_CONST : PV_DIM, DT_INT64);
    size->i = (uint64_t)dim->size;
    size->operand = dim->index;
    struct pval *low = value_op(l, OP_GE, DT_BOOL, index, value_zero(l, index->dtype));
    struct pval *high = value_op(l, OP_LT, DT_BOOL, value_cast(l, index, DT_INT64), size);
    return value_op(l, OP_LAND, DT_BOOL, low, high);
}

/* Whether the loop compares an element by the index, of a size that is known, by which it is found.
 */
static bool find_kept_element(struct kept_element *x, struct pvar *index) {
    x->index = index;
    x->place = NULL;
    x->other = false;
    plan_walk(x->loop->body, &(struct plan_visitor){.value = find_by_index}, x);
    if (x->place == NULL || x->other)
        return false;
    const struct dim *dim = x->l->plan->operands[x->place->operand].dims[x->subscript];
    return (dim->size >= 0 || dim->index >= 0) &&
           plan_walk(x->loop->body, &(struct plan_visitor){.stmt = find_missing, .joined = true},
                     x);
}

/* Gives the element a variable.  Where the loop is then. */
static struct pstmt **keep_element(struct kept_element *x, struct pstmt **at) {
    struct lower *l = x->l;
    struct pstmt *loop = *at, *guard = NEW(l->uc, struct pstmt);
    x->var = &variable_new(l, "best", x->place->dtype)->pvar;
    *guard = (struct pstmt){.kind = PS_IF, .at = loop->at, .value = begins_within(x), .next = loop};
    struct pval *first = element_at(x, plan_read(l->uc, x->index)), *place = element_at(x, NULL);
    place->args[x->subscript] = first->args[x->subscript];
    x->place = place; /* reads are replaced in place */
    guard->body = new_set(l, x->var, first, loop->at);
    *at = new_set(l, x->var, value_zero(l, x->var->dtype), loop->at);
    (*at)->next = guard;
    plan_walk(loop->body, &(struct plan_visitor){.value = read_kept_element}, x);
    set_kept_elements(x, loop->body);
    return &guard->next;
}

/* Of a loop that carries an index from one iteration to the next. */
static struct pstmt **keep_elements(struct lower *l, struct pstmt **at) {
    struct plan *p = l->plan;
    struct kept_element x = {.l = l, .loop = *at};
    bool *written = find_written(l->uc, p, (*at)->body);
    const int *all = count_mentions(l->uc, p, p->body),
              *within = count_mentions(l->uc, p, (*at)->body);
    written[(*at)->var->id] = true;
    x.written = written;
    int n = p->nvars;
    for (struct pvar *v = p->vars; v != NULL && v->id < n; v = v->next)
        if (written[v->id] && v != (*at)->var && is_integer(v->dtype) &&
            within[v->id] < all[v->id] && find_kept_element(&x, v))
            at = keep_element(&x, at);
    return at;
}

static void keep_in_list(struct lower *l, struct pstmt **list) {
    for (struct pstmt **at = list; *at != NULL; at = &(*at)->next) {
        struct incumbent x = {.uc = l->uc, .plan = l->plan};
        if ((*at)->kind == PS_FOR && find_incumbent(&x, *at))
            at = keep_best(l, &x, at);
        else if ((*at)->kind == PS_FOR && (*at)->accs == NULL)
            at = keep_elements(l, at);
        struct pstmt **const lists[] = PSTMT_LISTS(*at);
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            keep_in_list(l, lists[i]);
    }
}

void keep_incumbents(struct lower *l) {
    keep_in_list(l, &l->plan->body);
}
