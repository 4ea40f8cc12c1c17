/* plan.h: what the parts of the plan stage share: functions (plan.c), statements (stmt.c),
 * expressions (expr.c), types that are not computed in (types.c). */
#ifndef PLAN_H
#define PLAN_H

#include "uc.h"

/* What a local stands for: local->var points to its pvar. */
struct variable {
    struct pvar pvar;  /* first; in the plan unless the local only names another value */
    struct pval value; /* what reading gives */
    bool mutable;
    const struct pval *below; /* a loop's index is from 0 up to `below`, exclusive, a constant or a
                                 dimension; NULL: not known */
};

/* Statements that jumps may leave.  If one does, they get a PS_BLOCK around them. */
struct region {
    struct pstmt *block;
    struct pstmt **outside;
    bool left;
};

struct loop_regions {
    struct region whole, body; /* left by break, and by continue */
};

/* The function whose body is lowered. */
struct frame {
    const struct inst *inst;
    struct pval **results; /* for an inlined function's values; NULL: stores outputs */
    struct region whole;
    struct loop_regions *loop; /* the innermost one */
    bool last;                 /* nothing follows in the body of the loop, or of the function */
    int depth;                 /* how many conditionals and loops are around */
};

struct lower {
    struct uc *uc;
    struct plan *plan;
    struct pvar **vars_end;
    struct pstmt **end; /* where the next statement goes */
    struct frame *frame;
    int nested;             /* how many conditionals around take in what follows them */
    int spreads;            /* how many PS_SPREADs are around */
    const struct pval *own; /* the place that is assigned to, for the value that it gets */
    struct span at;         /* types.c: the statement being rewritten */
};

/* plan.c */
/* Emits the statements of a called function.  results, with room for all, gets its values; NULL
 * where it has none. */
void lower_inline(struct lower *l, const struct node *call, struct pval **results);

/* stmt.c */
struct pstmt *stmt_emit(struct lower *l, enum pstmt_kind kind, struct span at);
/* Makes a local stand for v: as another name, if v stays the same; else as a variable. */
void lower_bind(struct lower *l, struct local *local, struct pval *v, struct span at);
void lower_binding(struct lower *l, const struct node *n);
/* Lowers a body whose parameters are bound.  It sets results, or, if these are NULL, the
 * outputs. */
void lower_function(struct lower *l, const struct inst *inst, struct pval **results);

/* expr.c */
struct pval *value_new(struct lower *l, enum pval_kind kind, enum ufc_dtype dtype);
struct pval *value_zero(struct lower *l, enum ufc_dtype dtype);
struct pval *value_op(struct lower *l, enum op op, enum ufc_dtype dtype, struct pval *a,
                      struct pval *b); /* b: NULL for one operand */
struct pval *value_not(struct lower *l, struct pval *v);
struct pval *value_one(struct lower *l, enum ufc_dtype dtype);
struct pval *value_call(struct lower *l, enum builtin_id id, enum ufc_dtype dtype, int nargs,
                        struct pval *const *args);
struct pval *value_fma(struct lower *l, struct pval *a, struct pval *b, struct pval *c);
struct pval *value_cast(struct lower *l, struct pval *v, enum ufc_dtype to); /* or v itself */
/* Whether v is a constant, a load, a dimension or a variable. */
bool value_is_atom(const struct pval *v);
/* Whether v may have another value later. */
bool value_is_mutable(const struct pval *v);
/* Whether v has more than n nodes. */
bool value_exceeds(const struct pval *v, int n);
/* Where the plan's next variable goes: it may have got some that are not l's. */
struct pvar **variables_end(struct lower *l);
struct variable *variable_new(struct lower *l, const char *name, enum ufc_dtype dtype);
void emit_set(struct lower *l, struct variable *to, struct pval *v, struct span at);
/* Emits the assignment of v to a new variable.  Gives the variable's value. */
struct pval *emit_temporary(struct lower *l, const char *name, struct pval *v, struct span at);
/* The value of an expression, for the next statement; the statements that it needs are emitted.
 * Nothing that the value reads is set before that statement. */
struct pval *lower_value(struct lower *l, const struct node *n);

