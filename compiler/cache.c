/* cache.c: the files of a cache; see cache.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cache.h"
#include "cache_folder.h"

enum { VERSION = 1, DIGITS = 2 * DIGEST_SIZE };

static const char magic[8] = "ufccode";
static const unsigned long long default_limit = 1ULL << 30, largest = 1ULL << 62;

struct header {
    char magic[sizeof magic];
    uint64_t version, size; /* size: of the code, which is behind the header */
    struct cache_key key;
    unsigned char sum[DIGEST_SIZE]; /* of the code */
};

/* ---- where */

/* Reads a size, as 1000, 500M or 2G.  False: it is none. */
static bool read_size(const char *text, uint64_t *size) {
    static const char units[] = "KMGT";
    char *end;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 10);
    const char *unit = *end != 0 ? strchr(units, *end) : NULL;
    int shift = unit != NULL ? 10 * (int)(unit - units + 1) : 0;
    *size = n << shift;
    return *text >= '0' && *text <= '9' && errno == 0 && n <= largest >> shift &&
           end[unit != NULL] == 0;
}

void cache_open(struct cache *c, const char *option) {
    const char *size = secure_getenv("UFC_CACHE_SIZE");
    c->folder = find_cache_folder(option);
    c->error = c->folder != NULL ? 0 : errno;
    c->limit = default_limit;
    c->unclear = NULL;
    if (size != NULL && *size != 0 && !read_size(size, &c->limit)) {
        c->limit = default_limit;
        c->unclear = size;
    }
}

void cache_close(struct cache *c) {
    free(c->folder);
    c->folder = NULL;
}

/* ---- names: an entry is its key's digits and .ufc; a draft of one has a dot before and six
 * letters behind; the folder of a source has .src for .ufc */

#define SUFFIX        ".ufc"
#define SOURCE_SUFFIX ".src"

enum { NAME = DIGITS + sizeof SUFFIX - 1, DRAFT = NAME + 8 };

static char *path_of(const struct cache *c, const struct cache_key *key,
                     const char suffix[sizeof SUFFIX]) {
    static const char digits[] = "0123456789abcdef";
    size_t n = strlen(c->folder);
    char *path = malloc(n + NAME + 2), *to = path;
    if (path == NULL)
        return NULL;
    memcpy(path, c->folder, n);
    to += n;
    *to++ = '/';
    for (size_t i = 0; i < sizeof key->bytes; i++) {
        *to++ = digits[key->bytes[i] >> 4];
        *to++ = digits[key->bytes[i] & 15];
    }
    memcpy(to, suffix, sizeof SUFFIX);
    return path;
}

static char *entry_path(const struct cache *c, const struct cache_key *key) {
    return path_of(c, key, SUFFIX);
}

char *cache_source_folder(const struct cache *c, const struct cache_key *key) {
    return path_of(c, key, SOURCE_SUFFIX);
}

static bool is_named(const char *name, const char *suffix) {
    return strspn(name, "0123456789abcdef") == DIGITS && strcmp(name + DIGITS, suffix) == 0;
}

static bool is_entry(const char *name) {
    return is_named(name, SUFFIX);
}

static bool is_source(const char *name) {
    return is_named(name, SOURCE_SUFFIX);
}

/* What the runtime has measured of this machine, or a draft of it. */
static bool is_rates(const char *name) {
    bool draft = name[0] == '.';
    size_t n = strlen(RATES_SUFFIX);
    name += draft;
    return strspn(name, "0123456789abcdef") == RATES_DIGITS &&
           strncmp(name + RATES_DIGITS, RATES_SUFFIX, n) == 0 &&
           strlen(name + RATES_DIGITS + n) == (draft ? strlen(DRAFT_SUFFIX) : 0);
}

static bool is_draft(const char *name) {
    return name[0] == '.' && strlen(name) == DRAFT &&
           strspn(name + 1, "0123456789abcdef") == DIGITS &&
           strncmp(name + 1 + DIGITS, SUFFIX "-", sizeof SUFFIX) == 0;
}

/* ---- finding */

static bool read_all(int fd, void *data, size_t size) {
    for (char *to = data; size > 0;) {
        ssize_t n = read(fd, to, size);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        if (n > 0) {
            to += n;
            size -= (size_t)n;
        }
    }
    return true;
}

