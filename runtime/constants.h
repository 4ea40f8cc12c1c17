/* constants.h: what of a call is constant in code that is made for it: sizes of core dimensions,
 * strides and numbers; neither addresses nor how many elements or calls there are. */
#ifndef UFC_CONSTANTS_H
#define UFC_CONSTANTS_H

#include "rt.h"

/* Each returns NULL where the overload's calls ask for no code of their own, or nothing of the call
 * would be constant, or memory is out.  The caller frees the result with free. */

/* For a launch of a ufunc's kernel, and of a gufunc's. */
struct ufc_constants *ufunc_constants(const struct iteration *it,
                                      const struct kernel_launch *launch);
struct ufc_constants *gufunc_constants(const struct iteration *it,
                                       const struct kernel_launch *launch);
/* For host code; dimensions, steps: a gufunc's kernel's arguments; NULL: of a ufunc, or they are
 * not the same for all calls of the kernel. */
struct ufc_constants *host_constants(const struct iteration *it, const intptr_t *dimensions,
                                     const intptr_t *steps);

#endif
