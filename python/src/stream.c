/* stream.c: the order of streams, and how long calls take on them. */
#include "ext.h"

/* A GPU's context, which the module keeps; NULL with an exception. */
static ufc_context *gpu_context(struct state *state, int device) {
    ufc_error err;
    if (device < 0 || (size_t)device >= Py_ARRAY_LENGTH(state->gpus)) {
        PyErr_Format(PyExc_ValueError, "there is no GPU %d", device);
        return NULL;
    }
    ufc_context *there = atomic_load(&state->gpus[device]), *made;
    if (there)
        return there;
    char name[32];
    (void)snprintf(name, sizeof name, "cuda:%d", device);
    ufc_status status = ufc_context_new(&made, name, 0, &err);
    if (status != UFC_OK) {
        raise_status(status, &err);
        return NULL;
    }
    if (atomic_compare_exchange_strong(&state->gpus[device], &there, made))
        return made;
    ufc_context_free(made); /* another thread was earlier */
    return there;
}

PyObject *order_streams(PyObject *module, PyObject *args) {
    unsigned long long before, after;
    int device;
    ufc_error err;
    ufc_event *event = NULL;
    if (!PyArg_ParseTuple(args, "iKK", &device, &before, &after))
        return NULL;
    ufc_context *ctx = gpu_context(PyModule_GetState(module), device);
    if (!ctx)
        return NULL;
    ufc_status status = ufc_event_new(&event, ctx, &err);
    if (status == UFC_OK)
        status = ufc_event_record(event, (void *)(uintptr_t)before, &err);
    if (status == UFC_OK)
        status = ufc_event_wait(event, (void *)(uintptr_t)after, &err);
    ufc_event_free(event);
    if (status == UFC_OK)
        Py_RETURN_NONE;
    raise_status(status, &err);
    return NULL;
}

/* ---- times */

struct work {
    PyObject *callable;
    PyObject *type, *value, *traceback; /* the first exception */
};

static void run_work(void *arg) {
    struct work *w = arg;
    PyGILState_STATE gil = PyGILState_Ensure();
    PyObject *result = w->type ? NULL : PyObject_CallObject(w->callable, NULL);
    if (!result && !w->type)
        PyErr_Fetch(&w->type, &w->value, &w->traceback);
    Py_XDECREF(result);
    PyGILState_Release(gil);
}

static PyObject *spread(const ufc_spread *s) {
    return Py_BuildValue("(ddddd)", s->mean, s->std, s->min, s->median, s->max);
}

PyObject *profile_calls(PyObject *module, PyObject *args) {
    struct state *state = PyModule_GetState(module);
    struct work work = {NULL, NULL, NULL, NULL};
    ufc_times times;
    ufc_error err;
    int device, calls;
    unsigned long long stream;
    if (!PyArg_ParseTuple(args, "OiKi", &work.callable, &device, &stream, &calls))
        return NULL;
    ufc_context *ctx = device < 0 ? state->host : gpu_context(state, device);
    if (!ctx)
        return NULL;
    PyThreadState *released = PyEval_SaveThread();
    ufc_status status =
        ufc_profile(ctx, (void *)(uintptr_t)stream, run_work, &work, 0, calls, &times, &err);
    PyEval_RestoreThread(released);
    if (work.type) {
        PyErr_Restore(work.type, work.value, work.traceback);
        return NULL;
    }
    if (status == UFC_OK)
        return Py_BuildValue("(iNN)", times.calls, spread(&times.host), spread(&times.device));
    raise_status(status, &err);
    return NULL;
}
