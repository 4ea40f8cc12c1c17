/* ptx_decode.c: an instruction of PTX to struct insn: its words, operands, guard; branches, calls.
 */
#include <stdlib.h>
#include <string.h>
#include "ptx_read.h"

/* ---- words */

static const char *const words[] = {
#define WORD(id, text) text,
#include "ptx_word.def"
#undef WORD
};

struct piece {
    const char *text;
    size_t size;
};

static int compare_word(const void *key, const void *entry) {
    const struct piece *piece = key;
    const char *word = *(const char *const *)entry;
    int order = strncmp(piece->text, word, piece->size);
    return order ? order : word[piece->size] ? -1 : 0;
}

static enum ptx_word find_word(struct piece piece) {
    if (memchr(piece.text, ':', piece.size))
        return W_HINT; /* L1::no_allocate */
    const char *const *found =
        bsearch(&piece, words, sizeof words / sizeof *words, sizeof *words, compare_word);
    return found ? (enum ptx_word)(found - words) : W_UNKNOWN;
}

static void split_opcode(struct reader *p) {
    const char *at = p->opcode.text, *end = at + p->opcode.size;
    for (p->nwords = 0; at < end && p->nwords < MAX_WORDS; p->nwords++) {
        const char *dot = memchr(at, '.', (size_t)(end - at));
        size_t size = (size_t)((dot ? dot : end) - at);
        p->word[p->nwords] = find_word((struct piece){at, size});
        p->taken[p->nwords] = p->nwords == 0 || p->word[p->nwords] == W_HINT;
        at += size + 1;
    }
    if (at < end)
        p->taken[0] = false;
}

bool take(struct reader *p, enum ptx_word w) {
    for (int i = 1; i < p->nwords; i++)
        if (p->word[i] == w && !p->taken[i])
            return p->taken[i] = true;
    return false;
}

int take_one(struct reader *p, const enum ptx_word *list, int n) {
    for (int i = 0; i < n; i++)
        if (take(p, list[i]))
            return i;
    return -1;
}

static const struct {
    enum ptx_word word;
    struct ptx_type type;
} types[] = {
    {W_B8, {8, 'b'}},   {W_B16, {16, 'b'}}, {W_B32, {32, 'b'}}, {W_B64, {64, 'b'}},
    {W_U8, {8, 'u'}},   {W_U16, {16, 'u'}}, {W_U32, {32, 'u'}}, {W_U64, {64, 'u'}},
    {W_S8, {8, 's'}},   {W_S16, {16, 's'}}, {W_S32, {32, 's'}}, {W_S64, {64, 's'}},
    {W_F16, {16, 'f'}}, {W_F32, {32, 'f'}}, {W_F64, {64, 'f'}}, {W_PRED, {1, 'p'}},
};

struct ptx_type take_type(struct reader *p) {
    for (int i = 1; i < p->nwords; i++)
        for (size_t k = 0; !p->taken[i] && k < sizeof types / sizeof *types; k++)
            if (p->word[i] == types[k].word) {
                p->taken[i] = true;
                return types[k].type;
            }
    return (struct ptx_type){0};
}

/* ---- operands as slots */

uint32_t slot_of(struct reader *p, const struct ptx_value *v, int bits) {
    uint64_t mask = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    switch (v->kind) {
    case VALUE_SLOT: return v->slot;
    case VALUE_NUMBER: return slot_preset(p, PRESET_CONSTANT, v->number & mask);
    case VALUE_SINK: return slot_trash(p);
    case VALUE_NAME: ptx_wrong(p, "unknown name '%.*s'", (int)v->name.size, v->name.text); return 0;
    default: ptx_wrong(p, "'%.*s' lacks an operand", (int)p->opcode.size, p->opcode.text); return 0;
    }
}

uint32_t source(struct reader *p, int operand, int bits) {
    const struct ptx_operand *o = &p->operand[operand];
    if (o->is_address || o->is_vector || operand >= p->noperands)
        ptx_wrong(p, "operand %d of '%.*s' is not a value", operand + 1, (int)p->opcode.size,
                  p->opcode.text);
    uint32_t slot = slot_of(p, &o->value[0], bits);
    if (o->value[0].negated) {
        uint32_t negated = slot_new(p);
        emit(p, OP_NOT1, negated, slot, 0, 0);
        return negated;
    }
    return slot;
}

