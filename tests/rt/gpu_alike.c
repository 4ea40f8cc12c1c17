/* gpu_alike.c: calls that are like earlier ones, and calls that almost are: on arrays of few random
 * layouts, which overlap or are apart, the same bytes as on the host. */
#include <string.h>
#include "../driver.h"
#include "../test.h"
#include "alike.h"
#include "image_abi.h"
#include "ufc.h"

enum { BYTES = 1024, CALLS = 3000, MOST = 4 };

static ufc_context *gpu, *host;
static ufc_error err;
static DLManagedTensorVersioned *device;
static _Alignas(64) unsigned char memory[BYTES], got[BYTES];
static uint64_t drawn;

static unsigned draw(unsigned n) {
    return (unsigned)(random_bits(7, drawn++) % n);
}

static void copy(void *from, bool to_device) {
    DLTensor here = ufc_host_array(from, ufc_dltype(UFC_UINT8), 1, (int64_t[]){BYTES});
    DLTensor *there = &device->dl_tensor;
    REQUIRE(ufc_copy(gpu, NULL, to_device ? &here : there, to_device ? there : &here, &err) ==
            UFC_OK);
}

/* An array of either memory. */
struct layout {
    DLTensor tensor;
    int64_t shape[2], strides[2];
};

static void draw_layout(struct layout *l, ufc_type type) {
    static const int64_t sizes[][2] = {{4, 4}, {1, 4}, {4, 1}, {8, 3}};
    static const int64_t strides[][2] = {{4, 1}, {1, 4}, {-4, 1}, {0, 1}, {8, 2}, {0, 0}};
    const int64_t *shape = sizes[draw(8) ? 0 : draw(4)], *stride = strides[draw(4) ? 0 : draw(6)];
    memcpy(l->shape, shape, sizeof l->shape);
    memcpy(l->strides, stride, sizeof l->strides);
    unsigned at = 256 + 64 * draw(8) + (draw(4) ? 0 : 4 * draw(16));
    int last = draw(6) == 0;
    l->tensor = (DLTensor){.ndim = 2 - last,
                           .dtype = ufc_dltype(type),
                           .shape = l->shape + last,
                           .strides = draw(4) ? l->strides + last : NULL,
                           .byte_offset = type == UFC_FLOAT64 ? at / 8 * 8 : at};
}

static const DLTensor *in_memory(struct layout *l, bool on_device) {
    l->tensor.data = on_device ? device->dl_tensor.data : memory;
    l->tensor.device = on_device ? device->dl_tensor.device : (DLDevice){kDLCPU, 0};
    return &l->tensor;
}

/* Makes a result by ufc, now and then in C order, whatever was asked for, or less aligned. */
static ufc_status allocate(void *user, const DLTensor *prototype, DLManagedTensorVersioned **made,
                           ufc_error *why) {
    ufc_context *ctx = prototype->device.device_type == kDLCUDA ? gpu : host;
    ufc_place place = ctx == gpu ? UFC_DEVICE : UFC_HOST;
    int64_t bits = prototype->dtype.bits, n = 0;
    static const ufc_type types[] = {UFC_FLOAT32, UFC_INT32, UFC_FLOAT64};
    while (ufc_dltype(types[n]).code != prototype->dtype.code || ufc_dltype(types[n]).bits != bits)
        n++;
    ufc_status status =
        ufc_empty(ctx, types[n], prototype->ndim, prototype->shape, place, made, why);
    if (status == UFC_OK && *(unsigned *)user == 1 && prototype->ndim == 2)
        memcpy((*made)->dl_tensor.strides, prototype->strides, 2 * sizeof(int64_t));
    return status;
}

/* A call's arguments, of one function. */
struct arguments {
    const ufc_ufunc *ufunc;
    int nin, nout;
    struct layout layout[MOST];
    ufc_arg number;
    int numbered; /* which input is a number; -1: none */
    bool make;    /* the results are made */
    unsigned how; /* allocate does so; 2: ufc does */
    DLManagedTensorVersioned *made[2];
};

static void draw_arguments(struct arguments *a) {
    static const struct {
        const ufc_ufunc *ufunc;
        int nin, nout;
    } functions[] = {{&alike_add_ufunc, 2, 1},
                     {&alike_both_ufunc, 2, 2},
                     {&alike_running_ufunc, 1, 1},
                     {&alike_dot_ufunc, 2, 1}};
    unsigned f = draw(8) % 5 % 4;
    ufc_type type = f > 0 || draw(2) ? UFC_INT32 : draw(2) ? UFC_FLOAT32 : UFC_FLOAT64;
    *a = (struct arguments){.ufunc = functions[f].ufunc,
                            .nin = functions[f].nin,
                            .nout = functions[f].nout,
                            .numbered = f < 2 && draw(4) == 0 ? (int)draw(2) : -1,
                            .number = draw(2) ? ufc_int((int)draw(3) + 1) : ufc_bool(draw(2)),
                            .make = draw(2),
                            .how = draw(3)};
    for (int k = 0; k < MOST; k++)
        draw_layout(&a->layout[k], draw(20) ? type : UFC_INT32);
}

