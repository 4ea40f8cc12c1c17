/* image_abi.h: the image's layout, shared by compiler/ (which writes it) and runtime/ (which reads
 * it).
 *
 * An image is one `struct ufc_ufunc` a function and what it points to: constant data and code,
 * nothing to initialise.  `ufc build` writes it into an object, the embedded compiler lays the same
 * bytes out in memory. */
#ifndef UFC_IMAGE_ABI_H
#define UFC_IMAGE_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "dtype.h"
#include "image_body.h"

#define UFC_IMAGE_ABI_VERSION 15

/* Host code comes in up to three instruction sets, chosen when it is first called. */
enum ufc_level { LEVEL_V2, LEVEL_V3, LEVEL_V4, LEVEL_COUNT }; /* x86-64-v2, -v3, -v4 */

/* A host kernel has the shape of NumPy's inner loop (PyUFuncGenericFunction): args holds nin inputs
 * then nout outputs, dimensions[0] the number of elements, steps the byte strides.  It is right for
 * any strides, for outputs that are inputs, and for step 0 on an output, as NumPy's reduce calls
 * it.  args stays as it is.  Each pointer must be aligned to its element.  data: a struct
 * ufc_host_call, or NULL. */
typedef void ufc_host_kernel(char **args, const intptr_t *dimensions, const intptr_t *steps,
                             void *data);

/* A gufunc's host kernel is one of NumPy's too: dimensions[0] core calls; behind it the sizes of
 * the core dimensions, as struct ufc_core lists them; steps: each operand's from call to call,
 * behind them each operand's strides along its core dimensions, operand by operand.  Right for any
 * strides; an output shares no byte with another operand. */

/* Tells how a host kernel would fill vectors with these arguments: an enum ufc_host_way,
 * UFC_WAY_APART where elements are apart, and the number of lanes << UFC_WAY_LANES, or'ed. */
typedef uint32_t ufc_host_ask(char **args, const intptr_t *dimensions, const intptr_t *steps);
enum ufc_host_way {
    UFC_WAY_ORDERED,  /* no vectors: an output repeats, or overlaps an input in another place */
    UFC_WAY_BUFFERED, /* vectors of elements, some of which are copied to buffers or from there */
    UFC_WAY_DIRECT,   /* vectors of elements where they lie, or of one element for all */
    /* of gufuncs only */
    UFC_WAY_CHECKED, /* no vectors: subscripts are tested */
    UFC_WAY_IN_TURN, /* no vectors: the points that a call shares out go in order */
    UFC_WAY_CALLS,   /* vectors of calls, which have no points to share out */
    UFC_WAY_NARROW,  /* vectors of calls, which have few points to share out */
    UFC_WAY_POINTS,  /* vectors of the points that a call shares out */
    UFC_WAY_TILES,   /* vectors of points by tiles, as in a product of matrices */
    UFC_WAY_FEW,     /* no vectors: there are too few calls, which have no points to share out */
    UFC_WAY_MASK = 0xff,
    UFC_WAY_APART = 0x100, /* POINTS, TILES: elements of neighbouring points lie apart */
    UFC_WAY_AGAIN = 0x200, /* CALLS, NARROW: loops access the same elements again, so that calls'
                              elements are worth copying side by side */
    UFC_WAY_SETS = 0x400,  /* CALLS, NARROW: outputs are set, all of each, before they are read */
    UFC_WAY_LANES = 16,
};

/* The kernels of a ufunc's methods on the host, for overloads T(T, T).  Pointers are to elements of
 * T, aligned as such; steps are bytes. */

/* `width` columns, each
 *
 *     for (i = 0; i < n; i++)
 *         out[i] = acc = f(acc, x[i])
 *
 * with x[i] at x + i * step and out[i] at out + i * out_step; acc, x and out point to the first of
 * `width` neighbours.  Where places is not NULL, width is 1, and the column is
 *
 *         out[places[i]] = f(out[places[i]], x[i])
 *
 * out may be acc; x may be out where an element of x is not behind one of out of the same i. */
