/* tuning.h: numbers that were chosen, not derived: from how much work on something pays, how much
 * of it a block, a thread or a loop takes at once.  Another value gives other code, or another way
 * to the same results, perhaps slower.  What kernels and launches must agree on is in image_abi.h.
 *
 * A row says what is counted.  Most values were chosen by reasoning: no measurement is on record.
 * What is known of the others, and what they decide, stands in brackets:
 *
 *   [H100]   It is an H100's, of 132 multiprocessors; for_gpu makes another GPU's of it.
 *   [GPU]    It was measured on a GPU; which one is not on record.
 *   [NumPy]  It is NumPy's.
 *   [bits]   It decides how a reduction is grouped, so another value gives other bits.
 *
 * A number with [bits] is the same on all GPUs, however many multiprocessors they have, and for any
 * number of threads: equal calls give equal bits. */
#ifndef UFC_TUNING_H
#define UFC_TUNING_H

#include <stdint.h>

enum { H100_MULTIPROCESSORS = 132 };

static inline int64_t for_gpu(int64_t n, int multiprocessors) {
    return n * multiprocessors / H100_MULTIPROCESSORS;
}

/* ---- the runtime, on a GPU */

/* launch.c: calls of ufuncs */
enum {
    ROWS_PER_THREAD = 4,     /* rows of a thread, at most: with more of them a launch ends late */
    ROWS_THREADS = 1 << 18,  /* threads of a launch that fill a GPU: below, several rows a
                                thread gain nothing [H100] */
    TRANSPOSE_MIN_SIDE = 16, /* elements of both axes: half a tile's */
};

/* launch_gufunc.c: calls of gufuncs.  A call's elements are those of its widest part. */
enum {
    THREAD_MAX_ELEMS = 4,       /* elements of a call that one thread soon has done [bits] */
    THREAD_MIN_CALLS = 65536,   /* calls, a thread each, that keep a GPU busy [bits] */
    DENSE_MIN_CALLS = 4096,     /* calls, a thread each, that keep a good part of it busy [bits] */
    WARP_MIN_ELEMS = 16,        /* elements of a thread of WARP, where they are neighbours [bits] */
    WARP_MIN_ELEMS_APART = 4,   /* elements of a thread of WARP, where they are apart [bits] */
    BLOCK_MIN_ELEMS = 1024,     /* elements of a call that keep a block busy [bits] */
    GRID_MIN_ELEMS = 4096,      /* elements of a call that keep several blocks busy [bits] */
    GRID_BLOCK_ELEMS = 2048,    /* elements of each of these blocks, at least [bits] */
    GRID_MAX_CALLS = 2 * 132,   /* calls that leave an H100 idle, with a block each [bits] */
    ENOUGH_BLOCKS = 8 * 132,    /* blocks of GRID or COLUMN that keep an H100 busy [bits] */
    COLUMN_BLOCK_ELEMS = 128,   /* elements of a call in a block of COLUMN, at least [bits] */
    ACROSS_MIN_CALLS = 16,      /* neighbours that fill half a row of COLUMN's threads [bits] */
    TILE_MIN_SIDE = 8,          /* rows and columns of results [bits] */
    TILE_THREADS = 50000,       /* threads of larger tiles that keep a GPU busy [bits: the zeros
                                   behind a tile's last products may turn -0.0 to 0.0] */
    INTERLEAVED_MAX_SIDE = 256, /* rows and columns of calls side by side: of 512 larger tiles won,
                                   of 128 calls side by side [GPU] [bits: as TILE_THREADS] */
    WINDOW_MIN_BLOCKS = 32,     /* blocks with a tile each [bits] */
};

