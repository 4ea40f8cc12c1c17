/* check.h: what the files of the check stage share: the function being typed, and its names.
 *
 * check.c: declarations.  core.c: gufuncs' operands.  name.c: scopes, the meaning of
 * names.  expr.c, call.c, builtin.c: expressions.  array.c: subscripts.
 * table.c: constant tables.  slice.c: parts of arrays.  range.c: subscripts that
 * are certainly out of range.
 * results.c: calls that give arrays.  sum.c: sums of dimensions. reduce.c,
 * join.c: comprehensions.  define.c, accumulate.c, apart.c: definitions.
 * order.c: -Worder. intermediate.c: arrays that a body makes. assign.c: let, var,
 * assignment. stmt.c: statements, bodies. unset.c: outputs without a value.
 * serial.c, constant.c: -Wserial, -Wconstant. advice.c: what to write instead.
 *
 * Each body is copied with types, once for each list of argument types.  NULL stands for a part
 * that had an error, which was reported; what contains it becomes NULL without another message. */
#ifndef CHECK_H
#define CHECK_H

#include "uc.h"

enum {
    MAX_NODES = 100000, /* of one overload, after inlining */
    MAX_NESTING = 2500, /* of an overload's tree, after inlining: later stages recurse over it */
};

/* One overload (or const) being checked, with all that it calls. */
struct unit {
    struct overload *overload; /* NULL: a const */
    int nodes, nesting, failures;
    bool too_large; /* the error for too many nodes was reported */
    bool gathers;   /* gather.c: there is a version of it that adds up by one pass */
    bool by_pass;   /* this is that version */
};

/* What binders stand for in an overload. */
struct bound {
    const char *name;
    enum ufc_dtype type;
    const struct bound *next;
};

/* A name in scope. */
struct binding {
    struct local *local;
    int level;                      /* how many blocks enclose it */
    struct binding *outer, *hidden; /* the binding before; an outer one of the name */
};

/* The values of a statement: of an expression each, or the results of one call. */
struct values {
    int count;           /* 0 after an error that hides how many values there are */
    struct node *call;   /* of several results, of an instance or a comprehension; NULL: the values
                            are in nodes */
    struct node **nodes; /* one for each value */
    struct type *types;  /* TYPE_NONE: the value had an error */
    struct constant *folded; /* the value of a constant; else its type is TYPE_NONE */
    struct array **arrays;   /* a value that is an array; else NULL */
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
    const struct node *blame; /* in a prelude's function: the user's call of it */
    const struct decl *decl;
    const struct file *file;    /* whose names are in sight; NULL: the prelude, which sees none */
    const struct bound *bounds; /* of `for T in`; NULL: none */
    struct inst *inst;
    struct binding *names; /* the innermost first */
    struct map bindings;   /* the innermost struct binding of a name */
    int level, nlocals, nloops;
    int guards;    /* conditions around, and loops around that may not run */
    int unreached; /* conditions around that are constant, and never hold */
    int nclauses;  /* unordered iterations around, in this function and its callers */
    struct returned *returns;
    const struct node *statement; /* the binding or assignment that is checked */
};

/* check.c */
/* Reports an error at the place, or, within a function of the prelude, at the user's call; notes
 * say for which types it occurs. */
