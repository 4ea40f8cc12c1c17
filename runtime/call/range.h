/* range.h: the names of NVTX ranges of calls and of copies between host and GPU.  nvtx_pop closes
 * them. */
#ifndef UFC_RANGE_H
#define UFC_RANGE_H

#include "nvtx.h"
#include "rt.h"

/* Opens the range of a call of an overload: "density float32(float32) [1000]"; of a method
 * ("reduce", else NULL) "plus.reduce int64(int64, int64) [3,40]"; where it is a gufunc's, with the
 * sizes of its core dimensions (else NULL) "dot float32(float32, float32) [10] n=64". */
void range_of_call(const struct ufc_ufunc *ufunc, const char *method,
                   const struct ufc_overload *overload, int ndim, const int64_t *shape,
                   const int64_t *core);
/* Opens the range of a copy of an array: "host to GPU: float32 [3,40]". */
void range_of_copy(const char *which, const struct operand *array);

#endif
