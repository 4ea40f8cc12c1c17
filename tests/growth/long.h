/* long.h: sources of n declarations or statements of one kind. */
#ifndef LONG_H
#define LONG_H

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include "../test.h"

struct text {
    char *data;
    size_t size, room;
};

__attribute__((format(printf, 2, 3))) static void append(struct text *t, const char *format, ...) {
    if (t->room - t->size < 256) {
        t->room = 2 * t->room + 1024;
        t->data = realloc(t->data, t->room);
        REQUIRE(t->data != NULL);
    }
    va_list args;
    va_start(args, format);
    t->size += (size_t)vsnprintf(t->data + t->size, t->room - t->size, format, args);
    va_end(args);
}

/* A source is what comes before, a line for each k from 0 on, and what comes behind; k is put in
 * the place of %1$d, k + 1 in that of %2$d, n in that of %1$d before and behind. */
struct kind {
    const char *name, *before, *each, *behind;
};

static struct text source(const struct kind *kind, int n) {
    struct text t = {NULL, 0, 0};
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    append(&t, kind->before, n);
    for (int k = 0; k < n; k++)
        append(&t, kind->each, k, k + 1);
    append(&t, kind->behind, n);
#pragma GCC diagnostic pop
    return t;
}

#endif