/* reduce.c */
/* The value of a comprehension, an N_REDUCE. */
struct pval *lower_reduce(struct lower *l, const struct node *n);
/* The values of one that has `count`; results has room for them. */
void lower_reduces(struct lower *l, const struct node *n, int count, struct pval **results);
void lower_define(struct lower *l, const struct node *n);
/* The element that an N_INDEX stands for: a PV_ELEM, its subscripts evaluated. */
struct pval *lower_place(struct lower *l, const struct node *n);
/* Emits place = v. */
void emit_put(struct lower *l, struct pval *place, struct pval *v, struct span at);
/* Adds a local array to the plan, and the statement that clears it. */
void lower_local_array(struct lower *l, struct array *a, struct span at);

/* commute.c */
/* Whether `joined`, which sets the accs by them and `other`, gives the same with these exchanged,
 * but for rounding. */
bool joins_commute(struct lower *l, const struct pstmt *joined, const struct pacc *accs);

/* check.c */
/* Sets variable.below from an index's range. */
void set_index_range(struct variable *index, const struct pval *lo, const struct pval *hi,
                     const struct pval *step);
/* Whether a subscript is in range of a dimension, whatever the sizes. */
bool is_in_range(const struct pval *v, const struct dim *dim);
/* Are all elements of arrays in a value in range whatever the sizes, so that it may be computed
 * where it is not needed? */
bool exists_anyway(const struct plan *p, const struct pval *v);
/* Marks the subscripts of v that may be out of range; v is the PV_ELEM that n stands for. */
void mark_subscripts(struct lower *l, struct pval *v, const struct node *n);
/* Sets the place of a PS_ASSERT, that of n. */
void mark_assertion(struct lower *l, struct pstmt *s, const struct node *n);

/* map.c */
/* Appends the terms of a whole number made of dimensions and constants to *terms, which has room
 * for UFC_MAX_TERMS.  False: v is something else. */
bool value_terms(const struct pval *v, struct ufc_term *terms, int *nterms);
/* Of a size that is divided by a number which is not known, such as the stride of a butterfly, as
 * if that were 1: another range has the rest. */
bool share_terms(const struct pval *v, struct ufc_term *terms, int *nterms);
/* The computed dimension of d that has the same terms as v, but for not being below 0; NULL: there
 * is none. */
const struct dim *dim_of_terms(const struct decl *d, const struct pval *v);
/* The term of an operation on two whole numbers; -1: there is none. */
int64_t term_op(const struct pval *v);
/* A new variable of the plan. */
struct pvar *plan_variable(struct uc *uc, struct plan *p, const char *name, enum ufc_dtype d);
/* Steps of a loop between constants not far from 0; -1: it is no such loop, or has accs. */
int64_t constant_steps(const struct pstmt *s);
/* A definition of a single point, which is a list of statements. */
struct pstmt *single_point(struct uc *uc, struct plan *p, struct pstmt *list, struct span at);
/* Gives a spread its serial form: ordered loops around the body. */
void add_serial_loop(struct uc *uc, struct pstmt *s);
/* The same of each spread of a list.  Whether there is one. */
bool add_serial_loops(struct uc *uc, struct pstmt *s);
void map_plan(struct uc *uc, struct plan *p);

/* repeat.c */
/* Whether each thread may run a statement for itself: it stores to local arrays alone, and its
 * loops are short. */
bool may_repeat(const struct plan *p, const struct pstmt *s);

/* rows.c */
/* Sets map.rows and what follows it up to map.kept_bytes, and `held` of a gufunc's spreads. */
void find_rows(struct uc *uc, struct plan *p, struct pstmt *list);
/* The bytes of a reduction's entry, by which blocks join it; 0: its accs are too many. */
int entry_bytes(const struct pstmt *s);

/* shared.c */
/* The ordered loops around a statement whose indices nothing sets, the innermost first. */
struct enclosing {
    const struct pstmt *loop;
    const struct enclosing *outer;
};
/* The search for loops that threads of a call may share. */
struct toucher;
/* Dimensions, a bit each, that are multiples of a number, and not 0; of is 0: there are none. */
struct multiples {
    uint32_t dims;
    int64_t of;
};
struct sharer {
    struct uc *uc;
    const struct plan *plan;
    const struct toucher *sets; /* of the plan's variables, or NULL */
    const int *mentions;        /* in the whole body */
    const struct enclosing *around;
    struct multiples *given; /* what is taken for granted; NULL: nothing is */
    struct pstmt **end;      /* where the next statement goes */
    struct pvar *strip[2];   /* indices of strips and of places in them; NULL: there are none */
    bool brief;              /* loops of brief steps are taken apart, too */
};
/* What an iteration may have for itself: variables, by id, and behind them local arrays.  How many
 * there are; how often each is mentioned in a list; does a list mention all that it sets as often
 * as `all`, that of the body, says? */
