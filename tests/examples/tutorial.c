/* tutorial.c: the examples' kernels on the tutorials' inputs, compared with NumPy's results.
 *
 *     tutorial [--device=cpu|cuda|sim] FILE
 *
 * tests/golden/tutorial.py describes the file.  On a GPU each call runs on arrays of the device and
 * on arrays of the host. */
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "../driver.h"
#include "../test.h"
#include "ufc.h"
#include "add.h"
#include "arctan2.h"
#include "attention.h"
#include "elementwise.h"
#include "finance.h"
#include "gaussian.h"
#include "geometry.h"
#include "increment.h"
#include "layer.h"
#include "linalg.h"
#include "mandelbrot.h"
#include "polar.h"
#include "powers.h"
#include "sequence.h"
#include "signal.h"
#include "sincos.h"
#include "softplus.h"
#include "sqrt.h"
#include "statistics.h"

static const struct kernel {
    const char *name;
    const ufc_ufunc *ufunc;
} kernels[] = {
    {"gaussian_pdf", &gaussian_gaussian_pdf_ufunc},
    {"polar_distance", &polar_polar_distance_ufunc},
    {"add_ufunc", &add_add_ufunc_ufunc},
    {"gpu_sqrt", &sqrt_gpu_sqrt_ufunc},
    {"gpu_arctan2", &arctan2_gpu_arctan2_ufunc},
    {"gpu_normalize", &layer_gpu_normalize_ufunc},
    {"gpu_weigh", &layer_gpu_weigh_ufunc},
    {"gpu_activate", &layer_gpu_activate_ufunc},
    {"layer", &layer_layer_ufunc},
    {"gpu_sincos", &sincos_gpu_sincos_ufunc},
    {"gpu_powers", &powers_gpu_powers_ufunc},
    {"softplus", &softplus_softplus_ufunc},
    {"elementwise_computation", &elementwise_elementwise_computation_ufunc},
    {"squared_diff", &elementwise_squared_diff_ufunc},
    {"elementwise_square", &elementwise_elementwise_square_ufunc},
    {"vadd", &elementwise_vadd_ufunc},
    {"increment_a_2D_array", &increment_increment_a_2D_array_ufunc},
    {"black_scholes", &finance_black_scholes_ufunc},
    {"mandelbrot", &mandelbrot_mandelbrot_ufunc},
    {"gpu_polar", &geometry_gpu_polar_ufunc},
    {"cross", &geometry_cross_ufunc},
    {"distances", &geometry_distances_ufunc},
    {"accelerations", &geometry_accelerations_ufunc},
    {"batch_matrix_mult", &linalg_batch_matrix_mult_ufunc},
    {"l2norm", &linalg_l2norm_ufunc},
    {"inverse4", &linalg_inverse4_ufunc},
    {"convolve", &signal_convolve_ufunc},
    {"convolve2d", &signal_convolve2d_ufunc},
    {"smooth", &signal_smooth_ufunc},
    {"blur", &signal_blur_ufunc},
    {"low_pass", &signal_low_pass_ufunc},
    {"gpu_average", &statistics_gpu_average_ufunc},
    {"gpu_average_2", &statistics_gpu_average_2_ufunc},
    {"gpu_sum", &statistics_gpu_sum_ufunc},
    {"softmax", &statistics_softmax_ufunc},
    {"layer_norm", &statistics_layer_norm_ufunc},
    {"moments", &statistics_moments_ufunc},
    {"least", &statistics_least_ufunc},
    {"cumulative_sum", &statistics_cumulative_sum_ufunc},
    {"running_median", &statistics_running_median_ufunc},
    {"histogram", &statistics_histogram_ufunc},
    {"attend", &attention_attend_ufunc},
    {"viterbi", &sequence_viterbi_ufunc},
    {"gram_factor", &linalg_gram_factor_ufunc},
    {"lu", &linalg_lu_ufunc},
    {"blur2d", &signal_blur2d_ufunc},
    {"fft256", &signal_fft256_ufunc},
    {"segment_sum", &statistics_segment_sum_ufunc},
};

enum { MAX_ARGS = 5, MAX_OUTPUTS = 2, MAX_DIMS = 4, MAX_LINE = 1 << 14, SAMPLES = 150 };

struct call {
    const struct kernel *kernel;
    double rtol, atol;
    int nin;
    bool in_place;
    ufc_arg in[MAX_ARGS];
    DLTensor view[MAX_ARGS];
    int64_t shape[MAX_ARGS][MAX_DIMS], strides[MAX_ARGS][2];
    DLManagedTensorVersioned *owner[MAX_ARGS];
    char *values;
};

static ufc_context *context;
static ufc_error err;
static int npassed;

static void must(ufc_status status) {
    if (status != UFC_OK) {
        printf("tutorial: %s\n", err.message);
        exit(1);
    }
}

/* ---- inputs, as tutorial.py makes them */

static double gauss(uint64_t seed, uint64_t k) {
    double total = 0;
    for (uint64_t j = 0; j < 12; j++)
        total += random_unit(seed * 16 + j, k);
    return total - 6;
}

