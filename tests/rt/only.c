/* only.c: a program of one ufunc of a source: the others are checked, and may be called by it. */
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

static void test_none(void) {
    ufcc_program *p = compile(source, "thrice");
    REQUIRE(p && ufcc_load(p));
    CHECK(!ufcc_function(p, "thrice") && !ufcc_function(p, "twice"));
    ufcc_free(p);
    CHECK(!compile("ufunc f(x) : f8(f8) = x\nufunc g(x) : f8(f8) = y", "f"));
}

int main(void) {
    test_load();
    test_header();
    test_none();
    return test_failures > 0;
}
