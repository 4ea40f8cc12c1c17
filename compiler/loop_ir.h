/* loop_ir.h: the kernel plan, an explicit loop IR.  Part of uc.h, which includes it. */
#ifndef LOOP_IR_H
#define LOOP_IR_H

/* The typed AST becomes a kernel plan; all LLVM IR is made of plans.
 *
 * Types are dtypes, conversions are explicit, calls of defs are inlined, names are gone.  Control
 * flow is structured: the scalar generator turns it into branches, the vector generator into
 * masks. */

enum pval_kind {
    PV_CONST,  /* bits */
    PV_VAR,    /* var */
    PV_LOAD,   /* operand: the current element of a ufunc's input, or a gufunc's scalar input */
    PV_ELEM,   /* operand: the element of an array at args, int64s, as it is in memory now */
    PV_TABLE,  /* the element of a constant table at args, int64s; of complex ones the real part, or
                  with result 1 the imaginary one; beyond the table's ends it is any element */
    PV_DIM,    /* operand: the size of the core dimension of that index */
    PV_OP,     /* op on args of one dtype; a comparison gives bool */
    PV_CAST,   /* args[0] converted to dtype: float→int truncates, saturates, NaN → 0 */
    PV_CALL,   /* builtin on args; result: which of its results */
    PV_SELECT, /* args[0] ? args[1] : args[2]; all three are evaluated */
    PV_FMA,    /* args[0] * args[1] + args[2], rounded once unless that is slow */
    PV_PART,   /* the real (result 0) or imaginary part (1) of args[0], a complex PV_LOAD */
    PV_PACK,   /* a complex number of args[0] and args[1], for a PS_STORE */
};

struct pval {
    enum pval_kind kind;
    enum ufc_dtype dtype; /* of the value */
    enum op op;
    uint64_t i; /* PV_CONST: integers and bool, sign-extended to 64 bits */
    double f;   /* PV_CONST: floats, the real part of complex numbers */
    double im;  /* PV_CONST: the imaginary part; not after plan/types.c */
    struct pvar *var;
    int operand;
    const struct array *table;
    const struct builtin *builtin;
    int result, nargs;
    struct pval *args[MAX_CORE_RANK];
    struct pval *direct; /* OP_MOD of int64: NULL, or what it is where that is from 0 to below
                            args[1]; then args[0] is at least -args[1], and below args[1] */
    bool narrow; /* where sizes are UFC_NARROW_SIZE at most, it and its int64 args fit 32 bits, */
    bool plain;  /* and its args are at least 0 */
    bool wide;   /* OP_MUL of int64: its args fit so, but it may not */
    bool power;  /* OP_FLOORDIV, OP_MOD: args[1] is a power of two, 1 or more */
    uint8_t checked; /* PV_ELEM, PV_TABLE: bit i: subscript i is tested as the kernel runs, */
    int place;       /* its text is ufc_ufunc.places[place + i] */
};

/* A variable of a plan.  What a stage finds out about variables is in its own tables, by id. */
struct pvar {
    int id; /* from 0, below the plan's nvars */
    enum ufc_dtype dtype;
    const char *name; /* for dumps */
    struct pvar *next;
    struct pvar *imag;     /* plan/types.c: the imaginary part of a complex variable, which itself
                              becomes the real part */
    enum ufc_dtype rounds; /* if this is a half type, what is assigned is rounded to it */
    bool exact;            /* plan/exact.c: its sums are, in any order */
};

enum pstmt_kind {
#define PSTMT(ID, head) PS_##ID,
#include "pstmt.def"
#undef PSTMT
};

/* A range of a PS_SPREAD, like that of a PS_FOR; later ranges are inside earlier ones.  A nest of
 * more than MAX_RANGES ranges runs in order, in one thread. */
enum { MAX_RANGES = 16 };
struct prange {
    struct pvar *var;
    struct pval *lo, *hi, *step; /* constants, dimensions, variables set outside */
    struct prange *next;
    /* plan/seldom.c: what it counts as, of each iteration of the loop around it, and the loop that
     * a thread runs alone; NULL: its bounds say. */
    const struct pval *about_lo, *about_hi;
    const struct pstmt *about;
    bool narrow; /* where sizes are UFC_NARROW_SIZE at most, its bounds and points fit 31 bits */
    int cut;     /* with map.halo: it is along the axis of this number less one; 0: along none */
};

/* An accumulator of a PS_SPREAD; in `joined`, `other` is another part's value of it. */
struct pacc {
    struct pvar *acc, *other;
    struct pacc *next;
};

#include "loop_deal.h"
#include "loop_run.h"
#include "loop_series.h"
#include "loop_steps.h"

