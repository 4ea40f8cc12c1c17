/* cache_key.c: what decides the code of a program, and the keys made of it.
 *
 * Times and names of files are no part of it, but of the lines of -g, which have the names. */
#include <stdio.h>
#include <stdlib.h>

#include "cache.h"

/* Appends a text with its length, so that no two lists of texts are the same bytes. */
static void put_text(struct buf *b, const char *text, size_t size) {
    uint64_t n = size;
    buf_put(b, &n, sizeof n);
    buf_put(b, text, size);
}

static void put_string(struct buf *b, const char *text) {
    put_text(b, text, strlen(text));
}

/* The options that change code.  Those of diagnostics, threads and tools do not. */
static void put_options(struct buf *b, const struct uc *uc) {
    const struct ufcc_options *o = uc->options;
    buf_printf(b, "targets %u contract %d ftz %d fast %d lines %d check %d", o->targets,
               o->fp_contract, o->ftz, o->fast_math, o->line_info, o->check);
    put_string(b, o->only != NULL ? o->only : "");
    put_string(b, o->prefix != NULL ? o->prefix : "");
    put_string(b, uc->folder);
    for (const struct file *f = o->line_info ? uc->files : NULL; f != NULL; f = f->next)
        put_string(b, f->kept != NULL ? f->kept : f->name);
}

/* NVIDIA's library of mathematical functions; nothing where it is not found, since then there is no
 * code that calls it. */
static void put_libdevice(struct buf *b, const struct uc *uc) {
    enum { PIECE = 1 << 16 };
    char *path = find_libdevice(uc->options->libdevice), *piece = malloc(PIECE);
    FILE *f = path != NULL ? fopen(path, "rb") : NULL;
    size_t n = 0;
    b->failed |= piece == NULL;
    while (f != NULL && piece != NULL && (n = fread(piece, 1, PIECE, f)) > 0)
        buf_put(b, piece, n);
    if (f != NULL)
        fclose(f);
    free(piece);
    free(path);
}

bool program_key(const struct uc *uc, unsigned target, struct cache_key *key) {
    struct buf b = {.data = NULL};
    put_string(&b, build_id);
    put_string(&b, ufcc_llvm_version());
    buf_printf(&b, "abi %d target %u", UFC_IMAGE_ABI_VERSION, target);
    put_options(&b, uc);
    put_text(&b, uc->src.text, uc->src.size); /* with all that is imported */
    if (target == UFCC_CUDA)
        put_libdevice(&b, uc);
    digest(b.data, b.size, key->bytes);
    bool ok = !b.failed;
    buf_free(&b);
    return ok;
}

const char *constants_name(struct uc *uc, const struct ufc_constants *known) {
    struct buf b = {.data = NULL};
    unsigned char sum[DIGEST_SIZE];
    const char *name = "";
    put_text(&b, (const char *)known->known, known->nwords);
    put_text(&b, (const char *)known->word, known->nwords * sizeof *known->word);
    digest(b.data, b.size, sum);
    for (int i = 0; i < 16; i++)
        name = arena_printf(uc, "%s%02x", name, sum[i]);
    bool failed = b.failed;
    buf_free(&b);
    if (failed)
        longjmp(*uc->no_memory, NO_MEMORY);
    return name;
}

struct cache_key piece_key(const struct cache_key *program, const char *piece) {
    struct cache_key whole, parts[2] = {*program};
    digest(piece, strlen(piece), parts[1].bytes);
    digest(parts, sizeof parts, whole.bytes);
    return whole;
}
