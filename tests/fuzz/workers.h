/* workers.h: random programs give the same bits on all levels of host code, with tested subscripts
 * and without, and on a device.
 *
 *     PROGRAM [--device=sim|cuda] [--special] FIRST COUNT     the programs of COUNT seeds
 *
 * With --special calls that a program may make in two ways run code that is made for them the
 * second time. Each level of host code, and the device, has a process of its own, which leaves its
 * results in memory that all share.  A program that differs is printed, with lines left out as long
 * as it still differs.
 *
 * The file that includes it has drawn the programs, and says what is to be done with one:
 *
 *     struct program       with seed, text and main.name
 *     RESULT_BYTES         what a program's results take at most */
#ifndef WORKERS_H
#define WORKERS_H

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "ufc.h"
#include "ufcc.h"

enum { CHECKED, WORKERS = 5, BATCH = 16, REDUCE_AT_MOST = 3 };

/* The first has tested subscripts, which keep most of a plan's passes from it. */
static const char *workers[WORKERS] = {"v2", "v2", "v3", "v4", "sim"};

static const char *worker_name(int w) {
    return w == CHECKED ? "v2 with tests" : workers[w];
}

/* What a worker leaves of a program. */
struct result {
    enum { NOT_RUN, RAN, WRONG } state;
    char why[500];
    _Alignas(16) char out[RESULT_BYTES];
};

/* n elements from out + at on. */
struct output {
    ufc_type type;
    int64_t n;
    size_t at;
};

/* Runs in a worker: leaves the results, or why there are none. */
static void run_program(const struct program *p, const ufc_ufunc *ufunc, struct result *r);
/* The k-th of the program's results; false: it has no more. */
static bool output_of(const struct program *p, int k, struct output *o);
/* What a program was called with; as far as it matters to element e of result k, if that is not -1.
 */
static void print_inputs(const struct program *p, int k, int64_t e);

struct job {
    uint64_t first;
    int count;
    const char *text; /* of the one program, in place of its own; NULL */
    struct result *results[WORKERS];
};

static struct program take_program(const struct job *job, int i) {
    struct program p = draw_program(job->first + (uint64_t)i);
    if (job->text) {
        free(p.text);
        REQUIRE(p.text = strdup(job->text));
    }
    return p;
}

/* ---- a worker */

static ufc_context *serial, *parallel;
static bool is_host, is_checked, specializes; /* --special */
static ufcc_program *running;                 /* the program that run_program's function is of */

static void report(void *user, const ufcc_diagnostic *d) {
    char *why = user;
    if (d->severity == UFCC_ERROR && !*why)
        snprintf(why, 400, "line %d: %s", d->line, d->message);
}

static void run_batch(const struct job *job, int first, int n, struct result *results) {
    struct program programs[BATCH];
    char *source, why[500] = "";
    size_t size;
    FILE *all = open_memstream(&source, &size);
    REQUIRE(all);
    for (int i = 0; i < n; i++) {
        programs[i] = take_program(job, first + i);
        fputs(programs[i].text, all);
    }
    fclose(all);
    ufcc_options options = {.targets = is_host ? UFCC_HOST : UFCC_CUDA,
                            .check = is_checked,
                            .diagnostic = report,
                            .user = why,
                            .warnings = (const char *const[]){"no-all"},
                            .nwarnings = 1};
    ufcc_program *compiled = ufcc_compile("fuzz.uf", source, size, &options);
    bool loaded = compiled && ufcc_load(compiled);
    running = compiled;
    for (int i = 0; i < n; i++) {
        struct result *r = &results[first + i];
        if (loaded)
            run_program(&programs[i], ufcc_function(compiled, programs[i].main.name), r);
        else if (n > 1)
            run_batch(job, first + i, 1, results);
        else {
            r->state = WRONG;
            snprintf(r->why, sizeof r->why, "not compiled: %s", why);
        }
        free(programs[i].text);
    }
    ufcc_free(compiled);
    free(source);
}

/* The exit status of worker w. */
static int work(const struct job *job, int w) {
    ufc_properties props;
    ufc_error err;
    is_host = workers[w][0] == 'v';
    is_checked = w == CHECKED;
    if (is_host)
        setenv("UFC_LEVEL", workers[w], 1);
    if (ufc_context_new(&serial, is_host ? "cpu" : workers[w], 1, &err) != UFC_OK ||
        ufc_context_new(&parallel, is_host ? "cpu" : workers[w], 5, &err) != UFC_OK) {
        printf("fuzz: %s\n", err.message);
        return 1;
    }
    REQUIRE(ufc_context_properties(serial, &props, &err) == UFC_OK);
    if (is_host && strcmp(strrchr(props.level, '-') + 1, workers[w]) != 0)
        return SKIPPED;
    for (int i = 0; i < job->count; i += BATCH)
        run_batch(job, i, job->count - i < BATCH ? job->count - i : BATCH, job->results[w]);
    ufc_context_free(serial);
    ufc_context_free(parallel);
    return 0;
}

/* ---- all of them */

static size_t area(const struct job *job) {
    return (size_t)job->count * sizeof(struct result);
}

