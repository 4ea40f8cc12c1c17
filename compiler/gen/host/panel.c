/* panel.c: packs the factors of a tiling's side: a block's elements, each computed once, so that
 * reductions read them one after the other.  Lanes lie along the index whose neighbours are
 * neighbours in memory; where elements are packed along the other one, squares are transposed. */
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

/* ---- what is packed */

/* The statements that set the values of a side's factors, and of its condition. */
static const struct pstmt *program_of(struct host_tile *t, enum tile_index side) {
    const struct tiling *s = t->tiling;
    struct uc *uc = t->g->uc;
    const struct pstmt *before = s->before[side];
    struct pstmt *list = NULL, **end = &list, *guard = NULL;
    for (int i = 0; i < 2; i++)
        for (const struct pstmt *j = s->joined[i == 0 ? side : TILE_DEPTH]; j != NULL; j = j->next)
            before = before->next; /* tables have them */
    for (; before != NULL; before = before->next, end = &(*end)->next) {
        *end = NEW(uc, struct pstmt);
        **end = *before;
        (*end)->next = NULL;
    }
    if (s->valid[side] != NULL) {
        guard = NEW(uc, struct pstmt);
        *guard = (struct pstmt){.kind = PS_IF, .value = s->valid[side]};
    }
    struct pstmt *computed = NULL, **last = &computed;
    for (const struct pstmt *b = s->staged[side]; b != NULL; b = b->next, last = &(*last)->next) {
        *last = NEW(uc, struct pstmt);
        **last = *b;
        (*last)->next = NULL;
    }
    for (int n = 0; n < s->nfactors; n++) {
        const struct factor *f = &s->factors[n];
        if (f->value == NULL || t->panel[n].side != side)
            continue;
        struct pstmt *set = NEW(uc, struct pstmt);
        *set = (struct pstmt){.kind = PS_SET, .var = f->var};
        set->value = (struct pval *)(void *)f->value;
        struct pstmt ***to = guard != NULL && f->value == s->valid[side] ? &end : &last;
        **to = set;
        *to = &set->next;
    }
    if (guard == NULL) {
        *end = computed;
    } else {
        guard->body = computed;
        *end = guard;
    }
    return list;
}

/* The program, with the places of factors that are moved as they are. */
static const struct pstmt *accesses_of(struct host_tile *t, enum tile_index side,
                                       const struct pstmt *program) {
    for (int n = 0; n < t->tiling->nfactors; n++) {
        const struct factor *f = &t->tiling->factors[n];
        if (f->place == NULL || t->panel[n].side != side)
            continue;
        struct pstmt *s = NEW(t->g->uc, struct pstmt);
        *s = (struct pstmt){.kind = PS_PUT, .next = (struct pstmt *)(void *)program};
        s->place = (struct pval *)(void *)f->place;
        program = s;
    }
    return program;
}

/* ---- packing */

/* How a side is packed with lanes along an index. */
struct packing {
    enum tile_index side, along, across;
    const struct pstmt *program;
    struct varying *varying[2];            /* of lanes that are run, and of others */
    LLVMValueRef limit[TILE_INDICES];      /* points; rows: in whole groups of those held */
    LLVMValueRef square[TILE_MAX_FACTORS]; /* [lanes] of vectors, where they are transposed */
};

static LLVMTypeRef lanes_type(struct host_tile *t, enum ufc_dtype d) {
    return LLVMVectorType(gen_memory_type(t->g, d), (unsigned)t->lanes);
}

/* A vector of the factors' values in lanes from point `a` of p->along on, at point `b` of the other
 * index; to row `i` of the squares, or where they belong. */
