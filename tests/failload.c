/* failload.c: preloaded into a command, lets one of its calls of the system fail, or that and all
 * after it.  The environment says which: FAIL="KIND HOW NUMBER", where
 *
 *     KIND   memory, pages (mmap, mprotect), threads, files, moves (read, write)
 *     HOW    once, on, interrupted, short; the last two of moves
 *     NUMBER the first that fails; 0: none
 *
 * At the end the number of calls of that kind, from main on, is written to descriptor 9, if that is
 * open. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum kind { MEMORY, PAGES, THREADS, FILES, MOVES, KINDS };
enum how { ONCE, ON, INTERRUPTED, SHORT, HOWS };

static const char *const kinds[] = {"memory", "pages", "threads", "files", "moves"};
static const char *const hows[] = {"once", "on", "interrupted", "short"};
enum { COUNTED = 9 }; /* the descriptor */

static enum kind failing = KINDS; /* until main is called: what constructors lack, ends a program */
static enum how how;
static long first;
static atomic_long calls;
static _Thread_local bool aside; /* what is called here does not fail */

static bool fails(enum kind kind) {
    if (kind != failing || aside)
        return false;
    long n = atomic_fetch_add(&calls, 1) + 1;
    if (first == 0 || n < first || (n > first && how != ON))
        return false;
    errno = how == INTERRUPTED ? EINTR : kind == FILES || kind == MOVES ? EIO : ENOMEM;
    return true;
}

static void find(void *function, const char *name) {
    aside = true;
    *(void **)function = dlsym(RTLD_NEXT, name);
    aside = false;
}

#pragma GCC visibility push(default)

/* ---- memory: of libc, or of the sanitizer that is in its place */

#define ALLOCATOR(name, parameters, arguments)                                                     \
    void *__libc_##name parameters;                                                                \
    void *__interceptor_##name parameters __attribute__((weak));                                   \
    static void *real_##name parameters {                                                          \
        return __interceptor_##name ? __interceptor_##name arguments : __libc_##name arguments;    \
    }
ALLOCATOR(malloc, (size_t size), (size))
ALLOCATOR(calloc, (size_t n, size_t size), (n, size))
ALLOCATOR(realloc, (void *old, size_t size), (old, size))
ALLOCATOR(memalign, (size_t alignment, size_t size), (alignment, size))

/* The fake driver's own memory does not fail: failing.h has calls of it that do. */
static bool is_driver(const void *caller) {
    Dl_info info;
    aside = true;
    bool found = dladdr(caller, &info) && strstr(info.dli_fname, "libcuda.so");
    aside = false;
    return found;
}

#define LACKS (fails(MEMORY) && !is_driver(__builtin_return_address(0)))

void *malloc(size_t size) {
    return LACKS ? NULL : real_malloc(size);
}

void *calloc(size_t n, size_t size) {
    return LACKS ? NULL : real_calloc(n, size);
}

void *realloc(void *old, size_t size) {
    return LACKS ? NULL : real_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return LACKS ? NULL : real_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    void *aligned = LACKS ? NULL : real_memalign(alignment, size);
    if (aligned)
        *memory = aligned;
    return aligned ? 0 : ENOMEM;
}

/* ---- the others */

