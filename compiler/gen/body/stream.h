/* stream.h: which elements of arrays an ordered loop accesses in turn, for chunk.c.
 *
 * The elements x[i + c] for the loop's index i and any constants c are a stream, of which a chunk
 * holds those of one constant, and registers a few before them; others are in memory.  An array
 * that the loop stores to has streams only if each access is of one, and these are of different
 * elements for certain. */
#ifndef GEN_BODY_STREAM_H
#define GEN_BODY_STREAM_H

#include "build.h"

enum {
    MAX_STREAMS = 8,
    MAX_ACCESSES = 48,
    MAX_REST = 3,
    MAX_TAIL = 4, /* elements of earlier iterations */
};

/* A subscript: times * index + plus + rest, of which all but the index is the same throughout the
 * loop.  The indices of loops in it are constants, since these are unrolled. */
struct affine {
    int64_t times, plus;
    struct {
        const struct pval *value;
        bool minus;
    } rest[MAX_REST];
    int n;
};

struct access {
    const struct pval *place;
    bool stored;
    bool certain; /* each iteration accesses it */
    bool affine;  /* all subscripts are */
    struct affine at[MAX_CORE_RANK];
    int axis; /* the only subscript that has the index, grows by one an iteration or falls; or -1 */
    int stream; /* or -1 */
};

struct stream {
    const struct access *anchor; /* a chunk holds the elements that this access has */
    bool down, stored;
    bool loaded;                /* a chunk may read an element before it writes it */
    int tail;                   /* how many elements of iterations before a chunk it may read, */
    bool guarded;               /* not all of which every iteration reads */
    LLVMValueRef before;        /* their slots, the earliest first; NULL: tail is 0 */
    LLVMValueRef held;          /* their slots, in the order of memory */
    LLVMValueRef unit;          /* i1: elements are neighbours */
    LLVMValueRef stride, first; /* bytes from one to the next; address of the anchor's element in
                                   the loop's first iteration */
    LLVMValueRef vector;        /* i1: chunks are neighbours and aligned */
};

struct chunk {
    const struct pstmt *loop;
    int64_t step;
    int size, turn;  /* iterations; the one that is being generated */
    const bool *set; /* by variable: the loop's body assigns to it */
    struct access access[MAX_ACCESSES];
    int naccesses;
    struct stream stream[MAX_STREAMS];
    int nstreams;
    LLVMValueRef together; /* i1: chunks are copied by g->rows; NULL: none is */
};

/* Sets the members of *c but for size, turn and together, for the PS_FOR s.  False: it has no
 * streams, or its body is too large or of a kind that is not copied. */
bool find_streams(struct gen *g, struct chunk *c, const struct pstmt *s);
/* Sets what is known of a->place's subscripts, with the indices of loops in the body constant. */
void find_subscripts(struct gen *g, const struct chunk *c, struct access *a);
/* Whether a is of the stream with this anchor. */
bool is_of_stream(const struct access *a, const struct access *anchor);
/* How many iterations before the access's own one the anchor has its element; below 0: after. */
int64_t stream_lag(const struct stream *s, const struct access *a);

#endif
