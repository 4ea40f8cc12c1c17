/* host.h: what the generators of host kernels share. */
#ifndef GEN_HOST_H
#define GEN_HOST_H

#include "gen/body/build.h"

/* target.c */
extern const struct body_target host_target;
extern const struct level_info {
    const char *suffix;
    int bytes; /* of a vector register */
} level_info[LEVEL_COUNT];
/* Lanes first … first + n of v, from the front again behind the end. */
LLVMValueRef take_lanes(struct gen *g, LLVMValueRef v, int first, int n);

/* host.c */
/* A ufc_host_ask, whose body stands between these. */
void begin_ask(struct gen *g, const char *name);
void end_ask(struct gen *g, LLVMValueRef way, int lanes);

/* fold.c: NAME_fold and NAME_leaf of g->plan, which has methods, at g->level */
void gen_host_folds(struct gen *g, const char *name);

/* drive.c: what the host's kernels share */
/* void drive(char **args, const intptr_t *dimensions, const intptr_t *steps, traits, loop) */
LLVMValueRef gen_drive(struct gen *g);
LLVMValueRef gen_traits(struct gen *g); /* of g->plan for g->lanes */
/* ufc_host_ask of a kernel that drive runs with these traits. */
void gen_ask(struct gen *g, const char *name, LLVMValueRef traits);
/* void loop(char **pointers, const intptr_t *increments, intptr_t vectors) */
LLVMTypeRef gen_loop_type(struct gen *g);
/* In a kernel of g->plan: of operands without gaps and apart, at least a vector of each, the loop
 * over them where they lie, then the last vector, of which some is computed again, and the return;
 * else it goes on behind. */
void gen_direct(struct gen *g, LLVMValueRef loop);

/* gufunc.c */
/* The host kernel of a gufunc's plan, of vectors of `lanes`, and its ufc_host_ask. */
void gen_gufunc_host(struct gen *g, const char *name, int lanes);
void gen_gufunc_ask(struct gen *g, const char *name, int lanes);

/* powf.c: the body of <16 x float> powf(<16 x float>, <16 x float>), of level v4 */
void gen_powf(struct gen *outer, LLVMValueRef function);

/* blocks.c */
/* A reduction of one range, in order: in blocks, where there may be several.  False: it is none
 * that gains by it. */
bool blocks_in_order(struct gen *g, const struct pstmt *s);

#endif
