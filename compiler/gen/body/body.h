/* body.h: what the generators for all targets share.  Only gen/ includes it: no other file sees
 * LLVM's types.
 *
 * One generator serves all targets.  A value has `lanes` elements: with 1 it is a scalar and
 * control flow becomes branches (GPU); with more it is a vector and control flow becomes masks
 * (host).  In registers bool is i1, in memory i8. */
#ifndef GEN_BODY_H
#define GEN_BODY_H

#include "affine.h"
#include "gen/llvm.h"

/* An array of the core call being generated: an operand or a local array. */
struct gen_array {
    LLVMValueRef base;                  /* address of its first element, or of lane 0's */
    LLVMValueRef stride[MAX_CORE_RANK]; /* bytes, i64 */
    LLVMValueRef lane_offset;           /* bytes from base, i64 a lane; NULL: 0 in all lanes */
    LLVMValueRef lane_step;  /* host, where lanes are calls: bytes from lane to lane, i64 */
    unsigned align;          /* of base, in bytes, where strides are constants; else 0 */
    unsigned beside;         /* see struct beside; 0: nothing is known */
    int beside_axis;         /* the axis along which points are neighbours */
    bool flat;               /* or its elements at all points of struct beside are side by side */
    bool narrow;             /* offsets in it fit 32 bits */
    bool near;               /* GPU: it is in shared memory: loops have no chunks of it */
    bool common;             /* a local array that all threads of a call have there */
    LLVMValueRef transposed; /* i1: memory has its two axes in the other order; NULL: no */
};

/* Points whose index `var` is `first` and the next, of each of which a body has a copy.  An array's
 * `beside` is the alignment, in bytes, of its element at the first of them where all subscripts are
 * without what is added to indices. */
struct beside {
    const struct pvar *var, *outer;  /* outer: see flat; NULL: `var` alone changes */
    LLVMValueRef first, outer_first; /* i64 */
    int copy;                        /* the point, from 0 on, whose body is generated */
};

/* An element whose value a kernel has loaded already. */
struct held {
    const struct pval *place;
    LLVMValueRef value;
};

/* An element, and the bytes that some of its subscripts add to its address. */
struct begun {
    const struct pval *place;
    unsigned axes;       /* a bit each */
    LLVMValueRef offset; /* i64 */
};
enum { MAX_BEGUN = 8 };

/* Lanes of a value at most: a vector has up to 64 bytes, of which light points have several. */
enum { MOST_LANES = 128 };

/* The positions of points in a range, each `apart` from the one before, or the last one: i32, or
 * i64 where they may not fit. */
struct places_along {
    LLVMValueRef position[MAX_WHOLE], apart; /* apart is NULL: there are none */
};

/* A comparison that has one result in all lanes, although it depends on their index; or a value
 * that is another one in all lanes, or numbers at known distances; or a min or max that varies. */
struct settled {
    const struct pval *value; /* NULL: the end of a list */
    LLVMValueRef truth;       /* i1, of a comparison; or i64, the same number in all lanes */
    const struct pval *same;  /* the other value, or NULL */
    const int *apart;
    LLVMValueRef first; /* lane i's is first + apart[i], i64; or NULL */
};

/* GPU: a loop of the thread; a branch, within that loop if there is one. */
struct surrounding {
    bool loop, branch;
};

struct gen;
struct chunk;
struct threads;
struct host_call;
struct rows;

/* How a core call's work is shared among threads: what is generated outside of its PS_SPREADs. */
struct sharing {
    void (*spread)(struct gen *g, const struct pstmt *s); /* an outermost PS_SPREAD */
    void (*put)(struct gen *g, const struct pstmt *s);    /* a PS_PUT; NULL: as if not shared */
    /* before a statement with `sync`, `sync_blocks`, … set; NULL: nothing */
    void (*sync)(struct gen *g, const struct pstmt *s);
    /* A PS_FOR with accs, a lag or `deal`; NULL, or false: it runs as other loops do. */
    bool (*scan)(struct gen *g, const struct pstmt *s);
    bool (*loop)(struct gen *g, const struct pstmt *s);  /* any other PS_FOR; the same */
    bool (*set)(struct gen *g, const struct pstmt *s);   /* a PS_SET; NULL, or false: as others */
    bool (*until)(struct gen *g, const struct pstmt *s); /* a PS_BLOCK; the same */
    void (*clear)(struct gen *g, const struct pstmt *s); /* a PS_CLEAR of a `common` array */
    bool shares_loops;                                   /* PS_FORs with `shared` are spread too */
    bool within; /* these are the threads of a point: PS_SPREADs in it are shared */
    /* A PS_PUT of all points that are abreast; NULL, or false: each has its own. */
    bool (*put_all)(struct gen *g, const struct pstmt *s);
};

/* What an ordered loop accesses of a row of the thread's call in `elements` iterations, a stage:
 * it is in shared memory, and what comes next on its way to registers. */
