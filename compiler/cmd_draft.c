/* cmd_draft.c: files that are written beside their places and put there when all are made. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"

static bool cannot_write(const char *path) {
    complain("cannot write '%s': %s", path, strerror(errno));
    return false;
}

static bool write_all(int fd, const char *data, size_t size) {
    while (size > 0) {
        ssize_t n = write(fd, data, size);
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0) {
            data += n;
            size -= (size_t)n;
        }
    }
    return true;
}

static bool write_and_close(int fd, const char *data, size_t size) {
    bool written = write_all(fd, data, size);
    int error = errno;
    if (close(fd) == 0 && written)
        return true;
    if (!written)
        errno = error;
    return false;
}

static mode_t new_mode(void) {
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static int open_beside(struct draft *d, mode_t mode) {
    if (asprintf(&d->temp, "%s.XXXXXX", d->path) < 0) {
        d->temp = NULL;
        errno = ENOMEM;
        return -1;
    }
    int fd = mkostemp(d->temp, O_CLOEXEC);
    if (fd >= 0 && fchmod(fd, mode) == 0)
        return fd;
    int error = errno;
    if (fd >= 0) {
        close(fd);
        unlink(d->temp);
    }
    free(d->temp);
    d->temp = NULL;
    errno = error;
    return -1;
}

bool draft_write(struct draft *d, const char *path, const char *data, size_t size) {
    struct stat st;
    bool there = stat(path, &st) == 0;
    d->path = there ? realpath(path, NULL) : strdup(path); /* of a link, the file */
    if (!d->path)
        return cannot_write(path);
    /* A pipe, a device or a folder cannot be replaced. */
    int fd = there && !S_ISREG(st.st_mode)
                 ? open(path, O_WRONLY | O_CLOEXEC)
                 : open_beside(d, there ? st.st_mode & 07777 : new_mode());
    return (fd >= 0 && write_and_close(fd, data, size)) || cannot_write(path);
}

bool draft_keep(struct draft *d) {
    if (d->temp && rename(d->temp, d->path) != 0)
        return cannot_write(d->path);
    free(d->temp);
    d->temp = NULL;
    return true;
}

void draft_end(struct draft *d) {
    if (d->temp)
        unlink(d->temp);
    free(d->temp);
    free(d->path);
}
