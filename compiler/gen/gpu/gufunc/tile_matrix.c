/* tile_matrix.c: tiles whose sums of products of float64 a GPU's matrix units compute.  A warp has
 * 32 by 16 results or more: each instruction adds the products of four steps along the reduction to
 * 16 by 8 of them.  Elements go to shared memory by copies that pass no register. */
#include <math.h>

#include "tile.h"

enum { QUAD = 4 }; /* products of a step: each of four threads has one of them */

bool slab_copies(const struct tile *t, const struct slab *p) {
    const struct pval *place = p->factor->place;
    return t->matrix && place != NULL && place->dtype == DT_FLOAT64;
}

/* Thread 4 x + y of a warp has rows 2 x and 2 x + 1 of each 16, and columns 2 y and 2 y + 1 of each
 * 8 that an instruction adds to. */
void matrix_find_thread(struct tile *t, LLVMValueRef member) {
    struct gen *g = t->g;
    LLVMValueRef warps = i32(g, (uint32_t)t->side[1] / 4), four = i32(g, 4);
    LLVMValueRef warp = warp_of(g, member), lane = lane_of(g, member);
    LLVMValueRef down = LLVMBuildUDiv(g->b, warp, warps, ""),
                 across = LLVMBuildURem(g->b, warp, warps, "");
    t->lane[0] = LLVMBuildUDiv(g->b, lane, four, "");
    t->lane[1] = LLVMBuildURem(g->b, lane, four, "");
    t->thread[0] = add(g, multiply(g, down, i32(g, 8)), t->lane[0]);
    t->thread[1] = add(g, multiply(g, across, four), t->lane[1]);
    t->warp_column = multiply(g, across, i32(g, 8));
}

/* ---- copies to shared memory */

/* Sets the thread's first place in a slab.  Where neighbours along k are so in memory, a warp has
 * COPY_LANES of them, so that its stores meet few of one bank. */
static void find_copies(struct tile *t, struct slab *p) {
    struct gen *g = t->g;
    int lanes = t->depth < COPY_LANES ? t->depth : COPY_LANES;
    uint32_t size = (uint32_t)t->size[p->x_index];
    LLVMValueRef lane = lane_of(g, t->member), warp = warp_of(g, t->member),
                 turn = i32(g, (uint32_t)(t->depth / lanes)), n = i32(g, (uint32_t)lanes);
    LLVMValueRef k = multiply(g, LLVMBuildURem(g->b, warp, turn, ""), n),
                 x = multiply(g, LLVMBuildUDiv(g->b, warp, turn, ""),
                              i32(g, (uint32_t)(WARP / lanes)));
    LLVMValueRef each = gen_select(g, p->wide, i32(g, size / 2), i32(g, size));
    LLVMValueRef along = LLVMBuildURem(g->b, t->member, each, "");
    along = gen_select(g, p->wide, add(g, along, along), along);
    p->x = gen_select(g, p->along_k, add(g, x, LLVMBuildUDiv(g->b, lane, n, "")), along);
    p->k = gen_select(g, p->along_k, add(g, k, LLVMBuildURem(g->b, lane, n, "")),
                      LLVMBuildUDiv(g->b, t->member, each, ""));
}

void copies_begin(struct tile *t, struct slab *p) {
    struct gen *g = t->g;
    p->wide = both(g, p->wide, LLVMBuildNot(g->b, p->along_k, ""));
    find_copies(t, p);
}

/* The thread's copies of a part of a slab: of pairs along x, or of single elements, along x or
 * along k; each is so far `over` the other axis from the one before.  room: elements that are left
 * along x and k; NULL: all of the slab's are there. */
