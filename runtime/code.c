/* code.c: the PTX of an overload's modules, which objects hold compressed. */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>
#include "rt.h"

/* The bytes of the text, its NUL included; 0: the frame is damaged. */
static uint64_t text_size(const struct ufc_code *code) {
    if (code->ptx_size == 0)
        return strlen(code->ptx) + 1;
    uint64_t size = ZSTD_getFrameContentSize(code->ptx, code->ptx_size);
    return size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR ? 0 : size;
}

/* UFC_EDEVICE: the frame is damaged. */
static ufc_status unpack(char *text, size_t size, const struct ufc_code *code) {
    if (code->ptx_size == 0) {
        memcpy(text, code->ptx, size);
        return UFC_OK;
    }
    size_t n = ZSTD_decompress(text, size, code->ptx, code->ptx_size);
    if (n == size)
        return UFC_OK;
    return ZSTD_getErrorCode(n) == ZSTD_error_memory_allocation ? UFC_ENOMEM : UFC_EDEVICE;
}

ufc_status ptx_text(const struct ufc_overload *overload, enum ufc_module module, char **text,
                    ufc_error *err) {
    const struct ufc_code *code = &overload->code[module];
    size_t size = text_size(code);
    char *made = size > 0 ? malloc(size) : NULL;
    ufc_status status = size == 0 ? UFC_EDEVICE : made ? unpack(made, size, code) : UFC_ENOMEM;
    *text = status == UFC_OK ? made : NULL;
    if (status != UFC_OK)
        free(made);
    if (status == UFC_ENOMEM)
        return fail(err, status, "out of memory for the PTX of %s", overload->signature);
    return fail(err, status, "the PTX of %s is damaged", overload->signature);
}
