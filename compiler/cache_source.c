/* cache_source.c: texts of sources in a cache, for debuggers and profilers: what is compiled from
 * memory is in no file that they could show.
 *
 * A text is a file of its source's name, so that breakpoints find it by that, in a folder that is
 * named by the text's digest and .src. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cache.h"
#include "cache_folder.h"

bool file_holds(const char *path, const char *text, size_t size) {
    struct stat st;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool same = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == (off_t)size;
    char piece[4096];
    for (size_t at = 0; same && at < size;) {
        ssize_t n = read(fd, piece, sizeof piece);
        same = n > 0 && memcmp(piece, text + at, (size_t)n) == 0;
        at += n > 0 ? (size_t)n : 0;
    }
    if (fd >= 0)
        close(fd);
    return same;
}

/* Writes a text to a file, which is there as a whole or not at all. */
static bool put(const char *path, const char *text, size_t size) {
    char *draft;
    if (asprintf(&draft, "%s-XXXXXX", path) < 0)
        return false;
    int fd = mkostemp(draft, O_CLOEXEC);
    bool written = fd >= 0 && cache_write(fd, "", 0, text, size) == 0 && rename(draft, path) == 0;
    if (fd >= 0 && !written)
        (void)unlink(draft);
    free(draft);
    return written;
}

char *cache_source(const struct cache *c, const char *name, const char *text, size_t size) {
    const char *slash = strrchr(name, '/'), *base = slash != NULL ? slash + 1 : name;
    if (c->folder == NULL || *base == 0)
        return NULL;
    struct cache_key key;
    digest(text, size, key.bytes);
    char *folder = cache_source_folder(c, &key), *path = NULL;
    if (folder == NULL || asprintf(&path, "%s/%s", folder, base) < 0) {
        free(folder);
        return NULL;
    }
    bool found = file_holds(path, text, size), kept = found;
    if (found) {
        (void)utimensat(AT_FDCWD, folder, NULL, 0); /* the time of the last use */
    } else if (size <= c->limit) {
        (void)make_cache_folder(folder);
        kept = put(path, text, size);
        cache_bound(c, size);
    }
    free(folder);
    if (!kept)
        free(path);
    return kept ? path : NULL;
}

/* ---- what the folder of a text holds */

/* Calls `each` with the files of a folder that is in another one. */
static void each_file(int parent, const char *name, void (*each)(int folder, const char *, void *),
                      void *arg) {
    int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    for (const struct dirent *d; folder != NULL && (d = readdir(folder)) != NULL;)
        if (strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0)
            each(dirfd(folder), d->d_name, arg);
    if (folder != NULL)
        closedir(folder);
    else if (fd >= 0)
        close(fd);
}

static void add_size(int folder, const char *name, void *size) {
    struct stat st;
    if (fstatat(folder, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
        *(uint64_t *)size += (uint64_t)st.st_size;
}

static void discard(int folder, const char *name, void *none) {
    (void)none;
    (void)unlinkat(folder, name, 0);
}

uint64_t cache_source_size(int parent, const char *name) {
    uint64_t size = 0;
    each_file(parent, name, add_size, &size);
    return size;
}

int cache_source_remove(int parent, const char *name) {
    each_file(parent, name, discard, NULL);
    return unlinkat(parent, name, AT_REMOVEDIR);
}
