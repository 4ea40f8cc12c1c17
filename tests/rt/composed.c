/* composed.c: gufuncs whose loops are scans of functions in another version give what the host
 * gives, where sums wrap too, with few elements, and of several calls; and the version is taken
 * where a call is long. */
#include <string.h>

#include "../test.h"
#include "composed.h"
#include "image_abi.h"

enum { MOST = 1 << 17, OUTS = 3 };

static ufc_context *host, *sim;
static int64_t data[MOST], out[2][OUTS][MOST];
static ufc_error err;

struct function {
    const ufc_ufunc *ufunc;
    const char *outs; /* a letter each: a for an array, n for a number; in upper case of doubles, or
                         with f of floats */
    int launches;     /* of a long call, at least so many */
};

static const struct function functions[] = {
    {&composed_kadane_ufunc, "n", 3},        {&composed_queue_ufunc, "ann", 3},
    {&composed_cusum_ufunc, "an", 3},        {&composed_words_ufunc, "nn", 1},
    {&composed_peaks_before_ufunc, "an", 2}, {&composed_runs_ufunc, "nna", 2},
    {&composed_hashes_ufunc, "ann", 1},      {&composed_hash_ufunc, "n", 1},
    {&composed_pair_ufunc, "an", 1},         {&composed_chosen_ufunc, "Afg", 1},
    {&composed_quoted_ufunc, "ann", 2},      {&composed_varint_ufunc, "an", 3},
    {&composed_compacted_ufunc, "aan", 2},   {&composed_others_ufunc, "ana", 1},
    {&composed_bounded_ufunc, "n", 1},       {&composed_falling_ufunc, "an", 3},
    {&composed_several_ufunc, "an", 2},      {&composed_passed_ufunc, "n", 3},
    {&composed_passed_down_ufunc, "nn", 3},  {&composed_balance_ufunc, "nn", 4},
    {&composed_pattern_ufunc, "nn", 2},      {&composed_first_last_ufunc, "nnn", 3},
    {&composed_highest_ufunc, "Afn", 2},     {&composed_falls_ufunc, "Ann", 2},
    {&composed_binned_ufunc, "aAn", 3},      {&composed_codes_ufunc, "aan", 1},
    {&composed_backwards_ufunc, "aan", 3},   {&composed_sides_ufunc, "a", 1},
    {&composed_guarded_ufunc, "n", 1},
};

struct shape {
    int64_t calls, n;
    int64_t times; /* of the numbers */
};

/* Makes the result number k of a function, of all calls. */
static DLTensor result(const struct function *f, int k, int64_t *first, const struct shape *s,
                       int64_t *shape) {
    char c = f->outs[k];
    bool array = c == 'a' || c == 'A' || c == 'f';
    ufc_type d = c == 'A' ? UFC_FLOAT64 : c == 'f' || c == 'g' ? UFC_FLOAT32 : UFC_INT64;
    shape[0] = s->calls;
    shape[1] = s->n;
    return ufc_host_array(first, ufc_dltype(d), array ? 2 : 1, shape);
}

static void compare(const struct function *f, const struct shape *s) {
    int64_t shape[1 + OUTS][2] = {{s->calls, s->n}};
    DLTensor in = ufc_host_array(data, ufc_dltype(UFC_INT64), 2, shape[0]);
    ufc_arg arg = ufc_array(&in);
    ufc_plan_description d;
    int nout = (int)strlen(f->outs);
    for (int i = 0; i < MOST; i++)
        data[i] = (int64_t)(((uint64_t)((unsigned)i * 2654435761U >> 20) % 8 - 3) *
                            (uint64_t)s->times); /* which wraps */
    for (int at = 0; at < 2; at++) {
        ufc_context *ctx = at > 0 ? sim : host;
        DLTensor to[OUTS];
        ufc_out outs[OUTS];
        memset(out[at], 0, sizeof out[at]);
        for (int k = 0; k < nout; k++) {
            to[k] = result(f, k, out[at][k], s, shape[1 + k]);
            outs[k] = ufc_into(&to[k]);
        }
        CHECK(ufc_call(ctx, NULL, f->ufunc, &arg, outs, &err) == UFC_OK);
        CHECK(at == 0 || ufc_explain(ctx, NULL, f->ufunc, &arg, outs, NULL, &d, &err) == UFC_OK);
    }
    bool same = memcmp(out[0], out[1], sizeof out[0]) == 0;
    bool taken = s->n < 30000 || s->calls > 1 || d.launches >= f->launches;
    if (!same || !taken) {
        printf("%s, %d calls of %d: %s\n", f->ufunc->name, (int)s->calls, (int)s->n,
               same ? "another version is taken" : "not what the host gives");
        test_failures++;
    }
}

int main(void) {
    static const struct shape shapes[] = {{1, 30011, 1}, {1, 30011, INT64_C(0x3b5a7d1c2e4f6171)},
                                          {3, 17000, 1}, {2, 0, 1},
                                          {4, 1, 1},     {1, 2, 1},
                                          {7, 33, 1}};
    REQUIRE(ufc_context_new(&host, "cpu", 0, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&sim, "sim", 0, &err) == UFC_OK);
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++)
            compare(&functions[i], &shapes[k]);
    ufc_context_free(sim);
    ufc_context_free(host);
    return test_failures > 0;
}
