/* dealer.h: what takes ordered loops that update bins apart: deal.c, deal_entry.c, deal_value.c. */
#ifndef UC_PLAN_DEALER_H
#define UC_PLAN_DEALER_H

#include "plan.h"

struct dealer {
    struct uc *uc;
    struct plan *plan;
    struct deal *d;
    uint32_t targets;    /* operands that have the bins, a bit each */
    uint32_t apart;      /* others that the loop stores to: an iteration has elements of its own; */
    uint32_t late;       /* those of them that updates have stored to by now */
    int depth;           /* how many inner loops are around */
    int nvars;           /* of the plan, before there are more for entries */
    bool *depends;       /* by variable of these: it is made of bins */
    const bool *written; /* by variable: the loop sets it */
    struct pstmt **end;  /* where the next statement of the iterations goes */
    const int *mentions; /* of variables: those of the plan's body */
    struct points outer; /* the loops of the iterations, */
    const struct pstmt *ragged, *before; /* and the one in them with another range in each, with
                                            what is before it up to it; NULL: there is none */
    /* The entry at hand: */
    const struct pval *place; /* an element of its bin; NULL: there is none */
    bool chosen;              /* conditions decide whether it is accessed */
    const struct pval *given; /* a variable of its own: what is added depends on it; or NULL */
    struct pstmt *update, **update_end;
    struct {
        const struct pval *value; /* NULL: the term is free; */
        bool again;               /* it still has this value */
    } term[MAX_DEAL_TERMS];
    int site[MAX_DEAL_OWN];                      /* of variables made of bins: their entry */
    int part_of[MAX_DEAL_ARRAYS + MAX_DEAL_OWN]; /* of arrays, then of such variables */
};

/* The entries of an iteration: the first number of those at hand, and how many there are so far. */
struct deal_count {
    const struct pval *base;
    struct pval *size;
};

/* deal_value.c */
struct pval *deal_operate(struct dealer *x, enum op op, const struct pval *a, const struct pval *b);
struct pval *deal_logic(struct dealer *x, enum op op, const struct pval *a, const struct pval *b);
/* Iterations of a loop by 1. */
struct pval *deal_iterations(struct dealer *x, const struct pval *lo, const struct pval *hi);
/* The size of an operand's axis. */
struct pval *deal_size(struct dealer *x, int operand, int axis);
bool deal_is_target(const struct dealer *x, int operand);
/* Do updates store to an operand: are bins in it, or is it late? */
bool deal_is_updated(const struct dealer *x, int operand);
/* A visitor that stops at an element that updates store, and at a variable that is made of bins. */
enum walk deal_find_bin(const struct pval *v, void *dealer);
/* Is v, which may be NULL, made of nothing that updates store? */
bool deal_is_free(struct dealer *x, const struct pval *v);
/* The array of a place, or of its real part; NULL: there are too many. */
struct deal_array *deal_array_of(struct dealer *x, const struct pval *place);
/* v, of a half type, as float32; what is of another type as it is. */
struct pval *deal_widened(struct dealer *x, const struct pval *v);
bool deal_is_at_hand(const struct dealer *x, const struct pval *place);
/* What an update has in the place of v: of bins their elements, of what is free of them terms.
 * NULL: it cannot have it. */
struct pval *deal_updated(struct dealer *x, const struct pval *v, struct span at);
/* The number of the bin at hand among those of its group; NULL: it cannot be had. */
struct pval *deal_key(struct dealer *x, struct span at);
struct pstmt *deal_set(struct dealer *x, struct pvar *var, struct pval *v, struct span at);
/* Adds a statement to those of the iterations. */
void deal_emit(struct dealer *x, struct pstmt *s);

/* deal.c */
/* Has a loop the same bounds in all iterations?  One over a triangle gets such, and a test in it of
 * which of its turns there are. */
bool deal_has_even_bounds(const struct dealer *x, struct pstmt *loop);

/* deal_ragged.c */
/* Finds `ragged`.  Gives what an iteration, or a turn of that, does. */
struct pstmt *deal_find_ragged(struct dealer *x, struct pstmt *body);
/* Is what decides a ragged loop's range made of nothing that updates store? */
bool deal_is_ragged_free(struct dealer *x);
/* The statements that deal out a turn's entries, of those of a turn. */
struct pstmt *deal_ragged_turn(struct dealer *x, struct pstmt *list);
/* The statements of an iteration of the loops around, of those of a turn. */
struct pstmt *deal_ragged_loop(struct dealer *x, struct pstmt *list);
/* About how many turns all iterations, so many, have. */
struct pval *deal_ragged_turns(struct dealer *x, struct pval *iterations);

/* deal_result.c */
/* Finds `apart`, which are then no targets. */
void deal_find_apart(struct dealer *x);
/* Has the entry at hand, which sets `value`, store that.  False: it cannot. */
bool deal_add_result(struct dealer *x, const struct pval *place, const struct pvar *value,
                     struct span at);

/* chain.c */
/* How long the statements of an update, which set variables alone, wait at least for those of the
 * one before it, in clocks of a GPU. */
unsigned update_clocks(struct uc *uc, const struct plan *p, const struct pstmt *list);

/* deal_entry.c */
/* Ends the entry at hand, if there is one.  False: it cannot be one. */
bool deal_close(struct dealer *x, struct deal_count *n);
/* Adds a PS_SET or PS_PUT that is made of bins, or stores to one.  The place may be that of a
 * statement behind it. */
bool deal_add_update(struct dealer *x, const struct pstmt *s, struct deal_count *n);
/* Is a PS_IF part of an entry, and not a statement that has entries? */
bool deal_chooses(struct dealer *x, const struct pstmt *s);
/* Adds it. */
bool deal_add_choice(struct dealer *x, const struct pstmt *s, struct deal_count *n);
/* Numbers the parts of the arrays. */
void deal_number_parts(struct dealer *x);

#endif
