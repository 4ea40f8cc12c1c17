/* programs.c: random programs give the same bits on all levels of host code, in the simulator or on
 * a GPU, with any number of threads, in any layout and position.
 *
 *     programs [--device=sim|cuda] FIRST COUNT     the programs of COUNT seeds
 *
 * Each level of host code, and the device, has a process of its own, which leaves its results in
 * memory that all share.  A program that differs is printed, with lines left out as long as it
 * still differs. */
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "draw.h"
#include "ufc.h"
#include "ufcc.h"

enum { ROWS = 11, COLUMNS = 12, N = ROWS * COLUMNS, WIDEST = 16, BATCH = 16, TILES = 800 };
enum { WORKERS = 4, REDUCE_AT_MOST = 3 };

static const char *workers[WORKERS] = {"v2", "v3", "v4", "sim"};

/* What a worker leaves of a program. */
struct result {
    enum { NOT_RUN, RAN, WRONG } state;
    char why[500];
    char out[MAX_OUT][N * WIDEST];
};

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

/* ---- a worker: calls */

static ufc_context *serial, *parallel;
static bool is_host;

/* An array of n elements for operand k, as every worker generates it. */
static void fill(char *data, ufc_type t, uint64_t seed, int k) {
    for (int i = 0; i < N; i++)
        generate(data, t, i, seed * 16 + (uint64_t)k, "xxffswzx"[random_bits(seed, i) % 8]);
}

/* An operand's elements and how they lie. */
struct operand {
    char *data; /* of the element with index 0 */
    int64_t strides[2];
};

struct call {
    const ufc_ufunc *ufunc;
    const struct function *f;
    int64_t shape[2];
    int ndim;
    struct operand operands[MAX_IN + MAX_OUT]; /* inputs first */
};

static ufc_type type_at(const struct function *f, int k) {
    return k < f->nin ? f->in[k] : f->out[k - f->nin];
}

static bool do_call(ufc_context *ctx, struct call *c, char *why, size_t size) {
    DLTensor arrays[MAX_IN + MAX_OUT];
    ufc_arg in[MAX_IN];
    ufc_out out[MAX_OUT];
    ufc_error err;
    for (int k = 0; k < c->f->nin + c->f->nout; k++) {
        arrays[k] =
            ufc_host_array(c->operands[k].data, ufc_dltype(type_at(c->f, k)), c->ndim, c->shape);
        arrays[k].strides = c->operands[k].strides;
        if (k < c->f->nin)
            in[k] = ufc_array(&arrays[k]);
        else
            out[k - c->f->nin] = ufc_into(&arrays[k]);
    }
    if (ufc_call(ctx, NULL, c->ufunc, in, out, &err) == UFC_OK)
        return true;
    snprintf(why, size, "%.400s", err.message);
    return false;
}

/* ---- a worker: layouts.  Each gives a call of N elements whose results are those of the plain
 * one, whatever lies where. */

static char memory[MAX_IN + MAX_OUT][8 * N * WIDEST];

/* Operand k, element (i, j) of shape[0] × shape[1] at its strides, gets the elements of `plain`. */
static void scatter(struct call *c, int k, const char *plain) {
    int64_t size = size_of(type_at(c->f, k));
    for (int64_t i = 0; i < c->shape[0]; i++)
        for (int64_t j = 0; j < c->shape[1]; j++)
            memcpy(c->operands[k].data +
                       (i * c->operands[k].strides[0] + j * c->operands[k].strides[1]) * size,
                   plain + (i * c->shape[1] + j) * size, (size_t)size);
}

static void gather(const struct call *c, int k, char *plain) {
    int64_t size = size_of(type_at(c->f, k));
    for (int64_t i = 0; i < c->shape[0]; i++)
        for (int64_t j = 0; j < c->shape[1]; j++)
            memcpy(plain + (i * c->shape[1] + j) * size,
                   c->operands[k].data +
                       (i * c->operands[k].strides[0] + j * c->operands[k].strides[1]) * size,
                   (size_t)size);
}

/* Any order of the axes, any steps, forwards and backwards; an offset of any elements. */
static void lay_out(struct call *c, int k, uint64_t bits) {
    struct operand *o = &c->operands[k];
    int64_t step = 1 + (int64_t)(bits % 3), size = size_of(type_at(c->f, k));
    bool transposed = bits >> 8 & 1, back0 = bits >> 9 & 1, back1 = bits >> 10 & 1;
    o->strides[0] = transposed ? step : step * COLUMNS;
    o->strides[1] = transposed ? step * ROWS : step;
    o->data = memory[k] + (int64_t)(bits >> 16 & 7) * size;
    for (int axis = 0; axis < 2; axis++)
        if (axis ? back1 : back0) {
            o->data += (c->shape[axis] - 1) * o->strides[axis] * size;
            o->strides[axis] = -o->strides[axis];
        }
}

