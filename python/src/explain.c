/* explain.c: ufc_explain's description as a dict. */
#include <string.h>

#include "call.h"

/* Adds a member, if it is known: takes the reference. */
static int add(PyObject *dict, const char *name, PyObject *value) {
    int failed = !value || PyDict_SetItemString(dict, name, value);
    Py_XDECREF(value);
    return failed ? -1 : 0;
}

static int add_text(PyObject *dict, const char *name, const char *text) {
    return text && *text
               ? add(dict, name, PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace"))
               : 0;
}

static int add_count(PyObject *dict, const char *name, int64_t count) {
    return count ? add(dict, name, PyLong_FromLongLong(count)) : 0;
}

static int add_number(PyObject *dict, const char *name, double number) {
    return number != 0 ? add(dict, name, PyFloat_FromDouble(number)) : 0;
}

static PyObject *description(const ufc_plan_description *d) {
    PyObject *dict = PyDict_New(), *shape = PyList_New(0);
    for (int i = 0; i < d->ndim && shape; i++) {
        PyObject *size = PyLong_FromLongLong(d->shape[i]);
        if (!size || PyList_Append(shape, size))
            Py_CLEAR(shape);
        Py_XDECREF(size);
    }
    if (dict && shape && !add_text(dict, "signature", d->signature) &&
        !add_text(dict, "core", d->core) && !PyDict_SetItemString(dict, "loop", shape) &&
        !add_text(dict, "kernel", d->kernel) && !add_text(dict, "why", d->why) &&
        !add_text(dict, "statements", d->statements) && !add_count(dict, "width", d->width) &&
        !add_count(dict, "launches", d->launches) && !add_text(dict, "passes", d->passes) &&
        !add_count(dict, "blocks", d->blocks) && !add_count(dict, "threads", d->threads) &&
        !add_count(dict, "registers", d->registers) &&
        !add_number(dict, "occupancy", d->occupancy) && !add_count(dict, "bytes", d->bytes) &&
        !add_count(dict, "temporaries", d->temporaries) && !add_text(dict, "copies", d->copies) &&
        !add_text(dict, "arrays", d->arrays) && !add_text(dict, "level", d->level) &&
        !add_count(dict, "lanes", d->lanes) && !add_count(dict, "host_threads", d->host_threads) &&
        !add_text(dict, "host_why", d->host_why)) {
        Py_DECREF(shape);
        return dict;
    }
    Py_XDECREF(shape);
    Py_XDECREF(dict);
    return NULL;
}

PyObject *explain_arrays(PyObject *module, PyObject *args) {
    struct call *c = read_call(module, args);
    ufc_plan_description d;
    ufc_status status;
    ufc_error err;
    if (!c)
        return NULL;
    PyThreadState *released = PyEval_SaveThread();
    status = ufc_explain(c->ctx, c->stream, c->ufunc, c->in, c->out, &c->keywords, &d, &err);
    PyEval_RestoreThread(released);
    call_free(c);
    if (status == UFC_OK)
        return description(&d);
    raise_status(status, &err);
    return NULL;
}
