/* check.h: what the files of the check stage share: a function being typed, and its names.
 *
 * check.c: declarations.  check_core.c: gufuncs' operands.  check_name.c: scopes, and what a name
 * stands for.  check_expr.c, check_call.c, check_builtin.c: expressions.  check_array.c:
 * subscripts.  check_range.c: those certainly out of range.  check_sum.c: sums of dimensions.
 * check_reduce.c: comprehensions.  check_define.c: definitions.  check_order.c: -Worder.
 * check_assign.c: let, var, assignment.  check_stmt.c: statements, bodies.  check_unset.c: outputs
 * without a value.  check_serial.c, check_constant.c: -Wserial, -Wconstant.  check_advice.c: what
 * to write instead.
 *
 * A typed copy is made of each body, one for each list of argument types; NULL stands for what had
 * an error, which was reported, and spreads silently. */
#ifndef CHECK_H
#define CHECK_H

#include "uc.h"

enum {
    MAX_NODES = 100000, /* of one overload, after inlining */
    MAX_NESTING = 2500, /* of its tree, after inlining: later stages recurse over it */
};

/* One overload (or const) being checked, with all that it calls. */
struct unit {
    const struct overload *overload; /* NULL: a const */
    int nodes, nesting, failures;
    bool too_large; /* reported */
};

/* A name in scope. */
struct binding {
    struct local *local;
    int level;                      /* of blocks */
    struct binding *outer, *hidden; /* the one before; the last one of this name */
};

/* The values of a statement: one an expression, or the results of one call. */
struct values {
    int count;               /* 0: how many there are is not known, after an error */
    struct node *call;       /* of an instance with several results; else NULL, and */
    struct node **nodes;     /* one a value */
    struct type *types;      /* TYPE_NONE: had an error */
    struct constant *folded; /* a value that is a constant, where its type is not TYPE_NONE */
};

struct returned {
    struct node *statement; /* typed, without values */
    struct values values;
    struct returned *next;
};

/* A function instance being typed. */
struct fn {
    struct uc *uc;
    struct unit *unit;
    struct fn *caller;        /* NULL: the overload itself */
    const struct node *call;  /* in the caller */
    const struct node *blame; /* within a prelude's function: the user's call of it */
    const struct decl *decl;
    const struct file *file; /* whose names are seen; NULL: none, in the prelude */
    const char *binder;      /* of `for T in`; NULL: none */
    enum ufc_dtype bound;
    struct inst *inst;
    struct binding *names; /* the innermost first */
    struct map bindings;   /* the innermost struct binding of a name */
    int level, nlocals, nloops;
    int guards; /* conditions around, and loops of which it is not known that they run */
    struct returned *returns;
};

/* check.c */
/* Errors of the function: at the place, or, in a built-in function that is written in the language,
 * at its call; with notes that say for which types. */
