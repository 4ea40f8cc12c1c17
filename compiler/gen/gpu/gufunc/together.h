/* together.h: the blocks that have a call, or neighbouring calls, at the same time, and what they
 * tell one another: call.c, columns.c, follow.c, join.c, portion.c. */
#ifndef UFC_GEN_TOGETHER_H
#define UFC_GEN_TOGETHER_H

#include "gufunc.h"

/* JOINT, FOLLOW: the blocks that share a call; COLUMNS: the calls that a group of blocks has at a
 * time.  For each reduction a block publishes its accs. */
struct call_blocks {
    LLVMValueRef block, blocks; /* i32: the block among them; how many, a power of two */
    LLVMValueRef entries;       /* i64: address of the entries of the first of them */
    LLVMValueRef bytes;         /* i64: of a block's */
    bool each;                  /* each reduction has all of its entry */
    LLVMValueRef number;        /* i64: see publish_accs */
    LLVMValueRef across;        /* i32: how many calls, a power of two, */
    LLVMValueRef column;        /* that of the thread, */
    LLVMValueRef exists;        /* and i1: it is not behind the last one, which it is then too */
    LLVMValueRef lot;           /* i32: number of these calls, of all groups' */
};

/* call.c */
/* Finds the group of the thread's block, i32, and which of the group's blocks it is in
 * JOINT and COLUMNS. */
LLVMValueRef find_block_group(struct gen *g, struct threads *t, struct call_blocks *x);
/* Sets which entries the group's blocks publish in, `each` of them in all, when it comes to a lot
 * of calls.  They have one set for a lot and another one for the next: when a block publishes what
 * it has of the lot behind that, all of them have read the first. */
void take_group_entries(struct gen *g, struct call_blocks *x, LLVMValueRef group, LLVMValueRef lot,
                        LLVMValueRef each);

/* join.c */
/* Publishes the accs of the block's threads, which these have joined, by the first of them; joins
 * what all blocks of t->together have published, for all threads. */
void publish_block(struct gen *g, const struct pstmt *s);
void await_all_blocks(struct gen *g, const struct pstmt *s);
/* The same by a warp, for its lanes. */
void await_blocks(struct gen *g, const struct pstmt *s);

/* columns.c */
/* As join_call: COLUMNS. */
void join_columns(struct gen *g, const struct pstmt *s);

#endif
