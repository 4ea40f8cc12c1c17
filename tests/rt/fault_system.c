/* fault_system.c: whatever call of the system fails, the library's function fails too, and says
 * why, or does without: an old file stays as it was or is wholly new, no other file and no
 * descriptor is left, and results are right.  Each call in turn, once and with all after it; reads
 * and writes are also interrupted, and cut short. */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../test.h"
#include "several.h"
#include "system.h"

static ufc_error err;

/* ---- the system's calls, in whose place libufc finds these */

enum way { ONCE, FOR_GOOD, INTERRUPTED, SHORT, WAYS };
static enum way way;
static long left; /* calls until one fails; 0: none does */
static bool hit;
static int with; /* errno */

static bool fails(enum kind kind) {
    bool wanted = way < INTERRUPTED || kind == MOVES;
    long before = wanted ? __atomic_fetch_sub(&left, 1, __ATOMIC_SEQ_CST) : 0;
    bool now = before == 1 || (way == FOR_GOOD && hit);
    hit = hit || now;
    if (now)
        errno = way == INTERRUPTED ? EINTR : with;
    return now;
}

ssize_t read(int fd, void *to, size_t size) {
    REAL(ssize_t, "read", int, void *, size_t);
    if (!fails(MOVES))
        return real(fd, to, size);
    return way == SHORT ? real(fd, to, (size + 1) / 2) : -1;
}

ssize_t write(int fd, const void *from, size_t size) {
    REAL(ssize_t, "write", int, const void *, size_t);
    if (!fails(MOVES))
        return real(fd, from, size);
    return way == SHORT ? real(fd, from, (size + 1) / 2) : -1;
}

int fsync(int fd) {
    REAL(int, "fsync", int);
    return fails(FILES) ? -1 : real(fd);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    REAL(int, "linkat", int, const char *, int, const char *, int);
    return fails(FILES) ? -1 : real(from_folder, from, to_folder, to, flags);
}

int fchmod(int fd, mode_t mode) {
    REAL(int, "fchmod", int, mode_t);
    return fails(FILES) ? -1 : real(fd, mode);
}

char *realpath(const char *path, char *to) {
    REAL(char *, "realpath", const char *, char *);
    return fails(FILES) ? NULL : real(path, to);
}

int access(const char *path, int mode) {
    REAL(int, "access", const char *, int);
    return fails(FILES) ? -1 : real(path, mode);
}

/* ---- what is tried: each says whether all is as it should be, after what it returned */

enum { N = 3000, LARGE = 1 << 18 };
static double old[N], new[N], got[LARGE];

static DLTensor array(double *data, int64_t *n) {
    return ufc_host_array(data, ufc_dltype(UFC_FLOAT64), 1, n);
}

static bool holds(const char *path, const double *wanted, int64_t n) {
    DLManagedTensorVersioned *a = NULL;
    bool same = ufc_npy_read(path, &a, NULL) == UFC_OK && a->dl_tensor.shape[0] == n &&
                memcmp(a->dl_tensor.data, wanted, (size_t)n * sizeof *wanted) == 0;
    ufc_free(a);
    return same;
}

static ufc_status write_new(void) {
    int64_t n = N;
    DLTensor t = array(new, &n);
    return ufc_npy_write("new.npy", &t, &err);
}

static bool is_new_or_none(ufc_status status) {
    bool there = access("new.npy", F_OK) == 0;
    bool right = there ? holds("new.npy", new, N) : status != UFC_OK;
    (void)unlink("new.npy");
    return right;
}

static ufc_status write_over(void) {
    int64_t n = N;
    DLTensor t = array(new, &n);
    return ufc_npy_write("old.npy", &t, &err);
}

static bool is_old_or_new(ufc_status status) {
    int64_t n = N - 1;
    bool right = holds("old.npy", new, N) || (status != UFC_OK && holds("old.npy", old, N - 1));
    DLTensor t = array(old, &n);
    return right && ufc_npy_write("old.npy", &t, &err) == UFC_OK;
}

static DLManagedTensorVersioned *result;

static ufc_status read_file(void) {
    return ufc_npy_read("old.npy", &result, &err);
}

static bool is_read(ufc_status status) {
    bool right = status != UFC_OK ? !result
                                  : memcmp(result->dl_tensor.data, old, sizeof *old * (N - 1)) == 0;
    ufc_free(result);
    result = NULL;
    return right;
}

/* By a descriptor of the caller's, which a failure leaves with a part. */
static ufc_status write_there(void) {
    int64_t n = N;
    DLTensor t = array(new, &n);
    FILE *f = fopen("new.npy", "wb");
    REQUIRE(f);
    ufc_status status = ufc_npy_write_fd(fileno(f), &t, &err);
    (void)fclose(f);
    return status;
}

