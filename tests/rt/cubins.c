/* cubins.c: what the driver makes of PTX is kept with the code of loaded programs, for this GPU and
 * driver, and found again; whatever is wrong with it, the driver makes it again.  On the fake
 * driver. */
#include <dirent.h>
#include <string.h>
#include <unistd.h>
#include "../fakecuda.h"
#include "../test.h"
#include "ufc.h"
#include "ufcc.h"

static char folder[] = "/tmp/ufc-cubins-XXXXXX";

static const char source[] = "ufunc twice(x) : float32(float32) = 2 * x\n"
                             "ufunc wave(x) : float32(float32) = exp(x)\n";

static ufcc_program *programs[16]; /* the fake driver has their records */
static int nprograms;
static ufc_error err;
static bool fails; /* the call */

/* Loads the program anew, and calls a function of it in a new context; gives how often the driver
 * compiled PTX. */
static unsigned call(const char *cache, const char *name) {
    ufcc_options options = {.cache = cache};
    ufcc_program *p = ufcc_compile("cubins.uf", source, strlen(source), &options);
    unsigned before = fakecuda_calls("cuLinkComplete");
    ufc_context *ctx;
    float x[3] = {1, 2, 3}, y[3] = {0};
    int64_t n = 3;
    programs[nprograms++] = p;
    REQUIRE(p && ufcc_load(p) && ufc_context_new(&ctx, "cuda", 1, NULL) == UFC_OK);
    fakecuda_register(ufcc_function(p, name));
    DLTensor a = ufc_host_array(x, ufc_dltype(UFC_FLOAT32), 1, &n), b = a;
    b.data = y;
    ufc_arg in[] = {ufc_array(&a)};
    ufc_out out = ufc_into(&b);
    CHECK((ufc_call(ctx, NULL, ufcc_function(p, name), in, &out, &err) == UFC_OK) != fails);
    ufc_context_free(ctx);
    return fakecuda_calls("cuLinkComplete") - before;
}

/* Damages, or removes, each file of the cache. */
static void each_file(void (*change)(const char *path)) {
    DIR *d = opendir(folder);
    char path[400];
    REQUIRE(d);
    for (const struct dirent *e; (e = readdir(d)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (*e->d_name != '.')
            change(path);
    }
    closedir(d);
}

static void damage(const char *path) {
    FILE *f = fopen(path, "r+b");
    REQUIRE(f && fseek(f, -1, SEEK_END) == 0);
    int last = fgetc(f);
    REQUIRE(fseek(f, -1, SEEK_END) == 0 && fputc(last ^ 1, f) != EOF && fclose(f) == 0);
}

static void discard(const char *path) {
    REQUIRE(unlink(path) == 0);
}

int main(void) {
    REQUIRE(mkdtemp(folder));
    CHECK(call(folder, "twice") == 1);
    CHECK(call(folder, "twice") == 0);
    CHECK(call(folder, "wave") == 1);
    CHECK(call(folder, "twice") == 0 && call(folder, "wave") == 0);
    each_file(damage);
    CHECK(call(folder, "twice") == 1);
    CHECK(call(folder, "twice") == 0);
    setenv("FAKECUDA_CAPABILITY", "80", 1);
    CHECK(call(folder, "twice") == 1);
    CHECK(call(folder, "twice") == 0);
    /* A driver whose linker fails compiles it as it loads it; whose compiler fails says so. */
    each_file(discard);
    setenv("FAKECUDA_FAIL", "cuLinkCreate_v2:5", 1);
    CHECK(call(folder, "twice") == 0);
    setenv("FAKECUDA_FAIL", "cuLinkComplete:5", 1);
    fails = true;
    CHECK(call(folder, "twice") == 1 && strstr(err.message, "cannot compile the PTX"));
    fails = false;
    CHECK(call(folder, "twice") == 1);
    unsetenv("FAKECUDA_FAIL");
    /* without a cache the driver keeps what it makes itself */
    CHECK(call("0", "twice") == 0);
    each_file(discard);
    rmdir(folder);
    while (nprograms > 0)
        ufcc_free(programs[--nprograms]);
    return test_failures != 0;
}
