/* image_kernel.h: the kernels of devices, and their parameters, shared by compiler/ (which
 * generates kernels that take them) and runtime/ (which fills them). */
#ifndef UFC_IMAGE_KERNEL_H
#define UFC_IMAGE_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dtype.h"

/* A device kernel's only parameter is one struct, built by the runtime.  FOLD and TREE take a
 * struct ufc_kparam_fold, and with UFC_CHECKS the device address of a struct ufc_fault behind it.
 * Kernels of gufuncs take a struct ufc_kparam_gufunc and what struct ufc_gufunc_offsets has behind
 * it; the others take a struct ufc_kparam_head and what struct ufc_param_offsets has behind it.
 *
 * kernel.def says what each kernel does. */
enum ufc_kernel_kind {
#define KERNEL(family, ID, ...) UFC_KERNEL_##ID,
#include "kernel.def"
#undef KERNEL
    UFC_KERNEL_COUNT
};

/* Kernels are in modules that are generated at the same time, on several threads, and loaded apart,
 * each when it is first needed: most programs' arrays are contiguous, and few reduce. */
enum ufc_module {
    UFC_MODULE_PLAIN,
    UFC_MODULE_LAYOUT,
    UFC_MODULE_FOLD,
    UFC_MODULE_SORT,
    UFC_MODULE_CLUSTER,
    UFC_MODULE_MATRIX,
    UFC_MODULE_SMALL,
    UFC_MODULE_WIDE,
    UFC_MODULE_STATE,
    UFC_MODULE_BAND,
    UFC_MODULE_TILE,
    UFC_MODULE_LARGE_TILE,
    UFC_MODULE_BLOCK,
    UFC_MODULE_COUNT
};

/* The architecture that a module is for at least, and later ones, where others are for `least`. */
static inline int ufc_module_sm(enum ufc_module module, int least) {
    static const int sm[UFC_MODULE_COUNT] = {[UFC_MODULE_CLUSTER] = 90, [UFC_MODULE_MATRIX] = 90};
    return sm[module] > least ? sm[module] : least;
}
/* Whether a GPU of that architecture runs it. */
static inline bool ufc_module_fits(enum ufc_module module, int capability) {
    return ufc_module_sm(module, capability) == capability;
}

/* Kernels wait for the launches ahead of them in their stream, in code for this architecture and
 * later ones. */
enum { UFC_WAITING_SM = 90 };

enum ufc_kernel_family { UFC_FAMILY_UFUNC, UFC_FAMILY_FOLD, UFC_FAMILY_GUFUNC };

/* Who computes a unit of work: a piece of elements, a segment of a line, or a core call. */
enum ufc_sharing {
    UFC_BY_THREAD,
    UFC_BY_WIDE_THREAD, /* a thread, vector_width elements in one access */
    UFC_BY_WARP,        /* `group` threads of a warp */
    UFC_BY_BLOCK,
    UFC_BY_POINTS, /* threads compute points of any calls */
    UFC_BY_TILE,   /* ufc_tile_threads threads, or a block, compute a tile of a call */
};

enum { BLOCK_THREADS = 256 };

enum { UFC_MERGE_BYTES = 32768 }; /* of shared memory, of a block of MERGE */

