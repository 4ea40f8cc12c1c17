/* case.h: reads a line of replay.c's files. */
#ifndef CASE_H
#define CASE_H

#include <ctype.h>
#include "functions.h"
#include "gufuncs.h"
#include "literal.h"
#include "ops.h"
#include "ufc.h"

static const struct operation {
    const char *name;
    const ufc_ufunc *ufunc;
} operations[] = {
#define OP(name)                                                                                   \
    { #name, &ops_##name##_ufunc }
#define FUNCTION(name)                                                                             \
    { #name, &functions_##name##_ufunc }
#define BUILTIN(name)                                                                              \
    { #name, &functions_##name##__ufunc }
#define GUFUNC(name)                                                                               \
    { #name, &gufuncs_##name##_ufunc }
    /* clang-format off */
    OP(negative), OP(absolute), OP(square), OP(invert), OP(logical_not), OP(copy_bool),
    OP(copy_int8), OP(copy_uint8), OP(copy_int16), OP(copy_uint16), OP(copy_int32),
    OP(copy_uint32), OP(copy_int64), OP(copy_uint64), OP(copy_float16), OP(copy_bfloat16),
    OP(copy_float32), OP(copy_float64), OP(copy_complex64), OP(copy_complex128), OP(add),
    OP(subtract), OP(multiply), OP(floor_divide), OP(remainder), OP(power), OP(divide),
    OP(bitwise_and), OP(bitwise_or), OP(bitwise_xor), OP(left_shift), OP(right_shift), OP(less),
    OP(less_equal), OP(greater), OP(greater_equal), OP(equal), OP(not_equal), OP(maximum),
    OP(minimum), OP(float_max), OP(float_min), OP(logical_and), OP(logical_or), OP(either),
    OP(select), OP(choose), OP(axpb), OP(divmod), OP(sort3),
    FUNCTION(positive), FUNCTION(bitwise_count), FUNCTION(logical_xor), FUNCTION(bool_square),
    FUNCTION(bool_conj), FUNCTION(bool_round), BUILTIN(sinc),
    BUILTIN(sin), BUILTIN(cos), BUILTIN(tan), BUILTIN(arcsin), BUILTIN(arccos), BUILTIN(arctan),
    BUILTIN(sinh), BUILTIN(cosh), BUILTIN(tanh), BUILTIN(arcsinh), BUILTIN(arccosh),
    BUILTIN(arctanh), BUILTIN(exp), BUILTIN(exp2), BUILTIN(expm1), BUILTIN(log), BUILTIN(log2),
    BUILTIN(log10), BUILTIN(log1p), BUILTIN(sqrt), BUILTIN(cbrt), BUILTIN(reciprocal),
    BUILTIN(degrees), BUILTIN(radians), BUILTIN(rint), BUILTIN(floor), BUILTIN(ceil),
    BUILTIN(trunc), BUILTIN(sign), BUILTIN(isnan), BUILTIN(isinf), BUILTIN(isfinite),
    BUILTIN(signbit), BUILTIN(hypot), BUILTIN(arctan2), BUILTIN(logaddexp), BUILTIN(logaddexp2),
    BUILTIN(fmod), BUILTIN(copysign), BUILTIN(nextafter), BUILTIN(spacing), BUILTIN(heaviside), BUILTIN(ldexp),
    BUILTIN(gcd), BUILTIN(lcm), BUILTIN(fmax), BUILTIN(fmin), BUILTIN(frexp), BUILTIN(modf),
    GUFUNC(inner1d), GUFUNC(innerwt), GUFUNC(matrix_multiply), GUFUNC(matmul), GUFUNC(cumsum),
    GUFUNC(cross1d), GUFUNC(conv1d_full), GUFUNC(euclidean_pdist), GUFUNC(minmax), GUFUNC(axpy),
    GUFUNC(vecdot), GUFUNC(matvec), GUFUNC(vecmat),
/* clang-format on */
#undef OP
#undef FUNCTION
#undef BUILTIN
#undef GUFUNC
};

enum { MAX_ARGS = 8, LETTERS = 26 };

enum method { CALL, REDUCE, ACCUMULATE, REDUCEAT, OUTER, AT, METHODS };
static const struct {
    const char *name;
    int nin, nout;
} methods[METHODS] = {{"call", 0, 0},     {"reduce", 1, 1}, {"accumulate", 1, 1},
                      {"reduceat", 2, 1}, {"outer", 2, 1},  {"at", 3, 0}};

struct buffer {
    ufc_type dtype;
    int64_t size; /* elements */
    uint64_t seed;
    char kind;
    bool given;          /* indices: on the host */
    char *before, *host; /* as generated; in the call's hands, or what came back */
    DLManagedTensorVersioned *device;
};

struct view {
    int letter; /* -1: a number, or a new array */
    ufc_arg number;
    int64_t offset, shape[MAX_DIMS], strides[MAX_DIMS];
    int ndim;
    bool strided;
    DLTensor array;
};

struct test_case {
    const struct operation *op;
    enum method method;
    int nin, nout;
    ufc_keywords kw; /* but `where` */
    int axes[MAX_DIMS];
    ufc_axes core_axes[MAX_ARGS];
    int core_lists[MAX_ARGS][MAX_DIMS];
    ufc_arg initial;
    struct view mask; /* shape and strides as of a view; ndim -1: none */
    double ulps;      /* -1: equal bits, NaNs apart */
    struct buffer buffers[LETTERS];
    struct view args[MAX_ARGS]; /* inputs, then outputs */
    const char *expected;       /* from '=' or '!' on */
    bool for_hosts;
};

static bool on_gpu, by_kernels; /* the GPU's, which the simulator runs too */

enum place { ON_HOST, ON_DEVICE, MIXED };

/* ---- reading a case */

static bool read_number(const char *s, ufc_arg *number) {
    char *end;
    if (strcmp(s, "True") == 0 || strcmp(s, "False") == 0) {
        *number = ufc_bool(*s == 'T');
        return true;
    }
    *number = ufc_int(strtoll(s, &end, 10));
    if (*end)
        *number = ufc_float(strtod(s, &end));
    if (*end == ',') {
        double re = strtod(s, NULL);
        *number = ufc_complex(re, strtod(end + 1, &end));
    } else if (strcmp(end, "j") == 0) {
        *number = ufc_complex(0, strtod(s, &end));
        end++;
    } else if (*end == '+' || *end == '-') {
        double re = strtod(s, NULL);
        *number = ufc_complex(re, strtod(end, &end));
        end += *end == 'j';
    }
    return end > s && *end == 0;
}

/* `A+3[2,3](12,-1)`, `#2.5` or `new` */
static bool read_view(const char *s, struct view *v) {
    memset(v, 0, sizeof *v);
    v->letter = -1;
    if (*s == '#')
        return read_number(s + 1, &v->number);
    if (strcmp(s, "new") == 0)
        return true;
    if (!isupper((unsigned char)*s) || s[1] != '+')
        return read_number(s, &v->number);
    char *end;
    v->letter = *s - 'A';
    v->offset = strtoll(s + 1, &end, 10);
    s = *end == '[' ? read_list(end, ']', v->shape, &v->ndim) : NULL;
    if (s && *s == '(') {
        int n;
        v->strided = true;
        s = read_list(s, ')', v->strides, &n);
        if (n != v->ndim)
            return false;
    }
    return s && *s == 0 && v->letter >= 0 && v->letter < LETTERS;
}

/* An array of its own, at the last letter that is free. */
static bool read_array(const char *s, struct test_case *c, struct view *v, bool on_host) {
    struct literal l;
    int letter = LETTERS - 1;
    while (letter > 0 && c->buffers[letter].before)
        letter--;
    struct buffer *b = &c->buffers[letter];
    if (!(s = read_literal(s, &l)) || *s)
        return false;
    int64_t low = 0, high = 0, size = size_of(l.dtype);
    for (int d = 0; d < l.ndim && l.n > 0; d++) {
        int64_t reach = (l.shape[d] - 1) * l.strides[d];
        *(reach < 0 ? &low : &high) += reach;
    }
    memset(v, 0, sizeof *v);
    memcpy(v->shape, l.shape, sizeof l.shape);
    memcpy(v->strides, l.strides, sizeof l.strides);
    *b = (struct buffer){l.dtype, high - low + 1, (uint64_t)letter, 's', on_host, NULL, NULL, NULL};
    v->letter = letter;
    v->ndim = l.ndim;
    v->strided = l.strided;
    v->offset = -low;
    REQUIRE((b->before = malloc((size_t)(b->size * size))));
    REQUIRE((b->host = malloc((size_t)(b->size * size))));
    for (int64_t i = 0; i < b->size; i++) /* what is between the elements */
        generate(b->before, b->dtype, i, b->seed, b->kind);
    for (int64_t k = 0; k < l.n; k++)
        memcpy(b->before + (v->offset + place_of(k, l.ndim, l.shape, l.strides)) * size,
               l.data + k * size, (size_t)size);
    free(l.data);
    return true;
}

/* `0,4,-1` */
static void read_elements(struct buffer *b, const char *s) {
    for (int64_t i = 0; i < b->size; i++) {
        put_word(b->before, b->dtype, i, s);
        s += strcspn(s, ",");
        s += *s == ',';
    }
}

/* `A=f4*24#5x` or `A=i8*3:0,4,-1` */
static bool read_buffer(const char *s, struct test_case *c) {
    if (*s < 'A' || *s > 'Z')
        return false;
    struct buffer *b = &c->buffers[*s - 'A'];
    long long size;
    unsigned long long seed;
    const char *elements = strchr(s, ':'), *rest = dtype_named(s + 2, &b->dtype);
    if (!rest)
        return false;
    if (elements ? sscanf(rest, "*%lld", &size) != 1
                 : sscanf(rest, "*%lld#%llu%c", &size, &seed, &b->kind) != 3)
        return false;
    b->size = size;
    b->seed = elements ? 0 : seed;
    b->given = elements != NULL;
    size_t bytes = (size_t)(size * size_of(b->dtype));
    b->before = malloc(bytes);
    b->host = malloc(bytes);
    REQUIRE(b->before && b->host);
    if (elements)
        read_elements(b, elements + 1);
    for (int64_t i = 0; i < size && !elements; i++)
        generate(b->before, b->dtype, i, b->seed, b->kind);
    return true;
}

/* `add` or `add.reduce` */
static void read_operation(const char *word, struct test_case *c) {
    size_t n = strcspn(word, ".");
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        if (strncmp(word, operations[i].name, n) == 0 && !operations[i].name[n])
            c->op = &operations[i];
    for (int m = CALL + 1; m < METHODS && word[n]; m++)
        if (strcmp(word + n + 1, methods[m].name) == 0)
            c->method = (enum method)m;
    if (c->op) {
        ufc_description d = ufc_describe(c->op->ufunc);
        c->nin = c->method ? methods[c->method].nin : d.nin;
        c->nout = c->method ? methods[c->method].nout : d.nout;
    }
}

static bool read_axes(const char *s, struct test_case *c) {
    c->kw.all_axes = strcmp(s, "none") == 0;
    if (c->kw.all_axes)
        return true;
    c->kw.axes = c->axes;
    for (s += strcmp(s, "()") == 0 ? 2 : 0; *s; s += *s == ',') {
        char *end;
        c->axes[c->kw.naxes++] = (int)strtol(s, &end, 10);
        if (end == s || c->kw.naxes == MAX_DIMS)
            return false;
        s = end;
    }
    return true;
}

/* `(0,1)(-1)()` */
static bool read_core_axes(const char *s, struct test_case *c) {
    c->kw.core_axes = c->core_axes;
    while (s && *s == '(' && c->kw.ncore_axes < MAX_ARGS) {
        int64_t list[MAX_DIMS];
        ufc_axes *a = &c->core_axes[c->kw.ncore_axes];
        int *axes = c->core_lists[c->kw.ncore_axes++];
        s = read_list(s, ')', list, &a->naxes);
        a->axes = axes;
        for (int i = 0; s && i < a->naxes; i++)
            axes[i] = (int)list[i];
    }
    return s && (!*s || !c->kw.ncore_axes); /* "none" */
}

/* `axis=0,1`, `axes=(0)(1)()`, `keepdims`, `initial=3`, `dtype=f4`, `casting=safe` */
static bool read_keyword(const char *s, struct test_case *c) {
    static const char *const rules[] = {"default", "no", "equiv", "safe", "same_kind", "unsafe"};
    const char *value = strchr(s, '=') ? strchr(s, '=') + 1 : s;
    ufc_type t;
    switch (*s) {
    case 'a': return s[2] == 'e' ? read_core_axes(value, c) : read_axes(value, c);
    case 'k': c->kw.keepdims = true; return true;
    case 'i': c->kw.initial = &c->initial; return read_number(value, &c->initial);
    case 'd':
        if (dtype_named(value, &t))
            c->kw.dtype = ufc_dltype(t);
        return c->kw.dtype.bits > 0;
    default:
        for (int i = 0; i < 6; i++)
            if (strcmp(value, rules[i]) == 0)
                c->kw.casting = (ufc_casting)i;
        return c->kw.casting > 0;
    }
}

/* `@0`: the same view as argument 0. */
static bool read_argument(const char *word, struct test_case *c, int *n) {
    if (*n == MAX_ARGS)
        return false;
    struct view *v = &c->args[(*n)++];
    bool indices = *n == 2 && (c->method == REDUCEAT || c->method == AT);
    if (strchr(word, '{'))
        return read_array(word, c, v, indices);
    if (*word == '@') {
        *v = c->args[word[1] - '0'];
        return word[1] >= '0' && word[1] < '0' + *n - 1;
    }
    return read_view(word, v);
}

static bool read_word(const char *word, struct test_case *c, bool buffers, int *n) {
    if (*word == '~' || *word == '^') {
        if (*word == '~' || by_kernels)
            c->ulps = strtod(word + 1, NULL);
        return true;
    }
    if (strcmp(word, "host") == 0 || strcmp(word, "ours") == 0) {
        c->for_hosts = c->for_hosts || *word == 'h';
        return true;
    }
    if (*word == '?')
        return strchr(word, '{') ? read_array(word + 1, c, &c->mask, false)
                                 : read_view(word + 1, &c->mask);
    if (buffers && isupper((unsigned char)*word) && word[1] == '=')
        return read_buffer(word, c);
    if (buffers && !strchr(word, '{') && (strchr(word, '=') || strcmp(word, "keepdims") == 0))
        return read_keyword(word, c);
    return read_argument(word, c, n);
}

/* Cuts the line into words.  False: not a case. */
static bool read_case(char *line, struct test_case *c) {
    memset(c, 0, sizeof *c);
    c->ulps = -1;
    c->mask.ndim = -1;
    c->expected = strpbrk(line, "=!");
    while (c->expected && c->expected[1] != ' ')
        c->expected = strpbrk(c->expected + 1, "=!");
    if (!c->expected)
        return false;
    line[c->expected - line - 1] = 0;

    int n = 0;
    bool buffers = true;
    char *word = strtok(line, " ");
    read_operation(word, c);
    while (c->op && (word = strtok(NULL, " "))) {
        if (strcmp(word, ":") == 0)
            buffers = false;
        else if (strcmp(word, "->") != 0 && !read_word(word, c, buffers, &n))
            return false;
    }
    while (c->op && n >= c->nin && n < c->nin + c->nout)
        c->args[n++].letter = -1; /* new ones */
    return c->op && n == c->nin + c->nout;
}

static void free_case(struct test_case *c) {
    for (int i = 0; i < LETTERS; i++) {
        free(c->buffers[i].before);
        free(c->buffers[i].host);
    }
}

#endif
