/* replay.c: calls the ufuncs of ops.uf and the gufuncs of umath.uf with the cases that make.py
 * wrote, and compares.
 *
 *     replay [--device=cpu|cuda|sim] FILE...
 *
 * make.py describes the files.  On a GPU each case runs three times: with its buffers on the
 * device, on the host, and some here and some there. */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>
#include "../driver.h"
#include "../test.h"
#include "elements.h"
#include "ops.h"
#include "umath.h"
#include "ufc.h"

static const struct operation {
    const char *name;
    const ufc_ufunc *ufunc;
    int nin, nout;
} operations[] = {
#define OP(name, nin, nout)                                                                        \
    { #name, &ops_##name##_ufunc, nin, nout }
    /* clang-format off */
    OP(negative, 1, 1), OP(absolute, 1, 1), OP(square, 1, 1), OP(invert, 1, 1),
    OP(logical_not, 1, 1), OP(copy_bool, 1, 1), OP(copy_int8, 1, 1), OP(copy_uint8, 1, 1),
    OP(copy_int16, 1, 1), OP(copy_uint16, 1, 1), OP(copy_int32, 1, 1), OP(copy_uint32, 1, 1),
    OP(copy_int64, 1, 1), OP(copy_uint64, 1, 1), OP(copy_float16, 1, 1), OP(copy_bfloat16, 1, 1),
    OP(copy_float32, 1, 1), OP(copy_float64, 1, 1), OP(copy_complex64, 1, 1),
    OP(copy_complex128, 1, 1),
    OP(add, 2, 1), OP(subtract, 2, 1), OP(multiply, 2, 1), OP(floor_divide, 2, 1),
    OP(remainder, 2, 1), OP(power, 2, 1), OP(divide, 2, 1), OP(bitwise_and, 2, 1),
    OP(bitwise_or, 2, 1), OP(bitwise_xor, 2, 1), OP(left_shift, 2, 1), OP(right_shift, 2, 1),
    OP(less, 2, 1), OP(less_equal, 2, 1), OP(greater, 2, 1), OP(greater_equal, 2, 1),
    OP(equal, 2, 1), OP(not_equal, 2, 1), OP(maximum, 2, 1), OP(minimum, 2, 1), OP(float_max, 2, 1),
    OP(float_min, 2, 1), OP(logical_and, 2, 1), OP(logical_or, 2, 1),
    OP(either, 2, 1), OP(select, 3, 1), OP(choose, 3, 1), OP(axpb, 4, 1), OP(divmod, 2, 2), OP(sort3, 3, 3),
#undef OP
#define OP(name, nin, nout) { #name, &umath_##name##_ufunc, nin, nout }
    OP(inner1d, 2, 1), OP(innerwt, 3, 1), OP(matrix_multiply, 2, 1), OP(matmul, 2, 1), OP(cumsum, 1, 1),
    OP(cross1d, 2, 1), OP(conv1d_full, 2, 1), OP(euclidean_pdist, 1, 1), OP(minmax, 1, 2), OP(axpy, 3, 1),
/* clang-format on */
#undef OP
};

static const char *const statuses[] = {"OK",      "EINVAL", "ESHAPE", "EDTYPE",
                                       "EDEVICE", "ECUDA",  "ENOMEM", "EIO"};

enum { MAX_DIMS = 16, MAX_ARGS = 8, LETTERS = 26, MAX_LINE = 1 << 16 };

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
};

static bool on_gpu, by_kernels; /* the GPU's, which the simulator runs too */

enum place { ON_HOST, ON_DEVICE, MIXED };

/* ---- reading a case */

/* The whole numbers between two brackets, `close` the second. */
static const char *read_list(const char *s, char close, int64_t *list, int *n) {
    *n = 0;
    for (s++; *s != close; s += *s == ',') {
        char *end;
        if (*n == MAX_DIMS)
            return NULL;
        list[(*n)++] = strtoll(s, &end, 10);
        if (end == s)
            return NULL;
        s = end;
    }
    return s + 1;
}

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
    }
    return *end == 0;
}

