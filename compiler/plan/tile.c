/* tile.c: recognises tilings: definitions by a reduction of which no input depends on both
 * indices of the results, so that a tile of results shares what it reads. */
#include <string.h>

#include "plan.h"

/* The statement of a list that sets var; NULL: none does, or several do. */
static const struct pstmt *setting_of(const struct pstmt *s, const struct pvar *var) {
    const struct pstmt *set = NULL;
    for (; s != NULL && s->kind == PS_SET; s = s->next) {
        if (s->var == var && set != NULL)
            return NULL;
        set = s->var == var ? s : set;
    }
    return set;
}

static bool add_growth(const struct pval *v, const int *a, const int *b, int growth[]) {
    for (int i = 0; i < TILE_INDICES; i++)
        growth[i] = v->op == OP_ADD ? a[i] + b[i] : a[i] - b[i];
    return true;
}

static bool grows(const int *growth) {
    return growth[TILE_ROW] != 0 || growth[TILE_COLUMN] != 0 || growth[TILE_DEPTH] != 0;
}

/* Whether a variable is an index of a batch, which is one for a tile. */
static bool is_batched(const struct tiling *t, const struct pvar *var) {
    const struct pstmt *s = t->unjoined;
    while (s != NULL && s->var != var)
        s = s->next;
    return s != NULL || (t->base == var && var != NULL) ||
           (t->batch != NULL && t->batch->var == var);
}

static enum walk find_moving(const struct pval *v, void *tiling) {
    bool fixed = v->kind == PV_CONST || v->kind == PV_DIM || v->kind == PV_OP;
    fixed = fixed || (v->kind == PV_VAR && is_batched(tiling, v->var));
    return fixed ? WALK_IN : WALK_STOP;
}

bool tile_growth(const struct tiling *t, const struct pval *v, int growth[]) {
    int a[TILE_INDICES], b[TILE_INDICES];
    for (int i = 0; i < TILE_INDICES; i++)
        growth[i] = v->kind == PV_VAR && v->var == t->index[i]->var;
    if (v->dtype != DT_INT64)
        return false;
    if (value_walk(v, find_moving, (void *)t))
        return true;
    if (v->kind == PV_VAR) {
        const struct pstmt *set = setting_of(t->shape.first, v->var);
        bool index = growth[TILE_ROW] || growth[TILE_COLUMN] || growth[TILE_DEPTH];
        return index || (set != NULL && tile_growth(t, set->value, growth));
    }
    if (v->kind == PV_OP && v->op == OP_NEG && tile_growth(t, v->args[0], growth)) {
        for (int i = 0; i < TILE_INDICES; i++)
            growth[i] = -growth[i];
        return true;
    }
    if (v->kind != PV_OP || v->nargs != 2 || !tile_growth(t, v->args[0], a) ||
        !tile_growth(t, v->args[1], b))
        return false;
    if (v->op == OP_ADD || v->op == OP_SUB)
        return add_growth(v, a, b, growth);
    const struct pval *times = v->args[v->args[0]->kind == PV_CONST ? 0 : 1];
    const int *of = times == v->args[0] ? b : a;
    bool small = times->kind == PV_CONST && times->i + MAX_FACTOR <= 2 * MAX_FACTOR;
    for (int i = 0; i < TILE_INDICES; i++)
        growth[i] = small ? of[i] * (int)(int64_t)times->i : 0;
    return v->op == OP_MUL && (small || (!grows(a) && !grows(b)));
}

/* As tile_growth, of what may be compared with a number that is an argument. */
static bool bound_growth(const struct tiling *t, const struct pval *v, int growth[]) {
    int a[TILE_INDICES], b[TILE_INDICES];
    if (v->kind == PV_CAST && v->args[0]->kind == PV_LOAD)
        v = v->args[0];
    if (v->kind == PV_LOAD && t->shared == 0 && is_integer(v->dtype)) {
        memset(growth, 0, TILE_INDICES * sizeof *growth);
        return true;
    }
    if (v->kind != PV_OP || v->nargs != 2 || (v->op != OP_ADD && v->op != OP_SUB))
        return tile_growth(t, v, growth);
    return bound_growth(t, v->args[0], a) && bound_growth(t, v->args[1], b) &&
           add_growth(v, a, b, growth);
}

