/* apart.h: what takes the ordered loops of a body apart, into definitions and reductions that
 * threads share; most of it in another version of the body alone.  plan.c has the order. */
#ifndef UC_PLAN_APART_H
#define UC_PLAN_APART_H

#include "plan.h"

/* nested.c */
/* A reduction within a definition, or another reduction, that can be computed before it. */
enum { MAX_LISTS_AROUND = 8 };
struct nested {
    struct pstmt *whole;         /* the statement of the body */
    const struct prange *points; /* of the definition; NULL: the outer reduction is of the call */
    struct pstmt *outer, *inner; /* outer: the reduction or loop that it is in; NULL: none */
    struct pvar *result;         /* the variable that the inner one leaves */
    struct plan *plan;
    const struct pstmt *list[MAX_LISTS_AROUND], *end[MAX_LISTS_AROUND]; /* around it, up to it */
    int depth, outer_depth;      /* outer_depth: the lists within the outer one begin there */
    bool guarded;                /* conditions decide whether it is computed */
    const struct pstmt **needed; /* the assignments that the inner one depends on, in order */
    int nneeded;
    struct prange *ranges; /* of the points and of the outer one, those that it depends on */
    bool again;            /* it is the same at all points of a range */
    bool anywhere;         /* all that it reads is there, wherever conditions would leave it out */
    const struct prange *triangle; /* of the outer one, up to an index of the points or from it, */
    const struct dim *whole_of;    /* all of whose dimension is in `ranges`; NULL: there is none */
};
/* Finds the nested reduction of a statement behind `skip` others.  False: there is none. */
bool find_nested(struct lower *l, struct pstmt *s, int skip, struct nested *n);

/* store.c */
/* The dimension of a version of a gufunc that is a number. */
const struct dim *dim_of_number(struct uc *uc, struct decl *d, int64_t size);
/* Takes the arrays back that were added behind these operands, and that nothing has. */
void drop_arrays(struct lower *l, struct overload *o, int noperands);

/* distribute.c */
/* Does a range, or a loop, go from 0 to the end of a dimension by 1? */
bool is_dimension(const struct prange *r);
bool is_whole_dimension(const struct pstmt *loop);
/* Does a loop go to the end of a dimension by 1, from 0 or a number above? */
bool is_to_end(const struct pstmt *loop);

/* Whether bounds in a list have a variable, which cannot become an element there. */
bool is_in_bounds(const struct pstmt *list, const struct pvar *var);
/* Whether a loop of the body may be distributed. */
bool has_distributed(struct lower *l);
/* Makes definitions of such loops, with arrays for what some of them need of others. */
void distribute_loops(struct lower *l, struct overload *o);
/* Makes *end the definition of a list at points; an ordered loop behind reductions becomes one of
 * its own, as threads share both in other ways. */
void add_definitions(struct lower *l, struct overload *o, const struct points *points,
                     struct pstmt *list, struct pstmt **end);

/* compose.c */
/* Whether a loop of the body may be one of scans. */
bool has_composed(struct lower *l);
/* Whether the loop at *at may. */
bool may_compose(struct lower *l, struct pstmt **at);
/* Makes scans, definitions and reductions of such loops, with arrays.  Whether there were any. */
bool compose_loops(struct lower *l, struct overload *o);

/* behind.c */
/* Whether a loop of the body stores where the bins that it updates say. */
bool has_scattered(struct lower *l);
/* Has loops behind such loops do so, with arrays of these places. */
void store_behind(struct lower *l, struct overload *o);

/* last.c */
/* Whether a loop of the body stores to elements that several iterations may store to. */
bool has_last(struct lower *l);
/* Has such loops find which iterations are the last to do so, and these alone store, in any
 * order.  Whether there are any. */
bool store_last_ones(struct lower *l, struct overload *o);

/* clash.c */
/* The loop of a row, if iterations of `loop` store to elements of these operands in rows alone,
 * whose bounds are data; else NULL. */
