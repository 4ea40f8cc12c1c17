/* gpu_several.c: several GPUs share calls, gufuncs and methods on host arrays, with the bits of one
 * GPU; gufuncs that sum floats have the same bits on any number of GPUs.  Shards stay where
 * they are; a GPU that fails is named, and the others go on.  Where there is one GPU it is taken
 * twice.  On GPUs and on the fake driver, which has two. */
#include <pthread.h>
#include <string.h>

#include "../driver.h"
#include "../test.h"
#include "several.h"

enum { ROOM = 5 << 20, ROUNDS = 40, FAKE_ROUNDS = 3, RANK = 3 };

static ufc_context *host, *one, *two, *four;
static ufc_error err;
static char *memory[2], *out[4];
static uint64_t drawn;

static int64_t draw(int64_t n) {
    return (int64_t)(random_bits(21, drawn++) % (uint64_t)n);
}

static int64_t size_of(ufc_type t) {
    return ufc_dltype(t).bits / 8;
}

static void fill(char *to, ufc_type t) {
    for (int64_t i = 0; i < ROOM / size_of(t); i++) {
        int64_t v = (int64_t)(random_bits(5, (uint64_t)i) % 2001) - 1000;
        if (t == UFC_INT64)
            ((int64_t *)(void *)to)[i] = v;
        else if (t == UFC_FLOAT16) /* from -1 to 1 */
            ((uint16_t *)(void *)to)[i] = (uint16_t)((v & 1) << 15 | (0x3800 + v / 2));
        else
            ((float *)(void *)to)[i] = (float)v / 7;
    }
}

/* An array of a shape, in memory in C order or with its axes turned round. */
struct array {
    int64_t shape[RANK], strides[RANK];
    DLTensor t;
};

static void set(struct array *a, char *data, ufc_type type, int ndim, const int64_t *shape,
                bool turned) {
    int64_t stride = 1;
    a->t = ufc_host_array(data, ufc_dltype(type), ndim, a->shape);
    a->t.strides = a->strides;
    for (int i = 0; i < ndim; i++)
        a->shape[i] = shape[i];
    for (int i = 0; i < ndim; i++) {
        int axis = turned ? i : ndim - 1 - i;
        a->strides[axis] = stride;
        stride *= shape[axis];
    }
    REQUIRE(stride * size_of(type) <= ROOM);
}

static bool same(const struct array *a, int k, const char *what) {
    int64_t n = size_of(a->t.dtype.bits == 64 ? UFC_INT64 : UFC_FLOAT32);
    n = a->t.dtype.bits / 8;
    for (int i = 0; i < a->t.ndim; i++)
        n *= a->shape[i];
    if (memcmp(out[0], out[k], (size_t)n) == 0)
        return true;
    printf("%s, rank %d, %lld x %lld: context %d has other bits\n", what, a->t.ndim,
           (long long)a->shape[0], (long long)(a->t.ndim > 1 ? a->shape[1] : 1), k);
    test_failures++;
    return false;
}

/* Calls with the output in the memory of each context, the first of which is right. */
static void compare(const char *what, ufc_context *const *ctx, int n, const ufc_ufunc *f,
                    const ufc_arg *in, struct array *z, const int *axes) {
    ufc_keywords kw = {.axes = axes, .naxes = 1};
    for (int k = 0; k < n; k++) {
        z->t.data = out[k];
        memset(out[k], 0x55, ROOM);
        ufc_status status = axes ? ufc_reduce(ctx[k], NULL, f, in[0], ufc_into(&z->t), &kw, &err)
                                 : ufc_call(ctx[k], NULL, f, in, &(ufc_out){&z->t, NULL}, &err);
        if (status != UFC_OK)
            printf("%s: %s\n", what, err.message);
        REQUIRE(status == UFC_OK);
        if (k > 0)
            same(z, k, what);
    }
}

static void draw_shape(int *ndim, int64_t *shape, ufc_type t) {
    int64_t rest = ROOM / size_of(t);
    *ndim = 1 + (int)draw(RANK);
    for (int i = 0; i < *ndim; i++) {
        int64_t most = rest < 3000 || i == *ndim - 1 ? rest : 3000;
        shape[i] = i == *ndim - 1 ? 1 + draw(most) : 1 + draw(most / 4 + 1);
        rest /= shape[i];
    }
    for (int i = 0; i < *ndim; i++) {
        int64_t j = draw(*ndim), keep = shape[i];
        shape[i] = shape[j];
        shape[j] = keep;
    }
}