struct row_stage {
    const struct pval *place;  /* one of the elements */
    int count, elements, size; /* of an iteration; of a stage, of a chunk: powers of two of these */
    LLVMValueRef *beside;      /* bytes to an iteration's elements, i64; NULL: `count` is 1 */
    unsigned shared;           /* where it begins in the thread's shared memory, in bytes */
    LLVMValueRef stretch;      /* a stage, and this place, are so many times as long, i32 */
    LLVMValueRef *ahead;       /* slots of elements on their way; NULL: none are loaded */
    LLVMValueRef stride;       /* bytes from one iteration's to the next one's, i64 */
    LLVMValueRef rows;         /* i1: the warp copies its rows together; NULL: it never does */
    LLVMValueRef spacing;      /* bytes from row to row, i64, where it does */
    LLVMValueRef vector;       /* i1: and all rows' chunks are aligned to 16 bytes or their size */
    LLVMValueRef skewed, skew; /* i1: rows begin with different iterations; the thread's own row
                                  with this one, i32, else 0.  NULL: they never do */
};

/* Values that a loop stores when a stage is done, which all of a warp's threads compute of
 * variables that it left in shared memory. */
enum { MAX_LATE = 3 };
struct late {
    const struct pstmt *store;
    struct late_part {
        struct row_stage row; /* of the values that a variable, its place, had */
        LLVMValueRef held;    /* slots of a chunk's */
    } part[MAX_LATE];
    int n;
};

/* The elements lo, ..., end - 1 (i32, multiples of a chunk's) of a stage from `lowest` on. */
struct stage_part {
    LLVMValueRef lowest, lo, end;
};

/* How the threads that run an ordered loop together copy their rows: neighbouring threads access
 * neighbours in memory. */
struct row_sharing {
    bool uniform; /* neighbouring calls share what streams access; no function is called */
    bool (*run_together)(struct gen *g, const struct pstmt *loop);
    /* i1: the thread has a row, rather than only helps to copy others'; NULL: all threads have. */
    LLVMValueRef (*has_row)(struct gen *g);
    /* Whether threads that do not run together load short rows directly: in pieces, and a single
     * chunk without a stage.  Other kernels lack the registers. */
    bool (*loads_directly)(struct gen *g);
    /* How many times as long stages are where threads that have no row help: i32. */
    LLVMValueRef (*stretch)(struct gen *g);
    LLVMValueRef (*of_row)(struct gen *g, LLVMValueRef pointer); /* that of who has the row */
    LLVMValueRef (*all_run)(struct gen *g);                      /* i1: all of them have a call */
    LLVMValueRef (*of_first)(struct gen *g, LLVMValueRef v);     /* the value that the first has */
    /* Sets r->spacing, in threads that run together with rows at `own`; i1: it is even. */
    LLVMValueRef (*find_spacing)(struct gen *g, struct row_stage *r, LLVMValueRef own);
    LLVMValueRef (*in_all)(struct gen *g, LLVMValueRef v); /* i1: v is set in all of them */
    void (*meet)(struct gen *g); /* what each stored before, all see afterwards */
    /* The distances between calls' elements at a place, or-ed: a power of two that divides all
     * divides it, and 0 is where calls share it.  NULL: they are not the same throughout. */
    LLVMValueRef (*gaps)(struct gen *g, const struct pval *place);
    void (*reserve)(struct gen *g, struct row_stage *r); /* sets r->ahead */
    /* From memory on its way; from there to shared memory; from there to memory, if the warp copies
     * its rows together.  The part is not empty. */
    void (*fetch)(struct gen *g, const struct row_stage *r, const struct stage_part *part);
    void (*deposit)(struct gen *g, const struct row_stage *r);
    void (*forget)(struct gen *g, const struct row_stage *r); /* nothing is on its way */
    void (*put_back)(struct gen *g, const struct row_stage *r, const struct stage_part *part);
    /* The same of values that are computed late. */
    void (*put_late)(struct gen *g, const struct row_stage *r, const struct late *late,
                     const struct stage_part *part);
    /* The chunk from element `at` (i32) of the thread's row on, from shared memory or to it. */
    void (*take)(struct gen *g, const struct row_stage *r, LLVMValueRef at, LLVMValueRef held);
    void (*give)(struct gen *g, const struct row_stage *r, LLVMValueRef at, LLVMValueRef held);
};

/* Where a variable of the plan is. */
struct gen_var {
    LLVMValueRef slot;  /* alloca of one value */
    LLVMValueRef lanes; /* alloca of one value a lane; NULL where the variable does not vary */
    LLVMValueRef known; /* its constant in an unrolled iteration; NULL: it is in its slot */
};

/* Rows of operands: the places of the PV_ELEM `place` along one subscript, which is from 0 on. */
enum { MAX_NEAR = 2 };
struct near {
    struct near_row {
        const struct pval *place;
        const struct prange *range;
        int axis;                /* the subscript */
        LLVMValueRef base, step; /* of element 0; bytes from element to element, i64 */
    } row[MAX_NEAR];
    int n;
};

/* What the points of a thread read of rows that slide, in registers: element i of a row is that of
 * the turn's first index at its first point, and the next ones. */
struct slide {
    const struct slides *rows;
    LLVMValueRef value[MAX_SLIDES][MAX_SLIDING + SLIDE_BYTES / 4];
    int turn; /* the index at hand among the turn's */
};