static double element(const char *kind, uint64_t seed, double a, double b, int64_t k, int64_t n) {
    uint64_t i = (uint64_t)k;
    if (strcmp(kind, "uniform") == 0)
        return a + (b - a) * random_unit(seed, i);
    if (strcmp(kind, "normal") == 0)
        return a + b * gauss(seed, i);
    if (strcmp(kind, "grey") == 0)
        return floor(256 * random_unit(seed, i));
    if (strcmp(kind, "arange") == 0)
        return a + (double)k;
    if (strcmp(kind, "linspace") == 0)
        return a + (double)k * ((b - a) / (double)(n - 1));
    return (double)NAN;
}

/* Of complex numbers element i is a part. */
static void store(const DLTensor *t, int64_t i, double v) {
    bool is_complex = t->dtype.code == kDLComplex, real = t->dtype.code == kDLFloat || is_complex;
    int bits = is_complex ? t->dtype.bits / 2 : t->dtype.bits;
    if (real && bits == 32)
        ((float *)t->data)[i] = (float)v;
    else if (real)
        ((double *)t->data)[i] = v;
    else if (t->dtype.bits == 32)
        ((int32_t *)t->data)[i] = (int32_t)v;
    else
        ((int64_t *)t->data)[i] = (int64_t)v;
}

/* Of complex numbers, part i. */
static double load(const DLTensor *t, int64_t i) {
    int bits = t->dtype.code == kDLComplex ? t->dtype.bits / 2 : t->dtype.bits;
    if (t->dtype.code == kDLFloat || t->dtype.code == kDLComplex)
        return bits == 32 ? (double)((float *)t->data)[i] : ((double *)t->data)[i];
    return t->dtype.bits == 32 ? ((int32_t *)t->data)[i] : (double)((int64_t *)t->data)[i];
}

static ufc_type dtype_named(const char *s) {
    switch (s[0]) {
    case 'c': return s[1] == '8' ? UFC_COMPLEX64 : UFC_COMPLEX128;
    case 'f': return s[1] == '4' ? UFC_FLOAT32 : UFC_FLOAT64;
    default: return s[1] == '4' ? UFC_INT32 : UFC_INT64;
    }
}

static ufc_type dtype_of(const DLTensor *t) {
    static const ufc_type whole[] = {UFC_INT32, UFC_INT64}, real[] = {UFC_FLOAT32, UFC_FLOAT64},
                          complex[] = {UFC_COMPLEX64, UFC_COMPLEX128};
    switch (t->dtype.code) {
    case kDLFloat: return real[t->dtype.bits == 64];
    case kDLComplex: return complex[t->dtype.bits == 128];
    default: return whole[t->dtype.bits == 64];
    }
}

static int64_t size_of(const DLTensor *t) {
    int64_t n = 1;
    for (int i = 0; i < t->ndim; i++)
        n *= t->shape[i];
    return n;
}

/* The table of points: two columns, of which the input is one. */
static void fill_points(const DLTensor *table, uint64_t seed, int64_t n) {
    for (int64_t k = 0; k < n; k++) {
        double x = gauss(seed, (uint64_t)k);
        store(table, 2 * k, x);
        store(table, 2 * k + 1, 0.9 * x + 0.4358898943540674 * gauss(seed + 1, (uint64_t)k));
    }
}

/* KIND:DTYPE:SHAPE:SEED:A:B or #NUMBER */
static void read_input(struct call *c, const char *spec) {
    int i = c->nin++;
    char kind[16], type[4], shape[32];
    unsigned long long seed;
    double a, b;
    REQUIRE(i < MAX_ARGS);
    if (*spec == '#') {
        c->in[i] = strchr(spec, '.') ? ufc_float(strtod(spec + 1, NULL))
                                     : ufc_int(strtoll(spec + 1, NULL, 10));
        return;
    }
    REQUIRE(sscanf(spec, "%15[^:]:%3[^:]:%31[^:]:%llu:%lf:%lf", kind, type, shape, &seed, &a, &b) ==
            6);
    int ndim = 0;
    int64_t n = 1;
    for (char *x = shape; x && ndim < MAX_DIMS; x = strchr(x, 'x') ? strchr(x, 'x') + 1 : NULL) {
        c->shape[i][ndim] = strtoll(x, NULL, 10);
        n *= c->shape[i][ndim++];
    }
    bool points = strcmp(kind, "points") == 0;
    int64_t size = points ? 2 * n : n;
    must(ufc_empty(context, dtype_named(type), 1, &size, UFC_HOST, &c->owner[i], &err));
    const DLTensor *data = &c->owner[i]->dl_tensor;
    c->view[i] = ufc_host_array(data->data, data->dtype, ndim, c->shape[i]);
    if (points) {
        fill_points(data, seed, n);
        c->strides[i][0] = 2;
        c->view[i].strides = c->strides[i];
        c->view[i].byte_offset = a == 1 ? data->dtype.bits / 8 : 0;
    } else {
        int64_t parts = data->dtype.code == kDLComplex ? 2 * n : n;
        for (int64_t k = 0; k < parts; k++)
            store(data, k, element(kind, seed, a, b, k, parts));
    }
    c->in[i] = ufc_array(&c->view[i]);
}

