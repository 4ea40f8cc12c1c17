/* plan.h: what the parts of the plan stage share: functions (plan.c), statements (plan_stmt.c),
 * expressions (plan_expr.c), types that are not computed in (plan_types.c). */
#ifndef PLAN_H
#define PLAN_H

#include "uc.h"

/* What a local stands for: local->var points to its pvar. */
struct variable {
    struct pvar pvar;  /* first; of the plan unless the local is only another name of value */
    struct pval value; /* what reading gives */
    bool mutable;
    const struct pval *below; /* a loop's index, which is from 0 up to this, a constant or a
                                 dimension, exclusive; or NULL */
};

/* Statements that may be left.  They get a PS_BLOCK around them where something does. */
struct region {
    struct pstmt *block;
    struct pstmt **outside;
    bool left;
};

struct loop_regions {
    struct region whole, body; /* left by break, by continue */
};

/* The function whose body is lowered. */
struct frame {
    const struct inst *inst;
    struct pval **results; /* inlined: where its values go; NULL: they are stored to the outputs */
    struct region whole;
    struct loop_regions *loop; /* the innermost */
    bool last;                 /* nothing follows in the body of the loop, or of the function */
    int depth;                 /* of conditionals and loops */
};

struct lower {
    struct uc *uc;
    struct plan *plan;
    struct pvar **vars_end;
    struct pstmt **end; /* where the next statement goes */
    struct frame *frame;
    int nested;     /* conditionals that hold what follows them */
    int spreads;    /* PS_SPREADs around */
    struct span at; /* plan_types.c: the statement being rewritten */
};

/* plan.c */
/* A call's values, its function's statements emitted; results has room for all. */
void lower_inline(struct lower *l, const struct node *call, struct pval **results);

/* plan_stmt.c */
struct pstmt *stmt_emit(struct lower *l, enum pstmt_kind kind, struct span at);
/* Makes a local stand for v: another name of it where it stays the same, else a variable. */
void lower_bind(struct lower *l, struct local *local, struct pval *v, struct span at);
void lower_binding(struct lower *l, const struct node *n);
/* A body whose parameters are bound.  It gives results, or, if that is NULL, stores the outputs. */
void lower_function(struct lower *l, const struct inst *inst, struct pval **results);

/* plan_expr.c */
struct pval *value_new(struct lower *l, enum pval_kind kind, enum ufc_dtype dtype);
struct pval *value_zero(struct lower *l, enum ufc_dtype dtype);
struct pval *value_op(struct lower *l, enum op op, enum ufc_dtype dtype, struct pval *a,
                      struct pval *b); /* b: NULL for one operand */
struct pval *value_not(struct lower *l, struct pval *v);
/* v converted; v itself if it is of the type. */
struct pval *value_one(struct lower *l, enum ufc_dtype dtype);
struct pval *value_call(struct lower *l, enum builtin_id id, enum ufc_dtype dtype, int nargs,
                        struct pval *const *args);
struct pval *value_fma(struct lower *l, struct pval *a, struct pval *b, struct pval *c);
struct pval *value_cast(struct lower *l, struct pval *v, enum ufc_dtype to);
/* Whether v is a constant, a load, a dimension or a variable. */
bool value_is_atom(const struct pval *v);
/* Whether v may be another value later. */
bool value_is_mutable(const struct pval *v);
/* Whether v's nodes are more than n. */
bool value_exceeds(const struct pval *v, int n);
struct variable *variable_new(struct lower *l, const char *name, enum ufc_dtype dtype);
void emit_set(struct lower *l, struct variable *to, struct pval *v, struct span at);
/* v, evaluated here into a variable. */
struct pval *emit_temporary(struct lower *l, const char *name, struct pval *v, struct span at);
/* An expression's value; statements that it needs are emitted.  Nothing that a value reads is set
 * before the statement that uses it. */
struct pval *lower_value(struct lower *l, const struct node *n);

/* plan_reduce.c */
/* The value of a comprehension, an N_REDUCE. */
struct pval *lower_reduce(struct lower *l, const struct node *n);
void lower_define(struct lower *l, const struct node *n);
/* The element that an N_INDEX stands for: a PV_ELEM, its subscripts evaluated. */
struct pval *lower_place(struct lower *l, const struct node *n);
/* place = v */
void emit_put(struct lower *l, struct pval *place, struct pval *v, struct span at);
/* Adds a local array to the plan, and the statement that clears it. */
void lower_local_array(struct lower *l, struct array *a, struct span at);

/* plan_check.c */
/* An index's range. */
void set_index_range(struct variable *index, const struct pval *lo, const struct pval *hi,
                     const struct pval *step);
/* Marks the subscripts of v, a PV_ELEM that n stands for, that may be out of range. */
void mark_subscripts(struct lower *l, struct pval *v, const struct node *n);

/* plan_map.c */
/* The terms of a whole number made of dimensions and constants, appended at *terms (room for
 * UFC_MAX_TERMS).  False: v is more than that. */
bool value_terms(const struct pval *v, struct ufc_term *terms, int *nterms);
void map_plan(struct uc *uc, struct plan *p);

/* plan_match.c */
/* Whether p's body is one; NULL: no. */
const struct contraction *find_contraction(struct uc *uc, const struct plan *p);
const struct window *find_window(struct uc *uc, const struct plan *p);

/* plan_types.c */
/* Rewrites the plan, which is complete, without arithmetic on half and complex types. */
void lower_types(struct lower *l);

#endif
