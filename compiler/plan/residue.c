/* residue.c: ordered loops whose iterations need those that are a distance before them, which is
 * not known before the loop begins:
 *
 *     for w in c..n { ways[w] += ways[w - c] }
 *
 * Iterations whose indices leave the same rest are in order, others have nothing to do with one
 * another, so that each of a definition's points has those of its rest, and an element stays in a
 * variable from one to the next:
 *
 *     if c > 0 {
 *         ... for place in 0..min(c, n - c) {
 *             var kept = ways[place]
 *             for turn in 0..(n - c - place + c - 1) // c {
 *                 kept += ways[c + place + turn * c]; ways[c + place + turn * c] = kept
 *             }
 *         }
 *     } else { the loop }
 */
#include "linear.h"
#include "split.h"

enum { MAX_DISTANCE = 12 }; /* nodes of a value that is a distance */

struct residues {
    const struct sharer *x;
    const struct pstmt *loop, *put;
    const struct candidate *c;
    bool *written;
    int axis;                /* the subscript that has the index */
    const struct pval *base; /* what it is, but for the distance */
    const struct pval *by;   /* the distance; NULL: there is none yet */
    bool read[MAX_PLACES];   /* places that are read a distance before they are stored */
    struct pvar *kept;
};

/* ---- the distance */

static enum walk find_change(const struct pval *v, void *arg) {
    const struct residues *r = arg;
    bool changes =
        (v->kind == PV_VAR && (r->written[v->var->id] || v->var == r->loop->var)) ||
        (v->kind == PV_ELEM && (v->operand >= r->x->plan->nin || !exists_anyway(r->x->plan, v)));
    return changes ? WALK_STOP : WALK_IN;
}

/* Is v a number that is the same in all iterations, and no constant? */
static bool is_distance(const struct residues *r, const struct pval *v) {
    return (v->dtype == DT_INT64 || v->dtype == DT_INT32) && v->kind != PV_CONST &&
           !value_exceeds(v, MAX_DISTANCE) && value_walk(v, find_change, (void *)r);
}

/* A subscript as what has the index in it, and a distance that is added, sign 1, or taken away. */
struct parts {
    const struct pval *base, *by;
    int sign;
};

/* v, of 32 bits, as the number of 64 that it is of where indices are narrow; NULL: it is of none.
 */
static const struct pval *widened(const struct pval *v) {
    return v->kind == PV_CAST && v->args[0]->dtype == DT_INT64 ? v->args[0] : NULL;
}

static struct parts parts_of(const struct residues *r, const struct pval *v) {
    bool narrow = v->kind == PV_CAST && v->dtype == DT_INT64 && v->args[0]->dtype == DT_INT32;
    v = narrow ? v->args[0] : v;
    bool sum = v->kind == PV_OP && (v->op == OP_ADD || v->op == OP_SUB);
    const struct pval *base = narrow && sum ? widened(v->args[0]) : v->args[0];
    if (narrow && (!sum || v->op == OP_ADD || base == NULL))
        return (struct parts){v, NULL, 0};
    if (sum && is_distance(r, v->args[1]))
        return (struct parts){base, v->args[1], v->op == OP_ADD ? 1 : -1};
    if (sum && v->op == OP_ADD && is_distance(r, v->args[0]))
        return (struct parts){v->args[1], v->args[0], 1};
    return (struct parts){v, NULL, 0};
}

/* By how many distances place b is behind a, one of them, both of which have the index along an
 * axis; 2: they are apart in another way. */
static int distances_between(struct residues *r, const struct pval *a, const struct pval *b) {
    struct parts p = parts_of(r, a->args[r->axis]), q = parts_of(r, b->args[r->axis]);
    const struct pval *by = p.by != NULL ? p.by : q.by;
    bool same =
        same_value(p.base, q.base) && (p.by == NULL || q.by == NULL || same_value(p.by, q.by));
    if (!same || p.sign * q.sign < 0)
        return 2;
    if (p.sign == q.sign)
        return 0;
    if (r->by != NULL && !same_value(r->by, by))
        return 2;
    r->by = by;
    return q.sign - p.sign;
}

