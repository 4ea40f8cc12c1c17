/* compile.c: how long gaussian.uf takes to PTX: in this process, as a process of `ufc build`, and
 * in NVRTC, where it is found, from gaussian.cu, which has the same kernels.
 *
 *     compile UFC GAUSSIAN.uf GAUSSIAN.cu */
#include <dlfcn.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "ufcc.h"

enum { ROUNDS = 20 };

extern char **environ;

typedef struct nvrtc_program *nvrtc_program;

static struct {
    int (*create)(nvrtc_program *, const char *, const char *, int, const char *const *,
                  const char *const *);
    int (*compile)(nvrtc_program, int, const char *const *);
    int (*size)(nvrtc_program, size_t *);
    int (*ptx)(nvrtc_program, char *);
    int (*destroy)(nvrtc_program *);
} nvrtc;

static double milliseconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static char *read_text(const char *path) {
    FILE *f = fopen(path, "rb");
    char *text = calloc(1, 1 << 16);
    if (f == NULL || text == NULL || fread(text, 1, (1 << 16) - 1, f) == 0) {
        perror(path);
        exit(1);
    }
    fclose(f);
    return text;
}

static bool find_nvrtc(void) {
    static const char *const names[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so",
                                        "/usr/local/cuda/lib64/libnvrtc.so"};
    void *library = NULL;
    for (size_t i = 0; library == NULL && i < sizeof names / sizeof names[0]; i++)
        library = dlopen(names[i], RTLD_NOW);
    if (library == NULL)
        return false;
    *(void **)&nvrtc.create = dlsym(library, "nvrtcCreateProgram");
    *(void **)&nvrtc.compile = dlsym(library, "nvrtcCompileProgram");
    *(void **)&nvrtc.size = dlsym(library, "nvrtcGetPTXSize");
    *(void **)&nvrtc.ptx = dlsym(library, "nvrtcGetPTX");
    *(void **)&nvrtc.destroy = dlsym(library, "nvrtcDestroyProgram");
    return nvrtc.create && nvrtc.compile && nvrtc.size && nvrtc.ptx && nvrtc.destroy;
}

static bool by_nvrtc(const char *text) {
    static const char *const options[] = {"--gpu-architecture=compute_75", "--fmad=false"};
    nvrtc_program program;
    size_t size = 0;
    char *ptx = NULL;
    if (nvrtc.create(&program, text, "gaussian.cu", 0, NULL, NULL) != 0)
        return false;
    bool ok = nvrtc.compile(program, 2, options) == 0 && nvrtc.size(program, &size) == 0 &&
              (ptx = malloc(size)) != NULL && nvrtc.ptx(program, ptx) == 0;
    free(ptx);
    nvrtc.destroy(&program);
    return ok;
}

static bool in_process(const char *text) {
    ufcc_options options = {.targets = UFCC_CUDA};
    char *ptx = NULL;
    size_t size;
    ufcc_program *program = ufcc_compile("gaussian.uf", text, strlen(text), &options);
    bool ok = program != NULL && ufcc_emit(program, UFCC_PTX, &ptx, &size);
    free(ptx);
    ufcc_free(program);
    return ok;
}

static bool as_process(const char *ufc, const char *path) {
    char *const arguments[] = {(char *)ufc, "build",      "--emit=ptx", "-o",
                               "/dev/null", (char *)path, NULL};
    pid_t child;
    int status;
    return posix_spawn(&child, ufc, NULL, NULL, arguments, environ) == 0 &&
           waitpid(child, &status, 0) == child && status == 0;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times) {
    qsort(times, ROUNDS, sizeof *times, ascending);
    return (times[ROUNDS / 2 - 1] + times[ROUNDS / 2]) / 2;
}

int main(int argc, char **argv) {
    if (argc != 4)
        return fprintf(stderr, "usage: compile UFC GAUSSIAN.uf GAUSSIAN.cu\n"), 2;
    const char *uf = read_text(argv[2]), *cu = read_text(argv[3]);
    bool has_nvrtc = find_nvrtc();
    double times[3][ROUNDS];
    for (int round = -1; round < ROUNDS; round++) { /* round -1 is not counted */
        for (int way = 0; way < (has_nvrtc ? 3 : 2); way++) {
            double start = milliseconds();
            bool ok = way == 0   ? in_process(uf)
                      : way == 1 ? as_process(argv[1], argv[2])
                                 : by_nvrtc(cu);
            if (!ok)
                return fprintf(stderr, "compile: %s failed\n",
                               way == 0   ? "ufcc"
                               : way == 1 ? "ufc build"
                                          : "NVRTC"),
                       1;
            if (round >= 0)
                times[way][round] = milliseconds() - start;
        }
    }
    double ours = median(times[0]);
    printf("ufc, in the process: %6.2f ms\n", ours);
    printf("ufc, as a process:   %6.2f ms\n", median(times[1]));
    if (has_nvrtc) {
        double theirs = median(times[2]);
        printf("NVRTC, in process:   %6.2f ms, %.1f times ufc's\n", theirs, theirs / ours);
    } else {
        printf("NVRTC: not found\n");
    }
}
