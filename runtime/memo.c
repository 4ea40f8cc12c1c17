/* memo.c: a table of decisions, bounded in number, which threads share.
 *
 * A thread that does not get it at once decides afresh, as in a child that was forked while another
 * thread had it: nobody waits for it. */
#include <stdlib.h>
#include <string.h>

#include "memo.h"

enum {
    SETS = 64, /* a power of two */
    WAYS = 2,  /* entries of a set, the one used last first */
    TRIES = 100,
    ALIGNED = 64 /* bytes: kernels tell addresses apart by no more */
};

struct memo {
    atomic_flag taken;
    struct memo_entry *set[SETS][WAYS];
};

struct memo *memo_new(void) {
    struct memo *memo = calloc(1, sizeof *memo);
    if (memo)
        atomic_flag_clear(&memo->taken);
    return memo;
}

void memo_free(struct memo *memo) {
    for (int i = 0; memo && i < SETS; i++)
        for (int way = 0; way < WAYS; way++)
            memo_let_go(memo->set[i][way]);
    free(memo);
}

static bool take(struct memo *memo) {
    for (int i = 0; i < TRIES; i++)
        if (!atomic_flag_test_and_set_explicit(&memo->taken, memory_order_acquire))
            return true;
    return false;
}

static void leave(struct memo *memo) {
    atomic_flag_clear_explicit(&memo->taken, memory_order_release);
}

/* ---- keys */

void memo_key_begin(struct memo_key *key) {
    key->nwords = 0;
}

void memo_key_put(struct memo_key *key, const void *words, size_t n) {
    if (key->nwords + n <= MEMO_KEY_WORDS)
        memcpy(&key->word[key->nwords], words, n * sizeof *key->word);
    key->nwords += (uint32_t)n;
}

/* Of words rather than bytes, which a small call's time is worth. */
static uint64_t hash(const uint64_t *word, uint32_t n) {
    uint64_t h = n;
    for (uint32_t i = 0; i < n; i++) {
        h = (h ^ word[i]) * UINT64_C(0x9e3779b97f4a7c15);
        h ^= h >> 32;
    }
    return h;
}

bool memo_key_end(struct memo_key *key) {
    if (key->nwords > MEMO_KEY_WORDS)
        return false;
    key->hash = hash(key->word, key->nwords);
    return true;
}

bool memo_key(struct memo_key *key, const struct memo *memo, const struct iteration *it,
              enum memo_subject subject) {
    const struct ufc_overload *o = it->overload;
    if (!memo || o->id == 0 || o->flags & UFC_CHECKS)
        return false;
    uint64_t places[MAX_WALKED], naxes = (uint64_t)it->naxes;
    const struct ufc_ufunc *other = subject == MEMO_VERSION ? o->other : NULL,
                           *further = other ? other->overloads->other : NULL;
    const uint64_t head[] = {(uint64_t)subject << 32 | naxes, o->id,
                             other ? other->overloads->id : 0,
                             further ? further->overloads->id : 0};
    int n = it->nin + it->nout;
    memo_key_begin(key);
    memo_key_put(key, head, sizeof head / sizeof *head);
    memo_key_put(key, it->size, (size_t)naxes);
    for (int k = 0; k < n; k++) {
        places[k] = it->data[k] ? 1 + (uintptr_t)it->data[k] % ALIGNED : 0;
        memo_key_put(key, it->stride[k], (size_t)naxes);
    }
    memo_key_put(key, places, (size_t)n);
    memo_key_put(key, it->core->size, it->ufunc->core->ndims);
    memo_key_put(key, it->core->stride, (size_t)it->core->naxes);
    return memo_key_end(key);
}

static bool has_key(const struct memo_entry *e, const struct memo_key *key) {
    return e && e->hash == key->hash && e->nwords == key->nwords &&
           memcmp(e->word, key->word, key->nwords * sizeof *key->word) == 0;
}

/* ---- entries */

void memo_let_go(struct memo_entry *entry) {
    if (entry && atomic_fetch_sub(&entry->users, 1) == 1)
        free(entry);
}

struct memo_entry *memo_find(struct memo *memo, const struct memo_key *key) {
    struct memo_entry *found = NULL, **set = memo->set[key->hash % SETS];
    if (!take(memo))
        return NULL;
    for (int way = 0; way < WAYS && !found; way++)
        if (has_key(set[way], key)) {
            found = set[way];
            memmove(&set[1], &set[0], (size_t)way * sizeof *set);
            set[0] = found;
            atomic_fetch_add(&found->users, 1);
        }
    leave(memo);
    return found;
}

void memo_keep(struct memo *memo, const struct memo_key *key, struct memo_entry *entry,
               uint64_t *key_at) {
    struct memo_entry **set = memo->set[key->hash % SETS], *last;
    memcpy(key_at, key->word, key->nwords * sizeof *key->word);
    entry->word = key_at;
    entry->nwords = key->nwords;
    entry->hash = key->hash;
    if (!take(memo))
        return;
    atomic_fetch_add(&entry->users, 1);
    last = set[WAYS - 1];
    memmove(&set[1], &set[0], (WAYS - 1) * sizeof *set);
    set[0] = entry;
    leave(memo);
    memo_let_go(last);
}

/* ---- versions */

struct version {
    struct memo_entry entry;
    int number;
    uint64_t key[];
};

bool memo_find_version(struct memo *memo, const struct memo_key *key, int *number) {
    struct version *v = (struct version *)memo_find(memo, key);
    if (!v)
        return false;
    *number = v->number;
    memo_let_go(&v->entry);
    return true;
}

void memo_keep_version(struct memo *memo, const struct memo_key *key, int number) {
    struct version *v = malloc(sizeof *v + key->nwords * sizeof *v->key);
    if (!v)
        return;
    atomic_init(&v->entry.users, 1);
    v->number = number;
    memo_keep(memo, key, &v->entry, v->key);
    memo_let_go(&v->entry);
}