static void copy_share(struct tile *t, const struct slab *p, bool pairs, LLVMValueRef from,
                       LLVMValueRef to, const LLVMValueRef room[2]) {
    struct gen *g = t->g;
    int run = pairs ? 2 : 1, size = t->size[p->x_index];
    unsigned bytes = (unsigned)run * p->bytes;
    LLVMValueRef along_k = pairs ? LLVMConstInt(i1_type(g), 0, false) : p->along_k,
                 zero = i32(g, 0), own = i32(g, bytes), left = zero;
    LLVMValueRef over = gen_select(g, along_k, i32(g, (uint32_t)(t->team / t->depth)),
                                   i32(g, (uint32_t)(t->team * run / size)));
    LLVMValueRef step = gen_select(g, along_k, p->step_x, p->step_k),
                 put = gen_select(g, along_k, i32(g, 1), i32(g, p->pitch));
    step = multiply(g, step, extended(g, over));
    put = multiply(g, multiply(g, put, over), i32(g, p->bytes));
    if (room != NULL) {
        left = gen_select(g, along_k, room[0], room[1]);
        own = least(g, gen_select(g, along_k, room[1], room[0]), i32(g, (uint32_t)run));
        own = gen_select(g, compare(g, LLVMIntSGT, own, zero), own, zero);
        own = multiply(g, own, i32(g, p->bytes));
    }
    for (int e = 0; e < slab_share(t, p) / run; e++) {
        LLVMValueRef exists = compare(g, LLVMIntSGT, left, zero);
        gpu(g)->copy(g, to, from, bytes, room != NULL ? gen_select(g, exists, own, zero) : own);
        from = at_byte(g, from, step);
        to = at_byte(g, to, put);
        left = subtract(g, left, over);
    }
}

void slab_copy(struct tile *t, const struct slab *p, const struct slab_part *part,
               LLVMValueRef stage) {
    struct gen *g = t->g;
    LLVMValueRef first = at_byte(g, p->first, multiply(g, extended(g, part->first), p->step_k));
    LLVMValueRef left = gen_select(g, t->crew.exists, part->left, i32(g, 0)),
                 left_x = elements_left(g, t->sizes[p->x_index], t->crew.first[p->x_index]);
    LLVMValueRef room[] = {subtract(g, left_x, p->x), subtract(g, left, p->k)};
    LLVMValueRef to = slab_at(t, stage, p, p->k, p->x);
    LLVMValueRef whole =
        both(g, compare(g, LLVMIntSGE, left_x, i32(g, (uint32_t)t->size[p->x_index])),
             compare(g, LLVMIntSGE, left, i32(g, (uint32_t)t->depth)));
    LLVMBasicBlockRef ways[] = {gen_block(g, "single"), gen_block(g, "pairs")},
                      done = gen_block(g, "copied");
    LLVMBuildCondBr(g->b, p->wide, ways[1], ways[0]);
    for (int k = 0; k < 2; k++) {
        LLVMBasicBlockRef all = gen_block(g, "all"), some = gen_block(g, "some");
        gen_place(g, ways[k]);
        LLVMBuildCondBr(g->b, whole, all, some);
        gen_place(g, all);
        copy_share(t, p, k == 1, first, to, NULL);
        LLVMBuildBr(g->b, done);
        gen_place(g, some);
        copy_share(t, p, k == 1, first, to, room);
        LLVMBuildBr(g->b, done);
    }
    gen_place(g, done);
}

/* ---- sums */

/* The step of an instruction's products: the first one, in a part; and its elements of each slab
 * that a thread has, of rows and of columns one QUAD after the other. */
static void load_fragments(struct tile *t, const LLVMValueRef *at, int step, struct fragments *f) {
    struct gen *g = t->g;
    LLVMTypeRef type = gen_type(g, DT_FLOAT64), pair = LLVMVectorType(type, 2);
    for (int n = 0; n < t->tiling->nfactors; n++) {
        const struct slab *p = &t->slab[n];
        bool rows = p->x_index == TILE_ROW;
        int axis = (int)p->x_index;
        for (int i = 0; at[n] != NULL && i < t->per[axis] / 2; i++)
            for (int q = 0; q < t->step / QUAD; q++) {
                unsigned from = (unsigned)(step + q * QUAD) * p->pitch;
                from += (unsigned)result_at_side(t, axis, 2 * i);
                LLVMValueRef here = at_byte(g, at[n], i32(g, from * p->bytes));
                LLVMValueRef v = LLVMBuildLoad2(g->b, rows ? pair : type, here, "");
                LLVMSetAlignment(v, rows ? 16 : 8);
                for (unsigned e = 0; rows && e < 2; e++)
                    f->v[n][i][2 * q + (int)e] = LLVMBuildExtractElement(g->b, v, i32(g, e), "");
                if (!rows)
                    f->v[n][i][q] = v;
            }
    }
}

