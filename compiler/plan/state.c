/* state.c: arrays that are the state of a call from one step of an ordered loop to the next,
 * an element for each index of a dimension.  Where the definitions and reductions of a step run
 * over that dimension, a lane for each index keeps its elements in registers.  An element of
 * another index comes from its lane, where all lanes of the call get there together.
 *
 * A series over the dimension has the terms of each index computed by its lane; then all lanes add
 * up all of them, in order. */
#include "plan.h"

struct stating {
    struct uc *uc;
    const struct plan *plan;
    const struct dim *dim;
    uint32_t arrays;            /* operands that may be such arrays, a bit each */
    uint32_t stepped;           /* of these, those of which a loop's steps access own elements, */
    uint32_t others;            /* and those of which lanes access others' */
    const struct pval *place;   /* that the statement at hand stores to */
    const struct pstmt *spread; /* whose points are lanes, around it; NULL: none */
    const bool *written;        /* by variable: the spread sets it */
    bool apart;                 /* some lanes may come there without the others */
    int loops;                  /* around the spread */
};

static void look(struct stating *x, struct pstmt *list);

static uint32_t array_bit(const struct stating *x, const struct pval *v) {
    return v->kind == PV_ELEM && v->operand < x->plan->noperands
               ? UINT32_C(1) << v->operand & x->arrays
               : 0;
}

/* Is it the element of the lane's own index? */
static bool is_own(const struct pstmt *spread, const struct pval *v) {
    return spread != NULL && v->args[0]->kind == PV_VAR && v->args[0]->var == spread->ranges->var;
}

static enum walk look_at_value(const struct pval *v, void *arg) {
    struct stating *x = arg;
    uint32_t bit = array_bit(x, v);
    if (bit == 0)
        return WALK_IN;
    bool own = is_own(x->spread, v), stored = v == x->place;
    if (own && x->loops > 0)
        x->stepped |= bit;
    x->others |= own ? 0 : bit;
    if (!own && (x->apart || (stored && x->spread != NULL)))
        x->arrays &= ~bit;
    return WALK_IN;
}

static enum walk drop_array(const struct pval *v, void *arg) {
    struct stating *x = arg;
    x->arrays &= ~array_bit(x, v);
    return WALK_IN;
}

/* A place, of which those lanes that store find the subscripts. */
static void look_at_place(struct stating *x, const struct pval *place) {
    bool apart = x->apart;
    x->place = place;
    value_walk(place, look_at_value, x);
    x->apart = true;
    for (int i = 0; place != NULL && i < place->nargs; i++)
        value_walk(place->args[i], look_at_value, x);
    x->apart = apart;
    x->place = NULL;
}

/* Whether all lanes of the spread around a loop have the same bounds of it. */
static bool is_common(const struct stating *x, const struct pval *v) {
    return v == NULL || is_settled(x->written, v);
}

static bool has_common_bounds(const struct stating *x, const struct pstmt *s) {
    bool common = is_common(x, s->lo) && is_common(x, s->hi) && is_common(x, s->step);
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        common = common && is_common(x, r->lo) && is_common(x, r->hi) && is_common(x, r->step);
    return common;
}

struct owning {
    const struct stating *x;
    const struct pstmt *spread;
};

static enum walk find_own(const struct pval *v, void *arg) {
    const struct owning *o = arg;
    return array_bit(o->x, v) != 0 && is_own(o->spread, v) ? WALK_STOP : WALK_IN;
}

/* Does each point access an array's element of its index, which is below the dimension then? */
static bool is_within(const struct stating *x, const struct pstmt *spread) {
    struct owning o = {x, spread};
    bool found = false;
    for (const struct pstmt *s = spread->body; s != NULL && !found; s = s->next)
        found = (s->kind == PS_SET || s->kind == PS_PUT) && !stmt_values(s, find_own, &o);
    return found;
}

static enum walk take_size(const struct pval *v, void *none) {
    (void)none;
    return v->kind == PV_CONST || v->kind == PV_DIM || v->kind == PV_OP ? WALK_IN : WALK_STOP;
}

static enum walk find_set(const struct pstmt *s, void *var) {
    return s->kind == PS_SET && s->var == var ? WALK_STOP : WALK_IN;
}

/* Which lanes have points of a PS_SPREAD.  Ranges that differ from step to step, as those of
 * triangles, leave many lanes without any. */
static enum in_lanes find_lanes(const struct stating *x, const struct pstmt *s) {
    const struct prange *r = s->ranges;
    const struct plan_visitor sets = {.stmt = find_set};
    if (s->merged || r->next != NULL || r->step->kind != PV_CONST || r->step->i != 1 ||
        !plan_walk(s->body, &sets, (void *)r->var))
        return LANES_NONE;
    if (r->lo->kind == PV_CONST && r->lo->i == 0 && r->hi->kind == PV_DIM &&
        r->hi->operand == x->dim->index)
        return LANES_ALL;
    bool even = value_walk(r->lo, take_size, NULL) && value_walk(r->hi, take_size, NULL);
    return even && is_within(x, s) ? LANES_SOME : LANES_NONE;
}

