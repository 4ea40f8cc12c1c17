/* image.c: whatever an object holds as compressed PTX, it is a program or an error, whole and with
 * all kernels but one left out.
 *
 * Behind a frame's checks are its text, which no change of the frame's bytes would reach: most
 * inputs are made by changing the text that a frame holds, and packing it again. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "code.h"
#include "sim.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t room, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room); /* libFuzzer's own */

/* Where there is no memory a sanitizer says so, as malloc does. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}

/* ---- what is tried */

static void read_program(const char *text) {
    struct ptx_program *program = NULL;
    ufc_error err = {{0}};
    ufc_status status = ptx_read(text, &program, &err);
    if (status == UFC_OK)
        ptx_free(program);
    else if (!*err.message)
        abort();
}

/* The text with only the kernel of a name, which it is made of; it grows nowhere. */
static void read_alone(char *text, const char *name) {
    size_t size = strlen(text);
    keep_kernel(text, name);
    if (strlen(text) > size)
        abort();
    read_program(text);
}

/* The name of the text's first kernel. */
static void kernel_name(const char *text, char name[64]) {
    const char *entry = strstr(text, ".visible .entry ");
    size_t n = entry ? strcspn(entry + 16, "(\n") : 0;
    n = n < 64 ? n : 63;
    memcpy(name, entry ? entry + 16 : "", n);
    name[n] = '\0';
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct ufc_overload overload = {.signature = "int8(int8)"};
    struct ufc_code code = {.ptx = (const char *)data, .ptx_size = size};
    char *text = NULL, name[64];
    ufc_error err = {{0}};
    if (size == 0) /* which stands for a text that is not compressed */
        return 0;
    ufc_status status = ptx_text(&overload, &code, &text, &err);
    if ((status == UFC_OK) != (text != NULL) || (status != UFC_OK && !*err.message))
        abort();
    if (text) {
        read_program(text);
        kernel_name(text, name);
        read_alone(text, name);
        read_alone(text, "no kernel's name");
    }
    free(text);
    return 0;
}

/* ---- inputs */

enum { TEXT = 1 << 16 };

/* The text of a frame, its NUL included; 0: it is damaged, or TEXT bytes and more. */
static size_t unpack(uint8_t *text, const uint8_t *data, size_t size) {
    size_t n = ZSTD_decompress(text, TEXT - 1, data, size);
    return ZSTD_isError(n) ? 0 : n;
}

/* A frame of the text: whether it says its size and a sum of it, by bits of `how`; 0: no room. */
static size_t pack(uint8_t *data, size_t room, const uint8_t *text, size_t size, unsigned how) {
    static ZSTD_CCtx *packer;
    if (!packer && !(packer = ZSTD_createCCtx()))
        abort();
    ZSTD_CCtx_reset(packer, ZSTD_reset_session_and_parameters);
    ZSTD_CCtx_setParameter(packer, ZSTD_c_compressionLevel, 1 + (int)(how >> 5) % 3);
    ZSTD_CCtx_setParameter(packer, ZSTD_c_contentSizeFlag, how % 16 != 0);
    ZSTD_CCtx_setParameter(packer, ZSTD_c_checksumFlag, how % 32 > 16);
    size_t n = ZSTD_compress2(packer, data, room, text, size);
    return ZSTD_isError(n) ? 0 : n;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned seed) {
    static uint8_t text[TEXT];
    size_t n = seed % 16 ? unpack(text, data, size) : 0;
    if (n == 0)
        return LLVMFuzzerMutate(data, size, room);
    /* Seldom the NUL at the end is what changes. */
    bool ends = seed / 16 % 32 != 0;
    n = LLVMFuzzerMutate(text, n - ends, TEXT - 1);
    if (ends)
        text[n++] = '\0';
    size_t packed = pack(data, room, text, n, seed / 512);
    return packed ? packed : LLVMFuzzerMutate(data, size, room);
}

/* The beginning of one text and the end of the other. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t room, unsigned seed) {
    static uint8_t text[2 * TEXT], other[TEXT];
    size_t na = unpack(text, a, a_size), nb = unpack(other, b, b_size);
    if (na == 0 || nb == 0)
        return 0;
    size_t head = seed % na, tail = seed / 7 % nb;
    memcpy(text + head, other + tail, nb - tail);
    return pack(out, room, text, head + nb - tail, 1);
}
