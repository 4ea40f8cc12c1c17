/* image_body.h: what an overload's body does, as the compiler tells the runtime in an image: its
 * loops, operations and accesses. */
#ifndef UFC_IMAGE_BODY_H
#define UFC_IMAGE_BODY_H

#include <stdbool.h>
#include <stdint.h>

/* A program in postfix order that computes a whole number from the sizes of core dimensions. */
enum ufc_term_op {
    UFC_TERM_NUMBER,    /* value */
    UFC_TERM_DIMENSION, /* the size of dimension `value` */
    UFC_TERM_ADD,
    UFC_TERM_SUB,
    UFC_TERM_MUL,
    UFC_TERM_FLOORDIV, /* by zero: 0, as in kernels */
    UFC_TERM_MOD,
    UFC_TERM_MIN,
    UFC_TERM_MAX,
};
struct ufc_term {
    int64_t op, value;
};
#define UFC_MAX_TERMS 64
struct ufc_program {
    const struct ufc_term *terms;
    uint64_t nterms; /* at most UFC_MAX_TERMS */
};

static inline bool ufc_apply_term(int64_t op, int64_t a, int64_t b, int64_t *result) {
    bool floors = b != 0 && a % (b == -1 ? 1 : b) != 0 && (a < 0) != (b < 0);
    *result = 0;
    switch (op) {
    case UFC_TERM_ADD: return !__builtin_add_overflow(a, b, result);
    case UFC_TERM_SUB: return !__builtin_sub_overflow(a, b, result);
    case UFC_TERM_MUL: return !__builtin_mul_overflow(a, b, result);
    case UFC_TERM_FLOORDIV:
        if (b == -1)
            return !__builtin_sub_overflow(0, a, result);
        *result = b == 0 ? 0 : a / b - floors;
        return true;
    case UFC_TERM_MOD: *result = b == 0 || b == -1 ? 0 : a % b + (floors ? b : 0); return true;
    case UFC_TERM_MIN: *result = a < b ? a : b; return true;
    default: *result = a > b ? a : b; return true;
    }
}

/* The program's value for these sizes.  False: it does not fit. */
static inline bool ufc_program_size(const struct ufc_program *program, const int64_t *size,
                                    int64_t *value) {
    int64_t stack[UFC_MAX_TERMS + 1]; /* not cleared: calls wait for this */
    int n = 0;
    stack[0] = 0;
    for (uint64_t i = 0; i < program->nterms; i++) {
        const struct ufc_term *t = &program->terms[i];
        if (t->op == UFC_TERM_NUMBER) {
            stack[n++] = t->value;
        } else if (t->op == UFC_TERM_DIMENSION) {
            stack[n++] = size[t->value];
        } else {
            n--;
            if (!ufc_apply_term(t->op, stack[n - 1], stack[n], &stack[n - 1]))
                return false;
        }
    }
    *value = stack[0];
    return true;
}

/* What a body does, for the cost model: its loops, and which operations and accesses depend on
 * which of them.  A set of loops is a bit each. */
enum ufc_loop_kind {
    UFC_LOOP_POINTS,    /* of a definition, or independent iterations: in any order */
    UFC_LOOP_REDUCTION, /* of a comprehension: in any grouping */
    UFC_LOOP_SERIAL,
};
enum {
    UFC_LOOP_MAY_END = 1, /* it may end early */
    UFC_LOOP_FURTHER = 2, /* a further range of the statement that the loop around it is of */
    UFC_LOOP_RAGGED = 4, /* the same, of a definition that merges, with bounds of its own at each of
                            its points: only SCATTER's threads share it */
    UFC_LOOP_SERIES = 8, /* its iterations are those whose terms SERIES computes at once, or lanes
                            at points of a step, or a range of them */
    UFC_LOOP_DEAL = 16,  /* its iterations, or a range of them, are those that DEAL deals out */
    UFC_LOOP_LAG = 5, /* flags >> this: iterations may follow one another so many turns of the loop
                         in them; 0: they do not */
};
enum ufc_portions {
    UFC_PORTIONS_LONG = 1, /* if it is long */
    UFC_PORTIONS_ALWAYS,
};
/* A loop of a body, behind the loop that it is in.  A statement's ranges are loops one in the
 * other. */
