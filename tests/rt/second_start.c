/* second_start.c: a process that calls what an earlier one has called finds all of its code: LLVM
 * makes none of it, neither for the GPU nor for the host, and the driver compiles no PTX.  On the
 * fake driver. */
#include <dirent.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../fakecuda.h"
#include "../test.h"
#include "ufc.h"
#include "ufcc.h"

static char folder[] = "/tmp/ufc-start-XXXXXX";

static const char source[] =
    "ufunc wave(x) : float32(float32) = exp(-x * x)\n"
    "gufunc center(x[n]) -> y[n] : float32(float32)\n"
    "{\n"
    "    let mean = sum(v for v in x) / n\n"
    "    y[i] = x[i] - mean for i\n"
    "}\n"
    "gufunc product(a[m, k], b[k, n]) -> c[m, n] : float32(float32, float32)\n"
    "{\n"
    "    c[i, j] = sum(a[i, l] * b[l, j] for l) for i, j\n"
    "}\n";

static const char *const names[] = {"wave", "center", "product"};

enum { FUNCTIONS = sizeof names / sizeof names[0], SIDE = 4 };

/* What a process did: pieces of code that LLVM made or the cache had, PTX that the driver compiled,
 * cubins that it loaded. */
struct start {
    int made, found, compiled, loaded;
};

static void note(void *user, const char *text, size_t size) {
    struct start *s = user;
    (void)size;
    s->made += strncmp(text, "made ", 5) == 0;
    s->found += strncmp(text, "found ", 6) == 0;
}

static void call(ufc_context *ctx, const ufc_ufunc *f, int nin) {
    float x[SIDE][SIDE] = {{1, 2}, {3, 4}}, y[SIDE][SIDE];
    int64_t shape[] = {SIDE, SIDE};
    DLTensor a = ufc_host_array(x, ufc_dltype(UFC_FLOAT32), 2, shape), b = a;
    b.data = y;
    ufc_arg in[] = {ufc_array(&a), ufc_array(&a)};
    ufc_out out = ufc_into(&b);
    ufc_error err;
    memset(y, 0x7f, sizeof y);
    REQUIRE(nin <= 2 && ufc_call(ctx, NULL, f, in, &out, &err) == UFC_OK);
    CHECK(y[3][3] <= 1);
}

static struct start run(const char *device) {
    struct start s = {0};
    ufcc_options options = {.cache = folder, .dump = "c", .dumped = note, .user = &s};
    ufcc_program *p = ufcc_compile("start.uf", source, strlen(source), &options);
    ufc_context *ctx;
    REQUIRE(p && ufcc_load(p) && ufc_context_new(&ctx, device, 0, NULL) == UFC_OK);
    bool on_gpu = strcmp(device, "cuda") == 0;
    unsigned compiled = fakecuda_calls("cuLinkComplete"), loaded;
    for (int i = 0; i < FUNCTIONS; i++) {
        loaded = fakecuda_calls("cuModuleLoadDataEx");
        fakecuda_register(ufcc_function(p, names[i]));
        call(ctx, ufcc_function(p, names[i]), i == 2 ? 2 : 1);
        loaded = fakecuda_calls("cuModuleLoadDataEx") - loaded;
        s.loaded += (int)loaded;
        CHECK(!on_gpu || (loaded == 1 && memcmp(fakecuda_image(), "\177ELF", 4) == 0));
    }
    s.compiled = (int)(fakecuda_calls("cuLinkComplete") - compiled);
    ufc_context_free(ctx);
    ufcc_free(p);
    return s;
}

/* Starts a process that calls all functions. */
static struct start start(const char *device) {
    struct start s = {.made = -1};
    int ends[2], status = -1;
    REQUIRE(pipe(ends) == 0);
    fflush(stdout);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        s = run(device);
        fflush(stdout);
        _exit(write(ends[1], &s, sizeof s) != (ssize_t)sizeof s || test_failures != 0);
    }
    close(ends[1]);
    ssize_t n = read(ends[0], &s, sizeof s);
    close(ends[0]);
    CHECK(waitpid(child, &status, 0) == child && status == 0 && n == (ssize_t)sizeof s);
    return s;
}

static void twice(const char *device, int cubins) {
    struct start first = start(device), second = start(device);
    printf("%s: made %d, then %d; found %d, then %d; compiled %d, then %d\n", device, first.made,
           second.made, first.found, second.found, first.compiled, second.compiled);
    CHECK(first.made >= FUNCTIONS && first.compiled == cubins);
    CHECK(second.made == 0 && second.found > 0 && second.compiled == 0);
    CHECK(first.loaded == cubins && second.loaded == cubins);
}

static void empty(void) {
    DIR *d = opendir(folder);
    char path[400];
    for (const struct dirent *e; d && (e = readdir(d)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (*e->d_name != '.')
            unlink(path);
    }
    if (d)
        closedir(d);
}

int main(void) {
    REQUIRE(mkdtemp(folder));
    twice("cuda", FUNCTIONS);
    empty(); /* the fake driver runs host code */
    twice("cpu", 0);
    empty();
    rmdir(folder);
    return test_failures != 0;
}
