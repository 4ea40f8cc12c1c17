/* block.c: a block of a tiling's results: its indices, how lanes lie along them, and its memory. */
#include <string.h>

#include "tile.h"

/* ---- indices */

static const struct prange *range_of(const struct host_tile *t, enum tile_index index) {
    return t->tiling->index[index];
}

const struct pvar *block_lane(const struct host_tile *t, enum tile_index index, bool run) {
    const struct pstmt *joined = t->tiling->joined[index];
    return run && joined != NULL ? joined->var : range_of(t, index)->var;
}

unsigned block_most(const struct host_tile *t, enum tile_index index) {
    return index == TILE_ROW     ? PANEL_ROWS
           : index == TILE_DEPTH ? PANEL_DEPTH
                                 : t->vectors * (unsigned)t->lanes;
}

/* The address of the value that variable n of those that the index stands for has at a point. */
static LLVMValueRef listed_at(struct host_tile *t, enum tile_index index, int n, LLVMValueRef at) {
    uint64_t before = (uint64_t)n * (block_most(t, index) + (uint64_t)t->lanes) * 8;
    return at_byte(t->g, t->table[index],
                   add(t->g, i64(t->g, before), multiply(t->g, at, i64(t->g, 8))));
}

static void move_index(struct gen *g, LLVMValueRef from, LLVMValueRef to) {
    LLVMBuildStore(g->b, LLVMBuildLoad2(g->b, i64_type(g), from, ""), to);
}

void block_list(struct host_tile *t, enum tile_index index) {
    struct gen *g = t->g;
    struct loop l;
    LLVMValueRef zero = i64(g, 0);
    if (t->table[index] == NULL)
        return;
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], t->count[index]));
    l.keep = true;
    LLVMBuildStore(g->b, add(g, t->first[index], l.phi[0]),
                   var_of(g, range_of(t, index)->var)->slot);
    gen_stmts(g, t->tiling->joined[index]);
    int n = 0;
    for (const struct pstmt *s = t->tiling->joined[index]; s != NULL; s = s->next, n++)
        move_index(g, var_of(g, s->var)->slot, listed_at(t, index, n, l.phi[0]));
    LLVMValueRef next = add(g, l.phi[0], i64(g, 1));
    loop_end(g, &l, &next);
}

void block_set_index(struct host_tile *t, enum tile_index index, LLVMValueRef at) {
    struct gen *g = t->g;
    int n = 0;
    LLVMBuildStore(g->b, add(g, t->first[index], at), var_of(g, range_of(t, index)->var)->slot);
    for (const struct pstmt *s = t->tiling->joined[index]; s != NULL; s = s->next, n++)
        move_index(g, listed_at(t, index, n, at), var_of(g, s->var)->slot);
}

/* Sets a variable in lanes to its value and the next ones. */
static void count_lanes(struct host_tile *t, const struct pvar *v, LLVMValueRef first) {
    struct gen *g = t->g;
    LLVMValueRef lanes = LLVMBuildAdd(g->b, gen_dynamic_splat(g, first), gen_lane_numbers(g), "");
    LLVMBuildStore(g->b, lanes, var_of(g, v)->lanes);
}

void block_set_lanes(struct host_tile *t, enum tile_index index, LLVMValueRef at, bool run) {
    struct gen *g = t->g;
    const struct pvar *last = block_lane(t, index, true);
    int n = 0;
    block_set_index(t, index, at);
    if (run || t->table[index] == NULL) {
        count_lanes(t, last, LLVMBuildLoad2(g->b, i64_type(g), var_of(g, last)->slot, ""));
        return;
    }
    count_lanes(t, range_of(t, index)->var, add(g, t->first[index], at));
    for (const struct pstmt *s = t->tiling->joined[index]; s != NULL; s = s->next, n++) {
        LLVMTypeRef type = LLVMVectorType(i64_type(g), (unsigned)t->lanes);
        LLVMValueRef v = LLVMBuildLoad2(g->b, type, listed_at(t, index, n, at), "");
        LLVMSetAlignment(v, 8);
        LLVMBuildStore(g->b, v, var_of(g, s->var)->lanes);
    }
}

