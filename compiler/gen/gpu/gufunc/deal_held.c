/* deal_held.c: DEAL's owners whose bins are in shared memory during a round: an array's elements of
 * all of them, then the next array's. */
#include "deal_own.h"

enum { MOVES = 4 }; /* bins whose elements a lane loads at once */

static unsigned width_of(const struct deal_array *a) {
    return dtype_info[a->element->dtype].bits == 64 ? 8 : 4;
}

/* How many bins of an owner have room, i32. */
static LLVMValueRef count_kept(const struct dealing *x) {
    struct gen *g = x->g;
    LLVMValueRef all = multiply(g, x->owners, i32(g, UFC_DEAL_NEAR));
    LLVMValueRef times = add(g, x->bins, subtract(g, all, i32(g, 1)));
    return multiply(g, LLVMBuildUDiv(g->b, times, all, ""), i32(g, UFC_DEAL_NEAR));
}

/* Where the owner's number `own`, i32, of array i is. */
static LLVMValueRef element_at(const struct owner *o, int i, LLVMValueRef own) {
    const struct dealing *x = o->x;
    struct gen *g = x->g;
    LLVMValueRef kept = count_kept(x), shown = multiply(g, x->warps, i32(g, UFC_DEAL_SHOWN));
    shown = multiply(g, shown, i32(g, x->room.bytes));
    shown = both(g, add(g, shown, i32(g, 15)), i32(g, (uint32_t)-16));
    LLVMValueRef bytes = multiply(g, kept, i32(g, deal_bin_bytes(x->d)));
    LLVMValueRef at = add(g, shown, multiply(g, x->warp, bytes));
    at = add(g, at, multiply(g, kept, i32(g, deal_bin_offset(x->d, i))));
    at = add(g, at, multiply(g, own, i32(g, width_of(&x->d->array[i]))));
    return at_byte(g, dynamic_memory(g), at);
}

static LLVMValueRef low_bits(const struct dealing *x, LLVMValueRef v) {
    struct gen *g = x->g;
    LLVMValueRef near = LLVMBuildShl(g->b, i32(g, 1), x->granule, "");
    return both(g, v, subtract(g, near, i32(g, 1)));
}

/* The number of a bin among the owner's, and the other way round. */
static LLVMValueRef own_number(const struct dealing *x, LLVMValueRef bin) {
    struct gen *g = x->g;
    LLVMValueRef high = LLVMBuildLShr(g->b, bin, add(g, x->granule, x->shift), "");
    return LLVMBuildOr(g->b, LLVMBuildShl(g->b, high, x->granule, ""), low_bits(x, bin), "");
}

static LLVMValueRef bin_of(const struct owner *o, LLVMValueRef own) {
    const struct dealing *x = o->x;
    struct gen *g = x->g;
    LLVMValueRef high = LLVMBuildLShr(g->b, own, x->granule, "");
    high = LLVMBuildOr(g->b, LLVMBuildShl(g->b, high, x->shift, ""), o->number, "");
    return LLVMBuildOr(g->b, LLVMBuildShl(g->b, high, x->granule, ""), low_bits(x, own), "");
}

static LLVMValueRef slot_of(const struct owner *o, int i) {
    return var_of(o->x->g, o->x->d->array[i].element)->slot;
}

static void get_element(const struct owner *o, int i, LLVMValueRef own) {
    struct gen *g = o->x->g;
    enum ufc_dtype d = o->x->d->array[i].element->dtype;
    LLVMValueRef v =
        gen_load_element(g, d, gen_memory_type(g, d), element_at(o, i, own), dtype_align(d));
    LLVMBuildStore(g->b, v, slot_of(o, i));
}

static void put_element(const struct owner *o, int i, LLVMValueRef own) {
    struct gen *g = o->x->g;
    enum ufc_dtype d = o->x->d->array[i].element->dtype;
    LLVMValueRef v = LLVMBuildLoad2(g->b, gen_type(g, d), slot_of(o, i), "");
    gen_store_element(g, gen_memory_type(g, d), v, element_at(o, i, own), dtype_align(d));
}