int count_owned(const struct plan *p);
int *count_mentions(struct uc *uc, const struct plan *p, const struct pstmt *list);
bool sets_own(struct uc *uc, const struct plan *p, const struct pstmt *list, const int *all);
/* The elements that a statement accesses by a place: for all values of the indices of loops and
 * ranges in it, the outer ones first, in one iteration of the loops around it. */
enum { FOOTPRINT_INDICES = 6 };
struct footprint {
    const struct pval *place;
    const struct enclosing *around;
    const struct pstmt *index[FOOTPRINT_INDICES];
    int n; /* more than FOOTPRINT_INDICES: there are others */
};
/* Whether two regions of an array have no element in common; written: find_written of the body. */
bool are_footprints_apart(const struct plan *p, bool *written, const struct footprint *a,
                          const struct footprint *b);
/* Whether the iterations of a PS_FOR may run in any order.  Sets `merged` of what it stores where
 * they are then to be merged. */
bool is_independent(const struct sharer *x, struct pstmt *loop);
/* Have iterations nothing in common but what they write and `written`, by number, has not? */
bool are_others_apart(const struct sharer *x, const struct pstmt *loop, bool *written);
/* Whether a statement of a loop, whose variables `written` has by number, reads of these but what
 * is known, or what it has set itself. */
bool reads_known(const struct sharer *x, const struct pstmt *loop, const struct pstmt *s,
                 const bool *written, const bool *known);

/* cut.c */
/* An index of a loop by 1 at which other iterations read what it stores, or store what it reads:
 * the loop may be independent before and behind it.  may: the loop may not have that index.  NULL:
 * there is none. */
const struct pval *find_cut(const struct sharer *x, const struct pstmt *loop, bool may);

/* halo.c */
/* Sets map.halo, and `cut` of ranges. */
void find_halo(struct uc *uc, struct plan *p);

/* panel.c */
/* Sets map.panels. */
void find_panels(struct uc *uc, struct plan *p);

/* lag.c */
/* Sets `lag` of ordered loops in which nothing is shared. */
void find_lags(struct uc *uc, struct plan *p);

/* wave.c */
/* Sets `shared` of ordered loops over a table whose elements take loops themselves. */
void find_waves(struct uc *uc, struct plan *p);

/* guard.c */
/* Has spreads in conditionals of the body stand in the body itself. */
void guard_spreads(struct uc *uc, struct plan *p);
/* A bound of a reduction as it is where its guard holds. */
const struct pval *unguarded(const struct pval *bound);

/* ragged.c */
/* Do the statements of a list that store only merge, beside others that do at that time? */
bool merges_only(const struct pstmt *list);
/* Has what depends on a further range of no PS_SPREAD that merges be asked before that. */
void order_ragged(struct uc *uc, struct plan *p);

/* series.c */
/* Sets `series` of ordered loops that are in no PS_SPREAD; then which of them lanes may add up. */
void find_series(struct uc *uc, struct plan *p);
void give_series_to_lanes(struct uc *uc, struct plan *p);

/* deal.c */
/* Sets `deal` of ordered loops of the body that only update bins.  Whether one has bins with
 * subscripts: others are numbers, which a thread keeps in registers. */
bool find_deals(struct uc *uc, struct plan *p);
/* Has some loop of the body bins in an operand?  No variable may keep those across it. */
bool is_dealt(const struct plan *p, int operand);
/* What the image says of a phase that is such a loop, beside its sizes. */
void describe_deal(struct uc *uc, const struct plan *p, const struct deal *d, struct ufc_phase *to);

/* choice.c, extreme.c */
/* Has conditions that compare what they store to be plain, and comparisons that store the greater
 * or the smaller of two whole numbers call functions. */
void choose_plainly(struct uc *uc, struct plan *p);
void find_extremes(struct uc *uc, struct plan *p);

/* injective.c: whether the points of n nested lists of ranges each read another element. */
bool differ_at_points(const struct pval *place, const struct prange *const *ranges, int n);

/* unite.c: has an iteration store to an element once, not in each branch of a condition. */
void unite_stores(struct lower *l);

