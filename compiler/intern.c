/* intern.c: one copy of each name, so that equal names are equal pointers. */
#include <string.h>

#include "uc.h"

/* Open addressing; at most half full.  All of it lives in the arena. */
struct intern {
    const char **slots;
    uint32_t *hashes;
    size_t size, count; /* size: a power of two */
};

static uint32_t hash(const char *text, size_t size) /* FNV-1a */
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < size; i++)
        h = (h ^ (unsigned char)text[i]) * 16777619u;
    return h;
}

static void grow(struct uc *uc, struct intern *names) {
    struct intern bigger = {.size = names->size ? 2 * names->size : 256, .count = names->count};
    bigger.slots = NEWN(uc, const char *, bigger.size);
    bigger.hashes = NEWN(uc, uint32_t, bigger.size);
    for (size_t i = 0; i < names->size; i++) {
        if (!names->slots[i])
            continue;
        size_t k = names->hashes[i] & (bigger.size - 1);
        while (bigger.slots[k])
            k = (k + 1) & (bigger.size - 1);
        bigger.slots[k] = names->slots[i];
        bigger.hashes[k] = names->hashes[i];
    }
    *names = bigger;
}

const char *intern(struct uc *uc, const char *text, size_t size) {
    if (!uc->names)
        uc->names = NEW(uc, struct intern);
    struct intern *names = uc->names;
    if (2 * names->count >= names->size)
        grow(uc, names);
    uint32_t h = hash(text, size);
    size_t k = h & (names->size - 1);
    for (; names->slots[k]; k = (k + 1) & (names->size - 1)) {
        const char *s = names->slots[k];
        if (names->hashes[k] == h && strncmp(s, text, size) == 0 && s[size] == '\0')
            return s;
    }
    char *copy = arena_alloc(uc, size + 1);
    memcpy(copy, text, size);
    names->slots[k] = copy;
    names->hashes[k] = h;
    names->count++;
    return copy;
}
