/* casting.h: NumPy's casting rules, for the calls and for the language: both halves include it. */
#ifndef UFC_CASTING_H
#define UFC_CASTING_H

#include <stdbool.h>
#include <string.h>

#include "dtype.h"

/* np.can_cast(from, to, 'safe') */
static inline bool casts_safely(enum ufc_dtype from, enum ufc_dtype to) {
    char f = dtype_traits[from].kind, t = dtype_traits[to].kind;
    int fbits = dtype_traits[from].bits, tbits = dtype_traits[to].bits;
    if (from == to || f == 'b')
        return true;
    int part = t == 'c' ? tbits / 2 : tbits;
    if (f == t) /* of float16 and bfloat16 neither casts to the other */
        return fbits < tbits;
    if (f == 'f')
        return t == 'c' && fbits <= part;
    if (t == 'f' || t == 'c') /* float64 takes all integers */
        return f != 'c' && (part == 64 || fbits <= part / 2);
    return f == 'u' && t == 'i' && fbits < tbits;
}

/* np.can_cast(from, to, 'same_kind') */
static inline bool casts_same_kind(enum ufc_dtype from, enum ufc_dtype to) {
    static const char order[] = "buifc";
    return strchr(order, dtype_traits[from].kind) <= strchr(order, dtype_traits[to].kind);
}

/* How much a cast may lose: 0 where it is safe, largest where it goes to a lower kind. */
static inline int cast_loss(enum ufc_dtype from, enum ufc_dtype to) {
    static const char order[] = "buifc";
    char f = dtype_traits[from].kind, t = dtype_traits[to].kind;
    int down = (int)(strchr(order, f) - strchr(order, t));
    int part = f == 'c' && t != 'c' ? dtype_traits[from].bits / 2 : dtype_traits[from].bits;
    int bits = part - dtype_traits[to].bits;
    if (casts_safely(from, to))
        return 0;
    return (down > 0 ? 256 * down : 1) + (bits > 0 ? bits : 0);
}

#endif
