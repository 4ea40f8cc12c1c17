/* code.c: the code of an overload: objects hold it, with the PTX of modules compressed; the
 * embedded compiler makes it when a call first needs it. */
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "code.h"
#include "level.h"

/* ---- host code */

int code_level(const struct ufc_overload *overload) {
    const struct ufc_maker *maker = overload->maker;
    if (maker)
        return maker->host ? (int)maker->level : -1;
    int level = host_level();
    while (level >= 0 && !overload->host[level])
        level--;
    return level;
}

static ufc_status fail_to_make(const struct ufc_overload *overload, const char *why,
                               ufc_error *err) {
    return fail(err, UFC_ECOMPILE, "%s cannot be compiled: %s", overload->signature, why);
}

static ufc_status fail_without_host(const struct ufc_overload *overload, ufc_error *err) {
    int level = 0;
    while (level < LEVEL_COUNT && !overload->host[level])
        level++;
    if (level < LEVEL_COUNT)
        return fail(err, UFC_EDEVICE,
                    "%s was built for processors from %s on, which this one is not: build without "
                    "--native",
                    overload->signature, level_names[level]);
    return fail(err, UFC_EDEVICE,
                "%s was built without code for the host: build with --target=host,cuda",
                overload->signature);
}

/* What the compiler has made, or makes now. */
static ufc_status made_code(const struct ufc_overload *overload, enum ufc_host_part part,
                            struct ufc_host_code *code, ufc_error *err) {
    char why[sizeof err->message];
    if (!overload->maker->host)
        return fail_without_host(overload, err);
    const struct ufc_host_code *made =
        overload->maker->host(overload->maker, part, why, sizeof why);
    if (!made)
        return fail_to_make(overload, why, err);
    *code = *made;
    return UFC_OK;
}

ufc_status host_code(const struct ufc_overload *overload, enum ufc_host_part part,
                     struct ufc_host_code *code, ufc_error *err) {
    if (overload->maker)
        return made_code(overload, part, code, err);
    int level = code_level(overload);
    if (level < 0)
        return fail_without_host(overload, err);
    *code = (struct ufc_host_code){overload->host[level], overload->ask[level],
                                   overload->fold[level], overload->leaf[level]};
    return UFC_OK;
}

/* ---- GPU code */

bool has_ptx(const struct ufc_overload *overload) {
    bool any = overload->maker && overload->maker->gpu;
    for (int m = 0; m < UFC_MODULE_COUNT && !any && !overload->maker; m++)
        any = overload->code[m].ptx != NULL;
    return any;
}

ufc_status kernel_code(const struct ufc_overload *overload, enum ufc_kernel_kind kind,
                       const struct ufc_constants *known, bool makes, const struct ufc_code **code,
                       ufc_error *err) {
    *code = &overload->code[kernel_info[kind].module];
    if (!overload->maker || !overload->maker->gpu)
        return UFC_OK;
    struct ufc_special special = {.missing = "it is not wanted"};
    if (known)
        special = overload->maker->special(overload->maker, &kind, known, makes);
    if (!special.missing) {
        *code = special.gpu;
        return UFC_OK;
    }
    char why[sizeof err->message];
    *code = overload->maker->gpu(overload->maker, kind, why, sizeof why);
    return *code ? UFC_OK : fail_to_make(overload, why, err);
}

bool in_code_of(const struct ufc_overload *overload, enum ufc_kernel_kind kind,
                enum ufc_kernel_kind other) {
    bool together =
        overload->maker ? other == kind : kernel_info[other].module == kernel_info[kind].module;
    return together && overload->kernel[other];
}

/* The bytes of the terse text, its NUL included; 0: the frame is damaged, as one is that says to
 * hold more than blocks of the least size, a header of 3 bytes and a byte that is repeated, can. */
static uint64_t text_size(const struct ufc_code *code) {
    uint64_t size = ZSTD_getFrameContentSize(code->ptx, code->ptx_size);
    bool is_possible = size / ZSTD_BLOCKSIZE_MAX <= code->ptx_size / 4; /* errors are huge */
    return is_possible ? size : 0;
}

/* The terse text of a frame, *size bytes, which is the caller's to free.  UFC_EDEVICE: the frame is
 * damaged; UFC_ENOMEM. */
static ufc_status unpack(const struct ufc_code *code, const char *dictionary, size_t known,
                         char **text, size_t *size) {
    *size = text_size(code);
    *text = *size > 0 ? malloc(*size) : NULL;
    if (!*text)
        return *size > 0 ? UFC_ENOMEM : UFC_EDEVICE;
    ZSTD_DCtx *context = ZSTD_createDCtx();
    size_t n = 0;
    if (context)
        n = ZSTD_decompress_usingDict(context, *text, *size, code->ptx, code->ptx_size, dictionary,
                                      known);
    ZSTD_freeDCtx(context);
    if (n == *size)
        return UFC_OK;
    free(*text);
    *text = NULL;
    return !context || ZSTD_getErrorCode(n) == ZSTD_error_memory_allocation ? UFC_ENOMEM
                                                                            : UFC_EDEVICE;
}

/* As unpack. */
static ufc_status terse_text(const struct ufc_code *code, char **text, size_t *size) {
    char *dictionary = NULL;
    size_t known = 0;
    ufc_status status = UFC_OK;
    if (code->like)
        status = unpack(code->like, NULL, 0, &dictionary, &known);
    if (status == UFC_OK)
        status = unpack(code, dictionary, known, text, size);
    free(dictionary);
    return status;
}

ufc_status ptx_text(const struct ufc_overload *overload, const struct ufc_code *code, char **text,
                    ufc_error *err) {
    ufc_status status = UFC_OK;
    char *terse = NULL;
    size_t size = 0;
    *text = NULL;
    if (code->ptx_size > 0)
        status = terse_text(code, &terse, &size);
    if (terse)
        status = expand_ptx(terse, size, text);
    else if (code->ptx_size == 0 && !(*text = strdup(code->ptx)))
        status = UFC_ENOMEM;
    free(terse);
    if (status == UFC_ENOMEM)
        return fail(err, status, "out of memory for the PTX of %s", overload->signature);
    return fail(err, status, "the PTX of %s is damaged", overload->signature);
}

/* A kernel is written from a line with its name to one with its closing brace alone. */
void keep_kernel(char *text, const char *name) {
    static const char head[] = ".visible .entry ";
    const size_t before = sizeof head - 1, size = strlen(name);
    bool drops = false;
    char *to = text;
    for (char *line = text, *next; *line; line = next) {
        next = line + strcspn(line, "\n");
        next += *next == '\n';
        if (strncmp(line, head, before) == 0)
            drops = strncmp(line + before, name, size) != 0 || line[before + size] != '(';
        if (drops) {
            drops = *line != '}';
            continue;
        }
        memmove(to, line, (size_t)(next - line));
        to += next - line;
    }
    *to = '\0';
}
