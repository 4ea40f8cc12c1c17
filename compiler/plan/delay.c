/* delay.c: ordered loops whose steps each update a matrix, as those of a factorisation do:
 *
 *     for k in 0..n {
 *         for i in k + 1..n { a[i, k] /= a[k, k] }
 *         for i in k + 1..n { for j in k + 1..n { a[i, j] -= a[i, k] * a[k, j] } }
 *     }
 *
 * Steps of a block access the matrix in their own rows and columns alone, but for the update, so
 * that all other elements may have the updates of the whole block at once, behind its steps, one
 * after the other as before:
 *
 *     for first in 0..n..32 {
 *         let end = min(first + 32, n)
 *         for k in first..end {
 *             ...                                       # of rows or columns from first to end
 *             down[i, k - first] = a[i, k]; across[k - first, j] = a[k, j]
 *         }
 *         for i in end..n { for j in end..n { for s in 0..end - first {
 *             a[i, j] -= down[i, s] * across[s, j]
 *         } } }
 *     }
 *
 * A matrix that no cache holds is then read once a block, and an element's sum is in a register.
 * (Delayed updates, as in LAPACK's blocked algorithms: E. Anderson et al., 1999.) */
#include "apart.h"
#include "delay.h"

static bool is_step(const struct delay *d, const struct pval *v) {
    return v->kind == PV_VAR && v->var == d->loop->var;
}

static bool is_one(const struct pval *v) {
    return v->kind == PV_CONST && v->i == 1;
}

/* How far behind the step a bound is, 0 or 1; -1: it is no such bound. */
static int behind_step(const struct delay *d, const struct pval *v) {
    bool next = v->kind == PV_OP && v->op == OP_ADD && is_step(d, v->args[0]) && is_one(v->args[1]);
    return is_step(d, v) ? 0 : next ? 1 : -1;
}

static bool mentions(const struct pval *v, const struct pvar *var) {
    return !value_walk(v, find_variable, (void *)(uintptr_t)var);
}

/* Is a value the same in all steps? */
static bool is_fixed(const struct delay *d, const struct pval *v) {
    return is_settled(d->written, v) && !mentions(v, d->loop->var);
}

/* A statement as an ordered loop by 1; NULL: it is none. */
static const struct pstmt *as_loop(const struct pstmt *s) {
    bool plain = s->kind == PS_SPREAD && s->accs == NULL && !s->ordered && !s->merged;
    const struct pstmt *loop = plain ? s->serial : s;
    return loop != NULL && loop->kind == PS_FOR && loop->accs == NULL && is_one(loop->step) ? loop
                                                                                            : NULL;
}

/* ---- the update */

/* Sets an axis by the loop.  False: its indices are not those of all steps, or a part of them. */
static bool match_axis(const struct delay *d, struct delay_axis *axis, const struct pstmt *loop) {
    int lo = behind_step(d, loop->lo), hi = behind_step(d, loop->hi);
    *axis = (struct delay_axis){.loop = loop, .from_step = lo >= 0, .to_step = hi >= 0};
    axis->excludes = lo == 1 || hi == 0;
    return !(axis->from_step && axis->to_step) && (axis->from_step || is_fixed(d, loop->lo)) &&
           (axis->to_step || is_fixed(d, loop->hi));
}

/* What a loop's body has where its index is not the step, if that is all that it has. */
static const struct pstmt *match_condition(const struct delay *d, struct delay_axis *axis) {
    const struct pstmt *s = axis->loop->body;
    if (s == NULL || s->kind != PS_IF || s->next != NULL || s->other != NULL ||
        s->value->kind != PV_OP || s->value->op != OP_NE)
        return s;
    int step = is_step(d, s->value->args[0]) ? 0 : 1;
    const struct pval *index = s->value->args[1 - step];
    if (!is_step(d, s->value->args[step]) || index->kind != PV_VAR || index->var != axis->loop->var)
        return s;
    axis->without = axis->excludes = true;
    return s->body;
}

/* Finds the subscripts that the loops' indices are, each of them one. */
static bool match_place(struct delay *d) {
    const struct pval *place = d->put->place;
    if (place->nargs != 2)
        return false;
    for (int i = 0; i < 2; i++) {
        int k = 0;
        while (k < 2 &&
               (place->args[k]->kind != PV_VAR || place->args[k]->var != d->axis[i].loop->var))
            k++;
        if (k == 2)
            return false;
        d->axis[i].subscript = k;
    }
    return d->axis[0].subscript != d->axis[1].subscript;
}

static bool is_kept_type(enum ufc_dtype t) {
    return t != DT_BOOL && !is_complex(t) && !is_half(t);
}

