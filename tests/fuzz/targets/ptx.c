/* ptx.c: whatever text the simulator is given as PTX, it reads a program or says why not. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ptx_program *program = NULL;
    ufc_error err = {{0}};
    char *text = malloc(size + 1);
    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = '\0';
    ufc_status status = ptx_read(text, &program, &err);
    free(text);
    if (status != UFC_OK && !*err.message)
        abort();
    if (status == UFC_OK)
        ptx_free(program);
    return 0;
}
