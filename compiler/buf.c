/* buf.c: bytes that grow, and bytes that are written. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "uc.h"

/* Room for size more bytes and a NUL. */
static bool reserve(struct buf *b, size_t size) {
    if (b->failed)
        return false;
    if (b->data && size < b->capacity - b->size)
        return true;
    if (size > SIZE_MAX / 4 || b->size > SIZE_MAX / 4) {
        b->failed = true;
        return false;
    }
    size_t capacity = 2 * (b->size + size) + 64;
    char *data = realloc(b->data, capacity);
    if (!data) {
        b->failed = true;
        return false;
    }
    b->data = data;
    b->capacity = capacity;
    return true;
}

void buf_put(struct buf *b, const void *data, size_t size) {
    if (!reserve(b, size))
        return;
    if (size > 0)
        memcpy(b->data + b->size, data, size);
    b->size += size;
    b->data[b->size] = '\0';
}

void buf_printf(struct buf *b, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n < 0)
        b->failed = true;
    else if (reserve(b, (size_t)n)) {
        va_start(args, format);
        vsnprintf(b->data + b->size, (size_t)n + 1, format, args);
        va_end(args);
        b->size += (size_t)n;
    }
}

void buf_free(struct buf *b) {
    free(b->data);
    *b = (struct buf){0};
}

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
