/* side.c: takes a tiling's reduction apart: which indices of the results are its rows' and
 * which its columns', and what of the body depends on one of these sides alone.  That is computed
 * once for a tile's row, or column, and a point of the reduction: it is a factor. */
#include <string.h>

#include "side.h"

/* ---- what values depend on */

static enum walk add_dependence(const struct pval *v, void *arg) {
    struct dependence *d = arg;
    uint32_t subscripts = 0;
    if (v->kind == PV_VAR)
        d->mask |= d->in->mask[v->var->id];
    for (int i = 0; v->kind == PV_ELEM && i < v->nargs; i++)
        subscripts |= mask_of(d->in, v->args[i]);
    if (v->kind == PV_ELEM && d->in->tiling->shared && !(subscripts & OF_POINT))
        d->mask |= OF_CALL;
    return WALK_IN;
}

uint32_t mask_of(const struct sides *in, const struct pval *v) {
    struct dependence d = {.in = in};
    value_walk(v, add_dependence, &d);
    return d.mask;
}

static enum walk add_content(const struct pval *v, void *arg) {
    struct dependence *d = arg;
    bool element = v->kind == PV_ELEM || v->kind == PV_TABLE;
    d->elements += element;
    d->staged = d->staged || (v->kind == PV_VAR && d->in->staged[v->var->id]);
    d->late = d->late || (v->kind == PV_VAR && d->in->late[v->var->id]);
    bool sign = v->kind == PV_CALL && v->builtin->id == B_ABS && is_float(v->dtype);
    d->calls = d->calls || (v->kind == PV_CALL && !sign); /* a sign costs no instruction */
    d->operations += v->kind == PV_OP || v->kind == PV_SELECT || v->kind == PV_FMA;
    return element ? WALK_PAST : WALK_IN;
}

struct dependence content_of(const struct sides *in, const struct pval *v) {
    struct dependence d = {.in = in};
    value_walk(v, add_content, &d);
    d.mask = mask_of(in, v);
    return d;
}

static uint32_t stmt_mask(struct sides *in, const struct pstmt *s) {
    uint32_t mask = mask_of(in, s->value);
    if (s->kind == PS_SET)
        mask |= in->mask[s->var->id] & OF_ACC;
    else if (s->kind != PS_IF)
        in->failed = true;
    for (const struct pstmt *b = s->body; b != NULL; b = b->next)
        mask |= stmt_mask(in, b);
    for (const struct pstmt *b = s->other; b != NULL; b = b->next)
        mask |= stmt_mask(in, b);
    return mask;
}

static void mark_set(struct sides *in, const struct pstmt *s, uint32_t mask) {
    if (s->kind == PS_SET)
        in->mask[s->var->id] |= mask;
    for (const struct pstmt *b = s->body; b != NULL; b = b->next)
        mark_set(in, b, mask);
    for (const struct pstmt *b = s->other; b != NULL; b = b->next)
        mark_set(in, b, mask);
}

/* Where rows are calls, what the body sets by its reductions is of a row. */
static void find_call_masks(struct sides *in) {
    for (const struct pstmt *s = in->plan->body->body; s != NULL; s = s->next) {
        for (const struct pacc *a = s->accs; a != NULL; a = a->next) {
            in->mask[a->acc->id] = OF_CALL;
            in->staged[a->acc->id] = true;
        }
        if (s->kind == PS_SET && mask_of(in, s->value) & OF_CALL) {
            in->mask[s->var->id] = OF_CALL;
            in->staged[s->var->id] = true;
        }
    }
}

void find_masks(struct sides *in) {
    const struct shape *m = &in->tiling->shape;
    uint32_t bit = 1;
    if (in->tiling->shared)
        find_call_masks(in);
    for (const struct prange *r = m->at; r != NULL; r = r->next, bit <<= 1)
        in->mask[r->var->id] = bit & ~in->batch;
    for (const struct prange *r = m->in; r != NULL; r = r->next)
        in->mask[r->var->id] = OF_DEPTH;
    for (const struct pacc *a = m->accs; a != NULL; a = a->next)
        in->mask[a->acc->id] = OF_ACC;
    for (const struct pstmt *s = m->first; s != NULL && s->kind == PS_SET; s = s->next)
        mark_set(in, s, stmt_mask(in, s));
    for (const struct pstmt *s = m->body; s != NULL; s = s->next)
        mark_set(in, s, stmt_mask(in, s));
}

