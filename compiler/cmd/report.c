/* report.c: prints diagnostics as C compilers do, or as JSON. */
#include <string.h>

#include "cmd.h"

/* How many of n > 0 bytes at s make a UTF-8 character; 0: it is malformed. */
static size_t utf8_length(const char *s, size_t n) {
    unsigned char c = (unsigned char)*s;
    size_t length = c < 0x80 ? 1 : c < 0xC2 ? 0 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : c < 0xF5 ? 4 : 0;
    if (length > n)
        return 0;
    for (size_t i = 1; i < length; i++)
        if (((unsigned char)s[i] & 0xC0) != 0x80)
            return 0;
    unsigned char second = length > 2 ? (unsigned char)s[1] : 0x80;
    bool overlong = (c == 0xE0 && second < 0xA0) || (c == 0xF0 && second < 0x90);
    bool surrogate = c == 0xED && second > 0x9F, too_large = c == 0xF4 && second > 0x8F;
    return length > 2 && (overlong || surrogate || too_large) ? 0 : length;
}

/* ---- text */

/* Prints text, or, if out is NULL, only counts columns.  Gives the column behind it.  Tabs extend
 * to the next multiple of eight; a character that would confuse a terminal is shown as its code. */
static int show(FILE *out, const char *s, size_t n, int column) {
    for (size_t length; n > 0; s += length, n -= length) {
        char name[16] = "";
        unsigned char c = (unsigned char)*s;
        length = utf8_length(s, n);
        int columns = 1;
        if (c == '\t')
            columns = snprintf(name, sizeof name, "%*s", 8 - column % 8, "");
        else if (length == 0 || c < ' ' || c == 0x7F)
            columns = snprintf(name, sizeof name, "<%02X>", c);
        else if (length == 2 && c == 0xC2 && (unsigned char)s[1] < 0xA0) /* C1 control characters */
            columns = snprintf(name, sizeof name, "<U+%04X>", (unsigned char)s[1]);
        if (length == 0)
            length = 1;
        if (out && *name)
            fputs(name, out);
        else if (out)
            fwrite(s, 1, length, out);
        column += columns;
    }
    return column;
}

static void repeat(char c, int n) {
    while (n-- > 0)
        fputc(c, stderr);
}

/* How many bytes of text that begins at a column end at or before another column. */
static size_t bytes_until(const char *s, size_t n, int column, int until) {
    size_t size = 0;
    while (size < n) {
        size_t length = utf8_length(s + size, n - size);
        length = length > 0 ? length : 1;
        column = show(NULL, s + size, length, column);
        if (column > until)
            break;
        size += length;
    }
    return size;
}

/* Prints a line, or the part of a long line around the place, and carets under the place. */
static void show_source(const ufcc_diagnostic *d, const char *on, const char *off) {
    enum { WIDEST = 160, BEFORE = 60 };
    size_t begin = (size_t)d->column - 1, end = (size_t)d->end_column - 1, first = 0;
    size_t last = d->source_size;
    if (end > last || d->end_line > d->line)
        end = last;
    if (begin > end)
        begin = end;
    int from = show(NULL, d->source, begin, 0), left = 0;
    if (show(NULL, d->source, last, 0) > WIDEST) {
        first = bytes_until(d->source, begin, 0, from - BEFORE);
        left = show(NULL, d->source, first, 0);
        last = first + bytes_until(d->source + first, last - first, left, left + WIDEST);
        end = end < last ? end : last;
    }
    fprintf(stderr, "%5d | %s", d->line, first > 0 ? "..." : "");
    show(stderr, d->source + first, last - first, left);
    fprintf(stderr, "%s\n%5s | ", last < d->source_size ? "..." : "", "");
    int to = show(NULL, d->source + begin, end - begin, from);
    repeat(' ', from - left + (first > 0 ? 3 : 0));
    fprintf(stderr, "%s^", on);
    repeat('~', to - from - 1);
    fprintf(stderr, "%s\n", off);
}

static const char *const severity_name[] = {
    [UFCC_ERROR] = "error",
    [UFCC_WARNING] = "warning",
    [UFCC_NOTE] = "note",
};

static void report_text(const struct report *r, const ufcc_diagnostic *d) {
    static const char *const colours[] = {
        [UFCC_ERROR] = "\33[1;31m",
        [UFCC_WARNING] = "\33[1;35m",
        [UFCC_NOTE] = "\33[1;36m",
    };
    const char *bold = r->colour ? "\33[1m" : "", *off = r->colour ? "\33[m" : "";
    const char *on = r->colour ? colours[d->severity] : "";
    fprintf(stderr, "%s%s:", bold, d->file ? d->file : r->file);
    if (d->file)
        fprintf(stderr, "%d:%d:", d->line, d->column);
    fprintf(stderr, "%s %s%s:%s %s", off, on, severity_name[d->severity], off, bold);
    show(stderr, d->message, strlen(d->message), 1); /* the column matters only for tabs */
    fputs(off, stderr);
    if (d->warning)
        fprintf(stderr, " [%s%s-W%s%s]", on, d->severity == UFCC_ERROR ? "-Werror," : "",
                d->warning, off);
    fputc('\n', stderr);
    if (d->file && d->source)
        show_source(d, on, off);
}

/* ---- JSON */

void put_json(const char *s) {
    size_t n = strlen(s);
    putchar('"');
    for (size_t length; n > 0; s += length, n -= length) {
        unsigned char c = (unsigned char)*s;
        length = utf8_length(s, n);
        if (length == 0)
            fputs("\\ufffd", stdout);
        else if (c < ' ' || c == 0x7F)
            printf("\\u%04x", c);
        else if (c == '"' || c == '\\')
            printf("\\%c", c);
        else
            fwrite(s, 1, length, stdout);
        if (length == 0)
            length = 1;
    }
    putchar('"');
}

static void report_json(const struct report *r, const ufcc_diagnostic *d) {
    printf("{\"severity\":\"%s\",\"message\":", severity_name[d->severity]);
    put_json(d->message);
    if (d->warning) {
        fputs(",\"warning\":", stdout);
        put_json(d->warning);
    }
    fputs(",\"file\":", stdout);
    put_json(d->file ? d->file : r->file);
    if (d->file)
        printf(",\"line\":%d,\"column\":%d,\"endLine\":%d,\"endColumn\":%d", d->line, d->column,
               d->end_line, d->end_column);
    puts("}");
}

void report(const struct report *r, const ufcc_diagnostic *d) {
    if (r->json)
        report_json(r, d);
    else
        report_text(r, d);
}
