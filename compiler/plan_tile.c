/* plan_tile.c: recognises tilings: definitions by a reduction of which no input depends on both
 * indices of the results, so that a tile of results shares what it reads. */
#include "plan.h"

/* The statement of a list that sets var; NULL: none does. */
static const struct pstmt *setting_of(const struct pstmt *s, const struct pvar *var) {
    while (s != NULL && s->kind == PS_SET && s->var != var)
        s = s->next;
    return s != NULL && s->kind == PS_SET ? s : NULL;
}

static bool add_growth(const struct pval *v, const int *a, const int *b, int growth[]) {
    for (int i = 0; i < TILE_INDICES; i++)
        growth[i] = v->op == OP_ADD ? a[i] + b[i] : a[i] - b[i];
    return true;
}

/* How much v grows with each index.  False: not evenly, or not the same for all points. */
static bool find_growth(const struct tiling *t, const struct pval *v, int growth[]) {
    int a[TILE_INDICES], b[TILE_INDICES];
    for (int i = 0; i < TILE_INDICES; i++)
        growth[i] = v->kind == PV_VAR && v->var == t->index[i]->var;
    if (v->dtype != DT_INT64)
        return false;
    if (v->kind == PV_CONST || v->kind == PV_DIM)
        return true;
    if (v->kind == PV_VAR) {
        const struct pstmt *set = setting_of(t->shape.first, v->var);
        bool index = growth[TILE_ROW] || growth[TILE_COLUMN] || growth[TILE_DEPTH];
        return index || (set != NULL && find_growth(t, set->value, growth));
    }
    if (v->kind == PV_OP && v->op == OP_NEG && find_growth(t, v->args[0], growth)) {
        for (int i = 0; i < TILE_INDICES; i++)
            growth[i] = -growth[i];
        return true;
    }
    if (v->kind != PV_OP || v->nargs != 2 || !find_growth(t, v->args[0], a) ||
        !find_growth(t, v->args[1], b))
        return false;
    if (v->op == OP_ADD || v->op == OP_SUB)
        return add_growth(v, a, b, growth);
    const struct pval *times = v->args[v->args[0]->kind == PV_CONST ? 0 : 1];
    const int *of = times == v->args[0] ? b : a;
    bool small = times->kind == PV_CONST && times->i + MAX_FACTOR <= 2 * MAX_FACTOR;
    for (int i = 0; i < TILE_INDICES; i++)
        growth[i] = small ? of[i] * (int)(int64_t)times->i : 0;
    return v->op == OP_MUL && small;
}

static bool depends(const struct factor *f, enum tile_index index) {
    bool any = false;
    for (int s = 0; s < f->place->nargs; s++)
        any = any || f->growth[s][index] != 0;
    return any;
}

struct search {
    const struct plan *plan;
    struct tiling *tiling;
};

/* An element that the reduction reads: a factor, unless it is the same for all points. */
static bool take_place(const struct search *in, const struct pval *v) {
    struct tiling *t = in->tiling;
    struct factor f = {.place = v};
    for (int n = 0; n < t->nfactors; n++)
        if (same_value(t->factors[n].place, v))
            return true;
    for (int s = 0; s < v->nargs; s++)
        if (v->checked & (1 << s) || !find_growth(t, v->args[s], f.growth[s]))
            return false;
    bool row = depends(&f, TILE_ROW), column = depends(&f, TILE_COLUMN);
    f.of_rows = row;
    if (v->operand >= in->plan->nin || v->dtype == DT_BOOL || (row && column) ||
        t->nfactors == TILE_MAX_FACTORS)
        return false;
    if (row || column || depends(&f, TILE_DEPTH))
        t->factors[t->nfactors++] = f;
    return true;
}

static enum walk take_value(const struct pval *v, void *arg) {
    const struct search *in = arg;
    if (v->kind == PV_ELEM)
        return take_place(in, v) ? WALK_PAST : WALK_STOP;
    for (int i = 0; v->kind == PV_VAR && i < TILE_INDICES; i++)
        in->tiling->names_index = in->tiling->names_index || v->var == in->tiling->index[i]->var;
    return WALK_IN;
}

