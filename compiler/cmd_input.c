/* cmd_input.c: the arguments of `ufc run` and `ufc bench`: numbers, files, and arrays made on the
 * spot. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "half.h"

/* ---- numbers */

/* Digits in decimal or hexadecimal, with a sign or none. */
static bool is_whole(const char *text, int *base) {
    text += *text == '-' || *text == '+';
    *base = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10;
    text += *base == 16 ? 2 : 0;
    return *text && !text[strspn(text, *base == 16 ? "0123456789abcdefABCDEF" : "0123456789")];
}

/* NULL, or what is wrong. */
static const char *parse_whole(const char *text, int base, ufc_arg *arg) {
    errno = 0;
    *arg = ufc_int(strtoll(text, NULL, base));
    if (errno && *text != '-') {
        errno = 0;
        *arg = ufc_uint(strtoull(text, NULL, base));
    }
    return errno ? "no integer type can hold this number" : NULL;
}

static bool parse_real(const char *text, ufc_arg *arg) {
    char *end;
    *arg = ufc_float(strtod(text, &end));
    return end != text && !*end && !strchr(" \t\n\v\f\r", *text);
}

/* 2j, 1+2j, (1-2e3j), nan-infj, as Python and NumPy write them. */
static bool parse_complex(const char *text, ufc_arg *arg) {
    bool paren = *text == '(';
    char *end;
    text += paren;
    if (strchr(" \t\n\v\f\r", *text))
        return false;
    double re = strtod(text, &end), im = re;
    if (end == text)
        return false;
    if (*end == '+' || *end == '-') {
        const char *second = end;
        im = strtod(second, &end);
        if (end == second)
            return false;
    } else
        re = 0;
    *arg = ufc_complex(re, im);
    return (*end == 'j' || *end == 'J') && strcmp(end + 1, paren ? ")" : "") == 0;
}

bool is_number(const char *text) {
    ufc_arg arg;
    return parse_real(text, &arg) || parse_complex(text, &arg); /* all whole numbers are real */
}

/* ---- generated arrays */

static const struct {
    const char *name;
    enum input_kind kind;
} generators[] = {
    {"rand", INPUT_RAND},         {"arange", INPUT_ARANGE}, {"ones", INPUT_ONES},
    {"linspace", INPUT_LINSPACE}, {"zeros", INPUT_ZEROS},
};

static bool word_is(const char *word, size_t n, const char *name) {
    return strlen(name) == n && memcmp(word, name, n) == 0;
}

static const char *parse_kind(struct input *in, const char *word, size_t n) {
    for (size_t i = 0; i < sizeof generators / sizeof generators[0]; i++)
        if (word_is(word, n, generators[i].name)) {
            in->kind = generators[i].kind;
            return NULL;
        }
    return "the kind is not one of rand, arange, linspace, ones, zeros";
}

bool size_parse(const char **text, int64_t *size) {
    char *end;
    bool digit = **text >= '0' && **text <= '9';
    errno = 0;
    *size = digit ? strtoll(*text, &end, 10) : -1;
    if (*size < 0 || errno)
        return false;
    *text = end;
    if ((*end != 'e' && *end != '^') || end[1] < '0' || end[1] > '9')
        return true;
    bool power = *end == '^';
    int64_t base = power ? *size : 10;
    long exponent = strtol(end + 1, &end, 10);
    *text = end;
    if (power)
        *size = 1;
    for (; exponent > 0 && *size > (base < 2) - 1 && exponent < 64; exponent--)
        if (__builtin_mul_overflow(*size, base, size))
            return false;
    return exponent == 0;
}