static void one_round(void) {
    ufc_context *const all[] = {host, one, two, four};
    static struct array x, y, z;
    int ndim, axis;
    int64_t shape[RANK];
    ufc_type t = draw(2) ? UFC_INT64 : UFC_FLOAT32;
    fill(memory[0], t);
    fill(memory[1], t);
    draw_shape(&ndim, shape, t);
    set(&x, memory[0], t, ndim, shape, draw(2));
    set(&z, NULL, t, ndim, shape, draw(2));
    ufc_arg in[] = {ufc_array(&x.t), ufc_int(draw(9))};
    if (draw(2)) {
        if (draw(2))
            shape[draw(ndim)] = 1;
        set(&y, memory[1] + size_of(t) * draw(2), t, ndim, shape, draw(2));
        if (y.t.data == memory[1])
            in[1] = ufc_array(&y.t);
    }
    compare("mix", all, 4, &several_mix_ufunc, in, &z, NULL);
    axis = (int)draw(ndim);
    int64_t kept[RANK];
    for (int i = 0, n = 0; i < ndim; i++)
        if (i != axis)
            kept[n++] = x.shape[i];
    set(&z, NULL, t, ndim - 1, kept, false);
    compare("most", all, 4, &several_most_ufunc, in, &z, &axis);
    if (t == UFC_INT64)
        compare("add", all, 4, &several_add_ufunc, in, &z, &axis);
    else
        compare("add of floats", &all[1], 3, &several_add_ufunc, in, &z, &axis);
    if (ndim < 2)
        return;
    int64_t turned[RANK];
    memcpy(turned, x.shape, sizeof turned);
    turned[ndim - 2] = x.shape[ndim - 1];
    turned[ndim - 1] = x.shape[ndim - 2];
    set(&z, NULL, t, ndim, turned, false);
    compare("turn", all, 4, &several_turn_ufunc, in, &z, NULL);
    set(&z, NULL, t, ndim - 1, x.shape, false);
    in[1] = in[0];
    if (t == UFC_INT64)
        compare("inner", all, 4, &several_inner_ufunc, in, &z, NULL);
    else
        compare("length", &all[2], 2, &several_length_ufunc, in, &z, NULL);
}

/* A sum of halves, in float32 and rounded once, along all of an array, and with a mask. */
static void sums_of_halves(void) {
    ufc_context *const several[] = {one, two, four};
    static struct array x, where, z;
    int64_t n = 2 << 20, none = 0;
    fill(memory[0], UFC_FLOAT16);
    for (int64_t i = 0; i < n; i++)
        memory[1][i] = (char)(i / (n / 8) % 2);
    set(&x, memory[0], UFC_FLOAT16, 1, &n, false);
    set(&where, memory[1], UFC_BOOL, 1, &n, false);
    set(&z, NULL, UFC_FLOAT16, 0, &none, false);
    for (int masked = 0; masked < 2; masked++) {
        ufc_arg initial = ufc_int(3);
        ufc_keywords kw = {
            .all_axes = true, .where = masked ? &where.t : NULL, .initial = masked ? &initial : 0};
        for (int k = 0; k < 3; k++) {
            z.t.data = out[k];
            CHECK(ufc_reduce(several[k], NULL, &several_add_ufunc, ufc_array(&x.t), ufc_into(&z.t),
                             &kw, &err) == UFC_OK);
        }
        CHECK(memcmp(out[0], out[1], 2) == 0 && memcmp(out[0], out[2], 2) == 0);
        ufc_plan_description d;
        CHECK(ufc_explain_reduce(two, NULL, &several_add_ufunc, ufc_array(&x.t), ufc_into(&z.t),
                                 &kw, &d, &err) == UFC_OK);
        CHECK(strstr(d.parts, "along axis 0, by 2 GPUs: 3, 3") || !masked);
        CHECK(strstr(d.parts, "along axis 0, by 2 GPUs: 2, 2") || masked);
        CHECK(d.passes[0] != '\0');
    }
}

