/* compose.h: what the parts of compose.c share. */
#ifndef UC_PLAN_COMPOSE_H
#define UC_PLAN_COMPOSE_H

#include "form.h"

enum { MAX_STATES = 8, MAX_LAGS = 2 };

/* A variable that iterations have from earlier ones, or leave to what is behind the loop. */
struct state {
    const struct pvar *var;
    uint32_t
        needs;   /* the states, a bit each, whose values before an iteration tell that behind it */
    bool behind; /* it is read behind the loop */
    int array;   /* the operand that has its value before each iteration; -1: none */
    const struct group *group; /* the scan that has it at hand; NULL: none */
    int place;                 /* among the group's */
};

struct composing {
    struct lower *l;
    struct overload *o; /* NULL: it is only asked whether there is something to compose */
    const struct pstmt *loop;
    const struct pstmt *whole; /* it as the body has it */
    struct pval *lo, *hi;
    const struct pval
        *size; /* a dimension that has all of the loop's indices; NULL: there is none */
    struct state state[MAX_STATES];
    int n;
    uint32_t puts;          /* the operands that it stores to; */
    bool after;             /* a loop behind the scans does so, in order */
    uint32_t known, lagged; /* the states that are found, and of these such as are computed again */
    uint32_t stored;        /* those that arrays are to have */
    struct group check[MAX_STATES]; /* states that are found as long as no sum wraps; */
    uint32_t checked[MAX_STATES];   /* which */
    int nchecks, nvars;             /* nvars: of the plan, as the loop has it */
    int lags; /* of an iteration's statements that are computed again, in one another */
    bool failed;
};

/* Groups that are found in the same scan. */
struct round {
    struct group group[MAX_STATES];
    uint32_t states[MAX_STATES], all;
    int n, accs;
};

/* What the loop leaves: by state the array of one element that has it; -1: none. */
struct leaving {
    uint32_t states;
    int array[MAX_STATES];
};

static inline uint32_t bit(int i) {
    return UINT32_C(1) << i;
}

/* collapse.c */
/* One loop over the points of a nest; NULL: it is none, or has bounds that are no sizes. */
struct pstmt *collapsed(struct lower *l, const struct pstmt *loop);

/* forward.c */
/* Has variables in place of what an iteration of a straight loop stores to its own elements and
 * reads again; its statements are copied for that. */
void forward_in_iteration(struct lower *l, struct pstmt *loop);

/* compose_state.c */
/* Is a number made of sizes and constants? */
bool is_of_sizes(const struct pval *v);
/* Finds the states of the loop, and what it stores to.  False: they are too many, or there are
 * none. */
bool find_states(struct composing *x);
/* The states that depend on a state as it does on them, with itself; what states need. */
uint32_t together(const struct composing *x, int state);
uint32_t needs_of(const struct composing *x, uint32_t states);
/* What of the body is needed for states, and for stores to operands; *needs: becomes the states
 * that it reads. */
struct pstmt *slice(const struct composing *x, uint32_t states, uint32_t puts, uint32_t *needs);
/* Whether a list reads nothing that the loop stores. */
bool reads_inputs(const struct composing *x, const struct pstmt *list);
/* Whether iterations that know the states may store in any order; list: what these need. */
bool may_store(struct composing *x, const struct pstmt *list, uint32_t needs);
/* A copy of statements in the iteration of an index, and what is emitted of it. */
struct copy new_copy(const struct composing *x, const struct pvar *index);
void emit_copy(struct composing *x, const struct copy *c, const struct pstmt *s);
/* Emits what the copy's variables have in an iteration for the states, from before it. */
void provide(struct composing *x, struct copy *c, uint32_t states, const struct pvar *index);
struct pstmt *open_if(struct composing *x, struct pval *condition);
void close_if(struct composing *x, struct pstmt *s);
/* The index of the iteration before, and whether there is one. */
const struct pvar *index_before(struct composing *x, const struct pvar *index);
struct pval *is_behind_first(struct composing *x, const struct pvar *index);
/* An array's element; index: NULL where it has one alone. */
struct pval *element_at(struct composing *x, int operand, struct pval *index);

/* compose_scan.c */
/* Makes the groups of states that are found next, of those `within`.  False: there is no class for
 * one, or none is next. */
bool make_round(struct composing *x, uint32_t within, struct round *r);
/* Emits a scan; last: of all, where all that the loop stores is. */
void emit_scan(struct composing *x, struct round *r, bool last, struct leaving *leaving);
/* Emits what an iteration does that knows states: its stores, and in the last one what the loop
 * leaves. */
void emit_stores(struct composing *x, const struct pvar *index, struct leaving *leaving);
/* The states that a loop of totals is to have: those that nothing else needs, and such as these
 * alone need where they take totals together.  0: none. */
uint32_t find_leaving_totals(struct composing *x, uint32_t leaving, uint32_t needed,
                             struct pstmt **at);
/* Emits a loop that does nothing but set states, which it leaves; known: others may be read. */
struct pstmt *emit_totals(struct composing *x, uint32_t states, bool known);
/* Emits a reduction that joins what the iterations do, in their order. */
void emit_fold(struct composing *x, struct round *r);
/* Whether the loop stores to the same places whatever the states are: it may do so again. */
bool stores_anyway(const struct composing *x);
/* Emits a loop that finds out whether the states are what they were found to be: the variable that
 * is then 0; and that the loop runs as it is where they are not. */
struct pvar *emit_check(struct composing *x);
void emit_again(struct composing *x, struct pvar *bad, struct leaving *leaving);

#endif