struct pstmt {
    enum pstmt_kind kind;
    struct pstmt *next;
    struct pval *value, *place;
    struct pvar *var;
    struct pval *lo, *hi, *step;
    int operand;
    struct pstmt *body, *other;
    struct pstmt *target;
    struct prange *ranges; /* PS_SPREAD, as all members up to partial */
    struct pacc *accs;     /* the accumulators; NULL: a definition */
    struct pstmt *joined;  /* combines accs with those of another part */
    struct pstmt *serial;  /* the spread as ordered loops: PS_FORs around body */
    struct pstmt *shared; /* PS_FOR: the same as a list with PS_SPREADs, where iterations may run in
                             any order; else NULL */
    bool residues, turns; /* PS_FOR: points of `shared` have its iterations; it has a point's */
    bool turned; /* PS_FOR: `shared` is one in order all the same, each iteration of which has a
                    share of several: plan/turn.c, plan/strip.c, plan/wave.c */
    struct series *series; /* PS_FOR: what it has of a series; NULL: it is no part of one */
    struct serial *order;  /* PS_FOR: of its source, for -Wserial; or NULL */
    struct pval *usual;    /* PS_FOR: about so many iterations; NULL: as its bounds say */
    struct deal *deal;     /* PS_FOR: what it deals out, as a phase; NULL: it is none */
    struct pvar *end;      /* PS_FOR: plan/until.c: where it ends, if that is before hi; or NULL */
    /* PS_FOR, with accs: plan/scan.c.  Each iteration adds a term to the accs, whose values are of
     * all iterations so far, and the statements from `rest` on, which may not set them, compute a
     * point.  `joined` combines the accs of earlier iterations with those of later ones, which each
     * begin with the accs' values before the loop. */
    struct pstmt *rest; /* with `before` the terms, behind the points, which have the accs' values
                           of all iterations before */
    bool before;
    bool rare;     /* PS_IF: it hardly ever holds, so that its body counts as no work; PS_LOOP: it
                      hardly ever has more than one iteration */
    bool loose;    /* PS_PUT: floats may be merged in any order, though they are rounded */
    bool sole;     /* PS_PUT: no other iteration of its loops stores to its element: plan/last.c */
    bool by_first; /* not PS_PUT: a call's first thread alone runs it: plan/first.c */
    bool merged;   /* PS_PUT: place = place op v, or a function of both, of integers or bools,
                      or loose, by iterations of a PS_FOR with `shared` that may have the same place;
                      PS_SPREAD: a definition by such ones, whose threads store at a time */
    int lag; /* PS_FOR: an iteration may begin when the one before it has had so many turns of the
                loop that it has, and go on as that does; 0: it must be done */
    bool aslant; /* with a lag: the bounds of the loop in an iteration, which has nothing else, are
                    made of sums of the index by min, max and sums; turns are counted from the least
                    of them on */
    struct pstmt *totals; /* with a lag: a PS_SPREAD whose accs, the loop's, are joined where
                             threads have iterations each, which begin with their values before the
                             loop; NULL: it has none */
    bool narrow;          /* PS_FOR: as that of a range */
    bool further;         /* PS_FOR: of a range of the PS_SPREAD around it that depends on its
                             indices, or an independent loop whose bounds do */
    bool outermost;       /* not within another PS_SPREAD */
    bool ordered;         /* parts must be joined in their order */
    bool chooses;         /* accs are the values of one of the points, whatever the grouping */
    bool parted;          /* plan/map.c: a reduction that is one of the statements of a point, or
                             outermost: threads of NEST may share it */
    bool sync;            /* plan/sync.c: threads of a call must first wait for one another */
    bool sync_blocks;     /* the same where these are several blocks */
    bool sync_portions;   /* the same where these have portions of what `portions` is set of */
    bool sync_lanes;      /* the same where lanes keep map.state_arrays */
    bool portions;     /* plan/portion.c: PS_SPREAD: the blocks of a call have portions of it, which
                          its sizes alone decide; of a reduction whose ranges are long */
    bool own_portions; /* the same, whatever its sizes: all such statements of the body have the
                          same ranges, and so a block has the same points in all of them */
    enum in_lanes {    /* plan/state.c: an outermost PS_SPREAD: which of these lanes have */
                    LANES_NONE, /*     points: none, as threads share it in another way; */
                    LANES_ALL,  /*     each lane that of its number; */
                    LANES_SOME, /*     those whose numbers are in its range */
    } in_lanes;
    const struct pval *owner; /* plan/sync.c: PS_SPREAD, PS_PUT: the row that it stores to, of which
                           each is one of several blocks', the same one in all statements; the
                           variable of its first range where there are as many rows as that has
                           indices. NULL: all blocks share it, or the first one stores */
    uint32_t entry;           /* PS_SPREAD: where its accs are in map.entry */
    bool held;                /* plan/rows.c: its points are those of map.rows */
    bool twice;               /* plan/fission.c: copies of it are to have the same bits */
    int phase, partial; /* the launch that runs it; where its accs are among a call's results */
    struct span at;
    int id; /* PS_BLOCK: for dumps */
};

