/* embed.c: compiles a string, loads it and calls it, in one process.
 * cc embed.c -lufcc -lufc && ./a.out */
#include <stdio.h>
#include <string.h>
#include "ufc.h"
#include "ufcc.h"

static const char source[] = "# Celsius as Fahrenheit\n"
                             "ufunc fahrenheit(c) : float32(float32), float64(float64)\n"
                             "    = c * 9 / 5 + 32\n";

static void report(void *user, const ufcc_diagnostic *d) {
    (void)user;
    fprintf(stderr, "%s:%d:%d: %s\n", d->file ? d->file : "embed", d->line, d->column, d->message);
}

int main(void) {
    ufcc_options options = {.diagnostic = report};
    ufcc_program *program = ufcc_compile("embed.uf", source, strlen(source), &options);
    if (!program || !ufcc_load(program)) {
        ufcc_free(program);
        return 1;
    }

    double celsius[] = {-40, 0, 37, 100};
    int64_t shape[] = {4};
    DLTensor array = ufc_host_array(celsius, ufc_dltype(UFC_FLOAT64), 1, shape);
    ufc_arg in[] = {ufc_array(&array)};
    DLManagedTensorVersioned *result = NULL;
    ufc_out out[] = {ufc_new(&result)};
    ufc_error err = {{0}};
    ufc_status status = ufc_call(NULL, NULL, ufcc_function(program, "fahrenheit"), in, out, &err);
    if (status == UFC_OK) {
        const double *f = result->dl_tensor.data;
        for (int i = 0; i < 4; i++)
            printf("%g C is %g F\n", celsius[i], f[i]);
    } else {
        fprintf(stderr, "embed: %s\n", err.message);
    }
    ufc_free(result);
    ufcc_free(program);
    return status != UFC_OK;
}