static const struct kernel_info {
    const char *suffix, *name;
    enum ufc_kernel_family family;
    enum ufc_module module;
    enum ufc_sharing sharing;
    uint32_t size, threads;
} kernel_info[UFC_KERNEL_COUNT] = {
#define KERNEL(family, ID, suffix, name, module, sharing, size, threads, ...)                      \
    {suffix, name, UFC_FAMILY_##family, UFC_MODULE_##module, UFC_BY_##sharing, size, threads},
#include "kernel.def"
#undef KERNEL
};

/* Of core dimensions whose indices 32 bits hold, and what is a little more than these. */
#define UFC_NARROW_SIZE (INT32_MAX - (1 << 16))

#define UFC_MAX_OPERANDS 32 /* inputs and outputs of a ufunc together */
#define UFC_MAX_AXES     6  /* merged axes that a device kernel walks; the runtime loops the rest */

struct ufc_kparam_head {
    int64_t n;        /* elements of this launch */
    uint32_t scalars; /* bit k: input k is one element for all (VECTOR), or for a row (ROWS) */
    uint32_t naxes;   /* axes in use, the fastest first (not VECTOR, NUMBERS) */
};

struct ufc_kparam_op {
    uint64_t ptr;      /* device address of the first element; 0: the element is `value` */
    uint64_t value[2]; /* a number by value, in the operand's dtype, in the low bytes */
};

/* Index i of an element splits into axis positions by q = (uint64_t(i) * magic) >> 32 >> shift,
 * r = i - q * size, with magic 0 standing for a size that is a power of two: q = i >> shift.
 * (Magic numbers as in Granlund and Montgomery, 1994; exact for i < 2^31.) */
struct ufc_kparam_axes {
    uint32_t size[UFC_MAX_AXES], magic[UFC_MAX_AXES], shift[UFC_MAX_AXES];
};

struct ufc_kparam_layout {
    int64_t stride[UFC_MAX_AXES]; /* bytes; 0 on axes not in use */
    int64_t dtype;                /* enum ufc_dtype of the array (CAST) */
};

/* Elements whose byte is 0 are neither computed nor stored; ptr 0: none is. */
struct ufc_kparam_mask {
    uint64_t ptr;
    int64_t stride[UFC_MAX_AXES];
};

/* How elements form pieces, in CAST, ROWS and TRANSPOSE.  Bit k of a set is operand k's. */
struct ufc_kparam_pieces {
    uint32_t size[2];           /* elements along axes 0 and 1 */
    uint32_t rows, first, step; /* ROWS */
    /* sets of operands */
    uint32_t wide;       /* ROWS: vector_width elements lie side by side, aligned as a whole */
    uint32_t backward;   /* ROWS: as wide, in falling order; inputs only */
    uint32_t kept;       /* ROWS: all rows of a thread are the same row; inputs only */
    uint32_t transposed; /* TRANSPOSE: axis 1 is faster than axis 0; inputs only */
};
#define UFC_CAST_ELEMENTS 2 /* along axis 0, a thread of CAST */

/* Byte offsets of what follows the head in the parameter. */
struct ufc_param_offsets {
    size_t op;     /* struct ufc_kparam_op[nin + nout] */
    size_t fault;  /* uint64_t, with UFC_CHECKS alone: device address of a struct ufc_fault */
    size_t axes;   /* struct ufc_kparam_axes; this and what follows: not VECTOR */
    size_t layout; /* struct ufc_kparam_layout[nin + nout] */
    size_t mask;   /* struct ufc_kparam_mask */
    size_t pieces; /* struct ufc_kparam_pieces; not STRIDED */
    size_t end;
};

static inline struct ufc_param_offsets ufc_param_offsets(size_t noperands, bool checked) {
    struct ufc_param_offsets at = {.op = sizeof(struct ufc_kparam_head)};
    at.fault = at.op + noperands * sizeof(struct ufc_kparam_op);
    at.axes = at.fault + (checked ? sizeof(uint64_t) : 0);
    at.layout = at.axes + sizeof(struct ufc_kparam_axes);
    at.mask = at.layout + noperands * sizeof(struct ufc_kparam_layout);
    at.pieces = at.mask + sizeof(struct ufc_kparam_mask);
    at.end = at.pieces + sizeof(struct ufc_kparam_pieces);
    return at;
}

/* Do threads have neighbouring elements of contiguous arrays? */
static inline bool ufc_is_vector(enum ufc_kernel_kind kind) {
    return kind == UFC_KERNEL_VECTOR || kind == UFC_KERNEL_NUMBERS;
}

static inline size_t ufc_param_size(const struct ufc_param_offsets *at, enum ufc_kernel_kind kind) {
    return ufc_is_vector(kind) ? at->axes : kind == UFC_KERNEL_STRIDED ? at->pieces : at->end;
}

/* FOLD and TREE reduce segments of lines.  A line has the elements at one position of the outer
 * axes, in C order of the inner axes (the first of `inner` is the fastest).  Segment s of a line
 * has the elements from s * piece up to (s + 1) * piece, at most `length`; or, where there are
 * bounds, those from bounds[2 * s] up to bounds[2 * s + 1].
 *
 *     number      the thread's (FOLD) or the block's (TREE), below lines * segments
 *     line        number % lines; segment: number / lines
 *     acc         the line's element of segment - 1 of `carry`, where there is one; else `initial`
 *                 in segment 0, where it has one; else the segment's first element
 *     acc         f(acc, element) for the elements whose byte of `where` is not 0
 *     result      acc, or `empty` where there was no element; to `out`
 *
 * FOLD goes in order, and where `each` is set stores acc at every element's place.  TREE is for
 * functions with an identity, without bounds: `group` threads of a block share a segment.  Each
 * takes up to `steps` units of `unit` neighbouring elements, `stride` apart, from `lane` times its
 * number on; they join their results in order.  group: a power of two up to 32, or the block's
 * threads.
 *
 * ACROSS is for functions that regroup and `across` lines side by side along the first outer
 * axis; in_dtype is the overload's, or one that ufc_widens_to it; there are no mask, bounds and
 * carry, and at most one inner axis.  A block takes a segment of ufc_across_columns neighbouring
 * lines, counted along these, then the other lines, then segments.  `group` threads share a line:
 * each takes `steps` elements in order, and they join their results in order.
 *
 * SCAN is for functions that regroup, without bounds: a block stores acc at every element's
 * place of its segment.  With several segments each is a tile, of ufc_scan_tile elements, and
 * `carry` is a workspace, which is 0: `entries` elements, each 4 bytes of which, or fewer, are the
 * upper half of a word whose lower half is a flag; of all tiles, line by line, then of all regions
 * of UFC_SCAN_REGION tiles of a line.
 *
 * SORT and AT are for `at`: `length` indices, along the inner axes, each select one of `rows` rows
 * of the result, which has the overload's type, segment_stride apart.  `keys` has an uint64_t for
 * each index: its row, shifted by `shift`, and its number.
 *
 * SORT does what `job` says.  MAKE makes the keys of indices, `in`, which may be negative; of those
 * that are out of bounds the least and the greatest go to `carry`, two int64_t.  ROWS makes their
 * rows alone, an uint32_t each, for MERGE.  BLOCK, a block, sorts up to UFC_SORT_KEYS keys.  COUNT,
 * SCAN and PLACE move keys to `sorted`, by the digit of `lane` bits, up to UFC_SORT_BITS, from bit
 * `unit` on; those of equal digits stay in their order. A warp has a segment of `piece` keys, of
 * which there are `segments`, a multiple of a block's warps.  COUNT sets carry[digit][segment], an
 * uint32_t, to how many of the segment's keys have the digit; SCAN, a block a digit, to how many of
 * the segments before have, with all segments' number behind the last row; PLACE moves keys by
 * these.
 *
 * AT's thread begins at a key: with KEYS, at key number / lines; with ROWS, at the first one of
 * that row; with PIECES, at the first one of that piece.  Where that is its row's first it joins
 * the row's element and those of `in` that its keys name, in their order, in the line.  A row of
 * more than `steps` keys (0: none) is cut where a key's number is a multiple of `piece`, a power of
 * two: the thread there reduces what is up to the next one, to the line's element of that piece of
 * `carry`.  KEYS does all of it, ROWS the rows' first parts, PIECES the others.  Then JOIN has a
 * thread for each piece and line: that at a row's second piece joins them in order. */
#define UFC_SCAN_UNITS  4
#define UFC_SCAN_REGION 128
#define UFC_SORT_KEYS   2048
#define UFC_SORT_BITS   8

enum ufc_sort_job {
    UFC_SORT_MAKE,
    UFC_SORT_ROWS,
    UFC_SORT_BLOCK,
    UFC_SORT_COUNT,
    UFC_SORT_SCAN,
    UFC_SORT_PLACE,
    UFC_SORT_JOBS
};
enum ufc_at_job { UFC_AT_KEYS, UFC_AT_ROWS, UFC_AT_PIECES, UFC_AT_JOIN };

struct ufc_kparam_fold {
    uint64_t in, out;                    /* device addresses */
    uint64_t where, bounds, carry, keys; /* device addresses; 0: there is none */
    uint64_t sorted;                     /* SORT: device address */
    int64_t in_dtype, out_dtype;         /* enum ufc_dtype; carry has the overload's */
    int64_t lines, segments, length, piece;
    int64_t unit, lane, stride, steps;   /* TREE; ACROSS: unit, steps; SORT: unit, lane; MERGE */
    int64_t rows, shift;                 /* SORT, AT, MERGE */
    int64_t entries;                     /* SCAN */
    uint64_t initial[2], empty[2];       /* in the overload's dtype, in the low bytes */
    uint32_t has_initial, each;          /* flags */
    uint32_t nouter, ninner;             /* axes in use, the fastest first */
    uint32_t group;                      /* TREE, ACROSS: threads; MERGE: copies; a power of two */
    uint32_t across;                     /* ACROSS */
    uint32_t job;                        /* SORT, AT */
    int64_t segment_stride;              /* bytes, of out */
    struct ufc_kparam_axes outer, inner; /* lines < 2^31; length too, with two inner axes */
    int64_t in_outer[UFC_MAX_AXES], out_outer[UFC_MAX_AXES], where_outer[UFC_MAX_AXES]; /* bytes */
    int64_t in_inner[UFC_MAX_AXES], out_inner[UFC_MAX_AXES], where_inner[UFC_MAX_AXES];
};

/* The elements of an access of TREE: 16 bytes, or one. */
static inline int64_t ufc_fold_unit(enum ufc_dtype dtype) {
    return dtype_traits[dtype].bits < 128 ? 128 / dtype_traits[dtype].bits : 1;
}

/* Whether elements of a type are converted to another as they are loaded, in code of its own. */
static inline bool ufc_widens_to(enum ufc_dtype from, enum ufc_dtype to) {
    return is_half(from) && dtype_traits[from].computed == to;
}

/* The neighbouring elements of a unit of SCAN, 32 bytes or 8 elements, and the elements of a tile,
 * of which a thread has UFC_SCAN_UNITS units. */
static inline int64_t ufc_scan_unit(enum ufc_dtype dtype) {
    return dtype_traits[dtype].bits <= 32 ? 8 : 256 / dtype_traits[dtype].bits;
}
static inline int64_t ufc_scan_tile(enum ufc_dtype dtype) {
    return ufc_scan_unit(dtype) * UFC_SCAN_UNITS * BLOCK_THREADS;
}

/* SCAN, PREFIX: the entries of a line, or call, of so many tiles: of these, then of its regions. */
static inline int64_t ufc_scan_entries(int64_t tiles) {
    return tiles + (tiles - 1) / UFC_SCAN_REGION + 1;
}

/* Bytes of an entry of SCAN's workspace for elements of `size` bytes. */
static inline int64_t ufc_scan_entry(int64_t size) {
    return size <= 4 ? 8 : 2 * size;
}

static inline int64_t ufc_across_columns(const struct ufc_kparam_fold *p) {
    return BLOCK_THREADS / p->group * p->unit;
}

static inline size_t ufc_fold_param_size(bool checked) {
    return sizeof(struct ufc_kparam_fold) + (checked ? sizeof(uint64_t) : 0);
}

/* What code that is made for certain calls knows of them beforehand, as 32-bit words: of a GPU
 * kernel those of its parameter, of host code those of struct ufc_host_words. */
enum ufc_knowledge {
    UFC_VARIES,
    UFC_KNOWN,
    /* of both halves of an address: */
    UFC_NOT_ZERO,
    UFC_ALIGNED, /* not 0 either, and a multiple of UFC_ALIGNMENT */
};
#define UFC_ALIGNMENT 16 /* bytes of the widest access */
struct ufc_constants {
    uint32_t nwords;
    const uint32_t *word; /* 0 where it is not known */
    const uint8_t *known; /* enum ufc_knowledge, of each word */
};

/* Byte offsets of what host code knows: of operands' numbers, uint64_t[nin + nout][2], 0; and of
 * the arguments of a gufunc's kernel, int64_t each. */
struct ufc_host_words {
    size_t dimension, step, stride; /* [ndims], [nin + nout], [ranks] */
    size_t end;
};
static inline struct ufc_host_words ufc_host_words(size_t noperands, size_t ndims, size_t ranks) {
    struct ufc_host_words at = {.dimension = noperands * 2 * sizeof(uint64_t)};
    at.step = at.dimension + ndims * sizeof(int64_t);
    at.stride = at.step + noperands * sizeof(int64_t);
    at.end = at.stride + ranks * sizeof(int64_t);
    return at;
}

#define UFC_MAX_PARAMETER  4064 /* bytes of the parameter of a gufunc's kernels */
#define UFC_INTERLEAVED    16   /* neighbouring calls whose tiles TILE_16 interleaves */
#define UFC_TILE_PER       4 /* rows and columns of results, a thread of TILE_16, TILE_32, BAND */
#define UFC_SWEEP_HELD     4 /* HELD_SWEEP: neighbours of a row, and of points, a thread */
#define UFC_SQUARE         8 /* threads along a side of a square: a warp has half of it */
#define UFC_MATRIX_SHARED  (104 << 10) /* bytes of shared memory that MATRIX_128 asks for */
#define UFC_TILE_JOINED    8           /* parts of a tile's reduction that a team joins */
#define UFC_TILE_GATHERED  256         /* the same of a block whose teams do so together */
#define UFC_TILE_LONG      128         /* points of a reduction whose steps threads may share */
#define UFC_MICRO_VECTORS  4  /* that a thread takes of a microtile's reduction, at least */
#define UFC_STATE_BYTES    64 /* of the arrays of a state, an element each, in STATE */
#define UFC_STATE_TERMS    16 /* of the terms of an index in a series, of an iteration */
#define UFC_MAX_HELD       32 /* elements of a call's array that a thread of DENSE holds */
#define UFC_ROW_ALIGN      16 /* bytes that rows of inputs are aligned to, where it has many */
#define UFC_WIDE_HELD      64 /* the same of SMALL, where it has many indices */
#define UFC_WINDOW_ROWS    32
#define UFC_WINDOW_COLUMNS 64

struct ufc_kparam_gufunc {
    int64_t calls;   /* calls of this launch, < 2^31; times `blocks` too, where each has its own */
    uint32_t naxes;  /* loop axes in use, the fastest first */
    uint32_t group;  /* HELPED, WARP, TILE, BLOCK, CLUSTER, RESIDENT; SERIES: calls of a block;
                        SCATTER: copies of the bins;
                        JOINT, COLUMNS: groups of blocks */
    uint32_t blocks; /* TILE: tiles a call, times ufc_tile_units; WINDOW: strips of tiles a call;
                        NEST: blocks that share a point; BLOCK, CLUSTER, JOINT, SCATTER: that share
                        a call; COLUMNS: that share `across` calls; PREFIX: tiles a call */
    uint32_t phase;  /* NEST, TILE, SCATTER */
    uint32_t parts;  /* TILE: of a tile's reduction, each reduced by a team of its own */
    uint32_t across; /* NEST: not 0: the threads that share a reduction share its last two ranges in
                        squares of UFC_SQUARE: 1 << across of them along the last range; COLUMNS:
                        calls that a group has at a time; SERIES: not 0: neighbouring threads have
                        neighbouring calls; SCATTER:
                        windows; HALO: a call's blocks along the second axis; WINDOW: tiles of a
                        strip; TILE_16: not 0: the teams of a block share a part of a reduction;
                        DEAL: image_deal.h */
    uint32_t apart;  /* TILE: a team joins ufc_tile_joined parts, each so far from the next one, to
                        the first of them; 0: it reduces a part */
    uint32_t inputs; /* RESIDENT: 1: inputs are in shared memory, too; else 0.  LONE: bit k: input
                        k is */
    uint32_t rows;   /* TILE, where rows are calls: how many; operands' last stride is from one to
                        the next */
    uint32_t bins;   /* SCATTER: of a window; DEAL: owners */
    uint32_t words;  /* SCATTER: of a wide sum, that shared memory has: 1 or 2 */
    uint32_t columns; /* SCATTER: threads that share a point's further range, a power of two */
    uint32_t own[2], halo[2]; /* HALO: along each axis that is cut; PANEL: own: blocks along it,
                                 halo[0]: steps of a panel; SCATTER: own[0] has the operands
                                 that this launch merges into, a bit each, own[1] is not 0 if
                                 another launch of the phase came before; DEAL: own[0]: iterations
                                 of a lot, own[1]: lots of a block in a round */
    uint64_t workspace; /* NEST, TILE, BLOCK, PANEL, PREFIX, STRIP, JOINT, COLUMNS, SWEEP: address,
                           16-byte aligned; 0: none */
    uint64_t room;      /* SWEEP, DEAL: bytes of the workspace; PREFIX: bytes from `results` to
                           parts of the next phase's reduction, of all calls' first tiles, then of
                           their second ones; 0: none */
    uint64_t results;   /* NEST, TILE, SCATTER, SWEEP: device address of what the first call's
                           reductions   leave */
    int64_t result[UFC_MAX_AXES]; /* bytes to the next call's; where rows are calls, the last is
                                     from row to row */
    int64_t step;                 /* of an overload's steps: the number of this one; else 0 */
    uint64_t fault; /* device address of a struct ufc_fault; 0 unless built with checks */
    struct ufc_kparam_axes axes;
};

/* The parts of a tile's reduction that are joined at once. */
static inline uint32_t ufc_tile_joined(const struct ufc_kparam_gufunc *gufunc) {
    return gufunc->across ? UFC_TILE_GATHERED : UFC_TILE_JOINED;
}

/* The teams, or blocks whose teams share a part, that have a tile in this launch: one a part, or
 * one for the parts that it joins. */
static inline uint32_t ufc_tile_units(const struct ufc_kparam_gufunc *gufunc) {
    uint32_t each = gufunc->apart > 0 ? gufunc->apart * ufc_tile_joined(gufunc) : 1;
    return (gufunc->parts + each - 1) / each;
}

static inline bool ufc_is_matrix(enum ufc_kernel_kind kind) {
    return kernel_info[kind].module == UFC_MODULE_MATRIX;
}

/* Is it WARP, or as WARP where lanes keep a state? */
static inline bool ufc_is_warp(enum ufc_kernel_kind kind) {
    return kind == UFC_KERNEL_WARP || kind == UFC_KERNEL_STATE_2 || kind == UFC_KERNEL_STATE_4;
}

static inline bool ufc_is_small(enum ufc_kernel_kind kind) {
    return (kind >= UFC_KERNEL_SMALL_2 && kind <= UFC_KERNEL_SMALL_8) ||
           (kind >= UFC_KERNEL_SMALL_16 && kind <= UFC_KERNEL_SMALL_64);
}

/* Is it SMALL, of a size that is a power of two? */
static inline bool ufc_is_wide(enum ufc_kernel_kind kind) {
    return kind >= UFC_KERNEL_SMALL_16 && kind <= UFC_KERNEL_SMALL_64;
}

/* Has a launch of it all phases of a sweep? */
static inline bool ufc_is_sweep(enum ufc_kernel_kind kind) {
    return kind == UFC_KERNEL_SWEEP || kind == UFC_KERNEL_WARP_SWEEP ||
           kind == UFC_KERNEL_HELD_SWEEP;
}

static inline bool ufc_is_band(enum ufc_kernel_kind kind) {
    return kind == UFC_KERNEL_BAND || kind == UFC_KERNEL_BAND_64;
}

/* Rows of results, a thread of MATRIX. */
static inline uint32_t ufc_matrix_rows(enum ufc_kernel_kind kind) {
    return kind == UFC_KERNEL_MATRIX_128 ? 8 : 4;
}

/* The threads along a side of a tile of TILE_16, _32, _64, _128, MATRIX and bands, and in all; axis
 * 0: the rows. */
static inline uint32_t ufc_tile_side(enum ufc_kernel_kind kind, int axis) {
    if (ufc_is_matrix(kind) && axis == 0)
        return kernel_info[kind].size / ufc_matrix_rows(kind);
    if (ufc_is_band(kind)) /* half as many rows as columns */
        return kernel_info[kind].size / UFC_TILE_PER / (axis == 0 ? 2 : 1);
    return kernel_info[kind].size / (kind <= UFC_KERNEL_TILE_32 ? UFC_TILE_PER : 8);
}
static inline uint32_t ufc_tile_threads(enum ufc_kernel_kind kind) {
    return ufc_tile_side(kind, 0) * ufc_tile_side(kind, 1);
}

/* The threads of TILE_16 that share the steps of a result, of so few along an axis that they are on
 * half of the tile. */
static inline int64_t ufc_tile_sharers(int64_t results, int64_t depth) {
    bool few = results <= kernel_info[UFC_KERNEL_TILE_16].size / 2;
    return few && depth >= UFC_TILE_LONG ? 2 : 1;
}

/* STRIP: the iterations of a thread, whose registers hold the accs of all of them, where one of
 * PREFIX has so many, and a tile's entry these bytes. */
static inline uint32_t ufc_strip_units(uint32_t units, uint32_t entry) {
    uint32_t n = units < 16 ? units : 16;
    while (n > 1 && n * entry > 320)
        n /= 2;
    return n;
}

/* NEST, SERIES: bytes between the terms of a warp's points, of a block's calls, so that lanes add
 * them up from other banks; of those of the lanes of an adding warp together. */
#define UFC_SERIES_APART 16
#define UFC_SERIES_GAPS  512

/* STRIP: the calls of a block; the tiles of a group, and the rows of entries for so many tiles. */
#define UFC_STRIP_CALLS 32
#define UFC_STRIP_GROUP 16
static inline int64_t ufc_strip_entries(int64_t tiles) {
    return tiles + (tiles - 1) / UFC_STRIP_GROUP + 1;
}

/* Have groups of blocks calls one after the other, whose elements they keep? */
static inline bool ufc_is_joint(enum ufc_kernel_kind kind) {
    return kind == UFC_KERNEL_JOINT || kind == UFC_KERNEL_COLUMNS;
}

/* The threads that share a core call; block: threads a block. */
static inline int64_t ufc_call_threads(enum ufc_kernel_kind kind,
                                       const struct ufc_kparam_gufunc *gufunc, int64_t block) {
    switch (kernel_info[kind].sharing) {
    case UFC_BY_THREAD: return kind == UFC_KERNEL_HELPED ? gufunc->group : 1;
    case UFC_BY_WARP: return gufunc->group;
    case UFC_BY_BLOCK:
        return block * gufunc->blocks /
               (kind == UFC_KERNEL_COLUMNS  ? gufunc->across
                : kind == UFC_KERNEL_SERIES ? gufunc->group
                                            : 1);
    case UFC_BY_TILE:
        if ((kind == UFC_KERNEL_TILE_16 && gufunc->across) || ufc_is_band(kind))
            return block * gufunc->blocks;
        return (kernel_info[kind].size > 0 ? ufc_tile_threads(kind) : block) * gufunc->blocks;
    default: return 1;
    }
}

/* The blocks of a launch; block: threads a block. */
static inline int64_t ufc_gufunc_blocks(enum ufc_kernel_kind kind,
                                        const struct ufc_kparam_gufunc *gufunc, int64_t block) {
    enum ufc_sharing by = kernel_info[kind].sharing;
    if (ufc_is_joint(kind))
        return (int64_t)gufunc->group * gufunc->blocks;
    if (kind == UFC_KERNEL_STRIP)
        return (gufunc->calls + UFC_STRIP_CALLS - 1) / UFC_STRIP_CALLS * gufunc->blocks;
    int64_t lot = by == UFC_BY_TILE ? gufunc->group : 1;
    int64_t calls = (gufunc->calls + lot - 1) / lot * lot;
    return (calls * ufc_call_threads(kind, gufunc, block) + block - 1) / block;
}

/* SCATTER: statements of a phase that merge, at most, and iterations of a block; so the sum of
 * numbers of up to 8 bits that they add to a bin fits 31 bits. */
#define UFC_SCATTER_PUTS   4
#define UFC_SCATTER_SPARE  32 /* cells of an operand that are no bins */
#define UFC_SCATTER_POINTS (1 << 21)

#define UFC_MAX_POINT_RANGES 6 /* ranges of a definition whose points NEST shares out */

/* The patches along an axis: how many points and patches it has, and, as powers of two, how many
 * points of a patch neighbouring threads of a warp have, and how many of those the warps. */
struct ufc_patch {
    uint32_t size, number, lanes, warps;
};

/* NEST.  Core dimensions, and strides along them, are below 2^31.  The axes of struct
 * ufc_kparam_gufunc number the launch's points: they are the loop's, and the ranges of the phase's
 * definition, in any order.  A block's threads have point_mask + 1 points, and part_mask + 1 parts
 * of the reduction at each.  A thread takes `steps` points where the definition has no reduction to
 * share: along the range `walked`, `apart` from one another.  With `neighbours` these are the first
 * of so many neighbours along the last range; the first of all is before the range where its index
 * is no multiple of their number.  With `abreast` a thread takes so many points of struct ufc_phase
 * at once, `apart` from one another along its range, or its parts of their reductions; those beyond
 * the end are the last one again.  So it is with UFC_MICROTILE, of a square of points along two
 * ranges, `apart` and `aside` from one another.
 * Where `patched`, and points have one part, a block's points are not neighbours in that order but
 * rectangles along axes 0 and 1, so that few lines of memory hold what accesses have, whether
 * elements are neighbours along the one or the other.  From its lowest bits on, a thread's number
 * is its place among the lanes along axis 0, along axis 1, the warps along axis 0, along axis 1,
 * and the block's patches.  Patches are numbered along axis 0, then axis 1, then the others. */
struct ufc_kparam_nest {
    uint64_t parts;  /* device address of partial results, in the workspace */
    uint64_t room;   /* bytes of the workspace */
    uint32_t points; /* of this launch, below 2^31 */
    uint32_t groups; /* of blocks' points, the last of which may be smaller */
    uint32_t joined; /* this launch joins so many partial results a point; 0: it computes them */
    uint32_t point_shift, point_mask; /* a thread's point in its block: number >> shift & mask */
    uint32_t part_shift, part_mask;   /* its part, in the same way */
    uint32_t lanes;      /* neighbouring threads of a warp that have parts of the same point */
    uint32_t walked;     /* 0: the last range; 1: the one before it */
    uint32_t neighbours; /* UFC_BESIDE, UFC_FLAT: struct ufc_phase's, at each of these */
    uint32_t abreast;    /* UFC_ABREAST: struct ufc_phase's points at once; UFC_MICROTILE */
    uint32_t patched;
    uint32_t again; /* not 0: a launch of the same phase has stored what it has beside its points */
    struct ufc_patch patch[2];
    int64_t steps, apart, aside;
    int64_t position[UFC_MAX_POINT_RANGES][UFC_MAX_AXES]; /* in each range, from point to point */
};

/* The end of a parameter of `size` bytes, of NEST. */
static inline const struct ufc_kparam_nest *ufc_nest_of(const void *param, size_t size) {
    return (const void *)((const char *)param + size - sizeof(struct ufc_kparam_nest));
}

static inline int64_t ufc_nest_blocks(const struct ufc_kparam_nest *nest, uint32_t blocks) {
    return (int64_t)nest->groups * blocks;
}

struct ufc_kparam_operand {
    uint64_t ptr;                 /* address of the first call's first element; 0: the
                                     element is `value` */
    uint64_t value[2];            /* as in ufc_kparam_op; rank 0 only */
    int64_t stride[UFC_MAX_AXES]; /* bytes from call to call */
};

/* Byte offsets of what follows struct ufc_kparam_gufunc in the parameter. */
struct ufc_gufunc_offsets {
    size_t operand;   /* struct ufc_kparam_operand[nin + nout] */
    size_t dimension; /* int64_t[ndims]: sizes, as struct ufc_core lists them */
    size_t stride;    /* int64_t[ranks]: bytes, along core dimensions, operand by operand */
    size_t nest;      /* struct ufc_kparam_nest; NEST alone */
    size_t end;
};

/* ranks: the sum of all operands' numbers of core dimensions. */
static inline struct ufc_gufunc_offsets ufc_gufunc_offsets(size_t noperands, size_t ndims,
                                                           size_t ranks) {
    struct ufc_gufunc_offsets at = {.operand = sizeof(struct ufc_kparam_gufunc)};
    at.dimension = at.operand + noperands * sizeof(struct ufc_kparam_operand);
    at.stride = at.dimension + ndims * sizeof(int64_t);
    at.nest = at.stride + ranks * sizeof(int64_t);
    at.end = at.nest + sizeof(struct ufc_kparam_nest);
    return at;
}

static inline size_t ufc_gufunc_param_size(const struct ufc_gufunc_offsets *at,
                                           enum ufc_kernel_kind kind) {
    return kind == UFC_KERNEL_NEST ? at->end : at->nest;
}

#endif
