/* exact.c: reductions that give the same bits however elements are grouped, at each level of host
 * code: those of the elements in order, which accumulate gives, whatever the length, the layout and
 * the threads.  Zeros of both signs and NaNs of different bits tell which element was taken. */
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../test.h"
#include "exact.h"

enum { LINES = 96, LONG = 40000, MOST = 1000, ELEMENTS = LINES * MOST };

static ufc_context *contexts[2]; /* of 1 and 3 threads */
static _Alignas(64) char data[ELEMENTS * 8], turned[ELEMENTS * 8], apart[2 * ELEMENTS * 8];
static _Alignas(64) char partial[ELEMENTS * 8], wanted[LINES * 8], result[LINES * 8];

static const struct {
    const ufc_ufunc *ufunc;
    ufc_type types[7]; /* 0 behind the last one */
} functions[] = {
    {&exact_most_ufunc, {UFC_FLOAT16, UFC_FLOAT32, UFC_FLOAT64, UFC_INT8, UFC_UINT16, UFC_INT64}},
    {&exact_least_ufunc, {UFC_FLOAT16, UFC_FLOAT32, UFC_FLOAT64, UFC_INT8, UFC_UINT16, UFC_INT64}},
    {&exact_top_ufunc, {UFC_FLOAT32, UFC_FLOAT64}},
    {&exact_known_ufunc, {UFC_FLOAT16, UFC_FLOAT32, UFC_FLOAT64}},
    {&exact_lowest_ufunc, {UFC_FLOAT32, UFC_FLOAT64}},
    {&exact_odd_ufunc, {UFC_INT8, UFC_UINT16, UFC_INT64}},
    {&exact_all_ufunc, {UFC_INT8}},
    {&exact_product_ufunc, {UFC_UINT16, UFC_INT64}},
    {&exact_floor_ufunc, {UFC_INT8}},
};

static int64_t size_of(ufc_type type) {
    return ufc_dltype(type).bits / 8;
}

/* Four kinds of lines: numbers that are not positive, and zeros of both signs; positive numbers;
 * numbers and NaNs; NaNs. */
static uint64_t element_bits(ufc_type type, int kind, uint64_t line, uint64_t k) {
    uint64_t random = random_bits(line, k);
    int bits = ufc_dltype(type).bits, digits = bits == 16 ? 10 : bits == 32 ? 23 : 52;
    uint64_t sign = UINT64_C(1) << (bits - 1), infinity = sign - (UINT64_C(1) << digits);
    uint64_t number = random % (infinity >> 1);
    uint64_t nan = infinity | UINT64_C(1) << (digits - 1) | (random & (sign | 255));
    if (ufc_dltype(type).code != kDLFloat)
        return random;
    switch (kind) {
    case 0: return random % 5 ? number | sign : random % 2 ? sign : 0;
    case 1: return number;
    case 2: return random % 70 ? number | (random & sign) : nan;
    default: return nan;
    }
}

static void fill(ufc_type type, int64_t lines, int64_t n) {
    int64_t size = size_of(type);
    for (int64_t line = 0; line < lines; line++)
        for (int64_t i = 0; i < n; i++) {
            uint64_t bits = element_bits(type, (int)((line + n) % 4), (uint64_t)line, (uint64_t)i);
            memcpy(data + (line * n + i) * size, &bits, (size_t)size);
            memcpy(turned + (i * lines + line) * size, &bits, (size_t)size);
            memcpy(apart + 2 * (line * n + i) * size, &bits, (size_t)size);
        }
}

static void reduce(int k, const ufc_ufunc *f, ufc_type type, char *from, const int64_t *shape,
                   const int64_t *strides, int axis) {
    ufc_error err;
    int64_t sizes[] = {shape[0], shape[1]}, steps[2], lines = shape[!axis];
    DLTensor in = ufc_host_array(from, ufc_dltype(type), 2, sizes);
    DLTensor out = ufc_host_array(result, ufc_dltype(type), 1, &lines);
    ufc_keywords kw = {.axes = &axis, .naxes = 1};
    if (strides) {
        memcpy(steps, strides, sizeof steps);
        in.strides = steps;
    }
    memset(result, 0x55, sizeof result);
    if (ufc_reduce(contexts[k], NULL, f, ufc_array(&in), ufc_into(&out), &kw, &err) != UFC_OK) {
        puts(err.message);
        exit(1);
    }
}

