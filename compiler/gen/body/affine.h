/* affine.h: how subscripts grow from lane to lane, or as a variable does: affine.c. */
#ifndef GEN_BODY_AFFINE_H
#define GEN_BODY_AFFINE_H

#include <stdbool.h>
#include <stdint.h>

struct gen;
struct pval;
struct pvar;

/* Which subscript of an operand's element alone varies, if that is g->lane_var; else -1. */
int gen_lane_axis(struct gen *g, const struct pval *v);
/* Sets *by to how much v grows from lane to lane; false: it does not grow evenly. */
bool gen_lane_affine(struct gen *g, const struct pval *v, int *by);
/* How many elements apart the lanes' are, of PV_ELEM v in an array without gaps, that vectors
 * access: 1 to MAX_GAP.  0: they are accessed lane by lane, whatever the strides are. */
enum { MAX_GAP = 4 };
int gen_lane_gap(struct gen *g, const struct pval *v);
/* Do all subscripts of an operand's element grow evenly, where lanes are a PS_SPREAD's points? */
bool gen_is_affine(struct gen *g, const struct pval *v);
/* Sets *by to how much a subscript grows as var does, by 1; false: it does not grow evenly. */
bool gen_grows(struct gen *g, const struct pval *v, const struct pvar *var, int64_t *by);
/* Is a subscript, where var is `at`, *c beyond what products of sizes alone add up to? */
bool gen_is_beyond(struct gen *g, const struct pval *v, const struct pvar *var, int64_t at,
                   int64_t *c);
/* Whether an operand's element varies by its last subscript alone, along which elements mostly are
 * neighbours, and each lane's is at a known distance from lane 0's, *apart. */
bool gen_is_apart(struct gen *g, const struct pval *v, const int **apart);

#endif
