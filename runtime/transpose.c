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
static __m128d load_8(const char *from) {
    return _mm_loadu_pd((const double *)(const void *)from);
}

static void store_8(char *to, __m128d v) {
    _mm_storeu_pd((double *)(void *)to, v);
}

static __m128 load_4(const char *from) {
    return _mm_loadu_ps((const float *)(const void *)from);
}

static void store_4(char *to, __m128 v) {
    _mm_storeu_ps((float *)(void *)to, v);
}

/* A block of 2 by 2 elements of 8 bytes that are neighbours along b before, along a behind. */
static inline void block_8(char *to, int64_t to_b, const char *from, int64_t from_a) {
    __m128d x = load_8(from), y = load_8(from + from_a);
    store_8(to, _mm_unpacklo_pd(x, y));
    store_8(to + to_b, _mm_unpackhi_pd(x, y));
}

/* The same, of 4 by 4 elements of 4 bytes, of which `rows` are loaded and `columns` are stored. */
static inline void block_4(char *to, int64_t to_b, const char *from, int64_t from_a, int64_t rows,
                           int64_t columns) {
    __m128 x = load_4(from), y = x, z = x, w = x;
    if (rows > 1)
        y = load_4(from + from_a);
    if (rows > 2)
        z = load_4(from + 2 * from_a);
    if (rows > 3)
        w = load_4(from + 3 * from_a);
    _MM_TRANSPOSE4_PS(x, y, z, w);
    store_4(to, x);
    if (columns > 1)
        store_4(to + to_b, y);
    if (columns > 2)
        store_4(to + 2 * to_b, z);
    if (columns > 3)
        store_4(to + 3 * to_b, w);
}

/* All in blocks of which the last ones overlap those before them.  Matrices come by value, since
 * stores might change one in memory. */
static void transpose_8(struct matrix m) {
    for (int64_t i = 0; i < m.a; i += 2) {
        int64_t a = i + 2 <= m.a ? i : m.a - 2, b = 0;
        const char *from = m.from + a * m.from_a;
        char *to = m.to + a * 8;
        for (; b + 2 <= m.b; b += 2)
            block_8(to + b * m.to_b, m.to_b, from + b * 8, m.from_a);
        if (b < m.b)
            block_8(to + (m.b - 2) * m.to_b, m.to_b, from + (m.b - 2) * 8, m.from_a);
    }
}

static void transpose_4(struct matrix m) {
    for (int64_t i = 0; i < m.a; i += 4) {
        int64_t a = i + 4 <= m.a ? i : m.a - 4, b = 0;
        const char *from = m.from + a * m.from_a;
        char *to = m.to + a * 4;
        for (; b + 4 <= m.b; b += 4)
            block_4(to + b * m.to_b, m.to_b, from + b * 4, m.from_a, 4, 4);
        if (b < m.b)
            block_4(to + (m.b - 4) * m.to_b, m.to_b, from + (m.b - 4) * 4, m.from_a, 4, 4);
    }
}

/* Fewer than 4 elements along b, which lie without gaps before: each load has some of the next ones
 * too, so that the last ones are left.  Gives where these begin along a. */
static int64_t gather_4(struct matrix m) {
    int64_t a = 0;
    for (; a + 4 < m.a; a += 4)
        block_4(m.to + a * 4, m.to_b, m.from + a * m.from_a, m.from_a, 4, m.b);
    return a;
}

/* Fewer than 4 elements along a, which lie without gaps behind: each store has places of the next
 * ones too, which are stored later.  Gives where the rest begins along b. */
static int64_t scatter_4(struct matrix m) {
    int64_t b = 0;
    for (; b + 4 < m.b; b += 4)
        block_4(m.to + b * m.to_b, m.to_b, m.from + b * 4, m.from_a, m.a, 4);
    return b;
}

/* Copies elements of 4 or 8 bytes in blocks where that can be.  False: nothing is copied. */
static bool copy_blocks(const struct matrix *m, int64_t size) {
    if (m->from_b != size || m->to_a != size || (size != 4 && size != 8))
        return false;
    if (size == 8 && m->a >= 2 && m->b >= 2)
        transpose_8(*m);
    else if (size == 4 && m->a >= 4 && m->b >= 4)
        transpose_4(*m);
    else if (size == 4 && m->b > 1 && m->b < 4 && m->from_a == m->b * size)
        copy_4(m, gather_4(*m), 0);
    else if (size == 4 && m->a < 4 && m->to_b == m->a * size)
        copy_4(m, 0, scatter_4(*m));
    else
        return false;
    return true;
}
#endif

void copy_matrix(const struct matrix *m, int64_t size) {
    struct matrix turned = {m->to, m->from, m->b, m->to_b, m->from_b, m->a, m->to_a, m->from_a};
    if (m->a > 1 && m->b > 1 && m->from_a == size && m->to_b == size)
        m = &turned;
#ifdef __SSE2__
    if (copy_blocks(m, size))
        return;
#endif
    switch (size) {
    case 1: copy_1(m, 0, 0); break;
    case 2: copy_2(m, 0, 0); break;
    case 4: copy_4(m, 0, 0); break;
    case 8: copy_8(m, 0, 0); break;
    default: copy_16(m, 0, 0); break;
    }
}
