/* npy.c: NumPy's .npy files: "\x93NUMPY", a version, the length of a header, the header (a Python
 * dict of 'descr', 'fortran_order' and 'shape'), the elements. */
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rt.h"

#define MAGIC      "\x93NUMPY"
#define MAGIC_SIZE 6
#define MAX_HEADER 65536 /* far more than an array of 64 axes needs */

struct header {
    enum ufc_dtype dtype;
    bool big_endian, fortran_order;
    int ndim;
    int64_t shape[MAX_RANK];
};

static ufc_status system_error(ufc_error *err, const char *what, const char *path) {
    char text[128];
    return fail(err, UFC_EIO, "cannot %s '%s': %s", what, path,
                strerror_r(errno, text, sizeof text));
}

/* ---- the header's text */

static const char *skip_space(const char *p) {
    while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')
        p++;
    return p;
}

/* Steps over a token; false where something else stands there. */
static bool take(const char **p, const char *token) {
    *p = skip_space(*p);
    size_t n = strlen(token);
    if (strncmp(*p, token, n) != 0)
        return false;
    *p += n;
    return true;
}

static bool take_string(const char **p, char *text, size_t room) {
    *p = skip_space(*p);
    char quote = **p;
    if (quote != '\'' && quote != '"')
        return false;
    const char *end = strchr(*p + 1, quote);
    size_t n = end ? (size_t)(end - *p - 1) : room;
    if (n >= room)
        return false;
    for (size_t i = 0; i < n; i++) { /* fit for a message */
        char c = (*p)[1 + i];
        if (c < ' ' || c > '~')
            c = '?';
        text[i] = c;
    }
    text[n] = '\0';
    *p = end + 1;
    return true;
}

static bool take_shape(const char **p, struct header *h) {
    h->ndim = 0;
    if (!take(p, "("))
        return false;
    while (!take(p, ")")) {
        char *end;
        if (h->ndim == MAX_RANK || **p < '0' || **p > '9')
            return false;
        errno = 0;
        h->shape[h->ndim++] = strtoll(*p, &end, 10);
        *p = *end == 'L' ? end + 1 : end; /* Python 2 wrote long integers so */
        if (errno || (!take(p, ",") && *skip_space(*p) != ')'))
            return false;
    }
    return true;
}

/* NumPy has no bfloat16: Python's ml_dtypes writes its bytes, without a type. */
static const char *npy_name(int dtype) {
    return dtype == DT_BFLOAT16 ? "V2" : dtype_info[dtype].brief;
}

static bool find_dtype(const char *descr, struct header *h) {
    if (!descr[0] || !strchr("<>|=", descr[0]))
        return false;
    h->big_endian = descr[0] == '>';
    for (int d = 0; d < DT_COUNT; d++)
        if (strcmp(descr + 1, npy_name(d)) == 0) {
            h->dtype = (enum ufc_dtype)d;
            return true;
        }
    return false;
}

static ufc_status parse_header(const char *text, struct header *h, ufc_error *err) {
    enum { DESCR = 1, ORDER = 2, SHAPE = 4 };
    int seen = 0;
    char key[32], descr[64];
    bool well = take(&text, "{");
    while (well && !take(&text, "}")) {
        well = take_string(&text, key, sizeof key) && take(&text, ":");
        if (!well)
            break;
        if (strcmp(key, "descr") == 0) {
            if (!take_string(&text, descr, sizeof descr))
                return fail(err, UFC_EDTYPE, "structured element types are not supported");
            if (!find_dtype(descr, h))
                return fail(err, UFC_EDTYPE, "element type '%s' is not supported", descr);
            seen |= DESCR;
        } else if (strcmp(key, "fortran_order") == 0) {
            h->fortran_order = take(&text, "True");
            well = h->fortran_order || take(&text, "False");
            seen |= ORDER;
        } else {
            well = strcmp(key, "shape") == 0 && take_shape(&text, h);
            seen |= SHAPE;
        }
        well = well && (take(&text, ",") || *skip_space(text) == '}');
    }
    return well && seen == (DESCR | ORDER | SHAPE)
               ? UFC_OK
               : fail(err, UFC_EIO, "the .npy header is malformed");
}

static ufc_status read_header(FILE *file, struct header *h, ufc_error *err) {
    unsigned char start[12];
    if (fread(start, 1, 10, file) != 10 || memcmp(start, MAGIC, MAGIC_SIZE) != 0)
        return fail(err, UFC_EIO, "this is not a .npy file");
    if (start[6] < 1 || start[6] > 3)
        return fail(err, UFC_EIO, ".npy version %d is not supported", start[6]);
    if (start[6] > 1 && fread(start + 10, 1, 2, file) != 2)
        return fail(err, UFC_EIO, "the .npy header is cut off");
    size_t length = start[8] | (size_t)start[9] << 8;
    if (start[6] > 1)
        length |= (size_t)start[10] << 16 | (size_t)start[11] << 24;
    if (length > MAX_HEADER)
        return fail(err, UFC_EIO, "a .npy header of %zu bytes is too long", length);
    char *text = malloc(length + 1);
    if (!text)
        return fail(err, UFC_ENOMEM, "out of memory for the .npy header");
    ufc_status status;
    if (fread(text, 1, length, file) == length) {
        text[length] = '\0';
        status = parse_header(text, h, err);
    } else {
        status = fail(err, UFC_EIO, "the .npy header is cut off");
    }
    free(text);
    return status;
}

