/* winner_fast.c: which loops --fast-math lets find winners. */
#include "../test.h"
#include "image_abi.h"
#include "winner_fast.h"

int main(void) {
    CHECK(winner_fast_computed_ufunc.overloads[0].other == NULL);
    CHECK(winner_fast_given_ufunc.overloads[0].other != NULL);
    return test_failures > 0;
}