/* The members of a statement that hold values, other than those of its ranges, and the members that
 * hold lists.  `serial`, which contains body again, is left out.  NULL: the statement has none
 * there. */
#define PSTMT_VALUES(s)                                                                            \
    { &(s)->value, &(s)->place, &(s)->lo, &(s)->hi, &(s)->step }
#define PSTMT_LISTS(s)                                                                             \
    { &(s)->body, &(s)->other, &(s)->joined }

/* The statement of a copy of a list that s is in the list; NULL: it is not there. */
static inline struct pstmt *pstmt_copied(const struct pstmt *s, const struct pstmt *list,
                                         struct pstmt *copy) {
    while (list != NULL && list != s) {
        list = list->next;
        copy = copy->next;
    }
    return s != NULL ? copy : NULL;
}

struct poperand {
    const char *name;
    enum ufc_dtype dtype;
    bool is_output;
    int rank;
    const struct dim *dims[MAX_CORE_RANK];
};

enum { MAX_ACCS = 4 };

/* A body that is one definition by a reduction: results[i, …] = rest(reduction over [p, …] of
 * body).  Variables may be set first, and all ranges are from 0 by 1. */
struct shape {
    const struct prange *at, *in; /* the ranges of the results, and of the reduction */
    const struct pstmt *first;    /* the assignments, which end at the reduction */
    const struct pacc *accs;
    int naccs;
    const struct pstmt *joined; /* combines accs with those of another part */
    struct pval *filter;        /* which points are reduced; NULL: all */
    const struct pstmt *body;   /* straight code, as rest is */
    const struct pstmt *rest;
    struct ufc_term *rows, *columns; /* the sizes of `at`; rows is empty if there is only one */
    int nrows, ncolumns;
};

/* A shape whose results have two sides, rows and columns, each of one or several indices, such that
 * what the reduction reads depends on at most one side and on the reduction's indices: a tile of
 * results shares it.  Kernels compute it by tiles; a product of matrices is the simplest one.
 *
 * In its shape each side, and the reduction, has a single range.  Where that stands for several,
 * `first` sets their indices.  The body is in terms of factors. */
enum tile_index { TILE_ROW, TILE_COLUMN, TILE_DEPTH, TILE_INDICES };
enum {
    TILE_MAX_FACTORS = 6,
    TILE_MAX_PRODUCTS = 4,
    TILE_AHEAD = 3,
    TILE_MAX_STORES = 2,
    TILE_BOUNDS = 4,
    MAX_FACTOR = 1 << 16
};
/* What shared memory has for the points of one side and of the reduction: an element that grows
 * evenly with both indices, or a value that is computed as it is put there. */
struct factor {
    const struct pval *place;                /* NULL: a value */
    int growth[MAX_CORE_RANK][TILE_INDICES]; /* of each of its subscripts, with each index */
    const struct pval *value;
    struct pvar *var; /* the variable that stands for the value in the body */
    enum ufc_dtype dtype;
    bool of_rows; /* it depends on no column; else on no row */
};
/* What a tiling's body adds to its acc number `acc`: the product of a row's and a column's factor,
 * by their numbers; or takes away from it. */
