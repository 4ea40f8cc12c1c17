/* ways.c: which way a gufunc's host kernel goes: the lanes of its vectors are points of a call's
 * PS_SPREADs, or calls.  A body whose ordered loops do most of the work fills vectors with calls
 * alone.  Sums are grouped in another way in each, so that the choice then follows from sizes, and
 * not from the number of calls. */
#include "gufunc.h"

/* Is a body without branches, and without loops but for its PS_SPREADs? */
static bool is_simple(const struct pstmt *s) {
    for (; s != NULL; s = s->next)
        if (s->kind == PS_SPREAD ? has_loop(s->body) : s->kind != PS_SET && s->kind != PS_PUT)
            return false;
    return true;
}

static bool has_any_order(const struct pstmt *s) {
    return s->shared != NULL && !s->turned;
}

/* The list that runs a loop's iterations: PS_SPREADs where these may have any order. */
static const struct pstmt *run_by(const struct pstmt *s) {
    return has_any_order(s) ? s->shared : s->body;
}

/* Whether points are shared out within loops: each round's are few, and begin anew. */
static bool in_rounds(const struct pstmt *s, bool in_loop) {
    for (; s != NULL; s = s->next) {
        bool loops = !has_any_order(s) && (s->kind == PS_FOR || s->kind == PS_LOOP);
        if (s->kind == PS_SPREAD
                ? in_loop && !is_brief(s)
                : in_rounds(run_by(s), in_loop || loops) || in_rounds(s->other, in_loop))
            return true;
    }
    return false;
}

/* ---- how much of the work is in order */

/* The most loops around a statement, those of a few iterations not counted: of what runs in order,
 * and of what PS_SPREADs share out. */
struct depth {
    int ordered, shared;
};

static int ranges_of(const struct pstmt *s) {
    int n = 0;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        n += r->lo->kind != PV_CONST || r->hi->kind != PV_CONST;
    return n;
}

static void find_depth(struct depth *d, const struct pstmt *list, int depth, bool in_spread) {
    int *deepest = in_spread ? &d->shared : &d->ordered;
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        int inside = depth + ranges_of(s) + (s->kind == PS_LOOP);
        if (s->kind == PS_FOR && !has_any_order(s))
            inside += s->lo->kind != PV_CONST || s->hi->kind != PV_CONST;
        *deepest = depth > *deepest ? depth : *deepest;
        find_depth(d, run_by(s), inside,
                   in_spread || (s->kind == PS_SPREAD && may_be_lanes(s) && !is_brief(s)));
        find_depth(d, s->other, inside, in_spread);
    }
}

static bool mostly_in_order(const struct pstmt *body) {
    struct depth d = {0, 0};
    find_depth(&d, body, 0, false);
    return d.ordered >= d.shared;
}

/* Stops at a reduction whose bits depend on how it is grouped. */
static enum walk find_grouped(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_SPREAD && !is_brief(s) && blocks_matter(s) ? WALK_STOP : WALK_IN;
}

/* ---- how large calls are */

/* Points of a round, whose number is not known before the call, are taken to be so many. */
static LLVMValueRef largest_dimension(struct gen *g) {
    LLVMValueRef largest = i64(g, 0);
    for (int d = 0; d < g->plan->overload->decl->ndims; d++)
        largest = gen_select(g, compare(g, LLVMIntSGT, g->dims[d], largest), g->dims[d], largest);
    return largest;
}

/* Bytes of a call's elements. */
static LLVMValueRef call_bytes(struct gen *g) {
    LLVMValueRef sum = i64(g, 0);
    for (int k = 0; k < g->plan->noperands; k++) {
        const struct poperand *o = &g->plan->operands[k];
        LLVMValueRef bytes = i64(g, (uint64_t)dtype_info[o->dtype].bits / 8);
        for (int r = 0; r < o->rank; r++)
            bytes = multiply(g, bytes, g->dims[o->dims[r]->index]);
        sum = add(g, sum, bytes);
    }
    return sum;
}

/* i1: a vector has so many points, or more, along the largest dimension. */
static LLVMValueRef has_vectors(struct gen *g, int vectors) {
    return compare(g, LLVMIntSGE, largest_dimension(g),
                   i64(g, (uint64_t)vectors * (uint64_t)g->vector_lanes));
}

