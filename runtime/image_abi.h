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
#include "image_kernel.h"

#define UFC_IMAGE_ABI_VERSION 53

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
    UFC_WAY_SETS = 0x400,  /* of gufuncs: outputs are set, all of each, before they are read */
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

/* The first subscript out of range that a kernel found, in a build with checks. */
struct ufc_fault {
    int32_t set;   /* 0: none */
    int32_t place; /* index in ufc_ufunc.places */
    int64_t index,
        size; /* of an assertion the bits of what it tests, two doubles, one, or none: -1 */
    uint64_t
        output; /* where the call's part, or the element, of the first output is; 0: not known */
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
    /* PTX with a NUL behind it: a Zstandard frame of ptx_size bytes, of a text as terse.h has it,
     * or where that is 0 the PTX itself; NULL without the cuda target, or without kernels here. */
    const char *ptx;
    uint64_t ptx_size;
    const struct ufc_code *like;    /* other code, whose terse text is the frame's dictionary, and
                                       which has none itself; NULL: the frame has no dictionary */
    const struct ufc_cubin *cubins; /* ncubins */
    uint64_t id; /* hash of PTX, cubins and entry names: equal ids are equal code */
};

/* Code that is made for certain calls. */
struct ufc_special {
    const struct ufc_host_code *host; /* its kernel alone */
    const struct ufc_code *gpu;
    const char *missing; /* NULL: it is there; else why not, and the general code runs */
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
    /* Whether calls are to ask for code of their own, which `special` then finds, or where `makes`
     * is set makes: a kernel on a GPU, with the name of the general one, or where kind is NULL host
     * code.  Without `makes` nothing is waited for, or locked. */
    bool (*specializes)(const struct ufc_maker *maker);
    struct ufc_special (*special)(struct ufc_maker *maker, const enum ufc_kernel_kind *kind,
                                  const struct ufc_constants *known, bool makes);
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
    UFC_SCANS = 64,     /* of gufuncs: threads that share a call scan */
    UFC_NEUTRAL = 32,   /* with UFC_EXACT: `identity` changes no element */
    UFC_COPIES = 128,   /* the result is the only input, of the same type */
    UFC_ROWS = 256,     /* calls are rows of a gufunc that has another version, for those that lie
                           otherwise */
    UFC_PHASED = 512,   /* RESIDENT has no ordered loops, but phases */
    UFC_SEVERAL = 1024, /* several blocks of FOLLOW may have a call */
    UFC_PASSES = 2048,  /* `repeated` is what loops pass over, which stages do not copy all of */
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
    /* NEST: the operands, a bit each, whose last two subscripts are the last two ranges: where they
     * have no gaps, neighbours may go on in the next row.  0: they never do. */
    uint32_t flat;
    /* NEST: points of a thread that run their reductions together, 0: one alone; along which of the
     * ranges, counted from 0; not 0: these end at different places, so that the points are to be
     * neighbours; so many elements of a reduction in turn, of which those of a point are also
     * its neighbours', so that points are, 0: there are no such. */
    uint32_t abreast, abreast_range, uneven, slides;
    /* NEST: points of a thread along each of two ranges that run their reductions together, 0: it
     * has none; these ranges, each with elements that do not depend on the other; and whether it
     * loads vectors of neighbours in reductions. */
    uint32_t micro[2], micro_range[2], micro_vectors;
    /* TILE: */
    struct ufc_program rows, columns; /* sizes of the results; no terms: these are not tiled */
    struct ufc_program depth; /* points of a result's reduction; no terms: it has no parts */
    struct ufc_program batch; /* points of a batch, whose results are tiled apart; no terms: 1 */
    uint32_t batched;         /* the loops of points that are of it, in their order, a bit each */
    uint32_t skew;            /* 1: tiles have the columns of a band, as many as their rows less one
                                 more; 2: so it is with depth; 0: there is no band */
    uint32_t per[2];          /* TILE_64, TILE_128: rows and columns of results, a thread */
    uint32_t matrix;          /* MATRIX: columns of results, a thread; 0: they cannot compute it */
    uint32_t result;          /* bytes of workspace for a result of a part of a reduction */
    uint32_t gathers;         /* TILE_16: not 0: teams of a block may share a reduction */
    uint32_t in_order;        /* not 0: the reduction is an ordered loop, which has no parts */
    uint32_t computed[2];     /* instructions for an element of rows' factors, and of columns', that
                                 are computed on their way; 0: they are copied */
    uint32_t reduced;         /* per cent of a square of results that are reductions; 0: all are */
    uint32_t shared; /* rows are calls, along an axis of the loop on which these operands, a bit
                        each, have stride 0; 0: they are results */
    /* SCATTER: operands, a bit each: */
    uint32_t merged; /* those that the phase merges numbers into; 0: not by SCATTER */
    uint32_t wide;   /* of these, those whose bins have 8 bytes, rather than 4 */
    uint32_t sums;   /* those that numbers are added to */
    uint32_t narrow; /* those whose bins have the size of their elements, if that is less than 4 */
    /* PREFIX: iterations of a thread, 0: the phase is no scan; bytes of a tile's entry in the
     * workspace; not 0: its launch leaves parts of the next phase's reduction, a tile's each */
    uint32_t units, entry, tail;
    /* DEAL: bytes of an entry, 0: the phase deals none; how many warps may update a bin, each some
     * of its arrays; clocks that an update waits for the one before, at least, where all threads
     * of a block may load a warp's entries, 0: they may not; UFC_COUNTED, 0: updates wait; bytes of
     * a bin in shared memory;
     * iterations, entries of each, and bins; where iterations have ranges of their own, about how
     * many turns these have, and then `ragged`, how many iterations; no terms: they have none */
    uint32_t deals, shares, chain, counted, bin;
    struct ufc_program dealt, entries, bins, ragged;
    /* SWEEP: so many phases from this one on may be computed for a band of rows each, 0: those of
     * no sweep begin here; in it, bytes of the accs of a point that is reduced down the rows, in
     * shared memory, 0: its first range is the rows. */
    uint32_t sweep, cells;
};

