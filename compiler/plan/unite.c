/* unite.c: an iteration's stores to one element, in the branches of a condition or in front of it,
 * which become one behind it:
 *
 *     if c { y[i, 0] = a; y[i, 1] = b } else { y[i, 0] = b; y[i, 1] = a }
 *     z[i] = 0; if c { z[i] = a }
 *
 * A thread so stores the elements of several iterations at a time, and lanes of a vector store all,
 * not those alone for which the condition holds. */
#include "plan.h"

enum { MAX_CELLS = 8 };

/* An element that is stored to. */
struct united {
    const struct pval *place;
    enum ufc_dtype dtype;  /* of the values that are stored */
    bool stays;            /* it may be another one that is stored to, or values of another type */
    struct pstmt *earlier; /* the store in front of the condition; NULL: there is none */
    struct pvar *var;      /* what is to be stored */
};

struct uniting {
    struct uc *uc;
    struct plan *plan;
    const bool *set; /* by variable: a statement sets it, as none sets an index */
    struct united cell[MAX_CELLS];
    int n;
};

/* ---- elements */

/* Are subscripts constants that differ somewhere, so that two elements of an array are two? */
static bool is_apart(const struct pval *a, const struct pval *b) {
    for (int i = 0; i < a->nargs; i++)
        if (a->args[i]->kind == PV_CONST && b->args[i]->kind == PV_CONST &&
            a->args[i]->i != b->args[i]->i)
            return true;
    return false;
}

static enum walk find_unsteady(const struct pval *v, void *uniting) {
    const struct uniting *x = uniting;
    bool set = v->kind == PV_VAR && x->set[v->var->id];
    return set || v->kind == PV_ELEM || v->kind == PV_TABLE ? WALK_STOP : WALK_IN;
}

/* Are the subscripts of a place made of indices, sizes and constants? */
static bool is_steady(struct uniting *x, const struct pval *place) {
    for (int i = 0; i < place->nargs; i++)
        if (!value_walk(place->args[i], find_unsteady, x))
            return false;
    return place->nargs > 0;
}

static struct united *find_cell(struct uniting *x, const struct pval *place) {
    for (int i = 0; i < x->n; i++)
        if (same_value(x->cell[i].place, place))
            return &x->cell[i];
    return NULL;
}

static bool add_cell(struct uniting *x, const struct pstmt *put) {
    enum ufc_dtype dtype = put->value->dtype;
    struct united *c = find_cell(x, put->place);
    if (c != NULL) {
        c->stays = c->stays || c->dtype != dtype;
        return true;
    }
    if (x->n == MAX_CELLS)
        return false;
    bool stays = is_half(dtype) || is_complex(dtype) || !is_steady(x, put->place);
    for (c = x->cell; c < x->cell + x->n; c++)
        if (c->place->operand == put->operand && !is_apart(c->place, put->place))
            c->stays = stays = true;
    x->cell[x->n++] = (struct united){.place = put->place, .dtype = dtype, .stays = stays};
    return true;
}

static enum walk find_way_out(const struct pstmt *s, void *none) {
    (void)none;
    bool stores = s->kind == PS_PUT || s->kind == PS_CLEAR;
    return stores || s->kind == PS_LEAVE || s->kind == PS_ASSERT ? WALK_STOP : WALK_IN;
}

/* Finds what a list stores to.  False: it is too much, or by other statements than conditions, or
 * the list may be left. */
static bool find_cells(struct uniting *x, const struct pstmt *list) {
    static const struct plan_visitor ways_out = {.stmt = find_way_out, .joined = true};
    for (const struct pstmt *s = list; s != NULL; s = s->next)
        if (s->kind == PS_PUT  ? !add_cell(x, s)
            : s->kind == PS_IF ? !find_cells(x, s->body) || !find_cells(x, s->other)
                               : !stmt_walk(s, &ways_out, NULL))
            return false;
    return true;
}

/* Does a list store to a place, whatever the conditions in it? */
static bool is_stored_anyway(const struct pval *place, const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL; s = s->next)
        if (s->kind == PS_PUT ? same_value(s->place, place)
                              : s->kind == PS_IF && is_stored_anyway(place, s->body) &&
                                    is_stored_anyway(place, s->other))
            return true;
    return false;
}

/* ---- what is in between */

static enum walk find_access(const struct pval *v, void *place) {
    const struct pval *p = place;
    return v->kind == PV_ELEM && v->operand == p->operand && !is_apart(v, p) ? WALK_STOP : WALK_IN;
}

static enum walk find_read(const struct pval *v, void *place) {
    const struct pval *p = place;
    return v->kind == PV_ELEM && v->operand == p->operand ? WALK_STOP : WALK_IN;
}

