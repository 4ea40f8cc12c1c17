/* source.c: whatever text is compiled, from scanning to plans, there is a program or an error. */
#define FUZZER
#include "../compile.c"
