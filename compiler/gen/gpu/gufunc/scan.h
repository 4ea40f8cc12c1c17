/* scan.h: a PS_FOR with accs, of which threads have parts: prefix.c, runs.c, strip.c. */
#ifndef UFC_GEN_SCAN_H
#define UFC_GEN_SCAN_H

#include "gufunc.h"

/* The accs' values, in their order. */
struct accs {
    LLVMValueRef v[SCAN_ACCS];
};

struct scan {
    struct gen *g;
    const struct pstmt *s;
    LLVMValueRef lo, step, n;      /* of the loop: i64; n: its iterations */
    struct accs empty;             /* before the loop */
    LLVMValueRef lanes, lane;      /* i32: the threads of a warp that share it; which one this is */
    LLVMValueRef last;             /* i32: the last of them, among the warp's */
    LLVMValueRef warp, warps;      /* i32: which of the warps that share it; how many */
    struct scan_room room;         /* for the terms of each warp */
    LLVMValueRef shared;           /* words for each warp's accs; NULL: a warp alone has the call */
    LLVMValueRef carry[SCAN_ACCS]; /* slots: the join of all tiles so far */
};

/* The statements of an iteration that join its term, and its point's. */
static inline void gen_scan_term(struct gen *g, const struct pstmt *s) {
    gen_list(g, s->before ? s->rest : s->body, s->before ? NULL : s->rest);
}
static inline void gen_scan_point(struct gen *g, const struct pstmt *s) {
    gen_list(g, s->before ? s->body : s->rest, s->before ? s->rest : NULL);
}

/* The accs' variables. */
struct accs scan_load(struct gen *g, const struct pacc *a);
void scan_store(struct gen *g, const struct pacc *a, const struct accs *r);
/* The join of accs of earlier iterations and those of later ones. */
struct accs scan_join(struct scan *x, const struct accs *earlier, const struct accs *later);
/* Slots that hold accs from one block of code to the next. */
void scan_slots(struct scan *x, LLVMValueRef *slot);
void scan_put(struct scan *x, const struct accs *a, LLVMValueRef *slot);
struct accs scan_get(struct scan *x, LLVMValueRef *slot);
/* Sets the loop's variable for iteration `number` (i64). */
void scan_index(struct scan *x, LLVMValueRef number);
/* Entries of the workspace, by their numbers (i64).  Whoever fetches waits until they are
 * published: entry[0 … n), two at most, into slots. */
LLVMValueRef scan_entry(struct scan *x, LLVMValueRef entry);
void scan_publish(struct scan *x, LLVMValueRef entry, const struct accs *a);
void scan_fetch(struct scan *x, const LLVMValueRef *entry, int n, LLVMValueRef slot[][SCAN_ACCS]);

/* runs.c: the iterations of a warp from number `base` (i64) on, of which each thread has a run.
 * whole (i1): there are all of them. */
struct runs;
struct scan_run;
unsigned runs_bytes(const struct scan_run *r); /* of shared memory, of a warp */
struct runs *runs_load(struct scan *x, const struct scan_run *r, LLVMValueRef base,
                       LLVMValueRef whole);
/* The join of the thread's terms; then what is made of them behind those before it. */
struct accs runs_join(struct runs *p);
void runs_store(struct runs *p, const struct accs *before);
/* What the thread then has of the reduction r->tail, which begins with *begin. */
struct accs runs_tail(const struct runs *p, struct accs *begin);

#endif
