/* statements.h: what explain tells of a gufunc's statements. */
#ifndef UFC_STATEMENTS_H
#define UFC_STATEMENTS_H

#include "schedule.h"

/* What a call launched for a phase, or, by kernels without phases, for all. */
struct launched {
    enum ufc_kernel_kind kind; /* the first launch's */
    int launches;
    bool swept;          /* in a launch of an earlier phase; launches join parts */
    bool held, inputs;   /* registers hold rows; shared memory has inputs, too */
    unsigned across;     /* COLUMNS: neighbouring calls that blocks have at a time; else 0 */
    unsigned neighbours; /* points that a thread takes together; 0: none */
    unsigned abreast;    /* the same, of which it runs the reductions together */
    double seconds;      /* predicted, of all; 0: not known */
    const char *by;      /* what bounds the longest */
    double longest;
};

static inline bool by_phases(enum ufc_kernel_kind kind) {
    bool tiles = kernel_info[kind].sharing == UFC_BY_TILE && !ufc_is_band(kind);
    return kernel_info[kind].sharing == UFC_BY_POINTS || tiles || kind == UFC_KERNEL_SCATTER ||
           kind == UFC_KERNEL_PREFIX || kind == UFC_KERNEL_DEAL || ufc_is_sweep(kind);
}

/* Appends a line for each statement with loops: "8: y: 4096 points, each a reduction of 9; …".
 * The text has whole lines, as many as there is room for.  launched: by phase; NULL: the host runs
 * the call.  m: NULL, or what the device can. */
void describe_statements(const struct body *body, const struct gpu_model *m,
                         const struct launched *launched, char *text, size_t size);
/* Appends "; w in shared memory", of the arrays that the body makes, to a text that has these. */
void describe_held(const struct body *body, const struct launched *launched, char *text,
                   size_t size);

#endif
