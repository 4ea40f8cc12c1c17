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
 *             for turn in 0..(n - c - place - 1) // c + 1 {
 *                 kept += ways[c + place + turn * c]; ways[c + place + turn * c] = kept
 *             }
 *         }
 *     } else { the loop }
 *
 * Where no element is read a distance after it was stored, as where a loop that goes up reads what
 * is a distance ahead, none is kept.  A condition of all that an iteration does chooses between
 * what it computes and the element as it was. */
#include "linear.h"
#include "split.h"

enum { MAX_DISTANCE = 12 }; /* nodes of a value that is a distance */

struct residues {
    const struct sharer *x;
    const struct pstmt *loop, *put;
    const struct candidate *c;
    bool *written;
    int axis;                  /* the subscript that has the index */
    const struct pval *base;   /* what it is, but for the distance */
    const struct pval *by;     /* the distance; NULL: there is none yet */
    bool read[MAX_PLACES];     /* places that are read a distance after they are stored */
    bool down, any;            /* the loop goes down; it has such places */
    const struct pstmt *guard; /* the condition of all that it does, or NULL */
    struct pval *distance;     /* the variable that has it */
    struct pvar *kept, *own;   /* own: with a guard: the element that is stored to */
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

/* The number of 64 bits that v, of 32, is made of; NULL: it is of none. */
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

static enum walk find_stored(const struct pval *v, void *arg) {
    const struct residues *r = arg;
    return v->kind == PV_ELEM && v->operand == r->put->place->operand ? WALK_STOP : WALK_IN;
}

/* Whether all iterations have the element that they store to under a condition, which reads none of
 * the array. */
static bool may_store_again(const struct residues *r) {
    const struct pval *place = r->put->place;
    bool within = value_walk(r->guard->value, find_stored, (void *)r);
    for (int i = 0; i < place->nargs; i++)
        within = within && is_always_within(r->c, place->args[i],
                                            r->x->plan->operands[place->operand].dims[i]);
    return within;
}

/* Whether all that iterations need of one another is what is stored a distance before, or after. */
static bool find_reads(struct residues *r) {
    const struct candidate *c = r->c;
    for (int i = 0; i < c->nplaces; i++)
        for (int k = 0; k < c->nplaces; k++) {
            if (!c->stored[i] || c->place[i]->operand != c->place[k]->operand ||
                !may_clash(c, i, k))
                continue;
            int by = distances_between(r, c->place[i], c->place[k]);
            bool after = by == (r->down ? 1 : -1);
            if (by == 2 || c->place[i]->checked != 0)
                return false;
            for (int m = 0; m < c->place[k]->nargs; m++)
                if (m != r->axis && (!same_value(c->place[i]->args[m], c->place[k]->args[m]) ||
                                     !value_walk(c->place[k]->args[m], find_change, r)))
                    return false;
            r->read[k] = r->read[k] || after;
            r->any = r->any || after;
        }
    return r->by != NULL && (r->guard == NULL || may_store_again(r));
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
                  (s->step->i == 1 || (int64_t)s->step->i == -1) && s->series == NULL;
    bool guarded = by_one && s->body != NULL && s->body->kind == PS_IF && s->body->next == NULL &&
                   s->body->other == NULL;
    r->guard = guarded ? s->body : NULL;
    r->down = by_one && s->step->i != 1;
    r->put = by_one ? only_put(guarded ? s->body->body : s->body) : NULL;
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

/* Has a value read the distance where its variable has it. */
static void read_distance(const struct residues *r, struct pval *v) {
    if (same_value(v, r->by) && r->by->dtype == DT_INT64)
        *v = *r->distance;
    for (int i = 0; i < v->nargs; i++)
        read_distance(r, v->args[i]);
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

static void change_values(const struct residues *r, struct pval *v) {
    read_as_kept(r, v);
    read_distance(r, v);
}

static struct pstmt *new_stmt(const struct residues *r, enum pstmt_kind kind) {
    struct pstmt *s = NEW(r->x->uc, struct pstmt);
    *s = (struct pstmt){.kind = kind, .at = r->loop->at};
    return s;
}

static struct pstmt *new_set(const struct residues *r, struct pvar *var, struct pval *value,
                             struct pstmt *next) {
    struct pstmt *s = new_stmt(r, PS_SET);
    s->var = var;
    s->value = value;
    s->next = next;
    return s;
}

/* The loop's body with what it stores in a variable; all its reads of places are copies. */
static struct pstmt *kept_body(const struct residues *r) {
    struct uc *uc = r->x->uc;
    const struct pstmt *from = r->guard != NULL ? r->guard->body : r->loop->body;
    struct pstmt *body = copy_statements(uc, from, NULL, NULL, NULL), **at = &body;
    for (; (*at)->next != NULL; at = &(*at)->next)
        change_values(r, (*at)->value);
    struct pstmt *put = *at, *choice;
    change_values(r, put->value);
    read_distance(r, put->place);
    struct pvar *var = r->guard != NULL ? r->own : r->kept;
    *at = new_set(r, var, put->value, NULL);
    put->value = plan_read(uc, var);
    struct pstmt *store = r->guard != NULL && r->any ? new_set(r, r->kept, put->value, put) : put;
    if (r->guard == NULL) {
        (*at)->next = store;
        return body;
    }
    choice = new_stmt(r, PS_IF);
    choice->value = copy_statements(uc, r->guard, r->guard->next, NULL, NULL)->value;
    change_values(r, choice->value);
    choice->body = body;
    choice->next = store;
    return new_set(r, r->own, put->place, choice);
}

static const struct pval *first_read(const struct residues *r) {
    int k = 0;
    while (!r->read[k])
        k++;
    return r->c->place[k];
}

/* What is kept before a point's first iteration. */
static struct pstmt *begin_kept(const struct residues *r) {
    struct pstmt *set = new_set(r, r->kept, (struct pval *)first_read(r), NULL), *choice;
    if (r->guard == NULL)
        return set;
    choice = new_stmt(r, PS_IF);
    choice->value = r->guard->value;
    choice->body = set;
    struct pval *zero = NEW(r->x->uc, struct pval);
    *zero = (struct pval){.kind = PV_CONST, .dtype = r->kept->dtype};
    return new_set(r, r->kept, zero, choice);
}

/* A copy of a list where the index is another value. */
static struct pstmt *body_at(const struct residues *r, struct pstmt *list, struct pval *index) {
    return copy_statements(r->x->uc, list, NULL, r->loop->var, index);
}

/* The points, of each rest one, where the distance is in a variable. */
static struct pstmt *points_of(struct residues *r, struct pval *by) {
    struct uc *uc = r->x->uc;
    struct plan *p = (struct plan *)r->x->plan;
    const struct pstmt *s = r->loop;
    r->distance = by;
    struct pvar *place = plan_variable(uc, p, "place", DT_INT64),
                *turn = plan_variable(uc, p, "turn", DT_INT64);
    enum ufc_dtype dtype = r->put->place->dtype;
    r->kept = plan_variable(uc, p, "kept", dtype);
    r->own = r->guard != NULL ? plan_variable(uc, p, "own", dtype) : NULL;
    enum op on = r->down ? OP_SUB : OP_ADD;
    struct pval *n =
        r->down ? operation(r, OP_SUB, s->lo, s->hi) : operation(r, OP_SUB, s->hi, s->lo);
    struct pval *first = operation(r, on, s->lo, plan_read(uc, place));
    struct pval *index = operation(r, on, first, operation(r, OP_MUL, plan_read(uc, turn), by));
    struct pval *rest = operation(r, OP_SUB, n, plan_read(uc, place));
    struct pval *further = operation(r, OP_SUB, rest, plan_number(uc, 1)); /* rest is above 0 */
    struct pval *turned = operation(r, OP_FLOORDIV, further, by);
    struct pstmt *turns = new_stmt(r, PS_FOR), *each = new_stmt(r, PS_FOR);
    turns->var = turn;
    turns->lo = plan_number(uc, 0);
    turns->hi = operation(r, OP_ADD, turned, plan_number(uc, 1));
    turns->step = plan_number(uc, 1);
    turns->turns = true;
    turns->body = body_at(r, kept_body(r), index);
    each->var = place;
    each->lo = plan_number(uc, 0);
    each->hi = least(r, by, n);
    each->step = plan_number(uc, 1);
    each->body = r->any ? body_at(r, begin_kept(r), first) : turns;
    for (struct pstmt *last = each->body; last != turns; last = last->next)
        if (last->next == NULL)
            last->next = turns;
    return spread_of(r->x, each);
}

static struct pval *both(const struct residues *r, struct pval *a, struct pval *b) {
    return plan_operation(r->x->uc, OP_LAND, DT_BOOL, a, b);
}

/* Whether all sums of an index and a distance above 0 are what they are in 32 bits. */
static struct pval *is_narrow(const struct residues *r) {
    struct pval *const bounds[] = {r->loop->lo, r->loop->hi};
    struct pval *is = NULL;
    for (int i = 0; i < 2; i++) {
        struct pval *least = plan_number(r->x->uc, -2), *most = plan_number(r->x->uc, INT32_MAX);
        struct pval *fits =
            both(r, operation(r, OP_GT, bounds[i], least), operation(r, OP_GT, most, bounds[i]));
        is = is == NULL ? fits : both(r, is, fits);
    }
    return is;
}

/* Whether the distance is above 0, and sums that it is in are what they are. */
static struct pval *is_apart(const struct residues *r, struct pval *by) {
    struct pval *is = operation(r, OP_GT, by, plan_number(r->x->uc, 0));
    return r->by->dtype != DT_INT64 ? both(r, is, is_narrow(r)) : is;
}

static struct pval *in_64_bits(const struct residues *r) {
    struct pval *by = (struct pval *)r->by;
    if (by->dtype == DT_INT64)
        return by;
    struct pval *v = NEW(r->x->uc, struct pval);
    *v = (struct pval){.kind = PV_CAST, .dtype = DT_INT64, .nargs = 1, .args = {by}};
    return v;
}

struct pval *stored_ahead_where(const struct sharer *x, const struct pstmt *s, int *operand) {
    struct residues r = {.x = x, .loop = s};
    if (!find_residues(&r) || r.any)
        return NULL;
    *operand = r.put->place->operand;
    return is_apart(&r, in_64_bits(&r));
}

struct pstmt *residue_loop(const struct sharer *x, const struct pstmt *s) {
    struct residues r = {.x = x, .loop = s};
    if (!find_residues(&r))
        return NULL;
    struct uc *uc = x->uc;
    struct pval *by = in_64_bits(&r);
    struct pstmt *set = NULL, *choice = new_stmt(&r, PS_IF);
    if (by->kind != PV_VAR) {
        set = new_stmt(&r, PS_SET);
        set->var = plan_variable(uc, (struct plan *)x->plan, "distance", DT_INT64);
        set->value = by;
        set->next = choice;
        by = plan_read(uc, set->var);
    }
    choice->value = is_apart(&r, by);
    choice->body = points_of(&r, by);
    choice->other = copy_statements(uc, s, s->next, NULL, NULL);
    return set != NULL ? set : choice;
}