/* What is small, overlaps or is on a GPU stays whole. */
static void what_stays_whole(void) {
    static struct array x, z;
    int64_t n = 1000, large = 1 << 20;
    ufc_plan_description d;
    DLManagedTensorVersioned *there = NULL, *made = NULL;
    fill(memory[0], UFC_FLOAT32);
    for (int i = 0; i < 3; i++) {
        set(&x, memory[0], UFC_FLOAT32, 1, i ? &large : &n, false);
        set(&z, memory[0] + (i == 1 ? 4 : 0), UFC_FLOAT32, 1, i ? &large : &n, false);
        ufc_arg in[] = {ufc_array(&x.t), ufc_int(1)};
        CHECK(ufc_explain(two, NULL, &several_mix_ufunc, in, &(ufc_out){&z.t, NULL}, NULL, &d,
                          &err) == UFC_OK);
        CHECK((*d.parts != '\0') == (i == 2)); /* in place is no obstacle */
    }
    CHECK(ufc_to_device(ufc_context_gpu(two, 1), NULL, &x.t, &there, &err) == UFC_OK);
    ufc_arg in[] = {ufc_array(&there->dl_tensor), ufc_int(1)};
    CHECK(ufc_call(two, NULL, &several_mix_ufunc, in, &(ufc_out){NULL, &made}, &err) == UFC_OK);
    CHECK(made && made->dl_tensor.device.device_id == there->dl_tensor.device.device_id);
    ufc_free(there);
    ufc_free(made);
}

static void shards(void) {
    static struct array x;
    int64_t n = 100000;
    int gpus = ufc_context_gpus(two);
    DLManagedTensorVersioned *in[2] = {NULL}, *made[2] = {NULL}, *back = NULL;
    ufc_arg args[4];
    fill(memory[0], UFC_FLOAT32);
    CHECK(gpus == 2 && !ufc_context_gpu(two, 2) && !ufc_context_gpu(two, -1));
    CHECK(ufc_context_gpus(one) == 0 && !ufc_context_gpu(one, 0));
    for (int i = 0; i < gpus; i++) {
        set(&x, memory[0] + 4 * n * i, UFC_FLOAT32, 1, &n, false);
        REQUIRE(ufc_to_device(ufc_context_gpu(two, i), NULL, &x.t, &in[i], &err) == UFC_OK);
        args[2 * i] = ufc_array(&in[i]->dl_tensor);
        args[2 * i + 1] = ufc_float(i + 1);
    }
    ufc_out results[] = {ufc_new(&made[0]), ufc_new(&made[1])};
    REQUIRE(ufc_call_shards(two, NULL, &several_mix_ufunc, args, results, NULL, &err) == UFC_OK);
    CHECK(ufc_synchronize(two, NULL, &err) == UFC_OK);
    for (int i = 0; i < gpus; i++) {
        CHECK(made[i]->dl_tensor.device.device_id == in[i]->dl_tensor.device.device_id);
        REQUIRE(ufc_to_host(NULL, NULL, &made[i]->dl_tensor, &back, &err) == UFC_OK);
        set(&x, memory[0] + 4 * n * i, UFC_FLOAT32, 1, &n, false);
        ufc_arg host_args[] = {ufc_array(&x.t), ufc_float(i + 1)};
        set(&x, memory[0] + 4 * n * i, UFC_FLOAT32, 1, &n, false);
        static struct array z;
        set(&z, out[0], UFC_FLOAT32, 1, &n, false);
        CHECK(ufc_call(host, NULL, &several_mix_ufunc, host_args, &(ufc_out){&z.t, NULL}, &err) ==
              UFC_OK);
        CHECK(memcmp(back->dl_tensor.data, out[0], (size_t)(4 * n)) == 0);
        ufc_free(back);
        ufc_free(made[i]);
    }
    /* One that fails is named; the other has its result. */
    args[2] = ufc_array(NULL);
    CHECK(ufc_call_shards(two, NULL, &several_mix_ufunc, args, results, NULL, &err) == UFC_EINVAL);
    CHECK(strstr(err.message, "shard 1") != NULL && made[0] && !made[1]);
    ufc_free(made[0]);
    CHECK(ufc_call_shards(one, NULL, &several_mix_ufunc, args, results, NULL, &err) == UFC_EINVAL);
    for (int i = 0; i < gpus; i++)
        ufc_free(in[i]);
}

static void *call_often(void *arg) {
    struct array x, z;
    int64_t n = 300000;
    ufc_error why;
    for (int i = 0; i < 3; i++) {
        set(&x, memory[0], UFC_FLOAT32, 1, &n, false);
        set(&z, arg, UFC_FLOAT32, 1, &n, false);
        ufc_arg in[] = {ufc_array(&x.t), ufc_int(2)};
        CHECK(ufc_call(two, NULL, &several_mix_ufunc, in, &(ufc_out){&z.t, NULL}, &why) == UFC_OK);
    }
    return NULL;
}

