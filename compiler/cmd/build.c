/* build.c: `ufc build`: an object and its header, or a single output. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The prefix `a` for dir/a.uf: like C compilers, it writes to the current folder. */
static char *default_prefix(const char *file) {
    const char *base = base_name(file);
    size_t n = strlen(base);
    if (n > 3 && strcmp(base + n - 3, ".uf") == 0)
        n -= 3;
    return strndup(base, n);
}

/* ---- a single output */

static int put(const char *path, const char *data, size_t size) {
    if (!path) {
        fwrite(data, 1, size, stdout);
        return DONE; /* main checks whether the writing succeeded */
    }
    return output_write(path, data, size) ? DONE : FAILED;
}

static int build_one(const struct arguments *args, const char *path) {
    struct compilation c;
    char *data = NULL;
    size_t size = 0;
    int status = FAILED;
    if (compile_any(&c, args) && compilation_spares(&c, args, path ? path : "-") &&
        ufcc_emit(c.program, args->emit->output, &data, &size))
        status = put(path, data, size);
    free(data);
    compilation_end(&c);
    return status;
}

static int emit_one(const struct arguments *args) {
    const struct emission *emit = args->emit;
    const char *path = args->noutputs ? args->outputs[0] : "-";
    if (strcmp(path, "-") == 0)
        path = NULL;
    if (args->rule || args->phony)
        return misuse(args->command,
                      "-MD and -MP are for an object and its header, without --emit");
    if (!path && emit->output == UFCC_OBJECT && isatty(STDOUT_FILENO))
        return misuse(args->command, "--emit=obj: an object is not for a terminal; say -o FILE");
    if (args->compile.narchs > 1 && (emit->output == UFCC_PTX || emit->output == UFCC_LLVM))
        return misuse(args->command, "--emit=%s: that is made for one --arch", emit->name);
    struct arguments one = *args;
    if (strcmp(args->operands[0], "-") == 0 && !one.compile.prefix)
        one.compile.prefix = "stdin";
    if (emit->targets) {
        if (args->compile.targets && !(args->compile.targets & emit->targets))
            return misuse(args->command, "--emit=%s: that is not made for this --target",
                          emit->name);
        one.compile.targets = emit->targets;
    }
    return build_one(&one, path);
}

/* ---- an object and its header */

static void put_escaped(FILE *out, const char *path) {
    for (const char *c = path; *c; c++) {
        if (*c == ' ' || *c == '\t') {
            for (const char *b = c; b > path && b[-1] == '\\'; b--)
                fputc('\\', out); /* make halves backslashes that precede a space */
            fputc('\\', out);
        } else if (*c == '#' || *c == ':')
            fputc('\\', out);
        else if (*c == '$')
            fputc('$', out);
        fputc(*c, out);
    }
}

/* Writes the rule PREFIX.o PREFIX.h: FILE..., and, with -MP, an empty rule for each imported file,
 * so that make does not stop if one is gone. */
static bool write_rule(struct draft *d, const struct arguments *args, const char *prefix,
                       const ufcc_program *program, const char *path) {
    bool named = strcmp(args->operands[0], "-") != 0; /* standard input has no name */
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out) {
        put_escaped(out, prefix);
        fputs(".o ", out);
        put_escaped(out, prefix);
        fputs(".h:", out);
        const char *file;
        for (int i = !named; (file = ufcc_file_name(program, i)) != NULL; i++) {
            fputc(' ', out);
            put_escaped(out, file);
        }
        fputc('\n', out);
        for (int i = 1; args->phony && (file = ufcc_file_name(program, i)) != NULL; i++) {
            fputc('\n', out);
            put_escaped(out, file);
            fputs(":\n", out);
        }
    }
    bool written = out && fclose(out) == 0 && output_draft(d, path, text, size);
    free(text);
    return written;
}

enum { OBJECT, HEADER, RULE, NFILES };

