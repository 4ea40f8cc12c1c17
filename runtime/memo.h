/* memo.h: what was decided for a call on a device that runs kernels, kept for calls that are alike:
 * of a gufunc in which version it goes, and what it launches; what is executed (alike.h). */
#ifndef UFC_MEMO_H
#define UFC_MEMO_H

#include <stdatomic.h>

#include "rt.h"

enum { MEMO_KEY_WORDS = 192 };

/* Calls of equal keys are alike: all that a choice depends on is in it but the device, whose
 * context has the memo. */
struct memo_key {
    uint32_t nwords;
    uint64_t hash;
    uint64_t word[MEMO_KEY_WORDS];
};

/* What is kept: the first word of a key has it. */
enum memo_subject { MEMO_VERSION, MEMO_LAUNCHES, MEMO_CALL };

/* What is kept, and who keeps it: the memo, and those that found it and have not let go. */
struct memo_entry {
    atomic_int users;
    uint32_t nwords;
    uint64_t hash;
    const uint64_t *word; /* the key's, in the same memory */
};

/* NULL: out of memory; calls then decide afresh. */
struct memo *memo_new(void);
void memo_free(struct memo *memo); /* may be NULL */

/* A key is begun, given words, and ended; false: it is too long. */
void memo_key_begin(struct memo_key *key);
void memo_key_put(struct memo_key *key, const void *words, size_t n);
bool memo_key_end(struct memo_key *key);
/* That of a gufunc's iteration.  False: there is no memo, or calls of the iteration are not kept.
 */
bool memo_key(struct memo_key *key, const struct memo *memo, const struct iteration *it,
              enum memo_subject subject);
/* What was kept; NULL: nothing, or another thread is about to change the memo.  The caller lets go
 * of it. */
struct memo_entry *memo_find(struct memo *memo, const struct memo_key *key);
/* Keeps an entry, from malloc, in place of the one that was used least of those that it may
 * replace.  Its first member is a struct memo_entry, of one user, the caller; key_at: where in it
 * the key's words have room. */
void memo_keep(struct memo *memo, const struct memo_key *key, struct memo_entry *entry,
               uint64_t *key_at);
void memo_let_go(struct memo_entry *entry); /* may be NULL */

/* A version of an overload by its number: 0 is the overload's own ufunc, 1 its other version, 2 the
 * other one of that.  NULL: there is none. */
static inline const struct ufc_ufunc *version_of(const struct ufc_ufunc *ufunc,
                                                 const struct ufc_overload *o, int number) {
    for (; number > 0 && ufunc; number--, o = ufunc ? ufunc->overloads : NULL)
        ufunc = o->other;
    return ufunc;
}

/* The number of the version that a call goes in.  False: it is not known. */
bool memo_find_version(struct memo *memo, const struct memo_key *key, int *number);
void memo_keep_version(struct memo *memo, const struct memo_key *key, int number);

/* replay.c */
struct script;
/* What is launched for calls that are like this one, for a plan; NULL: it is too long, or fails, or
 * memory is out, and is found anew each time. */
struct script *note_script(ufc_context *ctx, const struct iteration *it, launches_fn *launches);
void script_free(struct script *script); /* may be NULL */
/* launch_gufunc.c: note_script of a gufunc. */
struct script *script_new_of(ufc_context *ctx, const struct iteration *it);
/* Executes a call by what was launched for one that is alike, or notes what is launched first.
 * False: it is not kept, and nothing was done. */
bool replay_gufunc(struct launcher *l, const struct iteration *it, launches_fn *launches,
                   ufc_status *status, ufc_error *err);

#endif
