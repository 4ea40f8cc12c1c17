/* map.c: from interned names to what they stand for. */
#include "uc.h"

/* Open addressing; at most half full. */
struct map_slot {
    const char *name; /* NULL: the slot is free */
    void *value;
};

static struct map_slot *slot_of(const struct map *m, const char *name) {
    size_t k = (uint64_t)(uintptr_t)name * UINT64_C(0x9e3779b97f4a7c15) >> 32;
    for (k &= m->size - 1; m->slots[k].name && m->slots[k].name != name;)
        k = (k + 1) & (m->size - 1);
    return &m->slots[k];
}

static void grow(struct uc *uc, struct map *m) {
    struct map bigger = {.size = m->size ? 2 * m->size : 16, .count = m->count};
    bigger.slots = NEWN(uc, struct map_slot, bigger.size);
    for (size_t i = 0; i < m->size; i++)
        if (m->slots[i].name)
            *slot_of(&bigger, m->slots[i].name) = m->slots[i];
    *m = bigger;
}

void *map_get(const struct map *m, const char *name) {
    return m->size ? slot_of(m, name)->value : NULL;
}

void map_set(struct uc *uc, struct map *m, const char *name, void *value) {
    if (2 * m->count >= m->size)
        grow(uc, m);
    struct map_slot *s = slot_of(m, name);
    m->count += s->name == NULL;
    *s = (struct map_slot){name, value};
}