/* Makes one of the files as a draft of path.  False after an error, which is printed. */
static bool make_file(const struct arguments *args, ufcc_program *program, const char *prefix,
                      int file, const char *path, struct draft *d) {
    if (file == RULE)
        return !args->rule || write_rule(d, args, prefix, program, path);
    char *data = NULL;
    size_t size = 0;
    bool made = ufcc_emit(program, file == OBJECT ? UFCC_OBJECT : UFCC_HEADER, &data, &size) &&
                output_draft(d, path, data, size);
    free(data);
    return made;
}

static bool write_files(const struct arguments *args, const struct compilation *c,
                        const char *prefix, struct draft drafts[NFILES]) {
    char *paths[NFILES] = {NULL};
    bool well = true;
    for (int i = 0; i < NFILES && well; i++) {
        if (asprintf(&paths[i], "%s.%c", prefix, "ohd"[i]) < 0) {
            paths[i] = NULL;
            complain("out of memory");
        }
        well = paths[i] && ((i == RULE && !args->rule) || compilation_spares(c, args, paths[i]));
    }
    for (int i = 0; i < NFILES && well; i++)
        well = make_file(args, c->program, prefix, i, paths[i], &drafts[i]);
    for (int i = 0; i < NFILES; i++)
        free(paths[i]);
    return well;
}

static int build_prefix(const struct arguments *args, const char *prefix) {
    struct compilation c;
    struct draft drafts[NFILES] = {{0}};
    bool done = compile_any(&c, args) && write_files(args, &c, prefix, drafts);
    for (int i = 0; i < NFILES; i++)
        done = done && output_keep(&drafts[i]);
    for (int i = NFILES; i-- > 0;)
        draft_end(&drafts[i]);
    compilation_end(&c);
    return done ? DONE : FAILED;
}

/* Checks the -o of an object and its header, whose names it begins. */
static int check_prefix(const struct arguments *args, const char *output) {
    const char *base = base_name(output), *dot = strrchr(base, '.');
    struct stat st;
    if (strcmp(output, "-") == 0)
        return misuse(args->command,
                      "-o -: that is for one thing; say --emit=obj or --emit=header");
    if (!*base || (stat(output, &st) == 0 && S_ISDIR(st.st_mode)))
        return misuse(args->command, "-o %s: that is a folder; say its name and a prefix", output);
    if (dot && dot > base && (strcmp(dot, ".o") == 0 || strcmp(dot, ".h") == 0))
        return misuse(args->command, "-o %s: say the prefix of both files, -o %.*s", output,
                      (int)(dot - output), output);
    if (stat(output, &st) == 0 && !S_ISREG(st.st_mode))
        return misuse(args->command, "-o %s: that is no prefix of files; with --emit it is a file",
                      output);
    return DONE;
}

static int build(const struct arguments *args) {
    const char *output = args->noutputs ? args->outputs[0] : NULL;
    int status = output ? check_prefix(args, output) : DONE;
    if (status != DONE)
        return status;
    if (args->phony && !args->rule)
        return misuse(args->command, "-MP adds to the file that -MD writes: say both");
    if (!output && strcmp(args->operands[0], "-") == 0)
        return misuse(args->command, "standard input has no name: say -o PREFIX");
    char *own = default_prefix(args->operands[0]);
    struct arguments named = *args;
    if (output && !args->compile.prefix)
        named.compile.prefix = base_name(output);
    status = own ? build_prefix(&named, output ? output : own) : complain("out of memory");
    free(own);
    return status;
}

int command_build(const struct arguments *args) {
    if (args->noperands != 1)
        return misuse(args->command,
                      args->noperands ? "one file at a time, not %d" : "no file is given",
                      args->noperands);
    if (args->noutputs > 1)
        return misuse(args->command, "-o is given twice");
    if (args->compile.narchs && args->compile.targets == UFCC_HOST)
        return misuse(args->command, "--arch is for --target=cuda");
    return args->emit ? emit_one(args) : build(args);
}