const struct pstmt *row_of_loop(struct lower *l, const struct pstmt *loop, uint32_t operands);
/* Emits what counts rows that may have elements in common with others; gives the variable. */
struct pvar *count_clashes(struct lower *l, const struct pstmt *loop, const struct pstmt *row);
/* Emits what gives v where some rows clash, else true. */
struct pval *emit_unless_apart(struct lower *l, struct pvar *clashes, struct pval *v,
                               struct span at);
/* Has definitions, and loops over rows, of a list do nothing where no rows clash. */
void guard_passes(struct lower *l, struct pvar *clashes, struct pstmt *list);

/* winner.c */
/* A statement by which an element keeps what one of a loop's iterations stores, the winner. */
struct winner {
    const struct pval *bin;   /* the element */
    const struct pval *value; /* what iterations have, of which the greatest wins; NULL: nothing */
    bool least;               /* the least wins */
    bool nan;                 /* or a NaN, which else is beyond the last one */
    bool first;               /* of equal ones the first iteration wins, else the last one */
    uint32_t stored; /* the operands that it stores to, all at the same place, a bit each */
};
/* Does a comparison of v with a number surely fail? */
bool surely_fails(enum op op, const struct pval *v, const struct pval *with);
/* Is s one?  stored: operands that the loop stores to, a bit each. */
bool find_winner(const struct uc *uc, const struct plan *p, const struct pstmt *s, uint32_t stored,
                 struct winner *w);
/* The type of keys, whole numbers of which the greatest wins; emits that of value x. */
enum ufc_dtype winner_key(const struct winner *w);
struct pval *emit_key(struct lower *l, const struct winner *w, struct pval *x, struct span at);

/* begin_store.c */
/* Makes blocks of stores and the loops behind them that store to the same arrays, in a list and the
 * loops in it. */
void bind_begun_loops(struct uc *uc, struct pstmt **list);
bool is_begun_loop(const struct pstmt *s);
/* Has the statements stand for such blocks again. */
void loosen_begun_loops(struct pstmt **list);

/* hoist.c */
/* Whether a loop of the body has something that may be computed before it. */
bool has_hoisted(struct lower *l);
/* Has that computed before, and one point of a definition run what is left. */
void hoist_loops(struct lower *l, struct overload *o);
/* Has one thread run loops that are in order and leave variables, beside what others share. */
void single_loops(struct lower *l, struct overload *o);

/* conditions.c: conditions around loops, in an ordered one, which come to stand within these. */
bool has_conditions_around(struct lower *l);
void part_conditions(struct lower *l);

/* sink.c: numbers before a further loop of the body, which then computes them. */
bool has_numbers_before(struct lower *l);
void sink_numbers(struct lower *l);

/* range.c: leaves out assignments to variables that a list does not read, but to those `kept`, by
 * number. */
void remove_unread_sets(struct lower *l, struct pstmt **list, const bool *kept);

/* search.c */
/* Makes ranges of loops of the body that count up to an end, or are left before. */
void count_loops(struct lower *l);
/* Whether a loop of the body does nothing before it is left, or nothing that decides when that is;
 * makes totals of such loops, and what is done once.  Whether there were any. */
bool has_searches(struct lower *l);
bool search_loops(struct lower *l);

/* Is a list up to `end` of assignments and conditionals, and may it store? */
bool is_plain(const struct pstmt *list, const struct pstmt *end, bool stores);
const struct pstmt *last_of(const struct pstmt *list);

/* until.c */
/* What a block becomes that is a loop left where what it does has no part in that, which then ends
 * where a total of the same iterations says; or the block, if it is only asked for.  NULL: it is no
 * such loop. */
struct pstmt *leave_at_element(struct lower *l, struct pstmt *block, bool replaces);
/* May a loop run on that decides when `loop` is left, and stores nothing: do elements exist that it
 * reads, which `loop` does not store; exist_on: and has an array so many? */
bool reads_exist(struct lower *l, struct pstmt *deciding, const struct pstmt *loop);
bool exist_on(struct lower *l, struct pstmt *deciding, const struct pstmt *loop);

/* until_state.c */
/* Whether a block of the body is a loop left where states say so that a scan finds; it becomes a
 * search for that, and what comes then. */
bool leave_at_state(struct lower *l, struct pstmt **at, bool replaces);