/* scatter.c */
/* The place of a PS_PUT that only merges (loop_ir.h: merge_of), as its value has it. */
const struct pval *merged_place(const struct pstmt *s);
/* Sets `merged` and `wide` of a phase that is the spread s. */
void find_bins(const struct plan *p, const struct pstmt *s, struct ufc_phase *phase);

/* split.c */
/* Sets `shared` of the ordered loops that threads of a call may share.  Whether there are any. */
bool share_loops(struct uc *uc, struct plan *p);
/* A copy of the statements up to `stop`, with another value for a variable that they do not set, if
 * there is one. */
struct pstmt *copy_statements(struct uc *uc, const struct pstmt *list, const struct pstmt *stop,
                              const struct pvar *var, const struct pval *by);
/* Adds a loop as spreads.  False: it must run in order. */
bool loop_to_spreads(struct sharer *x, struct pstmt *loop);
/* Indices that have any order, the outer ones first. */
struct points {
    const struct pstmt *loop[UFC_MAX_POINT_RANGES];
    int n;
};
struct prange *ranges_of(struct uc *uc, const struct points *p);
/* A spread of a list that is its own, at all points. */
struct pstmt *new_spread(const struct sharer *x, const struct points *p, struct pstmt *list);
/* Whether a loop has the same bounds at all points; list: what is done at a point. */
bool is_rectangular(const struct sharer *x, const struct points *p, const struct pstmt *list,
                    const struct pstmt *loop);
/* A loop whose iterations may have any order, as a spread of its statements themselves. */
struct pstmt *spread_of(const struct sharer *x, const struct pstmt *loop);

/* sync.c */
/* The outputs that statements read and write, a bit each. */
struct access {
    uint32_t reads, writes;
};
/* What a call's threads have accessed since they last waited for one another.  In spreads each
 * thread does its part; elsewhere all threads read, and the first one stores. */
struct hazard {
    struct access spread, single;
    uint32_t first; /* what the first thread alone has read */
};
/* The outputs that s and the statements in it read and write. */
struct access access_of(const struct plan *p, const struct pstmt *s);
/* Whether the threads must wait before a statement with accesses a; adds these to h. */
bool must_sync(struct hazard *h, bool spread, struct access a);
/* state.c: sets map.state and map.state_arrays, and `in_lanes` of statements. */
void find_state(struct uc *uc, struct plan *p);
/* small.c: sets map.small and map.small_most. */
void find_small(struct uc *uc, struct plan *p);
/* first.c: sets `by_first` of ordered loops, and of PS_SETs that load what outputs have. */
void find_by_first(struct uc *uc, struct plan *p);
/* Sets `sync`, `sync_blocks`, `sync_portions`, `sync_lanes` and `owner` of all statements outside
 * of spreads, and what portion.c sets. */
void sync_threads(struct uc *uc, struct plan *p);
/* Is a value the same for all threads of a call, whatever statements set that find_written is of:
 * is it made of sizes, numbers and other variables? */
bool is_settled(const bool *written, const struct pval *v);
/* Adds how often threads wait in a list, outside of ordered loops in it. */
void count_waits(const struct pstmt *list, struct ufc_loop *loop);

/* portion.c */
/* Sets map.portion, and `portions` of statements, whose `owner` is set; ranges: becomes those, up
 * to `most`, of reductions with these, of which it gives the number. */
int find_portions(struct plan *p, const struct prange **ranges, int most);
/* Sets `own_portions` of statements that have these ranges; NULL: of none. */
void set_own_portions(struct plan *p, const struct prange *ranges);
/* Has the block that has a point of s the element too, in all statements with own portions? */
bool is_own_place(const struct pstmt *s, const struct pval *place);
/* What a loop's record has of these: enum ufc_portions, or 0. */
uint16_t portions_of(const struct pstmt *s);