struct varying *block_varying(struct host_tile *t, enum tile_index index, bool run) {
    struct varying *v = nothing_varies(t->g->uc, t->g->plan, LANES_POINTS);
    v->vars[block_lane(t, index, true)->id] = true;
    if (run)
        return v;
    v->vars[range_of(t, index)->var->id] = true;
    for (const struct pstmt *s = t->tiling->joined[index]; s != NULL; s = s->next)
        v->vars[s->var->id] = true;
    return v;
}

/* i1: the lanes from point `at` on exist, and differ by the last of the indices alone. */
static LLVMValueRef are_run(struct host_tile *t, enum tile_index index, LLVMValueRef at) {
    struct gen *g = t->g;
    LLVMValueRef lanes = i64(g, (uint64_t)t->lanes);
    LLVMValueRef whole = compare(g, LLVMIntSLE, add(g, at, lanes), t->count[index]);
    if (t->table[index] == NULL)
        return whole;
    LLVMValueRef from = LLVMBuildLoad2(g->b, i64_type(g), listed_at(t, index, 0, at), ""),
                 last = add(g, at, i64(g, (uint64_t)t->lanes - 1)),
                 to = LLVMBuildLoad2(g->b, i64_type(g), listed_at(t, index, 0, last), "");
    return both(g, whole, compare(g, LLVMIntEQ, subtract(g, to, from), subtract(g, last, at)));
}

void block_branch(struct host_tile *t, enum tile_index index, LLVMValueRef at, LLVMValueRef unit,
                  LLVMBasicBlockRef way[LANES_WAYS]) {
    struct gen *g = t->g;
    static const char *const names[] = {"run", "part", "other"};
    LLVMBasicBlockRef less = gen_block(g, "less");
    for (int i = 0; i < LANES_WAYS; i++)
        way[i] = gen_block(g, names[i]);
    LLVMBuildCondBr(g->b, both(g, unit, are_run(t, index, at)), way[LANES_RUN], less);
    gen_place(g, less);
    LLVMValueRef no = LLVMConstInt(i1_type(g), 0, false);
    LLVMBuildCondBr(g->b, t->table[index] == NULL && g->level > LEVEL_V2 ? unit : no,
                    way[LANES_PART], way[LANES_OTHER]);
}

struct gen_array *block_arrays(struct host_tile *t) {
    struct gen *g = t->g;
    const struct plan *plan = g->plan;
    size_t n = (size_t)(plan->noperands + plan->nlocals);
    struct gen_array *own = NEWN(g->uc, struct gen_array, n);
    memcpy(own, g->arrays, n * sizeof *own);
    for (int k = 0, at = 0; k < plan->noperands; k++)
        for (int r = 0; r < plan->operands[k].rank; r++, at++) {
            LLVMValueRef place = at_byte(g, t->strides, i64(g, (uint64_t)at * 8));
            own[k].stride[r] = LLVMBuildLoad2(g->b, i64_type(g), place, "");
            LLVMSetVolatile(own[k].stride[r], true);
        }
    return own;
}

/* Keeps the strides for block_arrays. */
static void keep_strides(struct host_tile *t) {
    struct gen *g = t->g;
    const struct plan *plan = g->plan;
    int n = 0;
    for (int k = 0; k < plan->noperands; k++)
        n += plan->operands[k].rank;
    t->strides = gen_alloca(g, LLVMArrayType2(i64_type(g), (uint64_t)n), "strides");
    n = 0;
    for (int k = 0; k < plan->noperands; k++)
        for (int r = 0; r < plan->operands[k].rank; r++, n++)
            LLVMBuildStore(g->b, g->arrays[k].stride[r],
                           at_byte(g, t->strides, i64(g, (uint64_t)n * 8)));
}

/* ---- memory */

enum { ROW_GAP = 64 }; /* bytes behind a row's factor, so that rows do not meet in the cache */

static uint64_t panel_width(const struct host_tile *t) {
    return (uint64_t)t->held[TILE_COLUMN] * (uint64_t)t->lanes;
}

