/* stacked.c: many calls that share matrices give what each of them gives alone, wherever their
 * arrays lie and along whichever axes of the loop they share them. */
#include <stdbool.h>
#include <string.h>

#include "../test.h"
#include "stacked.h"

enum { MOST = 1 << 20, OPERANDS = 6, SIDES = 3 };

/* A gufunc: the dimensions of its operands, of K, N and M. */
struct function {
    const ufc_ufunc *ufunc;
    int nin, nout;
    const char *dims[OPERANDS];
};
static const struct function functions[] = {
    {&stacked_layer_ufunc, 3, 1, {"k", "nk", "", "n"}},
    {&stacked_layers_ufunc, 4, 2, {"k", "nk", "n", "nm", "m", ""}},
    {&stacked_nearest_ufunc, 2, 1, {"k", "nk", ""}},
};

/* A loop of two axes.  share: by input, the axes along which all calls have the same, a bit each;
 * turned: neighbours in memory are so along the first axis of the loop; back: behind the last one
 * in memory is the first. */
struct loop {
    int64_t size[2];
    unsigned share[4];
    bool turned, back;
};

static ufc_error err;
static double memory[OPERANDS][MOST];
static union {
    double d[MOST];
    int64_t i[MOST];
} result[2][2], alone[2];

static int64_t size_of(char dim, const int64_t sides[SIDES]) {
    return sides[dim == 'k' ? 0 : dim == 'n' ? 1 : 2];
}

/* An operand of all calls, or, of an array without loop axes, of one of them. */
struct array {
    DLTensor tensor;
    int64_t shape[4], stride[4], elements;
    int64_t step[2]; /* along the axes of the loop */
};

static void lay_out(struct array *a, void *at, ufc_type type, const char *dims,
                    const int64_t sides[SIDES], const struct loop *l, unsigned share) {
    int rank = (int)strlen(dims), order[] = {0, 1};
    *a = (struct array){.elements = 1};
    for (int i = rank; i-- > 0;) {
        a->shape[2 + i] = size_of(dims[i], sides);
        a->stride[2 + i] = a->elements;
        a->elements *= a->shape[2 + i];
    }
    order[0] = l->turned ? 1 : 0;
    order[1] = !order[0];
    for (int i = 2; i-- > 0;) {
        int axis = order[i];
        a->shape[axis] = share >> axis & 1 ? 1 : l->size[axis];
        a->step[axis] = share >> axis & 1 ? 0 : a->elements;
        a->stride[axis] = a->elements;
        a->elements *= a->shape[axis];
    }
    char *first = at;
    for (int axis = 0; axis < 2 && l->back; axis++) {
        first += (a->shape[axis] - 1) * a->stride[axis] * 8;
        a->stride[axis] = -a->stride[axis];
        a->step[axis] = -a->step[axis];
    }
    REQUIRE(a->elements <= MOST);
    a->tensor = ufc_host_array(first, ufc_dltype(type), 2 + rank, a->shape);
    a->tensor.strides = a->stride;
}

static void test(ufc_context *ctx, const struct function *f, const int64_t sides[SIDES],
                 const struct loop *l, bool number) {
    struct array in[4], out[2];
    ufc_arg args[4];
    ufc_out outs[2];
    memset(result, 0xff, sizeof result);
    for (int k = 0; k < f->nin; k++) {
        lay_out(&in[k], memory[k], UFC_FLOAT64, f->dims[k], sides, l, l->share[k]);
        bool one = number && f->dims[k][0] == '\0';
        args[k] = one ? ufc_float(memory[k][0]) : ufc_array(&in[k].tensor);
        if (one)
            in[k].step[0] = in[k].step[1] = 0;
    }
    for (int k = 0; k < f->nout; k++) {
        ufc_type type = f->dims[f->nin + k][0] == '\0' ? UFC_INT64 : UFC_FLOAT64;
        lay_out(&out[k], &result[k], type, f->dims[f->nin + k], sides, l, 0);
        outs[k] = ufc_into(&out[k].tensor);
    }
    REQUIRE(ufc_call(ctx, NULL, f->ufunc, args, outs, &err) == UFC_OK);
    for (int64_t i = 0; i < l->size[0]; i++)
        for (int64_t j = 0; j < l->size[1]; j++) {
            DLTensor own_in[4], own_out[2];
            for (int k = 0; k < f->nin; k++) {
                own_in[k] = in[k].tensor;
                own_in[k].ndim -= 2;
                own_in[k].shape += 2;
                own_in[k].strides += 2;
                own_in[k].data = (double *)own_in[k].data + i * in[k].step[0] + j * in[k].step[1];
                if (number && f->dims[k][0] == '\0')
                    own_in[k].data = memory[k];
                args[k] = ufc_array(&own_in[k]);
            }
            for (int k = 0; k < f->nout; k++) {
                own_out[k] = out[k].tensor;
                own_out[k].data = &alone[k];
                own_out[k].ndim -= 2;
                own_out[k].shape += 2;
                own_out[k].strides += 2;
                outs[k] = ufc_into(&own_out[k]);
            }
            REQUIRE(ufc_call(ctx, NULL, f->ufunc, args, outs, &err) == UFC_OK);
            for (int k = 0; k < f->nout; k++) {
                const double *at = out[k].tensor.data;
                int64_t n = f->dims[f->nin + k][0] == '\0' ? 1 : out[k].shape[2];
                at += i * out[k].step[0] + j * out[k].step[1];
                CHECK(memcmp(at, &alone[k], (size_t)n * 8) == 0);
            }
        }
}

int main(void) {
    static const int64_t sides[][SIDES] = {{40, 40, 33}, {33, 70, 16}, {64, 9, 20}, {3, 100, 5}};
    static const struct loop loops[] = {
        {{1, 300}, {0, 3, 3, 3}, false, false}, {{6, 50}, {0, 3, 0, 3}, false, false},
        {{6, 50}, {0, 3, 3, 3}, true, false},   {{6, 50}, {0, 2, 2, 2}, false, false},
        {{50, 5}, {0, 1, 0, 1}, false, false},  {{50, 5}, {2, 1, 1, 1}, true, true},
        {{20, 20}, {1, 2, 0, 3}, false, false}, {{385, 1}, {0, 3, 0, 3}, false, true},
        {{15, 3}, {0, 3, 0, 3}, false, false},  {{17, 2}, {0, 0, 0, 0}, false, false},
    };
    for (int k = 0; k < OPERANDS; k++)
        for (int i = 0; i < MOST; i++)
            memory[k][i] = (double)(random_bits((uint64_t)k, (uint64_t)i) % 64) - 32;
    for (int threads = 1; threads < 4; threads += 2) {
        ufc_context *ctx;
        REQUIRE(ufc_context_new(&ctx, "cpu", threads, &err) == UFC_OK);
        for (size_t f = 0; f < sizeof functions / sizeof *functions; f++)
            for (size_t s = 0; s < sizeof sides / sizeof *sides; s++)
                for (size_t l = 0; l < sizeof loops / sizeof *loops; l++)
                    test(ctx, &functions[f], sides[s], &loops[l], l % 2);
        ufc_context_free(ctx);
    }
    return test_failures != 0;
}
