/* gufunc.h: what the generators of gufuncs' GPU kernels share.  kernel.def says what each kernel
 * does; a call is a core call.
 *
 *   gufunc.c   the parameter, and the operands of a call
 *   call.c     THREAD, WARP, BLOCK, CLUSTER, JOINT: which threads compute a call
 *   resident.c RESIDENT: outputs in shared memory
 *   panel.c    PANEL: ordered loops whose steps blocks take several of at a time
 *   lone.c     LONE: the same of a call for each thread
 *   nest.c     NEST: which threads compute a point of a call, and part of its reduction
 *   points.c   the points of a definition that a thread of NEST has alone
 *   flat.c     those that are side by side in memory, from row to row
 *   several.c  those whose reductions it runs at once
 *   term_rows.c   vectors of elements that loops in terms of series read
 *   micro.c    vectors of elements that a microtile of these reads
 *   dense.c    DENSE
 *   small.c    SMALL
 *   inside.c   points at which conditions on indices hold
 *   spread.c   a PS_SPREAD, shared by the threads of a call or a point
 *   squares.c  a share of points by squares of threads
 *   slide.c    one of whose elements several points of a thread read each
 *   slide_store.c   what these store
 *   order.c    an ordered reduction, shared by them
 *   batch.c    a PS_SPREAD of which a thread loads the elements of several points first
 *   steps.c    barriers among them, and spreads whose points have several threads
 *   held.c     PS_SPREADs whose elements registers hold
 *   state.c, state_series.c, state_vectors.c   WARP: steps whose state its lanes keep
 *   kept.c     the same where shared memory keeps them: JOINT, COLUMNS
 *   columns.c  COLUMNS: which threads compute a call, and how they join their accs
 *   vector.c   neighbouring elements, as one vector in memory
 *   near.c     rows that a thread of NEST reads again and again
 *   ragged.c   points that have a range of their own, which the threads of a warp share
 *   terms.c    terms of the reductions of several points, where the last ranges are short
 *   quotient.c division by what is the same at all points
 *   join.c     their accs, joined
 *   portion.c  BLOCK: portions of spreads, which the blocks of a call have
 *   scatter.c, scatter_join.c  SCATTER: numbers merged into bins in shared memory
 *   deal.c, deal_sort.c   DEAL: entries for bins, in the order of these; what their owners do with
 *              them: deal_own.c, deal_lanes.c, deal_memory.c, deal_held.c; deal_count.c,
 * deal_rank.c: entries that only count follow.c   a PS_FOR whose iterations follow one another,
 * each thread one prefix.c   a PS_FOR with accs, shared by the threads of a call; PREFIX rows.c
 * rows of ordered loops, copied by a warp, ahead of the loop tile.c, slab.c, tile_store.c   TILE,
 * of tilings band.c, tile_beside.c   BAND, tiles and what comes between them, or beside them
 *   sweep.c, sweep_ahead.c, sweep_held.c   SWEEP, rows of several phases, and sums down the rows
 *   window.c, window_load.c, window_row.c   WINDOW
 *   results.c  the results of TILE and WINDOW, stored by way of shared memory */
#ifndef GEN_GPU_GUFUNC_H
#define GEN_GPU_GUFUNC_H

#include "gen/gpu/gpu.h"
#include "../runtime/image_deal.h"

#define PARAM(field) offsetof(struct ufc_kparam_gufunc, field) /* in the parameter */

struct call_blocks; /* together.h */

/* A portion of a spread, of `all`: i64 both. */
struct portion {
    const struct pstmt *spread;
    LLVMValueRef number, all;
};

