/* environment.c: a variable that says nothing sensible is an error of what makes a context, with
 * its name, its value and what it may be. */
#include <string.h>
#include "../test.h"
#include "kernels.h"
#include "ufc.h"

static ufc_error err;

static ufc_status open_context(const char *device, int threads) {
    ufc_context *ctx = NULL;
    ufc_status status = ufc_context_new(&ctx, device, threads, &err);
    CHECK((status == UFC_OK) == (ctx != NULL));
    ufc_context_free(ctx);
    return status;
}

static ufc_status call_by_default(void) {
    double y;
    DLTensor out = ufc_host_array(&y, ufc_dltype(UFC_FLOAT64), 0, NULL);
    return kernels_add(NULL, NULL, ufc_float(1), ufc_float(2), ufc_into(&out), &err);
}

static void refused(const char *name, const char *value, const char *may_be) {
    char wanted[200];
    snprintf(wanted, sizeof wanted, "the environment variable %s is '%s': it may be %s", name,
             value, may_be);
    setenv(name, value, 1);
    static const char *const devices[] = {"cpu", "sim", "auto"};
    for (int i = 0; i < 6; i++) {
        *err.message = 0;
        CHECK(open_context(devices[i / 2], i % 2) == UFC_EINVAL);
        CHECK(strcmp(err.message, wanted) == 0 || !printf("%s\n", err.message));
    }
    CHECK(call_by_default() == UFC_EINVAL && strstr(err.message, wanted));
    unsetenv(name);
}

static void taken(const char *name, const char *value, int threads) {
    ufc_context *ctx;
    ufc_properties p;
    setenv(name, value, 1);
    REQUIRE(ufc_context_new(&ctx, "cpu", 0, &err) == UFC_OK);
    CHECK(ufc_context_properties(ctx, &p, &err) == UFC_OK && (!threads || p.threads == threads));
    ufc_context_free(ctx);
    unsetenv(name);
}

int main(void) {
    static const char *const levels[] = {"v9", "v", "V2", "x86-64-v3", "2", " v2", "v22"};
    static const char *const counts[] = {"abc", "0", "-1", "4x", " 4", "+4", "1.5", "four"};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        refused("UFC_LEVEL", levels[i], "v2, v3 or v4");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        refused("UFC_NUM_THREADS", counts[i], "a whole number from 1 on");
    taken("UFC_NUM_THREADS", "3", 3);
    taken("UFC_NUM_THREADS", "1000000000000000000000", 1024);
    taken("UFC_NUM_THREADS", "", 0);
    taken("UFC_LEVEL", "", 0);
    taken("UFC_LEVEL", "v4", 0);
    CHECK(call_by_default() == UFC_OK);
    return test_failures > 0;
}