/* Points of a PS_SPREAD that are generated abreast, or of one within another. */
struct abreast {
    int points;
    const struct varying *varying;                    /* what differs between them */
    LLVMValueRef *slot[MAX_ABREAST * ABREAST_POINTS]; /* of each, by variable; MAX_SLIDING fit */
    /* Where some were abreast already: those, and what differs between points of one of them.
     * slot[o * each + i] is of point i of outer->points' o. */
    const struct abreast *outer;
    const struct varying *inner;
};

/* What targets do differently in a body. */
struct body_target {
    /* Calls f of the target's libraries on values of g->lanes elements of floating type d.  NULL:
     * the libraries lack it, and builtin.c generates it. */
    LLVMValueRef (*library)(struct gen *g, const struct builtin *f, enum ufc_dtype d,
                            LLVMTypeRef result, LLVMValueRef *args);
    /* Converts a float16's bits to float32, and a float32 to a float16's bits, ties to even.  They
     * give NULL where the processor lacks the instruction: half.c then computes with integers. */
    LLVMValueRef (*widen_half)(struct gen *g, LLVMValueRef v);
    LLVMValueRef (*narrow_half)(struct gen *g, LLVMValueRef v);
    /* Converts a float to an integer of 32 or 64 bits: truncated, saturated, 0 for a NaN; and an
     * integer of at most 32 bits to float64.  NULL: by LLVM's instructions. */
    LLVMValueRef (*to_integer)(struct gen *g, LLVMValueRef v, enum ufc_dtype from,
                               enum ufc_dtype to);
    LLVMValueRef (*to_float64)(struct gen *g, LLVMValueRef v, enum ufc_dtype from);
    /* On float32; called where g->approximate alone, and NULL on targets that never set it. */
    LLVMValueRef (*approximate_sqrt)(struct gen *g, LLVMValueRef a);
    LLVMValueRef (*approximate_divide)(struct gen *g, LLVMValueRef a, LLVMValueRef b);
    /* The 64-bit product of two i32, in one instruction; called where g->narrow alone. */
    LLVMValueRef (*multiply_wide)(struct gen *g, LLVMValueRef a, LLVMValueRef b);
    /* a / d of integers, for which it need not be known that d is not 0.  NULL, or a NULL result: a
     * division is LLVM's. */
    LLVMValueRef (*quotient)(struct gen *g, bool has_sign, LLVMValueRef a, LLVMValueRef d);
    bool (*has_fma)(const struct gen *g); /* the processor has a fused multiply-add */
    /* The processor loads and stores vectors of elements of so many bytes under a mask.  NULL: no.
     */
    bool (*has_masked)(const struct gen *g, unsigned bytes);
    /* The processor loads a vector of 4- or 8-byte elements from anywhere under a mask.  NULL: no.
     */
    bool (*gathers)(const struct gen *g);
    /* Whether it converts vectors of 64-bit integers to float64, and back. */
    bool (*converts_wide)(const struct gen *g);
    unsigned constants; /* the address space of constant tables */
    bool masks_all; /* lanes are in one thread: masks cost less than branches, and loops of a known
                       length are written out */
    bool counts_iterations; /* a loop ends by the number of its iterations, not by its index */
    bool (*loop)(struct gen *g, const struct pstmt *s); /* a PS_FOR of one lane; may be NULL */
    bool shares_fault;    /* several threads may find a subscript out of range at a time */
    bool aligned_vectors; /* a vector access must be aligned to its size, which it can be only where
                             the lanes' index is itself a subscript */
    bool constant_loads;  /* loads of what a kernel does not write are marked invariant.load */
    bool one_select; /* of two conditions of which one holds at most: LLVM's code generator makes
                        two selects of their or, but one of their xor */
};

/* Core dimensions, a bit each, whose sizes are below a limit. */
struct short_sizes {
    uint64_t dims, limit;
};

/* What is being generated: the module, the kernel, the function, the place in it.  Each kernel has
 * a copy of its module's struct, and each further function a copy of its kernel's, so that nothing
 * that is set for one is left for the next. */
struct gen {
    /* The module. */
    struct uc *uc;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef b;
    const struct body_target *target;
    bool approximate; /* GPU, fast_math: contraction, approximate division and square root */
    bool ftz;         /* GPU: float32 subnormals are flushed to zero */
    /* Generates a PS_SPREAD that is not shared; NULL, or false: s->serial is generated instead. */
    bool (*in_order)(struct gen *g, const struct pstmt *s);
    /* Generates a PS_FOR that is not shared; the same, and it runs as other loops do. */
    bool (*steps)(struct gen *g, const struct pstmt *s);
    struct lines *lines; /* NULL: no line information is wanted */

