/* tuning.h: numbers that were chosen, not derived: from which amount of work on a way of computing
 * pays, and how much of it a block, a thread or a loop takes at once.  Another value gives other
 * code, or another way to the same results, perhaps slower.  What kernels and launches must agree
 * on is in image_abi.h.
 *
 * A row says what is counted.  Most values were chosen by reasoning: no measurement is on record.
 * What is known of the others, and what they decide, stands in brackets:
 *
 *   [H100]   It fits an H100, of 132 multiprocessors; for_gpu scales it to another GPU.
 *   [GPU]    It was measured on a GPU; which one is not on record.
 *   [NumPy]  It is NumPy's.
 *   [bits]   It decides how a reduction is grouped, so another value gives other bits.  Such a
 *            number is the same on all GPUs, however many multiprocessors they have, and for any
 *            number of threads: equal calls give equal bits. */
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
    ROWS_PER_THREAD = 4,      /* rows of a thread, at most: with more the last threads end late */
    ROWS_THREADS = 1 << 18,   /* threads of a launch that fill a GPU: with fewer, several
                                 rows a thread gain nothing [H100] */
    TRANSPOSE_MIN_SIDE = 16,  /* elements along each of the two axes: half a tile's */
    TRANSPOSE_MIN_APART = 32, /* bytes between neighbours that memory moves one by one */
};

/* choose_gufunc.c: calls of gufuncs.  A call's elements are those of its widest part. */
enum {
    THREAD_MAX_ELEMS = 4,     /* elements of a call that one thread may take alone [bits] */
    THREAD_MIN_CALLS = 65536, /* calls, a thread each, that keep a GPU busy [bits] */
    DENSE_MIN_CALLS = 4096,   /* calls, a thread each, that keep much of a GPU busy [bits] */
    SHARED_MAX_CALLS = 8192,  /* calls, a thread each, that leave a GPU partly idle [bits] */
    SHARED_BLOCK_ELEMS = 128, /* iterations that few calls share among a block's threads [bits] */
    SHARED_MIN_ELEMS = 16,    /* iterations that are worth several threads [bits] */
    CALL_BLOCKS = 2 * 132,    /* blocks, of a thread each call, that keep a GPU busy [H100] */
    CALL_MIN_BLOCK = 32,      /* threads of such a block, at least */
    HELPED_GROUP = 32,        /* threads a call that copy rows where calls are few, at most, */
    HELPED_FEW_WARPS = 4,     /* of so many warps of a multiprocessor, one for each scheduler; */
    HELPED_SMALL = 4,         /* and up to so many threads a call, */
    HELPED_WARPS = 16,        /* of so many warps */
    WARP_MIN_ELEMS = 16,      /* elements of a thread of WARP that are neighbours [bits] */
    WARP_MIN_ELEMS_APART = 4, /* elements of a thread of WARP that are apart [bits] */
    SCAN_MIN_ELEMS = 64,      /* elements of a scan that several threads share, where calls are many
                                 [bits] */
    BLOCK_MIN_ELEMS = 1024,   /* elements of a call that keep a block busy [bits] */
    PASS_MIN_ELEMS = 64,      /* elements of a thread that reduces in one pass [bits] */
    PASS_THREADS = 1 << 18,   /* threads of all calls that are enough [bits] */
    PREFIX_MIN_TILES = 2,     /* tiles of a call that are worth a block each [bits] */
    PREFIX_MAX_CALLS = 2048,  /* calls, a block each, that keep a GPU busy [bits] */
    STRIP_MAX_TILES = 16384,  /* tiles of a call, each of which reads what others left [bits] */
    STRIP_MAX_CALLS = 8192,   /* calls, beyond which a thread each keeps a GPU busy [bits] */
    NEST_MIN_ELEMS = 4096,    /* elements of a call that keep several blocks busy [bits] */
    NEST_MAX_CALLS = 2 * 132, /* calls, a block each, that leave an H100 partly idle [bits] */
    NEST_SPREAD = 132,        /* blocks of points with ordered loops: those have a warp or more */
    ACROSS_MIN_CALLS = 16,    /* neighbouring calls: half a warp [bits] */
    SWEEP_LANE_ELEMS = 4,     /* elements of a row that are worth a thread of a warp [bits] */
    SWEEP_WARP_ELEMS = 32,    /* elements of a lane where a warp has a row, at most [bits] */
    SWEEP_BLOCK_ELEMS = 16,   /* elements of a row that are worth a thread of a block [bits] */
    SWEEP_WARP_SHARED = 48 << 10, /* bytes of shared memory, if warps have rows [bits] */
    SWEEP_SHARED = 96 << 10,      /* the same, of a block that has a row: room for two [bits] */
    SWEEP_THREADS = 1 << 17,      /* threads that keep an H100 busy [bits] */
    SWEEP_HELD_WORDS = 32,        /* registers of a thread for accs down the rows [bits] */
    SWEEP_PROCESSORS = 132, /* of an H100: as many blocks run at once, or twice or thrice [bits] */
    SWEEP_ROWS = 2,         /* rows of the same threads, at least, where blocks share a call, */
    SWEEP_BLOCK_ROWS = 8,   /* and of all threads of a block: parts are less than those [bits] */
    RESIDENT_JOINS = 8192,  /* bytes of a block's shared memory that are left for joins; how much
                               there is differs between GPUs [bits: with the GPU, too] */
    RESIDENT_RESERVED = 1024, /* bytes that the GPU takes of each block's */
    RESIDENT_BLOCKS = 32,     /* of a multiprocessor, at most */
    HALO_POINTS = 4,          /* of a definition, that are worth a thread [bits] */
    HALO_FEWER = 95, /* per cent of the clocks of fewer blocks that are worth more of them [bits] */
    HALO_GAIN = 80,  /* per cent of other blocks' clocks, at most, in which HALO has a call; */
    HALO_GAIN_WAITING = 150, /* of blocks that wait for one another, which take up to three times
                                what is forecast [H100] [bits] */
    RESIDENT_PARTS = 32, /* of a call's steps, which each warp goes through: where they are more, */
    RESIDENT_THREADS = 768, /* of a multiprocessor, at most, as an H200 took ten bodies [bits] */
    RESIDENT_CALLS = 1024,  /* calls, a block each, that keep a GPU busy [bits] */
    PHASED_LEAST = 512,     /* accesses of all phases of a call that are worth a block, at least */
    PHASED_MOST = 1 << 16,  /* the same, at most: launches for each phase are faster [bits] */
    PHASED_POINTS = 2,      /* elements that are worth a thread of such a block [bits] */
    PHASED_THREADS = 256,   /* of a multiprocessor, at least, that have such calls [bits] */
    TILE_MIN_BAND = 32,     /* points of a band, at least [bits] */
    TILE_MIN_SIDE = 8,      /* rows and columns of results, at least [bits] */
    TILE_NARROW_SIDE = 4,   /* the same where the other side is not below TILE_SIDE, [bits] */
    TILE_SIDE = 16,         /* and the reduction is long; sides from which tiles are worth it */
    TILE_NARROW_DEPTH = 32, /* for any, and points of a reduction that is [H100] [bits] */
    TILE_PROCESSORS = 132,  /* multiprocessors that tiles are to keep busy [H100] [bits: the
                               zeros behind a tile's last products may turn -0.0 to 0.0] */
    TILE_MIN_PART = 128,    /* products of a part of a result's sum, at least [bits] */
    TILE_MIN_TURNS = 32,    /* the same, of a team of a block whose teams share it [bits] */
    TILE_MIN_PRODUCTS = 1 << 24, /* of all results, worth tiles in any case [bits] */
    TILE_EDGE = 4,               /* products in the time of one that is under a condition [bits] */
    TILE_PART_PRODUCTS = 32,     /* products in the time in which a part's result is moved [bits] */
    TILE_JOIN_PRODUCTS = 500000, /* products of a multiprocessor in a launch's time [bits] */
    BAND_NEAR = 24 << 10, /* bytes of a band's rows in shared memory, at most: room for five blocks
                             [bits] */
    BAND_64_NEAR = 5 << 10,    /* the same of BAND_64 where a block has less than */
    BAND_64_SHARED = 64 << 10, /* all this, of which its slabs take more than half [bits] */
    BAND_LARGE = 60,           /* per cent of the time of products in BAND that BAND_64 takes [H100]
                                   [bits] */
    BAND_LANE_ELEMS = 8,       /* elements of a row between tiles, a thread, at most; where a row */
    BAND_LANES = 8,            /* has so many threads, so many */
    BAND_LANE_MOST_ELEMS = 128, /* [H100] [bits] */
    BAND_PRODUCT_BYTES = 13,    /* that the GPU moves in the time of a multiprocessor's product
                                   [bits] */
    BAND_CACHED_BYTES = 26,     /* the same, of a band's rows that are in no shared memory [H100]
                                   [bits] */
    INTERLEAVED_MAX_SIDE = 256, /* rows and columns of results whose tiles are interleaved:
                                   at 512 larger tiles were faster, at 128 interleaved ones
                                   [GPU] [bits: as TILE_PROCESSORS] */
    WINDOW_MIN_BLOCKS = 32,     /* blocks, a tile each, that are worth a launch [bits] */
    WINDOW_TOGETHER = 8,       /* tiles that a block computes one after the other, at most, where */
    WINDOW_STRIPS = 16,        /* there are as many blocks as these for each multiprocessor */
    WINDOW_MAX_COLUMNS = 1024, /* columns of results, most of which NEST finds inside [bits] */
};

