/* import.c: what a source from memory imports lies beside the name that it is given. */
#include <string.h>
#include <unistd.h>
#include "../test.h"
#include "ufc.h"
#include "ufcc.h"

static char folder[] = "/tmp/ufc-import-XXXXXX";

static void write_file(const char *name, const char *text) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    REQUIRE(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static void remove_file(const char *name) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    unlink(path);
}

static void keep_first(void *user, const ufcc_diagnostic *d) {
    char *text = user;
    if (!*text)
        snprintf(text, 400, "%s:%d: %.*s: %s", d->file ? d->file : "-", d->line,
                 (int)d->source_size, d->source ? d->source : "", d->message);
}

static ufcc_program *compile(const char *name, const char *text, char *said) {
    ufcc_options options = {.targets = UFCC_HOST, .diagnostic = keep_first, .user = said};
    char path[200];
    *said = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return ufcc_compile(path, text, strlen(text), &options);
}

static double call(ufcc_program *p, const char *name, double x) {
    double y = -1;
    DLTensor result = ufc_host_array(&y, ufc_dltype(UFC_FLOAT64), 0, NULL);
    ufc_arg in[] = {ufc_float(x)};
    ufc_out out[] = {ufc_into(&result)};
    ufc_error err;
    const ufc_ufunc *f = ufcc_function(p, name);
    return f && ufc_call(NULL, NULL, f, in, out, &err) == UFC_OK ? y : -1;
}

static void test_memory(void) {
    char said[400], other[200];
    ufcc_program *p =
        compile("embed.uf", "import \"other.uf\"\nufunc f(x) : f8(f8) = third(x) + 1", said);
    CHECK(p && !*said);
    if (!p)
        return;
    snprintf(other, sizeof other, "%s/other.uf", folder);
    CHECK(strcmp(ufcc_file_name(p, 1), other) == 0 && !ufcc_file_name(p, 2));
    CHECK(strcmp(ufcc_function_name(p, 0), "f") == 0 && !ufcc_function_name(p, 1));
    CHECK(ufcc_load(p) && call(p, "f", 6) == 3);
    CHECK(!ufcc_function(p, "third"));
    ufcc_free(p);
}

static void test_errors(void) {
    char said[400], wanted[400];
    CHECK(!compile("embed.uf", "import \"broken.uf\"\nufunc f(x) : f8(f8) = g(x)", said));
    snprintf(wanted, sizeof wanted,
             "%s/broken.uf:2: def g(x) = y + x: unknown name 'y'; did you mean 'x'?", folder);
    CHECK(strncmp(said, wanted, strlen(wanted) - 20) == 0);
    CHECK(!compile("embed.uf", "import \"none.uf\"\nufunc f(x) : f8(f8) = g(x)", said));
    CHECK(strstr(said, "none.uf' cannot be read: No such file"));
    CHECK(!compile("other.uf", "import \"cycle.uf\"", said)); /* it is the file of that name */
    CHECK(strstr(said, "imports itself"));
}

/* Texts that are given are taken in place of files, which need not be there, by any way to them. */
static void test_given(void) {
    static const char text[] = "import \"lib/part.uf\"\nimport \"./half.uf\"\n"
                               "ufunc f(x) : f8(f8) = part(x) + half(x)";
    ufcc_file files[] = {
        {"gone/lib/part.uf", "import \"../half.uf\"\nufunc part(x) : f8(f8) = half(x) + 1", 0},
        {"gone/half.uf", "ufunc half(x) : f8(f8) = x / 2;", 30}}; /* the ; is behind its size */
    char said[400] = "";
    ufcc_options options = {
        .targets = UFCC_HOST, .diagnostic = keep_first, .user = said, .files = files, .nfiles = 2};
    size_t size = 0;
    files[0].size = strlen(files[0].text);
    ufcc_program *p = ufcc_compile("gone/f.uf", text, strlen(text), &options);
    CHECK(p && !*said);
    if (!p)
        return;
    CHECK(ufcc_load(p) && call(p, "f", 6) == 7);
    CHECK(strcmp(ufcc_file_text(p, 0, &size), text) == 0 && size == strlen(text));
    CHECK(strcmp(ufcc_file_name(p, 2), "gone/lib/../half.uf") == 0);
    CHECK(strcmp(ufcc_file_text(p, 2, &size), "ufunc half(x) : f8(f8) = x / 2") == 0 && size == 30);
    CHECK(!ufcc_file_text(p, 3, &size) && !ufcc_file_text(p, -1, &size));
    ufcc_free(p);
    files[1].name = "gone/lib/../../other.uf";
    CHECK(!ufcc_compile("gone/f.uf", text, strlen(text), &options));
    CHECK(strstr(said, "gone/lib/../half.uf' cannot be read: No such file"));
    *said = 0;
    files[1] = (ufcc_file){"gone/half.uf", "import \"lib/part.uf\"", 20};
    CHECK(!ufcc_compile("gone/f.uf", text, strlen(text), &options) &&
          strstr(said, "imports itself"));
    *said = 0;
    files[1].text = NULL;
    CHECK(!ufcc_compile("gone/f.uf", text, strlen(text), &options) && strstr(said, "NULL"));
}

int main(void) {
    REQUIRE(mkdtemp(folder));
    write_file("other.uf", "ufunc third(x) : f8(f8) = x / 3");
    write_file("broken.uf", "# g\ndef g(x) = y + x\n");
    write_file("cycle.uf", "import \"other.uf\"\n");
    test_memory();
    test_errors();
    test_given();
    remove_file("other.uf");
    remove_file("broken.uf");
    remove_file("cycle.uf");
    rmdir(folder);
    return test_failures > 0;
}
