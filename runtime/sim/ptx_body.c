/* ptx_body.c: the reader of PTX's declarations, and of the statements of a function's body. */
#include <stdlib.h>
#include <string.h>
#include "ptx_read.h"

/* ---- variables */

static int type_bits(const struct reader *p) {
    const char *t = p->token.text;
    if (p->token.kind != PTX_DIRECTIVE || p->token.size < 3)
        return 0;
    if (ptx_at(p, PTX_DIRECTIVE, ".pred"))
        return 1;
    long bits = strtol(t + 2, NULL, 10);
    bool known = strchr("busf", t[1]) && (bits == 8 || bits == 16 || bits == 32 || bits == 64);
    return known ? (int)bits : 0;
}

/* [.align N] [.v2] .type NAME [N]…; also .ptr .global .align N after a parameter's type */
void read_declaration(struct reader *p, struct declaration *d) {
    uint64_t count = 1;
    *d = (struct declaration){0};
    while (p->token.kind == PTX_DIRECTIVE) {
        int bits = type_bits(p);
        if (bits) {
            d->bits = bits;
        } else if (ptx_at(p, PTX_DIRECTIVE, ".v2")) {
            count = 2;
        } else if (ptx_at(p, PTX_DIRECTIVE, ".v4")) {
            count = 4;
        } else if (ptx_accept_directive(p, ".align")) {
            d->align = (uint32_t)ptx_number(p);
            continue;
        } else if (!ptx_at(p, PTX_DIRECTIVE, ".ptr") && !ptx_at(p, PTX_DIRECTIVE, ".global") &&
                   !ptx_at(p, PTX_DIRECTIVE, ".shared") && !ptx_at(p, PTX_DIRECTIVE, ".const") &&
                   !ptx_at(p, PTX_DIRECTIVE, ".local")) {
            ptx_wrong(p, "unknown type '%.*s'", (int)p->token.size, p->token.text);
        }
        ptx_next(p);
    }
    d->name = p->token;
    ptx_expect(p, PTX_WORD, "a name");
    while (ptx_accept(p, '[')) {
        if (ptx_at(p, PTX_INT, NULL))
            count *= ptx_number(p);
        else
            d->open = true;
        ptx_expect(p, ']', "']'");
    }
    d->bytes = count * (uint64_t)(d->bits < 8 ? 1 : d->bits / 8);
    if (d->align == 0)
        d->align = d->bits < 8 ? 1 : (uint32_t)d->bits / 8;
    if (d->bits == 0)
        ptx_wrong(p, "'%.*s' has no type", (int)d->name.size, d->name.text);
    if (d->align > 4096 || (d->align & (d->align - 1)) || d->bytes > INT32_MAX)
        ptx_wrong(p, "'%.*s' is too large", (int)d->name.size, d->name.text);
}

uint64_t ptx_align(uint64_t at, uint32_t align) {
    return (at + align - 1) & ~(uint64_t)(align - 1);
}

void add_variable(struct reader *p, const struct declaration *d, enum preset_kind where,
                  uint64_t offset) {
    struct symbol *s = symbol_add(p, &p->names, d->name, SYM_VARIABLE);
    if (!s)
        return;
    s->where = where;
    s->offset = offset;
    s->bytes = d->bytes;
}

/* One element of an initialiser: bytes, little end first. */
static void read_element(struct reader *p, const struct declaration *d, char *memory,
                         uint64_t *at) {
    uint64_t value = p->token.value, size = (uint64_t)d->bits / 8;
    bool negative = ptx_accept(p, '-');
    if (negative)
        value = -p->token.value;
    if (ptx_at(p, PTX_WORD, NULL)) {
        const struct symbol *s = symbol_find(&p->names, p->token);
        if (!s || s->kind != SYM_VARIABLE || s->where != PRESET_CONSTANT)
            ptx_wrong(p, "'%.*s' is not a global variable", (int)p->token.size, p->token.text);
        else
            value = s->offset;
        ptx_next(p);
    } else if (!ptx_accept(p, PTX_FLOAT)) {
        ptx_expect(p, PTX_INT, "a number");
    }
    if (*at + size > d->bytes) {
        ptx_wrong(p, "'%.*s' has more values than elements", (int)d->name.size, d->name.text);
        return;
    }
    memcpy(memory + *at, &value, size);
    *at += size;
}