    /* The kernel. */
    const struct plan *plan;
    enum ufc_level level; /* host */
    bool whole_vectors;   /* host: libmvec's functions are called with vectors of the level's width,
                             however many lanes there are, so that bits do not depend on these */
    bool as_lanes;        /* host: functions of one value give the bits that they give in lanes */
    int vector_lanes;     /* lanes of values in vectorised code; 1: the kernel has none */
    const struct varying *varying; /* what varies between lanes; NULL: all, as lanes are elements */
    /* Merges a number into the place of a PS_PUT with `merged`, where threads that share a core
     * call store at a time; NULL: they do not. */
    void (*merge)(struct gen *g, const struct pstmt *s);
    /* GPU, i1: whether an element counts; else any other one of its array may be loaded.  NULL, or
     * a NULL result: it does. */
    LLVMValueRef (*counts)(struct gen *g, const struct pval *v);
    const struct sharing *sharing; /* of the core call, outside of its spreads; NULL: not shared */
    const struct threads *threads; /* gen/gpu/gufunc: the threads that share the core call */
    const struct pval **below;     /* host: exist.c's, by id of an index */
    const struct rows *rows;       /* gen/host: the reductions of rows in points; NULL: none */
    const struct host_call *call;  /* gen/host: the core call that is shared */

    /* The function. */
    LLVMValueRef function;
    struct gen_var *vars;     /* by id */
    struct gen_array *arrays; /* by operand, then the local arrays */
    LLVMValueRef *dims;       /* sizes of core dimensions, i64 */
    LLVMValueRef step;        /* of a plan with steps: the number of this one; else NULL */
    LLVMValueRef inputs[UFC_MAX_OPERANDS];  /* the current element, by operand */
    LLVMValueRef outputs[UFC_MAX_OPERANDS]; /* by operand: slots within the body, then values */
    LLVMValueRef mask;                      /* slot of the active lanes; valid unless all_active */
    LLVMValueRef fault;          /* address of the struct ufc_fault, in builds with checks */
    LLVMValueRef output_at;      /* there, of ufuncs: its place in the first output, i64; or NULL */
    struct {                     /* outline.c */
        struct section **all;    /* the module's; NULL: the target has no sections */
        struct section *current; /* being generated, or NULL */
        struct mentioned *mentioned; /* in the plan; NULL: the body has no sections */
    } sections;

    /* The place. */
    int lanes;
    bool all_active; /* all lanes are active, known as code is generated */
    bool unit;       /* elements that neighbouring lanes access have no gaps between them */
    const struct pvar *lane_var; /* the index whose neighbouring values are lanes */
    LLVMValueRef lane_step;      /* host: how much lane_var grows from lane to lane, i64 */
    LLVMValueRef lane_lo;        /* host: what lane_var begins with, i64; the lanes' points are */
    LLVMValueRef lane_point;     /* number lane_point, i64, and the next; NULL: not known */
    bool whole;                  /* host: there is a point, or a call, for each lane */
    struct short_sizes short_sizes; /* host: what is known of sizes where the code runs */
    const struct settled *settled;  /* a list, or NULL */
    const struct beside *beside;    /* NULL: points are not taken together; run: build.h */
    const struct run *run;
    bool narrow;      /* strides of operands fit 32 bits, sizes are UFC_NARROW_SIZE at most */
    bool short_loops; /* and loops count in 32 bits, where that is enough */
    /* GPU: of a loop of a further range the thread takes the iterations number column, column +
     * columns, …: i64; NULL: all. */
    LLVMValueRef column, columns;
    const struct abreast *abreast; /* the points that statements are generated for; NULL: one */
    int point;                     /* which of those that are abreast the one at hand is; */
    struct places_along along[2]; /* those of a definition, in their range, or a microtile's two; */
    int aside;                    /* points along a microtile's second range; 0: it is none; */
    LLVMValueRef skipped;         /* the first ones are other threads' too, i32; NULL: none is */
    int copies;                   /* copies of a loop's body that unrolling may still make */
    int unhelped;                 /* blocks that only threads with a row run, one in the other */
    int chunk_body;               /* operations of a loop's body that is copied for one, at most */
    bool in_chunks;               /* GPU: ordered loops run in chunks where they can */
    int ahead;                    /* GPU: iterations of ordered loops that do not store, whose
                                     loads are under way at once; 0: one */
    bool reduces;                 /* the loops at hand are a PS_SPREAD's with accs, or in it */
    struct surrounding around;    /* what is around the code */
    int early_copies, early_words; /* GPU: other loops load for so many iterations ahead, into so
                                      many registers at most; 0: they do not; */
    bool early_grouped;            /* and if they store, before these rather than all the while */
    LLVMValueRef scan_rows;        /* GPU: shared memory for scans by whole warps, or NULL */
    struct words_use *words;       /* GPU: the shared words that are one array in the end, */
    struct words_use *joins[2];    /* and those by which blocks join accs, */
    LLVMValueRef join_second;      /* slot, i1: the next join uses the second of these */
    const struct chunk *chunk;     /* the one being generated, or NULL */
    const struct row_sharing
        *row_sharing;          /* who copies their elements; NULL: each thread for itself */
    const struct near *near;   /* GPU: rows that are found in another place; NULL: none */
    const struct slide *slide; /* GPU: NULL: none */
    uint32_t unstored;         /* outputs that are not stored to while the code runs, a bit each */
    const int *memory;         /* BAND: by operand, the one in whose memory it is; NULL: its own */
    bool results_change;       /* GPU: so may what the call's reductions have left */
    /* GPU: an element that another thread keeps; NULL, or a NULL result: it is in memory. */
    LLVMValueRef (*exchange)(struct gen *g, const struct pval *v);
    const struct held *held; /* nheld elements that need not be loaded */
    int nheld;
    const struct begun *begun; /* nbegun elements whose addresses are computed in part */
    int nbegun;
    /* Generates the PV_OP v, a division of `a`; NULL, or a NULL result: as on its own. */
    LLVMValueRef (*quotient)(struct gen *g, const struct pval *v, LLVMValueRef a);
    /* Generates subscript i of an element; NULL, or a NULL result: its value. */
    LLVMValueRef (*subscript)(struct gen *g, const struct pval *place, int i);
    /* NULL, or what the value of a variable is where its slot has v. */
    LLVMValueRef (*index)(struct gen *g, const struct pvar *var, LLVMValueRef v);
    const struct pvar *cut[HALO_AXES]; /* HALO: the indices of the definition along axes */
    LLVMBasicBlockRef stop; /* where control goes on a subscript out of range; NULL: it goes on */
    struct scope *scope;    /* the innermost construct that can be left */
};

