/* mirror.c: tilings whose results are the same with their row and column exchanged, as products of
 * a matrix with itself transposed, and distances of all pairs of its rows.  Tasks below the
 * diagonal are left out; those above it store their results there, too.  Each reduction's points
 * are taken in the same order either way, so that this changes no bit. */
#include "tile.h"

enum { MIRRORED_DEPTH = 32 }; /* points of a reduction whose result is worth storing twice */

struct mirror {
    const struct tiling *t;
    int *sign; /* by id of a variable that the body sets: as sign_of */
};

/* ---- whether a tiling is one */

static int sign_of(const struct mirror *m, const struct pval *a, const struct pval *b);

/* The factor that a variable stands for; NULL: none. */
static const struct factor *factor_of(const struct tiling *t, const struct pvar *var) {
    for (int n = 0; n < t->nfactors; n++)
        if (t->factors[n].value != NULL && t->factors[n].var == var)
            return &t->factors[n];
    return NULL;
}

static int sign_of_variable(const struct mirror *m, const struct pvar *a, const struct pvar *b) {
    const struct pvar *row = m->t->index[TILE_ROW]->var, *column = m->t->index[TILE_COLUMN]->var;
    const struct factor *f = factor_of(m->t, a), *other = factor_of(m->t, b);
    if (f != NULL || other != NULL)
        return f != NULL && other != NULL && f->of_rows != other->of_rows &&
               sign_of(m, f->value, other->value) == 1;
    if (a == row || a == column)
        return b == (a == row ? column : row);
    return a == b ? m->sign[a->id] : 0;
}

/* Of operands in their order, or exchanged. */
static int sign_of_pair(const struct mirror *m, const struct pval *a, const struct pval *b,
                        bool exchanged) {
    int first = sign_of(m, a->args[0], b->args[exchanged]),
        second = sign_of(m, a->args[1], b->args[!exchanged]);
    return first == second ? first : 0;
}

/* Of a product, the first two operands of a and b: also of a difference with itself. */
static int sign_of_product(const struct mirror *m, const struct pval *a, const struct pval *b) {
    int same = sign_of_pair(m, a, b, false);
    bool square = a->args[0]->kind == PV_VAR && a->args[1]->kind == PV_VAR &&
                  a->args[0]->var == a->args[1]->var;
    return same == 1 || (same == -1 && square) || sign_of_pair(m, a, b, true) == 1;
}

static bool may_exchange(enum op op) {
    return op == OP_ADD || op == OP_MUL || op == OP_EQ || op == OP_NE || op == OP_AND ||
           op == OP_OR || op == OP_XOR;
}

static bool are_all_same(const struct mirror *m, const struct pval *a, const struct pval *b) {
    bool same = true;
    for (int i = 0; same && i < a->nargs; i++)
        same = sign_of(m, a->args[i], b->args[i]) == 1;
    return same;
}

/* What b, with row and column exchanged, is of a: 1: the same number, -1: it with the other sign,
 * or both are zeros; 0: it may be another. */
static int sign_of(const struct mirror *m, const struct pval *a, const struct pval *b) {
    if (a->kind != b->kind || a->dtype != b->dtype || a->op != b->op || a->operand != b->operand ||
        a->table != b->table || a->builtin != b->builtin || a->result != b->result ||
        a->nargs != b->nargs || a->i != b->i || a->f != b->f || a->im != b->im)
        return 0;
    if (a->kind == PV_VAR)
        return sign_of_variable(m, a->var, b->var);
    if (a->kind == PV_OP && a->op == OP_MUL)
        return sign_of_product(m, a, b);
    if (a->kind == PV_FMA)
        return sign_of_product(m, a, b) && sign_of(m, a->args[2], b->args[2]) == 1;
    if (a->kind == PV_OP && a->op == OP_SUB && sign_of_pair(m, a, b, true) == 1)
        return -1;
    if (a->kind == PV_CALL && a->builtin->id == B_ABS &&
        (is_float(a->dtype) || is_signed(a->dtype)))
        return sign_of(m, a->args[0], b->args[0]) != 0;
    return are_all_same(m, a, b) ||
           (a->kind == PV_OP && may_exchange(a->op) && sign_of_pair(m, a, b, true) == 1);
}

static bool is_mirror(const struct gen *g, const struct tiling *t, const struct pstmt *settings) {
    struct mirror m = {t, NEWN(g->uc, int, g->plan->nvars + 1)};
    const struct prange *row = t->index[TILE_ROW], *column = t->index[TILE_COLUMN];
    if (t->in_order || t->guarded || t->when != NULL || t->shape.filter != NULL ||
        t->start != NULL || t->nbounds > 0 || t->joins[TILE_ROW] || t->joins[TILE_COLUMN] ||
        t->before[0] != NULL || t->before[1] != NULL || t->valid[0] != NULL || t->valid[1] != NULL)
        return false;
    for (int i = 0; i < g->plan->nvars; i++)
        m.sign[i] = 1;
    for (const struct pstmt *s = settings; s != NULL && s->kind == PS_SET; s = s->next)
        if (s->value->kind != PV_CONST)
            return false;
    for (const struct pstmt *s = t->shape.body; s != NULL; s = s->next) {
        if (s->kind != PS_SET)
            return false;
        m.sign[s->var->id] = sign_of(&m, s->value, s->value);
    }
    for (const struct pacc *a = t->shape.accs; a != NULL; a = a->next)
        if (m.sign[a->acc->id] != 1)
            return false;
    return sign_of(&m, row->hi, column->hi) == 1;
}