/* footprint.c */
/* A place that a statement accesses. */
struct touch {
    struct footprint footprint;
    bool stored, spread; /* by a spread's threads; else all read, and the first one stores */
    bool first;          /* by the first thread alone, outside of spreads */
    bool own;            /* by the block that has the row, or the portion */
    bool portions;       /* by blocks that have portions */
    struct touch *next;
};
/* What finds places in a body. */
struct toucher {
    struct uc *uc;
    const struct plan *plan;
    bool *written;                  /* find_written */
    const struct pval **only;       /* by variable: the one value that it is set to; or NULL */
    const struct enclosing *around; /* of the statement */
    uint32_t kept;                  /* operands that are no matter, a bit each */
    const struct pstmt *index[FOOTPRINT_INDICES];
    int n;
};
struct toucher toucher_new(struct uc *uc, const struct plan *p);
/* The places of outputs that s accesses; whole: and statements in it. */
struct touch *touches_of(struct toucher *x, const struct pstmt *s, bool spread, bool whole);
/* A PS_SET of the only value of a whole number as a loop of one iteration; NULL: it is none. */
const struct pstmt *loop_of_set(const struct toucher *x, const struct pstmt *s);
/* Whether two accesses may be of the same element, and one stores it. */
bool may_meet(const struct toucher *x, const struct touch *a, const struct touch *b);

/* adjoin.c */
/* Makes one of definitions over the same points, where no other point needs what one of them
 * stores. */
void adjoin_definitions(struct uc *uc, struct plan *p);
/* Are ranges made of sizes and numbers, so that their points are known before a call? */
bool are_sizes(const struct prange *r);
/* Do statements only set variables and store to arrays that have memory, also under conditions? */
bool is_branched(const struct plan *p, const struct pstmt *s);

/* resident.c */
/* Sets map.resident, map.step, and map.portion to 0 where no block has any. */
void find_resident(struct uc *uc, struct plan *p);
/* Sets map.resident and map.phased, where it has no ordered loops, from its domain. */
void find_phased(struct plan *p);
/* Sets `repeated`, by what the domain says. */
void find_repeated(struct plan *p);

/* match.c */
/* Whether a list only sets variables; stores: and stores elements. */
bool is_straight(const struct pstmt *s, bool stores);
/* Matches a definition: sets at, and first to the statements of a point. */
bool match_points(const struct pstmt *s, struct shape *m);
/* logic.c: a definition by `any` or `all` as one by a reduction of whole numbers, which tiles
 * have accs for; else s. */
const struct pstmt *logic_in_bits(struct uc *uc, struct plan *p, const struct pstmt *s);
/* from_zero.c: a definition by a reduction with one whose ranges begin at 0; else s. */
const struct pstmt *begin_at_zero(struct uc *uc, struct plan *p, const struct pstmt *s);
/* Matches statements of a point: assignments, then a single reduction, then the rest; and where the
 * reduction's ranges begin at 0. */
bool match_reduction(const struct pstmt *s, struct shape *m);
bool match_definition(const struct pstmt *s, struct shape *m);
bool is_acc_of(const struct shape *m, const struct pvar *var);
/* Sets a shape's sizes.  False: they are no terms. */
bool find_shape_sizes(struct uc *uc, struct shape *m);
/* Whether elements of zero, and n variables of zero, leave all accumulators unchanged. */
bool keeps_accs(const struct shape *m, const struct pvar *const *zero_var, int n);
/* The same of variables and places that are zero where all other elements, and others of these
 * variables, are finite. */
struct zero_factors {
    const struct pvar *var[TILE_MAX_FACTORS], *other[TILE_MAX_FACTORS];
    const struct pval *place[TILE_MAX_FACTORS];
    int nvars, nothers, nplaces;
};
bool keeps_accs_beside(const struct shape *m, const struct zero_factors *f);
/* Whether all that p's body does is to reduce a[i, k] and b[k, j], with their subscripts in either
 * order, over k. */
bool is_contraction(const struct plan *p);
/* Matches a body that is one definition by a reduction, of straight code. */
bool match_shape(const struct plan *p, struct shape *m);
int count_ranges(const struct prange *r);
/* What a variable is set to before the reduction; NULL: it is not set there. */
const struct pval *set_before(const struct shape *m, const struct pvar *var);
/* Whether v reads no element and no index of the shape. */
bool is_fixed_in(const struct shape *m, const struct pval *v);
/* Finds the places that the reduction reads, at most two, both of inputs.  False: there are others,
 * or none. */
bool find_places(const struct plan *p, const struct shape *m, const struct pval **place);

/* window.c */
/* The window that p's body is; NULL: it is none. */
const struct window *find_window(struct uc *uc, const struct plan *p);

/* keep.c */
struct pval *plan_read(struct uc *uc, struct pvar *var);
struct pval *plan_number(struct uc *uc, int64_t n); /* an int64 */
struct pval *plan_operation(struct uc *uc, enum op op, enum ufc_dtype d, struct pval *a,
                            struct pval *b);