LLVMValueRef panel_at(struct host_tile *t, const struct panel *p, LLVMValueRef x, LLVMValueRef k) {
    struct gen *g = t->g;
    LLVMValueRef at;
    if (p->side == TILE_ROW) {
        at = add(g, multiply(g, x, i64(g, t->row)), multiply(g, k, i64(g, p->bytes)));
    } else {
        LLVMValueRef width = i64(g, panel_width(t)), n = LLVMBuildUDiv(g->b, x, width, ""),
                     in = LLVMBuildURem(g->b, x, width, "");
        at = multiply(g, add(g, multiply(g, n, i64(g, PANEL_DEPTH)), k), i64(g, t->group));
        at = add(g, at, multiply(g, in, i64(g, p->bytes)));
    }
    return at_byte(g, t->memory[p->side], add(g, at, i64(g, p->offset)));
}

void block_describe(struct host_tile *t) {
    t->row = t->group = 0;
    for (int n = 0; n < t->tiling->nfactors; n++) {
        struct panel *p = &t->panel[n];
        *p = (struct panel){.factor = &t->tiling->factors[n]};
        p->side = p->factor->of_rows ? TILE_ROW : TILE_COLUMN;
        p->bytes = (unsigned)dtype_info[p->factor->dtype].bits / 8;
        p->offset = p->side == TILE_ROW ? t->row : t->group;
        if (p->side == TILE_ROW)
            t->row += PANEL_DEPTH * p->bytes + ROW_GAP;
        else
            t->group += (unsigned)panel_width(t) * p->bytes;
    }
    unsigned held = t->held[TILE_COLUMN];
    t->vectors = held;
    while (t->vectors * 2 <= PANEL_VECTORS &&
           t->vectors * 2 / held * t->group * PANEL_DEPTH <= PANEL_BYTES)
        t->vectors *= 2;
}

/* The factor of columns that may be read where it is: it is the only one, elements that all exist.
 * NULL: there is none. */
static const struct factor *unpacked_factor(const struct host_tile *t) {
    const struct tiling *tiling = t->tiling;
    const struct factor *found = NULL;
    bool plain = !tiling->guarded && tiling->when == NULL && tiling->shape.filter == NULL &&
                 tiling->joined[TILE_COLUMN] == NULL && tiling->joined[TILE_DEPTH] == NULL;
    for (int n = 0; n < tiling->nfactors && plain; n++) {
        if (tiling->factors[n].of_rows)
            continue;
        plain = found == NULL && tiling->factors[n].place != NULL;
        found = &tiling->factors[n];
    }
    return plain ? found : NULL;
}

/* Bytes from one point of an index to the next in a factor that grows evenly. */
static LLVMValueRef bytes_along(struct host_tile *t, const struct factor *f,
                                enum tile_index index) {
    struct gen *g = t->g;
    LLVMValueRef sum = i64(g, 0);
    for (int i = 0; i < f->place->nargs; i++)
        sum = add(g, sum,
                  multiply(g, g->arrays[f->place->operand].stride[i],
                           i64(g, (uint64_t)(int64_t)f->growth[i][index])));
    return sum;
}

void block_find_packed(struct host_tile *t) {
    struct gen *g = t->g;
    const struct factor *f = unpacked_factor(t);
    t->packed_from = i64(g, 0);
    if (f == NULL)
        return;
    LLVMValueRef size = i64(g, (uint64_t)dtype_info[f->dtype].bits / 8),
                 width = i64(g, panel_width(t)),
                 few = compare(g, LLVMIntSLE, t->size[TILE_ROW], i64(g, PANEL_FEW_ROWS)),
                 unit = compare(g, LLVMIntEQ, bytes_along(t, f, TILE_COLUMN), size),
                 whole = LLVMBuildUDiv(g->b, t->count[TILE_COLUMN], width, "");
    t->packed_from = gen_select(g, both(g, few, unit), multiply(g, whole, width), i64(g, 0));
}

LLVMValueRef block_unpacked(struct host_tile *t, LLVMValueRef x, LLVMValueRef *step) {
    const struct factor *f = unpacked_factor(t);
    if (f == NULL)
        return NULL;
    block_set_index(t, TILE_COLUMN, x);
    block_set_index(t, TILE_DEPTH, i64(t->g, 0));
    *step = bytes_along(t, f, TILE_DEPTH);
    return gen_address(t->g, f->place);
}

/* Where the parts of a block of so many rows and columns lie in its memory: its columns, its rows,
 * and the totals of each acc; the last one is where it ends. */