/* ---- several indices as one */

struct pval *new_value(struct sides *in, struct pval v) {
    struct pval *n = NEW(in->uc, struct pval);
    *n = v;
    return n;
}

struct pval *new_op(struct sides *in, enum op op, struct pval *a, struct pval *b) {
    struct pval v = {.kind = PV_OP, .op = op, .dtype = a->dtype, .nargs = 2};
    v.args[0] = a;
    v.args[1] = b;
    return new_value(in, v);
}

static struct pval *cast_to(struct sides *in, struct pval *a, enum ufc_dtype d) {
    struct pval v = {.kind = PV_CAST, .dtype = d, .nargs = 1};
    v.args[0] = a;
    return new_value(in, v);
}

struct pval *value_of(struct sides *in, struct pvar *var) {
    return new_value(in, (struct pval){.kind = PV_VAR, .dtype = var->dtype, .var = var});
}

struct pvar *new_var(struct sides *in, const char *name, enum ufc_dtype d) {
    return plan_variable(in->uc, in->plan, name, d);
}

static struct pstmt *add_set(struct sides *in, struct pstmt ***end, struct pvar *var,
                             struct pval *v) {
    struct pstmt *s = **end = NEW(in->uc, struct pstmt);
    *s = (struct pstmt){.kind = PS_SET, .var = var, .value = v};
    *end = &s->next;
    return s;
}

/* The points of a range, which ends at 0 or before it where there are none. */
static struct pval *size_of(struct sides *in, struct pval *hi) {
    struct pval v = {.kind = PV_CALL, .dtype = DT_INT64, .builtin = &builtins[B_MAX], .nargs = 2};
    if (hi->kind == PV_DIM || (hi->kind == PV_CONST && (int64_t)hi->i >= 0))
        return hi;
    v.args[0] = hi;
    v.args[1] = new_value(in, (struct pval){.kind = PV_CONST, .dtype = DT_INT64});
    return new_value(in, v);
}

/* The indices of a list of ranges as one index, the last one fastest, or an index of no range;
 * `end` gets the assignments
 * that set them by it.  These count in 32 bits, in which divisions are fast. */
static struct prange *join_ranges(struct sides *in, struct prange *const *range, int n,
                                  const char *name, struct pstmt ***end) {
    if (n == 1)
        return range[0];
    struct prange *r = NEW(in->uc, struct prange);
    if (n == 0) {
        struct pval none = {.kind = PV_CONST, .dtype = DT_INT64};
        *r = (struct prange){.var = new_var(in, name, DT_INT64), .hi = new_value(in, none)};
        return r;
    }
    *r = *range[n - 1];
    r->var = new_var(in, name, DT_INT64);
    r->hi = NULL;
    struct pval *left = cast_to(in, value_of(in, r->var), DT_UINT32);
    for (int i = n; i-- > 0;) {
        struct pval *points = size_of(in, range[i]->hi), *size = cast_to(in, points, DT_UINT32);
        struct pval *at = i > 0 ? new_op(in, OP_MOD, left, size) : left;
        add_set(in, end, range[i]->var, cast_to(in, at, DT_INT64));
        left = new_op(in, OP_FLOORDIV, left, size);
        r->hi = r->hi != NULL ? new_op(in, OP_MUL, points, r->hi) : points;
    }
    return r;
}

static enum walk find_var(const struct pval *v, void *none) {
    (void)none;
    return v->kind == PV_VAR ? WALK_STOP : WALK_IN;
}

/* The sizes that the body sets a variable to, if it does so once; else NULL. */
static struct pval *set_once(const struct plan *p, const struct pvar *var) {
    const struct pstmt *set = NULL;
    for (const struct pstmt *s = p->body->body; s != NULL; s = s->next)
        if (s->kind == PS_SET && s->var == var) {
            if (set != NULL)
                return NULL;
            set = s;
        }
    return set != NULL && value_walk(set->value, find_var, NULL) ? set->value : NULL;
}

/* A range alone, which ends at sizes where the body sets what it ends at to these. */
static struct prange *copy_range(struct sides *in, const struct prange *r) {
    struct prange *n = NEW(in->uc, struct prange);
    *n = *r;
    n->next = NULL;
    struct pval *end = r->hi->kind == PV_VAR ? set_once(in->plan, r->hi->var) : NULL;
    n->hi = end != NULL ? end : r->hi;
    return n;
}