/* scatter.c: numbers merged into bins */
enum {
    SCATTER_WINDOWS = 4,        /* windows of the bins, each of which reads all points, at most */
    SCATTER_WINDOW_POINTS = 64, /* points of each bin that are worth several windows */
    SCATTER_BINS_PER_POINT = 2, /* bins that a call clears and joins for a point, at most */
    SCATTER_THREADS = 2048,     /* of a multiprocessor that wait for memory together */
    SCATTER_MERGED = 16, /* points of a block in the time in which it merges a bin in memory */
    SCATTER_POINT_MERGES = 24, /* bins that all blocks merge in memory while one of them has a point
                                  for each thread, over its threads */
    SCATTER_BLOCK = 512,       /* threads of a block that is not alone on a multiprocessor */
    SCATTER_MIN_BLOCK = 64,    /* threads of a block that has few points */
    SCATTER_THREAD_POINTS = 8, /* points that are worth a thread */
    SCATTER_SHORT_POINTS = 2,  /* the same, where multiprocessors would be idle */
    SCATTER_FURTHER = 16,      /* iterations of a point's further range that are worth a thread */
    SCATTER_FURTHER_LEAST = 4, /* the same, where threads would be idle */
    SCATTER_SLOTS = 4096,      /* bins that shared memory has where it has not all */
    SCATTER_SLOT_BYTES = 49152,      /* of these, of all operands, at most */
    SCATTER_CACHED_POINTS = 1 << 16, /* points of a call that is worth these, at least */
    SCATTER_POINT_COST = 2,          /* of a point in a window, in some unit: */
    SCATTER_NEAR_COST = 1,           /* of a number merged in shared memory, */
    SCATTER_FAR_COST = 10,           /* and in the L2 cache */
    SCATTER_CACHED_WINDOWS = 8,      /* windows that stay in the L2 cache, at most */
};

/* steps.c: accesses of a step */
enum {
    STEP_WORK = 4, /* that are worth a thread [bits] */
    STEP_NEAR = 8, /* of a multiprocessor in a clock, if neighbours' are side by side [bits] */
    STEP_WORK_MANY = 16,    /* the same, where calls are many [bits] */
    STEP_WARP_WORK = 64,    /* that are worth a warp, where calls are many [bits] */
    STEP_BLOCK_WORK = 1024, /* that are worth a block, though blocks wait for one another longer */
    STEP_LEAST_BLOCKS = 4,  /* blocks that are worth such barriers */
};

/* steps.c: clocks of a step beside what its accesses take, as an H100 took them for eight bodies:
 * until a part of it has what it reads from shared memory, or from the L2 cache; until threads have
 * joined a reduction; until a cluster's blocks have waited for one another, and those that wait by
 * a count in memory */
enum {
    STEP_NEAR_CLOCKS = 250,     /* [bits] */
    STEP_FAR_CLOCKS = 850,      /* [bits] */
    STEP_JOIN_CLOCKS = 500,     /* [bits] */
    STEP_CLUSTER_CLOCKS = 1200, /* [bits] */
    STEP_GRID_CLOCKS = 1600,    /* [bits] */
};