/* The threads that share a call, in the GPU kernel being generated. */
struct divisor;
struct sweep;
struct threads {
    enum ufc_kernel_kind kind;
    LLVMValueRef number, count;    /* the thread's number among them, and how many they are: i64 */
    LLVMValueRef member, members;  /* the same of those that join accs: of a warp or a block */
    LLVMValueRef tid, ntid, ctaid; /* THREAD_ID, BLOCK_SIZE, BLOCK_ID */
    LLVMValueRef group, lane_mask; /* WARP: threads a call, and those of the warp as bits: i32;
                                      THREAD: see kernel.def, or NULL */
    bool in_band;                  /* WARP: it is a part of BAND */
    LLVMValueRef turn, counter;    /* BLOCK with `blocks`: a slot of how many blocks have come to
                                      barriers so far, and where they count: i32; NULL: CLUSTER */
    LLVMValueRef joins;            /* BLOCK with `blocks`: a slot of how many reductions they have
                                      joined so far: i32; */
    LLVMValueRef entries;          /* and the address of their entries: i64 */
    const struct portion *portion; /* what the block has of a spread; NULL: it is not cut */
    LLVMValueRef lots;     /* FOLLOW: a slot of the lots of turns that blocks have done: i32 */
    LLVMValueRef call;     /* the call's number, i64; not NEST */
    LLVMBasicBlockRef end; /* the block that returns */
    const struct pstmt *lanes_of; /* the definition whose points have several lanes each */
    struct early *early;          /* BLOCK, RESIDENT: inputs that are loaded early, or NULL */
    struct call_blocks *together; /* JOINT, FOLLOW, COLUMNS */
    struct state *state;          /* WARP: what its lanes keep of the call; NULL: nothing */
    struct adding *adding;        /* SERIES: how it adds up terms */
    struct kept_terms *kept;      /* those of the iteration of a series that is at hand */
    struct dealing *dealing;      /* DEAL: what is at hand of its phase */
    struct sweep *sweep;          /* SWEEP: which is computed */
    struct held_points *held;     /* WARP, BLOCK: whose elements registers hold; NULL: none */
    bool brief;                   /* BLOCK: calls come here that no other kernel can have */
    /* NEST; `number` and `count` are of parts: */
    const struct pstmt *definition; /* whose points threads may share; NULL: there is none */
    LLVMValueRef phase;             /* i32: the launch's */
    LLVMValueRef point, points;     /* i32: the point's number; how many */
    LLVMValueRef has_point;         /* i1: the thread's point is below `points` */
    LLVMValueRef part, parts;       /* i32: its part in its block; how many */
    LLVMValueRef block, blocks; /* i32: the block among those of the point; BLOCK, CLUSTER: of the
                                   call,  NULL where it has one */
    LLVMValueRef own;           /* BLOCK, CLUSTER: the first position of the block in the first
                                   range of what has an owner: i64; NULL: it has none */
    LLVMValueRef cut_first[HALO_AXES], cut_end[HALO_AXES]; /* HALO: ranges along the axes that are
                                                              cut are within these: i64 */
    struct frame *frame;                                   /* PANEL: what the block has */
    LLVMValueRef lanes;                                    /* i32: see struct ufc_kparam_nest */
    LLVMValueRef leads, leads_call; /* i1: the first thread of its point, of its call */
    LLVMValueRef once;  /* NEST, i1: the point's first block, of the phase's first launch */
    int abreast;        /* points that it has at once, where these are several */
    LLVMValueRef words; /* shared memory in which their accs are joined */
    LLVMValueRef position[UFC_MAX_POINT_RANGES]; /* i64: in the ranges of the definition */
    LLVMValueRef results;                        /* i64: address of the call's results */
    LLVMValueRef window;                         /* SCATTER: the number of the block's, i32 */
    const struct bins *bins;                     /* and its bins in shared memory */
    const struct varying *calls;                 /* THREAD, LONE: what differs between calls, */
    LLVMValueRef shared;                         /* and shared memory for rows of elements */
    LLVMValueRef rows;              /* THREAD: those of a warp, i32; NULL: as many as its threads */
    LLVMValueRef has_row;           /* and i1: the thread has one; NULL: all have */
    bool alone;                     /* the warp's other threads do not come here */
    const struct divisor *divisors; /* TILE: of results that are stored, */
    LLVMValueRef safe;              /* slot, i1: their quotients are right so far */
};

/* gufunc.c */
/* Sets the addresses of t->call's operands, and loads its scalar inputs. */
void gufunc_find_operands(struct gen *g, const struct threads *t);
/* A number that grows along the axes from 0, by what is in the parameter at `strides`. */
struct moved {
    size_t strides;
    bool word; /* it fits 31 bits */
};
/* The same of the call at `index`, i32, of the axes.  more: set to n further numbers, i64. */
void gufunc_find_place(struct gen *g, LLVMValueRef index, const struct moved *moved, int n,
                       LLVMValueRef *more);
/* The offset of the struct ufc_kparam_nest in the parameter. */
size_t gufunc_nest_param(struct gen *g);
/* end - first, i64 both, but at most INT32_MAX: as an i32. */
LLVMValueRef elements_left(struct gen *g, LLVMValueRef end, LLVMValueRef first);
/* Operand k's strides along the loop, or-ed; and with its address too: a power of two that divides
 * the result divides the operand's address in every call. */
LLVMValueRef gufunc_stride_bits(struct gen *g, int k);
LLVMValueRef gufunc_address_bits(struct gen *g, int k);
/* Bytes from row to row of operand k, where rows of tiles are calls: i64. */
LLVMValueRef gufunc_row_step(struct gen *g, int k);

/* call.c */
/* Sets tid, ntid and ctaid; t->call: the thread's number in the grid. */
void gufunc_find_thread(struct gen *g, struct threads *t);
/* Called before and after a call's body is generated.  Threads without a call go to t->end. */
void gufunc_enter_call(struct gen *g, struct threads *t);
void gufunc_leave_call(struct gen *g, struct threads *t);
/* The former for a call that a thread has alone, which may run ordered loops in chunks. */
void gufunc_enter_alone(struct gen *g, struct threads *t);
/* The block's threads become those of a call, or part of them. */
void gufunc_find_block(struct gen *g, struct threads *t);
/* Then those of `blocks` blocks do, among which the warps are numbered in turn, so that few points
 * are all blocks'. */
void gufunc_find_blocks(struct gen *g, struct threads *t);
/* The block's place among the `blocks` of a call's phase, and what all these share: the phase, the
 * call's results, who leads the call. */
