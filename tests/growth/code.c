/* code.c: the code that LLVM is given grows with the length of a source, and on the host no
 * function of it grows with that: LLVM takes more than linear time in its size.  What the GPU's
 * code calls of libdevice is not copied without end.  And long bodies compute what short ones do.
 */
#include <math.h>
#include "long.h"
#include "ufc.h"
#include "ufcc.h"

/* ---- sizes */

static const struct kind kinds[] = {
    {"integer lets", "ufunc f(x) : int64(int64) {\n let a0 = x\n",
     " let a%2$d = a%1$d * x + %1$d\n", " return a%1$d\n}\n"},
    {"float lets", "ufunc f(x) : float64(float64) {\n let a0 = x\n",
     " let a%2$d = a%1$d * x + %1$d\n", " return a%1$d\n}\n"},
    {"conditional returns", "ufunc f(x) : int64(int64) {\n", " if x == %1$d { return x * %1$d }\n",
     " return x\n}\n"},
    {"conditional assignments", "ufunc f(x) : int64(int64) {\n var y = x\n",
     " if x > %1$d { y = y * x + %1$d }\n", " return y\n}\n"},
    {"outputs", "gufunc f(x[n]) -> y[%1$d] : float64(float64) {\n", " y[%1$d] = x[0] * %1$d\n",
     "}\n"},
    {"a long loop", "gufunc f(x[n]) -> y : float64(float64) {\n var s = 0.0\n for v in x {\n",
     " s = s * v + %1$d\n", " }\n y = s\n}\n"},
    {"calls", "ufunc f(x) : float64(float64) {\n let a0 = x\n", " let a%2$d = sin(a%1$d)\n",
     " return a%1$d\n}\n"},
};

struct size {
    int lines, largest; /* of instructions: in all, of a function */
};

static void report(void *user, const ufcc_diagnostic *d) {
    (void)user;
    printf("%s\n", d->message);
}

static struct size size_of(const struct kind *kind, int n, unsigned target) {
    struct text t = source(kind, n);
    ufcc_options options = {.targets = target, .native = true, .diagnostic = report};
    struct size s = {0, 0};
    char *data = NULL;
    size_t size;
    ufcc_program *p = ufcc_compile("long.uf", t.data, t.size, &options);
    REQUIRE(p != NULL);
    REQUIRE(ufcc_emit(p, UFCC_LLVM, &data, &size));
    int here = 0;
    for (const char *line = data; *line; line = strchr(line, '\n') + 1) {
        bool begins = strncmp(line, "define ", 7) == 0;
        here = begins ? 0 : here + (strncmp(line, "  ", 2) == 0);
        s.lines += !begins && strncmp(line, "  ", 2) == 0;
        s.largest = here > s.largest ? here : s.largest;
    }
    free(data);
    ufcc_free(p);
    free(t.data);
    return s;
}

static void check_size(const struct kind *kind, unsigned target) {
    enum { N = 250, LARGEST = 8000 };
    struct size few = size_of(kind, N, target), many = size_of(kind, 2 * N, target);
    bool bounded = target == UFCC_CUDA || many.largest < LARGEST;
    if (many.lines > 2.2 * few.lines || !bounded) {
        printf("%s: %d and %d instructions, %d and %d in a function\n", kind->name, few.lines,
               many.lines, few.largest, many.largest);
        test_failures++;
    }
}

/* ---- values: of bodies in sections */

enum { LENGTH = 400, TURN = 90, VALUES = 67 };

static const struct kind lets = {NULL, "ufunc f(x) : int64(int64) {\n let a0 = x\n",
                                 " let a%2$d = a%1$d * x + %1$d\n", " return a%1$d\n}\n"};

static int64_t lets_of(int64_t x) {
    uint64_t a = (uint64_t)x;
    for (int k = 0; k < LENGTH; k++)
        a = a * (uint64_t)x + (uint64_t)k;
    return (int64_t)a;
}