static const char *parse_shape(struct input *in, const char *word, size_t n) {
    const char *end = word + n;
    for (in->ndim = 0; word < end; in->ndim++) {
        if (in->ndim == MAX_AXES)
            return "the shape has too many axes";
        int64_t *size = &in->shape[in->ndim];
        if (*word == 'N') {
            word++;
            *size = SWEPT;
            in->swept = true;
        } else if (!size_parse(&word, size)) {
            return "the shape is not as in 1000x3, 2^20 or Nx3";
        }
        if (word < end && (*word != 'x' || word + 1 == end))
            return "the shape is not as in 1000x3, 2^20 or Nx3";
        word += word < end;
    }
    return NULL;
}

const char *dtype_parse(ufc_type *dtype, const char *name) {
    static const char *const brief[] = {"b1", "i1", "u1",  "i2", "u2", "i4", "u4", "i8",
                                        "u8", "f2", "bf2", "f4", "f8", "c8", "c16"};
    for (int t = UFC_BOOL; t <= UFC_COMPLEX128; t++)
        if (strcmp(name, ufc_type_name(ufc_dltype((ufc_type)t))) == 0 ||
            strcmp(name, brief[t]) == 0) {
            *dtype = (ufc_type)t;
            return NULL;
        }
    return "the type is not one of bool, int8, ..., complex128, b1, i1, ..., c16";
}

/* "arg2" */
static bool parse_same(struct input *in) {
    char *end;
    if (strncmp(in->base, "arg", 3) != 0 || in->base[3] < '1' || in->base[3] > '9')
        return false;
    long number = strtol(in->base + 3, &end, 10);
    in->kind = INPUT_SAME;
    in->same = number < INT_MAX ? (int)number - 1 : INT_MAX;
    return !*end;
}

static bool is_file(const char *text) {
    size_t n = strlen(text);
    return (n > 4 && strcmp(text + n - 4, ".npy") == 0) || access(text, F_OK) == 0;
}

static const char *parse_array(struct input *in) {
    if (parse_same(in))
        return NULL;
    if (strcmp(in->base, "-") == 0) {
        in->kind = INPUT_STDIN;
        return NULL;
    }
    const char *shape = strchr(in->base, ':'), *dtype = shape ? strchr(shape + 1, ':') : NULL;
    in->kind = INPUT_FILE;
    if (is_file(in->base))
        return NULL;
    if (!dtype)
        return shape ? "neither a file nor an array made on the spot, KIND:SHAPE:DTYPE"
                     : "neither a file nor a number; numbers are as 300, 0x1f, 1e-3, inf, True";
    const char *wrong = parse_kind(in, in->base, (size_t)(shape - in->base));
    if (!wrong)
        wrong = parse_shape(in, shape + 1, (size_t)(dtype - shape - 1));
    return wrong ? wrong : dtype_parse(&in->dtype, dtype + 1);
}

const char *input_parse(struct input *in, const char *text) {
    int base;
    *in = (struct input){.kind = INPUT_NUMBER, .text = text};
    if (is_whole(text, &base))
        return parse_whole(text, base, &in->arg);
    if (parse_real(text, &in->arg) || parse_complex(text, &in->arg))
        return NULL;
    if (strcmp(text, "True") == 0 || strcmp(text, "False") == 0) {
        in->arg = ufc_bool(*text == 'T');
        return NULL;
    }
    size_t n = is_file(text) && !is_stdin(text) ? strlen(text) : view_begins(text);
    in->view = text + n;
    in->base = strndup(text, n);
    if (!in->base)
        return "out of memory";
    const char *wrong = parse_array(in);
    return wrong ? wrong : view_check(in->view);
}

/* ---- elements */

struct generator {
    enum input_kind kind;
    ufc_type dtype;
    int64_t n;
    uint64_t seed;
    int precision; /* bits of a floating type */
};

static int precision_of(ufc_type dtype) {
    switch (dtype) {
    case UFC_FLOAT16: return 11;
    case UFC_BFLOAT16: return 8;
    case UFC_FLOAT32:
    case UFC_COMPLEX64: return 24;
    default: return 53;
    }
}

