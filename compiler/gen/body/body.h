/* body.h: what the generators share.  Only what is in gen/ includes it: nothing else sees LLVM's
 * types.
 *
 * One generator serves both targets.  A value has `lanes` elements: with 1 it is a scalar and
 * control flow becomes branches (GPU); with more it is a vector and control flow becomes masks
 * (host).  In registers bool is i1, in memory i8. */
#ifndef GEN_BODY_H
#define GEN_BODY_H

#include "gen/llvm.h"

/* An array of the call being generated. */
struct gen_array {
    LLVMValueRef base;                  /* its first element, or that of lane 0 */
    LLVMValueRef stride[MAX_CORE_RANK]; /* bytes, i64 */
    LLVMValueRef lane_offset;           /* bytes from base, of each lane; NULL: none */
    LLVMValueRef lane_step;             /* host: of lane 1, i64, where lanes are calls */
    unsigned align;                     /* of base, where strides are constants; else 0 */
    LLVMValueRef transposed;            /* i1: its two axes are in the other order; NULL: no */
};

/* The value of an element that a kernel with shared memory has at hand. */
struct held {
    const struct pval *place; /* NULL: none */
    LLVMValueRef value;
};

struct gen;
struct threads;
struct host_call;

/* How a call's work is shared: what becomes of statements outside of its PS_SPREADs. */
struct sharing {
    void (*spread)(struct gen *g, const struct pstmt *s); /* an outermost PS_SPREAD */
    void (*put)(struct gen *g, const struct pstmt *s);    /* a PS_PUT; NULL: as it is elsewhere */
    void (*sync)(struct gen *g); /* before a statement that asks for it; NULL: nothing */
};

/* Where a variable of the plan is. */
struct gen_var {
    LLVMValueRef slot, lanes; /* of one value; of one a lane, where it varies */
    LLVMValueRef known;       /* its constant, where a loop is unrolled; NULL: it is in its slot */
};

/* What targets do differently in a body. */
struct body_target {
    /* A function of the target's libraries on values of g->lanes elements; d: its floating type.
     * NULL: they have none, and builtin.c writes it. */
    LLVMValueRef (*library)(struct gen *g, const struct builtin *f, enum ufc_dtype d,
                            LLVMTypeRef result, LLVMValueRef *args);
    /* The float32 of a float16's bits, and back, rounded to even; a NaN keeps its sign.  NULL: the
     * processor has no such instruction, and half.c computes with bits. */
    LLVMValueRef (*widen_half)(struct gen *g, LLVMValueRef v);
    LLVMValueRef (*narrow_half)(struct gen *g, LLVMValueRef v);
    /* Of float32, where g->approximate. */
    LLVMValueRef (*approximate_sqrt)(struct gen *g, LLVMValueRef a);
    LLVMValueRef (*approximate_divide)(struct gen *g, LLVMValueRef a, LLVMValueRef b);
    bool (*has_fma)(const struct gen *g); /* the processor, as an instruction */
    bool counts_turns;    /* a loop ends by the number of its turns, not by its index */
    bool shares_fault;    /* several threads may find a subscript out of range at a time */
    bool aligned_vectors; /* an access of a vector must be aligned as a whole, as it is where the
                             subscript is the lanes' index itself */
    bool constant_loads;  /* loads of what a kernel does not write gain by being marked as such */
};

/* What is being generated, from the outside in.  Each kernel's is a copy of its module's, that of a
 * function beside it a copy of its kernel's: nothing that is set for one is left for the next. */
struct gen {
    /* The module. */
    struct uc *uc;
    LLVMContextRef context;
    LLVMModuleRef module;
    LLVMBuilderRef b;
    const struct body_target *target;
    bool approximate; /* GPU, fast_math: contraction, approximate division and square root */
    bool ftz;         /* GPU */
    /* A reduction of one range, in order, in another way; false: in the plain one. */
    bool (*in_order)(struct gen *g, const struct pstmt *s);
    struct {                      /* of the source, on a GPU */
        LLVMDIBuilderRef builder; /* NULL: none are wanted */
        LLVMMetadataRef file, subprogram;
    } lines;