void gufunc_find_phase(struct gen *g, struct threads *t);
/* Where the blocks of t->call count how many have come to barriers. */
void gufunc_find_counter(struct gen *g, struct threads *t);
/* The body of t->call, which its threads share. */
void gen_shared_call(struct gen *g, struct threads *t);
/* state.c: the same, where the lanes of WARP keep the call's state. */
void gen_state_call(struct gen *g, struct threads *t);
/* in_step.c: whether all lanes of a warp of WARP run the same steps, whatever calls they compute:
 * they keep state, or hold rows; a PS_BLOCK that they then run until all have left it. */
bool keeps_in_step(struct gen *g);
bool loop_in_step(struct gen *g, const struct pstmt *s);
/* i32: the warp's threads that are with the thread in a group of t->group, as bits. */
LLVMValueRef gufunc_lane_mask(struct gen *g, const struct threads *t);
/* Whether ordered loops of the body have steps that threads share. */
static inline bool has_steps(const struct gen *g) {
    return has_step_arrays(g->plan) && !g->plan->map.follows;
}

/* Do threads share such steps in the kernel?  Then offsets fit 32 bits in it, as g->narrow says. */
static inline bool shares_steps(const struct gen *g) {
    enum ufc_kernel_kind kind = g->threads->kind;
    return kind == UFC_KERNEL_RESIDENT || kind == UFC_KERNEL_FOLLOW || kind == UFC_KERNEL_HALO ||
           kind == UFC_KERNEL_PANEL || kind == UFC_KERNEL_CLUSTER ||
           (kind == UFC_KERNEL_BLOCK && has_steps(g)) ||
           (ufc_is_warp(kind) && g->plan->map.state != NULL);
}

/* Have the blocks several calls at a time? */
static inline bool has_columns(const struct gen *g) {
    return g->threads->kind == UFC_KERNEL_COLUMNS;
}

/* Are the outputs in shared memory? */
static inline bool has_near_outputs(const struct gen *g) {
    enum ufc_kernel_kind kind = g->threads->kind;
    return kind == UFC_KERNEL_RESIDENT || kind == UFC_KERNEL_HALO || kind == UFC_KERNEL_PANEL;
}

/* spread.c */
/* How g->threads share a call: those of a warp or a block, or of several blocks. */
extern const struct sharing by_threads;
/* common.c: the same of a block, where the threads of a call have local arrays in common. */
const struct sharing *share_local_arrays(struct gen *g);
/* A loop that the call's first thread alone runs; false: it is none. */
bool threads_loop(struct gen *g, const struct pstmt *s);
/* The thread's share of s: part t->number of t->count. */
void gen_share(struct gen *g, const struct pstmt *s);

/* The ranges of a PS_SPREAD, and a thread's position in them. */
struct nest {
    const struct prange *range[MAX_RANGES];
    LLVMValueRef lo[MAX_RANGES], step[MAX_RANGES], count[MAX_RANGES];
    LLVMValueRef slot[MAX_RANGES];                  /* of the position in each range, i64 */
    LLVMValueRef total;                             /* points of all ranges */
    LLVMValueRef bend[MAX_RANGES], gap[MAX_RANGES]; /* PANEL, i32: from position `bend` on, places
                                                       are `gap` more; gap NULL: they are not */
    int n;
    bool narrow; /* positions in each range fit 32 bits */
};
void find_nest(struct gen *g, const struct pstmt *s, struct nest *n);

/* order.c */
/* The thread's share of an ordered reduction, whose ranges n has. */
void gen_in_order(struct gen *g, const struct pstmt *s, const struct nest *n);

/* inside.c */
/* Conditions on the indices of the definition s that hold at most of its points; NULL: there are
 * none.  They are on the index of the range `walked` alone, unless others are compared: bounds on
 * other indices are found once for all points of a walk, while a warp with a point where one does
 * not hold would run its code twice. */
struct inside;
struct inside *find_inside(struct gen *g, const struct pstmt *s, const struct prange *walked);
/* i1: whether they hold where the index of the range `walked` is from `first` to `last`, i64, and
 * the other indices are as they are set. */
LLVMValueRef are_inside(const struct inside *x, const struct prange *walked, LLVMValueRef first,
                        LLVMValueRef last);
/* What is settled where they hold, for g->settled. */
const struct settled *settled_inside(const struct inside *x);

/* Splits a point's number into positions in the ranges, of which the last is the fastest. */
void take_apart(struct gen *g, const struct nest *n, LLVMValueRef number, LLVMValueRef *position);
/* A position in the only range of n, or a number of them: i32 where n->narrow, else i64, as which
 * position_of gives it again.  is_before: i1, whether one is below another. */
LLVMValueRef as_position(struct gen *g, const struct nest *n, LLVMValueRef v);
LLVMValueRef position_of(struct gen *g, LLVMValueRef v);
LLVMValueRef is_before(struct gen *g, LLVMValueRef a, LLVMValueRef b);
/* Sets the ranges' variables by the positions in the slots. */
void set_indices(struct gen *g, const struct nest *n);
/* How points are taken, by the thread that they are the share of. */
struct batch;
struct taking {
    const struct pstmt *spread;
    struct batch *batch;           /* NULL: one by one, or in vectors of `lanes` values */
    int lanes;                     /* neighbours along the last range in a point's place */
    const struct abreast *abreast; /* so many points at once; NULL: one */
    bool whole;                    /* there are no points beside those of whole batches */
    bool few;                      /* they are mostly none, and not worth copies of the body */
};
/* The body at the points begin, begin + apart, … before end. */
void gen_points(struct gen *g, const struct taking *k, struct nest *n, LLVMValueRef begin,
                LLVMValueRef end, LLVMValueRef apart);
