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
static inline void part_4(char *to, int64_t to_b, const char *from, int64_t from_a, int64_t rows,
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

static inline void block_4(char *to, int64_t to_b, const char *from, int64_t from_a) {
    part_4(to, to_b, from, from_a, 4, 4);
}

/* Rows i and i + 4 of `from` become rows 2 i and 2 i + 1 of `to`, with their elements in turn:
 * behind three rounds rows of 8 elements of 2 bytes are columns. */
static inline void weave_2(const __m128i *from, __m128i *to) {
    for (int i = 0; i < 4; i++) {
        to[2 * i] = _mm_unpacklo_epi16(from[i], from[i + 4]);
        to[2 * i + 1] = _mm_unpackhi_epi16(from[i], from[i + 4]);
    }
}

/* Of 8 by 8 elements of 2 bytes. */
static inline void block_2(char *to, int64_t to_b, const char *from, int64_t from_a) {
    __m128i x[8], y[8];
    for (int i = 0; i < 8; i++)
        x[i] = _mm_loadu_si128((const __m128i *)(const void *)(from + i * from_a));
    weave_2(x, y);
    weave_2(y, x);
    weave_2(x, y);
    for (int i = 0; i < 8; i++)
        _mm_storeu_si128((__m128i *)(void *)(to + i * to_b), y[i]);
}

/* Of 8 by 8 elements of 1 byte: rows are halves of registers. */
static inline void block_1(char *to, int64_t to_b, const char *from, int64_t from_a) {
    __m128i x[4], y[4];
    for (int i = 0; i < 4; i++) {
        const char *row = from + i * from_a;
        __m128i a = _mm_loadl_epi64((const __m128i *)(const void *)row);
        __m128i b = _mm_loadl_epi64((const __m128i *)(const void *)(row + 4 * from_a));
        x[i] = _mm_unpacklo_epi8(a, b);
    }
    for (int i = 0; i < 2; i++) {
        y[2 * i] = _mm_unpacklo_epi8(x[i], x[i + 2]);
        y[2 * i + 1] = _mm_unpackhi_epi8(x[i], x[i + 2]);
    }
    for (int i = 0; i < 2; i++) {
        x[2 * i] = _mm_unpacklo_epi8(y[i], y[i + 2]);
        x[2 * i + 1] = _mm_unpackhi_epi8(y[i], y[i + 2]);
    }
    for (int i = 0; i < 4; i++) {
        char *row = to + 2 * i * to_b;
        _mm_storel_epi64((__m128i *)(void *)row, x[i]);
        _mm_storel_epi64((__m128i *)(void *)(row + to_b), _mm_unpackhi_epi64(x[i], x[i]));
    }
}

/* All in blocks of SIDE by SIDE elements, of which the last ones overlap those before them.
 * Matrices come by value, since stores might change one in memory. */
#define TRANSPOSE(SIZE, SIDE)                                                                      \
    static void transpose_##SIZE(struct matrix m) {                                                \
        for (int64_t i = 0; i < m.a; i += (SIDE)) {                                                \
            int64_t a = i + (SIDE) <= m.a ? i : m.a - (SIDE), b = 0;                               \
            const char *from = m.from + a * m.from_a;                                              \
            char *to = m.to + a * (SIZE);                                                          \
            for (; b + (SIDE) <= m.b; b += (SIDE))                                                 \
                block_##SIZE(to + b * m.to_b, m.to_b, from + b * (SIZE), m.from_a);                \
            b = m.b - (SIDE);                                                                      \
            if (m.b % (SIDE) != 0)                                                                 \
                block_##SIZE(to + b * m.to_b, m.to_b, from + b * (SIZE), m.from_a);                \
        }                                                                                          \
    }

TRANSPOSE(1, 8)
TRANSPOSE(2, 8)
TRANSPOSE(4, 4)
TRANSPOSE(8, 2)

/* Fewer than 4 elements along b, which lie without gaps before: each load has some of the next ones
 * too, so that the last ones are left.  Gives where these begin along a. */
static int64_t gather_4(struct matrix m) {
    int64_t a = 0;
    for (; a + 4 < m.a; a += 4)
        part_4(m.to + a * 4, m.to_b, m.from + a * m.from_a, m.from_a, 4, m.b);
    return a;
}

/* 2 or 3 elements along a, which lie without gaps behind: each store has places of the next
 * ones too, which are stored later.  Gives where the rest begins along b. */
static int64_t scatter_4(struct matrix m) {
    int64_t b = 0;
    for (; b + 4 < m.b; b += 4)
        part_4(m.to + b * m.to_b, m.to_b, m.from + b * 4, m.from_a, m.a, 4);
    return b;
}

/* Copies elements of up to 8 bytes in blocks where that can be.  False: nothing is copied. */
static bool copy_blocks(const struct matrix *m, int64_t size) {
    int64_t side = m->a < m->b ? m->a : m->b;
    if (m->from_b != size || m->to_a != size || size > 8)
        return false;
    if (size == 8 && side >= 2)
        transpose_8(*m);
    else if (size == 4 && side >= 4)
        transpose_4(*m);
    else if (size == 2 && side >= 8)
        transpose_2(*m);
    else if (size == 1 && side >= 8)
        transpose_1(*m);
    else if (size == 4 && m->b > 1 && m->b < 4 && m->from_a == m->b * size)
        copy_4(m, gather_4(*m), 0);
    else if (size == 4 && m->a > 1 && m->a < 4 && m->to_b == m->a * size)
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
