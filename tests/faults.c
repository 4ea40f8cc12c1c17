/* faults.c: whatever call of the system fails in a command, it does what it is to do, or says that
 * it does not: no crash, a file that was there is as it was or wholly new, no other file is left,
 * and what it leaves in the cache hinders no later command.
 *
 *     faults UFC [POINTS]     of each kind of call so many fail, spread over all that there are
 *
 * The current folder has failload.so, which is preloaded, the fake driver, and the sources. */
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

/* Which of a command's calls fail. */
static const char *const failures[] = {
    "memory once", "memory on", "pages once", "pages on", "threads once",      "threads on",
    "files once",  "files on",  "moves once", "moves on", "moves interrupted", "moves short",
};
enum {
    FAILURES = sizeof failures / sizeof *failures,
    MEMORY = 2, /* up to here */
    FILES = 6,
    HARMLESS = 10, /* from here on */
    FEW = 20,
};

enum {
    VARIES = 1,   /* what it prints tells of the machine, time, a cache, or an error */
    KEEPS = 2,    /* code, in the cache */
    BY_DRIVER = 4 /* computes by the fake driver, or may: that runs host code for kernels and does
                     without what it cannot have, so memory, pages and threads do not fail */
};
struct command {
    const char *arguments; /* separated by blanks */
    const char *outputs;   /* files, as well */
    int is;
};
static const struct command commands[] = {
    {"build f.uf -o out", "out.o out.h", 0},
    {"build --target=host f.uf -MD -o out", "out.o out.h out.d", 0},
    {"build --emit=header f.uf -o out.h", "out.h", 0},
    {"build --emit=ptx f.uf -o out.ptx", "out.ptx", 0},
    {"build --emit=asm --target=host f.uf -o -", "", 0},
    {"run f.uf", "", KEEPS},
    {"run --device=cpu f.uf f in.npy 2 -o out.npy", "out.npy", KEEPS},
    {"run --device=cpu f.uf total in.npy", "", KEEPS},
    {"run --device=sim f.uf f.reduce in.npy -o out.npy", "out.npy", KEEPS},
    {"run --device=cuda f.uf f in.npy 2", "", KEEPS | BY_DRIVER},
    {"run f.uf f in.npy 2", "", KEEPS | BY_DRIVER},
    {"bench --device=cpu --seconds=0.001 f.uf f in.npy 2", "", VARIES | KEEPS},
    {"explain --device=sim f.uf total rand:100:f8", "", KEEPS},
    {"check f.uf import.uf", "", 0},
    {"check wrong.uf", "", VARIES},
    {"cache show", "", VARIES | KEEPS},
    {"cache prune", "", KEEPS},
    {"cache clear", "", KEEPS},
    {"doctor", "", VARIES | KEEPS},
    {"--version", "", 0},
    {"build --help", "", 0},
};

static const char *ufc;

/* ---- files */

enum { LARGEST = 1 << 20 };
struct text {
    char data[LARGEST];
    long size; /* -1: there is no such file */
};

static void read_text(struct text *t, const char *path) {
    FILE *f = fopen(path, "rb");
    t->size = f ? (long)fread(t->data, 1, LARGEST, f) : -1;
    REQUIRE(t->size < LARGEST);
    if (f)
        fclose(f);
}

static bool equal(const struct text *a, const struct text *b) {
    return a->size == b->size && (a->size <= 0 || memcmp(a->data, b->data, (size_t)a->size) == 0);
}

static const char old[] = "what was there before\n";

static bool is_old(const struct text *t) {
    return t->size == (long)strlen(old) && memcmp(t->data, old, strlen(old)) == 0;
}

static void write_old(const char *path) {
    FILE *f = fopen(path, "wb");
    REQUIRE(f && fputs(old, f) >= 0 && fclose(f) == 0);
}

/* Files of the current folder, without the cache, which some failures keep from being made. */
static int entries(void) {
    int n = 0;
    DIR *d = opendir(".");
    REQUIRE(d);
    for (const struct dirent *e; (e = readdir(d)) != NULL;)
        n += strcmp(e->d_name, "cache") != 0;
    closedir(d);
    return n;
}

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *at) {
    (void)st, (void)kind, (void)at;
    return remove(path);
}

static void empty_cache(void) {
    (void)nftw("cache", remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* ---- running */

enum { SECONDS = 60 }; /* a command that does not end by then is killed, by SIGALRM */

/* Runs a command, with its output in files, and returns its status as of waitpid.  failure: as
 * failload.c has it, or NULL. */
static int start(const struct command *c, const char *failure) {
    char arguments[200], *argv[20] = {(char *)ufc}, *rest = arguments;
    int n = 1;
    snprintf(arguments, sizeof arguments, "%s", c->arguments);
    for (char *word; (word = strsep(&rest, " ")) != NULL;)
        argv[n++] = word;
    if (failure)
        setenv("FAIL", failure, 1);
    setenv("LD_PRELOAD", failure ? "./failload.so ./fakeload.so" : "./fakeload.so", 1);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    int make = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&actions, 1, "got", make, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, "log", make, 0600);
    posix_spawn_file_actions_addopen(&actions, 9, "calls", make, 0600);
    pid_t child;
    int status = 0;
    extern char **environ;
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ends, NULL);
    REQUIRE(posix_spawn(&child, ufc, &actions, NULL, argv, environ) == 0);
    unsetenv("LD_PRELOAD");
    posix_spawn_file_actions_destroy(&actions);
    if (sigtimedwait(&ends, NULL, &(struct timespec){.tv_sec = SECONDS}) < 0)
        kill(child, SIGALRM);
    REQUIRE(waitpid(child, &status, 0) == child);
    return status;
}

