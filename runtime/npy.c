/* npy.c: NumPy's .npy files: "\x93NUMPY", a version, the length of a header, the header (a Python
 * dict of 'descr', 'fortran_order' and 'shape'), the elements. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "draft.h"
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

/* Fails with errno's text, after a system call. */
static ufc_status system_error(ufc_error *err, const char *what) {
    char text[128];
    return fail(err, UFC_EIO, "cannot %s: %s", what, strerror_r(errno, text, sizeof text));
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
    for (size_t i = 0; i < n; i++) { /* the text is for a message */
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
        *p = *end == 'L' ? end + 1 : end; /* Python 2 wrote 5L for a long integer */
        if (errno || (!take(p, ",") && *skip_space(*p) != ')'))
            return false;
    }
    return true;
}

/* numpy.dtype.str without its byte order: a letter and the size.  NumPy has no bfloat16: Python's
 * ml_dtypes writes its bytes, without a type. */
struct npy_name {
    char text[16];
};

static struct npy_name npy_name(int dtype) {
    const struct dtype_info *info = &dtype_info[dtype];
    struct npy_name name;
    (void)snprintf(name.text, sizeof name.text, "%c%d",
                   info->brief[0] == info->kind ? info->kind : 'V', info->size);
    return name;
}

static bool find_dtype(const char *descr, struct header *h) {
    if (!descr[0] || !strchr("<>|=", descr[0]))
        return false;
    h->big_endian = descr[0] == '>';
    for (int d = 0; d < DT_COUNT; d++)
        if (strcmp(descr + 1, npy_name(d).text) == 0) {
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

/* Reads up to `size` bytes; *got is less where the file ends before. */
static ufc_status read_up_to(int fd, void *data, size_t size, size_t *got, ufc_error *err) {
    for (*got = 0; *got < size;) {
        ssize_t n = read(fd, (char *)data + *got, size - *got);
        if (n == 0)
            break;
        if (n > 0)
            *got += (size_t)n;
        else if (errno != EINTR)
            return system_error(err, "read");
    }
    return UFC_OK;
}

/* Reads `size` bytes; an error, which says `what`, where the file is shorter. */
static ufc_status read_all(int fd, void *data, size_t size, const char *what, ufc_error *err) {
    size_t got;
    ufc_status status = read_up_to(fd, data, size, &got, err);
    return status == UFC_OK && got < size ? fail(err, UFC_EIO, "%s", what) : status;
}

static ufc_status read_header(int fd, struct header *h, ufc_error *err) {
    static const char other[] = "this is not a .npy file", cut[] = "the .npy header is cut off";
    unsigned char start[12];
    size_t got;
    ufc_status status = read_up_to(fd, start, 10, &got, err);
    if (status != UFC_OK)
        return status;
    if (got < 10)
        return fail(err, UFC_EIO, "%s", got == 0 ? "there is no array any more" : other);
    if (memcmp(start, MAGIC, MAGIC_SIZE) != 0)
        return fail(err, UFC_EIO, "%s", other);
    if (start[6] < 1 || start[6] > 3)
        return fail(err, UFC_EIO, ".npy version %d is not supported", start[6]);
    if (start[6] > 1 && (status = read_all(fd, start + 10, 2, cut, err)) != UFC_OK)
        return status;
    size_t length = start[8] | (size_t)start[9] << 8;
    if (start[6] > 1)
        length |= (size_t)start[10] << 16 | (size_t)start[11] << 24;
    if (length > MAX_HEADER)
        return fail(err, UFC_EIO, "a .npy header of %zu bytes is too long", length);
    char *text = malloc(length + 1);
    if (!text)
        return fail(err, UFC_ENOMEM, "out of memory for the .npy header");
    status = read_all(fd, text, length, cut, err);
    text[length] = '\0';
    if (status == UFC_OK)
        status = parse_header(text, h, err);
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

static ufc_status read_elements(int fd, const struct header *h, DLTensor *array, ufc_error *err) {
    size_t size = (size_t)dtype_info[h->dtype].size, n = 1;
    size_t part = (size_t)dtype_info[h->dtype].alignment;
    for (int i = 0; i < h->ndim; i++)
        n *= (size_t)h->shape[i]; /* ufc_empty has checked the product */
    if (n == 0)
        return UFC_OK;
    size_t got;
    ufc_status status = read_up_to(fd, array->data, n * size, &got, err);
    if (status != UFC_OK)
        return status;
    if (got < n * size)
        return fail(err, UFC_EIO, "the file ends after %zu of %zu elements", got / size, n);
    if (h->big_endian)
        swap_bytes(array->data, n * size / part, part); /* a complex number's parts are
                                                           swapped one by one */
    if (h->dtype == DT_BOOL)
        cast_elements(DT_BOOL, DT_BOOL, array->data, 1, array->data, 1, (int64_t)n);
    if (h->fortran_order)
        for (int64_t i = 0, stride = 1; i < h->ndim; stride *= h->shape[i++])
            array->strides[i] = stride;
    return UFC_OK;
}

/* Checks, before memory is allocated, that a file holds what its header says; a pipe's length is
 * not known. */
static ufc_status check_length(int fd, const struct header *h, ufc_error *err) {
    struct stat st;
    off_t at = lseek(fd, 0, SEEK_CUR);
    int64_t n;
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || at < 0)
        return UFC_OK;
    int64_t room = (st.st_size - at) / dtype_info[h->dtype].size;
    if (!shape_size(h->ndim, h->shape, &n) || n > room)
        return fail(err, UFC_EIO, "the file has %lld elements, its shape is %s", (long long)room,
                    shape_text(h->ndim, h->shape).text);
    return UFC_OK;
}

static ufc_status read_array(int fd, DLManagedTensorVersioned **array, ufc_error *err) {
    struct header h = {0};
    *array = NULL;
    ufc_status status = read_header(fd, &h, err);
    if (status == UFC_OK)
        status = check_length(fd, &h, err);
    DLManagedTensorVersioned *made = NULL;
    if (status == UFC_OK)
        status = ufc_empty(NULL, (ufc_type)h.dtype, h.ndim, h.shape, UFC_HOST, &made, err);
    if (status == UFC_OK)
        status = read_elements(fd, &h, &made->dl_tensor, err);
    if (status == UFC_OK)
        *array = made;
    else
        ufc_free(made);
    return status;
}

ufc_status ufc_npy_read_fd(int fd, DLManagedTensorVersioned **array, ufc_error *err) {
    return array ? read_array(fd, array, err) : fail(err, UFC_EINVAL, "array is NULL");
}

ufc_status ufc_npy_read(const char *path, DLManagedTensorVersioned **array, ufc_error *err) {
    if (!path || !array)
        return fail(err, UFC_EINVAL, "%s is NULL", path ? "array" : "path");
    *array = NULL;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ufc_status status = fd < 0 ? system_error(err, "open") : read_array(fd, array, err);
    if (fd >= 0)
        (void)close(fd);
    return fail_at(err, status, "'%s'", path);
}

/* ---- writing */

/* The header, padded so that the elements begin at a multiple of 64 bytes. */
static size_t format_header(const struct operand *op, char text[4096]) {
    size_t used = MAGIC_SIZE + 4, room = 4096;
    const struct dtype_info *info = &dtype_info[op->dtype];
    used += (size_t)snprintf(text + used, room - used,
                             "{'descr': '%c%s', 'fortran_order': False, 'shape': (",
                             info->size > 1 ? '<' : '|', npy_name((int)op->dtype).text);
    for (int i = 0; i < op->ndim; i++)
        used += (size_t)snprintf(text + used, room - used, "%s%lld%s", i ? " " : "",
                                 (long long)op->shape[i], i + 1 < op->ndim || !i ? "," : "");
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

static int write_array(int fd, const struct operand *op) {
    char text[4096];
    size_t header = format_header(op, text);
    int64_t n;
    (void)shape_size(op->ndim, op->shape, &n); /* n fits, as the array is in memory */
    int error = write_all(fd, text, header);
    return error ? error : write_all(fd, op->data, (size_t)n * (size_t)dtype_info[op->dtype].size);
}

/* Puts a folder's new entry on the disk, as far as the system lets us. */
static void sync_folder(const char *file) {
    const char *slash = strrchr(file, '/');
    char *folder = slash ? strndup(file, (size_t)(slash - file) + 1) : strdup(".");
    int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    free(folder);
    if (fd >= 0) {
        (void)fsync(fd);
        (void)close(fd);
    }
}

/* Writes a new file, and syncs it before it replaces the old one. */
static int write_file(const char *path, const struct operand *op) {
    struct draft d;
    int error = draft_open(&d, path);
    if (!error)
        error = write_array(d.fd, op);
    if (!error && !d.in_place && fsync(d.fd) != 0)
        error = errno;
    if (!error)
        error = draft_keep(&d);
    if (!error && !d.in_place)
        sync_folder(d.path);
    draft_end(&d);
    return error;
}

/* Writes to the file at path; where path is NULL, to fd. */
static ufc_status write_to(const char *path, int fd, const struct operand *op, ufc_error *err) {
    int error = path ? write_file(path, op) : write_array(fd, op);
    if (!error)
        return UFC_OK;
    errno = error;
    return system_error(err, "write");
}

/* Makes a bool's bytes 0 and 1, as NumPy needs them. */
static void normalise(const struct operand *packed) {
    int64_t n;
    (void)shape_size(packed->ndim, packed->shape, &n); /* n fits, as the array is in memory */
    cast_elements(DT_BOOL, DT_BOOL, packed->data, 1, packed->data, 1, n);
}

static ufc_status write_packed(const char *path, int fd, const DLTensor *array, ufc_error *err) {
    struct operand op;
    ufc_status status = operand_from_array(&op, array, err);
    if (status != UFC_OK)
        return fail_at(err, status, "array");
    bool as_it_is = is_host(op.device) && op.dtype != DT_BOOL && in_c_order(&op);
    if (as_it_is)
        return write_to(path, fd, &op, err);

    DLManagedTensorVersioned *packed = NULL;
    status = ufc_empty(NULL, (ufc_type)op.dtype, op.ndim, op.shape, UFC_HOST, &packed, err);
    if (status == UFC_OK)
        status = ufc_copy(NULL, NULL, array, &packed->dl_tensor, err);
    if (status == UFC_OK)
        status = operand_from_array(&op, &packed->dl_tensor, err);
    if (status == UFC_OK && op.dtype == DT_BOOL)
        normalise(&op);
    if (status == UFC_OK)
        status = write_to(path, fd, &op, err);
    ufc_free(packed);
    return status;
}

ufc_status ufc_npy_write_fd(int fd, const DLTensor *array, ufc_error *err) {
    return array ? write_packed(NULL, fd, array, err) : fail(err, UFC_EINVAL, "array is NULL");
}

ufc_status ufc_npy_write(const char *path, const DLTensor *array, ufc_error *err) {
    if (!path || !array)
        return fail(err, UFC_EINVAL, "%s is NULL", path ? "array" : "path");
    return fail_at(err, write_packed(path, -1, array, err), "'%s'", path);
}