/* DEAL: what an entry finds follows from how many come before it; and iterations, with an entry
 * each, may be computed twice, so that where owners have a bin each, entries are not dealt out. */
enum { UFC_COUNTED = 1, UFC_COUNTED_TWICE };
/* NEST: whether a thread takes neighbours: along the last range, or from row to row as well. */
enum { UFC_ALONE, UFC_BESIDE, UFC_FLAT };

/* The rows after which such neighbours begin at the start of a row again. */
static inline int64_t ufc_flat_rows(int64_t columns, int64_t neighbours) {
    int64_t rows = neighbours;
    while (rows > 1 && columns % 2 == 0) {
        rows /= 2;
        columns /= 2;
    }
    return rows;
}

/* NEST: how a thread has several points at once. */
enum { UFC_ABREAST = 1, UFC_MICROTILE = 2 };

/* The points that a thread has at once in a way of `abreast`; 0: it has none. */
static inline uint32_t ufc_points_abreast(const struct ufc_phase *phase, uint32_t way) {
    return way == UFC_MICROTILE ? phase->micro[0] * phase->micro[1]
           : way == UFC_ABREAST ? phase->abreast
                                : 0;
}

/* Bytes of a bin of SCATTER, of an operand with elements of `size` bytes; a wide sum may have half
 * as many. */
static inline int ufc_scatter_cell(const struct ufc_phase *phase, int operand, int size) {
    if (phase->wide >> operand & 1)
        return 8;
    return (phase->narrow >> operand & 1) && size < 4 ? size : 4;
}

/* HALO: the first `naxes` axes of all arrays of `stored`, a bit each, are cut: dimensions `dims`.
 * All points of an iteration of the ordered loop together reach `each` elements beyond themselves,
 * and those outside of it `outside`, a statement's `pad` at most. */
struct ufc_halo {
    struct ufc_program turns; /* iterations of the loop; no terms: there is no such kernel */
    uint32_t naxes, stored;
    uint32_t dims[2], each[2], outside[2], pad[2];
    uint32_t wraps, unused; /* axes, a bit each, whose last points have the first for neighbours */
};

