/* draft.h: a file that takes its place when it is whole, and of which nothing is left before,
 * whatever ends the process.
 *
 * Until then it has no name (O_TMPFILE).  It gets one by a link, where there is no other file of
 * that name; else by a link beside that file and a rename, which is all that can replace it: from
 * then until the draft ends, signals of the thread wait.  Where a file system has no files without
 * a name, it is written beside its place, and they wait from the start.
 *
 * libufc and the command use it; it prints nothing. */
#ifndef UFC_DRAFT_H
#define UFC_DRAFT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

struct draft {
    int fd;        /* to write to */
    bool in_place; /* a pipe or a device, which cannot be replaced */
    bool replaces; /* a file was there */
    bool holds;    /* signals of the thread; they were: */
    sigset_t signals;
    char *path; /* where it goes; of a link, the file that this leads to */
    char *temp; /* its name until then, beside that; NULL: it has none */
};

/* These give 0, or errno's number.  draft_end undoes what was not kept, and frees, whatever went
 * before; of several drafts the last is ended first.  A zeroed draft, which was not opened, may be
 * kept and ended. */
int draft_open(struct draft *d, const char *path);
int draft_keep(struct draft *d);
void draft_end(struct draft *d);

/* Writes all of it. */
int write_all(int fd, const void *data, size_t size);

#endif
