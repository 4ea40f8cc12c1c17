/* fold.h: what reduces on the host: fold.c cuts the work, rows.c does it. */
#ifndef UFC_HOST_FOLD_H
#define UFC_HOST_FOLD_H

#include "host.h"

enum {
    LEAF = 16,            /* elements of a lane: with all lanes NumPy's block */
    MAX_LEAF = LEAF * 64, /* bytes of it: fold_lanes elements have 64 at most */
};

struct job {
    const struct reduction *r;
    ufc_fold_kernel *fold; /* NULL, as leaf: with checks */
    ufc_leaf_kernel *leaf;
    ufc_host_kernel *kernel;
    struct finding *finding;
    enum ufc_dtype dtype;
    int64_t size;  /* of an element */
    int64_t lanes; /* fold_lanes */
    bool in_order; /* not a tree */
    bool commutes;
    bool along;     /* groups of one line */
    bool direct;    /* rows are in memory as they are wanted */
    bool packed;    /* and so are lines, each element next to the one before */
    bool stores;    /* and so are rows of the output */
    bool simple;    /* a leaf of a segment is one in memory, and is the result */
    int64_t width;  /* lines of a group at most */
    int64_t runs;   /* groups along the fastest outer axis */
    int64_t groups; /* in all */
    int64_t row;    /* bytes from a row to the next, in workspaces */
    size_t space;   /* bytes of a workspace; 0: it is small */
    int64_t pieces; /* of a line, each a task; 1 unless it has one segment only */
    int64_t *piece; /* where pieces begin, and the end; NULL where there is one */
    char *partial;  /* a row a task */
    bool *has;      /* whether there is anything, a task */
    int threads;
    int64_t tasks, grain; /* that they share out: groups' pieces, or segments */
    _Atomic bool failed;  /* out of memory */
};

struct group {
    int64_t n; /* lines */
    const char *in, *where;
    char *out;
};

/* rows.c.  An acc is a row, with an element of each line; space is as many more as the
 * depth of the tree and the lanes of a leaf. */

/* Copies an element of so many bytes, perhaps to itself. */
void copy_element(char *to, const char *from, int64_t size);
void copy_row(const struct job *job, char *to, const char *from, int64_t n);
/* What a ufc_fold_kernel and a ufc_leaf_kernel do. */
void run_fold(const struct job *job, const char *acc, const char *x, int64_t n, int64_t step,
              int64_t width, char *out, int64_t out_step);
void run_leaf(const struct job *job, char *result, const char *x, int64_t n);
/* n rows, one after the other: out[i] = acc = f(acc, x[i]). */
void fold_rows(const struct job *job, const char *acc, const char *x, int64_t n, int64_t step,
               int64_t width, char *out, int64_t out_step);
/* acc = f(acc, other) of what there is; whether there is anything. */
bool join_rows(const struct job *job, bool has, char *acc, bool more, const char *other,
               int64_t width);
/* Elements of a tree's left side. */
int64_t left_half(const struct job *job, int64_t n);
/* Elements [begin, begin + n) of lines as a tree; false where none is there. */
bool fold_tree(const struct job *job, const struct group *g, int64_t begin, int64_t n, char *acc,
               char *space);
/* In order, going on with acc where `has`; whether there is anything. */
bool fold_in_order(const struct job *job, const struct group *g, int64_t begin, int64_t n, bool has,
                   char *acc);
/* What is so far, from before (where not NULL) on, goes to the output. */
void accumulate_lines(const struct job *job, const struct group *g, int64_t begin, int64_t n,
                      const char *before);

#endif