/* steps.c */
/* Has arrays of one element in place of variables to which loops of the body's steps add, beside
 * bins that they update, and of others that outlast a step. */
void store_step_numbers(struct lower *l, struct overload *o);

/* delay.c */
/* Has the steps of a loop of the body that update a matrix be in blocks, behind which the updates
 * of most elements are. Whether there is such a loop. */
bool delay_updates(struct lower *l, struct overload *o);

/* interchange.c */
/* An ordered loop as definitions each of whose points has the loop; its variables are its own.
 * NULL: its iterations do more than to store elements that no other point accesses. */
struct pstmt *interchange(struct lower *l, const struct pstmt *loop);
/* Whether a loop of the body has points alone, in any order, which have loops. */
bool has_point_loops(struct lower *l);
/* Whether there is such a loop in the body; replaces them. */
bool has_interchanged(struct lower *l);
/* Whether a statement of the body is such a loop, or one that becomes several, some of which are.
 */
bool is_interchanged(struct lower *l, struct pstmt **at);
/* Whether threads may share a part of such a loop: it is taken apart for that. */
bool has_interchanged_part(struct lower *l, struct pstmt **at);
void interchange_loops(struct lower *l);
/* The same of loops that are at points alone. */
void interchange_at_points(struct lower *l);

/* fission.c */
/* Stops at an element, and at a variable that `written` (by id) says is set. */
enum walk find_set_or_element(const struct pval *v, void *written);
/* Has loops that do together what a loop at *at does, one each for statements that have nothing to
 * do with others, take its place, if there are such and one of them is useful.  series: statements
 * that store elements and those that set variables of others are apart, too.  replaces: else it is
 * but asked whether there are. */
bool part_at(struct sharer *x, struct lower *l, struct pstmt **at,
             bool (*is_useful)(struct sharer *x, struct lower *l, struct pstmt *loop), bool series,
             bool replaces);
/* Stops at a reduction that several threads would each compute in their way, and with other bits.
 */
enum walk find_twice(const struct pstmt *s, void *none);
/* Has assignments come behind loops that have nothing to do with them, as what a sum begins with
 * behind a loop that computes its terms. */
void delay_sets(const struct lower *l, struct pstmt **list);
/* Whether loops at points store elements that any order makes, and add to variables; takes them
 * apart. */
bool has_series_apart(struct lower *l);
bool part_series(struct lower *l);

/* expand.c */
/* Whether loops in an ordered one have variables that may be arrays, for loops of their own; makes
 * them so. */
bool has_expanded(struct lower *l);
void expand_running(struct lower *l, struct overload *o);

/* store.c */
/* A definition, without a body, over the elements of an operand. */
struct pstmt *spread_over(struct lower *l, int operand, struct span at);

/* renew.c */
bool has_renewed(struct lower *l);
void renew_loops(struct lower *l, struct overload *o);

/* drain.c */
/* Whether ordered loops have loops that may come behind them; has them there, with arrays. */
bool has_drained(struct lower *l);
void drain_loops(struct lower *l, struct overload *o);

/* split.c: a list with variables of its own in the place of some, by number, that it sets. */
struct pstmt *with_own_variables(struct lower *l, struct pstmt *list, const bool *which);

/* behind.c: a visitor that stops at a PS_LEAVE. */
enum walk find_leave(const struct pstmt *s, void *none);

/* alias.c: whether an ordered loop's index runs along all of an axis of an operand. */
bool is_whole_loop(const struct plan *p, const struct pstmt *loop, int k, int axis);

/* filled.c */
/* Has elements that begin with numbers be variables where points change them. */
void keep_filled(struct lower *l);

/* anew.c */
/* Leaves out zeros of arrays that each iteration of a loop sets before it reads them. */
void make_arrays_anew(struct lower *l);
bool has_array(const struct pstmt *s, int k);
bool have_array(const struct pstmt *list, int k);
/* Are the subscripts of a place the indices of all loops around it, each over a whole dimension? */
bool are_all_places(const struct plan *p, const struct enclosing *around, const struct pval *place);
/* How often a list has elements of each operand and local array. */
int *count_elements(struct uc *uc, const struct plan *p, const struct pstmt *list);
/* Does s, a definition or loops, set all elements of an array, and read none before? */
bool fills_array(struct uc *uc, const struct plan *p, const struct pstmt *s, int k);
/* Does a list set an array to zeros? */
bool is_cleared(const struct pstmt *list, int k);
/* Does a list set each element of an array that it reads before that? */
bool is_made_in(struct uc *uc, const struct plan *p, const struct pstmt *list, int k);