static void compare(const char *way, const ufc_ufunc *f, ufc_type type, int64_t lines, int64_t n) {
    if (memcmp(result, wanted, (size_t)(lines * size_of(type))) == 0)
        return;
    printf("%s of type %d, %s: %lld lines of %lld elements\n", ufc_describe(f).name, (int)type, way,
           (long long)lines, (long long)n);
    test_failures++;
}

static void in_order(const ufc_ufunc *f, ufc_type type, int64_t lines, int64_t n) {
    ufc_error err;
    int64_t shape[] = {lines, n}, size = size_of(type);
    int axis = 1;
    DLTensor in = ufc_host_array(data, ufc_dltype(type), 2, shape);
    DLTensor out = ufc_host_array(partial, ufc_dltype(type), 2, shape);
    ufc_keywords kw = {.axes = &axis, .naxes = 1};
    if (ufc_accumulate(contexts[0], NULL, f, ufc_array(&in), ufc_into(&out), &kw, &err) != UFC_OK) {
        puts(err.message);
        exit(1);
    }
    for (int64_t line = 0; line < lines; line++)
        memcpy(wanted + line * size, partial + (line * n + n - 1) * size, (size_t)size);
    if (f == &exact_floor_ufunc) /* whose reductions begin with the identity */
        for (int64_t line = 0; line < lines; line++)
            wanted[line] = (char)(wanted[line] < 3 ? 3 : wanted[line]);
}

static void check(const ufc_ufunc *f, ufc_type type, int64_t lines, int64_t n) {
    int64_t rows[] = {lines, n}, columns[] = {n, lines}, strides[] = {2 * n, 2};
    fill(type, lines, n);
    in_order(f, type, lines, n);
    for (int k = 0; k < 2; k++) {
        reduce(k, f, type, data, rows, NULL, 1);
        compare("rows", f, type, lines, n);
        reduce(k, f, type, turned, columns, NULL, 0);
        compare("columns", f, type, lines, n);
        reduce(k, f, type, apart, rows, strides, 1);
        compare("rows of elements that are apart", f, type, lines, n);
    }
}

static void check_all(void) {
    static const int64_t lengths[] = {1,  2,  3,  7,  8,  9,   15,  16,  17,  31,  32,  33,
                                      47, 63, 64, 65, 79, 127, 128, 129, 191, 256, 300, MOST};
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        for (int t = 0; functions[i].types[t]; t++) {
            for (size_t s = 0; s < sizeof lengths / sizeof lengths[0]; s++) {
                check(functions[i].ufunc, functions[i].types[t], LINES, lengths[s]);
                check(functions[i].ufunc, functions[i].types[t], 5, lengths[s]);
            }
            for (int64_t n = LONG; n < LONG + 4; n += 2) /* lines that are cut into pieces */
                check(functions[i].ufunc, functions[i].types[t], 2, n);
        }
}

int main(void) {
    static const char *const levels[] = {"v2", "v3", "v4"}; /* found out once in a process */
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            setenv("UFC_LEVEL", levels[i], 1);
            REQUIRE(ufc_context_new(&contexts[0], "cpu", 1, NULL) == UFC_OK);
            REQUIRE(ufc_context_new(&contexts[1], "cpu", 3, NULL) == UFC_OK);
            check_all();
            fflush(stdout);
            _exit(test_failures > 0);
        }
        int status;
        REQUIRE(waitpid(child, &status, 0) == child);
        if (status != 0) {
            printf("at level %s\n", levels[i]);
            test_failures++;
        }
    }
    return test_failures > 0;
}
