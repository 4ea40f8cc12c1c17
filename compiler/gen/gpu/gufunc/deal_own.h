/* deal_own.h: DEAL's lots, deal_sort.c, and owners of bins: deal_own.c, deal_lanes.c for those
 * whose lanes have them, deal_memory.c for those whose bins are in memory, and deal_held.c where
 * this is shared. */
#ifndef GEN_DEAL_OWN_H
#define GEN_DEAL_OWN_H

#include "gufunc.h"

_Static_assert((int)MAX_DEAL_SITES <= (int)UFC_DEAL_SITES, "flat iterations have few entries");

enum { BATCH = UFC_DEAL_BATCH }; /* entries of a lane at once */

struct entry {
    LLVMValueRef bin, kind, term[MAX_DEAL_TERMS]; /* i32 both; kind: NULL where there is one */
};

/* A warp, and the entries that it goes through. */
struct owner {
    struct dealing *x;
    LLVMValueRef number;   /* i32 */
    int part;              /* of whose arrays it has bins in lanes; -1: all, in memory */
    uint32_t terms, shown; /* that it needs, a bit each; that all lanes see */
    bool together;         /* all threads of the block load its entries, one each at once */
    LLVMValueRef kept;     /* slot: the bin in memory that the first lane has; -1: none; i32 */
    LLVMValueRef half;     /* then the slot of the half of shared memory that is next, i32 */
    bool held;             /* its bins are in shared memory: deal_held.c */
    /* Slots, i32: of up to 32 lots the first; for a lane's lot where its entries are, less how many
     * others have before it, and how many are there with it; entries of all of these lots, and the
     * first one that has been loaded. */
    LLVMValueRef lot, place, upto, all, first;
    /* Slots of what has been loaded, and is not used before it is needed: what tells of the next
     * lots; whether there are next entries, and these themselves. */
    LLVMValueRef places, there[BATCH];
    struct entry next[BATCH];
    /* Of threads that load an entry each, that before this one, whose results are stored when the
     * first warp has seen it: */
    LLVMValueRef was_there;
    struct entry was;
};

/* An entry as lanes see it: the lane that has its bin, with the kind in the bits above, or, where
 * bins are in memory, 0; NULL: they do not see that. */
struct seen {
    LLVMValueRef lane, term[MAX_DEAL_TERMS];
};

/* Where shared memory has a value of each entry that lanes see, and where it gets results. */
struct shown {
    struct seen of;
    LLVMValueRef result[MAX_DEAL_RESULTS], when[MAX_DEAL_RESULTS];
    LLVMValueRef owner; /* of entries at hand of which lanes do not see whose they are, i32 */
};

/* deal.c */
enum { DEAL_ABSENT = -1 }; /* the key of an entry that is not there */
/* Where an entry's value of so many bytes is, i32, behind the row of the first one's. */
LLVMValueRef deal_in_row(const struct dealing *x, LLVMValueRef entry, unsigned width);
/* Computes iteration `number`, i32, of the lot's, whose entries are in slots of x->unit; how many
 * such units a thread has at once. */
void deal_run_iteration(struct dealing *x, LLVMValueRef number);
int deal_units(const struct deal *d);

/* deal_sort.c */
/* Begins to count a lot's entries. */
void deal_begin_sort(const struct dealing *x);
/* Puts a value of one of the lot's entries, by where it is in deal_room, or its key, where it is
 * until the lot is in order. */
void deal_put(const struct dealing *x, enum ufc_dtype d, uint32_t offset, LLVMValueRef number,
              LLVMValueRef v);
void deal_put_key(const struct dealing *x, LLVMValueRef number, LLVMValueRef key);
/* The warp's iterations of the lot: from *first on, before *end, i32. */
void deal_find_own(const struct dealing *x, LLVMValueRef *first, LLVMValueRef *end);
/* Stores the lot in the order of owners, and where theirs are. */
void deal_sort(const struct dealing *x);

/* deal_rank.c: where iterations only count, and owners have a bin each. */
LLVMValueRef deal_is_there(struct gen *g, LLVMValueRef key);
/* Of `all`, i32, those that a warp of the block has, a multiple of its lanes. */
LLVMValueRef deal_share(const struct dealing *x, LLVMValueRef all);
LLVMValueRef deal_count_lanes(struct gen *g, LLVMValueRef set); /* i32: those of a mask */
void deal_begin_ranks(struct dealing *x);
void deal_rank(struct dealing *x); /* in a round */
void deal_end_ranks(struct dealing *x);

