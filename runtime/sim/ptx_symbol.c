/* ptx_symbol.c: PTX's names and what they stand for, operands, slots and their presets. */
#include <string.h>
#include "ptx_read.h"

/* ---- tables */

static uint32_t hash(const char *text, size_t size) {
    uint32_t h = 2166136261U;
    for (size_t i = 0; i < size; i++)
        h = (h ^ (unsigned char)text[i]) * 16777619U;
    return (h ^ h >> 15) % HASH_SIZE;
}

struct symbol *symbol_find(const struct symbol_table *t, struct ptx_token name) {
    for (uint32_t i = t->heads[hash(name.text, name.size)]; i; i = t->entries[i - 1].next) {
        struct symbol *s = &t->entries[i - 1];
        if (s->size == name.size && memcmp(s->text, name.text, name.size) == 0)
            return s;
    }
    return NULL;
}

struct symbol *symbol_add(struct reader *p, struct symbol_table *t, struct ptx_token name,
                          enum symbol_kind kind) {
    void *entries = ptx_grow(p, t->entries, t->n, &t->room, sizeof *t->entries);
    if (!entries)
        return NULL;
    t->entries = entries;
    uint32_t *head = &t->heads[hash(name.text, name.size)];
    struct symbol *s = &t->entries[t->n];
    *s = (struct symbol){.text = name.text, .size = name.size, .kind = kind, .next = *head};
    *head = ++t->n;
    return s;
}

void symbols_drop(struct symbol_table *t, uint32_t n) {
    while (t->n > n) {
        const struct symbol *s = &t->entries[--t->n];
        t->heads[hash(s->text, s->size)] = s->next;
    }
}

struct symbol *label_named(struct reader *p, struct ptx_token name) {
    struct symbol *s = symbol_find(&p->labels, name);
    if (s)
        return s;
    s = symbol_add(p, &p->labels, name, SYM_LABEL);
    if (s)
        s->slot = NO_SLOT;
    return s;
}

/* ---- slots */

uint32_t slot_new(struct reader *p) {
    return ptx_this(p)->nslots++;
}

uint32_t slot_trash(struct reader *p) {
    if (p->trash == NO_SLOT)
        p->trash = slot_new(p);
    return p->trash;
}

uint32_t slot_preset(struct reader *p, enum preset_kind kind, uint64_t value) {
    struct ptx_function *f = ptx_this(p);
    for (uint32_t i = f->npresets; i-- > 0;)
        if (f->presets[i].kind == kind && f->presets[i].value == value)
            return f->presets[i].slot;
    void *presets = ptx_grow(p, f->presets, f->npresets, &p->preset_room, sizeof *f->presets);
    if (!presets)
        return 0;
    f->presets = presets;
    f->presets[f->npresets++] = (struct preset){kind, f->nslots, value};
    return f->nslots++;
}

/* ---- operands */

/* %r12 of the registers %r<20> */
static bool find_numbered(struct reader *p, struct ptx_token name, struct ptx_value *v) {
    struct ptx_token stem = name;
    while (stem.size && stem.text[stem.size - 1] >= '0' && stem.text[stem.size - 1] <= '9')
        stem.size--;
    if (stem.size == name.size || name.size - stem.size > 8)
        return false;
    uint32_t number = 0;
    for (size_t i = stem.size; i < name.size; i++)
        number = number * 10 + (uint32_t)(name.text[i] - '0');
    const struct symbol *s = symbol_find(&p->names, stem);
    if (!s || s->kind != SYM_REGISTERS || number >= s->count)
        return false;
    *v = (struct ptx_value){.kind = VALUE_SLOT, .bits = s->bits, .slot = s->slot + number};
    return true;
}

static bool find_special(struct reader *p, struct ptx_token name, struct ptx_value *v) {
    static const char *const names[] = {
#define SPECIAL(id, text) text,
#include "ptx_special.def"
#undef SPECIAL
    };
    static const char *const clocks[] = {"%clock", "%clock64", "%clock_hi", "%globaltimer"};
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++)
        if (strlen(clocks[i]) == name.size && memcmp(clocks[i], name.text, name.size) == 0) {
            *v = (struct ptx_value){.kind = VALUE_CLOCK};
            return true;
        }
    for (uint64_t i = 0; i < SPECIAL_COUNT; i++)
        if (strlen(names[i]) == name.size && memcmp(names[i], name.text, name.size) == 0) {
            *v = (struct ptx_value){
                .kind = VALUE_SLOT, .bits = 32, .slot = slot_preset(p, PRESET_SPECIAL, i)};
            return true;
        }
    return false;
}

static int64_t read_offset(struct reader *p) {
    bool negative = ptx_at(p, '-', NULL);
    if (!negative && !ptx_at(p, '+', NULL))
        return 0;
    ptx_next(p);
    if (ptx_accept(p, '-')) /* [%rd1+-8] */
        negative = true;
    int64_t offset = (int64_t)p->token.value;
    ptx_expect(p, PTX_INT, "a number");
    return negative ? -offset : offset;
}

static void read_name(struct reader *p, struct ptx_value *v, bool with_offset) {
    struct ptx_token name = p->token;
    ptx_next(p);
    const struct symbol *s = symbol_find(&p->names, name);
    *v = (struct ptx_value){.kind = VALUE_NAME, .name = name};
    if (s && s->kind == SYM_REGISTER) {
        v->kind = VALUE_SLOT;
        v->bits = s->bits;
        v->slot = s->slot;
    } else if (s && s->kind == SYM_VARIABLE) {
        uint64_t offset = s->offset + (with_offset ? (uint64_t)read_offset(p) : 0);
        v->kind = VALUE_SLOT;
        v->bits = 64;
        v->slot = slot_preset(p, s->where, offset);
    } else if (!s && name.size == 1 && *name.text == '_') {
        v->kind = VALUE_SINK;
    } else if (!s && name.size == 7 && memcmp(name.text, "WARP_SZ", 7) == 0) {
        v->kind = VALUE_NUMBER;
        v->number = 32;
    } else if (!s && !find_numbered(p, name, v)) {
        find_special(p, name, v);
    }
}

static void read_value(struct reader *p, struct ptx_value *v, bool with_offset) {
    bool negated = ptx_accept(p, '!'), negative = ptx_accept(p, '-');
    if (!negative && ptx_at(p, PTX_WORD, NULL)) {
        read_name(p, v, with_offset);
        v->negated = negated;
        return;
    }
    *v = (struct ptx_value){.kind = VALUE_NUMBER, .number = p->token.value};
    if (negative)
        v->number = -v->number;
    if (!ptx_accept(p, PTX_FLOAT))
        ptx_expect(p, PTX_INT, "an operand");
}

void read_operand(struct reader *p, struct ptx_operand *o) {
    memset(o, 0, sizeof *o);
    o->n = 1;
    if (ptx_accept(p, '[')) {
        o->is_address = true;
        read_value(p, &o->value[0], false);
        o->offset = read_offset(p);
        ptx_expect(p, ']', "']'");
    } else if (ptx_accept(p, '{')) {
        o->is_vector = true;
        for (o->n = 0; o->n < MAX_VECTOR;) {
            read_value(p, &o->value[o->n++], true);
            if (!ptx_accept(p, ','))
                break;
        }
        ptx_expect(p, '}', "'}'");
    } else {
        read_value(p, &o->value[0], true);
        if (ptx_accept(p, '|'))
            read_value(p, &o->pair, false);
    }
}
