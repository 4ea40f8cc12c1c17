/* uc.h: the compiler's internals: structs, then the prototypes of each file in a section.
 *
 * text ─scan→ tokens ─parse→ AST ─check→ typed AST ─plan→ kernel plan
 *      ─gen→ LLVM IR → PTX, host code, in pieces ─image→ object: object.h
 *
 * Each compilation has one arena, which is freed as a whole.  Names are interned, so equal names
 * are equal pointers. */
#ifndef UC_H
#define UC_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../runtime/casting.h"
#include "../runtime/image_abi.h"
#include "../runtime/tuning.h"
#include "ufcc.h"

/* A map from interned names to what they stand for: map.c.  All members zero: it is empty. */
struct map {
    struct map_slot *slots;
    size_t size, count; /* size: a power of two */
};

/* ---- source positions */

/* Bytes [begin, end) of the text of all sources. */
struct span {
    uint32_t begin, end;
};

struct source {
    const char *name; /* as messages show it */
    const char *text; /* size bytes and a NUL */
    size_t size;
};

/* `import "path"` */
struct import {
    const char *path;
    struct span at;
    struct file *file; /* import.c */
    struct import *next;
};

/* A source file: the first is compiled, the others are imported.  The texts of all files are in one
 * buffer, each with a NUL behind it, so that a span tells which file it is in. */
struct file {
    const char *name; /* as messages show it */
    const char *kept; /* with line_info: the file that has the text; NULL: the one of this name */
    uint32_t begin, end;
    struct import *imports;
    uint64_t device, inode;        /* of the file on disk; 0: its text is from memory */
    const struct ufcc_file *given; /* its text, in the options; NULL: the source, or from disk */
    const struct file *importer;   /* set while its own imports are being read */
    bool busy;                     /* its own imports are being read */
    struct file *next;
};

/* ---- types */

/* A value's type.  Literals, consts and loop indices are weak (NEP 50): numbers without a size of
 * their own, until they meet an operand of a dtype. */
enum type_kind { TYPE_NONE, TYPE_WEAK_INT, TYPE_WEAK_FLOAT, TYPE_WEAK_COMPLEX, TYPE_DTYPE };

struct type {
    enum type_kind kind;
    enum ufc_dtype dtype; /* TYPE_DTYPE */
};

__extension__ typedef __int128 wide_int;

/* A compile-time constant: of a weak or of a concrete type. */
struct constant {
    struct type type;
    wide_int i; /* weak int, integers, bool */
    double f;   /* weak float, floats (narrower ones are exact in it), the real part */
    double im;  /* the imaginary part */
};

enum op {
#define OP(ID, spelling, arity, kind) OP_##ID,
#include "op.def"
#undef OP
    OP_COUNT
};

/* op.c */
enum op_kind { OPS_ARITH, OPS_BITS, OPS_SHIFT, OPS_COMPARE, OPS_LOGIC };
extern const struct op_info {
    const char *spelling;
    int arity;
    enum op_kind kind;
} op_info[OP_COUNT];
enum op mirrored_op(enum op op); /* that of b op a, where a op b is */

/* ---- AST: one type of node; check/check.c makes a typed copy for each signature */

enum node_kind {
#define NODE(ID, word) N_##ID,
#include "node.def"
#undef NODE
};

struct node {
    enum node_kind kind;
    enum op op;        /* N_UNARY, N_BINARY; N_ASSIGN: OP_COUNT for a plain = */
    struct span at;    /* the whole construct */
    struct span mark;  /* the operator or name, at which messages point */
    struct type type;  /* typed expressions */
    struct node *next; /* in a list */
    struct node *a, *b, *c;
    struct node *list;
    struct node *then, *other;
    struct node *clauses, *filter; /* of a comprehension or definition */
    const char *name;              /* interned */
    struct typename *decltype_;    /* N_LET, N_VAR: the type as written, or NULL */
    struct constant value;         /* N_CONST */
    struct local *local;
    struct array *array;                 /* typed N_INDEX */
    struct comprehension *comprehension; /* N_REDUCE */
    const struct builtin *builtin;
    struct serial *order; /* typed N_FOR: what -Wserial may say of it; or NULL */
    int result;
    struct inst *inst;
    int depth;     /* of the tree as parsed, at most MAX_DEPTH of syntax.h */
    bool leaves;   /* typed statements: those that follow in the list are never reached */
    bool optional; /* a core dimension's name: `n?`; a call: of the compiler's own */
    bool own;      /* typed N_INDEX: the element that its statement assigns to */
    bool loose; /* N_ASSIGN: of a definition that adds up or multiplies floats, with --fast-math */
};