enum {
    BOUND_BITS = 48
}; /* of numbers that sums of indices and of a few others stay in range with */

/* Stops at a number with which a sum may wrap around. */
static enum walk find_wide(const struct pval *v, void *none) {
    const uint64_t most = UINT64_C(1) << BOUND_BITS;
    bool wide = (v->kind == PV_LOAD && dtype_info[v->dtype].bits > BOUND_BITS) ||
                (v->kind == PV_CONST && v->i + most > 2 * most);
    (void)none;
    return wide ? WALK_STOP : WALK_IN;
}

/* Whether a number is as many more in each step of an index, without wrapping around. */
static bool grows_evenly(const struct tiling *t, const struct pval *v, int growth[]) {
    return bound_growth(t, v, growth) && (!grows(growth) || value_walk(v, find_wide, NULL));
}

/* Takes a part of `when` for a bound, if it compares numbers that grow evenly: less is below more,
 * or at most that. */
static void add_bound(struct uc *uc, struct tiling *t, enum op op, struct pval *less,
                      struct pval *more) {
    int a[TILE_INDICES], b[TILE_INDICES];
    if (t->nbounds == TILE_BOUNDS || !grows_evenly(t, less, a) || !grows_evenly(t, more, b))
        return;
    struct tile_bound *bound = &t->bounds[t->nbounds++];
    struct pval *v = NEW(uc, struct pval);
    *v = (struct pval){.kind = PV_OP, .op = op, .dtype = DT_BOOL, .nargs = 2, .args = {less, more}};
    bound->value = v;
    for (int i = 0; i < TILE_INDICES; i++)
        bound->growth[i] = b[i] - a[i];
}

/* Finds the bounds in a part of `when`; an absolute value makes two. */
static void find_bounds(struct uc *uc, struct tiling *t, const struct pval *v) {
    if (v == NULL || v->kind != PV_OP || v->nargs != 2)
        return;
    if (v->op == OP_LAND) {
        find_bounds(uc, t, v->args[0]);
        find_bounds(uc, t, v->args[1]);
        return;
    }
    bool more = v->op == OP_GT || v->op == OP_GE, less = v->op == OP_LT || v->op == OP_LE;
    if (v->args[0]->dtype != DT_INT64 || !(more || less))
        return;
    enum op op = v->op == OP_GT || v->op == OP_LT ? OP_LT : OP_LE;
    struct pval *a = v->args[more], *b = v->args[!more];
    if (a->kind != PV_CALL || a->builtin->id != B_ABS) {
        add_bound(uc, t, op, a, b);
        return;
    }
    struct pval *minus = NEW(uc, struct pval);
    *minus = (struct pval){
        .kind = PV_OP, .op = OP_NEG, .dtype = DT_INT64, .nargs = 1, .args = {a->args[0]}};
    add_bound(uc, t, op, a->args[0], b);
    add_bound(uc, t, op, minus, b);
}

/* ---- whether zeros change the reduction */

static enum walk find_name(const struct pval *v, void *tiling) {
    struct tiling *t = tiling;
    for (int i = 0; v->kind == PV_VAR && i < TILE_INDICES; i++)
        t->names_index = t->names_index || v->var == t->index[i]->var;
    return v->kind == PV_ELEM ? WALK_PAST : WALK_IN;
}

bool ignores_zeros(struct tiling *t) {
    const struct pvar *zero[TILE_MAX_FACTORS];
    int n = 0;
    for (int k = 0; k < t->nfactors; k++)
        if (t->factors[k].value != NULL)
            zero[n++] = t->factors[k].var;
    plan_walk(t->shape.body, &(struct plan_visitor){.value = find_name}, t);
    value_walk(t->shape.filter, find_name, t);
    return t->shape.filter == NULL && !t->names_index && keeps_accs(&t->shape, zero, n);
}

/* ---- how results are stored */

static enum walk find_read(const struct pval *v, void *rest) {
    return v->kind == PV_ELEM && is_put(rest, v->operand) ? WALK_STOP : WALK_IN;
}

static int stmt_size(const struct pstmt *s) {
    int size = value_size(s->value);
    for (const struct pstmt *b = s->body; b != NULL; b = b->next)
        size += stmt_size(b);
    for (const struct pstmt *b = s->other; b != NULL; b = b->next)
        size += stmt_size(b);
    return size;
}