/* PANEL: arrays of `stored`, a bit each, are cut along up to two axes, of dimensions `dims`; a bit
 * of `axes` is set for each that there is.  Of operand k's subscript i, bits 2 i and 2 i + 1 of
 * cut[k] are the axis that it is of, plus 1, or 0.  An input among these is there for its elements
 * of a panel's steps: 3 is a subscript that is their index alone; far: others are read in memory.
 */
struct ufc_panels {
    struct ufc_program
        turns; /* iterations of the ordered loop; no terms: there is no such kernel */
    uint32_t stored, axes, dims[2], far;
    uint8_t cut[32];
};

/* NEST and the kernels of its phases: those from `first` up to `end` are launched `count` times. */
struct ufc_steps {
    struct ufc_program count; /* no terms: all are launched once */
    uint32_t first, end;
};

struct ufc_overload {
    const uint8_t *dtypes;              /* of all operands: enum ufc_dtype */
    const char *signature;              /* "float32(float32, float32)", for messages */
    ufc_host_kernel *host[LEVEL_COUNT]; /* NULL where not built */
    ufc_host_ask *ask[LEVEL_COUNT];     /* NULL where not built */
    /* fold, leaf: NULL where not built, or the overload is not T(T, T), or has UFC_CHECKS; leaf: of
     * overloads that may regroup, UFC_HAS_IDENTITY or UFC_EXACT */
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
    const struct ufc_chain *chain;     /* the same */
    uint32_t nloops, nwork, naccesses, nchain;
    uint32_t in_place; /* bit k: intermediate k is not stored, and needs no memory */
    /* The same, as a gufunc of this overload alone for GPUs.  Either it has kernels NEST and TILE,
     * and more intermediates: what reductions are made of that are reductions themselves.  Or its
     * operands lack some dimensions, which are the loop's, and it has kernels whose threads share a
     * call; and may itself have another one, of the first kind.  NULL: there is none, or it is this
     * one. */
    const struct ufc_ufunc *other;
    const struct ufc_ufunc *tiled; /* the same, which hosts go in where calls are long: its arrays
                                      make products of loops.  NULL: there is none */
    /* The same, of which hosts take many calls as one: where these share all inputs that have no
     * more dimensions in it, its last core dimension is an axis of theirs.  NULL: there is none */
    const struct ufc_ufunc *stacked;
    uint32_t held;      /* WARP, BLOCK: points of a thread that registers hold from one part of a
                           call to the next; 0: none */
    uint32_t kept;      /* JOINT: bytes of a point's elements in shared memory, */
    uint32_t in_memory; /* of operand k: bit k */
    uint32_t side;      /* TRANSPOSE: elements along a side of a tile */
    uint32_t resident;  /* bit k: ordered loops whose steps threads share read operand k; 0:
                           there are no such loops, or they read no output */
    uint32_t repeated;  /* bit k: a call accesses elements of operand k again and again in ordered
                           loops; 0: there are no such loops, or they read no output so */
    uint32_t state;     /* WARP: a thread has one index at most of the core dimension of this
                           number less one, since registers hold what ordered loops keep of it; 0:
                           there is no such dimension */
    uint32_t in_lanes;  /* bit k: of operand k, with a state */
    uint16_t small, small_most; /* SMALL: the core dimension of this number less one has so many
                                   indices at most; 0: there is no such dimension */
    uint32_t entry;             /* JOINT: bytes of a block's entry in the workspace */
    uint32_t portion;           /* BLOCK: bytes of a portion's entry; 0: blocks have no portions */
    uint32_t adders; /* SERIES: warps that add up terms; NEST: points of a warp, at most */
    uint32_t series; /* bytes of the terms of a thread that computes them, or of a lane */
    uint16_t series_calls, series_units; /* SERIES: calls that a block may have; iterations that a
                                            thread has at once, at least */
    struct ufc_program
        step; /* points of such a step, at most; no terms: their number is not known */
    struct ufc_halo halo;
    struct ufc_panels panels;
    struct ufc_steps steps;
    struct ufc_maker *maker; /* of all code: there is none above.  NULL: what is not there is not
                                made */
    uint64_t id; /* hash of all above but the maker, and of the operands' dimensions: equal calls of
                    equal ids are launched alike; 0: nothing is kept of calls */
};