/* What -Wserial says of a loop over a call's elements, if the plan leaves it in order. */
struct serial {
    struct span at, note_at;
    const char *name, *note;
    const void *plan; /* the last one that has it in order */
};

/* A type as written: `float32`, `T`, `dtype(c)`, `float32[:, :]` of a signature, `float32[9]` of a
 * local array. */
struct typename {
    const char *name;
    bool dtype_of;
    int rank;           /* `[:, :]` */
    struct node *sizes; /* `[9]` */
    struct span at;
    struct typename *next;
};

/* `T in group | group`, behind the `for` of a signature. */
struct binder {
    const char *name; /* interned */
    struct typename *groups;
    struct span at;
    struct binder *next;
};

/* One signature as written: results(params), with `for` and binders. */
struct sig {
    struct typename *results, *params;
    struct binder *binders; /* NULL without `for` */
    struct span at;
    struct sig *next;
};

/* A core dimension of a gufunc, or a size of a local array. */
struct dim {
    const char *name; /* as written: "n", "3", "n + k - 1" */
    int64_t size;     /* of a dimension that is a number; else -1 */
    int index;        /* its position in the gufunc's list; -1: a local array's or slice's size */
    bool optional;
    struct node *expr;      /* a computed size: typed, an int64; else NULL */
    struct node *length;    /* of a slice, and of an array of the call whose size may be below 0,
                               where it has no elements: this int64; else NULL */
    struct ufc_term *terms; /* the computed size for the runtime: plan/plan.c */
    int nterms;
    struct span at;
    struct dim *next;
};

enum { MAX_CORE_RANK = 8 }; /* of an operand, and of a local array */
enum { MAX_DIMS = 64 };     /* of one gufunc */

/* What is subscripted: an operand of a gufunc, a local array, a constant table. */
struct array {
    const char *name;
    enum ufc_dtype dtype;
    int rank;
    struct dim *dims[MAX_CORE_RANK];
    enum { ARRAY_INPUT, ARRAY_OUTPUT, ARRAY_LET, ARRAY_LOCAL, ARRAY_TABLE } kind;
    bool of_call; /* an intermediate: an ARRAY_LET, or an ARRAY_LOCAL that is large or has sizes
                     made of dimensions */
    int operand;  /* index of the plan's operand: inputs, outputs, intermediates; other local arrays
                     come behind these: plan/plan.c */
    bool written;
    struct slice *slice; /* of what array it is a part: check/slice.c; NULL: of none */
    struct span at;
    /* ARRAY_TABLE: */
    const struct constant *values; /* all elements, the last subscript fastest */
    struct type type;              /* theirs, which may be weak */
    struct array *as; /* the same of other types, a list; of a weak one first of its own dtype */
};

/* An element in the source with subscripts that are tested as a ufunc runs. */
struct element {
    struct span at;
    const char *array; /* the operand's or local array's own name, also within a def */
    int rank;
    int place;    /* the first subscript's index in ufc_ufunc.places */
    bool asserts; /* it is an assertion, of rank 1, `array` its text */
    struct element *next;
};

enum decl_kind { DECL_UFUNC, DECL_GUFUNC, DECL_DEF, DECL_CONST };

struct param {
    const char *name;
    struct span at;
    struct node *dims; /* as written: N_NAME (optional: `n?`), N_CONST, expressions */
    int rank;
    struct dim *core[MAX_CORE_RANK]; /* check/check.c: a gufunc's dimensions */
    struct param *next;
};

