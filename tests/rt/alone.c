/* alone.c: of a gufunc's PTX in an object the driver gets the kernel that is launched, alone, once.
 * On the fake driver, and for ptxas where it is there. */
#include <string.h>
#include <unistd.h>
#include "../fakecuda.h"
#include "../test.h"
#include "alone.h"

enum { MOST = 1 << 16 };

static ufc_context *gpu;
static ufc_error err;

static void call(int64_t calls, int64_t n) {
    static double x[MOST], y[MOST];
    int64_t shape[] = {calls, n};
    DLTensor in = ufc_host_array(x, ufc_dltype(UFC_FLOAT64), 2, shape), out = in;
    for (int i = 0; i < MOST; i++)
        x[i] = 1;
    out.data = y;
    out.ndim = 1;
    CHECK(alone_total(gpu, NULL, ufc_array(&in), ufc_into(&out), &err) == UFC_OK);
    CHECK(y[0] > (double)n && y[calls - 1] == y[0]);
}

static int count(const char *text, const char *part) {
    int n = 0;
    for (; (text = strstr(text, part)) != NULL; text++)
        n++;
    return n;
}

/* The name of the only kernel of the module that was loaded last. */
static void kernel(char *name, size_t size) {
    static const char head[] = ".visible .entry ";
    const char *text = fakecuda_image(), *at = strstr(text, head);
    REQUIRE(at != NULL);
    CHECK(count(text, ".entry") == 1 && count(text, "\n}\n") >= 1);
    at += sizeof head - 1;
    snprintf(name, size, "%.*s", (int)strcspn(at, "("), at);
}

/* ptxas takes the text of that module. */
static void assemble(void) {
    char path[] = "/tmp/ufc-alone-XXXXXX";
    int descriptor = mkstemp(path);
    FILE *file = fdopen(descriptor, "w");
    REQUIRE(file && fputs(fakecuda_image(), file) >= 0 && fclose(file) == 0);
    setenv("PTX", path, 1);
    CHECK(system("ptxas=$(\"$UFC\" doctor | sed -n 's/^ptxas:* *\\([^ ]*\\).*/\\1/p'); "
                 "[ -x \"$ptxas\" ] || ptxas=$(command -v ptxas) || exit 0; "
                 "\"$ptxas\" -arch=sm_90 -o /dev/null \"$PTX\"") == 0);
    remove(path);
}

int main(void) {
    char first[200], second[200];
    fakecuda_register(&alone_total_ufunc);
    REQUIRE(ufc_context_new(&gpu, "cuda", 0, &err) == UFC_OK);
    call(MOST / 4, 4);
    kernel(first, sizeof first);
    assemble();
    unsigned loads = fakecuda_calls("cuModuleLoadDataEx");
    call(MOST / 4, 4);
    CHECK(fakecuda_calls("cuModuleLoadDataEx") == loads);
    call(1, MOST);
    kernel(second, sizeof second);
    assemble();
    CHECK(strcmp(first, second) != 0);
    loads = fakecuda_calls("cuModuleLoadDataEx");
    call(1, MOST);
    call(MOST / 4, 4);
    CHECK(fakecuda_calls("cuModuleLoadDataEx") == loads);
    ufc_context_free(gpu);
    CHECK(fakecuda_live() == 0);
    return test_failures > 0;
}