/* Begins a loop's body; gives what was around the loop, which loop_leave sets again. */
static inline struct surrounding loop_enter(struct gen *g) {
    struct surrounding outer = g->around;
    g->around = (struct surrounding){.loop = true};
    return outer;
}

static inline void loop_leave(struct gen *g, struct surrounding outer) {
    g->around = outer;
}

static inline struct gen_var *var_of(struct gen *g, const struct pvar *v) {
    return &g->vars[v->id];
}

/* body.c */
/* Generates a ufunc's body, from g->inputs to g->outputs, at the builder's place.  A subscript out
 * of range is recorded in g->fault, and the rest of the body is skipped. */
void gen_body(struct gen *g);
/* Makes slots for the plan's variables: one value each, and, with lanes > 1, one value a lane for
 * those that vary. */
void gen_variables(struct gen *g, int lanes);
void gen_lane_slots(struct gen *g, int lanes); /* the slots of one value a lane alone */
LLVMBasicBlockRef gen_block(struct gen *g, const char *name);
void gen_place(struct gen *g, LLVMBasicBlockRef block); /* the builder goes to the block's end */
LLVMValueRef gen_alloca(struct gen *g, LLVMTypeRef type, const char *name); /* in the entry block */
/* i1: whether a condition, a scalar or a vector, holds in any lane. */
LLVMValueRef gen_any(struct gen *g, LLVMValueRef condition);

/* A loop that carries up to five values, while a condition holds in any lane: loop_begin; compute
 * the condition from l.phi; loop_while; compute the next values from l.phi; loop_end. */
struct loop {
    LLVMBasicBlockRef header, exit;
    LLVMValueRef phi[5];
    int n;
    bool keep; /* it is not unrolled, which would take more registers, or time to find that it
                  cannot */
};
void loop_begin(struct gen *g, struct loop *l, int n, LLVMValueRef *first);
void loop_while(struct gen *g, struct loop *l, LLVMValueRef condition);
void loop_end(struct gen *g, struct loop *l, LLVMValueRef *next);

/* A value of the plan, in g->lanes lanes. */
LLVMValueRef gen_value(struct gen *g, const struct pval *v);
void gen_stmts(struct gen *g, const struct pstmt *s); /* a list of statements */
void gen_each(struct gen *g, const struct pstmt *s);  /* a PS_FOR, one iteration at a time */
/* Those of a list that come before `behind`. */
void gen_list(struct gen *g, const struct pstmt *s, const struct pstmt *behind);
/* What is settled about v at g's place, or NULL. */
const struct settled *gen_settled(const struct gen *g, const struct pval *v);
/* The argument that varies of a min or max of which one does. */
const struct pval *gen_varying_argument(struct gen *g, const struct pval *v);
/* Whether a value differs between lanes, where there are several. */
bool gen_varies(struct gen *g, const struct pval *v);
/* Whether a variable has a slot of one value a lane in vectorised code. */
bool gen_var_varies(struct gen *g, const struct pvar *v);
/* args[0] * args[1] + args[2] of a PV_FMA: in one instruction where the processor has it. */
LLVMValueRef gen_add_product(struct gen *g, LLVMValueRef *args);
/* A variable's slot at g's place, and what it holds: one value, or one a lane. */
LLVMValueRef gen_slot_of(struct gen *g, const struct pvar *v);
LLVMTypeRef gen_slot_type(struct gen *g, const struct pvar *v);
/* A value that does not vary, as a scalar. */
LLVMValueRef gen_scalar(struct gen *g, const struct pval *v);
/* i1: has a range of these bounds a point? */
LLVMValueRef gen_enters(struct gen *g, LLVMValueRef lo, LLVMValueRef hi, LLVMValueRef step);
/* The number of points of a range, of the bounds' type; at least 0. */
LLVMValueRef gen_count(struct gen *g, LLVMValueRef lo, LLVMValueRef hi, LLVMValueRef step);
/* Sets a loop's index, the same in all lanes. */
void gen_set_index(struct gen *g, const struct pvar *v, LLVMValueRef i);
void gen_for_counted(struct gen *g, const struct pstmt *s); /* count.c: a PS_FOR, on GPUs */

/* stmt.c */
/* Whether s, a PS_IF, only sets variables to what costs less than a branch: with lanes, without
 * one. *loads: it reads elements, of neighbours, under a mask. */
