/* method.c: methods of ufuncs on arrays that NumPy's ufuncs do not take. */
#include <string.h>

#include "call.h"

/* A method's arguments: operands[0] is the array, [1] what belongs to it: indices of reduceat and
 * at; [2] is at's other operand. */
struct method_call {
    struct call *call;
    int axes[MAX_AXES];
    struct argument initial;
};

typedef ufc_status method_fn(struct method_call *m, ufc_error *err);

static ufc_status do_reduce(struct method_call *m, ufc_error *err) {
    struct call *c = m->call;
    return ufc_reduce(c->ctx, c->stream, c->ufunc, c->in[0], c->out[0], &c->keywords, err);
}

static ufc_status do_accumulate(struct method_call *m, ufc_error *err) {
    struct call *c = m->call;
    return ufc_accumulate(c->ctx, c->stream, c->ufunc, c->in[0], c->out[0], &c->keywords, err);
}

static ufc_status do_reduceat(struct method_call *m, ufc_error *err) {
    struct call *c = m->call;
    return ufc_reduceat(c->ctx, c->stream, c->ufunc, c->in[0], &c->operands[1].tensor, c->out[0],
                        &c->keywords, err);
}

static ufc_status do_at(struct method_call *m, ufc_error *err) {
    struct call *c = m->call;
    return ufc_at(c->ctx, c->stream, c->ufunc, &c->operands[0].tensor, &c->operands[1].tensor,
                  c->in[2], err);
}

static const struct method {
    const char *name;
    int noperands;
    bool writes; /* into its array */
    method_fn *run;
} methods[] = {{"reduce", 1, false, do_reduce},
               {"accumulate", 1, false, do_accumulate},
               {"reduceat", 2, false, do_reduceat},
               {"at", 3, true, do_at}};

static const struct method *method_named(const char *name) {
    for (size_t i = 0; i < Py_ARRAY_LENGTH(methods); i++)
        if (strcmp(methods[i].name, name) == 0)
            return &methods[i];
    PyErr_Format(PyExc_ValueError, "'%s' is no method", name);
    return NULL;
}

static int read_operands(struct call *c, const struct method *method, PyObject *operands) {
    c->noperands = method->noperands;
    if (PyTuple_Size(operands) != method->noperands) {
        PyErr_Format(PyExc_TypeError, "%s takes %d operands", method->name, method->noperands);
        return -1;
    }
    for (int k = 0; k < method->noperands; k++) {
        struct argument *a = &c->operands[k];
        if (read_argument(PyTuple_GetItem(operands, k), k == 0 && method->writes, a))
            return -1;
        if (k < method->noperands - (method->noperands == 3) && a->arg.kind != UFC_ARG_ARRAY) {
            PyErr_Format(PyExc_TypeError, "%s takes an array, not a number", method->name);
            return -1;
        }
        c->in[k] = a->arg;
    }
    return 0;
}

/* Where a given output goes, which is read into the place behind the operands. */
static int read_output(struct call *c, PyObject *out) {
    struct argument *a = &c->operands[c->noperands++];
    c->out[0] = ufc_new(&c->made[0]);
    if (out == Py_None)
        return 0;
    if (read_argument(out, true, a))
        return -1;
    c->out[0] = ufc_into(&a->tensor);
    return 0;
}

/* axes: a tuple; None: all of them. */
static int read_axes(struct method_call *m, PyObject *axes) {
    ufc_keywords *keywords = &m->call->keywords;
    keywords->all_axes = axes == Py_None;
    if (axes == Py_None)
        return 0;
    Py_ssize_t n = PyTuple_Size(axes);
    if (n < 0 || n > MAX_AXES) {
        if (n > 0)
            PyErr_SetString(PyExc_ValueError, "there are too many axes");
        return -1;
    }
    keywords->axes = m->axes;
    keywords->naxes = (int)n;
    for (Py_ssize_t i = 0; i < n; i++)
        if (read_axis_number(PyTuple_GetItem(axes, i), &m->axes[i]))
            return -1;
    return 0;
}

static int read_where(struct call *c, PyObject *where) {
    if (where == Py_True)
        return 0;
    c->keywords.where = &c->where.tensor;
    return read_argument(where, false, &c->where);
}

static int read_initial(struct method_call *m, PyObject *initial) {
    if (initial == Py_None)
        return 0;
    m->call->keywords.initial = &m->initial.arg;
    return read_argument(initial, false, &m->initial);
}

PyObject *call_method(PyObject *module, PyObject *args) {
    struct state *state = PyModule_GetState(module);
    PyObject *function, *operands, *out, *where, *axes, *initial, *make, *results = NULL;
    const char *name, *dtype;
    int keepdims;
    unsigned long long stream;
    struct method_call m = {NULL};
    ufc_error err;
    if (!PyArg_ParseTuple(args, "O!sO!OOzOpOKO", state->function, &function, &name, &PyTuple_Type,
                          &operands, &out, &where, &dtype, &axes, &keepdims, &initial, &stream,
                          &make))
        return NULL;
    const struct method *method = method_named(name);
    if (!method || !(m.call = call_new(function, stream, make)))
        return NULL;
    struct call *c = m.call;
    c->keywords.keepdims = keepdims;
    if (read_dtype(dtype, &c->keywords.dtype) || read_operands(c, method, operands) ||
        read_output(c, out) || read_axes(&m, axes) || read_where(c, where) ||
        read_initial(&m, initial))
        goto end;
    c->ctx = on_gpu(&c->operands[0]) ? NULL : state->host;
    PyThreadState *released = PyEval_SaveThread();
    ufc_status status = method->run(&m, &err);
    PyEval_RestoreThread(released);
    if (status == UFC_OK)
        results = results_of(c);
    else if (!PyErr_Occurred())
        raise_status(status, &err);
end:
    free_argument(&m.initial);
    call_free(c);
    return results;
}