struct product {
    int acc, row, column;
    bool minus;
};
struct tiling {
    struct shape shape;
    const struct prange *index[TILE_INDICES];
    uint32_t shared; /* rows are calls that share these operands, a bit each; 0: they are results */
    /* An index that both sides depend on: its points are tiled apart, as calls are; NULL: there is
     * none.  Where it stands for several, `unjoined` sets these; the ranges that are of it, a bit
     * each. */
    const struct prange *batch;
    struct pstmt *unjoined;
    uint32_t batched;
    /* A band: the columns, or the points of the reduction, are those of the tile's first row and as
     * many more as there are rows behind it.  The variable that is the first row's index. */
    enum tile_skew { SKEW_NONE, SKEW_COLUMN, SKEW_DEPTH } skew;
    const struct pvar *base;
    struct ufc_term *batches; /* its points */
    int nbatches;
    bool joins[TILE_INDICES];           /* the index stands for several */
    struct pstmt *joined[TILE_INDICES]; /* and these statements set them, the fastest one first */
    struct factor factors[TILE_MAX_FACTORS];
    int nfactors;
    /* Of the factors of rows, and of columns, that are values: */
    struct pstmt *before[2], *staged[2];     /* what is set before these; staged: and valid */
    bool along_depth[2];                     /* neighbours in memory are so along the reduction */
    struct pval *valid[2];                   /* at which points they are needed; NULL: at all */
    bool exposed[2];                         /* some element that they read may exist only there, */
    bool loose[2];                           /* and is not loaded ahead */
    bool sure[2];                            /* whether they do is known without reading any */
    const struct pval *ahead[2][TILE_AHEAD]; /* others, that differ along the reduction */
    bool splits[2][TILE_AHEAD]; /* places: a part by the side and one by the reduction, added */
    int nahead[2];
    const struct pval *when; /* results are reductions only where it holds; or NULL */
    /* plan/in_order.c: the reduction is an ordered loop, so that each result takes its points one
     * after the other; what sets that with which its accs begin, and whether that may be computed
     * also where `when` does not hold. */
    bool in_order, begins_anyway;
    const struct pstmt *begin;
    /* The same, for hosts alone: where the loop begins, from 0 on; NULL: at 0. */
    const struct pval *start;
    int start_growth[TILE_INDICES];
    /* Parts of `when`, all of which must hold, that do from some place on along both sides: where
     * they do so with growing indices, `growth` is not below 0. */
    struct tile_bound {
        const struct pval *value;
        int growth[TILE_INDICES];
    } bounds[TILE_BOUNDS];
    int nbounds;
    struct factor stores[TILE_MAX_STORES]; /* the places that `rest` stores to */
    int nstores;                           /* 0: too many, not evenly, or from a long `rest` */
    bool stores_apart; /* their subscripts are each of one side, with which they grow unevenly */
    int per[2];        /* rows and columns of results that a thread has in registers */
    int operations;    /* of the reduction's body */
    int computed[2];   /* for an element of a side's factors that are values; 0: none */
    struct ufc_term *depth;       /* points of the reduction */
    int ndepth;                   /* 0: it is not cut into parts */
    bool gathers;                 /* teams of a block may share it, in small tiles */
    int end_growth[TILE_INDICES]; /* of the reduction's end */
    bool padded;                  /* factors of zero do not change the reduction */
    unsigned finite;              /* sides, a bit each, beside whose finite factors the other one's
                                     change nothing where the filter leaves them out; 0: none */
    unsigned sparse;              /* sides, a bit each, whose factors of zero beside the other one's
                                     finite ones change nothing, and are to be expected: of what an
                                     earlier definition stores under conditions; 0: none */
    const struct tiling *masked;  /* that definition's, or NULL */
    bool guarded;                 /* the reduction's end is not the same for all results */
    bool names_index;             /* the reduction's body uses an index as a number */
    struct product products[TILE_MAX_PRODUCTS]; /* that the body is made of, all of float64; */
    int nproducts;                              /* 0: it does more */
};

/* Whether hosts may compute it in blocks. */
static inline bool is_host_tiling(const struct tiling *t) {
    return t->shared == 0 && t->batch == NULL && t->skew == SKEW_NONE &&
           (!t->in_order || t->begins_anyway);
}

/* A shape whose reduction reads x[i ± p + …] and w[p], or x[i ± p + …, j ± q + …] and w[p, q]; the
 * subscripts of x may be kept within bounds by clip, min, max and %. */
struct window {
    struct shape shape;
    int axes;
    const struct prange *at[2], *in[2];
    bool moves[2];                /* in's index counts from the results' index on, not from 0 */
    const struct pval *x, *w;     /* w: NULL where the reduction reads only x */
    struct pval *subscript[2];    /* of x, by indices alone, as all here, */
    const struct pval *moving[2]; /* and where they are within their bounds */
    struct pval *weight[2];       /* of w */
    int sign[2];                  /* of p and of q in them: 1 or -1 */
    struct pval *filter[2];       /* what bounds the subscript of x on this axis; NULL: nothing */
    struct pval *mask;            /* which indices of the window it has; NULL: all */
    bool zeros;                   /* elements of 0 for those that it does not pass change nothing */
};

/* A body of steps over a grid, of whose points each depends on neighbours: see plan/halo.c. */
enum { HALO_AXES = 2 };
struct halo {
    int naxes;           /* the first ones of all arrays that are stored to, which are cut */
    int dims[HALO_AXES]; /* their dimensions */
    int64_t each[HALO_AXES], outside[HALO_AXES]; /* how far an iteration's points reach along them,
                                                    and those of what is beside the loop */
    int64_t pad[HALO_AXES], reach[HALO_AXES];    /* a definition's, at most; that of one */
    bool wraps[HALO_AXES];                       /* the last points have the first for neighbours */
    uint32_t stored;                             /* the arrays, a bit each */
    struct ufc_term *turns;                      /* iterations of the loop */
    int nturns;
};

/* An ordered loop whose steps several blocks take in panels: see plan/panel.c. */
enum { PANEL_AXES = 2, PANEL_STEPS = PANEL_AXES };
struct panels {
    const struct pstmt *loop;
    uint32_t stored, staged, far; /* the arrays, inputs that steps read, others, a bit each; */
    int axis[32][MAX_CORE_RANK];  /* of each subscript of theirs, the axis that is cut along it
                                     plus 1; 0: none; PANEL_STEPS plus 1: the panel's indices */
    const struct dim *dims[PANEL_AXES]; /* of an axis that is cut; NULL: it is not */
    int *cut;                           /* the same of indices, by variable */
    struct ufc_term *turns;             /* iterations of the loop */
    int nturns;
};

