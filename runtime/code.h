/* code.h: the code of an overload, which an object holds, or which the embedded compiler makes when
 * it is first asked for. */
#ifndef UFC_CODE_H
#define UFC_CODE_H

#include "rt.h"

/* The best level that the processor has and an overload has host code for; -1: none. */
int code_level(const struct ufc_overload *overload);
/* Sets the members that a part of the overload's best host code has; it is made if it is to be and
 * is not there yet, as the code below is. */
ufc_status host_code(const struct ufc_overload *overload, enum ufc_host_part part,
                     struct ufc_host_code *code, ufc_error *err);
/* Whether the overload has PTX of some module, or can have it made. */
bool has_ptx(const struct ufc_overload *overload);
/* The code that has a kernel, if the overload has GPU code at all: that for the constants, where
 * they are not NULL and it is there, or `makes` is set and it can be made. */
ufc_status kernel_code(const struct ufc_overload *overload, enum ufc_kernel_kind kind,
                       const struct ufc_constants *known, bool makes, const struct ufc_code **code,
                       ufc_error *err);
/* Whether `other` is a kernel of the overload in the code that has kernel `kind`. */
bool in_code_of(const struct ufc_overload *overload, enum ufc_kernel_kind kind,
                enum ufc_kernel_kind other);
/* The code's PTX, which it has; *text is the caller's to free. */
ufc_status ptx_text(const struct ufc_overload *overload, const struct ufc_code *code, char **text,
                    ufc_error *err);
/* terse.c: the PTX of a terse text (terse.h), both with a NUL behind them; *ptx is the caller's to
 * free.  UFC_EDEVICE: it is none; UFC_ENOMEM. */
ufc_status expand_ptx(const char *text, size_t size, char **ptx);
/* Leaves of a PTX text's kernels only the one of this name. */
void keep_kernel(char *text, const char *name);

#endif
