/* records.h: gufuncs like those of NumPy's umath tests, as records written by hand: host code, and
 * kernels by names alone, for the fake driver. */
#ifndef RECORDS_H
#define RECORDS_H

#include <math.h>
#include "image_abi.h"

#define ARGUMENTS    char **args, const intptr_t *dimensions, const intptr_t *steps, void *data
#define AT(T, p, at) (*(T *)((p) + (at)))
#define CALLS        for (intptr_t call_ = ((void)data, 0); call_ < dimensions[0]; call_++)
#define P(k)         (args[k] + call_ * steps[k])

#define KERNELS(T, t)                                                                              \
    static void inner1d_##t(ARGUMENTS) {                                                           \
        const intptr_t *s = steps + 3;                                                             \
        CALLS {                                                                                    \
            T sum = 0;                                                                             \
            for (intptr_t i = 0; i < dimensions[1]; i++)                                           \
                sum += AT(T, P(0), i * s[0]) * AT(T, P(1), i * s[1]);                              \
            AT(T, P(2), 0) = sum;                                                                  \
        }                                                                                          \
    }                                                                                              \
    static void innerwt_##t(ARGUMENTS) {                                                           \
        const intptr_t *s = steps + 4;                                                             \
        CALLS {                                                                                    \
            T sum = 0;                                                                             \
            for (intptr_t i = 0; i < dimensions[1]; i++)                                           \
                sum += AT(T, P(0), i * s[0]) * AT(T, P(1), i * s[1]) * AT(T, P(2), i * s[2]);      \
            AT(T, P(3), 0) = sum;                                                                  \
        }                                                                                          \
    }                                                                                              \
    static void matmul_##t(ARGUMENTS) {                                                            \
        const intptr_t *d = dimensions + 1, *s = steps + 3;                                        \
        CALLS for (intptr_t i = 0; i < d[0]; i++) for (intptr_t j = 0; j < d[2]; j++) {            \
            T sum = 0;                                                                             \
            for (intptr_t k = 0; k < d[1]; k++)                                                    \
                sum += AT(T, P(0), i * s[0] + k * s[1]) * AT(T, P(1), k * s[2] + j * s[3]);        \
            AT(T, P(2), i *s[4] + j * s[5]) = sum;                                                 \
        }                                                                                          \
    }                                                                                              \
    static void cumsum_##t(ARGUMENTS) {                                                            \
        const intptr_t *s = steps + 2;                                                             \
        CALLS {                                                                                    \
            T sum = 0;                                                                             \
            for (intptr_t i = 0; i < dimensions[1]; i++)                                           \
                AT(T, P(1), i *s[1]) = sum += AT(T, P(0), i * s[0]);                               \
        }                                                                                          \
    }                                                                                              \
    static void cross1d_##t(ARGUMENTS) {                                                           \
        const intptr_t *s = steps + 3;                                                             \
        CALLS for (intptr_t i = 0, j = 1, k = 2; i < 3; i++, j = (j + 1) % 3, k = (k + 1) % 3)     \
            AT(T, P(2), i *s[2]) = AT(T, P(0), j * s[0]) * AT(T, P(1), k * s[1]) -                 \
                                   AT(T, P(0), k * s[0]) * AT(T, P(1), j * s[1]);                  \
    }                                                                                              \
    static void conv1d_full_##t(ARGUMENTS) {                                                       \
        const intptr_t *d = dimensions + 1, *s = steps + 3;                                        \
        CALLS for (intptr_t i = 0; i < d[2]; i++) {                                                \
            T sum = 0;                                                                             \
            for (intptr_t j = 0; j < d[1]; j++)                                                    \
                if (i >= j && i - j < d[0])                                                        \
                    sum += AT(T, P(0), (i - j) * s[0]) * AT(T, P(1), j * s[1]);                    \
            AT(T, P(2), i *s[2]) = sum;                                                            \
        }                                                                                          \
    }                                                                                              \
    static void minmax_##t(ARGUMENTS) {                                                            \
        CALLS {                                                                                    \
            T low = 127, high = -128;                                                              \
            for (intptr_t i = 0; i < dimensions[1]; i++) {                                         \
                T x = AT(T, P(0), i * steps[3]);                                                   \
                low = x < low ? x : low;                                                           \
                high = x > high ? x : high;                                                        \
            }                                                                                      \
            AT(T, P(1), 0) = low;                                                                  \
            AT(T, P(2), 0) = high;                                                                 \
        }                                                                                          \
    }                                                                                              \
    static void axpy_##t(ARGUMENTS) {                                                              \
        const intptr_t *s = steps + 4;                                                             \
        CALLS for (intptr_t i = 0; i < dimensions[1]; i++) AT(T, P(3), i *s[2]) =                  \
            AT(T, P(0), 0) * AT(T, P(1), i * s[0]) + AT(T, P(2), i * s[1]);                        \
    }                                                                                              \
    static void copy_##t(ARGUMENTS) {                                                              \
        CALLS AT(T, P(1), 0) = AT(T, P(0), 0);                                                     \
    }
