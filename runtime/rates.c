/* rates.c: a machine's rates, kept in a file for later processes.
 *
 * The file is a text, beside the code that the embedded compiler keeps: a line says which machine
 * it is of, a line each has a rate as a whole number, the last line a sum of all before it.  It is
 * named by the first line's sum, written under another name and renamed.  What is not exactly as it
 * would be written is as if it were not there. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "cache_folder.h"
#include "level.h"
#include "rates.h"

enum { MAX_TEXT = 2048 };

struct rates {
    pthread_mutex_t measuring;
    atomic_int state; /* 0: they are not known yet; 1: they are; -1: they cannot be measured */
    ufc_rates of;
};

static const struct {
    const char *name;
    size_t offset;
    double unit;
} members[] = {
#define MEASURED(member, unit) {#member, offsetof(ufc_rates, member), (unit)},
#include "measured.def"
#undef MEASURED
};

enum { MEMBERS = sizeof members / sizeof members[0] };

static double *member(ufc_rates *rates, int i) {
    return (double *)((char *)rates + members[i].offset);
}

struct rates *rates_new(void) {
    struct rates *r = calloc(1, sizeof *r);
    if (r)
        pthread_mutex_init(&r->measuring, NULL);
    return r;
}

void rates_free(struct rates *r) {
    if (r)
        pthread_mutex_destroy(&r->measuring);
    free(r);
}

/* ---- the text */

/* FNV-1a. */
static unsigned long long sum_of(const char *text, size_t n) {
    uint64_t sum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n; i++)
        sum = (sum ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
    return sum;
}

/* Writes the line that says which machine it is; false: the GPU does not tell its name. */
static bool write_key(ufc_context *host, ufc_context *gpu, char *text, size_t size) {
    ufc_properties h, g;
    if (host->ops->properties(host, &h, NULL) != UFC_OK ||
        gpu->ops->properties(gpu, &g, NULL) != UFC_OK)
        return false;
    int n = snprintf(text, size, "ufc %s rates 1 of %s, driver %d, and %s, %s, %d threads\n",
                     UFC_VERSION, g.name, g.driver_version, h.name, h.level, host->threads);
    for (char *at = text; n > 0 && at < text + n - 1; at++)
        if (*at < ' ')
            *at = ' ';
    return n > 0 && (size_t)n < size;
}

/* Writes all of the text; gives its length. */
static size_t write_text(const char *key, const uint64_t *value, char *text, size_t size) {
    size_t n = (size_t)snprintf(text, size, "%s", key);
    for (int i = 0; i < MEMBERS; i++)
        n += (size_t)snprintf(text + n, size - n, "%s %llu\n", members[i].name,
                              (unsigned long long)value[i]);
    return n + (size_t)snprintf(text + n, size - n, "sum %016llx\n", sum_of(text, n));
}

/* Reads the numbers of a text, and tells whether it is what they would be written as. */
static bool read_text(const char *key, const char *text, uint64_t *value) {
    static const uint64_t most = UINT64_C(1) << 53; /* what a double holds */
    char same[MAX_TEXT];
    const char *at = strchr(text, '\n');
    for (int i = 0; i < MEMBERS && at; i++) {
        at = strchr(at, ' ');
        value[i] = at ? strtoull(at, NULL, 10) : 0;
        if (value[i] == 0 || value[i] > most)
            return false;
        at = strchr(at, '\n');
    }
    if (!at)
        return false;
    write_text(key, value, same, sizeof same);
    return strcmp(same, text) == 0;
}

/* ---- the file */

/* Its path, allocated with malloc; NULL: there is no folder. */
static char *path_of(const char *key, char **folder) {
    char *path = NULL;
    *folder = find_cache_folder(NULL);
    int n = *folder ? asprintf(&path, "%s/%016llx" RATES_SUFFIX, *folder, sum_of(key, strlen(key)))
                    : -1;
    return n < 0 ? NULL : path;
}

/* Whether a file was written so lately that the machine is likely as it was. */
static bool is_recent(const struct stat *st) {
    static const time_t day = 24 * 60 * 60;
    time_t age = time(NULL) - st->st_mtime;
    return age > -day && age < RATES_DAYS * day;
}

