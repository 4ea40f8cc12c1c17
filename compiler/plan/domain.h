/* domain.h: what domain.c has of other files. */
#ifndef UC_PLAN_DOMAIN_H
#define UC_PLAN_DOMAIN_H
#include "plan.h"

/* A loop whose statements are walked over. */
struct scope {
    const struct pval *lo, *hi; /* NULL: it has no index */
    int64_t step;               /* 0: not a constant */
    uint64_t stored;            /* operands that an ordered loop stores to, a bit each */
};

/* What is known of a variable. */
struct known {
    uint64_t loops;           /* those whose index its value depends on */
    uint64_t home;            /* the loops around the statement that sets it first */
    bool set;                 /* `home` is known */
    int sets, own;            /* statements that set it, and of those of turned loops */
    const struct pval *value; /* what is assigned where there is one such statement */
    int index;                /* the loop whose index it is; -1: none */
    bool data;                /* its value, or whether it is set, is made of elements */
};

/* An element that an access has. */
struct place {
    const struct pval *v;
    uint32_t access;
    struct place *next;
};

struct domain {
    struct uc *uc;
    struct plan *plan;
    struct known *vars;
    struct scope scope[UFC_MAX_LOOPS];
    int nloops;
    uint64_t around;            /* the loops that the walk is in */
    uint64_t points;            /* loops of definitions */
    uint64_t chosen;            /* the loops that the conditions around depend on */
    bool by_data;               /* some of these read elements */
    const struct block *blocks; /* those around, the innermost first */
    const struct pstmt *shared; /* the loop around that threads share; NULL: there is none */
    const struct pstmt *series; /* the iterations of the last loop of a series; NULL: none */
    const struct deal *dealt;   /* the last loop that deals entries out; NULL: none */
    const struct pstmt *ragged; /* ragged_loop of the PS_SPREAD around */
    bool shares;                /* shared_further: threads share its further ranges */
    struct place *places;
    uint16_t phase;
    bool changed; /* this walk has found more dependences */
    bool records; /* this is the last walk, which fills plan->domain */
    bool counts;  /* operations count: not in the shorter branch of a conditional */
    bool failed;  /* there are too many loops */
};

/* domain.c */
/* The loops around whose indices v depends on. */
uint64_t loops_of(const struct domain *d, const struct pval *v);
/* Is v made of elements? */
bool is_data(const struct domain *d, const struct pval *v);

/* growth.c */
/* Sets the steps and offsets of an access of v, and which subscripts are irregular.  False: they
 * are too many. */
bool find_steps(const struct domain *d, const struct pval *v, struct ufc_access *a);

/* operations.c */
/* Adds what operations of each enum ufc_work_kind the value takes, without its arguments, to
 * `work`.  False: it is not computed. */
bool add_operations(const struct pval *v, uint32_t *work);

#endif
