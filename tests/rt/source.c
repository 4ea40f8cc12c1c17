/* source.c: sources that no scanner likes, and those that memory does not hold. */
#include <dirent.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "../test.h"
#include "ufcc.h"

/* Under AddressSanitizer memory may end, too. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}

static char said[2000];

static void keep(const char *text, size_t size) {
    size_t used = strlen(said);
    if (size < sizeof said - used)
        memcpy(said + used, text, size);
}

static void keep_message(void *user, const ufcc_diagnostic *d) {
    (void)user;
    keep(d->message, strlen(d->message));
}

static void keep_dump(void *user, const char *text, size_t size) {
    (void)user;
    keep(text, size);
}

static ufcc_program *compile(const char *name, const char *text) {
    ufcc_options options = {
        .targets = UFCC_HOST, .diagnostic = keep_message, .dump = "t", .dumped = keep_dump};
    memset(said, 0, sizeof said);
    return ufcc_compile(name, text, strlen(text), &options);
}

static int count(const char *text, char c) {
    int n = 0;
    for (; *text; text++)
        n += *text == c;
    return n;
}

/* A token is shown up to a whole character; one that is none has no such place. */
static void test_long_tokens(void) {
    char text[200] = "";
    memset(text, 0x80, 60);
    CHECK(!compile("f.uf", text));
    CHECK(count(said, '\x80') > 30 && count(said, '\x80') < 40 && strstr(said, "...'"));
    strcpy(text, "import \"");
    for (int i = 0; i < 60; i++)
        strcat(text, "\xe6\xbc\xa2");
    strcat(text, "\"");
    CHECK(!compile("f.uf", text));
    CHECK(strstr(said, "\xe6\xbc\xa2..."));
}

static int open_files(void) {
    int n = 0;
    DIR *folder = opendir("/proc/self/fd");
    while (folder && readdir(folder))
        n++;
    if (folder)
        closedir(folder);
    return n;
}

/* Bytes of address space in use. */
static rlim_t space(void) {
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    REQUIRE(f && fscanf(f, "%lu", &pages) == 1);
    fclose(f);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* An imported file that memory has no room for leaves nothing open behind. */
static void test_large_import(void) {
    char path[] = "/tmp/ufc-source-XXXXXX", text[100];
    int fd = mkstemp(path);
    REQUIRE(fd >= 0 && ftruncate(fd, 1 << 29) == 0 && close(fd) == 0);
    snprintf(text, sizeof text, "import \"%s\"", path);
    struct rlimit all, little;
    REQUIRE(getrlimit(RLIMIT_AS, &all) == 0);
    int before = open_files();
    little = all;
    little.rlim_cur = space() + (1 << 28);
    REQUIRE(setrlimit(RLIMIT_AS, &little) == 0);
    CHECK(!compile("f.uf", text));
    REQUIRE(setrlimit(RLIMIT_AS, &all) == 0);
    CHECK(strstr(said, "out of memory"));
    CHECK(open_files() == before);
    unlink(path);
}

int main(void) {
    test_long_tokens();
    test_large_import();
    return test_failures > 0;
}