enum { PARTS = 2 + MAX_ACCS };
static void lay_out(const struct host_tile *t, uint64_t rows, uint64_t columns,
                    uint64_t at[PARTS + 1]) {
    int n = 2;
    at[0] = 0;
    at[1] = columns / panel_width(t) * t->group * PANEL_DEPTH + ROW_GAP;
    at[2] = at[1] + (rows + (uint64_t)t->lanes) * t->row; /* squares are whole */
    for (const struct pacc *a = t->tiling->shape.accs; a != NULL; a = a->next, n++)
        at[n + 1] = at[n] + rows * columns * (uint64_t)dtype_info[a->acc->dtype].bits / 8;
    for (; n < PARTS; n++)
        at[n + 1] = at[n];
}

static LLVMValueRef library(struct gen *g, const char *name, LLVMTypeRef result, LLVMTypeRef arg) {
    LLVMValueRef f = LLVMGetNamedFunction(g->module, name);
    return f != NULL ? f
                     : LLVMAddFunction(g->module, name, LLVMFunctionType(result, &arg, 1, false));
}

void block_reserve(struct host_tile *t) {
    struct gen *g = t->g;
    keep_strides(t);
    LLVMTypeRef byte = LLVMInt8TypeInContext(g->context),
                pointer = LLVMPointerTypeInContext(g->context, 0);
    const uint64_t most[] = {PANEL_ROWS, block_most(t, TILE_COLUMN)},
                   few[] = {t->held[TILE_ROW], panel_width(t)};
    uint64_t large[PARTS + 1], small[PARTS + 1];
    lay_out(t, most[0], most[1], large);
    lay_out(t, few[0], few[1], small);
    LLVMValueRef own = gen_alloca(g, LLVMArrayType2(byte, small[PARTS]), "own"), needed;
    LLVMSetAlignment(own, 64);
    needed = compare(g, LLVMIntSGT, t->size[0], i64(g, few[0]));
    needed = LLVMBuildOr(g->b, needed, compare(g, LLVMIntSGT, t->size[1], i64(g, few[1])), "");
    LLVMBasicBlockRef blocks[] = {LLVMGetInsertBlock(g->b), NULL}, after = begin_if(g, needed);
    LLVMValueRef f = library(g, "malloc", pointer, i64_type(g)), bytes = i64(g, large[PARTS] + 64);
    LLVMValueRef got[] = {LLVMConstNull(pointer), NULL};
    got[1] = LLVMBuildCall2(g->b, LLVMGlobalGetValueType(f), f, &bytes, 1, "");
    blocks[1] = LLVMGetInsertBlock(g->b);
    end_if(g, after);
    t->allocated = phi2(g, blocks[0], got[0], blocks[1], got[1]);
    LLVMValueRef many = LLVMBuildIsNotNull(g->b, t->allocated, "");
    LLVMValueRef line = LLVMBuildPtrToInt(g->b, t->allocated, i64_type(g), "");
    line = both(g, LLVMBuildNeg(g->b, line, ""), i64(g, 63));
    LLVMValueRef base = gen_select(g, many, at_byte(g, t->allocated, line), own);
    LLVMValueRef at[PARTS];
    for (int n = 0; n < PARTS; n++)
        at[n] = at_byte(g, base, gen_select(g, many, i64(g, large[n]), i64(g, small[n])));
    t->memory[TILE_COLUMN] = at[0];
    t->memory[TILE_ROW] = at[1];
    for (int n = 0; n < MAX_ACCS; n++)
        t->totals[n] = at[2 + n];
    for (int side = 0; side < 2; side++)
        t->most[side] = gen_select(g, many, i64(g, most[side]), i64(g, few[side]));
    for (int i = 0; i < TILE_INDICES; i++) {
        uint64_t n = 0;
        for (const struct pstmt *s = t->tiling->joined[i]; s != NULL; s = s->next)
            n += block_most(t, (enum tile_index)i) + (uint64_t)t->lanes;
        t->table[i] = n > 0 ? gen_alloca(g, LLVMArrayType2(i64_type(g), n), "table") : NULL;
    }
}

void block_release(struct host_tile *t) {
    struct gen *g = t->g;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(g->context, 0);
    LLVMValueRef f = library(g, "free", LLVMVoidTypeInContext(g->context), pointer);
    LLVMBuildCall2(g->b, LLVMGlobalGetValueType(f), f, &t->allocated, 1, "");
}