LLVMValueRef find_mirrors(struct host_tile *t) {
    struct gen *g = t->g;
    if (!is_mirror(g, t->tiling, t->settings))
        return NULL;
    LLVMValueRef depth = gen_scalar(g, t->tiling->index[TILE_DEPTH]->hi);
    return compare(g, LLVMIntSGE, depth, i64(g, MIRRORED_DEPTH));
}

/* ---- results of the other side */

/* Loads the accs of the results of the block's column `x` and of its rows from `y` on, of which
 * there are so many. */
static void load_totals(struct host_tile *t, LLVMValueRef x, LLVMValueRef y, LLVMValueRef rows) {
    struct gen *g = t->g;
    int n = 0;
    LLVMValueRef last = subtract(g, rows, i64(g, 1));
    for (const struct pacc *a = t->tiling->shape.accs; a != NULL; a = a->next, n++) {
        LLVMTypeRef type = gen_scalar_type(g, a->acc->dtype);
        LLVMValueRef v = LLVMGetUndef(gen_type(g, a->acc->dtype));
        for (int k = 0; k < t->lanes; k++) {
            LLVMValueRef at = least(g, add(g, y, i64(g, (uint64_t)k)), last);
            LLVMValueRef total = LLVMBuildLoad2(g->b, type, total_at(t, n, at, x), "");
            v = LLVMBuildInsertElement(g->b, v, total, i64(g, (uint64_t)k), "");
        }
        LLVMBuildStore(g->b, v, var_of(g, a->acc)->lanes);
    }
}

/* Stores the results of row x, the block's column, and of columns from y on, the block's rows; of
 * these there are so many.  unit: they are a whole vector of neighbours. */
static void store_vector(struct host_tile *t, LLVMValueRef x, LLVMValueRef y, LLVMValueRef rows,
                         bool unit) {
    struct gen *g = t->g;
    struct varying *v = block_varying(t, TILE_COLUMN, true);
    for (const struct pacc *a = t->tiling->shape.accs; a != NULL; a = a->next)
        v->vars[a->acc->id] = true;
    vary_by(g->uc, v, t->settings);
    vary_by(g->uc, v, t->tiling->shape.rest);
    g->varying = v;
    g->lane_var = block_lane(t, TILE_COLUMN, true);
    gen_lane_slots(g, t->lanes);
    struct lanes_scope outer = lanes_enter(g, t->lanes);
    block_set_index(t, TILE_ROW, x);
    block_set_lanes(t, TILE_COLUMN, y, true);
    g->unit = unit;
    if (!unit)
        gen_active_lanes(g, subtract(g, rows, y));
    gen_stmts(g, t->settings);
    load_totals(t, x, y, rows);
    gen_stmts(g, t->tiling->shape.rest);
    lanes_leave(g, outer);
}

/* The block's first rows whose results are those of tasks that are left out, for its column x: of
 * rows of results as many as x's group has in front of it are whole groups of columns. */
static LLVMValueRef mirrored_rows(struct host_tile *t, LLVMValueRef x) {
    struct gen *g = t->g;
    LLVMValueRef group = i64(g, PANEL_ROWS), at = add(g, t->first[TILE_COLUMN], x),
                 before = multiply(g, LLVMBuildUDiv(g->b, at, group, ""), group),
                 end = multiply(g, LLVMBuildUDiv(g->b, before, t->width, ""), t->width);
    return least(g, subtract(g, end, t->first[TILE_ROW]), t->count[TILE_ROW]);
}

void mirror_results(struct host_tile *t, LLVMValueRef unit) {
    struct gen *g = t->g;
    struct loop across, down;
    LLVMValueRef zero = i64(g, 0), lanes = i64(g, (uint64_t)t->lanes);
    LLVMBasicBlockRef after = begin_if(g, t->mirrors);
    loop_begin(g, &across, 1, &zero);
    loop_while(g, &across, compare(g, LLVMIntSLT, across.phi[0], t->count[TILE_COLUMN]));
    across.keep = true;
    LLVMValueRef rows = mirrored_rows(t, across.phi[0]);
    LLVMValueRef first[] = {t->first[TILE_ROW], t->first[TILE_COLUMN]};
    loop_begin(g, &down, 1, &zero);
    loop_while(g, &down, compare(g, LLVMIntSLT, down.phi[0], rows));
    down.keep = true;
    LLVMValueRef next = add(g, down.phi[0], lanes), whole = compare(g, LLVMIntSLE, next, rows);
    LLVMBasicBlockRef all = gen_block(g, "all"), some = gen_block(g, "some"),
                      done = gen_block(g, "stored");
    t->first[TILE_ROW] = first[TILE_COLUMN];
    t->first[TILE_COLUMN] = first[TILE_ROW];
    LLVMBuildCondBr(g->b, unit != NULL ? both(g, unit, whole) : whole, all, some);
    gen_place(g, all);
    store_vector(t, across.phi[0], down.phi[0], rows, true);
    LLVMBuildBr(g->b, done);
    gen_place(g, some);
    store_vector(t, across.phi[0], down.phi[0], rows, false);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    t->first[TILE_ROW] = first[TILE_ROW];
    t->first[TILE_COLUMN] = first[TILE_COLUMN];
    loop_end(g, &down, &next);
    next = add(g, across.phi[0], i64(g, 1));
    loop_end(g, &across, &next);
    end_if(g, after);
}
