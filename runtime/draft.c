/* draft.c: files that take their place when they are whole; see draft.h. */
#include "draft.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int write_all(int fd, const void *data, size_t size) {
    for (const char *from = data; size > 0;) {
        ssize_t n = write(fd, from, size);
        if (n < 0 && errno != EINTR)
            return errno;
        if (n > 0) {
            from += n;
            size -= (size_t)n;
        }
    }
    return 0;
}

/* ---- signals */

/* Blocks this thread's signals.  The library's other threads block all signals, so that in a
 * program without threads of its own signals wait. */
static void hold_signals(struct draft *d) {
    sigset_t all;
    sigfillset(&all);
    if (!d->holds)
        d->holds = pthread_sigmask(SIG_SETMASK, &all, &d->signals) == 0;
}

static void release_signals(struct draft *d) {
    if (d->holds)
        pthread_sigmask(SIG_SETMASK, &d->signals, NULL);
    d->holds = false;
}

/* ---- names */

/* A new temporary name beside a path, another one each time.  NULL: out of memory. */
static char *name_beside(const char *path) {
    static atomic_uint count;
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash - path) + 1 : 0;
    char *name;
    return asprintf(&name, "%.*s.ufc-%ld-%u.tmp", folder, path, (long)getpid(),
                    atomic_fetch_add(&count, 1)) < 0
               ? NULL
               : name;
}

/* The name of an open file in /proc/self/fd, from which a link to it can be made. */
struct fd_name {
    char text[32];
};

static struct fd_name fd_name(int fd) {
    struct fd_name name;
    (void)snprintf(name.text, sizeof name.text, "/proc/self/fd/%d", fd);
    return name;
}

static int link_to(int fd, const char *path) {
    return linkat(AT_FDCWD, fd_name(fd).text, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

/* ---- opening */

/* Opens a file without a name in the folder of path; -1: the file system has no such files, or the
 * file could not be named later. */
static int open_nameless(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    int fd = folder ? open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;
    free(folder);
    if (fd >= 0 && access(fd_name(fd).text, F_OK) != 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static int open_named(struct draft *d) {
    hold_signals(d);
    do {
        free(d->temp);
        if (!(d->temp = name_beside(d->path)))
            return ENOMEM;
        d->fd = open(d->temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (d->fd < 0 && errno == EEXIST);
    if (d->fd >= 0)
        return 0;
    int error = errno;
    free(d->temp);
    d->temp = NULL;
    return error;
}

int draft_open(struct draft *d, const char *path) {
    struct stat st;
    *d = (struct draft){.fd = -1, .replaces = stat(path, &st) == 0};
    d->in_place = d->replaces && !S_ISREG(st.st_mode);
    d->path = d->replaces && !d->in_place ? realpath(path, NULL) : strdup(path);
    if (!d->path)
        return errno;
    if (d->in_place) {
        d->fd = open(path, O_WRONLY | O_CLOEXEC);
        return d->fd < 0 ? errno : 0;
    }
    d->fd = open_nameless(d->path);
    int error = d->fd < 0 ? open_named(d) : 0;
    if (error == 0 && d->replaces)
        (void)fchmod(d->fd, st.st_mode & 07777); /* fails where the file system has no modes */
    return error;
}

/* ---- keeping */

static int close_draft(struct draft *d) {
    int fd = d->fd;
    d->fd = -1;
    return fd < 0 || close(fd) == 0 ? 0 : errno;
}

static int link_beside(struct draft *d) {
    int error;
    hold_signals(d);
    do {
        free(d->temp);
        if (!(d->temp = name_beside(d->path)))
            return ENOMEM;
        error = link_to(d->fd, d->temp);
    } while (error == EEXIST);
    if (error) {
        free(d->temp);
        d->temp = NULL;
    }
    return error;
}

int draft_keep(struct draft *d) {
    int error = 0;
    if (!d->path) /* not opened: nothing to keep */
        return 0;
    if (!d->in_place && !d->temp) {
        error = d->replaces ? EEXIST : link_to(d->fd, d->path);
        if (error == EEXIST)
            error = link_beside(d);
    }
    int closed = close_draft(d);
    if (error || closed)
        return error ? error : closed;
    if (d->temp && rename(d->temp, d->path) != 0)
        return errno;
    free(d->temp);
    d->temp = NULL;
    return 0;
}

void draft_end(struct draft *d) {
    if (d->path) /* else it was not opened */
        (void)close_draft(d);
    if (d->temp)
        (void)unlink(d->temp);
    release_signals(d);
    free(d->temp);
    free(d->path);
    *d = (struct draft){.fd = -1};
}