/* The sides whose index a subscript depends on, a bit each. */
struct side_search {
    const struct tiling *tiling;
    unsigned sides;
};

/* Stops at what is neither made of a side's index nor the same for all results. */
static enum walk find_side(const struct pval *v, void *arg) {
    struct side_search *x = arg;
    const struct tiling *t = x->tiling;
    for (int side = 0; side < 2 && v->kind == PV_VAR; side++)
        if (v->var == t->index[side]->var || setting_of(t->joined[side], v->var) != NULL) {
            x->sides |= 1u << side;
            return WALK_IN;
        }
    return find_moving(v, (void *)t);
}

/* Whether a subscript is of the row alone, or of the column, where these stand for several indices:
 * growth then tells which. */
static bool is_of_one_side(const struct tiling *t, const struct pval *v, int growth[]) {
    struct side_search x = {t, 0};
    bool all = v->dtype == DT_INT64 && value_walk(v, find_side, &x);
    for (int side = 0; side < 2; side++)
        growth[side] = (int)(x.sides >> side & 1);
    return all && x.sides != 3;
}

/* Finds the places that `rest` stores to, if it is short and reads no array of these. */
static void find_stores(struct tiling *t) {
    const struct plan_visitor reads = {.value = find_read};
    void *rest = (void *)t->shape.rest;
    int size = 0;
    t->stores_apart = (t->joins[TILE_ROW] || t->joins[TILE_COLUMN]) && t->shared == 0;
    for (const struct pstmt *s = t->shape.rest; s != NULL; s = s->next) {
        size += stmt_size(s);
        bool free =
            s->kind == PS_PUT ? value_walk(s->value, find_read, rest) : stmt_walk(s, &reads, rest);
        if (!free || size > TILE_SHORT_REST)
            t->nstores = TILE_MAX_STORES + 1;
        if (s->kind != PS_PUT || t->nstores >= TILE_MAX_STORES) {
            t->nstores += s->kind == PS_PUT;
            continue;
        }
        struct factor *f = &t->stores[t->nstores++];
        f->place = s->place;
        for (int k = 0; k < s->place->nargs; k++) {
            const struct pval *v = s->place->args[k];
            bool of_side = t->stores_apart ? is_of_one_side(t, v, f->growth[k])
                                           : tile_growth(t, v, f->growth[k]);
            if (s->place->checked & (1 << k) || !of_side)
                t->nstores = TILE_MAX_STORES + 1;
        }
    }
    if (t->nstores > TILE_MAX_STORES)
        t->nstores = 0;
}

/* ---- the size of a thread's share */

static enum walk count_operation(const struct pval *v, void *count) {
    if (v->kind == PV_ELEM)
        return WALK_PAST;
    bool divides = v->kind == PV_OP && (v->op == OP_DIV || v->op == OP_FLOORDIV || v->op == OP_MOD);
    *(int *)count += divides && v->args[1]->kind == PV_CONST         ? 2
                     : divides                                       ? TILE_DIVISION
                     : v->kind != PV_CALL                            ? v->nargs > 0
                     : v->builtin->id == B_ABS && is_float(v->dtype) ? 0
                                                                     : TILE_CALL;
    return WALK_IN;
}

/* Whether its kernels reduce in two loops, with and without conditions, which take registers. */
static bool is_twofold(const struct tiling *t) {
    return t->guarded || t->finite;
}

/* As many results as registers hold; fewer of a long body, which is copied for each. */
static void choose_share(struct tiling *t) {
    int words = 0, operations = 0, most = 0, conditions = 0;
    for (const struct pacc *a = t->shape.accs; a != NULL; a = a->next)
        words += dtype_info[a->acc->dtype].bits > 32 ? dtype_info[a->acc->dtype].bits / 32 : 1;
    plan_walk(t->shape.body, &(struct plan_visitor){.value = count_operation}, &operations);
    value_walk(t->finite ? NULL : t->shape.filter, count_operation, &operations);
    for (int n = 0; n < t->nfactors; n++) {
        const struct factor *f = &t->factors[n];
        int bits = dtype_info[f->dtype].bits;
        most = bits > most ? bits : most;
        conditions += f->value != NULL && f->value == t->valid[f->of_rows ? 0 : 1];
    }
    words = words > most / 32 ? words : most / 32;
    int factors = t->nfactors - (t->finite ? conditions : 0);
    bool wide = words <= (is_twofold(t) ? 1 : 2) && factors == 2, half = words <= 2 && factors <= 3;
    t->per[TILE_ROW] = (wide || half) && operations <= TILE_LONG_BODY ? 8 : 4;
    t->per[TILE_COLUMN] = wide && (operations + 1) * words <= TILE_SHORT_BODY ? 8 : 4;
    t->operations = operations;
}

