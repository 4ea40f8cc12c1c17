/* cache.c: code that is kept on disk is found again where it is whole, this user's and of the same
 * source and options; whatever else lies there, or does not, code is made, and calls go on. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "../test.h"
#include "ufc.h"
#include "ufcc.h"

static char folder[] = "/tmp/ufc-cache-XXXXXX", cache[64];

static const char source[] = "ufunc f(x) : int32(int32) = x";

/* ---- files */

static const char *in(const char *where, const char *name) {
    static char path[400];
    snprintf(path, sizeof path, "%s/%s", where, name);
    return path;
}

static void write_file(const char *path, const void *data, size_t size) {
    FILE *f = fopen(path, "wb");
    REQUIRE(f && fwrite(data, 1, size, f) == size && fclose(f) == 0);
}

static size_t read_file(const char *path, char *data, size_t room) {
    FILE *f = fopen(path, "rb");
    REQUIRE(f);
    size_t n = fread(data, 1, room, f);
    fclose(f);
    return n;
}

/* Calls `each` with the paths of the files in the cache; gives their number. */
static int each_file(void (*each)(const char *path, void *arg), void *arg) {
    DIR *d = opendir(cache);
    int n = 0;
    for (const struct dirent *e; d && (e = readdir(d)) != NULL;) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
            strstr(e->d_name, ".src")) /* a source's text: tests/rt/kept.c */
            continue;
        n++;
        if (each)
            each(in(cache, e->d_name), arg);
    }
    if (d)
        closedir(d);
    return n;
}

static void unlink_file(const char *path, void *arg) {
    (void)arg;
    REQUIRE(unlink(path) == 0);
}

static void empty_cache(void) {
    each_file(unlink_file, NULL);
}

struct smallest {
    char path[400];
    off_t size;
};

static void note_smaller(const char *path, void *arg) {
    struct smallest *s = arg;
    struct stat st;
    REQUIRE(stat(path, &st) == 0);
    if (s->size > 0 && st.st_size >= s->size)
        return;
    snprintf(s->path, sizeof s->path, "%s", path);
    s->size = st.st_size;
}

/* ---- loading */

/* How many pieces of code were made, and how many found; loaded: whether all went well. */
struct seen {
    int made, found;
    bool loaded;
};

static void count(void *user, const char *text, size_t size) {
    struct seen *seen = user;
    (void)size;
    seen->made += strncmp(text, "made ", 5) == 0;
    seen->found += strncmp(text, "found ", 6) == 0;
}

static struct seen load_with(const char *name, const char *text, ufcc_options o) {
    struct seen seen = {0};
    o.eager = true;
    o.dump = "c";
    o.dumped = count;
    o.user = &seen;
    ufcc_program *p = ufcc_compile(name, text, strlen(text), &o);
    seen.loaded = p && ufcc_load(p);
    ufcc_free(p);
    return seen;
}

/* PTX alone, which takes less time than host code. */
static struct seen load(const char *text) {
    return load_with("t.uf", text, (ufcc_options){.targets = UFCC_CUDA, .cache = cache});
}

static bool makes_one(void) {
    struct seen s = load(source);
    return s.loaded && s.made == 1 && s.found >= 1;
}

static bool finds_all(void) {
    struct seen s = load(source);
    return s.loaded && s.made == 0 && s.found >= 1;
}

static bool makes_all(void) {
    struct seen s = load(source);
    return s.loaded && s.made >= 1 && s.found == 0;
}

/* ---- what is wrong with an entry */

static void test_bytes(const struct smallest *entry, const char *data) {
    static char now[1 << 16];
    for (off_t i = 0; i < entry->size; i++) {
        char flipped = (char)(data[i] ^ (1 << i % 8));
        int fd = open(entry->path, O_WRONLY);
        REQUIRE(fd >= 0 && pwrite(fd, &flipped, 1, i) == 1 && close(fd) == 0);
        if (!makes_one() || read_file(entry->path, now, sizeof now) != (size_t)entry->size ||
            memcmp(now, data, (size_t)entry->size) != 0)
            printf("byte %d flipped\n", (int)i), test_failures++;
    }
    for (off_t size = 0; size < entry->size; size += size < 120 ? 7 : 61) {
        REQUIRE(truncate(entry->path, size) == 0);
        CHECK(makes_one() && finds_all());
    }
    REQUIRE(truncate(entry->path, entry->size + 1) == 0);
    CHECK(makes_one() && finds_all());
}

