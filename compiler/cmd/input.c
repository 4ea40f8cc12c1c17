/* input.c: the arguments of `ufc run` and `ufc bench`: numbers, files, standard input and other
 * arguments; generate.c makes generated arrays. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"

/* ---- numbers */

/* Whether a text is a whole number, decimal or hexadecimal, with or without a sign. */
static bool is_whole(const char *text, int *base) {
    text += *text == '-' || *text == '+';
    *base = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10;
    text += *base == 16 ? 2 : 0;
    return *text && !text[strspn(text, *base == 16 ? "0123456789abcdefABCDEF" : "0123456789")];
}

/* Parses a whole number.  Gives what is wrong; NULL: nothing. */
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

/* Parses a complex number as Python and NumPy write it: 2j, 1+2j, (1-2e3j), nan-infj. */
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
    return parse_real(text, &arg) || parse_complex(text, &arg); /* whole numbers are real */
}

/* ---- parsing */

/* Parses "arg2", the name of another argument. */
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
    in->kind = INPUT_FILE;
    return is_file(in->base) ? NULL : generator_parse(in);
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
        return out_of_memory;
    const char *wrong = parse_array(in);
    return wrong ? wrong : view_check(in->view);
}

/* ---- making */

/* Reads the next array from standard input. */
static ufc_status read_stdin(struct input *in, ufc_error *err) {
    ufc_error why;
    ufc_status status = ufc_npy_read_fd(STDIN_FILENO, &in->memory, &why);
    if (status != UFC_OK)
        snprintf(err->message, sizeof err->message, "standard input: %.*s",
                 (int)sizeof err->message - 20, why.message);
    return status;
}

/* Makes in->array without the view, on the host. */
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
    default: status = generator_make(in, how, index, err); break;
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

/* Moves the memory of the array, which is contiguous, to the device. */
static ufc_status move_to_device(struct input *in, ufc_context *ctx, ufc_error *err) {
    int64_t n = 1;
    for (int i = 0; i < in->array.ndim; i++)
        n *= in->array.shape[i];
    DLManagedTensorVersioned *moved = NULL;
    DLTensor flat = ufc_host_array(in->array.data, in->array.dtype, 1, &n);
    ufc_status status = ufc_empty(ctx, type_of(flat.dtype), 1, &n, UFC_DEVICE, &moved, err);
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

/* Copies shape and strides to the input's own members. */
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