/* Runs the programs in all workers; results[w] is NULL where this processor lacks the level. */
static void run(struct job *job) {
    pid_t children[WORKERS];
    for (int w = 0; w < WORKERS; w++) {
        job->results[w] = mmap(NULL, area(job), PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        REQUIRE(job->results[w] != MAP_FAILED);
        fflush(stdout);
        children[w] = fork();
        REQUIRE(children[w] >= 0);
        if (children[w] == 0)
            exit(work(job, w));
    }
    for (int w = 0; w < WORKERS; w++) {
        int status = 0;
        REQUIRE(waitpid(children[w], &status, 0) == children[w]);
        if (WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED) {
            munmap(job->results[w], area(job));
            job->results[w] = NULL;
        } else if (status != 0 && !job->text) {
            printf("fuzz: the process for %s ended with status %#x\n", worker_name(w), status);
            test_failures++;
        }
    }
}

static void drop(struct job *job) {
    for (int w = 0; w < WORKERS; w++)
        if (job->results[w])
            munmap(job->results[w], area(job));
}

/* Whether program i went wrong, or differs from worker to worker; says how in `why`. */
static bool is_wrong(const struct job *job, int i, const struct program *p, char *why,
                     size_t size) {
    int first = -1;
    struct output o;
    for (int w = 0; w < WORKERS; w++) {
        const struct result *r = job->results[w] ? &job->results[w][i] : NULL;
        if (!r || (w == CHECKED && strstr(p->text, "assert ")))
            continue; /* what is asserted may not hold */
        if (r->state != RAN) {
            snprintf(why, size, "%s: %s", worker_name(w), r->state == WRONG ? r->why : "not run");
            return true;
        }
        for (int k = 0; first >= 0 && output_of(p, k, &o); k++) {
            const char *want = job->results[first][i].out + o.at, *got = r->out + o.at;
            for (int64_t e = 0; e < o.n; e++)
                if (!equal(want, got, o.type, e, -1)) {
                    char a[64], b[64];
                    spell(a, sizeof a, want, o.type, e);
                    spell(b, sizeof b, got, o.type, e);
                    snprintf(why, size, "result %d, element %lld is %s by %s, %s by %s", k,
                             (long long)e, a, worker_name(first), b, worker_name(w));
                    return true;
                }
        }
        if (first < 0)
            first = w;
    }
    return false;
}

/* The text without a statement, the one that begins on line n, with its block; NULL: there is no
 * such line. */
static char *without(const char *text, int n) {
    const char *begin = text;
    for (; n > 0 && begin; n--)
        begin = strchr(begin, '\n') ? strchr(begin, '\n') + 1 : NULL;
    if (!begin || !*begin)
        return NULL;
    size_t indent = strspn(begin, " ");
    const char *end = strchr(begin, '\n') + 1;
    while (*end && strspn(end, " ") > indent)
        end = strchr(end, '\n') + 1;
    if (end[strspn(end, " ")] == '}' && strspn(end, " ") == indent && end[-2] == '{')
        end = strchr(end, '\n') + 1;
    char *shorter = malloc(strlen(text) + 1);
    REQUIRE(shorter);
    memcpy(shorter, text, (size_t)(begin - text));
    strcpy(shorter + (begin - text), end);
    return shorter;
}

static void print_wrong(const struct program *p, const char *why) {
    long long e = -1;
    int k = -1;
    const char *at = strstr(why, "result ");
    printf("seed %llu: %s\n%s", (unsigned long long)p->seed, why, p->text);
    if (at)
        sscanf(at, "result %d, element %lld", &k, &e);
    print_inputs(p, k, e);
}

/* Leaves out what it can. */
static void reduce(struct program *p, char *why, size_t size) {
    for (int n = 0;;) {
        char *shorter = without(p->text, n), now[600];
        if (!shorter)
            return;
        struct job job = {.first = p->seed, .count = 1, .text = shorter};
        run(&job);
        bool wrong = is_wrong(&job, 0, p, now, sizeof now) && !strstr(now, "not compiled") &&
                     !strstr(now, "not run");
        drop(&job);
        if (wrong) {
            free(p->text);
            p->text = shorter;
            snprintf(why, size, "%s", now);
        } else {
            free(shorter);
            n++;
        }
    }
}

static int fuzz(int argc, char **argv) {
    const char *reason = "no GPU";
    if (argc > 1 && strncmp(argv[1], "--device=", 9) == 0) {
        workers[WORKERS - 1] = argv[1] + 9;
        argc--;
        argv++;
    }
    if (argc > 1 && strcmp(argv[1], "--special") == 0) {
        specializes = true;
        argc--;
        argv++;
    }
    REQUIRE(argc == 3);
    if (strcmp(workers[WORKERS - 1], "cuda") == 0) {
        int child = fork(), status = 0; /* CUDA does not go through a fork */
        if (child == 0)
            exit(ufc_device_count(&reason) ? 0 : (printf("fuzz: %s\n", reason), SKIPPED));
        if (waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status))
            return SKIPPED;
    }
    struct job job = {.first = strtoull(argv[1], NULL, 10), .count = atoi(argv[2])};
    run(&job);
    int nwrong = 0;
    for (int i = 0; i < job.count; i++) {
        struct program p = take_program(&job, i);
        char why[600];
        if (is_wrong(&job, i, &p, why, sizeof why)) {
            if (nwrong++ < REDUCE_AT_MOST && !strstr(why, "not run")) {
                print_wrong(&p, why);
                reduce(&p, why, sizeof why);
                printf("reduced, ");
            }
            print_wrong(&p, why);
        }
        free(p.text);
    }
    drop(&job);
    printf("%d programs, %d went wrong\n", job.count, nwrong);
    return test_failures + nwrong > 0;
}

#endif