    /* The kernel. */
    const struct plan *plan;
    enum ufc_level level; /* host */
    bool whole_vectors;   /* host: libmvec's functions of the level's width for any number of lanes,
                             which gives the same bits */
    bool as_lanes;        /* host: functions of one value give the bits that they give in lanes */
    int most_lanes;       /* lanes where there are several */
    const struct varying *varying; /* between lanes; NULL: all does, as lanes are elements */
    const struct sharing *sharing; /* of the call, outside of its spreads; NULL: all is in order */
    const struct threads *threads; /* gen/gpu/gufunc: those that share it */
    const struct host_call *call;  /* gen/host: the one that is shared */

    /* The function. */
    LLVMValueRef function;
    struct gen_var *vars;                   /* by id */
    struct gen_array *arrays;               /* by operand, and local arrays behind */
    LLVMValueRef *dims;                     /* sizes of core dimensions, i64 */
    LLVMValueRef inputs[UFC_MAX_OPERANDS];  /* the current element, by operand */
    LLVMValueRef outputs[UFC_MAX_OPERANDS]; /* by operand: slots within the body, then values */
    LLVMValueRef mask;                      /* slot of the active lanes; valid unless all_active */
    LLVMValueRef fault;                     /* the struct ufc_fault for a subscript out of range */
    struct {                                /* host, outline.c */
        struct section **all;               /* of the module; NULL: there are none */
        struct section *current;            /* being generated, or NULL */
        struct mentioned *mentioned;        /* by variable; NULL: the body is in no sections */
    } sections;

    /* The place. */
    int lanes;
    bool all_active;             /* of them; known at compile time */
    bool unit;                   /* what lies along lane_var does so without gaps */
    const struct pvar *lane_var; /* the index of the points that are lanes */
    LLVMValueRef lane_step;      /* host: how much that grows from lane to lane, i64 */
    int copies;                  /* of a body that loops may still be unrolled to; 0: none are */
    const struct held *held;     /* two, of which some are none; or NULL */
    LLVMBasicBlockRef stop;      /* where a subscript out of range leads; NULL: on */
    struct scope *scope;         /* the innermost construct that can be left */
};

static inline struct gen_var *var_of(struct gen *g, const struct pvar *v) {
    return &g->vars[v->id];
}

/* body.c: the element body.  From g->inputs to g->outputs, at the builder's place.  A subscript out
 * of range is recorded in g->fault, and ends it. */
void gen_body(struct gen *g);
/* Slots for the plan's variables, of one value, and of one a lane for those that vary. */
void gen_variables(struct gen *g, int lanes);
void gen_lane_slots(struct gen *g, int lanes); /* the latter alone */
LLVMBasicBlockRef gen_block(struct gen *g, const char *name);
void gen_place(struct gen *g, LLVMBasicBlockRef block);
LLVMValueRef gen_alloca(struct gen *g, LLVMTypeRef type, const char *name); /* in the entry block */
/* A scalar or vector condition as one i1: does it hold in any lane? */
LLVMValueRef gen_any(struct gen *g, LLVMValueRef condition);

/* A loop over up to five values, while a condition holds in any lane:
 * begin, then the condition from l.phi, while, then the next values from l.phi, end. */
struct loop {
    LLVMBasicBlockRef header, exit;
    LLVMValueRef phi[5];
    int n;
    bool keep; /* it stays a loop: no more registers than one turn takes */
};
void loop_begin(struct gen *g, struct loop *l, int n, LLVMValueRef *first);
void loop_while(struct gen *g, struct loop *l, LLVMValueRef condition);
void loop_end(struct gen *g, struct loop *l, LLVMValueRef *next);