/* launch_fold.c: methods */
enum {
    FOLD_PIECE = 32,        /* elements of a thread at least, where lines are cut [bits] */
    FOLD_THREADS = 1 << 18, /* threads that lines side by side are cut for [bits] */
    TREE_SHORT_LINE = 128,  /* elements of a line that is not worth a block [bits] */
    TREE_PIECE = 4096,      /* elements of a block: 16 a thread [bits] */
    TREE_MAX_PIECE = 32768, /* elements of a block, where these are many [bits] */
    TREE_BLOCKS = 4096,     /* blocks: with more of them pieces grow [bits] */
    SCAN_PIECE = 512,       /* elements of a thread that accumulates part of a line [bits] */
    SCAN_MAX_LINES = 65536, /* lines: that many, a thread each, keep a GPU busy [bits] */
};

/* gufunc_call.c: inputs that lie across memory are copied to C order */
enum {
    PACK_MIN_CORE = 16,       /* elements of a call, which a thread does not take alone [bits] */
    PACK_MIN_ELEMS = 1 << 14, /* elements of the array [bits] */
};

/* cuda/ring.c, cuda/cuda.c: memory */
enum {
    RING_SLOTS = 4,            /* chunks under way between host and GPU */
    RING_CHUNK = 4 << 20,      /* bytes of a chunk of pinned memory */
    POOL_KEPT_PART = 32,       /* a pool keeps of freed memory this part of the GPU's, */
    POOL_KEPT_MIN = 256 << 20, /* or so many bytes, when the GPU is waited for */
};

/* ---- the runtime, on the host */

/* threads.c, stage.c, at.c */
enum {
    SPIN_NS = 50000,          /* ns that a worker looks out for the next loop before it sleeps */
    RANGES_PER_THREAD = 4,    /* ranges of a loop, as cores are not equally fast */
    STAGE_GRAIN = 256 << 10,  /* bytes of a copy that are worth waking a thread */
    AT_MIN_INDICES = 1024,    /* indices, all of which each thread reads */
    AT_CONVERTED_ELEMS = 512, /* elements that are converted at a time */
};

/* host/cpu.c: calls */
enum {
    HOST_GRAIN = 32768,          /* elements that are worth a thread */
    HOST_RANGE = 1024,           /* elements that threads' ranges are multiples of */
    HOST_BUFFER = 16384,         /* bytes of converted or transposed elements, on the stack */
    SHORT_AXIS = 8,              /* elements: a shorter run is not worth a kernel's call */
    SHARED_CALL_ELEMS = 1 << 17, /* elements of a core call that several threads share, */
    SHARED_CALLS_PER_THREAD = 4, /* where calls a thread are fewer than that */
};

/* host/fold.c, host/rows.c: methods */
enum {
    LINE_PIECE = 32768,     /* elements of a thread at most, where lines are cut [bits] */
    ROWS_BUFFER = 8192,     /* bytes of rows that are fetched at once */
    ROW_MAX_BYTES = 16384,  /* bytes of a group's row that is reduced where it lies */
    ROW_CALL_BYTES = 2048,  /* bytes of a row that is worth a kernel's call */
    NARROW_ROW_BYTES = 256, /* bytes of rows that are reduced all at once, column by column */
    WIDE_ROWS_AT_ONCE = 4,  /* wider rows that are reduced at once */
    GROUP_MIN_LINES = 64,   /* lines of a group, however many threads there are */
    GROUPS_PER_THREAD = 4,  /* groups that lines are cut into */
};

/* ---- the compiler: bodies, in operations or LLVM's instructions */

enum {
    CHEAP_VALUE = 8,   /* plan_expr.c: it is computed even where it is not needed: no branch */
    CALL_COST = 20,    /* a function's, which may be inlined, or is some instructions */
    BRANCH_COST = 8,   /* that of a conditional's masks and blocks */
    LARGE_BODY = 80,   /* copies of a larger one for a piece's elements cost more than they gain */
    SMALL_BODY = 16,   /* copies of a larger one for elements reduced ahead do so */
    LONG_BODY = 2048,  /* a longer one is in sections: much of LLVM is slower than linear */
    SECTION_MAX = 512, /* a section's, at most */
    SECTION_MIN = 64,  /* a section's, at least */
    MAX_JOINED = 4096, /* a body's whose accesses are joined, in time by the square */
    MAX_INLINED = 450, /* those of a function of libdevice that is inlined, */
    MAX_COPIED = 1 << 14, /* and of all its copies */
};