static enum walk find_user(const struct pstmt *s, void *place) {
    const struct pval *p = place;
    bool stores = s->kind == PS_PUT && s->operand == p->operand && !is_apart(s->place, p);
    bool clears = s->kind == PS_CLEAR && s->operand == p->operand;
    return stores || clears || s->kind == PS_LEAVE || s->kind == PS_ASSERT ? WALK_STOP : WALK_IN;
}

/* Do statements use what a place has, or end before the last of them? */
static bool uses(const struct pval *place, const struct pstmt *from, const struct pstmt *end) {
    const struct plan_visitor users = {.stmt = find_user, .value = find_access, .joined = true};
    for (const struct pstmt *s = from; s != end; s = s->next)
        if (!stmt_walk(s, &users, (void *)(uintptr_t)place))
            return true;
    return false;
}

/* Do statements read the array of a place? */
static bool read_array(const struct pval *place, const struct pstmt *list) {
    const struct plan_visitor readers = {.value = find_read, .joined = true};
    void *p = (void *)(uintptr_t)place;
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        bool listed = s->kind == PS_IF || s->kind == PS_PUT;
        if ((listed ? !value_walk(s->value, find_read, p) : !stmt_walk(s, &readers, p)) ||
            (listed && (read_array(place, s->body) || read_array(place, s->other))))
            return true;
    }
    return false;
}

/* The last store to a place in a list in front of a condition; NULL: there is none that may as well
 * be behind it. */
static struct pstmt *find_earlier(const struct united *c, struct pstmt *list,
                                  const struct pstmt *condition) {
    struct pstmt *put = NULL;
    for (struct pstmt *s = list; s != condition; s = s->next)
        if (s->kind == PS_PUT && same_value(s->place, c->place))
            put = s;
    bool may =
        put != NULL && put->value->dtype == c->dtype && !uses(c->place, put->next, condition);
    return may ? put : NULL;
}

/* ---- the store behind a condition */

static void set_cell(const struct united *c, struct pstmt *put) {
    put->kind = PS_SET;
    put->var = c->var;
    put->place = NULL;
    put->operand = 0;
}

static void set_cells(struct uniting *x, struct pstmt *list) {
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        if (s->kind == PS_PUT) {
            set_cell(find_cell(x, s->place), s);
        } else if (s->kind == PS_IF) {
            set_cells(x, s->body);
            set_cells(x, s->other);
        }
    }
}

/* May all that a condition's branches store be stored behind it? */
static bool are_united(struct uniting *x, struct pstmt *list, const struct pstmt *condition) {
    struct pstmt only = *condition;
    only.next = NULL;
    for (struct united *c = x->cell; c < x->cell + x->n; c++) {
        bool anyway = is_stored_anyway(c->place, condition->body) &&
                      is_stored_anyway(c->place, condition->other);
        c->earlier = find_earlier(c, list, condition);
        if (c->stays || (!anyway && c->earlier == NULL) || read_array(c->place, &only))
            return false;
    }
    return true;
}

static void store_behind_condition(struct uniting *x, struct united *c, struct pstmt *condition) {
    struct pstmt *put = NEW(x->uc, struct pstmt);
    c->var = plan_variable(x->uc, x->plan, x->plan->operands[c->place->operand].name, c->dtype);
    *put = (struct pstmt){.kind = PS_PUT,
                          .at = condition->at,
                          .place = (struct pval *)(uintptr_t)c->place,
                          .operand = c->place->operand,
                          .value = plan_read(x->uc, c->var),
                          .next = condition->next};
    condition->next = put;
}

static void unite_in_list(struct uniting *x, struct pstmt *list) {
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        struct pstmt **const lists[] = PSTMT_LISTS(s);
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            unite_in_list(x, *lists[i]);
        x->n = 0;
        if (s->kind != PS_IF || !find_cells(x, s->body) || !find_cells(x, s->other) ||
            !are_united(x, list, s))
            continue;
        for (int i = x->n - 1; i >= 0; i--)
            store_behind_condition(x, &x->cell[i], s);
        for (struct united *c = x->cell; c < x->cell + x->n; c++)
            if (c->earlier != NULL)
                set_cell(c, c->earlier);
        set_cells(x, s->body);
        set_cells(x, s->other);
    }
}

static enum walk note_set(const struct pstmt *s, void *set) {
    if (s->kind == PS_SET)
        ((bool *)set)[s->var->id] = true;
    return WALK_IN;
}

void unite_stores(struct lower *l) {
    struct uniting x = {.uc = l->uc, .plan = l->plan};
    bool *set = NEWN(l->uc, bool, l->plan->nvars);
    plan_walk(l->plan->body, &(struct plan_visitor){.stmt = note_set, .joined = true}, set);
    x.set = set;
    unite_in_list(&x, l->plan->body);
}