KERNELS(int64_t, i8)
KERNELS(double, f8)

static void euclidean_pdist_f8(ARGUMENTS) {
    const intptr_t *d = dimensions + 1, *s = steps + 2;
    CALLS {
        intptr_t to = 0;
        for (intptr_t i = 0; i < d[0]; i++)
            for (intptr_t j = i + 1; j < d[0]; j++, to++) {
                double sum = 0;
                for (intptr_t k = 0; k < d[1]; k++) {
                    double x =
                        AT(double, P(0), i *s[0] + k * s[1]) - AT(double, P(0), j *s[0] + k * s[1]);
                    sum += x * x;
                }
                AT(double, P(1), to *s[2]) = sqrt(sum);
            }
    }
}

#undef ARGUMENTS
#undef CALLS
#undef P

/* GUFUNC(NAME, NIN, NOUT, DTYPES TWICE, (PARAMETERS), SIGNATURE, (DIMENSIONS), (RANKS), (NUMBERS))
 */
#define LIST(...) __VA_ARGS__
#define NAMED(n)                                                                                   \
    { .name = n, .size = -1 }
#define OPTIONAL(n)                                                                                \
    { .name = n "?", .size = -1, .flags = UFC_DIM_OPTIONAL }
#define SIZED(n, s)                                                                                \
    { .name = n, .size = s }
#define COMPUTED(n, ...)                                                                           \
    {                                                                                              \
        .name = n, .size = -1, .flags = UFC_DIM_COMPUTED, .program = {                             \
            (const struct ufc_term[]){__VA_ARGS__},                                                \
            sizeof((const struct ufc_term[]){__VA_ARGS__}) / sizeof(struct ufc_term)               \
        }                                                                                          \
    }