/* panel.c: steps that blocks take in panels */
enum {
    PANEL_LEAST = 4, /* steps of a panel, at least, [bits] */
    PANEL_MOST = 32, /* and at most; the same of vectors [bits] */
    PANEL_MOST_VECTOR = 128,
    PANEL_NEAR = 16,       /* accesses of a block to shared memory in a clock [bits] */
    PANEL_PLACES = 4,      /* of four bytes, that are worth a thread [bits] */
    PANEL_MATES = 8,       /* lanes that share a point's reductions, mostly */
    PANEL_CLOCKS = 6000,   /* in which blocks store what others need of the next panel, wait for one
                              another twice and load it, beside its bytes [bits] */
    PANEL_L2_BYTES = 2500, /* bytes that the L2 cache gives all blocks in a clock [bits] */
};

/* steps.c: matrices that are copied to Fortran order */
enum {
    TURN_STRIDE =
        128, /* bytes from row to row, from which on columns are each in lines of their own */
    TURN_STATE_STRIDE = 64, /* the same, where lanes keep a state, each of which has a row */
    TURN_ACCESSES = 16, /* accesses along columns for an element, and for an access along rows */
};

/* Clusters: blocks, on all GPUs that have them and on those of compute capability 9 */
enum {
    CLUSTER_PORTABLE = 8,
    CLUSTER_LARGE = 16,
    CLUSTER_LEAST_THREADS = 64, /* of a block, that have work [bits] */
    CLUSTER_LARGE_BELOW = 100,
    CLUSTER_LARGE_MULTIPROCESSORS = 100, /* with fewer it may be part of a GPU */
};

/* steps.c: clocks of calls with ordered loops, as an H200 took them for twelve bodies */
enum {
    PART_CLOCKS = 450,             /* of what threads share in a step, and their barrier [bits] */
    PART_INSTRUCTIONS = 150,       /* of a warp for that, beside the accesses [bits] */
    ACCESS_INSTRUCTIONS = 12,      /* of a thread for an access, with what is computed [bits] */
    ACCESS_CLOCKS = 40,            /* of one by a thread alone that waits for a cache [bits] */
    LONE_CLOCKS = 28,              /* the same of a thread of LONE, from shared memory [bits] */
    LONE_FAR_CLOCKS = 600,         /* the same, from memory [bits] */
    LONE_COPY_CLOCKS = 40,         /* of an element that a warp copies from there [bits] */
    STATE_THREADS = 1024,          /* of a multiprocessor, whose lanes keep a state [bits] */
    STATE_SEVERAL_THREADS = 512,   /* the same, that have several indices each [bits] */
    STATE_PART_INSTRUCTIONS = 4,   /* of a lane for what lanes define in a step, beside the rest */
    STATE_JOIN_INSTRUCTIONS = 20,  /* the same, where they join a reduction [bits] */
    STATE_ACCESS_INSTRUCTIONS = 4, /* of a lane for an access [bits] */
    STATE_PART_CLOCKS = 30,        /* in which a lane waits for such a part, */
    STATE_LINES = 4,               /* of memory, in a warp's access, that are had at once [bits] */
    STATE_JOIN_CLOCKS = 150,       /* and for a reduction [bits] */
    SMALL_CLOCKS = 3,              /* of an operation of a thread of SMALL, [bits] */
    SMALL_THREADS = 512,           /* of which a multiprocessor has so many at once [bits] */
    LONE_WARPS = 4,                /* of a multiprocessor, that keep it busy [bits] */
    LONE_MAX_WARPS = 32,           /* the same, at most: the blocks that it has at once [bits] */
    FOLLOW_TURNS = 16,             /* of a block, after which it tells the next one how far it is */
    FOLLOW_CLOCKS = 100,           /* of a turn of such iterations, and their barrier [bits] */
    FOLLOW_ACCESS_CLOCKS = 12,     /* of each access in it [bits] */
    FOLLOW_INSTRUCTIONS = 16,      /* of a warp for a turn, beside accesses [bits] */
    FOLLOW_FAR_CLOCKS = 60,    /* of each access in it to memory, which the L1 cache mostly has, */
    FOLLOW_LOT_CLOCKS = 1000,  /* of a block that asks the one before it, and counts [bits] */
    FOLLOW_WAIT_CLOCKS = 2500, /* until a block knows what another one counted [bits] */
    FOLLOW_FAR_LINES = 28,     /* and clocks of a warp for one, whose rows are apart [bits] */
};

/* launch_gufunc.c: forecasts of the times of two schedules */
enum {
    FORECAST_WORK = 1 << 20,         /* operations that are worth forecasts [bits] */
    FORECAST_WORK_FEW = 1 << 18,     /* the same, of fewer than NEST_MAX_CALLS calls [bits] */
    FORECAST_WORK_ORDERED = 1 << 14, /* the same, of a call that may be one thread's [bits] */
    FORECAST_GAIN = 60,   /* percent of the other's time, as either may be wrong by half [bits] */
    FORECAST_STORED = 55, /* the same of a version that stores what is reduced again [bits] */
    FORECAST_PACKED = 90, /* the same of one that copies inputs in another order first [bits] */
    FORECAST_AGAIN = 90,  /* the same of one that computes arrays where they are read [bits] */
    FORECAST_STEPS = 90,  /* the same of one whose steps are in another order [bits] */
    FORECAST_CALLS = 100, /* the same of a version whose rows are calls [bits] */
    FORECAST_SUMS = 90,   /* the same where blocks add up what lanes of NEST else do, */
    FORECAST_TILED = 70,  /* or tiles may [bits] */
    FORECAST_ROWS = 55,   /* the same where tiles compute the rows together [bits] */
    FORECAST_KEYS = 280,  /* the same of a pass over keys, as comparing each with each index takes
                             four to eight times its forecast [bits] */
    FORECAST_DEALS = 250, /* the same of one that finds what bins get in any order: updates in order
                             of a frequent key take up to 500 times their forecasts [H100] [bits] */
    FORECAST_SWEEP = 100, /* the same of SWEEP, of the time of launches of its phases [bits] */
    FORECAST_COLUMNS = 95, /* the same of calls whose rows shared memory keeps [bits] */
    FORECAST_SERIES = 125, /* the same of blocks that add up series of several calls each [bits] */
    FORECAST_TERMS = 125,  /* of tiles with terms in order: threads take 1.5 of forecasts [bits] */
    FORECAST_EMPTY = 100,  /* the same of tiles with room for more results along a side, whose times
                              are 1.2 to 2 of forecasts, of threads .8 to 1.9 [H100] [bits] */
    FORECAST_BRIEF = 125,  /* the same of fewer than TILE_MIN_PRODUCTS, by short sums [bits] */
    FORECAST_BANDS = 135,  /* of BAND, .6 to 1.1 of forecasts; phases .7 to 1.7 [H100] [bits] */
};

