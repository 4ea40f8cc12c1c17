/* cache.h: code on disk, which later processes find instead of generating it again.
 *
 * An entry is a file named by its key, with a header that says what it must hold.  It is written
 * under a temporary name and renamed, so that nobody waits for anybody: of several that write one
 * entry the last stays, and each goes on with the code that it has made itself.  Files are read,
 * not mapped: a network's file system may take a mapped one away.  Whatever is wrong with an entry,
 * it is as if there were none; where none can be written, code is generated each time. */
#ifndef CACHE_H
#define CACHE_H

#include "uc.h"

/* gen/digest.c: a cryptographic hash of bytes */
enum { DIGEST_SIZE = 32 };
void digest(const void *data, size_t size, unsigned char sum[DIGEST_SIZE]);

struct cache {
    char *folder;        /* NULL: there is no cache, or `error` says why it is unknown */
    int error;           /* 0 or an errno number */
    uint64_t limit;      /* bytes of all entries */
    const char *unclear; /* the text of UFC_CACHE_SIZE that is no size; NULL: it is clear */
};

/* A digest of what decides code. */
struct cache_key {
    unsigned char bytes[DIGEST_SIZE];
};

/* cache.c */
/* The cache of an option, as ufcc_options has it.  Nothing is read or made yet. */
void cache_open(struct cache *c, const char *option);
void cache_close(struct cache *c);
/* Appends the code of a key to an empty *code, as it was kept.  False: there is none. */
bool cache_find(const struct cache *c, const struct cache_key *key, struct buf *code);
/* Keeps code, and lets go of what was not used for longest where it is too much.  Returns 0 or an
 * errno number; nothing is kept then. */
int cache_keep(const struct cache *c, const struct cache_key *key, const struct buf *code);
/* The folder for texts of this digest, allocated with malloc; NULL: memory was out. */
char *cache_source_folder(const struct cache *c, const struct cache_key *key);
/* Takes note of bytes that were added, and lets go of what is too much. */
void cache_bound(const struct cache *c, uint64_t added);

/* cache_source.c */
/* Keeps a source's text under its name.  Returns the path of the file, allocated with malloc; NULL:
 * it could not be kept. */
char *cache_source(const struct cache *c, const char *name, const char *text, size_t size);
/* The bytes of a source's folder, which is in another one. */
uint64_t cache_source_size(int parent, const char *name);
/* Removes it.  Returns 0, or -1 with errno. */
int cache_source_remove(int parent, const char *name);
/* Whether a file holds a text. */
bool file_holds(const char *path, const char *text, size_t size);

/* cache_key.c */
/* A digest of the compiler's own objects and LLVM's, in hexadecimal: made by the Makefile. */
extern const char build_id[];
/* What decides the code of a program for a target of the options (UFCC_HOST, UFCC_CUDA), but for
 * the piece.  False: memory was out. */
bool program_key(const struct uc *uc, unsigned target, struct cache_key *key);
/* A name for what code knows of the calls that it is for: 32 hexadecimal digits of a digest. */
const char *constants_name(struct uc *uc, const struct ufc_constants *known);
/* The key of a piece of a program's code, which the text names. */
struct cache_key piece_key(const struct cache_key *program, const char *piece);

#endif
