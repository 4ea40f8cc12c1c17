/* whole_numbers.h: arrays of any strides with small whole numbers, whose sums are the same in any
 * order: what tests that compare a GPU's kernels with the host share. */
#ifndef WHOLE_NUMBERS_H
#define WHOLE_NUMBERS_H

#include "ufc.h"

struct array {
    int ndim;
    int64_t shape[4];
    int64_t stride[4]; /* elements; all 0: C order */
};
#define A(n, ...) ((struct array){.ndim = n, .shape = __VA_ARGS__})

static inline DLTensor tensor(struct array *a, void *first, ufc_type type) {
    DLTensor t = ufc_host_array(first, ufc_dltype(type), a->ndim, a->shape);
    if (a->stride[0] != 0)
        t.strides = a->stride;
    return t;
}

/* From -3 to 4, for each i another one. */
static inline int whole_number(int i) {
    return (int)((unsigned)i * 2654435761u >> 20) % 8 - 3;
}

/* n elements from the number of `first` on; of halves -1 or 2, of complex numbers v - v i. */
static inline void fill_numbers(void *to, int n, ufc_type type, int first) {
    for (int i = 0; i < n; i++) {
        int v = whole_number(first + i);
        switch (type) {
        case UFC_FLOAT64: ((double *)to)[i] = v; break;
        case UFC_FLOAT32: ((float *)to)[i] = (float)v; break;
        case UFC_FLOAT16: ((uint16_t *)to)[i] = v < 0 ? 0xbc00 : 0x4000; break;
        case UFC_INT64: ((int64_t *)to)[i] = v; break;
        case UFC_INT32: ((int32_t *)to)[i] = v; break;
        case UFC_INT16: ((int16_t *)to)[i] = (int16_t)v; break;
        case UFC_COMPLEX64:
            ((float *)to)[2 * i] = (float)v;
            ((float *)to)[2 * i + 1] = (float)-v;
            break;
        default: ((unsigned char *)to)[i] = (unsigned char)v; break;
        }
    }
}

#endif