/* Does the subscript, but for a distance, grow by 1 with the index? */
static bool grows_evenly(const struct residues *r, const struct pval *place, int axis) {
    struct linear l;
    struct parts p = parts_of(r, place->args[axis]);
    int at = linear_of(r->c, p.base, &l) ? linear_place(&l, r->loop->var) : -1;
    return at >= 0 && at < l.n && l.times[at] == 1 && l.of[at].dim < 0 &&
           !has_inner_index(r->c, &l);
}

/* Finds the subscript that has the index in the place that is stored to. */
static bool find_axis(struct residues *r) {
    const struct pval *place = r->put->place;
    for (int i = 0; i < place->nargs; i++)
        if (grows_evenly(r, place, i)) {
            r->axis = i;
            return true;
        }
    return false;
}

/* Whether all that iterations need of one another is what is stored a distance before. */
static bool find_reads(struct residues *r) {
    const struct candidate *c = r->c;
    bool any = false;
    for (int i = 0; i < c->nplaces; i++)
        for (int k = 0; k < c->nplaces; k++) {
            if (!c->stored[i] || c->place[i]->operand != c->place[k]->operand ||
                !may_clash(c, i, k))
                continue;
            int by = distances_between(r, c->place[i], c->place[k]);
            if (by == 2 || by == 1 || c->place[i]->checked != 0)
                return false;
            for (int m = 0; m < c->place[k]->nargs; m++)
                if (m != r->axis && !same_value(c->place[i]->args[m], c->place[k]->args[m]))
                    return false;
            r->read[k] = r->read[k] || by == -1;
            any = any || by == -1;
        }
    return any && r->by != NULL;
}

/* ---- the loop */

/* The only statement that stores, which is the last one; all others set variables. */
static const struct pstmt *only_put(const struct pstmt *list) {
    const struct pstmt *put = NULL;
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        if (s->kind == PS_PUT && put == NULL && !s->merged)
            put = s;
        else if (s->kind != PS_SET)
            return NULL;
    }
    return put != NULL && put->next == NULL ? put : NULL;
}

static bool find_residues(struct residues *r) {
    const struct sharer *x = r->x;
    const struct pstmt *s = r->loop;
    bool by_one = s->kind == PS_FOR && s->accs == NULL && s->step->kind == PV_CONST &&
                  s->step->i == 1 && s->series == NULL;
    r->put = by_one ? only_put(s->body) : NULL;
    if (r->put == NULL || r->put->place->operand >= x->plan->noperands ||
        is_half(r->put->place->dtype) || is_complex(r->put->place->dtype) ||
        r->put->value->dtype != r->put->place->dtype)
        return false;
    r->written = find_written(x->uc, x->plan, s->body);
    r->c = find_candidate(x, s);
    return r->c != NULL && !r->written[s->var->id] && find_axis(r) && find_reads(r);
}

static struct pval *operation(const struct residues *r, enum op op, struct pval *a,
                              struct pval *b) {
    return plan_operation(r->x->uc, op, op == OP_GT ? DT_BOOL : DT_INT64, a, b);
}

static struct pval *least(const struct residues *r, struct pval *a, struct pval *b) {
    struct pval *v = NEW(r->x->uc, struct pval);
    *v = (struct pval){.kind = PV_CALL,
                       .dtype = DT_INT64,
                       .builtin = &builtins[B_MIN],
                       .nargs = 2,
                       .args = {a, b}};
    return v;
}

/* Has reads of places a distance before give what is kept. */
static void read_as_kept(const struct residues *r, struct pval *v) {
    for (int k = 0; k < r->c->nplaces; k++)
        if (r->read[k] && v != r->c->place[k] && same_value(v, r->c->place[k])) {
            *v = *plan_read(r->x->uc, r->kept);
            return;
        }
    for (int i = 0; i < v->nargs; i++)
        read_as_kept(r, v->args[i]);
}

static struct pstmt *new_stmt(const struct residues *r, enum pstmt_kind kind) {
    struct pstmt *s = NEW(r->x->uc, struct pstmt);
    *s = (struct pstmt){.kind = kind, .at = r->loop->at};
    return s;
}

static struct pstmt *new_set(const struct residues *r, struct pval *value, struct pstmt *next) {
    struct pstmt *s = new_stmt(r, PS_SET);
    s->var = r->kept;
    s->value = value;
    s->next = next;
    return s;
}

