/* guarded.h: arrays in memory between pages that nobody may touch, an end of each array at one of
 * them, so that an access beyond it ends the test; and what of that memory a call has changed. */
#ifndef GUARDED_H
#define GUARDED_H

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>
#include "../golden/elements.h"

enum { SLOTS = 10, GUARD = 4096, ROOM = 1 << 20, MARGIN = 256, RANK = 64 };

/* One array's memory, or that of several which overlap. */
static struct slot {
    char *begin, *end;
    char *low, *high; /* what arrays use, and a margin */
    char *before;     /* of ROOM: what was between them */
} slots[SLOTS];
static int nslots; /* in use */

static void make_slots(void) {
    for (int i = 0; i < SLOTS; i++) {
        char *map = mmap(NULL, ROOM + 2 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        REQUIRE(map != MAP_FAILED && mprotect(map + GUARD, ROOM, PROT_READ | PROT_WRITE) == 0);
        slots[i].begin = map + GUARD;
        slots[i].end = slots[i].begin + ROOM;
        REQUIRE((slots[i].before = malloc(ROOM)) != NULL);
    }
}

/* An array with the memory of its shape and strides. */
struct array {
    DLTensor t;
    int64_t shape[RANK], strides[RANK];
    ufc_type type;
    int slot;       /* -1: no memory, since it has no elements */
    int64_t n;      /* elements */
    int64_t lo, hi; /* bytes from the first element to the least and behind the greatest */
};

static char *first_of(const struct array *a) {
    return (char *)a->t.data + a->t.byte_offset;
}

/* From shape and strides: n, lo and hi; false where they do not fit a slot. */
static bool measure(struct array *a) {
    int size = size_of(a->type);
    a->n = 1;
    a->lo = 0;
    a->hi = size;
    for (int i = 0; i < a->t.ndim; i++)
        if (a->shape[i] == 0)
            a->n = 0;
    for (int i = 0; i < a->t.ndim && a->n; i++) {
        a->n = a->shape[i] < ROOM ? a->n * a->shape[i] : ROOM + 1;
        if (a->n > ROOM)
            return false;
        int64_t reach; /* strides may be any */
        if (__builtin_mul_overflow((a->shape[i] - 1) * size, a->strides[i], &reach) ||
            reach > ROOM || reach < -ROOM)
            return false;
        if (reach < 0)
            a->lo += reach;
        else
            a->hi += reach;
    }
    return a->hi - a->lo <= ROOM;
}

/* Puts the array into a slot of its own, the end that `at_end` says at the page behind or before
 * it; or, where `with` is not NULL, `shift` elements beyond that one's first. */
static void place(struct array *a, bool at_end, const struct array *with, int64_t shift,
                  uint64_t offset) {
    char *first = NULL;
    a->slot = -1;
    if (a->n == 0) {
        a->t.data = NULL;
        return;
    }
    if (with && with->slot >= 0) {
        const struct slot *s = &slots[with->slot];
        first = first_of(with) + shift * size_of(a->type);
        if (first + a->lo >= s->begin && first + a->hi <= s->end)
            a->slot = with->slot;
    }
    if (a->slot < 0) {
        REQUIRE(nslots < SLOTS);
        a->slot = nslots++;
        struct slot *s = &slots[a->slot];
        first = at_end ? s->end - a->hi : s->begin - a->lo;
        s->low = first + a->lo;
        s->high = first + a->hi;
    }
    struct slot *s = &slots[a->slot];
    char *low = first + a->lo - MARGIN, *high = first + a->hi + MARGIN;
    s->low = low < s->low ? low : s->low;
    s->high = high > s->high ? high : s->high;
    s->low = s->low < s->begin ? s->begin : s->low;
    s->high = s->high > s->end ? s->end : s->high;
    a->t.data = first - offset;
    a->t.byte_offset = offset;
}

/* Steps to the next element in C order; false after the last. */
static bool next_element(const struct array *a, int64_t *position, char **at) {
    for (int i = a->t.ndim - 1; i >= 0; i--) {
        if (a->shape[i] == 1)
            continue;
        *at += a->strides[i] * size_of(a->type);
        if (++position[i] < a->shape[i])
            return true;
        *at -= a->shape[i] * a->strides[i] * size_of(a->type);
        position[i] = 0;
    }
    return false;
}

#define EACH_ELEMENT(a, at, body)                                                                  \
    do {                                                                                           \
        int64_t position_[RANK] = {0};                                                             \
        char *at = first_of(a);                                                                    \
        if ((a)->n > 0 && (a)->slot >= 0)                                                          \
            do {                                                                                   \
                body;                                                                              \
            } while (next_element(a, position_, &at));                                             \
    } while (0)

/* Its elements, one beside the other. */
static void pack(const struct array *a, char *to) {
    size_t size = (size_t)size_of(a->type);
    EACH_ELEMENT(a, at, (memcpy(to, at, size), to += size));
}

static void remember(void) {
    for (int i = 0; i < nslots; i++)
        memcpy(slots[i].before, slots[i].low, (size_t)(slots[i].high - slots[i].low));
}

/* Makes the elements what they were. */
static void restore(const struct array *a) {
    size_t size = (size_t)size_of(a->type);
    const struct slot *s = &slots[a->slot < 0 ? 0 : a->slot];
    EACH_ELEMENT(a, at, memcpy(at, s->before + (at - s->low), size));
}

static bool is_as_before(void) {
    bool same = true;
    for (int i = 0; i < nslots && same; i++)
        same = memcmp(slots[i].before, slots[i].low, (size_t)(slots[i].high - slots[i].low)) == 0;
    return same;
}

#endif
