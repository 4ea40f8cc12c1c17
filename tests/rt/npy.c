/* npy.c: .npy files: round trips, what NumPy may write, and files that are broken. */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include "../test.h"
#include "ufc.h"

static ufc_error err;
static char path[] = "/tmp/ufc-npy-XXXXXX";

/* Writes a file of the header's text, padded as NumPy does, and data. */
static void file(int version, const char *header, const void *data, size_t size) {
    FILE *f = fopen(path, "wb");
    REQUIRE(f);
    size_t length = strlen(header), start = version == 1 ? 10 : 12;
    size_t padded = (start + length + 1 + 63) / 64 * 64 - start;
    fprintf(f, "\x93NUMPY%c%c%c%c", version, 0, (int)(padded % 256), (int)(padded / 256));
    if (version > 1)
        fwrite("\0\0", 1, 2, f);
    fprintf(f, "%-*s\n", (int)padded - 1, header);
    REQUIRE(fwrite(data, 1, size, f) == size);
    REQUIRE(fclose(f) == 0);
}

/* NumPy writes the NUL of a version's minor number and of lengths, which fprintf does too. */
static ufc_status read_back(DLManagedTensorVersioned **a) {
    *a = NULL;
    *err.message = 0;
    return ufc_npy_read(path, a, &err);
}

static void round_trips(void) {
    static _Alignas(8) unsigned char data[24 * 16];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)(random_bits(1, i) & 1);
    int64_t shapes[][3] = {{24, 1, 1}, {4, 6, 1}, {2, 3, 4}, {0, 3, 1}};
    int ranks[] = {1, 2, 3, 2};
    for (int t = UFC_BOOL; t <= UFC_COMPLEX128; t++)
        for (int s = 0; s < 4; s++) {
            DLManagedTensorVersioned *b;
            DLTensor a = ufc_host_array(data, ufc_dltype((ufc_type)t), ranks[s], shapes[s]);
            CHECK(ufc_npy_write(path, &a, &err) == UFC_OK);
            REQUIRE(read_back(&b) == UFC_OK);
            CHECK(b->dl_tensor.ndim == ranks[s]);
            for (int k = 0; k < ranks[s]; k++)
                CHECK(b->dl_tensor.shape[k] == shapes[s][k]);
            CHECK(memcmp(&b->dl_tensor.dtype, &a.dtype, sizeof a.dtype) == 0);
            CHECK(s == 3 || memcmp(b->dl_tensor.data, data, 24U * a.dtype.bits / 8) == 0);
            ufc_free(b);
        }
    double scalar = 0.5;
    DLManagedTensorVersioned *b;
    DLTensor a = ufc_host_array(&scalar, ufc_dltype(UFC_FLOAT64), 0, NULL);
    CHECK(ufc_npy_write(path, &a, &err) == UFC_OK);
    REQUIRE(read_back(&b) == UFC_OK);
    CHECK(b->dl_tensor.ndim == 0 && *(double *)b->dl_tensor.data == 0.5);
    ufc_free(b);
}

/* A bool is written as 0 or 1. */
static void bools(void) {
    unsigned char data[4] = {0, 1, 7, 255}, all[256];
    int64_t shape[] = {4};
    DLTensor a = ufc_host_array(data, ufc_dltype(UFC_BOOL), 1, shape);
    CHECK(ufc_npy_write(path, &a, &err) == UFC_OK);
    FILE *f = fopen(path, "rb");
    REQUIRE(f);
    size_t size = fread(all, 1, sizeof all, f);
    fclose(f);
    REQUIRE(size > 4);
    CHECK(memcmp(all + size - 4, (char[]){0, 1, 1, 1}, 4) == 0);
    CHECK(data[2] == 7);
}

/* A relative path, a link, a pipe. */
static void places(void) {
    int8_t data[2] = {1, 2};
    int64_t shape[] = {2};
    char folder[] = "/tmp/ufc-npy-XXXXXX", pipe_path[32];
    int fds[2];
    DLTensor a = ufc_host_array(data, ufc_dltype(UFC_INT8), 1, shape);
    REQUIRE(mkdtemp(folder) && chdir(folder) == 0 && pipe(fds) == 0);
    CHECK(ufc_npy_write("a.npy", &a, &err) == UFC_OK);
    CHECK(symlink("a.npy", "link.npy") == 0 && ufc_npy_write("link.npy", &a, &err) == UFC_OK);
    DLManagedTensorVersioned *b = NULL;
    CHECK(ufc_npy_read("a.npy", &b, &err) == UFC_OK);
    ufc_free(b);
    snprintf(pipe_path, sizeof pipe_path, "/proc/self/fd/%d", fds[1]);
    *err.message = 0;
    CHECK(ufc_npy_write(pipe_path, &a, &err) == UFC_OK && !*err.message);
    CHECK(unlink("a.npy") == 0 && unlink("link.npy") == 0 && rmdir(folder) == 0);
}