/* Reads the code of an open entry, if it is what its key and its header say. */
static bool read_entry(int fd, off_t size, const struct cache_key *key, struct buf *code) {
    struct header h;
    unsigned char sum[DIGEST_SIZE];
    if (size < (off_t)sizeof h || !read_all(fd, &h, sizeof h) ||
        memcmp(h.magic, magic, sizeof magic) != 0 || h.version != VERSION ||
        h.size != (uint64_t)size - sizeof h || memcmp(&h.key, key, sizeof *key) != 0)
        return false;
    char *data = malloc(h.size + 1);
    if (data == NULL || !read_all(fd, data, h.size)) {
        free(data);
        return false;
    }
    digest(data, h.size, sum);
    if (memcmp(sum, h.sum, sizeof sum) != 0) {
        free(data);
        return false;
    }
    data[h.size] = 0;
    *code = (struct buf){.data = data, .size = h.size, .capacity = h.size + 1};
    return true;
}

/* The time of the last change tells of the last use, since file systems may not keep that of the
 * last access.  Often used entries are changed once a second at most. */
static void note_use(int fd, const struct stat *st) {
    const struct timespec times[] = {{.tv_nsec = UTIME_OMIT}, {.tv_nsec = UTIME_NOW}};
    if (time(NULL) != st->st_mtim.tv_sec)
        (void)futimens(fd, times);
}

bool cache_find(const struct cache *c, const struct cache_key *key, struct buf *code) {
    char *path = c->folder != NULL ? entry_path(c, key) : NULL;
    int fd = path != NULL ? open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
    free(path);
    if (fd < 0)
        return false;
    struct stat st;
    bool found = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
                 read_entry(fd, st.st_size, key, code);
    if (found)
        note_use(fd, &st);
    close(fd);
    return found;
}

/* ---- letting go */

enum { ABANDONED = 3600 }; /* seconds after which nobody writes a draft any more */

struct entry {
    char name[DRAFT + 1];
    struct timespec used;
    uint64_t size;
};

struct survey {
    struct entry *entries; /* with drafts; allocated with malloc */
    size_t n, capacity;
    uint64_t size; /* bytes of all */
};