/* An overload of a function, ready for code generation. */
struct plan {
    const struct overload *overload;
    const char *symbol; /* unique stem of the kernels' names: "gaussian_pdf_f4_f4f4f4" */
    int noperands, nin;
    struct poperand *operands; /* the local arrays follow behind the operands */
    int nlocals;               /* how many local arrays there are */
    bool stores;               /* it is a version for NEST and TILE alone: plan/store.c */
    bool calls, nests; /* it is a version whose rows are calls: plan/calls.c; for NEST too */
    bool retimed;      /* it is a version whose vectors take their terms by steps: plan/retime.c */
    bool owned;        /* it is a version whose steps have arrays of their own: plan/own.c */
    bool recomputes;   /* it is a version that computes more where that is read: plan/place.c */
    bool recomputable; /* there are such arrays */
    const struct plan *other;   /* such a version of it, which may have a further one; or NULL */
    const struct plan *host;    /* what hosts compute instead, with loops interchanged; or NULL */
    bool for_host;              /* it is that */
    bool points_retimed;        /* points of a step had loops in order, which plan/retime.c has made
                                   steps: hosts have a point's sum in a register */
    const struct plan *tiled;   /* the version that hosts go in, for its products; or NULL */
    const struct plan *stacked; /* the same, where many calls share matrices; or NULL */
    bool on_host, host_only;    /* hosts go in it, which is a version; GPUs do not */
    bool checked;               /* some subscripts are tested */
    bool owns, owns_parts; /* iterations of a loop make arrays: plan/own.c; more in common, too */
    bool whole;            /* loops with reductions that round are not taken apart at points */
    uint32_t in_place;     /* bit k: intermediate k is no array; it is computed where it is read */
    struct pvar *vars;
    int nvars;
    struct pstmt *body; /* one PS_EACH */
    struct mapping {    /* plan/map.c: how a gufunc's body is mapped onto threads */
        bool spreads;   /* the body has a PS_SPREAD */
        bool shared;    /* it has a PS_FOR with `shared` */
        bool deals;     /* it has one with `deal` that has bins with subscripts: a phase */
        bool may_deal;  /* it would, were all of its statements phases */
        bool scans;     /* it has one with accs that is in no PS_SPREAD */
        int run_words;  /* registers for a run of iterations of these: plan/runs.c; 0: none has */
        bool helped;    /* threads without a call may help others to copy their rows: HELPED */
        int entry; /* bytes of the accs of all reductions of a call that several blocks of BLOCK or
                      FOLLOW may share: with `held`, or `several`; 0: other bodies, or none */
        int portion; /* bytes of the accs of a reduction that blocks have portions of, at most;
                        0: there is none */
        int series;  /* it has series in no PS_SPREAD, and no other ordered loops there but those
                        around them: how many calls a block may have; 0: it has not */
        bool point_series;    /* points of definitions have some */
        uint32_t lane_series; /* bytes of a lane that adds up series with others; 0: none does */
        int lane_points;      /* points of a warp whose lanes add up series, at most */
        bool in_phases; /* kernels may run the PS_SPREADs and scans one after the other, in launches
                           of their own */
        const struct deal **deal; /* by phase: the loop that it is, or NULL */
        struct ufc_phase *phase;  /* phases; partial: bytes of all outermost reductions' accs */
        int phases, partial;
        uint32_t *stored;       /* by phase: the outputs that it stores to, a bit each */
        int operations;         /* operations of the body, those in loops counted once */
        struct ufc_term *width; /* the number of elements of the widest PS_SPREAD */
        struct ufc_term *row;   /* the length of the longest last range */
        int nwidth, nrow;
        bool
            follows; /* the only loops whose iterations threads share in order follow one another */
        bool several; /* and several blocks may have a call */
        bool odd_lag; /* some iterations are an odd number of turns behind the ones before them */
        uint32_t resident;     /* plan/resident.c: operands that ordered loops read, a bit each; 0:
                                  no output, or the loops have no spreads */
        bool phased;           /* there are no such loops: they are what phases merge into or scan,
                                  and arrays that a call makes */
        struct ufc_term *step; /* and the points of the widest spread in such a loop, at most */
        int nstep;
        const struct dim *state; /* plan/state.c: WARP has a lane for each index of it, NULL: no, */
        uint32_t state_arrays;   /* which keeps its elements of these operands, a bit each, */
        uint32_t state_others;   /* of which others read some; */
        const struct dim *small; /* plan/small.c: SMALL's registers hold what is made along it, */
        int small_most, small_wide; /* if it has so many indices at most, or 16, … so many */
        const struct pstmt *rows; /* a PS_SPREAD whose points' elements others read too; or NULL */
        int held, held_lanes;     /* points of a thread whose elements registers hold; of these,
                                     neighbours in one access, if that can be */
        bool long_rows, held_steps; /* BLOCK has HELD_THREADS threads; steps read the rows */
        struct kept *kept;          /* the elements that they hold */
        int kept_bytes;             /* of a point, in shared memory; */
        uint32_t in_memory;         /* of these operands, a bit each */
        bool beside; /* shared memory has the accs of all threads of JOINT's blocks */
        const struct tiling **tiling; /* by phase: all that it does, or NULL */
        const struct plan *band; /* plan/band_value.c: the same plan for BAND; NULL: this one is */
        const struct window *window;
        const struct halo *halo;     /* NULL: it is no such body */
        const struct panels *panels; /* the same */
    } map;
    struct plan_steps *steps; /* phases that are launched again and again; NULL: all are once */
    struct body_domain { /* plan/domain.c, as the image's records; nloops 0, nwork 0: not known */
        struct ufc_loop *loops;
        struct ufc_work *work;
        struct ufc_access *accesses;
        struct ufc_chain *chain; /* plan/path.c */
        uint32_t nloops, nwork, naccesses, nchain;
    } domain;
    const struct ufc_constants *known; /* of the calls that it is made for; NULL: it is for all */
    uint32_t repeated; /* plan/resident.c: arrays whose elements a call accesses again and again, a
                          bit each; 0: no output is */
    bool passes;       /* it has what a loop with loops in it stores, and others read */
    struct plan *next;
};