static bool same(const struct program *p, const char *what, int out, const char *got,
                 const char *want, int n, struct result *r) {
    ufc_type t = p->main.out[out];
    for (int i = 0; i < n; i++)
        if (!equal(got, want, t, i, -1)) {
            char a[64], b[64];
            spell(a, sizeof a, got, t, i);
            spell(b, sizeof b, want, t, i);
            snprintf(r->why, sizeof r->why, "%s: result %d, element %d is %s, not %s as in C order",
                     what, out, i, a, b);
            r->state = WRONG;
            return false;
        }
    return true;
}

/* All operands with strides of their own. */
static void check_layouts(struct call *c, const struct program *p, char (*in)[N * WIDEST],
                          struct result *r) {
    static char plain[N * WIDEST];
    int nin = p->main.nin, n = nin + p->main.nout;
    c->ndim = 2;
    c->shape[0] = ROWS, c->shape[1] = COLUMNS;
    for (int k = 0; k < n; k++) {
        lay_out(c, k, random_bits(p->seed, 1000 + (uint64_t)k));
        if (k < nin)
            scatter(c, k, in[k]);
    }
    if (!do_call(serial, c, r->why, sizeof r->why)) {
        r->state = WRONG;
        return;
    }
    for (int k = nin; k < n; k++) {
        gather(c, k, plain);
        if (!same(p, "strided", k - nin, plain, r->out[k - nin], N, r))
            return;
    }
}

/* Inputs that are rows, columns and numbers, beside the same written out. */
static void check_broadcast(struct call *c, const struct program *p, char (*in)[N * WIDEST],
                            struct result *r) {
    static char whole[MAX_OUT][N * WIDEST];
    int nin = p->main.nin, n = nin + p->main.nout;
    c->ndim = 2;
    c->shape[0] = ROWS, c->shape[1] = COLUMNS;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < n; k++) {
            int64_t size = size_of(type_at(&p->main, k));
            int form = (int)(random_bits(p->seed, 2000 + (uint64_t)k) % 3);
            int64_t strides[] = {form == 0, form == 1};
            c->operands[k] = (struct operand){memory[k], {COLUMNS, 1}};
            if (k < nin && pass)
                c->operands[k] = (struct operand){in[k], {strides[0], strides[1]}};
            for (int64_t i = 0; i < N && k < nin && !pass; i++)
                memcpy(memory[k] + i * size,
                       in[k] + (i / COLUMNS * strides[0] + i % COLUMNS * strides[1]) * size,
                       (size_t)size);
        }
        if (!do_call(serial, c, r->why, sizeof r->why)) {
            r->state = WRONG;
            return;
        }
        for (int k = 0; k < p->main.nout; k++)
            if (!pass)
                memcpy(whole[k], memory[nin + k], sizeof whole[k]);
            else if (!same(p, "broadcast", k, memory[nin + k], whole[k], N, r))
                return;
    }
}

/* Pieces of all lengths, each a call. */
static void check_pieces(struct call *c, const struct program *p, char (*in)[N * WIDEST],
                         struct result *r) {
    int nin = p->main.nin, n = nin + p->main.nout;
    c->ndim = 1;
    for (int64_t first = 0, k = 0; first < N; first += c->shape[0], k++) {
        c->shape[0] = 1 + (int64_t)(random_bits(p->seed, 3000 + (uint64_t)k) % 37);
        if (c->shape[0] > N - first)
            c->shape[0] = N - first;
        for (int i = 0; i < n; i++)
            c->operands[i] = (struct operand){
                (i < nin ? in[i] : memory[i]) + first * size_of(type_at(&p->main, i)), {1, 0}};
        if (!do_call(serial, c, r->why, sizeof r->why)) {
            r->state = WRONG;
            return;
        }
    }
    for (int k = 0; k < p->main.nout; k++)
        if (!same(p, "in pieces", k, memory[nin + k], r->out[k], N, r))
            return;
}

/* The same over and over, on several threads. */
static void check_threads(struct call *c, const struct program *p, char (*in)[N * WIDEST],
                          struct result *r) {
    int nin = p->main.nin, n = nin + p->main.nout, tiles = is_host ? TILES : 8;
    char *long_ones[MAX_IN + MAX_OUT];
    c->ndim = 1;
    c->shape[0] = (int64_t)tiles * N;
    for (int k = 0; k < n; k++) {
        size_t bytes = (size_t)(N * size_of(type_at(&p->main, k)));
        REQUIRE(long_ones[k] = malloc((size_t)tiles * bytes));
        for (int i = 0; i < tiles && k < nin; i++)
            memcpy(long_ones[k] + (size_t)i * bytes, in[k], bytes);
        c->operands[k] = (struct operand){long_ones[k], {1, 0}};
    }
    if (!do_call(parallel, c, r->why, sizeof r->why))
        r->state = WRONG;
    for (int k = 0; k < p->main.nout; k++)
        for (int i = 0; i < tiles && r->state == RAN; i++)
            same(p, "on several threads", k,
                 long_ones[nin + k] + (size_t)i * (size_t)(N * size_of(p->main.out[k])), r->out[k],
                 N, r);
    for (int k = 0; k < n; k++)
        free(long_ones[k]);
}

