/* numpy: replays NumPy's validation sets of its functions on one device.
 *
 *     numpy SETS WIDER DEVICE
 *
 * SETS has a line a case, `sin f4 2 3f800000 3f576aa4`: function, type, tolerance in units in the
 * last place, input and result as bits.  WIDER has a line a function, type and device, `sin f8 gpu
 * 2`, whose documented tolerance is wider than NumPy's; host stands for all levels, gpu for sim
 * too.  77: the device is not here. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../compiler/ufcc.h"
#include "../test.h"
#include "num.h"

enum { MOST = 1024 };

struct set {
    char name[16];
    const struct format *f;
    int n;
    double tolerance[MOST];
    uint64_t in[MOST], want[MOST];
};

static const char *device;
static ufc_context *ctx;
static FILE *wider;

/* The documented tolerance where there is a wider one, else 0; every line must be of use. */
static double documented(const struct set *s) {
    char line[160], name[16], type[8], where[8];
    double ulp, found = 0;
    rewind(wider);
    while (fgets(line, sizeof line, wider))
        if (sscanf(line, "%15s %7s %7s %lf", name, type, where, &ulp) == 4 &&
            strcmp(name, s->name) == 0 && strcmp(type, s->f->brief) == 0 &&
            strcmp(where, *device == 'v' ? "host" : "gpu") == 0)
            found = ulp;
    return found;
}

/* Numbers between two of a format, as NumPy counts: NaNs are equal. */
static double apart(const struct format *f, uint64_t a, uint64_t b) {
    long double x = from_bits(f, a), y = from_bits(f, b);
    if (isnan(x) || isnan(y))
        return isnan(x) && isnan(y) ? 0 : HUGE_VAL;
    uint64_t sign = UINT64_C(1) << (f->bits - 1);
    int64_t i = a & sign ? -(int64_t)(a - sign) : (int64_t)a;
    int64_t j = b & sign ? -(int64_t)(b - sign) : (int64_t)b;
    return fabs((double)i - (double)j) < 0x1p53 ? (double)(i > j ? i - j : j - i) : HUGE_VAL;
}

static void replay(struct set *s) {
    char source[128];
    double in[MOST], out[MOST], worst = 0, beyond = 0, allowed = documented(s);
    int64_t shape[] = {s->n};
    ufc_error err;
    sprintf(source, "ufunc f(x) : %s(%s) = %s(x)\n", s->f->name, s->f->name, s->name);
    ufcc_program *program = compile(device, source, false);
    for (int i = 0; i < s->n; i++)
        encode(s->f, in, i, from_bits(s->f, s->in[i]));
    DLTensor x = ufc_host_array(in, ufc_dltype(s->f->type), 1, shape), y = x;
    y.data = out;
    ufc_arg args[] = {ufc_array(&x)};
    ufc_out outs[] = {ufc_into(&y)};
    REQUIRE(ufc_call(ctx, NULL, ufcc_function(program, "f"), args, outs, &err) == UFC_OK);
    for (int i = 0; i < s->n; i++) {
        uint64_t got = to_bits(s->f, decode(s->f, out, i));
        double d = apart(s->f, got, s->want[i]);
        double limit = s->tolerance[i] > allowed ? s->tolerance[i] : allowed;
        worst = fmax(worst, d);
        beyond = fmax(beyond, d - s->tolerance[i]);
        if (d > limit) {
            test_failures++;
            printf("%s %s at %llx is %llx, not %llx, %g of %g apart\n", s->name, s->f->brief,
                   (unsigned long long)s->in[i], (unsigned long long)got,
                   (unsigned long long)s->want[i], d, limit);
        }
    }
    printf("%s %s %s: %d cases, %g apart at most%s\n", s->name, s->f->brief, device, s->n, worst,
           beyond > 0 ? ", beyond NumPy's tolerance" : "");
    ufcc_free(program);
}

int main(int argc, char **argv) {
    if (argc != 4)
        return printf("usage: numpy SETS WIDER DEVICE\n"), 1;
    static struct set s;
    char line[128], name[16], type[8];
    const char *why = choose_device(device = argv[3]);
    if (why)
        return printf("%s: %s\n", device, why), SKIPPED;
    FILE *sets = fopen(argv[1], "r");
    wider = fopen(argv[2], "r");
    REQUIRE(sets && wider);
    ctx = open_device(device, 0);
    int total = 0;
    while (fgets(line, sizeof line, sets)) {
        double tolerance;
        unsigned long long in, want;
        if (*line == '#')
            continue;
        REQUIRE(sscanf(line, "%15s %7s %lf %llx %llx", name, type, &tolerance, &in, &want) == 5);
        if (strcmp(name, s.name) != 0 || format_named(type) != s.f || s.n == MOST) {
            if (s.n > 0)
                replay(&s);
            s.n = 0;
            strcpy(s.name, name);
            REQUIRE((s.f = format_named(type)) != NULL);
        }
        s.tolerance[s.n] = tolerance;
        s.in[s.n] = in;
        s.want[s.n++] = want;
        total++;
    }
    if (s.n > 0)
        replay(&s);
    REQUIRE(total > 0);
    ufc_context_free(ctx);
    fclose(sets);
    fclose(wider);
    return test_failures > 0;
}