static const struct kind returns = {NULL, "ufunc f(x) : int64(int64) {\n",
                                    " if x == %1$d { return x * %2$d }\n", " return -x\n}\n"};

static int64_t returns_of(int64_t x) {
    return x >= 0 && x < LENGTH ? x * (x + 1) : -x;
}

/* Sections within a loop, which is gone on with and left from inside them; what goes on from turn
 * to turn; what one statement has alone. */
#define LOOP(x)                                                                                    \
    " var s: int64\n var t: int64\n for i in 0..4 {\n t += 1\n let u = t * 3\n"                    \
    " var y = " x " + s\n"
#define EACH(leave)                                                                                \
    " if (y + %1$d) %% 97 == 5 { var w = y; w += u; s += w; if y %% 2 == 0 { continue } }\n"       \
    " if y == 60 + %1$d { " leave " }\n y += i\n"
static const struct kind loop = {NULL, "ufunc f(x) : int64(int64) {\n" LOOP("x"),
                                 EACH("return s - %1$d"), " s += y\n }\n return s + t\n}\n"};
static const struct kind calls = {
    NULL, "gufunc f(x[n]) -> z[n] : int64(int64) {\n for j in 0..n {\n" LOOP("x[j]"),
    EACH("s -= %1$d; t = 0; break"), " s += y\n }\n z[j] = s + t\n }\n}\n"};

static int64_t loop_of(int64_t x) {
    int64_t s = 0, t = 0;
    for (int64_t i = 0; i < 4; i++) {
        int64_t u = ++t * 3, y = x + s;
        int k = 0;
        for (; k < TURN; k++, y += i) {
            if ((y + k) % 97 == 5) {
                s += y + u;
                if (y % 2 == 0)
                    break;
            }
            if (y == 60 + k)
                return s - k;
        }
        s += k == TURN ? y : 0;
    }
    return s + t;
}

static void check_values(const struct kind *kind, int n, int64_t (*wanted)(int64_t x), bool check) {
    static int64_t x[VALUES], y[VALUES];
    struct text t = source(kind, n);
    ufcc_options options = {.targets = UFCC_HOST, .check = check, .diagnostic = report};
    ufcc_program *p = ufcc_compile("long.uf", t.data, t.size, &options);
    int64_t size = VALUES;
    for (int i = 0; i < VALUES; i++)
        x[i] = i;
    DLTensor in = ufc_host_array(x, ufc_dltype(UFC_INT64), 1, &size);
    DLTensor out = ufc_host_array(y, ufc_dltype(UFC_INT64), 1, &size);
    ufc_arg args[] = {ufc_array(&in)};
    ufc_out outs[] = {ufc_into(&out)};
    ufc_context *cpu;
    REQUIRE(p != NULL && ufcc_load(p));
    REQUIRE(ufc_context_new(&cpu, "cpu", 1, NULL) == UFC_OK);
    REQUIRE(ufc_call(cpu, NULL, ufcc_function(p, "f"), args, outs, NULL) == UFC_OK);
    for (int i = 0; i < VALUES; i++)
        if (y[i] != wanted(x[i])) {
            printf("f(%d) is %lld, not %lld:\n%.300s\n", i, (long long)y[i],
                   (long long)wanted(x[i]), t.data);
            test_failures++;
            break;
        }
    ufc_context_free(cpu);
    ufcc_free(p);
    free(t.data);
}

int main(void) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        check_size(&kinds[i], UFCC_HOST);
        check_size(&kinds[i], UFCC_CUDA);
    }
    check_values(&lets, LENGTH, lets_of, false);
    check_values(&returns, LENGTH, returns_of, false);
    check_values(&loop, TURN, loop_of, false);
    check_values(&calls, TURN, loop_of, false);
    check_values(&calls, TURN, loop_of, true);
    return test_failures != 0;
}
