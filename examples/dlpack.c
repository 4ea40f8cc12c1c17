/* dlpack.c: arrays of another library through DLPack, both ways: its array, of either version of
 * DLPack, is computed on where it lies; ufc's result becomes an array of an older library, which
 * waits for it on a stream of its own.  Nothing is copied.
 * ufc build increment.uf && cc dlpack.c increment.o -lufc -lm && ./a.out */
#include <stdio.h>
#include <stdlib.h>
#include "increment.h"

enum { ROWS = 3, COLUMNS = 4, N = ROWS * COLUMNS };

static ufc_error err;

static void must(ufc_status status) {
    if (status != UFC_OK) {
        fprintf(stderr, "dlpack: %s\n", err.message);
        exit(1);
    }
}

/* ---- a library that exports arrays, as __dlpack__ of Python's puts them into capsules */

static int exported; /* arrays that nobody has given back */

static float numbers[N];
static int64_t shape[] = {ROWS, COLUMNS}, turned[] = {1, ROWS};

static DLTensor their_tensor(void) {
    DLTensor t = ufc_host_array(numbers, ufc_dltype(UFC_FLOAT32), 2, shape);
    t.strides = turned; /* Fortran order */
    return t;
}

static void delete_versioned(DLManagedTensorVersioned *self) {
    exported--;
    free(self);
}

static void delete_older(DLManagedTensor *self) {
    exported--;
    free(self);
}

static DLManagedTensorVersioned *export_versioned(void) {
    DLManagedTensorVersioned *m = calloc(1, sizeof *m);
    if (!m)
        exit(1);
    exported++;
    m->version.major = 1;
    m->deleter = delete_versioned;
    m->dl_tensor = their_tensor();
    return m;
}

static DLManagedTensor *export_older(void) {
    DLManagedTensor *m = calloc(1, sizeof *m);
    if (!m)
        exit(1);
    exported++;
    m->deleter = delete_older;
    m->dl_tensor = their_tensor();
    return m;
}

/* ---- what ufc computes on them */

/* Of a version that is not known, and of an array that must not be written, nothing but the
 * version, the flags and the deleter is to be used. */
static int is_writable(const DLManagedTensorVersioned *m) {
    return m->version.major == 1 && !(m->flags & DLPACK_FLAG_BITMASK_READ_ONLY);
}

static void increment(const DLTensor *t) {
    must(increment_increment_a_2D_array(NULL, NULL, ufc_array(t), ufc_into(t), &err));
}

/* ---- ufc's array as one of older versions, for libraries that know these alone */

static void delete_wrapped(DLManagedTensor *self) {
    ufc_free(self->manager_ctx);
    free(self);
}

static DLManagedTensor *wrap(DLManagedTensorVersioned *array) {
    DLManagedTensor *m = calloc(1, sizeof *m);
    if (!m)
        exit(1);
    m->dl_tensor = array->dl_tensor;
    m->manager_ctx = array;
    m->deleter = delete_wrapped;
    return m;
}

int main(void) {
    for (int i = 0; i < N; i++)
        numbers[i] = (float)i;

    DLManagedTensorVersioned *versioned = export_versioned();
    if (is_writable(versioned))
        increment(&versioned->dl_tensor);
    ufc_free(versioned); /* calls its deleter */
    DLManagedTensor *older = export_older();
    increment(&older->dl_tensor);

    /* A result, on the GPU if there is one.  Who takes it says on which stream he will use it, as
     * __dlpack__(stream=...) asks; that waits for the result without the host waiting. */
    void *ours, *theirs;
    ufc_event *ready;
    DLManagedTensorVersioned *there, *result, *back;
    must(ufc_stream_new(&ours, NULL, &err));
    must(ufc_stream_new(&theirs, NULL, &err));
    must(ufc_event_new(&ready, NULL, &err));
    must(ufc_to_device(NULL, ours, &older->dl_tensor, &there, &err));
    older->deleter(older);
    must(increment_increment_a_2D_array(NULL, ours, ufc_array(&there->dl_tensor), ufc_new(&result),
                                        &err));
    must(ufc_event_record(ready, ours, &err));
    must(ufc_event_wait(ready, theirs, &err));
    DLManagedTensor *wrapped = wrap(result);

    must(ufc_to_host(NULL, theirs, &wrapped->dl_tensor, &back, &err));
    const float *r = back->dl_tensor.data;
    printf("%g %g ... %g, %d arrays are left\n", r[0], r[1], r[N - 1], exported);

    wrapped->deleter(wrapped);
    ufc_free(back);
    ufc_free(there);
    ufc_event_free(ready);
    ufc_stream_free(NULL, theirs);
    ufc_stream_free(NULL, ours);
    return 0;
}