void fail(struct fn *f, struct span at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Is there a signature, and has it no such floating type, nor a complex one of it? */
bool lacks_type(const struct fn *f, enum ufc_dtype d);
/* A computation in float64 or, as t says, complex128, if the signature has none. */
void warn_double(struct fn *f, struct span at, const char *what, struct type t);
/* The value of a const, where n is; NULL after an error. */
struct node *const_value(struct fn *f, const struct node *n, struct decl *d);

/* check_only.c */
/* Sets which declarations are needed.  False after an error: options.only is not there. */
bool find_needed(struct uc *uc);

/* check_name.c */
struct local *declare(struct fn *f, const struct node *name, struct type type);
struct local *local_new(struct fn *f, const char *name, struct span at, struct type type);
/* Ends the scope of the names since `outside`. */
void forget(struct fn *f, struct binding *outside);
/* For a value that the compiler names. */
struct local *local_hidden(struct fn *f, struct span at, struct type type);
struct local *local_named(const struct fn *f, const char *name);
struct decl *decl_named(const struct fn *f, const char *name);
struct decl *prelude_named(struct uc *uc, const char *name);
struct decl *parse_prelude(struct uc *uc, const char *text);
/* Whether only the prelude may call it: a function whose name begins with an underscore. */
static inline bool is_private(const struct fn *f, const char *name) {
    return f->file && *name == '_';
}
enum ufc_dtype type_named_here(const struct fn *f, const char *name); /* DT_COUNT: none */
/* The type of a `let x: …`; DT_COUNT after an error. */
enum ufc_dtype declared_type(struct fn *f, const struct typename *t);
void unknown_name(struct fn *f, const struct node *n, bool called);
/* Whether the name stands for something, built-in functions apart. */
bool has_meaning(const struct fn *f, const char *name);
struct node *check_name(struct fn *f, const struct node *n);

/* check_expr.c */
struct node *check_expr(struct fn *f, const struct node *n);
/* A condition: a bool; NULL after an error. */
struct node *check_condition(struct fn *f, const struct node *n);
/* A typed node in the place of another. */
struct node *typed(struct fn *f, enum node_kind kind, const struct node *from, struct type type);
struct node *constant_node(struct fn *f, const struct node *from, struct constant value);
struct node *local_node(struct fn *f, const struct node *from, struct local *local);
/* Of two typed operands; from: the operation (at, mark). */
struct node *binary(struct fn *f, const struct node *from, enum op op, struct node *a,
                    struct node *b);
bool is_weak_constant(const struct node *n);
/* The place's text, "..." where it is long or on several lines. */
const char *short_text(struct fn *f, struct span at);
bool is_complex_type(struct type t);

/* check_convert.c */
/* n converted to a type, whatever it is; a constant must fit. */
struct node *convert(struct fn *f, struct node *n, enum ufc_dtype to);
/* n as an operand of an operation in type t, which may be weak. */
struct node *operand(struct fn *f, struct node *n, struct type t);
/* n stored in `what`, of type to: by same_kind, else an error that suggests a conversion. */
struct node *stored(struct fn *f, struct node *n, enum ufc_dtype to, const char *what);

/* Whether a value of type t may be stored so; reports it where not.  text: the value, for that. */
bool check_store(struct fn *f, struct span at, struct type t, const char *text, enum ufc_dtype to,
                 const char *what);

/* check_call.c */
struct node *check_call(struct fn *f, const struct node *n);
/* A call of a user's or a prelude's function with typed arguments. */
struct node *call_decl(struct fn *f, const struct node *n, struct decl *d, struct node **args);
/* x**n by multiplication. */
struct node *power_call(struct fn *f, const struct node *from, struct node *x, wide_int n);
/* The values in a list; where one call gives several, `**tail` gets the statements that come first.
 */
struct values check_values(struct fn *f, const struct node *list, struct node ***tail);

/* prelude.c */
/* A function each; NULL ends them. */
extern const char *const prelude[];
/* "name(..." of a function's text. */
static inline const char *prelude_name(const char *text) {
    return text + sizeof "def" /* and a space */;
}

/* Room for n values, none known. */
struct values values_new(struct fn *f, int n);
void set_value(struct values *v, int i, struct node *n);

/* check_builtin.c */
struct node *call_builtin(struct fn *f, const struct node *n, const struct builtin *b,
                          struct node **args);
/* The results of one that has several; **tail gets the statements that come first. */
struct values builtin_results(struct fn *f, const struct node *n, const struct builtin *b,
                              struct node **args, struct node ***tail);
/* Makes a list of nodes; NULL where one is missing. */
struct node *linked(struct node **nodes, int n);

/* check_core.c */
/* A gufunc's core dimensions: of its parameters and in a list.  False after errors. */
bool check_core(struct uc *uc, struct decl *d);
/* A gufunc's operands and dimensions as names, and as params and outputs of f->inst. */
void declare_operands(struct fn *f, const struct overload *o);
/* Whether each output is written; reports where not. */
bool check_written(struct fn *f);
/* Have they one size, whatever the call? */
bool same_dim(const struct dim *a, const struct dim *b);
/* A def's parameter l, of g, stands for an array, its dimensions' names for that one's. */
bool bind_array(struct fn *g, const struct param *p, struct local *l, struct array *array);
/* An argument for a parameter that is an array; NULL after an error. */
struct node *check_array_argument(struct fn *f, const struct node *arg, const struct decl *d,
                                  const struct param *p);

/* check_constant.c */
/* Warns of an operation, an N_BINARY or N_ASSIGN, whose result its typed operands do not change. */
void warn_constant(struct fn *f, const struct node *n, const struct node *a, const struct node *b);

/* check_unset.c */
/* Of a gufunc's body without errors: warns of outputs that a path does not write, sets
 * f->inst->unwritten. */
void check_unset(struct fn *f);

/* check_serial.c */
/* Warns of an `N_FOR` of a gufunc that one thread runs; it has no error, its index is in scope. */
void warn_serial(struct fn *f, const struct node *n);

/* check_sum.c */
enum { MAX_SUM = 6 };
/* times[0] * of[0] + ... + plus */
struct sum {
    const void *of[MAX_SUM]; /* struct dim, or struct local of an index */
    wide_int times[MAX_SUM];
    bool is_index[MAX_SUM];
    int n;
    wide_int plus;
};
/* Of a typed whole number; false: it is none.  Indices count whose every value reaches it in f, or,
 * where f is NULL, all.  known: a dimension that may stand as one; or NULL. */
bool sum_of(const struct fn *f, const struct node *n, const struct dim *known, struct sum *s);
bool sum_of_size(const struct fn *f, const struct dim *dim, struct sum *s);
/* s += times * t; false: it may be too large, or has too many terms. */
bool sum_add(struct sum *s, const struct sum *t, wide_int times);
bool sum_add_term(struct sum *s, const void *of, bool is_index, wide_int times);
bool sum_is_small(wide_int i);
bool sum_is_number(const struct sum *s);
bool sum_has_index(const struct sum *s);
/* Is it, without indices, 0 or more whatever the dimensions are?  With sign -1: 0 or less? */
bool sum_never_below(const struct sum *s, int sign);
const char *sum_text(struct uc *uc, const struct sum *s); /* "2 * n - 1" */
/* Are two sizes the same expression? */
bool same_size(const struct node *a, const struct node *b);
/* The one that has no more elements, whatever the call; a where that is not certain. */
const struct dim *smaller_dim(const struct fn *f, const struct dim *a, const struct dim *b);

/* check_range.c */
/* Does every value of an index reach the place that is checked? */
bool is_reached(const struct fn *f, const struct local *index);
/* Sets what is known of an index by its range, an N_CLAUSE or N_FOR (NULL: it may end early); adds
 * a guard where that is nothing. */
void set_reach(struct fn *f, struct local *index, const struct node *range);
enum outside { INSIDE /* perhaps */, BELOW, ABOVE };
/* Where n, a subscript, is out of a dimension's range whatever the sizes; then *reached is what it
 * goes down or up to, NULL where it has no index. */
enum outside outside_of(struct fn *f, const struct node *n, const struct dim *dim,
                        const char **reached);

/* check_advice.c: texts of what to write instead; "..." stands for what is long. */
/* "y[i]"; "y[i] = ... for i" */
const char *element_of(struct fn *f, const char *name, int rank);
const char *definition_of(struct fn *f, const char *name, int rank);
/* For a definition, the loops that do it in order. */
const char *in_order(struct fn *f, const struct node *n);
/* For `target op= value for ...` one without `op=`; NULL: no other, where an element comes once. */
const char *combined(struct fn *f, const struct node *n);
/* For a definition with clauses that do not subscript its target, one of their sum. */
const char *summed(struct fn *f, const struct node *n);
/* For a comprehension's argument (NULL: none) without clauses, with them: "v for v in x",
 * "x[i] * y[i] for i". */
const char *elements_of(struct fn *f, const struct node *arg);
/* For a call of what other languages make a complex number of two parts with; NULL: it is none. */
const char *complex_of_parts(struct fn *f, const struct node *n);

/* check_array.c */
struct node *check_index(struct fn *f, const struct node *n);
/* The name of an array as a value: that of a scalar output. */
struct node *array_value(struct fn *f, const struct node *n, struct local *l);
struct node *element_node(struct fn *f, const struct node *from, struct array *a,
                          struct node *subscripts);
/* An element, or a scalar output, that is assigned to; NULL after an error. */
struct node *check_element_target(struct fn *f, const struct node *n);
/* var a: float32[9] */
void check_local_array(struct fn *f, const struct node *n, struct node ***tail);

/* check_reduce.c */
/* "0..n": what a clause of n, a call or a definition, runs over. */
const char *clause_range(struct fn *f, const struct node *n, const struct node *clause);
struct node *check_reduce(struct fn *f, const struct node *n);
/* Opens a scope with the indices of n's clauses, typed as t's.  False after errors. */
bool open_clauses(struct fn *f, const struct node *n, struct node *t);
void close_clauses(struct fn *f, struct binding *outside, int guards);
/* `for name in over`, an array, with name in scope: t gets an index (list) and its range (a, b).
 * What binds the element, a statement; NULL after an error. */
struct node *open_elements(struct fn *f, const struct node *name, const struct node *over,
                           struct node *t);

/* check_define.c */
void check_define(struct fn *f, const struct node *n, struct node ***tail);
/* Whether n, an N_ASSIGN, is a definition but for its `for`; it is then reported. */
bool check_undefined(struct fn *f, const struct node *n, struct node ***tail);
/* Of untyped nodes. */
bool same_tree(const struct node *a, const struct node *b);
/* Is the name in n, not in what follows n in a list? */
bool mentions(const struct node *n, const char *name);
/* What reads the target's array in n or behind it, or that at another place than it is written;
 * NULL: nothing. */
const struct node *find_read(const struct fn *f, const struct node *list, const struct node *target,
                             bool elsewhere);

/* check_order.c */
/* The first clause whose index a definition's subscripts leave open; NULL: no element comes twice.
 * t: n typed, its clauses open. */
const struct node *find_untold(struct fn *f, const struct node *n, const struct node *t);
/* Warns of a definition of which several points may have one element, where what they write there
 * may differ. */
void warn_order(struct fn *f, const struct node *n, const struct node *t);

/* check_assign.c */
/* Whether there are as many values as wanted; silent where an error has hidden how many. */
bool has_count(struct fn *f, const struct node *n, const struct values *v, int wanted,
               const char *what);
/* Value i as what is stored in a place of type d; NULL after an error, and for a call's result,
 * which plan.c converts. */
struct node *stored_value(struct fn *f, const struct values *v, int i, enum ufc_dtype d,
                          const char *what, bool *ok);
struct node *zero_node(struct fn *f, const struct node *from, enum ufc_dtype d);
void check_binding(struct fn *f, const struct node *n, struct node ***tail); /* let, var */
void check_assignment(struct fn *f, const struct node *n, struct node ***tail);

/* check_stmt.c */
void append_statement(struct node ***tail, struct node *n);
/* A whole number as an int64: a bound of a range, a step, a subscript. */
struct node *check_bound(struct fn *f, const struct node *n, const char *what);
/* Reports an index with the name of something in sight. */
void check_index_name(struct fn *f, const struct node *name);
/* Types the body of f->inst; its results, where they are not given, from its returns.  False after
 * errors. */
bool check_body(struct fn *f);

#endif