/* `A+3[2,3](12,-1)`, `#2.5` or `new` */
static bool read_view(const char *s, struct view *v) {
    memset(v, 0, sizeof *v);
    v->letter = -1;
    if (*s == '#')
        return read_number(s + 1, &v->number);
    if (strcmp(s, "new") == 0)
        return true;
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
        c->nin = c->method ? methods[c->method].nin : c->op->nin;
        c->nout = c->method ? methods[c->method].nout : c->op->nout;
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

static bool read_word(const char *word, struct test_case *c, bool buffers, int *n) {
    if (*word == '~' || *word == '^') {
        if (*word == '~' || by_kernels)
            c->ulps = strtod(word + 1, NULL);
        return true;
    }
    if (buffers)
        return islower((unsigned char)*word) ? read_keyword(word, c) : read_buffer(word, c);
    if (*word == '?')
        return read_view(word + 1, &c->mask);
    return *n < MAX_ARGS && read_view(word, &c->args[(*n)++]);
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
    return c->op && n == c->nin + c->nout;
}

static void free_case(struct test_case *c) {
    for (int i = 0; i < LETTERS; i++) {
        free(c->buffers[i].before);
        free(c->buffers[i].host);
    }
}

/* ---- running it */

static ufc_context *context;
static ufc_error err;
static int npassed;

static void copy(const DLTensor *from, const DLTensor *to) {
    if (ufc_copy(context, NULL, from, to, &err) != UFC_OK) {
        printf("ufc_copy: %s\n", err.message);
        exit(1);
    }
}

static void bytes_between(struct buffer *b, bool to_device) {
    DLTensor host = b->device->dl_tensor;
    host.device = (DLDevice){kDLCPU, 0};
    host.data = b->host;
    if (to_device)
        copy(&host, &b->device->dl_tensor);
    else
        copy(&b->device->dl_tensor, &host);
}

/* There are two ways to say where a view begins. */
static void prepare_view(struct test_case *c, struct view *v, bool by_offset) {
    if (v->letter < 0)
        return;
    struct buffer *b = &c->buffers[v->letter];
    int64_t skip = v->offset * size_of(b->dtype);
    v->array = ufc_host_array(b->host, ufc_dltype(b->dtype), v->ndim, v->shape);
    if (b->device) {
        v->array.data = b->device->dl_tensor.data;
        v->array.device = b->device->dl_tensor.device;
    }
    if (v->strided)
        v->array.strides = v->strides;
    if (by_offset)
        v->array.byte_offset = (uint64_t)skip;
    else
        v->array.data = (char *)v->array.data + skip;
}

/* Puts the buffers where the call is to find them. */
static void prepare(struct test_case *c, enum place place) {
    for (int i = 0; i < LETTERS; i++) {
        struct buffer *b = &c->buffers[i];
        if (!b->before)
            continue;
        int64_t bytes = b->size * size_of(b->dtype);
        memcpy(b->host, b->before, (size_t)bytes);
        if (place == ON_HOST || b->given || (place == MIXED && (b->seed + (uint64_t)i) % 2))
            continue;
        REQUIRE(ufc_empty(context, UFC_INT8, 1, &bytes, false, &b->device, &err) == UFC_OK);
        bytes_between(b, true);
    }
    for (int i = 0; i < c->nin + c->nout; i++)
        prepare_view(c, &c->args[i], i % 2);
    if (c->mask.ndim >= 0)
        prepare_view(c, &c->mask, false);
    c->kw.where = c->mask.ndim >= 0 ? &c->mask.array : NULL;
}

static void collect(struct test_case *c) {
    for (int i = 0; i < LETTERS; i++) {
        struct buffer *b = &c->buffers[i];
        if (b->device) {
            bytes_between(b, false);
            ufc_free(b->device);
            b->device = NULL;
        }
    }
}

/* ---- comparing: each says in `why` what is wrong */

static char why[320];

static bool differs(const char *where, ufc_type t, int64_t i, const void *got, const void *want) {
    char a[64], b[64];
    spell(a, sizeof a, got, t, i);
    spell(b, sizeof b, want, t, i);
    snprintf(why, sizeof why, "%s, element %lld is %s, not %s", where, (long long)i, a, b);
    return false;
}

/* Compares `got` with the words at *s, and takes them. */
static bool elements_match(const char **s, const char *where, const void *got, const char *before,
                           ufc_type t, int64_t n, double ulps) {
    char *want = malloc((size_t)(n ? n : 1) * (size_t)size_of(t)), word[64];
    REQUIRE(want);
    bool ok = true;
    for (int64_t i = 0; i < n;) {
        int taken = 0;
        if (sscanf(*s, " %63s%n", word, &taken) != 1)
            break;
        *s += taken;
        char *star = strchr(word, '*');
        for (long k = star ? strtol(star + 1, NULL, 10) : 1; k > 0 && i < n; k--, i++) {
            if (*word == '_')
                memcpy(want + i * size_of(t), before + i * size_of(t), (size_t)size_of(t));
            else
                put_word(want, t, i, word);
            if (ok && !equal(got, want, t, i, ulps))
                ok = differs(where, t, i, got, want);
        }
    }
    free(want);
    return ok;
}

/* `0: f4[2,3] ...`: an allocated result. */
static bool result_matches(struct test_case *c, const char **s, DLManagedTensorVersioned *result) {
    ufc_type t;
    int64_t shape[MAX_DIMS], n = 1;
    int ndim;
    char where[32];
    snprintf(where, sizeof where, "output %c", **s);
    *s = dtype_named(*s + 3, &t);
    REQUIRE(*s);
    *s = read_list(*s, ']', shape, &ndim);
    REQUIRE(*s);
    const DLTensor *r = &result->dl_tensor;
    bool same_shape = r->ndim == ndim;
    for (int i = 0; i < ndim; i++) {
        same_shape = same_shape && r->shape[i] == shape[i];
        n *= shape[i];
    }
    if (r->dtype.code != ufc_dltype(t).code || r->dtype.bits != ufc_dltype(t).bits) {
        snprintf(why, sizeof why, "%s is %s", where, ufc_type_name(r->dtype));
        return false;
    }
    if (!same_shape) {
        snprintf(why, sizeof why, "%s has another shape", where);
        return false;
    }
    char *got = malloc((size_t)(n ? n : 1) * (size_t)size_of(t));
    REQUIRE(got);
    DLTensor host = ufc_host_array(got, r->dtype, ndim, shape);
    copy(r, &host);
    bool ok = elements_match(s, where, got, NULL, t, n, c->ulps);
    free(got);
    return ok;
}

static bool buffer_matches(struct test_case *c, int letter, const char **s) {
    const struct buffer *b = &c->buffers[letter];
    char where[32];
    snprintf(where, sizeof where, "buffer %c", 'A' + letter);
    return elements_match(s, where, b->host, b->before, b->dtype, b->size, c->ulps);
}

static bool results_match(struct test_case *c, DLManagedTensorVersioned **results) {
    bool seen[LETTERS] = {false};
    const char *s = c->expected + 1;
    while (*s == ' ' && s[1]) {
        s++;
        if (isdigit((unsigned char)*s)) {
            if (!result_matches(c, &s, results[*s - '0']))
                return false;
        } else {
            int letter = *s - 'A';
            REQUIRE(letter >= 0 && letter < LETTERS && c->buffers[letter].before);
            seen[letter] = true;
            s += 2;
            if (!buffer_matches(c, letter, &s))
                return false;
        }
    }
    for (int i = 0; i < LETTERS; i++) { /* the others stay as they were */
        const char *rest = "_*1000000";
        if (c->buffers[i].before && !seen[i] && !buffer_matches(c, i, &rest))
            return false;
    }
    return true;
}

static bool status_matches(struct test_case *c, ufc_status status) {
    char want[16] = "OK";
    if (*c->expected == '!')
        sscanf(c->expected + 2, "%15s", want);
    if (strcmp(want, "any") == 0 ? status != UFC_OK : strcmp(want, statuses[status]) == 0) {
        snprintf(why, sizeof why, "an error without a message");
        return status == UFC_OK || *err.message;
    }
    snprintf(why, sizeof why, "the call gave %s, not %s%s%.150s", statuses[status], want,
             status ? ": " : "", status ? err.message : "");
    return false;
}

static ufc_status call(struct test_case *c, const ufc_arg *in, const ufc_out *out) {
    const ufc_ufunc *f = c->op->ufunc;
    bool plain = c->mask.ndim < 0 && !c->kw.casting && !c->kw.dtype.bits && !c->kw.axes &&
                 !c->kw.core_axes && !c->kw.keepdims;
    switch (c->method) {
    case REDUCE: return ufc_reduce(context, NULL, f, in[0], out[0], &c->kw, &err);
    case ACCUMULATE: return ufc_accumulate(context, NULL, f, in[0], out[0], &c->kw, &err);
    case REDUCEAT:
        return ufc_reduceat(context, NULL, f, in[0], in[1].as.array, out[0], &c->kw, &err);
    case OUTER: return ufc_outer(context, NULL, f, in[0], in[1], out[0], &c->kw, &err);
    case AT: return ufc_at(context, NULL, f, in[0].as.array, in[1].as.array, in[2], &err);
    default:
        return plain ? ufc_call(context, NULL, f, in, out, &err)
                     : ufc_call_with(context, NULL, f, in, out, &c->kw, &err);
    }
}

static bool run_case(struct test_case *c, enum place place) {
    ufc_arg in[MAX_ARGS];
    ufc_out out[MAX_ARGS];
    DLManagedTensorVersioned *results[MAX_ARGS] = {NULL};
    int nin = c->nin, nout = c->nout;
    prepare(c, place);
    for (int i = 0; i < nin; i++)
        in[i] = c->args[i].letter < 0 ? c->args[i].number : ufc_array(&c->args[i].array);
    for (int i = 0; i < nout; i++)
        out[i] =
            c->args[nin + i].letter < 0 ? ufc_new(&results[i]) : ufc_into(&c->args[nin + i].array);
    *err.message = 0;
    ufc_status status = call(c, in, out);
    bool ok = status_matches(c, status);
    if (ufc_synchronize(context, NULL, &err) != UFC_OK) {
        printf("ufc_synchronize: %s\n", err.message);
        exit(1);
    }
    collect(c);
    if (ok && status == UFC_OK)
        ok = results_match(c, results);
    for (int i = 0; i < nout; i++)
        ufc_free(results[i]);
    return ok;
}

static void replay(const char *path) {
    static const char *const places[] = {"", " (on the device)", " (on host and device)"};
    static char line[MAX_LINE], words[MAX_LINE];
    FILE *f = fopen(path, "r");
    if (!f) {
        printf("replay: cannot read %s\n", path);
        exit(1);
    }
    for (int number = 1; fgets(line, sizeof line, f); number++) {
        struct test_case c;
        if (*line == '#')
            continue;
        line[strcspn(line, "\n")] = 0;
        memcpy(words, line, sizeof line);
        if (!read_case(words, &c)) {
            printf("%s:%d: not a case: %.60s\n", path, number, line);
            exit(1);
        }
        for (enum place p = ON_HOST; p <= (on_gpu ? MIXED : ON_HOST); p++) {
            if (run_case(&c, p)) {
                npassed++;
                continue;
            }
            test_failures++;
            printf("%s:%d%s: %s\n    %.160s%s\n", path, number, places[p], why, line,
                   strlen(line) > 160 ? " ..." : "");
        }
        free_case(&c);
    }
    fclose(f);
}

int main(int argc, char **argv) {
    const char *device = "cpu";
    int first = 1;
    if (first < argc && strncmp(argv[first], "--device=", 9) == 0)
        device = argv[first++] + 9;
    on_gpu = strcmp(device, "cuda") == 0;
    by_kernels = strcmp(device, "cpu") != 0;
    const char *reason = "no GPU";
    if (on_gpu && ufc_device_count(&reason) == 0) {
        printf("replay: %s\n", reason);
        return SKIPPED;
    }
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        make_known(operations[i].ufunc);
    if (ufc_context_new(&context, device, 0, &err) != UFC_OK) {
        printf("replay: %s\n", err.message);
        return 1;
    }
    for (int i = first; i < argc; i++)
        replay(argv[i]);
    ufc_context_free(context);
    printf("%d passed, %d failed\n", npassed, test_failures);
    return test_failures > 0;
}
