/* emit.c: whatever small text is compiled, code of a checked program is generated, with tested
 * subscripts or without, or there is an error. */
#include <stdint.h>
#include <stdlib.h>

#include "ufcc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 200 }; /* bytes: what is generated of more takes seconds */

static void count_errors(void *user, const ufcc_diagnostic *d) {
    *(int *)user += d->severity == UFCC_ERROR;
}

/* LLVM allocates much, and where is not asked. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "malloc_context_size=0:quarantine_size_mb=8";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int errors = 0;
    if (size < 1 || size > MOST)
        return 0;
    ufcc_options options = {.diagnostic = count_errors, .user = &errors, .cache = "0"};
    options.native = true;
    options.check = data[0] & 1;
    options.fast_math = data[0] & 2;
    options.fp_contract = data[0] & 4;
    options.line_info = data[0] & 8;
    ufcc_program *program = ufcc_compile("fuzz.uf", (const char *)data + 1, size - 1, &options);
    if (program ? errors > 0 : errors == 0)
        abort();
    char *text = NULL;
    size_t length;
    if (program && ufcc_emit(program, data[0] & 16 ? UFCC_ASM : UFCC_PTX, &text, &length))
        free(text);
    else if (errors == 0)
        abort();
    ufcc_free(program);
    return 0;
}
