/* table.c: tables in shared memory for the values of a tile's sides whose indices, or the
 * reduction's, stand for several: what these are, which divisions give, and the addresses of
 * elements, each a sum of what indices of the side and of the reduction make.  A table of a side is
 * filled once; that of the reduction, for each slab, while the one before is put to shared memory.
 */
#include "tile.h"

static bool has_values(const struct tile *t, int side) {
    for (int n = 0; n < t->tiling->nfactors; n++)
        if (t->tiling->factors[n].value != NULL && t->tiling->factors[n].of_rows == (side == 0))
            return true;
    return false;
}

static unsigned count_joined(const struct tile *t, int index) {
    unsigned n = 0;
    for (const struct pstmt *j = t->tiling->joined[index]; j != NULL; j = j->next)
        n++;
    return n;
}

static void describe(struct tile *t, int index, unsigned points, unsigned elements) {
    struct table *a = &t->table[index];
    *a = (struct table){.points = points, .elements = elements};
    a->bytes = (points * (8 * elements + 4 * count_joined(t, index)) + 15) / 16 * 16;
}

void tables_describe(struct tile *t) {
    const struct tiling *s = t->tiling;
    unsigned elements = 0;
    t->tables = 0;
    for (int side = 0; side < 2; side++) {
        t->table[side] = (struct table){.points = 0};
        if (!has_values(t, side) || s->nahead[side] == 0 ||
            !(s->joins[side] || s->joins[TILE_DEPTH]))
            continue;
        describe(t, side, (unsigned)t->size[side], (unsigned)s->nahead[side]);
        t->table[side].offset = t->tables;
        t->tables += t->table[side].bytes;
        elements += (unsigned)s->nahead[side];
    }
    t->table[TILE_DEPTH] = (struct table){.points = 0};
    if (t->tables > 0)
        describe(t, TILE_DEPTH, (unsigned)t->depth, elements);
}

/* ---- where things are */

/* The address of a table's column: of element n, or where n is not below `elements`, of a variable.
 * which: 0 or 1, of the reduction's two tables, i32. */
static LLVMValueRef column_at(struct tile *t, int index, unsigned n, LLVMValueRef which) {
    struct gen *g = t->g;
    const struct table *a = &t->table[index];
    unsigned at = a->points * (n < a->elements ? 8 * n : 8 * a->elements + 4 * (n - a->elements));
    if (index == TILE_DEPTH)
        return at_byte(g, t->block_shared,
                       add(g, multiply(g, which, i32(g, a->bytes)), i32(g, at)));
    return at_byte(g, t->crew_shared, i32(g, t->stage * (unsigned)t->stages + a->offset + at));
}

/* Element n of a side in the reduction's table. */
static unsigned depth_element(const struct tile *t, int side, int n) {
    return (unsigned)n + (side == 1 ? t->table[TILE_ROW].elements : 0);
}

static LLVMValueRef read_column(struct tile *t, int index, unsigned n, const struct entry *e) {
    struct gen *g = t->g;
    bool element = n < t->table[index].elements, depth = index == TILE_DEPTH;
    unsigned bytes = element ? 8 : 4;
    LLVMValueRef at = column_at(t, index, n, e->table);
    at = at_byte(g, at, multiply(g, depth ? e->k : e->x, i32(g, bytes)));
    at = at_byte(g, at, i32(g, bytes * (depth ? e->k_across : e->x_across)));
    return LLVMBuildLoad2(g->b, element ? i64_type(g) : i32_type(g), at, "");
}

LLVMValueRef table_address(struct tile *t, int side, int n, const struct entry *e) {
    return add(t->g, read_column(t, side, (unsigned)n, e),
               read_column(t, TILE_DEPTH, depth_element(t, side, n), e));
}

void table_set_indices(struct tile *t, int side, const struct entry *e) {
    struct gen *g = t->g;
    const int indices[] = {side, TILE_DEPTH};
    for (int i = 0; i < 2; i++) {
        unsigned n = t->table[indices[i]].elements;
        for (const struct pstmt *j = t->tiling->joined[indices[i]]; j != NULL; j = j->next, n++)
            LLVMBuildStore(g->b, extended(g, read_column(t, indices[i], n, e)),
                           var_of(g, j->var)->slot);
    }
}