/* Something that is no file of this user's is in the entry's place. */
static void test_places(const struct smallest *entry, const char *data) {
    const char *other = in(folder, "other");
    write_file(other, data, (size_t)entry->size);
    REQUIRE(unlink(entry->path) == 0 && symlink(other, entry->path) == 0);
    CHECK(makes_one() && finds_all());
    unlink(other);
    REQUIRE(unlink(entry->path) == 0 && mkfifo(entry->path, 0600) == 0);
    CHECK(makes_one() && finds_all());
    REQUIRE(unlink(entry->path) == 0 && mkdir(entry->path, 0700) == 0);
    CHECK(makes_one() && makes_one()); /* a folder stays */
    REQUIRE(rmdir(entry->path) == 0);
    CHECK(makes_one() && finds_all());
    if (geteuid() != 0)
        return;
    REQUIRE(chown(entry->path, 65534, 65534) == 0);
    CHECK(makes_one() && finds_all());
}

static void test_entries(void) {
    static char data[1 << 16];
    struct smallest entry = {.size = 0};
    struct stat st;
    empty_cache();
    CHECK(makes_all());
    CHECK(finds_all());
    CHECK(stat(cache, &st) == 0 && (st.st_mode & 0777) == 0700);
    each_file(note_smaller, &entry);
    REQUIRE(stat(entry.path, &st) == 0 && st.st_size <= (off_t)sizeof data);
    CHECK((st.st_mode & 0777) == 0600);
    read_file(entry.path, data, sizeof data);
    test_bytes(&entry, data);
    test_places(&entry, data);
}

/* ---- what code depends on */

static void test_keys(void) {
    const ufcc_options plain = {.targets = UFCC_CUDA, .cache = cache};
    ufcc_options others[6] = {plain, plain, plain, plain, plain, plain};
    others[0].fp_contract = true;
    others[1].ftz = true;
    others[2].fast_math = true;
    others[3].line_info = true;
    others[4].check = true;
    others[5].prefix = "other";
    empty_cache();
    CHECK(makes_all());
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        CHECK(load_with("t.uf", source, others[i]).found == 0);
        CHECK(load_with("t.uf", source, others[i]).made == 0);
    }
    CHECK(load_with("/elsewhere/t.uf", source, plain).made == 0);
    CHECK(load_with("/elsewhere/u.uf", source, others[3]).found == 0); /* it has the name */
    CHECK(load_with("t.uf", "ufunc f(x) : int32(int32) = x\n", plain).found == 0);
}

/* With lines: the folder in which the source was compiled, not the one in which it is loaded. */
static void test_lines(void) {
    static const char text[] = "ufunc lines(x) : int32(int32) = x";
    struct seen seen = {0};
    const ufcc_options o = {.targets = UFCC_CUDA,
                            .cache = cache,
                            .line_info = true,
                            .eager = true,
                            .dump = "c",
                            .dumped = count,
                            .user = &seen};
    char here[4096];
    REQUIRE(getcwd(here, sizeof here));
    CHECK(load_with("t.uf", text, o).made > 0);
    ufcc_program *p = ufcc_compile("t.uf", text, strlen(text), &o);
    REQUIRE(p && chdir("/") == 0);
    CHECK(ufcc_load(p) && seen.made == 0 && seen.found > 0);
    ufcc_free(p);
    CHECK(load_with("t.uf", text, o).found == 0);
    REQUIRE(chdir(here) == 0);
}