/* The same for a value of the plan and its statements. */
LLVMValueRef gen_value(struct gen *g, const struct pval *v);
void gen_stmts(struct gen *g, const struct pstmt *s);
/* The same with the values of two elements, which are not loaded. */
void gen_stmts_with(struct gen *g, const struct pstmt *s, const struct held held[2]);
/* Whether a value differs between lanes, where there are several. */
bool gen_varies(struct gen *g, const struct pval *v);
/* Whether a variable has a slot of one value a lane, for where there are lanes. */
bool gen_var_varies(struct gen *g, const struct pvar *v);
/* args[0] * args[1] + args[2] of a PV_FMA: in one instruction where the processor has it. */
LLVMValueRef gen_add_product(struct gen *g, LLVMValueRef *args);
/* Where a variable is kept, and of what type that is: one value, or one a lane. */
LLVMValueRef gen_slot_of(struct gen *g, const struct pvar *v);
LLVMTypeRef gen_slot_type(struct gen *g, const struct pvar *v);
/* v in one lane, which holds for all. */
LLVMValueRef gen_scalar(struct gen *g, const struct pval *v);
/* How many points a range has: i64, at least 0. */
LLVMValueRef gen_count(struct gen *g, LLVMValueRef lo, LLVMValueRef hi, LLVMValueRef step);

/* Makes the first `left` (i64) of the lanes the active ones. */
void gen_active_lanes(struct gen *g, LLVMValueRef left);

/* stmt.c: the PS_FOR s with bounds that are the same for all lanes. */
void gen_for_uniform(struct gen *g, const struct pstmt *s, LLVMValueRef lo, LLVMValueRef hi,
                     LLVMValueRef step);

/* outline.c */
/* Before the statements of g->plan's body, or of a part of it: is it so long that it is generated
 * in sections? */
void outline_body(struct gen *g);
/* The statement behind the section that begins with s; s: none does. */
const struct pstmt *section_end(const struct gen *g, const struct pstmt *s);
/* Around the generation of the statements from s to end. */
void section_begin(struct gen *g, const struct pstmt *s, const struct pstmt *end);
void section_finish(struct gen *g);
/* Before a branch out of the section. */
void section_leave(struct gen *g);
/* Makes functions of all sections of the module. */
void outline_sections(struct gen *g);

/* array.c */
LLVMValueRef gen_dynamic_splat(struct gen *g, LLVMValueRef v);
LLVMValueRef gen_lane_numbers(struct gen *g); /* 0, 1, …, i64 */
/* Fills the local arrays' part of g->arrays. */
void gen_local_arrays(struct gen *g);
void gen_clear(struct gen *g, const struct pstmt *s);
LLVMValueRef gen_element(struct gen *g, const struct pval *v); /* a PV_ELEM */
/* v's element at `offset` bytes, i64, from the array's base. */
LLVMValueRef gen_element_at(struct gen *g, const struct pval *v, LLVMValueRef offset);
LLVMValueRef gen_element_aligned(struct gen *g, const struct pval *v, LLVMValueRef offset,
                                 unsigned align);
void gen_store_to(struct gen *g, const struct pval *place, LLVMValueRef v);
/* The subscript of an operand's element that is the lane's index, where no other one varies; -1. */
int gen_lane_axis(struct gen *g, const struct pval *v);
/* How much v grows from lane to lane; false: not by the same each time. */
bool gen_lane_affine(struct gen *g, const struct pval *v, int *by);
/* Do the subscripts of an operand's element grow so, where lanes are points of a PS_SPREAD? */
bool gen_is_affine(struct gen *g, const struct pval *v);

/* check.c */
/* Compares subscript i of v with its size, and records it where it is out of range; then goes to
 * g->stop, or, without one, on: whether it is in range.  Else NULL: it is. */
LLVMValueRef gen_check(struct gen *g, const struct pval *v, int i, LLVMValueRef index);
/* Are there subscripts to test in s? */
bool gen_is_checked(const struct pstmt *s);

