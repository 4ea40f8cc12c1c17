/* print.c: prints arrays as NumPy's str() does, but with as many digits as are needed to read a
 * number back (floatmode='unique').  After numpy/_core/arrayprint.py. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "half.h"

enum {
    LINE_WIDTH = 75,
    THRESHOLD = 1000, /* arrays of more elements are summarised */
    EDGE = 3,         /* how many elements are shown on each side of the dots */
    BOTH_EDGES = 2 * EDGE,
    WORD = 64, /* longer than the text of any element */
    LINE = LINE_WIDTH + 3 * WORD,
};

/* How floating-point numbers are shown, which depends on all that are shown. */
struct form {
    bool plus;                /* positive numbers have a sign too */
    double largest, smallest; /* absolute values; 0 is not counted */
    bool any_special, negative_infinity;
    bool exponential;
    int left, right; /* how many characters are before and behind the point */
    int exponent;    /* how many digits the exponent has */
    int width;
};

struct printer {
    FILE *out;
    const DLTensor *array;
    bool summarised;
    int nparts; /* floating-point parts of an element: 1, 2 in a complex one, 0 in a whole one */
    enum ufc_dtype real; /* the type of a part */
    double cutoff;       /* numbers from this one on need exponents */
    struct form form[2];
    int part;        /* the part that is being measured */
    int width;       /* the width of whole numbers */
    char line[LINE]; /* the line that is being made */
    int length;
};

/* ---- elements as text */

static double real_at(const struct printer *p, const void *at, int part) {
    size_t size = (size_t)dtype_traits[p->real].bits / 8;
    uint64_t bits = 0;
    memcpy(&bits, (const char *)at + (size_t)part * size, size);
    return float_value(bits, p->real);
}

static void whole_text(const struct printer *p, const void *at, char text[WORD]) {
    int bits = p->array->dtype.bits;
    uint64_t u = 0;
    memcpy(&u, at, (size_t)bits / 8);
    if (p->array->dtype.code == kDLInt) {
        snprintf(text, WORD, "%lld", (long long)(u << (64 - bits)) >> (64 - bits));
        return;
    }
    if (p->array->dtype.code == kDLBool)
        snprintf(text, WORD, "%s", u ? "True" : "False");
    else
        snprintf(text, WORD, "%llu", (unsigned long long)u);
}

struct decimal {
    bool negative;
    char digits[20];
    int n;
    int exponent; /* the exponent of the first digit */
};

static bool reads_back(const struct printer *p, const char *text, double x) {
    return (p->real == DT_FLOAT32 ? (double)strtof(text, NULL)
                                  : round_to(strtod(text, NULL), p->real)) == x;
}

/* The fewest digits that read back as x.  They are not always the nearest decimal of their length:
 * below a power of two, numbers are closer together than above, and the next decimal up may be the
 * only one that reads back. */
static struct decimal shortest(const struct printer *p, double x) {
    struct decimal d = {.negative = signbit(x)};
    char text[WORD];
    for (int places = 0; places <= 16; places++) {
        snprintf(text, sizeof text, "%.*e", places, fabs(x));
        if (reads_back(p, text, fabs(x)))
            break;
        char *last = text + (places ? places + 1 : 0);
        if (*last == '9')
            continue;
        ++*last;
        if (reads_back(p, text, fabs(x)))
            break;
    }
    char *c = text;
    for (; *c != 'e'; c++)
        if (*c != '.')
            d.digits[d.n++] = *c;
    d.exponent = (int)strtol(c + 1, NULL, 10);
    return d;
}

/* Writes "12.5", "300.", "0.001".  Gives the number of characters before the point. */
static int positional(const struct decimal *d, char text[WORD]) {
    char *c = text;
    int point = d->exponent + 1; /* how many digits are before it */
    if (d->negative)
        *c++ = '-';
    if (point <= 0)
        *c++ = '0';
    for (int i = 0; i < point; i++)
        *c++ = (char)(i < d->n ? d->digits[i] : '0');
    int before = (int)(c - text);
    *c++ = '.';
    for (int i = point; i < 0; i++)
        *c++ = '0';
    for (int i = point > 0 ? point : 0; i < d->n; i++)
        *c++ = d->digits[i];
    *c = '\0';
    return before;
}

/* Writes "1.25e+10", "3.e-07".  Without `point`, a point with no digits behind it is left out. */
static void scientific(const struct decimal *d, bool point, char text[WORD]) {
    snprintf(text, WORD, "%s%c%s%se%+03d", d->negative ? "-" : "", d->digits[0],
             point || d->n > 1 ? "." : "", d->digits + 1, d->exponent);
}

static const char *special_text(double x) {
    return isnan(x) ? "nan" : x < 0 ? "-inf" : "inf";
}

