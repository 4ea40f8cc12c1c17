/* cmd_build.c: `ufc build`: an object and its header, or one thing. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* dir/a.uf gives a: made in the current folder, as C compilers do. */
static char *default_prefix(const char *file) {
    const char *base = base_name(file);
    size_t n = strlen(base);
    if (n > 3 && strcmp(base + n - 3, ".uf") == 0)
        n -= 3;
    return strndup(base, n);
}

/* False after errors (reported). */
static bool compile_any(struct compilation *c, const struct arguments *args) {
    if (!compile(c, args, args->operands[0]))
        return false;
    bool empty = ufcc_function_name(c->program, 0) == NULL,
         error = args->compile.warnings_are_errors;
    if (empty)
        report(&c->report, &(ufcc_diagnostic){.severity = error ? UFCC_ERROR : UFCC_WARNING,
                                              .message = "there is no ufunc, so nothing to call"});
    return !(empty && error);
}

/* ---- one thing */

static int put(const char *path, const char *data, size_t size) {
    if (!path) {
        fwrite(data, 1, size, stdout);
        return DONE; /* main looks whether that went well */
    }
    return output_write(path, data, size) ? DONE : FAILED;
}

static int build_one(const struct arguments *args, const char *path) {
    struct compilation c;
    char *data = NULL;
    size_t size = 0;
    int status = FAILED;
    if (compile_any(&c, args) && ufcc_emit(c.program, args->emit->output, &data, &size))
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
    if (args->rule)
        return misuse(args->command, "-MD is for an object and its header, without --emit");
    if (!path && emit->output == UFCC_OBJECT && isatty(STDOUT_FILENO))
        return misuse(args->command, "--emit=obj: an object is not for a terminal; say -o FILE");
    if (args->compile.narchs > 1 && (emit->output == UFCC_PTX || emit->output == UFCC_LLVM))
        return misuse(args->command, "--emit=%s: that is made for one --arch", emit->name);
    struct arguments one = *args;
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
                fputc('\\', out); /* make halves those before a space */
            fputc('\\', out);
        } else if (*c == '#' || *c == ':')
            fputc('\\', out);
        else if (*c == '$')
            fputc('$', out);
        fputc(*c, out);
    }
}

/* PREFIX.o PREFIX.h: FILE... */
static bool write_rule(struct draft *d, const char *prefix, const ufcc_program *program,
                       const char *path) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out) {
        put_escaped(out, prefix);
        fputs(".o ", out);
        put_escaped(out, prefix);
        fputs(".h:", out);
        const char *file;
        for (int i = 0; (file = ufcc_file_name(program, i)) != NULL; i++) {
            fputc(' ', out);
            put_escaped(out, file);
        }
        fputc('\n', out);
    }
    bool written = out && fclose(out) == 0 && output_draft(d, path, text, size);
    free(text);
    return written;
}

enum { OBJECT, HEADER, RULE, NFILES };

static bool write_files(const struct arguments *args, ufcc_program *program, const char *prefix,
                        struct draft drafts[NFILES]) {
    static const struct {
        const char *suffix;
        ufcc_output output;
    } files[NFILES] = {{"o", UFCC_OBJECT}, {"h", UFCC_HEADER}, {"d", UFCC_HEADER}};
    for (int i = 0; i < NFILES; i++) {
        char *path = NULL, *data = NULL;
        size_t size = 0;
        bool written = asprintf(&path, "%s.%s", prefix, files[i].suffix) >= 0;
        if (i == RULE)
            written = written && (!args->rule || write_rule(&drafts[i], prefix, program, path));
        else
            written = written && ufcc_emit(program, files[i].output, &data, &size) &&
                      output_draft(&drafts[i], path, data, size);
        free(data);
        free(path);
        if (!written)
            return false;
    }
    return true;
}

static int build_prefix(const struct arguments *args, const char *prefix) {
    struct compilation c;
    struct draft drafts[NFILES] = {{0}};
    bool done = compile_any(&c, args) && write_files(args, c.program, prefix, drafts);
    for (int i = 0; i < NFILES; i++)
        done = done && output_keep(&drafts[i]);
    for (int i = NFILES; i-- > 0;)
        draft_end(&drafts[i]);
    compilation_end(&c);
    return done ? DONE : FAILED;
}

/* What is wrong with -o, where files beside it are made. */
static int check_prefix(const struct arguments *args, const char *output) {
    const char *base = base_name(output), *dot = strrchr(base, '.');
    struct stat st;
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