/* part_made.c */
/* Does a list set the same part of an array before it has any of it, and have no more? */
bool makes_part(struct uc *uc, const struct plan *p, const struct pstmt *list, int k);
/* Has loops' definitions of such parts, which are triangles of arrays of the loop alone, make all.
 */
void widen_parts(struct lower *l);

/* by_key.c: ordered loops that update rows by keys, which become a sort by these, and points. */
bool has_rows_by_key(struct lower *l);
bool sort_by_keys(struct lower *l, struct overload *o);

/* running.c */
/* Has variables join what loops join with the element before. */
void join_in_variables(struct lower *l);

/* select.c: has loops of a list choose values in place of conditionals; mentions: count_mentions of
 * the body. */
void choose_values(struct lower *l, const int *mentions, struct pstmt **at);

/* flag.c: has loops in one another take totals in the place of flags that they set; has those run
 * that are left once one is set. */
void find_flags(struct lower *l);
bool has_flags_left(struct lower *l);
bool run_flags_left(struct lower *l);

/* own.c: arrays that each iteration of a loop makes: small ones are local, others get an axis.
 * parts, part: those of iterations that have more in common. */
void keep_own_arrays(struct lower *l);
bool has_own_arrays(struct lower *l, bool *parts);
void spread_own_arrays(struct lower *l, bool part);

/* elements.c: has elements of local arrays of a few be variables. */
void take_local_elements(struct lower *l);

/* lift.c: has local arrays that no point has for itself be arrays of the call. */
void lift_local_arrays(struct lower *l, struct overload *o);

/* carried.c: of arrays that a loop's iterations make, `own`, a bit each, those that have what
 * earlier iterations left. */
uint32_t carried_arrays(const struct sharer *x, const struct pstmt *loop, uint32_t own);

/* gather.c: loops that scatter over elements that overlap, which then gather what is theirs. */
bool has_gathered(struct lower *l);
void gather_loops(struct lower *l);

/* pairs.c: loops over pairs that update elements of both, each of which then has a loop of its own.
 */
bool has_pairs(struct lower *l);
void gather_pairs(struct lower *l);

/* original.c, retime.c: have loops that change a copy of an input read the input where they have
 * not changed it yet; and ordered loops go by the steps in which elements take their terms. */
void read_originals(struct lower *l);
/* The same of `own`, a copy of a loop of the body, whatever its iterations are then. */
void read_originals_in(const struct sharer *x, const struct pstmt *loop, struct pstmt *own);
void retime_loops(struct lower *l);
/* Whether loops may be so whose elements are of vectors alone; makes them so. */
bool has_vectors_to_retime(struct lower *l);
bool retime_vectors(struct lower *l);

/* store.c */
/* Whether the plan has room for arrays that are stored. */
bool has_room(const struct plan *p);

/* pack.c */
/* Whether reductions read inputs that they had better read from copies in another order. */
bool has_packed(const struct lower *l);
/* Makes these copies, in arrays of o, the plan's overload. */
void pack_factors(struct lower *l, struct overload *o);

/* rename.c */
/* Has a variable that the body sets anew be another one from there on. */
void rename_variables(struct lower *l);
/* Has a list, which has statements of its own, set and read another variable. */
void set_another(struct uc *uc, struct pstmt *list, struct pvar *from, struct pvar *to);

/* stack.c */
/* Makes a loop over calls of a body as the source has it, which share its matrices, and a core
 * dimension of theirs.  False: there is nothing that they would share. */
bool stack_calls(struct lower *l, struct overload *o);

/* fill.c: leaves out numbers of arrays that a call makes which definitions of a list overwrite. */
void drop_fills(const struct plan *p, struct pstmt **list);

#endif
