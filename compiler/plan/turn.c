/* turn.c: ordered loops whose iterations go through all earlier ones, as those over the
 * columns of a matrix that are made orthogonal, or over the rows of a triangular factor:
 *
 *     for k in 0..n { for j in 0..k { A(k, j) } B(k) }
 *
 * Where A and B store to row k of arrays alone, and read beside it only rows that are done, each
 * row may take in row j as soon as that is done:
 *
 *     for j in 0..n { B(j) A(k, j) for k in j + 1..n }
 *
 * Each row has the same operations in the same order; n steps have n rows each, where n * n / 2
 * steps had one.
 *
 * "Row" is an element's subscript along one axis of each array.  Of two accesses that change
 * places, or happen at a time, one stores to its own row, and the other one is of another
 * iteration's own row, or of one that is done when the first begins. */
#include <string.h>

#include "linear.h"
#include "split.h"

struct turning {
    const struct sharer *x;
    const struct pstmt *outer, *inner;
    const struct pval **only;       /* see struct toucher */
    bool *done;                     /* variables, by id, that are numbers of rows that are done */
    const struct pstmt *within;     /* the loop that the statement is in: outer or inner */
    uint32_t stored;                /* operands, a bit each */
    uint8_t axes[UFC_MAX_OPERANDS]; /* of an operand that rows may be along, a bit each */
    const struct pval *place;       /* of the statement at hand */
};

static bool is_variable(const struct pval *v, const struct pvar *var) {
    return v->kind == PV_VAR && v->var == var;
}

/* Whether all numbers below a range's end are rows that are done: those before the outer loop's, or
 * up to the inner loop's. */
static bool ends_at_done(const struct turning *t, const struct pval *end) {
    if (end->kind == PV_VAR && t->only[end->var->id] != NULL)
        end = t->only[end->var->id];
    bool next = end->kind == PV_OP && end->op == OP_ADD && end->args[1]->kind == PV_CONST &&
                end->args[1]->i == 1 && t->within == t->inner;
    return is_variable(next ? end->args[0] : end, t->within->var);
}

static bool is_up(const struct pval *step) {
    return step->kind == PV_CONST && (int64_t)step->i > 0;
}

static enum walk check_place(const struct pval *v, void *arg) {
    struct turning *t = arg;
    uint8_t axes = 0;
    if (v->kind != PV_ELEM ||
        (v->operand < t->x->plan->noperands && !t->x->plan->operands[v->operand].is_output))
        return WALK_IN;
    if (v->operand >= t->x->plan->noperands)
        return WALK_STOP;
    for (int i = 0; i < v->nargs; i++) {
        const struct pval *row = v->args[i];
        bool own = is_variable(row, t->outer->var);
        if (own || (v != t->place && row->kind == PV_VAR && t->done[row->var->id]))
            axes |= (uint8_t)(1 << i);
    }
    t->axes[v->operand] &= axes;
    t->stored |= v == t->place ? UINT32_C(1) << v->operand : 0;
    return WALK_IN;
}

static bool check_list(struct turning *t, const struct pstmt *list);

static bool check_statement(struct turning *t, const struct pstmt *s) {
    bool plain = s->kind == PS_SET || s->kind == PS_PUT || s->kind == PS_SPREAD ||
                 s->kind == PS_FOR || s->kind == PS_IF;
    t->place = s->place;
    if (!plain || s->merged || !stmt_values(s, check_place, t))
        return false;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        t->done[r->var->id] = is_up(r->step) && ends_at_done(t, r->hi);
    if (s->kind == PS_FOR && s != t->inner)
        t->done[s->var->id] = is_up(s->step) && ends_at_done(t, s->hi);
    struct pstmt *const *const lists[] = PSTMT_LISTS(s);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (!check_list(t, *lists[i]))
            return false;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        t->done[r->var->id] = false;
    if (s->kind == PS_FOR)
        t->done[s->var->id] = false;
    return true;
}

static bool check_list(struct turning *t, const struct pstmt *list) {
    while (list != NULL && check_statement(t, list))
        list = list->next;
    return list == NULL;
}

/* Whether A and B access rows as they must. */
static bool has_rows(struct turning *t) {
    memset(t->axes, UINT8_MAX, sizeof t->axes);
    t->within = t->inner;
    t->done[t->inner->var->id] = true;
    bool fits = check_list(t, t->inner->body);
    t->done[t->inner->var->id] = false;
    t->within = t->outer;
    fits = fits && check_list(t, t->inner->next);
    for (int k = 0; k < t->x->plan->noperands; k++)
        fits = fits && (!(t->stored >> k & 1) || t->axes[k] != 0);
    return fits && t->stored != 0;
}

