/* draft.h: writes a file that takes its place only when it is whole.  Whatever ends the process
 * before, nothing of it is left.
 *
 * Until it is whole the file has no name (O_TMPFILE).  It gets its name by a link, where there is
 * no other file of that name; else by a link to a temporary name beside that file and a rename over
 * it: from that link until the draft ends, the thread's signals are blocked.  Where a file system
 * has no files without a name, the draft has a temporary name from the start, and signals are
 * blocked from then on.
 *
 * libufc and the command use it; it prints nothing. */
#ifndef UFC_DRAFT_H
#define UFC_DRAFT_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

struct draft {
    int fd;           /* to write to */
    bool in_place;    /* path is a pipe or a device, which is written to directly */
    bool replaces;    /* a file of that name was there */
    bool holds;       /* the thread's signals are blocked */
    sigset_t signals; /* the mask before they were */
    char *path;       /* the file's place; of a symbolic link, its target */
    char *temp;       /* the temporary name, in the same folder; NULL: none */
};

/* draft_open and draft_keep return 0 or an errno number.  draft_end removes what was not kept, and
 * frees, after success or failure; of several drafts the last is ended first.  A zeroed draft,
 * which was not opened, may be kept and ended. */
int draft_open(struct draft *d, const char *path);
int draft_keep(struct draft *d);
void draft_end(struct draft *d);

/* Writes all the data; returns 0 or an errno number. */
int write_all(int fd, const void *data, size_t size);

#endif
