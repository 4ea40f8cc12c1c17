/* output.c: writes outputs as drafts, which get their names when all are made; none may be a file
 * that was read. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"

/* Identifies the file that a path leads to, or a stream if the path is "-".  False: there is none,
 * or it is a pipe or a device. */
static bool identify(const char *path, int stream, struct stat *st) {
    int status = strcmp(path, "-") == 0 ? fstat(stream, st) : stat(path, st);
    return status == 0 && S_ISREG(st->st_mode);
}

bool output_spares(const char *output, const char *input) {
    struct stat to, from;
    if (!identify(output, STDOUT_FILENO, &to) || !identify(input, STDIN_FILENO, &from) ||
        to.st_ino != from.st_ino || to.st_dev != from.st_dev)
        return true;
    const char *name = strcmp(output, "-") == 0 ? "standard output" : output;
    if (strcmp(output, input) == 0)
        complain("'%s' is read, so it is not written: name another file", name);
    else
        complain("'%s' is the file '%s', which is read, so it is not written: name another file",
                 name, strcmp(input, "-") == 0 ? "standard input" : input);
    return false;
}

static bool cannot_write(const char *path, int error) {
    complain("cannot write '%s': %s", path, strerror(error));
    return false;
}

bool output_draft(struct draft *d, const char *path, const char *data, size_t size) {
    int error = draft_open(d, path);
    if (!error)
        error = write_all(d->fd, data, size);
    return !error || cannot_write(path, error);
}

bool output_keep(struct draft *d) {
    int error = draft_keep(d);
    return !error || cannot_write(d->path, error);
}

bool output_write(const char *path, const char *data, size_t size) {
    struct draft d;
    bool kept = output_draft(&d, path, data, size) && output_keep(&d);
    draft_end(&d);
    return kept;
}