bool gen_is_choice(struct gen *g, const struct pstmt *s, bool *loads);
/* What varies in the PS_LOOP s. */
const struct varying *gen_varying_in(struct gen *g, const struct pstmt *s);
/* Makes the first `left` (i64) lanes the active ones. */
void gen_active_lanes(struct gen *g, LLVMValueRef left);
/* The PS_FOR s from lo to hi by step, which are the same in all lanes. */
void gen_for_uniform(struct gen *g, const struct pstmt *s, LLVMValueRef lo, LLVMValueRef hi,
                     LLVMValueRef step);

/* outline.c */
/* Called before the statements of g->plan's body are generated: decides whether the body is so long
 * that it is generated in sections. */
void outline_body(struct gen *g);
/* The statement behind the section that begins with s, of those up to `behind`; s itself: no
 * section begins there. */
const struct pstmt *section_end(const struct gen *g, const struct pstmt *s,
                                const struct pstmt *behind);
/* Called before and after the statements [s, end) of a section are generated. */
void section_begin(struct gen *g, const struct pstmt *s, const struct pstmt *end);
void section_finish(struct gen *g);
/* Called before a branch out of the current section is generated. */
void section_leave(struct gen *g);
/* Makes functions of all sections of the module, which is complete. */
void outline_sections(struct gen *g);

/* array.c */
LLVMValueRef gen_dynamic_splat(struct gen *g, LLVMValueRef v); /* a scalar in all lanes */
LLVMValueRef gen_lane_numbers(struct gen *g);                  /* 0, 1, …, i64 */
/* Allocates the local arrays and sets their part of g->arrays. */
void gen_local_arrays(struct gen *g);
void gen_clear(struct gen *g, const struct pstmt *s);          /* a PS_CLEAR */
LLVMValueRef gen_element(struct gen *g, const struct pval *v); /* a PV_ELEM */
/* The element of PV_ELEM v's array at `offset` bytes, i64, from its base. */
LLVMValueRef gen_element_at(struct gen *g, const struct pval *v, LLVMValueRef offset);
/* The one at an address in the array; align: in bytes. */
LLVMValueRef gen_element_aligned(struct gen *g, const struct pval *v, LLVMValueRef at,
                                 unsigned align);
void gen_store_to(struct gen *g, const struct pval *place, LLVMValueRef v); /* in active lanes */
/* A PS_PUT by the thread itself: a store, or where threads merge what they store, an atomic
 * operation. */
void gen_put_here(struct gen *g, const struct pstmt *s);
/* The address of PV_ELEM v in lane 0; its subscripts are not tested. */
LLVMValueRef gen_address(struct gen *g, const struct pval *v);
/* What the subscripts of `axes`, a bit each, add to an element's address, i64. */
LLVMValueRef gen_part_of_offset(struct gen *g, const struct pval *v, unsigned axes);
/* A vector of v's array at an address, aligned to `align` bytes. */
LLVMValueRef gen_vector(struct gen *g, const struct pval *v, LLVMTypeRef type, LLVMValueRef at,
                        unsigned align);
/* Whether vectors of v's elements can be accessed under a mask. */
bool gen_has_masked(struct gen *g, const struct pval *v);
/* Marks a load of PV_ELEM v's array as invariant where the array is not stored to. */
void gen_mark_constant(struct gen *g, const struct pval *v, LLVMValueRef load);
/* The same of any load of what nothing stores to while the code runs. */
void gen_set_invariant(struct gen *g, LLVMValueRef load);

/* scope.c */
/* Marks a store to an output as one to no other. */
void gen_mark_store(struct gen *g, const struct pval *place, LLVMValueRef store);

/* abreast.c */
/* Prepares ABREAST_POINTS points of the PS_SPREAD s, for each of those that are abreast already.
 * False: nothing in its body is for all of them. */
bool abreast_begin(struct gen *g, struct abreast *a, const struct pstmt *s);
/* Prepares n points of the definition s, whose index `var` differs; and `other`, unless it is NULL.
 */
void abreast_begin_points(struct gen *g, struct abreast *a, const struct pstmt *s,
                          const struct pvar *var, const struct pvar *other, int n);
/* Makes point k the one at hand: its slots are those of the variables. */
void abreast_take(struct gen *g, const struct abreast *a, int k);
/* Of points within outer ones: inner point k at all outer ones, or all inner ones at outer k. */
struct abreast abreast_at_inner(const struct abreast *a, int k);
struct abreast abreast_at_outer(const struct abreast *a, int k);
/* Whether a statement needs a copy for each point, between which v varies; else what it holds may.
 */
bool statement_differs(const struct varying *v, const struct pstmt *s);

/* begun.c */
/* Begins the addresses of at most MAX_BEGUN elements of s, a conditional of which each point that
 * is abreast has a copy, until g->nbegun is 0. */
void gen_begin_elements(struct gen *g, const struct pstmt *s, struct begun *found);
const struct begun *gen_begun(const struct gen *g, const struct pval *v); /* NULL: it is not */

