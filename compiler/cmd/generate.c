/* generate.c: generated arrays, KIND:SHAPE:DTYPE, and the further options of rand. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "half.h"

__extension__ typedef __int128 whole_number; /* holds every int64 and uint64 */

/* ---- parsing */

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

static const char shape_form[] = "the shape is not as in 1000x3, 1000,3, 2^20 or Nx3";

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
            return shape_form;
        }
        if (word < end && ((*word != 'x' && *word != ',') || word + 1 == end))
            return shape_form;
        word += word < end ? 1 + strspn(word + 1, " ") : 0;
    }
    return NULL;
}

const char *dtype_parse(ufc_type *dtype, const char *name) {
    static const char *const brief[] = {
#define DTYPE(ID, name, brief, ...) brief,
#include "dtype.def"
#undef DTYPE
    };
    for (int t = 0; t < DT_COUNT; t++)
        if (strcmp(name, ufc_type_name(ufc_dltype((ufc_type)t))) == 0 ||
            strcmp(name, brief[t]) == 0) {
            *dtype = (ufc_type)t;
            return NULL;
        }
    return "the type is not one of bool, int8, ..., complex128, b1, i1, ..., c16";
}

/* The range of a whole type: [least, most]. */
static void limits(ufc_type dtype, whole_number *least, whole_number *most) {
    DLDataType t = ufc_dltype(dtype);
    bool has_sign = t.code == kDLInt;
    *least = has_sign ? -((whole_number)1 << (t.bits - 1)) : 0;
    *most = dtype == UFC_BOOL ? 1 : ((whole_number)1 << (t.bits - has_sign)) - 1;
}

/* A value rounded to the type, or to the type's parts. */
static double stored(ufc_type dtype, double value) {
    return round_to(value, part_dtype((enum ufc_dtype)dtype));
}

/* Reads a whole number, and moves *text behind it. */
static bool read_whole(const char **text, whole_number *value) {
    const char *c = *text + (**text == '-' || **text == '+');
    bool read = *c >= '0' && *c <= '9';
    for (*value = 0; *c >= '0' && *c <= '9'; c++) {
        *value = 10 * *value + *c - '0';
        if (*value >> 65)
            return false;
    }
    if (**text == '-')
        *value = -*value;
    *text = c;
    return read;
}

static bool read_real(const char **text, double *value) {
    char *end;
    *value = strchr(" \t\n\v\f\r", **text) ? NAN : strtod(*text, &end);
    bool read = isfinite(*value) && end != *text;
    *text = read ? end : *text;
    return read;
}

/* Reads "," and the spaces behind it, and moves *text behind them. */
static bool read_comma(const char **text) {
    bool read = **text == ',';
    *text += read ? 1 + strspn(*text + 1, " ") : 0;
    return read;
}

static const char range_form[] = "a range is as in rand(-1,1), from the first to below the second";

/* Parses the range "(-1,1)" of a floating type. */
static const char *parse_real_range(struct input *in, const char *text) {
    if (!read_real(&text, &in->low) || !read_comma(&text) || !read_real(&text, &in->high) ||
        strncmp(text, "):", 2) != 0)
        return range_form;
    in->low = stored(in->dtype, in->low);
    in->high = stored(in->dtype, in->high);
    if (!isfinite(in->low) || !isfinite(in->high))
        return "the type does not hold this range";
    return in->low < in->high ? NULL : range_form;
}

static const char *parse_whole_range(struct input *in, const char *text) {
    whole_number least, most, first, end;
    if (!read_whole(&text, &first) || !read_comma(&text) || !read_whole(&text, &end) ||
        strncmp(text, "):", 2) != 0)
        return "a range of whole numbers is as in rand(-10,10), from the first to below the second";
    limits(in->dtype, &least, &most);
    if (first < least || end > most + 1)
        return "the type does not hold this range";
    in->first = (uint64_t)first;
    in->span = (uint64_t)(end - first);
    return first < end ? NULL : range_form;
}

/* Parses the range of rand, once the type is known; text: what follows the kind. */
static const char *parse_range(struct input *in, const char *text) {
    bool whole = !is_float(part_dtype((enum ufc_dtype)in->dtype));
    in->high = 1;
    in->span = in->dtype == UFC_BOOL ? 2 : 100;
    if (*text != '(')
        return NULL;
    return whole ? parse_whole_range(in, text + 1) : parse_real_range(in, text + 1);
}

/* Parses "seed=7". */
static const char *parse_seed(struct input *in, const char *text) {
    static const char name[] = "seed=";
    const char *digits = text + sizeof name - 1;
    char *end = NULL;
    errno = 0;
    if (strncmp(text, name, sizeof name - 1) == 0 && *digits >= '0' && *digits <= '9')
        in->seed = strtoull(digits, &end, 10);
    in->has_seed = true;
    return end && !*end && !errno
               ? NULL
               : "behind the type may stand a seed, a whole number below 2^64, as in :seed=7";
}

/* Parses KIND[(A,B)]:SHAPE:DTYPE[:seed=N]. */
const char *generator_parse(struct input *in) {
    enum { LONGEST = 16 }; /* longer than the name of any type */
    const char *shape = strchr(in->base, ':'), *dtype = shape ? strchr(shape + 1, ':') : NULL;
    if (!dtype)
        return shape ? "neither a file nor an array made on the spot, KIND:SHAPE:DTYPE"
                     : "neither a file nor a number; numbers are as 300, 0x1f, 1e-3, inf, True";
    size_t kind = strcspn(in->base, "(:"), n = strcspn(dtype + 1, ":");
    const char *seed = dtype[1 + n] ? dtype + 2 + n : NULL, *range = in->base + kind;
    char type[LONGEST];
    snprintf(type, sizeof type, "%.*s", (int)(n < LONGEST ? n : LONGEST), dtype + 1);
    const char *wrong = parse_kind(in, in->base, kind);
    if (!wrong && in->kind != INPUT_RAND && (*range == '(' || seed))
        wrong = "a range and a seed are for rand";
    if (!wrong)
        wrong = parse_shape(in, shape + 1, (size_t)(dtype - shape - 1));
    if (!wrong)
        wrong = dtype_parse(&in->dtype, type);
    if (!wrong)
        wrong = parse_range(in, range);
    return wrong || !seed ? wrong : parse_seed(in, seed);
}

