/* method.c: the methods of ufuncs and the keywords of calls, from the command line. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd.h"

static const struct {
    const char *name;
    int nargs;
} methods[] = {{"reduce", 1}, {"accumulate", 1}, {"outer", 2}, {"reduceat", 2}, {"at", 3}};
enum { NMETHODS = sizeof methods / sizeof methods[0] };

int method_named(struct method *m, const struct command *command, const char *name,
                 size_t *length) {
    const char *dot = strchr(name, '.');
    *length = dot ? (size_t)(dot - name) : strlen(name);
    if (!dot)
        return DONE;
    for (int i = 0; i < NMETHODS; i++)
        if (strcmp(dot + 1, methods[i].name) == 0) {
            m->name = methods[i].name;
            m->nargs = methods[i].nargs;
            return DONE;
        }
    return misuse(command, "'%s': a ufunc's methods are reduce, accumulate, outer, reduceat and at",
                  name);
}

/* Reads an axis, and moves *text behind it. */
static bool read_axis(const char **text, int *axis) {
    char *end;
    errno = 0;
    long value = strtol(*text, &end, 10);
    bool read = end != *text && !errno && value == (int)value;
    *axis = (int)value;
    *text = end;
    return read;
}

static int set_axes(struct method *m, const struct arguments *args) {
    const char *text = args->axis;
    m->kw.axes = m->axes;
    if (strcmp(text, "none") == 0 || strcmp(text, "None") == 0) {
        m->kw.axes = NULL;
        m->kw.all_axes = true;
        return DONE;
    }
    while (*text) {
        if (m->kw.naxes == MAX_AXES || !read_axis(&text, &m->axes[m->kw.naxes++]) ||
            (*text && (*text != ',' || !text[1])))
            return misuse(args->command, "--axis=%s: say it as 0,-1, or none for all", args->axis);
        text += *text == ',';
    }
    return DONE;
}

/* Parses core axes, "(0,1),-1,()"; as in Python, a tuple may end in a comma.  False: it is no such
 * list. */
static bool read_core_axes(struct method *m, const char *text) {
    int used = 0;
    for (;; text++) {
        if (m->kw.ncore_axes == MAX_AXES)
            return false;
        ufc_axes *axes = &m->core_axes[m->kw.ncore_axes++];
        text += strspn(text, " ");
        bool tuple = *text == '(';
        axes->axes = m->core_lists + used;
        text += tuple;
        while (tuple ? *text != ')' : axes->naxes == 0) {
            if (used == MAX_AXES || !read_axis(&text, &m->core_lists[used++]))
                return false;
            axes->naxes++;
            if (tuple && *text != ')' && *text++ != ',')
                return false;
            text += strspn(text, " ");
        }
        text += tuple;
        if (*text != ',')
            return !*text;
    }
}

static int set_core_axes(struct method *m, const struct arguments *args) {
    m->kw.core_axes = m->core_axes;
    return read_core_axes(m, args->axes)
               ? DONE
               : misuse(args->command, "--axes=%s: say the axes of each operand, as (0,1),-1,()",
                        args->axes);
}

static int set_casting(struct method *m, const struct arguments *args) {
    static const char *const names[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
    for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(args->casting, names[i]) == 0) {
            m->kw.casting = (ufc_casting)(UFC_CASTING_NO + i);
            return DONE;
        }
    return misuse(args->command, "--casting=%s: say no, equiv, safe, same_kind or unsafe",
                  args->casting);
}

static int set_initial(struct method *m, const struct arguments *args) {
    struct input number;
    const char *wrong = input_parse(&number, args->initial);
    input_end(&number);
    if (!wrong && number.kind != INPUT_NUMBER)
        wrong = "say a number";
    if (wrong)
        return refuse(args->command, "--initial", args->initial, wrong);
    m->initial = number.arg;
    m->kw.initial = &m->initial;
    return DONE;
}

int method_keywords(struct method *m, const struct arguments *args) {
    const char *wrong;
    ufc_type dtype;
    int status = args->axis ? set_axes(m, args) : DONE;
    if (status == DONE && args->axes)
        status = set_core_axes(m, args);
    if (status == DONE && args->casting)
        status = set_casting(m, args);
    if (status == DONE && args->initial)
        status = set_initial(m, args);
    if (status == DONE && args->dtype) {
        wrong = dtype_parse(&dtype, args->dtype);
        if (wrong)
            return refuse(args->command, "--dtype", args->dtype, wrong);
        m->kw.dtype = ufc_dltype(dtype);
    }
    if (status == DONE && args->where) {
        wrong = input_parse(&m->where, args->where);
        if (!wrong && (m->where.kind == INPUT_NUMBER || m->where.kind == INPUT_SAME))
            wrong = "say an array of bool";
        if (wrong)
            return refuse(args->command, "--where", args->where, wrong);
    }
    m->kw.keepdims = args->keepdims;
    return status;
}