/* Adds an instruction's products to results of two rows and two columns. */
static void add_fragment(struct tile *t, const struct product *x, int row, int column,
                         LLVMValueRef *a, LLVMValueRef *b) {
    struct gen *g = t->g;
    LLVMTypeRef type = gen_type(g, DT_FLOAT64);
    LLVMValueRef c[4], slot[4];
    for (int e = 0; e < 4; e++) {
        slot[e] = t->acc[x->acc][2 * row + e / 2][2 * column + e % 2];
        c[e] = LLVMBuildLoad2(g->b, type, slot[e], "");
    }
    gpu(g)->multiply_matrices(g, t->step, c, a, b);
    for (int e = 0; e < 4; e++)
        LLVMBuildStore(g->b, c[e], slot[e]);
}

static void add_product(struct tile *t, const struct product *x, struct fragments *f) {
    struct gen *g = t->g;
    for (int i = 0; i < t->per[0] / 2; i++) {
        LLVMValueRef *a = f->v[x->row][i], minus[MATRIX_STEP / 2];
        for (int e = 0; e < t->step / 2; e++)
            minus[e] = x->minus ? LLVMBuildFNeg(g->b, a[e], "") : a[e];
        for (int n = 0; n < t->per[1] / 2; n++) {
            /* back and forth: neighbours in this order share a factor */
            int j = i % 2 == 0 ? n : t->per[1] / 2 - 1 - n;
            add_fragment(t, x, i, j, minus, f->v[x->column][j]);
        }
    }
}

static void add_products(struct tile *t, struct fragments *f) {
    for (int i = 0; i < t->tiling->nproducts; i++)
        add_product(t, &t->tiling->products[i], f);
}

/* Where the thread's elements of the first step are in each slab; NULL: products do not use it. */
static void find_fragments(struct tile *t, LLVMValueRef stage, LLVMValueRef *at) {
    struct gen *g = t->g;
    const struct tiling *s = t->tiling;
    LLVMValueRef column = add(g, t->warp_column, t->lane[0]);
    for (int n = 0; n < s->nfactors; n++) {
        bool used = false;
        for (int i = 0; i < s->nproducts; i++)
            used = used || s->products[i].row == n || s->products[i].column == n;
        const struct slab *p = &t->slab[n];
        LLVMValueRef x = p->x_index == TILE_ROW ? tile_place(t, 0) : column;
        at[n] = used ? slab_at(t, stage, p, t->lane[1], x) : NULL;
    }
}

void matrix_add(struct tile *t, LLVMValueRef stage) {
    LLVMValueRef at[TILE_MAX_FACTORS];
    struct fragments f;
    find_fragments(t, stage, at);
    for (int s = 0; s < t->depth; s += t->step) {
        load_fragments(t, at, s, &f);
        add_products(t, &f);
    }
}

/* ---- the last parts of reductions that do not end at the same place */

/* The axis along which ends differ. */
static int axis_of_ends(const struct tile *t) {
    return t->tiling->end_growth[TILE_ROW] != 0 ? TILE_ROW : TILE_COLUMN;
}

bool matrix_masks(const struct tile *t) {
    const int *growth = t->tiling->end_growth;
    return t->matrix && t->alone && !t->tiling->finite &&
           (growth[TILE_ROW] == 0) != (growth[TILE_COLUMN] == 0);
}

/* The elements of fragments of a slab in `v[n]`, of which each pair i has so many. */
static int fragment_elements(const struct tile *t, const struct slab *p) {
    return t->step / (p->x_index == TILE_ROW ? 2 : QUAD);
}

LLVMValueRef matrix_is_finite(struct tile *t, LLVMValueRef stage) {
    struct gen *g = t->g;
    LLVMValueRef at[TILE_MAX_FACTORS],
        all = LLVMConstInt(i1_type(g), 1, false),
        most = LLVMConstReal(gen_type(g, DT_FLOAT64), (double)INFINITY);
    struct fragments f;
    find_fragments(t, stage, at);
    for (int s = 0; s < t->depth; s += t->step) {
        load_fragments(t, at, s, &f);
        for (int n = 0; n < t->tiling->nfactors; n++) {
            const struct slab *p = &t->slab[n];
            bool used = at[n] != NULL && (int)p->x_index != axis_of_ends(t);
            for (int i = 0; used && i < t->per[p->x_index] / 2; i++)
                for (int e = 0; e < fragment_elements(t, p); e++) {
                    LLVMValueRef size = gen_intrinsic(g, "fabs", NULL, &f.v[n][i][e], 1);
                    all = both(g, all, LLVMBuildFCmp(g->b, LLVMRealOLT, size, most, ""));
                }
        }
    }
    return all;
}

/* Makes elements of fragments 0 that are behind the ends of their rows, or columns; first (i64): of
 * the part. */