static void read_initialiser(struct reader *p, const struct declaration *d, char *memory,
                             uint64_t *at) {
    if (!ptx_accept(p, '{')) {
        read_element(p, d, memory, at);
        return;
    }
    do
        read_initialiser(p, d, memory, at);
    while (ptx_accept(p, ','));
    ptx_expect(p, '}', "'}'");
}

static void global_variable(struct reader *p, const struct declaration *d, bool constant) {
    struct ptx_program *m = p->program;
    void *variables =
        ptx_grow(p, m->variables, m->nvariables, &p->variable_room, sizeof *m->variables);
    if (!variables)
        return;
    m->variables = variables;
    size_t size = ptx_align(d->bytes ? d->bytes : 1, d->align < 16 ? 16 : d->align);
    char *memory = aligned_alloc(d->align < 16 ? 16 : d->align, size);
    char *name = ptx_copy(p, d->name.text, d->name.size);
    m->variables[m->nvariables++] = (struct ptx_variable){name, memory, d->bytes, constant};
    if (!memory || !name) {
        ptx_no_memory(p);
        return;
    }
    memset(memory, 0, size);
    add_variable(p, d, PRESET_CONSTANT, (uintptr_t)memory);
    uint64_t at = 0;
    if (ptx_accept(p, '='))
        read_initialiser(p, d, memory, &at);
}

static void shared_variable(struct reader *p, const struct declaration *d) {
    struct ptx_program *m = p->program;
    m->shared_size = ptx_align(m->shared_size, d->align);
    add_variable(p, d, d->open ? PRESET_DYNAMIC : PRESET_SHARED, d->open ? 0 : m->shared_size);
    m->shared_size += d->bytes;
    m->dynamic_shared |= d->open;
    if (p->depth > 0)
        ptx_this(p)->shared_size = ptx_align(ptx_this(p)->shared_size, d->align) + d->bytes;
}

uint32_t frame_variable(struct reader *p, const struct declaration *d) {
    struct ptx_function *f = ptx_this(p);
    uint32_t offset = (uint32_t)ptx_align(f->frame_size, d->align);
    f->frame_size = offset + (uint32_t)d->bytes;
    add_variable(p, d, PRESET_FRAME, offset);
    return offset;
}

void read_variables(struct reader *p, struct ptx_token space) {
    do {
        struct declaration d;
        read_declaration(p, &d);
        if (p->status != UFC_OK)
            return;
        switch (space.text[1]) {
        case 'g': global_variable(p, &d, false); break;
        case 'c': global_variable(p, &d, true); break;
        case 's': shared_variable(p, &d); break;
        default: frame_variable(p, &d); break;
        }
    } while (ptx_accept(p, ','));
    ptx_expect(p, ';', "';'");
}

/* ---- bodies */

static void read_registers(struct reader *p) {
    int bits = type_bits(p);
    if (!bits)
        ptx_wrong(p, "unknown type '%.*s' of registers", (int)p->token.size, p->token.text);
    ptx_next(p);
    do {
        struct symbol *s = symbol_add(p, &p->names, p->token, SYM_REGISTER);
        if (!s)
            return;
        ptx_expect(p, PTX_WORD, "a name");
        s->bits = bits;
        s->count = 1;
        s->slot = ptx_this(p)->nslots;
        if (ptx_accept(p, '<')) {
            s->kind = SYM_REGISTERS;
            s->count = (uint32_t)ptx_number(p);
            ptx_expect(p, '>', "'>'");
        }
        if (s->count > 1U << 24)
            ptx_wrong(p, "there are too many registers");
        ptx_this(p)->nslots += s->count;
    } while (ptx_accept(p, ','));
    ptx_expect(p, ';', "';'");
}

