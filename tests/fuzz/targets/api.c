/* api.c: whatever sequence of calls a program makes, of what arguments: calls.c, whose dice are the
 * bytes of the input. */
#define FUZZER
#include "../calls.c"

/* NVIDIA's driver, where there is one, does not start beside AddressSanitizer, and loses memory at
 * each attempt. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libcuda.so";
}