/* deal.c */
enum {
    DEAL_LEAST = 2048,       /* entries that are worth a block */
    DEAL_LEAST_THREADS = 64, /* of a block */
    DEAL_OWNERS = 2048,      /* warps that own bins; where these are in shared memory, twice */
    DEAL_RESERVED = 4096,    /* bytes of shared memory that are left for sums */
    DEAL_HELD_WORTH = 4,     /* bins for an entry of a round, if these are moved to shared memory */
    DEAL_BYTES = 64 << 20,   /* of the workspace of a launch, mostly, which the L2 cache has */
    DEAL_MOST_BYTES = 256 << 20, /* of it, where blocks have an iteration each */
    DEAL_CALLS = 264,            /* that it has room for, where a block has each */
    DEAL_MOVES = 8,              /* bytes of entries, and room for as many, for one of a bin */
    DEAL_WORTH = 4096,           /* entries that are worth forecasts */
};

/* series.c */
enum {
    SERIES_CALLS = 1 << 15, /* for which blocks of one may be faster than threads, at most [bits] */
    SERIES_WORK = 1 << 15,  /* operations that are worth forecasts [bits] */
    SERIES_THREADS = 1536,  /* of a multiprocessor, that all blocks have together, [bits] */
    SERIES_LEAST_THREADS = 64, /* where each has so many, at least [bits] */
    SERIES_MEMBERS = 256,      /* that compute terms in a block of several calls, if shared */
    SERIES_SHARED = 48 << 10,  /* memory of so many bytes has room for those of all */
    SERIES_BLOCKS = 4,         /* such blocks that a multiprocessor has at a time; */
    SERIES_WIDE_BLOCKS = 3,    /* of 64-bit elements */
    SERIES_NEAR_CALLS = 8,     /* calls of such a block, at least, whose elements are neighbours, */
    SERIES_MOST_CALLS = 16,    /* and at most */
    SERIES_RESERVED = 4096,    /* bytes of shared memory that are left for joins */
    SERIES_POINT_THREADS = 8,  /* of a point of a step, at least, for a warp to add up its series */
    SERIES_POINTS = 4,         /* of a warp of NEST where these are nearer than terms are */
};

/* nest.c */
enum {
    NEST_THREADS = 1 << 18, /* threads that fill an H100 [bits] */
    NEST_FEWER = 1 << 14,   /* points, which several threads share, that fill it too [bits] */
    NEST_LEAST = 8,         /* elements of a thread's part of a reduction, at least [bits] */
    SCAN_BLOCK = 1024, /* iterations of a scan at a point that a block shares, at least, [bits] */
    SCAN_WARP = 16,    /* that a warp does, [bits] */
    SCAN_ACROSS = 64,  /* and that a block's warps do, of points that are neighbours [bits] */
    NEST_ABREAST = 1 << 16, /* threads that fill it where each has several points at once [bits] */
    SLIDE_LEAST = 16, /* elements that slide, of a thread's part of a reduction, at least [bits] */
    NEST_KEPT_LINES = 48, /* lines that the L1 cache holds for a warp, where it is full of warps,
                             until the next elements of these are read [bits] */
    NEST_MUCH = 64,       /* elements that are worth more threads than fill the GPU [bits] */
    NEST_ACROSS = 64,     /* points of a block that are neighbours in memory, at least [bits] */
    NEST_JOINED = 4,      /* partial results that a thread joins, at least [bits] */
    NEST_UNSPLIT = 92, /* percent of the time of blocks that share points, and of joining what they
                          have, for which blocks share none, as forecast [bits] */
    NEST_LESS = 90,    /* the same of so many threads, for which half of them, or twice as many,
                          share a point's reduction [bits] */
    NEST_MICRO = 90,   /* the same of microtiles, for which threads have no other points [bits], */
    NEST_MICRO_SPLIT = 80, /* and of those whose parts blocks join [bits] */
    NEST_STEPS = 16,       /* points of a thread, at most */
    NEST_WHOLE = 4,        /* points of a fixed last range that a thread takes whole, at most */
    NEST_PART = 7,         /* the same of points that are light, also of parts of any short range */
    NEST_FLAT = 32, /* columns of rows whose neighbours a thread takes from row to row, below */
    NEST_NEIGHBOURS = 16, /* points that are neighbours in memory, of a warp's threads, at least,
                             where these take several */
    NEST_ROWS = 4,        /* times that a thread takes neighbours along its last range, at most */
    NEST_ROW_LANES = 8,   /* threads that are neighbours then, at least: of a line of memory */
    NEST_PATCH_GAIN = 2,  /* how many times less a patch moves that is worth it [bits] */
    NEST_PATCH_SIDE = 32, /* threads of a patch where neighbours are stored, or are the last of a
                             reduction's, at most [bits] */
    NEST_PATCH_LANES = 8, /* threads of a warp along a side of a patch */
    NEST_LINE = 128,      /* bytes from which on elements are as far apart as they can be [bits] */
    NEST_UNKNOWN = 64,    /* elements of a range whose length is not known [bits] */
};

/* launch_fold.c: methods */
enum {
    FOLD_PIECE = 32,        /* elements of a thread at least, where lines are cut [bits] */
    FOLD_THREADS = 1 << 18, /* threads that lines side by side are cut for [bits] */
    TREE_THREAD = 64,       /* bytes that are worth a thread, where lines are short [bits] */
    TREE_SHORT_LINE = 2048, /* bytes of a line that a warp takes, at most [bits] */
    TREE_LONG_LINE = 8192,  /* the same, where lines are many [bits] */
    TREE_MANY_LINES = 4096, /* lines, a warp each, that keep a GPU busy [bits] */
    TREE_PIECE = 16384,     /* bytes of a block [bits] */
    TREE_MAX_PIECE = 65536, /* bytes of a block, at most [bits] */
    TREE_BLOCKS = 2048,     /* blocks, beyond which their pieces grow instead [bits] */
    ACROSS_ROW = 32,        /* threads of a row of ACROSS, at most: 512 bytes [bits] */
    ACROSS_COLUMNS = 256,   /* lines of a block of ACROSS, at most [bits] */
    ACROSS_BLOCKS = 8192,   /* blocks, beyond which their pieces grow instead [bits] */
    SCAN_SHORT_LINE = 512,  /* elements of a line that is not worth a block [bits] */
    SCAN_LINES = 2048,      /* lines, a block each, that keep a GPU busy [bits] */
    SCAN_PIECE = 512,       /* elements of a thread that accumulates part of a line [bits] */
    SCAN_MAX_LINES = 65536, /* lines, a thread each, that keep a GPU busy [bits] */
};

