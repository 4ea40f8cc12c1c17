/* kept.c: a source that is compiled from memory with lines is kept in the cache, where debuggers
 * and profilers find it: code names the file, and the driver is told to keep lines.  On the fake
 * driver.
 */
#include <dirent.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "../fakecuda.h"
#include "../test.h"
#include "ufc.h"
#include "ufcc.h"

static char folder[] = "/tmp/ufc-kept-XXXXXX", path[400];

static const char twice[] = "# a comment\nufunc f(x) : float32(float32) = 2 * x\n";
static const char thrice[] = "# a comment\nufunc f(x) : float32(float32) = 3 * x\n";

static ufcc_program *programs[16]; /* the fake driver has their records */
static int nprograms;

/* Compiles a source under a name, and calls f on the device. */
static void call(const char *name, const char *source, bool lines, const char *device) {
    ufcc_options options = {.cache = folder, .line_info = lines};
    ufcc_program *p = ufcc_compile(name, source, strlen(source), &options);
    ufc_context *ctx;
    float x[3] = {1, 2, 3}, y[3] = {0};
    int64_t n = 3;
    programs[nprograms++] = p;
    REQUIRE(p && ufcc_load(p) && ufc_context_new(&ctx, device, 1, NULL) == UFC_OK);
    fakecuda_register(ufcc_function(p, "f"));
    DLTensor a = ufc_host_array(x, ufc_dltype(UFC_FLOAT32), 1, &n), b = a;
    b.data = y;
    ufc_arg in[] = {ufc_array(&a)};
    ufc_out out = ufc_into(&b);
    ufc_error err;
    if (ufc_call(ctx, NULL, ufcc_function(p, "f"), in, &out, &err) != UFC_OK) {
        printf("'%s' on %s: %s\n", name, device, err.message);
        test_failures++;
    }
    ufc_context_free(ctx);
}

/* The number of sources in the cache; the path of a file in the last one is set. */
static int sources(const char *name) {
    DIR *d = opendir(folder);
    int n = 0;
    for (const struct dirent *e; d && (e = readdir(d)) != NULL;)
        if (strstr(e->d_name, ".src")) {
            snprintf(path, sizeof path, "%s/%s/%s", folder, e->d_name, name);
            n++;
        }
    if (d)
        closedir(d);
    return n;
}

static bool holds(const char *text) {
    char got[200] = "";
    FILE *f = fopen(path, "rb");
    if (f) {
        (void)!fread(got, 1, sizeof got - 1, f);
        fclose(f);
    }
    return strcmp(got, text) == 0;
}

static void write_file(const char *name, const char *text) {
    FILE *f = fopen(name, "wb");
    REQUIRE(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

/* Whether the image that the driver was given last names the file, and it was to keep its lines. */
static bool names_path(void) {
    const char *image = fakecuda_image();
    return strstr(image, path) && fakecuda_keeps_lines();
}

int main(void) {
    REQUIRE(mkdtemp(folder));
    call("made/f.uf", twice, false, "cuda");
    CHECK(sources("f.uf") == 0 && !fakecuda_keeps_lines());

    call("made/f.uf", twice, true, "cuda");
    CHECK(sources("f.uf") == 1 && holds(twice) && names_path());
    call("made/f.uf", twice, true, "cuda"); /* as the cache has it */
    CHECK(sources("f.uf") == 1 && holds(twice));

    write_file(path, "something else");
    call("made/f.uf", twice, true, "cpu");
    CHECK(sources("f.uf") == 1 && holds(twice));

    call("g.uf", twice, true, "cpu");
    CHECK(sources("f.uf") == 1 && holds(twice));
    CHECK(sources("g.uf") == 1 && holds(twice));
    call("f.uf", thrice, true, "cpu");
    CHECK(sources("f.uf") == 2);

    /* a name that no file can have */
    call("", twice, true, "cpu");
    call("made/", twice, true, "cpu");
    CHECK(sources("") == 2);

    ufcc_cache_state state;
    REQUIRE(ufcc_cache(folder, &state));
    free(state.folder);
    unsigned long long size = state.size;
    CHECK(state.error == 0 && size > 3 * strlen(twice));
    CHECK(ufcc_cache_prune(folder, 0) && sources("f.uf") == 0);
    REQUIRE(ufcc_cache(folder, &state));
    free(state.folder);
    CHECK(state.entries == 0 && state.size == 0);

    /* A source that is a file is not kept, unless the file is another by now. */
    char file[sizeof folder + 5];
    snprintf(file, sizeof file, "%s/f.uf", folder);
    write_file(file, twice);
    call(file, twice, true, "cuda");
    CHECK(sources("f.uf") == 0);
    snprintf(path, sizeof path, "%s", file);
    CHECK(names_path());
    call(file, thrice, true, "cuda");
    CHECK(sources("f.uf") == 1 && holds(thrice) && names_path());

    /* relative names are whole in code */
    REQUIRE(chdir(folder) == 0);
    call("f.uf", twice, true, "cuda");
    snprintf(path, sizeof path, "%s", file);
    CHECK(names_path());

    CHECK(ufcc_cache_prune(folder, 0) && unlink(file) == 0 && rmdir(folder) == 0);
    while (nprograms > 0)
        ufcc_free(programs[--nprograms]);
    return test_failures != 0;
}