/* Arrays that follow one another in a pipe, and what comes behind them. */
static void streams(void) {
    int16_t data[3] = {7, 8, 9};
    int64_t shape[] = {3};
    int fds[2];
    char next = 0;
    DLTensor a = ufc_host_array(data, ufc_dltype(UFC_INT16), 1, shape);
    DLTensor none = ufc_host_array(data, ufc_dltype(UFC_INT16), 0, NULL);
    DLManagedTensorVersioned *b = NULL;
    REQUIRE(pipe(fds) == 0);
    errno = ERANGE;
    CHECK(ufc_npy_write_fd(fds[1], &a, &err) == UFC_OK && errno == ERANGE);
    CHECK(ufc_npy_write_fd(fds[1], &none, &err) == UFC_OK && write(fds[1], "x", 1) == 1);
    REQUIRE(ufc_npy_read_fd(fds[0], &b, &err) == UFC_OK);
    CHECK(b->dl_tensor.ndim == 1 && memcmp(b->dl_tensor.data, data, sizeof data) == 0);
    ufc_free(b);
    REQUIRE(ufc_npy_read_fd(fds[0], &b, &err) == UFC_OK);
    CHECK(b->dl_tensor.ndim == 0 && memcmp(b->dl_tensor.data, data, 2) == 0);
    ufc_free(b);
    CHECK(read(fds[0], &next, 1) == 1 && next == 'x');
    close(fds[0]);
    close(fds[1]);
    CHECK(ufc_npy_read_fd(-1, &b, &err) == UFC_EIO && strstr(err.message, "cannot read: Bad"));
    CHECK(ufc_npy_write_fd(-1, &a, &err) == UFC_EIO && strstr(err.message, "cannot write: Bad"));
    CHECK(ufc_npy_read_fd(0, NULL, &err) == UFC_EINVAL);
    CHECK(ufc_npy_write_fd(1, NULL, &err) == UFC_EINVAL);
}

/* A view with odd strides is written in C order. */
static void strided(void) {
    int32_t data[6] = {0, 1, 2, 3, 4, 5};
    int64_t shape[] = {3, 2}, strides[] = {-1, -3};
    DLTensor a = ufc_host_array(data + 5, ufc_dltype(UFC_INT32), 2, shape);
    DLManagedTensorVersioned *b;
    a.strides = strides;
    CHECK(ufc_npy_write(path, &a, &err) == UFC_OK);
    REQUIRE(read_back(&b) == UFC_OK);
    static const int32_t want[] = {5, 2, 4, 1, 3, 0};
    CHECK(memcmp(b->dl_tensor.data, want, sizeof want) == 0);
    ufc_free(b);
}

/* Elements of an array read from the file: (2, 3), 1 to 6. */
static void is_one_to_six(void) {
    DLManagedTensorVersioned *b;
    if (read_back(&b) != UFC_OK) {
        printf("%s\n", err.message);
        test_failures++;
        return;
    }
    const DLTensor *t = &b->dl_tensor;
    REQUIRE(t->ndim == 2 && t->shape[0] == 2 && t->shape[1] == 3 && t->dtype.bits == 16);
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++)
            CHECK(((int16_t *)
                       t->data)[t->strides ? i * t->strides[0] + j * t->strides[1] : 3 * i + j] ==
                  3 * i + j + 1);
    ufc_free(b);
}

static void others(void) {
    static const int16_t c_order[] = {1, 2, 3, 4, 5, 6}, columns[] = {1, 4, 2, 5, 3, 6};
    static const unsigned char big[] = {0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6};
    file(1, "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }", c_order, 12);
    is_one_to_six();
    file(2, "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }", c_order, 12);
    is_one_to_six();
    file(3, "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }", c_order, 12);
    is_one_to_six();
    file(1, "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }", columns, 12);
    is_one_to_six();
    file(1, "{'descr': '>i2', 'fortran_order': False, 'shape': (2, 3), }", big, 12);
    is_one_to_six();
    file(1, "{\"shape\":(2,3),\"descr\":\"<i2\",\"fortran_order\":False}", c_order, 12);
    is_one_to_six();
}

