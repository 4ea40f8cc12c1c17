/* test.h: what the C tests share.  A test prints what failed and returns 1; 77 says that it cannot
 * run here. */
#ifndef TEST_H
#define TEST_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SKIPPED = 77 };

static int test_failures __attribute__((unused));

/* Of a function in the place of one of libc's: ThreadSanitizer calls that as it begins, when code
 * that it has changed cannot run yet. */
#define UNCHANGED __attribute__((no_sanitize("thread")))

/* A check that does not hold is printed; the test goes on. */
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                         \
            test_failures++;                                                                       \
        }                                                                                          \
    } while (0)

/* Without what this gives nothing more can be tested. */
#define REQUIRE(condition)                                                                         \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* Random bits number k of a stream: the same in tests/golden/make.py. */
static inline uint64_t random_bits(uint64_t stream, uint64_t k) {
    uint64_t x = (stream << 32) + k + 0x9E3779B97F4A7C15U;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31);
}

/* In [0, 1). */
static inline double random_unit(uint64_t stream, uint64_t k) {
    return (double)(random_bits(stream, k) >> 11) * 0x1p-53;
}

#endif