static bool is_new_or_a_part(ufc_status status) {
    bool right = status != UFC_OK || holds("new.npy", new, N);
    return unlink("new.npy") == 0 && right;
}

static ufc_status read_there(void) {
    FILE *f = fopen("old.npy", "rb");
    REQUIRE(f);
    ufc_status status = ufc_npy_read_fd(fileno(f), &result, &err);
    (void)fclose(f);
    return status;
}

static ufc_context *threads, *several;

static ufc_status call(ufc_context *ctx, int64_t n) {
    DLTensor x = array(got, &n), y = x;
    x.dtype = y.dtype = ufc_dltype(UFC_INT64);
    return several_add(ctx, NULL, ufc_array(&x), ufc_int(1), ufc_into(&y), &err);
}

static bool is_added(ufc_status status, int64_t n) {
    const int64_t *y = (const int64_t *)(const void *)got;
    for (int64_t i = 0; i < n; i++)
        if (status != UFC_OK || y[i] != 1)
            return false;
    return true;
}

static ufc_status call_on_threads(void) {
    memset(got, 0, sizeof got);
    return call(threads, LARGE);
}

static bool is_whole(ufc_status status) {
    return is_added(status, LARGE);
}

static ufc_status call_on_several(void) {
    memset(got, 0, sizeof got);
    return call(several, 256);
}

static bool is_shared(ufc_status status) {
    return is_added(status, 256);
}

static const struct {
    const char *name;
    ufc_status (*work)(void);
    bool (*is_right)(ufc_status status);
    bool in_child; /* threads are made once a process */
} trials[] = {
    {"ufc_npy_write, new", write_new, is_new_or_none, false},
    {"ufc_npy_write, over a file", write_over, is_old_or_new, false},
    {"ufc_npy_read", read_file, is_read, false},
    {"ufc_npy_write_fd", write_there, is_new_or_a_part, false},
    {"ufc_npy_read_fd", read_there, is_read, false},
    {"a call on threads", call_on_threads, is_whole, true},
    {"a call on several GPUs", call_on_several, is_shared, true},
};

/* ---- trying */

static int entries(const char *folder) {
    int n = 0;
    DIR *d = opendir(folder);
    REQUIRE(d);
    while (readdir(d))
        n++;
    closedir(d);
    return n;
}

static bool is_right(int t) {
    ufc_status status = trials[t].work();
    left = 0;
    bool was_hit = hit;
    hit = false;
    enum way keep = way;
    way = ONCE;
    bool right = trials[t].is_right(status) && (status == UFC_OK || *err.message);
    if (!right)
        printf("%s: status %d, %s\n", trials[t].name, (int)status, err.message);
    way = keep;
    hit = was_hit;
    return right;
}

static unsigned injected;

/* Fails call `number` of a trial; false: there is no such call. */
static bool try_call(int t, long number) {
    int files = entries("."), descriptors = entries("/proc/self/fd");
    *err.message = '\0';
    hit = false;
    left = number;
    if (trials[t].in_child) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            bool right = is_right(t);
            fflush(stdout);
            _exit(right ? hit : 2);
        }
        int status = 0;
        REQUIRE(waitpid(child, &status, 0) == child);
        left = 0;
        hit = WIFEXITED(status) && WEXITSTATUS(status) == 1;
        CHECK(WIFEXITED(status) && WEXITSTATUS(status) < 2);
    } else {
        CHECK(is_right(t));
    }
    bool was_hit = hit;
    hit = false;
    injected += was_hit;
    CHECK(entries(".") == files && entries("/proc/self/fd") == descriptors);
    return was_hit;
}

int main(void) {
    char folder[] = "/tmp/ufc-fault-XXXXXX";
    static const int errors[] = {ENOSPC, EIO};
    int64_t n = N - 1;
    REQUIRE(mkdtemp(folder) && chdir(folder) == 0);
    REQUIRE(ufc_context_new(&threads, "cpu", 4, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&several, "sim:0,1", 4, &err) == UFC_OK);
    for (int i = 0; i < N; i++) {
        old[i] = i;
        new[i] = -i;
    }
    DLTensor t = array(old, &n);
    REQUIRE(ufc_npy_write("old.npy", &t, &err) == UFC_OK);
    for (int trial = 0; trial < (int)(sizeof trials / sizeof *trials); trial++)
        for (way = ONCE; way < WAYS; way++)
            for (size_t e = 0; e < 2; e++) {
                with = errors[e];
                for (long number = 1; test_failures < 20 && try_call(trial, number); number++) {
                }
            }
    printf("%u calls failed\n", injected);
    CHECK(injected > 100);
    ufc_context_free(threads);
    ufc_context_free(several);
    CHECK(unlink("old.npy") == 0 && chdir("/") == 0 && rmdir(folder) == 0);
    return test_failures > 0;
}
