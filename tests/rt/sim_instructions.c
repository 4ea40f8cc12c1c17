/* sim_instructions.c: the simulator on each kind of PTX's instructions that LLVM may make, beside
 * what C computes. */
#include "sim_kernel.h"

static uint64_t twice(uint32_t x) {
    return (uint64_t)x << 32 | x;
}

static uint32_t fold(uint64_t v) {
    return (uint32_t)v ^ (uint32_t)(v >> 32);
}

/* What reductions over the warp of element i give, joined. */
static uint32_t least_of(uint32_t i) {
    uint32_t first = input(i & ~31U), least = first, most = first, parity = 0, all = first, any = 0;
    int32_t low = (int32_t)first, high = low;
    for (uint32_t k = 0; k < 32; k++) {
        uint32_t v = input((i & ~31U) + k);
        least = v < least ? v : least;
        most = v > most ? v : most;
        low = (int32_t)v < low ? (int32_t)v : low;
        high = (int32_t)v > high ? (int32_t)v : high;
        parity ^= v;
        all &= v;
        any |= v;
    }
    return least ^ (uint32_t)high ^ parity ^ all ^ any ^ (uint32_t)low ^ most;
}

#define CASE(name, value, body)                                                                    \
    static uint32_t value_##name(uint32_t i, uint32_t x) {                                         \
        (void)i, (void)x;                                                                          \
        return (uint32_t)(value);                                                                  \
    }
#include "sim_instructions.def"
#undef CASE

static const struct test_case cases[] = {
#define CASE(name, value, body)                                                                    \
    {"", "cvt.u16.u32 %rs1, %r5; mov.b64 %rd9, {%r5, %r5};\n" body, value_##name, {NULL}},
#include "sim_instructions.def"
};

int main(void) {
    run_cases(cases, sizeof cases / sizeof *cases);
    return test_failures > 0;
}