static bool read_file(const char *path, const char *key, uint64_t *value) {
    char text[MAX_TEXT];
    size_t n = 0;
    ssize_t got = 1;
    struct stat st;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool own =
        fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() && is_recent(&st);
    while (own && n < sizeof text - 1 && got != 0) {
        got = read(fd, text + n, sizeof text - 1 - n);
        if (got < 0 && errno != EINTR)
            break;
        n += got > 0 ? (size_t)got : 0;
    }
    close(fd);
    text[n] = 0;
    return own && got == 0 && strlen(text) == n && read_text(key, text, value);
}

/* Where it cannot be written, rates are measured by each process. */
static void write_file(const char *folder, const char *path, const char *key,
                       const uint64_t *value) {
    char text[MAX_TEXT], *draft = NULL;
    size_t n = write_text(key, value, text, sizeof text);
    (void)make_cache_folder(folder);
    if (asprintf(&draft, "%s/.%s" DRAFT_SUFFIX, folder, path + strlen(folder) + 1) < 0)
        return;
    int fd = mkostemp(draft, O_CLOEXEC);
    if (fd >= 0 && (cache_write(fd, "", 0, text, n) != 0 || rename(draft, path) != 0))
        (void)unlink(draft);
    free(draft);
}

/* ---- finding */

/* The whole numbers that a file has of them. */
static void to_values(ufc_rates *rates, uint64_t *value) {
    for (int i = 0; i < MEMBERS; i++) {
        double x = *member(rates, i) / members[i].unit;
        value[i] = x >= 1 ? x < 0x1p53 ? (uint64_t)x : UINT64_C(1) << 53 : 1;
    }
}

static ufc_status read_or_measure(ufc_context *host, ufc_context *gpu, ufc_error *err) {
    struct rates *r = gpu->rates;
    char key[512], *folder = NULL;
    uint64_t value[MEMBERS];
    ufc_status status = UFC_OK;
    bool known = write_key(host, gpu, key, sizeof key);
    char *path = known ? path_of(key, &folder) : NULL;
    if (!path || !read_file(path, key, value)) {
        status = measure_rates(host, gpu, &r->of, err);
        to_values(&r->of, value);
        if (path && status == UFC_OK)
            write_file(folder, path, key, value);
    }
    for (int i = 0; i < MEMBERS; i++)
        *member(&r->of, i) = (double)value[i] * members[i].unit;
    free(path);
    free(folder);
    return status;
}

ufc_status find_rates(ufc_context *host, ufc_context *gpu, const ufc_rates **rates,
                      ufc_error *err) {
    struct rates *r = gpu->rates;
    if (!r)
        return fail(err, UFC_ENOMEM, "out of memory for the machine's rates");
    *rates = &r->of;
    int state = atomic_load_explicit(&r->state, memory_order_acquire);
    if (state > 0)
        return UFC_OK;
    if (state == 0) {
        pthread_mutex_lock(&r->measuring);
        state = atomic_load(&r->state);
        if (state == 0) {
            state = read_or_measure(host, gpu, err) == UFC_OK ? 1 : -1;
            atomic_store_explicit(&r->state, state, memory_order_release);
        }
        pthread_mutex_unlock(&r->measuring);
    }
    return state > 0 ? UFC_OK : fail(err, UFC_EDEVICE, "the machine's rates cannot be measured");
}

/* Of a GPU's context, or that which a context of several has first. */
ufc_status ufc_context_rates(ufc_context *ctx, ufc_rates *rates, ufc_error *err) {
    const ufc_rates *found;
    ufc_context *host;
    if (!rates)
        return fail(err, UFC_EINVAL, "rates is NULL");
    ufc_status status = ctx ? UFC_OK : default_context(&ctx, NULL, NULL, err);
    if (status == UFC_OK && !ctx->rates)
        return fail(err, UFC_EDEVICE, "the context is of device '%s': rates are of a GPU",
                    ctx->ops->name);
    if (status == UFC_OK)
        status = host_beside(&host, ctx, err);
    if (status == UFC_OK)
        status = find_rates(host, ctx, &found, err);
    if (status == UFC_OK)
        *rates = *found;
    return status;
}