/* Is it one that GPUs may take in the place of another plan? */
static inline bool is_version(const struct plan *p) {
    return p->stores || p->calls || p->retimed || p->recomputes || p->owned;
}

/* Have ordered loops of the plan steps that threads share, and arrays that these read? */
static inline bool has_step_arrays(const struct plan *p) {
    return p->map.resident != 0 && !p->map.phased;
}

/* plan/small.c: elements of operand k that registers hold where map.small has a size; 0: it has
 * more, or is along other dimensions too. */
int64_t small_elements(const struct plan *p, int k, int64_t size);

/* plan/ragged.c: the loop of a further range of a PS_SPREAD that merges, whose iterations threads
 * may share as they do its points; NULL: there is none. */
struct pstmt *ragged_loop(const struct pstmt *s);
/* That of a reduction, NULL if there is none, or statements beside it have accs, to which each
 * thread of a point would add. */
const struct pstmt *shared_further(const struct pstmt *s);

/* plan/lag.c: the loop that iterations of a loop with a lag have; NULL: there are more, or none. */
const struct pstmt *turns_loop(const struct pstmt *loop);
/* Whether a bound of such a loop is the least or the greatest of others; or a sum with such. */
bool is_choice(const struct pval *v);
bool has_choice(const struct pval *v);

/* plan/scatter.c: is v an element at the subscripts of all bins that a point of the PS_SPREAD s
 * merges into, and are these made of elements? */
bool is_beside_bins(const struct pstmt *s, const struct pval *v);
struct uc;
/* Does what a point reads beside its bins but make the numbers that it merges, so that it may be
 * any where the bins are another block's? */
bool merges_alone(struct uc *uc, const struct plan *p, const struct pstmt *s);

/* The operation by which a PS_PUT only merges a number with what its place has, so
 * that the order makes no difference to the bits: an enum op, or OP_COUNT and the id of a built-in
 * function; -1: it does more.  Differences and sums are one. */
int merge_of(const struct pstmt *s);
const struct pval *merged_value(const struct pstmt *s); /* that number */

/* plan/rows.c: whether a PS_SPREAD's body may be at several points at once, all loaded before. */
bool loads_first(const struct plan *p, const struct pstmt *s);
/* The same with some elements loaded before, as loads_before says, and others at their points. */
bool loads_most(const struct plan *p, const struct pstmt *s);
/* The same of a definition whose last statement alone stores, and which may read the array: no
 * point reads what another one stores. */
bool loads_before_storing(const struct plan *p, const struct pstmt *s);
/* Whether several points of a definition may be computed before what one of them has is stored; and
 * an element that it reads loaded before. */
bool stores_behind(const struct plan *p, const struct pstmt *s);
bool loads_before(const struct plan *p, const struct pstmt *s, const struct pval *element);
/* plan/map.c: the points of the ranges from r on; INT64_MAX where they are not small constants. */
int64_t constant_points(const struct prange *r);
/* What is computed at a point of the PS_SPREAD s, in nodes of values; with loops that are not
 * unrolled INT32_MAX or more. */
int64_t point_size(const struct pstmt *s);
/* The same of n neighbouring points; shares: which read the same elements for the most part. */
int64_t points_size(const struct pstmt *s, int n, bool shares);
/* plan/neighbours.c: whether neighbouring points of the definition s along its range r read some of
 * the same elements, as those of a window do. */
