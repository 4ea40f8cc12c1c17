/* diag.c: diagnostics: a span and a format become a call of the caller's callback. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "uc.h"

const struct warning_info warning_info[W_COUNT] = {
#define WARNING(ID, name, on) [W_##ID] = {name, on},
#include "warning.def"
#undef WARNING
};

enum warning warning_named(const char *name) {
    for (int w = W_NONE + 1; w < W_COUNT; w++)
        if (strcmp(warning_info[w].name, name) == 0)
            return (enum warning)w;
    return W_NONE;
}

static const struct file *file_at(const struct uc *uc, uint32_t offset) {
    const struct file *f = uc->files;
    while (f->next && offset > f->end)
        f = f->next;
    return f;
}

/* The first byte of the line that contains offset, and the line's number in its file. */
static uint32_t line_begin(struct uc *uc, uint32_t offset, int *line) {
    const char *text = uc->src.text;
    const struct file *f = file_at(uc, offset);
    if (uc->diag.line == 0 || offset < uc->diag.line_begin || uc->diag.line_begin < f->begin) {
        uc->diag.line = 1;
        uc->diag.line_begin = f->begin;
    }
    uint32_t begin = uc->diag.line_begin;
    for (const char *end; (end = memchr(text + begin, '\n', offset - begin)) != NULL;) {
        begin = (uint32_t)(end + 1 - text);
        uc->diag.line++;
    }
    uc->diag.line_begin = begin;
    *line = uc->diag.line;
    return begin;
}

const struct file *locate(struct uc *uc, uint32_t offset, int *line, int *column) {
    *column = (int)(offset - line_begin(uc, offset, line)) + 1;
    return file_at(uc, offset);
}

static void place(struct uc *uc, struct span at, ufcc_diagnostic *d) {
    const char *text = uc->src.text;
    locate(uc, at.end, &d->end_line, &d->end_column);
    uint32_t begin = line_begin(uc, at.begin, &d->line);
    const struct file *file = file_at(uc, at.begin);
    const char *end = memchr(text + begin, '\n', file->end - begin);
    if (!end)
        end = text + file->end;
    if (end > text + begin && end[-1] == '\r')
        end--;
    d->file = file->name;
    d->column = (int)(at.begin - begin) + 1;
    d->source = text + begin;
    d->source_size = (size_t)(end - d->source);
}

/* Allocates nothing but for a very long message, so that it can report that memory is out. */
static void send(struct uc *uc, ufcc_diagnostic *d, const char *format, va_list args) {
    if (!uc->options->diagnostic)
        return;
    char line[1024], *longer = NULL;
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(line, sizeof line, format, args);
    if (n >= (int)sizeof line && (longer = malloc((size_t)n + 1)) != NULL)
        vsnprintf(longer, (size_t)n + 1, format, again);
    va_end(again);
    d->message = longer ? longer : line;
    uc->options->diagnostic(uc->options->user, d);
    free(longer);
}

static void sendf(struct uc *uc, ufcc_diagnostic *d, const char *format, ...) {
    va_list args;
    va_start(args, format);
    send(uc, d, format, args);
    va_end(args);
}

/* Counts an error; false: enough errors were shown. */
static bool count_error(struct uc *uc) {
    uc->nerrors++;
    if (uc->nerrors == MAX_ERRORS + 1)
        sendf(uc, &(ufcc_diagnostic){.severity = UFCC_ERROR},
              "too many errors; only the first %d are shown", MAX_ERRORS);
    return uc->nerrors <= MAX_ERRORS;
}

void diag_grow(struct uc *uc, size_t size) {
    for (int w = 0; w < W_COUNT; w++) {
        uint8_t *bits = arena_alloc(uc, size / 8 + 1);
        if (uc->diag.reported[w])
            memcpy(bits, uc->diag.reported[w], uc->src.size / 8 + 1);
        uc->diag.reported[w] = bits;
    }
}

/* Marks a place as reported for a warning, or for errors.  Whether it was reported before. */
static bool reported_before(struct uc *uc, enum warning w, uint32_t offset) {
    uint8_t **bits = &uc->diag.reported[w];
    if (!*bits)
        *bits = arena_alloc(uc, uc->src.size / 8 + 1);
    uint8_t bit = (uint8_t)(1u << offset % 8);
    bool before = (*bits)[offset / 8] & bit;
    (*bits)[offset / 8] |= bit;
    return before;
}

/* Shows an error or a warning, unless its place was reported before or there are too many
 * errors. */
static void report(struct uc *uc, enum warning w, ufcc_severity severity, struct span at,
                   const char *format, va_list args) {
    uc->diag.muted = reported_before(uc, w, at.begin);
    if (uc->diag.muted) {
        if (severity == UFCC_ERROR && uc->nerrors == 0)
            uc->nerrors = 1; /* shown by an earlier call of the library, which it fails too */
        return;
    }
    uc->npromoted += w != W_NONE && severity == UFCC_ERROR;
    if (severity == UFCC_ERROR && !count_error(uc)) {
        uc->diag.muted = true;
        return;
    }
    ufcc_diagnostic d = {.severity = severity, .warning = warning_info[w].name};
    place(uc, at, &d);
    send(uc, &d, format, args);
}

void error(struct uc *uc, struct span at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    report(uc, W_NONE, UFCC_ERROR, at, format, args);
    va_end(args);
}

void warn(struct uc *uc, enum warning w, struct span at, const char *format, ...) {
    uc->diag.muted = !uc->warning_on[w];
    if (uc->diag.muted)
        return;
    va_list args;
    va_start(args, format);
    report(uc, w, uc->options->warnings_are_errors ? UFCC_ERROR : UFCC_WARNING, at, format, args);
    va_end(args);
}

void note(struct uc *uc, struct span at, const char *format, ...) {
    if (uc->diag.muted)
        return;
    ufcc_diagnostic d = {.severity = UFCC_NOTE};
    place(uc, at, &d);
    va_list args;
    va_start(args, format);
    send(uc, &d, format, args);
    va_end(args);
}

void error_nowhere(struct uc *uc, const char *format, ...) {
    uc->diag.muted = !count_error(uc);
    if (uc->diag.muted)
        return;
    va_list args;
    va_start(args, format);
    send(uc, &(ufcc_diagnostic){.severity = UFCC_ERROR}, format, args);
    va_end(args);
}

static bool continues_character(char c) {
    return ((unsigned char)c & 0xc0) == 0x80;
}

size_t whole_characters(const char *text, size_t size) {
    enum { LONGEST = 4 };
    size_t n = size;
    while (n > 0 && size - n < LONGEST - 1 && continues_character(text[n]))
        n--;
    return continues_character(text[n]) ? size : n;
}
