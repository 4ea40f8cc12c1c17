/* dice.h: what all random programs are drawn with.  The file that includes it has a struct draw
 * with `uint64_t seed, position; FILE *out;`: a program is drawn from its seed alone. */
#ifndef DICE_H
#define DICE_H

#include <stdarg.h>
#include "../golden/elements.h"

enum { TYPES = 15 };

static const char *const type_names[TYPES] = {
    "bool",   "int8",    "uint8",    "int16",   "uint16",  "int32",     "uint32",    "int64",
    "uint64", "float16", "bfloat16", "float32", "float64", "complex64", "complex128"};

static uint64_t dice(struct draw *d, uint64_t n) {
    return (random_bits(d->seed, d->position++) >> 16) % n;
}

static bool chance(struct draw *d, unsigned percent) {
    return dice(d, 100) < percent;
}

#define PICK(d, list) (list)[dice((d), sizeof(list) / sizeof *(list))]

static void put(struct draw *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(struct draw *d, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vfprintf(d->out, format, args);
    va_end(args);
}

#endif
