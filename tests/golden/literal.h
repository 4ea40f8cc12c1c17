/* literal.h: what is written by hand in replay.c's files: arrays with their elements, variables. */
#ifndef LITERAL_H
#define LITERAL_H

#include <ctype.h>
#include "elements.h"

enum { MAX_DIMS = 40, MAX_LINE = 1 << 16 };

/* `f4[2,3](-3,1){1,2.5*3,0..9,min}`: a dtype, a shape (without it, one dimension of all elements),
 * strides (without them, C order), the elements in C order, over again if they are too few.  v*n is
 * n times v, a..b whole numbers without b, min and max the type's least and largest number; complex
 * numbers are written as in Python.  {#5x} is data of a seed and a kind, as make.py's. */
struct literal {
    ufc_type dtype;
    int64_t shape[MAX_DIMS], strides[MAX_DIMS];
    int ndim;
    bool strided;
    int64_t n;  /* the product of the shape */
    char *data; /* n elements, in C order; to be freed */
};

/* The whole numbers between two brackets, `close` the second; NULL: that is not there. */
static inline const char *read_list(const char *s, char close, int64_t *list, int *n) {
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

/* The places that go with C order. */
static inline void c_strides(int ndim, const int64_t *shape, int64_t *strides) {
    for (int64_t d = ndim - 1, step = 1; d >= 0; step *= shape[d--])
        strides[d] = step;
}

/* The place of the k-th element in C order, from that of the first. */
static inline int64_t place_of(int64_t k, int ndim, const int64_t *shape, const int64_t *strides) {
    int64_t place = 0;
    for (int d = ndim - 1; d >= 0; k /= shape[d--])
        place += k % shape[d] * strides[d];
    return place;
}

static inline void put_limit(void *data, ufc_type t, int64_t i, bool least) {
    uint64_t all = UINT64_MAX >> (64 - 8 * size_of(t));
    if (dtypes[t].kind == 'f')
        put_float(data, t, i, least ? -dtypes[t].most : dtypes[t].most);
    else if (dtypes[t].kind == 'i')
        put_bits(data, t, i, least ? all / 2 + 1 : all / 2);
    else
        put_bits(data, t, i, least ? 0 : all);
}

/* `2.5`, `1-2j`, `max` */
static inline void put_item(void *data, ufc_type t, int64_t i, const char *word) {
    char *end, text[80];
    if (strcmp(word, "min") == 0 || strcmp(word, "max") == 0) {
        put_limit(data, t, i, word[1] == 'i');
    } else if (dtypes[t].kind == 'c') {
        strtod(word, &end);
        bool imaginary = *end == 'j';
        snprintf(text, sizeof text, "%.*s,%s", imaginary ? 1 : (int)(end - word),
                 imaginary ? "0" : word,
                 imaginary ? word
                 : *end    ? end
                           : "0");
        put_word(data, t, i, text);
    } else
        put_word(data, t, i, word);
}

/* One item of the braces into data, from element n on; how many there are then. */
static inline int64_t put_items(void *data, ufc_type t, int64_t n, char *word, int64_t room) {
    char *range = strstr(word, ".."), *star = strchr(word, '*'), text[32];
    if (range) {
        long long end = strtoll(range + 2, NULL, 10);
        for (long long v = strtoll(word, NULL, 10); v < end && n < room; v++) {
            snprintf(text, sizeof text, "%lld", v);
            put_item(data, t, n++, text);
        }
        return n;
    }
    if (star)
        *star = 0;
    for (long k = star ? strtol(star + 1, NULL, 10) : 1; k > 0 && n < room; k--)
        put_item(data, t, n++, word);
    return n;
}

/* What follows the literal; NULL: there is none. */
static inline const char *read_literal(const char *s, struct literal *l) {
    enum { ROOM = 1 << 16 };
    static char items[ROOM * 16];
    int64_t n = 0;
    memset(l, 0, sizeof *l);
    if (!(s = dtype_named(s, &l->dtype)))
        return NULL;
    bool shaped = *s == '[';
    if (shaped && !(s = read_list(s, ']', l->shape, &l->ndim)))
        return NULL;
    l->strided = *s == '(';
    int nstrides;
    if (l->strided && (!(s = read_list(s, ')', l->strides, &nstrides)) || nstrides != l->ndim))
        return NULL;
    if (*s++ != '{')
        return NULL;
    uint64_t seed = 0;
    char kind = 0;
    if (*s == '#') {
        char *end;
        seed = strtoull(s + 1, &end, 10);
        kind = *end;
        s = end + 1;
    }
    while (*s != '}') {
        char word[64];
        size_t length = strcspn(s, ",}");
        if (!s[length] || length >= sizeof word)
            return NULL;
        snprintf(word, sizeof word, "%.*s", (int)length, s);
        n = put_items(items, l->dtype, n, word, ROOM);
        s += length + (s[length] == ',');
    }
    if (!shaped)
        l->shape[l->ndim++] = n;
    if (!l->strided)
        c_strides(l->ndim, l->shape, l->strides);
    l->n = 1;
    for (int d = 0; d < l->ndim; d++)
        l->n *= l->shape[d];
    if (l->n > 0 && n == 0 && !kind)
        return NULL;
    size_t size = (size_t)size_of(l->dtype);
    REQUIRE(l->data = malloc((size_t)l->n * size + 1));
    for (int64_t i = 0; i < l->n && kind; i++)
        generate(l->data, l->dtype, i, seed, kind);
    for (int64_t i = 0; i < l->n && !kind; i++)
        memcpy(l->data + (size_t)i * size, items + (size_t)(i % n) * size, size);
    return s + 1;
}

/* Calls run with each line that a line with variables stands for: `T=i1,i2 N=1..9 add T{N} 1 ...`
 * is all lines with i1 or i2 for T and 1 to 8 for N, where these stand alone. */
static inline void for_each_line(const char *line, void (*run)(const char *line)) {
    if (!isupper((unsigned char)line[0]) || line[1] != '=') {
        run(line);
        return;
    }
    const char *rest = line + strcspn(line, " "), *value = line + 2;
    char *copy = malloc(MAX_LINE), text[32];
    REQUIRE(copy && *rest);
    const char *range = strstr(value, "..");
    long long next = range ? strtoll(value, NULL, 10) : 0;
    long long end = range && range < rest ? strtoll(range + 2, NULL, 10) : 0;
    while (end ? next < end : value < rest) {
        size_t length = strcspn(value, ", ");
        if (end)
            snprintf(text, sizeof text, "%lld", next++);
        else
            snprintf(text, sizeof text, "%.*s", (int)length, value);
        value += end ? 0 : length + 1;
        size_t n = 0;
        for (const char *s = rest + 1; *s && n < MAX_LINE - sizeof text; s++) {
            bool alone = !isalnum((unsigned char)s[-1]) && !isalnum((unsigned char)s[1]);
            if (*s == line[0] && alone)
                n += (size_t)sprintf(copy + n, "%s", text);
            else
                copy[n++] = *s;
        }
        copy[n] = 0;
        for_each_line(copy, run);
    }
    free(copy);
}

#endif