/* ---- reading */

static void swap_bytes(unsigned char *data, size_t n, size_t size) {
    for (; n > 0; n--, data += size)
        for (size_t i = 0; i < size / 2; i++) {
            unsigned char byte = data[i];
            data[i] = data[size - 1 - i];
            data[size - 1 - i] = byte;
        }
}

static ufc_status read_elements(FILE *file, const struct header *h, DLTensor *array,
                                ufc_error *err) {
    size_t size = (size_t)dtype_info[h->dtype].size, n = 1;
    size_t part = (size_t)dtype_info[h->dtype].alignment;
    for (int i = 0; i < h->ndim; i++)
        n *= (size_t)h->shape[i]; /* ufc_empty has checked the product */
    if (n == 0)
        return UFC_OK;
    size_t got = fread(array->data, size, n, file);
    if (got < n)
        return fail(err, UFC_EIO, "the file ends after %zu of %zu elements", got, n);
    if (h->big_endian)
        swap_bytes(array->data, n * size / part, part); /* of each part of a complex number */
    if (h->dtype == DT_BOOL)
        cast_kernels[DT_BOOL][DT_BOOL](array->data, 1, array->data, 1, (int64_t)n);
    if (h->fortran_order)
        for (int64_t i = 0, stride = 1; i < h->ndim; stride *= h->shape[i++])
            array->strides[i] = stride;
    return UFC_OK;
}

/* Before memory is asked for: does a file, unlike a pipe, hold what its header says? */
static ufc_status check_length(FILE *file, const struct header *h, ufc_error *err) {
    struct stat st;
    long at = ftell(file);
    int64_t n;
    if (fstat(fileno(file), &st) != 0 || !S_ISREG(st.st_mode) || at < 0)
        return UFC_OK;
    int64_t room = (st.st_size - at) / dtype_info[h->dtype].size;
    if (!shape_size(h->ndim, h->shape, &n) || n > room)
        return fail(err, UFC_EIO, "the file has %lld elements, its shape is %s", (long long)room,
                    shape_text(h->ndim, h->shape).text);
    return UFC_OK;
}

static ufc_status read_file(FILE *file, DLManagedTensorVersioned **array, ufc_error *err) {
    struct header h = {0};
    ufc_status status = read_header(file, &h, err);
    if (status == UFC_OK)
        status = check_length(file, &h, err);
    DLManagedTensorVersioned *made = NULL;
    if (status == UFC_OK)
        status = ufc_empty(NULL, (ufc_type)h.dtype, h.ndim, h.shape, true, &made, err);
    if (status == UFC_OK)
        status = read_elements(file, &h, &made->dl_tensor, err);
    if (status == UFC_OK)
        *array = made;
    else
        ufc_free(made);
    return status;
}

ufc_status ufc_npy_read(const char *path, DLManagedTensorVersioned **array, ufc_error *err) {
    if (!path || !array)
        return fail(err, UFC_EINVAL, "%s is NULL", path ? "array" : "path");
    FILE *file = fopen(path, "rbe");
    if (!file)
        return system_error(err, "open", path);
    ufc_status status = read_file(file, array, err);
    (void)fclose(file);
    return fail_at(err, status, "'%s'", path);
}

/* ---- writing */

/* The header, padded so that the elements begin at a multiple of 64 bytes. */
static size_t format_header(const DLTensor *array, enum ufc_dtype dtype, char text[4096]) {
    size_t used = MAGIC_SIZE + 4, room = 4096;
    const struct dtype_info *info = &dtype_info[dtype];
    used += (size_t)snprintf(text + used, room - used,
                             "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
                             info->size > 1 ? '<' : '|', npy_name((int)dtype));
    for (int i = 0; i < array->ndim; i++)
        used += (size_t)snprintf(text + used, room - used, "%s%lld%s", i ? " " : "",
                                 (long long)array->shape[i], i + 1 < array->ndim || !i ? "," : "");
    used += (size_t)snprintf(text + used, room - used, "), }");
    while (used % 64 != 63)
        text[used++] = ' ';
    text[used++] = '\n';
    size_t length = used - MAGIC_SIZE - 4;
    memcpy(text, MAGIC "\1\0", MAGIC_SIZE + 2);
    text[8] = (char)(length & 0xff);
    text[9] = (char)(length >> 8);
    return used;
}