/* op.c: types, constants, operators, conversions */
LLVMTypeRef gen_scalar_type(struct gen *g, enum ufc_dtype d); /* in a register */
LLVMTypeRef gen_memory_type(struct gen *g, enum ufc_dtype d); /* one element in memory */
LLVMTypeRef gen_lanes_of(struct gen *g, LLVMTypeRef scalar);  /* g->lanes of it */
LLVMTypeRef gen_type(struct gen *g, enum ufc_dtype d);
LLVMTypeRef gen_int_type(struct gen *g, int bits);          /* g->lanes of iN */
LLVMValueRef gen_splat(struct gen *g, LLVMValueRef scalar); /* of a constant */
LLVMValueRef gen_int(struct gen *g, enum ufc_dtype d, int64_t value);
LLVMValueRef gen_float(struct gen *g, enum ufc_dtype d, double value);
unsigned gen_intrinsic_id(const char *name); /* of llvm.<name> */
/* llvm.<name>, overloaded on the type of the first argument (and of `other`, if not NULL). */
LLVMValueRef gen_intrinsic(struct gen *g, const char *name, LLVMTypeRef other, LLVMValueRef *args,
                           int nargs);
LLVMValueRef gen_op(struct gen *g, enum op op, enum ufc_dtype d, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef gen_cast(struct gen *g, LLVMValueRef v, enum ufc_dtype from, enum ufc_dtype to);
LLVMValueRef gen_not(struct gen *g, LLVMValueRef v);
LLVMValueRef gen_sqrt(struct gen *g, enum ufc_dtype d, LLVMValueRef a);
LLVMValueRef gen_divide(struct gen *g, enum ufc_dtype d, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef gen_select(struct gen *g, LLVMValueRef c, LLVMValueRef a, LLVMValueRef b);
LLVMValueRef gen_load_element(struct gen *g, enum ufc_dtype d, LLVMTypeRef memory, LLVMValueRef at,
                              unsigned align);
void gen_store_element(struct gen *g, LLVMTypeRef memory, LLVMValueRef v, LLVMValueRef at,
                       unsigned align);

/* half.c */
/* From or to a half or a complex type. */
LLVMValueRef gen_cast_stored(struct gen *g, LLVMValueRef v, enum ufc_dtype from, enum ufc_dtype to);
/* The real (0) or imaginary part (1) of values of the complex type d; values of their parts. */
LLVMValueRef gen_part(struct gen *g, enum ufc_dtype d, LLVMValueRef v, int part);
LLVMValueRef gen_pack(struct gen *g, enum ufc_dtype d, LLVMValueRef re, LLVMValueRef im);

/* builtin.c */
/* d: the type of the result, or of the argument where that is floating and the result isn't. */
LLVMValueRef gen_builtin(struct gen *g, const struct builtin *f, int result, enum ufc_dtype d,
                         LLVMTypeRef type, LLVMValueRef *args);

/* lines.c: the source's lines, without effect before lines_begin */
void lines_begin(struct gen *g);
void lines_function(struct gen *g, struct span at); /* g->function, just begun */
void lines_at(struct gen *g, struct span at);       /* of what is generated next */
void lines_end(struct gen *g);                      /* before passes */

/* cost.c */
/* A body's instructions; a call counts for what may be inlined there, a loop for its turns. */
int body_size(LLVMValueRef element); /* not counted far beyond LARGE_BODY */
/* Operations of a body without branches and loops, up to a limit; with one it is reached. */
int body_cost(const struct pstmt *s, int limit);

/* dims.c */
/* What terms of sizes come to, i64; NULL where there are none. */
LLVMValueRef gen_terms(struct gen *g, const struct ufc_term *terms, int nterms);
/* Sizes that the source gives as numbers become constants in g->dims. */
void gen_fixed_dims(struct gen *g);

/* lanes.c */
/* From here to lanes_leave, which puts back what was, values have `lanes` elements: all of them
 * active, of nothing known to lie side by side. */
struct lanes_scope {
    int lanes;
    bool unit, all_active;
};
struct lanes_scope lanes_enter(struct gen *g, int lanes);
void lanes_leave(struct gen *g, struct lanes_scope outer);
/* Each lane begins with the identity, which the accs hold. */
void lanes_begin(struct gen *g, const struct pacc *a);
/* The lanes' accs become one. */
void lanes_join(struct gen *g, const struct pstmt *s);

#endif