/* ---- elements */

struct generator {
    const struct input *in;
    int64_t n;
    uint64_t seed;
    int precision; /* mantissa bits of a floating type, the hidden one included */
};

/* The last steps of splitmix64 (Steele, Lea and Flood, 2014). */
static uint64_t mix(uint64_t z) {
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
}

/* Random bits of element i, which depend on no other element's. */
static uint64_t bits(const struct generator *g, int64_t i) {
    return mix(g->seed + ((uint64_t)i + 1) * 0x9E3779B97F4A7C15);
}

static uint64_t whole(const struct generator *g, int64_t i) {
    switch (g->in->kind) {
    case INPUT_ONES: return 1;
    case INPUT_ARANGE: return (uint64_t)i;
    case INPUT_LINSPACE: return i > 0 && i == g->n - 1;
    case INPUT_RAND: return g->in->first + (g->in->span ? bits(g, i) % g->in->span : bits(g, i));
    default: return 0;
    }
}

/* The greatest number with so many bits of mantissa that is not above value. */
static double truncated(double value, int precision) {
    uint64_t digits, rest = (UINT64_C(1) << (53 - precision)) - 1;
    memcpy(&digits, &value, sizeof digits);
    digits += value < 0 ? rest : 0;
    digits &= ~rest;
    memcpy(&value, &digits, sizeof value);
    return value;
}

/* A random number, uniform in [low, high).  It is truncated to the type's precision, since rounding
 * could make it high. */
static double random_real(const struct generator *g, int64_t i) {
    double low = g->in->low, high = g->in->high;
    double part =
        (double)(bits(g, i) >> (64 - g->precision)) / (double)(UINT64_C(1) << g->precision);
    double value = low * (1 - part) + high * part;
    value = truncated(value > low ? value : low, g->precision);
    return stored(g->in->dtype, value) < high ? value : low; /* rounding may give high */
}

static double real(const struct generator *g, int64_t i) {
    switch (g->in->kind) {
    case INPUT_LINSPACE: /* computed with NumPy's rounding */
        return i == 0 ? 0 : i == g->n - 1 ? 1 : (double)i * (1 / (double)(g->n - 1));
    case INPUT_RAND: return random_real(g, i);
    default: return (double)whole(g, i);
    }
}

/* Part i of a complex array, whose real and imaginary parts alternate.  Imaginary parts are 0, or
 * random. */
static double part(const struct generator *g, int64_t i) {
    if (g->in->kind == INPUT_RAND)
        return real(g, i);
    return i % 2 == 0 ? real(&(struct generator){.in = g->in, .n = g->n / 2}, i / 2) : 0;
}

/* Element i, or part i of a complex array, in the low bits. */
static uint64_t element(const struct generator *g, int64_t i) {
    enum ufc_dtype dtype = (enum ufc_dtype)g->in->dtype;
    if (is_complex(dtype))
        return float_bits(part(g, i), part_dtype(dtype));
    if (is_float(dtype))
        return float_bits(real(g, i), dtype);
    return dtype == DT_BOOL ? whole(g, i) != 0 : whole(g, i);
}

#define FILL(type)                                                                                 \
    for (int64_t i = 0; i < g->n; i++)                                                             \
        ((type *)data)[i] = (type)element(g, i);                                                   \
    break

static void fill(const struct generator *g, void *data) {
    switch (dtype_align((enum ufc_dtype)g->in->dtype)) { /* an element's size, or its parts' */
    case 1: FILL(uint8_t);
    case 2: FILL(uint16_t);
    case 4: FILL(uint32_t);
    default: FILL(uint64_t);
    }
}

/* Fills `all` bytes of data with copies of the first `size` bytes. */
static void repeat(char *data, size_t size, size_t all) {
    for (size_t n; size < all; size += n) {
        n = size < all - size ? size : all - size;
        memcpy(data + size, data, n);
    }
}

ufc_status generator_make(struct input *in, const struct making *how, int index, ufc_error *err) {
    enum { PERIOD = 1 << 22 };
    int64_t shape[MAX_AXES], n = 1;
    for (int i = 0; i < in->ndim; i++)
        shape[i] = in->shape[i] == SWEPT ? how->n : in->shape[i];
    ufc_status status = ufc_empty(how->ctx, in->dtype, in->ndim, shape, UFC_HOST, &in->memory, err);
    if (status != UFC_OK)
        return status;
    for (int i = 0; i < in->ndim; i++)
        n *= shape[i];
    struct generator g = {in, n, mix(in->has_seed ? in->seed : (uint64_t)index + 1),
                          dtype_traits[in->dtype].mantissa + 1};
    bool even = in->kind == INPUT_ARANGE || in->kind == INPUT_LINSPACE;
    if (how->on_device && !even && n > PERIOD)
        g.n = PERIOD;
    size_t size = in->memory->dl_tensor.dtype.bits / 8, made = (size_t)g.n * size;
    if (is_complex((enum ufc_dtype)in->dtype))
        g.n *= 2; /* each element has two parts */
    fill(&g, in->memory->dl_tensor.data);
    repeat(in->memory->dl_tensor.data, made, (size_t)n * size);
    return UFC_OK;
}
