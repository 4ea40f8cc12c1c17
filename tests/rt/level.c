/* level.c: what the embedded compiler generates is what the runtime looks for, at any level. */
#include <string.h>
#include "../test.h"
#include "ufc.h"
#include "ufcc.h"

int main(void) {
    static const char source[] = "ufunc twice(x) : float64(float64) = 2 * x\n";
    ufc_properties p;
    setenv("UFC_LEVEL", "v2", 1);
    ufc_context *ctx;
    REQUIRE(ufc_context_new(&ctx, "cpu", 1, NULL) == UFC_OK);
    REQUIRE(ufc_context_properties(ctx, &p, NULL) == UFC_OK);
    CHECK(strcmp(p.level, "x86-64-v2") == 0);

    ufcc_options options = {.targets = UFCC_HOST};
    ufcc_program *program = ufcc_compile("twice.uf", source, strlen(source), &options);
    REQUIRE(program && ufcc_load(program));
    double y = 0;
    DLTensor out = ufc_host_array(&y, ufc_dltype(UFC_FLOAT64), 0, NULL);
    ufc_error err = {{0}};
    ufc_status status = ufc_call(ctx, NULL, ufcc_function(program, "twice"),
                                 (ufc_arg[]){ufc_float(21)}, (ufc_out[]){ufc_into(&out)}, &err);
    CHECK(status == UFC_OK && y == 42);
    puts(err.message);
    ufcc_free(program);
    ufc_context_free(ctx);
    return test_failures > 0;
}