ufc_status method_make(struct method *m, const struct making *how, ufc_error *err) {
    enum { INDEX = 1000 }; /* gives the mask other random numbers than the arguments */
    if (!m->where.text)
        return UFC_OK;
    ufc_status status = input_make(&m->where, how, INDEX, err);
    if (status == UFC_OK)
        m->kw.where = m->where.arg.as.array;
    return status;
}

void method_end(struct method *m) {
    input_end(&m->where);
}

/* The array of an argument; NULL: it is a number. */
static const DLTensor *array(const ufc_arg *arg) {
    return arg->kind == UFC_ARG_ARRAY ? arg->as.array : NULL;
}

static bool has_keywords(const ufc_keywords *kw) {
    return kw->where || kw->casting || kw->dtype.bits || kw->axes || kw->all_axes || kw->keepdims ||
           kw->initial || kw->core_axes;
}

static bool is(const struct method *m, const char *name) {
    return m->name && strcmp(m->name, name) == 0;
}

static ufc_status call_at(const struct method *m, ufc_context *ctx, const ufc_ufunc *ufunc,
                          const ufc_arg *in, ufc_plan_description *description, ufc_error *err) {
    if (has_keywords(&m->kw)) {
        snprintf(err->message, sizeof err->message, "at: there are no options for it");
        return UFC_EINVAL;
    }
    const DLTensor *a = array(&in[0]), *i = array(&in[1]);
    return description ? ufc_explain_at(ctx, NULL, ufunc, a, i, in[2], description, err)
                       : ufc_at(ctx, NULL, ufunc, a, i, in[2], err);
}

bool method_has_axes(const struct method *m) {
    return m->name && !is(m, "outer");
}

static ufc_status explain(const struct method *m, ufc_context *ctx, const ufc_ufunc *ufunc,
                          const ufc_arg *in, const ufc_out *out, ufc_plan_description *description,
                          ufc_error *err) {
    const ufc_keywords *kw = &m->kw;
    if (is(m, "reduce"))
        return ufc_explain_reduce(ctx, NULL, ufunc, in[0], out[0], kw, description, err);
    if (is(m, "accumulate"))
        return ufc_explain_accumulate(ctx, NULL, ufunc, in[0], out[0], kw, description, err);
    if (is(m, "reduceat"))
        return ufc_explain_reduceat(ctx, NULL, ufunc, in[0], array(&in[1]), out[0], kw, description,
                                    err);
    if (is(m, "outer"))
        return ufc_explain_outer(ctx, NULL, ufunc, in[0], in[1], out[0], kw, description, err);
    return ufc_explain(ctx, NULL, ufunc, in, out, kw, description, err);
}

/* The library takes arrays alone of what is changed, and of indices. */
static bool has_arrays(const struct method *m, const ufc_arg *in, ufc_error *err) {
    if (!is(m, "at") && !is(m, "reduceat"))
        return true;
    const char *wrong = !array(&in[1])                  ? "indices"
                        : is(m, "at") && !array(&in[0]) ? "what is changed"
                                                        : NULL;
    if (wrong)
        snprintf(err->message, sizeof err->message, "%s: %s must be an array%s", m->name, wrong,
                 array(&in[1]) ? "" : "; the index 7 is 'arange:8:i8[7:]'");
    return !wrong;
}

ufc_status method_call(const struct method *m, ufc_context *ctx, const ufc_ufunc *ufunc,
                       const ufc_arg *in, const ufc_out *out, ufc_plan_description *description,
                       ufc_error *err) {
    if (!has_arrays(m, in, err))
        return UFC_EINVAL;
    if (is(m, "at"))
        return call_at(m, ctx, ufunc, in, description, err);
    if (description)
        return explain(m, ctx, ufunc, in, out, description, err);
    if (is(m, "reduce"))
        return ufc_reduce(ctx, NULL, ufunc, in[0], out[0], &m->kw, err);
    if (is(m, "accumulate"))
        return ufc_accumulate(ctx, NULL, ufunc, in[0], out[0], &m->kw, err);
    if (is(m, "reduceat"))
        return ufc_reduceat(ctx, NULL, ufunc, in[0], array(&in[1]), out[0], &m->kw, err);
    if (is(m, "outer"))
        return ufc_outer(ctx, NULL, ufunc, in[0], in[1], out[0], &m->kw, err);
    return ufc_call_with(ctx, NULL, ufunc, in, out, &m->kw, err);
}
