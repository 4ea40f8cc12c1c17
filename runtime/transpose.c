/* transpose.c: transposes matrices of elements. */
#include <string.h>

#include "rt.h"

/* A loop for each size of elements: memcpy is one move only where its size is a constant. */
#define TRANSPOSE(SIZE)                                                                            \
    static void transpose_##SIZE(char *to, const char *from, int64_t along, int64_t along_step,    \
                                 int64_t across, int64_t across_step) {                            \
        for (int64_t i = 0; i < along; i++, to += (SIZE), from += along_step)                      \
            for (int64_t j = 0; j < across; j++)                                                   \
                memcpy(to + j * along * (SIZE), from + j * across_step, SIZE);                     \
    }

TRANSPOSE(1)
TRANSPOSE(2)
TRANSPOSE(4)
TRANSPOSE(8)
TRANSPOSE(16)

void transpose(char *to, const char *from, int64_t size, int64_t along, int64_t along_step,
               int64_t across, int64_t across_step) {
    switch (size) {
    case 1: transpose_1(to, from, along, along_step, across, across_step); break;
    case 2: transpose_2(to, from, along, along_step, across, across_step); break;
    case 4: transpose_4(to, from, along, along_step, across, across_step); break;
    case 8: transpose_8(to, from, along, along_step, across, across_step); break;
    default: transpose_16(to, from, along, along_step, across, across_step); break;
    }
}
