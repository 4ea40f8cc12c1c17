/* image.c: whatever an object holds as compressed PTX, it is a program or an error. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "code.h"
#include "sim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Where there is no memory a sanitizer says so, as malloc does. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct ufc_overload overload = {.signature = "int8(int8)"};
    struct ufc_code code = {.ptx = (const char *)data, .ptx_size = size};
    struct ptx_program *program = NULL;
    char *text = NULL;
    ufc_error err = {{0}};
    if (size == 0) /* which stands for a text that is not compressed */
        return 0;
    ufc_status status = ptx_text(&overload, &code, &text, &err);
    if ((status == UFC_OK) != (text != NULL) || (status != UFC_OK && !*err.message))
        abort();
    if (text && ptx_read(text, &program, &err) == UFC_OK)
        ptx_free(program);
    free(text);
    return 0;
}