enum { MOST = 3 }; /* outputs */
static struct right {
    int exits;
    struct text printed, outputs[MOST];
} right;

static struct text got;

static void wrong(const struct command *c, const char *failure, const char *what) {
    struct text *log = malloc(sizeof *log);
    REQUIRE(log);
    read_text(log, "log");
    printf("ufc %s, %s: %s\n%.*s", c->arguments, failure, what, (int)log->size, log->data);
    free(log);
    test_failures++;
}

/* For each output: its name, in turn.  NULL: no more. */
static const char *next_output(const char **names) {
    static char name[20];
    int n = 0;
    if (sscanf(*names, "%19s%n", name, &n) != 1)
        return NULL;
    *names += n;
    return name;
}

/* Lets a command fail, and looks at what it says and leaves. */
static void try_failure(const struct command *c, const char *failure, bool harmless, bool fresh) {
    const char *names = c->outputs;
    for (const char *name; (name = next_output(&names)) != NULL;)
        write_old(name);
    if (fresh)
        empty_cache();
    int before = entries(), status = start(c, failure);
    bool done = WIFEXITED(status) && WEXITSTATUS(status) == right.exits;
    if (!WIFEXITED(status))
        wrong(c, failure, WTERMSIG(status) == SIGALRM ? "it does not end" : "a signal");
    else if (!done && (WEXITSTATUS(status) != 1 || harmless))
        wrong(c, failure, "another exit status");
    read_text(&got, "log");
    bool says = got.size > 0;
    read_text(&got, "got");
    if (!done && !says && !(c->is & VARIES && got.size > 0))
        wrong(c, failure, "no message");
    if (done && !(c->is & VARIES) && !equal(&got, &right.printed))
        wrong(c, failure, "another output");
    names = c->outputs;
    int i = 0;
    for (const char *name; (name = next_output(&names)) != NULL; i++) {
        read_text(&got, name);
        if (!equal(&got, &right.outputs[i]) && (done || !is_old(&got)))
            wrong(c, failure, name);
    }
    if (entries() > before)
        wrong(c, failure, "another file is left");
    if (c->is & KEEPS && !(c->is & VARIES) && !fresh) {
        status = start(c, NULL);
        read_text(&got, "got");
        if (!WIFEXITED(status) || WEXITSTATUS(status) != right.exits ||
            !equal(&got, &right.printed))
            wrong(c, failure, "the next run");
    }
}

/* So many calls of a kind as are made in a run. */
static long calls(void) {
    read_text(&got, "calls");
    got.data[got.size < 0 ? 0 : got.size] = '\0';
    return atol(got.data);
}

static void try_command(const struct command *c, int points) {
    long all[FAILURES] = {0};
    empty_cache();
    int status = start(c, NULL);
    right.exits = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (right.exits < 0 || (right.exits > 0 && !strstr(c->arguments, "wrong")))
        wrong(c, "nothing fails", "a failure");
    read_text(&right.printed, "got");
    const char *names = c->outputs;
    for (int i = 0; i < MOST; i++) {
        const char *name = next_output(&names);
        read_text(&right.outputs[i], name ? name : "none");
    }
    long n = 0;
    for (int f = 0; f < FAILURES; f++) {
        char failure[40];
        if (f < FILES && c->is & BY_DRIVER)
            continue;
        snprintf(failure, sizeof failure, "%s 0", failures[f]);
        empty_cache();
        (void)start(c, failure);
        all[f] = calls();
        /* The first calls are the command's own, those in the middle LLVM's.  Of memory all are
         * tried where they are few. */
        long tried = f < MEMORY && all[f] <= FEW && points < FEW ? FEW : points;
        for (long k = 0; k < tried && k < all[f] && test_failures < 20; k++, n++) {
            long number = all[f] <= tried ? k + 1 : 1 + (all[f] - 1) * k * k / tried / tried;
            snprintf(failure, sizeof failure, "%s %ld", failures[f], number);
            try_failure(c, failure, f >= HARMLESS, k % 2 == 0);
        }
    }
    printf("ufc %s: %ld of %ld failed\n", c->arguments, n,
           all[0] + all[2] + all[4] + all[6] + all[8]);
    fflush(stdout);
}

int main(int argc, char **argv) {
    int points = argc > 2 ? atoi(argv[2]) : 4;
    REQUIRE(argc > 1);
    ufc = argv[1];
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (argc < 4 || strstr(commands[i].arguments, argv[3]))
            try_command(&commands[i], points);
    return test_failures > 0;
}