/* Writes a number, or a part, of an array without dimensions; a whole number ends in `after`. */
static void scalar_part(const struct printer *p, double x, const char *after, char text[WORD]) {
    if (!isfinite(x)) {
        snprintf(text, WORD, "%s", special_text(x));
        return;
    }
    struct decimal d = shortest(p, x);
    if (x != 0 && (fabs(x) < 1e-4 || fabs(x) >= (p->real == DT_FLOAT64 ? 1e16 : p->cutoff))) {
        scientific(&d, false, text);
        return;
    }
    positional(&d, text);
    size_t n = strlen(text);
    if (text[n - 1] == '.')
        snprintf(text + n - 1, WORD - n + 1, "%s", after);
}

static void print_scalar(const struct printer *p, const void *at) {
    char re[WORD], im[WORD];
    if (p->nparts == 0) {
        whole_text(p, at, re);
        fputs(re, p->out);
        return;
    }
    double x = real_at(p, at, 0);
    scalar_part(p, x, p->nparts == 2 ? "" : ".0", re);
    if (p->nparts == 1) {
        fputs(re, p->out);
        return;
    }
    scalar_part(p, real_at(p, at, 1), "", im);
    if (x == 0 && !signbit(x))
        fprintf(p->out, "%sj", im);
    else
        fprintf(p->out, "(%s%s%sj)", re, *im == '-' ? "" : "+", im);
}

/* Writes 1.50e+010, with as many digits behind the point and in the exponent as the other
 * numbers. */
static void exponential_text(const struct printer *p, const struct form *f, double x,
                             char text[WORD]) {
    struct decimal d = shortest(p, x);
    if (d.n - 1 == f->right)
        scientific(&d, true, text);
    else
        snprintf(text, WORD - 1, "%#.*e", f->right, x);
    char *digits = strchr(text, 'e') + 2;
    size_t n = strlen(digits);
    if (n < (size_t)f->exponent) { /* two digits, where others have three */
        memmove(digits + 1, digits, n + 1);
        *digits = '0';
    }
}

/* Writes a number as wide as the form; an imaginary part's j stands before the spaces that pad it
 * on the right. */
static int real_text(const struct printer *p, int part, double x, char text[WORD]) {
    const struct form *f = &p->form[part];
    char bare[WORD + 2] = "+", *number = bare + 1;
    int fill = 0;
    if (!isfinite(x)) {
        snprintf(number, WORD, "%s", special_text(x));
    } else if (f->exponential) {
        exponential_text(p, f, x, number);
    } else {
        struct decimal d = shortest(p, x);
        int before = positional(&d, number), after = (int)strlen(number) - before - 1;
        fill = f->right - after;
    }
    if (f->plus && *number != '-')
        number = bare;
    return snprintf(text, WORD, "%*s%s%*s", f->width - fill, number, part == 1 ? "j" : "", fill,
                    "");
}

static void element_text(const struct printer *p, const void *at, char text[2 * WORD]) {
    char bare[WORD];
    if (p->nparts == 0) {
        whole_text(p, at, bare);
        snprintf(text, WORD, "%*s", p->width, bare);
        return;
    }
    for (int part = 0; part < p->nparts; part++)
        text += real_text(p, part, real_at(p, at, part), text);
}

/* ---- the elements that are shown */

typedef void visitor(struct printer *p, const void *at);

static bool is_cut(const struct printer *p, int axis) {
    return p->summarised && p->array->shape[axis] > BOTH_EDGES;
}

static int64_t shown(const struct printer *p, int axis) {
    return is_cut(p, axis) ? BOTH_EDGES : p->array->shape[axis];
}

/* The address of element k of those that are shown along an axis. */
static const char *along(const struct printer *p, int axis, const char *at, int64_t k) {
    const DLTensor *a = p->array;
    int64_t stride = a->dtype.bits / 8;
    if (a->strides)
        stride *= a->strides[axis];
    else
        for (int i = axis + 1; i < a->ndim; i++)
            stride *= a->shape[i];
    return at + stride * (is_cut(p, axis) && k >= EDGE ? a->shape[axis] - BOTH_EDGES + k : k);
}

static void walk(struct printer *p, int axis, const char *at, visitor *visit) {
    if (axis == p->array->ndim) {
        visit(p, at);
        return;
    }
    for (int64_t k = 0; k < shown(p, axis); k++)
        walk(p, axis + 1, along(p, axis, at, k), visit);
}

static void widen(int *width, int to) {
    if (*width < to)
        *width = to;
}

static void measure_width(struct printer *p, const void *at) {
    char text[WORD];
    whole_text(p, at, text);
    widen(&p->width, (int)strlen(text));
}

static void measure_range(struct printer *p, const void *at) {
    struct form *f = &p->form[p->part];
    double x = real_at(p, at, p->part), size = fabs(x);
    if (!isfinite(x)) {
        f->any_special = true;
        f->negative_infinity |= isinf(x) && x < 0;
    } else if (x != 0) {
        f->largest = fmax(f->largest, size);
        f->smallest = fmin(f->smallest, size);
    }
}

