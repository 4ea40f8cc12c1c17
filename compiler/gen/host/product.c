/* product.c: reduces the packed points of a block.  The accs of a few rows and vectors of columns
 * stay in registers for all of them, then are joined to the totals. */
#include "tile.h"

/* A few rows and vectors whose accs are in registers. */
struct held_tile {
    LLVMValueRef row, column; /* the first ones in the block, i64 */
    unsigned vectors;
    LLVMValueRef group, step;               /* the address of the columns' first group, and the
                                               bytes to the next one */
    LLVMValueRef *acc[MAX_ACCS];            /* slots, by row and vector */
    LLVMValueRef *vector[TILE_MAX_FACTORS]; /* a factor's values at one point, by vector */
    LLVMValueRef end; /* the end of the reduction for the first result, or its start; or NULL */
};

static unsigned registers(const struct gen *g, enum ufc_dtype d) {
    int bytes = g->vector_lanes * dtype_info[d].bits / 8, room = level_info[g->level].bytes;
    return (unsigned)((bytes + room - 1) / room);
}

void block_hold(struct host_tile *t) {
    static const unsigned rows[] = {8, 6, 4, 3, 2, 1};
    const struct gen *g = t->g;
    unsigned all = g->level == LEVEL_V4 ? 32 : 16, each = 0, more = 0, free = 1, bytes = 0;
    for (const struct pacc *a = t->tiling->shape.accs; a != NULL; a = a->next)
        each += registers(g, a->acc->dtype);
    for (int n = 0; n < t->tiling->nfactors; n++)
        if (!t->tiling->factors[n].of_rows) {
            more += registers(g, t->tiling->factors[n].dtype);
            bytes += (unsigned)(t->lanes * dtype_info[t->tiling->factors[n].dtype].bits / 8);
        }
    free += t->tiling->operations > 1 ? 2 : 0;
    for (unsigned vectors = 2; vectors > 0; vectors--)
        for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
            t->held[TILE_ROW] = rows[i];
            t->held[TILE_COLUMN] = vectors;
            bool fits = (rows[i] * each + more) * vectors + free <= all &&
                        vectors * bytes * PANEL_DEPTH <= PANEL_STACK;
            if (fits && (int)(rows[i] * vectors) * t->tiling->operations <= PANEL_COPIES &&
                rows[i] > 2)
                return;
        }
}

LLVMValueRef total_at(struct host_tile *t, int n, LLVMValueRef row, LLVMValueRef x) {
    struct gen *g = t->g;
    const struct pacc *a = t->tiling->shape.accs;
    for (int i = 0; i < n; i++)
        a = a->next;
    LLVMValueRef at = multiply(g, row, t->most[TILE_COLUMN]);
    at = multiply(g, add(g, at, x), i64(g, (uint64_t)dtype_info[a->acc->dtype].bits / 8));
    return at_byte(g, t->totals[n], at);
}

/* ---- the accs */

/* The constant that an acc begins with. */
static const struct pval *beginning_of(const struct host_tile *t, const struct pvar *acc) {
    const struct pstmt *s = t->settings;
    while (s->var != acc)
        s = s->next;
    return s->value;
}

/* The address of the total of acc n that a held row and vector have the number i of. */
static LLVMValueRef held_total(struct host_tile *t, struct held_tile *h, int n, unsigned i) {
    struct gen *g = t->g;
    LLVMValueRef row = add(g, h->row, i64(g, i / h->vectors));
    uint64_t x = (uint64_t)(i % h->vectors) * (uint64_t)t->lanes;
    return total_at(t, n, row, add(g, h->column, i64(g, x)));
}

/* Copies the accs to the totals, or back. */
static void move_accs(struct host_tile *t, struct held_tile *h, bool back) {
    int n = 0;
    for (const struct pacc *a = t->tiling->shape.accs; a != NULL; a = a->next, n++)
        for (unsigned i = 0; i < t->held[0] * h->vectors; i++) {
            LLVMValueRef total = held_total(t, h, n, i), acc = h->acc[n][i];
            move_slot(t->g, a->acc, back ? total : acc, back ? acc : total);
        }
}

static void begin_accs(struct host_tile *t, struct held_tile *h) {
    struct gen *g = t->g;
    int n = 0;
    if (t->tiling->in_order) { /* the points go on where those before ended */
        move_accs(t, h, true);
        return;
    }
    for (const struct pacc *a = t->tiling->shape.accs; a != NULL; a = a->next, n++)
        for (unsigned i = 0; i < t->held[0] * h->vectors; i++)
            LLVMBuildStore(g->b, gen_value(g, beginning_of(t, a->acc)), h->acc[n][i]);
}

