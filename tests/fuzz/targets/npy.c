/* npy.c: whatever a .npy file holds, reading it gives an array or an error that says why; the array
 * can be written, and has then the same bytes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ufc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int file_of(const void *data, size_t size) {
    int fd = memfd_create("npy", 0);
    if (fd < 0 || (size && write(fd, data, size) != (ssize_t)size) || lseek(fd, 0, SEEK_SET) != 0)
        abort();
    return fd;
}

static void check_same(const DLTensor *a, const DLTensor *b) {
    size_t bytes = a->dtype.bits / 8;
    if (a->ndim != b->ndim || memcmp(&a->dtype, &b->dtype, sizeof a->dtype) != 0)
        abort();
    bool c_order = true;
    int64_t stride = 1;
    for (int i = 0; i < a->ndim; i++) {
        if (a->shape[i] != b->shape[i])
            abort();
        if (a->shape[i] == 0) /* then others may be of any size */
            bytes = 0;
    }
    for (int i = a->ndim - 1; i >= 0 && bytes; i--) {
        c_order = c_order && (a->shape[i] == 1 || a->strides[i] == stride);
        stride *= a->shape[i];
        bytes *= (size_t)a->shape[i];
    }
    bool is_bool = a->dtype.code == kDLBool; /* any byte but 0 becomes 1 */
    if (c_order && !is_bool && bytes && memcmp(a->data, b->data, bytes) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    DLManagedTensorVersioned *array = NULL, *again = NULL;
    ufc_error err = {{0}};
    int fd = file_of(data, size);
    ufc_status status = ufc_npy_read_fd(fd, &array, &err);
    close(fd);
    if ((status == UFC_OK) != (array != NULL) || (status != UFC_OK && !*err.message))
        abort();
    if (!array)
        return 0;
    fd = file_of(NULL, 0);
    if (ufc_npy_write_fd(fd, &array->dl_tensor, &err) != UFC_OK || lseek(fd, 0, SEEK_SET) != 0 ||
        ufc_npy_read_fd(fd, &again, &err) != UFC_OK)
        abort();
    check_same(&array->dl_tensor, &again->dl_tensor);
    close(fd);
    ufc_free(array);
    ufc_free(again);
    return 0;
}
