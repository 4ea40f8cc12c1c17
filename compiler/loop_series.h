/* loop_series.h: ordered loops of the kernel plan that add up terms.  Part of loop_ir.h, which
 * includes it. */
#ifndef LOOP_SERIES_H
#define LOOP_SERIES_H

struct plan;
struct pstmt;

/* A series: a PS_FOR, with those in it, that only joins terms to variables; plan/series.c.  join:
 * an enum op, or OP_COUNT and the id of a built-in function; sums and differences are one. */
enum { MAX_SERIES_ACCS = 8, MAX_SERIES_TERMS = 8, MAX_SERIES_SITES = 16 };
struct series {
    struct series_acc {
        struct pvar *var;
        int join; /* -1: no statement joins a term to it */
    } acc[MAX_SERIES_ACCS];
    int n;
    bool whole;           /* it is in no other loop of the series */
    bool of_lanes;        /* the lanes of a warp may add it up where blocks share steps */
    struct pstmt *points; /* the loop's iterations, as a PS_SPREAD; NULL: loops in it have terms */
    struct series_site {
        const struct pstmt *set;
        int acc, first; /* the first of its terms among those of an iteration; those of conditions
                           that exclude one another have the same place */
    } site[MAX_SERIES_SITES];
    int nsites, terms[MAX_SERIES_ACCS]; /* of an iteration, by acc */
};
/* The operations and types of variables of a plan's series, whose terms warps of their own join, in
 * lanes; bytes: of what a thread that computes terms has in shared memory at once, at most. */
enum { MAX_SERIES_GROUPS = 4 };
struct series_groups {
    int join[MAX_SERIES_GROUPS];
    enum ufc_dtype dtype[MAX_SERIES_GROUPS];
    int n;
    bool full; /* there are more */
    uint32_t bytes;
    int units; /* iterations that such a thread has at once, at least */
};
/* What such a thread has of a loop: iterations, and by variable the terms of an iteration; bytes of
 * them, where they begin, and how far a group's variables are apart, all of which are multiplied by
 * the number of these threads. */
enum { MAX_SERIES_UNITS = 8 };
struct series_room {
    int units, terms[MAX_SERIES_ACCS];
    uint32_t bytes, offset[MAX_SERIES_ACCS], apart[MAX_SERIES_ACCS];
};
/* What a PS_SET joins to a variable. */
struct series_term {
    const struct pval *value;
    int join;
    bool negative;           /* it is subtracted */
    const struct pval *when; /* a condition; NULL: there is none */
    bool unless;             /* it leaves the term out */
};

/* The indices of loops around, which are the same at all points, or in all calls; whether v is. */
struct loops_around {
    const struct pvar *index;
    const struct loops_around *outer;
};
bool is_same_around(const struct pval *v, const struct loops_around *outer);
/* plan/series_calls.c: of a plan with series, how many calls a block of SERIES may have. */
int calls_of_series(const struct plan *p);
/* plan/series.c: the terms, MAX_SERIES_TERMS at most, that v, the value a variable is set to, joins
 * to the variable, in order.  How many; 0: v is the variable, -1: it is something else. */
int series_terms(const struct pvar *var, const struct pval *v, struct series_term *term);
struct series_groups series_groups(const struct plan *p);
/* Those of one series; bytes is 0. */
struct series_groups groups_of_series(const struct series *s);
/* The group of a variable. */
int series_group(const struct series_groups *x, const struct series_acc *a);
struct series_room series_room(const struct series *s, bool lanes);
/* plan/state.c: the points that lanes which keep a state have, each those of its indices: of a
 * PS_SPREAD, or of a series that they add up; NULL: there are none. */
const struct pstmt *points_in_lanes(const struct pstmt *s);
/* Has the body of a definition series of_lanes, so that points may have a warp each? */
bool has_lane_series(const struct pstmt *s);

#endif
