/* ptx_read.h: what the files of PTX's reader share. */
#ifndef UFC_PTX_READ_H
#define UFC_PTX_READ_H

#include "ptx.h"

/* ---- ptx.re */

enum { PTX_END = 256, PTX_BAD, PTX_WORD, PTX_DIRECTIVE, PTX_INT, PTX_FLOAT, PTX_STRING };

struct ptx_token {
    int kind; /* PTX_…, or a character */
    const char *text;
    size_t size;
    uint64_t value; /* a number's value; of a float its bits */
};

struct ptx_scanner {
    const char *at, *marker;
    uint32_t line;
};

struct ptx_token ptx_scan(struct ptx_scanner *s);

/* ---- names */

enum symbol_kind {
    SYM_REGISTER,  /* slot, bits */
    SYM_REGISTERS, /* %r<count>: slot and bits of the first, count */
    SYM_VARIABLE,  /* space, offset; an address in global memory */
    SYM_FUNCTION,  /* index */
    SYM_TABLE,     /* of branch targets: first, count */
    SYM_LABEL,     /* target */
};

struct symbol {
    const char *text;
    size_t size;
    enum symbol_kind kind;
    int bits;
    uint32_t slot, count;
    enum preset_kind where;
    uint64_t offset, bytes;
    uint32_t next; /* the next entry in the hash chain, + 1 */
};

enum { HASH_SIZE = 1024 };

struct symbol_table {
    struct symbol *entries;
    uint32_t n, room;
    uint32_t heads[HASH_SIZE]; /* index + 1 */
};

/* ---- operands */

enum value_kind { VALUE_NONE, VALUE_SLOT, VALUE_NUMBER, VALUE_NAME, VALUE_SINK, VALUE_CLOCK };

struct ptx_value {
    enum value_kind kind;
    bool negated;
    int bits; /* of a register */
    uint32_t slot;
    uint64_t number;
    struct ptx_token name;
};

enum { MAX_VECTOR = 8 };
struct ptx_operand {
    bool is_address, is_vector;
    int n; /* number of values: more than one in a vector */
    struct ptx_value value[MAX_VECTOR];
    int64_t offset;        /* of an address */
    struct ptx_value pair; /* d|p */
};

enum ptx_word {
#define WORD(id, text) W_##id,
#include "ptx_word.def"
#undef WORD
    WORD_COUNT,
    W_HINT, /* a cache hint, which has no effect here */
    W_UNKNOWN,
};

enum { MAX_WORDS = 12, MAX_OPERANDS = 8 };

struct ptx_type {
    int bits;  /* 0: no type */
    char kind; /* b u s f p */
};

/* ---- the reader */

struct reader {
    struct ptx_scanner scanner;
    struct ptx_token token; /* the next token */
    struct ptx_program *program;
    ufc_status status;
    ufc_error *err;
    struct symbol_table names, labels;
    int depth; /* depth of braces in the function */
    uint32_t function;
    uint32_t place_line;
    uint16_t place_file;
    uint32_t trash; /* a slot for results that nobody wants; NO_SLOT: none yet */
    uint32_t shared_align;
    /* capacity of the program's arrays */
    uint32_t code_room, function_room, table_room, call_room, copy_room, variable_room, file_room,
        preset_room;
    uint32_t ntable, ncalls, ncopies;
    /* the instruction at hand */
    struct ptx_token opcode;
    enum ptx_word word[MAX_WORDS];
    bool taken[MAX_WORDS];
    int nwords;
    struct ptx_operand operand[MAX_OPERANDS];
    int noperands;
    uint32_t line;
    struct insn nowhere; /* takes instructions that there is no memory for */
};

/* ptx_module.c */
/* Reports an error, the first one only, and ends the text. */
void ptx_wrong(struct reader *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ptx_no_memory(struct reader *p);
void ptx_next(struct reader *p);
bool ptx_at(const struct reader *p, int kind, const char *text);
bool ptx_accept(struct reader *p, int kind);
bool ptx_accept_directive(struct reader *p, const char *text);
void ptx_expect(struct reader *p, int kind, const char *what);
uint64_t ptx_number(struct reader *p);
/* Room for one more in an array; NULL after a failure. */
void *ptx_grow(struct reader *p, void *array, uint32_t n, uint32_t *room, size_t size);
char *ptx_copy(struct reader *p, const char *text, size_t size);
struct ptx_function *ptx_this(struct reader *p);

/* ptx_body.c */
struct declaration {
    uint32_t align;
    int bits;
    struct ptx_token name;
    uint64_t bytes;
    bool open; /* [] */
};
uint64_t ptx_align(uint64_t at, uint32_t align);
/* [.align N] [.v2] .type NAME [N]…; also .ptr .global .align N after a parameter's type */
void read_declaration(struct reader *p, struct declaration *d);
void add_variable(struct reader *p, const struct declaration *d, enum preset_kind where,
                  uint64_t offset);
/* Adds a variable to the function's frame; gives its offset. */
uint32_t frame_variable(struct reader *p, const struct declaration *d);
/* Reads one or several variables of .global, .const, .shared, .local or .param; `space` is that
 * directive, which was read. */
void read_variables(struct reader *p, struct ptx_token space);
void read_block(struct reader *p);

/* ptx_symbol.c */
struct symbol *symbol_find(const struct symbol_table *t, struct ptx_token name);
/* Adds a symbol, which hides others of its name; NULL after a failure. */
struct symbol *symbol_add(struct reader *p, struct symbol_table *t, struct ptx_token name,
                          enum symbol_kind kind);
void symbols_drop(struct symbol_table *t, uint32_t n); /* all but the first n */
struct symbol *label_named(struct reader *p, struct ptx_token name);
/* A slot that holds this value when the function begins. */
uint32_t slot_preset(struct reader *p, enum preset_kind kind, uint64_t value);
uint32_t slot_new(struct reader *p);
uint32_t slot_trash(struct reader *p);
void read_operand(struct reader *p, struct ptx_operand *o);

/* ptx_decode.c */
/* Reads an instruction, its guard too, and adds it to the code. */
void read_instruction(struct reader *p);
bool take(struct reader *p, enum ptx_word w); /* is the word there? */
/* The index of the word, of n, that is there; -1: none is. */
int take_one(struct reader *p, const enum ptx_word *words, int n);
struct ptx_type take_type(struct reader *p);
struct insn *emit(struct reader *p, enum ptx_op op, uint32_t d, uint32_t a, uint32_t b, uint32_t c);
uint32_t slot_of(struct reader *p, const struct ptx_value *v, int bits);
uint32_t source(struct reader *p, int operand, int bits);
uint32_t result(struct reader *p, int operand);
int result_bits(const struct reader *p, int operand);
/* Emits: first operand = op of the `nsources` others, of so many bits; false where there are not
 * that many. */
bool emit_values(struct reader *p, enum ptx_op op, int bits, int nsources);

/* ptx_decode_*.c: decode an instruction of their kind; false: it is of another kind */
bool decode_integer(struct reader *p, enum ptx_word base);
bool decode_float(struct reader *p, enum ptx_word base);
bool decode_convert(struct reader *p);
bool decode_compare(struct reader *p, enum ptx_word base);
bool decode_memory(struct reader *p, enum ptx_word base);
bool decode_threads(struct reader *p, enum ptx_word base);

#endif