uint32_t result(struct reader *p, int operand) {
    const struct ptx_operand *o = &p->operand[operand];
    if (operand >= p->noperands || o->is_address || o->is_vector ||
        (o->value[0].kind != VALUE_SLOT && o->value[0].kind != VALUE_SINK)) {
        ptx_wrong(p, "operand %d of '%.*s' is not a register", operand + 1, (int)p->opcode.size,
                  p->opcode.text);
        return 0;
    }
    return slot_of(p, &o->value[0], 64);
}

int result_bits(const struct reader *p, int operand) {
    const struct ptx_value *v = &p->operand[operand].value[0];
    return v->kind == VALUE_SLOT ? v->bits : 64;
}

struct insn *emit(struct reader *p, enum ptx_op op, uint32_t d, uint32_t a, uint32_t b,
                  uint32_t c) {
    struct ptx_program *m = p->program;
    uint32_t room = p->code_room; /* of code and places: code_room is set when both have grown */
    void *code = ptx_grow(p, m->code, m->ncode, &room, sizeof *m->code);
    if (!code)
        return &p->nowhere;
    m->code = code;
    void *places = ptx_grow(p, m->places, m->ncode, &p->code_room, sizeof *m->places);
    if (!places)
        return &p->nowhere;
    m->places = places;
    m->places[m->ncode] = (struct place){.ptx_line = p->line,
                                         .line = p->place_line,
                                         .file = p->place_file,
                                         .function = (uint16_t)p->function};
    m->code[m->ncode] = (struct insn){.op = (uint16_t)op, .x = {d, a, b, c}};
    return &m->code[m->ncode++];
}

bool emit_values(struct reader *p, enum ptx_op op, int bits, int nsources) {
    uint32_t x[4] = {0};
    for (int i = 0; i < nsources; i++)
        x[i] = source(p, i + 1, bits);
    struct insn *insn = emit(p, op, result(p, 0), x[0], x[1], x[2]);
    insn->x[4] = x[3];
    return p->noperands == nsources + 1;
}

/* ---- control */

static bool decode_branch(struct reader *p, uint32_t guard, bool negated) {
    take(p, W_UNI);
    struct ptx_value *to = &p->operand[0].value[0];
    if (p->noperands != 1 || to->kind != VALUE_NAME)
        return false;
    const struct symbol *label = label_named(p, to->name);
    if (!label)
        return true;
    uint32_t index = (uint32_t)(label - p->labels.entries);
    enum ptx_op op = guard == NO_SLOT ? OP_BRA : negated ? OP_BRA_UNLESS : OP_BRA_IF;
    emit(p, op, index, guard, 0, 0)->aux = 1; /* x[0] is a label still */
    return true;
}

static bool decode_table_branch(struct reader *p) {
    take(p, W_IDX);
    take(p, W_UNI);
    const struct ptx_value *to = &p->operand[1].value[0];
    const struct symbol *table = to->kind == VALUE_NAME ? symbol_find(&p->names, to->name) : NULL;
    if (p->noperands != 2 || !table || table->kind != SYM_TABLE)
        return false;
    uint32_t first = table->slot, count = table->count;
    emit(p, OP_BRX, source(p, 0, 32), first, count, 0);
    return true;
}

struct passed {
    struct frame_range at[64];
    uint32_t n;
};

/* Reads (results…) or (arguments…), which are variables of the frame. */
static void read_passed(struct reader *p, struct passed *list) {
    list->n = 0;
    if (!ptx_accept(p, '('))
        return;
    while (ptx_at(p, PTX_WORD, NULL)) {
        const struct symbol *s = symbol_find(&p->names, p->token);
        if (!s || s->kind != SYM_VARIABLE || s->where != PRESET_FRAME || list->n == 64) {
            ptx_wrong(p, "'%.*s' cannot be passed", (int)p->token.size, p->token.text);
            return;
        }
        list->at[list->n++] = (struct frame_range){(uint32_t)s->offset, (uint32_t)s->bytes};
        ptx_next(p);
        if (!ptx_accept(p, ','))
            break;
    }
    ptx_expect(p, ')', "')'");
}

static void add_copies(struct reader *p, const struct passed *list, const struct frame_range *own,
                       uint32_t n) {
    struct ptx_program *m = p->program;
    if (list->n != n)
        ptx_wrong(p, "%u are passed, %u wanted", (unsigned)list->n, (unsigned)n);
    for (uint32_t i = 0; i < n && p->status == UFC_OK; i++) {
        struct ptx_copy *copies = ptx_grow(p, m->copies, p->ncopies, &p->copy_room, sizeof *copies);
        if (!copies)
            return;
        m->copies = copies;
        struct frame_range caller = list->at[i];
        if (caller.size > own[i].size)
            caller.size = own[i].size;
        copies[p->ncopies++] = (struct ptx_copy){caller, own[i].offset};
    }
}

