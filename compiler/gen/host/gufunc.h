/* gufunc.h: what the generators of gufuncs' host kernels share.
 *
 *   gufunc.c   kernels: vectors of calls, or of points of one call
 *   ways.c     which of these
 *   spread.c   a PS_SPREAD as a function, for several threads
 *   order.c    the order of its ranges
 *   points.c   its points, in lanes
 *   guards.c   conditions on the index of a row's points
 *   digits.c   quotients and remainders of it by constants; stretches.c by what a row has in common
 *   tile.c     tilings, in blocks: block.c; panel.c packs factors, product.c reduces them,
 *              mirror.c has half of them where the other half is the same
 *   rows.c     reductions of rows, each the point of a definition
 *   blocks.c   reductions in blocks
 *   select.c   argmin and argmax of rows */
#ifndef GEN_HOST_GUFUNC_H
#define GEN_HOST_GUFUNC_H

#include "host.h"

/* Values of a body that are made of digits of the row's index, and repeat after `vectors` vectors,
 * a period, but for what they grow by. */
enum { MAX_DIGITS = 8 };
struct digits {
    const struct pval *value[MAX_DIGITS];
    int *at[MAX_DIGITS]; /* at each point of the period that begins with index 0 */
    int64_t grows[MAX_DIGITS];
    int n, vectors; /* vectors: 0: there are none, or they do not repeat soon */
};

/* Quotients and remainders of the row's index, or of what grows with it, by what is the same along
 * the row. */
enum { MAX_DIVISIONS = 2 };
struct stretches {
    const struct pval *value[MAX_DIGITS]; /* or a variable that the body sets to it */
    bool rest[MAX_DIGITS];                /* a remainder */
    int of[MAX_DIGITS]; /* its division: of the same numbers, as that of the value `division` */
    const struct pval *division[MAX_DIVISIONS];
    int n, ndivisions;
};

/* A PS_SPREAD whose function is being generated. */
struct spread_fn {
    const struct pstmt *s;
    const struct prange *range[MAX_RANGES];
    LLVMValueRef lo[MAX_RANGES], step[MAX_RANGES], count[MAX_RANGES];
    int n;                /* ranges */
    LLVMValueRef total;   /* points of all ranges */
    LLVMValueRef unit;    /* points_unit of its body */
    struct digits digits; /* of its body, found with `unit` */
    struct stretches stretches;
    int copies; /* of the accs, in different registers */
    int naccs;
    LLVMValueRef *slot; /* slot[k * naccs + i]: of copy k of acc i */
    bool is_long;       /* there is a loop for each point */
    bool light;         /* a definition in a loop, of little work */
};

/* Copies a variable's value from one address to another. */
static inline void move_slot(struct gen *g, const struct pvar *like, LLVMValueRef from,
                             LLVMValueRef to) {
    LLVMBuildStore(g->b, LLVMBuildLoad2(g->b, gen_slot_type(g, like), from, ""), to);
}

/* gufunc.c */
/* Finds the sizes of core dimensions and the operands' strides along them. */
void gufunc_host_sizes(struct gen *g, LLVMValueRef sizes, LLVMValueRef steps);
/* Loads the inputs without core dimensions, in all lanes. */
void gufunc_host_scalars(struct gen *g);

/* ways.c */
/* Which way a kernel goes: `way`, unless `wide`, an i1 or NULL, is false: then UFC_WAY_NARROW. */
struct ways {
    enum ufc_host_way way;
    LLVMValueRef wide;
    struct short_sizes narrow; /* what is known of sizes where `wide` is false */
};
struct ways find_ways(struct gen *g, LLVMValueRef calls); /* calls: how many, i64 */
/* i1: neighbouring points access neighbouring elements, in the PS_SPREADs that the body begins
 * with. NULL: always. */
LLVMValueRef ways_unit(struct gen *g, enum ufc_host_way way);

/* Whether the body sets each output, all of it, before it reads any of it. */
bool sets_outputs(const struct plan *p);

/* spread.c */
/* s, whose last range is a loop at each point where it has less points than a vector, and than
 * LANES_ROW, and the one before it may have more: the lanes are then its indices. */
