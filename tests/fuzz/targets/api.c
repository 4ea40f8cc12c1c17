/* api.c: whatever sequence of calls a program makes, of what arguments: calls.c, whose dice are the
 * bytes of the input. */
#define FUZZER
#include "../calls.c"