struct decl {
    enum decl_kind kind;
    const char *name;
    struct span at;          /* the name */
    const struct file *file; /* NULL: the prelude */
    const char *doc;         /* the comment lines above it, without '#'; NULL: none */
    struct param *params;
    int nparams;
    struct param *outputs; /* DECL_GUFUNC */
    int noutputs;
    struct param *intermediates; /* DECL_GUFUNC: check/intermediate.c */
    int nintermediates;
    struct sig *sigs;      /* DECL_UFUNC, DECL_GUFUNC */
    struct node *identity; /* `with identity`, or NULL */
    struct node *body; /* an N_BLOCK; for `= expr` one with an N_RETURN; DECL_CONST: the value */
    struct decl *next; /* the next one in the source */
    struct decl *alike, *last_alike; /* the next of this name; in the first: the last */
    /* check/check.c */
    struct overload *overloads;
    struct dim *dims; /* DECL_GUFUNC: computed dimensions last */
    int ndims;
    struct element *elements; /* with subscripts that are tested: plan/check.c */
    enum { CONST_NEW, CONST_BUSY, CONST_DONE, CONST_BAD } state; /* DECL_CONST */
    struct constant value;
    struct local *table; /* DECL_CONST of a table, once it is checked: check/table.c */
    bool used, is_prelude;
    bool needed;    /* it is checked, as all of the source is without options.only */
    bool too_large; /* this was reported, and calls of it are not typed any more */
};

/* ---- typed AST */

/* What a comprehension does with its values. */
enum reduce_kind {
#define REDUCE(ID, name) REDUCE_##ID,
#include "reduce.def"
#undef REDUCE
    REDUCE_COUNT_OF_KINDS
};

/* The typed parts of an N_REDUCE; the node itself has the clauses and the filter. */
struct comprehension {
    enum reduce_kind kind;
    int width;                   /* how many values there are at each point: 1, but of reduce */
    struct node *value;          /* a list of `width` */
    struct node *identity;       /* a constant; NULL: the first value is where it begins */
    struct local **acc, **other; /* the result so far; the next value, or another part's result */
    struct node *call;           /* a let of what `combined` needs, or NULL */
    struct node *combined; /* acc combined with other, a list; argmin, argmax: whether other is
                              taken */
    struct node *init;     /* reduce: combined with the result, or the result of no values */
};

/* A parameter, let, var or index. */
struct local {
    const char *name;
    struct span at;
    struct type type;
    bool mutable, is_param, is_index, used;
    bool folded;              /* a let bound to a constant: value */
    const struct node *bound; /* a let bound to another value: that value, typed; else NULL */
    bool exact;               /* of a half type, but not rounded: in the prelude */
    struct constant value;
    struct array *array;   /* the array of the dtype of `type` that it stands for, or NULL */
    const struct dim *dim; /* the dimension for whose size it stands, or NULL */
    struct reach *reach;   /* check/range.c: of an index; NULL: its range is not known */
    int id;                /* within its function instance; only dumps use it */
    struct pvar *var;      /* plan/plan.c */
};

/* A function body typed for one list of argument types. */
struct inst {
    const struct decl *decl;
    struct local **params;
    struct local **outputs; /* of a gufunc */
    struct node *body;      /* N_BLOCK */
    enum ufc_dtype *results;
    /* of a def: its results' types, weak for numbers without a size, and their values where they
     * are constants; the type of others is TYPE_NONE */
    struct type *types;
    struct constant *folded;
    int nresults;
    uint32_t unwritten; /* a bit for each output some of whose elements may get no value */
};

/* A signature of a ufunc, for one type of each group. */
struct overload {
    struct decl *decl;
    int index; /* among the ufunc's overloads */
    int nin, nout, nintermediates;
    uint8_t dtypes[UFC_MAX_OPERANDS]; /* inputs, outputs, intermediates */
    const char *signature;            /* "float32(float32, float32)" */
    const struct bound *bounds;       /* of `for T in`; NULL: none */
    const struct constant *identity;  /* of the result's type; NULL: none */
    struct span at;
    struct inst *inst;
    struct overload
        *by_pass; /* the version that check/gather.c makes, of a copy of decl, or NULL */
    struct overload *next;
};

/* ---- built-in functions */

enum builtin_rule {
    RULE_FLOAT,     /* any number → the smallest floating type that holds it, or a larger one */
    RULE_SAME,      /* numbers, promoted; the result has their type */
    RULE_PREDICATE, /* arguments as RULE_FLOAT, a bool result */
    RULE_FLOAT_INT, /* a float and an int32 (ldexp) */
    RULE_INT_FLOAT, /* an int32 and a float (jn, yn) */
    RULE_PARTS,     /* makes complex numbers or splits them; the plan resolves it into parts */
    RULE_INTEGER,   /* integers only */
    RULE_BITS,      /* the bits of a number as one of another type of the same width */
    RULE_EXPONENT,  /* an argument as RULE_FLOAT; the last result is an int32 (frexp, ilogb) */
};

