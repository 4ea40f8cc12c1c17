/* compile.c: how long gaussian.uf takes to PTX: in this process what its first call needs, which is
 * called on the simulator, and all kernels; all as a process of `ufc build`; and in NVRTC, where it
 * is found, the same two from gaussian.cu, which has kernels like those.
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
#include "ufc.h"
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

static bool by_nvrtc(const char *text, bool all) {
    static int round;
    char different[32]; /* what NVRTC has kept of an equal program it gives again */
    snprintf(different, sizeof different, "-DROUND=%d_%d", (int)getpid(), round++);
    const char *const options[] = {"--gpu-architecture=compute_75", "--fmad=false", different,
                                   "-DVECTOR_ALONE"};
    nvrtc_program program;
    size_t size = 0;
    char *ptx = NULL;
    if (nvrtc.create(&program, text, "gaussian.cu", 0, NULL, NULL) != 0)
        return false;
    bool ok = nvrtc.compile(program, all ? 3 : 4, options) == 0 &&
              nvrtc.size(program, &size) == 0 && (ptx = malloc(size)) != NULL &&
              nvrtc.ptx(program, ptx) == 0;
    free(ptx);
    nvrtc.destroy(&program);
    return ok;
}

static bool all_in_process(const char *text) {
    ufcc_options options = {.targets = UFCC_CUDA};
    char *ptx = NULL;
    size_t size;
    ufcc_program *program = ufcc_compile("gaussian.uf", text, strlen(text), &options);
    bool ok = program != NULL && ufcc_emit(program, UFCC_PTX, &ptx, &size);
    free(ptx);
    ufcc_free(program);
    return ok;
}

static bool first_call(const char *text, ufc_context *sim) {
    float x[8] = {0}, y[8];
    int64_t size = 8;
    DLTensor in = ufc_host_array(x, ufc_dltype(UFC_FLOAT32), 1, &size), out = in;
    ufc_arg args[] = {ufc_array(&in), ufc_float(0), ufc_float(1)};
    ufc_out results[] = {ufc_into(&out)};
    out.data = y;
    ufcc_options options = {.cache = "0"};
    ufcc_program *program = ufcc_compile("gaussian.uf", text, strlen(text), &options);
    bool ok =
        program != NULL && ufcc_load(program) &&
        ufc_call(sim, NULL, ufcc_function(program, "gaussian_pdf"), args, results, NULL) == UFC_OK;
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

enum way { FIRST, ALL, PROCESS, NVRTC_FIRST, NVRTC_ALL, WAYS };

static const char *const names[WAYS] = {
    "ufc, its first call", "ufc, all kernels",   "ufc build",
    "NVRTC, the first's",  "NVRTC, all kernels",
};

int main(int argc, char **argv) {
    if (argc != 4)
        return fprintf(stderr, "usage: compile UFC GAUSSIAN.uf GAUSSIAN.cu\n"), 2;
    const char *uf = read_text(argv[2]), *cu = read_text(argv[3]);
    enum way ways = find_nvrtc() ? WAYS : NVRTC_FIRST;
    double times[WAYS][ROUNDS], time[WAYS];
    ufc_context *sim;
    if (ufc_context_new(&sim, "sim", 1, NULL) != UFC_OK)
        return fprintf(stderr, "compile: no simulator\n"), 1;
    for (int round = -1; round < ROUNDS; round++) { /* round -1 is not counted */
        for (enum way way = 0; way < ways; way++) {
            double start = milliseconds();
            bool ok = way == FIRST     ? first_call(uf, sim)
                      : way == ALL     ? all_in_process(uf)
                      : way == PROCESS ? as_process(argv[1], argv[2])
                                       : by_nvrtc(cu, way == NVRTC_ALL);
            if (!ok)
                return fprintf(stderr, "compile: %s failed\n", names[way]), 1;
            if (round >= 0)
                times[way][round] = milliseconds() - start;
        }
    }
    for (enum way way = 0; way < ways; way++) {
        time[way] = median(times[way]);
        printf("%-20s %6.2f ms", names[way], time[way]);
        if (way >= NVRTC_FIRST)
            printf(", %.1f times ufc's", time[way] / time[way - NVRTC_FIRST]);
        printf("\n");
    }
    if (ways == NVRTC_FIRST)
        printf("NVRTC: not found\n");
    ufc_context_free(sim);
}