const struct pstmt *spread_in_lanes(struct gen *g, const struct pstmt *s);
/* i1: the last range of s has points enough for lanes. */
LLVMValueRef spread_fills_lanes(struct gen *g, const struct pstmt *s);
/* Finds the ranges of s. */
void find_ranges(struct gen *g, const struct pstmt *s, struct spread_fn *p);
/* A core call in a host kernel, whose PS_SPREADs are functions. */
struct host_call {
    LLVMValueRef data;  /* the caller's struct ufc_host_call, which may be NULL */
    LLVMValueRef share; /* its `share`, which may be NULL */
    LLVMValueRef frame; /* the words that a PS_SPREAD's function is given */
};
extern const struct sharing host_sharing;
/* Makes a frame; sizes, strides: the kernel's parameters. */
LLVMValueRef host_frame(struct gen *g, LLVMValueRef sizes, LLVMValueRef strides);
/* Stores the addresses of the call's arrays in the frame. */
void host_frame_arrays(struct gen *g, LLVMValueRef frame);

/* order.c */
/* s with its ranges in the order of the subscripts of what it stores; or s. */
const struct pstmt *spread_as_stored(struct gen *g, const struct pstmt *s);
/* i1: `stored`, the former of s, is to be in its place. */
LLVMValueRef goes_as_stored(struct gen *g, const struct pstmt *s, const struct pstmt *stored);
/* points_unit of the body of s, whose lanes are points of its last range. */
LLVMValueRef spread_unit(struct gen *g, const struct pstmt *s);

/* points.c */
/* i1: lanes that are `step` apart access neighbouring elements wherever the list s accesses arrays
 * along them.  NULL: it does so nowhere. */
LLVMValueRef points_unit(struct gen *g, const struct pstmt *s, LLVMValueRef step);
/* i64: at how many places it does. */
LLVMValueRef points_count_units(struct gen *g, const struct pstmt *s, LLVMValueRef step);
/* Sets p->unit, by what is accessed where guards are settled too. */
void points_find_unit(struct gen *g, struct spread_fn *p);
/* Copies of the accs, in lanes: points_make_accs makes them, points_take_first makes the first one
 * the variables', points_begin_accs sets them to it, points_join_accs joins them in it. */
void points_make_accs(struct gen *g, struct spread_fn *p);
/* Reduces points [begin, end) of the copies' first values to the accs in lanes. */
void points_of_block(struct gen *g, const struct spread_fn *p, LLVMValueRef begin,
                     LLVMValueRef end);
void points_take_first(struct gen *g, const struct spread_fn *p);
void points_begin_accs(struct gen *g, const struct spread_fn *p);
void points_join_accs(struct gen *g, const struct spread_fn *p);
/* Points [first, last) of the last range, one by one. */
void points_in_order(struct gen *g, const struct spread_fn *p, LLVMValueRef first,
                     LLVMValueRef last);
/* Enters the lanes of a vector of points from point `first` of the last range on; left: how many,
 * where they may not fill it, else NULL; unit: elements along the row are neighbours. */
struct lanes_scope points_enter(struct gen *g, const struct spread_fn *p, LLVMValueRef first,
                                LLVMValueRef left, bool unit);
void points_leave(struct gen *g, struct lanes_scope outer);
/* The body for a vector of points whose elements are neighbours; left: as in points_enter. */
void points_vector(struct gen *g, const struct spread_fn *p, LLVMValueRef first, LLVMValueRef left);
/* The body at the points [begin, end), by their numbers, the last range the fastest. */
void points_between(struct gen *g, const struct spread_fn *p, LLVMValueRef begin, LLVMValueRef end);

/* digits.c */
void digits_find(struct gen *g, const struct spread_fn *p, struct digits *d);
/* What is settled in a vector of period `number`, i64: a list for g->settled. */
const struct settled *digits_settle(struct gen *g, const struct digits *d, int vector,
                                    LLVMValueRef number);
/* Points [first, last) of neighbouring elements, by periods; gives `last`. */
LLVMValueRef digits_points(struct gen *g, const struct spread_fn *p, const struct digits *d,
                           LLVMValueRef first, LLVMValueRef last);

/* By variables' ids: how often a body of sets, stores and conditions alone sets them; and, if that
 * is once, at each point, to what, which depends on no other variables of the body. */
struct body_sets {
    int *times;
    const struct pval **only;
};

/* False: the body has other statements. */
bool points_find_sets(struct gen *g, const struct pstmt *body, struct body_sets *x);
/* Whether the points of p are computed in vectors, one like the other, with no reduction. */
bool points_repeat(const struct gen *g, const struct spread_fn *p);

/* stretches.c */
void stretches_find(struct gen *g, const struct spread_fn *p, struct stretches *s);
/* What is settled, but for its values: for points_unit. */
const struct settled *stretches_settle(struct gen *g, const struct stretches *s);
/* Points [first, last) of neighbouring elements, by stretches; gives the next point, `first` where
 * divisors are small. */
