/* steps.c: the steps that the compiler takes up to the plans grow with the length of a source, not
 * by its square: they are counted as basic blocks, by gcc's and clang's
 * -fsanitize-coverage=trace-pc in all files that the build hands to this test. */
#include "long.h"
#include "ufcc.h"

static uint64_t steps;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) {
    steps++;
}

static const struct kind kinds[] = {
    {"ufuncs", "", "ufunc f%1$d(x) : float32(float32) = x + %1$d\n", ""},
    {"gufuncs", "", "gufunc f%1$d(x[n]) -> y : float32(float32) = sum(v for v in x)\n", ""},
    {"defs", "", "def f%1$d(x) = x + %1$d\n", "ufunc f(x) : float32(float32) = f0(x)\n"},
    {"consts", "const C0 = 1\n", "const C%2$d = C%1$d + 1\n",
     "ufunc f(x) : float32(float32) = x + C%1$d\n"},
    {"tables", "const C = [1", ", %1$d", "]\nufunc f(x) : float32(float32) = x + C[2]\n"},
    {"names twice", "", "const A = 1\ndef B%1$d(x) = x\n", "const C = B\n"},
    {"integer lets", "ufunc f(x) : int64(int64) {\n let a0 = x\n",
     " let a%2$d = a%1$d * x + %1$d\n", " return a%1$d\n}\n"},
    {"lets without a use", "ufunc f(x) : float64(float64) {\n", " let a%1$d = x * %1$d\n",
     " return x\n}\n"},
    {"calls", "def g(x) = x + 1\nufunc f(x) : float64(float64) {\n let a0 = x\n",
     " let a%2$d = sin(g(a%1$d))\n", " return a%1$d\n}\n"},
    {"conditional assignments", "ufunc f(x) : int64(int64) {\n var y = x\n",
     " if x > %1$d { y = y * x + %1$d }\n", " return y\n}\n"},
    {"conditional returns", "ufunc f(x) : int64(int64) {\n", " if x == %1$d { return x * %1$d }\n",
     " return x\n}\n"},
    {"loops", "ufunc f(x) : int64(int64) {\n var y = x\n",
     " for i in 0..x { let t = i + y; y += t }\n", " return y\n}\n"},
    {"outputs", "gufunc f(x[n]) -> y[%1$d] : float64(float64) {\n", " y[%1$d] = x[0] * %1$d\n",
     "}\n"},
    {"slices", "gufunc f(x[n]) -> y : float64(float64) {\n let a0 = x[1:]\n",
     " let a%2$d = a%1$d[1:]\n", " y = a0[0]\n}\n"},
    {"arrays of calls",
     "def g(a[n]) { return a[i] + 1 for i }\n"
     "gufunc f(x[n]) -> y[n] : float64(float64) {\n var w: float64[n]\n w = x\n",
     " w[%1$d] = sum(v for v in w[%1$d:])\n", " y = g(w)\n}\n"},
    {"definitions", "gufunc f(x[n]) -> y[n] : float64(float64) {\n y[i] = 0 for i\n",
     " y[i] = x[i] + %1$d for i\n", "}\n"},
};

static uint64_t steps_of(const struct kind *kind, int n) {
    struct text t = source(kind, n);
    steps = 0;
    ufcc_free(ufcc_compile("long.uf", t.data, t.size, NULL));
    free(t.data);
    return steps;
}

int main(void) {
    enum { N = 1000, TIMES = 4 };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        double few = (double)steps_of(&kinds[i], N), many = (double)steps_of(&kinds[i], TIMES * N);
        /* n log n: 4.8 times */
        if (few < N || many > 5 * few) {
            printf("%s: %.0f steps for %d, %.2f times as many for %d\n", kinds[i].name, few, N,
                   many / few, TIMES * N);
            test_failures++;
        }
    }
    return test_failures != 0;
}
