/* plan_arrays.c: a plan of many short calls, whose arrays registers hold where those that are
 * passed are aligned, is executed on memory that is aligned otherwise, too. */
#include "../test.h"
#include "plan_arrays.h"
#include "ufc.h"

enum { CALLS = 4199, CORE = 2, ROOM = CALLS * CORE + 8 };

static _Alignas(256) float x[ROOM], y[ROOM];
static float w[CORE] = {2, 3};

static void fill(void) {
    for (int i = 0; i < ROOM; i++) {
        x[i] = (float)i;
        y[i] = 0;
    }
}

/* Are the results from y[at] on those of x[at] on? */
static void check(int at) {
    for (int i = 0; i < CALLS; i++) {
        const float *in = x + at + CORE * i, *out = y + at + CORE * i;
        float first = in[1] * 3, last = in[0] * 2;
        if (out[0] != first + last || out[1] != last + last) {
            printf("from element %d: call %d gives %g, %g\n", at, i, (double)out[0],
                   (double)out[1]);
            test_failures++;
            return;
        }
    }
}

int main(void) {
    static const int places[] = {0, 1, 2, 4};
    ufc_context *sim;
    ufc_error err;
    REQUIRE(ufc_context_new(&sim, "sim", 1, &err) == UFC_OK);
    for (int made = 0; made < 4; made++) {
        int64_t shape[] = {CALLS, CORE};
        DLTensor a = ufc_host_array(x + places[made], ufc_dltype(UFC_FLOAT32), 2, shape), c = a;
        DLTensor b = ufc_host_array(w, ufc_dltype(UFC_FLOAT32), 1, shape + 1);
        c.data = y + places[made];
        ufc_arg in[] = {ufc_array(&a), ufc_array(&b)};
        ufc_out out = ufc_into(&c);
        ufc_plan *plan;
        REQUIRE(ufc_plan_new(&plan, sim, NULL, &plan_arrays_turned_ufunc, in, &out, NULL, &err) ==
                UFC_OK);
        for (int run = 0; run < 4; run++) {
            int at = places[run];
            fill();
            if (ufc_execute(plan, NULL, (void *[]){x + at, w, y + at}, &err) != UFC_OK) {
                printf("from element %d: %s\n", at, err.message);
                test_failures++;
            } else
                check(at);
        }
        ufc_plan_free(plan);
    }
    ufc_context_free(sim);
    return test_failures != 0;
}
