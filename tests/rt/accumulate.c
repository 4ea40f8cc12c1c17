/* accumulate.c: in the simulator, long lines of a function for which the order of elements counts:
 * those of a block, of several, and lines that are neighbours; into another array and in place. */
#include <string.h>
#include "../test.h"
#include "kernels.h"
#include "ufc.h"

enum { TILE = 4096, MOST = 33 * TILE + 5 }; /* more tiles than a group has */

static ufc_context *sim;
static double x[MOST], result[MOST];
static int8_t small[MOST];

static double number_at(int64_t i) {
    uint64_t bits = random_bits(3, (uint64_t)i);
    return bits % 61 ? 0 : (double)(bits >> 32 & 63) + 1;
}

/* Lines are `line` elements apart, their elements `apart`. */
static bool is_kept(int64_t lines, int64_t length, int64_t line, int64_t apart) {
    for (int64_t l = 0; l < lines; l++) {
        double last = 0;
        for (int64_t i = 0; i < length; i++) {
            double v = number_at(l * line + i * apart);
            last = v != 0 ? v : last;
            if (result[l * line + i * apart] != last)
                return false;
        }
    }
    return true;
}

static void try(int64_t lines, int64_t length, bool near, ufc_type type, bool in_place) {
    int64_t shape[] = {lines, length}, strides[] = {near ? 1 : length, near ? lines : 1};
    void *from = type == UFC_INT8 ? (void *)small : in_place ? result : x;
    int last = 1;
    ufc_keywords keywords = {.axes = &last, .naxes = 1};
    ufc_error err;
    REQUIRE(lines * length <= MOST);
    for (int64_t i = 0; i < lines * length; i++) {
        x[i] = result[i] = number_at(i);
        small[i] = (int8_t)x[i];
    }
    DLTensor a = ufc_host_array(from, ufc_dltype(type), 2, shape),
             y = ufc_host_array(result, ufc_dltype(UFC_FLOAT64), 2, shape);
    a.strides = y.strides = strides;
    if (type == UFC_INT8)
        keywords.dtype = ufc_dltype(UFC_FLOAT64);
    ufc_status status = ufc_accumulate(sim, NULL, &kernels_keep_ufunc, ufc_array(&a), ufc_into(&y),
                                       &keywords, &err);
    if (status != UFC_OK || !is_kept(lines, length, strides[0], strides[1])) {
        printf("%lld lines of %lld%s%s: %s\n", (long long)lines, (long long)length,
               near ? ", neighbours" : "", in_place ? ", in place" : "",
               status ? err.message : "other elements");
        test_failures++;
    }
}

/* Sums that are rounded have the same bits wherever their elements lie: aligned or not, apart. */
static void position(int64_t length) {
    enum { APART = 2, WAYS = 4 };
    static const struct {
        int64_t from, to, apart;
    } ways[WAYS] = {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {0, 0, APART}};
    static double in[APART * MOST + 1], out[WAYS][APART * MOST + 1];
    REQUIRE(length <= MOST);
    for (int way = 0; way < WAYS; way++) {
        int64_t apart = ways[way].apart;
        double *from = in + ways[way].from, *to = out[way] + ways[way].to;
        for (int64_t i = 0; i < length; i++)
            from[i * apart] = (double)(random_bits(4, (uint64_t)i) >> 11) / 3;
        DLTensor a = ufc_host_array(from, ufc_dltype(UFC_FLOAT64), 1, &length), y = a;
        y.data = to;
        a.strides = y.strides = &apart;
        ufc_error err;
        CHECK(ufc_accumulate(sim, NULL, &kernels_total_ufunc, ufc_array(&a), ufc_into(&y), NULL,
                             &err) == UFC_OK);
        for (int64_t i = 0; i < length; i++)
            if (to[i * apart] != out[0][i]) {
                printf("%lld elements, way %d: element %lld differs\n", (long long)length, way,
                       (long long)i);
                test_failures++;
                return;
            }
    }
}

int main(void) {
    static const int64_t shapes[][2] = {{3, 100},  {1, 2049},  {5, 2305},  {2, 4096},
                                        {3, 4099}, {1, 40000}, {2, 17000}, {33, 1201}};
    REQUIRE(ufc_context_new(&sim, "sim", 0, NULL) == UFC_OK);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int near = 0; near < 2; near++) {
            try(shapes[i][0], shapes[i][1], near, UFC_FLOAT64, false);
            try(shapes[i][0], shapes[i][1], near, UFC_FLOAT64, true);
            try(shapes[i][0], shapes[i][1], near, UFC_INT8, false);
        }
    try(1, MOST, false, UFC_FLOAT64, false);
    for (int64_t length = 4095; length <= 4097; length++)
        position(length);
    position(5121 + 2);
    ufc_context_free(sim);
    return test_failures != 0;
}