/* Makes a range of each side, one of the reduction, and one of a batch.  joined: the assignments of
 * what they stand for. */
static void set_indices(struct sides *in, struct pstmt *joined[TILE_INDICES]) {
    static const char *const names[] = {"row", "column", "depth"};
    struct tiling *t = in->tiling;
    struct prange *range[TILE_INDICES][MAX_RANGES], *index[TILE_INDICES], *batch[MAX_RANGES];
    struct pstmt **unjoined = &t->unjoined;
    int n[TILE_INDICES] = {0}, batched = 0;
    uint32_t bit = 1;
    for (const struct prange *r = t->shape.at; r != NULL; r = r->next, bit <<= 1) {
        int side = (in->of[1] & bit) != 0;
        if (in->batch & bit)
            batch[batched++] = copy_range(in, r);
        else
            range[side][n[side]++] = copy_range(in, r);
    }
    t->batched = in->batch;
    if (batched > 0)
        t->batch = join_ranges(in, batch, batched, "batch", &unjoined);
    for (const struct prange *r = t->shape.in; r != NULL; r = r->next)
        range[TILE_DEPTH][n[TILE_DEPTH]++] = copy_range(in, r);
    for (int i = 0; i < TILE_INDICES; i++) {
        struct pstmt **end = &joined[i];
        index[i] = join_ranges(in, range[i], n[i], names[i], &end);
        t->index[i] = index[i];
        t->joins[i] = n[i] > 1;
    }
    index[TILE_ROW]->next = index[TILE_COLUMN];
    t->shape.at = index[TILE_ROW];
    t->shape.in = index[TILE_DEPTH];
}

/* ---- lists of statements */

static void append(struct sides *in, struct pstmt ***end, const struct pstmt *s) {
    struct pstmt *n = **end = NEW(in->uc, struct pstmt);
    *n = *s;
    n->next = NULL;
    *end = &n->next;
}

static void append_list(struct sides *in, struct pstmt ***end, const struct pstmt *s) {
    for (; s != NULL && s->kind == PS_SET; s = s->next)
        append(in, end, s);
}

/* ---- factors */

bool may_miss(const struct sides *in, const struct pval *v) {
    for (int i = 0; i < v->nargs; i++)
        if (!is_in_range(v->args[i], in->plan->operands[v->operand].dims[i]))
            return true;
    return false;
}

static struct factor *add_factor(struct sides *in, uint32_t mask) {
    struct tiling *t = in->tiling;
    if (t->nfactors == TILE_MAX_FACTORS) {
        in->failed = true;
        return &t->factors[0];
    }
    struct factor *f = &t->factors[t->nfactors++];
    f->of_rows = (mask & in->of[1]) == 0;
    return f;
}

/* Whether factors of both sides are zeros where the filter does not hold, which may do instead of
 * the filter. */
static bool has_zeros(const struct sides *in) {
    return in->neither != NULL && in->own[0] == NULL && in->own[1] == NULL;
}

/* Takes an element as a factor that is moved as it is.  False: it is none. */
static bool take_place(struct sides *in, const struct pval *v, uint32_t mask) {
    struct tiling *t = in->tiling;
    bool conditional = t->shape.filter != NULL || t->when != NULL;
    struct factor f = {.place = v, .dtype = v->dtype};
    for (int n = 0; n < t->nfactors; n++)
        if (t->factors[n].place != NULL && same_value(t->factors[n].place, v))
            return true;
    for (int s = 0; s < v->nargs; s++)
        if (v->checked & (1 << s) || !tile_growth(t, v->args[s], f.growth[s]))
            return false;
    f.of_rows = (mask & in->of[1]) == 0;
    if (v->dtype == DT_BOOL || has_zeros(in) || in->own[f.of_rows ? 0 : 1] != NULL ||
        (conditional && may_miss(in, v)))
        return false;
    *add_factor(in, mask) = f;
    return true;
}

/* The variable that stands for a factor which is computed. */
static struct pval *take_value(struct sides *in, struct pval *v, uint32_t mask) {
    struct tiling *t = in->tiling;
    for (int n = 0; n < t->nfactors; n++)
        if (t->factors[n].value != NULL && same_value(t->factors[n].value, v))
            return value_of(in, t->factors[n].var);
    struct factor *f = add_factor(in, mask);
    f->value = v;
    f->dtype = v->dtype;
    f->var = new_var(in, "factor", v->dtype);
    return value_of(in, f->var);
}