static void pack_vector(struct host_tile *t, const struct packing *p, LLVMValueRef a,
                        LLVMValueRef b, LLVMValueRef i, enum lanes_way way) {
    struct gen *g = t->g;
    bool run = way != LANES_OTHER;
    g->varying = p->varying[run ? 0 : 1];
    g->lane_var = block_lane(t, p->along, run);
    gen_lane_slots(g, t->lanes);
    LLVMValueRef last = subtract(g, t->count[p->across], i64(g, 1));
    block_set_index(t, p->across, least(g, b, last));
    struct lanes_scope outer = lanes_enter(g, t->lanes);
    block_set_lanes(t, p->along, a, run);
    g->unit = run;
    if (way != LANES_RUN)
        gen_active_lanes(g, subtract(g, t->count[p->along], a));
    for (int n = 0; n < t->tiling->nfactors; n++)
        if (t->tiling->factors[n].value != NULL && t->panel[n].side == p->side) {
            const struct pvar *v = t->tiling->factors[n].var;
            LLVMBuildStore(g->b, LLVMConstNull(gen_slot_type(g, v)), gen_slot_of(g, v));
        }
    gen_stmts(g, p->program);
    for (int n = 0; n < t->tiling->nfactors; n++) {
        const struct factor *f = &t->tiling->factors[n];
        if (t->panel[n].side != p->side)
            continue;
        struct pval var = {.kind = PV_VAR, .dtype = f->dtype, .var = f->var};
        LLVMValueRef v = gen_value(g, f->place != NULL ? f->place : &var), at;
        if (p->square[n] != NULL) {
            uint64_t bytes = (uint64_t)t->lanes * t->panel[n].bytes;
            at = at_byte(g, p->square[n], multiply(g, i, i64(g, bytes)));
        } else {
            at = p->along == TILE_DEPTH ? panel_at(t, &t->panel[n], b, a)
                                        : panel_at(t, &t->panel[n], a, b);
        }
        gen_store_element(g, lanes_type(t, f->dtype), v, at, t->panel[n].bytes);
    }
    lanes_leave(g, outer);
}

/* Moves the squares of lanes at `a`, from point `b` of the other index on, to where they belong. */
static void move_squares(struct host_tile *t, const struct packing *p, LLVMValueRef a,
                         LLVMValueRef b) {
    struct gen *g = t->g;
    LLVMValueRef v[64], from[64];
    int lanes = t->lanes;
    for (int n = 0; n < t->tiling->nfactors; n++) {
        const struct panel *panel = &t->panel[n];
        if (p->square[n] == NULL)
            continue;
        LLVMTypeRef type = lanes_type(t, panel->factor->dtype);
        uint64_t bytes = (uint64_t)lanes * panel->bytes;
        for (int i = 0; i < lanes; i++) {
            v[i] = LLVMBuildLoad2(g->b, type, at_byte(g, p->square[n], i64(g, bytes * (uint64_t)i)),
                                  "");
            LLVMSetAlignment(v[i], panel->bytes);
        }
        for (int apart = lanes / 2; apart > 0; apart /= 2)
            for (int i = 0; i < lanes; i++) {
                if (i & apart)
                    continue;
                LLVMValueRef x = v[i], y = v[i + apart];
                for (int half = 0; half < 2; half++) {
                    for (int l = 0; l < lanes; l++)
                        from[l] = i32(g, (uint32_t)(half ? (l & apart ? l + lanes : l + apart)
                                                         : (l & apart ? l - apart + lanes : l)));
                    v[i + half * apart] = LLVMBuildShuffleVector(
                        g->b, x, y, LLVMConstVector(from, (unsigned)lanes), "");
                }
            }
        for (int i = 0; i < lanes; i++) {
            LLVMValueRef at = add(g, a, i64(g, (uint64_t)i));
            at = p->along == TILE_DEPTH ? panel_at(t, panel, b, at) : panel_at(t, panel, at, b);
            LLVMSetAlignment(LLVMBuildStore(g->b, v[i], at), panel->bytes);
        }
    }
}

/* pack_vector for point `b` of the other index, or a square for as many points from there on. */
static void pack_square(struct host_tile *t, const struct packing *p, LLVMValueRef a,
                        LLVMValueRef b, enum lanes_way way) {
    struct gen *g = t->g;
    struct loop l;
    LLVMValueRef zero = i64(g, 0);
    if ((p->side == TILE_ROW) == (p->along == TILE_DEPTH)) {
        pack_vector(t, p, a, b, zero, way);
        return;
    }
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], i64(g, (uint64_t)t->lanes)));
    l.keep = true;
    pack_vector(t, p, a, add(g, b, l.phi[0]), l.phi[0], way);
    LLVMValueRef next = add(g, l.phi[0], i64(g, 1));
    loop_end(g, &l, &next);
}

/* n in whole groups of `size`. */
static LLVMValueRef rounded(struct gen *g, LLVMValueRef n, uint64_t size) {
    LLVMValueRef up = add(g, n, i64(g, size - 1));
    return multiply(g, LLVMBuildUDiv(g->b, up, i64(g, size), ""), i64(g, size));
}

/* Packs the vectors in [from, to) of p->along at `b`.  unit: i1: neighbours are so in memory; NULL:
 * they are, and all vectors are whole. */