void fail(struct fn *f, struct span at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Whether there is a signature, in which neither d, a floating type, nor the complex type of d
 * occurs. */
bool lacks_type(const struct fn *f, enum ufc_dtype d);
/* Warns of a computation in float64, or in complex128 if t is complex, that the signature does not
 * ask for.  operand: what is to be converted, in parentheses; NULL: not known. */
void warn_double(struct fn *f, struct span at, const char *what, struct type t,
                 const char *operand);
/* The same, with what to write. */
void warn_double_of(struct fn *f, struct span at, const char *what, struct type t,
                    const char *instead, const char *meant);
/* The value of a const that n names; NULL after an error. */
struct node *const_value(struct fn *f, const struct node *n, struct decl *d);

/* only.c */
/* Sets decl.needed.  False after an error: options.only names no ufunc. */
bool find_needed(struct uc *uc);

/* name.c */
struct local *declare(struct fn *f, const struct node *name, struct type type);
struct local *local_new(struct fn *f, const char *name, struct span at, struct type type);
/* Ends the scope of the names since `outside`. */
void forget(struct fn *f, struct binding *outside);
/* A local for a value that has no name in the source. */
struct local *local_hidden(struct fn *f, struct span at, struct type type);
struct local *local_named(const struct fn *f, const char *name);
struct decl *decl_named(const struct fn *f, const char *name);
struct decl *prelude_named(struct uc *uc, const char *name);
struct decl *parse_prelude(struct uc *uc, const char *text);
/* Whether only the prelude may call it: a function whose name begins with an underscore. */
static inline bool is_private(const struct fn *f, const char *name) {
    return f->file && *name == '_';
}
/* What a binder of the name stands for; DT_COUNT: there is none. */
enum ufc_dtype type_bound(const struct bound *bounds, const char *name);
enum ufc_dtype type_named_here(const struct fn *f, const char *name); /* DT_COUNT: none */
/* The type of a `let x: …`; DT_COUNT after an error. */
enum ufc_dtype declared_type(struct fn *f, const struct typename *t);
void unknown_name(struct fn *f, const struct node *n, bool called);
/* Whether the name stands for something, built-in functions apart. */
bool has_meaning(const struct fn *f, const char *name);
struct node *check_name(struct fn *f, const struct node *n);

/* The nodes of a list. */
static inline int count_nodes(const struct node *list) {
    int n = 0;
    for (; list; list = list->next)
        n++;
    return n;
}

/* expr.c */
struct node *check_expr(struct fn *f, const struct node *n);
/* A condition: a bool; NULL after an error. */
struct node *check_condition(struct fn *f, const struct node *n);
/* Is it a constant, and which? c: a checked condition, or NULL. */
bool is_always(const struct node *c, bool holds);
/* A typed node in the place of another. */
struct node *typed(struct fn *f, enum node_kind kind, const struct node *from, struct type type);
struct node *constant_node(struct fn *f, const struct node *from, struct constant value);
struct node *local_node(struct fn *f, const struct node *from, struct local *local);
/* An operation on two typed operands; from: the node that gives its place and mark. */
struct node *binary(struct fn *f, const struct node *from, enum op op, struct node *a,
                    struct node *b);
bool is_weak_constant(const struct node *n);
/* The text at a place; "..." if it is long or has several lines. */
const char *short_text(struct fn *f, struct span at);
bool is_complex_type(struct type t);

/* convert.c */
/* n converted to a type, whatever n's type; a constant must fit. */
struct node *convert(struct fn *f, struct node *n, enum ufc_dtype to);
/* n converted as an operand of an operation in type t, which may be weak. */
struct node *operand(struct fn *f, struct node *n, struct type t);
/* n converted to be stored in `what`, of type to: by same_kind casting, else an error that suggests
 * a conversion. */
struct node *stored(struct fn *f, struct node *n, enum ufc_dtype to, const char *what);
/* Whether n, typed, is a '/' of two whole numbers. */
bool is_whole_quotient(struct fn *f, const struct node *n);

/* Whether a value of type t may be stored in `what` without an explicit conversion; reports where
 * not.  text: the value, as the message shows it. */
bool check_store(struct fn *f, struct span at, struct type t, const char *text, enum ufc_dtype to,
                 const char *what);

/* call.c */
struct node *check_call(struct fn *f, const struct node *n);
/* A call of a user's or a prelude's function with typed arguments. */
struct node *call_decl(struct fn *f, const struct node *n, struct decl *d, struct node **args);
/* x**n by multiplication. */
struct node *power_call(struct fn *f, const struct node *from, struct node *x, wide_int n);
/* The results of a call of a user's or a prelude's function with typed arguments.  **tail gets the
 * statement of a call that gives arrays; NULL: it may not. */
struct values call_results(struct fn *f, const struct node *n, struct decl *d, struct node **args,
                           struct node ***tail);
/* The values of a list, of which `wanted` are meant.  If one call gives several, `**tail` gets the
 * statements that come before it. */
struct values check_values(struct fn *f, const struct node *list, int wanted, struct node ***tail);

/* prelude.c */
/* The sources of functions, one each, NULL at the end. */
extern const char *const prelude[];
/* The name at the begin of a function's source, which continues: "name(...". */
static inline const char *prelude_name(const char *text) {
    return text + sizeof "def" /* and a space */;
}

/* Room for n values, all still unknown. */
struct values values_new(struct fn *f, int n);
void set_value(struct values *v, int i, struct node *n);

/* builtin.c */
struct node *call_builtin(struct fn *f, const struct node *n, const struct builtin *b,
                          struct node **args);
/* The results of a built-in function with several; **tail gets the statements that come before. */
struct values builtin_results(struct fn *f, const struct node *n, const struct builtin *b,
                              struct node **args, struct node ***tail);
/* Makes a list of nodes; NULL where one is missing. */
struct node *linked(struct node **nodes, int n);

/* core.c */
/* Finds a gufunc's core dimensions: its parameters' and its list.  False after errors. */
bool check_core(struct uc *uc, struct decl *d);
/* The dimension of a typed size: one that d has, or a new one, which is computed. */
struct dim *size_dim(struct uc *uc, struct decl *d, struct node *size);
/* Reports operands and dimensions that a kernel's parameter has no room for. */
void check_room(struct uc *uc, const struct decl *d);
/* Declares a gufunc's operands and dimensions as names; operands become params and outputs of
 * f->inst. */
void declare_operands(struct fn *f, const struct overload *o);
/* Whether each output is written; reports outputs that are not. */
bool check_written(struct fn *f);
/* Makes l, a parameter of the def g, stand for an array; names in its dimensions stand for the
 * array's.  False after an error. */
bool bind_array(struct fn *g, const struct param *p, struct local *l, struct array *array);
/* An argument for a parameter that is an array; NULL after an error.  **tail gets the statements of
 * a call that gives it; NULL: none may be one. */
struct node *check_array_argument(struct fn *f, const struct node *arg, const struct decl *d,
                                  const struct param *p, struct node ***tail);

/* constant.c */
/* Warns of an operation, an N_BINARY or N_ASSIGN, whose result its typed operands do not change. */
void warn_constant(struct fn *f, const struct node *n, const struct node *a, const struct node *b);

/* unset.c */
/* For a gufunc's body without errors: warns of outputs that a path does not write, and sets
 * f->inst->unwritten. */
void check_unset(struct fn *f);

/* serial.c */
/* What -Wserial says of n, a `for` of a gufunc without errors, whose index is in scope, where the
 * plan leaves it in order (plan/unshared.c); NULL: nothing. */
struct serial *serial_of(struct fn *f, const struct node *n);

/* sum.c */
enum { MAX_SUM = 6 };
/* times[0] * of[0] + ... + plus */
struct sum {
    const void *of[MAX_SUM]; /* struct dim, or struct local of an index */
    wide_int times[MAX_SUM];
    bool is_index[MAX_SUM];
    int n;
    wide_int plus;
};
/* Sets *s to a typed whole number.  False: n is no such sum.  With f, only indices count whose
 * every value reaches n; with NULL all.  known: a dimension that counts as one term, or NULL. */
bool sum_of(const struct fn *f, const struct node *n, const struct dim *known, struct sum *s);
bool sum_of_size(const struct fn *f, const struct dim *dim, struct sum *s);
/* s += times * t; false: the result may be too large, or has too many terms. */
bool sum_add(struct sum *s, const struct sum *t, wide_int times);
bool sum_add_term(struct sum *s, const void *of, bool is_index, wide_int times);
bool sum_is_small(wide_int i);
bool sum_is_number(const struct sum *s);
bool sum_has_index(const struct sum *s);
/* Whether s has no indices and is 0 or more for all sizes; with sign -1: 0 or less. */
bool sum_never_below(const struct sum *s, int sign);
const char *sum_text(struct uc *uc, const struct sum *s);      /* "2 * n - 1" */
const char *size_text(struct uc *uc, const struct node *size); /* of any size */
bool has_size_type(const struct node *n);                      /* one that sizes do not wrap in */
/* n without the casts around it that keep any size: int8(n), which may wrap, stays. */
const struct node *without_cast(const struct node *n);
/* Whether two sizes are the same expression. */
bool same_size(const struct node *a, const struct node *b);
/* The size n without a `max(n, 0)` around it: both have the same elements, where below 0 there are
 * none. */
const struct node *nonzero_size(const struct node *n);
bool never_below_0(const struct node *n); /* whatever the dimensions */
/* Whether two dimensions have the same size in any call. */
bool same_dim(const struct dim *a, const struct dim *b);
/* The dimension that has no more elements than the other in any call; a if neither is certain
 * to. */
const struct dim *smaller_dim(const struct fn *f, const struct dim *a, const struct dim *b);

/* range.c */
/* Whether every value of an index reaches the place being checked. */
bool is_reached(const struct fn *f, const struct local *index);
/* Sets what is known of an index from its range, an N_CLAUSE or N_FOR (NULL: the loop may end
 * early).  Adds a guard if nothing is known. */
void set_reach(struct fn *f, struct local *index, const struct node *range);
enum outside { INSIDE /* perhaps */, BELOW, ABOVE };
/* Where n, a subscript, is out of a dimension's range for all sizes.  *reached: the value that it
 * goes down or up to; NULL: it has no index.  *needed: of one above, the size that would do; NULL:
 * not known. */
enum outside outside_of(struct fn *f, const struct node *n, const struct dim *dim,
                        const char **reached, const char **needed);

/* advice.c: texts that say what to write instead; "..." stands for long parts */
/* "y[i]"; "y[i] = ... for i" */
const char *element_of(struct fn *f, const char *name, int rank);
const char *definition_of(struct fn *f, const char *name, int rank);
/* What begins an array to which `op=` joins: "h[k] = 0 for k". */
const char *beginning_of(struct fn *f, const struct array *a, enum op op);
/* "h[b[i]] += w[i] for i" of a definition `h[b[i]] = h[b[i]] + w[i] for i`, or with the value
 * first; NULL: n is no such definition. */
const char *accumulated(struct fn *f, const struct node *n);
/* The element that a definition writes. */
const char *target_text(struct fn *f, const struct node *target);
/* The loops that do in order what a definition does. */
const char *in_order(struct fn *f, const struct node *n);
/* For a definition, some of whose clauses do not subscript its target: one with the sum over
 * these. */
const char *summed(struct fn *f, const struct node *n);
/* Clauses added to a comprehension's argument (NULL: none): "v for v in x", "x[i] * y[i] for i". */
const char *elements_of(struct fn *f, const struct node *arg);
/* "let s[i] = x[i] * 2 for i" where the whole array n is an operand of the binding or assignment at
 * hand, `let s = x * 2`; else NULL. */
const char *in_elements(struct fn *f, const struct node *n);
/* For a call by which other languages make a complex number of two parts; NULL: n is no such
 * call. */
const char *complex_of_parts(struct fn *f, const struct node *n);

/* array.c */
/* The array that n, an untyped N_INDEX, subscripts, with as many subscripts as it has dimensions;
 * NULL after an error. */
struct array *subscripted(struct fn *f, const struct node *n);
/* A subscript of an axis, typed; NULL after an error. */
struct node *check_subscript(struct fn *f, const struct node *n, const struct array *a, int axis);
/* Whether a slice of an axis may end before `end`, which n is typed; reports where not. */
bool check_last(struct fn *f, const struct node *n, struct node *end, const struct array *a,
                int axis);
struct node *check_index(struct fn *f, const struct node *n);
/* The value of a scalar output that n names; reports other arrays. */
struct node *array_value(struct fn *f, const struct node *n, struct local *l);
/* The element at typed subscripts.  Of a slice it is one of the whole array. */
struct node *element_node(struct fn *f, const struct node *from, struct array *a,
                          struct node *subscripts);
/* Reports an output's element, n, that is read before anything is written.  False after an error.
 */
bool check_written_before(struct fn *f, const struct node *n, const struct array *a);
/* A target of an assignment: an element, or a scalar output; NULL after an error. */
struct node *check_element_target(struct fn *f, const struct node *n);
/* Whether l's array may be assigned to, at n, and that it is; reports where not. */
bool may_write(struct fn *f, const struct node *n, struct local *l);
/* Declares `var a: float32[9]`. */
void check_local_array(struct fn *f, const struct node *n, struct node ***tail);

/* table.c */
/* The local that stands for a table, a const of a list; its type is TYPE_NONE after an error. */
struct local *check_table(struct fn *f, struct decl *d);
/* The same of the table of a name; NULL: it is none. */
struct local *table_named(const struct fn *f, const char *name);
/* n, an element of a table of weak numbers, in a type; NULL after an error. */
struct node *table_converted(struct fn *f, struct node *n, enum ufc_dtype to);
/* An element of a table, a constant where its subscripts are. */
struct node *table_element(struct fn *f, const struct node *from, struct array *a,
                           struct node *subscripts);
/* Whether n is `len` of a table, and the value of that. */
bool is_length(const struct fn *f, const struct node *n);
struct node *check_length(struct fn *f, const struct node *n);

/* slice.c */
/* Whether n, untyped, is an element with a slice among its subscripts. */
bool is_slice(const struct node *n);
/* The array that n, a slice, stands for; NULL after an error.  once: one place subscripts it. */
struct array *check_slice(struct fn *f, const struct node *n, bool once);
/* The array of which a is a part, which may be a itself. */
struct array *array_of(struct array *a);
/* Statements that come before the first use of a; NULL: none. */
struct node *lets_of(const struct array *a);
/* The subscripts of the whole array for those of a slice. */
struct node *slice_subscripts(struct fn *f, const struct node *from, const struct array *a,
                              const struct node *subscripts);
/* The element of an array of one dimension at an index, whose range goes to t (a, b); it may be
 * that of the whole array's subscripts unless it must be from 0. */
struct node *slice_element(struct fn *f, const struct node *from, struct array *a, bool from_0,
                           struct local *index, struct node *t);
/* The size of a slice's axis, for which dim->length is set: as an int64, which is negative where
 * the slice ends before it begins; as a number. */
struct node *slice_length(struct fn *f, const struct node *from, const struct dim *dim);
struct node *slice_size(struct fn *f, const struct node *from, const struct dim *dim);

/* a with elements of another type. */
struct array *cast_array(struct fn *f, struct array *a, enum ufc_dtype to);

/* results.c */
/* Value i if it is an array; else NULL. */
struct array *value_array(const struct values *v, int i);
/* Declares the outputs of g, a gufunc that is called, whose parameters are bound: arrays that the
 * caller makes, and variables, for which **tail gets statements.  False after an error. */
bool declare_results(struct fn *g, const uint8_t *dtypes, struct node ***tail);
/* Appends the `return` of a gufunc whose outputs are all variables. */
void return_numbers(struct fn *g, struct node ***tail);
/* The values of n, a def's or ufunc's `return`. */
struct values returned_values(struct fn *f, const struct node *n, struct node ***tail);
bool returns_arrays(const struct fn *f);
/* Takes the only `return` out of the body of a def that returns arrays.  False after an error. */
bool take_return(struct fn *f);
/* Whether the results of g, which is typed, are arrays, or some are. */
bool gives_arrays(const struct fn *g);
/* Those results, for its caller f. */
struct values array_results(struct fn *f, const struct node *n, const struct fn *g);
/* Declares a name of n, an N_LET or N_VAR, for an array. */
void bind_array_value(struct fn *f, const struct node *n, const struct node *name, struct array *a);
/* Types `y = x` and `y = x[1:]` of arrays.  False: n, an assignment, is no such. */
bool check_copy(struct fn *f, const struct node *n, struct node ***tail);
/* The array with dimensions that n names; NULL: none. */
struct local *whole_array_named(const struct fn *f, const struct node *n);
/* Copies an array to one that is assigned to by n. */
void assign_array(struct fn *f, const struct node *n, const struct node *target, struct array *a,
                  struct node ***tail);

/* intermediate.c: arrays that a gufunc's body makes */
/* `let s[j] = value for j` */
void check_intermediate(struct fn *f, const struct node *n, struct node ***tail);
/* Whether f is a gufunc, or a def that one calls. */
bool has_intermediates(const struct fn *f);
/* Makes an intermediate of a, whose other members are set.  False after an error. */
bool make_intermediate(struct fn *f, struct array *a);
/* A copy of a typed whole number in terms of core dimensions; NULL: it depends on more. */
struct node *size_in_dims(struct fn *f, const struct node *n);
/* The dimension for a size n, a typed whole number, of the array of a name; NULL after an error. */
struct dim *intermediate_dim(struct fn *f, const struct node *n, const char *name);
/* Appends a definition that sets all elements of an array to those of one of the same size, or to
 * zero where `from` is NULL. */
void fill_array(struct fn *f, const struct node *n, struct array *a, struct array *from,
                struct node ***tail);
/* Gives an array a name, by which messages and the plan know it. */
void name_intermediate(struct fn *f, struct array *a, const char *name);
/* The array that n, a `let` with clauses, makes; its name is not declared.  NULL after an error. */
struct array *define_array(struct fn *f, const struct node *n, struct node ***tail);

/* reduce.c */
/* The range of a clause of n, a call or a definition, as text: "0..n". */
const char *clause_range(struct fn *f, const struct node *n, const struct node *clause);
struct node *check_reduce(struct fn *f, const struct node *n);
/* The results of a comprehension: one, or where `wanted` are meant as many as it has. */
struct values reduce_values(struct fn *f, const struct node *n, int wanted);
/* Whether a comprehension has as many arguments as wanted; reports where not. */
bool has_values(struct fn *f, const struct node *n, int wanted);
/* Whether n is `reduce` by the name of another comprehension, as reduce(max, ...). */
bool own_reduction(struct fn *f, const struct node *n);
/* Declares the locals acc and other of each of c's values, which the operation combines. */
void declare_pairs(struct fn *f, struct comprehension *c, const struct node *n,
                   const struct type *types);
/* The size of a dimension, as an int64. */
struct node *dim_node(struct fn *f, const struct node *from, const struct dim *dim);
/* Opens a scope with the indices of n's clauses; t gets the typed clauses.  False after errors. */
bool open_clauses(struct fn *f, const struct node *n, struct node *t);
void close_clauses(struct fn *f, struct binding *outside, int guards);
/* Types `for name in over`, an array, with name in scope: t gets an index (list) and its range (a,
 * b), which begins at 0 with from_0.  Gives the statement that binds the element; NULL after an
 * error. */
struct node *open_elements(struct fn *f, const struct node *name, const struct node *over,
                           bool from_0, struct node *t);

/* join.c */
/* The parts of a `reduce`, in the scope of its clauses: t, or NULL after an error. */
struct node *check_joined(struct fn *f, const struct node *n, struct node *t,
                          struct comprehension *c);

/* define.c */
void check_define(struct fn *f, const struct node *n, struct node ***tail);
/* Whether n, an N_ASSIGN, lacks only `for` to be a definition; this is then reported. */
bool check_undefined(struct fn *f, const struct node *n, struct node ***tail);
/* Whether two untyped nodes are the same expression. */
bool same_tree(const struct node *a, const struct node *b);
/* Whether the name occurs in n; the nodes behind n in its list are not searched. */
bool mentions(const struct node *n, const char *name);
/* The first node in the list that reads the target's array; with `elsewhere`, only at another
 * element than the target.  NULL: there is none. */
const struct node *find_read(const struct fn *f, const struct node *list, const struct node *target,
                             bool elsewhere);

/* accumulate.c */
/* Whether a definition's value is a call that combines its target's element, and reads no other. */
bool combines_target(struct fn *f, const struct node *n);
/* n, or where a def combines whole numbers as max or min do, that definition by these. */
const struct node *with_extreme(struct fn *f, const struct node *n);
/* The target's element that a call combines, as its first or second argument: `max(h[k], v)`; NULL:
 * the value is no such call. */
const struct node *combined_element(const struct node *n);
/* Types an accumulating definition in the scope of its clauses, which t has typed.  AS_DEFINITION:
 * *instead, untyped, is a definition that does the same; AS_EXACT: check_exact is to type it,
 * outside of that scope; AS_LOOPS: of another type it might have been one of these. */
enum accumulation { ACCUMULATED, AS_DEFINITION, AS_EXACT, AS_LOOPS };
enum accumulation check_accumulate(struct fn *f, const struct node *n, struct node *t,
                                   struct node ***tail, struct node *instead);

/* Loops of n's clauses around statements, a list of N_LETs and N_ASSIGNs, untyped. */
void check_as_loops(struct fn *f, const struct node *n, const struct node *statements,
                    struct node ***tail);

/* exact.c: accumulating definitions of floats whose bits do not depend on the order */
/* Whether n, whose target has type d, is such a sum, minimum or maximum. */
bool is_exact(const struct fn *f, const struct node *n, enum ufc_dtype d);
/* Whether n's numbers are added or multiplied as they come, rounding each time. */
bool is_loose(const struct fn *f, const struct node *n, enum ufc_dtype d);
void check_exact(struct fn *f, const struct node *n, struct node ***tail);
/* Makes an array of the call of the shape of n's target, all 0; NULL after an error. */
struct array *make_zeroed(struct fn *f, const struct node *n, const char *purpose,
                          enum ufc_dtype dtype, struct node ***tail);
/* The same, which has no values. */
struct array *make_beside(struct fn *f, const struct node *n, const char *purpose,
                          enum ufc_dtype dtype);
/* Overloads have the same intermediates: makes those that n has in another one. */
void reserve_exact(struct fn *f, const struct node *n);

/* gather.c */
/* Notes that n is a definition by a sum over what has its index for a key; in the version for that,
 * types it as one pass.  False: n was not typed. */
bool check_gather(struct fn *f, const struct node *n, struct node ***tail);

/* The value n with others in the place of calls in it, which are not within other such ones. */
struct node *with_calls(struct fn *f, const struct node *n, const struct node *const *calls,
                        struct node *const *by, int count);

/* sides.c */
/* Types a definition by prefixes from both sides as one for each side.  False: n is none, and was
 * not typed. */
bool check_sides(struct fn *f, const struct node *n, struct node ***tail);

/* apart.c */
/* Whether a definition, whose typed form is t, writes no element that it reads at `read`, an
 * untyped N_INDEX in it.  Where not, *ranges says what the subscripts are, if that is known. */
bool is_read_apart(struct fn *f, const struct node *t, const struct node *read,
                   const char **ranges);

/* order.c */
/* The first clause whose index the definition's subscripts do not determine; NULL: no element comes
 * twice.  t: n typed, its clauses open. */
const struct node *find_undetermined(struct fn *f, const struct node *n, const struct node *t);
/* Refuses a definition that may read and write an element at several points, and warns of one that
 * may write it with different values.  False after an error. */
bool check_order(struct fn *f, const struct node *n, const struct node *t);

/* assign.c */
/* Whether there are as many values as wanted.  Reports where not, unless an error hides their
 * number. */
bool has_count(struct fn *f, const struct node *n, const struct values *v, int wanted,
               const char *what);
/* Value i as stored in a place of type d; NULL after an error, and for a call's result, which
 * plan/plan.c converts. */
struct node *stored_value(struct fn *f, const struct values *v, int i, enum ufc_dtype d,
                          const char *what, bool *ok);
struct node *zero_node(struct fn *f, const struct node *from, enum ufc_dtype d);
void check_binding(struct fn *f, const struct node *n, struct node ***tail); /* let, var */
void check_assignment(struct fn *f, const struct node *n, struct node ***tail);

/* stmt.c */
void append_statement(struct node ***tail, struct node *n);
void append_list(struct node ***tail, struct node *list);
/* A range's bound, a step or a subscript: a whole number as an int64. */
struct node *check_bound(struct fn *f, const struct node *n, const char *what);
/* Reports an index whose name already stands for something else. */
void check_index_name(struct fn *f, const struct node *name);
/* Types the body of f->inst, and finds a def's results from its returns.  False after errors. */
bool check_body(struct fn *f);

#endif
