/* fold.h: reductions on the host: fold.c cuts the work into tasks, rows.c reduces. */
#ifndef UFC_HOST_FOLD_H
#define UFC_HOST_FOLD_H

#include "host.h"

enum {
    LEAF = 16,            /* elements of a lane in a leaf, which is NumPy's block */
    MAX_LEAF = LEAF * 64, /* bytes of a leaf, at most: fold_lanes elements have at most 64 */
};

struct job {
    const struct reduction *r;
    struct ufc_host_code code; /* fold and leaf; in builds with checks kernel instead */
    struct finding *finding;
    enum ufc_dtype dtype;
    int64_t size;  /* of an element */
    int64_t lanes; /* fold_lanes */
    bool in_order; /* elements go in order, not as a tree */
    bool commutes;
    bool exact;     /* UFC_EXACT: lines are not cut into leaves */
    bool begins;    /* the initial element may change a result */
    bool along;     /* a group is one line */
    bool brief;     /* lines of few elements: several are transposed, and reduced row by row */
    bool direct;    /* rows are read where they lie: no conversion, no mask */
    bool packed;    /* direct, and a line's elements are neighbours */
    bool stores;    /* rows of the output are written where they lie */
    bool simple;    /* a segment of one leaf is reduced in memory by the leaf kernel */
    int64_t width;  /* lines of a group at most */
    int64_t runs;   /* groups along the fastest outer axis */
    int64_t groups; /* groups in all */
    int64_t row;    /* bytes from a row to the next, in workspaces */
    size_t space;   /* bytes of a workspace; 0: struct space has room */
    int64_t pieces; /* pieces of a line, each a task; 1 where a line has several segments */
    int64_t *piece; /* where pieces begin, and the end; NULL where there is one piece */
    char *partial;  /* a row of results for each task */
    bool *has;      /* whether a task had any element */
    int threads;
    int64_t tasks, grain; /* tasks that threads share out: groups' pieces, or segments */
    _Atomic bool failed;  /* out of memory */
};

struct group {
    int64_t n; /* lines */
    const char *in, *where;
    char *out;
};

/* rows.c: acc is a row, with an element of each line; space has as many more rows as the tree is
 * deep and a leaf has lanes. */

/* Copies an element of so many bytes, perhaps to itself. */
void copy_element(char *to, const char *from, int64_t size);
void copy_row(const struct job *job, char *to, const char *from, int64_t n);
/* Do what a ufc_fold_kernel and a ufc_leaf_kernel do, in builds with checks too. */
void run_fold(const struct job *job, const char *acc, const char *x, int64_t n, int64_t step,
              int64_t width, char *out, int64_t out_step);
void run_leaf(const struct job *job, char *result, const char *x, int64_t n);
/* Folds n rows, one after the other: out[i] = acc = f(acc, x[i]). */
void fold_rows(const struct job *job, const char *acc, const char *x, int64_t n, int64_t step,
               int64_t width, char *out, int64_t out_step);
/* acc = f(acc, other), or the one that there is; true where there is one. */
bool join_rows(const struct job *job, bool has, char *acc, bool more, const char *other,
               int64_t width);
/* The number of elements in a tree's left half. */
int64_t left_half(const struct job *job, int64_t n);
/* Reduces elements [begin, begin + n) of lines as a tree; false where the mask leaves out all. */
bool fold_tree(const struct job *job, const struct group *g, int64_t begin, int64_t n, char *acc,
               char *space);
/* Reduces in order, continuing with acc where `has`; true where acc has a result. */
bool fold_in_order(const struct job *job, const struct group *g, int64_t begin, int64_t n, bool has,
                   char *acc);
/* Stores the partial results in the output; they continue `before`, where not NULL. */
void accumulate_lines(const struct job *job, const struct group *g, int64_t begin, int64_t n,
                      const char *before);

#endif