/* Matches a nest of two loops around a statement that stores an element of a matrix; before the
 * inner one there are others, that set variables or store. */
static bool match_nest(struct delay *d, struct pstmt *s) {
    const struct pstmt *outer = as_loop(s), *at;
    if (outer == NULL || !match_axis(d, &d->axis[0], outer))
        return false;
    at = d->straight = match_condition(d, &d->axis[0]);
    while (at != NULL && at->next != NULL && (at->kind == PS_SET || at->kind == PS_PUT))
        at = at->next;
    const struct pstmt *inner = at != NULL && at->next == NULL ? as_loop(at) : NULL;
    if (inner == NULL || !match_axis(d, &d->axis[1], inner))
        return false;
    d->put = match_condition(d, &d->axis[1]);
    d->nest = s;
    return d->put != NULL && d->put->next == NULL && d->put->kind == PS_PUT && !d->put->merged &&
           d->put->place->operand < d->l->plan->noperands &&
           d->put->value->dtype == d->put->place->dtype && is_kept_type(d->put->place->dtype) &&
           match_place(d);
}

/* ---- what steps access */

/* The subscript of a matrix's element along an axis. */
static const struct pval *along(const struct delay *d, const struct pval *element, int axis) {
    return element->args[d->axis[axis].subscript];
}

/* Is it an element that no update of other steps of the block is delayed for? */
static bool is_of_block(const struct delay *d, const struct pval *element) {
    for (int i = 0; i < 2; i++)
        if (d->axis[i].split && is_step(d, along(d, element, i)))
            return true;
    return false;
}

static enum walk find_other(const struct pval *v, void *delay) {
    const struct delay *d = delay;
    bool own = is_matrix_element(d, v) && same_value(v, d->put->place);
    return is_matrix_element(d, v) && !own && !is_of_block(d, v) ? WALK_STOP : WALK_IN;
}

static enum walk find_foreign(const struct pstmt *s, void *none) {
    (void)none;
    bool plain = s->kind == PS_SET || s->kind == PS_PUT || s->kind == PS_IF || s->kind == PS_FOR ||
                 s->kind == PS_SPREAD;
    return plain ? WALK_IN : WALK_STOP;
}

/* Finds which axes must be split so that steps access no element whose update is delayed. */
static bool split_axes(struct delay *d) {
    for (int split = 1; split <= 3; split++) {
        bool may = true;
        for (int i = 0; i < 2; i++) {
            struct delay_axis *a = &d->axis[i];
            a->split = split >> i & 1;
            may = may && (a->split || !(a->from_step || a->to_step || a->without));
        }
        if (may && plan_walk(d->loop->body, &(struct plan_visitor){.value = find_other}, d))
            return true;
    }
    return false;
}

/* Does no row of the update store an element of the matrix that is of the step's own row? */
static bool is_of_step_alone(const struct delay *d, const struct pval *element) {
    for (int i = 0; i < 2; i++)
        if (d->axis[i].excludes && is_step(d, along(d, element, i)))
            return true;
    return false;
}

struct row_reads {
    const struct delay *d;
    const bool *sets; /* what the row sets, and has set so far */
    bool *set;
};

/* Stops at what another row may store, and at a variable that is not set yet. */
static enum walk find_early(const struct pval *v, void *reads) {
    const struct row_reads *r = reads;
    const struct delay *d = r->d;
    if (v->kind == PV_VAR)
        return r->sets[v->var->id] && !r->set[v->var->id] ? WALK_STOP : WALK_IN;
    if (!is_matrix_element(d, v))
        return WALK_IN;
    const struct pval *row = along(d, v, 0);
    bool own = row->kind == PV_VAR && row->var == d->axis[0].loop->var;
    return own || (is_step(d, row) && d->axis[0].excludes) ? WALK_IN : WALK_STOP;
}

/* Whether rows of the update may be in any order: each sets variables of its own, and stores to
 * its own elements alone. */
static bool are_rows_apart(struct delay *d) {
    struct uc *uc = d->l->uc;
    struct plan *p = d->l->plan;
    struct pstmt only = *d->nest;
    only.next = NULL;
    const struct pstmt *outer = d->axis[0].loop, *inner = d->axis[1].loop;
    struct row_reads reads = {d, find_written(uc, p, outer->body),
                              NEWN(uc, bool, count_owned(p) + 1)};
    if (!sets_own(uc, p, &only, count_mentions(uc, p, p->body->body)))
        return false;
    reads.set[outer->var->id] = reads.set[inner->var->id] = true;
    for (const struct pstmt *s = d->straight; s->next != NULL; s = s->next) {
        if (!stmt_values(s, find_early, &reads) ||
            (s->kind == PS_PUT && !is_matrix_element(d, s->place)))
            return false;
        if (s->kind == PS_PUT && (is_step(d, along(d, s->place, 0)) || s->merged))
            return false;
        if (s->kind == PS_SET)
            reads.set[s->var->id] = true;
    }
    return value_walk(d->put->value, find_early, &reads);
}