/* A copy of v with another value for a variable; v, if it has none. */
struct pval *replaced_in(struct uc *uc, struct pval *v, const struct pvar *var, struct pval *by);
/* A variable that keeps elements of a type of memory; with a complex type it has an `imag`. */
struct pvar *kept_new(struct uc *uc, struct plan *p, const char *name, enum ufc_dtype d);
/* What it keeps, as a value of that type that is to be stored. */
struct pval *read_kept(struct uc *uc, struct pvar *var, enum ufc_dtype d);
/* Has it keep an element, or what is to be stored to one, from *before on; gives where that is. */
struct pstmt **set_kept(struct uc *uc, struct plan *p, struct pvar *var, struct pval *v,
                        struct pstmt **before, struct span at);
/* The element that v is, a part or the float32 of; NULL: v is something else. */
const struct pval *element_read(const struct pval *v);
/* Replaces v, of which element_read is one, by what is kept of that. */
void replace_read(struct uc *uc, struct pval *v, struct pvar *var);

/* forward.c */
/* Makes variables of the results that a gufunc's body reads again. */
void forward_results(struct lower *l);
/* The same of elements that ordered loops store, of a plan whose loops are shared. */
void forward_elements(struct uc *uc, struct plan *p);

/* scalar.c */
/* Keeps in variables what ordered loops store to results without subscripts; of a list. */
void keep_scalars(struct uc *uc, struct plan *p);
void keep_scalars_in(struct uc *uc, struct plan *p, struct pstmt **list);
/* The same of loops that store nothing else, before totals are found. */
void keep_results(struct lower *l);

/* carry.c */
/* Has variables carry what an iteration of a point's ordered loop stores to the next one. */
void carry_elements(struct uc *uc, struct plan *p);

/* place.c */
/* Computes arrays of a gufunc's body where they are read, if that is as good as storing them. */
void place_arrays(struct lower *l);
/* alias.c: whether the ranges of s are in turn the subscripts of a place, and all that there are of
 * it. */
bool has_all_elements(const struct plan *p, const struct pstmt *s, const struct pval *place);

/* fixed.c */
/* Has variables keep, as ordered loops run, the elements that each of their iterations changes. */
void fix_elements(struct uc *uc, struct plan *p);

/* alias.c: arrays that are copied to others as a whole become these. */
void alias_arrays(struct plan *p);
/* Has a list access another operand instead of one. */
void rename_array(struct pstmt *list, int from, int to);
/* Whether s does nothing but to store to all elements of an array, last of all. */
bool is_whole_definition(const struct plan *p, const struct pstmt *s);

/* fill.c */
/* Leaves out numbers that are overwritten, of a call's arrays, and stores others early. */
void take_fills(const struct plan *p, struct pstmt **list);

/* unroll.c, once.c: make copies of the bodies of short loops that take reductions, and have what
 * all iterations of such loops compute before them. */
void unroll_loops(struct lower *l);
void compute_once(struct lower *l);

/* fuse.c */
/* Whether parts of s, a reduction, may be joined in any order. */
bool is_reduction(const struct pstmt *s);
/* Visitors that stop at a variable, at elements, and at jumps and what is set for a whole list. */
enum walk find_variable(const struct pval *v, void *var);
enum walk find_any_element(const struct pval *v, void *none);
/* Count variables once more, or once less, in what count_mentions found. */
enum walk add_mention(const struct pval *v, void *mentions);
enum walk take_mention(const struct pval *v, void *mentions);
enum walk find_jump(const struct pstmt *s, void *none);
/* A copy of statements. */
struct copy {
    struct lower *l;
    struct pvar **vars;       /* by id, of those before the copy; NULL: the variable itself */
    const struct pvar *index; /* stands for `value`; NULL: none does */
    int64_t value;
};
struct pval *copy_renamed(const struct copy *c, const struct pval *v);
/* Copies ranges, and a statement without those behind it, with variables of their own for what they
 * set. */
struct prange *copy_ranges(const struct copy *c, const struct prange *r);
struct pstmt *copy_stmt(const struct copy *c, const struct pstmt *s);
/* Can a and b, of which neither needs or overwrites what the other one stores, become one
 * definition?  b may be NULL. */
