/* sizes.c: what LLVM and drivers compile for GPUs of common bodies, the jumps of their host code,
 * and what points that a thread has at once compute each, are no more than they were; and rows are
 * loaded by vectors. */
#include <string.h>
#include "../test.h"
#include "ufcc.h"

/* The instructions of all kernels, and the jumps at all levels: a sixteenth more than there were
 * with LLVM 22. */
static const struct {
    const char *name, *text;
    int most, jumps;
} bodies[] = {
    {"x + 1", "ufunc f(x) : float64(float64) = x + 1\n", 1460, 26},
    {"a sum", "gufunc f(x[n]) -> y : float32(float32) = sum(v * v for v in x)\n", 3640, 166},
    {"softmax",
     "gufunc f(x[n]) -> y[n] : float32(float32) {\n let top = max(v for v in x)\n"
     " let all = sum(exp(v - top) for v in x)\n y[i] = exp(x[i] - top) / all for i\n}\n",
     11900, 383},
    {"a matrix product",
     "gufunc f(a[m, n], b[n, p]) -> c[m, p] : float32(float32, float32) {\n"
     " c[i, j] = sum(a[i, k] * b[k, j] for k) for i, j\n}\n",
     18560, 535},
    {"distances",
     "gufunc f(a[m, n], b[p, n]) -> c[m, p] : float32(float32, float32) {\n"
     " c[i, j] = sqrt(sum((a[i, k] - b[j, k])**2 for k)) for i, j\n}\n",
     18490, 533},
    {"a loop that halves",
     "ufunc f(n) : int64(int64) {\n var m = n\n"
     " while m > 1 { m = m // 2 if m % 2 == 0 else 3 * m + 1 }\n return m\n}\n",
     1440, 42},
    {"a sparse product",
     "gufunc f(a[n], k[n], at[r], x[m, d]) -> y[r - 1, d] : float32(float32, int32, int64, "
     "float32) {\n"
     " y[i, c] = sum(a[j] * x[k[j], c] for j in at[i]..at[i + 1]) for i in 0..r - 1, c\n}\n",
     9250, 354},
};

/* A convolution in groups, at several points of a thread, each with a condition. */
static const char grouped[] =
    "gufunc f(x[c, h, v], w[o, q, 3]) -> y[o, h, v] : float32(float32, float32) {\n"
    " let g = o // (c // q)\n"
    " y[k, i, j] = sum(w[k, l, a] * x[k // g * q + l, i + a - 1, j] for l in 0..q, a in 0..3\n"
    "                  if 0 <= i + a - 1 and i + a - 1 < h) for k, i, j\n}\n";

/* Sums along rows within others: of whole rows, and of what follows their first element, which is
 * aligned where that is not. */
static const char rows[] =
    "gufunc f(x[n, d], a[d, d]) -> q[n] : float32(float32, float32) {\n"
    " q[i] = sum(x[i, j] * sum(a[j, k] * x[i, k] for k in 0..d) for j) for i\n}\n";
static const char parts_of_rows[] =
    "gufunc f(x[n, d], a[d, d]) -> q[n] : float32(float32, float32) {\n"
    " q[i] = sum(x[i, j] * sum(a[j, k] * x[i, k] for k in 1..d) for j) for i\n}\n";

/* Products of bytes, in a sum of 64 bits. */
static const char bytes[] = "gufunc f(x[n], w[n]) -> y : int64(int8, int8)\n"
                            "    = sum(int32(x[i]) * int32(w[i]) for i)\n";

/* How many lines of an output begin with a text. */
static int count(const char *text, unsigned target, ufcc_output output, const char *begin) {
    const ufcc_options options = {.targets = target};
    ufcc_program *p = ufcc_compile("sizes.uf", text, strlen(text), &options);
    char *code = NULL;
    size_t size;
    int n = 0;
    REQUIRE(p != NULL && ufcc_emit(p, output, &code, &size));
    for (const char *line = code; *line; line = strchr(line, '\n') + 1)
        n += strncmp(line, begin, strlen(begin)) == 0;
    free(code);
    ufcc_free(p);
    return n;
}

static void check_most(const char *name, const char *what, int n, int most) {
    if (n > most) {
        printf("%s: %d %s, of %d\n", name, n, what, most);
        test_failures++;
    }
}

int main(void) {
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        const char *name = bodies[i].name, *text = bodies[i].text;
        check_most(name, "instructions", count(text, UFCC_CUDA, UFCC_LLVM, "  "), bodies[i].most);
        check_most(name, "jumps", count(text, UFCC_HOST, UFCC_ASM, "\tj"), bodies[i].jumps);
    }
    /* 49 (53 with LLVM 19) and 159; 71 and 181 where each of a thread's points computes its own. */
    check_most("a grouped convolution", "divisions", count(grouped, UFCC_CUDA, UFCC_PTX, "\tdiv."),
               53);
    check_most("a grouped convolution", "addresses",
               count(grouped, UFCC_CUDA, UFCC_PTX, "\tmul.wide"), 169);
    /* 147 and 81; 87 and 81 where the inner sums of both load one by one. */
    CHECK(count(rows, UFCC_CUDA, UFCC_PTX, "\tld.global.nc.v4") >
          count(parts_of_rows, UFCC_CUDA, UFCC_PTX, "\tld.global.nc.v4") + 30);
    check_most("products of bytes", "of 64 bits", count(bytes, UFCC_CUDA, UFCC_PTX, "\tmul.lo.s64"),
               268);
    return test_failures != 0;
}
