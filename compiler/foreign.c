/* foreign.c: names of other languages: what this one calls their types, numbers and functions, and
 * what it has instead of their statements. */
#include <string.h>

#include "uc.h"

static const struct {
    const char *name, *here;
} spellings[] = {
    {"int", "'int64' (NumPy's) or 'int32' (C's)"},
    {"float", "'float64' (NumPy's) or 'float32' (C's)"},
    {"complex", "'complex128' (NumPy's) or 'complex64' (C's)"},
    {"uint", "'uint64' (NumPy's) or 'uint32' (C's)"},
    {"unsigned", "'uint32'"},
    {"char", "'int8'"},
    {"byte", "'int8'"},
    {"ubyte", "'uint8'"},
    {"short", "'int16'"},
    {"ushort", "'uint16'"},
    {"long", "'int64'"},
    {"ulong", "'uint64'"},
    {"longlong", "'int64'"},
    {"ulonglong", "'uint64'"},
    {"intp", "'int64'"},
    {"uintp", "'uint64'"},
    {"size_t", "'uint64'"},
    {"ptrdiff_t", "'int64'"},
    {"int8_t", "'int8'"},
    {"int16_t", "'int16'"},
    {"int32_t", "'int32'"},
    {"int64_t", "'int64'"},
    {"uint8_t", "'uint8'"},
    {"uint16_t", "'uint16'"},
    {"uint32_t", "'uint32'"},
    {"uint64_t", "'uint64'"},
    {"f16", "'float16'"},
    {"f32", "'float32'"},
    {"f64", "'float64'"},
    {"i16", "'int16'"},
    {"i32", "'int32'"},
    {"i64", "'int64'"},
    {"u16", "'uint16'"},
    {"u32", "'uint32'"},
    {"u64", "'uint64'"},
    {"half", "'float16'"},
    {"single", "'float32'"},
    {"double", "'float64'"},
    {"bool_", "'bool'"},
    {"_Bool", "'bool'"},
    {"M_PI", "'pi'"},
    {"M_E", "'e'"},
    {"INFINITY", "'inf'"},
    {"NAN", "'nan'"},
    {"None", "'nan' for a value that is missing"},
    {"NULL", "'nan' for a value that is missing"},
    {"nullptr", "'nan' for a value that is missing"},
    {"null", "'nan' for a value that is missing"},
    {"threadIdx", "'y[i] = ... for i', which runs over all i itself"},
    {"blockIdx", "'y[i] = ... for i', which runs over all i itself"},
    {"blockDim", "'y[i] = ... for i', which runs over all i itself"},
    {"gridDim", "'y[i] = ... for i', which runs over all i itself"},
    {"grid", "'y[i] = ... for i', which runs over all i itself"},
    {"gridsize", "'y[i] = ... for i', which runs over all i itself"},
    {"shared", "'var w: float32[4]'; where it lives is the compiler's choice"},
    {"local", "'var w: float32[4]'; where it lives is the compiler's choice"},
    {"dot", "'sum(x[i] * y[i] for i)'"},
    {"norm", "'sqrt(sum(v * v for v in x))'"},
    {"inner", "'sum(x[i] * y[i] for i)'"},
    {"matmul", "'c[i, j] = sum(a[i, k] * b[k, j] for k) for i, j'"},
    {"outer", "'c[i, j] = x[i] * y[j] for i, j'"},
    {"cumsum", "'y[i] = sum(x[k] for k in 0..i + 1) for i', which is one pass"},
    {"cumprod", "'y[i] = prod(x[k] for k in 0..i + 1) for i', which is one pass"},
    {"zeros", "'var w: float64[n]', an array that begins with zeros"},
    {"empty", "'var w: float64[n]', an array that begins with zeros"},
    {"ones", "'let w[i] = 1.0 for i in 0..n'"},
    {"full", "'let w[i] = value for i in 0..n'"},
    {"zeros_like", "'y[i] = 0 for i'"},
    {"ones_like", "'y[i] = 1 for i'"},
    {"ln", "'log'"},
    {"relu", "'max(x, 0)'"},
    {"leaky_relu", "'x if x > 0 else 0.01 * x'"},
    {"elu", "'x if x > 0 else expm1(x)'"},
    {"sigmoid", "'1 / (1 + exp(-x))'"},
    {"expit", "'1 / (1 + exp(-x))'"},
    {"silu", "'x / (1 + exp(-x))'"},
    {"gelu", "'0.5 * x * (1 + erf(x * sqrt(0.5)))'"},
    {"softplus", "'logaddexp(x, 0)'"},
    {"softmax", "'exp(x[i] - m) / s for i', where 'let m = max(v for v in x)' and 'let s = "
                "sum(exp(v - m) for v in x)'"},
    {"clamp", "'clip'"},
    {"saturate", "'clip(x, 0, 1)'"},
    {"lerp", "'a + t * (b - a)'"},
    {"sgn", "'sign'"},
    {"frac", "'x - floor(x)'"},
    {"isclose", "'abs(x - y) <= 1e-8 + 1e-5 * abs(y)'"},
    {"sort", "'y[count(x[j] < x[i] or x[j] == x[i] and j < i for j)] = x[i] for i'"},
    {"argsort", "'y[count(x[j] < x[i] or x[j] == x[i] and j < i for j)] = i for i'"},
    {"len", "the dimension's name, the 'n' of 'x[n]'"},
    {"vectorize", "'ufunc f(x) : float32(float32) = ...'"},
    {"guvectorize", "'gufunc f(x[n]) -> y[n] : float32(float32) { ... }'"},
    {"jit", "'def f(x) { ... }'"},
    {"njit", "'def f(x) { ... }'"},
};

