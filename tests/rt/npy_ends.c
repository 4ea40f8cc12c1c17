/* npy_ends.c: a process that ends while it writes a .npy file leaves the old one or the new one,
 * and nothing beside it, whether or not the file system has files without a name; and reads that
 * fail are told as such. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../test.h"
#include "ufc.h"

/* ---- the system's calls, of which one goes wrong */

static int nameless = 1;         /* are there files without a name? */
static int ending;               /* the signal that ends the process, */
static const char *ends_in = ""; /* in this call, before it or, "after ...", behind it */
static int reads_until_error = -1;
static int appears; /* does another process make a file of the name, as this one is about to? */

static void passes(const char *call) {
    if (ending && strcmp(call, ends_in) == 0)
        kill(getpid(), ending);
}

int open(const char *path, int flags, ...) {
    va_list args;
    va_start(args, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
    va_end(args);
    if (!nameless && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

ssize_t write(int fd, const void *data, size_t size) {
    ssize_t n = syscall(SYS_write, fd, data, size);
    passes("after write");
    return n;
}

ssize_t read(int fd, void *data, size_t size) {
    if (reads_until_error-- == 0) {
        errno = EIO;
        return -1;
    }
    return syscall(SYS_read, fd, data, size);
}

int linkat(int from_folder, const char *from, int folder, const char *path, int flags) {
    if (appears && strstr(path, "a.npy"))
        close(creat(path, 0600));
    passes("linkat");
    int result = (int)syscall(SYS_linkat, from_folder, from, folder, path, flags);
    passes("after linkat");
    return result;
}

int rename(const char *from, const char *to) {
    passes("rename");
    int result = (int)syscall(SYS_rename, from, to);
    passes("after rename");
    return result;
}

/* ---- writing */

static ufc_error err;
static int32_t numbers[100000];

static ufc_status put(int32_t first) {
    int64_t n = sizeof numbers / sizeof *numbers;
    DLTensor a = ufc_host_array(numbers, ufc_dltype(UFC_INT32), 1, &n);
    numbers[0] = first;
    return ufc_npy_write("a.npy", &a, &err);
}

/* The first number of a.npy, which is whole; 0: there is none. */
static int32_t held(void) {
    DLManagedTensorVersioned *a;
    if (access("a.npy", F_OK) != 0)
        return 0;
    REQUIRE(ufc_npy_read("a.npy", &a, &err) == UFC_OK);
    int32_t first = *(int32_t *)a->dl_tensor.data;
    ufc_free(a);
    return first;
}

static int files_here(void) {
    int n = 0;
    DIR *folder = opendir(".");
    REQUIRE(folder);
    for (const struct dirent *e; (e = readdir(folder)) != NULL;)
        n += *e->d_name != '.' || strlen(e->d_name) > 2;
    closedir(folder);
    return n;
}

/* A process writes and is ended by the signal; no more than a.npy is there then.  before: what was
 * there, 0: nothing; new: may the new one be?  And must it? */
static void ends(int signal, const char *where, int32_t before, int is_new) {
    unlink("a.npy");
    CHECK(before == 0 || put(before) == UFC_OK);
    pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        ending = signal;
        ends_in = where;
        if (signal == SIGXFSZ)
            setrlimit(RLIMIT_FSIZE, &(struct rlimit){1 << 16, 1 << 16});
        (void)put(before + 1);
        _exit(0);
    }
    int status, want = is_new ? before + 1 : before;
    REQUIRE(waitpid(child, &status, 0) == child);
    int is = held(), n = files_here();
    if (WTERMSIG(status) != signal || is != want || n != (want != 0)) {
        printf("signal %d in '%s', %s: status %#x, a.npy has %d, not %d, %d files\n", signal, where,
               nameless ? "without a name" : "with a name", (unsigned)status, is, want, n);
        test_failures++;
    }
}

static void endings(void) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGALRM};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        for (int before = 0; before < 10; before += 9) {
            /* With a name, the file that is written while signals wait comes to its place. */
            ends(signals[i], "after write", before, !nameless);
            ends(signals[i], nameless && !before ? "linkat" : "rename", before,
                 !nameless || before);
            ends(signals[i], nameless && !before ? "after linkat" : "after rename", before, 1);
        }
    ends(SIGXFSZ, "", 0, 0);
    ends(SIGXFSZ, "", 9, 0);
}

/* What goes wrong leaves nothing either; signals are as they were. */
static void errors(void) {
    sigset_t mask;
    struct rlimit limit, little = {1 << 16, RLIM_INFINITY};
    REQUIRE(getrlimit(RLIMIT_FSIZE, &limit) == 0 && put(5) == UFC_OK);
    signal(SIGXFSZ, SIG_IGN);
    little.rlim_max = limit.rlim_max;
    REQUIRE(setrlimit(RLIMIT_FSIZE, &little) == 0);
    CHECK(put(6) == UFC_EIO && strstr(err.message, "'a.npy'") && strstr(err.message, "too large"));
    REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
    signal(SIGXFSZ, SIG_DFL);
    CHECK(held() == 5 && files_here() == 1);
    REQUIRE(sigprocmask(SIG_SETMASK, NULL, &mask) == 0);
    for (int number = 1; number < NSIG; number++)
        CHECK(sigismember(&mask, number) == 0);

    /* A mode, and a file that comes into being meanwhile. */
    struct stat st;
    CHECK(chmod("a.npy", 0640) == 0 && put(7) == UFC_OK && held() == 7);
    CHECK(stat("a.npy", &st) == 0 && (st.st_mode & 07777) == 0640);
    CHECK(unlink("a.npy") == 0);
    mode_t mask_of_files = umask(027);
    CHECK(put(7) == UFC_OK && stat("a.npy", &st) == 0 && (st.st_mode & 07777) == 0640);
    CHECK(unlink("a.npy") == 0);
    umask(mask_of_files);
    appears = 1;
    CHECK(put(8) == UFC_OK);
    appears = 0;
    CHECK(held() == 8 && files_here() == 1);
}

/* ---- reading */

static void broken_reads(void) {
    DLManagedTensorVersioned *a = NULL;
    REQUIRE(put(1) == UFC_OK);
    for (int n = 0; n < 3; n++) { /* the beginning, the header, the elements */
        reads_until_error = n;
        CHECK(ufc_npy_read("a.npy", &a, &err) == UFC_EIO && !a);
        CHECK(strcmp(err.message, "'a.npy': cannot read: Input/output error") == 0);
    }
    reads_until_error = -1;
    CHECK(ufc_npy_read("/", &a, &err) == UFC_EIO && !a);
    CHECK(strcmp(err.message, "'/': cannot read: Is a directory") == 0);
}

int main(void) {
    char folder[] = "/tmp/ufc-npy-XXXXXX";
    REQUIRE(mkdtemp(folder) && chdir(folder) == 0);
    for (nameless = 0; nameless < 2; nameless++) {
        endings();
        errors();
    }
    broken_reads();
    CHECK(unlink("a.npy") == 0 && rmdir(folder) == 0);
    return test_failures > 0;
}
