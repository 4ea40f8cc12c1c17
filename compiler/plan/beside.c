/* beside.c: reductions of a row that threads of a band compute beside tiles: of the results
 * that these store, as the greatest of a row's, or of elements that they load for their factors, as
 * the sum of a row's exponentials.  Where rows are calls, the reduction is a statement of the body;
 * else it is one of a definition whose points are the rows, which stores what is made of it. */
#include "plan.h"

enum { MOST_BEHIND = 64 }; /* assignments between a reduction and the tiles that it is beside */

struct search {
    const struct plan *plan;
    const struct tiling *tiling;
    enum tile_index along; /* the index of the tiles that the reduction's goes along */
    struct row_beside *beside;
    const struct pstmt *end; /* of the assignments behind the reduction */
    uint64_t made;           /* of these, those that use what it gives, a bit each */
};

static bool is_set_in(const struct pstmt *s, const struct pstmt *end, const struct pvar *var) {
    while (s != end && (s->kind != PS_SET || s->var != var))
        s = s->next;
    return s != end;
}

/* Whether a variable is an acc of the reduction, its index, or what it sets. */
static bool is_own(const struct search *x, const struct pvar *var) {
    const struct pstmt *r = x->beside->reduction;
    bool own = var == r->ranges->var || is_set_in(r->body, NULL, var);
    for (const struct pacc *a = r->accs; a != NULL; a = a->next)
        own = own || a->acc == var;
    return own;
}

const struct pstmt *beside_stmt(const struct row_beside *b) {
    return b->row != NULL ? b->row : b->reduction;
}

/* Whether it is made of what the reduction gives: assignments behind that may use it. */
static bool is_made_of(const struct search *x, const struct pvar *var) {
    const struct pstmt *s = beside_stmt(x->beside)->next;
    bool made = is_own(x, var);
    for (uint64_t left = x->made; left != 0 && !made; left >>= 1, s = s->next)
        made = left & 1 && s->var == var;
    return made;
}

static enum walk find_made(const struct pval *v, void *arg) {
    const struct search *x = arg;
    const struct pstmt *row = x->beside->row;
    bool made = v->kind == PV_VAR    ? is_made_of(x, v->var)
                : v->kind == PV_ELEM ? row != NULL && is_put(row->body, v->operand)
                                     : false;
    return made ? WALK_STOP : WALK_IN;
}

static bool is_made(const struct search *x, const struct pval *v) {
    return v != NULL && !value_walk(v, find_made, (void *)x);
}

/* Finds what the assignments behind the reduction make of what it gives.  False: they are too many.
 */
static bool find_all_made(struct search *x) {
    int n = 0;
    for (const struct pstmt *s = beside_stmt(x->beside)->next; s != x->end; s = s->next, n++) {
        if (n == MOST_BEHIND)
            return false;
        if (is_made(x, s->value))
            x->made |= UINT64_C(1) << n;
    }
    return true;
}

/* The variable that stands for the row, or for its batch, in the definition; NULL: there is none.
 */
static const struct pvar *row_var(const struct search *x, bool batch) {
    const struct pstmt *row = x->beside->row;
    bool batched = x->tiling->batch != NULL;
    return row == NULL || (batch && !batched) ? NULL
           : batch                            ? row->ranges->var
                                              : band_row(row, batched)->var;
}

static bool is_row_var(const struct search *x, const struct pvar *var) {
    return var == row_var(x, false) || var == row_var(x, true);
}

/* Whether the variables stand for the same index, of the reduction or of its row, and of tiles. */
static bool is_same_index(const struct search *x, const struct pvar *a, const struct pvar *b) {
    const struct tiling *t = x->tiling;
    return a == b || (a == x->beside->reduction->ranges->var && b == t->index[x->along]->var) ||
           (a == row_var(x, false) && b == t->index[TILE_ROW]->var) ||
           (a == row_var(x, true) && t->batch != NULL && b == t->batch->var);
}

/* Whether values are the same where the reduction's index is that of the tiles' reduction. */
static bool are_same_there(const struct search *x, const struct pval *a, const struct pval *b) {
    bool same = a->kind == b->kind && a->dtype == b->dtype && a->op == b->op &&
                a->operand == b->operand && a->table == b->table && a->builtin == b->builtin &&
                a->nargs == b->nargs && a->i == b->i && a->f == b->f;
    if (same && a->kind == PV_VAR)
        return is_same_index(x, a->var, b->var);
    for (int i = 0; same && i < a->nargs; i++)
        same = are_same_there(x, a->args[i], b->args[i]);
    return same;
}