/* Joins the accs to the totals. */
static void join_totals(struct host_tile *t, struct held_tile *h) {
    struct gen *g = t->g;
    const struct shape *s = &t->tiling->shape;
    for (unsigned i = 0; i < t->held[0] * h->vectors; i++) {
        int n = 0;
        for (const struct pacc *a = s->accs; a != NULL; a = a->next, n++) {
            move_slot(g, a->other, h->acc[n][i], var_of(g, a->other)->lanes);
            move_slot(g, a->acc, held_total(t, h, n, i), h->acc[n][i]);
            var_of(g, a->acc)->lanes = h->acc[n][i];
        }
        gen_stmts(g, s->joined);
        n = 0;
        for (const struct pacc *a = s->accs; a != NULL; a = a->next, n++)
            move_slot(g, a->acc, h->acc[n][i], held_total(t, h, n, i));
    }
}

/* Stores the accs as totals, or joins them to these. */
static void finish_accs(struct host_tile *t, struct held_tile *h) {
    struct gen *g = t->g;
    if (t->tiling->in_order) {
        move_accs(t, h, false);
        return;
    }
    LLVMBasicBlockRef more = gen_block(g, "more"), one = gen_block(g, "first"),
                      done = gen_block(g, "added");
    LLVMBuildCondBr(g->b, compare(g, LLVMIntEQ, t->first[TILE_DEPTH], i64(g, 0)), one, more);
    gen_place(g, one);
    move_accs(t, h, false);
    LLVMBuildBr(g->b, done);
    gen_place(g, more);
    join_totals(t, h);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* ---- points */

/* i1 in lanes: point k is before the end of the reduction for a result, and not before its start.
 */
static LLVMValueRef is_reduced(struct host_tile *t, struct held_tile *h, LLVMValueRef k,
                               unsigned row, unsigned vector) {
    struct gen *g = t->g;
    bool starts = t->tiling->start != NULL;
    const int *growth = starts ? t->tiling->start_growth : t->tiling->end_growth;
    LLVMValueRef end = add(g, h->end, i64(g, (uint64_t)((int64_t)growth[TILE_ROW] * (int)row)));
    int64_t first = (int64_t)growth[TILE_COLUMN] * (int64_t)vector * t->lanes;
    end = gen_dynamic_splat(g, add(g, end, i64(g, (uint64_t)first)));
    LLVMValueRef by = gen_dynamic_splat(g, i64(g, (uint64_t)(int64_t)growth[TILE_COLUMN]));
    end = LLVMBuildAdd(g->b, end, LLVMBuildMul(g->b, gen_lane_numbers(g), by, ""), "");
    LLVMValueRef at = gen_dynamic_splat(g, add(g, t->first[TILE_DEPTH], k));
    return compare(g, starts ? LLVMIntSGE : LLVMIntSLT, at, end);
}

/* The reduction's body at point k for a row and a vector. */
static void reduce_vector(struct host_tile *t, struct held_tile *h, LLVMValueRef k, unsigned row,
                          unsigned vector, bool guarded) {
    struct gen *g = t->g;
    const struct shape *s = &t->tiling->shape;
    int n = 0;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next, n++)
        var_of(g, a->acc)->lanes = h->acc[n][row * h->vectors + vector];
    LLVMValueRef mask = s->filter != NULL ? gen_value(g, s->filter) : NULL;
    if (guarded) {
        LLVMValueRef within = is_reduced(t, h, k, row, vector);
        mask = mask != NULL ? both(g, mask, within) : within;
    }
    if (mask != NULL)
        LLVMBuildStore(g->b, mask, g->mask);
    g->all_active = mask == NULL;
    gen_stmts(g, s->body);
    g->all_active = true;
}

