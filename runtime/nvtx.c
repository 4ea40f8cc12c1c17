/* nvtx.c: finds a tool and calls it.
 *
 * The tool's library has InitializeInjectionNvtx2, which asks for tables of pointers to the
 * functions of NVTX, a table a module, and sets those that it wants to have.  Of them those of
 * domains are called here.  All modules have a table, since tools may ask for any. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "nvtx.h"

/* ---- NVTX's interface to tools, as nvtxTypes.h of its version 3 has it */

typedef void function(void);

enum { TABLE_CALLBACKS = 1, TABLE_VERSION = 3 };

/* Modules by number, and the functions of each, the first of which is none. */
enum { MODULE_CORE2 = 5, MODULES = 7, MOST_FUNCTIONS = 16 };
static const unsigned functions[MODULES] = {0, 16, 9, 15, 7, 16, 7};

/* Of module CORE2. */
enum { DOMAIN_RANGE_PUSH_EX = 4, DOMAIN_RANGE_POP = 5, DOMAIN_CREATE_A = 12 };

struct callbacks {
    size_t size;
    int (*get_table)(int module, function ****table, unsigned *n);
};

struct version {
    size_t size;
    uint32_t version, reserved;
    void (*set)(uint32_t version);
};

struct attributes {
    uint16_t version, size;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type, reserved;
    uint64_t payload;
    int32_t message_type;
    const char *message;
};

enum { VERSION = 3, MESSAGE_ASCII = 1 };

typedef const void *get_export_table(uint32_t id);
typedef int initialize(get_export_table *get);
typedef int push_function(void *domain, const struct attributes *range);
typedef int pop_function(void *domain);
typedef void *create_function(const char *name);

/* ---- what the tool has set */

_Atomic enum nvtx_state nvtx_state;

static function *set_by_tool[MODULES][MOST_FUNCTIONS];
static function **tables[MODULES][MOST_FUNCTIONS + 1]; /* NULL ends a table */

static void *domain;
static push_function *push;
static pop_function *pop;

static int get_table(int module, function ****table, unsigned *n) {
    if (module < 1 || module >= MODULES)
        return 0;
    if (table)
        *table = tables[module];
    if (n)
        *n = functions[module];
    return 1;
}

static void set_version(uint32_t version) {
    (void)version;
}

static const void *find_export_table(uint32_t id) {
    static const struct callbacks callbacks = {sizeof callbacks, get_table};
    static const struct version version = {sizeof version, VERSION, 0, set_version};
    return id == TABLE_CALLBACKS ? (const void *)&callbacks
           : id == TABLE_VERSION ? (const void *)&version
                                 : NULL;
}

static bool initialize_tool(const char *path) {
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    if (!library)
        return false;
    initialize *begin = NULL;
    *(void **)&begin = dlsym(library, "InitializeInjectionNvtx2");
    for (int m = 1; m < MODULES; m++)
        for (unsigned i = 1; i < functions[m]; i++)
            tables[m][i] = &set_by_tool[m][i];
    if (begin && begin(find_export_table))
        return true;
    (void)dlclose(library);
    return false;
}

static void look(void) {
    const char *path = secure_getenv("NVTX_INJECTION64_PATH");
    bool found = path && *path && initialize_tool(path);
    function **set = set_by_tool[MODULE_CORE2];
    if (found) {
        create_function *create = (create_function *)set[DOMAIN_CREATE_A];
        push = (push_function *)set[DOMAIN_RANGE_PUSH_EX];
        pop = (pop_function *)set[DOMAIN_RANGE_POP];
        domain = create ? create("ufc") : NULL;
    }
    atomic_store(&nvtx_state, push && pop ? NVTX_PRESENT : NVTX_ABSENT);
}

bool nvtx_find(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look);
    return atomic_load(&nvtx_state) == NVTX_PRESENT;
}

/* ---- ranges */

void nvtx_push(const char *format, ...) {
    char name[512];
    if (!nvtx_wanted())
        return;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(name, sizeof name, format, args);
    va_end(args);
    struct attributes range = {
        .version = VERSION, .size = sizeof range, .message_type = MESSAGE_ASCII, .message = name};
    (void)push(domain, &range);
}

void nvtx_pop(void) {
    if (nvtx_wanted())
        (void)pop(domain);
}