/* Stops at an element that tiles do not store. */
static enum walk note_stored(const struct pval *v, void *arg) {
    const struct search *x = arg;
    const struct tiling *t = x->tiling;
    if (v->kind == PV_VAR)
        return is_own(x, v->var) || is_row_var(x, v->var) ? WALK_IN : WALK_STOP;
    if (v->kind != PV_ELEM)
        return WALK_IN;
    for (int n = 0; n < t->nstores; n++)
        if (are_same_there(x, v, t->stores[n].place)) {
            x->beside->place[n] = v;
            return WALK_PAST;
        }
    return WALK_STOP;
}

static enum walk find_along(const struct pval *v, void *arg) {
    const struct search *x = arg;
    return v->kind == PV_VAR && is_own(x, v->var) ? WALK_STOP : WALK_IN;
}

/* Whether an element is one for the row, which neither it nor the tiles store to. */
static bool is_of_row(const struct search *x, const struct pval *v) {
    const struct pstmt *row = x->beside->row;
    return row != NULL && v->operand < x->plan->noperands && value_walk(v, find_along, (void *)x) &&
           !is_put(row->body, v->operand) && !is_put(x->end->body, v->operand);
}

/* Stops at an element that tiles do not load, unless it is of the row, and at a variable that is
 * another one there. */
static enum walk note_element(const struct pval *v, void *arg) {
    const struct search *x = arg;
    const struct tiling *t = x->tiling;
    if (v->kind == PV_VAR)
        return is_set_in(beside_stmt(x->beside)->next, x->end, v->var) ? WALK_STOP : WALK_IN;
    if (v->kind != PV_ELEM)
        return WALK_IN;
    for (int n = 0; n < t->nahead[TILE_ROW]; n++)
        if (are_same_there(x, v, t->ahead[TILE_ROW][n])) {
            x->beside->place[n] = v;
            return WALK_PAST;
        }
    return is_of_row(x, v) ? WALK_PAST : WALK_STOP;
}

static bool is_zero(const struct pval *v) {
    return v->kind == PV_CONST && v->i == 0;
}

static bool is_one(const struct pval *v) {
    return v->kind == PV_CONST && v->i == 1;
}

/* Whether the reduction goes over the points of the tiles' one, and is straight code. */
static bool goes_along(const struct search *x) {
    const struct prange *r = x->beside->reduction->ranges, *in = x->tiling->index[x->along];
    bool alike = r->next == NULL && is_zero(r->lo) && is_one(r->step) && is_zero(in->lo) &&
                 is_one(in->step) && same_value(r->hi, in->hi);
    for (const struct pstmt *s = x->beside->reduction->body; s != NULL; s = s->next)
        alike = alike && s->kind == PS_SET;
    return alike;
}

/* Whether accs begin with numbers, which the list sets. */
static bool begins_with_numbers(const struct pstmt *list, const struct pstmt *reduction) {
    for (const struct pacc *a = reduction->accs; a != NULL; a = a->next) {
        const struct pval *first = NULL;
        for (const struct pstmt *s = list; s != reduction; s = s->next)
            if (s->kind == PS_SET && s->var == a->acc)
                first = s->value;
        if (first == NULL || first->kind != PV_CONST)
            return false;
    }
    return true;
}

static enum walk find_use(const struct pstmt *s, void *arg) {
    const struct search *x = arg;
    struct pval *const *const values[] = PSTMT_VALUES(s);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (is_made(x, *values[i]))
            return WALK_STOP;
    return WALK_IN;
}

/* Whether what tiles reduce is made of nothing that the reduction gives. */
static bool is_free(const struct search *x) {
    const struct tiling *t = x->tiling;
    const struct plan_visitor use = {.stmt = find_use};
    bool made = is_made(x, t->shape.filter) || is_made(x, t->when);
    for (int n = 0; n < t->nfactors; n++)
        made = made || is_made(x, t->factors[n].place) || is_made(x, t->factors[n].value);
    for (int side = 0; side < 2; side++)
        made = made || is_made(x, t->valid[side]) || !plan_walk(t->before[side], &use, (void *)x) ||
               !plan_walk(t->staged[side], &use, (void *)x);
    return !made && plan_walk(t->shape.body, &use, (void *)x) &&
           plan_walk(t->shape.first, &use, (void *)x);
}