static void pack_vectors(struct host_tile *t, const struct packing *p, LLVMValueRef from,
                         LLVMValueRef to, LLVMValueRef b, LLVMValueRef unit) {
    struct gen *g = t->g;
    struct loop l;
    LLVMBasicBlockRef way[LANES_WAYS];
    loop_begin(g, &l, 1, &from);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], to));
    l.keep = unit != NULL;
    if (unit == NULL) {
        pack_square(t, p, l.phi[0], b, LANES_RUN);
    } else {
        block_branch(t, p->along, l.phi[0], unit, way);
        LLVMBasicBlockRef done = gen_block(g, "packed");
        for (int i = 0; i < LANES_WAYS; i++) {
            gen_place(g, way[i]);
            pack_square(t, p, l.phi[0], b, (enum lanes_way)i);
            LLVMBuildBr(g->b, done);
        }
        gen_place(g, done);
    }
    move_squares(t, p, l.phi[0], b);
    LLVMValueRef next = add(g, l.phi[0], i64(g, (uint64_t)t->lanes));
    loop_end(g, &l, &next);
}

static void pack_along(struct host_tile *t, struct packing *p, LLVMValueRef unit) {
    struct gen *g = t->g;
    struct loop l;
    LLVMValueRef zero = i64(g, 0), end = p->limit[p->along];
    bool turned = (p->side == TILE_ROW) != (p->along == TILE_DEPTH);
    for (int n = 0; n < t->tiling->nfactors; n++) {
        const struct panel *panel = &t->panel[n];
        LLVMTypeRef type = lanes_type(t, panel->factor->dtype);
        p->square[n] = NULL;
        if (turned && panel->side == p->side) {
            p->square[n] = gen_alloca(g, LLVMArrayType2(type, (uint64_t)t->lanes), "square");
            LLVMSetAlignment(p->square[n], 64);
        }
    }
    LLVMValueRef lanes = i64(g, (uint64_t)t->lanes);
    LLVMValueRef whole = multiply(g, LLVMBuildUDiv(g->b, t->count[p->along], lanes, ""), lanes);
    whole = gen_select(g, unit, whole, zero);
    loop_begin(g, &l, 1, &zero);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], p->limit[p->across]));
    l.keep = true;
    if (turned || t->table[p->along] != NULL)
        whole = zero;
    else
        pack_vectors(t, p, zero, whole, l.phi[0], NULL);
    pack_vectors(t, p, whole, end, l.phi[0], unit);
    LLVMValueRef next = add(g, l.phi[0], turned ? lanes : i64(g, 1));
    loop_end(g, &l, &next);
}

/* Sets p for lanes along an index.  i1: neighbours along it are neighbours in memory. */
static LLVMValueRef choose_lanes(struct host_tile *t, struct packing *p, enum tile_index along) {
    struct gen *g = t->g;
    const struct pstmt *accesses = accesses_of(t, p->side, p->program);
    p->along = along;
    p->across = along == TILE_DEPTH ? p->side : TILE_DEPTH;
    for (int way = 0; way < 2; way++) {
        p->varying[way] = block_varying(t, along, way == 0);
        vary_by(g->uc, p->varying[way], p->program);
    }
    g->varying = p->varying[0];
    g->lane_var = block_lane(t, along, true);
    LLVMValueRef unit = points_unit(g, accesses, i64(g, 1));
    return unit != NULL ? unit : LLVMConstInt(i1_type(g), 1, false);
}

/* Whether a side's factors are all moved as they are. */
static bool all_places(const struct host_tile *t, enum tile_index side) {
    for (int n = 0; n < t->tiling->nfactors; n++)
        if (t->panel[n].side == side && t->panel[n].factor->place == NULL)
            return false;
    return true;
}

void block_pack(struct host_tile *t, enum tile_index side) {
    struct gen *g = t->g;
    struct packing p = {.side = side, .program = program_of(t, side)};
    p.limit[TILE_DEPTH] = t->count[TILE_DEPTH];
    p.limit[side] =
        side == TILE_ROW ? rounded(g, t->count[side], t->held[TILE_ROW]) : t->count[side];
    if (!all_places(t, side)) {
        enum tile_index along = t->tiling->along_depth[side] ? TILE_DEPTH : side;
        LLVMValueRef unit = choose_lanes(t, &p, along);
        pack_along(t, &p, unit);
        return;
    }
    LLVMBasicBlockRef deep = gen_block(g, "deep"), flat = gen_block(g, "flat"),
                      done = gen_block(g, "packed");
    LLVMValueRef unit = choose_lanes(t, &p, TILE_DEPTH);
    LLVMBuildCondBr(g->b, unit, deep, flat);
    gen_place(g, deep);
    pack_along(t, &p, unit);
    LLVMBuildBr(g->b, done);
    gen_place(g, flat);
    unit = choose_lanes(t, &p, side);
    pack_along(t, &p, unit);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}
