/* sizes.c: what LLVM and drivers compile for GPUs of common bodies is no more than it was. */
#include <string.h>
#include "../test.h"
#include "ufcc.h"

/* The instructions of all kernels: a sixteenth more than there were with LLVM 22. */
static const struct {
    const char *name, *text;
    int most;
} bodies[] = {
    {"x + 1", "ufunc f(x) : float64(float64) = x + 1\n", 1460},
    {"a sum", "gufunc f(x[n]) -> y : float32(float32) = sum(v * v for v in x)\n", 3640},
    {"softmax",
     "gufunc f(x[n]) -> y[n] : float32(float32) {\n let top = max(v for v in x)\n"
     " let all = sum(exp(v - top) for v in x)\n y[i] = exp(x[i] - top) / all for i\n}\n",
     12620},
    {"a matrix product",
     "gufunc f(a[m, n], b[n, p]) -> c[m, p] : float32(float32, float32) {\n"
     " c[i, j] = sum(a[i, k] * b[k, j] for k) for i, j\n}\n",
     18790},
};

static int instructions(const char *text) {
    const ufcc_options options = {.targets = UFCC_CUDA};
    ufcc_program *p = ufcc_compile("sizes.uf", text, strlen(text), &options);
    char *code = NULL;
    size_t size;
    int n = 0;
    REQUIRE(p != NULL && ufcc_emit(p, UFCC_LLVM, &code, &size));
    for (const char *line = code; *line; line = strchr(line, '\n') + 1)
        n += strncmp(line, "  ", 2) == 0;
    free(code);
    ufcc_free(p);
    return n;
}

int main(void) {
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        int n = instructions(bodies[i].text);
        if (n > bodies[i].most) {
            printf("%s: %d instructions, of %d\n", bodies[i].name, n, bodies[i].most);
            test_failures++;
        }
    }
    return test_failures != 0;
}