/* HALO: elements along a cut axis that a block has room for; pad: that is beside what it computes,
 * for what points at its edges read. */
static inline int64_t ufc_halo_extent(int64_t own, int64_t halo, int64_t pad) {
    return own + 2 * (halo + pad);
}

/* JOINT: blocks that a multiprocessor has registers for; bytes of a block's elements, at most. */
#define UFC_JOINT_BLOCKS 3
#define UFC_JOINT_BYTES  65536
#define UFC_JOINT_LOTS   2 /* times `held`: points of a thread come in such lots */
static inline uint32_t ufc_joint_points(uint32_t held, uint32_t kept) {
    uint32_t lot = UFC_JOINT_LOTS * held;
    return lot > 0 && kept > 0 ? UFC_JOINT_BYTES / (BLOCK_THREADS * kept) / lot * lot : 0;
}

/* RESIDENT: bytes, at most, of an array of `rows` rows in shared memory, between which there is an
 * element where that is needed for threads with a row each to access different banks. */
static inline int64_t ufc_resident_bytes(int64_t rows, int64_t columns, int64_t size) {
    return (rows * (columns + 1) * size + 15) / 16 * 16;
}

/* BLOCK: blocks of a call have portions of a reduction, as many as its points make, each of at
 * least UFC_PORTION_POINTS of them, and UFC_PORTION_LEAST where not all statements have such
 * portions; a power of two.  [bits] */
#define UFC_PORTIONS       128
#define UFC_PORTION_POINTS 256
#define UFC_PORTION_LEAST  8192
/* Points of a reduction, at each point of a definition, that are worth a further one of these,
 * which all blocks of a call then have portions of.  [bits] */
#define UFC_PORTION_JOIN 512
/* Such points that are too many for that have a block each where a call has threads for the lanes
 * of so many times as many. */
#define UFC_BLOCK_POINTS 2
/* Such points that blocks join at a time, where each is one reduction. */
#define UFC_PORTION_GROUP 16
/* Bytes of the workspace of calls that have several blocks each: a counter for each call, and
 * entries of the portions, twice, for reductions in turn. */
static inline int64_t ufc_counter_bytes(int64_t calls) {
    return (calls * 4 + 15) / 16 * 16;
}
static inline int64_t ufc_portion_bytes(int64_t calls, int64_t portion) {
    return ufc_counter_bytes(calls) + calls * 2 * UFC_PORTIONS * portion;
}

/* FOLLOW: bytes of the workspace of calls that have several blocks each. */
static inline int64_t ufc_follow_bytes(int64_t calls, int64_t blocks, int64_t entry) {
    return calls * (blocks * entry + (blocks + 1) * 4);
}

/* LONE: bytes from a call's array of so many elements to the next call's in shared memory, so that
 * threads at the same place of their arrays access different banks.  Beside them a block may have
 * so many bytes for each thread's rows of ordered loops. */
static inline int64_t ufc_lone_bytes(int64_t elements, int64_t size) {
    int64_t unit = size < 4 ? 4 : size;
    return ((elements * size + unit - 1) / unit | 1) * unit;
}
#define UFC_ROW_PITCH 144

/* Results along an axis of a tile: 0 rows, 1 columns. */
static inline uint32_t ufc_tile_size(const struct ufc_phase *p, enum ufc_kernel_kind kind,
                                     int axis) {
    bool small = kind <= UFC_KERNEL_TILE_32 || ufc_is_band(kind);
    uint32_t own = small ? UFC_TILE_PER : p->per[axis];
    if (kind == UFC_KERNEL_BAND_64 && axis == 0)
        own = 2 * UFC_TILE_PER;
    if (ufc_is_matrix(kind))
        own = axis == 0 ? ufc_matrix_rows(kind) : p->matrix;
    return ufc_tile_side(kind, axis) * own;
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