void deal_move_held(const struct owner *o, LLVMValueRef bin, bool stores) {
    const struct dealing *x = o->x;
    struct gen *g = x->g;
    const struct deal *d = x->d;
    LLVMValueRef own = own_number(x, bin);
    for (int group = 0; group < d->ngroups; group++) {
        LLVMBasicBlockRef after = NULL;
        if (d->ngroups > 1)
            after = begin_if(g, deal_is_of_group(x, bin, group));
        for (int i = 0; i < d->narrays; i++)
            if (!stores && d->array[i].group == group)
                get_element(o, i, own);
            else if (stores && deal_stores(d, group, i))
                put_element(o, i, own);
        if (d->ngroups > 1)
            end_if(g, after);
    }
}

/* Copies bins of one group: all loads are under way together, of the last bin where there is none
 * by a number. */
static void copy_in(const struct owner *o, LLVMValueRef first) {
    const struct dealing *x = o->x;
    struct gen *g = x->g;
    const struct deal *d = x->d;
    LLVMValueRef v[MOVES][MAX_DEAL_ARRAYS], last = subtract(g, x->bins, i32(g, 1));
    for (uint32_t u = 0; u < MOVES; u++) {
        deal_set_place(x, 0, least(g, bin_of(o, add(g, first, i32(g, u * WARP))), last));
        for (int i = 0; i < d->narrays; i++)
            v[u][i] = gen_value(g, d->array[i].loaded);
    }
    for (uint32_t u = 0; u < MOVES; u++) {
        LLVMValueRef own = add(g, first, i32(g, u * WARP));
        LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntULT, own, count_kept(x)));
        for (int i = 0; i < d->narrays; i++) {
            LLVMBuildStore(g->b, v[u][i], slot_of(o, i));
            put_element(o, i, own);
        }
        end_if(g, after);
    }
}

/* Moves a bin between shared memory and memory. */
static void copy_bin(const struct owner *o, LLVMValueRef own, bool stores) {
    const struct dealing *x = o->x;
    struct gen *g = x->g;
    const struct deal *d = x->d;
    LLVMValueRef bin = bin_of(o, own), there = compare(g, LLVMIntULT, bin, x->bins);
    there = both(g, there, compare(g, LLVMIntULT, own, count_kept(x)));
    LLVMBasicBlockRef within = begin_if(g, there);
    for (int group = 0; group < d->ngroups; group++) {
        LLVMBasicBlockRef after = begin_if(g, deal_is_of_group(x, bin, group));
        deal_set_place(x, group, deal_in_group(x, group, bin));
        for (int i = 0; i < d->narrays; i++) {
            const struct deal_array *a = &d->array[i];
            if (!stores && a->group == group) {
                deal_load_bin(g, a);
                put_element(o, i, own);
            } else if (stores && deal_stores(d, group, i)) {
                get_element(o, i, own);
                deal_store_bin(g, a);
            }
        }
        end_if(g, after);
    }
    end_if(g, within);
}

void deal_hold(const struct owner *o, bool stores) {
    const struct dealing *x = o->x;
    struct gen *g = x->g;
    LLVMValueRef begin = x->lane;
    struct loop l;
    gpu(g)->warp_barrier(g, i32(g, UINT32_MAX));
    loop_begin(g, &l, 1, &begin);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], count_kept(x)));
    if (!stores && x->d->ngroups == 1)
        copy_in(o, l.phi[0]);
    else
        for (uint32_t u = 0; u < MOVES; u++)
            copy_bin(o, add(g, l.phi[0], i32(g, u * WARP)), stores);
    LLVMValueRef next = add(g, l.phi[0], i32(g, MOVES * WARP));
    loop_end(g, &l, &next);
    gpu(g)->warp_barrier(g, i32(g, UINT32_MAX));
}
