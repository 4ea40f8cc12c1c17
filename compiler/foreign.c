/* foreign.c: what other languages call the types, numbers and functions of this one, and what they
 * have that it has not. */
#include <string.h>

#include "uc.h"

static const struct {
    const char *name, *here;
} spellings[] = {
    {"int", "'int64' (NumPy's) or 'int32' (C's)"},
    {"float", "'float64' (NumPy's) or 'float32' (C's)"},
    {"complex", "'complex128' (NumPy's) or 'complex64' (C's)"},
    {"uint", "'uint64' (NumPy's) or 'uint32' (C's)"},
    {"unsigned", "'uint32'"},
    {"char", "'int8'"},
    {"byte", "'int8'"},
    {"ubyte", "'uint8'"},
    {"short", "'int16'"},
    {"ushort", "'uint16'"},
    {"long", "'int64'"},
    {"ulong", "'uint64'"},
    {"longlong", "'int64'"},
    {"ulonglong", "'uint64'"},
    {"intp", "'int64'"},
    {"uintp", "'uint64'"},
    {"size_t", "'uint64'"},
    {"ptrdiff_t", "'int64'"},
    {"int8_t", "'int8'"},
    {"int16_t", "'int16'"},
    {"int32_t", "'int32'"},
    {"int64_t", "'int64'"},
    {"uint8_t", "'uint8'"},
    {"uint16_t", "'uint16'"},
    {"uint32_t", "'uint32'"},
    {"uint64_t", "'uint64'"},
    {"half", "'float16'"},
    {"single", "'float32'"},
    {"double", "'float64'"},
    {"bool_", "'bool'"},
    {"_Bool", "'bool'"},
    {"M_PI", "'pi'"},
    {"M_E", "'e'"},
    {"INFINITY", "'inf'"},
    {"NAN", "'nan'"},
    {"ln", "'log'"},
    {"len", "the dimension's name, the 'n' of 'x[n]'"},
    {"vectorize", "'ufunc f(x) : float32(float32) = ...'"},
    {"guvectorize", "'gufunc f(x[n]) -> y[n] : float32(float32) { ... }'"},
    {"jit", "'def f(x) { ... }'"},
    {"njit", "'def f(x) { ... }'"},
};

#define NO_PRINT "a kernel cannot print; make what you want to see a result"
#define NO_STOP                                                                                    \
    "a kernel cannot stop its caller; give 'x if c else nan' where c may not hold, or test "       \
    "before "                                                                                      \
    "the call"
#define NO_BARRIER "none is needed; what a statement writes, the next one reads"
#define NO_ATOMICS                                                                                 \
    "write 'h[k] += v' in a 'for' statement, whose iterations come one after the other"

static const struct {
    const char *name, *instead;
} statements[] = {
    {"pass", "a block may be empty, '{ }'"},
    {"print", NO_PRINT},
    {"printf", NO_PRINT},
    {"assert", NO_STOP},
    {"raise", NO_STOP},
    {"throw", NO_STOP},
    {"exit", NO_STOP},
    {"abort", NO_STOP},
    {"__syncthreads", NO_BARRIER},
    {"syncthreads", NO_BARRIER},
    {"__syncwarp", NO_BARRIER},
    {"__threadfence", NO_BARRIER},
    {"atomicAdd", NO_ATOMICS},
};

const char *foreign_statement(const char *name) {
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++)
        if (strcmp(name, statements[i].name) == 0)
            return statements[i].instead;
    return NULL;
}

const char *foreign_name(const char *name) {
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++)
        if (strcmp(name, spellings[i].name) == 0)
            return spellings[i].here;
    return NULL;
}

bool foreign_iterator(const char *name) {
    static const char *const names[] = {"range",    "arange", "prange",    "xrange",
                                        "reversed", "zip",    "enumerate", "ndindex"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}
