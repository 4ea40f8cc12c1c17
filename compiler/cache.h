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
    char *folder;        /* NULL: there is no cache */
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

/* cache_key.c */
/* A digest of the compiler's own objects and LLVM's, in hexadecimal: made by the Makefile. */
extern const char build_id[];
/* What decides the code of a program for a target of the options (UFCC_HOST, UFCC_CUDA), but for
 * the piece.  False: memory was out. */
bool program_key(const struct uc *uc, unsigned target, struct cache_key *key);
/* The key of a piece of a program's code, which the text names. */
struct cache_key piece_key(const struct cache_key *program, const char *piece);

#endif