enum builtin_impl {
    IMPL_LIB,     /* a function of libdevice, and of libm where it has it */
    IMPL_LLVM,    /* an LLVM intrinsic that every target lowers to instructions */
    IMPL_INLINE,  /* IR written by gen/body/builtin.c, the same on every target */
    IMPL_PRELUDE, /* written in the language: _<name> in check/prelude.c */
};

struct builtin {
    const char *name; /* as users call it */
    int id;           /* enum builtin_id */
    int nargs, nresults;
    enum builtin_rule rule;
    enum builtin_impl impl;
    const char *device;  /* libdevice: __nv_<device>[f]; IMPL_LLVM: llvm.<device> */
    const char *host;    /* libm: <host>[f]; IMPL_LIB without one: gen/body/builtin.c writes it */
    bool libmvec;        /* glibc's libmvec has it */
    double ulp32, ulp64; /* bound on the error, in units in the last place, on any target */
    const char *numpy;   /* NumPy's function of the same meaning; NULL: none */
};

/* Operations of a call, for the cost model: in float32, in float64, and those of the unit for
 * special functions. */
struct builtin_work {
    uint16_t narrow, special, wide;
};

/* ---- walks over trees and plans */

/* A visitor's answer for a node: visit the nodes inside it too, skip them, or end the walk. */
enum walk { WALK_IN, WALK_PAST, WALK_STOP };
typedef enum walk node_visitor(const struct node *n, void *arg);

/* ---- kernel plan */
#include "loop_ir.h"

/* ---- generated code */

struct buf {
    char *data; /* malloc'ed; NUL after size bytes */
    size_t size, capacity;
    bool failed; /* memory was out: the data is incomplete */
};

/* ---- the compilation */

enum warning {
    W_NONE,
#define WARNING(ID, name, on) W_##ID,
#include "warning.def"
#undef WARNING
    W_COUNT
};

struct uc {
    struct arena *arena;
    struct intern *names;
    struct source src;  /* the text of all files; the name of the first */
    struct file *files; /* a list; the first one is compiled */
    struct file *file;  /* the one being parsed; NULL: a function of the prelude */
    const struct ufcc_options *options;
    const char *folder; /* with line_info: where files' names that are not absolute begin, or "" */
    struct decl *decls;
    struct map declared; /* the first struct decl of a name */
    struct decl *copies; /* the ufunc by which GPUs copy gufuncs' operands, or NULL */
    struct plan *plans;
    int nerrors, npromoted; /* npromoted of the errors are warnings that -Werror makes errors */
    bool warning_on[W_COUNT];
    struct {
        uint8_t *reported[W_COUNT];  /* one bit for each byte of the source; W_NONE: errors */
        bool muted;                  /* the last error or warning was not shown */
        uint32_t offset, line_begin; /* the last place found, where the next search begins */
        int line;
    } diag;
    jmp_buf *no_memory;     /* where arena_alloc jumps when memory is out, and LLVM when it fails */
    char llvm_failure[256]; /* why LLVM failed, if not for want of memory */
};

/* The values of a jump to no_memory. */
enum { NO_MEMORY = 1, LLVM_FAILED };

/* arena.c */
struct arena *arena_new(void); /* NULL: out of memory */
void arena_free(struct arena *a);
/* A block of zeros, aligned for any type.  Never NULL: when memory is out it jumps to
 * uc->no_memory. */
void *arena_alloc(struct uc *uc, size_t size);
/* Enlarges data, a block of size old.  The new bytes are undefined; the block may move. */
void *arena_resize(struct uc *uc, void *data, size_t old, size_t size);
char *arena_printf(struct uc *uc, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct uc *uc, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));
#define NEW(uc, T)     ((T *)arena_alloc((uc), sizeof(T)))
#define NEWN(uc, T, n) ((T *)arena_alloc((uc), sizeof(T) * (size_t)(n)))