/* wide.c */
enum { WIDE_BYTES = 16 };
/* What is known of the arrays of a loop in its wide form. */
struct wide {
    struct gen_array *arrays;
    unsigned element; /* bytes of the smallest element of a row */
};
/* i1: the rows that a loop goes along are such that its wide form may run; NULL: it has none. */
LLVMValueRef gen_wide_rows(struct gen *g, const struct pstmt *s, struct wide *wide);

/* copies.c */
/* A loop of a further range, whose iterations neighbouring threads share. */
void gen_for_shared(struct gen *g, const struct pstmt *s);
/* A PS_FOR that does not store, with several iterations in one.  False: nothing is generated. */
bool gen_in_copies(struct gen *g, const struct pstmt *s);
/* Whether a PS_FOR has many points shared out by functions, which copies of it would repeat. */
bool shares_common_points(struct gen *g, const struct pstmt *s);

/* early.c */
/* Of threads that run alone, with arrays in shared memory; of points beside others of a block. */
enum { EARLY_WORDS = 64, EARLY_COPIES = 4, EARLY_POINT_COPIES = 8 };
/* Generates a small PS_FOR with loads for iterations ahead.  False: nothing is generated. */
bool gen_early(struct gen *g, const struct pstmt *s);

/* chunk.c */
/* Generates the PS_FOR s in chunks.  inner: it is in another.  False: nothing is generated. */
bool gen_in_chunks(struct gen *g, const struct pstmt *s, bool inner);
/* A PS_FOR that stores, of a thread alone, where all elements of rows come as vectors.  Goes on at
 * other places, for end_if; NULL: nothing is generated. */
LLVMBasicBlockRef gen_in_vectors(struct gen *g, const struct pstmt *s);
/* The slot that holds a PV_ELEM in the chunk being generated; NULL: memory does.  behind: both. */
LLVMValueRef chunk_slot(struct gen *g, const struct pval *place, bool *behind);
/* Whether the value is computed when the chunk's stage is done (late.c): then what it is made of is
 * kept. */
bool chunk_puts_late(struct gen *g, const struct pstmt *store);

/* exist.c: whether the PV_ELEM v is an element of its array whatever the sizes are */
void gen_find_bounds(struct gen *g);                  /* sets g->below */
bool gen_exists(struct gen *g, const struct pval *v); /* in all lanes, active or not */
bool gen_exists_at_indices(const struct gen *g, const struct pval *v); /* in one */

/* check.c */
/* Compares subscript i of v with its size, and records it in g->fault where it is out of range.
 * With a g->stop control goes there in that case, and the result is NULL; without, control goes on,
 * and the result is an i1, whether the subscript is in range. */
LLVMValueRef gen_check(struct gen *g, const struct pval *v, int i, LLVMValueRef index);
/* A PS_ASSERT. */
void gen_assert(struct gen *g, const struct pstmt *s);
/* Whether subscripts in the list s are tested, or it has assertions. */
bool gen_is_checked(const struct pstmt *s);

/* op.c: types, constants, operators, conversions */
LLVMTypeRef gen_scalar_type(struct gen *g, enum ufc_dtype d); /* in a register */
LLVMTypeRef gen_memory_type(struct gen *g, enum ufc_dtype d); /* one element in memory */
LLVMTypeRef gen_lanes_of(struct gen *g, LLVMTypeRef scalar);  /* a vector of g->lanes scalars */
LLVMTypeRef gen_type(struct gen *g, enum ufc_dtype d);        /* in registers, in g->lanes */
LLVMTypeRef gen_int_type(struct gen *g, int bits);            /* iN, in g->lanes */
LLVMValueRef gen_splat(struct gen *g, LLVMValueRef scalar);   /* a constant in all lanes */
LLVMValueRef gen_int(struct gen *g, enum ufc_dtype d, int64_t value);
LLVMValueRef gen_float(struct gen *g, enum ufc_dtype d, double value);
unsigned gen_intrinsic_id(const char *name); /* of llvm.<name> */
/* Calls llvm.<name>, overloaded on the type of the first argument, or on the result's type `other`
 * and that, if `other` is not NULL. */
LLVMValueRef gen_intrinsic(struct gen *g, const char *name, LLVMTypeRef other, LLVMValueRef *args,
                           int nargs);
LLVMValueRef gen_op(struct gen *g, enum op op, enum ufc_dtype d, LLVMValueRef a, LLVMValueRef b);
/* a // b and a % b of integers, where b is a power of two, 1 or more. */
LLVMValueRef gen_by_power(struct gen *g, enum op op, enum ufc_dtype t, LLVMValueRef a,
                          LLVMValueRef b);
