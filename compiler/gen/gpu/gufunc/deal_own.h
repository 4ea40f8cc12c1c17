/* deal_own.h: DEAL's owners of bins: deal_own.c, and deal_lanes.c for those whose lanes have them.
 */
#ifndef GEN_DEAL_OWN_H
#define GEN_DEAL_OWN_H

#include "../runtime/image_deal.h"
#include "gufunc.h"

enum { BATCH = UFC_DEAL_BATCH }; /* entries of a lane at once */

struct entry {
    LLVMValueRef bin, kind, term[MAX_DEAL_TERMS]; /* i32 both; kind: NULL where there is one */
};

/* A warp, and the entries that it goes through. */
struct owner {
    struct dealing *x;
    LLVMValueRef number;      /* i32 */
    int part;                 /* of whose arrays it has bins in lanes; -1: all, in memory */
    uint32_t terms, shown;    /* that it needs, a bit each; that all lanes see */
    bool together;            /* all threads of the block load its entries, one each at once */
    LLVMValueRef half;        /* then the slot of the half of shared memory that is next, i32 */
    LLVMValueRef block;       /* i32: of up to 32 blocks the first; and for a lane's block: */
    LLVMValueRef place, upto; /* where its entries are, less how many others have before it; and
                                 how many are there with it: i32 */
    LLVMValueRef all;         /* i32: entries of all of these blocks */
    /* Slots of what has been loaded, and is not used before the next entries are at hand: the
     * places of those behind them, their blocks, and whether they are there; these entries
     * themselves. */
    LLVMValueRef found[BATCH], of_block[BATCH], there[BATCH], loaded[BATCH];
    struct entry next[BATCH];
    /* Of threads that load an entry each, that before this one, whose results are stored when the
     * first warp has seen it: */
    LLVMValueRef was_there;
    struct entry was;
};

/* deal_own.c */
/* Sets terms, a bit each, to those of an entry. */
void deal_set_terms(const struct owner *o, uint32_t terms, const LLVMValueRef *term);
/* i1: the entry is of a kind. */
LLVMValueRef deal_is_kind(struct gen *g, const struct entry *e, int kind);

/* deal_lanes.c */
/* Updates bins in lanes by entries: the next ones of the `left`, i32, that there are, of the warp
 * or, where threads load them together, of the block. */
void deal_see(const struct owner *o, const struct entry *entry, LLVMValueRef left);
/* Stores the results of the owner's last entries. */
void deal_end_seeing(const struct owner *o);

#endif