/* An import that is edited, its size and times the same, is another. */
static void test_import(void) {
    static const char text[] = "import \"part.uf\"\nufunc f(x) : int32(int32) = part(x)";
    const ufcc_options o = {.targets = UFCC_CUDA, .cache = cache};
    const struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    char name[400], part[400];
    snprintf(name, sizeof name, "%s/t.uf", folder);
    snprintf(part, sizeof part, "%s/part.uf", folder);
    for (char digit = '1'; digit <= '2'; digit++) {
        char line[] = "def part(x) = x + 0";
        line[sizeof line - 2] = digit;
        write_file(part, line, sizeof line - 1);
        REQUIRE(utimensat(AT_FDCWD, part, times, 0) == 0);
        struct seen first = load_with(name, text, o), second = load_with(name, text, o);
        CHECK(first.loaded && first.found == 0 && first.made > 0);
        CHECK(second.loaded && second.made == 0 && second.found == first.made);
    }
    unlink(part);
}

static double call(const char *text, struct seen *seen) {
    ufcc_options o = {
        .targets = UFCC_HOST, .cache = cache, .dump = "c", .dumped = count, .user = seen};
    double y = -1;
    DLTensor result = ufc_host_array(&y, ufc_dltype(UFC_FLOAT64), 0, NULL);
    ufc_arg arg[] = {ufc_float(9)};
    ufc_out out[] = {ufc_into(&result)};
    ufc_error err;
    ufcc_program *p = ufcc_compile("t.uf", text, strlen(text), &o);
    REQUIRE(p && ufcc_load(p));
    const ufc_ufunc *f = ufcc_function(p, "f");
    CHECK(f && ufc_call(NULL, NULL, f, arg, out, &err) == UFC_OK);
    ufcc_free(p);
    return y;
}

/* Host code that is found computes what it did, also by functions of the C library. */
static void test_host(void) {
    struct seen first = {0}, second = {0};
    const char *text = "ufunc f(x) : float64(float64) = sqrt(x) + exp(x - x)";
    CHECK(call(text, &first) == 4 && first.made > 0 && first.found == 0);
    CHECK(call(text, &second) == 4 && second.made == 0 && second.found == first.made);
}

/* Code of a libdevice that was put in the place of the one that the program was loaded with is not
 * kept as that one's. */
static void test_libdevice(void) {
    static char data[1 << 22];
    static const char text[] = "ufunc f(x) : float64(float64) = exp(x)";
    struct seen seen = {0};
    ufcc_options o = {
        .targets = UFCC_CUDA, .cache = cache, .dump = "c", .dumped = count, .user = &seen};
    double y = -1;
    DLTensor result = ufc_host_array(&y, ufc_dltype(UFC_FLOAT64), 0, NULL);
    ufc_arg arg[] = {ufc_float(0)};
    ufc_out out[] = {ufc_into(&result)};
    ufc_error err;
    ufc_context *sim;
    char path[400], *found = ufcc_find_libdevice();
    REQUIRE(found && ufc_context_new(&sim, "sim", 1, &err) == UFC_OK);
    size_t size = read_file(found, data, sizeof data);
    free(found);
    snprintf(path, sizeof path, "%s/libdevice.bc", folder);
    write_file(path, "another", 7);
    o.libdevice = path;
    int before = each_file(NULL, NULL);
    for (int i = 0; i < 2; i++) {
        ufcc_program *p = ufcc_compile("t.uf", text, strlen(text), &o);
        REQUIRE(p && ufcc_load(p));
        write_file(path, data, size);
        CHECK(ufc_call(sim, NULL, ufcc_function(p, "f"), arg, out, &err) == UFC_OK && y == 1);
        CHECK(seen.made == i + 1 && each_file(NULL, NULL) == before + i);
        ufcc_free(p);
    }
    ufc_context_free(sim);
    unlink(path);
}

/* ---- where it is */

static bool is_folder(const char *wanted) {
    ufcc_cache_state state;
    bool there = ufcc_cache(NULL, &state), same = there && strcmp(state.folder, wanted) == 0;
    if (there)
        free(state.folder);
    return wanted[0] ? same : !there;
}

