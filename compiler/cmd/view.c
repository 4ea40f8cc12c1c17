/* view.c: views of arrays on the command line: a sequence of basic slices, .T and .transpose(…), as
 * in NumPy. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"

static const char transpose[] = ".transpose(";

struct slice {
    bool index; /* a number, which removes the axis */
    bool has_start, has_stop;
    int64_t start, stop, step;
};

struct step {
    bool sliced; /* false: axes are permuted */
    int n;       /* how many slices, or axes; 0 axes: they are reversed */
    struct slice slice[MAX_AXES];
    int64_t axis[MAX_AXES];
};

size_t view_begins(const char *text) {
    size_t n = strlen(text);
    for (;;) {
        size_t begin = n;
        if (n >= 2 && memcmp(text + n - 2, ".T", 2) == 0) {
            begin = n - 2;
        } else if (n > 0 && (text[n - 1] == ']' || text[n - 1] == ')')) {
            char open = text[n - 1] == ']' ? '[' : '.';
            while (begin > 0 && text[begin - 1] != open)
                begin--;
            begin -= begin > 0;
        }
        if (begin == n || begin == 0)
            return n;
        n = begin;
    }
}

bool is_stdin(const char *text) {
    return *text == '-' && view_begins(text) == 1;
}

/* ---- reading */

/* The next character that is no space; moves *text to it. */
static char next(const char **text) {
    *text += strspn(*text, " ");
    return **text;
}

/* Reads a number and moves *text behind it.  False: there is none. */
static bool read_number(const char **text, int64_t *value) {
    char *end, first = next(text);
    if (!strchr("-+0123456789", first) || !first)
        return false;
    errno = 0;
    *value = strtoll(*text, &end, 10);
    bool read = end != *text && !errno;
    *text = read ? end : *text;
    return read;
}

static const char slice_form[] = "a slice is as in [1:], [:-1], [::2] or [3,::-1]";
static const char transpose_form[] = "transpose is as in .transpose(2,0,1)";

/* Reads start:stop:step, with parts left out, or a number. */
static const char *read_slice(const char **text, struct slice *s) {
    *s = (struct slice){.step = 1};
    s->has_start = read_number(text, &s->start);
    s->index = s->has_start && next(text) != ':';
    if (s->index)
        return NULL;
    if (next(text) != ':')
        return slice_form;
    ++*text;
    s->has_stop = read_number(text, &s->stop);
    if (next(text) == ':') {
        ++*text;
        read_number(text, &s->step);
    }
    return s->step == 0 ? "the step of a slice is 0" : NULL;
}

static const char *read_list(const char **text, struct step *step, char close) {
    for (step->n = 0; next(text) != close; *text += **text == ',') {
        if (step->n == MAX_AXES)
            return "the view has too many axes";
        const char *wrong = NULL;
        if (step->sliced)
            wrong = read_slice(text, &step->slice[step->n]);
        else if (!read_number(text, &step->axis[step->n]))
            wrong = transpose_form;
        step->n++;
        if (!wrong && next(text) != ',' && **text != close)
            wrong = step->sliced ? slice_form : transpose_form;
        if (wrong)
            return wrong;
    }
    ++*text;
    return NULL;
}

/* Reads one step of the view and moves *text behind it. */
static const char *read_step(const char **text, struct step *step) {
    step->sliced = **text == '[';
    step->n = 0;
    if (strncmp(*text, transpose, sizeof transpose - 1) == 0) {
        *text += sizeof transpose - 1;
        return read_list(text, step, ')');
    }
    if (strncmp(*text, ".T", 2) == 0) {
        *text += 2;
        return NULL;
    }
    if (!step->sliced)
        return "views are [...], .T and .transpose(...)";
    ++*text;
    return read_list(text, step, ']');
}

const char *view_check(const char *view) {
    struct step step;
    const char *wrong = NULL;
    while (*view && !wrong)
        wrong = read_step(&view, &step);
    return wrong;
}

/* ---- applying */

/* A bound of a slice, clamped to low..high; a negative one counts from the end. */
static int64_t bound(bool given, int64_t at, int64_t otherwise, int64_t size, int64_t low,
                     int64_t high) {
    if (!given)
        return otherwise;
    at += at < 0 ? size : 0;
    return at < low ? low : at > high ? high : at;
}

/* How many elements of `size` a slice takes, from *start on. */
static int64_t slice_length(const struct slice *s, int64_t size, int64_t *start) {
    bool up = s->step > 0;
    int64_t low = up ? 0 : -1, high = up ? size : size - 1;
    *start = bound(s->has_start, s->start, up ? low : high, size, low, high);
    int64_t stop = bound(s->has_stop, s->stop, up ? high : low, size, low, high);
    if (up)
        return stop > *start ? (stop - *start - 1) / s->step + 1 : 0;
    uint64_t back = 0 - (uint64_t)s->step;
    return stop < *start ? (int64_t)((uint64_t)(*start - stop - 1) / back) + 1 : 0;
}

static ufc_status failed(ufc_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static ufc_status failed(ufc_error *err, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(err->message, sizeof err->message, format, args);
    va_end(args);
    return UFC_EINVAL;
}

static ufc_status apply_slices(DLTensor *array, const struct step *step, ufc_error *err) {
    int kept = 0;
    if (step->n > array->ndim)
        return failed(err, "a view has slices of %d axes, the array has rank %d", step->n,
                      array->ndim);
    for (int i = 0; i < array->ndim; i++) {
        const struct slice whole = {.step = 1}, *s = i < step->n ? &step->slice[i] : &whole;
        int64_t start = s->start, size = array->shape[i], stride = array->strides[i];
        int64_t length = s->index ? 1 : slice_length(s, size, &start);
        if (s->index && (start < -size || start >= size))
            return failed(err, "there is no element %lld on an axis of size %lld", (long long)start,
                          (long long)size);
        if (s->index && start < 0)
            start += size;
        if (length > 0)
            array->byte_offset += (uint64_t)(start * stride) * (array->dtype.bits / 8);
        if (s->index)
            continue;
        array->shape[kept] = length;
        array->strides[kept++] = length > 1 ? stride * s->step : stride;
    }
    array->ndim = kept;
    return UFC_OK;
}

static ufc_status apply_transpose(DLTensor *array, const struct step *step, ufc_error *err) {
    int64_t shape[MAX_AXES], strides[MAX_AXES];
    bool used[MAX_AXES] = {false};
    int ndim = array->ndim;
    if (step->n && step->n != ndim)
        return failed(err, "transpose has %d axes, the array has rank %d", step->n, ndim);
    for (int i = 0; i < ndim; i++) {
        int64_t from = step->n ? step->axis[i] : ndim - 1 - i;
        from += from < 0 ? ndim : 0;
        if (from < 0 || from >= ndim || used[from])
            return failed(err, "transpose: axis %lld is there twice, or not one of %d",
                          (long long)step->axis[i], ndim);
        used[from] = true;
        shape[i] = array->shape[from];
        strides[i] = array->strides[from];
    }
    memcpy(array->shape, shape, (size_t)ndim * sizeof *shape);
    memcpy(array->strides, strides, (size_t)ndim * sizeof *strides);
    return UFC_OK;
}

ufc_status view_apply(DLTensor *array, const char *view, ufc_error *err) {
    struct step step;
    ufc_status status = UFC_OK;
    while (*view && status == UFC_OK) {
        read_step(&view, &step);
        status = (step.sliced ? apply_slices : apply_transpose)(array, &step, err);
    }
    return status;
}
