/* terse.c: PTX is the same, blanks, comments and numbers of registers apart, after it was written
 * as objects have it: terse FILE.ptx [EXPANDED].  With a second file what became of it is written
 * there. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "object.h"
#include "ufc.h"

/* of code.h, which cannot be beside object.h */
ufc_status expand_ptx(const char *text, size_t size, char **ptx);

static _Noreturn void die(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    puts("");
    exit(1);
}

static struct buf read_file(const char *name) {
    struct buf text = {.data = NULL};
    char data[4096];
    FILE *f = fopen(name, "r");
    for (size_t n; f && (n = fread(data, 1, sizeof data, f)) > 0;)
        buf_put(&text, data, n);
    if (!f || text.failed || text.size == 0)
        die("cannot read %s", name);
    fclose(f);
    return text;
}

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.';
}

/* Goes to the next token; gives its size, 0 at the end. */
static size_t next_token(const char **at) {
    for (;;) {
        *at += strspn(*at, " \t\n");
        if (strncmp(*at, "//", 2) != 0)
            break;
        *at += strcspn(*at, "\n");
    }
    const char *end = *at;
    if (*end == '"')
        return 2 + strcspn(end + 1, "\"");
    while (is_word(*end))
        end++;
    return end > *at ? (size_t)(end - *at) : *end != '\0';
}

/* "%rd12": the size of "%rd"; 0: no numbered register. */
static size_t class_size(const char *token, size_t size) {
    size_t letters = *token == '%' ? strspn(token + 1, "abcdefghijklmnopqrstuvwxyz") + 1 : 0;
    return letters > 0 && letters < size && strspn(token + letters, "0123456789") == size - letters
               ? letters
               : 0;
}

/* Which registers of the one text are which of the other, in a function. */
static struct pair { char before[16], after[16]; } pairs[1 << 16];
static size_t npairs;

static bool is_renamed(const char *a, size_t na, const char *b, size_t nb) {
    size_t letters = class_size(a, na);
    if (letters == 0 || class_size(b, nb) != letters || memcmp(a, b, letters) != 0 || na > 15 ||
        nb > 15)
        return false;
    for (size_t i = npairs; i-- > 0;) {
        bool before = strlen(pairs[i].before) == na && memcmp(pairs[i].before, a, na) == 0;
        bool after = strlen(pairs[i].after) == nb && memcmp(pairs[i].after, b, nb) == 0;
        if (before || after)
            return before && after;
    }
    struct pair *p = &pairs[npairs++];
    memcpy(p->before, a, na);
    memcpy(p->after, b, nb);
    p->before[na] = p->after[nb] = '\0';
    return npairs < sizeof pairs / sizeof *pairs;
}

static void compare(const char *before, const char *after) {
    size_t na, nb;
    do {
        na = next_token(&before);
        nb = next_token(&after);
        if ((na != nb || memcmp(before, after, na) != 0)
                ? !is_renamed(before, na, after, nb)
                : class_size(before, na) > 0 && !is_renamed(before, na, after, nb))
            die("'%.60s' became '%.60s'", before, after);
        if ((na == 6 && memcmp(before, ".entry", na) == 0) ||
            (na == 5 && memcmp(before, ".func", na) == 0))
            npairs = 0;
        before += na;
        after += nb;
    } while (na > 0);
}

/* Lines that begin so. */
static int count_lines(const char *text, const char *head) {
    int n = 0;
    for (const char *line = text; line; line = strchr(line, '\n'), line += line != NULL)
        n += strncmp(line, head, strlen(head)) == 0;
    return n;
}

int main(int argc, char **argv) {
    if (argc < 2)
        die("terse FILE.ptx [EXPANDED]");
    struct buf ptx = read_file(argv[1]), text = {.data = NULL}, again = {.data = NULL};
    char *expanded;
    make_terse(&ptx, &text);
    if (text.failed || expand_ptx(text.data, text.size, &expanded) != UFC_OK)
        die("%s: it has no terse form", argv[1]);
    compare(ptx.data, expanded);
    if (count_lines(ptx.data, "}") != count_lines(expanded, "}") ||
        count_lines(ptx.data, ".visible .entry ") != count_lines(expanded, ".visible .entry "))
        die("%s: kernels end elsewhere", argv[1]);
    struct buf whole = {.data = expanded, .size = strlen(expanded)};
    make_terse(&whole, &again);
    if (again.size != text.size || memcmp(again.data, text.data, text.size) != 0)
        die("%s: what is expanded has another terse form", argv[1]);
    for (size_t cut = 0; cut < text.size; cut += 1 + cut / 16) { /* which is damaged, or less */
        char *less = NULL, c = text.data[cut];
        text.data[cut] = '\0';
        if (expand_ptx(text.data, cut + 1, &less) == UFC_OK)
            free(less);
        text.data[cut] = c;
    }
    FILE *f = argc > 2 ? fopen(argv[2], "w") : NULL;
    if (argc > 2 && (!f || fputs(expanded, f) < 0 || fclose(f) != 0))
        die("cannot write %s", argv[2]);
    buf_free(&ptx);
    buf_free(&text);
    buf_free(&again);
    free(expanded);
    return 0;
}
