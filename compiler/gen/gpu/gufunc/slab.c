/* slab.c: slabs, parts of a tiling's factors: their layout in shared memory, and how those that are
 * elements get there.  The layout is the same for all layouts in global memory, which decides only
 * along which axis a thread's runs lie. */
#include <math.h>

#include "tile.h"

enum { LARGE_SIDE = 128 }; /* results of a tile along a side */

/* ---- in shared memory */

static int size_of_slab(const struct tile *t, const struct slab *p) {
    return t->size[p->x_index];
}

int slab_share(const struct tile *t, const struct slab *p) {
    return t->depth * size_of_slab(t, p) / t->team;
}

int slabs_share(const struct tile *t) {
    int bytes = 0;
    for (int n = 0; n < t->tiling->nfactors; n++)
        if (t->slab[n].factor->dtype != DT_BOOL && /* a bit each in registers */
            !slab_copies(t, &t->slab[n]))
            bytes += slab_share(t, &t->slab[n]) * (int)t->slab[n].bytes;
    return bytes;
}

void slabs_describe(struct tile *t) {
    t->stage = 0;
    for (int n = 0; n < t->tiling->nfactors; n++) {
        struct slab *p = &t->slab[n];
        const struct factor *f = &t->tiling->factors[n];
        int bits = dtype_info[f->dtype].bits;
        p->factor = f;
        p->x_index = f->of_rows ? TILE_ROW : TILE_COLUMN;
        p->bytes = (unsigned)bits / 8;
        p->run = f->place == NULL ? values_run(t, (int)p->x_index)
                 : 128 / bits < 4 ? 128 / bits
                                  : 4;
        while (p->run > slab_share(t, p))
            p->run /= 2;
        int pad = bits < 32 || t->matrix ? 4 : 128 / bits;
        p->pitch = (unsigned)(size_of_slab(t, p) + pad);
        p->offset = t->stage;
        t->stage += (p->bytes * p->pitch * (unsigned)t->depth + 15) / 16 * 16;
    }
}

LLVMValueRef slab_at(struct tile *t, LLVMValueRef stage, const struct slab *p, LLVMValueRef k,
                     LLVMValueRef x) {
    struct gen *g = t->g;
    LLVMValueRef at = add(g, multiply(g, k, i32(g, p->pitch)), x);
    at = add(g, multiply(g, at, i32(g, p->bytes)), i32(g, p->offset));
    return at_byte(g, stage, at);
}

/* ---- in global memory */

LLVMValueRef step_along(struct tile *t, const struct factor *f, enum tile_index index) {
    struct gen *g = t->g;
    bool calls = index == TILE_ROW && t->tiling->shared;
    LLVMValueRef step = calls ? t->row_step[f->place->operand] : i64(g, 0);
    for (int s = 0; s < f->place->nargs; s++)
        step = add(g, step,
                   multiply(g, g->arrays[f->place->operand].stride[s],
                            i64(g, (uint64_t)(int64_t)f->growth[s][index])));
    return step;
}

LLVMValueRef factor_offset(struct tile *t, const struct factor *f) {
    struct gen *g = t->g;
    LLVMValueRef offset = i64(g, 0);
    for (int s = 0; s < f->place->nargs; s++)
        offset = add(
            g, offset,
            multiply(g, g->arrays[f->place->operand].stride[s], gen_value(g, f->place->args[s])));
    return offset;
}

static LLVMValueRef magnitude(struct gen *g, LLVMValueRef v) {
    LLVMValueRef args[] = {v, LLVMConstInt(i1_type(g), 0, false)};
    return gen_intrinsic(g, "abs", NULL, args, 2);
}

