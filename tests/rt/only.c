/* only.c: a program of one ufunc of a source: it may call the others, which are checked if it does.
 */
#include <string.h>
#include "../test.h"
#include "ufc.h"
#include "ufcc.h"

static const char source[] = "ufunc twice(x) : float64(float64) = 2 * x\n"
                             "ufunc fourfold(x) : float64(float64) = twice(twice(x))\n";

static ufcc_program *compile(const char *text, const char *only) {
    ufcc_options options = {.targets = UFCC_HOST, .only = only};
    return ufcc_compile("one.uf", text, strlen(text), &options);
}

static void test_load(void) {
    double y = 0;
    DLTensor result = ufc_host_array(&y, ufc_dltype(UFC_FLOAT64), 0, NULL);
    ufc_arg in[] = {ufc_float(10)};
    ufc_out out[] = {ufc_into(&result)};
    ufcc_program *p = compile(source, "fourfold");
    REQUIRE(p && ufcc_load(p));
    CHECK(strcmp(ufcc_function_name(p, 0), "twice") == 0); /* of the source */
    CHECK(!ufcc_function(p, "twice"));
    REQUIRE(ufcc_function(p, "fourfold"));
    CHECK(ufc_call(NULL, NULL, ufcc_function(p, "fourfold"), in, out, NULL) == UFC_OK && y == 40);
    ufcc_free(p);
}

static void test_header(void) {
    char *text = NULL;
    size_t size;
    ufcc_program *p = compile(source, "twice");
    REQUIRE(p && ufcc_emit(p, UFCC_HEADER, &text, &size));
    CHECK(strstr(text, "one_twice") && !strstr(text, "one_fourfold"));
    free(text);
    ufcc_free(p);
}

static char told[1 << 12]; /* errors and warnings, a line each */

static void tell(void *user, const ufcc_diagnostic *d) {
    (void)user;
    size_t n = strlen(told);
    snprintf(told + n, sizeof told - n, "%d %s\n", d->line, d->message);
}

static void drop(void *user, const char *text, size_t size) {
    (void)user, (void)text, (void)size;
}

/* What is told when `only` is compiled: it has the words, or, where they are NULL, nothing. */
static void tells(const char *text, const char *only, const char *words) {
    ufcc_options options = {.targets = UFCC_HOST, .only = only, .dump = "yp", .diagnostic = tell};
    options.dumped = drop;
    *told = '\0';
    ufcc_program *p = ufcc_compile("one.uf", text, strlen(text), &options);
    if (words ? p || !strstr(told, words) : !p || *told) {
        printf("%s: told '%s', not '%s'\n", only, told, words ? words : "");
        test_failures++;
    }
    ufcc_free(p);
}

static void test_none(void) {
    tells(source, "thrice", "0 there is no ufunc 'thrice'; did you mean 'twice'?");
    tells(source, "TWICE", "0 there is no ufunc 'TWICE'; did you mean 'twice'?");
    tells(source, "", "0 there is no ufunc '', but twice, fourfold");
    tells("def f(x) = x", "f", "0 there is no ufunc 'f'");
}

/* What the ufunc needs is told, through calls, constants, sizes and what `reduce` is given; nothing
 * else is. */
static void test_needs(void) {
    static const char text[] =
        "const BAD = missing\n"
        "const THREE = side(3)\n"
        "def side(x) = x\n"
        "def unused(x) = x\n"
        "def wrong(x) = missing\n"
        "def later(x, y) = wrong(x) + y\n"
        "ufunc typed(x) : float32(quux) = x\n"
        "ufunc twin(x) : f4(f4) = x\n"
        "ufunc twin(x) : f8(f8) = x\n"
        "ufunc widens(x) : f4(i4) = x * 0.5\n"
        "gufunc sized(x[n]) -> y[n + BAD] : f4(f4) { y[i] = 0 for i }\n"
        "gufunc local(x[n]) -> y[n] : f4(f4) {\n"
        "  var w: f4[BAD]; y[i] = 0 for i }\n"
        "gufunc clean(x[n]) -> y[n + THREE] : f4(f4) { y[i] = 0 for i }\n"
        "gufunc folds(x[n]) -> y : f4(f4) { y = reduce(later, 0, v for v in x) }\n"
        "ufunc calls(x) : f4(f4) = typed(x)\n"
        "ufunc picks(x) : f4(f4) = twin(x)\n"
        "ufunc hides(BAD) : f4(f4) = BAD + 1\n";
    tells(text, "clean", NULL);
    tells(text, "hides", NULL);
    tells(text, "typed", "7 unknown type 'quux'");
    tells(text, "twin", "9 'twin' is already declared");
    tells(text, "sized", "1 unknown name 'missing'");
    tells(text, "local", "1 unknown name 'missing'");
    tells(text, "folds", "5 unknown name 'missing'");
    tells(text, "calls", "7 unknown type 'quux'");
    tells(text, "picks", "9 'twin' is already declared");
    tells(text, "clean", NULL);
    *told = '\0';
    ufcc_options options = {.targets = UFCC_HOST, .only = "widens", .diagnostic = tell};
    ufcc_program *p = ufcc_compile("one.uf", text, strlen(text), &options);
    CHECK(p && strncmp(told, "10 this computes in float64", 27) == 0 && !strchr(told, '\n')[1]);
    ufcc_free(p);
}

int main(void) {
    test_load();
    test_header();
    test_none();
    test_needs();
    return test_failures > 0;
}