/* launch_at.c */
enum {
    AT_PIECE = 512,       /* indices of a piece of a row that is cut, a power of two [bits] */
    AT_LONG_ROW = 8192,   /* indices that a thread takes alone, one after the other [bits] */
    AT_ROW_KEYS = 4,      /* indices a row from which on threads search for their rows */
    AT_SORT_KEYS = 512,   /* indices that a warp sorts at least, a multiple of its lanes' */
    AT_SORT_BLOCKS = 264, /* blocks that sort, at most [H100] */
    MERGE_STEPS = 16,     /* elements of a thread that merges them, at least */
    MERGE_BLOCKS = 6,     /* blocks of a multiprocessor, whose shared memory holds their copies */
};

/* gufunc_call.c: inputs that lie across memory are copied to C order */
enum {
    PACK_MIN_CORE = 16,       /* elements of a call, which a thread does not take alone [bits] */
    PACK_MIN_ELEMS = 1 << 14, /* elements of the array [bits] */
};

/* parts.c, gpus.c: host arrays of a call that several GPUs share */
enum {
    PART_COUNT = 16,      /* parts of a call that GPUs share, of which each has several, [bits] */
    PART_MOST = 8 << 20,  /* or more of so many bytes [bits] */
    PART_BYTES = 1 << 20, /* bytes of a part, at least [bits] */
    PART_SIM_BYTES = 128, /* the same of simulated GPUs, which are slow [bits] */
    GPU_WORKERS = 16,     /* threads that drive a GPU, at most: they copy to pinned memory, which
                             takes more than one, while others wait for the GPU */
};

/* portions.c, pipeline.c: calls with large arrays on the host */
enum {
    PORTIONS = 3,             /* under way: one to the GPU, one computed, one from it */
    PORTION_WORKERS = 16,     /* threads that do portions of pageable arrays, at most */
    PORTION_BYTES = 8 << 20,  /* of a portion's arrays, so that each has a slot of its ring, and
                                 none waits; calls of less than two portions are not cut [H200] */
    PORTION_LEAST = 64 << 10, /* bytes of a portion at first, however little memory there is */
    PORTION_SHRINKS = 4,      /* a portion's bytes are divided by this where memory is short */
};

/* cuda/ring.c, cuda/cuda.c: memory */
enum {
    RING_SLOTS = 4,            /* chunks under way between host and GPU */
    RING_CHUNK = 4 << 20,      /* bytes of a chunk of pinned memory */
    POOL_KEPT_PART = 32,       /* freed memory that a pool keeps: the GPU's divided by this */
    POOL_KEPT_MIN = 256 << 20, /* bytes of freed memory that a pool keeps, at least */
};

/* auto.c: host or GPU, for calls on host arrays */
enum {
    AUTO_FEW_BYTES = 16 << 10,      /* that are not worth a GPU, */
    AUTO_FEW_OPERATIONS = 16 << 10, /* with so many operations: the host needs less than 20 us */
    AUTO_CACHED = 1 << 20,          /* bytes that a thread of the host finds in its core's cache */
    AUTO_REACHED = 45,    /* percent of the host's rate of operations that bodies reach, */
    AUTO_ADDED = 200,     /* and that sums of products do: as an EPYC of 16 cores */
    AUTO_SPECIAL = 8,     /* operations of the host in the place of a special one */
    AUTO_LANES = 8,       /* calls of a vector of the host, where they wait for steps */
    AUTO_ROOM = 1 << 20,  /* bytes that the GPU's limit must leave for calls to go there */
    RATES_DAYS = 30,      /* until they are measured again, as what was beside them is unknown */
    AUTO_STEP_CLOCKS = 4, /* clocks of a GPU for what is one of the host's steps */
};

/* ---- the runtime, on the host */

/* copy.c, host/drive.c */
enum {
    COPY_ELEMS = 4,      /* elements that are copied at once, where they are apart */
    DRIVE_BUFFER = 1024, /* bytes of a buffer for an operand whose elements are apart */
};

/* threads.c, stage.c, at.c */
enum {
    SPIN_NS = 50000,         /* ns that a worker looks out for the next loop before it sleeps */
    RANGES_PER_THREAD = 4,   /* ranges of a loop, as cores are not equally fast */
    STAGE_GRAIN = 256 << 10, /* bytes of a copy that are worth a thread */
    STAGE_PAST_CACHES =
        1 << 20,              /* of a result that is copied to the host past the caches [H100], */
    STAGE_PAST_RUN = 4096,    /* in runs of so many that are worth a fence */
    AT_MIN_INDICES = 1024,    /* indices worth several threads, each of which reads them all */
    AT_CONVERTED_ELEMS = 512, /* elements that are converted at a time */
};

/* host/cpu.c: calls */
enum {
    HOST_GRAIN = 32768,  /* elements that are worth a thread */
    HOST_RANGE = 1024,   /* elements that threads' ranges are multiples of */
    HOST_BUFFER = 16384, /* bytes of transposed elements, on the stack */
    CAST_BUFFER = 4096,  /* bytes of converted elements: few, lest memory and processor wait */
    MASK_RUN = 64,       /* elements that a mask has or lacks in a row, worth a call of their own */
    MASK_PIECE = 512,    /* elements of which those that a mask has are copied at a time */
    MASK_BUFFER = 8192,  /* bytes that they are copied to, on the stack */
    PACKED_BYTES = 1 << 15, /* bytes of calls' elements that are copied side by side at a time */
    PACKED_MIN_SIDE = 3,    /* elements along some core axis, which loops access so often */
    TURNED_ELEMENTS = 8,    /* of a call, apart from one another, that are worth copies */
    TURNED_LEAST = 4,       /* calls whose elements are copied at a time, at least, */
    TURNED_MAX_BYTES = 1 << 23,  /* and bytes of them, at most */
    PACKED_MAX_BYTES = 1 << 19,  /* the same, of one vector of calls, at most [bits] */
    SHORT_AXIS = 8,              /* elements of a run that is worth a kernel's call */
    SHARED_CALL_ELEMS = 1 << 17, /* elements of a core call that is worth several threads */
    SHARED_CALLS_PER_THREAD = 4, /* calls a thread; with fewer, threads share calls */
};

