/* sim_gpu.c: the simulator and a GPU give the same bits, NaNs apart, but where the PTX has
 * approximate instructions: there they are close. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include "../test.h"
#include "every.h"
#include "image_abi.h"
#include "ufc.h"

enum { N = 20000, SPECIALS = 32 };

static const struct operation {
    const char *name;
    const ufc_ufunc *ufunc;
} operations[] = {
#define OP(name)                                                                                   \
    { #name, &every_f_##name##_ufunc }
    /* clang-format off */
    OP(sin), OP(cos), OP(tan), OP(asin), OP(acos), OP(atan), OP(atan2), OP(sinh), OP(cosh),
    OP(tanh), OP(asinh), OP(acosh), OP(atanh), OP(sinpi), OP(cospi), OP(deg2rad), OP(rad2deg),
    OP(exp), OP(exp2), OP(exp10), OP(expm1), OP(log), OP(log2), OP(log10), OP(log1p), OP(logb),
    OP(ilogb), OP(sqrt), OP(rsqrt), OP(cbrt), OP(hypot), OP(pow), OP(square), OP(reciprocal),
    OP(floor), OP(ceil), OP(trunc), OP(rint), OP(round), OP(fmod), OP(modf), OP(frexp),
    OP(ldexp), OP(nextafter), OP(abs), OP(sign), OP(copysign), OP(signbit), OP(isnan), OP(isinf),
    OP(isfinite), OP(fma), OP(min), OP(max), OP(fmin), OP(fmax), OP(clip), OP(fdim),
    OP(heaviside), OP(erf), OP(erfc), OP(tgamma), OP(lgamma), OP(j0), OP(j1), OP(jn), OP(y0),
    OP(y1), OP(yn), OP(popcount), OP(clz), OP(ctz), OP(mulhi), OP(eps), OP(bits), OP(gcd), OP(lcm), OP(add), OP(subtract), OP(multiply),
    OP(floordiv), OP(mod), OP(divide), OP(less), OP(to_int8), OP(to_uint8), OP(to_int16),
    OP(to_uint16), OP(to_int32), OP(to_uint32), OP(to_int64), OP(to_uint64), OP(to_float32),
    OP(to_float64),
/* clang-format on */
#undef OP
};

static ufc_context *gpu, *sim;
static int nequal, nclose;

static size_t size_of(int dtype) {
    return ufc_dltype((ufc_type)dtype).bits / 8;
}

static double number(uint64_t i, uint64_t stream) {
    static const double specials[SPECIALS] = {
        0,    -0.0,   1,      -1,          0.5,  -0.5,  1.5,    2.5,  -2.5,   INFINITY, -INFINITY,
        NAN,  1e-45,  1e-38,  -1e-40,      3e38, 1e308, 1e-310, M_PI, M_PI_2, 1e5,      1e10,
        1e18, 9.3e18, 0x1p31, -0x1p31 - 1, 700,  -700,  88.5,   0.1,  0.9,    3.3};
    double u = random_unit(stream, i);
    if (i < SPECIALS * SPECIALS)
        return specials[stream ? i % SPECIALS : i / SPECIALS];
    switch (i % 4) {
    case 0: return 6 * u - 3;
    case 1: return pow(10, 16 * u - 8) * (i & 4 ? 1 : -1);
    case 2: return 2 * u - 1;
    default: return 200 * u - 100;
    }
}

/* Small whole numbers and any, where `limit` is not 0 those under it. */
static void fill(char *data, int dtype, uint64_t stream, uint64_t limit) {
    for (uint64_t i = 0; i < N; i++) {
        uint64_t bits = random_bits(stream, i);
        double d = number(i, stream);
        float f = (float)d;
        if (limit)
            bits %= limit;
        else if (i % 3 == 0)
            bits = bits % 17 - 8;
        if (dtype == DT_FLOAT64 && i % 8 != 7)
            memcpy(&bits, &d, sizeof d);
        else if (dtype == DT_FLOAT32 && i % 8 != 7)
            memcpy(&bits, &f, sizeof f);
        memcpy(data + i * size_of(dtype), &bits, size_of(dtype));
    }
}

static double value(const char *data, int dtype, size_t i) {
    double d = 0;
    float f;
    if (dtype == DT_FLOAT64) {
        memcpy(&d, data + i * sizeof d, sizeof d);
    } else if (dtype == DT_FLOAT32) {
        memcpy(&f, data + i * sizeof f, sizeof f);
        d = (double)f;
    }
    return d;
}

