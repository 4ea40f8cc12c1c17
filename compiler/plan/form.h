/* form.h: steps of scalar states that can be composed, and the loops that are made of them. */
#ifndef UC_PLAN_FORM_H
#define UC_PLAN_FORM_H

#include "plan.h"

static inline struct pval *read(struct lower *l, const struct pvar *var) {
    struct pval *v = value_new(l, PV_VAR, var->dtype);
    v->var = (struct pvar *)var;
    return v;
}

static inline void set(struct lower *l, const struct pvar *var, struct pval *v, struct span at) {
    struct pstmt *s = stmt_emit(l, PS_SET, at);
    s->var = (struct pvar *)var;
    s->value = v;
}

/* slice.c */
/* The statements of a straight list, of assignments, conditionals and stores, that are needed: for
 * the variables that are live behind it, by number, and for what it stores to a set of operands. */
struct slicing {
    struct uc *uc;
    int nvars;
    uint32_t puts;
    bool *live; /* becomes which are live before the list */
};
struct pstmt *slice_of(struct slicing *x, const struct pstmt *list);
/* Whether a list is such a one. */
bool is_sliceable(const struct pstmt *list);

/* form.c */
/* What an iteration makes of states that depend on one another, as functions of their values some
 * iterations before. */
enum form_class {
    FORM_CHOICE, /* one of the values that iterations choose, or what they joined to the last one */
    FORM_AFFINE, /* whole numbers: sums of multiples of the states and a number */
    FORM_TABLE,  /* few values: a table of 4 bits for each combination of them */
    FORM_CLAMP,  /* a whole number with another one added, and kept within bounds: as long as no sum
                    wraps, which check_clamp finds out */
    FORM_FIRST,  /* what the first of those iterations sets that would, where a guard holds */
    FORM_BITS, /* a whole number that is moved to the left, masked, and of which bits are turned */
    FORM_CLASSES
};
enum { MAX_TOGETHER = 3, MAX_FORM_PARTS = 3, TABLE_BITS = 4, TABLE_CODES = 8 };
struct group {
    enum form_class kind;
    const struct pvar *state[MAX_TOGETHER];
    int n;
    int values[MAX_TOGETHER];   /* FORM_TABLE: each state is from 0 to below so many */
    int nvars;                  /* of the plan, as the slices have them */
    bool bounds[2], bounded[2]; /* FORM_CLAMP: there is a least number, a greatest one */
    int sums;                   /* that an iteration adds */
    int join;                   /* FORM_CHOICE: as join_of in total.c; -1: none */
    enum op guard_op;           /* FORM_FIRST: the state's comparison with a number */
    const struct pval *guard;
    struct pstmt *guarded; /* what it kept from being done */
    bool second;           /* of floats: what is joined comes before what it is joined to */
    enum op compares;      /* of floats: only what is so beside it, such as greater, takes the
                              last value's place; OP_COUNT: the join is a function */
    struct pvar *acc[MAX_TOGETHER][MAX_FORM_PARTS], *other[MAX_TOGETHER][MAX_FORM_PARTS];
    bool moves[MAX_TOGETHER][MAX_FORM_PARTS]; /* iterations change the part */
};

/* The value of a variable by its parts. */
struct form {
    struct pval *part[MAX_FORM_PARTS];
};

/* A number of a type. */
struct pval *form_number(struct lower *l, enum ufc_dtype d, int64_t i);
/* Finds of which class the step is that a slice makes of the states.  False: none.  loop: whose
 * body the slice is of. */
bool find_form(struct lower *l, struct group *g, const struct pstmt *slice,
               const struct pstmt *loop);
/* How many accs it has. */
int form_accs(const struct group *g);
/* Emits that the accs are what leaves all states as they are. */
void begin_form(struct lower *l, struct group *g, struct span at);
/* Emits the slice as what it makes of the accs; c: variables that stand for others.  False: the
 * class does not have it. */
