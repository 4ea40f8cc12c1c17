/* show.c: debuggers and profilers; see show.h.
 *
 * Debuggers have an interface for JIT compilers: a list of objects in memory, and a function that
 * does nothing, where they stop to read it.  Both are LLVM's.  perf reads a file of functions'
 * names. */
#include <elf.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "show.h"

struct shown {
    struct shown *next, *before; /* of all that is shown */
    const char *object;
    uint64_t size;
    struct shown *same; /* the next one of the same owner */
};

enum { NONE, REGISTER, UNREGISTER };

struct descriptor {
    uint32_t version, action; /* action: REGISTER, … */
    struct shown *relevant, *first;
};

extern struct descriptor all_shown __asm__("__jit_debug_descriptor");
extern void tell_debugger(void) __asm__("__jit_debug_register_code");

static pthread_mutex_t showing = PTHREAD_MUTEX_INITIALIZER; /* guards all_shown */

static void tell(struct shown *s, uint32_t action) {
    all_shown.relevant = s;
    all_shown.action = action;
    tell_debugger();
}

static void add_shown(struct shown *s, struct shown **list) {
    pthread_mutex_lock(&showing);
    s->same = *list;
    *list = s;
    s->next = all_shown.first;
    if (s->next != NULL)
        s->next->before = s;
    all_shown.first = s;
    tell(s, REGISTER);
    pthread_mutex_unlock(&showing);
}

void show_nothing(struct shown **list) {
    pthread_mutex_lock(&showing);
    for (struct shown *s = *list, *same; s != NULL; s = same) {
        same = s->same;
        *(s->before != NULL ? &s->before->next : &all_shown.first) = s->next;
        if (s->next != NULL)
            s->next->before = s->before;
        tell(s, UNREGISTER);
        free(s);
    }
    *list = NULL;
    pthread_mutex_unlock(&showing);
}

/* ---- objects */

struct symbols {
    const Elf64_Sym *all;
    size_t n;
    const char *names;
};

static struct symbols symbols_of(const char *object) {
    const Elf64_Ehdr *header = (const void *)object;
    const Elf64_Shdr *sections = (const void *)(object + header->e_shoff);
    for (int i = 1; i < header->e_shnum; i++)
        if (sections[i].sh_type == SHT_SYMTAB)
            return (struct symbols){(const void *)(object + sections[i].sh_offset),
                                    sections[i].sh_size / sizeof(Elf64_Sym),
                                    object + sections[sections[i].sh_link].sh_offset};
    return (struct symbols){.n = 0};
}

/* The symbol of a function that the object defines; NULL: there is none. */
static const Elf64_Sym *find_symbol(const struct symbols *symbols, const char *name) {
    for (size_t i = 0; i < symbols->n; i++) {
        const Elf64_Sym *s = &symbols->all[i];
        if (s->st_shndx != SHN_UNDEF && strcmp(symbols->names + s->st_name, name) == 0)
            return s;
    }
    return NULL;
}

/* Opens perf's file of this process, which others may have made first: -1 where it is not a file of
 * this user's. */
static int open_names(void) {
    char path[40];
    struct stat st;
    (void)snprintf(path, sizeof path, "/tmp/perf-%ld.map", (long)getpid());
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
    if (fd < 0 || (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid()))
        return fd;
    close(fd);
    return -1;
}

/* Appends the functions of a section that lies at an address to perf's file, in one write, so that
 * other threads' lines are not between. */
static void name_functions(const struct symbols *symbols, unsigned section, uintptr_t at) {
    struct buf lines = {.data = NULL};
    for (size_t i = 0; i < symbols->n; i++) {
        const Elf64_Sym *s = &symbols->all[i];
        if (s->st_shndx == section && ELF64_ST_TYPE(s->st_info) == STT_FUNC)
            buf_printf(&lines, "%lx %lx %s\n", at + s->st_value, (unsigned long)s->st_size,
                       symbols->names + s->st_name);
    }
    int fd = lines.failed || lines.size == 0 ? -1 : open_names();
    if (fd >= 0) {
        (void)!write(fd, lines.data, lines.size);
        close(fd);
    }
    buf_free(&lines);
}

void show_object(const struct uc *uc, const struct buf *object, const char *name, uintptr_t at,
                 struct shown **list) {
    const char *perf = secure_getenv("UFC_PERF");
    struct symbols symbols = symbols_of(object->data);
    const Elf64_Sym *symbol = find_symbol(&symbols, name);
    if (symbol == NULL)
        return;
    unsigned section = symbol->st_shndx;
    uintptr_t begin = at - symbol->st_value;
    if (perf != NULL && strcmp(perf, "1") == 0)
        name_functions(&symbols, section, begin);
    struct shown *s = uc->options->line_info ? calloc(1, sizeof *s + object->size) : NULL;
    if (s == NULL)
        return;
    char *copy = (char *)(s + 1);
    memcpy(copy, object->data, object->size);
    Elf64_Shdr *sections = (void *)(copy + ((const Elf64_Ehdr *)(void *)copy)->e_shoff);
    sections[section].sh_addr = begin;
    s->object = copy;
    s->size = object->size;
    add_shown(s, list);
}
