/* exact.h: what the exact results are computed with; only reference*.c see it. */
#ifndef EXACT_H
#define EXACT_H

#include <mpfr.h>

#include "num.h"

enum { BITS = 64 }; /* of a long double */

/* Of a result and the sign of its error, as MPFR's functions give it: rounded to odd.  What is
 * beyond a long double becomes the largest or the smallest one. */
long double to_odd(mpfr_t v, int inexact);

#endif
