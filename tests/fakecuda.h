/* fakecuda.h: what a test may ask of the fake CUDA driver (fakecuda.c), beside the driver's API. */
#ifndef FAKECUDA_H
#define FAKECUDA_H

#include <stdbool.h>
#include "../runtime/image_abi.h"

#pragma GCC visibility push(default)

/* Makes the kernels of a ufunc known: a module that is loaded afterwards has all of them, whatever
 * its text.  The driver runs them element by element with the ufunc's own host code.  The ufunc
 * must outlive its last launch. */
void fakecuda_register(const struct ufc_ufunc *ufunc);
/* How often a driver function (a symbol: "cuMemAlloc_v2") was called. */
unsigned fakecuda_calls(const char *symbol);
/* How many kernels were launched, by whatever function. */
unsigned fakecuda_launches(void);
/* The so-manieth call of the driver from now on, of whatever function, fails with a CUresult, and
 * with all_after those after it but for what only tells of the thread's context; 0: none.  True:
 * that of the last time did. */
bool fakecuda_fail(unsigned call, int result, bool all_after);
/* While it is held, cuCtxSynchronize does not return, as if a kernel did not end. */
void fakecuda_hold(bool hold);
/* Allocations, device and pinned, that were not freed. */
unsigned fakecuda_live(void);
/* The size of the last allocation, device or pinned. */
size_t fakecuda_last_size(void);
/* The release threshold of the last pool. */
uint64_t fakecuda_kept(void);
/* The image that was last loaded as a module. */
const void *fakecuda_image(void);
/* Whether lines of the source were to stay in what the driver last made of PTX. */
bool fakecuda_keeps_lines(void);

#pragma GCC visibility pop

#endif