/* Takes a statement of the body for the reduction, or for a definition of rows by one alone, which
 * is its first statement but for what its accs begin with.  False: it is neither. */
static bool take_reduction(const struct plan *p, const struct tiling *t, const struct pstmt *s,
                           struct row_beside *b) {
    *b = (struct row_beside){.reduction = NULL};
    if (s == NULL || s->kind != PS_SPREAD || s->ordered || s->merged ||
        p->map.tiling[s->phase] != NULL)
        return false;
    const struct pstmt *r = s;
    if (t->shared == 0) {
        bool batched = t->batch != NULL;
        if (s->accs != NULL || (batched && s->ranges->next == NULL) ||
            band_row(s, batched)->next != NULL)
            return false;
        b->row = s;
        for (r = s->body; r != NULL && r->kind == PS_SET && r->value->kind == PV_CONST;)
            r = r->next;
        for (s = r; s != NULL; s = s->next)
            if (s != r && s->kind != PS_SET && s->kind != PS_PUT)
                return false;
    }
    b->reduction = r;
    return t->skew == SKEW_NONE && r != NULL && r->kind == PS_SPREAD && r->accs != NULL &&
           !r->ordered;
}

/* Where what the accs begin with is set. */
static const struct pstmt *list_of(const struct plan *p, const struct row_beside *b) {
    return b->row != NULL ? b->row->body : p->body->body;
}

/* Stops at an element of an array that the row, or the tiles, which are `end`, store to. */
static enum walk find_changed(const struct pval *v, void *arg) {
    const struct search *x = arg;
    bool changes = v->kind == PV_ELEM &&
                   (is_put(x->beside->row->body, v->operand) || is_put(x->end->body, v->operand));
    return changes ? WALK_STOP : WALK_IN;
}

/* Whether what the row's point stores is the same each time: a band computes it with each tile. */
static bool may_be_repeated(const struct search *x) {
    bool may = true;
    for (const struct pstmt *s = x->beside->row != NULL ? x->beside->reduction->next : NULL;
         s != NULL; s = s->next) {
        may = may && !s->merged && value_walk(s->value, find_changed, (void *)x);
        for (int i = 0; s->kind == PS_PUT && i < s->place->nargs; i++)
            may = may && value_walk(s->place->args[i], find_changed, (void *)x);
    }
    return may;
}

bool find_loaded_beside(const struct plan *p, const struct pstmt *tiles, struct row_beside *b) {
    const struct tiling *t = p->map.tiling[tiles->phase];
    struct search x = {.plan = p, .tiling = t, .along = TILE_DEPTH, .beside = b, .end = tiles};
    const struct pstmt *r = NULL;
    for (const struct pstmt *s = p->body->body; s != tiles; s = s->next)
        if (s->kind != PS_SET)
            r = s;
    return take_reduction(p, t, r, b) && t->valid[TILE_ROW] == NULL && t->along_depth[TILE_ROW] &&
           !t->guarded && t->nahead[TILE_ROW] > 0 && goes_along(&x) &&
           begins_with_numbers(list_of(p, b), b->reduction) && may_be_repeated(&x) &&
           find_all_made(&x) &&
           plan_walk(b->reduction->body, &(struct plan_visitor){.value = note_element}, &x) &&
           is_free(&x);
}

bool find_stored_beside(const struct plan *p, const struct pstmt *tiles, struct row_beside *b) {
    const struct tiling *t = p->map.tiling[tiles->phase];
    struct search x = {.plan = p, .tiling = t, .along = TILE_COLUMN, .beside = b};
    const struct pstmt *r = tiles->next;
    while (r != NULL && r->kind == PS_SET)
        r = r->next;
    return take_reduction(p, t, r, b) && !t->joins[TILE_COLUMN] && goes_along(&x) &&
           begins_with_numbers(b->row != NULL ? b->row->body : tiles, b->reduction) &&
           plan_walk(b->reduction->body, &(struct plan_visitor){.value = note_stored}, &x);
}
