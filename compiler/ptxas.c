/* ptxas.c: NVIDIA's assembler: finds it, and makes machine code of PTX by it.
 *
 * ptxas runs as a process whose files are in memory, so that none is left behind whatever
 * happens. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "uc.h"

/* ---- finding it */

static char *program(const char *path) {
    struct stat s;
    bool runs = stat(path, &s) == 0 && S_ISREG(s.st_mode) && access(path, X_OK) == 0;
    return runs ? strdup(path) : NULL;
}

static char *on_path(void) {
    char path[4096];
    for (const char *folder = getenv("PATH"); folder != NULL && *folder != 0;) {
        int length = (int)strcspn(folder, ":");
        char *found = NULL;
        if (length > 0 &&
            snprintf(path, sizeof path, "%.*s/ptxas", length, folder) < (int)sizeof path)
            found = program(path);
        if (found != NULL)
            return found;
        folder += length + (folder[length] == ':');
    }
    return NULL;
}

char *find_ptxas(const char *option) {
    if (option != NULL)
        return program(option);
    const struct {
        const char *root, *tail;
    } places[] = {
        {getenv("CUDA_HOME"), "/bin/ptxas"},
        {getenv("CUDA_PATH"), "/bin/ptxas"},
        {"/usr/local", "/cuda/bin/ptxas"},
        {"/usr/local", "/cuda-*/bin/ptxas"},
        {"/usr/lib", "/nvidia-cuda-toolkit/bin/ptxas"},
        {getenv("XDG_CACHE_HOME"), "/ufc/ptxas"},
        {getenv("HOME"), "/.cache/ufc/ptxas"},
        {getenv("VIRTUAL_ENV"), "/lib/python3*/site-packages/nvidia/*/bin/ptxas"},
    };
    char *path = on_path();
    for (size_t i = 0; path == NULL && i < sizeof places / sizeof places[0]; i++)
        path = newest_file(places[i].root, places[i].tail, X_OK);
    return path;
}

char *ufcc_find_ptxas(void) {
    return find_ptxas(NULL);
}

/* ---- running it */

enum { PTX, CUBIN, LOG, FILES };

/* An empty file in memory, whose descriptor is none of the standard ones. */
static int memory_file(const char *name) {
    int first = memfd_create(name, MFD_CLOEXEC);
    if (first < 0 || first > STDERR_FILENO)
        return first;
    int file = fcntl(first, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(first);
    return file;
}

static bool read_all(int file, struct buf *b) {
    char piece[16384];
    for (ssize_t n, at = 0; (n = pread(file, piece, sizeof piece, at)) != 0;) {
        if (n < 0 && errno != EINTR)
            return false;
        buf_put(b, piece, n > 0 ? (size_t)n : 0);
        at += n > 0 ? n : 0;
    }
    return !b->failed;
}

/* Starts ptxas and waits for its end.  Returns an errno. */
static int run(const char *ptxas, int sm, bool lines, const int file[FILES], int *status) {
    char arch[32], from[32], to[32], line_info[] = "-lineinfo";
    snprintf(arch, sizeof arch, "-arch=sm_%d", sm);
    snprintf(from, sizeof from, "/dev/fd/%d", file[PTX]);
    snprintf(to, sizeof to, "/dev/fd/%d", file[CUBIN]);
    char *const arguments[] = {(char *)ptxas, arch, "-o", to, from, lines ? line_info : NULL, NULL};
    const int given[][2] = {{file[PTX], file[PTX]},
                            {file[CUBIN], file[CUBIN]},
                            {file[LOG], STDOUT_FILENO},
                            {file[LOG], STDERR_FILENO}};
    posix_spawn_file_actions_t actions;
    int e = posix_spawn_file_actions_init(&actions);
    if (e != 0)
        return e;
    for (size_t i = 0; e == 0 && i < sizeof given / sizeof given[0]; i++)
        e = posix_spawn_file_actions_adddup2(&actions, given[i][0], given[i][1]);
    pid_t child;
    if (e == 0)
        e = posix_spawn(&child, ptxas, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    *status = 0; /* waitpid leaves it so where the process lets the system wait for its children */
    while (e == 0 && waitpid(child, status, 0) < 0 && errno == EINTR)
        ;
    return e;
}

/* Makes a cubin of PTX.  False: *log says why. */
static bool assemble(const char *ptxas, int sm, bool lines, const int file[FILES],
                     const struct buf *ptx, struct buf *cubin, struct buf *log) {
    int status, e = write_all(file[PTX], ptx->data, ptx->size);
    if (e == 0)
        e = run(ptxas, sm, lines, file, &status);
    if (e != 0) {
        buf_printf(log, "%s", strerror(e));
        return false;
    }
    if (status == 0 && read_all(file[CUBIN], cubin) && cubin->size > 0)
        return true;
    read_all(file[LOG], log);
    while (log->size > 0 && log->data[log->size - 1] == '\n')
        log->data[--log->size] = 0;
    if (log->size == 0)
        buf_printf(log, "it ended with status %d", status);
    return false;
}

bool run_ptxas(struct uc *uc, const char *ptxas, int sm, const struct buf *ptx, struct buf *cubin) {
    static const char *const names[FILES] = {"ptx", "cubin", "log"};
    int file[FILES];
    bool ok = true;
    for (int i = 0; i < FILES; i++)
        ok = (file[i] = memory_file(names[i])) >= 0 && ok;
    struct buf log = {0};
    if (!ok)
        error_nowhere(uc, "no files for %s: %s", ptxas, strerror(errno));
    else if (!(ok = assemble(ptxas, sm, uc->options->line_info, file, ptx, cubin, &log)))
        error_nowhere(uc, "%s makes no code for sm_%d: %s", ptxas, sm,
                      log.failed ? "out of memory" : log.data);
    buf_free(&log);
    for (int i = 0; i < FILES; i++)
        if (file[i] >= 0)
            close(file[i]);
    return ok;
}