static struct pval *rewrite(struct sides *in, struct pval *v);

static struct pval *rewrite_arguments(struct sides *in, struct pval *v) {
    struct pval *n = new_value(in, *v);
    for (int i = 0; i < v->nargs; i++)
        n->args[i] = rewrite(in, v->args[i]);
    return n;
}

/* A value of the body with variables in place of the largest parts that are factors.  A single
 * element stays in its place, with few operations that registers do as well. */
static struct pval *rewrite(struct sides *in, struct pval *v) {
    struct dependence d = content_of(in, v);
    bool one_side = is_of_side(in, d.mask, 0) || is_of_side(in, d.mask, 1);
    in->failed = in->failed || d.late;
    if (d.mask == 0 || (d.elements == 0 && !d.staged && !(d.calls && one_side)))
        return v;
    if (v->kind == PV_ELEM && one_side)
        return take_place(in, v, d.mask) ? v : take_value(in, v, d.mask);
    if (v->kind == PV_TABLE)
        return one_side ? take_value(in, v, d.mask) : v;
    bool complex = v->kind == PV_PART || v->kind == PV_PACK;
    bool simple = d.elements == 1 && !d.staged && !d.calls && d.operations <= 1 && !has_zeros(in);
    simple = simple && (v->kind != PV_CAST || v->args[0]->dtype != DT_BOOL);
    if (v->kind == PV_VAR || (one_side && !simple && !complex))
        return one_side ? take_value(in, v, d.mask) : v;
    if (v->kind == PV_ELEM)
        in->failed = true;
    return rewrite_arguments(in, v);
}

/* ---- the filter */

static struct pval *land(struct sides *in, struct pval *a, struct pval *b) {
    return a == NULL ? b : b == NULL ? a : new_op(in, OP_LAND, a, b);
}

/* Splits a conjunction among the sides. */
static void split_filter(struct sides *in, struct pval *v) {
    if (v->kind == PV_OP && v->op == OP_LAND) {
        split_filter(in, v->args[0]);
        split_filter(in, v->args[1]);
        return;
    }
    uint32_t mask = mask_of(in, v);
    int side = is_of_side(in, mask, 1) ? 1 : 0;
    struct pval **to = mask == OF_DEPTH                          ? &in->neither
                       : mask != 0 && is_of_side(in, mask, side) ? &in->own[side]
                                                                 : &in->both;
    *to = land(in, *to, v);
}

/* Whether zeros of a side do not change the reduction if the other one's factors are finite;
 * *floats: these are numbers that may not be. */
static bool ignores_side(const struct sides *in, int side, bool *floats) {
    const struct tiling *t = in->tiling;
    *floats = false;
    for (int k = 0; k < t->nfactors; k++) {
        const struct factor *f = &t->factors[k];
        *floats = *floats || (f->of_rows != (side == 0) && is_float(f->dtype));
    }
    return ignores_zeros_beside(t, side);
}

static enum walk find_fma(const struct pval *v, void *none) {
    (void)none;
    return v->kind == PV_FMA ? WALK_STOP : WALK_IN;
}

/* Whether terms in order are floats, for whose sum a zero of either sign is one that may be left
 * out unless that is -0.0.  *begun: sums are -0.0 only if they begin so: those that are rounded
 * further than to the nearest number of which all sums are multiples may become it. */
static bool has_signed_sums(const struct tiling *t, bool *begun) {
    bool floats = false;
    *begun = plan_walk(t->shape.body, &(struct plan_visitor){.value = find_fma}, NULL);
    for (const struct pacc *a = t->shape.accs; a != NULL; a = a->next) {
        floats = floats || is_float(a->acc->dtype);
        *begun = *begun && !is_half(a->acc->rounds);
    }
    return t->in_order && floats;
}

/* Adds the conditions of the sides to the filter, as factors, unless factors of zero do as well. */
static void join_filter(struct sides *in) {
    struct tiling *t = in->tiling;
    bool own = in->own[0] != NULL || in->own[1] != NULL, needed[2] = {false}, always = false,
         floats, begun, exact = has_signed_sums(t, &begun);
    needed[0] = !own && in->neither != NULL && (exact || !ignores_zeros(t));
    for (int side = 0; side < 2; side++)
        if (in->own[side] != NULL) {
            bool ignored = ignores_side(in, side, &floats) && t->shape.filter == NULL;
            ignored = ignored && (begun || !exact);
            needed[side] = !ignored || floats || exact;
            t->finite |= ignored ? 1U << (1 - side) : 0;
            always = always || !ignored;
        }
    if (always || !(needed[0] || needed[1]))
        t->finite = 0;
    for (int side = 0; side < 2; side++)
        if (needed[side])
            t->shape.filter =
                land(in, take_value(in, t->valid[side], in->of[side]), t->shape.filter);
}