static void measure_digits(struct printer *p, const void *at) {
    struct form *f = &p->form[p->part];
    double x = real_at(p, at, p->part);
    if (!isfinite(x))
        return;
    struct decimal d = shortest(p, x);
    if (f->exponential) {
        widen(&f->left, 1 + (d.negative || f->plus));
        widen(&f->right, d.n - 1);
        widen(&f->exponent, abs(d.exponent) > 99 ? 3 : 2);
    } else {
        char text[WORD];
        int before = positional(&d, text);
        widen(&f->left, before + (f->plus && !d.negative));
        widen(&f->right, (int)strlen(text) - before - 1);
    }
}

/* Whether numbers need exponents; as in NumPy, comparisons are in the array's own type. */
static bool wants_exponents(const struct printer *p, const struct form *f) {
    return f->largest != 0 && (f->largest >= p->cutoff || f->smallest < round_to(0.0001, p->real) ||
                               round_to(f->largest / f->smallest, p->real) > 1000);
}

static void measure_part(struct printer *p, const char *data) {
    struct form *f = &p->form[p->part];
    f->plus = p->part == 1;
    f->smallest = INFINITY;
    walk(p, 0, data, measure_range);
    f->exponential = wants_exponents(p, f);
    walk(p, 0, data, measure_digits);
    int point_on = 1 + f->right + (f->exponential ? 2 + f->exponent : 0);
    f->width = f->left + point_on;
    if (f->any_special)
        widen(&f->width, 3 + (f->negative_infinity || f->plus));
}

static void measure(struct printer *p, const char *data) {
    for (p->part = 0; p->part < p->nparts; p->part++)
        measure_part(p, data);
    if (p->nparts > 0)
        return;
    walk(p, 0, data, measure_width);
    if (p->array->dtype.code == kDLBool)
        p->width = 5; /* the width of "False", even if all elements are True */
}

/* ---- lines and brackets */

static void repeat(FILE *out, char c, int n) {
    while (n-- > 0)
        fputc(c, out);
}

/* Adds a word to the line, or begins a new line if this one would exceed width. */
static void put_word(struct printer *p, const char *word, int width, int axis) {
    int n = (int)strlen(word);
    if (p->length > 1 && p->length + n > width) {
        while (p->line[p->length - 1] == ' ')
            p->length--;
        fwrite(p->line, 1, (size_t)p->length, p->out);
        fputc('\n', p->out);
        repeat(p->out, ' ', axis);
        p->line[0] = ' ';
        p->length = 1;
    }
    memcpy(p->line + p->length, word, (size_t)n);
    p->length += n;
}

/* Prints the last axis.  What precedes its bracket is already printed, and not in p->line. */
static void print_row(struct printer *p, int axis, const char *at) {
    int width = LINE_WIDTH - 2 * axis - 1; /* minus the brackets that may follow */
    p->line[0] = '[';
    p->length = 1;
    for (int64_t k = 0, n = shown(p, axis); k < n; k++) {
        char text[2 * WORD];
        if (k == EDGE && is_cut(p, axis)) {
            put_word(p, "...", width, axis);
            p->line[p->length++] = ' ';
        }
        element_text(p, along(p, axis, at, k), text);
        put_word(p, text, width, axis);
        if (k + 1 < n)
            p->line[p->length++] = ' ';
    }
    fwrite(p->line, 1, (size_t)p->length, p->out);
    fputc(']', p->out);
}

static void next_item(struct printer *p, int axis) {
    repeat(p->out, '\n', p->array->ndim - axis - 1);
    repeat(p->out, ' ', axis + 1);
}

static void print_axis(struct printer *p, int axis, const char *at) {
    if (axis == p->array->ndim - 1) {
        print_row(p, axis, at);
        return;
    }
    fputc('[', p->out);
    for (int64_t k = 0; k < shown(p, axis); k++) {
        if (k > 0)
            next_item(p, axis);
        if (k == EDGE && is_cut(p, axis)) {
            fputs("...", p->out);
            next_item(p, axis);
        }
        print_axis(p, axis + 1, along(p, axis, at, k));
    }
    fputc(']', p->out);
}

static void set_type(struct printer *p) {
    enum ufc_dtype dtype = (enum ufc_dtype)type_of(p->array->dtype);
    p->nparts = is_complex(dtype) ? 2 : is_float(dtype);
    p->real = part_dtype(dtype);
    p->cutoff = p->real == DT_FLOAT64 ? 1e8 : p->real == DT_FLOAT32 ? 1e6 : 1e3;
}

void print_array(FILE *out, const DLTensor *array) {
    struct printer p = {.out = out, .array = array};
    const char *data = (const char *)array->data + array->byte_offset;
    int64_t n = 1;
    for (int i = 0; i < array->ndim; i++)
        n = n == 0 || array->shape[i] == 0 ? 0 : n * array->shape[i];
    p.summarised = n > THRESHOLD;
    set_type(&p);
    if (n == 0)
        fputs("[]", out);
    else if (array->ndim > 0) {
        measure(&p, data);
        print_axis(&p, 0, data);
    } else
        print_scalar(&p, data);
    fputc('\n', out);
}