/* Where the thread's share of points from `first` (i64) on begins, of which it takes every
 * t->count-th. */
LLVMValueRef share_from(struct gen *g, LLVMValueRef first);
/* squares.c: the thread's share of points in any order, one by one. */
void gen_unordered(struct gen *g, const struct taking *k, struct nest *n);
/* Do elements slide, of points that the thread has abreast?  Its share of those before `end`, then.
 */
bool does_slide(struct gen *g, const struct taking *k);
void gen_sliding(struct gen *g, const struct taking *k, struct nest *n, LLVMValueRef end);
/* An ordered loop of points that the thread has abreast, if its elements slide; false: it is none.
 */
bool gen_sliding_loop(struct gen *g, const struct pstmt *s);
/* The index of the definition's range along which the points that a thread has at once differ. */
const struct pvar *point_index(const struct gen *g, const struct ufc_phase *phase);

/* slide_store.c */
/* A PS_PUT of such points, whose elements slide; false: they are stored as others. */
bool put_sliding(struct gen *g, const struct pstmt *s);
/* The thread's share of the points in any order, one by one; batch: see find_batch, or NULL. */
void gen_one_by_one(struct gen *g, const struct pstmt *s, struct batch *batch, struct nest *n);

/* steps.c */
/* Elements of inputs that a PS_PUT behind a reduction is made of.  They are loaded before the
 * reduction, which need not wait for memory. */
struct early {
    const struct pstmt *put;
    struct held held[4];
    int n;
};
void load_early(struct gen *g, const struct pstmt *reduction);
void put_with_early(struct gen *g, const struct pstmt *s);
/* What g->threads do before s. */
void threads_sync(struct gen *g, const struct pstmt *s);
/* A barrier of the call's blocks, which run at the same time, in its two halves: the block, whose
 * threads have met, tells that it has come; its threads wait until all blocks have. */
void blocks_arrive(struct gen *g, LLVMValueRef blocks);
void blocks_await(struct gen *g);

/* A definition that has_inner_spreads, with t->group lanes a point, or as many as there are for
 * each where it has_inner_definitions; or with a block of t->blocks a point. */
void gen_in_lanes(struct gen *g, const struct pstmt *s);
void gen_in_blocks(struct gen *g, const struct pstmt *s);
/* A definition that has_adding_lanes, with a warp a point where points are so few that most threads
 * would have none. */
void gen_series_points(struct gen *g, const struct pstmt *s);
/* A definition that has_adding_lanes, of NEST, at the points of a warp. */
void gen_warp_points(struct gen *g, const struct pstmt *s);

/* panel.c */
/* Lets range i of n, up to index hi, have the places of what the block has of it, where it is along
 * an axis that is cut. */
void panel_range(struct gen *g, struct nest *n, int i, LLVMValueRef hi);
/* The place at such a range's position, i64 both. */
LLVMValueRef panel_place(struct gen *g, const struct nest *n, int i, LLVMValueRef position);

/* series.c */
/* Has the warps of the block memory for the terms of series that their lanes add up, where there
 * are such: sets t->adding. */
void find_lane_series(struct gen *g, struct threads *t);
/* Do the lanes of a warp add up series at points of the definition s, where all have the same one?
 */
bool has_adding_lanes(const struct gen *g, const struct pstmt *s);
/* A loop that is a series, where all lanes of a warp come to it with the same values; false: it is
 * none that they add up. */
bool lanes_loop(struct gen *g, const struct pstmt *s);
/* i1: a condition lets a term count; NULL: it has none. */
LLVMValueRef gen_term_counts(struct gen *g, const struct series_term *term);

/* step_points.c */
/* The thread's share of the points of a definition in a step; false: they are shared as others. */
bool gen_step_points(struct gen *g, const struct pstmt *s, struct nest *n);
/* The thread's share of what 1 << shift (i64) neighbouring threads share each, i64: the first, and
 * how far it is to the next. */
struct turns {
    LLVMValueRef first, apart;
};
struct turns step_turns(struct gen *g, LLVMValueRef shift);
/* The least b, i32, of which 1 << b is at least n, i64, or a million. */
LLVMValueRef bits_above(struct gen *g, LLVMValueRef n);
LLVMValueRef greatest(struct gen *g, LLVMValueRef a, LLVMValueRef b);

/* resident.c */
LLVMValueRef dynamic_memory(struct gen *g); /* the block's shared memory that the launch asks for */
/* An array's two places: in shared memory and at home, in global memory. */
struct resident {
    const struct poperand *operand;
    LLVMValueRef near, home;                                        /* addresses */
    LLVMValueRef near_stride[MAX_CORE_RANK], stride[MAX_CORE_RANK]; /* bytes: i32, i64 */
    LLVMValueRef size[MAX_CORE_RANK];                               /* i32 */
};
/* Elements along an axis of an array: places in shared memory from `place` on, and indices from
 * `index` on, `apart` from one another: i32. */