bool can_be_one(const struct plan *p, const struct pstmt *a, const struct pstmt *b);
/* Adds the reduction or the definition b to a. */
void fuse(struct pstmt *a, struct pstmt *b);
/* Makes one of reductions of a list that have the same ranges. */
void fuse_reductions(struct uc *uc, const struct plan *p, struct pstmt **list);
/* Makes fewer passes of a complete plan of a gufunc. */
void fuse_plan(struct lower *l);
/* alike.c: are two definitions, over the same ranges, each by one reduction, of which one
 * reads what the other one reads? */
bool reduce_alike(const struct pstmt *a, const struct pstmt *b);
/* Whether two lists of ranges have the same bounds and steps. */
bool same_bounds(const struct prange *a, const struct prange *b);

/* range.c */
/* Makes the ranges of a complete plan as plain as they can be: of sizes alone, and reductions'
 * ranges of a constant length from 0. */
void simplify_ranges(struct lower *l);
/* Sets *d to the constant to - from.  False: it is none, or not known to be one. */
bool constant_difference(struct pval *from, struct pval *to, int64_t *d);

/* scan.c */
/* Whether the body has a scan that is in no PS_SPREAD. */
bool has_scans(const struct plan *p);
/* The scan that a definition computes at each of its points, with as many iterations at all of
 * them; NULL: it computes more, or no scan. */
const struct pstmt *scan_at_points(const struct pstmt *s);
/* Describes the phase of the scan s. */
void describe_scan(const struct pstmt *s, int units, struct ufc_phase *phase);
/* Makes ordered loops with running values of the definitions by prefixes of a complete plan. */
void find_scans(struct lower *l);

/* sides.c */
/* Whether one of two definitions, of the same ranges or of such as have the same bounds, is one by
 * prefixes, and both together would not be. */
bool scans_apart(const struct pstmt *a, const struct pstmt *b);
/* Whether a definition is a prefix along one of its ranges, which are long. */
bool is_prefix(const struct pstmt *definition);
/* Warns of definitions by reductions of the same terms over ranges that grow, which are no running
 * values. */
void warn_quadratic(struct uc *uc, const struct plan *p);

/* unshared.c */
/* Warns of loops that both an overload's plan and its other version, if it has one, leave in order,
 * so that one thread goes through a call's iterations. */
void warn_serial(struct uc *uc, const struct plan *p);

/* same.c */
/* The variables of one statement that stand for those of another: by id, and the other way round;
 * NULL: none. */
struct renaming {
    const struct pvar **to, **from;
};
struct renaming renaming_new(struct lower *l);
/* Are lists of ranges, or statements without those behind them, the same but for the names of the
 * variables that they set?  Adds these to the renaming. */
bool are_same_ranges(struct renaming *x, const struct prange *a, const struct prange *b);
bool is_same_stmt(struct renaming *x, const struct pstmt *a, const struct pstmt *b);
bool is_same_value(const struct renaming *x, const struct pval *a, const struct pval *b);

/* store.c */
/* Adds an array of the call, with an element for each point of ranges that are whole dimensions;
 * gives its operand. */
int add_array(struct lower *l, struct overload *o, const struct prange *ranges,
              enum ufc_dtype dtype);
/* The same with the dimensions of another operand. */
int add_array_like(struct lower *l, struct overload *o, int operand, enum ufc_dtype dtype);
/* Its element at the indices of the ranges. */
struct pval *array_element(struct lower *l, int operand, const struct prange *ranges);
/* Whether reductions of a body are made of reductions that may be stored first. */
bool has_nested(struct lower *l);
/* Computes reductions first that all points share, and stores those read more than once, or all. */
enum storing {
    STORE_NONE,
    STORE_READ_AGAIN,
    STORE_ALL,
    STORE_IN_CALLS,
    STORE_IN_STEPS,
    RETIMED,       /* of plans: what `retimed` says, */
    RETIMED_CALLS, /* and of rows as calls */
    RECOMPUTED,    /* likewise */
    OWNED,         /* STORE_NONE, with arrays that iterations, or loops, have of their own */
    INTERCHANGED,  /* STORE_ALL without reductions that are stored */
    DELAYED,       /* of hosts alone: delay.c */
    STACKED,       /* the same, STORE_ALL: stack.c */
    FOR_HOST
};
void store_nested(struct lower *l, struct overload *o, enum storing which);

/* Whether no statement of the body from `from` up to `to` sets what a value is made of. */
bool is_still(const struct pval *v, const struct pstmt *from, const struct pstmt *to);