LLVMValueRef stretches_points(struct gen *g, const struct spread_fn *p, const struct stretches *s,
                              LLVMValueRef first, LLVMValueRef last);

/* guards.c */
enum { MAX_GUARDS = 16, MAX_NESTED = 8 };
/* The comparisons of a body, its min, max and remainders, that depend on the lanes' index. */
struct guards {
    const struct pval *value[MAX_GUARDS];
    LLVMValueRef lo[MAX_GUARDS], hi[MAX_GUARDS]; /* points of the row, i64: in [lo, hi] alone the
                                                    value's course changes */
    int n;
    const struct prange *nested[MAX_NESTED]; /* within the body, with bounds known before it */
    int nnested;
};
/* Finds those of p's body for the row whose indices are set. */
void guards_find(struct gen *g, const struct spread_fn *p, struct guards *guards);
/* The least of `last` and the points behind which something changes, other than those that lie
 * behind `at`: vectors of the points [at, that) are settled. */
LLVMValueRef guards_until(struct gen *g, const struct guards *guards, LLVMValueRef at,
                          LLVMValueRef last);
/* What is settled from point `at` to guards_until, a list for g->settled; *inside: i1: it is, since
 * every min and max is the value that varies. */
const struct settled *guards_settle(struct gen *g, const struct guards *guards, LLVMValueRef at,
                                    LLVMValueRef *inside);

/* tile.c */
/* Whether s, a definition, is computed in blocks: host_tile_count tasks. */
bool host_tiles(const struct gen *g, const struct pstmt *s);
LLVMValueRef host_tile_count(struct gen *g, const struct pstmt *s);
/* Tasks [begin, end); in a function of their own. */
void host_tile(struct gen *g, const struct pstmt *s, LLVMValueRef begin, LLVMValueRef end);
/* i1: the results of a row are stored side by side; NULL: always. */
LLVMValueRef host_tile_unit(struct gen *g, const struct pstmt *s);

/* rows.c */
/* A reduction over a row within the points of a definition, whose bounds are the same for all. */
struct rows {
    const struct pstmt *s; /* NULL: the points have definitions, each of a row, instead */
    int lanes, copies;     /* of a row's vectors; of the accs in them */
    LLVMValueRef n;        /* its points, i64 */
    LLVMValueRef lined;    /* i1: what neighbours in the row access are neighbours */
    struct rows *next;     /* another one of each point, behind it */
};
/* Finds the reductions in the points of p, besides which they have straight code alone.  False:
 * there is none, or another loop. */
bool rows_find(struct gen *g, const struct spread_fn *p, struct rows *rows);
/* Finds whether the loops in the points of p are definitions of rows, all but short ones. */
bool lines_find(struct gen *g, const struct spread_fn *p, struct rows *rows);
/* The points [first, last) of p one by one, each row in lanes. */
void rows_between(struct gen *g, const struct spread_fn *p, LLVMValueRef first, LLVMValueRef last);

/* select.c */
/* Reduces points [begin, end) to the accs' slots of one value, where they are those of argmin or
 * argmax, enough, and neighbours, and goes to the block that is returned; else control goes on.
 * NULL: they are others. */
LLVMBasicBlockRef select_points(struct gen *g, const struct spread_fn *p, LLVMValueRef begin,
                                LLVMValueRef end);

/* blocks.c */
/* Whether the accs' values depend on how the points of s are grouped. */
bool blocks_matter(const struct pstmt *s);
/* A reduction over one range, in order, by blocks of points.  False: it need not be in blocks. */
bool blocks_in_order(struct gen *g, const struct pstmt *s);
/* The accs of a PS_SPREAD's blocks of points: a binary counter. */
struct blocks {
    const struct pstmt *s;
    bool two;            /* there are two blocks at most */
    LLVMValueRef done;   /* slot: blocks so far, i64 */
    LLVMValueRef *tree;  /* by acc: the results of 2**k blocks at index k */
    LLVMValueRef *first; /* by acc: the value before the first point */
};
/* Begins: the accs have their first values.  two: there are two blocks at most. */
void blocks_begin(struct gen *g, struct blocks *b, const struct pstmt *s, bool two);
/* Joins the accs, which have a block's values, into the tree; sets them to their first values. */
void blocks_push(struct gen *g, const struct blocks *b);
/* Joins the tree to the accs, which have the last block's values. */
void blocks_finish(struct gen *g, const struct blocks *b);

#endif
