/* stream.h: which elements of arrays an ordered loop accesses in turn, for chunk.c
 * and stage.c.
 *
 * The elements x[k * i + c] for the loop's index i, a small k and constants c that are multiples of
 * k apart are a stream, of which a chunk holds those of one constant, and registers a few before
 * them; others are in memory.  An array that the loop stores to has streams only if each access is
 * of one, and these are of different elements for certain.
 *
 * Streams whose elements of an iteration are side by side, as x[i, 0] and x[i, 1] or x[2 * i] and
 * x[2 * i + 1], are a row together, which the first of them has (side.c). */
#ifndef GEN_BODY_STREAM_H
#define GEN_BODY_STREAM_H

#include "build.h"

enum {
    MAX_CHUNK = 8, /* iterations */
    MAX_STREAMS = 8,
    MAX_ACCESSES = 48,
    MAX_REST = 3,
    MAX_TAIL = 4,  /* elements of earlier iterations */
    MAX_INNER = 3, /* loops in the body, one in the other */
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
    struct inner { /* the loops in the body around it, and their indices */
        const struct pvar *var;
        int64_t index;
    } inner[MAX_INNER];
    int ninner;
    bool stored;
    bool certain; /* each iteration accesses it */
    bool affine;  /* all subscripts are */
    struct affine at[MAX_CORE_RANK];
    int axis;   /* the only subscript that has the index, STEP_ELEMENTS times at most; or -1 */
    int stream; /* or -1 */
};

struct stream {
    const struct access *anchor; /* a chunk holds the elements that this access has */
    int head; /* the first stream of those in its row: that has `row`, `late`, `vector` and slots */
    int count, at; /* elements of an iteration in the row; which of them is its own */
    bool down, stored;
    bool loaded;                /* a chunk may read an element before it writes it */
    int tail;                   /* how many elements of iterations before a chunk it may read, */
    bool guarded;               /* not all of which every iteration reads */
    LLVMValueRef before;        /* their slots, the earliest first; NULL: tail is 0 */
    LLVMValueRef held;          /* their slots, in the order of memory */
    LLVMValueRef taken;         /* slots of the next chunk's, where threads have helpers; or NULL */
    LLVMValueRef unit;          /* i1: a row's elements are neighbours */
    LLVMValueRef stride, first; /* bytes from one to the next; address of the anchor's element in
                                   the loop's first iteration */
    LLVMValueRef vector;        /* i1: chunks are neighbours and aligned, in all calls */
    bool far;                   /* stored to or, if stored, read, by iterations that are not near */
    struct row_stage row;
    struct late *late; /* what is stored, where it is computed late; NULL: it is not */
};

struct chunk {
    const struct pstmt *loop;
    int64_t step;
    int size, turn; /* iterations; the one that is being generated */
    int apart; /* iterations behind a chunk, at least: its rows may go on behind its elements */
    const bool *set; /* by variable: the loop's body assigns to it, or it is the index */
    struct access access[MAX_ACCESSES];
    int naccesses;
    struct stream stream[MAX_STREAMS];
    int nstreams;
    unsigned words;        /* registers for what is on its way, at most */
    unsigned taken_words;  /* registers that hold the next chunk */
    int stage;             /* iterations whose elements g->row_sharing copies ahead; 0: none */
    LLVMValueRef length;   /* the same, times what rows' copies are stretched by: i32 */
    LLVMValueRef helped;   /* i1: the thread has a row; NULL: all have */
    LLVMValueRef together; /* i1: a warp's threads run the loop together; NULL: they may not */
    LLVMValueRef all_near; /* i1: threads have helpers, who copy all that the loop accesses */
    bool near;             /* what is generated is of stages that are in shared memory with all
                              that they load and store, and takes each chunk ahead */
    bool alone;            /* a thread runs along rows of its own, which are vectors, and loads */
    LLVMValueRef next;     /* the chunk from this iteration on, i64, before it computes; or NULL */
    LLVMValueRef ahead;    /* iterations before the first chunk, i64 */
    LLVMValueRef skewed;   /* i1: threads of a warp begin with chunks at iterations that differ */
    LLVMValueRef skew;     /* the thread's, i64, from which on its rows are aligned; else 0.  NULL:
                              it always is */
};

/* Sets the members of *c that are known from the plan, for the PS_FOR s.  False: it has no
 * streams, or its body is too large or of a kind that is not copied. */