/* Whether the element may be out of range at a point that is reduced for other results alone, where
 * reductions do not end at the same place.  A subscript of the reduction's indices is not. */
static bool may_miss_beyond(const struct sides *in, const struct pval *v) {
    for (int i = 0; i < v->nargs; i++)
        if (mask_of(in, v->args[i]) & (in->of[0] | in->of[1]) &&
            !is_in_range(v->args[i], in->plan->operands[v->operand].dims[i]))
            return true;
    return false;
}

struct missing {
    const struct sides *in;
    int side;
    bool (*misses)(const struct sides *in, const struct pval *v);
};

static enum walk find_missing(const struct pval *v, void *arg) {
    const struct missing *m = arg;
    bool own = is_of_side(m->in, mask_of(m->in, v), m->side);
    return v->kind == PV_ELEM && own && m->misses(m->in, v) ? WALK_STOP : WALK_IN;
}

bool ends_apart(const struct sides *in) {
    const struct prange *depth = in->tiling->index[TILE_DEPTH];
    return (mask_of(in, depth->hi) & (in->of[0] | in->of[1])) != 0;
}

/* Whether results of a band are reductions under a condition of their column alone.  Each column
 * has a row in the tile, so that what is read under it is what a reduction reads. */
static bool when_of_columns(const struct sides *in) {
    const struct tiling *t = in->tiling;
    uint32_t mask = t->when != NULL ? mask_of(in, t->when) : 0;
    return t->when != NULL && t->skew == SKEW_COLUMN && (mask & ~in->of[1]) == 0;
}

/* Whether elements that may be out of range are read only under conditions of their own side, which
 * holds where factors are computed too, and at points of their own results.  The filter is asked at
 * all points, also of results that are no reductions. */
static bool reads_within(const struct sides *in, const struct pstmt *body) {
    const struct tiling *t = in->tiling;
    if (t->when != NULL && t->shape.filter != NULL && !exists_anyway(in->plan, t->shape.filter))
        return false;
    for (int side = 0; side < 2; side++) {
        bool when = t->when != NULL && !(side == 1 && when_of_columns(in));
        bool other = when || t->start != NULL || in->both != NULL || in->own[1 - side] != NULL;
        struct missing m = {in, side, other ? may_miss : may_miss_beyond};
        if ((other || ends_apart(in)) &&
            !plan_walk(body, &(struct plan_visitor){.value = find_missing}, &m))
            return false;
    }
    return true;
}

/* ---- the reduction's body */

static void mark_staged(struct sides *in, const struct pstmt *s) {
    if (s->kind == PS_SET)
        in->staged[s->var->id] = true;
    for (const struct pstmt *b = s->body; b != NULL; b = b->next)
        mark_staged(in, b);
    for (const struct pstmt *b = s->other; b != NULL; b = b->next)
        mark_staged(in, b);
}

/* Sets what comes before the factors of each side: the indices, and what is assigned before the
 * reduction. */
static void begin_sides(struct sides *in, struct pstmt *const *joined, const struct pstmt *first) {
    for (const struct pstmt *s = first; s != NULL && s->kind == PS_SET; s = s->next) {
        uint32_t mask = in->mask[s->var->id];
        in->late[s->var->id] =
            !is_of_side(in, mask, 0) && !is_of_side(in, mask, 1) && !(mask & OF_ACC);
    }
    for (int side = 0; side < 2; side++) {
        struct pstmt **end = &in->tiling->before[side];
        append_list(in, &end, joined[side]);
        append_list(in, &end, joined[TILE_DEPTH]);
        for (const struct pstmt *s = first; s != NULL && s->kind == PS_SET; s = s->next)
            if (!is_acc_of(&in->tiling->shape, s->var) &&
                is_of_side(in, in->mask[s->var->id], side)) {
                append(in, &end, s);
                if (in->mask[s->var->id] != 0)
                    mark_staged(in, s);
            }
    }
}