static void broken(void) {
    static const struct {
        const char *header;
        ufc_status status;
    } cases[] = {
        {"{'descr': '<i2', 'fortran_order': False, 'shape': (2, 4), }", UFC_EIO},
        {"{'descr': '<i2', 'fortran_order': False, 'shape': (99999999999, 99999999999), }",
         UFC_EIO},
        {"{'descr': '<i2', 'fortran_order': False, 'shape': (-2, -3), }", UFC_EIO},
        {"{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), ", UFC_EIO},
        {"{'descr': '<i2', 'fortran_order': Maybe, 'shape': (2, 3), }", UFC_EIO},
        {"{'descr': '<i2', 'shape': (2, 3), }", UFC_EIO},
        {"{'a key that is longer than any that there is': 1, }", UFC_EIO},
        {"{'descr': '<i2', 'fortran_order': False, 'shape': 6, }", UFC_EIO},
        {"{'descr': '<i2', 'fortran_order': False, 'shape': (2 3), }", UFC_EIO},
        {"{'descr': '<i2', 'fortran_order': False, 'shape': (x), }", UFC_EIO},
        {"{'descr': '', 'fortran_order': False, 'shape': (2, 3), }", UFC_EDTYPE},
        {"{'descr': '<\a\x93', 'fortran_order': False, 'shape': (2, 3), }", UFC_EDTYPE},
        {"{'descr': '<c32', 'fortran_order': False, 'shape': (2, 3), }", UFC_EDTYPE},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (2, 3), }", UFC_EDTYPE},
        {"{'descr': '<U7', 'fortran_order': False, 'shape': (2, 3), }", UFC_EDTYPE},
        {"{'descr': [('a', '<i2')], 'fortran_order': False, 'shape': (2, 3), }", UFC_EDTYPE},
        {"", UFC_EIO},
    };
    static const int16_t data[6] = {0};
    DLManagedTensorVersioned *b;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        file(1, cases[i].header, data, sizeof data);
        ufc_status status = read_back(&b);
        if (status == UFC_OK || !*err.message || b || !strstr(err.message, path)) {
            printf("%s: status %d: %s\n", cases[i].header, (int)status, err.message);
            test_failures++;
        }
        if (cases[i].status == UFC_EDTYPE)
            CHECK(status == UFC_EDTYPE);
        ufc_free(b);
    }
    file(9, "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }", data, 12);
    CHECK(read_back(&b) == UFC_EIO);
}

/* Every prefix of a good file is broken. */
static void truncated(void) {
    static const int16_t data[6] = {0};
    file(1, "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }", data, 12);
    FILE *f = fopen(path, "rb");
    REQUIRE(f);
    char all[512];
    size_t size = fread(all, 1, sizeof all, f);
    fclose(f);
    for (size_t n = 0; n < size; n++) {
        DLManagedTensorVersioned *b;
        f = fopen(path, "wb");
        REQUIRE(f && fwrite(all, 1, n, f) == n && fclose(f) == 0);
        CHECK(read_back(&b) == UFC_EIO && !b);
    }
    unlink(path);
    DLManagedTensorVersioned *b;
    CHECK(read_back(&b) == UFC_EIO && strstr(err.message, path));
    DLTensor a = ufc_host_array(all, ufc_dltype(UFC_INT8), 0, NULL);
    CHECK(ufc_npy_write("/nonexistent/a.npy", &a, &err) == UFC_EIO &&
          strstr(err.message, "/nonexistent/a.npy"));
    CHECK(ufc_npy_read(NULL, &b, NULL) == UFC_EINVAL);
}

/* Bytes of a pipe that end before they are an array. */
static void ends_early(const char *bytes, size_t size, const char *why) {
    DLManagedTensorVersioned *b = NULL;
    int fds[2];
    REQUIRE(pipe(fds) == 0 && write(fds[1], bytes, size) == (ssize_t)size && close(fds[1]) == 0);
    CHECK(ufc_npy_read_fd(fds[0], &b, &err) == UFC_EIO && !b && strstr(err.message, why));
    close(fds[0]);
}

static void unusual(void) {
    static const char header[] = "{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }";
    static const char wide[] = "\x93NUMPY\2\0\xff\xff\xff\xff";
    char text[10 + sizeof header + 3] = "\x93NUMPY\1\0";
    text[8] = sizeof header - 1;
    memcpy(text + 10, header, sizeof header - 1);
    ends_early(text, sizeof header + 9 + 4, "ends after 2 of 3 elements");
    ends_early("0123456789", 10, "not a .npy file");
    ends_early(wide, 11, "cut off");
    ends_early(wide, 12, "too long");

    int16_t one = 1;
    DLTensor a = ufc_host_array(&one, ufc_dltype(UFC_INT16), 0, NULL), pairs = a;
    pairs.dtype.lanes = 2;
    CHECK(ufc_npy_write(path, &pairs, &err) == UFC_EDTYPE && strstr(err.message, "array"));
    CHECK(ufc_npy_write(NULL, &a, &err) == UFC_EINVAL && strstr(err.message, "path is NULL"));
    CHECK(ufc_npy_write(path, NULL, &err) == UFC_EINVAL && strstr(err.message, "array is NULL"));
}

int main(void) {
    int fd = mkstemp(path);
    REQUIRE(fd >= 0);
    close(fd);
    round_trips();
    strided();
    bools();
    places();
    streams();
    others();
    broken();
    truncated();
    unusual();
    unlink(path);
    return test_failures > 0;
}