typedef void ufc_fold_kernel(const char *acc, const char *x, intptr_t n, intptr_t step,
                             intptr_t width, char *out, intptr_t out_step, const int64_t *places);

/* Reduces n > 0 neighbours: with UFC_EXACT to what they give in order; else as NumPy sums a block:
 * element i goes to lane i % fold_lanes; then neighbouring lanes are joined in pairs, down to one;
 * the elements behind the last whole vector follow in order. */
typedef void ufc_leaf_kernel(char *result, const char *x, intptr_t n);

/* What a ufunc's host kernels call, by name: libufc has it, and libufcc for programs that it loads.
 * A kernel passes its traits, and its loop over vectors: operand k's first vector is at
 * pointers[k], the others increments[k] bytes apart. */
struct ufc_host_traits {
    int64_t nin, nall;    /* inputs, operands */
    int64_t lanes, shift; /* of a vector, a power of two, and its logarithm */
    int64_t batch;        /* elements that a buffer of DRIVE_BUFFER bytes holds of any operand */
    int64_t size[];       /* bytes of each operand's elements */
};
typedef void ufc_host_loop(char **pointers, const intptr_t *increments, intptr_t vectors);
/* Does what a ufc_host_kernel does. */
void ufc_host_drive(char **args, const intptr_t *dimensions, const intptr_t *steps,
                    const struct ufc_host_traits *traits, ufc_host_loop *loop);
/* Which way it goes, for n elements: ORDERED, BUFFERED or DIRECT of enum ufc_host_way. */
int64_t ufc_host_layout(char **args, intptr_t n, const intptr_t *steps,
                        const struct ufc_host_traits *traits);

/* An overload's host code for one level, of which two parts may be made apart: CALLS has kernel and
 * ask, FOLDS has fold and leaf.  NULL: as in struct ufc_overload. */
struct ufc_host_code {
    ufc_host_kernel *kernel;
    ufc_host_ask *ask;
    ufc_fold_kernel *fold;
    ufc_leaf_kernel *leaf;
};
enum ufc_host_part { UFC_HOST_CALLS, UFC_HOST_FOLDS, UFC_HOST_PARTS };

static inline int fold_lanes(enum ufc_dtype dtype) { /* lanes of a leaf, as NumPy has them */
    return is_complex(dtype) ? 4 : 8;
}

/* Lanes of a leaf with UFC_EXACT: so many registers' elements, at most 64. */
enum { EXACT_REGISTERS = 4 };
static inline int exact_lanes(enum ufc_dtype dtype, enum ufc_level level) {
    int lanes = EXACT_REGISTERS * (16 << level) * 8 / dtype_traits[dtype].bits;
    return lanes < 64 ? lanes : 64;
}

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

/* Kernels are in modules that are loaded apart, each when it is first needed: most programs' arrays
 * are contiguous, and few reduce. */
enum ufc_module { UFC_MODULE_PLAIN, UFC_MODULE_LAYOUT, UFC_MODULE_FOLD, UFC_MODULE_COUNT };

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
    uint32_t naxes;   /* axes in use, the fastest first (not VECTOR) */
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

