/* matmul.c: contractions on the host, of whole numbers, so that order does not matter: every
 * remainder of a tile, all layouts, one thread and several. */
#include "../test.h"
#include "small_stack.h"
#include "matmul.h"

enum { MOST = 300 * 300 };

static ufc_context *contexts[2]; /* of 1 and 3 threads */
static double value[2][MOST], expected[MOST];
static float single[2][2 * MOST], bias[300], out_single[MOST + 1];
static double doubled[2][2 * MOST], out_double[MOST + 1];

/* Layouts of a matrix: rows, columns, every other element, from the end. */
enum { LAYOUTS = 4 };
static int64_t place(int layout, int64_t m, int64_t n, int64_t i, int64_t j, int64_t *stride) {
    static const int64_t last = 2 * MOST - 1;
    stride[0] = layout == 1 ? 1 : layout == 2 ? 2 * n : layout == 3 ? -n : n;
    stride[1] = layout == 1 ? m : layout == 2 ? 2 : layout == 3 ? -1 : 1;
    return (layout == 3 ? last : 0) + i * stride[0] + j * stride[1];
}

static void lay_out(int which, int layout, int64_t m, int64_t n, int64_t *stride) {
    (void)place(layout, m, n, 0, 0, stride);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            int64_t at = place(layout, m, n, i, j, stride);
            doubled[which][at] = value[which][i * n + j];
            single[which][at] = (float)value[which][i * n + j];
        }
}

static DLTensor matrix(void *data, ufc_type type, int64_t *shape, int64_t *stride, int layout) {
    size_t size = type == UFC_FLOAT32 ? sizeof(float) : sizeof(double);
    char *first = (char *)data + (layout == 3 ? (2 * MOST - 1) * size : 0);
    DLTensor t = ufc_host_array(first, ufc_dltype(type), 2, shape);
    t.strides = stride;
    return t;
}

static void call(int k, const ufc_ufunc *f, const ufc_arg *in, DLTensor *out) {
    ufc_error err;
    ufc_out outs[] = {ufc_into(out)};
    if (ufc_call(contexts[k], NULL, f, in, outs, &err) == UFC_OK)
        return;
    puts(err.message);
    exit(1);
}

static void check_product(int64_t m, int64_t k, int64_t n, int la, int lb) {
    int64_t as[] = {m, k}, bs[] = {k, n}, cs[] = {m, n}, a_stride[2], b_stride[2];
    lay_out(0, la, m, k, a_stride);
    lay_out(1, lb, k, n, b_stride);
    for (int way = 0; way < 4; way++) {
        bool wide = way & 1;
        ufc_type type = wide ? UFC_FLOAT64 : UFC_FLOAT32;
        int64_t columns[] = {1, m};
        DLTensor a = matrix(wide ? (void *)doubled[0] : single[0], type, as, a_stride, la),
                 b = matrix(wide ? (void *)doubled[1] : single[1], type, bs, b_stride, lb),
                 c = matrix(wide ? (void *)out_double : out_single, type, cs,
                            way & 2 ? columns : NULL, 0);
        ufc_arg in[] = {ufc_array(&a), ufc_array(&b)};
        out_double[m * n] = 77;
        out_single[m * n] = 77;
        call(way >> 1, &matmul_product_ufunc, in, &c);
        bool same = out_double[m * n] == 77 && out_single[m * n] == 77;
        for (int64_t i = 0; i < m; i++)
            for (int64_t j = 0; j < n; j++) {
                int64_t at = way & 2 ? j * m + i : i * n + j;
                same =
                    same && (wide ? out_double[at] : (double)out_single[at]) == expected[i * n + j];
            }
        if (!same)
            printf("%d x %d x %d, layouts %d, %d, way %d\n", (int)m, (int)k, (int)n, la, lb, way);
        CHECK(same);
    }
}

/* The same of b transposed, and a bias. */
static void check_affine(int64_t m, int64_t k, int64_t n) {
    int64_t as[] = {m, k}, bs[] = {n, k}, cs[] = {n, m}, a_stride[2], b_stride[2];
    int64_t swapped[] = {1, n};
    lay_out(0, 0, m, k, a_stride);
    lay_out(1, 0, k, n, b_stride);
    DLTensor a = matrix(single[0], UFC_FLOAT32, as, a_stride, 0),
             b = matrix(single[1], UFC_FLOAT32, bs, swapped, 0),
             d = ufc_host_array(bias, ufc_dltype(UFC_FLOAT32), 1, &n),
             c = matrix(out_single, UFC_FLOAT32, cs, NULL, 0);
    ufc_arg in[] = {ufc_array(&a), ufc_array(&b), ufc_array(&d), ufc_float(2)};
    call(1, &matmul_affine_ufunc, in, &c);
    bool same = true;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++)
            same =
                same && (double)out_single[j * m + i] == (double)bias[j] - 2 * expected[i * n + j];
    CHECK(same);
}

static void expect(int64_t m, int64_t k, int64_t n) {
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            double sum = 0;
            for (int64_t p = 0; p < k; p++)
                sum += value[0][i * k + p] * value[1][p * n + j];
            expected[i * n + j] = sum;
        }
}

static void check(int64_t m, int64_t k, int64_t n) {
    expect(m, k, n);
    for (int l = 0; l < LAYOUTS; l++) {
        check_product(m, k, n, l, 0);
        check_product(m, k, n, 0, l);
    }
    check_affine(m, k, n);
}

/* What ufc.h says of stacks, and 8 KiB of the thread's own. */
static void *multiply_there(void *unused) {
    (void)unused;
    check_product(65, 129, 127, 0, 1);
    return NULL;
}

static void small_stack(void) {
    on_small_stack(65536, multiply_there, NULL);
}

int main(void) {
    static const int64_t shapes[][3] = {{1, 1, 1},     {2, 2, 2},    {3, 5, 7},      {4, 4, 4},
                                        {5, 0, 9},     {0, 3, 4},    {8, 8, 8},      {9, 3, 33},
                                        {1, 300, 64},  {64, 300, 1}, {65, 129, 127}, {17, 128, 31},
                                        {80, 257, 300}};
    REQUIRE(ufc_context_new(&contexts[0], "cpu", 1, NULL) == UFC_OK);
    REQUIRE(ufc_context_new(&contexts[1], "cpu", 3, NULL) == UFC_OK);
    for (int k = 0; k < 2; k++)
        for (uint64_t i = 0; i < MOST; i++)
            value[k][i] = (double)(random_bits((uint64_t)k, i) % 19) - 9;
    for (int i = 0; i < 300; i++)
        bias[i] = (float)i;
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
        check(shapes[s][0], shapes[s][1], shapes[s][2]);
    expect(65, 129, 127);
    small_stack();
    for (int k = 0; k < 2; k++)
        ufc_context_free(contexts[k]);
    return test_failures != 0;
}