static void mask_fragments(struct tile *t, int step, LLVMValueRef first, struct fragments *f,
                           const LLVMValueRef *at) {
    struct gen *g = t->g;
    int axis = axis_of_ends(t);
    LLVMValueRef zero = LLVMConstNull(gen_type(g, DT_FLOAT64)), none = i64(g, 0);
    for (int n = 0; n < t->tiling->nfactors; n++) {
        const struct slab *p = &t->slab[n];
        bool used = at[n] != NULL && (int)p->x_index == axis, rows = axis == TILE_ROW;
        for (int i = 0; used && i < t->per[axis] / 2; i++)
            for (int e = 0; e < fragment_elements(t, p); e++) {
                int q = rows ? e / 2 : e;
                LLVMValueRef k = add(g, t->lane[1], i32(g, (uint32_t)(step + q * QUAD)));
                LLVMValueRef column = add(g, add(g, t->warp_column, t->lane[0]),
                                          i32(g, (uint32_t)result_at_side(t, 1, 2 * i)));
                LLVMValueRef own = rows ? tile_index(t, 0, 2 * i + e % 2)
                                        : add(g, t->own.first[1], extended(g, column));
                LLVMValueRef end = tile_end_at(t, t->end[0], rows ? own : none, rows ? none : own);
                LLVMValueRef here = compare(g, LLVMIntSLT, add(g, first, extended(g, k)), end);
                f->v[n][i][e] = gen_select(g, here, f->v[n][i][e], zero);
            }
    }
}

void matrix_add_masked(struct tile *t, LLVMValueRef stage, LLVMValueRef first) {
    LLVMValueRef at[TILE_MAX_FACTORS];
    struct fragments f;
    find_fragments(t, stage, at);
    for (int s = 0; s < t->depth; s += t->step) {
        load_fragments(t, at, s, &f);
        mask_fragments(t, s, first, &f, at);
        add_products(t, &f);
    }
}

/* ---- sums in a stream, without a pause from part to part */

/* Moves fragments to or from the slots that keep them from one part to the next. */
static void keep_fragments(struct tile *t, struct fragments *f, bool load) {
    struct gen *g = t->g;
    LLVMTypeRef type = gen_type(g, DT_FLOAT64);
    for (int n = 0; n < t->tiling->nfactors; n++) {
        bool rows = t->slab[n].x_index == TILE_ROW;
        for (int i = 0; i < t->per[t->slab[n].x_index] / 2; i++)
            for (int e = 0; e < t->step / (rows ? 2 : QUAD); e++) {
                LLVMValueRef slot = t->kept.v[n][i][e];
                if (slot != NULL && load)
                    f->v[n][i][e] = LLVMBuildLoad2(g->b, type, slot, "");
                else if (slot != NULL)
                    LLVMBuildStore(g->b, f->v[n][i][e], slot);
            }
    }
}

void matrix_begin(struct tile *t) {
    LLVMValueRef at[TILE_MAX_FACTORS];
    struct gen *g = t->g;
    find_fragments(t, t->shared, at);
    for (int n = 0; n < t->tiling->nfactors; n++)
        for (int i = 0; at[n] != NULL && i < MAX_PER / 2; i++)
            for (int e = 0; e < t->step / 2; e++)
                t->kept.v[n][i][e] = gen_alloca(g, gen_type(g, DT_FLOAT64), "fragment");
}

void matrix_add_most(struct tile *t, LLVMValueRef stage) {
    LLVMValueRef at[TILE_MAX_FACTORS];
    struct fragments f[2];
    find_fragments(t, stage, at);
    keep_fragments(t, &f[0], true);
    int s = 0;
    for (; s < t->depth / t->step - 1; s++) {
        load_fragments(t, at, (s + 1) * t->step, &f[(s + 1) % 2]);
        add_products(t, &f[s % 2]);
    }
    keep_fragments(t, &f[s % 2], false);
}

void matrix_add_last(struct tile *t, LLVMValueRef next, LLVMValueRef there) {
    LLVMValueRef at[TILE_MAX_FACTORS];
    struct fragments f[2];
    find_fragments(t, next, at);
    keep_fragments(t, &f[0], true);
    load_fragments(t, at, 0, &f[1]);
    LLVMBasicBlockRef after = begin_if(t->g, there);
    add_products(t, &f[0]);
    end_if(t->g, after);
    keep_fragments(t, &f[1], false);
}
