/* joint.c: how calls are shared out whose elements registers hold, in WARP and BLOCK, or shared
 * memory keeps, in JOINT and COLUMNS: to how many threads or blocks, and how many neighbouring
 * calls those have at a time. */
#include <stdlib.h>

#include "model.h"
#include "spread.h"

/* The bytes of shared memory that keep the elements of one of so many blocks that have `elements`
 * of them together. */
static int64_t joint_bytes(const struct ufc_overload *o, int64_t elements, int64_t blocks) {
    int64_t threads = blocks * o->block[UFC_KERNEL_JOINT], lot = UFC_JOINT_LOTS * o->held;
    int64_t lots = rounded_up(elements, threads * lot);
    return lots * lot * o->kept * o->block[UFC_KERNEL_JOINT];
}

/* The groups of so many blocks that the GPU has room for at a time; joins: bytes for these. */
static int64_t joint_groups(const struct gpu_model *gpu, int64_t bytes, int64_t joins,
                            int64_t blocks) {
    int64_t fit = gpu->shared / (bytes + joins + BLOCK_RESERVED);
    return gpu->together * (fit < UFC_JOINT_BLOCKS ? fit : UFC_JOINT_BLOCKS) / blocks;
}

/* The elements that one block keeps. */
static int64_t block_elements(const struct ufc_overload *o) {
    return (int64_t)ufc_joint_points(o->held, o->kept) * o->block[UFC_KERNEL_JOINT];
}

bool choose_joint(const struct iteration *it, const struct gpu_model *gpu, int64_t width,
                  struct spread *s) {
    const struct ufc_overload *o = it->overload;
    int64_t each = block_elements(o), blocks = 1;
    int64_t least = UFC_JOINT_LOTS * (int64_t)o->held * o->block[UFC_KERNEL_JOINT];
    if (!o->kernel[UFC_KERNEL_JOINT] || width > each * JOINT_BLOCKS)
        return false;
    while (blocks * each < width)
        blocks *= 2;
    int64_t groups = joint_groups(gpu, joint_bytes(o, width, blocks), JOINT_WORDS, blocks);
    while (blocks * least < width && (groups == 0 || it->total * 2 <= groups)) {
        blocks *= 2;
        groups = joint_groups(gpu, joint_bytes(o, width, blocks), JOINT_WORDS, blocks);
    }
    if (groups == 0)
        return false;
    *s = (struct spread){.kind = UFC_KERNEL_JOINT,
                         .group = (uint32_t)(groups < it->total ? groups : it->total),
                         .blocks = (uint32_t)blocks,
                         .shared = (uint32_t)joint_bytes(o, width, blocks),
                         .parts = 1};
    return true;
}

/* How many bytes neighbouring calls are apart in the arrays that shared memory keeps, at least; 0:
 * some array has a call's elements side by side, or all calls share these. */
static int64_t calls_apart(const struct iteration *it) {
    const struct ufc_overload *o = it->overload;
    const uint8_t *rank = it->ufunc->core->rank;
    const int64_t *stride = it->core->stride;
    int64_t apart = 0;
    for (int k = 0; k < it->nin + it->nout && it->naxes > 0; stride += rank[k], k++) {
        if (!it->data[k])
            continue;
        int64_t own = llabs(it->stride[k][0]);
        bool kept = k < it->nin && o->in_memory >> k & 1;
        switch (call_layout(1, it->size, it->stride[k], rank[k], stride)) {
        case CALLS_ALONG: return 0;
        case CALLS_ACROSS: apart = kept && (apart == 0 || own < apart) ? own : apart; break;
        default: break;
        }
    }
    return apart;
}

/* Shares calls out, so many neighbouring ones at a time, to groups of as few blocks as keep them,
 * or of more, as long as their threads have enough, where shared memory has no room for those, or
 * the GPU for more groups than there are calls for.  False: it has no room. */