struct stretch {
    LLVMValueRef place, index, apart, count;
};
struct stretch all_along(struct gen *g, const struct resident *r, int i);
/* Where an element of such stretches is: by its number, i32, the last axis' fastest. */
struct copied {
    LLVMValueRef near, home;
};
struct copied copied_at(struct gen *g, const struct resident *r, const struct stretch *s,
                        LLVMValueRef number);
/* The block copies elements, of a stretch along each axis: home, or from there. */
void copy_resident(struct gen *g, const struct resident *r, const struct stretch *s, bool home);

/* scatter.c */
/* Adds v, i32, to a word at a time when other threads do; gives what it had before. */
LLVMValueRef gen_add_word(struct gen *g, LLVMValueRef at, LLVMValueRef v);

/* nest.c */
/* NEST, SCATTER, PREFIX: a PS_PUT outside of PS_SPREADs, which the call's first thread stores in
 * the launch of its phase; what they do before straight code that must wait: threads of launches of
 * earlier phases end. */
void put_in_phase(struct gen *g, const struct pstmt *s);
void sync_in_phase(struct gen *g, const struct pstmt *s);
/* A PS_SPREAD, or a scan, that the kernel computes in no launch: in those of earlier phases the
 * thread ends, in later ones the results of a reduction are loaded. */
void pass_spread(struct gen *g, const struct pstmt *s);
bool pass_scan(struct gen *g, const struct pstmt *s);

LLVMValueRef nest_i32(struct gen *g, size_t member);
LLVMValueRef nest_i64(struct gen *g, size_t member);
/* A member of the parameter's struct ufc_kparam_nest. */
#define NEST_I32(g, member) nest_i32(g, offsetof(struct ufc_kparam_nest, member))
#define NEST_I64(g, member) nest_i64(g, offsetof(struct ufc_kparam_nest, member))

/* points.c */
/* A definition's ranges. */
struct at {
    const struct prange *range[UFC_MAX_POINT_RANGES];
    LLVMValueRef lo[UFC_MAX_POINT_RANGES], step[UFC_MAX_POINT_RANGES];
    int n;
};
void find_point_ranges(struct gen *g, const struct pstmt *s, struct at *at);
/* The number of positions in range i, i64. */
LLVMValueRef size_of_range(struct gen *g, const struct at *at, int i);
/* Sets the index of range i by the position in it. */
void set_position(struct gen *g, const struct at *at, int i, LLVMValueRef position);
/* The thread's points of the definition s, of which one thread alone computes each. */
void gen_own_points(struct gen *g, const struct pstmt *s, const struct at *at);

/* flat.c */
/* Generates the points of the definition s that are side by side from row to row, where the launch
 * has threads take these; control then goes to `done`. */
void gen_flat_points(struct gen *g, const struct pstmt *s, const struct at *at,
                     LLVMBasicBlockRef done);

/* ragged.c */
/* The range of its own that is all that a point of a definition has; NULL: it is something else. */
const struct prange *ragged_range(const struct gen *g, const struct pstmt *s);
/* The thread's points of such a definition, at most `steps`, `apart` from position `first` on and
 * before `end`, which a warp's threads share: all have as many steps, and are of one call. */
void gen_ragged_points(struct gen *g, const struct pstmt *s, const struct at *at,
                       LLVMValueRef first, LLVMValueRef apart, LLVMValueRef steps,
                       LLVMValueRef end);

/* several.c */
/* The points of the definition s that a thread has at once, or its part of their reductions: along
 * one range, or along two. */
void gen_several_points(struct gen *g, const struct pstmt *s, const struct at *at);
void gen_microtile(struct gen *g, const struct pstmt *s, const struct at *at);
/* i1: the point at hand is in its range, and no other thread's too; NULL: it always is. */
LLVMValueRef is_own_point(struct gen *g);
/* Has f generate code for each point that the thread has at once, its number being k; for those
 * from `first` on, before `end`.  Where it has one alone its number is 0. */
typedef void at_point(struct gen *g, int k, const void *arg);
int points_at_once(const struct gen *g);
void at_each_point(struct gen *g, at_point *f, const void *arg);
void at_points(struct gen *g, int first, int end, at_point *f, const void *arg);

/* terms.c */
/* gen_unordered, of the points that the thread has at once: where it has whole reductions of
 * theirs, there are copies of the body for the indices of short last ranges. */
void gen_point_terms(struct gen *g, const struct taking *k, struct nest *n);

/* near.c */
/* Finds the rows that the thread reads for each point of the reduction s, and sets g->near. */
void near_begin(struct gen *g, struct near *near, const struct pstmt *s);

/* held.c */
const struct prange *last_range(const struct pstmt *s);
/* The call's body, in which registers hold elements that several spreads read where these are few
 * enough. */
void gen_held_call(struct gen *g, struct threads *t);
/* A PS_SPREAD with `held` set, of a call with t->held. */
void gen_held_spread(struct gen *g, const struct pstmt *s);

/* vector.c */
/* Load and store an element at the `lanes` values from g->lane_var's own on, which are neighbours,
 * aligned, and up to 16 bytes together. */
