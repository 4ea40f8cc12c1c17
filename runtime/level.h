/* level.h: the host's instruction set: the runtime chooses kernels by it, and the embedded compiler
 * generates code for it. */
#ifndef UFC_LEVEL_H
#define UFC_LEVEL_H

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "image_abi.h"

static const char *const level_names[LEVEL_COUNT] = {"x86-64-v2", "x86-64-v3", "x86-64-v4"};

#ifdef __x86_64__
/* -1: less than x86-64-v2. */
static inline int detect_level(void) {
    const unsigned v2 =
        bit_SSE3 | bit_SSSE3 | bit_SSE4_1 | bit_SSE4_2 | bit_POPCNT | bit_CMPXCHG16B;
    unsigned a, b, c = 0, d, c_ext = 0;
    __get_cpuid(1, &a, &b, &c, &d);
    __get_cpuid(0x80000001, &a, &b, &c_ext, &d);
    if ((c & v2) != v2 || !(c_ext & bit_LAHF_LM))
        return -1;
    if (!(__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
          __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") && (c & bit_F16C) &&
          (c & bit_MOVBE) && (c_ext & bit_LZCNT)))
        return LEVEL_V2;
    if (!(__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
          __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
          __builtin_cpu_supports("avx512vl")))
        return LEVEL_V3;
    return LEVEL_V4;
}
#else
/* Images for other machines have no host kernels: any level will do. */
static inline int detect_level(void) {
    return LEVEL_V2;
}
#endif

/* The level that $UFC_LEVEL names ("v2"); the best where it is not set, or empty.  -1: it names no
 * level. */
static inline int wished_level(void) {
    const char *wish = getenv("UFC_LEVEL");
    int level = LEVEL_COUNT - 1;
    while (wish && *wish && level >= 0 && strcmp(wish, strrchr(level_names[level], '-') + 1) != 0)
        level--;
    return level;
}

/* The processor's level, or a lesser one that $UFC_LEVEL names; found once.  -1: the processor has
 * none. */
static inline int host_level(void) {
    static atomic_int known = LEVEL_COUNT;
    int level = atomic_load_explicit(&known, memory_order_relaxed);
    if (level < LEVEL_COUNT)
        return level;
    level = detect_level();
    int wish = wished_level();
    if (wish >= 0 && wish < level)
        level = wish;
    atomic_store_explicit(&known, level, memory_order_relaxed);
    return level;
}

/* Before a function: compiles it for a level, of which another one is chosen by host_level. */
#define ON_V2
#ifdef __x86_64__
#define ON_V3 __attribute__((target("arch=x86-64-v3")))
#define ON_V4 __attribute__((target("arch=x86-64-v4")))
#else
#define ON_V3
#define ON_V4
#endif

#endif