#define NO_PRINT "a kernel cannot print; make what you want to see a result"
#define NO_STOP                                                                                    \
    "a kernel cannot stop its caller; give 'x if c else nan' where c may not hold, or test "       \
    "before "                                                                                      \
    "the call"
#define NO_BARRIER "none is needed; what a statement writes, the next one reads"
#define NO_ATOMICS                                                                                 \
    "write 'h[k[i]] += v[i] for i', or 'h[k[i]] = max(h[k[i]], v[i]) for i', of which every "      \
    "iteration counts"
#define NO_CHANCE "a kernel has no random numbers; let them be an argument"

static const struct {
    const char *name, *instead;
} statements[] = {
    {"pass", "a block may be empty, '{ }'"},
    {"print", NO_PRINT},
    {"printf", NO_PRINT},
    {"raise", NO_STOP},
    {"throw", NO_STOP},
    {"exit", NO_STOP},
    {"abort", NO_STOP},
    {"__syncthreads", NO_BARRIER},
    {"syncthreads", NO_BARRIER},
    {"__syncwarp", NO_BARRIER},
    {"__threadfence", NO_BARRIER},
    {"atomicAdd", NO_ATOMICS},
    {"atomicMax", NO_ATOMICS},
    {"atomicMin", NO_ATOMICS},
    {"atomic", NO_ATOMICS},
    {"rand", NO_CHANCE},
    {"random", NO_CHANCE},
    {"do", "write 'while True { ... if c { break } }'"},
    {"switch", "write 'if x == 1 { ... } elif x == 2 { ... } else { ... }'"},
    {"match", "write 'if x == 1 { ... } elif x == 2 { ... } else { ... }'"},
    {"case", "write 'if x == 1 { ... } elif x == 2 { ... } else { ... }'"},
    {"del", "a name ends with its block"},
    {"global", "write 'const' outside of functions"},
    {"goto", "write a loop with 'break', or an 'if'"},
    {"yield", "a kernel gives its results at once, by 'return' or an output"},
    {"try", "nothing is thrown; test before: 'if x != 0 { ... }'"},
};

const char *foreign_statement(const char *name) {
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++)
        if (strcmp(name, statements[i].name) == 0)
            return statements[i].instead;
    return NULL;
}

const char *foreign_name(const char *name) {
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++)
        if (strcmp(name, spellings[i].name) == 0)
            return spellings[i].here;
    return NULL;
}

bool foreign_iterator(const char *name) {
    static const char *const names[] = {"range",    "arange", "prange",    "xrange",
                                        "reversed", "zip",    "enumerate", "ndindex"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}
