/* terse.c: PTX of what objects have; terse.h says how it is written. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "code.h"
#include "terse.h"

/* The registers of a class that were named, the last one behind; they are numbered from 1 on. */
struct recent {
    uint32_t *registers;
    size_t n, capacity;
};

struct reader {
    const unsigned char *at, *end;
    char *out;
    size_t size, capacity;
    struct terse_state state;
    struct recent recent[TERSE_CLASSES];
    ufc_status status; /* of what went wrong first */
};

static void damaged(struct reader *r) {
    if (r->status == UFC_OK)
        r->status = UFC_EDEVICE;
    r->at = r->end;
}

/* Room for n elements, of which there were *capacity; NULL: memory is out. */
static void *more(struct reader *r, void *old, size_t n, size_t *capacity, size_t each) {
    if (n <= *capacity)
        return old;
    size_t wanted = 2 * n + 1024;
    void *data = realloc(old, wanted * each);
    if (data) {
        *capacity = wanted;
        return data;
    }
    r->status = UFC_ENOMEM;
    r->at = r->end;
    return NULL;
}

static void put(struct reader *r, const char *text, size_t size) {
    char *out = more(r, r->out, r->size + size, &r->capacity, 1);
    if (!out)
        return;
    r->out = out;
    memcpy(out + r->size, text, size);
    r->size += size;
}

static uint32_t next_byte(struct reader *r) {
    if (r->at < r->end)
        return *r->at++;
    damaged(r);
    return 0;
}

static uint32_t next_number(struct reader *r) {
    uint32_t n = next_byte(r);
    if (n < TERSE_WIDE)
        return n;
    if (n < TERSE_WIDEST)
        return TERSE_WIDE + ((n - TERSE_WIDE) << 8) + next_byte(r);
    n = 0;
    for (int i = 0; i < 4; i++)
        n |= next_byte(r) << 8 * i;
    return n;
}

static void put_register(struct reader *r, unsigned class, uint32_t number) {
    char text[16];
    int n = snprintf(text, sizeof text, "%%%s%" PRIu32, terse_classes[class], number);
    put(r, text, (size_t)n);
}

static void new_register(struct reader *r, unsigned class) {
    struct recent *all = &r->recent[class];
    uint32_t *registers = more(r, all->registers, all->n + 1, &all->capacity, sizeof *registers);
    if (!registers)
        return;
    all->registers = registers;
    registers[all->n] = (uint32_t)all->n + 1;
    all->n++;
    put_register(r, class, (uint32_t)all->n);
}

static void same_register(struct reader *r, unsigned class) {
    struct recent *all = &r->recent[class];
    uint32_t ago = next_number(r);
    if (ago >= all->n) {
        damaged(r);
        return;
    }
    terse_touch(all->registers, all->n, all->n - 1 - ago);
    put_register(r, class, all->registers[all->n - 1]);
}

static void put_label(struct reader *r, int64_t label, const char *end) {
    char text[48];
    int n =
        snprintf(text, sizeof text, "$L__BB%" PRId32 "_%" PRId64 "%s", r->state.index, label, end);
    put(r, text, (size_t)n);
}

static void jump(struct reader *r) {
    int64_t n = next_number(r);
    put_label(r, r->state.label + (n % 2 == 0 ? n / 2 : -(n / 2) - 1), "");
}

static void put_character(struct reader *r, char c) {
    terse_name(&r->state, c);
    put(r, &c, 1);
}

static void begin_body(struct reader *r) {
    terse_begin_body(&r->state);
    put(r, "{\n", 2);
    for (int k = 0; k < TERSE_CLASSES; k++)
        r->recent[k].n = 0;
}

static void expand_code(struct reader *r, unsigned code) {
    static const char parameter[] = "_param_0";
    switch (code) {
    case TERSE_LABEL:
        r->state.label += 1 + (int64_t)next_number(r);
        put_label(r, r->state.label, ":\n");
        return;
    case TERSE_JUMP: jump(r); return;
    case TERSE_PARAMETER:
        put(r, r->state.name, r->state.size);
        put(r, parameter, sizeof parameter - 1);
        return;
    case TERSE_LINE: put(r, "\n", 1); return;
    case TERSE_FUNCTION: terse_begin_name(&r->state); return;
    case TERSE_BODY: begin_body(r); return;
    case TERSE_BYTE: put_character(r, (char)next_byte(r)); return;
    }
    if (code - TERSE_NEW < TERSE_CLASSES)
        new_register(r, code - TERSE_NEW);
    else if (code - TERSE_AGAIN < TERSE_CLASSES)
        same_register(r, code - TERSE_AGAIN);
    else
        damaged(r);
}

ufc_status expand_ptx(const char *text, size_t size, char **ptx) {
    struct reader r = {.at = (const unsigned char *)text,
                       .end = (const unsigned char *)text + size,
                       .state = {.is_named = true, .index = -1}};
    while (r.at < r.end) {
        unsigned c = *r.at++;
        if (c >= TERSE_NEW)
            expand_code(&r, c);
        else if (c == '\n')
            put(&r, ";\n", 2);
        else
            put_character(&r, (char)c);
    }
    for (int k = 0; k < TERSE_CLASSES; k++)
        free(r.recent[k].registers);
    if (r.status == UFC_OK && (r.size == 0 || r.out[r.size - 1] != '\0'))
        r.status = UFC_EDEVICE;
    *ptx = r.status == UFC_OK ? r.out : NULL;
    if (r.status != UFC_OK)
        free(r.out);
    return r.status;
}
