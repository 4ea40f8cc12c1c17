/* host.h: what the generators of host code share.
 *
 *   target.c   the host as a target of bodies: functions of libm and libmvec
 *   powf.c, exp.c, gamma.c, sine.c, tanh.c   functions of its own
 *   host.c     kernels of ufuncs, and the module
 *   drive.c    what kernels of ufuncs have around their loops, for operands of any layout
 *   fold.c     methods
 *   period.c   ordered loops by digits of the index
 *   quiet.c    ordered loops whose iterations mostly do nothing
 *   gufunc.c, ways.c, spread.c, points.c, guards.c, rows.c, select.c, tile.c   gufuncs: gufunc.h
 *   blocks.c   reductions in blocks */
#ifndef GEN_HOST_H
#define GEN_HOST_H

#include "gen/body/build.h"

/* target.c */
extern const struct body_target host_target;
extern const struct level_info {
    const char *suffix;
    int bytes; /* of a vector register */
} level_info[LEVEL_COUNT];
/* libmvec's f of float32 numbers, by float64. */
LLVMValueRef call_in_float64(struct gen *g, const struct builtin *f, LLVMValueRef x);
/* n lanes of v from lane `first` on; lane 0 follows the last one. */
LLVMValueRef take_lanes(struct gen *g, LLVMValueRef v, int first, int n);

/* host.c */
/* Called before and after the body of a ufc_host_ask is generated.  way: i32, enum ufc_host_way. */
void begin_ask(struct gen *g, const char *name);
void end_ask(struct gen *g, LLVMValueRef way, int lanes);

/* fold.c */
/* Generates <name>_fold and <name>_leaf of g->plan, which has methods, at g->level. */
void gen_host_folds(struct gen *g, const char *name);

/* drive.c */
LLVMTypeRef gen_loop_type(struct gen *g); /* of an ufc_host_loop */
/* A struct ufc_host_traits of g->plan with g->lanes, a constant. */
LLVMValueRef gen_traits(struct gen *g);
/* Calls ufc_host_drive with the arguments of the kernel, g->function. */
void gen_drive(struct gen *g, LLVMValueRef traits, LLVMValueRef loop);
/* The ufc_host_ask of a kernel that calls it with these traits. */
void gen_ask(struct gen *g, const char *name, LLVMValueRef traits);
/* At the beginning of a kernel of g->plan.  Where operands are contiguous and disjoint, and have at
 * least a vector, it calls the loop on them in place, then, for the rest, on their last vector, of
 * which some elements are computed again, and returns; else control goes on. */
void gen_direct(struct gen *g, LLVMValueRef loop);

/* gufunc.c */
/* The host kernel of a gufunc's plan, with vectors of `lanes`, and its ufc_host_ask. */
void gen_gufunc_host(struct gen *g, const char *name, int lanes);
void gen_gufunc_ask(struct gen *g, const char *name, int lanes);

/* quiet.c */
/* Generates an ordered loop whose iterations mostly do nothing.  False: s is another. */
bool host_quiet_loop(struct gen *g, const struct pstmt *s);

/* period.c */
/* Generates an ordered loop whose digits of the index repeat after few iterations.  False: s is
 * another. */
bool host_periodic_loop(struct gen *g, const struct pstmt *s);

/* powf.c */
/* Generates the body of <16 x float> powf(<16 x float>, <16 x float>), of level v4. */
void gen_powf(struct gen *outer, LLVMValueRef function);

/* exp.c */
/* f, exp or exp2, of float32 at level v3 and above. */
LLVMValueRef gen_exp(struct gen *g, const struct builtin *f, LLVMValueRef x);

/* gamma.c */
LLVMValueRef gen_gamma(struct gen *g, enum ufc_dtype d, LLVMValueRef x); /* tgamma */

/* sine.c */
/* f, sin or cos, of float32 at level v3 and above. */
LLVMValueRef gen_sine(struct gen *g, const struct builtin *f, LLVMValueRef x);

/* tanh.c */
LLVMValueRef gen_tanh(struct gen *g, LLVMValueRef x); /* of float64 */

/* rows.c */
/* struct gen's in_order: a reduction, in order. */
bool rows_in_order(struct gen *g, const struct pstmt *s);

#endif
