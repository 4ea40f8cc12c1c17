/* panel.c: packs the factors of a tiling's side: a block's elements, each computed once, so that
 * reductions read them one after the other.  Lanes lie along the index whose neighbours are
 * neighbours in memory; where elements are packed along the other one, squares are transposed. */
#include "tile.h"

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

/* The vector v, as something that LLVM knows nothing of: else it tries to combine each shuffle with
 * those of what it shuffles, which takes a tenth of the time of a product's host code. */
static LLVMValueRef fenced(struct gen *g, LLVMValueRef v, unsigned bytes) {
    LLVMTypeRef type = LLVMTypeOf(v);
    if (bytes < 4)
        return v;
    LLVMTypeRef number =
        bytes == 4 ? LLVMFloatTypeInContext(g->context) : LLVMDoubleTypeInContext(g->context);
    v = LLVMBuildBitCast(g->b, v, LLVMVectorType(number, LLVMGetVectorSize(type)), "");
    return LLVMBuildBitCast(g->b, gen_intrinsic(g, "arithmetic.fence", NULL, &v, 1), type, "");
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
                    v[i + half * apart] =
                        fenced(g,
                               LLVMBuildShuffleVector(g->b, x, y,
                                                      LLVMConstVector(from, (unsigned)lanes), ""),
                               panel->bytes);
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
        struct gen_array *arrays = g->arrays;
        for (int i = 0; i < LANES_WAYS; i++) {
            gen_place(g, way[i]);
            g->arrays = i == LANES_OTHER ? block_arrays(t) : arrays;
            pack_square(t, p, l.phi[0], b, (enum lanes_way)i);
            LLVMBuildBr(g->b, done);
        }
        g->arrays = arrays;
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
    LLVMValueRef begin = p->side == TILE_COLUMN ? t->packed_from : zero,
                 first = p->along == p->side ? begin : zero;
    whole = gen_select(g, unit, whole, first);
    loop_begin(g, &l, 1, p->along == p->side ? &zero : &begin);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], p->limit[p->across]));
    l.keep = true;
    if (turned || t->table[p->along] != NULL)
        whole = first;
    else
        pack_vectors(t, p, first, whole, l.phi[0], NULL);
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