#define OF(op, value)                                                                              \
    { UFC_TERM_##op, value }

#define OVERLOAD(t, T, name, text)                                                                 \
    {                                                                                              \
        .dtypes = (const uint8_t[]){T, T, T, T}, .signature = text, .host = {name##_##t},          \
        .code = {{.ptx = "//", .id = __COUNTER__}}, .ptx_sm = 75,                                  \
        .kernel = {[UFC_KERNEL_VECTOR] = #name "_" #t "_vector",                                   \
                   [UFC_KERNEL_STRIDED] = #name "_" #t "_strided",                                 \
                   [UFC_KERNEL_CAST] = #name "_" #t "_cast",                                       \
                   [UFC_KERNEL_THREAD] = #name "_" #t "_thread",                                   \
                   [UFC_KERNEL_WARP] = #name "_" #t "_warp",                                       \
                   [UFC_KERNEL_BLOCK] = #name "_" #t "_block",                                     \
                   [UFC_KERNEL_NEST] = #name "_" #t "_nest"},                                      \
        .block =                                                                                   \
            {[UFC_KERNEL_VECTOR] = 64,         [UFC_KERNEL_STRIDED] = 64, [UFC_KERNEL_CAST] = 64,  \
             [UFC_KERNEL_THREAD] = 64,         [UFC_KERNEL_WARP] = 128,   [UFC_KERNEL_BLOCK] = 32, \
             [UFC_KERNEL_NEST] = BLOCK_THREADS},                                                   \
        .vector_width = 1, .width = {(const struct ufc_term[]){OF(DIMENSION, 0)}, 1},              \
        .phase = &(const struct ufc_phase){.reductions = 1, .bytes = 8}, .phases = 1,              \
        .partial = 8, .nloops = 1, .loops = &(const struct ufc_loop) {                             \
            .size = {(const struct ufc_term[]){OF(DIMENSION, 0)}, 1}, .parent = -1,                \
            .kind = UFC_LOOP_REDUCTION                                                             \
        }                                                                                          \
    }
#define OVERLOADS(name)                                                                            \
    static const struct ufc_overload gufuncs_##name##_overloads[] = {                              \
        OVERLOAD(i8, DT_INT64, name, "int64"), OVERLOAD(f8, DT_FLOAT64, name, "float64")};
#define RECORD(name_, nin_, nout_, params_, n, core_)                                              \
    static const struct ufc_ufunc gufuncs_##name_##_ufunc = {                                      \
        .version = UFC_IMAGE_ABI_VERSION,                                                          \
        .nin = nin_,                                                                               \
        .nout = nout_,                                                                             \
        .noverloads = n,                                                                           \
        .name = #name_,                                                                            \
        .params = (const char *const[]){params_},                                                  \
        .overloads = gufuncs_##name_##_overloads,                                                  \
        .core = core_};
#define GUFUNC(name, nin, nout, params, n, signature_, dims_, ranks, numbers)                      \
    static const struct ufc_dim gufuncs_##name##_dims[] = {dims_};                                 \
    static const struct ufc_core gufuncs_##name##_core = {.signature = signature_,                 \
                                                          .ndims = sizeof gufuncs_##name##_dims /  \
                                                                   sizeof *gufuncs_##name##_dims,  \
                                                          .dims = gufuncs_##name##_dims,           \
                                                          .rank = (const uint8_t[]){ranks},        \
                                                          .dim = (const uint8_t[]){numbers},       \
                                                          .copies = &gufuncs_copy_ufunc};          \
    RECORD(name, nin, nout, LIST(params), n, &gufuncs_##name##_core)

/* clang-format off */
OVERLOADS(copy)
RECORD(copy, 1, 1, LIST("x", "out"), 2, NULL)
OVERLOADS(inner1d)
GUFUNC(inner1d, 2, 1, LIST("a", "b", "out"), 2, "(i),(i)->()", LIST(NAMED("i")), LIST(1, 1, 0), LIST(0, 0))
OVERLOADS(innerwt)
GUFUNC(innerwt, 3, 1, LIST("a", "b", "w", "out"), 2, "(i),(i),(i)->()", LIST(NAMED("i")), LIST(1, 1, 1, 0), LIST(0, 0, 0))
#define matrix_multiply_i8 matmul_i8
#define matrix_multiply_f8 matmul_f8
OVERLOADS(matrix_multiply)
GUFUNC(matrix_multiply, 2, 1, LIST("a", "b", "c"), 2, "(m,n),(n,p)->(m,p)",
       LIST(NAMED("m"), NAMED("n"), NAMED("p")), LIST(2, 2, 2), LIST(0, 1, 1, 2, 0, 2))
OVERLOADS(matmul)
GUFUNC(matmul, 2, 1, LIST("a", "b", "c"), 2, "(m?,n),(n,p?)->(m?,p?)",
       LIST(OPTIONAL("m"), NAMED("n"), OPTIONAL("p")), LIST(2, 2, 2), LIST(0, 1, 1, 2, 0, 2))
OVERLOADS(cumsum)
GUFUNC(cumsum, 1, 1, LIST("x", "out"), 2, "(i)->(i)", LIST(NAMED("i")), LIST(1, 1), LIST(0, 0))
OVERLOADS(cross1d)
GUFUNC(cross1d, 2, 1, LIST("a", "b", "out"), 2, "(3),(3)->(3)", LIST(SIZED("3", 3)), LIST(1, 1, 1), LIST(0, 0, 0))
OVERLOADS(conv1d_full)
GUFUNC(conv1d_full, 2, 1, LIST("x", "w", "out"), 2, "(m),(n)->(m + n - 1)",
       LIST(NAMED("m"), NAMED("n"), COMPUTED("m + n - 1", OF(DIMENSION, 0), OF(DIMENSION, 1), OF(ADD, 0), OF(NUMBER, 1), OF(SUB, 0))),
       LIST(1, 1, 1), LIST(0, 1, 2))
OVERLOADS(minmax)
GUFUNC(minmax, 1, 2, LIST("x", "low", "high"), 2, "(i)->(),()", LIST(NAMED("i")), LIST(1, 0, 0), LIST(0))
OVERLOADS(axpy)
GUFUNC(axpy, 3, 1, LIST("a", "x", "y", "out"), 2, "(),(i),(i)->(i)", LIST(NAMED("i")), LIST(0, 1, 1, 1), LIST(0, 0, 0))
static const struct ufc_overload gufuncs_euclidean_pdist_overloads[] = {OVERLOAD(f8, DT_FLOAT64, euclidean_pdist, "float64")};
GUFUNC(euclidean_pdist, 1, 1, LIST("x", "out"), 1, "(n,d)->(n * (n - 1) // 2)",
       LIST(NAMED("n"), NAMED("d"), COMPUTED("n * (n - 1) // 2", OF(DIMENSION, 0), OF(DIMENSION, 0), OF(NUMBER, 1), OF(SUB, 0), OF(MUL, 0), OF(NUMBER, 2), OF(FLOORDIV, 0))),
       LIST(2, 1), LIST(0, 1, 2))
/* clang-format on */

#endif
