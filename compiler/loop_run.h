/* loop_run.h: scans of which threads have some iterations each.  Part of loop_ir.h, which includes
 * it. */
#ifndef LOOP_RUN_H
#define LOOP_RUN_H

struct plan;
struct pstmt;
struct uc;

/* plan/scan.c: how many iterations of a PS_FOR with accs a thread takes at once, at most: fewer of
 * longer ones, and no more than SCAN_BYTES of shared memory hold the terms of. */
enum { SCAN_BYTES = 160 };
int scan_units(const struct pstmt *s, int most);
int scan_operations(const struct pstmt *s); /* of an iteration */

/* plan/runs.c: scans whose threads have runs of neighbouring iterations. */
enum { RUN_LOADS = 16, RUN_FOUND = 32, RUN_PUTS = 4, RUN_SETS = 8, RUN_UNITS = 32, RUN_LEAST = 4 };

/* What the iterations of a scan load and store, which threads turn in shared memory. */
struct scan_run {
    struct run_load {
        const struct pval *place; /* grows with the index */
        bool always;              /* each iteration has such an element */
    } load[RUN_LOADS];
    const struct pstmt *set[RUN_SETS]; /* of variables that the index tells, in their order */
    const struct pstmt *put[RUN_PUTS]; /* whose places grow, which each iteration stores to */
    int nloads, nsets, nputs;
    /* A reduction over the same iterations in the next phase, or NULL. */
    const struct pstmt *tail;
    struct run_found {
        const struct pval *place; /* an element that one of both reads, and */
        int load, put;            /* the number of its load, or else of the put that stores it */
    } found[RUN_FOUND];
    int nfound;
    uint32_t kept; /* the puts, a bit each, that the tail alone reads */
    bool alone;    /* some iteration stores to a place of the call, too */
    int units;     /* iterations of a thread */
    int words;     /* registers for what these load and store */
};

/* False: the iterations of s have other accesses, or too many. */
bool find_scan_run(struct uc *uc, const struct plan *p, const struct pstmt *s, struct scan_run *r);

#endif