/* What terse.h has of the PTX, to be freed. */
static char *terse_text(const struct ufc_code *code, size_t *size) {
    size_t known = 0;
    char *dictionary = code->like ? terse_text(code->like, &known) : NULL;
    *size = ZSTD_getFrameContentSize(code->ptx, code->ptx_size);
    char *text = malloc(*size);
    ZSTD_DCtx *context = ZSTD_createDCtx();
    CHECK(ZSTD_decompress_usingDict(context, text, *size, code->ptx, code->ptx_size, dictionary,
                                    known) == *size);
    ZSTD_freeDCtx(context);
    free(dictionary);
    return text;
}

static bool is_approximate(const struct ufc_code *code) {
    size_t size;
    static const char approx[] = ".approx";
    char *text = terse_text(code, &size);
    bool found = false;
    for (size_t i = 0; i + sizeof approx <= size && !found; i++)
        found = memcmp(text + i, approx, sizeof approx - 1) == 0;
    free(text);
    return found;
}

static void compare(const struct operation *op, const struct ufc_overload *o, int dtype,
                    const char *of_gpu, const char *of_sim) {
    bool approximate = is_approximate(&o->code[UFC_MODULE_PLAIN]), all = true;
    double tolerance = dtype == DT_FLOAT32 ? 1e-5 : 1e-12;
    for (size_t i = 0; i < N; i++) {
        if (memcmp(of_gpu + i * size_of(dtype), of_sim + i * size_of(dtype), size_of(dtype)) == 0)
            continue;
        double a = value(of_gpu, dtype, i), b = value(of_sim, dtype, i);
        if (isnan(a) && isnan(b))
            continue;
        all = false;
        if (approximate && fabs(a - b) <= tolerance * fmax(fabs(a), 1))
            continue;
        printf("%s, %s: element %zu is %.17g on the GPU, %.17g simulated\n", op->name, o->signature,
               i, a, b);
        test_failures++;
        return;
    }
    nequal += all;
    nclose += !all;
}

static void run(const struct operation *op, const struct ufc_overload *o) {
    static char in[3][N * 8], out[2][3][N * 8];
    int nin = (int)op->ufunc->nin, nout = (int)op->ufunc->nout;
    int64_t n = N;
    DLTensor x[3], y[2][3];
    ufc_arg args[3];
    bool order = o->dtypes[0] == DT_INT32 && nin == 2 && o->dtypes[1] >= DT_FLOAT32; /* jn, yn */
    for (int k = 0; k < nin; k++) {
        fill(in[k], o->dtypes[k], (uint64_t)k, order ? 6 : 0);
        x[k] = ufc_host_array(in[k], ufc_dltype((ufc_type)o->dtypes[k]), 1, &n);
        args[k] = ufc_array(&x[k]);
    }
    for (int where = 0; where < 2; where++) {
        ufc_out outs[3];
        ufc_error err;
        for (int k = 0; k < nout; k++) {
            y[where][k] =
                ufc_host_array(out[where][k], ufc_dltype((ufc_type)o->dtypes[nin + k]), 1, &n);
            outs[k] = ufc_into(&y[where][k]);
        }
        if (ufc_call(where ? sim : gpu, NULL, op->ufunc, args, outs, &err) != UFC_OK) {
            printf("%s, %s: %s\n", op->name, o->signature, err.message);
            test_failures++;
            return;
        }
    }
    for (int k = 0; k < nout; k++)
        compare(op, o, o->dtypes[nin + k], out[0][k], out[1][k]);
}

int main(int argc, char **argv) {
    ufc_error err;
    if (ufc_context_new(&gpu, argc > 1 ? argv[1] : "cuda", 0, &err) != UFC_OK) {
        printf("sim_gpu: %s\n", err.message);
        return SKIPPED;
    }
    REQUIRE(ufc_context_new(&sim, "sim", 0, NULL) == UFC_OK);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        for (uint32_t k = 0; k < operations[i].ufunc->noverloads; k++)
            run(&operations[i], &operations[i].ufunc->overloads[k]);
    ufc_context_free(sim);
    ufc_context_free(gpu);
    printf("%d results equal, %d close\n", nequal, nclose);
    return test_failures > 0;
}