bool step_form(struct lower *l, struct group *g, const struct copy *c, const struct pstmt *slice);
/* Emits the join of accs of earlier iterations with those of later ones. */
void join_form(struct lower *l, const struct group *g, struct span at);
/* Adds the accs to a list. */
struct pacc **list_form(struct lower *l, const struct group *g, struct pacc **end);
/* The value of a state, by what its variables had before the loop. */
struct pval *form_value(struct lower *l, const struct group *g, int state);

/* By variable: whether a slice makes it depend on the states. */
bool *find_dependents(struct lower *l, const struct group *g, const struct pstmt *slice);
/* The least or the greatest of two whole numbers, of a choice by which of them is greater; NULL: it
 * is another one.  The same of a conditional that sets a variable. */
struct pval *extreme_of(struct lower *l, const struct pval *c, const struct pval *a,
                        const struct pval *b);
struct pval *chosen_extreme(struct lower *l, const struct pstmt *s);

/* form_table.c */
/* Which of the states a variable is; -1: none. */
int state_of(const struct group *g, const struct pvar *var);
/* Finds how many values each state has.  False: some has too many, or it is not known. */
bool find_values(struct lower *l, struct group *g, const struct pstmt *slice,
                 const struct pstmt *loop);
/* The same of tables as of all forms. */
void step_table(struct lower *l, struct group *g, const struct copy *c, const struct pstmt *slice);
void join_table(struct lower *l, const struct group *g, struct span at);
struct pval *table_neutral(struct lower *l, const struct group *g);
struct pval *table_value(struct lower *l, const struct group *g, int state);

/* a where c holds, else b; one of them, if they are the same. */
struct pval *select_value(struct lower *l, struct pval *c, struct pval *a, struct pval *b);

/* form_first.c */
bool step_first(struct lower *l, struct group *g, const struct copy *c, const struct pstmt *slice);
/* Does what iterations of a loop read exist where the guard does not hold? */
bool may_be_unguarded(struct lower *l, const struct group *g, const struct pstmt *loop);
void join_first(struct lower *l, const struct group *g, struct span at);
struct pval *first_value_of(struct lower *l, const struct group *g);

/* form_bits.c */
/* The form of a number that depends on no state. */
void bits_free(struct lower *l, struct pval *v, struct form *to);
/* Makes of the form of its other argument that of v; by: a number; NULL: there is none.  False: the
 * class does not have v. */
bool bits_by(struct lower *l, const struct pval *v, struct pval *by, struct form *to);
struct pval *bits_neutral(struct lower *l, enum ufc_dtype d, int part);
/* What the later form makes of the earlier one, and of a value. */
void join_bits(struct lower *l, struct pval *const *earlier, struct pval *const *later,
               struct form *to);
struct pval *bits_value(struct lower *l, struct pval *const *part, struct pval *v);

/* form_clamp.c */
/* Whether a state, or what it is clamped by, may have the type. */
bool may_clamp(enum ufc_dtype d);
/* Whether a value is a sum of its first argument, or that within bounds; turned: its second one. */
bool is_clamped(const struct pval *v, bool turned);
/* The form of a number that depends on no state.  False: it is none. */
bool clamp_free(struct lower *l, struct group *g, struct pval *v, struct form *to);
/* Makes of the form of its argument that of v; by: its others, as int64s. */
void clamp_by(struct lower *l, struct group *g, const struct pval *v, struct pval *const *by,
              struct form *to);
struct pval *clamp_neutral(struct lower *l, int part);
void join_clamp(struct lower *l, const struct group *g, struct span at);
struct pval *clamp_value(struct lower *l, const struct group *g);
/* Emits that `bad`, a variable that is not 0 where something is, has more bits where an iteration,
 * which has the state's value from before it, does what the form has not; and the same of the loop
 * itself, of so many iterations (int64). */
void check_clamp(struct lower *l, const struct group *g, const struct copy *c,
                 const struct pstmt *slice, struct pvar *bad);
void check_clamps(struct lower *l, const struct group *g, struct pval *iterations, struct pvar *bad,
                  struct span at);

#endif
