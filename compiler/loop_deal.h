/* loop_deal.h: ordered loops of the kernel plan that update bins.  Part of loop_ir.h, which
 * includes it. */
#ifndef LOOP_DEAL_H
#define LOOP_DEAL_H

struct pstmt;

/* What a PS_FOR, with those in it, does to elements of arrays, the bins, whichever these are, where
 * its iterations have nothing else in common; plan/deal.c.  Each iteration deals out entries, each
 * of which is for one bin: it has a key, the number of the bin among those of all groups, and
 * terms.  A bin is updated by its entries in their order, that of the iterations. */
enum { MAX_DEAL_ARRAYS = 8, MAX_DEAL_TERMS = 8, MAX_DEAL_SITES = 8 };
enum { MAX_DEAL_KINDS = 4, MAX_DEAL_OWN = 16, MAX_DEAL_RESULTS = 4 };
struct deal {
    struct pstmt *points; /* the iterations, as a PS_SPREAD whose body sets terms, then keys */
    /* If each has a range of its own, whose turns are then what deals out entries: what sets how
     * many turns an iteration has, an int64, and the number of one of them, which the body reads.
     * Else NULL. */
    struct pstmt *lengths;
    struct pvar *length, *turn;
    const struct pvar *further; /* the range's index */
    struct pvar *term[MAX_DEAL_TERMS];
    struct deal_group { /* arrays with the same dimensions, whose elements at a place are one bin */
        struct pvar *index[MAX_CORE_RANK]; /* where it is */
        struct pval *size[MAX_CORE_RANK];  /* the dimensions, as int64s */
        int rank;
    } group[MAX_DEAL_ARRAYS];
    struct deal_array {
        struct pval *place; /* its element of the bin at the group's index */
        struct pvar *element;
        /* What the variable gets of the element, and what that gets of it: a half type's as
         * float32.  A complex one's real and imaginary parts are two arrays, one after the other,
         * of which the second is stored with both, the first NULL. */
        struct pval *loaded, *stored;
        int group, part; /* updates of arrays of different parts do not need one another */
    } array[MAX_DEAL_ARRAYS];
    struct deal_site { /* where the body deals out an entry: it sets the key, an int64 */
        struct pvar *key;
        struct pval *at; /* the entry's number among those of the iteration */
        int group, kind;
        bool anyway; /* for the group's first bin, if there is none by the key */
    } site[MAX_DEAL_SITES];
    struct pstmt *update[MAX_DEAL_KINDS]; /* by kind of entry: sets elements by them and terms */
    struct pval *each;                    /* entries of an iteration */
    const struct pvar *own[MAX_DEAL_OWN]; /* other variables that updates set, */
    int own_part[MAX_DEAL_OWN];           /* and the parts that they are of */
    struct deal_result {    /* what an update, then done, stores that its iteration alone has */
        struct pval *place; /* its subscripts are of indices of the iterations and of terms */
        const struct pvar *value; /* one of `own`, */
        const struct pval *when;  /* and the one that says whether; NULL: always */
        int kind;
    } result[MAX_DEAL_RESULTS];
    struct pvar *number; /* a term, int32, where there are results: the iteration's number
                                  among those of its round; or NULL */
    int nterms, ngroups, narrays, nparts, nsites, nkinds, nown, nresults;
    bool sure; /* all of them are there in each iteration */
    bool flat; /* no inner loop has any */
    /* Sizes; of iterations with ranges of their own, about how many turns these have, and how many
     * iterations there are. */
    struct ufc_term *iterations, *entries, *bins, *rows;
    int niterations, nentries, nbins, nrows;
};
/* An entry in memory: its bytes, a multiple of `align`, the first four of which are the key; where
 * its kind and its terms are. */
struct deal_room {
    uint32_t bytes, align, kind, term[MAX_DEAL_TERMS];
};

/* plan/deal.c: are a loop's iterations, or turns in these, what deals entries out?  d: may be NULL.
 */
bool is_dealing(const struct deal *d, const struct pstmt *loop);
/* An entry's room; the array whose element a variable is, or -1; the part of which a
 * statement of an update is. */
struct deal_room deal_room(const struct deal *d);
int deal_element(const struct deal *d, const struct pvar *var);
int deal_part(const struct deal *d, const struct pstmt *s);
/* Bytes of a bin in shared memory, elements of all arrays, and which are before those of array i.
 */
uint32_t deal_bin_bytes(const struct deal *d);
uint32_t deal_bin_offset(const struct deal *d, int i);
/* The part of a result, by its number; is it of a kind and of a part, or of any with -1? */
int deal_result_part(const struct deal *d, int result);
bool deal_is_result_of(const struct deal *d, int result, int kind, int part);
/* Terms that a kind's updates of a part read, or of all parts with -1, a bit each; with those that
 * say where its results are. */
uint32_t deal_update_terms(const struct deal *d, int kind, int part);
uint32_t deal_terms(const struct deal *d, int kind, int part);
/* Bytes of registers of an entry that lanes with bins in a part see, and of its results; may all
 * threads of a block load such entries, while a warp sees others? */
uint32_t deal_seen_bytes(const struct deal *d, int part);
bool deal_sees_together(const struct deal *d);

/* plan/deal_count.c: UFC_COUNTED where entries only count, UFC_COUNTED_TWICE where iterations may
 * be computed twice, besides, each of which has one; else 0. */
uint32_t deal_counting(const struct deal *d);
/* Does a statement of an update add a whole number to an element, the same for all entries? */
struct series_term;
bool deal_step(const struct deal *d, const struct pstmt *s, struct series_term *term);

#endif