static void test_folder(void) {
    char home[300], xdg[300], wanted[700];
    snprintf(home, sizeof home, "%s/home", folder);
    snprintf(xdg, sizeof xdg, "%s/xdg", folder);
    unsetenv("UFC_CACHE");
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", home, 1);
    snprintf(wanted, sizeof wanted, "%s/.cache/ufc", home);
    CHECK(is_folder(wanted));
    setenv("XDG_CACHE_HOME", xdg, 1);
    snprintf(wanted, sizeof wanted, "%s/ufc", xdg);
    CHECK(is_folder(wanted));
    setenv("UFC_CACHE", cache, 1);
    CHECK(is_folder(cache));
    struct seen s = load_with("t.uf", source, (ufcc_options){.targets = UFCC_CUDA});
    CHECK(s.loaded && s.made == 0 && s.found > 0);
    setenv("UFC_CACHE", "0", 1);
    CHECK(is_folder(""));
    s = load_with("t.uf", source, (ufcc_options){.targets = UFCC_CUDA});
    CHECK(s.loaded && s.made > 0 && s.found == 0);
    snprintf(wanted, sizeof wanted, "rm -r %s %s", home, xdg);
    REQUIRE(system(wanted) == 0);
}

/* ---- where nothing can be kept */

static int exit_status(pid_t child) {
    int status;
    REQUIRE(child > 0 && waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static bool is_error(const char *where, int wanted) {
    ufcc_cache_state state;
    bool same = ufcc_cache(where, &state) && state.error == wanted;
    free(state.folder);
    return same;
}

static void test_full(void) {
    struct rlimit room, little;
    empty_cache();
    REQUIRE(getrlimit(RLIMIT_FSIZE, &room) == 0);
    little = room;
    little.rlim_cur = 500;
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_FSIZE, &little);
        bool right = makes_all() && makes_all() && is_error(cache, EFBIG);
        setrlimit(RLIMIT_FSIZE, &room); /* for what is written at the end, as coverage is */
        _exit(!right);
    }
    CHECK(exit_status(child) == 0);
    CHECK(each_file(NULL, NULL) == 0);
}

static void give(const char *path, void *user) {
    REQUIRE(chown(path, *(const uid_t *)user, (gid_t)-1) == 0);
}

/* A user's own entries in a folder of another's, from which they cannot be removed. */
static void test_prune_fails(void) {
    uid_t other = 65534, own = geteuid();
    REQUIRE(chmod(cache, 0755) == 0);
    each_file(give, &other);
    pid_t child = fork();
    if (child == 0)
        _exit(seteuid(other) != 0 || ufcc_cache_prune(cache, 0) || errno != EACCES);
    CHECK(exit_status(child) == 0);
    each_file(give, &own);
}

static void test_read_only(void) {
    const ufcc_options o = {.targets = UFCC_CUDA, .cache = "/dev/null/ufc"};
    struct seen s = load_with("t.uf", source, o);
    CHECK(s.loaded && s.made > 0 && s.found == 0);
    CHECK(is_error("/dev/null/ufc", ENOTDIR));
    if (geteuid() != 0)
        return;
    CHECK(load(source).loaded && finds_all());
    REQUIRE(chmod(folder, 0755) == 0 && chmod(cache, 0755) == 0);
    pid_t child = fork();
    if (child == 0) /* another user finds files that it can neither take nor replace */
        _exit(seteuid(65534) != 0 || !makes_all() || !is_error(cache, EACCES));
    CHECK(exit_status(child) == 0);
    test_prune_fails();
    REQUIRE(chmod(cache, 01777) == 0);
    child = fork();
    if (child == 0)
        _exit(seteuid(65534) != 0 || !makes_all() || !makes_all());
    CHECK(exit_status(child) == 0);
    REQUIRE(chmod(cache, 0700) == 0);
    CHECK(finds_all());
}

/* ---- many at once */

static void test_processes(void) {
    enum { PROCESSES = 32 };
    pid_t children[PROCESSES];
    empty_cache();
    for (int i = 0; i < PROCESSES; i++)
        if ((children[i] = fork()) == 0)
            _exit(!load(source).loaded);
    for (int i = 0; i < PROCESSES; i++)
        CHECK(exit_status(children[i]) == 0);
    CHECK(finds_all());
    CHECK(each_file(NULL, NULL) == load(source).found);
}

/* Processes that are killed as they write leave drafts at most, which nobody reads, and which are
 * gone when they are old. */
static void make_old(const char *path, void *arg) {
    const struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    (void)arg;
    REQUIRE(utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW) == 0);
}

