/* strides.c: on the host, of vectors of any step and length, an element is what it is of vectors
 * without gaps, no byte is written between the result's, and none is touched outside: arrays end
 * where no memory is. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "../test.h"
#include "kernels.h"
#include "ufc.h"

enum { LONGEST = 700, MOST_STEP = 3, SIZES = 16 * LONGEST * MOST_STEP, ROOM = (SIZES | 65535) + 1 };

static const ufc_type types[] = {UFC_INT8,    UFC_FLOAT16,   UFC_FLOAT32,
                                 UFC_FLOAT64, UFC_COMPLEX64, UFC_COMPLEX128};
static const int64_t steps[] = {1, 2, 3, -1, -2, -3};

struct vector {
    char *first;
    int64_t step; /* elements */
};

static char *memory[3]; /* ROOM bytes each, with none before and behind */
static char packed[2][SIZES], wanted[SIZES], before[ROOM];

static char *between_pages(void) {
    long page = sysconf(_SC_PAGESIZE);
    char *p = mmap(NULL, ROOM + 2 * (size_t)page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(p != MAP_FAILED && mprotect(p + page, ROOM, PROT_READ | PROT_WRITE) == 0);
    return p + page;
}

/* The vector whose last byte, or with a step below 0 whose first, is that of memory k. */
static struct vector vector(int k, int64_t n, int64_t step, int64_t size) {
    char *first = step < 0 ? memory[k] - (n - 1) * step * size
                           : memory[k] + ROOM - ((n - 1) * step + 1) * size;
    return (struct vector){first, step};
}

static ufc_status add(ufc_type type, int64_t *n, struct vector *v) {
    DLTensor t[3];
    for (int k = 0; k < 3; k++) {
        t[k] = ufc_host_array(v[k].first, ufc_dltype(type), 1, n);
        t[k].strides = &v[k].step;
    }
    ufc_arg args[] = {ufc_array(&t[0]), ufc_array(&t[1])};
    return ufc_call(NULL, NULL, &kernels_add_ufunc, args, &(ufc_out){.array = &t[2]}, NULL);
}

static bool same_as_packed(ufc_type type, int64_t n, const int64_t *step) {
    int64_t size = ufc_dltype(type).bits / 8;
    struct vector v[3], p[] = {{packed[0], 1}, {packed[1], 1}, {wanted, 1}};
    for (int k = 0; k < 3; k++)
        v[k] = vector(k, n, step[k], size);
    for (int k = 0; k < 2; k++)
        for (int64_t i = 0; i < n; i++)
            memcpy(packed[k] + i * size, v[k].first + i * step[k] * size, (size_t)size);
    memcpy(before, memory[2], ROOM);
    if (add(type, &n, p) || add(type, &n, v))
        return false;
    for (int64_t i = 0; i < n; i++)
        memcpy(before + (v[2].first - memory[2]) + i * step[2] * size, wanted + i * size,
               (size_t)size);
    return memcmp(before, memory[2], ROOM) == 0;
}

int main(void) {
    int nsteps = sizeof steps / sizeof *steps;
    for (int k = 0; k < 3; k++) {
        memory[k] = between_pages();
        for (int64_t i = 0; i < ROOM; i++) /* bytes of which no number is large, nor a NaN */
            memory[k][i] = (char)(random_bits((uint64_t)k, (uint64_t)i) % 64);
    }
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int64_t n = 1; n <= LONGEST; n += n < 70 ? 1 : 97)
            for (int i = 0; i < nsteps; i++) {
                int64_t step[] = {steps[i], steps[(i + n) % nsteps], steps[(i * n) % nsteps]};
                if (!same_as_packed(types[t], n, step))
                    return printf("type %d, %lld elements, steps %lld, %lld, %lld\n", types[t],
                                  (long long)n, (long long)step[0], (long long)step[1],
                                  (long long)step[2]),
                           1;
            }
    return 0;
}