static void run_program(const struct program *p, const ufc_ufunc *ufunc, struct result *r) {
    static char in[MAX_IN][N * WIDEST];
    struct call c = {.ufunc = ufunc, .f = &p->main, .shape = {N, 1}, .ndim = 1};
    int nin = p->main.nin;
    for (int k = 0; k < nin + p->main.nout; k++) {
        if (k < nin)
            fill(in[k], p->main.in[k], p->seed, k);
        c.operands[k] = (struct operand){k < nin ? in[k] : r->out[k - nin], {1, 0}};
    }
    r->state = do_call(serial, &c, r->why, sizeof r->why) ? RAN : WRONG;
    if (r->state == RAN)
        check_layouts(&c, p, in, r);
    if (r->state == RAN)
        check_broadcast(&c, p, in, r);
    if (r->state == RAN)
        check_pieces(&c, p, in, r);
    if (r->state == RAN && p->seed % 8 == 0)
        check_threads(&c, p, in, r);
}

/* ---- a worker: its programs, several a source */

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
                            .diagnostic = report,
                            .user = why,
                            .warnings = (const char *const[]){"no-all"},
                            .nwarnings = 1};
    ufcc_program *compiled = ufcc_compile("programs.uf", source, size, &options);
    bool loaded = compiled && ufcc_load(compiled);
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
    if (is_host)
        setenv("UFC_LEVEL", workers[w], 1);
    if (ufc_context_new(&serial, is_host ? "cpu" : workers[w], 1, &err) != UFC_OK ||
        ufc_context_new(&parallel, is_host ? "cpu" : workers[w], 5, &err) != UFC_OK) {
        printf("programs: %s\n", err.message);
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
        job->results[w] =
            mmap(NULL, area(job), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
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
            printf("programs: the process for %s ended with status %#x\n", workers[w], status);
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
static bool is_wrong(const struct job *job, int i, const struct function *f, char *why,
                     size_t size) {
    int first = -1;
    for (int w = 0; w < WORKERS; w++) {
        const struct result *r = job->results[w] ? &job->results[w][i] : NULL;
        if (!r)
            continue;
        if (r->state != RAN) {
            snprintf(why, size, "%s: %s", workers[w], r->state == WRONG ? r->why : "not run");
            return true;
        }
        for (int k = 0; first >= 0 && k < f->nout; k++)
            for (int e = 0; e < N; e++)
                if (!equal(job->results[first][i].out[k], r->out[k], f->out[k], e, -1)) {
                    char a[64], b[64];
                    spell(a, sizeof a, job->results[first][i].out[k], f->out[k], e);
                    spell(b, sizeof b, r->out[k], f->out[k], e);
                    snprintf(why, size, "result %d, element %d is %s by %s, %s by %s", k, e, a,
                             workers[first], b, workers[w]);
                    return true;
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
    printf("seed %llu: %s\n%s", (unsigned long long)p->seed, why, p->text);
    for (const char *s = why; (s = strstr(s, "element ")) != NULL; s++) {
        static char in[N * WIDEST];
        int e = (int)strtol(s + 8, NULL, 10);
        for (int k = 0; k < p->main.nin; k++) {
            char value[64];
            fill(in, p->main.in[k], p->seed, k);
            spell(value, sizeof value, in, p->main.in[k], e);
            printf("    input %d, element %d: %s\n", k, e, value);
        }
    }
}

/* Leaves out what it can. */
static void reduce(struct program *p, char *why, size_t size) {
    for (int n = 0;;) {
        char *shorter = without(p->text, n), now[600];
        if (!shorter)
            return;
        struct job job = {.first = p->seed, .count = 1, .text = shorter};
        run(&job);
        bool wrong = is_wrong(&job, 0, &p->main, now, sizeof now) && !strstr(now, "not compiled") &&
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

int main(int argc, char **argv) {
    const char *reason = "no GPU";
    if (argc > 1 && strncmp(argv[1], "--device=", 9) == 0) {
        workers[WORKERS - 1] = argv[1] + 9;
        argc--;
        argv++;
    }
    REQUIRE(argc == 3);
    if (strcmp(workers[WORKERS - 1], "cuda") == 0) {
        int child = fork(), status = 0; /* CUDA does not go through a fork */
        if (child == 0)
            exit(ufc_device_count(&reason) ? 0 : (printf("programs: %s\n", reason), SKIPPED));
        if (waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status))
            return SKIPPED;
    }
    struct job job = {.first = strtoull(argv[1], NULL, 10), .count = atoi(argv[2])};
    run(&job);
    int nwrong = 0;
    for (int i = 0; i < job.count; i++) {
        struct program p = take_program(&job, i);
        char why[600];
        if (is_wrong(&job, i, &p.main, why, sizeof why)) {
            if (nwrong++ < REDUCE_AT_MOST) {
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
