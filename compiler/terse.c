/* terse.c: PTX as objects have it; runtime/terse.h says how. */
#include <stdlib.h>
#include <string.h>

#include "object.h"
#include "terse.h"

struct writer {
    struct buf *out;
    struct terse_state state;
    bool awaits_body; /* a function's name was, its first line "{" was not */
    char last;        /* character that was written, if it was one */
    /* Of each class the registers that were named, uint32_t, the last one behind. */
    struct buf recent[TERSE_CLASSES];
};

static void put_byte(struct writer *w, unsigned byte) {
    char c = w->last = (char)byte;
    buf_put(w->out, &c, 1);
}

static void put_number(struct writer *w, uint32_t number) {
    if (number < TERSE_WIDE) {
        put_byte(w, number);
    } else if (number - TERSE_WIDE < (TERSE_WIDEST - TERSE_WIDE) << 8) {
        number -= TERSE_WIDE;
        put_byte(w, TERSE_WIDE + (number >> 8));
        put_byte(w, number & 0xff);
    } else {
        put_byte(w, TERSE_WIDEST);
        for (int i = 0; i < 4; i++)
            put_byte(w, number >> 8 * i & 0xff);
    }
    w->last = '\0';
}

static void put_text(struct writer *w, const char *text, size_t size) {
    for (size_t i = 0; i < size; i++) {
        terse_name(&w->state, text[i]);
        if ((unsigned char)text[i] >= TERSE_NEW)
            put_byte(w, TERSE_BYTE);
        put_byte(w, (unsigned char)text[i]);
    }
}

/* ---- registers */

static void put_register(struct writer *w, unsigned class, uint32_t number) {
    struct buf *recent = &w->recent[class];
    uint32_t *all = (void *)recent->data;
    size_t n = recent->size / sizeof number, place = n;
    while (place > 0 && all[place - 1] != number)
        place--;
    if (place == 0) {
        buf_put(recent, &number, sizeof number);
        put_byte(w, TERSE_NEW + class);
        return;
    }
    put_byte(w, TERSE_AGAIN + class);
    put_number(w, (uint32_t)(n - place));
    terse_touch(all, n, place - 1);
}

static bool is_word(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           c == '$' || c == '.';
}

/* Reads the digits of a number below 2^31; NULL: there is none. */
static const char *read_number(const char *text, uint32_t *number) {
    char *end = NULL;
    unsigned long value = *text >= '0' && *text <= '9' ? strtoul(text, &end, 10) : 0;
    *number = (uint32_t)value;
    return end == NULL || value > INT32_MAX ? NULL : end;
}

/* Writes the register at *text, and goes behind it; false: there is none. */
static bool take_register(struct writer *w, const char **text) {
    size_t letters = strspn(*text + 1, "abcdefghijklmnopqrstuvwxyz");
    uint32_t number;
    const char *end = read_number(*text + 1 + letters, &number);
    if (end == NULL || is_word(*end))
        return false;
    for (unsigned k = 0; k < TERSE_CLASSES; k++) {
        if (strlen(terse_classes[k]) != letters ||
            memcmp(terse_classes[k], *text + 1, letters) != 0)
            continue;
        put_register(w, k, number);
        *text = end;
        return true;
    }
    return false;
}

/* ---- labels and parameters */

/* Reads a label of this function and goes behind it; false: there is none. */
static bool read_label(const struct writer *w, const char **text, uint32_t *label) {
    static const char head[] = "$L__BB";
    uint32_t function;
    if (strncmp(*text, head, sizeof head - 1) != 0)
        return false;
    const char *end = read_number(*text + sizeof head - 1, &function);
    if (end == NULL || *end != '_' || (int64_t)function != w->state.index)
        return false;
    end = read_number(end + 1, label);
    if (end == NULL || is_word(*end))
        return false;
    *text = end;
    return true;
}

static bool take_jump(struct writer *w, const char **text) {
    uint32_t label;
    if (!read_label(w, text, &label))
        return false;
    int64_t ahead = label - w->state.label;
    put_byte(w, TERSE_JUMP);
    put_number(w, (uint32_t)(ahead >= 0 ? 2 * ahead : -2 * ahead - 1));
    return true;
}