#define CALL(kind, type, name, parameters, arguments, failure)                                     \
    type name parameters {                                                                         \
        static type(*real) parameters;                                                             \
        if (!real)                                                                                 \
            find(&real, #name);                                                                    \
        return fails(kind) ? failure : real arguments;                                             \
    }
CALL(PAGES, void *, mmap, (void *at, size_t size, int protection, int flags, int fd, off_t from),
     (at, size, protection, flags, fd, from), MAP_FAILED)
CALL(PAGES, int, mprotect, (void *at, size_t size, int protection), (at, size, protection), -1)
CALL(THREADS, int, pthread_create,
     (pthread_t * thread, const pthread_attr_t *attributes, void *(*start)(void *), void *arg),
     (thread, attributes, start, arg), EAGAIN)
CALL(FILES, int, access, (const char *path, int mode), (path, mode), -1)
CALL(FILES, int, fchmod, (int fd, mode_t mode), (fd, mode), -1)
CALL(FILES, FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL)
CALL(FILES, int, fstat, (int fd, struct stat *st), (fd, st), -1)
CALL(FILES, int, fsync, (int fd), (fd), -1)
CALL(FILES, char *, getcwd, (char *to, size_t size), (to, size), NULL)
CALL(FILES, int, linkat, (int from, const char *old, int to, const char *name, int flags),
     (from, old, to, name, flags), -1)
CALL(FILES, int, memfd_create, (const char *name, unsigned flags), (name, flags), -1)
CALL(FILES, int, mkdir, (const char *path, mode_t mode), (path, mode), -1)
CALL(FILES, int, mkostemp, (char *path, int flags), (path, flags), -1)
CALL(FILES, DIR *, opendir, (const char *path), (path), NULL)
CALL(FILES, ssize_t, pread, (int fd, void *to, size_t size, off_t at), (fd, to, size, at), -1)
CALL(FILES, char *, realpath, (const char *path, char *to), (path, to), NULL)
CALL(FILES, int, rename, (const char *from, const char *to), (from, to), -1)
CALL(FILES, int, stat, (const char *path, struct stat *st), (path, st), -1)

/* OPENS: a call with a mode where it makes a file. */
#define OPENS(name, parameters, arguments)                                                         \
    int name parameters {                                                                          \
        static int(*real) parameters;                                                              \
        if (!real)                                                                                 \
            find(&real, #name);                                                                    \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        int mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(more, int) : 0;                        \
        va_end(more);                                                                              \
        return fails(FILES) ? -1 : real arguments;                                                 \
    }
OPENS(open, (const char *path, int flags, ...), (path, flags, mode))
OPENS(openat, (int folder, const char *path, int flags, ...), (folder, path, flags, mode))

#define MOVES_BYTES(name, parameters, arguments, part)                                             \
    ssize_t name parameters {                                                                      \
        static ssize_t(*real) parameters;                                                          \
        if (!real)                                                                                 \
            find(&real, #name);                                                                    \
        if (!fails(MOVES))                                                                         \
            return real arguments;                                                                 \
        return how == SHORT ? real part : -1;                                                      \
    }
MOVES_BYTES(read, (int fd, void *to, size_t size), (fd, to, size), (fd, to, (size + 1) / 2))
MOVES_BYTES(write, (int fd, const void *from, size_t size), (fd, from, size),
            (fd, from, (size + 1) / 2))

/* ---- from main on */

static int (*program)(int argc, char **argv, char **environment);

/* The last that is done, but for what the libraries do when they are unloaded. */
static void tell(void) {
    char text[24];
    int n = snprintf(text, sizeof text, "%ld", atomic_load(&calls));
    failing = KINDS;
    if (write(COUNTED, text, (size_t)n) < 0)
        return;
}

static int run(int argc, char **argv, char **environment) {
    char name[2][16];
    const char *text = getenv("FAIL");
    if (!text || sscanf(text, "%15s %15s %ld", name[0], name[1], &first) != 3 || atexit(tell) != 0)
        abort();
    while (how < HOWS && strcmp(hows[how], name[1]) != 0)
        how++;
    enum kind kind = 0;
    while (kind < KINDS && strcmp(kinds[kind], name[0]) != 0)
        kind++;
    failing = kind;
    unsetenv("LD_PRELOAD"); /* a child of the command is another program */
    return program(argc, argv, environment);
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack) {
    int (*real)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void),
                void (*)(void), void *);
    find(&real, "__libc_start_main");
    program = main;
    return real(run, argc, argv, init, fini, rtld_fini, stack);
}
