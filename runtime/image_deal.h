/* image_deal.h: DEAL's shared memory, of which both halves know.  While a block finds the order of
 * a lot of entries it has half a word for each warp and owner, and behind these the lot.  While
 * owners update bins, it has for each warp the entries that its lanes see one after the other, and
 * behind those of all warps the bins of their owners.  Where nothing is dealt out, it has a word
 * for each warp and owner, and one for each owner. */
#ifndef UFC_IMAGE_DEAL_H
#define UFC_IMAGE_DEAL_H

#include <stdint.h>

enum { UFC_DEAL_BATCH = 2, UFC_DEAL_SHOWN = 32 * UFC_DEAL_BATCH }; /* of a lane, of a warp */
enum { UFC_DEAL_LOT = (1 << 16) - 1 };                             /* entries of a lot, at most */

enum { UFC_DEAL_UNITS = 4 }; /* iterations of a thread whose loads are under way together */
enum { UFC_DEAL_SITES = 8 }; /* where a body deals out entries, at most */

/* Of a launch: owners' lanes have a bin each; owners have their bins in shared memory; lots are in
 * the workspace until they are in order; UFC_DEAL_NEAR neighbours, from a multiple of that on, have
 * one owner, by which moving bins takes fewer accesses, but frequent neighbours fewer owners. */
enum { UFC_DEAL_LANES = 1, UFC_DEAL_HELD = 2, UFC_DEAL_FAR = 4, UFC_DEAL_BESIDE = 8 };
enum { UFC_DEAL_NEAR = 8 };

static inline int64_t ufc_deal_part(int64_t bytes) {
    return (bytes + 15) / 16 * 16;
}

/* Of words, so that what is behind them is aligned to vectors. */
static inline int64_t ufc_deal_words(int64_t warps, int64_t owners) {
    return ufc_deal_part(warps * owners * 4);
}
static inline int64_t ufc_deal_halves(int64_t warps, int64_t owners) {
    return ufc_deal_part(warps * owners * 2);
}

/* The entries of a lot, `size` bytes each: each value of UFC_DEAL_ROW of them is together. */
enum { UFC_DEAL_ROW = 32 };
static inline int64_t ufc_deal_entries(int64_t entries, int64_t size) {
    return (entries + UFC_DEAL_ROW - 1) / UFC_DEAL_ROW * UFC_DEAL_ROW * size;
}

/* A lot, with half a word for the place of each entry. */
static inline int64_t ufc_deal_lot(int64_t entries, int64_t size) {
    return ufc_deal_part(ufc_deal_entries(entries, size) + entries * 2);
}

static inline int64_t ufc_deal_shown(int64_t warps, int64_t size) {
    return ufc_deal_part(warps * UFC_DEAL_SHOWN * size);
}

/* Bins of an owner that have room in shared memory. */
static inline int64_t ufc_deal_kept(int64_t bins, int64_t owners) {
    int64_t all = owners * UFC_DEAL_NEAR;
    return (bins + all - 1) / all * UFC_DEAL_NEAR;
}

static inline int64_t ufc_deal_ranks(int64_t warps, int64_t owners) {
    return ufc_deal_words(warps, owners) + owners * 4;
}

/* Bytes of a call's workspace behind its two halves, where iterations have ranges of their own:
 * which turn is the first of each, an int64, and how many turns those of each warp have. */
static inline int64_t ufc_deal_begins(int64_t rows, int64_t warps) {
    return ((rows + warps) * 8 + 15) / 16 * 16;
}

/* Bytes of the workspace that a call has twice, for rounds in turn: for each lot where owners'
 * entries are among its own, a word each, and these, in order; and for each block that has its lot
 * there, not in shared memory, that. */
static inline int64_t ufc_deal_bytes(int64_t lots, int64_t owners, int64_t entries, int64_t size,
                                     int64_t far) {
    return ufc_deal_part(lots * owners * 4) + lots * ufc_deal_entries(entries, size) +
           far * ufc_deal_lot(entries, size);
}
/* Bytes behind all, which lanes without entries may read where iterations have none. */
static inline int64_t ufc_deal_spare(int64_t size) {
    return UFC_DEAL_ROW * size;
}
/* Bytes in front of these: an uint32_t for each call, 0 at first, by which its blocks wait for one
 * another. */
static inline int64_t ufc_deal_counts(int64_t calls) {
    return ufc_deal_part(calls * 4);
}

#endif