/* The finish of splitmix64 (Steele, Lea and Flood, 2014). */
static uint64_t mix(uint64_t z) {
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

/* Element i of the stream: any order will do. */
static uint64_t bits(const struct generator *g, int64_t i) {
    return mix(g->seed + ((uint64_t)i + 1) * 0x9E3779B97F4A7C15);
}

static uint64_t whole(const struct generator *g, int64_t i) {
    switch (g->kind) {
    case INPUT_ONES: return 1;
    case INPUT_ARANGE: return (uint64_t)i;
    case INPUT_LINSPACE: return i > 0 && i == g->n - 1;
    case INPUT_RAND: return bits(g, i) % (g->dtype == UFC_BOOL ? 2 : 100);
    default: return 0;
    }
}

static double real(const struct generator *g, int64_t i) {
    switch (g->kind) {
    case INPUT_LINSPACE: /* as NumPy rounds it */
        return i == 0 ? 0 : i == g->n - 1 ? 1 : (double)i * (1 / (double)(g->n - 1));
    case INPUT_RAND: /* as many bits as the type has, that none is rounded to 1 */
        return ldexp((double)(bits(g, i) >> (64 - g->precision)), -g->precision);
    default: return (double)whole(g, i);
    }
}

#define FILL(type, value)                                                                          \
    for (int64_t i = 0; i < g->n; i++)                                                             \
        ((type *)data)[i] = (type)(value);                                                         \
    break

/* Arrays of both parts, real and imaginary in turn: the imaginary ones are 0, or random too. */
static double part(const struct generator *g, int64_t i) {
    if (g->kind == INPUT_RAND)
        return real(g, i);
    return i % 2 == 0 ? real(&(struct generator){g->kind, g->dtype, g->n / 2, 0, 0}, i / 2) : 0;
}

static void fill(const struct generator *g, void *data) {
    switch (g->dtype) {
    case UFC_BOOL: FILL(uint8_t, whole(g, i) != 0);
    case UFC_INT8:
    case UFC_UINT8: FILL(uint8_t, whole(g, i));
    case UFC_INT16:
    case UFC_UINT16: FILL(uint16_t, whole(g, i));
    case UFC_INT32:
    case UFC_UINT32: FILL(uint32_t, whole(g, i));
    case UFC_INT64:
    case UFC_UINT64: FILL(uint64_t, whole(g, i));
    case UFC_FLOAT16: FILL(uint16_t, to_half(real(g, i)));
    case UFC_BFLOAT16: FILL(uint16_t, to_bfloat(real(g, i)));
    case UFC_FLOAT32: FILL(float, real(g, i));
    case UFC_FLOAT64: FILL(double, real(g, i));
    case UFC_COMPLEX64: FILL(float, part(g, i));
    case UFC_COMPLEX128: FILL(double, part(g, i));
    }
}

/* Repeats the first `size` bytes of `all`. */
static void repeat(char *data, size_t size, size_t all) {
    for (size_t n; size < all; size += n) {
        n = size < all - size ? size : all - size;
        memcpy(data + size, data, n);
    }
}

static ufc_status generate(struct input *in, const struct making *how, int index, ufc_error *err) {
    enum { PERIOD = 1 << 22 };
    int64_t shape[MAX_AXES], n = 1;
    for (int i = 0; i < in->ndim; i++)
        shape[i] = in->shape[i] == SWEPT ? how->n : in->shape[i];
    ufc_status status = ufc_empty(how->ctx, in->dtype, in->ndim, shape, true, &in->memory, err);
    if (status != UFC_OK)
        return status;
    for (int i = 0; i < in->ndim; i++)
        n *= shape[i];
    struct generator g = {in->kind, in->dtype, n, mix((uint64_t)index + 1),
                          precision_of(in->dtype)};
    bool even = in->kind == INPUT_ARANGE || in->kind == INPUT_LINSPACE;
    if (how->on_device && !even && n > PERIOD)
        g.n = PERIOD;
    size_t size = in->memory->dl_tensor.dtype.bits / 8, made = (size_t)g.n * size;
    if (in->dtype == UFC_COMPLEX64 || in->dtype == UFC_COMPLEX128)
        g.n *= 2; /* parts */
    fill(&g, in->memory->dl_tensor.data);
    repeat(in->memory->dl_tensor.data, made, (size_t)n * size);
    return UFC_OK;
}

/* The next array there. */
static ufc_status read_stdin(struct input *in, ufc_error *err) {
    ufc_error why;
    ufc_status status = ufc_npy_read_fd(STDIN_FILENO, &in->memory, &why);
    if (status != UFC_OK)
        snprintf(err->message, sizeof err->message, "standard input: %.*s",
                 (int)sizeof err->message - 20, why.message);
    return status;
}

/* The whole array: in->array, on the host. */
static ufc_status make_whole(struct input *in, const struct making *how, int index,
                             ufc_error *err) {
    if (in->kind == INPUT_SAME) {
        in->array = how->inputs[in->same].array;
        return UFC_OK;
    }
    ufc_status status;
    switch (in->kind) {
    case INPUT_FILE: status = ufc_npy_read(in->base, &in->memory, err); break;
    case INPUT_STDIN: status = read_stdin(in, err); break;
    default: status = generate(in, how, index, err); break;
    }
    if (status == UFC_OK)
        in->array = in->memory->dl_tensor;
    return status;
}

ufc_type type_of(DLDataType dtype) {
    int type = UFC_BOOL;
    while (strcmp(ufc_type_name(ufc_dltype((ufc_type)type)), ufc_type_name(dtype)) != 0)
        type++;
    return (ufc_type)type;
}

/* Moves the array's memory, which has no gaps, to the device, the array as it lies there. */
static ufc_status move_to_device(struct input *in, ufc_context *ctx, ufc_error *err) {
    int64_t n = 1;
    for (int i = 0; i < in->array.ndim; i++)
        n *= in->array.shape[i];
    DLManagedTensorVersioned *moved = NULL;
    DLTensor flat = ufc_host_array(in->array.data, in->array.dtype, 1, &n);
    ufc_status status = ufc_empty(ctx, type_of(flat.dtype), 1, &n, false, &moved, err);
    if (status == UFC_OK)
        status = ufc_copy(ctx, NULL, &flat, &moved->dl_tensor, err);
    if (status != UFC_OK) {
        ufc_free(moved);
        return status;
    }
    in->array.data = moved->dl_tensor.data;
    in->array.device = moved->dl_tensor.device;
    ufc_free(in->memory);
    in->memory = moved;
    return UFC_OK;
}

/* Shape and strides into the input's own room. */
static void own_layout(struct input *in) {
    for (int64_t i = in->array.ndim - 1, next = 1; i >= 0; i--) {
        in->array_shape[i] = in->array.shape[i];
        in->array_strides[i] = in->array.strides ? in->array.strides[i] : next;
        next *= in->array_shape[i];
    }
    in->array.shape = in->array_shape;
    in->array.strides = in->array_strides;
}

ufc_status input_make(struct input *in, const struct making *how, int index, ufc_error *err) {
    if (in->kind == INPUT_NUMBER)
        return UFC_OK;
    ufc_status status = make_whole(in, how, index, err);
    if (status != UFC_OK)
        return status;
    own_layout(in);
    if (how->on_device && in->memory)
        status = move_to_device(in, how->ctx, err);
    if (status == UFC_OK)
        status = view_apply(&in->array, in->view, err);
    in->arg = ufc_array(&in->array);
    return status;
}

void input_unmake(struct input *in) {
    ufc_free(in->memory);
    in->memory = NULL;
}

void input_end(struct input *in) {
    input_unmake(in);
    free(in->base);
    in->base = NULL;
}
