/* gpu_copies.c: ufc_copy between views of any strides, on the host and on a GPU, against a loop
 * over the elements.  On a GPU and on the fake driver. */
#include <string.h>
#include "../test.h"
#include "ufc.h"

enum { BYTES = 1 << 14, MAX_NDIM = 9, ROUNDS = 4000 };

/* Elements in a buffer. */
struct view {
    ufc_type type;
    int ndim;
    int64_t size, offset, shape[MAX_NDIM], stride[MAX_NDIM]; /* offset and strides in elements */
};

static uint64_t drawn;
static ufc_context *gpu;
static ufc_error err;

static int64_t draw(int64_t n) {
    return (int64_t)(random_bits(9, drawn++) % (uint64_t)n);
}

/* Random strides; false where they do not fit into a buffer. */
static bool draw_strides(struct view *v) {
    int64_t low = 0, high = 0;
    for (int i = 0; i < v->ndim; i++) {
        v->stride[i] = draw(41) - 20;
        if (draw(3) == 0)
            v->stride[i] *= 16;
        int64_t reach = (v->shape[i] - 1) * v->stride[i];
        *(reach < 0 ? &low : &high) += reach;
    }
    v->offset = -low;
    return high - low < BYTES / v->size;
}

/* The strides of an order of the axes, with or without a gap between rows. */
static void dense_strides(struct view *v) {
    int order[MAX_NDIM];
    for (int i = 0; i < v->ndim; i++) {
        int at = (int)draw(i + 1);
        order[i] = order[at];
        order[at] = i;
    }
    int64_t stride = 1, gap = draw(2) * 16;
    for (int i = 0; i < v->ndim; i++) {
        v->stride[order[i]] = stride;
        stride *= v->shape[order[i]];
        if (i == 0)
            stride += gap;
    }
    v->offset = draw(2) * 16;
}

static void draw_view(struct view *v) {
    while (draw(2) && draw_strides(v))
        return;
    dense_strides(v);
}

static DLTensor tensor(struct view *v, DLTensor *buffer) {
    return (DLTensor){buffer->data,
                      buffer->device,
                      v->ndim,
                      ufc_dltype(v->type),
                      v->shape,
                      v->stride,
                      (uint64_t)(v->offset * v->size)};
}

/* The byte at which element i is. */
static int64_t place(const struct view *v, int64_t i) {
    int64_t at = v->offset;
    for (int axis = v->ndim - 1; axis >= 0; axis--) {
        at += i % v->shape[axis] * v->stride[axis];
        i /= v->shape[axis];
    }
    return at * v->size;
}

static int64_t elements(const struct view *v) {
    int64_t n = 1;
    for (int i = 0; i < v->ndim; i++)
        n *= v->shape[i];
    return n;
}

static bool fits(const struct view *v) {
    for (int64_t i = 0, n = elements(v); i < n; i++)
        if (place(v, i) < 0 || place(v, i) + v->size > BYTES)
            return false;
    return true;
}

/* Do two elements share memory? */
static bool overlaps(const struct view *v) {
    static char taken[BYTES];
    memset(taken, 0, sizeof taken);
    for (int64_t i = 0, n = elements(v); i < n; i++)
        if (taken[place(v, i)]++)
            return true;
    return false;
}

/* Two views of one shape and type. */
static void draw_pair(struct view v[2]) {
    do {
        v[0].type = (ufc_type)draw(UFC_COMPLEX128 + 1);
        v[0].size = ufc_dltype(v[0].type).bits / 8;
        v[0].ndim = (int)draw(MAX_NDIM + 1);
        for (int i = 0; i < v[0].ndim; i++)
            v[0].shape[i] = 1 + draw(v[0].ndim < 4 ? 9 : 3);
        v[1] = v[0];
        draw_view(&v[0]);
        draw_view(&v[1]);
    } while (!fits(&v[0]) || !fits(&v[1]) || overlaps(&v[1]));
}

static DLManagedTensorVersioned *new_buffer(ufc_place place) {
    DLManagedTensorVersioned *array;
    REQUIRE(ufc_empty(gpu, UFC_UINT8, 1, (int64_t[]){BYTES}, place, &array, &err) == UFC_OK);
    return array;
}

/* From a view of one buffer to one of another, or of the same. */
static void copy(DLTensor *from, DLTensor *to) {
    static char before[2][BYTES], wanted[BYTES], got[BYTES];
    int64_t bytes[] = {BYTES};
    DLTensor host = ufc_host_array(before[0], ufc_dltype(UFC_UINT8), 1, bytes);
    struct view v[2];
    draw_pair(v);
    for (int i = 0; i < 2 * BYTES; i++)
        before[i / BYTES][i % BYTES] = (char)draw(256);
    CHECK(ufc_copy(gpu, NULL, &host, from, &err) == UFC_OK);
    host.data = before[1];
    if (from != to)
        CHECK(ufc_copy(gpu, NULL, &host, to, &err) == UFC_OK);
    memcpy(wanted, before[from != to], BYTES);
    for (int64_t i = 0, n = elements(&v[0]); i < n; i++)
        memcpy(wanted + place(&v[1], i), before[0] + place(&v[0], i), (size_t)v[0].size);

    DLTensor src = tensor(&v[0], from), dst = tensor(&v[1], to);
    ufc_status status = ufc_copy(gpu, NULL, &src, &dst, &err);
    host.data = got;
    CHECK(ufc_copy(gpu, NULL, to, &host, &err) == UFC_OK);
    bool same = memcmp(got, wanted, BYTES) == 0;
    CHECK(status == UFC_OK && same);
    if (!same)
        printf("of %s, %d axes, %s\n", ufc_type_name(ufc_dltype(v[0].type)), v[0].ndim,
               from == to ? "in place" : "to another buffer");
    if (status != UFC_OK)
        printf("%s\n", err.message);
}

int main(void) {
    if (ufc_context_new(&gpu, "cuda", 0, &err) != UFC_OK) {
        printf("%s\n", err.message);
        return SKIPPED;
    }
    DLManagedTensorVersioned *buffer[4];
    for (int i = 0; i < 4; i++)
        buffer[i] = new_buffer(i < 2 ? UFC_HOST : UFC_DEVICE);
    for (int i = 0; i < ROUNDS && !test_failures; i++)
        copy(&buffer[i % 4]->dl_tensor, &buffer[i / 4 % 4]->dl_tensor);
    for (int i = 0; i < 4; i++)
        ufc_free(buffer[i]);
    ufc_context_free(gpu);
    return test_failures > 0;
}