/* host/fold.c, host/rows.c: methods */
enum {
    LINE_PIECE = 32768,     /* elements of a thread at most, where lines are cut [bits] */
    ROWS_BUFFER = 8192,     /* bytes of rows that are fetched at once */
    BRIEF_LINE = 16,        /* elements of lines that are transposed, to be reduced row by row */
    BRIEF_LINES = 64,       /* such lines, at least */
    ROW_MAX_BYTES = 16384,  /* bytes of a group's row that is reduced where it lies */
    ROW_CALL_BYTES = 2048,  /* bytes of a row that is worth a kernel's call */
    NARROW_ROW_BYTES = 256, /* bytes of rows that are reduced all at once, column by column */
    WIDE_ROWS_AT_ONCE = 4,  /* rows that are reduced at once, where they are wider */
    GROUP_MIN_LINES = 64,   /* lines of a group, however many threads there are */
    GROUPS_PER_THREAD = 4,  /* groups that lines are cut into */
};

/* ---- the compiler: bodies, in operations or LLVM's instructions */

enum {
    CHEAP_VALUE = 8,       /* plan/expr.c: size of a value that is computed even if not needed */
    CALL_COST = 20,        /* cost of a function's call, which may be inlined */
    BRANCH_COST = 8,       /* cost of a conditional's masks and blocks */
    FUSE_DISTANCE = 32,    /* plan/fuse.c: statements between two reductions, at most */
    MAX_FUSED_ACCS = 8,    /* accumulators of reductions that are fused, at most */
    MAX_COPIED_POINTS = 8, /* indices of a range of which each has a copy of the body */
    MAX_UNROLLED = 16,     /* plan/unroll.c: reductions of copies of a loop's body, at most */
    LARGE_BODY = 80,       /* size of a body that is copied for each element of a piece, at most */
    SMALL_BODY = 16,       /* size of a body that is copied for elements reduced ahead, at most */
    LONG_BODY = 2048,      /* size of a body in one section, at most: much of LLVM is slower
                              than linear */
    SECTION_MAX = 512,     /* size of a section, at most */
    SECTION_MIN = 64,      /* size of a section, at least */
    MAX_JOINED = 4096,     /* size of a body whose accesses are joined: quadratic time */
    MAX_INLINED = 450,     /* size of a function of libdevice that is inlined, at most */
    MAX_COPIED = 1 << 15,  /* size of all copies of an inlined function together */
};

/* ---- the compiler: GPU kernels (gen/gpu) */

/* ufuncs: which kernels there are, and what a thread of theirs takes */
enum {
    MAX_TRANSPOSED = 64, /* bytes of all inputs' elements: a thread of TRANSPOSE holds four */
    FEW_TRANSPOSED = 8,  /* bytes of those of which it holds sixteen, of two inputs at most */
    TRANSPOSE_SIDE = 32, /* elements along a side of a tile of TRANSPOSE: a thread has four */
    TRANSPOSE_WIDE = 64, /* the same, where a thread holds sixteen */
    MAX_IN_ROWS = 12,    /* operands: a thread of ROWS holds 16 bytes and two addresses of each */
    ROWS_GROUP = 4,      /* elements that are moved one by one, in flight at once */
    CAST_EARLY = 8,      /* inputs that are loaded for all elements before one is converted */
    FOLD_AHEAD = 8,      /* elements in flight of a thread that reduces */
    TREE_AHEAD = 4,      /* accesses in flight of a thread of TREE */
    TREE_COPIES = 64,    /* copies of a body for elements in flight, of a thread of TREE, at most */
    ACROSS_AHEAD = 8,    /* accesses in flight of a thread of ACROSS, at most */
    ACROSS_COPIES = 48,  /* elements in flight of a thread of ACROSS, at most */
    ACROSS_COPIES_APART = 16, /* the same, where each has a register of its own */
};

