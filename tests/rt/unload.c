/* unload.c: dlclose leaves the libraries where they are: workers of the pool run in libufc, and
 * LLVM leaves functions of libufcc with the process. */
#include <dlfcn.h>
#include "../test.h"
#include "ufc.h"
#include "ufcc.h"

static void stays(const char *library) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        puts(dlerror());
    REQUIRE(handle && dlclose(handle) == 0);
    CHECK(dlopen(library, RTLD_NOW | RTLD_NOLOAD));
}

int main(void) {
    stays("libufc.so.0");
    stays("libufcc.so.0");
    return test_failures > 0;
}