static void read_call(char *line, struct call *c) {
    memset(c, 0, sizeof *c);
    c->values = strstr(line, " = ");
    REQUIRE(c->values);
    *c->values = 0;
    c->values += 3;
    char *word = strtok(line, " ");
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (strcmp(word, kernels[i].name) == 0)
            c->kernel = &kernels[i];
    REQUIRE(c->kernel);
    REQUIRE((word = strtok(NULL, " ")));
    c->rtol = strtod(word, NULL);
    REQUIRE((word = strtok(NULL, " ")));
    c->atol = strtod(word, NULL);
    while ((word = strtok(NULL, " "))) {
        if (strcmp(word, "in-place") == 0)
            c->in_place = true;
        else
            read_input(c, word);
    }
}

/* ---- calls */

/* Moves the inputs to the device; the views point there from now on. */
static void move_inputs(struct call *c) {
    for (int i = 0; i < c->nin; i++) {
        if (!c->owner[i])
            continue;
        DLTensor *host = &c->owner[i]->dl_tensor;
        DLManagedTensorVersioned *moved;
        must(ufc_empty(context, dtype_of(host), 1, host->shape, UFC_DEVICE, &moved, &err));
        must(ufc_copy(context, NULL, host, &moved->dl_tensor, &err));
        ufc_free(c->owner[i]);
        c->owner[i] = moved;
        c->view[i].data = moved->dl_tensor.data;
        c->view[i].device = moved->dl_tensor.device;
    }
}

/* With the next values. */
static void compare(struct call *c, const DLTensor *result, const char *where) {
    int64_t n = size_of(result) * (result->dtype.code == kDLComplex ? 2 : 1), place = 0;
    double worst = 0;
    char *s = c->values;
    for (uint64_t j = 0; j < SAMPLES; j++) {
        int64_t k = (int64_t)(random_bits(0, j) % (uint64_t)n);
        char *end;
        double want = strtod(s, &end), got = load(result, k);
        REQUIRE(end != s);
        s = end;
        double excess = fabs(got - want) - (c->atol + c->rtol * fabs(want));
        if (!(excess <= worst)) {
            worst = isnan(excess) ? (double)INFINITY : excess;
            place = k;
        }
    }
    c->values = s;
    if (worst > 0) {
        printf("%s%s: element %lld is %.17g, outside the tolerance by %g\n", c->kernel->name, where,
               (long long)place, load(result, place), worst);
        test_failures++;
    } else {
        npassed++;
    }
}

static void run(struct call *c, const char *where) {
    DLManagedTensorVersioned *fresh[MAX_OUTPUTS] = {NULL}, *host;
    ufc_out out[MAX_OUTPUTS];
    int nout = ufc_describe(c->kernel->ufunc).nout;
    REQUIRE(nout <= MAX_OUTPUTS);
    for (int k = 0; k < nout; k++)
        out[k] = c->in_place ? ufc_into(&c->view[0]) : ufc_new(&fresh[k]);
    must(ufc_call(context, NULL, c->kernel->ufunc, c->in, out, &err));
    for (int k = 0; k < nout; k++) {
        const DLTensor *result = fresh[k] ? &fresh[k]->dl_tensor : &c->view[0];
        must(ufc_empty(context, dtype_of(result), result->ndim, result->shape, UFC_HOST, &host,
                       &err));
        must(ufc_copy(context, NULL, result, &host->dl_tensor, &err));
        compare(c, &host->dl_tensor, where);
        ufc_free(host);
        ufc_free(fresh[k]);
    }
}

int main(int argc, char **argv) {
    static char line[MAX_LINE], words[MAX_LINE];
    REQUIRE(argc == 3);
    const char *device = argv[1] + strlen("--device=");
    bool on_gpu = strcmp(device, "cuda") == 0;
    const char *reason = "no GPU";
    if (on_gpu && ufc_device_count(&reason) == 0) {
        printf("tutorial: %s\n", reason);
        return SKIPPED;
    }
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        make_known(kernels[i].ufunc);
    must(ufc_context_new(&context, device, 0, &err));
    FILE *f = fopen(argv[2], "r");
    REQUIRE(f);
    while (fgets(line, sizeof line, f)) {
        for (int moved = 0; *line != '#' && moved <= on_gpu; moved++) {
            struct call c;
            memcpy(words, line, sizeof line);
            read_call(words, &c);
            if (moved)
                move_inputs(&c);
            run(&c, moved ? " (on the device)" : "");
            for (int i = 0; i < c.nin; i++)
                ufc_free(c.owner[i]);
        }
    }
    fclose(f);
    ufc_context_free(context);
    printf("%d passed, %d failed\n", npassed, test_failures);
    return test_failures > 0;
}