/* gufuncs */
enum {
    BRIEF_POINTS = 16,     /* points of a reduction that is not worth a join, in a step [bits] */
    UNROLLED_POINTS = 32,  /* points of a reduction that is one straight code in NEST, at most */
    SCAN_ACCS = 8,         /* accumulators of a scan, down rows, or that blocks join, at most */
    SCAN_UNITS = 32,       /* iterations of a thread of PREFIX, at most [H100] */
    SHARED_UNITS = 8,      /* iterations of a thread of WARP or BLOCK at once, at most */
    SCAN_ROOM = 40 << 10,  /* shared memory of the scans of WARP, at most */
    SCAN_OPERATIONS = 384, /* operations of all these iterations, at most */
    WALKED_BODY = 200,     /* operations of a point of which a thread of NEST takes several, */
    SHARED_BODY = 640,     /* and where these read some of the same elements */
    GUARDED_BODY = 40,     /* the same, at the edges of windows too */
    NEIGHBOUR_BYTES = 16,  /* of the widest element, of a thread's neighbouring points */
    MAX_NEIGHBOURS = 4,    /* such points */
    NEIGHBOUR_BODY = 400,  /* size of a point, and */
    NEIGHBOURS_BODY = 750, /* of all of them where they are more than two, at most */
    PLACES_BODY = 280,     /* the same, of two places with neighbours that are taken together, */
    ROWS_BODY = 2400,      /* or of up to NEST_ROWS, rows that share elements, of WALKED_BODY */
    WALK_STEPS = 4,        /* points of a thread of NEST whose loads are under way at once, */
    WALK_ROWS = 8,         /* or rows that share elements, */
    WALK_ROWS_BODY = 3200, /* of such a size at most */
    POINT_STEPS = 4,       /* points of a thread whose loads are under way at once */
    NEST_POINT_STEPS = 8,  /* the same of a thread of NEST */
    AHEAD_WORDS = 64,      /* words of steps that store nothing whose loads are, at most, */
    AHEAD_STEPS = 32,      /* and such steps */
    EARLY_HELD = 16,       /* words of steps of its other loops, twice as many of 64 bits, */
    EARLY_STEPS = 16,      /* and such steps, */
    EARLY_BODY = 64,       /* of fewer operations, */
    EARLY_SIZE = 400,      /* and of so many in all of them */
    NEAR_LEAST = 16,       /* elements of such a row, and times that it is read, at least */
    NEAR_ROW = 64,         /* elements of a row that local memory holds, at most */
    ABREAST_POINTS = 4,    /* points of a thread that run a loop together, for what they share */
    MAX_ABREAST = 8,       /* the same of a definition's, whose reductions do, at most [bits], */
    MICRO_SIDE = 4,        /* or along each of two ranges [bits], */
    MICRO_BODY = 1024,     /* with so many nodes of values in all of them [bits], */
    MICRO_ACCS = 32,       /* and accumulators of so many words [bits], */
    MAX_SLIDING = 16,      /* or where they read what their neighbours read [bits], */
    SLIDE_BYTES = 16,      /* so much of each row in turn, of the widest element [bits], */
    SLIDE_BODY = 1024,     /* with so many nodes of values in a turn [bits], */
    ABREAST_WORK = 160,    /* with so many operations for all of them [bits], */
    ABREAST_BODY = 512,    /* so many nodes of values [bits], */
    ABREAST_ACCS = 16,     /* and accumulators of so many words [bits], */
    MAX_WHOLE = 16,        /* or all points of a range, at most [bits], */
    WHOLE_ACCS = 64,       /* with so many words [bits], where each reads the same elements */
    JOINED_POINTS = 4,     /* of these, whose parts shared memory holds at once, */
    JOINED_WORDS = 12,     /* with so many words of a thread */
    REST_THREADS = 256,    /* of a block whose points beside whole steps are loaded together */
    POINT_STEPS_WIDE = 2,  /* vectors of points of a thread whose loads are under way at once */
    POINT_STEPS_BODY = 40, /* operations of a body that is too large for several points at once */
    BATCH_POINTS = 32,     /* points of a thread whose elements are loaded before one is computed,
                              at most */
    BATCH_UNITS = 4,       /* vectors of an array in which these are loaded, at most */
    BATCH_APART = 4,       /* the same, of elements that are loaded one by one */
    BATCH_SIZE = 256,      /* size of all copies of a body for such points, at most */
    MERGED_SIZE = 700, /* the same, of points that merge, one by one, or by several outer ones */
    MERGED_BODY = 256, /* size of a body of such points, at most */
    CHUNK_BYTES = 32,  /* of an array, in a loop's chunk: what memory moves at least */
    CHUNK_BODY = 64,   /* operations of a loop's body that is copied for a chunk, at most */
    STAGE_ITERATIONS = 32, /* iterations whose elements shared memory holds, at most, */
    STAGE_WORDS = 32,      /* in so many registers of a thread on their way to it */
    STAGE_BYTES = 128,     /* in so much shared memory of a thread */
    STEP_ELEMENTS = 8,     /* elements of an iteration that are a row's, side by side, at most, */
    STEP_BYTES = 64,       /* in so many bytes */
    TAKEN_WORDS = 24,      /* registers for the next chunk of a thread that has helpers, at most */
    HELD_POINTS = 16,      /* points of a thread whose elements registers hold; half as many of
                              8 bytes [bits] */
    FURTHER_LEAST = 8,     /* iterations of a thread, of a range that depends on indices [bits] */
    HELD_BODY = 64,        /* size of a body of such points, at most [bits] */
    HELD_THREADS = 1024,   /* of a block that holds a row of up to 4 bytes an element [bits] */
    JOINT_BLOCKS = 256,    /* blocks that keep a row together, at most [bits] */
    JOINT_ROUNDS = 8, /* calls of each group, from which JOINT is faster than large blocks [bits] */
    JOINT_WORDS = 2048,   /* bytes of a block's shared memory for joins, at most [bits] */
    COLUMNS_WORDS = 8192, /* the same of COLUMNS [bits] */
    COLUMNS_BYTES = 32,   /* of neighbouring calls of a block, that memory moves at least [bits] */
    COLUMNS_LINE = 128,   /* the same, that it moves at once [bits] */
    COLUMNS_ENTRIES = 1024,  /* of a group's blocks for all of its calls, at most [bits] */
    COLUMNS_ELEMS = 1 << 14, /* of all calls, that are worth forecasts [bits] */
    COLUMNS_TURNS = 396,     /* times that blocks have such calls, which keep an H100 busy [bits] */
    BLOCK_RESERVED = 1024,   /* what the system takes of it besides [bits] */
    HELD_MAX_RANGES = 3,     /* ranges of such points, at most [bits] */
    DENSE_COPIES = 128,      /* copies of the innermost body, where sizes are known, at most */
    SMALL_COPIES = 128,      /* the same of SMALL, */
    SMALL_CHUNK_BODY = 200,  /* and operations of a loop's body that is copied for a chunk */
    TILE_PART = 16,          /* products of a result that shared memory holds at once: every GPU
                                has the registers [bits: as TILE_PROCESSORS] */
    MATRIX_PART = 16,        /* the same of MATRIX_128, parts of it that are there or under way, */
    MATRIX_STAGES = 3,       /* and products that an instruction adds to a result [H100] [bits: as
                                TILE_PROCESSORS] */
    MATRIX_STEP = 4,
    MATRIX_64_PART = 8, /* of MATRIX_64 [H100] [bits: as TILE_PROCESSORS] */
    MATRIX_64_STAGES = 4,
    MATRIX_64_STEP = 4,
    COPY_LANES = 8,  /* neighbours in memory that a warp of MATRIX copies to different rows of
                        shared memory [H100] */
    TILE_SHARE = 64, /* bytes of these that a thread moves at once, which registers hold
                        beside its results; twice as many where it has few results */
    TILE_LOADED_WORDS = 16, /* of elements for a thread's steps in TILE_16 that are loaded at once,
                               beside accs of 64 bits */
    TILE_COPIES = 1024,     /* operations that are written out for a thread's results */
    BAND_COPIES = 256,    /* the same in BAND: there is more code besides, which runs few times; */
    BAND_64_COPIES = 512, /* and in BAND_64, whose steps are not in a loop then */
    TILE_DEFERRED = 16,   /* assignments before a reduction that may be made behind it, at most */
    TILE_GATHERED_BITS = 64, /* of a result's accs that teams of a block join, at most [bits] */
    TILE_SHORT_BODY = 7,     /* operations of a 32-bit product and its sum, for the most results */
    TILE_LONG_BODY = 16,     /* operations of a product for which a thread has half of the most */
    TILE_SHORT_REST = 16,    /* size of what is made of a result, which is copied for each */
    TILE_CALL = 4,           /* operations that a function's call counts for */
    TILE_DIVISION = 8,       /* the same of a division, which has branches */
    TILE_ELEMENT = 10,       /* instructions for address and place of an element that is computed */
    WINDOW_PART = 16,    /* rows and columns of a window that shared memory has at once [bits] */
    WINDOW_LOADERS = 32, /* threads that load a row together */
    WINDOW_RESULTS = 8,  /* neighbours in a row, of a thread */
    LOADED_ROWS = 5,     /* rows of which a thread loads elements at once: all of 9 rows */
    RESULT_STEPS = 4,    /* results of a thread that are stored in one step */
};