/* buf.c */
void buf_put(struct buf *b, const void *data, size_t size);
void buf_printf(struct buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_free(struct buf *b);
/* Writes all the data; returns 0 or an errno number. */
int write_all(int fd, const void *data, size_t size);

/* intern.c */
const char *intern(struct uc *uc, const char *text, size_t size);

/* map.c */
void *map_get(const struct map *m, const char *name); /* NULL: nothing */
void map_set(struct uc *uc, struct map *m, const char *name, void *value);

/* diag.c */
enum { MAX_ERRORS = 50 }; /* more errors are not shown, but one says so */
/* All take a format; a message has no capital and no full stop.  Notes may follow an error or a
 * warning, and are suppressed with it.  For each byte of the source, one error and one warning of
 * each name are shown. */
void error(struct uc *uc, struct span at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void warn(struct uc *uc, enum warning w, struct span at, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void note(struct uc *uc, struct span at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* An error about the compilation as a whole, without a place. */
void error_nowhere(struct uc *uc, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The file that contains a byte of the sources, and the byte's line and column in it, from 1. */
const struct file *locate(struct uc *uc, uint32_t offset, int *line, int *column);
/* Makes room for diagnostics in a text that grows to `size` bytes. */
void diag_grow(struct uc *uc, size_t size);
extern const struct warning_info {
    const char *name; /* after -W; NULL of W_NONE */
    bool on;          /* where nothing is said */
} warning_info[W_COUNT];
/* The warning of the name after -W; W_NONE: there is none. */
enum warning warning_named(const char *name);
/* How many bytes, at most size, to show of a longer text, so that no UTF-8 character is cut. */
size_t whole_characters(const char *text, size_t size);

/* foreign.c */
/* What to write, quoted, in place of a name from other languages; NULL: none is known. */
const char *foreign_name(const char *name);
/* What to do in place of a statement of other languages, by its name; NULL: none is known. */
const char *foreign_statement(const char *name);
/* Whether the name is one that `for` iterates over in other languages, such as a range. */
bool foreign_iterator(const char *name);

/* parse.y; its neighbours scan.re, layout.c, hint.c and ast.c meet it in syntax.h */
/* Appends the declarations of uc->file, or of all of uc->src, to uc->decls.  False after errors. */
bool parse(struct uc *uc);

/* import.c */
/* Parses the source and its imports, each file once.  False after errors. */
bool parse_all(struct uc *uc);
/* Whether the file's declarations may use d, which is in the file, or in one that it imports.
 * False for the prelude, whose file is NULL. */
bool sees(const struct file *file, const struct decl *d);
/* Whether d is a ufunc of the source itself; imported ones get no code. */
static inline bool is_own_ufunc(const struct uc *uc, const struct decl *d) {
    return (d->kind == DECL_UFUNC || d->kind == DECL_GUFUNC) && d->file == uc->files;
}
/* Whether d is a ufunc that gets code. */
static inline bool is_compiled(const struct uc *uc, const struct decl *d) {
    const char *only = uc->options->only;
    return is_own_ufunc(uc, d) && (only == NULL || strcmp(d->name, only) == 0);
}

/* ast.c */
extern const char *const node_word[]; /* by kind; NULL: the kind has none */
struct node *node_new(struct uc *uc, enum node_kind kind, struct span at);
/* Visit a node with the nodes inside it, and a list of nodes.  False: a visitor stopped the walk.
 * The statements that bind a typed clause's elements are not visited. */
bool node_walk(const struct node *n, node_visitor *visit, void *arg);
bool ast_walk(const struct node *list, node_visitor *visit, void *arg);

/* dump.c */
/* Tokens as the grammar sees them, line ends included. */
void dump_tokens(struct uc *uc, struct buf *b);
/* Declarations as parsed; or, with `typed`, the instance of each overload, with the types of all
 * expressions. */
void dump_ast(struct uc *uc, struct buf *b, bool typed);

/* dtype.c: the table of element types, promotion and casting by NumPy's rules */
extern const struct dtype_info {
    const char *name, *brief; /* "float32", "f4" */
    char kind;                /* b u i f c */
    int bits;
} dtype_info[DT_COUNT];
static inline struct type dtype_type(enum ufc_dtype d) {
    return (struct type){TYPE_DTYPE, d};
}
enum ufc_dtype dtype_named(const char *name);
enum ufc_dtype promote_dtypes(enum ufc_dtype a, enum ufc_dtype b);
struct type promote(struct type a, struct type b);
enum ufc_dtype strong_dtype(struct type t);
const char *type_name(struct type t);

/* fold.c: exact arithmetic on weak constants */
/* False: there is no value; *why says what is wrong, or is NULL where the operation is just not
 * folded. */
bool fold_unary(enum op op, const struct constant *a, struct constant *result, const char **why);
bool fold_binary(enum op op, const struct constant *a, const struct constant *b,
                 struct constant *result, const char **why);
/* Computes with constants of one dtype as the operation does at run time.  False: it is not
 * folded. */
bool fold_typed(enum op op, const struct constant *a, const struct constant *b,
                struct constant *result);
bool fold_call(const struct builtin *f, const struct constant *args, struct constant *result);
/* The range of an integer type or bool. */
wide_int lowest(enum ufc_dtype d);
wide_int highest(enum ufc_dtype d);
/* Whether an integer constant is in the type's range. */
bool fits(wide_int value, enum ufc_dtype d);
/* A whole number as a value of an integer type, modulo the type's size. */
wide_int wrap(wide_int i, enum ufc_dtype d);
/* "300", "-1", "0.5": as a message shows it. */
const char *constant_text(struct uc *uc, const struct constant *c);

/* builtin.c */
enum builtin_id {
#define BUILTIN(ID, ...) B_##ID,
#include "builtin.def"
    B_COUNT
};
extern const struct builtin builtins[B_COUNT];
struct builtin_work builtin_work(const struct builtin *f);
const struct builtin *builtin_named(const char *name); /* aliases are resolved; NULL: none */
extern const char *const builtin_names[];              /* with aliases; NULL at the end */

/* check/check.c */
/* Makes the typed AST: fills each ufunc's overloads.  False after errors. */
bool check(struct uc *uc);

/* check/reduce.c */
bool is_comprehension(const char *name);

/* plan/plan.c */
/* Makes uc->plans of the typed AST, one for each overload.  Cannot fail. */
void plan(struct uc *uc);
void dump_plan(struct uc *uc, struct buf *b);
/* plan/match.c */
bool same_value(const struct pval *a, const struct pval *b);

/* plan/check.c */
/* How many subscripts of a function are tested; and the text for subscript `axis` of one element:
 * "kernel.uf:3:8: x[i - 1], dimension 1". */
int count_places(const struct decl *d);
const char *place_text(struct uc *uc, const struct element *e, int axis);
/* verify.c: the first rule of the plan IR that p breaks, as text; NULL: none. */
const char *verify_plan(struct uc *uc, const struct plan *p);

/* method.c */
/* Whether p has two inputs and one output, all of one type, so that it has methods: reduce,
 * accumulate, …. */
bool has_methods(const struct plan *p);
/* Whether a function of two values gives the same for either order of them. */
bool builtin_commutes(enum builtin_id id);
/* Whether the host has kernels that fold.  With tested subscripts it has none, since folds combine
 * lanes that are no elements. */
bool has_host_folds(const struct plan *p);
/* UFC_HAS_IDENTITY and the like of image_abi.h; whether methods may regroup elements. */
uint32_t method_flags(const struct plan *p);
bool regroups(const struct plan *p);
/* Whether p is a ufunc whose result is its only input, of the same type: UFC_COPIES. */
bool copies_input(const struct plan *p);
/* Whether results of p's reductions are the same however its elements are grouped in their order;
 * *bits: then the element that changes none, in the low bytes. */
bool neutral_bits(const struct plan *p, uint64_t *bits);
/* Whether GPU threads may merge elements in any order, each by the atomic operation of *put. */
bool merges_at(const struct plan *p, struct pstmt *put);
/* The identity as an element, in the low bytes, or else that of neutral_bits; 0: there is none. */
void identity_bits(const struct plan *p, uint64_t bits[2]);

/* kernel.c: whether p has a GPU kernel of a kind. */
bool has_kernel(const struct plan *p, enum ufc_kernel_kind kind);
bool is_held_sweep_large(const struct plan *p); /* a thread needs many registers in HELD_SWEEP */
/* The runtime has its own loops for hosts in place of uc->copies. */
bool has_host_code(const struct uc *uc, const struct plan *p);
/* The threads of a block of the kernel, at most. */
uint32_t block_threads(const struct plan *p, enum ufc_kernel_kind kind);
/* The kernels that p has in a module: bits 1 << kind. */
uint64_t module_kernels(const struct plan *p, enum ufc_module module);
/* Whether a module's code depends on no function: all of an image's overloads have the same. */
bool is_common_module(enum ufc_module module);
/* The kernel's name in PTX: <plan's symbol>_<suffix>, or <stem>_0<suffix> where it is common. */
const char *entry_name(struct uc *uc, const struct plan *p, enum ufc_kernel_kind kind);
/* Elements of a thread of VECTOR and ROWS: 16 bytes of the widest operand. */
int vector_width(const struct plan *p);
/* Elements along a side of a tile of TRANSPOSE. */
int transpose_side(const struct plan *p);

/* ---- code generation: only gen/ and libdevice/link.c see LLVM */

/* gen/gpu/module.c */
enum { PTX_SM = 75 }; /* the PTX of objects is for this architecture and later ones */
/* Appends a module with some of an overload's kernels, bits 1 << kind, to *out.  UFCC_PTX: for
 * sm_<arch>; UFCC_LLVM: the optimised LLVM IR for all GPU targets of the options.  False after
 * errors. */
bool gen_gpu(struct uc *uc, const struct plan *p, uint64_t kernels, int arch, ufcc_output output,
             struct buf *out);

/* gen/host/host.c */
/* The host code of n plans from one on; parts of a program are generated apart. */
struct host_part {
    const struct plan *plans;
    int nplans;
    unsigned levels; /* bits 1 << LEVEL_V2, …; 0: there is none */
    unsigned parts;  /* bits 1 << UFC_HOST_CALLS, … */
};
/* Appends a part to *out.  A kernel is named <symbol>_<level> ("v2", "v3", "v4"); a fold, where
 * has_methods, <symbol>_<level>_fold.  In an object these are global.  False after errors. */
bool gen_host(struct uc *uc, const struct host_part *part, ufcc_output output, struct buf *out);

/* header.c */
/* The prefix of an object's names: the option's, or the source's name made a C identifier. */
const char *stem(struct uc *uc);
/* Appends the C header that declares the ufuncs' records and wrappers. */
void make_header(struct uc *uc, struct buf *out);

/* ptxas.c */
/* The path of ptxas, allocated with malloc; NULL: it is not found. */
char *find_ptxas(const char *option);
/* Appends the machine code of a PTX module for sm_<sm> to *cubin.  False after errors. */
bool run_ptxas(struct uc *uc, const char *ptxas, int sm, const struct buf *ptx, struct buf *cubin);

/* jobs.c */
/* Calls work(own, arg, i) for each i below n, on options->threads threads at most, or one, which
 * have room for LLVM, as this thread's stack may not have.  `own` is a copy of uc with an arena
 * that lives as long as the call; LLVM is entered.  Errors are reported, and memory runs out, as if
 * the calls were made one after the other up to the first that fails.  False after errors. */
typedef bool job_fn(struct uc *own, void *arg, int i);
bool run_jobs(struct uc *uc, int n, job_fn *work, void *arg);
/* Calls work(own, arg, 0) so, always on another thread, since the caller's may have a small stack,
 * and where there may be no one to report to.  False: `why`, of `size` bytes, says why. */
bool run_job(const struct uc *uc, job_fn *work, void *arg, char *why, size_t size);

/* gen/process.c */
/* What is said where LLVM can no longer be used in this process. */
extern const char llvm_lost[];
/* Between the two this thread generates code, or waits for others that do: a child of the process
 * that is forked meanwhile generates none.  llvm_begin returns false, and nothing is begun, where
 * LLVM can no longer be used. */
bool llvm_begin(void);
void llvm_end(void);
/* Makes LLVM work for uc on this thread.  An error that LLVM cannot recover from jumps to
 * uc->no_memory with LLVM_FAILED, and leaves LLVM's objects and locks as they are.  From then on
 * llvm_enter returns false in this process, and nothing of LLVM may be called. */
bool llvm_enter(struct uc *uc);
/* Sets the compilation that LLVM works for on this thread, NULL for none, and returns the one
 * before: a diagnostic's callback may itself compile. */
struct uc *llvm_works_for(struct uc *uc);

/* ../libdevice/find.c */
/* The path root + tail, tail being a pattern, of the newest version that can be accessed in the
 * mode (R_OK, X_OK); allocated with malloc.  NULL: there is none, or root is NULL or "". */
char *newest_file(const char *root, const char *tail, int mode);
/* The path of libdevice.10.bc, allocated with malloc; NULL: none is found. */
char *find_libdevice(const char *option);

#endif