/* Reduces point k; all: the factors' values there are in g->held, or variables. */
static void reduce_point(struct host_tile *t, struct held_tile *h, LLVMValueRef k,
                         LLVMValueRef group, bool guarded) {
    struct gen *g = t->g;
    struct held held[TILE_MAX_FACTORS];
    LLVMValueRef *of_row = NEWN(g->uc, LLVMValueRef, TILE_MAX_FACTORS);
    for (int n = 0; n < t->tiling->nfactors; n++) {
        const struct panel *p = &t->panel[n];
        LLVMTypeRef type = gen_lanes_of(g, gen_memory_type(g, p->factor->dtype));
        for (unsigned v = 0; p->side == TILE_COLUMN && v < h->vectors; v++) {
            uint64_t offset = p->offset + (uint64_t)v * (uint64_t)t->lanes * p->bytes;
            h->vector[n][v] = gen_load_element(g, p->factor->dtype, type,
                                               at_byte(g, group, i64(g, offset)), p->bytes);
        }
    }
    for (unsigned r = 0; r < t->held[0]; r++) {
        LLVMValueRef row = add(g, h->row, i64(g, r));
        for (int n = 0; n < t->tiling->nfactors; n++) {
            const struct panel *p = &t->panel[n];
            LLVMTypeRef type = gen_memory_type(g, p->factor->dtype);
            if (p->side == TILE_ROW)
                of_row[n] =
                    gen_load_element(g, p->factor->dtype, type, panel_at(t, p, row, k), p->bytes);
        }
        for (unsigned v = 0; v < h->vectors; v++) {
            int count = 0;
            for (int n = 0; n < t->tiling->nfactors; n++) {
                const struct factor *f = t->panel[n].factor;
                LLVMValueRef value = f->of_rows ? of_row[n] : h->vector[n][v];
                if (f->place != NULL)
                    held[count++] = (struct held){f->place, value};
                else
                    LLVMBuildStore(g->b, value,
                                   f->of_rows ? var_of(g, f->var)->slot : var_of(g, f->var)->lanes);
            }
            if (t->tiling->names_index) {
                block_set_index(t, TILE_ROW, row);
                block_set_index(t, TILE_DEPTH, k);
                block_set_lanes(t, TILE_COLUMN,
                                add(g, h->column, i64(g, (uint64_t)v * (uint64_t)t->lanes)), true);
            }
            g->held = held;
            g->nheld = count;
            reduce_vector(t, h, k, r, v, guarded);
            g->nheld = 0;
        }
    }
}

/* Reduces points [from, to) of the block. */
static void reduce_points(struct host_tile *t, struct held_tile *h, LLVMValueRef from,
                          LLVMValueRef to, bool guarded) {
    struct gen *g = t->g;
    struct loop l;
    LLVMValueRef first[] = {from, at_byte(g, h->group, multiply(g, from, h->step))};
    loop_begin(g, &l, 2, first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], to));
    l.keep = true;
    reduce_point(t, h, l.phi[0], l.phi[1], guarded);
    LLVMValueRef next[] = {add(g, l.phi[0], i64(g, 1)), at_byte(g, l.phi[1], h->step)};
    loop_end(g, &l, next);
}

/* ---- ends and conditions */

/* Sets row and column to a corner of the held tile, and what depends on them. */
static void set_corner(struct host_tile *t, const struct held_tile *h, const bool last[2]) {
    struct gen *g = t->g;
    const LLVMValueRef at[] = {h->row, h->column};
    for (int side = 0; side < 2; side++) {
        uint64_t more = side == 0 ? t->held[0] : (uint64_t)h->vectors * (uint64_t)t->lanes;
        LLVMValueRef end = least(g, add(g, at[side], i64(g, more)), t->count[side]);
        block_set_index(t, (enum tile_index)side,
                        last[side] ? subtract(g, end, i64(g, 1)) : at[side]);
    }
    gen_stmts(g, t->settings);
}

/* Where the reduction ends, or, if it has a start, begins. */
static const struct pval *moving_bound(const struct host_tile *t) {
    return t->tiling->start != NULL ? t->tiling->start : t->tiling->index[TILE_DEPTH]->hi;
}

/* That bound, in points of the block, at a corner: where it is latest, or first. */
static LLVMValueRef bound_at_corner(struct host_tile *t, const struct held_tile *h, bool latest) {
    struct gen *g = t->g;
    const struct tiling *s = t->tiling;
    const int *growth = s->start != NULL ? s->start_growth : s->end_growth;
    bool last[2];
    for (int side = 0; side < 2; side++)
        last[side] = (growth[side] > 0) == latest;
    set_corner(t, h, last);
    LLVMValueRef end = gen_scalar(g, moving_bound(t));
    end = subtract(g, end, t->first[TILE_DEPTH]);
    end = least(g, end, t->count[TILE_DEPTH]);
    return gen_select(g, compare(g, LLVMIntSGT, end, i64(g, 0)), end, i64(g, 0));
}

/* i1: the reduction may be needed for some result of the held tile: each bound of its condition
 * holds for one, which is at a corner then. */
static LLVMValueRef is_needed(struct host_tile *t, const struct held_tile *h) {
    struct gen *g = t->g;
    LLVMValueRef needed = LLVMConstInt(i1_type(g), 1, false);
    for (int i = 0; i < t->tiling->nbounds; i++) {
        const struct tile_bound *bound = &t->tiling->bounds[i];
        const bool last[2] = {bound->growth[TILE_ROW] > 0, bound->growth[TILE_COLUMN] > 0};
        set_corner(t, h, last);
        needed = both(g, needed, gen_scalar(g, bound->value));
    }
    return needed;
}