static inline size_t ufc_param_size(const struct ufc_param_offsets *at, enum ufc_kernel_kind kind) {
    return kind == UFC_KERNEL_VECTOR ? at->axes : kind == UFC_KERNEL_STRIDED ? at->pieces : at->end;
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
 * In FOLD there may be `order`, where order[k] is the k-th element to take, and `rows`, where
 * rows[segment], in place of the segment's number, is multiplied by segment_stride to find the
 * segment's result; acc then begins with the element that is there.
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
 * `carry` is a workspace, which is 0: `entries` flags, then as many elements, or, of elements of up
 * to 4 bytes, pairs of both in 8 bytes; of all tiles, line by line, then of all groups of
 * UFC_SCAN_GROUP tiles of a line, then of all regions of as many groups. */
#define UFC_SCAN_UNITS 4
#define UFC_SCAN_GROUP 32

struct ufc_kparam_fold {
    uint64_t in, out;                           /* device addresses */
    uint64_t where, bounds, carry, order, rows; /* device addresses; 0: there is none */
    int64_t in_dtype, out_dtype;                /* enum ufc_dtype; carry has the overload's */
    int64_t lines, segments, length, piece;
    int64_t unit, lane, stride, steps;   /* TREE; ACROSS: unit, steps */
    int64_t entries;                     /* SCAN */
    uint64_t initial[2], empty[2];       /* in the overload's dtype, in the low bytes */
    uint32_t has_initial, each;          /* flags */
    uint32_t nouter, ninner;             /* axes in use, the fastest first */
    uint32_t group;                      /* TREE, ACROSS: threads; a power of two */
    uint32_t across;                     /* ACROSS */
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

/* Bytes of an entry of SCAN's workspace for elements of `size` bytes. */
static inline int64_t ufc_scan_entry(int64_t size) {
    return size <= 4 ? 8 : 4 + size;
}

static inline int64_t ufc_across_columns(const struct ufc_kparam_fold *p) {
    return BLOCK_THREADS / p->group * p->unit;
}

static inline size_t ufc_fold_param_size(bool checked) {
    return sizeof(struct ufc_kparam_fold) + (checked ? sizeof(uint64_t) : 0);
}

#define UFC_MAX_PARAMETER  4064 /* bytes of the parameter of a gufunc's kernels */
#define UFC_INTERLEAVED    16   /* neighbouring calls whose tiles TILE_16 interleaves */
#define UFC_TILE_PER       4    /* rows and columns of results, a thread of TILE_16 and TILE_32 */
#define UFC_SQUARE         8    /* threads along a side of a square: a warp has half of it */
#define UFC_TILE_JOINED    8    /* parts of a tile's reduction that a team joins */
#define UFC_MAX_HELD       32   /* elements of a square matrix that a thread of DENSE transposes */
#define UFC_WINDOW_ROWS    32
#define UFC_WINDOW_COLUMNS 64

struct ufc_kparam_gufunc {
    int64_t calls;   /* calls of this launch, < 2^31; times `blocks` too, where each has its own */
    uint32_t naxes;  /* loop axes in use, the fastest first */
    uint32_t group;  /* WARP, TILE, BLOCK, RESIDENT; SCATTER: copies of the bins; JOINT: groups
                        of blocks */
    uint32_t blocks; /* TILE, WINDOW: tiles a call, times ufc_tile_units; NEST: blocks that share
                        a point; BLOCK, JOINT, SCATTER: that share a call; PREFIX: tiles a call */
    uint32_t phase;  /* NEST, TILE, SCATTER */
    uint32_t parts;  /* TILE: of a tile's reduction, each reduced by a team of its own */
    uint32_t across; /* NEST: not 0: the threads that share a reduction share its last two ranges in
                        squares of UFC_SQUARE: 1 << across of them along the last range; SCATTER:
                        windows */
    uint32_t apart;  /* TILE: a team joins UFC_TILE_JOINED parts, each so far from the next one, to
                        the first of them; 0: it reduces a part */
    uint32_t inputs; /* RESIDENT: 1: inputs are in shared memory, too; else 0.  LONE: bit k: input
                        k is */
    uint32_t rows;   /* TILE, where rows are calls: how many; operands' last stride is from one to
                        the next */
    uint32_t bins;   /* SCATTER: of a window */
    uint32_t words;  /* SCATTER: of a wide sum, that shared memory has: 1 or 2 */
    uint64_t workspace; /* NEST, TILE, BLOCK, PREFIX, JOINT: address, 16-byte aligned; 0: none */
    uint64_t results;   /* NEST, TILE, SCATTER: device address of what the first call's reductions
                           leave */
    int64_t result[UFC_MAX_AXES]; /* bytes to the next call's; where rows are calls, the last is
                                     from row to row */
    uint64_t fault; /* device address of a struct ufc_fault; 0 unless built with checks */
    struct ufc_kparam_axes axes;
};

/* The teams that have a tile in this launch: one a part, or one for the parts that it joins. */
static inline uint32_t ufc_tile_units(const struct ufc_kparam_gufunc *gufunc) {
    uint32_t each = gufunc->apart > 0 ? gufunc->apart * UFC_TILE_JOINED : 1;
    return (gufunc->parts + each - 1) / each;
}

/* The threads along a side of a tile of TILE_16, _32, _64, _128, and in all. */
static inline uint32_t ufc_tile_side(enum ufc_kernel_kind kind) {
    return kernel_info[kind].size / (kind <= UFC_KERNEL_TILE_32 ? UFC_TILE_PER : 8);
}
static inline uint32_t ufc_tile_threads(enum ufc_kernel_kind kind) {
    return ufc_tile_side(kind) * ufc_tile_side(kind);
}

/* The threads that share a core call; block: threads a block. */
static inline int64_t ufc_call_threads(enum ufc_kernel_kind kind,
                                       const struct ufc_kparam_gufunc *gufunc, int64_t block) {
    switch (kernel_info[kind].sharing) {
    case UFC_BY_WARP: return gufunc->group;
    case UFC_BY_BLOCK: return block * gufunc->blocks;
    case UFC_BY_TILE:
        return (kernel_info[kind].size > 0 ? ufc_tile_threads(kind) : block) * gufunc->blocks;
    default: return 1;
    }
}

/* The blocks of a launch; block: threads a block. */
static inline int64_t ufc_gufunc_blocks(enum ufc_kernel_kind kind,
                                        const struct ufc_kparam_gufunc *gufunc, int64_t block) {
    enum ufc_sharing by = kernel_info[kind].sharing;
    if (kind == UFC_KERNEL_JOINT)
        return (int64_t)gufunc->group * gufunc->blocks;
    int64_t lot = by == UFC_BY_TILE ? gufunc->group : 1;
    int64_t calls = (gufunc->calls + lot - 1) / lot * lot;
    return (calls * ufc_call_threads(kind, gufunc, block) + block - 1) / block;
}

/* SCATTER: statements of a phase that merge, at most, and iterations of a block; so the sum of
 * numbers of up to 8 bits that they add to a bin fits 31 bits. */
#define UFC_SCATTER_PUTS   4
#define UFC_SCATTER_SPARE  32 /* cells of an operand that are no bins */
#define UFC_SCATTER_POINTS (1 << 21)

#define UFC_MAX_POINT_RANGES 4 /* ranges of a definition whose points NEST shares out */

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
 * is no multiple of their number.
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
    uint32_t neighbours; /* not 0: at each of these, struct ufc_phase's neighbours */
    uint32_t patched;
    struct ufc_patch patch[2];
    int64_t steps, apart;
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

/* The first subscript out of range that a kernel found, in a build with checks. */
struct ufc_fault {
    int32_t set;         /* 0: none */
    int32_t place;       /* index in ufc_ufunc.places */
    int64_t index, size; /* of an assertion the bits of what it compares, two doubles, or NaNs */
};
/* The first character of an assertion's text in ufc_ufunc.places; others are of subscripts. */
#define UFC_ASSERTION '?'

/* What the caller of a host kernel passes for its use.  `share`, of gufuncs, where not NULL, calls
 * part(frame, begin, end) for ranges that together are [0, n), each a multiple of `grain` long but
 * the last, on several threads, and returns when all are done. */
struct ufc_host_call {
    struct ufc_fault fault;
    void (*share)(struct ufc_host_call *call, void (*part)(void *frame, int64_t begin, int64_t end),
                  void *frame, int64_t n, int64_t grain);
};

/* Machine code for one GPU architecture, as ptxas writes it. */
struct ufc_cubin {
    uint32_t sm; /* 90: runs on 9.x with x >= 0 */
    uint32_t reserved;
    uint64_t size;
    const void *data;
};

struct ufc_code {
    /* PTX with a NUL behind it: a Zstandard frame of ptx_size bytes, or where that is 0 the text
     * itself; NULL without the cuda target, or without kernels here. */
    const char *ptx;
    uint64_t ptx_size;
    const struct ufc_cubin *cubins; /* ncubins */
    uint64_t id; /* hash of PTX, cubins and entry names: equal ids are equal code */
};

/* What makes an overload's code when a call first needs it, in programs that the embedded compiler
 * loads.  Its functions may be called by several threads at once, of which one makes the code. What
 * they return lives as long as the overload; NULL: it cannot be made, and the text in `why`, of at
 * most `size` bytes, says why not; a later call tries again. */
struct ufc_maker {
    enum ufc_level level; /* of the host code */
    /* host, gpu: NULL where the program is not for it */
    const struct ufc_host_code *(*host)(struct ufc_maker *maker, enum ufc_host_part part, char *why,
                                        size_t size);
    /* PTX with this kernel alone, which the overload has. */
    const struct ufc_code *(*gpu)(struct ufc_maker *maker, enum ufc_kernel_kind kind, char *why,
                                  size_t size);
    /* Keep, and find, to be freed, what a driver made of it for a GPU; NULL: there is none. */
    void (*keep_cubin)(struct ufc_maker *maker, const struct ufc_code *code, const char *device,
                       const void *cubin, size_t size);
    void *(*find_cubin)(struct ufc_maker *maker, const struct ufc_code *code, const char *device,
                        size_t *size);
};

enum {
    UFC_HAS_IDENTITY = 1, /* associative, and `identity` is the result of reducing nothing */
    UFC_COMMUTES = 2,     /* f(x, y) is f(y, x), so that elements may be reordered as well */
    /* Reduced in a wider type: sums and products of integers or bools in 64 bits; sums,
     * differences, products and quotients of halves in float32. */
    UFC_WIDENS = 4,
    UFC_CHECKS = 8, /* some subscripts are tested: struct ufc_fault */
    /* However elements are grouped in their order, results have the same bits: a maximum or
     * minimum, an operator on integers or bools. */
    UFC_EXACT = 16,
    UFC_SCANS = 64,   /* of gufuncs: threads that share a call scan */
    UFC_NEUTRAL = 32, /* with UFC_EXACT: `identity` changes no element */
};

#define UFC_MAX_PHASES 16 /* launches of NEST, for a call */

#define UFC_WALKS_SINGLY UINT32_MAX

/* A launch of NEST, or of TILE. */
struct ufc_phase {
    uint32_t ranges;     /* of its definition: the innermost ranges of its first loops */
    uint32_t reductions; /* whose parts threads share: that of a call, or those at each point */
    uint32_t bytes;      /* of the accs of its only reduction; 0: there are more, or none */
    uint32_t walks;      /* operations of a point of which a thread may take several at once;
                            UFC_WALKS_SINGLY: one after the other; 0: one */
    /* NEST: points of a thread that are neighbours along the last range, a power of two, 0: these
     * are never; points of it before that range at most; its loop; and the operands, a bit each,
     * whose elements must be side by side along it, behind the subscript that grows with it. */
    uint32_t neighbours, lead, along, beside;
    /* TILE: */
    struct ufc_program rows, columns; /* sizes of the results; no terms: these are not tiled */
    struct ufc_program depth; /* points of a result's reduction; no terms: it has no parts */
    uint32_t per[2];          /* TILE_64, TILE_128: rows and columns of results, a thread */
    uint32_t result;          /* bytes of workspace for a result of a part of a reduction */
    uint32_t shared; /* rows are calls, along an axis of the loop on which these operands, a bit
                        each, have stride 0; 0: they are results */
    /* SCATTER: operands, a bit each: */
    uint32_t merged; /* those that the phase merges numbers into; 0: not by SCATTER */
    uint32_t wide;   /* of these, those whose bins have 8 bytes, rather than 4 */
    uint32_t sums;   /* those that numbers are added to */
    uint32_t narrow; /* those whose bins have the size of their elements, if that is less than 4 */
};

/* Bytes of a bin of SCATTER, of an operand with elements of `size` bytes; a wide sum may have half
 * as many. */
static inline int ufc_scatter_cell(const struct ufc_phase *phase, int operand, int size) {
    if (phase->wide >> operand & 1)
        return 8;
    return (phase->narrow >> operand & 1) && size < 4 ? size : 4;
}

struct ufc_overload {
    const uint8_t *dtypes;              /* of all operands: enum ufc_dtype */
    const char *signature;              /* "float32(float32, float32)", for messages */
    ufc_host_kernel *host[LEVEL_COUNT]; /* NULL where not built */
    ufc_host_ask *ask[LEVEL_COUNT];     /* NULL where not built */
    /* fold, leaf: NULL where not built, or the overload is not T(T, T), or has UFC_CHECKS */
    ufc_fold_kernel *fold[LEVEL_COUNT];
    ufc_leaf_kernel *leaf[LEVEL_COUNT];
    uint64_t identity[2]; /* in the overload's dtype, in the low bytes */
    uint32_t flags;
    uint32_t unwritten; /* of gufuncs, bit k: kernels may leave elements of output k
                           unwritten, or read some first, so that a new one is cleared */
    struct ufc_code code[UFC_MODULE_COUNT];
    uint32_t ncubins;
    uint32_t ptx_sm;                      /* PTX for this architecture and later: 75 */
    const char *kernel[UFC_KERNEL_COUNT]; /* entry names in the PTX and the cubins; NULL: none */
    uint32_t block[UFC_KERNEL_COUNT];     /* threads a block */
    uint32_t vector_width;                /* VECTOR, ROWS: elements in one access */
    /* of gufuncs only */
    struct ufc_program width; /* elements of the widest part of a core call that is spread */
    struct ufc_program rows, columns; /* WINDOW: sizes of the results that are tiled */
    const struct ufc_phase *phase;    /* NEST, TILE: phases */
    uint32_t phases, partial;         /* NEST: launches; bytes of a call's results in the
                                         workspace */
    /* of all: what the body does.  nloops 0 and nwork 0: not known */
    const struct ufc_loop *loops;
    const struct ufc_work *work;
    const struct ufc_access *accesses; /* of gufuncs */
    uint32_t nloops, nwork, naccesses;
    uint32_t in_place; /* bit k: intermediate k is not stored, and needs no memory */
    /* The same, as a gufunc of this overload alone for GPUs, which has kernels NEST and TILE, and
     * more intermediates: what reductions are made of that are reductions themselves.  NULL: none
     * are, or it is this one. */
    const struct ufc_ufunc *stored;
    uint32_t held;     /* WARP, BLOCK: points of a thread that registers hold from one part of a
                          call to the next; 0: none */
    uint32_t kept;     /* JOINT: bytes of a point's elements in shared memory */
    uint32_t side;     /* TRANSPOSE: elements along a side of a tile */
    uint32_t resident; /* bit k: ordered loops whose steps threads share read operand k; 0:
                          there are no such loops, or they read no output */
    uint32_t repeated; /* bit k: a call accesses elements of operand k again and again in ordered
                          loops; 0: there are no such loops, or they read no output so */
    uint32_t units;    /* PREFIX: iterations of a thread */
    uint32_t entry;    /* PREFIX, JOINT: bytes of a block's entry in the workspace */
    struct ufc_program
        step; /* points of such a step, at most; no terms: their number is not known */
    struct ufc_maker *maker; /* of all code: there is none above.  NULL: what is not there is not
                                made */
};

/* PREFIX: the tiles of a group, whose results a block's threads read, one each; and the entries of
 * a call with so many tiles. */
#define UFC_PREFIX_GROUP BLOCK_THREADS
static inline int64_t ufc_prefix_entries(int64_t tiles) {
    return tiles + (tiles - 1) / UFC_PREFIX_GROUP + 1;
}

/* JOINT: blocks that a multiprocessor has registers for; bytes of a block's elements, at most. */
#define UFC_JOINT_BLOCKS 3
#define UFC_JOINT_BYTES  65536
#define UFC_JOINT_LOTS   2 /* times `held`: points of a thread come in such lots */
static inline uint32_t ufc_joint_points(uint32_t held, uint32_t kept) {
    uint32_t lot = UFC_JOINT_LOTS * held;
    return lot > 0 && kept > 0 ? UFC_JOINT_BYTES / (BLOCK_THREADS * kept) / lot * lot : 0;
}

/* RESIDENT: elements from row to row in shared memory, so that threads with a row each, and threads
 * with neighbours in a row, access different banks; and the bytes of an array of `rows` rows. */
static inline int64_t ufc_resident_pitch(int64_t columns) {
    return columns | 1;
}
static inline int64_t ufc_resident_bytes(int64_t rows, int64_t columns, int64_t size) {
    return (rows * ufc_resident_pitch(columns) * size + 15) / 16 * 16;
}

/* LONE: bytes from a call's array of so many elements to the next call's in shared memory, so that
 * threads at the same place of their arrays access different banks; and the bytes in front of them,
 * of a thread, where rows of ordered loops are. */
static inline int64_t ufc_lone_bytes(int64_t elements, int64_t size) {
    int64_t unit = size < 4 ? 4 : size;
    return ((elements * size + unit - 1) / unit | 1) * unit;
}
#define UFC_ROW_PITCH 144

/* Results along an axis of a tile: 0 rows, 1 columns. */
static inline uint32_t ufc_tile_size(const struct ufc_phase *p, enum ufc_kernel_kind kind,
                                     int axis) {
    return ufc_tile_side(kind) * (kind <= UFC_KERNEL_TILE_32 ? UFC_TILE_PER : p->per[axis]);
}
/* Bytes of the workspace for a part of a tile's reduction. */
static inline uint64_t ufc_part_bytes(const struct ufc_phase *p, enum ufc_kernel_kind kind) {
    return (uint64_t)ufc_tile_size(p, kind, 0) * ufc_tile_size(p, kind, 1) * p->result;
}

/* A core dimension of a gufunc. */
enum {
    UFC_DIM_OPTIONAL = 1, /* `n?` */
    UFC_DIM_COMPUTED = 2, /* an output's, computed by `program` */
};
struct ufc_dim {
    const char *name; /* as written: "n", "3", "n + k - 1" */
    int64_t size;     /* of a number in the source; else -1 */
    uint32_t flags;
    uint32_t reserved;
    struct ufc_program program;
};

/* A gufunc's core dimensions.  Equal names, and equal numbers, are one dimension; those that are
 * computed come last, and are computed of those before them. */
struct ufc_core {
    const char *signature; /* NumPy's: "(m,n),(n,p)->(m,p)" */
    uint32_t ndims, reserved;
    const struct ufc_dim *dims;
    const uint8_t *rank;            /* of all operands */
    const uint8_t *dim;             /* indices in dims: each operand's core dimensions, operand by
                                       operand */
    const struct ufc_ufunc *copies; /* a ufunc of one input and one output, with an overload
                                       T(T) that copies on GPUs for each T among the operands'
                                       types */
};

struct ufc_ufunc {
    uint32_t version; /* UFC_IMAGE_ABI_VERSION */
    uint32_t nin, nout;
    uint32_t nintermediates; /* arrays that the source makes: operands behind the outputs, in memory
                            that the runtime gives a call */
    uint32_t noverloads, reserved;
    const char *name;
    const char *doc;                      /* the documentation comment; NULL without */
    const char *const *params;            /* of all operands; "out" where there is one output */
    const struct ufc_overload *overloads; /* in the source's order: the first that fits is taken */
    const struct ufc_core *core;          /* NULL: of scalars */
    const char *const *places;            /* with checks: "kernel.uf:3:8: x[i - 1], dimension 1" */
    uint64_t nplaces;
};

#endif
