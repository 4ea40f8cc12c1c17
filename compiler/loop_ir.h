/* loop_ir.h: the kernel plan, an explicit loop IR.  Part of uc.h, which includes it. */
#ifndef LOOP_IR_H
#define LOOP_IR_H

/* Typed AST becomes this, and only this becomes LLVM IR.
 *
 * Types are dtypes, conversions explicit, calls of defs inlined, names gone.  Control flow is
 * structured: the scalar generator makes branches of it, the vector generator masks. */

enum pval_kind {
    PV_CONST,  /* bits */
    PV_VAR,    /* var */
    PV_LOAD,   /* operand: the current element of an input, of a gufunc: of one that is a scalar */
    PV_ELEM,   /* operand: the element of an array at args, int64s, as memory has it then */
    PV_DIM,    /* operand: the size of that core dimension */
    PV_OP,     /* op on args of one dtype; COMPARE gives bool */
    PV_CAST,   /* args[0] converted to dtype: float→int truncates, saturates, NaN → 0 */
    PV_CALL,   /* builtin on args; result: which of several */
    PV_SELECT, /* args[0] ? args[1] : args[2]; all three are evaluated */
    PV_FMA,    /* args[0] * args[1] + args[2], rounded once but where that is slow */
    PV_PART,   /* the real (result 0) or imaginary part (1) of args[0], a complex PV_LOAD */
    PV_PACK,   /* a complex number of args[0] and args[1], for a PS_STORE */
};

struct pval {
    enum pval_kind kind;
    enum ufc_dtype dtype; /* of the value */
    enum op op;
    uint64_t i; /* PV_CONST: integers and bool, sign-extended to 64 bits */
    double f;   /* PV_CONST: floats, real parts */
    double im;  /* imaginary parts; only until plan_types.c */
    struct pvar *var;
    int operand;
    const struct builtin *builtin;
    int result;
    int nargs;
    struct pval *args[MAX_CORE_RANK];
    uint8_t checked; /* PV_ELEM: bit i: subscript i is tested as the kernel runs, */
    int place;       /* which is number place + i of ufc_ufunc.places */
};

/* What a stage finds out about variables it keeps in tables of its own, by id. */
struct pvar {
    int id; /* from 0, below the plan's nvars */
    enum ufc_dtype dtype;
    const char *name; /* for dumps */
    struct pvar *next;
    struct pvar *imag;     /* plan_types.c: of a complex variable, which is the real part itself */
    enum ufc_dtype rounds; /* a half type: what is assigned is rounded to it */
};

enum pstmt_kind {
#define PSTMT(ID, head) PS_##ID,
#include "pstmt.def"
#undef PSTMT
};

/* A range of a PS_SPREAD, as of PS_FOR; later ranges are inside.  A nest of more than MAX_RANGES is
 * not shared out: it goes in order. */
enum { MAX_RANGES = 16 };
struct prange {
    struct pvar *var;
    struct pval *lo, *hi, *step; /* constants, dimensions or variables that stay as they are */
    struct prange *next;
};

/* A variable that a PS_SPREAD reduces to, and, in `joined`, what another part has for it. */
struct pacc {
    struct pvar *acc, *other;
    struct pacc *next;
};

struct pstmt {
    enum pstmt_kind kind;
    struct pstmt *next;
    struct pval *value, *place;
    struct pvar *var;
    struct pval *lo, *hi, *step;
    int operand;
    struct pstmt *body, *other;
    struct pstmt *target;
    struct prange *ranges; /* PS_SPREAD, and: */
    struct pacc *accs;     /* NULL: a definition */
    struct pstmt *joined;  /* accs joined with others */
    struct pstmt *serial;  /* PS_FORs around body, the same in order */
    bool outermost;        /* not within another */
    bool ordered;          /* parts are joined in their order */
    bool chooses;          /* accs are one of the points', the same however these are grouped */
    bool sync;             /* plan_map.c: it waits for what others of a call's threads stored */
    int phase, partial;    /* its launch; where its accs are among partial results */
    struct span at;
    int id; /* PS_BLOCK: for dumps */
};

/* Where a statement's own values are, beside those of its ranges, and the lists within it; serial
 * is body once more.  NULL: it has none there. */