/* ---- the compiler: host kernels (gen/host) */

/* host.c, gufunc.c */
enum {
    LOOP_LANES = 64,       /* lanes of bodies with loops, at most, that are two vectors */
    ARRAY_LANES = 16,      /* lanes of bodies with arrays, which may be taken apart [bits] */
    WIDE_CALL_VECTORS = 4, /* vectors of a simple call's points that are lanes, at least [bits] */
    WIDE_CALL_VECTORS_IN_ROUNDS = 16, /* vectors of points, at least, where loops share out points
                                        in each round [bits] */
    WIDE_CALL_DEPTH = 32, /* points of the reductions of less than two vectors of results that are
                             worth packing [bits] */
    WIDE_CALL_VECTORS_APART = 8, /* vectors of points, at least, where rows are short [bits] */
};

/* body/stmt.c, in lanes */
enum {
    LIKELY_ARM = 256,  /* cost of an arm that nearly all lanes take, which runs without a branch */
    LANES_COPIES = 16, /* copies of the innermost body, where sizes are known, at most */
};

/* points.c, spread.c, blocks.c: reductions */
enum {
    ACC_COPIES = 4,         /* accumulators, so that additions need not wait [bits] */
    ACC_COPIES_BODY = 24,   /* operations of a body too long for several accumulators [bits] */
    LIGHT_BODY = 32,        /* operations of a point in a round that is worth one copy in lanes */
    BLOCK_TURNS = 16,       /* additions to an accumulator before it is joined [NumPy] [bits] */
    BLOCK_POINTS = 32,      /* points of a block of a loop in order [bits] */
    WIDE_VECTORS = 4,       /* vectors of points at once, where each is a short reduction */
    WIDE_LOOPS = 8,         /* the same, where each is a light loop */
    LANES_ROW = 16,         /* points of a row from which on vectors are of them, not of rows */
    SELECT_COPIES = 4,      /* vectors of best values, which need not wait for each other */
    SELECT_LEAST = 8,       /* vectors of a row whose best value is found first, at least */
    SELECT_POINTS = 4096,   /* points of a stretch that is searched for its best value */
    TURNS_TOGETHER = 4,     /* accs of a row in registers, where points are lanes */
    ROW_POINTS = 128,       /* points of a row that is worth vectors of its own [bits] */
    PIECE_BITS = 15,        /* points of a piece, as a power of two [bits] */
    LONG_PIECE_BITS = 8,    /* points of a piece, as a power of two, where each has a loop [bits] */
    PIECES_BITS = 8,        /* pieces at most, as a power of two [bits] */
    POINTS_GRAIN = 4096,    /* points of a definition that are worth a thread */
    LONG_POINTS_GRAIN = 64, /* points worth a thread, where each has a loop */
};

/* gufunc_version.c: on the host */
enum {
    TILED_WORK = 1 << 14, /* operations of a call in order that are worth its products' version, */
    TILED_SIDE = 16,      /* or rows and columns of results of one whose points are shared out, */
    TILED_DEPTH = 32,     /* and operations for each result [bits]; */
    TILED_NARROW = 4,     /* or rows and columns of few results, more than as many of both, */
    TILED_LONG = 1 << 12, /* and operations for each of these [bits] */
    DELAYED_WORK = 1 << 25, /* operations of a call in order that are worth delayed updates */
    STACKED_LEAST = 16,     /* calls that are taken as one, at least, */
    STACKED_ROWS = 192,     /* and about so many, */
    STACKED_SIDE = 16,      /* where they have products of so many rows and columns, */
    STACKED_DEPTH = 32, /* and operations for each result, if a call has vectors of columns, too; */
    STACKED_NARROW = 8, /* or so many columns, and operations [bits] */
};

/* intermediates.c */
enum {
    STORED_ORDER_BYTES = 1 << 30, /* of a call's results of what else runs in order, at most, */
    STORED_ORDER_PART = 8,        /* or a part of the GPU's memory, where that is more; and */
    STORED_BYTES = 1 << 28,       /* of inner reductions, stored where forecast faster, at most, */
    STORED_PART = 32,             /* or a part of the GPU's memory, where that is more [bits] */
    INTERMEDIATE_BYTES = 1 << 20, /* of calls made together, a thread of the host; on a GPU its L2
                                     cache times the next, if more, as launches cost [H200] */
    INTERMEDIATE_CACHES = 4,
};

/* tile.c, panel.c, product.c: tilings on the host */
enum {
    PANEL_ROWS = 192,        /* rows of a block: whole vectors, and whole groups of held rows */
    PANEL_DEPTH = 128,       /* points of a reduction before it is joined to the totals [bits] */
    PANEL_VECTORS = 16,      /* vectors of columns of a block, at most */
    PANEL_FEW_ROWS = 16,     /* rows for which packing columns does not pay */
    PANEL_BYTES = 128 << 10, /* of a block's columns, at most, so that they stay in the cache */
    PANEL_STACK = 24 << 10,  /* of the columns whose accs are in registers */
    PANEL_BLOCKS = 8,        /* blocks that are few for several threads */
    PANEL_COPIES = 96,       /* operations that are written out for a point */
};

#endif
