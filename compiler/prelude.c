/* prelude.c: functions of the language that are written in it.  A user's declaration of the same
 * name hides one; a name that begins with an underscore is for the compiler. */
#include "check.h"

const char prelude[] = "def where(c, x, y) = x if c else y\n"
                       "def divmod(x, y) { return x // y, x % y }\n"
                       "def remainder(x, y) = x % y\n"
                       "def mod(x, y) = x % y\n"
                       /* a signed integer with a uint64, exactly */
                       "def _eq(s, u) = s >= 0 and uint64(s) == u\n"
                       "def _ne(s, u) = s < 0 or uint64(s) != u\n"
                       "def _lt(s, u) = s < 0 or uint64(s) < u\n"
                       "def _le(s, u) = s < 0 or uint64(s) <= u\n"
                       "def _gt(s, u) = s >= 0 and uint64(s) > u\n"
                       "def _ge(s, u) = s >= 0 and uint64(s) >= u\n";