/* Finds the instructions of an element of sides' factors that are values: for what these are made
 * of, of which conditions compare 64 bits, and for its address and place. */
static void count_computed(struct tiling *t) {
    for (int n = 0; n < t->nfactors; n++) {
        const struct factor *f = &t->factors[n];
        int side = f->of_rows ? TILE_ROW : TILE_COLUMN, *count = &t->computed[side];
        if (f->value == NULL)
            continue;
        if (*count == 0) {
            *count = TILE_ELEMENT;
            plan_walk(t->staged[side], &(struct plan_visitor){.value = count_operation}, count);
        }
        if (f->value != t->valid[side])
            value_walk(f->value, count_operation, count);
    }
    for (int side = 0; side < 2; side++)
        if (t->computed[side] > 0) {
            value_walk(t->valid[side], count_operation, &t->computed[side]);
            value_walk(t->valid[side], count_operation, &t->computed[side]);
        }
}

/* Whether teams of a block may share a reduction: they join their accs in shared memory, and none
 * has tables of its own of the reduction's index.  Factors under conditions take their time to
 * compute: they are for larger tiles. */
static bool may_gather(const struct tiling *t) {
    bool joins = t->joins[TILE_ROW] || t->joins[TILE_COLUMN] || t->joins[TILE_DEPTH];
    bool tables = joins && (t->nahead[0] > 0 || t->nahead[1] > 0);
    int bits = 0;
    for (const struct pacc *a = t->shape.accs; a != NULL; a = a->next)
        bits += dtype_info[a->acc->dtype].bits;
    bool conditional = t->valid[0] != NULL || t->valid[1] != NULL;
    return t->ndepth > 0 && !tables && !conditional && bits <= TILE_GATHERED_BITS;
}

/* ---- products */

/* The number of the factor that v stands for; -1: it is none of float64. */
static int factor_of(const struct tiling *t, const struct pval *v) {
    for (int n = 0; n < t->nfactors && v->dtype == DT_FLOAT64; n++) {
        const struct factor *f = &t->factors[n];
        if (f->place != NULL ? same_value(f->place, v) : v->kind == PV_VAR && v->var == f->var)
            return n;
    }
    return -1;
}

/* Sets *product to what s adds to an acc.  False: it does something else. */
static bool match_product(const struct tiling *t, const struct pstmt *s, struct product *product) {
    const struct pval *v = s->value;
    const struct pacc *acc = t->shape.accs;
    int of[2];
    *product = (struct product){.acc = 0};
    while (acc != NULL && (s->kind != PS_SET || acc->acc != s->var)) {
        acc = acc->next;
        product->acc++;
    }
    if (acc == NULL || v->kind != PV_FMA || v->args[2]->kind != PV_VAR || v->args[2]->var != s->var)
        return false;
    for (int i = 0; i < 2; i++) {
        const struct pval *factor = v->args[i];
        if (factor->kind == PV_OP && factor->op == OP_NEG) {
            product->minus = !product->minus;
            factor = factor->args[0];
        }
        of[i] = factor_of(t, factor);
        if (of[i] < 0)
            return false;
    }
    int row = t->factors[of[0]].of_rows ? 0 : 1;
    product->row = of[row];
    product->column = of[1 - row];
    return t->factors[product->row].of_rows && !t->factors[product->column].of_rows;
}

