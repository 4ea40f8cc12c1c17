/* builtin.c: the table of built-in functions, by id and by name. */
#include <string.h>

#include "uc.h"

const struct builtin builtins[B_COUNT] = {
#define BUILTIN(ID, name, nargs, nresults, rule, impl, device, host, libmvec, ulp32, ulp64, numpy) \
    [B_##ID] = {name,   B_##ID, nargs,   nresults, RULE_##rule, IMPL_##impl,                       \
                device, host,   libmvec, ulp32,    ulp64,       numpy},
#include "builtin.def"
};

static const struct {
    const char *name, *of;
} aliases[] = {
#define ALIAS(name, of) {name, of},
#include "builtin.def"
};

const char *const builtin_names[] = {
#define BUILTIN(ID, name, ...) name,
#include "builtin.def"
#define ALIAS(name, of) name,
#include "builtin.def"
    NULL};

const struct builtin *builtin_named(const char *name) {
    for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
        if (strcmp(name, aliases[i].name) == 0)
            name = aliases[i].of;
    for (size_t i = 0; i < B_COUNT; i++)
        if (strcmp(name, builtins[i].name) == 0)
            return &builtins[i];
    return NULL;
}

struct builtin_work builtin_work(const struct builtin *f) {
    static const struct {
        int id;
        struct builtin_work work;
    } rows[] = {
#define WORK(ID, narrow, special, wide) {B_##ID, {(narrow), (special), (wide)}},
#include "builtin.def"
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].id == f->id)
            return rows[i].work;
    return f->impl == IMPL_INLINE ? (struct builtin_work){2, 0, 2} : (struct builtin_work){1, 0, 1};
}
