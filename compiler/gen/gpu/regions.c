/* regions.c: the tiles of a scan, which blocks have, wait for one another.  Each has an entry of
 * the workspace for the join of its own terms, and each region of UFC_SCAN_REGION tiles one for the
 * join of all terms of the line up to its end.  What is before a tile is in the latter of the
 * region before the last one, which is there long since, and in those of the tiles from there on.
 * They are read at once, an entry a thread: what waits for what others read first waits twice.
 * (Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, 2016, where each
 * tile publishes what is up to its end, too.) */
#include "gen/gpu/gpu.h"

_Static_assert(2 * UFC_SCAN_REGION == BLOCK_THREADS, "each thread has an entry at most");

struct entries find_tile_entries(struct gen *g, const struct tiles *t, LLVMValueRef thread) {
    LLVMValueRef size = i32(g, UFC_SCAN_REGION), one = i32(g, 1),
                 more = i32(g, UFC_SCAN_REGION - 1);
    LLVMValueRef regions = LLVMBuildUDiv(g->b, add(g, t->number, more), size, "");
    LLVMValueRef region = LLVMBuildUDiv(g->b, t->tile, size, "");
    LLVMValueRef far = compare(g, LLVMIntUGT, region, one);
    LLVMValueRef begin = gen_select(g, far, subtract(g, region, one), i32(g, 0));
    begin = multiply(g, begin, size);
    LLVMValueRef of_line = multiply(g, t->line, t->number);
    LLVMValueRef of_regions = multiply(g, t->lines, t->number);
    of_regions = add(g, of_regions, multiply(g, t->line, regions));
    LLVMValueRef before = LLVMBuildZExt(g->b, far, i32_type(g), "");
    LLVMValueRef n = add(g, before, subtract(g, t->tile, begin));
    LLVMValueRef tile = add(g, add(g, of_line, begin), subtract(g, thread, before));
    LLVMValueRef end = add(g, of_regions, subtract(g, region, i32(g, 2)));
    return (struct entries){
        .own = add(g, of_line, t->tile),
        .n = n,
        .has = compare(g, LLVMIntULT, thread, n),
        .thread = gen_select(g, compare(g, LLVMIntULT, thread, before), end, tile),
        .ends = compare(g, LLVMIntEQ, both(g, t->tile, more), more),
        .region = add(g, of_regions, region),
    };
}