/* Whether what a list sets is mentioned in it alone. */
static bool is_apart(const struct turning *t, const struct pstmt *list) {
    const struct sharer *x = t->x;
    const bool *written = find_written(x->uc, x->plan, list);
    const int *here = count_mentions(x->uc, x->plan, list);
    for (int i = 0; i < count_owned(x->plan); i++)
        if (written[i] && here[i] != x->mentions[i])
            return false;
    return !written[t->outer->var->id] && !written[t->inner->var->id];
}

/* Whether the indices are no one else's, and the loops' bounds are those of a triangle. */
static bool is_triangle(const struct turning *t) {
    const struct sharer *x = t->x;
    const struct pstmt *outer = t->outer, *inner = t->inner;
    const bool *written = find_written(x->uc, x->plan, outer->body);
    struct pstmt own = *outer, in = *inner;
    own.next = in.next = NULL;
    int all = outer->var->id, few = inner->var->id;
    return is_settled(written, outer->lo) && is_settled(written, outer->hi) &&
           outer->step->kind == PV_CONST && outer->step->i == 1 && inner->step->kind == PV_CONST &&
           inner->step->i == 1 && inner->accs == NULL && same_value(outer->lo, inner->lo) &&
           is_variable(inner->hi, outer->var) &&
           count_mentions(x->uc, x->plan, &own)[all] == x->mentions[all] &&
           count_mentions(x->uc, x->plan, &in)[few] == x->mentions[few];
}

static bool is_long(const struct pstmt *loop) {
    return loop->lo->kind != PV_CONST || loop->hi->kind != PV_CONST;
}

/* A as statements whose loops are spreads, or run in order in the thread that has the row; false:
 * it has none that are long. */
static bool take_spreads(const struct turning *t, struct pstmt **end) {
    const struct sharer *x = t->x;
    const struct enclosing outer = {t->outer, x->around}, inner = {t->inner, &outer};
    struct sharer in = *x;
    in.around = &inner;
    bool any = false;
    for (struct pstmt *s = t->inner->body; s != NULL; s = s->next) {
        in.end = end;
        bool loop = s->kind == PS_FOR && s->accs == NULL, shared = loop && loop_to_spreads(&in, s);
        if (!loop && s->kind != PS_SET && s->kind != PS_PUT && s->kind != PS_SPREAD)
            return false;
        if (!shared)
            *end = copy_statements(x->uc, s, s->next, NULL, NULL);
        any = any || (loop && !shared && is_long(s));
        for (; *end != NULL; end = &(*end)->next) {
            if ((shared && (*end)->kind == PS_FOR) || (*end)->merged)
                return false;
            any =
                any || ((*end)->kind == PS_SPREAD && constant_points((*end)->ranges) == INT64_MAX);
        }
    }
    return any;
}

static struct pval *index_of(struct uc *uc, struct pvar *var) {
    struct pval *v = NEW(uc, struct pval);
    *v = (struct pval){.kind = PV_VAR, .dtype = DT_INT64, .var = var};
    return v;
}

/* The loop k in j + 1..n of A. */
static struct pstmt *rows_behind(const struct turning *t, struct pstmt *list) {
    struct uc *uc = t->x->uc;
    struct pval *next = NEW(uc, struct pval);
    *next = (struct pval){.kind = PV_OP, .op = OP_ADD, .dtype = DT_INT64, .nargs = 2};
    next->args[0] = index_of(uc, t->inner->var);
    next->args[1] = t->outer->step; /* 1 */
    struct pstmt *rows = NEW(uc, struct pstmt);
    *rows = *t->outer;
    rows->lo = next;
    rows->body = list;
    rows->next = NULL;
    return rows;
}

struct pstmt *turn_loop(const struct sharer *x, const struct pstmt *s) {
    const struct pstmt *inner = s->body;
    struct uc *uc = x->uc;
    if (s->kind != PS_FOR || s->accs != NULL || inner == NULL || inner->kind != PS_FOR ||
        inner->next == NULL)
        return NULL;
    struct turning t = {.x = x,
                        .outer = s,
                        .inner = inner,
                        .only = toucher_new(uc, x->plan).only,
                        .done = NEWN(uc, bool, x->plan->nvars + 1)};
    struct pstmt *list = NULL;
    if (!is_triangle(&t) || !is_apart(&t, inner->body) || !is_apart(&t, inner->next) ||
        !has_rows(&t) || !take_spreads(&t, &list))
        return NULL;
    struct pstmt *turned = NEW(uc, struct pstmt);
    *turned = *s;
    turned->next = NULL;
    turned->var = inner->var;
    turned->body = copy_statements(uc, inner->next, NULL, s->var, index_of(uc, inner->var));
    const struct enclosing own = {turned, x->around};
    struct sharer in = *x;
    in.around = &own;
    struct pstmt *rows = rows_behind(&t, list), **end = &turned->body;
    while (*end != NULL)
        end = &(*end)->next;
    struct pstmt test = *rows;
    test.body = inner->body;
    if (find_candidate(&in, &test) == NULL) /* what A sets is not its own */
        return NULL;
    *end = spread_of(&in, rows);
    return turned;
}