/* A shift of an int32 by 0 to 31. */
LLVMValueRef gen_word_shift(struct gen *g, enum op op, LLVMValueRef a, LLVMValueRef n);
LLVMValueRef gen_cast(struct gen *g, LLVMValueRef v, enum ufc_dtype from, enum ufc_dtype to);
LLVMValueRef gen_not(struct gen *g, LLVMValueRef v);
LLVMValueRef gen_sqrt(struct gen *g, enum ufc_dtype d, LLVMValueRef a);
LLVMValueRef gen_divide(struct gen *g, enum ufc_dtype d, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef gen_select(struct gen *g, LLVMValueRef c, LLVMValueRef a, LLVMValueRef b);
/* An element at an address, aligned to `align` bytes; memory: its type there, or a vector of
 * g->lanes of them. */
LLVMValueRef gen_load_element(struct gen *g, enum ufc_dtype d, LLVMTypeRef memory, LLVMValueRef at,
                              unsigned align);
void gen_store_element(struct gen *g, LLVMTypeRef memory, LLVMValueRef v, LLVMValueRef at,
                       unsigned align);

/* half.c */
/* gen_cast where a half or a complex type is converted, or converted to. */
LLVMValueRef gen_cast_stored(struct gen *g, LLVMValueRef v, enum ufc_dtype from, enum ufc_dtype to);
/* The real (0) or imaginary part (1) of values of the complex type d. */
LLVMValueRef gen_part(struct gen *g, enum ufc_dtype d, LLVMValueRef v, int part);
/* Values of the complex type d from their parts. */
LLVMValueRef gen_pack(struct gen *g, enum ufc_dtype d, LLVMValueRef re, LLVMValueRef im);

/* merge.c: of a PS_PUT with `merged` */
/* The integer type in which elements are merged. */
static inline enum ufc_dtype merged_dtype(enum ufc_dtype d) {
    return d == DT_BOOL ? DT_UINT8 : d;
}
LLVMValueRef gen_merged(struct gen *g, const struct pstmt *s); /* the number that is merged */
/* Two such numbers, of integer type d, which may be wider than the place's, as one. */
LLVMValueRef gen_joined(struct gen *g, const struct pstmt *s, enum ufc_dtype d, LLVMValueRef a,
                        LLVMValueRef b);
/* Merges v into an element of integer type d at an address, where other threads may at that time.
 */
void gen_merge_at(struct gen *g, const struct pstmt *s, enum ufc_dtype d, LLVMValueRef at,
                  LLVMValueRef v);
void gen_merge(struct gen *g, const struct pstmt *s); /* g->merge: in memory */
/* The same by a thread that is alone, which stores only what changes. */
void gen_merge_alone(struct gen *g, const struct pstmt *s);

/* builtin.c */
/* Result number `result` of f, of LLVM type `type`.  d: the dtype that f computes in: the first
 * floating one among its arguments, else the result's. */
LLVMValueRef gen_builtin(struct gen *g, const struct builtin *f, int result, enum ufc_dtype d,
                         LLVMTypeRef type, LLVMValueRef *args);

/* lines.c: line information; without lines_begin the others do nothing */
struct lines {
    LLVMDIBuilderRef builder;
    LLVMMetadataRef file;
    LLVMValueRef function; /* where the builder is */
};
void lines_begin(struct gen *g, struct lines *l, bool tables); /* tables: for the host */
void lines_enter(struct gen *g, LLVMValueRef f);               /* what is generated next is in f */
void lines_at(struct gen *g, struct span at);    /* what is generated next is from this place */
void lines_moved(struct gen *g, LLVMValueRef f); /* f has instructions of another function */
void lines_end(struct gen *g);                   /* before passes run */

/* cost.c */
/* Instructions of a function, not counted far beyond LARGE_BODY.  A call counts as CALL_COST, since
 * it may be inlined, a loop as LARGE_BODY, for its iterations. */
int body_size(LLVMValueRef element);
/* Operations of a list of statements, not counted far beyond `limit`; a branch or a loop counts as
 * the limit. */
int body_cost(const struct pstmt *s, int limit);
/* The cost of running an arm of a conditional that no lane takes, not counted far beyond `limit`;
 * at least that where it must not run. */
int arm_cost(struct gen *g, const struct pstmt *s, int limit);

/* table.c */
/* An element of a constant table: a constant where its subscripts are. */
LLVMValueRef gen_table(struct gen *g, const struct pval *v);

/* dims.c */
/* The value of terms of core dimensions' sizes, i64; NULL where there are no terms. */
LLVMValueRef gen_terms(struct gen *g, const struct ufc_term *terms, int nterms);
/* Sets g->dims of the core dimensions that are numbers in the source. */
void gen_fixed_dims(struct gen *g);
/* What lies at a byte offset of what the code is given, as a constant of a type; NULL: it is not
 * the same for all calls, or g->plan is for any calls.  *known: what is known of it. */
LLVMValueRef gen_known(struct gen *g, LLVMTypeRef type, size_t offset, enum ufc_knowledge *known);
/* An input that is a number, in all lanes, in host code that knows it; else NULL. */
LLVMValueRef gen_known_input(struct gen *g, int operand);

/* lanes.c */
/* From lanes_enter to lanes_leave, which restores g, values have `lanes` elements, all lanes are
 * active, and neighbouring lanes' elements are not known to be without gaps. */
struct lanes_scope {
    int lanes;
    bool unit, all_active;
};
struct lanes_scope lanes_enter(struct gen *g, int lanes);
void lanes_leave(struct gen *g, struct lanes_scope outer);
/* Sets the accs in all lanes to the accs of one value, which hold the identity. */
void lanes_begin(struct gen *g, const struct pacc *a);
/* Joins the accs of all lanes into those of one value. */
void lanes_join(struct gen *g, const struct pstmt *s);

#endif