/* ---- the compiler: GPU kernels (gen/gpu) */

/* ufuncs: which kernels there are, and what a thread of theirs takes */
enum {
    MAX_TRANSPOSED = 64, /* bytes of an element of all inputs: a thread of TRANSPOSE holds four */
    MAX_IN_ROWS = 12,    /* operands: a thread of ROWS holds 16 bytes and two addresses of each */
    ROWS_GROUP = 4,      /* elements that are moved one by one, in flight at once */
    CAST_EARLY = 8,      /* inputs that are loaded for all elements before one is converted */
    FOLD_AHEAD = 8,      /* elements in flight of a thread that reduces */
    SCAN_WIDTH = 4,      /* neighbours of a thread in a step of an accumulation [bits] */
};

/* gufuncs */
enum {
    POINT_STEPS = 4,       /* points of a thread whose loads are under way together */
    POINT_STEPS_WIDE = 2,  /* vectors of points whose loads are */
    POINT_STEPS_BODY = 40, /* operations of a body that is too large for that */
    DENSE_COPIES = 128,    /* copies of the innermost body, where sizes are known */
    TILE_PART = 16,        /* products of a tile of 64 that shared memory has at once, in proportion
                              of others: the registers of every GPU do [bits: as TILE_THREADS] */
    TILE_STEPS = 2,        /* products that registers have at once */
    WINDOW_PART = 16,      /* rows and columns of a window that shared memory has at once [bits] */
    WINDOW_LOADERS = 32,   /* threads that load a row together */
    WINDOW_RESULTS = 8,    /* neighbours in a row, of a thread */
    RESULT_STEPS = 4,      /* results of a thread that are stored in a turn */
};

/* ---- the compiler: host kernels (gen/host) */

/* drive.c, host.c, gufunc.c */
enum {
    DRIVE_BUFFER = 1024,         /* bytes of an operand whose elements are apart */
    COPY_BYTES = 32,             /* bytes that are copied at once */
    COPY_ELEMS = 4,              /* elements that are copied in a turn, where they are apart */
    ARRAY_LANES = 16,            /* lanes of bodies with arrays, which may be taken apart [bits] */
    WIDE_CALL_VECTORS = 4,       /* vectors of a simple call's points that are worth it [bits] */
    WIDE_CALL_VECTORS_APART = 8, /* vectors that are, where rows are short [bits] */
};

/* points.c, spread.c, blocks.c: reductions */
enum {
    ACC_COPIES = 4,         /* accumulators, so that additions need not wait for another [bits] */
    ACC_COPIES_BODY = 24,   /* operations of a body that is too long to have several [bits] */
    BLOCK_TURNS = 16,       /* additions to an accumulator before it is joined [NumPy] [bits] */
    BLOCK_POINTS = 32,      /* points of a block of a loop in order [bits] */
    PIECE_BITS = 15,        /* points of a piece, as a power of two [bits] */
    LONG_PIECE_BITS = 8,    /* points of a piece, where each has a loop [bits] */
    PIECES_BITS = 8,        /* pieces at most, as a power of two [bits] */
    POINTS_GRAIN = 4096,    /* points of a definition that are worth a thread */
    LONG_POINTS_GRAIN = 64, /* points that are, where each has a loop */
};

/* tile.c: contractions */
enum {
    PANEL_ROWS = 64,     /* rows of a task */
    PANEL_DEPTH = 128,   /* products of a sum before it goes to the totals [bits] */
    PANEL_ROWS_HELD = 8, /* rows whose sums are in registers, at most */
    PANEL_VECTORS = 2,   /* vectors across */
    PANEL_FEW_ROWS = 16, /* rows for which packing does not pay */
    PANEL_NEAR = 1024,   /* bytes from row to row that caches like, so that it does not either */
};

#endif