static ufc_status call(struct arguments *a, bool on_device) {
    ufc_arg in[2];
    ufc_out out[2];
    unsigned how = a->how;
    ufc_keywords kw = {.allocate = how < 2 ? allocate : NULL, .user = &how};
    for (int k = 0; k < a->nin; k++)
        in[k] = k == a->numbered ? a->number : ufc_array(in_memory(&a->layout[k], on_device));
    for (int k = 0; k < a->nout; k++)
        out[k] =
            a->make ? ufc_new(&a->made[k]) : ufc_into(in_memory(&a->layout[a->nin + k], on_device));
    return ufc_call_with(on_device ? (draw(2) ? gpu : NULL) : host, NULL, a->ufunc, in, out, &kw,
                         &err);
}

/* Are results that were made the same, and the layouts too where ufc makes them? */
static bool same_results(const struct arguments *a, const struct arguments *b) {
    bool same = true;
    for (int k = 0; k < a->nout && a->make; k++) {
        const DLTensor *t = &a->made[k]->dl_tensor;
        DLTensor *w = &b->made[k]->dl_tensor;
        DLManagedTensorVersioned *back;
        REQUIRE(ufc_to_host(gpu, NULL, t, &back, &err) == UFC_OK);
        const DLTensor *h = &back->dl_tensor;
        same = same && h->ndim == w->ndim && h->dtype.code == w->dtype.code;
        int64_t rows = w->ndim == 2 ? w->shape[0] : 1, size = w->dtype.bits / 8;
        int64_t columns = w->ndim ? w->shape[w->ndim - 1] : 1;
        for (int64_t i = 0; i < rows * columns && same; i++) {
            int64_t from = 0, to = 0, at[] = {i / columns, i % columns};
            for (int axis = 0; axis < w->ndim; axis++) {
                from += at[2 - w->ndim + axis] * h->strides[axis];
                to += at[2 - w->ndim + axis] * w->strides[axis];
                same = same && t->shape[axis] == w->shape[axis] &&
                       t->strides[axis] == w->strides[axis];
            }
            same = same && memcmp((char *)h->data + from * size, (char *)w->data + to * size,
                                  (size_t)size) == 0;
        }
        ufc_free(back);
    }
    return same;
}

static void free_made(struct arguments *a) {
    for (int k = 0; k < a->nout; k++)
        ufc_free(a->made[k]);
}

/* A program may be gone, and another one's function at the address of its own. */
static void at_one_address(void) {
    static ufc_ufunc place;
    int32_t x[] = {7, 8, 9}, y[3];
    DLTensor from = ufc_host_array(x, ufc_dltype(UFC_INT32), 1, (int64_t[]){3});
    DLTensor to = ufc_host_array(y, ufc_dltype(UFC_INT32), 1, (int64_t[]){3});
    DLManagedTensorVersioned *a, *b;
    REQUIRE(ufc_to_device(gpu, NULL, &from, &a, &err) == UFC_OK);
    for (int i = 0; i < 6; i++) {
        ufc_arg in[] = {ufc_array(&a->dl_tensor), ufc_int(2)};
        ufc_out out = ufc_new(&b);
        place = i % 4 < 2 ? alike_add_ufunc : alike_subtract_ufunc;
        REQUIRE(ufc_call(gpu, NULL, &place, in, &out, &err) == UFC_OK);
        REQUIRE(ufc_copy(gpu, NULL, &b->dl_tensor, &to, &err) == UFC_OK);
        CHECK(y[0] == (i % 4 < 2 ? 9 : 5) && y[2] == (i % 4 < 2 ? 11 : 7));
        ufc_free(b);
    }
    ufc_free(a);
}

int main(void) {
    int done = 0;
    make_known(&alike_subtract_ufunc);
    make_known(&alike_add_ufunc);
    make_known(&alike_both_ufunc);
    make_known(&alike_running_ufunc);
    make_known(&alike_dot_ufunc);
    if (ufc_context_new(&gpu, "cuda", 0, &err) != UFC_OK)
        return printf("%s\n", err.message), SKIPPED;
    REQUIRE(ufc_context_new(&host, "cpu", 1, &err) == UFC_OK);
    REQUIRE(ufc_empty(gpu, UFC_UINT8, 1, (int64_t[]){BYTES}, UFC_DEVICE, &device, &err) == UFC_OK);
    for (int i = 0; i < CALLS && test_failures < 5; i++) {
        struct arguments a;
        draw_arguments(&a);
        struct arguments b = a;
        for (int j = 0; j < BYTES / 4; j++) /* no NaN, whatever the type */
            ((uint32_t *)memory)[j] = draw(2000);
        copy(memory, true);
        uint64_t same_draws = drawn;
        ufc_status status = call(&a, true), wanted = (drawn = same_draws, call(&b, false));
        CHECK(status == wanted);
        copy(got, false);
        CHECK(memcmp(got, memory, BYTES) == 0);
        if (status == UFC_OK && wanted == UFC_OK)
            CHECK(same_results(&a, &b));
        if (test_failures)
            printf("call %d: %s\n", i, err.message);
        done += status == UFC_OK;
        free_made(&a);
        free_made(&b);
    }
    CHECK(done > CALLS / 2);
    at_one_address();
    ufc_free(device);
    ufc_context_free(gpu);
    ufc_context_free(host);
    return test_failures != 0;
}