/* Reduces the block's points for the held tile. */
static void reduce_held(struct host_tile *t, struct held_tile *h) {
    struct gen *g = t->g;
    LLVMBasicBlockRef after = t->tiling->nbounds > 0 ? begin_if(g, is_needed(t, h)) : NULL;
    LLVMValueRef zero = i64(g, 0), bound[2] = {zero, zero}; /* where it is first, and latest */
    bool starts = t->tiling->start != NULL, moves = starts || t->tiling->guarded;
    if (moves) {
        for (int latest = 0; latest < 2; latest++)
            bound[latest] = bound_at_corner(t, h, latest != 0);
        set_corner(t, h, (const bool[2]){false, false});
        h->end = gen_scalar(g, moving_bound(t));
    }
    struct lanes_scope outer = lanes_enter(g, t->lanes);
    begin_accs(t, h);
    if (moves && !starts)
        reduce_points(t, h, zero, bound[0], false);
    if (moves)
        reduce_points(t, h, bound[0], bound[1], true);
    if (!moves || starts)
        reduce_points(t, h, bound[1], t->count[TILE_DEPTH], false);
    finish_accs(t, h);
    lanes_leave(g, outer);
    if (after != NULL)
        end_if(g, after);
}

/* ---- the block */

/* What varies between columns: all that depends on them, and the accs. */
static const struct varying *varying_of(struct host_tile *t) {
    const struct shape *s = &t->tiling->shape;
    struct varying *v = block_varying(t, TILE_COLUMN, false);
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        v->vars[a->acc->id] = v->vars[a->other->id] = true;
    for (int n = 0; n < t->tiling->nfactors; n++)
        if (t->panel[n].side == TILE_COLUMN && t->panel[n].factor->value != NULL)
            v->vars[t->panel[n].factor->var->id] = true;
    vary_by(t->g->uc, v, t->settings);
    vary_by(t->g->uc, v, s->body);
    vary_by(t->g->uc, v, s->joined);
    return v;
}

/* Reduces the block's columns from *x on that fill `vectors` vectors. */
static void reduce_columns(struct host_tile *t, unsigned vectors, LLVMValueRef *x) {
    struct gen *g = t->g;
    struct held_tile h = {.vectors = vectors};
    struct loop across, down;
    LLVMValueRef zero = i64(g, 0), lanes = i64(g, (uint64_t)t->lanes);
    unsigned held = t->held[0] * vectors;
    struct lanes_scope outer = lanes_enter(g, t->lanes);
    int n = 0;
    for (const struct pacc *a = t->tiling->shape.accs; a != NULL; a = a->next, n++) {
        h.acc[n] = NEWN(g->uc, LLVMValueRef, held);
        for (unsigned i = 0; i < held; i++)
            h.acc[n][i] = gen_alloca(g, gen_type(g, a->acc->dtype), "acc");
    }
    lanes_leave(g, outer);
    for (n = 0; n < t->tiling->nfactors; n++)
        h.vector[n] = NEWN(g->uc, LLVMValueRef, vectors);
    loop_begin(g, &across, 1, x);
    LLVMValueRef last = add(g, across.phi[0], multiply(g, lanes, i64(g, vectors - 1)));
    loop_while(g, &across, compare(g, LLVMIntSLT, last, t->count[TILE_COLUMN]));
    across.keep = true;
    loop_begin(g, &down, 1, &zero);
    loop_while(g, &down, compare(g, LLVMIntSLT, down.phi[0], t->count[TILE_ROW]));
    down.keep = true;
    h.column = across.phi[0];
    h.row = down.phi[0];
    LLVMValueRef width = multiply(g, lanes, i64(g, t->held[1]));
    LLVMValueRef panel = LLVMBuildUDiv(g->b, h.column, width, "");
    h.group = at_byte(g, t->memory[TILE_COLUMN],
                      multiply(g, panel, i64(g, (uint64_t)t->group * PANEL_DEPTH)));
    h.step = i64(g, t->group);
    LLVMValueRef step, unpacked = NULL;
    if (vectors == t->held[TILE_COLUMN])
        unpacked = block_unpacked(t, h.column, &step);
    if (unpacked != NULL) {
        LLVMValueRef packed = compare(g, LLVMIntSGE, h.column, t->packed_from);
        h.group = gen_select(g, packed, h.group, unpacked);
        h.step = gen_select(g, packed, h.step, step);
    }
    reduce_held(t, &h);
    LLVMValueRef next = add(g, h.row, i64(g, t->held[0]));
    loop_end(g, &down, &next);
    next = add(g, h.column, multiply(g, lanes, i64(g, vectors)));
    loop_end(g, &across, &next);
    *x = across.phi[0];
}

void block_reduce(struct host_tile *t) {
    struct gen *g = t->g;
    LLVMValueRef x = i64(g, 0);
    g->varying = varying_of(t);
    g->lane_var = block_lane(t, TILE_COLUMN, false);
    gen_lane_slots(g, t->lanes);
    for (unsigned vectors = t->held[TILE_COLUMN]; vectors > 0; vectors--)
        reduce_columns(t, vectors, &x);
}