static bool share_columns(const struct iteration *it, const struct gpu_model *gpu, int64_t width,
                          int64_t across, struct spread *s) {
    const struct ufc_overload *o = it->overload;
    int64_t elements = width * across, turns = rounded_up(it->total, across), blocks = 1;
    int64_t least = UFC_JOINT_LOTS * (int64_t)o->held * o->block[UFC_KERNEL_COLUMNS];
    while (blocks * block_elements(o) < elements)
        blocks *= 2;
    int64_t bytes = joint_bytes(o, elements, blocks);
    int64_t groups = joint_groups(gpu, bytes, COLUMNS_WORDS, blocks);
    while (blocks * least < elements && (groups == 0 || (blocks > 1 && turns * 2 <= groups))) {
        blocks *= 2;
        bytes = joint_bytes(o, elements, blocks);
        groups = joint_groups(gpu, bytes, COLUMNS_WORDS, blocks);
    }
    *s = (struct spread){.kind = UFC_KERNEL_COLUMNS,
                         .group = (uint32_t)(groups < turns ? groups : turns),
                         .blocks = (uint32_t)blocks,
                         .shared = (uint32_t)bytes,
                         .windows = (uint32_t)across,
                         .parts = 1};
    return groups > 0;
}

/* How many neighbouring calls the only block of a group has that has room for `across`: more, up to
 * a line, where its threads would have few elements else, as long as there are calls for all
 * blocks. */
static int64_t block_columns(const struct iteration *it, int64_t width, int64_t apart,
                             int64_t across) {
    const struct ufc_overload *o = it->overload;
    int64_t block = o->block[UFC_KERNEL_COLUMNS], most = block_elements(o);
    int64_t lot = UFC_JOINT_LOTS * (int64_t)o->held * block;
    while (across * 2 <= block && it->total >= across * 2 * COLUMNS_TURNS &&
           (width * across * 2 <= lot ||
            (across * 2 * apart <= COLUMNS_LINE && width * across * 2 <= most)))
        across *= 2;
    return across;
}

/* As many neighbouring calls as memory moves at least, in a block that keeps them, or in as few
 * blocks as keep them: there, up to a line of calls, as long as blocks await few entries. */
bool choose_columns(const struct iteration *it, const struct gpu_model *gpu, int64_t width,
                    struct spread *s) {
    const struct ufc_overload *o = it->overload;
    int64_t apart = calls_apart(it), most = block_elements(o), across = 1;
    if (!o->kernel[UFC_KERNEL_COLUMNS] || apart == 0 || apart >= COLUMNS_BYTES ||
        width > most * JOINT_BLOCKS)
        return false;
    while (across * apart < COLUMNS_BYTES)
        across *= 2;
    if (width * across <= most)
        across = block_columns(it, width, apart, across);
    if (!share_columns(it, gpu, width, across, s))
        return false;
    struct spread wide;
    while (s->blocks > 1 && s->windows * 2 * apart <= COLUMNS_LINE &&
           share_columns(it, gpu, width, s->windows * 2, &wide) &&
           wide.blocks * wide.windows <= COLUMNS_ENTRIES)
        *s = wide;
    return s->blocks == 1 || s->blocks * s->windows <= COLUMNS_ENTRIES;
}

bool has_shared_steps(const struct ufc_overload *o) {
    for (uint32_t i = 0; i < o->nloops; i++) {
        int parent = o->loops[i].kind == UFC_LOOP_SERIAL ? -1 : o->loops[i].parent;
        bool steps = parent >= 0;
        for (; parent >= 0; parent = o->loops[parent].parent)
            steps = steps && o->loops[parent].kind == UFC_LOOP_SERIAL;
        if (steps)
            return true;
    }
    return false;
}

bool choose_held(const struct iteration *it, const struct gpu_model *gpu, int64_t width,
                 struct spread *s) {
    const struct ufc_overload *o = it->overload;
    const int64_t warp = 32;
    int64_t threads = 1;
    if (!o->held || !o->kernel[UFC_KERNEL_WARP])
        return false;
    if (width > (int64_t)o->held * o->block[UFC_KERNEL_BLOCK])
        return choose_joint(it, gpu, width, s);
    while (threads * o->held < width)
        threads *= 2;
    bool wide = o->held < HELD_POINTS; /* more threads, each with all that steps have beside rows */
    if (threads <= warp && has_shared_steps(o) && (wide || threads * it->total < THREAD_MIN_CALLS))
        return false;
    if (threads == HELD_THREADS && choose_joint(it, gpu, width, s) &&
        it->total >= (int64_t)JOINT_ROUNDS * s->group)
        return true;
    if (threads <= warp)
        *s = (struct spread){
            .kind = UFC_KERNEL_WARP, .group = (uint32_t)threads, .blocks = 1, .parts = 1};
    else
        *s = (struct spread){
            .kind = UFC_KERNEL_BLOCK, .group = 1, .blocks = 1, .threads = (uint32_t)threads};
    return true;
}