/* Reads `call (results), function, (arguments)`. */
static void read_call(struct reader *p) {
    struct passed results, arguments;
    read_passed(p, &results);
    ptx_accept(p, ',');
    const struct symbol *s = symbol_find(&p->names, p->token);
    if (!s || s->kind != SYM_FUNCTION) {
        ptx_wrong(p, "'%.*s' is not a function", (int)p->token.size, p->token.text);
        return;
    }
    const struct ptx_function *f = &p->program->functions[s->slot];
    struct ptx_call call = {s->slot, p->ncopies, f->nparams - f->nresults, f->nresults};
    ptx_next(p);
    ptx_accept(p, ',');
    read_passed(p, &arguments);
    add_copies(p, &arguments, f->params + f->nresults, call.nargs);
    add_copies(p, &results, f->params, call.nresults);
    struct ptx_call *calls =
        ptx_grow(p, p->program->calls, p->ncalls, &p->call_room, sizeof *calls);
    if (!calls)
        return;
    p->program->calls = calls;
    calls[p->ncalls] = call;
    emit(p, OP_CALL, p->ncalls++, 0, 0, 0);
}

/* ---- instructions */

static bool decode_rest(struct reader *p, enum ptx_word base) {
    switch (base) {
    case W_BRX: return decode_table_branch(p);
    case W_RET:
        take(p, W_UNI);
        emit(p, ptx_this(p)->is_kernel ? OP_EXIT : OP_RET, 0, 0, 0, 0);
        return p->noperands == 0;
    case W_EXIT: emit(p, OP_EXIT, 0, 0, 0, 0); return p->noperands == 0;
    case W_TRAP: emit(p, OP_TRAP, 0, 0, 0, 0); return p->noperands == 0;
    default: return decode_integer(p, base) || decode_memory(p, base) || decode_threads(p, base);
    }
}

static bool decode(struct reader *p) {
    enum ptx_word base = p->word[0];
    if (base == W_CVT)
        return decode_convert(p);
    for (int i = 1; i < p->nwords; i++)
        if (p->word[i] == W_F16)
            return false; /* halves are only converted */
    if (base == W_SETP || base == W_SET)
        return decode_compare(p, base);
    for (int i = 1; i < p->nwords; i++)
        if ((p->word[i] == W_F32 || p->word[i] == W_F64) && decode_float(p, base))
            return true;
    return decode_rest(p, base);
}

static void read_operands(struct reader *p) {
    for (p->noperands = 0; !ptx_at(p, ';', NULL) && !ptx_at(p, PTX_END, NULL);) {
        if (p->noperands == MAX_OPERANDS) {
            ptx_wrong(p, "'%.*s' has too many operands", (int)p->opcode.size, p->opcode.text);
            return;
        }
        read_operand(p, &p->operand[p->noperands++]);
        if (!ptx_accept(p, ','))
            break;
    }
}

static void check_words(struct reader *p, bool known) {
    for (int i = 0; i < p->nwords; i++)
        known = known && p->taken[i];
    if (!known)
        ptx_wrong(p, "unknown instruction '%.*s'", (int)p->opcode.size, p->opcode.text);
}

void read_instruction(struct reader *p) {
    struct ptx_value guard = {0};
    p->line = p->scanner.line;
    if (ptx_accept(p, '@')) {
        struct ptx_operand o;
        read_operand(p, &o);
        guard = o.value[0];
    }
    uint32_t slot = guard.kind == VALUE_NONE ? NO_SLOT : slot_of(p, &guard, 1);
    p->opcode = p->token;
    ptx_expect(p, PTX_WORD, "an instruction");
    split_opcode(p);
    if (p->word[0] == W_BRA) {
        read_operands(p);
        check_words(p, decode_branch(p, slot, guard.negated));
    } else {
        uint32_t skip = p->program->ncode;
        if (slot != NO_SLOT)
            emit(p, guard.negated ? OP_BRA_IF : OP_BRA_UNLESS, 0, slot, 0, 0);
        if (p->word[0] == W_CALL) {
            take(p, W_UNI);
            read_call(p);
            check_words(p, true);
        } else {
            read_operands(p);
            check_words(p, decode(p));
        }
        if (slot != NO_SLOT && p->status == UFC_OK)
            p->program->code[skip].x[0] = p->program->ncode;
    }
    ptx_expect(p, ';', "';'");
}
