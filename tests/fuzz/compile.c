/* compile.c: whatever the bytes, the compiler gives a program or errors, and never crashes.
 *
 * With -DFUZZER and clang's -fsanitize=fuzzer this is a fuzz target; else a test of its own:
 *
 *     compile COUNT FOLDER     COUNT mutations of the .uf files below FOLDER */
#include <dirent.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include "../test.h"
#include "ufcc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
    int errors;
    bool malformed;
};

static void report(void *user, const ufcc_diagnostic *d) {
    struct seen *seen = user;
    seen->errors += d->severity == UFCC_ERROR;
    if (!d->message || !*d->message || strlen(d->message) > 4000)
        seen->malformed = true;
    if (d->file && (d->line < 1 || d->column < 1 || (size_t)d->column > d->source_size + 2 ||
                    d->end_line < d->line || (d->end_line == d->line && d->end_column < d->column)))
        seen->malformed = true;
}

static void drop(void *user, const char *text, size_t size) {
    (void)user, (void)text, (void)size;
}

/* What is wrong with the compiler's answer, or NULL. */
static const char *compile(const uint8_t *data, size_t size, bool generate) {
    struct seen seen = {0};
    ufcc_options options = {.diagnostic = report, .dumped = drop, .user = &seen, .dump = "tayp"};
    const char *wrong = NULL;
    ufcc_program *program = ufcc_compile("fuzz.uf", (const char *)data, size, &options);
    if (!program && !seen.errors)
        wrong = "no program, and no error";
    if (program && seen.errors)
        wrong = "a program, and errors";
    for (ufcc_output o = UFCC_HEADER; program && generate && o <= UFCC_PTX; o++) {
        char *text = NULL;
        size_t length;
        if (ufcc_emit(program, o, &text, &length))
            free(text);
        else if (!seen.errors)
            wrong = "no output, and no error";
    }
    ufcc_free(program);
    return seen.malformed ? "a malformed diagnostic" : wrong;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (compile(data, size, false))
        abort();
    return 0;
}

#ifndef FUZZER

enum { MAX_FILES = 512, MAX_SIZE = 1 << 16, GENERATE_EVERY = 16 };

static struct {
    uint8_t *text;
    size_t size;
} sources[MAX_FILES];
static size_t nsources;
static uint64_t stream, position;

static uint64_t dice(uint64_t n) {
    return n ? random_bits(stream, position++) % n : 0;
}

static void read_source(const char *path) {
    FILE *f = fopen(path, "rb");
    REQUIRE(f);
    uint8_t *text = malloc(MAX_SIZE);
    REQUIRE(text);
    sources[nsources].text = text;
    sources[nsources++].size = fread(text, 1, MAX_SIZE / 2, f);
    fclose(f);
}

static void collect(const char *folder) {
    DIR *dir = opendir(folder);
    if (!dir)
        return;
    for (struct dirent *e; (e = readdir(dir)) && nsources < MAX_FILES;) {
        char path[4096];
        struct stat info;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        size_t length = strlen(e->d_name);
        if (*e->d_name == '.' || strncmp(e->d_name, "build", 5) == 0 || stat(path, &info) != 0)
            continue;
        if (S_ISDIR(info.st_mode))
            collect(path);
        else if (length > 3 && strcmp(e->d_name + length - 3, ".uf") == 0)
            read_source(path);
    }
    closedir(dir);
}

static const char *const words[] = {
    "ufunc",    "def",    "const",   "with",        "let",
    "var",      "if",     "elif",    "else",        "while",
    "for",      "in",     "break",   "return",      "and",
    "or",       "not",    "True",    "**",          "//",
    "<<",       "..",     "->",      "(",           ")",
    "{",        "}",      "[",       "]",           ",",
    ":",        ";",      "=",       "+=",          "==",
    "\n",       "#",      "1e999",   "0x",          "99999999999999999999999999999999999999999",
    ".5",       "1..2",   "\xff",    "\xc3\xa9",    "float32",
    "int8",     "bool",   "T",       "number",      "for T in integer",
    "dtype(x)", "-",      "~",       "sin",         "%",
    "gufunc",   "n?",     "[n]",     "[3]",         "[m, n]",
    "void(",    "[:]",    "x[i]",    "[:, :]",      "for v in x",
    "for i",    "x[0]",   "sum(",    "argmax(",     "reduce(f, 0, ",
    "y[i] =",   "-> y",   "mean(",   "for i, j",    "-> (y, z[n])",
    "(0, 1)",   "a, b =", "[1, 2]",  "len(x)",      "const A = [1, [2, 3]]",
    "'A'",      "bits(",  "max(a, ", ", U in int8", "assert x, \"t\"",
    "import",   "\"x\"",  "\0"};

/* Replaces `gone` bytes at a place by others. */
static size_t splice(uint8_t *text, size_t size, size_t at, size_t gone, const void *with,
                     size_t n) {
    if (size - gone + n > MAX_SIZE)
        return size;
    memmove(text + at + n, text + at + gone, size - at - gone);
    memcpy(text + at, with, n);
    return size - gone + n;
}

static size_t deepen(uint8_t *text, size_t size) {
    static const char *const pairs[] = {"(",      "-", "not ", "{",
                                        "if x {", "[", "2**",  "1 if x else "};
    const char *open = pairs[dice(sizeof pairs / sizeof *pairs)];
    size_t at = (size_t)dice(size + 1);
    for (int i = 0; i < 3000; i++)
        size = splice(text, size, at, 0, open, strlen(open));
    return size;
}

static size_t mutate(uint8_t *text, size_t size) {
    size_t at = (size_t)dice(size + 1), length = (size_t)dice(size - at < 40 ? size - at + 1 : 40);
    uint8_t byte = (uint8_t)dice(256), piece[256];
    const char *word = words[dice(sizeof words / sizeof *words)];
    size_t other = (size_t)dice(nsources), from = (size_t)dice(sources[other].size);
    size_t many =
        sources[other].size - from < sizeof piece ? sources[other].size - from : sizeof piece;
    switch (dice(8)) {
    case 0: return at; /* cut off */
    case 1: return at < size ? splice(text, size, at, 1, &byte, 1) : size;
    case 2: return splice(text, size, at, length, "", 0);
    case 3:
    case 4: return splice(text, size, at, dice(2) ? length : 0, word, strlen(word));
    case 5:
        memcpy(piece, sources[other].text + from, many);
        return splice(text, size, at, 0, piece, many);
    case 6:
        memcpy(piece, text + at, length);
        return splice(text, size, (size_t)dice(size), 0, piece, length);
    default: return dice(10) ? splice(text, size, at, 0, &byte, 1) : deepen(text, size);
    }
}

int main(int argc, char **argv) {
    REQUIRE(argc == 3);
    collect(argv[2]);
    REQUIRE(nsources > 0);
    static uint8_t text[2 * MAX_SIZE];
    long count = strtol(argv[1], NULL, 10);
    for (long i = 0; i < count; i++) {
        stream = (uint64_t)i + 1, position = 0;
        size_t which = (size_t)dice(nsources), size = sources[which].size;
        memcpy(text, sources[which].text, size);
        for (uint64_t n = 1 + dice(4); n > 0; n--)
            size = mutate(text, size);
        const char *wrong = compile(text, size, i % GENERATE_EVERY == 0);
        if (wrong) {
            printf("mutation %ld: %s:\n%.*s\n", i, wrong, (int)size, (char *)text);
            test_failures++;
        }
    }
    printf("%ld mutations of %zu files\n", count, nsources);
    return test_failures > 0;
}

#endif