/* .loc FILE LINE COLUMN [, function_name NAME, inlined_at FILE LINE COLUMN] */
static void read_loc(struct reader *p) {
    p->place_file = (uint16_t)ptx_number(p);
    p->place_line = (uint32_t)ptx_number(p);
    ptx_number(p);
    while (ptx_accept(p, ',')) {
        ptx_expect(p, PTX_WORD, "a name");
        while (ptx_at(p, PTX_WORD, NULL) || ptx_at(p, PTX_INT, NULL) || ptx_at(p, '+', NULL))
            ptx_next(p);
    }
}

static void read_table(struct reader *p, struct ptx_token name) {
    struct symbol *s = symbol_add(p, &p->names, name, SYM_TABLE);
    if (!s)
        return;
    s->slot = p->ntable;
    uint32_t count = 0;
    do {
        const struct symbol *label = label_named(p, p->token);
        uint32_t *table =
            ptx_grow(p, p->program->table, p->ntable, &p->table_room, sizeof *p->program->table);
        if (table)
            p->program->table = table;
        if (!table || !label)
            return;
        table[p->ntable++] = (uint32_t)(label - p->labels.entries);
        count++;
        ptx_expect(p, PTX_WORD, "a label");
    } while (ptx_accept(p, ','));
    ptx_expect(p, ';', "';'");
    s = symbol_find(&p->names, name);
    s->count = count;
}

static void read_label(struct reader *p, struct ptx_token name) {
    ptx_next(p);
    if (ptx_accept_directive(p, ".branchtargets")) {
        read_table(p, name);
        return;
    }
    struct symbol *s = label_named(p, name);
    if (!s)
        return;
    if (s->slot != NO_SLOT)
        ptx_wrong(p, "the label '%.*s' is there twice", (int)name.size, name.text);
    s->slot = p->program->ncode;
}

static void read_word_statement(struct reader *p) {
    struct ptx_scanner before = p->scanner;
    struct ptx_token word = p->token;
    ptx_next(p);
    if (ptx_at(p, ':', NULL)) {
        read_label(p, word);
        return;
    }
    p->scanner = before;
    if (p->status == UFC_OK)
        p->token = word;
    read_instruction(p);
}

static void read_directive_statement(struct reader *p) {
    struct ptx_token directive = p->token;
    ptx_next(p);
    static const char *const spaces[] = {".local", ".param", ".shared"};
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (directive.size == strlen(spaces[i]) &&
            memcmp(directive.text, spaces[i], directive.size) == 0) {
            read_variables(p, directive);
            return;
        }
    if (directive.size == 4 && memcmp(directive.text, ".reg", 4) == 0) {
        read_registers(p);
    } else if (directive.size == 4 && memcmp(directive.text, ".loc", 4) == 0) {
        read_loc(p);
    } else if (directive.size == 7 && memcmp(directive.text, ".pragma", 7) == 0) {
        ptx_expect(p, PTX_STRING, "a string");
        ptx_expect(p, ';', "';'");
    } else {
        ptx_wrong(p, "unknown directive '%.*s'", (int)directive.size, directive.text);
    }
}

void read_block(struct reader *p) {
    uint32_t names = p->names.n;
    ptx_expect(p, '{', "'{'");
    if (++p->depth > 100)
        ptx_wrong(p, "blocks are nested too deep");
    while (!ptx_at(p, '}', NULL) && !ptx_at(p, PTX_END, NULL)) {
        if (ptx_at(p, '{', NULL))
            read_block(p);
        else if (ptx_at(p, PTX_DIRECTIVE, NULL))
            read_directive_statement(p);
        else if (ptx_at(p, PTX_WORD, NULL))
            read_word_statement(p);
        else if (ptx_at(p, '@', NULL))
            read_instruction(p);
        else if (!ptx_accept(p, ';'))
            ptx_wrong(p, "unexpected '%.*s'", (int)p->token.size, p->token.text);
    }
    ptx_expect(p, '}', "'}'");
    p->depth--;
    symbols_drop(&p->names, names);
}
