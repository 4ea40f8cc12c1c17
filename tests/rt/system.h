/* system.h: calls of the system that a test lets fail, in whose place libraries find these.  The
 * test defines `fails`, and replaces others as these. */
#ifndef SYSTEM_H
#define SYSTEM_H

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

enum kind { FILES, MEMORY, THREADS, MOVES /* reads and writes, where they are not FILES */ };

/* Whether a call, of a kind, is to fail; sets errno where it is. */
static bool fails(enum kind kind);

/* The system's own function, in `real`. */
#define REAL(type, name, ...)                                                                      \
    static type (*real)(__VA_ARGS__);                                                              \
    if (!real)                                                                                     \
    *(void **)&real = dlsym(RTLD_NEXT, name)

UNCHANGED int open(const char *path, int flags, ...) {
    REAL(int, "open", const char *, int, ...);
    va_list args;
    va_start(args, flags);
    int mode = va_arg(args, int);
    va_end(args);
    return fails(FILES) ? -1 : real(path, flags, mode);
}

UNCHANGED int rename(const char *from, const char *to) {
    REAL(int, "rename", const char *, const char *);
    return fails(FILES) ? -1 : real(from, to);
}

UNCHANGED int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
                             void *(*start)(void *), void *arg) {
    REAL(int, "pthread_create", pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    return fails(THREADS) ? EAGAIN : real(thread, attributes, start, arg);
}

#endif