static void threads_share_a_context(void) {
    pthread_t thread[3];
    for (int i = 0; i < 3; i++)
        REQUIRE(pthread_create(&thread[i], NULL, call_often, out[i + 1]) == 0);
    call_often(out[0]);
    for (int i = 0; i < 3; i++) {
        pthread_join(thread[i], NULL);
        CHECK(memcmp(out[0], out[i + 1], 4 * 300000) == 0);
    }
}

static bool (*fail)(unsigned, int, bool); /* of the fake driver */
static unsigned (*live)(void);

/* Whatever call of the driver fails, once or for good, the call fails and names a GPU, or does not
 * notice; the next is right, and nothing is left. */
static void driver_fails(void) {
    static struct array x, z;
    int64_t n = 1 << 17;
    fill(memory[0], UFC_INT64);
    set(&x, memory[0], UFC_INT64, 1, &n, false);
    ufc_arg in[] = {ufc_array(&x.t), ufc_int(2)};
    set(&z, out[0], UFC_INT64, 1, &n, false);
    REQUIRE(ufc_call(two, NULL, &several_mix_ufunc, in, &(ufc_out){&z.t, NULL}, &err) == UFC_OK);
    unsigned before = live(), failed = 0;
    set(&z, out[1], UFC_INT64, 1, &n, false);
    for (int all_after = 0; all_after < 2; all_after++)
        for (unsigned call = 1, hit = 1; hit; call += call < 20 ? 1 : 5) {
            fail(call, 2, all_after); /* out of memory */
            ufc_status status =
                ufc_call(two, NULL, &several_mix_ufunc, in, &(ufc_out){&z.t, NULL}, &err);
            hit = fail(0, 0, false);
            failed += status != UFC_OK;
            CHECK(status == UFC_OK || strstr(err.message, "GPU "));
            status = ufc_call(two, NULL, &several_mix_ufunc, in, &(ufc_out){&z.t, NULL}, &err);
            CHECK(status == UFC_OK && memcmp(out[0], out[1], (size_t)n * 8) == 0);
        }
    printf("%u calls failed\n", failed);
    CHECK(failed > 10);
    ufc_context_free(two);
    two = NULL;
    CHECK(live() <= before);
}

int main(void) {
    setenv("FAKECUDA_DEVICES", "2", 1);
    const ufc_ufunc *const known[] = {&several_mix_ufunc,   &several_add_ufunc,
                                      &several_most_ufunc,  &several_turn_ufunc,
                                      &several_inner_ufunc, &several_length_ufunc};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        make_known(known[i]);
    if (ufc_context_new(&one, "cuda", 0, &err) != UFC_OK) {
        puts(err.message);
        return SKIPPED;
    }
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    *(void **)&fail = driver ? dlsym(driver, "fakecuda_fail") : NULL;
    *(void **)&live = driver ? dlsym(driver, "fakecuda_live") : NULL;
    bool several = ufc_device_count(NULL) > 1;
    REQUIRE(ufc_context_new(&host, "cpu", 0, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&two, several ? "cuda:all" : "cuda:0,0", 8, &err) == UFC_OK ||
            !puts(err.message));
    if (ufc_context_gpus(two) > 2) {
        ufc_context_free(two);
        REQUIRE(ufc_context_new(&two, "cuda:0,1", 8, &err) == UFC_OK);
    }
    REQUIRE(ufc_context_new(&four, several ? "cuda:1,0,1" : "cuda:0,0,0", 3, &err) == UFC_OK);
    ufc_context *none;
    CHECK(ufc_context_new(&none, "cuda:0,", 0, &err) == UFC_EINVAL);
    CHECK(ufc_context_new(&none, "cuda:0,70", 0, &err) == UFC_EDEVICE);
    for (int k = 0; k < 4; k++)
        REQUIRE((out[k] = malloc(ROOM)) && (k > 1 || (memory[k] = malloc(ROOM + 16))));
    for (int i = 0; i < (fail ? FAKE_ROUNDS : ROUNDS) && test_failures == 0; i++)
        one_round();
    sums_of_halves();
    what_stays_whole();
    shards();
    threads_share_a_context();
    if (fail)
        driver_fails();
    ufc_context_free(host);
    ufc_context_free(one);
    ufc_context_free(two);
    ufc_context_free(four);
    for (int k = 0; k < 4; k++) {
        free(out[k]);
        free(k < 2 ? memory[k] : NULL);
    }
    return test_failures > 0;
}