/* Sets whether a slab's runs go along k, and whether one access moves a run. */
static void choose_access(struct tile *t, struct slab *p, LLVMValueRef offset) {
    struct gen *g = t->g;
    LLVMValueRef bytes = i64(g, p->bytes), zero = i64(g, 0);
    LLVMValueRef x = magnitude(g, p->step_x), k = magnitude(g, p->step_k);
    LLVMValueRef nearer = both(g, compare(g, LLVMIntSLT, k, x), compare(g, LLVMIntNE, k, zero));
    p->along_k = LLVMBuildOr(g->b, nearer, compare(g, LLVMIntEQ, x, zero), "");
    LLVMValueRef along = gen_select(g, p->along_k, p->step_k, p->step_x),
                 across = gen_select(g, p->along_k, p->step_x, p->step_k);
    LLVMValueRef bits = gufunc_address_bits(g, p->factor->place->operand);
    bits = LLVMBuildOr(g->b, LLVMBuildOr(g->b, bits, across, ""), offset, "");
    bits = both(g, bits, i64(g, (uint64_t)p->run * p->bytes - 1));
    p->wide = both(g, compare(g, LLVMIntEQ, along, bytes), compare(g, LLVMIntEQ, bits, zero));
}

int slab_apart(const struct tile *t, const struct slab *p, bool along_k) {
    return t->team * p->run / (along_k ? t->depth : size_of_slab(t, p));
}

/* Sets where the thread's elements of a slab begin. */
static void place_share(struct tile *t, struct slab *p) {
    struct gen *g = t->g;
    LLVMValueRef run = i32(g, (uint32_t)p->run);
    LLVMValueRef across = gen_select(g, p->along_k, i32(g, (uint32_t)(t->depth / p->run)),
                                     i32(g, (uint32_t)(size_of_slab(t, p) / p->run)));
    LLVMValueRef along = multiply(g, LLVMBuildURem(g->b, t->member, across, ""), run);
    LLVMValueRef over = LLVMBuildUDiv(g->b, t->member, across, "");
    p->x = gen_select(g, p->along_k, over, along);
    p->k = gen_select(g, p->along_k, along, over);
    for (int e = 0; e < slab_share(t, p); e++)
        p->slot[e] = gen_alloca(g, gen_type(g, p->factor->dtype), "element");
}

/* ---- from one to the other */

/* The thread's share of a slab in global memory. */
struct share {
    LLVMValueRef first;         /* the address of its first element */
    LLVMValueRef along, across; /* from element to element of a run, from run to run: bytes, i64 */
    LLVMValueRef room_along;    /* how many elements from the first one on exist, along a run */
    LLVMValueRef room_across;   /* and across, where runs are `apart`; i32 */
    LLVMValueRef apart;
};

/* i1: run n exists, though not all of its elements may. */
static LLVMValueRef has_run(struct gen *g, const struct share *s, int n) {
    LLVMValueRef before = multiply(g, s->apart, i32(g, (uint32_t)n));
    return compare(g, LLVMIntSGT, s->room_across, before);
}

/* Each run in one access. */
static void fetch_wide(struct tile *t, const struct slab *p, const struct share *s) {
    struct gen *g = t->g;
    LLVMValueRef at = s->first;
    for (int e = 0; e < slab_share(t, p); e++) {
        unsigned in = (unsigned)(e % p->run);
        unsigned align = in == 0 ? (unsigned)p->run * p->bytes : p->bytes;
        if (e > 0 && in == 0)
            at = at_byte(g, at, s->across);
        LLVMValueRef here = at_byte(g, at, i64(g, in * p->bytes));
        LLVMBuildStore(g->b, gen_element_aligned(g, p->factor->place, here, align), p->slot[e]);
    }
}

/* Each element alone.  Addresses are made of the ones before: if they were not, LLVM would keep the
 * differences of all of them in registers. */
static void fetch_elements(struct tile *t, const struct slab *p, const struct share *s) {
    struct gen *g = t->g;
    const struct pval *place = p->factor->place;
    LLVMValueRef run = s->first, at = run;
    for (int e = 0; e < slab_share(t, p); e++) {
        int in = e % p->run;
        if (e > 0)
            at = in == 0 ? run = at_byte(g, run, s->across) : at_byte(g, at, s->along);
        LLVMBuildStore(g->b, LLVMConstNull(gen_type(g, place->dtype)), p->slot[e]);
        LLVMValueRef here = compare(g, LLVMIntSGT, s->room_along, i32(g, (uint32_t)in));
        LLVMBasicBlockRef after = begin_if(g, both(g, here, has_run(g, s, e / p->run)));
        LLVMBuildStore(g->b, gen_element_aligned(g, place, at, dtype_align(place->dtype)),
                       p->slot[e]);
        end_if(g, after);
    }
}