static int by_use(const void *a, const void *b) {
    const struct timespec *x = &((const struct entry *)a)->used;
    const struct timespec *y = &((const struct entry *)b)->used;
    int order = (x->tv_sec > y->tv_sec) - (x->tv_sec < y->tv_sec);
    return order != 0 ? order : (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

static bool add_entry(struct survey *s, const char *name, const struct stat *st, uint64_t size) {
    if (s->n == s->capacity) {
        size_t capacity = 2 * s->capacity + 64;
        struct entry *more = realloc(s->entries, capacity * sizeof *more);
        if (more == NULL)
            return false;
        s->entries = more;
        s->capacity = capacity;
    }
    struct entry *e = &s->entries[s->n++];
    memcpy(e->name, name, strlen(name) + 1);
    e->used = st->st_mtim;
    e->size = size;
    s->size += size;
    return true;
}

/* Finds all entries, drafts and sources of this user in a folder; other files that lie there are
 * nobody's. */
static bool find_entries(DIR *folder, struct survey *s) {
    bool ok = true;
    for (const struct dirent *d; ok && (d = readdir(folder)) != NULL;) {
        struct stat st;
        bool source = is_source(d->d_name);
        bool file = is_entry(d->d_name) || is_draft(d->d_name) || is_rates(d->d_name);
        if ((source || file) && fstatat(dirfd(folder), d->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
            (source ? S_ISDIR(st.st_mode) : S_ISREG(st.st_mode)) && st.st_uid == geteuid())
            ok = add_entry(s, d->d_name, &st,
                           source ? cache_source_size(dirfd(folder), d->d_name)
                                  : (uint64_t)st.st_size);
    }
    return ok;
}

/* Opens a folder and finds all of them.  Returns 0 or an errno number; what was found is valid. */
static int look(const char *path, DIR **folder, struct survey *s) {
    *s = (struct survey){0};
    *folder = opendir(path);
    if (*folder == NULL)
        return errno;
    return find_entries(*folder, s) ? 0 : ENOMEM;
}

static void end_look(DIR *folder, struct survey *s) {
    if (folder != NULL)
        closedir(folder);
    free(s->entries);
}

/* Removes drafts that were abandoned, and if all takes more than `limit` bytes, what was not used
 * for longest until the rest takes at most `rest`.  *left: the bytes of what stays.  Returns 0, or
 * the errno number of the first failure. */
static int trim(const char *path, uint64_t limit, uint64_t rest, uint64_t *left) {
    struct survey s;
    DIR *folder;
    int error = look(path, &folder, &s);
    if (s.n > 0)
        qsort(s.entries, s.n, sizeof *s.entries, by_use);
    time_t dead = time(NULL) - ABANDONED;
    *left = s.size;
    for (size_t i = 0; i < s.n; i++) {
        const struct entry *e = &s.entries[i];
        bool abandoned = e->name[0] == '.' && e->used.tv_sec < dead;
        if (!abandoned && !(s.size > limit && *left > rest))
            continue;
        int failed = is_source(e->name) ? cache_source_remove(dirfd(folder), e->name)
                                        : unlinkat(dirfd(folder), e->name, 0);
        if (failed == 0 || errno == ENOENT)
            *left -= e->size;
        else if (error == 0)
            error = errno;
    }
    end_look(folder, &s);
    return error;
}

/* The folder that this process kept code in last, and the bytes of its entries, as far as the
 * process knows: it looks when it first keeps something there, and when it has filled it. */
static struct {
    pthread_mutex_t lock;
    char *folder; /* allocated with malloc; NULL: none yet */
    uint64_t size;
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

void cache_bound(const struct cache *c, uint64_t added) {
    pthread_mutex_lock(&known.lock);
    if (known.folder == NULL || strcmp(known.folder, c->folder) != 0) {
        free(known.folder);
        known.folder = strdup(c->folder);
        known.size = c->limit; /* not known yet: as if it were full */
    }
    known.size += added;
    /* An eighth is room for what comes, lest each entry ask for another look. */
    if (known.size > c->limit)
        (void)trim(c->folder, c->limit, c->limit - c->limit / 8, &known.size);
    pthread_mutex_unlock(&known.lock);
}

/* ---- keeping */

/* Opens a new draft beside an entry, which only its user can read.  *draft: its path, to be freed,
 * or NULL; -1: errno says why. */
static int open_draft(const struct cache *c, const char *path, char **draft) {
    size_t n = strlen(c->folder);
    if (asprintf(draft, "%s/.%s-XXXXXX", c->folder, path + n + 1) < 0) {
        *draft = NULL;
        errno = ENOMEM;
        return -1;
    }
    int fd = mkostemp(*draft, O_CLOEXEC);
    if (fd >= 0 || errno != ENOENT)
        return fd;
    int error = make_cache_folder(c->folder);
    memcpy(*draft + n + DRAFT - 5, "XXXXXX", 6);
    fd = mkostemp(*draft, O_CLOEXEC);
    if (fd < 0 && error != 0)
        errno = error;
    return fd;
}

static uint64_t entry_size(const struct buf *code) {
    return sizeof(struct header) + code->size;
}

/* Keeps code.  Returns 0 or an errno number. */
static int put_entry(const struct cache *c, const struct cache_key *key, const struct buf *code) {
    struct header h = {.version = VERSION, .size = code->size, .key = *key};
    if (entry_size(code) > c->limit)
        return EFBIG;
    char *path = entry_path(c, key), *draft = NULL;
    if (path == NULL)
        return ENOMEM;
    memcpy(h.magic, magic, sizeof magic);
    digest(code->data, code->size, h.sum);
    int fd = open_draft(c, path, &draft);
    int error = fd < 0 ? errno : cache_write(fd, &h, sizeof h, code->data, code->size);
    if (error == 0 && rename(draft, path) != 0)
        error = errno;
    if (error != 0 && fd >= 0)
        (void)unlink(draft);
    free(draft);
    free(path);
    return error;
}

int cache_keep(const struct cache *c, const struct cache_key *key, const struct buf *code) {
    int error = c->folder != NULL ? put_entry(c, key, code) : 0;
    if (error == 0 && c->folder != NULL)
        cache_bound(c, entry_size(code));
    return error;
}

/* ---- what `ufc cache` and `ufc doctor` show */

/* Whether something can be kept: 0, or an errno number. */
static int try_keeping(const struct cache *c) {
    enum { SIZE = 1 << 12 };
    static char some[SIZE];
    const struct cache_key key = {{0}};
    struct buf code = {.data = some, .size = sizeof some};
    int error = put_entry(c, &key, &code);
    char *path = entry_path(c, &key);
    if (error == 0 && path != NULL)
        (void)unlink(path);
    free(path);
    return error;
}

bool ufcc_cache(const char *folder, ufcc_cache_state *state) {
    struct cache c;
    cache_open(&c, folder);
    *state = (ufcc_cache_state){
        .folder = c.folder, .limit = c.limit, .unclear = c.unclear, .error = c.error};
    if (c.folder == NULL)
        return false;
    struct survey s;
    DIR *d;
    state->error = try_keeping(&c);
    if (look(c.folder, &d, &s) == ENOMEM)
        state->error = ENOMEM;
    state->entries = s.n;
    state->size = s.size;
    end_look(d, &s);
    return true;
}

bool ufcc_cache_prune(const char *folder, unsigned long long size) {
    struct cache c;
    uint64_t left;
    cache_open(&c, folder);
    int error = c.folder != NULL ? trim(c.folder, size, size, &left) : c.error;
    cache_close(&c);
    errno = error;
    return error == 0 || error == ENOENT;
}