bool find_streams(struct gen *g, struct chunk *c, const struct pstmt *s);
/* Sets what is known of a->place's subscripts, with the indices of loops in the body constant. */
void find_subscripts(struct gen *g, const struct chunk *c, struct access *a);
/* Whether two subscripts differ by a constant. */
bool are_parallel(const struct affine *a, const struct affine *b);
/* Whether a is of the stream with this anchor. */
bool is_of_stream(const struct access *a, const struct access *anchor);
/* side.c: finds the streams that are rows together, and of all where they are in theirs. */
void find_rows_beside(struct gen *g, struct chunk *c);
/* The power of two that divides a chunk's bytes of the stream's row, up to 16. */
unsigned vector_bytes(const struct chunk *c, const struct stream *s);
void find_stride(struct gen *g, struct stream *s);
/* Sets what streams have in the loop's first iteration, at which its index is.  Gives how many
 * iterations come before the first chunk: those before an aligned element of the first row whose
 * elements are neighbours. */
LLVMValueRef begin_streams(struct gen *g, struct chunk *c);
/* How many iterations come before the first chunk of the stream's row that is aligned to the bytes
 * of a chunk of one of its elements, if there are such ones. */
LLVMValueRef ahead_of(struct gen *g, const struct chunk *c, const struct stream *s);
/* How many iterations before the access's own one the anchor has its element; below 0: after. */
int64_t stream_lag(const struct stream *s, const struct access *a);

/* Whether an access reads other elements than those that another one has stored `least` to `most`
 * iterations before; they are of one array. */
bool are_apart_within(const struct access *read, const struct access *stored, int64_t step,
                      int64_t least, int64_t most);

/* Whether no iteration stores, by `stored`, what any of them reads by `read`; they are of one
 * array.
 */
bool are_never_same(struct gen *g, const struct chunk *c, const struct access *read,
                    const struct access *stored);

/* Whether `read` has the element that `stored` has stored in the iteration before. */
bool is_stored_before(const struct access *read, const struct access *stored, int64_t step);

/* chunk_rows.c */
/* Whether all of a warp's threads come to the loop. */
bool chunk_runs_together(struct gen *g, const struct pstmt *loop);
/* Finds whether threads run the loop together, and then makes *ahead that of the first of them. */
void find_together(struct gen *g, struct chunk *c, LLVMValueRef *ahead);
/* Finds which chunks are vectors, and how a warp's threads copy them, where the thread's first row
 * is aligned from iteration `own` on, and that of the first thread that runs the loop from `ahead`.
 * Gives how many iterations come before the first chunk. */
LLVMValueRef find_chunk_rows(struct gen *g, struct chunk *c, LLVMValueRef own, LLVMValueRef ahead);

/* late.c: finds s->late of the streams, in loops of threads that have helpers. */
void find_late(struct gen *g, struct chunk *c);

/* stage.c */
unsigned stream_bytes(const struct stream *s); /* of an element */
bool has_row(const struct chunk *c, int k);    /* whether stream k has a row: others are in one */
/* The address of the element that is lowest in memory of `size` (i64) iterations from `turn` on;
 * and of the row's. */
LLVMValueRef stream_lowest(struct gen *g, const struct stream *s, LLVMValueRef turn,
                           LLVMValueRef size);
LLVMValueRef row_lowest(struct gen *g, const struct stream *s, LLVMValueRef turn,
                        LLVMValueRef size);
bool chunk_is_stored(const struct chunk *c); /* whether it stores to a stream */
/* How many iterations stages of the loop have, and where streams are in shared memory; 0: registers
 * or shared memory are too few for several chunks. */
int stage_size(struct chunk *c);
bool stage_has(const struct chunk *c, int k); /* stages load the row of stream k */
/* The iterations of a stage that are whole chunks, where `left` (i64) are left: i32. */
LLVMValueRef stage_length(struct gen *g, const struct chunk *c, LLVMValueRef left);
/* Where a chunk begins whose first iteration is number `at` of the stage, in elements: i32. */
LLVMValueRef stage_chunk(struct gen *g, const struct chunk *c, const struct stream *s,
                         LLVMValueRef at);
/* Before and after the stage that begins with iteration `turn` of n, i64. */
void stage_begin(struct gen *g, const struct chunk *c, LLVMValueRef turn, LLVMValueRef n);
void stage_end(struct gen *g, const struct chunk *c, LLVMValueRef turn, LLVMValueRef length);
/* Is a loop that stores, and not what other threads store, a thread's own? */
bool may_run_alone(const struct gen *g, const struct pstmt *s);
/* Of a thread alone: iterations for whose rows there are registers, with those of the next chunk;
 * 0: for too few. */
int vector_chunk(const struct chunk *c);
/* i1: all chunks of rows are vectors. */
LLVMValueRef rows_are_vectors(struct gen *g, const struct chunk *c);

#endif
