/* compile.c: reads and checks a source; `ufc check`, which does only that. */
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"

static bool is_stream(const char *path) {
    return strcmp(path, "-") == 0;
}

/* Reads a file, or as much of it as shows that it is too large, with a NUL behind it.  NULL: errno
 * says why. */
static char *read_file(const char *path, size_t *size) {
    FILE *f = is_stream(path) ? stdin : fopen(path, "rb");
    if (!f)
        return NULL;
    size_t room = 1 << 14, n = 0, got;
    char *text = malloc(room);
    while (text && n <= UFCC_MAX_SOURCE && (got = fread(text + n, 1, room - n - 1, f)) > 0) {
        n += got;
        if (n + 1 < room)
            continue;
        char *more = realloc(text, room *= 2);
        if (!more)
            free(text);
        text = more;
    }
    int error = !text ? ENOMEM : ferror(f) ? errno : 0;
    if (f != stdin)
        fclose(f);
    if (error) {
        free(text);
        errno = error;
        return NULL;
    }
    text[n] = '\0';
    *size = n;
    return text;
}

static void diagnose(void *user, const ufcc_diagnostic *d) {
    report(&((struct compilation *)user)->report, d);
}

static void print_dump(void *user, const char *text, size_t size) {
    (void)user;
    fwrite(text, 1, size, stderr);
}

static bool colours(void) {
    const char *no = getenv("NO_COLOR");
    return (!no || !*no) && isatty(STDERR_FILENO);
}

/* The cores that this process may use. */
static int count_cores(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

bool compile(struct compilation *c, const struct arguments *args, const char *file) {
    const char *name = is_stream(file) ? "<stdin>" : file;
    *c = (struct compilation){.report = {name, args->json, colours()}, .options = args->compile};
    c->options.diagnostic = diagnose;
    c->options.dumped = print_dump;
    c->options.user = c;
    if (c->options.threads == 0)
        c->options.threads = count_cores();
    size_t size = 0;
    c->text = read_file(file, &size);
    if (!c->text) {
        char message[256];
        snprintf(message, sizeof message, "cannot be read: %s", strerror(errno));
        report(&c->report, &(ufcc_diagnostic){.severity = UFCC_ERROR, .message = message});
        return false;
    }
    c->program = ufcc_compile(name, c->text, size, &c->options);
    return c->program != NULL;
}

bool compile_any(struct compilation *c, const struct arguments *args) {
    if (!compile(c, args, args->operands[0]))
        return false;
    bool empty = ufcc_function_name(c->program, 0) == NULL,
         error = args->compile.warnings_are_errors;
    if (empty)
        report(&c->report, &(ufcc_diagnostic){.severity = error ? UFCC_ERROR : UFCC_WARNING,
                                              .message = "there is no ufunc, so nothing to call"});
    return !(empty && error);
}

bool compilation_spares(const struct compilation *c, const struct arguments *args,
                        const char *output) {
    const char *given = args->compile.libdevice, *file;
    char *found = given ? NULL : ufcc_find_libdevice();
    const char *libdevice = given ? given : found;
    bool spares = output_spares(output, args->operands[0]) &&
                  (!libdevice || output_spares(output, libdevice));
    for (int i = 1; spares && (file = ufcc_file_name(c->program, i)) != NULL; i++)
        spares = output_spares(output, file);
    free(found);
    return spares;
}

void compilation_end(struct compilation *c) {
    ufcc_free(c->program);
    free(c->text);
}

int command_check(const struct arguments *args) {
    if (args->noperands == 0)
        return misuse(args->command, "no file is given");
    int status = DONE;
    for (int i = 0; i < args->noperands; i++) {
        struct compilation c;
        if (!compile(&c, args, args->operands[i]))
            status = FAILED;
        compilation_end(&c);
    }
    return status;
}
