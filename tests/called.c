/* called.c: what the object of a source defines, its ufuncs, but calls make the code that they
 * need.
 *
 * The compiler's command line has SOURCE, the path of the .uf file, and UFUNCS, that of a file with
 * a row UFUNC(symbol, name) for each. */
#include <stdio.h>
#include <stdlib.h>
#include "image_abi.h"
#include "ufcc.h"

#define UFUNC(symbol, name) struct ufc_ufunc symbol;
#include UFUNCS
#undef UFUNC

static const struct {
    struct ufc_ufunc *ufunc;
    const char *name;
} ufuncs[] = {
#define UFUNC(symbol, name) {&(symbol), name},
#include UFUNCS
#undef UFUNC
};

static ufcc_program *program; /* until the process ends */

static char *contents(size_t *size) {
    enum { MOST = 1 << 20 };
    FILE *f = fopen(SOURCE, "rb");
    char *text = malloc(MOST);
    if (f == NULL || text == NULL) {
        perror(SOURCE);
        exit(1);
    }
    *size = fread(text, 1, MOST, f);
    if (*size == MOST) {
        fprintf(stderr, "%s: %d bytes or more\n", SOURCE, MOST);
        exit(1);
    }
    fclose(f);
    return text;
}

static void tell(void *user, const ufcc_diagnostic *d) {
    (void)user;
    fprintf(stderr, "%s:%d: %s\n", SOURCE, d->line, d->message);
}

__attribute__((constructor)) static void load(void) {
    size_t size;
    char *text = contents(&size);
    const ufcc_options options = {.cache = "0", .diagnostic = tell};
    program = ufcc_compile(SOURCE, text, size, &options);
    free(text);
    if (program == NULL || !ufcc_load(program))
        exit(1);
    for (size_t k = 0; k < sizeof ufuncs / sizeof *ufuncs; k++) {
        const ufc_ufunc *found = ufcc_function(program, ufuncs[k].name);
        if (found == NULL) {
            fprintf(stderr, "%s: no %s\n", SOURCE, ufuncs[k].name);
            exit(1);
        }
        *ufuncs[k].ufunc = *found;
    }
}