/* A line that defines a label behind the last one. */
static bool take_label(struct writer *w, const char *line, const char *end) {
    uint32_t label;
    if (!read_label(w, &line, &label) || line + 1 != end || *line != ':' || label <= w->state.label)
        return false;
    put_byte(w, TERSE_LABEL);
    put_number(w, (uint32_t)(label - w->state.label - 1));
    w->state.label = label;
    return true;
}

static bool take_parameter(struct writer *w, const char **text) {
    static const char tail[] = "_param_0";
    const struct terse_state *s = &w->state;
    size_t size = s->size + sizeof tail - 1;
    if (!s->is_named || s->size == 0 || is_word((*text)[-1]) ||
        strncmp(*text, s->name, s->size) != 0 ||
        strncmp(*text + s->size, tail, sizeof tail - 1) != 0 || is_word((*text)[size]))
        return false;
    put_byte(w, TERSE_PARAMETER);
    *text += size;
    return true;
}

/* Writes the code of what is named at *text, and goes behind it; false: there is none. */
static bool take_name(struct writer *w, const char **text) {
    switch (**text) {
    case '%': return take_register(w, text);
    case '$': return take_jump(w, text);
    }
    return **text == w->state.name[0] && take_parameter(w, text);
}

/* ---- lines */

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static bool holds(const char *line, const char *end, const char *word) {
    size_t size = strlen(word);
    return memmem(line, (size_t)(end - line), word, size) != NULL;
}

/* Writes a character, unless it is a blank that nothing needs. */
static void put_character(struct writer *w, const char *text) {
    if (is_blank(*text) && (is_blank(text[1]) || w->last == ','))
        return;
    char c = *text;
    if (c == '\t')
        c = ' ';
    put_text(w, &c, 1);
}

static void begin_body(struct writer *w) {
    put_byte(w, TERSE_BODY);
    terse_begin_body(&w->state);
    w->awaits_body = false;
    for (int k = 0; k < TERSE_CLASSES; k++)
        w->recent[k].size = 0;
}

/* Writes a line without needless blanks at its ends. */
static void put_line(struct writer *w, const char *line, const char *end) {
    if (w->awaits_body && *line == '{' && line + 1 == end) {
        begin_body(w);
        return;
    }
    if (take_label(w, line, end))
        return;
    if (*line == '.' && (holds(line, end, ".entry ") || holds(line, end, ".func "))) {
        put_byte(w, TERSE_FUNCTION);
        terse_begin_name(&w->state);
        w->awaits_body = true;
    }
    bool is_instruction = end[-1] == ';';
    end -= is_instruction;
    if (memchr(line, '"', (size_t)(end - line)) != NULL) {
        put_text(w, line, (size_t)(end - line));
        line = end;
    }
    while (line < end)
        if (!take_name(w, &line))
            put_character(w, line++);
    if (!is_instruction)
        put_byte(w, TERSE_LINE);
    else
        put_byte(w, '\n');
}

void make_terse(const struct buf *ptx, struct buf *out) {
    struct writer w = {.out = out, .state = {.is_named = true, .index = -1}};
    const char *next, *all = ptx->data + ptx->size;
    for (const char *line = ptx->data; line < all; line = next) {
        const char *end = memchr(line, '\n', (size_t)(all - line));
        if (end == NULL)
            end = all;
        next = end + 1;
        const char *first = line;
        while (line < end && is_blank(*line))
            line++;
        if (line > first && line < end && *line == '}')
            line--; /* it is not the end of a function, which keep_kernel goes by */
        while (line < end && is_blank(end[-1]))
            end--;
        if (line < end && strncmp(line, "//", 2) != 0)
            put_line(&w, line, end);
    }
    put_byte(&w, '\0');
    out->failed |= ptx->failed;
    for (int k = 0; k < TERSE_CLASSES; k++) {
        out->failed |= w.recent[k].failed;
        buf_free(&w.recent[k]);
    }
}