/* ---- how they are filled */

/* Sets an index and those that it stands for. */
static void set_index(struct tile *t, enum tile_index index, LLVMValueRef v) {
    tile_set_index(t, index, v);
    gen_stmts(t->g, t->tiling->joined[index]);
}

/* Where an element of a side is, of the indices' current values: its address, or its offset. */
static LLVMValueRef place_of(struct tile *t, int side, int n, bool address) {
    struct gen *g = t->g;
    const struct factor f = {.place = t->tiling->ahead[side][n]};
    LLVMValueRef offset = factor_offset(t, &f), base = g->arrays[f.place->operand].base;
    if (!address)
        return offset;
    return LLVMBuildPtrToInt(g->b, at_byte(g, base, offset), i64_type(g), "");
}

/* Stores what the current value of an index gives, to entry `at` (i32) of a table. */
static void fill_entry(struct tile *t, enum tile_index index, LLVMValueRef v, LLVMValueRef at,
                       LLVMValueRef which) {
    struct gen *g = t->g;
    const struct table *a = &t->table[index];
    bool depth = index == TILE_DEPTH;
    LLVMValueRef zero = i64(g, 0), place[2 * TILE_AHEAD];
    for (int side = 0; side < 2; side++)
        for (int n = 0; (depth || side == (int)index) && n < (int)t->table[side].elements; n++) {
            LLVMValueRef *to = &place[depth ? depth_element(t, side, n) : (unsigned)n];
            *to = zero;
            if (!t->tiling->splits[side][n])
                continue;
            set_index(t, depth ? (enum tile_index)side : TILE_DEPTH, zero);
            if (depth) {
                set_index(t, index, zero);
                *to = place_of(t, side, n, false);
            }
            set_index(t, index, v);
            *to = subtract(g, place_of(t, side, n, !depth), *to);
        }
    set_index(t, index, v);
    for (unsigned n = 0; n < a->elements; n++)
        LLVMBuildStore(g->b, place[n],
                       at_byte(g, column_at(t, (int)index, n, which), multiply(g, at, i32(g, 8))));
    unsigned n = a->elements;
    for (const struct pstmt *j = t->tiling->joined[index]; j != NULL; j = j->next, n++) {
        LLVMValueRef value =
            LLVMBuildLoad2(g->b, gen_type(g, j->var->dtype), var_of(g, j->var)->slot, "");
        LLVMBuildStore(g->b, LLVMBuildTrunc(g->b, value, i32_type(g), ""),
                       at_byte(g, column_at(t, (int)index, n, which), multiply(g, at, i32(g, 4))));
    }
}

/* Fills a table from point `first` (i64) of the index on; entries beyond `last` (i32) are as it is.
 */
static void fill(struct tile *t, enum tile_index index, LLVMValueRef first, LLVMValueRef last,
                 LLVMValueRef which) {
    struct gen *g = t->g;
    uint32_t points = t->table[index].points;
    uint32_t threads = (uint32_t)(index == TILE_DEPTH ? t->team * t->teams : t->team);
    for (uint32_t e = 0; e < points; e += threads) {
        LLVMValueRef at = add(g, index == TILE_DEPTH ? t->tid : t->member, i32(g, e));
        LLVMBasicBlockRef after = NULL;
        if (e + threads > points)
            after = begin_if(g, compare(g, LLVMIntULT, at, i32(g, points)));
        fill_entry(t, index, add(g, first, extended(g, least(g, at, last))), at, which);
        if (after != NULL)
            end_if(g, after);
    }
}

void tables_fill(struct tile *t) {
    struct gen *g = t->g;
    for (int side = 0; side < 2; side++)
        if (t->table[side].bytes > 0) {
            LLVMValueRef room = elements_left(g, t->sizes[side], t->crew.first[side]);
            fill(t, (enum tile_index)side, t->crew.first[side], subtract(g, room, i32(g, 1)), NULL);
        }
}

void tables_next(struct tile *t, const struct slab_part *part) {
    struct gen *g = t->g;
    if (t->table[TILE_DEPTH].bytes > 0)
        fill(t, TILE_DEPTH, extended(g, part->first), subtract(g, part->left, i32(g, 1)),
             part->table);
}