static bool find_factors(const struct plan *p, struct tiling *t) {
    struct search in = {p, t};
    const struct plan_visitor visitor = {.value = take_value};
    bool of[2] = {false, false};
    if (!plan_walk(t->shape.body, &visitor, &in) || !value_walk(t->shape.filter, take_value, &in))
        return false;
    for (int n = 0; n < t->nfactors; n++)
        of[t->factors[n].of_rows] = true;
    return of[0] && of[1];
}

/* ---- how results are stored */

static enum walk find_read(const struct pval *v, void *plan) {
    const struct plan *p = plan;
    return v->kind == PV_ELEM && v->operand >= p->nin ? WALK_STOP : WALK_IN;
}

/* Finds the places that `rest` stores to, if it is short and reads no output. */
static void find_stores(const struct plan *p, struct tiling *t) {
    int size = 0;
    for (const struct pstmt *s = t->shape.rest; s != NULL; s = s->next) {
        size += value_size(s->value);
        if (!value_walk(s->value, find_read, (void *)p) || size > TILE_SHORT_REST)
            t->nstores = TILE_MAX_STORES + 1;
        if (s->kind != PS_PUT || t->nstores >= TILE_MAX_STORES) {
            t->nstores += s->kind == PS_PUT;
            continue;
        }
        struct factor *f = &t->stores[t->nstores++];
        f->place = s->place;
        for (int k = 0; k < s->place->nargs; k++)
            if (s->place->checked & (1 << k) || !find_growth(t, s->place->args[k], f->growth[k]))
                t->nstores = TILE_MAX_STORES + 1;
    }
    if (t->nstores > TILE_MAX_STORES)
        t->nstores = 0;
}

/* ---- the size of a thread's share */

static enum walk count_operation(const struct pval *v, void *count) {
    if (v->kind == PV_ELEM)
        return WALK_PAST;
    *(int *)count += v->kind == PV_CALL ? TILE_CALL : v->nargs > 0;
    return WALK_IN;
}

/* As many results as registers hold; fewer of a long body, which is copied for each. */
static void choose_share(struct tiling *t) {
    int words = 0, operations = 0, most = 0;
    for (const struct pacc *a = t->shape.accs; a != NULL; a = a->next)
        words += dtype_info[a->acc->dtype].bits > 32 ? dtype_info[a->acc->dtype].bits / 32 : 1;
    plan_walk(t->shape.body, &(struct plan_visitor){.value = count_operation}, &operations);
    value_walk(t->shape.filter, count_operation, &operations);
    for (int n = 0; n < t->nfactors; n++) {
        int bits = dtype_info[t->factors[n].place->dtype].bits;
        most = bits > most ? bits : most;
    }
    words = words > most / 32 ? words : most / 32;
    bool wide = words <= 2 && t->nfactors == 2, half = words <= 2 && t->nfactors <= 3;
    t->per[TILE_ROW] = (wide || half) && operations <= TILE_LONG_BODY ? 8 : 4;
    t->per[TILE_COLUMN] = wide && (operations + 1) * words <= TILE_SHORT_BODY ? 8 : 4;
    t->operations = operations;
}

const struct tiling *find_tiling(struct uc *uc, const struct plan *p) {
    struct tiling *t = NEW(uc, struct tiling);
    struct shape *m = &t->shape;
    if (!match_shape(p, m) || m->at->next == NULL || m->at->next->next != NULL ||
        m->in->next != NULL)
        return NULL;
    t->index[TILE_ROW] = m->at;
    t->index[TILE_COLUMN] = m->at->next;
    t->index[TILE_DEPTH] = m->in;
    if (!find_growth(t, m->in->hi, t->end_growth) || t->end_growth[TILE_DEPTH] != 0 ||
        !find_factors(p, t) || !find_shape_sizes(uc, m))
        return NULL;
    t->padded = m->filter == NULL && !t->names_index && keeps_accs(m);
    t->guarded = t->end_growth[TILE_ROW] != 0 || t->end_growth[TILE_COLUMN] != 0;
    t->depth = NEWN(uc, struct ufc_term, UFC_MAX_TERMS);
    if (t->guarded || !value_terms(m->in->hi, t->depth, &t->ndepth))
        t->ndepth = 0;
    choose_share(t);
    find_stores(p, t);
    return t;
}