struct ufc_loop {
    struct ufc_program size; /* iterations; those that depend on outer indices count as for the
                                middle of the outer loops.  No terms: not known */
    int32_t parent;          /* the loop that it is in; -1: none */
    uint8_t kind;            /* enum ufc_loop_kind */
    uint8_t flags;           /* UFC_LOOP_MAY_END, … */
    uint16_t phase;          /* the launch of its statement, where there are several */
    uint32_t line;           /* of the source, that its statement begins in */
    uint32_t chain;          /* UFC_LOOP_SERIAL: clocks of a GPU that an iteration waits for the one
                                before it, at least; UFC_LOOP_REDUCTION: the same of one thread, where
                                threads look for iterations that do something; else 0 */
    uint16_t meets,
        waits; /* UFC_LOOP_SERIAL: how often the threads that share a call wait for one
                  another in an iteration, beside loops in it; those of several blocks; */
    uint16_t
        barriers;     /* and those where blocks have portions of reductions, beside joining these */
    uint8_t portions; /* UFC_LOOP_REDUCTION: 0, or enum ufc_portions: blocks have portions of it */
    uint8_t in_lanes; /* UFC_LOOP_SERIAL: lanes that keep a state have the terms of an iteration
                         each, and all add them up */
    uint8_t lot;      /* UFC_LOOP_SERIAL: iterations that a lane takes together where they are in
                         the terms of a series, over rows that are aligned, at most; 0: one */
};

/* The most of these, and those of a loop whose length is known at the call. */
#define UFC_LOT        16
#define UFC_CALLED_LOT 8
#define UFC_MAX_LOOPS  64
static inline int ufc_lag(const struct ufc_loop *l) {
    return l->flags >> UFC_LOOP_LAG;
}
/* Is it of the iterations of which threads ask whether they do something? */
static inline int ufc_is_asked(const struct ufc_loop *l) {
    return l->kind == UFC_LOOP_REDUCTION && l->chain > 0;
}

/* Rates differ by the kind of an operation. */
enum ufc_work_kind {
    UFC_WORK_FLOAT32,
    UFC_WORK_FLOAT64,
    UFC_WORK_INTEGER,
    UFC_WORK_SPECIAL, /* what the unit for reciprocals, exponentials and conversions does */
    UFC_WORK_COUNT,
};
/* Operations that are computed once for each combination of the indices that they depend on. */
struct ufc_work {
    uint64_t loops;
    uint32_t operations[UFC_WORK_COUNT];
};

/* A term of the clocks in which the longest chain of a call's operations is done at least, of which
 * each waits for the one before it, and of how many these are: times the sizes of dimensions, over
 * others, by their numbers plus 1; 0: there is none.  Terms of equal `sum`, which lie side by side,
 * are added up; the greatest sum counts, of those of equal `least`, which is not 0, the least one.
 */
#define UFC_CHAIN_POWERS 3
struct ufc_chain {
    double clocks, operations;
    uint8_t dim[UFC_CHAIN_POWERS], over[UFC_CHAIN_POWERS], sum, least;
};

/* By how much an access's subscript grows from one iteration of a loop to the next: by the factor
 * times the sizes of up to four dimensions, the number of each and 1 in a byte. */
enum { UFC_NO_LOOP = UINT16_MAX };
struct ufc_step {
    uint16_t loop, subscript;
    int32_t factor;
    uint32_t sizes;
};
/* An element that is read or written: once for each combination of the indices that its subscripts
 * depend on. */
struct ufc_access {
    uint64_t loops;
    const struct ufc_step *steps; /* nsteps, and behind them offsets, of UFC_NO_LOOP: multiples of
                                     factors and sizes that subscripts have besides */
    uint16_t nsteps, noffsets;
    uint16_t operand;
    uint32_t count;    /* accesses that differ only in what is added to their subscripts */
    uint8_t stored;    /* written */
    uint8_t irregular; /* bit i: subscript i does not grow evenly, or by sizes */
    uint16_t phase;    /* as a loop's */
    uint16_t distinct; /* of `count`, those whose subscripts differ */
    uint16_t near;     /* irregular ones that are made of indices, not of elements: neighbours are
                          mostly near */
};

/* The power of two, up to 16, that divides a number of bytes. */
static inline int64_t ufc_vector_alignment(int64_t bytes) {
    return (bytes & -bytes) < 16 ? bytes & -bytes : 16;
}

/* The subscript of an access that grows with a loop; -1: none. */
static inline int ufc_subscript_along(const struct ufc_access *a, int loop) {
    for (int i = 0; i < a->nsteps; i++)
        if (a->steps[i].loop == loop)
            return a->steps[i].subscript;
    return -1;
}

#endif
