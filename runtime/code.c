/* code.c: the PTX of an overload's modules, which objects hold compressed. */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include "rt.h"

ufc_status ptx_text(const struct ufc_overload *overload, enum ufc_module module, char **text,
                    ufc_error *err) {
    const struct ufc_code *code = &overload->code[module];
    size_t size = code->ptx_size;
    uint64_t whole =
        size > 0 ? ZSTD_getFrameContentSize(code->ptx, size) : (uint64_t)strlen(code->ptx) + 1;
    if (whole == ZSTD_CONTENTSIZE_UNKNOWN || whole == ZSTD_CONTENTSIZE_ERROR)
        return fail(err, UFC_EDEVICE, "the PTX of %s is damaged", overload->signature);
    *text = malloc(whole);
    if (!*text)
        return fail(err, UFC_ENOMEM, "out of memory for the PTX of %s", overload->signature);
    if (size == 0)
        memcpy(*text, code->ptx, whole);
    else if (ZSTD_decompress(*text, whole, code->ptx, size) != whole) {
        free(*text);
        return fail(err, UFC_EDEVICE, "the PTX of %s is damaged", overload->signature);
    }
    return UFC_OK;
}