/* The thread's share of a part of which so many elements are left along k: i32. */
static struct share share_of(struct tile *t, const struct slab *p, LLVMValueRef first,
                             LLVMValueRef left) {
    struct gen *g = t->g;
    LLVMValueRef left_x = elements_left(g, t->sizes[p->x_index], t->crew.first[p->x_index]);
    LLVMValueRef room_x = subtract(g, left_x, p->x), room_k = subtract(g, left, p->k);
    int apart[] = {slab_apart(t, p, false), slab_apart(t, p, true)};
    return (struct share){
        first,
        gen_select(g, p->along_k, p->step_k, p->step_x),
        gen_select(g, p->along_k, multiply(g, p->step_x, i64(g, (uint64_t)apart[1])),
                   multiply(g, p->step_k, i64(g, (uint64_t)apart[0]))),
        gen_select(g, p->along_k, room_k, room_x),
        gen_select(g, p->along_k, room_x, room_k),
        gen_select(g, p->along_k, i32(g, (uint32_t)apart[1]), i32(g, (uint32_t)apart[0]))};
}

/* How many elements along k must be left for one access to move each of the thread's runs: i32.
 * Parts then tell by one comparison, as all else of it is the same for all. */
static LLVMValueRef find_whole(struct tile *t, const struct slab *p) {
    struct gen *g = t->g;
    int last = slab_share(t, p) / p->run - 1;
    LLVMValueRef left_x = elements_left(g, t->sizes[p->x_index], t->crew.first[p->x_index]);
    LLVMValueRef along = i32(g, (uint32_t)p->run),
                 down = i32(g, (uint32_t)(last * slab_apart(t, p, true) + 1)),
                 over = i32(g, (uint32_t)(last * slab_apart(t, p, false) + 1));
    LLVMValueRef own = gen_select(g, p->along_k, down, along);
    LLVMValueRef exists = compare(g, LLVMIntSGE, subtract(g, left_x, p->x), own);
    exists = both(g, both(g, exists, p->wide), t->crew.exists);
    LLVMValueRef whole = add(g, p->k, gen_select(g, p->along_k, along, over));
    return gen_select(g, exists, whole, i32(g, INT32_MAX));
}

void slabs_begin(struct tile *t) {
    struct gen *g = t->g;
    for (int n = 0; n < t->tiling->nfactors; n++) {
        struct slab *p = &t->slab[n];
        if (p->factor->place == NULL) {
            p->along_k = LLVMConstInt(i1_type(g), t->tiling->along_depth[p->x_index], false);
            place_share(t, p);
            continue;
        }
        LLVMValueRef offset = factor_offset(t, p->factor);
        p->step_x = step_along(t, p->factor, p->x_index);
        p->step_k = step_along(t, p->factor, TILE_DEPTH);
        choose_access(t, p, offset);
        if (slab_copies(t, p))
            copies_begin(t, p);
        else {
            place_share(t, p);
            p->whole = t->size[0] >= LARGE_SIDE ? find_whole(t, p) : NULL;
        }
        offset = add(g, offset,
                     add(g, multiply(g, extended(g, p->x), p->step_x),
                         multiply(g, extended(g, p->k), p->step_k)));
        p->first = at_byte(g, g->arrays[p->factor->place->operand].base, offset);
    }
}

/* i1: one access moves each of the thread's runs.  Tiles below LARGE_SIDE have no register to keep
 * from part to part what tells it: more of their blocks are at work. */
static LLVMValueRef is_wide(struct tile *t, const struct slab *p, const struct share *s,
                            LLVMValueRef left) {
    struct gen *g = t->g;
    if (p->whole != NULL)
        return compare(g, LLVMIntSGE, left, p->whole);
    LLVMValueRef along = compare(g, LLVMIntSGE, s->room_along, i32(g, (uint32_t)p->run));
    return both(g, p->wide, both(g, along, has_run(g, s, slab_share(t, p) / p->run - 1)));
}