/* deal_count.c: entries that only count */
/* Updates the elements of the bin at hand by an entry whose terms are set, and stores its results
 * where `there`, i1.  part: as in struct owner; element: what the bin has at first, by array;
 * before: how many entries of it came before, i32. */
void deal_count(const struct dealing *x, int part, const LLVMValueRef *element, LLVMValueRef before,
                LLVMValueRef there);
/* An element of array i by so many entries, i32, of its bin. */
LLVMValueRef deal_counted(const struct dealing *x, int i, LLVMValueRef element, LLVMValueRef n);
/* Does an array change by entries? */
bool deal_has_step(const struct deal *d, int i);
/* The same as deal_see, and deal_update_in_memory. */
void deal_count_in_lanes(const struct owner *o, const struct entry *entry);
void deal_count_in_memory(const struct owner *o, const struct entry *entry);

/* deal_own.c */
/* Sets the place of a bin of a group, of number `flat`, i32, in it. */
void deal_set_place(const struct dealing *x, int group, LLVMValueRef flat);
/* The number of a bin in its group, i32. */
LLVMValueRef deal_in_group(const struct dealing *x, int group, LLVMValueRef bin);
/* Moves the element of the bin, whose place is set, from memory to its variable, and back. */
void deal_load_bin(struct gen *g, const struct deal_array *a);
void deal_store_bin(struct gen *g, const struct deal_array *a);
/* Entries that a lane has at once. */
uint32_t deal_batch(const struct owner *o);
/* Sets terms, a bit each, to those of an entry. */
void deal_set_terms(const struct owner *o, uint32_t terms, const LLVMValueRef *term);
/* i1: the entry is of a kind. */
LLVMValueRef deal_is_kind(struct gen *g, const struct entry *e, int kind);

/* deal_lanes.c */
/* The type of a value of an entry in shared memory, and the address of number i, i32, of a row. */
LLVMTypeRef deal_shown_type(struct gen *g, enum ufc_dtype d);
LLVMValueRef deal_shown_at(struct gen *g, LLVMTypeRef type, LLVMValueRef row, LLVMValueRef i);
void deal_put_row(struct gen *g, enum ufc_dtype d, LLVMValueRef v, LLVMValueRef row,
                  LLVMValueRef i);
/* stays: it is loaded where it stands, though it is used later. */
LLVMValueRef deal_get_row(struct gen *g, enum ufc_dtype d, LLVMValueRef row, LLVMValueRef i,
                          bool stays);
/* Of entries of the warp's, or of the block's in a half, by its number. */
struct shown deal_find_shown(const struct owner *o, LLVMValueRef half);
/* Updates bins in lanes by entries: the next ones of the `left`, i32, that there are, of the warp
 * or, where threads load them together, of the block. */
void deal_see(const struct owner *o, const struct entry *entry, LLVMValueRef left);
/* Updates the bin that the first lane has by 32 entries, which the warp shows to all lanes. */
void deal_see_run(const struct owner *o, struct shown *s);
/* Stores the results of the owner's last entries. */
void deal_end_seeing(const struct owner *o);

/* deal_held.c */
/* Copies the owner's bins to shared memory, or back. */
void deal_hold(const struct owner *o, bool stores);
/* Moves the elements of one of them to their variables, or back. */
void deal_move_held(const struct owner *o, LLVMValueRef bin, bool stores);

/* deal_memory.c */
/* Does an entry for a bin of the group store to array i? */
bool deal_stores(const struct deal *d, int group, int i);
/* i1: a bin is of a group. */
LLVMValueRef deal_is_of_group(const struct dealing *x, LLVMValueRef bin, int group);
/* deal_move_bin of an owner's bin, wherever it is. */
void deal_move(const struct owner *o, LLVMValueRef bin, bool stores);
/* Finds where the lane's bin is, and loads its elements; or stores them. */
void deal_move_bin(const struct dealing *x, LLVMValueRef bin, bool stores);
/* Updates bins in memory by the next ones of the `left`, i32, entries that there are. */
void deal_update_in_memory(const struct owner *o, const struct entry *entry, LLVMValueRef left);
/* Stores the bin that has been kept. */
void deal_end_kept(const struct owner *o);

#endif
