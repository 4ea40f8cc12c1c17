/* image_deal.h: DEAL's shared memory, of which both halves know: a word for each warp and owner,
 * then for each warp the entries that its lanes see one after the other; or where nothing is dealt
 * out, a word for each owner. */
#ifndef UFC_IMAGE_DEAL_H
#define UFC_IMAGE_DEAL_H

#include <stdint.h>

enum { UFC_DEAL_BATCH = 2, UFC_DEAL_SHOWN = 32 * UFC_DEAL_BATCH }; /* of a lane, of a warp */

/* Of words, so that what is behind them is aligned to vectors. */
static inline int64_t ufc_deal_words(int64_t warps, int64_t owners) {
    return (warps * owners * 4 + 15) / 16 * 16;
}

/* size: bytes of an entry */
static inline int64_t ufc_deal_shared(int64_t warps, int64_t owners, int64_t size) {
    int64_t shown = warps * UFC_DEAL_SHOWN * size, far = owners * 4;
    return ufc_deal_words(warps, owners) + (shown > far ? shown : far);
}

/* Bytes of a call's workspace behind its two halves, where iterations have ranges of their own:
 * which turn is the first of each, an int64, and how many turns those of each warp have. */
static inline int64_t ufc_deal_begins(int64_t rows, int64_t warps) {
    return ((rows + warps) * 8 + 15) / 16 * 16;
}

#endif