/* The loop's body with what it stores kept; all its reads of places are copies. */
static struct pstmt *kept_body(const struct residues *r) {
    struct pstmt *body = copy_statements(r->x->uc, r->loop->body, NULL, NULL, NULL), **at = &body;
    for (; *at != NULL; at = &(*at)->next) {
        read_as_kept(r, (*at)->value);
        if ((*at)->kind != PS_PUT)
            continue;
        struct pstmt *put = *at;
        *at = new_set(r, put->value, put);
        put->value = plan_read(r->x->uc, r->kept);
        at = &(*at)->next;
    }
    return body;
}

/* A copy of a list where the index is another value. */
static struct pstmt *body_at(const struct residues *r, struct pstmt *list, struct pval *index) {
    return copy_statements(r->x->uc, list, NULL, r->loop->var, index);
}

static const struct pval *first_read(const struct residues *r) {
    int k = 0;
    while (!r->read[k])
        k++;
    return r->c->place[k];
}

/* The points, of each rest one, where the distance is in a variable. */
static struct pstmt *points_of(struct residues *r, struct pval *by) {
    struct uc *uc = r->x->uc;
    struct plan *p = (struct plan *)r->x->plan;
    const struct pstmt *s = r->loop;
    struct pvar *place = plan_variable(uc, p, "place", DT_INT64),
                *turn = plan_variable(uc, p, "turn", DT_INT64);
    r->kept = plan_variable(uc, p, "kept", r->put->place->dtype);
    struct pval *n = operation(r, OP_SUB, s->hi, s->lo);
    struct pval *first = operation(r, OP_ADD, s->lo, plan_read(uc, place));
    struct pval *index = operation(r, OP_ADD, first, operation(r, OP_MUL, plan_read(uc, turn), by));
    struct pval *rest = operation(r, OP_SUB, n, plan_read(uc, place));
    struct pval *all = operation(r, OP_ADD, rest, operation(r, OP_SUB, by, plan_number(uc, 1)));
    struct pstmt *turns = new_stmt(r, PS_FOR), *each = new_stmt(r, PS_FOR),
                 *begin = new_set(r, (struct pval *)first_read(r), NULL);
    turns->var = turn;
    turns->lo = plan_number(uc, 0);
    turns->hi = operation(r, OP_FLOORDIV, all, by);
    turns->step = plan_number(uc, 1);
    turns->residues = true;
    turns->body = body_at(r, kept_body(r), index);
    begin = body_at(r, begin, first);
    begin->next = turns;
    each->var = place;
    each->lo = plan_number(uc, 0);
    each->hi = least(r, by, n);
    each->step = plan_number(uc, 1);
    each->body = begin;
    return spread_of(r->x, each);
}

static struct pval *both(const struct residues *r, struct pval *a, struct pval *b) {
    return plan_operation(r->x->uc, OP_LAND, DT_BOOL, a, b);
}

/* Whether all sums of an index and a distance above 0 are what they are in 32 bits. */
static struct pval *is_narrow(const struct residues *r) {
    struct uc *uc = r->x->uc;
    struct pval *least = plan_number(uc, -1), *most = plan_number(uc, INT32_MAX);
    return both(r, operation(r, OP_GT, r->loop->lo, least), operation(r, OP_GT, most, r->loop->hi));
}

struct pstmt *residue_loop(const struct sharer *x, const struct pstmt *s) {
    struct residues r = {.x = x, .loop = s};
    if (!find_residues(&r))
        return NULL;
    struct uc *uc = x->uc;
    struct pval *by = (struct pval *)r.by;
    struct pstmt *set = NULL, *choice = new_stmt(&r, PS_IF);
    bool narrow = by->dtype != DT_INT64;
    if (narrow) {
        by = NEW(uc, struct pval);
        *by = (struct pval){.kind = PV_CAST, .dtype = DT_INT64, .nargs = 1};
        by->args[0] = (struct pval *)r.by;
    }
    if (by->kind != PV_VAR) {
        set = new_stmt(&r, PS_SET);
        set->var = plan_variable(uc, (struct plan *)x->plan, "distance", DT_INT64);
        set->value = by;
        set->next = choice;
        by = plan_read(uc, set->var);
    }
    choice->value = operation(&r, OP_GT, by, plan_number(uc, 0));
    if (narrow)
        choice->value = both(&r, choice->value, is_narrow(&r));
    choice->body = points_of(&r, by);
    choice->other = copy_statements(uc, s, s->next, NULL, NULL);
    return set != NULL ? set : choice;
}