/* Finds the products of which the body is the sums, if these are all that it does. */
static void find_products(struct tiling *t) {
    bool whole = (t->shape.filter == NULL || t->finite) && !t->names_index;
    const struct pstmt *s = t->shape.body;
    for (int n = 0; whole && n < TILE_MAX_PRODUCTS; n++, s = s->next) {
        if (s == NULL) {
            t->nproducts = n;
            return;
        }
        if (!match_product(t, s, &t->products[n]))
            return;
    }
    if (whole && s == NULL)
        t->nproducts = TILE_MAX_PRODUCTS;
}

/* ---- the tiling */

/* Matches a point whose reduction is needed only under a condition: assignments, the condition, and
 * the reduction within it, behind assignments that may be done in any case. */
static bool match_when(struct uc *uc, const struct plan *p, struct tiling *t) {
    struct shape *m = &t->shape;
    const struct pstmt *s = m->first, *begin = s;
    while (s != NULL && s->kind == PS_SET)
        s = s->next;
    if (s == NULL || s->kind != PS_IF)
        return match_definition(m->first, m);
    struct pstmt *rest = NEW(uc, struct pstmt), *list = NULL, **end = &list;
    *rest = *s;
    if (!match_definition(s->body, m) || !is_straight(m->rest, true) ||
        !is_straight(s->other, true))
        return false;
    const struct pstmt *const lists[] = {begin, m->first};
    for (int i = 0; i < 2; i++)
        for (s = lists[i]; s->kind == PS_SET; s = s->next, end = &(*end)->next) {
            if (i == 1 && !exists_anyway(p, s->value))
                return false;
            *end = NEW(uc, struct pstmt);
            **end = *s;
            (*end)->next = NULL;
        }
    t->when = rest->value;
    rest->body = (struct pstmt *)(void *)m->rest;
    m->rest = rest;
    m->first = list;
    return is_straight(rest->next, true);
}

static enum walk find_use(const struct pval *v, void *var) {
    return v->kind == PV_VAR && v->var == var ? WALK_STOP : WALK_IN;
}

/* Whether a statement reads a variable. */
static bool reads(const struct pstmt *s, const struct pvar *var) {
    const struct plan_visitor uses = {.value = find_use, .joined = true};
    struct pstmt alone = *s;
    alone.next = NULL;
    return !plan_walk(&alone, &uses, (void *)var);
}

/* Whether an assignment sets an acc of a reduction, reads one, or is read by the reduction. */
static bool is_part_of(const struct pstmt *set, const struct pstmt *reduction) {
    for (const struct pacc *a = reduction->accs; a != NULL; a = a->next)
        if (a->acc == set->var || a->other == set->var || reads(set, a->acc) ||
            reads(set, a->other))
            return true;
    return reads(reduction, set->var);
}

/* Finds which of n assignments before a reduction it needs: those of a variable go together, and
 * one that reads what is set again after it stays before that. */
static void find_needed(const struct pstmt *const *set, int n, const struct pstmt *reduction,
                        bool *needed) {
    bool more = true;
    for (int i = 0; i < n; i++)
        needed[i] = is_part_of(set[i], reduction);
    while (more) {
        more = false;
        for (int i = 0; i < n; i++)
            for (int k = 0; k < n && !needed[i]; k++)
                if (needed[k] && (set[k]->var == set[i]->var || reads(set[k], set[i]->var) ||
                                  (k > i && reads(set[i], set[k]->var))))
                    needed[i] = more = true;
    }
}

/* Puts assignments before the reduction that it does not need behind it: they are made for each
 * result alone. */
static void defer_settings(struct uc *uc, struct shape *m) {
    const struct pstmt *set[TILE_DEFERRED], *s = m->first;
    struct pstmt *list[2] = {NULL}, **end[2] = {&list[0], &list[1]};
    bool needed[TILE_DEFERRED];
    int n = 0;
    for (; s->kind == PS_SET && n < TILE_DEFERRED; s = s->next)
        set[n++] = s;
    if (s->kind == PS_SET)
        return;
    find_needed(set, n, s, needed);
    for (int i = 0; i < n; i++) {
        struct pstmt *copy = NEW(uc, struct pstmt), ***to = &end[needed[i] ? 0 : 1];
        *copy = *set[i];
        **to = copy;
        *to = &copy->next;
    }
    *end[0] = (struct pstmt *)(void *)s;
    *end[1] = (struct pstmt *)(void *)m->rest;
    m->first = list[0];
    m->rest = list[1];
}

