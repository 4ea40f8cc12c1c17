/* find.c: finds libdevice.10.bc: where the user says, next to this library, in CUDA's and Debian's
 * folders, in the folder that `make deps` fills, in Python's nvidia packages. */
#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "uc.h"

static char *readable(const char *path) {
    return access(path, R_OK) == 0 ? strdup(path) : NULL;
}

char *newest_file(const char *root, const char *tail, int mode) {
    char pattern[4096];
    if (root == NULL || root[0] == 0 ||
        snprintf(pattern, sizeof pattern, "%s%s", root, tail) >= (int)sizeof pattern)
        return NULL;
    glob_t found;
    char *path = NULL;
    if (glob(pattern, 0, NULL, &found) == 0) {
        const char *newest = NULL;
        for (size_t i = 0; i < found.gl_pathc; i++)
            if (access(found.gl_pathv[i], mode) == 0 &&
                (newest == NULL || strverscmp(found.gl_pathv[i], newest) > 0))
                newest = found.gl_pathv[i];
        path = newest ? strdup(newest) : NULL;
        globfree(&found);
    }
    return path;
}

/* The folder of the file that contains this code: the shared library, or the program that it is
 * linked into.  NULL: it is not known, or longer than `size`. */
static const char *own_folder(char *folder, size_t size) {
    Dl_info info;
    char *real = NULL;
    if (dladdr((const void *)&builtins, &info) != 0 && info.dli_fname != NULL)
        real = realpath(info.dli_fname, NULL);
    if (real == NULL)
        return NULL;
    char *slash = strrchr(real, '/');
    if (slash != NULL)
        *slash = 0;
    int n = snprintf(folder, size, "%s", real);
    free(real);
    return n < (int)size ? folder : NULL;
}

char *find_libdevice(const char *option) {
    if (option != NULL)
        return readable(option);
    const char *variable = getenv("UFC_LIBDEVICE");
    if (variable != NULL && variable[0] != 0)
        return readable(variable);
    char folder[4096];
    const char *own = own_folder(folder, sizeof folder), *home = getenv("HOME");
    const struct {
        const char *root, *tail;
    } places[] = {
        {own, "/libdevice.10.bc"},
        {own, "/../share/ufc/libdevice.10.bc"},
        {getenv("CUDA_HOME"), "/nvvm/libdevice/libdevice.10.bc"},
        {getenv("CUDA_PATH"), "/nvvm/libdevice/libdevice.10.bc"},
        {"/usr/local", "/cuda/nvvm/libdevice/libdevice.10.bc"},
        {"/usr/local", "/cuda-*/nvvm/libdevice/libdevice.10.bc"},
        {"/usr/lib", "/cuda/nvvm/libdevice/libdevice.10.bc"},
        {"/usr/lib", "/nvidia-cuda-toolkit/libdevice/libdevice.10.bc"},
        {getenv("XDG_CACHE_HOME"), "/ufc/libdevice.10.bc"},
        {home, "/.cache/ufc/libdevice.10.bc"},
        {getenv("VIRTUAL_ENV"),
         "/lib/python3*/site-packages/nvidia/*/nvvm/libdevice/libdevice.10.bc"},
        {home, "/.local/lib/python3*/site-packages/nvidia/*/nvvm/libdevice/libdevice.10.bc"},
        {"/usr", "/local/lib/python3*/*-packages/nvidia/*/nvvm/libdevice/libdevice.10.bc"},
        {"/usr", "/lib/python3*/*-packages/nvidia/*/nvvm/libdevice/libdevice.10.bc"},
    };
    char *path = NULL;
    for (size_t i = 0; path == NULL && i < sizeof places / sizeof places[0]; i++)
        path = newest_file(places[i].root, places[i].tail, R_OK);
    return path;
}
