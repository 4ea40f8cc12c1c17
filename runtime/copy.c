/* copy.c: copies elements of any size along strided vectors on the host, all or some. */
#include "level.h"
#include "rt.h"

/* Elements by their sizes; complex64 has the size of float64, and the alignment of float32. */
typedef __attribute__((may_alias)) uint8_t element_1;
typedef __attribute__((may_alias)) uint16_t element_2;
typedef __attribute__((may_alias)) uint32_t element_4;
typedef __attribute__((may_alias, aligned(4))) uint64_t element_8;
typedef struct {
    element_8 part[2];
} element_16;

typedef void copy_kernel(char *dst, int64_t dst_step, const char *src, int64_t src_step, int64_t n);

/* To neighbours from elements that are STEP apart, a constant, of which the compiler makes
 * vectors. */
#define TO_NEIGHBOURS(SIZE, STEP)                                                                  \
    if (dst_step == (SIZE) && src_step == (STEP) * (SIZE)) {                                       \
        const element_##SIZE *restrict from = (const void *)src;                                   \
        element_##SIZE *restrict to = (void *)dst;                                                 \
        for (int64_t i = 0; i < n; i++)                                                            \
            to[i] = from[(STEP)*i];                                                                \
        return;                                                                                    \
    }

#define COPY(SIZE, LEVEL)                                                                          \
    ON_##LEVEL static void copy_##LEVEL##_##SIZE(char *dst, int64_t dst_step, const char *src,     \
                                                 int64_t src_step, int64_t n) {                    \
        TO_NEIGHBOURS(SIZE, 2)                                                                     \
        TO_NEIGHBOURS(SIZE, -1)                                                                    \
        for (; n >= COPY_ELEMS; n -= COPY_ELEMS)                                                   \
            for (int i = 0; i < COPY_ELEMS; i++, dst += dst_step, src += src_step)                 \
                *(element_##SIZE *)(void *)dst = *(const element_##SIZE *)(const void *)src;       \
        for (; n > 0; n--, dst += dst_step, src += src_step)                                       \
            *(element_##SIZE *)(void *)dst = *(const element_##SIZE *)(const void *)src;           \
    }

#define LEVEL(NAME)                                                                                \
    COPY(1, NAME)                                                                                  \
    COPY(2, NAME)                                                                                  \
    COPY(4, NAME)                                                                                  \
    COPY(8, NAME)                                                                                  \
    COPY(16, NAME)
LEVEL(V2)
LEVEL(V3)
LEVEL(V4)

#define ROW(LEVEL)                                                                                 \
    { copy_##LEVEL##_1, copy_##LEVEL##_2, copy_##LEVEL##_4, copy_##LEVEL##_8, copy_##LEVEL##_16 }
static copy_kernel *const kernels[LEVEL_COUNT][5] = {
    [LEVEL_V2] = ROW(V2), [LEVEL_V3] = ROW(V3), [LEVEL_V4] = ROW(V4)};

void copy_elements(char *dst, int64_t dst_step, const char *src, int64_t src_step, int64_t size,
                   int64_t n) {
    int level = host_level();
    if (dst_step == size && src_step == size)
        memmove(dst, src, (size_t)(n * size));
    else
        kernels[level < 0 ? 0 : level][__builtin_ctz((unsigned)size)](dst, dst_step, src, src_step,
                                                                      n);
}

/* ---- those that a mask has */

int64_t find_marked(uint16_t *marked, const char *mask, int64_t step, int64_t n) {
    int64_t found = 0;
    for (int64_t i = 0; i < n; i++) {
        marked[found] = (uint16_t)i;
        found += mask[i * step] != 0;
    }
    return found;
}

#define MARKED(SIZE)                                                                               \
    for (int64_t i = 0; i < n; i++) {                                                              \
        const char *from = src + (gathers ? marked[i] : i) * src_step;                             \
        char *to = dst + (gathers ? i : marked[i]) * dst_step;                                     \
        *(element_##SIZE *)(void *)to = *(const element_##SIZE *)(const void *)from;               \
    }                                                                                              \
    break

static inline __attribute__((always_inline)) void copy_marked(const uint16_t *marked, char *dst,
                                                              int64_t dst_step, const char *src,
                                                              int64_t src_step, int64_t size,
                                                              int64_t n, bool gathers) {
    switch (size) {
    case 1: MARKED(1);
    case 2: MARKED(2);
    case 4: MARKED(4);
    case 8: MARKED(8);
    default: MARKED(16);
    }
}

void gather_marked(const uint16_t *marked, char *dst, const char *src, int64_t src_step,
                   int64_t size, int64_t n) {
    copy_marked(marked, dst, size, src, src_step, size, n, true);
}

void scatter_marked(const uint16_t *marked, char *dst, int64_t dst_step, const char *src,
                    int64_t size, int64_t n) {
    copy_marked(marked, dst, dst_step, src, size, size, n, false);
}