/* calls.c */
/* Whether a complete plan goes through rows several times, so that they may be worth being calls:
 * by several phases, or prefixes. */
bool has_passes(const struct plan *p);
/* Whether points have ordered loops along their rows, of which threads with calls copy several. */
bool has_row_steps(const struct plan *p);
/* Makes loop dimensions of core dimensions, where the body computes each index of them by itself.
 * False: there is none. */
bool rows_to_calls(struct lower *l);

/* index.c */
/* Rewrites remainders of indices, and sets `direct`, `narrow` and `plain` of a complete plan's
 * values. */
void simplify_indices(struct uc *uc, struct plan *p);
/* Sets `narrow` of all loops and ranges, those of shared loops too. */
void find_narrow_ranges(struct uc *uc, struct plan *p);

/* chain.c */
/* Clocks that an iteration of a PS_FOR waits for the one before it, at least. */
unsigned chain_clocks(struct uc *uc, const struct plan *p, const struct pstmt *loop);

/* domain.c: sets p->domain, of a complete plan. */
void find_domain(struct uc *uc, struct plan *p);

/* own_row.c: do points have rows of their own for a reduction, which threads best read together? */
bool has_own_row(const struct pstmt *s, const struct pstmt *reduction);

/* neighbours.c */
/* Sets what the phases say of neighbours; of a plan whose domain is known. */
void find_neighbours(struct plan *p);
/* Sets loop[i] to range i of a phase's definition.  False: they are not known. */
bool find_range_loops(const struct plan *p, int phase, int *loop);

/* steps.c: whether a complete plan may have a version that is launched step by step. */
bool may_be_stepwise(const struct plan *p);
/* Makes the statements of an ordered loop those of the body, and sets what p->steps has.  False:
 * there is no such loop. */
bool flatten_steps(struct uc *uc, struct plan *p);
/* Are these still statements of the body, may launches behind the steps repeat them, and does some
 * loop among them deal entries out, or merge them? */
bool keeps_steps(const struct plan *p);

/* sweep.c: sets what the phases say of sweeps. */
void find_sweeps(struct uc *uc, struct plan *p);

/* abreast.c: sets what the phases say of points whose reductions run together; of such a plan. */
void find_abreast(struct uc *uc, struct plan *p);

/* tile.c */
/* Sets map.tiling by the definitions of p that are tilings, each the only one of its phase. */
void find_tilings(struct uc *uc, struct plan *p);
/* in_order.c: whether points of a definition with this list have an ordered loop; matches such a
 * definition, whose points t->shape has: sets what else the shape is, t->begin and t->when. */
bool has_terms_in_order(const struct pstmt *list);
bool match_in_order(struct uc *uc, struct plan *p, struct tiling *t);
/* band_value.c: sets map.band, by the tilings. */
void find_band_values(struct uc *uc, struct plan *p);
/* How tiles compute a definition; NULL: they do not. */
const struct tiling *find_tiling(struct uc *uc, struct plan *p, const struct pstmt *s);
/* How much v grows with each index.  False: not evenly, or not the same for all points. */
bool tile_growth(const struct tiling *t, const struct pval *v, int growth[]);
/* Whether factors of zero do not change the reduction.  Sets t->names_index, of its body. */
bool ignores_zeros(struct tiling *t);

/* sparse.c */
/* Whether factors of zero of a side do not change the reduction if all of the other one's are
 * finite. */
bool ignores_zeros_beside(const struct tiling *t, int side);
/* Sets t->sparse and t->masked, of a statement of the body. */
void find_sparse(const struct plan *p, const struct pstmt *s, struct tiling *t);

/* side.c */
/* Makes t->shape, whose at and in have any number of ranges, one of t's indices and factors.
 * False: its elements do not depend on two sides. */
bool find_factors(struct uc *uc, struct plan *p, struct tiling *t);
/* Whether a list stores to an operand. */
bool is_put(const struct pstmt *s, int operand);

/* total.c */
/* Makes reductions of ordered loops that only take totals. */
void find_totals(struct lower *l);
/* Gives accs to those that use totals as they run, after find_scans. */
void find_running(struct lower *l);
/* Whether it gives accs to a loop. */
bool has_running_totals(struct lower *l, struct pstmt *loop);

/* types.c */
/* Rewrites a complete plan without arithmetic on half and complex types. */
void lower_types(struct lower *l);

#endif