/* ---- what the update reads */

static bool keep_value(struct delay *d, const struct pval *v, int axis) {
    if (!is_kept_type(v->dtype) || d->nkept == MAX_DELAYED)
        return false;
    d->kept[d->nkept++] = (struct delayed_value){v, axis, -1};
    return true;
}

/* Stops at what a row of the update decides, and at elements. */
static enum walk find_of_row(const struct pval *v, void *reads) {
    const struct row_reads *r = reads;
    const struct delay *d = r->d;
    bool own = v->kind == PV_VAR && v->var != d->axis[1].loop->var && r->sets[v->var->id];
    return own || v->kind == PV_ELEM ? WALK_STOP : WALK_IN;
}

/* Has an element of another place be kept along the axis that it depends on.  False: it depends on
 * both, or may be stored meanwhile. */
static bool keep_element(struct delay *d, const struct pval *v) {
    struct row_reads reads = {.d = d};
    bool sound = !is_matrix_element(d, v) || is_of_step_alone(d, v);
    int axis = mentions(v, d->axis[1].loop->var);
    struct pstmt only = *d->nest;
    only.next = NULL;
    reads.sets = find_written(d->l->uc, d->l->plan, &only);
    for (int i = 0; axis == 1 && i < v->nargs; i++)
        sound = sound && value_walk(v->args[i], find_of_row, &reads);
    return sound && exists_anyway(d->l->plan, v) && keep_value(d, v, axis);
}

/* Finds the values of a step in one that is stored.  False: one depends on both axes. */
static bool find_kept(struct delay *d, const struct pval *v) {
    bool index = false, plain = true;
    for (int i = 0; i < 2; i++)
        index = index || (v->kind == PV_VAR && v->var == d->axis[i].loop->var);
    if (v->kind == PV_VAR && !index)
        return !is_step(d, v) && (!d->written[v->var->id] || keep_value(d, v, 0));
    if (v->kind == PV_ELEM)
        return same_value(v, d->put->place) || keep_element(d, v);
    for (int i = 0; i < v->nargs; i++)
        plain = plain && find_kept(d, v->args[i]);
    return plain;
}

/* An array of a value along its axis and the steps of a block. */
static int add_kept(struct delay *d, const struct delayed_value *k) {
    struct lower *l = d->l;
    const struct poperand *matrix = &l->plan->operands[d->put->place->operand];
    int row = d->axis[k->axis].subscript;
    struct pval *size = value_new(l, PV_DIM, DT_INT64);
    size->operand = matrix->dims[row]->index;
    struct prange range[2] = {{.hi = size}, {.hi = plan_number(l->uc, DELAYED_STEPS)}};
    range[row].next = &range[1 - row];
    return add_array(l, d->o, &range[row], k->value->dtype);
}

/* Whether s, a statement of the loop, is an update that may be delayed. */
static bool match_update(struct delay *d, struct pstmt *s) {
    d->nkept = 0;
    return match_nest(d, s) && split_axes(d) && are_rows_apart(d) && find_kept(d, d->put->value) &&
           d->nkept > 0;
}

bool delay_updates(struct lower *l, struct overload *o) {
    add_serial_loops(l->uc, l->plan->body->body);
    for (struct pstmt **at = &l->plan->body->body; *at != NULL; at = &(*at)->next) {
        struct pstmt *loop = *at;
        struct delay d = {.l = l, .o = o, .loop = loop};
        if (loop->kind != PS_FOR || loop->accs != NULL || !is_one(loop->step) || !has_room(l->plan))
            continue;
        d.written = find_written(l->uc, l->plan, loop->body);
        if (d.written[loop->var->id] || !is_fixed(&d, loop->lo) || !is_fixed(&d, loop->hi) ||
            !plan_walk(loop->body, &(struct plan_visitor){.stmt = find_foreign}, NULL))
            continue;
        struct pstmt *s = loop->body;
        while (s != NULL && !match_update(&d, s))
            s = s->next;
        if (s == NULL)
            continue;
        for (int i = 0; i < d.nkept; i++)
            d.kept[i].operand = add_kept(&d, &d.kept[i]);
        put_blocks(&d, at);
        return true;
    }
    return false;
}
