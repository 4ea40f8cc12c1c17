/* casting.h: NumPy's casting rules, of calls and of the language, so both halves include it. */
#ifndef UFC_CASTING_H
#define UFC_CASTING_H

#include <stdbool.h>
#include <string.h>

#include "kabi.h"

static const struct {
    char kind;
    int bits;
} casting_info[DT_COUNT] = {
#define DTYPE(ID, name, brief, kind, bits, ctype) {kind, bits},
#include "dtype.def"
#undef DTYPE
};

/* np.can_cast(from, to, 'safe') */
static inline bool casts_safely(enum ufc_dtype from, enum ufc_dtype to) {
    char f = casting_info[from].kind, t = casting_info[to].kind;
    int fbits = casting_info[from].bits, tbits = casting_info[to].bits;
    if (from == to || f == 'b')
        return true;
    if (f == t)
        return fbits <= tbits;
    if (t == 'f') /* of integers, float64 takes all */
        return tbits == 64 || fbits <= tbits / 2;
    return f == 'u' && t == 'i' && fbits < tbits;
}

/* np.can_cast(from, to, 'same_kind') */
static inline bool casts_same_kind(enum ufc_dtype from, enum ufc_dtype to) {
    static const char order[] = "buif";
    return strchr(order, casting_info[from].kind) <= strchr(order, casting_info[to].kind);
}

#endif