/* i1: the points of a call whose loops are ordered are to be lanes. */
static LLVMValueRef is_wide_in_order(struct gen *g, LLVMValueRef calls) {
    const struct pstmt *body = g->plan->body->body;
    uint64_t lanes = (uint64_t)g->vector_lanes;
    bool grouped = !plan_walk(body, &(struct plan_visitor){.stmt = find_grouped}, NULL);
    LLVMValueRef wide =
        compare(g, LLVMIntSGT, call_bytes(g), i64(g, (uint64_t)PACKED_MAX_BYTES / lanes));
    if (!mostly_in_order(body))
        wide = LLVMBuildOr(g->b, wide, has_vectors(g, WIDE_CALL_VECTORS_IN_ROUNDS), "");
    if (grouped)
        return wide;
    LLVMValueRef few = compare(g, LLVMIntSLT, calls, i64(g, lanes));
    return LLVMBuildOr(g->b, wide, both(g, few, has_vectors(g, 1)), "");
}

/* The core dimensions that are a value of terms at most, whatever the others are: that of an
 * operand, and those of a maximum's. */
static uint64_t dims_within(const struct ufc_term *terms, int nterms) {
    uint64_t stack[UFC_MAX_TERMS];
    int n = 0;
    for (const struct ufc_term *t = terms; t < terms + nterms; t++) {
        if (t->op == UFC_TERM_NUMBER || t->op == UFC_TERM_DIMENSION) {
            stack[n++] = t->op == UFC_TERM_DIMENSION ? UINT64_C(1) << t->value : 0;
            continue;
        }
        uint64_t b = stack[--n], *a = &stack[n - 1];
        *a = t->op == UFC_TERM_MAX ? *a | b : t->op == UFC_TERM_MIN ? *a & b : 0;
    }
    return n > 0 ? stack[0] : 0;
}

/* i1: a call of a tiling with `width` points is worth packing. */
static LLVMValueRef is_worth_packing(struct gen *g, const struct tiling *t, LLVMValueRef width) {
    LLVMValueRef lanes = i64(g, (uint64_t)g->vector_lanes), depth;
    LLVMValueRef some = compare(g, LLVMIntSGE, width, lanes),
                 many = compare(g, LLVMIntSGE, width, add(g, lanes, lanes));
    depth = gen_terms(g, t->depth, t->ndepth);
    if (depth == NULL)
        return some;
    LLVMValueRef deep = compare(g, LLVMIntSGT, depth, i64(g, WIDE_CALL_DEPTH));
    return both(g, some, LLVMBuildOr(g->b, many, deep, ""));
}

/* i1: a call has points enough to fill vectors, in rows that are not too short.  NULL: the number
 * of points is not known before the call.  *narrow: what is known of sizes of other calls. */
static LLVMValueRef is_wide(struct gen *g, LLVMValueRef calls, struct short_sizes *narrow) {
    const struct mapping *map = &g->plan->map;
    const struct pstmt *body = g->plan->body->body;
    bool tiles = body != NULL && host_tiles(g, body);
    if (!tiles && (in_rounds(body, false) || mostly_in_order(body)))
        return is_wide_in_order(g, calls);
    LLVMValueRef width = gen_terms(g, map->width, map->nwidth);
    LLVMValueRef row = gen_terms(g, map->row, map->nrow);
    if (width == NULL)
        return NULL;
    if (tiles)
        return is_worth_packing(g, map->tiling[body->phase], width);
    uint64_t lanes = (uint64_t)g->vector_lanes, least = is_simple(body) ? WIDE_CALL_VECTORS : 1;
    *narrow = (struct short_sizes){dims_within(map->width, map->nwidth), least * lanes};
    LLVMValueRef wide = compare(g, LLVMIntSGE, width, i64(g, least * lanes));
    if (row == NULL)
        return wide;
    uint64_t within_rows = narrow->dims & dims_within(map->row, map->nrow);
    if (within_rows != 0) /* of short rows they are even less */
        narrow->dims = within_rows;
    else
        narrow->limit = WIDE_CALL_VECTORS_APART * lanes;
    LLVMValueRef rows = compare(g, LLVMIntSGE, row, i64(g, lanes / 2));
    LLVMValueRef many = compare(g, LLVMIntSGE, width, i64(g, WIDE_CALL_VECTORS_APART * lanes));
    return both(g, wide, LLVMBuildOr(g->b, rows, many, ""));
}

/* ---- ways */