void load_vector(struct gen *g, const struct pval *place, int lanes, LLVMValueRef *value);
void store_vector(struct gen *g, const struct pval *place, int lanes, const LLVMValueRef *value);
/* The same at an address, which is aligned to all of them. */
void load_lanes(struct gen *g, enum ufc_dtype d, LLVMValueRef at, int lanes, LLVMValueRef *value);
void store_lanes(struct gen *g, enum ufc_dtype d, LLVMValueRef at, int lanes,
                 const LLVMValueRef *value);

/* i1: whether what a list of statements accesses at g->lane_var's values lo (i64), … can be vectors
 * of `lanes` elements. */
LLVMValueRef are_aligned(struct gen *g, const struct pstmt *list, LLVMValueRef lo, int lanes);
/* Bytes of the widest element that a list accesses along g->lane_var; 0: it accesses none. */
int widest_access(struct gen *g, const struct pstmt *list);

/* batch.c */
enum { MAX_LANES = 16 };
/* What a thread takes at a time of a PS_SPREAD; NULL: it takes one point after the other. */
struct batch *find_batch(struct gen *g, const struct pstmt *s);
/* One of each point that the thread has at once. */
struct batch *find_micro_batch(struct gen *g, const struct pstmt *s);
/* The same of a definition whose elements are loaded one by one, wherever they are. */
struct batch *find_scalars(struct gen *g, const struct pstmt *s);
/* The same of one that calls functions, since loads of a point would wait for those of the one
 * before, or stores to an array at several places, for wide stores of neighbouring points. */
struct batch *find_calling(struct gen *g, const struct pstmt *s);
/* The same of a reduction at a point of NEST. */
struct batch *find_reduced(struct gen *g, const struct pstmt *s);
/* It has what the points that a thread has at once share, of a body that reads more. */
bool batch_is_partial(const struct batch *b);
/* Whether neighbouring points are worth more to different threads than as vectors of one: they
 * merge into neighbouring bins, or read what vectors do not hold. */
bool batch_is_apart(struct gen *g, const struct batch *b);
int batch_units(struct gen *g, const struct batch *b,
                int lanes); /* of `lanes` neighbours along g->lane_var */
/* Loads what does not depend on the ranges `walked`, for all units. */
void batch_keep(struct gen *g, struct batch *b, const struct nest *walked);
/* Loads what a unit's points read, of which the ranges' variables are the first. */
void batch_load(struct gen *g, struct batch *b, int unit, int lanes);
void batch_compute(struct gen *g, struct batch *b, int units, int lanes);
/* Computes points that were loaded as units of their own, MAX_LANES at most, then stores what all
 * of them have, of `each` points one statement after the other; more than one of these are side by
 * side, with g->beside set as it was then. */
void batch_compute_first(struct gen *g, struct batch *b, int points, int each);

/* quotient.c */
/* The variables that the spread divides float32 values by, which are the same at all points, and
 * their reciprocals; NULL: there are none. */
struct divisor *find_divisors(struct gen *g, const struct pstmt *s);
/* The same of what is made of a tile's results: values of sizes and numbers alone. */
struct divisor *find_result_divisors(struct gen *g, const struct pstmt *rest);
/* Those of a value, for which a condition holds. */
struct divisor *find_fixed_divisors(struct gen *g, const struct pval *v,
                                    bool (*is_fixed)(const struct pval *v, void *arg), void *arg);
LLVMValueRef are_safe(struct gen *g, const struct divisor *d); /* i1: gen_quotient may be right */
/* x divided as the PV_OP v is, by one of the divisors, and i1 0 in the slot `safe` where that may
 * be wrong.  NULL: v has another divisor. */
LLVMValueRef gen_quotient(struct gen *g, const struct divisor *d, const struct pval *v,
                          LLVMValueRef x, LLVMValueRef safe);

/* prefix.c, strip.c */
/* A PS_FOR with accs, whose iterations the threads of a warp or a block share. */
/* Shared memory in which the warps of a block turn a scan's terms. */
struct scan_room {
    int units;         /* iterations of a thread at once */
    unsigned bytes;    /* of a warp */
    LLVMValueRef rows; /* NULL: it needs none */
};
/* That of the scan s.  Whole warps have the same in all scans of a kernel. */
struct scan_room scan_room(struct gen *g, const struct pstmt *s);
/* The scan s, shared by the threads of a call, or by the warp's of a mask. */
void threads_scan(struct gen *g, const struct pstmt *s, const struct scan_room *room);
/* The same at a point of NEST, which has a part in each warp of a block. */
void strip_scan(struct gen *g, const struct pstmt *s);

/* follow.c */
/* A PS_FOR whose iterations follow one another.  False: they are not shared. */
bool gen_following(struct gen *g, const struct pstmt *s);