static void test_killed(void) {
    empty_cache();
    for (int i = 0; i < 40; i++) {
        pid_t child = fork();
        if (child == 0)
            for (;;) {
                empty_cache();
                load(source);
            }
        nanosleep(&(struct timespec){.tv_nsec = 1000000 + 300000 * i}, NULL);
        kill(child, SIGKILL);
        CHECK(exit_status(child) == 128 + SIGKILL);
        CHECK(load(source).loaded && finds_all());
    }
    char name[80] = ".", draft[400];
    for (int i = 0; i < 64; i++)
        strcat(name, "a");
    snprintf(draft, sizeof draft, "%s/%s.ufc-Abcdef", cache, name);
    write_file(draft, "ufc", 3);
    CHECK(load("ufunc g(x) : int32(int32) = x").loaded && access(draft, F_OK) == 0);
    make_old(draft, NULL);
    CHECK(is_error(cache, 0) && access(draft, F_OK) == 0); /* who looks removes nothing */
    CHECK(ufcc_cache_prune(cache, 1 << 30) && access(draft, F_OK) != 0);
    CHECK(finds_all());
}

/* ---- how much it is */

static void test_size(void) {
    static const char *const texts[] = {
        "ufunc a(x) : int32(int32) = x", "ufunc b(x) : int32(int32) = x",
        "ufunc c(x) : int32(int32) = x", "ufunc d(x) : int32(int32) = x"};
    ufcc_cache_state state;
    char size[40];
    empty_cache();
    CHECK(load(texts[0]).made > 0);
    REQUIRE(ufcc_cache(cache, &state) && state.entries > 0 && state.error == 0);
    free(state.folder);
    snprintf(size, sizeof size, "%llu", state.size * 7 / 2);
    setenv("UFC_CACHE_SIZE", size, 1);
    for (int i = 1; i < 3; i++)
        CHECK(load(texts[i]).made > 0);
    each_file(make_old, NULL);
    char digits[65];
    memset(digits, 'a', 64);
    digits[64] = 0;
    write_file(in(cache, digits), size, sizeof size); /* others' files */
    bool gives = geteuid() == 0;
    if (gives) {
        uid_t other = 65534;
        char name[80];
        snprintf(name, sizeof name, "%s.ufc", digits);
        write_file(in(cache, name), size, sizeof size);
        give(in(cache, name), &other);
    }
    CHECK(load(texts[0]).made == 0 && load(texts[2]).made == 0); /* they are used */
    CHECK(load(texts[3]).found == 0);
    CHECK(load(texts[0]).made == 0 && load(texts[2]).made == 0 && load(texts[3]).made == 0);
    CHECK(load(texts[1]).made > 0);
    REQUIRE(ufcc_cache(cache, &state) && state.size <= state.limit && !state.unclear);
    free(state.folder);
    snprintf(size, sizeof size, "%llu", state.size - 1);
    setenv("UFC_CACHE_SIZE", size, 1);
    int n = each_file(NULL, NULL);
    CHECK(is_error(cache, 0) && each_file(NULL, NULL) == n); /* who looks removes nothing */
    setenv("UFC_CACHE_SIZE", "10", 1);
    CHECK(load("ufunc e(x) : int32(int32) = x").loaded);
    CHECK(is_error(cache, EFBIG));
    setenv("UFC_CACHE_SIZE", "much", 1);
    REQUIRE(ufcc_cache(cache, &state));
    CHECK(state.limit == 1 << 30 && state.unclear && strcmp(state.unclear, "much") == 0);
    free(state.folder);
    unsetenv("UFC_CACHE_SIZE");
    CHECK(ufcc_cache_prune(cache, 0));
    CHECK(each_file(NULL, NULL) == 1 + gives);
}

int main(void) {
    REQUIRE(mkdtemp(folder));
    snprintf(cache, sizeof cache, "%s/cache/of/code", folder);
    test_processes(); /* before this process has threads */
    test_entries();
    test_keys();
    test_lines();
    test_import();
    test_host();
    test_libdevice();
    test_folder();
    test_full();
    test_read_only();
    test_killed();
    test_size();
    char command[100];
    snprintf(command, sizeof command, "rm -r %s", folder);
    REQUIRE(system(command) == 0);
    return test_failures > 0;
}