/* Whether there is an outermost PS_SPREAD whose points are lanes. */
static bool has_lanes(const struct pstmt *s) {
    for (; s != NULL; s = s->next)
        if (s->kind == PS_SPREAD ? may_be_lanes(s) : has_lanes(run_by(s)) || has_lanes(s->other))
            return true;
    return false;
}

struct ways find_ways(struct gen *g, LLVMValueRef calls) {
    const struct plan *p = g->plan;
    const struct pstmt *body = p->body->body;
    if (p->checked)
        return (struct ways){.way = UFC_WAY_CHECKED};
    if (!p->map.spreads && !p->map.shared)
        return (struct ways){.way = UFC_WAY_CALLS};
    bool tiles = body != NULL && host_tiles(g, body);
    enum ufc_host_way points = tiles             ? UFC_WAY_TILES
                               : has_lanes(body) ? UFC_WAY_POINTS
                                                 : UFC_WAY_IN_TURN;
    struct ways ways = {.way = points};
    ways.wide = is_wide(g, calls, &ways.narrow);
    return ways;
}

LLVMValueRef ways_unit(struct gen *g, enum ufc_host_way way) {
    const struct pstmt *s = g->plan->body->body;
    LLVMValueRef unit = NULL;
    if (way == UFC_WAY_TILES)
        return host_tile_unit(g, s);
    for (; way == UFC_WAY_POINTS && s != NULL; s = s->next) {
        if (s->kind != PS_SPREAD || !may_be_lanes(s))
            continue;
        const struct pstmt *stored = spread_as_stored(g, s);
        LLVMValueRef this = spread_unit(g, spread_in_lanes(g, s));
        LLVMValueRef other = stored != s ? spread_unit(g, stored) : NULL;
        if (other != NULL && this != NULL)
            this = LLVMBuildOr(g->b, this, both(g, other, goes_as_stored(g, s, stored)), "");
        unit = unit == NULL ? this : this == NULL ? unit : both(g, unit, this);
    }
    return unit;
}

/* ---- outputs */

static enum walk find_operand(const struct pval *v, void *operand) {
    return v->kind == PV_ELEM && v->operand == *(int *)operand ? WALK_STOP : WALK_IN;
}

/* Stops where an operand is read. */
static enum walk find_read(const struct pstmt *s, void *operand) {
    struct pstmt reads = *s;
    if (s->kind == PS_PUT && s->operand == *(int *)operand) {
        for (int i = 0; i < s->place->nargs; i++)
            if (!value_walk(s->place->args[i], find_operand, operand))
                return WALK_STOP;
        reads.place = NULL;
    }
    return stmt_values(&reads, find_operand, operand) ? WALK_IN : WALK_STOP;
}

/* Whether v is the index of a range of s over all of a dimension. */
static bool is_whole(const struct pstmt *s, const struct pval *v, const struct dim *d) {
    const struct prange *r = s->ranges;
    while (r != NULL && (v->kind != PV_VAR || r->var != v->var))
        r = r->next;
    return r != NULL && r->lo->kind == PV_CONST && r->lo->i == 0 && r->step->kind == PV_CONST &&
           r->step->i == 1 &&
           (d->size >= 0 ? r->hi->kind == PV_CONST && r->hi->i == (uint64_t)d->size
                         : r->hi->kind == PV_DIM && r->hi->operand == d->index);
}

/* Whether s, a statement of the body itself, sets all elements of an operand. */
static bool sets_all(const struct plan *p, const struct pstmt *s, int operand) {
    const struct poperand *o = &p->operands[operand];
    const struct pstmt *put = s->kind == PS_SPREAD && s->accs == NULL ? s->body : s;
    for (; put != NULL; put = s == put ? NULL : put->next) {
        bool all = put->kind == PS_PUT && put->operand == operand;
        for (int i = 0; all && i < o->rank; i++) {
            all = is_whole(s, put->place->args[i], o->dims[i]);
            for (int j = 0; j < i; j++)
                all = all && put->place->args[i]->var != put->place->args[j]->var;
        }
        if (all)
            return true;
    }
    return false;
}

bool sets_outputs(const struct plan *p) {
    for (int k = p->nin; k < p->noperands; k++) {
        const struct pstmt *s = p->body->body;
        for (; s != NULL; s = s->next) {
            if (!stmt_walk(s, &(struct plan_visitor){.stmt = find_read, .joined = true}, &k))
                return false;
            if (sets_all(p, s, k))
                break;
        }
        if (s == NULL)
            return false;
    }
    return true;
}