/* deal.c */
/* What a block, or its warp, has of a phase of DEAL. */
struct dealing {
    struct gen *g;
    const struct deal *d;
    struct deal_room room;
    LLVMValueRef lane, warp, warps;      /* i32: of the block */
    LLVMValueRef owners, shift;          /* i32: a power of two, and which */
    LLVMValueRef bins, each, entries;    /* i32: of all groups, of an iteration, a block */
    LLVMValueRef first[MAX_DEAL_ARRAYS]; /* i64: the number of a group's first bin, */
    LLVMValueRef size[MAX_DEAL_ARRAYS];  /* and of how many */
    LLVMValueRef lanes, held, granule;   /* i1: lanes have a bin each; owners have theirs in shared
                                            memory; i32: 1 << granule neighbours have one owner */
    LLVMValueRef half, workspace, bytes; /* slot of the half of it, 0 or 1: i64; i64 both */
    LLVMValueRef lots, all_lots;         /* i32: of the block in a round, of all blocks, */
    LLVMValueRef lot_bytes;              /* i32: of each */
    LLVMValueRef lot, pile;              /* i32: the number of that at hand; where it is not yet in
                                            order: in shared memory, or anywhere */
    LLVMValueRef counts, words;          /* shared memory, and in that a word for each warp */
    LLVMValueRef direct; /* i1: owners have a bin each: deal_rank.c, which deals no entries out */
    struct nest nest;    /* the iterations; */
    LLVMValueRef total;  /* i64: how many; where they have ranges of their own, the turns of all, */
    LLVMValueRef begins; /* which are then what is dealt out; the address of ufc_deal_begins, i64 */
    LLVMValueRef low, high;   /* slots, i64: iterations among which those of its turns are; */
    LLVMValueRef base;        /* the round's first, i64; */
    LLVMValueRef tile, count; /* the lot's first, i64, and how many, i32 */
    LLVMValueRef number;      /* i32: that of the lot's iteration at hand, */
    LLVMValueRef key[UFC_DEAL_UNITS]
                    [MAX_DEAL_SITES]; /* and slots of entries that are stored later, */
    LLVMValueRef term[UFC_DEAL_UNITS][MAX_DEAL_SITES][MAX_DEAL_TERMS];
    int unit; /* number of its slots; -1: they are stored as they come */
};
/* What is in the half of the workspace, i64: for a lot a word for each owner, and of its entries a
 * value of so many bytes, by where it is in deal_room. */
LLVMValueRef deal_places(const struct dealing *x, LLVMValueRef lot, LLVMValueRef owner);
LLVMValueRef deal_value_at(const struct dealing *x, LLVMValueRef lot, uint32_t offset,
                           LLVMValueRef place, unsigned width);
LLVMValueRef deal_load(const struct dealing *x, enum ufc_dtype d, LLVMValueRef at);
LLVMValueRef deal_lanes_before(const struct dealing *x, LLVMValueRef set); /* i32: how many */

/* All blocks of the call have come here. */
void deal_meet(struct gen *g);
/* Sets the indices of an iteration, by its number, i64. */
void deal_set_indices(const struct dealing *x, LLVMValueRef number);

/* deal_ragged.c */
/* Bytes of what is found, i64. */
LLVMValueRef deal_begins_bytes(const struct dealing *x);
/* Finds where each iteration's turns begin, and how many there are. */
void deal_find_turns(struct dealing *x);
/* Finds among which iterations those of the warp's turns from `first` to `end` of a lot, i32, are.
 */
void deal_find_range(struct dealing *x, LLVMValueRef first, LLVMValueRef end);
/* Sets a turn, of number `number`, i64, of all, and the indices of its iteration. */
void deal_set_turn(const struct dealing *x, LLVMValueRef number);

/* deal_result.c */
/* Sets the term that is the iteration's number in its round, of number `number`, i32, in the tile.
 */
void deal_set_number(const struct dealing *x, LLVMValueRef number);
/* Stores the results of an update of a kind and a part, or of all with -1, where `is`, i1. */
void deal_store_results(const struct dealing *x, int kind, int part, LLVMValueRef is);

/* deal_own.c */
/* Has warps update their bins by what all blocks have dealt out. */
void deal_update(struct dealing *x);

/* portion.c */
/* Finds what the blocks of a call need to have portions. */
void begin_portions(struct gen *g, struct threads *t);
/* Whether the blocks of the call have portions of the spread; generates it then. */
bool has_portions(const struct gen *g, const struct pstmt *s);
void gen_portions(struct gen *g, const struct pstmt *s);
/* Cuts the longest range of a nest to those positions that t->portion has. */
void cut_to_portion(struct gen *g, struct nest *n);

/* join.c */
int count_accs(const struct pstmt *s);
/* Joins the accs of all threads of the block, for all of them. */
void join_block(struct gen *g, const struct pstmt *s);
/* Load the accs; set them to what they were `before`, unless the condition (i1) holds. */
void load_accs(struct gen *g, const struct pacc *a, LLVMValueRef *value);
void take_back(struct gen *g, const struct pacc *a, LLVMValueRef condition,
               const LLVMValueRef *before);