#define PSTMT_VALUES(s)                                                                            \
    { &(s)->value, &(s)->place, &(s)->lo, &(s)->hi, &(s)->step }
#define PSTMT_LISTS(s)                                                                             \
    { &(s)->body, &(s)->other, &(s)->joined }

struct poperand {
    const char *name;
    enum ufc_dtype dtype;
    bool is_output;
    int rank;
    const struct dim *dims[MAX_CORE_RANK];
};

enum { MOST_ACCS = 2 };

/* results[i, …] = rest(reduction over [p, …] of body): a body that is one definition, with
 * constants set first, and ranges all from 0 by 1. */
struct shape {
    const struct prange *at, *in; /* of the results, of the reduction */
    const struct pstmt *first;    /* constants, up to the reduction */
    const struct pacc *accs;
    int naccs;
    struct pval *filter;      /* of the reduction's points; NULL: all */
    const struct pstmt *body; /* straight, as rest is */
    const struct pstmt *rest;
    struct ufc_term *rows, *columns; /* sizes of `at`; of a single one no rows */
    int nrows, ncolumns;
};

/* What the reduction reads is a[i, k] and b[k, j], with the subscripts in any order. */
struct contraction {
    struct shape shape;
    const struct pval *a, *b;
    int a_row, b_column; /* which subscript of a is i, of b j */
    bool padded;         /* elements of zero change nothing */
};

/* What it reads is x[i ± p + …] and w[p], or x[i ± p + …, j ± q + …] and w[p, q]. */
struct window {
    struct shape shape;
    int axes;
    const struct prange *at[2], *in[2];
    const struct pval *x, *w; /* w: NULL where there is none */
    int sign[2];              /* of p, of q */
    struct pval *filter[2];   /* bounds of x's subscript on this axis; NULL: none */
};

/* One overload of one function, ready to generate. */
struct plan {
    const struct overload *overload;
    const char
        *symbol; /* unique stem of the kernels' names, a C identifier: "gaussian_pdf_f4_f4f4f4" */
    int noperands, nin;
    struct poperand *operands; /* behind them the local arrays */
    int nlocals;               /* local arrays */
    bool checked;              /* some subscripts are tested */
    struct pvar *vars;
    int nvars;
    struct pstmt *body; /* one PS_EACH */
    struct mapping {    /* plan_map.c: of a gufunc's body, onto threads */
        bool spreads;   /* there is a PS_SPREAD */
        bool in_phases; /* kernels may take its PS_SPREADs one after the other */
        int phases, partial;
        int operations;         /* in the body, as written */
        struct ufc_term *width; /* elements of the widest PS_SPREAD */
        struct ufc_term *row;   /* of the widest last range */
        int nwidth, nrow;
        const struct contraction *contraction; /* what the body is no more than, or NULL */
        const struct window *window;
    } map;
    struct plan *next;
};

/* plan_walk.c: walks over a plan.  A visitor is called before what is within what it is shown;
 * where it says WALK_STOP, the walk gives false. */
typedef enum walk value_visitor(const struct pval *v, void *arg);
struct plan_visitor {
    enum walk (*stmt)(const struct pstmt *s, void *arg); /* NULL: WALK_IN */
    value_visitor *value;                                /* NULL: values are not walked over */
    bool joined;                                         /* what joins accs is walked over too */
};
/* A value, or NULL, with what it is made of. */
bool value_walk(const struct pval *v, value_visitor *visit, void *arg);
/* The values of a statement and of its ranges, not of what is in it. */
bool stmt_values(const struct pstmt *s, value_visitor *visit, void *arg);
/* A statement with what is in it; a list of them. */
bool stmt_walk(const struct pstmt *s, const struct plan_visitor *visitor, void *arg);
bool plan_walk(const struct pstmt *list, const struct plan_visitor *visitor, void *arg);
/* Whether a statement is a loop or a PS_SPREAD, or has one in it; whether one of a list is so. */
bool is_loop(const struct pstmt *s);
bool has_loop(const struct pstmt *list);
/* How many nodes a value has; NULL: none. */
int value_size(const struct pval *v);

#endif
