/* arena.c: the memory of a compilation: chunks, freed together. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "uc.h"

enum { CHUNK = 64 * 1024 };

struct chunk {
    struct chunk *next;
    size_t used, size;
    max_align_t data[];
};

struct arena {
    struct chunk *chunks; /* new blocks are cut from the first one */
};

struct arena *arena_new(void) {
    return calloc(1, sizeof(struct arena));
}

void arena_free(struct arena *a) {
    if (!a)
        return;
    for (struct chunk *c = a->chunks, *next; c; c = next) {
        next = c->next;
        free(c);
    }
    free(a);
}

static struct chunk *chunk_new(struct uc *uc, size_t size) {
    struct chunk *c = size < SIZE_MAX / 2 ? calloc(1, sizeof *c + size) : NULL;
    if (!c)
        longjmp(*uc->no_memory, NO_MEMORY);
    c->size = size;
    return c;
}

/* A size rounded up, so that the block behind it is aligned. */
static size_t rounded(const struct uc *uc, size_t size) {
    size_t align = _Alignof(max_align_t);
    if (size > SIZE_MAX - align)
        longjmp(*uc->no_memory, NO_MEMORY);
    return (size + align - 1) / align * align;
}

void *arena_alloc(struct uc *uc, size_t size) {
    struct arena *a = uc->arena;
    size = rounded(uc, size);
    if (!a->chunks || a->chunks->size - a->chunks->used < size) {
        struct chunk *c = chunk_new(uc, size > CHUNK / 4 ? size : CHUNK);
        /* A large block gets a chunk of its own, behind the one that still has room. */
        struct chunk **place = a->chunks && c->size != CHUNK ? &a->chunks->next : &a->chunks;
        c->next = *place;
        *place = c;
        c->used = size;
        return c->data;
    }
    void *data = (char *)a->chunks->data + a->chunks->used;
    a->chunks->used += size;
    return data;
}

void *arena_resize(struct uc *uc, void *data, size_t old, size_t size) {
    struct chunk **place = &uc->arena->chunks;
    while (*place && ((*place)->data != data || (*place)->size != rounded(uc, old)))
        place = &(*place)->next;
    if (!*place) { /* data shares its chunk with other blocks */
        void *copy = arena_alloc(uc, size);
        return old > 0 ? memcpy(copy, data, old) : copy;
    }
    size = rounded(uc, size);
    struct chunk *c = size < SIZE_MAX / 2 ? realloc(*place, sizeof *c + size) : NULL;
    if (!c)
        longjmp(*uc->no_memory, NO_MEMORY);
    c->used = c->size = size;
    *place = c;
    return c->data;
}

char *arena_vprintf(struct uc *uc, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (n < 0) /* only where a conversion has run out of memory */
        longjmp(*uc->no_memory, NO_MEMORY);
    char *text = arena_alloc(uc, (size_t)n + 1);
    vsnprintf(text, (size_t)n + 1, format, args);
    return text;
}

char *arena_printf(struct uc *uc, const char *format, ...) {
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(uc, format, args);
    va_end(args);
    return text;
}