static bool in_c_order(const struct operand *op) {
    int64_t stride = dtype_info[op->dtype].size;
    for (int i = op->ndim - 1; i >= 0; i--) {
        if (op->shape[i] != 1 && op->stride[i] != stride)
            return false;
        stride *= op->shape[i];
    }
    return true;
}

static ufc_status write_elements(int fd, const char *path, const DLTensor *array,
                                 const struct operand *op, ufc_error *err) {
    char text[4096];
    size_t header = format_header(array, op->dtype, text);
    int64_t n;
    (void)shape_size(op->ndim, op->shape, &n); /* in memory, so it fits */
    FILE *file = fdopen(fd, "wb");
    if (!file) {
        ufc_status status = system_error(err, "write", path);
        (void)close(fd);
        return status;
    }
    bool well = fwrite(text, 1, header, file) == header &&
                (n == 0 || fwrite(op->data, (size_t)dtype_info[op->dtype].size, (size_t)n, file) ==
                               (size_t)n);
    /* On the disk before it takes the old file's place; a pipe cannot be synchronised (EINVAL). */
    well = well && fflush(file) == 0 && (fsync(fd) == 0 || errno == EINVAL);
    ufc_status status = well ? UFC_OK : system_error(err, "write", path);
    if (fclose(file) != 0 && well)
        status = system_error(err, "write", path);
    return status;
}

/* Puts a folder's new entry on the disk, as far as the system lets us. */
static void sync_folder(char *file) {
    char *slash = strrchr(file, '/');
    if (slash)
        slash[slash == file] = '\0';
    int fd = open(slash ? file : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        (void)fsync(fd);
        (void)close(fd);
    }
}

/* Writes beside the file, then renames. */
static ufc_status replace_file(const char *path, mode_t mode, const DLTensor *array,
                               const struct operand *op, ufc_error *err) {
    static atomic_uint count;
    size_t room = strlen(path) + 48;
    char *temp = malloc(room);
    if (!temp)
        return fail(err, UFC_ENOMEM, "out of memory for a file's name");
    (void)snprintf(temp, room, "%s.%ld-%u.tmp", path, (long)getpid(), atomic_fetch_add(&count, 1));
    int fd = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    ufc_status status = fd < 0 ? system_error(err, "write", path) : UFC_OK;
    if (fd >= 0) {
        if (mode)
            (void)fchmod(fd, mode);
        status = write_elements(fd, path, array, op, err);
        if (status == UFC_OK && rename(temp, path) != 0)
            status = system_error(err, "write", path);
        if (status == UFC_OK)
            sync_folder(temp);
        else
            (void)unlink(temp);
    }
    free(temp);
    return status;
}

static ufc_status write_file(const char *path, const DLTensor *array, const struct operand *op,
                             ufc_error *err) {
    struct stat st;
    if (stat(path, &st) != 0)
        return replace_file(path, 0, array, op, err);
    if (!S_ISREG(st.st_mode)) { /* a pipe or a terminal cannot be replaced */
        int fd = open(path, O_WRONLY | O_CLOEXEC);
        return fd < 0 ? system_error(err, "open", path) : write_elements(fd, path, array, op, err);
    }
    char *target = realpath(path, NULL); /* of a link, the file */
    if (!target)
        return system_error(err, "write", path);
    ufc_status status = replace_file(target, st.st_mode & 07777, array, op, err);
    free(target);
    return status;
}

/* Of a bool's bytes NumPy wants 0 and 1. */
static void normalise(const struct operand *packed) {
    int64_t n;
    (void)shape_size(packed->ndim, packed->shape, &n); /* in memory, so it fits */
    cast_kernels[DT_BOOL][DT_BOOL](packed->data, 1, packed->data, 1, n);
}

ufc_status ufc_npy_write(const char *path, const DLTensor *array, ufc_error *err) {
    if (!path || !array)
        return fail(err, UFC_EINVAL, "%s is NULL", path ? "array" : "path");
    struct operand op;
    ufc_status status = operand_from_array(&op, array, err);
    if (status != UFC_OK)
        return fail_at(err, status, "array");
    bool as_it_is = op.device.device_type == kDLCPU && op.dtype != DT_BOOL && in_c_order(&op);
    if (as_it_is)
        return write_file(path, array, &op, err);

    DLManagedTensorVersioned *packed = NULL;
    status = ufc_empty(NULL, (ufc_type)op.dtype, op.ndim, op.shape, true, &packed, err);
    if (status == UFC_OK)
        status = ufc_copy(NULL, NULL, array, &packed->dl_tensor, err);
    if (status == UFC_OK)
        status = operand_from_array(&op, &packed->dl_tensor, err);
    if (status == UFC_OK && op.dtype == DT_BOOL)
        normalise(&op);
    if (status == UFC_OK)
        status = write_file(path, array, &op, err);
    ufc_free(packed);
    return status;
}