static bool find_batch_size(struct uc *uc, struct tiling *t) {
    t->batches = NEWN(uc, struct ufc_term, UFC_MAX_TERMS);
    return t->batch == NULL || value_terms(t->batch->hi, t->batches, &t->nbatches);
}

const struct tiling *find_tiling(struct uc *uc, struct plan *p, const struct pstmt *s) {
    struct tiling *t = NEW(uc, struct tiling);
    struct shape *m = &t->shape;
    if (p->checked || !match_points(begin_at_zero(uc, p, logic_in_bits(uc, p, s)), m))
        return NULL;
    t->in_order = has_terms_in_order(m->first);
    if (!(t->in_order ? match_in_order(uc, p, t) : match_when(uc, p, t)))
        return NULL;
    if (!t->in_order && t->when == NULL && constant_points(m->in) > BRIEF_POINTS)
        defer_settings(uc, m);
    if ((t->when == NULL && !is_straight(m->rest, true)) || !find_factors(uc, p, t) ||
        !find_shape_sizes(uc, m) || !find_batch_size(uc, t) ||
        !tile_growth(t, m->in->hi, t->end_growth) || t->end_growth[TILE_DEPTH] != 0)
        return NULL;
    if (t->start != NULL && (!tile_growth(t, t->start, t->start_growth) ||
                             t->end_growth[TILE_ROW] != 0 || t->end_growth[TILE_COLUMN] != 0))
        return NULL;
    bool ignored = ignores_zeros(t);
    t->padded = (t->padded || ignored) && !t->in_order;
    find_bounds(uc, t, t->when);
    t->guarded = t->end_growth[TILE_ROW] != 0 || t->end_growth[TILE_COLUMN] != 0;
    t->depth = NEWN(uc, struct ufc_term, UFC_MAX_TERMS);
    if (t->guarded || !value_terms(m->in->hi, t->depth, &t->ndepth))
        t->ndepth = 0;
    if (t->joins[TILE_DEPTH] && t->ndepth == 0)
        return NULL;
    choose_share(t);
    count_computed(t);
    t->gathers = !t->in_order && may_gather(t);
    find_stores(t);
    if (t->in_order)
        return t;
    find_products(t);
    find_sparse(p, s, t);
    return t;
}

static enum walk find_input(const struct pval *v, void *none) {
    (void)none;
    return v->kind == PV_ELEM || v->kind == PV_LOAD ? WALK_STOP : WALK_IN;
}

/* Whether a statement of the body is one that an earlier launch computes, or an assignment that
 * reads no input, which a tile's kernel repeats. */
static bool stands_alone(const struct pstmt *s) {
    return s->kind == PS_SPREAD || is_phase_loop(s) || s->kind == PS_PUT ||
           (s->kind == PS_SET && value_walk(s->value, find_input, NULL));
}

void find_tilings(struct uc *uc, struct plan *p) {
    bool *puts = NEWN(uc, bool, p->map.phases + 1); /* by phase: it stores beside its definition */
    for (const struct pstmt *s = p->body->body; s != NULL; s = s->next) {
        if (!stands_alone(s))
            return;
        puts[s->phase] = puts[s->phase] || s->kind == PS_PUT;
    }
    for (const struct pstmt *s = p->body->body; s != NULL; s = s->next)
        if (s->kind == PS_SPREAD && !puts[s->phase])
            p->map.tiling[s->phase] = find_tiling(uc, p, s);
}

bool tiles_calls(const struct plan *p) {
    for (int i = 0; i < p->map.phases; i++)
        if (p->map.tiling[i] != NULL && p->map.tiling[i]->shared == 0)
            return false;
    return true;
}

bool is_matrix(const struct tiling *t) {
    return t != NULL && t->nproducts > 0 && t->shared == 0 && t->skew == SKEW_NONE;
}

int matrix_columns(const struct tiling *t) {
    return t->shape.naccs > 1 || is_twofold(t) ? 4 : 8;
}

const struct tiling *next_tiling(const struct plan *p, int phase) {
    while (phase < p->map.phases && p->map.tiling[phase] == NULL)
        phase++;
    return phase < p->map.phases ? p->map.tiling[phase] : NULL;
}
