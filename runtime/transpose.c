/* transpose.c: copies matrices of elements, those that are transposed in blocks. */
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "rt.h"

/* A loop for each size of elements: memcpy is one move only where its size is a constant. */
#define COPY(SIZE)                                                                                 \
    static void copy_##SIZE(const struct matrix *m, int64_t a, int64_t b) {                        \
        for (; a < m->a; a++)                                                                      \
            for (int64_t i = b; i < m->b; i++)                                                     \
                memcpy(m->to + a * m->to_a + i * m->to_b, m->from + a * m->from_a + i * m->from_b, \
                       SIZE);                                                                      \
    }

COPY(1)
COPY(2)
COPY(4)
COPY(8)
COPY(16)

#ifdef __SSE2__
/* Blocks of 2 by 2 elements of 8 bytes that are neighbours along b before, along a behind. */
static void transpose_8(const struct matrix *m) {
    for (int64_t a = 0; a + 2 <= m->a; a += 2)
        for (int64_t b = 0; b + 2 <= m->b; b += 2) {
            const char *from = m->from + a * m->from_a + b * 8;
            char *to = m->to + a * 8 + b * m->to_b;
            __m128i x = _mm_loadu_si128((const __m128i *)(const void *)from);
            __m128i y = _mm_loadu_si128((const __m128i *)(const void *)(from + m->from_a));
            _mm_storeu_si128((__m128i *)(void *)to, _mm_unpacklo_epi64(x, y));
            _mm_storeu_si128((__m128i *)(void *)(to + m->to_b), _mm_unpackhi_epi64(x, y));
        }
}

static __m128 load_4(const char *from) {
    return _mm_loadu_ps((const float *)(const void *)from);
}

static void store_4(char *to, __m128 v) {
    _mm_storeu_ps((float *)(void *)to, v);
}

/* Blocks of 4 by 4 elements of 4 bytes. */
static void transpose_4(const struct matrix *m) {
    for (int64_t a = 0; a + 4 <= m->a; a += 4)
        for (int64_t b = 0; b + 4 <= m->b; b += 4) {
            const char *from = m->from + a * m->from_a + b * 4;
            char *to = m->to + a * 4 + b * m->to_b;
            __m128 x = load_4(from), y = load_4(from + m->from_a);
            __m128 z = load_4(from + 2 * m->from_a), w = load_4(from + 3 * m->from_a);
            _MM_TRANSPOSE4_PS(x, y, z, w);
            store_4(to, x);
            store_4(to + m->to_b, y);
            store_4(to + 2 * m->to_b, z);
            store_4(to + 3 * m->to_b, w);
        }
}

/* Copies elements of 4 or 8 bytes, in blocks and the rest one by one. */
static void copy_blocks(const struct matrix *m, int64_t size) {
    int64_t side = 16 / size, a = m->a / side * side, b = m->b / side * side;
    struct matrix behind = *m;
    behind.a = a;
    if (size == 8) {
        transpose_8(m);
        copy_8(&behind, 0, b);
        copy_8(m, a, 0);
    } else {
        transpose_4(m);
        copy_4(&behind, 0, b);
        copy_4(m, a, 0);
    }
}
#endif

void copy_matrix(const struct matrix *m, int64_t size) {
#ifdef __SSE2__
    if ((size == 4 || size == 8) && m->from_b == size && m->to_a == size) {
        copy_blocks(m, size);
        return;
    }
#endif
    switch (size) {
    case 1: copy_1(m, 0, 0); break;
    case 2: copy_2(m, 0, 0); break;
    case 4: copy_4(m, 0, 0); break;
    case 8: copy_8(m, 0, 0); break;
    default: copy_16(m, 0, 0); break;
    }
}
