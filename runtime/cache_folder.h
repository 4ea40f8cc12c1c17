/* cache_folder.h: where what is measured or compiled is kept for later processes: the runtime's
 * rates and the embedded compiler's code. */
#ifndef UFC_CACHE_FOLDER_H
#define UFC_CACHE_FOLDER_H

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The suffix of a file of rates, whose name is so many hexadecimal digits, and the suffix. */
#define RATES_SUFFIX ".rates"
enum { RATES_DIGITS = 16 };

/* What a draft of a file, which has a dot before its name, has behind it. */
#define DRAFT_SUFFIX "-XXXXXX"

/* The folder that an option (NULL: none is given) or the environment names, allocated with malloc;
 * NULL: there is none, and errno is 0, or says why it cannot be told. */
static inline char *find_cache_folder(const char *option) {
    const char *named = option != NULL ? option : secure_getenv("UFC_CACHE");
    const char *xdg = secure_getenv("XDG_CACHE_HOME"), *home = secure_getenv("HOME");
    char *folder = NULL, *here = NULL;
    int n = -1;
    errno = 0;
    if (named != NULL && *named == '/') {
        n = asprintf(&folder, "%s", named);
    } else if (named != NULL && *named != 0) {
        here = strcmp(named, "0") == 0 ? NULL : getcwd(NULL, 0);
        n = here != NULL ? asprintf(&folder, "%s/%s", here, named) : -1;
    } else if (xdg != NULL && *xdg == '/') {
        n = asprintf(&folder, "%s/ufc", xdg);
    } else if (home != NULL && *home == '/') {
        n = asprintf(&folder, "%s/.cache/ufc", home);
    }
    free(here); /* which leaves errno */
    return n < 0 ? NULL : folder;
}

/* Makes a folder and those that it is in.  Returns 0, or the errno number of the first that could
 * not be made, which says why those in it could not. */
static inline int make_cache_folder(const char *folder) {
    char *path = strdup(folder);
    int error = 0;
    for (char *slash = path; slash != NULL && (slash = strchr(slash + 1, '/')) != NULL;) {
        *slash = 0;
        if (mkdir(path, 0700) != 0 && errno != EEXIST && error == 0)
            error = errno;
        *slash = '/';
    }
    free(path);
    return mkdir(folder, 0700) == 0 || errno == EEXIST ? 0 : error != 0 ? error : errno;
}

int write_all(int fd, const void *data, size_t size); /* draft.c, compiler/buf.c */

/* Writes and closes a file.  Returns 0 or an errno number.  A file that would be larger than the
 * process may write is an error like others, without the signal that ends a program. */
static inline int cache_write(int fd, const void *head, size_t nhead, const void *data,
                              size_t size) {
    const struct timespec now = {0};
    sigset_t too_large, before, pending;
    sigemptyset(&too_large);
    sigaddset(&too_large, SIGXFSZ);
    sigemptyset(&pending);
    pthread_sigmask(SIG_BLOCK, &too_large, &before);
    sigpending(&pending);
    int error = write_all(fd, head, nhead);
    if (error == 0)
        error = write_all(fd, data, size);
    if (close(fd) != 0 && error == 0) /* some file systems only now say that they are full */
        error = errno;
    if (error == EFBIG && !sigismember(&pending, SIGXFSZ))
        (void)sigtimedwait(&too_large, NULL, &now);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

#endif