bool shares_along(const struct plan *p, const struct pstmt *s, const struct prange *r);
/* Whether a reduction has so few points that, in ordered steps, each thread computes all of it. */
static inline bool is_brief(const struct pstmt *s) {
    return s->kind == PS_SPREAD && s->accs != NULL && constant_points(s->ranges) <= BRIEF_POINTS;
}

/* Whether it is a loop in order that threads may share, by joining its accs: a prefix. */
static inline bool is_scan_loop(const struct pstmt *s) {
    return s->kind == PS_FOR && s->accs != NULL;
}

/* Whether it is a loop in order that is a phase: threads share its iterations. */
static inline bool is_phase_loop(const struct pstmt *s) {
    return is_scan_loop(s) || (s->kind == PS_FOR && s->deal != NULL);
}

/* Whether it is a definition of a single point: statements in order, for one thread of a call. */
static inline bool is_single(const struct pstmt *s) {
    return s->kind == PS_SPREAD && s->accs == NULL && constant_points(s->ranges) == 1;
}

/* plan/sync.c: whether a PS_SPREAD is a definition whose points have reductions or definitions that
 * lanes may share; and whether there are definitions among these. */
bool has_inner_spreads(const struct pstmt *s);
bool has_inner_definitions(const struct pstmt *s);
/* plan/portion.c: the only PS_SPREAD at a point of one; NULL: there are several, or none. */
const struct pstmt *lone_reduction(const struct pstmt *s);
/* plan/original.c: the input that a PS_SPREAD copies to all elements of an output; -1: none. */
int copied_input(const struct plan *p, const struct pstmt *s);
/* plan/rows.c: whether a, at a point of the PS_SPREAD s, is b at the point of t of the same number;
 * both have the same ranges. */
bool same_in_spreads(const struct pstmt *s, const struct pval *a, const struct pstmt *t,
                     const struct pval *b);

/* An input's element that several PS_SPREADs of a call read at the same points. */
struct kept {
    const struct pstmt *first; /* the first of them */
    const struct pval *place;  /* in it */
    int offset; /* in shared memory, bytes, among those of a point; -1: it is one for all points, or
                   is found by what the call sets */
    struct kept *next;
};
/* plan/rows.c: that of map.kept which v is in the PS_SPREAD s; NULL: none. */
const struct kept *kept_element(const struct plan *p, const struct pstmt *s, const struct pval *v);

/* plan/scan.c: the bytes of an acc for which GPU threads of other blocks wait. */
int acc_entry(const struct pacc *a);
/* plan/tile.c: the tiling of a phase from `phase` on; NULL: there is none. */
const struct tiling *next_tiling(const struct plan *p, int phase);
bool tiles_calls(const struct plan *p);     /* rows of all tilings are calls */
bool is_matrix(const struct tiling *t);     /* the kernels MATRIX can compute it */
int matrix_columns(const struct tiling *t); /* a thread of theirs has so many, as registers do */
/* plan/sweep.c: the reduction at the points of a definition that goes down rows. */
const struct pstmt *reduction_down(const struct pstmt *s);
/* Bytes of an acc of it in a block's shared memory. */
int sweep_cell(const struct pacc *a);
/* plan/band.c: whether phases may be computed together, a band of rows after the other. */
bool is_banded(const struct plan *p);
/* plan/band_value.c: the plan whose statements bands compute. */
const struct plan *plan_of_bands(const struct plan *p);
/* plan/beside.c: the reduction of a row that threads of a band compute beside the definition
 * `tiles`: the one in front of it, of elements that are loaded ahead, or the one behind it, of
 * those that it stores.  By number of these, the element that it reads, or NULL.  False: there is
 * no such reduction. */
struct row_beside {
    const struct pstmt *reduction;
    const struct pstmt *row; /* the definition that it is of, whose points are rows; NULL: these
                                are calls */
    const struct pval *place[TILE_AHEAD > TILE_MAX_STORES ? TILE_AHEAD : TILE_MAX_STORES];
};
/* The statement of the plan's body that is computed so. */
const struct pstmt *beside_stmt(const struct row_beside *b);
bool find_loaded_beside(const struct plan *p, const struct pstmt *tiles, struct row_beside *b);
bool find_stored_beside(const struct plan *p, const struct pstmt *tiles, struct row_beside *b);
bool has_large_bands(const struct plan *p); /* BAND_64 has them */
/* The range of a definition whose points are rows, where they are results. */
static inline const struct prange *band_row(const struct pstmt *s, bool batched) {
    return batched ? s->ranges->next : s->ranges;
}
/* The operand in whose memory a band has operand k: k, or an array that is the same size, of which
 * nothing is read any more but each element as k's is stored. */
int band_memory(const struct plan *p, int k);

/* Whether the points of a PS_SPREAD may be computed in lanes of a vector. */
static inline bool may_be_lanes(const struct pstmt *s) {
    return !s->ordered && !s->merged && !is_single(s);
}

