/* cmd_output.c: files that are written, and take their places when all are made. */
#include <string.h>

#include "cmd.h"

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
