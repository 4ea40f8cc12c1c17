/* series.h: the terms of one iteration of a series, for series.c and state_series.c. */
#ifndef GUFUNC_SERIES_H
#define GUFUNC_SERIES_H

#include "gufunc.h"

struct kept_terms {
    const struct series *series;
    struct series_room room;
    LLVMValueRef slot[MAX_SERIES_ACCS][MAX_SERIES_TERMS]; /* by variable */
};

/* Makes the slots for the terms of an iteration of s. */
void reserve_terms(struct gen *g, struct kept_terms *x, const struct series *s);
/* Of g->threads->kept: has the terms change nothing, and computes them, of the indices at hand. */
void clear_terms(struct gen *g);
void gen_kept_terms(struct gen *g);
/* term_rows.c: a loop in these, over rows whose elements are side by side; false: it is none. */
bool gen_term_rows(struct gen *g, const struct pstmt *s);
/* vector.c: loads `lanes` neighbours of an element's row, which are aligned, from an address. */
void load_row(struct gen *g, const struct pval *place, LLVMValueRef at, int lanes,
              LLVMValueRef *value);
/* What a variable of the series is with a term. */
LLVMValueRef join_term(struct gen *g, const struct series_acc *a, LLVMValueRef sum,
                       LLVMValueRef term);

#endif