/* Splits the body into what is staged for a side, and the rest, in terms of factors. */
static void split_body(struct sides *in, const struct pstmt *body, struct pstmt ***end) {
    struct pstmt **staged[2] = {&in->tiling->staged[0], &in->tiling->staged[1]};
    for (const struct pstmt *s = body; s != NULL; s = s->next) {
        uint32_t mask = stmt_mask(in, s);
        bool of[2] = {is_of_side(in, mask, 0), is_of_side(in, mask, 1)};
        for (int side = 0; side < 2; side++)
            if (of[side])
                append(in, &staged[side], s);
        if (of[0] || of[1])
            mark_staged(in, s);
        if (s->kind != PS_SET || ((of[0] || of[1]) && mask != 0)) {
            in->failed = in->failed || !(of[0] || of[1]);
            continue;
        }
        append(in, end, s);
        struct pstmt *last = (struct pstmt *)(void *)((char *)*end - offsetof(struct pstmt, next));
        last->value = rewrite(in, s->value);
    }
}

struct naming {
    const struct sides *in;
    const struct pstmt *joined;
};

static enum walk find_name(const struct pval *v, void *arg) {
    const struct naming *n = arg;
    if (v->kind == PV_ELEM)
        return WALK_PAST;
    for (const struct pstmt *s = n->joined; v->kind == PV_VAR && s != NULL; s = s->next)
        if (s->var == v->var)
            return WALK_STOP;
    return WALK_IN;
}

/* Whether the reduction names an index that stands for several as a number. */
static bool names_joined(const struct sides *in, struct pstmt *const *joined) {
    const struct plan_visitor visitor = {.value = find_name};
    for (int i = 0; i < TILE_INDICES; i++) {
        struct naming n = {in, joined[i]};
        if (!plan_walk(in->tiling->shape.body, &visitor, &n) ||
            !value_walk(in->tiling->shape.filter, find_name, &n))
            return true;
    }
    return false;
}

/* Results of a tile that are outside of a band are none. */
static struct pstmt *store_within(struct sides *in, const struct pstmt *rest) {
    struct pstmt *s = NEW(in->uc, struct pstmt);
    *s = (struct pstmt){.kind = PS_IF, .value = in->within};
    s->body = (struct pstmt *)(void *)rest;
    return s;
}

bool find_factors(struct uc *uc, struct plan *p, struct tiling *t) {
    int room = p->nvars + TILE_INDICES + TILE_MAX_FACTORS + TILE_MORE_VARS;
    struct sides in = {.uc = uc,
                       .plan = p,
                       .tiling = t,
                       .mask = NEWN(uc, uint32_t, room),
                       .staged = NEWN(uc, bool, room),
                       .late = NEWN(uc, bool, room)};
    struct pstmt *joined[TILE_INDICES] = {NULL}, *list = NULL, **end = &list;
    find_masks(&in);
    if (in.failed || (!find_sides(&in) && (t->in_order || !find_skew(&in))))
        return false;
    const struct pstmt *first = t->shape.first, *body = t->shape.body;
    set_indices(&in, joined);
    for (int i = 0; i < 2; i++)
        append_list(&in, &end, joined[i]);
    append_list(&in, &end, first);
    t->shape.first = list;
    memcpy(t->joined, joined, sizeof joined);
    begin_sides(&in, joined, first);
    if (t->shape.filter != NULL)
        split_filter(&in, t->shape.filter);
    if (!reads_within(&in, body))
        return false;
    if (t->skew == SKEW_DEPTH)
        in.own[0] = land(&in, in.own[0], in.within);
    for (int side = 0; side < 2; side++)
        t->valid[side] = land(&in, in.neither, in.own[side]);
    t->padded = t->valid[0] != NULL || t->valid[1] != NULL; /* the filter tells, or zeros do */
    if (when_of_columns(&in))
        t->valid[1] = land(&in, t->valid[1], (struct pval *)(void *)t->when);
    if (in.both != NULL)
        in.both = rewrite(&in, in.both);
    list = NULL;
    end = &list;
    split_body(&in, body, &end);
    t->shape.body = list;
    t->shape.filter = in.both;
    join_filter(&in);
    find_directions(&in);
    find_ahead(&in);
    if (t->skew == SKEW_COLUMN)
        t->shape.rest = store_within(&in, t->shape.rest);
    return !in.failed && !names_joined(&in, joined);
}
