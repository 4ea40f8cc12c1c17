/* scans.c: how the tiles of PREFIX and STRIP share out scans. */
#include "spread.h"

bool scans_in_phases(const struct ufc_overload *o) {
    return o->phases > 1 && o->flags & UFC_SCANS;
}

/* The iterations of a phase's scan that a block of PREFIX computes. */
static int64_t scan_tile(const struct ufc_overload *o, uint32_t phase) {
    return (int64_t)o->phase[phase].units * o->block[UFC_KERNEL_PREFIX];
}

struct spread spread_tiles(const struct ufc_overload *o, uint32_t phase, int64_t iterations) {
    int64_t tiles = rounded_up(iterations, scan_tile(o, phase));
    return (struct spread){.kind = UFC_KERNEL_PREFIX,
                           .group = 1,
                           .parts = 1,
                           .blocks = (uint32_t)(tiles > 1 ? tiles : 1)};
}

/* Are calls few, and so long that a phase's scan of so many iterations is worth tiles? */
static bool is_long_scan(const struct iteration *it, uint32_t phase, int64_t iterations) {
    int64_t tile = scan_tile(it->overload, phase);
    return tile > 0 && it->total < PREFIX_MAX_CALLS && iterations > PREFIX_MIN_TILES * tile &&
           iterations / tile < INT32_MAX / it->total;
}

bool choose_prefix(const struct iteration *it, int64_t width, const struct nest *nest,
                   struct spread *s) {
    const struct ufc_overload *o = it->overload;
    bool one = o->kernel[UFC_KERNEL_PREFIX] && o->phases == 1 && is_long_scan(it, 0, width);
    if (one)
        *s = spread_tiles(o, 0, width);
    for (uint32_t i = 0; nest != NULL && scans_in_phases(o) && i < nest->nphases; i++)
        if (is_long_scan(it, i, nest->phase[i].scanned)) {
            s->kind = UFC_KERNEL_NEST;
            return true;
        }
    return one;
}

bool choose_strip(const struct iteration *it, int64_t width, struct spread *s) {
    const struct ufc_overload *o = it->overload;
    if (!o->kernel[UFC_KERNEL_STRIP])
        return false;
    const struct ufc_phase *phase = &o->phase[0];
    int64_t tile = (int64_t)ufc_strip_units(phase->units, phase->entry) *
                   o->block[UFC_KERNEL_STRIP] / UFC_STRIP_CALLS;
    if (width <= PREFIX_MIN_TILES * tile || width > STRIP_MAX_TILES * tile ||
        it->total < ACROSS_MIN_CALLS || it->total > STRIP_MAX_CALLS)
        return false;
    *s = (struct spread){.kind = UFC_KERNEL_STRIP, .group = 1, .parts = 1};
    s->blocks = (uint32_t)((width - 1) / tile + 1);
    return true;
}

bool scans_shortly(const struct iteration *it, int64_t width) {
    return it->overload->flags & UFC_SCANS && width < SCAN_MIN_ELEMS &&
           it->total >= THREAD_MIN_CALLS;
}
