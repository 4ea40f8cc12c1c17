/* last.c: the version of a gufunc whose loops first find which iterations are the last to store to
 * an element gives what the host gives, in order. */
#include <stdlib.h>
#include <string.h>

#include "../test.h"
#include "image_abi.h"
#include "last.h"

enum { CALLS = 3, MOST = 70 };

static ufc_context *host, *sim;
static ufc_error err;
static double x[CALLS * MOST], z[CALLS * MOST], out[2][CALLS * MOST * (2 + MOST)];
static int64_t k[CALLS * MOST];

/* f of so many calls of n numbers that are stored to m elements. */
static void compare(const ufc_ufunc *f, bool has_other, int64_t calls, int64_t n, int64_t m) {
    const ufc_ufunc *other = f->overloads[0].other;
    bool wide = strcmp(f->name, "defined") == 0 || strcmp(f->name, "crossed") == 0,
         two = f->nout == 2;
    if ((other != NULL) != has_other) {
        printf("%s has %s version\n", f->name, other ? "a" : "no");
        test_failures++;
    }
    for (int64_t i = 0; i < calls * n; i++)
        k[i] = rand() % m;
    for (int at = 0; at < 2 && other; at++) {
        DLTensor a = ufc_host_array(x, ufc_dltype(UFC_FLOAT64), 2, (int64_t[]){calls, n}),
                 b = ufc_host_array(k, ufc_dltype(UFC_INT64), 2, (int64_t[]){calls, n}),
                 c = ufc_host_array(z, ufc_dltype(UFC_FLOAT64), 2, (int64_t[]){calls, m}),
                 y = ufc_host_array(out[at], ufc_dltype(UFC_FLOAT64), wide ? 3 : 2,
                                    (int64_t[]){calls, m, n}),
                 w = ufc_host_array(out[at] + calls * m, ufc_dltype(UFC_INT64), 3,
                                    (int64_t[]){calls, m, 2});
        ufc_arg in[] = {ufc_array(&a), ufc_array(&b), ufc_array(&c)};
        ufc_out to[] = {ufc_into(&y), ufc_into(&w)};
        memset(out[at], 0, sizeof out[at]);
        const ufc_ufunc *run = at && n > 0 ? other : f; /* which has no kernels for nothing */
        if (ufc_call(at ? sim : host, NULL, run, in, two ? to : (ufc_out[]){to[0]}, &err) !=
            UFC_OK) {
            printf("%s: %s\n", f->name, err.message);
            test_failures++;
            return;
        }
    }
    if (memcmp(out[0], out[1], sizeof out[0]) != 0) {
        printf("%s, %d calls of %d to %d: not what the host gives\n", f->name, (int)calls, (int)n,
               (int)m);
        test_failures++;
    }
}

int main(void) {
    static const struct {
        const ufc_ufunc *f;
        bool has_other;
    } all[] = {
        {&last_scattered_ufunc, true}, {&last_backwards_ufunc, true}, {&last_chosen_ufunc, true},
        {&last_twice_ufunc, true},     {&last_nested_ufunc, true},    {&last_spans_ufunc, true},
        {&last_pair_ufunc, true},      {&last_defined_ufunc, true},   {&last_chained_ufunc, false},
        {&last_counted_ufunc, false},  {&last_placed_ufunc, false},   {&last_asked_ufunc, false},
        {&last_crossed_ufunc, false},
    };
    static const int64_t sizes[][3] = {{1, MOST, 9}, {CALLS, 33, MOST}, {2, 1, 1},
                                       {1, 0, 4},    {1, 64, 2},        {3, 17, 1}};
    REQUIRE(ufc_context_new(&host, "cpu", 0, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 0, &err) == UFC_OK);
    for (int i = 0; i < CALLS * MOST; i++) {
        x[i] = (i * 7 % 23 - 11) / 7.0;
        z[i] = -i;
    }
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (size_t j = 0; j < sizeof sizes / sizeof *sizes; j++)
            compare(all[i].f, all[i].has_other, sizes[j][0], sizes[j][1], sizes[j][2]);
    ufc_context_free(sim);
    ufc_context_free(host);
    return test_failures > 0;
}
