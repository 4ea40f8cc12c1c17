/* terse.h: how objects write PTX: as text in which codes stand for names that a number tells apart.
 *
 * Registers are numbered in the order in which they appear, and a text is full of such numbers, in
 * which nothing repeats where the same instructions do.  Here a register is the one that was named
 * so many registers ago, which is the same in every copy of a sequence of instructions: compressed,
 * a text takes half of the bytes.  Registers get the numbers in the order in which they are named.
 * Blanks that PTX can do without, and comments, are left out.
 *
 * PTX is ASCII: bytes from 0x80 on are codes.  An end of a line stands for ";\n". */
#ifndef UFC_TERSE_H
#define UFC_TERSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum terse_code {
    TERSE_NEW = 0x80,   /* + class: a register that was not named before in this function */
    TERSE_AGAIN = 0x90, /* + class, number: that named so many other registers of the class ago */
    TERSE_LABEL =
        0xa0,        /* number: a line "$L__BB0_5:", of the label number + 1 behind the last one */
    TERSE_JUMP,      /* number: a label: even, number / 2 behind the last one, or odd, before it */
    TERSE_PARAMETER, /* "NAME_param_0", of the function's name */
    TERSE_LINE,      /* an end of a line without ';' */
    TERSE_FUNCTION,  /* a line begins that has a function's name, with '(' behind it */
    TERSE_BODY,      /* a line "{", where the function begins */
    TERSE_BYTE,      /* the next byte is none of these */
};

/* Numbers: a byte below TERSE_WIDE; else its lower bits and the next byte; or TERSE_WIDEST and four
 * bytes, the least first. */
enum { TERSE_WIDE = 0xc0, TERSE_WIDEST = 0xff };

/* Classes of registers: the letters behind '%'. */
static const char *const terse_classes[] = {"p", "rs", "r", "rd", "f", "fd"};
enum { TERSE_CLASSES = sizeof terse_classes / sizeof *terse_classes };

/* What both who writes and who reads it know of a function so far. */
struct terse_state {
    char name[256];
    size_t size;   /* of the name; 0: there is none */
    bool is_named; /* false: its line has not come to '(' yet */
    int32_t index; /* of the function among those that have a body, from 0 on; -1: none had one */
    int64_t label; /* that was defined last; -1: none */
};

static inline void terse_begin_name(struct terse_state *s) {
    s->size = 0;
    s->is_named = false;
}

/* A character of the text: a function's name is the last word before '('. */
static inline void terse_name(struct terse_state *s, char c) {
    if (s->is_named)
        return;
    if (c == '(')
        s->is_named = true;
    else if (c == ' ')
        s->size = 0;
    else if (s->size < sizeof s->name - 1)
        s->name[s->size++] = c;
    s->name[s->size] = '\0';
}

static inline void terse_begin_body(struct terse_state *s) {
    s->index++;
    s->label = -1;
}

/* Takes register `place` of n, the last of which was named last, to their end. */
static inline void terse_touch(uint32_t *recent, size_t n, size_t place) {
    uint32_t r = recent[place];
    memmove(recent + place, recent + place + 1, (n - place - 1) * sizeof *recent);
    recent[n - 1] = r;
}

#endif