/* Joins the accs of `size` (i32, a power of two) neighbouring lanes, for all of them. */
void join_warp(struct gen *g, const struct pstmt *s, LLVMValueRef size);
/* The same of a reduction's accs, in straight code. */
void join_group(struct gen *g, const struct pstmt *s, LLVMValueRef size);
/* The same of those of them that are a multiple of `apart` from one another. */
void join_lanes(struct gen *g, const struct pstmt *s, LLVMValueRef apart, LLVMValueRef size);
/* Joins the accs of all threads of the call, for all of them: WARP, BLOCK, JOINT. */
void join_call(struct gen *g, const struct pstmt *s);
/* Entries in global memory, of acc_entry bytes an acc.  A thread publishes the accs in the entry at
 * an address, i64, as number `number` of those that are there one after the other: an i64 below
 * 2^32. Others wait until that is there in n entries: value[i * accs + k] becomes acc k of entry i.
 */
void publish_accs(struct gen *g, const struct pacc *a, LLVMValueRef entry, LLVMValueRef number);
void await_accs(struct gen *g, const struct pacc *a, const LLVMValueRef *entry, int n,
                LLVMValueRef number, LLVMValueRef *value);
/* NEST: joins the accs of the threads of a block that have parts of a point, or of several at once,
 * for all of them, in a block's shared memory, t->words: join_words, a word for each thread, acc
 * and point. */
LLVMValueRef join_words(struct gen *g, const struct pstmt *s);
void join_parts(struct gen *g, const struct pstmt *s);
/* n words of shared memory for each acc of s, for use between barriers of the block. */
LLVMValueRef shared_words(struct gen *g, const struct pstmt *s, int n);
/* So many bytes of it. */
LLVMValueRef shared_bytes(struct gen *g, unsigned bytes);
/* Makes all words of the kernel, of which one use's are needed at a time, one array. */
void unite_words(struct gen *g);
/* Store the accs in word `at`, i32, of each; load them, or, if into_other, the variables that they
 * are joined with. */
void save_accs(struct gen *g, const struct pacc *a, LLVMValueRef words, LLVMValueRef at, int n);
/* A value of an acc as an integer of 32 or 64 bits, and back. */
LLVMValueRef acc_to_word(struct gen *g, const struct pvar *v, LLVMValueRef value);
LLVMValueRef acc_from_word(struct gen *g, const struct pvar *v, LLVMValueRef word);
void restore_accs(struct gen *g, const struct pacc *a, LLVMValueRef words, LLVMValueRef at, int n,
                  bool into_other);
/* Store the accs as words of 8 bytes from an address (i64) on; load them, or, if into_other, the
 * variables that they are joined with: what an earlier launch stored. */
void accs_to_memory(struct gen *g, const struct pacc *a, LLVMValueRef address);
void accs_from_memory(struct gen *g, const struct pacc *a, LLVMValueRef address, bool into_other);

/* rows.c */
/* THREAD, LONE: has the threads of a warp copy the rows of ordered loops together. */
void share_rows(struct gen *g, struct threads *t);
/* Has ordered loops access what neighbouring calls share. */
void share_same_row(struct gen *g);

/* results.c */
/* In shared memory element x of a row is at index x + x / PAD_EVERY, and rows are an odd number of
 * elements apart: so threads with PAD_EVERY neighbouring elements each, and threads with a row
 * each, access different banks. */
enum { PAD_EVERY = WINDOW_RESULTS };
/* How many tiles of `size` rows or columns cover n (i64) of them: i32. */
LLVMValueRef tiles_along(struct gen *g, LLVMValueRef n, int size);
/* Results of a team's tile, or of its rows from `first` on, in shared memory; rows, columns and
 * `team` are powers of two. */
struct results {
    const struct shape *shape;
    LLVMValueRef shared;      /* results_bytes of the team that puts; then, of the one stored for */
    int rows, columns, team;  /* of shared memory; threads of a team */
    LLVMValueRef member;      /* the thread's number in the team it stores for, i32 */
    LLVMValueRef row, column; /* the tile's first ones, i64 */
    LLVMValueRef end_row, end_column; /* behind the last ones of the call, i64 */
    int first;
    /* Results are loaded before it is asked whether they exist: those of a thread are whole rows
     * apart, or a multiple of PAD_EVERY columns. */
    bool ahead;
    /* Makes row `index`, i64, the one that the statements behind the reduction are of. */
    void (*set_row)(void *arg, LLVMValueRef index);
    void *arg;
};
unsigned results_bytes(const struct shape *s, int rows, int columns);
/* Copies the accs' slots to shared memory, as the result `down` rows and `across` columns from row
 * y, column x (i32); x % PAD_EVERY + across % PAD_EVERY is below PAD_EVERY. */
void results_put(struct gen *g, const struct results *r, LLVMValueRef y, LLVMValueRef x,
                 unsigned down, unsigned across);
/* Computes what is made of the accs in shared memory, and stores it to the operands; a barrier has
 * come before. */
void results_store(struct gen *g, const struct results *r);
/* Sets the variables that the list s begins with. */
void gen_assignments(struct gen *g, const struct pstmt *s);
/* The index of element x, i32, in a row of shared memory. */
LLVMValueRef results_column(struct gen *g, LLVMValueRef x);

/* The kernels' bodies: call.c, nest.c, scatter.c, dense.c, tile.c, band.c, window.c. */
#define GUFUNC_KERNEL(ID, suffix, name, module, sharing, size, block, checked, exists, body)       \
    void body(struct gen *g, struct threads *t);
#include "kernel.def"

#endif