/* plan/walk.c: walks over a plan.  A visitor is called for a node before the nodes inside it; if it
 * answers WALK_STOP, the walk returns false. */
typedef enum walk value_visitor(const struct pval *v, void *arg);
struct plan_visitor {
    enum walk (*stmt)(const struct pstmt *s, void *arg); /* NULL: WALK_IN */
    value_visitor *value;                                /* NULL: values are not walked over */
    bool joined; /* `joined` of spreads is walked over too */
};
/* Visits a value, which may be NULL, and the values that it is made of. */
bool value_walk(const struct pval *v, value_visitor *visit, void *arg);
/* Visits the values of a statement and of its ranges, but not those of statements inside it. */
bool stmt_values(const struct pstmt *s, value_visitor *visit, void *arg);
/* Visit a statement with the statements inside it, and a list of statements. */
bool stmt_walk(const struct pstmt *s, const struct plan_visitor *visitor, void *arg);
bool plan_walk(const struct pstmt *list, const struct plan_visitor *visitor, void *arg);
/* Which variables, by id, and local arrays behind them, a list sets: plan/shared.c. */
bool *find_written(struct uc *uc, const struct plan *p, const struct pstmt *list);
/* Whether a list, with all that is within it, has one assignment to the variable. */
bool sets_once(const struct pstmt *list, const struct pvar *var);
/* Whether a statement, or one of a list, is or contains a loop or a PS_SPREAD; a PS_PUT. */
bool is_loop(const struct pstmt *s);
bool has_loop(const struct pstmt *list);
bool is_store(const struct pstmt *s);
bool has_store(const struct pstmt *list);
int value_size(const struct pval *v);    /* how many nodes it has; 0 for NULL */
bool is_sign_cast(const struct pval *v); /* it converts a float's sign to a signed integer */
/* plan/slide.c */
/* Elements of a reduction's points that grow by one along one subscript: each point of the
 * definition around it reads the same, or those that its neighbour reads at the next point. */
enum { MAX_SLIDES = 4 };
struct slides {
    struct slide_place {
        const struct pval *place;
        int axis;    /* the subscript */
        bool shifts; /* as it does from one point of the definition to the next */
    } row[MAX_SLIDES];
    int n;
    int widest; /* bytes of an element */
    bool any;   /* one shifts */
};
struct varying;
/* Finds those of the parted reduction s, or the PS_FOR, within a definition, whose index `point`
 * and the variables that vary with it differ.  False: none shifts, or s is not straight code. */
bool find_slides(const struct plan *p, const struct pstmt *s, const struct pvar *point,
                 const struct varying *varying, struct slides *slides);
/* Sets *by to how much v grows as var grows by 1.  False: it does not grow evenly. */
bool value_grows(const struct pval *v, const struct pvar *var, int *by);

struct uc;
/* vary.c */
/* The variables and arrays of a gufunc's plan that vary between lanes.  Lanes are different calls,
 * where LANES_MASKED takes it that those that leave a construct wait at its end for the others; or,
 * within the outermost PS_SPREADs of one call, the last range's indices; or those within the
 * parted reductions. */
enum lanes_of { LANES_CALLS, LANES_MASKED, LANES_POINTS, LANES_PARTS };
struct varying {
    enum lanes_of lanes;
    bool *vars;                  /* by id */
    bool *arrays;                /* by operand; local arrays come behind the operands */
    const struct in_step *steps; /* of the loops that lanes run together; NULL: of none */
};
/* Variables that in a PS_LOOP are the same in all active lanes, but vary behind it: counters of the
 * iterations until each lane leaves. */
struct in_step {
    const struct pstmt *loop;
    const bool *vars; /* by id */
    const struct in_step *next;
};
/* in_step: lanes run loops together: those that begin with one index have one. */
const struct varying *find_varying(struct uc *uc, const struct plan *p, enum lanes_of lanes,
                                   bool in_step);
/* The same where lanes are the last range's indices of `spread`, which is within another. */
const struct varying *find_varying_within(struct uc *uc, const struct plan *p,
                                          const struct pstmt *spread, bool in_step);
/* For code whose lanes are chosen as it is generated: at first nothing varies; then the caller sets
 * what does, and vary_by adds the variables that a list of statements sets by it. */
struct varying *nothing_varies(struct uc *uc, const struct plan *p, enum lanes_of lanes);
void vary_by(struct uc *uc, struct varying *found, const struct pstmt *list);
/* Whether a value varies between lanes; whether it does by itself, not by a part of it. */
bool value_varies(const struct varying *found, const struct pval *v);
bool varies_itself(const struct varying *found, const struct pval *v);
/* vary_step.c: sets x->steps, of the loops in a list. */
void find_in_step(struct uc *uc, const struct plan *p, const struct pstmt *list, struct varying *x);

#endif
