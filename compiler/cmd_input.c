/* cmd_input.c: the arguments of `ufc run`: numbers, files, and arrays made on the spot. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"

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

bool is_number(const char *text) {
    ufc_arg arg;
    return parse_real(text, &arg); /* all whole numbers are real ones */
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

static const char *parse_shape(struct input *in, const char *word, size_t n) {
    const char *end = word + n;
    for (in->ndim = 0; word < end; in->ndim++) {
        char *after;
        if (in->ndim == MAX_AXES)
            return "the shape has too many axes";
        errno = 0;
        in->shape[in->ndim] = *word >= '0' && *word <= '9' ? strtoll(word, &after, 10) : -1;
        if (in->shape[in->ndim] < 0 || errno)
            return "the shape is not as in 1000x3";
        if (after < end && (*after != 'x' || after + 1 == end))
            return "the shape is not as in 1000x3";
        word = after + (after < end);
    }
    return NULL;
}

const char *dtype_parse(ufc_type *dtype, const char *name) {
    for (int t = UFC_BOOL; t <= UFC_FLOAT64; t++) {
        DLDataType type = ufc_dltype((ufc_type)t);
        const char *kind = type.code == kDLBool   ? "b"
                           : type.code == kDLInt  ? "i"
                           : type.code == kDLUInt ? "u"
                                                  : "f";
        char brief[8];
        snprintf(brief, sizeof brief, "%s%d", kind, type.bits / 8);
        if (strcmp(name, ufc_type_name(type)) == 0 || strcmp(name, brief) == 0) {
            *dtype = (ufc_type)t;
            return NULL;
        }
    }
    return "the type is not one of bool, int8, ..., float64, b1, i1, ..., f8";
}

const char *input_parse(struct input *in, const char *text) {
    int base;
    *in = (struct input){.kind = INPUT_NUMBER, .text = text};
    if (is_whole(text, &base))
        return parse_whole(text, base, &in->arg);
    if (parse_real(text, &in->arg))
        return NULL;
    if (strcmp(text, "True") == 0 || strcmp(text, "False") == 0) {
        in->arg = ufc_bool(*text == 'T');
        return NULL;
    }
    const char *shape = strchr(text, ':'), *dtype = shape ? strchr(shape + 1, ':') : NULL;
    size_t n = strlen(text);
    in->kind = INPUT_FILE;
    if ((n > 4 && strcmp(text + n - 4, ".npy") == 0) || access(text, F_OK) == 0)
        return NULL;
    if (!dtype)
        return shape ? "neither a file nor an array made on the spot, KIND:SHAPE:DTYPE"
                     : "neither a file nor a number; numbers are as 300, 0x1f, 1e-3, inf, True";
    const char *wrong = parse_kind(in, text, (size_t)(shape - text));
    if (!wrong)
        wrong = parse_shape(in, shape + 1, (size_t)(dtype - shape - 1));
    return wrong ? wrong : dtype_parse(&in->dtype, dtype + 1);
}

/* ---- elements */

struct generator {
    enum input_kind kind;
    ufc_type dtype;
    int64_t n;
    uint64_t seed;
};

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
        return g->dtype == UFC_FLOAT32 ? (double)(bits(g, i) >> 40) * 0x1p-24
                                       : (double)(bits(g, i) >> 11) * 0x1p-53;
    default: return (double)whole(g, i);
    }
}

#define FILL(type, value)                                                                          \
    for (int64_t i = 0; i < g->n; i++)                                                             \
        ((type *)data)[i] = (type)(value);                                                         \
    break

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
    case UFC_FLOAT32: FILL(float, real(g, i));
    case UFC_FLOAT64: FILL(double, real(g, i));
    }
}

ufc_status input_make(struct input *in, ufc_context *ctx, int index, ufc_error *err) {
    if (in->kind == INPUT_NUMBER)
        return UFC_OK;
    ufc_status status = in->kind == INPUT_FILE
                            ? ufc_npy_read(in->text, &in->array, err)
                            : ufc_empty(ctx, in->dtype, in->ndim, in->shape, true, &in->array, err);
    if (status != UFC_OK)
        return status;
    in->arg = ufc_array(&in->array->dl_tensor);
    if (in->kind == INPUT_FILE)
        return UFC_OK;
    struct generator g = {in->kind, in->dtype, 1, mix((uint64_t)index + 1)};
    for (int i = 0; i < in->ndim; i++)
        g.n *= in->shape[i];
    fill(&g, in->array->dl_tensor.data);
    return UFC_OK;
}

void input_end(struct input *in) {
    ufc_free(in->array);
}