void slab_fetch(struct tile *t, const struct slab *p, LLVMValueRef first, LLVMValueRef left) {
    struct gen *g = t->g;
    struct share s = share_of(t, p, first, gen_select(g, t->crew.exists, left, i32(g, 0)));
    LLVMBasicBlockRef wide = gen_block(g, "wide"), elements = gen_block(g, "elements"),
                      done = gen_block(g, "fetched");
    LLVMBuildCondBr(g->b, is_wide(t, p, &s, left), wide, elements);
    gen_place(g, wide);
    fetch_wide(t, p, &s);
    LLVMBuildBr(g->b, done);
    gen_place(g, elements);
    fetch_elements(t, p, &s);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* Stores the thread's runs, which lie along k or along x. */
static void put_runs(struct tile *t, const struct slab *p, LLVMValueRef stage, bool along_k) {
    struct gen *g = t->g;
    enum ufc_dtype d = p->factor->dtype;
    LLVMTypeRef memory = gen_memory_type(g, d);
    LLVMValueRef first = slab_at(t, stage, p, p->k, p->x);
    unsigned apart = (unsigned)slab_apart(t, p, along_k);
    for (int e = 0; e < slab_share(t, p); e++) {
        unsigned across = (unsigned)(e / p->run) * apart, in = (unsigned)(e % p->run);
        unsigned at = (along_k ? in * p->pitch + across : across * p->pitch + in) * p->bytes;
        unsigned align = !along_k && in == 0 ? (unsigned)p->run * p->bytes : p->bytes;
        gen_store_element(g, memory, LLVMBuildLoad2(g->b, gen_type(g, d), p->slot[e], ""),
                          at_byte(g, first, i32(g, at)), align);
    }
}

void slab_put(struct tile *t, const struct slab *p, LLVMValueRef stage) {
    struct gen *g = t->g;
    LLVMBasicBlockRef along[] = {gen_block(g, "across"), gen_block(g, "along")},
                      done = gen_block(g, "put");
    LLVMBuildCondBr(g->b, p->along_k, along[1], along[0]);
    for (int k = 0; k < 2; k++) {
        gen_place(g, along[k]);
        put_runs(t, p, stage, k == 1);
        LLVMBuildBr(g->b, done);
    }
    gen_place(g, done);
}

LLVMValueRef slab_is_zero(struct tile *t, const struct slab *p) {
    struct gen *g = t->g;
    LLVMTypeRef type = gen_type(g, p->factor->dtype);
    LLVMValueRef all = LLVMConstInt(i1_type(g), 1, false), zero = LLVMConstNull(type);
    for (int e = 0; e < slab_share(t, p); e++) {
        LLVMValueRef v = LLVMBuildLoad2(g->b, type, p->slot[e], "");
        all = both(g, all,
                   is_float(p->factor->dtype) ? LLVMBuildFCmp(g->b, LLVMRealOEQ, v, zero, "")
                                              : LLVMBuildICmp(g->b, LLVMIntEQ, v, zero, ""));
    }
    return all;
}

LLVMValueRef slab_is_finite(struct tile *t, const struct slab *p) {
    struct gen *g = t->g;
    LLVMTypeRef type = gen_type(g, p->factor->dtype);
    LLVMValueRef all = LLVMConstInt(i1_type(g), 1, false);
    for (int e = 0; is_float(p->factor->dtype) && e < slab_share(t, p); e++) {
        LLVMValueRef v = LLVMBuildLoad2(g->b, type, p->slot[e], "");
        LLVMValueRef size = gen_intrinsic(g, "fabs", NULL, &v, 1);
        LLVMValueRef most = LLVMConstReal(type, (double)INFINITY);
        all = both(g, all, LLVMBuildFCmp(g->b, LLVMRealOLT, size, most, ""));
    }
    return all;
}