static void look_at_spread(struct stating *x, struct pstmt *s) {
    s->in_lanes = find_lanes(x, s);
    if (s->in_lanes == LANES_NONE) {
        stmt_walk(s, &(struct plan_visitor){.value = drop_array}, x);
        return;
    }
    stmt_values(s, look_at_value, x);
    bool apart = x->apart, *written = find_written(x->uc, x->plan, s->body);
    written[s->ranges->var->id] = true;
    x->written = written;
    x->spread = s;
    x->apart = apart || s->in_lanes == LANES_SOME;
    look(x, s->body);
    x->apart = apart;
    x->spread = NULL;
}

/* Bytes of the terms that an iteration of a series has. */
static int term_bytes(const struct series *s) {
    int bytes = 0;
    for (int i = 0; i < s->n; i++)
        bytes += s->terms[i] * dtype_info[s->acc[i].var->dtype].bits / 8;
    return bytes;
}

/* Finds whether lanes compute the terms of a loop, each those of its index. */
static bool has_lane_terms(const struct stating *x, const struct pstmt *s) {
    struct pstmt *points = s->kind == PS_FOR && s->series != NULL ? s->series->points : NULL;
    if (points == NULL)
        return false;
    points->in_lanes = LANES_NONE;
    if (!s->series->whole || x->apart || has_store(s->body) || find_lanes(x, points) != LANES_ALL ||
        term_bytes(s->series) > UFC_STATE_TERMS)
        return false;
    points->in_lanes = LANES_ALL;
    return true;
}

const struct pstmt *points_in_lanes(const struct pstmt *s) {
    const struct pstmt *points = s->kind == PS_SPREAD ? s : NULL;
    if (s->kind == PS_FOR && s->series != NULL)
        points = s->series->points;
    return points != NULL && points->in_lanes == LANES_ALL ? points : NULL;
}

static void look(struct stating *x, struct pstmt *list) {
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        bool apart = x->apart, within = x->spread != NULL;
        if (s->kind == PS_SPREAD && !within) {
            look_at_spread(x, s);
            continue;
        }
        if (!within && s->shared != NULL) {
            look(x, s->shared);
            continue;
        }
        if (!within && has_lane_terms(x, s)) {
            look_at_spread(x, s->series->points);
            continue;
        }
        int loop = !within && (s->kind == PS_FOR || s->kind == PS_LOOP);
        struct pstmt values = *s;
        values.place = NULL;
        x->apart = apart || s->merged;
        look_at_place(x, s->place);
        stmt_values(&values, look_at_value, x);
        x->apart = x->apart || (within && (s->kind == PS_IF || s->kind == PS_LOOP ||
                                           s->kind == PS_BLOCK || !has_common_bounds(x, s)));
        x->loops += loop;
        look(x, s->body);
        look(x, s->other);
        x->loops -= loop;
        x->apart = apart;
    }
}

/* The arrays of the dimension alone that calls store to. */
static uint32_t arrays_along(const struct plan *p, const struct dim *dim) {
    int given = p->nin + p->overload->nout;
    uint32_t arrays = 0;
    for (int k = p->nin; k < p->noperands; k++) {
        const struct poperand *o = &p->operands[k];
        bool absent = k >= given && p->in_place >> (k - given) & 1;
        if (o->rank == 1 && o->dims[0] == dim && !is_complex(o->dtype) && !absent)
            arrays |= UINT32_C(1) << k;
    }
    return arrays;
}

enum { STATE_SPREADS = 64, STATE_TRIED = 4 }; /* of a body, and dimensions, at most */

static enum walk count_spread(const struct pstmt *s, void *n) {
    *(int *)n += s->kind == PS_SPREAD;
    return WALK_IN;
}

void find_state(struct uc *uc, struct plan *p) {
    int spreads = 0, tried = 0;
    plan_walk(p->body, &(struct plan_visitor){.stmt = count_spread}, &spreads);
    if (spreads > STATE_SPREADS)
        return;
    for (const struct dim *dim = p->overload->decl->dims; dim != NULL; dim = dim->next) {
        struct stating x = {.uc = uc, .plan = p, .dim = dim, .arrays = arrays_along(p, dim)};
        if (x.arrays == 0 || dim->optional || tried++ >= STATE_TRIED)
            continue;
        look(&x, p->body->body);
        p->map.state_arrays = x.arrays & x.stepped;
        p->map.state_others = x.arrays & x.stepped & x.others;
        p->map.state = dim;
        if (p->map.state_arrays != 0)
            return;
    }
    p->map.state = NULL;
}
